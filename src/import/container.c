/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/container.h"

#include <string.h>

#include "base/attrs.h"

static const struct {
	size_t at, len;
	const char *magic, *what, *advice;
} containers[] = {
	{ 0, 2, "\x1f\x8b", "packed by gzip",
	  "unpack it first: gzip -dc FILE | drivewhy -" },
	{ 0, 6,
	  "\xfd"
	  "7zXZ",
	  "packed by xz", "unpack it first: xz -dc FILE | drivewhy -" },
	{ 0, 4, "\x28\xb5\x2f\xfd", "packed by zstd",
	  "unpack it first: zstd -dc FILE | drivewhy -" },
	{ 0, 3, "BZh", "packed by bzip2",
	  "unpack it first: bzip2 -dc FILE | drivewhy -" },
	{ 0, 4, "PK\x03\x04", "a zip archive or an office document",
	  "unpack it, or save it as plain text, and name the files in it" },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive",
	  "unpack it and name the files in it" },
	{ 0, 4, "Rar!", "a RAR archive", "unpack it and name the files in it" },
	{ 257, 5, "ustar", "a tar archive",
	  "unpack it and name the files in it: tar -xf FILE" },
	{ 0, 5, "%PDF-", "a PDF document",
	  "save its text first: pdftotext -layout FILE" },
	{ 0, 8, "\x89PNG\r\n\x1a\n", "a picture (PNG)",
	  "post or save the text itself: nothing is read from pictures" },
	{ 0, 3, "\xff\xd8\xff", "a picture (JPEG)",
	  "post or save the text itself: nothing is read from pictures" },
	{ 0, 4, "GIF8", "a picture (GIF)",
	  "post or save the text itself: nothing is read from pictures" },
	{ 8, 4, "WEBP", "a picture (WebP)",
	  "post or save the text itself: nothing is read from pictures" },
	{ 0, 16, "SQLite format 3", "an SQLite database",
	  "drivewhy history reads its own; nothing else is read from one" },
};

bool container_refuse(struct span s, const char *file, struct diag *d)
{
	for (size_t i = 0; i < array_size(containers); i++) {
		struct span magic;

		if (!span_cut(s, containers[i].at, containers[i].len, &magic) ||
		    memcmp(magic.data, containers[i].magic, magic.len) != 0)
			continue;
		diag_add(d, DIAG_ERROR, file, 0, "this is %s: %s", containers[i].what,
			 containers[i].advice);
		return true;
	}
	return false;
}
