/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/values.h"

#include <string.h>

#include "base/str.h"
#include "history/sql.h"
#include "model/event.h"

const struct kept kept_facts[] = {
	/* clang-format off */
	{ FACT_REALLOCATED,        FAMILY_MEDIA, true,  false, "reallocated sectors" },
	{ FACT_REALLOC_EVENTS,     FAMILY_MEDIA, false, false, "reallocation events" },
	{ FACT_PENDING,            FAMILY_MEDIA, true,  false, "sectors waiting to be replaced" },
	{ FACT_OFFLINE_UNCORR,     FAMILY_MEDIA, true,  false, "sectors unreadable off-line" },
	{ FACT_REPORTED_UNCORR,    FAMILY_MEDIA, true,  false, "uncorrectable errors reported" },
	{ FACT_DEFECT_COUNT,       FAMILY_MEDIA, true,  false, "pending defects" },
	{ FACT_CRC_ERRORS,         FAMILY_LINK,  true,  false, "CRC errors" },
	{ FACT_PHY_VALUE,          FAMILY_LINK,  true,  false, "phy counter" },
	{ FACT_LINK_SLOWED,        FAMILY_LINK,  true,  false, "link slowed by the kernel" },
	{ FACT_COMMANDS_TIMED_OUT, FAMILY_TIME,  true,  false, "commands timed out" },
	{ FACT_SPIN_RETRIES,       FAMILY_DRIVE, true,  false, "spin-up retries" },
	{ FACT_ERROR_COUNT,        FAMILY_NONE,  false, false, "errors logged" },
	{ FACT_COMMANDS_FAILED,    FAMILY_NONE,  false, false, "commands failed" },
	{ FACT_COMMAND_TIMEOUTS,   FAMILY_NONE,  false, false, "command time-outs in its life" },
	{ FACT_HARDWARE_RESETS,    FAMILY_NONE,  false, false, "hardware resets" },
	{ FACT_LOAD_CYCLES,        FAMILY_NONE,  false, false, "load cycles" },
	{ FACT_POWER_ON_HOURS,     FAMILY_NONE,  false, false, "power-on hours" },
	{ FACT_POWER_CYCLES,       FAMILY_NONE,  false, false, "power cycles" },
	{ FACT_LIFE_USED,          FAMILY_DRIVE, false, false, "life used" },
	{ FACT_LIFE_LEFT,          FAMILY_DRIVE, false, false, "life left" },
	{ FACT_LBA_WRITTEN,        FAMILY_NONE,  false, false, "written" },
	{ FACT_LBA_READ,           FAMILY_NONE,  false, false, "read" },
	{ FACT_BOOT_READ,          FAMILY_NONE,  false, false, "read" },
	{ FACT_BOOT_WRITTEN,       FAMILY_NONE,  false, false, "written" },
	{ FACT_TEMPERATURE,        FAMILY_NONE,  false, false, "temperature" },
	{ FACT_SMART_PASSED,       FAMILY_NONE,  false, false, "SMART passed" },
	{ FACT_LINK_CURRENT,       FAMILY_NONE,  false, false, "link speed" },
	{ FACT_KLOG_INTERFACE,       FAMILY_LINK,  true,  true,  "damaged transfers in the kernel log" },
	{ FACT_KLOG_LINK_DOWN,       FAMILY_LINK,  true,  true,  "losses of the link in the kernel log" },
	{ FACT_KLOG_RESET_FAILED,    FAMILY_LINK,  true,  true,  "failed resets of the link in the kernel log" },
	{ FACT_KLOG_PROTOCOL,        FAMILY_LINK,  true,  true,  "protocol errors in the kernel log" },
	{ FACT_KLOG_MEDIA,           FAMILY_MEDIA, true,  true,  "unreadable sectors in the kernel log" },
	{ FACT_KLOG_IDNF,            FAMILY_MEDIA, true,  true,  "addresses not found in the kernel log" },
	{ FACT_KLOG_IO_ERRORS,       FAMILY_MEDIA, true,  true,  "failed reads and writes in the kernel log" },
	{ FACT_KLOG_TIMEOUTS,        FAMILY_TIME,  true,  true,  "commands never answered in the kernel log" },
	{ FACT_KLOG_QC_TIMEOUTS,     FAMILY_TIME,  true,  true,  "the kernel's own commands never answered" },
	{ FACT_KLOG_NVME_TIMEOUTS,   FAMILY_TIME,  true,  true,  "NVMe time-outs in the kernel log" },
	{ FACT_KLOG_DEVICE_FAULT,    FAMILY_KERNEL, true,  true,  "device faults" },
	{ FACT_KLOG_REMOVED,         FAMILY_KERNEL, false, true,  "removals of the drive" },
	{ FACT_KLOG_HARD_RESETS,     FAMILY_KERNEL, true,  true,  "hard resets of the link" },
	{ FACT_KLOG_SCSI_RESETS,     FAMILY_KERNEL, true,  true,  "resets of the drive" },
	{ FACT_KLOG_USB_RESETS,      FAMILY_KERNEL, true,  true,  "resets of the USB device" },
	{ FACT_KLOG_NVME_RESETS,     FAMILY_KERNEL, true,  true,  "resets of the NVMe controller" },
	{ FACT_COUNT,              FAMILY_NONE,  false, false, NULL },
	/* clang-format on */
};

