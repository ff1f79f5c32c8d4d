/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Process 1 of a virtual machine. It mounts what a script needs, loads the modules listed in $MODULES,
 * runs $SCRIPT, leaves its exit status and turns the machine off. In user-mode Linux the host's files
 * are the root, read-only, /run/out is the folder $OUT of the host, and the status goes to /run/out/rc.
 * Where there is no $OUT all comes from an initial RAM disk, and what the script prints, and the status
 * behind it, go to the second serial port.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void say(const char *what)
{
	(void)fprintf(stderr, "init: %s: %s\n", what, strerror(errno));
}

static void mount_on(const char *type, const char *where, const char *options)
{
	if (mount("none", where, type, 0, options) < 0)
		say(where);
}

static void load(char *path)
{
	int fd;

	path[strcspn(path, "\n")] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != EEXIST))
		say(path);
	if (fd >= 0)
		(void)close(fd);
}

static void load_modules(const char *list)
{
	FILE *f = fopen(list, "re");
	char path[4096];

	while (f && fgets(path, sizeof(path), f))
		load(path);
	if (f)
		(void)fclose(f);
}

/* The second serial port becomes what the script writes to. */
static void use_port(void)
{
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		say("/dev/ttyS1");
	else
		(void)dup2(fd, STDOUT_FILENO);
}

static void leave(const char *out, int rc)
{
	FILE *f = out ? fopen("/run/out/rc", "we") : NULL;

	if (f) {
		(void)fprintf(f, "%d\n", rc);
		(void)fclose(f);
	} else {
		(void)printf("rc=%d\n", rc);
		(void)fflush(stdout);
		(void)tcdrain(STDOUT_FILENO);
	}
}

static int run(const char *script)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		(void)execl("/bin/sh", "sh", script, (char *)NULL);
		_exit(127);
	}
	while (waitpid(-1, &status, 0) != pid)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void)
{
	const char *out = getenv("OUT"), *modules = getenv("MODULES"),
		   *script = getenv("SCRIPT");
	int rc;

	mount_on("proc", "/proc", NULL);
	mount_on("sysfs", "/sys", NULL);
	mount_on("tmpfs", "/run", NULL);
	if (!out) {
		mount_on("devtmpfs", "/dev", NULL);
		use_port();
	}
	(void)mkdir("/dev/pts", 0755);
	mount_on("devpts", "/dev/pts", "ptmxmode=666");
	(void)mkdir("/run/out", 0755);
	if (out)
		mount_on("hostfs", "/run/out", out);
	(void)setenv("PATH",
		     "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	(void)setenv("TMPDIR", "/run", 1);
	if (modules)
		load_modules(modules);
	if (out)
		mount_on("configfs", "/sys/kernel/config", NULL);
	rc = script ? run(script) : 126;
	leave(out, rc);
	sync();
	(void)reboot(RB_POWER_OFF);
	return 1;
}
