/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single lines of fio: damage stays where it is; what was asked for comes from the right place. */
#include "import-facts.h"

#include <errno.h>
#include <string.h>

/* ---- damage, line by line -------------------------------------------------------------------- */

#define HEAD                                                                             \
	"j: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=sync, iodepth=1\n"        \
	"fio-2.1.3\n"                                                                    \
	"j: (groupid=0, jobs=1): err= 0: pid=7: Sat Jul 16 14:24:12 2016\n"

struct small {
	const char *text;
	const char *want[8];
	const char *note;
};

static const struct small damages[] = {
	{ HEAD "  read : io=4O00KB, bw=400KB/s, iops=100, runt= 10000msec\n",
	  { "!read[0].posted_bytes", "!read[0].bytes", "read[0].runtime_ms=10000",
	    "read[0].posted_iops_milli=100000" },
	  "\"io=4O00KB\"" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=1 00, runt= 10 000msec\n",
	  { "read[0].bytes=4096000", "!read[0].runtime_ms", "!read[0].posted_iops",
	    "!read[0].bandwidth" },
	  "\"iops=1 00\"" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "    clat (usec): min=2x, max=27575, avg=4915.3, stdev=4990.69\n",
	  { "!read[0].clat_min", "read[0].clat_max_ns=27575000", "!read[0].clat_mean",
	    "read[0].clat_stddev_ns=4990690" },
	  "\"avg=4915.3\"" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "    clat percentiles (usec):\n"
	       "     |  1.00th=[   4 1],  5.00th=[46], 10.0Oth=[51], 20.00th=[ 66],\n",
	  { "!read[0].percentile[1000]", "read[0].percentile[5000]=46000",
	    "!read[0].percentile[10000]", "read[0].percentile[20000]=66000" },
	  "4 1" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "  cpu          : usr=0.3l%, sys=0.88%, ctx=-1, majf=0, minf=2\n",
	  { "!read[0].cpu_user", "read[0].cpu_system_ppm=8800", "!read[0].context",
	    "read[0].minor_faults=2" },
	  "\"usr=0.3l%\"" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "     issued    : total=r=10 00/w=0/d=0, short=r=0/w=0/d=0\n",
	  { "!read[0].ios", "read[0].short_ios=0", "!read[0].iops_milli" },
	  "counts of requests" },
	/* a digit lost: found by the other figures */
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 1000msec\n"
	       "     issued    : total=r=1000/w=0/d=0, short=r=0/w=0/d=0\n",
	  { "!read[0].runtime_ms", "!read[0].iops_milli", "!read[0].bandwidth",
	    "read[0].ios=1000", "read[0].bytes=4096000" },
	  "the run time of this run does not fit" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "     issued    : total=r=100/w=0/d=0, short=r=0/w=0/d=0\n",
	  { "!read[0].ios", "!read[0].iops_milli", "read[0].runtime_ms=10000",
	    "read[0].bytes=4096000", "read[0].bandwidth_bytes=409600" },
	  "the count of requests of this run does not fit" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=1000, runt= 10000msec\n"
	       "     issued    : total=r=1000/w=0/d=0, short=r=0/w=0/d=0\n",
	  { "read[0].ios=1000", "read[0].iops_milli=100000", "!read[0].posted_iops" },
	  "the printed rate of requests of this run does not fit" },
	{ HEAD "  read : io=400KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "     issued    : total=r=1000/w=0/d=0, short=r=0/w=0/d=0\n",
	  { "read[0].iops_milli=100000", "!read[0].posted_bytes",
	    "read[0].bytes=4096000" },
	  "the printed amount of bytes of this run does not fit" },
	/* the line of a job or a direction lost: never the neighbour's numbers */
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "    clat (usec): min=2, max=9, avg= 4.00, stdev= 1.00\n"
	       "  cpu          : usr=0.31%, sys=0.88%, ctx=1, majf=0, minf=2\n"
	       "    clat (usec): min=3, max=10, avg= 5.00, stdev= 1.00\n",
	  { "read[0].clat_min_ns=2000", "read[0].clat_max_ns=9000", "!read[1]" },
	  "without the line of its job" },
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "    clat (usec): min=2, max=9, avg= 4.00, stdev= 1.00\n"
	       "    clat (usec): min=3, max=10, avg= 5.00, stdev= 1.00\n",
	  { "read[0].clat_min_ns=2000", "read[0].clat_max_ns=9000", "!read[1]" },
	  "without the line of its job" },
	/* what follows is prose */
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "3 of these are what I got, read on.\n",
	  { "read[0].runtime_ms=10000", "read[0].bytes=4096000" },
	  NULL },
	/* disk: two of one name are one; a damaged pair is absent */
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "Disk stats (read/write):\n"
	       "  sda: ios=54O13/1836, merge=291/17, ticks=2/1, in_queue=3, util=9.5%\n",
	  { "device=\"sda\"", "!disk[0].reads", "!disk[0].writes",
	    "disk[0].read_merges=291", "disk[0].util_ppm=95000" },
	  "disk sda: \"ios\"" },
	/* a partition is no drive */
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "  sda3: ios=1/1, merge=291/17, ticks=2/1, in_queue=3, util=9.50%\n",
	  { "!device", "disk[0].name=\"sda3\"" },
	  NULL },
	/* wrapped before ">=64": that mark is none of quoting */
	{ HEAD "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"
	       "    lat (msec) : 100=1.15%, 250=5.94%, 500=0.14%, 750=92.76%,\n"
	       " >=2000=0.01%\n"
	       "  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=100.0%, 32=0.0%, \n"
	       " >=64=0.1%\n",
	  { "read[0].bucket[750000000]=927600", "read[0].bucket[4294967295]=100",
	    "read[0].depth_level[32]=0", "read[0].depth_level[64]=1000" },
	  NULL },
	/* a list, and the borders of a table */
	{ "- j: (groupid=0, jobs=1): err= 0: pid=7\n"
	  "-   read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec | |\n"
	  "-   IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=100.0%, 32=0.0%,\n"
	  "-   >=64=0.1% | |\n",
	  { "read[0].title=\"j\"", "read[0].runtime_ms=10000",
	    "read[0].depth_level[64]=1000" },
	  NULL },
	/* quoted-printable that nobody decoded */
	{ HEAD "  read : io=3D4000KB, bw=3D400KB/s, iops=3D100, runt=3D 10000msec\n",
	  { "!read[0].bytes", "!read[0].posted", "!read[0].runtime" },
	  NULL },
};

