/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows "Key:   value" of SCSI and NVMe reports. */
#include <string.h>

#include "base/str.h"
#include "import/smartctl.h"

const struct smart_key *smart_find_key(const struct smart_key *keys, const char *line,
				       const char **ret_value)
{
	for (; keys->name; keys++) {
		const char *value =
			*line == *keys->name ? words_after(line, keys->name) : NULL;

		if (!value)
			continue;
		while (*value == ' ')
			value++;
		*ret_value = value;
		return keys;
	}
	return NULL;
}

/* A terminal that wraps through words leaves the rest of a number on a line of its own. */
static bool is_torn(const struct smart *s, const struct smart_value *v)
{
	const char *below = smart_line(s, v->line + v->lines);

	return str_is_digit(*below) && !below[strspn(below, "0123456789.,")];
}

bool smart_get_count(const struct smart *s, const struct smart_value *v, const char *unit,
		     uint64_t *ret)
{
	const char *p = v->s;
	uint64_t n;

	if (!smart_take_grouped(&p, &n))
		return false;
	if (*unit ? !words_after(p, unit) : *p || v->cut || is_torn(s, v))
		return false;
	*ret = n;
	return true;
}

bool smart_read_count(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, "", &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

bool smart_read_percent(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	uint64_t n;

	if (!smart_get_count(s, v, "%", &n))
		return false;
	smart_u64(s, id, n, v->line);
	return true;
}

/* "35 Celsius", "35 C"; "-" and "<not available>" where the drive has none */
bool smart_read_celsius(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	bool below = v->s[0] == '-' && str_is_digit(v->s[1]);
	struct smart_value number = { v->s + below, v->line, v->lines, v->cut };
	uint64_t n;

	if (str_equal(v->s, "-") || str_starts(v->s, "<not available>"))
		return true;
	if (!smart_get_count(s, &number, " C", &n) || n > 1000)
		return false;
	smart_s64(s, id, below ? -(int64_t)n : (int64_t)n, v->line);
	return true;
}

bool smart_read_enabled(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (str_starts(v->s, "Enabled"))
		smart_flag(s, id, true, v->line);
	else if (str_equal(v->s, "Disabled"))
		smart_flag(s, id, false, v->line);
	/* "Disabled or Not Supported", "Unavailable": not known */
	return !v->cut || str_ends(v->s, "abled");
}

bool smart_read_text(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	if (v->cut)
		return false;
	smart_text(s, id, v->s, v->line);
	return true;
}

bool smart_read_nothing(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	(void)s;
	(void)v;
	(void)id;
	return true;
}

bool smart_read_line(struct smart *s, const struct smart_value *v, enum fact_id id)
{
	(void)id;
	if (v->cut)
		return false;
	(void)smart_join(s, v->line, v->lines);
	smart_squeeze(&s->join);
	emit_text(&s->e, FACT_POSTED_LINE, s->posted_lines++, 0, buf_text(&s->join),
		  v->line);
	return true;
}

bool smart_get_decimal(struct word w, unsigned int places, uint64_t *ret)
{
	const char *p = w.s, *end = w.s + w.len;
	uint64_t whole, part, factor = 1;

	for (unsigned int i = 0; i < places; i++)
		factor *= 10;
	if (w.len < places + 2 || str_take_u64(&p, 10, &whole) < 0 ||
	    (size_t)(end - p) != places + 1 || (*p != '.' && *p != ','))
		return false;
	p++;
	if (str_take_u64(&p, 10, &part) < 0 || p != end ||
	    whole > (UINT64_MAX - part) / factor)
		return false;
	*ret = whole * factor + part;
	return true;
}

size_t smart_take_key(struct smart *s, const struct smart_key *keys, size_t i)
{
	struct smart_value v = { .line = i, .lines = 1, .cut = smart_is_cut(s, i) };
	const struct smart_key *key = smart_find_key(keys, smart_line(s, i), &v.s);
	bool ok;

	if (!key)
		return 0;
	if (s->headless && !key->strong)
		return 0;
	ok = key->read ? key->read(s, &v, key->id) : smart_read_text(s, &v, key->id);
	return !ok && s->headless ? 0
				  : smart_claim(s, i, 1, ok ? LINE_READ : LINE_DAMAGED);
}
