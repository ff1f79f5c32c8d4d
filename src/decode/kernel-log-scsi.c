/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors of disks as the SCSI and block layers tell them, in up to five lines: result, sense key,
 * additional sense, command, sector. Behind libata they repeat an exception and are no event.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

#define SECOND_US   1000000
#define GROUP_US    (2 * (int64_t)SECOND_US)
#define BUFFER_US   (10 * (int64_t)SECOND_US)
#define GROUP_LINES 8u

static bool is_part(const struct klog *k, const struct klog_group *g,
		    const struct klog_message *m)
{
	if (!g->is_open || !klog_is_near(&g->last, &m->record->time, GROUP_US) ||
	    k->order - g->last_order > GROUP_LINES)
		return false;
	return !(g->has_tag && m->has_tag) || g->tag == m->tag;
}

static enum event_class class_of(const struct event *e)
{
	if (!(e->has & EVENT_HAS_SENSE))
		return e->class;
	switch (e->sense_key) {
	case 0x1:
		return EVENT_RECOVERED;
	case 0x3:
		return EVENT_MEDIA;
	case 0x4:
		return EVENT_SENSE_HARDWARE;
	case 0xb:
		return EVENT_SENSE_ABORTED;
	case 0x5:
		/* SPC: 21h/00h, logical block address out of range */
		return e->has & EVENT_HAS_ASC && e->asc == 0x21 && e->ascq == 0
			       ? EVENT_ID_NOT_FOUND
			       : EVENT_SENSE_OTHER;
	default:
		return EVENT_SENSE_OTHER;
	}
}

static void close_group(struct klog *k, struct klog_group *g)
{
	if (!g->is_open)
		return;
	g->is_open = false;
	if (g->is_echo)
		return;
	g->event.class = class_of(&g->event);
	/* unit attention tells that something was reset, not that something failed */
	if (g->event.has & EVENT_HAS_SENSE && g->event.sense_key == 0x6)
		g->event.class = EVENT_SCSI_RESET;
	if (g->event.class == EVENT_MEDIA || g->event.class == EVENT_ID_NOT_FOUND)
		g->event.culprit_known = true;
	klog_emit(k, g->device, &g->event);
}

void klog_scsi_close(struct klog *k, uint32_t device)
{
	for (;;) {
		struct klog_group *first = NULL;

		for (size_t i = 0; i < LOG_BLOCKS; i++) {
			struct klog_group *g = &k->groups[i];

			if (!g->is_open || (device != UINT32_MAX &&
					    klog_device_find(k, g->device) != device))
				continue;
			if (!first || g->event.order < first->event.order)
				first = g;
		}
		if (!first)
			return;
		close_group(k, first);
	}
}

static struct klog_group *group_of(struct klog *k, uint32_t device)
{
	device = klog_device_find(k, device);
	for (size_t i = 0; i < LOG_BLOCKS; i++)
		if (k->groups[i].is_open &&
		    klog_device_find(k, k->groups[i].device) == device)
			return &k->groups[i];
	return NULL;
}

static struct klog_group *open_group(struct klog *k, const struct klog_message *m,
				     uint32_t device, enum event_class c)
{
	struct klog_group *g = group_of(k, device), *oldest = NULL;

	for (size_t i = 0; i < LOG_BLOCKS && !g; i++) {
		if (!k->groups[i].is_open)
			g = &k->groups[i];
		else if (!oldest || k->groups[i].last_order < oldest->last_order)
			oldest = &k->groups[i];
	}
	g = g ? g : oldest;
	close_group(k, g);
	*g = (struct klog_group){
		.is_open = true,
		.device = device,
		.has_tag = m->has_tag,
		.tag = m->tag,
		.is_echo = klog_block_echoes(k, device, &m->record->time),
		.event = klog_event(k, m, c),
	};
	return g;
}

/* The open group that the message belongs to, or a new one. */
static struct klog_group *take_group(struct klog *k, const struct klog_message *m,
				     uint32_t device, bool starts)
{
	struct klog_group *g = group_of(k, device);

	if (!g || starts || !is_part(k, g, m))
		g = open_group(k, m, device, EVENT_IO_ERROR);
	g->last = m->record->time;
	g->last_order = k->order;
	return g;
}

static void take_result(struct klog_group *g, const struct klog_message *m)
{
	if (m->args.n && memmem(m->args.a[0].s, m->args.a[0].len, "TIME_OUT", 8))
		g->event.class = EVENT_TIMEOUT;
}

