/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages that were saved as the bytes they are: one of 512 bytes that tells what it is, or, when the
 * user says so, any page, as bytes or as hex.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/binary.h"
#include "import/hex-lines.h"
#include "import/import.h"
#include "import/page-guess.h"

static int add(struct span bytes, const char *id, const char *file, struct capture *c)
{
	struct cap_subject *subject = capture_add_subject(c, CAP_DRIVE);
	struct cap_snapshot *snapshot =
		subject ? capture_add_snapshot(c, subject, CAP_IMPORT, file) : NULL;

	return snapshot && capture_add_item(c, snapshot, id, CAP_OK, bytes) ? 0 : -ENOMEM;
}

/* Every page has bytes of 0; a text of 512 bytes has none. */
static bool is_page(struct span s)
{
	return page_guess(s) && memchr(s.data, '\0', s.len);
}

static int read_page(struct span s, const char *file, struct capture *c, struct diag *d)
{
	(void)d;
	return add(s, page_guess(s), file, c);
}

const struct binary_importer importer_raw_page = {
	.name = "raw-page",
	.describe =
		"a page of 512 bytes that tells what it is: IDENTIFY DEVICE, SMART data "
		"and thresholds, phy event counters",
	.is = is_page,
	.read = read_page,
};

/* The first block of hex that is a whole page. */
static int read_hex(struct span s, const char *file, const char *id, struct capture *c,
		    struct diag *d)
{
	struct hex_block *b = malloc(sizeof(*b));
	struct text t;
	int r = b ? text_read(&t, file, s, d) : -ENOMEM;

	if (r < 0) {
		free(b);
		return r;
	}
	r = -EBADMSG;
	for (size_t i = 0; r == -EBADMSG && i < t.n;) {
		if (!hex_lines_read(&t, i, b)) {
			i++;
			continue;
		}
		i = b->end;
		if (page_fits(id, b->n) && !b->open)
			r = add(span_of(b->bytes, b->n), id, file, c);
	}
	if (r == -EBADMSG)
		diag_add(d, DIAG_ERROR, file, 0,
			 "no whole page in it: %s is 512 bytes, or of a log some times "
			 "512, "
			 "raw or as lines of hex",
			 id);
	text_done(&t);
	free(b);
	return r;
}

int import_page(struct span s, const char *file, const char *id, struct capture *c,
		struct diag *d)
{
	if (!page_is_item(id)) {
		diag_add(d, DIAG_ERROR, file, 0,
			 "%s is no page that is known here; drivewhy-capture(5) lists "
			 "them",
			 id);
		return -EINVAL;
	}
	if (page_fits(id, s.len) && memchr(s.data, '\0', s.len))
		return add(s, id, file, c);
	return read_hex(s, file, id, c, d);
}
