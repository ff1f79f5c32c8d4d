/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/str.h"
#include "cmd/options.h"

static int take_days(const char *name, const char *value, int *ret)
{
	uint64_t days;

	if (str_to_u64(value, &days) < 0 || days > 36500) {
		(void)fprintf(stderr, "drivewhy: --%s takes a number of days\n", name);
		return EXIT_USAGE_ERROR;
	}
	*ret = (int)days;
	return 0;
}

static int take_one_of(const char *name, const char *value, const char *const *choices)
{
	for (const char *const *c = choices; *c; c++)
		if (str_equal(*c, value))
			return 0;
	(void)fprintf(stderr, "drivewhy: --%s does not know '%s'\n", name, value);
	return EXIT_USAGE_ERROR;
}

static int take_compat(struct options *o, const char *value)
{
	static const char *const names[] = { "smartctl_exporter", "smartmon.py",
					     "smartmon.sh", NULL };

	o->check.compat = value;
	return take_one_of("compat", value, names);
}

int options_take_check(struct options *o, int id, const char *value)
{
	switch (id) {
	case OPT_REMIND:
		return take_days("remind", value, &o->check.remind_days);
	case OPT_WELL:
		return take_days("well", value ? value : "30", &o->check.well_days);
	case OPT_OUTPUT:
		o->check.output = value;
		return 0;
	case OPT_COMPAT:
		return take_compat(o, value);
	case OPT_SAVE:
		o->check.save = value;
		return 0;
	case OPT_HOOKS:
		o->check.hooks = value;
		return 0;
	case OPT_CONFIG:
		o->check.config = value;
		return 0;
	case OPT_JOURNAL:
		o->check.journal = true;
		return 0;
	case OPT_WHOLE_HOST:
		o->check.whole_host = true;
		return 0;
	case OPT_PROBE:
		o->check.probe = true;
		return 0;
	case OPT_SINCE:
		o->since = value;
		return 0;
	case OPT_CSV:
		o->csv = true;
		return 0;
	case OPT_UNDO:
		o->undo = true;
		return 0;
	default:
		return EXIT_USAGE_ERROR;
	}
}
