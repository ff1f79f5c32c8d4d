# SPDX-License-Identifier: GPL-2.0-or-later
# Turn record files into C. Strings stay below the 4095 bytes every C11 compiler must take.
# awk -v version=2026.12 -v digest=HEX -f embed.awk FILE...

function flush_part() {
	if (len == 0) return
	printf "static const char part_%d[] =\n%s;\n\n", ++parts, text
	name[parts] = file
	text = ""; len = 0
}

BEGIN {
	print "/* Made by embed.awk from db/: do not edit. */"
	print "#include \"drivedb/builtin.h\"\n"
}

FNR == 1 {
	flush_part()
	file = FILENAME
	sub(/^.*\//, "", file)
	file = "db/" file
}

{
	if ($0 ~ /[^ -~]/) {
		printf "%s:%d: not printable ASCII\n", FILENAME, FNR > "/dev/stderr"
		bad = 1
		exit 1
	}
	if (length($0) > 3900) {
		printf "%s:%d: line too long\n", FILENAME, FNR > "/dev/stderr"
		bad = 1
		exit 1
	}
	if (len + length($0) + 1 > 3900) flush_part()
	len += length($0) + 1
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	gsub(/\?/, "\\?")
	text = text (text == "" ? "" : "\n") "\t\"" $0 "\\n\""
}

END {
	if (bad) exit 1
	flush_part()
	print "const struct builtin_part drivedb_builtin[] = {"
	for (i = 1; i <= parts; i++)
		printf "\t{ \"%s\", part_%d, sizeof(part_%d) - 1 },\n", name[i], i, i
	print "};"
	print "const size_t drivedb_builtin_n = sizeof(drivedb_builtin) / sizeof(*drivedb_builtin);"
	printf "const char drivedb_builtin_version[] = \"%s sha256:%s\";\n", version, digest
}
