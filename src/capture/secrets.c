/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/secrets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/siphash.h"
#include "base/str.h"

static bool is_alnum(uint8_t c)
{
	return str_is_digit((char)c) || str_is_alpha((char)c);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* ---- what is a secret ---- */

static bool is_one_of(const char *const *words, size_t n, const char *text, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i]) == len && strncasecmp(words[i], text, len) == 0)
			return true;
	return false;
}

/* Nothing but one character, as XXXX-XXXX or 0000, is a mask; so is what has none at all. */
static bool is_mask(const char *text, size_t len)
{
	char seen = '\0';

	for (size_t i = 0; i < len; i++) {
		if (!is_alnum((uint8_t)text[i]))
			continue;
		if (seen && text[i] != seen)
			return false;
		seen = text[i];
	}
	return true;
}

bool secret_is_one(enum secret_kind kind, const char *text, size_t len)
{
	static const char *const no_serials[] = {
		"anonymised", "anonymized", "hidden",	   "masked",  "n/a",
		"none",	      "omitted",    "redacted",	   "removed", "serial",
		"snipped",    "stripped",   "unavailable", "unknown",
	};
	static const char *const no_names[] = {
		"localhost", "root", "user", "username", "host", "hostname",
	};

	if (kind == SECRET_SERIAL) {
		while (len && strchr("<[({", text[0]) && strchr(">])}", text[len - 1])) {
			if (len < 2)
				return false;
			text++;
			len -= 2;
		}
		return !is_mask(text, len) &&
		       !is_one_of(no_serials, array_size(no_serials), text, len);
	}
	return len > 1 && !is_mask(text, len) &&
	       !is_one_of(no_names, array_size(no_names), text, len);
}

/*
 * Whether it may be replaced wherever it stands as a word. What could as well be a number or a
 * plain word of a log is only replaced where it is known to be a serial number or a name.
 */
static bool is_distinctive(enum secret_kind kind, const char *text, size_t len)
{
	static const char *const common[] = {
		"block",  "data",   "device", "disk", "drive",	"error", "fail",
		"failed", "hard",   "kernel", "link", "linux",	"model", "port",
		"ready",  "reset",  "sata",   "scsi", "sector", "self",	 "short",
		"smart",  "status", "test",   "time", "trim",	"write",
	};
	size_t digits = 0;

	if (!len || len > SECRETS_MAX_LEN || !is_alnum((uint8_t)text[0]) ||
	    !is_alnum((uint8_t)text[len - 1]))
		return false;
	for (size_t i = 0; i < len; i++)
		digits += str_is_digit(text[i]);
	if (kind == SECRET_SERIAL)
		return len >= 5 && digits && (digits < len || len >= 8);
	return len >= 4 && digits < len &&
	       !is_one_of(common, array_size(common), text, len);
}

/* ---- pseudonyms ---- */

static size_t escape_len(const char *s, size_t len)
{
	if (s[0] != '\\' || len < 2)
		return 0;
	if (s[1] == '\\')
		return 2;
	return s[1] == 'x' && len >= 4 ? 4 : 0;
}

/*
 * One character for one, of the same class. Writes to RET, which may be TEXT itself, or only
 * says whether it would differ when RET is NULL.
 */
static bool make_pseudonym(uint64_t seed, const char *text, size_t len, char *ret)
{
	bool differs = false;

	for (size_t i = 0; i < len; i++) {
		size_t skip = escape_len(text + i, len - i);
		uint64_t h = siphash(seed, i, span_of("", 0));
		char c = text[i];

		if (skip) {
			i += skip - 1;
			continue;
		}
		if (str_is_digit(c))
			c = (char)('0' + h % 10);
		else if (str_is_alpha(c))
			c = (char)((c >= 'a' ? 'a' : 'A') + h % 26);
		differs |= c != text[i];
		if (ret)
			ret[i] = c;
	}
	return differs;
}

/* A short original may come out as itself: then the next one is taken. */
static uint64_t find_seed(const struct secrets *s, const char *text, size_t len)
{
	uint64_t seed = siphash(s->key, 0, span_of(text, len));

	for (unsigned i = 0; i < 16 && !make_pseudonym(seed, text, len, NULL); i++)
		seed++;
	return seed;
}

void secrets_replace_text(const struct secrets *s, char *text, size_t len)
{
	(void)make_pseudonym(find_seed(s, text, len), text, len, text);
}

static void put_be64(uint8_t bytes[8], uint64_t n)
{
	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(n >> (56 - 8 * i));
}

