/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the history for a person: series of one drive or bay, and what was told of it. */
#pragma once

#include "history/identity.h"
#include "model/check.h"

/* A row where something changed; VALUE is the total for what only grows. */
struct point {
	int64_t at, span,
		value; /* span: it changed within so many seconds before; 0 unknown */
};

struct series {
	struct fact_key key;
	struct point *points;
	size_t n, cap;
	bool has_before;
	int64_t before; /* value when the time asked for begins */
	int64_t now;	/* newest value, as the drive tells it */
};

struct series_list {
	struct series *items;
	size_t n, cap;
	int64_t from; /* seconds since 1970 */
};

/* All series of a drive from FROM on, in the order of their facts. Errors stick to the history. */
void query_series(struct history *h, struct arena *a, int64_t subject, int64_t from,
		  struct series_list *ret);
/* What was told of it. */
void query_changes(struct history *h, struct arena *a, int64_t subject, int64_t from,
		   struct change_list *ret);
/* The bay of this name, 0 when none is known. */
int64_t query_bay(struct history *h, const char *port);
/* Time of the newest run, 0 when there is none. */
int64_t query_last_run(struct history *h);
