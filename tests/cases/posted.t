# SPDX-License-Identifier: GPL-2.0-or-later
# What the program says of whole posted texts, through its JSON. Every expected value was typed from
# the text or from the measurements of real drives, none was copied from the program's output.
set -u
here=$top_srcdir/tests/cases
shared=${DRIVEWHY_SHARED:-$top_srcdir/../shared}
drivewhy=$top_builddir/drivewhy
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
constants='002 003 004 005 006 007 008 009 00b 00d 00f 010 012 013'

result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# judge FILE: $tmp/out, $tmp/err and $status
judge() {
	"$drivewhy" --json "$1" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# is FILTER WHAT: the filter must give true for the first drive of $tmp/out
is() {
	[ "$(jq "$lib .drives[0] | $1" "$tmp/out" 2>"$tmp/jq")" = true ]
	r=$?
	[ $r -eq 0 ] || sed 's/^/# /' "$tmp/jq"
	result $r "$what: $2"
}

# Words of the filters: counters by id, findings that are more than a rival, all texts.
lib='
def ids: .phy.counters | map({key: .hex[-3:], value: .}) | from_entries;
def trust($list): ids as $c | $list | split(" ") | map($c[.].trust);
def all_are($list; $trust): trust($list) | length > 0 and all(. == $trust);
def values: ids | map_values(.value);
def claims: [.findings[] | select((.runner_up // false) | not)];
def about_links: [claims[] | .code | select(startswith("L"))];
def texts: [.. | strings] | join("\n");
'

if ! command -v jq >/dev/null 2>&1; then
	echo "1..1"
	echo "ok 1 # SKIP no jq"
	exit 0
fi

# --- the Samsung 830: fourteen constants beside two live counters -------------------------------
of_830() {
	is '.identity.model == "SAMSUNG SSD 830 Series" and .identity.firmware == "CXM03B1Q"' 'the drive'
	is ".facts.power_on_hours.value == $1" 'power-on hours'
	is 'values["001"] == 0 and values["00a"] == 25 and values["012"] == 49153' 'values'
	is "all_are(\"$constants\"; \"constant\")" 'fourteen counters are constants'
	is 'all_are("001 00a"; "live")' 'two are live'
	is 'about_links | map(select(. == "L01" or . == "L09")) == []' 'no link finding'
	is '[.findings[] | .evidence[]?, .against[]? | .text] + [.ignored[]? | .what, .why] + (.phy.reasons // [])
	    | any(test("no .*(CRC|ICRC)|(CRC|ICRC).* (never|no|0)"; "i"))' 'says that no CRC failed'
}
what='830'
judge "$here/constants-830.txt"
of_830 412
what='830, unknown to the database'
sed 's/SSD 830 Series/SSD 83X Series/' "$here/constants-830.txt" >"$tmp/83x.txt"
judge "$tmp/83x.txt"
is "all_are(\"$constants\"; \"doubtful\")" 'fourteen counters are doubtful'
is 'all_are("001 00a"; "live")' 'two are live'
is 'about_links | map(select(. == "L01" or . == "L09")) == []' 'no link finding'
seed=$shared/seeds/slow-new-ssd-thread.txt
if [ -f "$seed" ]; then
	what='the thread as posted'
	judge "$seed"
	of_830 36
	what='the thread, unknown to the database'
	sed 's/SSD 830 Series/SSD 83X Series/' "$seed" >"$tmp/seed.txt"
	judge "$tmp/seed.txt"
	is "all_are(\"$constants\"; \"doubtful\")" 'fourteen counters are doubtful'
	is 'all_are("001 00a"; "live")' 'two are live'
else
	skip 'the thread as posted' 'not there'
fi

# --- links ---------------------------------------------------------------------------------------
what='25,491 failed commands on a PM883'
judge "$here/link-now-swapped-mz7lh.txt"
is 'values["001"] == 25491 and values["007"] == 23 and values["012"] == 0 and values["013"] == 0' 'values'
is 'all_are("001 002 004 00f"; "live")' 'counters are live'
is 'all_are("006 007"; "swapped")' '006 and 007 are swapped'
is '.verdict.code == "L01"' 'L01'
is '[.findings[] | select(.code == "L01") | .evidence[] | select(.clock == "drive power-on")] != []' 'since power-on'
is '.verdict.confidence != "strong" and .verdict.confidence != "certain"' 'one side alone is not strong'

what='overlapping counters of an MG04ACA400E'
judge "$here/phy-overlap-mg04aca400e.txt"
is 'values["004"] == 16 and values["00f"] == 14 and values["010"] == 16' 'values'
is 'all_are("004 00f 010"; "live")' 'they are used'
is '.phy.reasons | length > 0' 'with a note'

what='0009h at its end, CRC clean'
judge "$here/phyrdy-saturated-clean.txt"
is 'ids["009"].saturated and values["009"] == 65535' 'saturated'
is 'about_links == []' 'no link finding'

what='a BX500, whose attribute 199 does not count'
judge "$here/dead-199-bx500.txt"
is 'values["001"] == 10 and all_are("001"; "live")' '001 is used'
is 'about_links != []' 'a link finding'
is 'texts | test("199[^.]*(does not|never) count|(does not|never) count[^.]*199")' 'says that 199 does not count'

what='4,739 CRC errors of old'
judge "$here/old-crc-only.txt"
is '.verdict.code == "L09" and .verdict.severity == "note"' 'L09, a note'
is '[.findings[] | select(.severity == "warning" or .severity == "critical")] == []' 'no warning'
[ $status -eq 0 ]
result $? "$what: exit status 0"

# --- media ---------------------------------------------------------------------------------------
what='PASSED with pending sectors'
judge "$here/passed-but-pending.txt"
is '.verdict.code == "M01" and .verdict.severity == "critical"' 'M01, critical'
is '.findings[0].next[0] | test("back ?up"; "i")' 'back up first'
[ $status -eq 2 ]
result $? "$what: exit status 2"

what='a clean report'
judge "$here/clean.txt"
is '.verdict.code == "Z00"' 'Z00'
is '.not_tested | length > 0' 'says what was not tested'
[ $status -eq 0 ]
result $? "$what: exit status 0"

# --- what is no disk -----------------------------------------------------------------------------
# published on linux-ide (3f6a89e1): a DVD drive, sr0, PACKET commands
what='the kernel log of a DVD drive'
dvd=$shared/corpus/dmesg-libata/ide-3f6a89e1-DVD.txt
if [ -f "$dvd" ]; then
	judge "$dvd"
	is '[.findings[].code] == ["Z01"]' 'nothing is found of a disk'
	is '.findings[0].headline | test("optical drive")' 'says what it is'
	[ "$(jq '[.host.kernel_events[] | select(.kind == "fault") | .optical] | length > 0 and all' \
		"$tmp/out")" = true ]
	result $? "$what: every fault is its own"
	what='the same beside the report of a disk'
	cat "$here/clean.txt" "$dvd" >"$tmp/both.txt"
	judge "$tmp/both.txt"
	is '[.findings[].code] == ["Z00"]' 'the disk is as well as before'
else
	skip "$what" 'the corpus is not there'
fi

# --- absent is absent ------------------------------------------------------------------------------
what='a temperature of 0 C, which volumes of RAID controllers report'
sed '/Temperature:/s/[0-9]* C$/0 C/' "$top_srcdir/tests/import/smartctl-scsi.txt" >"$tmp/zero.txt"
judge "$tmp/zero.txt"
is '.facts.temperature_celsius == null' 'is no temperature'
is '.facts.temperature_placeholder_celsius.value == 0' 'and not lost'
judge "$top_srcdir/tests/import/smartctl-scsi.txt"
is '.facts.temperature_celsius.value == 41' 'one of 41 C is'

# --- a SCSI drive on a parallel bus has no SAS link ----------------------------------------------------
what='536 lost reads of a drive on a parallel bus'
sed '/^Transport protocol:/s/SAS.*/Parallel SCSI (SPI-4)/; /^read:/s/[0-9]*$/536/' \
	"$top_srcdir/tests/import/smartctl-scsi.txt" >"$tmp/parallel.txt"
judge "$tmp/parallel.txt"
is '.verdict.code == "S07" and .facts.scsi_transport.value == "Parallel SCSI (SPI-4)"' 'media errors'
is '[.verdict, .findings, .coverage] | texts | test("SAS") | not' 'no word of SAS'
what='the same on SAS'
sed '/^read:/s/[0-9]*$/536/' "$top_srcdir/tests/import/smartctl-scsi.txt" >"$tmp/sas.txt"
judge "$tmp/sas.txt"
is '.verdict.code == "S07"' 'media errors'
is '[.verdict, .findings, .coverage] | texts | test("SAS")' 'the link is named as what else it can be'

# --- a run that does not tell its pattern: 1,779 reads of 7,116 KiB in 25.788 s ---------------------------
what='a run without its pattern'
cat >"$tmp/min.json" <<END
{ "fio version": "fio-2.2.10", "jobs": [ { "jobname": "a", "error": 0, "read": { "io_bytes": 7116,
"bw": 275, "iops": 68.99, "runtime": 25788, "total_ios": 1779, "short_ios": 0, "drop_ios": 0 } } ] }
END
"$drivewhy" "$tmp/min.json" >"$tmp/out" 2>&1
grep -q 'Speed  *read: 68/s, 28[0-9] kB/s' "$tmp/out"
result $? "$what: requests and bytes"

what='JSON whose keys another program sorted'
sed -n '/^{/,/^}/p' "$top_srcdir/tests/import/fio-3.16-json-normal.txt" >"$tmp/plain.json"
jq -S . "$tmp/plain.json" >"$tmp/sorted.json"
for name in plain sorted; do
	"$drivewhy" --json "$tmp/$name.json" 2>/dev/null |
		jq -S -c '[(.drives[0], .host) | .reads // [] | .[] | del(.. | .line?)]' >"$tmp/$name"
done
[ "$(sed -n 2p "$tmp/sorted.json")" = '  "disk_util": [' ] && cmp "$tmp/plain" "$tmp/sorted" &&
	[ "$(jq '.. | .ios? // empty' "$tmp/plain" | head -n 1)" -gt 0 ]
result $? "$what: the same runs"

echo "1..$n"
