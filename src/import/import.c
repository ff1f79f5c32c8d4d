/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/import.h"

#include <errno.h>

#include "base/str.h"
#include "import/binary.h"
#include "import/container.h"
#include "import/importers.h"

#define UNKNOWN_MAX 25u /* notes about lines not understood */
#define EXCERPT_MAX 72u

/* clang-format off */
const struct importer *const importers[] = {
	&importer_smartctl_scan,
	&importer_smartctl_json,
	&importer_smartctl_text,
	&importer_sysfs_text,
	&importer_fio,
	&importer_fio_log,
	&importer_ioping,
	&importer_hdparm_timing,
	&importer_hdparm_identify,
	&importer_pages,
	&importer_skdump_text,
	&importer_sg_phy_event,
	&importer_sg_logs,
	&importer_seachest,
	&importer_nvme_cli,
	&importer_lsblk,
	&importer_udevadm,
	&importer_dd,
	&importer_iostat,
	&importer_comparison,
	&importer_stalled,
	&importer_sync,
	&importer_pool,
	&importer_path,
	&importer_kernel_log, /* last: it takes whatever stands behind a time */
	NULL,
};
/* clang-format on */

static void count_lines(const struct text *t, struct import_stats *st)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t *const by_state[] = {
			[LINE_OPEN] = &st->open,       [LINE_READ] = &st->read,
			[LINE_KNOWN] = &st->known,     [LINE_DAMAGED] = &st->damaged,
			[LINE_UNKNOWN] = &st->unknown,
		};

		st->lines++;
		++*by_state[t->lines[i].state];
	}
}

static void report_line(const struct text *t, const struct text_line *line,
			struct diag *d)
{
	const char *section = line->section ? line->section : "report";
	struct buf text = { 0 };

	str_add_escaped(&text, line->s, EXCERPT_MAX);
	if (line->state == LINE_UNKNOWN)
		diag_add(d, DIAG_NOTE, t->file, line->number,
			 "not understood in section %s: \"%s\"", section,
			 buf_text(&text));
	else if (line->cut)
		diag_add(d, DIAG_NOTE, t->file, line->number,
			 "the text ends in this line of section %s, so its last value "
			 "was left out: \"%s\"",
			 section, buf_text(&text));
	else
		diag_add(d, DIAG_NOTE, t->file, line->number,
			 "damaged line of section %s, left out: \"%s\"", section,
			 buf_text(&text));
	buf_done(&text);
}

static void report_lines(const struct text *t, struct diag *d)
{
	size_t unknown = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct text_line *line = &t->lines[i];

		if (line->state == LINE_UNKNOWN && unknown++ >= UNKNOWN_MAX)
			continue;
		if (line->state == LINE_UNKNOWN || line->state == LINE_DAMAGED)
			report_line(t, line, d);
	}
	if (unknown > UNKNOWN_MAX)
		diag_add(d, DIAG_NOTE, t->file, 0, "%zu more lines were not understood",
			 unknown - UNKNOWN_MAX);
}

static int run_importers(struct import *im, struct import_stats *st)
{
	for (const struct importer *const *i = importers; *i; i++) {
		int r = (*i)->read(im);

		if (r < 0)
			return r;
		st->reports += (size_t)r;
	}
	return 0;
}

const struct binary_importer *const binary_importers[] = {
	&importer_skdump_blob,
	&importer_smartctl_json_file,
	&importer_raw_page,
	NULL,
};

static const struct binary_importer *find_binary(struct span s)
{
	for (const struct binary_importer *const *i = binary_importers; *i; i++)
		if ((*i)->is(s))
			return *i;
	return NULL;
}

int import_read(struct span s, const char *file, struct capture *c, struct diag *d,
		struct import_stats *ret_stats)
{
	struct import_stats st = { 0 };
	struct text text;
	struct import im = { .capture = c, .diag = d, .text = &text };
	const struct binary_importer *binary = find_binary(s);
	int r;

	if (binary) {
		r = binary->read(s, file, c, d);
		if (r == 0)
			ret_stats->reports = 1;
		return r;
	}
	if (container_refuse(s, file, d))
		return -EBADMSG;
	r = text_read(&text, file, s, d);
	if (r == -EBADMSG && s.len % 512 == 0)
		diag_add(d, DIAG_NOTE, file, 0,
			 "if it is a page that a drive gave, say which: --page "
			 "ata/log/04/01");
	if (r < 0)
		return r;
	r = run_importers(&im, &st);
	if (r == 0) {
		count_lines(&text, &st);
		report_lines(&text, d);
		*ret_stats = st;
	}
	if (r == 0 && !st.reports) {
		diag_add(
			d, DIAG_ERROR, file, 0,
			"no report, log or benchmark that is known here was found in it");
		r = -ENOMSG;
	}
	text_done(&text);
	return r;
}
