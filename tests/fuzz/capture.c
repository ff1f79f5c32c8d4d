/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whatever can be read is written canonically, reads back as the same, and can be anonymised. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "capture/anonymise.h"
#include "capture/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
	if (!what)
		abort();
}

static bool read_one(struct span text, struct capture *ret)
{
	struct diag d = { 0 };
	int k = capture_file_read(text, "fuzz", &d, ret);

	/* one message for each fault, and nothing taken */
	must(d.n == (k < 0));
	must(k == 0 || (!ret->n_subjects && !ret->n_items && !ret->body_bytes));
	diag_done(&d);
	return k == 0;
}

static void same_item(const struct cap_item *a, const struct cap_item *b)
{
	must(str_equal(a->id, b->id) && a->status == b->status);
	must(a->n_attributes == b->n_attributes && a->body.len == b->body.len);
	must(!a->body.len || memcmp(a->body.data, b->body.data, a->body.len) == 0);
	for (size_t i = 0; i < a->n_attributes; i++) {
		must(str_equal(a->attributes[i].name, b->attributes[i].name));
		must(str_equal(a->attributes[i].value, b->attributes[i].value));
	}
}

static void same_snapshot(const struct cap_snapshot *a, const struct cap_snapshot *b)
{
	must(a->role == b->role && a->has_time == b->has_time);
	must(a->taken_ms == b->taken_ms && str_equal(a->source, b->source));
	must(a->n_items == b->n_items);
	for (size_t i = 0; i < a->n_items; i++)
		same_item(&a->items[i], &b->items[i]);
}

static void same_capture(const struct capture *a, const struct capture *b)
{
	must(a->n_subjects == b->n_subjects && a->n_snapshots == b->n_snapshots);
	must(a->n_items == b->n_items && a->body_bytes == b->body_bytes);
	for (size_t i = 0; i < a->n_subjects; i++) {
		const struct cap_subject *s = &a->subjects[i], *t = &b->subjects[i];

		must(s->kind == t->kind && s->number == t->number);
		must(s->n_snapshots == t->n_snapshots);
		for (size_t k = 0; k < s->n_snapshots; k++)
			same_snapshot(&s->snapshots[k], &t->snapshots[k]);
	}
}

/* Nothing but letters and digits changes, one for one: it still reads, and has its size. */
static void anonymised(struct capture *c)
{
	struct capture again = { 0 };
	struct buf text = { 0 };
	size_t body_bytes = c->body_bytes;

	must(capture_anonymise(c, 42) == 0);
	must(capture_file_write(c, NULL, &text) == 0);
	must(read_one(buf_span(&text), &again));
	must(again.body_bytes == body_bytes && again.n_items == c->n_items);
	buf_done(&text);
	capture_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = { 0 }, again = { 0 };
	struct buf text = { 0 }, text_again = { 0 };
	bool is = capture_file_is(span_of(data, size));

	if (read_one(span_of(data, size), &c)) {
		must(is);
		must(capture_file_write(&c, NULL, &text) == 0);
		must(read_one(buf_span(&text), &again));
		same_capture(&c, &again);
		must(capture_file_write(&again, NULL, &text_again) == 0);
		must(str_equal(buf_text(&text), buf_text(&text_again)));
		anonymised(&c);
	}
	buf_done(&text);
	buf_done(&text_again);
	capture_done(&c);
	capture_done(&again);
	return 0;
}
