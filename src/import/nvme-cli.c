/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nvme-cli's text: smart-log, id-ctrl and list. Names of values changed between versions
 * ("data_units_read", "Data Units Read"), so they are compared in small letters.
 */
#include "import/nvme-cli.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "import/importers.h"
#include "import/words.h"

/* clang-format off */
const struct nvme_key nvme_health[] = {
	{ { "critical_warning" },                                          NVME_COUNT,   FACT_NVME_WARNING,        0 },
	{ { "temperature" },                                               NVME_KELVIN,  FACT_TEMPERATURE,         0 },
	{ { "available_spare", "avail_spare" },                            NVME_PERCENT, FACT_NVME_SPARE,          0 },
	{ { "available_spare_threshold", "spare_thresh" },                 NVME_PERCENT, FACT_NVME_SPARE_LIMIT,    0 },
	{ { "percentage_used", "percent_used" },                           NVME_PERCENT, FACT_LIFE_USED,           0 },
	{ { "data_units_read" },                                           NVME_COUNT,   FACT_NVME_UNITS_READ,     0 },
	{ { "data_units_written" },                                        NVME_COUNT,   FACT_NVME_UNITS_WRITTEN,  0 },
	{ { "host_read_commands" },                                        NVME_COUNT,   FACT_NVME_READS,          0 },
	{ { "host_write_commands" },                                       NVME_COUNT,   FACT_NVME_WRITES,         0 },
	{ { "controller_busy_time" },                                      NVME_COUNT,   FACT_NVME_BUSY,           0 },
	{ { "power_cycles" },                                              NVME_COUNT,   FACT_POWER_CYCLES,        0 },
	{ { "power_on_hours" },                                            NVME_COUNT,   FACT_POWER_ON_HOURS,      0 },
	{ { "unsafe_shutdowns" },                                          NVME_COUNT,   FACT_NVME_UNSAFE,         0 },
	{ { "media_errors" },                                              NVME_COUNT,   FACT_NVME_MEDIA_ERRORS,   0 },
	{ { "num_err_log_entries" },                                       NVME_COUNT,   FACT_NVME_ERROR_ENTRIES,  0 },
	{ { "warning_temperature_time", "warning_temp_time" },             NVME_COUNT,   FACT_NVME_WARM_MINUTES,   0 },
	{ { "critical_composite_temperature_time", "critical_comp_time" }, NVME_COUNT,   FACT_NVME_HOT_MINUTES,    0 },
	{ { "thermal_management_t1_trans_count", "thm_temp1_trans_count" }, NVME_COUNT,  FACT_NVME_THROTTLE1,      0 },
	{ { "thermal_management_t2_trans_count", "thm_temp2_trans_count" }, NVME_COUNT,  FACT_NVME_THROTTLE2,      0 },
	{ { "thermal_management_t1_total_time", "thm_temp1_total_time" },  NVME_COUNT,   FACT_NVME_THROTTLE1_TIME, 0 },
	{ { "thermal_management_t2_total_time", "thm_temp2_total_time" },  NVME_COUNT,   FACT_NVME_THROTTLE2_TIME, 0 },
	{ { NULL }, NVME_KNOWN, 0, 0 },
};

const struct nvme_key nvme_controller[] = {
	{ { "vid" },     NVME_HEX,    FACT_NVME_PCI_VENDOR,    0 },
	{ { "ssvid" },   NVME_HEX,    FACT_NVME_PCI_SUBSYSTEM, 0 },
	{ { "sn" },      NVME_TEXT,   FACT_SERIAL,             0 },
	{ { "mn" },      NVME_TEXT,   FACT_MODEL,              0 },
	{ { "fr" },      NVME_TEXT,   FACT_FIRMWARE,           0 },
	{ { "tnvmcap" }, NVME_COUNT,  FACT_NVME_TOTAL,         FACT_CAPACITY },
	{ { "wctemp" },  NVME_KELVIN, FACT_NVME_WARM_LIMIT,    0 },
	{ { "cctemp" },  NVME_KELVIN, FACT_NVME_HOT_LIMIT,     0 },
	{ { "nn" },      NVME_COUNT,  FACT_NVME_NAMESPACES,    0 },
	{ { NULL }, NVME_KNOWN, 0, 0 },
};
/* clang-format on */

