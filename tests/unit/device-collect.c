/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which commands are sent, in which order, and what stands in the capture of each. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "device-outcome.h"

static uint8_t disk[512], ssd[512], data[512], thresholds[512], phy[512];

static int setup(void **state)
{
	(void)state;
	fake_identify(disk, "TESTDISK 1", 7200);
	fake_identify(ssd, "TESTDISK 2", 1);
	fake_smart_data(data);
	fake_thresholds(thresholds);
	fake_phy(phy, 3, 7);
	return 0;
}

static void link_check_is_one_command(void **state)
{
	struct collect_options o = { .level = LEVEL_LINK, .identify = { ssd, 512 } };

	(void)state;
	RUN(got, &o, PAGE("READ LOG DMA EXT 11h page 0, 1", phy));
	assert_string_equal(buf_text(&got.text), "ata/identify ok from=kernel 512\n"
						 "ata/log/11/00 ok 512\n");
	assert_int_equal(got.stats.commands, 1);
	outcome_done(&got);
}

/* What rotates is asked first whether it sleeps. */
static void link_check_of_a_disk(void **state)
{
	struct collect_options o = { .level = LEVEL_LINK, .identify = { disk, 512 } };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("READ LOG DMA EXT 11h page 0, 1", phy));
	assert_string_equal(buf_text(&got.text),
			    AWAKE_ITEM "ata/identify ok from=kernel 512\n"
				       "ata/log/11/00 ok 512\n");
	outcome_done(&got);
}

static void dma_falls_back_once(void **state)
{
	struct collect_options o = { .level = LEVEL_LINK, .identify = { ssd, 512 } };

	(void)state;
	RUN(got, &o, ABORTED("READ LOG DMA EXT 11h page 0, 1"),
	    PAGE("READ LOG EXT 11h page 0, 1", phy));
	assert_string_equal(buf_text(&got.text), "ata/identify ok from=kernel 512\n"
						 "ata/log/11/00 ok 512\n");
	assert_true(script.transport.no_dma_logs);
	outcome_done(&got);
}

static void a_refusal_is_recorded(void **state)
{
	struct collect_options o = { .level = LEVEL_LINK };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", disk),
	    ABORTED("READ LOG DMA EXT 11h page 0, 1"),
	    ABORTED("READ LOG EXT 11h page 0, 1"));
	assert_string_equal(buf_text(&got.text),
			    AWAKE_ITEM "ata/identify ok 512\n"
				       "ata/log/11/00 failed error=EIO ata_status=51 "
				       "ata_error=04 ata_count=00 ata_lba=000000 "
				       "ata_device=00 0\n");
	outcome_done(&got);
}

/* A quick look at health: the link's page is read although SMART is off, nothing else is. */
static void smart_off_is_not_asked(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK };
	uint8_t off[512];

	(void)state;
	memcpy(off, disk, 512);
	fake_set_word(off, 85, 0x3468);
	fake_checksum(off);
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", off),
	    PAGE("READ LOG DMA EXT 11h page 0, 1", phy));
	outcome_done(&got);
}

static void quick_health(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", disk),
	    PAGE("READ LOG DMA EXT 11h page 0, 1", phy),
	    { "SMART RETURN STATUS", KNOWN(0, 0xc24f00) }, PAGE("SMART READ DATA", data),
	    PAGE("SMART READ THRESHOLDS", thresholds));
	assert_string_equal(buf_text(&got.text), AWAKE_ITEM
			    "ata/identify ok 512\n"
			    "ata/log/11/00 ok 512\n"
			    "ata/smart/status ok ata_status=50 ata_error=00 ata_count=00 "
			    "ata_lba=c24f00 ata_device=00 0\n"
			    "ata/smart/data ok 512\n"
			    "ata/smart/thresholds ok 512\n");
	assert_in_range(got.stats.commands, 4, 6);
	outcome_done(&got);
}

