/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drives are read side by side, and each asks the same database. */
#include "unit.h"

#include <pthread.h>
#include <string.h>

#include "base/diag.h"
#include "drivedb/drivedb.h"

#define THREADS 16
#define ROUNDS	20
#define MODELS	21

static const char *const models[MODELS] = {
	"SAMSUNG SSD 830 Series",
	"Samsung SSD 850 EVO 500GB",
	"Samsung SSD 870 EVO 1TB",
	"INTEL SSDSC2CW240A3",
	"INTEL SSDSA2M080G2GC",
	"Crucial_CT256MX100SSD1",
	"CT1000BX500SSD1",
	"KINGSTON SA400S37480G",
	"SanDisk SDSSDHII960G",
	"TOSHIBA THNSNJ256GCSU",
	"ST4000DM000-1F2168",
	"ST8000NM0055-1RM112",
	"WDC WD40EFRX-68N32N0",
	"WDC WD10EADS-00L5B1",
	"HGST HUS726040ALA610",
	"Hitachi HDS723020BLA642",
	"TOSHIBA MG04ACA400E",
	"SAMSUNG HD103SJ",
	"OCZ-VERTEX2",
	"Micron_5100_MTFDDAK960TCC",
	"no such drive",
};

static struct drivedb *db;
static pthread_barrier_t start;

/* All that is said of these drives, as one number each. */
static void look_up(size_t first, uint64_t sums[MODELS])
{
	for (size_t i = 0; i < MODELS; i++) {
		size_t k = (first + i) % MODELS;
		struct drive_id id = { .bus = "ata", .model = models[k] };
		struct db_match m = { 0 };

		sums[k] = 1;
		if (drivedb_match(db, &id, &m) < 0)
			continue;
		for (size_t p = 0; p < m.n; p++)
			for (const char *c = m.items[p].value; *c; c++)
				sums[k] = sums[k] * 31 + (uint8_t)*c;
		db_match_done(&m);
	}
}

static uint64_t found[THREADS][MODELS];

static void *thread(void *argument)
{
	size_t n = *(const size_t *)argument;

	(void)pthread_barrier_wait(&start);
	look_up(n, found[n]);
	return NULL;
}

static void threads_find_what_one_finds(void **state)
{
	uint64_t alone[MODELS];
	pthread_t threads[THREADS];
	size_t numbers[THREADS];

	(void)state;
	db = drivedb_new(NULL);
	assert_non_null(db);
	look_up(0, alone);
	drivedb_free(db);
	for (unsigned round = 0; round < ROUNDS; round++) {
		db = drivedb_new(NULL);
		assert_non_null(db);
		(void)pthread_barrier_init(&start, NULL, THREADS);
		for (size_t i = 0; i < THREADS; i++) {
			numbers[i] = i;
			assert_int_equal(
				pthread_create(&threads[i], NULL, thread, &numbers[i]),
				0);
		}
		for (size_t i = 0; i < THREADS; i++)
			(void)pthread_join(threads[i], NULL);
		(void)pthread_barrier_destroy(&start);
		drivedb_free(db);
		for (size_t i = 0; i < THREADS; i++)
			assert_memory_equal(found[i], alone, sizeof(alone));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_find_what_one_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
