/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives are read side by side: each in a thread, so that a slow one costs the others nothing. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "device/collect.h"

#define OPEN_MS	    10000u
#define STACK_BYTES (512u * 1024u)

static void do_job(struct collect_job *job)
{
	struct cap_subject *drive = capture_add_subject(&job->capture, CAP_DRIVE);
	uint32_t ms = job->options.drive_ms;

	job->error = drive ? 0 : -ENOMEM;
	if (!job->error && job->open)
		job->error = job->open(job->transport, ms && ms < OPEN_MS ? ms : OPEN_MS);
	if (!job->error)
		job->error = collect_drive(&job->capture, drive, job->role, job->source,
					   job->transport, &job->options, &job->diag,
					   &job->stats);
}

static void *run_job(void *job)
{
	do_job(job);
	return NULL;
}

void collect_jobs(struct collect_job *jobs, size_t n)
{
	pthread_t *threads = calloc(n, sizeof(*threads));
	bool *started = calloc(n, sizeof(*started));
	pthread_attr_t attributes;

	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
	for (size_t i = 0; i < n; i++) {
		if (threads && started && n > 1)
			started[i] = pthread_create(&threads[i], &attributes, run_job,
						    &jobs[i]) == 0;
		/* no thread to be had: slower, and as right */
		if (!started || !started[i])
			do_job(&jobs[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (started && started[i])
			(void)pthread_join(threads[i], NULL);
	(void)pthread_attr_destroy(&attributes);
	free(started);
	free(threads);
}

void collect_job_done(struct collect_job *job)
{
	capture_done(&job->capture);
	diag_done(&job->diag);
}

static int copy_item(struct capture *c, struct cap_snapshot *s,
		     const struct cap_item *from)
{
	struct cap_item *item =
		capture_add_item(c, s, from->id, from->status, from->body);

	if (!item)
		return -ENOMEM;
	for (size_t i = 0; i < from->n_attributes; i++) {
		int r = cap_item_set(c, item, from->attributes[i].name,
				     from->attributes[i].value);

		if (r < 0)
			return r;
	}
	return 0;
}

static int copy_snapshot(struct capture *c, struct cap_subject *subject,
			 const struct cap_snapshot *from)
{
	struct cap_snapshot *s =
		capture_add_snapshot(c, subject, from->role, from->source);
	int r = s ? 0 : -ENOMEM;

	if (!s)
		return r;
	s->has_time = from->has_time;
	s->taken_ms = from->taken_ms;
	for (size_t i = 0; r == 0 && i < from->n_items; i++)
		r = copy_item(c, s, &from->items[i]);
	return r;
}

int collect_take(const struct collect_job *job, struct capture *c,
		 struct cap_subject *subject)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < job->capture.n_subjects; i++) {
		const struct cap_subject *from = &job->capture.subjects[i];

		for (size_t k = 0; r == 0 && k < from->n_snapshots; k++)
			r = copy_snapshot(c, subject, &from->snapshots[k]);
	}
	return r;
}
