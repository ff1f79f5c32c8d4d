/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/list.h"

#include <errno.h>
#include <libsmartcols.h>
#include <string.h>

#include "base/str.h"
#include "render/json-value.h"

enum shape { SHAPE_TEXT, SHAPE_COUNT, SHAPE_SPEED, SHAPE_SIZE, SHAPE_RING };

/* One column in both forms; the JSON key is the fact's own name. */
static const struct column {
	const char *title;
	enum fact_id fact;
	enum shape shape;
	int flags;
	double least; /* width that is left to it when the screen is narrow, 0: all of it */
} columns_[] = {
	{ "NAME", FACT_DEVICE, SHAPE_TEXT, 0, 0 },
	{ "MODEL", FACT_MODEL, SHAPE_TEXT, SCOLS_FL_TRUNC, 12 },
	{ "SIZE", FACT_CAPACITY, SHAPE_SIZE, SCOLS_FL_RIGHT, 0 },
	{ "BUS", FACT_BUS, SHAPE_TEXT, 0, 0 },
	{ "PORT", FACT_PORT, SHAPE_TEXT, 0, 0 },
	{ "LINK", FACT_LINK_CURRENT, SHAPE_SPEED, SCOLS_FL_RIGHT, 0 },
	{ "DRIVE", FACT_LINK_DEVICE_MAX, SHAPE_SPEED, SCOLS_FL_RIGHT, 0 },
	{ "MAX", FACT_LINK_PORT_MAX, SHAPE_SPEED, SCOLS_FL_RIGHT, 0 },
	{ "LIM", FACT_LINK_LIMIT, SHAPE_SPEED, SCOLS_FL_RIGHT, 0 },
	{ "SLOW", FACT_LINK_SLOWED, SHAPE_COUNT, SCOLS_FL_RIGHT, 0 },
	{ "RING", FACT_ERROR_RING, SHAPE_RING, SCOLS_FL_RIGHT, 0 },
	{ "ERR", FACT_COMMANDS_FAILED, SHAPE_COUNT, SCOLS_FL_RIGHT, 0 },
	{ "TMO", FACT_COMMANDS_TIMED_OUT, SHAPE_COUNT, SCOLS_FL_RIGHT, 0 },
	{ "LPM", FACT_LINK_POWER_POLICY, SHAPE_TEXT, SCOLS_FL_TRUNC, 3 },
};

/* What only the JSON has room for. */
static const enum fact_id more[] = {
	FACT_SERIAL,	     FACT_WWN,
	FACT_FIRMWARE,	     FACT_DRIVER,
	FACT_CONTROLLER_ID,  FACT_USB_ID,
	FACT_USB_SPEED,	     FACT_SAS_RATE,
	FACT_SAS_RATE_MAX,   FACT_PCIE_SPEED,
	FACT_PCIE_WIDTH,     FACT_PCIE_SPEED_MAX,
	FACT_PCIE_WIDTH_MAX, FACT_RUNTIME_STATUS,
	FACT_HINT_COMMAND,
};

/* The kernel keeps one error a line; an empty ring is no line. */
static unsigned ring_entries(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text != '\n' && (text[1] == '\n' || !text[1]);
	return n;
}

/* Decimal units, as makers print them on the drive. */
static void add_size(struct buf *b, uint64_t bytes)
{
	static const char units[] = "kMGTP";
	uint64_t unit = 1000;
	size_t i = 0;

	while (i + 1 < sizeof(units) - 1 && bytes >= unit * 1000) {
		unit *= 1000;
		i++;
	}
	if (bytes / unit < 10)
		buf_printf(b, "%llu.%llu%cB", (unsigned long long)(bytes / unit),
			   (unsigned long long)(bytes % unit * 10 / unit), units[i]);
	else
		buf_printf(b, "%llu%cB", (unsigned long long)((bytes + unit / 2) / unit),
			   units[i]);
}

