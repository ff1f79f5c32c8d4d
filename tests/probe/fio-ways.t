# SPDX-License-Identifier: GPL-2.0-or-later
# The program in fio's words: posted job files and command lines run as they stand, as reads; what
# writes is refused; its output as fio's text and JSON says the same, is read back as the same, and
# has the keys and units of the fio that is installed here.
set -u
program=$top_builddir/drivewhy
work=$top_builddir/tests/fio-ways.tmp
n=0

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
dd if=/dev/urandom of="$work/file" bs=65536 count=64 2>/dev/null || exit 1

# ok WHAT COMMAND...: one test
ok()
{
	what=$1
	shift
	n=$((n + 1))
	if "$@" >"$work/log" 2>&1; then
		echo "ok $n - $what"
	else
		sed 's/^/# /' "$work/log"
		echo "not ok $n - $what"
	fi
}

skip()
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# the first job file of a mailing list thread, on a file and with a shorter time
job()
{
	cat <<END
[global]
ioengine=libaio
direct=1
filename=$work/file
size=476940m
$1
[zufälliglesen]
rw=randread
runtime=100ms
[sequentielllesen]
stonewall
rw=read
runtime=100ms
END
}
job 'bsrange=4k-16k' >"$work/first.job"
job 'blocksize=4k
blockalign=64k' >"$work/second.job"

"$program" probe --format=fio "$work/first.job" >"$work/first.txt" 2>"$work/first.err"
ok "a posted job file runs" test -s "$work/first.txt"
ok "its names are kept" grep -q '^zufälliglesen: (groupid=0, jobs=1): err= 0' "$work/first.txt"
ok "the job behind stonewall is a group of its own" \
	grep -q '^sequentielllesen: (groupid=1, jobs=1): err= 0' "$work/first.txt"
ok "a range of sizes is told" grep -q 'rw=randread, bs=(R) 4096B-16.0KiB,' "$work/first.txt"
"$program" probe --format=fio "$work/second.job" >"$work/second.txt" 2>"$work/second.err"
# 4 MiB have 64 places that are aligned to 64 KiB; a random job reads as much as the file holds
ok "the second one runs too" grep -q '^sequentielllesen: (groupid=1' "$work/second.txt"

# the command line of another thread, with a read for its write
words="-direct=1 -time_based -iodepth=64 -ioengine=libaio -bs=64K -size=1M -numjob=16 -runtime=1
	-group_reporting -name=file -filename=$work/file"
# shellcheck disable=SC2086 # words
"$program" probe $words -rw=randread --format=fio >"$work/line.txt" 2>"$work/line.err"
ok "a posted command line runs, sixteen jobs are one" \
	grep -q '^file: (groupid=0, jobs=16): err= 0' "$work/line.txt"
# shellcheck disable=SC2086 # words
"$program" probe $words -rw=randwrite >"$work/write.txt" 2>"$work/write.err"
ok "as it was posted it would write: exit 64" test $? -eq 64
ok "and one line says so" test "$(grep -c 'would write' "$work/write.err")" -eq 1
ok "nothing else is printed" test ! -s "$work/write.txt" -a "$(wc -l <"$work/write.err")" -eq 1
ok "the file is as it was" test "$(wc -c <"$work/file")" -eq 4194304

"$program" probe --rw=read --bs=64k --name=all --output-format=json "$work/file" \
	>"$work/all.json" 2>"$work/all.err"
"$program" probe --rw=read --bs=64k --name=all --format=fio "$work/file" \
	>"$work/all.txt" 2>"$work/all.err"
ok "options and a target are enough" grep -q '^all: (groupid=0, jobs=1)' "$work/all.txt"
ok "4 MiB in 64 KiB are 64 reads" grep -q 'issued rwts: total=64,0,0,0' "$work/all.txt"

