# SPDX-License-Identifier: GPL-2.0-or-later
# Three public threads, read as they were posted. The texts are not part of this project; what they
# say is typed here by hand, and the sums are done by awk from the same figures.
set -u
shared=${DRIVEWHY_SHARED:-$top_srcdir/../shared}
seeds=$shared/seeds
[ -r "$seeds/slow-new-ssd-thread.txt" ] || { echo "1..0 # SKIP the posted threads are not there"; exit 0; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "$top_srcdir/tests/tap.sh"

judge() { # name file
	"$top_builddir/drivewhy" --db-builtin-only --json "$seeds/$2" >"$work/$1.json" 2>"$work/$1.err"
	echo $? >"$work/$1.status"
}

is() { # name filter expected
	got=$(jq -r "$2" "$work/$1.json")
	[ "$got" = "$3" ] || { echo "# $1: $2 is '$got', not '$3'"; return 1; }
}

status() { [ "$(cat "$work/$1.status")" = "$2" ]; }

judge ssd slow-new-ssd-thread.txt
ok "fio and smartctl are one drive" is ssd '.drives | length' 1
ok "who it is" is ssd '.drives[0].identity | .model + " " + .firmware' "SAMSUNG SSD 830 Series CXM03B1Q"
ok "36 hours on" is ssd '.drives[0].facts.power_on_hours.value' 36
ok "random 253 and 233, sequential 368 and 414 a second" is ssd \
	'[.drives[0].reads[] | .pattern + "=" + (.iops | floor | tostring)] | join(" ")' \
	"randread=253 read=368 randread=233 read=414"
ok "they are recomputed from counts: 15208 in 60012 ms" is ssd \
	'.drives[0].reads[0] | (.iops * 1000 | round), .ios, .runtime_ms' "$(printf '253416\n15208\n60012')"
# 4=.05 10=.01 20=.01 50=8.07 250=26.26 500=2.78 750=.30 1000=.09 2=.12 4=.07 10=20.75 20=21.51 50=.05
ok "42 % of the random reads are slow" is ssd '.drives[0].reads[0].slow.share | . > 0.42 and . < 0.425' true
# mean 3915.39 us; what is below 1 ms cannot hold more than its buckets' upper edges: 107 us of it
ok "they hold at least 97 % of the latency" is ssd '.drives[0].reads[0].slow.time_share | . > 0.97 and . < 0.99' true
ok "the damaged share is repaired, and said so" is ssd \
	'[.drives[0].reads[0].buckets[] | select(.repaired) | .share] | map(. * 10000 | round) | join(" ")' 1994
ok "its line is named" is ssd '[.messages[] | select(.text | test("1iiiiiiii9.94")) | .line] | join(" ")' 47
ok "a fixed step near 5.9 ms" is ssd \
	'.drives[0].reads[0].slow.ladder_step_ns / 1e6 | . > 5.5 and . < 6.1' true
ok "foreign reads 30.9 % and 29.3 %, 139 a second" is ssd \
	'[.drives[0].reads[0,2].foreign | (.share * 1000 | round | tostring) + "/" + (.per_second | round | tostring)] | join(" ")' \
	"309/139 293/134"
ok "16688 foreign reads: 54013 - 15208 - 22117" is ssd '.drives[0].reads[0].foreign.reads' 16688
ok "2.19 and 2.11 requests outstanding" is ssd \
	'[.drives[0].reads[0,2].foreign.mean_outstanding * 100 | round] | join(" ")' "219 211"
ok "verdict D11, moderate" is ssd '.drives[0].verdict | .code + " " + .confidence' "D11 moderate"
ok "where: in the queue or below, in fixed steps, not the cable" is ssd '.drives[0].findings[0].where' \
	"at or below the request queue, in fixed steps, not the cable"
ok "1/30 of the model at depth 1" is ssd \
	'[.drives[0].findings[0].evidence[].text | select(test("about 1/(28|29|30) of what this model"))] | length' 1
ok "two classes, equally frequent" is ssd \
	'[.drives[0].findings[0].evidence[].text | select(test("5\\.[0-9] ms .*1[12]\\.[0-9] ms .*equally frequent"))] | length' 1
ok "foreign load stands against, as a condition" is ssd \
	'[.drives[0].findings[0].against[].text | select(test("30.9 % and 29.3 %.*condition, not a cause"))] | length' 1
ok "rival L05, weak" is ssd '[.drives[0].findings[] | select(.code == "L05") | .confidence] | join(" ")' weak
ok "no link verdict" is ssd '[.drives[0].findings[] | select(.code == "L01" or .code == "L09")] | length' 0
ok "one test: rescue system, max_performance, scheduler none, ten seconds" is ssd \
	'.drives[0].findings[0].next[0] | test("rescue system.*max_performance.*none.*ten seconds")' true
ok "fourteen constants" is ssd '[.drives[0].phy.counters[] | select(.trust == "constant")] | length' 14
ok "exit status 1: a warning" status ssd 1

judge fs virtiofs-fio-2.13-runs.txt
ok "two runs that write, as posted" is fs \
	'[.drives[0].reads[] | .direction + "=" + (.posted_iops | tostring)] | join(" ")' "write=895 write=1758"
ok "916988 KB/s and 1758.7 MB/s" is fs \
	'[.drives[0].reads[].posted_bandwidth_bytes / 1024 | round] | join(" ")' "916988 1800909"
ok "cannot tell" is fs '.drives[0].verdict.code' Z01
ok "no drive: identity is null" is fs '.drives[0].identity.model' null
ok "ratio 1.96" is fs '[.drives[0].findings[0].evidence[].text | select(test("1.96 times"))] | length' 1
ok "what to collect" is fs '.drives[0].findings[0].next | length > 1' true
ok "exit status 3: cannot tell" status fs 3

judge ext4 ext4-stalls-report.txt
ok "all rows: 20 of mmtests, 16 of iostat" is ext4 '[.host.comparisons[].rows | length] | join(" ")' "20 16"
ok "two columns" is ext4 '[.host.comparisons[0].columns[]] | join("|")' "3.9.0-rc6 vanilla|3.9.0-rc6 ext4tag"
ok "a cell that is no number is null" is ext4 \
	'.host.comparisons[0].rows[] | select(.name == "User mean") | .values[0]' null
ok "stalled tasks" is ext4 '[.host.stalled_tasks[] | [.total_ms, .events] | join("/")] | join(" ")' \
	"3325677/57 2411471/42 1336064/109 2338781/164"
ok "58 s a stall in sleep_on_buffer" is ext4 \
	'[.host.findings[0].evidence[].text | select(test("sleep_on_buffer: 57 stalls.*58 s each"))] | length' 1
ok "a write backlog in sda's queue" is ext4 '.drives[0] | .verdict.code + " " + .identity.device' "P02 sda"
ok "r_await 30 against w_await 11229" is ext4 \
	'[.drives[0].findings[0].evidence[].text | select(test("11229 ms.*a read 30 ms"))] | length' 1
# 650.29 / 2.50133 s
ok "650 queued, about 260 a second done" is ext4 \
	'[.drives[0].findings[0].evidence[].text | select(test("650 requests|about 260 requests a second"))] | length' 2
ok "within noise is called noise" is ext4 \
	'[.host.findings[] | select(.code == "Z02") | .evidence[].text | select(test("^System mean.*noise"))] | length' 1
ok "what would decide it" is ext4 '.drives[0].findings[0].next[0] | test("iostat -x")' true
echo "1..$n"
