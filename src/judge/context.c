/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/context.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"

const char *judge_text(struct judge *j, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(&j->report->arena, format, ap);
	va_end(ap);
	if (!text)
		j->error = -ENOMEM;
	return text ? text : "";
}

struct finding *judge_found(struct judge *j, enum code code, enum severity severity,
			    enum confidence confidence, const char *format, ...)
{
	struct finding *f =
		arena_push(&j->report->arena, &j->r->findings, &j->r->n_findings,
			   &j->r->cap_findings, sizeof(*f));
	va_list ap;

	if (!f) {
		j->error = -ENOMEM;
		j->dropped = (struct finding){ 0 };
		return &j->dropped;
	}
	f->code = code;
	f->severity = severity;
	f->confidence = confidence;
	va_start(ap, format);
	f->headline = arena_vprintf(&j->report->arena, format, ap);
	va_end(ap);
	if (!f->headline) {
		j->error = -ENOMEM;
		f->headline = "";
	}
	return f;
}

static void add_evidence(struct judge *j, struct evidence_list *list, enum side side,
			 const struct fact *fact, const char *text)
{
	struct evidence *e = arena_push(&j->report->arena, &list->items, &list->n,
					&list->cap, sizeof(*e));

	if (!e) {
		j->error = -ENOMEM;
		return;
	}
	e->text = text;
	e->side = side;
	e->clock = fact ? fact_get_info(fact->key.id)->clock : CLOCK_NO_CLOCK;
	e->source = fact ? judge_source(j, fact) : "";
}

/* Both lists are made the same way; only their name differs for the reader of a rule. */
void judge_for(struct judge *j, struct finding *f, enum side side,
	       const struct fact *fact, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(&j->report->arena, format, ap);
	va_end(ap);
	add_evidence(j, &f->evidence, side, fact, text ? text : "");
}

void judge_against(struct judge *j, struct finding *f, enum side side,
		   const struct fact *fact, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(&j->report->arena, format, ap);
	va_end(ap);
	add_evidence(j, &f->against, side, fact, text ? text : "");
}

void judge_list(struct judge *j, struct text_list *list, const char *text)
{
	const char **slot = arena_push(&j->report->arena, &list->items, &list->n,
				       &list->cap, sizeof(*slot));

	if (!slot)
		j->error = -ENOMEM;
	else
		*slot = text;
}

void judge_next(struct judge *j, struct finding *f, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(&j->report->arena, format, ap);
	va_end(ap);
	if (text)
		judge_list(j, &f->next, text);
	else
		j->error = -ENOMEM;
}

void judge_ignore(struct judge *j, const char *what, const char *why)
{
	struct ignored *slot;

	/* two rules may look at the same number */
	for (size_t i = 0; i < j->r->n_ignored; i++)
		if (str_equal(j->r->ignored[i].what, what) &&
		    str_equal(j->r->ignored[i].why, why))
			return;
	slot = arena_push(&j->report->arena, &j->r->ignored, &j->r->n_ignored,
			  &j->r->cap_ignored, sizeof(*slot));
	if (!slot)
		j->error = -ENOMEM;
	else
		*slot = (struct ignored){ .what = what, .why = why };
}

const char *judge_source(struct judge *j, const struct fact *fact)
{
	const struct fact_origin *o = &fact->origin;

	if (fact->trust == TRUST_DATABASE)
		return judge_text(j, "database %s:%u", o->file ? o->file : "?", o->line);
	if (o->width)
		return judge_text(j, "%s byte %u", o->item, o->offset);
	if (!o->line)
		return o->item ? o->item : "";
	if (o->file && !j->one_file)
		return judge_text(j, "%s:%u", o->file, o->line);
	return judge_text(j, "line %u", o->line);
}

const char *judge_number(struct judge *j, uint64_t n)
{
	struct buf b cleanup_buf = { 0 };

	str_add_grouped(&b, n);
	return judge_text(j, "%s", buf_text(&b));
}

const char *judge_count(struct judge *j, uint64_t n, const char *one, const char *more)
{
	return judge_text(j, "%s %s", judge_number(j, n), n == 1 ? one : more);
}

/* SCSI and NVMe drives tell some quantities in one place only. */
static const char *teller_of_others(const struct fact *fact)
{
	static const struct {
		enum fact_id id;
		const char *text;
	} rows[] = {
		{ FACT_REALLOCATED, "grown defect list" },
		{ FACT_REPORTED_UNCORR, "media and data integrity errors" },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].id == fact->key.id)
			return rows[i].text;
	return "the drive";
}