/* The maker stays: NAA and OUI are the upper 28 bits. */
uint64_t secrets_pseudonym_wwn(const struct secrets *s, uint64_t wwn)
{
	const uint64_t mask = ((uint64_t)1 << 36) - 1;
	uint8_t bytes[8];
	uint64_t h;

	put_be64(bytes, wwn);
	h = siphash(s->key, 1, span_of(bytes, sizeof(bytes))) & mask;
	if (h == (wwn & mask))
		h ^= 1;
	return (wwn & ~mask) | h;
}

/* ---- sets ---- */

/* The slot of TEXT, or the free one where it belongs. */
static struct secret *find_slot(const struct secret_set *set, uint64_t key,
				const char *text, size_t len)
{
	size_t i = siphash(key, 3, span_of(text, len)) & (set->n_slots - 1);

	while (set->slots[i].text &&
	       (set->slots[i].len != len || memcmp(set->slots[i].text, text, len) != 0))
		i = (i + 1) & (set->n_slots - 1);
	return &set->slots[i];
}

#define HEAD_LEN 4u /* no secret is shorter */

/* Multiplicative hashing (Knuth 6.4) of the first four bytes, to 16 bits. */
static uint32_t head_of(const char *text)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < HEAD_LEN; i++)
		n = n << 8 | (uint8_t)text[i];
	return n * 2654435761u >> 16;
}

static bool may_begin(const struct secret_set *set, const char *text, size_t len)
{
	uint32_t h;

	if (!set->n || len < HEAD_LEN)
		return false;
	h = head_of(text);
	return set->heads[h / 8] >> h % 8 & 1;
}

static const struct secret *find(const struct secret_set *set, uint64_t key,
				 const char *text, size_t len)
{
	const struct secret *slot = set->n ? find_slot(set, key, text, len) : NULL;

	return slot && slot->text ? slot : NULL;
}

static int grow(struct secrets *s, struct secret_set *set)
{
	struct secret_set bigger = *set;

	bigger.n_slots = set->n_slots ? set->n_slots * 2 : 64;
	bigger.slots = arena_alloc(&s->arena, bigger.n_slots * sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < set->n_slots; i++)
		if (set->slots[i].text)
			*find_slot(&bigger, s->key, set->slots[i].text,
				   set->slots[i].len) = set->slots[i];
	*set = bigger;
	return 0;
}

static int add(struct secrets *s, struct secret_set *set, const void *text,
	       const void *pseudonym, size_t len)
{
	struct secret *slot;
	uint32_t head = head_of(text);
	int k;

	if (find(set, s->key, text, len))
		return 0;
	if (set->n >= SECRETS_MAX)
		return -E2BIG;
	k = set->n * 2 >= set->n_slots ? grow(s, set) : 0;
	if (k < 0)
		return k;
	slot = find_slot(set, s->key, text, len);
	slot->pseudonym = arena_strndup(&s->arena, pseudonym, len);
	slot->text = slot->pseudonym ? arena_strndup(&s->arena, text, len) : NULL;
	if (!slot->text)
		return -ENOMEM;
	slot->len = len;
	set->n++;
	set->has_len[len] = true;
	set->heads[head / 8] |= (uint8_t)(1u << head % 8);
	return 0;
}

int secrets_add_word(struct secrets *s, enum secret_kind kind, const char *text,
		     size_t len)
{
	char pseudonym[SECRETS_MAX_LEN];

	if (!is_distinctive(kind, text, len))
		return 0;
	memcpy(pseudonym, text, len);
	secrets_replace_text(s, pseudonym, len);
	return add(s, &s->words, text, pseudonym, len);
}

static int add_hex(struct secrets *s, const char *text, const char *pseudonym)
{
	return add(s, &s->hex, text, pseudonym, strlen(text));
}

/* Lower case digits, as the tools write them: in one, with 0x, in three parts, the end alone. */
static int add_hex_forms(struct secrets *s, uint64_t wwn, uint64_t other)
{
	char a[24], b[24];
	int k;

	(void)snprintf(a, sizeof(a), "0x%016" PRIx64, wwn);
	(void)snprintf(b, sizeof(b), "0x%016" PRIx64, other);
	k = add_hex(s, a, b);
	if (k == 0)
		k = add_hex(s, a + 2, b + 2);
	/* nine digits without a letter could be any number */
	if (k == 0 && a[9 + strcspn(a + 9, "abcdef")])
		k = add_hex(s, a + 9, b + 9);
	(void)snprintf(a, sizeof(a), "%x %06x %09" PRIx64, (unsigned)(wwn >> 60),
		       (unsigned)(wwn >> 36 & 0xffffff), wwn & 0xfffffffff);
	(void)snprintf(b, sizeof(b), "%x %06x %09" PRIx64, (unsigned)(other >> 60),
		       (unsigned)(other >> 36 & 0xffffff), other & 0xfffffffff);
	return k == 0 ? add_hex(s, a, b) : k;
}

