/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's options, and the job files that people post. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

/* clang-format off */
static const struct {
	const char *name;
	enum fio_option option;
} kept[] = {
	{ "rw",              FIO_OPT_RW },
	{ "readwrite",       FIO_OPT_RW },
	{ "bs",              FIO_OPT_BS },
	{ "blocksize",       FIO_OPT_BS },
	{ "bsrange",         FIO_OPT_BS },
	{ "blocksize_range", FIO_OPT_BS },
	{ "ioengine",        FIO_OPT_ENGINE },
	{ "iodepth",         FIO_OPT_DEPTH },
	{ "direct",          FIO_OPT_DIRECT },
	{ "filename",        FIO_OPT_FILENAME },
	{ "numjobs",         FIO_OPT_JOBS },
	/* getopt takes unique beginnings; these are what people write */
	{ "numjob",          FIO_OPT_JOBS },
	{ "numjo",           FIO_OPT_JOBS },
	{ "numj",            FIO_OPT_JOBS },
};

/* Other words that say "this is fio's": options without and with a value. */
static const char *const others[] = {
	"name", "size", "runtime", "time_based", "group_reporting", "stonewall",
	"wait_for_previous", "thread", "norandommap", "new_group", "exitall", "unlink", "invalidate",
	"randrepeat", "refill_buffers", "scramble_buffers", "overwrite", "end_fsync", "fsync",
	"fdatasync", "gtod_reduce", "buffered", "sync", "directory", "nrfiles", "filesize", "loops",
	"startdelay", "ramp_time", "rwmixread", "rwmixwrite", "blockalign", "ba", "bssplit",
	"iodepth_batch", "iodepth_batch_submit", "iodepth_batch_complete", "iodepth_low", "offset",
	"io_size", "io_limit", "thinktime", "rate", "rate_iops", "rate_min", "cpus_allowed",
	"cpumask", "numa_cpu_nodes", "prio", "prioclass", "ioscheduler", "verify", "do_verify",
	"verify_fatal", "write_bw_log", "write_lat_log", "write_iops_log", "log_avg_msec",
	"random_generator", "random_distribution", "percentile_list", "clat_percentiles",
	"lat_percentiles", "disable_lat", "disable_clat", "disable_slat", "fadvise_hint",
	"fallocate", "create_on_open", "create_serialize", "pre_read", "hipri", "fixedbufs",
	"registerfiles", "sqthread_poll", "userspace_reap", "zonemode", "zonesize", "mem", "iomem",
	"continue_on_error", "ignore_error", "unified_rw_reporting", "description", "bwavgtime",
	"number_ios", "output", "output-format", "minimal", "eta", "eta-newline", "readonly",
	"section", "status-interval", "max-jobs", "client", "server", "bandwidth-log",
};
/* clang-format on */

int fio_kept_option(const char *name, size_t len)
{
	for (size_t i = 0; i < array_size(kept); i++) {
		if (strlen(kept[i].name) == len && !strncmp(kept[i].name, name, len))
			return (int)kept[i].option;
	}
	return -1;
}

bool fio_is_option(const char *name, size_t len)
{
	if (fio_kept_option(name, len) >= 0)
		return true;
	for (size_t i = 0; i < array_size(others); i++) {
		if (strlen(others[i]) == len && !strncmp(others[i], name, len))
			return true;
	}
	return false;
}

size_t fio_name_length(const char *s)
{
	return strcspn(s, "= \t\n");
}

struct fio_section *fio_add_section(struct fio *f, struct fio_sections *s,
				    const char *name)
{
	struct fio_section *section = fio_push(f, &s->items, &s->n, &s->cap,
					       sizeof(*section), FIO_MAX_SECTIONS);

	if (section && !str_equal(name, "global"))
		section->name = name;
	return section;
}

void fio_keep(struct fio *f, struct fio_section *s, const char *name, size_t name_len,
	      const char *value, size_t len, size_t line)
{
	int option = fio_kept_option(name, name_len);

	if (name_len == 8 && !strncmp(name, "buffered", 8) && len == 1) {
		option = FIO_OPT_DIRECT;
		value = *value == '0' ? "1" : *value == '1' ? "0" : "";
	}
	if (option < 0 || !len)
		return;
	s->options[option] = arena_strndup(f->arena, value, len);
	s->lines[option] = line;
	if (!s->options[option])
		f->error = -ENOMEM;
}

