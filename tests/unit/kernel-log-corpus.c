/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The large corpus beside the checkout, when it is there: each shape of a libata line is classified,
 * each published log is read, and what posting does to a text changes no number: quoted, wrapped,
 * flowed and cut logs have the same events or fewer, with the same numbers or none. The same on the
 * logs of tests/import/kernel-logs, which are always there. Speaks TAP by itself.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"
#include "base/str.h"
#include "decode/kernel-log.h"
#include "files.h"
#include "import-mangle.h"
#include "kernel-log-case.h"

/* Of each log. AddressSanitizer makes twenty times the work of a large block of memory. */
#if defined(__SANITIZE_ADDRESS__)
#define CUTS 40u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUTS 40u
#endif
#endif
#ifndef CUTS
#define CUTS 200u
#endif

static struct buf posted; /* the text of the file that is looked at */
static unsigned tests, bad;

static void report(bool ok, const char *what)
{
	bad += !ok;
	(void)printf("%sok %u - %s\n", ok ? "" : "not ", ++tests, what);
}

/* --- shapes of lines --------------------------------------------------------------------------- */

/* Words that stand in a shape, and what such a line must be: what the kernel's sources mean by them. */
static const struct {
	const char *words;
	enum klog_kind kind;
	const char *class;
} meanings[] = {
	{ "exception Emask NxH", SAYS_EXCEPTION, NULL },
	{ "failed command: ...", SAYS_FAILED, NULL },
	{ "SError: {..}", SAYS_SERROR, NULL },
	{ "status: {..}", SAYS_STATUS, NULL },
	{ "error: {..}", SAYS_ERROR, NULL },
	{ "irq_stat NxH", SAYS_IRQ_STAT, NULL },
	{ "cmd RR", SAYS_CMD, NULL },
	{ "EH complete", SAYS_EH_DONE, NULL },
	{ "SATA link up N Gbps", SAYS_LINK_UP, NULL },
	{ "SATA link down", SAYS_LINK_DOWN, NULL },
	{ "hard resetting link", SAYS_EVENT, "hard-reset" },
	{ "limiting SATA link speed", SAYS_EVENT, "speed-limited" },
	{ "limiting speed to", SAYS_EVENT, "transfer-limited" },
	{ "qc timeout", SAYS_EVENT, "internal-timeout" },
	{ "COMRESET failed", SAYS_EVENT, "reset-failed" },
	{ "softreset failed", SAYS_EVENT, "reset-failed" },
	{ "reset failed, giving", SAYS_EVENT, "reset-failed" },
	{ "SRST failed", SAYS_EVENT, "reset-failed" },
	{ "revalidation failed", SAYS_EVENT, "identify-failed" },
	{ "failed to IDENTIFY", SAYS_EVENT, "identify-failed" },
	{ "failed to set xfermode", SAYS_EVENT, "identify-failed" },
	{ "link is slow to respond", SAYS_EVENT, "link-slow" },
	{ "NCQ disabled due", SAYS_EVENT, "ncq-disabled" },
	{ "disable device", SAYS_EVENT, "device-removed" },
	{ "detaching (SCSI", SAYS_EVENT, "device-removed" },
	{ "lost interrupt", SAYS_EVENT, "interrupt-lost" },
	{ "ATA-N: ...", SAYS_IDENTITY, NULL },
	{ "N sectors, multi N", SAYS_SECTORS, NULL },
	{ "unsupported device", SAYS_UNSUPPORTED, NULL },
	{ "failed to read log page", SAYS_NO_NCQ_LOG, NULL },
};

struct seen {
	unsigned messages;
	bool unclassified, meant;
};

