# SPDX-License-Identifier: GPL-2.0-or-later
# drivewhy probe of files, as a person calls it: what it says, how it ends, and that it ends.
set -u
program=$top_builddir/drivewhy
work=$top_builddir/tests/probe.tmp
n=0
DRIVEWHY_STATE=none
export DRIVEWHY_STATE

mkdir -p "$work" || exit 1
trap 'chmod -R u+rw "$work"; rm -rf "$work"' EXIT

# ok WHAT STATUS [FILE]: one test; FILE is shown when it failed.
ok()
{
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		[ $# -lt 3 ] || sed 's/^/# /' "$3"
		echo "not ok $n - $1"
	fi
}

# probe STATUS WHAT ARGUMENT...: ends so; output in $work/out
probe()
{
	want=$1
	what=$2
	shift 2
	"$program" --state=none probe "$@" >"$work/out" 2>&1 </dev/null
	got=$?
	[ "$got" -eq "$want" ] || echo "status $got, not $want" >>"$work/out"
	[ "$got" -eq "$want" ]
	ok "$what: status $want" $? "$work/out"
}

said()
{
	grep -q -- "$2" "$work/out"
	ok "$1" $? "$work/out"
}

dd if=/dev/urandom of="$work/file" bs=65536 count=512 2>/dev/null && sync "$work/file" || exit 1
before=$(stat -c '%X %Y %Z' "$work/file")
probe 0 "a file" "$work/file"
said "it is named" "$work/file"
said "its reads are told" 'random, one at a time:'
said "what was not tested too" 'Not tested'
[ "$(grep -c 'random, one at a time:' "$work/out")" -eq 1 ]
ok "each is told once" $? "$work/out"
[ "$before" = "$(stat -c '%X %Y %Z' "$work/file")" ]
ok "its times are as they were" $?

probe 0 "nobody looked first" --no-preflight "$work/file"
said "which is said" 'no-preflight'
probe 0 "through the page cache" --buffered "$work/file"
said "which is said" 'memory'
probe 0 "pauses" --idle --no-preflight "$work/file"
said "they are told" 'after a pause of 0 ms'

truncate -s 64M "$work/hole"
probe 65 "a file that stores nothing" "$work/hole"
said "which is said" 'nothing stored'
: >"$work/empty"
probe 65 "an empty file" "$work/empty"
probe 65 "neither a file nor a disk" /dev/null
probe 66 "nothing of that name" "$work/nothing"
probe 64 "no target"
head -c 8192 /dev/urandom >"$work/small" && sync "$work/small"
probe 0 "a file of two blocks" "$work/small"
said "it was read" 'random, one at a time:'

# JSON: what was read, with the histogram's percentiles
"$program" --state=none --json probe --no-preflight "$work/file" >"$work/out" 2>/dev/null
if command -v jq >/dev/null 2>&1; then
	jq -e '[.drives[0].reads[] | select(.pattern == "randread" and .depth == 1)][0] |
		.ios > 100 and .latency_ns.percentile["50"] > 0' "$work/out" >/dev/null 2>&1
	ok "JSON has the reads" $?
else
	n=$((n + 1))
	echo "ok $n - JSON has the reads # SKIP jq is not there"
fi

# Ctrl-C: the result so far, at once
"$program" --state=none probe --deep --link "$work/file" >"$work/out" 2>&1 &
pid=$!
sleep 2
kill -INT $pid
wait $pid
got=$?
# a shell starts what is in the background with SIGINT ignored: then it goes on to its end
if [ $got -ne 130 ] && command -v setsid >/dev/null 2>&1 && [ -n "$PYTHON" ]; then
	"$PYTHON" - "$program" "$work/file" >"$work/out" 2>&1 <<'END'
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
p = subprocess.Popen([sys.argv[1], "--state=none", "probe", "--deep", "--link", sys.argv[2]])
time.sleep(2)
p.send_signal(signal.SIGINT)
sys.exit(p.wait())
END
	got=$?
fi
[ $got -eq 130 ]
ok "Ctrl-C: status 130" $? "$work/out"
said "with what was read so far" 'random, one at a time:'
said "and that it was stopped" 'stopped'
echo "1..$n"
