/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list -v: below the table, what no column has room for. */
#include <string.h>

#include "base/str.h"
#include "render/list.h"
#include "render/sheet.h"

static const struct {
	enum fact_id id;
	const char *words;
} identity[] = {
	{ FACT_SERIAL, "serial" },
	{ FACT_WWN, "WWN" },
	{ FACT_FIRMWARE, "firmware" },
	{ FACT_DRIVER, "driver" },
	{ FACT_CONTROLLER_ID, "controller" },
	{ FACT_USB_ID, "USB bridge" },
	{ FACT_RUNTIME_STATUS, "power" },
};

static void write_identity(struct sheet *s, const struct drive *d)
{
	size_t said = 0;

	for (size_t i = 0; i < array_size(identity); i++) {
		const char *text = drive_text(d, identity[i].id, 0, 0);

		if (!text)
			continue;
		if (!said)
			sheet_begin(s, 2, 4);
		sheet_raw(s, STYLE_PLAIN, "%s%s" SHEET_GLUE, said++ ? ", " : "",
			  identity[i].words);
		sheet_text(s, STYLE_PLAIN, text);
	}
	if (said)
		sheet_end(s);
}

/* One line a name: they are long, and to be copied. */
static void write_names(struct sheet *s, const struct drive *d)
{
	const char *text = drive_text(d, FACT_DISK_NAMES, 0, 0);

	while (text && *text) {
		size_t len = strcspn(text, "\n");
		struct buf name cleanup_buf = { 0 };

		buf_add(&name, text, len);
		sheet_begin(s, 2, 4);
		sheet_text(s, STYLE_PLAIN, buf_text(&name));
		sheet_end(s);
		sheet_check(s, &name);
		text += len + (text[len] == '\n');
	}
}

static void write_partitions(struct sheet *s, const struct drive *d)
{
	const char *holders = drive_text(d, FACT_HOLDERS, 0, 0);
	size_t n;
	const struct fact *f = drive_facts(d, FACT_PARTITION_START, &n);

	if (!n && !holders)
		return;
	sheet_begin(s, 2, 4);
	for (size_t i = 0; i < n; i++)
		sheet_raw(s, STYLE_PLAIN, "%s%u" SHEET_GLUE "from" SHEET_GLUE "%llu",
			  i ? ", " : "partitions: ", f[i].key.i,
			  (unsigned long long)f[i].u);
	if (holders) {
		sheet_raw(s, STYLE_PLAIN, "%s", n ? "; made of it: " : "made of it: ");
		sheet_text(s, STYLE_PLAIN, holders);
	}
	sheet_end(s);
}

int render_list_details(const struct case_file *c, const struct render_options *o,
			struct buf *ret)
{
	struct sheet s;

	sheet_init(&s, o, ret);
	for (size_t i = 0; i < c->n_drives; i++) {
		const char *name = drive_text(c->drives[i], FACT_DEVICE, 0, 0);
		const char *model = drive_text(c->drives[i], FACT_MODEL, 0, 0);

		sheet_gap(&s);
		sheet_begin(&s, 0, 2);
		sheet_text(&s, STYLE_BOLD, name ? name : "?");
		sheet_raw(&s, STYLE_PLAIN, " ");
		sheet_text(&s, STYLE_PLAIN, model ? model : "");
		sheet_end(&s);
		write_identity(&s, c->drives[i]);
		write_names(&s, c->drives[i]);
		write_partitions(&s, c->drives[i]);
	}
	sheet_done(&s);
	return buf_error(ret);
}