int secrets_add_wwn(struct secrets *s, uint64_t wwn)
{
	uint64_t other = secrets_pseudonym_wwn(s, wwn);
	uint8_t bytes[8], other_bytes[8];
	int k;

	put_be64(bytes, wwn);
	put_be64(other_bytes, other);
	k = add(s, &s->wwns, bytes, other_bytes, sizeof(bytes));
	return k == 0 ? add_hex_forms(s, wwn, other) : k;
}

/* ---- search and replace ---- */

/* A word begins at I: nothing before it, no letter or digit, or an escape as \x09. */
static bool is_start(const uint8_t *bytes, size_t i)
{
	return i == 0 || !is_alnum(bytes[i - 1]) ||
	       (i >= 4 && bytes[i - 4] == '\\' && bytes[i - 3] == 'x');
}

/* The longest secret of the set that stands at BYTES as a whole word. */
static const struct secret *find_word(const struct secrets *s,
				      const struct secret_set *set, const uint8_t *bytes,
				      size_t len)
{
	char text[SECRETS_MAX_LEN];
	size_t max = len < SECRETS_MAX_LEN ? len : SECRETS_MAX_LEN;

	for (size_t i = 0; i < max; i++)
		text[i] = set == &s->hex ? lower((char)bytes[i]) : (char)bytes[i];
	for (size_t n = may_begin(set, text, max) ? max : 0; n > 0; n--) {
		const struct secret *found;

		if (!set->has_len[n] || (n < len && is_alnum(bytes[n])))
			continue;
		found = find(set, s->key, text, n);
		if (found)
			return found;
	}
	return NULL;
}

/* Upper case where upper case was. */
static void put_pseudonym(uint8_t *bytes, const struct secret *found)
{
	for (size_t i = 0; i < found->len; i++) {
		char c = found->pseudonym[i];

		if (bytes[i] >= 'A' && bytes[i] <= 'Z' && c >= 'a' && c <= 'z')
			c = (char)(c - ('a' - 'A'));
		bytes[i] = (uint8_t)c;
	}
}

void secrets_replace_words(const struct secrets *s, uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const struct secret *found;

		if (!is_alnum(bytes[i]) || !is_start(bytes, i))
			continue;
		found = find_word(s, &s->words, bytes + i, len - i);
		if (!found)
			found = find_word(s, &s->hex, bytes + i, len - i);
		if (!found)
			continue;
		put_pseudonym(bytes + i, found);
		i += found->len - 1;
	}
}

static void reverse(uint8_t bytes[8])
{
	for (unsigned i = 0; i < 4; i++) {
		uint8_t b = bytes[i];

		bytes[i] = bytes[7 - i];
		bytes[7 - i] = b;
	}
}

void secrets_replace_wwns(const struct secrets *s, uint8_t *bytes, size_t len)
{
	for (size_t i = 0; s->wwns.n && i + 8 <= len; i++) {
		for (unsigned turn = 0; turn < 2; turn++) {
			const char *text = (const char *)bytes + i;
			const struct secret *found = NULL;

			if (may_begin(&s->wwns, text, 8))
				found = find(&s->wwns, s->key, text, 8);
			if (found)
				memcpy(bytes + i, found->pseudonym, 8);
			reverse(bytes + i);
		}
	}
}

void secrets_done(struct secrets *s)
{
	arena_done(&s->arena);
	*s = (struct secrets){ 0 };
}

/* ---- reading a WWN ---- */

static int hex_digit(char c)
{
	c = lower(c);
	return str_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool secret_parse_wwn(const char *text, size_t len, uint64_t *ret, size_t ret_at[16])
{
	uint64_t wwn = 0;
	size_t n = 0, i = 0;

	while (i < len && (text[i] == ' ' || text[i] == '\t'))
		i++;
	if (len - i > 2 && text[i] == '0' && lower(text[i + 1]) == 'x')
		i += 2;
	for (; i < len && n < 16; i++) {
		int digit = hex_digit(text[i]);

		if (digit < 0 && n && strchr(" :-", text[i]) && text[i])
			continue;
		if (digit < 0)
			return false;
		ret_at[n++] = i;
		wwn = wwn << 4 | (uint64_t)digit;
	}
	/* none at all, as drives without a WWN have it, says nothing */
	if (n < 16 || (i < len && hex_digit(text[i]) >= 0) || !wwn || wwn == UINT64_MAX)
		return false;
	*ret = wwn;
	return true;
}
