/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/sheet.h"
#include "report-fixture.h"

static struct buf render(const char *name, const char *format, struct render_options o)
{
	struct fixture f;
	struct buf out = { 0 };

	fixture_init(&f, name);
	assert_int_equal(render_find(format)->write(&f.report, &f.diag, &o, &out), 0);
	fixture_done(&f);
	return out;
}

static struct buf screen(const char *name)
{
	return render(name, "text", (struct render_options){ .columns = 80 });
}

static void assert_has(const struct buf *b, const char *text)
{
	if (!strstr(buf_text(b), text))
		fail_msg("\"%s\" is not in:\n%s", text, buf_text(b));
}

static void assert_lacks(const struct buf *b, const char *text)
{
	if (strstr(buf_text(b), text))
		fail_msg("\"%s\" is in:\n%s", text, buf_text(b));
}

static void assert_order(const struct buf *b, const char *first, const char *second)
{
	assert_has(b, first);
	assert_has(b, second);
	assert_true(strstr(buf_text(b), first) < strstr(buf_text(b), second));
}

static size_t count_lines(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->data[i] == '\n';
	return n;
}

static void formats_are_found(void **state)
{
	(void)state;
	assert_string_equal(render_find("text")->name, "text");
	assert_string_equal(render_find("json")->name, "json");
	assert_string_equal(render_find("markdown")->name, "markdown");
	assert_null(render_find("xml"));
	assert_null(render_find(""));
}

static void verdict_is_said_in_words(void **state)
{
	struct buf b = screen("constant"), wide;

	(void)state;
	wide = render("constant", "text",
		      (struct render_options){ .columns = 200, .verbose = true });
	assert_has(&b, "ACME SSD 830 Series, 512 GB, SSD, firmware CXM03B1Q, 36 h on");
	assert_has(&b,
		   "[ ! ] WARNING: The SSD stalls inside (D11, confidence: moderate)");
	assert_has(&b, "Where      inside the drive (confidence: strong)");
	assert_has(&b,
		   "+ no command failed for a bad CRC (001 is 0) (report.txt, line 61;\n"
		   "               since power-on)\n");
	assert_has(&b, "Against    - 139 reads a second");
	assert_has(&b, "Speed      randread 4 KiB qd1: 253/s, p50 205 us, p99 14.2 ms, "
		       "max 27.5 ms\n");
	assert_has(&wide, "253/s, 1.03 MB/s, p50 205 us,");
	assert_has(&b, "Or else    Link errors between drive and host (L01");
	assert_has(&b, "Do next    1. Look for a firmware update");
	assert_has(&b, "Not tested data from host to drive, writes, TRIM, flushes");
	assert_has(&b, "Coverage   60 %; missing: kernel log, device statistics");
	assert_true(count_lines(&b) <= 40);
	buf_done(&b);
	buf_done(&wide);
}

/* The fourteen constants read as struck out without colour, in few lines, and raise nothing. */
static void untrusted_counters_are_struck_out(void **state)
{
	static const char *const struck[] = {
		"002 ~49152~", "003 ~53248~", "004 ~57344~", "005 ~7952~",  "006 ~2562~",
		"007 ~4096~",  "008 ~7952~",  "009 ~7953~",  "00B ~6145~",  "00D ~7953~",
		"00F ~8176~",  "010 ~15~",    "012 ~49153~", "013 ~12112~",
	};
	struct buf b = screen("constant");

	(void)state;
	for (size_t i = 0; i < array_size(struck); i++)
		assert_has(&b, struck[i]);
	assert_has(&b, "struck out, never moves on this drive family:");
	assert_has(&b, "0 errors on 001; others: 00A 25\n");
	assert_true(strstr(buf_text(&b), "013 ~12112~") -
			    strstr(buf_text(&b), "struck out") <
		    4 * 81);
	buf_done(&b);
}

static void colour_only_helps(void **state)
{
	struct buf plain = screen("constant"), coloured, stripped = { 0 };

	(void)state;
	coloured = render("constant", "text",
			  (struct render_options){ .columns = 80, .colour = true });
	assert_null(memchr(plain.data, 0x1b, plain.len));
	assert_has(&coloured, "\x1b[9m~49152~\x1b[0m");
	for (size_t i = 0; i < coloured.len; i++) {
		if (coloured.data[i] == 0x1b)
			i = (size_t)(strchr(coloured.data + i, 'm') - coloured.data);
		else
			buf_putc(&stripped, coloured.data[i]);
	}
	assert_string_equal(buf_text(&stripped), buf_text(&plain));
	buf_done(&plain);
	buf_done(&coloured);
	buf_done(&stripped);
}

