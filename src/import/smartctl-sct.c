/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCT status, SCT temperature history and SCT error recovery control. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

struct key {
	const char *name;
	/* Reads the text behind the key; false when it is damaged. */
	bool (*read)(struct smart *s, const struct key *key, const char *v, size_t i);
	enum fact_id a, b;
};

/* "31", "-5": true when a number was taken; "--" and "?" mean that the drive does not know. */
static bool take_celsius(const char **v, int64_t *ret, bool *ret_known)
{
	const char *p = *v;
	bool minus = *p == '-';
	uint64_t n;

	*ret_known = false;
	if (str_starts(p, "--") || *p == '?') {
		*v = p + (*p == '?' ? 1 : 2);
		return true;
	}
	p += minus;
	if (str_take_u64(&p, 10, &n) < 0 || n > 1000)
		return false;
	*v = p;
	*ret = minus ? -(int64_t)n : (int64_t)n;
	*ret_known = true;
	return true;
}

static void emit_celsius(struct smart *s, enum fact_id id, bool known, int64_t n,
			 size_t i)
{
	if (known && id != FACT_COUNT)
		smart_s64(s, id, n, i);
}

/* "24 Celsius" */
static bool read_celsius(struct smart *s, const struct key *key, const char *v, size_t i)
{
	int64_t n = 0;
	bool known;

	if (!take_celsius(&v, &n, &known) || !words_after(v, " Celsius"))
		return false;
	emit_celsius(s, key->a, known, n, i);
	return true;
}

/* "21/27 Celsius", "--/44 Celsius", " 5/ 60 Celsius" */
static bool read_range(struct smart *s, const struct key *key, const char *v, size_t i)
{
	int64_t min = 0, max = 0;
	bool has_min, has_max;

	if (!take_celsius(&v, &min, &has_min) || *v != '/')
		return false;
	v++;
	while (*v == ' ')
		v++;
	if (!take_celsius(&v, &max, &has_max) || !words_after(v, " Celsius"))
		return false;
	emit_celsius(s, key->a, has_min, min, i);
	emit_celsius(s, key->b, has_max, max, i);
	return true;
}

/* A number, whole when something stands behind it. */
static bool read_number(struct smart *s, const struct key *key, const char *v, size_t i)
{
	uint64_t n;
	int r;

	if (str_starts(v, "0x")) {
		v += 2;
		r = str_take_u64(&v, 16, &n);
	} else {
		r = str_take_u64(&v, 10, &n);
	}
	if (r < 0 || (*v && *v != ' ') || (!*v && smart_is_cut(s, i)))
		return false;
	if (key->a != FACT_COUNT)
		smart_u64(s, key->a, n, i);
	return true;
}

/* "0/0"; "?" and "--" mean unknown */
static bool read_counts(struct smart *s, const struct key *key, const char *v, size_t i)
{
	uint64_t under, over;

	if (*v == '?' || str_starts(v, "--"))
		return true;
	if (str_take_u64(&v, 10, &under) < 0 || *v != '/')
		return false;
	v++;
	while (*v == ' ')
		v++;
	if (str_take_u64(&v, 10, &over) < 0 || *v || smart_is_cut(s, i))
		return false;
	smart_u64(s, key->a, under, i);
	smart_u64(s, key->b, over, i);
	return true;
}

/* "128 (36)": size and index of the temperature history */
static bool read_size(struct smart *s, const struct key *key, const char *v, size_t i)
{
	uint64_t size, index;

	if (str_take_u64(&v, 10, &size) < 0)
		return false;
	v = words_after(v, " (");
	if (!v || str_take_u64(&v, 10, &index) < 0 || *v != ')')
		return false;
	smart_u64(s, key->a, size, i);
	smart_u64(s, key->b, index, i);
	return true;
}

static bool read_text(struct smart *s, const struct key *key, const char *v, size_t i)
{
	if (smart_is_cut(s, i) && !str_ends(v, ")"))
		return false;
	smart_text(s, key->a, v, i);
	return true;
}

