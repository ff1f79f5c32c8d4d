/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names and labels of smartctl_exporter, so that its dashboards keep working. Two producers of
 * the same series on one target make a scrape fail: that is why nobody gets these unasked.
 */
#include "render/prometheus-compat.h"

#include <string.h>

#include "base/str.h"
#include "render/smartctl-exit.h"

/* What smartctl calls them when its database says nothing else. */
static const struct {
	uint32_t id;
	const char *name;
} usual_names[] = {
	/* clang-format off */
	{ 1, "Raw_Read_Error_Rate" }, { 3, "Spin_Up_Time" }, { 4, "Start_Stop_Count" },
	{ 5, "Reallocated_Sector_Ct" }, { 7, "Seek_Error_Rate" }, { 9, "Power_On_Hours" },
	{ 10, "Spin_Retry_Count" }, { 12, "Power_Cycle_Count" }, { 183, "Runtime_Bad_Block" },
	{ 184, "End-to-End_Error" }, { 187, "Reported_Uncorrect" }, { 188, "Command_Timeout" },
	{ 190, "Airflow_Temperature_Cel" }, { 191, "G-Sense_Error_Rate" },
	{ 192, "Power-Off_Retract_Count" }, { 193, "Load_Cycle_Count" },
	{ 194, "Temperature_Celsius" }, { 195, "Hardware_ECC_Recovered" },
	{ 196, "Reallocated_Event_Count" }, { 197, "Current_Pending_Sector" },
	{ 198, "Offline_Uncorrectable" }, { 199, "UDMA_CRC_Error_Count" },
	{ 200, "Multi_Zone_Error_Rate" }, { 240, "Head_Flying_Hours" },
	{ 241, "Total_LBAs_Written" }, { 242, "Total_LBAs_Read" },
	/* clang-format on */
};

static const char *name_of(const struct drive *d, uint32_t id)
{
	const char *name = drive_text(d, FACT_ATTR_NAME, id, 0);

	if (!name)
		name = drive_text(d, FACT_SMARTCTL_NAME, id, 0);
	for (size_t i = 0; !name && i < array_size(usual_names); i++)
		if (usual_names[i].id == id)
			name = usual_names[i].name;
	return name ? name : "Unknown_Attribute";
}

struct compat_attr compat_attr(const struct drive *d, uint32_t id)
{
	struct compat_attr a = { .id = id, .name = name_of(d, id) };

	a.has_value = drive_u64(d, FACT_ATTR_VALUE, id, 0, &a.value);
	a.has_worst = drive_u64(d, FACT_ATTR_WORST, id, 0, &a.worst);
	a.has_threshold = drive_u64(d, FACT_ATTR_THRESHOLD, id, 0, &a.threshold);
	a.has_raw = drive_u64(d, FACT_ATTR_RAW, id, 0, &a.raw);
	if (!drive_u64(d, FACT_ATTR_FLAGS, id, 0, &a.flags))
		a.flags = 0;
	return a;
}

void compat_each(struct buf *b, const struct check_report *r, const char *name,
		 compat_write write)
{
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct check_drive *d = &r->drives[i];
		size_t n = 0;
		const struct fact *f =
			d->report ? drive_facts(d->report->drive, FACT_ATTR_VALUE, &n)
				  : NULL;

		for (size_t k = 0; k < n; k++) {
			struct compat_attr a;

			if (k && f[k].key.i == f[k - 1].key.i)
				continue;
			a = compat_attr(d->report->drive, f[k].key.i);
			write(b, d, &a, name);
		}
	}
}

void compat_path(struct buf *b, const char *label, const struct check_drive *d)
{
	struct buf path cleanup_buf = { 0 };

	if (d->device && d->device[0] != '/')
		buf_puts(&path, "/dev/");
	buf_puts(&path, d->device ? d->device : "");
	prom_label(b, label, buf_text(&path));
	if (buf_error(&path) < 0)
		b->failed = true;
}

/* --- smartctl_exporter --------------------------------------------------------------------------------- */

static void begin_device(struct buf *b, const char *name, const struct check_drive *d)
{
	const char *rest = d->device ? str_after(d->device, "/dev/") : NULL;

	prom_begin(b, name);
	prom_label(b, "device", rest ? rest : d->device);
}

