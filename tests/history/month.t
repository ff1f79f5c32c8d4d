# SPDX-License-Identifier: GPL-2.0-or-later
# A month of checks, one capture a run; the output of each, exactly, in month.txt.
# "month.t --write" writes that file anew: review the difference like code.
name=month
[ "${1:-}" != --write ] || echo "# rewriting month.txt"
. "$top_srcdir/tests/history/lib.sh"
golden=$top_srcdir/tests/history/month.txt
out=$work/month.txt

# Drives: words of make-drive that change from day to day.
disk="p001=0 p003=0 p004=0 p00a=4 a5=0 a9=9000 a12=50 a194=34 a197=0 a198=0 a199=12"
A="serial=TEST0000001 wwn=5000000000000001 port=ata1 dev=sda $disk"
B="serial=TEST0000002 wwn=5000000000000002 port=ata2 dev=sdb $disk a199=0"
# two sold under one serial number and without a WWN
T="serial=TEST0000009 wwn=none fw=FW09 sectors=468862128 rpm=1 p001=0 p00a=4 a9=100 a12=9 a194=30 a199=0"
T1="$T port=ata3 dev=sdc"
T2="$T port=ata4 dev=sdd"
boot=11111111-1111-4111-8111-111111111111
log="log=[ 1.0] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)"

# drives FILE TIME: the capture of A, B, T1, T2 as they are
capture()
{
	# shellcheck disable=SC2086 # several words are meant
	{ set -- "$1" "at=$2"
	file=$1
	shift
	[ -z "$log" ] || set -- "$@" "$log"
	for drive in "$A" "$B" "$T1" "$T2"; do
		[ -z "$drive" ] || set -- "$@" -- $drive "boot=$boot"
	done
	"$make_drive" "$@" >"$file"; }
}

# day N TITLE [OPTION...]: one check at three in the morning
day()
{
	n_day=$1
	title=$2
	shift 2
	capture "$work/$n_day.cap" "${time:-$(at "$n_day" 3)}"
	echo "== $n_day: $title" >>"$out"
	"$program" check --state "$state" --config=none --whole-host --db-builtin-only "$@" \
		"$work/$n_day.cap" >>"$out" 2>"$work/$n_day.err"
	echo "-- exit status $?" >>"$out"
	grep -v 'kernel-log is not known' "$work/$n_day.err" >>"$out"
	"$program" history --state "$state" --csv TEST0000001 >/dev/null || echo "history failed" >>"$out"
}

A0=$A B0=$B T10=$T1 T20=$T2
day 1 "four drives, two of them with one serial number"
day 2 "nothing"
A0="$A0 p001=37 p003=37 a199=49"; A=$A0
day 3 "a burst of CRC errors"
day 4 "no more of them"
B="$B0 a197=3 a198=3"
day 5 "sectors that cannot be read"
B0="$B0 a5=3"; B=$B0
day 6 "they were replaced by spare ones"
A0="$A0 p001=0 p003=0 p00a=1 a12=51 port=ata2 dev=sdb"; A=$A0
B0="$B0 p00a=1 a12=51 port=ata1 dev=sda"; B=$B0
boot=22222222-2222-4222-8222-222222222222
day 7 "switched off, and two drives swapped"
A0="$A0 p001=2 p003=2 p00a=1 a12=52 a199=51"; A=$A0
B0="$B0 a12=52"; B=$B0
day 8 "power lost, and two errors since"
A0="$A0 p001=1 p003=1 p00a=1 a199=52"; A=$A0
day 9 "a suspend: the counters start again, the power cycles do not"
A="$A0 p001=4294967295 p003=4294967295 a199=90000"; A0=$A
day 10 "a counter at its end"
day 11 "it stays there"
A0="$A0 fw=FW02"; A=$A0
day 12 "firmware update"
B0="$B0 serial=TEST0000003 wwn=5000000000000003 a5=0 a9=3 a12=2"; B=$B0
day 13 "a drive replaced by a new one in its bay"
A="$A0 asleep=1"
day 14 "one sleeps"
A=$A0
day 15 "and is awake again"
time=$(at 14 12)
day 16 "the clock is set back by two days"
time=
T10="$T10 p001=5 a199=5"; T1=$T10
day 17 "errors on one of the twins"
A="$A0 speed=1.5"
day 18 "a link slower than last time"
T2=
A=$A0
day 19 "it is fast again; one of the twins is gone"
T2=$T20
day 20 "and back"
log=
day 21 "the kernel log cannot be read"
day 22 "and still not"
log="log=[ 1.0] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)"
day 23 "it can"
A="$A0 fails=1"
day 24 "a drive does not answer"
day 25 "nor today"
A=$A0
day 26 "it does"
A0="$A0 timeouts=4"; A=$A0
day 27 "commands timed out"
B="$B0 a5=80"; B0=$B
day 28 "many sectors replaced at once"
day 36 "reminded of what is open" --remind=7
"$program" ack --state "$state" sda M02 >>"$out" 2>&1
day 44 "not of what is accepted" --remind=7
B="$B0 a5=81"; B0=$B
day 45 "until it grows"
"$program" ack --state "$state" ata1 M02 >>"$out" 2>&1
day 60 "all is well, on request" --well=10
day 61 "and only so often" --well=10
echo "== the bays" >>"$out"
for bay in ata1 ata2 ata3; do
	"$program" history --state "$state" --csv bay "$bay" >>"$out" 2>&1
done

[ "${1:-}" != --write ] || cp "$out" "$golden"
echo 1..1
result "a month of checks says what it should" "$(diff -u "$golden" "$out")"
