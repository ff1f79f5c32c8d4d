/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/sgio-answer.h"

#include <errno.h>
#include <string.h>

#include "base/attrs.h"
#include "device/sense.h"

#define STATUS_GOOD	       0x00u
#define STATUS_CHECK_CONDITION 0x02u
#define STATUS_MASK	       0x3eu /* the other bits are vendors' in SCSI-2 */
#define DRIVER_TIMEOUT	       0x06u /* kernels before 5.14 */
#define DRIVER_MASK	       0x0fu

/* What the kernel's SCSI layer or a host adapter says, Linux scsi_status.h. */
static const struct host_row {
	uint16_t host_status;
	enum sgio_next next;
	int error;
} host_rows[] = {
	{ 0x01, SGIO_DONE, -ENODEV },	 /* DID_NO_CONNECT */
	{ 0x03, SGIO_DONE, -ETIMEDOUT }, /* DID_TIME_OUT */
	{ 0x04, SGIO_DONE, -ENODEV },	 /* DID_BAD_TARGET */
	{ 0x05, SGIO_DONE, -ETIMEDOUT }, /* DID_ABORT: by the error handler */
	{ 0x08, SGIO_AGAIN, -EIO },	 /* DID_RESET: somebody else's */
	{ 0x0f, SGIO_DONE, -ENODEV },	 /* DID_TRANSPORT_FAILFAST */
};

/* What the ioctl itself fails with. */
static const struct errno_row {
	int from, to;
} errno_rows[] = {
	{ ENODEV, -ENODEV },	   { ENXIO, -ENODEV },	    { ESHUTDOWN, -ENODEV },
	{ EPERM, -EPERM },	   { EACCES, -EPERM },	    { ENOTTY, -EOPNOTSUPP },
	{ EINVAL, -EOPNOTSUPP },   { ENOSYS, -EOPNOTSUPP }, { EMSGSIZE, -EOPNOTSUPP },
	{ ETIMEDOUT, -ETIMEDOUT }, { EINTR, -EINTR },
};

static int map_errno(int error)
{
	for (size_t i = 0; i < array_size(errno_rows); i++)
		if (errno_rows[i].from == error)
			return errno_rows[i].to;
	return -EIO;
}

/* Some bridges count a residual though all came; what is beyond it is zero if it did not. */
static size_t received_bytes(const struct sgio_answer *a, const uint8_t *data)
{
	size_t n = a->resid <= a->bytes ? a->bytes - a->resid : 0;

	for (size_t i = n; i < a->bytes; i++)
		if (data[i])
			return a->bytes;
	return n;
}

static enum sgio_next judge_sense(const struct sense *s, int *ret_error)
{
	static const struct {
		int error;
		enum sgio_next next;
	} of[] = {
		[SENSE_GOOD] = { 0, SGIO_DONE },
		[SENSE_FAILED] = { -EIO, SGIO_DONE },
		[SENSE_NO_OPCODE] = { -EOPNOTSUPP, SGIO_OTHER_FORM },
		[SENSE_NO_FIELD] = { -EIO, SGIO_OTHER_FIELD },
		[SENSE_AGAIN] = { -EIO, SGIO_AGAIN },
		[SENSE_TIME_OUT] = { -ETIMEDOUT, SGIO_DONE },
	};
	enum sense_verdict v = sense_judge(s);

	*ret_error = of[v].error;
	return of[v].next;
}

static enum sgio_next judge_host(const struct sgio_answer *a, int *ret_error)
{
	*ret_error = -EIO;
	for (size_t i = 0; i < array_size(host_rows); i++)
		if (host_rows[i].host_status == a->host_status) {
			*ret_error = host_rows[i].error;
			return host_rows[i].next;
		}
	return SGIO_DONE;
}

static enum sgio_next judge(const struct sgio_answer *a, const struct sense *s,
			    int *ret_error)
{
	uint8_t status = a->status & STATUS_MASK;

	if (a->error) {
		*ret_error = map_errno(a->error);
		return SGIO_DONE;
	}
	if (a->host_status)
		return judge_host(a, ret_error);
	if ((a->driver_status & DRIVER_MASK) == DRIVER_TIMEOUT) {
		*ret_error = -ETIMEDOUT;
		return SGIO_DONE;
	}
	if (status == STATUS_CHECK_CONDITION ||
	    (status == STATUS_GOOD && s->registers.known))
		return judge_sense(s, ret_error);
	/* BUSY and its like: the command was not done */
	*ret_error = status == STATUS_GOOD ? 0 : -EIO;
	return SGIO_DONE;
}

enum sgio_next sgio_judge(const struct sgio_answer *a, const struct ata_command *c,
			  const uint8_t *data, struct transport_result *ret,
			  int *ret_error)
{
	struct sense s = { 0 };
	enum sgio_next next;

	*ret = (struct transport_result){ .took_us = a->took_us };
	if (!a->error && !a->host_status)
		s = sense_decode(span_of(a->sense, a->sense_len), c);
	next = judge(a, &s, ret_error);
	ret->registers = s.registers;
	ret->sense_len = a->sense_len;
	memcpy(ret->sense, a->sense, a->sense_len);
	ret->host_status = (uint8_t)a->host_status;
	ret->timed_out = *ret_error == -ETIMEDOUT;
	ret->gone = *ret_error == -ENODEV;
	if (*ret_error == 0 && a->bytes)
		ret->received = received_bytes(a, data);
	return next;
}
