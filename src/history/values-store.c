/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing what changed, and what the judge is told of the past. */
#include <stdlib.h>

#include "base/str.h"
#include "history/sql.h"
#include "history/values.h"
#include "model/check.h"

static void store_now(struct history *h, const struct values *v, const struct value *x)
{
	int64_t run = x->changed ? h->run : x->run;

	if (x->has_peak && x->has_told)
		sql_do(h, SQL_NOW_SET, "iiiiiiiii", v->subject, x->row, x->value,
		       x->total, x->peak, (int64_t)x->least, run, x->told_value,
		       x->told_total);
	else if (x->has_told)
		sql_do(h, SQL_NOW_SET, "iiiiniiii", v->subject, x->row, x->value,
		       x->total, (int64_t)x->least, run, x->told_value, x->told_total);
	else if (x->has_peak)
		sql_do(h, SQL_NOW_SET, "iiiiiiinn", v->subject, x->row, x->value,
		       x->total, x->peak, (int64_t)x->least, run);
	else
		sql_do(h, SQL_NOW_SET, "iiiiniinn", v->subject, x->row, x->value,
		       x->total, (int64_t)x->least, run);
}

static bool is_told_anew(const struct history *h, const struct value *x)
{
	return h->kind == HISTORY_CHECK && x->seen &&
	       (!x->has_told || x->told_value != x->value || x->told_total != x->total);
}

static void store_value(struct history *h, const struct values *v, struct value *x)
{
	bool told = is_told_anew(h, x);

	if (!x->changed && !told)
		return;
	if (!x->row)
		x->row = fact_row_id(h, x->key);
	if (told) {
		x->has_told = true;
		x->told_value = x->value;
		x->told_total = x->total;
	}
	store_now(h, v, x);
	if (x->seen && (x->is_new || x->total != x->was_total))
		sql_do(h, SQL_SAMPLE_ADD, "iiiii", v->subject, x->row, h->run, v->span,
		       x->total);
}

/* --- the bay: its own count of damage, whatever drive is in it ----------------------------------------- */

static int64_t bay_of(struct history *h, const char *port)
{
	int64_t id = sql_get(h, SQL_BAY_GET, 0, "t", port);

	if (id)
		return id;
	sql_do(h, SQL_BAY_ADD, "tii", port, h->now, h->now);
	return h->error ? 0 : sqlite3_last_insert_rowid(h->db);
}

static void store_bay(struct history *h, const struct values *v, const char *port)
{
	int64_t bay = 0;

	for (size_t i = 0; i < v->n && port; i++) {
		const struct value *x = &v->items[i];
		int64_t total;

		if (!x->is_error || x->rise <= 0 || !x->row)
			continue;
		if (!bay)
			bay = bay_of(h, port);
		total = sql_get(h, SQL_NOW_GET, 0, "ii", bay, x->row) + x->rise;
		sql_do(h, SQL_NOW_SET, "iiiiniinn", bay, x->row, total, total, (int64_t)0,
		       h->run);
		sql_do(h, SQL_SAMPLE_ADD, "iiiii", bay, x->row, h->run, v->span, total);
	}
}

void values_store(struct history *h, struct values *v, const char *port)
{
	for (size_t i = 0; i < v->n; i++)
		store_value(h, v, &v->items[i]);
	store_bay(h, v, port);
}

/* --- the past, for the judge ----------------------------------------------------------------------------- */

static int64_t base_value(const struct value *x, bool check)
{
	return check ? x->told_value : x->was_value;
}

/*
 * Power cycles are compared by the judge with the suspends of one run: over days they say only that
 * the machine was switched off. What started again with them is left out below.
 */
static bool has_base(const struct value *x, bool check)
{
	return x->key.id != FACT_POWER_CYCLES && !x->is_new && x->seen &&
	       (!check || x->has_told);
}

/* Since that reading every count of this clock went on from where it stood. */
static bool is_continuous(const struct values *v, enum fact_clock clock, bool check)
{
	if ((clock == CLOCK_POWER_ON && v->power_restarted) ||
	    (clock == CLOCK_HOST_BOOT && v->boot_restarted))
		return false;
	for (size_t i = 0; i < v->n; i++) {
		const struct value *x = &v->items[i];
		int64_t total = check ? x->told_total : x->was_total;

		if (fact_get_info(x->key.id)->clock == clock && has_base(x, check) &&
		    x->value - base_value(x, check) != x->total - total)
			return false;
	}
	return true;
}

