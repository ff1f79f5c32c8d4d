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

# verdict_is WHAT FILE CODE
verdict_is()
{
	is "$1: verdict" "$(verdict "$2")" "$3"
	[ "$(verdict "$2")" = "$3" ] || sed 's/^/# /' "$2"
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
is "a disk that is well: status" "$status" 0
verdict_is "a disk that is well" healthy Z00
has "its reads were timed" healthy 'randread 4 KiB'
grep -v 'IDENTIFY\|LOG\|SMART\|POWER' log0 >other
is "nothing but reads was sent beside the usual commands" "$(cat other)" ""

# the same disk, counters that rise while it is read
sim_set 0 "grow=40"
why link "$disk"
is "errors on the link under load: status" "$status" 1
verdict_is "errors on the link under load" link L01
has "they were counted while it was read" link 'of the probe'
sim_set 0 "grow=0"

# and a part of it that reads slowly
sim_set 0 "slow=40000-47999:25000"
why zone "$disk" --deep
is "a slow zone: status" "$status" 1
verdict_is "a slow zone" zone M05
has "it says which" zone 'zones .*2[0-4]'
sim_set 0 "slow="

# one sector that cannot be read: a rotating drive is left alone then
sim_set 0 "bad=0-131071"
why bad "$disk"
is "unreadable sectors: status" "$status" 2
verdict_is "unreadable sectors" bad M01
"$drivewhy" --state=none capture "$disk" >/dev/null 2>&1
sim_set 0 "bad="

# --- the slow new SSD of the thread, with the counters that its family never moves --------------------------
sim_up 1 "$ssd" delay_us=100 jitter_percent=30 arms=32 second=42:5900
why thread "$disk"
is "the slow SSD: status" "$status" 1
verdict_is "the slow SSD" thread D11
has "its constant counters are struck out" thread 'a table in the'
hasnt "no word of its cable but that it is good" thread 'Replug'

# --- what is asked for -------------------------------------------------------------------------------------
"$drivewhy" --state=none --no-probe why "$disk" >none 2>&1
hasnt "--no-probe: nothing is timed" none 'randread'
setpriv --reuid=65534 --regid=65534 --clear-groups "$drivewhy" probe "/dev/$disk" >nobody 2>&1
is "without privilege: status" $? 65
has "without privilege: said" nobody 'needs root'
sim_sleep 0
"$drivewhy" --state=none why sda >asleep 2>&1
is "a sleeping disk is not woken" "$(grep -c READ log0)" 0
echo "1..$n"