static void damage_stays_local(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(damages); i++) {
		struct imported f;

		imported_read(&f, damages[i].text, strlen(damages[i].text));
		assert_int_equal(f.r, 0);
		imported_assert(&f, damages[i].want);
		if (damages[i].note)
			imported_assert_note(&f, damages[i].note);
		imported_done(&f);
	}
}

/* ---- what was asked for ------------------------------------------------------------------------- */

#define RUN                                                                              \
	"j: (groupid=0, jobs=1): err= 0: pid=7\n"                                        \
	"  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n"

static const struct small requests[] = {
	/* no head: the command line tells; single dashes, values apart, abbreviations */
	{ "$ sudo fio -rw randread -bs=4k -iodepth 8 -ioengine=libaio -direct=1 -name=j "
	  "-filename=/dev/sdx\n" RUN,
	  { "read[0].pattern=\"randread\"", "read[0].block_bytes=4096", "read[0].depth=8",
	    "read[0].engine=\"libaio\"", "read[0].direct=1",
	    "read[0].target=\"/dev/sdx\"", "device=\"sdx\"" },
	  NULL },
	/* options of another job are not this one's */
	{ "# fio --direct=1 --name=k --filename=/dev/sdk --name=j "
	  "--filename=/tmp/j\n" RUN,
	  { "read[0].direct=1", "read[0].target=\"/tmp/j\"", "!device" },
	  NULL },
	{ "# fio --name=k --direct=1 --filename=/dev/sdk\n" RUN,
	  { "!read[0].direct=", "!read[0].target" },
	  NULL },
	/* wrapped with a blank before an option, and inside a word */
	{ "# fio --direct=1 --rw=randread --ioengine=libaio --runtime=30 --time_based\n"
	  "--name=j --filename=/tmp/j\n" RUN,
	  { "read[0].direct=1", "read[0].target=\"/tmp/j\"",
	    "read[0].options=\"fio --direct=1 --rw=randread --ioengine=libaio "
	    "--runtime=30 --time_based --name=j --filename=/tmp/j\"" },
	  NULL },
	{ "# fio --direct=1 --rw=randread --ioengine=libaio --name=j "
	  "--filename=/tmp/aaa\n"
	  "bbb --bs=4k\n" RUN,
	  { "read[0].direct=1", "!read[0].target", "read[0].block_bytes=4096",
	    "!read[0].options" },
	  "cut or wrapped inside a word" },
	{ "# fio --direct=1 --name=j \\\n  --filename=/tmp/j\n" RUN,
	  { "read[0].target=\"/tmp/j\"" },
	  NULL },
	/* not a command */
	{ "I ran fio --name=j --filename=/dev/sdx yesterday\n" RUN,
	  { "!read[0].target", "!device" },
	  NULL },
	/* buffered is the opposite of direct; nothing said is nothing known */
	{ "# fio --buffered=1 --name=j\n" RUN, { "read[0].direct=0" }, NULL },
	{ RUN, { "!read[0].direct=", "!read[0].block_bytes", "!read[0].pattern" }, NULL },
	/* without a head the printed size stands, rounded as it may be */
	{ RUN, { "read[0].bytes=4096000", "!read[0].iops_milli" }, NULL },
	/* a job file for another size of block is not the one that ran */
	{ "[j]\nrw=randread\nbs=8k\nfilename=/dev/sdx\n\n"
	  "j: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\n" RUN,
	  { "!read[0].target", "!device" },
	  NULL },
	{ "[j]\nrw=randread\nbs=4k\nfilename=/dev/sdx\n\n"
	  "j: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\n" RUN,
	  { "read[0].target=\"/dev/sdx\"", "device=\"sdx\"",
	    "read[0].options=\"rw=randread bs=4k filename=/dev/sdx\"" },
	  NULL },
	/* the job file below the run */
	{ RUN "\nThe job file:\n[global]\ndirect=1\n[j]\nrw=read\nfilename=/dev/sdx\n",
	  { "read[0].target=\"/dev/sdx\"", "read[0].direct=1", "!read[0].options" },
	  NULL },
	/* a heading in brackets is no job file */
	{ "[j]\nfilename\n= none\n" RUN, { "!read[0].target" }, NULL },
	/* group_reporting over different jobs: one head does not speak for all */
	{ "a: (g=0): rw=read, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\n"
	  "j: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\n"
	  "j: (groupid=0, jobs=2): err= 0: pid=7\n"
	  "  read : io=4000KB, bw=400KB/s, iops=100, runt= 10000msec\n",
	  { "!read[0].pattern", "read[0].block_bytes=4096", "read[0].engine=\"sync\"" },
	  NULL },
	/* a size with a point is sure only when it is whole sectors */
	{ "j: (g=0): rw=read, bs=12.6K-12.6K/4K-4K, ioengine=sync, iodepth=1\n" RUN,
	  { "!read[0].block_bytes", "read[0].depth=1" },
	  NULL },
	{ "/dev/nvme8n6: (groupid=0, jobs=1): err= 0: pid=7\n"
	  "  write: IOPS=3201, BW=12.5MiB/s (13.1MB/s)(125MiB/10002msec)\n"
	  "  nvme8n6: ios=0/65981, sectors=0/527848, merge=0/0, ticks=0/1, in_queue=1, "
	  "util=99.49%\n",
	  { "device=\"nvme8n6\"", "read[0].target=\"/dev/nvme8n6\"",
	    "read[0].direction=\"write\"", "disk[0].writes=65981" },
	  NULL },
	/* two devices in one mail are two drives; a run on none known is a third */
	{ RUN "  sda: ios=1/1, merge=1/1, ticks=2/1, in_queue=3, util=9.50%\n" RUN
	      "  sdb: ios=1/1, merge=1/1, ticks=2/1, in_queue=3, util=9.50%\n",
	  { "device=\"sda\"", "device=\"sdb\"", "read[0].batch=0", "read[1].batch=1",
	    "disk[1].batch=1" },
	  NULL },
};

