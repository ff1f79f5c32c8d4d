# SPDX-License-Identifier: GPL-2.0-or-later
# What is installed for other programs: units, rules, dashboard, configuration, and the metrics that
# they rest on.
name=contrib
. "$top_srcdir/tests/history/lib.sh"
contrib=$top_srcdir/contrib
# "quickstart check" puts the programs of two packages there, without installing them
PATH=$PATH:$top_builddir/prometheus/usr/bin

# skip WHAT TOOL
skip()
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2 is not there"
}

there()
{
	command -v "$1" >/dev/null 2>&1
}

disk="p001=0 p003=0 p004=0 p00a=4 a5=0 a9=9000 a12=50 a194=34 a197=0 a198=0 a199=12 a231=97 a241=5"
log="log=[ 1.0] ata1: SATA link up 6.0 Gbps (SStatus 133 SControl 300)"
# shellcheck disable=SC2086 # several words are meant
"$make_drive" "at=$(at 1 3)" "$log" -- $disk -- $disk serial=TEST0000002 wwn=5000000000000002 \
	port=ata2 dev=sdb rpm=1 -- $disk asleep=1 serial=TEST0000003 wwn=5000000000000003 \
	port=ata3 dev=sdc -- $disk 'model=EVIL"\ }NAME' serial=TEST0000004 \
	wwn=5000000000000004 port=ata4 dev=sdd >"$work/drives.cap" || exit 1

metrics()
{
	"$program" check --state "$work/state-$1" --config=none --format=prometheus "$@" \
		"$work/drives.cap" 2>/dev/null
}

echo 1..19

metrics >"$work/own.prom"
for compat in smartctl_exporter smartmon.py smartmon.sh; do
	metrics --compat="$compat" >"$work/$compat.prom"
done
if there promtool; then
	result "promtool check metrics finds nothing" \
		"$(promtool check metrics <"$work/own.prom" 2>&1 || echo "exit status $?")"
	# their names do not follow the rules; but the format must be right (exit status 1)
	result "promtool can read the names of others" "$(
		for compat in smartctl_exporter smartmon.py smartmon.sh; do
			promtool check metrics <"$work/$compat.prom" >"$work/lint" 2>&1
			[ $? -ne 1 ] || sed "s/^/$compat: /" "$work/lint"
			sed -n '/^drivewhy/p' "$work/lint"
		done)"
	result "promtool check rules" "$(promtool check rules "$contrib"/prometheus/alerts.yml \
		"$contrib"/prometheus/recording.yml >"$work/rules" 2>&1 || cat "$work/rules")"
	result "promtool test rules" "$(promtool test rules "$contrib"/prometheus/tests.yml \
		>"$work/rules" 2>&1 || cat "$work/rules")"
else
	for what in metrics compat rules tests; do skip "promtool: $what" promtool; done
fi

# names FILE: each metric that is written
names()
{
	sed -n 's/^# TYPE \([a-z_0-9]*\) .*/\1/p' "$1"
}

names "$work/own.prom" | sort >"$work/names"
# rotating drives have no wear, an SSD of this kind no pending defects: rows of facts all the same
result "every metric has one HELP and one TYPE" "$(
	uniq -d "$work/names"
	grep -c '^# HELP' "$work/own.prom" | grep -vx "$(wc -l <"$work/names")")"
result "no sample has a time of its own, and each has a drive" "$(
	grep -v '^#' "$work/own.prom" | grep -Ev '^[a-z_0-9]+(\{[^}]*("[^"]*"[^}]*)*\})? [0-9.-]+$' |
		grep -v 'EVIL'
	grep -E '^drivewhy_(phy|link_speed|finding|power)' "$work/own.prom" |
		grep -v 'serial="TEST000000[0-9]",device="sd[a-d]"')"
result "a hostile name is escaped" "$(grep -qF 'model="EVIL\"\\ }NAME"' "$work/own.prom" ||
	grep EVIL "$work/own.prom")"
result "a sleeping drive is there and has no numbers" "$(
	grep -qF 'drivewhy_device_state{serial="TEST0000003",device="sdc",state="asleep"} 1' \
		"$work/own.prom" || echo "no state"
	grep 'TEST0000003' "$work/own.prom" | grep -v '^drivewhy_device_\|^drivewhy_finding')"

result "an attribute as smartctl_exporter names it" "$(grep -qxF 'smartctl_device_attribute{device="sda",attribute_flags_long="updated_online,event_count,auto_keep",attribute_flags_short="-O--CK",attribute_id="199",attribute_name="UDMA_CRC_Error_Count",attribute_value_type="raw"} 12' \
	"$work/smartctl_exporter.prom" || grep 'attribute_id="199"' "$work/smartctl_exporter.prom")"
