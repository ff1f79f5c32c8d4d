/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each option of fio's is for us: used, harmless, or a reason not to run. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "probe/fio-jobs.h"

#define COUNT_MAX 1000000000u

struct set {
	struct fio_specs *specs;
	struct fio_spec *job;
	const char *value, *why;
	size_t offset; /* of the field in the job */
};

static void *field(const struct set *s)
{
	return (char *)s->job + s->offset;
}

/* ---- kinds of values ---- */

static int set_text(struct set *s)
{
	const char *copy = arena_strdup(&s->specs->arena, s->value);

	if (!copy)
		return -ENOMEM;
	memcpy(field(s), &copy, sizeof(copy));
	return 0;
}

/* "direct", "direct=1", "direct=0" */
static int set_flag(struct set *s)
{
	bool on = !s->value || str_equal(s->value, "1");

	if (s->value && !on && !str_equal(s->value, "0"))
		return -EINVAL;
	memcpy(field(s), &on, sizeof(on));
	return 0;
}

static int set_count(struct set *s)
{
	uint64_t n;

	if (str_to_u64(s->value, &n) < 0 || n > COUNT_MAX)
		return -EINVAL;
	memcpy(field(s), &n, sizeof(n));
	return 0;
}

/*
 * kb_base=1024, the default: k, kb and ki are 1024. Only the full kib is the other one, 1000, so
 * that old scripts keep their meaning.
 */
static bool size_unit(const char *unit, uint64_t *ret)
{
	static const char powers[] = "kmgtp";
	const char *at;
	char c = *unit ? (char)(*unit | 0x20) : '\0';
	uint64_t factor = 1, base;

	if (!c || str_equal_nocase(unit, "b")) {
		*ret = 1;
		return true;
	}
	at = memchr(powers, c, sizeof(powers) - 1);
	if (!at)
		return false;
	unit++;
	base = str_equal_nocase(unit, "ib") ? 1000 : 1024;
	for (const char *p = powers; p <= at; p++)
		factor *= base;
	*ret = factor;
	return !*unit || str_equal_nocase(unit, "b") || str_equal_nocase(unit, "i") ||
	       base == 1000;
}

static bool take_size(const char *text, uint64_t *ret)
{
	uint64_t n, unit;
	bool hex = str_starts(text, "0x");

	if (hex)
		text += 2;
	if (str_take_u64(&text, hex ? 16 : 10, &n) < 0 || !size_unit(text, &unit))
		return false;
	if (n > INT64_MAX / unit)
		return false;
	*ret = n * unit;
	return true;
}

static int set_size(struct set *s)
{
	struct fio_size size = { .set = true };
	const char *p = s->value;

	if (str_ends(p, "%")) {
		size.percent = true;
		if (str_take_u64(&p, 10, &size.value) < 0 || !str_equal(p, "%") ||
		    size.value > 100)
			return -EINVAL;
	} else if (!take_size(p, &size.value)) {
		return -EINVAL;
	}
	memcpy(field(s), &size, sizeof(size));
	return 0;
}

/* "4k"; "4k,8k,4k" is for reads, writes and trims. */
static int set_block(struct set *s)
{
	const char *end = s->value + strcspn(s->value, ",");
	char *first = arena_strndup(&s->specs->arena, s->value, (size_t)(end - s->value));
	uint64_t size;

	if (!first)
		return -ENOMEM;
	if (!take_size(first, &size) || !size)
		return -EINVAL;
	s->job->block_min = s->job->block_max = size;
	return 0;
}

/* "2k-16k" */
static int set_range(struct set *s)
{
	const char *end = s->value + strcspn(s->value, ",");
	char *low = arena_strndup(&s->specs->arena, s->value, (size_t)(end - s->value));
	char *high = low ? strpbrk(low, "-:") : NULL;
	uint64_t from, to;

	if (!low)
		return -ENOMEM;
	if (!high)
		return -EINVAL;
	*high++ = '\0';
	if (!take_size(low, &from) || !take_size(high, &to) || !from || to < from)
		return -EINVAL;
	s->job->block_min = from;
	s->job->block_max = to;
	return 0;
}

