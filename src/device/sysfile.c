/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

#define SYSFILE_MAX 65536u

int sysfile_read(const char *path, struct buf *ret)
{
	char chunk[4096];
	size_t start = ret->len;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (ret->len - start < SYSFILE_MAX) {
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		buf_add(ret, chunk, (size_t)n);
	}
	n = n < 0 ? -errno : 0;
	(void)close(fd);
	return n < 0 ? (int)n : buf_error(ret);
}

static bool join(char *ret, const char *dir, const char *name)
{
	int n = snprintf(ret, PATH_MAX, "%s/%s", dir, name);

	return n > 0 && n < PATH_MAX;
}

const char *sysfile_line(struct arena *a, const char *dir, const char *name)
{
	struct buf text cleanup_buf = { 0 };
	char path[PATH_MAX];
	const char *s;
	size_t len;

	if (!join(path, dir, name) || sysfile_read(path, &text) < 0)
		return NULL;
	s = buf_text(&text);
	len = strcspn(s, "\n");
	while (len && str_is_space(s[len - 1]))
		len--;
	while (len && str_is_space(*s)) {
		s++;
		len--;
	}
	return len ? arena_strndup(a, s, len) : NULL;
}

bool sysfile_exists(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return join(path, dir, name) && access(path, F_OK) == 0;
}

const char *sysfile_real(struct arena *a, const char *path)
{
	char *real = realpath(path, NULL), *copy;

	if (!real)
		return NULL;
	copy = arena_strdup(a, real);
	free(real);
	return copy;
}
