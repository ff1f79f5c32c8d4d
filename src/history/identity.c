/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "history/sql.h"

/* --- what a drive says of itself ------------------------------------------------------------------- */

/* Not empty, and not only zeros, blanks and what stands for "none". */
static bool is_identity(const char *text)
{
	for (; text && *text; text++)
		if (!strchr("Xx0-.*_ ", *text))
			return true;
	return false;
}

/* "0x5000c500...", "naa.5000...", "5 000c50 ...": the same name, so only its digits are compared. */
static void wwn_digits(const char *text, char ret[17])
{
	const char *s = text ? text : "";
	size_t n = 0;

	ret[0] = '\0';
	if (str_starts(s, "naa."))
		s += 4;
	else if (str_starts(s, "0x"))
		s += 2;
	for (; *s; s++) {
		if (*s == ' ' || *s == '-')
			continue;
		if (n == 16 || !strchr("0123456789abcdefABCDEF", *s)) {
			ret[0] = '\0';
			return;
		}
		ret[n++] = (char)(*s >= 'A' && *s <= 'F' ? *s - 'A' + 'a' : *s);
	}
	ret[n] = '\0';
	if (n != 16 || !is_identity(ret))
		ret[0] = '\0';
}

static bool same_wwn(const char *a, const char *b)
{
	return *a && str_equal(a, b);
}

/* The kernel cuts models at 16 bytes, and so a sleeping drive's; udev has '_' for blanks. */
static bool same_model(const char *a, const char *b)
{
	size_t n = 0;

	if (!a || !b)
		return true;
	for (; a[n] && b[n]; n++)
		if (a[n] != b[n] && !(a[n] == '_' && b[n] == ' ') &&
		    !(a[n] == ' ' && b[n] == '_'))
			return false;
	return a[n] == b[n] || n >= 16;
}

static const char *text_or_null(const struct drive *d, enum fact_id id)
{
	const char *text = drive_text(d, id, 0, 0);

	return text && *text ? text : NULL;
}

struct who who_of(const struct drive *d)
{
	struct who w = {
		.wwn = text_or_null(d, FACT_WWN),
		.model = text_or_null(d, FACT_MODEL),
		.serial = text_or_null(d, FACT_SERIAL),
		.firmware = text_or_null(d, FACT_FIRMWARE),
		.port = text_or_null(d, FACT_PORT),
		.device = text_or_null(d, FACT_DEVICE),
		.boot = text_or_null(d, FACT_BOOT_ID),
	};

	w.has_capacity =
		drive_u64(d, FACT_CAPACITY, 0, 0, &w.capacity) && w.capacity <= INT64_MAX;
	wwn_digits(w.wwn, w.digits);
	if (!w.port)
		w.port = w.device;
	if (!is_identity(w.serial))
		w.serial = NULL;
	return w;
}

/* --- the drives of the file ------------------------------------------------------------------------ */

static struct past_drive *add_past(struct history *h, struct arena *a,
				   struct past_drives *l)
{
	struct past_drive *d = arena_push(a, &l->items, &l->n, &l->cap, sizeof(*d));
	const enum sql_id q = SQL_DRIVES;

	if (!d) {
		sql_out_of_memory(h);
		return NULL;
	}
	*d = (struct past_drive){
		.id = sql_int(h, q, 0),
		.wwn = sql_text(h, a, q, 1),
		.model = sql_text(h, a, q, 2),
		.serial = sql_text(h, a, q, 3),
		.has_capacity = !sql_is_null(h, q, 4),
		.capacity = (uint64_t)sql_int(h, q, 4),
		.firmware = sql_text(h, a, q, 5),
		.port = sql_text(h, a, q, 6),
		.device = sql_text(h, a, q, 7),
		.apart = sql_int(h, q, 8) != 0,
		.first = sql_int(h, q, 9),
		.last = sql_int(h, q, 10),
		.last_run = sql_int(h, q, 11),
		.checked_run = sql_int(h, q, 12),
		.state = (int)sql_int(h, q, 13),
		.boot = sql_text(h, a, q, 14),
		.severity = (int)sql_int(h, q, 15),
		.told_port = sql_text(h, a, q, 16),
		.told_firmware = sql_text(h, a, q, 17),
		.checked = sql_int(h, q, 18),
	};
	wwn_digits(d->wwn, d->digits);
	return d;
}

int past_list(struct history *h, struct arena *a, struct past_drives *ret)
{
	sql_start(h, SQL_DRIVES, "");
	while (sql_next(h, SQL_DRIVES))
		if (!add_past(h, a, ret))
			break;
	return h->error;
}

static bool is_named(const struct past_drive *d, const char *name)
{
	char digits[17];
	const char *base = str_starts(name, "/dev/") ? name + 5 : name;
	const char *device =
		d->device && str_starts(d->device, "/dev/") ? d->device + 5 : d->device;

	wwn_digits(name, digits);
	return str_equal(device, base) || str_equal(d->port, name) ||
	       str_equal(d->serial, name) || same_wwn(d->digits, digits) ||
	       str_equal(d->model, name);
}

size_t past_match(const struct past_drives *l, const char *name, size_t *ret_first)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (is_named(&l->items[i], name) && n++ == 0)
			*ret_first = i;
	if (n < 2)
		return n;
	/* a name that was used by several is that of the one which has it now */
	n = 0;
	for (size_t i = 0; i < l->n; i++)
		if (is_named(&l->items[i], name) && l->items[i].state != 3 && n++ == 0)
			*ret_first = i;
	return n;
}

/* --- finding ------------------------------------------------------------------------------------------ */

struct finder {
	struct history *h;
	struct arena *arena;
	struct past_drives past;
	struct who *drives;
	size_t n;
};

