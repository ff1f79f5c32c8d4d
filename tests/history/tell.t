# SPDX-License-Identifier: GPL-2.0-or-later
# How a change is told to other programs, accepted by a person, and looked up later.
name=tell
. "$top_srcdir/tests/history/lib.sh"

capture()
{
	file=$1 time=$2 errors=$3
	shift 3
	"$make_drive" "at=$time" "log=[ 1.0] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)" -- p001="$errors" p003="$errors" p00a=2 a5=0 \
		a9=9 a12=5 a194=30 a197=0 a199="$errors" "$@" >"$file"
}

check()
{
	out=$work/$1
	file=$2
	shift 2
	"$program" check --state "$state" --config=none "$@" "$file" >"$out" 2>"$out.err"
}

mkdir -p "$work/hooks"
cat >"$work/hooks/10-note" <<END
#!/bin/sh
echo "\$DRIVEWHY_CHANGE|\$DRIVEWHY_SEVERITY|\$DRIVEWHY_CODE|\$DRIVEWHY_SERIAL|\$DRIVEWHY_PORT|\$SMARTD_DEVICE|\$SMARTD_FAILTYPE|\$DRIVEWHY_MESSAGE" >>"$work/noted"
END
printf '#!/bin/sh\nexit 7\n' >"$work/hooks/20-fails"
printf '#!/bin/sh\necho never >>"%s"\n' "$work/noted" >"$work/hooks/30-backup.bak"
printf '#!/bin/sh\necho never >>"%s"\n' "$work/noted" >"$work/hooks/40-plain"
chmod +x "$work"/hooks/[123]*

capture "$work/one.cap" "$(at 1 3)" 5
capture "$work/two.cap" "$(at 2 3)" 42
capture "$work/three.cap" "$(at 3 3)" 43
echo 1..18
check one "$work/one.cap" --hooks="$work/hooks"
check two "$work/two.cap" --hooks="$work/hooks"
result "a hook is run for each change" "$(
	has "$work/noted" "new|note||TEST0000001|ata1|sda|EmailTest|is new here" \
		"rise|warning||TEST0000001|ata1|sda|Usage|link errors since yesterday 03:00:" \
		"worse|warning|L01|TEST0000001|ata1|sda|Health|"
	hasnt "$work/noted" "never")"
result "one that fails is named" "$(has "$work/two.err" "20-fails: ended with status 7")"
: >"$work/noted"
check same "$work/two.cap" --hooks="$work/hooks"
result "and none when nothing changed" "$(cat "$work/noted" "$work/same.err" | grep -v kernel-log)"

if [ -n "$PYTHON" ]; then
	# a journal of our own
	"$PYTHON" - "$work/socket" "$work/records" <<'END' &
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
s.settimeout(20)
with open(sys.argv[2], "wb") as out:
    try:
        for _ in range(2):
            out.write(s.recv(65536) + b"--\n")
            out.flush()
            s.settimeout(1)
    except OSError:
        pass
END
	pid=$!
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ ! -S "$work/socket" ] || break
		sleep 0.2
	done
	DRIVEWHY_JOURNAL=$work/socket
	export DRIVEWHY_JOURNAL
	check journal "$work/three.cap" --journal
	unset DRIVEWHY_JOURNAL
	wait "$pid"
	id=$(sed -n 's/.*{ "rise", "\([0-9a-f]*\)".*/\1/p' "$top_srcdir/src/model/check.c")
	result "the journal gets a record with a stable id" "$(has "$work/records" \
		"MESSAGE=sda: TESTDISK 4TB, serial TEST0000001, on ata1: link errors since" \
		"PRIORITY=4" "MESSAGE_ID=$id" "DRIVEWHY_CHANGE=rise" "DEVNAME=sda" \
		"ID_SERIAL_SHORT=TEST0000001" "ID_WWN=5000000000000001" "DRIVEWHY_PORT=ata1" \
		"SYSLOG_IDENTIFIER=drivewhy")"
	result "the manual has each id" "$(sed -n 's/.*{ "\([a-z]*\)", "\([0-9a-f]*\)".*/\1 \2/p' \
		"$top_srcdir/src/model/check.c" | while read -r word id; do
			grep -A1 "^\.It Ic $word\$" "$top_srcdir/man/drivewhy-check.7" |
				grep -q "^\.Li $id" || echo "$word $id"
		done)"
else
	check journal "$work/three.cap"
	for what in journal manual; do
		n=$((n + 1))
		echo "ok $n - $what # SKIP python3 is not there"
	done
fi