const char *fio_squeeze(struct fio *f, const char *s)
{
	char *copy = arena_strdup(f->arena, s), *to = copy;

	if (!copy) {
		f->error = -ENOMEM;
		return NULL;
	}
	for (; *s; s++) {
		if (!str_is_space(*s))
			*to++ = *s;
		else if (to > copy && to[-1] != ' ')
			*to++ = ' ';
	}
	*to = '\0';
	return copy;
}

/* ---- job files ------------------------------------------------------------------------------ */

enum jobfile_line { JOBFILE_END, JOBFILE_SECTION, JOBFILE_OPTION, JOBFILE_NOTHING };

static enum jobfile_line jobfile_line(const struct text_line *l)
{
	size_t n = fio_name_length(l->s), blanks = strspn(l->s + n, " \t");
	int option;

	if (!l->len || *l->s == ';' || *l->s == '#')
		return JOBFILE_NOTHING;
	if (fio_classify(l) == FIO_JOBFILE)
		return JOBFILE_SECTION;
	if (l->state != LINE_OPEN || !fio_is_option(l->s, n))
		return JOBFILE_END;
	if (l->s[n + blanks] == '=')
		return JOBFILE_OPTION;
	/* "stonewall", "direct": without a value, for yes */
	option = fio_kept_option(l->s, n);
	return !l->s[n + blanks] && (option < 0 || option == FIO_OPT_DIRECT)
		       ? JOBFILE_OPTION
		       : JOBFILE_END;
}

#define GAP_LINES 32u /* comments, blank lines, empty sections without an option */

/* Where the job file that starts at INDEX ends; INDEX itself when it holds no option. */
static size_t jobfile_end(const struct text *t, size_t index)
{
	size_t end = index;

	for (size_t i = index; i < t->n && i <= end + GAP_LINES; i++) {
		enum jobfile_line kind = jobfile_line(&t->lines[i]);

		if (kind == JOBFILE_END)
			break;
		if (kind == JOBFILE_OPTION || (kind == JOBFILE_SECTION && end > index))
			end = i + 1;
	}
	return end;
}

static void add_posted(struct fio *f, struct fio_section *section, const char *line)
{
	if (!section->posted)
		section->posted = fio_squeeze(f, line);
	else
		section->posted = arena_printf(f->arena, "%s %s", section->posted, line);
	if (!section->posted)
		f->error = -ENOMEM;
}

static void read_option(struct fio *f, struct fio_section *section, size_t line)
{
	const struct text_line *l = &f->text->lines[line];
	size_t n = fio_name_length(l->s);
	const char *value = l->s + n + strspn(l->s + n, " \t");

	if (l->cut) {
		fio_note(f, line, "the text ends inside fio's job file");
		return;
	}
	add_posted(f, section, l->s);
	if (*value == '=') {
		value++;
		value += strspn(value, " \t");
		fio_keep(f, section, l->s, n, value, strlen(value), line);
	} else {
		fio_keep(f, section, l->s, n, "1", 1,
			 line); /* "direct" alone is direct=1 */
	}
}

size_t fio_read_jobfile(struct fio *f, size_t index)
{
	struct fio_line l = { .kind = FIO_JOBFILE, .first = index };
	struct fio_sections *file;
	struct fio_section *section = NULL;

	l.end = jobfile_end(f->text, index);
	if (l.end == index)
		return index;
	file = fio_push(f, &f->jobfiles, &f->n_jobfiles, &f->cap_jobfiles, sizeof(*file),
			FIO_MAX_JOBFILES);
	if (!file)
		return l.end;
	file->first = index;
	for (size_t i = index; i < l.end && !f->error && !f->full; i++) {
		const struct text_line *line = &f->text->lines[i];

		if (jobfile_line(line) == JOBFILE_SECTION) {
			char *name = arena_strndup(f->arena, line->s + 1, line->len - 2);

			if (!name)
				f->error = -ENOMEM;
			else
				section = fio_add_section(f, file, name);
		} else if (jobfile_line(line) == JOBFILE_OPTION && section) {
			read_option(f, section, i);
		}
	}
	fio_claim(f, &l, LINE_READ);
	return l.end;
}

/* ---- looking options up ----------------------------------------------------------------------- */

const char *fio_option(const struct fio_sections *s, const char *title,
		       enum fio_option option, size_t *ret_line)
{
	size_t at = s->n;