static void back_up_comes_first(void **state)
{
	struct buf b = screen("media");

	(void)state;
	assert_order(&b, "[!!!] CRITICAL: Unreadable sectors (M01, confidence: certain)",
		     "1. Back up now");
	assert_order(&b, "1. Back up now", "Evidence");
	assert_order(&b, "1. Back up now", "2. Then replace");
	assert_has(&b, "Also       [ ! ] M02 Spare sectors are being used up: 1,456");
	assert_has(&b,
		   "1,456 reallocated sectors, 24 pending, 12 reported uncorrectable");
	assert_has(&b, "(self-test log;\n               lifetime)");
	buf_done(&b);
}

static void link_counts_have_direction_and_rise(void **state)
{
	struct buf b = screen("link");

	(void)state;
	assert_has(&b,
		   "Link       runs at 1.5 Gb/s; drive can do 6.0 Gb/s; port can do 6.0");
	assert_has(&b,
		   "errors: 001 39 (+37), 003 65,535+ drive->host, 006 2 host->drive");
	assert_has(&b, "0 errors on 004; others: 8000 33000000 (maker's own)\n");
	assert_has(&b, "(swapped on this family)");
	assert_has(&b, "struck out, larger than the sum it is part of: 00B ~7~");
	assert_has(&b, "8000 33000000 (maker's own)");
	buf_done(&b);
}

static void several_drives_have_a_summary(void **state)
{
	struct buf b = screen("several");

	(void)state;
	assert_has(&b, "3 drives\n  [ok]  1. ACME WD40TEST: No fault found\n"
		       "  [!!!] 2. /dev/sdb ACME ST4000TEST: Unreadable sectors\n"
		       "  [ ? ] 3. ACME QUIET: Cannot tell\n");
	assert_has(&b, "UNKNOWN: Cannot tell (Z01)\n"); /* no confidence to speak of */
	assert_order(&b, "--- 1 of 3: first.txt ---", "25,491 h on (2.9 years)");
	/* of a drive without a fault no more than that, but nothing that was found is hidden */
	assert_lacks(&b, "Nothing to do");
	assert_lacks(&b, "-4 C");
	assert_order(&b, "OK: No fault found", "Also       [ i ] L09 Old link errors");
	assert_order(&b, "Also       [ i ] L09", "--- 2 of 3: report.txt ---");
	/* the name of the file stands above */
	assert_has(&b, "+ 24 pending sectors (line 7; now)");
	assert_has(&b, "Not tested as above\n");
	buf_done(&b);
	b = screen("fine");
	assert_has(&b, "Nothing to do");
	assert_has(&b, "-4 C");
	buf_done(&b);
}

static void host_alone(void **state)
{
	struct buf b = screen("host"), all;

	(void)state;
	all = render("host", "text",
		     (struct render_options){ .columns = 80, .verbose = true });
	assert_has(
		&b,
		"[ i ] NOTE: Writes queue up, reads are not the problem\n        (P02, ");
	assert_has(&b, "Compared   iostat: 3.9.0-rc6 vanilla | 3.9.0-rc6 ext4tag\n");
	assert_lacks(&b, "Stalled"); /* the findings say it */
	assert_has(&all, "Vanilla kernel in sleep_on_buffer: 3,325 s in 57 stalls");
	assert_has(&all, "Mean sda-w_await 11228.80 | 11120.64 (-0.9632 %)");
	assert_has(&b, "report.txt:48: graph words are not read\n");
	buf_done(&b);
	buf_done(&all);
}

static void worse_host_comes_first(void **state)
{
	struct buf b = screen("stalled");

	(void)state;
	assert_order(&b, "[ ! ] WARNING: ", "ACME QUIET");
	assert_order(&b, "ACME QUIET", "[ ? ] UNKNOWN: Cannot tell");
	assert_true(str_starts(buf_text(&b), "The host\n"));
	buf_done(&b);
	b = screen("several");
	assert_lacks(&b, "The host");
	buf_done(&b);
}

