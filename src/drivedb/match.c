/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/match.h"

#include <string.h>

#include "base/str.h"

/* Far above the 40 bytes of IDENTIFY words 27..46; a posted text can claim anything. */
#define MAX_PART 256u

/* The character behind the "]" that closes the class at GLOB ("["), or NULL. */
static const char *class_end(const char *glob)
{
	const char *p = glob + 1;

	if (*p == '!' || *p == '^')
		p++;
	if (*p == ']')
		p++;
	p = strchr(p, ']');
	return p ? p + 1 : NULL;
}

static bool class_holds(const char *glob, const char *end, char c)
{
	const char *p = glob + 1;
	bool negated = *p == '!' || *p == '^', found = false;
	uint8_t byte = (uint8_t)c;

	if (negated)
		p++;
	for (; p < end - 1; p++) {
		uint8_t low = (uint8_t)*p, high = low;

		if (p[1] == '-' && p + 2 < end - 1) {
			high = (uint8_t)p[2];
			p += 2;
		}
		found |= byte >= low && byte <= high;
	}
	return found != negated;
}

/* Does the one-character pattern at GLOB take C? Its end is stored in any case. */
static bool one_matches(const char *glob, char c, const char **ret_next)
{
	const char *end;

	*ret_next = glob + 1;
	if (*glob == '?')
		return true;
	if (*glob != '[')
		return *glob == c;
	end = class_end(glob);
	if (!end)
		return c == '[';
	*ret_next = end;
	return class_holds(glob, end, c);
}

bool glob_match(const char *glob, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		const char *next;

		if (*glob == '*') {
			star = ++glob;
			retry = text;
		} else if (*glob && one_matches(glob, *text, &next)) {
			glob = next;
			text++;
		} else if (star) {
			/* only the last star need be tried again: an earlier one is done */
			glob = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool class_is_valid(const char *glob, const char *end)
{
	const char *p = glob + 1;

	if (*p == '!' || *p == '^')
		p++;
	for (; p < end - 1; p++) {
		if (p[1] != '-' || p + 2 >= end - 1)
			continue;
		if ((uint8_t)p[2] < (uint8_t)*p)
			return false;
		p += 2;
	}
	return true;
}

bool glob_is_valid(const char *glob)
{
	while (*glob) {
		const char *end;

		if (*glob++ != '[')
			continue;
		end = class_end(glob - 1);
		if (!end || !class_is_valid(glob - 1, end))
			return false;
		glob = end;
	}
	return true;
}

static void add_part(struct buf *b, const char *s)
{
	size_t len = s ? strnlen(s, MAX_PART) : 0;
	bool space = false, begun = false;

	for (size_t i = 0; i < len; i++) {
		uint8_t c = (uint8_t)s[i];

		if (str_is_space(s[i])) {
			space = begun;
			continue;
		}
		if (space)
			buf_putc(b, ' ');
		space = false;
		begun = true;
		buf_putc(b, c == ':' || c < 0x20 || c == 0x7f ? '-' : s[i]);
	}
}

void match_add_string(struct buf *b, const struct drive_id *id)
{
	const char *bus = id->bus;

	if (!bus || str_equal(bus, "sata"))
		bus = "ata";
	else if (str_equal(bus, "sas"))
		bus = "scsi";
	add_part(b, bus);
	buf_puts(b, ":mn");
	add_part(b, id->model);
	buf_puts(b, ":fw");
	add_part(b, id->firmware);
	buf_putc(b, ':');
}
