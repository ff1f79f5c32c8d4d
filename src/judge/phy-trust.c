/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which SATA phy event counters count. Decided per counter, on what 51,906 published tables show:
 * of the relations that follow from the names only 002 = 003 + 004 and 005 = 006 + 007 hold on
 * every honest active table; the others are family quirks, and no other sign tells firmware
 * constants from counts. A delta over a window stays the arbiter.
 */
#include <errno.h>

#include "base/str.h"
#include "judge/context.h"

#define TO_HOST	 DIRECTION_TO_HOST
#define TO_DRIVE DIRECTION_TO_DRIVE
#define BOTH	 DIRECTION_BOTH
#define NONE	 DIRECTION_NONE

/* Serial ATA 3.x, Phy Event Counters (GP log 11h): identifiers, direction, and what is an error. */
static const struct standard {
	uint32_t id;
	enum phy_direction direction;
	bool is_error, is_optional;
	const char *name;
} standard[] = {
	/* clang-format off */
	{ 0x001, NONE,     true,  false, "Command failed due to ICRC error" },
	{ 0x002, BOTH,     true,  true,  "R_ERR response for data FIS" },
	{ 0x003, TO_HOST,  true,  true,  "R_ERR response for device-to-host data FIS" },
	{ 0x004, TO_DRIVE, true,  true,  "R_ERR response for host-to-device data FIS" },
	{ 0x005, BOTH,     true,  true,  "R_ERR response for non-data FIS" },
	{ 0x006, TO_HOST,  true,  true,  "R_ERR response for device-to-host non-data FIS" },
	{ 0x007, TO_DRIVE, true,  true,  "R_ERR response for host-to-device non-data FIS" },
	{ 0x008, TO_HOST,  true,  true,  "Device-to-host non-data FIS retries" },
	{ 0x009, NONE,     false, true,  "Transition from drive PhyRdy to drive PhyNRdy" },
	{ 0x00a, NONE,     false, false, "Device-to-host register FISes sent due to a COMRESET" },
	{ 0x00b, TO_DRIVE, true,  true,  "CRC errors within host-to-device FIS" },
	{ 0x00d, TO_DRIVE, true,  true,  "Non-CRC errors within host-to-device FIS" },
	{ 0x00f, TO_DRIVE, true,  true,  "R_ERR response for host-to-device data FIS, CRC" },
	{ 0x010, TO_DRIVE, true,  true,  "R_ERR response for host-to-device data FIS, non-CRC" },
	{ 0x012, TO_DRIVE, true,  true,  "R_ERR response for host-to-device non-data FIS, CRC" },
	{ 0x013, TO_DRIVE, true,  true,  "R_ERR response for host-to-device non-data FIS, non-CRC" },
	{ 0xc00, TO_DRIVE, false, true,  "PM: host-to-device non-data FIS R_ERR due to collision" },
	{ 0xc01, NONE,     false, true,  "PM: register FISes sent to the host" },
	{ 0xc02, TO_HOST,  true,  true,  "PM: corrupt CRC passed on to the host" },
	/* clang-format on */
};

/* total = a + b. Broken, the first two make the page doubtful; the others are notes. */
static const struct sum {
	uint32_t total, a, b;
	bool decides;
} sums[] = {
	{ 0x002, 0x003, 0x004, true },	{ 0x005, 0x006, 0x007, true },
	{ 0x004, 0x00f, 0x010, false }, { 0x00b, 0x00f, 0x012, false },
	{ 0x00d, 0x010, 0x013, false },
};

static const struct standard *find_standard(uint32_t id)
{
	for (size_t i = 0; i < array_size(standard); i++)
		if (standard[i].id == id)
			return &standard[i];
	return NULL;
}

static struct phy_counter *find(const struct judge *j, uint32_t id)
{
	for (size_t i = 0; i < j->r->phy.n; i++)
		if (j->r->phy.counters[i].id == id)
			return &j->r->phy.counters[i];
	return NULL;
}

const struct phy_counter *phy_find(const struct judge *j, uint32_t id)
{
	return find(j, id);
}

bool phy_is_usable(const struct phy_counter *c)
{
	return c->trust == PHY_LIVE || c->trust == PHY_SWAPPED ||
	       c->trust == PHY_SATURATED;
}

bool phy_value(const struct judge *j, uint32_t id, uint64_t *ret)
{
	const struct phy_counter *c = find(j, id);

	if (!c || !phy_is_usable(c))
		return false;
	*ret = c->value;
	return true;
}

