/* SPDX-License-Identifier: GPL-2.0-or-later */
/* selftest: start, follow and abort the drive's own test. It runs in the drive, not here. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/screen.h"
#include "cmd/session.h"
#include "device/selftest.h"
#include "model/case.h"
#include "render/selftest.h"

#define COMMAND_MS   10000u
#define SLICE_MS     100u
#define POLL_LEAST_S 2u
#define POLL_MOST_S  60u
#define POLL_USB_S   30u /* some bridges break a test off that is asked for too often */

struct run {
	struct session *s;
	const struct options *o;
	struct live_drive *drive;
	struct selftest_state state;
	const char *name; /* of the test, or NULL: whichever runs */
	enum selftest_kind kind;
	struct selftest_span spans[SELFTEST_SPANS];
	size_t n_spans;
	unsigned minutes;
};

static const struct {
	const char *name;
	enum selftest_kind kind;
} kinds[] = {
	{ "short", SELFTEST_SHORT },	   { "long", SELFTEST_EXTENDED },
	{ "extended", SELFTEST_EXTENDED }, { "conveyance", SELFTEST_CONVEYANCE },
	{ "abort", SELFTEST_ABORT },
};

/* "selective,A-B,C-D": first and last address of each span. */
static int take_spans(struct run *r, const char *text)
{
	for (; *text == ','; r->n_spans++) {
		struct selftest_span *span = &r->spans[r->n_spans];

		text++;
		if (r->n_spans == SELFTEST_SPANS ||
		    str_take_u64(&text, 10, &span->first) < 0 || *text++ != '-' ||
		    str_take_u64(&text, 10, &span->last) < 0 || span->first > span->last)
			return -EINVAL;
	}
	return *text || !r->n_spans ? -EINVAL : 0;
}

static int take_test(struct run *r, const char *name)
{
	const char *spans = str_after(name, "selective");

	for (size_t i = 0; i < array_size(kinds); i++)
		if (str_equal(kinds[i].name, name)) {
			r->kind = kinds[i].kind;
			r->name = kinds[i].kind == SELFTEST_EXTENDED ? "long" : name;
			return 0;
		}
	r->kind = SELFTEST_SELECTIVE;
	r->name = "selective";
	return spans ? take_spans(r, spans) : -EINVAL;
}

static int usage(void)
{
	(void)fprintf(stderr, "Usage: drivewhy selftest DRIVE "
			      "[short|long|conveyance|selective,FIRST-LAST,...|abort]\n");
	return EXIT_USAGE_ERROR;
}

/* --- printing ---------------------------------------------------------------------------------------- */

static struct selftest_view view_of(const struct run *r, const char *action)
{
	return (struct selftest_view){
		.device = r->drive->disk->node,
		.model = r->drive->disk->model,
		.test = r->name,
		.action = action,
	};
}

