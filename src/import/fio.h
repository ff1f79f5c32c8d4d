/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fio importer's own types. It goes through the text once, from top to bottom: a start of fio
 * (fio_batch) prints its jobs' heads, a banner, then for each job (fio_job) one section with a
 * part for each direction (fio_run), and at last the disks (fio_disk). Job files and command lines
 * stand anywhere above. What a run or a disk is found to say is collected as facts; at the end
 * the figures are recomputed from the counts and all of it is emitted.
 */
#pragma once

#include "import/fio-scan.h"
#include "import/import.h"

#define FIO_SECTION "fio"

/* Far more than a mail holds; a text that passes one of these is read up to there. */
#define FIO_MAX_BATCHES	 1000u
#define FIO_MAX_RUNS	 10000u
#define FIO_MAX_HEADS	 500u /* of one batch; disks too */
#define FIO_MAX_JOBFILES 64u
#define FIO_MAX_SECTIONS 128u	      /* of one job file or command */
#define FIO_MAX_VALUES	 256u	      /* of one run, job or disk */
#define FIO_MAX_FACTS	 (900u << 10) /* bytes of one item, see emit_done() */

/* ---- lines -------------------------------------------------------------------------------- */

enum fio_kind {
	FIO_OTHER, /* none of fio's: prose, or the rest of a wrapped line */
	FIO_BLANK,
	FIO_TAKEN, /* another importer has claimed it */
	FIO_QUIET, /* fio's, carries nothing that is used */
	FIO_HEAD, /* job: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=1 */
	FIO_REPEAT, /* ... */
	FIO_BANNER,
	FIO_START, /* Starting 2 processes */
	FIO_JOB,   /* job: (groupid=0, jobs=1): err= 0: pid=3614 */
	FIO_IO2,   /* read : io=60832KB, bw=1013.7KB/s, iops=253 , runt= 60012msec */
	FIO_IO3,   /* read: IOPS=13.6k, BW=53.2MiB/s (55.8MB/s)(53.2MiB/1001msec) */
	FIO_LAT,
	FIO_PCT_HEAD,
	FIO_PCT_ROW,
	FIO_BW,
	FIO_IOPS,
	FIO_BUCKET,
	FIO_SYNC, /* the part on fsync: what follows is no read or write */
	FIO_CPU,
	FIO_DEPTHS,
	FIO_SUBMIT, /* submit, complete */
	FIO_ISSUED,
	FIO_LATENCY, /* latency : target=0, ... depth=16 */
	FIO_GROUP_HEAD,
	FIO_GROUP2,
	FIO_GROUP3,
	FIO_DISK_HEAD,
	FIO_DISK,
	FIO_JSON,    /* { alone on its line */
	FIO_TERSE,   /* 3;fio-3.33;job;0;0;... */
	FIO_COMMAND, /* # fio --name=... */
	FIO_JOBFILE, /* [global] */
	FIO_KINDS
};

/* A line of fio's, put together again when it was wrapped. */
struct fio_line {
	enum fio_kind kind;
	const char *text;  /* in the text's arena */
	size_t first, end; /* lines [first, end) of struct text */
	bool open; /* its last word may lack its end: take it only if it closes itself */
};

/* ---- what was found --------------------------------------------------------------------------- */

struct fio_value {
	enum fact_id id;
	uint32_t j;
	uint64_t u;
	const char *text; /* for facts that are text */
	size_t line;	  /* index into text->lines */
	bool exact;	  /* from JSON: wins over the rounded text of the same run */
};

struct fio_count {
	bool set;
	uint64_t value;
	size_t line;
};

struct fio_values {
	struct fio_value *items;
	size_t n, cap;
};

enum fio_direction { FIO_READ, FIO_WRITE, FIO_TRIM, FIO_MIXED, FIO_DIRECTIONS };

struct fio_run {
	enum fio_direction direction;
	uint32_t number; /* key of its facts: read[number] */
	size_t job;
	struct fio_values values;
	enum fio_era era;
	struct fio_count runtime;     /* ms */
	struct quantity io, iops, bw; /* as printed; unit 0: absent */
	size_t line;
	struct quantity iops_milli; /* from JSON, finer */
	bool io_exact;		    /* io is a count of bytes */
	bool from_json;		    /* ... and not yet found in the text beside it */
	bool is_again;		    /* a line of terse output that repeats another run */
	bool has_bins;		    /* its own shares by latency are among its values */
};

struct fio_bucket {
	uint32_t edge; /* ns, UINT32_MAX above the last */
	bool damaged;
	uint64_t ppm; /* of a damaged one: the digits that are left, 0 for none */
	const char *posted;
	size_t line;
};

