/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history by itself: who a drive is, totals of counters that start again, locks, retention. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "history/query.h"
#include "history/retain.h"
#include "history/values.h"

struct test {
	char dir[64];
	struct diag diag;
	struct arena arena;
	struct history *history;
	int64_t now;
};

static int setup(void **state)
{
	struct test *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	(void)snprintf(t->dir, sizeof(t->dir), "history-test-XXXXXX");
	assert_non_null(mkdtemp(t->dir));
	assert_int_equal(history_open(t->dir, true, &t->diag, &t->history), 0);
	assert_true(history_is_kept(t->history));
	t->now = 1767225600;
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = { "history.db", "history.db-wal",
					     "history.db-shm", "lock-sda",
					     "lock-history" };
	struct test *t = *state;
	char path[160];

	history_close(t->history);
	for (size_t i = 0; i < array_size(names); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", t->dir, names[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(t->dir), 0);
	diag_done(&t->diag);
	arena_done(&t->arena);
	free(t);
	return 0;
}

static void begin(struct test *t, int64_t seconds)
{
	t->now += seconds;
	assert_int_equal(history_begin(t->history, HISTORY_CHECK, t->now), 0);
}

/* --- identity ------------------------------------------------------------------------------------------- */

static struct who who(const char *wwn, const char *serial, const char *port)
{
	struct who w = { .wwn = wwn,
			 .serial = serial,
			 .port = port,
			 .model = "TESTDISK 4TB",
			 .has_capacity = true,
			 .capacity = 4000 };

	if (wwn)
		(void)snprintf(w.digits, sizeof(w.digits), "%s", wwn);
	return w;
}

static void find(struct test *t, struct who *w, size_t n)
{
	begin(t, 3600);
	who_find(t->history, &t->arena, w, n);
	assert_int_equal(history_commit(t->history), 0);
}

static void test_wwn_decides(void **state)
{
	struct who a = who("5000000000000001", "TEST0000001", "ata1"), b = a;

	find(*state, &a, 1);
	assert_true(a.is_new);
	b.port = "ata2";
	b.serial = NULL;
	find(*state, &b, 1);
	assert_false(b.is_new);
	assert_int_equal(b.id, a.id);
}

static void test_serial_decides_without_wwn(void **state)
{
	struct who a = who(NULL, "TEST0000001", "ata1"),
		   b = who(NULL, "TEST0000001", "ata9"),
		   c = who(NULL, "TEST0000001", "ata1"),
		   d = who(NULL, "TEST0000001", "ata1");

	find(*state, &a, 1);
	find(*state, &b, 1);
	assert_int_equal(b.id, a.id);
	c.capacity = 5000;
	find(*state, &c, 1);
	assert_int_not_equal(c.id, a.id);
	d.model = "OTHERDISK 4TB";
	find(*state, &d, 1);
	assert_int_not_equal(d.id, a.id);
	assert_int_not_equal(d.id, c.id);
}

/* A maker that gives all its drives one WWN: serial numbers decide from then on. */
static void test_shared_wwn(void **state)
{
	struct who w[2] = { who("5000000000000001", "TEST0000001", "ata1"),
			    who("5000000000000001", "TEST0000002", "ata2") };
	struct who later = who("5000000000000001", "TEST0000002", "ata7");

	find(*state, w, 2);
	assert_int_not_equal(w[0].id, w[1].id);
	assert_false(w[0].apart || w[1].apart);
	find(*state, &later, 1);
	assert_int_equal(later.id, w[1].id);
}

/* The same, seen one after the other: the first history is not taken over. */
static void test_shared_wwn_later(void **state)
{
	struct who a = who("5000000000000001", "TEST0000001", "ata1"),
		   b = who("5000000000000001", "TEST0000002", "ata1"), c;

	find(*state, &a, 1);
	find(*state, &b, 1);
	assert_int_not_equal(a.id, b.id);
	c = who("5000000000000001", "TEST0000001", "ata3");
	find(*state, &c, 1);
	assert_int_equal(c.id, a.id);
}

static void test_twins(void **state)
{
	struct who one = who(NULL, "TEST0000001", "ata1");
	struct who two[2] = { who(NULL, "TEST0000001", "ata2"),
			      who(NULL, "TEST0000001", "ata1") };
	struct who alone = who(NULL, "TEST0000001", "ata2"),
		   elsewhere = who(NULL, "TEST0000001", "ata5");

	find(*state, &one, 1);
	assert_false(one.apart);
	find(*state, two, 2);
	/* the one on the known port goes on, the other begins */
	assert_int_equal(two[1].id, one.id);
	assert_int_not_equal(two[0].id, one.id);
	assert_true(two[0].clash && two[1].clash && two[0].apart && two[1].apart);
	/* they stay apart when only one of them is there */
	find(*state, &alone, 1);
	assert_int_equal(alone.id, two[0].id);
	/* on a port that neither was on, it may be either: so it is none */
	find(*state, &elsewhere, 1);
	assert_true(elsewhere.is_new);
}

static void test_nameless(void **state)
{
	struct who a = who(NULL, NULL, "usb1"), b = who(NULL, NULL, "usb1"),
		   c = who(NULL, NULL, "usb2");

	find(*state, &a, 1);
	assert_true(a.apart);
	find(*state, &b, 1);
	assert_int_equal(b.id, a.id);
	find(*state, &c, 1);
	assert_int_not_equal(c.id, a.id);
}

/* What a sleeping drive tells by /sys: the kernel cuts the model, and no WWN. */
static void test_sleeping(void **state)
{
	struct who a = who("5000000000000001", "TEST0000001", "ata1"),
		   b = who(NULL, "TEST0000001", "ata1");

	a.model = "TESTDISK WITH A LONG NAME";
	b.model = "TESTDISK_WITH_A_";
	find(*state, &a, 1);
	find(*state, &b, 1);
	assert_int_equal(b.id, a.id);
}

static void test_wwn_forms(void **state)
{
	static const struct {
		const char *wwn, *digits;
	} rows[] = {
		{ "0x5000c500deadbeef", "5000c500deadbeef" },
		{ "naa.5000C500DEADBEEF", "5000c500deadbeef" },
		{ "5 000c50 0deadbeef", "5000c500deadbeef" },
		{ "0x0000000000000000", "" },
		{ "5000c500deadbee", "" },
		{ "eui.0000000000000001", "" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct case_file c = { 0 };
		struct drive *d = case_add_drive(&c);
		uint32_t s;
		struct fact f = { .key = { FACT_WWN, 0, 0 }, .text = rows[i].wwn };

		assert_non_null(d);
		assert_int_equal(drive_add_snapshot(&c, d, (struct snapshot){ 0 }, &s),
				 0);
		assert_int_equal(drive_add_fact(&c, d, f), 0);
		drive_seal(d);
		assert_string_equal(who_of(d).digits, rows[i].digits);
		case_done(&c);
	}
}

/* --- totals ------------------------------------------------------------------------------------------------ */

struct look {
	uint64_t cycles, phy, comresets, crc, timeouts;
	const char *boot;
	bool no_cycles; /* the link alone was looked at */
	int64_t phy_total, crc_total, timeouts_total;
};

static void add(struct case_file *c, struct drive *d, enum fact_id id, uint64_t u)
{
	struct fact f = { .key = { id, 0, 0 }, .u = u };

	assert_int_equal(drive_add_fact(c, d, f), 0);
}

static void take_look(struct test *t, const struct look *l)
{
	struct case_file c = { 0 };
	struct drive *d = case_add_drive(&c);
	struct phy_counter counters[2] = {
		{ .id = 1, .value = l->phy, .trust = PHY_LIVE, .is_error = true },
		{ .id = 0xa, .value = l->comresets, .trust = PHY_LIVE },
	};
	struct phy_page page = { .counters = counters, .n = 2 };
	struct who w = who("5000000000000001", "TEST0000001", "ata1");
	struct past_drives past = { 0 };
	struct values v;
	uint32_t s;

	assert_non_null(d);
	assert_int_equal(drive_add_snapshot(&c, d, (struct snapshot){ 0 }, &s), 0);
	if (!l->no_cycles) {
		add(&c, d, FACT_POWER_CYCLES, l->cycles);
		add(&c, d, FACT_CRC_ERRORS, l->crc);
	}
	add(&c, d, FACT_COMMANDS_TIMED_OUT, l->timeouts);
	assert_int_equal(drive_add_fact(&c, d,
					(struct fact){ .key = { FACT_BOOT_ID, 0, 0 },
						       .text = l->boot }),
			 0);
	drive_seal(d);
	w.boot = l->boot;
	begin(t, 3600);
	assert_int_equal(past_list(t->history, &t->arena, &past), 0);
	who_find(t->history, &t->arena, &w, 1);
	values_load(t->history, &t->arena, w.id, &v);
	values_take(t->history, &t->arena, &v, past.n ? &past.items[0] : NULL, d, &page);
	values_store(t->history, &v, "ata1");
	history_seen(t->history, &w, false, false);
	assert_int_equal(history_commit(t->history), 0);
	assert_int_equal(values_find(&v, FACT_PHY_VALUE, 1)->total, l->phy_total);
	if (!l->no_cycles)
		assert_int_equal(values_find(&v, FACT_CRC_ERRORS, 0)->total,
				 l->crc_total);
	assert_int_equal(values_find(&v, FACT_COMMANDS_TIMED_OUT, 0)->total,
			 l->timeouts_total);
	case_done(&c);
}

static void test_totals(void **state)
{
	static const struct look looks[] = {
		/* cycles phy 00a crc timeouts boot, totals: phy crc timeouts */
		{ 5, 10, 3, 100, 0, "a", false, 10, 100, 0 },
		{ 5, 12, 3, 102, 1, "a", false, 12, 102, 1 },
		/* switched off: all that stands there is new */
		{ 6, 4, 1, 106, 1, "a", false, 16, 106, 1 },
		/* switched off again, and more errors than before: nothing fell */
		{ 7, 9, 1, 115, 1, "a", false, 25, 115, 1 },
		/* a suspend, which this drive does not count: seen by what fell */
		{ 7, 2, 1, 117, 1, "a", false, 27, 117, 1 },
		/* another boot of the host: its counts start again, the drive's do not */
		{ 7, 2, 1, 117, 3, "b", false, 27, 117, 4 },
		/* the link alone was looked at, and it had power off in between */
		{ 0, 1, 1, 0, 3, "b", true, 28, 0, 4 },
		/* the cycle that the full look now shows was that one: counted once */
		{ 8, 3, 1, 120, 3, "b", false, 30, 120, 4 },
		/* misread once: a count of its life that falls and comes back is no rise */
		{ 8, 3, 1, 0, 3, "b", false, 30, 120, 4 },
		{ 8, 3, 1, 121, 3, "b", false, 30, 121, 4 },
		/* reset by a firmware, and counting anew */
		{ 8, 3, 1, 0, 3, "b", false, 30, 121, 4 },
		{ 8, 3, 1, 2, 3, "b", false, 30, 123, 4 },
	};

	for (size_t i = 0; i < array_size(looks); i++)
		take_look(*state, &looks[i]);
}

static void test_bay_keeps_its_own(void **state)
{
	struct test *t = *state;
	struct look first = { 5, 10, 3, 100, 0, "a", false, 10, 100, 0 },
		    second = { 5, 17, 3, 100, 0, "a", false, 17, 100, 0 };
	struct series_list l = { 0 };
	int64_t bay;

	take_look(t, &first);
	assert_int_equal(query_bay(t->history, "ata1"), 0);
	take_look(t, &second);
	bay = query_bay(t->history, "ata1");
	assert_int_equal(query_bay_first(t->history, bay), t->now);
	query_series(t->history, &t->arena, bay, 0, NULL, &l);
	assert_int_equal(l.n, 1);
	/* what the drive had before it was seen here is not the bay's */
	assert_int_equal(l.items[0].now, 7);
}

static void test_retention(void **state)
{
	struct test *t = *state;
	struct series_list l = { 0 };
	size_t i, k;

	/* 40 days, four looks a day; the CRC count moves each time, so do the power cycles */
	for (i = 0; i < 160; i++) {
		struct look x = { .cycles = 5 + i,
				  .comresets = 1,
				  .crc = i,
				  .boot = "a",
				  .crc_total = (int64_t)i };

		t->now += 18000;
		take_look(t, &x);
	}
	begin(t, 3600);
	history_retain(t->history, 30, 10);
	assert_int_equal(history_commit(t->history), 0);
	query_series(t->history, &t->arena, 1, 0, NULL, &l);
	assert_int_equal(history_error(t->history), 0);
	for (k = 0; k < l.n; k++) {
		const struct series *s = &l.items[k];
		int64_t day = 0;

		if (s->key.id != FACT_CRC_ERRORS && s->key.id != FACT_POWER_CYCLES)
			continue;
		assert_true(s->n > 0);
		assert_true(s->points[0].at >= t->now - 31 * 86400);
		for (size_t m = 0; m < s->n; m++) {
			/* what only measures has one a day, damage keeps each step */
			if (s->key.id == FACT_POWER_CYCLES &&
			    s->points[m].at < t->now - 11 * 86400)
				assert_true(s->points[m].at / 86400 > day);
			day = s->points[m].at / 86400;
		}
		if (s->key.id == FACT_CRC_ERRORS)
			assert_true(s->n >= 28 * 3);
		else
			assert_in_range(s->n, 20 + 30, 20 + 10 * 4 + 10);
	}
}

static void add_rises(int64_t sums[8], const struct series *s, const struct time_slots *t)
{
	for (size_t i = 1; i < s->n; i++)
		sums[time_slot(t, s->points[i].at)] +=
			s->points[i].value - s->points[i - 1].value;
}

/* The points that a graph shows are told whole by fewer rows, whatever the clock did. */
static void assert_same_slots(const struct series *all, const struct series *few,
			      const struct time_slots *slots)
{
	int64_t a[8] = { 0 }, b[8] = { 0 };

	assert_int_equal(all->n > 1, few->n > 1);
	assert_in_range(few->n, all->n > 0, 12);
	add_rises(a, all, slots);
	add_rises(b, few, slots);
	assert_memory_equal(a, b, sizeof(a));
	assert_int_equal(all->before, few->before);
}

static void test_outline(void **state)
{
	struct test *t = *state;
	int64_t start = t->now, froms[] = { 0, start + 50 * 3600 };

	/* 200 hours, the clock set back by 30 of them in the middle */
	for (uint64_t i = 0; i < 200; i++) {
		struct look x = { 5, 0, 1, i, 0, "a", false, 0, (int64_t)i, 0 };

		t->now += i == 100 ? -30 * 3600 : 0;
		take_look(t, &x);
	}
	for (size_t i = 0; i < array_size(froms); i++) {
		struct time_slots slots = { froms[i] ? froms[i] : start, t->now, 8 };
		struct series_list all = { 0 }, few = { 0 };

		query_series(t->history, &t->arena, 1, froms[i], NULL, &all);
		query_series(t->history, &t->arena, 1, froms[i], &slots, &few);
		assert_in_range(all.n, 3, few.n);
		for (size_t k = 0; k < all.n; k++)
			assert_same_slots(&all.items[k], &few.items[k], &slots);
	}
}

/* --- the file ---------------------------------------------------------------------------------------------- */

static void test_lock(void **state)
{
	struct test *t = *state;
	int first = -1, second = -1;

	assert_int_equal(history_lock(t->dir, "sda", &first), 0);
	assert_int_equal(history_lock(t->dir, "sda", &second), -EBUSY);
	assert_int_equal(second, -1);
	(void)close(first);
	assert_int_equal(history_lock(t->dir, "sda", &second), 0);
	(void)close(second);
}

static void test_rollback(void **state)
{
	struct test *t = *state;
	struct past_drives l = { 0 };
	struct who w = who("5000000000000001", "TEST0000001", "ata1");

	begin(t, 0);
	who_find(t->history, &t->arena, &w, 1);
	history_rollback(t->history);
	assert_int_equal(past_list(t->history, &t->arena, &l), 0);
	assert_int_equal(l.n, 0);
}

static void test_names(void **state)
{
	struct past_drive items[] = {
		{ .device = "/dev/sda",
		  .serial = "TEST0000001",
		  .port = "ata1",
		  .state = 3 },
		{ .device = "sda", .serial = "TEST0000002", .port = "ata2" },
		{ .device = "sdb", .serial = "TEST0000009", .port = "ata3" },
		{ .device = "sdc", .serial = "TEST0000009", .port = "ata4" },
	};
	struct past_drives l = { .items = items, .n = array_size(items) };
	size_t at = 99;

	(void)state;
	/* the one that has the name now, not the one that is gone */
	assert_int_equal(past_match(&l, "/dev/sda", &at), 1);
	assert_int_equal(at, 1);
	assert_int_equal(past_match(&l, "TEST0000001", &at), 1);
	assert_int_equal(at, 0);
	assert_int_equal(past_match(&l, "TEST0000009", &at), 2);
	assert_int_equal(past_match(&l, "ata4", &at), 1);
	assert_int_equal(at, 3);
	assert_int_equal(past_match(&l, "sdz", &at), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_wwn_decides, setup, teardown),
		cmocka_unit_test_setup_teardown(test_serial_decides_without_wwn, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_shared_wwn, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shared_wwn_later, setup, teardown),
		cmocka_unit_test_setup_teardown(test_twins, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nameless, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sleeping, setup, teardown),
		cmocka_unit_test(test_wwn_forms),
		cmocka_unit_test_setup_teardown(test_totals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bay_keeps_its_own, setup, teardown),
		cmocka_unit_test_setup_teardown(test_retention, setup, teardown),
		cmocka_unit_test_setup_teardown(test_outline, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lock, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rollback, setup, teardown),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
