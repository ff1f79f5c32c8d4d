/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *files_source(const char *name, char *ret)
{
	const char *src = getenv("top_srcdir");

	(void)snprintf(ret, FILES_PATH, "%s/%s", src ? src : ".", name);
	return ret;
}

const char *files_shared(const char *name, char *ret)
{
	const char *shared = getenv("DRIVEWHY_SHARED"), *src = getenv("top_srcdir");

	if (shared)
		(void)snprintf(ret, FILES_PATH, "%s/%s", shared, name);
	else
		(void)snprintf(ret, FILES_PATH, "%s/../shared/%s", src ? src : ".", name);
	return ret;
}

bool files_exist(const char *path)
{
	return access(path, R_OK) == 0;
}

bool files_read(const char *path, struct buf *ret)
{
	FILE *f = fopen(path, "rb");
	size_t n = 1;

	if (!f)
		return false;
	while (n) {
		char *room = buf_room(ret, 65536);

		n = room ? fread(room, 1, 65536, f) : 0;
		if (n)
			buf_fill(ret, n);
	}
	(void)fclose(f);
	return buf_error(ret) == 0;
}
