/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which posted reports speak of the same drive. A serial number or WWN decides; without one the
 * device name or the port does, unless model or capacity contradict it. The model alone decides only
 * when no other drive of the case has it: two equal drives in one machine are common.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "decode/part.h"

/* What people write over a serial number before they post it is the same for all their drives. */
static bool is_placeholder(const char *text)
{
	static const char *const words[] = {
		"anonymised", "anonymized", "hidden",	"masked",      "n/a",
		"none",	      "omitted",    "redacted", "removed",     "serial",
		"snipped",    "stripped",   "unknown",	"unavailable",
	};
	size_t len;

	text += strspn(text, "<[({* ");
	len = strcspn(text, ">])}* ");
	for (size_t i = 0; i < array_size(words); i++)
		if (strlen(words[i]) == len && strncasecmp(text, words[i], len) == 0)
			return !text[len + strspn(text + len, ">])}* ")];
	return false;
}

bool merge_is_identity(const char *text)
{
	if (!text || is_placeholder(text))
		return false;
	for (; *text; text++)
		if (!strchr("Xx0-.* ", *text))
			return true;
	return false;
}

void merge_device_name(const char *name, char *ret, size_t size)
{
	const char *base = str_after(name, "/dev/");
	size_t len;

	if (!base)
		base = name;
	len = strlen(base);
	/* sda3 is a part of sda; nvme0n1 and md0 are whole as they are */
	if (str_starts(base, "sd") || str_starts(base, "hd") || str_starts(base, "vd"))
		while (len > 3 && str_is_digit(base[len - 1]))
			len--;
	if (len >= size)
		len = size - 1;
	memcpy(ret, base, len);
	ret[len] = '\0';
}

enum verdict { SAME, OTHER, OPEN };

