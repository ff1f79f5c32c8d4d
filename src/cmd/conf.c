/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/conf.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

struct line {
	struct conf *conf;
	struct diag *diag;
	const char *file;
	uint64_t number;
	bool bad;
};

static void complain(struct line *l, const char *what, const char *value)
{
	struct buf b cleanup_buf = { 0 };

	str_add_escaped(&b, value, 60);
	diag_add(l->diag, DIAG_ERROR, l->file, l->number, "%s: '%s'", what, buf_text(&b));
	l->bad = true;
}

static void no_memory(struct line *l)
{
	diag_add(l->diag, DIAG_ERROR, l->file, l->number, "out of memory");
	l->bad = true;
}

/* --- values -------------------------------------------------------------------------------------------- */

static bool take_number(struct line *l, const char *value, uint64_t most, uint64_t *ret)
{
	if (str_to_u64(value, ret) == 0 && *ret <= most)
		return true;
	complain(l, "a number was expected, and not a very large one", value);
	return false;
}

static void take_name(struct line *l, const char *value, const char ***list, size_t *n,
		      size_t *cap)
{
	const char **slot = arena_push(&l->conf->arena, list, n, cap, sizeof(*slot));

	if (!slot)
		no_memory(l);
	else
		*slot = value;
}

static void take_drive(struct line *l, const char *value)
{
	take_name(l, value, &l->conf->drives, &l->conf->n_drives, &l->conf->cap_drives);
}

static void take_skipped(struct line *l, const char *value)
{
	take_name(l, value, &l->conf->skipped, &l->conf->n_skipped,
		  &l->conf->cap_skipped);
}

static bool find_fact(const char *name, enum fact_id *ret)
{
	for (const struct kept *k = kept_facts; k->words; k++) {
		const char *known = fact_get_info(k->id)->name;
		size_t len = strcspn(known, "[");

		if (strlen(name) == len && strncmp(known, name, len) == 0) {
			*ret = k->id;
			return true;
		}
	}
	return false;
}

/* "L03", "interface_crc_errors", or one of these behind the name of a drive */
static void take_ignore(struct line *l, const char *value)
{
	struct check_rules *rules = &l->conf->rules;
	const char *what = strrchr(value, ' ');
	struct check_ignore g = { .fact = FACT_COUNT };

	if (what) {
		size_t len = (size_t)(what - value);

		while (len && value[len - 1] == ' ')
			len--;
		g.drive = arena_strndup(&l->conf->arena, value, len);
		if (!g.drive) {
			no_memory(l);
			return;
		}
	}
	what = what ? what + 1 : value;
	g.has_code = code_from_name(what, &g.code) == 0;
	if (!g.has_code && !find_fact(what, &g.fact)) {
		complain(l, "no finding or count has this name", what);
		return;
	}
	if (check_rules_ignore(rules, &l->conf->arena, g) < 0)
		no_memory(l);
}

/* "interface_crc_errors 10" */
static void take_threshold(struct line *l, const char *value)
{
	struct check_rules *rules = &l->conf->rules;
	const char *number = strrchr(value, ' ');
	struct check_threshold t = { 0 }, *slot;
	char name[64];
	uint64_t least;

	if (!number || (size_t)(number - value) >= sizeof(name)) {
		complain(l, "the name of a count and a number were expected", value);
		return;
	}
	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(value, " "), value);
	if (!find_fact(name, &t.fact)) {
		complain(l, "no count has this name", name);
		return;
	}
	if (!take_number(l, number + 1, INT32_MAX, &least))
		return;
	t.least = least ? (int64_t)least : 1;
	slot = arena_push(&l->conf->arena, &rules->thresholds, &rules->n_thresholds,
			  &rules->cap_thresholds, sizeof(*slot));
	if (slot)
		*slot = t;
	else
		no_memory(l);
}

static void take_hot(struct line *l, const char *value)
{
	uint64_t u;

	if (take_number(l, value, 200, &u))
		l->conf->rules.hot_celsius = (int64_t)u;
}

static void take_remind(struct line *l, const char *value)
{
	uint64_t u;

	if (take_number(l, value, 36500, &u))
		l->conf->rules.remind_days = (int64_t)u;
}

static void take_well(struct line *l, const char *value)
{
	uint64_t u;

	if (take_number(l, value, 36500, &u))
		l->conf->rules.well_days = (int64_t)u;
}

static void take_keep(struct line *l, const char *value)
{
	uint64_t u;

	if (take_number(l, value, 36500, &u))
		l->conf->keep_days = (int64_t)u;
}

