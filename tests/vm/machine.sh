# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by uml.sh and the tests: run a script inside of user-mode Linux, where sim_up makes drives.

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
		umid="drivewhy$$" SCRIPT="$2" OUT="$1" MODULES="$1/modules" \
		top_srcdir="$top_srcdir" top_builddir="$top_builddir" \
		</dev/null >"$1/console" 2>&1
	[ -s "$1/rc" ] || return 99
	return "$(cat "$1/rc")"
}
