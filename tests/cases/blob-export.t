# SPDX-License-Identifier: GPL-2.0-or-later
# Pages as libatasmart's blob, out and in again; skdump(1) reads it where it is there.
set -u
program=$top_builddir/drivewhy
work=$top_builddir/tests/blob-export.tmp
corpus=${DRIVEWHY_SHARED:-$top_srcdir/../shared}/corpus/skdump-blobs
. "$top_srcdir/tests/tap.sh"

mkdir -p "$work" || exit 99
trap 'rm -rf "$work"' EXIT

# Records one a line; their order is free.
sorted() {
	od -An -v -tx1 "$1" | tr -d ' \n' |
		sed 's/49444659/\n&/g; s/534d4454/\n&/g; s/534d5448/\n&/g; s/534d5354/\n&/g' | sort
}

"$top_builddir/tests/peer/make-drives" "$work" || echo "Bail out! no drives"
"$program" capture --format=skdump "$work/12/drive.cap" >"$work/blob"
result "four records" "$([ "$(wc -c <"$work/blob")" -eq $((3 * 520 + 12)) ] || wc -c "$work/blob")"
result "the same pages when it is read" "$(
	"$program" capture "$work/blob" | "$program" capture --format=skdump - | cmp - "$work/blob" 2>&1
	for page in identify smart-data smart-thresholds; do
		od -An -v -tx1 "$work/12/ata-$page" | tr -d ' \n' >"$work/want"
		od -An -v -tx1 "$work/blob" | tr -d ' \n' | grep -qF -- "$(cat "$work/want")" || echo "$page"
	done)"
"$program" capture --format=skdump "$work/12/drive.cap" "$work/00/drive.cap" >"$work/two" 2>/dev/null
result "not of two drives" "$([ $? -eq 64 ] && [ ! -s "$work/two" ] || echo wrong)"
"$program" capture --format=skdump "$top_srcdir/tests/cases/clean.txt" >"$work/two" 2>/dev/null
result "not of text" "$([ $? -eq 3 ] && [ ! -s "$work/two" ] || echo wrong)"
"$program" show --format=skdump "$work/12/drive.cap" >/dev/null 2>&1
result "not of a report" "$([ $? -eq 64 ] || echo wrong)"
if command -v skdump >/dev/null 2>&1; then
	result "skdump reads it" "$(skdump --load="$work/blob" | grep -q '^Model: \[TESTDISK 1TB\]$' || echo no)"
else
	n=$((n + 1))
	echo "ok $n # SKIP no skdump"
fi
if [ -d "$corpus" ]; then
	result "published dumps with all records come back as they are" "$(
		for blob in "$corpus"/*; do
			"$program" capture --format=skdump "$blob" >"$work/out" 2>/dev/null || continue
			sorted "$blob" >"$work/a"
			sorted "$work/out" >"$work/b"
			cmp -s "$work/a" "$work/b" || echo "${blob##*/}"
			echo "${blob##*/}" >>"$work/done"
		done
		[ "$(wc -l <"$work/done")" -ge 15 ] || echo "only $(wc -l <"$work/done")")"
else
	n=$((n + 1))
	echo "ok $n # SKIP corpus not there"
fi
echo "1..$n"
