# SPDX-License-Identifier: GPL-2.0-or-later
# The same bytes twice: "drivewhy show --format=smartctl-json" and "smartctl -x --json" give the same
# document, but for json-differences.txt. Simulated drives, and blobs where they are at hand.
set -u
. "$top_srcdir/tests/tap.sh"
started_often
here=$top_srcdir/tests/peer
work=$top_builddir/tests/same-json.tmp
corpus=${DRIVEWHY_SHARED:-$top_srcdir/../shared}/corpus
n=0

need smartctl "${PYTHON:-python3}"
case $(smartctl --version | sed -n 's/^smartctl \([0-9.]*\).*/\1/p') in
7.[3-9]*) ;;
*)
	echo "1..0 # SKIP smartctl 7.3 or newer is not there"
	exit 0
	;;
esac
mkdir -p "$work" || exit 99
trap 'rm -rf "$work"' EXIT

result() { # WHAT FILE: passed if nothing but the first line is in it
	n=$((n + 1))
	sed 's/^/# /' "$2"
	if [ "$(wc -l <"$2")" -eq 1 ] && grep -q '^[1-9][0-9]* same' "$2"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
	fi
}

# theirs FOLDER: what smartctl makes of the pages in it
theirs() {
	FAKE_SATA=$1 LD_PRELOAD=$top_builddir/tests/peer/fake-sata.so smartctl -x --json \
		-l xerror,64,error -l xselftest,64,selftest -l defects,100 -d sat /dev/null
}

same() { # NAME FOLDER INPUT WHAT
	"$top_builddir/drivewhy" show --format=smartctl-json "$3" >"$2/ours.json" 2>"$2/err"
	ours_status=$?
	theirs "$2" >"$2/theirs.json"
	theirs_status=$?
	"$PYTHON" "$here/same-json.py" "$here/json-differences.txt" "$2/ours.json" \
		"$2/theirs.json" "$1" >"$2/result" 2>&1
	[ $ours_status -eq 0 ] || echo "drivewhy ended with $ours_status" >>"$2/result"
	"$top_builddir/drivewhy" show --exit=smartctl "$3" >/dev/null 2>&1
	ours_status=$?
	# smartctl takes SCT status for the answer of SMART RETURN STATUS, see json-differences.txt
	case $1 in
	07 | 11 | 15) ;;
	*) [ $((ours_status & 248)) -eq $((theirs_status & 248)) ] ||
		echo "exit $ours_status, not $theirs_status" >>"$2/result" ;;
	esac
	result "$4" "$2/result"
}

"$top_builddir/tests/peer/make-drives" "$work" || echo "Bail out! no drives"
for drive in "$work"/[0-9]*; do
	same "${drive##*/}" "$drive" "$drive/drive.cap" "simulated drive ${drive##*/}"
done

if [ -d "$corpus/skdump-blobs" ]; then
	for blob in "$corpus"/skdump-blobs/*; do
		folder=$work/blob-${blob##*/}
		mkdir "$folder" && "$PYTHON" "$here/blob-pages.py" "$blob" "$folder" || continue
		same "blob-${blob##*/}" "$folder" "$blob" "blob ${blob##*/}"
	done
else
	n=$((n + 1))
	echo "ok $n # SKIP blobs: corpus not there"
fi

# Names and types as smartctl's: those of the documents above, and of what people have posted.
n=$((n + 1))
set -- "$work"/*/theirs.json
if [ -d "$corpus/smartctl-json" ]; then
	mkdir "$work/nvme"
	"$top_builddir/drivewhy" show --format=smartctl-json \
		"$top_srcdir/tests/import/smartctl-nvme-x.txt" >"$work/nvme/ours.json" 2>/dev/null
fi
[ -d "$corpus/smartctl-json" ] && set -- "$@" "$corpus"/smartctl-json/*.json
if "$PYTHON" "$here/json-names.py" "$work" "$@"; then
	echo "ok $n - no name or type that is not smartctl's"
else
	echo "not ok $n - no name or type that is not smartctl's"
fi
echo "1..$n"
