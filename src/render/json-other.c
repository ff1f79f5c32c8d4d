/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that only SCSI, SAS and NVMe drives have: rows of the same kind as those of json-tables.c. */
#include "render/json-tables.h"

static const struct json_column sas_phys_columns[] = {
	{ "rate_mbps", FACT_SAS_PORT_RATE },
	{ "state", FACT_SAS_STATE },
	{ "attached", FACT_SAS_ATTACHED },
	{ "reason", FACT_SAS_REASON },
	{ "attached_reason", FACT_SAS_ATTACH_REASON },
	{ "invalid_dwords", FACT_SAS_PORT_INVALID_DWORDS },
	{ "disparity_errors", FACT_SAS_PORT_DISPARITY },
	{ "losses_of_sync", FACT_SAS_PORT_LOSS_OF_SYNC },
	{ "reset_problems", FACT_SAS_PORT_RESET_PROBLEMS },
};

static const struct json_column sas_events_columns[] = {
	{ "count", FACT_SAS_EVENT },
};

static const struct json_column scsi_errors_columns[] = {
	{ "corrected_fast", FACT_SCSI_ERR_FAST },
	{ "corrected_delayed", FACT_SCSI_ERR_DELAYED },
	{ "retries", FACT_SCSI_ERR_RETRIES },
	{ "corrected", FACT_SCSI_ERR_CORRECTED },
	{ "correction_invocations", FACT_SCSI_ERR_ALGORITHM },
	{ "bytes", FACT_SCSI_ERR_BYTES },
	{ "uncorrected", FACT_SCSI_ERR_UNCORRECTED },
};

static const struct json_column background_results_columns[] = {
	{ "power_on_minutes", FACT_BMS_MINUTES },
	{ "lba", FACT_BMS_LBA },
	{ "sense", FACT_BMS_SENSE },
	{ "reassign", FACT_BMS_REASSIGN },
};

static const struct json_column nvme_sensors_columns[] = {
	{ "celsius", FACT_NVME_SENSOR },
};

static const struct json_column nvme_errors_columns[] = {
	{ "count", FACT_NVME_ERR_COUNT },	  { "queue", FACT_NVME_ERR_QUEUE },
	{ "command", FACT_NVME_ERR_COMMAND },	  { "status", FACT_NVME_ERR_STATUS },
	{ "location", FACT_NVME_ERR_LOCATION },	  { "lba", FACT_NVME_ERR_LBA },
	{ "namespace", FACT_NVME_ERR_NAMESPACE }, { "vendor", FACT_NVME_ERR_VENDOR },
	{ "message", FACT_NVME_ERR_MESSAGE },
};

static const struct json_column nvme_namespaces_columns[] = {
	{ "size_bytes", FACT_NVME_NS_SIZE }, { "capacity_bytes", FACT_NVME_NS_CAPACITY },
	{ "used_bytes", FACT_NVME_NS_USED }, { "lba_bytes", FACT_NVME_NS_LBA },
	{ "eui64", FACT_NVME_NS_EUI },	     { "features", FACT_NVME_NS_FEATURES },
};

static const struct json_column nvme_lba_formats_columns[] = {
	{ "data_bytes", FACT_NVME_LBAF_DATA },
	{ "metadata_bytes", FACT_NVME_LBAF_METADATA },
	{ "rank", FACT_NVME_LBAF_RANK },
	{ "in_use", FACT_NVME_LBAF_USED },
};

static const struct json_column nvme_power_states_columns[] = {
	{ "operational", FACT_NVME_PS_OPERATES },
	{ "max_microwatts", FACT_NVME_PS_MAX },
	{ "active_microwatts", FACT_NVME_PS_ACTIVE },
	{ "idle_microwatts", FACT_NVME_PS_IDLE },
	{ "ranks", FACT_NVME_PS_RANKS },
	{ "entry_us", FACT_NVME_PS_ENTRY },
	{ "exit_us", FACT_NVME_PS_EXIT },
};

static const struct json_column line_columns[] = { { "text", FACT_POSTED_LINE } };

const struct json_table json_other_tables[] = {
	{ .key = "sas_phys",
	  .first_key = "port",
	  .second_key = "phy",
	  .first = FACT_SAS_ATTACHED,
	  .last = FACT_SAS_PORT_RESET_PROBLEMS,
	  COLUMNS(sas_phys_columns) },
	{ .key = "sas_events",
	  .first_key = "port",
	  .second_key = "event",
	  .first = FACT_SAS_EVENT,
	  .last = FACT_SAS_EVENT,
	  COLUMNS(sas_events_columns) },
	{ .key = "scsi_errors",
	  .first_key = "page",
	  .first = FACT_SCSI_ERR_FAST,
	  .last = FACT_SCSI_ERR_UNCORRECTED,
	  COLUMNS(scsi_errors_columns) },
	{ .key = "background_results",
	  .first_key = "number",
	  .first = FACT_BMS_MINUTES,
	  .last = FACT_BMS_REASSIGN,
	  COLUMNS(background_results_columns) },
	{ .key = "nvme_sensors",
	  .first_key = "number",
	  .first = FACT_NVME_SENSOR,
	  .last = FACT_NVME_SENSOR,
	  COLUMNS(nvme_sensors_columns) },
	{ .key = "nvme_errors",
	  .first_key = "place",
	  .first = FACT_NVME_ERR_COUNT,
	  .last = FACT_NVME_ERR_MESSAGE,
	  COLUMNS(nvme_errors_columns) },
	{ .key = "nvme_namespaces",
	  .first_key = "id",
	  .first = FACT_NVME_NS_SIZE,
	  .last = FACT_NVME_NS_FEATURES,
	  COLUMNS(nvme_namespaces_columns) },
	{ .key = "nvme_lba_formats",
	  .first_key = "number",
	  .first = FACT_NVME_LBAF_DATA,
	  .last = FACT_NVME_LBAF_USED,
	  COLUMNS(nvme_lba_formats_columns) },
	{ .key = "nvme_power_states",
	  .first_key = "number",
	  .first = FACT_NVME_PS_MAX,
	  .last = FACT_NVME_PS_EXIT,
	  COLUMNS(nvme_power_states_columns) },
	{ .key = "posted_lines", ONE_FACT(POSTED_LINE), COLUMNS(line_columns) },
};

const size_t json_other_count = array_size(json_other_tables);
