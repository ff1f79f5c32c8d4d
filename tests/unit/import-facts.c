/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import-facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

static void add_item(struct buf *to, struct span body)
{
	const char *p = (const char *)body.data, *end = p + body.len;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p)), *at = stop;

		/* " @LINE" stands at the end of a line that has a place */
		while (at > p && *at != '@' && *at != '"')
			at--;
		buf_add(to, p, (size_t)((*at == '@' ? at - 1 : stop) - p));
		buf_putc(to, '\n');
		p = stop + 1;
	}
}

void imported_read(struct imported *f, const char *text, size_t len)
{
	*f = (struct imported){ 0 };
	f->r = import_read(span_of(text, len), "posted.txt", &f->c, &f->d, &f->st);
	buf_putc(&f->facts, '\n');
	for (size_t i = 0; i < f->c.n_subjects; i++) {
		struct cap_subject *s = &f->c.subjects[i];

		for (size_t k = 0; k < s->n_snapshots; k++)
			for (size_t m = 0; m < s->snapshots[k].n_items; m++)
				add_item(&f->facts, s->snapshots[k].items[m].body);
	}
}

char *imported_load(const char *name, size_t *ret_len)
{
	struct buf b = { 0 };
	char file[256], path[FILES_PATH];

	(void)snprintf(file, sizeof(file), "tests/import/%s", name);
	assert_true(files_read(files_source(file, path), &b));
	*ret_len = b.len;
	return b.data;
}

void imported_read_file(struct imported *f, const char *name)
{
	size_t len;
	char *bytes = imported_load(name, &len);

	imported_read(f, bytes, len);
	free(bytes);
}

void imported_done(struct imported *f)
{
	capture_done(&f->c);
	diag_done(&f->d);
	buf_done(&f->facts);
}

static const char *find_line(const struct imported *f, const char *start)
{
	size_t n = strlen(start);

	for (const char *p = buf_text(&f->facts); p; p = strchr(p + 1, '\n'))
		if (strncmp(p + 1, start, n) == 0)
			return p + 1;
	return NULL;
}

bool imported_has(const struct imported *f, const char *line)
{
	size_t n = strlen(line);

	for (const char *p = buf_text(&f->facts); p; p = strchr(p + 1, '\n'))
		if (strncmp(p + 1, line, n) == 0 && p[1 + n] == '\n')
			return true;
	return false;
}

bool imported_has_start(const struct imported *f, const char *start)
{
	return find_line(f, start) != NULL;
}

void imported_assert(const struct imported *f, const char *const *want)
{
	for (; *want; want++) {
		if (**want == '!' && imported_has_start(f, *want + 1))
			fail_msg("unwanted %s in%s", *want + 1, buf_text(&f->facts));
		if (**want != '!' && !imported_has(f, *want))
			fail_msg("missing %s in%s", *want, buf_text(&f->facts));
	}
}

void imported_assert_note(const struct imported *f, const char *part)
{
	for (size_t i = 0; i < f->d.n; i++)
		if (strstr(f->d.items[i].text, part))
			return;
	fail_msg("no message with \"%s\"", part);
}

size_t imported_assert_within(const struct imported *whole,
			      const struct imported *variant, const char *what,
			      bool numbers)
{
	const char *p = buf_text(&variant->facts) + 1;
	size_t n = 0;

	for (; *p; p = strchr(p, '\n') + 1, n++) {
		char line[8192];

		(void)snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		if (numbers && strstr(line, "=\""))
			continue;
		if (!imported_has(whole, line))
			fail_msg("%s: %s is not in the whole text", what, line);
	}
	return n;
}
