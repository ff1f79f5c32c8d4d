/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe in fio's words: its options and job files, as far as they read. */
#pragma once

#include "cmd/session.h"

/*
 * Take fio's options out of the words behind "probe" and into O: what is left is the program's own.
 * ARGV is changed. 0 or an exit status.
 */
int fio_words_take(int *argc, char **argv, struct options *o) must_check;

/* Are there any, or is a target a job file? */
bool fio_ways_wanted(const struct options *o);
/* Run them, and add what they measured to the capture. 0 or an exit status. */
int fio_ways_run(struct session *s, const struct options *o) must_check;