result "as smartmon.py does" "$(grep -qxF 'smartmon_attr_raw_value{device="/dev/sda",disk="0",name="udma_crc_error_count"} 12' \
	"$work/smartmon.py.prom" || grep crc "$work/smartmon.py.prom")"
result "as smartmon.sh does" "$(grep -qxF 'smartmon_udma_crc_error_count_raw_value{disk="/dev/sda",type="sat",smart_id="199"} 12' \
	"$work/smartmon.sh.prom" || grep crc "$work/smartmon.sh.prom")"

# wanted FILE...: each metric of ours that a rule, a test or the dashboard names
wanted()
{
	grep -ohE 'drivewhy_[a-z0-9_]+' "$@" | sort -u
}
# the names that the program may write, with and without an instance in this very capture
sed -n 's/^FACT([A-Z_0-9]*, *"\([^"]*\)".*/\1/p' "$top_srcdir/src/model/fact.def" |
	sed 's/\[\]//g; s/\./_/g; s/_hours$/_seconds/; s/_percent$/_ratio/; s/_count$//; s/^/drivewhy_/' \
	>"$work/facts"
sed 's/$/_total/' "$work/facts" >>"$work/facts2"
cat "$work/facts" "$work/facts2" "$work/names" | sort -u >"$work/possible"
result "every metric of the rules and the dashboard exists" "$(
	wanted "$contrib"/prometheus/*.yml "$contrib"/prometheus/*.json |
		grep -vxF -f "$work/possible")"
result "every metric of the manual exists" "$(
	wanted "$top_srcdir/man/drivewhy-check.7" | grep -v '_NAME$' | grep -vxF -f "$work/possible")"

if there jq; then
	result "the dashboard is one" "$(jq -e '.panels | length > 5 and
		(map(.id) | unique | length) == length and all(.targets | length > 0)' \
		"$contrib/prometheus/grafana-dashboard.json" >"$work/jq" 2>&1 || cat "$work/jq")"
else
	skip "the dashboard is one" jq
fi

if there systemd-analyze; then
	mkdir -p "$work/units"
	# verify wants the program to be there
	sed "s|^ExecStart=[^ ]*|ExecStart=$(command -v true)|" \
		"$top_builddir/contrib/systemd/drivewhy-check.service" \
		>"$work/units/drivewhy-check.service"
	cp "$contrib"/systemd/*.timer "$contrib"/systemd/*@.service "$work/units"
	result "systemd-analyze verify" "$(systemd-analyze verify --man=no \
		"$work/units/drivewhy-check.service" "$work/units/drivewhy-check.timer" 2>&1 |
		grep -F drivewhy)"
	result "systemd-analyze security: below 2" "$(systemd-analyze security --offline=true \
		--threshold=20 --no-pager "$work/units/drivewhy-check.service" >"$work/security" 2>&1 ||
		tail -n 3 "$work/security")"
else
	skip "systemd-analyze verify" systemd-analyze
	skip "systemd-analyze security" systemd-analyze
fi

sed 's/^#\([a-z-]* =\)/\1/; s|/etc/drivewhy/hooks.d|/|' "$contrib/drivewhy.conf" >"$work/all.conf"
result "each line of the configuration is understood" "$(
	"$program" check --state "$work/conf" --config="$work/all.conf" --hooks=/ \
		"$work/drives.cap" 2>&1 >/dev/null | grep "all.conf:")"
result "the manual has every key, and no other" "$(
	sed -n 's/^\.It Ic //p' "$top_srcdir/man/drivewhy.conf.5" | sort >"$work/manual"
	sed -n '/^} keys\[\]/,/^};/p' "$top_srcdir/src/cmd/conf.c" | grep -o '{ "[a-z-]*"' |
		tr -d '{" ' | sort >"$work/keys"
	diff "$work/keys" "$work/manual")"

# where make install puts what others look for, below a root of its own
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$top_builddir" install DESTDIR="$work/root" \
	>"$work/install" 2>&1
r=$?
result "make install puts them there" "$(
	[ $r -eq 0 ] || tail -n 5 "$work/install"
	for file in bin/drivewhy drivewhy-check.service drivewhy-check.timer drivewhy-mail@.service \
		prometheus/alerts.yml prometheus/grafana-dashboard.json man5/drivewhy.conf.5 \
		man7/drivewhy-check.7 examples/cron.d/drivewhy examples/hooks/10-mail; do
		[ -n "$(find "$work/root" -path "*/$file")" ] || echo "$file is missing"
	done
	grep -rn '@bindir@' "$work/root" --include='*.service')"
