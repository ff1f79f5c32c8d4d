/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "import/import.h"

/* What the text gives, as the lines of all items, one after another. */
static void expect(const char *text, const char *facts)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct import_stats st = { 0 };
	struct buf got = { 0 };

	assert_int_equal(import_read(span_of_text(text), "t", &c, &d, &st),
			 *facts ? 0 : -ENOMSG);
	for (size_t i = 0; i < c.n_subjects; i++) {
		const struct cap_item *item = &c.subjects[i].snapshots[0].items[0];

		buf_puts(&got, c.subjects[i].kind == CAP_HOST ? "host\n" : "drive\n");
		buf_add(&got, item->body.data, item->body.len);
	}
	assert_string_equal(buf_text(&got), facts);
	buf_done(&got);
	capture_done(&c);
	diag_done(&d);
}

static void settings(void **state)
{
	static const char *const rows[][2] = {
		{ "/sys/class/scsi_host/host0/link_power_management_policy:min_power\n",
		  "host\nlink_power_policy=\"min_power\" @1\n" },
		{ "$ cat /sys/class/scsi_host/host0/link_power_management_policy\n"
		  "max_performance\n",
		  "host\nlink_power_policy=\"max_performance\" @2\n" },
		{ "> link_power_management_policy = med_power_with_dipm\n",
		  "host\nlink_power_policy=\"med_power_with_dipm\" @1\n" },
		{ "/sys/block/sda/queue/scheduler:noop deadline [cfq]\n",
		  "drive\ndevice=\"sda\" @1\nscheduler=\"cfq\" @1\n" },
		{ "# cat /sys/block/sdb/device/queue_depth\n1\n",
		  "drive\ndevice=\"sdb\" @1\nqueue_depth=1 @2\n" },
		/* sentences, values that do not exist, and text that was cut are no settings */
		{ "I set link_power_management_policy to min_power\n", "" },
		{ "link_power_management_policy: tuned by hand\n", "" },
		{ "/sys/block/sda/queue/scheduler:noop deadline cfq\n", "" },
		{ "/sys/block/sda/device/queue_depth:31 or so\n", "" },
		{ "/sys/block/sda/device/queue_depth:3", "" },
		{ "queue/scheduler: [none]\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		expect(rows[i][0], rows[i][1]);
}

static void ports_that_differ_tell_nothing(void **state)
{
	static const char text[] = "host0/link_power_management_policy:min_power\n"
				   "host1/link_power_management_policy:max_performance\n";

	(void)state;
	expect(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings),
		cmocka_unit_test(ports_that_differ_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
