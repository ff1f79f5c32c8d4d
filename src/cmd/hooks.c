/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/notify.h"

#define HOOK_SECONDS 60
#define HOOKS_MAX    100u

/* run-parts(8): letters, digits, '_' and '-': no copy of an editor or a package manager. */
static int is_hook_name(const struct dirent *e)
{
	const char *s = e->d_name;

	if (!*s)
		return 0;
	for (; *s; s++)
		if (!str_is_alpha(*s) && !str_is_digit(*s) && *s != '_' && *s != '-')
			return 0;
	return 1;
}

/* --- what a hook is told: our own names, and those that scripts for smartd know ------------------------ */

struct environment {
	struct arena arena;
	char *items[32];
	size_t n;
};

static void put(struct environment *e, const char *name, const char *value)
{
	struct buf safe cleanup_buf = { 0 };
	char *item;

	if (!value || e->n + 1 >= array_size(e->items))
		return;
	str_add_escaped(&safe, value, 2000);
	item = arena_printf(&e->arena, "%s=%s", name, buf_text(&safe));
	if (item)
		e->items[e->n++] = item;
}

static const char *smartd_type(enum change_kind kind)
{
	switch (kind) {
	case CHANGE_FOUND:
	case CHANGE_WORSE:
	case CHANGE_GREW:
		return "Health";
	case CHANGE_RISE:
		return "Usage";
	case CHANGE_UNREADABLE:
	case CHANGE_GONE:
		return "FailedOpenDevice";
	case CHANGE_HOT:
		return "Temperature";
	case CHANGE_NEW:
	case CHANGE_BACK:
	case CHANGE_MOVED:
	case CHANGE_FIRMWARE:
	case CHANGE_HEALED:
	case CHANGE_SLOWER:
	case CHANGE_FASTER:
	case CHANGE_READABLE:
	case CHANGE_APART:
	case CHANGE_REMIND:
	case CHANGE_WELL:
	case CHANGE_LOG:
	case CHANGE_CLOCK:
	case CHANGE_KINDS:
		break;
	}
	return "EmailTest";
}

static void fill(struct environment *e, const struct check_report *r,
		 const struct change *c)
{
	const char *path = getenv("PATH");
	const struct check_drive *d =
		c->drive < r->n_drives ? &r->drives[c->drive] : NULL;

	put(e, "PATH", path ? path : "/usr/sbin:/usr/bin:/sbin:/bin");
	put(e, "DRIVEWHY_CHANGE", change_name(c->kind));
	put(e, "DRIVEWHY_SEVERITY", severity_name(c->severity));
	put(e, "DRIVEWHY_CODE", c->has_code ? code_name(c->code) : "");
	put(e, "DRIVEWHY_DRIVE", c->head ? c->head : "");
	put(e, "DRIVEWHY_MESSAGE", c->text);
	put(e, "DRIVEWHY_DEVICE", d ? d->device : "");
	put(e, "DRIVEWHY_SERIAL", d ? d->serial : "");
	put(e, "DRIVEWHY_MODEL", d ? d->model : "");
	put(e, "DRIVEWHY_PORT", d ? d->port : "");
	put(e, "SMARTD_DEVICE", d ? d->device : "");
	put(e, "SMARTD_DEVICESTRING", d ? d->device : "");
	put(e, "SMARTD_FAILTYPE", smartd_type(c->kind));
	put(e, "SMARTD_MESSAGE", c->text);
	put(e, "SMARTD_FULLMESSAGE", c->text);
	e->items[e->n] = NULL;
}

/* --- running one ---------------------------------------------------------------------------------------- */

/* Its own process group, so that what it started ends with it. */
static int start(const char *path, char *const *environment, pid_t *ret)
{
	char *const argv[] = { (char *)(uintptr_t)path, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int e;

	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	(void)posix_spawn_file_actions_init(&files);
	(void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
					       O_RDONLY, 0);
	/* what a hook says is for the same reader as what we say of it, not part of a report */
	(void)posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	e = posix_spawn(ret, path, &files, &attributes, argv, environment);
	(void)posix_spawn_file_actions_destroy(&files);
	(void)posix_spawnattr_destroy(&attributes);
	return -e;
}

static int wait_for(pid_t pid, int *ret_status)
{
	const struct timespec step = { .tv_nsec = 20000000 };

	for (unsigned i = 0; i < HOOK_SECONDS * 50; i++) {
		pid_t r = waitpid(pid, ret_status, WNOHANG);

		if (r == pid)
			return 0;
		if (r < 0 && errno != EINTR)
			return -errno;
		(void)nanosleep(&step, NULL);
	}
	(void)kill(-pid, SIGKILL);
	(void)waitpid(pid, ret_status, 0);
	return -ETIMEDOUT;
}

static void run_hook(const char *path, char *const *environment, struct diag *d)
{
	pid_t pid;
	int status = 0, r = start(path, environment, &pid);

	if (r == 0)
		r = wait_for(pid, &status);
	if (r == -ETIMEDOUT)
		diag_add(d, DIAG_WARNING, path, 0, "killed: it took more than %d seconds",
			 HOOK_SECONDS);
	else if (r < 0)
		diag_add(d, DIAG_WARNING, path, 0, "%s", strerror(-r));
	else if (WIFSIGNALED(status))
		diag_add(d, DIAG_WARNING, path, 0, "ended by signal %d",
			 WTERMSIG(status));
	else if (WEXITSTATUS(status))
		diag_add(d, DIAG_WARNING, path, 0, "ended with status %d",
			 WEXITSTATUS(status));
}

/* As root, only what root alone may change is run. */
static bool may_run(const char *path, struct diag *d)
{
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || access(path, X_OK) < 0)
		return false;
	if (geteuid() == 0 && (st.st_uid != 0 || (st.st_mode & S_IWOTH))) {
		diag_add(d, DIAG_WARNING, path, 0,
			 "not run: it belongs to another user, or anybody may change it");
		return false;
	}
	return true;
}

static void run_all(const char *folder, struct dirent **names, int n,
		    const struct check_report *r, struct diag *d)
{
	for (int i = 0; i < n && i < (int)HOOKS_MAX; i++) {
		char path[PATH_MAX];

		if (snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name) >=
			    (int)sizeof(path) ||
		    !may_run(path, d))
			continue;
		for (size_t k = 0; k < r->changes.n; k++) {
			struct environment e = { 0 };

			fill(&e, r, &r->changes.items[k]);
			run_hook(path, e.items, d);
			arena_done(&e.arena);
		}
	}
}

void notify_hooks(const struct check_report *r, const char *folder, struct diag *d)
{
	struct dirent **names = NULL;
	int n;

	if (!r->changes.n)
		return;
	n = scandir(folder, &names, is_hook_name, alphasort);
	if (n < 0)
		diag_add(d, DIAG_WARNING, folder, 0, "%s", strerror(errno));
	else
		run_all(folder, names, n, r, d);
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}
