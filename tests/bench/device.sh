#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Reading a drive, beside smartctl: wall time in alternating rounds, and how many commands reach the
# drive, in user-mode Linux with a simulated drive that takes 0 or 5 ms for each. Reports, never judges.
#
#   ROUNDS=11 tests/bench/device.sh BUILD_FOLDER
set -u
# what is measured here is nothing to remember
DRIVEWHY_STATE=none
export DRIVEWHY_STATE
src=$(cd "$(dirname "$0")/../.." && pwd) || exit 70
build=$(cd "$1" && pwd) || exit 70
disk=$src/tests/captures/testdisk-all-pages.cap
ssd=$src/tests/captures/testdisk-ssd.cap
# shellcheck disable=SC2016 # for the inner shell
inside='
rounds=$1
build=$2
count() # NUMBER NAME COMMAND...: commands that reach drive NUMBER
{
	log=/run/log$1
	name=$2
	shift 2
	: >"$log"
	"$@" >/dev/null 2>&1
	printf "%3d commands: %s\n" "$(grep -cv SPIN-UP "$log")" "$name"
}
for drive in a:0 b:1 c:2; do
	dev=/dev/sd${drive%:*}
	n=${drive#*:}
	case $n in
	0) echo "--- a disk that answers at once" ;;
	1) echo "--- a disk that takes 5 ms a command" ;;
	2) echo "--- an SSD that takes 5 ms a command" ;;
	esac
	count "$n" "drivewhy phy" "$build/drivewhy" phy "$dev"
	count "$n" "smartctl -l sataphy" smartctl -l sataphy "$dev"
	count "$n" "drivewhy show" "$build/drivewhy" show "$dev"
	count "$n" "smartctl -x" smartctl -x "$dev"
	"$build/tests/bench/alternate" "$rounds" "drivewhy phy" "$build/drivewhy" phy "$dev" \
		-- "smartctl -l sataphy" smartctl -l sataphy "$dev"
	"$build/tests/bench/alternate" "$rounds" "drivewhy show" "$build/drivewhy" show "$dev" \
		-- "drivewhy capture" "$build/drivewhy" capture "$dev" -- "smartctl -x" smartctl -x "$dev"
done'

command -v smartctl >/dev/null 2>&1 || { echo "smartctl is not installed"; exit 0; }
top_builddir=$build "$src/tests/vm/uml.sh" -t 600 -d "$disk" -d "$disk unit=2 ata_us=5000" \
	-d "$ssd ata_us=5000" sh -c "$inside" sh "${ROUNDS:-11}" "$build"
status=$?
[ $status -ne 99 ] || exit 0
exit $status
