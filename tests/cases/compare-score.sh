#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How the scores changed against another commit (its parent if none is named): builds nothing, compares the
# committed tables. Ends with 1 when a case that was accepted is not any more, or one became wrong.
#
#   tests/cases/compare-score.sh [COMMIT]
set -u
top=$(git rev-parse --show-toplevel) || exit 70
other=${1:-HEAD^}
table=tests/cases/score.tsv
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
git -C "$top" show "$other:$table" >"$work/then" 2>/dev/null || {
	echo "$other has no $table: nothing to compare with"
	exit 0
}
awk -F'\t' '
	/^#/ { next }
	NR == FNR { mark[$1] = $2; code[$1] = $3 " " $4; next }
	{
		now[$2]++
		if (!($1 in mark)) { print $1 ": new, " $2 " (" $3 " " $4 ")"; next }
		if (mark[$1] != $2 || code[$1] != $3 " " $4)
			print $1 ": " mark[$1] " (" code[$1] ") -> " $2 " (" $3 " " $4 ")"
		if (mark[$1] == "accepted" && $2 != "accepted") worse++
		if (mark[$1] != "wrong" && $2 == "wrong") worse++
	}
	END {
		printf "accepted %d, top two %d, wrong %d, missed %d\n", now["accepted"], now["top-two"], now["wrong"], now["miss"]
		exit worse > 0
	}' "$work/then" "$top/$table"
