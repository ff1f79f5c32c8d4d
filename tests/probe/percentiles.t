# SPDX-License-Identifier: GPL-2.0-or-later
# The latencies of one run of fio, each as fio logged it: the histogram of our probe must make the same
# figures of them as fio did. Two runs could not be compared so: a busy machine tells them apart.
set -u
work=$top_builddir/tests/percentiles.tmp

. "$top_srcdir/tests/tap.sh"
need fio jq
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

echo "# $(wc -l <"$work/latencies") reads, $(sed -n 2,3p "$work/fio" | tr '\n' ' ')ns"
result "fio logged its reads, and made 17 percentiles of them" "$(
	[ "$(wc -l <"$work/latencies")" -ge 20 ] && [ "$(wc -l <"$work/fio")" -eq 22 ] || cat "$work/fio")"
while read -r name value <&3 && read -r our_name ours <&4; do
	# fio prints six decimals of its mean
	result "$name: $ours is fio's $value" "$("$AWK" -v a="$value" -v b="$ours" -v name="$name" \
		-v same="$([ "$name" = "$our_name" ] && echo 1)" 'BEGIN { d = a - b
			if (!same || (name ~ /mean|stddev/ ? d * d > a * a * 1e-18 + 1e-6 : a != b))
				print "another" }')"
done 3<"$work/fio" 4<"$work/ours"
result "all were compared" "$([ "$n" -eq 23 ] || echo "$n")"
echo "1..$n"
