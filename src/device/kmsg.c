/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /dev/kmsg (Documentation/ABI/testing/dev-kmsg): a record a read, "PRIORITY,SEQUENCE,TIME,FLAGS;TEXT".
 * The buffer of the kernel is a ring: when its first record is not number 0, the boot is lost.
 */
#include "device/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/kernel-log.h"
#include "device/journal.h"
#include "device/record.h"

#define RECORD_MAX  8192u    /* CONSOLE_EXT_LOG_MAX of the kernel */
#define RECORDS_MAX 4000000u /* a ring that grows as fast as it is read is left at last */
#define BODY_MAX    (12u << 20) /* below CAP_MAX_ITEM_BYTES */
#define SECOND_US   1000000

void kmsg_done(struct kmsg_log *log)
{
	buf_done(&log->body);
	*log = (struct kmsg_log){ 0 };
}

void kmsg_add(struct kmsg_log *log, int64_t us, const char *text, size_t len)
{
	struct klog_line l = {
		.time = { .has_monotonic = true, .fine = true, .monotonic_us = us },
		.text = text,
		.len = len
	};

	if (!log->has_first)
		log->first_us = us;
	log->has_first = true;
	log->messages++;
	if (!klog_is_wanted(text, len))
		return;
	if (log->body.len > BODY_MAX)
		log->complete = false;
	else
		klog_add_line(&log->body, &l);
}

/* "6,339,5140900,-;text\n KEY=value\n" */
/* False for one of another form. */
static bool take_record(struct kmsg_log *log, const char *s, uint64_t *ret_sequence)
{
	struct buf text cleanup_buf = { 0 };
	const char *end = strchr(s, '\n'), *semicolon = strchr(s, ';');
	uint64_t priority, sequence, us;

	if (str_take_u64(&s, 10, &priority) < 0 || *s++ != ',' ||
	    str_take_u64(&s, 10, &sequence) < 0 || *s++ != ',' ||
	    str_take_u64(&s, 10, &us) < 0 || us > INT64_MAX / 2 || !semicolon)
		return false;
	*ret_sequence = sequence;
	if (priority >> 3) /* written by a program */
		return true;
	semicolon++;
	if (!end || end < semicolon)
		end = semicolon + strlen(semicolon);
	if (str_add_unescaped(&text, semicolon, (size_t)(end - semicolon)) < 0) {
		buf_clear(&text);
		buf_add(&text, semicolon, (size_t)(end - semicolon));
	}
	kmsg_add(log, (int64_t)us, buf_text(&text), text.len);
	log->body.failed |= text.failed;
	return true;
}

int kmsg_read(const struct kmsg_source *source, struct kmsg_log *ret)
{
	struct kmsg_log log = { .complete = true };
	char bytes[RECORD_MAX + 1];
	uint64_t next = 0;
	int r;

	for (uint32_t i = 0; i < RECORDS_MAX; i++) {
		uint64_t sequence = next;
		ssize_t n = source->read(source->context, bytes, RECORD_MAX);

		if (n == -EINTR)
			continue;
		if (n == -EPIPE) { /* overwritten while we read */
			log.complete = false;
			continue;
		}
		if (n == 0 || n == -EAGAIN)
			break;
		if (n < 0) {
			kmsg_done(&log);
			return (int)n;
		}
		bytes[n] = '\0';
		if (!take_record(&log, bytes, &sequence) || sequence != next)
			log.complete = false;
		next = sequence + 1;
	}
	r = buf_error(&log.body);
	if (r < 0)
		kmsg_done(&log);
	else
		*ret = log;
	return r;
}

static ssize_t read_device(void *context, char *bytes, size_t size)
{
	ssize_t n = read(*(const int *)context, bytes, size);

	return n < 0 ? -errno : n;
}

static int read_kmsg(struct kmsg_log *log)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC), r;
	struct kmsg_source source = { read_device, &fd };

	if (fd < 0)
		return -errno;
	r = kmsg_read(&source, log);
	(void)close(fd);
	return r;
}

static int add_item(struct capture *c, struct cap_snapshot *s, const struct kmsg_log *log,
		    const char *source)
{
	struct cap_item *item =
		capture_add_item(c, s, "kernel-log", CAP_OK, buf_span(&log->body));
	struct timespec now;
	char text[48];
	int r;

	if (!item)
		return -ENOMEM;
	r = cap_item_set(c, item, "source", source);
	if (r == 0)
		r = cap_item_set(c, item, "complete", log->complete ? "yes" : "no");
	(void)snprintf(text, sizeof(text), "%" PRIu64, log->messages);
	if (r == 0)
		r = cap_item_set(c, item, "messages", text);
	if (r == 0 && clock_gettime(CLOCK_MONOTONIC, &now) == 0) {
		(void)snprintf(text, sizeof(text), "%lld.%06ld", (long long)now.tv_sec,
			       now.tv_nsec / 1000);
		r = cap_item_set(c, item, "now", text);
	}
	return r;
}

/* Why there is none is worth knowing: root can, or there is no journal. */
static int add_failure(struct capture *c, struct cap_snapshot *s, int error)
{
	struct cap_item *item =
		capture_add_item(c, s, "kernel-log", CAP_SKIPPED, (struct span){ 0 });
	const char *name = record_error_name(error == EACCES ? EPERM : error);

	if (!item)
		return -ENOMEM;
	return cap_item_set(c, item, "error", name ? name : "EIO");
}

int kmsg_collect(struct capture *c, struct cap_snapshot *s)
{
	struct kmsg_log kernel = { 0 }, journal = { 0 };
	int k = read_kmsg(&kernel), j = -ENOENT, r;
	bool use_journal;

	if (k < 0 || !kernel.complete)
		j = journal_read(&journal);
	use_journal = j == 0 && journal.messages &&
		      (k < 0 || journal.complete ||
		       (kernel.has_first && journal.first_us < kernel.first_us));
	if (use_journal)
		r = add_item(c, s, &journal, "journal");
	else if (k == 0)
		r = add_item(c, s, &kernel, "kmsg");
	else
		r = add_failure(c, s, -k);
	kmsg_done(&kernel);
	kmsg_done(&journal);
	return r;
}
