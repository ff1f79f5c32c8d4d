/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/kernel-log.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/calendar.h"
#include "base/str.h"

#define SECOND_US 1000000
#define DAY_S	  86400
#define MAX_S	  ((int64_t)1 << 40) /* of any clock: no sum of two overflows */

/* --- writing ------------------------------------------------------------------------------- */

static void add_wall(struct buf *b, const struct klog_time *t)
{
	int64_t us = t->wall_us % SECOND_US, s = t->wall_us / SECOND_US, days;
	struct calendar_date d;

	if (us < 0) {
		us += SECOND_US;
		s--;
	}
	days = s / DAY_S - (s % DAY_S < 0);
	s -= days * DAY_S;
	d = calendar_date_of(days);
	if (t->wall_has_year)
		buf_printf(b, "@%04lld-", (long long)d.year);
	else
		buf_puts(b, "@--");
	buf_printf(b, "%02u-%02uT%02d:%02d:%02d", d.month, d.day, (int)(s / 3600),
		   (int)(s / 60 % 60), (int)(s % 60));
	if (us)
		buf_printf(b, ".%06lld", (long long)us);
}

static void add_text(struct buf *b, const char *s, size_t len)
{
	size_t start = 0;

	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)s[i] >= ' ' && s[i] != 0x7f)
			continue;
		buf_add(b, s + start, i - start);
		buf_putc(b, ' ');
		start = i + 1;
	}
	buf_add(b, s + start, len - start);
}

void klog_add_line(struct buf *b, const struct klog_line *l)
{
	const struct klog_time *t = &l->time;
	bool cut = l->cut || l->len > KLOG_MAX_TEXT;

	if (t->has_monotonic)
		buf_printf(b, "%lld.%06lld", (long long)(t->monotonic_us / SECOND_US),
			   (long long)(t->monotonic_us % SECOND_US));
	if (t->has_wall)
		add_wall(b, t);
	if (!t->has_monotonic && !t->has_wall)
		buf_putc(b, '-');
	buf_printf(b, " %u%s%s%s ", l->line, l->continues ? "+" : "", cut ? "!" : "",
		   l->new_boot ? "=" : "");
	add_text(b, l->text, l->len > KLOG_MAX_TEXT ? KLOG_MAX_TEXT : l->len);
	buf_putc(b, '\n');
}

/* --- reading ------------------------------------------------------------------------------- */

struct cursor {
	const char *s, *end;
};

static bool take_char(struct cursor *c, char want)
{
	if (c->s == c->end || *c->s != want)
		return false;
	c->s++;
	return true;
}

/* Up to 18 digits. */
static bool take_number(struct cursor *c, int64_t *ret)
{
	const char *start = c->s;
	int64_t n = 0;

	while (c->s < c->end && str_is_digit(*c->s) && c->s - start < 18)
		n = n * 10 + (*c->s++ - '0');
	*ret = n;
	return c->s > start;
}

/* ".123456": as many digits as there are, down to the microsecond. */
static bool take_fraction(struct cursor *c, int64_t *ret_us)
{
	int64_t scale = SECOND_US / 10;

	*ret_us = 0;
	if (!take_char(c, '.'))
		return false;
	for (; c->s < c->end && str_is_digit(*c->s); c->s++, scale /= 10)
		*ret_us += (*c->s - '0') * scale;
	return true;
}

static bool take_monotonic(struct cursor *c, struct klog_time *t)
{
	int64_t s, us;

	if (!take_number(c, &s) || s > MAX_S)
		return false;
	t->fine = take_fraction(c, &us);
	t->monotonic_us = s * SECOND_US + us;
	t->has_monotonic = true;
	return true;
}

