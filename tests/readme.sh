#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# "make readme": write the output that the README shows anew. Its argument is the program.
set -eu
cd "$(dirname "$0")/.."
command=$(sed -n 's/^    \$ build\/drivewhy //p' README)
# shellcheck disable=SC2086 # the words of the command line
COLUMNS=80 "$1" $command >README.block 2>&1 || [ $? -lt 64 ]
awk -v block=README.block '
	/^-+$/ && length == 80 {
		if (inside) while ((getline line < block) > 0) print line
		inside = !inside
		print
		next
	}
	!inside' README >README.new
rm README.block
mv README.new README