/* smartctl's order of the letters, and the keys of its JSON */
static const struct {
	unsigned bit;
	char letter;
	const char *name;
} flag_names[] = {
	{ 0, 'P', "prefailure" }, { 1, 'O', "updated_online" }, { 2, 'S', "performance" },
	{ 3, 'R', "error_rate" }, { 4, 'C', "event_count" },	{ 5, 'K', "auto_keep" },
};

static void add_flags(struct buf *b, uint64_t flags)
{
	char text[array_size(flag_names) + 1] = { 0 };
	struct buf names cleanup_buf = { 0 };

	for (size_t i = 0; i < array_size(flag_names); i++) {
		bool set = flags >> flag_names[i].bit & 1;

		text[i] = set ? flag_names[i].letter : '-';
		if (set)
			buf_printf(&names, "%s%s", names.len ? "," : "",
				   flag_names[i].name);
	}
	prom_label(b, "attribute_flags_long", buf_text(&names));
	prom_label(b, "attribute_flags_short", text);
	if (buf_error(&names) < 0)
		b->failed = true;
}

static void add_attribute(struct buf *b, const struct check_drive *d,
			  const struct compat_attr *a, const char *name)
{
	const struct {
		const char *type;
		bool has;
		uint64_t value;
	} rows[] = { { "value", a->has_value, a->value },
		     { "worst", a->has_worst, a->worst },
		     { "thresh", a->has_threshold, a->threshold },
		     { "raw", a->has_raw, a->raw } };
	char id[12];

	(void)snprintf(id, sizeof(id), "%u", a->id);
	for (size_t i = 0; i < array_size(rows); i++) {
		if (!rows[i].has)
			continue;
		begin_device(b, name, d);
		add_flags(b, a->flags);
		prom_label(b, "attribute_id", id);
		prom_label(b, "attribute_name", a->name);
		prom_label(b, "attribute_value_type", rows[i].type);
		prom_value(b, rows[i].value);
	}
}

static void add_device(struct buf *b, const struct check_report *r)
{
	static const struct {
		const char *label;
		enum fact_id id;
	} rows[] = {
		{ "ata_additional_product_id", FACT_ADD_PRODUCT_ID },
		{ "ata_version", FACT_ATA_VERSION },
		{ "firmware_version", FACT_FIRMWARE },
		{ "form_factor", FACT_FORM_FACTOR },
		{ "model_family", FACT_DB_FAMILY },
		{ "model_name", FACT_MODEL },
		{ "sata_version", FACT_SATA_VERSION },
		{ "serial_number", FACT_SERIAL },
	};
	static const char *const empty[] = { "scsi_vendor", "scsi_product",
					     "scsi_revision", "scsi_version" };
	const char *name = "smartctl_device";

	prom_head(b, name, "gauge", "Device info");
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct check_drive *d = &r->drives[i];

		if (!d->report)
			continue;
		begin_device(b, name, d);
		prom_label(b, "interface", "sat");
		prom_label(b, "protocol", "ATA");
		for (size_t k = 0; k < array_size(rows); k++)
			prom_label(b, rows[k].label,
				   drive_text(d->report->drive, rows[k].id, 0, 0));
		for (size_t k = 0; k < array_size(empty); k++)
			prom_label(b, empty[k], "");
		prom_value(b, 1);
	}
}

