/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The large corpus beside the checkout, when it is there: every line of every report must be
 * understood, apart from those in tests/import/not-understood.txt; some files are mangled and cut
 * as in import-posted.c. Speaks TAP by itself.
 */
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "base/str.h"
#include "import-mangle.h"
#include "import/import.h"

#ifndef SAMPLE
#define SAMPLE 16u /* every so-many-th file is mangled */
#endif
#define CUTS	 200u
#define ALLOWED	 64u
#define FILES	 1024u
#define MAX_PATH 8192u

static char text[TEXT_MAX_BYTES + 1];
static size_t len;
static unsigned tests, bad;

static void report(bool ok, const char *what)
{
	bad += !ok;
	(void)printf("%sok %u - %s\n", ok ? "" : "not ", ++tests, what);
}

/* --- what is not understood -------------------------------------------------------------------- */

/* Rows "FILES TAB MESSAGE TAB why", both shell patterns. */
static struct {
	char files[128], message[256];
	unsigned used;
} allowed[ALLOWED];
static size_t n_allowed;

static void read_allowed(const char *src)
{
	char path[MAX_PATH + 512], line[1024];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/tests/import/not-understood.txt", src);
	f = fopen(path, "r");
	while (f && n_allowed < ALLOWED && fgets(line, sizeof(line), f)) {
		if (*line != '#' &&
		    sscanf(line, "%127[^\t]\t%255[^\t]\t", allowed[n_allowed].files,
			   allowed[n_allowed].message) == 2)
			n_allowed++;
	}
	if (f)
		(void)fclose(f);
}

static bool is_allowed(const char *name, const char *message)
{
	for (size_t i = 0; i < n_allowed; i++) {
		if (fnmatch(allowed[i].files, name, 0) != 0 ||
		    fnmatch(allowed[i].message, message, 0) != 0)
			continue;
		allowed[i].used++;
		return true;
	}
	return false;
}

static bool understand(const char *name, struct import_stats *total)
{
	struct capture c = { 0 };
	struct diag d = { 0 };
	struct import_stats st = { 0 };
	bool ok = true;

	(void)!import_read(span_of(text, len), name, &c, &d, &st);
	for (size_t i = 0; i < d.n; i++) {
		if (is_allowed(name, d.items[i].text))
			continue;
		ok = false;
		(void)printf("# %s:%llu: %s\n", name, (unsigned long long)d.items[i].line,
			     d.items[i].text);
	}
	total->reports += st.reports;
	total->lines += st.lines;
	total->read += st.read;
	total->known += st.known;
	total->open += st.open;
	total->damaged += st.damaged;
	total->unknown += st.unknown;
	capture_done(&c);
	diag_done(&d);
	return ok;
}

/* --- what mangling must not change ---------------------------------------------------------------- */

static bool check(const char *name, struct mangle_result r, const char *what, size_t at)
{
	if (!r.ok)
		(void)printf("# %s: %s at %zu: %s\n", name, what, at, r.why);
	return r.ok;
}

static bool mangle_file(const char *name)
{
	bool ok = true;

	for (unsigned how = 0; how < MANGLE_COUNT; how++) {
		struct mangle_text m = mangle((enum mangle)how, text, len);
		struct mangle_result r =
			mangle_compare(text, len, m.data, m.len, PART_WHOLE);

		free(m.data);
		if (!mangle_applies((enum mangle)how, text, len))
			continue;
		ok &= check(name, r, mangle_name((enum mangle)how), 0);
		if (r.kept >= mangle_floor((enum mangle)how, r.numbers))
			continue;
		ok = false;
		(void)printf("# %s: %s: %zu of %zu numbers\n", name,
			     mangle_name((enum mangle)how), r.kept, r.numbers);
	}
	return ok;
}

static bool cut_at(const char *name, size_t at)
{
	bool ok = check(name, mangle_compare(text, len, text, at, PART_HEAD), "cut", at);

	return check(name, mangle_compare(text, len, text + at, len - at, PART_TAIL),
		     "head cut off", at) &&
	       ok;
}

/* At every blank line, where sections begin, and at places that do not change. */
static bool cut_file(const char *name)
{
	unsigned random = 20120802;
	bool ok = true;

	for (size_t i = 1; i < len; i++)
		if (text[i] == '\n' && text[i - 1] == '\n')
			ok &= cut_at(name, i + 1);
	for (unsigned i = 0; i < CUTS; i++) {
		random = random * 1664525u + 1013904223u;
		ok &= cut_at(name, (random >> 8) % len);
	}
	return ok;
}

/* --- files -------------------------------------------------------------------------------------- */

static char *names[FILES];
static size_t n_names;

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_files(const char *folder)
{
	DIR *d = opendir(folder);

	for (struct dirent *e = d ? readdir(d) : NULL; e && n_names < FILES;
	     e = readdir(d))
		if (e->d_name[0] != '.')
			names[n_names++] = strdup(e->d_name);
	if (d)
		(void)closedir(d);
	qsort(names, n_names, sizeof(*names), compare_names);
}

static bool read_file(const char *folder, const char *name)
{
	char path[MAX_PATH + 512];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	len = f ? fread(text, 1, sizeof(text), f) : 0;
	if (f)
		(void)fclose(f);
	return len > 0;
}

static void run(const char *folder)
{
	struct import_stats total = { 0 };
	bool understood = true, mangled = true, cut = true;

	for (size_t i = 0; i < n_names; i++) {
		if (!read_file(folder, names[i])) {
			understood = false;
			(void)printf("# %s cannot be read\n", names[i]);
			continue;
		}
		understood &= understand(names[i], &total);
		if (i % SAMPLE == 5 % SAMPLE) {
			mangled &= mangle_file(names[i]);
			cut &= cut_file(names[i]);
		}
	}
	(void)printf(
		"# %zu files, %zu reports, %zu lines: %zu read, %zu known, %zu open, "
		"%zu damaged, %zu not understood\n",
		n_names, total.reports, total.lines, total.read, total.known, total.open,
		total.damaged, total.unknown);
	report(understood, "every line is understood or in the list");
	report(mangled, "mangling keeps the numbers");
	report(cut, "cutting keeps the numbers");
}

int main(void)
{
	const char *src = getenv("top_srcdir"), *shared = getenv("DRIVEWHY_SHARED");
	char folder[MAX_PATH];
	bool all_used = true;

	if (!src)
		src = ".";
	if (shared)
		(void)snprintf(folder, sizeof(folder), "%s/corpus/smartctl-text", shared);
	else
		(void)snprintf(folder, sizeof(folder),
			       "%s/../shared/corpus/smartctl-text", src);
	list_files(folder);
	if (!n_names) {
		(void)printf("1..1\nok 1 # SKIP corpus not there\n");
		return 0;
	}
	read_allowed(src);
	run(folder);
	for (size_t i = 0; i < n_allowed; i++) {
		all_used &= allowed[i].used > 0;
		if (!allowed[i].used)
			(void)printf("# never needed: %s\t%s\n", allowed[i].files,
				     allowed[i].message);
	}
	report(all_used, "the list has no row too many");
	(void)printf("1..%u\n", tests);
	for (size_t i = 0; i < n_names; i++)
		free(names[i]);
	return bad != 0;
}
