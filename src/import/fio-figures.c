/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fio prints as a rate is rounded, and up to 2.18 not even that (see
 * scan_size), so rates are computed here from counts and times; the printed ones are kept beside
 * them and must agree, or one of the numbers was damaged.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

static const struct fio_count *sum_of(const struct fio_count *c, enum fio_direction d,
				      struct fio_count *sum)
{
	if (d != FIO_MIXED)
		return &c[d];
	*sum = (struct fio_count){ true, 0, c[0].line };
	for (size_t i = 0; i < 3; i++) {
		sum->set = sum->set && c[i].set && c[i].value <= UINT64_MAX - sum->value;
		sum->value += c[i].value;
	}
	return sum;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Terse output has no count: what its bytes say, where they can. */
static const struct fio_count *count_of(struct emission *em, bool fixed, uint64_t block,
					struct fio_count *sum)
{
	const struct fio_count *c = sum_of(em->job->issued, em->run->direction, sum);

	if (c->set || !em->job->terse || !fixed ||
	    !fio_terse_count(em->run, block, &sum->value))
		return c;
	sum->set = true;
	sum->line = em->run->line;
	return sum;
}

enum check { CHECK_NONE, CHECK_FITS, CHECK_FAILS };

/* The figures of a run; the last five become false when the figure must be a damaged one. */
struct figures {
	struct emission *em;
	const struct fio_run *r;
	const struct fio_count *ios, *less;
	struct fio_count sum_ios, sum_less;
	struct fio_count block[2];
	bool fixed;	 /* all requests have the size block[0] */
	bool unreadable; /* the size was printed and is damaged: nothing may be rounded */
	bool use_ios, use_runtime, use_io, use_iops, use_bw;
};

static bool counted_bytes(const struct figures *g, uint64_t *ret)
{
	return g->fixed && g->use_ios && g->ios->set &&
	       !(g->less->set && g->less->value) &&
	       muldiv_round(g->ios->value, g->block[0].value, 1, ret);
}

static enum check check_rate(uint64_t amount, uint64_t slack, uint64_t ms,
			     const struct quantity *posted)
{
	uint64_t rate, more;

	if (!posted->unit || !muldiv_round(amount, 1000, ms, &rate) ||
	    !muldiv_round(slack, 1000, ms, &more))
		return CHECK_NONE;
	return distance(rate, posted->value) <= posted->slack + more + rate / 50 + 1
		       ? CHECK_FITS
		       : CHECK_FAILS;
}

static void drop(struct figures *g, bool *use, const char *what)
{
	*use = false;
	fio_note(g->em->f, g->r->line,
		 "%s of this run does not fit its other figures: it is damaged and left "
		 "out",
		 what);
}

/*
 * Requests over time are the printed rate, bytes over time the printed bandwidth, requests times
 * block size the bytes. Which of these fail tells which figure is damaged.
 */
static void cross_check(struct figures *g)
{
	const struct fio_run *r = g->r;
	enum check iops = CHECK_NONE, bytes = CHECK_NONE, bw = CHECK_NONE;
	uint64_t counted;

	if (r->runtime.set && g->ios->set)
		iops = check_rate(g->ios->value, 0, r->runtime.value, &r->iops);
	else if (r->runtime.set && g->fixed &&
		 r->io.unit) /* no count: what the bytes say */
		iops = check_rate(r->io.value / g->block[0].value,
				  r->io.slack / g->block[0].value + 1, r->runtime.value,
				  &r->iops);
	if (r->runtime.set && r->io.unit)
		bw = check_rate(r->io.value, r->io.slack, r->runtime.value, &r->bw);
	if (r->io.unit && counted_bytes(g, &counted))
		bytes = distance(counted, r->io.value) <= r->io.slack ? CHECK_FITS
								      : CHECK_FAILS;
	if (iops == CHECK_FAILS && bw == CHECK_FAILS) {
		drop(g, &g->use_runtime, "the run time");
		if (!g->ios->set) /* both rest on the bytes, too */
			drop(g, &g->use_io, "the printed amount of bytes");
	} else if (iops == CHECK_FAILS && bw == CHECK_FITS &&
		   (bytes == CHECK_FITS || !g->ios->set)) {
		drop(g, &g->use_iops, "the printed rate of requests");
	} else if (iops == CHECK_FAILS) {
		drop(g, &g->use_ios, "the count of requests");
		drop(g, &g->use_iops, "the printed rate of requests");
	} else if (bw == CHECK_FAILS && iops == CHECK_FITS && bytes == CHECK_FITS) {
		drop(g, &g->use_bw, "the printed bandwidth");
	} else if (bw == CHECK_FAILS && iops == CHECK_FITS) {
		drop(g, &g->use_io, "the printed amount of bytes");
		drop(g, &g->use_bw, "the printed bandwidth");
	} else if (bw == CHECK_FAILS) {
		drop(g, &g->use_runtime, "the run time");
		drop(g, &g->use_io, "the printed amount of bytes");
		drop(g, &g->use_bw, "the printed bandwidth");
	}
}

/*
 * Bytes moved. Counts times block size is exact; the printed size is rounded, and taken only
 * when no count can stand against it: the block size varies, or the size is a whole number of
 * blocks and so has lost nothing.
 */
static bool bytes_of(const struct figures *g, uint64_t *ret)
{
	const struct fio_run *r = g->r;
	bool io = r->io.unit && g->use_io;
	uint64_t counted;

	if (io && r->io_exact) {
		*ret = r->io.value;
		return true;
	}
	if (counted_bytes(g, &counted) &&
	    (!io || distance(counted, r->io.value) <= r->io.slack)) {
		*ret = counted;
		return true;
	}
	if (!io || g->unreadable ||
	    (g->fixed && !g->ios->set &&
	     (!r->io.whole || g->block[0].value % r->io.unit)))
		return false;
	*ret = r->io.value;
	return true;
}

static void put_counts(const struct figures *g)
{
	const struct fio_run *r = g->r;
	bool runtime = r->runtime.set && g->use_runtime;
	uint64_t v;

	if (runtime)
		fio_put_count(g->em, FACT_READ_RUNTIME, &r->runtime);
	if (g->use_ios)
		fio_put_count(g->em, FACT_READ_IOS, g->ios);
	fio_put_count(g->em, FACT_READ_SHORT, g->less);
	if (runtime && g->use_ios && g->ios->set &&
	    muldiv_round(g->ios->value, 1000000, r->runtime.value, &v))
		fio_put(g->em, FACT_READ_IOPS, v, g->ios->line);
	if (!bytes_of(g, &v))
		return;
	fio_put(g->em, FACT_READ_BYTES, v, g->ios->set ? g->ios->line : r->line);
	if (runtime && muldiv_round(v, 1000, r->runtime.value, &v))
		fio_put(g->em, FACT_READ_BANDWIDTH, v, r->line);
}

static void put_posted(const struct figures *g)
{
	const struct fio_run *r = g->r;
	uint64_t v;

	if (r->io.unit && g->use_io)
		fio_put(g->em, FACT_READ_POSTED_BYTES, r->io.value, r->line);
	if (r->bw.unit && g->use_bw)
		fio_put(g->em, FACT_READ_POSTED_BW, r->bw.value, r->line);
	if (r->iops_milli.unit && g->use_iops)
		fio_put(g->em, FACT_READ_POSTED_IOPS, r->iops_milli.value, r->line);
	else if (r->iops.unit && g->use_iops && muldiv_round(r->iops.value, 1000, 1, &v))
		fio_put(g->em, FACT_READ_POSTED_IOPS, v, r->line);
}

void fio_put_figures(struct emission *em)
{
	struct figures g = { .em = em, .r = em->run };

	g.use_ios = g.use_runtime = g.use_io = g.use_iops = g.use_bw = true;
	g.less = sum_of(em->job->shortened, em->run->direction, &g.sum_less);
	g.unreadable = !fio_block_of(em, g.block) && em->has_head;
	g.fixed = g.block[0].set && g.block[0].value == g.block[1].value;
	g.ios = count_of(em, g.fixed, g.block[0].value, &g.sum_ios);
	cross_check(&g);
	put_counts(&g);
	put_posted(&g);
}

/* ---- shares of requests by latency ------------------------------------------------------------------ */

/*
 * A damaged share is taken from the digits that are left in it, if all shares then make 100 %:
 * each is rounded to 0.01 %, and a share above 0 is printed as 0.01 % at least.
 */
static bool mend_bucket(struct emission *em, const struct fio_bucket *bad, size_t n_bad)
{
	const struct fio_job *j = em->job;
	uint64_t sum = 0, slack = 50;
	bool mended;

	for (size_t i = 0; i < j->n_buckets; i++) {
		if (j->buckets[i].damaged)
			continue;
		sum += j->buckets[i].ppm;
		slack += j->buckets[i].ppm <= 100 ? 100 : 50;
	}
	mended = n_bad == 1 && bad->ppm && sum < 1000000 &&
		 distance(1000000 - sum, bad->ppm) <= slack;
	if (mended) {
		text_claim(em->f->text, bad->line, LINE_READ, FIO_SECTION);
		fio_note(
			em->f, bad->line,
			"the share \"%s\" is damaged. The other shares sum to "
			"%llu.%02llu %%, which leaves %llu.%02llu %%: the digits left in "
			"it, %llu.%02llu %%, are right and taken",
			bad->posted, (unsigned long long)sum / 10000,
			(unsigned long long)sum / 100 % 100,
			(unsigned long long)(1000000 - sum) / 10000,
			(unsigned long long)(1000000 - sum) / 100 % 100,
			(unsigned long long)bad->ppm / 10000,
			(unsigned long long)bad->ppm / 100 % 100);
	} else {
		fio_note(em->f, bad->line,
			 "the share \"%s\" is damaged and cannot be mended: it is left "
			 "out",
			 bad->posted);
	}
	return mended;
}

void fio_put_buckets(struct emission *em)
{
	const struct fio_job *j = em->job;
	size_t n_runs = 0, n_bad = 0;

	if (em->run->has_bins)
		return; /* this direction's own, and finer */
	for (size_t i = 0; i < FIO_DIRECTIONS; i++)
		n_runs += j->runs[i] != 0;
	for (size_t i = 0; i < j->n_buckets; i++)
		n_bad += j->buckets[i].damaged;
	if (n_runs != 1) {
		if (j->n_buckets && j->runs[em->run->direction] == j->runs[FIO_READ])
			fio_note(em->f, j->buckets[0].line,
				 "shares by latency are those of all directions "
				 "together: they are left out");
		return;
	}
	for (size_t i = 0; i < j->n_buckets; i++) {
		const struct fio_bucket *b = &j->buckets[i];
		bool mended = b->damaged && mend_bucket(em, b, n_bad);

		if (b->damaged && !mended)
			continue;
		emit_u64(em->e, FACT_READ_BUCKET, em->run->number, b->edge, b->ppm,
			 b->line);
		if (mended)
			emit_u64(em->e, FACT_READ_BUCKET_REPAIRED, em->run->number,
				 b->edge, 1, b->line);
	}
}
