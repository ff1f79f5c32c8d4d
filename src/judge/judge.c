/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/judge.h"

#include <errno.h>

#include "base/str.h"
#include "judge/context.h"
#include "judge/decision.h"
#include "judge/host.h"
#include "judge/kernel.h"
#include "judge/limits.h"
#include "judge/reads.h"
#include "judge/rules.h"

/* In an order in which a rule may look at what others found; which one leads is decided later. */
static const struct rule *const rules[] = {
	rules_drive,	  rules_media,	rules_path,  rules_sleep, rules_link,
	rules_link_speed, rules_disk,	rules_hba,   rules_usb,	  rules_pcie,
	rules_ssd,	  rules_config, rules_probe, rules_reads, rules_silent,
	rules_host,	  rules_past,	rules_sas,   rules_nvme,
};

/* Codes that the rule of another code gives. */
static const struct {
	enum code code, rule;
	const char *source;
} shared[] = {
	{ CODE_U05, CODE_D04, "raspibolt#669" },
	{ CODE_K07, CODE_D06, "etcd#9593" },
	{ CODE_S03, CODE_S02, "EverLand1/9300-8i#1" },
	{ CODE_K11, CODE_L06, "blog.robotshell.org 2012" },
	{ CODE_S04, CODE_S02, "general knowledge, unverified: named as the rival" },
};

static void keep_answer(struct judge *j, enum code code, enum rule_answer answer)
{
	if (answer > j->r->answers[code])
		j->r->answers[code] = (unsigned char)answer;
}

static void note_answer(struct judge *j, const struct rule *r)
{
	size_t before = j->r->n_findings;
	enum rule_answer answer = r->run(j);

	if (answer == ANSWER_FOUND) {
		for (size_t i = before; i < j->r->n_findings; i++)
			j->r->answers[j->r->findings[i].code] = ANSWER_FOUND;
		answer = ANSWER_FINE;
	}
	keep_answer(j, r->code, answer);
	for (size_t i = 0; i < array_size(shared); i++)
		if (shared[i].rule == r->code)
			keep_answer(j, shared[i].code, answer);
}

static void run_rules(struct judge *j)
{
	for (size_t i = 0; i < array_size(rules); i++)
		for (const struct rule *r = rules[i]; r->run; r++)
			note_answer(j, r);
}

const char *judge_rule_source(enum code code)
{
	for (size_t i = 0; i < array_size(rules); i++)
		for (const struct rule *r = rules[i]; r->run; r++)
			if (r->code == code)
				return r->source;
	for (size_t i = 0; i < array_size(shared); i++)
		if (shared[i].code == code)
			return shared[i].source;
	return NULL;
}

static bool is_data_at_risk(const struct finding *f)
{
	return f->severity >= SEVERITY_WARNING &&
	       (f->code == CODE_M01 || f->code == CODE_M02 || f->code == CODE_M04 ||
		f->code == CODE_D01 || f->code == CODE_D02 || f->code == CODE_M06 ||
		f->code == CODE_M07 || f->code == CODE_S07);
}

/* "Back up first" whatever the verdict, when any finding puts data at risk. */
static void put_backup_first(struct judge *j)
{
	struct finding *verdict = &j->r->findings[0];
	struct text_list old = verdict->next;

	if (is_data_at_risk(verdict))
		return; /* its own first step says so */
	for (size_t i = 1; i < j->r->n_findings; i++) {
		if (!is_data_at_risk(&j->r->findings[i]))
			continue;
		verdict->next = (struct text_list){ 0 };
		judge_next(j, verdict, "Back up first: the drive also shows %s (%s).",
			   code_title(j->r->findings[i].code),
			   code_name(j->r->findings[i].code));
		for (size_t k = 0; k < old.n; k++)
			judge_list(j, &verdict->next, old.items[k]);
		return;
	}
}

static void add_clean_evidence(struct judge *j, struct finding *f)
{
	static const struct {
		enum fact_id id;
		const char *text;
	} zeros[] = {
		{ FACT_REALLOCATED, "no sector was ever replaced" },
		{ FACT_PENDING, "no sector waits to be replaced" },
		{ FACT_REPORTED_UNCORR, "no uncorrectable error was ever reported" },
		{ FACT_ERROR_COUNT, "the drive's error log is empty" },
	};
	size_t runs;

	if (drive_facts(j->d, FACT_READ_IOS, &runs))
		link_add_silent(j, f);
	else
		link_add_clean(j, f, false);
	for (size_t i = 0; i < array_size(zeros); i++) {
		const struct fact *fact = drive_fact(j->d, zeros[i].id, 0, 0);

		if (fact && fact->u == 0)
			judge_for(j, f, SIDE_DRIVE, fact, "%s", zeros[i].text);
	}
}

