/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tsv_read_file(const char *path, struct buf *ret)
{
	FILE *f = fopen(path, "rb");
	char part[65536];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(ret, part, n);
	(void)fclose(f);
	return true;
}

static void add_row(struct tsv *t, char *line, size_t cells)
{
	struct tsv_row *r = arena_push(&t->arena, &t->rows, &t->n, &t->cap, sizeof(*r));

	assert_non_null(r);
	for (size_t i = 0; i < TSV_CELLS; i++) {
		r->cell[i] = i < cells && line ? line : "";
		line = i < cells && line ? strchr(line, '\t') : line;
		if (i < cells && line)
			*line++ = '\0';
	}
	assert_null(line);
}

void tsv_read(const char *name, size_t cells, struct tsv *ret)
{
	const char *src = getenv("top_srcdir");
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/tests/cases/%s", src ? src : ".", name);
	assert_true(tsv_read_file(path, &ret->text));
	for (char *line = strtok(ret->text.data, "\n"); line; line = strtok(NULL, "\n"))
		if (*line != '#')
			add_row(ret, line, cells);
}

void tsv_done(struct tsv *t)
{
	buf_done(&t->text);
	arena_done(&t->arena);
}