static void doubt(struct phy_counter *c, enum phy_trust trust, const char *reason)
{
	if (c->trust != PHY_CONSTANT && c->trust != PHY_VENDOR) {
		c->trust = trust;
		c->reason = reason;
	}
}

static void doubt_optional(struct judge *j, const char *reason)
{
	for (size_t i = 0; i < j->r->phy.n; i++) {
		struct phy_counter *c = &j->r->phy.counters[i];
		const struct standard *s = find_standard(c->id);

		if (s && s->is_optional && c->trust != PHY_DOUBTFUL)
			doubt(c, PHY_DOUBTFUL, reason);
	}
}

static void add_counter(struct judge *j, const struct fact *f)
{
	struct phy_page *page = &j->r->phy;
	struct phy_counter *c = arena_push(&j->report->arena, &page->counters, &page->n,
					   &page->cap, sizeof(*c));
	const struct standard *s = find_standard(f->key.i);
	const char *posted = drive_text(j->d, FACT_PHY_NAME, f->key.i, 0);

	if (!c) {
		j->error = -ENOMEM;
		return;
	}
	c->id = f->key.i;
	c->fact = f;
	c->value = f->u;
	c->name = s ? s->name : posted ? posted : "unknown counter";
	c->direction = s ? s->direction : DIRECTION_NONE;
	c->is_error = s && s->is_error;
	c->saturated = drive_flag(j->d, FACT_PHY_SATURATED, c->id);
	if (!drive_u64(j->d, FACT_PHY_SIZE, c->id, 0, &c->size_bytes))
		c->size_bytes = 0;
	c->trust = s ? (c->saturated ? PHY_SATURATED : PHY_LIVE) : PHY_VENDOR;
	if (c->saturated)
		c->reason = "stands at its end: at least this many";
	if (!s)
		c->reason = "a maker's own counter, its meaning is not published";
}

/* The latest reading, in the order of the identifiers. */
static void take_counters(struct judge *j)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_PHY_VALUE, &n);
	uint32_t latest = 0;

	for (size_t i = 0; i < n; i++)
		if (f[i].snapshot > latest)
			latest = f[i].snapshot;
	for (size_t i = 0; i < n; i++)
		if (f[i].snapshot == latest &&
		    (!j->r->phy.n ||
		     j->r->phy.counters[j->r->phy.n - 1].id != f[i].key.i))
			add_counter(j, &f[i]);
}

static void take_constants(struct judge *j)
{
	const char *family = drive_text(j->d, FACT_DB_FAMILY, 0, 0);
	const struct fact *first = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < j->r->phy.n; i++) {
		struct phy_counter *c = &j->r->phy.counters[i];
		const struct fact *f = drive_fact(j->d, FACT_DB_PHY_CONSTANT, c->id, 0);

		if (!f)
			continue;
		c->trust = PHY_CONSTANT;
		c->reason =
			"the same on every drive of this family: a table in the firmware";
		first = first ? first : f;
		n++;
	}
	if (n)
		judge_list(
			j, &j->r->phy.reasons,
			judge_text(j,
				   "%u counters are constants of the family %s, the same "
				   "on every drive (%s): they say nothing",
				   n, family ? family : "(unnamed)",
				   judge_source(j, first)));
}

/*
 * A page with a wrong checksum, or one that contradicts its own layout, is no table at all: nothing
 * in it counts, and no difference to it does.
 */
static bool test_page(struct judge *j)
{
	const struct fact *page = drive_fact_at(j->d, FACT_PHY_PAGE_DOUBT, 0, 0,
						j->r->phy.counters[0].fact->snapshot);

	if (!page)
		return true;
	for (size_t i = 0; i < j->r->phy.n; i++)
		doubt(&j->r->phy.counters[i], PHY_DOUBTFUL, page->text);
	judge_list(j, &j->r->phy.reasons, page->text);
	return false;
}

/* A counter that takes part in a test: there, not at its end, not a known constant. */
static const struct phy_counter *testable(const struct judge *j, uint32_t id)
{
	const struct phy_counter *c = find(j, id);

	return c && !c->saturated && c->trust != PHY_CONSTANT ? c : NULL;
}

static bool near(uint64_t a, uint64_t b)
{
	return a > b ? a - b <= 1 : b - a <= 1; /* the page is not read atomically */
}

static void test_sum(struct judge *j, const struct sum *sum)
{
	const struct phy_counter *t = testable(j, sum->total), *a = testable(j, sum->a),
				 *b = testable(j, sum->b);
	const char *text;

	if (!t || !a || !b || near(t->value, a->value + b->value))
		return;
	text = judge_text(j, "%03Xh should be %03Xh + %03Xh, but %llu is not %llu + %llu",
			  sum->total, sum->a, sum->b, (unsigned long long)t->value,
			  (unsigned long long)a->value, (unsigned long long)b->value);
	if (sum->decides)
		doubt_optional(j, text);
	else
		text = judge_text(j, "%s: a habit of some families, a note only", text);
	judge_list(j, &j->r->phy.reasons, text);
}

