/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages that are an event of their own, and those of PCI Express, of links and of sleep. */
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

#define SECOND_US   1000000
#define REMOVAL_US  (10 * (int64_t)SECOND_US)
#define RESET_US    (2 * (int64_t)SECOND_US)
#define RESET_LINES 4u
#define SLEEP_US    (120 * (int64_t)SECOND_US)
#define ALL_ONES    UINT32_MAX
#define DET_PRESENT 1u /* SStatus: a device is there but does not talk */

/* --- events of one line -------------------------------------------------------------------------------- */

static void take_field(struct event *e, char field, const struct scan_arg *a)
{
	if (!a->is_set)
		return;
	switch (field) {
	case 'c':
		if (a->u > 0xff)
			return;
		e->command = (uint8_t)a->u;
		e->has |= EVENT_HAS_COMMAND;
		break;
	case 'e':
		if ((int64_t)a->u < -4096 || (int64_t)a->u > 4096)
			return;
		e->error_number = (int32_t)(int64_t)a->u;
		e->has |= EVENT_HAS_ERRNO;
		break;
	case 'm':
		if (a->u > UINT32_MAX)
			return;
		e->emask = (uint32_t)a->u;
		e->has |= EVENT_HAS_EMASK;
		break;
	case 's':
		if (a->u > 100000)
			return;
		e->speed_mbps = (uint32_t)a->u;
		e->has |= EVENT_HAS_SPEED;
		break;
	case 'k':
		if (a->u > UINT32_MAX)
			return;
		e->code = (uint32_t)a->u;
		e->has |= EVENT_HAS_CODE;
		break;
	default:
		break;
	}
}

/* The device that the text names, where it has no address in front. */
static uint32_t named_device(struct klog *k, const struct klog_message *m)
{
	const char *fields = m->row->fields;

	for (size_t i = 0; fields[i] && i < m->args.n; i++) {
		const struct scan_arg *a = &m->args.a[i];
		char name[32];

		if (fields[i] != 'd' || !a->is_set || a->len >= sizeof(name))
			continue;
		memcpy(name, a->s, a->len);
		name[a->len] = '\0';
		if (name[strcspn(name, ":,)")]) /* "sda1:" */
			name[strcspn(name, ":,)")] = '\0';
		if (str_starts(name, "sd") || str_starts(name, "nvme"))
			return klog_device_named(k, name);
	}
	return klog_device_of(k, m);
}

/* One removal has two or three lines; a device that was never wanted is none. */
static bool is_known_removal(struct klog *k, uint32_t device,
			     const struct klog_message *m)
{
	struct log_device *d = klog_device(k, device);
	bool known = d->counts[EVENT_REMOVED] &&
		     klog_is_near(&d->removed, &m->record->time, REMOVAL_US);

	d->removed = m->record->time;
	return known || d->unsupported;
}

/* "reset failed, giving up" says of the reset above that it failed. */
static bool is_known_reset(struct klog *k, uint32_t device, const struct klog_message *m)
{
	struct log_device *d = klog_device(k, device);
	bool known = str_starts(m->body, "reset failed") && d->reset_failed_order &&
		     k->order - d->reset_failed_order <= RESET_LINES &&
		     klog_is_near(&d->reset_failed, &m->record->time, RESET_US);

	d->reset_failed = m->record->time;
	d->reset_failed_order = k->order;
	return known;
}

static void take_event(struct klog *k, const struct klog_message *m)
{
	struct event e = klog_event(k, m, m->row->class);
	uint32_t device = named_device(k, m);

	for (size_t i = 0; m->row->fields[i] && i < m->args.n; i++)
		take_field(&e, m->row->fields[i], &m->args.a[i]);
	if (m->family == FAMILY_ATA && klog_block_is_again(k, m->ata_port))
		return;
	if ((e.class == EVENT_REMOVED && is_known_removal(k, device, m)) ||
	    (e.class == EVENT_RESET_FAILED && is_known_reset(k, device, m)))
		return;
	/* a disk that libata has in error handling, told once more */
	if (m->family == FAMILY_DISK && e.class == EVENT_IO_ERROR) {
		struct log_device *d = klog_device(k, device);

		if (klog_block_echoes(k, device, &m->record->time) ||
		    (d->counts[EVENT_IO_ERROR] &&
		     klog_is_near(&d->last, &m->record->time, SECOND_US)))
			return;
	}
	klog_emit(k, device, &e);
}

/* --- the link ------------------------------------------------------------------------------------------- */