struct fio_job {
	const char *title; /* NULL when the text lacks it */
	size_t line, batch;
	struct fio_count group, jobs;
	size_t runs[FIO_DIRECTIONS]; /* index + 1, 0 for none */
	struct fio_values values;    /* of the whole job: cpu, depths, error */
	struct fio_count issued[3], shortened[3];
	struct fio_bucket *buckets;
	size_t n_buckets, cap_buckets;
	bool in_json;	/* its values come from JSON */
	bool terse;	/* no requests were counted, and nothing tells what was asked */
	bool closed;	/* lines that stand below all directions were seen */
	bool from_json; /* ... and not yet found in the text beside it */
};

struct fio_head {
	const char *title, *pattern, *engine;
	size_t line;
	struct fio_count group, depth;
	struct fio_count block[3][2]; /* read, write, trim: least, most */
};

struct fio_disk {
	const char *name;
	size_t line;
	uint32_t number; /* key of its facts: disk[number] */
	bool aggregate;
	struct fio_values values;
};

/* Options are kept by section: of a job file, or of a command line (--name starts one). */
enum fio_option {
	FIO_OPT_RW,
	FIO_OPT_BS,
	FIO_OPT_ENGINE,
	FIO_OPT_DEPTH,
	FIO_OPT_DIRECT,
	FIO_OPT_FILENAME,
	FIO_OPT_JOBS,
	FIO_OPTIONS
};

struct fio_section {
	const char *name; /* NULL: global */
	const char *options[FIO_OPTIONS];
	size_t lines[FIO_OPTIONS];
	const char *posted; /* all of its options, as posted; NULL when not sure */
};

struct fio_sections {
	size_t first; /* line */
	struct fio_section *items;
	size_t n, cap;
};

enum fio_phase { FIO_PHASE_HEADS, FIO_PHASE_STARTED, FIO_PHASE_JOBS, FIO_PHASE_GROUPS };

struct fio_batch {
	size_t line;
	uint32_t number;
	enum fio_phase phase;
	const char *source; /* "fio 2.13" */
	size_t source_line;
	struct fio_sections command; /* n 0: none */
	const char *command_text;    /* as posted, NULL when none or not sure */
	struct fio_head *heads;
	size_t n_heads, cap_heads;
	struct fio_disk *disks;
	size_t n_disks, cap_disks;
	size_t first_run, n_runs; /* those of a batch stand together */
	bool disk_doubt;	  /* a disk's line was lost: the others need not be all */
	const char *device;	  /* decided at the end */
};

struct fio {
	struct import *im;
	struct text *text;
	struct arena *arena; /* the text's: lives as long as the import */
	int error;	     /* -ENOMEM sticks */
	bool full;	     /* a limit was passed: the rest is not read */
	struct fio_batch *batches;
	size_t n_batches, cap_batches;
	struct fio_job *jobs;
	size_t n_jobs, cap_jobs;
	struct fio_run *runs;
	size_t n_runs, cap_runs;
	struct fio_sections *jobfiles;
	size_t n_jobfiles, cap_jobfiles;
	uint32_t n_disks;
	size_t json_end;    /* the last JSON that was tried ends here */
	bool json_is_other; /* what looked like JSON with sorted keys was not fio's */
	const char *terse_disks; /* end of the last terse line */
	bool asks_command;	 /* of terse output, once */
	/* where the text stands: indexes + 1, 0 for none; never pointers, the arrays move */
	size_t job, run;
	uint64_t
		percentile_ns; /* unit of the rows to come, 0 for rows that are not kept */
	uint32_t percentile_key; /* the last one: they rise */
	uint32_t lat_seen;	 /* bits: this run's slat, clat, lat lines */
};

/* ---- fio-line.c: what a line is, and putting wrapped ones together ------------------------------ */

enum fio_kind fio_classify(const struct text_line *l);
/* The line that starts at INDEX; on -ENOMEM f->error is set and the line stands alone. */
struct fio_line fio_gather(struct fio *f, size_t index, enum fio_kind kind);
/* Cut what lists and tables put around fio's lines: "- " before them, " | |" behind. */
void fio_undress(struct fio *f);
/* Width of a line as it stood in the file, to tell wrapped lines from short ones. */
size_t fio_width(const struct text_line *l);

/* A line at least this wide may have been wrapped, a shorter one was not. */
#define FIO_WRAP_WIDTH 60u

/* ---- fio-item.c: lists of key=value ------------------------------------------------------------ */

