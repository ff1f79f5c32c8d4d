/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of key=value, the form of most of fio's lines. */
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

/* What stands between this comma and the next is no "key=value". */
static bool is_torn(const char *comma)
{
	const char *p = comma;
	size_t len;

	if (!*p)
		return false;
	for (p++; str_is_space(*p); p++)
		;
	len = strcspn(p, ",");
	return *p && !memchr(p, '=', len);
}

bool fio_next_item(struct scan *sc, struct fio_item *ret)
{
	const char *p = sc->p, *end, *equal;
	size_t skip = 0;
	bool torn;

	p += *p == ',';
	p += strspn(p, " ");
	torn = *p == ',';
	p += strspn(p, ", ");
	if (!*p)
		return false;
	*ret = (struct fio_item){ 0 };
	end = p + strcspn(p, ",");
	ret->last = !end[strspn(end, ", ")];
	sc->p = end;
	if (str_starts(p, ">=")) /* the key ">=64" holds a '=' itself */
		skip = 2;
	equal = memchr(p + skip, '=', (size_t)(end - p) - skip);
	if (equal && (size_t)(equal - p) < sizeof(ret->key)) {
		memcpy(ret->key, p, (size_t)(equal - p));
		p = equal + 1;
	}
	while (p < end && str_is_space(*p))
		p++;
	while (end > p && str_is_space(end[-1]))
		end--;
	ret->value = p;
	/* a comma inside a number: neither half is it */
	ret->len = torn || is_torn(sc->p) ? 0 : (size_t)(end - p);
	return true;
}

bool fio_item_text(const struct fio_item *it, char *buf, size_t size)
{
	if (!it->len || it->len >= size)
		return false;
	memcpy(buf, it->value, it->len);
	buf[it->len] = '\0';
	return true;
}

bool fio_take_percent(const char *s, unsigned int places, uint64_t *ret_ppm)
{
	struct scan sc = { s };
	struct decimal d;

	return str_is_digit(*s) && scan_decimal(&sc, &d) && d.places == places &&
	       *sc.p++ == '%' && scan_end(&sc) && decimal_scale(d, 10000, ret_ppm);
}

/*
 * fio gives a time up to six digits; what is longer is cut to thousands with a letter, and has
 * four digits before a point and one behind it, or five or six without one.
 */
static bool take_time(struct scan *sc, struct quantity *ret)
{
	struct scan s = *sc;
	size_t digits;

	scan_blanks(&s);
	digits = strspn(s.p, "0123456789");
	if (!scan_thousands(sc, ret))
		return false;
	return ret->unit == 1 || (ret->whole ? digits == 5 || digits == 6 : digits == 4);
}

/* *ret_closed: the form itself shows that no digit is missing at its end. */
static bool take_form(enum fio_form form, const char *s, uint64_t unit, uint64_t *ret,
		      bool *ret_closed)
{
	struct scan sc = { s };
	struct decimal d;
	struct quantity q;
	uint64_t n;

	*ret_closed = form == FIO_FORM_FLOAT || form == FIO_FORM_PERCENT;
	switch (form) {
	case FIO_FORM_COUNT:
		return scan_u64(&sc, &n) && scan_end(&sc) &&
		       muldiv_round(n, unit, 1, ret);
	case FIO_FORM_TIME:
		return take_time(&sc, &q) && scan_end(&sc) &&
		       muldiv_round(q.value, unit, 1, ret);
	case FIO_FORM_FLOAT: /* always %5.02f */
		return scan_decimal(&sc, &d) && d.places == 2 && scan_end(&sc) &&
		       decimal_scale(d, unit, ret);
	case FIO_FORM_PERCENT:
		return fio_take_percent(s, 2, ret);
	case FIO_FORM_IGNORED:
		break;
	}
	return false;
}

static const struct fio_field *find_field(const struct fio_field *fields, size_t n,
					  const char *key)
{
	for (size_t i = 0; i < n; i++) {
		if (str_equal(fields[i].key, key))
			return &fields[i];
	}
	return NULL;
}

void fio_note_damaged(struct fio *f, const struct fio_line *l, const char *key,
		      const char *value, size_t len)
{
	fio_note(f, l->first, "\"%s%s%.*s\" cannot be read: this value is left out", key,
		 *key ? "=" : "", (int)(len < 40 ? len : 40), value);
}

bool fio_take_items(struct fio *f, const struct fio_line *l, const char *s,
		    const struct fio_field *fields, size_t n, uint64_t unit,
		    struct fio_values *to)
{
	struct scan sc = { s };
	struct fio_item it;
	bool good = true;

	while (fio_next_item(&sc, &it)) {
		const struct fio_field *field = find_field(fields, n, it.key);
		char text[64];
		uint64_t v = 0;
		bool closed;

		if (field && field->form == FIO_FORM_IGNORED)
			continue;
		if (field && fio_item_text(&it, text, sizeof(text)) &&
		    take_form(field->form, text, unit, &v, &closed) &&
		    (closed || !it.last || !l->open)) {
			fio_set_u64(f, to, field->id, 0, v, l->first);
			continue;
		}
		fio_note_damaged(f, l, it.key, it.value, it.len);
		good = false;
	}
	return good;
}

void fio_claim_read(struct fio *f, const struct fio_line *l, bool good)
{
	struct fio_line first = *l;

	/* the rest of a wrapped line is reported with its first */
	first.end = first.first + 1;
	fio_claim(f, &first, good ? LINE_READ : LINE_DAMAGED);
	fio_claim(f, l, LINE_READ);
}

/* A line of a run or job that is not there: its head was lost. */
void fio_note_orphan(struct fio *f, const struct fio_line *l)
{
	fio_note(f, l->first,
		 "a line of fio's without the line of its job above it: left out");
	fio_claim(f, l, LINE_UNKNOWN);
}
