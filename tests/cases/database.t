# SPDX-License-Identifier: GPL-2.0-or-later
# db lookup, and what a table in smartmontools' form does: it names and formats attributes that
# were read as bytes, below all records, and nothing else. The table and the drive are made up.
set -u
drivewhy=$top_builddir/drivewhy
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0

if ! command -v jq >/dev/null 2>&1; then
	echo "1..1"
	echo "ok 1 # SKIP no jq"
	exit 0
fi

# check WHAT: the status of the command before
check() {
	r=$?
	n=$((n + 1))
	if [ $r -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}

cat >"$tmp/t.h" <<'END'
  { "DEFAULT", "-", "-", "",
    "-v 5,raw16(raw16),Their_Reallocated "
    "-v 251,raw48,Their_Default"
  },
  { "Test", "TESTDISK [0-9]TB", "", "",
    "-v 250,min2hour,Their_Minutes"
  },
  { "broken", "(", "", "", "" }
END

# A page of SMART READ DATA: attributes 5 (43, packed with 7), 250 (90), 251 (2^40); sum 0.
awk 'BEGIN {
	split("5 43 7 250 90 0 251 0 0", a)
	b[0] = 1
	for (i = 0; i < 3; i++) {
		b[2 + 12 * i] = a[3 * i + 1]; b[3 + 12 * i] = 3
		b[5 + 12 * i] = b[6 + 12 * i] = 100
		b[7 + 12 * i] = a[3 * i + 2]; b[9 + 12 * i] = a[3 * i + 3]
	}
	b[2 + 24 + 10] = 1
	for (i = 0; i < 511; i++) sum += b[i]
	b[511] = (256 - sum % 256) % 256
	print "capture 1\nsubject drive 1\nsnapshot 1 role=import"
	print "item facts/made-up ok"
	print "| model=\"TESTDISK 1TB\" @1"
	print "item ata/smart/data ok"
	for (i = 0; i < 512; i += 16) {
		printf "%04x", i
		for (k = 0; k < 16; k++) printf " %02x", b[i + k]
		print ""
	}
	print "end"
}' >"$tmp/drive.cap"

# attribute ID FIELD
attribute() {
	jq -r ".drives[0].attributes[] | select(.id == $1) | .$2" "$tmp/out"
}

"$drivewhy" --db-builtin-only --json "$tmp/drive.cap" >"$tmp/out" 2>"$tmp/err"
[ "$(attribute 5 raw)" = 458795 ]
check "the page is read: raw 5 is 43 + 7 * 2^16"
[ "$(attribute 5 raw_text)" = "43 (0 7)" ]
check "raw 5 in the usual format"
[ "$(attribute 250 raw_text)" = 90 ] && [ "$(attribute 250 database_name)" = null ]
check "250 has no name, and is one number"
jq -c '[.drives[0].findings, .drives[0].facts.reallocated_sectors]' "$tmp/out" >"$tmp/before"

"$drivewhy" --db-builtin-only --db "$tmp/t.h" --json "$tmp/drive.cap" >"$tmp/out" 2>"$tmp/err"
[ "$(attribute 250 raw_text)" = 1h+30m ] && [ "$(attribute 250 database_name)" = Their_Minutes ]
check "250 has the name and the format of the table"
[ "$(attribute 251 database_name)" = Their_Default ] && [ "$(attribute 251 raw_text)" = 1099511627776 ]
check "251 has those of its defaults"
[ "$(attribute 5 database_name)" = "Reallocated sectors" ]
check "the name of our records stays"
jq -c '[.drives[0].findings, .drives[0].facts.reallocated_sectors]' "$tmp/out" | cmp -s - "$tmp/before"
check "no finding and no quantity changes"

"$drivewhy" --db-builtin-only --db "$tmp/t.h" db lookup 'TESTDISK 1TB' >"$tmp/out" 2>"$tmp/err"
grep -q "^ATTR_250_NAME=Their_Minutes	$tmp/t.h:6\$" "$tmp/out"
check "lookup names file and line of the table"
grep -q "^# not used: ATTR_5_NAME=Their_Reallocated	$tmp/t.h:2\$" "$tmp/out"
check "lookup shows what our records overrule"
grep -q '^ATTR_5_NAME=Reallocated sectors	db/00-class.hwdb:' "$tmp/out"
check "lookup names file and line of the record"

"$drivewhy" --db-builtin-only db lookup usb 152D:0567 >"$tmp/out" 2>"$tmp/err"
grep -q '^PASS_THROUGH=sat	db/70-usb.hwdb:' "$tmp/out"
check "a bridge is found as lsusb writes it"
"$drivewhy" --db-builtin-only db lookup pci 1b21:1166 | grep -q '^FAMILY=ASMedia ASM1166	'
check "a controller is found as lspci writes it"
"$drivewhy" --db-builtin-only db lookup hba megaraid_sas | grep -c '^QUIRK=' | grep -qx 2
check "a host adapter is found by its driver"
"$drivewhy" --db-builtin-only db lookup usb ffff:ffff | grep -q '^# nothing is known'
check "an unknown bridge is told"
"$drivewhy" db lookup >"$tmp/out" 2>&1
[ $? -eq 64 ]
check "lookup of nothing is an error of usage"

echo "1..$n"
