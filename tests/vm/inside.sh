# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by scripts that run inside of the virtual machine: drives, and tests in TAP.
config=/sys/kernel/config/target
sim=$top_builddir/tests/vm/satasim
drivewhy=$top_builddir/drivewhy
n=0
# what is looked at here is nothing to remember
DRIVEWHY_STATE=none
export DRIVEWHY_STATE

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for()
{
	tries=$(($1 * 20))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}

uio_of()
{
	grep -l "/$1/" /sys/class/uio/uio*/name | sed 's|.*/\(uio[0-9]*\)/name|\1|'
}

# sim_up NUMBER CAPTURE [KEY=VALUE]...: a drive; its name comes to be in $disk. The keys are those of
# satasim, uml.sh explains them, and bytes=N.
sim_up()
{
	number=$1
	shift
	bytes=67108864
	for word; do
		shift
		case $word in
		bytes=*) bytes=${word#*=} ;;
		*) set -- "$@" "$word" ;;
		esac
	done
	store=$config/core/user_$number/sata$number
	mkdir -p "$store" || return 1
	echo "dev_config=sim/sata$number,dev_size=$bytes,hw_block_size=512,max_data_area_mb=8" \
		>"$store/control" || return 1
	echo nl_reply_supported=-1 >"$store/control"
	echo 1 >"$store/enable" || return 1
	: >"/run/options$number"
	"$sim" "/dev/$(uio_of "sata$number")" "$bytes" "$@" "log=/run/log$number" \
		"options=/run/options$number" \
		2>"/run/sim$number.err" &
	eval "sim_pid$number=$!"
	before=$(ls /sys/block)
	loop=$config/loopback/naa.50014050000000$(printf %02d "$number")
	mkdir -p "$loop/tpgt_1" || return 1
	echo "naa.50014051000000$(printf %02d "$number")" >"$loop/tpgt_1/nexus"
	mkdir -p "$loop/tpgt_1/lun/lun_0"
	ln -s "$store" "$loop/tpgt_1/lun/lun_0/link" || return 1
	wait_for 5 new_disk || return 1
	disk=$(new_disk)
	wait_for 5 test -b "/dev/$disk"
	: >"/run/log$number"
}

# sim_set NUMBER KEY=VALUE...: the drive becomes another.
sim_set()
{
	number=$1
	shift
	printf '%s\n' "$@" >"/run/options$number"
	eval "kill -HUP \$sim_pid$number"
	sleep 0.2
	: >"/run/log$number"
}

# sim_sleep NUMBER: the drive is in standby.
sim_sleep()
{
	eval "kill -USR1 \$sim_pid$1"
	sleep 0.2
	: >"/run/log$1"
}

new_disk()
{
	for d in /sys/block/sd*; do
		[ -e "$d" ] || continue
		case " $(echo "$before" | tr '\n' ' ') " in
		*" ${d##*/} "*) ;;
		*) echo "${d##*/}" && return 0 ;;
		esac
	done
	return 1
}

# ok WHAT STATUS: one test.
ok()
{
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
	fi
}

# is WHAT GOT WANTED
is()
{
	[ "$2" = "$3" ]
	ok "$1" $?
	[ "$2" = "$3" ] || printf '# got: %s\n# wanted: %s\n' "$2" "$3"
}

# has WHAT FILE PATTERN
has()
{
	grep -q -- "$3" "$2"
	ok "$1" $?
	grep -q -- "$3" "$2" || { echo "# no '$3' in:"; sed 's/^/# /;20q' "$2"; }
}

# hasnt WHAT FILE PATTERN
hasnt()
{
	! grep -q -- "$3" "$2"
	ok "$1" $?
	grep -- "$3" "$2" | sed 's/^/# /;5q'
}
