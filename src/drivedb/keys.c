/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drivedb/keys.h"

#include <stdint.h>
#include <string.h>

#include "base/attrs.h"
#include "base/str.h"
#include "model/fact.h"

#define MANY true
#define ONE  false

static const struct db_key keys[] = {
#define DBKEY(key, syntax, many, words) { key, DB_##syntax, many, words },
#include "drivedb/keys.def"
#undef DBKEY
};

/* Names of raw formats are those people know from smartctl's option -v. */
const char *const db_formats[] = {
	"raw8",		"raw16",	"raw48",       "hex48",	       "raw56",
	"hex56",	"raw64",	"hex64",       "raw16(raw16)", "raw16(avg16)",
	"raw24(raw8)",	"raw24/raw24",	"raw24/raw32", "sec2hour",     "min2hour",
	"halfmin2hour", "msec24hour32", "tempminmax",  "temp10x",      NULL,
};

/*
 * "N-value" is for makers who let a wear value fall from N; "100-raw" for those who count what is
 * left in raw (or used) where the fact wants the other.
 */
const char *const db_froms[] = {
	"raw", "value", "100-value", "200-value", "100-raw", NULL
};

/* The SCSI/ATA translation of the standard, then those of makers; "nvme" is for no ATA at all. */
const char *const db_ways[] = { "sat",	    "jmicron", "sunplus", "cypress",
				"prolific", "nvme",    NULL };

const struct db_key *db_keys(size_t *ret_n)
{
	*ret_n = array_size(keys);
	return keys;
}

/* Read COUNT hex digits in lower case. */
static bool skip_hex(const char **s, size_t count)
{
	for (; count; count--, (*s)++)
		if (!str_is_digit(**s) && !(**s >= 'a' && **s <= 'f'))
			return false;
	return true;
}

static bool skip_attribute_id(const char **s)
{
	uint64_t id;

	return **s != '0' && str_take_u64(s, 10, &id) == 0 && id <= 255;
}

static bool key_fits(const char *name, const char *key)
{
	for (; *name; name++) {
		bool fits = *name == '#'   ? skip_attribute_id(&key)
			    : *name == '%' ? skip_hex(&key, 2) && *key++ == '_' &&
						     skip_hex(&key, 3)
					   : *name == *key++;

		if (!fits)
			return false;
	}
	return !*key;
}

const struct db_key *db_key_find(const char *key)
{
	for (size_t i = 0; i < array_size(keys); i++)
		if (key_fits(keys[i].name, key))
			return &keys[i];
	return NULL;
}

static bool is_word_of(const char *const *words, const char *value)
{
	for (; *words; words++)
		if (str_equal(*words, value))
			return true;
	return false;
}

static const char *fault_text(const char *v)
{
	size_t len = strlen(v);

	for (size_t i = 0; i < len; i++)
		if ((uint8_t)v[i] < 0x20 || (uint8_t)v[i] > 0x7e)
			return "text must be printable ASCII";
	return v[0] == ' ' || v[len - 1] == ' ' ? "text begins or ends with a space"
						: NULL;
}

static const char *fault_flag(const char *v)
{
	return str_equal(v, "1") ? NULL : "the only value is 1";
}

static const char *fault_number(const char *v)
{
	uint64_t n;

	if (*v == '0' || str_take_u64(&v, 10, &n) != 0 || *v)
		return "not a decimal number above 0";
	return NULL;
}

static const char *fault_unit(const char *v)
{
	return str_equal(v, "sector") ? NULL : fault_number(v);
}

static const char *fault_class(const char *v)
{
	for (; *v; v++)
		if (!str_is_digit(*v) && !(*v >= 'a' && *v <= 'z') && *v != '-')
			return "a class is written in a-z, 0-9 and -";
	return NULL;
}

static const char *fault_hex_list(const char *v, size_t digits)
{
	const char *before = "";

	for (;; v++) {
		const char *id = v;

		if (!skip_hex(&v, digits) || (*v && *v != ' '))
			return digits == 3 ? "not three-digit identifiers (lower case) "
					     "with one space between"
					   : "not two-digit addresses (lower case) with "
					     "one space between";
		if (strncmp(before, id, digits) >= 0)
			return digits == 3 ? "identifiers are not in rising order"
					   : "addresses are not in rising order";
		before = id;
		if (!*v)
			return NULL;
	}
}

static const char *fault_phy_ids(const char *v)
{
	return fault_hex_list(v, 3);
}

static const char *fault_logs(const char *v)
{
	return fault_hex_list(v, 2);
}

static const char *fault_stat(const char *v)
{
	int64_t n;

	if (str_equal(v, "any") || (v[0] != '0' && str_to_s64(v, &n) == 0) ||
	    str_equal(v, "0"))
		return NULL;
	return "neither a decimal number nor any";
}

static const char *fault_format(const char *v)
{
	return is_word_of(db_formats, v) ? NULL : "unknown raw format";
}

static const char *fault_means(const char *v)
{
	const struct fact_info *info;
	struct fact_key key;

	if (str_equal(v, "ignore"))
		return NULL;
	if (fact_parse_name(v, strlen(v), &key) < 0)
		return "neither a known quantity nor ignore";
	info = fact_get_info(key.id);
	if (info->keys != KEYS_NONE || (info->type != FACT_U64 && info->type != FACT_S64))
		return "this quantity is no single number";
	return NULL;
}

static const char *fault_from(const char *v)
{
	return is_word_of(db_froms, v)
		       ? NULL
		       : "not raw, value, 100-value, 200-value or 100-raw";
}

static const char *fault_bits(const char *v)
{
	uint64_t low, high;

	if (str_take_u64(&v, 10, &low) != 0 || *v++ != '-' ||
	    str_take_u64(&v, 10, &high) != 0 || *v || low > high || high > 47)
		return "not LOW-HIGH within 0-47";
	return NULL;
}

static const char *fault_ways(const char *v)
{
	while (*v) {
		char word[16] = "";
		size_t len = strcspn(v, " ");

		if (len >= sizeof(word))
			break;
		memcpy(word, v, len);
		if (!is_word_of(db_ways, word))
			break;
		v += len;
		if (*v && *++v)
			continue;
		if (!*v && v[-1] != ' ')
			return NULL;
	}
	return "not words for ways of passing through, with one space between";
}

const char *db_key_fault(const struct db_key *k, const char *value)
{
	static const char *(*const faults[DB_SYNTAX_COUNT])(const char *) = {
		[DB_TEXT] = fault_text,	    [DB_FLAG] = fault_flag,
		[DB_NUMBER] = fault_number, [DB_UNIT] = fault_unit,
		[DB_CLASS] = fault_class,   [DB_PHYIDS] = fault_phy_ids,
		[DB_STAT] = fault_stat,	    [DB_FORMAT] = fault_format,
		[DB_MEANS] = fault_means,   [DB_FROM] = fault_from,
		[DB_BITS] = fault_bits,	    [DB_WAYS] = fault_ways,
		[DB_LOGS] = fault_logs,
	};

	return *value ? faults[k->syntax](value) : NULL;
}
