/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job's section: its first line, and what stands below all directions. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

static struct fio_job *job(struct fio *f)
{
	return f->job ? &f->jobs[f->job - 1] : NULL;
}

/* Below the lines of all directions no more of them come. */
static void close_job(struct fio *f, struct fio_job *j)
{
	j->closed = true;
	f->run = 0;
}

/* ---- job: (groupid=0, jobs=1): err= 0: pid=3614: Tue Aug  6 18:48:26 2019 ----------------------- */

static bool take_alpha(const char **s, int n)
{
	while (n--) {
		if (!str_is_alpha(*(*s)++))
			return false;
	}
	return true;
}

static bool take_digits(const char **s, int least, int most)
{
	int n = 0;

	while (n < most && str_is_digit(**s)) {
		(*s)++;
		n++;
	}
	return n >= least;
}

static bool take_blank(const char **s)
{
	const char *before = *s;

	while (**s == ' ')
		(*s)++;
	return *s > before;
}

/* As ctime(3) writes it: "Tue Aug  6 18:48:26 2019". */
static bool is_ctime(const char *s)
{
	return take_alpha(&s, 3) && take_blank(&s) && take_alpha(&s, 3) &&
	       take_blank(&s) && take_digits(&s, 1, 2) && take_blank(&s) &&
	       take_digits(&s, 2, 2) && *s++ == ':' && take_digits(&s, 2, 2) &&
	       *s++ == ':' && take_digits(&s, 2, 2) && take_blank(&s) &&
	       take_digits(&s, 4, 4) && !*s;
}

static void read_started(struct fio *f, struct fio_job *j, const struct fio_line *l)
{
	const char *p = strstr(l->text, "pid="), *next;
	struct scan sc;
	uint64_t pid;

	for (next = p; next; next = strstr(next + 1, "pid="))
		p = next;
	if (!p || l->open)
		return;
	sc.p = p + strlen("pid=");
	if (!scan_u64(&sc, &pid) || !scan_text(&sc, ": "))
		return;
	if (is_ctime(sc.p))
		fio_set(f, &j->values,
			(struct fio_value){ .id = FACT_READ_STARTED,
					    .text = sc.p,
					    .line = l->first });
	else if (!scan_end(&sc))
		fio_note(f, l->first, "the time beside the job cannot be read: left out");
}

/* The job of the JSON before this text that the line is about, else a new one. */
static struct fio_job *job_of_line(struct fio *f, const struct fio_line *l,
				   const char *title, const struct fio_count *group)
{
	const struct fio_batch *b = fio_batch(f);
	struct fio_job *j;

	for (size_t i = 0; b && i < f->n_jobs; i++) {
		j = &f->jobs[i];
		if (!j->from_json || j->batch != b->number || !group->set ||
		    j->group.value != group->value || !str_equal(j->title, title))
			continue;
		j->from_json = false;
		f->job = i + 1;
		f->run = 0;
		return j;
	}
	j = fio_new_job(f, l->first);
	if (j) {
		j->title = title;
		j->group = *group;
	}
	return j;
}

void fio_read_job(struct fio *f, const struct fio_line *l)
{
	const char *p = strstr(l->text, ": (groupid="), *jobs;
	struct fio_count group = { .line = l->first };
	struct scan sc = { p };
	struct fio_job *j;
	uint64_t error;
	char *title;
	bool good;

	if (!p)
		return;
	title = arena_strndup(f->arena, l->text, (size_t)(p - l->text));
	if (!title)
		f->error = -ENOMEM;
	group.set = scan_text(&sc, ": (groupid=") && scan_u64(&sc, &group.value) &&
		    scan_text(&sc, ", jobs=");
	j = job_of_line(f, l, title, &group);
	if (!j)
		return;
	jobs = strstr(p, "jobs=");
	sc.p = jobs ? jobs + strlen("jobs=") : "";
	j->jobs.line = l->first;
	j->jobs.set = scan_u64(&sc, &j->jobs.value) && scan_text(&sc, "):");
	/* "err= 0:", and with an error "err= 5 (file:..., error=...):" */
	good = j->jobs.set && scan_text(&sc, "err=") && scan_u64(&sc, &error) &&
	       (scan_text(&sc, ":") || scan_text(&sc, "("));
	if (good)
		fio_set_u64(f, &j->values, FACT_READ_ERROR, 0, error, l->first);
	else
		fio_note(f, l->first, "the line of a job cannot be read to its end");
	read_started(f, j, l);
	fio_claim_read(f, l, good);
}