/* A log was there, and all of it belongs to the drives: no heading without a word below it. */
static void silent_host_has_no_heading(void **state)
{
	struct fact lines = { .key = { .id = FACT_KLOG_LINES }, .u = 57 };
	struct render_options o = { .columns = 80 };
	struct fixture f;
	struct buf b = { 0 };

	(void)state;
	fixture_init(&f, "fine");
	f.the_case.host.facts = &lines;
	f.the_case.host.n_facts = 1;
	assert_int_equal(render_find("text")->write(&f.report, &f.diag, &o, &b), 0);
	assert_lacks(&b, "The host");
	buf_done(&b);
	fixture_done(&f);
}

static void life_is_told_either_way(void **state)
{
	struct fact life = { .key = { .id = FACT_LIFE_LEFT }, .u = 28 };
	struct render_options o = { .columns = 80 };
	struct fixture f;
	struct buf b = { 0 };

	(void)state;
	fixture_init(&f, "fine");
	f.the_case.drives[0]->facts = &life;
	f.the_case.drives[0]->n_facts = 1;
	assert_int_equal(render_find("text")->write(&f.report, &f.diag, &o, &b), 0);
	assert_has(&b, "Health     28 % of rated life left\n");
	buf_done(&b);
	fixture_done(&f);
}

static void messages_are_limited(void **state)
{
	struct buf b = screen("large");

	(void)state;
	assert_has(&b, "blob.bin, byte 514: warning: checksum is wrong\n");
	assert_lacks(&b, "byte 515");
	assert_has(&b, "... and 9 more messages");
	buf_done(&b);
}

/* A note that came first, an error that came last; what is missing, and how to get it. */
static void first_things_first(void **state)
{
	struct buf b = screen("cannot-tell"), all;

	(void)state;
	all = render("cannot-tell", "text",
		     (struct render_options){ .columns = 80, .verbose = true });
	assert_order(&b, "a/dir/report.txt:9: error: cannot be read",
		     "report.txt:2: a note");
	assert_has(&b, "that is cut, because it would need more than one line fo...\n");
	assert_lacks(&b, "a/dir/report.txt:2");
	assert_has(&all, "one line\n  for all of its words");
	assert_has(&b, "missing: SMART attributes, a log (-v says how to get it)");
	assert_has(&all, "missing: SMART attributes (smartctl -A /dev/sdX), a log\n");
	/* a command can be copied from the screen */
	assert_has(&b, "grep 'a\\|b' log");
	buf_done(&b);
	buf_done(&all);
}

static void no_reason_is_given_twice(void **state)
{
	struct buf b = screen("link"), all;

	(void)state;
	all = render("link", "text",
		     (struct render_options){ .columns = 80, .verbose = true });
	assert_has(&b, "struck out, larger than the sum it is part of");
	assert_lacks(&b, "Ignored");
	assert_has(&all, "Ignored    counter 00B: larger than the sum");
	buf_done(&b);
	buf_done(&all);
}

static void absent_is_absent(void **state)
{
	struct buf b = screen("absent"), none = screen("nothing");

	(void)state;
	assert_has(&b, "A drive not named in the input\n");
	assert_lacks(&b, "Health");
	assert_lacks(&b, "Link");
	assert_lacks(&b, "null");
	assert_string_equal(buf_text(&none), "");
	buf_done(&b);
	buf_done(&none);
}

static void verbose_shows_all(void **state)
{
	struct buf b = render("media", "text",
			      (struct render_options){ .columns = 100, .verbose = true });

	(void)state;
	assert_has(&b, "Error: UNC at LBA = 0x075bcd15");
	assert_has(&b, "Completed: read failure");
	assert_has(&b, "01/010");
	assert_has(&b, "pending_sectors: 24 (line 40)");
	buf_done(&b);
}

