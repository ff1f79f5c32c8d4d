/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/anonymise.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "capture/anonymise-private.h"

static void keep_error(struct anonymiser *a, int k)
{
	if (k < 0 && !a->error)
		a->error = k;
}

static void anonymise_wwn_text(struct anonymiser *a, char *text, size_t len)
{
	static const char digits[] = "0123456789abcdef", capitals[] = "0123456789ABCDEF";
	uint64_t wwn = 0;
	size_t at[16];

	if (!secret_parse_wwn(text, len, &wwn, at))
		return;
	if (!a->replaces) {
		keep_error(a, secrets_add_wwn(&a->secrets, wwn));
		return;
	}
	wwn = secrets_pseudonym_wwn(&a->secrets, wwn);
	for (unsigned i = 0; i < 16; i++) {
		char *c = &text[at[i]];
		size_t digit = wwn >> (60 - 4 * i) & 15;

		*c = *c >= 'A' && *c <= 'F' ? capitals[digit] : digits[digit];
	}
}

void anonymise_text(struct anonymiser *a, enum secret_kind kind, uint8_t *bytes,
		    size_t len)
{
	char *text = (char *)bytes;

	for (; len && (*text == ' ' || *text == '\0' || *text == '\t'); len--)
		text++;
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\0'))
		len--;
	if (kind == SECRET_WWN)
		anonymise_wwn_text(a, text, len);
	else if (!secret_is_one(kind, text, len))
		return;
	else if (a->replaces)
		secrets_replace_text(&a->secrets, text, len);
	else
		keep_error(a, secrets_add_word(&a->secrets, kind, text, len));
}

void anonymise_swap_pairs(uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		uint8_t b = bytes[i];

		bytes[i] = bytes[i + 1];
		bytes[i + 1] = b;
	}
}

void anonymise_ata_string(struct anonymiser *a, uint8_t *bytes, size_t len)
{
	anonymise_swap_pairs(bytes, len);
	anonymise_text(a, SECRET_SERIAL, bytes, len);
	anonymise_swap_pairs(bytes, len);
}

void anonymise_wwn(struct anonymiser *a, uint8_t bytes[8])
{
	uint64_t wwn = 0;

	for (unsigned i = 0; i < 8; i++)
		wwn = wwn << 8 | bytes[i];
	if (!wwn || wwn == UINT64_MAX)
		return;
	if (!a->replaces) {
		keep_error(a, secrets_add_wwn(&a->secrets, wwn));
		return;
	}
	wwn = secrets_pseudonym_wwn(&a->secrets, wwn);
	for (unsigned i = 8; i > 0; i--, wwn >>= 8)
		bytes[i - 1] = (uint8_t)wwn;
}

/* ---- walking through the capture ---- */

/* A copy that may be changed, in SCRATCH; NULL when memory is out. */
static uint8_t *copy_of(struct anonymiser *a, struct buf *scratch, struct span s)
{
	buf_clear(scratch);
	buf_add(scratch, s.data, s.len);
	keep_error(a, buf_error(scratch));
	return buf_error(scratch) == 0 ? (uint8_t *)scratch->data : NULL;
}

/* What a walk left in BYTES, kept in the arena when it differs from the original. */
static const char *kept(struct anonymiser *a, struct capture *c, struct span original,
			const uint8_t *bytes)
{
	char *copy = NULL;

	if (!a->replaces || memcmp(original.data, bytes, original.len) == 0)
		return (const char *)original.data;
	copy = arena_strndup(&c->arena, (const char *)bytes, original.len);
	if (!copy)
		keep_error(a, -ENOMEM);
	return copy ? copy : (const char *)original.data;
}

static void walk_string(struct anonymiser *a, struct capture *c, struct buf *scratch,
			const char *name, const char **text)
{
	struct span original = span_of_text(*text);
	uint8_t *bytes = original.len ? copy_of(a, scratch, original) : NULL;

	if (!bytes)
		return;
	if (str_equal(name, "serial"))
		anonymise_text(a, SECRET_SERIAL, bytes, original.len);
	else if (str_equal(name, "wwn"))
		anonymise_text(a, SECRET_WWN, bytes, original.len);
	anonymise_lines(a, false, bytes, original.len);
	*text = kept(a, c, original, bytes);
}

static void walk_item(struct anonymiser *a, struct capture *c, struct buf *scratch,
		      struct cap_item *item)
{
	struct span body = item->body;
	uint8_t *bytes = body.len ? copy_of(a, scratch, body) : NULL;

	if (bytes) {
		anonymise_page(a, item->id, bytes, body.len);
		if (!memchr(body.data, 0, body.len))
			anonymise_lines(a, str_starts(item->id, "facts/"), bytes,
					body.len);
		else if (a->replaces)
			anonymise_bytes(a, item->id, body, bytes);
		item->body.data = (const uint8_t *)kept(a, c, body, bytes);
	}
	for (size_t i = 0; i < item->n_attributes; i++)
		walk_string(a, c, scratch, item->attributes[i].name,
			    &item->attributes[i].value);
}

static void walk_snapshot(struct anonymiser *a, struct capture *c, struct buf *scratch,
			  struct cap_snapshot *s)
{
	if (s->source)
		walk_string(a, c, scratch, NULL, &s->source);
	for (size_t i = 0; i < s->n_items && !a->error; i++)
		walk_item(a, c, scratch, &s->items[i]);
}

static void walk(struct anonymiser *a, struct capture *c, bool replaces)
{
	struct buf cleanup_buf scratch = { 0 };

	a->replaces = replaces;
	for (size_t i = 0; i < c->n_subjects; i++)
		for (size_t k = 0; k < c->subjects[i].n_snapshots && !a->error; k++)
			walk_snapshot(a, c, &scratch, &c->subjects[i].snapshots[k]);
}

int capture_anonymise(struct capture *c, uint64_t key)
{
	struct anonymiser a = { .secrets = { .key = key } };

	walk(&a, c, false);
	if (!a.error)
		walk(&a, c, true);
	secrets_done(&a.secrets);
	return a.error;
}
