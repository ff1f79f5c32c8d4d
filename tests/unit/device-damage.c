/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages that are cut, empty, all ones, or have a bit turned over, from the drive to the report: no
 * crash, and a drive of which nothing can be believed is never called well.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "capture/file.h"
#include "decode/decode.h"
#include "device/collect.h"
#include "drivedb/drivedb.h"
#include "files.h"
#include "judge/judge.h"
#include "render/render.h"

#define FLIPS 24

static struct buf whole; /* the capture file */
static struct drivedb *db;
static unsigned runs;
static struct buf said; /* what the last report says of its input */

static int setup(void **state)
{
	struct diag d = { 0 };
	char path[FILES_PATH];

	(void)state;
	if (!files_read(files_source("tests/captures/testdisk-all-pages.cap", path),
			&whole))
		return 1;
	db = drivedb_new(&d);
	diag_done(&d);
	return db ? 0 : 1;
}

static int teardown(void **state)
{
	(void)state;
	buf_done(&whole);
	buf_done(&said);
	drivedb_free(db);
	print_message("# %u reports\n", runs);
	return 0;
}

static struct cap_snapshot *read_capture(struct capture *c)
{
	struct diag d = { 0 };

	assert_int_equal(capture_file_read(buf_span(&whole), "test", &d, c), 0);
	diag_done(&d);
	return &c->subjects[0].snapshots[0];
}

/* Read the drive that answers so, and judge it. The worst severity. */
static enum severity judge(const struct capture *c)
{
	struct capture read = { 0 };
	struct collect_options o = { .level = LEVEL_FULL, .db = db };
	struct collect_stats stats;
	struct cap_subject *s = capture_add_subject(&read, CAP_DRIVE);
	struct transport *t = NULL;
	struct case_file the_case = { 0 };
	struct report report = { 0 };
	struct render_options ro = { .columns = 80, .verbose = true };
	struct buf out = { 0 };
	struct diag d = { 0 };
	enum severity worst;

	assert_int_equal(transport_replay_open(&c->subjects[0], &t), 0);
	assert_int_equal(
		collect_drive(&read, s, CAP_BEFORE, "/dev/test", t, &o, &d, &stats), 0);
	transport_close(t);
	assert_int_equal(decode_case(&read, db, &d, &the_case), 0);
	assert_int_equal(judge_case(&the_case, &report), 0);
	assert_int_equal(render_find("text")->write(&report, &d, &ro, &out), 0);
	worst = report_worst(&report);
	buf_clear(&said);
	for (size_t i = 0; i < d.n; i++)
		buf_printf(&said, "%s\n", d.items[i].text);
	buf_done(&out);
	report_done(&report);
	case_done(&the_case);
	capture_done(&read);
	diag_done(&d);
	runs++;
	return worst;
}

enum damage { CUT_TO_0, CUT_TO_1, CUT_BY_1, CUT_HALF, ZEROS, ONES, DAMAGES };

static void harm(struct cap_item *item, enum damage how, uint8_t *copy)
{
	size_t len = item->body.len;
	const size_t cut[] = { 0, 1, len - 1, len / 2 };

	memcpy(copy, item->body.data, len);
	if (how == ZEROS || how == ONES)
		memset(copy, how == ZEROS ? 0 : 0xff, len);
	else
		len = cut[how];
	item->body = span_of(copy, len);
}

static uint8_t *copies(const struct cap_snapshot *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n_items; i++)
		most += s->items[i].body.len;
	return malloc(most);
}

/*
 * A page that is no use is named; of a log with several of them one, "ata/log/03/01" where page 0 is
 * well. What cannot be told from a page that is well: a log without a pending defect, and the last page
 * of a log that does not list it.
 */
static bool is_named(const struct cap_item *item, enum damage how)
{
	char name[64];

	if (how == ZEROS && str_equal(item->id, "ata/log/0c/00"))
		return true;
	if (how == CUT_BY_1 && str_equal(item->id, "ata/log/04/00"))
		return true;
	(void)snprintf(name, sizeof(name), "%s", item->id);
	if (str_starts(name, "ata/log/"))
		name[strlen(name) - 2] = '\0';
	return strstr(buf_text(&said), name) != NULL;
}

/* The drive itself says that it fails: no page, however wrong, may hide it. */
static void one_page(void **state)
{
	(void)state;
	for (unsigned how = 0; how < DAMAGES; how++) {
		for (size_t i = 0;; i++) {
			struct capture c = { 0 };
			struct cap_snapshot *s = read_capture(&c);
			uint8_t *copy = copies(s);
			bool last = i >= s->n_items;

			for (size_t k = 0; k < s->n_items; k++)
				if (str_equal(s->items[k].id, "ata/smart/status"))
					assert_int_equal(cap_item_set(&c, &s->items[k],
								      "ata_lba",
								      "2cf400"),
							 0);
			if (!last && s->items[i].body.len) {
				bool is_identity =
					str_equal(s->items[i].id, "ata/identify");

				harm(&s->items[i], (enum damage)how, copy);
				/* without it nothing more is asked for */
				assert_true(judge(&c) >= (is_identity
								  ? SEVERITY_UNKNOWN
								  : SEVERITY_WARNING));
				if (!is_named(&s->items[i], (enum damage)how))
					fail_msg("%s, damage %u: not said in\n%s",
						 s->items[i].id, how, buf_text(&said));
			}
			free(copy);
			capture_done(&c);
			if (last)
				break;
		}
	}
}

static void all_pages(void **state)
{
	(void)state;
	for (unsigned how = 0; how < DAMAGES; how++) {
		struct capture c = { 0 };
		struct cap_snapshot *s = read_capture(&c);
		uint8_t *copy = copies(s), *at = copy;

		for (size_t i = 0; i < s->n_items; i++) {
			size_t len = s->items[i].body.len;

			/* IDENTIFY DEVICE stays, so that all the others are asked for */
			if (!len || str_equal(s->items[i].id, "ata/identify"))
				continue;
			harm(&s->items[i], (enum damage)how, at);
			at += len;
		}
		assert_true(judge(&c) >= SEVERITY_UNKNOWN);
		free(copy);
		capture_done(&c);
	}
}

static void turned_bits(void **state)
{
	uint32_t random = 12345;
	struct capture count = { 0 };
	size_t n = read_capture(&count)->n_items;

	(void)state;
	capture_done(&count);
	for (size_t i = 0; i < n * FLIPS; i++) {
		struct capture c = { 0 };
		struct cap_snapshot *s = read_capture(&c);
		struct cap_item *item = &s->items[i % n];
		uint8_t *copy = copies(s);

		random = random * 1664525u + 1013904223u;
		if (item->body.len) {
			memcpy(copy, item->body.data, item->body.len);
			copy[(random >> 4) % item->body.len] ^=
				(uint8_t)(1u << (random >> 29));
			item->body = span_of(copy, item->body.len);
			(void)judge(&c);
		}
		free(copy);
		capture_done(&c);
	}
}

/* No registers at all: the path loses them. The pages may be as good as they like. */
static void lost_registers(void **state)
{
	struct capture c = { 0 };
	struct cap_snapshot *s = read_capture(&c);

	(void)state;
	for (size_t i = 0; i < s->n_items; i++)
		if (s->items[i].n_attributes)
			s->items[i].n_attributes = 0;
	(void)judge(&c);
	capture_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_page),
		cmocka_unit_test(all_pages),
		cmocka_unit_test(turned_bits),
		cmocka_unit_test(lost_registers),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
