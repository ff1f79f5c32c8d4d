/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose the devices of a log are. A port or a name decides, unless model or size contradict; then a
 * model that only one has. A device with faults that is none of the case's drives becomes one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

#define MAX_MADE    64u
#define NEAR_US	    (30 * (int64_t)1000000)
#define TOGETHER_US (2 * (int64_t)1000000)
#define NEAR_LINES  50u /* where there are no times */

/* --- company -------------------------------------------------------------------------------------------- */

struct ranked {
	struct event *e;
	uint32_t device;
};

static int by_order(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->e->boots_ago != b->e->boots_ago)
		return a->e->boots_ago < b->e->boots_ago ? -1 : 1;
	return a->e->order < b->e->order ? -1 : a->e->order > b->e->order;
}

static bool is_close(const struct event *a, const struct event *b)
{
	int64_t us;

	if (a->boots_ago != b->boots_ago)
		return false;
	if (event_time_between(&a->time, &b->time, &us))
		return llabs(us) <= NEAR_US;
	return (a->order > b->order ? a->order - b->order : b->order - a->order) <=
	       NEAR_LINES;
}

static void mark_sleep(struct ranked *r, size_t n, bool backwards)
{
	const struct ranked *host = NULL, *disk = NULL;

	for (size_t i = 0; i < n; i++) {
		struct ranked *at = &r[backwards ? n - 1 - i : i];
		enum event_class c = at->e->class;

		if (c == EVENT_SUSPEND || c == EVENT_RESUME)
			host = at;
		else if (c == EVENT_DISK_SLEEP || c == EVENT_DISK_WAKE)
			disk = at;
		else if ((host && is_close(host->e, at->e)) ||
			 (disk && disk->device == at->device && is_close(disk->e, at->e)))
			at->e->near_sleep = true;
	}
}

static bool is_elsewhere(const struct ranked *a, const struct ranked *b)
{
	if (a->e->ata_port && b->e->ata_port)
		return a->e->ata_port != b->e->ata_port;
	return a->device != b->device;
}

/* For each fault the nearest one of another port before it. */
static void mark_together(struct ranked *r, size_t n, bool backwards)
{
	const struct ranked *last = NULL, *other = NULL;

	for (size_t i = 0; i < n; i++) {
		struct ranked *at = &r[backwards ? n - 1 - i : i];
		int64_t us;

		if (event_class_kind(at->e->class) != EVENT_KIND_FAULT ||
		    (!at->e->ata_port && !at->e->device))
			continue;
		if (last && is_elsewhere(last, at))
			other = last;
		if (other && is_elsewhere(other, at) &&
		    other->e->boots_ago == at->e->boots_ago &&
		    event_time_between(&other->e->time, &at->e->time, &us) &&
		    llabs(us) <= TOGETHER_US)
			at->e->together = true;
		last = at;
	}
}

void klog_mark(struct klog *k)
{
	size_t n = 0;
	uint32_t owner;
	struct ranked *r = NULL;

	while (klog_event_at(k, n, &owner))
		n++;
	if (n)
		r = arena_alloc(&k->arena, n * sizeof(*r));
	if (n && !r) {
		k->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		r[i].e = klog_event_at(k, i, &owner);
		r[i].device = klog_device_find(k, owner);
		r[i].e->optical = k->devices[r[i].device].is_optical;
	}
	if (n)
		qsort(r, n, sizeof(*r), by_order);
	mark_sleep(r, n, false);
	mark_sleep(r, n, true);
	mark_together(r, n, false);
	mark_together(r, n, true);
	for (size_t i = 0; i < n; i++) {
		struct log_device *d = &k->devices[r[i].device];

		if (event_class_kind(r[i].e->class) != EVENT_KIND_FAULT)
			continue;
		d->near_sleep += r[i].e->near_sleep;
		d->near_boot += r[i].e->near_boot;
		d->together += r[i].e->together;
	}
}

/* --- drives ---------------------------------------------------------------------------------------------- */

/* The newest text of an unsealed drive. */
static const char *text_of(const struct drive *d, enum fact_id id)
{
	for (size_t i = d->n_facts; i > 0; i--)
		if (d->facts[i - 1].key.id == id)
			return d->facts[i - 1].text;
	return NULL;
}

