/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as any page: the first byte chooses the row, the second the page number. Whatever they
 * are, facts lie inside the bytes, texts are there, and nothing but registers says "passed".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ata/command.h"
#include "ata/pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct check {
	const struct page *row;
	size_t len, facts;
};

static void must(bool what)
{
	if (!what)
		abort();
}

static bool has_bytes(const struct page *row)
{
	return row->source != PAGE_SMART_STATUS && row->source != PAGE_POWER_MODE;
}

static int add(void *context, struct fact f)
{
	struct check *c = context;

	must(f.key.id < FACT_COUNT && f.origin.item);
	if (has_bytes(c->row)) {
		must(f.key.id != FACT_SMART_PASSED);
		must((size_t)f.origin.offset + f.origin.width <= c->len);
	}
	if (fact_get_info(f.key.id)->type == FACT_TEXT)
		must(strlen(f.text) < 4096);
	c->facts++;
	return 0;
}

static void note(void *context, const char *text)
{
	(void)context;
	must(*text != '\0');
}

static size_t rows(void)
{
	size_t n = 0;

	while (ata_pages[n].item)
		n++;
	return n;
}

static void decode(const struct page *row, unsigned page, struct span bytes)
{
	struct check c = { .row = row, .len = bytes.len };
	struct ata_registers registers = { .known = bytes.len > 8 };
	struct page_sink sink = { .add = add,
				  .note = note,
				  .context = &c,
				  .smart_data = bytes,
				  .log_pages = page };
	char id[64];

	if (registers.known) {
		registers.status = bytes.data[0];
		registers.error = bytes.data[1];
		registers.count = bytes.data[2];
		registers.lba = (uint64_t)bytes.data[4] << 16 | (uint64_t)bytes.data[3]
									<< 8;
	}
	(void)snprintf(id, sizeof(id), row->source == PAGE_GPL ? "%s/%02x" : "%s",
		       row->item, page);
	must(ata_decode_item(&sink, id, bytes, &registers) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_profile profile = { 0 };
	struct span bytes;
	uint8_t *copy;

	if (size < 2)
		return 0;
	/* a block of its own, so that a byte read behind it is caught */
	copy = malloc(size > 2 ? size - 2 : 1);
	if (!copy)
		return 0;
	memcpy(copy, data + 2, size - 2);
	bytes = (struct span){ copy, size - 2 };
	decode(&ata_pages[data[0] % rows()], data[1] & 15, bytes);
	page_profile_identify(&profile, bytes);
	page_profile_directory(&profile, bytes, data[1] & 1);
	for (size_t i = 0; i < rows(); i++)
		must(ata_pages[i].pages(&profile) <= 65535);
	free(copy);
	return 0;
}
