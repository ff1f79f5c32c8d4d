/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "model/finding.h"
#include "render/render.h"

/* What a code means: its entry of drivewhy-findings(7); RULE is what its rule rests on, or NULL. */
int render_explain(enum code code, const char *rule, const struct render_options *o,
		   struct buf *ret) must_check;
