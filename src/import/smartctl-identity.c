/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The information section: "Key:   value" lines, of ATA, SCSI and NVMe drives. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

static bool is_placeholder(const char *v)
{
	return str_equal(v, "--") || strstr(v, "...") || v[0] == '[' ||
	       str_equal(v, "(null)");
}

static bool read_text(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (v->cut)
		return false;
	smart_text(s, id, v->s, v->line);
	return true;
}

/* Anonymised texts have "--" or "5 000cca ..." here: that is no number of a drive. */
static bool read_serial(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	return is_placeholder(v->s) || read_text(s, v, id);
}

/* "5 000c50 012345678": NAA, the maker's OUI, and its number; 64 bits in all. */
static bool read_wwn(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[4];
	char wwn[17];
	size_t n;

	if (is_placeholder(v->s))
		return true;
	n = words_split(v->s, w, 4);
	if (n != 3 || !word_is_hex(w[0], 1) || !word_is_hex(w[1], 6) ||
	    !word_is_hex(w[2], 9))
		return n < 3 && !v->cut;
	memcpy(wwn, w[0].s, 1);
	memcpy(wwn + 1, w[1].s, 6);
	memcpy(wwn + 7, w[2].s, 9);
	wwn[16] = '\0';
	smart_text(s, id, wwn, v->line);
	return true;
}

static bool read_capacity(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = v->s;
	uint64_t bytes;

	if (!smart_take_grouped(&p, &bytes) || !words_after(p, " bytes"))
		return false;
	smart_u64(s, id, bytes, v->line);
	return true;
}

/* "512 bytes logical/physical", "512 bytes logical, 4096 bytes physical" */
static bool read_sectors(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = v->s;
	uint64_t logical, physical;

	(void)id;
	if (str_take_u64(&p, 10, &logical) < 0)
		return false;
	physical = logical;
	if (!words_after(p, " bytes logical/physical")) {
		p = words_after(p, " bytes logical, ");
		if (!p || str_take_u64(&p, 10, &physical) < 0 ||
		    !words_after(p, " bytes"))
			return false;
	}
	smart_u64(s, FACT_LOGICAL_SECTOR, logical, v->line);
	smart_u64(s, FACT_PHYSICAL_SECTOR, physical, v->line);
	return true;
}

static bool read_rotation(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = v->s;
	uint64_t rpm;

	if (str_starts(v->s, "Solid State"))
		smart_u64(s, id, 0, v->line);
	else if (str_take_u64(&p, 10, &rpm) == 0 && words_after(p, " rpm"))
		smart_u64(s, id, rpm, v->line);
	else
		return !v->cut && !str_is_digit(v->s[0]);
	return true;
}

/* "SATA 3.2, 6.0 Gb/s (current: 1.5 Gb/s)" */
static bool read_sata(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *current = strstr(v->s, "(current:"), *end = v->s + strlen(v->s);
	size_t version = strcspn(v->s, ",(");
	uint64_t speed;

	if (v->cut && !v->s[version])
		return false;
	smart_text(s, FACT_BUS, "sata", v->line);
	smart_text_len(s, id, v->s, version, v->line);
	if (smart_get_speed(v->s, current ? current : end, &speed))
		smart_u64(s, FACT_LINK_DEVICE_MAX, speed, v->line);
	if (current && smart_get_speed(current, end, &speed))
		smart_u64(s, FACT_LINK_CURRENT, speed, v->line);
	return true;
}

static bool read_database(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (words_after(v->s, "Not in smartctl database"))
		smart_flag(s, id, false, v->line);
	else if (words_after(v->s, "In smartctl database"))
		smart_flag(s, id, true, v->line);
	else
		return false;
	return true;
}

/* The key stands twice: whether SMART is there, and whether it is on. */
static bool read_smart(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	static const struct {
		const char *text;
		enum fact_id id;
		bool value;
	} rows[] = {
		{ "Available", FACT_SMART_AVAILABLE, true },
		{ "Unavailable", FACT_SMART_AVAILABLE, false },
		{ "Enabled", FACT_SMART_ENABLED, true },
		{ "Disabled", FACT_SMART_ENABLED, false },
	};

	(void)id;
	for (size_t i = 0; i < array_size(rows); i++) {
		if (!str_starts(v->s, rows[i].text))
			continue;
		smart_flag(s, rows[i].id, rows[i].value, v->line);
		return true;
	}
	return !v->cut;
}

