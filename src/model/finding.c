/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/finding.h"

#include <errno.h>

#include "base/str.h"

static const struct {
	const char *name, *title;
	enum severity severity;
} codes[CODE_COUNT] = {
#define CODE(id, severity_, title_)                                                      \
	[CODE_##id] = { .name = #id, .title = title_, .severity = SEVERITY_##severity_ },
#include "model/codes.def"
#undef CODE
};

const char *code_name(enum code code)
{
	return codes[code].name;
}

const char *code_title(enum code code)
{
	return codes[code].title;
}

enum severity code_severity(enum code code)
{
	return codes[code].severity;
}

static const struct {
	const char *name;
	enum code code;
} aliases[] = {
#define CODE(id, severity, title)
#define ALIAS(name_, id) { #name_, CODE_##id },
#include "model/codes.def"
#undef CODE
};

const char *code_alias(enum code code, size_t n)
{
	for (size_t i = 0; i < array_size(aliases); i++)
		if (aliases[i].code == code && n-- == 0)
			return aliases[i].name;
	return NULL;
}

int code_from_name(const char *name, enum code *ret)
{
	for (size_t i = 0; i < array_size(aliases); i++) {
		if (str_equal_nocase(aliases[i].name, name)) {
			*ret = aliases[i].code;
			return 0;
		}
	}
	for (int i = 0; i < CODE_COUNT; i++) {
		if (str_equal_nocase(codes[i].name, name)) {
			*ret = (enum code)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {
		[SEVERITY_OK] = "ok",
		[SEVERITY_NOTE] = "note",
		[SEVERITY_UNKNOWN] = "unknown",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_CRITICAL] = "critical",
	};

	return names[severity];
}

const char *confidence_name(enum confidence confidence)
{
	static const char *const names[] = {
		[CONFIDENCE_CANNOT_TELL] = "cannot-tell", [CONFIDENCE_WEAK] = "weak",
		[CONFIDENCE_MODERATE] = "moderate",	  [CONFIDENCE_STRONG] = "strong",
		[CONFIDENCE_CERTAIN] = "certain",
	};

	return names[confidence];
}

const char *side_name(enum side side)
{
	static const char *const names[] = {
		[SIDE_NONE] = "",
		[SIDE_DRIVE] = "drive",
		[SIDE_HOST] = "host",
		[SIDE_DATABASE] = "database",
		[SIDE_MEASURED] = "measured",
	};

	return names[side];
}
