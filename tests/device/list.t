# SPDX-License-Identifier: GPL-2.0-or-later
# drivewhy list on trees of /sys made here, shaped as libata, usb-storage, mpt3sas, megaraid_sas and
# nvme make them (Documentation/ABI/testing/sysfs-ata and the drivers' own folders).
set -u
root=$(mktemp -d) || exit 99
trap 'rm -rf "$root"' EXIT
. "$top_srcdir/tests/tap.sh"

put() { # file text
	mkdir -p "$root/${1%/*}"
	printf '%s\n' "$2" >"$root/$1"
}

disk() { # name folder-of-the-scsi-device vendor model dev
	put "$2/vendor" "$3"
	put "$2/model" "$4"
	put "$2/block/$1/size" 1953525168
	put "$2/block/$1/dev" "$5"
	put "$2/block/$1/queue/rotational" 0
	ln -s "../../../${2##*/}" "$root/$2/block/$1/device"
	mkdir -p "$root/sys/block" "$root/sys/class/block" "$root/sys/bus/scsi/drivers/sd"
	ln -s "../$(echo "$2" | sed 's|^sys/||')/block/$1" "$root/sys/block/$1"
	ln -s "../../$(echo "$2" | sed 's|^sys/||')/block/$1" "$root/sys/class/block/$1"
	ln -s "$root/sys/bus/scsi/drivers/sd" "$root/$2/driver"
}

driver() { # folder name
	mkdir -p "$root/sys/bus/drv/$2" "$root/$1"
	ln -s "$root/sys/bus/drv/$2" "$root/$1/driver"
}

# A drive on ata3 that the kernel has slowed twice.
pci=sys/devices/pci0000:00/0000:00:1f.2
driver $pci ahci
disk sda $pci/ata3/host2/target2:0:0/2:0:0:0 ATA "TESTDISK 1TB" 8:0
put $pci/ata3/link3/ata_link/link3/sata_spd "3.0 Gbps"
put $pci/ata3/link3/ata_link/link3/hw_sata_spd_limit "6.0 Gbps"
put $pci/ata3/link3/ata_link/link3/sata_spd_limit "3.0 Gbps"
put $pci/ata3/link3/dev3.0/ata_device/dev3.0/spdn_cnt 2
printf '[   12.5s] ata bus error\n[   11.5s] timeout\n' >"$root/$pci/ata3/link3/dev3.0/ata_device/dev3.0/ering"
put $pci/ata3/host2/scsi_host/host2/link_power_management_policy max_performance
put $pci/ata3/host2/target2:0:0/2:0:0:0/ioerr_cnt 0x1c
put $pci/ata3/host2/target2:0:0/2:0:0:0/iotmo_cnt 0x3
put run/udev/data/b8:0 "E:ID_SERIAL_SHORT=TEST0000001"
printf 'E:ID_MODEL_ENC=TESTDISK\\x20MODEL\\x20LONGER\\x20THAN\\x2016\nS:disk/by-id/ata-TESTDISK_TEST0000001\n' >>"$root/run/udev/data/b8:0"

# What the kernel keeps of IDENTIFY DEVICE, 256 words: model, word 76 with 6.0 Gb/s, word 222.
"${AWK:-awk}" '
function put(word, text, n,   i) {
	for (i = 0; i < n; i++)
		w[word + i] = ord[substr(text " ", 2 * i + 1, 1)] ord[substr(text " ", 2 * i + 2, 1)]
}
BEGIN {
	for (i = 32; i < 127; i++) ord[sprintf("%c", i)] = sprintf("%02x", i)
	ord[""] = "20"
	put(23, "FW000001", 4)
	put(27, "TESTDISK MODEL LONGER THAN 16", 20)
	w[76] = "000e"; w[222] = "1080"; w[83] = w[84] = w[87] = "4000"
	for (i = 0; i < 256; i++) printf "%s%s", (i in w) ? w[i] : "0000", i % 8 == 7 ? "\n" : " "
}' \
	>"$root/$pci/ata3/link3/dev3.0/ata_device/dev3.0/id"

# Behind a port multiplier: the target's channel is the link.
disk sdb $pci/ata5/host4/target4:1:0/4:1:0:0 ATA "TESTDISK 2TB" 8:16
put $pci/ata5/link5.1/ata_link/link5.1/sata_spd "<unknown>"
put $pci/ata5/link5.1/ata_link/link5.1/hw_sata_spd_limit "3.0 Gbps"

