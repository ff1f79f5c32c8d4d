# SPDX-License-Identifier: GPL-2.0-or-later
# explain prints the entries of drivewhy-findings(7); --version names the database by its content.
set -u
program=$top_builddir/drivewhy
page=$top_srcdir/man/drivewhy-findings.7
work=$top_builddir/tests/explain.tmp
. "$top_srcdir/tests/tap.sh"
started_often

mkdir -p "$work" || exit 99
trap 'rm -rf "$work"' EXIT

words() {
	tr -s ' \n' '\n\n' | tr -d '\n'
}

echo 1..5

# The page without its macros, and what is printed without its labels, are the same words.
result "the first sentence of each entry" "$(
	sed -n 's/\\&//g; s/^\.It Sy \([A-Z][0-9]*\) .*/\1/p' "$page" | while read -r code; do
		want=$(sed -n "/^\\.It Sy $code /,/^\\.\\(It\\|El\\)/p" "$page" | sed -n 2p | words)
		"$program" explain "$code" | sed 1d | sed 's/^  Means  / /' | words |
			grep -qF -- "$want" || echo "$code"
	done)"
result "each says what would confirm it" "$(
	"$program" explain | while read -r code _; do
		"$program" explain "$code" | grep -q '^  Confirmed  ' || echo "$code"
	done)"
result "titles, other names, and no macro left" "$(
	"$program" explain s05 | grep -q '^L01  Link errors between drive and host (note at least); also called S05$' || echo S05
	"$program" explain | while read -r code _; do
		"$program" explain "$code" | grep -E '^\.|\\&| (Xr|Pq|Cm|Ql) '
	done)"
result "lines keep to the width" "$(
	for code in L05 D11 M08; do
		COLUMNS=60 "$program" explain $code | awk -v c=$code 'length > 60 { print c ": " $0 }'
	done)"

printf '# Source: test\nata:mnTESTDISK*:fw*:\n FAMILY=Test\n' >"$work/test.hwdb"
files=$(sed -n '/^drivedb_files/,/[^\\]$/s/^\t\(db[^ ]*\).*/\1/p' "$top_srcdir/src/drivedb/Makemodule.am")
want=$(cd "$top_srcdir" && cat $files | sha256sum | cut -c1-16)
added=$(sha256sum <"$work/test.hwdb" | cut -c1-16)
result "--version names the records by their content" "$(
	"$program" --version --db-builtin-only --db="$work/test.hwdb" >"$work/version"
	grep -qE "^db [0-9]{4}\.[0-9]{2} sha256:$want\$" "$work/version" || echo "built in: not $want"
	grep -qF "test.hwdb sha256:$added" "$work/version" || echo "added: not $added")"
