# Takes from scripts and style sheets what only the reader of the source needs:
# comments, indentation, blanks around operators and brackets, the semicolon of
# a block's last statement, and those that a line end does as well as; "const",
# which is "let", and declarations in a row, which become one, in lines of some
# WIDE characters.  All else stays as it is, strings, templates and regular
# expressions to the letter, and so do line ends behind "}" and ";", so that a
# line is a statement:
#
#	// Sets self to what the frames above leave.
#	const { total } = tree;
#	const { self } = tree;
#	for (let i = count - 1; i > 0; i--)
#		self[tree.parent[i]] -= total[i];
#	return self;
# is
#	let{total}=tree,{self}=tree
#	for(let i=count-1;i>0;i--)self[tree.parent[i]]-=total[i]
#	return self
#
# The source has its semicolons: no statement is ended by the end of a line, and
# none is empty.

BEGIN {
	CHUNK = "([^`\\\\$]|[$]*\\\\.|[$]+[^`\\\\${])*"
	WIDE = 120
}

FNR == 1 { isStyle = FILENAME ~ /css$/; depth = 0 }

{
	text = text $0 "\n"
	while (text != "" && isWhole())
		if (!cutBlank())
			add(takeToken())
}

END {
	if (line != "")
		print line
}

# True unless a comment or a template goes on behind the text.
function isWhole()
{
	if (text ~ /^\/\*/)
		return index(text, "*/") > 0
	return !beginsTemplate() || text ~ ("^." CHUNK "([$]*`|[$]+[{])")
}

# Returns what the text begins with, if it is as the pattern says, and cuts it.
function take(pattern,    found)
{
	if (!match(text, "^(" pattern ")"))
		return ""
	found = substr(text, 1, RLENGTH)
	text = substr(text, RLENGTH + 1)
	return found
}

# Cuts blanks and comments; true if there were any.
function cutBlank(    found, isNote, end)
{
	isNote = text ~ /^\/\*/ || !isStyle && text ~ /^\/\//
	if (isNote) {
		end = text ~ /^\/\*/ ? "*/" : "\n"
		text = substr(text, index(text, end) + length(end))
	} else
		found = take("[ \t\n]+")
	isApart = isApart || isNote || found != ""
	hasEnded = hasEnded || isNote || found ~ /\n/
	return isNote || found != ""
}

# Templates hold expressions, which may hold braces.
function takeToken(    found)
{
	if (text ~ /^["']/)
		return take("\"([^\"\\\\]|\\\\.)*\"|'([^'\\\\]|\\\\.)*'")
	if (isStyle)
		return (found = take("[A-Za-z0-9_.#%@-]+")) != "" ? found : take(".")
	if (beginsTemplate())
		return takeTemplate()
	if (text ~ /^\// && !isOperand(last))
		return take("/([^/\\\\[]|\\\\.|\\[([^]\\\\]|\\\\.)*\\])+/[a-z]*")
	if (text ~ /^[{]/)
		isTemplate[++braces] = 0
	if (text ~ /^}/)
		braces--
	return (found = take("[A-Za-z0-9_$]+")) != "" ? found : take(".")
}

# A template or, behind an expression, the rest of one.
function beginsTemplate()
{
	return !isStyle && (text ~ /^`/ || text ~ /^}/ && isTemplate[braces])
}

# Takes a template up to its end or to an expression in it.
function takeTemplate(    found)
{
	if (text ~ /^}/)
		braces--
	found = take("." CHUNK)
	if (text ~ /^[$]+[{]/)
		isTemplate[++braces] = 1
	return found take("[$]*.")
}

# True if what follows is no regular expression.
function isOperand(token)
{
	return token ~ /[])}A-Za-z0-9_$"'`]$/ && token != "return"
}

# True if the two would be read as one, or as others; "<!--" and "]]>" have a
# meaning in HTML and XML.
function mustPart(a, b)
{
	if (isStyle)
		return a ~ /[^{};:,>]$/ && b ~ /^[^{};,>]/
	return a ~ /[A-Za-z0-9_$]$/ && b ~ /^[A-Za-z0-9_$]/ ||
	    a ~ /[-+\/]$/ && b ~ /^[-+\/]/ || a ~ /[0-9]$/ && b == "." ||
	    a == "<" && b == "!" || line ~ /\]\]$/ && b == ">"
}

# Follows brackets and the declarations in them; true if the token begins a
# declaration that goes on with the one before.
function goesOn(token)
{
	if (isStyle || token != "let") {
		if (last == ";")
			isDeclared[depth] = 0
		if (token ~ /^[[({]$/ || token ~ /^`.*[{]$/) {
			bracket[++depth] = token
			isDeclared[depth] = 0
		} else if (token ~ /^[])}]$/ || token ~ /^}.*`$/)
			depth--
		return 0
	}
	if (last == ";" && isDeclared[depth])
		return 1
	isDeclared[depth] = last ~ /^[{};]?$/
	return 0
}

# True if the token would go on with the statement before it, did that not end
# with a semicolon.
function needsEnd(token)
{
	return isStyle || bracket[depth] == "(" || token ~ /^[^A-Za-z0-9_$"'}]/
}

function cutEnd()
{
	line = substr(line, 1, length(line) - 1)
}

function add(token)
{
	if (!isStyle && token == "const")
		token = "let"
	if (goesOn(token)) {
		cutEnd()
		line = line ","
		if (length(line) > WIDE) {
			print line
			line = ""
		}
		last = ","
		isApart = hasEnded = 0
		return
	}
	if (last == ";" && (token == "}" || hasEnded && !needsEnd(token)))
		cutEnd()
	if (hasEnded && last ~ /^[};]$/ && token != "}") {
		print line
		line = ""
	} else if (isApart && mustPart(last, token))
		line = line " "
	line = line token
	last = token
	isApart = hasEnded = 0
}
