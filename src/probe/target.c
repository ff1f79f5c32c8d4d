/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "probe/target-private.h"

#define FILE_ALIGN 4096u

static int open_flags(const char *name, int flags)
{
	int fd = open(name, flags | O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : fd;
}

/* A file's time of last access is not ours to change; only its owner may ask for that. */
static int open_quietly(const char *name, int flags)
{
	int fd = open_flags(name, flags | O_NOATIME);

	return fd == -EPERM ? open_flags(name, flags) : fd;
}

static int open_target(const char *name, bool buffered, struct target *t)
{
	int fd = buffered ? -EINVAL : open_quietly(name, O_DIRECT);

	t->direct = fd >= 0;
	if (fd == -EINVAL)
		fd = open_quietly(name, 0);
	if (fd < 0)
		return fd;
	t->fd = fd;
	return 0;
}

static int size_block(struct target *t)
{
	int logical = 0;
	unsigned physical = 0;

	if (ioctl(t->fd, BLKGETSIZE64, &t->size) < 0 ||
	    ioctl(t->fd, BLKSSZGET, &logical) < 0)
		return -errno;
	t->logical = logical > 0 ? (uint32_t)logical : 512;
	if (ioctl(t->fd, BLKPBSZGET, &physical) < 0 || physical < t->logical)
		physical = t->logical;
	t->physical = physical;
	t->align = t->logical;
	return 0;
}

/* Filesystems tell their limits since Linux 6.1; before that a page is right nearly everywhere. */
static void align_file(struct target *t)
{
	t->logical = t->physical = t->align = FILE_ALIGN;
#ifdef STATX_DIOALIGN
	{
		struct statx x = { 0 };

		if (statx(t->fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) < 0 ||
		    !(x.stx_mask & STATX_DIOALIGN))
			return;
		if (!x.stx_dio_offset_align)
			t->direct = false;
		else if (x.stx_dio_offset_align > FILE_ALIGN)
			t->align = x.stx_dio_offset_align;
	}
#endif
}

static int whole(struct target *t)
{
	t->parts = arena_alloc(&t->arena, sizeof(*t->parts));
	if (!t->parts)
		return -ENOMEM;
	t->parts[0] = (struct target_part){ .size = t->size };
	t->n_parts = 1;
	return 0;
}

/* Parts begin and end at aligned bytes; what is smaller than that is left out. */
static void trim_parts(struct target *t)
{
	size_t n = 0;

	t->stored = 0;
	for (size_t i = 0; i < t->n_parts; i++) {
		uint64_t end = t->parts[i].start + t->parts[i].size;
		uint64_t from = (t->parts[i].start + t->align - 1) / t->align * t->align;

		end = end / t->align * t->align;
		if (end <= from)
			continue;
		t->parts[n++] = (struct target_part){ from, end - from, t->stored };
		t->stored += end - from;
	}
	t->n_parts = n;
}

static int measure(struct target *t, const struct stat *st)
{
	int r;

	if (S_ISBLK(st->st_mode)) {
		r = size_block(t);
		if (r == 0)
			r = whole(t);
	} else {
		t->size = (uint64_t)st->st_size;
		align_file(t);
		r = target_find_parts(t);
		if (r == -EOPNOTSUPP)
			r = whole(t);
	}
	if (r < 0)
		return r;
	trim_parts(t);
	return t->stored ? 0 : -ENODATA;
}

int target_open(const char *name, bool buffered, struct target *ret)
{
	struct target t = { .name = name, .fd = -1 };
	struct stat st;
	int r;

	if (stat(name, &st) < 0)
		return -errno;
	if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
		return -EINVAL;
	r = open_target(name, buffered, &t);
	if (r == 0 && fstat(t.fd, &st) < 0)
		r = -errno;
	/* what was renamed meanwhile */
	if (r == 0 && !S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
		r = -EINVAL;
	t.is_block = S_ISBLK(st.st_mode);
	if (r == 0)
		r = measure(&t, &st);
	if (r == 0)
		r = target_find_disk(&t, t.is_block ? st.st_rdev : st.st_dev);
	if (r < 0) {
		target_close(&t);
		return r;
	}
	*ret = t;
	return 0;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		(void)close(t->fd);
	t->fd = -1;
	arena_done(&t->arena);
}

/* Few parts are the rule; a file torn into thousands costs a search of a dozen steps. */
uint64_t target_place(const struct target *t, uint64_t position, uint64_t *ret_left)
{
	size_t low = 0, high = t->n_parts;

	if (t->n_parts == 1) {
		*ret_left = t->parts[0].size - position;
		return t->parts[0].start + position;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (t->parts[middle].before <= position)
			low = middle;
		else
			high = middle;
	}
	position -= t->parts[low].before;
	*ret_left = t->parts[low].size - position;
	return t->parts[low].start + position;
}
