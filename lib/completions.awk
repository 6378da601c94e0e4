# Makes of a program's --help what a shell completes its command lines by.
#
#	./flamegraph --help | awk -f lib/completions.awk -v name=flamegraph \
#	    -v file=.../_flamegraph-flamegraph
#
# The file's name tells the shell: it ends in .fish for fish, is _flamegraph-...
# for zsh, and any other for bash.  A line of --help is an option, or goes on
# with the one above:
#
#	    -q, --quiet         show no progress on the terminal
#	    --sort KEY          self (default), total, stacks or name
#	    --colors PALETTE    hot         red to yellow (default)
#	                        mem         green to blue
#
# The value of --off-cpu[=KIND] is optional, and no word of its own.  The values
# of --sort begin its text, those of --colors are a line each.  Those
# called FILE and DIR are names of files, as are the words that are no options.

BEGIN {
	shell = file ~ /\.fish$/ ? "fish" : \
	    file ~ /\/_flamegraph-[^\/]*$/ ? "zsh" : "bash"
	count = 0
}
/^usage: / {
	operands = / folder / ? "DIR" : "FILE"
}
/^    -/ {
	count++
	long[count] = letter[count] = value[count] = text[count] = ""
	for (i = 1; $i ~ /,$/; i++)
		letter[count] = substr($i, 2, 1)
	if ($i ~ /^--[^\[]*\[=[A-Z]+\]$/) {
		long[count] = substr($i, 3, index($i, "[") - 3)
		value[count] = substr($i, index($i, "=") + 1)
		sub(/\]/, "", value[count])
		optional[count] = 1
	} else if ($i ~ /^--/)
		long[count] = substr($i, 3)
	else
		letter[count] = substr($i, 2, 1)
	i++
	if ($i ~ /^[A-Z]+$/ && index($0, " " $i " ") < 25)
		value[count] = $i
	match($0, value[count] != "" ? value[count] "\\]? +" : "[^ ]  +")
	add_text(substr($0, RSTART + RLENGTH))
}
/^                        [^ ]/ {
	add_text(substr($0, 25))
}
/^$/ && count > 0 && long[count] == "help" {
	exit	# an example follows
}

# Adds a line, which may be a value in two columns, "mem         green to blue".
function add_text(line) {
	if (line ~ /^[a-z]+   *[^ ]/ && text[count] == "" ||
	    count in choices && line ~ /^[a-z]+(   *[^ ].*)?$/) {
		choices[count] = choices[count] " " line_word(line)
		says[count, line_word(line)] = substr(line,
		    length(line_word(line)) + 1)
		sub(/^ +/, "", says[count, line_word(line)])
	} else
		text[count] = text[count] (text[count] == "" ? "" : " ") line
}

function line_word(line) {
	return substr(line, 1, match(line " ", / /) - 1)
}

# Finds the values that a text begins with: "self (default), total or name".
function find_choices(n,   rest, word, list) {
	rest = text[n]
	gsub(/ \(default\)/, "", rest)
	while (match(rest, /^[a-z]+(, (or )?| or )/)) {
		word = rest
		sub(/(,| ).*/, "", word)
		list = list " " word
		rest = substr(rest, RLENGTH + 1)
	}
	if (list != "" && match(rest, /^[a-z]+(:|$)/))
		list = list " " substr(rest, 1, RLENGTH - (rest ~ /^[a-z]+:/))
	if (list != "" && value[n] != "")
		choices[n] = list
}

# Puts an escape before characters that the shell would take for its own.
function escaped(s, characters) {
	gsub("[" characters "]", "\\\\&", s)
	return s
}

