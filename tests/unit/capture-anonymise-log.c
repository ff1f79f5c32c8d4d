/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serial numbers in logs that write them in a way of their own. */
#include "unit.h"

#include <string.h>

#include "capture/anonymise.h"
#include "page-fixture.h"

#define SERIAL "TEST0000001"

static struct capture c;

static int clean(void **state)
{
	(void)state;
	capture_done(&c);
	memset(&c, 0, sizeof(c));
	return 0;
}

/* Anonymise one item and give its bytes back. */
static const uint8_t *run(const char *id, const uint8_t *bytes, size_t len)
{
	struct cap_subject *s = capture_add_subject(&c, CAP_DRIVE);
	struct cap_snapshot *snapshot = capture_add_snapshot(&c, s, CAP_BEFORE, NULL);

	assert_non_null(capture_add_item(&c, snapshot, id, CAP_OK, span_of(bytes, len)));
	assert_int_equal(capture_anonymise(&c, 1), 0);
	return c.subjects[0].snapshots[0].items[0].body.data;
}

/* "TEST0000" in two fields of four letters, the WWN in two of 32 bits. */
static void farm(void **state)
{
	static uint8_t log[16384 + 64];
	const uint8_t *bytes;

	(void)state;
	page_put(log, 0, 8, UINT64_C(0xc0004641524d4552));
	page_put(log, 16384, 8, UINT64_C(0xc000000000000001));
	memcpy(log + 16384 + 16,
	       "TEST\0\0\0\xc0"
	       "0000\0\0\0\xc0\xef\xcd\xab\x12\0\0\0\xc0\0\xc5\0\x50\0\0\0\xc0",
	       32);
	page_put(log, 16384 + 48, 8, UINT64_C(0xc000000041544153));
	bytes = run("ata/log/a6/00", log, sizeof(log));
	for (size_t i = 0; i < 32; i++)
		assert_int_equal(bytes[16384 + 16 + i], i % 8 == 7 ? 0xc0 : 0);
	assert_memory_equal(bytes, log, 16384 + 16);
	assert_memory_equal(bytes + 16384 + 48, log + 16384 + 48, 16);
}

/* A log that was cut inside of a field. */
static void farm_cut(void **state)
{
	static uint8_t log[16384 + 20];

	(void)state;
	memcpy(log + 16384 + 16, "TEST", 4);
	(void)run("ata/log/a6/00", log, sizeof(log));
}

static void identify_log_by_smart(void **state)
{
	static uint8_t log[6 * 512];
	const uint8_t *bytes;
	uint8_t serial[20];

	(void)state;
	page_put(log, 5 * 512, 8, UINT64_C(1) << 63 | 5 << 16 | 1);
	page_put_string(log, 5 * 512 + 8, 20, SERIAL);
	memcpy(serial, log + 5 * 512 + 8, sizeof(serial));
	bytes = run("ata/smart-log/30", log, sizeof(log));
	assert_memory_not_equal(bytes + 5 * 512 + 8, serial, sizeof(serial));
}

/* SAS addresses and EUI-64 name one device as a serial number does; the maker's part may stay. */
static void addresses_in_facts(void **state)
{
	static const char text[] =
		"sas_port[1].phy[0].address=\"5000dead00000009\" @100\n"
		"sas_port[1].phy[0].attached_address=\"5000dead0000000a\" @101\n"
		"nvme_namespace[1].eui64=\"00dead0000000009\" @21\n"
		"sas_port[1].phy[0].attached=\"expander device\" @90\n";
	const char *now;

	(void)state;
	now = (const char *)run("facts/smartctl", (const uint8_t *)text, strlen(text));
	assert_null(memmem(now, strlen(text), "ad00000009", 10));
	assert_null(memmem(now, strlen(text), "ad0000000a", 10));
	assert_null(memmem(now, strlen(text), "ad0000000009", 12));
	assert_non_null(memmem(now, strlen(text), "\"expander device\" @90\n", 22));
	assert_non_null(
		memmem(now, strlen(text), "sas_port[1].phy[0].address=\"5000de", 34));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(farm, clean),
		cmocka_unit_test_teardown(farm_cut, clean),
		cmocka_unit_test_teardown(identify_log_by_smart, clean),
		cmocka_unit_test_teardown(addresses_in_facts, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