/* Requests a second of a run: recomputed, or as posted when the counts were cut away. */
static const struct fact *rate_of(const struct judge *j, const struct fact *run)
{
	const struct fact *f =
		drive_fact_at(j->d, FACT_READ_IOPS, run->key.i, 0, run->snapshot);

	return f ? f
		 : drive_fact_at(j->d, FACT_READ_POSTED_IOPS, run->key.i, 0,
				 run->snapshot);
}

static void compare_write(struct judge *j, struct finding *f, const struct fact *run,
			  const struct fact *first)
{
	const struct fact *rate = rate_of(j, run);
	const struct fact *bytes =
		drive_fact_at(j->d, FACT_READ_BANDWIDTH, run->key.i, 0, run->snapshot);

	if (!rate)
		return;
	judge_for(j, f, SIDE_MEASURED, rate, "run %u writes %s requests a second%s%s",
		  run->key.i + 1, judge_number(j, rate->u / 1000),
		  bytes ? judge_text(j, ", %s MB/s", judge_number(j, bytes->u / 1000000))
			: "",
		  first && first->u && first != rate
			  ? judge_text(j, ": %.2f times as many as run 1",
				       (double)rate->u / (double)first->u)
			  : "");
}

/* Runs that write say nothing of how a drive reads; what they do say is how they compare. */
static bool conclude_writes(struct judge *j)
{
	size_t n, writes = 0;
	const struct fact *runs = drive_facts(j->d, FACT_READ_DIRECTION, &n);
	struct finding *f;

	for (size_t i = 0; i < n; i++)
		writes += str_equal(runs[i].text, "write");
	if (!n || writes < n || drive_text(j->d, FACT_MODEL, 0, 0))
		return false;
	f = judge_found(
		j, CODE_Z01, SEVERITY_UNKNOWN, CONFIDENCE_CANNOT_TELL,
		"%zu run%s, and no word of the drive below: nothing here can tell "
		"whether a drive is slow.",
		n, n == 1 ? " that writes" : "s that write");
	for (size_t i = 0; i < n; i++)
		compare_write(j, f, &runs[i], rate_of(j, &runs[0]));
	judge_next(
		j, f,
		"Find the drive below the file that was written (df, then lsblk; for a "
		"shared or virtual file system on the machine that serves it).");
	judge_next(j, f,
		   "There: smartctl -x of that drive, iostat -x 1 while it is written, "
		   "dmesg, "
		   "and a read-only run (fio --readonly --rw=randread) on the drive "
		   "itself.");
	return true;
}

/* Failures in the kernel log that no rule could place. */
static bool conclude_failures(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	struct finding *f;

	if (!k.faults)
		return false;
	if (k.classes[EVENT_HUNG_TASK])
		f = judge_found(
			j, CODE_P03, SEVERITY_WARNING, CONFIDENCE_WEAK,
			"Tasks wait for minutes, and no drive reports a failure.");
	else
		f = judge_found(
			j, CODE_Z01, SEVERITY_UNKNOWN, CONFIDENCE_CANNOT_TELL,
			"The kernel log tells of failures, but not of their cause.");
	for (int c = 0; c < EVENT_COUNT; c++)
		if (event_class_kind((enum event_class)c) == EVENT_KIND_FAULT)
			kernel_for_class(j, f, &k, (enum event_class)c);
	judge_next(j, f,
		   "Give the whole log since boot (dmesg, or journalctl -k): the lines "
		   "before the "
		   "first failure name its cause.");
	for (size_t i = 0; i < j->r->missing.n; i++)
		judge_next(j, f, "Collect %s.", j->r->missing.items[i]);
	return true;
}