if command -v jq >/dev/null 2>&1; then
	capture "$work/four.cap" "$(at 4 3)" 50
	check json "$work/four.cap" --json
	result "the check's document" "$(jq -e '
		.drivewhy.format == 1 and .severity == "warning" and .stored and .kernel_log and
		.time == 1767495600 and
		(.changes[] | select(.kind == "rise") | .severity == "warning" and .time == 1767495600) and
		(.drives | length) == 1 and .drives[0].state == "read" and
		.drives[0].serial == "TEST0000001" and .drives[0].totals["phy[001].value"] == 50 and
		(.drives[0].findings[] | select(.code == "L01") | .acknowledged == false)' \
		"$work/json" >/dev/null || cat "$work/json")"
	"$program" history --state "$state" --json sda >"$work/history.json" 2>&1
	result "the history's document" "$(jq -e '.serial == "TEST0000001" and
		(.series[] | select(.name == "phy[001].value") | .total and .now == 50 and
			([.points[].value] == [5, 42, 43, 50]) and .points[1].seconds == 86400) and
		([.changes[].kind] | index("new") != null)' "$work/history.json" >/dev/null ||
		cat "$work/history.json")"
	# a key is documented when the manual's section names it
	result "the manual has every key of both" "$(
		jq -r '[paths | map(select(type == "string")) | last] | unique[]' "$work/json" \
			"$work/history.json" | grep -v '[][]' | sort -u | while read -r key; do
			case $key in *_total* | *_hours | *_bytes | *_celsius | *_mbps | *_s) continue ;; esac
			sed -n '/^\.Sh DOCUMENTS/,/^\.Sh FILES/p' "$top_srcdir/man/drivewhy-check.7" |
				grep -qE "(^|[ .])$key(\$|[][ ,.;])" || echo "$key"
		done | grep -vxF "$(sed -n 's/^FACT([A-Z_0-9]*, *"\([a-z_]*\)".*/\1/p' \
			"$top_srcdir/src/model/fact.def")")"
else
	check four "$work/three.cap"
	for what in check history manual; do
		n=$((n + 1))
		echo "ok $n - document: $what # SKIP jq is not there"
	done
fi

check nagios "$work/two.cap" --format=nagios
result "one line for monitoring, with performance data" "$(
	[ "$(wc -l <"$work/nagios")" -eq 1 ] || cat "$work/nagios"
	grep -qE "^DRIVEWHY (OK|WARNING) - [^|]* \| 'drives'=1( '[a-z0-9_]+'=-?[0-9]+[c%]?)+\$" \
		"$work/nagios" || cat "$work/nagios")"
"$program" check --state "$state" --format=nagios --config=none "$work/none.cap" \
	>"$work/nagios2" 2>/dev/null
r=$?
result "and an error is unknown" "$([ $r -eq 3 ] || echo "exit status $r"
	has "$work/nagios2" "DRIVEWHY UNKNOWN")"

mkdir -p "$work/nowhere/sys"
"$program" check --state "$state" --format=nagios --config=none --sysroot="$work/nowhere" \
	>"$work/nagios3" 2>/dev/null
r=$?
result "so is a machine without a drive that can be seen" "$(
	[ $r -eq 3 ] || echo "exit status $r"
	has "$work/nagios3" "DRIVEWHY UNKNOWN")"

"$program" history --state "$state" --since=2026-01-02 --csv sda >"$work/csv"
result "since a day" "$(head -n 1 "$work/csv" | grep -qx 'time,name,value,seconds' || head -n 1 "$work/csv"
	grep -q '^2026-01-02T03:00:00Z,interface_crc_errors,42,86400$' "$work/csv" || cat "$work/csv"
	grep '^2026-01-01' "$work/csv")"
"$program" history --state "$state" nosuch >"$work/none" 2>&1
r=$?
result "no such drive: the known ones are listed" "$([ $r -eq 66 ] || echo "exit status $r"
	has "$work/none" "serial TEST0000001")"
"$program" ack --state "$state" sda M04 >"$work/ack" 2>&1
r=$?
result "what is not open cannot be accepted" "$([ $r -eq 66 ] || cat "$work/ack")"
"$program" check --state "$state" --exit=smartctl --config=none "$work/two.cap" >/dev/null 2>&1
r=$?
result "the exit status of smartctl" "$([ $((r & ~4)) -eq 0 ] || echo "exit status $r")"

# after everything else: a tree without any disk
mkdir -p "$work/nowhere/sys/block" "$work/nowhere/sys/class/block"
"$program" check --state "$state" --config=none --sysroot="$work/nowhere" >"$work/gone" 2>"$work/gone.err"
r=$?
result "no drive at all: the known one is gone" "$([ $r -eq 3 ] || echo "exit status $r"
	has "$work/gone" "TEST0000001" "is gone; last seen")"
printf 'ignore-drive = TEST0000500\nignore-drive = /dev/sdq\n' >"$work/skip.conf"
capture "$work/skip.cap" "$(at 9 3)" 1 serial=TEST0000500 wwn=5000000000000500 dev=sdp port=ata50
capture "$work/stay.cap" "$(at 9 4)" 1 serial=TEST0000501 wwn=5000000000000501 dev=sdo port=ata51
"$program" check --state "$work/skip" --config=none "$work/skip.cap" "$work/stay.cap" >/dev/null 2>&1
"$program" check --state "$work/skip" --config="$work/skip.conf" --whole-host "$work/stay.cap" \
	>"$work/skipped" 2>/dev/null
result "a drive that is left out is not gone" "$(hasnt "$work/skipped" "is gone")"
"$program" check --state none --config=none "$work/stay.cap" >"$work/stateless" 2>"$work/stateless.err"
r=$?
result "without a history" "$([ $r -lt 64 ] || echo "exit status $r"
	has "$work/stateless" "is new here"
	hasnt "$work/stateless.err" "history.db")"
