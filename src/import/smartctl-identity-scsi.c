/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The information section of SCSI reports, and of USB bridges and RAID volumes that look like SCSI. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

static bool is_placeholder(const char *v)
{
	return str_equal(v, "--") || strstr(v, "...") || v[0] == '[';
}

/* "0x5000c500abcdef01" */
static bool read_unit_id(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[1];

	if (words_split(v->s, w, 1) == 1 && w[0].len == 18 && word_starts(w[0], "0x") &&
	    !memchr(w[0].s + 2, '.', 16))
		smart_text_len(s, id, w[0].s + 2, 16, v->line);
	return true;
}

static bool read_bytes(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t bytes;

	if (!smart_get_count(s, v, " bytes", &bytes))
		return false;
	smart_u64(s, id, bytes, v->line);
	return true;
}

static bool read_vendor(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	(void)id;
	smart_set_kind(s, SMART_SCSI, v->line);
	if (v->cut || strlen(v->s) >= sizeof(s->vendor))
		return false;
	memcpy(s->vendor, v->s, strlen(v->s) + 1);
	return true;
}

static bool read_product(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct buf model = { 0 };

	smart_set_kind(s, SMART_SCSI, v->line);
	if (v->cut)
		return false;
	/* these two only name the layer that translates */
	if (*s->vendor && !str_equal(s->vendor, "ATA") && !str_equal(s->vendor, "NVMe"))
		buf_printf(&model, "%s ", s->vendor);
	buf_puts(&model, v->s);
	smart_text(s, id, buf_text(&model), v->line);
	buf_done(&model);
	return true;
}

static bool read_revision(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	smart_set_kind(s, SMART_SCSI, v->line);
	return is_placeholder(v->s) || smart_read_text(s, v, id);
}

static bool read_serial(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	return is_placeholder(v->s) || smart_read_text(s, v, id);
}

static bool read_transport(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	smart_set_kind(s, SMART_SCSI, v->line);
	if (str_starts(v->s, "SAS"))
		smart_text(s, FACT_BUS, "sas", v->line);
	return smart_read_text(s, v, id);
}

/* 5.x: "Device: SEAGATE  ST336754SS       Version: 0003" */
static bool read_device(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *version = strstr(v->s, "Version:");

	smart_set_kind(s, SMART_SCSI, v->line);
	if (!version)
		return false;
	smart_text_len(s, id, v->s, (size_t)(version - v->s), v->line);
	if (!v->cut)
		smart_text(s, FACT_FIRMWARE, version + strlen("Version:"), v->line);
	return true;
}

/* "LU is resource provisioned, LBPRZ=1": what stands before the first mark */
static bool read_provisioning(struct smart *s, const struct smart_value *v,
			      enum fact_id id)
{
	size_t n = strcspn(v->s, ",[");

	if (v->cut && !v->s[n])
		return false;
	smart_text_len(s, id, v->s, n, v->line);
	return true;
}

static bool read_protection(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, " protection", &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

/* clang-format off */
const struct smart_key smart_scsi_identity[] = {
	{ "Device:",		FACT_MODEL,		read_device,		false },
	{ "Vendor:",		FACT_COUNT,		read_vendor,		false },
	{ "Product:",		FACT_MODEL,		read_product,		false },
	{ "Revision:",		FACT_FIRMWARE,		read_revision,		false },
	{ "Compliance:",	FACT_SCSI_VERSION,	NULL,			false },
	{ "Logical block size:", FACT_LOGICAL_SECTOR,	read_bytes,		false },
	{ "Physical block size:", FACT_PHYSICAL_SECTOR,	read_bytes,		false },
	{ "Lowest aligned LBA:", FACT_COUNT,		smart_read_line,	false },
	{ "Logical Unit id:",	FACT_WWN,		read_unit_id,		false },
	{ "Serial number:",	FACT_SERIAL,		read_serial,		false },
	{ "Device type:",	FACT_SCSI_DEVICE_TYPE,	NULL,			false },
	{ "Transport protocol:", FACT_SCSI_TRANSPORT,	read_transport,		false },
	{ "LU is ",		FACT_SCSI_PROVISIONING,	read_provisioning,	false },
	{ "LB provisioning type:", FACT_SCSI_PROVISIONING, read_provisioning,	false },
	{ "LU provisioning type ", FACT_COUNT,		smart_read_line,	false },
	{ "Logical block provisioning ", FACT_COUNT,	smart_read_line,	false },
	{ "Formatted with type ", FACT_SCSI_PROTECTION,	read_protection,	false },
	{ "Formatted with unknown protection type", FACT_COUNT, smart_read_line, false },
	{ "Host aware zoned block capable", FACT_COUNT,	smart_read_line,	false },
	{ "Device managed zoned block capable", FACT_COUNT, smart_read_line,	false },
	{ "Temperature Warning:", FACT_TEMPERATURE_WARNS, smart_read_enabled,	false },
	{ "Read Cache is:",	FACT_READ_CACHE,	smart_read_enabled,	false },
	{ "Writeback Cache is:", FACT_WRITE_CACHE,	smart_read_enabled,	false },
	{ NULL, FACT_COUNT, NULL, false },
};
/* clang-format on */
