# SPDX-License-Identifier: GPL-2.0-or-later
# One slow SSD as posted, and the same text changed in one respect at a time: the verdict must
# follow what was changed and nothing else. The texts are made up; what must come out follows
# from the rules in drivewhy-findings(7).
set -u
command -v jq >/dev/null || { echo "1..0 # SKIP jq is not there"; exit 0; }
here=$top_srcdir/tests/cases
drivewhy=$top_builddir/drivewhy
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "$top_srcdir/tests/tap.sh"

# judge NAME: reads the case from standard input, leaves JSON in $work/NAME.json
judge() {
	cat >"$work/$1.txt"
	"$drivewhy" --db-builtin-only --json "$work/$1.txt" >"$work/$1.json" 2>"$work/$1.err"
}

is() { # name jq-filter expected
	got=$(jq -r "$2" "$work/$1.json")
	[ "$got" = "$3" ] || { echo "# $1: $2 is '$got', not '$3'"; return 1; }
}

both() {
	cat "$here/slow-ssd-fio.txt" "$here/slow-ssd-smart.txt"
}

verdict='.drives[0].verdict | .code + " " + .confidence'
rival='[.drives[0].findings[] | select(.code == "L05") | .confidence] | join(" ")'
codes='[.drives[0].findings[].code] | join(" ")'
steps='[.drives[0].findings[] | .evidence[].text | select(test("classes:")) |
	[scan("[0-9]+\\.[0-9] ms")] | length] | join(" ")'

both | judge base
ok "base: one drive" is base '.drives | length' 1
ok "base: D11, moderate" is base "$verdict" "D11 moderate"
ok "base: where is said apart, and strong" is base \
	'.drives[0].findings[0].where | test("at or below the request queue, in fixed steps, not the cable")' true
ok "base: link power is the rival, weak" is base "$rival" weak
ok "base: no link verdict" is base '[.drives[0].findings[] | select(.code | test("L0[1-49]"))] | length' 0
ok "base: two classes" is base "$steps" 2
ok "base: foreign load is told, against" is base \
	'[.drives[0].findings[0].against[].text | select(test("were not the benchmark"))] | length' 1

both | sed 's/sda/sdc/g; s/SAMSUNG SSD 830 Series/ACME SSD 900/; s/CXM03B1Q/1.0/; s/scattered/job7/g' | judge names
ok "other names: D11 stays" is names "$verdict" "D11 moderate"
ok "other names: the table is doubted without the database" is names \
	'[.drives[0].phy.counters[] | select(.trust == "doubtful")] | length' 14
ok "other names: 001 is still used" is names \
	'[.drives[0].phy.counters[] | select(.hex == "0x0001") | .trust] | join(" ")' live

both | sed 's/50.00th=\[  210\], 60.00th=\[ 5024\]/50.00th=[ 5824], 60.00th=[ 5984]/
	s/70.00th=\[ 5856\], 80.00th=\[11584\], 90.00th=\[12224\], 95.00th=\[12480\]/70.00th=[11840], 80.00th=[11904], 90.00th=[17792], 95.00th=[18048]/
	s/99.00th=\[12864\], 99.50th=\[13120\]/99.00th=[18304], 99.50th=[18560]/
	s/250=29.00%, 500=3.00%/250=14.00%/; s/10=21.00%, 20=20.80%/10=20.00%, 20=39.80%/
	s/avg=3630.00/avg=7200.00/; s/avg=3650.00/avg=7220.00/
	s/iops=272 , runt= 44000msec/iops=136 , runt= 88000msec/; s/bw=1090.1KB/bw=545.5KB/' | judge rungs
ok "three rungs: D11" is rungs "$verdict" "D11 moderate"
ok "three rungs: three classes" is rungs "$steps" 3

both | sed 's|ios=17000/600, merge=0/0, ticks=74800/3000, in_queue=77800|ios=12000/0, merge=0/0, ticks=43600/0, in_queue=43600|' | judge alone
ok "nobody else: D11 stays" is alone "$verdict" "D11 moderate"
ok "nobody else: no word of foreign reads" is alone \
	'[.drives[0].findings[] | (.evidence + .against)[].text | select(test("not the benchmark"))] | length' 0

# 0.6 x 7000 reads a second for 44 s beside the 12000 of the benchmark
both | sed 's|ios=17000/600, merge=0/0, ticks=74800/3000, in_queue=77800|ios=196800/600, merge=0/0, ticks=725000/3000, in_queue=728000|' | judge busy
ok "foreign load at 60 %: K09 leads" is busy "$verdict" "K09 moderate"
ok "foreign load at 60 %: D11 is not claimed" is busy "[$codes | select(test(\"D11\"))] | length" 0

