/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slow reads. Where the time goes is said apart from why: posted figures often settle the first
 * and seldom the second. Rules: stalls inside an SSD (D11), other work (K09), link power
 * management (L05), command queueing off (K05), time-outs (T01), slower than the model (P01).
 */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/limits.h"
#include "judge/reads.h"
#include "judge/rules.h"

#define STALL_MIN_NS (UINT64_C(1000) * LIMIT_STALL_MIN_US)
#define STALL_MAX_NS (UINT64_C(1000) * LIMIT_STALL_MAX_US)
#define RESET_NS     (UINT64_C(1000000) * LIMIT_RESET_MS)
#define TIMEOUT_NS   (UINT64_C(1000000) * LIMIT_TIMEOUT_MS)

static const char *ms_text(struct judge *j, uint64_t ns)
{
	return judge_text(j, "%llu.%llu ms", (unsigned long long)(ns / 1000000),
			  (unsigned long long)(ns % 1000000 / 100000));
}

static const char *seconds_text(struct judge *j, uint64_t ns)
{
	return judge_text(j, "%llu.%llu s", (unsigned long long)(ns / 1000000000),
			  (unsigned long long)(ns / 100000000 % 10));
}

static const char *percent_text(struct judge *j, uint64_t ppm)
{
	return judge_text(j, "%llu %%", (unsigned long long)((ppm + 5000) / 10000));
}

/* "42 % and 45 % of the random reads" over all runs with a gap. */
static const char *shares_text(struct judge *j, const struct reads_view *v, bool random)
{
	struct buf b cleanup_buf = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < v->n_slow_list; i++)
		if (v->slow_list[i].random == random)
			buf_printf(&b, "%s%s", n++ ? " and " : "",
				   percent_text(j, v->slow_list[i].share));
	if (!n)
		return NULL;
	return judge_text(j, "%s of the %s reads", buf_text(&b),
			  random ? "random" : "sequential");
}

/* "about 5.5 or 12.3 ms": the classes, without their shares. */
static const char *steps_text(struct judge *j, const struct reads_view *v)
{
	struct buf b cleanup_buf = { 0 };

	buf_puts(&b, "about ");
	for (size_t i = 0; i < v->n_steps; i++)
		buf_printf(&b, "%s%llu.%llu",
			   i == 0		? ""
			   : i + 1 < v->n_steps ? ", "
						: " or ",
			   (unsigned long long)(v->steps[i].ns / 1000000),
			   (unsigned long long)(v->steps[i].ns % 1000000 / 100000));
	buf_puts(&b, " ms");
	return judge_text(j, "%s", buf_text(&b));
}

/* A queue gives a falling tail; two classes of equal size and no third are fixed delays. */
static void add_steps(struct judge *j, struct finding *f, const struct reads_view *v)
{
	struct buf steps cleanup_buf = { 0 };
	bool equal = v->n_steps == 2 && v->steps[1].ppm * 5 >= v->steps[0].ppm * 4 &&
		     v->steps[1].ppm * 4 <= v->steps[0].ppm * 5;

	for (size_t i = 0; i < v->n_steps; i++)
		buf_printf(&steps, "%s%s (%s)", i ? ", " : "", ms_text(j, v->steps[i].ns),
			   percent_text(j, v->steps[i].ppm));
	if (v->n_steps > 1)
		judge_for(
			j, f, SIDE_MEASURED, v->slow_fact,
			"they stand in classes: %s%s; a queue would give a falling tail, "
			"classes mean fixed delays",
			buf_text(&steps), equal ? ", equally frequent" : "");
	else if (v->n_steps)
		judge_for(j, f, SIDE_MEASURED, v->slow_fact, "they stand around %s",
			  buf_text(&steps));
	/* two centres at random fit a ladder in most cases: only more of them are a statement */
	if (v->ladder_ns && v->n_steps > 2)
		judge_for(j, f, SIDE_MEASURED, v->slow_fact,
			  "the classes are whole multiples of %s",
			  ms_text(j, v->ladder_ns));
	else if (v->ladder_ns)
		judge_for(j, f, SIDE_MEASURED, v->slow_fact,
			  "the second is about twice the first");
}

/* What the slow requests look like: how many, how much of the time, in which steps. */
static void add_slow(struct judge *j, struct finding *f, const struct reads_view *v)
{
	const char *random = shares_text(j, v, true), *other = shares_text(j, v, false);

	if (!v->slow_fact)
		return;
	judge_for(j, f, SIDE_MEASURED, v->slow_fact,
		  "%s%s%s are slow; in job %s they hold %s of the %s",
		  random ? random : "", random && other ? ", " : "", other ? other : "",
		  v->title, percent_text(j, v->slow_wall ? v->slow_wall : v->slow_time),
		  v->slow_wall ? "wall time" : "waiting time");
	add_steps(j, f, v);
}

