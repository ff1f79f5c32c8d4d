/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside capture/ only. Two walks over the same places: the first remembers what stands there,
 * the second replaces it there, and then wherever else it is found.
 */
#pragma once

#include "capture/capture.h"
#include "capture/secrets.h"

struct anonymiser {
	struct secrets secrets;
	bool replaces; /* the second walk */
	int error;     /* the first one */
};

/* A place where a secret stands: remember it, or replace it there. */
void anonymise_text(struct anonymiser *a, enum secret_kind kind, uint8_t *bytes,
		    size_t len);
/* The same for an ATA string: the two bytes of each word are swapped. LEN is even. */
void anonymise_ata_string(struct anonymiser *a, uint8_t *bytes, size_t len);
/* The same for a WWN of 8 bytes, most significant first. */
void anonymise_wwn(struct anonymiser *a, uint8_t bytes[8]);
void anonymise_swap_pairs(uint8_t *bytes, size_t len);

/* The known places of a page, by its item's id. */
void anonymise_page(struct anonymiser *a, const char *id, uint8_t *bytes, size_t len);
/*
 * Replace what was found elsewhere wherever it stands in BYTES, in each order of bytes, and mend
 * the checksums that were right in ORIGINAL, before anything was replaced.
 */
void anonymise_bytes(struct anonymiser *a, const char *id, struct span original,
		     uint8_t *bytes);
/* Lines of text; FACTS: only what stands between double quotes. */
void anonymise_lines(struct anonymiser *a, bool facts, uint8_t *bytes, size_t len);
