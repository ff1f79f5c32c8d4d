/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sense data as kernels and bridges were seen to return it. "Posted" ones are bytes that users
 * posted or that were read from a running kernel; the others follow SAT-4 12.2.2.7 and SPC-5 4.4.
 */
#include "unit.h"

#include "ata/command.h"
#include "device/sense.h"

struct row {
	const char *name;
	uint8_t bytes[40];
	size_t len;
	enum sense_shape shape;
	bool known;
	uint8_t status, error, device;
	uint16_t count;
	uint64_t lba;
	enum sense_verdict verdict;
};

#define DESC(key, asc, ascq) 0x72, key, asc, ascq, 0, 0, 0, 14, 9, 12

static const struct row
	rows[] = {
		/* clang-format off */
	{ "nothing", { 0 }, 0, SENSE_NONE, .verdict = SENSE_FAILED },
	{ "all zero (posted: USB bridge, registers dropped)", { 0 }, 32, SENSE_NONE,
	  .verdict = SENSE_FAILED },
	{ "descriptor, success (posted: QEMU drive on libata, standard form)",
	  { DESC(1, 0, 0x1d), 0, 0x00, 0, 0xff, 0, 0, 0, 0, 0, 0, 0x40, 0x50 }, 22,
	  SENSE_DESCRIPTOR, true, 0x50, 0, 0x40, 0xff, 0, SENSE_GOOD },
	{ "descriptor, aborted, 48-bit",
	  { DESC(0xb, 0, 0), 1, 0x04, 0x12, 0x34, 0x56, 0x11, 0x78, 0x22, 0x9a, 0x33, 0x00, 0x51 },
	  22, SENSE_DESCRIPTOR, true, 0x51, 0x04, 0, 0x1234, 0x9a7856332211, SENSE_FAILED },
	{ "descriptor, EXTEND 0: upper bytes are no part of it",
	  { DESC(1, 0, 0x1d), 0, 0, 0x12, 0x34, 0x56, 0x11, 0x78, 0x22, 0x9a, 0x33, 0, 0x50 }, 22,
	  SENSE_DESCRIPTOR, true, 0x50, 0, 0, 0x34, 0x332211, SENSE_GOOD },
	{ "descriptor behind another one (information)",
	  { 0x72, 1, 0, 0x1d, 0, 0, 0, 26, 0, 10, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 1,
	    9, 12, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x50 }, 34,
	  SENSE_DESCRIPTOR, true, 0x50, 0, 0, 0x80, 0, SENSE_GOOD },
	{ "descriptor, 73h",
	  { 0x73, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x50 }, 22,
	  SENSE_DESCRIPTOR, true, 0x50, 0, 0, 0x40, 0, SENSE_GOOD },
	{ "descriptor, cut",
	  { DESC(1, 0, 0x1d), 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0x40, 0x50 }, 21,
	  SENSE_DESCRIPTOR, false, .verdict = SENSE_GOOD },
	{ "descriptor with zeros in the place of registers: no standby",
	  { DESC(1, 0, 0x1d) }, 22, SENSE_DESCRIPTOR, false, .verdict = SENSE_GOOD },
	{ "descriptor filled with FFh",
	  { DESC(1, 0, 0x1d), 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 }, 22,
	  SENSE_DESCRIPTOR, false, .verdict = SENSE_GOOD },
	{ "descriptor format, no ATA descriptor (invalid operation code)",
	  { 0x72, 5, 0x20, 0, 0, 0, 0, 0 }, 8, SENSE_DESCRIPTOR, false,
	  .verdict = SENSE_NO_OPCODE },
	{ "fixed, success (posted: kernel 6.10.3, active)",
	  { 0xf0, 0, 1, 0, 0x50, 0x40, 0xff, 0x0a, 0, 0, 0x78, 0, 0, 0x1d }, 14,
	  SENSE_FIXED, true, 0x50, 0, 0x40, 0xff, 0x007800, SENSE_GOOD },
	{ "fixed, success (posted: WD bridge, standby)",
	  { 0xf0, 0, 1, 0, 0x50, 0x40, 0, 0x0a, 0x80, 0, 0, 0, 0, 0x1d }, 14,
	  SENSE_FIXED, true, 0x50, 0, 0x40, 0, 0, SENSE_GOOD },
	{ "fixed, aborted (posted: Linux 6.12)",
	  { 0xf0, 0, 0xb, 4, 0x41, 0, 1, 0x0a, 0x80, 0x11, 0, 0, 0, 0, 0, 0, 0, 0 }, 18,
	  SENSE_FIXED, true, 0x41, 4, 0, 1, 0x11, SENSE_FAILED },
	{ "fixed from byte 8 (posted: Linux 6.1)",
	  { 0x70, 0, 0xb, 0, 0, 0, 0, 0x0a, 4, 0x41, 0, 1, 0, 0, 0, 0, 0x80, 0x11, 0, 0 }, 20,
	  SENSE_FIXED_OLD, true, 0x41, 4, 0, 1, 0x11, SENSE_FAILED },
	{ "fixed from byte 8, as short as Linux 6.1 gives it (READ LOG DMA EXT in QEMU)",
	  { 0x70, 0, 0xb, 0, 0, 0, 0, 0x0a, 4, 0x41, 0, 1, 0, 0, 0, 0, 0x80, 0x11 }, 18,
	  SENSE_FIXED_OLD, true, 0x41, 4, 0, 1, 0x11, SENSE_FAILED },
	{ "fixed from byte 8, illegal request (posted: password tool)",
	  { 0x70, 0, 5, 0, 0, 0, 0, 0x0a, 4, 0x51, 0x40, 1, 0x21, 4, 0, 0, 0, 0, 0, 0 }, 20,
	  SENSE_FIXED_OLD, true, 0x51, 4, 0x40, 1, 0, SENSE_FAILED },
	{ "fixed, invalid operation code (posted: virtio-scsi)",
	  { 0x70, 0, 5, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0 }, 18,
	  SENSE_FIXED, false, .verdict = SENSE_NO_OPCODE },
	{ "fixed, invalid field (kernel, NO_ATA_1X)",
	  { 0x70, 0, 5, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0x24, 0, 0, 0, 0, 0 }, 18,
	  SENSE_FIXED, false, .verdict = SENSE_NO_FIELD },
	{ "fixed, reset reported", { 0x70, 0, 6, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0x29, 0 }, 18,
	  SENSE_FIXED, false, .verdict = SENSE_AGAIN },
	{ "fixed, an address in bytes 3 to 6 is no Status",
	  { 0xf0, 0, 3, 0x00, 0x12, 0x34, 0x56, 0x0a, 0, 0, 0, 0, 0x11, 0 }, 18,
	  SENSE_FIXED, false, .verdict = SENSE_FAILED },
	{ "fixed, error key though Status shows none (bridge)",
	  { 0x70, 0, 4, 0, 0x50, 0x40, 0, 0x0a, 0, 0, 0x4f, 0xc2, 0x44, 0 }, 18,
	  SENSE_FIXED, true, 0x50, 0, 0x40, 0, 0xc24f00, SENSE_GOOD },
	{ "fixed, 71h", { 0x71, 0, 1, 0, 0x50, 0, 0x80, 0x0a, 0, 0, 0, 0, 0, 0x1d }, 14,
	  SENSE_FIXED, true, 0x50, 0, 0, 0x80, 0, SENSE_GOOD },
	{ "fixed, too short for registers", { 0x70, 0, 1, 0, 0x50, 0, 0x80, 0x0a, 0, 0, 0 }, 11,
	  SENSE_FIXED, false, .verdict = SENSE_GOOD },
	{ "device fault counts as an error",
	  { DESC(4, 0x44, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x70 }, 22,
	  SENSE_DESCRIPTOR, true, 0x70, 0, 0, 0, 0, SENSE_FAILED },
	{ "logical unit communication time-out", { 0x70, 0, 2, 0, 0, 0, 0, 0x0a, 0, 0, 0, 0, 8, 1 },
	  18, SENSE_FIXED, false, .verdict = SENSE_TIME_OUT },
	{ "another response code", { 0x7f, 1, 2, 3 }, 18, SENSE_ALIEN, .verdict = SENSE_FAILED },
		/* clang-format on */
	};

static void every_shape(void **state)
{
	struct ata_command c = ata_check_power_mode();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *w = &rows[i];
		struct sense s = sense_decode(span_of(w->bytes, w->len), &c);

		print_message("# %s\n", w->name);
		assert_int_equal(s.shape, w->shape);
		assert_int_equal(s.registers.known, w->known);
		assert_int_equal(s.registers.status, w->status);
		assert_int_equal(s.registers.error, w->error);
		assert_int_equal(s.registers.device, w->device);
		assert_int_equal(s.registers.count, w->count);
		assert_true(s.registers.lba == w->lba);
		assert_int_equal(sense_judge(&s), w->verdict);
	}
}

