# SPDX-License-Identifier: GPL-2.0-or-later
# Read by tests that are shell scripts: the lines of the Test Anything Protocol.
n=0

# result WHAT COMPLAINTS: one test, failed if there are complaints.
result()
{
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "$2" | sed 's/^/# /'
		echo "not ok $n - $1"
	fi
}

# ok WHAT COMMAND...: one test, failed if the command fails.
ok()
{
	n=$((n + 1))
	what=$1
	shift
	if "$@"; then echo "ok $n - $what"; else echo "not ok $n - $what"; fi
}

# need TOOL...: a test that means nothing without them is skipped whole, and says for want of which.
need()
{
	for tool; do
		command -v "$tool" >/dev/null 2>&1 && continue
		echo "1..0 # SKIP $tool is not there"
		exit 0
	done
}

# started_often: a search for leaks at the end of each of some hundred starts takes longer than all else
# of a test; others search the same paths. For builds with AddressSanitizer.
started_often()
{
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	export ASAN_OPTIONS
}
