/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three public threads that this program was asked for, when they lie beside the checkout. The
 * expected figures were typed from the texts; rates are count x 1000 / time, by hand.
 */
#include "import-facts.h"

#include <stdio.h>

#include "files.h"

static void check(const char *name, const char *const *want)
{
	struct buf text cleanup_buf = { 0 };
	struct imported f;
	char path[FILES_PATH];

	assert_true(files_read(files_shared(name, path), &text));
	imported_read(&f, buf_text(&text), text.len);
	assert_int_equal(f.r, 0);
	imported_assert(&f, want);
	imported_done(&f);
}

static const char *const slow_ssd[] = {
	"device=\"sda\"",
	"read[0].source=\"fio 2.0.8\"",
	"read[0].title=\"zuf\xc3\xa4lliglesen\"",
	"read[0].batch=0",
	"read[0].group=0",
	"read[0].pattern=\"randread\"",
	"read[0].direction=\"read\"",
	"read[0].engine=\"libaio\"",
	"read[0].depth=1",
	"read[0].jobs=1",
	"read[0].block_bytes=4096",
	"!read[0].block_max_bytes",
	"read[0].direct=1",
	"read[0].target=\"/dev/sda\"",
	"read[0].error=0",
	"read[0].ios=15208",
	"read[0].short_ios=0",
	"read[0].runtime_ms=60012",
	"read[0].bytes=62291968",    /* 60832 KB, and 15208 x 4096 */
	"read[0].iops_milli=253416", /* 253.4160 */
	"read[0].posted_iops_milli=253000",
	"read[0].bandwidth_bytes=1037992", /* 1037991.9 */
	"read[0].slat_min_ns=4000",
	"read[0].slat_max_ns=892000",
	"read[0].slat_mean_ns=24360",
	"read[0].slat_stddev_ns=16050",
	"read[0].clat_min_ns=2000",
	"read[0].clat_max_ns=27575000",
	"read[0].clat_mean_ns=3915390",
	"read[0].clat_stddev_ns=4990690",
	"read[0].lat_min_ns=44000",
	"read[0].lat_max_ns=27591000",
	"read[0].lat_mean_ns=3940350",
	"read[0].lat_stddev_ns=4991990",
	"read[0].percentile_of=\"clat\"",
	"read[0].percentile[1000]=41000",
	"read[0].percentile[50000]=205000",
	"read[0].percentile[60000]=4960000",
	"read[0].percentile[80000]=11584000",
	"read[0].percentile[99990]=22912000",
	"read[0].bucket[4000]=500",
	"read[0].bucket[50000]=80700",
	"read[0].bucket[100000]=199400",
	"read[0].bucket_repaired[100000]=1",
	"read[0].bucket[250000]=262600",
	"read[0].bucket[10000000]=207500",
	"read[0].bucket[20000000]=215100",
	"read[0].bucket[50000000]=500",
	"read[0].cpu_user_ppm=3100",
	"read[0].context_switches=15250",
	"read[0].minor_faults=23",
	"read[0].depth_level[1]=1000000",
	"read[1].batch=0",
	"read[1].group=1",
	"read[1].title=\"sequentielllesen\"",
	"read[1].pattern=\"read\"",
	"read[1].ios=22117",
	"read[1].runtime_ms=60009",
	"read[1].iops_milli=368561", /* 368.5614 */
	"read[1].bytes=90591232",
	"read[1].percentile[99990]=21120000",
	"read[2].batch=1",
	"read[2].ios=14024",
	"read[2].runtime_ms=60001",
	"read[2].iops_milli=233729", /* 233.7294 */
	"read[2].posted_bandwidth_bytes=957355",
	"read[2].bytes=57442304",
	"read[2].target=\"/dev/sda\"",
	"read[2].direct=1",
	"read[3].batch=1",
	"read[3].ios=24898",
	"read[3].runtime_ms=60008",
	"read[3].iops_milli=414911", /* 414.9113 */
	"read[3].slat_stddev_ns=9950",
	"!read[4]",
	"!read[1].bucket_repaired",
	"!read[2].bucket_repaired",
	"disk[0].name=\"sda\"",
	"disk[0].batch=0",
	"disk[0].reads=54013",
	"disk[0].writes=1836",
	"disk[0].read_merges=291",
	"disk[0].write_merges=17",
	"disk[0].read_ms=251660",
	"disk[0].write_ms=11052",
	"disk[0].queue_ms=262668",
	"disk[0].util_ppm=995100",
	"disk[1].batch=1",
	"disk[1].reads=55021",
	"disk[1].writes=1637",
	"disk[1].read_merges=72",
	"disk[1].write_merges=39",
	"disk[1].read_ms=240896",
	"disk[1].write_ms=12080",
	"disk[1].queue_ms=252912",
	"disk[1].util_ppm=995900",
	"!disk[2]",
	NULL,
};

static void slow_new_ssd(void **state)
{
	(void)state;
	check("seeds/slow-new-ssd-thread.txt", slow_ssd);
}

