/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log directory, error logs, self-test logs. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "render/smartctl-exit.h"
#include "render/smartctl-json.h"

/* The places of a list: the keys of the first of these facts that there is. */
static const struct fact *places(const struct sc *s, const enum fact_id *ids, size_t n,
				 size_t *ret_n)
{
	const struct fact *f = NULL;

	*ret_n = 0;
	for (size_t i = 0; i < n && !*ret_n; i++)
		f = drive_facts(s->d, ids[i], ret_n);
	return f;
}

/* Rows of a list in the order of their keys, newest first; returns how many there are. */
static size_t put_rows(struct sc *s, struct json_object *o, const enum fact_id *ids,
		       size_t n, struct json_object *(*row)(struct sc *s, uint32_t i))
{
	struct json_object *table = NULL;
	size_t n_facts, count = 0;
	const struct fact *f = places(s, ids, n, &n_facts);

	for (size_t i = 0; i < n_facts; i++) {
		if (i && f[i].key.i == f[i - 1].key.i)
			continue;
		if (!table)
			table = sc_array(s, o, "table");
		json_append(s->w, table, row(s, f[i].key.i));
		count++;
	}
	return count;
}

/* --- directory ------------------------------------------------------------------------------------ */

static struct json_object *log_row(struct sc *s, uint32_t address)
{
	struct json_object *o = json_new_object(s->w);
	const char *access = drive_text(s->d, FACT_LOG_ACCESS, address, 0);

	json_put_u64(s->w, o, "address", address);
	sc_put(s, o, "name", FACT_LOG_NAME, address, 0);
	/* of reserved logs and a maker's own nobody says */
	if (access && access[0] == 'R') {
		json_put_bool(s->w, o, "read", true);
		json_put_bool(s->w, o, "write", str_equal(access, "R/W"));
	}
	sc_put(s, o, "gp_sectors", FACT_LOG_GPL, address, 0);
	sc_put(s, o, "smart_sectors", FACT_LOG_SMART, address, 0);
	return o;
}

void sc_directory(struct sc *s)
{
	struct json_object *o, *table;
	uint64_t version;
	size_t n;

	(void)drive_facts(s->d, FACT_LOG_NAME, &n);
	if (!n)
		return;
	o = sc_object(s, s->top, "ata_log_directory");
	sc_put(s, o, "gp_dir_version", FACT_LOG_GPL_VERSION, 0, 0);
	sc_put(s, o, "smart_dir_version", FACT_LOG_SMART_VERSION, 0, 0);
	if (drive_u64(s->d, FACT_LOG_SMART_VERSION, 0, 0, &version))
		json_put_bool(s->w, o, "smart_dir_multi_sector", version == 1);
	table = sc_array(s, o, "table");
	for (uint32_t i = 0; i < 256; i++)
		if (drive_fact(s->d, FACT_LOG_GPL, i, 0) ||
		    drive_fact(s->d, FACT_LOG_SMART, i, 0))
			json_append(s->w, table, log_row(s, i));
}

/* --- error log --------------------------------------------------------------------------------------- */

#define BYTES_28 8u
#define BYTES_48 13u

/* The columns of a command: CR FR SC SN CL CH DH DC, or CR FEATR COUNT LBA_48 LH LM LL DV DC. */
struct command {
	uint64_t byte[BYTES_48];
	size_t n;
	const char *rest; /* time and name */
};

static bool read_command(const char *text, struct command *ret)
{
	*ret = (struct command){ 0 };
	while (ret->n < BYTES_48) {
		const char *at = text;

		if (str_take_u64(&at, 16, &ret->byte[ret->n]) < 0 || at != text + 2 ||
		    *at != ' ')
			break;
		ret->n++;
		text = at + 1;
	}
	ret->rest = text;
	return ret->n == BYTES_28 || ret->n == BYTES_48;
}

/* "15d+03:12:08.123", as the time since the drive had power. */
static bool read_time(const char **text, uint64_t *ret_ms)
{
	static const unsigned times[] = { 3600000, 60000, 1000, 1 };
	static const char marks[] = "::. ";
	const char *at = *text, *days = strstr(at, "d+"), *blank = strchr(at, ' ');
	uint64_t ms = 0, n;

	if (days && (!blank || days < blank)) {
		if (str_take_u64(&at, 10, &n) < 0 || at != days || n > 100)
			return false;
		ms = n * 86400000;
		at = days + 2;
	}
	for (size_t i = 0; i < array_size(times); i++) {
		if (str_take_u64(&at, 10, &n) < 0 || *at != marks[i] || n > 1000)
			return false;
		ms += n * times[i];
		at++;
	}
	*text = at;
	*ret_ms = ms;
	return true;
}

