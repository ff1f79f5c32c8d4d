/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's export format: NAME=VALUE lines, or NAME, a length of 8 bytes and the value where that
 * has control characters, and an empty line behind each entry.
 */
#include "device/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

#define FIELD_MAX  65536u
#define WAIT_MS	   20000
#define BOOT_US	   2000000 /* the kernel's first messages come that early */
#define LENGTH_LEN 8u

enum state { STATE_LINE, STATE_LENGTH, STATE_VALUE };

struct journal_reader {
	enum state state;
	struct buf name, value, message;
	uint64_t left; /* of a binary value; what is beyond FIELD_MAX is passed over */
	bool has_message, has_time, is_kernel;
	uint64_t us;
};

struct journal_reader *journal_new(void)
{
	return calloc(1, sizeof(struct journal_reader));
}

void journal_free(struct journal_reader *j)
{
	if (!j)
		return;
	buf_done(&j->name);
	buf_done(&j->value);
	buf_done(&j->message);
	free(j);
}

static void end_entry(struct journal_reader *j, struct kmsg_log *log)
{
	if (j->has_message && j->has_time && j->is_kernel && j->us < INT64_MAX / 2)
		kmsg_add(log, (int64_t)j->us, buf_text(&j->message), j->message.len);
	j->has_message = j->has_time = j->is_kernel = false;
	buf_clear(&j->message);
}

static void end_field(struct journal_reader *j)
{
	const char *name = buf_text(&j->name);

	if (str_equal(name, "MESSAGE")) {
		buf_clear(&j->message);
		buf_add(&j->message, buf_text(&j->value), j->value.len);
		j->has_message = true;
	} else if (str_equal(name, "_SOURCE_MONOTONIC_TIMESTAMP")) {
		j->has_time = str_to_u64(buf_text(&j->value), &j->us) == 0;
	} else if (str_equal(name, "_TRANSPORT")) {
		j->is_kernel = str_equal(buf_text(&j->value), "kernel");
	}
	buf_clear(&j->name);
	buf_clear(&j->value);
}

/* A whole line: empty, NAME=VALUE, or the name of a binary value. */
static void end_line(struct journal_reader *j, struct kmsg_log *log)
{
	const char *line = buf_text(&j->value), *eq = strchr(line, '=');

	if (!j->value.len) {
		end_entry(j, log);
		return;
	}
	buf_clear(&j->name);
	if (!eq) {
		buf_add(&j->name, line, j->value.len);
		buf_clear(&j->value);
		j->state = STATE_LENGTH;
		return;
	}
	buf_add(&j->name, line, (size_t)(eq - line));
	memmove(j->value.data, eq + 1, strlen(eq + 1) + 1);
	j->value.len = strlen(j->value.data);
	end_field(j);
}

static void take_length(struct journal_reader *j, uint8_t byte)
{
	buf_putc(&j->value, (char)byte);
	if (j->value.len < LENGTH_LEN)
		return;
	j->left = 0;
	for (unsigned i = LENGTH_LEN; i > 0 && !j->value.failed; i--)
		j->left = j->left << 8 | (uint8_t)j->value.data[i - 1];
	buf_clear(&j->value);
	j->state = STATE_VALUE;
}

static void take_byte(struct journal_reader *j, char c, struct kmsg_log *log)
{
	if (j->state == STATE_LENGTH) {
		take_length(j, (uint8_t)c);
	} else if (j->state == STATE_VALUE) {
		if (!j->left) { /* the line break behind it */
			end_field(j);
			j->state = STATE_LINE;
			return;
		}
		j->left--;
		if (j->value.len < FIELD_MAX)
			buf_putc(&j->value, c ? c : ' ');
	} else if (c == '\n') {
		end_line(j, log);
	} else if (j->value.len < FIELD_MAX) {
		buf_putc(&j->value, c ? c : ' ');
	}
}

int journal_take(struct journal_reader *j, const char *bytes, size_t n,
		 struct kmsg_log *ret)
{
	for (size_t i = 0; i < n; i++)
		take_byte(j, bytes[i], ret);
	if (!n) {
		end_entry(j, ret);
		/* journald takes what the kernel had before it began; it may start late all the same */
		ret->complete = ret->has_first && ret->first_us < BOOT_US;
	}
	if (buf_error(&j->name) < 0 || buf_error(&j->value) < 0 ||
	    buf_error(&j->message) < 0)
		return -ENOMEM;
	return buf_error(&ret->body);
}

/* --- the program ---------------------------------------------------------------------------------------- */

static int start(pid_t *ret_pid, int *ret_fd)
{
	static const char *const paths[] = { "/usr/bin/journalctl", "/bin/journalctl" };
	char words[][72] = {
		"journalctl",
		"-k",
		"-b",
		"-q",
		"--no-pager",
		"-o",
		"export",
		"--output-fields=MESSAGE,_TRANSPORT,_SOURCE_MONOTONIC_TIMESTAMP",
	};
	char settings[][24] = { "LC_ALL=C", "PATH=/usr/bin:/bin" };
	char *argv[array_size(words) + 1] = { NULL };
	char *const environment[] = { settings[0], settings[1], NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], r;

	for (size_t i = 0; i < array_size(words); i++)
		argv[i] = words[i];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	r = -posix_spawn_file_actions_init(&actions);
	if (r == 0)
		r = -posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY,
						      0);
	if (r == 0)
		r = -posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
	if (r == 0)
		r = -posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY,
						      0);
	for (size_t i = 0; i < array_size(paths) && r == 0; i++) {
		r = -posix_spawn(ret_pid, paths[i], &actions, NULL, argv, environment);
		if (r != -ENOENT)
			break;
		r = i + 1 < array_size(paths) ? 0 : r;
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(fds[1]);
	if (r < 0)
		(void)close(fds[0]);
	*ret_fd = fds[0];
	return r;
}

static int64_t now_ms(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) < 0)
		return 0;
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int read_all(int fd, struct journal_reader *j, struct kmsg_log *log)
{
	int64_t end = now_ms() + WAIT_MS;
	static const size_t size = 65536;
	char *bytes = malloc(size);
	int r = bytes ? 0 : -ENOMEM;

	while (r == 0) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - now_ms();
		int ready = left > 0 ? poll(&p, 1, (int)left) : 0;
		ssize_t n;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			r = ready ? -errno : -ETIMEDOUT;
			break;
		}
		n = read(fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r = -errno;
		else
			r = journal_take(j, bytes, (size_t)n, log);
		if (n == 0)
			break;
	}
	free(bytes);
	return r;
}

int journal_read(struct kmsg_log *ret)
{
	struct journal_reader *j = journal_new();
	struct kmsg_log log = { 0 };
	pid_t pid = 0;
	int fd = -1, status = 0, r = j ? start(&pid, &fd) : -ENOMEM;

	if (r == 0) {
		r = read_all(fd, j, &log);
		(void)close(fd);
		if (r < 0)
			(void)kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (r == 0 && (!WIFEXITED(status) || WEXITSTATUS(status)))
			r = -EIO;
	}
	journal_free(j);
	if (r < 0)
		kmsg_done(&log);
	else
		*ret = log;
	return r;
}
