/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/large.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

size_t large_size(size_t size)
{
	if (size > SIZE_MAX - LARGE_PAGE)
		return size;
	return (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

void *large_alloc(size_t size)
{
	void *p = aligned_alloc(LARGE_PAGE, size);

	if (p)
		(void)madvise(p, size, MADV_HUGEPAGE); /* a kernel without: slower */
	return p;
}
