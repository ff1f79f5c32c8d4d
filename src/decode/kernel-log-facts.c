/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log counted, as facts of the drives and of the host, and the events to each of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

#define SECOND_US     1000000
#define DENSE	      200u /* messages of a boot, at least: fewer are an excerpt of it */
#define BOOT_BEGIN_US ((int64_t)SECOND_US)

struct giver {
	struct klog *k;
	const struct klog_source *source;
	struct drive *to;
	uint32_t snapshot;
};

static int put(struct giver *g, struct fact f)
{
	f.snapshot = g->snapshot;
	f.trust = str_equal(g->source->name, "posted") ? TRUST_TEXT : TRUST_HOST;
	f.origin = (struct fact_origin){ .item = g->k->item, .file = g->k->file };
	return drive_add_fact(g->k->d->the_case, g->to, f);
}

static int put_u64(struct giver *g, enum fact_id id, uint32_t i, uint64_t u)
{
	return put(g, (struct fact){ .key = { id, i, 0 }, .u = u });
}

static int put_text(struct giver *g, enum fact_id id, uint32_t i, const char *text)
{
	char *copy = arena_strdup(g->k->d->arena, text);

	return copy ? put(g, (struct fact){ .key = { id, i, 0 }, .text = copy })
		    : -ENOMEM;
}

static int put_time(struct giver *g, enum fact_id id, uint32_t i,
		    const struct event_time *t)
{
	struct buf text cleanup_buf = { 0 };
	int r;

	event_add_time(&text, t);
	r = buf_error(&text);
	return r < 0 || !text.len ? r : put_text(g, id, i, buf_text(&text));
}

/* --- sums ------------------------------------------------------------------------------------------------ */

static void add(struct log_device *sum, const struct log_device *d)
{
	for (size_t i = 0; i < EVENT_COUNT; i++)
		sum->counts[i] += d->counts[i];
	if (d->faults && (!sum->faults || d->first_order < sum->first_order)) {
		sum->first = d->first;
		sum->first_order = d->first_order;
	}
	if (d->faults && (!sum->faults || d->last_order > sum->last_order)) {
		sum->last = d->last;
		sum->last_order = d->last_order;
	}
	sum->faults += d->faults;
	sum->near_sleep += d->near_sleep;
	sum->near_boot += d->near_boot;
	sum->together += d->together;
	sum->commands += d->commands;
	sum->serr |= d->serr;
	if (d->speed_mbps)
		sum->speed_mbps = d->speed_mbps;
}

static int put_counts(struct giver *g, const struct log_device *sum)
{
	int r = 0;

	for (size_t i = 0; i < EVENT_COUNT && r == 0; i++) {
		enum fact_id id = event_class_counter((enum event_class)i);

		if (id != FACT_COUNT && sum->counts[i])
			r = put_u64(g, id, 0, sum->counts[i]);
	}
	return r;
}

static int put_sum(struct giver *g, const struct log_device *sum, uint64_t earlier)
{
	const struct {
		enum fact_id id;
		uint64_t u;
	} rows[] = {
		{ FACT_KLOG_EARLIER, earlier },
		{ FACT_KLOG_NEAR_SLEEP, sum->near_sleep },
		{ FACT_KLOG_NEAR_BOOT, sum->near_boot },
		{ FACT_KLOG_TOGETHER, sum->together },
		{ FACT_KLOG_COMMANDS, sum->commands },
		{ FACT_KLOG_SERR, sum->serr },
		{ FACT_KLOG_LINK_SPEED, sum->speed_mbps },
	};
	int r = put_u64(g, FACT_KLOG_FAULTS, 0, sum->faults);

	for (size_t i = 0; i < array_size(rows) && r == 0; i++)
		if (rows[i].u)
			r = put_u64(g, rows[i].id, 0, rows[i].u);
	if (r == 0 && sum->faults)
		r = put_time(g, FACT_KLOG_FIRST, 0, &sum->first);
	if (r == 0 && sum->faults)
		r = put_time(g, FACT_KLOG_LAST, 0, &sum->last);
	return r == 0 ? put_counts(g, sum) : r;
}

/* --- events ------------------------------------------------------------------------------------------------ */

struct given {
	const struct event *e;
	struct drive *to; /* NULL: nobody's */
};