const struct nvme_key *nvme_find(const struct nvme_key *keys, const char *name)
{
	for (; keys->names[0]; keys++)
		for (size_t i = 0; i < array_size(keys->names); i++)
			if (keys->names[i] && str_equal(keys->names[i], name))
				return keys;
	return NULL;
}

void nvme_normalise(const char *s, size_t len, char *ret, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n + 1 < size; i++) {
		char c = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] - 'A' + 'a') : s[i];

		if (str_is_alpha(c) || str_is_digit(c))
			ret[n++] = c;
		else if (n && ret[n - 1] != '_')
			ret[n++] = '_';
	}
	while (n && ret[n - 1] == '_')
		n--;
	ret[n] = '\0';
}

uint32_t nvme_sensor(const char *name)
{
	const char *p = str_after(name, "temperature_sensor_");

	return p && *p >= '1' && *p <= '8' && !p[1] ? (uint32_t)(*p - '0') : 0;
}

void nvme_put_celsius(struct emit *e, enum fact_id id, uint32_t i, uint64_t kelvin,
		      size_t line)
{
	/* 0 stands for "not told" */
	if (kelvin && kelvin < 1000)
		emit_s64(e, id, i, 0, (int64_t)kelvin - 273, line);
}

void nvme_put(struct emit *e, const struct nvme_key *k, uint64_t u, size_t line)
{
	if (k->form == NVME_KELVIN) {
		nvme_put_celsius(e, k->id, 0, u, line);
		return;
	}
	/* a capacity of 0 is none told */
	if (k->and_id && !u)
		return;
	emit_u64(e, k->id, 0, 0, u, line);
	if (k->and_id)
		emit_u64(e, k->and_id, 0, 0, u, line);
}

/* ---- values in text -------------------------------------------------------------------------- */

/* "36,417,206", "36.417.206": groups of three, or no groups at all. */
static bool take_grouped(const char **s, uint64_t *ret)
{
	const char *p = *s;
	uint64_t u, group;

	if (!str_is_digit(*p) || str_take_u64(&p, 10, &u) < 0)
		return false;
	while ((*p == ',' || *p == '.' || *p == '\'') && str_is_digit(p[1])) {
		const char *start = ++p;

		if (str_take_u64(&p, 10, &group) < 0 || p - start != 3 ||
		    u > (UINT64_MAX - group) / 1000)
			return false;
		u = u * 1000 + group;
	}
	*s = p;
	*ret = u;
	return true;
}

/* "38 C (311 Kelvin)", "100 °F (311 K)": the kelvins are what the drive said. */
static bool take_kelvin(const char *s, uint64_t *ret)
{
	const char *open = strchr(s, '(');
	struct scan sc = { open ? open + 1 : s };
	uint64_t u;

	if (!scan_u64(&sc, &u))
		return false;
	if (open) {
		*ret = u;
		return scan_text(&sc, " K") && strchr(sc.p, ')');
	}
	if (scan_text(&sc, " C") && scan_end(&sc))
		u += 273;
	*ret = u;
	return scan_end(&sc);
}

static bool take_value(const struct nvme_key *k, const char *s, uint64_t *ret)
{
	while (*s == ' ')
		s++;
	if (k->form == NVME_KELVIN)
		return take_kelvin(s, ret);
	if (str_starts(s, "0x")) {
		s += 2;
		return str_take_u64(&s, 16, ret) == 0 && !*s;
	}
	if (!take_grouped(&s, ret))
		return k->form == NVME_HEX && str_take_u64(&s, 16, ret) == 0 && !*s;
	if (*s == '%')
		s++;
	while (*s == ' ')
		s++;
	return !*s || *s == '(';
}

/* ---- smart-log and id-ctrl -------------------------------------------------------------------------- */

enum block { BLOCK_NONE, BLOCK_HEALTH, BLOCK_CONTROLLER };

/* "Smart Log for NVME device:nvme0 namespace-id:ffffffff" */
static enum block block_of(const char *s)
{
	if (str_starts(s, "Smart Log for NVME device:"))
		return BLOCK_HEALTH;
	return str_starts(s, "NVME Identify Controller:") ? BLOCK_CONTROLLER : BLOCK_NONE;
}

