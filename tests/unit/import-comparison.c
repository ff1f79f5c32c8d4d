/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of mmtests and stalled tasks; the expected figures stand in the text. */
#include "import-facts.h"

#include <errno.h>
#include <string.h>

static const char *const whole[] = {
	"comparison[0].column[0]=\"4.1.0-rc1 vanilla\"",
	"comparison[0].column[1]=\"4.1.0-rc1 patched\"",
	"!comparison[0].column[2]",
	"!comparison[0].title",
	"comparison_row[0].table=0",
	"comparison_row[0].name=\"System min\"",
	"comparison_row[0].text[0]=\"10.14\"",
	"comparison_row[0].micro[0]=10140000",
	"comparison_row[0].change_ppm[0]=0",
	"comparison_row[0].text[1]=\"9.13\"",
	"comparison_row[0].micro[1]=9130000",
	"comparison_row[0].change_ppm[1]=99600",
	"comparison_row[1].name=\"System mean\"",
	"comparison_row[1].text[0]=\"nan\"",
	"!comparison_row[1].micro",
	"!comparison_row[1].change",
	"comparison_row[2].change_ppm[1]=-1500000",
	"comparison_row[3].name=\"Hmean 16\"",
	"comparison_row[3].micro[0]=123450000",
	"comparison_row[3].micro[1]=130120000",
	"comparison_row[3].change_ppm[1]=54000",
	"comparison_row[4].name=\"Elapsed max\"",
	"comparison[1].title=\"iostat\"",
	"comparison[1].column[1]=\"4.1.0-rc1 patched\"",
	"comparison_row[5].table=1",
	"comparison_row[5].name=\"Mean dm-0-avgqz\"",
	"comparison_row[5].micro[0]=1180000",
	"!comparison_row[5].change",
	"comparison_row[6].micro[1]=11120640000",
	"comparison_row[7].micro[1]=297850000",
	"!comparison_row[8]",
	"!comparison[2]",
	"stall[0].label=\"Vanilla kernel\"",
	"stall[0].total_ms=3325677",
	"stall[0].events=57",
	"stall[0].where=\"wait_on_buffer\"",
	"stall[1].label=\"Patched kernel\"",
	"stall[1].total_ms=2411471",
	"stall[1].events=1",
	"stall[1].where=\"wait_on_buffer\"",
	"!stall[2]",
	NULL,
};

static void a_report(void **state)
{
	struct imported f;

	(void)state;
	imported_read_file(&f, "comparison.txt");
	assert_int_equal(f.r, 0);
	imported_assert(&f, whole);
	assert_int_equal(f.c.n_subjects, 1);
	assert_int_equal(f.c.subjects[0].kind, CAP_HOST);
	imported_done(&f);
}

struct small {
	const char *text;
	const char *want[8];
	const char *note;
};

#define COLUMNS "4.1.0 4.1.0\nvanilla patched\n"

