/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What begins a report: the command as it was typed, smartctl's first line, START OF ... lines. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define COMMAND_WORDS 32u

/* --- "smartctl 7.1 2019-12-30 r5022 [x86_64-linux-...]", "smartctl version 5.38 [...]" --------- */

static bool is_date(struct word w)
{
	static const char shape[] = "dddd-dd-dd";

	if (w.len != strlen(shape))
		return false;
	for (size_t i = 0; i < w.len; i++)
		if (shape[i] == 'd' ? !str_is_digit(w.s[i]) : w.s[i] != shape[i])
			return false;
	return true;
}

static bool is_version(struct word w)
{
	if (word_starts(w, "pre-"))
		return w.len > 4 && str_is_digit(w.s[4]);
	return w.len >= 3 && str_is_digit(w.s[0]) && memchr(w.s, '.', w.len);
}

/* Which word holds the version, 0 when the line is no banner. */
static size_t banner_version(const char *line, struct word *w)
{
	size_t n, at;

	if (!str_starts(line, "smartctl "))
		return 0;
	n = words_split(line, w, 4);
	at = n > 2 && word_is(w[1], "version") ? 2 : 1;
	if (n <= at || !is_version(w[at]))
		return 0;
	if (at == 2 || n == 2)
		return at;
	return is_date(w[2]) || w[2].s[0] == '[' || word_is(w[2], "Copyright") ? at : 0;
}

static size_t read_banner(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i);
	struct word w[4];
	size_t at = banner_version(line, w);
	struct buf tool = { 0 };

	if (!at)
		return 0;
	if (s->stage >= STAGE_BANNER)
		smart_begin_report(s, i);
	if (s->stage == STAGE_EMPTY)
		s->start = i;
	s->stage = STAGE_BANNER;
	s->section = &smart_identity;
	s->section_end = i + 1;
	if (smart_is_cut(s, i) && !line[w[at].s + w[at].len - line])
		return smart_claim(s, i, 1, LINE_DAMAGED);
	buf_puts(&tool, "smartctl ");
	buf_add(&tool, w[at].s, w[at].len);
	smart_text(s, FACT_POSTED_TOOL, buf_text(&tool), i);
	s->echoed = s->e.n;
	buf_done(&tool);
	return smart_claim(s, i, 1, LINE_READ);
}

/* --- "host:~# smartctl -x /dev/sda" --------------------------------------------------------- */

static const char *skip_back(const char *line, const char *end, const char *word)
{
	size_t n = strlen(word);

	while (end > line && end[-1] == ' ')
		end--;
	if ((size_t)(end - line) >= n && memcmp(end - n, word, n) == 0 &&
	    ((size_t)(end - line) == n || end[-(ptrdiff_t)n - 1] == ' '))
		end -= n;
	while (end > line && end[-1] == ' ')
		end--;
	return end;
}

/* The start of the command in the line, behind a prompt, or NULL. */
static const char *find_command(const char *line)
{
	const char *name = strstr(line, "smartctl"), *end = name;

	if (!name ||
	    (!str_starts(name, "smartctl ") && !str_starts(name, "smartctl.exe ")))
		return NULL;
	while (end > line && end[-1] != ' ' && !strchr("#$>%", end[-1]))
		end--;
	/* a path before the name */
	if (end != name && name[-1] != '/' && name[-1] != '\\')
		return NULL;
	end = skip_back(line, end, "sudo");
	end = skip_back(line, end, "time");
	if (end > line && !strchr("#$>%", end[-1]))
		return NULL;
	return name;
}

static bool is_option(struct word w)
{
	if (w.len < 2 || w.s[0] != '-')
		return false;
	for (size_t i = 1; i < w.len; i++)
		if (!str_is_alpha(w.s[i]) && !str_is_digit(w.s[i]) &&
		    !strchr("-,=+_/:", w.s[i]))
			return false;
	return str_is_alpha(w.s[w.len - 1]) || str_is_digit(w.s[w.len - 1]);
}

static bool takes_argument(struct word w)
{
	return w.len == 2 && strchr("dlvTtsPnqfFBbroSgR", w.s[1]);
}

static bool is_device(struct word w)
{
	return word_starts(w, "/") || word_starts(w, "sd") || word_starts(w, "hd") ||
	       word_starts(w, "nvme") || word_starts(w, "pd") || word_starts(w, "ada");
}

struct command {
	struct word device, type;
	const char *end;
};

