# SPDX-License-Identifier: GPL-2.0-or-later
# The entries of drivewhy-findings(7) as C: awk -f findings.awk drivewhy-findings.7
# Macros become the words they stand for; an empty line divides paragraphs.

function flush() {
	if (code == "") return
	sub(/\n*$/, "", text)
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	gsub(/\?/, "\\?", text)
	if (length(text) > 3900) {
		printf "%s: the entry of %s is too long\n", FILENAME, code > "/dev/stderr"
		bad = 1
	}
	gsub(/\n/, "\\n\"\n\t\t\"", text)
	printf "\t[CODE_%s] =\n\t\t\"%s\",\n", code, text
	n++
	text = ""
	code = ""
}

# Words of a macro's arguments; a mark at the end belongs to what stands before it.
function words(s) {
	gsub(/Xr +/, "", s)
	gsub(/(Sy|Em|Pa|Cm|Li|Ql|Ar) +/, "", s)
	s = with_pages(s)
	return s
}

# "fstrim 8" is the page fstrim(8)
function with_pages(s,   out) {
	out = ""
	while (match(s, /[a-z][a-z0-9_-]* [1-8]( |$)/)) {
		out = out substr(s, 1, RSTART - 1)
		page = substr(s, RSTART, RLENGTH)
		sub(/ $/, "", page)
		sub(/ /, "(", page)
		out = out page ")"
		s = substr(s, RSTART + RLENGTH)
		if (s != "") out = out " "
	}
	return out s
}

# Take the marks off the end of S into MARKS, and leave the rest.
function split_marks(s) {
	marks = ""
	while (match(s, / [.,;:)]$/)) {
		marks = substr(s, RSTART + 1) marks
		s = substr(s, 1, RSTART - 1)
	}
	return s
}

function add(s) {
	if (text != "" && text !~ /[\n(]$/) text = text " "
	text = text s
}

BEGIN {
	print "/* Made by findings.awk from drivewhy-findings(7): do not edit. */"
	print "#include \"model/finding.h\"\n"
	print "/* clang-format off */"
	print "static const char *const texts[CODE_COUNT] = {"
}

/^\.It Sy / {
	flush()
	code = $3
	next
}
/^\.(El|Bl|Ss|Sh)/ {
	if (/^\.(El|Ss|Sh)/) flush()
	next
}
code == "" { next }
{ gsub(/\\&/, "") }
/^\.Pp/ { text = text "\n\n"; next }
/^\.Po/ { add("("); next }
/^\.Pc/ { s = split_marks($0); text = text ")" marks; next }
/^\.Pq / { s = split_marks(substr($0, 5)); s = words(s); gsub(/ ,/, ",", s); add("(" s ")" marks); next }
/^\.Dq / { s = split_marks(substr($0, 5)); add("\"" s "\"" marks); next }
/^\.Ql / { s = split_marks(substr($0, 5)); s = words(s); add("'" s "'" marks); next }
/^\.Xr / { s = split_marks(substr($0, 5)); add(with_pages(s) marks); next }
/^\.Fl / { s = split_marks(substr($0, 5)); add("-" s marks); next }
/^\.(Cm|Pa|Em|Sy|Li|Ar) / { s = split_marks(substr($0, 5)); add(s marks); next }
/^\.\\"/ { next }
/^\./ {
	printf "%s:%d: %s is not known here\n", FILENAME, FNR, $1 > "/dev/stderr"
	bad = 1
	next
}
/^(Speaks for it|Speaks against it|Source|What to do|Confirmed by):/ {
	if (text != "" && text !~ /\n\n$/) text = text "\n\n"
}
{ add($0) }

END {
	flush()
	print "};"
	print "/* clang-format on */\n"
	print "const char *code_text(enum code code)\n{\n\treturn texts[code];\n}"
	if (bad || !n) exit 1
}
