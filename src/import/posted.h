/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What importers of small tools share: numbers as people's locales write them, and who is meant. */
#pragma once

#include "import/fio-scan.h"
#include "import/import.h"

/* One text's findings by drive: every drive gets one item. */
#define POSTED_DRIVES 32u
#define POSTED_TRIES  32u /* of documents that turn out to be damaged */

struct posted_drive {
	char device[64]; /* "" for one that is not named */
	struct emit e;
};

struct posted {
	struct import *im;
	const char *item; /* "facts/dd" */
	struct posted_drive drives[POSTED_DRIVES];
	size_t n;
	uint32_t runs; /* key of the next read[] */
	unsigned tries;
};

/* Where facts about DEVICE go ("" or NULL: not named); NULL when there are too many. */
struct emit *posted_on(struct posted *p, const char *device, size_t line);
/* Writes all items; returns the number of RUNS or -E... */
int posted_done(struct posted *p) must_check;

/* "/dev/sda" in S: the name behind /dev/ in RET; false when there is none, or "null", "zero". */
bool posted_device(const char *s, char *ret, size_t size);
/* A disk's name of the kernel, with its partition: "sda1", "nvme0n1p2", "vdb". */
bool posted_is_disk(const char *name);
/*
 * The command "NAME ..." in line INDEX, behind a prompt or sudo; returns its first argument, or
 * NULL. A line of prose that begins with the word is none: it needs an option, a path or "=".
 */
const char *posted_command(const struct text *t, size_t index, const char *name);
/* The same in the lines above INDEX, at most SPAN of them; RET_LINE is where. */
const char *posted_command_above(const struct text *t, size_t index, const char *name,
				 size_t span, size_t *ret_line);
/* The value of "KEY=value" among the words of S; false when it is not there. */
bool posted_option(const char *s, const char *key, char *ret, size_t size);

/* A number with a point or, as in many languages, a comma: "0,0575109", "3.7235e-05". */
bool posted_decimal(struct scan *sc, struct decimal *ret);
/* "292 MB", "1.5 GiB", "56.1 KiB": bytes; a prefix with "i" counts by 1024. */
bool posted_bytes(struct scan *sc, uint64_t *ret, uint64_t *ret_digit);