static void unknown_registers_are_said(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK };

	(void)state;
	RUN(got, &o, { "CHECK POWER MODE" }, PAGE("IDENTIFY DEVICE", disk),
	    PAGE("READ LOG DMA EXT 11h page 0, 1", phy), { "SMART RETURN STATUS" },
	    PAGE("SMART READ DATA", data), PAGE("SMART READ THRESHOLDS", thresholds));
	assert_non_null(
		strstr(buf_text(&got.text), "ata/power-mode ok registers=unknown 0\n"));
	assert_non_null(
		strstr(buf_text(&got.text), "ata/smart/status ok registers=unknown 0\n"));
	outcome_done(&got);
}

/* --- what the database forbids ---------------------------------------------------------------------- */

static bool reads(const char *model, const char *record, const char *command)
{
	static const uint8_t page[512];
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new_empty();
	struct collect_options o = { .level = LEVEL_FULL, .db = db };
	struct fake_drive f;
	struct outcome got;
	uint8_t identify[512];
	bool sent;

	assert_non_null(db);
	assert_int_equal(drivedb_add(db, span_of_text(record), "test", &d), 0);
	assert_int_equal(d.n, 0);
	fake_identify(identify, model, 1);
	fake_drive_init(&f);
	f.identify = identify;
	fake_drive_add_log(&f, false, 0x11, 1, phy);
	fake_drive_add_log(&f, false, 0x07, 1, page);
	got = collect_outcome(&f.transport, &o);
	sent = fake_drive_count(&f, command) > 0;
	if (!sent)
		assert_non_null(
			strstr(buf_text(&got.text), " skipped reason=database 0\n"));
	outcome_done(&got);
	drivedb_free(db);
	diag_done(&d);
	return sent;
}

#define HEAD "# Source: test\nata:mnTESTDISK HANGS*:fwFW0*:\n"

static void records_stop_what_hangs_a_drive(void **state)
{
	(void)state;
	assert_false(reads("TESTDISK HANGS 1", HEAD " NO_LOG=10 11\n", "EXT 11h"));
	assert_true(reads("TESTDISK HANGS 1", HEAD " NO_LOG=07\n", "EXT 11h"));
	assert_true(reads("TESTDISK 1", HEAD " NO_LOG=11\n", "EXT 11h"));
}

static void trace(void *context, const struct ata_command *c,
		  const struct transport_result *r, int error)
{
	unsigned *n = context;

	(void)c;
	assert_int_equal(error, 0);
	assert_true(r->took_us > 0);
	++*n;
}

static void each_command_is_traced(void **state)
{
	unsigned n = 0;
	struct collect_options o = { .level = LEVEL_LINK, .trace = trace, .context = &n };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", ssd),
	    PAGE("READ LOG DMA EXT 11h page 0, 1", phy));
	assert_int_equal(n, 3);
	assert_int_equal(got.stats.commands, 3);
	assert_int_equal(got.stats.took_us, 600);
	outcome_done(&got);
}

static void reset_needs_the_grant(void **state)
{
	const struct fake_step steps[] = {
		PAGE("READ LOG EXT 11h page 0, 1, then reset", phy),
	};
	struct collect_options o = { 0 };
	struct fake_script f;

	(void)state;
	fake_script_init(&f, steps, 1);
	assert_int_equal(collect_reset_phy(&f.transport, &o), -EPERM);
	f.transport.grants = 1;
	assert_int_equal(collect_reset_phy(&f.transport, &o), 0);
	assert_true(fake_script_is_done(&f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(link_check_is_one_command),
		cmocka_unit_test(link_check_of_a_disk),
		cmocka_unit_test(dma_falls_back_once),
		cmocka_unit_test(a_refusal_is_recorded),
		cmocka_unit_test(smart_off_is_not_asked),
		cmocka_unit_test(quick_health),
		cmocka_unit_test(unknown_registers_are_said),
		cmocka_unit_test(records_stop_what_hangs_a_drive),
		cmocka_unit_test(each_command_is_traced),
		cmocka_unit_test(reset_needs_the_grant),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
