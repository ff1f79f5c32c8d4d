/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long tasks were stalled, as the dstate monitor of mmtests sums it up:
 *
 *   Vanilla kernel 3325677 ms stalled with 57 events
 *
 * The kernel function that they waited in stands in the sentence above, if anywhere.
 */
#include <string.h>

#include "base/str.h"
#include "import/fio-scan.h"
#include "import/importers.h"

#define SECTION	    "stalled tasks"
#define MAX_LABEL   200u
#define MAX_STALLS  1000u
#define PROSE_LINES 4u

struct stall {
	const char *label;
	size_t label_len;
	uint64_t ms, events;
};

static bool is_identifier(char c)
{
	return str_is_alpha(c) || str_is_digit(c) || c == '_';
}

/* Where the number that ends before P starts; P itself when there is none. */
static const char *number_before(const char *s, const char *p)
{
	while (p > s && str_is_digit(p[-1]))
		p--;
	return p;
}

static bool take_stall(const struct text_line *l, struct stall *ret)
{
	const char *unit = strstr(l->s, " ms stalled with "), *number, *end;
	struct scan sc;

	if (!unit || l->state != LINE_OPEN)
		return false;
	number = number_before(l->s, unit);
	sc.p = number;
	if (number == unit || number == l->s || number[-1] != ' ' ||
	    !scan_u64(&sc, &ret->ms) || !scan_text(&sc, "ms stalled with") ||
	    !scan_u64(&sc, &ret->events) || *sc.p != ' ' || !scan_text(&sc, "event"))
		return false;
	end = number;
	while (end > l->s && str_is_space(end[-1]))
		end--;
	ret->label = l->s;
	ret->label_len = (size_t)(end - l->s);
	return ret->label_len > 0 && ret->label_len <= MAX_LABEL;
}

/*
 * "... is sleep_on_buffer() as a result of ext4_bread": the function before the last "as a result
 * of" of the lines above. None when the name begins a line and the line before ends in the middle
 * of a word, for then it may be the rest of a longer name.
 */
static bool find_function(const struct text *t, size_t first, struct buf *ret)
{
	struct buf prose cleanup_buf = { 0 };
	const char *s, *found = NULL, *end;
	size_t from;

	if (first && !t->lines[first - 1].len)
		first--; /* a blank line may part the sentence from the figures */
	from = first;
	while (from && first - from < PROSE_LINES && t->lines[from - 1].len &&
	       t->lines[from - 1].state == LINE_OPEN)
		from--;
	for (size_t i = from; i < first; i++) {
		const char *before = buf_text(&prose);

		/* a tab marks a joint inside a word, so that no name spans it */
		if (prose.len)
			buf_putc(&prose,
				 is_identifier(before[prose.len - 1]) ? '\t' : ' ');
		buf_puts(&prose, t->lines[i].s);
	}
	s = buf_text(&prose);
	for (const char *p = s; *p; p++) {
		struct scan sc = { p };

		if (str_is_space(*p) && scan_text(&sc, "as a result of "))
			found = p;
	}
	if (!found)
		return false;
	if (found >= s + 2 && found[-1] == ')' && found[-2] == '(')
		found -= 2;
	end = found;
	while (found > s && is_identifier(found[-1]))
		found--;
	if (found == end || !memchr(found, '_', (size_t)(end - found)) ||
	    (found > s && found[-1] == '\t'))
		return false;
	buf_add(ret, found, (size_t)(end - found));
	return true;
}

static void put_stall(struct emit *e, uint32_t i, const struct stall *stall,
		      const char *where, size_t line)
{
	struct buf label cleanup_buf = { 0 };

	buf_add(&label, stall->label, stall->label_len);
	emit_text(e, FACT_STALL_LABEL, i, 0, buf_text(&label), line);
	emit_u64(e, FACT_STALL_MS, i, 0, stall->ms, line);
	emit_u64(e, FACT_STALL_EVENTS, i, 0, stall->events, line);
	if (*where)
		emit_text(e, FACT_STALL_WHERE, i, 0, where, line);
}

static int read_stalled(struct import *im)
{
	struct text *t = im->text;
	struct emit e = { .im = im };
	struct buf where cleanup_buf = { 0 };
	size_t next = SIZE_MAX; /* a further line of the same group would stand here */
	uint32_t n = 0;
	int r;

	for (size_t i = 0; i < t->n && n < MAX_STALLS; i++) {
		struct stall stall;

		if (take_stall(&t->lines[i], &stall)) {
			if (i != next) {
				buf_clear(&where);
				(void)find_function(t, i, &where);
			}
			put_stall(&e, n++, &stall, buf_text(&where), i);
			text_claim(t, i, LINE_READ, SECTION);
			next = i + 1;
		} else if (t->lines[i].state == LINE_OPEN &&
			   strstr(t->lines[i].s, " ms stalled with ")) {
			text_claim(t, i, LINE_DAMAGED, SECTION);
			n++; /* the next one keeps its number */
		}
	}
	r = emit_done(&e, CAP_HOST, "facts/stalled");
	return r < 0 ? r : (int)n;
}

const struct importer importer_stalled = {
	.name = "stalled",
	.describe = "sums of stalled tasks from the dstate monitor of mmtests",
	.read = read_stalled,
};
