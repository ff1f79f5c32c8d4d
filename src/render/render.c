/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/render.h"

#include "base/str.h"
#include "render/formats.h"

static const struct renderer text = {
	.name = "text",
	.describe = "the diagnosis on one screen",
	.write = text_write,
};

static const struct renderer json = {
	.name = "json",
	.describe = "everything, for programs; see drivewhy-json(5)",
	.write = json_write,
};

static const struct renderer markdown = {
	.name = "markdown",
	.describe = "a short text for a forum, without serial numbers",
	.write = markdown_write,
};

static const struct renderer smartctl_json = {
	.name = "smartctl-json",
	.describe = "as smartctl -x --json, for programs that read that",
	.write = smartctl_json_write,
};

static const struct renderer fio_text = {
	.name = "fio",
	.describe = "runs as fio prints them",
	.write = fio_text_write,
};

static const struct renderer fio_json = {
	.name = "fio-json",
	.describe = "runs as fio --output-format=json, for programs that read that",
	.write = fio_json_write,
};

const struct renderer *const renderers[] = {
	&text, &json, &markdown, &smartctl_json, &fio_text, &fio_json, NULL
};

const struct renderer *render_find(const char *name)
{
	for (size_t i = 0; renderers[i]; i++)
		if (str_equal(renderers[i]->name, name))
			return renderers[i];
	return NULL;
}
