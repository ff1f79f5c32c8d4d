/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "history/store.h"

/*
 * Within a run, at most once a day: samples older than KEEP days go; of those older than THIN days
 * what only measures (temperature, hours, data read and written) keeps one a day. 0: not done. The
 * file shrinks by what became free. Errors stick to the history.
 */
void history_retain(struct history *h, int64_t keep, int64_t thin);
