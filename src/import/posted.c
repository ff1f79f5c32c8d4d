/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/posted.h"

#include <string.h>

#include "base/str.h"
#include "import/words.h"

struct emit *posted_on(struct posted *p, const char *device, size_t line)
{
	struct posted_drive *d;

	if (!device)
		device = "";
	for (size_t i = 0; i < p->n; i++)
		if (str_equal(p->drives[i].device, device))
			return &p->drives[i].e;
	if (p->n == POSTED_DRIVES || strlen(device) >= sizeof(d->device))
		return NULL;
	d = &p->drives[p->n++];
	(void)snprintf(d->device, sizeof(d->device), "%s", device);
	d->e = (struct emit){ .im = p->im };
	if (*device)
		emit_text(&d->e, FACT_DEVICE, 0, 0, device, line);
	return &d->e;
}

int posted_done(struct posted *p)
{
	int result = (int)p->runs;

	for (size_t i = 0; i < p->n; i++) {
		int r = emit_done(&p->drives[i].e, CAP_DRIVE, p->item);

		if (r < 0 && result >= 0)
			result = r;
	}
	return result;
}

/* ---- who is meant --------------------------------------------------------------------------- */

static bool is_name(char c)
{
	return str_is_alpha(c) || str_is_digit(c) || strchr("/_.:+-", c);
}

bool posted_device(const char *s, char *ret, size_t size)
{
	static const char *const none[] = { "null",   "zero",  "urandom",
					    "random", "stdin", "stdout" };

	for (const char *p = strstr(s, "/dev/"); p; p = strstr(p + 1, "/dev/")) {
		const char *name = p + strlen("/dev/");
		size_t len = 0;
		bool other = false;

		while (name[len] && is_name(name[len]))
			len++;
		/* "/dev/sda: ..." and the stop of a sentence */
		while (len && strchr(":.", name[len - 1]))
			len--;
		for (size_t i = 0; i < array_size(none); i++)
			other |= strlen(none[i]) == len && !memcmp(none[i], name, len);
		if (!len || len >= size || other)
			continue;
		memcpy(ret, name, len);
		ret[len] = '\0';
		return true;
	}
	return false;
}

static const char *behind_letters(const char *s)
{
	static const char *const lettered[] = { "sd", "hd", "vd", "xvd" };

	for (size_t i = 0; i < array_size(lettered); i++) {
		const char *p = str_after(s, lettered[i]);
		size_t n = p ? strspn(p, "abcdefghijklmnopqrstuvwxyz") : 0;

		if (n >= 1 && n <= 3)
			return p + n;
	}
	return NULL;
}

bool posted_is_disk(const char *name)
{
	const char *rest = behind_letters(name);
	struct scan sc = { name };
	uint64_t n;

	if (rest)
		return strspn(rest, "0123456789") == strlen(rest);
	if (scan_text(&sc, "nvme")) {
		if (!scan_u64(&sc, &n) || *sc.p++ != 'n' || !scan_u64(&sc, &n))
			return false;
	} else if (!scan_text(&sc, "mmcblk") || !scan_u64(&sc, &n)) {
		return false;
	}
	return !*sc.p || (*sc.p++ == 'p' && scan_u64(&sc, &n) && !*sc.p);
}

/* ---- commands ------------------------------------------------------------------------------------ */

static bool starts_word(const char *s, const char *p)
{
	return p == s || strchr(" /$#>;&|(`", p[-1]);
}

/* " -x" or " --long" somewhere, not " -19" */
static bool has_option(const char *s)
{
	for (const char *p = strstr(s, " -"); p; p = strstr(p + 1, " -"))
		if (str_is_alpha(p[2]) || (p[2] == '-' && str_is_alpha(p[3])))
			return true;
	return false;
}

const char *posted_command(const struct text *t, size_t index, const char *name)
{
	const char *s = t->lines[index].s;
	size_t len = strlen(name);

	for (const char *p = strstr(s, name); p; p = strstr(p + 1, name)) {
		const char *rest = p + len;

		if (!starts_word(s, p) || *rest != ' ')
			continue;
		while (*rest == ' ')
			rest++;
		if (*rest == '-' || *rest == '/' || *rest == '.' || strchr(rest, '=') ||
		    has_option(rest) || strstr(rest, " /"))
			return rest;
	}
	return NULL;
}

const char *posted_command_above(const struct text *t, size_t index, const char *name,
				 size_t span, size_t *ret_line)
{
	for (size_t i = 0; i <= span && i <= index; i++) {
		const char *s = posted_command(t, index - i, name);

		if (!s)
			continue;
		*ret_line = index - i;
		return s;
	}
	return NULL;
}

bool posted_option(const char *s, const char *key, char *ret, size_t size)
{
	size_t len = strlen(key);

	for (const char *p = strstr(s, key); p; p = strstr(p + 1, key)) {
		size_t n;

		if ((p > s && p[-1] != ' ') || p[len] != '=')
			continue;
		p += len + 1;
		n = strcspn(p, " ;|&");
		if (!n || n >= size)
			return false;
		memcpy(ret, p, n);
		ret[n] = '\0';
		return true;
	}
	return false;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

static bool take_digits(struct scan *s, struct decimal *d, bool places, unsigned *digits)
{
	unsigned before = *digits;

	for (; str_is_digit(*s->p); s->p++, ++*digits) {
		if (*digits >= 18)
			return false;
		d->mantissa = d->mantissa * 10 + (uint64_t)(*s->p - '0');
		d->places += places;
	}
	return *digits > before;
}

bool posted_decimal(struct scan *sc, struct decimal *ret)
{
	struct scan s = *sc;
	struct decimal d = { 0 };
	unsigned digits = 0;
	uint64_t e = 0;

	scan_blanks(&s);
	if (!take_digits(&s, &d, false, &digits))
		return false;
	if ((*s.p == '.' || *s.p == ',') && str_is_digit(s.p[1])) {
		s.p++;
		if (!take_digits(&s, &d, true, &digits))
			return false;
	}
	if (*s.p == 'e' && s.p[1] == '-') {
		s.p += 2;
		if (str_take_u64(&s.p, 10, &e) < 0 || e > 9)
			return false;
	}
	d.places += (unsigned)e;
	if (d.places > 18)
		return false;
	*sc = s;
	*ret = d;
	return true;
}

static uint64_t unit_of(struct scan *sc)
{
	static const char prefixes[] = "KMGTP";
	char c = *sc->p == 'k' || *sc->p == 'm' || *sc->p == 'g'
			 ? (char)(*sc->p - 'a' + 'A')
			 : *sc->p;
	uint64_t unit = 1, step;

	if (!c || !strchr(prefixes, c))
		return 1;
	step = sc->p[1] == 'i' ? 1024 : 1000;
	for (size_t i = 0; prefixes[i]; i++) {
		unit *= step;
		if (prefixes[i] == c)
			break;
	}
	sc->p += step == 1024 ? 2 : 1;
	return unit;
}

bool posted_bytes(struct scan *sc, uint64_t *ret, uint64_t *ret_digit)
{
	struct scan s = *sc;
	struct decimal d;
	uint64_t unit;

	if (!posted_decimal(&s, &d))
		return false;
	scan_blanks(&s);
	unit = unit_of(&s);
	if ((*s.p != 'B' && !str_starts(s.p, "byte")) || !decimal_scale(d, unit, ret))
		return false;
	*ret_digit = unit;
	for (unsigned i = 0; i<d.places && * ret_digit> 1; i++)
		*ret_digit /= 10;
	s.p += *s.p == 'B' ? 1 : strspn(s.p, "bytes");
	*sc = s;
	return true;
}
