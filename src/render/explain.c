/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/explain.h"

#include <string.h>

#include "base/str.h"
#include "render/sheet.h"

static void write_title(struct sheet *s, enum code code)
{
	const char *alias;

	sheet_begin(s, 0, 5);
	sheet_raw(s, STYLE_BOLD, "%s", code_name(code));
	sheet_raw(s, STYLE_PLAIN, "  ");
	sheet_raw(s, STYLE_BOLD, "%s", code_title(code));
	sheet_raw(s, STYLE_PLAIN, " (%s at least)", severity_name(code_severity(code)));
	for (size_t i = 0; (alias = code_alias(code, i)) != NULL; i++)
		sheet_raw(s, STYLE_PLAIN, "%s%s", i ? ", " : "; also called ", alias);
	sheet_end(s);
}

/* Paragraphs that begin with these words have them in the column of labels. */
static const struct {
	const char *words, *label;
} labels[] = {
	{ "Speaks for it: ", "For" },  { "Speaks against it: ", "Against" },
	{ "What to do: ", "Do next" }, { "Confirmed by: ", "Confirmed" },
	{ "Source: ", "Rests on" },
};

static void write_paragraph(struct sheet *s, const char *text, size_t len)
{
	struct buf one cleanup_buf = { 0 };
	const char *label = "Means", *rest;

	buf_add(&one, text, len);
	rest = buf_text(&one);
	for (size_t i = 0; i < array_size(labels); i++) {
		const char *behind = str_after(rest, labels[i].words);

		if (!behind)
			continue;
		label = labels[i].label;
		rest = behind;
		break;
	}
	sheet_item(s, label, rest);
	sheet_check(s, &one);
}

static const char *const no_text = "drivewhy-findings(7) has no entry for it.";

int render_explain(enum code code, const char *rule, const struct render_options *o,
		   struct buf *ret)
{
	const char *text = code_text(code) ? code_text(code) : no_text;
	bool has_source = strstr(text, "Source: ") != NULL;
	struct sheet s;

	sheet_init(&s, o, ret);
	write_title(&s, code);
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t len = end ? (size_t)(end - text) : strlen(text);

		write_paragraph(&s, text, len);
		text += len;
		while (*text == '\n')
			text++;
	}
	if (rule && !has_source)
		sheet_item(&s, "Rests on", rule);
	sheet_done(&s);
	return buf_error(ret);
}
