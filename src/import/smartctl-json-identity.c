/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the drive is, how it stands, and which command said so: what all kinds of reports share. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl-json.h"

/* --- smartctl's own part --------------------------------------------------------------------- */

static void read_tool(struct json_report *r, struct json_node tool)
{
	struct json_node version = sj_node_get(r, tool, "version");
	struct json_node major = { NULL, version.at }, minor = { NULL, version.at };
	struct buf text cleanup_buf = { 0 };
	uint64_t a, b;
	bool pre = false;

	if (sj_node_count(version) != 2)
		return;
	major.o = json_object_array_get_idx(version.o, 0);
	minor.o = json_object_array_get_idx(version.o, 1);
	if (!sj_node_u64(major, &a) || !sj_node_u64(minor, &b) || a > 99 || b > 99)
		return;
	(void)sj_node_flag(sj_node_get(r, tool, "pre_release"), &pre);
	buf_printf(&text, "smartctl %s%u.%u", pre ? "pre-" : "", (unsigned int)a,
		   (unsigned int)b);
	sj_put_text(r, FACT_POSTED_TOOL, 0, 0, buf_text(&text), version);
}

static void read_command(struct json_report *r, struct json_node argv)
{
	struct buf text cleanup_buf = { 0 };

	for (size_t k = 0; k < sj_node_count(argv) && text.len < 1000; k++) {
		struct json_node word = { json_object_array_get_idx(argv.o, k), 0 };

		if (sj_node_text(word))
			buf_printf(&text, "%s%s", k ? " " : "", sj_node_text(word));
	}
	sj_put_text(r, FACT_POSTED_COMMAND, 0, 0, buf_text(&text), argv);
}

/* What went wrong, in smartctl's words. */
static void read_messages(struct json_report *r, struct json_node messages)
{
	size_t cursor = messages.at;

	for (size_t k = 0; k < sj_node_count(messages) && k < 100; k++) {
		struct json_node item = sj_node_item(r, messages, k, &cursor);
		struct json_node text = sj_node_get(r, item, "string");

		if (sj_node_text(text))
			sj_put_text(r, FACT_POSTED_WARNING, r->warnings++, 0,
				    sj_node_text(text), text);
	}
}

/* "/dev/bus/0" with "megaraid,4": drives behind one controller share its name. */
static void read_device(struct json_report *r, struct json_node device)
{
	struct json_node name = sj_node_get(r, device, "name");
	struct json_node protocol = sj_node_get(r, device, "protocol");
	const char *text = sj_node_text(name);
	const char *type = sj_node_text(sj_node_get(r, device, "type"));
	struct buf b cleanup_buf = { 0 };

	if (text) {
		buf_puts(&b, str_starts(text, "/dev/") ? text + 5 : text);
		if (type && strchr(type, ','))
			buf_printf(&b, " [%s]", type);
		sj_put_text(r, FACT_DEVICE, 0, 0, buf_text(&b), name);
	}
	sj_put_text(r, FACT_POSTED_TYPE, 0, 0, type, device);
	if (str_equal(sj_node_text(protocol), "NVMe"))
		sj_put_text(r, FACT_BUS, 0, 0, "nvme", protocol);
	r->is_ata = str_equal(sj_node_text(protocol), "ATA");
}

/* --- the drive --------------------------------------------------------------------------------- */