static bool take_wall(struct cursor *c, struct klog_time *t)
{
	int64_t year = 2000, month, day, hour, minute, second, us;
	struct calendar_date d;

	t->wall_has_year = !take_char(c, '-');
	if (t->wall_has_year ? !take_number(c, &year) || !take_char(c, '-')
			     : !take_char(c, '-'))
		return false;
	if (!take_number(c, &month) || !take_char(c, '-') || !take_number(c, &day) ||
	    !take_char(c, 'T') || !take_number(c, &hour) || !take_char(c, ':') ||
	    !take_number(c, &minute) || !take_char(c, ':') || !take_number(c, &second) ||
	    month > 12 || day > 31 || hour > 23 || minute > 59 || second > 60)
		return false;
	d = (struct calendar_date){ year, (unsigned)month, (unsigned)day };
	if (!calendar_is_date(d))
		return false;
	t->fine |= take_fraction(c, &us);
	t->wall_us = (((calendar_days(d) * 24 + hour) * 60 + minute) * 60 + second) *
			     SECOND_US +
		     us;
	t->has_wall = true;
	return true;
}

static bool take_time(struct cursor *c, struct klog_time *t)
{
	*t = (struct klog_time){ 0 };
	if (take_char(c, '-'))
		return true;
	if (c->s < c->end && *c->s != '@' && !take_monotonic(c, t))
		return false;
	return !take_char(c, '@') || take_wall(c, t);
}

static bool take_place(struct cursor *c, struct klog_line *l)
{
	int64_t line;

	if (!take_number(c, &line) || line > UINT32_MAX)
		return false;
	l->line = (uint32_t)line;
	l->continues = take_char(c, '+');
	l->cut = take_char(c, '!');
	l->new_boot = take_char(c, '=');
	return true;
}

/* "[  614.263599] ", as dmesg prints it */
static bool take_dmesg(struct cursor *c, struct klog_line *l)
{
	struct cursor from = *c;

	if (!take_char(c, '['))
		return false;
	while (take_char(c, ' '))
		;
	if (take_monotonic(c, &l->time) && take_char(c, ']') && take_char(c, ' '))
		return true;
	*c = from;
	l->time = (struct klog_time){ 0 };
	return false;
}

int klog_take_line(struct span *rest, struct klog_line *ret)
{
	const char *s = (const char *)rest->data, *stop;
	struct klog_line l = { 0 };
	struct cursor c;

	if (!rest->len)
		return -ENODATA;
	stop = memchr(s, '\n', rest->len);
	c = (struct cursor){ s, stop ? stop : s + rest->len };
	rest->data = (const uint8_t *)c.end + (stop != NULL);
	rest->len -= (size_t)(c.end - s) + (stop != NULL);
	if (!take_dmesg(&c, &l) && (!take_time(&c, &l.time) || !take_char(&c, ' ') ||
				    !take_place(&c, &l) || !take_char(&c, ' ')))
		return -EBADMSG;
	l.text = c.s;
	l.len = (size_t)(c.end - c.s);
	if (l.len > KLOG_MAX_TEXT) {
		l.len = KLOG_MAX_TEXT;
		l.cut = true;
	}
	*ret = l;
	return 0;
}

/* --- which messages ---------------------------------------------------------------------------- */

/*
 * How a message begins: "#" stands for digits, "%" for what an address on a bus is made of. PLAIN:
 * unmistakable even without a time before it.
 */
