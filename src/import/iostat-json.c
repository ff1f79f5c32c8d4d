/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iostat -o JSON: "disk" of each element of "statistics". */
#include <string.h>

#include "base/str.h"
#include "import/iostat.h"
#include "import/json-text.h"

/* Four of the names lack the sign that they have in the text. */
static void put_column(struct iostat *o, uint32_t j, const char *key, size_t line)
{
	static const char *const percents[] = { "rrqm", "wrqm", "drqm", "util" };
	char name[32];
	bool percent = false;

	for (size_t i = 0; i < array_size(percents); i++)
		percent |= str_equal(key, percents[i]);
	(void)snprintf(name, sizeof(name), "%s%.30s", percent ? "%" : "", key);
	iostat_column(o, j, name, line);
}

static bool take_disk(struct json_object *disk, struct iostat_row *row)
{
	const char *name = json_text_string(disk, "disk_device");

	if (!name || !*name)
		return false;
	(void)snprintf(row->name, sizeof(row->name), "%.60s", name);
	row->n = 0;
	json_object_object_foreach(disk, key, value)
	{
		const char *text = json_object_get_string(value);
		uint64_t u;

		if (!json_text_number(disk, key, 1000000, &u) || u > INT64_MAX ||
		    row->n == IOSTAT_COLUMNS)
			continue;
		row->text[row->n] = (struct word){ text, strlen(text) };
		row->micro[row->n++] = (int64_t)u;
	}
	return row->n > 0;
}

/* The devices of one report have the same members in the same order. */
static void read_report(struct iostat *o, struct json_object *statistics, size_t line,
			size_t end)
{
	struct json_object *disks = json_text_get(statistics, "disk", json_type_array);
	size_t n = disks ? json_object_array_length(disks) : 0;
	struct json_object *first = n ? json_object_array_get_idx(disks, 0) : NULL;
	bool plain = false;
	uint32_t j = 0;

	if (!json_object_is_type(first, json_type_object))
		return;
	line = json_text_line(o->im->text, line, end, "disk");
	json_object_object_foreach(first, key, value)
	{
		uint64_t u;

		(void)value;
		plain |= iostat_is_plain(key);
		if (json_text_number(first, key, 1000000, &u) && j < IOSTAT_COLUMNS)
			put_column(o, j++, key, line);
	}
	iostat_title(o, plain ? "iostat" : "iostat -x", ++o->report[0], line);
	for (size_t i = 0; i < n; i++) {
		struct iostat_row row;

		if (take_disk(json_object_array_get_idx(disks, i), &row) && row.n == j)
			(void)iostat_row(o, &row, line);
	}
	o->tables++;
}

size_t iostat_read_json(struct iostat *o, size_t index)
{
	struct text *t = o->im->text;
	struct json_object *root, *hosts, *host, *statistics;
	size_t end = index + 1;

	if (o->tries >= IOSTAT_TRIES)
		return index + 1;
	if (!strstr(t->lines[index].s, "\"sysstat\"") &&
	    (index + 1 >= t->n || !strstr(t->lines[index + 1].s, "\"sysstat\"")))
		return index + 1;
	root = json_text_read(t, index, &end);
	hosts = json_text_get(json_text_get(root, "sysstat", json_type_object), "hosts",
			      json_type_array);
	host = hosts ? json_object_array_get_idx(hosts, 0) : NULL;
	statistics = json_text_get(host, "statistics", json_type_array);
	if (!statistics) {
		o->tries++;
		diag_add(o->im->diag, DIAG_NOTE, t->file, t->lines[index].number,
			 "iostat: this JSON is cut or damaged: nothing of it is taken");
		text_claim(t, index, LINE_DAMAGED, IOSTAT_SECTION);
		json_object_put(root);
		return index + 1;
	}
	o->report[0] = 0;
	for (size_t i = 0; i < json_object_array_length(statistics); i++) {
		struct json_object *report = json_object_array_get_idx(statistics, i);

		if (json_object_is_type(report, json_type_object) &&
		    o->tables < IOSTAT_TABLES)
			read_report(o, report, index, end);
	}
	json_object_put(root);
	for (size_t i = index; i < end; i++)
		text_claim(t, i, LINE_READ, IOSTAT_SECTION);
	return end;
}
