/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The path from drive to host as the kernel sees it: port (L02), power (L04), queued commands (L06,
 * K11), controller (L07), shared links (L08).
 */
#include <string.h>

#include "base/str.h"
#include "judge/kernel.h"
#include "judge/rules.h"

/* --- L02: the place, not the drive ------------------------------------------------------------- */

static const char *place_at(const struct drive *d, uint32_t snapshot)
{
	const struct fact *f = drive_fact_at(d, FACT_PORT, 0, 0, snapshot);

	if (!f)
		f = drive_fact_at(d, FACT_DEVICE, 0, 0, snapshot);
	return f ? f->text : NULL;
}

static bool same_place(const char *a, const char *b)
{
	const char *x = a ? str_after(a, "/dev/") : NULL,
		   *y = b ? str_after(b, "/dev/") : NULL;

	return a && b && str_equal(x ? x : a, y ? y : b);
}

/* Another drive that had link errors when it stood where this one stands now. */
static const struct drive *blamed_before(const struct judge *j, const char *place)
{
	for (size_t i = 0; place && i < j->the_case->n_drives; i++) {
		const struct drive *d = j->the_case->drives[i];

		for (uint32_t s = 0; d != j->d && s < d->n_snapshots; s++) {
			const struct fact *crc =
				drive_fact_at(d, FACT_CRC_ERRORS, 0, 0, s);

			if (crc && crc->u && same_place(place_at(d, s), place))
				return d;
		}
	}
	return NULL;
}

static void add_port_steps(struct judge *j, struct finding *f)
{
	judge_next(
		j, f,
		"Swap two drives between their places: what the errors follow is bad. If "
		"they stay with the place, replace its cable or backplane, or leave it "
		"empty.");
	judge_next(
		j, f,
		"Look at the growth of the count by serial number, not at its size: old "
		"counts travel with the drive.");
}

static enum rule_answer found_bad_place(struct judge *j, const char *place, int64_t rise)
{
	struct finding *f = judge_found(j, CODE_L02, SEVERITY_WARNING, CONFIDENCE_STRONG,
					"Two drives had link errors in the same place "
					"(%s): the place is bad, not "
					"the drive.",
					place);

	f->where = judge_text(j, "at %s: its port, cable or backplane", place);
	f->where_confidence = CONFIDENCE_STRONG;
	judge_for(j, f, SIDE_DRIVE, drive_fact(j->d, FACT_CRC_ERRORS, 0, 0),
		  "the CRC count rose by %s since it stands there",
		  judge_number(j, (uint64_t)rise));
	judge_for(j, f, SIDE_NONE, NULL,
		  "another drive has such errors from the time when it stood there");
	add_port_steps(j, f);
	return ANSWER_FOUND;
}

static bool was_thrown_out(const struct drive *d)
{
	if (drive_flag(d, FACT_ARRAY_FAILED, 0))
		return true;
	for (size_t i = 0; i < d->n_events; i++)
		if (d->events[i].class == EVENT_ARRAY && !d->events[i].boots_ago)
			return true;
	return false;
}

/* Several members thrown out, and nothing said of any of them: drives do not die together. */
static bool thrown_out_together(const struct judge *j, const struct kernel_view *k,
				unsigned *ret_n)
{
	*ret_n = 0;
	for (size_t i = 0; i < j->the_case->n_drives; i++)
		*ret_n += was_thrown_out(j->the_case->drives[i]);
	return was_thrown_out(j->d) && *ret_n >= LIMIT_PORTS_TOGETHER &&
	       !rules_has_media_trouble(j) && !k->n[KERNEL_SILENT] &&
	       !k->n[KERNEL_QUEUED] && !drive_flag(j->d, FACT_DB_SMR, 0);
}