/* ---- below all directions -------------------------------------------------------------------------------------- */

static const uint32_t edges[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000 };

bool fio_take_edge(const char *key, uint64_t unit, uint32_t *ret)
{
	uint64_t n;

	if (str_equal(key, ">=2000")) {
		*ret = UINT32_MAX;
		return true;
	}
	if (str_to_u64(key, &n))
		return false;
	for (size_t i = 0; i < array_size(edges); i++) {
		if (edges[i] != n || n * unit >= UINT32_MAX)
			continue;
		*ret = (uint32_t)(n * unit);
		return true;
	}
	return false;
}

/* The digits of a damaged share: "1iiiiiiii9.94%" leaves 19.94. 0 when they make no share. */
static uint64_t digits_left(const char *s)
{
	char left[32];
	size_t n = 0;
	uint64_t ppm;

	for (; *s && n < sizeof(left) - 1; s++) {
		if (str_is_digit(*s) || *s == '.' || *s == '%')
			left[n++] = *s;
	}
	left[n] = '\0';
	return n > 5 && left[n - 4] == '.' && fio_take_percent(left, 2, &ppm) ? ppm : 0;
}

/* Edges rise; one that does not is damaged. The same line again in another part is not taken. */
static bool is_next_edge(const struct fio_job *j, uint32_t edge)
{
	return !j->n_buckets || edge > j->buckets[j->n_buckets - 1].edge;
}

static bool take_bucket(struct fio *f, struct fio_job *j, const struct fio_line *l,
			const struct fio_item *it, uint64_t unit)
{
	struct fio_bucket *b, made = { .line = l->first };
	char text[64];

	if (!fio_take_edge(it->key, unit, &made.edge) || !is_next_edge(j, made.edge) ||
	    str_is_space(it->value[-1]) || !fio_item_text(it, text, sizeof(text)) ||
	    (it->last && l->open)) {
		fio_note_damaged(f, l, it->key, it->value, it->len);
		return false;
	}
	made.damaged = !fio_take_percent(text, 2, &made.ppm);
	if (made.damaged) /* with a second "=" the edge may be damaged too */
		made.ppm = strchr(text, '=') ? 0 : digits_left(text);
	made.posted = arena_strdup(f->arena, text);
	if (!made.posted)
		f->error = -ENOMEM;
	b = fio_push(f, &j->buckets, &j->n_buckets, &j->cap_buckets, sizeof(*b),
		     FIO_MAX_VALUES);
	if (b)
		*b = made;
	return !made.damaged;
}

void fio_read_buckets(struct fio *f, const struct fio_line *l)
{
	struct fio_job *j = job(f);
	struct scan sc = { l->text };
	struct fio_item it;
	bool good = true;
	uint64_t unit;

	if (!j) {
		fio_note_orphan(f, l);
		return;
	}
	if (j->in_json) { /* all of them are there, finer */
		close_job(f, j);
		fio_claim(f, l, LINE_READ);
		return;
	}
	if (!scan_text(&sc, "lat (") || !scan_time_unit(&sc, &unit) ||
	    !scan_text(&sc, ") :"))
		return;
	close_job(f, j);
	while (fio_next_item(&sc, &it))
		good &= take_bucket(f, j, l, &it, unit);
	fio_claim_read(f, l, good);
}

