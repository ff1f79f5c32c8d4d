/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe says of simulated disks: healthy ones, and slow ones of every kind. */
#include "probe-case.h"
#include "probe-recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "stats/poisson.h"
#include "unit.h"

#define MS UINT64_C(1000000)

/* Other programs that leave the drive far below a fifth of what it can do. */
#define SECOND_WORKLOAD 60

static void two_modes(struct sim *s)
{
	/* the drive in the thread on a slow new SSD: 42 % at one or two steps of about 6 ms */
	s->service = sim_steps;
	s->slow_share = 0.42;
	s->step_ns = 5900000;
	s->steps = 2;
}

static void ladder(struct sim *s)
{
	s->service = sim_steps;
	s->slow_share = 0.3;
	s->step_ns = 4000000;
	s->steps = 4;
}

static void stalls(struct sim *s)
{
	s->service = sim_stalls;
	s->stall_every = 400 * MS;
	s->stall_ns = 150 * MS;
}

static void slow_zone(struct sim *s)
{
	s->service = sim_zone;
	s->zone_from = 0.30;
	s->zone_to = 0.36;
	s->factor = 6;
}

static void sleeper(struct sim *s)
{
	s->service = sim_sleeper;
	s->wake_after = 2 * MS;
	s->wake_ns = 8 * MS;
}

static void held_above(struct sim *s)
{
	s->held_ns = 4 * MS;
}

static void bad_link(struct sim *s)
{
	s->errors_per_byte = 2e-7;
	s->retry_ns = 30 * MS;
}

struct model {
	const char *name;
	void (*make)(struct sim *s);
	const char *verdict;
	const char *policy; /* NULL: the usual facts */
	bool idle;
};

static const struct model models[] = {
	{ "two modes", two_modes, "D11", NULL, false },
	{ "ladder", ladder, "D11", NULL, false },
	{ "stalls", stalls, "D11", NULL, false },
	{ "slow zone", slow_zone, "D03", NULL, false },
	{ "slow after a pause", sleeper, "L05", "med_power_with_dipm", true },
	{ "held back above", held_above, "K13", NULL, false },
	{ "errors on the link", bad_link, "L01", NULL, false },
};

static const char *facts_of(const struct model *m)
{
	static char facts[512];

	if (!m->policy)
		return NULL;
	(void)snprintf(
		facts, sizeof(facts),
		"model=\"TEST SSD 256GB\"\nserial=\"TEST0000001\"\nrotation_rpm=0\n"
		"link_power_policy=\"%s\"\nsmart_passed=1\n",
		m->policy);
	return facts;
}

static void check_model(const struct model *m, uint64_t seed, double foreign)
{
	struct probe_case *c = calloc(1, sizeof(*c));
	struct sim *s = calloc(1, sizeof(*s));

	assert_non_null(c);
	assert_non_null(s);
	sim_ssd(s, seed);
	m->make(s);
	s->foreign_per_s = foreign;
	c->plan.idle = m->idle;
	probe_case_run(c, s, facts_of(m));
	if (strcmp(probe_case_verdict(c), m->verdict) != 0) {
		probe_case_dump(c);
		print_message("%s, seed %llu, %g others: %s instead of %s\n", m->name,
			      (unsigned long long)seed, foreign, probe_case_verdict(c),
			      m->verdict);
	}
	assert_string_equal(probe_case_verdict(c), m->verdict);
	probe_case_done(c);
	free(s);
	free(c);
}

static void slow_drives_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(models); i++)
		for (uint64_t seed = 1; seed <= 5; seed++)
			check_model(&models[i], seed, 0);
}

static void slow_drives_are_named_beside_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(models); i++)
		for (uint64_t seed = 1; seed <= 5; seed++)
			check_model(&models[i], seed, SECOND_WORKLOAD);
}

/* ---- healthy ones ---- */

static void as_it_is(struct sim *s)
{
	(void)s;
}

static void background(struct sim *s)
{
	s->foreign_per_s = 30;
}

/* one read in twenty is somebody else's */
static void five_per_cent(struct sim *s)
{
	s->foreign_per_s = s->rotating ? 4 : 480;
}

static void drifting(struct sim *s)
{
	s->drift = 0.25;
}

static void recorded(struct sim *s)
{
	s->service = sim_recorded;
	s->recorded = probe_recorded;
	s->n_recorded = array_size(probe_recorded);
}

static void recorded_drifting(struct sim *s)
{
	recorded(s);
	s->drift = 0.25;
	s->foreign_per_s = 30;
}

static const struct {
	const char *name;
	void (*make)(struct sim *s);
	bool rotating, deep;
} healthy[] = {
	{ "SSD", as_it_is, false, false },
	{ "SSD beside others", background, false, false },
	{ "SSD, 5 % foreign", five_per_cent, false, false },
	{ "SSD, drifting", drifting, false, false },
	{ "recorded", recorded, false, false },
	{ "recorded, drifting, beside others", recorded_drifting, false, false },
	{ "disk", as_it_is, true, false },
	{ "disk, 5 % foreign", five_per_cent, true, false },
	{ "disk, drifting, deep", drifting, true, true },
};

