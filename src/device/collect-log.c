/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading logs in few commands. All pages at once where the path can; page by page where that
 * failed or the path is a bridge. Pages that stand behind each other are one item, however many
 * commands fetched them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/collect-private.h"

#define PENDING_DEFECTS	 0x0cu
#define DEFECTS_FIRST	 31u
#define DEFECTS_PAGE	 32u
#define DEFECT_PAGES_MAX 16u /* enough to know that there are very many */

#define BRIDGE_PAGES_MAX 6u /* of a log, each a command of its own */

#define LIST_COUNT	 8u /* of page 0 of the logs that begin with a list of their pages */
#define LIST_FIRST	 9u

/* What was read of one log so far, and not yet recorded. */
struct run {
	const struct page *row;
	uint32_t first, n; /* pages */
	struct buf bytes;
	struct transport_result last;
	uint32_t took_us;
};

/* A log whose page 0 names the pages there are: ACS-4 9.5.2 and 9.11.2. */
static bool has_list(const struct page *row)
{
	return row->source == PAGE_GPL &&
	       (row->address == 0x04 || row->address == 0x30) && row->first == 0;
}

static void item_id(const struct page *row, uint32_t page, char *ret, size_t size)
{
	if (row->source == PAGE_GPL)
		(void)snprintf(ret, size, "%s/%02x", row->item, page);
	else
		(void)snprintf(ret, size, "%s", row->item);
}

static void record_run(struct collector *k, struct run *run)
{
	char id[64];

	if (!run->n)
		return;
	item_id(run->row, run->first, id, sizeof(id));
	run->last.took_us = run->took_us;
	if (buf_error(&run->bytes) < 0) {
		k->error = -ENOMEM;
		k->over = true;
	}
	(void)collector_record(k, id, buf_span(&run->bytes), 0, true, &run->last);
	run->n = 0;
	run->took_us = 0;
	buf_clear(&run->bytes);
}

static void record_failure(struct collector *k, const struct run *run, uint32_t page,
			   int error, const struct transport_result *r)
{
	char id[64];

	item_id(run->row, page, id, sizeof(id));
	(void)collector_record(k, id, span_of(k->data, r->received), error, true, r);
}

static void add_to_run(struct collector *k, struct run *run, uint32_t page,
		       uint32_t pages, const struct transport_result *r)
{
	if (run->n && run->first + run->n != page)
		record_run(k, run);
	if (!run->n)
		run->first = page;
	run->n += pages;
	run->took_us += r->took_us;
	run->last = *r;
	buf_add(&run->bytes, k->data, (size_t)pages * ATA_SECTOR);
}

/* READ LOG DMA EXT, and what to do when it fails: never again on this path. */
static int send_gpl(struct collector *k, const struct page *row, uint32_t page,
		    uint32_t pages, struct transport_result *r)
{
	struct transport *t = k->transport;
	struct ata_command c;
	int e;

	if (k->profile.log_dma && !t->no_dma_logs) {
		c = ata_read_log_ext(row->address, (uint16_t)page, (uint16_t)pages, true,
				     false);
		e = collector_send(k, &c, r);
		if (e == 0 || k->over)
			return e;
		t->no_dma_logs = true;
	}
	c = ata_read_log_ext(row->address, (uint16_t)page, (uint16_t)pages, false, false);
	return collector_send(k, &c, r);
}

static int send_read(struct collector *k, const struct page *row, uint32_t page,
		     uint32_t pages, struct transport_result *r)
{
	struct ata_command c;

	if (row->source == PAGE_GPL)
		return send_gpl(k, row, page, pages, r);
	c = ata_smart_read_log(row->address, (uint8_t)pages);
	return collector_send(k, &c, r);
}

/* In as few commands as there can be. 0, or the error of the first that failed. */
static int read_together(struct collector *k, struct run *run, uint32_t first, uint32_t n,
			 struct transport_result *r)
{
	for (uint32_t done = 0; done < n;) {
		uint32_t pages = n - done < READ_PAGES_MAX ? n - done : READ_PAGES_MAX;
		int e = send_read(k, run->row, first + done, pages, r);

		if (e < 0)
			return e;
		add_to_run(k, run, first + done, pages, r);
		done += pages;
	}
	return 0;
}

/* Which of pages 0..n-1 page 0 lists; without a list that can be true, all. */
static void take_list(const uint8_t *page, uint32_t n, bool *wanted)
{
	uint32_t count = page[LIST_COUNT];

	if (!count || count > ATA_SECTOR - LIST_FIRST)
		return;
	memset(wanted + 1, 0, (n - 1) * sizeof(*wanted));
	for (uint32_t i = 0; i < count; i++)
		if (page[LIST_FIRST + i] < n)
			wanted[page[LIST_FIRST + i]] = true;
}