static int set_align(struct set *s)
{
	uint64_t size;

	if (!take_size(s->value, &size) || !size)
		return -EINVAL;
	memcpy(field(s), &size, sizeof(size));
	return 0;
}

/* Seconds unless it says otherwise; kept in microseconds. */
static int set_time(struct set *s)
{
	static const struct {
		const char *unit;
		uint64_t us;
	} units[] = {
		{ "", 1000000 },      { "us", 1 },	 { "usec", 1 },
		{ "ms", 1000 },	      { "msec", 1000 },	 { "s", 1000000 },
		{ "sec", 1000000 },   { "m", 60000000 }, { "h", 3600000000 },
		{ "d", 86400000000 },
	};
	const char *p = s->value;
	uint64_t n;

	if (str_take_u64(&p, 10, &n) < 0)
		return -EINVAL;
	for (size_t i = 0; i < array_size(units); i++) {
		if (!str_equal_nocase(p, units[i].unit) ||
		    n > UINT64_C(100) * 86400000000 / units[i].us)
			continue;
		n *= units[i].us;
		memcpy(field(s), &n, sizeof(n));
		return 0;
	}
	return -EINVAL;
}

static int set_pattern(struct set *s)
{
	static const char *const writing[] = {
		"write", "randwrite", "rw",	   "readwrite",	   "randrw",
		"trim",	 "randtrim",  "trimwrite", "randtrimwrite"
	};
	const char *end = s->value + strcspn(s->value, ":");

	for (size_t i = 0; i < array_size(writing); i++)
		if (strlen(writing[i]) == (size_t)(end - s->value) &&
		    str_starts(s->value, writing[i])) {
			s->why = str_starts(writing[i], "rand") ? "rw=randread"
								: "rw=read";
			return -EPERM;
		}
	if (*end) {
		s->why = "reads with gaps between them are not made here";
		return -ENOTSUP;
	}
	if (!str_equal(s->value, "read") && !str_equal(s->value, "randread"))
		return -EINVAL;
	s->job->sequential = str_equal(s->value, "read");
	return 0;
}

static int set_engine(struct set *s)
{
	static const struct {
		const char *name;
		enum fio_engine_class engine_class;
	} engines[] = {
		{ "libaio", FIO_QUEUED },   { "io_uring", FIO_QUEUED },
		{ "posixaio", FIO_QUEUED }, { "io_uring_cmd", FIO_QUEUED },
		{ "psync", FIO_SIMPLE },    { "sync", FIO_SIMPLE },
		{ "pvsync", FIO_SIMPLE },   { "pvsync2", FIO_SIMPLE },
		{ "vsync", FIO_SIMPLE },
	};

	for (size_t i = 0; i < array_size(engines); i++) {
		if (!str_equal(engines[i].name, s->value))
			continue;
		s->job->engine = engines[i].name;
		s->job->engine_class = engines[i].engine_class;
		return 0;
	}
	s->why =
		"an engine that reads files is needed: libaio, io_uring, psync, sync ...";
	return -ENOTSUP;
}

static int set_buffered(struct set *s)
{
	int r = set_flag(s);

	if (r == 0)
		s->job->direct = !s->job->direct;
	return r;
}

static int set_filename(struct set *s)
{
	if (strchr(s->value, ':')) {
		s->why = "give each file a job of its own";
		return -ENOTSUP;
	}
	return set_text(s);
}

/* Anything but a write. */
static int set_errors(struct set *s)
{
	s->job->go_on = !s->value || str_equal(s->value, "read") ||
			str_equal(s->value, "io") || str_equal(s->value, "all") ||
			str_equal(s->value, "1");
	return 0;
}

static int set_number(struct set *s)
{
	return take_size(s->value, &s->job->most_ios) ? 0 : -EINVAL;
}

