/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document of a check: drivewhy-json(5), THE CHECK. */
#include "config.h"
#include "render/check.h"
#include "render/json-value.h"

static struct json_object *new_change(struct json_writer *w, const struct change *c)
{
	struct json_object *o = json_new_object(w);

	json_put_text(w, o, "kind", change_name(c->kind));
	json_put_text(w, o, "severity", severity_name(c->severity));
	json_put_text(w, o, "code", c->has_code ? code_name(c->code) : NULL);
	json_put_text(w, o, "drive", c->head);
	json_put_text(w, o, "text", c->text);
	json_put_s64(w, o, "time", c->at);
	return o;
}

static struct json_object *new_finding(struct json_writer *w,
				       const struct check_finding *f)
{
	struct json_object *o = json_new_object(w);

	json_put_text(w, o, "code", code_name(f->code));
	json_put_text(w, o, "title", code_title(f->code));
	json_put_text(w, o, "severity", severity_name(f->severity));
	json_put_text(w, o, "confidence", confidence_name(f->confidence));
	json_put_text(w, o, "headline", f->headline);
	json_put_bool(w, o, "acknowledged", f->acknowledged);
	json_put_s64(w, o, "since", f->since);
	return o;
}

static struct json_object *new_totals(struct json_writer *w, const struct check_drive *d)
{
	struct json_object *o = json_new_object(w);

	for (size_t i = 0; i < d->n_totals; i++) {
		struct buf name cleanup_buf = { 0 };

		fact_add_name(&name, d->totals[i].key);
		json_check(w, &name);
		json_put_u64(w, o, buf_text(&name), d->totals[i].total);
	}
	return o;
}

static struct json_object *new_drive(struct json_writer *w, const struct check_drive *d)
{
	struct json_object *o = json_new_object(w), *list = json_new_array(w);

	json_put_text(w, o, "state", check_state_name(d->state));
	json_put_text(w, o, "model", d->model);
	json_put_text(w, o, "serial", d->serial);
	json_put_text(w, o, "wwn", d->wwn);
	json_put_text(w, o, "firmware", d->firmware);
	json_put_text(w, o, "port", d->port);
	json_put_text(w, o, "device", d->device);
	json_put_text(w, o, "severity", severity_name(d->severity));
	json_put_s64(w, o, "last_read", d->last_read);
	for (size_t i = 0; i < d->n_findings; i++)
		json_append(w, list, new_finding(w, &d->findings[i]));
	json_put(w, o, "findings", list);
	json_put(w, o, "totals", new_totals(w, d));
	return o;
}

static struct json_object *new_message(struct json_writer *w,
				       const struct diag_message *m)
{
	struct json_object *o = json_new_object(w);

	json_put_text(w, o, "severity", diag_severity_name(m->severity));
	json_put_text(w, o, "text", m->text);
	json_put_text(w, o, "file", m->file);
	return o;
}

static struct json_object *new_head(struct json_writer *w)
{
	struct json_object *o = json_new_object(w);

	json_put_text(w, o, "version", PACKAGE_VERSION);
	json_put_u64(w, o, "format", 1);
	return o;
}

int render_check_json(const struct check_report *r, const struct diag *d, struct buf *ret)
{
	struct json_writer w = { 0 };
	struct json_object *o = json_new_object(&w), *changes = json_new_array(&w),
			   *drives = json_new_array(&w), *messages = json_new_array(&w);

	json_put(&w, o, "drivewhy", new_head(&w));
	json_put_s64(&w, o, "time", r->at);
	json_put_text(&w, o, "severity", severity_name(check_worst(r)));
	json_put_bool(&w, o, "kernel_log", r->kernel_log == CHECK_LOG_READ);
	json_put_bool(&w, o, "stored", r->stored);
	for (size_t i = 0; i < r->changes.n; i++)
		json_append(&w, changes, new_change(&w, &r->changes.items[i]));
	json_put(&w, o, "changes", changes);
	for (size_t i = 0; i < r->n_drives; i++)
		json_append(&w, drives, new_drive(&w, &r->drives[i]));
	json_put(&w, o, "drives", drives);
	for (size_t i = 0; i < d->n; i++)
		json_append(&w, messages, new_message(&w, &d->items[i]));
	json_put(&w, o, "messages", messages);
	return json_add_document(&w, o, ret);
}
