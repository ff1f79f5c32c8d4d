# SPDX-License-Identifier: GPL-2.0-or-later
# Rules are not fitted to the cases they are scored on: every limit has a source or is marked as
# proposed, and no model, figure or phrase of a labelled case stands in the rules.
set -u
judge=$top_srcdir/src/judge
words=$top_srcdir/tests/cases/labelled/words.txt
. "$top_srcdir/tests/tap.sh"

echo 1..5
rows=$(grep -c '^LIMIT(' "$judge/limits.def")
result "limits are there" "$([ "$rows" -ge 50 ] || echo "$rows rows")"

result "every limit is measured, quoted with a source, or marked as proposed" "$(
	grep '^LIMIT(' "$judge/limits.def" |
		grep -vE '^LIMIT\([A-Z0-9_]+, +[0-9]+, +(MEASURED|QUOTED), +"[^"]+", "[^"]{4,}"\)$' |
		grep -vE '^LIMIT\([A-Z0-9_]+, +[0-9]+, +PROPOSED, +"[^"]+", "[^"]*"\)$')"

result "every limit is used, and none is defined elsewhere" "$(
	sed -n 's/^LIMIT(\([A-Z0-9_]*\),.*/LIMIT_\1/p' "$judge/limits.def" | while read -r name; do
		cat "$judge"/*.c | grep -q "\<$name\>" || echo "$name is used nowhere"
	done
	grep -nE '#define [A-Z_0-9]+ +[0-9]{2,}' "$judge"/rule-*.c |
		grep -vE ' (SECTOR|ZONE_SHOWN)\b')"

result "no model or phrase of a labelled case stands in a rule" "$(
	sed -n 's/^word //p' "$words" | while read -r word; do
		grep -nF -- "$word" "$judge"/*.[ch] "$judge"/*.def | sed "s|^$top_srcdir/||"
	done)"

result "no figure of a labelled case is a limit without another source" "$(
	sed -n 's/^figure //p' "$words" | while read -r figure; do
		grep -E "^LIMIT\([A-Z0-9_]+, +$figure, +PROPOSED," "$judge/limits.def"
	done)"
