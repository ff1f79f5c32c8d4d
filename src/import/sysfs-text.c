/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of the kernel as people post them: "grep . FILE" (path:value), "cat FILE" with the
 * value on the next line, or "name = value". A value is taken only if the kernel has it, so a
 * sentence about a setting is never taken for the setting.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/words.h"

enum scope { SCOPE_HOST, SCOPE_DISK, SCOPE_LINK };

struct setting {
	const char *name;
	enum fact_id id;
	enum scope scope;
	const char *const *values; /* NULL: a number */
	bool bracketed;		   /* the one in [] counts */
	bool speed;		   /* "6.0 Gbps" */
};

/* Documentation/ABI/testing/sysfs-class-scsi_host; drivers/ata/libata-sata.c */
static const char *const policies[] = {
	"keep_firmware_settings",
	"max_performance",
	"medium_power",
	"med_power_with_dipm",
	"min_power_with_partial",
	"min_power",
	NULL,
};

static const char *const schedulers[] = {
	"none", "noop",	       "deadline", "cfq", "anticipatory",
	"bfq",	"mq-deadline", "kyber",	   NULL,
};

static const struct setting settings[] = {
	{ "link_power_management_policy", FACT_LINK_POWER_POLICY, SCOPE_HOST, policies,
	  false, false },
	{ "queue/scheduler", FACT_SCHEDULER, SCOPE_DISK, schedulers, true, false },
	{ "device/queue_depth", FACT_QUEUE_DEPTH, SCOPE_DISK, NULL, false, false },
	{ "queue/rotational", FACT_HOST_ROTATIONAL, SCOPE_DISK, NULL, false, false },
	{ "device/timeout", FACT_COMMAND_TIMEOUT_S, SCOPE_DISK, NULL, false, false },
	{ "queue/discard_max_bytes", FACT_DISCARD_MAX, SCOPE_DISK, NULL, false, false },
	{ "queue/physical_block_size", FACT_PHYSICAL_SECTOR, SCOPE_DISK, NULL, false,
	  false },
	{ "queue/logical_block_size", FACT_LOGICAL_SECTOR, SCOPE_DISK, NULL, false,
	  false },
	/* /sys/class/ata_link/link3: the link of port ata3 */
	{ "/sata_spd", FACT_LINK_CURRENT, SCOPE_LINK, NULL, false, true },
	{ "/sata_spd_limit", FACT_LINK_LIMIT, SCOPE_LINK, NULL, false, true },
	{ "/hw_sata_spd_limit", FACT_LINK_PORT_MAX, SCOPE_LINK, NULL, false, true },
};

static bool in_list(const char *const *list, struct word w)
{
	for (; *list; list++)
		if (word_is(w, *list))
			return true;
	return false;
}

/* "6.0 Gbps" as Mbit/s; "<unknown>" is none. */
static bool take_speed(const struct word *w, size_t n, uint64_t *ret)
{
	if (n != 2 || !word_is(w[1], "Gbps") || w[0].len != 3 ||
	    !str_is_digit(w[0].s[0]) || w[0].s[1] != '.' || !str_is_digit(w[0].s[2]))
		return false;
	*ret = (uint64_t)(w[0].s[0] - '0') * 1000 + (uint64_t)(w[0].s[2] - '0') * 100;
	return true;
}

/* The value in S, or false when S does not start with one that the kernel could have printed. */
static bool take_value(const struct setting *k, const char *s, struct word *ret)
{
	struct word words[10];
	size_t n = words_split(s, words, array_size(words));
	uint64_t u;

	if (k->speed) {
		*ret = words[0];
		return take_speed(words, n, &u);
	}
	for (size_t i = 0; i < n; i++) {
		struct word w = words[i];
		bool marked = w.len > 2 && w.s[0] == '[' && w.s[w.len - 1] == ']';

		if (marked)
			w = (struct word){ w.s + 1, w.len - 2 };
		if (k->values ? !in_list(k->values, w) : word_u64(w, 10, &u) < 0 || n > 1)
			return false;
		/* without brackets only a list of one says which it is */
		if (marked || !k->bracketed || n == 1) {
			*ret = w;
			return true;
		}
	}
	return false;
}

/* ".../block/sda/queue/scheduler": the disk, or an empty word. */
static struct word disk_of(const char *line, const char *at)
{
	const char *end = at;

	while (end > line && end[-1] == '/')
		end--;
	at = end;
	while (at > line && (str_is_alpha(at[-1]) || str_is_digit(at[-1])))
		at--;
	return (struct word){ at, (size_t)(end - at) };
}

