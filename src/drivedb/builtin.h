/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of db/, put into the program by embed.awk. */
#pragma once

#include <stddef.h>

/* A run of lines; a file is several of them in a row. */
struct builtin_part {
	const char *file;
	const char *text;
	size_t len;
};

extern const struct builtin_part drivedb_builtin[];
extern const size_t drivedb_builtin_n;
/*
 * "2026.12 sha256:0123456789abcdef": year and month, and the first 16 digits of the digest of all
 * files in a row. It is taken when the program is built: hashing was 40 % of a start.
 */
extern const char drivedb_builtin_version[];
