/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats-families.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attrs.h"

static const uint32_t fio_ppm[] = { 10000,  50000,  100000, 200000, 300000, 400000,
				    500000, 600000, 700000, 800000, 900000, 950000,
				    990000, 995000, 999000, 999500, 999900 };

void job_post(const struct histogram *h, bool rows, struct job *ret)
{
	static const unsigned edges[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000 };
	double n = (double)h->n_total, below = 0;

	ret->in = (struct coarse_input){ .quantiles = ret->quantile,
					 .n_quantiles = array_size(fio_ppm),
					 .buckets = ret->bucket,
					 .n_total = h->n_total,
					 .min_ns = h->min_ns,
					 .max_ns = h->max_ns };
	for (size_t i = 0; i < array_size(fio_ppm); i++) {
		ret->quantile[i].ppm = fio_ppm[i];
		if (!histogram_quantile(h, fio_ppm[i], &ret->quantile[i].ns))
			return;
	}
	for (uint64_t unit = 1; rows && unit <= 1000000; unit *= 1000) {
		for (size_t i = 0; i < array_size(edges); i++) {
			double to = (double)histogram_count_below(h, edges[i] * unit);
			double share = (to - below) / n;

			if (share > 0)
				ret->bucket[ret->in.n_buckets++] = (struct coarse_bucket){
					edges[i] * unit,
					share < 1e-4 ? 100
						     : (uint32_t)lrint(share * 1e4) * 100
				};
			below = to;
		}
	}
}

double job_value_ns(const struct coarse *c, double share)
{
	return coarse_quantile_estimate(c, share);
}

static uint64_t unit_ns(const char *line)
{
	if (strstr(line, "(nsec)"))
		return 1;
	return strstr(line, "(usec)") ? 1000 : 1000000;
}

/* "| 1.00th=[   68],  5.00th=[ ..." */
static void take_percentiles(struct job *j, const char *line, uint64_t unit)
{
	for (const char *p = strstr(line, "th=["); p; p = strstr(p + 4, "th=[")) {
		const char *number = p;

		while (number > line && strchr("0123456789.", number[-1]))
			number--;
		if (j->in.n_quantiles < COARSE_MAX_INPUT)
			j->quantile[j->in.n_quantiles++] = (struct coarse_quantile){
				(uint32_t)lrint(strtod(number, NULL) * 1e4),
				strtoull(p + 4, NULL, 10) * unit
			};
	}
}

/* "lat (usec) : 20=0.01%, ..., >=2000=0.01%" */
static void take_rows(struct job *j, const char *line, uint64_t unit)
{
	for (const char *p = strchr(line, '='); p; p = strchr(p + 1, '=')) {
		const char *number = p;

		while (number > line && strchr("0123456789", number[-1]))
			number--;
		/* the first sign of ">=2000=" has no number before it */
		if (number < p && j->in.n_buckets < COARSE_MAX_INPUT)
			j->bucket[j->in.n_buckets++] = (struct coarse_bucket){
				number[-1] == '=' ? COARSE_OPEN_NS
						  : strtoull(number, NULL, 10) * unit,
				(uint32_t)lrint(strtod(p + 1, NULL) * 1e4)
			};
	}
}

static bool is_job_complete(const struct job *j)
{
	return j->in.n_quantiles >= 10 && j->in.n_buckets > 0;
}

static uint64_t total_of(const char *line)
{
	uint64_t total = 0;

	/* read, write, trim: the sum, since the benchmark does not ask which */
	line = strstr(line, "total=");
	for (int i = 0; line && i < 3; i++) {
		line += strcspn(line, "0123456789");
		total += strtoull(line, NULL, 10);
		line += strspn(line, "0123456789");
	}
	return total;
}

static size_t read_file(const char *path, const char *name, struct job *ret, size_t max)
{
	cleanup_file FILE *f = fopen(path, "r");
	struct job j = { 0 };
	uint64_t unit = 1000;
	char line[4096];
	size_t n = 0;

	while (f && n < max && fgets(line, sizeof(line), f)) {
		if (strstr(line, "(groupid=")) {
			j = (struct job){ 0 };
			(void)snprintf(j.name, sizeof(j.name), "%.60s", name);
		} else if (strstr(line, "percentiles (")) {
			unit = unit_ns(line);
		} else if (strstr(line, "th=[")) {
			take_percentiles(&j, line, unit);
		} else if (strstr(line, " lat (") && strchr(line, '%')) {
			take_rows(&j, strchr(line, ':'), unit_ns(line));
		} else if (strstr(line, "issued") && is_job_complete(&j)) {
			j.in.n_total = total_of(line);
			ret[n] = j;
			ret[n].in.quantiles = ret[n].quantile;
			ret[n].in.buckets = ret[n].bucket;
			n++;
			j = (struct job){ 0 };
		}
	}
	return n;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_text(const struct dirent *e)
{
	const char *end = strrchr(e->d_name, '.');

	return end && !strcmp(end, ".txt");
}

size_t jobs_read(const char *folder, struct job *ret, size_t max)
{
	struct dirent **list = NULL;
	int files = scandir(folder, &list, is_text, by_name);
	size_t n = 0;

	for (int i = 0; i < files; i++) {
		char path[4096];

		(void)snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name);
		n += read_file(path, list[i]->d_name, ret + n, max - n);
		free(list[i]);
	}
	free(list);
	return n;
}
