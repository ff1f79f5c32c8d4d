/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error logs: the summary (01h, 28-bit registers) and the extended comprehensive one (03h, 48-bit
 * registers). Newest first; the place in that order is the key.
 */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

#define ROW_WORDS 16u
#define REGS_EXT                                                                         \
	13u /* ER -- ST COUNT(2) LBA_48(3) LH LM LL DV DC; CR FEATR(2) COUNT(2) ... */
#define REGS_OLD 7u /* ER ST SC SN CL CH DH */
#define COMMAND	 8u /* CR FR SC SN CL CH DH DC, oldest: DCR FR SC SN CL CH D/H CR */

enum row { ROW_NONE, ROW_REGS_EXT, ROW_REGS, ROW_COMMAND_EXT, ROW_COMMAND };

struct regs {
	uint64_t reg[REGS_EXT];
	size_t n;
	const char *rest; /* behind the registers */
};

/* Two hexadecimal digits each; "--" stands where the extended log has no register. */
static enum row fit_row(const char *line, struct regs *ret)
{
	struct word w[ROW_WORDS];
	size_t n = words_split(line, w, ROW_WORDS), k;
	bool hole = n > 1 && word_is(w[1], "--");

	for (k = 0; k < n && k < REGS_EXT; k++) {
		ret->reg[k] = 0;
		if (k == 1 && hole)
			continue;
		if (!word_is_hex(w[k], 2) || word_u64(w[k], 16, &ret->reg[k]) < 0)
			break;
	}
	ret->n = k;
	ret->rest = k < n ? w[k].s : line + strlen(line);
	if (k == REGS_EXT)
		return hole ? ROW_REGS_EXT : ROW_COMMAND_EXT;
	if (k == COMMAND && (k == n || str_is_digit(*ret->rest)))
		return ROW_COMMAND;
	return k == REGS_OLD && !hole ? ROW_REGS : ROW_NONE;
}

static bool is_fixed(const struct smart *s, size_t i)
{
	static const char *const starts[] = {
		"Error ",	"When the ", "After command", "Commands leading",
		"Sequence of ", "ER",	     "CR ",	      "DCR ",
		"-- ",
	};
	const char *line = smart_line(s, i);

	for (size_t k = 0; k < array_size(starts); k++)
		if (str_starts(line, starts[k]))
			return true;
	return smart_is_prose(s, i);
}

static bool goes_on(const struct smart *s, size_t i)
{
	struct regs regs;

	return !smart_is_fresh(s, i) && !is_fixed(s, i) &&
	       fit_row(smart_line(s, i), &regs) == ROW_NONE;
}

static bool is_muted(const struct smart *s)
{
	return s->error_part != s->section->part;
}

/*
 * "Device Error Count: 79 (device log contains only the most recent 24 errors)"; with "(possibly also
 * invalid)" behind it the number is none, so what stands in the brackets must be there.
 */
static size_t take_count(struct smart *s, size_t i, const char *key)
{
	const char *p;
	uint64_t count;
	size_t n = 1;

	while (n < 3 && goes_on(s, i + n) && strchr(smart_join(s, i, n), '(') &&
	       !strchr(smart_join(s, i, n), ')'))
		n++;
	if (strstr(smart_join(s, i, n), "possibly also invalid"))
		return smart_warning(s, i);
	p = words_after(smart_join(s, i, n), key);
	while (p && *p == ' ')
		p++;
	if (!p || str_take_u64(&p, 10, &count) < 0 || (*p && *p != ' ') ||
	    (!strchr(p, ')') &&
	     (smart_is_cut(s, i + n - 1) || *p || str_is_digit(*smart_line(s, i + n)))))
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!is_muted(s))
		smart_u64(s, FACT_ERROR_COUNT, count, i);
	return smart_claim(s, i, n, LINE_READ);
}

/* "Error 79 [6] occurred at disk power-on lifetime: 36219 hours (1509 days + 3 hours)" */
static size_t take_error(struct smart *s, size_t i, const char *p)
{
	uint64_t number, hours;
	const char *after;
	size_t n = 1;

	if (str_take_u64(&p, 10, &number) < 0)
		return 0;
	after = strstr(p, " log entry is empty");
	if (after)
		return smart_claim(s, i, 1, LINE_KNOWN);
	if (!is_muted(s))
		s->errors++;
	s->commands = 0;
	s->has_registers = false;
	while (n < 3 && goes_on(s, i + n) && !strchr(smart_join(s, i, n), ')'))
		n++;
	after = strstr(smart_join(s, i, n), "power-on lifetime:");
	after = after ? after + strlen("power-on lifetime:") : "";
	while (*after == ' ')
		after++;
	if (str_take_u64(&after, 10, &hours) < 0 || !words_after(after, " hours"))
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!is_muted(s)) {
		emit_u64(&s->e, FACT_ERROR_NUMBER, s->errors - 1, 0, number, i);
		emit_u64(&s->e, FACT_ERROR_HOURS, s->errors - 1, 0, hours, i);
	}
	return smart_claim(s, i, n, LINE_READ);
}

