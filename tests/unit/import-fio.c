/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of fio 2.0.8 to 3.33; every expected figure is worked out by hand from the text. */
#include "import-facts.h"

#include "import/fio-scan.h"

static void sizes(void **state)
{
	static const struct {
		const char *text;
		enum fio_era era;
		bool good;
		uint64_t value, unit;
	} rows[] = {
		{ "60832KB", FIO_ERA_2, true, 62291968, 1024 },
		{ "957355 B", FIO_ERA_2, true, 957355, 1 },
		{ "551816B", FIO_ERA_2, true, 551816, 1 },
		{ "4096.0MB", FIO_ERA_2, true, 4294967296, 1048576 },
		{ "1013.7KB", FIO_ERA_2, true, 1038029, 1024 }, /* 1038028.8 */
		{ "1M", FIO_ERA_2, true, 1048576, 1048576 },
		{ "4K", FIO_ERA_2, true, 4096, 1024 },
		{ "53.2MiB", FIO_ERA_3, true, 55784243, 1048576 }, /* 55784243.2 */
		{ "55.8MB", FIO_ERA_3, true, 55800000, 1000000 },
		{ "6064kB", FIO_ERA_3, true, 6064000, 1000 },
		{ "4096B", FIO_ERA_3, true, 4096, 1 },
		{ "2 53KB", FIO_ERA_2, false, 0, 0 },
		{ "53.2Mi", FIO_ERA_3, false, 0, 0 }, /* cut: B or bit */
		{ "53.2", FIO_ERA_3, false, 0, 0 },
		{ "12.KB", FIO_ERA_2, false, 0, 0 },
		{ "1x2KB", FIO_ERA_2, false, 0, 0 },
		{ "4Kbit", FIO_ERA_2, false, 0, 0 },
		{ "1.5B", FIO_ERA_2, false, 0, 0 },
		{ "99999999999999999999KB", FIO_ERA_2, false, 0, 0 },
		{ "99999999999999999PB", FIO_ERA_2, false, 0, 0 },
		{ "", FIO_ERA_2, false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct scan sc = { rows[i].text };
		struct quantity q = { 0 };
		bool good = scan_size(&sc, rows[i].era, &q) && scan_end(&sc);

		if (good != rows[i].good ||
		    (good && (q.value != rows[i].value || q.unit != rows[i].unit)))
			fail_msg("%s: %d %llu", rows[i].text, good,
				 (unsigned long long)q.value);
	}
}

static void thousands(void **state)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t value;
	} rows[] = {
		{ "152764", true, 152764 },
		{ "13.6k", true, 13600 },
		{ "4122.9K", true, 4122900 },
		{ "11476K", true, 11476000 },
		{ "253 ", true, 253 },
		{ "1.2M", true, 1200000 },
		{ "1.5", false, 0 },
		{ "13.6kk", false, 0 },
		{ "k", false, 0 },
		{ "1 3", false, 0 },
		{ "18446744073709551616", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		struct scan sc = { rows[i].text };
		struct quantity q = { 0 };
		bool good = scan_thousands(&sc, &q) && scan_end(&sc);

		if (good != rows[i].good || (good && q.value != rows[i].value))
			fail_msg("%s: %d %llu", rows[i].text, good,
				 (unsigned long long)q.value);
	}
}

static void products_do_not_overflow(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_true(muldiv_round(15208, 1000000, 60012, &v));
	assert_int_equal(v, 253416); /* 253415.98 */
	assert_true(muldiv_round(1, 1, 2, &v));
	assert_int_equal(v, 1); /* half rounds up */
	assert_true(muldiv_round(UINT64_MAX, 1, 1, &v));
	assert_true(v == UINT64_MAX);
	v = 7;
	assert_false(muldiv_round(UINT64_MAX, 2, 1, &v));
	assert_false(muldiv_round(1, 1, 0, &v));
	assert_false(muldiv_round(UINT64_MAX - 1, UINT64_MAX, UINT64_MAX, &v));
	assert_int_equal(v, 7);
}

