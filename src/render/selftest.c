/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/selftest.h"

#include "base/str.h"
#include "render/json-value.h"

int render_selftest_json(const struct selftest_view *v, struct buf *ret)
{
	struct json_writer w = { 0 };
	struct json_object *root = json_new_object(&w), *o = json_new_object(&w);

	json_put_text(&w, o, "device", v->device);
	json_put_text(&w, o, "model", v->model);
	json_put_text(&w, o, "test", v->test);
	json_put_text(&w, o, "state", v->action);
	json_put_text(&w, o, "result", v->result);
	json_put_bool(&w, o, "failed", v->failed);
	if (v->has_left)
		json_put_u64(&w, o, "remaining_percent", v->left_percent);
	else
		json_put(&w, o, "remaining_percent", NULL);
	if (v->minutes)
		json_put_u64(&w, o, "expected_minutes", v->minutes);
	else
		json_put(&w, o, "expected_minutes", NULL);
	json_put(&w, root, "selftest", o);
	return json_add_document(&w, root, ret);
}

static void add_minutes(struct buf *b, unsigned minutes)
{
	if (minutes >= 120)
		buf_printf(b, "%u h %u min", minutes / 60, minutes % 60);
	else
		buf_printf(b, "%u minute%s", minutes, minutes == 1 ? "" : "s");
}

int render_selftest_text(const struct selftest_view *v, struct buf *ret)
{
	str_add_escaped(ret, v->device, SIZE_MAX);
	buf_printf(ret, ": %s%sself-test %s", v->test ? v->test : "", v->test ? " " : "",
		   v->action);
	if (v->has_left)
		buf_printf(ret, ", %u %% left", v->left_percent);
	if (v->result)
		buf_printf(ret, ": %s", v->result);
	if (v->minutes) {
		buf_puts(ret, "; it should take ");
		add_minutes(ret, v->minutes);
	}
	buf_putc(ret, '\n');
	return buf_error(ret);
}

#define BAR_MAX 50u

int render_selftest_bar(const struct selftest_view *v, unsigned columns, struct buf *ret)
{
	unsigned width = columns > BAR_MAX + 40 ? BAR_MAX : columns > 60 ? 20 : 10;
	unsigned done = v->left_percent > 100 ? 0 : 100 - v->left_percent;

	buf_putc(ret, '[');
	for (unsigned i = 0; i < width; i++)
		buf_putc(ret, i * 100 < done * width ? '#' : '-');
	buf_printf(ret, "] %3u %%", done);
	if (v->minutes) {
		buf_puts(ret, ", about ");
		add_minutes(ret, (v->minutes * v->left_percent + 99) / 100);
		buf_puts(ret, " left");
	}
	return buf_error(ret);
}
