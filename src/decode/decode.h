/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a capture and the drive database to a case. Pure: no device, clock, environment or file.
 * Subjects that are the same drive (serial number, WWN, model, device name) become one drive with
 * several snapshots; quantities that several sources tell are collected under one name.
 */
#pragma once

#include "base/diag.h"
#include "capture/capture.h"
#include "drivedb/drivedb.h"
#include "model/case.h"

/* 0 or -ENOMEM. Items that cannot be decoded are reported in D and left out. */
int decode_case(const struct capture *c, const struct drivedb *db, struct diag *d,
		struct case_file *ret) must_check;