/* "When the command that caused the error occurred, the device was active or idle." */
static size_t take_state(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *state, *end;
	size_t n = 1;

	while (n < 3 && !str_ends(line, ".") && goes_on(s, i + n))
		line = smart_join(s, i, ++n);
	state = strstr(line, "the device was ");
	end = state ? strrchr(state, '.') : NULL;
	if (!end || !s->errors)
		return smart_claim(s, i, n, LINE_DAMAGED);
	state += strlen("the device was ");
	if (!is_muted(s)) {
		struct buf text = { 0 };

		buf_add(&text, state, (size_t)(end - state));
		smart_squeeze(&text);
		emit_text(&s->e, FACT_ERROR_STATE, s->errors - 1, 0, buf_text(&text), i);
		buf_done(&text);
	}
	return smart_claim(s, i, n, LINE_READ);
}

/* --- registers ------------------------------------------------------------------------------- */

struct error {
	uint64_t error, status, count, device;
	uint64_t lba28, lba48;
	bool is_48, is_lba;
};

static uint64_t join_bytes(const uint64_t *reg, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | reg[i];
	return value;
}

static struct error get_error(const struct regs *r, bool ext)
{
	struct error e = { .error = r->reg[0], .is_48 = ext };

	if (ext) {
		e.status = r->reg[2];
		e.count = join_bytes(r->reg + 3, 2);
		e.lba48 = join_bytes(r->reg + 5, 6);
		e.device = r->reg[11];
		e.is_lba = true;
	} else {
		e.status = r->reg[1];
		e.count = r->reg[2];
		e.lba48 = r->reg[5] << 16 | r->reg[4] << 8 | r->reg[3];
		e.device = r->reg[6];
		/* bit 6: the registers hold an LBA, not cylinder, head and sector */
		e.is_lba = e.device & 0x40;
	}
	e.lba28 = (e.lba48 & 0xffffff) | (e.device & 0x0f) << 24;
	if (!ext)
		e.lba48 = e.lba28;
	return e;
}

/* What stands behind "LBA = ": "0x2bcc8ce9 = 734825705". 1: both agree, 0: absent, -1: damaged. */
static int get_posted_lba(const char *text, bool cut, uint64_t *ret)
{
	const char *p = strstr(text, "LBA = ");
	uint64_t hex, dec;

	if (!p)
		return 0;
	p = str_after(p, "LBA = 0x");
	if (!p || str_take_u64(&p, 16, &hex) < 0)
		return cut ? 0 : -1;
	p = words_after(p, " = ");
	if (!p || str_take_u64(&p, 10, &dec) < 0 || (cut && !*p))
		return cut ? 0 : -1;
	*ret = dec;
	return hex == dec ? 1 : -1;
}

/*
 * The tool's own LBA must be one that the registers hold. Alone, registers of the extended log with
 * bits in the low half of Device may be those of a 28-bit command: then no LBA is told, and none
 * without an error either.
 */
static bool get_lba(const struct error *e, int posted, uint64_t posted_lba, uint64_t *ret,
		    bool *ret_has)
{
	*ret_has = e->is_lba && e->error && (!e->is_48 || !(e->device & 0x0f));
	*ret = e->lba48;
	if (posted < 0 ||
	    (posted > 0 && posted_lba != e->lba48 && posted_lba != e->lba28))
		return false;
	if (posted > 0) {
		*ret_has = true;
		*ret = posted_lba;
	}
	return true;
}

static bool emit_error(struct smart *s, const struct error *e, const char *text, bool cut,
		       size_t i)
{
	uint32_t key = s->errors - 1;
	uint64_t posted_lba = 0, lba;
	int posted = get_posted_lba(text, cut, &posted_lba);
	bool has_lba, ok = get_lba(e, posted, posted_lba, &lba, &has_lba);

	emit_u64(&s->e, FACT_ERROR_ERROR, key, 0, e->error, i);
	emit_u64(&s->e, FACT_ERROR_STATUS, key, 0, e->status, i);
	emit_u64(&s->e, FACT_ERROR_COUNTREG, key, 0, e->count, i);
	emit_u64(&s->e, FACT_ERROR_DEVICE, key, 0, e->device, i);
	if (ok && has_lba)
		emit_u64(&s->e, FACT_ERROR_LBA, key, 0, lba, i);
	if (*text && !cut)
		emit_text(&s->e, FACT_ERROR_TEXT, key, 0, text, i);
	return ok;
}

