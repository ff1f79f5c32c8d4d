/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same bytes read twice: by our decoders, and by smartctl(8), whose text our importer reads. Both
 * must give the same facts. smartctl talks to the pages through fake-sata.so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/page-fixture.h"
#include "../unit/page-samples.h"
#include "base/str.h"
#include "decode/decode.h"
#include "import/import.h"

#define DRIVES 25u

static char folder[64];
static unsigned test, seed;

static void report(bool ok, const char *what, unsigned drive)
{
	printf("%sok %u - %s, drive %u\n", ok ? "" : "not ", ++test, what, drive);
}

static unsigned chance(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* --- the drive ------------------------------------------------------------------------------------- */

/*
 * Where any byte is as good as another: its value is told, and changes nothing else. Runs of SIZE
 * bytes, every STEP bytes from FROM on, before TO.
 */
static const struct area {
	const char *id;
	size_t from, to, step, size;
} areas[] = {
	{ "ata/smart/data", 3, 362, 12, 10 }, /* flags, values, raw */
	{ "ata/smart/data", 362, 366, 1, 1 }, /* status, times */
	{ "ata/smart/thresholds", 3, 362, 12, 1 },
	{ "ata/log/11/00", 6, 8, 2, 2 },
	{ "ata/smart-log/06", 4, 500, 24, 2 }, /* hours */
	{ "ata/smart-log/06", 7, 500, 24, 4 }, /* LBA */
	{ "ata/log/07/00", 6, 498, 26, 2 },
	{ "ata/log/07/00", 518, 1010, 26, 2 },
	{ "ata/log/03/00", 95, 500, 124, 1 },  /* Error */
	{ "ata/log/03/00", 125, 500, 124, 3 }, /* state, hours */
	{ "ata/smart-log/01", 63, 452, 90, 1 },
	{ "ata/smart-log/01", 89, 452, 90, 3 },
	{ "ata/log/04/00", 512 + 8, 512 + 0x60, 8, 4 },
	{ "ata/log/04/00", 5 * 512 + 8, 5 * 512 + 0x70, 8, 1 },
	{ "ata/log/04/00", 6 * 512 + 8, 6 * 512 + 0x20, 8, 4 },
	{ "ata/log/0c/00", 16, 1024, 16, 4 },
	{ "ata/log/0c/00", 24, 1024, 16, 6 },
	{ "ata/smart-log/e0", 200, 205, 1, 1 },
	{ "ata/smart-log/e0", 206, 214, 4, 4 },
	{ "ata/sct/history", 34, 512, 1, 1 },
	{ "ata/sct/history", 6, 10, 1, 1 },
	{ "ata/smart-log/09", 10, 82, 16, 4 },
};

static void vary(const char *id, uint8_t *bytes)
{
	for (size_t i = 0; i < array_size(areas); i++) {
		const struct area *a = &areas[i];

		if (!str_equal(a->id, id))
			continue;
		for (size_t at = a->from; at + a->size <= a->to; at += a->step)
			for (size_t k = 0; k < a->size; k++)
				bytes[at + k] = (uint8_t)chance(256);
	}
}

static void write_file(const char *id, const uint8_t *bytes, size_t len)
{
	char path[128], *c;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, id);
	for (c = path + strlen(folder) + 1; *c; c++)
		if (*c == '/')
			*c = '-';
	/* a General Purpose log is one file from page 0 on */
	if (str_starts(id, "ata/log/"))
		path[strlen(path) - 3] = '\0';
	f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f) != 0)
		exit(99);
}

static void add_item(struct capture *c, struct cap_snapshot *s, const char *id,
		     const uint8_t *bytes, size_t len)
{
	write_file(id, bytes, len);
	if (!capture_add_item(c, s, id, CAP_OK, span_of(bytes, len)))
		exit(99);
}

