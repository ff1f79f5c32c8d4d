# SPDX-License-Identifier: GPL-2.0-or-later
# Drives of many makers, with values at the edges of what pages can hold, made by umockdev: drivewhy and
# its peers, all of them as installed, read them and must agree.
set -u
work=$top_builddir/tests/peer/live-peers.tmp
PATH=$PATH:/usr/sbin:/sbin

for tool in umockdev-wrapper "${PYTHON:-python3}" sg_sat_phy_event hdparm smartctl; do
	command -v "$tool" >/dev/null 2>&1 || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
[ -x "$top_builddir/tests/device/umock" ] ||
	{ echo "1..0 # SKIP umockdev's library was not there when this was built"; exit 0; }
ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
export ASAN_OPTIONS
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
"$PYTHON" "$top_srcdir/tests/peer/live-peers.py" "$top_srcdir" "$top_builddir" "$work"
