# SPDX-License-Identifier: GPL-2.0-or-later
# quickstart in a folder of its own, where every tool but the shell's is a stand-in.
set -u
work=$top_builddir/tests/quickstart.tmp
n=0

rm -rf "$work"
mkdir -p "$work/bare" "$work/tools" "$work/tree/build" "$work/sys/block" || exit 1
work=$(cd "$work" && pwd)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
cp "$top_srcdir/quickstart" "$tree/quickstart"

for tool in sh cat basename dirname echo env find grep head id mkdir mv nproc printf readlink rm sed sort tail \
	touch tr uname; do
	real=$(command -v "$tool") && [ -x "$real" ] && ln -s "$real" "$work/bare/$tool"
done

# tool NAME: the script on standard input becomes a stand-in.
tool()
{
	{ echo '#!/bin/sh'; cat; } >"$work/tools/$1"
	chmod +x "$work/tools/$1"
}

for name in true cc autoconf automake autoreconf pkg-config; do
	echo 'exit 0' | tool "$name"
done
echo 'echo "# PASS:  3"' | tool make
printf '%s\n' '[ "$1" = -n ] && shift' 'exec "$@"' | tool sudo

# start PATH [ARGUMENT]...: run quickstart, keep its output and exit status.
start()
{
	path=$1
	shift
	QUICKSTART_SYSFS=$work/sys QUICKSTART_DEV=$work/dev PATH=$path sh "$tree/quickstart" "$@" \
		>"$work/output" 2>&1 </dev/null
	status=$?
}

# expect WHAT STATUS [LINE]...: the last start ended so and printed these lines (regular expressions).
expect()
{
	n=$((n + 1))
	what=$1
	wrong=
	[ "$status" -eq "$2" ] || wrong="exit status $status, not $2"
	shift 2
	for line; do
		grep -Eq -- "$line" "$work/output" || wrong="$wrong; no line $line"
	done
	if [ -z "$wrong" ]; then
		echo "ok $n - $what"
	else
		sed 's/^/# /' "$work/output"
		echo "# $wrong"
		echo "not ok $n - $what"
	fi
}

echo 1..11

start "$work/bare" --help
expect "--help" 0 '^Usage: '
start "$work/bare" --nonsense
expect "an unknown option is a usage error" 64 '^Usage: '

# A machine without a compiler, where nobody may install one.
start "$work/bare" --no-install
expect "names the apt-get line when it may not install" 69 \
	'^    apt-get update && apt-get install --no-install-recommends .*autoconf automake gcc .*make'
printf 'exit 1\n' | tool sudo
[ "$(id -u)" -eq 0 ] || rm "$work/tools/sudo"
printf 'echo "no network"; exit 100\n' >"$work/bare/apt-get"
sed -i '1i #!/bin/sh' "$work/bare/apt-get"
chmod +x "$work/bare/apt-get"
start "$work/bare"
expect "says so when apt-get cannot" 69 '^    apt-get update && apt-get install .* gcc '
rm "$work/bare/apt-get"
printf '%s\n' '[ "$1" = -n ] && shift' 'exec "$@"' | tool sudo

# A machine with everything, whose build is fresh.
touch "$tree/configure.ac" "$tree/Makefile.am" "$tree/Makefile.in" "$tree/configure"
chmod +x "$tree/configure"
mkdir -p "$tree/src" "$tree/man" "$tree/tests"
printf 'abs_top_builddir = %s\nCMOCKA_LIBS = -lcmocka\nUMOCKDEV_LIBS = -lumockdev\n' "$tree/build" >"$tree/build/Makefile"
cat >"$tree/build/drivewhy" <<'END'
#!/bin/sh
case $1 in
*/sdc) echo "drivewhy: $1: Permission denied" >&2; exit 65 ;;
esac
echo "diagnosis of $1"
exit 1
END
chmod +x "$tree/build/drivewhy"
both=$work/tools:$work/bare

# disk NAME VENDOR REMOVABLE [BUS]: a disk of the fake machine.
disk()
{
	mkdir -p "$work/sys/devices/${4:-pci}/$1/device" "$work/dev"
	echo "$2" >"$work/sys/devices/${4:-pci}/$1/device/vendor"
	echo "$3" >"$work/sys/devices/${4:-pci}/$1/removable"
	ln -s "$work/sys/devices/${4:-pci}/$1" "$work/sys/block/$1"
	: >"$work/dev/$1"
}

disk vda '' 0
disk sdb 'Generic ' 1 usb1
disk sde 'SEAGATE ' 0
start "$both"
expect "without an ATA drive the example is shown" 0 \
	'no ATA drive .*: sdb \(no ATA\), sde \(no ATA\), vda \(virtio' \
	'^diagnosis of tests/import/example-slow-ssd.txt'

disk sdc 'ATA     ' 0
start "$both"
expect "when no drive can be read, the example is shown too" 0 'sdc: Permission denied' \
	'^diagnosis of tests/import/example-slow-ssd.txt'

disk sda 'ATA     ' 0
disk sdd 'ASMT    ' 0 usb1
start "$both"
expect "every ATA drive and USB disk is diagnosed" 0 '^diagnosis of .*dev/sda' 'sdc: Permission' \
	'^diagnosis of .*dev/sdd'
n=$((n + 1))
if grep -Eq 'diagnosis of .*(sdb|sde|example)' "$work/output"; then
	echo "not ok $n - and nothing else"
else
	echo "ok $n - and nothing else"
fi

printf '#!/bin/sh\nexit 70\n' >"$tree/build/drivewhy"
start "$both"
expect "a crash of drivewhy is not hidden" 70 'drivewhy failed with exit status 70'

start "$both" check --no-install
expect "tests go without what only some of them use" 0 \
	'^quickstart: skipping the tests that need: .*jq .*mandoc .*python3' '^# PASS: +3'

printf 'echo "cc: error"; exit 2\n' | tool make
start "$both"
expect "a failed build is shown" 70 'cc: error' 'make failed'
