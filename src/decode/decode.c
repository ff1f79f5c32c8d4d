/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/decode.h"

#include <errno.h>

#include "base/str.h"
#include "decode/part.h"

/* How an item becomes facts; the id of an item starts with PREFIX. */
static const struct item_decoder {
	const char *prefix;
	int (*decode)(struct decode *d, struct part *p, const struct cap_item *item);
} decoders[] = {
	{ "facts/", decode_facts }, { "ata/", decode_page },
	{ "sysfs/", decode_sysfs }, { "host/", decode_host },
	{ "probe/", decode_probe }, { "kernel-log", decode_log_item },
};

/* Why there is nothing of it: the names that captures have for errors. */
static const struct {
	const char *error, *words;
} failures[] = {
	{ "ENODATA", "less came than was asked for" },
	{ "ETIMEDOUT", "the drive did not answer in time" },
	{ "ENODEV", "the drive vanished" },
	{ "EINTR", "the reading was stopped" },
	{ "EPERM", "this user may not send commands to the drive" },
	{ "EIO", "the drive ended the command with an error" },
};

/* Of what a drive does not have, and what was left alone, nobody needs to hear. */
static void say_failure(struct decode *d, const struct part *p,
			const struct cap_item *item)
{
	const char *error = cap_item_get(item, "error"), *words = "it could not be read";

	if (item->status != CAP_FAILED)
		return;
	for (size_t i = 0; i < array_size(failures); i++)
		if (str_equal(failures[i].error, error))
			words = failures[i].words;
	diag_add(d->diag, DIAG_NOTE, p->snapshot.file, 0, "%s: %s: not used", item->id,
		 words);
}

static int decode_item(struct decode *d, struct part *p, const struct cap_item *item)
{
	/* what a probe could not read is what it has to tell */
	if (item->status != CAP_OK && !str_starts(item->id, "probe/")) {
		say_failure(d, p, item);
		return 0;
	}
	for (size_t i = 0; i < array_size(decoders); i++)
		if (str_starts(item->id, decoders[i].prefix))
			return decoders[i].decode(d, p, item);
	diag_add(d->diag, DIAG_NOTE, p->snapshot.file, 0,
		 "item %s is not known to this version and was left out", item->id);
	return 0;
}

static enum snapshot_role role_of(enum cap_role role)
{
	static const enum snapshot_role roles[] = {
		[CAP_BEFORE] = ROLE_BEFORE,	[CAP_DURING] = ROLE_DURING,
		[CAP_AFTER] = ROLE_AFTER,	[CAP_IMPORT] = ROLE_IMPORT,
		[CAP_BASELINE] = ROLE_BASELINE,
	};

	return roles[role];
}

/* More reports than this in one case are a flood, not a case; grouping is quadratic. */
#define MAX_PARTS 256u

/* The earliest posted line, so that a report can be pointed at. */
static uint32_t first_line(const struct part *p)
{
	uint32_t line = 0;

	for (size_t i = 0; i < p->n_facts; i++) {
		uint32_t l = p->facts[i].origin.line;

		if (l && (!line || l < line))
			line = l;
	}
	return line;
}

static int decode_snapshot(struct decode *d, const struct cap_subject *subject,
			   const struct cap_snapshot *s)
{
	struct part *p = arena_push(d->arena, &d->parts.items, &d->parts.n, &d->parts.cap,
				    sizeof(*p));
	const char *time;

	if (!p)
		return -ENOMEM;
	if (d->parts.n > MAX_PARTS) {
		if (d->parts.n-- == MAX_PARTS + 1)
			diag_add(d->diag, DIAG_WARNING, s->source, 0,
				 "more than %u reports: the rest was left out",
				 MAX_PARTS);
		return 0;
	}
	p->subject = subject;
	p->source = s;
	p->order = (uint32_t)d->parts.n;
	p->snapshot.role = role_of(s->role);
	p->snapshot.has_time = s->has_time;
	p->snapshot.taken_ms = s->taken_ms;
	if (s->source) {
		p->snapshot.file = arena_strdup(d->arena, s->source);
		if (!p->snapshot.file)
			return -ENOMEM;
	}
	for (size_t i = 0; i < s->n_items; i++) {
		int r = decode_item(d, p, &s->items[i]);

		if (r < 0)
			return r;
	}
	p->snapshot.line = first_line(p);
	time = part_text(p, FACT_LOCAL_TIME);
	if (time && !p->snapshot.has_time)
		p->snapshot.has_time = local_time_parse(time, &p->snapshot.taken_ms);
	return 0;
}

static int decode_subjects(struct decode *d, const struct capture *c)
{
	for (size_t i = 0; i < c->n_subjects; i++) {
		const struct cap_subject *s = &c->subjects[i];

		for (size_t k = 0; k < s->n_snapshots; k++) {
			int r = decode_snapshot(d, s, &s->snapshots[k]);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* Each step looks up what the steps before it added. */
static int finish_drive(struct decode *d, struct drive *drive, const struct drivedb *db)
{
	int r;

	drive_seal(drive);
	r = expect_drive(d, drive, db);
	drive_seal(drive);
	if (r == 0)
		r = quantities_derive(d, drive);
	drive_seal(drive);
	if (r == 0)
		r = quantities_derive_other(d, drive);
	drive_seal(drive);
	if (r == 0)
		r = reads_derive(d, drive);
	if (r == 0)
		r = probe_derive(d, drive);
	drive_seal(drive);
	if (r == 0)
		r = attributes_describe(d, drive, db);
	drive_seal(drive);
	return r;
}

int decode_case(const struct capture *c, const struct drivedb *db, struct diag *diag,
		struct case_file *ret)
{
	struct case_file out = { 0 };
	struct decode d = { .arena = &out.arena, .diag = diag, .the_case = &out };
	int r = decode_subjects(&d, c);

	if (r == 0)
		r = merge_parts(&d);
	if (r == 0)
		r = klog_decode(&d);
	if (r == 0)
		r = merge_add_nameless(&d);
	for (size_t i = 0; r == 0 && i < out.n_drives; i++)
		r = finish_drive(&d, out.drives[i], db);
	if (r == 0) {
		out.database = arena_strdup(&out.arena, drivedb_version(db));
		r = out.database ? 0 : -ENOMEM;
	}
	if (r < 0) {
		case_done(&out);
		return r;
	}
	drive_seal(&out.host);
	r = expect_path(&d, &out.host, db);
	if (r < 0) {
		case_done(&out);
		return r;
	}
	drive_seal(&out.host);
	*ret = out;
	return 0;
}
