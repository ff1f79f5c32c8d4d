/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of SCSI reports: error counters, self-tests, background scans. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define ROW_WORDS 24u
#define ROW_LINES 3u

/* --- "read:   2242530  24029  1718309  2266559  30372  409777.659  0", SPC log pages 02h 03h 05h --- */

#define COUNTERS  7u
#define GIGABYTES 5u

static const struct {
	const char *name;
	uint32_t page;
} operations[] = {
	{ "read:", 0x03 },
	{ "write:", 0x02 },
	{ "verify:", 0x05 },
};

static const enum fact_id counters[COUNTERS] = {
	FACT_SCSI_ERR_FAST,	   FACT_SCSI_ERR_DELAYED,   FACT_SCSI_ERR_RETRIES,
	FACT_SCSI_ERR_CORRECTED,   FACT_SCSI_ERR_ALGORITHM, FACT_SCSI_ERR_BYTES,
	FACT_SCSI_ERR_UNCORRECTED,
};

static const char *find_operation(const char *line, uint32_t *ret_page)
{
	for (size_t i = 0; i < array_size(operations); i++) {
		const char *rest = words_after(line, operations[i].name);

		if (!rest)
			continue;
		*ret_page = operations[i].page;
		return rest;
	}
	return NULL;
}

/* How many of the counters stand there; more than there are when it is no such row. */
static size_t fit_counters(const char *rest, uint64_t ret[COUNTERS])
{
	struct word w[COUNTERS + 1];
	size_t n = words_split(rest, w, COUNTERS + 1);

	for (size_t k = 0; k < n && k < COUNTERS; k++) {
		bool ok = k == GIGABYTES ? smart_get_decimal(w[k], 3, &ret[k])
					 : word_u64(w[k], 10, &ret[k]) == 0;

		if (!ok)
			return k + 1 == n ? k : COUNTERS + 1;
	}
	return n;
}

static bool is_number_line(const char *line)
{
	return str_is_digit(*line) && !line[strspn(line, "0123456789., ")];
}

static size_t take_counters(struct smart *s, size_t i)
{
	uint32_t page;
	uint64_t value[COUNTERS];
	const char *rest = find_operation(smart_line(s, i), &page);
	size_t n = 1, got;

	if (!rest)
		return 0;
	got = fit_counters(rest, value);
	while (got < COUNTERS && n < ROW_LINES && is_number_line(smart_line(s, i + n))) {
		(void)find_operation(smart_join(s, i, ++n), &page);
		got = fit_counters(strchr(buf_text(&s->join), ':') + 1, value);
	}
	/* a line of digits below may be the rest of the last number */
	if (got != COUNTERS || smart_is_cut(s, i + n - 1) ||
	    is_number_line(smart_line(s, i + n)))
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!smart_bit(s->log_seen, page))
		return smart_claim(s, i, n, LINE_DAMAGED);
	for (size_t k = 0; k < COUNTERS; k++) {
		if (k == GIGABYTES && value[k] > UINT64_MAX / 1000000)
			continue;
		emit_u64(&s->e, counters[k], page, 0,
			 k == GIGABYTES ? value[k] * 1000000 : value[k], i);
	}
	return smart_claim(s, i, n, LINE_READ);
}

static bool is_counter_seen(const struct smart *s, const char *line)
{
	uint32_t page;

	return find_operation(line, &page) && smart_has_bit(s->log_seen, page);
}

static const char error_prose[] =
	"Errors Corrected by Total Correction Gigabytes Total "
	"Errors Corrected Total Total Correction Gigabytes Total "
	"ECC rereads/ errors algorithm processed uncorrected "
	"delay: [rereads/ errors algorithm processed uncorrected "
	"EEC rereads/ errors algorithm processed uncorrected "
	"fast | delayed rewrites corrected invocations [10^9 bytes] errors "
	"minor | major rewrites] corrected invocations [10^9 bytes] errors ";

const struct smart_section smart_scsi_errors = {
	.name = "scsi-errors",
	.part = PART_SCSI_ERRORS,
	.row = take_counters,
	.is_seen = is_counter_seen,
	.prose = error_prose,
};

/* --- "# 1  Background long   Completed     -     980        - [-   -    -]" ----------------------- */

struct test {
	uint64_t number, segment, hours, lba;
	const char *type, *result, *sense;
	size_t type_len, result_len, sense_len;
	bool has_segment, has_hours, now, has_lba;
};

static const char *const test_types[] = {
	"Background short",    "Background long",  "Foreground short",
	"Foreground long",     "Abort background", "Default",
	"Reserved(3)",	       "Reserved(7)",	   "Background extended",
	"Foreground extended",
};

