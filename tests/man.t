# SPDX-License-Identifier: GPL-2.0-or-later
# The manual knows every code, option and exit status that the program knows, and no others.
set -u
work=$top_builddir/tests/man.tmp
n=0

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# result WHAT COMPLAINTS: one test, failed if there are complaints.
result()
{
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "$2" | sed 's/^/# /'
		echo "not ok $n - $1"
	fi
}

echo 1..4

pages=$(echo "$top_srcdir"/man/*.[1-8])
if command -v mandoc >/dev/null 2>&1; then
	# shellcheck disable=SC2086
	result "mandoc finds nothing to warn of" "$(mandoc -Tlint -Wwarning $pages 2>&1)"
else
	n=1
	echo "ok 1 # SKIP mandoc is not there"
fi

sed -n 's/^CODE(\([A-Z0-9]*\),[^"]*"\(.*\)").*/\1 \2/p' "$top_srcdir/src/model/codes.def" |
	sort >"$work/codes"
sed -n 's/^\.It Sy \([A-Z][0-9][0-9]\) /\1 /p' "$top_srcdir/man/drivewhy-findings.7" |
	sed 's/\\&//g' | sort >"$work/entries"
result "there are codes to look for" "$([ "$(wc -l <"$work/codes")" -gt 10 ] || echo none)"
result "drivewhy-findings(7) has an entry with the title of every code" \
	"$(comm -23 "$work/codes" "$work/entries")"

result "every page is installed" "$(
	for page in $pages; do
		grep -q "man/${page##*/}" "$top_srcdir/man/Makemodule.am" || echo "$page"
	done)"
