/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much there was to look at. "No fault found" is said only when enough was there; what was
 * missing is named with the command that brings it.
 */
#include <string.h>

#include "base/str.h"
#include "judge/context.h"
#include "judge/kernel.h"
#include "judge/rules.h"

/* Seen, absent, or not to be had from this drive. */
enum look { LOOK_SEEN, LOOK_MISSING, LOOK_NONE };

static enum look have(const struct judge *j, enum fact_id id)
{
	size_t n;

	return drive_facts(j->d, id, &n) ? LOOK_SEEN : LOOK_MISSING;
}

/* When the log directory was printed and does not list a log, the drive has none. */
static bool directory_lacks(const struct judge *j, uint32_t log)
{
	return have(j, FACT_LOG_GPL) == LOOK_SEEN &&
	       !drive_fact(j->d, FACT_LOG_GPL, log, 0) &&
	       !drive_fact(j->d, FACT_LOG_SMART, log, 0);
}

/* Parallel ATA, up to ATA/ATAPI-7 without a SATA line: there was no phy and no General Purpose log. */
static bool is_parallel(const struct judge *j)
{
	const char *ata = drive_text(j->d, FACT_ATA_VERSION, 0, 0);
	const char *digit = ata ? str_after(ata, "ATA/ATAPI-") : NULL;

	if (!digit)
		digit = ata;
	return digit && *digit >= '1' && *digit <= '6' &&
	       (digit[1] == '\0' || digit[1] == ' ') &&
	       !drive_text(j->d, FACT_SATA_VERSION, 0, 0);
}

/* No SATA: neither a phy log nor ATA's statistics are to be had. */
static bool is_other_bus(const struct judge *j)
{
	static const char *const buses[] = { "nvme", "sas", "scsi", "virtio" };
	const char *bus = drive_text(j->d, FACT_BUS, 0, 0);

	for (size_t i = 0; i < array_size(buses); i++)
		if (str_equal(bus, buses[i]))
			return true;
	return false;
}

/* Each kind of drive has logs of its own. A bridge or RAID volume that looks like SCSI has none. */
enum drive_kind { KIND_ATA, KIND_SAS, KIND_NVME, KIND_HIDDEN };

static enum drive_kind kind_of(const struct judge *j)
{
	const char *bus = drive_text(j->d, FACT_BUS, 0, 0);

	if (rules_is_nvme(j))
		return KIND_NVME;
	if (drive_text(j->d, FACT_ATA_VERSION, 0, 0) ||
	    have(j, FACT_ATTR_VALUE) == LOOK_SEEN)
		return KIND_ATA;
	if (str_equal(bus, "sas") || have(j, FACT_SCSI_ERR_UNCORRECTED) == LOOK_SEEN ||
	    have(j, FACT_GROWN_DEFECTS) == LOOK_SEEN)
		return KIND_SAS;
	return drive_text(j->d, FACT_SCSI_DEVICE_TYPE, 0, 0) ||
			       drive_text(j->d, FACT_SCSI_VERSION, 0, 0)
		       ? KIND_HIDDEN
		       : KIND_ATA;
}

static enum look only(const struct judge *j, enum drive_kind kind, enum look l)
{
	return kind_of(j) == kind ? l : LOOK_NONE;
}

static enum look look_counters(const struct judge *j)
{
	return only(j, KIND_SAS, have(j, FACT_SCSI_ERR_UNCORRECTED));
}

static enum look look_grown(const struct judge *j)
{
	return only(j, KIND_SAS, have(j, FACT_GROWN_DEFECTS));
}

static enum look look_sas_phy(const struct judge *j)
{
	return rules_is_without_sas(j)
		       ? LOOK_NONE
		       : only(j, KIND_SAS, have(j, FACT_SAS_PORT_INVALID_DWORDS));
}

static enum look look_health(const struct judge *j)
{
	return only(j, KIND_NVME, have(j, FACT_NVME_SPARE));
}

static enum look look_media_errors(const struct judge *j)
{
	return only(j, KIND_NVME, have(j, FACT_NVME_MEDIA_ERRORS));
}

static enum look look_nvme_errors(const struct judge *j)
{
	return only(j, KIND_NVME,
		    judge_has_section(j, "errorlog") ? LOOK_SEEN : LOOK_MISSING);
}

static enum look look_tests(const struct judge *j)
{
	enum drive_kind kind = kind_of(j);

	if (kind == KIND_ATA || kind == KIND_HIDDEN)
		return LOOK_NONE;
	return judge_has_section(j, "selftest") ? LOOK_SEEN
						: have(j, FACT_SELFTEST_RESULT);
}

static enum look look_behind(const struct judge *j)
{
	return only(j, KIND_HIDDEN, LOOK_MISSING);
}

