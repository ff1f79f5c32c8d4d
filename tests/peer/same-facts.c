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

#include "base/str.h"
#include "decode/decode.h"
#include "drive.h"
#include "import/import.h"

#define DRIVES 25u

static char folder[64];
static unsigned test;

static void report(bool ok, const char *what, unsigned drive)
{
	printf("%sok %u - %s, drive %u\n", ok ? "" : "not ", ++test, what, drive);
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
	/* codes, of which the text has the words */
	{ FACT_LINK_SPEED_BITS, FACT_LINK_SPEED_CODE },
	{ FACT_LOG_GPL_VERSION, FACT_LOG_SMART_VERSION },
	{ FACT_ERROR_CONTROL, FACT_ERROR_PLACE },
	{ FACT_SELFTEST_TYPE_CODE, FACT_SELFTEST_STATUS_CODE },
	{ FACT_SELECTIVE_LBA, FACT_SELECTIVE_LBA },
	{ FACT_ERROR_LOGGING, FACT_GP_LOGGING },
	{ FACT_SECURITY_WORD, FACT_SECURITY_WORD },
	{ FACT_STAT_FLAG_BITS, FACT_STAT_REVISION },
	{ FACT_ATA_MAJOR, FACT_FORM_FACTOR_CODE },
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

	peer_drive_make(
		&bytes, folder,
		&(struct peer_drive){ .seed = number, .short_logs = number % 5 == 4 });
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
