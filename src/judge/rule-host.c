/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tables of the host say: a backlog of writes in a drive's queue (P02), tasks that stall
 * (P03), and which differences between two columns are no more than noise (Z02).
 */
#include "judge/host.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "judge/context.h"
#include "judge/limits.h"
#include "stats/load.h"
#include "stats/noise.h"

static const struct fact *find_row(const struct judge *j, const char *name)
{
	size_t n;
	const struct fact *f = drive_facts(&j->the_case->host, FACT_CMP_ROW_NAME, &n);

	for (size_t i = 0; i < n; i++)
		if (str_equal(f[i].text, name))
			return &f[i];
	return NULL;
}

static const struct fact *cell(const struct judge *j, const struct fact *row,
			       uint32_t column)
{
	return drive_fact_at(&j->the_case->host, FACT_CMP_ROW_MICRO, row->key.i, column,
			     row->snapshot);
}

/* "Mean sda-await" in one column; false when it is not there. */
static bool iostat(const struct judge *j, const char *device, const char *metric,
		   uint32_t column, double *ret, const struct fact **ret_fact)
{
	char name[96];
	const struct fact *row, *f;

	(void)snprintf(name, sizeof(name), "Mean %s-%s", device, metric);
	row = find_row(j, name);
	f = row ? cell(j, row, column) : NULL;
	if (!f)
		return false;
	*ret = (double)f->s / 1e6;
	*ret_fact = row;
	return true;
}

static enum rule_answer rule_write_backlog(struct judge *j)
{
	const char *posted = drive_text(j->d, FACT_DEVICE, 0, 0);
	const char *device = posted ? str_after(posted, "/dev/") : NULL;
	const struct fact *row_r, *row_w, *row_q, *row_a;
	double r, w, queue, all;
	struct finding *f;

	if (!device)
		device = posted;
	if (!device || !iostat(j, device, "r_await", 0, &r, &row_r) ||
	    !iostat(j, device, "w_await", 0, &w, &row_w) ||
	    !iostat(j, device, "avgqz", 0, &queue, &row_q))
		return ANSWER_CANNOT_TELL;
	if (w < LIMIT_BACKLOG_WAIT_MS || w < LIMIT_BACKLOG_RATIO * r ||
	    queue < LIMIT_BACKLOG_QUEUE)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_P02, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"Writes pile up in the queue of %s; the drive does not read slowly.",
		device);
	f->where =
		judge_text(j, "in the request queue of %s: a backlog of writes", device);
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_HOST, row_w,
		  "a write waits %.0f ms on average, a read %.0f ms", w, r);
	judge_for(j, f, SIDE_HOST, row_q, "%.0f requests stand in the queue on average",
		  queue);
	if (iostat(j, device, "await", 0, &all, &row_a) && all > 0)
		judge_for(j, f, SIDE_HOST, row_a,
			  "queue and wait together (Little's law): about %.0f requests a "
			  "second "
			  "are done, so the drive works; there are too many at once",
			  load_outstanding(1, queue) / (all / 1000));
	judge_against(
		j, f, SIDE_NONE, NULL,
		"not given: write sizes and rates, kind of drive, its write cache and "
		"SMART report: a drive that is slow at writing would look alike");
	judge_next(
		j, f,
		"Collect while it happens: iostat -x 1 %s, smartctl -x /dev/%s, and cat "
		"/sys/block/%s/queue/{rotational,scheduler,write_cache,nr_requests}.",
		device, device, device);
	judge_next(j, f,
		   "Then halve what may wait: lower vm.dirty_bytes and nr_requests, or "
		   "use a "
		   "scheduler that favours reads. Stalls gone: it was the backlog. Same "
		   "stalls: the drive's own writing.");
	return ANSWER_FOUND;
}

const struct rule rules_host[] = {
	{ CODE_P02, rule_write_backlog, "Little's law; iostat's await by direction" },
	{ CODE_COUNT, NULL, NULL },
};

