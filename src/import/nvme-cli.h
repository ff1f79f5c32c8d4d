/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nvme-cli prints as text and as JSON, under one name each. */
#pragma once

#include "import/posted.h"

#define NVME_SECTION "nvme"
#define NVME_MAX     200u

enum nvme_form {
	NVME_KNOWN,
	NVME_COUNT,   /* 36,417,206 (18.65 TB) */
	NVME_PERCENT, /* 3% */
	NVME_KELVIN,  /* 38 C (311 Kelvin); JSON: 311 */
	NVME_HEX,     /* 0x144d */
	NVME_TEXT,
};

struct nvme_key {
	const char *names[3]; /* small letters, all else as one "_" */
	enum nvme_form form;
	enum fact_id id, and_id; /* and_id: 0 for none */
};

/* The tables end with a row without names. */
extern const struct nvme_key nvme_health[], nvme_controller[];

const struct nvme_key *nvme_find(const struct nvme_key *keys, const char *name);
/* "Temperature Sensor 1" as "temperature_sensor_1" */
void nvme_normalise(const char *s, size_t len, char *ret, size_t size);
/* The number of "temperature_sensor_2", 0 when NAME is something else. */
uint32_t nvme_sensor(const char *name);
void nvme_put(struct emit *e, const struct nvme_key *k, uint64_t u, size_t line);
void nvme_put_celsius(struct emit *e, enum fact_id id, uint32_t i, uint64_t kelvin,
		      size_t line);

/* Objects that turn out to be damaged are tried only so many times a text. */
#define NVME_TRIES 32u
/*
 * nvme-cli-json.c: the object that starts at INDEX, if it is nvme-cli's. RET_END is the line behind
 * it. Returns how many drives it told of.
 */
int nvme_read_json(struct import *im, size_t index, unsigned *tries, size_t *ret_end);
/* One line of "nvme list" as facts. */
struct nvme_listed {
	const char *device, *serial, *model, *firmware;
	uint64_t bytes, sector; /* 0: not known exactly */
};
int nvme_put_listed(struct import *im, const struct nvme_listed *d, size_t line);
