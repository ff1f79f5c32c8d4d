# SPDX-License-Identifier: GPL-2.0-or-later
# Runs inside of QEMU: drives behind a real libata, which knows only a part of what a real one does.
# shellcheck disable=SC1091
. /inside.sh
exec 2>/run/errors
cd /run || exit 1
drivewhy=/bin/drivewhy
wait_for 20 test -b /dev/sda
wait_for 10 test -b /dev/nvme0n1
wait_for 10 test -b /dev/sdb

# --- what /sys says -------------------------------------------------------------------------------------
$drivewhy list >list
is "list: no fault" $? 0
has "list: the drive, on a SATA port" list '^sda .*sata .*ata1'
has "list: the speed of its link" list '^sda .*1\.5'
has "list: NVMe" list '^nvme0n1 .*nvme'

# --- what libata makes of the end of a command ------------------------------------------------------------
timed_out=$(cat /sys/block/sda/device/iotmo_cnt)
ask /dev/sda >asked
is "libata counts each refused command as one that timed out, which none did" \
	"$(($(cat /sys/block/sda/device/iotmo_cnt) - timed_out))" 3
sed 's/^/# /' asked
has "data-in" asked '^IDENTIFY DEVICE: ok,.* 512 bytes'
has "registers of a success: CHECK POWER MODE" asked '^CHECK POWER MODE: ok, status 5[0-9a-f] error 00 count ff'
has "registers of a success: SMART RETURN STATUS" asked '^SMART RETURN STATUS: ok, status 5[0-9a-f] error 00 .*lba c24f00'
has "a success has descriptor sense" asked '^CHECK POWER MODE: .*sense 72 01 00 1d'
has "a refused command: its registers" asked '^READ LOG EXT 11h page 0, 1: Input/output error, status 4[1-9] error 04'
has "DMA too" asked '^READ LOG DMA EXT 11h page 0, 1: Input/output error, status 4[1-9] error 04'
has "a failure has fixed sense" asked '^READ LOG EXT 11h page 0, 1: .*sense [7f]0'

# --- reading ------------------------------------------------------------------------------------------------
$drivewhy --trace capture sda >sda.cap 2>trace
is "a drive that knows little is read" $? 0
sed -n 's/^sda: /# &/p' trace
hasnt "nothing is asked that it does not announce" sda.cap '^item ata.* failed'
hasnt "nor refused" sda.cap '^item ata.* unsupported error=EIO'
has "SMART data" sda.cap '^item ata/smart/data ok'
has "SMART status" sda.cap '^item ata/smart/status ok.*ata_lba=c24f00'
has "the port's files" sda.cap '^item sysfs/.*sata_spd'
[ "$(grep -c ' ms  [A-Z]' trace)" -le 20 ]
ok "in at most 20 commands" $?
$drivewhy --json show sda >show.json
is "show: all could be read" $? 0
grep -A1 '"smart_passed"' show.json | grep -q true
ok "the drive says that it is well" $?
has "its power mode is known" show.json '"power_mode"'
has "its port is known" show.json '"ata1"'
$drivewhy phy sda >phy
is "phy: no counters, so it cannot tell" $? 3
$drivewhy --markdown sda >/dev/null
[ $? -le 3 ]
ok "the diagnosis comes to an end" $?

# --- what is no ATA drive -------------------------------------------------------------------------------------
# without a probe: the reads of an emulated machine do stall
$drivewhy --no-probe nvme0n1 >nvme 2>&1
has "NVMe: not read as ATA" nvme 'no ATA'
has "NVMe: the line that brings its data in" nvme 'smartctl'
$drivewhy capture sdb >scsi.cap 2>scsi
[ $? -eq 3 ] || [ $? -eq 65 ]
ok "a SCSI disk is not read as ATA" $?
$drivewhy >all 2>&1
[ $? -le 3 ]
ok "without a target: all that are ATA" $?
has "sda is" all '1\. sda'
has "the others are named" all 'nvme0n1: .*no ATA'

# --- self-tests -------------------------------------------------------------------------------------------------
$drivewhy selftest sda short >selftest
is "a self-test starts" $? 0
$drivewhy selftest sda >state
has "and its state is known" state '[Ss]elf-test'

# --- a sector that cannot be read ---------------------------------------------------------------------------------
before=$(cat /sys/block/sda/device/ioerr_cnt)
dd if=/dev/sda of=/dev/null bs=4096 count=1 skip=1000 iflag=direct 2>/dev/null
is "an error of the medium reaches the reader" $? 1
after=$(cat /sys/block/sda/device/ioerr_cnt)
[ $((after)) -gt $((before)) ]
ok "and libata counts it: $before, $after" $?
$drivewhy --json list >list.json
has "and list shows it" list.json '"commands_failed": *[1-9]'
$drivewhy capture sda >after.cap 2>/dev/null
is "the drive is read all the same" $? 0
echo "1..$n"