void fio_read_cpu(struct fio *f, const struct fio_line *l)
{
	struct fio_job *j = job(f);
	static const struct fio_field fields[] = {
		{ "usr", FIO_FORM_PERCENT, FACT_READ_CPU_USER },
		{ "sys", FIO_FORM_PERCENT, FACT_READ_CPU_SYSTEM },
		{ "ctx", FIO_FORM_COUNT, FACT_READ_CTX },
		{ "majf", FIO_FORM_COUNT, FACT_READ_MAJF },
		{ "minf", FIO_FORM_COUNT, FACT_READ_MINF },
	};
	struct scan sc = { l->text };

	if (!j || !scan_text(&sc, "cpu :")) {
		fio_note_orphan(f, l);
		return;
	}
	close_job(f, j);
	fio_claim_read(
		f, l,
		fio_take_items(f, l, sc.p, fields, array_size(fields), 1, &j->values));
}

void fio_read_depths(struct fio *f, const struct fio_line *l)
{
	struct fio_job *j = job(f);
	struct scan sc = { l->text };
	struct fio_item it;
	bool good = true;

	if (!j || !scan_text(&sc, "IO depths :")) {
		fio_note_orphan(f, l);
		return;
	}
	close_job(f, j);
	while (fio_next_item(&sc, &it)) {
		uint64_t level, ppm;
		char text[64];

		if (fio_item_text(&it, text, sizeof(text)) &&
		    fio_take_percent(text, 1, &ppm) &&
		    !str_to_u64(str_equal(it.key, ">=64") ? "64" : it.key, &level) &&
		    level && level <= 64 && !(level & (level - 1))) {
			fio_set_u64(f, &j->values, FACT_READ_DEPTH_LEVEL, (uint32_t)level,
				    ppm, l->first);
			continue;
		}
		fio_note_damaged(f, l, it.key, it.value, it.len);
		good = false;
	}
	fio_claim_read(f, l, good);
}

/* Behind the last count: the next word, or the end of a line that is whole. */
static bool is_counts_end(const struct scan *sc)
{
	struct scan s = *sc;

	(void)scan_text(&s, ",");
	return scan_end(&s) || str_is_alpha(*s.p);
}

/*
 * "r=15208/w=0/d=0", or N counts "0,262144,0": reads, writes, trims. All of them or none: with
 * one more or one less nobody knows which is which.
 */
static bool take_counts(struct scan *sc, const struct fio_line *l, size_t n,
			struct fio_count *ret)
{
	static const char *const names[] = { "r=", "w=", "d=" };
	bool named = scan_text(sc, names[0]);
	uint64_t v[4];

	n = named ? 3 : n;
	for (size_t i = 0; i < n; i++) {
		if (i && !scan_text(sc, named ? "/" : ","))
			return false;
		if (i && named && !scan_text(sc, names[i]))
			return false;
		if (!scan_u64(sc, &v[i]))
			return false;
	}
	if (!is_counts_end(sc))
		return false;
	for (size_t i = 0; i < 3; i++) {
		if (ret[i].set || (i + 1 == n && l->open && scan_end(sc)))
			continue;
		ret[i] = (struct fio_count){ true, v[i], l->first };
	}
	return true;
}

void fio_read_issued(struct fio *f, const struct fio_line *l)
{
	struct fio_job *j = job(f);
	const char *total = strstr(l->text, "total="), *less = strstr(l->text, "short=");
	/* "issued rwts:" counts syncs too */
	size_t n = str_starts(l->text, "issued rwts") ? 4 : 3;
	struct scan sc;
	bool good;

	if (!j || !total) {
		fio_note_orphan(f, l);
		return;
	}
	close_job(f, j);
	sc.p = total + strlen("total=");
	good = take_counts(&sc, l, n, j->issued);
	sc.p = less ? less + strlen("short=") : "";
	if (less)
		good &= take_counts(&sc, l, n, j->shortened);
	if (!good)
		fio_note(f, l->first,
			 "the counts of requests cannot all be read: left out");
	fio_claim_read(f, l, good);
}