static const struct json_row identity[] = {
	{ "model_family", FACT_POSTED_FAMILY },
	{ "ata_additional_product_id", FACT_ADD_PRODUCT_ID },
	{ "nvme_total_capacity", FACT_CAPACITY },
	{ "user_capacity.bytes", FACT_CAPACITY },
	{ "logical_block_size", FACT_LOGICAL_SECTOR },
	{ "physical_block_size", FACT_PHYSICAL_SECTOR },
	{ "rotation_rate", FACT_ROTATION },
	{ "form_factor.name", FACT_FORM_FACTOR },
	{ "in_smartctl_database", FACT_IN_SMARTCTL_DB },
	{ "ata_version.string", FACT_ATA_VERSION },
	{ "sata_version.string", FACT_SATA_VERSION },
	{ "zoned_device.string", FACT_ZONED },
	{ "local_time.asctime", FACT_LOCAL_TIME },
	{ "smart_support.available", FACT_SMART_AVAILABLE },
	{ "smart_support.enabled", FACT_SMART_ENABLED },
	{ "smart_support", FACT_SMART_AVAILABLE },
	{ "smart_status.passed", FACT_SMART_PASSED },
	{ "smart_status.scsi.asc", FACT_SCSI_ASC },
	{ "smart_status.scsi.ascq", FACT_SCSI_ASCQ },
	{ "power_mode.name", FACT_POWER_MODE },
	{ "read_lookahead.enabled", FACT_READ_LOOKAHEAD },
	{ "write_cache.enabled", FACT_WRITE_CACHE },
	{ "ata_aam.string", FACT_AAM },
	{ "ata_apm.string", FACT_APM },
	{ "ata_dsn.string", FACT_DSN },
	{ "ata_security.string", FACT_SECURITY },
	{ "ata_security.enabled", FACT_SECURITY_ENABLED },
	{ "ata_security.locked", FACT_SECURITY_LOCKED },
	{ "ata_security.frozen", FACT_SECURITY_FROZEN },
	{ "temperature_warning.enabled", FACT_TEMPERATURE_WARNS },
	{ "smartctl.exit_status", FACT_POSTED_EXIT },
	{ NULL, FACT_COUNT },
};

/* What a tool or a person puts there instead of a number of the drive. */
static bool is_placeholder(const char *text)
{
	return !*text || str_equal(text, "--") || strstr(text, "...") || *text == '[' ||
	       str_equal_nocase(text, "redacted");
}

static void read_names(struct json_report *r, struct json_node root)
{
	static const struct json_row rows[] = {
		{ "serial_number", FACT_SERIAL },
		{ "firmware_version", FACT_FIRMWARE },
		{ "scsi_revision", FACT_FIRMWARE },
		{ "revision", FACT_FIRMWARE },
	};

	for (size_t k = 0; k < array_size(rows); k++) {
		struct json_node n = sj_node_get(r, root, rows[k].path);

		if (sj_node_text(n) && !is_placeholder(sj_node_text(n)))
			sj_put_once(r, rows[k].id, n);
	}
}

/* The vendor stands before the product, but for the names of layers that translate. */
static void read_model(struct json_report *r, struct json_node root)
{
	static const char *const keys[] = { "model_name", "scsi_model_name" };
	struct json_node vendor = sj_node_get(r, root, "scsi_vendor");
	struct json_node product = sj_node_get(r, root, "scsi_product");

	if (!vendor.o)
		vendor = sj_node_get(r, root, "vendor");
	if (!product.o)
		product = sj_node_get(r, root, "product");
	if (str_equal(sj_node_text(vendor), "ATA") ||
	    str_equal(sj_node_text(vendor), "NVMe"))
		sj_put_once(r, FACT_MODEL, product);
	for (size_t k = 0; k < array_size(keys); k++)
		sj_put_once(r, FACT_MODEL, sj_node_get(r, root, keys[k]));
}

static void read_wwn(struct json_report *r, struct json_node root)
{
	struct json_node wwn = sj_node_get(r, root, "wwn");
	struct json_node unit = sj_node_get(r, root, "logical_unit_id");
	const char *text = sj_node_text(unit);
	struct buf b cleanup_buf = { 0 };
	uint64_t naa, oui, id;

	if (sj_node_u64(sj_node_get(r, wwn, "naa"), &naa) && naa < 16 &&
	    sj_node_u64(sj_node_get(r, wwn, "oui"), &oui) && oui < 1u << 24 &&
	    sj_node_u64(sj_node_get(r, wwn, "id"), &id) && id < (uint64_t)1 << 36) {
		buf_printf(&b, "%x%06x%09llx", (unsigned int)naa, (unsigned int)oui,
			   (unsigned long long)id);
		sj_put_text(r, FACT_WWN, 0, 0, buf_text(&b), wwn);
	} else if (text && str_starts(text, "0x") && strlen(text) == 18) {
		sj_put_text(r, FACT_WWN, 0, 0, text + 2, unit);
	}
}