static int print(const struct run *r, const struct selftest_view *v)
{
	struct buf out cleanup_buf = { 0 };
	int e = str_equal(r->o->format, "json") ? render_selftest_json(v, &out)
						: render_selftest_text(v, &out);

	if (e < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return EXIT_OK;
}

static int refuse(struct run *r, const char *why)
{
	struct selftest_view v = view_of(r, "refused");
	int status;

	v.result = why;
	v.has_left = r->state.running;
	v.left_percent = r->state.left_percent;
	status = print(r, &v);
	return status ? status : EXIT_CANNOT_TELL;
}

static int say_error(struct run *r, const char *what, int error)
{
	(void)fprintf(stderr, "drivewhy: %s: %s: %s\n", r->drive->disk->node, what,
		      error == -EPERM ? "this needs root" : strerror(-error));
	return EXIT_DATA_ERROR;
}

/* --- following ---------------------------------------------------------------------------------------- */

static bool is_followed(const struct run *r)
{
	return str_equal(r->o->format, "text") && isatty(STDOUT_FILENO);
}

static void draw(const struct run *r)
{
	struct buf bar cleanup_buf = { 0 };
	struct selftest_view v = view_of(r, "running");

	v.left_percent = r->state.left_percent;
	v.minutes = r->minutes;
	if (render_selftest_bar(&v, screen_columns(), &bar) < 0)
		return;
	/* the rest of the line is cleared: the text gets shorter */
	(void)printf("\r%s\033[K", buf_text(&bar));
	(void)fflush(stdout);
}

/* False when the user does not want to wait any longer. */
static bool wait_a_little(const struct run *r)
{
	unsigned s = r->minutes * 60 / 100;
	const struct timespec slice = { 0, SLICE_MS * 1000000L };

	if (s < POLL_LEAST_S)
		s = POLL_LEAST_S;
	if (r->drive->node.usb && s < POLL_USB_S)
		s = POLL_USB_S;
	if (s > POLL_MOST_S)
		s = POLL_MOST_S;
	for (unsigned i = 0; i < s * 1000 / SLICE_MS && !live_is_stopped(); i++)
		(void)nanosleep(&slice, NULL);
	return !live_is_stopped();
}

static int stop_following(const struct run *r)
{
	const char *name = r->drive->disk->name;

	(void)printf(
		"\nThe test goes on in the drive. \"drivewhy selftest %s\" follows it, "
		"\"drivewhy selftest %s abort\" ends it.\n",
		name, name);
	return EXIT_INTERRUPTED;
}

/* The address stands in the drive's log; reading it takes a few commands more. */
static void add_address(struct run *r, struct buf *words)
{
	const struct fact *f;

	if (live_read(r->s, r->o, CAP_BEFORE) || session_load_db(r->s, r->o) ||
	    session_judge(r->s) || !r->s->the_case.n_drives)
		return;
	f = drive_fact(r->s->the_case.drives[0], FACT_SELFTEST_LBA, 0, 0);
	if (f)
		buf_printf(words, ", first at address %llu", (unsigned long long)f->u);
}

static int print_end(struct run *r)
{
	struct selftest_view v = view_of(r, "ended");
	struct buf words cleanup_buf = { 0 };
	uint8_t status = r->state.status;

	v.failed = r->state.known && selftest_has_failed(status);
	buf_puts(&words, !r->state.known ? "the drive's answer cannot be believed"
			 : status == 0	 ? "passed"
					 : selftest_status_words(status));
	if (v.failed)
		add_address(r, &words);
	v.result = buf_text(&words);
	if (print(r, &v))
		return EXIT_INTERNAL;
	return v.failed			       ? EXIT_CRITICAL
	       : r->state.known && status == 0 ? EXIT_OK
					       : EXIT_CANNOT_TELL;
}

static int follow(struct run *r)
{
	do {
		int e;

		draw(r);
		if (!wait_a_little(r))
			return stop_following(r);
		e = selftest_poll(r->drive->transport, COMMAND_MS, &r->state);
		if (e == -EINTR)
			return stop_following(r);
		if (e < 0) {
			(void)putchar('\n');
			return say_error(r, "following the self-test", e);
		}
	} while (r->state.running);
	(void)printf("\r\033[K");
	return print_end(r);
}

/* --- the commands -------------------------------------------------------------------------------------- */

static int show_state(struct run *r)
{
	struct selftest_view v = view_of(r, "running");

	if (r->state.running && is_followed(r))
		return follow(r);
	if (!r->state.running) {
		v.action = "not running";
		v.result = r->state.known ? selftest_status_words(r->state.status) : NULL;
		v.failed = r->state.known && selftest_has_failed(r->state.status);
	}
	v.has_left = r->state.running;
	v.left_percent = r->state.left_percent;
	return print(r, &v);
}

static int abort_test(struct run *r)
{
	struct selftest_view v;
	int e;

	r->name = NULL;
	if (!r->state.running)
		return refuse(r, "no self-test is running");
	e = selftest_start(r->drive->transport, COMMAND_MS, SELFTEST_ABORT, NULL, 0);
	if (e < 0)
		return say_error(r, "aborting the self-test", e);
	v = view_of(r, "aborted");
	v.has_left = true;
	v.left_percent = r->state.left_percent;
	return print(r, &v);
}

static const char *why_not(const struct run *r)
{
	if (r->state.running)
		return "a self-test is running already";
	if (!r->state.known)
		return "the drive's answer cannot be believed (SMART READ DATA)";
	if (!selftest_is_supported(&r->state, r->kind))
		return "this drive does not have it";
	for (size_t i = 0; i < r->n_spans; i++)
		if (r->state.sectors && r->spans[i].last >= r->state.sectors)
			return "a span ends behind the end of the drive";
	return NULL;
}

static int start_test(struct run *r)
{
	const char *why = why_not(r);
	struct selftest_view v;
	int e;

	if (why)
		return refuse(r, why);
	e = selftest_start(r->drive->transport, COMMAND_MS, r->kind, r->spans,
			   r->n_spans);
	if (e < 0)
		return say_error(r, "starting the self-test", e);
	r->minutes = selftest_minutes(&r->state, r->kind, r->spans, r->n_spans);
	v = view_of(r, "started");
	v.minutes = r->minutes;
	if (print(r, &v))
		return EXIT_INTERNAL;
	r->state.left_percent = 100;
	return is_followed(r) ? follow(r) : EXIT_OK;
}

static int work(struct run *r)
{
	int e = selftest_look(r->drive->transport, COMMAND_MS, &r->state);

	if (e < 0)
		return say_error(r, "reading its state", e);
	if (!r->state.smart_on)
		return refuse(r, "SMART is off or not there");
	if (!r->name)
		return show_state(r);
	return r->kind == SELFTEST_ABORT ? abort_test(r) : start_test(r);
}

static int run_selftest(const struct options *o)
{
	struct session s = { .live.level = LEVEL_FULL };
	struct run r = { .s = &s, .o = o };
	int status;

	if (o->n_targets < 1 || o->n_targets > 2 ||
	    (o->n_targets == 2 && take_test(&r, o->targets[1]) < 0))
		return usage();
	status = session_load_db(&s, o);
	if (!status)
		status = live_add(&s, o, o->targets[0]);
	if (!status && s.live.n != 1)
		status = session_fail(&s, EXIT_USAGE_ERROR, o->targets[0],
				      "more than one drive: name one of them");
	if (!status)
		status = live_start(&s, o);
	if (status) {
		session_print_messages(&s);
	} else {
		r.drive = &s.live.drives[0];
		status = work(&r);
	}
	session_done(&s);
	return status;
}

const struct command cmd_selftest = {
	.name = "selftest",
	.arguments = "DRIVE [TEST]",
	.help = "start, follow or abort a self-test: short, long, conveyance, "
		"selective,A-B",
	.run = run_selftest,
};
