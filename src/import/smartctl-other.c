/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCSI and NVMe reports: told apart from ATA ones, so that their tables are never read as such. */
#include "base/str.h"
#include "import/smartctl.h"

static const struct {
	const char *text;
	enum smart_kind kind;
} marks[] = {
	{ "Current Drive Temperature:", SMART_SCSI },
	{ "Drive Trip Temperature:", SMART_SCSI },
	{ "Elements in grown defect list:", SMART_SCSI },
	{ "Error counter log:", SMART_SCSI },
	{ "Temperature Warning", SMART_SCSI },
	{ "SMART Health Status:", SMART_SCSI },
	{ "SMART Sense:", SMART_SCSI },
	{ "Device supports SMART and is", SMART_SCSI },
	{ "TapeAlert", SMART_SCSI },
	{ "SMART/Health Information (NVMe", SMART_NVME },
	{ "Error Information (NVMe", SMART_NVME },
	{ "Self-test Log (NVMe", SMART_NVME },
};

size_t smart_other(struct smart *s, size_t i)
{
	if (s->kind != SMART_UNKNOWN || s->stage < STAGE_BANNER)
		return 0;
	for (size_t k = 0; k < array_size(marks); k++)
		if (str_starts(smart_line(s, i), marks[k].text))
			smart_set_kind(s, marks[k].kind, i);
	return 0;
}

void smart_set_kind(struct smart *s, enum smart_kind kind, size_t i)
{
	if (s->kind == kind)
		return;
	s->kind = kind;
	if (kind == SMART_ATA)
		return;
	smart_post(s, kind == SMART_NVME ? "nvme" : "scsi", i);
	diag_add(s->im->diag, DIAG_WARNING, s->text->file, s->text->lines[i].number,
		 "a report of %s drive: who it is was read, the body of such reports is "
		 "not read yet",
		 kind == SMART_NVME ? "an NVMe" : "a SCSI or SAS");
}
