/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run was asked to do, from its head, the command line or the job file. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

static void agree(struct fio_count *a, const struct fio_count *b)
{
	a->set = a->set && b->set && a->value == b->value;
}

static void merge_head(struct fio_head *to, const struct fio_head *from, bool first)
{
	if (first) {
		*to = *from;
		return;
	}
	to->title = str_equal(to->title, from->title) ? to->title : NULL;
	to->pattern = str_equal(to->pattern, from->pattern) ? to->pattern : NULL;
	to->engine = str_equal(to->engine, from->engine) ? to->engine : NULL;
	agree(&to->depth, &from->depth);
	for (size_t i = 0; i < 3; i++) {
		agree(&to->block[i][0], &from->block[i][0]);
		agree(&to->block[i][1], &from->block[i][1]);
	}
}

/*
 * One section stands for one job, or with group_reporting for all jobs of its group, under the
 * name of one of them.
 */
void fio_find_head(struct emission *em)
{
	const struct fio_job *j = em->job;
	bool whole_group = j->jobs.set && j->jobs.value > 1;
	size_t n = 0;

	for (size_t i = 0; i < em->batch->n_heads; i++) {
		const struct fio_head *h = &em->batch->heads[i];

		if (j->group.set && h->group.set && j->group.value != h->group.value)
			continue;
		if (!whole_group && !str_equal(j->title, h->title))
			continue;
		merge_head(&em->head, h, n++ == 0);
	}
	em->has_head = em->batch->n_heads > 0;
	em->many = n && !str_equal(em->head.title, j->title);
}

/* From the command line, else from the job file. */
const char *fio_asked(struct emission *em, enum fio_option option, size_t *ret_line)
{
	const char *value = NULL;

	if (em->many)
		return NULL;
	value = fio_option(&em->batch->command, em->job->title, option, ret_line);
	if (!value && em->jobfile)
		value = fio_option(em->jobfile, em->job->title, option, ret_line);
	return value;
}

const char *fio_device_name(const char *path)
{
	return path ? str_after(path, "/dev/") : NULL;
}

static const char *target_of(struct emission *em, size_t *ret_line)
{
	const char *target = fio_asked(em, FIO_OPT_FILENAME, ret_line);
	const char *title = em->job->title;

	/* a job that is named after a device and given no file reads that device */
	if (!target && !em->many && title && fio_device_name(title) &&
	    str_equal(fio_device_name(title), em->batch->device)) {
		*ret_line = em->job->line;
		return title;
	}
	return target;
}

static bool measured_block(const struct emission *em, struct fio_count *ret,
			   size_t *ret_line)
{
	if (!em->job->terse || !fio_terse_block(em->run, &ret[0].value))
		return false;
	ret[1].value = ret[0].value;
	*ret_line = em->run->line;
	return true;
}

/* The block size of the run's direction; false when it is not known or not the same for all. */
bool fio_block_of(struct emission *em, struct fio_count *ret)
{
	enum fio_direction d = em->run->direction;
	const char *value;
	size_t line;

	if (d == FIO_MIXED) {
		d = FIO_READ;
		for (size_t i = 0; i < 2; i++) {
			agree(&em->head.block[0][i], &em->head.block[1][i]);
			agree(&em->head.block[0][i], &em->head.block[2][i]);
		}
	}
	if (em->head.block[d][0].set && em->head.block[d][1].set) {
		ret[0] = em->head.block[d][0];
		ret[1] = em->head.block[d][1];
		return true;
	}
	value = fio_asked(em, FIO_OPT_BS, &line);
	if (value ? !fio_option_block(value, d, &ret[0].value, &ret[1].value)
		  : !measured_block(em, ret, &line))
		return false;
	ret[0].set = ret[1].set = true;
	ret[0].line = ret[1].line = line;
	return true;
}

static const char *add_sections(struct emission *em, const struct fio_sections *s)
{
	const char *text = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct fio_section *section = &s->items[i];

		if ((section->name && !str_equal(section->name, em->job->title)) ||
		    !section->posted)
			continue;
		text = text ? arena_printf(em->f->arena, "%s %s", text, section->posted)
			    : section->posted;
		if (!text)
			em->f->error = -ENOMEM;
	}
	return text;
}

