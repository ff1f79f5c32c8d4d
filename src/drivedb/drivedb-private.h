/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/buf.h"
#include "drivedb/drivedb.h"
#include "drivedb/hwdb-parse.h"

struct drivedb {
	struct hwdb hwdb;
	struct buf version;
	uint32_t layers;
};