struct whole {
	const char *file;
	size_t reports;
	const char *const *want;
	const char *note; /* a part of a message that must be there */
};

static const char *const v2_0_8[] = {
	"device=\"sdb\"",
	"!posted_", /* the drive's own report may be posted, too */
	"read[0].source=\"fio 2.0.8\"",
	"read[0].title=\"random\"",
	"read[0].batch=0",
	"read[0].group=0",
	"read[0].jobs=1",
	"read[0].pattern=\"randread\"",
	"read[0].direction=\"read\"",
	"read[0].engine=\"libaio\"",
	"read[0].depth=1",
	"read[0].block_bytes=4096",
	"!read[0].block_max_bytes",
	"read[0].direct=1",
	"read[0].target=\"/dev/sdb\"",
	"read[0].options=\"fio --readonly ./slow.job; job file: ioengine = libaio "
	"direct=1 "
	"filename=/dev/sdb blocksize=4k rw=randread runtime=60\"",
	"read[0].error=0",
	"!read[0].started",
	"read[0].ios=12000",
	"read[0].short_ios=0",
	"read[0].runtime_ms=60000",
	"read[0].iops_milli=200000",
	"read[0].bytes=49152000", /* 12000 x 4096 */
	"read[0].bandwidth_bytes=819200",
	"read[0].posted_iops_milli=200000",
	"read[0].posted_bandwidth_bytes=819200",
	"read[0].posted_bytes=49152000", /* 48000 KB */
	"read[0].slat_min_ns=4000",
	"read[0].slat_max_ns=892000",
	"read[0].slat_mean_ns=24360",
	"read[0].slat_stddev_ns=6050",
	"read[0].clat_min_ns=2000",
	"read[0].clat_max_ns=27575000",
	"read[0].clat_mean_ns=4915390",
	"read[0].clat_stddev_ns=4990690",
	"read[0].lat_min_ns=44000",
	"read[0].lat_mean_ns=4940350",
	"read[0].percentile_of=\"clat\"",
	"read[0].percentile[1000]=41000",
	"read[0].percentile[50000]=205000",
	"read[0].percentile[60000]=4960000",
	"read[0].percentile[99950]=21120000",
	"read[0].percentile[99990]=22912000",
	"!read[0].percentile[10000]",
	"read[0].bw_min_bytes=259072",	/* 253 x 1024 */
	"read[0].bw_mean_bytes=820081", /* 800.86 x 1024 = 820080.64 */
	"read[0].bucket[4000]=500",
	"read[0].bucket[50000]=280700",
	"read[0].bucket[100000]=199400", /* the digits left; the others sum to 80.06 % */
	"read[0].bucket_repaired[100000]=1",
	"!read[0].bucket_repaired[50000]",
	"read[0].bucket[20000000]=215100",
	"read[0].cpu_user_ppm=3100",
	"read[0].cpu_system_ppm=8800",
	"read[0].context_switches=12050",
	"read[0].major_faults=0",
	"read[0].minor_faults=23",
	"read[0].depth_level[1]=1000000",
	"read[0].depth_level[64]=0",
	"read[1].title=\"along\"",
	"read[1].pattern=\"read\"",
	"read[1].group=1",
	"read[1].ios=22000",
	"read[1].short_ios=3",
	"read[1].iops_milli=366667",
	"read[1].bytes=90112000", /* 88000 KB: with short reads the count says nothing */
	"read[1].bandwidth_bytes=1501867",
	"!read[1].bucket[100000]", /* 20.x0% with 75 % in the others: no proof */
	"!read[1].bucket_repaired",
	"!read[1].percentile",
	"read[2].batch=1",
	"read[2].error=5",
	"read[2].target=\"/dev/sdb\"",
	"read[2].options=\"fio --readonly ./slow.job # blockalign=512k\"",
	"read[2].ios=1",
	"disk[0].name=\"sdb\"",
	"disk[0].batch=0",
	"!disk[0].aggregate",
	"disk[0].reads=50013",
	"disk[0].writes=1836",
	"disk[0].read_merges=291",
	"disk[0].write_merges=17",
	"disk[0].read_ms=251660",
	"disk[0].write_ms=11052",
	"disk[0].queue_ms=262668",
	"disk[0].util_ppm=995100",
	"!disk[1]",
	"!read[3]",
	NULL,
};

