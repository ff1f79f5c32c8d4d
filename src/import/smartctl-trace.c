/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces of "-r ioctl,2" between the lines of a report. Sectors that are printed whole are what the
 * drive sent: they become items like those of a live run, in the snapshot of the report around them.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define SECTOR	  512u
#define ROW_BYTES 16u
#define BLOCK_MAX 100u /* lines of one sector, also when each was wrapped */

/* "===== [SMART READ LOG] DATA START (BASE-16) =====": the name, and what stands behind it */
static const char *get_title(const char *line, struct word *ret)
{
	const char *p = words_after(line, "===== ["), *end = p ? strchr(p, ']') : NULL;

	if (!end)
		return NULL;
	*ret = (struct word){ p, (size_t)(end - p) };
	return end + 1;
}

/* "000-015: 40 00 ff 3f ... |@..?|" at OFFSET */
static bool fit_row(const char *line, size_t offset, uint8_t *ret)
{
	struct word w[ROW_BYTES + 1];
	char place[16];
	uint64_t byte;

	(void)snprintf(place, sizeof(place), "%03zu-%03zu:", offset,
		       offset + ROW_BYTES - 1);
	if (words_split(line, w, ROW_BYTES + 1) != ROW_BYTES + 1 || !word_is(w[0], place))
		return false;
	for (size_t k = 0; k < ROW_BYTES; k++) {
		if (w[k + 1].len != 2 || word_u64(w[k + 1], 16, &byte) < 0)
			return false;
		ret[k] = (uint8_t)byte;
	}
	return true;
}

/* The lines of the block that begins at line I, 0 when it does not end; RET when it is whole. */
static size_t read_block(const struct smart *s, size_t i, uint8_t ret[SECTOR],
			 bool *ret_whole)
{
	struct word title;
	size_t at = 0;

	*ret_whole = false;
	for (size_t n = 1; n < BLOCK_MAX && i + n < s->text->n; n++) {
		const char *line = smart_line(s, i + n);
		const char *rest = get_title(line, &title);

		if (rest && words_after(rest, " DATA END (")) {
			*ret_whole = at == SECTOR &&
				     words_after(rest, " DATA END (512 Bytes)");
			return n + 1;
		}
		if (rest || str_starts(line, "REPORT-IOCTL:"))
			return 0;
		/* other lines are the ends of wrapped ones */
		if (at < SECTOR && fit_row(line, at, ret + at))
			at += ROW_BYTES;
	}
	return 0;
}

/* The item that holds such a sector; SMART READ LOG tells its log in the line before. */
static bool get_item(const struct smart *s, struct word name, char *ret, size_t size)
{
	static const struct {
		const char *name, *item;
	} rows[] = {
		{ "IDENTIFY DEVICE", "ata/identify" },
		{ "SMART READ ATTRIBUTE VALUES", "ata/smart/data" },
		{ "SMART READ ATTRIBUTE THRESHOLDS", "ata/smart/thresholds" },
	};

	for (size_t k = 0; k < array_size(rows); k++) {
		if (!word_is(name, rows[k].name))
			continue;
		(void)snprintf(ret, size, "%s", rows[k].item);
		return true;
	}
	if (!word_is(name, "SMART READ LOG") || !s->has_trace_log)
		return false;
	(void)snprintf(ret, size, "ata/smart-log/%02x", (unsigned int)s->trace_log);
	return true;
}

/* The first reading of a page stands. */
static void keep(struct smart *s, const char *item, const uint8_t *bytes)
{
	for (size_t k = 0; k < s->n_pages; k++)
		if (str_equal(s->pages[k]->item, item))
			return;
	if (s->n_pages == array_size(s->pages))
		return;
	s->pages[s->n_pages] = arena_alloc(&s->text->arena, sizeof(*s->pages[0]));
	if (!s->pages[s->n_pages]) {
		s->error = -ENOMEM;
		return;
	}
	(void)snprintf(s->pages[s->n_pages]->item, sizeof(s->pages[0]->item), "%s", item);
	memcpy(s->pages[s->n_pages++]->bytes, bytes, SECTOR);
}

