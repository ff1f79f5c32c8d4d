/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision table: which cause sets the headline, and the one test that tells it from its rival. */
#pragma once

#include "judge/context.h"

/* Sorts the findings: the verdict first. */
void decision_sort(struct drive_report *r);
/* Names the best rival and the test that separates the two, where the verdict is not certain. */
void decision_add_test(struct judge *j);
/* Place in the table: lower is heard first. */
unsigned decision_rank(enum code code);
