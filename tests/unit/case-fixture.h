/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A judged case from a few lines of facts, for the tests of decode and judge. */
#pragma once

#include "capture/capture.h"
#include "decode/decode.h"
#include "judge/judge.h"

struct fixture {
	struct diag diag;
	struct capture capture;
	struct drivedb *db;
	struct case_file the_case;
	struct report report;
};

/* Each text is the facts/... item of one drive's snapshot; NULL ends the list. */
void fixture_judge(struct fixture *f, const char *const *drives);
/* The same with database records instead of the built-in ones ("" for none). */
void fixture_judge_db(struct fixture *f, const char *const *drives, const char *records);
void fixture_done(struct fixture *f);

/* The finding with this code on the first drive, or NULL. */
const struct finding *fixture_finding(const struct fixture *f, enum code code);
/* Trust of a phy event counter of the first drive; fails the test when there is none. */
const struct phy_counter *fixture_phy(const struct fixture *f, uint32_t id);
/* Whether any text of the list holds the words. */
bool fixture_has(const struct evidence_list *list, const char *words);
