# SPDX-License-Identifier: GPL-2.0-or-later
# Published kernel logs, read by the program and by a reader written apart: the same counts.
set -u
shared=${DRIVEWHY_SHARED:-$top_srcdir/../shared}

if [ -z "$PYTHON" ]; then
	echo "1..0 # SKIP python3 is not there"
	exit 0
fi
set -- "$top_srcdir"/tests/import/kernel-logs/*.txt
[ -d "$shared/corpus/dmesg-libata" ] && set -- "$@" "$shared"/corpus/dmesg-libata/*.txt
exec "$PYTHON" "$top_srcdir/tests/import/compare-kernel-log.py" "$top_builddir/drivewhy" "$@"
