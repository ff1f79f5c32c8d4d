/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sink that keeps the facts and notes of one page, and hands to make pages with. */
#pragma once

#include "ata/command.h"
#include "ata/pages.h"
#include "base/arena.h"

struct page_test {
	struct arena arena;
	struct fact *facts;
	size_t n, cap;
	const char **notes;
	size_t n_notes, cap_notes;
	struct page_sink sink; /* what a test wants the decoder to know stands here */
};

/* Decode the bytes as item ID; what an earlier call has left is dropped. */
void page_test_run(struct page_test *t, const char *id, const uint8_t *bytes, size_t len);
void page_test_registers(struct page_test *t, const char *id,
			 const struct ata_registers *registers);
void page_test_both(struct page_test *t, const char *id, const uint8_t *bytes, size_t len,
		    const struct ata_registers *registers);
void page_test_done(struct page_test *t);

const struct fact *page_test_fact(const struct page_test *t, enum fact_id id, uint32_t i,
				  uint32_t j);
size_t page_test_count(const struct page_test *t, enum fact_id id);
bool page_test_noted(const struct page_test *t, const char *part);

/* Fail the test unless the fact is there with this value, or not there at all. */
void page_test_u64(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j,
		   uint64_t value);
void page_test_s64(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j,
		   int64_t value);
void page_test_text(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j,
		    const char *value);
void page_test_absent(const struct page_test *t, enum fact_id id, uint32_t i, uint32_t j);

/* Little-endian VALUE of WIDTH bytes at OFFSET. */
void page_put(uint8_t *page, size_t offset, unsigned width, uint64_t value);
/* ASCII as IDENTIFY DEVICE data hold it: pairs swapped, padded with spaces. */
void page_put_string(uint8_t *page, size_t offset, size_t len, const char *text);
/* Byte 511: all 512 bytes sum to 0. */
void page_seal(uint8_t *page);
