/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the drive is, and how it is set. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "render/smartctl-json.h"

/* 16 digits: one of naming authority, 6 of the maker, 9 of the device (ACS-4 A.11.5.4). */
static void put_wwn(struct sc *s)
{
	static const struct {
		const char *key;
		unsigned shift, bits;
	} parts[] = { { "naa", 60, 4 }, { "oui", 36, 24 }, { "id", 0, 36 } };
	const char *text = drive_text(s->d, FACT_WWN, 0, 0), *at = text;
	struct json_object *o;
	uint64_t wwn;

	if (!text)
		return;
	if (str_starts(at, "0x"))
		at += 2;
	if (str_take_u64(&at, 16, &wwn) < 0 || *at)
		return;
	o = sc_object(s, s->top, "wwn");
	for (size_t i = 0; i < array_size(parts); i++)
		json_put_u64(s->w, o, parts[i].key,
			     wwn >> parts[i].shift &
				     ((UINT64_C(1) << parts[i].bits) - 1));
}

static void put_sizes(struct sc *s)
{
	uint64_t bytes, logical;
	struct json_object *o;

	if (drive_u64(s->d, FACT_CAPACITY, 0, 0, &bytes)) {
		if (!drive_u64(s->d, FACT_LOGICAL_SECTOR, 0, 0, &logical) || !logical)
			logical = 512;
		o = sc_object(s, s->top, "user_capacity");
		json_put_u64(s->w, o, "blocks", bytes / logical);
		json_put_u64(s->w, o, "bytes", bytes);
	}
	sc_put(s, s->top, "logical_block_size", FACT_LOGICAL_SECTOR, 0, 0);
	sc_put(s, s->top, "physical_block_size", FACT_PHYSICAL_SECTOR, 0, 0);
	sc_put(s, s->top, "rotation_rate", FACT_ROTATION, 0, 0);
}

static void put_form(struct sc *s)
{
	struct json_object *o;

	if (!drive_fact(s->d, FACT_FORM_FACTOR, 0, 0) &&
	    !drive_fact(s->d, FACT_FORM_FACTOR_CODE, 0, 0))
		return;
	o = sc_object(s, s->top, "form_factor");
	sc_put(s, o, "ata_value", FACT_FORM_FACTOR_CODE, 0, 0);
	sc_put(s, o, "name", FACT_FORM_FACTOR, 0, 0);
}

/* "Available, deterministic, zeroed" */
static void put_trim(struct sc *s)
{
	const char *text = drive_text(s->d, FACT_TRIM, 0, 0);
	bool can = text && str_starts(text, "Available");
	struct json_object *o;

	/* of a disk nobody says that it has none */
	if (!text && !drive_fact(s->d, FACT_ATA_VERSION, 0, 0))
		return;
	o = sc_object(s, s->top, "trim");
	json_put_bool(s->w, o, "supported", can);
	if (!can)
		return;
	json_put_bool(s->w, o, "deterministic", strstr(text, "deterministic") != NULL);
	json_put_bool(s->w, o, "zeroed", strstr(text, "zeroed") != NULL);
}

static void put_versions(struct sc *s)
{
	struct json_object *o;

	if (drive_fact(s->d, FACT_ATA_VERSION, 0, 0)) {
		o = sc_object(s, s->top, "ata_version");
		sc_put(s, o, "string", FACT_ATA_VERSION, 0, 0);
		sc_put(s, o, "major_value", FACT_ATA_MAJOR, 0, 0);
		if (drive_fact(s->d, FACT_ATA_MINOR, 0, 0))
			sc_put(s, o, "minor_value", FACT_ATA_MINOR, 0, 0);
		else if (drive_fact(s->d, FACT_ATA_MAJOR, 0, 0))
			json_put_u64(s->w, o, "minor_value", 0); /* not reported */
	}
	if (drive_fact(s->d, FACT_SATA_VERSION, 0, 0)) {
		o = sc_object(s, s->top, "sata_version");
		sc_put(s, o, "string", FACT_SATA_VERSION, 0, 0);
		sc_put(s, o, "value", FACT_SATA_BITS, 0, 0);
	}
}

static void put_speed(struct sc *s, struct json_object *in, const char *key,
		      enum fact_id speed, enum fact_id code)
{
	struct buf text cleanup_buf = { 0 };
	struct json_object *o;
	uint64_t mbps;

	if (!drive_u64(s->d, speed, 0, 0, &mbps))
		return;
	o = sc_object(s, in, key);
	sc_put(s, o, "sata_value", code, 0, 0);
	buf_printf(&text, "%llu.%llu Gb/s", (unsigned long long)(mbps / 1000),
		   (unsigned long long)(mbps % 1000 / 100));
	json_put_text(s->w, o, "string", buf_text(&text));
	json_check(s->w, &text);
	json_put_u64(s->w, o, "units_per_second", mbps / 100);
	json_put_u64(s->w, o, "bits_per_unit", 100000000);
}

static void put_link(struct sc *s)
{
	struct json_object *o;

	if (!drive_fact(s->d, FACT_LINK_DEVICE_MAX, 0, 0) &&
	    !drive_fact(s->d, FACT_LINK_CURRENT, 0, 0))
		return;
	o = sc_object(s, s->top, "interface_speed");
	put_speed(s, o, "max", FACT_LINK_DEVICE_MAX, FACT_LINK_SPEED_BITS);
	put_speed(s, o, "current", FACT_LINK_CURRENT, FACT_LINK_SPEED_CODE);
}

