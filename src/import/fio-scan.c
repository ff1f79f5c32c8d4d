/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/fio-scan.h"

#include "base/str.h"

void scan_blanks(struct scan *sc)
{
	while (str_is_space(*sc->p))
		sc->p++;
}

bool scan_end(struct scan *sc)
{
	scan_blanks(sc);
	return *sc->p == '\0';
}

bool scan_text(struct scan *sc, const char *text)
{
	struct scan s = *sc;

	scan_blanks(&s);
	for (; *text; text++) {
		if (*text == ' ')
			scan_blanks(&s);
		else if (*s.p++ != *text)
			return false;
	}
	*sc = s;
	return true;
}

/* fio prints no number with a zero in front: there was another digit before it. */
static bool has_odd_zero(const char *s)
{
	return s[0] == '0' && str_is_digit(s[1]);
}

bool scan_u64(struct scan *sc, uint64_t *ret)
{
	struct scan s = *sc;

	scan_blanks(&s);
	if (has_odd_zero(s.p) || str_take_u64(&s.p, 10, ret))
		return false;
	*sc = s;
	return true;
}

bool scan_decimal(struct scan *sc, struct decimal *ret)
{
	struct scan s = *sc;
	struct decimal d = { 0 };
	unsigned int digits = 0;

	scan_blanks(&s);
	if (has_odd_zero(s.p))
		return false;
	for (; str_is_digit(*s.p); s.p++, digits++) {
		if (digits >= 18)
			return false;
		d.mantissa = d.mantissa * 10 + (uint64_t)(*s.p - '0');
	}
	if (!digits)
		return false;
	if (*s.p == '.') {
		for (s.p++; str_is_digit(*s.p); s.p++, digits++, d.places++) {
			if (digits >= 18 || d.places >= 9)
				return false;
			d.mantissa = d.mantissa * 10 + (uint64_t)(*s.p - '0');
		}
		if (!d.places)
			return false;
	}
	*sc = s;
	*ret = d;
	return true;
}

static uint64_t power_of_10(unsigned int n)
{
	uint64_t p = 1;

	while (n--)
		p *= 10;
	return p;
}

bool decimal_scale(struct decimal d, uint64_t factor, uint64_t *ret)
{
	return muldiv_round(d.mantissa, factor, power_of_10(d.places), ret);
}

bool muldiv_round(uint64_t a, uint64_t b, uint64_t c, uint64_t *ret)
{
	uint64_t whole, rest;

	if (!c)
		return false;
	whole = a / c;
	rest = a % c;
	if (b && (whole > UINT64_MAX / b || rest > (UINT64_MAX - c / 2) / b))
		return false;
	rest = (rest * b + c / 2) / c;
	if (whole * b > UINT64_MAX - rest)
		return false;
	*ret = whole * b + rest;
	return true;
}

static bool scaled(struct decimal d, uint64_t unit, struct quantity *ret)
{
	struct quantity q = { .unit = unit, .whole = d.places == 0 };

	if (!decimal_scale(d, unit, &q.value))
		return false;
	/* Only the whole part is sure. Up to 2.18 what stands behind the point is the remainder
	 * of 1024 or 1000, cut and without leading zeros: 7/1024 may print as .7. 3.1 prints
	 * 11.99 as 11.0: it rounds the decimals up and forgets to carry. */
	q.slack = unit;
	*ret = q;
	return true;
}

static uint64_t prefix_factor(char c, uint64_t thousand)
{
	static const char prefixes[] = "KMGTP";
	uint64_t factor = 1;

	if (c == 'k')
		c = 'K';
	for (size_t i = 0; prefixes[i]; i++) {
		factor *= thousand;
		if (c == prefixes[i])
			return factor;
	}
	return 1;
}

bool scan_size(struct scan *sc, enum fio_era era, struct quantity *ret)
{
	struct scan s = *sc;
	struct decimal d;
	uint64_t unit = 1;

	if (!scan_decimal(&s, &d))
		return false;
	scan_blanks(&s);
	if (prefix_factor(*s.p, 2) > 1) {
		bool binary = era == FIO_ERA_2 || s.p[1] == 'i';

		unit = prefix_factor(*s.p++, binary ? 1024 : 1000);
		s.p += *s.p == 'i';
	}
	if (*s.p == 'B')
		s.p++;
	else if (era == FIO_ERA_3) /* bits, or a unit that the end of the line took */
		return false;
	if (str_is_alpha(*s.p) || (unit == 1 && d.places) || !scaled(d, unit, ret))
		return false;
	if (unit == 1)
		ret->slack = 0;
	*sc = s;
	return true;
}

bool scan_thousands(struct scan *sc, struct quantity *ret)
{
	struct scan s = *sc;
	struct decimal d;
	uint64_t unit;

	if (!scan_decimal(&s, &d))
		return false;
	unit = prefix_factor(*s.p, 1000);
	if (unit > 1)
		s.p++;
	else if (d.places)
		return false; /* fio prints a point only together with a prefix */
	if (str_is_alpha(*s.p) || !scaled(d, unit, ret))
		return false;
	*sc = s;
	return true;
}

bool scan_time_unit(struct scan *sc, uint64_t *ret_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "nsec", 1 },
		{ "usec", 1000 },
		{ "msec", 1000000 },
		{ "sec", 1000000000 },
	};

	for (size_t i = 0; i < array_size(units); i++) {
		if (!scan_text(sc, units[i].name))
			continue;
		*ret_ns = units[i].ns;
		return true;
	}
	return false;
}
