/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions of libata. One exception has many lines: what happened, the bits of SError, then each
 * command that was in flight with its registers. However many commands there were, it is one event.
 * "<F>" marks the command that failed, the others only stood beside it.
 */
#include <string.h>

#include "ata/command-names.h"
#include "base/siphash.h"
#include "base/str.h"
#include "decode/kernel-log.h"

#define TASKFILE  "%x/%x:%x:%x:%x:%x/%x:%x:%x:%x:%x/%x"
#define REGISTERS 12u

#define SECOND_US 1000000
#define QUIET_US  (180 * (int64_t)SECOND_US) /* no exception lasts longer without a line */

/* --- the blocks ------------------------------------------------------------------------------------ */

/* Of what was told, not of how it was wrapped. */
static void hash(struct klog_block *b, const struct scan_args *a, size_t n)
{
	uint64_t values[REGISTERS] = { 0 };

	for (size_t i = 0; i < n && i < a->n && i < REGISTERS; i++)
		values[i] = a->a[i].is_set ? a->a[i].u : UINT64_MAX;
	b->fingerprint = siphash(b->fingerprint, n, span_of(values, sizeof(values)));
}

/* A block of this port, open or not; the newest one when DEVICE is -1. */
static struct klog_block *find_block(struct klog *k, uint32_t port, int32_t device,
				     bool open)
{
	struct klog_block *found = NULL;

	for (size_t i = 0; i < LOG_BLOCKS; i++) {
		struct klog_block *b = &k->blocks[i];

		if (!b->is_used || b->port != port || (open && !b->is_open))
			continue;
		if (device >= 0 && b->ata_device != device)
			continue;
		if (!found || b->last_order > found->last_order)
			found = b;
	}
	return found;
}

static void close_block(struct klog *k, struct klog_block *b);

static struct klog_block *free_block(struct klog *k)
{
	struct klog_block *oldest = NULL;

	for (size_t i = 0; i < LOG_BLOCKS; i++) {
		struct klog_block *b = &k->blocks[i];

		if (!b->is_used)
			return b;
		if (!oldest || (oldest->is_open && !b->is_open) ||
		    (oldest->is_open == b->is_open && b->last_order < oldest->last_order))
			oldest = b;
	}
	close_block(k, oldest);
	return oldest;
}

static void touch(struct klog *k, struct klog_block *b, const struct klog_message *m)
{
	if (m->record->has_head)
		b->last = m->record->time;
	b->last_order = k->order;
	k->last_block = (uint32_t)(b - k->blocks);
}

static struct klog_block *open_block(struct klog *k, const struct klog_message *m)
{
	struct klog_block *b = find_block(k, m->ata_port, m->ata_device, false);

	if (b)
		close_block(k, b);
	else
		b = free_block(k);
	*b = (struct klog_block){
		.is_used = true,
		.is_open = true,
		.device = klog_device_of(k, m),
		.port = m->ata_port,
		.ata_device = m->ata_device,
		.event = klog_event(k, m, EVENT_EXCEPTION),
		.last = m->record->time,
	};
	touch(k, b, m);
	return b;
}

/* The block that a line without an exception line of its own belongs to. */
static struct klog_block *block_of(struct klog *k, const struct klog_message *m)
{
	struct klog_block *b = find_block(k, m->ata_port, m->ata_device, true);

	if (!b && m->ata_device >= 0) {
		/* an excerpt may begin with a line of the port */
		b = find_block(k, m->ata_port, -1, true);
		if (b && (b->ata_device >= 0 || b->has_exception))
			b = NULL;
		if (b) {
			b->ata_device = m->ata_device;
			b->device = klog_device_of(k, m);
			b->event.ata_device = m->ata_device;
		}
	}
	if (!b || b->is_over || !klog_is_near(&b->last, &m->record->time, QUIET_US))
		b = open_block(k, m);
	touch(k, b, m);
	return b;
}

/* --- its lines ----------------------------------------------------------------------------------------- */

