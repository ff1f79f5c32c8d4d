/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the history for a person: series of one drive or bay, and what was told of it. */
#pragma once

#include "history/identity.h"
#include "model/check.h"
#include "model/series.h"

struct series_list {
	struct series *items;
	size_t n, cap;
};

/*
 * All series of a drive from FROM (seconds since 1970) on, in the order of their facts. With SLOTS
 * (or NULL) only what a graph of them needs: the first point, and the last one of each slot. Errors
 * stick to the history.
 */
void query_series(struct history *h, struct arena *a, int64_t subject, int64_t from,
		  const struct time_slots *slots, struct series_list *ret);
/* What was told of it. */
void query_changes(struct history *h, struct arena *a, int64_t subject, int64_t from,
		   struct change_list *ret);
/* The bay of this name, 0 when none is known. */
int64_t query_bay(struct history *h, const char *port);
/* Seconds since 1970 when it was first known, 0 for no bay. */
int64_t query_bay_first(struct history *h, int64_t bay);
/* Time of the newest run, 0 when there is none. */
int64_t query_last_run(struct history *h);
