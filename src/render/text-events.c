/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel log says: the counts of each class, when, and the worst example. */
#include <stdlib.h>

#include "base/str.h"
#include "render/text.h"

/* The classes of which one example is shown, the worst first; of others the newest. */
static const enum event_class worst[] = {
	EVENT_MEDIA,	       EVENT_DEVICE_FAULT, EVENT_SENSE_HARDWARE,
	EVENT_CONTROLLER_GONE, EVENT_INTERFACE,	   EVENT_HOST_BUS,
	EVENT_ID_NOT_FOUND,    EVENT_TIMEOUT,	   EVENT_NVME_DOWN,
	EVENT_NVME_TIMEOUT,    EVENT_UAS_ABORT,	   EVENT_HBA_FAULT,
	EVENT_AER_UNCORRECTED,
};

static unsigned rank_of(enum event_class c)
{
	unsigned i = 0;

	while (i < array_size(worst) && worst[i] != c)
		i++;
	return i;
}

static bool is_shown(const struct event *e)
{
	enum event_kind kind = event_class_kind(e->class);

	return !e->boots_ago && (kind == EVENT_KIND_FAULT || kind == EVENT_KIND_RECOVERY);
}

static const struct event *find_worst(const struct drive *d)
{
	const struct event *found = NULL;

	for (size_t i = 0; i < d->n_events; i++) {
		const struct event *e = &d->events[i];

		if (!is_shown(e) || event_class_kind(e->class) != EVENT_KIND_FAULT)
			continue;
		if (!found || rank_of(e->class) <= rank_of(found->class))
			found = e;
	}
	return found;
}

struct class_count {
	enum event_class class;
	uint64_t n;
};

static int by_count(const void *pa, const void *pb)
{
	const struct class_count *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return (int)a->class - (int)b->class;
}

/* "12 x timeout, 12 x hard-reset": all that was counted, the most frequent first. */
static size_t write_counts(struct sheet *s, const struct drive *d)
{
	struct class_count counts[EVENT_COUNT];
	size_t n = 0;

	for (int c = 0; c < EVENT_COUNT; c++) {
		enum fact_id id = event_class_counter((enum event_class)c);
		uint64_t u;

		if (id == FACT_COUNT || !drive_u64(d, id, 0, 0, &u) || !u)
			continue;
		counts[n++] = (struct class_count){ (enum event_class)c, u };
	}
	qsort(counts, n, sizeof(*counts), by_count);
	for (size_t i = 0; i < n; i++) {
		struct buf b cleanup_buf = { 0 };

		str_add_grouped(&b, counts[i].n);
		sheet_raw(s, STYLE_PLAIN, "%s%s" SHEET_GLUE "x" SHEET_GLUE "%s",
			  i ? ", " : "", buf_text(&b), event_class_name(counts[i].class));
		sheet_check(s, &b);
	}
	return n;
}

static void write_times(struct sheet *s, const struct drive *d)
{
	const char *first = drive_text(d, FACT_KLOG_FIRST, 0, 0);
	const char *last = drive_text(d, FACT_KLOG_LAST, 0, 0);

	if (!first || !last)
		return;
	sheet_raw(s, STYLE_PLAIN, "; ");
	if (!str_equal(first, last)) {
		sheet_raw(s, STYLE_PLAIN, "first ");
		sheet_text(s, STYLE_PLAIN, first);
		sheet_raw(s, STYLE_PLAIN, ", last ");
		sheet_text(s, STYLE_PLAIN, last);
	} else {
		sheet_text(s, STYLE_PLAIN, first);
	}
}

static void write_event(struct sheet *s, const char *label, const struct event *e)
{
	struct buf b cleanup_buf = { 0 };

	sheet_label(s, label);
	event_add_time(&b, &e->time);
	if (b.len)
		buf_putc(&b, ' ');
	sheet_raw(s, STYLE_PLAIN, "%s", buf_text(&b));
	sheet_check(s, &b);
	sheet_text(s, STYLE_PLAIN, e->text);
	sheet_end_cut(s);
}

/* Its faults stand among the counts above. */
static void write_optical(struct sheet *s, const struct drive *d)
{
	const struct event *first = NULL;
	struct buf place cleanup_buf = { 0 };
	uint64_t n = 0;

	for (size_t i = 0; i < d->n_events; i++) {
		const struct event *e = &d->events[i];

		if (!e->optical || e->boots_ago ||
		    event_class_kind(e->class) != EVENT_KIND_FAULT)
			continue;
		first = first ? first : e;
		n += (uint64_t)e->repeats + 1;
	}
	if (!first)
		return;
	event_add_place(&place, first);
	sheet_label(s, "");
	sheet_raw(s, STYLE_PLAIN,
		  "%llu of these faults %s of an optical drive (CD, DVD), ",
		  (unsigned long long)n, n == 1 ? "is" : "are");
	sheet_text(s, STYLE_PLAIN, buf_text(&place));
	sheet_raw(s, STYLE_PLAIN, ": no disk is judged by them");
	sheet_check(s, &place);
	sheet_end(s);
}

static uint64_t earlier_faults(const struct drive *d)
{
	uint64_t earlier = 0;

	(void)drive_u64(d, FACT_KLOG_EARLIER, 0, 0, &earlier);
	return earlier;
}

bool text_has_events(const struct drive *d)
{
	return d->n_events || earlier_faults(d);
}

void text_events(struct sheet *s, const struct drive *d, const struct text_limits *l)
{
	const struct event *example = find_worst(d);
	uint64_t earlier = earlier_faults(d);

	if (!text_has_events(d))
		return;
	sheet_label(s, "Kernel log");
	if (!write_counts(s, d))
		sheet_raw(s, STYLE_PLAIN, "no fault");
	write_times(s, d);
	if (earlier)
		sheet_raw(s, STYLE_PLAIN, "; %llu fault%s in earlier boots",
			  (unsigned long long)earlier, str_plural(earlier));
	sheet_end(s);
	write_optical(s, d);
	if (l->everything) {
		for (size_t i = 0; i < d->n_events; i++)
			write_event(s, i ? "" : "Events", &d->events[i]);
		if (d->events_left_out) {
			sheet_label(s, "");
			sheet_raw(s, STYLE_DIM, "... and %zu more", d->events_left_out);
			sheet_end(s);
		}
	} else if (example && !l->brief) {
		write_event(s, "", example);
	}
}
