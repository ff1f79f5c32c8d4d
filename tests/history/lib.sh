# SPDX-License-Identifier: GPL-2.0-or-later
# Read by the tests of this folder. No test of them needs more than files.
program=$top_builddir/drivewhy
make_drive=$top_builddir/tests/history/make-drive
work=$top_builddir/tests/history/${name:?}.tmp
state=$work/state
. "$top_srcdir/tests/tap.sh"
TZ=UTC COLUMNS=80
export TZ COLUMNS
rm -rf "$work"
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# The file in one line, so that it does not matter where lines are broken.
flat()
{
	tr -s ' \n' '  ' <"$1"
}

# has FILE TEXT...: complain of each text that is not in the file.
has()
{
	file=$1
	shift
	for text; do
		flat "$file" | grep -qF -- "$text" || {
			echo "missing: $text"
			sed 's/^/  got: /' "$file"
		}
	done
}

# hasnt FILE TEXT...
hasnt()
{
	file=$1
	shift
	for text; do
		! flat "$file" | grep -qF -- "$text" || {
			echo "should not be there: $text"
			sed 's/^/  got: /' "$file"
		}
	done
}

# 2026-01-DAY HOUR:MINUTE as seconds since 1970, UTC
at()
{
	echo $((1767225600 + ($1 - 1) * 86400 + $2 * 3600 + ${3:-0} * 60))
}