/* A SAS phy and a USB link have speeds of their own, which stand in the same columns. */
static const struct fact *fact_of(const struct drive *d, enum fact_id id)
{
	static const struct {
		enum fact_id sata, other;
	} rows[] = {
		{ FACT_LINK_CURRENT, FACT_SAS_RATE },
		{ FACT_LINK_CURRENT, FACT_USB_SPEED },
		{ FACT_LINK_PORT_MAX, FACT_SAS_RATE_MAX },
	};
	const struct fact *f = drive_fact(d, id, 0, 0);

	for (size_t i = 0; !f && i < array_size(rows); i++)
		if (rows[i].sata == id)
			f = drive_fact(d, rows[i].other, 0, 0);
	return f;
}

/* "8.0x2": lanes of PCI Express, with the speed of each */
static bool add_lanes(struct buf *b, const struct drive *d, enum fact_id id)
{
	bool now = id == FACT_LINK_CURRENT;
	const char *speed =
		drive_text(d, now ? FACT_PCIE_SPEED : FACT_PCIE_SPEED_MAX, 0, 0);
	uint64_t lanes;

	if ((!now && id != FACT_LINK_DEVICE_MAX) ||
	    !str_equal(drive_text(d, FACT_BUS, 0, 0), "nvme") ||
	    !drive_u64(d, now ? FACT_PCIE_WIDTH : FACT_PCIE_WIDTH_MAX, 0, 0, &lanes))
		return false;
	if (speed)
		str_add_escaped(b, speed, strcspn(speed, " "));
	buf_printf(b, "x%llu", (unsigned long long)lanes);
	return true;
}

static void add_cell(struct buf *b, const struct drive *d, const struct column *col)
{
	const struct fact *f = fact_of(d, col->fact);

	buf_clear(b);
	if (col->shape == SHAPE_SPEED && add_lanes(b, d, col->fact))
		return;
	if (!f) {
		/* a port without ring entries has no file; other things are just not known */
		buf_puts(b, "-");
		return;
	}
	switch (col->shape) {
	case SHAPE_TEXT:
		if (col->fact == FACT_BUS && str_equal(f->text, "sata-on-sas")) {
			buf_puts(b, "sas/ata");
			break;
		}
		str_add_escaped(b, f->text, SIZE_MAX);
		break;
	case SHAPE_COUNT:
		buf_printf(b, "%llu", (unsigned long long)f->u);
		break;
	case SHAPE_SPEED:
		buf_printf(b, "%llu.%llu", (unsigned long long)(f->u / 1000),
			   (unsigned long long)(f->u % 1000 / 100));
		break;
	case SHAPE_SIZE:
		add_size(b, f->u);
		break;
	case SHAPE_RING:
		buf_printf(b, "%u", ring_entries(f->text));
		break;
	}
}

/* A column that no drive has anything in only takes room. */
static bool is_used(const struct case_file *c, const struct column *col)
{
	struct buf cell cleanup_buf = { 0 };

	if (col == &columns_[0] || col->fact == FACT_MODEL)
		return true;
	for (size_t i = 0; i < c->n_drives; i++) {
		add_cell(&cell, c->drives[i], col);
		if (buf_error(&cell) < 0 || !str_equal(buf_text(&cell), "-"))
			return true;
	}
	return false;
}

