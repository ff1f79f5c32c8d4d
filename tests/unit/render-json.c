/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/render.h"
#include "report-fixture.h"

static struct buf render(const char *name, const char *format)
{
	struct render_options o = { .columns = 80 };
	struct fixture f;
	struct buf out = { 0 };

	fixture_init(&f, name);
	assert_int_equal(render_find(format)->write(&f.report, &f.diag, &o, &out), 0);
	fixture_done(&f);
	return out;
}

static struct json_object *parse(const char *name)
{
	struct buf b = render(name, "json");
	struct json_object *o = json_tokener_parse(buf_text(&b));

	assert_non_null(o);
	buf_done(&b);
	return o;
}

/* "/drives/0/phy/counters/1/value": a missing key fails, a null is NULL. */
static struct json_object *at(struct json_object *o, const char *path)
{
	struct json_object *value = NULL;

	if (json_pointer_get(o, path, &value) != 0)
		fail_msg("no %s", path);
	return value;
}

static void assert_text(struct json_object *o, const char *path, const char *expected)
{
	assert_true(json_object_is_type(at(o, path), json_type_string));
	assert_string_equal(json_object_get_string(at(o, path)), expected);
}

static void assert_int(struct json_object *o, const char *path, int64_t expected)
{
	assert_true(json_object_is_type(at(o, path), json_type_int));
	if (json_object_get_int64(at(o, path)) != expected)
		fail_msg("%s is %s", path, json_object_get_string(at(o, path)));
}

/* The number as it stands in the text. */
static void assert_number(struct json_object *o, const char *path, const char *expected)
{
	assert_true(json_object_is_type(at(o, path), json_type_double));
	assert_string_equal(json_object_to_json_string(at(o, path)), expected);
}

static void assert_null_at(struct json_object *o, const char *path)
{
	if (at(o, path))
		fail_msg("%s is not null", path);
}

/* json_pointer_get() cannot tell a null in an array from none. */
static void assert_null_item(struct json_object *o, const char *path, size_t i)
{
	assert_true(json_object_array_length(at(o, path)) > i);
	assert_null(json_object_array_get_idx(at(o, path), i));
}

static void assert_len(struct json_object *o, const char *path, size_t n)
{
	assert_int_equal(json_object_array_length(at(o, path)), n);
}

static void head_and_verdict(void **state)
{
	struct json_object *o = parse("constant");

	(void)state;
	assert_int(o, "/drivewhy/format", 1);
	assert_text(o, "/drivewhy/database", "test.1");
	assert_text(o, "/drivewhy/severity", "warning");
	assert_text(o, "/drives/0/identity/model", "ACME SSD 830 Series");
	assert_text(o, "/drives/0/identity/serial", "TEST0000001");
	assert_int(o, "/drives/0/identity/capacity_bytes", 512110190592);
	assert_int(o, "/drives/0/identity/rotation_rpm", 0);
	assert_text(o, "/drives/0/verdict/code", "D11");
	assert_text(o, "/drives/0/verdict/confidence", "moderate");
	assert_len(o, "/drives/0/findings", 2);
	assert_text(o, "/drives/0/findings/0/evidence/1/clock", "drive power-on");
	assert_text(o, "/drives/0/findings/0/evidence/1/side", "drive");
	assert_text(o, "/drives/0/findings/0/where_confidence", "strong");
	assert_true(json_object_get_boolean(at(o, "/drives/0/findings/1/runner_up")));
	assert_null_at(o, "/drives/0/findings/1/where");
	assert_int(o, "/drives/0/coverage/percent", 60);
	json_object_put(o);
}

static void facts_have_unit_clock_and_source(void **state)
{
	struct json_object *o = parse("link");

	(void)state;
	assert_int(o, "/drives/0/facts/interface_crc_errors/value", 4739);
	assert_text(o, "/drives/0/facts/interface_crc_errors/clock", "lifetime");
	assert_text(o, "/drives/0/facts/interface_crc_errors/trust", "bytes");
	assert_text(o, "/drives/0/facts/interface_crc_errors/source",
		    "ata/log/04/06, byte 24");
	assert_text(o, "/drives/0/facts/power_on_hours/unit", "hours");
	assert_text(o, "/drives/0/facts/power_on_hours/source", "report.txt, line 40");
	assert_null_at(o, "/drives/0/facts/model/unit");
	json_object_put(o);
}

static void counts_that_moved(void **state)
{
	struct json_object *o = parse("link");

	(void)state;
	assert_len(o, "/drives/0/trend", 1);
	assert_text(o, "/drives/0/trend/0/name", "interface_crc_errors");
	assert_int(o, "/drives/0/trend/0/first", 4700);
	assert_int(o, "/drives/0/trend/0/last", 4739);
	assert_int(o, "/drives/0/trend/0/delta", 39);
	assert_len(o, "/drives/0/snapshots", 2);
	assert_text(o, "/drives/0/snapshots/0/role", "import");
	assert_null_at(o, "/drives/0/snapshots/0/taken");
	/* date -u -d @1764525076 */
	assert_text(o, "/drives/0/snapshots/1/taken", "2025-11-30T17:51:16.120Z");
	json_object_put(o);
}

