# SPDX-License-Identifier: GPL-2.0-or-later
# The real program on a real kernel, in user-mode Linux: no root, no drive, some seconds a boot.
# Skipped, with the reason, where there is no user-mode Linux; $DRIVEWHY_UML may name an unpacked
# package of it.
set -u
. "$top_srcdir/tests/vm/machine.sh"
work=$top_builddir/tests/vm/uml.tmp

skip()
{
	echo "1..0 # SKIP $1"
	exit 0
}

[ -n "${DRIVEWHY_VM:-}" ] ||
	skip "machines are started by ./quickstart check, or with DRIVEWHY_VM=1"
vm_find || skip "user-mode-linux is not installed"
grep -q __asan_init "$top_builddir/drivewhy" &&
	skip "a build with sanitizers does not run in user-mode Linux"
vm_alone || exit 1
mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# machine SCRIPT: the status of its machine goes to OUT/status.
machine()
{
	mkdir -p "$work/$1" || exit 1
	vm_run "$work/$1" "$top_srcdir/tests/vm/$1.sh" 240
	echo $? >"$work/$1/status"
}

# The one that probes times reads, so it is alone; the others mostly wait for drives that hang.
{
	machine faults
	machine check
} &
machine drives
wait
machine probe

# The numbers of all scripts become one row.
n=0
for script in drives faults check probe; do
	out=$work/$script
	grep -E '^(ok|not ok|#) ?' "$out/tap" >"$out/lines" 2>/dev/null
	while read -r line; do
		case $line in
		"ok "*) n=$((n + 1)) && echo "ok $n - ${line#* - }" ;;
		"not ok "*) n=$((n + 1)) && echo "not ok $n - ${line#* - }" ;;
		*) echo "$line" ;;
		esac
	done <"$out/lines"
	n=$((n + 1))
	if [ "$(cat "$out/status")" -ne 99 ] && [ -s "$out/lines" ]; then
		echo "ok $n - $script: the machine came up and went down"
	else
		tail -n 20 "$out/console" "$out/errors" 2>/dev/null | sed 's/^/# /'
		echo "not ok $n - $script: the machine came up and went down"
	fi
done
echo "1..$n"