/* Ends at the first page that fails: behind it, each would be one more error in the drive's log. */
static int read_apart(struct collector *k, struct run *run, uint32_t first, uint32_t n,
		      struct transport_result *r)
{
	bool wanted[LOG_PAGES_MAX];

	memset(wanted, true, sizeof(wanted));
	for (uint32_t i = 0; i < n; i++) {
		int e;

		if (!wanted[i])
			continue;
		e = send_read(k, run->row, first + i, 1, r);
		if (e < 0) {
			record_run(k, run);
			record_failure(k, run, first + i, e, r);
			return e;
		}
		add_to_run(k, run, first + i, 1, r);
		if (i == 0 && n > 1 && has_list(run->row))
			take_list(k->data, n, wanted);
	}
	return 0;
}

/* The path turned out to know no 48-bit commands: what follows looks at SMART logs instead. */
static void take_failure(struct collector *k, const struct page *row, int error)
{
	if (row->source != PAGE_GPL)
		return;
	k->profile.gpl_pages[row->address] = 0;
	if (error == -EOPNOTSUPP) {
		k->profile.gpl = false;
		memset(k->profile.gpl_pages, 0, sizeof(k->profile.gpl_pages));
	}
}

static int read_pages(struct collector *k, struct run *run, uint32_t n)
{
	uint32_t first = run->row->first;
	struct transport_result r = { 0 };
	bool apart = k->transport->one_sector || k->page_wise;
	int e = 0;

	/* SMART READ LOG begins with the first sector or not at all */
	if (run->row->source == PAGE_SMART_LOG && apart)
		n = 1;
	if (!apart || n == 1) {
		e = read_together(k, run, first, n, &r);
		if (e == 0)
			return 0;
		if (n == 1 || k->over || e == -EOPNOTSUPP) {
			uint32_t failed = first + run->n;

			record_run(k, run);
			record_failure(k, run, failed, e, &r);
			return e;
		}
		if (run->row->source == PAGE_SMART_LOG)
			n = 1;
	}
	run->n = 0;
	run->took_us = 0;
	buf_clear(&run->bytes);
	e = read_apart(k, run, first, n, &r);
	/* of a log with a list it may be the log: not all of its pages are there */
	if (e == 0 && !apart && !has_list(run->row))
		k->page_wise = true;
	return e;
}

/*
 * Pending defects, ACS-4 9.26: a count, then 31 addresses in page 0 and 32 in each behind it. How
 * many pages there are to read is known only now.
 */
static void read_more_defects(struct collector *k, struct run *run)
{
	const uint8_t *b = k->data;
	uint32_t count = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
			 (uint32_t)b[3] << 24,
		 pages = k->profile.gpl_pages[run->row->address];
	struct transport_result r;

	if (count < DEFECTS_FIRST + 1 || pages < 2)
		return;
	count = (count - DEFECTS_FIRST - 1) / DEFECTS_PAGE + 1;
	pages = count < pages - 1 ? count : pages - 1;
	if (pages > DEFECT_PAGES_MAX)
		pages = DEFECT_PAGES_MAX;
	if (k->transport->one_sector || k->page_wise) {
		(void)read_apart(k, run, 1, pages, &r);
	} else {
		int e = read_together(k, run, 1, pages, &r);
		uint32_t failed = run->first + run->n;

		if (e == 0)
			return;
		record_run(k, run);
		record_failure(k, run, failed, e, &r);
	}
}

void collector_read_log(struct collector *k, const struct page *row)
{
	struct run run = { .row = row };
	uint32_t n = row->pages(&k->profile);
	int e;

	if (n > LOG_PAGES_MAX)
		n = LOG_PAGES_MAX;
	if (row->source == PAGE_SMART_LOG && n > UINT8_MAX)
		n = UINT8_MAX;
	if (k->transport->one_sector && !has_list(row) && n > BRIDGE_PAGES_MAX)
		n = BRIDGE_PAGES_MAX;
	e = read_pages(k, &run, n);
	if (e == 0 && row->source == PAGE_GPL && row->address == PENDING_DEFECTS)
		read_more_defects(k, &run);
	if (e == 0 && row->address == 0)
		page_profile_directory(&k->profile, buf_span(&run.bytes),
				       row->source == PAGE_GPL);
	record_run(k, &run);
	if (e < 0)
		take_failure(k, row, e);
	buf_done(&run.bytes);
}
