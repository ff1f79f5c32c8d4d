/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of NVMe reports: power states, LBA formats, error log 01h, self-test log 06h. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define ROW_LINES 3u

/* The capabilities that a value in brackets has told already, wrapped below it. */
static const char capability_prose[] =
	"Slots, Slot 1 R/O, no Reset required, multiple detected, *Other* "
	"Security Format Frmw_DL NS_Mngmt Self_Test Directvs MI_Snd/Rec Vrt_Mngmt "
	"Drbl_Bf_Cfg Get_LBA_Sts Lockdown *Other* "
	"Comp Wr_Unc DS_Mngmt Wr_Zero Sav/Sel_Feat Resv Timestmp Verify Copy *Other* "
	"S/H_per_NS Cmd_Eff_Lg Ext_Get_Lg Telmtry_Lg Pers_Ev_Lg Log0_FISE_MI "
	"Telmtry_Ar_4 *Other* Thin_Prov NA_Fields Dea/Unw_Error No_ID_Reuse NP_Fields ";

/* Whether every word of LINE is one of these; two of them never stand far apart. */
bool smart_is_nvme_capability(const char *line)
{
	struct word w[16];
	size_t n = words_split(line, w, 16);

	for (size_t k = 0; k < n; k++) {
		const char *at = memmem(capability_prose, strlen(capability_prose),
					w[k].s, w[k].len);

		if (w[k].len < 4 || !at || at[w[k].len] != ' ')
			return false;
	}
	return n > 0 && n < 16;
}

/* --- " 0 +    25.00W   14.00W       -    0  0  0  0       70      70" ----------------------------- */

/* "25.00W", "0.0030W" in microwatts; false for "-" and "?" too */
static bool get_power(struct word w, uint64_t *ret)
{
	bool known;

	if (w.len < 2 || w.s[w.len - 1] != 'W')
		return false;
	w.len--;
	known = smart_get_decimal(w, 2, ret);
	if (known)
		*ret *= 10000;
	else if (smart_get_decimal(w, 4, ret))
		*ret *= 100;
	else
		return false;
	return *ret < UINT32_MAX;
}

static bool is_no_power(struct word w)
{
	return word_is(w, "-") || word_is(w, "?");
}

#define POWER_WORDS 11u

static bool fit_power(const struct word *w, size_t n, uint64_t ret[POWER_WORDS])
{
	if (n != POWER_WORDS || word_u64(w[0], 10, &ret[0]) < 0 || ret[0] > 31 ||
	    (!word_is(w[1], "+") && !word_is(w[1], "-")))
		return false;
	for (size_t k = 2; k < 5; k++)
		if (!get_power(w[k], &ret[k]) && !is_no_power(w[k]))
			return false;
	for (size_t k = 5; k < POWER_WORDS; k++)
		if (word_u64(w[k], 10, &ret[k]) < 0)
			return false;
	return true;
}

static size_t take_power(struct smart *s, size_t i)
{
	static const enum fact_id powers[] = { FACT_NVME_PS_MAX, FACT_NVME_PS_ACTIVE,
					       FACT_NVME_PS_IDLE };
	struct word w[POWER_WORDS + 1];
	size_t n = words_split(smart_line(s, i), w, POWER_WORDS + 1);
	uint64_t v[POWER_WORDS] = { 0 };
	uint32_t key;
	struct buf ranks = { 0 };

	if (n < 3 || word_u64(w[0], 10, &v[0]) < 0 ||
	    (!word_is(w[1], "+") && !word_is(w[1], "-")))
		return 0;
	if (!fit_power(w, n, v) || smart_is_cut(s, i) ||
	    !smart_bit(&s->power_seen, (uint32_t)v[0]))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	key = (uint32_t)v[0];
	emit_flag(&s->e, FACT_NVME_PS_OPERATES, key, word_is(w[1], "+"), i);
	for (size_t k = 0; k < array_size(powers); k++)
		if (!is_no_power(w[2 + k]))
			emit_u64(&s->e, powers[k], key, 0, v[2 + k], i);
	buf_printf(&ranks, "%u %u %u %u", (unsigned int)v[5], (unsigned int)v[6],
		   (unsigned int)v[7], (unsigned int)v[8]);
	emit_text(&s->e, FACT_NVME_PS_RANKS, key, 0, buf_text(&ranks), i);
	buf_done(&ranks);
	emit_u64(&s->e, FACT_NVME_PS_ENTRY, key, 0, v[9], i);
	emit_u64(&s->e, FACT_NVME_PS_EXIT, key, 0, v[10], i);
	return smart_claim(s, i, 1, LINE_READ);
}

