/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/units.h"

#include "base/str.h"

struct scale {
	uint64_t one;
	const char *name;
};

/* Three digits of N in the largest unit that keeps one before the point. */
static void add_scaled(struct buf *b, uint64_t n, const struct scale *scales,
		       size_t count)
{
	size_t k = 0;
	uint64_t whole, hundredths;

	while (k + 1 < count && n >= scales[k + 1].one)
		k++;
	whole = n / scales[k].one;
	hundredths = scales[k].one >= 100 ? n % scales[k].one / (scales[k].one / 100) : 0;
	buf_printf(b, "%llu", (unsigned long long)whole);
	if (k && whole < 10)
		buf_printf(b, ".%02u", (unsigned)hundredths);
	else if (k && whole < 100)
		buf_printf(b, ".%u", (unsigned)(hundredths / 10));
	buf_printf(b, " %s", scales[k].name);
}

void units_add_bytes(struct buf *b, uint64_t bytes)
{
	static const struct scale scales[] = {
		{ 1, "bytes" },	      { 1000, "kB" },	       { 1000000, "MB" },
		{ 1000000000, "GB" }, { 1000000000000, "TB" }, { 1000000000000000, "PB" },
	};

	add_scaled(b, bytes, scales, array_size(scales));
}

void units_add_block(struct buf *b, uint64_t bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB" };
	size_t k = 0;

	while (k + 1 < array_size(names) && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		k++;
	}
	buf_printf(b, "%llu %s", (unsigned long long)bytes, names[k]);
}

void units_add_ns(struct buf *b, uint64_t ns)
{
	static const struct scale scales[] = {
		{ 1, "ns" }, { 1000, "us" }, { 1000000, "ms" }, { 1000000000, "s" }
	};

	add_scaled(b, ns, scales, array_size(scales));
}

void units_add_decimal(struct buf *b, int64_t value, unsigned digits)
{
	uint64_t n = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, one = 1, part;
	char fraction[20];
	unsigned len = digits < sizeof(fraction) ? digits : sizeof(fraction) - 1;

	for (unsigned i = 0; i < len; i++)
		one *= 10;
	part = n % one;
	for (unsigned i = len; i-- > 0; part /= 10)
		fraction[i] = (char)('0' + part % 10);
	while (len > 1 && fraction[len - 1] == '0')
		len--;
	buf_printf(b, "%s%llu.", value < 0 ? "-" : "", (unsigned long long)(n / one));
	buf_add(b, len ? fraction : "0", len ? len : 1);
}

void units_add_mbps(struct buf *b, uint64_t mbps)
{
	if (mbps < 1000000000)
		units_add_decimal(b, (int64_t)mbps, 3);
	else
		buf_printf(b, "%llu", (unsigned long long)(mbps / 1000));
	buf_puts(b, " Gb/s");
}

void units_add_fact(struct buf *b, const struct fact *f)
{
	const struct fact_info *info = fact_get_info(f->key.id);
	const char *unit = fact_unit_name(info->unit);

	switch (info->type) {
	case FACT_FLAG:
		buf_puts(b, f->u ? "yes" : "no");
		break;
	case FACT_U64:
		str_add_grouped(b, f->u);
		break;
	case FACT_S64:
		buf_printf(b, "%lld", (long long)f->s);
		break;
	case FACT_TEXT:
		str_add_escaped(b, f->text, 2000);
		break;
	}
	if (unit[0])
		buf_printf(b, " %s", unit);
}

void units_add_origin(struct buf *b, const struct fact *f)
{
	const struct fact_origin *o = &f->origin;
	const char *place = o->file ? o->file : o->item;

	if (f->trust == TRUST_DATABASE)
		buf_puts(b, "database ");
	else if (f->trust == TRUST_DERIVED)
		buf_puts(b, place ? "derived from " : "derived");
	else if (!place)
		buf_puts(b, fact_trust_name(f->trust));
	if (place)
		str_add_escaped(b, o->width && o->item ? o->item : place, 500);
	if (o->line)
		buf_printf(b, f->trust == TRUST_DATABASE ? ":%u" : ", line %u", o->line);
	if (o->width)
		buf_printf(b, ", byte %u", o->offset);
}