static void take_sense(struct klog_group *g, const struct klog_message *m)
{
	/* SPC, sense key descriptions, as the kernel writes them */
	static const char *const keys[] = {
		"No Sense",	  "Recovered Error", "Not Ready",      "Medium Error",
		"Hardware Error", "Illegal Request", "Unit Attention", "Data Protect",
		"Blank Check",	  "Vendor Specific", "Copy Aborted",   "Aborted Command",
		"Equal",	  "Volume Overflow", "Miscompare",     "Completed",
	};
	const struct scan_arg *a = &m->args.a[0];
	const char *s = a->s;
	uint64_t number;

	if (!m->args.n)
		return;
	for (size_t i = 0; i < array_size(keys); i++) {
		size_t n = strlen(keys[i]);

		if (a->len >= n && strncasecmp(a->s, keys[i], n) == 0) {
			g->event.sense_key = (uint8_t)i;
			g->event.has |= EVENT_HAS_SENSE;
			return;
		}
	}
	if (str_starts(s, "0x") && (s += 2, str_take_u64(&s, 16, &number) == 0) &&
	    number < 16) {
		g->event.sense_key = (uint8_t)number;
		g->event.has |= EVENT_HAS_SENSE;
	}
}

static void take_additional(struct klog_group *g, const struct klog_message *m)
{
	/* SPC, additional sense codes that decide something here */
	static const struct {
		const char *text;
		uint8_t asc, ascq;
	} codes[] = {
		{ "Unrecovered read error - auto reallocate failed", 0x11, 0x04 },
		{ "Unrecovered read error", 0x11, 0x00 },
		{ "Logical block address out of range", 0x21, 0x00 },
		{ "Unaligned write command", 0x21, 0x04 },
		{ "Internal target failure", 0x44, 0x00 },
		{ "Write error", 0x0c, 0x00 },
		{ "Logical unit not ready", 0x04, 0x00 },
		{ "Medium not present", 0x3a, 0x00 },
		{ "Power on, reset, or bus device reset occurred", 0x29, 0x00 },
		{ "Scsi parity error", 0x47, 0x00 },
		{ "Information unit iuCRC error detected", 0x47, 0x03 },
	};
	struct scan_args a;

	for (size_t i = 0; i < array_size(codes); i++) {
		struct buf pattern cleanup_buf = { 0 };

		buf_printf(&pattern, "Add. Sense: %s", codes[i].text);
		if (!klog_scan(m->body, false, buf_text(&pattern), &a))
			continue;
		g->event.asc = codes[i].asc;
		g->event.ascq = codes[i].ascq;
		g->event.has |= EVENT_HAS_ASC;
		return;
	}
}

static void take_asc(struct klog_group *g, const struct klog_message *m)
{
	const struct scan_args *a = &m->args;

	if (a->n < 2 || !a->a[0].is_set || !a->a[1].is_set || a->a[0].u > 255 ||
	    a->a[1].u > 255)
		return;
	g->event.asc = (uint8_t)a->a[0].u;
	g->event.ascq = (uint8_t)a->a[1].u;
	g->event.has |= EVENT_HAS_ASC;
}

/* "CDB: Read(10) 28 00 19 15 33 80 00 0a 00 00" */
static void take_cdb(struct klog_group *g, const struct klog_message *m)
{
	const char *s = strstr(m->body, "Read"), *t = strstr(m->body, "Write");

	if (!s && !t)
		return;
	g->event.is_write = !s;
	g->event.has_direction = true;
	s = strchr(s ? s : t, ')');
	for (s = s ? s + 1 : ""; *s == ':' || *s == ' ' || *s == '\n';)
		s++;
	if (str_is_digit(*s) || (*s >= 'a' && *s <= 'f')) {
		uint64_t opcode;

		if (str_take_u64(&s, 16, &opcode) == 0 && opcode <= 0xff) {
			g->event.command = (uint8_t)opcode;
			g->event.has |= EVENT_HAS_COMMAND;
		}
	}
}

/* The block layer has the name in its text, not in front of it. */
static struct klog_group *open_named(struct klog *k, const struct klog_message *m,
				     uint32_t device, enum event_class c)
{
	struct klog_group *g = open_group(k, m, device, c);
	const char *name = klog_device(k, device)->name;

	if (*name && !g->event.device) {
		g->event.device = arena_strdup(k->d->arena, name);
		k->failed |= !g->event.device;
	}
	return g;
}

