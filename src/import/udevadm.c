/* SPDX-License-Identifier: GPL-2.0-or-later */
/* udevadm info: the properties of a disk, with or without "E: " before them. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/identity.h"
#include "import/importers.h"

#define SECTION	  "udevadm"
#define MIN_LINES 3u

/* "E: DEVNAME=/dev/sda", "DEVNAME=/dev/sda" */
static const char *property(const char *s, char *name, size_t size)
{
	const char *rest = str_after(s, "E: ");
	size_t n = 0;

	if (!rest)
		rest = s;
	while ((rest[n] >= 'A' && rest[n] <= 'Z') || rest[n] == '_' ||
	       (n && str_is_digit(rest[n])))
		n++;
	if (rest[n] != '=' || n < 4 || n >= size)
		return NULL;
	memcpy(name, rest, n);
	name[n] = '\0';
	return rest + n + 1;
}

/* Lines of other kinds that udevadm prints: P: N: L: S: R: ..., and what mail makes of long ones. */
static bool is_other(const char *s)
{
	if (str_starts(s, "/devices/") ||
	    (s[0] >= 'A' && s[0] <= 'Z' && str_equal(s + 1, ":")))
		return true;
	return s[0] >= 'A' && s[0] <= 'Z' && s[1] == ':' && s[2] == ' ';
}

/* "Samsung\x20SSD\x20850" */
static void decode(char *s)
{
	char *to = s;

	while (*s) {
		const char *hex = s + 2;
		uint64_t c;

		if (s[0] == '\\' && s[1] == 'x' && s[2] && s[3]) {
			char two[3] = { hex[0], hex[1], '\0' };
			const char *p = two;

			if (str_take_u64(&p, 16, &c) == 0 && !*p && c >= 0x20 &&
			    c < 0x7f) {
				*to++ = (char)c;
				s += 4;
				continue;
			}
		}
		*to++ = *s++;
	}
	*to = '\0';
}

static void set_model(struct identity *d, const char *value, bool encoded)
{
	if (!encoded && d->model[0])
		return;
	(void)identity_set(d, "MODEL", value, strlen(value));
	if (encoded)
		decode(d->model);
	for (char *p = d->model; !encoded && *p; p++)
		if (*p == '_')
			*p = ' ';
	while (d->model[0] && d->model[strlen(d->model) - 1] == ' ')
		d->model[strlen(d->model) - 1] = '\0';
}

/* "/devices/pci0000:00/0000:00:1f.2/ata3/host2/target2:0:0/..." */
static void set_port(struct identity *d, const char *path)
{
	const char *p = strstr(path, "/ata");
	size_t n = p ? 1 + strcspn(p + 1, "/") : 0;

	if (n > 4 && n < sizeof(d->port) && strspn(p + 4, "0123456789") == n - 4) {
		memcpy(d->port, p + 1, n - 1);
		d->port[n - 1] = '\0';
	}
}

static void set_number(struct identity *d, const char *name, const char *value)
{
	uint64_t u;

	if (str_to_u64(value, &u) < 0)
		return;
	if (str_equal(name, "ID_ATA_ROTATION_RATE_RPM"))
		d->rpm = u ? u : 1; /* 1 stands for a solid state device */
	else if (str_equal(name, "ID_ATA_WRITE_CACHE_ENABLED"))
		d->write_cache = u == 1;
	else if (str_equal(name, "ID_ATA_FEATURE_SET_SMART_ENABLED"))
		d->smart = u == 1;
	else if (str_equal(name, "ID_ATA_SATA_SIGNAL_RATE_GEN2") && u == 1 &&
		 d->link_mbps < 3000)
		d->link_mbps = 3000;
}

static void set(struct identity *d, const char *name, const char *value)
{
	if (str_equal(name, "DEVNAME") && str_starts(value, "/dev/"))
		(void)identity_set(d, "NAME", value + 5, strlen(value + 5));
	else if (str_equal(name, "DEVTYPE"))
		(void)identity_set(d, "TYPE", value, strlen(value));
	else if (str_equal(name, "ID_MODEL_ENC"))
		set_model(d, value, true);
	else if (str_equal(name, "ID_MODEL"))
		set_model(d, value, false);
	else if (str_equal(name, "ID_SERIAL_SHORT"))
		(void)identity_set(d, "SERIAL", value, strlen(value));
	else if (str_equal(name, "ID_WWN_WITH_EXTENSION") ||
		 (str_equal(name, "ID_WWN") && !d->wwn[0]))
		(void)identity_set(d, "WWN", value, strlen(value));
	else if (str_equal(name, "ID_BUS"))
		(void)identity_set(d, "TRAN", value, strlen(value));
	else if (str_equal(name, "ID_REVISION") && strlen(value) < sizeof(d->firmware))
		(void)snprintf(d->firmware, sizeof(d->firmware), "%s", value);
	else if (str_equal(name, "DEVPATH"))
		set_port(d, value);
	else
		set_number(d, name, value);
}

/* The names it is made of; only of a disk, and whole. */
static int read_block(struct import *im, size_t first, size_t *ret_end)
{
	struct text *t = im->text;
	struct identity d = IDENTITY_NONE;
	char name[64];
	size_t i, n = 0;
	int r;

	d.line = first;
	for (i = first; i < t->n; i++) {
		const struct text_line *l = &t->lines[i];
		const char *value = property(l->s, name, sizeof(name));

		if (l->state != LINE_OPEN || (i > first && str_starts(l->s, "P: ")))
			break;
		if (value && !l->cut && *value) {
			set(&d, name, value);
			n += str_starts(name, "ID_") || str_starts(name, "DEV");
		} else if (!is_other(l->s) && !value) {
			/* double spaced: a property follows the blank line */
			if (l->len || i + 1 >= t->n ||
			    !property(t->lines[i + 1].s, name, sizeof(name)))
				break;
		}
	}
	*ret_end = i > first ? i : first + 1;
	if (n < MIN_LINES || !d.device[0])
		return 0;
	/* the bus of a disk behind a bridge is not its own */
	if (str_equal(d.bus, "ata") && d.link_mbps)
		(void)snprintf(d.bus, sizeof(d.bus), "sata");
	r = identity_put(im, &d, "facts/udevadm");
	for (i = first; i < *ret_end; i++)
		text_claim(t, i, LINE_READ, SECTION);
	return r;
}

static int read_udevadm(struct import *im)
{
	const struct text *t = im->text;
	char name[64];
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)IDENTITY_MAX;) {
		int r;

		if (t->lines[i].state != LINE_OPEN ||
		    (!str_starts(t->lines[i].s, "P: /devices/") &&
		     !property(t->lines[i].s, name, sizeof(name)))) {
			i++;
			continue;
		}
		r = read_block(im, i, &i);
		if (r < 0)
			return r;
		n += r;
	}
	return n;
}

const struct importer importer_udevadm = {
	.name = "udevadm",
	.describe = "properties by udevadm info, as identity",
	.read = read_udevadm,
};
