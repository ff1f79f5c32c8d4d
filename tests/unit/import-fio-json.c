/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's JSON of both kinds; the expected figures stand in the texts. */
#include "import-facts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const v2_1_3[] = {
	"device=\"sdb\"",
	"read[0].source=\"fio 2.1.3\"",
	"read[0].title=\"tests\"",
	"read[0].direction=\"read\"",
	"read[0].runtime_ms=10000",
	"read[0].bytes=4096000", /* 4000 KiB: no io_kbytes beside io_bytes */
	"read[0].bandwidth_bytes=409600",
	"read[0].posted_iops_milli=100000",
	"!read[0].ios",
	"!read[0].iops_milli",
	"!read[0].slat",	     /* all zeros: not measured */
	"read[0].clat_min_ns=12000", /* microseconds up to 2.98 */
	"read[0].clat_mean_ns=3915390",
	"read[0].percentile[1000]=41000",
	"read[0].percentile[99950]=21120000",
	"!read[0].percentile[0]", /* "0.00" : 0 fills the table up */
	"read[0].bw_mean_bytes=411136",
	"read[0].cpu_user_ppm=3100",
	"read[0].minor_faults=23",
	"read[0].depth_level[1]=1000000",
	"read[0].depth_level[64]=0",
	"!read[0].bucket[2000]",
	"read[0].bucket[50000]=580700",
	"read[0].bucket[10000000]=219800",
	"read[0].bucket[4294967295]=100",
	"!read[1]",
	"disk[0].name=\"sdb\"",
	"disk[0].reads=1004",
	"disk[0].write_merges=17",
	"disk[0].queue_ms=10621",
	"disk[0].util_ppm=995100",
	"!disk[1]",
	NULL,
};

static const char *const json_normal[] = {
	"device=\"sdb\"",
	"read[0].source=\"fio 3.16\"",
	"read[0].title=\"rd\"",
	"read[0].batch=0",
	"read[0].jobs=1", /* only the text tells */
	"read[0].pattern=\"randread\"",
	"read[0].block_bytes=4096", /* only the head tells */
	"read[0].direct=1",	    /* only the options tell */
	"read[0].target=\"/dev/sdb\"",
	"read[0].ios=32000",
	"read[0].bytes=131072000",
	"read[0].iops_milli=3199360", /* 32000000000 / 10002 = 3199360.1 */
	"read[0].posted_iops_milli=3199360",
	"read[0].bandwidth_bytes=13104579",
	"read[0].clat_min_ns=794610", /* not the rounded 794 usec of the text */
	"read[0].slat_mean_ns=6456",
	"read[0].percentile[99990]=11993088",
	"read[0].cpu_user_ppm=16498",
	"read[0].context_switches=27483",
	"read[0].bucket[4000000]=722543",
	"!read[1]", /* the text is the same run */
	"disk[0].name=\"dm-0\"",
	"disk[0].aggregate=1",
	"disk[1].name=\"sdb\"",
	"disk[1].reads=31000",
	"disk[1].util_ppm=994942",
	"!disk[2]",
	NULL,
};

static void documents(void **state)
{
	struct imported f;

	(void)state;
	imported_read_file(&f, "fio-2.1.3.json");
	assert_int_equal(f.r, 0);
	assert_int_equal(f.st.reports, 1);
	imported_assert(&f, v2_1_3);
	imported_done(&f);
	imported_read_file(&f, "fio-3.16-json-normal.txt");
	assert_int_equal(f.r, 0);
	assert_int_equal(f.st.reports, 1);
	imported_assert(&f, json_normal);
	imported_done(&f);
}

static void a_cut_document_says_nothing(void **state)
{
	size_t len = 0;
	char *text = imported_load("fio-2.1.3.json", &len);

	(void)state;
	assert_non_null(text);
	for (size_t k = 1; k <= 100; k++) {
		struct imported f;
		size_t at = (len - 3) * k / 100;

		imported_read(&f, text, at);
		assert_int_equal(f.r, -ENOMSG);
		assert_int_equal(f.c.n_subjects, 0);
		imported_done(&f);
	}
	free(text);
}