static void put_registers(struct sc *s, struct json_object *in, const struct command *c)
{
	static const uint8_t places[][4] = { { 1, 2, 6, 7 }, { 2, 4, 11, 12 } };
	const uint8_t *at = places[c->n == BYTES_48];
	struct json_object *o = sc_object(s, in, "registers");
	uint64_t lba = c->byte[3] | c->byte[4] << 8 | c->byte[5] << 16 |
		       (c->byte[6] & 15) << 24,
		 features = c->byte[at[0]], count = c->byte[at[1]];

	if (c->n == BYTES_48) {
		features |= c->byte[1] << 8;
		count |= c->byte[3] << 8;
		lba = 0;
		for (size_t i = 5; i < 11; i++)
			lba = lba << 8 | c->byte[i];
	}
	json_put_u64(s->w, o, "command", c->byte[0]);
	json_put_u64(s->w, o, "features", features);
	json_put_u64(s->w, o, "count", count);
	json_put_u64(s->w, o, "lba", lba);
	json_put_u64(s->w, o, "device", c->byte[at[2]]);
	json_put_u64(s->w, o, "device_control", c->byte[at[3]]);
}

static struct json_object *command(struct sc *s, const char *text)
{
	struct json_object *o = json_new_object(s->w);
	struct command c;
	uint64_t ms;

	if (!read_command(text, &c)) {
		json_put_text(s->w, o, "command_name", text);
		return o;
	}
	put_registers(s, o, &c);
	if (read_time(&c.rest, &ms)) {
		json_put_u64(s->w, o, "powerup_milliseconds", ms);
		json_put_text(s->w, o, "command_name", c.rest);
	}
	return o;
}

static void put_commands(struct sc *s, struct json_object *o, uint32_t error)
{
	struct json_object *array = NULL;

	for (uint32_t j = 0; j < 5; j++) {
		const char *text = drive_text(s->d, FACT_ERROR_COMMAND, error, j);

		if (!text)
			continue;
		if (!array)
			array = sc_array(s, o, "previous_commands");
		json_append(s->w, array, command(s, text));
	}
}

static void put_state(struct sc *s, struct json_object *o, uint32_t i)
{
	uint64_t code;
	bool known = drive_u64(s->d, FACT_ERROR_STATE_CODE, i, 0, &code);

	sc_put_coded(s, o, "device_state", known ? &code : NULL,
		     drive_text(s->d, FACT_ERROR_STATE, i, 0));
}

static struct json_object *error_row(struct sc *s, uint32_t i)
{
	struct json_object *o = json_new_object(s->w), *registers;
	sc_put(s, o, "error_number", FACT_ERROR_NUMBER, i, 0);
	sc_put(s, o, "log_index", FACT_ERROR_PLACE, i, 0);
	sc_put(s, o, "lifetime_hours", FACT_ERROR_HOURS, i, 0);
	put_state(s, o, i);
	registers = sc_object(s, o, "completion_registers");
	sc_put(s, registers, "error", FACT_ERROR_ERROR, i, 0);
	sc_put(s, registers, "status", FACT_ERROR_STATUS, i, 0);
	sc_put(s, registers, "count", FACT_ERROR_COUNTREG, i, 0);
	sc_put(s, registers, "lba", FACT_ERROR_LBA, i, 0);
	sc_put(s, registers, "device", FACT_ERROR_DEVICE, i, 0);
	sc_put(s, registers, "device_control", FACT_ERROR_CONTROL, i, 0);
	sc_put(s, o, "error_description", FACT_ERROR_TEXT, i, 0);
	put_commands(s, o, i);
	return o;
}

/* Logs of these names are ATA's; those of SAS and NVMe have other forms. */
static bool is_ata(const struct sc *s)
{
	static const char *const others[] = { "nvme", "scsi", "sas" };
	const char *bus = drive_text(s->d, FACT_BUS, 0, 0);

	for (size_t i = 0; i < array_size(others); i++)
		if (str_equal(bus, others[i]))
			return false;
	return true;
}

/* "SMART Extended Comprehensive Error Log Version: 1 (2 sectors)" */
static struct json_object *put_log(struct sc *s, const char *key, enum fact_id title,
				   const char *extended, const char *standard,
				   const char *mark)
{
	const char *text = drive_text(s->d, title, 0, 0);
	struct json_object *o;
	uint64_t n;

	if (!text || !is_ata(s))
		return NULL;
	o = sc_object(s, sc_object(s, s->top, key),
		      strstr(text, "xtended") ? extended : standard);
	if (sc_number_after(text, mark, &n) || sc_number_after(text, "ersion:", &n))
		json_put_u64(s->w, o, "revision", n);
	if (strstr(text, "xtended") && sc_number_after(text, "(", &n))
		json_put_u64(s->w, o, "sectors", n);
	return o;
}

void sc_error_log(struct sc *s)
{
	static const enum fact_id ids[] = { FACT_ERROR_STATUS, FACT_ERROR_NUMBER,
					    FACT_ERROR_TEXT };
	struct json_object *o = put_log(s, "ata_smart_error_log", FACT_ERRORLOG_READ,
					"extended", "summary", "Version:");
	size_t n;

	if (!o)
		return;
	sc_put(s, o, "count", FACT_ERROR_COUNT, 0, 0);
	n = put_rows(s, o, ids, array_size(ids), error_row);
	if (n)
		json_put_u64(s->w, o, "logged_count", n);
}