/* "Disabled, NOT FROZEN [SEC1]", "ENABLED, PW level HIGH, **LOCKED** [SEC4]" */
static bool read_security(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	bool enabled = str_starts(v->s, "ENABLED"), off = str_starts(v->s, "Disabled");

	if (v->cut && !strchr(v->s, ']'))
		return false;
	smart_text(s, id, v->s, v->line);
	if (!enabled && !off)
		return true;
	smart_flag(s, FACT_SECURITY_ENABLED, enabled, v->line);
	if (strstr(v->s, "**LOCKED**"))
		smart_flag(s, FACT_SECURITY_LOCKED, true, v->line);
	else if (off || strstr(v->s, "not locked"))
		smart_flag(s, FACT_SECURITY_LOCKED, false, v->line);
	if (strstr(v->s, "NOT FROZEN") || strstr(v->s, "not frozen"))
		smart_flag(s, FACT_SECURITY_FROZEN, false, v->line);
	else if (strstr(v->s, "frozen"))
		smart_flag(s, FACT_SECURITY_FROZEN, true, v->line);
	return true;
}

/* A feature that has no fact of its own is kept as it is. */
static bool read_setting(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	(void)id;
	if (v->cut)
		return false;
	(void)smart_join(s, v->line, v->lines);
	smart_squeeze(&s->join);
	emit_text(&s->e, FACT_SETTING, s->settings++, 0, buf_text(&s->join), v->line);
	return true;
}

/* clang-format off */
static const struct smart_key keys[] = {
	{ "Model Family:",        FACT_POSTED_FAMILY,  NULL,           true },
	{ "Device Model:",        FACT_MODEL,          NULL,           true },
	{ "Serial Number:",       FACT_SERIAL,         read_serial,    false },
	{ "LU WWN Device Id:",    FACT_WWN,            read_wwn,       true },
	{ "Add. Product Id:",     FACT_ADD_PRODUCT_ID, NULL,           true },
	{ "Firmware Version:",    FACT_FIRMWARE,       NULL,           false },
	{ "User Capacity:",       FACT_CAPACITY,       read_capacity,  false },
	{ "Sector Size:",         FACT_COUNT,          read_sectors,   false },
	{ "Sector Sizes:",        FACT_COUNT,          read_sectors,   false },
	{ "Rotation Rate:",       FACT_ROTATION,       read_rotation,  false },
	{ "Form Factor:",         FACT_FORM_FACTOR,    NULL,           false },
	{ "TRIM Command:",        FACT_TRIM,           NULL,           false },
	{ "Zoned Device:",        FACT_ZONED,          NULL,           false },
	{ "Device is:",           FACT_IN_SMARTCTL_DB, read_database,  false },
	{ "ATA Version is:",      FACT_ATA_VERSION,    NULL,           true },
	{ "ATA Standard is:",     FACT_COUNT,          read_setting,   true },
	{ "SATA Version is:",     FACT_SATA_VERSION,   read_sata,      true },
	{ "Transport Type:",      FACT_COUNT,          read_setting,   false },
	{ "Local Time is:",       FACT_LOCAL_TIME,     NULL,           false },
	{ "SMART support is:",    FACT_COUNT,          read_smart,     false },
	{ "AAM feature is:",      FACT_AAM,            NULL,           false },
	{ "AAM level is:",        FACT_AAM,            NULL,           false },
	{ "APM feature is:",      FACT_APM,            NULL,           false },
	{ "APM level is:",        FACT_APM,            NULL,           false },
	{ "Rd look-ahead is:",    FACT_READ_LOOKAHEAD, smart_read_enabled, false },
	{ "Write cache is:",      FACT_WRITE_CACHE,    smart_read_enabled, false },
	{ "DSN feature is:",      FACT_DSN,            NULL,           false },
	{ "ATA Security is:",     FACT_SECURITY,       read_security,  false },
	{ "Wt Cache Reorder:",    FACT_COUNT,          read_setting,   false },
	{ "Power mode is:",       FACT_POWER_MODE,     NULL,           false },
	{ "Power mode was:",      FACT_POWER_MODE,     NULL,           false },
	{ NULL, FACT_COUNT, NULL, false },
};
/* clang-format on */