static void take_exception(struct klog *k, const struct klog_message *m)
{
	struct klog_block *b = open_block(k, m);
	const struct scan_args *a = &m->args;
	struct event *e = &b->event;
	static const uint32_t has[] = { EVENT_HAS_EMASK, EVENT_HAS_SACT, EVENT_HAS_SERR,
					EVENT_HAS_ACTION };
	uint32_t *const fields[] = { &e->emask, &e->sact, &e->serr, &e->action };

	b->has_exception = true;
	for (size_t i = 0; i < a->n && i < 4; i++) {
		if (!a->a[i].is_set || a->a[i].u > UINT32_MAX)
			continue;
		*fields[i] = (uint32_t)a->a[i].u;
		e->has |= has[i];
	}
	e->frozen = strstr(m->body, "frozen") != NULL;
}

static uint32_t serr_bits(const char *s, size_t len)
{
	struct buf name cleanup_buf = { 0 };
	uint32_t bits = 0;

	for (unsigned bit = 0; bit < 32; bit++) {
		buf_clear(&name);
		event_add_serr(&name, UINT32_C(1) << bit);
		if (name.len && memmem(s, len, name.data, name.len))
			bits |= UINT32_C(1) << bit;
	}
	return bits;
}

/* SErr itself wins: its names are there for people. */
static void take_serror(struct klog_block *b, const struct klog_message *m)
{
	if (!m->args.n || (b->event.has & EVENT_HAS_SERR))
		return;
	b->event.serr = serr_bits(m->args.a[0].s, m->args.a[0].len);
	b->event.has |= EVENT_HAS_SERR;
}

static bool has_word(const struct scan_arg *a, const char *word)
{
	return memmem(a->s, a->len, word, strlen(word)) != NULL;
}

static void take_status(struct klog_block *b, const struct klog_message *m)
{
	const struct scan_arg *a = &m->args.a[0];

	if (!m->args.n)
		return;
	if (has_word(a, "DF"))
		b->status_bits |= STATUS_FAULT;
	if (has_word(a, "Busy") || has_word(a, "BSY"))
		b->status_bits |= STATUS_BUSY;
}

static void take_error(struct klog_block *b, const struct klog_message *m)
{
	const struct scan_arg *a = &m->args.a[0];

	if (!m->args.n)
		return;
	b->error_bits |= has_word(a, "ICRC") ? ERROR_ICRC : 0;
	b->error_bits |= has_word(a, "UNC") ? ERROR_UNC : 0;
	b->error_bits |= has_word(a, "IDNF") ? ERROR_IDNF : 0;
	b->error_bits |= has_word(a, "ABRT") ? ERROR_ABORT : 0;
}

/* All that a line of registers has; the last number is cut when the text ends with it. */
static bool is_whole(const struct scan_args *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (i >= a->n || !a->a[i].is_set || a->a[i].u > 0xff)
			return false;
	return true;
}

/* The address in the result registers; which there are depends on the command. */
static bool result_lba(const struct klog_block *b, const struct scan_args *a,
		       uint64_t *ret)
{
	uint64_t low = a->a[3].u | a->a[4].u << 8 | a->a[5].u << 16;
	bool known, ext = ata_command_is_ext(b->command, &known);

	if (!b->has_command || !known)
		return false;
	*ret = ext ? low | a->a[8].u << 24 | a->a[9].u << 32 | a->a[10].u << 40
		   : low | (a->a[11].u & 0x0f) << 24;
	return true;
}

/* The culprit's registers are the event's; without one those of the first command. */
static void take_result(struct klog_block *b, const char *s, bool cut)
{
	struct scan_args a;
	struct event *e = &b->event;
	uint32_t emask = 0;
	uint64_t lba = 0;

	if (!klog_scan(s, cut, "res " TASKFILE "| Emask %X", &a) ||
	    !is_whole(&a, REGISTERS))
		return;
	hash(b, &a, REGISTERS);
	if (a.n > REGISTERS && a.a[REGISTERS].is_set && a.a[REGISTERS].u <= UINT32_MAX)
		emask = (uint32_t)a.a[REGISTERS].u;
	b->res_emask |= emask;
	if (a.a[0].u & STATUS_ERROR && !(a.a[0].u & STATUS_BUSY))
		b->error_bits |= (uint8_t)a.a[1].u;
	if (!(a.a[0].u & STATUS_BUSY))
		b->status_bits |= (uint8_t)(a.a[0].u & STATUS_FAULT);
	if ((e->has & EVENT_HAS_RESULT) && !(emask & EMASK_NCQ))
		return;
	e->has |= EVENT_HAS_RESULT;
	e->status = (uint8_t)a.a[0].u;
	e->error = (uint8_t)a.a[1].u;
	e->culprit_known = (emask & EMASK_NCQ) != 0;
	if (b->has_command) {
		e->command = b->command;
		e->has |= EVENT_HAS_COMMAND;
		e->is_write = b->is_write;
		e->has_direction = b->has_direction;
	}
	if (result_lba(b, &a, &lba)) {
		e->lba = lba;
		e->has |= EVENT_HAS_LBA;
	}
}

