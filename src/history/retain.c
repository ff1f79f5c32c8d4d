/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/retain.h"

#include "history/sql.h"

#define DAY 86400

static void thin(struct history *h, int64_t before)
{
	int64_t from = sql_get(h, SQL_META_GET, 0, "t", "thinned");
	int64_t to = sql_get(h, SQL_RUN_BEFORE, 0, "i", before);

	if (to <= from)
		return;
	sql_do(h, SQL_THIN, "ii", from, to);
	sql_do(h, SQL_META_SET, "ti", "thinned", to);
}

void history_retain(struct history *h, int64_t keep, int64_t thin_days)
{
	int64_t last = sql_get(h, SQL_META_GET, 0, "t", "tidied");

	if (h->now >= last && h->now - last < DAY)
		return;
	sql_do(h, SQL_META_SET, "ti", "tidied", h->now);
	if (keep) {
		sql_do(h, SQL_DROP_SAMPLES, "i", h->now - keep * DAY);
		sql_do(h, SQL_DROP_MESSAGES, "i", h->now - keep * DAY);
	}
	if (thin_days)
		thin(h, h->now - thin_days * DAY);
	sql_do(h, SQL_VACUUM_SOME, "");
}