static void add_expectation(struct judge *j, struct finding *f,
			    const struct reads_view *v)
{
	/* "1/1 of what it should" is no evidence */
	if (v->worst_ratio_milli < 1500 || !v->expect_fact)
		return;
	judge_for(j, f, SIDE_DATABASE, v->expect_fact,
		  "about 1/%llu of what %s should do at depth 1 (%s reads a second)",
		  (unsigned long long)((v->worst_ratio_milli + 500) / 1000),
		  v->expect_is_class ? "drives of this class" : "this model",
		  judge_number(j, v->expect_fact->u));
}

static void add_load(struct judge *j, struct finding *f, const struct reads_view *v,
		     bool against)
{
	struct buf shares cleanup_buf = { 0 }, depths cleanup_buf = { 0 };
	const char *text;

	if (!v->foreign || !v->foreign_clear)
		return;
	for (size_t i = 0; i < v->n_foreign_list; i++) {
		uint64_t ppm = v->foreign_list[i].share + 500;
		uint64_t milli = v->foreign_list[i].outstanding + 5;

		buf_printf(&shares, "%s%llu.%llu %%", i ? " and " : "",
			   (unsigned long long)(ppm / 10000),
			   (unsigned long long)(ppm % 10000 / 1000));
		buf_printf(&depths, "%s%llu.%02llu", i ? " and " : "",
			   (unsigned long long)(milli / 1000),
			   (unsigned long long)(milli % 1000 / 10));
	}
	text = judge_text(
		j,
		"%s of the disk's reads were not the benchmark's (%llu a second%s; on "
		"average %s requests outstanding)%s",
		buf_text(&shares), (unsigned long long)((v->foreign_rate + 500) / 1000),
		v->foreign_wait
			? judge_text(j, ", waiting %s each", ms_text(j, v->foreign_wait))
			: "",
		buf_text(&depths),
		v->demand_ppm && v->demand_ppm <= LIMIT_DEMAND_PPM
			? judge_text(j,
				     ": %s of what the drive can do, a condition, not a "
				     "cause",
				     v->demand_ppm < 5000
					     ? "under 1 %"
					     : percent_text(j, v->demand_ppm))
			: "");
	if (against)
		judge_against(j, f, SIDE_HOST, v->foreign, "%s", text);
	else
		judge_for(j, f, SIDE_HOST, v->foreign, "%s", text);
}

/* "At or below the request queue": the kernel's own clock saw the requests wait as long. */
static void add_where(struct judge *j, struct finding *f, const struct reads_view *v)
{
	if (!v->device_wait_ns)
		return;
	if (v->own_wait_ns > 3 * v->device_wait_ns) {
		f->where = "above the request queue: a limit, a layer or the page cache, "
			   "not "
			   "the drive";
		f->where_confidence = CONFIDENCE_STRONG;
	} else {
		f->where = v->n_steps > 1 || v->ladder_ns
				   ? "at or below the request queue, in fixed steps"
				   : "at or below the request queue";
		f->where_confidence = CONFIDENCE_STRONG;
	}
	if (link_is_clean(j) && v->own_wait_ns <= 3 * v->device_wait_ns)
		f->where = judge_text(j, "%s, not the cable", f->where);
	judge_for(j, f, SIDE_HOST, v->disk_fact,
		  "the disk's own statistics show %s a read, the benchmark %s",
		  ms_text(j, v->device_wait_ns), ms_text(j, v->own_wait_ns));
}

/* What nobody posted stands against every verdict on slow reads. */
static void add_unposted(struct judge *j, struct finding *f)
{
	struct buf b cleanup_buf = { 0 };

	if (!reads_host_text(j, FACT_LINK_POWER_POLICY))
		buf_puts(&b, "link power policy, ");
	if (!reads_host_text(j, FACT_SCHEDULER))
		buf_puts(&b, "scheduler, ");
	if (!kernel_look(j).there)
		buf_puts(&b, "kernel log, ");
	if (!b.len)
		return;
	judge_against(j, f, SIDE_NONE, NULL, "not posted: %.*s", (int)(b.len - 2),
		      buf_text(&b));
}

static void add_the_test(struct judge *j, struct finding *f, const char *if_stays)
{
	judge_next(j, f,
		   "The one test: boot a rescue system, mount nothing, set the link "
		   "power policy "
		   "to max_performance and the scheduler to none, and run the depth-1 "
		   "random read "
		   "for ten seconds.");
	judge_next(j, f, "%s", if_stays);
}