/* Once an error: a row of as many registers below is a command that was cut. */
static bool begin_registers(struct smart *s)
{
	bool ok = (s->errors || is_muted(s)) && !s->has_registers;

	s->has_registers = true;
	return ok;
}

static size_t take_registers(struct smart *s, size_t i, bool ext)
{
	struct regs regs;
	struct error e;
	size_t n = 1;
	bool ok;

	while (n < 3 && goes_on(s, i + n))
		n++;
	(void)fit_row(smart_join(s, i, n), &regs);
	if (!begin_registers(s))
		return smart_claim(s, i, n, LINE_DAMAGED);
	e = get_error(&regs, ext);
	ok = is_muted(s) || emit_error(s, &e, regs.rest, smart_is_cut(s, i + n - 1), i);
	return smart_claim(s, i, n, ok ? LINE_READ : LINE_DAMAGED);
}

/* 5.0 and 5.1: "ER:40 SC:04 SN:53 CL:1d CH:0c D/H:e0 ST:59" */
static size_t take_named_registers(struct smart *s, size_t i)
{
	static const struct {
		const char *name;
		size_t reg; /* place in the order ER ST SC SN CL CH DH */
	} rows[] = { { "ER:", 0 }, { "SC:", 2 },  { "SN:", 3 }, { "CL:", 4 },
		     { "CH:", 5 }, { "D/H:", 6 }, { "ST:", 1 } };
	struct word w[8];
	struct regs regs = { .rest = "" };
	struct error e;

	if (words_split(smart_line(s, i), w, 8) != array_size(rows))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	for (size_t k = 0; k < array_size(rows); k++) {
		size_t skip = strlen(rows[k].name);
		struct word hex = { w[k].s + skip, w[k].len - skip };

		if (w[k].len != skip + 2 || !word_starts(w[k], rows[k].name) ||
		    word_u64(hex, 16, &regs.reg[rows[k].reg]) < 0)
			return smart_claim(s, i, 1, LINE_DAMAGED);
	}
	if (!begin_registers(s))
		return smart_claim(s, i, 1, LINE_DAMAGED);
	e = get_error(&regs, false);
	if (!is_muted(s))
		(void)emit_error(s, &e, "", false, i);
	return smart_claim(s, i, 1, LINE_READ);
}

static size_t take_command(struct smart *s, size_t i)
{
	size_t n = 1;

	while (n < 3 && goes_on(s, i + n))
		n++;
	if (!s->errors)
		return smart_claim(s, i, n, LINE_DAMAGED);
	if (!is_muted(s) && !smart_is_cut(s, i + n - 1)) {
		struct buf text = { 0 };

		buf_puts(&text, smart_join(s, i, n));
		smart_squeeze(&text);
		emit_text(&s->e, FACT_ERROR_COMMAND, s->errors - 1, s->commands,
			  buf_text(&text), i);
		buf_done(&text);
	}
	s->commands++;
	return smart_claim(s, i, n, LINE_READ);
}

static size_t take_register_row(struct smart *s, size_t i)
{
	bool ext = s->section->part == PART_ERRORS_EXT;
	struct regs regs;
	enum row row = fit_row(smart_line(s, i), &regs);

	if (row == (ext ? ROW_REGS_EXT : ROW_REGS))
		return take_registers(s, i, ext);
	if (row == (ext ? ROW_COMMAND_EXT : ROW_COMMAND))
		return take_command(s, i);
	return regs.n >= 3 ? smart_claim(s, i, 1, LINE_DAMAGED) : 0;
}

/* "Error 5 [4] occurred at disk power-on lifetime: ..." without the log's heading above it. */
static bool is_unmistakable(struct smart *s, const char *line)
{
	const char *p = words_after(line, "Error ");
	bool ext = s->section->part == PART_ERRORS_EXT;

	if (!p || !str_is_digit(*p) || !strstr(line, " occurred at disk power-on") ||
	    (strchr(line, '[') != NULL) != ext)
		return false;
	if (smart_once(s, FACT_ERRORLOG_READ))
		s->error_part = s->section->part;
	return true;
}