/* What smartctl wants to know before it reads a log: 03h, 04h, 07h, 0Ch, 11h; SCT. */
static void add_directories(struct capture *c, struct cap_snapshot *s, bool short_logs)
{
	static const struct {
		uint8_t address, pages;
	} gpl[] = { { 3, 2 }, { 4, 8 }, { 7, 2 }, { 0x0c, 2 }, { 0x11, 1 } },
	  smart[] = { { 1, 1 }, { 6, 1 }, { 9, 1 }, { 0xe0, 1 }, { 0xe1, 1 } };
	uint8_t page[512] = { 1 };

	for (size_t i = 0; i < array_size(smart); i++)
		page[2 * smart[i].address] = smart[i].pages;
	add_item(c, s, "ata/smart-log/00", page, sizeof(page));
	memset(page + 2, 0, sizeof(page) - 2);
	for (size_t i = 0; i < array_size(gpl); i++)
		if (!short_logs || (gpl[i].address != 3 && gpl[i].address != 7))
			page[2 * gpl[i].address] = gpl[i].pages;
	add_item(c, s, "ata/log/00/00", page, sizeof(page));
}

static void add_answer(struct capture *c, struct cap_snapshot *s, const char *id,
		       const char *name, const char *value, const char *bytes)
{
	struct cap_item *item = capture_add_item(c, s, id, CAP_OK, span_of("", 0));

	write_file(id, (const uint8_t *)bytes, 2);
	if (!item || cap_item_set(c, item, name, value) < 0 ||
	    (!cap_item_get(item, "ata_count") &&
	     cap_item_set(c, item, "ata_count", "46") < 0))
		exit(99);
}

static void make_drive(struct capture *c, bool short_logs)
{
	static uint8_t bytes[SAMPLE_MAX];
	struct cap_snapshot *s = capture_add_snapshot(
		c, capture_add_subject(c, CAP_DRIVE), CAP_IMPORT, NULL);

	if (!s)
		exit(99);
	for (const struct page_sample *p = page_samples; p->id; p++) {
		bool ring = str_equal(p->id, "ata/log/03/00") ||
			    str_equal(p->id, "ata/log/07/00");
		size_t len = page_sample_make(p, bytes);

		/* the same tables again, what smartctl does not read, and directories */
		if (strstr(p->id, "log/30") || strstr(p->id, "log/00") ||
		    strstr(p->id, "log/10") || strstr(p->id, "log/a6") ||
		    str_equal(p->id, "ata/smart-log/04") ||
		    str_equal(p->id, "ata/log/e0/00") || (ring && short_logs))
			continue;
		vary(p->id, bytes);
		if (str_equal(p->id, "ata/identify"))
			bytes[256] = 1; /* not locked */
		for (size_t at = 0; p->sealed && at < len; at += 512)
			page_seal(bytes + at);
		add_item(c, s, p->id, bytes, len);
	}
	add_directories(c, s, short_logs);
	add_answer(c, s, "ata/smart/status", "ata_lba", "c24f00", "\x4f\xc2");
	add_answer(c, s, "ata/sct/erc-read", "ata_lba", "000000", "\x46");
	add_answer(c, s, "ata/sct/erc-write", "ata_lba", "000001", "\x46\x01");
}

/* --- what is compared ------------------------------------------------------------------------------- */

struct range {
	enum fact_id first, last;
};

static const struct range compared[] = {
	{ FACT_MODEL, FACT_ROTATION },
	{ FACT_FORM_FACTOR, FACT_ZONED },
	{ FACT_LINK_CURRENT, FACT_LINK_DEVICE_MAX },
	{ FACT_AAM, FACT_SECURITY_FROZEN },
	{ FACT_SMART_AVAILABLE, FACT_SMART_PASSED },
	{ FACT_OFFLINE_STATUS, FACT_ATTR_WHEN_FAILED },
	{ FACT_LOG_GPL, FACT_SCT_ERC_WRITE },
	{ FACT_STAT_VALUE, FACT_PHY_SATURATED },
};

/* Where the two have different forms. */
static const struct range different[] = {
	{ FACT_ATTR_NAME,
	  FACT_ATTR_FLAGS }, /* a page has no names; six bits as letters */
	{ FACT_ATTR_RAW,
	  FACT_ATTR_RAW_SIGNED },	    /* the first number of the text; six bytes */
	{ FACT_LOG_ACCESS, FACT_LOG_NAME }, /* once in the text for both directories */
};

/* In the text equal neighbours are left out. */
static const struct range only_in_bytes[] = {
	{ FACT_SCT_HIST_TEMP, FACT_SCT_HIST_TEMP },
};

