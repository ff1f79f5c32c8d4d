/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs, disks and tables are numbered within each posted text. When two texts speak of one drive,
 * or of the host, those of the later one are numbered on, so that none hides the other.
 */
#include <string.h>

#include "base/str.h"
#include "decode/part.h"

static const struct {
	const char *prefix;
	enum merge_list list;
} lists[] = {
	{ "read[", MERGE_READS },	 { "disk[", MERGE_DISKS },
	{ "comparison[", MERGE_TABLES }, { "comparison_row[", MERGE_ROWS },
	{ "stall[", MERGE_STALLS },
};

/* Facts whose value is such a number. */
static const struct {
	enum fact_id id;
	enum merge_list list;
} values[] = {
	{ FACT_READ_BATCH, MERGE_BATCHES },
	{ FACT_DISK_BATCH, MERGE_BATCHES },
	{ FACT_CMP_ROW_TABLE, MERGE_TABLES },
};

static int list_of(enum fact_id id)
{
	const char *name = fact_get_info(id)->name;

	for (size_t i = 0; i < array_size(lists); i++)
		if (str_starts(name, lists[i].prefix))
			return (int)lists[i].list;
	return -1;
}

static int list_of_value(enum fact_id id)
{
	for (size_t i = 0; i < array_size(values); i++)
		if (values[i].id == id)
			return (int)values[i].list;
	return -1;
}

struct extent {
	bool any;
	uint32_t least, most;
};

static void widen(struct extent *e, uint64_t u)
{
	uint32_t n = u < UINT32_MAX / 2 ? (uint32_t)u : UINT32_MAX / 2;

	e->least = !e->any || n < e->least ? n : e->least;
	e->most = !e->any || n > e->most ? n : e->most;
	e->any = true;
}

static void measure(const struct part *p, struct extent *e)
{
	for (size_t i = 0; i < p->n_facts; i++) {
		int key = list_of(p->facts[i].key.id);
		int value = list_of_value(p->facts[i].key.id);

		if (key >= 0)
			widen(&e[key], p->facts[i].key.i);
		if (value >= 0)
			widen(&e[value], p->facts[i].u);
	}
}

void merge_renumber(struct merge_places *places, struct part *p)
{
	struct extent e[MERGE_LISTS] = { 0 };
	uint32_t shift[MERGE_LISTS] = { 0 };

	measure(p, e);
	for (size_t k = 0; k < MERGE_LISTS; k++) {
		if (!e[k].any)
			continue;
		/* what the probe measures before and after keeps its place */
		if (e[k].least < places->next[k] && p->snapshot.role == ROLE_IMPORT)
			shift[k] = places->next[k];
		if (e[k].most + shift[k] + 1 > places->next[k])
			places->next[k] = e[k].most + shift[k] + 1;
	}
	for (size_t i = 0; i < p->n_facts; i++) {
		int key = list_of(p->facts[i].key.id);
		int value = list_of_value(p->facts[i].key.id);

		if (key >= 0)
			p->facts[i].key.i += shift[key];
		if (value >= 0)
			p->facts[i].u += shift[value];
	}
}
