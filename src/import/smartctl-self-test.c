/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Self-test logs and the selective self-test log. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define ROW_WORDS 16u

/* --- "# 1  Extended offline    Completed: read failure       90%     12345         8675309" -- */

struct row {
	uint64_t number, remaining, hours, lba;
	struct word what; /* kind of test and result, still together */
	bool has_hours, has_lba, lba_posted;
};

/* "# 1", "#10" */
static size_t get_number(const struct word *w, size_t n, uint64_t *ret)
{
	if (n > 1 && word_is(w[0], "#") && word_u64(w[1], 10, ret) == 0)
		return 2;
	if (n > 0 && w[0].len > 1 && w[0].s[0] == '#' &&
	    word_u64((struct word){ w[0].s + 1, w[0].len - 1 }, 10, ret) == 0)
		return 1;
	return 0;
}

static bool is_percent(struct word w, uint64_t *ret)
{
	return w.len > 1 && w.len <= 4 && w.s[w.len - 1] == '%' &&
	       word_u64((struct word){ w.s, w.len - 1 }, 10, ret) == 0 && *ret <= 100;
}

/* False when the line is no row at all; what is missing at its end stays unset. */
static bool fit_row(const char *line, struct row *ret)
{
	struct word w[ROW_WORDS];
	size_t n = words_split(line, w, ROW_WORDS), at, k;

	*ret = (struct row){ 0 };
	at = get_number(w, n, &ret->number);
	if (!at)
		return false;
	for (k = at; k < n && !is_percent(w[k], &ret->remaining); k++)
		;
	ret->what.s = at < n ? w[at].s : line + strlen(line);
	if (k == at || k >= n)
		return true;
	ret->what.len = (size_t)(w[k - 1].s + w[k - 1].len - ret->what.s);
	if (k + 1 < n)
		ret->has_hours = word_u64(w[k + 1], 10, &ret->hours) == 0;
	if (k + 2 < n) {
		ret->lba_posted = true;
		ret->has_lba = word_hex(w[k + 2], &ret->lba) == 0 ||
			       word_u64(w[k + 2], 10, &ret->lba) == 0;
		if (!ret->has_lba && !word_is(w[k + 2], "-"))
			ret->has_hours = false; /* no row of this table */
	}
	return true;
}

/* "1 of 3 failed self-tests are outdated by newer successful extended offline self-test # 2" */
static bool is_summary(const char *line)
{
	return str_is_digit(*line) && strstr(line, " failed self-tests are outdated");
}

static bool goes_on(const struct smart *s, size_t i)
{
	struct row row;

	return !smart_is_fresh(s, i) && !fit_row(smart_line(s, i), &row) &&
	       !smart_is_prose(s, i) && !is_summary(smart_line(s, i));
}

/*
 * The address is the last column; before 5.1-9 it was empty. A lone one below belongs to a test that
 * failed; another number there may be the end of the hours, which a terminal cut in two.
 */
enum below { BELOW_OTHER, BELOW_ADDRESS, BELOW_TORN };

static enum below look_below(const struct smart *s, size_t i, const struct row *row)
{
	struct word w[2];
	const char *line = smart_line(s, i);
	size_t n = words_split(line, w, 2);
	bool failed = memmem(row->what.s, row->what.len, "fail", 4) != NULL;

	if (!goes_on(s, i) || n == 0)
		return BELOW_OTHER;
	if (n == 1 && (word_is(w[0], "-") || (failed && str_is_digit(*line))))
		return BELOW_ADDRESS;
	return str_is_digit(*line) ? BELOW_TORN : BELOW_OTHER;
}

/* How many lines make the row; false when it cannot be told where its numbers end. */
static bool gather(struct smart *s, size_t i, struct row *ret, size_t *ret_lines)
{
	size_t n = 1;
	enum below below;

	(void)fit_row(smart_line(s, i), ret);
	while (!ret->has_hours && n < 3 && goes_on(s, i + n))
		(void)fit_row(smart_join(s, i, ++n), ret);
	below = look_below(s, i + n, ret);
	n += ret->has_hours && !ret->lba_posted && below == BELOW_ADDRESS;
	(void)fit_row(smart_join(s, i, n), ret);
	*ret_lines = n;
	return ret->has_hours &&
	       (below != BELOW_TORN || (ret->lba_posted && !ret->has_lba));
}

/* Where the result begins behind the kind of test: "Short offline Completed ...". */
static size_t result_at(struct word what)
{
	static const char *const results[] = {
		"Completed",	 "Aborted by",	    "Interrupted",   "Fatal or",
		"Self-test rou", "Unknown failure", "Unknown statu", "Unknown/reser",
		"Unknown test",	 "Reserved (",
	};

	for (size_t at = 1; at < what.len; at++) {
		struct word rest = { what.s + at, what.len - at };

		if (what.s[at - 1] != ' ')
			continue;
		for (size_t i = 0; i < array_size(results); i++)
			if (word_starts(rest, results[i]))
				return at;
	}
	return what.len;
}

static void emit_row(struct smart *s, const struct row *row, bool whole, size_t i)
{
	uint32_t key = s->tests++;
	size_t at = result_at(row->what);

	emit_u64(&s->e, FACT_SELFTEST_NUMBER, key, 0, row->number, i);
	smart_emit_words(s, FACT_SELFTEST_TYPE, key, row->what.s, at, i);
	smart_emit_words(s, FACT_SELFTEST_RESULT, key, row->what.s + at,
			 row->what.len - at, i);
	emit_u64(&s->e, FACT_SELFTEST_REMAINING, key, 0, row->remaining, i);
	emit_u64(&s->e, FACT_SELFTEST_HOURS, key, 0, row->hours, i);
	if (row->has_lba && whole)
		emit_u64(&s->e, FACT_SELFTEST_LBA, key, 0, row->lba, i);
}