if command -v jq >/dev/null 2>&1; then
	ok "JSON counts the same" \
		jq -e '.jobs[0].read | .total_ios == 64 and .io_bytes == 4194304 and
			.io_kbytes == 4096 and .clat_ns.N == 64' "$work/all.json"
	ok "JSON is consistent in itself" \
		jq -e '.jobs[0] | .read.clat_ns as $c |
			($c.min <= $c.mean and $c.mean <= $c.max) and
			($c.percentile["50.000000"] <= $c.percentile["99.000000"]) and
			((.read.bw_bytes - .read.io_bytes * 1000 / .read.runtime | fabs) <=
				.read.bw_bytes / .read.runtime + 1) and
			([.latency_ns, .latency_us, .latency_ms | add] | add | . - 100 | fabs) < 0.01' \
		"$work/all.json"
	for kind in txt json; do
		"$program" show --json "$work/all.$kind" >"$work/again.$kind" 2>/dev/null
	done
	# text rounds: 0.5 in the last of two decimals, a microsecond, a nanosecond
	same='.drives[0].reads + (.host.reads // []) | .[0] | [.title, .pattern, .block_bytes,
		.depth, .jobs, .ios, .bytes, .direction]'
	ok "what is printed as text is read back" \
		test "$(jq -c "$same" "$work/again.txt")" = '["all","read",65536,1,1,64,4194304,"read"]'
	# fio's JSON does not tell how many jobs one entry stands for
	ok "what is printed as JSON is read back" \
		test "$(jq -c "$same" "$work/again.json")" = '["all","read",65536,1,null,64,4194304,"read"]'
	# the figures of the JSON are whole: they must come back as they were
	jq -c '.jobs[0].read | [.clat_ns.min, .clat_ns.max, .clat_ns.percentile["99.000000"]]' \
		"$work/all.json" >"$work/figures"
	jq -c '.drives[0].reads + (.host.reads // []) | .[0] |
		[.clat_ns.min, .clat_ns.max, .latency_ns.percentile["99"]]' \
		"$work/again.json" >"$work/figures.again"
	ok "with its latencies" cmp "$work/figures" "$work/figures.again"
else
	for what in "JSON counts the same" "JSON is consistent in itself" \
		"what is printed as text is read back" "what is printed as JSON is read back" \
		"with its latencies"; do
		skip "$what" "no jq"
	done
fi

# units(): what a size is to fio, and to us
unit()
{
	printf '%s ' "$1"
	"$2" $3 --name=a --filename="$work/file" --rw=read --bs="$1" --number_ios=1 $4 2>/dev/null |
		sed -n 's/.*bs=(R) \([^,]*\),.*/\1/p' | head -n 1
}
# shellcheck disable=SC2086 # words
if command -v fio >/dev/null 2>&1 && command -v jq >/dev/null 2>&1 &&
	fio --readonly --name=all --filename="$work/file" --rw=read --bs=64k \
		--output-format=json >"$work/fio.json" 2>/dev/null; then
	for size in 4k 4K 4kb 4kib 4Ki 1m 0x1000 512; do
		unit "$size" fio '' ''
	done >"$work/units.fio"
	for size in 4k 4K 4kb 4kib 4Ki 1m 0x1000 512; do
		unit "$size" "$program" probe --format=fio
	done >"$work/units.ours"
	ok "sizes mean what they mean to fio" cmp "$work/units.fio" "$work/units.ours"
	# every key of ours is one of fio's, but for the table of options
	keys='[paths | map(if type == "number" then 0 else . end) |
		select((contains(["job options"]) or contains(["disk_util"])) | not)] | unique | .[] | join("/")'
	jq -r "$keys" "$work/fio.json" | sort >"$work/keys.fio"
	jq -r "$keys" "$work/all.json" | sort >"$work/keys.ours"
	ok "every key of the JSON is one of fio's" \
		test -z "$(comm -13 "$work/keys.fio" "$work/keys.ours")"
	ok "and few of fio's are missing: those that are not measured" \
		test -z "$(comm -23 "$work/keys.fio" "$work/keys.ours" |
			grep -vE '^(timestamp|time|jobs/0/(eta|elapsed|sync|latency_(depth|target|percentile|window)|iodepth_)|jobs/0/(read|write|trim)/(slat_ns|clat_ns|lat_ns|bw_|iops_)|global options)')"
	"$program" --format=fio-json "$work/fio.json" >"$work/through.json" 2>/dev/null
	figures='.jobs[0].read | [.io_bytes, .total_ios, .runtime, .clat_ns.min, .clat_ns.max,
		.clat_ns.percentile]'
	jq -S -c "$figures" "$work/fio.json" >"$work/in"
	jq -S -c "$figures" "$work/through.json" >"$work/out"
	ok "JSON of fio goes through unchanged" cmp "$work/in" "$work/out"
else
	for what in "sizes mean what they mean to fio" "every key of the JSON is one of fio's" \
		"and few of fio's are missing: those that are not measured" \
		"JSON of fio goes through unchanged"; do
		skip "$what" "no fio or jq"
	done
fi
echo "1..$n"