static int by_order(const void *pa, const void *pb)
{
	const struct given *a = pa, *b = pb;

	if (a->e->boots_ago != b->e->boots_ago)
		return a->e->boots_ago > b->e->boots_ago ? -1 : 1;
	return a->e->order < b->e->order ? -1 : a->e->order > b->e->order;
}

/* People post the lines that have to do with their disk: a few lines are no whole log. */
#define EXCERPT_MESSAGES 60u

static bool is_excerpt(const struct klog_source *source)
{
	return str_equal(source->name, "posted") && source->messages <= EXCERPT_MESSAGES;
}

/* Mice and cameras come and go, too. */
static bool is_nobodys(const struct log_device *d, const struct event *e)
{
	return d->usb[0] && d->is_other &&
	       (e->class == EVENT_USB_RESET || e->class == EVENT_USB_DISCONNECT);
}

static struct given *list_events(struct klog *k, const struct klog_source *source,
				 size_t *ret_n)
{
	struct given *list;
	size_t n = 0;
	uint32_t owner;

	while (klog_event_at(k, n, &owner))
		n++;
	list = arena_alloc(&k->arena, (n + 1) * sizeof(*list));
	if (!list)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct event *e = klog_event_at(k, i, &owner);
		const struct log_device *d = klog_device(k, owner);

		e->boots_ago = k->boot - e->boots_ago;
		list[i].e = e;
		if (!is_nobodys(d, e) || is_excerpt(source))
			list[i].to = d->drive ? d->drive : &k->d->the_case->host;
	}
	if (n)
		qsort(list, n, sizeof(*list), by_order);
	*ret_n = n;
	return list;
}