/* --- self-tests ---------------------------------------------------------------------------------------- */

static void put_result(struct sc *s, struct json_object *o, uint32_t i)
{
	const char *result = drive_text(s->d, FACT_SELFTEST_RESULT, i, 0);
	uint64_t code, left;
	bool known = drive_u64(s->d, FACT_SELFTEST_STATUS_CODE, i, 0, &code);
	struct json_object *made;

	sc_put_coded(s, o, "status", known ? &code : NULL, result);
	made = json_object_object_get(o, "status");
	if (!made)
		return;
	if (drive_u64(s->d, FACT_SELFTEST_REMAINING, i, 0, &left) && left)
		json_put_u64(s->w, made, "remaining_percent", left);
	/* an interrupted or unfinished test has no result */
	if (str_equal(result, "Completed without error"))
		json_put_bool(s->w, made, "passed", true);
	else if (str_starts(result, "Completed:"))
		json_put_bool(s->w, made, "passed", false);
}

static struct json_object *test_row(struct sc *s, uint32_t i)
{
	struct json_object *o = json_new_object(s->w);
	uint64_t code;
	bool known = drive_u64(s->d, FACT_SELFTEST_TYPE_CODE, i, 0, &code);

	sc_put_coded(s, o, "type", known ? &code : NULL,
		     drive_text(s->d, FACT_SELFTEST_TYPE, i, 0));
	put_result(s, o, i);
	sc_put(s, o, "lifetime_hours", FACT_SELFTEST_HOURS, i, 0);
	sc_put(s, o, "lba", FACT_SELFTEST_LBA, i, 0);
	return o;
}

void sc_selftests(struct sc *s)
{
	static const enum fact_id ids[] = { FACT_SELFTEST_RESULT, FACT_SELFTEST_TYPE };
	struct json_object *o =
		put_log(s, "ata_smart_self_test_log", FACT_SELFTEST_LOG_READ, "extended",
			"standard", "revision number");
	struct smartctl_tests counts;
	size_t n;

	if (!o)
		return;
	n = put_rows(s, o, ids, array_size(ids), test_row);
	json_put_u64(s->w, o, "count", n);
	if (!n)
		return;
	counts = smartctl_count_tests(s->d);
	json_put_u64(s->w, o, "error_count_total", counts.failed + counts.outdated);
	json_put_u64(s->w, o, "error_count_outdated", counts.outdated);
}

/* "Completed [00% left] (1000-66535)" */
static struct json_object *span_row(struct sc *s, uint32_t span)
{
	const char *text = drive_text(s->d, FACT_SELECTIVE_STATUS, span, 0);
	struct json_object *o = json_new_object(s->w), *status;
	uint64_t code, left;
	bool known = drive_u64(s->d, FACT_SELFTEST_STATUS, 0, 0, &code);
	char word[48];

	sc_put(s, o, "lba_min", FACT_SELECTIVE_MIN, span, 0);
	sc_put(s, o, "lba_max", FACT_SELECTIVE_MAX, span, 0);
	(void)snprintf(word, sizeof(word), "%.*s", (int)strcspn(text ? text : "", " ["),
		       text ? text : "");
	sc_put_coded(s, o, "status", known ? &code : NULL, text ? word : NULL);
	status = json_object_object_get(o, "status");
	if (!status || !text || !strchr(text, '['))
		return o;
	if (sc_number_after(text, "[", &left))
		json_put_u64(s->w, status, "remaining_percent", left);
	if (drive_u64(s->d, FACT_SELECTIVE_LBA, 0, 0, &left)) {
		json_put_u64(s->w, o, "current_lba_min", left);
		json_put_u64(s->w, o, "current_lba_max", left + 65535);
	}
	return o;
}

void sc_selective(struct sc *s)
{
	struct json_object *o, *table, *flags;
	uint64_t word;

	if (!drive_fact(s->d, FACT_SELECTIVE_MIN, 1, 0))
		return;
	o = sc_object(s, s->top, "ata_smart_selective_self_test_log");
	json_put_u64(s->w, o, "revision", 1);
	table = sc_array(s, o, "table");
	for (uint32_t i = 1; i <= 5; i++)
		if (drive_fact(s->d, FACT_SELECTIVE_MIN, i, 0))
			json_append(s->w, table, span_row(s, i));
	if (drive_u64(s->d, FACT_SELECTIVE_FLAGS, 0, 0, &word)) {
		flags = sc_object(s, o, "flags");
		json_put_u64(s->w, flags, "value", word);
		/* ATA8-ACS table A.15 */
		json_put_bool(s->w, flags, "remainder_scan_enabled", word >> 1 & 1);
		if (word & 2) {
			json_put_bool(s->w, flags, "remainder_scan_active",
				      word >> 4 & 1);
			json_put_bool(s->w, flags, "power_up_scan_pending",
				      word >> 3 & 1);
		}
	}
	sc_put(s, o, "power_up_scan_resume_minutes", FACT_SELECTIVE_RESUME, 0, 0);
}
