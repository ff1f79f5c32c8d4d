/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A message: whose it is, by the address in front of it, and what it says, by its row. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "decode/kernel-log.h"

/* clang-format off */
/* How the address is told: numbers and words of the pattern, in this order. */
enum address {
	ADDRESS_PORT,   /* port */
	ADDRESS_DEVICE, /* port, device */
	ADDRESS_SCSI,   /* host, channel, target, lun */
	ADDRESS_HOST,   /* host */
	ADDRESS_WORD,   /* a name */
	ADDRESS_NUMBER, /* the name is what stands before the colon, with a number in it */
	ADDRESS_PCI,    /* driver, domain, bus, device, function */
	ADDRESS_NAMESPACE,
	ADDRESS_NONE, /* only a name that the message is behind */
};

static const struct {
	const char *pattern;
	enum klog_family family;
	enum address address;
} addresses[] = {
	{ "ata%u.%u:| ", FAMILY_ATA, ADDRESS_DEVICE },
	{ "ata%u:| ", FAMILY_ATA, ADDRESS_PORT },
	{ "sas: ata%u:| ", FAMILY_ATA, ADDRESS_PORT },
	{ "sd %u:%u:%u:%u:| ", FAMILY_DISK, ADDRESS_SCSI },
	{ "sr %u:%u:%u:%u:| ", FAMILY_DISK, ADDRESS_SCSI },
	{ "ses %u:%u:%u:%u:| ", FAMILY_DISK, ADDRESS_SCSI },
	{ "scsi %u:%u:%u:%u:| ", FAMILY_DISK, ADDRESS_SCSI },
	{ "scsi host%u:| ", FAMILY_HOST, ADDRESS_HOST },
	{ "scsi%u :| ", FAMILY_HOST, ADDRESS_HOST },
	{ "scsi%u: ", FAMILY_HOST, ADDRESS_HOST },
	{ "usb %w: ", FAMILY_USB, ADDRESS_WORD },
	{ "usb-storage %w:", FAMILY_USB, ADDRESS_WORD },
	{ "hub %w:", FAMILY_USB, ADDRESS_WORD },
	{ "nvme nvme%u: ", FAMILY_NVME, ADDRESS_NAMESPACE },
	{ "nvme nvme%un%u: ", FAMILY_NVME, ADDRESS_NAMESPACE },
	{ "nvme%un%u: ", FAMILY_NVME, ADDRESS_NAMESPACE },
	{ "nvme%uc%un%u: ", FAMILY_NVME, ADDRESS_NAMESPACE },
	{ "nvme%u: ", FAMILY_NVME, ADDRESS_NAMESPACE },
	{ "block nvme%un%u: ", FAMILY_NVME, ADDRESS_NAMESPACE },
	{ "mpt%usas_cm%u: ", FAMILY_HBA, ADDRESS_NUMBER },
	{ "mpt%usas%u: ", FAMILY_HBA, ADDRESS_NUMBER },
	{ "mptbase: ioc%u: ", FAMILY_HBA, ADDRESS_NUMBER },
	{ "mptscsih: ioc%u: ", FAMILY_HBA, ADDRESS_NUMBER },
	{ "mptsas: ioc%u: ", FAMILY_HBA, ADDRESS_NUMBER },
	{ "aacraid: ", FAMILY_HBA, ADDRESS_NUMBER },
	{ "blk_update_request: ", FAMILY_ANY, ADDRESS_NONE },
	{ "print_req_error: ", FAMILY_ANY, ADDRESS_NONE },
	{ "end_request: ", FAMILY_ANY, ADDRESS_NONE },
	{ "%w %x:%x:%x.%x: ", FAMILY_PCI, ADDRESS_PCI },
};
/* clang-format on */

static void copy_name(char ret[32], const char *s, size_t len)
{
	if (len > 31)
		len = 31;
	memcpy(ret, s, len);
	ret[len] = '\0';
}

static bool has_numbers(const struct scan_args *a, size_t first, size_t n, uint64_t max)
{
	for (size_t i = first; i < first + n; i++)
		if (i >= a->n || !a->a[i].is_set || a->a[i].u > max)
			return false;
	return true;
}

