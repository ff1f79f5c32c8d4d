/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON of smartctl 7 (json_format_version 1.0), for programs that read it. A drive is put
 * together from its facts, section by section; what is not known is left out, as smartctl does.
 */
#pragma once

#include "model/report.h"
#include "render/json-value.h"

struct sc {
	struct json_writer *w;
	struct json_object *top;
	const struct drive *d;
};

/* A new object or array under KEY of O. */
struct json_object *sc_object(struct sc *s, struct json_object *o, const char *key);
struct json_object *sc_array(struct sc *s, struct json_object *o, const char *key);
/* The fact under KEY of O, if there is one. */
void sc_put(struct sc *s, struct json_object *o, const char *key, enum fact_id id,
	    uint32_t i, uint32_t j);
/* A row of keys, each the fact of one quantity. */
struct sc_key {
	const char *name;
	enum fact_id id;
};

void sc_put_keys(struct sc *s, struct json_object *o, const struct sc_key *keys,
		 size_t n);
/* {"value": bits, "string": text}, whichever of the two is known; string NULL: is not. */
void sc_put_coded(struct sc *s, struct json_object *o, const char *key,
		  const uint64_t *code, const char *string);
/* The number behind MARK in TEXT. */
bool sc_number_after(const char *text, const char *mark, uint64_t *ret);

/* One bit of a word, by its name in the document. */
struct sc_bit {
	unsigned bit;
	const char *key;
};

void sc_put_bits(struct sc *s, struct json_object *o, const struct sc_bit *bits, size_t n,
		 uint64_t word);

/* The facts of ID with different keys, the best of each, in the order they stood in. */
struct sc_rows {
	const struct fact **items;
	size_t n;
};

int sc_rows_new(const struct drive *d, enum fact_id id, struct sc_rows *ret) must_check;

/* The sections, in smartctl's order. */
void sc_identity(struct sc *s);
void sc_nvme(struct sc *s);
void sc_settings(struct sc *s);
void sc_smart_data(struct sc *s);
void sc_attributes(struct sc *s);
void sc_directory(struct sc *s);
void sc_error_log(struct sc *s);
void sc_selftests(struct sc *s);
void sc_selective(struct sc *s);
void sc_sct(struct sc *s);
void sc_statistics(struct sc *s);
void sc_defects(struct sc *s);
void sc_phy(struct sc *s);
/* Temperature, hours and cycles, of the best of what stands in the other sections. */
void sc_summary(struct sc *s);
