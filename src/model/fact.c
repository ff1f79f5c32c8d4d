/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fact.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

static const struct fact_info infos[FACT_COUNT] = {
#define FACT(id_, name_, type_, unit_, keys_, behaviour_, clock_, words_)                \
	[FACT_##id_] = { .name = name_,                                                  \
			 .words = words_,                                                \
			 .type = FACT_##type_,                                           \
			 .unit = UNIT_##unit_,                                           \
			 .keys = KEYS_##keys_,                                           \
			 .behaviour = BEHAVES_##behaviour_,                              \
			 .clock = CLOCK_##clock_ },
#include "model/fact.def"
#undef FACT
};

const struct fact_info *fact_get_info(enum fact_id id)
{
	return &infos[id];
}

const char *fact_unit_name(enum fact_unit unit)
{
	static const char *const names[UNIT_COUNT_] = {
		[UNIT_NONE] = "",	    [UNIT_NONE_U] = "",
		[UNIT_COUNT] = "",	    [UNIT_BYTES] = "bytes",
		[UNIT_RPM] = "rpm",	    [UNIT_LBA] = "LBA",
		[UNIT_HOURS] = "hours",	    [UNIT_MINUTES] = "minutes",
		[UNIT_SECONDS] = "seconds", [UNIT_DECISECONDS] = "1/10 s",
		[UNIT_MS] = "ms",	    [UNIT_NS] = "ns",
		[UNIT_CELSIUS] = "celsius", [UNIT_PERCENT] = "percent",
		[UNIT_PPM] = "ppm",	    [UNIT_MICRO] = "1/1000000",
		[UNIT_MILLI] = "1/1000",    [UNIT_MBIT_S] = "Mbit/s",
		[UNIT_MB_S] = "MB/s",	    [UNIT_BYTES_S] = "bytes/s",
		[UNIT_IOPS] = "1/s",	    [UNIT_MILLI_IOPS] = "1/1000 s",
	};

	return names[unit];
}

const char *fact_clock_name(enum fact_clock clock)
{
	static const char *const names[] = {
		[CLOCK_LIFETIME] = "lifetime",	 [CLOCK_POWER_ON] = "drive power-on",
		[CLOCK_HOST_BOOT] = "host boot", [CLOCK_NOW] = "now",
		[CLOCK_NO_CLOCK] = "",
	};

	return names[clock];
}

const char *fact_trust_name(enum fact_trust trust)
{
	static const char *const names[] = {
		[TRUST_BYTES] = "bytes",       [TRUST_UNCHECKED] = "bytes, not checked",
		[TRUST_HOST] = "kernel",       [TRUST_TEXT] = "posted text",
		[TRUST_DATABASE] = "database", [TRUST_DERIVED] = "derived",
	};

	return names[trust];
}

/* What stands between '[' and ']' for the first and the second pair of brackets. */
static void add_key(struct buf *b, enum fact_keys keys, uint32_t i, uint32_t j, int nth)
{
	uint32_t key = nth ? j : i;

	switch (keys) {
	case KEYS_HEX:
		buf_printf(b, "%03x", key);
		break;
	case KEYS_PAGE:
		buf_printf(b, "%02x", key);
		break;
	case KEYS_PAGEOFF:
		buf_printf(b, "%02x/%03x", i, j);
		break;
	case KEYS_NONE:
	case KEYS_DEC:
	case KEYS_DECDEC:
		buf_printf(b, "%u", key);
		break;
	}
}

void fact_add_name(struct buf *b, struct fact_key key)
{
	const struct fact_info *info = &infos[key.id];
	int nth = 0;

	for (const char *p = info->name; *p; p++) {
		buf_putc(b, *p);
		if (*p == '[')
			add_key(b, info->keys, key.i, key.j, nth++);
	}
}

/* The text need not end in a NUL: its digits are copied, more of them than fit are refused. */
static bool take_number(const char **s, const char *end, int base, uint32_t *ret)
{
	char digits[16];
	const char *rest = digits;
	size_t len = (size_t)(end - *s);
	uint64_t n;

	if (len >= sizeof(digits))
		len = sizeof(digits) - 1;
	memcpy(digits, *s, len);
	digits[len] = '\0';
	if (str_take_u64(&rest, base, &n) < 0 || n > UINT32_MAX)
		return false;
	*s += rest - digits;
	*ret = (uint32_t)n;
	return true;
}

static bool take_key(const char **s, const char *end, enum fact_keys keys, int nth,
		     struct fact_key *key)
{
	int base = keys == KEYS_DEC || keys == KEYS_DECDEC ? 10 : 16;

	if (!take_number(s, end, base, nth ? &key->j : &key->i))
		return false;
	if (keys != KEYS_PAGEOFF)
		return true;
	if (*s >= end || **s != '/')
		return false;
	(*s)++;
	return take_number(s, end, base, &key->j);
}

static bool name_matches(const char *name, const char *end, enum fact_id id,
			 struct fact_key *ret)
{
	struct fact_key key = { .id = id };
	int nth = 0;

	for (const char *p = infos[id].name; *p; p++) {
		if (name >= end || *name != *p)
			return false;
		name++;
		if (*p == '[' && !take_key(&name, end, infos[id].keys, nth++, &key))
			return false;
	}
	if (name != end)
		return false;
	*ret = key;
	return true;
}

int fact_parse_name(const char *name, size_t len, struct fact_key *ret)
{
	for (int id = 0; id < FACT_COUNT; id++)
		if (name_matches(name, name + len, (enum fact_id)id, ret))
			return 0;
	return -EINVAL;
}

void fact_add_line(struct buf *b, const struct fact *f)
{
	fact_add_name(b, f->key);
	switch (infos[f->key.id].type) {
	case FACT_U64:
	case FACT_FLAG:
		buf_printf(b, "=%llu", (unsigned long long)f->u);
		break;
	case FACT_S64:
		buf_printf(b, "=%lld", (long long)f->s);
		break;
	case FACT_TEXT:
		buf_puts(b, "=\"");
		str_add_escaped(b, f->text, SIZE_MAX);
		buf_puts(b, "\"");
		break;
	}
	if (f->origin.line)
		buf_printf(b, " @%u", f->origin.line);
	buf_putc(b, '\n');
}

/* The place at the end, " @87": sets *len to what stands before it. */
static int take_place(const char *s, size_t *len, uint32_t *ret_line)
{
	size_t i = *len;
	const char *digits;

	while (i && str_is_digit(s[i - 1]))
		i--;
	if (i < 2 || i == *len || s[i - 1] != '@' || s[i - 2] != ' ')
		return 0;
	digits = s + i;
	if (!take_number(&digits, s + *len, 10, ret_line))
		return -EINVAL;
	*len = i - 2;
	return 0;
}

static int parse_value(struct arena *a, const char *s, size_t len, struct fact *f)
{
	char number[24];
	struct buf text cleanup_buf = { 0 };
	int r;

	if (infos[f->key.id].type == FACT_TEXT) {
		if (len < 2 || s[0] != '"' || s[len - 1] != '"')
			return -EINVAL;
		if (memchr(s, 0, len))
			return -EINVAL;
		r = str_add_unescaped(&text, s + 1, len - 2);
		if (r < 0)
			return r;
		f->text = arena_strndup(a, buf_text(&text), text.len);
		return f->text ? 0 : -ENOMEM;
	}
	if (len >= sizeof(number) || memchr(s, 0, len))
		return -EINVAL;
	memcpy(number, s, len);
	number[len] = '\0';
	r = infos[f->key.id].type == FACT_S64 ? str_to_s64(number, &f->s)
					      : str_to_u64(number, &f->u);
	if (r == 0 && infos[f->key.id].type == FACT_FLAG && f->u > 1)
		r = -EINVAL;
	return r < 0 ? -EINVAL : 0;
}

int fact_parse_line(struct arena *a, const char *line, size_t len, struct fact *ret)
{
	const char *equal = memchr(line, '=', len);
	struct fact f = *ret;
	size_t value_len;
	int r;

	if (!equal)
		return -EINVAL;
	r = fact_parse_name(line, (size_t)(equal - line), &f.key);
	if (r < 0)
		return r;
	value_len = len - (size_t)(equal + 1 - line);
	r = take_place(equal + 1, &value_len, &f.origin.line);
	if (r == 0)
		r = parse_value(a, equal + 1, value_len, &f);
	if (r == 0)
		*ret = f;
	return r;
}