static char small(char c)
{
	return c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Tools write the same name with "_" for blanks, in capitals, or "0x" before it. */
static const char *start_of(const char *s, enum fact_id id)
{
	while (*s == ' ')
		s++;
	return id == FACT_WWN && s[0] == '0' && small(s[1]) == 'x' ? s + 2 : s;
}

/* Some tell the first 16 letters of a model only, as SCSI has them. */
#define SHORT_MODEL 16u

static bool same_text(const char *x, const char *y, enum fact_id id)
{
	const char *a = start_of(x, id), *b = start_of(y, id), *begin = a;

	while (*a && *b && small(*a) == small(*b)) {
		bool blank = small(*a) == ' ';

		a++;
		b++;
		while (blank && small(*a) == ' ')
			a++;
		while (blank && small(*b) == ' ')
			b++;
	}
	if (id == FACT_MODEL && (!*a || !*b) && (size_t)(a - begin) >= SHORT_MODEL)
		return true;
	while (*a == ' ')
		a++;
	while (*b == ' ')
		b++;
	return !*a && !*b;
}

static enum verdict compare_text(const struct part *a, const struct part *b,
				 enum fact_id id)
{
	const char *x = part_text(a, id), *y = part_text(b, id);

	if (!x || !y)
		return OPEN;
	if ((id == FACT_SERIAL || id == FACT_WWN) &&
	    (!merge_is_identity(x) || !merge_is_identity(y)))
		return OPEN;
	return same_text(x, y, id) ? SAME : OTHER;
}

/* nvme0n1 and nvme0n1p2 are of nvme0, which is what speaks of its health. */
static void cut_namespace(char *name)
{
	if (str_starts(name, "nvme"))
		name[4 + strspn(name + 4, "0123456789")] = '\0';
}

static enum verdict compare_device(const struct part *a, const struct part *b)
{
	const char *x = part_text(a, FACT_DEVICE), *y = part_text(b, FACT_DEVICE);
	char p[64], q[64];

	if (!x || !y)
		return OPEN;
	merge_device_name(x, p, sizeof(p));
	merge_device_name(y, q, sizeof(q));
	cut_namespace(p);
	cut_namespace(q);
	return str_equal(p, q) ? SAME : OTHER;
}

/* Readings of one run are closer together than this. */
#define SAME_RUN_MS 120000

/* Read at the same time on two ports: two drives, whatever their makers put into them. */
static bool are_side_by_side(const struct part *a, const struct part *b)
{
	const char *x = part_text(a, FACT_PORT), *y = part_text(b, FACT_PORT);
	int64_t apart = a->snapshot.taken_ms - b->snapshot.taken_ms;

	return a->snapshot.role == ROLE_BEFORE && b->snapshot.role == ROLE_BEFORE && x &&
	       y && !str_equal(x, y) && a->snapshot.has_time && b->snapshot.has_time &&
	       apart < SAME_RUN_MS && apart > -SAME_RUN_MS;
}

static bool contradicts(const struct part *a, const struct part *b)
{
	const struct fact *x = part_fact(a, FACT_CAPACITY, 0);
	const struct fact *y = part_fact(b, FACT_CAPACITY, 0);

	return are_side_by_side(a, b) || compare_text(a, b, FACT_SERIAL) == OTHER ||
	       compare_text(a, b, FACT_WWN) == OTHER ||
	       compare_text(a, b, FACT_MODEL) == OTHER || (x && y && x->u != y->u);
}

static bool same_drive(const struct part *a, const struct part *b)
{
	if (a->subject == b->subject)
		return true;
	if (a->subject->kind == CAP_HOST || b->subject->kind == CAP_HOST)
		return a->subject->kind == b->subject->kind;
	if (contradicts(a, b))
		return false;
	return compare_text(a, b, FACT_SERIAL) == SAME ||
	       compare_text(a, b, FACT_WWN) == SAME || compare_device(a, b) == SAME ||
	       compare_text(a, b, FACT_PORT) == SAME;
}

/* ---- what names no drive, or only its model ---- */

static bool has_name(const struct part *p)
{
	static const enum fact_id ids[] = { FACT_SERIAL, FACT_WWN, FACT_DEVICE,
					    FACT_PORT };

	for (size_t i = 0; i < array_size(ids); i++)
		if (merge_is_identity(part_text(p, ids[i])))
			return true;
	return false;
}

/* Figures of a benchmark, and nothing that a drive said of itself. */
static bool is_measured(const struct part *p)
{
	for (size_t i = 0; i < p->n_facts; i++)
		if (p->facts[i].key.id < FACT_READ_SOURCE)
			return false;
	return p->n_facts > 0;
}

/* The one group of a named drive whose model this is; its leader, or UINT32_MAX for none or several. */
static uint32_t group_of_model(const struct decode *d, const uint32_t *leader, size_t at)
{
	const struct part *p = &d->parts.items[at];
	uint32_t found = UINT32_MAX;

	for (size_t i = 0; i < d->parts.n; i++) {
		const struct part *q = &d->parts.items[i];
		const struct fact *x = part_fact(p, FACT_CAPACITY, 0);
		const struct fact *y = part_fact(q, FACT_CAPACITY, 0);

		if (leader[i] == leader[at] || !has_name(q) ||
		    compare_text(p, q, FACT_MODEL) != SAME || (x && y && x->u != y->u) ||
		    compare_text(p, q, FACT_FIRMWARE) == OTHER)
			continue;
		if (found != UINT32_MAX && found != leader[i])
			return UINT32_MAX;
		found = leader[i];
	}
	return found;
}

static bool stands_alone(const struct decode *d, const uint32_t *leader, size_t at)
{
	for (size_t i = 0; i < d->parts.n; i++)
		if (i != at && leader[i] == leader[at])
			return false;
	return true;
}

/* The leader of a group is its first part. */
static void join(const struct decode *d, uint32_t *leader, size_t a, uint32_t b)
{
	uint32_t from = leader[a] > b ? leader[a] : b, to = leader[a] > b ? b : leader[a];

	for (size_t i = 0; i < d->parts.n; i++)
		if (leader[i] == from)
			leader[i] = to;
}

/* No part of one group speaks against a part of the other. */
static bool may_be_one(const struct decode *d, const uint32_t *leader, size_t a, size_t b)
{
	for (size_t i = 0; i <= b; i++)
		for (size_t k = 0; leader[i] == leader[a] && k <= b; k++)
			if (leader[k] == leader[b] &&
			    contradicts(&d->parts.items[i], &d->parts.items[k]))
				return false;
	return true;
}

/* Measurements of one text that name no drive ran on the same one, as far as anybody can tell. */
static void join_nameless(const struct decode *d, uint32_t *leader)
{
	for (size_t i = 0; i < d->parts.n; i++) {
		const struct part *p = &d->parts.items[i];
		uint32_t group;

		if (p->subject->kind == CAP_HOST || has_name(p) ||
		    p->snapshot.role != ROLE_IMPORT || !stands_alone(d, leader, i))
			continue;
		group = group_of_model(d, leader, i);
		if (part_text(p, FACT_MODEL) && group != UINT32_MAX)
			join(d, leader, i, group);
		for (size_t k = 0; k < i && is_measured(p); k++) {
			const struct part *q = &d->parts.items[k];

			if (q->subject->kind == CAP_HOST || has_name(q) ||
			    !is_measured(q) ||
			    !str_equal(p->snapshot.file, q->snapshot.file))
				continue;
			join(d, leader, i, leader[k]);
			break;
		}
	}
}

/* Beside drives that are named, measurements of none belong to nobody: the reader must know. */
static void say_nameless(const struct decode *d, const uint32_t *leader)
{
	size_t named = 0;

	for (size_t i = 0; i < d->parts.n; i++)
		named += d->parts.items[i].subject->kind == CAP_DRIVE &&
			 has_name(&d->parts.items[i]);
	for (size_t i = 0; named && i < d->parts.n; i++) {
		const struct part *p = &d->parts.items[i];

		if (p->subject->kind == CAP_HOST || has_name(p) || leader[i] != i ||
		    p->snapshot.role != ROLE_IMPORT || !stands_alone(d, leader, i))
			continue;
		diag_add(d->diag, DIAG_NOTE, p->snapshot.file, p->snapshot.line,
			 "what begins here names no drive: it stands apart, and is held "
			 "against none of the others");
	}
}

/* Attribute 9, or what SCSI and NVMe reports say themselves. */
static const struct fact *hours_of(const struct part *p)
{
	const struct fact *f = part_fact(p, FACT_ATTR_RAW, 9);

	return f ? f : part_fact(p, FACT_POWER_ON_HOURS, 0);
}

/*
 * Time order. Posted clocks are used only when every report of the drive has one, else the
 * drive's own hours, else the order in the text.
 */
static bool is_later(const struct decode *d, size_t a, size_t b, bool all_timed)
{
	const struct part *x = &d->parts.items[a], *y = &d->parts.items[b];
	const struct fact *p = hours_of(x), *q = hours_of(y);
	bool before = x->snapshot.role == ROLE_BASELINE;

	/* what the history remembers is older than what was read, whatever the clock says */
	if (before != (y->snapshot.role == ROLE_BASELINE))
		return !before;
	if (all_timed && x->snapshot.taken_ms != y->snapshot.taken_ms)
		return x->snapshot.taken_ms > y->snapshot.taken_ms;
	if (!all_timed && p && q && p->u != q->u)
		return p->u > q->u;
	return x->order > y->order;
}

/* Groups by hand-over: whoever equals one of a group and contradicts none belongs to it. */
static void group_parts(const struct decode *d, uint32_t *leader)
{
	for (size_t i = 0; i < d->parts.n; i++)
		leader[i] = UINT32_MAX;
	for (size_t i = 0; i < d->parts.n; i++) {
		leader[i] = (uint32_t)i;
		/* a serial number here may bring together what two device names told of */
		for (size_t k = 0; k < i; k++)
			if (leader[k] != leader[i] &&
			    same_drive(&d->parts.items[k], &d->parts.items[i]) &&
			    may_be_one(d, leader, k, i))
				join(d, leader, i, leader[k]);
	}
}

static int take_part(struct decode *d, struct drive *drive, struct part *p,
		     struct merge_places *places)
{
	uint32_t snapshot;
	int r;

	merge_renumber(places, p);
	p->snapshot.order = p->order;
	r = drive_add_snapshot(d->the_case, drive, p->snapshot, &snapshot);
	p->index = snapshot;
	for (size_t i = 0; r == 0 && i < p->n_facts; i++) {
		p->facts[i].snapshot = snapshot;
		r = drive_add_fact(d->the_case, drive, p->facts[i]);
	}
	return r;
}

static int take_group(struct decode *d, struct drive *drive, const uint32_t *leader,
		      uint32_t which)
{
	size_t *members = arena_alloc(d->arena, d->parts.n * sizeof(*members));
	struct merge_places places = { 0 };
	bool all_timed = true;
	size_t n = 0;

	if (!members)
		return -ENOMEM;
	for (size_t i = which; i < d->parts.n; i++) {
		if (leader[i] != which)
			continue;
		members[n++] = i;
		all_timed &= d->parts.items[i].snapshot.has_time;
	}
	for (size_t i = 1; i < n; i++)
		for (size_t k = i;
		     k > 0 && is_later(d, members[k - 1], members[k], all_timed); k--) {
			size_t swap = members[k];

			members[k] = members[k - 1];
			members[k - 1] = swap;
		}
	for (size_t i = 0; i < n; i++) {
		int r = take_part(d, drive, &d->parts.items[members[i]], &places);

		if (r < 0)
			return r;
	}
	return 0;
}

/* The one whole disk that tables of the host name ("Mean sda-await"), or NULL. */
static const char *disk_of_tables(struct decode *d)
{
	size_t n;
	const struct fact *rows = drive_facts(&d->the_case->host, FACT_CMP_ROW_NAME, &n);
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const char *name = strchr(rows[i].text, ' '), *dash;
		char *disk;

		if (!name || (!str_starts(name, " sd") && !str_starts(name, " hd") &&
			      !str_starts(name, " nvme")))
			continue;
		dash = strchr(name, '-');
		if (!dash)
			continue;
		disk = arena_strndup(d->arena, name + 1, (size_t)(dash - name - 1));
		if (!disk || (found && !str_equal(found, disk)))
			return NULL;
		found = disk;
	}
	return found;
}

