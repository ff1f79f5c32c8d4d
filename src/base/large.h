/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Large blocks of memory. A page of 4 KiB is met three times: by the first byte written, in a virtual
 * machine by the kernel that reads a file into it and by whoever walks over it then; each of these can
 * cost 10 microseconds. 1.5 MB took 7.5 ms in such pages and 0.5 ms in one of 2 MiB.
 */
#pragma once

#include <stddef.h>

#include "base/attrs.h"

#define LARGE_PAGE ((size_t)2 << 20)

/* SIZE in whole large pages, for large_alloc(); SIZE itself where that cannot be told. */
size_t large_size(size_t size);
/*
 * SIZE bytes (a multiple of LARGE_PAGE), not zeroed, in large pages where the kernel has them. For
 * free(3); NULL when memory is out.
 */
void *large_alloc(size_t size) must_check;
