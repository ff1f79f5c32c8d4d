/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel logs to events. Records are put together from their wrapped lines, those of a log that is
 * quoted twice are taken once, boots are told apart, and each message goes to whom it belongs.
 */
#include "decode/kernel-log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/siphash.h"
#include "base/str.h"

#define MAX_SEEN     (1u << 19)
#define MAX_NOTES    10u
#define EXCERPT	     72u
#define SECOND_US    1000000
#define NEAR_BOOT_US (30 * (int64_t)SECOND_US)

bool klog_is_near(const struct event_time *a, const struct event_time *b, int64_t us)
{
	int64_t between;

	return !event_time_between(a, b, &between) || llabs(between) <= us;
}

/* --- events ------------------------------------------------------------------------------------------- */

/* Since boot by the one clock or the other. */
static bool is_near_boot(const struct klog *k, const struct event_time *t)
{
	int64_t us;

	if (t->has_monotonic)
		return t->monotonic_us < NEAR_BOOT_US;
	return event_time_between(&k->boot_time, t, &us) && us >= 0 && us < NEAR_BOOT_US;
}

struct event klog_event(struct klog *k, const struct klog_message *m, enum event_class c)
{
	struct event e = {
		.class = c,
		.time = m->record->time,
		.boots_ago = k->boot, /* turned round at the end */
		.order = k->order,
		.ata_port = m->ata_port,
		.ata_device = m->family == FAMILY_ATA ? m->ata_device : -1,
		.origin = { .item = k->item, .file = k->file, .line = m->record->line },
	};
	char *text = arena_strdup(k->d->arena, m->record->text);
	char *device = m->device[0] ? arena_strdup(k->d->arena, m->device) : NULL;

	if (!text || (m->device[0] && !device))
		k->failed = true;
	for (char *p = text; p && *p; p++)
		if (*p == '\n')
			*p = ' ';
	e.text = text ? text : "";
	e.near_boot = is_near_boot(k, &e.time);
	e.device = device;
	if (m->has_scsi) {
		e.has |= EVENT_HAS_SCSI;
		memcpy(e.scsi, m->scsi, sizeof(e.scsi));
	}
	return e;
}

static void count(struct klog *k, uint32_t device, const struct event *e)
{
	struct log_device *d = klog_device(k, device);

	d->counts[e->class]++;
	if (event_class_kind(e->class) != EVENT_KIND_FAULT)
		return;
	/* an exception is counted when it is over: others may have come in between */
	if (!d->faults || e->order < d->first_order) {
		d->first = e->time;
		d->first_order = e->order;
	}
	if (!d->faults || e->order > d->last_order) {
		d->last = e->time;
		d->last_order = e->order;
	}
	d->faults++;
	d->commands += e->commands;
	if ((e->has & EVENT_HAS_SERR) && e->serr != UINT32_MAX)
		d->serr |= e->serr;
}

void klog_emit(struct klog *k, uint32_t device, const struct event *e)
{
	uint64_t at = k->n_events++;

	if (at >= 2 * LOG_EVENTS)
		at = LOG_EVENTS + at % LOG_EVENTS;
	if (!k->events) {
		k->events = arena_alloc(&k->arena, 2 * LOG_EVENTS * sizeof(*k->events));
		k->owners = arena_alloc(&k->arena, 2 * LOG_EVENTS * sizeof(*k->owners));
	}
	if (!k->events || !k->owners) {
		k->failed = true;
		return;
	}
	/* "qc timeout (cmd 0xa0)"; the SCSI layer has other commands of that number */
	if (e->ata_port && e->ata_device >= 0 && (e->has & EVENT_HAS_COMMAND) &&
	    e->command == COMMAND_PACKET)
		klog_set_optical(k, device);
	k->events[at] = *e;
	k->owners[at] = device;
	count(k, device, e);
}

struct event *klog_event_at(struct klog *k, uint64_t n, uint32_t *ret_owner)
{
	uint64_t kept = k->n_events < 2 * LOG_EVENTS ? k->n_events : 2 * LOG_EVENTS;

	if (n >= kept)
		return NULL;
	/* the ring of the newest begins where the next would stand */
	if (n >= LOG_EVENTS && k->n_events > 2 * LOG_EVENTS)
		n = LOG_EVENTS + (n - LOG_EVENTS + k->n_events) % LOG_EVENTS;
	*ret_owner = k->owners[n];
	return &k->events[n];
}

/* --- lines that were seen ------------------------------------------------------------------------------ */

static uint64_t hash_of(const struct klog_record *r)
{
	uint64_t t = r->time.has_monotonic ? (uint64_t)r->time.monotonic_us
					   : (uint64_t)r->time.wall_us;

	return siphash(t, 1, span_of_text(r->text)) | 1;
}

static void put_seen(struct klog_seen *slots, size_t n, struct klog_seen entry)
{
	size_t at = (size_t)entry.hash & (n - 1);

	while (slots[at].hash)
		at = (at + 1) & (n - 1);
	slots[at] = entry;
}

