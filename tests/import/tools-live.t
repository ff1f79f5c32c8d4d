# SPDX-License-Identifier: GPL-2.0-or-later
# The tools that are installed here run for a moment, on a file or on a drive made of files; what is
# read in their output is compared with what a reader written apart from ours makes of it.
set -u

if [ -z "$PYTHON" ]; then
	echo "1..0 # SKIP python3 is not there"
	exit 0
fi
work=$top_builddir/tests/tools-live.tmp
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
"$PYTHON" "$top_srcdir/tests/import/tools-live.py" "$top_builddir/drivewhy" "$work" \
	"${top_builddir}/tests/peer/fake-sata.so" "$top_srcdir/tests/captures" \
	"${DRIVEWHY_SHARED:-$top_srcdir/../shared}/corpus"
