# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside of the virtual machine: the real program, a real kernel, and drives of our own.
# shellcheck disable=SC2154 # $disk and $sim_pidN are set by sim_up
. "$top_srcdir/tests/vm/inside.sh"
exec >/run/out/tap 2>/run/out/errors
cd /run || exit 1
disk_cap=$top_srcdir/tests/captures/testdisk-all-pages.cap
ssd_cap=$top_srcdir/tests/captures/testdisk-ssd.cap

# ata_items FILE: what a drive returned, without the times.
ata_items()
{
	sed -n '/^item ata\//,$p' "$1" | sed '/^item sysfs/,/^end/d; s/ took_us=[0-9]*//; /^end/d'
}

seconds()
{
	cut -d. -f1 /proc/uptime
}

# --- everything, in few commands ----------------------------------------------------------------------
sim_up 0 "$disk_cap"
a=$disk
"$drivewhy" --trace capture "$a" >a.cap 2>trace
is "capture ends well" $? 0
"$drivewhy" capture "$disk_cap" >file.cap 2>/dev/null
ata_items a.cap >a.items
ata_items file.cap >file.items
cmp -s a.items file.items
ok "a drive that answers from a capture gives the same capture" $?
diff a.items file.items | sed 's/^/# /;10q'
[ "$(wc -l <log0)" -le 20 ]
ok "everything takes at most 20 commands" $?
echo "# $(wc -l <log0) commands; $(tail -n 1 trace)"
is "each is traced" "$(grep -c ' ms  [A-Z]' trace)" "$(wc -l <log0)"
if command -v smartctl >/dev/null 2>&1; then
	: >log0
	smartctl -x "/dev/$a" >smartctl.txt 2>&1
	echo "# smartctl -x: $(wc -l <log0) commands"
fi
"$drivewhy" --json "$a" >live.json 2>/dev/null
live=$?
"$drivewhy" --json "$disk_cap" >file.json 2>/dev/null
is "the verdict is that of the file: exit status" "$live" $?
is "and code" "$(grep -m 1 '"code"' live.json)" "$(grep -m 1 '"code"' file.json)"
setpriv --reuid=65534 --regid=65534 --clear-groups "$drivewhy" show "$a" >nobody 2>&1
is "without privilege: status" $? 3
has "without privilege: said" nobody "this needs root"

# --- for cron ------------------------------------------------------------------------------------------
: >log0
"$drivewhy" --state=/run/state check "$a" >first 2>&1
has "check: the first time the drive is new" first "is new here"
[ "$(wc -l <log0)" -ge 4 ] && [ "$(wc -l <log0)" -le 6 ]
ok "check: 4 to 6 commands" $?
"$drivewhy" --state=/run/state check "$a" >again 2>&1
is "check: nothing changed, nothing said" "$(cat again)" ""

# --- the link --------------------------------------------------------------------------------------------
: >log0
"$drivewhy" phy "$a" >phy 2>&1
is "phy: no fault" $? 0
is "a disk is asked whether it sleeps, then one page is read" "$(cat log0)" "CHECK POWER MODE
READ LOG DMA EXT 11h page 0, 1"
sim_up 1 "$ssd_cap" grow=1
b=$disk
"$drivewhy" phy "$b" >phy 2>&1
is "the link check of a solid state drive is one command" "$(cat log1)" \
	"READ LOG DMA EXT 11h page 0, 1"
"$drivewhy" capture "$b" >before 2>/dev/null
dd if="/dev/$b" of=/dev/null bs=4096 count=40 iflag=direct 2>/dev/null
"$drivewhy" capture "$b" >after 2>/dev/null
"$drivewhy" phy before after >grown 2>&1
is "counters that grow under load: warning" $? 1
has "counters that grow under load: said" grown "L01"
"$drivewhy" phy --reset-phy=saved "$b" >/dev/null 2>reset
has "a reset is one command more" log1 "then reset"
has "and the page is saved before" saved "item ata/log/11/00 ok"
"$drivewhy" phy "$b" >zero 2>&1
is "the counters are zero then" $? 0
: >log1
"$drivewhy" phy --reset-phy=saved "$b" >/dev/null 2>&1
hasnt "what cannot be saved is not reset" log1 "then reset"