static enum rule_answer found_thrown_out(struct judge *j, const struct kernel_view *k,
					 unsigned n)
{
	struct finding *f =
		judge_found(j, CODE_L02, SEVERITY_WARNING, CONFIDENCE_MODERATE,
			    "%u drives were thrown out of their arrays: look at what "
			    "they share, cables "
			    "first, before you replace one.",
			    n);

	f->where = "in what the drives share: cables, backplane, adapter, power";
	f->where_confidence = CONFIDENCE_MODERATE;
	kernel_for_class(j, f, k, EVENT_ARRAY);
	judge_for(j, f, SIDE_NONE, NULL, "drives seldom die together");
	judge_against(j, f, SIDE_NONE, NULL,
		      "the lines before, which name the reason, were not given");
	judge_next(j, f,
		   "Short new cables (50 cm or less), pushed home at both ends; then "
		   "another port "
		   "or adapter, then the power leads.");
	judge_next(j, f,
		   "Give the whole kernel log and smartctl -x of each drive: unreadable "
		   "sectors or "
		   "time-outs there would be another thing.");
	return ANSWER_FOUND;
}

static enum rule_answer rule_place(struct judge *j)
{
	unsigned thrown;
	struct kernel_view k = kernel_look(j);
	unsigned ports = kernel_ports_with(j, KERNEL_WIRE);
	const char *place = j->d->n_snapshots
				    ? place_at(j->d, (uint32_t)j->d->n_snapshots - 1)
				    : NULL;
	int64_t rise;
	struct finding *f;

	if (drive_delta(j->d, FACT_CRC_ERRORS, 0, 0, &rise) && rise > 0 &&
	    blamed_before(j, place))
		return found_bad_place(j, place, rise);
	if (!k.n[KERNEL_WIRE] && thrown_out_together(j, &k, &thrown))
		return found_thrown_out(j, &k, thrown);
	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!k.n[KERNEL_WIRE] || ports < LIMIT_PORTS_TOGETHER)
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_L02, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"Frames are damaged on %u links of this host: what they share is to "
		"blame, not one drive.",
		ports);
	f->where = "in what the drives share: cable bundle, backplane, controller, power";
	f->where_confidence = CONFIDENCE_MODERATE;
	kernel_for(j, f, &k, KERNEL_WIRE);
	kernel_for_class(j, f, &k, EVENT_SPEED_LIMITED);
	judge_against(
		j, f, SIDE_NONE, NULL,
		"bad cables at all of them at once, bought together, would look alike");
	add_port_steps(j, f);
	judge_next(j, f,
		   "All drives together on another controller: errors gone means the "
		   "controller (L07).");
	return ANSWER_FOUND;
}

/* --- L04: power ------------------------------------------------------------------------------- */

/* Power cycles that neither a boot nor a suspend explains, between two readings of one boot. */
static bool lost_power(const struct judge *j, int64_t *ret)
{
	int64_t cycles, suspends = 0;

	if (!drive_delta(j->d, FACT_POWER_CYCLES, 0, 0, &cycles) ||
	    !drive_delta(&j->the_case->host, FACT_HOST_SUSPENDS, 0, 0, &suspends))
		return false;
	*ret = cycles - suspends;
	return *ret > 0;
}

static void add_power_steps(struct judge *j, struct finding *f)
{
	judge_next(j, f,
		   "Take out splitters and adapters (molex to SATA above all), give the "
		   "drive "
		   "another lead of the power supply, push both plugs home.");
	judge_next(j, f, "Still there: another power supply, then another data cable.");
}

