/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading an item: its line "item ID STATUS [name=value ...]", then its body. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "capture/reader.h"

static int read_status(struct reader *r, struct word w, enum cap_status *ret)
{
	for (int i = CAP_OK; i <= CAP_SKIPPED; i++) {
		if (!reader_word_is(w, cap_status_name((enum cap_status)i)))
			continue;
		*ret = (enum cap_status)i;
		return 0;
	}
	return reader_expected(r, w,
			       "status ok, unsupported, failed or skipped expected");
}

/* What the head of an item adds up to, so that every limit of the builder holds. */
static int check_attributes(struct reader *r, size_t head, struct word rest)
{
	struct word names[CAP_MAX_ATTRIBUTES], w = { 0 }, value = { 0 };
	size_t n = 0;

	for (; reader_take_word(&rest, &w); n++) {
		int k;

		if (n >= CAP_MAX_ATTRIBUTES)
			return reader_too_much(r, "more than %u attributes",
					       CAP_MAX_ATTRIBUTES);
		if (!word_split(w, &names[n], &value))
			return reader_expected(r, w, "name=value expected");
		for (size_t i = 0; i < n; i++)
			if (names[i].len == names[n].len &&
			    memcmp(names[i].s, names[n].s, names[n].len) == 0)
				return reader_expected(r, w,
						       "each attribute once expected");
		k = reader_unescape(r, value);
		if (k < 0)
			return k;
		head += names[n].len + r->word.len + 2;
	}
	if (head > CAP_MAX_HEAD)
		return reader_too_much(r, "more than %u bytes of id and attributes",
				       CAP_MAX_HEAD);
	return 0;
}

static int take_attributes(struct reader *r, struct cap_item *item, struct word rest)
{
	struct word w = { 0 }, name = { 0 }, value = { 0 };

	while (reader_take_word(&rest, &w)) {
		struct buf cleanup_buf text = { 0 };
		int k;

		(void)word_split(w, &name, &value);
		buf_add(&text, name.s, name.len);
		k = reader_unescape(r, value);
		if (k == 0)
			k = buf_error(&text);
		if (k == 0)
			k = cap_item_set(r->capture, item, buf_text(&text),
					 buf_text(&r->word));
		if (k < 0)
			return k;
	}
	return 0;
}

static int take_item(struct reader *r, struct word id, enum cap_status status,
		     struct word attributes)
{
	struct cap_item *item;
	int k;

	r->seen.bytes += r->body.len;
	if (!r->capture)
		return 0;
	k = reader_unescape(r, id);
	if (k < 0)
		return k;
	item = capture_add_item(r->capture, r->snapshot, buf_text(&r->word), status,
				buf_span(&r->body));
	return item ? take_attributes(r, item, attributes) : -ENOMEM;
}

int reader_take_item(struct reader *r, struct word rest)
{
	struct word id = reader_next_word(&rest);
	enum cap_status status = CAP_OK;
	int k, more;

	if (!r->seen.snapshots_here)
		return reader_fail(r, "an item before any snapshot of its subject");
	k = id.len ? reader_unescape(r, id) : reader_expected(r, id, "item id expected");
	if (k == 0)
		k = read_status(r, reader_next_word(&rest), &status);
	if (k == 0)
		k = check_attributes(r, r->word.len, rest);
	if (k == 0 && r->seen.items++ >= CAP_MAX_ITEMS)
		k = reader_too_much(r, "more than %u items", CAP_MAX_ITEMS);
	if (k < 0)
		return k;
	more = reader_next(r);
	if (more > 0)
		more = reader_take_body(r);
	if (more <= 0)
		return more;
	k = take_item(r, id, status, rest);
	return k < 0 ? k : more;
}