	while (at && !str_equal(s->items[at - 1].name, title))
		at--;
	if (!at || !title)
		return NULL;
	/* its own value, else that of the nearest [global] above it */
	for (size_t i = at; i-- > 0;) {
		if (i + 1 != at && s->items[i].name)
			continue;
		if (!s->items[i].options[option])
			continue;
		*ret_line = s->items[i].lines[option];
		return s->items[i].options[option];
	}
	return NULL;
}

/* A size as fio reads it: k, m, g are powers of 1024, with or without "b" or "ib". */
static bool take_size(const char **s, uint64_t *ret)
{
	static const char prefixes[] = "kmgt";
	struct scan sc = { *s };
	uint64_t n;
	const char *prefix;

	if (!scan_u64(&sc, &n) || !n)
		return false;
	prefix = *sc.p ? strchr(prefixes, *sc.p | 0x20) : NULL;
	if (prefix) {
		unsigned int shift = 10u * (unsigned int)(prefix - prefixes + 1);

		if (n > UINT64_MAX >> shift)
			return false;
		n <<= shift;
		sc.p++;
	}
	sc.p += *sc.p == 'i';
	sc.p += *sc.p == 'b' || *sc.p == 'B';
	if (str_is_alpha(*sc.p))
		return false;
	*s = sc.p;
	*ret = n;
	return true;
}

bool fio_option_block(const char *value, enum fio_direction direction,
		      uint64_t *ret_least, uint64_t *ret_most)
{
	uint64_t least, most;

	/* "4k,8k,16k": reads, writes, trims; what is left out is as the one before */
	for (int i = 0; i < (int)direction && i < 2 && strchr(value, ','); i++)
		value = strchr(value, ',') + 1;
	if (!take_size(&value, &least))
		return false;
	most = least;
	if (*value == '-') {
		value++;
		if (!take_size(&value, &most))
			return false;
	}
	if ((*value && *value != ',' && *value != '/') || most < least)
		return false;
	*ret_least = least;
	*ret_most = most;
	return true;
}

static const char *common_pattern(const char *rw)
{
	return str_equal(rw, "readwrite") ? "rw" : rw;
}

/* Nothing that fio printed at the job's head speaks against this job file. */
static bool fits(const struct fio_sections *s, const char *title,
		 const struct fio_head *h)
{
	const char *rw, *bs, *engine, *depth;
	uint64_t least, most, n;
	size_t line;

	rw = fio_option(s, title, FIO_OPT_RW, &line);
	bs = fio_option(s, title, FIO_OPT_BS, &line);
	engine = fio_option(s, title, FIO_OPT_ENGINE, &line);
	depth = fio_option(s, title, FIO_OPT_DEPTH, &line);
	if (!h)
		return true;
	if (rw && h->pattern &&
	    !str_equal(common_pattern(rw), common_pattern(h->pattern)))
		return false;
	if (engine && h->engine && !str_equal(engine, h->engine))
		return false;
	if (depth && h->depth.set && (str_to_u64(depth, &n) || n != h->depth.value))
		return false;
	return !bs || !h->block[0][0].set || !h->block[0][1].set ||
	       !fio_option_block(bs, FIO_READ, &least, &most) ||
	       (least == h->block[0][0].value && most == h->block[0][1].value);
}

const struct fio_sections *fio_jobfile_of(const struct fio *f, const struct fio_job *job,
					  const struct fio_head *head)
{
	const struct fio_sections *best = NULL;

	for (size_t i = 0; i < f->n_jobfiles; i++) {
		const struct fio_sections *s = &f->jobfiles[i];
		bool has = false;

		for (size_t k = 0; k < s->n; k++)
			has |= job->title && str_equal(s->items[k].name, job->title);
		/* the last one above the run; else the first one below it */
		if (has && fits(s, job->title, head) && (!best || s->first < job->line))
			best = s;
	}
	return best;
}

bool fio_is_pattern(const char *rw)
{
	static const char *const patterns[] = {
		"read", "write",     "trim",   "randread",  "randwrite",     "randtrim",
		"rw",	"readwrite", "randrw", "trimwrite", "randtrimwrite",
	};

	for (size_t i = 0; rw && i < array_size(patterns); i++) {
		if (str_equal(patterns[i], rw))
			return true;
	}
	return false;
}
