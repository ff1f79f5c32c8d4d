/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of each kind that has something in it, for tests that spoil pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLE_MAX (33 * 512)

struct page_sample {
	const char *id;
	size_t pages;
	bool sealed; /* each page ends in a checksum */
	void (*make)(uint8_t *bytes);
};

extern const struct page_sample page_samples[]; /* id NULL ends it */

/* Zeroes BYTES, makes the sample in it, seals it; returns its length. */
size_t page_sample_make(const struct page_sample *s, uint8_t bytes[SAMPLE_MAX]);