static uint64_t bytes_of(const struct drive *d)
{
	for (size_t i = d->n_facts; i > 0; i--)
		if (d->facts[i - 1].key.id == FACT_CAPACITY)
			return d->facts[i - 1].u;
	return 0;
}

/* The SCSI layer knows 16 characters of a model, and puts the vendor before it. */
static bool models_differ(const char *whole, const struct log_device *dev)
{
	if (!whole || !dev->model)
		return false;
	if (!dev->model_cut)
		return !str_equal(whole, dev->model);
	return !str_starts(whole, dev->model) && !strstr(dev->model, whole);
}

static bool contradicts(const struct drive *d, const struct log_device *dev)
{
	uint64_t bytes = bytes_of(d);

	return models_differ(text_of(d, FACT_MODEL), dev) ||
	       (bytes && dev->bytes && bytes != dev->bytes);
}

static bool same_name(const struct drive *d, const struct log_device *dev)
{
	const char *name = text_of(d, FACT_DEVICE);
	char base[64];

	if (!name || !dev->name[0])
		return false;
	merge_device_name(name, base, sizeof(base));
	if (str_starts(dev->name, "nvme")) {
		size_t n = strlen(dev->name);

		return strncmp(base, dev->name, n) == 0 && !str_is_digit(base[n]);
	}
	return str_equal(base, dev->name);
}

static bool same_port(const struct drive *d, const struct log_device *dev)
{
	const char *port = text_of(d, FACT_PORT);
	char name[32];

	if (!port || !dev->ata_port)
		return false;
	(void)snprintf(name, sizeof(name), "ata%u.%02d", dev->ata_port,
		       dev->ata_device < 0 ? 0 : dev->ata_device);
	if (str_equal(port, name))
		return true;
	(void)snprintf(name, sizeof(name), "ata%u", dev->ata_port);
	return str_equal(port, name) && dev->ata_device <= 0;
}

static bool same_model(const struct drive *d, const struct log_device *dev)
{
	return dev->model && text_of(d, FACT_MODEL) && !contradicts(d, dev);
}

static struct drive *only(const struct case_file *c, const struct log_device *dev,
			  bool (*same)(const struct drive *, const struct log_device *))
{
	struct drive *found = NULL;

	for (size_t i = 0; i < c->n_drives; i++) {
		if (!same(c->drives[i], dev) || contradicts(c->drives[i], dev))
			continue;
		if (found)
			return NULL;
		found = c->drives[i];
	}
	return found;
}

static bool is_candidate(const struct log_device *d)
{
	return !d->merged_into && !d->is_other &&
	       (d->ata_port || d->name[0] || d->usb[0] || d->has_scsi);
}

/* Two devices of one boot with one model: the model does not tell which is meant. */
static bool has_twin(const struct klog *k, const struct log_device *dev)
{
	for (size_t i = 0; i < k->n_devices; i++) {
		const struct log_device *d = &k->devices[i];

		if (d != dev && d->boot == dev->boot && is_candidate(d) && d->model &&
		    dev->model && !d->is_gone &&
		    (str_starts(d->model, dev->model) ||
		     str_starts(dev->model, d->model)))
			return true;
	}
	return false;
}

static void match(struct klog *k, struct log_device *dev)
{
	const struct case_file *c = k->d->the_case;

	dev->drive = only(c, dev, same_port);
	if (!dev->drive)
		dev->drive = only(c, dev, same_name);
	if (!dev->drive && !has_twin(k, dev))
		dev->drive = only(c, dev, same_model);
}

/* One drive, and one device with faults: when nothing speaks against it they are taken for one. */
static void match_lone(struct klog *k)
{
	const struct case_file *c = k->d->the_case;
	struct log_device *found = NULL;
	const char *name;

	for (size_t i = 0; i < k->n_devices; i++) {
		struct log_device *d = &k->devices[i];

		if (!is_candidate(d) || d->boot != k->boot)
			continue;
		if (d->drive)
			return; /* its own line is known already */
		if (d->faults && found)
			return;
		found = d->faults ? d : found;
	}
	/* a name in the log says nothing when the report of the drive has none */
	if (!found || c->n_drives != 1 || found->model ||
	    (found->name[0] && text_of(c->drives[0], FACT_DEVICE)) ||
	    contradicts(c->drives[0], found))
		return;
	name = text_of(c->drives[0], FACT_BUS);
	if (name && !str_equal(name, "sata") && found->ata_port)
		return;
	found->drive = c->drives[0];
	diag_add(k->d->diag, DIAG_NOTE, k->file, 0,
		 "the kernel log does not say which drive is at %s%.0u: taken for the "
		 "only one",
		 found->name[0] ? found->name : "ata",
		 found->name[0] ? 0 : found->ata_port);
}