/* Exactly the constant tables hold three or more of these, no honest one in 51,892 does. */
static void test_multiples(struct judge *j)
{
	unsigned n = 0;

	for (size_t i = 0; i < j->r->phy.n; i++) {
		const struct phy_counter *c = &j->r->phy.counters[i];

		if (c->trust != PHY_VENDOR && c->trust != PHY_CONSTANT && c->value &&
		    c->value % 4096 == 0)
			n++;
	}
	if (n < 3)
		return;
	doubt_optional(j, "several counters are multiples of 4096: a table, not counts");
	judge_list(j, &j->r->phy.reasons,
		   judge_text(j, "%u counters are multiples of 4096: a table, not counts",
			      n));
}

/*
 * 007 = 012 + 013 by their names. Samsung lists 006 and 007 the other way round (42 of 42 tables
 * where it can be told), and 008 goes with 007 there.
 */
static void test_swap(struct judge *j)
{
	struct phy_counter *c6 = find(j, 0x006), *c7 = find(j, 0x007),
			   *c8 = find(j, 0x008);
	const struct phy_counter *a = testable(j, 0x012), *b = testable(j, 0x013);
	bool known = drive_flag(j->d, FACT_DB_PHY_SWAP, 0), seen = false,
	     straight = false;

	if (!c6 || !c7 || c6->trust != PHY_LIVE || c7->trust != PHY_LIVE)
		return;
	if (a && b) {
		straight = near(c7->value, a->value + b->value);
		seen = !straight && near(c6->value, a->value + b->value);
		if (!straight && !seen)
			judge_list(
				j, &j->r->phy.reasons,
				"neither 006h nor 007h is 012h + 013h: a habit of some "
				"families, a note only");
		/* the tables of this drive say the opposite of its family: believe the table */
		if (straight && !near(c6->value, a->value + b->value))
			known = false;
	}
	if (!known && !seen)
		return;
	c6->trust = c7->trust = PHY_SWAPPED;
	c6->reason = c7->reason = "this family lists 006h and 007h the other way round";
	c6->direction = DIRECTION_TO_DRIVE;
	c7->direction = DIRECTION_TO_HOST;
	if (c8)
		c8->direction = DIRECTION_TO_HOST;
	j->r->phy.swapped = true;
	judge_list(j, &j->r->phy.reasons,
		   known ? "006h and 007h trade places on this family (database)"
			 : "006h, not 007h, is 012h + 013h here: the two trade places");
}

/*
 * A counter must not fall while the drive stays on. After a power cycle all start again: then
 * there is no delta, and no doubt.
 */
static void test_deltas(struct judge *j)
{
	int64_t cycles, comresets;
	bool restarted =
		(drive_delta(j->d, FACT_POWER_CYCLES, 0, 0, &cycles) && cycles != 0) ||
		(drive_delta(j->d, FACT_PHY_VALUE, 0x00a, 0, &comresets) &&
		 comresets < 0);
	size_t doubted;

	/* the first reading or one between may be a page that is no table */
	(void)drive_facts(j->d, FACT_PHY_PAGE_DOUBT, &doubted);
	if (doubted)
		return;
	for (size_t i = 0; i < j->r->phy.n; i++) {
		struct phy_counter *c = &j->r->phy.counters[i];

		if (restarted || c->trust == PHY_CONSTANT ||
		    !drive_delta(j->d, FACT_PHY_VALUE, c->id, 0, &c->delta))
			continue;
		c->has_delta = !c->saturated || c->delta != 0;
		if (c->delta < 0) {
			c->has_delta = false;
			doubt(c, PHY_DOUBTFUL,
			      "fell between two readings without a power cycle");
		}
	}
	if (restarted && j->r->phy.n)
		judge_list(
			j, &j->r->phy.reasons,
			"the drive was switched off between the readings: the counters "
			"started again");
}

const struct fact *link_crc_errors(const struct judge *j)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_CRC_ERRORS, &n), *best = NULL;
	const struct fact *last = drive_fact(j->d, FACT_CRC_ERRORS, 0, 0);

	for (size_t i = 0; i < n; i++)
		if (f[i].snapshot == last->snapshot && (!best || f[i].u > best->u))
			best = &f[i];
	return best;
}