const struct kept *kept_find(enum fact_id id)
{
	for (const struct kept *k = kept_facts; k->words; k++)
		if (k->id == id)
			return k;
	return NULL;
}

bool kept_is_thinned(enum fact_id id)
{
	const struct kept *k = kept_find(id);

	return k && !k->watched && id != FACT_LINK_CURRENT && id != FACT_SMART_PASSED;
}

/* --- what is stored ---------------------------------------------------------------------------------- */

static struct value *add_value(struct history *h, struct arena *a, struct values *v)
{
	struct value *x = arena_push(a, &v->items, &v->n, &v->cap, sizeof(*x));

	if (!x)
		sql_out_of_memory(h);
	return x;
}

static void load_row(struct history *h, struct arena *a, struct values *v)
{
	const enum sql_id q = SQL_NOW_ALL;
	struct value x = { .row = sql_int(h, q, 0),
			   .value = sql_int(h, q, 1),
			   .total = sql_int(h, q, 2),
			   .has_peak = !sql_is_null(h, q, 3),
			   .peak = sql_int(h, q, 3),
			   .least = sql_int(h, q, 4) != 0,
			   .run = sql_int(h, q, 5),
			   .has_told = !sql_is_null(h, q, 6),
			   .told_value = sql_int(h, q, 6),
			   .told_total = sql_int(h, q, 7) };
	struct value *slot;

	if (!fact_row_key(h, x.row, &x.key))
		return;
	x.was_value = x.value;
	x.was_total = x.total;
	slot = add_value(h, a, v);
	if (slot)
		*slot = x;
}

void values_load(struct history *h, struct arena *a, int64_t subject, struct values *ret)
{
	*ret = (struct values){ .subject = subject };
	/* the names first: their own query must not run inside of this one */
	(void)fact_row_id(h, (struct fact_key){ FACT_POWER_ON_HOURS, 0, 0 });
	sql_start(h, SQL_NOW_ALL, "i", subject);
	while (sql_next(h, SQL_NOW_ALL))
		load_row(h, a, ret);
}

struct value *values_find(const struct values *v, enum fact_id id, uint32_t i)
{
	for (size_t k = 0; k < v->n; k++)
		if (v->items[k].key.id == id && v->items[k].key.i == i)
			return &v->items[k];
	return NULL;
}

static bool is_total(enum fact_id id)
{
	return fact_get_info(id)->behaviour == BEHAVES_GROWS &&
	       fact_get_info(id)->type == FACT_U64;
}

int64_t value_rise(const struct value *v, bool check)
{
	if (!check)
		return v->rise > 0 ? v->rise : 0;
	if (!v->has_told || v->total <= v->told_total)
		return 0;
	return v->total - v->told_total;
}

/* --- what was read ------------------------------------------------------------------------------------ */