static bool grow_seen(struct klog *k)
{
	size_t n = k->seen_slots ? 2 * k->seen_slots : 4096;
	struct klog_seen *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < k->seen_slots; i++)
		if (k->seen[i].hash)
			put_seen(slots, n, k->seen[i]);
	free(k->seen);
	k->seen = slots;
	k->seen_slots = n;
	return true;
}

static const struct klog_seen *find_seen(const struct klog *k, uint64_t hash)
{
	for (size_t at = (size_t)hash & (k->seen_slots - 1); k->seen[at].hash;
	     at = (at + 1) & (k->seen_slots - 1))
		if (k->seen[at].hash == hash)
			return &k->seen[at];
	return NULL;
}

/*
 * A log that is quoted again has the same lines at the same times. Where times are whole seconds the
 * kernel may well say the same twice in one: there a line counts as quoted only when the log went
 * back in time in between.
 */
static bool is_quoted_again(struct klog *k, const struct klog_record *r)
{
	const struct klog_seen *seen;
	uint64_t hash;
	int64_t us;

	if (!r->time.has_monotonic && !r->time.has_wall)
		return false;
	if (event_time_between(&k->last_time, &r->time, &us) && us < 0)
		k->pass++;
	k->last_time = r->time;
	if (k->n_seen * 2 >= k->seen_slots && k->n_seen < MAX_SEEN && !grow_seen(k)) {
		k->failed = true;
		return false;
	}
	hash = hash_of(r);
	seen = find_seen(k, hash);
	if (seen)
		return r->time.fine || seen->pass < k->pass;
	if (k->n_seen < MAX_SEEN) {
		put_seen(k->seen, k->seen_slots, (struct klog_seen){ hash, k->pass });
		k->n_seen++;
	}
	return false;
}

/* --- boots ----------------------------------------------------------------------------------------------- */

static void close_boot(struct klog *k)
{
	klog_block_close(k, UINT32_MAX);
	klog_scsi_close(k, UINT32_MAX);
	klog_bus_close(k);
	klog_map_close(k);
	memset(k->blocks, 0, sizeof(k->blocks));
}

static void start_boot(struct klog *k)
{
	close_boot(k);
	k->boot++;
	k->has_boot_line = k->registered = k->in_registration = false;
	k->reaches_boot = false;
	k->records_in_boot = 0;
	k->boot_time = (struct event_time){ 0 };
	k->is_asleep = false;
	klog_map_boot(k);
}

/*
 * Another boot begins where the log says so, or where what is said once a boot is said again. Older
 * lines below newer ones are only an excerpt in another order.
 */
static void look_for_boot(struct klog *k, const struct klog_message *m)
{
	const struct klog_record *r = m->record;
	bool registers = m->kind == SAYS_PORT && m->ata_device < 0;
	bool again = false;
	int64_t us;

	if (r->new_boot && k->records_in_boot)
		again = true;
	if (m->kind == SAYS_BOOT_MARK)
		again |= k->has_boot_line || k->registered ||
			 (k->records_in_boot && r->time.has_wall);
	if (registers && !k->in_registration)
		again |= klog_device(k, klog_device_at(k, m->ata_port, -1))->registered;
	if (again)
		start_boot(k);
	if (m->kind == SAYS_BOOT_MARK) {
		k->has_boot_line = true;
		k->boot_time = r->time;
		k->reaches_boot = !k->records_in_boot;
	} else if (r->time.has_monotonic && r->time.has_wall && !k->boot_time.has_wall) {
		k->boot_time = r->time;
		us = r->time.monotonic_us;
		k->boot_time.wall_us -= us;
		k->boot_time.has_monotonic = false;
	}
	k->in_registration = registers;
	k->registered |= registers;
	k->records_in_boot++;
}

/* --- records ----------------------------------------------------------------------------------------------- */

static void note_unclassified(struct klog *k, const struct klog_record *r)
{
	struct buf text cleanup_buf = { 0 };

	if (k->unclassified++ >= MAX_NOTES)
		return;
	str_add_escaped(&text, r->text, EXCERPT);
	diag_add(k->d->diag, DIAG_NOTE, k->file, r->line,
		 "kernel message not understood: \"%s\"", buf_text(&text));
}

static void take_record(struct klog *k, const struct klog_record *r)
{
	struct klog_message m;

	klog_classify(r, &m);
	if (is_quoted_again(k, r)) {
		/* the same kernel says the same at 0.000000 of each boot: what follows decides */
		k->may_be_boot = m.kind == SAYS_BOOT_MARK;
		return;
	}
	if (k->may_be_boot && k->has_boot_line) {
		start_boot(k);
		k->has_boot_line = k->reaches_boot = true;
		k->boot_time = (struct event_time){ .has_monotonic = true };
	}
	k->may_be_boot = false;
	k->order++;
	look_for_boot(k, &m);
	if (r->time.has_monotonic || r->time.has_wall) {
		if (!k->has_first_time)
			k->first_time = r->time;
		k->has_first_time = true;
	}
	if (m.kind == SAYS_UNCLASSIFIED)
		note_unclassified(k, r);
	else if (!klog_map_line(k, &m) && !klog_block_line(k, &m) &&
		 !klog_scsi_line(k, &m))
		(void)klog_bus_line(k, &m);
}

