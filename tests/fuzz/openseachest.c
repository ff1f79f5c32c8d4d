/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "importer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	run_importer(&importer_seachest, data, size);
	return 0;
}