/* "6.0 Gb/s" is 60 times 100,000,000 bits. */
static void read_speed(struct json_report *r, struct json_node n, enum fact_id id)
{
	uint64_t units, bits;

	if (sj_node_u64(sj_node_get(r, n, "units_per_second"), &units) &&
	    sj_node_u64(sj_node_get(r, n, "bits_per_unit"), &bits) && units < 10000 &&
	    bits < 10000000000 && sj_is_new(r, id))
		sj_put_u64(r, id, 0, 0, units * bits / 1000000, n);
}

/* The words of the text of the same report. */
static void read_trim(struct json_report *r, struct json_node trim, bool solid)
{
	bool has, exact = false, zeroed = false;

	if (!sj_node_flag(sj_node_get(r, trim, "supported"), &has) || (!has && !solid))
		return;
	(void)sj_node_flag(sj_node_get(r, trim, "deterministic"), &exact);
	(void)sj_node_flag(sj_node_get(r, trim, "zeroed"), &zeroed);
	sj_put_text(r, FACT_TRIM, 0, 0,
		    !has     ? "Unavailable"
		    : !exact ? "Available"
		    : zeroed ? "Available, deterministic, zeroed"
			     : "Available, deterministic",
		    trim);
}

static void read_nvme_warnings(struct json_report *r, struct json_node status)
{
	static const struct {
		const char *key, *text;
	} rows[] = {
		{ "spare_below_threshold",
		  "- available spare has fallen below threshold" },
		{ "temperature_above_or_below_threshold",
		  "- temperature is above or below threshold" },
		{ "reliability_degraded",
		  "- NVM subsystem reliability has been degraded" },
		{ "media_read_only", "- media has been placed in read only mode" },
		{ "volatile_memory_backup_failed",
		  "- volatile memory backup device has failed" },
		{ "persistent_memory_region_unreliable",
		  "- persistent memory region has become read-only or unreliable" },
	};
	bool set;

	for (size_t k = 0; k < array_size(rows); k++) {
		struct json_node n = sj_node_get(r, status, rows[k].key);

		if (sj_node_flag(n, &set) && set)
			sj_put_text(r, FACT_POSTED_WARNING, r->warnings++, 0,
				    rows[k].text, n);
	}
}

void sj_read_identity(struct json_report *r, struct json_node root)
{
	struct json_node tool = sj_node_get(r, root, "smartctl");
	uint64_t rpm;
	bool solid;

	read_tool(r, tool);
	read_command(r, sj_node_get(r, tool, "argv"));
	read_messages(r, sj_node_get(r, tool, "messages"));
	read_device(r, sj_node_get(r, root, "device"));
	read_model(r, root);
	read_names(r, root);
	read_wwn(r, root);
	solid = sj_node_u64(sj_node_get(r, root, "rotation_rate"), &rpm) && !rpm;
	read_trim(r, sj_node_get(r, root, "trim"), solid);
	sj_put_rows(r, identity, root);
	if (sj_node_get(r, root, "sata_version").o)
		sj_put_text(r, FACT_BUS, 0, 0, "sata",
			    sj_node_get(r, root, "sata_version"));
	read_speed(r, sj_node_path(r, root, "interface_speed.max"), FACT_LINK_DEVICE_MAX);
	read_speed(r, sj_node_path(r, root, "interface_speed.current"),
		   FACT_LINK_CURRENT);
	read_nvme_warnings(r, sj_node_path(r, root, "smart_status.nvme"));
	sj_post(r, "health", sj_node_get(r, root, "smart_status"));
}
