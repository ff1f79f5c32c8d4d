/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The document for programs. Its shape is a promise, written down in drivewhy-json(5): keys are
 * added, never renamed; every key is always there, null or empty when nothing is known.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "config.h"
#include "render/formats.h"
#include "render/json-parts.h"

#define JSON_FORMAT 1u

static struct json_object *evidence(struct json_writer *w,
				    const struct evidence_list *list)
{
	struct json_object *array = json_new_array(w);

	for (size_t i = 0; i < list->n; i++) {
		const struct evidence *e = &list->items[i];
		const char *side = side_name(e->side), *clock = fact_clock_name(e->clock);
		struct json_object *o = json_new_object(w);

		json_put_text(w, o, "text", e->text);
		json_put_text(w, o, "source", e->source);
		json_put_text(w, o, "side", side[0] ? side : NULL);
		json_put_text(w, o, "clock", clock[0] ? clock : NULL);
		json_append(w, array, o);
	}
	return array;
}

static struct json_object *verdict(struct json_writer *w, const struct finding *f)
{
	struct json_object *o = json_new_object(w);

	json_put_text(w, o, "code", f ? code_name(f->code) : NULL);
	json_put_text(w, o, "title", f ? code_title(f->code) : NULL);
	json_put_text(w, o, "severity", f ? severity_name(f->severity) : NULL);
	json_put_text(w, o, "confidence", f ? confidence_name(f->confidence) : NULL);
	json_put_text(w, o, "headline", f ? f->headline : NULL);
	return o;
}

static struct json_object *findings(struct json_writer *w, const struct finding *list,
				    size_t n)
{
	struct json_object *array = json_new_array(w);

	for (size_t i = 0; i < n; i++) {
		const struct finding *f = &list[i];
		struct json_object *o = verdict(w, f);

		json_put_text(w, o, "where", f->where);
		json_put_text(w, o, "where_confidence",
			      f->where ? confidence_name(f->where_confidence) : NULL);
		json_put(w, o, "evidence", evidence(w, &f->evidence));
		json_put(w, o, "against", evidence(w, &f->against));
		json_put_texts(w, o, "next", &f->next);
		json_put_bool(w, o, "runner_up", f->runner_up);
		json_append(w, array, o);
	}
	return array;
}

static struct json_object *identity(struct json_writer *w, const struct drive *d)
{
	static const struct {
		const char *key;
		enum fact_id id;
	} rows[] = {
		{ "model", FACT_MODEL },
		{ "firmware", FACT_FIRMWARE },
		{ "serial", FACT_SERIAL },
		{ "wwn", FACT_WWN },
		{ "capacity_bytes", FACT_CAPACITY },
		{ "rotation_rpm", FACT_ROTATION },
		{ "bus", FACT_BUS },
		{ "device", FACT_DEVICE },
	};
	struct json_object *o = json_new_object(w);

	for (size_t i = 0; i < array_size(rows); i++)
		json_put_drive_fact(w, o, rows[i].key, d, rows[i].id, 0, 0);
	return o;
}

static struct json_object *link_speeds(struct json_writer *w, const struct drive *d)
{
	static const struct {
		const char *key;
		enum fact_id id;
	} rows[] = {
		{ "current_gbps", FACT_LINK_CURRENT },
		{ "device_max_gbps", FACT_LINK_DEVICE_MAX },
		{ "port_max_gbps", FACT_LINK_PORT_MAX },
		{ "limit_gbps", FACT_LINK_LIMIT },
	};
	struct json_object *o = json_new_object(w);

	for (size_t i = 0; i < array_size(rows); i++)
		json_put_drive_decimal(w, o, rows[i].key, d, rows[i].id, 0, 0, 3);
	return o;
}

static struct json_object *counter(struct json_writer *w, const struct phy_counter *c)
{
	const char *direction = phy_direction_name(c->direction);
	struct json_object *o = json_new_object(w);
	char hex[16];

	(void)snprintf(hex, sizeof(hex), "0x%04x", c->id);
	json_put_u64(w, o, "id", c->id);
	json_put_text(w, o, "hex", hex);
	json_put_text(w, o, "name", c->name);
	json_put_text(w, o, "direction", direction[0] ? direction : NULL);
	json_put_u64(w, o, "size", c->size_bytes);
	json_put_u64(w, o, "value", c->value);
	json_put_bool(w, o, "saturated", c->saturated);
	json_put_bool(w, o, "error", c->is_error);
	json_put_text(w, o, "trust", phy_trust_name(c->trust));
	json_put_text(w, o, "reason", c->reason);
	if (c->has_delta)
		json_put_s64(w, o, "delta", c->delta);
	else
		json_put(w, o, "delta", NULL);
	return o;
}

static struct json_object *phy(struct json_writer *w, const struct phy_page *p)
{
	struct json_object *o = json_new_object(w), *counters = json_new_array(w);

	if (p->has_trust)
		json_put_u64(w, o, "trust", p->trust_percent);
	else
		json_put(w, o, "trust", NULL);
	json_put_texts(w, o, "reasons", &p->reasons);
	json_put_text(w, o, "direction", p->direction);
	json_put_bool(w, o, "swapped", p->swapped);
	for (size_t i = 0; i < p->n; i++)
		json_append(w, counters, counter(w, &p->counters[i]));
	json_put(w, o, "counters", counters);
	return o;
}

