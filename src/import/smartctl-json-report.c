/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One report: its parts in order, and what none of them knows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"

static bool has_key(struct json_object *o, const char *key)
{
	return json_object_object_get_ex(o, key, NULL);
}

/* A scan has a list of devices instead of one. */
bool smartctl_json_is_report(struct json_object *o)
{
	struct json_object *device;

	if (!json_object_is_type(o, json_type_object))
		return false;
	if (json_object_object_get_ex(o, "smartctl", &device) &&
	    json_object_is_type(device, json_type_object))
		return true;
	return json_object_object_get_ex(o, "device", &device) &&
	       json_object_is_type(device, json_type_object) &&
	       (has_key(o, "model_name") || has_key(o, "serial_number") ||
		has_key(o, "smart_status"));
}

/* --- scan ---------------------------------------------------------------------------------------- */

/* One device of "devices": as a drive of its own, so that its reports find it. */
static int read_found(struct json_report *r, struct json_node n)
{
	const char *name = sj_node_text(sj_node_get(r, n, "name"));
	const char *type = sj_node_text(sj_node_get(r, n, "type"));
	struct buf b cleanup_buf = { 0 };
	bool several = type && strchr(type, ',');

	if (!name)
		return 0;
	buf_puts(&b, str_starts(name, "/dev/") ? name + 5 : name);
	if (several)
		buf_printf(&b, " [%s]", type);
	sj_put_text(r, FACT_DEVICE, 0, 0, buf_text(&b), n);
	sj_put_text(r, FACT_POSTED_TYPE, 0, 0, type, n);
	if (str_equal(sj_node_text(sj_node_get(r, n, "protocol")), "NVMe"))
		sj_put_text(r, FACT_BUS, 0, 0, "nvme", n);
	return emit_done(&r->e, CAP_DRIVE, "facts/smartctl");
}

static int read_scan(struct json_report *r, struct json_node list)
{
	size_t cursor = list.at;
	int e = 0;

	for (size_t k = 0; e == 0 && k < sj_node_count(list) && k < 256; k++)
		e = read_found(r, sj_node_item(r, list, k, &cursor));
	return e < 0 ? e : 1;
}

/* --- members that were not taken ------------------------------------------------------------------ */

/* Known: taken above, or saying again what another member says. */
static const char *const known[] = {
	"json_format_version",
	"smartctl",
	"local_time",
	"device",
	"model_family",
	"model_name",
	"scsi_model_name",
	"scsi_vendor",
	"scsi_product",
	"scsi_revision",
	"vendor",
	"product",
	"revision",
	"serial_number",
	"wwn",
	"logical_unit_id",
	"firmware_version",
	"ata_additional_product_id",
	"user_capacity",
	"logical_block_size",
	"physical_block_size",
	"rotation_rate",
	"form_factor",
	"trim",
	"in_smartctl_database",
	"ata_version",
	"sata_version",
	"zoned_device",
	"interface_speed",
	"smart_support",
	"smart_status",
	"power_mode",
	"read_lookahead",
	"write_cache",
	"ata_aam",
	"ata_apm",
	"ata_dsn",
	"ata_security",
	"temperature_warning",
	"temperature",
	"power_on_time",
	"power_cycle_count",
	"endurance_used",
	"spare_available",
	"host_reads",
	"host_writes",
	"ata_smart_data",
	"ata_sct_capabilities",
	"ata_smart_attributes",
	"ata_log_directory",
	"ata_smart_error_log",
	"ata_smart_self_test_log",
	"ata_smart_selective_self_test_log",
	"ata_sct_status",
	"ata_sct_temperature_history",
	"ata_sct_erc",
	"ata_device_statistics",
	"ata_pending_defects_log",
	"sata_phy_event_counters",
	"seagate_farm_log",
	"scsi_version",
	"device_type",
	"scsi_transport_protocol",
	"scsi_lb_provisioning",
	"scsi_protection_type",
	"scsi_percentage_used_endurance_indicator",
	"scsi_start_stop_cycle_counter",
	"scsi_grown_defect_list",
	"scsi_error_counter_log",
	"scsi_extended_self_test_seconds",
	"scsi_background_scan",
	"scsi_pending_defects",
	"nvme_pci_vendor",
	"nvme_ieee_oui_identifier",
	"nvme_total_capacity",
	"nvme_unallocated_capacity",
	"nvme_controller_id",
	"nvme_version",
	"nvme_number_of_namespaces",
	"nvme_namespaces",
	"nvme_firmware_update_capabilities",
	"nvme_optional_admin_commands",
	"nvme_optional_nvm_commands",
	"nvme_log_page_attributes",
	"nvme_maximum_data_transfer_pages",
	"nvme_composite_temperature_threshold",
	"nvme_power_states",
	"nvme_smart_health_information_log",
	"nvme_error_information_log",
	"nvme_self_test_log",
	"devices",
};