/* ---- and what else there is ---- */

static int writes(struct set *s)
{
	s->why = NULL;
	return !s->value || !str_equal(s->value, "0") ? -EPERM : 0;
}

static int changes(struct set *s)
{
	return !s->value || !str_equal(s->value, "0") ? -ENOTSUP : 0;
}

static int nothing(struct set *s)
{
	(void)s;
	return 0;
}

#define FIELD(name) offsetof(struct fio_spec, name)

/* clang-format off */
static const struct option {
	const char *name;
	int (*set)(struct set *s);
	size_t offset;
	bool no_value; /* may stand without one */
} options[] = {
	/* used */
	{ "rw",                 set_pattern,  0, false },
	{ "readwrite",          set_pattern,  0, false },
	{ "bs",                 set_block,    0, false },
	{ "blocksize",          set_block,    0, false },
	{ "bsrange",            set_range,    0, false },
	{ "blocksize_range",    set_range,    0, false },
	{ "ba",                 set_align,    FIELD(block_align), false },
	{ "blockalign",         set_align,    FIELD(block_align), false },
	{ "iodepth",            set_count,    FIELD(depth), false },
	{ "numjobs",            set_count,    FIELD(jobs), false },
	{ "size",               set_size,     FIELD(size), false },
	{ "filesize",           set_size,     FIELD(size), false },
	{ "offset",             set_size,     FIELD(offset), false },
	{ "io_size",            set_size,     FIELD(io_size), false },
	{ "io_limit",           set_size,     FIELD(io_size), false },
	{ "runtime",            set_time,     FIELD(runtime_us), false },
	{ "timeout",            set_time,     FIELD(runtime_us), false },
	{ "startdelay",         set_time,     FIELD(delay_us), false },
	{ "time_based",         set_flag,     FIELD(time_based), true },
	{ "direct",             set_flag,     FIELD(direct), true },
	{ "buffered",           set_buffered, FIELD(direct), true },
	{ "ioengine",           set_engine,   0, false },
	{ "filename",           set_filename, FIELD(filename), false },
	{ "name",               set_text,     FIELD(name), false },
	{ "stonewall",          set_flag,     FIELD(alone), true },
	{ "wait_for_previous",  set_flag,     FIELD(alone), true },
	{ "new_group",          set_flag,     FIELD(new_group), true },
	{ "group_reporting",    set_flag,     FIELD(grouped), true },
	{ "randrepeat",         set_flag,     FIELD(repeatable), true },
	{ "randseed",           set_count,    FIELD(seed), false },
	{ "number_ios",         set_number,   0, false },
	{ "continue_on_error",  set_errors,   0, true },
	{ "loops",              set_count,    FIELD(loops), false },
	/* of no matter for reads, or always so here */
	{ "readonly",           nothing,      0, true },
	{ "thread",             nothing,      0, true },
	{ "norandommap",        nothing,      0, true },
	{ "softrandommap",      nothing,      0, true },
	{ "random_generator",   nothing,      0, false },
	{ "invalidate",         nothing,      0, true },
	{ "exitall",            nothing,      0, true },
	{ "gtod_reduce",        nothing,      0, true },
	{ "clocksource",        nothing,      0, false },
	{ "disable_lat",        nothing,      0, true },
	{ "disable_clat",       nothing,      0, true },
	{ "disable_slat",       nothing,      0, true },
	{ "percentile_list",    nothing,      0, false },
	{ "clat_percentiles",   nothing,      0, true },
	{ "lat_percentiles",    nothing,      0, true },
	{ "bwavgtime",          nothing,      0, false },
	{ "iopsavgtime",        nothing,      0, false },
	{ "description",        nothing,      0, false },
	{ "fallocate",          nothing,      0, false },
	{ "fadvise_hint",       nothing,      0, true },
	{ "refill_buffers",     nothing,      0, true },
	{ "scramble_buffers",   nothing,      0, true },
	{ "allow_mounted_write", nothing,     0, true },
	{ "end_fsync",          nothing,      0, true },
	{ "fsync_on_close",     nothing,      0, true },
	{ "hipri",              nothing,      0, true },
	{ "fixedbufs",          nothing,      0, true },
	{ "registerfiles",      nothing,      0, true },
	{ "sqthread_poll",      nothing,      0, true },
	{ "userspace_reap",     nothing,      0, true },
	{ "mem",                nothing,      0, false },
	{ "iomem",              nothing,      0, false },
	{ "iodepth_batch",      nothing,      0, false },
	{ "iodepth_batch_submit", nothing,    0, false },
	{ "iodepth_batch_complete", nothing,  0, false },
	{ "iodepth_batch_complete_min", nothing, 0, false },
	{ "iodepth_batch_complete_max", nothing, 0, false },
	{ "iodepth_low",        nothing,      0, false },
	{ "eta",                nothing,      0, false },
	{ "eta-newline",        nothing,      0, false },
	{ "max-jobs",           nothing,      0, false },
	{ "status-interval",    nothing,      0, false },
	{ "rwmixread",          nothing,      0, false },
	{ "rwmixwrite",         nothing,      0, false },
	/* would write */
	{ "overwrite",          writes,       0, true },
	{ "verify",             writes,       0, false },
	{ "do_verify",          nothing,      0, true },
	{ "unlink",             writes,       0, true },
	{ "create_only",        writes,       0, true },
	{ "write_bw_log",       writes,       0, true },
	{ "write_lat_log",      writes,       0, true },
	{ "write_iops_log",     writes,       0, true },
	{ "write_hist_log",     writes,       0, true },
	{ "exec_prerun",        writes,       0, false },
	{ "exec_postrun",       writes,       0, false },
	/* would change what is measured */
	{ "bssplit",            changes,      0, false },
	{ "bs_is_seq_rand",     changes,      0, true },
	{ "thinktime",          changes,      0, false },
	{ "rate",               changes,      0, false },
	{ "rate_iops",          changes,      0, false },
	{ "rate_min",           changes,      0, false },
	{ "ramp_time",          changes,      0, false },
	{ "random_distribution", changes,     0, false },
	{ "percentage_random",  changes,      0, false },
	{ "zonemode",           changes,      0, false },
	{ "zonesize",           changes,      0, false },
	{ "nrfiles",            changes,      0, false },
	{ "directory",          changes,      0, false },
	{ "opendir",            changes,      0, false },
	{ "latency_target",     changes,      0, false },
	{ "kb_base",            changes,      0, false },
	{ "steadystate",        changes,      0, false },
	{ "cpus_allowed",       nothing,      0, false },
	{ "client",             changes,      0, false },
	{ "server",             changes,      0, false },
};
/* clang-format on */

/* The option of this name, or the only one with this beginning, as fio's getopt takes it. */
static const struct option *find(const char *name, size_t len)
{
	const struct option *found = NULL;

	for (size_t i = 0; i < array_size(options); i++) {
		if (strncmp(options[i].name, name, len) != 0)
			continue;
		if (!options[i].name[len])
			return &options[i];
		if (found)
			return NULL;
		found = &options[i];
	}
	return len >= 4 ? found : NULL;
}

int fio_option_takes(const char *name, size_t len)
{
	const struct option *o = find(name, len);

	return !o ? -1 : o->no_value ? 0 : 1;
}

int fio_option_set(struct fio_specs *specs, struct fio_spec *job, const char *name,
		   size_t len, const char *value, const char **ret_why)
{
	const struct option *o = find(name, len);
	struct set s = { .specs = specs, .job = job, .value = value };
	int r;

	*ret_why = NULL;
	if (!o)
		return -ENOENT;
	if (!value && !o->no_value)
		return -EINVAL;
	s.offset = o->offset;
	r = o->set(&s);
	*ret_why = s.why;
	return r;
}
