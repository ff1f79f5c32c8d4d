/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/past.h"

#include "base/str.h"
#include "model/check.h"

static void list_all(struct session *s, const struct past_drives *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct past_drive *d = &l->items[i];

		diag_add(&s->diag, DIAG_NOTE, NULL, 0,
			 "known: %s%s%s, serial %s, on %s%s", d->device ? d->device : "",
			 d->device ? ": " : "", d->model ? d->model : "?",
			 d->serial ? d->serial : "?", d->port ? d->port : "?",
			 d->state == CHECK_GONE ? ", gone" : "");
	}
}

/* A drive that is there says its serial number to everybody: no root is needed. */
static long choose_live(struct session *s, const struct options *o,
			const struct past_drives *l, const char *name)
{
	struct disk_pick pick = { 0 };
	size_t at = 0;

	if (live_list(s, o) ||
	    discover_resolve(&s->live.disks, o->sysroot, name, &pick) < 0 || pick.n != 1)
		return -1;
	for (int k = 0; k < 2; k++) {
		const struct disk *d = &s->live.disks.items[pick.items[0]];
		const char *known = k ? d->wwn : d->serial;

		if (known && past_match(l, known, &at) == 1)
			return (long)at;
	}
	return -1;
}

long past_choose(struct session *s, const struct options *o, const struct past_drives *l,
		 const char *name)
{
	size_t at = 0, n;
	long live = choose_live(s, o, l, name);

	if (live >= 0)
		return live;
	n = past_match(l, name, &at);
	if (n == 1)
		return (long)at;
	(void)session_fail(s, EXIT_NO_INPUT, name,
			   n ? "several drives have this name: take the serial number"
			     : "no such drive in the history");
	list_all(s, l);
	return -1;
}
