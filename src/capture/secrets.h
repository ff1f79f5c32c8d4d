/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside capture/ only: what must not leave the machine, and its pseudonyms. A pseudonym has the
 * shape of its original (length, digits, upper and lower case) and depends on it and the key alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attrs.h"
#include "base/span.h"

enum secret_kind {
	SECRET_SERIAL,
	SECRET_WWN,  /* as text: 16 hex digits, perhaps with 0x, naa., spaces */
	SECRET_NAME, /* of a user or a host */
};

#define SECRETS_MAX 65536u
#define SECRETS_MAX_LEN                                                                  \
	64u /* longer ones are replaced where they stand, not searched for */

struct secret {
	const char *text, *pseudonym; /* both of LEN bytes */
	size_t len;
};

/* A hash table with open addressing. */
struct secret_set {
	struct secret *slots;
	size_t n, n_slots;
	bool has_len[SECRETS_MAX_LEN + 1];
	uint8_t heads
		[8192]; /* a bit for each hash of the first bytes: most places have none */
};

struct secrets {
	struct arena arena;
	uint64_t key;
	struct secret_set words;
	struct secret_set hex;	/* WWNs in lower case, found in any case */
	struct secret_set wwns; /* WWNs as 8 bytes, most significant first */
};

/* Whether TEXT tells something: no placeholder, no mask, no name that everybody has. */
bool secret_is_one(enum secret_kind kind, const char *text, size_t len);

/* Remember what is to be searched for. 0, -ENOMEM, or -E2BIG beyond SECRETS_MAX. */
int secrets_add_word(struct secrets *s, enum secret_kind kind, const char *text,
		     size_t len) must_check;
int secrets_add_wwn(struct secrets *s, uint64_t wwn) must_check;

/* Replace TEXT by its pseudonym where it stands; \xNN and \\ in it stay as they are. */
void secrets_replace_text(const struct secrets *s, char *text, size_t len);
uint64_t secrets_pseudonym_wwn(const struct secrets *s, uint64_t wwn);
/* Replace all that was added, as whole words. */
void secrets_replace_words(const struct secrets *s, uint8_t *bytes, size_t len);
/* Replace all WWNs that were added, as 8 bytes in this or in reversed order. */
void secrets_replace_wwns(const struct secrets *s, uint8_t *bytes, size_t len);
void secrets_done(struct secrets *s);

/* Read 16 hex digits with what may stand between them; ret_at: where each digit stands. */
bool secret_parse_wwn(const char *text, size_t len, uint64_t *ret, size_t ret_at[16]);
