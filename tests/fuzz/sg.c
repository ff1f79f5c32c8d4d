/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "importer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	run_importer(&importer_sg_phy_event, data, size);
	run_importer(&importer_sg_logs, data, size);
	return 0;
}
