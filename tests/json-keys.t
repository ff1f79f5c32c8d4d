# SPDX-License-Identifier: GPL-2.0-or-later
# drivewhy-json(5) lists every key of the documents and no others, and every key is always there.
# The documents are those of the golden files, which test-render-golden proves to be current.
set -u
page=$top_srcdir/man/drivewhy-json.5
work=$top_builddir/tests/json-keys.tmp

if ! command -v jq >/dev/null 2>&1; then
	echo "1..0 # SKIP jq is not there"
	exit 0
fi
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# "O PLACE" for each object, "K PLACE KEY" for each of its keys. Objects that are described once
# in the page (findings, facts, runs; evidence for and against) get that one name.
jq -r '
	def place: reduce .[] as $step (""; if ($step | type) == "number" then . + "[]"
			elif endswith(".facts") then . + ".NAME"
			elif . == "" then $step else . + "." + $step end)
		| sub("^host\\.(?<what>findings|facts|reads|kernel_events)(?<rest>.)"; "drives[].\(.what)\(.rest)")
		| sub("\\.against\\[\\]$"; ".evidence[]");
	([], paths(objects)) as $path | getpath($path) as $object | ($path | place) as $place
	| if ($place | test("(facts|percentile)$")) then empty
	  else "O \($place)", ($object | keys[] | "K \($place) \(.)") end
' "$top_srcdir"/tests/golden/*.json >"$work/seen" || echo "Bail out! jq failed"

sed -n 's/^\.It Ic //p' "$page" | sort >"$work/documented"
# KEY_s stands beside a large KEY only
"$AWK" '
	$1 == "O" { objects[$2 ? $2 : "."]++ }
	$1 == "K" { place = NF == 3 ? $2 : "."; key = $NF; n[place, key]++; of[place, key] = place }
	END {
		for (k in n) {
			split(k, part, SUBSEP)
			stem = part[2]
			if (sub(/_s$/, "", stem) && (part[1], stem) in n) continue
			name = part[1] == "." ? part[2] : part[1] "." part[2]
			print name >seen
			if (n[k] != objects[part[1]]) print name >partly
		}
	}' seen="$work/names" partly="$work/partly" "$work/seen"
sort -o "$work/names" "$work/names"
touch "$work/partly"

. "$top_srcdir/tests/tap.sh"
echo 1..4
result "documents and page were read" \
	"$([ "$(wc -l <"$work/names")" -gt 100 ] && [ "$(wc -l <"$work/documented")" -gt 100 ] ||
		echo "too few keys")"
result "every key is documented" "$(comm -23 "$work/names" "$work/documented")"
result "every documented key is there" "$(comm -13 "$work/names" "$work/documented")"
result "no key is missing from any object" "$(cat "$work/partly")"
