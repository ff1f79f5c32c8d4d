# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by uml.sh and the tests: run a script inside of user-mode Linux, where sim_up makes drives,
# or inside of QEMU, where a real libata port has a drive of QEMU's.

# vm_alone: wait until no other machine of these tests runs. They time reads, and two of them on two
# processors would time each other. The lock goes with the shell and what it starts.
vm_alone()
{
	exec 9>"$top_builddir/tests/vm/alone" && flock 9
}

# vm_find: where linux.uml and its modules are: $DRIVEWHY_UML (an unpacked package), or installed.
vm_find()
{
	for root in "${DRIVEWHY_UML:-}" ''; do
		[ -x "$root/usr/bin/linux.uml" ] || continue
		vm_kernel=$root/usr/bin/linux.uml
		for folder in "$root"/usr/lib/uml/modules/*; do
			[ -r "$folder/modules.dep" ] && vm_modules=$folder && return 0
		done
	done
	return 1
}

# vm_list MODULE...: the files to load, each behind those that it needs.
vm_list()
{
	"${AWK:-awk}" -v folder="$vm_modules" -v wanted="$*" '
		{
			file = $1; sub(/:$/, "", file)
			name = file; sub(/.*\//, "", name); sub(/\.ko$/, "", name)
			file_of[name] = file
			needs[name] = ""
			for (i = NF; i > 1; i--) needs[name] = needs[name] " " $i
		}
		END {
			n = split(wanted, want, " ")
			for (i = 1; i <= n; i++) {
				k = split(needs[want[i]] " " file_of[want[i]], files, " ")
				for (j = 1; j <= k; j++)
					if (!seen[files[j]]++) print folder "/" files[j]
			}
		}' "$vm_modules/modules.dep"
}

# vm_run OUT SCRIPT SECONDS: what the script prints goes to OUT/console; returns its exit status.
vm_run()
{
	vm_list sd_mod sg target_core_user tcm_loop ${VM_MODULES:-} >"$1/modules" || return 99
	rm -f "$1/rc"
	timeout -k 5 "$3" "$vm_kernel" mem=256M root=/dev/root rootfstype=hostfs rootflags=/ ro \
		init="$top_builddir/tests/vm/init" con=null con0=fd:0,fd:1 ssl=null quiet \
		uml_dir="$1/" umid="drivewhy$$" SCRIPT="$2" OUT="$1" MODULES="$1/modules" \
		top_srcdir="$top_srcdir" top_builddir="$top_builddir" \
		</dev/null >"$1/console" 2>&1
	[ -s "$1/rc" ] || return 99
	return "$(cat "$1/rc")"
}

# --- QEMU ------------------------------------------------------------------------------------------

# qemu_find: a kernel of Debian's with its modules: $DRIVEWHY_KERNEL (an unpacked package), what
# ./quickstart check unpacked, or installed.
qemu_find()
{
	qemu_missing=
	for tool in qemu-system-x86_64 busybox xz; do
		command -v $tool >/dev/null 2>&1 || qemu_missing="$qemu_missing $tool"
	done
	[ -z "$qemu_missing" ] || return 1
	for root in "${DRIVEWHY_KERNEL:-}" "$top_builddir/vm-kernel" ''; do
		for folder in "$root"/lib/modules/*; do
			[ -r "$folder/modules.dep" ] && grep -q '/ahci.ko' "$folder/modules.dep" &&
				[ -r "$root/boot/vmlinuz-${folder##*/}" ] || continue
			vm_modules=$folder
			vm_kernel=$root/boot/vmlinuz-${folder##*/}
			return 0
		done
	done
	qemu_missing=" a kernel with ahci.ko"
	return 1
}

# An unpacked kernel starts in a third of the time. It stands behind the first xz signature.
qemu_unpack()
{
	at=$(LC_ALL=C grep -aboP '\xFD7zXZ\x00' "$vm_kernel" | sed 's/:.*//;q')
	[ -n "$at" ] && tail -c +$((at + 1)) "$vm_kernel" | xz -dc --single-stream >"$1" 2>/dev/null
	[ "$(head -c 4 "$1" | tail -c 3)" = ELF ] || cp "$vm_kernel" "$1"
}

# qemu_add FOLDER PROGRAM: and the libraries that it needs.
qemu_add()
{
	cp -L "$2" "$1/bin/" || return 1
	ldd "$2" | grep -o '/[^ )]*' | while read -r library; do
		mkdir -p "$1${library%/*}"
		cp -L "$library" "$1$library"
	done
}

# qemu_disk OUT SCRIPT: the initial RAM disk, $OUT/initrd: busybox, the script, our programs.
qemu_disk()
{
	root=$1/root
	mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/run" "$root/tmp" "$root/modules" ||
		return 1
	cp "$top_builddir/tests/vm/init" "$root/init" || return 1
	cp "$2" "$root/script" || return 1
	cp "$top_srcdir/tests/vm/inside.sh" "$root/inside.sh" || return 1
	cp -L "$(command -v busybox)" "$root/bin/busybox" || return 1
	for applet in $("$root/bin/busybox" --list); do
		ln -s busybox "$root/bin/$applet"
	done
	qemu_add "$root" "$top_builddir/drivewhy" || return 1
	qemu_add "$root" "$top_builddir/tests/vm/ask" || return 1
	shift 2
	vm_list "$@" | while read -r file; do
		cp "$file" "$root/modules/" || return 1
		echo "/modules/${file##*/}"
	done >"$root/modules/list"
	(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null) | gzip -1 >"$root.gz"
}

# qemu_run OUT SCRIPT SECONDS MODULES OPTION...: the script's output goes to OUT/tap, the kernel's to
# OUT/console; returns the exit status of the script, or 99.
qemu_run()
{
	out=$1
	seconds=$3
	# shellcheck disable=SC2086 # several words are meant
	qemu_disk "$1" "$2" $4 || return 99
	qemu_unpack "$1/kernel" || return 99
	shift 4
	timeout -k 5 "$seconds" qemu-system-x86_64 -m 384 -display none -nodefaults -no-reboot \
		-accel tcg -cpu qemu64 -M q35 -smp 1 -serial "file:$out/console" -serial "file:$out/port" \
		-kernel "$out/kernel" -initrd "$out/root.gz" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr random.trust_cpu=on SCRIPT=/script MODULES=/modules/list" \
		"$@" </dev/null >"$out/qemu" 2>&1
	tr -d '\r' <"$out/port" >"$out/tap"
	rc=$(sed -n 's/^rc=//p' "$out/tap")
	return "${rc:-99}"
}