static bool is_known(const char *key)
{
	for (size_t k = 0; k < array_size(known); k++)
		if (str_equal(key, known[k]))
			return true;
	/* lines of the text of the same report; numbers as text beside the number */
	return str_starts(key, "smartctl_") || str_starts(key, "scsi_self_test_") ||
	       str_starts(key, "scsi_sas_port_") || str_ends(key, "_s") ||
	       str_ends(key, "_le");
}

void sj_read_rest(struct json_report *r, struct json_node root)
{
	struct json_object_iterator at = json_object_iter_begin(root.o);
	struct json_object_iterator end = json_object_iter_end(root.o);

	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *key = json_object_iter_peek_name(&at);

		if (!is_known(key))
			sj_put_lines(r, FACT_POSTED_LINE, &r->posted_lines, key,
				     sj_node_get(r, root, key));
	}
}

/* --- the report ----------------------------------------------------------------------------------- */

static void read_body(struct json_report *r, struct json_node root)
{
	const char *protocol = sj_node_text(sj_node_path(r, root, "device.protocol"));
	bool nvme = str_equal(protocol, "NVMe") || has_key(root.o, "nvme_version") ||
		    has_key(root.o, "nvme_smart_health_information_log");

	sj_post(r, "identity", sj_node_get(r, root, "device"));
	sj_read_identity(r, root);
	r->is_ata |=
		has_key(root.o, "ata_smart_attributes") || has_key(root.o, "ata_version");
	if (nvme)
		sj_read_nvme(r, root);
	else if (r->is_ata)
		sj_read_ata(r, root);
	else
		sj_read_scsi(r, root);
	sj_read_ata_logs(r, root);
	sj_read_rest(r, root);
}

static bool find_lines(struct json_report *r)
{
	size_t n = 1;

	for (size_t i = 0; i < r->text.len; i++)
		n += r->text.data[i] == '\n';
	r->starts = calloc(n, sizeof(*r->starts));
	if (!r->starts)
		return false;
	r->lines = 1;
	for (size_t i = 0; i < r->text.len; i++)
		if (r->text.data[i] == '\n' && r->lines < n)
			r->starts[r->lines++] = i + 1;
	return true;
}

int smartctl_json_report(struct import *im, struct json_object *o, struct span text,
			 size_t line, size_t lines)
{
	struct json_report r = {
		.im = im, .e = { .im = im }, .text = text, .line = line, .lines = lines
	};
	struct json_node root = { o, 0 }, list;
	size_t n;
	int e;

	if (text.len && !find_lines(&r))
		return -ENOMEM;
	list = sj_node_get(&r, root, "devices");
	if (sj_node_count(list)) {
		e = read_scan(&r, list);
	} else {
		read_body(&r, root);
		n = r.e.n;
		e = r.error ? r.error : emit_done(&r.e, CAP_DRIVE, "facts/smartctl");
		if (e == 0)
			e = n > 0;
	}
	buf_done(&r.e.body);
	free(r.starts);
	return e;
}
