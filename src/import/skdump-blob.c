/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "skdump --save" writes: records of a four-letter tag, a big-endian length and the bytes of a
 * page as the drive gave it. Source: libatasmart's sk_disk_get_blob().
 */
#include <errno.h>
#include <string.h>

#include "import/binary.h"

#define HEAD_BYTES 8u

static const struct {
	const char *tag, *item;
	uint32_t size;
} tags[] = {
	{ "IDFY", "ata/identify", 512 },
	{ "SMDT", "ata/smart/data", 512 },
	{ "SMTH", "ata/smart/thresholds", 512 },
	{ "SMST", "ata/smart/status", 4 },
};

static uint32_t be32(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool is_tag(struct span s, size_t at, const char *tag)
{
	return at + 4 <= s.len && memcmp(s.data + at, tag, 4) == 0;
}

static bool is_blob(struct span s)
{
	for (size_t i = 0; i < array_size(tags); i++)
		if (is_tag(s, 0, tags[i].tag) && s.len >= HEAD_BYTES &&
		    be32(s.data + 4) == tags[i].size)
			return true;
	return false;
}

/* The whole file must be sound before anything of it is taken. */
static int validate(struct span s, const char *file, struct diag *d)
{
	size_t at = 0;

	while (at < s.len) {
		struct span body;
		uint32_t size;

		if (s.len - at < HEAD_BYTES) {
			diag_add_byte(d, DIAG_ERROR, file, at,
				      "the blob is cut in a record's head");
			return -EBADMSG;
		}
		size = be32(s.data + at + 4);
		if (!span_cut(s, at + HEAD_BYTES, size, &body)) {
			diag_add_byte(d, DIAG_ERROR, file, at,
				      "the blob ends before the %u bytes of this record",
				      size);
			return -EBADMSG;
		}
		for (size_t i = 0; i < array_size(tags); i++) {
			if (is_tag(s, at, tags[i].tag) && size != tags[i].size) {
				diag_add_byte(d, DIAG_ERROR, file, at,
					      "record %s has %u bytes instead of %u",
					      tags[i].tag, size, tags[i].size);
				return -EBADMSG;
			}
		}
		at += HEAD_BYTES + size;
	}
	return 0;
}

/* The record holds only good or bad: the registers of that answer, ACS-3 SMART RETURN STATUS. */
static int add_status(struct capture *c, struct cap_snapshot *s, struct span body)
{
	struct cap_item *item =
		capture_add_item(c, s, "ata/smart/status", CAP_OK, span_of("", 0));

	if (!item)
		return -ENOMEM;
	return cap_item_set(c, item, "ata_lba", be32(body.data) ? "c24f00" : "2cf400");
}

static int take(struct capture *c, struct cap_snapshot *snapshot, struct span s)
{
	size_t at = 0;

	while (at < s.len) {
		struct span body =
			span_of(s.data + at + HEAD_BYTES, be32(s.data + at + 4));
		int r = 0;

		for (size_t i = 0; r == 0 && i < array_size(tags); i++) {
			if (!is_tag(s, at, tags[i].tag))
				continue;
			if (tags[i].size == 4)
				r = add_status(c, snapshot, body);
			else if (!capture_add_item(c, snapshot, tags[i].item, CAP_OK,
						   body))
				r = -ENOMEM;
		}
		if (r < 0)
			return r;
		at += HEAD_BYTES + body.len;
	}
	return 0;
}

static int read_blob(struct span s, const char *file, struct capture *c, struct diag *d)
{
	struct cap_subject *subject;
	struct cap_snapshot *snapshot;
	int r = validate(s, file, d);

	if (r < 0)
		return r;
	subject = capture_add_subject(c, CAP_DRIVE);
	snapshot = subject ? capture_add_snapshot(c, subject, CAP_IMPORT, file) : NULL;
	return snapshot ? take(c, snapshot, s) : -ENOMEM;
}

const struct binary_importer importer_skdump_blob = {
	.name = "skdump-blob",
	.describe = "pages saved by skdump --save",
	.is = is_blob,
	.read = read_blob,
};