# --- sleep ------------------------------------------------------------------------------------------------
sim_up 2 "$disk_cap"
c=$disk
sim_sleep 2
"$drivewhy" show "$c" >asleep 2>&1
is "a sleeping disk: partly read" $? 3
is "and not woken" "$(cat log2)" "CHECK POWER MODE"
has "and that is said" asleep "left asleep"
has "its name is known all the same" asleep "TESTDISK"
"$drivewhy" --wake capture "$c" >woken.cap 2>/dev/null
has "--wake wakes it" log2 "SPIN-UP"
has "and reads it" woken.cap "item ata/smart/data ok"
sim_up 3 "$ssd_cap"
sim_sleep 3
"$drivewhy" capture "$disk" >claims.cap 2>/dev/null
has "a solid state drive that claims to sleep is read" claims.cap "item ata/smart/data ok"

# --- reading ----------------------------------------------------------------------------------------------
# ms COMMAND...: how long it takes, the least of three: a busy host can only add to it.
ms()
{
	least=
	for _ in 1 2 3; do
		start=$(date +%s%N)
		"$@" >/dev/null 2>&1
		took=$((($(date +%s%N) - start) / 1000000))
		if [ -z "$least" ] || [ "$took" -lt "$least" ]; then least=$took; fi
	done
	echo "$least"
}
sim_up 5 "$disk_cap" bytes=1000204886016 slow=1000000-1007999:8000 bad=2000003-2000004 delay_us=100
is "its size is what it says" "$(cat "/sys/block/$disk/size")" 1953525168
slow=$(ms dd if="/dev/$disk" of=/dev/null bs=4k count=50 skip=125000 iflag=direct)
fast=$(ms dd if="/dev/$disk" of=/dev/null bs=4k count=50 skip=250001 iflag=direct)
[ "$slow" -ge 400 ] && [ "$fast" -lt "$slow" ]
ok "a slow zone is slow: 50 reads take $slow ms there, $fast ms elsewhere" $?
dd if="/dev/$disk" of=/dev/null bs=512 count=1 skip=2000003 iflag=direct 2>/dev/null
is "an LBA that cannot be read is not read" $? 1
dd if="/dev/$disk" of=/dev/null bs=512 count=1 skip=2000005 iflag=direct 2>/dev/null
is "the one behind it is" $? 0
sim_set 5 bad= slow= second=100:3000
dd if="/dev/$disk" of=/dev/null bs=512 count=1 skip=2000003 iflag=direct 2>/dev/null
is "and so is the first, when it is well" $? 0
slow=$(ms dd if="/dev/$disk" of=/dev/null bs=4k count=50 skip=250001 iflag=direct)
[ "$slow" -ge 150 ]
ok "the second mode: $slow ms" $?

# --- what bridges make of the registers ---------------------------------------------------------------------
sed 's/ata_lba=c24f00/ata_lba=2cf400/' "$disk_cap" >failing.cap
sim_up 4 failing.cap
for sense in descriptor descriptor-deferred fixed fixed-deferred fixed-old zero none half wrong ones; do
	sim_set 4 "sense=$sense"
	sim_set 0 "sense=$sense"
	"$drivewhy" --json show "$a" >"$sense.well" 2>/dev/null
	"$drivewhy" --json show "$disk" >"$sense.json" 2>/dev/null
	case $sense in
	zero | none | wrong | ones)
		hasnt "sense $sense: not healthy, not failing" "$sense.json" '"smart_passed"'
		has "sense $sense: no standby either" "$sense.json" '"model"'
		hasnt "sense $sense: nor another power mode" "$sense.json" '"power_mode"'
		hasnt "sense $sense: a drive that is well is not called so" "$sense.well" '"smart_passed"'
		;;
	*)
		has "sense $sense: the drive says that it fails" "$sense.json" '"smart_passed"'
		grep -A1 '"smart_passed"' "$sense.json" | grep -q false
		ok "sense $sense: and not that it is well" $?
		grep -A1 '"smart_passed"' "$sense.well" | grep -q true
		ok "sense $sense: one that is well says that" $?
		;;
	esac
done
