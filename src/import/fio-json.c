/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fio's JSON, alone or before the text of the same run (--output-format=json,normal). Its numbers
 * are exact and win over those of the text. A document that is cut or damaged is not read at all:
 * nobody knows what a value without its object means.
 */
#include "import/fio-json.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

/* ---- values ------------------------------------------------------------------------------ */

size_t fio_json_line(const struct fio_json *j, size_t from, const char *key)
{
	return json_text_line(j->f->text, from, j->end, key);
}

void fio_json_set(const struct fio_json *j, struct fio_values *v, enum fact_id id,
		  uint32_t key_j, struct json_object *o, const char *key, uint64_t factor,
		  size_t line)
{
	struct fio_value value = { .id = id, .j = key_j, .exact = true };

	if (!json_text_number(o, key, factor, &value.u))
		return;
	value.line = fio_json_line(j, line, key);
	fio_set(j->f, v, value);
}

/* ---- disks --------------------------------------------------------------------------------- */

static void read_disk(const struct fio_json *j, struct json_object *o, size_t line)
{
	static const struct {
		const char *key;
		enum fact_id id;
	} keys[] = {
		{ "read_ios", FACT_DISK_READS },
		{ "write_ios", FACT_DISK_WRITES },
		{ "read_merges", FACT_DISK_READ_MERGES },
		{ "write_merges", FACT_DISK_WRITE_MERGES },
		{ "read_ticks", FACT_DISK_READ_MS },
		{ "write_ticks", FACT_DISK_WRITE_MS },
		{ "in_queue", FACT_DISK_QUEUE_MS },
	};
	const char *name = json_text_string(o, "name");
	struct fio_disk *d = name ? fio_disk_named(j->f, name, strlen(name), line) : NULL;
	uint64_t v;

	if (!d)
		return;
	for (size_t i = 0; i < array_size(keys); i++)
		fio_json_set(j, &d->values, keys[i].id, 0, o, keys[i].key, 1, line);
	fio_json_set(j, &d->values, FACT_DISK_UTIL, 0, o, "util", 10000, line);
	d->aggregate |= json_text_number(o, "aggr_read_ios", 1, &v);
}

static void read_disks(const struct fio_json *j, struct json_object *root, size_t line)
{
	struct json_object *disks = json_text_get(root, "disk_util", json_type_array);
	size_t n = disks ? json_object_array_length(disks) : 0;

	line = fio_json_line(j, line, "disk_util");
	for (size_t i = 0; i < n && !j->f->error && !j->f->full; i++) {
		line = fio_json_line(j, line, "name");
		read_disk(j, json_object_array_get_idx(disks, i), line);
		line += line + 1 < j->end;
	}
}

/* ---- the document ---------------------------------------------------------------------------- */

static void read_root(const struct fio_json *j, struct json_object *root)
{
	struct fio *f = j->f;
	const char *version = json_text_string(root, "fio version");
	struct json_object *jobs = json_text_get(root, "jobs", json_type_array);
	size_t n = jobs ? json_object_array_length(jobs) : 0, line = j->first;
	struct fio_batch *b = fio_batch(f);

	if (!b || b->phase > FIO_PHASE_STARTED)
		b = fio_new_batch(f, j->first);
	if (!b)
		return;
	b->phase = FIO_PHASE_JOBS;
	if (version && str_starts(version, "fio-")) {
		b->source = arena_printf(f->arena, "fio %s", version + 4);
		b->source_line = fio_json_line(j, j->first, "fio version");
		if (!b->source)
			f->error = -ENOMEM;
	}
	fio_json_options(j, json_text_get(root, "global options", json_type_object),
			 "global", fio_json_line(j, line, "global options"));
	for (size_t i = 0; i < n && !f->error && !f->full; i++)
		line = fio_json_job(j, json_object_array_get_idx(jobs, i), line);
	read_disks(j, root, line);
	f->job = f->run = 0;
}

/* Whether KEY is one of the first of the object that opens at INDEX. */
static bool begins_with(const struct text *t, size_t index, const char *key)
{
	for (size_t i = index; i < t->n && i < index + 3; i++) {
		if (strstr(t->lines[i].s, key))
			return true;
	}
	return false;
}

size_t fio_read_json(struct fio *f, size_t index)
{
	struct fio_json j = { .f = f, .first = index };
	struct fio_line l = { .kind = FIO_JSON, .first = index, .end = index + 1 };
	struct json_object *root;
	bool plain = begins_with(f->text, index, "\"fio version\"");
	/* another program may have sorted the keys */
	bool sorted = !plain && !f->json_is_other &&
		      begins_with(f->text, index, "\"disk_util\"");

	if (index < f->json_end || !(plain || sorted))
		return index;
	root = json_text_read(f->text, index, &j.end);
	if (sorted && !json_text_string(root, "fio version")) {
		f->json_is_other =
			true; /* or cut: tried once, each try may read all that follows */
		json_object_put(root);
		return index;
	}
	f->json_end = j.end ? j.end : f->text->n; /* no second try from the inside */
	if (root) {
		read_root(&j, root);
		l.end = j.end;
		fio_claim(f, &l, LINE_READ);
	} else {
		fio_note(f, index, "this JSON is cut or damaged: nothing of it is taken");
		fio_claim(f, &l, LINE_DAMAGED);
	}
	json_object_put(root);
	return l.end;
}
