/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel answers to one SG_IO call, and what it means. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ata/command.h"
#include "device/transport.h"

#define SGIO_SENSE_MAX 64u

struct sgio_answer {
	int error;	/* errno of the ioctl itself, 0 if it went through */
	uint8_t status; /* SAM-6 5.3: 02h is CHECK CONDITION, which is no failure by itself */
	uint16_t host_status, driver_status;
	uint32_t bytes, resid; /* asked for; of these not transferred */
	uint8_t sense_len;
	uint8_t sense[SGIO_SENSE_MAX];
	uint32_t took_us;
};

enum sgio_next {
	SGIO_DONE,	  /* the result stands */
	SGIO_AGAIN,	  /* a reset was reported instead: send it once more */
	SGIO_OTHER_FORM,  /* nobody knows this form of pass-through */
	SGIO_OTHER_FIELD, /* the form is known, a field of it is not */
};

/*
 * Fill RET and say what to do next. DATA are the bytes that came, to tell a wrong residual count
 * from a short transfer. *ret_error is 0 or as transport_ops.send returns.
 */
enum sgio_next sgio_judge(const struct sgio_answer *a, const struct ata_command *c,
			  const uint8_t *data, struct transport_result *ret,
			  int *ret_error);
