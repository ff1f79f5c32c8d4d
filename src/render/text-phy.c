/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The phy event counters. What cannot be believed is still shown, struck out, with the reason:
 * a person who has seen the number elsewhere must find here why it is not used.
 */
#include "base/str.h"
#include "base/words.h"
#include "render/text.h"
#include "render/units.h"

static bool is_struck(const struct phy_counter *c)
{
	return c->trust == PHY_CONSTANT || c->trust == PHY_DOUBTFUL;
}

static bool is_error(const struct phy_counter *c)
{
	return c->is_error && !is_struck(c) && c->trust != PHY_VENDOR;
}

static bool has_moved(const struct phy_counter *c)
{
	return c->value || (c->has_delta && c->delta);
}

/* The label stands before the first line only. */
static void label_once(struct sheet *s, const char **label)
{
	sheet_label(s, *label);
	*label = "";
}

static void write_error(struct sheet *s, const struct phy_counter *c)
{
	struct buf n cleanup_buf = { 0 };

	str_add_grouped(&n, c->value);
	sheet_raw(s, STYLE_PLAIN, "%03X" SHEET_GLUE, c->id);
	sheet_raw(s, STYLE_BOLD, "%s%s", buf_text(&n), c->saturated ? "+" : "");
	sheet_check(s, &n);
	if (c->has_delta)
		sheet_raw(s, STYLE_PLAIN, SHEET_GLUE "(%+lld)", (long long)c->delta);
	if (c->direction == DIRECTION_TO_HOST || c->direction == DIRECTION_TO_DRIVE)
		sheet_raw(s, STYLE_PLAIN, SHEET_GLUE "%s",
			  phy_direction_name(c->direction));
	if (c->trust == PHY_SWAPPED)
		sheet_raw(s, STYLE_DIM, " (swapped on this family)");
}

/* By number: the evidence above has the names, and so has the table of --verbose. */
static void write_errors(struct sheet *s, const struct phy_page *p, size_t max,
			 const char **label)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (!is_error(&p->counters[i]) || !has_moved(&p->counters[i]))
			continue;
		if (n == 0)
			label_once(s, label);
		if (n < max) {
			sheet_raw(s, STYLE_PLAIN, "%s", n ? ", " : "errors: ");
			write_error(s, &p->counters[i]);
		}
		n++;
	}
	if (n > max)
		sheet_raw(s, STYLE_DIM, ", and %zu more", n - max);
	if (n)
		sheet_end(s);
}

/* 0 is evidence too: the error counters that live and stand at 0, by number. */
static size_t add_zeros(struct sheet *s, const struct phy_page *p, const char **label)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (!is_error(&p->counters[i]) || has_moved(&p->counters[i]))
			continue;
		if (n++ == 0) {
			label_once(s, label);
			sheet_raw(s, STYLE_PLAIN, "0 errors on");
		}
		sheet_raw(s, STYLE_PLAIN, " %03X", p->counters[i].id);
	}
	return n;
}

/* Live counters that count no damage, and the makers' own. */
static size_t add_neutral(struct sheet *s, const struct phy_page *p, const char **label,
			  bool follows)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct phy_counter *c = &p->counters[i];

		if (is_struck(c) || is_error(c))
			continue;
		if (n++ == 0 && !follows)
			label_once(s, label);
		sheet_raw(s, STYLE_DIM, "%s%03X" SHEET_GLUE "%llu%s",
			  n > 1	    ? ", "
			  : follows ? "; others: "
				    : "others: ",
			  c->id, (unsigned long long)c->value, c->saturated ? "+" : "");
		if (c->has_delta && c->delta)
			sheet_raw(s, STYLE_DIM, " (%+lld)", (long long)c->delta);
		if (c->trust == PHY_VENDOR)
			sheet_raw(s, STYLE_DIM, " (maker's own)");
	}
	return n;
}

static void write_quiet(struct sheet *s, const struct phy_page *p, const char **label)
{
	size_t n = add_zeros(s, p, label);

	n += add_neutral(s, p, label, n > 0);
	if (n)
		sheet_end(s);
}

static bool same_reason(const struct phy_counter *a, const struct phy_counter *b)
{
	return a->trust == b->trust && str_equal(a->reason, b->reason);
}

static bool is_first_of_reason(const struct phy_page *p, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_struck(&p->counters[i]) &&
		    same_reason(&p->counters[i], &p->counters[at]))
			return false;
	return is_struck(&p->counters[at]);
}

/* Marked in plain characters too, "~49152~", for a screen without the struck-out style. */
static void write_struck(struct sheet *s, const struct phy_page *p, size_t first,
			 const char **label)
{
	const struct phy_counter *c = &p->counters[first];

	label_once(s, label);
	sheet_raw(s, STYLE_PLAIN, "struck out, ");
	sheet_text(s, STYLE_PLAIN, c->reason ? c->reason : phy_trust_name(c->trust));
	sheet_raw(s, STYLE_PLAIN, ":");
	for (size_t i = first; i < p->n; i++) {
		const struct phy_counter *o = &p->counters[i];

		if (!is_struck(o) || !same_reason(o, c))
			continue;
		sheet_raw(s, STYLE_PLAIN, " %03X" SHEET_GLUE, o->id);
		sheet_raw(s, STYLE_STRUCK, "~%llu~", (unsigned long long)o->value);
	}
	sheet_end(s);
}