static enum rule_answer rule_power(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	unsigned ports = kernel_ports_with(j, KERNEL_PLUG);
	uint32_t plugs = k.n[KERNEL_PLUG] - k.near_boot[KERNEL_PLUG];
	int64_t lost = 0;
	bool cycles = lost_power(j, &lost), many;
	struct finding *f;

	if (!k.there && !cycles)
		return ANSWER_CANNOT_TELL;
	many = ports >= LIMIT_PORTS_TOGETHER && k.together[KERNEL_PLUG];
	if (!cycles && (!plugs || k.n[KERNEL_WIRE] > plugs ||
			k.near_sleep[KERNEL_PLUG] == k.n[KERNEL_PLUG]))
		return ANSWER_FINE;
	f = judge_found(j, CODE_L04, SEVERITY_WARNING,
			cycles || many ? CONFIDENCE_STRONG
			: plugs > 1    ? CONFIDENCE_MODERATE
				       : CONFIDENCE_WEAK,
			"The drive drops off and comes back: power, or a loose plug.");
	f->where = "between power supply, plug and drive";
	f->where_confidence = f->confidence;
	kernel_for(j, f, &k, KERNEL_PLUG);
	if (many)
		judge_for(j, f, SIDE_HOST, NULL,
			  "%u ports in the same two seconds: what they share is power",
			  ports);
	if (cycles)
		judge_for(j, f, SIDE_DRIVE, drive_fact(j->d, FACT_POWER_CYCLES, 0, 0),
			  "%lld power cycles more than the host's suspends explain",
			  (long long)lost);
	if (k.no_link)
		kernel_for_class(j, f, &k, EVENT_RESET_FAILED);
	if (!k.n[KERNEL_WIRE])
		judge_against(
			j, f, SIDE_NONE, NULL,
			"a data plug that is loose does the same: no damaged frame tells "
			"them apart");
	add_power_steps(j, f);
	return ANSWER_FOUND;
}

/* --- L06, K11: commands lost on a quiet link ----------------------------------------------------- */

static bool only_queued(const struct kernel_view *k)
{
	return k->n[KERNEL_QUEUED] && !k->n[KERNEL_SILENT] && !k->n[KERNEL_WIRE] &&
	       !k->n[KERNEL_MEDIA] && !k->n[KERNEL_CONTROLLER] && !k->n[KERNEL_WAKE];
}

static void add_rival_platform(struct judge *j)
{
	struct finding *f = judge_found(
		j, CODE_K11, SEVERITY_NOTE, CONFIDENCE_WEAK,
		"ACPI commands of the platform could stop the drive in the same way.");

	f->runner_up = true;
	judge_next(j, f, "libata.noacpi=1 on the kernel's command line, as a test");
}

static void add_queue_steps(struct judge *j, struct finding *f)
{
	judge_next(j, f,
		   "One at a time, each for as long as the errors took: echo 1 > "
		   "/sys/block/%s/device/queue_depth; then the link power policy to "
		   "max_performance; then libata.noacpi=1.",
		   strncmp(judge_device(j), "/dev/", 5) == 0 ? judge_device(j) + 5
							     : "sdX");
	judge_next(j, f,
		   "Gone at depth 1: drive firmware, a newer kernel, another controller; "
		   "until "
		   "then libata.force=noncq for that port. Still there: power, then the "
		   "drive.");
}

static enum rule_answer rule_queued(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool pair = drive_flag(j->d, FACT_DB_NO_NCQ_ATI, 0) && rules_is_ati(j);
	bool known = pair || drive_flag(j->d, FACT_DB_NO_NCQ, 0) ||
		     (k.send_queued && drive_flag(j->d, FACT_DB_NO_NCQ_TRIM, 0));
	bool likely = drive_flag(j->d, FACT_DB_NO_NCQ_ATI, 0);
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!only_queued(&k) || drive_flag(j->d, FACT_DB_SMR, 0) ||
	    rules_has_media_trouble(j) || rules_is_nvme(j))
		return ANSWER_FINE;
	f = judge_found(
		j, CODE_L06, SEVERITY_WARNING,
		known			    ? CONFIDENCE_STRONG
		: likely || judge_is_ssd(j) ? CONFIDENCE_MODERATE
					    : CONFIDENCE_WEAK,
		"Queued commands are lost while the link is quiet: command queueing of "
		"this pair of drive and controller.");
	f->where = "between drive firmware and controller: command queueing";
	f->where_confidence = f->confidence;
	kernel_for(j, f, &k, KERNEL_QUEUED);
	kernel_for_class(j, f, &k, EVENT_NCQ_OFF);
	if (known || likely)
		judge_for(j, f, SIDE_DATABASE, NULL, "the kernel turns it off for %s",
			  pair || likely ? "this family behind ATI and AMD controllers"
					 : "this model");
	judge_for(j, f, SIDE_HOST, NULL,
		  "SErr 0 with every one of them: no damaged frame, no lost link");
	if (!known)
		judge_against(
			j, f, SIDE_NONE, NULL,
			"a drive that hangs, or a disk that retries a weak place, looks "
			"alike");
	add_queue_steps(j, f);
	if (!known)
		add_rival_platform(j);
	return ANSWER_FOUND;
}

