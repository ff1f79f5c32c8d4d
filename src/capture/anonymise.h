/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "capture/capture.h"

/*
 * Replace serial numbers, WWNs and the names of users and hosts by pseudonyms: in pages (and mend
 * the checksums of those touched), in facts, in text and wherever else one that is told in one
 * place is met again. A pseudonym has the shape of its original and depends on it and KEY alone,
 * so that the same drive keeps it, within a capture and between captures with the same key; of
 * a WWN the maker stays. Placeholders (none, XXXX, --) stay. A KEY that others know lets them try
 * originals: use a random one.
 *
 * 0, -ENOMEM, or -E2BIG when there are more than 65,536 of a kind; then the capture is not
 * anonymous and must not be handed out.
 */
int capture_anonymise(struct capture *c, uint64_t key) must_check;
