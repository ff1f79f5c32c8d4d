# SPDX-License-Identifier: GPL-2.0-or-later
# The importers of smartctl's SCSI and NVMe text and of its JSON against a second reader: over the
# reports of this folder, and over the large corpus where it is there.
set -u
corpus=${DRIVEWHY_SHARED:-$top_srcdir/../shared}/corpus
here=$top_srcdir/tests/import
dump=$top_builddir/tests/import/dump-facts
n=0

if [ -z "$PYTHON" ]; then
	echo "1..1"
	echo "ok 1 # SKIP no python3"
	exit 0
fi

# compare WHAT LEAST FILE...: no difference, and more than LEAST facts were compared
compare() {
	what=$1
	least=$2
	shift 2
	n=$((n + 1))
	out=$("$PYTHON" -B "$here/compare-other.py" "$dump" "$@" 2>&1)
	r=$?
	facts=$(echo "$out" | sed -n 's/^\([0-9]*\) facts$/\1/p')
	echo "$out" | grep -v ' facts$' | sed 's/^[^#]/# &/'
	[ $r -eq 0 ] && [ "${facts:-0}" -gt "$least" ] || printf 'not '
	echo "ok $n - $what: ${facts:-0} facts, more than $least"
}

compare 'reports in the sources' 290 "$here"/smartctl-s*.txt "$here"/smartctl-nvme*.txt \
	"$here"/smartctl-*.json
if [ -d "$corpus" ]; then
	# shellcheck disable=SC2046
	compare 'text of the corpus' 900 $(grep -lE \
		'NVMe|Error counter log|grown defect|SMART Health Status|Transport protocol' \
		"$corpus"/smartctl-text/*)
	compare 'JSON of the corpus' 5400 "$corpus"/smartctl-json/*.json
else
	n=$((n + 1))
	echo "ok $n # SKIP corpus not there"
fi
echo "1..$n"
