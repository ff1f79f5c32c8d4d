# SPDX-License-Identifier: GPL-2.0-or-later
# The importer of smartctl's text against a second reader: over the reports of this folder, and over
# the large corpus where it is there, ten files a test.
set -u
. "$top_srcdir/tests/tap.sh"
started_often
corpus=${DRIVEWHY_SHARED:-$top_srcdir/../shared}/corpus/smartctl-text
here=$top_srcdir/tests/import
dump=$top_builddir/tests/import/dump-facts
n=0 all_facts=0

if [ -z "$PYTHON" ]; then
	echo "1..1"
	echo "ok 1 # SKIP no python3"
	exit 0
fi

# compare WHAT FILE...: one test; $all_facts grows by what was compared
compare() {
	what=$1
	shift
	n=$((n + 1))
	out=$("$PYTHON" -B "$here/compare.py" "$dump" "$@" 2>&1)
	r=$?
	facts=$(echo "$out" | sed -n 's/^\([0-9]*\) facts$/\1/p')
	all_facts=$((all_facts + ${facts:-0}))
	echo "$out" | grep -v ' facts$' | sed 's/^[^#]/# &/'
	[ $r -eq 0 ] || printf 'not '
	echo "ok $n - $what"
}

# A comparison of nothing with nothing would pass: so many facts there must have been.
at_least() {
	n=$((n + 1))
	[ $all_facts -gt "$1" ] || printf 'not '
	echo "ok $n - $all_facts facts were compared, more than $1"
}

compare 'reports in the sources' "$here"/smartctl-*.txt "$here"/example-*.txt \
	"$top_srcdir"/tests/cases/*.txt
at_least 1500
if [ -d "$corpus" ]; then
	set -- "$corpus"/*.txt
	while [ $# -ge 10 ]; do
		compare "ten files from ${1##*/}" "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "${10}"
		shift 10
	done
	[ $# -eq 0 ] || compare "the last files from ${1##*/}" "$@"
	at_least 70000
else
	n=$((n + 1))
	echo "ok $n # SKIP corpus not there"
fi
echo "1..$n"