static int fill_line(struct libscols_line *line, const struct drive *d, const bool *used)
{
	struct buf cell cleanup_buf = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < array_size(columns_); i++) {
		if (!used[i])
			continue;
		add_cell(&cell, d, &columns_[i]);
		if (buf_error(&cell) < 0 ||
		    scols_line_set_data(line, at++, buf_text(&cell)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int fill_table(struct libscols_table *t, const struct case_file *c,
		      unsigned columns)
{
	bool used[array_size(columns_)];

	for (size_t i = 0; i < array_size(columns_); i++) {
		used[i] = is_used(c, &columns_[i]);
		if (used[i] &&
		    !scols_table_new_column(t, columns_[i].title, columns_[i].least,
					    columns_[i].flags))
			return -ENOMEM;
	}
	scols_table_set_termwidth(t, columns);
	scols_table_set_termforce(t, SCOLS_TERMFORCE_ALWAYS);
	for (size_t i = 0; i < c->n_drives; i++) {
		struct libscols_line *line = scols_table_new_line(t, NULL);

		if (!line || fill_line(line, c->drives[i], used) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* What no column has room for, one line a drive that needs it. */
static void add_hints(const struct case_file *c, struct buf *ret)
{
	for (size_t i = 0; i < c->n_drives; i++) {
		const char *hint = drive_text(c->drives[i], FACT_HINT_COMMAND, 0, 0);
		const char *name = drive_text(c->drives[i], FACT_DEVICE, 0, 0);

		if (!hint)
			continue;
		str_add_escaped(ret, name ? name : "?", SIZE_MAX);
		buf_puts(ret, ": read it with: ");
		str_add_escaped(ret, hint, SIZE_MAX);
		buf_putc(ret, '\n');
	}
}

int render_list_text(const struct case_file *c, unsigned columns, struct buf *ret)
{
	struct libscols_table *t = scols_new_table();
	char *text = NULL;
	int r = t ? fill_table(t, c, columns) : -ENOMEM;

	if (r == 0 && scols_print_table_to_string(t, &text) < 0)
		r = -ENOMEM;
	if (r == 0) {
		buf_puts(ret, text);
		buf_putc(ret, '\n');
		add_hints(c, ret);
		r = buf_error(ret);
	}
	free(text);
	scols_unref_table(t);
	return r;
}

/* Words between BREAKS as an array. */
static struct json_object *words_of(struct json_writer *w, const char *text,
				    const char *breaks)
{
	struct json_object *array = json_new_array(w);

	while (text && *text) {
		size_t len = strcspn(text, breaks);
		struct buf word cleanup_buf = { 0 };

		buf_add(&word, text, len);
		json_check(w, &word);
		if (len)
			json_append(w, array, json_new_text(w, buf_text(&word)));
		text += len + (text[len] != '\0');
	}
	return array;
}

static struct json_object *partitions_of(struct json_writer *w, const struct drive *d)
{
	struct json_object *array = json_new_array(w);
	size_t n;
	const struct fact *f = drive_facts(d, FACT_PARTITION_START, &n);

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_new_object(w);

		json_put_u64(w, o, "number", f[i].key.i);
		json_put_u64(w, o, "start_lba", f[i].u);
		json_append(w, array, o);
	}
	return array;
}

static void put_cell(struct json_writer *w, struct json_object *o, const struct drive *d,
		     enum fact_id id)
{
	json_put_drive_fact(w, o, fact_get_info(id)->name, d, id, 0, 0);
}

static struct json_object *new_drive(struct json_writer *w, const struct drive *d)
{
	struct json_object *o = json_new_object(w);

	for (size_t k = 0; k < array_size(columns_); k++)
		put_cell(w, o, d, columns_[k].fact);
	for (size_t k = 0; k < array_size(more); k++)
		put_cell(w, o, d, more[k]);
	json_put(w, o, "names", words_of(w, drive_text(d, FACT_DISK_NAMES, 0, 0), "\n"));
	json_put(w, o, "partitions", partitions_of(w, d));
	json_put(w, o, "holders", words_of(w, drive_text(d, FACT_HOLDERS, 0, 0), " \n"));
	return o;
}

int render_list_json(const struct case_file *c, struct buf *ret)
{
	struct json_writer w = { 0 };
	struct json_object *top = json_new_object(&w), *drives = json_new_array(&w);

	for (size_t i = 0; i < c->n_drives; i++)
		json_append(&w, drives, new_drive(&w, c->drives[i]));
	json_put(&w, top, "drives", drives);
	return json_add_document(&w, top, ret);
}
