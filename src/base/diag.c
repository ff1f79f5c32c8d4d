/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/diag.h"

#include <string.h>

static printf_like(4, 0) struct diag_message *push(struct diag *d,
						   enum diag_severity severity,
						   const char *file, const char *format,
						   va_list ap)
{
	struct diag_message *m;
	char text[DIAG_MAX_TEXT + 4];

	if (d->n >= DIAG_MAX) {
		d->dropped++;
		return NULL;
	}
	m = arena_push(&d->arena, &d->items, &d->n, &d->cap, sizeof(*m));
	if (!m)
		return NULL;
	m->severity = severity;
	m->file = file ? arena_strdup(&d->arena, file) : NULL;
	if (vsnprintf(text, DIAG_MAX_TEXT + 1, format, ap) > (int)DIAG_MAX_TEXT)
		memcpy(text + DIAG_MAX_TEXT, "...", 4);
	m->text = arena_strdup(&d->arena, text);
	if (!m->text)
		m->text = "out of memory";
	return m;
}

void diag_add(struct diag *d, enum diag_severity severity, const char *file,
	      uint64_t line, const char *format, ...)
{
	struct diag_message *m;
	va_list ap;

	va_start(ap, format);
	m = push(d, severity, file, format, ap);
	va_end(ap);
	if (m)
		m->line = line;
}

void diag_add_byte(struct diag *d, enum diag_severity severity, const char *file,
		   uint64_t byte, const char *format, ...)
{
	struct diag_message *m;
	va_list ap;

	va_start(ap, format);
	m = push(d, severity, file, format, ap);
	va_end(ap);
	if (m) {
		m->byte = byte;
		m->has_byte = true;
	}
}

const char *diag_severity_name(enum diag_severity severity)
{
	static const char *const names[] = {
		[DIAG_NOTE] = "note",
		[DIAG_WARNING] = "warning",
		[DIAG_ERROR] = "error",
	};

	return names[severity];
}

void diag_done(struct diag *d)
{
	arena_done(&d->arena);
	*d = (struct diag){ 0 };
}
