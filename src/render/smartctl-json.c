/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/smartctl-json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "config.h"
#include "render/formats.h"
#include "render/json-parts.h"
#include "render/smartctl-exit.h"

/* --- pieces ---------------------------------------------------------------------------------- */

struct json_object *sc_object(struct sc *s, struct json_object *o, const char *key)
{
	struct json_object *made = json_new_object(s->w);

	json_put(s->w, o, key, made);
	return made;
}

struct json_object *sc_array(struct sc *s, struct json_object *o, const char *key)
{
	struct json_object *made = json_new_array(s->w);

	json_put(s->w, o, key, made);
	return made;
}

void sc_put(struct sc *s, struct json_object *o, const char *key, enum fact_id id,
	    uint32_t i, uint32_t j)
{
	const struct fact *f = drive_fact(s->d, id, i, j);

	if (f)
		json_put_fact(s->w, o, key, f);
}

void sc_put_keys(struct sc *s, struct json_object *o, const struct sc_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sc_put(s, o, keys[i].name, keys[i].id, 0, 0);
}

void sc_put_coded(struct sc *s, struct json_object *o, const char *key,
		  const uint64_t *code, const char *string)
{
	struct json_object *made;

	if (!code && !string)
		return;
	made = sc_object(s, o, key);
	if (code)
		json_put_u64(s->w, made, "value", *code);
	if (string)
		json_put_text(s->w, made, "string", string);
}

bool sc_number_after(const char *text, const char *mark, uint64_t *ret)
{
	const char *at = text ? strstr(text, mark) : NULL;

	if (!at)
		return false;
	at += strlen(mark);
	while (*at == ' ')
		at++;
	return str_take_u64(&at, 10, ret) == 0;
}

void sc_put_bits(struct sc *s, struct json_object *o, const struct sc_bit *bits, size_t n,
		 uint64_t word)
{
	for (size_t i = 0; i < n; i++)
		json_put_bool(s->w, o, bits[i].key, word >> bits[i].bit & 1);
}

static uint64_t place_of(const struct fact *f)
{
	return f->origin.width ? f->origin.offset : f->origin.line;
}

static int compare_places(const void *a, const void *b)
{
	const struct fact *x = *(const struct fact *const *)a,
			  *y = *(const struct fact *const *)b;
	uint64_t p = place_of(x), q = place_of(y);

	if (p != q)
		return p < q ? -1 : 1;
	return x->key.i < y->key.i ? -1 : x->key.i > y->key.i;
}

int sc_rows_new(const struct drive *d, enum fact_id id, struct sc_rows *ret)
{
	size_t n;
	const struct fact *all = drive_facts(d, id, &n);
	const struct fact **items = calloc(n + 1, sizeof(const struct fact *));
	size_t kept = 0;

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!i || all[i].key.i != all[i - 1].key.i ||
		    all[i].key.j != all[i - 1].key.j)
			items[kept++] = drive_fact(d, id, all[i].key.i, all[i].key.j);
	if (kept)
		qsort(items, kept, sizeof(const struct fact *), compare_places);
	ret->items = items;
	ret->n = kept;
	return 0;
}

/* --- the document ------------------------------------------------------------------------------ */

static void put_version(struct json_writer *w, struct json_object *o, const char *key,
			int64_t major, int64_t minor)
{
	struct json_object *array = json_new_array(w);

	json_append(w, array, json_object_new_int64(major));
	json_append(w, array, json_object_new_int64(minor));
	json_put(w, o, key, array);
}

/* Readers look at the version to know the fields: those of 7.3 are written. */
static void put_tool(struct sc *s, const struct report *r)
{
	static const char *const argv[] = { "drivewhy", "show",
					    "--format=smartctl-json" };
	struct json_object *o = sc_object(s, s->top, "smartctl"), *array, *db;

	put_version(s->w, o, "version", 7, 3);
	json_put_text(s->w, o, "platform_info", PACKAGE_STRING);
	json_put_text(s->w, o, "build_info", "(" PACKAGE_STRING ", not smartctl itself)");
	array = sc_array(s, o, "argv");
	for (size_t i = 0; i < array_size(argv); i++)
		json_append(s->w, array, json_new_text(s->w, argv[i]));
	db = sc_object(s, o, "drive_database_version");
	json_put_text(s->w, db, "string", r->the_case->database);
	json_put_u64(s->w, o, "exit_status", smartctl_exit(s->d));
}

