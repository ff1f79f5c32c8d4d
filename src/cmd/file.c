/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, struct span text)
{
	while (text.len) {
		ssize_t n = write(fd, text.data, text.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text = span_of(text.data + n, text.len - (size_t)n);
	}
	return 0;
}

/*
 * A hidden name in the same folder: node_exporter reads only names that end in .prom, and a rename
 * is atomic only within a file system.
 */
static int temporary_name(const char *name, char *ret, size_t size)
{
	const char *slash = strrchr(name, '/');
	int dir = slash ? (int)(slash - name + 1) : 0;
	int n = snprintf(ret, size, "%.*s.%s.tmp-%ld", dir, name, name + dir,
			 (long)getpid());

	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int file_replace(const char *name, struct span text)
{
	char temporary[PATH_MAX];
	int r = temporary_name(name, temporary, sizeof(temporary)), fd;

	if (r < 0)
		return r;
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	r = write_all(fd, text);
	/* whatever the umask is: the reader is another user */
	if (r == 0 && fchmod(fd, 0644) < 0)
		r = -errno;
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0 && rename(temporary, name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlink(temporary);
	return r;
}
