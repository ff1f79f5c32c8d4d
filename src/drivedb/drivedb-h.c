/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/drivedb-h.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivedb/raw-format.h"
#include "drivedb/smart-regex.h"
#include "drivedb/smart-text.h"

#define MAX_NAME     64u
#define MAX_ARGUMENT 256u
/* More expressions than this begin like one model in no file but a hostile one. */
#define MAX_TRIES 1000u

/* One attribute; NULL: nothing is said. */
struct row {
	const char *name, *format;
	const char *name_file, *format_file;
	uint32_t name_line, format_line;
};

struct lookup {
	struct arena arena; /* becomes that of the result */
	struct diag *d;
	const char *model, *firmware, *file;
	int solid;
	size_t tries;
	bool has_default, has_entry;
	struct db_property family;
	struct row defaults[256], rows[256];
};

/* Words of smartctl(8), "old arguments to -v". */
static const struct {
	const char *old, *new;
} old_arguments[] = {
	{ "9,minutes", "9,min2hour,Power_On_Minutes" },
	{ "9,seconds", "9,sec2hour,Power_On_Seconds" },
	{ "9,halfminutes", "9,halfmin2hour,Power_On_Half_Minutes" },
	{ "9,temp", "9,tempminmax,Temperature_Celsius" },
	{ "192,emergencyretractcyclect", "192,raw48,Emerg_Retract_Cycle_Ct" },
	{ "193,loadunload", "193,raw24/raw24" },
	{ "194,10xCelsius", "194,temp10x,Temperature_Celsius_x10" },
	{ "194,unknown", "194,raw48,Unknown_Attribute" },
	{ "197,increasing", "197,raw48,Total_Pending_Sectors" },
	{ "198,increasing", "198,raw48,Total_Offl_Uncorrectabl" },
	{ "198,offlinescanuncsectorct", "198,raw48,Offline_Scan_UNC_SectCt" },
	{ "200,writeerrorcount", "200,raw48,Write_Error_Count" },
	{ "201,detectedtacount", "201,raw48,Detected_TA_Count" },
	{ "220,temp", "220,tempminmax,Temperature_Celsius" },
};

static bool is_name(const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < len; i++)
		if (!str_is_alpha(s[i]) && !str_is_digit(s[i]) && !strchr("_-/.", s[i]))
			return false;
	return len && len <= MAX_NAME;
}

/* Cut S at the next comma; returns what stands behind it, or NULL. */
static char *cut(char *s)
{
	char *comma = s ? strchr(s, ',') : NULL;

	if (comma)
		*comma++ = '\0';
	return comma;
}

static int set_row(struct lookup *l, struct row *row, const char *format,
		   const char *name, uint32_t line)
{
	row->format = arena_strdup(&l->arena, format);
	row->format_file = l->file;
	row->format_line = line;
	if (!row->format)
		return -ENOMEM;
	if (!name || !*name)
		return 0;
	row->name = arena_strdup(&l->arena, name);
	row->name_file = l->file;
	row->name_line = line;
	return row->name ? 0 : -ENOMEM;
}

/* "ID,FORMAT[:ORDER][+][,NAME[,HDD|SSD]]"; false when it is none. */
static bool read_argument(struct lookup *l, struct row *rows, char *s, uint32_t line,
			  int *ret_r)
{
	char *format = cut(s), *name = cut(format), *kind = cut(name);
	const char *digits = s;
	uint64_t id = 0;
	size_t len = format ? strlen(format) : 0;
	bool all = str_equal(s, "N");

	if (len && format[len - 1] == '+') /* the count is never reset */
		format[len - 1] = '\0';
	if (!format || !raw_format_is_valid(format) || (name && *name && !is_name(name)))
		return false;
	if (!all && (str_take_u64(&digits, 10, &id) < 0 || *digits || !id || id > 255))
		return false;
	if (kind && !str_equal(kind, "HDD") && !str_equal(kind, "SSD"))
		return false;
	/* not knowing which it is, no name is better than that of the other kind */
	if (kind && l->solid != (str_equal(kind, "SSD") ? 1 : 0))
		return true;
	for (size_t i = all ? 1 : id; i <= (all ? 255 : id) && !*ret_r; i++)
		*ret_r = set_row(l, &rows[i], format, name, line);
	return true;
}

/* -v ARGUMENT; everything else in the presets is not about attributes. */
static int read_presets(struct lookup *l, struct row *rows, const struct smart_reader *r)
{
	const char *text = buf_text(&r->parts[SMART_PRESETS]), *s = text;
	bool is_argument = false;
	int result = 0;

	while (*s && !result) {
		size_t len = strcspn(s, " \t\n");
		char argument[MAX_ARGUMENT];
		uint32_t line = smart_line_at(r, (size_t)(s - text));

		if (is_argument && len < sizeof(argument)) {
			memcpy(argument, s, len);
			argument[len] = '\0';
			for (size_t i = 0; i < array_size(old_arguments); i++)
				if (str_equal(argument, old_arguments[i].old))
					memcpy(argument, old_arguments[i].new,
					       strlen(old_arguments[i].new) + 1);
			if (!read_argument(l, rows, argument, line, &result))
				diag_add(l->d, DIAG_WARNING, l->file, line,
					 "attribute not understood, left out");
		}
		is_argument = len == 2 && s[0] == '-' && s[1] == 'v';
		s += len;
		s += strspn(s, " \t\n");
	}
	return result;
}

