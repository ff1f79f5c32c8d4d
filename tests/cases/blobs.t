# SPDX-License-Identifier: GPL-2.0-or-later
# What 23 public dumps of skdump hold, as JSON. Every expected number was read by hand from the
# bytes: the six raw bytes of an attribute, lowest first, stand behind each row. libatasmart says
# 93 to 98 C of five of these drives and counts millions of bad sectors on others.
set -u
shared=${DRIVEWHY_SHARED:-$top_srcdir/../shared}
blobs=$shared/corpus/skdump-blobs
drivewhy=$top_builddir/drivewhy
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0

if [ ! -d "$blobs" ] || ! command -v jq >/dev/null 2>&1; then
	echo "1..1"
	echo "ok 1 # SKIP corpus or jq not there"
	exit 0
fi

# result WHAT WANT GOT
result() {
	n=$((n + 1))
	if [ "$3" = "$2" ]; then
		echo "ok $n - $file: $1 $2"
	else
		echo "# $1: got $3, the bytes say $2"
		echo "not ok $n - $file: $1 $2"
	fi
}

# is WHAT WANT FILTER
is() {
	result "$1" "$2" "$(jq -r ".drives[0] | $3" "$tmp/out" 2>&1)"
}

fact() {
	is "$1" "$2" ".facts.$1.value"
}

# One row a dump: temperature, replaced, pending, off-line uncorrectable, CRC errors, hours.
# "-" is for what the bytes do not tell beyond doubt.
while read -r file temperature replaced pending offline crc hours bytes; do
	"$drivewhy" --db-builtin-only --json "$blobs/$file" >"$tmp/out" 2>"$tmp/err" </dev/null
	: "$bytes"
	names="temperature_celsius reallocated_sectors pending_sectors offline_uncorrectable
		interface_crc_errors power_on_hours"
	got=$(jq -r --arg names "$(echo $names)" '.drives[0].facts as $f | $names
		| split(" ") | map($f[.].value // "-") | join(" ")' "$tmp/out" 2>&1)
	for want in "$temperature" "$replaced" "$pending" "$offline" "$crc" "$hours"; do
		result "${names%%[!a-z_]*}" "$want" "${got%% *}"
		names=$(echo ${names#*[!a-z_]})
		got=${got#* }
	done
done <<'END'
Biwintech_SSD_SX500.bin 30 - - - - 11423 194=1e000a003200 9=9f2c00000000
FUJITSU_MHY2120BH--0084000D 28 - 0 0 0 2208 194=1c000f003600 5=00000000d007 9=a00800000000
FUJITSU_MHY2250BH--0085000B 39 - - - 24048382 - 194=270010003100 9=702209000000 197=03008f1ec527 198=0300ca3caca0 199=fef26e010000
FUJITSU_MHZ2160BH_G1--0084000A 39 - 0 0 0 929 194=270011003200 5=00000000d007 9=a10300000000
Hitachi_HDS721010CLA632.bin 30 43 1 0 0 8055 194=1e0013002500 5=2b002b000000 197=010000000000 9=771f00000000
IBM_IC25N020ATCS04-0.bin 35 22 0 0 0 6495 194=23000e003900 5=160004000000 9=5f1900000000
INTEL_SSDSA2MH080G1GC--045C8820 - 0 - - - 2309 5=000000000000 9=050900000000
KINGSTON_SA400S37240G_SBFK71B1.bin 26 - - - 0 9002 194=1a000e003600 231=5d0000000000 218=0 9=2a2300000000
KINGSTON_SA400S37480G_SBFKQ13.bin 30 - - - 0 4569 194=1e0031001400 231=620000000000 199=00000c000000 9=d91100000000
MCCOE64GEMPP--2.9.09 - - 0 0 0 1 5=005024000000 196=000000000000 9=010000000000
Maxtor_96147H8--BAC51KJ0 - 69 2 0 22047 - 5=450000000000 197=020000000000 199=1f5600000000 9=b9d801000000
Patriot_Burst_240GB.bin - - - - 2 22210 194=210021002100 231=610000000000 9=c25600000000
SAMSUNG_HD501LJ--CR100-12 47 1 1 0 0 7326 194=2f0000000000 5=010000000000 197=010000000000 9=9e1c00000000
SAMSUNG_HS122JC.bin 31 0 - - 11679982 3533 194=1f000a003900 197=3c2ecf100000 198=8c8f66010000 199=ee38b2000000 9=cd0d00000000
SAMSUNG_MMCQE28G8MUP--0VA_VAM08L1Q - - - 0 0 2417 198=000000000000 199=000000000000 9=710900000000
SAMSUNG_MMCRE28G5MXP-0VBH1.bin - - - 0 0 48 198=000000000000 199=000000000000 9=300000000000
ST320410A--3.39 40 5 0 0 177 30387 194=280000000000 5=050000000000 199=b10000000000 9=b37600000000
ST9160821AS--3.CLH 38 0 1 1 0 556 194=260000001100 197=010000000000 198=010000000000 9=2c02000096d6
SiliconPower_SSD_SBFM61.3.bin 33 - - - - 6783 194=210021002100 231=620000000000 9=7f1a00000000
TOSHIBA_MK1651GSY--38IGT0G5T 41 1 - - 42899987 - 194=29000f003500 5=010000000000 199=139a8e020000 9=15c705000000
TOSHIBA_THNSNH128GBST.bin 34 0 0 - - 37383 194=22000c003000 5=000000000000 9=079200000000
WDC_WD2500JB--00REA0-20.00K20 17 0 1 0 0 2379 194=110000000000 197=010000000000 9=4b0900000000
WDC_WD2500JS-75NCB3--10.02E04 38 0 0 0 0 6626 194=260000000000 9=e21900000000
END

# row ID FIELD WANT: the attribute's own row
row() {
	is "attribute $1 $2" "$3" ".attributes[] | select(.id == $1) | .$2"
}

# libatasmart counts these as sectors; the row says what was seen and why it is not counted
look() {
	file=$1
	"$drivewhy" --db-builtin-only --json "$blobs/$file" >"$tmp/out" 2>"$tmp/err" </dev/null
}

look SAMSUNG_HS122JC.bin
row 197 raw 282013244
row 197 doubt 'more than the drive has sectors: packed or another meaning'
row 198 raw 23498636
row 198 doubt 'more than one for each second of its life: packed or another meaning'
is 'no claim of bad sectors' 0 '[.findings[] | select(.code | startswith("M"))] | length'
look MCCOE64GEMPP--2.9.09
row 5 raw 2379776
row 5 means ignore
is 'no claim of replaced sectors' 0 '[.findings[] | select(.code | startswith("M"))] | length'
look KINGSTON_SA400S37480G_SBFKQ13.bin
row 199 raw 786432
row 199 means ignore
fact life_left_percent 98
look KINGSTON_SA400S37240G_SBFK71B1.bin
fact life_left_percent 93
look FUJITSU_MHY2250BH--0085000B
row 9 doubt 'longer than such drives exist: another unit'

# The five SSDs of which libatasmart says 93 to 98 C: the hottest of the wrong attributes.
for pair in KINGSTON_SA400S37240G_SBFK71B1.bin=93 KINGSTON_SA400S37480G_SBFKQ13.bin=98 \
	Patriot_Burst_240GB.bin=97 SiliconPower_SSD_SBFM61.3.bin=98; do
	look "${pair%%=*}"
	is 'the desktop is contradicted' true \
		"[.. | strings | select(contains(\"will say ${pair#*=} C\"))] | length == 1"
done

echo "1..$n"
