#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Scores the judge on cases whose cause is known: "score.sh PROGRAM DIRECTORY [DIRECTORY]...".
# A directory holds CASE.txt for each row "CASE<tab>ACCEPTED CODES<tab>WRONG CODES<tab>ABOUT" of its
# expect.tsv. Prints a row a case, then what the words of confidence were worth.
#   accepted: the first finding of the worst drive (or of the host) has an accepted code
#   top two:  the second, or the rival that the first one names, has
#   wrong:    the headline is one that expect.tsv calls wrong; miss: anything else
set -u
program=$1
shift
for dir; do
	while IFS='	' read -r name accepted wrong about; do
		case $name in '#'*|'') continue ;; esac
		json=$("$program" --db-builtin-only --json "$dir/$name.txt" 2>/dev/null </dev/null)
		[ -n "$json" ] || json='{"drives": [], "host": {"findings": []}}'
		printf '%s\n' "$json" | jq -r --arg name "$name" --arg accepted " $accepted " --arg wrong " $wrong " --arg about "$about" '
			def rank: {"critical": 4, "warning": 3, "unknown": 2, "note": 1, "ok": 0}[.severity];
			([.drives[] | .findings] + [.host.findings]
				| map(select(length > 0))
				| sort_by(- (.[0] | rank))) as $all
			| ($all[0] // []) as $f
			| ($f[0] // {code: "none", severity: "unknown", confidence: "cannot-tell", next: []}) as $v
			| [($f[1].code // empty), ($all[1][0].code // empty),
			   ($v.next[]? | capture("The one test that tells it from .* \\((?<c>[A-Z][0-9]*)\\)").c)] as $second
			| (if $accepted | contains(" \($v.code) ") then "accepted"
			   elif $wrong | contains(" \($v.code) ") then "wrong"
			   elif any($second[]; . as $c | $accepted | contains(" \($c) ")) then "top-two"
			   else "miss" end) as $mark
			| [$name, $mark, $v.code, $v.confidence, ($accepted | ltrimstr(" ") | rtrimstr(" ")), $about]
			| @tsv'
	done <"$dir/expect.tsv"
done | awk -F'\t' '
	# Wilson 95 % interval of k in n
	function wilson(k, n,    p, z, d, c, h) {
		z = 1.959964; p = k / n; d = 1 + z * z / n
		c = (p + z * z / (2 * n)) / d
		h = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / d
		return sprintf("%.0f to %.0f %%", 100 * (c - h > 0 ? c - h : 0), 100 * (c + h < 1 ? c + h : 1))
	}
	{
		print
		n++; mark[$2]++
		total[$4]++; good[$4] += $2 == "accepted"
	}
	END {
		printf "# cases %d: accepted %d, in the top two %d, wrong %d, missed %d\n", n,
			mark["accepted"], mark["top-two"], mark["wrong"], mark["miss"]
		split("certain strong moderate weak cannot-tell", words, " ")
		for (i = 1; i <= 5; i++)
			if (total[words[i]])
				printf "# %-11s right %d of %d (%s)\n", words[i], good[words[i]], total[words[i]],
					wilson(good[words[i]], total[words[i]])
	}'