static const struct smart_key *find_key(const char *line, const char **ret_value)
{
	const struct smart_key *key = smart_find_key(keys, line, ret_value);

	if (!key)
		key = smart_find_key(smart_scsi_identity, line, ret_value);
	return key ? key : smart_find_key(smart_nvme_identity, line, ret_value);
}

bool smart_is_identity_key(const char *line)
{
	const char *value;

	return find_key(line, &value) != NULL;
}

/* A model again, or an ATA key below a report of another kind. */
static bool is_new_drive(const struct smart *s, const struct smart_key *key)
{
	if (key->strong && (s->kind == SMART_SCSI || s->kind == SMART_NVME))
		return true;
	return (key->strong || key->id == FACT_MODEL) && key->id != FACT_COUNT &&
	       smart_has_bit(s->once, key->id);
}

static bool is_unmistakable(const struct smart_key *key, const char *text)
{
	return key->strong ||
	       (str_equal(key->name, "Device:") && strstr(text, " Version: "));
}

static bool is_copyright(const char *line)
{
	return str_starts(line, "Copyright (C) 20") || str_starts(line, "Home page is ");
}

static bool is_open(const char *s)
{
	return (strchr(s, '(') && !strchr(strrchr(s, '('), ')')) ||
	       (strchr(s, '[') && !strchr(strrchr(s, '['), ']'));
}

/* A value with an open bracket goes on below: "(current: 6.0" / "Gb/s)". */
static void gather(struct smart *s, size_t i, struct smart_value *v)
{
	v->lines = 1;
	while (v->lines < 3 && is_open(v->s) && !smart_is_fresh(s, i + v->lines))
		(void)find_key(smart_join(s, i, ++v->lines), &v->s);
	v->cut = smart_is_cut(s, i + v->lines - 1);
}

static size_t read_row(struct smart *s, size_t i)
{
	struct smart_value v = { .line = i };
	const struct smart_key *key = find_key(smart_line(s, i), &v.s);
	bool ok;

	if (!key && !s->headless && is_copyright(smart_line(s, i)))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!key || (s->headless && !is_unmistakable(key, v.s)))
		return 0;
	if (is_new_drive(s, key)) {
		smart_begin_report(s, i);
		s->section = &smart_identity;
	}
	if (s->stage < STAGE_IDENTITY)
		s->stage = STAGE_IDENTITY;
	if (key->strong)
		smart_set_kind(s, SMART_ATA, i);
	if (!*v.s)
		return smart_claim(s, i, 1, LINE_KNOWN);
	gather(s, i, &v);
	ok = key->read ? key->read(s, &v, key->id) : read_text(s, &v, key->id);
	return smart_claim(s, i, v.lines, ok ? LINE_READ : LINE_DAMAGED);
}

static const char prose[] =
	"(local build) "
	"2 protection information intervals per logical block "
	"8 bytes of protection information per logical block "
	"16 bytes of protection information per logical block "
	"Home page is http://smartmontools.sourceforge.net/ "
	"Christian Franke, www.smartmontools.org "
	"Bruce Allen, http://smartmontools.sourceforge.net "
	"[for details use: -P show] [for details use: -P showall] "
	"- device has SMART capability. "
	"words 82-83 don't show if SMART supported. "
	"words 85-87 don't show if SMART is enabled. "
	"Checking to be sure by trying SMART RETURN STATUS command. "
	"Enabled status cached by OS, trying SMART RETURN STATUS cmd. "
	"Disabled status cached by OS, trying SMART RETURN STATUS cmd. ";

const struct smart_section smart_identity = {
	.name = "identity",
	.part = PART_IDENTITY,
	.row = read_row,
	.prose = prose,
};