/* ---- findings about the host itself ---- */

static struct finding *host_found(struct judge *j, enum code code, enum severity severity,
				  enum confidence confidence, const char *headline)
{
	struct report *r = j->report;
	struct finding *f = arena_push(&r->arena, &r->host_findings, &r->n_host_findings,
				       &r->cap_host_findings, sizeof(*f));

	if (!f)
		f = &j->dropped;
	*f = (struct finding){ .code = code,
			       .severity = severity,
			       .confidence = confidence,
			       .headline = headline };
	return f;
}

static void judge_stalls(struct judge *j)
{
	const struct drive *host = &j->the_case->host;
	size_t n;
	const struct fact *ms = drive_facts(host, FACT_STALL_MS, &n);
	struct finding *f = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fact *events = drive_fact_at(host, FACT_STALL_EVENTS,
							  ms[i].key.i, 0, ms[i].snapshot);
		const struct fact *where = drive_fact_at(host, FACT_STALL_WHERE,
							 ms[i].key.i, 0, ms[i].snapshot);
		const struct fact *label = drive_fact_at(host, FACT_STALL_LABEL,
							 ms[i].key.i, 0, ms[i].snapshot);

		if (!events || !events->u || ms[i].u / events->u < LIMIT_LONG_STALL_MS)
			continue;
		if (!f) {
			f = host_found(
				j, CODE_P03, SEVERITY_WARNING, CONFIDENCE_MODERATE,
				"Tasks stand still in the kernel, waiting for the disk.");
			f->where = "in the kernel, above the drive";
			f->where_confidence = CONFIDENCE_MODERATE;
			judge_next(j, f,
				   "Where they wait names the cause: catch it with "
				   "'echo w > /proc/sysrq-trigger' and read dmesg.");
		}
		judge_for(j, f, SIDE_HOST, &ms[i],
			  "%s%s%s: %s stalls, %s s together, %s s each",
			  label ? label->text : "tasks", where ? " in " : "",
			  where ? where->text : "", judge_number(j, events->u),
			  judge_number(j, ms[i].u / 1000),
			  judge_number(j, (ms[i].u / events->u + 500) / 1000));
	}
}

/* "Elapsed mean" has "Elapsed stddev" beside it. */
static const struct fact *stddev_row(struct judge *j, const struct fact *mean)
{
	size_t len = strlen(mean->text);
	const struct fact *row;

	if (!str_ends(mean->text, " mean"))
		return NULL;
	row = find_row(j, judge_text(j, "%.*s stddev", (int)(len - 5), mean->text));
	return row;
}

static bool noise_row_at(const struct judge *j, const struct fact *mean,
			 const struct fact *stddev, uint32_t column,
			 struct noise_row *ret)
{
	const struct fact *m = cell(j, mean, column), *s = cell(j, stddev, column);

	if (!m || !s)
		return false;
	*ret = (struct noise_row){ .mean = (double)m->s / 1e6,
				   .stddev = (double)s->s / 1e6,
				   .n = LIMIT_TABLE_RUNS };
	return true;
}

static void compare_row(struct judge *j, struct finding *f, const struct fact *mean)
{
	const struct fact *stddev = stddev_row(j, mean);
	struct noise_row a, b;
	unsigned runs;

	if (!stddev || !noise_row_at(j, mean, stddev, 0, &a) ||
	    !noise_row_at(j, mean, stddev, 1, &b))
		return;
	runs = noise_runs_needed(&a, &b);
	if (!runs || runs > LIMIT_TABLE_RUNS)
		judge_for(j, f, SIDE_MEASURED, mean,
			  "%s %.2f against %.2f: noise (the spread is %.2f and %.2f%s)",
			  mean->text, a.mean, b.mean, a.stddev, b.stddev,
			  runs ? judge_text(j, "; it would take %u runs to show it", runs)
			       : "");
	else
		judge_against(j, f, SIDE_MEASURED, mean,
			      "%s %.2f against %.2f: a difference if the table rests on "
			      "%u runs "
			      "or more a side, which it does not tell",
			      mean->text, a.mean, b.mean, runs);
}