/* clang-format off */
static const struct key status_keys[] = {
	{ "SCT Status Version:",               read_number,  FACT_SCT_VERSION, FACT_COUNT },
	{ "SCT Version (vendor specific):",    read_number,  FACT_SCT_SPEC, FACT_COUNT },
	{ "SCT Support Level:",                read_number,  FACT_COUNT, FACT_COUNT },
	{ "Device State:",                     read_text,    FACT_SCT_STATE, FACT_COUNT },
	{ "Current Temperature:",              read_celsius, FACT_SCT_TEMP, FACT_COUNT },
	{ "Power Cycle Min/Max Temperature:",  read_range,   FACT_SCT_CYCLE_MIN, FACT_SCT_CYCLE_MAX },
	{ "Power Cycle Max Temperature:",      read_celsius, FACT_SCT_CYCLE_MAX, FACT_COUNT },
	{ "Lifetime Min/Max Temperature:",     read_range,   FACT_SCT_LIFE_MIN, FACT_SCT_LIFE_MAX },
	{ "Lifetime Max Temperature:",         read_celsius, FACT_SCT_LIFE_MAX, FACT_COUNT },
	{ "Lifetime Average Temperature:",     read_celsius, FACT_SCT_LIFE_AVERAGE, FACT_COUNT },
	{ "Specified Max Operating Temperature:", read_celsius, FACT_SCT_SPEC_MAX, FACT_COUNT },
	{ "Under/Over Temperature Limit Count:", read_counts, FACT_SCT_UNDER, FACT_SCT_OVER },
	{ "SMART Status:",                     read_number,  FACT_SCT_SMART_STATUS, FACT_COUNT },
	{ "Minimum supported ERC Time Limit:", read_number,  FACT_SCT_MIN_ERC, FACT_COUNT },
	{ NULL, NULL, FACT_COUNT, FACT_COUNT },
};

static const struct key history_keys[] = {
	{ "SCT Temperature History Version:",  read_number,  FACT_SCT_HIST_VERSION, FACT_COUNT },
	{ "Temperature Sampling Period:",      read_number,  FACT_SCT_HIST_SAMPLE, FACT_COUNT },
	{ "Temperature Logging Interval:",     read_number,  FACT_SCT_HIST_INTERVAL, FACT_COUNT },
	{ "Min/Max recommended Temperature:",  read_range,   FACT_SCT_REC_MIN, FACT_SCT_REC_MAX },
	{ "Min/Max Temperature Limit:",        read_range,   FACT_SCT_LIMIT_MIN, FACT_SCT_LIMIT_MAX },
	{ "Temperature History Size (Index):", read_size,    FACT_SCT_HIST_SIZE, FACT_SCT_HIST_INDEX },
	{ NULL, NULL, FACT_COUNT, FACT_COUNT },
};
/* clang-format on */

static size_t take_key(struct smart *s, size_t i, const struct key *keys)
{
	const char *line = smart_line(s, i), *v = NULL;
	size_t n = 1;
	bool ok;

	for (; keys->name && !v; keys++)
		v = words_after(line, keys->name);
	if (!v)
		return 0;
	keys--;
	while (*v == ' ')
		v++;
	/* "41" / "Celsius": the unit was wrapped */
	if ((keys->read == read_celsius || keys->read == read_range) &&
	    str_starts(smart_line(s, i + 1), "Celsius"))
		v = words_after(smart_join(s, i, ++n), keys->name);
	while (*v == ' ')
		v++;
	if (!*v)
		return smart_claim(s, i, n, LINE_DAMAGED);
	ok = keys->read(s, keys, v, i);
	return smart_claim(s, i, n, ok ? LINE_READ : LINE_DAMAGED);
}

/* --- status ------------------------------------------------------------------------------------ */

static bool is_hex_bytes(const char *line)
{
	struct word w[17];
	size_t n = words_split(line, w, 17);

	for (size_t i = 0; i < n; i++)
		if (!word_is_hex(w[i], 2))
			return false;
	return n && n <= 16;
}