/* Posted to ask about a disk, maybe: the log that was cut out is of another device. */
static bool conclude_optical(struct judge *j)
{
	static const enum fact_id of_a_drive[] = { FACT_MODEL, FACT_SERIAL, FACT_DEVICE,
						   FACT_ATTR_VALUE, FACT_READ_DIRECTION };
	struct kernel_view k = kernel_look(j);
	struct finding *f;
	size_t n = 0;

	for (size_t i = 0; i < array_size(of_a_drive) && !n; i++)
		(void)drive_facts(j->d, of_a_drive[i], &n);
	if (!k.n_optical || n)
		return false;
	f = judge_found(j, CODE_Z01, SEVERITY_UNKNOWN, CONFIDENCE_CANNOT_TELL,
			"What fails in this kernel log is an optical drive (CD, DVD), "
			"not a hard disk or SSD: nothing here tells of one.");
	kernel_for_optical(j, f, &k);
	judge_next(j, f,
		   "If a disk is slow or fails: give its own report (smartctl -x) and "
		   "the whole log since boot (dmesg).");
	judge_next(j, f,
		   "If it is the optical drive that troubles you: try another disc, "
		   "then another data cable and power lead.");
	return true;
}

/* What does not answer ATA commands: how its data comes in, instead of what is missing. */
static bool next_of_path(struct judge *j, struct finding *f)
{
	const char *hint = drive_text(j->d, FACT_HINT_COMMAND, 0, 0);

	if (hint)
		judge_next(j, f, "Bring its own data in: %s", hint);
	else if (str_equal(drive_text(j->d, FACT_BUS, 0, 0), "virtio"))
		judge_next(j, f,
			   "This is a virtual disk: what it lies on is known to its "
			   "host alone; ask there.");
	else
		return false;
	judge_next(j, f, "Give it together with dmesg and a read test (fio, read only).");
	return true;
}

/* Nothing was found: enough was looked at, or not. */
static void conclude_nothing(struct judge *j)
{
	bool enough = j->r->coverage_percent >= LIMIT_ENOUGH_COVERAGE;
	struct finding *f;

	if (conclude_writes(j) || conclude_failures(j) || conclude_optical(j))
		return;
	f = enough ? judge_found(j, CODE_Z00, SEVERITY_OK, CONFIDENCE_MODERATE,
				 "Nothing wrong in what was read from this drive.")
		   : judge_found(j, CODE_Z01, SEVERITY_UNKNOWN, CONFIDENCE_CANNOT_TELL,
				 "Nothing wrong in what was given, but it is too little "
				 "to say that "
				 "the drive is well.");
	add_clean_evidence(j, f);
	if (enough) {
		judge_next(j, f,
			   "If the drive is slow all the same: measure it (fio, read "
			   "only) and "
			   "give the output to drivewhy together with this report and "
			   "dmesg.");
		return;
	}
	if (next_of_path(j, f))
		return;
	for (size_t i = 0; i < j->r->missing.n; i++)
		judge_next(j, f, "Collect %s.", j->r->missing.items[i]);
}

/* What decode doubted is shown with its reason, never counted. */
static void list_doubts(struct judge *j)
{
	static const enum fact_id ids[] = { FACT_ATTR_DOUBT, FACT_STAT_DOUBT };

	for (size_t i = 0; i < array_size(ids); i++) {
		size_t n;
		const struct fact *f = drive_facts(j->d, ids[i], &n);

		for (size_t k = 0; k < n; k++) {
			if (!judge_is_current(j, &f[k]))
				continue;
			judge_ignore(j,
				     ids[i] == FACT_ATTR_DOUBT
					     ? judge_text(j, "attribute %u", f[k].key.i)
					     : judge_text(j,
							  "device statistics %02xh/%03xh",
							  f[k].key.i, f[k].key.j),
				     f[k].text);
		}
	}
}

/*
 * What the desktop's disk utility will say of the same pages, where it differs, with the reason.
 * Known from 13 published dumps: it takes 231 (life left) for a temperature and the hottest of
 * all, and counts packed raw values as they stand.
 */
static void list_desktop(struct judge *j)
{
	const struct fact *theirs = drive_fact(j->d, FACT_OPINION_TEMPERATURE, 0, 0);
	const struct fact *ours = drive_fact(j->d, FACT_TEMPERATURE, 0, 0);
	uint64_t bad, reallocated = 0, pending = 0;

	if (theirs && (!ours || theirs->s > ours->s + 2 || theirs->s < ours->s - 2))
		judge_ignore(
			j,
			judge_text(j, "the desktop (libatasmart) will say %lld C",
				   (long long)theirs->s),
			ours ? judge_text(j,
					  "it takes the hottest attribute of a name it "
					  "knows, "
					  "also life left; the drive says %lld C",
					  (long long)ours->s)
			     : "no attribute of this drive is known to be a temperature");
	if (!drive_u64(j->d, FACT_OPINION_BAD, 0, 0, &bad))
		return;
	(void)drive_u64(j->d, FACT_REALLOCATED, 0, 0, &reallocated);
	(void)drive_u64(j->d, FACT_PENDING, 0, 0, &pending);
	if (bad != reallocated + pending)
		judge_ignore(
			j,
			judge_text(j, "the desktop (libatasmart) will say %s bad sectors",
				   judge_number(j, bad)),
			judge_text(j,
				   "it counts packed raw values as they stand; unpacked "
				   "it is "
				   "%s replaced and %s pending",
				   judge_number(j, reallocated),
				   judge_number(j, pending)));
}