/* The results that smartctl knows: their ends show that no number of the row is among the words. */
static const char *const test_results[] = {
	"Completed, segment failed", "Completed",
	"Aborted (by user command)", "Aborted (device reset ?)",
	"Interrupted (bus reset ?)", "Interrupted ('-X' switch)",
	"Unknown error, incomplete", "Failed in first segment",
	"Failed in second segment",  "Failed in segment -->",
	"Self test in progress ...", "Reserved(",
};

static const char *skip(const char *p, const char *const *words, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const char *rest = words_after(p, words[k]);

		if (rest)
			return rest;
	}
	return NULL;
}

/* Behind the result: segment, hours, address, "[sense]" */
static bool fit_numbers(const char *p, struct test *ret)
{
	struct word w[4];
	const char *open = strchr(p, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close || words_split(p, w, 4) != 4 || w[3].s != open)
		return false;
	ret->has_segment = word_u64(w[0], 10, &ret->segment) == 0;
	ret->has_hours = word_u64(w[1], 10, &ret->hours) == 0;
	ret->now = word_is(w[1], "NOW");
	ret->has_lba =
		word_u64(w[2], 10, &ret->lba) == 0 || word_hex(w[2], &ret->lba) == 0;
	ret->sense = open + 1;
	ret->sense_len = (size_t)(close - open - 1);
	return (ret->has_segment || word_is(w[0], "-")) && (ret->has_hours || ret->now) &&
	       (ret->has_lba || word_is(w[2], "-"));
}

static const char *get_number(const char *line, uint64_t *ret)
{
	const char *p = line;

	if (*p++ != '#')
		return NULL;
	while (*p == ' ')
		p++;
	if (str_take_u64(&p, 10, ret) < 0 || *p != ' ')
		return NULL;
	while (*p == ' ')
		p++;
	return p;
}

static bool fit_test(const char *line, struct test *ret)
{
	const char *end;

	*ret = (struct test){ 0 };
	ret->type = get_number(line, &ret->number);
	end = ret->type ? skip(ret->type, test_types, array_size(test_types)) : NULL;
	if (!end)
		return false;
	ret->type_len = (size_t)(end - ret->type);
	ret->result = end + strspn(end, " ");
	end = skip(ret->result, test_results, array_size(test_results));
	if (end && str_ends(ret->result, ")") == 0 && end[-1] == '(')
		end = strchr(end, ')') ? strchr(end, ')') + 1 : NULL;
	if (!end)
		return false;
	ret->result_len = (size_t)(end - ret->result);
	if (ret->result_len > 3 && memcmp(end - 3, "-->", 3) == 0)
		ret->result_len -= 3;
	return fit_numbers(end, ret);
}

static void emit_test(struct smart *s, const struct test *t, size_t i)
{
	uint32_t key = s->tests++;

	emit_u64(&s->e, FACT_SELFTEST_NUMBER, key, 0, t->number, i);
	smart_emit_words(s, FACT_SELFTEST_TYPE, key, t->type, t->type_len, i);
	smart_emit_words(s, FACT_SELFTEST_RESULT, key, t->result, t->result_len, i);
	if (t->has_hours)
		emit_u64(&s->e, FACT_SELFTEST_HOURS, key, 0, t->hours, i);
	if (t->has_lba)
		emit_u64(&s->e, FACT_SELFTEST_LBA, key, 0, t->lba, i);
	if (t->has_segment)
		emit_u64(&s->e, FACT_SELFTEST_SEGMENT, key, 0, t->segment, i);
	if (t->sense[strspn(t->sense, "- ]")] && *t->sense != ']')
		smart_emit_words(s, FACT_SELFTEST_SENSE, key, t->sense, t->sense_len, i);
}

static size_t take_test(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	struct test t;
	size_t n = 1;
	uint64_t number;

	if (str_starts(line, "No self-tests have been logged") ||
	    str_starts(line, "No Self-tests have been logged"))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!get_number(line, &number))
		return 0;
	while (!fit_test(smart_join(s, i, n), &t) && n < ROW_LINES &&
	       !smart_is_fresh(s, i + n) && !get_number(smart_line(s, i + n), &number))
		n++;
	if (!fit_test(smart_join(s, i, n), &t)) {
		s->tests++;
		return smart_claim(s, i, 1, LINE_DAMAGED);
	}
	emit_test(s, &t, i);
	return smart_claim(s, i, n, LINE_READ);
}

size_t smart_scsi_test_head(struct smart *s, size_t i)
{
	smart_text(s, FACT_SELFTEST_LOG_READ, "SCSI self-test results log", i);
	return smart_claim(s, i, 1, LINE_READ);
}