static struct event_time time_of(const struct klog_time *t)
{
	return (struct event_time){
		.has_monotonic = t->has_monotonic,
		.has_wall = t->has_wall,
		.wall_has_year = t->wall_has_year,
		.fine = t->fine,
		.monotonic_us = t->monotonic_us,
		.wall_us = t->wall_us,
	};
}

static void read_body(struct klog *k, struct span body)
{
	struct buf text cleanup_buf = { 0 };
	struct klog_record record = { 0 };
	struct klog_line l = { 0 };
	bool has = false;
	size_t bad = 0;

	for (;;) {
		int r = klog_take_line(&body, &l);

		bad += r == -EBADMSG;
		if (r == -EBADMSG)
			continue;
		if (r == 0 && l.continues && has && text.len < KLOG_MAX_TEXT) {
			buf_putc(&text, '\n');
			buf_add(&text, l.text, l.len);
			record.cut = l.cut;
			continue;
		}
		record.text = buf_text(&text);
		if (has && !k->failed)
			take_record(k, &record);
		if (r < 0)
			break;
		buf_clear(&text);
		buf_add(&text, l.text, l.len);
		record = (struct klog_record){
			.time = time_of(&l.time),
			.line = l.line,
			.cut = l.cut,
			.new_boot = l.new_boot,
			.has_head = l.time.has_monotonic || l.time.has_wall,
		};
		has = true;
	}
	k->failed |= buf_error(&text) < 0;
	if (bad)
		diag_add(k->d->diag, DIAG_WARNING, k->file, 0,
			 "%zu lines of the kernel log have no time and place and were "
			 "left "
			 "out",
			 bad);
}

/* --- items --------------------------------------------------------------------------------------------------- */

static uint64_t messages_of(const struct cap_item *item)
{
	const char *text = cap_item_get(item, "messages");
	uint64_t n = 0;

	if (text && str_to_u64(text, &n) < 0)
		n = 0;
	return n;
}

static bool is_yes(const char *text)
{
	return str_equal(text, "yes") || str_equal(text, "1");
}

static bool is_live(const struct cap_item *item)
{
	const char *source = cap_item_get(item, "source");

	return source && !str_equal(source, "posted");
}

/* A log that was read twice holds what the first reading had: the newest is enough. */
static const struct cap_item *newest_live(const struct decode *d)
{
	const struct cap_item *found = NULL;

	for (size_t i = 0; i < d->n_logs; i++)
		if (is_live(d->logs[i].item))
			found = d->logs[i].item;
	return found;
}

static int read_logs(struct klog *k, struct klog_source *source)
{
	const struct cap_item *live = newest_live(k->d);

	for (size_t i = 0; i < k->d->n_logs; i++) {
		const struct decode_log *log = &k->d->logs[i];
		const char *complete = cap_item_get(log->item, "complete");
		const char *name = cap_item_get(log->item, "source");

		if (is_live(log->item) && log->item != live)
			continue;
		k->file = k->d->parts.items[log->part].snapshot.file;
		/* whatever was posted beside the log of this very boot, is older */
		if (source->name && is_live(log->item))
			start_boot(k);
		source->name = name ? arena_strdup(k->d->arena, name) : "posted";
		source->complete = NULL;
		if (complete)
			source->complete = is_yes(complete) ? "yes" : "no";
		source->messages += messages_of(log->item);
		source->host_snapshot = k->d->parts.items[log->part].index;
		read_body(k, log->item->body);
		if (!source->name || k->failed)
			return -ENOMEM;
	}
	return 0;
}

int klog_decode(struct decode *d)
{
	struct klog *k = calloc(1, sizeof(*k));
	struct klog_source source = { 0 };
	int r;

	if (!k)
		return -ENOMEM;
	*k = (struct klog){ .d = d, .item = "kernel-log" };
	klog_map_boot(k);
	r = d->n_logs ? read_logs(k, &source) : 0;
	if (r == 0 && d->n_logs) {
		close_boot(k);
		klog_mark(k);
		r = k->failed ? -ENOMEM : klog_give(k);
		if (r == 0)
			r = klog_add_facts(k, &source);
	}
	free(k->seen);
	arena_done(&k->arena);
	free(k);
	return r;
}

int decode_log_item(struct decode *d, struct part *p, const struct cap_item *item)
{
	struct decode_log *slot =
		arena_push(d->arena, &d->logs, &d->n_logs, &d->cap_logs, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = (struct decode_log){ .part = (uint32_t)(p - d->parts.items),
				     .item = item };
	return 0;
}