static size_t take_row(struct smart *s, size_t i)
{
	const char *line = smart_line(s, i), *p;

	if (s->headless && !is_unmistakable(s, line))
		return 0;
	if (words_after(line, "No Errors Logged")) {
		if (!is_muted(s))
			smart_u64(s, FACT_ERROR_COUNT, 0, i);
		return smart_claim(s, i, 1, LINE_READ);
	}
	if (words_after(line, "Invalid Error Log index"))
		return smart_warning(s, i);
	if (words_after(line, "ATA Error Count:"))
		return take_count(s, i, "ATA Error Count:");
	if (words_after(line, "Device Error Count:"))
		return take_count(s, i, "Device Error Count:");
	p = words_after(line, "Error ");
	if (p && str_is_digit(*p))
		return take_error(s, i, p);
	if (words_after(line, "When the command that caused the error"))
		return take_state(s, i);
	if (str_starts(line, "ER:"))
		return take_named_registers(s, i);
	return take_register_row(s, i);
}

/* Extended and summary log in one report hold the same errors: the first is read. */
size_t smart_error_log(struct smart *s, size_t i)
{
	if (smart_once(s, FACT_ERRORLOG_READ)) {
		s->error_part = s->section->part;
		emit_text(&s->e, FACT_ERRORLOG_READ, 0, 0, smart_join(s, i, 1), i);
	}
	return smart_claim(s, i, 1, LINE_READ);
}

static const char prose[] =
	"(device log contains only the most recent five errors) "
	"(device log contains only the most recent 4 errors) "
	"CR = Command Register FEATR = Features Register "
	"COUNT = Count (was: Sector Count) Register "
	"LBA_48 = Upper bytes of LBA High/Mid/Low Registers ] ATA-8 "
	"LH = LBA High (was: Cylinder High) Register ] LBA "
	"LM = LBA Mid (was: Cylinder Low) Register ] Register "
	"LL = LBA Low (was: Sector Number) Register ] "
	"DV = Device (was: Device/Head) Register DC = Device Control Register "
	"ER = Error register ST = Status register "
	"CR = Command Register [HEX] FR = Features Register [HEX] "
	"SC = Sector Count Register [HEX] SN = Sector Number Register [HEX] "
	"CL = Cylinder Low Register [HEX] CH = Cylinder High Register [HEX] "
	"DH = Device/Head Register [HEX] DC = Device Command Register [HEX] "
	"DC = Device Control Register [HEX] "
	"ER = Error register [HEX] ST = Status register [HEX] "
	"DCR = Device Control Register FR = Features Register SC = Sector Count Register "
	"SN = Sector Number Register CL = Cylinder Low Register "
	"CH = Cylinder High Register D/H = Device/Head Register "
	"CR = Content written to Command Register ER = Error register "
	"STA = Status register "
	"Timestamp = decimal seconds since the previous disk power-on. "
	"Timestamp is seconds since the previous disk power-on. "
	"Note: timestamp \"wraps\" after 2^32 msec = 49.710 days. "
	"Powered_Up_Time is measured from power on, and printed as "
	"DDd+hh:mm:SS.sss where DD=days, hh=hours, mm=minutes, SS=sec, and sss=millisec. "
	"It \"wraps\" after 49.710 days. "
	"After command completion occurred, registers were: "
	"Commands leading to the command that caused the error were: "
	"Sequence of commands leading to the command that caused the error were: "
	"ER -- ST COUNT LBA_48 LH LM LL DV DC -- -- -- == -- == == == -- -- -- -- -- "
	"CR FEATR COUNT LBA_48 LH LM LL DV DC Powered_Up_Time Command/Feature_Name "
	"-- == -- == -- == == == -- -- -- -- -- --------------- -------------------- "
	"ER ST SC SN CL CH DH -- -- -- -- -- -- -- "
	"CR FR SC SN CL CH DH DC Powered_Up_Time Command/Feature_Name "
	"CR FR SC SN CL CH DH DC Timestamp Command/Feature_Name "
	"-- -- -- -- -- -- -- -- ---------------- -------------------- "
	"-- -- -- -- -- -- -- -- --------- -------------------- "
	"DCR FR SC SN CL CH D/H CR Timestamp ";

const struct smart_section smart_errors = {
	.name = "errorlog",
	.part = PART_ERRORS,
	.row = take_row,
	.prose = prose,
};

const struct smart_section smart_errors_ext = {
	.name = "errorlog",
	.part = PART_ERRORS_EXT,
	.row = take_row,
	.prose = prose,
};
