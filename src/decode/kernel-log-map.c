/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages that tell which names are one device's, and who it is. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

/* --- lines that tell ---------------------------------------------------------------------------------- */

static const char *copy_text(struct klog *k, const char *s, size_t len)
{
	char *copy;

	while (len && str_is_space(s[len - 1]))
		len--;
	copy = arena_strndup(k->d->arena, s, len);
	if (!copy)
		k->failed = true;
	for (char *p = copy; p && *p; p++)
		if (*p == '\n')
			*p = ' ';
	return copy;
}

/* "ATA-8: WDC WD30EFRX-68EUZN0, 80.00A80, max UDMA/133" */
static void take_identity(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_of(k, m);
	bool packet = str_starts(m->body, "ATAPI");
	const char *model, *firmware;
	struct log_device *d;
	struct event told;

	if (i == k->boot_first)
		return;
	d = &k->devices[i];
	if (packet ? d->is_disk : d->is_optical) {
		/* a bay that takes either: what was there before is another device */
		d->is_gone = true;
		i = klog_device_of(k, m);
		d = &k->devices[i];
	}
	d->was_up = true;
	if (packet)
		klog_set_optical(k, i);
	if (str_starts(m->body, "CFA:")) {
		d->is_other = false;
		d->is_disk = true;
	}
	if (packet || str_starts(m->body, "CFA:"))
		return;
	if (m->args.n < 3 || !m->args.a[1].is_set || !m->args.a[2].is_set)
		return;
	model = copy_text(k, m->args.a[1].s, m->args.a[1].len);
	firmware = copy_text(k, m->args.a[2].s, m->args.a[2].len);
	if (d->model && !d->model_cut && !str_equal(d->model, model)) {
		/* the drive was exchanged: what was before is not of this one */
		d->is_gone = true;
		i = klog_device_of(k, m);
		d = &k->devices[i];
		d->was_up = true;
	}
	if (i == k->boot_first)
		return;
	d->model = model;
	d->firmware = firmware;
	d->model_cut = false;
	d->is_disk = true;
	told = klog_event(k, m, EVENT_IDENTITY);
	klog_emit(k, i, &told);
}

static void take_bytes(struct klog *k, uint32_t i, const struct scan_arg *count,
		       uint64_t size)
{
	if (i == k->boot_first || !count->is_set || !size || size > 65536 ||
	    count->u > UINT64_MAX / size)
		return;
	k->devices[i].bytes = count->u * size;
	k->devices[i].is_disk = !k->devices[i].is_other;
}

/* "Direct-Access     ATA      WDC WD10EZEX-08W 1A01 PQ: 0 ANSI: 5" */
static void take_inquiry(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_of(k, m);
	const char *end = strstr(m->body, " PQ:"), *s = m->body, *rev;
	struct log_device *d = &k->devices[i];
	bool ata;

	if (i == k->boot_first)
		return;
	if (str_starts(m->body, "CD-ROM"))
		klog_set_optical(k, i);
	if (!str_starts(m->body, "Direct-Access")) {
		d->is_other = true;
		return;
	}
	d->is_disk = true;
	s += strlen("Direct-Access");
	while (str_is_space(*s))
		s++;
	ata = str_starts(s, "ATA ");
	if (!end || d->model)
		return;
	for (s += ata ? 4 : 0; str_is_space(*s);)
		s++;
	while (end > s && str_is_space(end[-1]))
		end--;
	rev = end;
	while (rev > s && !str_is_space(rev[-1]))
		rev--;
	if (rev <= s)
		return;
	d->model = copy_text(k, s, (size_t)(rev - s));
	d->model_cut = true;
	if (!ata)
		d->firmware = copy_text(k, rev, (size_t)(end - rev));
}

/* The runs are over: when both are of one length, they belong together. */
static void close_run(struct klog *k)
{
	if (k->run.n_ports && k->run.n_ports == k->run.n_hosts)
		for (size_t i = 0; i < k->run.n_ports; i++)
			klog_set_host(k, k->run.hosts[i], k->run.ports[i], "");
	k->run.n_ports = k->run.n_hosts = 0;
}

static void take_host(struct klog *k, const struct klog_message *m)
{
	const struct scan_arg *path = m->args.n ? &m->args.a[0] : NULL;

	if (k->run.n_ports)
		close_run(k);
	if (str_starts(m->body, "usb-storage ") && path) {
		char usb[32];

		(void)snprintf(usb, sizeof(usb), "%.*s",
			       (int)strcspn(path->s, ": \n") % 31, path->s);
		klog_set_host(k, m->scsi[0], 0, usb);
	} else if (str_starts(m->body, "uas")) {
		klog_set_host(k, m->scsi[0], 0, k->last_usb);
	} else if (k->run.n_hosts < array_size(k->run.hosts)) {
		k->run.hosts[k->run.n_hosts++] = m->scsi[0];
	}
}

