# SPDX-License-Identifier: GPL-2.0-or-later
# The history of a year: hourly samples of 100 drives, six counts that change every hour, inserted in
# the order in which checks would. Size of the file, times of queries and of one more check; then
# 1,000 drives in one check. Figures only; nothing is asserted but the two limits that are promised.
set -u
build=${1:-.}
program=$build/drivewhy
make_drive=$build/tests/history/make-drive
work=$build/tests/bench/history.tmp
hours=${HOURS:-8760}
drives=${DRIVES:-100}

command -v sqlite3 >/dev/null 2>&1 || { echo "sqlite3 is not there"; exit 0; }
rm -rf "$work"
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# drives FILE N AT ERRORS
drives()
{
	file=$1 n=$2 at=$3 errors=$4
	set -- "at=$at" "log=x"
	i=0
	while [ "$i" -lt "$n" ]; do
		set -- "$@" -- p001="$errors" p002="$errors" p003=0 p004=0 p005=0 p006=0 p007=0 p00a=2 \
			a5=0 a9=$((9000 + i)) a12=50 a194=34 a197=0 a198=0 a199="$errors" a241=5 a242=6 read=7 \
			"serial=$(printf 'TEST%07d' "$i")" "wwn=$(printf '5%015d' "$i")" "port=ata$i" \
			"dev=sdx$i"
		i=$((i + 1))
	done
	"$make_drive" "$@" >"$file"
}

# run WHAT COMMAND...: its time and memory
run()
{
	what=$1
	shift
	/usr/bin/env time -f "%e s, %U s of them computing, %M KiB" -o "$work/time" "$@" >"$work/out" 2>"$work/err" ||
		[ $? -lt 64 ] || cat "$work/err"
	echo "$what: $(tail -n 1 "$work/time")"
}

start=1767225600
drives "$work/first.cap" "$drives" "$start" 0
"$program" check --state "$work/state" --config=none "$work/first.cap" >/dev/null 2>&1
sqlite3 "$work/state/history.db" >/dev/null <<END
PRAGMA synchronous = OFF;
BEGIN;
WITH RECURSIVE hour(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM hour WHERE n < $hours)
	INSERT INTO run(at, kind) SELECT $start + n * 3600, 1 FROM hour;
INSERT INTO sample(subject, fact, run, span, value)
	SELECT s.id, f.id, r.id, 3600,
		CASE f.name WHEN 'temperature_celsius' THEN 30 + (r.id * 7 + s.id) % 9
		ELSE r.id * 12345678 + s.id END
	FROM run r, subject s, fact f WHERE r.id > 1 AND s.kind = 0 AND f.name IN ('power_on_hours',
		'temperature_celsius', 'host_written_bytes', 'host_read_bytes', 'boot_read_bytes',
		'boot_written_bytes') ORDER BY r.id;
UPDATE subject SET last = (SELECT max(at) FROM run), last_run = (SELECT max(id) FROM run),
	checked_run = (SELECT max(id) FROM run);
INSERT OR REPLACE INTO meta VALUES('tidied', (SELECT max(at) FROM run));
COMMIT;
END
kib=$(du -k "$work/state/history.db" | cut -f1)
rows=$(sqlite3 "$work/state/history.db" 'SELECT count(*) FROM sample')
echo "$hours hours, $drives drives, $rows samples: $((kib / 1024)) MiB, nothing thinned"
[ "$kib" -lt $((200 * 1024)) ] || echo "TOO LARGE"
run "history of one drive, all" "$program" history --state "$work/state" TEST0000007
run "history of one drive, 30 days" "$program" history --state "$work/state" --since=30d TEST0000007
run "history of one drive, all, csv" "$program" history --state "$work/state" --csv TEST0000007
drives "$work/next.cap" "$drives" $((start + (hours + 1) * 3600)) 0
run "one more check of $drives drives" "$program" check --state "$work/state" --config=none \
	"$work/next.cap"
printf 'thin-days = 60\n' >"$work/thin.conf"
drives "$work/next.cap" "$drives" $((start + (hours + 26) * 3600)) 1
run "a check that thins and shrinks" "$program" check --state "$work/state" \
	--config="$work/thin.conf" "$work/next.cap"
echo "after it: $(($(du -k "$work/state/history.db" | cut -f1) / 1024)) MiB, $(sqlite3 \
	"$work/state/history.db" 'SELECT count(*) FROM sample') samples"

drives "$work/many.cap" 1000 "$start" 0
drives "$work/more.cap" 1000 $((start + 3600)) 5
run "1,000 drives, all new" "$program" check --state "$work/many" --config=none "$work/many.cap"
run "1,000 drives, each with a rise" "$program" check --state "$work/many" --config=none \
	"$work/more.cap"
run "1,000 drives, nothing new" "$program" check --state "$work/many" --config=none \
	"$work/more.cap"