static const char *const v2_1_11[] = {
	"device=\"sdc\"", /* the disk below the logical volume */
	"read[0].source=\"fio 2.1.11\"",
	"read[0].direction=\"read\"",
	"read[1].direction=\"write\"",
	"read[0].pattern=\"randrw\"",
	"read[1].pattern=\"randrw\"",
	"read[0].target=\"/srv/t\"",
	"read[0].started=\"Sat Jul 16 14:24:12 2016\"",
	"read[0].ios=90000",
	"read[1].ios=30000",
	"read[0].iops_milli=3000000",
	"read[1].iops_milli=1000000",
	"read[0].bandwidth_bytes=12288000",
	"read[1].bandwidth_bytes=4096000",
	"!read[0].clat",
	"!read[0].percentile",
	"!read[0].bucket", /* of reads and writes together */
	"!read[1].bucket",
	"read[0].depth_level[64]=1099000", /* fio prints such */
	"disk[0].name=\"dm-1\"",
	"disk[0].aggregate=1",
	"disk[0].reads=89000",
	"disk[0].writes=29000",
	"disk[0].util_ppm=1000000",
	"disk[1].name=\"sdc\"",
	"!disk[1].aggregate",
	"disk[1].reads=91000",
	"disk[1].write_merges=1852",
	NULL,
};

static const char *const v2_2_10[] = {
	"!device", /* two disks */
	"read[0].direction=\"write\"",
	"read[0].jobs=8",
	"read[0].depth=16",
	"read[0].ios=240000",
	"read[0].bytes=983040000", /* 937.5 MB */
	"read[0].bandwidth_bytes=8192000",
	"read[0].slat_min_ns=2000",
	"read[0].slat_max_ns=4122900000", /* 4122.9K usec */
	"read[0].slat_stddev_ns=12568370",
	"read[0].clat_min_ns=1000000", /* msec on the next line */
	"read[0].clat_max_ns=4251000000",
	"read[0].clat_mean_ns=15710000",
	"read[0].percentile[99900]=3884000000",
	"read[0].percentile[99950]=9110000000",
	"!read[0].percentile[99990]", /* 16712 msec: the end of the scale */
	"read[0].bucket[100000000]=911500",
	"read[0].bucket[4294967295]=100",
	"disk[0].name=\"sda\"",
	"disk[1].name=\"sdb\"",
	"disk[1].writes=0",
	NULL,
};

static const char *const v2_16[] = {
	"!device",
	"read[0].ios=24",
	"read[0].bytes=98304",
	"read[0].posted_bandwidth_bytes=479531",
	"read[0].bandwidth_bytes=479532", /* 98304000 / 205 = 479531.7 */
	"read[0].iops_milli=117073",	  /* 24000000 / 205 = 117073.2 */
	"read[0].posted_iops_milli=117000",
	"read[0].engine=\"psync\"",
	"!read[0].options",
	"!read[0].direct=",
	NULL,
};

static const char *const v2_20[] = {
	"device=\"nvme0n1\"",
	"read[0].source=\"fio 2.20\"",
	"read[0].block_bytes=4096",
	"read[0].ios=20000",
	"read[0].runtime_ms=1000",
	"read[0].iops_milli=20000000",
	"read[0].posted_iops_milli=20000000", /* 20.0k */
	"read[0].bytes=81920000",
	"read[0].bandwidth_bytes=81920000",
	"read[0].posted_bandwidth_bytes=81893786", /* 78.1 x 2^20 */
	"read[0].clat_mean_ns=1595750",
	"read[0].bw_min_bytes=75497472",
	"read[0].bucket[500000]=900000",
	NULL,
};