static const char *const virtiofs[] = {
	"!device",
	"read[0].source=\"fio 2.13\"",
	"read[0].title=\"file\"",
	"read[0].pattern=\"randwrite\"",
	"read[0].direction=\"write\"",
	"read[0].jobs=16",
	"read[0].depth=64",
	"read[0].engine=\"libaio\"",
	"read[0].block_bytes=1048576",
	"read[0].direct=1",
	"read[0].target=\"/mnt/virtiofs/file\"",
	"read[0].started=\"Tue Aug 6 18:48:26 2019\"",
	"read[0].runtime_ms=30018",
	"read[0].bytes=28186771456", /* 26881 MB, whole blocks of 1 MB */
	"read[0].posted_iops_milli=895000",
	"read[0].posted_bandwidth_bytes=938995712", /* 916988 KB */
	"read[0].bandwidth_bytes=938995651",	    /* 938995651.1 */
	"!read[0].ios",
	"!read[0].iops_milli",
	"read[1].batch=1",
	"read[1].runtime_ms=30009",
	"read[1].bytes=55338598400", /* 52775 MB */
	"read[1].posted_iops_milli=1758000",
	"read[1].posted_bandwidth_bytes=1844130611", /* 1758.7 MB */
	"read[1].bandwidth_bytes=1844066727",	     /* 1844066726.6 */
	"!read[2]",
	"!disk[",
	NULL,
};

static void fio_on_virtiofs(void **state)
{
	(void)state;
	check("seeds/virtiofs-fio-2.13-runs.txt", virtiofs);
}

static const char *const ext4[] = {
	"comparison[0].column[0]=\"3.9.0-rc6 vanilla\"",
	"comparison[0].column[1]=\"3.9.0-rc6 ext4tag\"",
	"comparison_row[0].name=\"User min\"",
	"comparison_row[0].text[0]=\"0.00\"",
	"comparison_row[0].micro[0]=0",
	"comparison_row[0].change_ppm[1]=0",
	"comparison_row[1].name=\"User mean\"",
	"comparison_row[1].text[1]=\"nan\"",
	"!comparison_row[1].micro",
	"!comparison_row[1].change_ppm",
	"comparison_row[6].name=\"System mean\"",
	"comparison_row[6].micro[0]=9600000",
	"comparison_row[6].micro[1]=9730000",
	"comparison_row[6].change_ppm[1]=-13300",
	"comparison_row[7].name=\"System stddev\"",
	"comparison_row[7].change_ppm[1]=-1426900",
	"comparison_row[11].name=\"Elapsed mean\"",
	"comparison_row[11].text[1]=\"688.01\"",
	"comparison_row[11].micro[0]=775350000",
	"comparison_row[11].change_ppm[1]=112600",
	"comparison_row[19].name=\"CPU range\"",
	"comparison_row[19].table=0",
	"comparison_row[19].micro[1]=2000000",
	"comparison_row[19].change_ppm[1]=-1000000",
	"comparison[1].column[0]=\"3.9.0-rc6 vanilla\"",
	"comparison[1].title=\"iostat\"",
	"comparison_row[20].table=1",
	"comparison_row[20].name=\"Mean dm-0-avgqz\"",
	"comparison_row[20].micro[1]=1190000",
	"comparison_row[27].name=\"Mean sda-w_await\"",
	"comparison_row[27].micro[0]=11228800000",
	"comparison_row[27].micro[1]=11120640000",
	"comparison_row[35].name=\"Max sda-w_await\"",
	"comparison_row[35].micro[0]=51353930000",
	"comparison_row[35].micro[1]=50338250000",
	"!comparison_row[36]",
	"!comparison[2]",
	"stall[0].label=\"Vanilla kernel\"",
	"stall[0].where=\"sleep_on_buffer\"",
	"stall[0].total_ms=3325677",
	"stall[0].events=57",
	"stall[1].label=\"Patched kernel\"",
	"stall[1].total_ms=2411471",
	"stall[1].events=42",
	"stall[2].where=\"wait_on_page_bit\"",
	"stall[2].total_ms=1336064",
	"stall[2].events=109",
	"stall[3].where=\"wait_on_page_bit\"",
	"stall[3].total_ms=2338781",
	"stall[3].events=164",
	"!stall[4]",
	NULL,
};

static void ext4_stalls(void **state)
{
	(void)state;
	check("seeds/ext4-stalls-report.txt", ext4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_new_ssd),
		cmocka_unit_test(fio_on_virtiofs),
		cmocka_unit_test(ext4_stalls),
	};
	char path[FILES_PATH];

	/* cmocka's skip() prints "not ok", which TAP reads as a failure */
	if (!files_exist(files_shared("seeds/ext4-stalls-report.txt", path))) {
		puts("1..0 # SKIP seeds not there");
		return 0;
	}
	return cmocka_run_group_tests_name("import-seeds", tests, NULL, NULL);
}