void sc_identity(struct sc *s)
{
	static const enum fact_id families[] = { FACT_POSTED_FAMILY, FACT_SMARTCTL_FAMILY,
						 FACT_DB_FAMILY };
	size_t i = 0;

	while (i < array_size(families) && !drive_fact(s->d, families[i], 0, 0))
		i++;
	if (i < array_size(families))
		sc_put(s, s->top, "model_family", families[i], 0, 0);
	sc_put(s, s->top, "model_name", FACT_MODEL, 0, 0);
	sc_put(s, s->top, "serial_number", FACT_SERIAL, 0, 0);
	put_wwn(s);
	sc_put(s, s->top, "ata_additional_product_id", FACT_ADD_PRODUCT_ID, 0, 0);
	sc_put(s, s->top, "firmware_version", FACT_FIRMWARE, 0, 0);
	put_sizes(s);
	put_form(s);
	put_trim(s);
	sc_put(s, s->top, "in_smartctl_database", FACT_IN_SMARTCTL_DB, 0, 0);
	put_versions(s);
	put_link(s);
}

/* --- settings ----------------------------------------------------------------------------------- */

static void put_enabled(struct sc *s, const char *key, enum fact_id id)
{
	if (drive_fact(s->d, id, 0, 0))
		sc_put(s, sc_object(s, s->top, key), "enabled", id, 0, 0);
}

/* "128 (quiet), recommended: 254", "Disabled"; *ret_level is there when it is enabled. */
static struct json_object *put_level(struct sc *s, const char *key, enum fact_id id,
				     uint64_t *ret_level)
{
	const char *text = drive_text(s->d, id, 0, 0), *at = text, *end;
	struct json_object *o;
	char words[80];

	*ret_level = 0;
	if (!text || str_equal(text, "Unavailable"))
		return NULL;
	o = sc_object(s, s->top, key);
	if (str_take_u64(&at, 10, ret_level) < 0) {
		json_put_bool(s->w, o, "enabled", false);
		return NULL;
	}
	json_put_bool(s->w, o, "enabled", true);
	json_put_u64(s->w, o, "level", *ret_level);
	end = strchr(at, ')');
	if (str_starts(at, " (") && end && (size_t)(end - at) < sizeof(words)) {
		(void)snprintf(words, sizeof(words), "%.*s", (int)(end - at - 2), at + 2);
		json_put_text(s->w, o, "string", words);
	}
	return o;
}

static void put_acoustic(struct sc *s)
{
	uint64_t level, best;
	struct json_object *o = put_level(s, "ata_aam", FACT_AAM, &level);

	if (o && sc_number_after(drive_text(s->d, FACT_AAM, 0, 0), "recommended:", &best))
		json_put_u64(s->w, o, "recommended_level", best);
}

/* ACS-4 table 130: 254 is most performance, below 128 the drive may stand by. */
static void put_power(struct sc *s)
{
	uint64_t level;
	struct json_object *o = put_level(s, "ata_apm", FACT_APM, &level);

	if (!o)
		return;
	json_put_bool(s->w, o, "max_performance", level == 254);
	json_put_bool(s->w, o, "min_power", level == 1 || level == 128);
	json_put_bool(s->w, o, "with_standby", level >= 1 && level < 128);
}

/* "ENABLED, PW level HIGH, not locked, frozen [SEC6]" */
static void put_security(struct sc *s)
{
	const char *text = drive_text(s->d, FACT_SECURITY, 0, 0);
	bool enabled = drive_flag(s->d, FACT_SECURITY_ENABLED, 0),
	     locked = drive_flag(s->d, FACT_SECURITY_LOCKED, 0);
	struct json_object *o;

	if (!text || str_equal(text, "Unavailable"))
		return;
	o = sc_object(s, s->top, "ata_security");
	sc_put(s, o, "state", FACT_SECURITY_WORD, 0, 0);
	json_put_text(s->w, o, "string", text);
	sc_put(s, o, "enabled", FACT_SECURITY_ENABLED, 0, 0);
	if (!enabled || !locked)
		sc_put(s, o, "frozen", FACT_SECURITY_FROZEN, 0, 0);
	if (!enabled)
		return;
	json_put_bool(s->w, o, "pw_level_max", strstr(text, "level MAX") != NULL);
	if (strstr(text, "PW ATTEMPTS EXCEEDED"))
		json_put_bool(s->w, o, "pw_attempts_exceeded", true);
	sc_put(s, o, "locked", FACT_SECURITY_LOCKED, 0, 0);
}

void sc_settings(struct sc *s)
{
	const char *dsn = drive_text(s->d, FACT_DSN, 0, 0);
	struct json_object *o;

	if (drive_fact(s->d, FACT_SMART_AVAILABLE, 0, 0)) {
		o = sc_object(s, s->top, "smart_support");
		sc_put(s, o, "available", FACT_SMART_AVAILABLE, 0, 0);
		sc_put(s, o, "enabled", FACT_SMART_ENABLED, 0, 0);
	}
	put_acoustic(s);
	put_power(s);
	put_enabled(s, "read_lookahead", FACT_READ_LOOKAHEAD);
	put_enabled(s, "write_cache", FACT_WRITE_CACHE);
	if (dsn && !str_equal(dsn, "Unavailable"))
		json_put_bool(s->w, sc_object(s, s->top, "ata_dsn"), "enabled",
			      str_equal(dsn, "Enabled"));
	put_security(s);
}