static bool has_internal_stalls(const struct reads_view *v)
{
	return v->slow_fact && v->slow_share >= LIMIT_SLOW_SHARE_PPM && v->n_steps &&
	       v->steps[0].ns >= STALL_MIN_NS && v->steps[0].ns <= STALL_MAX_NS;
}

/* min_power and the DIPM policies allow slumber; its exit may take up to 10 ms. */
static bool policy_slumbers(const char *policy)
{
	return policy && !str_equal(policy, "max_performance") &&
	       !str_equal(policy, "keep_firmware_settings");
}

static enum rule_answer rule_foreign_load(struct judge *j)
{
	struct reads_view v = reads_look(j);
	struct finding *f;

	if (!v.foreign)
		return ANSWER_CANNOT_TELL;
	if (!v.foreign_clear || v.demand_ppm <= LIMIT_DEMAND_PPM)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_K09,
		/* with nothing slow there is nothing to be blamed for */
		v.slow_fact || v.n_slow_runs || v.longest_ns >= RESET_NS
			? SEVERITY_WARNING
			: SEVERITY_NOTE,
		CONFIDENCE_MODERATE,
		"The drive was busy with other work while it was measured: about %s of "
		"what it can do.",
		percent_text(j, v.demand_ppm));
	add_where(j, f, &v);
	f->where = "on the host: other programs read from the drive";
	f->where_confidence = CONFIDENCE_STRONG;
	add_load(j, f, &v, false);
	add_slow(j, f, &v);
	add_unposted(j, f);
	judge_next(j, f,
		   "Find who reads (iotop -o, or pidstat -d 1), stop it, and measure "
		   "again: only an idle drive can be judged.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_link_power(struct judge *j)
{
	struct reads_view v = reads_look(j);
	const struct fact *policy = reads_host_fact(j, FACT_LINK_POWER_POLICY);
	struct finding *f;

	if (!v.slow_fact)
		return v.n_runs ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	if (!has_internal_stalls(&v) || judge_is_rotating(j) || !policy)
		return ANSWER_CANNOT_TELL;
	if (!policy_slumbers(policy->text))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_L05, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"The link sleeps between reads: policy %s lets it slumber, and waking "
		"takes up to 10 ms.",
		policy->text);
	add_where(j, f, &v);
	judge_for(j, f, SIDE_HOST, policy, "link power management policy: %s",
		  policy->text);
	add_slow(j, f, &v);
	add_expectation(j, f, &v);
	link_add_clean(j, f, false);
	judge_against(
		j, f, SIDE_NONE, NULL,
		"an SSD that stalls inside (D11) would look alike: the test tells them "
		"apart");
	add_load(j, f, &v, true);
	judge_next(
		j, f,
		"As root: for p in /sys/class/scsi_host/host*/"
		"link_power_management_policy; do echo max_performance > $p; done; then "
		"run the same ten seconds again.");
	judge_next(j, f,
		   "Steps gone: keep that policy. Steps still there: the SSD stalls "
		   "inside.");
	return ANSWER_FOUND;
}

/* The rival of D11, named with what speaks against it. */
static void add_link_power_rival(struct judge *j)
{
	const char *policy = reads_host_text(j, FACT_LINK_POWER_POLICY);
	struct finding *f;

	if (policy)
		return; /* then L05 found it, or it is excluded */
	f = judge_found(
		j, CODE_L05, SEVERITY_NOTE, CONFIDENCE_WEAK,
		"Link slumber could delay reads by up to 10 ms; its policy was not "
		"posted.");
	f->runner_up = true;
	judge_against(
		j, f, SIDE_NONE, NULL,
		"other reads were outstanding much of the time: a busy link does not "
		"sleep");
	judge_next(j, f, "cat /sys/class/scsi_host/host*/link_power_management_policy");
}

static enum rule_answer rule_internal_stalls(struct judge *j)
{
	struct reads_view v = reads_look(j);
	struct finding *f;

	if (!v.slow_fact)
		return v.n_runs ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	if (!judge_is_ssd(j))
		return judge_is_rotating(j) ? ANSWER_NOT_FOR_IT : ANSWER_CANNOT_TELL;
	if (!has_internal_stalls(&v) || v.demand_ppm > LIMIT_DEMAND_PPM ||
	    policy_slumbers(reads_host_text(j, FACT_LINK_POWER_POLICY)))
		return ANSWER_FINE;
	f = judge_found(j, CODE_D11, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			"Most likely the SSD stalls inside: %s wait %s.",
			shares_text(j, &v, v.slow_is_random), steps_text(j, &v));
	add_where(j, f, &v);
	add_slow(j, f, &v);
	add_expectation(j, f, &v);
	link_add_clean(j, f, false);
	add_unposted(j, f);
	add_load(j, f, &v, true);
	add_the_test(
		j, f,
		"Steps still there: the SSD (try another host to clear the controller, "
		"firmware, TRIM and an idle hour; then exchange it). Gone: the power "
		"policy "
		"first, the load second.");
	add_link_power_rival(j);
	return ANSWER_FOUND;
}

