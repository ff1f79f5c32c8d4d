# SPDX-License-Identifier: GPL-2.0-or-later
# The latencies of one run of fio, each as fio logged it: the histogram of our probe must make the same
# figures of them as fio did. Two runs could not be compared so: a busy machine tells them apart.
set -u
work=$top_builddir/tests/percentiles.tmp

for tool in fio jq; do
	if ! command -v "$tool" >/dev/null 2>&1; then
		echo "1..0 # SKIP $tool is not there"
		exit 0
	fi
done
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
dd if=/dev/urandom of="$work/file" bs=1048576 count=8 2>/dev/null || exit 1

# from below a microsecond, where a page is in memory, to many milliseconds, where fio pauses
list=1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99
if ! (cd "$work" && fio --name=a --filename=file --rw=randread --bsrange=512-1m --ioengine=psync \
	--io_size=1g --runtime=2 --write_lat_log=each --percentile_list=$list \
	--output-format=json --output=json >/dev/null 2>fio.log)
then
	echo "1..0 # SKIP fio cannot run here"
	exit 0
fi
sed 's/^[^,]*, *\([0-9]*\),.*/\1/' "$work/each_clat.1.log" >"$work/latencies"

jq -r '.jobs[0].read.clat_ns | "N \(.N)", "min \(.min)", "max \(.max)", "mean \(.mean)",
	"stddev \(.stddev)", (.percentile | to_entries[] | "\(.key) \(.value)")' "$work/json" >"$work/fio"
# shellcheck disable=SC2046 # several words are meant
"$top_builddir/tests/probe/percentiles" $(sed -n 's/^\([0-9.]*\) .*/\1/p' "$work/fio") \
	<"$work/latencies" >"$work/ours" || echo "failed" >>"$work/ours"

n=0
test_is()
{
	n=$((n + 1))
	if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}
echo "# $(wc -l <"$work/latencies") reads, $(sed -n 2,3p "$work/fio" | tr '\n' ' ')ns"
[ "$(wc -l <"$work/latencies")" -ge 20 ] && [ "$(wc -l <"$work/fio")" -eq 22 ]
test_is "fio logged its reads, and made 17 percentiles of them" $?
while read -r name value <&3 && read -r our_name ours <&4; do
	# fio prints six decimals of its mean
	"$AWK" -v a="$value" -v b="$ours" -v same="$([ "$name" = "$our_name" ] && echo 1)" -v name="$name" \
		'BEGIN { d = a - b; exit !(same && (name ~ /mean|stddev/ ? d * d <= a * a * 1e-18 + 1e-6 : a == b)) }'
	test_is "$name: $ours is fio's $value" $?
done 3<"$work/fio" 4<"$work/ours"
[ "$n" -eq 23 ]
test_is "all were compared" $?
echo "1..$n"
