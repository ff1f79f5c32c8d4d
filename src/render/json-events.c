/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of kernel logs. What an event does not tell is null. */
#include "render/json-parts.h"

static void put_number(struct json_writer *w, struct json_object *o, const char *key,
		       bool has, uint64_t value)
{
	if (has)
		json_put_u64(w, o, key, value);
	else
		json_put(w, o, key, NULL);
}

static void put_buf(struct json_writer *w, struct json_object *o, const char *key,
		    struct buf *text)
{
	json_put_text(w, o, key, text->len ? buf_text(text) : NULL);
	json_check(w, text);
	buf_clear(text);
}

/* Seconds since boot with their microseconds, and the log's own clock. */
static void put_time(struct json_writer *w, struct json_object *o,
		     const struct event_time *t)
{
	struct event_time wall = { .has_wall = t->has_wall,
				   .wall_has_year = t->wall_has_year,
				   .wall_us = t->wall_us };
	struct buf text cleanup_buf = { 0 };

	event_add_time(&text, t);
	put_buf(w, o, "time", &text);
	if (t->has_monotonic)
		json_put_decimal(w, o, "since_boot_seconds", t->monotonic_us, 6);
	else
		json_put(w, o, "since_boot_seconds", NULL);
	event_add_time(&text, &wall);
	put_buf(w, o, "wall_clock", &text);
}

static void put_place(struct json_writer *w, struct json_object *o, const struct event *e)
{
	struct buf text cleanup_buf = { 0 };

	if (e->ata_port)
		event_add_place(&text, e);
	put_buf(w, o, "port", &text);
	if (e->device)
		buf_puts(&text, e->device);
	put_buf(w, o, "device", &text);
	if (e->has & EVENT_HAS_SCSI)
		buf_printf(&text, "%u:%u:%u:%u", e->scsi[0], e->scsi[1], e->scsi[2],
			   e->scsi[3]);
	put_buf(w, o, "scsi", &text);
}

static void put_numbers(struct json_writer *w, struct json_object *o,
			const struct event *e)
{
	const struct {
		const char *key;
		uint32_t has;
		uint64_t value;
	} rows[] = {
		{ "emask", EVENT_HAS_EMASK, e->emask },
		{ "serror", EVENT_HAS_SERR, e->serr },
		{ "irq_stat", EVENT_HAS_IRQ_STAT, e->irq_stat },
		{ "command", EVENT_HAS_COMMAND, e->command },
		{ "status", EVENT_HAS_RESULT, e->status },
		{ "error", EVENT_HAS_RESULT, e->error },
		{ "lba", EVENT_HAS_LBA, e->lba },
		{ "link_mbps", EVENT_HAS_SPEED, e->speed_mbps },
		{ "sense_key", EVENT_HAS_SENSE, e->sense_key },
		{ "asc", EVENT_HAS_ASC, e->asc },
		{ "ascq", EVENT_HAS_ASC, e->ascq },
		{ "code", EVENT_HAS_CODE, e->code },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		put_number(w, o, rows[i].key, (e->has & rows[i].has) != 0, rows[i].value);
	if (e->has & EVENT_HAS_ERRNO)
		json_put_s64(w, o, "errno", e->error_number);
	else
		json_put(w, o, "errno", NULL);
}

static struct json_object *one_event(struct json_writer *w, const struct event *e)
{
	struct json_object *o = json_new_object(w);
	struct buf names cleanup_buf = { 0 };

	put_time(w, o, &e->time);
	json_put_u64(w, o, "boots_ago", e->boots_ago);
	put_place(w, o, e);
	json_put_text(w, o, "class", event_class_name(e->class));
	json_put_text(w, o, "kind", event_kind_name(event_class_kind(e->class)));
	put_numbers(w, o, e);
	if (e->has & EVENT_HAS_SERR)
		event_add_serr(&names, e->serr);
	put_buf(w, o, "serror_names", &names);
	json_put_text(w, o, "direction",
		      !e->has_direction ? NULL
		      : e->is_write	? "write"
					: "read");
	put_number(w, o, "commands", e->commands > 0, e->commands);
	json_put_bool(w, o, "culprit_known", e->culprit_known);
	json_put_bool(w, o, "near_sleep", e->near_sleep);
	json_put_bool(w, o, "near_boot", e->near_boot);
	json_put_bool(w, o, "together", e->together);
	json_put_bool(w, o, "optical", e->optical);
	json_put_text(w, o, "text", e->text);
	json_put_text(w, o, "file", e->origin.file);
	put_number(w, o, "line", e->origin.line > 0, e->origin.line);
	return o;
}

struct json_object *json_events(struct json_writer *w, const struct drive *d)
{
	struct json_object *array = json_new_array(w);

	for (size_t i = 0; i < d->n_events; i++)
		json_append(w, array, one_event(w, &d->events[i]));
	return array;
}
