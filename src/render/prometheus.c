/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/prometheus.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "config.h"

/* --- the format ------------------------------------------------------------------------------------------ */

void prom_head(struct buf *b, const char *name, const char *type, const char *help)
{
	buf_printf(b, "# HELP %s ", name);
	for (const char *s = help; *s; s++) {
		if (*s == '\\')
			buf_puts(b, "\\\\");
		else
			buf_putc(b, *s == '\n' ? ' ' : *s);
	}
	buf_printf(b, "\n# TYPE %s %s\n", name, type);
}

void prom_begin(struct buf *b, const char *name)
{
	buf_puts(b, name);
	buf_putc(b, '{');
}

/* A backslash, a quote and a line end are escaped; what is no UTF-8 is written as \xNN first. */
void prom_label(struct buf *b, const char *name, const char *value)
{
	const char *s = value ? value : "";

	if (b->len && buf_text(b)[b->len - 1] != '{')
		buf_putc(b, ',');
	buf_printf(b, "%s=\"", name);
	while (*s) {
		size_t n = str_printable_len(s, strlen(s));

		for (size_t i = 0; i < n; i++) {
			if (s[i] == '"' || s[i] == '\\')
				buf_putc(b, '\\');
			buf_putc(b, s[i]);
		}
		s += n;
		if (*s)
			buf_printf(b, "\\\\x%02x", (unsigned)(unsigned char)*s++);
	}
	buf_putc(b, '"');
}

static void end_labels(struct buf *b)
{
	buf_puts(b, "} ");
}

void prom_value(struct buf *b, uint64_t value)
{
	end_labels(b);
	buf_printf(b, "%" PRIu64 "\n", value);
}

void prom_signed(struct buf *b, int64_t value)
{
	end_labels(b);
	buf_printf(b, "%" PRId64 "\n", value);
}

void prom_ratio(struct buf *b, uint64_t value, uint64_t num, uint64_t den)
{
	uint64_t whole, rest, decimals = 0;
	char text[24];
	size_t n = 9;

	if (num > 1 && value > UINT64_MAX / num)
		value = UINT64_MAX / num;
	value *= num;
	whole = value / den;
	rest = value % den;
	/* den is at most 10^9: no digit is lost */
	if (rest)
		decimals = rest * 1000000000u / den;
	end_labels(b);
	buf_printf(b, "%" PRIu64, whole);
	if (decimals) {
		(void)snprintf(text, sizeof(text), "%09" PRIu64, decimals);
		while (n && text[n - 1] == '0')
			n--;
		buf_printf(b, ".%.*s", (int)n, text);
	}
	buf_putc(b, '\n');
}

static const char *base_name(const char *device)
{
	const char *rest = device ? str_after(device, "/dev/") : NULL;

	return rest ? rest : device;
}

/* Both: a serial number stays with the drive, a device name is what its owner types. */
void prom_drive(struct buf *b, const struct check_drive *d)
{
	prom_label(b, "serial", d->serial);
	prom_label(b, "device", base_name(d->device));
}

/* --- our own metrics --------------------------------------------------------------------------------------- */

static void one_value(struct buf *b, const char *name, const char *help, uint64_t value)
{
	prom_head(b, name, "gauge", help);
	buf_printf(b, "%s %" PRIu64 "\n", name, value);
}

static void add_run(struct buf *b, const struct check_report *r)
{
	prom_head(b, "drivewhy_build_info", "gauge", "Version of drivewhy.");
	prom_begin(b, "drivewhy_build_info");
	prom_label(b, "version", PACKAGE_VERSION);
	prom_value(b, 1);
	one_value(b, "drivewhy_last_run_timestamp_seconds",
		  "Time of the check that wrote this.",
		  (uint64_t)(r->at > 0 ? r->at : 0));
	one_value(b, "drivewhy_drives", "Drives that were looked at or asleep.",
		  r->n_drives);
	one_value(b, "drivewhy_kernel_log_readable",
		  "Whether the kernel log was part of the check.",
		  r->kernel_log == CHECK_LOG_READ);
	one_value(b, "drivewhy_history_stored",
		  "Whether this check could be stored in the history.", r->stored);
	one_value(b, "drivewhy_changes", "Changes that this check told of.",
		  r->changes.n);
}

static void add_info(struct buf *b, const struct check_report *r)
{
	const char *name = "drivewhy_device_info";

	prom_head(b, name, "gauge", "A drive, and where it is.");
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct check_drive *d = &r->drives[i];

		prom_begin(b, name);
		prom_drive(b, d);
		prom_label(b, "wwn", d->wwn);
		prom_label(b, "model", d->model);
		prom_label(b, "firmware", d->firmware);
		prom_label(b, "port", d->port);
		prom_value(b, 1);
	}
}

static void add_states(struct buf *b, const struct check_report *r)
{
	static const enum check_state states[] = { CHECK_READ, CHECK_ASLEEP,
						   CHECK_UNREADABLE };
	const char *name = "drivewhy_device_state";

	prom_head(b, name, "gauge",
		  "Whether the drive was read, left asleep, or could not be read.");
	for (size_t i = 0; i < r->n_drives; i++)
		for (size_t k = 0; k < array_size(states); k++) {
			prom_begin(b, name);
			prom_drive(b, &r->drives[i]);
			prom_label(b, "state", check_state_name(states[k]));
			prom_value(b, r->drives[i].state == states[k]);
		}
}

