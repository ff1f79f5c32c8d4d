/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Without libFuzzer a fuzz entry is a plain program: it runs every file of the folders named on
 * the command line, or of tests/fuzz/corpus/NAME (NAME from its own name "fuzz-NAME"), through
 * LLVMFuzzerTestOneInput(), then cuts and flips each of them in fixed ways.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t runs;

static void run_copy(const uint8_t *data, size_t size)
{
	/* an exact copy on the heap, so that a read beyond its end is seen */
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		exit(1);
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	runs++;
}

static void run_variants(uint8_t *data, size_t size)
{
	uint32_t random = 12345;

	run_copy(data, size);
	for (int i = 0; i < 24 && size; i++) {
		size_t at;
		uint8_t old;

		random = random * 1664525u + 1013904223u;
		at = (random >> 4) % size;
		run_copy(data, at);
		old = data[at];
		data[at] ^= (uint8_t)(1u << (random >> 29));
		run_copy(data, size);
		data[at] = old;
	}
}

static int run_file(const char *path)
{
	static uint8_t data[1u << 20];
	FILE *f = fopen(path, "rb");
	size_t size;

	if (!f) {
		perror(path);
		return 1;
	}
	size = fread(data, 1, sizeof(data), f);
	(void)fclose(f);
	run_variants(data, size);
	return 0;
}

static int run_folder(const char *folder)
{
	DIR *d = opendir(folder);
	int bad = 0;

	if (!d) {
		perror(folder);
		return 1;
	}
	for (struct dirent *e = readdir(d); e; e = readdir(d)) {
		char path[4096];

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		bad |= run_file(path);
	}
	(void)closedir(d);
	return bad;
}

int main(int argc, char **argv)
{
	const char *src = getenv("top_srcdir"), *name = strstr(argv[0], "fuzz-");
	char folder[4096];
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;

		bad |= stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode)
			       ? run_folder(argv[i])
			       : run_file(argv[i]);
	}
	if (argc == 1) {
		(void)snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s",
			       src ? src : ".", name ? name + 5 : "");
		bad = run_folder(folder);
	}
	(void)printf("1..1\n%sok 1 - %zu inputs\n", bad || !runs ? "not " : "", runs);
	return bad || !runs;
}
