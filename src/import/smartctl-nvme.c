/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe reports: identity, capabilities, health log 02h. The tables are in smartctl-nvme-log.c. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* --- information section ------------------------------------------------------------------- */

static bool read_kind(struct smart *s, const struct smart_value *v)
{
	smart_set_kind(s, SMART_NVME, v->line);
	smart_text(s, FACT_BUS, "nvme", v->line);
	return true;
}

static bool read_model(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	return read_kind(s, v) && smart_read_text(s, v, id);
}

/* "512,110,190,592 [512 GB]"; above 64 bits the tool prints another form, which is not taken */
static bool get_bytes(const struct smart *s, const struct smart_value *v, uint64_t *ret)
{
	return smart_get_count(s, v, " [", ret) || smart_get_count(s, v, "", ret);
}

static bool read_bytes(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (*v->s == '~')
		return true;
	if (!get_bytes(s, v, &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

static bool read_total(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!read_bytes(s, v, id))
		return false;
	if (get_bytes(s, v, &n) && n)
		smart_u64(s, FACT_CAPACITY, n, v->line);
	return true;
}

/* "0x144d" */
static bool read_hex(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[2];
	uint64_t n;

	if (words_split(v->s, w, 2) != 1 || v->cut || word_hex(w[0], &n) < 0)
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

static bool read_both_vendors(struct smart *s, const struct smart_value *v,
			      enum fact_id id)
{
	return read_hex(s, v, FACT_NVME_PCI_VENDOR) && read_hex(s, v, id);
}

/* "1 Size/Capacity:  512,110,190,592 [512 GB]" behind "Namespace " */
static const struct {
	const char *name;
	enum fact_id id, and_id;
} namespace_keys[] = {
	{ " Size/Capacity:", FACT_NVME_NS_SIZE, FACT_NVME_NS_CAPACITY },
	{ " Size:", FACT_NVME_NS_SIZE, FACT_COUNT },
	{ " Capacity:", FACT_NVME_NS_CAPACITY, FACT_COUNT },
	{ " Utilization:", FACT_NVME_NS_USED, FACT_COUNT },
	{ " Formatted LBA Size:", FACT_NVME_NS_LBA, FACT_COUNT },
};

static void emit_eui(struct smart *s, uint32_t number, const struct smart_value *v)
{
	struct word w[3];
	char eui[17];

	if (words_split(v->s, w, 3) != 2 || !word_is_hex(w[0], 6) ||
	    !word_is_hex(w[1], 10))
		return;
	memcpy(eui, w[0].s, 6);
	memcpy(eui + 6, w[1].s, 10);
	eui[16] = '\0';
	emit_text(&s->e, FACT_NVME_NS_EUI, number, 0, eui, v->line);
}

/* A second line with the same key would be another reading of it. */
static bool emit_namespace(struct smart *s, uint32_t number, size_t row,
			   const struct smart_value *v)
{
	uint64_t n;

	if (!get_bytes(s, v, &n))
		return false;
	if (!smart_bit(s->stat_seen, (uint32_t)((number << 3 | row) & UINT16_MAX)))
		return true;
	emit_u64(&s->e, namespace_keys[row].id, number, 0, n, v->line);
	if (namespace_keys[row].and_id != FACT_COUNT)
		emit_u64(&s->e, namespace_keys[row].and_id, number, 0, n, v->line);
	if (namespace_keys[row].id == FACT_NVME_NS_LBA)
		smart_u64(s, FACT_LOGICAL_SECTOR, n, v->line);
	else if (namespace_keys[row].id == FACT_NVME_NS_SIZE && n)
		smart_u64(s, FACT_CAPACITY, n, v->line);
	return true;
}

static bool read_namespace(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct smart_value rest = *v;
	const char *p = v->s;
	uint64_t number, bits;

	(void)id;
	(void)read_kind(s, v);
	if (str_take_u64(&p, 10, &number) < 0 || number > 8000)
		return false;
	for (size_t k = 0; k < array_size(namespace_keys); k++) {
		rest.s = words_after(p, namespace_keys[k].name);
		if (!rest.s)
			continue;
		rest.s += strspn(rest.s, " ");
		return emit_namespace(s, (uint32_t)number, k, &rest);
	}
	rest.s = words_after(p, " IEEE EUI-64:");
	if (rest.s) {
		rest.s += strspn(rest.s, " ");
		if (!v->cut)
			emit_eui(s, (uint32_t)number, &rest);
		return !v->cut;
	}
	rest.s = words_after(p, " Features (0x");
	if (!rest.s || str_take_u64(&rest.s, 16, &bits) < 0 || *rest.s != ')')
		return false;
	emit_u64(&s->e, FACT_NVME_NS_FEATURES, (uint32_t)number, 0, bits, v->line);
	return true;
}

/* "Optional Admin Commands (0x005f):  Security Format ...": the word in brackets says it all */
static bool read_bits(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	const char *p = v->s;
	uint64_t n;

	if (str_take_u64(&p, 16, &n) < 0 || !str_starts(p, "):"))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

static bool read_pages(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (str_equal(v->s, "-"))
		return true;
	if (!smart_get_count(s, v, " Pages", &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

static bool read_version(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	return read_kind(s, v) && smart_read_text(s, v, id);
}

/* clang-format off */
const struct smart_key smart_nvme_identity[] = {
	{ "Model Number:",		FACT_MODEL,		read_model,		false },
	{ "PCI Vendor/Subsystem ID:",	FACT_NVME_PCI_SUBSYSTEM, read_both_vendors,	false },
	{ "PCI Vendor ID:",		FACT_NVME_PCI_VENDOR,	read_hex,		false },
	{ "PCI Vendor Subsystem ID:",	FACT_NVME_PCI_SUBSYSTEM, read_hex,		false },
	{ "IEEE OUI Identifier:",	FACT_NVME_OUI,		read_hex,		false },
	{ "Total NVM Capacity:",	FACT_NVME_TOTAL,	read_total,		false },
	{ "Unallocated NVM Capacity:",	FACT_NVME_UNALLOCATED,	read_bytes,		false },
	{ "Controller ID:",		FACT_NVME_CONTROLLER,	smart_read_count,	false },
	{ "NVMe Version:",		FACT_NVME_VERSION,	read_version,		false },
	{ "Number of Namespaces:",	FACT_NVME_NAMESPACES,	smart_read_count,	false },
	{ "Namespace ",			FACT_COUNT,		read_namespace,		false },
	{ "Firmware Updates (0x",	FACT_NVME_FIRMWARE_UPDATE, read_bits,		false },
	{ "Optional Admin Commands (0x", FACT_NVME_ADMIN_COMMANDS, read_bits,		false },
	{ "Optional NVM Commands (0x",	FACT_NVME_NVM_COMMANDS,	read_bits,		false },
	{ "Log Page Attributes (0x",	FACT_NVME_LOG_ATTRIBUTES, read_bits,		false },
	{ "Maximum Data Transfer Size:", FACT_NVME_TRANSFER_PAGES, read_pages,		false },
	{ "Warning Comp. Temp. Threshold:", FACT_NVME_WARM_LIMIT, smart_read_celsius,	false },
	{ "Critical Comp. Temp. Threshold:", FACT_NVME_HOT_LIMIT, smart_read_celsius,	false },
	{ NULL, FACT_COUNT, NULL, false },
};
/* clang-format on */

/* --- health log 02h -------------------------------------------------------------------------- */

static bool read_warning(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct word w[2];

	/* "0x00": two digits, so that a cut one shows */
	return words_split(v->s, w, 2) == 1 && w[0].len == 4 && read_hex(s, v, id);
}

/* "2: 44 Celsius" behind "Temperature Sensor " */
static bool read_sensor(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	struct smart_value rest = *v;
	uint64_t number, celsius;
	bool below;

	if (str_take_u64(&rest.s, 10, &number) < 0 || *rest.s != ':' || number > 8)
		return false;
	rest.s += 1 + strspn(rest.s + 1, " ");
	if (str_equal(rest.s, "-"))
		return true;
	below = *rest.s == '-';
	rest.s += below;
	if (!smart_get_count(s, &rest, " C", &celsius) || celsius > 1000 ||
	    !smart_bit(&s->sensor_seen, (uint32_t)number))
		return false;
	emit_s64(&s->e, id, (uint32_t)number, 0,
		 below ? -(int64_t)celsius : (int64_t)celsius, v->line);
	return true;
}

/* clang-format off */
static const struct smart_key keys[] = {
	{ "Critical Warning:",			FACT_NVME_WARNING,	read_warning,	true },
	{ "Temperature:",			FACT_TEMPERATURE,	smart_read_celsius, false },
	{ "Available Spare:",			FACT_NVME_SPARE,	smart_read_percent, true },
	{ "Available Spare Threshold:",		FACT_NVME_SPARE_LIMIT,	smart_read_percent, true },
	{ "Percentage Used:",			FACT_LIFE_USED,		smart_read_percent, true },
	{ "Data Units Read:",			FACT_NVME_UNITS_READ,	read_bytes,	true },
	{ "Data Units Written:",		FACT_NVME_UNITS_WRITTEN, read_bytes,	true },
	{ "Host Read Commands:",		FACT_NVME_READS,	read_bytes,	true },
	{ "Host Write Commands:",		FACT_NVME_WRITES,	read_bytes,	true },
	{ "Controller Busy Time:",		FACT_NVME_BUSY,		read_bytes,	true },
	{ "Power Cycles:",			FACT_POWER_CYCLES,	read_bytes,	false },
	{ "Power On Hours:",			FACT_POWER_ON_HOURS,	read_bytes,	false },
	{ "Unsafe Shutdowns:",			FACT_NVME_UNSAFE,	read_bytes,	true },
	{ "Media and Data Integrity Errors:",	FACT_NVME_MEDIA_ERRORS,	read_bytes,	true },
	{ "Error Information Log Entries:",	FACT_NVME_ERROR_ENTRIES, read_bytes,	true },
	{ "Warning Comp. Temperature Time:",	FACT_NVME_WARM_MINUTES,	smart_read_count, true },
	{ "Critical Comp. Temperature Time:",	FACT_NVME_HOT_MINUTES,	smart_read_count, true },
	{ "Temperature Sensor ",		FACT_NVME_SENSOR,	read_sensor,	true },
	{ "Thermal Temp. 1 Transition Count:",	FACT_NVME_THROTTLE1,	smart_read_count, true },
	{ "Thermal Temp. 1 Total Time:",	FACT_NVME_THROTTLE1_TIME, smart_read_count, true },
	{ "Thermal Temp. 2 Transition Count:",	FACT_NVME_THROTTLE2,	smart_read_count, true },
	{ "Thermal Temp. 2 Total Time:",	FACT_NVME_THROTTLE2_TIME, smart_read_count, true },
	{ NULL, FACT_COUNT, NULL, false },
};
/* clang-format on */

bool smart_is_nvme_key(const char *line)
{
	const char *value;
	const struct smart_key *key = smart_find_key(keys, line, &value);

	return key && key->strong;
}

/* Below a FAILED health line: which bits of the critical warning are set. */
bool smart_is_nvme_warning(const char *line)
{
	static const char *const warnings[] = {
		"- available spare has fallen below threshold",
		"- temperature is above or below threshold",
		"- NVM subsystem reliability has been degraded",
		"- media has been placed in read only mode",
		"- volatile memory backup device has failed",
		"- persistent memory region has become read-only or unreliable",
		"- unknown critical warning(s) (0x",
	};

	for (size_t k = 0; k < array_size(warnings); k++)
		if (words_after(line, warnings[k]))
			return true;
	return false;
}

static size_t take_row(struct smart *s, size_t i)
{
	return smart_take_key(s, keys, i);
}

static bool is_seen(const struct smart *s, const char *line)
{
	const char *value;
	const struct smart_key *key = smart_find_key(keys, line, &value);

	return key && key->strong && key->id != FACT_NVME_SENSOR &&
	       smart_has_bit(s->once, key->id);
}

static const char prose[] = "Self-tests not supported "
			    "Error Information (NVMe Log 0x01) not supported "
			    "(guessed, override with '-l error,1') ";

const struct smart_section smart_nvme = {
	.name = "nvme-health",
	.part = PART_NVME,
	.row = take_row,
	.is_seen = is_seen,
	.prose = prose,
};