static void add_last_read(struct buf *b, const struct check_report *r)
{
	const char *name = "drivewhy_device_last_read_timestamp_seconds";

	prom_head(b, name, "gauge", "When the drive was read last.");
	for (size_t i = 0; i < r->n_drives; i++) {
		if (r->drives[i].last_read <= 0)
			continue;
		prom_begin(b, name);
		prom_drive(b, &r->drives[i]);
		prom_signed(b, r->drives[i].last_read);
	}
}

static uint64_t status_of(enum severity severity)
{
	static const uint64_t status[] = {
		[SEVERITY_OK] = 0,	[SEVERITY_NOTE] = 0,	 [SEVERITY_UNKNOWN] = 3,
		[SEVERITY_WARNING] = 1, [SEVERITY_CRITICAL] = 2,
	};

	return status[severity];
}

static void add_status(struct buf *b, const struct check_report *r)
{
	const char *name = "drivewhy_device_status";

	prom_head(b, name, "gauge",
		  "Worst finding that is not accepted: 0 none, 1 warning, 2 critical, 3 "
		  "cannot tell.");
	for (size_t i = 0; i < r->n_drives; i++) {
		prom_begin(b, name);
		prom_drive(b, &r->drives[i]);
		prom_value(b, status_of(r->drives[i].severity));
	}
}

static void add_findings(struct buf *b, const struct check_report *r)
{
	const char *name = "drivewhy_finding";

	prom_head(b, name, "gauge", "An open finding.");
	for (size_t i = 0; i < r->n_drives; i++)
		for (size_t k = 0; k < r->drives[i].n_findings; k++) {
			const struct check_finding *f = &r->drives[i].findings[k];

			prom_begin(b, name);
			prom_drive(b, &r->drives[i]);
			prom_label(b, "code", code_name(f->code));
			prom_label(b, "title", code_title(f->code));
			prom_label(b, "severity", severity_name(f->severity));
			prom_label(b, "confidence", confidence_name(f->confidence));
			prom_label(b, "accepted", f->acknowledged ? "yes" : "no");
			prom_value(b, 1);
		}
}

/* Counters in a drive are small, stand at their end, and start again: these go on and on. */
static const struct phy_counter *judged(const struct check_drive *d, uint32_t id)
{
	for (size_t i = 0; d->report && i < d->report->phy.n; i++)
		if (d->report->phy.counters[i].id == id)
			return &d->report->phy.counters[i];
	return NULL;
}

static const char *direction_of(const struct phy_counter *c)
{
	if (!c)
		return "";
	switch (c->direction) {
	case DIRECTION_TO_HOST:
		return "drive_to_host";
	case DIRECTION_TO_DRIVE:
		return "host_to_drive";
	case DIRECTION_BOTH:
		return "both";
	case DIRECTION_NONE:
		break;
	}
	return "none";
}

static void add_phy(struct buf *b, const struct check_report *r)
{
	const char *name = "drivewhy_phy_event_total";

	prom_head(b, name, "counter",
		  "SATA phy event counters, added up over power cycles; constants of a "
		  "firmware are left out.");
	for (size_t i = 0; i < r->n_drives; i++)
		for (size_t k = 0; k < r->drives[i].n_totals; k++) {
			const struct check_total *t = &r->drives[i].totals[k];
			const struct phy_counter *c = judged(&r->drives[i], t->key.i);
			char id[12];

			if (t->key.id != FACT_PHY_VALUE)
				continue;
			(void)snprintf(id, sizeof(id), "%03x", t->key.i);
			prom_begin(b, name);
			prom_drive(b, &r->drives[i]);
			prom_label(b, "port", r->drives[i].port);
			prom_label(b, "counter", id);
			prom_label(b, "direction", direction_of(c));
			prom_label(b, "error", c && c->is_error ? "yes" : "no");
			prom_value(b, t->total);
		}
}

static void add_link(struct buf *b, const struct check_report *r)
{
	static const struct {
		enum fact_id id;
		const char *limit;
	} rows[] = { { FACT_LINK_CURRENT, "current" },
		     { FACT_LINK_DEVICE_MAX, "drive" },
		     { FACT_LINK_PORT_MAX, "port" },
		     { FACT_LINK_LIMIT, "kernel" } };
	const char *name = "drivewhy_link_speed_bytes_per_second";

	prom_head(b, name, "gauge",
		  "Signalling rate of the SATA link / 8, and what drive, port and kernel "
		  "allow.");
	for (size_t i = 0; i < r->n_drives; i++)
		for (size_t k = 0; r->drives[i].report && k < array_size(rows); k++) {
			uint64_t mbps;

			if (!drive_u64(r->drives[i].report->drive, rows[k].id, 0, 0,
				       &mbps))
				continue;
			prom_begin(b, name);
			prom_drive(b, &r->drives[i]);
			prom_label(b, "port", r->drives[i].port);
			prom_label(b, "limit", rows[k].limit);
			prom_ratio(b, mbps, 125000, 1);
		}
}

int render_check_prometheus(const struct check_report *r, const char *compat,
			    struct buf *ret)
{
	add_run(ret, r);
	add_info(ret, r);
	add_states(ret, r);
	add_last_read(ret, r);
	add_status(ret, r);
	add_findings(ret, r);
	add_phy(ret, r);
	add_link(ret, r);
	prom_facts(ret, r);
	if (str_equal(compat, "smartctl_exporter"))
		prom_smartctl_exporter(ret, r);
	if (str_equal(compat, "smartmon.py"))
		prom_smartmon_py(ret, r);
	if (str_equal(compat, "smartmon.sh"))
		prom_smartmon_sh(ret, r);
	return buf_error(ret);
}