{ both; echo '/sys/class/scsi_host/host0/link_power_management_policy:min_power'; } | judge policy
ok "min_power posted: L05 leads" is policy "$verdict" "L05 moderate"
ok "min_power posted: the policy is its evidence" is policy \
	'[.drives[0].findings[0].evidence[].text | select(test("policy: min_power"))] | length' 1

{ both; echo '/sys/class/scsi_host/host0/link_power_management_policy:max_performance'; } | judge awake
ok "max_performance posted: D11, and L05 is no rival" is awake "$codes" D11

# fio 2.x prints no percentile above 16.7 s: only the maximum tells of the 30 s
both | sed 's/iodepth=1/iodepth=32/; s/1=100.0%, 2=0.0%/1=0.1%, 2=0.1%/; s/32=0.0%, >=64=0.0%/32=99.8%, >=64=0.0%/
	s/clat (usec): min=30 , max=26000 , avg=3630.00, stdev=4600.00/clat (msec): min=1 , max=30900 , avg=1510.00, stdev=6600.00/
	s/ lat (usec): min=45 , max=26020 , avg=3650.00, stdev=4600.00/ lat (msec): min=1 , max=30900 , avg=1510.00, stdev=6600.00/
	s/percentiles (usec)/percentiles (msec)/
	s/1.00th=\[   41\],  5.00th=\[   46\], 10.00th=\[   52\], 20.00th=\[   68\]/1.00th=[    2],  5.00th=[    2], 10.00th=[    2], 20.00th=[    3]/
	s/30.00th=\[  115\], 40.00th=\[  165\], 50.00th=\[  210\], 60.00th=\[ 5024\]/30.00th=[    3], 40.00th=[    3], 50.00th=[    3], 60.00th=[    4]/
	s/70.00th=\[ 5856\], 80.00th=\[11584\], 90.00th=\[12224\], 95.00th=\[12480\]/70.00th=[    4], 80.00th=[    4], 90.00th=[    4], 95.00th=[16712]/
	s/99.00th=\[12864\], 99.50th=\[13120\], 99.90th=\[22912\], 99.95th=\[22912\]/99.00th=[16712], 99.50th=[16712], 99.90th=[16712], 99.95th=[16712]/
	s/99.99th=\[25728\]/99.99th=[16712]/
	s/lat (usec) : 50=8.00%, 100=18.00%, 250=29.00%, 500=3.00%/lat (msec) : 2=9.00%, 4=85.50%, 10=0.40%, 20=0.10%, >=2000=5.00%/
	/lat (msec) : 10=21.00%, 20=20.80%/d
	s|ios=17000/600, merge=0/0, ticks=74800/3000, in_queue=77800|ios=12000/0, merge=0/0, ticks=18120000/0, in_queue=18120000|' | judge timeouts
ok "slow mode at 30 s: time-outs" is timeouts "$verdict" "T01 moderate"
ok "slow mode at 30 s: not D11" is timeouts "[$codes | select(test(\"D11\"))] | length" 0

cat "$here/healthy-ssd-fio.txt" "$here/slow-ssd-smart.txt" | judge healthy
ok "healthy run, constant table: Z00" is healthy '.drives[0].verdict.code' Z00
ok "healthy run, constant table: not a word about cables" is healthy \
	'[.. | strings | select(test("cable"; "i"))] | length' 0

{
	sed 's/0x0001  2            0/0x0001  2           12/; s/\(199 .*\)    0$/\1    12/; s/SSD 830 Series/SSD 83Z Series/
		s/ 49152 / 12 /; s/ 53248 / 12 /; s/ 57344 / 0 /; s/ 7952 / 0 /; s/ 2562 / 0 /; s/ 4096 / 0 /; s/ 7953 / 0 /
		s/ 6145 / 0 /; s/ 8176 / 0 /; s/ 15 / 0 /; s/ 49153 / 0 /; s/ 12112 / 0 /' "$here/slow-ssd-smart.txt"
	sed 's/0x0001  2            0/0x0001  2           49/; s/\(199 .*\)    0$/\1    49/; s/SSD 830 Series/SSD 83Z Series/
		s/12:00:00 2015/13:00:00 2015/
		s/ 49152 / 49 /; s/ 53248 / 49 /; s/ 57344 / 0 /; s/ 7952 / 0 /; s/ 2562 / 0 /; s/ 4096 / 0 /; s/ 7953 / 0 /
		s/ 6145 / 0 /; s/ 8176 / 0 /; s/ 15 / 0 /; s/ 49153 / 0 /; s/ 12112 / 0 /' "$here/slow-ssd-smart.txt"
} | judge rising
ok "001 rising between two reports: L01" is rising '.drives[0].verdict.code' L01
ok "001 rising: by 37, drive to host" is rising \
	'[.drives[0].phy.counters[] | select(.hex == "0x0001") | .delta] | join(" ")' 37

echo "1..$n"
