/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a library room wants the user to know. Rooms below cmd/ never print: they add messages
 * here, and the renderer shows them with file and place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attrs.h"

enum diag_severity {
	DIAG_NOTE,    /* something was left out or repaired, the rest stands */
	DIAG_WARNING, /* part of the input could not be used */
	DIAG_ERROR,   /* the input could not be used at all */
};

struct diag_message {
	enum diag_severity severity;
	const char *file; /* as the user named it, or NULL */
	uint64_t line;	  /* 1-based, 0 = none */
	uint64_t byte;	  /* 0-based offset, counted only when has_byte */
	bool has_byte;
	const char *text;
};

struct diag {
	struct arena arena;
	struct diag_message *items;
	size_t n, cap;
	size_t dropped; /* messages beyond DIAG_MAX */
};

/* Hostile input must not fill memory with messages: longer ones end in "...". */
#define DIAG_MAX      1000u
#define DIAG_MAX_TEXT 1000u

void diag_add(struct diag *d, enum diag_severity severity, const char *file,
	      uint64_t line, const char *format, ...) printf_like(5, 6);
void diag_add_byte(struct diag *d, enum diag_severity severity, const char *file,
		   uint64_t byte, const char *format, ...) printf_like(5, 6);
const char *diag_severity_name(enum diag_severity severity);
void diag_done(struct diag *d);
