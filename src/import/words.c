/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/words.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

size_t words_split(const char *s, struct word *ret, size_t max)
{
	size_t n = 0;

	while (n < max) {
		while (*s == ' ')
			s++;
		if (!*s)
			break;
		ret[n].s = s;
		while (*s && *s != ' ')
			s++;
		ret[n].len = (size_t)(s - ret[n].s);
		n++;
	}
	return n;
}

bool word_is(struct word w, const char *text)
{
	return strlen(text) == w.len && memcmp(w.s, text, w.len) == 0;
}

bool word_starts(struct word w, const char *prefix)
{
	size_t n = strlen(prefix);

	return n <= w.len && memcmp(w.s, prefix, n) == 0;
}

/* The number must end where the word does. */
static int take_number(const char *s, const char *end, int base, uint64_t *ret)
{
	uint64_t n;
	int r = s < end ? str_take_u64(&s, base, &n) : -EINVAL;

	if (r < 0)
		return r;
	if (s != end)
		return -EINVAL;
	*ret = n;
	return 0;
}

int word_u64(struct word w, int base, uint64_t *ret)
{
	return take_number(w.s, w.s + w.len, base, ret);
}

int word_hex(struct word w, uint64_t *ret)
{
	if (!word_starts(w, "0x"))
		return -EINVAL;
	return take_number(w.s + 2, w.s + w.len, 16, ret);
}

bool word_is_hex(struct word w, size_t len)
{
	uint64_t n;

	return w.len == len && word_u64(w, 16, &n) == 0;
}

const char *words_after(const char *s, const char *prefix)
{
	for (; *prefix; prefix++, s++) {
		if (*prefix != *s)
			return NULL;
		if (*prefix == ' ')
			while (s[1] == ' ')
				s++;
	}
	return s;
}