int merge_add_nameless(struct decode *d)
{
	struct drive *drive;
	struct snapshot s = { .role = ROLE_IMPORT };
	uint32_t index;
	int r;

	if (d->the_case->n_drives || !d->parts.n)
		return 0;
	s.file = d->parts.items[0].snapshot.file;
	drive_seal(&d->the_case->host);
	drive = case_add_drive(d->the_case);
	if (!drive)
		return -ENOMEM;
	r = drive_add_snapshot(d->the_case, drive, s, &index);
	if (r == 0 && disk_of_tables(d))
		r = drive_add_fact(d->the_case, drive,
				   (struct fact){ .key = { FACT_DEVICE, 0, 0 },
						  .trust = TRUST_DERIVED,
						  .text = disk_of_tables(d) });
	return r;
}

int merge_parts(struct decode *d)
{
	uint32_t *leader = arena_alloc(d->arena, (d->parts.n + 1) * sizeof(*leader));

	if (!leader)
		return -ENOMEM;
	group_parts(d, leader);
	join_nameless(d, leader);
	merge_lone(d, leader);
	say_nameless(d, leader);
	for (size_t i = 0; i < d->parts.n; i++) {
		struct drive *drive = &d->the_case->host;
		int r;

		if (leader[i] != i)
			continue;
		if (d->parts.items[i].subject->kind == CAP_DRIVE)
			drive = case_add_drive(d->the_case);
		if (!drive)
			return -ENOMEM;
		r = take_group(d, drive, leader, (uint32_t)i);
		if (r < 0)
			return r;
	}
	return 0;
}
