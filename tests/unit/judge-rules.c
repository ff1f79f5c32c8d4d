/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every rule by its three answers: tests/cases/rules.txt has a text that it finds something in, one
 * that it is fine with, and one without the data it needs. A code without all three fails.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "case-fixture.h"
#include "import/import.h"

struct block {
	enum code code;
	enum rule_answer want;
	unsigned line;
	struct buf drive, host, text;
};

static const char *answer_name(unsigned answer)
{
	static const char *const names[] = { "not asked", "not for it", "cannot", "fine",
					     "found" };

	return names[answer];
}

/* "drive: NAME=VALUE" and "host: NAME=VALUE" are facts, everything else was posted. */
static void take_line(struct block *b, const char *line)
{
	const char *drive = str_after(line, "drive: "), *host = str_after(line, "host: ");
	struct buf *to = drive ? &b->drive : host ? &b->host : &b->text;

	buf_printf(to, "%s\n", drive ? drive : host ? host : line);
}

static void add_facts(struct fixture *f, enum cap_kind kind, const struct buf *facts)
{
	struct cap_subject *s;
	struct cap_snapshot *snapshot;

	if (!facts->len)
		return;
	s = capture_add_subject(&f->capture, kind);
	assert_non_null(s);
	snapshot = capture_add_snapshot(&f->capture, s, CAP_IMPORT, "facts");
	assert_non_null(snapshot);
	assert_non_null(capture_add_item(&f->capture, snapshot, "facts/test", CAP_OK,
					 buf_span(facts)));
}

static void judge_block(struct fixture *f, const struct block *b)
{
	struct import_stats stats;

	*f = (struct fixture){ 0 };
	f->db = drivedb_new(&f->diag);
	assert_non_null(f->db);
	add_facts(f, CAP_DRIVE, &b->drive);
	add_facts(f, CAP_HOST, &b->host);
	if (strspn(buf_text(&b->text), " \n") != b->text.len &&
	    import_read(buf_span(&b->text), "posted", &f->capture, &f->diag, &stats) < 0)
		print_message("# rules.txt:%u: not read\n", b->line);
	assert_int_equal(decode_case(&f->capture, f->db, &f->diag, &f->the_case), 0);
	assert_int_equal(judge_case(&f->the_case, &f->report), 0);
}

static bool is_as_wanted(const struct block *b)
{
	struct fixture f;
	unsigned best = 0;
	bool good;

	judge_block(&f, b);
	for (size_t i = 0; i < f.report.n_drives; i++)
		if (f.report.drives[i].answers[b->code] > best)
			best = f.report.drives[i].answers[b->code];
	for (size_t i = 0; i < f.report.n_host_findings; i++)
		if (f.report.host_findings[i].code == b->code)
			best = ANSWER_FOUND;
	good = best == b->want ||
	       (b->want == ANSWER_CANNOT_TELL && best == ANSWER_NOT_FOR_IT);
	if (!good)
		print_message("# rules.txt:%u: %s is \"%s\", not \"%s\"\n", b->line,
			      code_name(b->code), answer_name(best),
			      answer_name(b->want));
	fixture_done(&f);
	return good;
}

static bool seen[CODE_COUNT][ANSWER_FOUND + 1];
static unsigned bad, n_blocks;

static void end_block(struct block *b)
{
	if (b->line) {
		n_blocks++;
		bad += !is_as_wanted(b);
		seen[b->code][b->want] = true;
	}
	buf_done(&b->drive);
	buf_done(&b->host);
	buf_done(&b->text);
	*b = (struct block){ 0 };
}

/* "== M05 found" */
static void begin_block(struct block *b, const char *head, unsigned line)
{
	char code[8], want[16];

	assert_int_equal(sscanf(head, "== %7s %15s", code, want), 2);
	assert_int_equal(code_from_name(code, &b->code), 0);
	b->want = str_equal(want, "found")  ? ANSWER_FOUND
		  : str_equal(want, "fine") ? ANSWER_FINE
					    : ANSWER_CANNOT_TELL;
	b->line = line;
}

static void all_rules(void **state)
{
	const char *root = getenv("top_srcdir");
	char path[4096], text[4096];
	struct block b = { 0 };
	unsigned line = 0;
	FILE *f;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/tests/cases/rules.txt", root ? root : ".");
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(text, sizeof(text), f)) {
		line++;
		text[strcspn(text, "\n")] = '\0';
		if (str_starts(text, "== ")) {
			end_block(&b);
			begin_block(&b, text, line);
		} else if (b.line) {
			take_line(&b, text);
		}
	}
	end_block(&b);
	(void)fclose(f);
	print_message("# %u blocks\n", n_blocks);
	assert_int_equal(bad, 0);
}

/* What no rule of a drive gives: conclusions, and what is about the host alone. */
static bool is_conclusion(enum code code)
{
	return code == CODE_Z00 || code == CODE_Z01 || code == CODE_Z02 ||
	       code == CODE_P03;
}

static void every_code_has_all_three(void **state)
{
	static const enum rule_answer wanted[] = { ANSWER_FOUND, ANSWER_FINE,
						   ANSWER_CANNOT_TELL };
	unsigned missing = 0;

	(void)state;
	for (int c = 0; c < CODE_COUNT; c++)
		for (size_t i = 0; i < array_size(wanted); i++)
			if (!is_conclusion((enum code)c) && !seen[c][wanted[i]]) {
				print_message("# %s has no \"%s\"\n",
					      code_name((enum code)c),
					      answer_name(wanted[i]));
				missing++;
			}
	assert_int_equal(missing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_rules),
		cmocka_unit_test(every_code_has_all_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
