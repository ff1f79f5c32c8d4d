/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fio prints before it starts: job: (g=0): rw=randread, bs=4K-4K/4K-4K, ... */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

/* A rounded size is sure only if it is a number of sectors, an old one only without a point. */
static bool is_block(const struct quantity *q, enum fio_era era)
{
	if (q->unit == 1)
		return q->value > 0;
	return q->value && q->value % 512 == 0 && (q->whole || era == FIO_ERA_3);
}

static void take_range(struct scan *sc, enum fio_era era, struct fio_count *ret,
		       size_t line)
{
	struct scan s = *sc;
	struct quantity least, most;

	if (!scan_size(&s, era, &least) || !scan_text(&s, "-") ||
	    !scan_size(&s, era, &most))
		return;
	*sc = s;
	scan_blanks(&s);
	if (scan_text(&s, ",")) {
		/* "(W)" or "ioengine=": the comma does not stand inside a number */
		scan_blanks(&s);
		if (*s.p && *s.p != '(' && !str_is_alpha(*s.p))
			return;
	} else if (*s.p && *s.p != '/') {
		return;
	}
	if (most.value < least.value || !is_block(&least, era) || !is_block(&most, era))
		return;
	ret[0] = (struct fio_count){ true, least.value, line };
	ret[1] = (struct fio_count){ true, most.value, line };
}

/* "4K-4K/4K-4K/4K-4K", or "(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B" */
static void take_blocks(const char *s, bool open, struct fio_head *h)
{
	static const char *const names[] = { "(R)", "(W)", "(T)" };
	struct scan sc = { s };
	bool named = scan_text(&sc, names[0]);

	for (size_t i = 0; i < 3; i++) {
		if (i && named && (!scan_text(&sc, ",") || !scan_text(&sc, names[i])))
			return;
		if (i && !named && !scan_text(&sc, "/"))
			return;
		take_range(&sc, named ? FIO_ERA_3 : FIO_ERA_2, h->block[i], h->line);
		if (open && scan_end(&sc)) /* the line ends in the last size */
			h->block[i][0].set = h->block[i][1].set = false;
	}
}

/* The word behind KEY up to a comma; NULL when its end may be missing. */
static const char *take_head_word(struct fio *f, const char *s, const char *key)
{
	const char *p = strstr(s, key);
	size_t len = p ? strcspn(p += strlen(key), ",") : 0;
	char *copy;

	if (!len || !p[len] || memchr(p, ' ', len))
		return NULL;
	copy = arena_strndup(f->arena, p, len);
	if (!copy)
		f->error = -ENOMEM;
	return copy;
}

void fio_read_head(struct fio *f, const struct fio_line *l)
{
	struct fio_batch *b = fio_batch(f);
	const char *p = strstr(l->text, ": (g="), *bs = strstr(l->text, "bs="),
		   *depth = strstr(l->text, "iodepth=");
	struct scan sc = { p };
	struct fio_head *h;

	/* heads come before the banner of their start */
	if (!b || b->phase != FIO_PHASE_HEADS)
		b = fio_new_batch(f, l->first);
	h = b ? fio_push(f, &b->heads, &b->n_heads, &b->cap_heads, sizeof(*h),
			 FIO_MAX_HEADS)
	      : NULL;
	if (!h || !p)
		return;
	h->line = h->group.line = h->depth.line = l->first;
	h->title = arena_strndup(f->arena, l->text, (size_t)(p - l->text));
	if (!h->title)
		f->error = -ENOMEM;
	h->group.set = scan_text(&sc, ": (g=") && scan_u64(&sc, &h->group.value) &&
		       scan_text(&sc, ")");
	h->pattern = take_head_word(f, p, "rw=");
	if (!fio_is_pattern(h->pattern))
		h->pattern = NULL;
	h->engine = take_head_word(f, p, "ioengine=");
	if (bs)
		take_blocks(bs + strlen("bs="), l->open, h);
	sc.p = depth ? depth + strlen("iodepth=") : "";
	h->depth.set = scan_u64(&sc, &h->depth.value) && scan_end(&sc) && !l->open;
	fio_claim_read(f, l, h->depth.set);
	if (!h->depth.set)
		fio_note(f, l->first, "the head of a job cannot be read to its end");
}

void fio_read_repeat(struct fio *f, const struct fio_line *l)
{
	/* "..." stands for the same head again; only below a head it is fio's */
	if (fio_batch(f) && fio_batch(f)->n_heads &&
	    fio_batch(f)->phase == FIO_PHASE_HEADS)
		fio_claim(f, l, LINE_KNOWN);
}

void fio_read_banner(struct fio *f, const struct fio_line *l)
{
	const char *version = str_after(l->text, "fio-");
	struct fio_batch *b = fio_batch(f);

	if (!version)
		version = str_after(l->text, "fio ");
	/* a bare "2.0.8" counts only below the head of a job */
	if (!version && (!b || b->phase != FIO_PHASE_HEADS || !b->n_heads))
		return;
	b = fio_batch_in(f, FIO_PHASE_STARTED, l->first);
	if (!b)
		return;
	if (!f->text->lines[l->first].cut) {
		b->source = arena_printf(f->arena, "fio %s", version ? version : l->text);
		b->source_line = l->first;
		if (!b->source)
			f->error = -ENOMEM;
	}
	fio_claim(f, l, LINE_READ);
}