const struct smart_section smart_nvme_power = {
	.name = "nvme-power-states",
	.part = PART_NVME_POWER,
	.row = take_power,
	.prose = "St Op Max Active Idle RL RT WL WT Ent_Lat Ex_Lat ",
};

/* --- " 0 +     512       0         0" --------------------------------------------------------------- */

static size_t take_format(struct smart *s, size_t i)
{
	struct word w[6];
	size_t n = words_split(smart_line(s, i), w, 6);
	uint64_t id, data, metadata, rank;

	if (n < 3 || word_u64(w[0], 10, &id) < 0 ||
	    (!word_is(w[1], "+") && !word_is(w[1], "-")))
		return 0;
	if (n != 5 || id > 31 || word_u64(w[2], 10, &data) < 0 ||
	    word_u64(w[3], 10, &metadata) < 0 || word_u64(w[4], 10, &rank) < 0 ||
	    smart_is_cut(s, i) || !smart_bit(&s->format_seen, (uint32_t)id))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	emit_flag(&s->e, FACT_NVME_LBAF_USED, (uint32_t)id, word_is(w[1], "+"), i);
	emit_u64(&s->e, FACT_NVME_LBAF_DATA, (uint32_t)id, 0, data, i);
	emit_u64(&s->e, FACT_NVME_LBAF_METADATA, (uint32_t)id, 0, metadata, i);
	emit_u64(&s->e, FACT_NVME_LBAF_RANK, (uint32_t)id, 0, rank, i);
	return smart_claim(s, i, 1, LINE_READ);
}

const struct smart_section smart_nvme_formats = {
	.name = "nvme-lba-formats",
	.part = PART_NVME_FORMATS,
	.row = take_format,
	.prose = "Id Fmt Data Metadt Rel_Perf ",
};

/* --- error information log ----------------------------------------------------------------------- */

/* "Error Information (NVMe Log 0x01, 16 of 64 entries)", older: "..., max 64 entries)" */
size_t smart_nvme_error_head(struct smart *s, size_t i)
{
	const char *p =
		words_after(smart_line(s, i), "Error Information (NVMe Log 0x01, ");
	uint64_t read, size;

	if (p && str_starts(p, "max "))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!p || str_take_u64(&p, 10, &read) < 0 || !words_after(p, " of "))
		return smart_claim(s, i, 1,
				   smart_is_cut(s, i) ? LINE_DAMAGED : LINE_KNOWN);
	p = words_after(p, " of ");
	if (str_take_u64(&p, 10, &size) < 0 || !words_after(p, " entries"))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	smart_u64(s, FACT_NVME_ERRORS_READ, read, i);
	smart_u64(s, FACT_NVME_ERRORS_SIZE, size, i);
	return smart_claim(s, i, 1, LINE_READ);
}

#define ERROR_WORDS 9u

enum form { FORM_NUMBER, FORM_HEX };

static const struct {
	enum fact_id id;
	enum form form;
	bool always; /* never "-" */
} error_columns[ERROR_WORDS] = {
	{ FACT_COUNT, FORM_NUMBER, true },
	{ FACT_NVME_ERR_COUNT, FORM_NUMBER, true },
	{ FACT_NVME_ERR_QUEUE, FORM_NUMBER, false },
	{ FACT_NVME_ERR_COMMAND, FORM_HEX, false },
	{ FACT_NVME_ERR_STATUS, FORM_HEX, false },
	{ FACT_NVME_ERR_LOCATION, FORM_HEX, false },
	{ FACT_NVME_ERR_LBA, FORM_NUMBER, false },
	{ FACT_NVME_ERR_NAMESPACE, FORM_NUMBER, false },
	{ FACT_NVME_ERR_VENDOR, FORM_HEX, false },
};

struct error_row {
	uint64_t v[ERROR_WORDS];
	bool has[ERROR_WORDS];
	const char *message;
};

/* How many words fit; ERROR_WORDS when the row is whole, 0 when it is none. */
static size_t fit_error(const char *line, struct error_row *ret)
{
	struct word w[ERROR_WORDS];
	size_t n = words_split(line, w, ERROR_WORDS);

	*ret = (struct error_row){ .message = "" };
	for (size_t k = 0; k < n; k++) {
		int r = error_columns[k].form == FORM_HEX
				? word_hex(w[k], &ret->v[k])
				: word_u64(w[k], 10, &ret->v[k]);

		ret->has[k] = r == 0;
		if (r < 0 && (error_columns[k].always || !word_is(w[k], "-")))
			return 0;
	}
	if (n == ERROR_WORDS)
		ret->message = w[n - 1].s + w[n - 1].len +
			       strspn(w[n - 1].s + w[n - 1].len, " ");
	return n;
}

