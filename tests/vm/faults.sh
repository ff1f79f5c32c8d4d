# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside of the virtual machine: drives that hang, vanish, know little, and test themselves.
# shellcheck disable=SC2154 # $disk and $sim_pidN are set by sim_up
. "$top_srcdir/tests/vm/inside.sh"
exec >/run/out/tap 2>/run/out/errors
cd /run || exit 1
disk_cap=$top_srcdir/tests/captures/testdisk-all-pages.cap
ssd_cap=$top_srcdir/tests/captures/testdisk-ssd.cap

ms()
{
	awk '{ print int($1 * 1000) }' /proc/uptime
}

# --- paths that know little ------------------------------------------------------------------------------
sim_up 0 "$disk_cap" no_16=1
first=$disk
"$drivewhy" capture "$disk" >no16.cap 2>/dev/null
has "12 bytes where 16 are not known" no16.cap "item ata/smart/data ok"
has "then there are no 48-bit logs" no16.cap "item ata/log/11/00 unsupported"
sim_set 0 no_16=0 no_ext=1
"$drivewhy" capture "$disk" >noext.cap 2>/dev/null
has "no 48-bit commands: what is left is read" noext.cap "item ata/smart/data ok"
has "no 48-bit commands: the short self-test log is asked for" log0 "SMART READ LOG 06h"

sim_set 0 no_ext=0 no_16=1 no_12=1
"$drivewhy" capture "$disk" >form32.cap 2>/dev/null
is "neither 16 nor 12 bytes: 32 carry it" $? 0
has "48-bit commands too" form32.cap "item ata/log/11/00 ok"
hasnt "and nothing is lost" form32.cap "^item ata.* \\(failed\\|unsupported\\)"
sim_set 0 no_32=1
"$drivewhy" capture "$disk" >none.cap 2>none.err
is "no form at all: partly read" $? 3
has "and that is said" none.err "no ATA commands reach this drive"
is "the drive saw nothing of it" "$(cat log0)" ""
sim_set 0 no_16=0 no_12=0 no_32=0 no_dma=1
"$drivewhy" capture "$disk" >nodma.cap 2>/dev/null
is "logs by DMA fail" $? 0
is "that is tried once" "$(grep -c "READ LOG DMA EXT" log0)" 1
has "then they are read by PIO" nodma.cap "item ata/log/04/00 ok"
sim_set 0 no_dma=0

# --- hanging -----------------------------------------------------------------------------------------------
sim_up 1 "$ssd_cap"
well=$disk
sim_up 2 "$ssd_cap" "hang=DATA" hang_ms=15000
hung=$disk
start=$(ms)
"$drivewhy" --deadline=1 capture "$hung" >hung.cap 2>hung.err
is "a drive that hangs: partly read" $? 3
took=$(($(ms) - start))
[ $took -lt 14000 ]
ok "its deadline holds: $took ms" $?
has "what was read before is there" hung.cap "item ata/log/11/00 ok"
has "and what it hung on" hung.cap "item ata/smart/data failed error=ETIMEDOUT"
has "and that is said" hung.err "stopped answering"
start=$(ms)
"$drivewhy" --deadline=1 capture "$hung" 2>/dev/null | cat >/dev/null
took=$(($(ms) - start))
[ $took -lt 14000 ]
ok "nothing that waits for the program waits for the drive: $took ms" $?

start=$(ms)
"$drivewhy" --deadline=1 --trace capture "$hung" "$well" >two.cap 2>two.err
took=$(($(ms) - start))
[ $took -lt 14000 ]
ok "two drives side by side: $took ms" $?
grep "^$well:.*commands" two.err >well.trace
is "the one that is well is read wholly" "$(grep -c '^item ata/smart/thresholds ok' two.cap)" 1
echo "# $(cat well.trace)"

# --- Ctrl-C ----------------------------------------------------------------------------------------------------
sim_set 1 hang=STATUS hang_ms=20000
disk=$well
# A busy machine needs its time to come so far: what disturbs waits for what it disturbs.
export top_srcdir top_builddir
cat >stop.sh <<X
trap - INT
exec "$drivewhy" capture "$disk" >/run/stopped.cap 2>/run/stopped.err
X
start=$(ms)
script -qec ". $top_srcdir/tests/vm/inside.sh; sh /run/stop.sh & p=\$!; wait_for 60 grep -q STATUS log1; kill -INT \$p; wait \$p; echo status=\$?" \
	/run/typescript </dev/null >/dev/null 2>&1
took=$(($(ms) - start))
has "Ctrl-C: what is known is printed" stopped.cap "item ata/log/11/00 ok"
has "Ctrl-C: status 130" typescript "status=130"
[ $took -lt 19000 ]
ok "Ctrl-C: at once, $took ms" $?

# --- vanishing -----------------------------------------------------------------------------------------------
sim_up 3 "$ssd_cap" hang=THRESHOLDS hang_ms=3000
(
	wait_for 60 grep -q THRESHOLDS log3
	echo 1 >"/sys/block/$disk/device/delete"
) &
start=$(ms)
"$drivewhy" --deadline=10 capture "$disk" >gone.cap 2>gone.err
is "a drive that vanishes: partly read" $? 3
took=$(($(ms) - start))
[ $took -lt 9000 ]
ok "and not waited for: $took ms" $?
has "what was read before is there" gone.cap "item ata/smart/data ok"
"$drivewhy" capture "$disk" >/dev/null 2>&1
is "then it is no drive" $? 66

# --- self-tests -----------------------------------------------------------------------------------------------
# Long enough that none ends by itself, however slow the machine is, but where the end is waited for.
sim_set 0 selftest_ms=600000
disk=$first
"$drivewhy" selftest "$disk" short >test1
is "a self-test starts" $? 0
has "and says how long it takes" test1 "2 minutes"
has "in the background" log0 "EXECUTE OFF-LINE 01h"
"$drivewhy" selftest "$disk" long >test2
is "a second one does not start" $? 3
has "and the first goes on" test2 "running already"
"$drivewhy" --json selftest "$disk" >test3
has "its state as JSON" test3 '"state": *"running"'
"$drivewhy" selftest "$disk" abort >test4
is "it is aborted" $? 0
has "by a command" log0 "EXECUTE OFF-LINE 7Fh"
"$drivewhy" selftest "$disk" selective,0-99,1000-1999 >test5
has "spans are written before a selective test" log0 "SMART WRITE LOG 09h"
"$drivewhy" selftest "$disk" abort >/dev/null
"$drivewhy" selftest "$disk" selective,0-999999999999 >test6
is "a span behind the end is refused" $? 3
sim_set 0 selftest_ms=3000
script -qec "$drivewhy selftest $disk short" typescript </dev/null >/dev/null 2>&1
has "on a terminal there is a bar" typescript '#-'
has "until the test has ended" typescript 'ended: passed'
sim_set 0 selftest_ms=600000
cat >follow.sh <<X
"$drivewhy" selftest "$disk" long & p=\$!
. "$top_srcdir/tests/vm/inside.sh"
wait_for 60 grep -q '[0-9] %' typescript; kill -INT \$p; wait \$p; echo status=\$?
X
script -qfec "sh -i /run/follow.sh" typescript </dev/null >/dev/null 2>&1
has "Ctrl-C leaves it running and says so" typescript "The test goes on in the drive"
has "with status 130" typescript "status=130"
"$drivewhy" --json selftest "$disk" >test7
has "it does run" test7 '"state": *"running"'
hasnt "never captive" log0 "EXECUTE OFF-LINE 8"
