# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside of the virtual machine: the whole diagnosis, probe included, of drives that are well and
# of drives that are slow in a way of their own.
. "$top_srcdir/tests/vm/inside.sh"
exec >/run/out/tap 2>/run/out/errors
cd /run || exit 1
well=$top_srcdir/tests/vm/probe-disk.cap
ssd=$top_srcdir/tests/vm/probe-830.cap
disk_speed="delay_us=800 jitter_percent=30 mib_us=2000 arms=4"

# verdict FILE: the code of the first finding.
verdict()
{
	sed -n 's/.*(\([A-Z][0-9][0-9]\)[,)].*/\1/p;' "$1" | head -n 1
}

# verdict_is WHAT FILE CODE STATUS
verdict_is()
{
	is "$1: verdict and status" "$(verdict "$2") $status" "$3 $4"
	[ "$(verdict "$2") $status" = "$3 $4" ] || sed 's/^/# /' "$2"
}

# why NAME DRIVE [OPTION]...: the report in NAME, its exit status in $status.
why()
{
	file=$1
	target=$2
	shift 2
	began=$(cut -d' ' -f1 /proc/uptime)
	"$drivewhy" --state=none --db="$top_srcdir/tests/vm/probe.hwdb" "$@" why "$target" >"$file" 2>"$file.err"
	status=$?
	echo "# $file: $(verdict "$file"), from $began to $(cut -d' ' -f1 /proc/uptime) s"
}

# --- a disk that is well ----------------------------------------------------------------------------------
# shellcheck disable=SC2086 # several words are meant
sim_up 0 "$well" $disk_speed
why healthy "$disk"
verdict_is "a disk that is well" healthy Z00 0
has "its reads were timed" healthy 'at random, one at a time'
grep -v 'IDENTIFY\|LOG\|SMART\|POWER' log0 >other
is "nothing but reads was sent beside the usual commands" "$(cat other)" ""

# the same disk, counters that rise while it is read
sim_set 0 "grow=40"
why link "$disk"
verdict_is "errors on the link under load" link L01 1
has "they were counted while it was read" link 'of the probe'
sim_set 0 "grow=0"

# and a part of it that reads slowly
sim_set 0 "slow=40000-47999:25000"
why zone "$disk" --deep
verdict_is "a slow zone" zone M05 1
has "it says which" zone 'zones .*2[0-4]'
sim_set 0 "slow="

# --- a read is timed from its start to its end ---------------------------------------------------------------
# Half of the reads take 50 ms, half 100 ms. What a busy machine adds can only make them longer, and would
# have to be 50 ms in most of them to hide the fast half.
if command -v jq >/dev/null 2>&1; then
	sim_set 0 delay_us=100000 jitter_percent=0 mib_us=0 slow=0-65535:50000
	"$drivewhy" --state=none probe --format=fio-json --name=a --filename="/dev/$disk" --rw=randread \
		--bs=4k --direct=1 --number_ios=40 2>/dev/null | sed -n '/^{/,$p' >two
	jq -r '.jobs[0].read | "# two halves: \(.clat_ns.min) to \(.clat_ns.max) ns, \(.total_ios) reads",
		(.clat_ns.percentile | "# \(."10.000000") and \(."90.000000")")' two
	jq -e '.jobs[0].read | .total_ios == 40 and .clat_ns.min >= 50e6 and
		.clat_ns.percentile["10.000000"] < 99e6 and .clat_ns.percentile["90.000000"] >= 99e6' \
		two >/dev/null
	ok "a drive of two speeds: no read is faster than the drive, and both halves are seen" $?
	sim_set 0 delay_us=800 mib_us=2000 "slow="
else
	n=$((n + 1))
	echo "ok $n - a drive of two speeds # SKIP jq is not there"
fi

# --- the slow new SSD of the thread, with the counters that its family never moves --------------------------
sim_up 1 "$ssd" delay_us=100 jitter_percent=30 arms=32 second=42:5900
why thread "$disk"
verdict_is "the slow SSD" thread D11 1
has "its constant counters are struck out" thread 'a table in the'
hasnt "no word of its cable but that it is good" thread 'Replug'

# --- sectors that cannot be read: a rotating drive is left alone then --------------------------------------
sim_set 0 "bad=0-131071"
why bad sda
verdict_is "unreadable sectors" bad M01 2
sim_set 0 "bad="

# --- what is asked for -------------------------------------------------------------------------------------
"$drivewhy" --state=none --no-probe why "$disk" >none 2>&1
hasnt "--no-probe: nothing is timed" none 'at random'
setpriv --reuid=65534 --regid=65534 --clear-groups "$drivewhy" probe "/dev/$disk" >nobody 2>&1
is "without privilege: status" $? 65
has "without privilege: said" nobody 'needs root'
sim_sleep 0
"$drivewhy" --state=none why sda >asleep 2>&1
is "a sleeping disk is not woken" "$(grep -c READ log0)" 0
echo "1..$n"
