/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal's native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): one datagram a record, one
 * FIELD=VALUE a line. A value with a line end would need the binary form: ours have none left.
 */
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/notify.h"

#define SOCKET_PATH "/run/systemd/journal/socket"

static int priority_of(enum severity severity)
{
	switch (severity) {
	case SEVERITY_OK:
	case SEVERITY_NOTE:
		return LOG_NOTICE;
	case SEVERITY_UNKNOWN:
	case SEVERITY_WARNING:
		return LOG_WARNING;
	case SEVERITY_CRITICAL:
		return LOG_CRIT;
	}
	return LOG_NOTICE;
}

static void add_field(struct buf *b, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(b, "%s=", name);
	str_add_escaped(b, value, 4000);
	buf_putc(b, '\n');
}

static void add_message(struct buf *b, const struct change *c)
{
	if (c->has_code)
		buf_printf(b, "%s ", code_name(c->code));
	if (c->head) {
		str_add_escaped(b, c->head, 400);
		buf_puts(b, ": ");
	}
	str_add_escaped(b, c->text, 2000);
}

static void add_record(struct buf *b, const struct check_report *r,
		       const struct change *c)
{
	buf_puts(b, "MESSAGE=");
	add_message(b, c);
	buf_printf(b, "\nPRIORITY=%d\n", priority_of(c->severity));
	add_field(b, "MESSAGE_ID", change_message_id(c->kind));
	add_field(b, "SYSLOG_IDENTIFIER", "drivewhy");
	add_field(b, "DRIVEWHY_CHANGE", change_name(c->kind));
	add_field(b, "DRIVEWHY_CODE", c->has_code ? code_name(c->code) : NULL);
	if (c->drive >= r->n_drives)
		return;
	add_field(b, "DEVNAME", r->drives[c->drive].device);
	add_field(b, "ID_SERIAL_SHORT", r->drives[c->drive].serial);
	add_field(b, "ID_WWN", r->drives[c->drive].wwn);
	add_field(b, "DRIVEWHY_PORT", r->drives[c->drive].port);
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	int fd;

	if (len >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path, path, len + 1);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 &&
	    connect(fd, (const struct sockaddr *)&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len + 1)) < 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

static void to_syslog(const struct change *c)
{
	struct buf b cleanup_buf = { 0 };

	add_message(&b, c);
	syslog(LOG_DAEMON | priority_of(c->severity), "[%s] %s", change_name(c->kind),
	       buf_text(&b));
}

void notify_journal(const struct check_report *r, const char *socket_path)
{
	int fd = connect_to(socket_path ? socket_path : SOCKET_PATH);

	if (fd < 0)
		openlog("drivewhy", LOG_PID, LOG_DAEMON);
	for (size_t i = 0; i < r->changes.n; i++) {
		struct buf b cleanup_buf = { 0 };

		add_record(&b, r, &r->changes.items[i]);
		if (fd < 0 || send(fd, buf_text(&b), b.len, MSG_NOSIGNAL) < 0)
			to_syslog(&r->changes.items[i]);
	}
	if (fd >= 0)
		(void)close(fd);
}
