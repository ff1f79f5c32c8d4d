/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's command lines as people post them. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

/* "-rw=read", "--name" */
static bool starts_with_option(const char *s)
{
	if (*s != '-')
		return false;
	s += s[1] == '-' ? 2 : 1;
	return fio_is_option(s, fio_name_length(s));
}

static const char *next_word(const char *s, size_t *ret_len)
{
	s += strspn(s, " \t");
	*ret_len = strcspn(s, " \t");
	return s;
}

static bool is_fio_word(const char *s, size_t len)
{
	return (len == 3 && !strncmp(s, "fio", 3)) ||
	       (len > 4 && !strncmp(s + len - 4, "/fio", 4));
}

/* A word that may stand before the program: the end of a prompt, a wrapper, a variable. */
static bool is_before_program(const char *s, size_t len)
{
	static const char *const wrappers[] = { "sudo",	   "time", "nice",    "ionice",
						"taskset", "exec", "numactl", "env" };

	if (strchr("#$%>:", s[len - 1]) || *s == '-' || str_is_digit(*s) ||
	    memchr(s, '=', len))
		return true;
	for (size_t i = 0; i < array_size(wrappers); i++) {
		if (strlen(wrappers[i]) == len && !strncmp(wrappers[i], s, len))
			return true;
	}
	return false;
}

static bool is_jobfile_name(const char *s, size_t len)
{
	static const char *const ends[] = { ".fio", ".job", ".ini", ".cfg", ".jobfile" };

	for (size_t i = 0; i < array_size(ends); i++) {
		size_t n = strlen(ends[i]);

		for (size_t at = 1; at + n <= len; at++) {
			if (!strncmp(s + at, ends[i], n))
				return true;
		}
	}
	/* a path without such an end must be the last word, or prose would do */
	return len > 2 && (*s == '/' || !strncmp(s, "./", 2)) &&
	       (!s[len] || strchr("-#|>", s[len + strspn(s + len, " ")]));
}

bool fio_is_command(const char *s, const char **ret_program, const char **ret_options)
{
	const char *program = NULL;
	bool prompt = true; /* its last word ends in "#": "[root@host ~]# fio" */
	size_t len;

	s = next_word(s, &len);
	for (int i = 0; i < 8 && len && !program; i++) {
		if (is_fio_word(s, len))
			program = s;
		else
			prompt = is_before_program(s, len);
		s = next_word(s + len, &len);
	}
	if (!program || !prompt || !len ||
	    (!starts_with_option(s) && !is_jobfile_name(s, len)))
		return false;
	*ret_program = program;
	*ret_options = s;
	return true;
}

/*
 * Append the lines that the command goes on in. Where a wrapped line was joined and the word at
 * the joint cannot be told for sure, a newline stands between the two halves.
 */
static size_t gather_command(struct fio *f, size_t index, struct buf *b)
{
	const struct text_line *lines = f->text->lines;
	size_t i = index + 1;

	for (; i < f->text->n && i < index + 16; i++) {
		bool backslash = b->len && b->data[b->len - 1] == '\\';

		if (fio_classify(&lines[i]) != FIO_OTHER)
			break;
		if (backslash) {
			b->data[b->len - 1] = ' ';
		} else if (starts_with_option(lines[i].s)) {
			/* "... -" and "-bs=4k" were one word */
			if (!str_ends(buf_text(b), " -"))
				buf_putc(b, ' ');
		} else if (fio_width(&lines[i - 1]) >= FIO_WRAP_WIDTH) {
			buf_putc(b, '\n');
		} else {
			break;
		}
		buf_puts(b, lines[i].s);
	}
	return i;
}

static bool ends_command(const char *word, size_t len)
{
	static const char *const ends[] = { "#", "|", ">", ">>", "&&", "||", ";", "&" };

	for (size_t i = 0; i < array_size(ends); i++) {
		if (strlen(ends[i]) == len && !strncmp(ends[i], word, len))
			return true;
	}
	return len > 3 && !strncmp(word, "2>&", 3);
}

/* One word; a quoted part may hold blanks. The quotes at the value's ends are cut off. */
static const char *take_word(const char *s, size_t *ret_len)
{
	char quote = 0;
	const char *p;

	s += strspn(s, " \t");
	for (p = s; *p && (quote || (*p != ' ' && *p != '\t')); p++) {
		if (quote && *p == quote)
			quote = 0;
		else if (!quote && (*p == '"' || *p == '\''))
			quote = *p;
	}
	*ret_len = (size_t)(p - s);
	return s;
}

static void unquote(const char **value, size_t *len)
{
	if (*len >= 2 && strchr("\"'", (*value)[0]) &&
	    (*value)[*len - 1] == (*value)[0]) {
		(*value)++;
		*len -= 2;
	}
}

/* Options of one command: "--rw=read", "-rw read". The last word is left when OPEN. */
static void parse_command(struct fio *f, struct fio_sections *to, const char *s,
			  size_t line, bool open)
{
	struct fio_section *section = fio_add_section(f, to, "global");
	size_t len, value_len;

	for (s = take_word(s, &len); len && section; s = take_word(s + len, &len)) {
		const char *name = s, *value;
		size_t n;

		if (ends_command(s, len))
			return;
		if (*s != '-')
			continue;
		name += s[1] == '-' ? 2 : 1;
		n = fio_name_length(name);
		value = name + n + 1;
		value_len = n + 1 < len ? (size_t)(s + len - value) : 0;
		if (name + n == s + len && fio_is_option(name, n) &&
		    (fio_kept_option(name, n) >= 0 || !strncmp(name, "name", n))) {
			value = take_word(s + len, &value_len);
			if (*value == '-')
				value_len = 0;
			else
				len = (size_t)(value + value_len - s);
		} else if (name + n >= s + len) {
			value_len = 0;
		}
		if (memchr(s, '\n', len) || (open && !s[len]))
			continue;
		unquote(&value, &value_len);
		if (n == 4 && !strncmp(name, "name", 4)) {
			char *title = arena_strndup(f->arena, value, value_len);

			section = title ? fio_add_section(f, to, title) : NULL;
			if (!title)
				f->error = -ENOMEM;
		} else {
			fio_keep(f, section, name, n, value, value_len, line);
		}
	}
}

size_t fio_read_command(struct fio *f, size_t index)
{
	struct fio_line l = { .kind = FIO_COMMAND, .first = index };
	struct fio_batch *batch = fio_new_batch(f, index);
	struct buf b cleanup_buf = { 0 };
	const char *program, *options, *text;

	buf_puts(&b, f->text->lines[index].s);
	l.end = gather_command(f, index, &b);
	l.open = f->text->lines[l.end - 1].cut;
	text = buf_text(&b);
	if (buf_error(&b))
		f->error = -ENOMEM;
	if (!batch || f->error || !fio_is_command(text, &program, &options))
		return l.end;
	parse_command(f, &batch->command, options, index, l.open);
	if (!l.open && !strchr(text, '\n')) {
		batch->command_text = fio_squeeze(f, program);
	} else {
		fio_note(f, index,
			 "fio's command line is cut or wrapped inside a word: "
			 "options at the joints are left out");
	}
	fio_claim(f, &l, LINE_READ);
	return l.end;
}
