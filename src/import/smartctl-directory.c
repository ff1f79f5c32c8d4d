/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log directories: "0x80-0x9f  GPL,SL  R/W     16  Host vendor specific log" since 5.43, before
 * that "GP/S  Log at address 0x80 has   16 sectors [Host vendor specific log]".
 */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

struct row {
	uint64_t first, last, sectors;
	bool gpl, smart;
	struct word access; /* .s NULL in the old form */
	const char *name;
	size_t name_len;
};

/* "0x00", "0x80-0x9f" */
static bool get_addresses(struct word w, struct row *ret)
{
	struct word first = { w.s, 4 };

	if ((w.len != 4 && w.len != 9) || word_hex(first, &ret->first) < 0)
		return false;
	ret->last = ret->first;
	if (w.len == 4)
		return true;
	return w.s[4] == '-' && word_hex((struct word){ w.s + 5, 4 }, &ret->last) == 0 &&
	       ret->last > ret->first;
}

static bool get_kind(struct word w, struct row *ret)
{
	static const struct {
		const char *text;
		bool gpl, smart;
	} rows[] = {
		{ "GPL,SL", true, true }, { "GPL", true, false }, { "SL", false, true },
		{ "GP/S", true, true },	  { "GP", true, false },  { "S", false, true },
		{ "SMART", false, true },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		if (!word_is(w, rows[i].text))
			continue;
		ret->gpl = rows[i].gpl;
		ret->smart = rows[i].smart;
		return true;
	}
	return false;
}

static bool is_access(struct word w)
{
	return word_is(w, "R/O") || word_is(w, "R/W") || word_is(w, "VS") ||
	       word_is(w, "-");
}

/* 1: a row, 0: not at all, -1: one that ends too early or makes no sense */
static int fit_table_row(const char *line, struct row *ret)
{
	struct word w[4];
	size_t n = words_split(line, w, 4);

	*ret = (struct row){ 0 };
	if (n < 2 || !get_addresses(w[0], ret) || !get_kind(w[1], ret))
		return 0;
	if (n < 4 || !is_access(w[2]) || word_u64(w[3], 10, &ret->sectors) < 0)
		return -1;
	ret->access = w[2];
	ret->name = w[3].s + w[3].len;
	while (*ret->name == ' ')
		ret->name++;
	ret->name_len = strlen(ret->name);
	return *ret->name ? 1 : -1;
}

static int fit_old_row(const char *line, struct row *ret)
{
	const char *at = strstr(line, "Log at address 0x"), *open, *close;
	struct word w[4];
	size_t n;

	*ret = (struct row){ .smart = true };
	if (!at)
		return 0;
	if (at != line && (words_split(line, w, 1) != 1 || !get_kind(w[0], ret)))
		return 0;
	n = words_split(at + strlen("Log at address "), w, 4);
	open = strchr(at, '[');
	close = open ? strrchr(open, ']') : NULL;
	if (n < 4 || !get_addresses(w[0], ret) || !word_is(w[1], "has") ||
	    word_u64(w[2], 10, &ret->sectors) < 0 || !word_starts(w[3], "sector"))
		return -1;
	if (close) {
		ret->name = open + 1;
		ret->name_len = (size_t)(close - open - 1);
	}
	return 1;
}

static void emit_word(struct smart *s, enum fact_id id, uint32_t address,
		      const char *text, size_t len, size_t i)
{
	struct buf b = { 0 };

	buf_add(&b, text, len);
	emit_text(&s->e, id, address, 0, buf_text(&b), i);
	buf_done(&b);
}

static void emit_row(struct smart *s, const struct row *row, size_t i)
{
	for (uint32_t a = (uint32_t)row->first; a <= row->last; a++) {
		if (row->gpl && smart_bit(s->gpl_seen, a))
			emit_u64(&s->e, FACT_LOG_GPL, a, 0, row->sectors, i);
		if (row->smart && smart_bit(s->log_seen, a))
			emit_u64(&s->e, FACT_LOG_SMART, a, 0, row->sectors, i);
		if (!smart_bit(s->name_seen, a))
			continue;
		if (row->access.s)
			emit_word(s, FACT_LOG_ACCESS, a, row->access.s, row->access.len,
				  i);
		if (row->name_len)
			emit_word(s, FACT_LOG_NAME, a, row->name, row->name_len, i);
	}
}

static size_t take_row(struct smart *s, size_t i)
{
	struct row row;
	size_t n = 1;
	int fit = fit_table_row(smart_line(s, i), &row);

	if (fit < 0 && !smart_is_fresh(s, i + 1) &&
	    fit_table_row(smart_line(s, i + 1), &row) == 0) {
		fit = fit_table_row(smart_join(s, i, 2), &row);
		n = fit > 0 ? 2 : 1;
	}
	if (!fit)
		fit = fit_old_row(smart_line(s, i), &row);
	if (!fit)
		return 0;
	if (fit < 0)
		return smart_claim(s, i, 1, LINE_DAMAGED);
	emit_row(s, &row, i);
	return smart_claim(s, i, n, LINE_READ);
}

static const char prose[] =
	"General Purpose Log Directory Version 1 "
	"SMART Log Directory Version 1 [multi-sector log support] "
	"Address Access R/W Size Description "
	"Log Directory Supported Summary SMART error log Comprehensive SMART error log "
	"Ext. Comprehensive SMART error log Device Statistics log SMART self-test log "
	"Extended self-test log Power Conditions log Selective self-test log "
	"Device Statistics Notification Pending Defects log NCQ Command Error log "
	"SATA Phy Event Counters log SATA NCQ Send and Receive log SATA NCQ Non-Data log "
	"Hybrid Information log Rebuild Assist log LPS Mis-alignment log "
	"Command Duration Limits log LBA Status log Mutate Configurations log "
	"Sector Configuration log Sense Data log Power Consumption Control log "
	"Sense Data for Successful NCQ Cmds log Concurrent Positioning Ranges log "
	"Capacity/Model Number Mapping log Streaming performance log "
	"Write stream error log Read stream error log Delayed sector log "
	"Out Of Band Management Control log Current Device Internal Status Data log "
	"Saved Device Internal Status Data log Set Sector Configuration "
	"Host vendor specific log Device vendor specific log IDENTIFY DEVICE data log ";

const struct smart_section smart_directory = {
	.name = "log-directory",
	.part = PART_DIRECTORY,
	.row = take_row,
	.prose = prose,
};