static enum look look_identity(const struct judge *j)
{
	return have(j, FACT_MODEL);
}

static enum look look_status(const struct judge *j)
{
	return have(j, FACT_SMART_PASSED);
}

static enum look look_attributes(const struct judge *j)
{
	return only(j, KIND_ATA, have(j, FACT_ATTR_VALUE));
}

static enum look look_errors(const struct judge *j)
{
	return only(j, KIND_ATA,
		    judge_has_section(j, "errorlog") ? LOOK_SEEN
						     : have(j, FACT_ERROR_COUNT));
}

static enum look look_selftests(const struct judge *j)
{
	return only(j, KIND_ATA,
		    judge_has_section(j, "selftest") ? LOOK_SEEN
						     : have(j, FACT_SELFTEST_RESULT));
}

static enum look look_phy(const struct judge *j)
{
	enum look l = have(j, FACT_PHY_VALUE);

	return l == LOOK_MISSING && (directory_lacks(j, 0x11) || is_parallel(j) ||
				     is_other_bus(j))
		       ? LOOK_NONE
		       : only(j, KIND_ATA, l);
}

static enum look look_statistics(const struct judge *j)
{
	enum look l = have(j, FACT_STAT_VALUE);

	return l == LOOK_MISSING && (directory_lacks(j, 0x04) || is_parallel(j) ||
				     is_other_bus(j))
		       ? LOOK_NONE
		       : only(j, KIND_ATA, l);
}

static enum look look_reads(const struct judge *j)
{
	return have(j, FACT_READ_IOS);
}

static enum look look_kernel_log(const struct judge *j)
{
	return kernel_look(j).there ? LOOK_SEEN : LOOK_MISSING;
}

static const struct {
	enum look (*look)(const struct judge *j);
	unsigned weight;
	const char *missing; /* %s: the device */
} looks[] = {
	{ look_identity, 5, "model and firmware (smartctl -i %s)" },
	{ look_status, 10, "the drive's own health status (smartctl -H %s)" },
	{ look_attributes, 25, "SMART attributes (smartctl -A %s)" },
	{ look_errors, 10, "the drive's error log (smartctl -l xerror %s)" },
	{ look_selftests, 10, "the self-test log (smartctl -l xselftest %s)" },
	{ look_phy, 15, "the link's phy event counters (smartctl -l sataphy %s)" },
	{ look_statistics, 5, "device statistics (smartctl -l devstat %s)" },
	{ look_counters, 25, "the drive's error counters (smartctl -l error %s)" },
	{ look_grown, 10, "the grown defect list (smartctl -A %s)" },
	{ look_sas_phy, 15, "the SAS phys of the drive (smartctl -l sasphy %s)" },
	{ look_health, 25, "the NVMe health log (smartctl -A %s)" },
	{ look_media_errors, 20, "its count of media errors (smartctl -A %s)" },
	{ look_nvme_errors, 5, "the NVMe error log (smartctl -l error %s)" },
	{ look_tests, 10, "the self-test log (smartctl -l selftest %s)" },
	{ look_behind, 60,
	  "the drive behind the bridge or RAID controller (smartctl -x with -d sat, -d "
	  "sntjmicron, -d sntasmedia or -d megaraid,N)" },
	{ look_reads, 10, "reading speed (fio, or a read probe)" },
	{ look_kernel_log, 10, "the kernel's log since boot (dmesg)" },
};

void coverage_judge(struct judge *j)
{
	const char *device = judge_device(j);
	unsigned seen = 0, all = 0;

	for (size_t i = 0; i < array_size(looks); i++) {
		enum look l = looks[i].look(j);
		const char *place = strstr(looks[i].missing, "%s");

		if (l == LOOK_NONE)
			continue;
		all += looks[i].weight;
		if (l == LOOK_SEEN)
			seen += looks[i].weight;
		else
			judge_list(j, &j->r->missing,
				   place ? judge_text(j, "%.*s%s%s",
						      (int)(place - looks[i].missing),
						      looks[i].missing, device, place + 2)
					 : looks[i].missing);
	}
	j->r->coverage_percent = all ? seen * 100 / all : 0;
}

/* What nothing in this program's input can have tested, and what this input did not. */
void not_tested_judge(struct judge *j)
{
	if (look_reads(j) != LOOK_SEEN)
		judge_list(j, &j->r->not_tested, "reading speed");
	if (j->d->n_snapshots < 2 && j->r->phy.n)
		judge_list(j, &j->r->not_tested,
			   "whether the link counters rise under load");
	if (look_kernel_log(j) != LOOK_SEEN)
		judge_list(j, &j->r->not_tested,
			   "the host's side of the link (kernel log)");
	judge_list(j, &j->r->not_tested, "writes, TRIM and flushes");
}
