/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "import/import.h"

/* A real report has some thousand facts; a hostile one must not fill the memory. */
#define EMIT_MAX_BYTES (1u << 20)
#define EMIT_MAX_TOTAL (6u << 20)
#define EMIT_MAX_ITEMS 1000u

static bool is_too_much(const struct emit *e)
{
	const struct capture *c = e->im->capture;

	return e->body.len > EMIT_MAX_BYTES || c->body_bytes > EMIT_MAX_TOTAL ||
	       c->n_items >= EMIT_MAX_ITEMS;
}

static void emit_fact(struct emit *e, struct fact *f, size_t line)
{
	e->n++;
	if (is_too_much(e))
		return;
	if (line < e->im->text->n)
		f->origin.line = e->im->text->lines[line].number;
	fact_add_line(&e->body, f);
}

void emit_u64(struct emit *e, enum fact_id id, uint32_t i, uint32_t j, uint64_t value,
	      size_t line)
{
	struct fact f = { .key = { id, i, j }, .u = value };

	emit_fact(e, &f, line);
}

void emit_s64(struct emit *e, enum fact_id id, uint32_t i, uint32_t j, int64_t value,
	      size_t line)
{
	struct fact f = { .key = { id, i, j }, .s = value };

	emit_fact(e, &f, line);
}

void emit_text(struct emit *e, enum fact_id id, uint32_t i, uint32_t j, const char *value,
	       size_t line)
{
	struct fact f = { .key = { id, i, j }, .text = value };

	emit_fact(e, &f, line);
}

void emit_flag(struct emit *e, enum fact_id id, uint32_t i, bool value, size_t line)
{
	struct fact f = { .key = { id, i, 0 }, .u = value };

	emit_fact(e, &f, line);
}

static int add_item(struct emit *e, enum cap_kind kind, const char *item_id)
{
	struct capture *c = e->im->capture;
	struct cap_subject *subject = capture_add_subject(c, kind);
	struct cap_snapshot *snapshot =
		subject ? capture_add_snapshot(c, subject, CAP_IMPORT, e->im->text->file)
			: NULL;

	if (!snapshot ||
	    !capture_add_item(c, snapshot, item_id, CAP_OK, buf_span(&e->body)))
		return -ENOMEM;
	return 0;
}

int emit_done(struct emit *e, enum cap_kind kind, const char *item_id)
{
	int r = buf_error(&e->body);

	if (r == 0 && e->n)
		r = is_too_much(e) ? -E2BIG : add_item(e, kind, item_id);
	buf_done(&e->body);
	e->n = 0;
	return r;
}
