# SPDX-License-Identifier: GPL-2.0-or-later
# The whole way: a check writes metrics, node_exporter reads them, Prometheus scrapes that, and a
# rise of CRC errors makes the alert fire. On ports of this machine only, and only for this test.
name=scrape
. "$top_srcdir/tests/history/lib.sh"
PATH=$PATH:$top_builddir/prometheus/usr/bin

need prometheus prometheus-node-exporter curl jq
node=$((20000 + $$ % 10000))
web=$((node + 10000))
mkdir -p "$work/text" "$work/data"
trap 'kill $pids 2>/dev/null; wait; rm -rf "$work"' EXIT
pids=

# check COUNT: a check of a drive with so many CRC errors, now
check()
{
	"$make_drive" "at=$(date +%s)" -- p001="$1" p003="$1" p004=0 p00a=2 a5=0 a9=9 a12=5 \
		a194=30 a197=0 a199="$1" >"$work/drive.cap"
	"$program" check --state "$state" --config=none --format=prometheus \
		--output="$work/text/drivewhy.prom" "$work/drive.cap" >>"$work/out" 2>>"$work/err"
}

# until SECONDS COMMAND...: wait until it succeeds
until_true()
{
	i=$1
	shift
	while [ "$i" -gt 0 ]; do
		"$@" && return 0
		sleep 0.5
		i=$((i - 1))
	done
	return 1
}

query()
{
	curl -s "http://127.0.0.1:$web/api/v1/$1" >"$work/answer" 2>/dev/null
}

has_samples()
{
	query 'query?query=count_over_time(drivewhy_phy_event_total%7Bcounter%3D%22001%22%7D%5B5m%5D)' &&
		jq -e '.data.result[0].value[1] | tonumber >= 3' "$work/answer" >/dev/null 2>&1
}

fires()
{
	query alerts && jq -e '.data.alerts[] | select(.labels.alertname == "DriveLinkErrorsRising" and
		.state == "firing" and .labels.serial == "TEST0000001" and .labels.port == "ata1")' \
		"$work/answer" >/dev/null 2>&1
}

cat >"$work/prometheus.yml" <<END
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$top_srcdir/contrib/prometheus/alerts.yml, $top_srcdir/contrib/prometheus/recording.yml]
scrape_configs:
  - job_name: node
    static_configs: [{targets: ['127.0.0.1:$node']}]
END

echo 1..4
check 5
prometheus-node-exporter --web.listen-address="127.0.0.1:$node" --collector.disable-defaults \
	--collector.textfile --collector.textfile.directory="$work/text" \
	>"$work/node.log" 2>&1 &
pids="$pids $!"
until_true 120 curl -sf -o "$work/metrics" "http://127.0.0.1:$node/metrics"
result "node_exporter takes the file" "$(
	grep -q '^drivewhy_phy_event_total{.*counter="001".*} 5$' "$work/metrics" || { echo "no sample"; ls "$work/text"; cat "$work/out" "$work/err"; }
	grep -qx 'node_textfile_scrape_error 0' "$work/metrics" || grep scrape_error "$work/metrics")"
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" \
	--web.listen-address="127.0.0.1:$web" >"$work/web.log" 2>&1 &
pids="$pids $!"
result "Prometheus scrapes it" "$(until_true 120 has_samples || { cat "$work/answer"; tail -n 5 "$work/web.log"; })"
result "an old count is no alert" "$(fires && cat "$work/answer")"
check 42
result "a rise is one" "$(until_true 120 fires || { cat "$work/answer"; tail -n 5 "$work/web.log"; })"
