/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The health line, and how smartctl came to it. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* "[asc=5d, ascq=10]" in the joined line */
static void read_code(struct smart *s, const char *name, enum fact_id id, size_t i)
{
	const char *p = strstr(buf_text(&s->join), name);
	uint64_t n;

	if (!p)
		return;
	p += strlen(name);
	if (str_take_u64(&p, 16, &n) == 0 && n < 256 && (*p == ',' || *p == ']'))
		smart_u64(s, id, n, i);
}

/*
 * SCSI: "SMART Health Status: FAILURE PREDICTION THRESHOLD EXCEEDED [asc=5d, ascq=10]". With "(FALSE)" in
 * it (ASCQ FFh) the drive only tests its reporting, so all of it must be there.
 */
static size_t read_scsi_failure(struct smart *s, size_t i)
{
	size_t n = 1;

	while (n < 3 && !strchr(smart_join(s, i, n), ']') && !smart_is_fresh(s, i + n))
		n++;
	if (smart_is_cut(s, i + n - 1) && !strchr(smart_join(s, i, n), ']'))
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!strstr(smart_join(s, i, n), "(FALSE)"))
		smart_flag(s, FACT_SMART_PASSED, false, i);
	read_code(s, "asc=", FACT_SCSI_ASC, i);
	read_code(s, "ascq=", FACT_SCSI_ASCQ, i);
	emit_text(&s->e, FACT_POSTED_WARNING, s->warnings++, 0, smart_join(s, i, n), i);
	return smart_claim(s, i, n, LINE_READ);
}

/* "SMART overall-health self-assessment test result: FAILED!", SCSI: "SMART Health Status: OK" */
size_t smart_health_line(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *word = strchr(line, ':');
	size_t n = 1;

	word = word ? word + 1 : "";
	while (*word == ' ')
		word++;
	if (!*word && !smart_is_fresh(s, i + 1))
		word = smart_line(s, i + n++);
	s->rows[PART_HEALTH]++;
	s->section_end = i + n;
	if (strstr(word, "[asc") || strstr(word, "FAILURE"))
		return read_scsi_failure(s, i);
	if (str_starts(word, "PASSED") || str_equal(word, "OK"))
		smart_flag(s, FACT_SMART_PASSED, true, i);
	else if (str_starts(word, "FAILED"))
		smart_flag(s, FACT_SMART_PASSED, false, i);
	else if (str_starts(word, "UNKNOWN"))
		smart_text(s, FACT_SMART_STATUS_SOURCE, word, i);
	else
		return smart_claim(s, i, n, LINE_DAMAGED);
	return smart_claim(s, i, n, LINE_READ);
}

static size_t no_row(struct smart *s, size_t i)
{
	(void)s;
	(void)i;
	return 0;
}

static const char prose[] =
	"Drive failure expected in less than 24 hours. SAVE ALL DATA. "
	"See vendor-specific Attribute list for failed Attributes. "
	"See vendor-specific Attribute list for marginal Attributes. "
	"Please note the following marginal Attributes: "
	"No failed Attributes found. Failed Attributes: ";

const struct smart_section smart_health = {
	.name = "health",
	.part = PART_HEALTH,
	.row = no_row,
	.prose = prose,
};