static bool same_serial(const struct who *a, const char *serial, const char *model,
			bool has_capacity, uint64_t capacity)
{
	return a->serial && serial && str_equal(a->serial, serial) &&
	       same_model(a->model, model) &&
	       (!a->has_capacity || !has_capacity || a->capacity == capacity);
}

static bool wwn_contradicts(const char *a, const char *b)
{
	return *a && *b && !str_equal(a, b);
}

/* Two drives of this run: they look alike when nothing tells them apart but the port. */
static bool look_alike(const struct who *a, const struct who *b)
{
	if (wwn_contradicts(a->digits, b->digits))
		return false;
	if (a->serial && b->serial)
		return same_serial(a, b->serial, b->model, b->has_capacity, b->capacity);
	return same_wwn(a->digits, b->digits);
}

static bool is_known_clash(struct finder *f, const char *kind, const char *value)
{
	return sql_get(f->h, SQL_CLASH_GET, 0, "tt", kind, value) != 0;
}

/* A WWN that two different drives have is a maker's mistake: it says nothing from then on. */
static bool wwn_is_usable(struct finder *f, const struct who *w)
{
	return *w->digits && !is_known_clash(f, "wwn", w->digits);
}

static void distrust_wwn(struct finder *f, const char *digits)
{
	sql_do(f->h, SQL_CLASH_ADD, "tt", "wwn", digits);
}

static void distrust_shared_wwns(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < i; k++)
			if (same_wwn(f->drives[i].digits, f->drives[k].digits) &&
			    f->drives[i].serial && f->drives[k].serial &&
			    !look_alike(&f->drives[i], &f->drives[k]))
				distrust_wwn(f, f->drives[i].digits);
}

/* "model|serial|capacity", how a clash is remembered. */
static const char *serial_key(struct finder *f, const struct who *w)
{
	const char *key =
		arena_printf(f->arena, "%s|%s|%llu", w->model ? w->model : "",
			     w->serial ? w->serial : "", (unsigned long long)w->capacity);

	if (!key)
		sql_out_of_memory(f->h);
	return key ? key : "";
}

static void mark_twins(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct who *w = &f->drives[i];

		w->apart = !w->serial && !*w->digits;
		for (size_t k = 0; k < f->n; k++)
			if (k != i && look_alike(w, &f->drives[k]))
				w->apart = w->clash = true;
		if (w->clash)
			sql_do(f->h, SQL_CLASH_ADD, "tt", "serial", serial_key(f, w));
		else if (w->serial && is_known_clash(f, "serial", serial_key(f, w)))
			w->apart = true;
	}
}

/* The past drive that W is, or NULL. */
static struct past_drive *find_past(struct finder *f, const struct who *w)
{
	bool by_wwn = wwn_is_usable(f, w);

	for (size_t i = 0; i < f->past.n; i++) {
		struct past_drive *p = &f->past.items[i];
		bool same, serial = same_serial(w, p->serial, p->model, p->has_capacity,
						p->capacity);

		if (p->taken)
			continue;
		if (w->serial && p->serial)
			same = serial &&
			       !(by_wwn && wwn_contradicts(w->digits, p->digits));
		else
			same = (by_wwn && same_wwn(w->digits, p->digits)) ||
			       (!w->serial && !p->serial &&
				same_model(w->model, p->model));
		/* without a name of its own it is the one on this port, if that had none either */
		if (w->apart || p->apart)
			same = same && str_equal(w->port, p->port);
		if (same)
			return p;
		/* the same WWN on another serial number: one of the two lies */
		if (by_wwn && w->serial && p->serial && same_wwn(w->digits, p->digits))
			distrust_wwn(f, w->digits);
	}
	return NULL;
}

static void add_drive(struct finder *f, struct who *w)
{
	struct history *h = f->h;

	if (w->has_capacity)
		sql_do(h, SQL_DRIVE_ADD, "tttitttiii", w->wwn, w->model, w->serial,
		       (int64_t)w->capacity, w->firmware, w->port, w->device,
		       (int64_t)w->apart, h->now, h->now);
	else
		sql_do(h, SQL_DRIVE_ADD, "tttntttiii", w->wwn, w->model, w->serial,
		       w->firmware, w->port, w->device, (int64_t)w->apart, h->now,
		       h->now);
	w->id = h->error ? 0 : sqlite3_last_insert_rowid(h->db);
	w->is_new = true;
}

static void take_past(struct finder *f, struct who *w, const struct past_drive *p)
{
	struct history *h = f->h;

	w->id = p->id;
	/* once apart, apart for ever; and that of two which were one before is said by the caller */
	w->apart |= p->apart;
	if (w->has_capacity)
		sql_do(h, SQL_DRIVE_WHO, "itttittti", p->id, w->wwn, w->model, w->serial,
		       (int64_t)w->capacity, w->firmware, w->port, w->device,
		       (int64_t)w->apart);
	else
		sql_do(h, SQL_DRIVE_WHO, "itttnttti", p->id, w->wwn, w->model, w->serial,
		       w->firmware, w->port, w->device, (int64_t)w->apart);
}

void who_find(struct history *h, struct arena *a, struct who *drives, size_t n)
{
	struct finder f = { .h = h, .arena = a, .drives = drives, .n = n };

	if (past_list(h, a, &f.past) < 0)
		return;
	distrust_shared_wwns(&f);
	mark_twins(&f);
	for (size_t i = 0; i < n && !h->error; i++) {
		struct past_drive *p = find_past(&f, &drives[i]);

		if (p) {
			p->taken = true;
			take_past(&f, &drives[i], p);
		} else {
			add_drive(&f, &drives[i]);
		}
	}
}
