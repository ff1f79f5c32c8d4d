/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every text of tests/import is mangled and cut in many ways, see import-mangle.h. Speaks TAP by
 * itself: one line a text.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "base/str.h"
#include "import-mangle.h"

#define CUTS 200u

static char text[1u << 20];
static size_t len;
static bool good;

static void check(struct mangle_result r, const char *what, size_t at)
{
	if (r.ok)
		return;
	good = false;
	(void)printf("# %s at %zu: %s\n", what, at, r.why);
}

static void mangle_text(void)
{
	for (unsigned how = 0; how < MANGLE_COUNT; how++) {
		struct mangle_text m = mangle((enum mangle)how, text, len);
		struct mangle_result r =
			mangle_compare(text, len, m.data, m.len, PART_WHOLE);

		free(m.data);
		if (!mangle_applies((enum mangle)how, text, len))
			continue;
		check(r, mangle_name((enum mangle)how), 0);
		if (r.kept >= mangle_floor((enum mangle)how, r.numbers))
			continue;
		good = false;
		(void)printf("# %s: %zu of %zu numbers\n", mangle_name((enum mangle)how),
			     r.kept, r.numbers);
	}
}

static void cut_text(size_t at)
{
	check(mangle_compare(text, len, text, at, PART_HEAD), "cut", at);
	check(mangle_compare(text, len, text + at, len - at, PART_TAIL), "head cut off",
	      at);
}

/* At every line, that is at every section, and at places that do not change from run to run. */
static void cut_everywhere(void)
{
	unsigned random = 20120802;

	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			cut_text(i + 1);
	for (unsigned i = 0; i < CUTS; i++) {
		random = random * 1664525u + 1013904223u;
		cut_text((random >> 8) % len);
	}
}

static bool read_text(const char *folder, const char *name)
{
	char path[8192];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	len = f ? fread(text, 1, sizeof(text), f) : 0;
	if (f)
		(void)fclose(f);
	return len > 0;
}

int main(void)
{
	const char *src = getenv("top_srcdir");
	char folder[4096];
	unsigned n = 0, bad = 0;
	DIR *d;

	(void)snprintf(folder, sizeof(folder), "%s/tests/import", src ? src : ".");
	d = opendir(folder);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		if (!str_starts(e->d_name, "smartctl-") &&
		    !str_starts(e->d_name, "mail-"))
			continue;
		good = read_text(folder, e->d_name);
		if (good) {
			mangle_text();
			cut_everywhere();
		}
		bad += !good;
		(void)printf("%sok %u - %s keeps its numbers\n", good ? "" : "not ", ++n,
			     e->d_name);
	}
	if (d)
		(void)closedir(d);
	(void)printf("1..%u\n", n);
	return bad || !n;
}
