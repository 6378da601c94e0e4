# Takes from scripts and style sheets what only readers of the source need:
# comments on lines of their own, indentation, empty lines, blanks and ends of
# lines beside anything but a word.  Scripts have all their semicolons.  Texts
# and patterns stay as they are.

# Returns the first characters of a line that are a text or a pattern, or "".
function quoted(s, before,	end, i, c, depth) {
	c = substr(s, 1, 1)
	if (c == "/" && before !~ /(^|[(,=:[!&|?{};>])$/ || c !~ /["'`\/]/)
		return ""
	end = c
	for (i = 2; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\")
			i++
		else if (end == "/" && c == "[")
			depth = 1
		else if (c == "]")
			depth = 0
		else if (c == end && !depth)
			return substr(s, 1, i)
	}
	return s
}

function squeeze(s,	out, text, c, next_one, before) {
	for (; s != ""; s = substr(s, length(text) + 1)) {
		text = quoted(s, out)
		if (text == "") {
			text = c = substr(s, 1, 1)
			before = substr(out, length(out))
			next_one = substr(s, 2, 1)
			if (c == " " && (before !~ /[A-Za-z0-9_$]/ ||
			    next_one !~ /[A-Za-z0-9_$]/) &&
			    !(before == next_one && before ~ /[-+]/))
				c = ""
			out = out c
		} else
			out = out text
	}
	return out
}

# Writes a line beside the one before, followed by `end`; C has texts of 4,095
# characters at most.
function put(s, end) {
	if (used > 2000 || last ~ /[A-Za-z0-9_$]/ && s ~ /^[A-Za-z0-9_$]/) {
		print ""
		used = 0
	}
	printf "%s%s", s, end
	used = end == "" ? used + length(s) : 0
	last = end == "" ? substr(s, length(s)) : ""
}

{ sub(/^[ \t]+/, "") }
/^\/\*.*\*\/$/ { next }
/^\/\*/ { inside = 1 }
inside { inside = !/\*\/$/; next }
/^\/\// || /^$/ { next }
FILENAME ~ /css$/ {
	gsub(/ *[{] */, "{")
	gsub(/ *[}] */, "}")
	gsub(/; /, ";")
	gsub(/: /, ":")
	print
	next
}
# a text of several lines
{ quotes = gsub(/`/, "&") % 2 }
open || quotes { put($0, "\n") }
!open && !quotes { put(squeeze($0)) }
quotes { open = !open }
END { if (used) print "" }
