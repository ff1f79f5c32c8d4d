/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bytes of a file are stored, and whether as they are: FIEMAP, else SEEK_DATA. */
#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe/target-private.h"

#define EXTENTS_AT_ONCE 128u
#define PARTS_MAX	4096u /* a file torn further is judged by its first ones */

struct finder {
	struct target *t;
	size_t cap;
};

static int add(struct finder *f, uint64_t start, uint64_t size)
{
	struct target *t = f->t;
	struct target_part *p = t->n_parts ? &t->parts[t->n_parts - 1] : NULL;

	if (start >= t->size || !size)
		return 0;
	if (size > t->size - start)
		size = t->size - start;
	if (p && p->start + p->size == start) {
		p->size += size;
		return 0;
	}
	p = arena_push(&t->arena, &t->parts, &t->n_parts, &f->cap, sizeof(*p));
	if (!p)
		return -ENOMEM;
	*p = (struct target_part){ .start = start, .size = size };
	return 0;
}

/* Unwritten extents give zeroes without a read; inline data stands in the inode. */
static int take_extent(struct finder *f, const struct fiemap_extent *e)
{
	if (e->fe_flags & FIEMAP_EXTENT_ENCODED)
		f->t->compressed = true;
	if (e->fe_flags & (FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DATA_INLINE))
		return 0;
	return add(f, e->fe_logical, e->fe_length);
}

/* 0 at the end, 1 for more behind *at, -errno. */
static int take_some(struct finder *f, struct fiemap *m, uint64_t *at)
{
	int r = 0;

	m->fm_start = *at;
	m->fm_length = FIEMAP_MAX_OFFSET - *at;
	m->fm_flags = 0;
	m->fm_extent_count = EXTENTS_AT_ONCE;
	m->fm_mapped_extents = 0;
	if (ioctl(f->t->fd, FS_IOC_FIEMAP, m) < 0)
		return -errno;
	for (uint32_t i = 0; r == 0 && i < m->fm_mapped_extents; i++) {
		const struct fiemap_extent *e = &m->fm_extents[i];

		r = take_extent(f, e);
		*at = e->fe_logical + e->fe_length;
		if (r == 0 && (e->fe_flags & FIEMAP_EXTENT_LAST))
			return 0;
	}
	if (r < 0)
		return r;
	return m->fm_mapped_extents && *at < f->t->size && f->t->n_parts < PARTS_MAX;
}

static int by_extents(struct finder *f)
{
	void *memory cleanup_free =
		calloc(1, sizeof(struct fiemap) +
				  EXTENTS_AT_ONCE * sizeof(struct fiemap_extent));
	uint64_t at = 0;
	int r;

	if (!memory)
		return -ENOMEM;
	do
		r = take_some(f, memory, &at);
	while (r > 0);
	return r;
}

static int by_seeking(struct finder *f)
{
	off_t at = 0, end;

	while (f->t->n_parts < PARTS_MAX) {
		at = lseek(f->t->fd, at, SEEK_DATA);
		if (at < 0)
			return errno == ENXIO ? 0 : -EOPNOTSUPP;
		end = lseek(f->t->fd, at, SEEK_HOLE);
		if (end < at)
			return -EOPNOTSUPP;
		if (add(f, (uint64_t)at, (uint64_t)(end - at)) < 0)
			return -ENOMEM;
		at = end;
	}
	return 0;
}

int target_find_parts(struct target *t)
{
	struct finder f = { .t = t };
	uint64_t stored = 0;
	int r = by_extents(&f);

	if (r < 0 && r != -ENOMEM) {
		t->n_parts = 0;
		r = by_seeking(&f);
	}
	for (size_t i = 0; i < t->n_parts; i++)
		stored += t->parts[i].size;
	t->sparse = r == 0 && stored < t->size;
	return r;
}