/* One "key=value" of a list; the value has no blanks around it and no comma behind it. */
struct fio_item {
	char key[24];
	const char *value;
	size_t len;
	bool last; /* no other item behind it */
};
bool fio_next_item(struct scan *sc, struct fio_item *ret);
/* The value alone in BUF, so that nothing behind its comma is ever read with it. */
bool fio_item_text(const struct fio_item *it, char *buf, size_t size);

enum fio_form {
	FIO_FORM_IGNORED,
	FIO_FORM_COUNT,	  /* 15250: times the line's unit */
	FIO_FORM_TIME,	  /* 27575, 4122.9K: times the line's unit */
	FIO_FORM_FLOAT,	  /* 3915.39: times the line's unit */
	FIO_FORM_PERCENT, /* 0.31% */
};

struct fio_field {
	const char *key;
	enum fio_form form;
	enum fact_id id;
};

/* Keep what FIELDS name; whether every item could be read. */
bool fio_take_items(struct fio *f, const struct fio_line *l, const char *s,
		    const struct fio_field *fields, size_t n, uint64_t unit,
		    struct fio_values *to);
/* "8.07%", with as many places as fio prints; no blanks. */
bool fio_take_percent(const char *s, unsigned int places, uint64_t *ret_ppm);
void fio_note_damaged(struct fio *f, const struct fio_line *l, const char *key,
		      const char *value, size_t len);
/* A line of a run or job that is not there: its head was lost. */
void fio_note_orphan(struct fio *f, const struct fio_line *l);
void fio_claim_read(struct fio *f, const struct fio_line *l, bool good);

/* ---- fio-command.c ------------------------------------------------------------------------------- */

/* "# ./fio -rw=read ...": where the program and its first option stand. */
bool fio_is_command(const char *s, const char **ret_program, const char **ret_options);
/* Read the command that starts at INDEX; return the line behind it. */
size_t fio_read_command(struct fio *f, size_t index);

/* ---- fio-options.c: options and job files ---------------------------------------------------------- */

/* The same for a job file; INDEX itself when it is none. */
size_t fio_read_jobfile(struct fio *f, size_t index);
/* The section of job TITLE holds it, or the global one. NULL when absent. */
const char *fio_option(const struct fio_sections *s, const char *title,
		       enum fio_option option, size_t *ret_line);
/* The job file that a job was run from, as far as can be told; NULL if none. */
const struct fio_sections *fio_jobfile_of(const struct fio *f, const struct fio_job *job,
					  const struct fio_head *head);
/* One of the words that rw= takes; NULL is none. */
bool fio_is_pattern(const char *rw);
/* "4k", "4k-16k", "4k,8k": the range for one direction; false when it cannot be read. */
bool fio_option_block(const char *value, enum fio_direction direction,
		      uint64_t *ret_least, uint64_t *ret_most);

/* Length of the name that S starts with, and whether it is one of fio's options. */
size_t fio_name_length(const char *s);
bool fio_is_option(const char *name, size_t len);
/* Which of the options that are kept it is, -1 for none. */
int fio_kept_option(const char *name, size_t len);
struct fio_section *fio_add_section(struct fio *f, struct fio_sections *s,
				    const char *name);
void fio_keep(struct fio *f, struct fio_section *s, const char *name, size_t name_len,
	      const char *value, size_t len, size_t line);
/* A copy with blanks made single; NULL when memory is out. */
const char *fio_squeeze(struct fio *f, const char *s);

/* ---- fio-run.c: the part of a direction ------------------------------------------------------------- */

void fio_read_io2(struct fio *f, const struct fio_line *l);
void fio_read_io3(struct fio *f, const struct fio_line *l);
void fio_read_latency(struct fio *f, const struct fio_line *l);
void fio_read_percentile_head(struct fio *f, const struct fio_line *l);
void fio_read_percentile_row(struct fio *f, const struct fio_line *l);
/* A percentile at the end of fio's scale: "at least" that. */
bool fio_is_beyond_scale(const struct fio_run *r, uint64_t ns);
void fio_read_bandwidth(struct fio *f, const struct fio_line *l);

/* ---- fio-job.c: a job's line, and what stands below all directions ----------------------------------- */

void fio_read_job(struct fio *f, const struct fio_line *l);
void fio_read_buckets(struct fio *f, const struct fio_line *l);
/* "100", ">=2000": the upper edge of a share of requests, in ns */
bool fio_take_edge(const char *key, uint64_t unit, uint32_t *ret);
void fio_read_cpu(struct fio *f, const struct fio_line *l);
void fio_read_depths(struct fio *f, const struct fio_line *l);
void fio_read_issued(struct fio *f, const struct fio_line *l);