/* Only what belongs to the same clock as the reading of now may be held against it. */
static bool is_comparable(const struct values *v, const struct value *x, bool check)
{
	enum fact_clock clock = fact_get_info(x->key.id)->clock;

	if (!has_base(x, check))
		return false;
	if (clock == CLOCK_POWER_ON || clock == CLOCK_HOST_BOOT)
		return is_continuous(v, clock, check);
	return clock != CLOCK_LIFETIME ||
	       fact_get_info(x->key.id)->behaviour != BEHAVES_GROWS ||
	       base_value(x, check) <= x->value;
}

static void add_number(struct buf *b, struct fact_key key, int64_t value)
{
	struct fact f = { .key = key };

	if (fact_get_info(key.id)->type == FACT_S64)
		f.s = value;
	else
		f.u = (uint64_t)value;
	fact_add_line(b, &f);
	buf_putc(b, '\n');
}

static void add_one(struct buf *b, enum fact_id id, int64_t value)
{
	add_number(b, (struct fact_key){ id, 0, 0 }, value);
}

static void add_text(struct buf *b, enum fact_id id, const char *text)
{
	struct fact f = { .key = { id, 0, 0 }, .text = text };

	fact_add_line(b, &f);
	buf_putc(b, '\n');
}

static int64_t read_since(const struct values *v)
{
	const struct value *boot = values_find(v, FACT_BOOT_READ, 0);
	const struct value *life = values_find(v, FACT_LBA_READ, 0);

	if (boot && boot->seen && !boot->is_new && !v->boot_restarted)
		return boot->rise;
	return life && life->seen && !life->is_new ? life->rise : -1;
}

static bool is_link_error(const struct value *x)
{
	return (x->key.id == FACT_PHY_VALUE && x->is_error) ||
	       x->key.id == FACT_CRC_ERRORS;
}

/* The newest rise of any link counter before this run, and in what time it came. */
static void add_before(struct history *h, struct buf *b, const struct values *v)
{
	int64_t best_run = 0, best = 0, span = 0;

	for (size_t i = 0; i < v->n; i++) {
		int64_t run[2] = { 0 }, value[2] = { 0 }, s = 0;
		unsigned n = 0;

		if (!is_link_error(&v->items[i]) || !v->items[i].row)
			continue;
		sql_start(h, SQL_SAMPLE_RISE, "ii", v->subject, v->items[i].row);
		for (; sql_next(h, SQL_SAMPLE_RISE); n++) {
			run[n] = sql_int(h, SQL_SAMPLE_RISE, 0);
			value[n] = sql_int(h, SQL_SAMPLE_RISE, 2);
			if (n == 0)
				s = sql_int(h, SQL_SAMPLE_RISE, 1);
		}
		if (n < 2 || run[0] < best_run ||
		    (run[0] == best_run && value[0] - value[1] <= best))
			continue;
		best_run = run[0];
		best = value[0] - value[1];
		span = s;
	}
	if (best_run && span)
		add_one(b, FACT_BEFORE_SECONDS, span);
	if (best_run)
		add_one(b, FACT_BEFORE_ERRORS, best);
}

static void add_since(struct history *h, struct buf *b, const struct values *v,
		      const struct past_drive *past)
{
	int64_t errors = -1, bytes = read_since(v);

	for (size_t i = 0; i < v->n; i++) {
		const struct value *x = &v->items[i];

		if (is_link_error(x) && x->seen && !x->is_new && x->rise > errors)
			errors = x->rise;
	}
	if (v->span)
		add_one(b, FACT_SINCE_SECONDS, v->span);
	if (past->port)
		add_text(b, FACT_SINCE_PORT, past->port);
	if (bytes >= 0)
		add_one(b, FACT_SINCE_READ, bytes);
	if (errors >= 0)
		add_one(b, FACT_SINCE_ERRORS, errors);
	if (v->power_restarted)
		add_one(b, FACT_SINCE_RESTARTED, 1);
	add_before(h, b, v);
}

bool values_baseline(struct history *h, const struct values *v,
		     const struct past_drive *past, bool check, struct buf *ret)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct value *x = &v->items[i];

		if (is_comparable(v, x, check))
			add_number(ret, x->key, base_value(x, check));
	}
	add_since(h, ret, v, past);
	return ret->len > 0;
}

void history_seen(struct history *h, const struct who *w, bool asleep, bool unreadable)
{
	int64_t state = asleep	     ? CHECK_ASLEEP
			: unreadable ? CHECK_UNREADABLE
				     : CHECK_READ;

	if (state == CHECK_READ)
		sql_do(h, SQL_DRIVE_SEEN, "iiiit", w->id, h->now, h->run, state, w->boot);
	else
		sql_do(h, SQL_DRIVE_STATE, "ii", w->id, state);
}