/* "cmd ... in\n  res ...": one message of the kernel; ATAPI has its own command between them. */
static const char *find_result(const char *s)
{
	struct scan_args a;

	while ((s = strstr(s, "res")) != NULL) {
		if (klog_scan(s, false, "res %x/%x:", &a))
			return s;
		s++;
	}
	return NULL;
}

static void take_command(struct klog *k, struct klog_block *b,
			 const struct klog_message *m)
{
	const char *s = str_after(m->body, "cmd"), *result, *tag;
	struct scan_args a;

	b->n_cmd++;
	b->has_command = b->has_direction = false;
	if (klog_scan(s, m->record->cut, " " TASKFILE "| tag %u", &a) &&
	    is_whole(&a, REGISTERS)) {
		hash(b, &a, REGISTERS);
		b->command = (uint8_t)a.a[0].u;
		b->has_command = true;
		tag = strstr(s, "tag");
		b->is_write = tag && strstr(tag, " out");
		b->has_direction = b->is_write || (tag && strstr(tag, " in"));
	}
	result = find_result(m->body);
	if (b->has_command && b->command == COMMAND_PACKET)
		klog_set_optical(k, b->device);
	if (b->has_command && !(b->event.has & EVENT_HAS_COMMAND)) {
		b->event.command = b->command;
		b->event.has |= EVENT_HAS_COMMAND;
		b->event.is_write = b->is_write;
		b->event.has_direction = b->has_direction;
	}
	if (result)
		take_result(b, result, m->record->cut);
}

/* Where only the name of the command was posted. */
static void take_failed(struct klog_block *b, const struct klog_message *m)
{
	static const struct {
		const char *name;
		uint8_t command;
	} names[] = {
		{ "READ FPDMA QUEUED", 0x60 },	 { "WRITE FPDMA QUEUED", 0x61 },
		{ "SEND FPDMA QUEUED", 0x64 },	 { "READ DMA EXT", 0x25 },
		{ "WRITE DMA EXT", 0x35 },	 { "READ DMA", 0xc8 },
		{ "WRITE DMA", 0xca },		 { "FLUSH CACHE EXT", 0xea },
		{ "FLUSH CACHE", 0xe7 },	 { "IDENTIFY DEVICE", 0xec },
		{ "DATA SET MANAGEMENT", 0x06 }, { "SMART", 0xb0 },
		{ "READ LOG EXT", 0x2f },	 { "READ LOG DMA EXT", 0x47 },
		{ "SET FEATURES", 0xef },	 { "PACKET", 0xa0 },
	};

	b->n_failed++;
	for (size_t i = 0; i < array_size(names); i++) {
		if (!strstr(m->body, names[i].name) || (b->event.has & EVENT_HAS_COMMAND))
			continue;
		b->event.command = names[i].command;
		b->event.has |= EVENT_HAS_COMMAND;
		return;
	}
}

/* --- its end --------------------------------------------------------------------------------------------- */

static void close_block(struct klog *k, struct klog_block *b)
{
	struct event *e = &b->event;
	uint32_t tags;

	if (!b->is_open)
		return;
	b->is_open = false;
	if (!b->is_over)
		b->is_again = klog_block_is_quoted_again(k, b);
	b->is_over = true;
	if (b->is_again)
		return;
	e->commands = b->n_failed > b->n_cmd ? b->n_failed : b->n_cmd;
	if (e->commands == 1)
		e->culprit_known = true;
	e->class = klog_block_class(b);
	e->emask |= b->res_emask;
	e->has |= b->res_emask ? (uint32_t)EVENT_HAS_EMASK : 0;
	tags = e->class == EVENT_MEDIA || e->class == EVENT_ID_NOT_FOUND ||
			       e->class == EVENT_DEVICE_FAULT || e->class == EVENT_ABORTED
		       ? 1
		       : 0;
	/* of a command that never ended the registers say nothing */
	if (!tags || !e->culprit_known)
		e->has &= ~(uint32_t)EVENT_HAS_LBA;
	klog_emit(k, b->device, e);
}

