/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seagate's Field Accessible Reliability Metrics, since smartctl 7.4: "FARM Log Page 1: Drive
 * Information" and "Key: value" lines below. Kept as text: the meaning is not published in full.
 */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* Personal numbers of the drive stand in the identity section already. */
static bool is_private(const char *line)
{
	return words_after(line, "Serial Number:") ||
	       words_after(line, "World Wide Name:");
}

static size_t take_row(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *p = words_after(line, "FARM Log Page ");
	struct buf text = { 0 };
	uint64_t page;

	if (p && str_take_u64(&p, 10, &page) == 0 && page < 256) {
		s->farm_page = (uint32_t)page;
		return smart_claim(s, i, 1, LINE_KNOWN);
	}
	if (!strchr(line, ':'))
		return 0;
	if (smart_is_cut(s, i))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	if (is_private(line))
		return smart_claim(s, i, 1, LINE_KNOWN);
	buf_printf(&text, "%u: %s", s->farm_page, line);
	smart_squeeze(&text);
	emit_text(&s->e, FACT_FARM, s->farm++, 0, buf_text(&text), i);
	buf_done(&text);
	return smart_claim(s, i, 1, LINE_READ);
}

const struct smart_section smart_farm = {
	.name = "farm",
	.part = PART_FARM,
	.row = take_row,
};