/* False alarms of one family; the longest a healthy drive is read in *LONGEST. */
static unsigned count_alarms(size_t family, unsigned runs, uint64_t *longest)
{
	unsigned alarms = 0;

	for (unsigned seed = 1; seed <= runs; seed++) {
		struct probe_case *c = calloc(1, sizeof(*c));
		struct sim *s = calloc(1, sizeof(*s));

		assert_non_null(c);
		assert_non_null(s);
		if (healthy[family].rotating)
			sim_disk(s, seed + 1000 * family);
		else
			sim_ssd(s, seed + 1000 * family);
		healthy[family].make(s);
		c->plan.deep = healthy[family].deep;
		probe_case_run(c, s, NULL);
		if (!str_equal(probe_case_verdict(c), "Z00")) {
			alarms++;
			probe_case_dump(c);
			print_message("%s, seed %u: %s\n", healthy[family].name, seed,
				      probe_case_verdict(c));
		}
		if (c->took_ns > *longest)
			*longest = c->took_ns;
		probe_case_done(c);
		free(s);
		free(c);
	}
	return alarms;
}

/* PROBE_RUNS asks for more of them than a minute of tests allows. */
static void healthy_drives_are_not_blamed(void **state)
{
	const char *more = getenv("PROBE_RUNS");
	unsigned runs = more ? (unsigned)strtoul(more, NULL, 10) : 40, alarms = 0,
		 all = 0;

	(void)state;
	for (size_t i = 0; i < array_size(healthy); i++) {
		uint64_t longest = 0;
		unsigned n = count_alarms(i, runs, &longest);
		double low, high;

		poisson_interval(n, 0.90, &low, &high);
		print_message("%-34s %u of %u alarms (below %.2f %% at 95 %%), at most "
			      "%.2f s\n",
			      healthy[i].name, n, runs, 100 * high / runs,
			      (double)longest / 1e9);
		if (!healthy[i].deep)
			assert_true(longest <= (healthy[i].rotating ? 12000 : 2500) * MS);
		alarms += n;
		all += runs;
	}
	assert_true(alarms * 100 <= all);
}

/* ---- how it goes ---- */

static struct probe_case *probed(struct sim **s, bool rotating,
				 void (*make)(struct sim *s), void (*set)(struct plan *p))
{
	struct probe_case *c = calloc(1, sizeof(*c));

	*s = calloc(1, sizeof(**s));
	assert_non_null(c);
	assert_non_null(*s);
	if (rotating)
		sim_disk(*s, 1);
	else
		sim_ssd(*s, 1);
	make(*s);
	if (set)
		set(&c->plan);
	probe_case_run(c, *s, NULL);
	return c;
}

static void done(struct probe_case *c, struct sim *s)
{
	probe_case_done(c);
	free(s);
	free(c);
}

/* The drive of the thread: decided within a second, and not read further. */
static void slow_drive_is_decided_soon(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, false, two_modes, NULL);

	(void)state;
	assert_true(c->plan.slow);
	assert_int_equal(c->plan.n_phases, 1);
	assert_true(c->took_ns <= 1000 * MS);
	assert_int_equal(c->plan.phases[0]->result.end, JOB_DECIDED);
	done(c, s);
}

static void set_link(struct plan *p)
{
	p->link = true;
	p->known.link_mbps = 6000;
}

static void silent_link(struct sim *s)
{
	/* counted, and far too few to be seen */
	s->errors_per_byte = 1e-30;
}

/* No error: less than 3.0 errors at 95 %, in ten bits a byte. */
static void clean_link_has_a_bound(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, false, silent_link, set_link);
	uint64_t bytes = probe_case_fact(c, FACT_BURST_BYTES, 0, 0);
	double bound = 2.9957 * 1e15 / ((double)bytes * 10);

	(void)state;
	assert_true(bytes > UINT64_C(2000000000));
	assert_int_equal(probe_case_fact(c, FACT_BURST_ERRORS, 0, 0), 0);
	assert_int_equal(probe_case_fact(c, FACT_BURST_ERROR_LOW, 0, 0), 0);
	assert_true(fabs((double)probe_case_fact(c, FACT_BURST_ERROR_HIGH, 0, 0) -
			 bound) < bound * 0.001);
	assert_string_equal(probe_case_verdict(c), "Z00");
	done(c, s);
}

/* Errors under load raise the question by themselves, and the rate is right. */
static void bad_link_is_loaded(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, false, bad_link, NULL);
	double low = (double)probe_case_fact(c, FACT_BURST_ERROR_LOW, 0, 0);
	double high = (double)probe_case_fact(c, FACT_BURST_ERROR_HIGH, 0, 0);

	(void)state;
	assert_non_null(probe_case_phase(c, "link-burst"));
	/* 2e-7 a byte are 2e-8 a bit, 20,000 in 10^12 */
	assert_true(low < 22e6 && high > 18e6);
	assert_true(high < 2 * low);
	done(c, s);
}

static void no_buffer(struct sim *s)
{
	s->buffer_bytes = 0;
}

