/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The devices of a log. One has many names: ata3.00 for libata, 2:0:0:0 for the SCSI layer, sdb for the
 * block layer, and a path on USB or PCI.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

uint32_t klog_device_find(const struct klog *k, uint32_t i)
{
	while (k->devices[i].merged_into)
		i = k->devices[i].merged_into - 1;
	return i;
}

struct log_device *klog_device(struct klog *k, uint32_t i)
{
	return &k->devices[klog_device_find(k, i)];
}

static uint32_t add_device(struct klog *k)
{
	struct log_device *d;

	if (k->n_devices - k->boot_first >= LOG_DEVICES_BOOT ||
	    k->n_devices >= LOG_DEVICES)
		return (uint32_t)k->boot_first;
	d = arena_push(&k->arena, &k->devices, &k->n_devices, &k->cap_devices,
		       sizeof(*d));
	if (!d) {
		k->failed = true;
		return (uint32_t)k->boot_first;
	}
	d->boot = k->boot;
	d->ata_device = -1;
	return (uint32_t)(k->n_devices - 1);
}

/* A device of this boot for which SAME is true; UINT32_MAX when there is none. */
static uint32_t search(const struct klog *k,
		       bool (*same)(const struct log_device *d, const void *what),
		       const void *what)
{
	for (size_t i = k->n_devices; i > k->boot_first + 1; i--) {
		const struct log_device *d = &k->devices[i - 1];

		if (!d->merged_into && !d->is_gone && same(d, what))
			return (uint32_t)(i - 1);
	}
	return UINT32_MAX;
}

void klog_set_optical(struct klog *k, uint32_t i)
{
	struct log_device *d = klog_device(k, i);

	if (klog_device_find(k, i) == k->boot_first)
		return;
	d->is_other = d->is_optical = true;
	d->is_disk = false;
}

/* "sr0" */
static bool is_optical_name(const char *name)
{
	return str_starts(name, "sr") && str_is_digit(name[2]);
}

struct place {
	uint32_t port;
	int32_t device;
};

static bool same_place(const struct log_device *d, const void *what)
{
	const struct place *p = what;

	return d->ata_port == p->port && d->ata_device == p->device;
}

uint32_t klog_device_at(struct klog *k, uint32_t port, int32_t device)
{
	struct place p = { port, device };
	uint32_t i = search(k, same_place, &p);
	struct log_device *d;

	if (i != UINT32_MAX)
		return i;
	i = add_device(k);
	d = &k->devices[i];
	if (i != k->boot_first) {
		d->ata_port = port;
		d->ata_device = device;
		d->is_other = device == 15; /* the multiplier itself */
	}
	return i;
}

static bool same_scsi(const struct log_device *d, const void *what)
{
	return d->has_scsi && memcmp(d->scsi, what, sizeof(d->scsi)) == 0;
}

/* What a host adapter is known to be: a port of libata, or a device on USB. */
static size_t host_row(const struct klog *k, uint32_t host)
{
	size_t i = 0;

	while (i < k->n_hosts && k->hosts[i].host != host)
		i++;
	return i;
}

void klog_set_host(struct klog *k, uint32_t host, uint32_t port, const char *usb)
{
	size_t i = host_row(k, host);

	if (i == LOG_HOSTS)
		return;
	if (i == k->n_hosts)
		k->n_hosts++;
	k->hosts[i].host = host;
	k->hosts[i].port = port;
	(void)snprintf(k->hosts[i].usb, sizeof(k->hosts[i].usb), "%s", usb);
}

/* libata: behind a multiplier the channel is the link, else the target is the device. */
static uint32_t device_on_port(struct klog *k, uint32_t port, const uint32_t scsi[4])
{
	struct place multiplier = { port, 15 };
	uint32_t device = search(k, same_place, &multiplier) != UINT32_MAX || scsi[1]
				  ? scsi[1]
				  : scsi[2];

	return klog_device_at(k, port, (int32_t)(device < 15 ? device : 0));
}

static bool same_usb(const struct log_device *d, const void *what)
{
	return d->usb[0] && str_equal(d->usb, what);
}

uint32_t klog_device_usb(struct klog *k, const char *path)
{
	uint32_t i = search(k, same_usb, path);

	if (i == UINT32_MAX) {
		i = add_device(k);
		if (i != k->boot_first)
			(void)snprintf(k->devices[i].usb, sizeof(k->devices[i].usb), "%s",
				       path);
	}
	return i;
}

uint32_t klog_device_scsi(struct klog *k, const uint32_t scsi[4])
{
	uint32_t i = search(k, same_scsi, scsi);
	size_t row;
	struct log_device *d;

	if (i != UINT32_MAX)
		return i;
	row = host_row(k, scsi[0]);
	if (row < k->n_hosts && k->hosts[row].port)
		i = device_on_port(k, k->hosts[row].port, scsi);
	else if (row < k->n_hosts && k->hosts[row].usb[0])
		i = klog_device_usb(k, k->hosts[row].usb);
	else
		i = add_device(k);
	d = &k->devices[i];
	if (i == k->boot_first || (d->has_scsi && !d->usb[0]))
		return i;
	d->has_scsi = true;
	memcpy(d->scsi, scsi, sizeof(d->scsi));
	return i;
}

static bool same_name(const struct log_device *d, const void *what)
{
	return str_equal(d->name, what);
}

/* "sdb3" is a part of sdb, "nvme0n1p2" of nvme0 */
static void base_name(const char *name, char ret[32])
{
	const char *rest = str_after(name, "nvme");
	size_t n;

	if (rest && str_is_digit(*rest)) {
		n = 4;
		while (str_is_digit(name[n]))
			n++;
		(void)snprintf(ret, 32, "%.*s", (int)(n < 31 ? n : 31), name);
		return;
	}
	merge_device_name(name, ret, 32);
}

