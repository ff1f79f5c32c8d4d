# SPDX-License-Identifier: GPL-2.0-or-later
# The real program where umockdev makes a drive: what the virtual machine does not have, a libata
# port and a USB bridge, and what must not be sent at all.
set -u
work=$top_builddir/tests/device/umockdev.tmp
umock=$top_builddir/tests/device/umock
drivewhy=$top_builddir/drivewhy
cap=$top_srcdir/tests/captures/testdisk-all-pages.cap
log=$work/log
n=0
# the library that redirects /dev comes before the sanitizer's
ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
export ASAN_OPTIONS

[ -x "$umock" ] || { echo "1..0 # SKIP umockdev's library was not there when this was built"; exit 0; }
command -v umockdev-wrapper >/dev/null 2>&1 || { echo "1..0 # SKIP umockdev is not installed"; exit 0; }
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# with KIND [KEY=VALUE]... -- ARGUMENT...: drivewhy on such a drive; output in $work/out.
with()
{
	kind=$1
	shift
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	: >"$log"
	# shellcheck disable=SC2086 # several words are meant
	umockdev-wrapper "$umock" "$kind" "$cap" $options "log=$log" -- "$drivewhy" "$@" \
		>"$work/out" 2>"$work/err"
}

# ok WHAT STATUS
ok()
{
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /;15q' "$work/err" "$work/out"
	fi
}

has()
{
	grep -q -- "$3" "$2"
	ok "$1" $?
}

hasnt()
{
	! grep -q -- "$3" "$2"
	ok "$1" $?
}

items()
{
	sed -n '/^item ata\//,$p' "$1" | sed '/^item sysfs/,/^end/d; s/ took_us=[0-9]*//; /^end/d'
}

with ata -- capture sda
ok "a drive on a libata port is read" $?
items "$work/out" >"$work/live"
"$drivewhy" capture "$cap" 2>/dev/null >"$work/file.cap"
items "$work/file.cap" >"$work/file"
cmp -s "$work/live" "$work/file"
ok "and gives the capture that it answers from" $?
has "with the speed of its link" "$work/out" '3.0 Gbps'
[ "$(wc -l <"$log")" -le 20 ]
ok "in at most 20 commands: $(wc -l <"$log")" $?
with ata -- --json sda
live=$?
"$drivewhy" --json "$cap" >/dev/null 2>&1
[ $live -eq $? ]
ok "the exit status is that of the file" $?

with usb -- capture sda
ok "a drive behind a USB bridge is read" $?
! grep 'READ LOG' "$log" | grep -vq ', 1$\|SMART'
ok "its logs one sector at a time" $?
hasnt "and not by DMA" "$log" DMA
[ "$(wc -l <"$log")" -le 20 ]
ok "in at most 20 commands: $(wc -l <"$log")" $?
with usb no_16=1 -- capture sda
has "an old bridge takes the 12-byte form" "$work/out" 'item ata/smart/data ok'
has "and has no 48-bit logs" "$work/out" 'item ata/log/11/00 unsupported'
for sense in zero none; do
	with usb sense=$sense -- capture sda
	has "sense $sense: the registers are unknown, or the command failed" "$work/out" \
		'item ata/smart/status .*registers=unknown'
	hasnt "sense $sense: that is no standby" "$log" SPIN-UP
	with usb sense=$sense -- --json show sda
	hasnt "sense $sense: nor is it healthy" "$work/out" '"smart_passed"'
done

with suspended -- show sda
[ $? -eq 3 ] && [ ! -s "$log" ]
ok "a suspended drive is not opened" $?
has "and that is said" "$work/out" 'left asleep'
with suspended -- --wake capture sda
has "--wake opens it" "$work/out" 'item ata/smart/data ok'
with optical no_16=1 -- capture sda
[ ! -s "$log" ]
ok "nothing is sent to an optical drive, A1h least of all" $?

# drives WORD... -- ARGUMENT...: drivewhy where umock makes what the words say; $ms: how long it took.
drives()
{
	words=
	while [ "$1" != -- ]; do
		words="$words $1"
		shift
	done
	shift
	# shellcheck disable=SC2016,SC2086
	umockdev-wrapper "$umock" $words -- sh -c 'start=$(date +%s%N)
		out=$1
		shift
		"$@" >"$out/out" 2>"$out/err"
		status=$?
		echo $((($(date +%s%N) - start) / 1000000)) >"$out/ms"
		exit $status' sh "$work" "$drivewhy" "$@"
	status=$?
	ms=$(cat "$work/ms")
}

# --- side by side ---------------------------------------------------------------------------------------
slow=100
drives ata "$cap" ata_us=${slow}000 -- --trace
[ $status -eq 2 ]
ok "without a target every drive is read" $?
has "and gets a line" "$work/out" '1\. .*TESTDISK'
commands=$(sed -n 's/^sda: .* ms  \([0-9]*\) commands$/\1/p' "$work/err")
one=$ms
drives 60xata "$cap" ata_us=${slow}000 -- --trace
[ $status -eq 2 ]
ok "and so are 60" $?
[ "$(grep -c '[0-9]*\. sd.*TESTDISK' "$work/out")" -eq 60 ]
ok "each with its line" $?
[ "$(grep -c ": .* ms  $commands commands\$" "$work/err")" -eq 60 ]
ok "read wholly: $commands commands each" $?
# the mock, one thread, and the judgement of 60 drives are in it too
[ "$ms" -lt $((one * 10)) ]
ok "side by side: one takes $one ms, 60 take $ms ms" $?
drives ata "$cap" and ata "$cap" hang=DATA hang_ms=60000 and usb "$cap" -- --deadline=2 --trace
[ "$ms" -lt 20000 ] && [ "$ms" -ge 1900 ]
ok "one that hangs costs its own deadline: $ms ms" $?
has "the others are read wholly" "$work/err" "^sda: .* ms  $commands commands"
has "behind a bridge too" "$work/err" "^sdc: .* commands"
has "and that is said" "$work/out" 'sdb.*stopped answering'
drives ata "$cap" and ata "$cap" hang=DATA hang_ms=60000 and usb "$cap" -- --deadline=2 capture sda sdb sdc
[ $status -eq 3 ] && [ "$(grep -c '^item ata/smart/thresholds ok' "$work/out")" -eq 2 ]
ok "three that are named: the same, $ms ms" $?
drives optical "$cap" --
[ $status -eq 3 ]
ok "no ATA drive: cannot tell" $?

start=$(date +%s)
with ata hang=DATA hang_ms=4000 -- --deadline=1 capture sda
[ $? -eq 3 ]
ok "a drive that hangs is read in part" $?
has "what was read before is there" "$work/out" 'item ata/log/11/00 ok'
has "and what it hung on" "$work/out" 'item ata/smart/data failed error=ETIMEDOUT'
echo "# took $(($(date +%s) - start)) s"
echo "1..$n"
