/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of "show" have in common; each writes nothing when it has nothing. */
#pragma once

#include "render/text.h"

void show_heading(struct sheet *s, const char *title);
/* Text padded to WIDTH columns; numbers are put at the right end of theirs. */
void show_cell(struct sheet *s, const char *text, unsigned width, bool right);
/* One line, two columns in, that wraps below itself. */
void show_line(struct sheet *s, const char *format, ...) printf_like(2, 3);

/* text-logs.c */
void show_capabilities(struct sheet *s, const struct drive *d);
/* Below a row of the error log: its registers and the commands before it. */
void show_error(struct sheet *s, const struct drive *d, uint32_t error);
void show_selective(struct sheet *s, const struct drive *d);
void show_temperatures(struct sheet *s, const struct drive *d);
/* Lines that another program printed, and that no table has. */
void show_posted(struct sheet *s, const struct drive *d);

/* text-other.c: tables that only SCSI, SAS and NVMe drives have */
void show_other(struct sheet *s, const struct drive *d);

/* text-opinion.c: what libatasmart makes of the same pages, beside ours */
void show_opinion(struct sheet *s, const struct drive_report *r);

/* text-explain.c: every fact, by the place where it stood */
void show_origins(struct sheet *s, const struct drive *d);
