/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drivewhy.conf(5): whatever stands in it, it is read to its end, or refused with a line. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf c;
	struct diag d = { 0 };
	int r;

	conf_init(&c);
	r = conf_read(&c, span_of(data, size), "fuzz.conf", &d);
	/* refused: then it says why; taken: then nothing was wrong */
	if (r == -ENOMEM || (r == -EBADMSG) != (d.n + d.dropped > 0))
		abort();
	for (size_t i = 0; i < c.rules.n_thresholds; i++)
		if (c.rules.thresholds[i].least < 1 ||
		    !kept_find(c.rules.thresholds[i].fact))
			abort();
	conf_done(&c);
	diag_done(&d);
	return 0;
}