static struct json_object *ignored(struct json_writer *w, const struct drive_report *d)
{
	struct json_object *array = json_new_array(w);

	for (size_t i = 0; i < d->n_ignored; i++) {
		struct json_object *o = json_new_object(w);

		json_put_text(w, o, "what", d->ignored[i].what);
		json_put_text(w, o, "why", d->ignored[i].why);
		json_append(w, array, o);
	}
	return array;
}

static struct json_object *drive(struct json_writer *w, const struct drive_report *d)
{
	struct json_object *o = json_new_object(w), *coverage = json_new_object(w);

	json_put(w, o, "identity", identity(w, d->drive));
	json_put(w, o, "verdict", verdict(w, d->n_findings ? &d->findings[0] : NULL));
	json_put(w, o, "findings", findings(w, d->findings, d->n_findings));
	json_put(w, o, "ignored", ignored(w, d));
	json_put_texts(w, o, "not_tested", &d->not_tested);
	json_put_u64(w, coverage, "percent", d->coverage_percent);
	json_put_texts(w, coverage, "missing", &d->missing);
	json_put(w, o, "coverage", coverage);
	json_put(w, o, "facts", json_facts(w, d->drive));
	json_put(w, o, "phy", phy(w, &d->phy));
	json_put(w, o, "link", link_speeds(w, d->drive));
	json_put(w, o, "kernel_events", json_events(w, d->drive));
	json_put_u64(w, o, "kernel_events_left_out", d->drive->events_left_out);
	json_put(w, o, "reads", json_reads(w, d->drive));
	json_put_tables(w, o, d->drive);
	json_put(w, o, "snapshots", json_snapshots(w, d->drive));
	json_put(w, o, "trend", json_trend(w, d->drive));
	return o;
}

static struct json_object *host(struct json_writer *w, const struct report *r)
{
	struct json_object *o = json_new_object(w);
	const struct drive *d = &r->the_case->host;

	json_put(w, o, "findings", findings(w, r->host_findings, r->n_host_findings));
	json_put_host_tables(w, o, d);
	json_put(w, o, "facts", json_facts(w, d));
	json_put(w, o, "kernel_events", json_events(w, d));
	json_put_u64(w, o, "kernel_events_left_out", d->events_left_out);
	json_put(w, o, "reads", json_reads(w, d));
	return o;
}

static struct json_object *messages(struct json_writer *w, const struct diag *d)
{
	struct json_object *array = json_new_array(w);

	for (size_t i = 0; i < d->n; i++) {
		const struct diag_message *m = &d->items[i];
		struct json_object *o = json_new_object(w);

		json_put_text(w, o, "severity", diag_severity_name(m->severity));
		json_put_text(w, o, "text", m->text);
		json_put_text(w, o, "file", m->file);
		if (m->line)
			json_put_u64(w, o, "line", m->line);
		else
			json_put(w, o, "line", NULL);
		if (m->has_byte)
			json_put_u64(w, o, "byte", m->byte);
		else
			json_put(w, o, "byte", NULL);
		json_append(w, array, o);
	}
	return array;
}

static struct json_object *about(struct json_writer *w, const struct report *r)
{
	struct json_object *o = json_new_object(w);

	json_put_text(w, o, "version", PACKAGE_VERSION);
	json_put_u64(w, o, "format", JSON_FORMAT);
	json_put_text(w, o, "database", r->the_case->database);
	json_put_text(w, o, "severity", severity_name(report_worst(r)));
	return o;
}

/* Takes O. */
static void add_member(struct buf *ret, const char *key, struct json_object *o)
{
	buf_printf(ret, "  \"%s\": ", key);
	json_add_value(ret, o, 1);
	buf_puts(ret, ",\n");
	json_object_put(o);
}

/* One drive after the other: the objects of hundreds of drives are much larger than their text. */
static void add_drives(struct json_writer *w, const struct report *r, struct buf *ret)
{
	if (!r->n_drives) {
		add_member(ret, "drives", json_new_array(w));
		return;
	}
	buf_puts(ret, "  \"drives\": [");
	for (size_t i = 0; i < r->n_drives; i++) {
		struct json_object *o = drive(w, &r->drives[i]);

		buf_puts(ret, i ? ",\n    " : "\n    ");
		json_add_value(ret, o, 2);
		json_object_put(o);
	}
	buf_puts(ret, "\n  ],\n");
}

int json_write(const struct report *r, const struct diag *d,
	       const struct render_options *o, struct buf *ret)
{
	struct json_writer w = { 0 };

	(void)o; /* a program wants the same document always */
	buf_puts(ret, "{\n");
	add_member(ret, "drivewhy", about(&w, r));
	add_drives(&w, r, ret);
	add_member(ret, "host", host(&w, r));
	add_member(ret, "messages", messages(&w, d));
	buf_printf(ret, "  \"messages_dropped\": %zu\n}\n", d->dropped);
	return w.failed ? -ENOMEM : buf_error(ret);
}
