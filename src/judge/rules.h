/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All families of causes, each a file; their order is decided in decision.c. */
#pragma once

#include "judge/context.h"

extern const struct rule rules_path[], rules_disk[], rules_ssd[], rules_usb[],
	rules_hba[], rules_pcie[], rules_config[], rules_past[], rules_silent[],
	rules_sleep[], rules_link_speed[], rules_sas[], rules_nvme[];

/* A fact of the drive, or of the host when the case has no second drive it could belong to. */
const struct fact *rules_fact(const struct judge *j, enum fact_id id);
const char *rules_text(const struct judge *j, enum fact_id id);
uint64_t rules_number(const struct judge *j, enum fact_id id); /* 0 when absent */
/* Rise between the first and the last reading, of the drive or the host; false without two. */
bool rules_rise(const struct judge *j, enum fact_id id, int64_t *ret);
bool rules_is_usb(const struct judge *j);
bool rules_is_nvme(const struct judge *j);
/* Its transport is told, and is not SAS: parallel SCSI, Fibre Channel. */
bool rules_is_without_sas(const struct judge *j);
bool rules_is_member(const struct judge *j); /* of an array or pool */
/* Unreadable sectors by anybody's word. */
bool rules_has_media_trouble(const struct judge *j);
/* The controller is one of ATI or of AMD's chipsets. */
bool rules_is_ati(const struct judge *j);
/* An option of the kernel's command line. */
bool rules_has_option(const struct judge *j, const char *option);
/* Already found, with at least this severity. */
bool rules_found(const struct judge *j, enum code code, enum severity least);
