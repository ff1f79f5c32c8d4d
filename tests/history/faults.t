# SPDX-License-Identifier: GPL-2.0-or-later
# What can go wrong with the history: a check still reports, and says what it could not store.
name=faults
. "$top_srcdir/tests/history/lib.sh"
started_often
db=$state/history.db

# capture FILE TIME ERRORS WORD...
capture()
{
	file=$1
	time=$2
	errors=$3
	shift 3
	"$make_drive" "at=$time" "log=[ 1.0] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)" -- p001="$errors" p003="$errors" p00a=2 a5=0 \
		a9=9 a12=5 a194=30 a197=0 a199="$errors" "$@" >"$file"
}

# check NAME CAPTURE OPTION...: output in NAME, messages in NAME.err, status in NAME.status
check()
{
	out=$work/$1
	file=$2
	shift 2
	"$program" check --state "$state" --config=none "$@" "$file" >"$out" 2>"$out.err"
	echo $? >"$out.status"
}

ends()
{
	[ "$(cat "$work/$1.status")" = "$2" ] || echo "exit status $(cat "$work/$1.status"), not $2"
}

capture "$work/one.cap" "$(at 1 3)" 5
capture "$work/two.cap" "$(at 2 3)" 42
echo 1..24
check first "$work/one.cap"

# --- a folder that cannot be written ---
as=
[ "$(id -u)" -ne 0 ] ||
	as="setpriv --bounding-set=-all --inh-caps=-all --reuid=65534 --clear-groups"
chmod 755 "$work"
# root may write anything, so another user is needed, who may at least come here
if $as test -x "$program" 2>/dev/null && $as test -r "$work/two.cap"; then
	cp -r "$state" "$work/readonly"
	chmod -R a-w "$work/readonly"
	$as "$program" check --state "$work/readonly" --config=none "$work/two.cap" \
		>"$work/readonly.out" 2>"$work/readonly.err"
	echo $? >"$work/readonly.status"
	result "read-only: the rise is told" "$(has "$work/readonly.out" "001h +37" "since yesterday 03:00"
		ends readonly 1)"
	result "read-only: and that nothing is stored" "$(has "$work/readonly.err" \
		"nothing of this run is stored")"
	chmod -R u+w "$work/readonly"
else
	for what in told stored; do
		n=$((n + 1))
		echo "ok $n - read-only: $what # SKIP no other user can come here"
	done
fi

# --- a full disk: no file may grow beyond so many blocks, which are 512 bytes
# in some shells and 1,024 in others ---
# 30: the files beside the history cannot be made; 66: they can, and the changes do not fit: so
# there are many of them
many()
{
	set --
	for i in 1 2 3 4 5 6 7 8 9; do
		for k in 1 2 3 4; do
			set -- "$@" -- "p001=$errors" "p002=$errors" "p003=$errors" "p005=$errors" a5=0 \
				"serial=TEST00003$k$i" "wwn=50000000000003$k$i" "port=ata3$k$i" \
				"dev=sdy$k$i"
		done
	done
	capture "$work/$file.cap" "$time" "$errors" "$@"
}
file=many1 time=$(at 1 4) errors=5
many
file=many2 time=$(at 2 3) errors=42
many
check many1 "$work/many1.cap"
cp -r "$state" "$work/before-full"
for blocks in 30 66; do
	rm -rf "$state"
	cp -r "$work/before-full" "$state"
	(
		# a subshell: the limit is for ever
		ulimit -f $blocks
		trap '' XFSZ
		check full "$work/many2.cap"
	)
	result "full disk ($blocks): the rise is told" "$(has "$work/full" "001h +37"
		ends full 1)"
	result "full disk ($blocks): and that nothing is stored" \
		"$(has "$work/full.err" "nothing of this run is stored")"
	check after "$work/many2.cap"
	result "full disk ($blocks): the next run tells it again, and stores it" \
		"$(has "$work/after" "001h +37"
		hasnt "$work/after.err" "stored")"
	check again "$work/many2.cap"
	result "full disk ($blocks): and the next is silent" \
		"$([ ! -s "$work/again" ] || cat "$work/again")"
done

# --- a damaged file ---
rm -rf "$state"
check first "$work/one.cap"
check second "$work/two.cap"
cp "$db" "$work/good.db"
dd if=/dev/urandom of="$db" bs=1024 seek=0 count=8 conv=notrunc 2>/dev/null
check damaged "$work/two.cap"
result "damaged: put aside, and a new one begun" "$(has "$work/damaged.err" "damaged" "put aside"
	[ -f "$db.damaged-1" ] || echo "not there"
	has "$work/damaged" "is new here")"
check damaged2 "$work/two.cap"
result "damaged: the new one is used" "$([ ! -s "$work/damaged2" ] || cat "$work/damaged2")"
# in the middle, where opening does not see it
cp "$work/good.db" "$db"
rm -f "$db-wal" "$db-shm"
size=$(wc -c <"$db")
dd if=/dev/urandom of="$db" bs=1 seek=$((size / 3)) count=$((size / 3)) conv=notrunc 2>/dev/null
capture "$work/three.cap" "$(at 3 3)" 50
check middle "$work/three.cap"
result "damaged in the middle: the run reports" "$([ -s "$work/middle" ] || echo "nothing printed"
	[ "$(cat "$work/middle.status")" -lt 64 ] || ends middle 1)"