static const char *const v3_1[] = {
	"device=\"vdb\"", /* no disk statistics: the file that was written */
	"read[0].pattern=\"write\"",
	"read[0].direct=1",
	"read[0].target=\"/dev/vdb\"",
	"read[0].iops_milli=3069452", /* 307200000000 / 100083 = 3069452.4 */
	"read[0].bytes=1258291200",
	"read[0].bandwidth_bytes=12572477", /* 12572476.8: printed as 11.0MiB/s */
	"read[0].posted_bandwidth_bytes=11534336",
	"read[0].slat_min_ns=305",
	"read[0].slat_max_ns=73231000",
	"read[0].slat_mean_ns=1071",
	"read[0].slat_stddev_ns=465",
	"read[0].percentile_of=\"lat\"",
	"read[0].percentile[1000]=445000",
	"read[0].percentile[99999]=28181000",
	"read[0].bw_max_bytes=23068672", /* 22 MiB */
	"!disk[",
	NULL,
};

static const char *const v3_33[] = {
	"device=\"vda\"",
	"read[0].title=\"a\"",
	"read[0].block_bytes=4096",
	"read[0].block_max_bytes=16384",
	"read[0].ios=3600",
	"read[1].ios=1600",
	"read[0].bytes=30828134",	/* 29.4 MiB, rounded as printed: sizes vary */
	"read[0].slat_max_ns=10080000", /* 10080k nsec */
	"read[0].clat_max_ns=16590000",
	"read[1].direction=\"write\"",
	"read[1].clat_max_ns=19249000",
	"read[0].percentile[50000]=21000",
	"read[1].percentile[50000]=22000", /* not those of fsync */
	"read[1].percentile[99990]=19268000",
	"!read[0].bucket",
	"read[2].title=\"b\"",
	"read[2].group=1",
	"read[2].jobs=2",
	"read[2].depth=1",
	"read[2].engine=\"psync\"",
	"read[2].iops_milli=232064000",
	"read[2].bytes=1901068288",
	"read[2].clat_min_ns=752",
	"read[2].clat_max_ns=7228400",
	"read[2].percentile[99950]=1744896",
	"read[2].bucket[1000]=25000",
	"read[2].bucket[2000]=740500",
	"disk[0].read_merges=1531",
	"disk[0].queue_ms=5579",
	NULL,
};

static const struct whole wholes[] = {
	{ "fio-2.0.8.txt", 3, v2_0_8, "the digits left in it, 19.94 %, are right" },
	{ "fio-2.1.11-mixed-dm.txt", 2, v2_1_11, "all directions together" },
	{ "fio-2.2.10-slow.txt", 1, v2_2_10, "beyond the end of fio's scale" },
	{ "fio-2.16-bytes.txt", 1, v2_16, NULL },
	{ "fio-2.20-kib.txt", 1, v2_20, NULL },
	{ "fio-3.1-carry.txt", 1, v3_1, NULL },
	{ "fio-3.33-fsync.txt", 3, v3_33, NULL },
};

static void whole_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(wholes); i++) {
		struct imported f;

		imported_read_file(&f, wholes[i].file);
		assert_int_equal(f.r, 0);
		if (f.st.reports != wholes[i].reports)
			fail_msg("%s: %zu runs", wholes[i].file, f.st.reports);
		imported_assert(&f, wholes[i].want);
		if (wholes[i].note)
			imported_assert_note(&f, wholes[i].note);
		imported_done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(thousands),
		cmocka_unit_test(products_do_not_overflow),
		cmocka_unit_test(whole_texts),
	};

	return cmocka_run_group_tests_name("import-fio", tests, NULL, NULL);
}