static enum rule_answer rule_timeouts(struct judge *j)
{
	struct reads_view v = reads_look(j);
	bool timeout = v.longest_ns >= TIMEOUT_NS;
	bool stands = v.slow_fact && v.n_steps && v.steps[v.n_steps - 1].ns >= RESET_NS &&
		      v.steps[v.n_steps - 1].ppm >= LIMIT_SLOW_SHARE_PPM;
	struct finding *f;

	if (!v.n_runs)
		return ANSWER_CANNOT_TELL;
	if (!timeout && !stands && v.over_2s < LIMIT_OVER_2S_PPM)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_T01, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		timeout ? "Reads come back after %s: commands time out and are tried "
			  "again."
			: "Reads stand still for up to %s: resets or recoveries, not "
			  "ordinary work.",
		seconds_text(j, v.longest_ns));
	add_where(j, f, &v);
	judge_for(j, f, SIDE_MEASURED, v.longest_fact, "the longest read took %s",
		  seconds_text(j, v.longest_ns));
	if (v.over_2s)
		judge_for(j, f, SIDE_MEASURED, v.longest_fact,
			  "%llu.%02llu %% of the reads took more than two seconds",
			  (unsigned long long)(v.over_2s / 10000),
			  (unsigned long long)(v.over_2s % 10000 / 100));
	add_slow(j, f, &v);
	link_add_clean(j, f, false);
	judge_against(
		j, f, SIDE_NONE, NULL,
		"not posted: the kernel log, which names the command and the reason");
	judge_next(
		j, f,
		"Look at dmesg for the same time (exception, failed command, resetting "
		"link, timeout) and give it to drivewhy with this text.");
	judge_next(j, f,
		   "With link errors in it: cable and power. Without: drive firmware, "
		   "NCQ (queue_depth 1 as a test), or unreadable sectors being retried.");
	return ANSWER_FOUND;
}

static void add_slow_pattern(struct judge *j, struct finding *f, const struct slow_run *s)
{
	judge_for(j, f, SIDE_MEASURED, s->fact, "%s: %s %s, at least %s expected (%s)",
		  s->title, judge_number(j, s->got), s->unit, judge_number(j, s->floor),
		  s->what);
}

/* Only when no cause above explains it: then the fact alone is what can be said. */
static enum rule_answer rule_below_model(struct judge *j)
{
	struct reads_view v = reads_look(j);
	struct finding *f;

	if (!v.n_runs)
		return ANSWER_CANNOT_TELL;
	if (!v.n_slow_runs)
		return v.n_compared ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	for (size_t i = 0; i < j->r->n_findings; i++) {
		const struct finding *other = &j->r->findings[i];

		if (!other->runner_up && other->severity >= SEVERITY_WARNING &&
		    (other->code == CODE_D11 || other->code == CODE_K09 ||
		     other->code == CODE_L05 || other->code == CODE_T01 ||
		     other->code == CODE_K13))
			return ANSWER_FOUND;
	}
	f = judge_found(j, CODE_P01, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			"Slower than %s should be; nothing given says why.",
			v.expect_is_class ? "a drive of this class" : "this model");
	add_where(j, f, &v);
	for (size_t i = 0; i < v.n_slow_runs; i++)
		add_slow_pattern(j, f, &v.slow_runs[i]);
	add_expectation(j, f, &v);
	link_add_clean(j, f, false);
	add_load(j, f, &v, true);
	add_unposted(j, f);
	add_the_test(
		j, f,
		"As fast as expected then: policy, scheduler or other work on the "
		"host. Still slow: the drive or its port; another host tells which.");
	return ANSWER_FOUND;
}

const struct rule rules_reads[] = {
	{ CODE_K09, rule_foreign_load,
	  "utilisation law; kernel Documentation/block/stat" },
	{ CODE_T01, rule_timeouts,
	  "libata: 30 s command time-out, resets of 0.1 to 10 s" },
	{ CODE_L05, rule_link_power,
	  "Serial ATA: slumber exit up to 10 ms; kernel NOLPM list" },
	{ CODE_D11, rule_internal_stalls,
	  "latency in fixed classes of 3 to 30 ms, no errors" },
	{ CODE_P01, rule_below_model, "drive database: makers' figures and reviews" },
	{ CODE_COUNT, NULL, NULL },
};