static void look(const struct klog_line *l, const char *shape, struct seen *s)
{
	char one[KLOG_MAX_TEXT + 1];
	struct klog_record r = { .text = one,
				 .cut = l->cut,
				 .has_head = l->time.has_monotonic || l->time.has_wall };
	struct klog_message m;

	memcpy(one, l->text, l->len);
	one[l->len] = '\0';
	klog_classify(&r, &m);
	s->messages++;
	s->unclassified |= m.kind == SAYS_UNCLASSIFIED;
	for (size_t i = 0; i < array_size(meanings); i++)
		if (str_starts(shape, meanings[i].words) && m.kind == meanings[i].kind &&
		    (!meanings[i].class ||
		     str_equal(event_class_name(m.row->class), meanings[i].class)))
			s->meant = true;
}

static bool has_meaning(const char *shape)
{
	for (size_t i = 0; i < array_size(meanings); i++)
		if (str_starts(shape, meanings[i].words))
			return true;
	return false;
}

static bool check_shape(const char *shape, const char *example)
{
	struct klog_case c;
	struct seen s = { 0 };

	klog_case_read(&c, example, strlen(example));
	for (size_t i = 0; i < c.capture.n_subjects; i++) {
		const struct cap_item *item =
			&c.capture.subjects[i].snapshots[0].items[0];
		struct span body = item->body;
		struct klog_line l;

		while (str_equal(item->id, "kernel-log") &&
		       klog_take_line(&body, &l) == 0)
			look(&l, shape, &s);
	}
	klog_case_done(&c);
	if (!s.unclassified && (s.meant || !has_meaning(shape)))
		return true;
	(void)printf("# %s: %s\n",
		     s.unclassified ? "not classified" : "not what it means", shape);
	return false;
}

static void walk_shapes(void)
{
	char path[FILES_PATH], line[4096];
	unsigned n = 0, good = 0;
	FILE *f;

	f = fopen(files_shared("corpus/libata-lines.tsv", path), "r");
	if (!f) {
		(void)printf("ok %u # SKIP corpus not there\n", ++tests);
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		char *shape = strchr(line, '\t');
		char *example = shape ? strchr(shape + 1, '\t') : NULL;

		if (!example || str_starts(line, "mails\t"))
			continue;
		*example++ = '\0';
		n++;
		good += check_shape(shape + 1, example);
	}
	(void)fclose(f);
	(void)printf("# %u of %u shapes\n", good, n);
	report(n >= 300 && good == n, "every shape of a libata line is classified");
}

/* --- published logs ------------------------------------------------------------------------------ */

static const struct event *find_line(const struct klog_case *c, const struct event *e)
{
	for (size_t k = 0; k <= c->the_case.n_drives; k++) {
		const struct drive *d = k ? c->the_case.drives[k - 1] : &c->the_case.host;

		for (size_t i = 0; i < d->n_events; i++)
			if (d->events[i].ata_port == e->ata_port &&
			    d->events[i].ata_device == e->ata_device &&
			    d->events[i].class == e->class &&
			    (!(e->has & EVENT_HAS_LBA) || d->events[i].lba == e->lba) &&
			    (!(e->has & EVENT_HAS_SERR) ||
			     d->events[i].serr == e->serr) &&
			    (!(e->has & EVENT_HAS_ERRNO) ||
			     d->events[i].error_number == e->error_number) &&
			    (!(e->has & EVENT_HAS_SPEED) ||
			     d->events[i].speed_mbps == e->speed_mbps))
				return &d->events[i];
	}
	return NULL;
}

/* A block whose end is missing has a cause that is told by less: its class may differ. */
static bool may_differ(const struct event *e)
{
	return e->class <= EVENT_EXCEPTION;
}

static bool numbers_are_there(const struct klog_case *whole, const struct klog_case *part,
			      bool cut)
{
	for (size_t k = 0; k <= part->the_case.n_drives; k++) {
		const struct drive *d =
			k ? part->the_case.drives[k - 1] : &part->the_case.host;

		for (size_t i = 0; i < d->n_events; i++) {
			struct event e = d->events[i];

			if (find_line(whole, &e) || (cut && may_differ(&e)))
				continue;
			(void)printf("# not in the whole: %s %s\n",
				     event_class_name(e.class), e.text);
			return false;
		}
	}
	return true;
}