static void quoted_documents_are_read(void **state)
{
	struct imported f, quoted;
	struct buf b = { 0 };
	size_t len = 0;
	char *text = imported_load("fio-2.1.3.json", &len);

	(void)state;
	assert_non_null(text);
	for (size_t at = 0; at < len;) {
		size_t n = strcspn(text + at, "\n");

		buf_printf(&b, "> > %.*s\r\n", (int)n, text + at);
		at += n + 1;
	}
	imported_read(&f, text, len);
	imported_read(&quoted, b.data, b.len);
	assert_string_equal(buf_text(&f.facts), buf_text(&quoted.facts));
	imported_done(&f);
	imported_done(&quoted);
	buf_done(&b);
	free(text);
}

struct small {
	const char *text;
	const char *want[8];
};

#define START "{\n\"fio version\" : \"fio-3.16\",\n"
#define READ                                                                             \
	"\"read\" : { \"runtime\" : 10000, \"io_bytes\" : 4096000, \"io_kbytes\" : "     \
	"4000 "

static const struct small smalls[] = {
	/* numbers that are none, or hostile */
	{ START
	  "\"jobs\" : [ { \"jobname\" : \"a\", " READ
	  ", \"total_ios\" : -5, \"short_ios\" : \"7\", \"clat_ns\" : { \"max\" : 5, "
	  "\"mean\" : 1e3 } } } ] }\n",
	  { "read[0].bytes=4096000", "!read[0].ios", "!read[0].short",
	    "!read[0].clat_mean", "read[0].clat_max_ns=5" } },
	/* one start after the other */
	{ START "\"jobs\" : [ { \"jobname\" : \"a\", " READ "} } ] }\n" START
		"\"jobs\" : [ { \"jobname\" : \"b\", " READ "} } ] }\n",
	  { "read[0].batch=0", "read[1].batch=1", "read[1].title=\"b\"" } },
	/* reads and writes of one job */
	{ START "\"jobs\" : [ { \"jobname\" : \"a\", " READ
		"},\n\"write\" : { \"runtime\" : "
		"5000, \"io_bytes\" : 1 }, \"latency_ms\" : { \"2\" : 99.0 } } ] }\n",
	  { "read[0].direction=\"read\"", "read[1].direction=\"write\"",
	    "read[1].runtime_ms=5000", "!read[0].bucket" } },
	/* options of the job win over the global ones */
	{ START
	  "\"global options\" : { \"rw\" : \"read\", \"bs\" : \"4k\", \"direct\" : "
	  "\"\" },\n\"jobs\" : [ { \"jobname\" : \"a\", \"job options\" : { \"rw\" : "
	  "\"randread\" }, " READ "} } ] }\n",
	  { "read[0].pattern=\"randread\"", "read[0].block_bytes=4096",
	    "read[0].direct=1" } },
	/* a string that was wrapped: what stood at the joint is not known */
	{ START "\"jobs\" : [ { \"jobname\" : \"a\", \"job options\" : { \"filename\" : "
		"\"/tmp/a\nb\", \"direct\" : \"1\" }, " READ "} } ] }\n",
	  { "read[0].direct=1", "!read[0].target" } },
	/* a title without its run, a run without a job */
	{ START "\"jobs\" : [ 5, { \"jobname\" : 7 }, { \"jobname\" : \"a\", " READ
		"} } ] "
		"}\n",
	  { "read[0].title=\"a\"", "!read[1]" } },
};

static void small_documents(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(smalls); i++) {
		struct imported f;

		imported_read(&f, smalls[i].text, strlen(smalls[i].text));
		assert_int_equal(f.r, 0);
		imported_assert(&f, smalls[i].want);
		imported_done(&f);
	}
}

static void other_json_is_left_alone(void **state)
{
	static const char text[] = "{\n\"jobs\" : [ { \"jobname\" : \"a\" } ]\n}\n";
	struct imported f;

	(void)state;
	imported_read(&f, text, strlen(text));
	assert_int_equal(f.r, -ENOMSG);
	imported_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents),
		cmocka_unit_test(a_cut_document_says_nothing),
		cmocka_unit_test(quoted_documents_are_read),
		cmocka_unit_test(small_documents),
		cmocka_unit_test(other_json_is_left_alone),
	};

	return cmocka_run_group_tests_name("import-fio-json", tests, NULL, NULL);
}
