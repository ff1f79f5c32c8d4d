/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that only SCSI, SAS and NVMe drives have. */
#include <stdio.h>

#include "base/str.h"
#include "render/text-show.h"

#define COLUMNS 8u

struct other_column {
	enum fact_id id;
	const char *title;
	unsigned width;
};

struct other_table {
	const char *title;
	const char *key, *second_key; /* titles of the keys, NULL: not shown */
	enum fact_id first, last;     /* facts whose instances are the rows */
	struct other_column columns[COLUMNS];
};

static const struct other_table tables[] = {
	{ "SAS phys of the drive (counters since it got power)",
	  "port",
	  "phy",
	  FACT_SAS_ATTACHED,
	  FACT_SAS_PORT_RESET_PROBLEMS,
	  { { FACT_SAS_PORT_RATE, "Mbit/s", 6 },
	    { FACT_SAS_PORT_INVALID_DWORDS, "invalid", 10 },
	    { FACT_SAS_PORT_DISPARITY, "disparity", 10 },
	    { FACT_SAS_PORT_LOSS_OF_SYNC, "sync lost", 9 },
	    { FACT_SAS_PORT_RESET_PROBLEMS, "resets", 6 },
	    { FACT_SAS_ATTACHED, "attached", 1 } } },
	{ "Errors the drive corrected, and did not (02 write, 03 read, 05 verify)",
	  "page",
	  NULL,
	  FACT_SCSI_ERR_FAST,
	  FACT_SCSI_ERR_UNCORRECTED,
	  { { FACT_SCSI_ERR_FAST, "fast", 10 },
	    { FACT_SCSI_ERR_DELAYED, "delayed", 8 },
	    { FACT_SCSI_ERR_RETRIES, "retries", 8 },
	    { FACT_SCSI_ERR_CORRECTED, "corrected", 10 },
	    { FACT_SCSI_ERR_BYTES, "bytes", 16 },
	    { FACT_SCSI_ERR_UNCORRECTED, "failed", 6 } } },
	{ "What background scans found",
	  "#",
	  NULL,
	  FACT_BMS_MINUTES,
	  FACT_BMS_REASSIGN,
	  { { FACT_BMS_MINUTES, "minutes", 10 },
	    { FACT_BMS_LBA, "LBA", 14 },
	    { FACT_BMS_SENSE, "sense", 10 },
	    { FACT_BMS_REASSIGN, "what became of it", 1 } } },
	{ "Temperature sensors",
	  "#",
	  NULL,
	  FACT_NVME_SENSOR,
	  FACT_NVME_SENSOR,
	  { { FACT_NVME_SENSOR, "celsius", 7 } } },
	{ "NVMe error log, newest first",
	  "#",
	  NULL,
	  FACT_NVME_ERR_COUNT,
	  FACT_NVME_ERR_MESSAGE,
	  { { FACT_NVME_ERR_COUNT, "number", 8 },
	    { FACT_NVME_ERR_QUEUE, "queue", 5 },
	    { FACT_NVME_ERR_STATUS, "status", 6 },
	    { FACT_NVME_ERR_LBA, "LBA", 14 },
	    { FACT_NVME_ERR_NAMESPACE, "ns", 4 },
	    { FACT_NVME_ERR_MESSAGE, "message", 1 } } },
	{ "Namespaces",
	  "ns",
	  NULL,
	  FACT_NVME_NS_SIZE,
	  FACT_NVME_NS_FEATURES,
	  { { FACT_NVME_NS_SIZE, "bytes", 16 },
	    { FACT_NVME_NS_CAPACITY, "capacity", 16 },
	    { FACT_NVME_NS_USED, "used", 16 },
	    { FACT_NVME_NS_LBA, "block", 6 } } },
	{ "Formats of a block",
	  "#",
	  NULL,
	  FACT_NVME_LBAF_DATA,
	  FACT_NVME_LBAF_USED,
	  { { FACT_NVME_LBAF_DATA, "bytes", 6 },
	    { FACT_NVME_LBAF_METADATA, "metadata", 8 },
	    { FACT_NVME_LBAF_RANK, "rank", 4 },
	    { FACT_NVME_LBAF_USED, "in use", 6 } } },
	{ "Power states",
	  "#",
	  NULL,
	  FACT_NVME_PS_MAX,
	  FACT_NVME_PS_EXIT,
	  { { FACT_NVME_PS_OPERATES, "works", 5 },
	    { FACT_NVME_PS_MAX, "most uW", 9 },
	    { FACT_NVME_PS_ACTIVE, "busy uW", 9 },
	    { FACT_NVME_PS_IDLE, "idle uW", 9 },
	    { FACT_NVME_PS_ENTRY, "enter us", 8 },
	    { FACT_NVME_PS_EXIT, "leave us", 8 },
	    { FACT_NVME_PS_RANKS, "ranks", 1 } } },
};

