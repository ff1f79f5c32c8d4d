/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the host told of itself ("host/..."): options, suspends, tasks that wait for a disk. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"

#define MAX_TASKS 64u

struct host_text {
	struct decode *d;
	struct part *p;
	struct fact_origin origin;
};

static int add(struct host_text *h, enum fact_id id, uint32_t i, const char *text,
	       uint64_t u)
{
	struct fact f = { .key = { id, i, 0 }, .trust = TRUST_HOST, .origin = h->origin };

	if (text)
		f.text = text;
	else
		f.u = u;
	return part_add_fact(h->d, h->p, f);
}

static int decode_options(struct host_text *h, char *text)
{
	return add(h, FACT_BOOT_OPTIONS, 0, text, 0);
}

static int decode_suspends(struct host_text *h, char *text)
{
	uint64_t u;

	return str_to_u64(text, &u) == 0 ? add(h, FACT_HOST_SUSPENDS, 0, NULL, u) : 0;
}

/* "NAME<tab>FUNCTION" a line; the same task in the same place is one fact, with how often. */
static int decode_tasks(struct host_text *h, char *text)
{
	const char *names[MAX_TASKS], *places[MAX_TASKS];
	uint64_t seen[MAX_TASKS];
	uint32_t n = 0;
	int r = 0;

	for (char *line = text; line && *line;) {
		char *end = strchr(line, '\n'), *tab;
		uint32_t k = 0;

		if (end)
			*end = '\0';
		tab = strchr(line, '\t');
		if (tab) {
			*tab = '\0';
			while (k < n && (!str_equal(names[k], line) ||
					 !str_equal(places[k], tab + 1)))
				k++;
			if (k == n && n < MAX_TASKS) {
				names[n] = line;
				places[n] = tab + 1;
				seen[n++] = 0;
			}
			if (k < n)
				seen[k]++;
		}
		line = end ? end + 1 : NULL;
	}
	for (uint32_t k = 0; r == 0 && k < n; k++) {
		r = add(h, FACT_TASK_NAME, k, names[k], 0);
		if (r == 0)
			r = add(h, FACT_TASK_WHERE, k, places[k], 0);
		if (r == 0)
			r = add(h, FACT_TASK_SEEN, k, NULL, seen[k]);
	}
	return r;
}

int decode_host(struct decode *d, struct part *p, const struct cap_item *item)
{
	static const struct {
		const char *id;
		int (*decode)(struct host_text *h, char *text);
	} rows[] = {
		{ "host/boot_options", decode_options },
		{ "host/suspends", decode_suspends },
		{ "host/waiting_tasks", decode_tasks },
	};
	struct host_text h = { .d = d,
			       .p = p,
			       .origin = { .item = arena_strdup(d->arena, item->id),
					   .file = p->snapshot.file } };
	size_t len = item->body.len;
	char *text;

	while (len &&
	       (item->body.data[len - 1] == '\n' || item->body.data[len - 1] == ' '))
		len--;
	text = arena_strndup(d->arena, len ? (const char *)item->body.data : "", len);
	if (!h.origin.item || !text)
		return -ENOMEM;
	for (size_t i = 0; i < array_size(rows); i++)
		if (str_equal(rows[i].id, item->id))
			return rows[i].decode(&h, text);
	return 0;
}