/* ---- fio-head.c, fio-disk.c --------------------------------------------------------------------------- */

void fio_read_head(struct fio *f, const struct fio_line *l);
void fio_read_repeat(struct fio *f, const struct fio_line *l);
void fio_read_banner(struct fio *f, const struct fio_line *l);
void fio_read_disk(struct fio *f, const struct fio_line *l);
/* The disk of this name in the current batch, or a new one. */
struct fio_disk *fio_disk_named(struct fio *f, const char *name, size_t len, size_t line);

/* ---- fio-text.c: batches, and what all parts use -------------------------------------------------- */

struct fio_batch *fio_batch(struct fio *f); /* the current one, NULL when memory is out */
struct fio_batch *fio_new_batch(struct fio *f, size_t line);
/* The batch that a line of this phase belongs to: a step back starts a new one. */
struct fio_batch *fio_batch_in(struct fio *f, enum fio_phase phase, size_t line);
struct fio_job *fio_new_job(struct fio *f, size_t line);
/* The run of the current job in this direction, made if needed; it becomes the current one. */
struct fio_run *fio_new_run(struct fio *f, enum fio_direction direction, size_t line);
struct fio_disk *fio_new_disk(struct fio *f, const char *name, size_t line);
/* arena_push() that sets f->error, or f->full at MAX elements. */
void *fio_push(struct fio *f, void *items, size_t *n, size_t *cap, size_t size,
	       size_t max);

const struct fio_value *fio_get(const struct fio_values *v, enum fact_id id, uint32_t j);
/* Keep a value; one that is there already stays, and is reported when it differs. */
void fio_set(struct fio *f, struct fio_values *v, struct fio_value value);
void fio_set_u64(struct fio *f, struct fio_values *v, enum fact_id id, uint32_t j,
		 uint64_t u, size_t line);
void fio_note(struct fio *f, size_t line, const char *format, ...) printf_like(3, 4);
void fio_claim(struct fio *f, const struct fio_line *l, enum line_state state);

extern const char *const fio_direction_names[FIO_DIRECTIONS];

/* ---- fio-json.c -------------------------------------------------------------------------------------- */

/* Read the JSON object that starts at INDEX if it is fio's; return the line behind it. */
size_t fio_read_json(struct fio *f, size_t index);

/* ---- fio-terse.c ------------------------------------------------------------------------------------- */

bool fio_is_terse(const char *s);
/* Read the line that starts at INDEX; return the one behind it. */
size_t fio_read_terse(struct fio *f, size_t index);
/*
 * How many requests of BLOCK bytes the run's bytes are; false when they are none, or are not as many a
 * second as the line says: then the sizes were mixed.
 */
bool fio_terse_count(const struct fio_run *r, uint64_t block, uint64_t *ret);
/* The one size that bytes, time and requests a second leave, in bytes; false when there is none. */
bool fio_terse_block(const struct fio_run *r, uint64_t *ret);

/* ---- writing it all as facts ------------------------------------------------------------------------------ */

struct emission {
	struct fio *f;
	struct emit *e;
	const struct fio_batch *batch;
	const struct fio_job *job;
	const struct fio_run *run;
	struct fio_head head; /* what all heads of the job agree on */
	bool has_head;
	bool many; /* heads of several jobs: options cannot be told */
	const struct fio_sections *jobfile;
	size_t line; /* of the run's own line */
	bool full;   /* nothing more is written */
};

/* fio-emit.c: facts of the run */
void fio_put(struct emission *em, enum fact_id id, uint64_t v, size_t line);
void fio_put_text(struct emission *em, enum fact_id id, const char *v, size_t line);
void fio_put_count(struct emission *em, enum fact_id id, const struct fio_count *c);

/* fio-request.c */
void fio_find_head(struct emission *em);
void fio_put_request(struct emission *em);
/* From the command line, else from the job file; NULL when absent. */
const char *fio_asked(struct emission *em, enum fio_option option, size_t *ret_line);
/* The block size of the run's direction; false when it is not known or not the same for all. */
bool fio_block_of(struct emission *em, struct fio_count *ret);
/* "sda" of "/dev/sda", else NULL */
const char *fio_device_name(const char *path);

/* fio-sanity.c: drop values that cannot be; they get the id FACT_COUNT */
void fio_check_values(struct fio *f, struct fio_run *r);

/* fio-figures.c */
void fio_put_figures(struct emission *em);
void fio_put_buckets(struct emission *em);

/* ---- fio-emit.c: figures from counts, subjects ---------------------------------------------------------- */

int fio_emit(struct fio *f) must_check;