/* One fact a metric. The unit is smartctl's: bits, hours times 3600, and so on. */
static const struct plain {
	const char *name, *type, *help;
	enum fact_id id;
	uint64_t num, den;
	const char *label, *value;
} plain[] = {
	/* clang-format off */
	{ "smartctl_device_block_size", "gauge", "Device block size", FACT_LOGICAL_SECTOR, 1, 1, "blocks_type", "logical" },
	{ "smartctl_device_block_size", "gauge", NULL, FACT_PHYSICAL_SECTOR, 1, 1, "blocks_type", "physical" },
	{ "smartctl_device_capacity_blocks", "gauge", "Device capacity in blocks", FACT_CAPACITY, 1, 512, NULL, NULL },
	{ "smartctl_device_capacity_bytes", "gauge", "Device capacity in bytes", FACT_CAPACITY, 1, 1, NULL, NULL },
	{ "smartctl_device_interface_speed", "gauge", "Device interface speed, bits per second", FACT_LINK_DEVICE_MAX, 1000000, 1, "speed_type", "max" },
	{ "smartctl_device_interface_speed", "gauge", NULL, FACT_LINK_CURRENT, 1000000, 1, "speed_type", "current" },
	{ "smartctl_device_power_cycle_count", "counter", "Device power cycle count", FACT_POWER_CYCLES, 1, 1, NULL, NULL },
	{ "smartctl_device_power_on_seconds", "counter", "Device power on seconds", FACT_POWER_ON_HOURS, 3600, 1, NULL, NULL },
	{ "smartctl_device_percentage_used", "counter", "Device life used, percent", FACT_LIFE_USED, 1, 1, NULL, NULL },
	{ "smartctl_device_rotation_rate", "gauge", "Device rotation rate", FACT_ROTATION, 1, 1, NULL, NULL },
	{ "smartctl_device_smart_status", "gauge", "General smart status", FACT_SMART_PASSED, 1, 1, NULL, NULL },
	{ "smartctl_device_status", "gauge", "Device status", FACT_SMART_PASSED, 1, 1, NULL, NULL },
	{ "smartctl_device_bytes_written", "counter", "Bytes written", FACT_LBA_WRITTEN, 1, 1, NULL, NULL },
	{ "smartctl_device_bytes_read", "counter", "Bytes read", FACT_LBA_READ, 1, 1, NULL, NULL },
	{ "smartctl_device_erc_seconds", "gauge", "Error recovery limit", FACT_SCT_ERC_READ, 1, 10, "op_type", "read" },
	{ "smartctl_device_erc_seconds", "gauge", NULL, FACT_SCT_ERC_WRITE, 1, 10, "op_type", "write" },
	{ "smartctl_device_error_log_count", "gauge", "Device SMART error log count", FACT_ERROR_COUNT, 1, 1, "error_log_type", "extended" },
	/* clang-format on */
};

static void add_plain(struct buf *b, const struct check_report *r)
{
	for (size_t k = 0; k < array_size(plain); k++) {
		const struct plain *p = &plain[k];

		if (p->help)
			prom_head(b, p->name, p->type, p->help);
		for (size_t i = 0; i < r->n_drives; i++) {
			uint64_t u;

			if (!r->drives[i].report ||
			    !drive_u64(r->drives[i].report->drive, p->id, 0, 0, &u) ||
			    (p->id == FACT_ROTATION && !u))
				continue;
			begin_device(b, p->name, &r->drives[i]);
			if (p->label)
				prom_label(b, p->label, p->value);
			prom_ratio(b, u, p->num, p->den);
		}
	}
}

static void add_temperature(struct buf *b, const struct check_report *r)
{
	const char *name = "smartctl_device_temperature";

	prom_head(b, name, "gauge", "Device temperature celsius");
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct fact *f = r->drives[i].report
					       ? drive_fact(r->drives[i].report->drive,
							    FACT_TEMPERATURE, 0, 0)
					       : NULL;

		if (!f)
			continue;
		begin_device(b, name, &r->drives[i]);
		prom_label(b, "temperature_type", "current");
		prom_signed(b, f->s);
	}
}

static void add_exit_status(struct buf *b, const struct check_report *r)
{
	const char *name = "smartctl_device_smartctl_exit_status";

	prom_head(b, name, "gauge", "Exit status of smartctl on device");
	for (size_t i = 0; i < r->n_drives; i++) {
		begin_device(b, name, &r->drives[i]);
		prom_value(b, r->drives[i].report
				      ? smartctl_exit(r->drives[i].report->drive)
				      : SMARTCTL_OPEN);
	}
}

void prom_smartctl_exporter(struct buf *b, const struct check_report *r)
{
	prom_head(b, "smartctl_devices", "gauge", "Number of devices configured");
	buf_printf(b, "smartctl_devices %zu\n", r->n_drives);
	add_device(b, r);
	prom_head(b, "smartctl_device_attribute", "gauge", "Device attributes");
	compat_each(b, r, "smartctl_device_attribute", add_attribute);
	add_plain(b, r);
	add_temperature(b, r);
	add_exit_status(b, r);
}