static void put_device(struct emit *e, size_t index)
{
	const struct text *t = e->im->text;
	const char *rest = str_after(t->lines[index].s, "Smart Log for NVME device:");
	const char *command;
	char device[64];
	size_t at = index, n = rest ? strcspn(rest, " ") : 0;

	if (rest && n && n < sizeof(device)) {
		memcpy(device, rest, n);
		device[n] = '\0';
		emit_text(e, FACT_DEVICE, 0, 0, device, index);
		return;
	}
	command = posted_command_above(t, index, "nvme", 2, &at);
	if (command && posted_device(t->lines[at].s, device, sizeof(device)))
		emit_text(e, FACT_DEVICE, 0, 0, device, at);
}

static bool read_line(struct emit *e, enum block block, size_t line)
{
	const struct text_line *l = &e->im->text->lines[line];
	const char *colon = strchr(l->s, ':');
	const struct nvme_key *k;
	char name[64];
	uint64_t u;

	if (!colon)
		return false;
	nvme_normalise(l->s, (size_t)(colon - l->s), name, sizeof(name));
	if (block == BLOCK_HEALTH && nvme_sensor(name)) {
		if (take_kelvin(colon + 1 + strspn(colon + 1, " "), &u))
			nvme_put_celsius(e, FACT_NVME_SENSOR, nvme_sensor(name), u, line);
		return true;
	}
	k = nvme_find(block == BLOCK_HEALTH ? nvme_health : nvme_controller, name);
	if (!k)
		return l->indent || strlen(name) < 48; /* other values, and their bits */
	if (k->form == NVME_TEXT) {
		const char *s = colon + 1 + strspn(colon + 1, " ");

		if (*s)
			emit_text(e, k->id, 0, 0, s, line);
		return true;
	}
	if (!take_value(k, colon + 1, &u))
		return false;
	nvme_put(e, k, u, line);
	return true;
}

static size_t read_block(struct emit *e, enum block block, size_t index)
{
	struct text *t = e->im->text;
	size_t i;

	put_device(e, index);
	emit_text(e, FACT_BUS, 0, 0, "nvme", index);
	text_claim(t, index, LINE_READ, NVME_SECTION);
	for (i = index + 1; i < t->n; i++) {
		const struct text_line *l = &t->lines[i];

		if (!l->len) {
			/* double spaced, or the end */
			if (i + 1 < t->n && strchr(t->lines[i + 1].s, ':') &&
			    block_of(t->lines[i + 1].s) == BLOCK_NONE)
				continue;
			break;
		}
		if (l->state != LINE_OPEN || block_of(l->s) != BLOCK_NONE ||
		    posted_command(t, i, "nvme"))
			break;
		if (l->cut) {
			text_claim(t, i, LINE_DAMAGED, NVME_SECTION);
			continue;
		}
		if (!read_line(e, block, i)) {
			if (!strchr(l->s, ':'))
				break;
			text_claim(t, i, LINE_DAMAGED, NVME_SECTION);
			continue;
		}
		text_claim(t, i, LINE_READ, NVME_SECTION);
	}
	return i;
}

/* ---- list ------------------------------------------------------------------------------------------------ */

int nvme_put_listed(struct import *im, const struct nvme_listed *d, size_t line)
{
	struct emit e = { .im = im };
	const struct {
		enum fact_id id;
		const char *text;
	} texts[] = {
		{ FACT_DEVICE, str_after(d->device, "/dev/") },
		{ FACT_SERIAL, d->serial },
		{ FACT_MODEL, d->model },
		{ FACT_FIRMWARE, d->firmware },
		{ FACT_BUS, "nvme" },
	};

	for (size_t i = 0; i < array_size(texts); i++)
		if (texts[i].text && *texts[i].text)
			emit_text(&e, texts[i].id, 0, 0, texts[i].text, line);
	if (d->bytes)
		emit_u64(&e, FACT_CAPACITY, 0, 0, d->bytes, line);
	if (d->sector)
		emit_u64(&e, FACT_LOGICAL_SECTOR, 0, 0, d->sector, line);
	return emit_done(&e, CAP_DRIVE, "facts/nvme");
}

