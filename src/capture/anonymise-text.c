/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where lines of text tell serial numbers, WWNs and the names of users and hosts. */
#include <string.h>

#include "base/str.h"
#include "capture/anonymise-private.h"

struct line {
	uint8_t *s;
	size_t len;
};

static bool is_name(uint8_t c)
{
	return str_is_digit((char)c) || str_is_alpha((char)c) || c == '-' || c == '_' ||
	       c == '.';
}

/* Where the name that ends before AT begins. */
static size_t name_start(struct line l, size_t at)
{
	while (at && is_name(l.s[at - 1]))
		at--;
	return at;
}

/* Where the name that begins at AT ends. */
static size_t name_end(struct line l, size_t at)
{
	while (at < l.len && is_name(l.s[at]))
		at++;
	return at;
}

static void walk_name(struct anonymiser *a, struct line l, size_t from, size_t to)
{
	while (to > from && l.s[to - 1] == '.')
		to--;
	anonymise_text(a, SECRET_NAME, l.s + from, to - from);
}

/* ---- what stands behind fixed words ---- */

static const struct marker {
	const char *words;
	enum secret_kind kind;
} markers[] = {
	{ "/home/", SECRET_NAME },
	{ "/Users/", SECRET_NAME },
	{ "/run/media/", SECRET_NAME },
	{ "ostname set to <", SECRET_NAME }, /* systemd, at boot */
	{ "ostname to <", SECRET_NAME },
	{ "SerialNumber: ", SECRET_SERIAL }, /* the kernel, of USB devices */
	{ "Serial Number:", SECRET_SERIAL }, /* smartctl and hdparm, where quoted */
	{ "Serial number:", SECRET_SERIAL },
	{ "ID_SERIAL_SHORT=", SECRET_SERIAL }, /* udev */
	{ "ID_WWN=", SECRET_WWN },
	{ "LU WWN Device Id:", SECRET_WWN },
	{ "WWN Device Identifier:", SECRET_WWN },
	{ "naa.", SECRET_WWN },
	{ "wwn-0x", SECRET_WWN },
};

static void walk_marked(struct anonymiser *a, const struct marker *m, struct line rest)
{
	size_t n = 0;

	if (m->kind == SECRET_NAME) {
		walk_name(a, rest, 0, name_end(rest, 0));
		return;
	}
	while (n < rest.len && rest.s[n] != '"' && rest.s[n] != '\r')
		n++;
	if (m->kind == SECRET_WWN && n > 32)
		n = 32; /* the digits, with all that may stand between them */
	anonymise_text(a, m->kind, rest.s, n);
}

static void walk_markers(struct anonymiser *a, struct line l)
{
	for (size_t i = 0; i < array_size(markers); i++) {
		size_t n = strlen(markers[i].words);
		struct line rest = l;

		for (;;) {
			uint8_t *found = memmem(rest.s, rest.len, markers[i].words, n);

			if (!found)
				break;
			rest.len -= (size_t)(found - rest.s) + n;
			rest.s = found + n;
			walk_marked(a, &markers[i], rest);
		}
	}
}

/* ---- prompts and log lines ---- */

/* USER@HOST:~# and USER@HOST:/path$, and [USER@HOST path]# */
static void walk_user_prompts(struct anonymiser *a, struct line l)
{
	for (size_t i = 0; i < l.len; i++) {
		size_t from, to;
		bool is;

		if (l.s[i] != '@')
			continue;
		from = name_start(l, i);
		to = name_end(l, i + 1);
		if (from == i || to == i + 1 || to == l.len)
			continue;
		is = l.s[to] == ':' && to + 1 < l.len && strchr("~/", l.s[to + 1]);
		is |= l.s[to] == ' ' && from && l.s[from - 1] == '[';
		if (!is)
			continue;
		walk_name(a, l, from, i);
		walk_name(a, l, i + 1, to);
	}
}

/* HOST:~# and HOST:~/path$ */
static void walk_host_prompts(struct anonymiser *a, struct line l)
{
	for (size_t i = 1; i + 2 < l.len; i++) {
		size_t from;

		if (l.s[i] != ':' || l.s[i + 1] != '~' || !strchr("#$/ ", l.s[i + 2]))
			continue;
		from = name_start(l, i);
		if (!from || l.s[from - 1] != '@')
			walk_name(a, l, from, i);
	}
}

/* TIME HOST kernel: ... as syslog and journalctl write it; a time has two colons. */
static void walk_log_prefix(struct anonymiser *a, struct line l)
{
	static const char words[] = " kernel: ";
	const uint8_t *found =
		memmem(l.s, l.len < 120 ? l.len : 120, words, sizeof(words) - 1);
	size_t to = found ? (size_t)(found - l.s) : 0, from = name_start(l, to);
	unsigned colons = 0;

	if (!found || from == to || from < 2 || l.s[from - 1] != ' ')
		return;
	for (size_t i = from - 1; i > 0 && l.s[i - 1] != ' '; i--)
		colons += l.s[i - 1] == ':';
	if (colons >= 2)
		walk_name(a, l, from, to);
}

/* ---- lines ---- */

static void walk_line(struct anonymiser *a, struct line l)
{
	walk_markers(a, l);
	walk_user_prompts(a, l);
	walk_host_prompts(a, l);
	walk_log_prefix(a, l);
	if (a->replaces)
		secrets_replace_words(&a->secrets, l.s, l.len);
}

/* NAME="VALUE" @LINE: the value; numbers and names are nobody's secret. */
static struct line quoted(struct line l)
{
	uint8_t *first = memchr(l.s, '"', l.len), *last = memrchr(l.s, '"', l.len);

	if (!first || first == last)
		return (struct line){ l.s, 0 };
	return (struct line){ first + 1, (size_t)(last - first) - 1 };
}

static bool starts(struct line l, const char *words)
{
	size_t n = strlen(words);

	return l.len >= n && memcmp(l.s, words, n) == 0;
}

/* "sas_port[1].phy[0].address", "nvme_namespace[1].eui64": numbers of one device, with keys in them */
static bool is_address(struct line l)
{
	static const char *const names[] = { "].address=\"", "].attached_address=\"",
					     "].eui64=\"" };

	if (!starts(l, "sas_port[") && !starts(l, "nvme_namespace["))
		return false;
	for (size_t i = 0; i < array_size(names); i++)
		if (memmem(l.s, l.len, names[i], strlen(names[i])))
			return true;
	return false;
}

static void walk_fact(struct anonymiser *a, struct line l)
{
	struct line value = quoted(l);

	if (starts(l, "serial=\""))
		anonymise_text(a, SECRET_SERIAL, value.s, value.len);
	else if (starts(l, "wwn=\"") || is_address(l))
		anonymise_text(a, SECRET_WWN, value.s, value.len);
	walk_line(a, value);
}

void anonymise_lines(struct anonymiser *a, bool facts, uint8_t *bytes, size_t len)
{
	while (len) {
		uint8_t *end = memchr(bytes, '\n', len);
		struct line l = { bytes, end ? (size_t)(end - bytes) : len };

		if (facts)
			walk_fact(a, l);
		else
			walk_line(a, l);
		len -= l.len + (end != NULL);
		bytes += l.len + (end != NULL);
	}
}