static bool entry_matches(struct lookup *l, const struct smart_reader *r)
{
	const char *model = buf_text(&r->parts[SMART_MODEL]);
	const char *firmware = buf_text(&r->parts[SMART_FIRMWARE]);
	const char *why = NULL;

	if (!smart_regex_may_begin(model, l->model))
		return false;
	if (++l->tries > MAX_TRIES)
		why = "too many expressions to try, the rest is not used";
	if (!why)
		why = smart_regex_fault(model);
	if (!why)
		why = smart_regex_fault(firmware);
	if (why && l->tries <= MAX_TRIES + 1)
		diag_add(l->d, DIAG_WARNING, l->file, r->line, "entry left out: %s", why);
	if (why)
		return false;
	return smart_regex_matches(model, l->model) &&
	       (!*firmware || smart_regex_matches(firmware, l->firmware));
}

static int take_entry(struct lookup *l, const struct smart_reader *r)
{
	const char *family = buf_text(&r->parts[SMART_FAMILY]);
	const char *model = buf_text(&r->parts[SMART_MODEL]);

	for (unsigned i = 0; i < SMART_PARTS; i++)
		if (buf_error(&r->parts[i]) < 0)
			return -ENOMEM;
	if (str_equal(model, "-")) {
		if (!str_starts(family, "DEFAULT") || l->has_default)
			return 0;
		l->has_default = true;
		return read_presets(l, l->defaults, r);
	}
	if (l->has_entry || str_starts(family, "USB:") || !entry_matches(l, r))
		return 0;
	l->has_entry = true;
	l->family = (struct db_property){ .key = "SMARTCTL_FAMILY",
					  .value = arena_strdup(&l->arena, family),
					  .file = l->file,
					  .line = r->line };
	if (!l->family.value)
		return -ENOMEM;
	return read_presets(l, l->rows, r);
}

static int read_file(struct lookup *l, const struct smart_file *f)
{
	struct smart_reader *r = calloc(1, sizeof(*r));
	int result = 0;

	l->file = arena_strdup(&l->arena, f->name);
	if (!r || !l->file) {
		free(r);
		return -ENOMEM;
	}
	r->text = f->text;
	r->file = l->file;
	r->diag = l->d;
	/* one entry and the defaults are all that is ever taken */
	while (!result && !(l->has_entry && l->has_default) && smart_read_entry(r))
		result = take_entry(l, r);
	smart_reader_done(r);
	free(r);
	return result;
}

static int add(struct lookup *l, struct db_match *m, unsigned id, const char *what,
	       const char *value, const char *file, uint32_t line)
{
	struct db_property *slot;

	if (!value)
		return 0;
	slot = arena_push(&l->arena, &m->items, &m->n, &m->cap, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = (struct db_property){ .value = value, .file = file, .line = line };
	slot->key = arena_printf(&l->arena, "ATTR_%u_%s", id, what);
	return slot->key ? 0 : -ENOMEM;
}

static int compare_keys(const void *a, const void *b)
{
	const struct db_property *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* What an entry leaves open of an attribute is that of the defaults. */
static int settle(struct lookup *l, struct db_match *m)
{
	struct db_property *slot;
	int r = 0;

	if (l->has_entry) {
		slot = arena_push(&l->arena, &m->items, &m->n, &m->cap, sizeof(*slot));
		if (!slot)
			return -ENOMEM;
		*slot = l->family;
	}
	for (unsigned i = 1; i <= 255 && !r; i++) {
		const struct row *n = l->rows[i].name ? &l->rows[i] : &l->defaults[i];
		const struct row *f = l->rows[i].format ? &l->rows[i] : &l->defaults[i];

		r = add(l, m, i, "NAME", n->name, n->name_file, n->name_line);
		if (!r)
			r = add(l, m, i, "FORMAT", f->format, f->format_file,
				f->format_line);
	}
	if (!r && m->n)
		qsort(m->items, m->n, sizeof(*m->items), compare_keys);
	m->n_records = (size_t)l->has_entry + l->has_default;
	return r;
}

int smart_files_match(const struct smart_file *files, size_t n_files,
		      const struct drive_id *id, int solid, struct diag *d,
		      struct db_match *ret)
{
	struct lookup *l = calloc(1, sizeof(*l));
	struct db_match m = { 0 };
	int r = 0;

	if (!l)
		return -ENOMEM;
	l->d = d;
	l->model = id->model ? id->model : "";
	l->firmware = id->firmware ? id->firmware : "";
	l->solid = solid;
	for (size_t i = 0; i < n_files && !r; i++)
		r = read_file(l, &files[i]);
	if (!r)
		r = settle(l, &m);
	m.arena = l->arena;
	free(l);
	if (r < 0)
		arena_done(&m.arena);
	else
		*ret = m;
	return r;
}