# anywhere, always the same way
result "damaged in 40 places: each run ends, and the next one is well" "$(
	size=$(wc -c <"$work/good.db")
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 \
		32 33 34 35 36 37 38 39 40; do
		rm -rf "$state"
		mkdir "$state"
		cp "$work/good.db" "$db"
		at=$((i * 7919 * 4801 % size))
		head -c $((1 + i * 37 % 400)) "$work/three.cap" |
			dd of="$db" bs=1 seek=$at conv=notrunc 2>/dev/null
		check any "$work/three.cap"
		[ "$(cat "$work/any.status")" -lt 64 ] || {
			echo "place $i: exit status $(cat "$work/any.status")"
			cat "$work/any.err"
		}
		check any "$work/three.cap"
		[ "$(cat "$work/any.status")" -lt 64 ] || echo "place $i, then: $(cat "$work/any.status")"
		"$program" history --state "$state" TEST0000001 >/dev/null 2>&1
		[ $? -lt 70 ] || echo "place $i: history"
	done)"
: >"$db"
rm -f "$db-wal" "$db-shm"
check empty "$work/two.cap"
result "an empty file is made a history" "$(has "$work/empty" "is new here"
	hasnt "$work/empty.err" "stored")"
rm -rf "$state"
: >"$work/state"
check nofolder "$work/two.cap"
result "a file where the folder should be" "$(has "$work/nofolder" "is new here"
	has "$work/nofolder.err" "nothing of this run is stored")"
rm -f "$work/state"

# --- a file of a newer version ---
cp "$work/good.db" "$work/newer.db"
mkdir -p "$work/newer"
cp "$work/good.db" "$work/newer/history.db"
if command -v sqlite3 >/dev/null 2>&1; then
	sqlite3 "$work/newer/history.db" 'PRAGMA user_version = 999'
	sum=$(cksum <"$work/newer/history.db")
	"$program" check --state "$work/newer" --config=none "$work/two.cap" >"$work/newer.out" \
		2>"$work/newer.err"
	result "a newer version is left alone" "$(has "$work/newer.err" "newer version"
		[ "$sum" = "$(cksum <"$work/newer/history.db")" ] || echo "it was changed")"
else
	n=$((n + 1))
	echo "ok $n - a newer version # SKIP sqlite3 is not there"
fi

# --- two runs at once ---
check start "$work/one.cap"
for i in 1 2 3 4 5 6; do
	capture "$work/p$i.cap" "$(at 2 "$i")" $((5 + i)) "serial=TEST000010$i" "wwn=500000000000010$i" \
		"port=ata1$i" "dev=sdx$i"
	"$program" check --state "$state" --config=none "$work/p$i.cap" >"$work/p$i" 2>"$work/p$i.err" &
done
wait
result "six runs at once: each is stored" "$(
	for i in 1 2 3 4 5 6; do
		has "$work/p$i" "is new here"
		hasnt "$work/p$i.err" "stored"
		"$program" history --state "$state" --csv "TEST000010$i" | grep -q 'phy\[001\]' ||
			echo "run $i is not there"
	done)"

# --- the same capture judged again ---
capture "$work/before.cap" "$(at 3 3)" 100 serial=TEST0000200 wwn=5000000000000200
capture "$work/now.cap" "$(at 4 3)" 137 serial=TEST0000200 wwn=5000000000000200
check before "$work/before.cap"
check save "$work/now.cap" --save="$work/saved.cap"
"$program" why "$work/saved.cap" >"$work/judged" 2>&1
result "the baseline goes into the capture" "$(grep -q '^snapshot .*role=baseline' "$work/saved.cap" ||
	echo "no baseline"
	has "$work/judged" "L01" "rose by 37" "since 1 day ago"
	# days of them would look like power lost while the machine ran
	grep 'power_cycles=' "$work/saved.cap")"

# --- output ---
check prom "$work/now.cap" --format=prometheus --output="$work/dir/none/x.prom"
result "a file that cannot be written is said" "$(has "$work/prom.err" "No such file"
	ends prom 70)"
mkdir -p "$work/text"
echo old >"$work/text/x.prom"
(
	trap '' XFSZ
	ulimit -f 1
	check prom2 "$work/now.cap" --format=prometheus --output="$work/text/x.prom"
)
result "a file that does not fit leaves the old one" "$(grep -qx old "$work/text/x.prom" ||
	echo "it is damaged"
	find "$work/text" -name '.*tmp*')"
capture "$work/told.cap" "$(at 5 3)" 150 serial=TEST0000200 wwn=5000000000000200
if [ -w /dev/full ]; then
	"$program" check --state "$state" --config=none "$work/told.cap" >/dev/full 2>"$work/full2.err"
	r=$?
	check told "$work/told.cap"
	result "what could not be printed is told by the next run" "$([ $r -eq 70 ] || echo "status $r"
		has "$work/told" "001h +13")"
else
	n=$((n + 1))
	echo "ok $n - what could not be printed # SKIP /dev/full is not there"
fi

# --- bad configuration ---
printf 'remind = 7\nnosuch = 1\nignore = X99\n' >"$work/bad.conf"
"$program" check --state "$state" --config="$work/bad.conf" "$work/told.cap" >"$work/bad" 2>"$work/bad.err"
result "mistakes in the configuration are named by their lines" "$(
	has "$work/bad.err" "bad.conf:2: no such key: 'nosuch'" "bad.conf:3:"
	[ ! -s "$work/bad" ] || cat "$work/bad")"
printf 'ignore = TEST0000200 interface_crc_errors\nignore = phy\nignore = L01\n' >"$work/quiet.conf"
capture "$work/quiet.cap" "$(at 6 3)" 160 serial=TEST0000200 wwn=5000000000000200
"$program" check --state "$state" --config="$work/quiet.conf" "$work/quiet.cap" >"$work/quiet" 2>"$work/quiet.err"
r=$?
result "what is ignored is not told" "$([ ! -s "$work/quiet" ] || cat "$work/quiet"
	[ $r -eq 0 ] || echo "exit status $r")"