static void phy_counters(void **state)
{
	struct json_object *o = parse("link");

	(void)state;
	assert_int(o, "/drives/0/phy/trust", 80);
	assert_len(o, "/drives/0/phy/counters", 6);
	assert_text(o, "/drives/0/phy/counters/1/hex", "0x0003");
	assert_int(o, "/drives/0/phy/counters/1/id", 3);
	assert_text(o, "/drives/0/phy/counters/1/direction", "drive->host");
	assert_true(json_object_get_boolean(at(o, "/drives/0/phy/counters/1/saturated")));
	assert_null_at(o, "/drives/0/phy/counters/1/delta");
	assert_int(o, "/drives/0/phy/counters/0/delta", 37);
	assert_text(o, "/drives/0/phy/counters/4/trust", "doubtful");
	assert_text(o, "/drives/0/phy/counters/3/trust", "swapped");
	assert_number(o, "/drives/0/link/current_gbps", "1.5");
	assert_number(o, "/drives/0/link/port_max_gbps", "6.0");
	assert_null_at(o, "/drives/0/link/limit_gbps");
	json_object_put(o);
}

static void reads_with_latency_and_foreign_load(void **state)
{
	struct json_object *o = parse("constant");

	(void)state;
	assert_len(o, "/drives/0/reads", 1);
	assert_text(o, "/drives/0/reads/0/source", "fio 2.0.8");
	assert_text(o, "/drives/0/reads/0/title", "zuf\xc3\xa4lliglesen");
	assert_text(o, "/drives/0/reads/0/pattern", "randread");
	assert_number(o, "/drives/0/reads/0/iops", "253.416");
	assert_int(o, "/drives/0/reads/0/bandwidth_bytes", 1037992);
	/* full latency wins over completion latency */
	assert_int(o, "/drives/0/reads/0/latency_ns/mean", 3940350);
	assert_text(o, "/drives/0/reads/0/latency_ns/kind", "lat");
	assert_int(o, "/drives/0/reads/0/latency_ns/percentile/50", 205000);
	assert_int(o, "/drives/0/reads/0/latency_ns/percentile/99.99", 22912000);
	assert_text(o, "/drives/0/reads/0/latency_ns/percentile_kind", "clat");
	assert_number(o, "/drives/0/reads/0/slow/share", "0.4233");
	assert_int(o, "/drives/0/reads/0/clat_ns/mean", 3915390);
	assert_null_at(o, "/drives/0/reads/0/slat_ns/mean");
	assert_number(o, "/drives/0/reads/0/cpu/user", "0.0031");
	assert_number(o, "/drives/0/reads/0/depth_levels/0/share", "1.0");
	assert_number(o, "/drives/0/reads/0/steps/0/share", "0.211");
	assert_int(o, "/drives/0/reads/0/modes/1/center_ns", 5800000);
	assert_null_at(o, "/drives/0/reads/0/buckets/1/up_to_ns");
	/* the disk, not the dm device above it */
	assert_text(o, "/drives/0/reads/0/foreign/disk", "sda");
	assert_int(o, "/drives/0/reads/0/foreign/reads", 16688);
	assert_number(o, "/drives/0/reads/0/foreign/share", "0.308963");
	assert_number(o, "/drives/0/reads/0/foreign/mean_outstanding", "2.19");
	json_object_put(o);
}

static void tables_of_the_drive(void **state)
{
	struct json_object *o = parse("media");

	(void)state;
	assert_int(o, "/drives/0/error_log/count", 12);
	assert_text(o, "/drives/0/error_log/log", "extended comprehensive");
	assert_len(o, "/drives/0/error_log/entries", 1);
	assert_int(o, "/drives/0/error_log/entries/0/lba", 123456789);
	assert_len(o, "/drives/0/error_log/entries/0/commands", 2);
	assert_text(o, "/drives/0/error_log/entries/0/commands/1",
		    "ef 10 02 SET FEATURES");
	assert_text(o, "/drives/0/self_tests/0/result", "Completed: read failure");
	assert_int(o, "/drives/0/statistics/0/page", 1);
	assert_int(o, "/drives/0/statistics/0/offset", 0x10);
	assert_int(o, "/drives/0/statistics/0/value", 31337);
	assert_int(o, "/drives/0/log_directory/0/address", 0x11);
	assert_text(o, "/drives/0/log_directory/0/hex", "0x11");
	assert_int(o, "/drives/0/pending_defects/0/lba", 123456789);
	assert_int(o, "/drives/0/selective_spans/0/span", 1);
	assert_int(o, "/drives/0/selective_spans/0/max_lba", 65535);
	assert_int(o, "/drives/0/temperature_history/0/index", 5);
	assert_int(o, "/drives/0/temperature_history/0/celsius", -1);
	assert_text(o, "/drives/0/settings/0", "Write cache is: Enabled");
	json_object_put(o);
	o = parse("constant");
	assert_len(o, "/drives/0/attributes", 2);
	assert_int(o, "/drives/0/attributes/1/id", 199);
	assert_int(o, "/drives/0/attributes/1/value", 253);
	assert_int(o, "/drives/0/attributes/1/threshold", 10);
	assert_text(o, "/drives/0/attributes/1/raw_text", "0");
	assert_null_at(o, "/drives/0/attributes/1/when_failed");
	json_object_put(o);
}