/* 001 on a page that is no page of counts: believed only if the drive's own life count agrees. */
static void test_001(struct judge *j)
{
	struct phy_counter *c = find(j, 0x001);
	const struct fact *life = link_crc_errors(j);
	bool page_bad = false;

	if (!c || !phy_is_usable(c) || !c->value)
		return;
	for (size_t i = 0; i < j->r->phy.n; i++)
		page_bad |= j->r->phy.counters[i].trust == PHY_DOUBTFUL;
	if (life && life->u >= c->value)
		return;
	if (page_bad && !drive_flag(j->d, FACT_DB_CRC_DEAD, 0))
		doubt(c, PHY_DOUBTFUL,
		      "the rest of the page is no table of counts, and no lifetime count "
		      "confirms it");
	else if (life && drive_flag(j->d, FACT_DB_CRC_DEAD, 0))
		judge_list(
			j, &j->r->phy.reasons,
			"the lifetime CRC count (attribute 199) of this model does not "
			"count: 001h is used all the same");
	else if (life)
		judge_list(
			j, &j->r->phy.reasons,
			judge_text(j,
				   "the lifetime CRC count (%llu) is below 001h: it does "
				   "not count every error on this drive",
				   (unsigned long long)life->u));
}

static void count_trust(struct judge *j)
{
	unsigned usable = 0, all = 0;

	for (size_t i = 0; i < j->r->phy.n; i++) {
		const struct phy_counter *c = &j->r->phy.counters[i];

		if (c->trust == PHY_VENDOR)
			continue;
		all++;
		usable += phy_is_usable(c);
	}
	j->r->phy.has_trust = all > 0;
	j->r->phy.trust_percent = all ? (usable * 100 + all / 2) / all : 0;
}

/* Counts of damaged frames that only one direction can have. */
static uint64_t damage(const struct judge *j, enum phy_direction direction, bool data)
{
	static const uint32_t data_ids[] = { 0x003, 0x004, 0x00b, 0x00f };
	static const uint32_t other_ids[] = { 0x006, 0x007, 0x008, 0x012, 0x013 };
	const uint32_t *ids = data ? data_ids : other_ids;
	size_t n = data ? array_size(data_ids) : array_size(other_ids);
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		const struct phy_counter *c = find(j, ids[i]);

		if (c && phy_is_usable(c) && c->direction == direction && c->value > most)
			most = c->value;
	}
	return most;
}

static void say_direction(struct judge *j)
{
	uint64_t to_host = damage(j, DIRECTION_TO_HOST, true);
	uint64_t to_drive = damage(j, DIRECTION_TO_DRIVE, true);
	const char *what = "data frames";

	if (!to_host && !to_drive) {
		to_host = damage(j, DIRECTION_TO_HOST, false);
		to_drive = damage(j, DIRECTION_TO_DRIVE, false);
		what = "control frames";
	}
	if (to_host && to_drive)
		j->r->phy.direction = judge_text(
			j,
			"damaged %s in both directions: drive->host %s, host->drive %s",
			what, judge_number(j, to_host), judge_number(j, to_drive));
	else if (to_host)
		j->r->phy.direction = judge_text(j,
						 "damaged %s drive->host only (%s): what "
						 "the drive sent did not arrive "
						 "whole at the host",
						 what, judge_number(j, to_host));
	else if (to_drive)
		j->r->phy.direction = judge_text(j,
						 "damaged %s host->drive only (%s): what "
						 "the host sent did not arrive "
						 "whole at the drive",
						 what, judge_number(j, to_drive));
}

/* The direction is that of the frames counted by it; 001 may hold failures of another kind. */
static void note_unexplained(struct judge *j)
{
	uint64_t icrc, to_host = damage(j, DIRECTION_TO_HOST, true);
	uint64_t to_drive = damage(j, DIRECTION_TO_DRIVE, true);

	if (j->r->phy.direction && (to_host || to_drive) && phy_value(j, 0x001, &icrc) &&
	    icrc > 2 * (to_host + to_drive))
		judge_list(j, &j->r->phy.reasons,
			   judge_text(j,
				      "001h = %s is more than the counters by direction "
				      "explain",
				      judge_number(j, icrc)));
}

void phy_judge(struct judge *j)
{
	take_counters(j);
	if (!j->r->phy.n)
		return;
	take_constants(j);
	if (test_page(j)) {
		for (size_t i = 0; i < array_size(sums); i++)
			test_sum(j, &sums[i]);
		test_multiples(j);
		test_swap(j);
		test_deltas(j);
		test_001(j);
	}
	count_trust(j);
	say_direction(j);
	note_unexplained(j);
}
