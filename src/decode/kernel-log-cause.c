/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an exception of libata was: its cause, from Emask, SError and the registers of its commands; and
 * what only repeats it.
 */
#include "decode/kernel-log.h"

#define SECOND_US	    1000000
#define ECHO_US		    (5 * (int64_t)SECOND_US) /* the disk layer tells that much later */
#define ECHO_LINES	    40u
#define RESET_US	    (40 * (int64_t)SECOND_US) /* the longest that libata waits for a reset */

#define SERR_WIRE	    (SERR_UNRECOV_DATA | SERR_DISPAR | SERR_BAD_CRC | SERR_HANDSHK)
#define SERR_COMES_AND_GOES (SERR_PHY_RDY_CHG | SERR_COMM_WAKE | SERR_DEV_EXCH)

/* An error on the way, by the bits that SError has: damage, coming and going, or waking up. */
static enum event_class link_class(const struct klog_block *b)
{
	uint32_t serr = b->event.has & EVENT_HAS_SERR ? b->event.serr : 0;

	if ((serr & SERR_WIRE) || (b->error_bits & ERROR_ICRC) ||
	    ((serr & SERR_10B8B) && !(serr & SERR_DEV_EXCH)))
		return EVENT_INTERFACE;
	if ((serr & SERR_PHY_RDY_CHG) && (serr & SERR_DEV_EXCH))
		return EVENT_PLUG;
	if (serr & SERR_COMM_WAKE)
		return EVENT_LINK_WAKE;
	if (serr & SERR_COMES_AND_GOES)
		return EVENT_PLUG;
	return EVENT_INTERFACE;
}

/* What the drive says of the command. */
static enum event_class device_class(const struct klog_block *b, uint32_t emask)
{
	if (b->status_bits & STATUS_FAULT)
		return EVENT_DEVICE_FAULT;
	if ((b->error_bits & ERROR_UNC) || (emask & EMASK_MEDIA))
		return EVENT_MEDIA;
	if (b->error_bits & ERROR_IDNF)
		return EVENT_ID_NOT_FOUND;
	if (b->error_bits & ERROR_ABORT)
		return EVENT_ABORTED;
	if (emask & (EMASK_DEV | EMASK_INVALID | EMASK_OTHER) || b->error_bits)
		return EVENT_DEVICE_ERROR;
	return EVENT_EXCEPTION;
}

/* libata's own order of causes; a CRC error of the drive is an error on the way. */
enum event_class klog_block_class(const struct klog_block *b)
{
	const struct event *e = &b->event;
	uint32_t emask = e->emask | b->res_emask;
	uint32_t serr = e->has & EVENT_HAS_SERR ? e->serr : 0;

	if ((e->has & EVENT_HAS_SERR && serr == UINT32_MAX) ||
	    (e->has & EVENT_HAS_IRQ_STAT && e->irq_stat == UINT32_MAX))
		return EVENT_CONTROLLER_GONE;
	if (emask & EMASK_HOST_BUS)
		return EVENT_HOST_BUS;
	if ((emask & EMASK_ATA_BUS) || (b->error_bits & ERROR_ICRC))
		return link_class(b);
	if (emask & EMASK_TIMEOUT)
		return EVENT_TIMEOUT;
	if (emask & EMASK_HSM)
		return EVENT_PROTOCOL;
	if (emask & EMASK_SYSTEM)
		return EVENT_INTERNAL;
	if (!emask && !b->error_bits && !b->status_bits &&
	    (serr & (SERR_WIRE | SERR_COMES_AND_GOES | SERR_10B8B)))
		return link_class(b);
	return device_class(b, emask);
}

static bool has_time(const struct event_time *t)
{
	return t->has_monotonic || t->has_wall;
}

/*
 * The same registers at the same time, or once with times and once without: somebody quoted it again.
 * Without any times it may be a retry.
 */
bool klog_block_is_quoted_again(struct klog *k, const struct klog_block *b)
{
	size_t n = k->n_prints < LOG_BLOCKS ? k->n_prints : LOG_BLOCKS;
	const struct event_time *t = &b->event.time;
	int64_t us;

	for (size_t i = 0; i < n && b->n_cmd; i++) {
		if (k->prints[i] != b->fingerprint)
			continue;
		if (event_time_between(&k->print_times[i], t, &us)
			    ? us == 0
			    : has_time(&k->print_times[i]) != has_time(t))
			return true;
	}
	k->prints[k->n_prints % LOG_BLOCKS] = b->fingerprint;
	k->print_times[k->n_prints++ % LOG_BLOCKS] = *t;
	return false;
}

static bool is_recent(const struct klog *k, const struct klog_block *b,
		      const struct event_time *t, int64_t us)
{
	int64_t between;

	if (event_time_between(&b->last, t, &between))
		return between >= 0 && between <= us;
	return k->order - b->last_order <= ECHO_LINES;
}

/* A disc that cannot be read does not make a disk of another port an optical drive. */
static bool may_be_same(const struct log_device *named, const struct log_device *at,
			const struct klog_block *b)
{
	if (!named->is_optical)
		return !at->is_optical;
	return !at->is_disk && (!(b->event.has & EVENT_HAS_COMMAND) ||
				b->event.command == COMMAND_PACKET);
}

bool klog_block_echoes(struct klog *k, uint32_t device, const struct event_time *t)
{
	struct log_device *d = klog_device(k, device);
	struct klog_block *only = NULL;
	unsigned n = 0;

	device = klog_device_find(k, device);
	for (size_t i = 0; i < LOG_BLOCKS; i++) {
		struct klog_block *b = &k->blocks[i];

		if (!b->is_used || !is_recent(k, b, t, b->is_open ? RESET_US : ECHO_US))
			continue;
		if (klog_device_find(k, b->device) == device)
			return true;
		if (d->ata_port && b->port == d->ata_port)
			return true;
		if (b->is_open && is_recent(k, b, t, ECHO_US)) {
			only = b;
			n++;
		}
	}
	if (d->ata_port || d->usb[0] || !d->name[0] || n != 1 || only->ata_device < 0)
		return false;
	if (klog_device(k, only->device)->name[0] ||
	    klog_device(k, only->device)->has_scsi)
		return false;
	if (!may_be_same(d, klog_device(k, only->device), only))
		return false;
	klog_device_same(k, only->device, device);
	return true;
}
