# SPDX-License-Identifier: GPL-2.0-or-later
# Saved trees in tests/sysroot: what list and why make of drives that are no plain SATA drive.
#   path: text          a file with this line; "path: |" goes on until an empty line
#   path -> target      a link
#   path/               a folder
#   ? FILTER = VALUE    jq of "list --json"
#   % NAME = VALUE      devices that a name means
#   + WORDS             a part of what "list" prints;  * WORDS of "why DEVICE" (all drives)
#   - WORDS             must not be in what why prints;  = STATUS of why, 3 if not given
set -u
work=$top_builddir/tests/sysroot.tmp
program=$top_builddir/drivewhy
. "$top_srcdir/tests/tap.sh"

if ! command -v jq >/dev/null 2>&1; then
	echo "1..0 # SKIP jq is not there"
	exit 0
fi
mkdir -p "$work" || exit 99
trap 'rm -rf "$work"' EXIT

unpack() { # FILE FOLDER
	while IFS= read -r line; do
		case $line in
		'' | '#'* | '? '* | '% '* | '+ '* | '* '* | '- '* | '= '*) ;;
		*' -> '*)
			mkdir -p "$2/$(dirname "${line%% -> *}")"
			ln -s "${line#* -> }" "$2/${line%% -> *}"
			;;
		*/) mkdir -p "$2/$line" ;;
		*': |')
			mkdir -p "$2/$(dirname "${line%: |}")"
			while IFS= read -r text && [ -n "$text" ]; do
				printf '%s\n' "$text"
			done >"$2/${line%: |}"
			;;
		*': '*)
			mkdir -p "$2/$(dirname "${line%%: *}")"
			printf '%s\n' "${line#*: }" >"$2/${line%%: *}"
			;;
		*) echo "Bail out! $1: $line" ;;
		esac
	done <"$1"
}

lines() { # KIND FILE
	grep "^$1 " "$2" | cut -c3-
}

flat() {
	tr -s ' \n' '  '
}

for tree in "$top_srcdir"/tests/sysroot/*.tree; do
	name=${tree##*/}
	root=$work/$name
	mkdir "$root"
	unpack "$tree" "$root"
	"$program" list --json --sysroot="$root" >"$root/json" 2>"$root/err"
	result "$name: list" "$(
		lines '?' "$tree" | while IFS= read -r line; do
			got=$(jq -r "${line% = *}" "$root/json" 2>&1)
			[ "$got" = "${line##* = }" ] || echo "${line% = *} is '$got', not '${line##* = }'"
		done
		lines % "$tree" | while IFS= read -r line; do
			got=$("$program" list --json --sysroot="$root" "${line% = *}" 2>/dev/null |
				jq -r '[.drives[].device] | join(" ")')
			[ "$got" = "${line##* = }" ] || echo "${line% = *} means '$got', not '${line##* = }'"
		done
		COLUMNS=160 "$program" list -v --sysroot="$root" 2>&1 | flat >"$root/text"
		lines + "$tree" | while IFS= read -r line; do
			grep -qF -- "$line" "$root/text" || echo "list does not say: $line"
		done)"
	lines '\*' "$tree" >"$root/said"
	[ -s "$root/said" ] || continue
	# shellcheck disable=SC2046
	"$program" why --sysroot="$root" $(jq -r '.drives[].device' "$root/json") >"$root/why" 2>&1
	status=$?
	flat <"$root/why" >"$root/why.flat"
	result "$name: why" "$(
		want=$(lines = "$tree")
		[ $status -eq "${want:-3}" ] || echo "status $status, not ${want:-3}"
		while IFS= read -r line; do
			grep -qF -- "$line" "$root/why.flat" || echo "why does not say: $line"
		done <"$root/said"
		lines - "$tree" | while IFS= read -r line; do
			grep -qF -- "$line" "$root/why.flat" && echo "why says: $line"
		done
		grep -i healthy "$root/why")"
done

sed -n '/^\.Sh THE LIST/,/^\.Sh EXAMPLES/s/^\.It Va //p' "$top_srcdir/man/drivewhy-json.5" | sort >"$work/documented"
jq -r '.drives[] | keys[]' "$work/names.tree/json" | sort -u >"$work/printed"
result "drivewhy-json(5) has the keys of the list" "$(diff "$work/printed" "$work/documented")"
echo "1..$n"
