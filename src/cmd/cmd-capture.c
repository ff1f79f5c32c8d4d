/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture: write what was read as a capture, to keep, to send, to make a test of. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/siphash.h"
#include "base/str.h"
#include "capture/anonymise.h"
#include "capture/file.h"
#include "cmd/session.h"
#include "config.h"
#include "opinion/libatasmart.h"

/*
 * The key of the pseudonyms: the same drive keeps its pseudonym from one capture of this machine
 * to the next, and nobody without the machine can find the serial number by trying.
 */
static uint64_t pseudonym_key(void)
{
	char id[64];
	uint64_t key = 0;
	FILE *f = fopen("/etc/machine-id", "re");
	size_t n = f ? fread(id, 1, sizeof(id), f) : 0;

	if (f)
		(void)fclose(f);
	if (n >= 32)
		return siphash(UINT64_C(0x6472697665776879), 0,
			       span_of(id, n)) /* "drivewhy" */;
	/* no such file: then each capture has its own pseudonyms */
	(void)!getentropy(&key, sizeof(key));
	return key;
}

/* The pages of the one drive, its latest reading, as "skdump --save" writes them. */
static int write_blob(struct session *s)
{
	struct buf out cleanup_buf = { 0 };
	const struct cap_subject *drive = NULL;
	int r = -ENODATA;

	for (size_t i = 0; i < s->capture.n_subjects; i++) {
		if (s->capture.subjects[i].kind != CAP_DRIVE)
			continue;
		if (drive)
			return session_fail(s, EXIT_USAGE_ERROR, NULL,
					    "a blob holds one drive, here are several");
		drive = &s->capture.subjects[i];
	}
	for (size_t i = drive ? drive->n_snapshots : 0; r == -ENODATA && i-- > 0;) {
		buf_clear(&out);
		r = opinion_blob(&drive->snapshots[i], &out);
	}
	if (r == -ENODATA)
		return session_fail(s, EXIT_CANNOT_TELL, NULL,
				    "no blob: it needs IDENTIFY DEVICE, SMART data, "
				    "thresholds and status, all of them");
	if (r < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return s->status ? EXIT_CANNOT_TELL : EXIT_OK;
}

static int write_capture(struct session *s, const struct options *o)
{
	struct buf out cleanup_buf = { 0 };

	if (o->anonymise && capture_anonymise(&s->capture, pseudonym_key()) < 0)
		return EXIT_INTERNAL;
	if (str_equal(o->format, "skdump"))
		return write_blob(s);
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
	if (live_is_stopped())
		status = EXIT_INTERRUPTED;
	session_print_messages(&s);
	session_done(&s);
	return status;
}

const struct command cmd_capture = {
	.name = "capture",
	.arguments = "[TARGET]...",
	.help = "write a capture file, drivewhy-capture(5)",
	.run = run_capture,
};
