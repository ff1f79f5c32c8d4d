/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SATA Phy Event Counters: "0x0001  2            0  Command failed due to ICRC error". */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

struct row {
	uint64_t id, size, value;
	bool saturated;	  /* "65535+" */
	const char *name; /* "" when the text ends before it */
};

/* Serial ATA 3.x, 13.8 (log 11h), in smartctl's words: shows whether a wrapped row is whole. */
static const struct {
	uint16_t id;
	const char *name;
} names[] = {
	{ 0x0001, "Command failed due to ICRC error" },
	{ 0x0002, "R_ERR response for data FIS" },
	{ 0x0003, "R_ERR response for device-to-host data FIS" },
	{ 0x0004, "R_ERR response for host-to-device data FIS" },
	{ 0x0005, "R_ERR response for non-data FIS" },
	{ 0x0006, "R_ERR response for device-to-host non-data FIS" },
	{ 0x0007, "R_ERR response for host-to-device non-data FIS" },
	{ 0x0008, "Device-to-host non-data FIS retries" },
	{ 0x0009, "Transition from drive PhyRdy to drive PhyNRdy" },
	{ 0x000a, "Device-to-host register FISes sent due to a COMRESET" },
	{ 0x000b, "CRC errors within host-to-device FIS" },
	{ 0x000d, "Non-CRC errors within host-to-device FIS" },
	{ 0x000f, "R_ERR response for host-to-device data FIS, CRC" },
	{ 0x0010, "R_ERR response for host-to-device data FIS, non-CRC" },
	{ 0x0012, "R_ERR response for host-to-device non-data FIS, CRC" },
	{ 0x0013, "R_ERR response for host-to-device non-data FIS, non-CRC" },
};

static const char *name_of(uint64_t id)
{
	if (id >= 0x8000)
		return "Vendor specific";
	for (size_t i = 0; i < array_size(names); i++)
		if (names[i].id == id)
			return names[i].name;
	return "Unknown";
}

static bool is_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 6 || size == 8;
}

/* False when the words cannot be a row; a row that ends early has a size of 0 or no name. */
static bool fit_row(const char *text, struct row *ret)
{
	struct word w[3];
	size_t n = words_split(text, w, 3);

	*ret = (struct row){ .name = "" };
	if (n < 1 || w[0].len != 6 || word_hex(w[0], &ret->id) < 0)
		return false;
	if (n < 2)
		return true;
	if (w[1].len != 1 || word_u64(w[1], 10, &ret->size) < 0 || !is_size(ret->size))
		return false;
	if (n < 3) {
		ret->size = 0;
		return true;
	}
	ret->name = w[2].s + w[2].len;
	while (*ret->name == ' ')
		ret->name++;
	ret->saturated = w[2].s[w[2].len - 1] == '+';
	w[2].len -= ret->saturated;
	return word_u64(w[2], 10, &ret->value) == 0;
}

static bool goes_on(const struct smart *s, size_t i)
{
	struct row row;

	return !smart_is_fresh(s, i) && !fit_row(smart_line(s, i), &row);
}

/* Takes lines below while they bring the row nearer to what its counter is called. */
static size_t gather(struct smart *s, size_t i)
{
	struct row row;
	size_t n = 1;

	while (n < 3 && goes_on(s, i + n)) {
		const char *name;

		if (!fit_row(smart_join(s, i, n + 1), &row))
			break;
		name = name_of(row.id);
		if (!words_after(name, row.name))
			break;
		n++;
	}
	return n;
}

/*
 * The text behind a counter shows that its digits are all there. Without it the number stands at
 * the end of the line, where a cut or a wrap may have taken digits.
 */
static bool is_whole(struct smart *s, const struct row *row, size_t i, size_t n)
{
	if (!row->size)
		return false;
	if (*row->name)
		return true;
	return !smart_is_cut(s, i + n - 1) && !goes_on(s, i + n);
}

/* "[Reserved: 0x00 ...]", "0x0001  0: Invalid entry" */
static bool is_remark(const char *line)
{
	return str_starts(line, "[Reserved: 0x") || str_ends(line, ": Invalid entry");
}

static bool is_seen(const struct smart *s, const char *line)
{
	struct row row;

	return fit_row(line, &row) && row.size && smart_has_bit(s->phy_seen, row.id);
}

static size_t take_row(struct smart *s, size_t i)
{
	struct row row;
	uint32_t id;
	size_t n;

	if (!s->headless && words_after(smart_line(s, i), "All counters reset"))
		return smart_warning(s, i);
	if (!s->headless && is_remark(smart_line(s, i)))
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!fit_row(smart_line(s, i), &row) ||
	    (s->headless && !str_equal(row.name, name_of(row.id))))
		return 0;
	n = gather(s, i);
	(void)fit_row(smart_join(s, i, n), &row);
	id = (uint32_t)row.id;
	if (!is_whole(s, &row, i, n))
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!smart_bit(s->phy_seen, id))
		return smart_claim(s, i, n, LINE_DAMAGED);
	emit_u64(&s->e, FACT_PHY_VALUE, id, 0, row.value, i);
	emit_u64(&s->e, FACT_PHY_SIZE, id, 0, row.size, i);
	if (row.saturated)
		emit_flag(&s->e, FACT_PHY_SATURATED, id, true, i);
	if (*row.name)
		emit_text(&s->e, FACT_PHY_NAME, id, 0, row.name, i);
	return smart_claim(s, i, n, LINE_READ);
}

static const char prose[] = "ID Size Value Description ";

const struct smart_section smart_phy = {
	.name = "phy",
	.part = PART_PHY,
	.row = take_row,
	.is_seen = is_seen,
	.prose = prose,
};