/* Fixed format has no upper bytes: who looks at them must know. */
static void upper_halves(void **state)
{
	const uint8_t fixed[] = { 0xf0, 0,    0xb,  4, 0x51, 0, 1,
				  0x0a, 0xe0, 0x11, 0, 0,    0, 0 };
	struct ata_command c = ata_read_log_ext(0x11, 0, 1, false, false);

	(void)state;
	assert_true(sense_decode(span_of(fixed, sizeof(fixed)), &c).registers.partial);
}

/*
 * Without a Status register only the signature of a failing drive is believed: that of a healthy
 * one stands in the command itself, and a bridge may send it back.
 */
static void no_status_is_never_healthy(void **state)
{
	static const struct {
		uint8_t mid, high;
		bool known;
	} cases[] = {
		{ 0x4f, 0xc2, false }, { 0xf4, 0x2c, true },  { 0xf4, 0x00, true },
		{ 0x00, 0x2c, true },  { 0x4f, 0x00, false }, { 0x4f, 0x2c, false }
	};
	struct ata_command da = ata_smart_status(), e5 = ata_check_power_mode();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint8_t b[22] = { DESC(1, 0, 0x1d) };

		b[8 + 9] = cases[i].mid;
		b[8 + 11] = cases[i].high;
		assert_int_equal(sense_decode(span_of(b, sizeof(b)), &da).registers.known,
				 cases[i].known);
		assert_false(sense_decode(span_of(b, sizeof(b)), &e5).registers.known);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shape),
		cmocka_unit_test(upper_halves),
		cmocka_unit_test(no_status_is_never_healthy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
