/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/sentence.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "base/words.h"

const char *sentence_text(struct history *h, struct arena *a, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(a, format, ap);
	va_end(ap);
	if (!text)
		sql_out_of_memory(h);
	return text ? text : "";
}

static const char *take(struct history *h, struct arena *a, const struct buf *b)
{
	if (buf_error(b) < 0)
		sql_out_of_memory(h);
	return sentence_text(h, a, "%s", buf_text(b));
}

static const char *base_name(const char *device)
{
	const char *rest = device ? str_after(device, "/dev/") : NULL;

	return rest ? rest : device;
}

static const char *head(struct history *h, struct arena *a, const char *device,
			const char *model, const char *serial, const char *port)
{
	struct buf b cleanup_buf = { 0 };

	if (device)
		buf_printf(&b, "%s: ", base_name(device));
	buf_puts(&b, model ? model : "a drive without a name");
	if (serial)
		buf_printf(&b, ", serial %s", serial);
	if (port && !str_equal(port, device))
		buf_printf(&b, ", on %s", port);
	return take(h, a, &b);
}

const char *sentence_head(struct history *h, struct arena *a, const struct who *w)
{
	return head(h, a, w->device, w->model, w->serial, w->port);
}

const char *sentence_past_head(struct history *h, struct arena *a,
			       const struct past_drive *p)
{
	return head(h, a, p->device, p->model, p->serial, p->port);
}

const char *sentence_since(struct history *h, struct arena *a, int64_t at)
{
	struct buf b cleanup_buf = { 0 };

	if (at <= 0 || at > h->now)
		return "";
	buf_puts(&b, " since ");
	words_add_when(&b, at, h->now);
	return take(h, a, &b);
}

const char *sentence_when(struct history *h, struct arena *a, int64_t at)
{
	struct buf b cleanup_buf = { 0 };

	words_add_when(&b, at, h->now);
	return take(h, a, &b);
}

/* --- rises -------------------------------------------------------------------------------------------- */

static bool names_drive(const struct who *w, const char *name)
{
	return !name || str_equal(base_name(w->device), base_name(name)) ||
	       str_equal(w->serial, name) || str_equal(w->port, name) ||
	       str_equal(w->model, name) || (*w->digits && str_equal(w->digits, name));
}

bool changes_is_ignored(const struct check_rules *rules, const struct who *w,
			bool has_code, enum code code, enum fact_id fact)
{
	for (size_t i = 0; i < rules->n_ignored; i++) {
		const struct check_ignore *g = &rules->ignored[i];

		if (!names_drive(w, g->drive))
			continue;
		if (has_code ? g->has_code && g->code == code
			     : !g->has_code && g->fact == fact)
			return true;
	}
	return false;
}

int check_rules_ignore(struct check_rules *rules, struct arena *a,
		       struct check_ignore ignore)
{
	struct check_ignore *slot = arena_push(a, &rules->ignored, &rules->n_ignored,
					       &rules->cap_ignored, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = ignore;
	return 0;
}

static int64_t threshold_of(const struct check_rules *rules, enum fact_id id)
{
	for (size_t i = 0; i < rules->n_thresholds; i++)
		if (rules->thresholds[i].fact == id)
			return rules->thresholds[i].least;
	return 1;
}

static const struct phy_counter *counter_of(const struct check_input *in, uint32_t id)
{
	for (size_t i = 0; in->report && i < in->report->phy.n; i++)
		if (in->report->phy.counters[i].id == id)
			return &in->report->phy.counters[i];
	return NULL;
}

static void add_name(struct buf *b, const struct check_input *in, const struct value *v,
		     const struct kept *k)
{
	const struct phy_counter *c;
	const char *direction;

	if (k->id != FACT_PHY_VALUE) {
		buf_puts(b, k->words);
		return;
	}
	c = counter_of(in, v->key.i);
	direction = c ? phy_direction_name(c->direction) : "";
	buf_printf(b, "%03Xh%s%s", v->key.i,
		   c && (c->direction == DIRECTION_TO_HOST ||
			 c->direction == DIRECTION_TO_DRIVE)
			   ? " "
			   : "",
		   c && (c->direction == DIRECTION_TO_HOST ||
			 c->direction == DIRECTION_TO_DRIVE)
			   ? direction
			   : "");
}

/* What the last check told of it is the base; a gauge that went down again is no rise. */
static bool has_risen(const struct check_rules *rules, const struct check_input *in,
		      const struct value *v, const struct kept *k)
{
	if (!k->watched || !v->seen || (k->id == FACT_PHY_VALUE && !v->is_error))
		return false;
	return value_rise(v, true) >= threshold_of(rules, k->id) &&
	       !changes_is_ignored(rules, in->who, false, CODE_COUNT, k->id);
}

/* Errors in the data read since: from the kernel's count, else the drive's own. */
static void add_rate(struct buf *b, const struct values *values, int64_t most)
{
	static const enum fact_id sources[] = { FACT_BOOT_READ, FACT_LBA_READ };
	const uint64_t gib = UINT64_C(1) << 30;

	for (size_t i = 0; i < array_size(sources); i++) {
		const struct value *v = values_find(values, sources[i], 0);
		uint64_t bytes = v && v->seen ? (uint64_t)value_rise(v, true) : 0, tenths;

		if (bytes < gib / 16 || (uint64_t)most > UINT64_MAX / gib / 10)
			continue;
		tenths = (uint64_t)most * 10 * gib / bytes;
		if (tenths)
			buf_printf(b, "; %" PRIu64 ".%" PRIu64 " per GiB read",
				   tenths / 10, tenths % 10);
		else
			buf_printf(b, "; 1 in %" PRIu64 " GiB read",
				   bytes / gib / (uint64_t)most);
		return;
	}
}

const char *sentence_rise(struct history *h, struct arena *a,
			  const struct check_rules *rules, const struct check_input *in,
			  enum kept_family family, bool *ret_grew)
{
	static const struct {
		enum kept_family family;
		const char *words;
	} titles[] = {
		{ FAMILY_LINK, "link errors" },	       { FAMILY_MEDIA, "bad sectors" },
		{ FAMILY_DRIVE, "wear of the drive" }, { FAMILY_TIME, "time-outs" },
		{ FAMILY_KERNEL, "kernel log" },
	};
	struct buf b cleanup_buf = { 0 };
	int64_t most = 0, most_read = 0;

	for (size_t i = 0; i < array_size(titles); i++)
		if (titles[i].family == family)
			buf_printf(
				&b, "%s%s:", titles[i].words,
				sentence_since(h, a, in->past ? in->past->checked : 0));
	for (size_t i = 0; i < in->values->n; i++) {
		const struct value *v = &in->values->items[i];
		const struct kept *k = kept_find(v->key.id);

		if (!k || k->family != family || !has_risen(rules, in, v, k))
			continue;
		buf_puts(&b, most ? ", " : " ");
		add_name(&b, in, v, k);
		buf_printf(&b, " +%" PRId64 " (now %s%" PRId64 ")", value_rise(v, true),
			   v->least ? "at least " : "", v->value);
		if (value_rise(v, true) > most)
			most = value_rise(v, true);
		/* the kernel's count is of what failed in the end, not of errors in the data */
		if (!k->in_log && value_rise(v, true) > most_read)
			most_read = value_rise(v, true);
	}
	*ret_grew = most > 0;
	if (!most)
		return NULL;
	if (family == FAMILY_LINK && most_read)
		add_rate(&b, in->values, most_read);
	return take(h, a, &b);
}