/* The derived fact keeps the place of its source: the source at that place names itself. */
const char *judge_teller(struct judge *j, const struct fact *fact)
{
	static const enum fact_id tellers[] = { FACT_ATTR_RAW, FACT_ATTR_VALUE,
						FACT_STAT_VALUE };

	for (size_t t = 0; t < array_size(tellers); t++) {
		size_t n;
		const struct fact *f = drive_facts(j->d, tellers[t], &n);

		for (size_t i = 0; i < n; i++) {
			if (f[i].snapshot != fact->snapshot ||
			    f[i].origin.line != fact->origin.line ||
			    f[i].origin.item != fact->origin.item ||
			    f[i].origin.offset != fact->origin.offset)
				continue;
			if (tellers[t] == FACT_STAT_VALUE)
				return judge_text(j, "device statistics %02xh/%03xh",
						  f[i].key.i, f[i].key.j);
			return judge_text(j, "attribute %u", f[i].key.i);
		}
	}
	return teller_of_others(fact);
}

const char *judge_device(struct judge *j)
{
	const char *device = drive_text(j->d, FACT_DEVICE, 0, 0), *type;

	if (!device)
		return str_equal(drive_text(j->d, FACT_BUS, 0, 0), "nvme") ? "/dev/nvmeX"
									   : "/dev/sdX";
	if (device[0] == '/')
		return device;
	/* one of several behind a controller: "bus/0 [megaraid,4]" */
	type = strstr(device, " [");
	if (type && str_ends(device, "]"))
		return judge_text(j, "-d %.*s /dev/%.*s", (int)strlen(type + 2) - 1,
				  type + 2, (int)(type - device), device);
	return judge_text(j, "/dev/%s", device);
}

bool judge_is_ssd(const struct judge *j)
{
	uint64_t rpm;
	const char *class = drive_text(j->d, FACT_DB_CLASS, 0, 0);

	if (drive_u64(j->d, FACT_ROTATION, 0, 0, &rpm) ||
	    drive_u64(j->d, FACT_DB_ROTATION, 0, 0, &rpm))
		return rpm == 0;
	/* a bridge that knows nothing says 1, so 0 is a word of the drive's */
	if (drive_fact(j->d, FACT_HOST_ROTATIONAL, 0, 0) &&
	    !drive_flag(j->d, FACT_HOST_ROTATIONAL, 0))
		return true;
	return class && str_starts(class, "ssd");
}

bool judge_is_rotating(const struct judge *j)
{
	uint64_t rpm;
	const char *class = drive_text(j->d, FACT_DB_CLASS, 0, 0);

	if (drive_u64(j->d, FACT_ROTATION, 0, 0, &rpm) ||
	    drive_u64(j->d, FACT_DB_ROTATION, 0, 0, &rpm))
		return rpm != 0;
	return class && str_starts(class, "hdd");
}

/* Pages that were read say so themselves, also when there is nothing in them. */
static const struct {
	const char *section;
	enum fact_id id;
} read_marks[] = {
	{ "errorlog", FACT_ERRORLOG_READ },
	{ "selftest", FACT_SELFTEST_LOG_READ },
	{ "attributes", FACT_ATTR_VALUE },
};

bool judge_has_section(const struct judge *j, const char *name)
{
	size_t n;
	const struct fact *f = drive_facts(j->d, FACT_POSTED_SECTION, &n);

	for (size_t i = 0; i < n; i++)
		if (str_equal(f[i].text, name))
			return true;
	for (size_t i = 0; i < array_size(read_marks); i++)
		if (str_equal(read_marks[i].section, name) &&
		    drive_facts(j->d, read_marks[i].id, &n))
			return true;
	return false;
}

void judge_note_latest(struct judge *j)
{
	for (size_t i = 0; i < FACT_COUNT; i++)
		j->latest[i] = 0;
	for (size_t i = 0; i < j->d->n_facts; i++) {
		const struct fact *f = &j->d->facts[i];

		if (f->snapshot > j->latest[f->key.id])
			j->latest[f->key.id] = f->snapshot;
	}
}

bool judge_is_current(const struct judge *j, const struct fact *fact)
{
	return fact->snapshot == j->latest[fact->key.id];
}

/* Logs keep hours in 16 bits: they wrap after seven and a half years. */
bool judge_age_hours(const struct judge *j, uint64_t stamp, uint64_t *ret)
{
	uint64_t now;

	if (!drive_u64(j->d, FACT_POWER_ON_HOURS, 0, 0, &now))
		return false;
	if (now > 65535 && stamp <= 65535) {
		*ret = (now - stamp) % 65536;
		return true;
	}
	if (stamp > now + 1)
		return false;
	*ret = stamp > now ? 0 : now - stamp;
	return true;
}