/* The job file was posted for this start: no other start of fio stands between. */
static bool is_own_jobfile(const struct emission *em)
{
	size_t before = em->batch->number;

	return em->jobfile && !em->many && em->jobfile->first < em->batch->line &&
	       (!before || em->f->batches[before - 1].line < em->jobfile->first);
}

static void put_options(struct emission *em)
{
	const char *command = em->batch->command_text, *file = NULL, *both;

	if (is_own_jobfile(em))
		file = add_sections(em, em->jobfile);
	if (command && file) {
		both = arena_printf(em->f->arena, "%s; job file: %s", command, file);
		if (!both)
			em->f->error = -ENOMEM;
		fio_put_text(em, FACT_READ_OPTIONS, both, em->batch->line);
	} else {
		fio_put_text(em, FACT_READ_OPTIONS, command ? command : file,
			     command	   ? em->batch->line
			     : em->jobfile ? em->jobfile->first
					   : 0);
	}
}

static void put_direct(struct emission *em)
{
	size_t line;
	const char *v = fio_asked(em, FIO_OPT_DIRECT, &line);

	if (str_equal(v, "1") || str_equal(v, "true"))
		emit_flag(em->e, FACT_READ_DIRECT, em->run->number, true, line);
	else if (str_equal(v, "0") || str_equal(v, "false"))
		emit_flag(em->e, FACT_READ_DIRECT, em->run->number, false, line);
}

/* "1=100.0%" of the depths: there was never a second request in flight. */
static bool never_two(const struct fio_job *j)
{
	const struct fio_value *v = fio_get(&j->values, FACT_READ_DEPTH_LEVEL, 1);

	return v && v->u == 1000000;
}

static void put_pattern(struct emission *em)
{
	size_t line = em->head.line;
	const char *v = em->head.pattern;
	uint64_t depth;

	if (!v)
		v = fio_asked(em, FIO_OPT_RW, &line);
	if (!fio_is_pattern(v))
		v = NULL;
	if (!v && em->job->terse && !em->f->asks_command) {
		fio_note(em->f, em->job->line,
			 "terse output does not say what was asked: without the command "
			 "or job file beside it, its speed cannot be compared");
		em->f->asks_command = true;
	}
	fio_put_text(em, FACT_READ_PATTERN, v, line);
	line = em->head.line;
	v = em->head.engine;
	if (!v)
		v = fio_asked(em, FIO_OPT_ENGINE, &line);
	fio_put_text(em, FACT_READ_ENGINE, v, line);
	if (em->head.depth.set) {
		fio_put_count(em, FACT_READ_DEPTH, &em->head.depth);
		return;
	}
	v = fio_asked(em, FIO_OPT_DEPTH, &line);
	if (v && !str_to_u64(v, &depth))
		fio_put(em, FACT_READ_DEPTH, depth, line);
	else if (!v && em->job->terse && never_two(em->job))
		fio_put(em, FACT_READ_DEPTH, 1, em->job->line);
}

/* Jobs of one title have a line each, but for group_reporting: then it is all of them that one tells. */
static void put_jobs(struct emission *em)
{
	const struct fio *f = em->f;
	uint64_t jobs = 1, lines = 0;
	size_t line = em->job->line;
	const char *v = fio_asked(em, FIO_OPT_JOBS, &line);

	if (!em->job->terse || !em->batch->command.n || (v && str_to_u64(v, &jobs)))
		return;
	for (size_t i = 0; i < f->n_jobs; i++)
		lines += f->jobs[i].batch == em->job->batch &&
			 str_equal(f->jobs[i].title, em->job->title);
	fio_put(em, FACT_READ_JOBS, lines > 1 ? 1 : jobs, line);
}

void fio_put_request(struct emission *em)
{
	struct fio_count block[2] = { 0 };
	size_t line;
	const char *target;

	put_pattern(em);
	if (fio_block_of(em, block)) {
		fio_put_count(em, FACT_READ_BLOCK, &block[0]);
		if (block[1].value != block[0].value)
			fio_put_count(em, FACT_READ_BLOCK_MAX, &block[1]);
	}
	put_jobs(em);
	put_direct(em);
	target = target_of(em, &line);
	fio_put_text(em, FACT_READ_TARGET, target, target ? line : 0);
	put_options(em);
}
