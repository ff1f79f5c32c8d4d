# SPDX-License-Identifier: GPL-2.0-or-later
# What the host tells of a drive's path, from a capture made by hand with two looks a minute apart: the
# expected values stand in the capture.
set -u
command -v jq >/dev/null || { echo "1..0 # SKIP no jq"; exit 0; }
json=$("$top_builddir/drivewhy" --db-builtin-only --json "$top_srcdir/tests/captures/testdisk-host.cap" 2>/dev/null)
n=0

is() { # what filter
	n=$((n + 1))
	if [ "$(printf '%s' "$json" | jq "$2")" = true ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}

finding='.drives[0].findings[] | select(.code == $c)'
has() { is "$1" "[\"$2\" as \$c | $finding | .evidence[].text | select(test(\"$3\"))] | length >= 1"; }

echo 1..8
is "one drive" '.drives | length == 1'
is "block/stat: 4,000 ms of reads, 30 flushes in 600 ms" '.drives[0].facts | .host_read_ms.value == 4000 and
	.host_flushes_done.value == 30 and .host_flush_ms.value == 600'
is "the rate of the SAS phy" '.drives[0].facts.sas_phy_rate_mbps.value == 6000'
is "options of the command line" '.host.facts.boot_options.value == "libata.force=noncq"'
has "sector 63 of 4096-byte sectors" K01 "sector 63"
has "800 invalid words between the looks" S01 "rose by 800"
has "907 PCIe errors" N03 "907 corrected"
# 53 - 50 power cycles, one of them a suspend
has "two power cycles more than the suspends" L04 "2 power cycles more"
