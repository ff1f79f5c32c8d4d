/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask DEVICE: single commands through our own transport, also such as a drive does not announce, to see
 * what a kernel makes of their end. A line each: what was sent, how it ended, the registers.
 */
#include <stdio.h>
#include <string.h>

#include "base/attrs.h"
#include "device/sense.h"
#include "device/transport.h"

static void ask(struct transport *t, const struct ata_command *c)
{
	static uint8_t data[16 * ATA_SECTOR];
	struct transport_result r;
	char name[64];
	int e = transport_send(t, c, data, 5000, &r);

	ata_command_describe(c, name, sizeof(name));
	printf("%s: %s", name, e ? strerror(-e) : "ok");
	if (r.registers.known)
		printf(", status %02x error %02x count %02x lba %06llx",
		       r.registers.status, r.registers.error,
		       (unsigned)(r.registers.count & 0xff),
		       (unsigned long long)r.registers.lba);
	printf(", %zu bytes, sense", r.received);
	for (size_t i = 0; i < r.sense_len && i < 22; i++)
		printf(" %02x", r.sense[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	const struct ata_command commands[] = {
		ata_identify(),
		ata_check_power_mode(),
		ata_smart_status(),
		ata_smart_data(),
		ata_smart_read_log(0xe0, 1),
		ata_read_log_ext(0x11, 0, 1, false, false),
		ata_read_log_ext(0x11, 0, 1, true, false),
	};
	struct transport *t;
	int r = argc > 1 ? transport_sgio_open(argv[1], &t) : -1;

	if (r < 0) {
		(void)fprintf(stderr, "ask: %s\n", strerror(-r));
		return 1;
	}
	for (size_t i = 0; i < array_size(commands); i++)
		ask(t, &commands[i]);
	transport_close(t);
	return 0;
}