static const char test_prose[] =
	"Num Test Status segment LifeTime LBA_first_err [SK ASC ASQ] "
	"Description number (hours) ";

const struct smart_section smart_scsi_tests = {
	.name = "selftest",
	.part = PART_TESTS,
	.row = take_test,
	.prose = test_prose,
};

/* --- background scan results, SBC log page 15h ------------------------------------------------ */

/* "250, scan progress: 5.23%" */
static bool read_scans(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = v->s, *progress = strstr(v->s, "scan progress:");
	struct word w[1];
	uint64_t n, ppm;

	if (str_take_u64(&p, 10, &n) < 0 || *p != ',' || !progress)
		return false;
	smart_u64(s, id, n, v->line);
	progress += strlen("scan progress:");
	if (words_split(progress, w, 1) != 1 || w[0].s[w[0].len - 1] != '%')
		return false;
	w[0].len--;
	if (!smart_get_decimal(w[0], 2, &ppm) || ppm > 10000)
		return false;
	smart_u64(s, FACT_BMS_PROGRESS, ppm * 100, v->line);
	return true;
}

static const struct smart_key scan_keys[] = {
	{ "Status:", FACT_BMS_STATUS, smart_read_text, false },
	{ "Accumulated power on time, hours:minutes", FACT_POWER_ON_HOURS,
	  smart_read_hours, true },
	{ "Number of background scans performed:", FACT_BMS_SCANS, read_scans, true },
	{ "Number of background medium scans performed:", FACT_BMS_MEDIUM_SCANS,
	  smart_read_count, true },
	{ NULL, FACT_COUNT, NULL, false },
};

static const char *const reassign_states[] = {
	"Require Write or Reassign Blocks command",
	"Successfully reassigned",
	"Reassignment by disk failed",
	"Recovered via rewrite in-place",
	"Reassigned by app, has valid data",
	"Reassigned by app, has no valid data",
	"Unsuccessfully reassigned by app",
	"Reserved [0x",
	"Reassign status: reserved [0x",
};

/* "   1  300:25  000000000a1b2c3d  [3,11,0]   Recovered via rewrite in-place" */
static size_t take_result(struct smart *s, size_t i)
{
	struct word w[5];
	size_t n = 1, words = words_split(smart_line(s, i), w, 5);
	uint64_t number, hours, minutes, lba;
	const char *p;

	if (words < 3 || word_u64(w[0], 10, &number) < 0 || number > 2048 ||
	    !word_is_hex(w[2], 16) || word_u64(w[2], 16, &lba) < 0)
		return 0;
	p = w[1].s;
	if (str_take_u64(&p, 10, &hours) < 0 || *p++ != ':' ||
	    str_take_u64(&p, 10, &minutes) < 0 || minutes > 59)
		return 0;
	while (n < 2 &&
	       !skip(words > 4 ? w[4].s : "", reassign_states,
		     array_size(reassign_states)) &&
	       !smart_is_fresh(s, i + n))
		words = words_split(smart_join(s, i, ++n), w, 5);
	if (words < 5 || w[3].s[0] != '[' || w[3].s[w[3].len - 1] != ']' ||
	    !skip(w[4].s, reassign_states, array_size(reassign_states)) ||
	    hours > 10000000)
		return smart_claim(s, i, 1, LINE_DAMAGED);
	emit_u64(&s->e, FACT_BMS_MINUTES, (uint32_t)number, 0, hours * 60 + minutes, i);
	emit_u64(&s->e, FACT_BMS_LBA, (uint32_t)number, 0, lba, i);
	smart_emit_words(s, FACT_BMS_SENSE, (uint32_t)number, w[3].s + 1, w[3].len - 2,
			 i);
	smart_emit_words(s, FACT_BMS_REASSIGN, (uint32_t)number, w[4].s, strlen(w[4].s),
			 i);
	return smart_claim(s, i, n, LINE_READ);
}

static size_t take_scan(struct smart *s, size_t i)
{
	struct smart_value v = { smart_line(s, i), i, 1, smart_is_cut(s, i) };
	size_t n = smart_take_key(s, scan_keys, i);

	if (!n && str_starts(v.s, ">>>> log truncated"))
		return smart_claim(s, i, 1,
				   smart_read_line(s, &v, FACT_COUNT) ? LINE_READ
								      : LINE_DAMAGED);
	return n ? n : take_result(s, i);
}

static const char scan_prose[] = "# when lba(hex) [sk,asc,ascq] reassign_status ";

const struct smart_section smart_background = {
	.name = "background-scan",
	.part = PART_BACKGROUND,
	.row = take_scan,
	.prose = scan_prose,
};
