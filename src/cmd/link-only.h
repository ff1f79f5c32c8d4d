/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "model/report.h"

/*
 * Reduce a report to what it says of the link: findings of the drive's health and speed go, and so
 * does the complaint that these were not looked at. Nothing found becomes "no fault" when there are
 * counters that can be believed, else "cannot tell". 0 or -ENOMEM.
 */
int link_only(struct report *r) must_check;
