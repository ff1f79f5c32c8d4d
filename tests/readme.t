# SPDX-License-Identifier: GPL-2.0-or-later
# The README shows what the program really prints, and names what is really there.
# "make readme" writes the block anew.
set -u
work=$top_builddir/tests/readme.tmp
readme=$top_srcdir/README

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
cd "$top_srcdir" || exit 1

# result NUMBER WHAT COMPLAINTS
result()
{
	if [ -z "$3" ]; then
		echo "ok $1 - $2"
	else
		echo "$3" | sed 's/^/# /'
		echo "not ok $1 - $2"
	fi
}

echo 1..5

"$AWK" '/^-+$/ && length == 80 { inside = !inside; next } inside' "$readme" >"$work/shown"
command=$(sed -n 's/^    \$ build\/drivewhy //p' "$readme")
# shellcheck disable=SC2086 # the words of the command line
COLUMNS=80 "$top_builddir/drivewhy" $command >"$work/real" 2>&1
result 1 "the block of the README is the output of its command" \
	"$([ -s "$work/real" ] || echo "no output"; diff "$work/shown" "$work/real" ||
		echo "make readme writes it anew; read the difference first")"

result 2 "pages and folders that it names are there" "$(
	grep -oE 'drivewhy(-[a-z]+)?\([1-8]\)' "$readme" | sort -u | tr -d ')' | tr '(' '.' |
		while read -r page; do [ -f "man/$page" ] || echo "man/$page"; done
	for path in src/README COPYING quickstart $command; do [ -f "$path" ] || echo "$path"; done)"

result 3 "no line is wider than 100 columns" "$("$AWK" 'length > 100' "$readme")"

result 4 "src/README has a line for every room" "$(
	sed '/^#/d; s/ .*//' tests/layers.txt | while read -r room; do
		grep -q "^    $room  " src/README || echo "$room"
	done)"

result 5 "the README names every library that a build needs" "$(
	sed -n 's/^build .* pc:\(.*\)/\1/p' quickstart | sed 's/^lib//' | while read -r library; do
		grep -q "$library" "$readme" || echo "$library"
	done
	sed -n 's/^PKG_CHECK_MODULES(.*, \[\([a-z-]*\) .*/\1/p' configure.ac |
		while read -r module; do
			grep -q "pc:$module$" quickstart || echo "$module is not in quickstart"
		done)"