static void put_time(struct sc *s)
{
	const struct drive *d = s->d;
	const struct snapshot *last =
		d->n_snapshots ? &d->snapshots[d->n_snapshots - 1] : NULL;
	char text[64];
	struct tm tm;
	time_t t;
	struct json_object *o;

	if (!last || !last->has_time)
		return;
	t = (time_t)(last->taken_ms / 1000);
	o = sc_object(s, s->top, "local_time");
	json_put_s64(s->w, o, "time_t", last->taken_ms / 1000);
	if (gmtime_r(&t, &tm) &&
	    strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y UTC", &tm))
		json_put_text(s->w, o, "asctime", text);
}

static const char *device_name(const struct drive *d)
{
	const char *name = drive_text(d, FACT_DEVICE, 0, 0);

	if (!name && d->n_snapshots)
		name = d->snapshots[d->n_snapshots - 1].file;
	return name ? name : "unknown";
}

/* The word after -d by which smartctl reaches such a drive. */
static void put_device(struct sc *s)
{
	static const struct {
		const char *bus, *type, *protocol, *info;
	} rows[] = { { "nvme", "nvme", "NVMe", "" },
		     { "scsi", "scsi", "SCSI", "" },
		     { "sas", "scsi", "SCSI", "" },
		     { "raid", "scsi", "SCSI", "" },
		     { "virtio", "scsi", "SCSI", "" } };
	const char *bus = drive_text(s->d, FACT_BUS, 0, 0), *name = device_name(s->d);
	struct json_object *o = sc_object(s, s->top, "device");
	struct buf path cleanup_buf = { 0 };
	size_t i = 0;

	while (i < array_size(rows) && !str_equal(rows[i].bus, bus))
		i++;
	if (!strchr(name, '/') && drive_text(s->d, FACT_DEVICE, 0, 0))
		buf_puts(&path, "/dev/");
	buf_puts(&path, name);
	json_put_text(s->w, o, "name", buf_text(&path));
	buf_puts(&path, i < array_size(rows) ? rows[i].info : " [SAT]");
	json_put_text(s->w, o, "info_name", buf_text(&path));
	json_check(s->w, &path);
	json_put_text(s->w, o, "type", i < array_size(rows) ? rows[i].type : "sat");
	json_put_text(s->w, o, "protocol",
		      i < array_size(rows) ? rows[i].protocol : "ATA");
}

static struct json_object *document(struct json_writer *w, const struct report *r,
				    const struct drive *d)
{
	static void (*const sections[])(struct sc *) = {
		put_time,     put_device,    sc_identity,   sc_nvme,
		sc_settings,  sc_smart_data, sc_attributes, sc_directory,
		sc_error_log, sc_selftests,  sc_selective,  sc_sct,
		sc_summary,   sc_statistics, sc_defects,    sc_phy,
	};
	struct sc s = { .w = w, .top = json_new_object(w), .d = d };

	put_version(w, s.top, "json_format_version", 1, 0);
	put_tool(&s, r);
	for (size_t i = 0; i < array_size(sections); i++)
		sections[i](&s);
	return s.top;
}

static int write_drive(const struct report *r, const struct drive *d, struct buf *ret)
{
	struct json_writer w = { 0 };

	return json_add_document(&w, document(&w, r, d), ret);
}

/* A document for each drive, one behind the other: smartctl looks at one drive only. */
int smartctl_json_write(const struct report *r, const struct diag *d,
			const struct render_options *o, struct buf *ret)
{
	int result = 0;

	(void)d;
	(void)o;
	for (size_t i = 0; result == 0 && i < r->n_drives; i++)
		result = write_drive(r, r->drives[i].drive, ret);
	return result ? result : buf_error(ret);
}
