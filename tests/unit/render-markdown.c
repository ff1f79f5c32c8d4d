/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <string.h>

#include "render/render.h"
#include "report-fixture.h"

static struct buf render(const char *name)
{
	struct fixture f;
	struct buf out = { 0 };

	fixture_init(&f, name);
	assert_int_equal(
		render_find("markdown")
			->write(&f.report, &f.diag, &(struct render_options){ 0 }, &out),
		0);
	fixture_done(&f);
	return out;
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

static void short_and_to_the_point(void **state)
{
	struct buf b = render("constant");

	(void)state;
	assert_has(&b, "**ACME SSD 830 Series**, 512 GB, firmware CXM03B1Q, 36 h on\n");
	assert_has(&b,
		   "**warning: The SSD stalls inside** (D11, confidence: moderate)\n");
	assert_has(&b, "Where: inside the drive\n");
	assert_has(&b, "- interface CRC errors: 0 *(lifetime)*\n");
	assert_has(&b, " 001 0, 002 ~~49152~~, 003 ~~53248~~,");
	assert_has(&b, ", 013 ~~12112~~, 00A 25\n");
	assert_has(&b, "1. Look for a firmware update for this drive.\n");
	assert_has(&b, "- note: Link errors between drive and host (L01), the other "
		       "explanation\n");
	buf_done(&b);
}

static void back_up_comes_first(void **state)
{
	struct buf b = render("media");

	(void)state;
	assert_has(&b, "1. Back up now");
	assert_true(strstr(buf_text(&b), "1. Back up now") <
		    strstr(buf_text(&b), "24 pending sectors"));
	buf_done(&b);
}

/* Serial numbers and world wide names are hidden even inside other texts. */
static void no_name_of_the_drive(void **state)
{
	(void)state;
	for (const struct fixture_row *row = fixtures; row->name; row++) {
		struct buf b = render(row->name);

		assert_lacks(&b, "TEST000000");
		assert_lacks(&b, "TEST\\*000");
		assert_lacks(&b, "5000000012345678");
		assert_lacks(&b, "5 000000 012345678");
		assert_lacks(&b, "report.txt");
		buf_done(&b);
	}
}

static void a_serial_in_a_sentence_is_hidden(void **state)
{
	struct buf b = render("hostile");

	(void)state;
	assert_has(&b, "- serial (hidden), wwn (hidden) ");
	buf_done(&b);
}

static void markdown_of_others_does_nothing(void **state)
{
	struct buf b = render("hostile");

	(void)state;
	/* the escape itself is text as well: its backslash is doubled and then escaped */
	assert_has(&b, "**\\\\x1b\\[31mEVIL\\\\x1b\\]0;t\\\\x07 \"\\<b\\>\\|\\`\\*\\_"
		       "\\[x\\](y)\\\\ \\\\xff");
	buf_done(&b);
}

static void host_alone(void **state)
{
	struct buf b = render("host");

	(void)state;
	assert_has(&b, "**note: Writes queue up, reads are not the problem** (P02");
	assert_has(&b, "w\\_await 11,228.80 ms");
	buf_done(&b);
	b = render("nothing");
	assert_string_equal(buf_text(&b), "");
	buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_and_to_the_point),
		cmocka_unit_test(back_up_comes_first),
		cmocka_unit_test(no_name_of_the_drive),
		cmocka_unit_test(a_serial_in_a_sentence_is_hidden),
		cmocka_unit_test(markdown_of_others_does_nothing),
		cmocka_unit_test(host_alone),
	};

	return cmocka_run_group_tests_name("render-markdown", tests, NULL, NULL);
}
