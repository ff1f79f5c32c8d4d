# SPDX-License-Identifier: GPL-2.0-or-later
# What drivewhy phy says of the last look at the same drive, on the same port and on another.
name=phy
. "$top_srcdir/tests/history/lib.sh"

# look NAME TIME WORD...
look()
{
	file=$work/$1
	time=$2
	shift 2
	"$make_drive" "at=$time" -- p001=0 p003=0 p004=0 p00a=2 "$@" >"$file.cap" &&
		"$program" phy --state "$state" "$file.cap" >"$file" 2>"$file.err"
}

echo 1..9

look first "$(at 1 3)" p001=2 p004=2 read=1000
result "the first look has nothing to compare with" "$(hasnt "$work/first" " ago" "since the last look")"

look rise "$(at 1 3 14)" p001=39 p004=39 read=2000
result "a rise is told with its time" \
	"$(has "$work/rise" "since 14 minutes ago, same port, 512 kB read: +37" "(+37)")"

# 84 GB are 164062500 sectors of 512 bytes
look still "$(at 3 3 14)" p001=39 p004=39 read=164064500
result "no rise, and the one before" "$(has "$work/still" \
	"since 2 days ago, same port, 84.0 GB read: +0; before: +37 in 14 minutes")"

look moved "$(at 3 5 14)" p001=39 p004=39 port=ata5 read=164064500
result "another port is named" "$(has "$work/moved" \
	"since 2 hours ago, then on ata1, now on ata5")"

look again "$(at 3 6 14)" p001=1 p004=1 p00a=1 port=ata5 read=10 \
	boot=22222222-2222-4222-8222-222222222222
result "counters that started again are no fall" "$(has "$work/again" \
	": +1 (counters started again in between)"
	hasnt "$work/again" "fell between" "between the readings")"

look other "$(at 3 7)" p001=7 serial=TEST0000002 wwn=5000000000000002 port=ata5
result "another drive on the same port has no past" "$(hasnt "$work/other" " ago" "since the last look")"

look back "$(at 3 5)" p001=1 p004=1 p00a=1 port=ata5 read=10 \
	boot=22222222-2222-4222-8222-222222222222
result "a clock that was set back gives no time" "$(has "$work/back" \
	"since the last look, same port, 0 bytes read: +0")"

"$program" phy "$work/rise.cap" >"$work/plain" 2>&1
result "without --state a file is not compared" "$(hasnt "$work/plain" " ago" "since the last look")"

result "nothing was complained of" "$(cat "$work"/*.err)"
