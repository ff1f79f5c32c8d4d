# SPDX-License-Identifier: GPL-2.0-or-later
# The fio that is installed here runs for a second on a small file. What we read in its text, and
# what we read in its JSON, is compared by jq with the JSON itself.
set -u
program=$top_builddir/drivewhy
work=$top_builddir/tests/fio-live.tmp

. "$top_srcdir/tests/tap.sh"
need fio jq
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
dd if=/dev/urandom of="$work/file" bs=65536 count=64 2>/dev/null || exit 1

# one file for each way to run: reads, mixed with fsync and a range of sizes, a group of jobs
if ! (cd "$work" && fio --output-format=normal,json --filename=file --size=4m --runtime=1 \
	--time_based --group_reporting \
	--name=reads --rw=randread --bs=4k --ioengine=psync \
	--name=mixed --new_group --rw=randrw --bsrange=4k-16k --ioengine=psync --fsync=64 \
	--name=group --new_group --rw=read --bs=64k --ioengine=psync --numjobs=2 \
	>mixed 2>fio.log)
then
	echo "1..0 # SKIP fio cannot run here"
	exit 0
fi
"$AWK" -v json="$work/fio.json" -v text="$work/fio.txt" '
	/^\{/ { inside = 1 }
	{ print > (inside ? json : text) }
	/^\}/ { inside = 0 }' "$work/mixed"
for name in txt json; do
	"$program" show --json "$work/fio.$name" >"$work/ours.$name" 2>"$work/messages.$name"
done

# Both documents become lists of the same objects, then each pair of values is one test.
jq -n -r --slurpfile fio "$work/fio.json" --slurpfile text "$work/ours.txt" \
	--slurpfile json "$work/ours.json" '
	def runs: [ .jobs[] as $job | ("read", "write") as $d | $job[$d] | select(.runtime > 0)
		| { direction: $d, job: $job, run: . } ];
	def abs: if . < 0 then -. else . end;
	def near(a; b; d): (a - b | abs) <= d;
	def test(name; good): "\(if good then "ok" else "not ok" end) \(name)";
	# times in the text are cut to microseconds, long ones to thousands of them; when even
	# the least is above a millisecond, to milliseconds
	def unit(lat): if lat.min > 1000000 then 1000000 else 1000 end;

	def common($name; $ours; $fio):
		test("\($name): direction"; $ours.direction == $fio.direction),
		test("\($name): title"; $ours.title == $fio.job.jobname),
		test("\($name): requests"; $ours.ios == $fio.run.total_ios),
		test("\($name): run time"; $ours.runtime_ms == $fio.run.runtime),
		test("\($name): rate";
			near($ours.iops; $fio.run.total_ios * 1000 / $fio.run.runtime; 0.001));

	def from_text($ours; $fio; $name):
		common($name; $ours; $fio),
		test("\($name): bytes"; near($ours.bytes; $fio.run.io_bytes;
			if $fio.job.jobname == "mixed" then $fio.run.io_bytes / 100
			else 0 end)),
		($fio.run.lat_ns as $lat | unit($lat) as $unit
			| ("min", "max", "mean") as $k
			| test("\($name): latency \($k)";
				near($ours.latency_ns[$k]; $lat[$k];
					$unit + $lat[$k] / 5000))),
		($fio.run.clat_ns as $lat | unit($lat) as $unit
			| $lat.percentile | to_entries[] | (.key | tonumber | tostring) as $p
			| ($ours.latency_ns.percentile[$p]) as $v
			| test("\($name): percentile \($p)";
				$v != null and $v >= .value and $v - .value < $unit)),
		(if $fio.job.jobname == "mixed" then
			test("\($name): no shares of both directions"; $ours.buckets == [])
		else
			([ ["ns", 1], ["us", 1000], ["ms", 1000000] ][] as [$u, $ns]
			| $fio.job["latency_" + $u] | to_entries[]
			| select(.value > 0 and .key != ">=2000")
			| ((.key | tonumber) * $ns) as $edge
			| ([ $ours.buckets[] | select(.up_to_ns == $edge) ][0]) as $b
			| test("\($name): share up to \($edge) ns";
				$b != null and near($b.share * 100; .value; 0.0051)))
		end);

	def from_json($ours; $fio; $name):
		common($name; $ours; $fio),
		test("\($name): bytes"; $ours.bytes == $fio.run.io_bytes),
		($fio.run.lat_ns as $lat | ("min", "max", "mean", "stddev") as $k
			| test("\($name): latency \($k)";
				near($ours.latency_ns[$k]; $lat[$k]; 0.51))),
		($fio.run.clat_ns.percentile | to_entries[]
			| (.key | tonumber | tostring) as $p
			| test("\($name): percentile \($p)";
				$ours.latency_ns.percentile[$p] == .value));

	def disks($ours; $fio; $name):
		range($fio | length) as $i
		| ([ ["reads", "read_ios"], ["writes", "write_ios"],
			["read_merges", "read_merges"], ["write_merges", "write_merges"],
			["read_ms", "read_ticks"], ["write_ms", "write_ticks"],
			["queue_ms", "in_queue"] ][]) as [$a, $b]
		| test("\($name): disk \($fio[$i].name) \($a)"; $ours[$i][$a] == $fio[$i][$b]);

	($fio[0] | runs) as $runs
	| (["text", $text[0]], ["JSON", $json[0]]) as [$name, $ours]
	| [ $ours.drives[].reads[] ] as $reads | [ $ours.drives[].disks // [] | .[] ] as $disks
	| test("\($name): number of runs"; ($reads | length) == ($runs | length)),
	  (range($runs | length) as $i
		| "\($name), \($runs[$i].job.jobname) \($runs[$i].direction)" as $n
		| if $name == "text" then from_text($reads[$i]; $runs[$i]; $n)
		  else from_json($reads[$i]; $runs[$i]; $n) end),
	  disks($disks; $fio[0].disk_util; $name)
' >"$work/tests" 2>"$work/jq.log" || echo "not ok jq: $(head -n 1 "$work/jq.log")" >>"$work/tests"

"$AWK" '{ good = sub(/^ok /, ""); sub(/^not ok /, ""); gsub(/#/, "")
	print (good ? "ok " : "not ok ") NR " - " $0 } END { print "1.." NR }' "$work/tests"
if grep -q '^not ok' "$work/tests"; then
	sed 's/^/# /' "$work/fio.txt" "$work/messages.txt"
fi
