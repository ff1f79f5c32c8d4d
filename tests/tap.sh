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
