/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/raw-format.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

#define ORDER_48 "543210"
#define ORDER_56 "r543210"
#define ORDER_64 "543210wv"

static uint8_t byte_of(uint64_t n, unsigned i)
{
	return (uint8_t)(n >> (8 * i));
}

static uint16_t word_of(uint64_t n, unsigned i)
{
	return (uint16_t)(n >> (16 * i));
}

static unsigned long long wide(uint64_t n)
{
	return (unsigned long long)n;
}

/* --- plain ---------------------------------------------------------------------------------- */

static void add_raw8(struct buf *b, uint64_t n)
{
	for (unsigned i = 6; i > 0; i--)
		buf_printf(b, i == 6 ? "%u" : " %u", byte_of(n, i - 1));
}

static void add_raw16(struct buf *b, uint64_t n)
{
	buf_printf(b, "%u %u %u", word_of(n, 2), word_of(n, 1), word_of(n, 0));
}

static void add_decimal(struct buf *b, uint64_t n)
{
	buf_printf(b, "%llu", wide(n));
}

static void add_hex48(struct buf *b, uint64_t n)
{
	buf_printf(b, "0x%012llx", wide(n));
}

static void add_hex56(struct buf *b, uint64_t n)
{
	buf_printf(b, "0x%014llx", wide(n));
}

static void add_hex64(struct buf *b, uint64_t n)
{
	buf_printf(b, "0x%016llx", wide(n));
}

/* --- several numbers ------------------------------------------------------------------------ */

static void add_raw16_raw16(struct buf *b, uint64_t n)
{
	buf_printf(b, "%u", word_of(n, 0));
	if (word_of(n, 1) || word_of(n, 2))
		buf_printf(b, " (%u %u)", word_of(n, 2), word_of(n, 1));
}

static void add_raw16_avg16(struct buf *b, uint64_t n)
{
	buf_printf(b, "%u", word_of(n, 0));
	if (word_of(n, 1))
		buf_printf(b, " (Average %u)", word_of(n, 1));
}

static void add_raw24_raw8(struct buf *b, uint64_t n)
{
	buf_printf(b, "%llu", wide(n & 0xffffff));
	if (byte_of(n, 3) || byte_of(n, 4) || byte_of(n, 5))
		buf_printf(b, " (%u %u %u)", byte_of(n, 5), byte_of(n, 4), byte_of(n, 3));
}

static void add_raw24_raw24(struct buf *b, uint64_t n)
{
	buf_printf(b, "%llu/%llu", wide(n >> 24), wide(n & 0xffffff));
}

static void add_raw24_raw32(struct buf *b, uint64_t n)
{
	buf_printf(b, "%llu/%llu", wide(n >> 32), wide(n & 0xffffffff));
}

/* --- times ---------------------------------------------------------------------------------- */

static void add_seconds(struct buf *b, uint64_t n)
{
	buf_printf(b, "%lluh+%02um+%02us", wide(n / 3600), (unsigned)(n / 60 % 60),
		   (unsigned)(n % 60));
}

/* 32 bits; the word above them is something else, shown when it is not 0. */
static void add_minutes(struct buf *b, uint64_t n)
{
	uint32_t minutes = (uint32_t)n;

	buf_printf(b, "%uh+%02um", minutes / 60, minutes % 60);
	if (word_of(n, 2))
		buf_printf(b, " (%u)", word_of(n, 2));
}

static void add_half_minutes(struct buf *b, uint64_t n)
{
	buf_printf(b, "%lluh+%02um", wide(n / 120), (unsigned)(n / 2 % 60));
}

/* Hours in 32 bits, above them the milliseconds since the hour. */
static void add_hours_ms(struct buf *b, uint64_t n)
{
	uint32_t ms = (uint32_t)(n >> 32);

	buf_printf(b, "%uh+%02um+%02u.%03us", (uint32_t)n, ms / 60000, ms / 1000 % 60,
		   ms % 1000);
}

/* --- temperatures --------------------------------------------------------------------------- */

/* A word is a temperature as a signed byte, as a signed word, or both. */
static bool is_temperature_byte(uint16_t w)
{
	return w <= 0xff;
}

static bool is_temperature_word(uint16_t w)
{
	return w <= 0x7f || w > 0xff80;
}

static bool are_temperatures(uint16_t a, uint16_t b, uint16_t c)
{
	return (is_temperature_byte(a) && is_temperature_byte(b) &&
		is_temperature_byte(c)) ||
	       (is_temperature_word(a) && is_temperature_word(b) &&
		is_temperature_word(c));
}

/* The two other bytes as the least and the most around NOW, in either order. */
static bool is_range(int now, uint8_t x, uint8_t y, int *ret_low, int *ret_high)
{
	int a = (int8_t)x, c = (int8_t)y, low = a < c ? a : c, high = a < c ? c : a;

	if (low < -60 || low > now || high < now || high > 120 ||
	    (low == -1 && high <= 0))
		return false;
	*ret_low = low;
	*ret_high = high;
	return true;
}

/*
 * Makers put the extremes into the words 1 and 2, or into the bytes 2 and 3 with a count of times
 * too hot above them; who does neither is shown byte by byte.
 */