static bool is_lossless(enum mangle how)
{
	/* numbers before lines that were wrapped already stand within messages */
	return how < MANGLE_LOSSLESS_COUNT && how != MANGLE_NUMBERS &&
	       how != MANGLE_BARE_NUMBERS;
}

/* As many of each class; where lines were wrapped before, a number may be lost. */
static bool same_classes(const struct klog_case *a, const struct klog_case *b)
{
	for (int i = 0; i < EVENT_COUNT; i++)
		if (klog_case_count(a, event_class_name((enum event_class)i), 0, true) !=
		    klog_case_count(b, event_class_name((enum event_class)i), 0, true))
			return false;
	return true;
}

static bool check_mangled(const struct klog_case *whole, size_t len, enum mangle how)
{
	struct mangle_text m = mangle(how, posted.data, len);
	struct klog_case c;
	bool ok;

	klog_case_read(&c, m.data, m.len);
	ok = numbers_are_there(whole, &c, !is_lossless(how));
	if (ok && is_lossless(how) &&
	    !str_equal(buf_text(&c.events), buf_text(&whole->events))) {
		(void)printf("# %s: other events\n", mangle_name(how));
		ok = false;
	}
	if (ok && (how == MANGLE_WRAP || how == MANGLE_QUOTE_WRAP) &&
	    !same_classes(whole, &c)) {
		(void)printf("# %s: other counts\n", mangle_name(how));
		ok = false;
	}
	klog_case_done(&c);
	free(m.data);
	return ok;
}

static bool check_cuts(const struct klog_case *whole, size_t len)
{
	for (unsigned i = 1; i < CUTS; i++) {
		size_t at = len * i / CUTS;
		struct klog_case c;
		bool ok;

		klog_case_read(&c, posted.data, at);
		ok = numbers_are_there(whole, &c, true);
		klog_case_done(&c);
		if (!ok) {
			(void)printf("# cut at byte %zu\n", at);
			return false;
		}
	}
	return true;
}

static void check_file(const char *path, const char *name, bool is_log)
{
	struct klog_case whole;
	char what[512];
	bool ok = true;
	size_t len;

	buf_clear(&posted);
	if (!files_read(path, &posted) || !posted.len) {
		report(false, name);
		return;
	}
	len = posted.len;
	klog_case_read(&whole, posted.data, len);
	if (is_log && drive_fact(&whole.the_case.host, FACT_KLOG_OPEN, 0, 0))
		ok = drive_fact(&whole.the_case.host, FACT_KLOG_OPEN, 0, 0)->u == 0;
	else if (is_log)
		ok = false;
	if (!ok)
		(void)printf("# there are lines that are not understood\n");
	for (int how = 0; how < MANGLE_COUNT; how++)
		if (how != MANGLE_LOG && how != MANGLE_CR &&
		    how != MANGLE_DOUBLE_SPACED &&
		    !check_mangled(&whole, len, (enum mangle)how)) {
			(void)printf("# %s\n", mangle_name((enum mangle)how));
			ok = false;
		}
	ok &= check_cuts(&whole, len);
	(void)snprintf(what, sizeof(what), "%s: read, mangled and cut", name);
	report(ok, what);
	klog_case_done(&whole);
}

static int is_text(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void walk_logs(const char *folder, bool is_log)
{
	struct dirent **names;
	int n = scandir(folder, &names, is_text, alphasort);

	if (n < 0) {
		(void)printf("ok %u # SKIP corpus not there\n", ++tests);
		return;
	}
	for (int i = 0; i < n; i++) {
		char path[FILES_PATH + 300];

		(void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
		check_file(path, names[i]->d_name, is_log);
		free(names[i]);
	}
	free(names);
}

int main(void)
{
	char path[FILES_PATH];

	walk_logs(files_source("tests/import/kernel-logs", path), true);
	walk_shapes();
	walk_logs(files_shared("corpus/dmesg-libata", path), true);
	buf_done(&posted);
	(void)printf("1..%u\n", tests);
	return bad ? 1 : 0;
}
