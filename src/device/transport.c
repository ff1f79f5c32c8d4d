/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device/transport.h"

#include <errno.h>

#include "ata/gate.h"

int transport_send(struct transport *t, const struct ata_command *c, uint8_t *data,
		   uint32_t timeout_ms, struct transport_result *ret)
{
	int r = gate_check(c, t->grants);

	*ret = (struct transport_result){ 0 };
	if (r < 0)
		return r;
	if (c->ext && t->no_ext)
		return -EOPNOTSUPP;
	if (t->stop && *t->stop)
		return -EINTR;
	return t->ops->send(t, c, data, timeout_ms, ret);
}

void transport_close(struct transport *t)
{
	if (t)
		t->ops->close(t);
}