static const struct small smalls[] = {
	/* one cell damaged: the others of its row stand */
	{ COLUMNS
	  "CPU min 3.00 ( 0.00%) 3.x0 ( 1.00%)\nCPU max 4.00 ( 0.00%) 5.00 (1.0%)\n",
	  { "comparison_row[0].micro[0]=3000000", "!comparison_row[0].text[1]",
	    "!comparison_row[0].micro[1]", "comparison_row[0].change_ppm[1]=10000",
	    "comparison_row[1].micro[1]=5000000" },
	  "a cell of this row cannot be read" },
	{ COLUMNS "CPU min 3.00 ( 0.00%) 3.50 ( 1.0O%)\n",
	  { "comparison_row[0].micro[1]=3500000", "!comparison_row[0].change_ppm[1]" },
	  "a cell of this row" },
	/* a cell lost: the column of the other is not known; the next row keeps its number */
	{ COLUMNS "CPU min 3.00 ( 0.00%)\nCPU max 4.00 ( 0.00%) 5.00 ( 1.00%)\n",
	  { "!comparison_row[0]", "comparison_row[1].name=\"CPU max\"" },
	  "not as many cells" },
	/* wrapped between cells, inside a number, inside a change */
	{ COLUMNS
	  "CPU min 3.00 ( 0.00%)\n3.50 ( 1.00%)\nCPU max 4.00 ( 0.00%) 5.00 ( 1.00%)\n",
	  { "comparison_row[0].micro[1]=3500000", "comparison_row[1].micro[0]=4000000" },
	  NULL },
	{ COLUMNS "CPU min 3.00 ( 0.00%) 3.\n50 ( 1.00%)\n",
	  { "comparison_row[0].micro[1]=3500000",
	    "comparison_row[0].change_ppm[1]=10000" },
	  NULL },
	{ COLUMNS "CPU min 3.00 ( 0.00%) 3.50 ( 1.\n00%)\n",
	  { "comparison_row[0].micro[1]=3500000",
	    "comparison_row[0].change_ppm[1]=10000" },
	  NULL },
	{ COLUMNS "Mean sda-await 2501.33 2597\n.23\n",
	  { "comparison_row[0].micro[0]=2501330000",
	    "comparison_row[0].micro[1]=2597230000" },
	  NULL },
	{ COLUMNS "Mean sda-await 2501.33\n2597.23\nMean sda-r_await 1.00 2.00\n",
	  { "comparison_row[0].micro[1]=2597230000",
	    "comparison_row[1].micro[0]=1000000" },
	  NULL },
	/* a number cut: the places show it */
	{ COLUMNS "Mean sda-await 2501.33 2597.2\n\n3\n",
	  { "!comparison_row[0]" },
	  "not as many cells" },
	/* without names of columns two cells make a table, one does not */
	{ "CPU min 3.00 ( 0.00%) 3.50 ( 1.00%)\n",
	  { "comparison_row[0].micro[1]=3500000", "!comparison[0].column" },
	  NULL },
};

static void rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(smalls); i++) {
		struct imported f;

		imported_read(&f, smalls[i].text, strlen(smalls[i].text));
		assert_int_equal(f.r, 0);
		imported_assert(&f, smalls[i].want);
		if (smalls[i].note)
			imported_assert_note(&f, smalls[i].note);
		imported_done(&f);
	}
}

static const struct small stalls[] = {
	{ "Waited in do_get_write_access as a result of X:\nA 10 ms stalled with 2 "
	  "events\n",
	  { "stall[0].where=\"do_get_write_access\"", "stall[0].label=\"A\"" },
	  NULL },
	/* the name may be the rest of a longer one */
	{ "it is the second worst stall, and here it waits for wait_on\n"
	  "_page_bit as a result of X:\nA 10 ms stalled with 2 events\n",
	  { "!stall[0].where", "stall[0].total_ms=10" },
	  NULL },
	{ "the second worst stall --\nwait_on_page_bit as a result of X.\n"
	  "A 10 ms stalled with 2 events\n",
	  { "stall[0].where=\"wait_on_page_bit\"" },
	  NULL },
	/* no function, no sentence, another paragraph */
	{ "slower as a result of the patch:\nA 10 ms stalled with 2 events\n",
	  { "!stall[0].where", "stall[0].events=2" },
	  NULL },
	{ "in a_b as a result of X\n\nOther text.\n\nA 10 ms stalled with 2 events\n",
	  { "!stall[0].where", "stall[0].events=2" },
	  NULL },
	/* damaged: absent, and the next keeps its number */
	{ "A 1O ms stalled with 2 events\nB 3 ms stalled with 4 events\n",
	  { "!stall[0]", "stall[1].label=\"B\"" },
	  "stalled tasks" },
};

static void stalled_tasks(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(stalls); i++) {
		struct imported f;

		imported_read(&f, stalls[i].text, strlen(stalls[i].text));
		assert_int_equal(f.r, 0);
		imported_assert(&f, stalls[i].want);
		if (stalls[i].note)
			imported_assert_note(&f, stalls[i].note);
		imported_done(&f);
	}
}

static void prose_is_no_table(void **state)
{
	static const char *const texts[] = {
		"from 12 ( 5%) to 13 ( 6%) of them\n",
		"about 25 ( 10%)\n",
		"Mean sda-await went up\n",
		"it was stalled for 10 ms\n",
		"Temperature 28 (Min/Max 21/40)\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		struct imported f;

		imported_read(&f, texts[i], strlen(texts[i]));
		if (f.r != -ENOMSG)
			fail_msg("%s", texts[i]);
		imported_done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report),
		cmocka_unit_test(rows),
		cmocka_unit_test(stalled_tasks),
		cmocka_unit_test(prose_is_no_table),
	};

	return cmocka_run_group_tests_name("import-comparison", tests, NULL, NULL);
}