/* What is left: nobody answers, and nothing says why. */
static enum rule_answer rule_silent(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	uint32_t n = k.n[KERNEL_SILENT] + k.n[KERNEL_FLUSH] + k.n[KERNEL_QUEUED];
	struct finding *f;

	if (!k.there)
		return ANSWER_CANNOT_TELL;
	if (!n || k.n[KERNEL_WIRE] || k.n[KERNEL_WAKE] || rules_is_nvme(j))
		return ANSWER_FINE;
	for (size_t i = 0; i < j->r->n_findings; i++)
		if (!j->r->findings[i].runner_up &&
		    j->r->findings[i].severity >= SEVERITY_WARNING)
			return ANSWER_FINE; /* somebody else explains them */
	f = judge_found(
		j, CODE_T01, SEVERITY_WARNING, CONFIDENCE_MODERATE,
		"The drive stops answering while the link reports nothing: firmware, "
		"power, or a place it reads again and again; not the data cable.");
	f->where = "in the drive, or in its power";
	f->where_confidence = CONFIDENCE_MODERATE;
	kernel_for(j, f, &k, KERNEL_QUEUED);
	kernel_for(j, f, &k, KERNEL_FLUSH);
	kernel_for(j, f, &k, KERNEL_SILENT);
	judge_next(j, f,
		   "Read its own logs (smartctl -x %s) and run the long self-test: a "
		   "weak place "
		   "shows there.",
		   judge_device(j));
	judge_next(j, f,
		   "Clean: another power lead, queue_depth 1, newer firmware, in this "
		   "order.");
	return ANSWER_FOUND;
}

/* --- L07: controller ------------------------------------------------------------------------------ */

static uint64_t fs_errors(const struct judge *j)
{
	return rules_number(j, FACT_FS_READ_ERRORS) +
	       rules_number(j, FACT_FS_WRITE_ERRORS) +
	       rules_number(j, FACT_FS_CHECKSUM_ERRORS);
}

/* The host sees many times the errors that the drive has counted in its whole life. */
static bool host_is_ahead(const struct judge *j, const struct kernel_view *k)
{
	const struct fact *crc = link_crc_errors(j);
	uint64_t icrc = 0, host = k->n[KERNEL_WIRE] > fs_errors(j) ? k->n[KERNEL_WIRE]
								   : fs_errors(j);
	int64_t rise = 0;

	if (!crc || drive_flag(j->d, FACT_DB_CRC_DEAD, 0) || !k->n[KERNEL_WIRE] ||
	    rules_has_media_trouble(j))
		return false;
	(void)phy_value(j, 0x001, &icrc);
	(void)drive_delta(j->d, FACT_CRC_ERRORS, 0, 0, &rise);
	return rise <= 0 && host >= LIMIT_HOST_AHEAD_FACTOR * (crc->u + icrc + 1);
}

static void add_controller_evidence(struct judge *j, struct finding *f,
				    const struct kernel_view *k, bool ahead)
{
	static const enum event_class classes[] = { EVENT_IOMMU, EVENT_INTERRUPT,
						    EVENT_CONTROLLER_GONE, EVENT_HOST_BUS,
						    EVENT_INTERNAL };
	const struct fact *quirk = rules_fact(j, FACT_DB_CONTROLLER_QUIRK);

	for (size_t i = 0; i < array_size(classes); i++)
		kernel_for_class(j, f, k, classes[i]);
	if (ahead) {
		kernel_for(j, f, k, KERNEL_WIRE);
		if (fs_errors(j))
			judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_FS_CHECKSUM_ERRORS),
				  "the file system counts %s on it",
				  judge_count(j, fs_errors(j), "error", "errors"));
		judge_for(j, f, SIDE_DRIVE, link_crc_errors(j),
			  "the drive itself counted %s in its life: it did not see what "
			  "the "
			  "host saw",
			  judge_number(j, link_crc_errors(j)->u));
	}
	if (quirk)
		judge_for(j, f, SIDE_DATABASE, quirk, "%s: %s",
			  rules_text(j, FACT_DB_CONTROLLER), quirk->text);
}

