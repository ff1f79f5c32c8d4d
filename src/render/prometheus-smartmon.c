/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names and labels of the textfile scripts smartmon.py and smartmon.sh. They differ: in one the
 * attribute is a label, in the other a part of the metric's name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/prometheus-compat.h"

/* Both write these only; all are smartctl's names in lower case with '_' for '-'. */
static const char *const known_names[] = {
	"airflow_temperature_cel", "command_timeout",	      "current_pending_sector",
	"end_to_end_error",	   "erase_fail_count",	      "erase_fail_count_total",
	"g_sense_error_rate",	   "hardware_ecc_recovered",  "host_reads_mib",
	"host_reads_32mib",	   "host_writes_mib",	      "host_writes_32mib",
	"load_cycle_count",	   "media_wearout_indicator", "wear_leveling_count",
	"nand_writes_1gib",	   "offline_uncorrectable",   "power_cycle_count",
	"power_on_hours",	   "program_fail_count",      "program_fail_cnt_total",
	"raw_read_error_rate",	   "reallocated_event_count", "reallocated_sector_ct",
	"reported_uncorrect",	   "runtime_bad_block",	      "sata_downshift_count",
	"seek_error_rate",	   "spin_retry_count",	      "spin_up_time",
	"start_stop_count",	   "temperature_case",	      "temperature_celsius",
	"temperature_internal",	   "total_lbas_read",	      "total_lbas_written",
	"udma_crc_error_count",	   "unsafe_shutdown_count",   "unused_rsvd_blk_cnt_tot",
	"workld_host_reads_perc",  "workld_media_wear_indic", "workload_minutes",
};

/* False for an attribute that the scripts leave out. */
static bool lower_name(const char *name, char *ret, size_t size)
{
	size_t n = 0;

	for (; name[n] && n + 1 < size; n++) {
		char c = name[n];

		ret[n] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a'
				: c == '-'	     ? '_'
						     : c);
	}
	ret[n] = '\0';
	for (size_t i = 0; i < array_size(known_names); i++)
		if (str_equal(known_names[i], ret))
			return true;
	return false;
}

static uint64_t value_of(const struct compat_attr *a, const char *column, bool *ret_has)
{
	*ret_has = a->has_raw;
	if (str_equal(column, "value")) {
		*ret_has = a->has_value;
		return a->value;
	}
	if (str_equal(column, "worst")) {
		*ret_has = a->has_worst;
		return a->worst;
	}
	if (str_equal(column, "threshold")) {
		*ret_has = a->has_threshold;
		return a->threshold;
	}
	return a->raw;
}

static void add_raw(struct buf *b, const struct compat_attr *a, const char *column)
{
	bool has;

	prom_value(b, value_of(a, column, &has));
}

static bool has_column(const struct compat_attr *a, const char *column)
{
	bool has;

	(void)value_of(a, column, &has);
	return has;
}

static void labels(struct buf *b, const struct check_drive *d, bool py)
{
	compat_path(b, py ? "device" : "disk", d);
	prom_label(b, py ? "disk" : "type", py ? "0" : "sat");
}

static const char *const columns[] = { "value", "worst", "threshold", "raw_value" };

/* --- what both say of a drive ----------------------------------------------------------------------------- */

static void add_flag(struct buf *b, const struct check_report *r, const char *name,
		     enum fact_id id, bool py)
{
	buf_printf(b, "# HELP %s SMART metric %s\n# TYPE %s gauge\n", name,
		   name + strlen("smartmon_"), name);
	for (size_t i = 0; i < r->n_drives; i++) {
		uint64_t u = 0;

		if (!r->drives[i].report ||
		    !drive_u64(r->drives[i].report->drive, id, 0, 0, &u))
			continue;
		prom_begin(b, name);
		labels(b, &r->drives[i], py);
		prom_value(b, u);
	}
}

static void add_active(struct buf *b, const struct check_report *r, bool py)
{
	prom_head(b, "smartmon_device_active", "gauge", "SMART metric device_active");
	for (size_t i = 0; i < r->n_drives; i++) {
		prom_begin(b, "smartmon_device_active");
		labels(b, &r->drives[i], py);
		prom_value(b, r->drives[i].state == CHECK_READ);
	}
	prom_head(b, "smartmon_smartctl_run", "gauge", "SMART metric smartctl_run");
	for (size_t i = 0; i < r->n_drives; i++) {
		prom_begin(b, "smartmon_smartctl_run");
		labels(b, &r->drives[i], py);
		prom_signed(b, r->at);
	}
}

