# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside of the virtual machine: checks of live drives, one after the other and two at once.
# shellcheck disable=SC2154 # $disk is set by sim_up
. "$top_srcdir/tests/vm/inside.sh"
exec >/run/out/tap 2>/run/out/errors
cd /run || exit 1
ssd_cap=$top_srcdir/tests/captures/testdisk-ssd.cap
disk_cap=$top_srcdir/tests/captures/testdisk-all-pages.cap
DRIVEWHY_STATE=/run/state
export DRIVEWHY_STATE

# check NAME WORD...: output in NAME, messages in NAME.err
check()
{
	out=$1
	shift
	"$drivewhy" check --config=none --db-builtin-only "$@" >"$out" 2>"$out.err"
}

sim_up 0 "$ssd_cap" grow=1
a=$disk
sim_up 1 "$disk_cap" unit=7
b=$disk
: >log0
: >log1
check first
[ $? -lt 64 ]
ok "a check of all drives" $?
has "they are new" first "is new here"
is "both of them" "$(grep -c 'is new here' first)" 2
[ "$(wc -l <log1)" -le 6 ]
ok "at most six commands a drive" $?
sed 's/^/# /' log1
check second
is "nothing changed: silence" "$(cat second)" ""

dd if="/dev/$a" of=/dev/null bs=4096 count=40 iflag=direct 2>/dev/null
check rise
has "a rise is told" rise "link errors since .*001h +40"
hasnt "and of this drive alone" rise "^$b"
"$drivewhy" phy "$a" >phy 2>phy.err
has "phy uses the same history" phy "since .*: +0; before: +40"

sim_sleep 1
: >log1
check asleep
is "a drive that sleeps is no news" "$(cat asleep)" ""
is "and it is asked nothing else" "$(cat log1)" "CHECK POWER MODE"

# two at once: the drive takes half a second for each command
sim_set 0 ata_us=500000
check one "$a" &
pid=$!
sleep 1
check two "$a"
is "two at once: the second cannot tell" $? 3
has "and leaves it to the first" two.err "another run looks at it"
check three
hasnt "a check of all does not call it gone" three "is gone"
wait "$pid"
hasnt "which does its work" one.err "another run"
sim_set 0 ata_us=0

sim_set 0 'hang=IDENTIFY' hang_ms=8000
check hangs "$a" --deadline=2
[ $? -ge 1 ]
ok "one that hangs is not fine" $?
sim_set 0 'hang=' hang_ms=0
sleep 7

"$drivewhy" history "$a" --csv >csv 2>csv.err
has "the history is looked up by the device" csv "phy\[001\].value"
"$drivewhy" ack "$a" L01 >ack 2>&1
has "a finding is accepted" ack "accepted until it grows"

echo 1 >"/sys/block/$b/device/delete"
sleep 0.5
check gone
has "a drive that was taken out is gone" gone "is gone"
