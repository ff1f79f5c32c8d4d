/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job files and command lines: sections, and what each inherits. */
#include "probe/fio-jobs.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

/* Where an option stands, for messages. */
struct place {
	struct fio_specs *s;
	struct diag *d;
	const char *file; /* NULL: the command line */
	uint64_t line;
};

void fio_specs_init(struct fio_specs *s)
{
	*s = (struct fio_specs){ 0 };
	s->global = (struct fio_spec){
		.sequential = true,
		.engine = "psync",
		.engine_class = FIO_SIMPLE,
		.block_min = 4096,
		.block_max = 4096,
		.depth = 1,
		.jobs = 1,
		.loops = 1,
		.repeatable = true,
	};
}

void fio_specs_done(struct fio_specs *s)
{
	arena_done(&s->arena);
	*s = (struct fio_specs){ 0 };
}

static struct fio_spec *add_job(struct place *p, const char *name)
{
	struct fio_specs *s = p->s;
	struct fio_spec *job;

	if (s->n >= FIO_SPECS_MAX) {
		diag_add(p->d, DIAG_ERROR, p->file, p->line, "more than %u jobs",
			 FIO_SPECS_MAX);
		return NULL;
	}
	job = arena_push(&s->arena, &s->items, &s->n, &s->cap, sizeof(*job));
	if (!job)
		return NULL;
	*job = s->global;
	job->name = name;
	return job;
}

static int complain(const struct place *p, int r, const char *name, size_t len,
		    const char *value, const char *why)
{
	struct buf option cleanup_buf = { 0 };
	char copy[128];

	(void)snprintf(copy, sizeof(copy), "%.*s", (int)(len < 100 ? len : 100), name);
	str_add_escaped(&option, copy, sizeof(copy));
	if (value) {
		buf_putc(&option, '=');
		str_add_escaped(&option, value, 100);
	}
	if (buf_error(&option) < 0)
		return -ENOMEM;
	switch (r) {
	case -EPERM:
		diag_add(p->d, DIAG_ERROR, p->file, p->line,
			 "%s would write, and drivewhy only reads%s%s: nothing was run",
			 buf_text(&option), why ? "; the same as a read: " : "",
			 why ? why : "");
		break;
	case -ENOTSUP:
		diag_add(p->d, DIAG_ERROR, p->file, p->line,
			 "%s is not done here%s%s: nothing was run", buf_text(&option),
			 why ? ", " : ", it would change what is measured",
			 why ? why : "");
		break;
	case -ENOENT:
		diag_add(p->d, DIAG_ERROR, p->file, p->line, "unknown option %s",
			 buf_text(&option));
		break;
	case -EINVAL:
		diag_add(p->d, DIAG_ERROR, p->file, p->line, "%s: not a value for it",
			 buf_text(&option));
		break;
	default:
		return r;
	}
	return -EINVAL;
}

static int set(const struct place *p, struct fio_spec *job, const char *name, size_t len,
	       const char *value)
{
	const char *why;
	int r = fio_option_set(p->s, job, name, len, value, &why);

	return r < 0 ? complain(p, r, name, len, value, why) : 0;
}

/* ---- job files ---- */

/* "[name]" */
static int read_section(struct place *p, char *s, struct fio_spec **job)
{
	size_t len = strlen(s);

	if (len < 3 || s[len - 1] != ']') {
		diag_add(p->d, DIAG_ERROR, p->file, p->line, "a section without its ']'");
		return -EINVAL;
	}
	s[len - 1] = '\0';
	if (str_equal_nocase(s + 1, "global")) {
		*job = &p->s->global;
		return 0;
	}
	*job = add_job(p, s + 1);
	return *job ? 0 : -ENOMEM;
}

static int read_line(struct place *p, char *s, struct fio_spec **job)
{
	char *equals;

	s = str_trim(s);
	if (!*s || *s == '#' || *s == ';')
		return 0;
	if (*s == '[')
		return read_section(p, s, job);
	if (!*job) {
		diag_add(p->d, DIAG_ERROR, p->file, p->line,
			 "an option above the first [section]");
		return -EINVAL;
	}
	equals = strchr(s, '=');
	if (equals)
		*equals = '\0';
	(void)str_trim(s);
	return set(p, *job, s, strlen(s), equals ? str_trim(equals + 1) : NULL);
}

int fio_specs_add_file(struct fio_specs *s, struct span text, const char *file,
		       struct diag *d)
{
	struct place p = { .s = s, .d = d, .file = file };
	char *copy, *next;
	struct fio_spec *job = NULL;
	int r = 0;

	if (text.len > FIO_JOB_FILE_BYTES || memchr(text.data, '\0', text.len)) {
		diag_add(d, DIAG_ERROR, file, 0, "not a job file of fio's");
		return -EINVAL;
	}
	copy = arena_strndup(&s->arena, (const char *)text.data, text.len);
	if (!copy)
		return -ENOMEM;
	for (char *line = copy; line && r == 0; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		p.line++;
		r = read_line(&p, line, &job);
	}
	return r;
}

/* An option of fio's with its "=", or one that stands without: on one line. */
static bool is_option_line(const char *s, size_t len)
{
	size_t name = 0;

	while (name < len &&
	       (str_is_alpha(s[name]) || str_is_digit(s[name]) || s[name] == '_'))
		name++;
	return name && fio_option_takes(s, name) >= 0 &&
	       (name == len || s[name] == '=' || str_is_space(s[name]));
}

bool fio_is_job_file(struct span text)
{
	const char *s = (const char *)text.data, *end = s + text.len;
	bool section = false;

	while (s < end) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((stop ? stop : end) - s);

		while (len && str_is_space(*s)) {
			s++;
			len--;
		}
		if (len && *s != '#' && *s != ';') {
			if (*s != '[' || section)
				return section && is_option_line(s, len);
			section = true;
		}
		s += len + 1;
	}
	return false;
}

/* ---- command lines ---- */

/* "--rw=randread" and "-rw=randread" are one; NULL for what is no option. */
static const char *word_name(const char *word, size_t *ret_len)
{
	if (*word != '-' || !word[1])
		return NULL;
	word += word[1] == '-' ? 2 : 1;
	*ret_len = strcspn(word, "=");
	return *ret_len ? word : NULL;
}

bool fio_is_word(const char *word, bool *ret_takes)
{
	size_t len;
	const char *name = word_name(word, &len);
	int takes = name ? fio_option_takes(name, len) : -1;

	/* -v and its like are the program's own */
	if (takes < 0 || (word[1] != '-' && len < 2))
		return false;
	*ret_takes = takes > 0 && !name[len];
	return true;
}

int fio_specs_add_words(struct fio_specs *s, const char *const *words, size_t n,
			bool alone, struct diag *d)
{
	struct place p = { .s = s, .d = d };
	struct fio_spec *job = &s->global;

	for (size_t i = 0; i < n; i++) {
		size_t len = 0;
		const char *name = word_name(words[i], &len), *value;
		int r;

		if (!name)
			return complain(&p, -ENOENT, words[i], strlen(words[i]), NULL,
					NULL);
		value = name[len] ? name + len + 1 : NULL;
		if (!value && fio_option_takes(name, len) == 1 && i + 1 < n)
			value = words[++i];
		if (value && len == 4 && !strncmp(name, "name", 4)) {
			job = add_job(&p, value);
			if (!job)
				return -ENOMEM;
			continue;
		}
		r = set(&p, job, name, len, value);
		if (r < 0)
			return r;
	}
	return s->n || !alone || add_job(&p, "probe") ? 0 : -ENOMEM;
}