static void write_cell(struct sheet *s, const struct drive *d,
		       const struct other_column *c, struct fact_key key)
{
	const struct fact *f = drive_fact(d, c->id, key.i, key.j);
	bool is_text = fact_get_info(c->id)->type == FACT_TEXT;
	char number[32] = "-";

	if (f && is_text) {
		show_cell(s, f->text, c->width, false);
		return;
	}
	if (f && fact_get_info(c->id)->type == FACT_FLAG)
		(void)snprintf(number, sizeof(number), "%s", f->u ? "yes" : "no");
	else if (f && fact_get_info(c->id)->type == FACT_S64)
		(void)snprintf(number, sizeof(number), "%lld", (long long)f->s);
	else if (f)
		(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)f->u);
	show_cell(s, is_text ? "" : number, c->width, !is_text);
}

static void write_key(struct sheet *s, const struct other_table *t, struct fact_key key)
{
	bool page = fact_get_info(t->first)->keys == KEYS_PAGE;

	sheet_raw(s, STYLE_PLAIN, page ? "  %02x " : "%4u ", key.i);
	if (t->second_key)
		sheet_raw(s, STYLE_PLAIN, "%3u ", key.j);
}

static void write_titles(struct sheet *s, const struct other_table *t)
{
	show_heading(s, t->title);
	sheet_begin(s, 2, 4);
	sheet_raw(s, STYLE_DIM, "%4s ", t->key);
	if (t->second_key)
		sheet_raw(s, STYLE_DIM, "%3s ", t->second_key);
	for (size_t k = 0; k < COLUMNS && t->columns[k].title; k++)
		show_cell(s, t->columns[k].title, t->columns[k].width,
			  fact_get_info(t->columns[k].id)->type != FACT_TEXT);
	sheet_end(s);
}

/* Whether a fact before ID of the same table has this instance: its row is written already. */
static bool is_written(const struct drive *d, const struct other_table *t,
		       enum fact_id id, struct fact_key key)
{
	for (int before = (int)t->first; before < (int)id; before++)
		if (drive_fact(d, (enum fact_id)before, key.i, key.j))
			return true;
	return false;
}

static void write_table(struct sheet *s, const struct drive *d,
			const struct other_table *t)
{
	bool any = false;

	for (int id = (int)t->first; id <= (int)t->last; id++) {
		size_t n;
		const struct fact *f = drive_facts(d, (enum fact_id)id, &n);

		for (size_t i = 0; i < n; i++) {
			struct fact_key key = f[i].key;

			if ((i && f[i - 1].key.i == key.i && f[i - 1].key.j == key.j) ||
			    is_written(d, t, (enum fact_id)id, key))
				continue;
			if (!any)
				write_titles(s, t);
			any = true;
			sheet_begin(s, 2, 4);
			write_key(s, t, key);
			for (size_t k = 0; k < COLUMNS && t->columns[k].title; k++)
				write_cell(s, d, &t->columns[k], key);
			sheet_end(s);
		}
	}
}

static void write_lines(struct sheet *s, const struct drive *d)
{
	size_t n;
	const struct fact *f = drive_facts(d, FACT_POSTED_LINE, &n);

	if (n)
		show_heading(s, "Other lines of the report");
	for (size_t i = 0; i < n; i++) {
		sheet_begin(s, 2, 4);
		sheet_text(s, STYLE_PLAIN, f[i].text);
		sheet_end(s);
	}
}

void show_other(struct sheet *s, const struct drive *d)
{
	for (size_t i = 0; i < array_size(tables); i++)
		write_table(s, d, &tables[i]);
	write_lines(s, d);
}