/* One line for all counters that share a reason. */
static void list_phy_ignored(struct judge *j)
{
	const struct phy_page *page = &j->r->phy;

	for (size_t i = 0; i < page->n; i++) {
		struct buf ids cleanup_buf = { 0 };
		bool first = true;

		if (phy_is_usable(&page->counters[i]))
			continue;
		for (size_t k = 0; k < page->n; k++) {
			if (phy_is_usable(&page->counters[k]) ||
			    !str_equal(page->counters[k].reason,
				       page->counters[i].reason))
				continue;
			first &= k >= i;
			buf_printf(&ids, " %03X", page->counters[k].id);
		}
		if (first)
			judge_ignore(
				j, judge_text(j, "phy event counters%s", buf_text(&ids)),
				page->counters[i].reason);
	}
}

static void judge_drive(struct judge *j)
{
	judge_note_latest(j);
	kernel_keep(j);
	phy_judge(j);
	coverage_judge(j);
	run_rules(j);
	not_tested_judge(j);
	list_phy_ignored(j);
	list_doubts(j);
	list_desktop(j);
	if (!j->r->n_findings)
		conclude_nothing(j);
	if (!j->r->n_findings)
		return; /* out of memory */
	decision_sort(j->r);
	decision_add_test(j);
	put_backup_first(j);
}

/* All snapshots of all drives from one file: then its name is not repeated at every line. */
static bool is_one_file(const struct case_file *c)
{
	const char *file = NULL;

	for (size_t i = 0; i < c->n_drives; i++) {
		const struct drive *d = c->drives[i];

		for (size_t k = 0; k < d->n_snapshots; k++) {
			if (!d->snapshots[k].file)
				continue;
			if (file && !str_equal(file, d->snapshots[k].file))
				return false;
			file = d->snapshots[k].file;
		}
	}
	return true;
}

/*
 * With several drives, events of ports that none of them is known for are judged as the host's: a
 * warning there must not be lost because nobody posted which drive it was.
 */
static void judge_host_events(struct judge *j)
{
	struct report *r = j->report;
	struct drive_report of_host = { .drive = &j->the_case->host };

	if (j->the_case->n_drives < 2 || !j->the_case->host.n_events)
		return;
	j->d = of_host.drive;
	j->r = &of_host;
	judge_note_latest(j);
	kernel_keep(j);
	run_rules(j);
	decision_sort(j->r);
	for (size_t i = 0; i < of_host.n_findings; i++) {
		const struct finding *f = &of_host.findings[i];
		struct finding *slot;

		if (f->runner_up || f->severity < SEVERITY_WARNING)
			continue;
		slot = arena_push(&r->arena, &r->host_findings, &r->n_host_findings,
				  &r->cap_host_findings, sizeof(*slot));
		if (slot)
			*slot = *f;
		else
			j->error = -ENOMEM;
	}
	j->r = NULL;
	j->kernel = NULL;
}

int judge_case(const struct case_file *c, struct report *ret)
{
	struct report out = { .the_case = c };
	struct judge j = { .the_case = c, .report = &out, .one_file = is_one_file(c) };

	out.drives = arena_alloc(&out.arena, (c->n_drives + 1) * sizeof(*out.drives));
	if (!out.drives)
		return -ENOMEM;
	out.n_drives = out.cap_drives = c->n_drives;
	for (size_t i = 0; i < c->n_drives && !j.error; i++) {
		j.d = out.drives[i].drive = c->drives[i];
		j.r = &out.drives[i];
		judge_drive(&j);
	}
	if (!j.error)
		judge_host_events(&j);
	if (!j.error)
		host_judge(&j);
	if (j.error) {
		report_done(&out);
		return j.error;
	}
	*ret = out;
	return 0;
}