void klog_block_close(struct klog *k, uint32_t device)
{
	/* in the order in which they began */
	for (;;) {
		struct klog_block *first = NULL;

		for (size_t i = 0; i < LOG_BLOCKS; i++) {
			struct klog_block *b = &k->blocks[i];

			if (!b->is_used || !b->is_open ||
			    (device != UINT32_MAX &&
			     klog_device_find(k, b->device) != device))
				continue;
			if (!first || b->event.order < first->event.order)
				first = b;
		}
		if (!first)
			return;
		close_block(k, first);
	}
}

static void end_port(struct klog *k, uint32_t port, bool close)
{
	for (size_t i = 0; i < LOG_BLOCKS; i++) {
		struct klog_block *b = &k->blocks[i];

		if (!b->is_used || !b->is_open || b->port != port)
			continue;
		if (!b->is_over)
			b->is_again = klog_block_is_quoted_again(k, b);
		b->is_over = true;
		b->last_order = k->order;
		if (close)
			close_block(k, b);
	}
}

/* --- lines -------------------------------------------------------------------------------------------------- */

static void take_irq(struct klog_block *b, const struct klog_message *m)
{
	if (!m->args.n || !m->args.a[0].is_set || m->args.a[0].u > UINT32_MAX)
		return;
	b->event.irq_stat = (uint32_t)m->args.a[0].u;
	b->event.has |= EVENT_HAS_IRQ_STAT;
}

/* A line "res ..." that stands alone is of the command above it. */
static void take_lone_result(struct klog *k, const struct klog_message *m)
{
	struct klog_block *b = &k->blocks[k->last_block];

	if (!b->is_used || !b->is_open || b->is_over)
		return;
	take_result(b, m->body, m->record->cut);
	b->last_order = k->order;
}

/* A reset ends the list of commands, not the exception. */
static void look_at_reset(struct klog *k, const struct klog_message *m)
{
	if (m->family == FAMILY_ATA &&
	    (m->row->class == EVENT_HARD_RESET || m->row->class == EVENT_SOFT_RESET))
		end_port(k, m->ata_port, false);
}

/* Whatever a port says, its error handling goes on. */
static void touch_port(struct klog *k, const struct klog_message *m)
{
	for (size_t i = 0; i < LOG_BLOCKS && m->family == FAMILY_ATA; i++) {
		struct klog_block *b = &k->blocks[i];

		if (!b->is_used || !b->is_open || b->port != m->ata_port)
			continue;
		b->last_order = k->order;
		if (m->record->has_head)
			b->last = m->record->time;
	}
}

bool klog_block_line(struct klog *k, const struct klog_message *m)
{
	static const struct {
		enum klog_kind kind;
		void (*take)(struct klog_block *b, const struct klog_message *m);
	} takers[] = {
		{ SAYS_IRQ_STAT, take_irq },  { SAYS_SERROR, take_serror },
		{ SAYS_FAILED, take_failed }, { SAYS_STATUS, take_status },
		{ SAYS_ERROR, take_error },
	};

	for (size_t i = 0; i < array_size(takers); i++) {
		if (takers[i].kind == m->kind) {
			takers[i].take(block_of(k, m), m);
			return true;
		}
	}
	touch_port(k, m);
	if (m->kind == SAYS_EXCEPTION)
		take_exception(k, m);
	else if (m->kind == SAYS_CMD)
		take_command(k, block_of(k, m), m);
	else if (m->kind == SAYS_RES)
		take_lone_result(k, m);
	else if (m->kind == SAYS_EH_DONE)
		end_port(k, m->ata_port, true);
	else if (m->kind == SAYS_EVENT)
		look_at_reset(k, m);
	return m->kind == SAYS_EXCEPTION || m->kind == SAYS_CMD || m->kind == SAYS_RES ||
	       m->kind == SAYS_EH_DONE;
}

bool klog_block_is_again(struct klog *k, uint32_t port)
{
	const struct klog_block *b = find_block(k, port, -1, true);

	return b && b->is_over && b->is_again;
}
