# SPDX-License-Identifier: GPL-2.0-or-later
# A check that is killed at any moment: the history opens, is whole, and holds every run that had
# reported. 50 times; 1,000 times with DRIVEWHY_LONG (quickstart check --long).
name=kill
. "$top_srcdir/tests/history/lib.sh"
started_often

command -v sqlite3 >/dev/null 2>&1 || {
	echo "1..0 # SKIP sqlite3 is not there"
	exit 0
}
rounds=50
[ -z "${DRIVEWHY_LONG:-}" ] || rounds=1000
db=$state/history.db

# ask SQL: by another program, as a reader that comes along
ask()
{
	sqlite3 -readonly "$db" "$1" 2>&1
}

# capture N: every run has a rise, so every run has something to tell
capture()
{
	set -- "$1" $((100 + $1 * 3))
	"$make_drive" "at=$(($(at 1 0) + $1 * 3600))" -- p001="$2" p003="$2" p00a=2 a5=0 a9="$1" \
		a12=5 a194=30 a197=0 a199="$2" -- p001="$2" p00a=1 a5="$1" a9="$1" a12=1 a194=31 \
		serial=TEST0000002 wwn=5000000000000002 port=ata2 dev=sdb >"$work/$1.cap"
}

# How long one takes at least, in milliseconds, to kill it anywhere within. Another load later on
# makes that wrong, so each run corrects it: a killed one was too slow, one that ended too fast.
took=
for i in 0 1 2; do
	capture 0
	start=$(date +%s%N)
	"$program" check --state "$state" --config=none "$work/0.cap" >"$work/0.out" 2>&1
	now=$((($(date +%s%N) - start) / 1000000 + 1))
	[ -n "$took" ] && [ "$took" -le "$now" ] || took=$now
done

reported=0 killed=0 lost= broken= untold=
i=1
while [ "$i" -le "$rounds" ]; do
	capture "$i"
	"$program" check --state "$state" --config=none "$work/$i.cap" >"$work/out" 2>"$work/err" &
	pid=$!
	# anywhere from before its beginning to behind its end
	ms=$(($(od -An -N2 -tu2 /dev/urandom) % (took + took / 3 + 1)))
	sleep "$(printf '0.%03d' "$ms")"
	if kill -9 "$pid" 2>/dev/null; then
		killed=$((killed + 1))
		took=$((took + took / 16 + 1))
	else
		took=$((took - took / 8))
	fi
	wait "$pid" 2>/dev/null
	[ "$(ask 'PRAGMA integrity_check')" = ok ] || broken="$broken $i"
	# what was printed of this run is in the file
	if grep -q "link errors" "$work/out"; then
		reported=$((reported + 1))
		stored=$(ask "SELECT count(*) FROM run WHERE at = $(($(at 1 0) + i * 3600))")
		if [ "$stored" != 1 ]; then
			lost="$lost $i ($stored)"
			sed "s/^/# $i: /" "$work/out" "$work/err"
		fi
	fi
	rm -f "$work/$i.cap"
	i=$((i + 1))
done

# One that is left in peace tells everything that the killed ones stored and could not tell.
capture "$i"
"$program" check --state "$state" --config=none "$work/$i.cap" >"$work/last" 2>&1
[ "$(ask 'SELECT count(*) FROM message WHERE told = 0')" = 0 ] || untold=1
total=$(ask "SELECT total FROM now JOIN fact ON fact.id = now.fact JOIN subject ON
	subject.id = now.subject WHERE name = 'phy[001].value' AND serial = 'TEST0000001' AND kind = 0")

echo 1..5
echo "# $rounds runs, $killed killed within about $took ms and a third, $reported had reported"
result "the history is whole each time" "${broken:+damaged after$broken}"
result "every run that had reported is in it" "${lost:+lost:$lost}"
result "some were killed, and some reported" \
	"$([ "$killed" -gt $((rounds / 10)) ] && [ "$reported" -gt 0 ] || echo "$killed, $reported")"
result "nothing that was stored stays untold" "${untold:+$(ask 'SELECT text FROM message WHERE told = 0')}"
result "the total is what the drive says" "$([ "$total" = $((100 + i * 3)) ] || echo "$total")"