/* --- a drive of its own ------------------------------------------------------------------------------------ */

static int add_text(struct klog *k, struct drive *d, enum fact_id id, const char *text)
{
	struct fact f = { .key = { id, 0, 0 },
			  .trust = TRUST_TEXT,
			  .text = text,
			  .origin = { .item = k->item, .file = k->file } };

	return text && *text ? drive_add_fact(k->d->the_case, d, f) : 0;
}

static int add_names(struct klog *k, struct drive *d, const struct log_device *dev)
{
	const char *bus = dev->ata_port			  ? "sata"
			  : dev->usb[0]			  ? "usb"
			  : str_starts(dev->name, "nvme") ? "nvme"
							  : NULL;
	char *port = NULL;
	int r;

	if (dev->ata_port) {
		port = dev->ata_device > 0
			       ? arena_printf(k->d->arena, "ata%u.%02d", dev->ata_port,
					      dev->ata_device)
			       : arena_printf(k->d->arena, "ata%u", dev->ata_port);
		if (!port)
			return -ENOMEM;
	}
	r = add_text(k, d, FACT_MODEL, dev->model_cut ? NULL : dev->model);
	if (r == 0)
		r = add_text(k, d, FACT_FIRMWARE, dev->firmware);
	if (r == 0 && dev->name[0]) {
		char *name = arena_strdup(k->d->arena, dev->name);

		r = name ? add_text(k, d, FACT_DEVICE, name) : -ENOMEM;
	}
	if (r == 0)
		r = add_text(k, d, FACT_PORT, port);
	if (r == 0)
		r = add_text(k, d, FACT_BUS, bus);
	if (r == 0 && dev->bytes)
		r = drive_add_fact(
			k->d->the_case, d,
			(struct fact){ .key = { FACT_CAPACITY, 0, 0 },
				       .trust = TRUST_TEXT,
				       .u = dev->bytes,
				       .origin = { .item = k->item, .file = k->file } });
	return r;
}

static int make_drive(struct klog *k, struct log_device *dev)
{
	struct drive *d = case_add_drive(k->d->the_case);
	struct snapshot s = { .role = ROLE_IMPORT, .file = k->file };
	uint32_t index;
	int r;

	if (!d)
		return -ENOMEM;
	r = drive_add_snapshot(k->d->the_case, d, s, &index);
	if (r == 0)
		r = add_names(k, d, dev);
	dev->drive = d;
	return r;
}

/* A bare port that failed may have had nothing in it. */
static bool is_worth_a_drive(const struct log_device *d)
{
	return is_candidate(d) &&
	       (d->ata_device >= 0 || d->name[0] || d->was_up || d->is_disk);
}

static int make_drives(struct klog *k, bool with_faults)
{
	unsigned made = 0;

	for (size_t i = 0; i < k->n_devices; i++) {
		struct log_device *d = &k->devices[i];
		int r;

		if (d->drive || !is_worth_a_drive(d) || d->boot != k->boot ||
		    made >= MAX_MADE || (with_faults ? !d->faults : !d->is_disk))
			continue;
		match(k, d); /* one that was made before, under another name */
		if (d->drive)
			continue;
		r = make_drive(k, d);
		if (r < 0)
			return r;
		made++;
	}
	return 0;
}

int klog_give(struct klog *k)
{
	int r;

	for (size_t i = 0; i < k->n_devices; i++)
		if (is_candidate(&k->devices[i]))
			match(k, &k->devices[i]);
	match_lone(k);
	r = make_drives(k, true);
	if (r == 0 && !k->d->the_case->n_drives)
		r = make_drives(k, false);
	/* of earlier boots: the same drive, if one is left */
	for (size_t i = 0; i < k->n_devices; i++)
		if (is_candidate(&k->devices[i]) && !k->devices[i].drive)
			match(k, &k->devices[i]);
	return r;
}
