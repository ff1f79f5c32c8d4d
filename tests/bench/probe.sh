#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The engine of the read probe beside fio, ioping and a bare loop of pread(), in alternating rounds:
# medians of the ratios of the rounds, and their ranges. Reports, never judges.
#
#   ROUNDS=7 SECONDS_EACH=1 tests/bench/probe.sh BUILD_FOLDER [TARGET]...
#
# Without a target: a file in the build folder and, as root, a loop device over a file in /dev/shm.
set -u
build=$1
shift
rounds=${ROUNDS:-7}
each=${SECONDS_EACH:-1}
work=$(mktemp -d) || exit 70
loop=
cleanup()
{
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$work" /dev/shm/drivewhy-bench.$$
}
trap cleanup EXIT
DRIVEWHY_STATE=none
export DRIVEWHY_STATE
command -v fio >/dev/null 2>&1 || { echo "fio is not installed"; exit 77; }
command -v jq >/dev/null 2>&1 || { echo "jq is not installed"; exit 77; }

if [ $# -eq 0 ]; then
	dd if=/dev/urandom of="$work/file" bs=1M count=256 2>/dev/null && sync
	set -- "$work/file"
	if [ "$(id -u)" -eq 0 ] && dd if=/dev/urandom of=/dev/shm/drivewhy-bench.$$ bs=1M count=256 2>/dev/null &&
		loop=$(losetup --direct-io=on -f --show /dev/shm/drivewhy-bench.$$ 2>/dev/null); then
		set -- "$@" "$loop"
	fi
fi

# Every tool prints reads a second and processor time a read in us.
figures='.jobs[0] | (.read.iops|tostring) + " " +
	((.usr_cpu + .sys_cpu) / 100 * .read.runtime * 1000 / ([.read.total_ios, 1] | max) | tostring)'
job()
{
	echo "--name=a --filename=$1 --rw=$2 --bs=$3 --iodepth=$4 --direct=1 --runtime=$each --time_based"
}
ours()
{
	engine=io_uring
	[ "$4" -gt 1 ] || engine=psync
	# shellcheck disable=SC2046 # options
	"$build/drivewhy" probe --format=fio-json --ioengine=$engine $(job "$@") 2>/dev/null | jq -r "$figures"
}
theirs()
{
	engine=$1
	shift
	# shellcheck disable=SC2046 # options
	fio --output-format=json --ioengine="$engine" $(job "$@") 2>/dev/null |
		sed -n '/^{/,$p' | jq -r "$figures"
}
io_uring() { theirs io_uring "$@"; }
libaio() { theirs libaio "$@"; }
psync() { theirs psync "$@"; }
read_loop() { "$build/tests/bench/read-loop" "$1" "$each"; }
ioping_() { ioping -D -i 0 -w "$each" -S 256m -B -q "$1" 2>/dev/null | awk '{ print $3, 0 }'; }

# compare TARGET PATTERN BLOCK DEPTH TOOL...
compare()
{
	target=$1
	pattern=$2
	block=$3
	depth=$4
	shift 4
	: >"$work/table"
	round=0
	while [ $round -lt "$rounds" ]; do
		round=$((round + 1))
		for tool in ours "$@"; do
			echo "$round $tool $($tool "$target" "$pattern" "$block" "$depth")" >>"$work/table"
		done
		# the next round begins with another one
		first=$1
		shift
		set -- "$@" "$first"
	done
	echo "$target, $pattern $block, depth $depth, $rounds rounds of $each s"
	awk '
	function median(list, n, v, i, k, t) {
		split(list, v, " ")
		n = length(v)
		for (i = 1; i <= n; i++)
			for (k = i + 1; k <= n; k++)
				if (v[k] + 0 < v[i] + 0) { t = v[i]; v[i] = v[k]; v[k] = t }
		least = v[1]; most = v[n]
		return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
	}
	{ iops[$1, $2] = $3; cpu[$1, $2] = $4; tools[$2] = 1; if ($1 > n) n = $1 }
	END {
		for (tool in tools) {
			all = ratio = work = share = ""
			for (i = 1; i <= n; i++) {
				all = all " " iops[i, tool]
				work = work " " cpu[i, tool]
				if (iops[i, tool] > 0) ratio = ratio " " iops[i, "ours"] / iops[i, tool]
				if (cpu[i, tool] > 0) share = share " " cpu[i, "ours"] / cpu[i, tool]
			}
			printf "  %-10s %9.0f reads/s, %6.2f us of processor a read", tool, median(all), median(work)
			if (tool != "ours" && ratio != "") {
				m = median(ratio)
				printf "; ours/it %.2f (%.2f to %.2f)", m, least, most
				if (share != "") printf ", processor %.2f", median(share)
			}
			print ""
		}
	}' "$work/table"
}

has_ioping=
command -v ioping >/dev/null 2>&1 && has_ioping=ioping_
for target; do
	# shellcheck disable=SC2086 # none, when it is not there
	compare "$target" randread 4k 1 read_loop psync libaio io_uring $has_ioping
	compare "$target" randread 4k 32 io_uring libaio
	compare "$target" read 128k 8 io_uring
	echo "start to end of a single read:"
	"$build/tests/bench/alternate" "$rounds" \
		drivewhy "$build/drivewhy" probe --format=fio-json --name=a --filename="$target" \
		--rw=randread --bs=4k --number_ios=1 --direct=1 \
		-- fio fio --name=a --filename="$target" --rw=randread --bs=4k --number_ios=1 \
		--direct=1 --ioengine=psync
done
