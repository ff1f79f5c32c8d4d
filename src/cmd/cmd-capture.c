/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture: write what was read as a capture, to keep, to send, to make a test of. */
#include <stdio.h>
#include <unistd.h>

#include "capture/anonymise.h"
#include "capture/file.h"
#include "cmd/session.h"
#include "config.h"

static int write_capture(struct session *s, const struct options *o)
{
	struct buf out cleanup_buf = { 0 };

	/* a fixed key: the same drive keeps its pseudonym from one capture to the next */
	if (o->anonymise && capture_anonymise(&s->capture, 0) < 0)
		return EXIT_INTERNAL;
	if (capture_file_write(&s->capture, PACKAGE_STRING, &out) < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return s->status ? EXIT_CANNOT_TELL : EXIT_OK;
}

static int run_capture(const struct options *o)
{
	struct session s = { 0 };
	int status = session_read(&s, o);

	if (!status)
		status = write_capture(&s, o);
	session_print_messages(&s);
	session_done(&s);
	return status;
}

const struct command cmd_capture = {
	.name = "capture",
	.arguments = "TARGET...",
	.help = "write a capture file, drivewhy-capture(5)",
	.run = run_capture,
};
