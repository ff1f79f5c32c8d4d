/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives that sleep, hang, vanish or answer with less than was asked for. */
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

/* --- sleep ------------------------------------------------------------------------------------------ */

static void a_sleeping_disk_is_left_asleep(void **state)
{
	struct collect_options o = { .level = LEVEL_FULL, .identify = { disk, 512 } };

	(void)state;
	RUN(got, &o, STANDBY);
	assert_string_equal(buf_text(&got.text),
			    ASLEEP_ITEM "ata/identify ok from=kernel 512\n");
	assert_true(got.stats.asleep);
	outcome_done(&got);
}

static void a_sleeping_disk_behind_a_bridge(void **state)
{
	struct collect_options o = { .level = LEVEL_FULL };

	(void)state;
	RUN(got, &o, STANDBY, PAGE("IDENTIFY DEVICE", disk));
	assert_true(got.stats.asleep);
	outcome_done(&got);
}

static void solid_state_drives_only_claim_to_sleep(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK }, sure = o;

	(void)state;
	{
		RUN(got, &o, STANDBY, PAGE("IDENTIFY DEVICE", ssd),
		    PAGE("READ LOG DMA EXT 11h page 0, 1", phy),
		    { "SMART RETURN STATUS", KNOWN(0, 0xc24f00) },
		    PAGE("SMART READ DATA", data),
		    PAGE("SMART READ THRESHOLDS", thresholds));
		assert_false(got.stats.asleep);
		outcome_done(&got);
	}
	sure.solid_state = true;
	{
		RUN(got, &sure, STANDBY, PAGE("IDENTIFY DEVICE", disk),
		    PAGE("READ LOG DMA EXT 11h page 0, 1", phy),
		    { "SMART RETURN STATUS", KNOWN(0, 0xc24f00) },
		    PAGE("SMART READ DATA", data),
		    PAGE("SMART READ THRESHOLDS", thresholds));
		outcome_done(&got);
	}
}

static void wake_reads_it_and_waits(void **state)
{
	struct collect_options o = { .level = LEVEL_LINK,
				     .wake = true,
				     .identify = { disk, 512 } },
			       quick = { .level = LEVEL_QUICK, .wake = true };

	(void)state;
	{
		RUN(got, &o, PAGE("READ LOG DMA EXT 11h page 0, 1", phy));
		outcome_done(&got);
	}
	{
		RUN(got, &quick, STANDBY, PAGE("IDENTIFY DEVICE", disk),
		    PAGE("READ LOG DMA EXT 11h page 0, 1", phy),
		    { "SMART RETURN STATUS", KNOWN(0, 0xc24f00) },
		    PAGE("SMART READ DATA", data),
		    PAGE("SMART READ THRESHOLDS", thresholds));
		assert_true(script.timeout_ms > 20000);
		outcome_done(&got);
	}
}

/* --- what goes wrong ------------------------------------------------------------------------------- */

static void a_time_out_ends_it(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", disk),
	    { "READ LOG DMA EXT 11h page 0, 1", -ETIMEDOUT });
	assert_string_equal(buf_text(&got.text),
			    AWAKE_ITEM "ata/identify ok 512\n"
				       "ata/log/11/00 failed error=ETIMEDOUT 0\n");
	assert_true(got.stats.timed_out);
	outcome_done(&got);
}

static void removal_ends_it(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK };

	(void)state;
	RUN(got, &o, AWAKE, { "IDENTIFY DEVICE", -ENODEV });
	assert_string_equal(buf_text(&got.text),
			    AWAKE_ITEM "ata/identify failed error=ENODEV 0\n");
	assert_true(got.stats.gone);
	outcome_done(&got);
}

static void no_privilege(void **state)
{
	struct collect_options o = { .level = LEVEL_FULL };

	(void)state;
	RUN(got, &o, { "CHECK POWER MODE", -EPERM });
	assert_true(got.stats.no_permission);
	outcome_done(&got);
}

/* A bridge may refuse registers and still give data: only IDENTIFY DEVICE decides. */
static void no_pass_through(void **state)
{
	struct collect_options o = { .level = LEVEL_FULL };

	(void)state;
	RUN(got, &o, { "CHECK POWER MODE", -EOPNOTSUPP },
	    { "IDENTIFY DEVICE", -EOPNOTSUPP });
	assert_string_equal(buf_text(&got.text),
			    "ata/power-mode unsupported error=EOPNOTSUPP 0\n"
			    "ata/identify unsupported error=EOPNOTSUPP 0\n");
	assert_true(got.stats.no_passthrough);
	outcome_done(&got);
}

static void short_transfer(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", disk),
	    PAGE("READ LOG DMA EXT 11h page 0, 1", phy),
	    { "SMART RETURN STATUS", KNOWN(0, 0xc24f00) },
	    { "SMART READ DATA", .data = data, .len = 100 },
	    PAGE("SMART READ THRESHOLDS", thresholds));
	assert_non_null(
		strstr(buf_text(&got.text), "ata/smart/data failed error=ENODATA 100\n"));
	outcome_done(&got);
}

/* It is kept as it came; what to make of it is for those who decode it. */
static void wrong_checksum(void **state)
{
	struct collect_options o = { .level = LEVEL_LINK, .identify = { ssd, 512 } };
	uint8_t wrong[512];

	(void)state;
	memcpy(wrong, phy, 512);
	wrong[6] ^= 1;
	{
		RUN(got, &o, PAGE("READ LOG DMA EXT 11h page 0, 1", wrong));
		assert_memory_equal(
			got.capture.subjects[0].snapshots[0].items[1].body.data, wrong,
			512);
		outcome_done(&got);
	}
}

/* Nothing that says what the drive has: nothing more is asked. */
static void an_empty_identity(void **state)
{
	static const uint8_t zero[512];
	struct collect_options o = { .level = LEVEL_FULL };

	(void)state;
	RUN(got, &o, AWAKE, PAGE("IDENTIFY DEVICE", zero));
	outcome_done(&got);
}

static void the_drive_has_a_deadline(void **state)
{
	struct collect_options o = { .level = LEVEL_QUICK,
				     .command_ms = 5000,
				     .drive_ms = 150 };
	struct fake_drive f;
	struct outcome got;

	(void)state;
	fake_drive_init(&f);
	f.identify = disk;
	f.delay_ms = 100;
	got = collect_outcome(&f.transport, &o);
	assert_true(got.stats.timed_out);
	assert_in_range(f.n_commands, 1, 2);
	outcome_done(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleeping_disk_is_left_asleep),
		cmocka_unit_test(a_sleeping_disk_behind_a_bridge),
		cmocka_unit_test(solid_state_drives_only_claim_to_sleep),
		cmocka_unit_test(wake_reads_it_and_waits),
		cmocka_unit_test(a_time_out_ends_it),
		cmocka_unit_test(removal_ends_it),
		cmocka_unit_test(no_privilege),
		cmocka_unit_test(no_pass_through),
		cmocka_unit_test(short_transfer),
		cmocka_unit_test(wrong_checksum),
		cmocka_unit_test(an_empty_identity),
		cmocka_unit_test(the_drive_has_a_deadline),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
