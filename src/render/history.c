/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/history.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/words.h"
#include "config.h"
#include "render/json-value.h"
#include "render/sheet.h"

#define SPARKS HISTORY_SPARKS

static bool is_total(const struct series *s)
{
	return fact_get_info(s->key.id)->behaviour == BEHAVES_GROWS;
}

static int64_t last_value(const struct series *s)
{
	return s->n ? s->points[s->n - 1].value : s->has_before ? s->before : s->now;
}

/* --- text ------------------------------------------------------------------------------------------------ */

/* Rises a slot for what only grows, the newest level for what goes both ways. */
static void fill_slots(const struct past_view *v, const struct series *s,
		       int64_t slots[SPARKS], bool known[SPARKS])
{
	const struct time_slots times = { v->from, v->to, SPARKS };
	int64_t before = s->before;
	bool has = s->has_before;
	size_t at = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];
		size_t slot = time_slot(&times, p->at);

		if (is_total(s)) {
			slots[slot] += has && p->value > before ? p->value - before : 0;
			known[slot] = true;
		} else {
			/* it stayed where it was until it changed */
			for (; has && at < slot; at++) {
				slots[at] = before;
				known[at] = true;
			}
			slots[slot] = p->value;
			known[slot] = true;
			at = slot + 1;
		}
		before = p->value;
		has = true;
	}
	for (; !is_total(s) && has && at < SPARKS; at++) {
		slots[at] = before;
		known[at] = true;
	}
}

static void add_sparks(struct sheet *sheet, const struct past_view *v,
		       const struct series *s)
{
	static const char *const marks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int64_t slots[SPARKS] = { 0 }, least = INT64_MAX, most = INT64_MIN;
	bool known[SPARKS] = { 0 };

	fill_slots(v, s, slots, known);
	for (size_t i = 0; i < SPARKS; i++) {
		if (!known[i])
			continue;
		least = slots[i] < least ? slots[i] : least;
		most = slots[i] > most ? slots[i] : most;
	}
	for (size_t i = 0; i < SPARKS; i++) {
		uint64_t range, place;

		if (is_total(s) ? slots[i] <= 0 : !known[i]) {
			sheet_raw(sheet, STYLE_DIM, ".");
			continue;
		}
		if (is_total(s))
			least = 0;
		range = (uint64_t)most - (uint64_t)least;
		place = (uint64_t)slots[i] - (uint64_t)least;
		place = !range			 ? 0
			: range > UINT64_MAX / 7 ? place / (range / 7)
						 : place * 7 / range;
		sheet_raw(sheet, STYLE_PLAIN, "%s", marks[place > 7 ? 7 : place]);
	}
}

static void write_series(struct sheet *sheet, const struct past_view *v,
			 const struct series *s)
{
	struct buf name cleanup_buf = { 0 };
	int64_t rise = last_value(s) - (s->has_before ? s->before
					: s->n	      ? s->points[0].value
						      : last_value(s));

	fact_add_name(&name, s->key);
	sheet_begin(sheet, 2, 4);
	sheet_raw(sheet, STYLE_PLAIN, "%-26s", buf_text(&name));
	sheet_raw(sheet, STYLE_PLAIN, SHEET_GLUE);
	add_sparks(sheet, v, s);
	sheet_raw(sheet, STYLE_BOLD, SHEET_GLUE "%" PRId64, s->now);
	if (rise)
		sheet_raw(sheet, rise > 0 && is_total(s) ? STYLE_NOTE : STYLE_PLAIN,
			  SHEET_GLUE "(%+" PRId64 ")", rise);
	sheet_check(sheet, &name);
	sheet_end(sheet);
}

static void write_changes(struct sheet *sheet, const struct past_view *v)
{
	if (!v->n_changes)
		return;
	sheet_gap(sheet);
	for (size_t i = 0; i < v->n_changes; i++) {
		struct buf when cleanup_buf = { 0 };

		words_add_when(&when, v->changes[i].at, v->to);
		sheet_begin(sheet, 2, 4);
		sheet_raw(sheet, STYLE_DIM, "%s: ", buf_text(&when));
		if (v->changes[i].has_code)
			sheet_raw(sheet, STYLE_PLAIN, "%s ",
				  code_name(v->changes[i].code));
		sheet_text(sheet, STYLE_PLAIN, v->changes[i].text);
		sheet_check(sheet, &when);
		sheet_end(sheet);
	}
}

static void write_findings(struct sheet *sheet, const struct past_view *v)
{
	if (!v->n_findings)
		return;
	sheet_gap(sheet);
	for (size_t i = 0; i < v->n_findings; i++) {
		const struct check_finding *f = &v->findings[i];
		struct buf when cleanup_buf = { 0 };

		words_add_when(&when, f->since, v->to);
		sheet_begin(sheet, 2, 4);
		sheet_raw(sheet, STYLE_BOLD, "open: %s %s", code_name(f->code),
			  code_title(f->code));
		sheet_raw(sheet, STYLE_PLAIN, ", %s, since %s%s",
			  severity_name(f->severity), buf_text(&when),
			  f->acknowledged ? ", accepted" : "");
		sheet_check(sheet, &when);
		sheet_end(sheet);
	}
}