/* "Vendor specific:" and 32 bytes below it */
static size_t take_vendor(struct smart *s, size_t i)
{
	struct buf bytes = { 0 };
	size_t n = 1;

	if (!words_after(smart_line(s, i), "Vendor specific:"))
		return 0;
	while (n < 4 && is_hex_bytes(smart_line(s, i + n)))
		n++;
	if (n > 1)
		buf_puts(&bytes, smart_join(s, i + 1, n - 1));
	smart_squeeze(&bytes);
	if (bytes.len == 32 * 3 - 1)
		smart_text(s, FACT_SCT_VENDOR, buf_text(&bytes), i);
	n = smart_claim(s, i, n, bytes.len == 32 * 3 - 1 ? LINE_READ : LINE_DAMAGED);
	buf_done(&bytes);
	return n;
}

static size_t take_status(struct smart *s, size_t i)
{
	size_t n = 0;

	if (!s->headless)
		n = take_key(s, i, status_keys);
	else if (s->kind == SMART_ATA &&
		 words_after(smart_line(s, i), "Current Temperature:"))
		return take_key(s, i, status_keys);
	return n || s->headless ? n : take_vendor(s, i);
}

const struct smart_section smart_sct = {
	.name = "sct",
	.part = PART_SCT_STATUS,
	.row = take_status,
};

/* The heading is a row by itself. */
size_t smart_sct_status(struct smart *s, size_t i)
{
	return take_key(s, i, status_keys);
}

/* --- history ------------------------------------------------------------------------------------ */

/* "  37    2022-01-01 10:10    24  *****"; what the bar stands for is the number before it */
static size_t take_sample(struct smart *s, size_t i)
{
	struct word w[5];
	size_t n = words_split(smart_line(s, i), w, 5);
	uint64_t index;
	const char *p;
	int64_t celsius;
	bool known;

	if (n < 3 || word_u64(w[0], 10, &index) < 0 || index > 65535 || w[1].len != 10 ||
	    w[2].len != 5 || w[2].s[2] != ':')
		return 0;
	p = n > 3 ? w[3].s : "";
	if (n < 5 || !take_celsius(&p, &celsius, &known) || p != w[3].s + w[3].len)
		return smart_claim(s, i, 1, LINE_DAMAGED);
	if (known)
		emit_s64(&s->e, FACT_SCT_HIST_TEMP, (uint32_t)index, 0, celsius, i);
	return smart_claim(s, i, 1, LINE_READ);
}

static size_t take_history(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	size_t n = take_key(s, i, history_keys);

	if (n)
		return n;
	/* " ...    ..( 36 skipped).    ..  *****": the same value again */
	if (str_starts(line, "...") && strstr(line, "skipped)"))
		return smart_claim(s, i, 1, LINE_KNOWN);
	return take_sample(s, i);
}

static const char history_prose[] =
	"Index Estimated Time Temperature Celsius Temperature History is empty "
	"Invalid Temperature History Size or Index ";

const struct smart_section smart_sct_history = {
	.name = "sct",
	.part = PART_SCT_HISTORY,
	.row = take_history,
	.prose = history_prose,
};

size_t smart_sct_history_head(struct smart *s, size_t i)
{
	return take_key(s, i, history_keys);
}

/* --- error recovery control ------------------------------------------------------------------------ */

/* "70 (7.0 seconds)", "Disabled" */
static bool read_limit(struct smart *s, const struct key *key, const char *v, size_t i)
{
	const char *p = v;
	uint64_t ds;

	if (str_starts(v, "Disabled")) {
		smart_u64(s, key->a, 0, i);
		return true;
	}
	if (str_take_u64(&p, 10, &ds) < 0) {
		smart_text(s, FACT_SCT_ERC_TEXT, smart_line(s, i), i);
		return !smart_is_cut(s, i);
	}
	if (!words_after(p, " ("))
		return false;
	smart_u64(s, key->a, ds, i);
	return true;
}

static const struct key erc_keys[] = {
	{ "Read:", read_limit, FACT_SCT_ERC_READ, FACT_COUNT },
	{ "Write:", read_limit, FACT_SCT_ERC_WRITE, FACT_COUNT },
	{ NULL, NULL, FACT_COUNT, FACT_COUNT },
};

static size_t take_erc(struct smart *s, size_t i)
{
	return take_key(s, i, erc_keys);
}

const struct smart_section smart_sct_erc = {
	.name = "erc",
	.part = PART_SCT_ERC,
	.row = take_erc,
	.prose = "seconds) ",
};
