#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the drive database costs: the smallest command beside lookups, with the built-in records,
# with 10,000 more, and with an installed smartmontools. Reports, never judges.
#
#   ROUNDS=51 tests/bench/drivedb.sh BUILD_FOLDER
set -u
build=$1
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT

# Records as the built-in ones are: two patterns, four properties, none for the model asked for.
awk 'BEGIN {
	for (i = 0; i < 10000; i++)
		printf "# Source: made up\nata:mnMADE UP %05d*:fw*:\nata:mnMADEUP%05dX*:fw*:\n" \
			" FAMILY=Made up %d\n CLASS=ssd-sata\n ATTR_199_MEANS=ignore\n" \
			" EXPECT_SEQ_MB_S=500\n\n", i, i, i
}' >"$work/many.hwdb"
# The file alone, without the work of another 10,000 records.
printf '# Source: made up\nata:mnMADE UP:fw*:\n FAMILY=Made up\n' >"$work/one.hwdb"

"$build/tests/bench/alternate" "${ROUNDS:-51}" \
	"--version" "$build/drivewhy" --version -- \
	"lookup" "$build/drivewhy" --db-builtin-only db lookup 'WDC WD40EFRX-68N32N0' -- \
	"lookup, 1 record more" "$build/drivewhy" --db-builtin-only --db "$work/one.hwdb" \
	db lookup 'WDC WD40EFRX-68N32N0' -- \
	"lookup, 10,000 more" "$build/drivewhy" --db-builtin-only --db "$work/many.hwdb" \
	db lookup 'WDC WD40EFRX-68N32N0' -- \
	"lookup, with drivedb.h" "$build/drivewhy" db lookup 'WDC WD40EFRX-68N32N0'