static void add_temperature(struct buf *b, uint64_t n)
{
	uint16_t w0 = word_of(n, 0), w1 = word_of(n, 1), w2 = word_of(n, 2);
	int now = (int8_t)byte_of(n, 0), low, high;
	bool known = is_temperature_byte(w0) || is_temperature_word(w0);

	if (known && !w1 && !w2)
		buf_printf(b, "%d", now);
	else if (known && !w2 && is_range(now, byte_of(n, 2), byte_of(n, 3), &low, &high))
		buf_printf(b, "%d (Min/Max %d/%d)", now, low, high);
	else if (w2 && are_temperatures(w0, w1, w2) &&
		 is_range(now, byte_of(n, 2), byte_of(n, 4), &low, &high))
		buf_printf(b, "%d (Min/Max %d/%d)", now, low, high);
	else if (known && w2 && w2 < 0x7fff &&
		 is_range(now, byte_of(n, 2), byte_of(n, 3), &low, &high) && high >= 40)
		buf_printf(b, "%d (Min/Max %d/%d #%u)", now, low, high, w2);
	else
		buf_printf(b, "%u (%u %u %u %u %u)", byte_of(n, 0), byte_of(n, 5),
			   byte_of(n, 4), byte_of(n, 3), byte_of(n, 2), byte_of(n, 1));
}

static void add_tenths(struct buf *b, uint64_t n)
{
	buf_printf(b, "%u.%u", word_of(n, 0) / 10u, word_of(n, 0) % 10u);
}

/* --- table ---------------------------------------------------------------------------------- */

/* clang-format off */
static const struct {
	const char *name, *order; /* of bytes, highest first */
	void (*add)(struct buf *b, uint64_t n);
} formats[] = {
	{ "raw8",         ORDER_48, add_raw8 },
	{ "raw16",        ORDER_48, add_raw16 },
	{ "raw48",        ORDER_48, add_decimal },
	{ "hex48",        ORDER_48, add_hex48 },
	{ "raw56",        ORDER_56, add_decimal },
	{ "hex56",        ORDER_56, add_hex56 },
	{ "raw64",        ORDER_64, add_decimal },
	{ "hex64",        ORDER_64, add_hex64 },
	{ "raw16(raw16)", ORDER_48, add_raw16_raw16 },
	{ "raw16(avg16)", ORDER_48, add_raw16_avg16 },
	{ "raw24(raw8)",  ORDER_48, add_raw24_raw8 },
	{ "raw24/raw24",  ORDER_48, add_raw24_raw24 },
	{ "raw24/raw32",  ORDER_56, add_raw24_raw32 },
	{ "sec2hour",     ORDER_48, add_seconds },
	{ "min2hour",     ORDER_48, add_minutes },
	{ "halfmin2hour", ORDER_48, add_half_minutes },
	{ "msec24hour32", ORDER_56, add_hours_ms },
	{ "tempminmax",   ORDER_48, add_temperature },
	{ "temp10x",      ORDER_48, add_tenths },
};
/* clang-format on */

struct raw_value raw_value_of(uint64_t raw48)
{
	struct raw_value v = { 0 };

	for (unsigned i = 0; i < sizeof(v.raw); i++)
		v.raw[i] = byte_of(raw48, i);
	return v;
}

/* Split "FORMAT:ORDER"; the row of the format and its order, the usual one if none is given. */
static bool find_format(const char *format, size_t *ret_row, const char **ret_order)
{
	const char *colon = strchr(format, ':');
	size_t len = colon ? (size_t)(colon - format) : strlen(format);

	for (size_t i = 0; i < array_size(formats); i++) {
		if (strlen(formats[i].name) != len ||
		    strncmp(formats[i].name, format, len) != 0)
			continue;
		if (colon && (!colon[1] || strlen(colon + 1) > 8 ||
			      colon[1 + strspn(colon + 1, "012345rvwz")]))
			return false;
		*ret_row = i;
		*ret_order = colon ? colon + 1 : formats[i].order;
		return true;
	}
	return false;
}

bool raw_format_is_valid(const char *format)
{
	const char *order;
	size_t row;

	return find_format(format, &row, &order);
}

static uint8_t byte_named(const struct raw_value *v, char name)
{
	switch (name) {
	case 'r':
		return v->reserved;
	case 'v':
		return v->value;
	case 'w':
		return v->worst;
	case 'z':
		return 0;
	default:
		return v->raw[name - '0'];
	}
}

int raw_format_add(struct buf *b, const char *format, const struct raw_value *v)
{
	const char *order;
	uint64_t n = 0;
	size_t row;

	if (!find_format(format, &row, &order))
		return -EINVAL;
	if (strchr(order, 'r') && !v->has_reserved)
		return -ENODATA;
	for (; *order; order++)
		n = n << 8 | byte_named(v, *order);
	formats[row].add(b, n);
	return 0;
}

const char *raw_format_usual(uint32_t id)
{
	static const struct {
		uint32_t id;
		const char *format;
	} rows[] = {
		{ 3, "raw16(avg16)" },	{ 5, "raw16(raw16)" }, { 9, "raw24(raw8)" },
		{ 190, "tempminmax" },	{ 194, "tempminmax" }, { 196, "raw16(raw16)" },
		{ 240, "raw24(raw8)" },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].id == id)
			return rows[i].format;
	return NULL;
}