/* The newest reading of this run: what the history said of the past is no reading. */
static const struct fact *current(const struct drive *d, enum fact_id id, uint32_t i)
{
	const struct fact *f = drive_fact(d, id, i, 0);

	return f && d->snapshots[f->snapshot].role != ROLE_BASELINE ? f : NULL;
}

static bool to_number(const struct fact *f, int64_t *ret)
{
	if (fact_get_info(f->key.id)->type == FACT_S64) {
		*ret = f->s;
		return true;
	}
	if (f->u > INT64_MAX / 4)
		return false;
	*ret = (int64_t)f->u;
	return true;
}

/* Only a counter that counts can fall; a page that is no table of counts restarts nothing. */
static bool phy_counts(const struct phy_counter *c)
{
	return c->trust == PHY_LIVE || c->trust == PHY_SWAPPED ||
	       c->trust == PHY_SATURATED || c->trust == PHY_VENDOR;
}

static bool any_phy_fell(const struct values *v, const struct phy_page *phy)
{
	for (size_t i = 0; i < phy->n; i++) {
		const struct value *x =
			values_find(v, FACT_PHY_VALUE, phy->counters[i].id);

		if (x && phy->counters[i].trust != PHY_VENDOR &&
		    phy_counts(&phy->counters[i]) &&
		    phy->counters[i].value < (uint64_t)x->value)
			return true;
	}
	return false;
}

/* phy counters are as old as the drive's power: it was switched on again, or they were reset. */
static bool has_power_restarted(const struct values *v, const struct drive *d,
				const struct phy_page *phy)
{
	const struct value *cycles = values_find(v, FACT_POWER_CYCLES, 0);
	const struct fact *now = current(d, FACT_POWER_CYCLES, 0);

	if (any_phy_fell(v, phy))
		return true;
	/* a look at the link alone does not read the power cycles: then they tell nothing of it */
	return cycles && now && !cycles->least && now->u > (uint64_t)cycles->value;
}

static bool has_boot_restarted(const struct values *v, const struct past_drive *past,
			       const struct drive *d)
{
	const char *boot = drive_text(d, FACT_BOOT_ID, 0, 0);

	if (past && past->boot && boot && !str_equal(past->boot, boot))
		return true;
	for (size_t i = 0; i < v->n; i++) {
		const struct value *x = &v->items[i];
		const struct fact *f = current(d, x->key.id, x->key.i);
		const struct kept *k = kept_find(x->key.id);

		/* a log may lose lines within a boot */
		if (k && k->in_log)
			continue;
		if (fact_get_info(x->key.id)->clock == CLOCK_HOST_BOOT &&
		    is_total(x->key.id) && f && f->u < (uint64_t)x->value)
			return true;
	}
	return false;
}

/* A count of the drive's whole life that fell was reset, or misread once: the peak tells later. */
static int64_t lifetime_rise(struct value *x, int64_t now)
{
	int64_t rise;

	if (now < x->value) {
		if (!x->has_peak || x->value > x->peak)
			x->peak = x->value;
		x->has_peak = true;
		return 0;
	}
	rise = now - x->value;
	if (x->has_peak && now >= x->peak) {
		rise = now - x->peak;
		x->has_peak = false;
	}
	return rise;
}

static void take_number(struct values *v, struct value *x, int64_t now)
{
	enum fact_clock clock = fact_get_info(x->key.id)->clock;
	bool restarted = (clock == CLOCK_POWER_ON && v->power_restarted) ||
			 (clock == CLOCK_HOST_BOOT && v->boot_restarted);

	x->changed = x->is_new || now != x->value || restarted;
	if (x->is_new) {
		x->rise = 0;
		x->total = now;
	} else if (!is_total(x->key.id)) {
		x->rise = now - x->value;
		x->total = now;
	} else {
		x->rise = restarted		    ? now
			  : clock == CLOCK_LIFETIME ? lifetime_rise(x, now)
			  : now > x->value	    ? now - x->value
						    : 0;
		x->total += x->rise;
	}
	x->value = now;
	x->seen = true;
}

static struct value *slot_of(struct history *h, struct arena *a, struct values *v,
			     struct fact_key key)
{
	struct value *x = values_find(v, key.id, key.i);

	if (x)
		return x;
	x = add_value(h, a, v);
	if (x)
		*x = (struct value){ .key = key, .is_new = true };
	return x;
}

