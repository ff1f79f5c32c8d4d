# SPDX-License-Identifier: GPL-2.0-or-later
# False alarms: over all published reports, every headline worse than a note stands in alarms.tsv, with
# words of that report that defend it; and no other does. A row is "FILE<tab>CODES<tab>WORDS": codes of the
# headlines worse than a note, one for each drive of the file.
set -u
. "$top_srcdir/tests/tap.sh"
started_often
shared=${DRIVEWHY_SHARED:-$top_srcdir/../shared}
corpus=$shared/corpus
list=$top_srcdir/tests/cases/alarms.tsv
[ -d "$corpus/smartctl-text" ] || { echo "1..0 # SKIP corpus not there"; exit 0; }
command -v jq >/dev/null || { echo "1..0 # SKIP no jq"; exit 0; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

for kind in smartctl-text smartctl-json; do
	mkdir "$work/$kind" || exit 99
	for file in "$corpus/$kind"/*; do
		"$top_builddir/drivewhy" --db-builtin-only --json "$file" 2>/dev/null </dev/null \
			>"$work/$kind/${file##*/}"
	done
done
(cd "$work" && jq -r '[.drives[].verdict
	| select(.severity == "warning" or .severity == "critical") | .code]
	| select(length > 0) | [input_filename, join(" ")] | @tsv' smartctl-*/*) | sort >"$work/now"
grep -v '^#' "$list" | cut -f1,2 | sort >"$work/listed"

echo 1..3
if diff "$work/listed" "$work/now" >"$work/diff"; then echo "ok 1 - no alarm but those that are listed"; else
	sed 's/^</# gone:/; s/^>/# new:/' "$work/diff"
	echo "not ok 1 - no alarm but those that are listed"
fi
bad=$(grep -v '^#' "$list" | while IFS='	' read -r file codes words; do
	[ -n "$words" ] && grep -qF -- "$words" "$corpus/$file" || echo "$file ($codes): \"$words\" does not stand in it"
done)
if [ -z "$bad" ]; then echo "ok 2 - each is defended by words of the report"; else
	echo "$bad" | sed 's/^/# /'; echo "not ok 2 - each is defended by words of the report"; fi
n=$(grep -vc '^#' "$list")
if [ "$n" -ge 50 ]; then echo "ok 3 - $n alarms were looked at"; else echo "not ok 3 - $n alarms were looked at"; fi