/* Only words that a command line has: "smartctl -x says ..." is a sentence. */
static bool parse_command(const char *command, struct command *ret)
{
	struct word w[COMMAND_WORDS];
	size_t n = words_split(command, w, COMMAND_WORDS);
	bool any = false;

	*ret = (struct command){ .end = command + w[0].len };
	for (size_t i = 1; i < n; i++) {
		if (strchr("#|>&;<(", w[i].s[0]) || word_starts(w[i], "2>"))
			break;
		if (is_option(w[i])) {
			any = true;
			if (takes_argument(w[i]) && i + 1 < n) {
				i++;
				if (word_is(w[i - 1], "-d"))
					ret->type = w[i];
			}
		} else if (is_device(w[i]) && !ret->device.s) {
			ret->device = w[i];
		} else {
			return false;
		}
		ret->end = w[i].s + w[i].len;
	}
	return any || (ret->device.s && ret->device.s[0] == '/');
}

/* Drives behind one controller share its name: what tells them apart goes with it. */
static void emit_device(struct smart *s, const struct command *c, size_t i)
{
	struct buf name = { 0 };
	struct word w = c->device;

	if (!w.s)
		return;
	if (word_starts(w, "/dev/")) {
		w.s += 5;
		w.len -= 5;
	}
	buf_add(&name, w.s, w.len);
	if (c->type.s && memchr(c->type.s, ',', c->type.len)) {
		buf_puts(&name, " [");
		buf_add(&name, c->type.s, c->type.len);
		buf_putc(&name, ']');
	}
	smart_text(s, FACT_DEVICE, buf_text(&name), i);
	buf_done(&name);
}

static size_t read_command(struct smart *s, size_t i)
{
	const char *command = find_command(smart_line(s, i));
	struct command c;

	if (!command || !parse_command(command, &c))
		return 0;
	if (s->stage >= STAGE_COMMAND)
		smart_begin_report(s, i);
	s->start = i;
	s->stage = STAGE_COMMAND;
	if (smart_is_cut(s, i))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	smart_text_len(s, FACT_POSTED_COMMAND, command, (size_t)(c.end - command), i);
	emit_device(s, &c, i);
	s->echoed = s->e.n;
	return smart_claim(s, i, 1, LINE_READ);
}

/* --- "sdb:" as people write it above a table ---------------------------------------------------- */

static bool get_label(const char *line, struct word *ret)
{
	struct word w[2];

	if (words_split(line, w, 2) != 1 || w[0].len < 4 || w[0].s[w[0].len - 1] != ':')
		return false;
	w[0].len--;
	if (word_starts(w[0], "/dev/")) {
		w[0].s += 5;
		w[0].len -= 5;
	}
	if (w[0].len < 3 || w[0].len > 5 ||
	    (!word_starts(w[0], "sd") && !word_starts(w[0], "hd")))
		return false;
	for (size_t i = 2; i < w[0].len; i++)
		if (w[0].s[i] < 'a' || w[0].s[i] > 'z')
			return false;
	*ret = w[0];
	return true;
}

/* Only right above something that begins a report or a section. */
static size_t read_label(struct smart *s, size_t i)
{
	struct word name;
	size_t next = i + 1;

	if (!get_label(smart_line(s, i), &name))
		return 0;
	if (!*smart_line(s, next))
		next++;
	if (!*smart_line(s, next) || !smart_is_fresh(s, next))
		return 0;
	smart_begin_report(s, i);
	s->stage = STAGE_COMMAND;
	smart_text_len(s, FACT_DEVICE, name.s, name.len, i);
	s->echoed = s->e.n;
	return smart_claim(s, i, 1, LINE_READ);
}

/* --- "=== START OF READ SMART DATA SECTION ===" ----------------------------------------------- */

static size_t read_start(struct smart *s, size_t i)
{
	const char *what = words_after(smart_line(s, i), "=== START OF ");

	if (!what)
		return 0;
	if (str_starts(what, "INFORMATION")) {
		if (s->stage >= STAGE_IDENTITY)
			smart_begin_report(s, i);
		smart_enter(s, &smart_identity, i);
		s->section_end = i + 1;
		s->stage = STAGE_IDENTITY;
		return smart_claim(s, i, 1, LINE_KNOWN);
	}
	s->section = NULL;
	s->stage = STAGE_DATA;
	if (str_starts(what, "SMART DATA"))
		smart_set_kind(s, SMART_NVME, i);
	return smart_claim(s, i, 1, LINE_KNOWN);
}

size_t smart_head(struct smart *s, size_t i)
{
	size_t n = read_start(s, i);

	if (!n)
		n = read_banner(s, i);
	if (!n)
		n = read_command(s, i);
	return n ? n : read_label(s, i);
}

bool smart_is_head(const char *line)
{
	struct word w[4];
	struct command c;
	const char *command;
	struct word name;

	if (get_label(line, &name))
		return true;
	if (words_after(line, "=== START OF ") || banner_version(line, w))
		return true;
	command = find_command(line);
	return command && parse_command(command, &c);
}