/* A row without the log's heading above it: all of it, with a result that is known. */
static bool is_unmistakable(struct smart *s, const struct row *row)
{
	if (!row->has_hours || !row->lba_posted || result_at(row->what) == row->what.len)
		return false;
	if (smart_once(s, FACT_SELFTEST_LOG_READ))
		s->test_part = s->section->part;
	return true;
}

static size_t take_row(struct smart *s, size_t i)
{
	struct row row;
	size_t n;
	bool cut, whole;

	if (!fit_row(smart_line(s, i), &row) ||
	    (s->headless && !is_unmistakable(s, &row)))
		return 0;
	if (s->test_part != s->section->part)
		return smart_claim(s, i, 1, LINE_KNOWN);
	whole = gather(s, i, &row, &n);
	cut = smart_is_cut(s, i + n - 1);
	if (!whole || (cut && !row.lba_posted)) {
		s->tests++;
		return smart_claim(s, i, n, LINE_DAMAGED);
	}
	emit_row(s, &row, !cut, i);
	return smart_claim(s, i, n, cut && row.has_lba ? LINE_DAMAGED : LINE_READ);
}

/* Extended and standard log in one report hold the same tests: the first is read. */
size_t smart_test_log(struct smart *s, size_t i)
{
	if (smart_once(s, FACT_SELFTEST_LOG_READ)) {
		s->test_part = s->section->part;
		emit_text(&s->e, FACT_SELFTEST_LOG_READ, 0, 0, smart_join(s, i, 1), i);
	}
	return smart_claim(s, i, 1, LINE_READ);
}

static const char prose[] =
	"Num Test_Description Status Remaining LifeTime(hours) LBA_of_first_error "
	"No self-tests have been logged. [To run self-tests, use: smartctl -t] "
	"No self-tests have been logged ";

static size_t take_test(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);

	if (!s->headless && words_after(line, "Invalid Self-test Log index"))
		return smart_warning(s, i);
	if (!s->headless && is_summary(line))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (s->headless || !str_starts(line, "No self-tests have been logged"))
		return take_row(s, i);
	s->rows[s->section->part]++;
	return smart_claim(s, i, 1, LINE_KNOWN);
}

const struct smart_section smart_tests = {
	.name = "selftest",
	.part = PART_TESTS,
	.row = take_test,
	.prose = prose,
};

const struct smart_section smart_tests_ext = {
	.name = "selftest",
	.part = PART_TESTS_EXT,
	.row = take_test,
	.prose = prose,
};

/* --- selective self-test log -------------------------------------------------------------------- */

/* "    1        0        0  Not_testing", "  255  0  65535  Read_scanning was never started" */
static size_t take_span(struct smart *s, size_t i)
{
	struct word w[4];
	const char *line = smart_line(s, i);
	size_t n = words_split(line, w, 4);
	uint64_t span, min, max;
	struct buf status = { 0 };

	if (n < 3 || word_u64(w[0], 10, &span) < 0 || span > 255 ||
	    word_u64(w[1], 10, &min) < 0 || word_u64(w[2], 10, &max) < 0)
		return 0;
	if (n < 4 || min > max || !smart_bit(s->span_seen, (uint32_t)span))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	emit_u64(&s->e, FACT_SELECTIVE_MIN, (uint32_t)span, 0, min, i);
	emit_u64(&s->e, FACT_SELECTIVE_MAX, (uint32_t)span, 0, max, i);
	buf_puts(&status, w[3].s);
	smart_squeeze(&status);
	if (!smart_is_cut(s, i))
		emit_text(&s->e, FACT_SELECTIVE_STATUS, (uint32_t)span, 0,
			  buf_text(&status), i);
	buf_done(&status);
	return smart_claim(s, i, 1, LINE_READ);
}

static size_t take_selective(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *p;
	size_t n = 1;
	uint64_t value;

	p = words_after(line, "Selective self-test flags (0x");
	if (p) {
		if (str_take_u64(&p, 16, &value) < 0 || *p != ')')
			return smart_claim(s, i, 1, LINE_DAMAGED);
		smart_u64(s, FACT_SELECTIVE_FLAGS, value, i);
		return smart_claim(s, i, 1, LINE_READ);
	}
	/* what it says stands in the last line of the section again */
	if (words_after(line, "Read-scan of remainder of disk interrupted"))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!words_after(line, "If Selective self-test is pending on power-up"))
		return take_span(s, i);
	if (!strstr(line, "minute") && !smart_is_fresh(s, i + 1))
		line = smart_join(s, i, ++n);
	p = strstr(line, "resume after ");
	p = p ? p + strlen("resume after ") : "";
	if (str_take_u64(&p, 10, &value) < 0 || !words_after(p, " minute"))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	smart_u64(s, FACT_SELECTIVE_RESUME, value, i);
	return smart_claim(s, i, n, LINE_READ);
}

static const char selective_prose[] =
	"SPAN MIN_LBA MAX_LBA CURRENT_TEST_STATUS "
	"After scanning selected spans, do NOT read-scan remainder of disk. "
	"After scanning selected spans, read-scan remainder of disk. "
	"If Selective self-test is pending on power-up, resume test after delay. "
	"resume after 0 minute delay. "
	"Currently read-scanning the remainder of the disk. "
	"Note: revision number not 1 implies that no selective self-test has ever been "
	"run ";

const struct smart_section smart_selective = {
	.name = "selective",
	.part = PART_SELECTIVE,
	.row = take_selective,
	.prose = selective_prose,
};