static void take_fact(struct history *h, struct arena *a, struct values *v,
		      const struct drive *d, enum fact_id id)
{
	const struct fact *f = current(d, id, 0);
	struct value *x;
	int64_t now;

	if (!f || !to_number(f, &now))
		return;
	x = slot_of(h, a, v, (struct fact_key){ id, 0, 0 });
	if (x)
		take_number(v, x, now);
}

/* Whether the power cycles are as new as the counters that start again with each of them. */
static void mark_cycles(struct values *v, const struct phy_page *phy)
{
	struct value *cycles = values_find(v, FACT_POWER_CYCLES, 0);
	bool stale = phy->n && cycles && !cycles->seen;

	if (!cycles || (!phy->n && !cycles->seen) || cycles->least == stale)
		return;
	cycles->least = stale;
	cycles->changed = true;
}

static void take_phy(struct history *h, struct arena *a, struct values *v,
		     const struct phy_page *phy)
{
	for (size_t i = 0; i < phy->n; i++) {
		const struct phy_counter *c = &phy->counters[i];
		struct value *x;

		if (!phy_counts(c) || c->value > INT64_MAX / 4)
			continue;
		x = slot_of(h, a, v, (struct fact_key){ FACT_PHY_VALUE, c->id, 0 });
		if (!x)
			return;
		take_number(v, x, (int64_t)c->value);
		x->least |= c->saturated;
		x->is_error = c->is_error && c->trust != PHY_VENDOR;
	}
}

/* Another boot, another log: it starts at 0, even if this run does not see it. */
static void forget_log(struct values *v)
{
	for (size_t i = 0; i < v->n && v->boot_restarted; i++) {
		const struct kept *k = kept_find(v->items[i].key.id);

		if (!k || !k->in_log || !v->items[i].value)
			continue;
		v->items[i].value = 0;
		v->items[i].changed = true;
	}
}

void values_take(struct history *h, struct arena *a, struct values *v,
		 const struct past_drive *past, const struct drive *d,
		 const struct phy_page *phy)
{
	static const struct phy_page none = { 0 };

	if (!phy)
		phy = &none;
	v->power_restarted = has_power_restarted(v, d, phy);
	v->boot_restarted = has_boot_restarted(v, past, d);
	v->span = past && h->now > past->last ? h->now - past->last : 0;
	forget_log(v);
	for (const struct kept *k = kept_facts; k->words; k++)
		if (k->id != FACT_PHY_VALUE && !k->in_log)
			take_fact(h, a, v, d, k->id);
	take_phy(h, a, v, phy);
	mark_cycles(v, phy);
}

static void take_count(struct value *x, int64_t now)
{
	x->changed |= x->is_new || now != x->value;
	x->rise = !x->is_new && now > x->value ? now - x->value : 0;
	x->total = x->is_new ? now : x->total + x->rise;
	x->value = now;
	x->seen = true;
}

/*
 * Those that belong to a start, a suspend or a resume: links and USB devices are reset then, every
 * night on some machines, and nothing is wrong.
 */
static int64_t count_usual(const struct drive *d, enum fact_id id)
{
	int64_t n = 0;

	for (size_t i = 0; i < d->n_events; i++) {
		const struct event *e = &d->events[i];

		if (!e->boots_ago && (e->near_sleep || e->near_boot || e->optical) &&
		    event_class_counter(e->class) == id)
			n += (int64_t)e->repeats + 1;
	}
	return n;
}

void values_take_log(struct history *h, struct arena *a, struct values *v,
		     const struct drive *d)
{
	if (!current(d, FACT_KLOG_FAULTS, 0))
		return;
	for (const struct kept *k = kept_facts; k->words; k++) {
		const struct fact *f = current(d, k->id, 0);
		int64_t now = 0, usual;
		struct value *x;

		if (!k->in_log || (f && !to_number(f, &now)))
			continue;
		usual = count_usual(d, k->id);
		x = slot_of(h, a, v, (struct fact_key){ k->id, 0, 0 });
		if (x)
			take_count(x, now > usual ? now - usual : 0);
	}
}