static void take_io_error(struct klog *k, const struct klog_message *m)
{
	const struct scan_args *a = &m->args;
	char name[32];
	struct klog_group *g;
	uint32_t device;

	if (!a->n || !a->a[0].is_set || a->a[0].len >= sizeof(name))
		return;
	memcpy(name, a->a[0].s, a->a[0].len);
	name[a->a[0].len] = '\0';
	device = klog_device_named(k, name);
	g = group_of(k, device);
	if (!g || g->has_io_error || !is_part(k, g, m))
		g = open_named(k, m, device, m->row->class);
	g->has_io_error = true;
	g->last = m->record->time;
	g->last_order = k->order;
	if (g->event.class == EVENT_IO_ERROR)
		g->event.class = m->row->class;
	if (a->n > 1 && a->a[1].is_set) {
		g->event.lba = a->a[1].u;
		g->event.has |= EVENT_HAS_LBA;
	}
	if (strstr(m->body, ":(WRITE)") || strstr(m->body, ":(READ)")) {
		g->event.is_write = strstr(m->body, ":(WRITE)") != NULL;
		g->event.has_direction = true;
	}
}

/* A page that could not be read or written because of an error that was told already. */
static void take_buffer(struct klog *k, const struct klog_message *m)
{
	char name[32];
	const struct scan_arg *a = &m->args.a[0];
	struct klog_group *g;
	struct log_device *d;
	uint32_t device;
	int64_t us;

	if (!m->args.n || !a->is_set || a->len >= sizeof(name))
		return;
	memcpy(name, a->s, a->len);
	name[a->len] = '\0';
	device = klog_device_named(k, name);
	g = group_of(k, device);
	d = klog_device(k, device);
	if (g)
		return;
	if (d->faults && (!event_time_between(&d->last, &m->record->time, &us) ||
			  llabs(us) <= BUFFER_US))
		return;
	open_named(k, m, device, EVENT_IO_ERROR)->last_order = k->order;
}

/* "nvme0n1: Read(0x2) @ LBA 8, 8 blocks, Unrecovered Read Error (sct 0x2 / sc 0x81) DNR" */
static void take_nvme(struct klog *k, const struct klog_message *m)
{
	const struct scan_args *a = &m->args;
	struct klog_group *g;

	if (a->n < 6 || !a->a[4].is_set || !a->a[5].is_set)
		return;
	g = open_group(k, m, klog_device_of(k, m),
		       a->a[4].u == 2 && a->a[5].u == 0x81 ? EVENT_MEDIA
							   : EVENT_SENSE_OTHER);
	g->last = m->record->time;
	g->last_order = k->order;
	if (a->a[1].is_set) {
		g->event.lba = a->a[1].u;
		g->event.has |= EVENT_HAS_LBA;
	}
	g->event.is_write = str_starts(m->body, "Write");
	g->event.has_direction = g->event.is_write || str_starts(m->body, "Read");
}

static void take_result_line(struct klog *k, const struct klog_message *m)
{
	take_result(take_group(k, m, klog_device_of(k, m), true), m);
}

static void take_sense_line(struct klog *k, const struct klog_message *m)
{
	uint32_t device = klog_device_of(k, m);
	const struct klog_group *g = group_of(k, device);
	bool starts = g && (g->event.has & EVENT_HAS_SENSE);

	take_sense(take_group(k, m, device, starts), m);
}

/* Alone it may be of a command that only was slow. */
static void take_more(struct klog *k, const struct klog_message *m)
{
	struct klog_group *g = group_of(k, klog_device_of(k, m));

	if (!g || !is_part(k, g, m))
		return;
	g->last = m->record->time;
	g->last_order = k->order;
	if (m->kind == SAYS_ADD_SENSE)
		take_additional(g, m);
	else if (m->kind == SAYS_ASC)
		take_asc(g, m);
	else
		take_cdb(g, m);
}

bool klog_scsi_line(struct klog *k, const struct klog_message *m)
{
	static const struct klog_taker takers[] = {
		{ SAYS_RESULT, take_result_line }, { SAYS_SENSE, take_sense_line },
		{ SAYS_ADD_SENSE, take_more },	   { SAYS_ASC, take_more },
		{ SAYS_CDB, take_more },	   { SAYS_IO_ERROR, take_io_error },
		{ SAYS_BUFFER, take_buffer },	   { SAYS_NVME_STATUS, take_nvme },
	};

	return klog_take(takers, array_size(takers), k, m);
}
