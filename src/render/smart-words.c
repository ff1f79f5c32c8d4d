/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/smart-words.h"

#include <stdio.h>

#include "base/attrs.h"

const char *smart_offline_words(uint64_t status)
{
	static const char *const names[] = {
		"was never started",
		NULL,
		"was completed without error",
		"is in progress",
		"was suspended by an interrupting command from host",
		"was aborted by an interrupting command from host",
		"was aborted by the device with a fatal error",
	};
	uint64_t code = status & 0x7f;

	if (code < array_size(names) && names[code])
		return names[code];
	return code >= 0x40 ? "is in a Vendor Specific state" : "is in a Reserved state";
}

const char *smart_selftest_words(uint64_t status, char ret[40])
{
	static const char *const names[] = {
		"completed without error",
		"was aborted by the host",
		"was interrupted by the host with a reset",
		"could not complete due to a fatal or unknown error",
		"completed with error (unknown test element)",
		"completed with error (electrical test element)",
		"completed with error (servo/seek test element)",
		"completed with error (read test element)",
		"completed with error (handling damage?)",
	};
	uint64_t code = status >> 4;

	if (code < array_size(names))
		return names[code];
	if (code != 15)
		return NULL;
	(void)snprintf(ret, 40, "in progress, %u0%% remaining", (unsigned)(status & 15));
	return ret;
}

void smart_flag_letters(uint64_t flags, char ret[8])
{
	static const char letters[] = "POSRCK";
	size_t i;

	for (i = 0; i < sizeof(letters) - 1; i++)
		ret[i] = flags >> i & 1 ? letters[i] : '-';
	ret[i++] = flags >> 6 ? '+' : ' ';
	ret[i] = '\0';
}