static void take_thin(struct line *l, const char *value)
{
	uint64_t u;

	if (take_number(l, value, 36500, &u))
		l->conf->thin_days = (int64_t)u;
}

static void take_deadline(struct line *l, const char *value)
{
	uint64_t u;

	if (take_number(l, value, 3600, &u))
		l->conf->deadline_s = (unsigned)u;
}

static void take_hooks(struct line *l, const char *value)
{
	if (*value == '/')
		l->conf->hooks = value;
	else
		complain(l, "a folder was expected, with its whole path", value);
}

static void take_journal(struct line *l, const char *value)
{
	if (!str_equal(value, "yes") && !str_equal(value, "no"))
		complain(l, "yes or no was expected", value);
	l->conf->journal = str_equal(value, "yes");
}

static const struct key {
	const char *name;
	void (*take)(struct line *l, const char *value);
} keys[] = {
	{ "drive", take_drive },     { "ignore-drive", take_skipped },
	{ "ignore", take_ignore },   { "threshold", take_threshold },
	{ "temperature", take_hot }, { "remind", take_remind },
	{ "well", take_well },	     { "keep-days", take_keep },
	{ "thin-days", take_thin },  { "deadline", take_deadline },
	{ "hooks", take_hooks },     { "journal", take_journal },
};

/* --- lines --------------------------------------------------------------------------------------------- */

static void take_line(struct line *l, char *text)
{
	char *key = str_trim(text), *equal = strchr(key, '=');
	const char *value;

	if (!*key || *key == '#' || *key == ';')
		return;
	if (!equal) {
		complain(l, "KEY = VALUE was expected", key);
		return;
	}
	*equal = '\0';
	value = str_trim(equal + 1);
	key = str_trim(key);
	for (size_t i = 0; i < array_size(keys); i++) {
		if (!str_equal(keys[i].name, key))
			continue;
		if (*value)
			keys[i].take(l, value);
		else
			complain(l, "a value is missing", key);
		return;
	}
	complain(l, "no such key", key);
}

void conf_init(struct conf *c)
{
	*c = (struct conf){ .keep_days = 1100, .thin_days = 60 };
}

int conf_read(struct conf *c, struct span text, const char *file, struct diag *d)
{
	struct line l = { .conf = c, .diag = d, .file = file };
	size_t at = 0;

	if (memchr(text.data ? text.data : (const uint8_t *)"", '\0', text.len)) {
		diag_add(d, DIAG_ERROR, file, 0, "this is no text");
		return -EBADMSG;
	}
	while (at < text.len) {
		const uint8_t *start = text.data + at;
		const uint8_t *end = memchr(start, '\n', text.len - at);
		size_t len = end ? (size_t)(end - start) : text.len - at;
		char *line = arena_strndup(&c->arena, (const char *)start, len);

		l.number++;
		if (!line)
			return -ENOMEM;
		take_line(&l, line);
		at += len + 1;
	}
	return l.bad ? -EBADMSG : 0;
}

static int read_file(const char *file, struct buf *ret)
{
	char chunk[8192];
	ssize_t n;
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY), r = 0;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 && ret->len <= CONF_MAX_BYTES)
		buf_add(ret, chunk, (size_t)n);
	if (n < 0)
		r = -errno;
	(void)close(fd);
	if (r == 0 && ret->len > CONF_MAX_BYTES)
		r = -EFBIG;
	return r ? r : buf_error(ret);
}

static int load_one(struct conf *c, const char *file, bool may_be_missing, struct diag *d)
{
	struct buf text cleanup_buf = { 0 };
	char *name = arena_strdup(&c->arena, file);
	int r = name ? read_file(file, &text) : -ENOMEM;

	if (r == -ENOENT && may_be_missing)
		return 0;
	if (r < 0) {
		diag_add(d, DIAG_ERROR, file, 0, "%s", strerror(-r));
		return r;
	}
	return conf_read(c, buf_span(&text), name, d);
}

/* The file, then what packages and administrators put beside it, in the order of their names. */
int conf_load(struct conf *c, const char *file, struct diag *d)
{
	glob_t found = { 0 };
	int r;

	if (file)
		return str_equal(file, "none") ? 0 : load_one(c, file, false, d);
	r = load_one(c, DW_SYSCONFDIR "/drivewhy.conf", true, d);
	if (glob(DW_SYSCONFDIR "/conf.d/*.conf", 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			int e = load_one(c, found.gl_pathv[i], true, d);

			r = r ? r : e;
		}
	globfree(&found);
	return r;
}

void conf_done(struct conf *c)
{
	arena_done(&c->arena);
	*c = (struct conf){ 0 };
}
