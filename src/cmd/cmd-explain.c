/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain CODE: what a verdict means and rests on. */
#include <stdio.h>

#include "base/str.h"
#include "cmd/options.h"
#include "cmd/screen.h"
#include "judge/judge.h"
#include "model/finding.h"
#include "render/explain.h"

static int print_code(const struct options *o, enum code code)
{
	struct render_options ro = { .colour = screen_wants_colour(o),
				     .columns = screen_columns() };
	struct buf out cleanup_buf = { 0 };

	if (render_explain(code, judge_rule_source(code), &ro, &out) < 0)
		return EXIT_INTERNAL;
	(void)fwrite(buf_text(&out), 1, out.len, stdout);
	return EXIT_OK;
}

static int run_explain(const struct options *o)
{
	int status = EXIT_OK;

	if (!o->n_targets)
		for (int i = 0; i < CODE_COUNT; i++)
			(void)printf("%-3s  %s\n", code_name((enum code)i),
				     code_title((enum code)i));
	for (int i = 0; !status && i < o->n_targets; i++) {
		enum code code;

		if (code_from_name(o->targets[i], &code) < 0) {
			(void)fprintf(stderr, "drivewhy: no verdict has the code '%s'\n",
				      o->targets[i]);
			return EXIT_USAGE_ERROR;
		}
		if (i)
			(void)putchar('\n');
		status = print_code(o, code);
	}
	return status;
}

const struct command cmd_explain = {
	.name = "explain",
	.arguments = "[CODE...]",
	.help = "say what a verdict code means and rests on",
	.run = run_explain,
};
