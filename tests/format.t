# SPDX-License-Identifier: GPL-2.0-or-later
# The look of the sources: what a reviewer should never have to say.
set -u
cd "$top_srcdir" || exit 1
. "$top_srcdir/tests/tap.sh"

# Sources of every kind; found without git, because a tarball has none.
list()
{
	find src tests man db contrib configure.ac Makefile.am quickstart .ci -type f \( "$@" \) \
		! -path 'tests/import/*' ! -path 'tests/captures/*' ! -path 'tests/golden/*' \
		! -path 'tests/fuzz/corpus/*' ! -path 'tests/sysroot/*' 2>/dev/null | sort
}

c_files=$(list -name '*.[ch]')
sources=$(list -name '*.[ch]' -o -name '*.def' -o -name '*.t' -o -name '*.a[cm]' -o -name '*.awk' \
	-o -name '*.hwdb' -o -name '*.[1-8]' -o -name quickstart -o -name run -o -name '*.sh')
echo 1..8

# Another version of clang-format has another taste; 14 is the one of Debian 12.
formatter=
for name in clang-format-14 clang-format; do
	command -v "$name" >/dev/null 2>&1 || continue
	case $("$name" --version) in
	*"version 14."*) formatter=$name; break ;;
	esac
done
if [ -n "$formatter" ]; then
	# shellcheck disable=SC2086
	result "clang-format changes nothing" \
		"$("$formatter" --dry-run -Werror $c_files 2>&1 | grep 'error:')"
else
	n=1
	echo "ok 1 # SKIP clang-format 14 is not there"
fi

# shellcheck disable=SC2086
result "every source names its licence at its top" "$("$AWK" '
	FNR <= 2 && /SPDX-License-Identifier: GPL-2.0-or-later/ { named[FILENAME] }
	END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in named)) print ARGV[i] }' $sources)"

# A body begins with { and ends with } in the first column.
# shellcheck disable=SC2086
result "no function has more than 60 lines" "$("$AWK" '
	FNR == 1 { start = 0 }
	/^\{/ { start = FNR }
	/^\}/ && start {
		if (FNR - start - 1 > 60) print FILENAME ":" start ": " FNR - start - 1 " lines"
		start = 0
	}' $c_files)"

# shellcheck disable=SC2046
result "no .c file has more than 500 lines, but those in long-files.txt" "$(
	wc -l $(list -name '*.c') | while read -r lines file; do
		[ "$lines" -le 500 ] || [ "$file" = total ] ||
			grep -q "^$file " tests/long-files.txt || echo "$file: $lines lines"
	done)"

result "long-files.txt names only long files, each with a reason" "$(
	sed '/^#/d; /^$/d' tests/long-files.txt | while read -r file reason; do
		if [ ! -f "$file" ] || [ "$(wc -l <"$file")" -le 500 ]; then
			echo "$file is not long"
		fi
		[ -n "$reason" ] || echo "$file has no reason"
	done)"

# shellcheck disable=SC2086
result "no path of somebody's own machine" \
	"$(grep -nE '(^|[^a-zA-Z0-9.])/(hom[e]|wor[k]|roo[t]|User[s])/[A-Za-z.]' $sources \
		README NEWS src/README)"

# shellcheck disable=SC2086
result "no white space at the end of a line" \
	"$(grep -nE '[[:space:]]+$' $sources README NEWS src/README)"

# shellcheck disable=SC2086
result "no mark that a merge left" \
	"$(grep -nE '^([<]{7}|[>]{7})( |$)' $sources README NEWS src/README)"