static void disk_loads_its_link_from_its_buffer(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, true, as_it_is, set_link);

	(void)state;
	assert_true(c->plan.burst_from_buffer);
	assert_string_equal(drive_text(c->f.the_case.drives[0], FACT_BURST_FROM, 0, 0),
			    "buffer");
	done(c, s);
	c = probed(&s, true, no_buffer, set_link);
	assert_true(c->plan.burst_refused);
	assert_string_equal(drive_text(c->f.the_case.drives[0], FACT_BURST_FROM, 0, 0),
			    "unknown");
	done(c, s);
}

static void set_deep(struct plan *p)
{
	p->deep = true;
}

static void disk_zones(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, true, slow_zone, set_deep);

	(void)state;
	assert_string_equal(probe_case_verdict(c), "M05");
	/* 0.30 to 0.36 of 64 zones: 19.2 to 23.04 */
	for (uint32_t z = 20; z <= 22; z++)
		assert_int_equal(probe_case_fact(c, FACT_ZONE_SLOW, z, 0), 1);
	done(c, s);
}

/* Capacity by 247 minutes of self-test is 135 MB/s; such a disk reads 180 outside, 90 inside. */
static void disk_places_and_media_rate(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, true, as_it_is, NULL);
	uint64_t first = probe_case_fact(c, FACT_PLACE_RATE, 1, 0);
	uint64_t last = probe_case_fact(c, FACT_PLACE_RATE, 4, 0);

	(void)state;
	assert_int_equal(probe_case_fact(c, FACT_MEDIA_RATE, 0, 0), 134);
	assert_true(first > 160000000 && first < 185000000);
	assert_true(last > 80000000 && last < 110000000);
	done(c, s);
}

/* ---- faults ---- */

static void bad_sectors(struct sim *s)
{
	s->bad_from = s->size / 10;
	s->bad_to = s->size / 10 * 3;
}

/* A rotating drive is not read beyond the first sector that cannot be read. */
static void first_bad_sector_ends_it(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, true, bad_sectors, NULL);

	(void)state;
	assert_true(c->plan.broken);
	assert_int_equal(c->plan.n_phases, 1);
	assert_int_equal(c->plan.phases[0]->result.n_errors, 1);
	assert_string_equal(probe_case_verdict(c), "M01");
	done(c, s);
	c = probed(&s, false, bad_sectors, NULL);
	assert_true(c->plan.phases[0]->result.n_errors > 1);
	assert_true(c->plan.phases[0]->result.n_errors <= JOB_ERRORS);
	assert_string_equal(probe_case_verdict(c), "M01");
	done(c, s);
}

static void pulled(struct sim *s)
{
	s->gone_at = s->now + 500 * MS;
}

static void drive_that_goes_away(void **state)
{
	struct sim *s;
	struct probe_case *c = probed(&s, false, pulled, NULL);
	size_t n = c->plan.n_phases;

	(void)state;
	assert_true(c->plan.broken);
	assert_int_equal(c->plan.phases[n - 1]->result.end, JOB_GONE);
	assert_string_equal(probe_case_verdict(c), "H02");
	done(c, s);
}

static const struct {
	enum plan_refusal refusal;
	struct plan_known known;
} refusals[] = {
	{ PLAN_ASLEEP, { .asleep = true } },
	{ PLAN_SELFTEST, { .selftest = true } },
	{ PLAN_HOT,
	  { .has_temperature = true, .temperature = 71, .temperature_limit = 70 } },
	{ PLAN_ALLOWED,
	  { .has_temperature = true, .temperature = 70, .temperature_limit = 70 } },
	{ PLAN_ALLOWED, { .has_temperature = true, .temperature = 90 } },
};

static void what_forbids_a_probe(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(refusals); i++)
		for (int force = 0; force < 2; force++) {
			struct plan p = { .known = refusals[i].known,
					  .force = force,
					  .root = "/nonexistent" };
			struct sim *s = calloc(1, sizeof(*s));
			bool refused = refusals[i].refusal != PLAN_ALLOWED && !force;

			assert_non_null(s);
			sim_ssd(s, 1);
			p.target = &s->target;
			assert_int_equal(plan_run(&p), 0);
			assert_int_equal(p.refusal,
					 refused ? refusals[i].refusal : PLAN_ALLOWED);
			assert_int_equal(p.n_phases == 0, refused);
			plan_done(&p);
			target_close(&s->target);
			free(s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_drives_are_named),
		cmocka_unit_test(slow_drives_are_named_beside_others),
		cmocka_unit_test(healthy_drives_are_not_blamed),
		cmocka_unit_test(slow_drive_is_decided_soon),
		cmocka_unit_test(clean_link_has_a_bound),
		cmocka_unit_test(bad_link_is_loaded),
		cmocka_unit_test(disk_loads_its_link_from_its_buffer),
		cmocka_unit_test(disk_zones),
		cmocka_unit_test(disk_places_and_media_rate),
		cmocka_unit_test(first_bad_sector_ends_it),
		cmocka_unit_test(drive_that_goes_away),
		cmocka_unit_test(what_forbids_a_probe),
	};

	return cmocka_run_group_tests_name("probe plan", tests, NULL, NULL);
}
