/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/series.h"

size_t time_slot(const struct time_slots *s, int64_t at)
{
	int64_t width = s->to - s->from, place = at - s->from;

	if (width <= 0 || place <= 0)
		return 0;
	if (place >= width)
		return s->n - 1;
	return (size_t)(place * (int64_t)s->n / (width + 1));
}