static void host_tables(void **state)
{
	struct json_object *o = parse("host");

	(void)state;
	assert_len(o, "/drives", 0);
	assert_text(o, "/host/findings/0/code", "P02");
	assert_text(o, "/host/comparisons/0/columns/1", "3.9.0-rc6 ext4tag");
	assert_len(o, "/host/comparisons/0/rows", 2);
	assert_text(o, "/host/comparisons/0/rows/0/name", "Mean sda-w_await");
	assert_number(o, "/host/comparisons/0/rows/0/values/0", "11228.8");
	assert_null_item(o, "/host/comparisons/0/rows/0/change_percent", 0);
	assert_number(o, "/host/comparisons/0/rows/0/change_percent/1", "-0.9632");
	assert_null_item(o, "/host/comparisons/0/rows/1/values",
			 1); /* nan is no number */
	assert_text(o, "/host/comparisons/0/rows/1/texts/1", "nan");
	assert_int(o, "/host/stalled_tasks/0/total_ms", 3325677);
	assert_int(o, "/host/stalled_tasks/0/events", 57);
	assert_int(o, "/messages/0/line", 48);
	assert_null_at(o, "/messages/0/byte");
	json_object_put(o);
}

static void large_integers_also_as_text(void **state)
{
	struct json_object *o = parse("large"), *facts;
	struct buf b = render("large", "json");

	(void)state;
	assert_non_null(strstr(buf_text(&b), "\"capacity_bytes\": 18446744073709551615"));
	assert_text(o, "/drives/0/identity/capacity_bytes_s", "18446744073709551615");
	assert_text(o, "/drives/0/facts/host_written_bytes/value_s", "9007199254740993");
	facts = at(o, "/drives/0/facts/host_read_bytes");
	assert_false(json_object_object_get_ex(facts, "value_s", NULL));
	assert_text(o, "/drives/0/statistics/0/value_s", "-9223372036854775808");
	assert_text(o, "/drives/0/phy/counters/0/value_s", "18446744073709551615");
	assert_int(o, "/messages_dropped", 3);
	assert_int(o, "/messages/0/byte", 512);
	json_object_put(o);
	buf_done(&b);
}

static void absent_is_null_or_empty(void **state)
{
	static const char *const nulls[] = {
		"/drives/0/identity/model",
		"/drives/0/identity/serial",
		"/drives/0/identity/capacity_bytes",
		"/drives/0/verdict/code",
		"/drives/0/phy/trust",
		"/drives/0/link/current_gbps",
		"/drives/0/error_log/count",
	};
	static const char *const empty[] = {
		"/drives/0/findings",	  "/drives/0/ignored",
		"/drives/0/attributes",	  "/drives/0/kernel_events",
		"/drives/0/reads",	  "/drives/0/trend",
		"/drives/0/phy/counters", "/host/findings",
		"/host/comparisons",	  "/messages",
	};
	struct json_object *o = parse("absent");

	(void)state;
	for (size_t i = 0; i < array_size(nulls); i++)
		assert_null_at(o, nulls[i]);
	for (size_t i = 0; i < array_size(empty); i++)
		assert_len(o, empty[i], 0);
	json_object_put(o);
	o = parse("nothing");
	assert_len(o, "/drives", 0);
	json_object_put(o);
}

/* Valid text comes back unchanged; a byte that is no UTF-8 reads as \xNN. */
static void hostile_text(void **state)
{
	struct json_object *o = parse("hostile");
	struct buf b = render("hostile", "json");

	(void)state;
	assert_text(o, "/drives/0/identity/model",
		    "\x1b[31mEVIL\x1b]0;t\x07 \"<b>|`*_[x](y)\\ "
		    "\\xff\xc2\x9b\xe2\x80\xae\x7f");
	assert_non_null(strstr(buf_text(&b), "\\u001b[31mEVIL"));
	assert_non_null(strstr(buf_text(&b), "\\u009b\\u202e\\u007f"));
	json_object_put(o);
	buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(head_and_verdict),
		cmocka_unit_test(facts_have_unit_clock_and_source),
		cmocka_unit_test(counts_that_moved),
		cmocka_unit_test(phy_counters),
		cmocka_unit_test(reads_with_latency_and_foreign_load),
		cmocka_unit_test(tables_of_the_drive),
		cmocka_unit_test(host_tables),
		cmocka_unit_test(large_integers_also_as_text),
		cmocka_unit_test(absent_is_null_or_empty),
		cmocka_unit_test(hostile_text),
	};

	return cmocka_run_group_tests_name("render-json", tests, NULL, NULL);
}
