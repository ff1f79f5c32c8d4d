/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "device-outcome.h"

#include "base/str.h"

void outcome_done(struct outcome *o)
{
	capture_done(&o->capture);
	diag_done(&o->diag);
	buf_done(&o->text);
}

static void list_items(struct outcome *o)
{
	const struct cap_snapshot *s = &o->capture.subjects[0].snapshots[0];

	for (size_t i = 0; i < s->n_items; i++) {
		const struct cap_item *item = &s->items[i];

		buf_printf(&o->text, "%s %s", item->id, cap_status_name(item->status));
		for (size_t a = 0; a < item->n_attributes; a++)
			if (!str_equal(item->attributes[a].name, "took_us"))
				buf_printf(&o->text, " %s=%s", item->attributes[a].name,
					   item->attributes[a].value);
		buf_printf(&o->text, " %zu\n", item->body.len);
	}
}

struct outcome collect_outcome(struct transport *t, const struct collect_options *opt)
{
	struct outcome o = { 0 };
	struct cap_subject *s = capture_add_subject(&o.capture, CAP_DRIVE);

	assert_int_equal(collect_drive(&o.capture, s, CAP_BEFORE, "/dev/test", t, opt,
				       &o.diag, &o.stats),
			 0);
	list_items(&o);
	return o;
}
