/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line: "DRIVEWHY WARNING - sda: L01 Link errors ... | sda_temperature=34 sda_crc=12c". The
 * texts are those of findings that count; performance data have one label a drive and quantity.
 * Everything that ends the text or a label for the reader ('|', '\'', '=') is replaced.
 */
#include <string.h>

#include "base/str.h"
#include "render/check.h"
#include "render/sheet.h"

static const char *status_of(enum severity severity)
{
	switch (severity) {
	case SEVERITY_OK:
	case SEVERITY_NOTE:
		return "OK";
	case SEVERITY_UNKNOWN:
		return "UNKNOWN";
	case SEVERITY_WARNING:
		return "WARNING";
	case SEVERITY_CRITICAL:
		return "CRITICAL";
	}
	return "UNKNOWN";
}

static void add_plain(struct buf *b, const char *text, const char *forbidden)
{
	struct buf safe cleanup_buf = { 0 };

	sheet_add_safe(&safe, text, SHEET_TEXT_MAX);
	for (const char *s = buf_text(&safe); *s; s++)
		buf_putc(b, strchr(forbidden, *s) ? '_' : *s);
	if (buf_error(&safe) < 0)
		b->failed = true;
}

/* The name that a person gives the drive: its device, else its serial number. */
static const char *name_of(const struct check_drive *d)
{
	const char *rest = d->device ? str_after(d->device, "/dev/") : NULL;

	return rest ? rest : d->device ? d->device : d->serial ? d->serial : "drive";
}

static void add_findings(struct buf *b, const struct check_report *r, unsigned *n)
{
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct check_drive *d = &r->drives[i];

		if (d->state == CHECK_UNREADABLE) {
			buf_puts(b, (*n)++ ? "; " : " - ");
			add_plain(b, name_of(d), "|\n");
			buf_puts(b, ": could not be looked at");
		}
		for (size_t k = 0; k < d->n_findings; k++) {
			const struct check_finding *f = &d->findings[k];

			if (f->acknowledged || f->severity < SEVERITY_UNKNOWN)
				continue;
			buf_puts(b, (*n)++ ? "; " : " - ");
			add_plain(b, name_of(d), "|\n");
			buf_printf(b, ": %s %s", code_name(f->code), code_title(f->code));
		}
	}
}

static unsigned count(const struct check_report *r, enum check_state state)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->n_drives; i++)
		n += r->drives[i].state == state;
	return n;
}

static void add_label(struct buf *b, const struct check_drive *d, const char *what)
{
	buf_puts(b, " '");
	add_plain(b, name_of(d), "|'=\n ");
	buf_printf(b, "_%s'=", what);
}

static void add_facts(struct buf *b, const struct check_drive *d)
{
	static const struct {
		enum fact_id id;
		const char *name, *unit;
	} rows[] = {
		{ FACT_TEMPERATURE, "temperature", "" },
		{ FACT_REALLOCATED, "reallocated", "c" },
		{ FACT_PENDING, "pending", "" },
		{ FACT_CRC_ERRORS, "crc", "c" },
		{ FACT_LIFE_USED, "life_used", "%" },
		{ FACT_POWER_ON_HOURS, "power_on", "c" },
	};

	for (size_t i = 0; d->report && i < array_size(rows); i++) {
		const struct fact *f = drive_fact(d->report->drive, rows[i].id, 0, 0);

		if (!f)
			continue;
		add_label(b, d, rows[i].name);
		if (fact_get_info(rows[i].id)->type == FACT_S64)
			buf_printf(b, "%lld", (long long)f->s);
		else
			buf_printf(b, "%llu", (unsigned long long)f->u);
		buf_puts(b, rows[i].unit);
	}
}

static void add_totals(struct buf *b, const struct check_drive *d)
{
	for (size_t i = 0; i < d->n_totals; i++) {
		const struct check_total *t = &d->totals[i];
		char what[16];

		if (t->key.id != FACT_PHY_VALUE)
			continue;
		(void)snprintf(what, sizeof(what), "phy_%03x", t->key.i);
		add_label(b, d, what);
		buf_printf(b, "%lluc", (unsigned long long)t->total);
	}
}

int render_check_nagios(const struct check_report *r, struct buf *ret)
{
	enum severity worst = r->n_drives ? check_worst(r) : SEVERITY_UNKNOWN;
	unsigned n = 0;

	buf_printf(ret, "DRIVEWHY %s", status_of(worst));
	add_findings(ret, r, &n);
	if (!n)
		buf_printf(ret, " - %u drive%s looked at", count(r, CHECK_READ),
			   count(r, CHECK_READ) == 1 ? "" : "s");
	if (count(r, CHECK_ASLEEP))
		buf_printf(ret, ", %u asleep", count(r, CHECK_ASLEEP));
	if (r->kernel_log == CHECK_LOG_MISSING)
		buf_puts(ret, ", kernel log not read");
	if (!r->stored)
		buf_puts(ret, ", history not stored");
	buf_printf(ret, " | 'drives'=%zu", r->n_drives);
	for (size_t i = 0; i < r->n_drives; i++) {
		add_facts(ret, &r->drives[i]);
		add_totals(ret, &r->drives[i]);
	}
	buf_putc(ret, '\n');
	return buf_error(ret);
}