static void take_usb(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_usb(k, m->device);

	memcpy(k->last_usb, m->device, sizeof(k->last_usb));
	if (i == k->boot_first)
		return;
	/* until something says that it stores data, it does not */
	if (m->kind == SAYS_USB_NEW && !k->devices[i].is_disk)
		k->devices[i].is_other = true;
	if (m->kind == SAYS_USB_STORAGE) {
		k->devices[i].is_other = false;
		k->devices[i].was_up = true;
	}
}

static void take_sectors(struct klog *k, const struct klog_message *m)
{
	if (m->args.n > 0)
		take_bytes(k, klog_device_of(k, m), &m->args.a[0], 512);
}

static void take_blocks(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_of(k, m);

	if (m->args.n > 1 && m->args.a[1].is_set)
		take_bytes(k, i, &m->args.a[0], m->args.a[1].u);
}

static void take_port(struct klog *k, const struct klog_message *m)
{
	klog_device(k, klog_device_of(k, m))->registered = true;
	if (k->run.n_ports < array_size(k->run.ports) && m->ata_device < 0)
		k->run.ports[k->run.n_ports++] = m->ata_port;
}

static void take_nvme_pci(struct klog *k, const struct klog_message *m)
{
	uint32_t i = klog_device_of(k, m);

	if (i != k->boot_first && m->args.n && m->args.a[0].is_set)
		(void)snprintf(k->devices[i].pci, sizeof(k->devices[i].pci), "%.*s",
			       (int)m->args.a[0].len % 31, m->args.a[0].s);
}

bool klog_take(const struct klog_taker *takers, size_t n, struct klog *k,
	       const struct klog_message *m)
{
	for (size_t i = 0; i < n; i++) {
		if (takers[i].kind == m->kind) {
			takers[i].take(k, m);
			return true;
		}
	}
	return false;
}

bool klog_map_line(struct klog *k, const struct klog_message *m)
{
	static const struct klog_taker takers[] = {
		{ SAYS_IDENTITY, take_identity }, { SAYS_SECTORS, take_sectors },
		{ SAYS_BLOCKS, take_blocks },	  { SAYS_INQUIRY, take_inquiry },
		{ SAYS_PORT, take_port },	  { SAYS_HOST, take_host },
		{ SAYS_USB_NEW, take_usb },	  { SAYS_USB_STORAGE, take_usb },
		{ SAYS_NVME_PCI, take_nvme_pci },
	};

	if (m->kind != SAYS_HOST && m->kind != SAYS_PORT && m->family != FAMILY_PCI &&
	    k->run.n_ports)
		close_run(k);
	return klog_take(takers, array_size(takers), k, m);
}

/* --- at the end of a boot ----------------------------------------------------------------------------- */

static bool model_begins(const struct log_device *whole, const struct log_device *start)
{
	return whole->model && !whole->model_cut && start->model &&
	       str_starts(whole->model, start->model);
}

static bool is_half(const struct log_device *d, bool ata)
{
	if (d->merged_into || d->is_gone || d->is_other)
		return false;
	return ata ? d->ata_port && d->ata_device >= 0 && !d->has_scsi
		   : d->has_scsi && !d->ata_port && !d->usb[0];
}

/* The only disk of libata whose model a disk of the SCSI layer may have, and the other way round. */
static void match_models(struct klog *k)
{
	for (size_t i = k->boot_first + 1; i < k->n_devices; i++) {
		uint32_t found = UINT32_MAX;
		unsigned n = 0, rivals = 0;

		if (!is_half(&k->devices[i], false) || !k->devices[i].model)
			continue;
		for (size_t m = k->boot_first + 1; m < k->n_devices; m++) {
			if (is_half(&k->devices[m], true) &&
			    model_begins(&k->devices[m], &k->devices[i])) {
				found = (uint32_t)m;
				n++;
			}
			rivals += m != i && is_half(&k->devices[m], false) &&
				  str_equal(k->devices[m].model, k->devices[i].model);
		}
		if (n == 1 && !rivals)
			klog_device_same(k, found, (uint32_t)i);
	}
}

/* What is told of a port is told of its drive, when there is only one. */
static void match_ports(struct klog *k)
{
	for (size_t i = k->boot_first + 1; i < k->n_devices; i++) {
		const struct log_device *port = &k->devices[i];
		uint32_t found = UINT32_MAX;
		unsigned n = 0;

		if (port->merged_into || port->is_gone || !port->ata_port ||
		    port->ata_device >= 0)
			continue;
		for (size_t m = k->boot_first + 1; m < k->n_devices; m++) {
			const struct log_device *d = &k->devices[m];

			if (d->merged_into || d->is_gone || d->ata_device < 0 ||
			    d->ata_port != port->ata_port)
				continue;
			found = (uint32_t)m;
			n++;
		}
		if (n == 1)
			klog_device_same(k, found, (uint32_t)i);
	}
}

void klog_map_close(struct klog *k)
{
	close_run(k);
	match_models(k);
	match_ports(k);
}
