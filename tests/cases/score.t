# SPDX-License-Identifier: GPL-2.0-or-later
# The judge on cases whose cause is known, against the committed table score.tsv ("sh tests/cases/score.sh
# PROGRAM labelled further reserve" writes it anew). What must hold is stated here; how it changed against
# another commit says compare-score.sh.
set -u
command -v jq >/dev/null || { echo "1..0 # SKIP no jq"; exit 0; }
here=$top_srcdir/tests/cases
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "$top_srcdir/tests/tap.sh"
started_often

score() { # directory
	sh "$here/score.sh" "$top_builddir/drivewhy" "$here/$1" >"$work/$1.tsv"
}

count() { # directory awk-condition
	awk -F'\t' "!/^#/ && ($2) { n++ } END { print n + 0 }" "$work/$1.tsv"
}

at_least() { [ "$1" -ge "$2" ] || { echo "# $1, not $2"; return 1; }; }

for dir in labelled further reserve; do score $dir; done
cat "$work/labelled.tsv" "$work/further.tsv" "$work/reserve.tsv" | grep -v '^#' | cut -f1-5 >"$work/now"
grep -v '^#' "$here/score.tsv" | cut -f1-5 >"$work/then"

echo 1..7
ok "the table is the one that is committed" diff "$work/then" "$work/now"
ok "28 of the 30 labelled cases are accepted" at_least "$(count labelled '$2 == "accepted"')" 28
ok "no headline of them is wrong" [ "$(count labelled '$2 == "wrong"')" = 0 ]
ok "no strong or certain one is anything but accepted" \
	[ "$(count labelled '$4 ~ /strong|certain/ && $2 != "accepted"')" = 0 ]
right=$(count labelled '$2 == "accepted"')
ok "a third of those that are right are strong or certain" \
	at_least "$((3 * $(count labelled '$4 ~ /strong|certain/ && $2 == "accepted"')))" "$right"
ok "30 further cases and more" at_least "$(($(count further 1) + $(count reserve 1)))" 30
ok "none of these is wrong with strong or certain words" \
	[ "$(($(count further '$4 ~ /strong|certain/ && $2 == "wrong"') + $(count reserve '$4 ~ /strong|certain/ && $2 == "wrong"')))" = 0 ]
