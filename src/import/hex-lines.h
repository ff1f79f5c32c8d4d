/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes that were posted as lines of hexadecimal digits, in the ways that tools print them. */
#pragma once

#include "import/text.h"

enum hex_form {
	HEX_WORDS,    /* 0040 3fff c837 ...: hdparm --Istdout, /proc/ide, sg_... -HHH */
	HEX_WORDS_AT, /* 00     0040 3fff ...     .@ ?.: sg_sat_read_gplog */
	HEX_BYTES_AT, /* 00     40 00 ff 3f  ...: sg_... -H */
	HEX_XXD,   /* 00000000: 4000 ff3f 37c8 ...  @..?: pairs in the order of bytes */
	HEX_BYTES, /* 0000000: 40 00 ... |...|, 00000000  40 00 ...: smartctl, hexdump -C */
	HEX_HOST_WORDS, /* 0000000 0040 3fff ...: hexdump, od -x on a little-endian host */
	HEX_FORMS,
};

#define HEX_MAX_BYTES 32768u

struct hex_block {
	enum hex_form form;
	size_t first, end; /* lines */
	size_t n;
	bool open; /* its last line may lack its end */
	uint8_t bytes[HEX_MAX_BYTES];
};

/* The block that starts at INDEX; false when there is none. */
bool hex_lines_read(const struct text *t, size_t index, struct hex_block *ret);
