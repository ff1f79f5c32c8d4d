# SPDX-License-Identifier: GPL-2.0-or-later
# The manual knows every code, command, option and exit status of the program, and no others.
set -u
work=$top_builddir/tests/man.tmp
program=$top_builddir/drivewhy
page=$top_srcdir/man/drivewhy.8
. "$top_srcdir/tests/tap.sh"

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# same WHAT PROGRAM MANUAL: both files hold the same lines, and some.
same()
{
	sort -u "$2" >"$2.sorted"
	sort -u "$3" >"$3.sorted"
	result "$1" "$([ -s "$2" ] || echo "nothing to compare with"
		diff "$2.sorted" "$3.sorted" | sed -n 's/^</only the program:/p; s/^>/only the manual:/p')"
}

# status WANT ARGUMENT...: complain if the program ends with another exit status.
status()
{
	want=$1
	shift
	"$program" "$@" >/dev/null 2>&1 </dev/null
	got=$?
	[ "$got" -eq "$want" ] || echo "drivewhy $*: exit status $got, not $want"
}

echo 1..8

pages=$(echo "$top_srcdir"/man/*.[1-8])
if command -v mandoc >/dev/null 2>&1; then
	# shellcheck disable=SC2086
	result "mandoc finds nothing to warn of" "$(mandoc -Tlint -Wwarning $pages 2>&1)"
else
	n=1
	echo "ok 1 # SKIP mandoc is not there"
fi

sed -n 's/^CODE(\([A-Z0-9]*\),[^"]*"\(.*\)").*/\1 \2/p' "$top_srcdir/src/model/codes.def" \
	>"$work/codes"
sed -n 's/\\&//g; s/^\.It Sy \([A-Z][0-9]*\) /\1 /p' "$top_srcdir/man/drivewhy-findings.7" \
	>"$work/entries"
same "drivewhy-findings(7) has the codes and titles" "$work/codes" "$work/entries"

"$program" --help >"$work/help"
grep -oE -- '--[a-z][a-z-]+' "$work/help" >"$work/options"
grep -oE '^\.It .*Fl -[a-z][a-z-]+' "$page" | sed 's/.*Fl -/--/' >"$work/manual-options"
same "drivewhy(8) has the options" "$work/options" "$work/manual-options"

sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/help" >"$work/commands"
sed -n '/^\.Ss Commands/,/^\.Ss Options/s/^\.It Cm \([a-z]*\).*/\1/p' "$page" \
	>"$work/manual-commands"
same "drivewhy(8) has the commands" "$work/commands" "$work/manual-commands"

sed -n 's/^.*EXIT_[A-Z_]* = \([0-9]*\).*/\1/p' "$top_srcdir/src/cmd/options.h" >"$work/statuses"
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/s/^\.It \([0-9]*\)$/\1/p' "$page" \
	>"$work/manual-statuses"
same "drivewhy(8) has the exit statuses" "$work/statuses" "$work/manual-statuses"

head -c 4096 /dev/zero >"$work/zeros"
: >"$work/empty"
result "commands and errors end as the manual says" "$(
	status 0 --help
	status 0 --version
	status 0 explain
	status 0 explain Z00
	status 0 db lookup "SAMSUNG SSD 830 Series"
	status 0 db lint
	status 1 "$top_srcdir/tests/import/example-slow-ssd.txt"
	status 64 phy --reset-phy
	status 64 --no-such-option
	status 64 explain X99
	status 65 "$work/zeros"
	status 65 "$work/empty"
	status 65 /proc
	status 66 "$work/no-such-file")"

result "every page is installed" "$(
	for file in $pages; do
		grep -q "man/${file##*/}" "$top_srcdir/man/Makemodule.am" || echo "$file"
	done)"

# shellcheck disable=SC2086
result "pages refer to pages that are there" "$(
	sed -n 's/^\.[PIX].* *Xr \(drivewhy[a-z-]*\) \([1-8]\).*/\1.\2/p
		s/^\.Xr \(drivewhy[a-z-]*\) \([1-8]\).*/\1.\2/p' $pages | sort -u |
		while read -r name; do [ -f "$top_srcdir/man/$name" ] || echo "$name"; done)"