/* Hostile bytes of every kind never reach the screen as they are. */
static void nothing_hostile_gets_out(void **state)
{
	static const char *const never[] = { "\x1b",	 "\x07",	 "\xff",
					     "\xc2\x9b", "\xe2\x80\xae", "\x7f" };

	(void)state;
	for (size_t k = 0; renderers[k]; k++) {
		for (int verbose = 0; verbose < 2; verbose++) {
			struct buf b = render("hostile", renderers[k]->name,
					      (struct render_options){
						      .columns = 80,
						      .verbose = verbose,
					      });

			for (size_t i = 0; i < array_size(never); i++)
				assert_lacks(&b, never[i]);
			assert_has(&b, "EVIL");
			buf_done(&b);
		}
	}
}

/* A line is longer than the screen only when it holds a single word behind its indent. */
static void assert_fits(const char *name, const char *line, size_t len, unsigned columns)
{
	size_t at = 0;

	if (sheet_width(line, len) <= columns)
		return;
	while (at < len && line[at] == ' ')
		at++;
	if (memchr(line + at, ' ', len - at))
		fail_msg("%s, %u columns: \"%.*s\"", name, columns, (int)len, line);
}

static void lines_fit(void **state)
{
	static const unsigned widths[] = { 40, 60, 80, 132, 200 };

	(void)state;
	for (const struct fixture_row *row = fixtures; row->name; row++) {
		for (size_t k = 0; k < array_size(widths); k++) {
			struct buf b =
				render(row->name, "text",
				       (struct render_options){ .columns = widths[k] });
			const char *line = buf_text(&b), *end;

			/* a counter and its 20 digits are kept together */
			if (widths[k] < 60 && str_equal(row->name, "large"))
				line = "";
			for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
				assert_fits(row->name, line, (size_t)(end - line),
					    widths[k]);
				assert_true(end == line || end[-1] != ' ');
			}
			buf_done(&b);
		}
	}
}

static void widths_of_characters(void **state)
{
	static const struct {
		const char *text;
		size_t width;
	} rows[] = {
		{ "abc", 3 },
		{ "zuf\xc3\xa4llig", 8 },
		{ "e\xcc\x81", 1 },		   /* combining acute */
		{ "\xe6\x97\xa5\xe6\x9c\xac", 4 }, /* two wide ideographs */
		{ "\x1b[9m~1~\x1b[0m", 3 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++)
		assert_int_equal(sheet_width(rows[i].text, strlen(rows[i].text)),
				 rows[i].width);
}

static void paragraphs_hang(void **state)
{
	struct buf out = { 0 };
	struct sheet s;

	(void)state;
	sheet_init(&s, &(struct render_options){ .columns = 24 }, &out);
	sheet_begin(&s, 1, 4);
	sheet_text(&s, STYLE_PLAIN, "one two three four five six");
	sheet_raw(&s, STYLE_PLAIN, " 7" SHEET_GLUE "8");
	sheet_end(&s);
	sheet_gap(&s);
	sheet_gap(&s);
	sheet_begin(&s, 0, 4);
	sheet_text(&s, STYLE_PLAIN, "a-single-word-longer-than-the-line b");
	sheet_end(&s);
	assert_string_equal(buf_text(&out), " one two three four five\n"
					    "    six 7 8\n"
					    "\n"
					    "a-single-word-longer-than-the-line\n"
					    "    b\n");
	sheet_done(&s);
	buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_found),
		cmocka_unit_test(verdict_is_said_in_words),
		cmocka_unit_test(untrusted_counters_are_struck_out),
		cmocka_unit_test(colour_only_helps),
		cmocka_unit_test(back_up_comes_first),
		cmocka_unit_test(link_counts_have_direction_and_rise),
		cmocka_unit_test(several_drives_have_a_summary),
		cmocka_unit_test(host_alone),
		cmocka_unit_test(worse_host_comes_first),
		cmocka_unit_test(silent_host_has_no_heading),
		cmocka_unit_test(life_is_told_either_way),
		cmocka_unit_test(messages_are_limited),
		cmocka_unit_test(first_things_first),
		cmocka_unit_test(no_reason_is_given_twice),
		cmocka_unit_test(absent_is_absent),
		cmocka_unit_test(verbose_shows_all),
		cmocka_unit_test(nothing_hostile_gets_out),
		cmocka_unit_test(lines_fit),
		cmocka_unit_test(widths_of_characters),
		cmocka_unit_test(paragraphs_hang),
	};

	return cmocka_run_group_tests_name("render-text", tests, NULL, NULL);
}