static size_t take_block(struct smart *s, size_t i)
{
	uint8_t bytes[SECTOR];
	struct word name;
	const char *rest = get_title(smart_line(s, i), &name);
	char item[32];
	bool whole;
	size_t n;

	if (!rest || !words_after(rest, " DATA START (BASE-16)"))
		return 0;
	n = read_block(s, i, bytes, &whole);
	if (!n || !whole)
		return smart_claim(s, i, n ? n : 1, LINE_DAMAGED);
	if (!get_item(s, name, item, sizeof(item)))
		return smart_claim(s, i, n, LINE_KNOWN);
	smart_post(s, "trace", i);
	keep(s, item, bytes);
	return smart_claim(s, i, n, LINE_READ);
}

/* "REPORT-IOCTL: Device=/dev/sda Command=SMART READ LOG InputParameter=6" */
static size_t take_call(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	const char *p = strstr(line, "Command=SMART READ LOG InputParameter=");
	uint64_t log;

	if (!str_starts(line, "REPORT-IOCTL:"))
		return 0;
	if (!strstr(line, " returned "))
		s->has_trace_log = false;
	if (p) {
		p += strlen("Command=SMART READ LOG InputParameter=");
		s->has_trace_log = str_take_u64(&p, 10, &log) == 0 && log < 256 && !*p;
		s->trace_log = s->has_trace_log ? (uint32_t)log : 0;
	}
	return smart_claim(s, i, 1, LINE_KNOWN);
}

/* Registers, CDBs and the like: what they led to stands in the report. */
static bool is_call_line(const char *line)
{
	static const char *const starts[] = {
		"Input: FR=",
		"Output: ERR=",
		"[ata pass-through(",
		"scsi_status=0x",
		"info=0x",
		"sg_info=0x",
		"status=0",
		"Incoming data, len=",
		"Outgoing data, len=",
		"[inquiry: 12",
		"[log sense: 4d",
		"[mode sense",
		"[read capacity",
		"[request sense: 03",
		"[test unit ready: 00",
		"[NVMe call",
		"Incoming data trimmed",
		">>> Sense buffer, len=",
		"[report supported",
		"[read defect list",
	};

	for (size_t k = 0; k < array_size(starts); k++)
		if (words_after(line, starts[k]))
			return true;
	return false;
}

/* " 00     00 00 06 12 5b 00 10 02  53 45 41 47 ...    ....[...SEAG": part of a buffer */
static bool is_dump_line(const char *line)
{
	struct word w[10];
	size_t n = words_split(line, w, 10);

	if (n < 9 || w[0].len < 2 || w[0].len > 4)
		return false;
	for (size_t k = 0; k < 9; k++)
		if (!word_is_hex(w[k], k ? 2 : w[0].len))
			return false;
	return true;
}

size_t smart_trace(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	size_t n = take_call(s, i);

	if (!n)
		n = take_block(s, i);
	if (n) {
		s->trace_end = i + n;
		return n;
	}
	if (!is_call_line(line) &&
	    (!s->trace_end || s->trace_end != i || !is_dump_line(line)))
		return 0;
	s->trace_end = i + 1;
	return smart_claim(s, i, 1, LINE_KNOWN);
}

int smart_add_pages(struct smart *s)
{
	struct capture *c = s->im->capture;
	struct cap_subject *subject =
		c->n_subjects ? &c->subjects[c->n_subjects - 1] : NULL;
	struct cap_snapshot *snapshot =
		subject && subject->n_snapshots
			? &subject->snapshots[subject->n_snapshots - 1]
			: NULL;

	for (size_t k = 0; snapshot && k < s->n_pages; k++)
		if (!capture_add_item(c, snapshot, s->pages[k]->item, CAP_OK,
				      span_of(s->pages[k]->bytes, SECTOR)))
			return -ENOMEM;
	return 0;
}
