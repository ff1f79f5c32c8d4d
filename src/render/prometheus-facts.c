/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every number that is known of a drive, under the name it has everywhere, in base units: a row of
 * fact.def becomes a metric without a line here. Names follow the rules that promtool checks.
 */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "render/prometheus.h"

/* How a unit is written in base units, and the ends of names that say the unit. */
static const struct unit {
	enum fact_unit unit;
	const char *end;  /* of our names, "" for none */
	const char *base; /* in its place */
	uint64_t num, den;
} units[] = {
	{ UNIT_HOURS, "_hours", "_seconds", 3600, 1 },
	{ UNIT_MINUTES, "_minutes", "_seconds", 60, 1 },
	{ UNIT_SECONDS, "_seconds", "_seconds", 1, 1 },
	{ UNIT_DECISECONDS, "_ds", "_seconds", 1, 10 },
	{ UNIT_MS, "_ms", "_seconds", 1, 1000 },
	{ UNIT_NS, "_ns", "_seconds", 1, 1000000000 },
	{ UNIT_PERCENT, "_percent", "_ratio", 1, 100 },
	{ UNIT_PPM, "_ppm", "_ratio", 1, 1000000 },
	{ UNIT_MICRO, "_micro", "", 1, 1000000 },
	{ UNIT_MILLI, "_milli", "", 1, 1000 },
	{ UNIT_MBIT_S, "_mbps", "_bytes_per_second", 125000, 1 },
	{ UNIT_MB_S, "_mb_s", "_bytes_per_second", 1000000, 1 },
	{ UNIT_BYTES, "_bytes", "_bytes", 1, 1 },
	{ UNIT_NONE_U, "_bits", "_mask", 1, 1 },
	{ UNIT_CELSIUS, "_celsius", "_celsius", 1, 1 },
};

/* Metrics of their own above say these better; per-entry rows of logs are no time series. */
static bool is_left_out(enum fact_id id)
{
	static const enum fact_id others[] = { FACT_PHY_VALUE,	   FACT_PHY_SIZE,
					       FACT_LINK_CURRENT,  FACT_LINK_DEVICE_MAX,
					       FACT_LINK_PORT_MAX, FACT_LINK_LIMIT,
					       FACT_STAT_SIZE };
	static const char *const entries[] = { "error[",
					       "selftest[",
					       "pending_defect[",
					       "selective[",
					       "sct_history[",
					       "setting[",
					       "read[",
					       "disk[",
					       "comparison",
					       "stall[",
					       "log[",
					       "kernel_port[",
					       "kernel_media_lba[",
					       "partition[",
					       "since_last_look",
					       "before_last_look",
					       "probe" };
	const struct fact_info *info = fact_get_info(id);

	for (size_t i = 0; i < array_size(others); i++)
		if (id == others[i])
			return true;
	for (size_t i = 0; i < array_size(entries); i++)
		if (str_starts(info->name, entries[i]))
			return true;
	return info->type == FACT_TEXT || strncmp(info->name, "expected", 8) == 0;
}

static const struct unit *unit_of(enum fact_unit unit)
{
	for (size_t i = 0; i < array_size(units); i++)
		if (units[i].unit == unit)
			return &units[i];
	return NULL;
}

/* Also a reset by the drive is seen as one by Prometheus: it is a counter all the same. */
static bool is_counter(const struct fact_info *info)
{
	return info->behaviour == BEHAVES_GROWS && info->type == FACT_U64;
}

/* "attr[].raw" -> drivewhy_attr_raw, "power_on_hours" -> drivewhy_power_on_seconds_total */
static void add_metric_name(struct buf *b, const struct fact_info *info)
{
	const struct unit *u = unit_of(info->unit);
	size_t len = strlen(info->name);

	if (u && str_ends(info->name, u->end))
		len -= strlen(u->end);
	/* "_count" is kept for histograms: what counts ends in _total, or in nothing */
	else if (str_ends(info->name, "_count"))
		len -= strlen("_count");
	buf_puts(b, "drivewhy_");
	for (size_t i = 0; i < len; i++) {
		char c = info->name[i];

		if (c == '[' || c == ']')
			continue;
		buf_putc(b, c == '.' ? '_' : c);
	}
	if (u && (u->unit != UNIT_NONE_U || str_ends(info->name, u->end)))
		buf_puts(b, u->base);
	if (is_counter(info))
		buf_puts(b, "_total");
}

static void add_keys(struct buf *b, struct fact_key key)
{
	const struct fact_info *info = fact_get_info(key.id);
	char text[16];

	switch (info->keys) {
	case KEYS_NONE:
		return;
	case KEYS_HEX:
		(void)snprintf(text, sizeof(text), "%03x", key.i);
		break;
	case KEYS_PAGE:
	case KEYS_PAGEOFF:
		(void)snprintf(text, sizeof(text), "%02x", key.i);
		break;
	case KEYS_DEC:
	case KEYS_DECDEC:
		(void)snprintf(text, sizeof(text), "%u", key.i);
		break;
	}
	prom_label(b, info->keys == KEYS_PAGEOFF ? "page" : "id", text);
	if (info->keys != KEYS_PAGEOFF && info->keys != KEYS_DECDEC)
		return;
	(void)snprintf(text, sizeof(text), info->keys == KEYS_PAGEOFF ? "%03x" : "%u",
		       key.j);
	prom_label(b, info->keys == KEYS_PAGEOFF ? "offset" : "part", text);
}

/* Several sources tell the same quantity: the best one stands for it. */
static bool is_best(const struct drive *d, const struct fact *f)
{
	return drive_fact(d, f->key.id, f->key.i, f->key.j) == f &&
	       d->snapshots[f->snapshot].role != ROLE_BASELINE;
}

static void add_value(struct buf *b, const struct fact *f)
{
	const struct fact_info *info = fact_get_info(f->key.id);
	const struct unit *u = unit_of(info->unit);

	if (info->type == FACT_S64)
		prom_signed(b, f->s);
	else if (u)
		prom_ratio(b, f->u, u->num, u->den);
	else
		prom_value(b, f->u);
}

static void add_metric(struct buf *b, const struct check_report *r, enum fact_id id)
{
	const struct fact_info *info = fact_get_info(id);
	struct buf name cleanup_buf = { 0 };
	bool headed = false;

	add_metric_name(&name, info);
	for (size_t i = 0; i < r->n_drives; i++) {
		const struct check_drive *d = &r->drives[i];
		size_t n = 0;
		const struct fact *f =
			d->report ? drive_facts(d->report->drive, id, &n) : NULL;

		for (size_t k = 0; k < n; k++) {
			if (!is_best(d->report->drive, &f[k]))
				continue;
			if (!headed)
				prom_head(b, buf_text(&name),
					  is_counter(info) ? "counter" : "gauge",
					  info->words);
			headed = true;
			prom_begin(b, buf_text(&name));
			prom_drive(b, d);
			add_keys(b, f[k].key);
			add_value(b, &f[k]);
		}
	}
	if (buf_error(&name) < 0)
		b->failed = true;
}

void prom_facts(struct buf *b, const struct check_report *r)
{
	for (int id = 0; id < FACT_COUNT; id++)
		if (!is_left_out((enum fact_id)id))
			add_metric(b, r, (enum fact_id)id);
}
