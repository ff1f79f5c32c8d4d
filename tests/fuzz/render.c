/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any facts and any strings, as every format writes them. The input is lines: "NAME=VALUE" is a
 * fact of the drive, "host:NAME=VALUE" one of the host, every other line a string of a finding.
 * What comes out must be printable, and the JSON must be JSON.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "render/render.h"

#define LINES_MAX 2000u

struct made {
	struct case_file the_case;
	struct report report;
	struct diag diag;
	struct drive_report *drive;
	struct drive *facts;
	struct finding *finding;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void begin(struct made *m)
{
	uint32_t snapshot;
	struct report *r = &m->report;

	r->the_case = &m->the_case;
	m->facts = case_add_drive(&m->the_case);
	require(m->facts != NULL);
	for (int i = 0; i < 2; i++)
		require(drive_add_snapshot(&m->the_case, m->facts,
					   (struct snapshot){ .role = ROLE_IMPORT },
					   &snapshot) == 0);
	m->drive = arena_push(&r->arena, &r->drives, &r->n_drives, &r->cap_drives,
			      sizeof(*m->drive));
	require(m->drive != NULL);
	m->drive->drive = m->facts;
	m->finding = arena_push(&r->arena, &m->drive->findings, &m->drive->n_findings,
				&m->drive->cap_findings, sizeof(*m->finding));
	require(m->finding != NULL);
}

static void add_fact(struct made *m, struct drive *d, const char *line, size_t len,
		     uint32_t n)
{
	struct fact f = { .trust = TRUST_TEXT, .snapshot = n % 2 };

	if (fact_parse_line(&m->the_case.arena, line, len, &f) == 0)
		require(drive_add_fact(&m->the_case, d, f) == 0);
}

static void add_string(struct made *m, const char *text, uint32_t n)
{
	struct arena *a = &m->report.arena;
	struct evidence_list *list = n % 2 ? &m->finding->evidence : &m->finding->against;
	struct evidence *e =
		arena_push(a, &list->items, &list->n, &list->cap, sizeof(*e));
	struct phy_page *p = &m->drive->phy;
	struct phy_counter *c = arena_push(a, &p->counters, &p->n, &p->cap, sizeof(*c));

	require(e && c);
	*e = (struct evidence){ .text = text, .source = text };
	*c = (struct phy_counter){ .id = n,
				   .name = text,
				   .trust = (enum phy_trust)(n % 6),
				   .reason = n % 3 ? text : NULL,
				   .is_error = n % 2,
				   .value = n };
	m->finding->headline = text;
	m->finding->where = text;
	diag_add(&m->diag, DIAG_NOTE, text, n, "%s", text);
}

static void take_line(struct made *m, const char *line, size_t len, uint32_t n)
{
	char *copy = arena_strndup(&m->report.arena, line, len);
	const char *of_host;

	require(copy != NULL);
	of_host = str_after(copy, "host:");
	if (of_host)
		add_fact(m, &m->the_case.host, of_host, strlen(of_host), n);
	else if (strchr(copy, '='))
		add_fact(m, m->facts, copy, strlen(copy), n);
	else
		add_string(m, copy, n);
}

static void take_lines(struct made *m, const char *text, size_t len)
{
	for (uint32_t n = 0; len && n < LINES_MAX; n++) {
		const char *end = memchr(text, '\n', len);
		size_t line = end ? (size_t)(end - text) : len;

		take_line(m, text, line, n);
		line += end != NULL;
		text += line;
		len -= line;
	}
	case_seal(&m->the_case);
}

/* Line feeds and printable UTF-8 only: escaping it once more doubles backslashes and no more. */
static void check_printable(const struct buf *b)
{
	struct buf escaped cleanup_buf = { 0 };
	size_t backslashes = 0, line_feeds = 0;

	for (size_t i = 0; i < b->len; i++) {
		backslashes += b->data[i] == '\\';
		line_feeds += b->data[i] == '\n';
	}
	require(strlen(buf_text(b)) == b->len);
	str_add_escaped(&escaped, buf_text(b), b->len);
	require(escaped.len == b->len + backslashes + 3 * line_feeds);
}

static void check_json(const struct buf *b)
{
	struct json_object *o = json_tokener_parse(buf_text(b));

	require(o != NULL);
	json_object_put(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made m = { .drive = NULL };

	begin(&m);
	take_lines(&m, (const char *)data, size);
	for (size_t k = 0; renderers[k]; k++) {
		struct render_options o = { .columns = size ? data[0] : 80,
					    .verbose = size % 2 };
		struct buf b = { 0 };

		require(renderers[k]->write(&m.report, &m.diag, &o, &b) == 0);
		check_printable(&b);
		if (str_equal(renderers[k]->name, "json"))
			check_json(&b);
		buf_done(&b);
	}
	report_done(&m.report);
	case_done(&m.the_case);
	diag_done(&m.diag);
	return 0;
}