/* clang-format off */
static const struct beginning {
	const char *text;
	bool plain;
} beginnings[] = {
	{ "ata#:", true },
	{ "ata#.#:", true },
	{ "sd #:#:#:#: ", true },
	{ "sr #:#:#:#: ", true },
	{ "ses #:#:#:#: ", false },
	{ "scsi #:#:#:#: ", true },
	{ "scsi host#:", true },
	{ "scsi #:", false },
	{ "scsi# :", false },
	{ "scsi#: ", false },
	{ "sas: ", true },
	{ "libata:", false },
	{ "libata version", false },
	{ "ahci ", false },
	{ "ata_piix ", false },
	{ "sata_", false },
	{ "pata_", false },
	{ "hd#:", false },
	{ "res #/", true },
	{ "cmd #/", false },
	{ "nvme nvme#: ", true },
	{ "nvme nvme#", false },
	{ "nvme %: ", false },
	{ "nvme#", false },
	{ "block nvme#", false },
	{ "usb #-", true },
	{ "usb usb#", false },
	{ "hub #-", false },
	{ "usb-storage ", false },
	{ "usbcore: registered new interface driver uas", false },
	{ "uas", false },
	{ "xhci_hcd ", false },
	{ "mpt#sas", true },
	{ "mpt#sas_cm#:", true },
	{ "mptbase", false },
	{ "mptscsih", false },
	{ "mptsas", false },
	{ "megaraid_sas ", false },
	{ "megasas", false },
	{ "aacraid", false },
	{ "hpsa ", false },
	{ "smartpqi ", false },
	{ "pcieport ", true },
	{ "pcie", false },
	{ "AER: ", false },
	{ "{#}[Hardware Error]: ", false },
	{ "DMAR: ", true },
	{ "DMAR:[", false },
	{ "AMD-Vi: ", true },
	{ "iommu ", false },
	{ "blk_update_request: ", true },
	{ "print_req_error: ", true },
	{ "end_request: ", true },
	{ "I/O error, dev ", true },
	{ "critical ", false },
	{ "recoverable transport error", false },
	{ "timeout error, dev ", false },
	{ "protection error, dev ", false },
	{ "Buffer I/O error on dev", true },
	{ "lost page write", false },
	{ "lost async page write", false },
	{ "device offline error, dev ", false },
	{ "quiet_error: ", false },
	{ "EXT#-fs error", false },
	{ "EXT#-fs (", false },
	{ "EXT#-fs warning", false },
	{ "XFS (", false },
	{ "BTRFS", false },
	{ "Btrfs", false },
	{ "JBD#: ", false },
	{ "Aborting journal", false },
	{ "F2FS-fs (", false },
	{ "FAT-fs (", false },
	{ "md: ", false },
	{ "md/raid", true },
	{ "raid#: ", false },
	{ "device-mapper: ", false },
	{ "INFO: task ", true },
	{ "irq #: nobody cared", false },
	{ "hwmon hwmon#: ", false },
	{ "Under-voltage", true },
	{ "Voltage normalised", false },
	{ "PM: ", false },
	{ "ACPI: Waking up", false },
	{ "ACPI: PM: ", false },
	{ "ACPI: Preparing to enter", false },
	{ "Freezing user space", false },
	{ "Suspending console", false },
	{ "Linux version ", false },
};
/* clang-format on */

static bool is_address(char c)
{
	return str_is_digit(c) || (c >= 'a' && c <= 'f') || c == ':' || c == '.' ||
	       c == '-';
}

static bool begins(const char *s, const char *end, const char *pattern)
{
	for (; *pattern; pattern++) {
		const char *start = s;

		if (*pattern == '#')
			while (s < end && str_is_digit(*s))
				s++;
		else if (*pattern == '%')
			/* the character behind it may be one of an address, too */
			while (s < end && is_address(*s) &&
			       !(*s == pattern[1] && s + 1 < end && s[1] == pattern[2]))
				s++;
		else if (s < end && (*s == *pattern || (*s == '\n' && *pattern == ' ')))
			s++; /* a wrapped line breaks at a space */
		if (s == start)
			return false;
	}
	return true;
}

static const struct beginning *find_beginning(const char *s, size_t len)
{
	for (size_t i = 0; i < array_size(beginnings); i++)
		if (len && s[0] == beginnings[i].text[0] &&
		    begins(s, s + len, beginnings[i].text))
			return &beginnings[i];
	return NULL;
}

/* What is of no use here, and private: serial numbers, addresses, file systems by their names. */
static bool is_private(const char *s, size_t len)
{
	static const char *const words[] = {
		"SerialNumber:", "serial_number(",    "sas_addr", "device_name(",
		"MAC:",		 "enclosure logical", "UUID",	  "mounted filesystem",
	};

	for (size_t i = 0; i < array_size(words); i++)
		if (memmem(s, len, words[i], strlen(words[i])))
			return true;
	return false;
}

bool klog_is_wanted(const char *text, size_t len)
{
	return find_beginning(text, len) && !is_private(text, len);
}

bool klog_is_message(const char *text, size_t len)
{
	const struct beginning *b = find_beginning(text, len);

	return b && b->plain;
}
