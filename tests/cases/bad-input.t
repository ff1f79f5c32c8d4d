# SPDX-License-Identifier: GPL-2.0-or-later
# Files that are no report at all, and reports cut anywhere: no crash, no hunger for memory, a message
# that names the file and the place.
set -u
. "$top_srcdir/tests/tap.sh"
started_often
shared=${DRIVEWHY_SHARED:-$top_srcdir/../shared}
drivewhy=$top_builddir/drivewhy
measured=$top_builddir/tests/cases/measured
report=$shared/corpus/smartctl-text/x71-pdefects-ST10000DM0004-1ZC101-269486.txt
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
limit_kib=65536
# whose shadow and quarantine outweigh the program
sanitized=$(grep -l __asan_init "$drivewhy")

result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

run() {
	"$measured" "$tmp/peak" "$drivewhy" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# A sanitizer ends the program with 1, which is also an answer: look for its words too.
is_sound() {
	[ $status -lt 128 ] && ! grep -q 'Sanitizer\|runtime error\|Assertion' "$tmp/err"
}

# refused FILE WHAT PLACE: exit status 65 and a message with the name and the place
refused() {
	run "$tmp/$1"
	{ is_sound && [ $status -eq 65 ]; } || sed "s/^/# status $status: /;5q" "$tmp/err"
	is_sound && [ $status -eq 65 ]
	result $? "$2: refused with 65"
	grep -q "$1" "$tmp/err" && grep -q "$3" "$tmp/err"
	r=$?
	[ $r -eq 0 ] || sed 's/^/# /;5q' "$tmp/err"
	result $r "$2: the message names the file and the place"
	in_memory "$2"
}

in_memory() {
	peak=$(cat "$tmp/peak")
	if [ -n "$sanitized" ]; then
		n=$((n + 1))
		echo "ok $n - $1: memory # SKIP a sanitized build"
		return
	fi
	[ "$peak" -le $limit_kib ]
	result $? "$1: $peak KiB of memory"
}

: >"$tmp/empty.txt"
refused empty.txt 'an empty file' empty
head -c 4096 "$drivewhy" >"$tmp/binary.bin"
refused binary.bin 'a binary' 'byte [0-9]'
truncate -s 1G "$tmp/zeros.img"
refused zeros.img 'a gigabyte of zeros' 'byte\|larger\|too large\|MiB'
awk 'BEGIN { for (i = 0; i < 640; i++) s = s "smartctl 7.3 "; for (i = 0; i < 1260; i++) printf "%s", s }' \
	>"$tmp/line.txt"
run "$tmp/line.txt"
is_sound && case $status in 0 | 1 | 2 | 3 | 65) true ;; *) false ;; esac
result $? "one line of 10 MB: status $status"
grep -q 'line.txt' "$tmp/err" "$tmp/out"
result $? "one line of 10 MB: the message names the file"
in_memory 'one line of 10 MB'
run "$tmp/none.txt"
[ $status -eq 66 ]
result $? "a file that is not there: status $status"

# cut LENGTH: the report up to there
cut_at() {
	head -c "$1" "$report" >"$tmp/cut.txt"
	run "$tmp/cut.txt"
	is_sound && case $status in 0 | 1 | 2 | 3 | 65) return 0 ;; esac
	echo "# cut at byte $1: status $status"
	sed 's/^/# /;5q' "$tmp/err"
	return 1
}

cut_all() {
	bad=0 places=0
	for place in $1; do
		cut_at "$place" || bad=1
		places=$((places + 1))
	done
	[ $bad -eq 0 ] && [ $places -ge "$2" ]
	result $? "$3 ($places places)"
}

if [ -f "$report" ]; then
	# every line that starts a section: the first behind an empty line
	cut_all "$("$AWK" '{ if (blank && NF) print at; blank = !NF; at += length($0) + 1 }' "$report")" \
		15 'cut before every section'
	cut_all "$("$AWK" -v size="$(wc -c <"$report")" 'BEGIN {
		x = 12345
		for (i = 0; i < 200; i++) { x = (x * 16807) % 2147483647; print x % size }
	}')" 200 'cut anywhere'
else
	result 0 'cut reports # SKIP corpus not there'
fi
echo "1..$n"
