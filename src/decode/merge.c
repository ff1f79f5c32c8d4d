/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which posted reports speak of the same drive. A serial number or WWN decides; without one the
 * device name does, unless model or capacity contradict it. Nothing is merged on the model alone:
 * two equal drives in one machine are common.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "decode/part.h"

bool merge_is_identity(const char *text)
{
	if (!text)
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

static enum verdict compare_text(const struct part *a, const struct part *b,
				 enum fact_id id)
{
	const char *x = part_text(a, id), *y = part_text(b, id);

	if (!x || !y)
		return OPEN;
	if ((id == FACT_SERIAL || id == FACT_WWN) &&
	    (!merge_is_identity(x) || !merge_is_identity(y)))
		return OPEN;
	return str_equal(x, y) ? SAME : OTHER;
}

static enum verdict compare_device(const struct part *a, const struct part *b)
{
	const char *x = part_text(a, FACT_DEVICE), *y = part_text(b, FACT_DEVICE);
	char p[64], q[64];

	if (!x || !y)
		return OPEN;
	merge_device_name(x, p, sizeof(p));
	merge_device_name(y, q, sizeof(q));
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

static bool same_drive(const struct part *a, const struct part *b)
{
	enum verdict serial = compare_text(a, b, FACT_SERIAL);
	enum verdict wwn = compare_text(a, b, FACT_WWN);
	const struct fact *x = part_fact(a, FACT_CAPACITY, 0);
	const struct fact *y = part_fact(b, FACT_CAPACITY, 0);

	if (a->subject == b->subject)
		return true;
	if (a->subject->kind == CAP_HOST || b->subject->kind == CAP_HOST)
		return a->subject->kind == b->subject->kind;
	if (are_side_by_side(a, b))
		return false;
	if (serial == OTHER || wwn == OTHER || compare_text(a, b, FACT_MODEL) == OTHER ||
	    (x && y && x->u != y->u))
		return false;
	return serial == SAME || wwn == SAME || compare_device(a, b) == SAME;
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

/* Groups by hand-over: part i belongs with the first part it equals. */
static void group_parts(const struct decode *d, uint32_t *leader)
{
	for (size_t i = 0; i < d->parts.n; i++) {
		leader[i] = (uint32_t)i;
		for (size_t k = 0; k < i; k++) {
			if (leader[k] != (uint32_t)k)
				continue;
			for (size_t m = k; m < i; m++) {
				if (leader[m] == (uint32_t)k &&
				    same_drive(&d->parts.items[m], &d->parts.items[i])) {
					leader[i] = (uint32_t)k;
					break;
				}
			}
			if (leader[i] != (uint32_t)i)
				break;
		}
	}
}

static int take_part(struct decode *d, struct drive *drive, struct part *p)
{
	uint32_t snapshot;
	int r;

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
		int r = take_part(d, drive, &d->parts.items[members[i]]);

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
	merge_lone(d, leader);
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