static bool is_in(const struct range *ranges, size_t n, enum fact_id id)
{
	for (size_t i = 0; i < n; i++)
		if (id >= ranges[i].first && id <= ranges[i].last)
			return true;
	return false;
}

static bool is_compared(const struct fact *f)
{
	enum fact_id id = f->key.id;

	return is_in(compared, array_size(compared), id) &&
	       !is_in(different, array_size(different), id);
}

static bool is_same(const struct fact *a, const struct fact *b)
{
	return fact_get_info(a->key.id)->type == FACT_TEXT ? str_equal(a->text, b->text)
							   : a->u == b->u;
}

static void say(const char *who, const struct fact *f)
{
	struct buf line = { 0 };
	struct fact plain = *f;

	plain.origin.line = 0;
	fact_add_line(&line, &plain);
	printf("# %s: %s", who, buf_text(&line));
	buf_done(&line);
}

/* Each fact of A must be in B. */
static size_t compare(const struct drive *a, const struct drive *b, const char *who,
		      bool *ret_ok)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_facts; i++) {
		const struct fact *f = &a->facts[i], *other;

		if (!is_compared(f))
			continue;
		n++;
		other = drive_fact(b, f->key.id, f->key.i, f->key.j);
		if ((other && is_same(f, other)) ||
		    (!other &&
		     is_in(only_in_bytes, array_size(only_in_bytes), f->key.id)))
			continue;
		say(who, f);
		if (other)
			say("the other", other);
		*ret_ok = false;
	}
	return n;
}

/* --- reading ---------------------------------------------------------------------------------------- */

static void read_with_smartctl(struct buf *ret)
{
	char command[512], chunk[4096];
	size_t n;
	FILE *f;

	(void)snprintf(command, sizeof(command),
		       "FAKE_SATA='%s' LD_PRELOAD='%s/tests/peer/fake-sata.so' "
		       "smartctl -x -l xerror,64,error -l xselftest,64,selftest "
		       "-l defects,100 -d sat /dev/null",
		       folder, getenv("top_builddir") ? getenv("top_builddir") : ".");
	f = popen(command, "r");
	while (f && (n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(ret, chunk, n);
	if (f)
		(void)pclose(f);
}

static bool decode(const struct capture *c, struct case_file *ret)
{
	struct diag d = { 0 };
	struct drivedb *db = drivedb_new_empty();
	int r = db ? decode_case(c, db, &d, ret) : -1;

	drivedb_free(db);
	diag_done(&d);
	return r == 0 && ret->n_drives == 1;
}

static void compare_drive(unsigned number)
{
	struct capture bytes = { 0 }, text = { 0 };
	struct case_file ours = { 0 }, theirs = { 0 };
	struct buf posted = { 0 };
	struct diag d = { 0 };
	struct import_stats stats = { 0 };
	bool ok = true;
	size_t n = 0;

	seed = number;
	make_drive(&bytes, number % 5 == 4);
	read_with_smartctl(&posted);
	if (import_read(buf_span(&posted), "smartctl", &text, &d, &stats) == 0 &&
	    decode(&bytes, &ours) && decode(&text, &theirs)) {
		n = compare(theirs.drives[0], ours.drives[0], "smartctl", &ok);
		(void)compare(ours.drives[0], theirs.drives[0], "drivewhy", &ok);
	}
	printf("# %zu facts\n", n);
	report(ok && n > 400, "the same facts", number);
	case_done(&ours);
	case_done(&theirs);
	capture_done(&bytes);
	capture_done(&text);
	buf_done(&posted);
	diag_done(&d);
}

int main(void)
{
	char remove[128];

	if (system("smartctl --version >/dev/null 2>&1") != 0) {
		puts("1..0 # SKIP smartctl not there");
		return 0;
	}
	(void)snprintf(folder, sizeof(folder), "%s", "same-facts-XXXXXX");
	if (!mkdtemp(folder))
		return 99;
	printf("1..%u\n", DRIVES);
	for (unsigned i = 0; i < DRIVES; i++)
		compare_drive(i);
	(void)snprintf(remove, sizeof(remove), "rm -r %s", folder);
	return system(remove) == 0 ? 0 : 99;
}