/* Where the row was wrapped its message, made of words, goes on below. */
static size_t gather_error(struct smart *s, size_t i, struct error_row *ret)
{
	size_t n = 1, got = fit_error(smart_line(s, i), ret);

	while (got && got < ERROR_WORDS && n < ROW_LINES && !smart_is_fresh(s, i + n)) {
		got = fit_error(smart_join(s, i, n + 1), ret);
		n++;
	}
	if (got == ERROR_WORDS && !smart_is_fresh(s, i + n) &&
	    str_is_alpha(*smart_line(s, i + n)) && (*ret->message || n > 1))
		(void)fit_error(smart_join(s, i, ++n), ret);
	else if (got == ERROR_WORDS)
		(void)fit_error(smart_join(s, i, n), ret);
	return got == ERROR_WORDS ? n : 0;
}

static size_t take_error(struct smart *s, size_t i)
{
	struct error_row row;
	size_t n;
	uint32_t key;

	if (!fit_error(smart_line(s, i), &row) || !row.has[1])
		return 0;
	n = gather_error(s, i, &row);
	if (!n || (smart_is_cut(s, i + n - 1) && !*row.message) || row.v[0] > 255 ||
	    !smart_bit(s->nvme_error_seen, (uint32_t)row.v[0]))
		return smart_claim(s, i, n ? n : 1, LINE_DAMAGED);
	key = (uint32_t)row.v[0];
	for (size_t k = 1; k < ERROR_WORDS; k++)
		if (row.has[k])
			emit_u64(&s->e, error_columns[k].id, key, 0, row.v[k], i);
	if (*row.message && !str_equal(row.message, "-") && !smart_is_cut(s, i + n - 1))
		emit_text(&s->e, FACT_NVME_ERR_MESSAGE, key, 0, row.message, i);
	return smart_claim(s, i, n, LINE_READ);
}

static size_t take_error_line(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);

	if (str_starts(line, "No Errors Logged") || str_starts(line, "... (") ||
	    (str_starts(line, "- [") && strstr(line, "unused entr")))
		return smart_claim(s, i, 1, LINE_KNOWN);
	return take_error(s, i);
}

const struct smart_section smart_nvme_errors = {
	.name = "errorlog",
	.part = PART_NVME_ERRORS,
	.row = take_error_line,
	.prose = "Num ErrCount SQId CmdId Status PELoc LBA NSID VS Message "
		 "Num ErrCount SQId CmdId Status PELoc LBA NSID VS ",
};

/* --- self-test log ------------------------------------------------------------------------------- */

static const char *const test_types[] = { "Short", "Extended", "Vendor specific",
					  "Unknown (0x" };
static const char *const test_results[] = {
	"Completed without error",
	"Aborted: Self-test command",
	"Aborted: Controller Reset",
	"Aborted: Namespace removed",
	"Aborted: Format NVM command",
	"Fatal or unknown test error",
	"Completed: unknown failed segment",
	"Completed: failed segments",
	"Aborted: unknown reason",
	"Aborted: sanitize operation",
	"Unknown result (0x",
};

struct nvme_test {
	uint64_t number, hours, lba, segment;
	struct word type, result, nsid, sct, code;
	bool has_lba, has_segment;
};

/* One of WORDS at P; an open bracket goes on to its end. */
static const char *skip(const char *p, const char *const *words, size_t n,
			struct word *ret)
{
	for (size_t k = 0; k < n; k++) {
		const char *end = words_after(p, words[k]);

		if (!end)
			continue;
		if (str_ends(words[k], "(0x")) {
			end = strchr(end, ')');
			if (!end)
				return NULL;
			end++;
		}
		*ret = (struct word){ p, (size_t)(end - p) };
		return *end == ' ' ? end + strspn(end, " ") : NULL;
	}
	return NULL;
}

static bool is_dash_or(struct word w, int base)
{
	uint64_t n;

	return word_is(w, "-") ||
	       (base == 16 ? word_hex(w, &n) : word_u64(w, 10, &n)) == 0;
}

