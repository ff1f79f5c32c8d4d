/* SPDX-License-Identifier: GPL-2.0-or-later */
/* General SMART values: a number in brackets behind words that stand on one line or two. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

/* Matched against the end of "line above + line up to the bracket", so a wrap does not matter. */
static const struct {
	const char *key;
	enum fact_id id;
} keys[] = {
	{ "Offline data collection status:", FACT_OFFLINE_STATUS },
	{ "Off-line data collection status:", FACT_OFFLINE_STATUS },
	{ "Self-test execution status:", FACT_SELFTEST_STATUS },
	{ "Total time to complete Offline data collection:", FACT_OFFLINE_SECONDS },
	{ "Total time to complete off-line data collection:", FACT_OFFLINE_SECONDS },
	{ "Offline data collection capabilities:", FACT_OFFLINE_CAPABILITY },
	{ "Off-line data collection capabilities:", FACT_OFFLINE_CAPABILITY },
	{ "SMART capabilities:", FACT_SMART_CAPABILITY },
	{ "Error logging capability:", FACT_ERRORLOG_CAPABILITY },
	{ "Short self-test routine recommended polling time:", FACT_SHORT_MINUTES },
	{ "Extended self-test routine recommended polling time:", FACT_EXTENDED_MINUTES },
	{ "Conveyance self-test routine recommended polling time:",
	  FACT_CONVEYANCE_MINUTES },
	{ "SCT capabilities:", FACT_SCT_CAPABILITY },
};

/* "(0x5b)", "( 112)": the closing bracket shows that the number is whole. */
static bool get_bracket(const char *open, uint64_t *ret)
{
	const char *p = open + 1;
	uint64_t n;
	int base = 10;

	while (*p == ' ')
		p++;
	if (str_starts(p, "0x")) {
		base = 16;
		p += 2;
	}
	if (str_take_u64(&p, base, &n) < 0)
		return false;
	while (*p == ' ')
		p++;
	if (*p != ')')
		return false;
	*ret = n;
	return true;
}

static enum fact_id find_key(const char *words)
{
	for (size_t i = 0; i < array_size(keys); i++)
		if (str_ends(words, keys[i].key))
			return keys[i].id;
	return FACT_COUNT;
}

static size_t line_above(const struct smart *s, size_t i)
{
	size_t above = i ? i - 1 : i;

	if (above && !*smart_line(s, above))
		above--;
	return above;
}

static enum fact_id get_key(struct smart *s, size_t i, const char *line, const char *open)
{
	struct buf words = { 0 };
	enum fact_id id;

	if (i)
		buf_puts(&words, smart_line(s, line_above(s, i)));
	buf_putc(&words, ' ');
	buf_add(&words, line, (size_t)(open - line));
	smart_squeeze(&words);
	id = find_key(buf_text(&words));
	buf_done(&words);
	return id;
}

static size_t take_row(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *open = strchr(line, '(');
	size_t n = 1;
	enum fact_id id;
	uint64_t value;

	if (!open)
		return 0;
	id = get_key(s, i, line, open);
	if (id == FACT_COUNT)
		return 0;
	if (!strchr(open, ')') && !smart_is_fresh(s, i + 1)) {
		n = 2;
		line = smart_join(s, i, n);
		open = strchr(line, '(');
	}
	if (!get_bracket(open, &value))
		return s->headless ? 0 : smart_claim(s, i, 1, LINE_DAMAGED);
	smart_u64(s, id, value, i);
	return smart_claim(s, i, n, LINE_READ);
}

static const char prose[] =
	"Offline data collection activity was never started. "
	"Off-line data collection activity was never started. "
	"Offline data collection activity was completed without error. "
	"Offline data collection activity completed without error. "
	"Offline data collection activity was suspended by an interrupting command from "
	"host. "
	"Offline data collection activity was aborted by an interrupting command from "
	"host. "
	"Offline data collection activity was aborted by the device with a fatal error. "
	"Offline data collection activity is in progress. "
	"Offline data collection activity is in a Vendor Specific state. "
	"Offline data collection activity is in a Reserved state. "
	"was suspended by an interrupting command from host. "
	"Auto Offline Data Collection: Enabled. Auto Offline Data Collection: Disabled. "
	"Auto Off-line Data Collection: Enabled. Auto Off-line Data Collection: "
	"Disabled. "
	"The previous self-test routine completed without error or no self-test has ever "
	"been run. "
	"The self-test routine was aborted by the host. "
	"The self-test routine was interrupted by the host with a hard or soft reset. "
	"A fatal error or unknown test error occurred while the device was executing its "
	"self-test routine and the device was unable to complete the self-test routine. "
	"The previous self-test completed having a test element that failed and the test "
	"element that failed is not known. "
	"The previous self-test completed having the electrical element of the test "
	"failed. "
	"The previous self-test completed having the servo (and/or seek) element of the "
	"test failed. "
	"The previous self-test completed having the read element of the test failed. "
	"The previous self-test completed having a test element that failed and the "
	"device is suspected of having handling damage. "
	"Self-test routine in progress... "
	"0% of test remaining. 10% of test remaining. 20% of test remaining. "
	"30% of test remaining. 40% of test remaining. 50% of test remaining. "
	"60% of test remaining. 70% of test remaining. 80% of test remaining. "
	"90% of test remaining. 100% of test remaining. Reserved. "
	"Total time to complete Offline data collection: "
	"Total time to complete off-line data collection: "
	"Offline data collection capabilities: Off-line data collection capabilities: "
	"No SMART execute Offline immediate. Offline data collection not supported. "
	"Automatic timer ON/OFF support. No Automatic timer ON/OFF support. "
	"Auto Offline data collection on/off support. "
	"No Auto Offline data collection support. "
	"No Automatic timer ON/OFF support. "
	"Suspend Offline collection upon new command. "
	"Abort Offline collection upon new command. "
	"No Offline surface scan supported. Self-test supported. No Self-test supported. "
	"Offline surface scan supported. Self-test supported. "
	"No Conveyance Self-test supported. No Selective Self-test supported. "
	"Automatic saving of SMART data is not implemented. "
	"Saves SMART data before entering power-saving mode. "
	"Does not save SMART data before entering power-saving mode. "
	"Supports SMART auto save timer. "
	"Error logging supported. Error logging NOT supported. "
	"General Purpose Logging supported. No General Purpose Logging support. "
	"Short self-test routine recommended polling time: "
	"Extended self-test routine recommended polling time: "
	"Conveyance self-test routine recommended polling time: "
	"recommended polling time: Not Supported. minutes. seconds. "
	"SCT Status supported. SCT Error Recovery Control supported. "
	"SCT Feature Control supported. SCT Data Table supported. "
	"SCT Error Recovery Control not supported. SCT Feature Control not supported. "
	"SCT Data Table not supported. ";

const struct smart_section smart_general = {
	.name = "general",
	.part = PART_GENERAL,
	.row = take_row,
	.prose = prose,
};
