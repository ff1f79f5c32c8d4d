/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What arrays and pools say of their members: "zpool status", "btrfs device stats", /proc/mdstat.
 * Their counts of wrong checksums are the only witness of data that came back wrong without an
 * error.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/words.h"

#define SECTION "pool"

/* "12", "1.2K" as zpool prints counts; K is 1000 there. */
static bool take_count(struct word w, uint64_t *ret)
{
	const char *p = w.s, *end = w.s + w.len;
	uint64_t whole, tenth = 0, by = 1;

	if (!w.len || str_take_u64(&p, 10, &whole) < 0 || whole > 1000000000000)
		return false;
	if (p + 1 < end && *p == '.' && str_is_digit(p[1])) {
		tenth = (uint64_t)(p[1] - '0');
		p += 2;
		while (p < end && str_is_digit(*p))
			p++;
	}
	if (p < end && strchr("KMG", *p))
		by = *p == 'K' ? 1000 : *p == 'M' ? 1000000 : 1000000000, p++;
	if (p != end)
		return false;
	*ret = whole * by + tenth * by / 10;
	return true;
}

static bool is_disk_name(struct word w)
{
	return (w.len >= 3 &&
		(word_starts(w, "sd") || word_starts(w, "hd") || word_starts(w, "vd")) &&
		str_is_alpha(w.s[2])) ||
	       word_starts(w, "nvme") || word_starts(w, "/dev/");
}

/*
 * Names below /dev/disk/by-id are BUS-MODEL_SERIAL, spaces written as '_'. Appends the two parts;
 * false when it is no such name.
 */
static bool split_by_id(struct word w, struct buf *model, struct buf *serial)
{
	const char *last = NULL, *end = w.s + w.len, *start;

	if (!word_starts(w, "ata-") && !word_starts(w, "nvme-") &&
	    !word_starts(w, "usb-"))
		return false;
	start = (const char *)memchr(w.s, '-', w.len) + 1;
	if (w.len > 6 && memcmp(end - 6, "-part", 5) == 0)
		end -= 6;
	for (const char *p = start; p < end; p++)
		if (*p == '_')
			last = p;
	if (!last || last == start || last + 1 == end)
		return false;
	for (const char *p = start; p < last; p++)
		buf_putc(model, *p == '_' ? ' ' : *p);
	buf_add(serial, last + 1, (size_t)(end - last - 1));
	return true;
}

static void put_name(struct emit *e, struct word w, size_t line)
{
	struct buf a cleanup_buf = { 0 }, b cleanup_buf = { 0 };

	if (split_by_id(w, &a, &b)) {
		emit_text(e, FACT_MODEL, 0, 0, buf_text(&a), line);
		emit_text(e, FACT_SERIAL, 0, 0, buf_text(&b), line);
		return;
	}
	buf_clear(&a);
	buf_add(&a, w.s, w.len);
	emit_text(e, FACT_DEVICE, 0, 0, buf_text(&a), line);
}

static bool is_state(struct word w)
{
	static const char *const states[] = { "ONLINE",	 "DEGRADED", "FAULTED", "OFFLINE",
					      "REMOVED", "UNAVAIL",  NULL };

	for (const char *const *s = states; *s; s++)
		if (word_is(w, *s))
			return true;
	return false;
}

/* "  sda  ONLINE  0  0  12": only rows of whole disks; pools and mirrors sum them up. */
static int take_zpool_row(struct import *im, size_t i)
{
	static const enum fact_id ids[] = { FACT_FS_READ_ERRORS, FACT_FS_WRITE_ERRORS,
					    FACT_FS_CHECKSUM_ERRORS };
	struct emit e = { .im = im };
	struct buf scratch cleanup_buf = { 0 }, scratch2 cleanup_buf = { 0 };
	struct word w[8];
	size_t n = words_split(im->text->lines[i].s, w, array_size(w));
	uint64_t counts[3];

	if (n < 5 || !is_state(w[1]))
		return 0;
	for (size_t k = 0; k < 3; k++)
		if (!take_count(w[2 + k], &counts[k]))
			return 0;
	text_claim(im->text, i, LINE_READ, SECTION);
	if (!is_disk_name(w[0]) && !split_by_id(w[0], &scratch, &scratch2))
		return 0;
	put_name(&e, w[0], i);
	emit_flag(&e, FACT_ARRAY_MEMBER, 0, true, i);
	for (size_t k = 0; k < 3; k++)
		emit_u64(&e, ids[k], 0, 0, counts[k], i);
	return emit_done(&e, CAP_DRIVE, "facts/pool");
}