static void add_info(struct buf *b, const struct check_report *r, bool py)
{
	static const struct {
		const char *label;
		enum fact_id id;
	} rows[] = { { "lun_id", FACT_WWN },
		     { "model_family", FACT_DB_FAMILY },
		     { "device_model", FACT_MODEL },
		     { "serial_number", FACT_SERIAL },
		     { "firmware_version", FACT_FIRMWARE } };
	static const char *const empty[] = { "vendor", "product", "revision" };

	prom_head(b, "smartmon_device_info", "gauge", "SMART metric device_info");
	for (size_t i = 0; i < r->n_drives; i++) {
		if (!r->drives[i].report)
			continue;
		prom_begin(b, "smartmon_device_info");
		labels(b, &r->drives[i], py);
		for (size_t k = 0; k < array_size(empty); k++)
			prom_label(b, empty[k], "");
		for (size_t k = 0; k < array_size(rows); k++)
			prom_label(
				b, rows[k].label,
				drive_text(r->drives[i].report->drive, rows[k].id, 0, 0));
		prom_value(b, 1);
	}
}

static void add_common(struct buf *b, const struct check_report *r, bool py)
{
	add_active(b, r, py);
	add_info(b, r, py);
	add_flag(b, r, "smartmon_device_smart_available", FACT_SMART_AVAILABLE, py);
	add_flag(b, r, "smartmon_device_smart_enabled", FACT_SMART_ENABLED, py);
	add_flag(b, r, "smartmon_device_smart_healthy", FACT_SMART_PASSED, py);
	if (py)
		add_flag(b, r, "smartmon_device_errors", FACT_ERROR_COUNT, py);
}

/* --- smartmon.py --------------------------------------------------------------------------------------------- */

static void add_py(struct buf *b, const struct check_drive *d,
		   const struct compat_attr *a, const char *metric)
{
	const char *column = str_after(metric, "smartmon_attr_");
	char name[64];

	if (!lower_name(a->name, name, sizeof(name)) || !has_column(a, column))
		return;
	prom_begin(b, metric);
	labels(b, d, true);
	prom_label(b, "name", name);
	add_raw(b, a, column);
}

void prom_smartmon_py(struct buf *b, const struct check_report *r)
{
	add_common(b, r, true);
	for (size_t i = 0; i < array_size(columns); i++) {
		char metric[48];

		(void)snprintf(metric, sizeof(metric), "smartmon_attr_%s", columns[i]);
		buf_printf(b, "# HELP %s SMART metric attr_%s\n# TYPE %s gauge\n", metric,
			   columns[i], metric);
		compat_each(b, r, metric, add_py);
	}
}

/* --- smartmon.sh --------------------------------------------------------------------------------------------- */

/* METRIC is "smartmon_NAME_COLUMN": only the attribute of that name is written. */
static void add_sh(struct buf *b, const struct check_drive *d,
		   const struct compat_attr *a, const char *metric)
{
	const char *rest = str_after(metric, "smartmon_"), *column;
	char name[64], id[12];

	if (!lower_name(a->name, name, sizeof(name)))
		return;
	column = str_after(rest, name);
	if (!column || *column != '_' || !has_column(a, column + 1))
		return;
	for (size_t i = 0; i < array_size(columns); i++) {
		if (!str_equal(columns[i], column + 1))
			continue;
		(void)snprintf(id, sizeof(id), "%u", a->id);
		prom_begin(b, metric);
		labels(b, d, false);
		prom_label(b, "smart_id", id);
		add_raw(b, a, column + 1);
	}
}

void prom_smartmon_sh(struct buf *b, const struct check_report *r)
{
	add_common(b, r, false);
	for (size_t i = 0; i < array_size(known_names); i++)
		for (size_t k = 0; k < array_size(columns); k++) {
			struct buf samples cleanup_buf = { 0 };
			char metric[80];

			(void)snprintf(metric, sizeof(metric), "smartmon_%s_%s",
				       known_names[i], columns[k]);
			compat_each(&samples, r, metric, add_sh);
			if (samples.failed)
				b->failed = true;
			if (!samples.len)
				continue;
			buf_printf(b, "# HELP %s SMART metric %s\n# TYPE %s gauge\n",
				   metric, metric + strlen("smartmon_"), metric);
			buf_add(b, buf_text(&samples), samples.len);
		}
}
