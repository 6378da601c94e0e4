# Takes from scripts and style sheets what only readers of the source need:
# comments, which are on lines of their own, indentation and empty lines.
s/^[ 	]*//
/^\/\*.*\*\/$/d
/^\/\*/,/\*\/$/d
/^\/\//d
/^$/d
