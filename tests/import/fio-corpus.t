# SPDX-License-Identifier: GPL-2.0-or-later
# Real outputs of fio beside the checkout, read a second time in the simplest way.
set -u
corpus=${DRIVEWHY_SHARED:-$top_srcdir/../shared}/corpus/fio-output

if [ ! -d "$corpus" ]; then
	echo "1..0 # SKIP corpus not there"
	exit 0
fi
if ! command -v python3 >/dev/null 2>&1; then
	echo "1..0 # SKIP python3 is not there"
	exit 0
fi
exec python3 "$top_srcdir/tests/import/fio-corpus.py" "$top_builddir/drivewhy" "$corpus"/*
