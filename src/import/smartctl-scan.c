/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of "smartctl --scan" and "--scan-open": "/dev/sda -d sat # /dev/sda [SAT], ATA device". Each
 * line is a drive that is there; its report, when it is posted too, finds it by that name.
 */
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/words.h"

#define SECTION "scan"

struct found {
	struct word name, type;
	const char *protocol; /* as fact bus, NULL: not told */
	const char
		*failed; /* why it could not be opened, NULL: it could, or nobody tried */
};

static bool get_protocol(const char *info, struct found *ret)
{
	static const struct {
		const char *text, *bus;
	} rows[] = {
		{ ", ATA device", NULL },
		{ ", SCSI device", NULL },
		{ ", NVMe device", "nvme" },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		const char *at = strstr(info, rows[i].text);

		if (!at)
			continue;
		at += strlen(rows[i].text);
		ret->protocol = rows[i].bus;
		ret->failed = str_after(at, " open failed: ");
		return !*at || ret->failed;
	}
	return false;
}

/* "# " before the line marks what could not be opened. */
static bool fit_line(const char *line, struct found *ret)
{
	struct word w[5];
	size_t n;

	*ret = (struct found){ 0 };
	/* a list of two is too short to know its line numbers by */
	line += strspn(line, "0123456789");
	line += *line == ':' || *line == '.';
	line += strspn(line, " ");
	if (str_starts(line, "# /dev/"))
		line += 2;
	n = words_split(line, w, 5);
	if (n < 5 || !word_starts(w[0], "/dev/") || !word_is(w[1], "-d") ||
	    !word_is(w[3], "#") || w[0].len < 6 || w[0].len > 200)
		return false;
	ret->name = (struct word){ w[0].s + 5, w[0].len - 5 };
	ret->type = w[2];
	return get_protocol(w[4].s, ret);
}

static void put_word(struct emit *e, enum fact_id id, struct word w, const char *before,
		     struct word more, size_t line)
{
	struct buf b = { 0 };

	buf_add(&b, w.s, w.len);
	if (before) {
		buf_puts(&b, before);
		buf_add(&b, more.s, more.len);
		buf_putc(&b, ']');
	}
	emit_text(e, id, 0, 0, buf_text(&b), line);
	buf_done(&b);
}

/* Drives behind one controller share its name: their type goes with it. */
static int take(struct import *im, const struct found *f, size_t line)
{
	struct emit e = { .im = im };
	bool several = memchr(f->type.s, ',', f->type.len) != NULL;

	put_word(&e, FACT_DEVICE, f->name, several ? " [" : NULL, f->type, line);
	put_word(&e, FACT_POSTED_TYPE, f->type, NULL, f->type, line);
	if (f->protocol)
		emit_text(&e, FACT_BUS, 0, 0, f->protocol, line);
	if (f->failed)
		emit_text(&e, FACT_POSTED_WARNING, 0, 0, f->failed, line);
	text_claim(im->text, line, LINE_READ, SECTION);
	return emit_done(&e, CAP_DRIVE, "facts/smartctl-scan");
}

static int scan_read(struct import *im)
{
	int found = 0;

	for (size_t i = 0; i < im->text->n; i++) {
		const struct text_line *l = &im->text->lines[i];
		struct found f;
		int r;

		if (l->state != LINE_OPEN || !fit_line(l->s, &f))
			continue;
		r = take(im, &f, i);
		if (r < 0)
			return r;
		found++;
	}
	return found;
}

const struct importer importer_smartctl_scan = {
	.name = "smartctl-scan",
	.describe = "drives that smartctl --scan or --scan-open lists",
	.read = scan_read,
};