static bool fit_test(const char *line, struct nvme_test *ret)
{
	struct word w[7];
	const char *p = line;

	*ret = (struct nvme_test){ 0 };
	if (str_take_u64(&p, 10, &ret->number) < 0 || *p != ' ')
		return false;
	p = skip(p + strspn(p, " "), test_types, array_size(test_types), &ret->type);
	p = p ? skip(p, test_results, array_size(test_results), &ret->result) : NULL;
	if (!p || words_split(p, w, 7) != 6 || word_u64(w[0], 10, &ret->hours) < 0)
		return false;
	ret->has_lba = word_u64(w[1], 10, &ret->lba) == 0;
	ret->has_segment = word_u64(w[3], 10, &ret->segment) == 0;
	ret->nsid = w[2];
	ret->sct = w[4];
	ret->code = w[5];
	return is_dash_or(w[1], 10) && (is_dash_or(w[2], 10) || word_is(w[2], "*")) &&
	       is_dash_or(w[3], 10) && is_dash_or(w[4], 16) && is_dash_or(w[5], 16);
}

static void emit_word(struct smart *s, enum fact_id id, uint32_t key, struct word w,
		      size_t i)
{
	struct buf b = { 0 };

	buf_add(&b, w.s, w.len);
	smart_squeeze(&b);
	emit_text(&s->e, id, key, 0, buf_text(&b), i);
	buf_done(&b);
}

static void emit_test(struct smart *s, const struct nvme_test *t, size_t i)
{
	uint32_t key = s->tests++;
	struct buf sense = { 0 };

	emit_u64(&s->e, FACT_SELFTEST_NUMBER, key, 0, t->number, i);
	emit_word(s, FACT_SELFTEST_TYPE, key, t->type, i);
	emit_word(s, FACT_SELFTEST_RESULT, key, t->result, i);
	emit_u64(&s->e, FACT_SELFTEST_HOURS, key, 0, t->hours, i);
	if (t->has_lba)
		emit_u64(&s->e, FACT_SELFTEST_LBA, key, 0, t->lba, i);
	if (t->has_segment)
		emit_u64(&s->e, FACT_SELFTEST_SEGMENT, key, 0, t->segment, i);
	if (!word_is(t->nsid, "-"))
		emit_word(s, FACT_SELFTEST_NAMESPACE, key, t->nsid, i);
	if (!word_is(t->sct, "-") || !word_is(t->code, "-")) {
		buf_printf(&sense, "%.*s %.*s", (int)t->sct.len, t->sct.s,
			   (int)t->code.len, t->code.s);
		emit_text(&s->e, FACT_SELFTEST_SENSE, key, 0, buf_text(&sense), i);
		buf_done(&sense);
	}
}

static bool starts_test(const char *line)
{
	const char *p = line;
	uint64_t n;
	struct word type;

	return str_take_u64(&p, 10, &n) == 0 && *p == ' ' &&
	       skip(p + strspn(p, " "), test_types, array_size(test_types), &type);
}

static size_t take_test(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	struct nvme_test t;
	size_t n = 1;

	if (str_starts(line, "Self-test status:")) {
		struct smart_value v = { line + strlen("Self-test status:"), i, 1,
					 smart_is_cut(s, i) };

		return smart_claim(s, i, 1,
				   smart_read_text(s, &v, FACT_SELFTEST_NOW)
					   ? LINE_READ
					   : LINE_DAMAGED);
	}
	if (str_starts(line, "No Self-tests Logged"))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!starts_test(line))
		return 0;
	while (!fit_test(smart_join(s, i, n), &t) && n < ROW_LINES &&
	       !smart_is_fresh(s, i + n) && !starts_test(smart_line(s, i + n)))
		n++;
	if (!fit_test(smart_join(s, i, n), &t) || smart_is_cut(s, i + n - 1)) {
		s->tests++;
		return smart_claim(s, i, 1, LINE_DAMAGED);
	}
	emit_test(s, &t, i);
	return smart_claim(s, i, n, LINE_READ);
}

size_t smart_nvme_test_head(struct smart *s, size_t i)
{
	smart_text(s, FACT_SELFTEST_LOG_READ, "NVMe self-test log", i);
	return smart_claim(s, i, 1, LINE_READ);
}

const struct smart_section smart_nvme_tests = {
	.name = "selftest",
	.part = PART_TESTS,
	.row = take_test,
	.prose = "Num Test_Description Status Power_on_Hours Failing_LBA NSID Seg SCT "
		 "Code ",
};