uint32_t klog_device_named(struct klog *k, const char *name)
{
	char base[32];
	uint32_t i;

	base_name(name, base);
	i = search(k, same_name, base);
	if (i != UINT32_MAX)
		return i;
	i = add_device(k);
	if (i != k->boot_first) {
		memcpy(k->devices[i].name, base, sizeof(base));
		k->devices[i].is_other = !str_starts(base, "sd") &&
					 !str_starts(base, "nvme") &&
					 !str_starts(base, "hd");
		if (is_optical_name(base))
			klog_set_optical(k, i);
	}
	return i;
}

static bool same_pci(const struct log_device *d, const void *what)
{
	return d->pci[0] && str_equal(d->pci, what);
}

static uint32_t device_pci(struct klog *k, const char *address)
{
	uint32_t i = search(k, same_pci, address);

	if (i == UINT32_MAX) {
		i = add_device(k);
		if (i != k->boot_first) {
			(void)snprintf(k->devices[i].pci, sizeof(k->devices[i].pci), "%s",
				       address);
			k->devices[i].is_other =
				true; /* a port, until a drive is there */
		}
	}
	return i;
}

/* --- two are one ------------------------------------------------------------------------------------- */

static void add_counts(struct log_device *to, const struct log_device *from)
{
	for (size_t i = 0; i < EVENT_COUNT; i++)
		to->counts[i] += from->counts[i];
	if (from->faults && (!to->faults || from->first_order < to->first_order)) {
		to->first = from->first;
		to->first_order = from->first_order;
	}
	if (from->faults && (!to->faults || from->last_order > to->last_order)) {
		to->last = from->last;
		to->last_order = from->last_order;
	}
	to->faults += from->faults;
	to->commands += from->commands;
	to->serr |= from->serr;
}

void klog_device_same(struct klog *k, uint32_t a, uint32_t b)
{
	struct log_device *to, *from;

	a = klog_device_find(k, a);
	b = klog_device_find(k, b);
	if (a == b || a == k->boot_first || b == k->boot_first)
		return;
	to = &k->devices[a];
	from = &k->devices[b];
	if (!to->ata_port || (to->ata_device < 0 && from->ata_port == to->ata_port)) {
		to->ata_port = from->ata_port ? from->ata_port : to->ata_port;
		to->ata_device = from->ata_device;
	}
	if (!to->has_scsi && from->has_scsi) {
		to->has_scsi = true;
		memcpy(to->scsi, from->scsi, sizeof(to->scsi));
	}
	if (!to->name[0])
		memcpy(to->name, from->name, sizeof(to->name));
	if (!to->usb[0])
		memcpy(to->usb, from->usb, sizeof(to->usb));
	if (!to->pci[0])
		memcpy(to->pci, from->pci, sizeof(to->pci));
	if (!to->model || (to->model_cut && from->model)) {
		to->model = from->model;
		to->model_cut = from->model_cut;
		to->firmware = from->firmware;
	}
	if (!to->bytes)
		to->bytes = from->bytes;
	if (from->speed_mbps)
		to->speed_mbps = from->speed_mbps;
	to->is_disk |= from->is_disk;
	to->is_optical |= from->is_optical;
	to->is_other = (to->is_other && from->is_other) || to->is_optical;
	to->was_up |= from->was_up;
	add_counts(to, from);
	from->merged_into = a + 1;
}

/* A disk that comes back may get another letter, and its letter may be another's by then. */
static uint32_t scsi_of(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_scsi(k, m->scsi), named;

	if (!m->device[0] || i == k->boot_first ||
	    str_equal(k->devices[i].name, m->device))
		return i;
	if (is_optical_name(m->device))
		klog_set_optical(k, i);
	else if (str_starts(m->device, "st"))
		k->devices[i].is_other = true;
	named = search(k, same_name, m->device);
	if (named != UINT32_MAX && k->devices[named].has_scsi)
		k->devices[named].is_gone = true;
	else if (named != UINT32_MAX)
		klog_device_same(k, i, named);
	memcpy(k->devices[i].name, m->device, sizeof(k->devices[i].name));
	return i;
}

uint32_t klog_device_of(struct klog *k, const struct klog_message *m)
{
	switch (m->family) {
	case FAMILY_ATA:
		return klog_device_at(k, m->ata_port, m->ata_device);
	case FAMILY_DISK:
		return scsi_of(k, m);
	case FAMILY_USB:
		return klog_device_usb(k, m->device);
	case FAMILY_NVME:
		return klog_device_named(k, m->device);
	case FAMILY_PCI:
		return device_pci(k, m->device);
	case FAMILY_HOST: {
		size_t row = host_row(k, m->scsi[0]);

		if (row < k->n_hosts && k->hosts[row].usb[0])
			return klog_device_usb(k, k->hosts[row].usb);
		return (uint32_t)k->boot_first;
	}
	case FAMILY_HBA:
	case FAMILY_ANY:
		break;
	}
	return (uint32_t)k->boot_first;
}

void klog_map_boot(struct klog *k)
{
	k->boot_first = k->n_devices;
	k->n_hosts = 0;
	k->run = (struct klog_run){ 0 };
	k->last_usb[0] = '\0';
	if (!arena_push(&k->arena, &k->devices, &k->n_devices, &k->cap_devices,
			sizeof(*k->devices)))
		k->failed = true;
	else
		k->devices[k->boot_first] = (struct log_device){
			.boot = k->boot,
			.ata_device = -1,
			.is_other = true,
		};
}
