# SPDX-License-Identifier: GPL-2.0-or-later
# "show" prints at least what "smartctl -x" prints of the same drive, and --explain where each value
# stood.
set -u
here=$top_srcdir/tests/peer
work=$top_builddir/tests/show.tmp
. "$top_srcdir/tests/tap.sh"
started_often

need smartctl "${PYTHON:-python3}"
mkdir -p "$work" || exit 99
trap 'rm -rf "$work"' EXIT

"$top_builddir/tests/peer/make-drives" "$work" || echo "Bail out! no drives"
for drive in "$work"/[0-9]*; do
	FAKE_SATA=$drive LD_PRELOAD=$top_builddir/tests/peer/fake-sata.so smartctl -x -d sat \
		/dev/null >"$drive/x"
	# 06: smartctl's database says that this model has the bytes of an LBA in plain order
	"$top_builddir/tests/import/dump-facts" "$drive/x" |
		{ [ "${drive##*/}" = 06 ] && grep -v '^error\[' || cat; } >"$drive/facts"
	"$top_builddir/drivewhy" show "$drive/drive.cap" >"$drive/show" 2>/dev/null
	result "drive ${drive##*/}: all that smartctl -x shows" \
		"$("$PYTHON" "$here/show-has.py" "$drive/facts" "$drive/show" >"$drive/out" 2>&1 ||
			cat "$drive/out")"
done

# The places are the standards': ATA8-ACS table 62, ACS-4 table 207, Serial ATA 13.8.
"$top_builddir/drivewhy" show --explain "$work/12/drive.cap" 2>/dev/null |
	tr -s ' \n' '  ' >"$work/explained"
result "--explain: bytes, width, clock and trust" "$(
	while read -r line; do
		grep -qF -- "$line" "$work/explained" || echo "$line"
	done <<-'EOF'
		byte 54, 40 wide model = TESTDISK 1TB
		byte 20, 20 wide serial = TEST0000001
		byte 363, 1 wide selftest_status = 0 (now; bytes)
		byte 7, 6 wide attr[1].raw = 0 (lifetime; bytes)
		byte 520, 4 wide stat[01/008].value = 240
		byte 6, 4 wide phy[001].value = 1 (drive power-on; bytes)
	EOF
)"
echo "1..$n"
