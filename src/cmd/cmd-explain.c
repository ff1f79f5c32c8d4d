/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain CODE: what a verdict means and rests on. */
#include <stdio.h>

#include "base/str.h"
#include "cmd/options.h"
#include "judge/judge.h"
#include "model/finding.h"

static void print_code(enum code code)
{
	(void)printf("%s  %s\n", code_name(code), code_title(code));
}

static int run_explain(const struct options *o)
{
	if (!o->n_targets)
		for (int i = 0; i < CODE_COUNT; i++)
			print_code((enum code)i);
	for (int i = 0; i < o->n_targets; i++) {
		enum code code;
		const char *source;

		if (code_from_name(o->targets[i], &code) < 0) {
			(void)fprintf(stderr, "drivewhy: no verdict has the code '%s'\n",
				      o->targets[i]);
			return EXIT_USAGE_ERROR;
		}
		print_code(code);
		source = judge_rule_source(code);
		if (source)
			(void)printf("Rests on: %s.\n", source);
		(void)printf("More: drivewhy-findings(7)\n");
	}
	return EXIT_OK;
}

const struct command cmd_explain = {
	.name = "explain",
	.arguments = "[CODE...]",
	.help = "say what a verdict code means and rests on",
	.run = run_explain,
};