# USB, a SATA drive on a SAS controller, a RAID volume, NVMe.
usb=sys/devices/pci0000:00/0000:00:14.0/usb2/2-1
put $usb/idVendor 152d
put $usb/idProduct 0578
put $usb/speed 5000
driver $usb/2-1:1.0 uas
disk sdc $usb/2-1:1.0/host6/target6:0:0/6:0:0:0 JMicron "TESTDISK USB" 8:32
driver sys/devices/pci0000:00/0000:01:00.0 mpt3sas
disk sdd sys/devices/pci0000:00/0000:01:00.0/host7/port-7:0/end_device-7:0/target7:0:0/7:0:0:0 ATA "TESTDISK SAS" 8:48
driver sys/devices/pci0000:00/0000:02:00.0 megaraid_sas
disk sde sys/devices/pci0000:00/0000:02:00.0/host8/target8:2:0/8:2:0:0 DELL "PERC H730" 8:64
driver sys/devices/pci0000:00/0000:03:00.0 nvme
put sys/devices/pci0000:00/0000:03:00.0/current_link_width 2
put sys/devices/pci0000:00/0000:03:00.0/max_link_width 4
put sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/model "TESTNVME"
put sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1/size 8
ln -s ../../nvme0 "$root/sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1/device"
ln -s ../devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1 "$root/sys/block/nvme0n1"
mkdir -p "$root/sys/devices/virtual/block/loop0"
ln -s ../devices/virtual/block/loop0 "$root/sys/block/loop0"
# a partition, and a LUKS device on it
mkdir -p "$root/$pci/ata3/host2/target2:0:0/2:0:0:0/block/sda/sda2"
put $pci/ata3/host2/target2:0:0/2:0:0:0/block/sda/sda2/partition 2
ln -s "$root/$pci/ata3/host2/target2:0:0/2:0:0:0/block/sda/sda2" "$root/sys/class/block/sda2"
mkdir -p "$root/sys/devices/virtual/block/dm-0/slaves"
ln -s "$root/$pci/ata3/host2/target2:0:0/2:0:0:0/block/sda/sda2" "$root/sys/devices/virtual/block/dm-0/slaves/sda2"
ln -s ../devices/virtual/block/dm-0 "$root/sys/block/dm-0"
ln -s ../../devices/virtual/block/dm-0 "$root/sys/class/block/dm-0"

list() {
	"$top_builddir/drivewhy" list --sysroot="$root" "$@"
}

is() { # filter expected [target...]
	filter=$1
	want=$2
	shift 2
	got=$(list --json "$@" | jq -r "$filter")
	[ "$got" = "$want" ] || { echo "# $filter is '$got', not '$want'"; return 1; }
}

ok "drives in order, no loop, no dm" is '[.drives[].device] | join(" ")' "sda sdb sdc sdd sde nvme0n1"
ok "how each is attached" is '[.drives[].bus] | join(" ")' "sata sata usb sata-on-sas raid nvme"
ok "ports" is '[.drives[].port] | map(. // "-") | join(" ")' "ata3 ata5.01 - - - -"
ok "link now, port, kernel limit" is '.drives[0] | [.link_current_mbps, .link_port_max_mbps, .link_limit_mbps] | join(" ")' "3000 6000 3000"
ok "what the drive can do, without asking it" is '.drives[0] | [.link_device_max_mbps, .firmware] | join(" ")' "6000 FW000001"
ok "an unknown speed is absent" is '.drives[1].link_current_mbps' null
ok "times slowed" is '.drives[0].link_slowed_count' 2
ok "counts are hexadecimal in /sys" is '.drives[0] | [.commands_failed, .commands_timed_out] | join(" ")' "28 3"
ok "absent counts are null, not 0" is '.drives[1].commands_timed_out' null
ok "power policy" is '.drives[0].link_power_policy' max_performance
ok "the whole model, not the 16 letters of INQUIRY" is '.drives[0].model' "TESTDISK MODEL LONGER THAN 16"
ok "size in bytes" is '.drives[0].capacity_bytes' 1000204886016
ok "a partition names its disk" is '[.drives[].device] | join(" ")' sda sda2
ok "a dm device names the disk below" is '[.drives[].device] | join(" ")' sda dm-0
ok "a by-id name" is '[.drives[].device] | join(" ")' sda ata-TESTDISK_TEST0000001
ok "two names of one drive are one drive" is '[.drives[].device] | join(" ")' "sda sdb" sda /dev/sdb sda2
list >"$root/text"
ok "the table counts the ring" grep -qE '^sda .* 3\.0 +6\.0 +6\.0 +3\.0 +2 +2 +28 +3 max' "$root/text"
for width in 80 200; do
	ok "the table keeps to $width columns" test "$(COLUMNS=$width list 2>/dev/null | grep -v 'read it with' | awk '{ n = length > n ? length : n } END { print n }')" -le $width
done
ok "a RAID volume: the line that brings its drives in" grep -q '^sde: read it with: smartctl -d megaraid,N -x /dev/sde | drivewhy -$' "$root/text"
ok "NVMe: the line that brings it in" grep -q '^nvme0n1: read it with: smartctl -x /dev/nvme0n1 | drivewhy -$' "$root/text"
list nonsense >/dev/null 2>"$root/err"
status=$?
ok "an unknown name: status 66" [ $status -eq 66 ]
ok "an unknown name is named" grep -q 'nonsense' "$root/err"
mkdir -p "$root/empty/sys/block"
"$top_builddir/drivewhy" list --sysroot="$root/empty" >/dev/null 2>"$root/err"
status=$?
ok "no drive at all: cannot tell" [ $status -eq 3 ]
echo "1..$n"
