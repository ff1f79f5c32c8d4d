/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text as the items of a read probe, to a judged case. The first line of a part, "@NAME", begins an
 * item of that name. Whatever it says, shares are shares and texts are short.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "decode/decode.h"
#include "judge/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ITEMS_MAX 24u
#define BYTES_MAX 65536u

static void must(bool what)
{
	if (!what)
		abort();
}

/* "probe/" and the name that begins the part, or the usual one. */
static void name_of(const char *part, size_t len, char *ret, size_t room)
{
	size_t n = 0;

	(void)strcpy(ret, "probe/");
	if (len && part[0] == '@')
		while (1 + n < len && part[1 + n] != '\n' && part[1 + n] && n + 8 < room)
			n++;
	memcpy(ret + 6, n ? part + 1 : "rand4k-qd1", n ? n : 11);
	ret[6 + (n ? n : 10)] = '\0';
}

static void add_items(struct capture *c, struct cap_snapshot *s, const char *text,
		      size_t size)
{
	for (size_t at = 0, n = 0; at < size && n < ITEMS_MAX; n++) {
		const char *part = text + at, *end = memchr(part + 1, '@', size - at - 1);
		size_t len = end ? (size_t)(end - part) : size - at;
		char name[64];

		name_of(part, len, name, sizeof(name));
		if (!capture_add_item(c, s, name, CAP_OK, span_of(part, len)))
			return;
		at += len;
	}
}

static void check_drive(const struct drive *d)
{
	for (size_t i = 0; i < d->n_facts; i++) {
		const struct fact *f = &d->facts[i];

		if (fact_get_info(f->key.id)->type == FACT_TEXT)
			must(strlen(f->text) < 4096);
		if (f->key.id == FACT_READ_MODE_SHARE || f->key.id == FACT_WINDOWS_P)
			must(f->u <= 1000000);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = { 0 };
	struct diag diag = { 0 };
	struct case_file the_case;
	struct report report;
	struct drivedb *db = drivedb_new_empty();
	struct cap_subject *u = capture_add_subject(&c, CAP_DRIVE);
	struct cap_snapshot *s = u ? capture_add_snapshot(&c, u, CAP_DURING, "x") : NULL;

	if (db && s && size && size <= BYTES_MAX) {
		add_items(&c, s, (const char *)data, size);
		if (decode_case(&c, db, &diag, &the_case) == 0) {
			for (size_t i = 0; i < the_case.n_drives; i++)
				check_drive(the_case.drives[i]);
			if (judge_case(&the_case, &report) == 0)
				report_done(&report);
			case_done(&the_case);
		}
	}
	drivedb_free(db);
	capture_done(&c);
	diag_done(&diag);
	return 0;
}
