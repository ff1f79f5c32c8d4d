# SPDX-License-Identifier: GPL-2.0-or-later
# The real program behind a real libata: QEMU (no KVM) with Debian's kernel and drives on AHCI, NVMe and
# virtio-scsi. Skipped, with the reason, where one of them is missing.
set -u
. "$top_srcdir/tests/vm/machine.sh"
work=$top_builddir/tests/vm/qemu.tmp

skip()
{
	echo "1..0 # SKIP $1"
	exit 0
}

[ -n "${DRIVEWHY_VM:-}" ] ||
	skip "machines are started by ./quickstart check, or with DRIVEWHY_VM=1"
qemu_find || skip "for QEMU there is no:$qemu_missing"
grep -q __asan_init "$top_builddir/drivewhy" && skip "a build with sanitizers is too slow in QEMU"
vm_alone || exit 1
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
for disk in ahci nvme scsi; do
	truncate -s 64M "$work/$disk.img" || exit 1
done
# LBA 8000 cannot be read
printf '[inject-error]\nevent = "read_aio"\nerrno = "5"\nsector = "8000"\nonce = "off"\n' >"$work/blkdebug"

qemu_run "$work" "$top_srcdir/tests/vm/libata.sh" 150 \
	'ahci sd_mod sg nvme virtio_pci virtio_scsi' \
	-drive "file=blkdebug:$work/blkdebug:$work/ahci.img,format=raw,if=none,id=d0,rerror=report" \
	-device ide-hd,drive=d0,bus=ide.0,serial=TEST0000001,rotation_rate=7200 \
	-drive "file=$work/nvme.img,format=raw,if=none,id=d1" \
	-device nvme,drive=d1,serial=TEST0000002 \
	-drive "file=$work/scsi.img,format=raw,if=none,id=d2" \
	-device virtio-scsi-pci -device scsi-hd,drive=d2,serial=TEST0000003
status=$?
grep -E '^(ok|not ok|#) ?' "$work/tap"
n=$(grep -cE '^(ok|not ok) ' "$work/tap")
n=$((n + 1))
if [ $status -eq 0 ]; then
	echo "ok $n - the machine came up and went down"
else
	tail -n 20 "$work/console" "$work/qemu" | sed 's/^/# /'
	echo "not ok $n - the machine came up and went down"
fi
echo "1..$n"
