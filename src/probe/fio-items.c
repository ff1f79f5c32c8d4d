/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/fio-items.h"

#include <errno.h>

#include "base/str.h"
#include "probe/items.h"

static void put(struct buf *b, const char *key, uint64_t value)
{
	buf_printf(b, "%s %llu\n", key, (unsigned long long)value);
}

static void put_text(struct buf *b, const char *key, const char *value)
{
	buf_printf(b, "%s ", key);
	str_add_escaped(b, value, 200);
	buf_putc(b, '\n');
}

static void put_job(struct buf *b, const struct fio_result *f)
{
	const struct probe_job *j = &f->job;

	put_text(b, "target", f->target->name);
	put_text(b, "title", f->spec->name);
	put(b, "group", f->group);
	put(b, "jobs", f->jobs);
	put_text(b, "pattern", j->pattern == JOB_SEQUENTIAL ? "read" : "randread");
	put(b, "block", j->block_min);
	if (j->block_max != j->block_min)
		put(b, "block_max", j->block_max);
	put(b, "depth", j->depth);
	put(b, "start", j->start);
	put(b, "size", j->size);
	put_text(b, "engine", job_engine_name(f->result->engine));
	put(b, "direct", f->target->direct);
	if (f->target->compressed)
		put(b, "compressed", 1);
}

static int add(struct capture *c, struct cap_snapshot *s, const char *kind, size_t number,
	       enum cap_status status, const struct buf *body)
{
	struct buf id cleanup_buf = { 0 };

	buf_printf(&id, "probe/%s-%zu", kind, number);
	if (buf_error(&id) < 0 || buf_error(body) < 0)
		return -ENOMEM;
	return capture_add_item(c, s, buf_text(&id), status, buf_span(body)) ? 0
									     : -ENOMEM;
}

/* Before the jobs: that is how they are told to belong together. */
static int add_disks(const struct fio_runs *r, const struct target *t, struct capture *c,
		     struct cap_snapshot *s)
{
	size_t n = 0;
	int e = 0;

	for (size_t i = 0; i < r->n_disks && e == 0; i++) {
		struct buf b cleanup_buf = { 0 };

		if (!str_equal(r->disks[i].name, t->disk))
			continue;
		items_put_disk(&b, r->disks[i].name, &r->disks[i].counts);
		e = add(c, s, "fio-disk", ++n, CAP_OK, &b);
	}
	return e;
}

int fio_items_add(const struct fio_runs *r, const struct target *t, struct capture *c,
		  struct cap_snapshot *s)
{
	int e = add_disks(r, t, c, s);
	size_t n = 0;

	for (size_t i = 0; i < r->n && e == 0; i++) {
		const struct fio_result *f = &r->items[i];
		struct buf b cleanup_buf = { 0 };

		if (f->target != t)
			continue;
		put_job(&b, f);
		items_put_figures(&b, f->result);
		items_put_errors(&b, f->result);
		e = add(c, s, "fio-job", ++n,
			f->result->ios || f->result->end < JOB_FAILED ? CAP_OK
								      : CAP_FAILED,
			&b);
	}
	return e;
}