/* Nobody else could read it: prose, or a stranger at the end of somebody's section. */
static bool is_free(const struct text *t, size_t i)
{
	return t->lines[i].state == LINE_OPEN || t->lines[i].state == LINE_UNKNOWN;
}

struct found {
	struct word value, disk;
	size_t n_lines;
};

static bool look_at(const struct text *t, size_t i, const struct setting *k,
		    struct found *ret)
{
	const char *line = t->lines[i].s, *at = strstr(line, k->name), *rest;

	if (!at)
		return false;
	rest = at + strlen(k->name);
	*ret = (struct found){ .disk = disk_of(line, at), .n_lines = 1 };
	while (*rest == ' ')
		rest++;
	if (*rest == ':' || *rest == '=')
		return !t->lines[i].cut && take_value(k, rest + 1, &ret->value);
	if (*rest || !strstr(line, "cat ") || i + 1 >= t->n || t->lines[i + 1].cut)
		return false;
	ret->n_lines = 2;
	return take_value(k, t->lines[i + 1].s, &ret->value);
}

static int emit_setting(struct import *im, const struct setting *k, const struct found *f,
			size_t i)
{
	struct emit e = { .im = im };
	struct buf text cleanup_buf = { 0 };
	size_t line = i + f->n_lines - 1;
	uint64_t u;

	if (k->scope != SCOPE_HOST) {
		bool link = k->scope == SCOPE_LINK;

		/* "link3" is the link of "ata3" */
		buf_puts(&text, link ? "ata" : "");
		buf_add(&text, f->disk.s + (link ? 4 : 0), f->disk.len - (link ? 4 : 0));
		emit_text(&e, link ? FACT_PORT : FACT_DEVICE, 0, 0, buf_text(&text), i);
		buf_clear(&text);
	}
	buf_add(&text, f->value.s, f->value.len);
	if (k->speed) {
		struct word w[3];

		if (take_speed(w, words_split(f->value.s, w, array_size(w)), &u))
			emit_u64(&e, k->id, 0, 0, u, line);
	} else if (k->values)
		emit_text(&e, k->id, 0, 0, buf_text(&text), line);
	else if (word_u64(f->value, 10, &u) == 0)
		emit_u64(&e, k->id, 0, 0, u, line);
	for (size_t n = 0; n < f->n_lines; n++)
		text_claim(im->text, i + n, LINE_READ, "sysfs");
	return emit_done(&e, k->scope == SCOPE_HOST ? CAP_HOST : CAP_DRIVE,
			 "facts/sysfs");
}

/* Ports with different values: which one is this drive's cannot be told, so none is taken. */
static bool ports_differ(const struct text *t, const struct setting *k, size_t *ret_line)
{
	struct word first = { 0 };
	struct found f;

	for (size_t i = 0; k->scope == SCOPE_HOST && i < t->n; i++) {
		if (!is_free(t, i) || !look_at(t, i, k, &f))
			continue;
		if (first.len && (first.len != f.value.len ||
				  memcmp(first.s, f.value.s, first.len) != 0)) {
			*ret_line = i;
			return true;
		}
		first = f.value;
	}
	return false;
}

/* "link3", not that of a port multiplier ("link3.0") */
static bool is_link(struct word w)
{
	uint64_t u;

	return word_starts(w, "link") && w.len > 4 &&
	       word_u64((struct word){ w.s + 4, w.len - 4 }, 10, &u) == 0;
}

static int read_setting(struct import *im, const struct setting *k)
{
	size_t at;
	int n = 0;

	if (ports_differ(im->text, k, &at)) {
		diag_add(
			im->diag, DIAG_NOTE, im->text->file, im->text->lines[at].number,
			"another value of %s: which port is this drive's cannot be told, "
			"so none is used",
			k->name);
		return 0;
	}
	for (size_t i = 0; i < im->text->n; i++) {
		struct found f;
		int r;

		if (!is_free(im->text, i) || !look_at(im->text, i, k, &f) ||
		    (k->scope == SCOPE_DISK && !f.disk.len) ||
		    (k->scope == SCOPE_LINK && !is_link(f.disk)))
			continue;
		r = emit_setting(im, k, &f, i);
		if (r < 0 && r != -E2BIG)
			return r;
		n++;
		if (k->scope == SCOPE_HOST)
			break; /* all others are equal */
	}
	return n;
}

static int read_sysfs(struct import *im)
{
	int n = 0;

	for (size_t k = 0; k < array_size(settings); k++) {
		int r = read_setting(im, &settings[k]);

		if (r < 0)
			return r;
		n += r;
	}
	return n;
}

const struct importer importer_sysfs_text = {
	.name = "sysfs-text",
	.describe = "link power policy, link speeds, scheduler and queue depth as posted "
		    "from /sys",
	.read = read_sysfs,
};
