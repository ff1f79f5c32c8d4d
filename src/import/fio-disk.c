/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sda: ios=54013/1836, merge=291/17, ticks=251660/11052, in_queue=262668, util=99.51% */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/fio.h"

/* "54013/1836": reads and writes */
static bool take_pair(const char *s, uint64_t *ret)
{
	struct scan sc = { s };

	return scan_u64(&sc, &ret[0]) && scan_text(&sc, "/") && scan_u64(&sc, &ret[1]) &&
	       scan_end(&sc);
}

static bool read_disk_item(struct fio *f, struct fio_disk *d, const struct fio_line *l,
			   const struct fio_item *it)
{
	static const struct {
		const char *key;
		enum fact_id reads, writes;
	} pairs[] = {
		{ "ios", FACT_DISK_READS, FACT_DISK_WRITES },
		{ "merge", FACT_DISK_READ_MERGES, FACT_DISK_WRITE_MERGES },
		{ "ticks", FACT_DISK_READ_MS, FACT_DISK_WRITE_MS },
		{ "sectors", FACT_COUNT, FACT_COUNT },
	};
	char text[64];
	uint64_t v[2];
	struct scan sc = { text };
	struct decimal dec;

	if (str_starts(it->key, "aggr")) {
		d->aggregate =
			true; /* means of the disks below, which have their lines */
		return true;
	}
	if (!fio_item_text(it, text, sizeof(text)))
		return false;
	for (size_t i = 0; i < array_size(pairs); i++) {
		if (!str_equal(pairs[i].key, it->key))
			continue;
		if (!take_pair(text, v) || (it->last && l->open))
			return false;
		if (pairs[i].reads == FACT_COUNT)
			return true;
		fio_set_u64(f, &d->values, pairs[i].reads, 0, v[0], l->first);
		fio_set_u64(f, &d->values, pairs[i].writes, 0, v[1], l->first);
		return true;
	}
	if (str_equal(it->key, "in_queue")) {
		if (!scan_u64(&sc, &v[0]) || !scan_end(&sc) || (it->last && l->open))
			return false;
		fio_set_u64(f, &d->values, FACT_DISK_QUEUE_MS, 0, v[0], l->first);
		return true;
	}
	if (!str_equal(it->key, "util") || !scan_decimal(&sc, &dec) ||
	    !scan_text(&sc, "%") || !scan_end(&sc) || !decimal_scale(dec, 10000, &v[0]))
		return false;
	fio_set_u64(f, &d->values, FACT_DISK_UTIL, 0, v[0], l->first);
	return true;
}

struct fio_disk *fio_disk_named(struct fio *f, const char *name, size_t len, size_t line)
{
	struct fio_batch *b = fio_batch(f);
	char *copy;

	for (size_t i = 0; i < b->n_disks; i++) {
		if (strlen(b->disks[i].name) == len &&
		    !strncmp(b->disks[i].name, name, len))
			return &b->disks[i];
	}
	copy = arena_strndup(f->arena, name, len);
	if (!copy)
		f->error = -ENOMEM;
	return copy ? fio_new_disk(f, copy, line) : NULL;
}

void fio_read_disk(struct fio *f, const struct fio_line *l)
{
	const char *colon = strchr(l->text, ':');
	struct fio_item it;
	struct fio_disk *d;
	struct scan sc;
	bool good = true;

	if (!fio_batch(f) && !fio_new_batch(f, l->first))
		return;
	fio_batch(f)->phase = FIO_PHASE_GROUPS;
	f->job = f->run = 0;
	d = colon ? fio_disk_named(f, l->text, (size_t)(colon - l->text), l->first)
		  : NULL;
	if (!d)
		return;
	d->aggregate |= str_starts(d->name, "dm-") || str_starts(d->name, "md");
	sc.p = colon + 1;
	while (fio_next_item(&sc, &it)) {
		if (read_disk_item(f, d, l, &it))
			continue;
		fio_note(f, l->first,
			 "disk %s: \"%.40s\" cannot be read: this value is left out",
			 d->name, it.key[0] ? it.key : it.value);
		good = false;
	}
	fio_claim_read(f, l, good);
}
