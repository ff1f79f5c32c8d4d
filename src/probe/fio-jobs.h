/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's options and job files, as far as they only read: who has a job file can run it as it is.
 * Source of names, units and defaults: fio's HOWTO (3.33), checked against fio itself in
 * tests/probe/fio-options.t.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attrs.h"
#include "base/diag.h"
#include "base/span.h"

enum fio_engine_class {
	FIO_QUEUED, /* libaio, io_uring, posixaio: as many reads outstanding as iodepth says */
	FIO_SIMPLE, /* psync and its like: one, whatever iodepth says */
};

/* A size of fio's: bytes, or a share of the target when percent. */
struct fio_size {
	uint64_t value;
	bool set, percent;
};

/* One job, its section and everything global before it taken together. */
struct fio_spec {
	const char *name;
	const char *filename;
	const char *engine; /* as it was written */
	enum fio_engine_class engine_class;
	bool sequential;
	uint64_t block_min, block_max, block_align; /* align 0: block_min */
	uint64_t depth, jobs;
	struct fio_size size, offset, io_size;
	uint64_t runtime_us, delay_us; /* 0: none */
	uint64_t most_ios, seed;
	bool time_based, direct, alone /* stonewall */, new_group, grouped, repeatable;
	bool go_on; /* continue_on_error takes reads */
	uint64_t loops;
};

struct fio_specs {
	struct arena arena;
	struct fio_spec global; /* what a job without a section starts from */
	struct fio_spec *items;
	size_t n, cap;
};

#define FIO_SPECS_MAX	   256u
#define FIO_JOB_FILE_BYTES (1u << 20)
#define FIO_MAX_LINE	   4096u

/* fio's defaults. */
void fio_specs_init(struct fio_specs *s);
/*
 * Add the sections of a job file. 0, or -EINVAL after one message that names FILE and line: an
 * option that writes, one that is not understood, a value that is none; -ENOMEM.
 */
int fio_specs_add_file(struct fio_specs *s, struct span text, const char *file,
		       struct diag *d) must_check;
/*
 * Add the options of a command line (words "--rw=randread", "--rw", "-rw=randread"; a value may be
 * the next word). --name begins a job, options before the first are global: for job files that are
 * added later too. Without any name they are a job themselves when ALONE. 0 or as above.
 */
int fio_specs_add_words(struct fio_specs *s, const char *const *words, size_t n,
			bool alone, struct diag *d) must_check;
/* Is this word of a command line an option of fio's? *RET_TAKES: its value is the next word. */
bool fio_is_word(const char *word, bool *ret_takes);
void fio_specs_done(struct fio_specs *s);
/* Does a text begin as a job file does: a [section] with an option of fio's below it? */
bool fio_is_job_file(struct span text);

/* ---- between the two files ---- */

/*
 * Set one option. VALUE may be NULL: no "=". 0; -ENOENT for one that fio may know and we do not;
 * -EPERM for one that writes; -ENOTSUP for one that would change what is measured; -EINVAL for a
 * bad value; -ENOMEM. *RET_WHY says more, or is NULL.
 */
int fio_option_set(struct fio_specs *s, struct fio_spec *job, const char *name,
		   size_t len, const char *value, const char **ret_why) must_check;
/* Does the option of this name (or beginning, if it is the only one) take a value? -1: none such. */
int fio_option_takes(const char *name, size_t len);
