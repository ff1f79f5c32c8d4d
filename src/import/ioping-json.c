/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ioping -J: an array of requests, the last object holds the statistics. All times are in ns. */
#include <string.h>

#include "base/str.h"
#include "import/ioping.h"
#include "import/json-text.h"

static void take_target(struct json_object *target, struct ioping *p)
{
	const char *path = json_text_string(target, "path");
	const char *device = json_text_string(target, "device");

	/* a file: which disk is below it is told as well */
	if (path && device && !str_starts(path, "/dev/") && str_starts(device, "/dev/"))
		(void)snprintf(p->target, sizeof(p->target), "%.120s (%.120s)", path,
			       device);
	else if (path)
		(void)snprintf(p->target, sizeof(p->target), "%.250s", path);
}

static void take_request(struct json_object *io, struct ioping *p)
{
	const char *operation = json_text_string(io, "operation");

	(void)json_text_number(io, "size", 1, &p->block);
	p->has_direction = operation != NULL;
	p->write = str_equal(operation, "write");
}

static void take_statistics(struct json_object *stat, struct json_object *load,
			    struct ioping *p)
{
	p->count_exact = json_text_number(stat, "count", 1, &p->count);
	(void)json_text_number(stat, "time", 1, &p->busy_ns);
	(void)json_text_number(stat, "iops", 1000, &p->iops_milli);
	(void)json_text_number(stat, "bps", 1, &p->rate);
	p->has_times = json_text_number(stat, "min", 1, &p->min) &&
		       json_text_number(stat, "avg", 1, &p->mean) &&
		       json_text_number(stat, "max", 1, &p->max) &&
		       json_text_number(stat, "mdev", 1, &p->mdev);
	(void)json_text_number(load, "count", 1, &p->generated);
	(void)json_text_number(load, "time", 1, &p->elapsed_ns);
}

size_t ioping_read_json(struct posted *to, size_t index)
{
	struct text *t = to->im->text;
	struct ioping p = { .line = index };
	struct json_object *root;
	size_t end = index + 1;

	if (to->tries >= POSTED_TRIES)
		return index + 1;
	if (index + 1 >= t->n || (!strstr(t->lines[index].s, "\"timestamp\"") &&
				  !strstr(t->lines[index + 1].s, "\"timestamp\"")))
		return index + 1;
	root = json_text_read(t, index, &end);
	if (!json_object_is_type(root, json_type_array)) {
		to->tries++;
		json_object_put(root);
		return index + 1;
	}
	for (size_t i = 0; i < json_object_array_length(root); i++) {
		struct json_object *o = json_object_array_get_idx(root, i), *part;

		take_target(json_text_get(o, "target", json_type_object), &p);
		part = json_text_get(o, "io", json_type_object);
		if (part)
			take_request(part, &p);
		part = json_text_get(o, "stat", json_type_object);
		if (part) {
			p.line = json_text_line(t, index, end, "stat");
			take_statistics(part, json_text_get(o, "load", json_type_object),
					&p);
		}
	}
	json_object_put(root);
	if (!p.count)
		return index + 1;
	ioping_put(to, &p);
	for (size_t i = index; i < end; i++)
		text_claim(t, i, LINE_READ, IOPING_SECTION);
	return end;
}