static void add_mbps(struct sheet *s, const char *before, uint64_t mbps)
{
	struct buf b cleanup_buf = { 0 };

	units_add_mbps(&b, mbps);
	sheet_raw(s, STYLE_PLAIN, "%s%s", before, buf_text(&b));
	sheet_check(s, &b);
}

static void write_speed(struct sheet *s, const struct drive *d, const char **label)
{
	uint64_t now, most;

	if (!drive_u64(d, FACT_LINK_CURRENT, 0, 0, &now))
		return;
	label_once(s, label);
	add_mbps(s, "runs at ", now);
	if (drive_u64(d, FACT_LINK_DEVICE_MAX, 0, 0, &most))
		add_mbps(s, "; drive can do ", most);
	if (drive_u64(d, FACT_LINK_PORT_MAX, 0, 0, &most))
		add_mbps(s, "; port can do ", most);
	if (drive_u64(d, FACT_LINK_LIMIT, 0, 0, &most))
		add_mbps(s, "; kernel allows ", most);
	sheet_end(s);
}

static void add_span(struct sheet *s, uint64_t seconds)
{
	struct buf b cleanup_buf = { 0 };

	words_add_span(&b, seconds);
	sheet_raw(s, STYLE_PLAIN, "%s", buf_text(&b));
	sheet_check(s, &b);
}

static void add_count(struct sheet *s, const char *before, uint64_t n)
{
	struct buf b cleanup_buf = { 0 };

	str_add_grouped(&b, n);
	sheet_raw(s, STYLE_BOLD, "%s%s", before, buf_text(&b));
	sheet_check(s, &b);
}

static void add_since_where(struct sheet *s, const struct drive *d)
{
	const char *then = drive_text(d, FACT_SINCE_PORT, 0, 0);
	const char *now = drive_text(d, FACT_PORT, 0, 0);
	struct buf b cleanup_buf = { 0 };
	uint64_t bytes;

	if (then && now && str_equal(then, now)) {
		sheet_raw(s, STYLE_PLAIN, ", same port");
	} else if (then && now) {
		sheet_raw(s, STYLE_PLAIN, ", then on ");
		sheet_text(s, STYLE_PLAIN, then);
		sheet_raw(s, STYLE_PLAIN, ", now on ");
		sheet_text(s, STYLE_PLAIN, now);
	}
	if (!drive_u64(d, FACT_SINCE_READ, 0, 0, &bytes))
		return;
	units_add_bytes(&b, bytes);
	sheet_raw(s, STYLE_PLAIN, ", %s read", buf_text(&b));
	sheet_check(s, &b);
}

/* "since 2 days ago, same port, 84 GB read: +0; before: +37 in 14 minutes" */
static void write_since(struct sheet *s, const struct drive *d, const char **label)
{
	uint64_t seconds, errors, before;

	if (!drive_u64(d, FACT_SINCE_ERRORS, 0, 0, &errors))
		return;
	label_once(s, label);
	sheet_raw(s, STYLE_PLAIN, "since ");
	if (drive_u64(d, FACT_SINCE_SECONDS, 0, 0, &seconds)) {
		add_span(s, seconds);
		sheet_raw(s, STYLE_PLAIN, " ago");
	} else {
		sheet_raw(s, STYLE_PLAIN, "the last look");
	}
	add_since_where(s, d);
	add_count(s, ": +", errors);
	if (drive_flag(d, FACT_SINCE_RESTARTED, 0))
		sheet_raw(s, STYLE_PLAIN, " (counters started again in between)");
	if (drive_u64(d, FACT_BEFORE_ERRORS, 0, 0, &before)) {
		add_count(s, "; before: +", before);
		if (drive_u64(d, FACT_BEFORE_SECONDS, 0, 0, &seconds)) {
			sheet_raw(s, STYLE_PLAIN, " in ");
			add_span(s, seconds);
		}
	}
	sheet_end(s);
}

void text_link(struct sheet *s, const struct drive *d, const struct phy_page *p,
	       const struct text_limits *l)
{
	const char *label = "Link";

	write_speed(s, d, &label);
	write_since(s, d, &label);
	if (p->n && p->direction) {
		label_once(s, &label);
		sheet_text(s, STYLE_PLAIN, p->direction);
		sheet_end(s);
	}
	write_errors(s, p, l->counters, &label);
	write_quiet(s, p, &label);
	for (size_t i = 0; i < p->n; i++)
		if (is_first_of_reason(p, i))
			write_struck(s, p, i, &label);
}