/* "[sdb] tag#7 " behind the address of a disk */
static void take_disk(struct klog_message *m)
{
	struct scan_args args;

	if (klog_scan(m->body, false, "[%w] ", &args)) {
		copy_name(m->device, args.a[0].s, args.a[0].len);
		m->body = args.rest;
	}
	if (klog_scan(m->body, false, "tag#%u ", &args) && args.a[0].is_set) {
		m->has_tag = args.a[0].u <= UINT32_MAX;
		m->tag = (uint32_t)args.a[0].u;
		m->body = args.rest;
	}
}

static bool take_address(struct klog_message *m, enum address how, const char *text,
			 const struct scan_args *a)
{
	switch (how) {
	case ADDRESS_PORT:
	case ADDRESS_DEVICE:
		if (!has_numbers(a, 0, how == ADDRESS_DEVICE ? 2 : 1, UINT32_MAX) ||
		    !a->a[0].u || (how == ADDRESS_DEVICE && a->a[1].u > 99))
			return false;
		m->ata_port = (uint32_t)a->a[0].u;
		m->ata_device = how == ADDRESS_DEVICE ? (int32_t)a->a[1].u : -1;
		break;
	case ADDRESS_SCSI:
		if (!has_numbers(a, 0, 4, UINT32_MAX))
			return false;
		m->has_scsi = true;
		for (size_t i = 0; i < 4; i++)
			m->scsi[i] = (uint32_t)a->a[i].u;
		break;
	case ADDRESS_HOST:
		if (!has_numbers(a, 0, 1, UINT32_MAX))
			return false;
		m->scsi[0] = (uint32_t)a->a[0].u;
		break;
	case ADDRESS_WORD:
		copy_name(m->device, a->a[0].s, a->a[0].len);
		break;
	case ADDRESS_NUMBER:
		copy_name(m->device, text, strcspn(text, ": "));
		break;
	case ADDRESS_PCI:
		copy_name(m->device, a->a[1].s,
			  (size_t)(a->a[4].s + a->a[4].len - a->a[1].s));
		return has_numbers(a, 1, 4, 0xffff);
	case ADDRESS_NAMESPACE:
		if (!has_numbers(a, 0, 1, 99999))
			return false;
		(void)snprintf(m->device, sizeof(m->device), "nvme%u",
			       (unsigned)a->a[0].u);
		break;
	case ADDRESS_NONE:
		break;
	}
	return true;
}

static void find_address(struct klog_message *m)
{
	const char *text = m->record->text;
	struct scan_args args;

	m->family = FAMILY_ANY;
	m->ata_device = -1;
	m->body = text;
	for (size_t i = 0; i < array_size(addresses); i++) {
		const char first = addresses[i].pattern[0];

		if ((first != '%' && first != text[0]) ||
		    !klog_scan(text, false, addresses[i].pattern, &args) ||
		    !take_address(m, addresses[i].address, text, &args))
			continue;
		m->family = addresses[i].family;
		m->body = args.rest;
		while (*m->body == ' ' || *m->body == '\n')
			m->body++;
		if (m->family == FAMILY_DISK)
			take_disk(m);
		return;
	}
}

/* "sata_link_resume: rc=0", "ahci_softreset *****": a function that tells of itself */
static bool is_function(const char *s)
{
	const char *p = s;
	bool has_line = false;

	for (; (*p >= 'a' && *p <= 'z') || str_is_digit(*p) || *p == '_'; p++)
		has_line |= *p == '_';
	return has_line && p - s > 4 &&
	       (*p == ':' || *p == ' ' || *p == ',' || *p == '=');
}

static const struct klog_row *find_row(struct klog_message *m)
{
	for (size_t i = 0; i < klog_n_rows; i++) {
		const char first = klog_rows[i].pattern[0];

		if (klog_rows[i].family == m->family &&
		    (first == '%' || !first || first == m->body[0]) &&
		    klog_scan(m->body, m->record->cut, klog_rows[i].pattern, &m->args))
			return &klog_rows[i];
	}
	return NULL;
}

void klog_classify(const struct klog_record *r, struct klog_message *ret)
{
	struct klog_message m = { .record = r };

	find_address(&m);
	m.row = find_row(&m);
	if (m.row)
		m.kind = m.row->kind;
	else if (!*m.body)
		m.kind = SAYS_STUMP;
	else if (is_function(m.body))
		m.kind = SAYS_TRACE;
	else
		m.kind = r->has_head ? SAYS_UNCLASSIFIED : SAYS_TALK;
	if (str_starts(r->text, "libata:"))
		m.kind = SAYS_TRACE;
	*ret = m;
}