/* Of a long list the first and the newest. */
static int give_events(struct klog *k, const struct given *list, size_t n,
		       struct drive *to)
{
	size_t total = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		total += list[i].to == to;
	for (size_t i = 0; i < n; i++) {
		int r;

		if (list[i].to != to)
			continue;
		at++;
		if (at > EVENTS_KEPT_FIRST && total - at >= EVENTS_KEPT_LAST) {
			to->events_left_out++;
			continue;
		}
		r = drive_add_event(k->d->the_case, to, list[i].e);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Each address once, in the order of the log; of repeated reads one is enough. */
static int put_media(struct giver *g)
{
	uint64_t seen[LOG_MEDIA];
	uint32_t n = 0;

	for (size_t i = 0; i < g->to->n_events && n < LOG_MEDIA; i++) {
		const struct event *e = &g->to->events[i];
		bool known = false;
		int r;

		if (e->class != EVENT_MEDIA || e->boots_ago || !(e->has & EVENT_HAS_LBA))
			continue;
		for (uint32_t m = 0; m < n; m++)
			known |= seen[m] == e->lba;
		if (known)
			continue;
		seen[n] = e->lba;
		r = put_u64(g, FACT_KLOG_MEDIA_LBA, n++, e->lba);
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- readings before the newest --------------------------------------------------------------------------- */

/* When an earlier reading of the same log ended; false when it did not say. */
static bool time_of(const struct cap_item *item, int64_t *ret_us)
{
	const char *text = cap_item_get(item, "now");
	uint64_t s, us = 0;

	if (!text || str_take_u64(&text, 10, &s) < 0 || s > INT64_MAX / SECOND_US / 2)
		return false;
	if (*text == '.' && strlen(text) == 7) {
		text++;
		if (str_take_u64(&text, 10, &us) < 0)
			return false;
	}
	*ret_us = (int64_t)s * SECOND_US + (int64_t)us;
	return *text == '\0';
}

/* The drive's snapshot of that reading. */
static bool snapshot_of(const struct drive *d, enum snapshot_role role, uint32_t *ret)
{
	for (size_t i = 0; i < d->n_snapshots; i++) {
		if (d->snapshots[i].role != role)
			continue;
		*ret = (uint32_t)i;
		return i + 1 < d->n_snapshots;
	}
	return false;
}

static void count_until(const struct drive *d, int64_t us, struct log_device *sum)
{
	for (size_t i = 0; i < d->n_events; i++) {
		const struct event *e = &d->events[i];

		if (e->boots_ago || !e->time.has_monotonic || e->time.monotonic_us > us)
			continue;
		sum->counts[e->class]++;
		sum->faults += event_class_kind(e->class) == EVENT_KIND_FAULT;
	}
}

/* What had been counted by then, so that a probe in between can be told from its own log. */
static int put_reading(struct giver *g, const struct decode_log *log,
		       const struct log_device *all)
{
	enum snapshot_role role = g->k->d->parts.items[log->part].snapshot.role;
	struct giver at = *g;
	struct log_device sum = { 0 };
	int64_t us;
	int r;

	if (!time_of(log->item, &us) || !snapshot_of(g->to, role, &at.snapshot) ||
	    g->to->events_left_out)
		return 0;
	count_until(g->to, us, &sum);
	r = put_u64(&at, FACT_KLOG_FAULTS, 0, sum.faults);
	for (size_t i = 0; i < EVENT_COUNT && r == 0; i++) {
		enum fact_id id = event_class_counter((enum event_class)i);

		if (id != FACT_COUNT && all->counts[i])
			r = put_u64(&at, id, 0, sum.counts[i]);
	}
	return r;
}

static int put_readings(struct giver *g, const struct log_device *all)
{
	const struct decode *d = g->k->d;
	int r = 0;

	if (str_equal(g->source->name, "posted"))
		return 0;
	for (size_t i = 0; i + 1 < d->n_logs && r == 0; i++) {
		const char *name = cap_item_get(d->logs[i].item, "source");

		if (name && !str_equal(name, "posted"))
			r = put_reading(g, &d->logs[i], all);
	}
	return r;
}

/* --- a drive -------------------------------------------------------------------------------------------------- */

static int give_drive(struct giver *g)
{
	struct klog *k = g->k;
	struct log_device sum = { 0 };
	uint64_t earlier = 0;
	bool is_known = !str_equal(g->source->name, "posted");
	int r;

	for (size_t i = 0; i < k->n_devices; i++) {
		const struct log_device *d = &k->devices[i];

		if (d->merged_into || d->drive != g->to)
			continue;
		is_known = true;
		if (d->boot == k->boot)
			add(&sum, d);
		else
			earlier += d->faults;
	}
	if (!is_known)
		return 0; /* the log says nothing of this drive, not even that it is well */
	r = put_sum(g, &sum, earlier);
	if (r == 0)
		r = put_readings(g, &sum);
	return r == 0 ? put_media(g) : r;
}

/* --- the host ------------------------------------------------------------------------------------------------- */

static void name_port(struct log_device *sum, const struct log_device *d)
{
	if (d->name[0] && !sum->name[0])
		memcpy(sum->name, d->name, sizeof(sum->name));
	if (d->model && !sum->model)
		sum->model = d->model;
	if (d->drive && !sum->drive)
		sum->drive = d->drive;
}

static uint64_t number_of(const struct case_file *c, const struct drive *d)
{
	for (size_t i = 0; i < c->n_drives; i++)
		if (c->drives[i] == d)
			return i + 1;
	return 0;
}

static int put_port(struct giver *g, uint32_t port, const struct log_device *sum)
{
	const struct {
		enum fact_id id;
		uint64_t u;
	} rows[] = {
		{ FACT_KLOG_PORT_DRIVE, number_of(g->k->d->the_case, sum->drive) },
		{ FACT_KLOG_PORT_INTERFACE, sum->counts[EVENT_INTERFACE] },
		{ FACT_KLOG_PORT_TIMEOUTS, sum->counts[EVENT_TIMEOUT] },
		{ FACT_KLOG_PORT_RESETS, sum->counts[EVENT_HARD_RESET] },
		{ FACT_KLOG_PORT_RESET_FAILED, sum->counts[EVENT_RESET_FAILED] },
		{ FACT_KLOG_PORT_LINK_DOWN, sum->counts[EVENT_LINK_DOWN] },
		{ FACT_KLOG_PORT_LINK_SPEED, sum->speed_mbps },
	};
	int r = put_u64(g, FACT_KLOG_PORT_FAULTS, port, sum->faults);

	for (size_t i = 0; i < array_size(rows) && r == 0; i++)
		if (rows[i].u)
			r = put_u64(g, rows[i].id, port, rows[i].u);
	if (r == 0 && sum->name[0])
		r = put_text(g, FACT_KLOG_PORT_DEVICE, port, sum->name);
	if (r == 0 && sum->model)
		r = put_text(g, FACT_KLOG_PORT_MODEL, port, sum->model);
	if (r == 0 && sum->faults)
		r = put_time(g, FACT_KLOG_PORT_FIRST, port, &sum->first);
	if (r == 0 && sum->faults)
		r = put_time(g, FACT_KLOG_PORT_LAST, port, &sum->last);
	return r;
}

/* Each port once, when it is the first device that is of it. */
static int put_ports(struct giver *g)
{
	struct klog *k = g->k;

	for (size_t i = k->boot_first; i < k->n_devices; i++) {
		const struct log_device *d = &k->devices[i];
		struct log_device sum = { 0 };
		bool first = d->ata_port && !d->merged_into;
		int r;

		for (size_t m = k->boot_first; m < i && first; m++)
			first = k->devices[m].merged_into ||
				k->devices[m].ata_port != d->ata_port;
		if (!first)
			continue;
		for (size_t m = i; m < k->n_devices; m++) {
			const struct log_device *of = &k->devices[m];

			if (of->merged_into || of->ata_port != d->ata_port)
				continue;
			add(&sum, of);
			name_port(&sum, of);
		}
		if (!sum.faults && !sum.model && !sum.speed_mbps &&
		    !sum.counts[EVENT_HARD_RESET])
			continue;
		r = put_port(g, d->ata_port, &sum);
		if (r < 0)
			return r;
	}
	return 0;
}

/*
 * Whether the log has everything since boot: who made the item knows, or it begins with the kernel's
 * first words and is long enough to be more than what somebody picked out.
 */
static bool is_complete(const struct giver *g)
{
	const struct klog *k = g->k;

	if (g->source->complete)
		return str_equal(g->source->complete, "yes");
	return k->reaches_boot && g->source->messages >= DENSE &&
	       (!k->boot_time.has_monotonic || k->boot_time.monotonic_us < BOOT_BEGIN_US);
}

static int put_host(struct giver *g)
{
	struct klog *k = g->k;
	struct log_device sum = { 0 };
	uint64_t earlier = 0;
	int64_t us;
	int r;

	for (size_t i = 0; i < k->n_devices; i++) {
		const struct log_device *d = &k->devices[i];

		if (d->merged_into || d->drive)
			continue;
		if (d->boot == k->boot)
			add(&sum, d);
		else
			earlier += d->faults;
	}
	sum.speed_mbps = 0;
	r = put_text(g, FACT_KLOG_SOURCE, 0, g->source->name);
	if (r == 0)
		r = put_u64(g, FACT_KLOG_COMPLETE, 0, is_complete(g));
	if (r == 0)
		r = put_u64(g, FACT_KLOG_LINES, 0,
			    g->source->messages > k->order ? g->source->messages
							   : k->order);
	if (r == 0)
		r = put_u64(g, FACT_KLOG_OPEN, 0, k->unclassified);
	if (r == 0)
		r = put_u64(g, FACT_KLOG_BOOTS, 0, (uint64_t)k->boot + 1);
	if (r == 0 && k->has_first_time &&
	    event_time_between(&k->first_time, &k->last_time, &us) && us >= 0)
		r = put_u64(g, FACT_KLOG_SPAN, 0, (uint64_t)us / SECOND_US);
	if (r == 0)
		r = put_sum(g, &sum, earlier);
	return r == 0 ? put_ports(g) : r;
}

int klog_add_facts(struct klog *k, const struct klog_source *source)
{
	struct case_file *c = k->d->the_case;
	struct giver g = { .k = k,
			   .source = source,
			   .to = &c->host,
			   .snapshot = source->host_snapshot };
	size_t n = 0;
	struct given *list = list_events(k, source, &n);
	int r = list ? give_events(k, list, n, &c->host) : -ENOMEM;

	if (r == 0)
		r = put_host(&g);
	for (size_t i = 0; i < c->n_drives && r == 0; i++) {
		g.to = c->drives[i];
		g.snapshot = (uint32_t)(g.to->n_snapshots - 1);
		r = give_events(k, list, n, g.to);
		if (r == 0)
			r = give_drive(&g);
	}
	return r;
}
