/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ata/gate.h"
#include "base/str.h"
#include "device/collect-private.h"
#include "device/record.h"

#define COMMAND_MS 10000u
#define SPIN_UP_MS 30000u /* of a drive that is to be woken */
#define DRIVE_MS   60000u

/* IDENTIFY DEVICE word 217: 0001h is a drive that does not rotate (ACS-4 7.12.7.113). */
#define ROTATION_OFFSET	    434u
#define ROTATION_NONE	    1u
#define POWER_NV_CACHE_DOWN 0x40u

static uint64_t now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static int64_t now_ms(const struct collector *k)
{
	struct timespec t;

	if (k->transport->ops->now_ms)
		return k->transport->ops->now_ms(k->transport);
	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- one command ------------------------------------------------------------------------------- */

/* Errors after which the drive, or the user, must be left in peace. */
static void take_end(struct collector *k, int r)
{
	struct collect_stats *s = &k->stats;

	switch (r) {
	case -ETIMEDOUT:
		s->timed_out = k->over = true;
		break;
	case -ENODEV:
		s->gone = k->over = true;
		break;
	case -EPERM:
		s->no_permission = k->over = true;
		break;
	case -EINTR:
		s->interrupted = k->over = true;
		break;
	default:
		break;
	}
}

int collector_send(struct collector *k, const struct ata_command *c,
		   struct transport_result *ret)
{
	uint64_t now = now_us(), left = now < k->end_us ? (k->end_us - now) / 1000u : 0;
	int r;

	*ret = (struct transport_result){ 0 };
	if (k->over)
		return -ECANCELED;
	if (c->ext && k->transport->no_ext)
		return -EOPNOTSUPP;
	if (!left) {
		k->stats.timed_out = k->over = true;
		return -ECANCELED;
	}
	r = transport_send(k->transport, c, k->data,
			   left < k->command_ms ? (uint32_t)left : k->command_ms, ret);
	k->stats.commands++;
	k->stats.took_us += ret->took_us;
	if (k->options->trace)
		k->options->trace(k->options->context, c, ret, r);
	take_end(k, r);
	/* a page that is cut is no page: what is missing would read as zeros */
	if (r == 0 && ret->received < ata_command_bytes(c))
		r = -ENODATA;
	return r;
}

struct cap_item *collector_record(struct collector *k, const char *id, struct span body,
				  int error, bool sends_data,
				  const struct transport_result *r)
{
	struct cap_item *item;

	if (k->error || error == -ECANCELED)
		return NULL;
	item = record_add(k->capture, k->snapshot, id, body, error, sends_data, r);
	if (!item) {
		k->error = -ENOMEM;
		k->over = true;
	}
	return item;
}

static void set(struct collector *k, struct cap_item *item, const char *name,
		const char *value)
{
	if (item && cap_item_set(k->capture, item, name, value) < 0)
		k->error = -ENOMEM;
}

void collector_skip(struct collector *k, const char *id, const char *reason)
{
	struct cap_item *item =
		k->error ? NULL
			 : capture_add_item(k->capture, k->snapshot, id, CAP_SKIPPED,
					    (struct span){ 0 });

	if (!item)
		k->error = -ENOMEM;
	set(k, item, "reason", reason);
}

/* One sector or none at all: what stands in the item is what came. */
static int read_one(struct collector *k, const struct page *row, struct ata_command c,
		    struct transport_result *r)
{
	int e = collector_send(k, &c, r);

	(void)collector_record(k, row->item, span_of(k->data, r->received), e,
			       ata_command_bytes(&c) > 0, r);
	return e;
}

/* --- who it is, and whether it sleeps ---------------------------------------------------------- */

static bool is_solid_state(struct span identify)
{
	struct span word;

	return span_cut(identify, ROTATION_OFFSET, 2, &word) &&
	       (word.data[0] | word.data[1] << 8) == ROTATION_NONE;
}

static void take_identify(struct collector *k, struct span identify)
{
	k->has_identify = identify.len > 0;
	page_profile_identify(&k->profile, identify);
	collector_ask_db(k, identify);
}

static void take_kept_identify(struct collector *k, const struct page *row)
{
	struct transport_result r = { 0 };
	struct cap_item *item =
		collector_record(k, row->item, k->options->identify, 0, true, &r);

	/* settings in it are those of the time when the kernel found the drive */
	set(k, item, "from", "kernel");
	take_identify(k, k->options->identify);
}

static void read_identify(struct collector *k, const struct page *row)
{
	struct transport_result r;
	int e;

	if (k->has_identify)
		return;
	if (k->options->level == LEVEL_LINK && k->options->identify.len) {
		take_kept_identify(k, row);
		return;
	}
	e = read_one(k, row, ata_identify(), &r);
	if (e == 0) {
		take_identify(k, span_of(k->data, ATA_SECTOR));
		return;
	}
	if (e == -EOPNOTSUPP)
		k->stats.no_passthrough = k->over = true;
	/* a drive that does not even say who it is may still give its logs, if it is known */
	take_identify(k, k->options->identify);
}

static bool is_asleep(const struct ata_registers *r)
{
	uint8_t mode = (uint8_t)r->count;

	return r->known && (mode <= 0x01 || mode == POWER_NV_CACHE_DOWN);
}

static bool is_known_solid_state(const struct collector *k)
{
	return k->options->solid_state || is_solid_state(k->options->identify);
}

/* IDENTIFY DEVICE needs no medium, and is asked only where the kernel does not know the answer. */
static bool may_rotate(struct collector *k)
{
	if (is_known_solid_state(k))
		return false;
	if (k->options->identify.len)
		return true;
	for (const struct page *row = ata_pages; row->item; row++)
		if (row->source == PAGE_IDENTIFY)
			read_identify(k, row);
	return !k->has_identify || !is_solid_state(span_of(k->data, ATA_SECTOR));
}

static void read_power_mode(struct collector *k, const struct page *row)
{
	struct transport_result r;
	int e;

	/* the link check is to be one command: nothing to be woken, nothing to be asked */
	if (k->options->level == LEVEL_LINK &&
	    (k->options->wake || is_known_solid_state(k)))
		return;
	e = read_one(k, row, ata_check_power_mode(), &r);
	if (e != 0 || !is_asleep(&r.registers))
		return;
	if (k->options->wake) {
		if (k->command_ms < SPIN_UP_MS)
			k->command_ms = SPIN_UP_MS;
		return;
	}
	/* solid state drives claim it and lose nothing by being read */
	if (may_rotate(k))
		k->stats.asleep = k->over = true;
}

/* --- rows ------------------------------------------------------------------------------------------ */

static bool is_directory(const struct page *row)
{
	return (row->source == PAGE_GPL || row->source == PAGE_SMART_LOG) &&
	       row->address == 0;
}

static bool is_forbidden(struct collector *k, const struct page *row)
{
	if (row->source != PAGE_GPL && row->source != PAGE_SMART_LOG)
		return false;
	return is_directory(row) ? k->no_directory : k->no_log[row->address];
}

static void read_row(struct collector *k, const struct page *row)
{
	struct transport_result r;

	switch (row->source) {
	case PAGE_IDENTIFY:
		read_identify(k, row);
		break;
	case PAGE_POWER_MODE:
		read_power_mode(k, row);
		break;
	case PAGE_SMART_DATA:
		(void)read_one(k, row, ata_smart_data(), &r);
		break;
	case PAGE_SMART_THRESHOLDS:
		(void)read_one(k, row, ata_smart_thresholds(), &r);
		break;
	case PAGE_SMART_STATUS:
		(void)read_one(k, row, ata_smart_status(), &r);
		break;
	case PAGE_GPL:
	case PAGE_SMART_LOG:
		collector_read_log(k, row);
		break;
	case PAGE_SCT_DATA:
		collector_read_sct(k, row);
		break;
	}
}

/*
 * Page by page, which is how a bridge is read, two logs are not worth their commands: what the
 * IDENTIFY DEVICE log repeats, and errors of queued commands, which few bridges use.
 */
static bool is_costly(const struct collector *k, const struct page *row)
{
	return k->transport->one_sector && row->source == PAGE_GPL &&
	       (row->address == 0x30 || row->address == 0x10);
}

static void read_rows(struct collector *k)
{
	for (const struct page *row = ata_pages; row->item && !k->over; row++) {
		if (row->level > k->options->level || !row->pages(&k->profile) ||
		    (row->source == PAGE_SCT_DATA && !(k->transport->grants & GATE_SCT)))
			continue;
		if (is_forbidden(k, row))
			collector_skip(k, row->item, "database");
		else if (is_costly(k, row))
			collector_skip(k, row->item, "bridge");
		else
			read_row(k, row);
	}
	/* who it is is known without a command: a sleeping drive has its name */
	if (k->stats.asleep && k->options->identify.len)
		for (const struct page *row = ata_pages; row->item; row++)
			if (row->source == PAGE_IDENTIFY)
				take_kept_identify(k, row);
}

int collect_drive(struct capture *c, struct cap_subject *subject, enum cap_role role,
		  const char *source, struct transport *t,
		  const struct collect_options *o, struct diag *d,
		  struct collect_stats *ret)
{
	struct collector k = {
		.capture = c,
		.transport = t,
		.options = o,
		.diag = d,
		.command_ms = o->command_ms ? o->command_ms : COMMAND_MS,
		.end_us = now_us() +
			  (uint64_t)(o->drive_ms ? o->drive_ms : DRIVE_MS) * 1000u,
		.snapshot = capture_add_snapshot(c, subject, role, source),
		.data = calloc(READ_PAGES_MAX, ATA_SECTOR),
	};

	if (k.snapshot && k.data) {
		k.snapshot->taken_ms = now_ms(&k);
		k.snapshot->has_time = true;
		read_rows(&k);
	} else {
		k.error = -ENOMEM;
	}
	free(k.data);
	*ret = k.stats;
	return k.error;
}

int collect_reset_phy(struct transport *t, const struct collect_options *o)
{
	struct ata_command c = ata_read_log_ext(0x11, 0, 1, false, true);
	struct transport_result result;
	uint8_t page[ATA_SECTOR];
	int r = transport_send(t, &c, page, o->command_ms ? o->command_ms : COMMAND_MS,
			       &result);

	if (o->trace)
		o->trace(o->context, &c, &result, r);
	return r;
}