static void requests_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(requests); i++) {
		struct imported f;

		imported_read(&f, requests[i].text, strlen(requests[i].text));
		assert_int_equal(f.r, 0);
		imported_assert(&f, requests[i].want);
		if (requests[i].note)
			imported_assert_note(&f, requests[i].note);
		imported_done(&f);
	}
}

static void one_subject_a_drive(void **state)
{
	static const char text[] =
		RUN "  sda: ios=1/1, merge=1/1, ticks=2/1, in_queue=3, util=9.50%\n" RUN
		    "  sda: ios=1/1, merge=1/1, ticks=2/1, in_queue=3, util=9.50%\n" RUN
		    "  sdb: ios=1/1, merge=1/1, ticks=2/1, in_queue=3, util=9.50%\n";
	struct imported f;

	(void)state;
	imported_read(&f, text, strlen(text));
	assert_int_equal(f.c.n_subjects, 2);
	assert_int_equal(f.c.subjects[0].kind, CAP_DRIVE);
	assert_string_equal(f.c.subjects[0].snapshots[0].items[0].id, "facts/fio");
	imported_done(&f);
}

static void prose_is_no_report(void **state)
{
	static const char *const texts[] = {
		"I read: iops=5 is bad, and fio-3.33 too.\n",
		"fio-3.33\n",
		"2.0.8\n[global]\ndirect=1\n",
		"write: I will. read : io is slow = bad\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		struct imported f;

		imported_read(&f, texts[i], strlen(texts[i]));
		assert_int_equal(f.r, -ENOMSG);
		assert_int_equal(f.c.n_subjects, 0);
		imported_done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_stays_local),
		cmocka_unit_test(requests_are_read),
		cmocka_unit_test(one_subject_a_drive),
		cmocka_unit_test(prose_is_no_report),
	};

	return cmocka_run_group_tests_name("import-fio-lines", tests, NULL, NULL);
}