# Makes one word of s, which may hold apostrophes.
function quoted(s) {
	gsub(/'/, shell == "fish" ? "\\'" : "'\\''", s)
	return "'" s "'"
}

# Returns a word for each way to write the option, after `mark`.
function spellings(n, mark) {
	return (letter[n] != "" ? mark "-" letter[n] : "") \
	    (long[n] != "" ? mark "--" long[n] : "")
}

function print_bash(   n, words, others, action, called) {
	action["FILE"] = "compopt -o default"
	action["DIR"] = "compopt -o dirnames"
	called = "_flamegraph_" name
	gsub(/[^A-Za-z0-9_]/, "_", called)
	print called "()\n{\n" \
	    "\tlocal word=$2 option=$3\n\n" \
	    "\t# --colors=x is three words\n" \
	    "\t[ \"$option\" != = ] || option=${COMP_WORDS[COMP_CWORD - 2]}\n" \
	    "\t[ \"$word\" != = ] || word=\n" \
	    "\tCOMPREPLY=()\n\tcase $option in"
	for (n = 1; n <= count; n++) {
		words = words spellings(n, " ")
		if (n in optional)
			continue	# a word after it is none of it
		if (n in choices)
			print "\t--" long[n] ")\n\t\tCOMPREPLY=($(compgen -W '" \
			    substr(choices[n], 2) "' -- \"$word\"))\n\t\treturn ;;"
		else if (value[n] in action)
			print "\t--" long[n] ")\n\t\t" action[value[n]] \
			    "\n\t\treturn ;;"
		else if (value[n] != "")
			others = others (others != "" ? " | " : "") "--" long[n]
	}
	if (others != "")
		print "\t" others ")\n\t\treturn ;;"
	print "\tesac\n\tcase $word in\n" \
	    "\t-*)\tCOMPREPLY=($(compgen -W '" substr(words, 2) \
	    "' -- \"$word\")) ;;\n\t*)\t" action[operands] " ;;\n\tesac\n}\n" \
	    "complete -F " called " " name
}

function print_zsh(   n, spec, action, list, i, many) {
	action["FILE"] = "_files"
	action["DIR"] = "_files -/"
	print "#compdef " name "\n\n_arguments -s \\"
	for (n = 1; n <= count; n++) {
		spec = "[" escaped(text[n], "][\\\\") "]"
		if (value[n] != "")
			spec = (n in optional ? "=-" spec ":" : "=" spec) ":" \
			    tolower(value[n]) ":" action[value[n]]
		if (n in choices) {
			many = split(substr(choices[n], 2), list, " ")
			spec = spec "(("
			for (i = 1; i <= many; i++)
				spec = spec (i > 1 ? " " : "") list[i] \
				    (says[n, list[i]] == "" ? "" : "\\:\"" \
				    escaped(says[n, list[i]], ":\"") "\"")
			spec = spec "))"
		}
		if (letter[n] != "")
			print "\t" quoted("-" letter[n] spec) " \\"
		if (long[n] != "")
			print "\t" quoted((value[n] != "" ? "*" : "") "--" \
			    long[n] spec) " \\"
	}
	print "\t" quoted("*:" tolower(operands) ":" action[operands])
}

function print_fish(   n, line, list, i, many) {
	if (operands == "DIR")
		print "complete -c " name " -f -a '(__fish_complete_directories)'"
	for (n = 1; n <= count; n++) {
		line = "complete -c " name (letter[n] != "" ? \
		    " -s " letter[n] : "") (long[n] != "" ? " -l " long[n] : "")
		if (value[n] == "FILE")
			line = line " -r -F"
		else if (value[n] == "DIR")
			line = line " -x -a '(__fish_complete_directories)'"
		else if (value[n] != "" && !(n in optional))
			line = line " -x"
		if (n in choices) {
			many = split(substr(choices[n], 2), list, " ")
			line = line " -a \""
			for (i = 1; i <= many; i++)
				line = line (i > 1 ? " " : "") list[i] \
				    (says[n, list[i]] == "" ? "" : "\\t" \
				    quoted(says[n, list[i]]))
			line = line "\""
		}
		print line " -d " quoted(text[n])
	}
}

END {
	for (n = 1; n <= count; n++) {
		if (text[n] == "")
			text[n] = tolower(value[n])
		else
			find_choices(n)
	}
	if (shell == "fish")
		print_fish()
	else if (shell == "zsh")
		print_zsh()
	else
		print_bash()
}
