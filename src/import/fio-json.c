/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/fio.h"

size_t fio_read_json(struct fio *f, size_t index)
{
	(void)f;
	return index;
}