static void judge_comparisons(struct judge *j)
{
	size_t n;
	const struct fact *rows = drive_facts(&j->the_case->host, FACT_CMP_ROW_NAME, &n);
	struct finding noise = { .code = CODE_Z02 };
	size_t spread = 0;

	for (size_t i = 0; i < n; i++)
		spread += stddev_row(j, &rows[i]) != NULL;
	if (!n)
		return;
	for (size_t i = 0; spread && i < n; i++)
		compare_row(j, &noise, &rows[i]);
	if (noise.evidence.n || noise.against.n) {
		struct finding *f = host_found(
			j, CODE_Z02, SEVERITY_NOTE, CONFIDENCE_MODERATE,
			noise.against.n ? "Most differences between the columns are "
					  "noise."
					: "The differences between the columns are "
					  "noise.");

		f->evidence = noise.evidence;
		f->against = noise.against;
		if (spread * 5 < n) /* rows of iostat have no spread beside them */
			judge_against(j, f, SIDE_NONE, NULL,
				      "rows without a spread (means and maxima alone) "
				      "cannot be "
				      "called a difference");
	}
}

/* Kernel functions of a file system's journal or log, by the start of their names. */
static bool is_journal(const char *where)
{
	static const char *const names[] = { "jbd2_",		"do_get_write_access",
					     "log_wait_commit", "xlog_",
					     "xfs_log_",	"btrfs_commit",
					     "txg_wait",	"wait_current_trans",
					     "ext4_",		NULL };

	for (const char *const *n = names; *n; n++)
		if (str_starts(where, *n) || strstr(where, *n))
			return true;
	return false;
}

static bool is_any_drive_bad(const struct judge *j)
{
	for (size_t i = 0; i < j->report->n_drives; i++)
		if (j->report->drives[i].n_findings &&
		    j->report->drives[i].findings[0].severity >= SEVERITY_WARNING)
			return true;
	return false;
}

/* Tasks found waiting while the drives were read: one look says little, many tasks say more. */
static void judge_waiting(struct judge *j)
{
	const struct drive *host = &j->the_case->host;
	size_t n;
	const struct fact *where = drive_facts(host, FACT_TASK_WHERE, &n);
	uint64_t all = 0, journal = 0;
	struct finding *f;

	for (size_t i = 0; i < n; i++) {
		const struct fact *seen = drive_fact_at(
			host, FACT_TASK_SEEN, where[i].key.i, 0, where[i].snapshot);

		all += seen ? seen->u : 1;
		journal += is_journal(where[i].text) ? (seen ? seen->u : 1) : 0;
	}
	if (all < LIMIT_WAITING_TASKS)
		return;
	f = host_found(
		j, CODE_P03, SEVERITY_NOTE, CONFIDENCE_WEAK,
		journal * 2 > all && !is_any_drive_bad(j)
			? "Tasks wait for the journal of a file system, while no drive "
			  "complains."
			: "Tasks wait in the kernel for a disk.");
	for (size_t i = 0; i < n && i < 8; i++) {
		const struct fact *name = drive_fact_at(
			host, FACT_TASK_NAME, where[i].key.i, 0, where[i].snapshot);

		judge_for(j, f, SIDE_HOST, &where[i], "%s waits in %s",
			  name ? name->text : "a task", where[i].text);
	}
	judge_against(j, f, SIDE_NONE, NULL,
		      "one look: under load some task always waits for a disk");
	judge_next(
		j, f,
		"Look again in a minute: the same tasks in the same function are stuck.");
}

void host_judge(struct judge *j)
{
	j->d = &j->the_case->host;
	j->r = NULL;
	judge_stalls(j);
	judge_waiting(j);
	judge_comparisons(j);
}