static enum rule_answer rule_controller(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	bool ahead = host_is_ahead(j, &k);
	bool corrupts = rules_fact(j, FACT_DB_CORRUPTS) &&
			rules_number(j, FACT_FS_CHECKSUM_ERRORS);
	struct finding *f;

	if (!k.there && !corrupts)
		return ANSWER_CANNOT_TELL;
	if (!k.n[KERNEL_CONTROLLER] && !ahead && !corrupts)
		return ANSWER_FINE;
	if (rules_is_nvme(j) || (rules_is_usb(j) && !k.classes[EVENT_IOMMU]))
		return ANSWER_NOT_FOR_IT;
	f = judge_found(
		j, CODE_L07, SEVERITY_WARNING,
		corrupts ? CONFIDENCE_STRONG : CONFIDENCE_MODERATE,
		ahead ? "The host sees errors that the drive does not: the controller's "
			"end of the link."
		: corrupts ? "This controller is known to change data on its way."
			   : "Commands fail in the host before they reach the drive: "
			     "controller, driver or memory mapping.");
	f->where = "in the host: controller, driver, IOMMU";
	f->where_confidence = f->confidence;
	add_controller_evidence(j, f, &k, ahead);
	judge_next(
		j, f,
		"Move the drive with the same cable to another controller (a port on the "
		"board): errors gone means the controller.");
	judge_next(j, f,
		   "Else: newer BIOS and kernel (or the one before, if it began with an "
		   "update); iommu=pt as a test.");
	return ANSWER_FOUND;
}

/* --- L08: one link for many ------------------------------------------------------------------------ */

static enum rule_answer rule_shared(struct judge *j)
{
	struct kernel_view k = kernel_look(j);
	const char *port = rules_text(j, FACT_PORT);
	bool multiplier = k.multiplier || (port && strchr(port, '.'));
	struct finding *f;

	if (!multiplier)
		return port || k.there ? ANSWER_FINE : ANSWER_CANNOT_TELL;
	f = judge_found(
		j, CODE_L08, k.faults ? SEVERITY_WARNING : SEVERITY_NOTE,
		k.faults ? CONFIDENCE_MODERATE : CONFIDENCE_STRONG,
		"The drive hangs on a port multiplier: all drives there share one link "
		"and one fate.");
	f->where = "between multiplier and host";
	f->where_confidence = f->confidence;
	if (port)
		judge_for(j, f, SIDE_HOST, rules_fact(j, FACT_PORT), "its port is %s",
			  port);
	if (k.multiplier)
		judge_for(j, f, SIDE_HOST, NULL,
			  "kernel log: lines of the multiplier itself (.15)");
	judge_next(j, f,
		   "Give drives that work at the same time ports of their own; one drive "
		   "alone "
		   "behind the multiplier is the test.");
	return ANSWER_FOUND;
}

const struct rule rules_path[] = {
	{ CODE_L07, rule_controller, "libata Emask; openzfs#10094; Debian 1141183" },
	{ CODE_L02, rule_place, "easyzfs#1: errors that stay with the bay" },
	{ CODE_L04, rule_power, "libata SError; two ports within two seconds" },
	{ CODE_L06, rule_queued, "libata quirk table; openzfs#4873" },
	{ CODE_L08, rule_shared, "libata port multiplier names" },
	{ CODE_COUNT, NULL, NULL },
};

const struct rule rules_silent[] = {
	{ CODE_T01, rule_silent, "libata: time-outs with SErr 0" },
	{ CODE_COUNT, NULL, NULL },
};
