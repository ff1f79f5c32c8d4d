/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/preflight.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "device/sysfile.h"
#include "probe/lane.h"

#define MAX_PROCESSES 8192u
#define LEAST_BYTES   65536u /* less than this in the watch is not worth a name */
#define SLICE_NS      UINT64_C(20000000)

struct seen {
	uint64_t pid, read_bytes, written_bytes;
};

struct seen_list {
	struct seen *items;
	size_t n, cap;
	bool refused; /* some could not be read */
};

/* ---- who does I/O ---- */

static bool take_line(const char *text, const char *name, uint64_t *ret)
{
	const char *at = strstr(text, name);

	if (!at)
		return false;
	at += strlen(name);
	return str_take_u64(&at, 10, ret) == 0;
}

static int look_at(struct arena *a, const char *root, uint64_t pid, struct seen_list *ret)
{
	struct buf text cleanup_buf = { 0 };
	struct seen s = { .pid = pid }, *slot;
	char path[PATH_MAX];
	int r;

	(void)snprintf(path, sizeof(path), "%s/proc/%llu/io", root,
		       (unsigned long long)pid);
	r = sysfile_read(path, &text);
	if (r == -EACCES || r == -EPERM)
		ret->refused = true;
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (!take_line(buf_text(&text), "\nread_bytes: ", &s.read_bytes) ||
	    !take_line(buf_text(&text), "\nwrite_bytes: ", &s.written_bytes))
		return 0;
	slot = arena_push(a, &ret->items, &ret->n, &ret->cap, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = s;
	return 0;
}

static int look_around(struct arena *a, const char *root, struct seen_list *ret)
{
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d;
	int r = 0;

	(void)snprintf(path, sizeof(path), "%s/proc", root);
	d = opendir(path);
	while (d && r == 0 && ret->n < MAX_PROCESSES && (e = readdir(d))) {
		uint64_t pid;

		if (str_to_u64(e->d_name, &pid) == 0 && pid != (uint64_t)getpid())
			r = look_at(a, root, pid, ret);
	}
	if (d)
		(void)closedir(d);
	return r;
}

static uint64_t moved(const struct preflight_user *u)
{
	return u->read_bytes + u->written_bytes;
}

/* The busiest ones, busiest first. */
static void keep_user(struct preflight *p, struct preflight_user u)
{
	size_t at = p->n_users;

	while (at && moved(&p->users[at - 1]) < moved(&u))
		at--;
	if (at == PREFLIGHT_USERS)
		return;
	if (p->n_users < PREFLIGHT_USERS)
		p->n_users++;
	for (size_t i = p->n_users - 1; i > at; i--)
		p->users[i] = p->users[i - 1];
	p->users[at] = u;
}

static void compare(const struct seen_list *before, const struct seen_list *after,
		    struct preflight *p)
{
	for (size_t i = 0, k = 0; i < after->n; i++) {
		const struct seen *b = &after->items[i], *a = NULL;
		struct preflight_user u = { .pid = b->pid };

		/* /proc lists them in order; one that is new did all of it now */
		while (k < before->n && before->items[k].pid < b->pid)
			k++;
		if (k < before->n && before->items[k].pid == b->pid)
			a = &before->items[k];
		u.read_bytes = b->read_bytes - (a ? a->read_bytes : 0);
		u.written_bytes = b->written_bytes - (a ? a->written_bytes : 0);
		if (a && (b->read_bytes < a->read_bytes ||
			  b->written_bytes < a->written_bytes))
			continue; /* another process with that number */
		if (moved(&u) >= LEAST_BYTES)
			keep_user(p, u);
	}
	p->all_seen = !before->refused && !after->refused;
}

static void name_users(struct arena *a, const char *root, struct preflight *p)
{
	for (size_t i = 0; i < p->n_users; i++) {
		char dir[PATH_MAX];

		(void)snprintf(dir, sizeof(dir), "%s/proc/%llu", root,
			       (unsigned long long)p->users[i].pid);
		p->users[i].name = sysfile_line(a, dir, "comm");
		if (!p->users[i].name)
			p->users[i].name = "?";
	}
}

/* ---- what lies between ---- */

const char *preflight_resync(struct arena *a, const char *syspath)
{
	static const char *const idle[] = { "idle", "frozen" };
	char path[PATH_MAX];
	const char *found = NULL;
	struct dirent *e;
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/holders", syspath);
	d = opendir(path);
	while (d && !found && (e = readdir(d))) {
		char one[PATH_MAX];
		const char *action;

		if (!str_starts(e->d_name, "md") ||
		    snprintf(one, sizeof(one), "%s/%s", path, e->d_name) >=
			    (int)sizeof(one))
			continue;
		action = sysfile_line(a, one, "md/sync_action");
		if (action && !str_equal(action, idle[0]) && !str_equal(action, idle[1]))
			found = arena_printf(a, "%s: %s", e->d_name, action);
	}
	if (d)
		(void)closedir(d);
	return found;
}

/* The disk itself, and each of its partitions (folders with a file of that name). */
static const char *find_resync(struct arena *a, const char *syspath)
{
	const char *found = preflight_resync(a, syspath);
	struct dirent *e;
	DIR *d = found ? NULL : opendir(syspath);

	while (d && !found && (e = readdir(d))) {
		char one[PATH_MAX];

		if (e->d_name[0] != '.' &&
		    snprintf(one, sizeof(one), "%s/%s", syspath, e->d_name) <
			    (int)sizeof(one) &&
		    sysfile_exists(one, "partition"))
			found = preflight_resync(a, one);
	}
	if (d)
		(void)closedir(d);
	return found;
}

static void find_power(struct arena *a, const char *syspath, struct preflight *p)
{
	const char *status = sysfile_line(a, syspath, "device/power/runtime_status");

	p->suspended = str_equal(status, "suspended");
}

/* Not longer than asked for; Ctrl-C ends it. */
static void watch(struct target *t, uint64_t ns, const volatile sig_atomic_t *stop)
{
	uint64_t end = target_now(t) + ns, now;

	while ((now = target_now(t)) < end && !(stop && *stop))
		target_sleep(t, end - now < SLICE_NS ? end - now : SLICE_NS);
}

int preflight_look(struct target *t, struct arena *a, const char *root, uint64_t watch_ns,
		   const volatile sig_atomic_t *stop, struct preflight *ret)
{
	struct preflight p = { .done = true };
	struct seen_list before = { 0 }, after = { 0 };
	struct disk_counts first, last;
	int r;

	for (size_t i = 0; i < t->n_layers && i < PREFLIGHT_LAYERS; i++)
		p.layers[p.n_layers++] = t->layers[i];
	if (t->syspath) {
		p.resync = find_resync(a, t->syspath);
		find_power(a, t->syspath, &p);
	}
	/* nobody is to be watched: then nobody is looked for */
	if (!watch_ns) {
		*ret = p;
		return 0;
	}
	r = look_around(a, root, &before);
	if (r < 0)
		return r;
	p.watched = disk_counts_read(t, &first) == 0;
	if (p.watched) {
		watch(t, watch_ns, stop);
		p.watched = disk_counts_read(t, &last) == 0;
	}
	if (p.watched) {
		p.load = disk_counts_since(&first, &last);
		p.watch_ns = p.load.at_ns;
		r = look_around(a, root, &after);
		compare(&before, &after, &p);
		name_users(a, root, &p);
	}
	*ret = p;
	return r;
}
