#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Run a command inside of user-mode Linux, where simulated SATA drives stand behind a real kernel:
#
#   tests/vm/uml.sh [-d 'CAPTURE [KEY=VALUE]...']... [-t SECONDS] COMMAND [ARGUMENT]...
#
# from a build folder ("make check TESTS=" builds what it needs). Each -d is a drive: sda, sdb, ...
# whose pages are those of the capture. The host's files are there, read-only, at the same places;
# /run can be written. No root, no network. Its exit status is that of the command; 99: no machine.
#
#   cd build && ../tests/vm/uml.sh -d '../tests/captures/testdisk-ssd.cap delay_us=90 arms=8' \
#       fio --name=a --filename=/dev/sda --rw=randread --direct=1 --bs=4k --runtime=2 --time_based
#
# Keys, which a running drive takes as well: write lines of them to /run/options0 (0: the first drive)
# and send a HUP to its satasim; in scripts that source inside.sh that is sim_set.
#   bytes=N               size of the drive, 64 MiB; above 1 GiB all of it reads as zeros
#   delay_us=N            time of a read; mib_us=N: and of each MiB of it
#   jitter_percent=N      times differ by so much, evenly, always in the same way
#   second=PERCENT:US     so many reads take so long instead: a second mode
#   slow=FIRST-LAST:US    reads that touch these LBA take so long; up to 16 times; "slow=": none
#   bad=FIRST[-LAST]      these cannot be read: 03/11/04, EIO; up to 16 times; "bad=": none
#   arms=N                reads at the same time, 1 to 64; the others wait
#   grow=N                each N reads, counters 001 to 003 and attribute 199 rise by one
#   asleep=1              in standby; a read, or most ATA commands, wake it
#   ata_us=N              time of each ATA command
#   hang=WORDS hang_ms=N  commands whose description holds the words take so long
#   sense=NAME            descriptor, descriptor-deferred, fixed, fixed-deferred, fixed-old, zero, none,
#                         half, wrong, ones: how registers come back (sim.h)
#   no_16=1 no_12=1 no_32=1 no_ext=1      pass-through that it does not know
#   no_dma=1              READ LOG DMA EXT is announced and aborted
#   unit=N                ends the serial number: drives of one capture are told apart
#   selftest_ms=N         how long a self-test takes
# /run/log0 has a line for each ATA command that reached the drive.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 99
top_srcdir=${top_srcdir:-$here/../..}
top_builddir=${top_builddir:-$PWD}
. "$here/machine.sh"

drives=
number=0
seconds=300
while getopts d:t: option; do
	case $option in
	d)
		drives="$drives sim_up $number $OPTARG || exit 99
"
		number=$((number + 1))
		;;
	t) seconds=$OPTARG ;;
	*) exit 64 ;;
	esac
done
shift $((OPTIND - 1))

[ $# -gt 0 ] || { echo "uml.sh: no command" >&2; exit 64; }
vm_find || { echo "uml.sh: user-mode-linux is not installed" >&2; exit 99; }
[ -x "$top_builddir/tests/vm/satasim" ] ||
	{ echo "uml.sh: $top_builddir/tests/vm/satasim is not built" >&2; exit 99; }

out=$(mktemp -d) || exit 99
trap 'rm -rf "$out"' EXIT
{
	# shellcheck disable=SC2016 # for the inner shell
	echo '. "$top_srcdir/tests/vm/inside.sh"'
	printf 'cd "%s"\n' "$PWD"
	echo "$drives"
	for word; do
		printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
	done
	echo ' >/run/out/stdout 2>/run/out/stderr'
} >"$out/command.sh"
vm_run "$out" "$out/command.sh" "$seconds"
status=$?
cat "$out/stdout" 2>/dev/null
cat "$out/stderr" >&2 2>/dev/null
[ -e "$out/rc" ] || cat "$out/console" >&2
exit $status