/*
 * Columns are not used: "/dev/nvme0n1 [/dev/ng0n1] SERIAL MODEL... 1 512.11 GB / 512.11 GB 512 B +
 * 0 B FIRMWARE". What is read from the right end leaves serial number and model.
 */
static bool parse_listed(struct import *im, size_t line, struct nvme_listed *ret)
{
	struct word w[32];
	size_t n = words_split(im->text->lines[line].s, w, array_size(w)), first = 1, at;
	struct arena *a = &im->text->arena;
	uint64_t sector;

	if (n < 14 || n == array_size(w) || !word_starts(w[0], "/dev/nvme"))
		return false;
	if (word_starts(w[1], "/dev/ng"))
		first = 2;
	at = n - 1; /* firmware */
	if (!word_is(w[at - 1], "B") || !word_is(w[at - 3], "+") ||
	    !word_is(w[at - 8], "/") || at < first + 13)
		return false;
	ret->device = arena_strndup(a, w[0].s, w[0].len);
	ret->serial = arena_strndup(a, w[first].s, w[first].len);
	ret->firmware = arena_strndup(a, w[at].s, w[at].len);
	/* namespace stands at at - 11, the model before it */
	ret->model =
		arena_strndup(a, w[first + 1].s,
			      (size_t)(w[at - 12].s + w[at - 12].len - w[first + 1].s));
	if (word_is(w[at - 4], "B") && word_u64(w[at - 5], 10, &sector) == 0)
		ret->sector = sector;
	return true;
}

static bool is_list_head(const char *s)
{
	return words_after(s, "Node ") && strstr(s, "FW Rev");
}

/* ---- the walk -------------------------------------------------------------------------------------------- */

static int read_list(struct import *im, size_t i, int *n)
{
	struct text *t = im->text;

	for (; i < t->n; i++) {
		struct nvme_listed d = { 0 };
		int r;

		if (!t->lines[i].len)
			continue;
		if (str_starts(t->lines[i].s, "-----")) {
			text_claim(t, i, LINE_KNOWN, NVME_SECTION);
			continue;
		}
		if (!str_starts(t->lines[i].s, "/dev/nvme"))
			break;
		if (t->lines[i].cut || !parse_listed(im, i, &d)) {
			text_claim(t, i, LINE_DAMAGED, NVME_SECTION);
			continue;
		}
		r = nvme_put_listed(im, &d, i);
		if (r < 0)
			return r;
		text_claim(t, i, LINE_READ, NVME_SECTION);
		++*n;
	}
	return 0;
}

/* The kernel begins its lines on NVMe with the same word. */
static bool is_command(const struct text *t, size_t i)
{
	static const char *const names[] = { "smart-log", "id-ctrl", "list" };
	const char *s = posted_command(t, i, "nvme");

	for (size_t k = 0; s && k < array_size(names); k++)
		if (str_starts(s, names[k]))
			return true;
	return false;
}

static int read_text(struct import *im, size_t *i, int *n)
{
	enum block block = block_of(im->text->lines[*i].s);
	struct emit e = { .im = im };

	if (is_list_head(im->text->lines[*i].s)) {
		text_claim(im->text, *i, LINE_KNOWN, NVME_SECTION);
		return read_list(im, ++*i, n);
	}
	if (block == BLOCK_NONE) {
		if (is_command(im->text, *i))
			text_claim(im->text, *i, LINE_KNOWN, NVME_SECTION);
		++*i;
		return 0;
	}
	*i = read_block(&e, block, *i);
	++*n;
	return emit_done(&e, CAP_DRIVE, "facts/nvme");
}

static int read_nvme(struct import *im)
{
	const struct text *t = im->text;
	unsigned tries = 0;
	int n = 0;

	for (size_t i = 0; i < t->n && n < (int)NVME_MAX;) {
		int r;

		if (t->lines[i].state != LINE_OPEN || !t->lines[i].len) {
			i++;
			continue;
		}
		if (*t->lines[i].s == '{') {
			r = nvme_read_json(im, i, &tries, &i);
			n += r > 0 ? r : 0;
		} else {
			r = read_text(im, &i, &n);
		}
		if (r < 0)
			return r;
	}
	return n;
}

const struct importer importer_nvme_cli = {
	.name = "nvme-cli",
	.describe = "nvme smart-log, id-ctrl and list, as text and JSON",
	.read = read_nvme,
};