/* "[/dev/sda].corruption_errs   12" */
static int take_btrfs_row(struct import *im, size_t i)
{
	static const struct {
		const char *name;
		enum fact_id id;
	} rows[] = {
		{ "].read_io_errs", FACT_FS_READ_ERRORS },
		{ "].write_io_errs", FACT_FS_WRITE_ERRORS },
		{ "].corruption_errs", FACT_FS_CHECKSUM_ERRORS },
	};
	const char *s = im->text->lines[i].s, *at;
	struct emit e = { .im = im };
	struct word value;

	for (size_t k = 0; s[0] == '[' && k < array_size(rows); k++) {
		uint64_t u;

		at = strstr(s, rows[k].name);
		if (!at || words_split(at + strlen(rows[k].name), &value, 1) != 1 ||
		    word_u64(value, 10, &u) < 0)
			continue;
		put_name(&e, (struct word){ s + 1, (size_t)(at - s - 1) }, i);
		emit_u64(&e, rows[k].id, 0, 0, u, i);
		text_claim(im->text, i, LINE_READ, SECTION);
		return emit_done(&e, CAP_DRIVE, "facts/pool");
	}
	return 0;
}

/* "      [=>...]  resync =  7.3% (...)" in the lines below an array. */
static const char *work_below(const struct text *t, size_t i)
{
	static const char *const works[] = { "recovery =", "resync =", "check =",
					     "reshape =", NULL };

	for (size_t k = i + 1; k < t->n && k < i + 5 && t->lines[k].len; k++) {
		if (strstr(t->lines[k].s, " : active"))
			break;
		for (const char *const *w = works; *w; w++)
			if (strstr(t->lines[k].s, *w))
				return *w;
	}
	return NULL;
}

/* "md0 : active raid1 sdb1[1] sda1[0](F)" */
static int take_mdstat_row(struct import *im, size_t i)
{
	const char *work;
	struct word w[64];
	size_t n = words_split(im->text->lines[i].s, w, array_size(w));

	if (n < 4 || !word_starts(w[0], "md") || !word_is(w[1], ":") ||
	    (!word_is(w[2], "active") && !word_is(w[2], "inactive")))
		return 0;
	work = work_below(im->text, i);
	text_claim(im->text, i, LINE_READ, SECTION);
	for (size_t k = 3; k < n; k++) {
		const char *open = memchr(w[k].s, '[', w[k].len);
		struct emit e = { .im = im };
		int r;

		if (!open)
			continue;
		put_name(&e, (struct word){ w[k].s, (size_t)(open - w[k].s) }, i);
		emit_flag(&e, FACT_ARRAY_MEMBER, 0, true, i);
		if (w[k].len > 3 && memcmp(w[k].s + w[k].len - 3, "(F)", 3) == 0)
			emit_flag(&e, FACT_ARRAY_FAILED, 0, true, i);
		if (work)
			emit_text(&e, FACT_ARRAY_WORK, 0, 0, work, i);
		r = emit_done(&e, CAP_DRIVE, "facts/pool");
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_pool(struct import *im)
{
	static int (*const takers[])(struct import *, size_t) = { take_zpool_row,
								  take_btrfs_row,
								  take_mdstat_row };
	int n = 0;

	for (size_t i = 0; i < im->text->n; i++) {
		for (size_t k = 0; k < array_size(takers); k++) {
			int r;

			if (im->text->lines[i].state != LINE_OPEN ||
			    im->text->lines[i].cut)
				break;
			r = takers[k](im, i);
			if (r == -E2BIG)
				return n;
			if (r < 0)
				return r;
			n += im->text->lines[i].state == LINE_READ;
		}
	}
	return n;
}

const struct importer importer_pool = {
	.name = "pool",
	.describe = "zpool status, btrfs device stats, /proc/mdstat",
	.read = read_pool,
};
