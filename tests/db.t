# SPDX-License-Identifier: GPL-2.0-or-later
# drivewhy-db(5) knows every key and every word of the vocabulary, and no others; every record
# file is built in, in the order of its name.
set -u
work=$top_builddir/tests/db.tmp
. "$top_srcdir/tests/tap.sh"

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

page=$top_srcdir/man/drivewhy-db.5
echo 1..9

sed -n 's/^DBKEY("\([^"]*\)".*/\1/p' "$top_srcdir/src/drivedb/keys.def" | sort >"$work/keys"
sed -n 's/^\.It Sy \([A-Z0-9_#%]*\) Ns .*/\1/p' "$page" | sort >"$work/entries"
result "there are keys to look for" "$([ "$(wc -l <"$work/keys")" -gt 30 ] || echo none)"
result "the manual has an entry for every key" "$(comm -23 "$work/keys" "$work/entries")"
result "the manual has no entry for a key that is none" \
	"$(comm -13 "$work/keys" "$work/entries")"

# the tables of words in keys.c: "raw8", "100-value" and so on
"$AWK" '/db_formats\[\]|db_froms\[\]|db_ways\[\]/ { on = 1 }
	on { while (match($0, /"[^"]+"/)) {
		print substr($0, RSTART + 1, RLENGTH - 2)
		$0 = substr($0, RSTART + RLENGTH) } }
	/NULL/ { on = 0 }' "$top_srcdir/src/drivedb/keys.c" >"$work/words"
result "the manual names every format and place" "$(
	[ "$(wc -l <"$work/words")" -gt 20 ] || echo "no words found"
	while read -r word; do
		grep '^\.Cm' "$page" | tr ' ' '\n' | grep -qxF -e "$word" || echo "$word"
	done <"$work/words")"

sed -n 's/^	\(db\/[^ ]*\.hwdb\).*/\1/p' "$top_srcdir/src/drivedb/Makemodule.am" >"$work/listed"
result "every file of db/ is built in" "$(
	cd "$top_srcdir" && for file in db/*.hwdb; do
		grep -qxF "$file" "$work/listed" || echo "$file"
	done)"
result "the files are listed in the order of their names" \
	"$(sort "$work/listed" | diff - "$work/listed")"

# hints are what nobody proved: a rule that used one would make an alarm of hearsay
result "no rule reads a hint" \
	"$(grep -n 'FACT_HINT_[SORM]' "$top_srcdir"/src/judge/*.c "$top_srcdir"/src/decode/reads.c)"
# keys that only the transport or a wide class needs are no facts of a drive
result "every figure and hint of a record becomes a fact" "$(
	grep -E '^(EXPECT|FLOOR|HINT)_' "$work/keys" | while read -r key; do
		grep -q "{ \"$key\", FACT_" "$top_srcdir/src/decode/expectation.c" ||
			echo "$key"
	done)"

# what nobody can look up is a fault, and one is not "1 faults"
printf 'ata:mnFOO*:fw*:\n FAMILY=Foo\n CLASS=ssd-sata\n' >"$work/bare.hwdb"
result "a record without a source is one fault, and its line is named" "$(
	"$top_builddir/drivewhy" --db-builtin-only --db "$work/bare.hwdb" db lint >"$work/out" 2>"$work/err"
	[ $? -eq 65 ] || echo "status"
	grep -q ': 1 fault$' "$work/out" || cat "$work/out"
	grep -q "bare.hwdb:1: .*Source:" "$work/err" || cat "$work/err")"
