/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "tsv.h"

#include <stdio.h>
#include <string.h>

#include "files.h"

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
	char file[256], path[FILES_PATH];

	(void)snprintf(file, sizeof(file), "tests/cases/%s", name);
	assert_true(files_read(files_source(file, path), &ret->text));
	for (char *line = strtok(ret->text.data, "\n"); line; line = strtok(NULL, "\n"))
		if (*line != '#')
			add_row(ret, line, cells);
}

void tsv_done(struct tsv *t)
{
	buf_done(&t->text);
	arena_done(&t->arena);
}
