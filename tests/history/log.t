# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel log counts of a drive, from check to check: told once, over reboots and lost lines.
name=log
. "$top_srcdir/tests/history/lib.sh"
boot=11111111-1111-4111-8111-111111111111
up="[    1.000000] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)"

# media SECOND: an exception of libata for a sector that cannot be read, as /dev/kmsg tells it
media()
{
	echo "[ $1.100000] ata1.00: exception Emask 0x0 SAct 0x20 SErr 0x0 action 0x0
[ $1.100010] ata1.00: failed command: READ FPDMA QUEUED
[ $1.100020] ata1.00: cmd 60/08:28:80:0a:4c/00:00:1d:00:00/40 tag 5 ncq dma 4096 in         res 41/40:08:80:0a:4c/00:00:1d:00:00/00 Emask 0x409 (media error) <F>
[ $1.100030] ata1.00: status: { DRDY ERR }
[ $1.100040] ata1.00: error: { UNC }
[ $1.200000] ata1.00: configured for UDMA/133
[ $1.200010] ata1: EH complete"
}

# silent SECOND: a command that was never answered, and what the kernel does about it
silent()
{
	echo "[ $1.100000] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen
[ $1.100010] ata1.00: failed command: READ DMA EXT
[ $1.100020] ata1.00: cmd 25/00:08:00:10:00/00:00:00:00:00/e0 tag 3 dma 4096 in         res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)
[ $1.100030] ata1.00: status: { DRDY }
[ $1.100040] ata1: hard resetting link
[ $1.600000] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)
[ $1.700000] ata1.00: configured for UDMA/133
[ $1.700010] ata1: EH complete"
}

# day N LOG: one check; no log at all without LOG
day()
{
	set -- "$1" "$(at "$1" 3)" "${2:-}"
	if [ -n "$3" ]; then
		set -- "$1" "at=$2" "log=$3"
	else
		set -- "$1" "at=$2"
	fi
	out=$work/$1
	shift
	"$make_drive" "$@" -- serial=TEST0000001 wwn=5000000000000001 port=ata1 dev=sda p001=0 \
		a5=0 a9=9000 a12=50 a194=34 a197=0 a199=0 "boot=$boot" >"$out.cap"
	"$program" check --state "$state" --config=none --db-builtin-only "$out.cap" >"$out" 2>"$out.err"
}

echo 1..12
day 1 "$up"
first="$up
$(media 5000)"
day 2 "$first"
day 3 "$first"
result "an event that only the kernel log shows is told once" "$(
	has "$work/2" "bad sectors since yesterday 03:00: unreadable sectors in the kernel log +1 (now 1)"
	hasnt "$work/3" "since")"
two="$first
$(media 9000)
$(silent 9100)"
day 4 "$two"
result "more of them, each in its sentence" "$(
	has "$work/4" "unreadable sectors in the kernel log +1 (now 2)" \
		"time-outs since yesterday 03:00: commands never answered in the kernel log +1 (now 1)" \
		"kernel log since yesterday 03:00: hard resets of the link +1 (now 1)")"
day 5
day 6 "$two"
result "a log that could not be read is no log without events" "$(
	hasnt "$work/5" "in the kernel log"
	hasnt "$work/6" "in the kernel log")"
boot=22222222-2222-4222-8222-222222222222
day 7 "$first"
day 8 "$first"
result "another boot counts from nothing" "$(
	has "$work/7" "unreadable sectors in the kernel log +1 (now 1)"
	hasnt "$work/7" "never answered" "hard resets"
	hasnt "$work/8" "in the kernel log")"
boot=33333333-3333-4333-8333-333333333333
day 9
day 10 "$first"
result "a boot that began while no log could be read" "$(
	has "$work/10" "unreadable sectors in the kernel log +1 (now 1)")"
day 11 "[ 6000.000000] ata1.00: configured for UDMA/133"
day 12 "[ 6000.000000] ata1.00: configured for UDMA/133
$(media 7000)"
result "what a full buffer lost is neither told again nor forgotten" "$(
	hasnt "$work/11" "in the kernel log"
	has "$work/12" "unreadable sectors in the kernel log +1 (now 1)")"
# Linux 6.1 resets USB devices and some links as it wakes up: of every night, not of a fault.
day 13 "[ 6000.000000] ata1.00: configured for UDMA/133
$(media 7000)
[ 8000.000000] PM: suspend entry (deep)
[ 8002.000000] ata1: hard resetting link
[ 8002.500000] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)
[ 8003.000000] PM: suspend exit"
result "a reset as the machine wakes up is not told" "$(hasnt "$work/13" "kernel log" "since")"
"$program" history --state "$state" --csv sda >"$work/csv" 2>&1
result "the history adds them up over boots" "$(
	grep ',kernel_media_errors,' "$work/csv" | cut -d, -f1,3 | tr '\n' ' ' >"$work/media"
	has "$work/media" "2026-01-01T03:00:00Z,0 2026-01-02T03:00:00Z,1 2026-01-04T03:00:00Z,2 2026-01-07T03:00:00Z,3 2026-01-10T03:00:00Z,4 2026-01-12T03:00:00Z,5"
	grep ',kernel_hard_resets,' "$work/csv" | cut -d, -f1,3 | tr '\n' ' ' >"$work/resets"
	has "$work/resets" "2026-01-01T03:00:00Z,0 2026-01-04T03:00:00Z,1")"
"$program" history --state "$state" sda >"$work/text" 2>&1
result "and shows them" "$(has "$work/text" "kernel_media_errors" "(+5)" "kernel_timeouts")"

# a store of before: without these counts, what stands in the log is the beginning
if command -v sqlite3 >/dev/null 2>&1; then
	sqlite3 "$state/history.db" "DELETE FROM now WHERE fact IN (SELECT id FROM fact WHERE name
		LIKE 'kernel%'); DELETE FROM sample WHERE fact IN (SELECT id FROM fact WHERE name LIKE
		'kernel%'); DELETE FROM fact WHERE name LIKE 'kernel%'" || echo "# sqlite3 failed"
	old="[ 6000.000000] ata1.00: configured for UDMA/133
$(media 7000)"
	day 14 "$old"
	day 15 "$old
$(media 8000)"
	result "a store without these counts begins them" "$(
		hasnt "$work/14" "in the kernel log"
		has "$work/15" "unreadable sectors in the kernel log +1 (now 2)")"
else
	n=$((n + 1))
	echo "ok $n # SKIP sqlite3 is not there"
fi

# What only the log shows is over when a log says so, not when there is none.
state=$work/quiet
boot=44444444-4444-4444-8444-444444444444
day 1 "$up"
day 2 "$up
$(silent 5000)
$(silent 6000)
$(silent 7000)"
day 3
day 4
result "without a log nothing is said to be over" "$(
	has "$work/2" "T01: Commands time out"
	hasnt "$work/3" "no more"
	hasnt "$work/4" "no more")"
day 5 "$up"
result "with one it is" "$(has "$work/5" "no more: Commands time out")"
