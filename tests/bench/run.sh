#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whole commands side by side, in alternating rounds: "make bench". Reports, never judges.
#
#   ROUNDS=21 tests/bench/run.sh BUILD_FOLDER [POST]...
set -u
# what is measured here is nothing to remember
DRIVEWHY_STATE=none
export DRIVEWHY_STATE
src=$(cd "$(dirname "$0")/../.." && pwd) || exit 70
build=$1
shift
[ $# -gt 0 ] || set -- "$src/tests/import/example-slow-ssd.txt"
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

for post; do
	echo "$(wc -c <"$post") bytes: $post"
	set -- "drivewhy POST" "$build/drivewhy" "$post" \
		-- "drivewhy --version" "$build/drivewhy" --version
	if command -v smartctl >/dev/null 2>&1; then
		set -- "$@" -- "smartctl --version" smartctl --version
	fi
	if command -v python3 >/dev/null 2>&1; then
		set -- "$@" -- "python3 -c pass" python3 -c pass
	fi
	"$build/tests/bench/alternate" "${ROUNDS:-21}" "$@" || exit
done
