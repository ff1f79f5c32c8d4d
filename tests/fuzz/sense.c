/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sense data of a hostile bridge: byte 0 chooses the command, the rest is what it answers. */
#include <stdlib.h>

#include "device/sense.h"
#include "device/sgio-answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
	if (!what)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ata_command c =
		size && data[0] & 1 ? ata_check_power_mode() : ata_smart_status();
	struct sgio_answer a = { .status = 2 };
	struct transport_result result;
	struct sense s;
	int error = 1;

	if (!size)
		return 0;
	s = sense_decode(span_of(data + 1, size - 1), &c);
	/* what is known came from a drive that had ended the command */
	must(!s.registers.known || !(s.registers.status & ATA_STATUS_BSY));
	must(s.registers.known || !s.registers.count);
	a.sense_len = (uint8_t)(size - 1 < SGIO_SENSE_MAX ? size - 1 : SGIO_SENSE_MAX);
	for (unsigned i = 0; i < a.sense_len; i++)
		a.sense[i] = data[i + 1];
	(void)sgio_judge(&a, &c, NULL, &result, &error);
	must(error <= 0);
	return 0;
}