static void take_link_up(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_of(k, m);
	struct log_device *d = klog_device(k, i);

	if (i == k->boot_first)
		return;
	d->was_up = true;
	if (!m->args.n || !m->args.a[0].is_set || m->args.a[0].u > 100000)
		return;
	/* the same speed again tells nothing */
	if (d->speed_mbps != m->args.a[0].u) {
		struct event e = klog_event(k, m, EVENT_LINK_UP);

		e.speed_mbps = (uint32_t)m->args.a[0].u;
		e.has |= EVENT_HAS_SPEED;
		klog_emit(k, i, &e);
	}
	d->speed_mbps = (uint32_t)m->args.a[0].u;
}

static bool port_was_up(struct klog *k, uint32_t port)
{
	for (size_t i = k->boot_first + 1; i < k->n_devices; i++)
		if (k->devices[i].ata_port == port &&
		    (k->devices[i].was_up || k->devices[i].faults))
			return true;
	return false;
}

/* An empty port says the same at boot: only a link that was there can be lost. */
static void take_link_down(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_of(k, m);
	struct log_device *d = klog_device(k, i);
	bool told = m->args.n && m->args.a[0].is_set;
	uint64_t status = told ? m->args.a[0].u : 0;
	struct event e;

	if (told && status == ALL_ONES)
		e = klog_event(k, m, EVENT_CONTROLLER_GONE);
	else if ((told && (status & 0xf) == DET_PRESENT) || d->was_up ||
		 (m->ata_device < 0 && port_was_up(k, m->ata_port)))
		e = klog_event(k, m, EVENT_LINK_DOWN);
	else
		return;
	klog_emit(k, i, &e);
}

/* --- PCI Express ------------------------------------------------------------------------------------------ */

static void flush_aer(struct klog *k)
{
	if (!k->has_pending_aer)
		return;
	k->has_pending_aer = false;
	klog_emit(k, k->pending_aer_device, &k->pending_aer);
}

static bool is_corrected(const char *s)
{
	return strstr(s, "Uncorrect") == NULL && strstr(s, "Fatal") == NULL;
}

/*
 * The root port says that an error was received, then each device tells its own, unless there were too
 * many: so the first line counts only when nothing follows.
 */
static void take_aer(struct klog *k, const struct klog_message *m)
{
	enum event_class c =
		is_corrected(m->body) ? EVENT_AER_CORRECTED : EVENT_AER_UNCORRECTED;
	struct event e = klog_event(k, m, c);

	if (m->kind == SAYS_AER_RECEIVED) {
		flush_aer(k);
		k->pending_aer = e;
		k->pending_aer_device = klog_device_of(k, m);
		k->has_pending_aer = true;
		return;
	}
	k->has_pending_aer = false;
	klog_emit(k, klog_device_of(k, m), &e);
}

void klog_bus_close(struct klog *k)
{
	flush_aer(k);
}

/* --- sleep ----------------------------------------------------------------------------------------------- */

/* Going to sleep has many lines, waking up too: the first of each counts. */
static void take_sleep(struct klog *k, const struct klog_message *m)
{
	bool suspend = m->kind == SAYS_SUSPEND;
	struct event e = klog_event(k, m, suspend ? EVENT_SUSPEND : EVENT_RESUME);
	bool same = k->is_asleep == suspend && (k->suspends || k->resumes) &&
		    klog_is_near(&k->slept, &m->record->time, SLEEP_US);

	k->is_asleep = suspend;
	k->slept = m->record->time;
	if (same)
		return;
	k->suspends += suspend;
	k->resumes += !suspend;
	klog_emit(k, (uint32_t)k->boot_first, &e);
}

static void take_boot(struct klog *k, const struct klog_message *m)
{
	struct event e = klog_event(k, m, EVENT_BOOT);

	klog_emit(k, (uint32_t)k->boot_first, &e);
}

static void take_unsupported(struct klog *k, const struct klog_message *m)
{
	klog_device(k, klog_device_of(k, m))->unsupported = true;
}

bool klog_bus_line(struct klog *k, const struct klog_message *m)
{
	static const struct klog_taker takers[] = {
		{ SAYS_EVENT, take_event },
		{ SAYS_LINK_UP, take_link_up },
		{ SAYS_LINK_DOWN, take_link_down },
		{ SAYS_AER_RECEIVED, take_aer },
		{ SAYS_AER, take_aer },
		{ SAYS_SUSPEND, take_sleep },
		{ SAYS_RESUME, take_sleep },
		{ SAYS_BOOT_MARK, take_boot },
		{ SAYS_UNSUPPORTED, take_unsupported },
	};

	return klog_take(takers, array_size(takers), k, m);
}