int render_history_text(const struct past_view *v, const struct render_options *o,
			struct buf *ret)
{
	struct buf when cleanup_buf = { 0 };
	struct sheet s;

	sheet_init(&s, o, ret);
	sheet_begin(&s, 0, 2);
	sheet_text(&s, STYLE_BOLD, v->head);
	sheet_end(&s);
	words_add_when(&when, v->n && v->from < v->first ? v->first : v->from, v->to);
	sheet_begin(&s, 0, 2);
	sheet_raw(&s, STYLE_DIM, "since %s", buf_text(&when));
	buf_clear(&when);
	words_add_when(&when, v->last, v->to);
	sheet_raw(&s, STYLE_DIM, "; last seen %s", buf_text(&when));
	sheet_check(&s, &when);
	sheet_end(&s);
	sheet_gap(&s);
	for (size_t i = 0; i < v->n; i++)
		if (o->verbose || v->series[i].n > 1 ||
		    (v->series[i].n && v->series[i].has_before))
			write_series(&s, v, &v->series[i]);
	write_changes(&s, v);
	write_findings(&s, v);
	sheet_done(&s);
	return buf_error(ret);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

/* Where the points stand: {"series": [{"points": [{ */
#define POINTS	    "\n      "
#define POINT	    POINTS "  "
#define POINT_FIELD POINT "  "

static void add_field(struct buf *b, const char *key, int64_t value, const char *end)
{
	buf_puts(b, POINT_FIELD "\"");
	buf_puts(b, key);
	buf_puts(b, "\": ");
	buf_put_s64(b, value);
	if (!json_is_exact(value))
		buf_printf(b, "," POINT_FIELD "\"%s_s\": \"%" PRId64 "\"", key, value);
	buf_puts(b, end);
}

/* As the other values of the document are written, each point an object. */
static struct json_object *new_points(struct json_writer *w, const struct series *s)
{
	struct buf b = { 0 };

	if (!s->n)
		return json_new_array(w);
	for (size_t i = 0; i < s->n; i++) {
		buf_puts(&b, i ? "," POINT "{" : "[" POINT "{");
		add_field(&b, "time", s->points[i].at, ",");
		add_field(&b, "value", s->points[i].value, ",");
		add_field(&b, "seconds", s->points[i].span, POINT "}");
	}
	buf_puts(&b, POINTS "]");
	return json_new_ready(w, &b);
}

static struct json_object *new_series(struct json_writer *w, const struct series *s)
{
	struct json_object *o = json_new_object(w);
	struct buf name cleanup_buf = { 0 };

	fact_add_name(&name, s->key);
	json_check(w, &name);
	json_put_text(w, o, "name", buf_text(&name));
	json_put_text(w, o, "unit", fact_unit_name(fact_get_info(s->key.id)->unit));
	json_put_bool(w, o, "total", is_total(s));
	json_put_s64(w, o, "now", s->now);
	json_put(w, o, "points", new_points(w, s));
	return o;
}

static void put_identity(struct json_writer *w, struct json_object *o,
			 const struct past_view *v)
{
	json_put_text(w, o, "model", v->model);
	json_put_text(w, o, "serial", v->serial);
	json_put_text(w, o, "wwn", v->wwn);
	json_put_text(w, o, "firmware", v->firmware);
	json_put_text(w, o, "port", v->port);
	json_put_text(w, o, "device", v->device);
	json_put_s64(w, o, "first_seen", v->first);
	json_put_s64(w, o, "last_seen", v->last);
}

static struct json_object *new_changes(struct json_writer *w, const struct past_view *v)
{
	struct json_object *list = json_new_array(w);

	for (size_t i = 0; i < v->n_changes; i++) {
		const struct change *c = &v->changes[i];
		struct json_object *o = json_new_object(w);

		json_put_s64(w, o, "time", c->at);
		json_put_text(w, o, "kind", change_name(c->kind));
		json_put_text(w, o, "severity", severity_name(c->severity));
		json_put_text(w, o, "code", c->has_code ? code_name(c->code) : NULL);
		json_put_text(w, o, "text", c->text);
		json_append(w, list, o);
	}
	return list;
}

int render_history_json(const struct past_view *v, struct buf *ret)
{
	struct json_writer w = { 0 };
	struct json_object *o = json_new_object(&w), *series = json_new_array(&w);

	json_put_text(&w, o, "version", PACKAGE_VERSION);
	put_identity(&w, o, v);
	for (size_t i = 0; i < v->n; i++)
		json_append(&w, series, new_series(&w, &v->series[i]));
	json_put(&w, o, "series", series);
	json_put(&w, o, "changes", new_changes(&w, v));
	return json_add_document(&w, o, ret);
}
