# SPDX-License-Identifier: GPL-2.0-or-later
# Every #include "room/..." must be allowed by layers.txt, and every room must stand in it.
set -u
src=$top_srcdir/src
table=$top_srcdir/tests/layers.txt

bad=$(cd "$src" && grep -n '^#include "' */*.[ch] | "$AWK" -v table="$table" '
	BEGIN {
		while ((getline line < table) > 0) {
			if (line ~ /^#/ || line == "") continue
			n = split(line, word, " ")
			for (i = 1; i <= n; i++) ok[word[1], word[i]] = 1
		}
	}
	{
		room = $0; sub(/\/.*/, "", room)
		target = $0; sub(/^[^"]*"/, "", target); sub(/\/.*/, "", target)
		if (target != "config.h\"" && !((room, target) in ok)) print
	}')
rooms=$(cd "$src" && for d in */; do grep -q "^${d%/}\( \|\$\)" "$table" || echo "${d%/}"; done)
# JSON leaves by one way, which hides what could steer a terminal.
apart=$(cd "$src" && grep -n 'json_object_to_json_string' */*.c | grep -v '^render/json-text\.c:')

echo 1..3
if [ -z "$bad" ]; then echo "ok 1 - includes follow the table"; else
	echo "$bad" | sed 's/^/# /'; echo "not ok 1 - includes follow the table"; fi
if [ -z "$rooms" ]; then echo "ok 2 - every room stands in the table"; else
	echo "# $rooms"; echo "not ok 2 - every room stands in the table"; fi
if [ -z "$apart" ]; then echo "ok 3 - every JSON document leaves through render/json-text.c"; else
	echo "$apart" | sed 's/^/# /'; echo "not ok 3 - every JSON document leaves through render/json-text.c"; fi
