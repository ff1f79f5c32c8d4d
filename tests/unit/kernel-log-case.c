/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel-log-case.h"

#include <stdlib.h>

#include "base/str.h"
#include "capture/file.h"

static void add_events(struct buf *b, const struct drive *d, size_t number)
{
	for (size_t i = 0; i < d->n_events; i++) {
		const struct event *e = &d->events[i];

		if (event_class_kind(e->class) == EVENT_KIND_INFO)
			continue;
		buf_printf(b, "%zu ", number);
		event_add_place(b, e);
		buf_printf(b, " %s", event_class_name(e->class));
		if (e->boots_ago)
			buf_printf(b, " -%u", e->boots_ago);
		if (e->has & EVENT_HAS_LBA)
			buf_printf(b, " lba=%llu", (unsigned long long)e->lba);
		if (e->commands > 1)
			buf_printf(b, " n=%u", e->commands);
		buf_putc(b, '\n');
	}
}

void klog_case_read(struct klog_case *c, const char *text, size_t len)
{
	struct span s = span_of(text, len);

	*c = (struct klog_case){ 0 };
	if (capture_file_is(s)) {
		if (capture_file_read(s, "t", &c->diag, &c->capture) < 0)
			abort();
	} else {
		(void)!import_read(s, "t", &c->capture, &c->diag, &c->stats);
	}
	c->db = drivedb_new(&c->diag);
	if (!c->db || decode_case(&c->capture, c->db, &c->diag, &c->the_case) < 0)
		abort();
	add_events(&c->events, &c->the_case.host, 0);
	for (size_t i = 0; i < c->the_case.n_drives; i++)
		add_events(&c->events, c->the_case.drives[i], i + 1);
}

void klog_case_done(struct klog_case *c)
{
	buf_done(&c->events);
	case_done(&c->the_case);
	drivedb_free(c->db);
	capture_done(&c->capture);
	diag_done(&c->diag);
}

void klog_case_expect(const char *text, const char *events)
{
	struct klog_case c;

	klog_case_read(&c, text, strlen(text));
	assert_string_equal(buf_text(&c.events), events);
	klog_case_done(&c);
}

const struct event *klog_case_event(const struct drive *d, size_t n)
{
	for (size_t i = 0; i < d->n_events; i++)
		if (event_class_kind(d->events[i].class) != EVENT_KIND_INFO && n-- == 0)
			return &d->events[i];
	return NULL;
}

static unsigned count_in(const struct drive *d, const char *class, uint32_t port,
			 bool all_boots)
{
	unsigned n = 0;

	for (size_t i = 0; i < d->n_events; i++)
		n += (all_boots || !d->events[i].boots_ago) &&
		     (!port || d->events[i].ata_port == port) &&
		     str_equal(event_class_name(d->events[i].class), class);
	return n;
}

unsigned klog_case_count(const struct klog_case *c, const char *class, uint32_t port,
			 bool all_boots)
{
	unsigned n = count_in(&c->the_case.host, class, port, all_boots);

	for (size_t i = 0; i < c->the_case.n_drives; i++)
		n += count_in(c->the_case.drives[i], class, port, all_boots);
	return n;
}
