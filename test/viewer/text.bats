# The viewer's text in a picture: what make leaves out is for the reader of the
# source alone.
load ../helper

ROOT=$TOP

strip() {
	sed -f "$ROOT/graph/strip.sed" "$@"
}

# extras: the modules that only some pictures have.
extras() {
	make_list EXTRAS | grep -vx start
}

# Node has a parser of JavaScript; it is asked for the syntax of two files.
same_syntax() {
	node --expose-internals - "$@" <<-'JS'
	"use strict";
	const { readFileSync } = require("fs");
	const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
	const syntaxOf = file => JSON.stringify(parse(readFileSync(file, "utf8"),
	    { ecmaVersion: 2020 }), (key, value) =>
		key === "start" || key === "end" ? undefined :
		value, "\t").split("\n");
	const [before, after] = process.argv.slice(2).map(syntaxOf);
	const at = before.findIndex((line, i) => line !== after[i]);
	if (at >= 0 || before.length !== after.length)
		throw Error(before.slice(at - 20, at + 1).join("\n") +
		    "\nis\n" + after[at]);
	if (before.length < 100)
		throw Error("there is no syntax");
	JS
}

needs_parser() {
	node --expose-internals -e \
	    'require("internal/deps/acorn/acorn/dist/acorn")' 2> /dev/null ||
	    skip 'install nodejs, whose parser is asked'
}

@test "a picture has the viewer's modules, in their order" {
	needs_parser
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	sed -n '/^(() => {$/,/^})();$/p' picture.svg > printed.js
	(
		cd "$ROOT"
		# shellcheck disable=SC2046 # names without blanks
		cat /dev/null $(make_list VIEWER EXTRAS |
		    grep -vxF "$(extras)" | sed 's,.*,graph/viewer/&.js,')
	) | { echo '(() => { "use strict";'; cat; echo '})();'; } > source.js
	same_syntax source.js printed.js
}

@test "modules that only some pictures have keep their syntax, too" {
	needs_parser
	local name
	for name in $(extras); do
		strip "$ROOT/graph/viewer/$name.js" > printed.js
		same_syntax "$ROOT/graph/viewer/$name.js" printed.js
	done
}

@test "comments, indentation and empty lines are left out, and nothing else" {
	strip > said <<-'END'
	/*
	 * A comment of
	 * several lines.
	 */
	const a = "// b" + '/* c */';

	// Of a line,
	/* and of one. */
	if (a)
		// indented
		go(`// d ${ a } /* e`, /[/*] \/\/ f */);
		/*
		 * indented, too
		 */
	g();
	END
	diff - said <<-'END'
	const a = "// b" + '/* c */';
	if (a)
	go(`// d ${ a } /* e`, /[/*] \/\/ f */);
	g();
	END
}

# strip.sed asks this of them.
@test "comments of the sources are on lines of their own" {
	local file
	for file in "$ROOT"/graph/viewer/*.js "$ROOT"/graph/*.css; do
		sed -n '/^[ 	]*\/\*.*\*\/./p' "$file"
		strip "$file"
	done > said
	fails 1 grep -e '[ 	;{}]//' -e '[ 	;{}]/\*' -e '^/\*' -e '^\*' -e '\*/$' said
}

@test "script and style can be in XML and in HTML" {
	fails 1 grep -n -e '<!--' -e '-->' -e ']]>' -e '</script' -e '[^ -~	]' \
	    "$ROOT"/graph/viewer/*.js
	fails 1 grep -n -e '-->' -e '[<&]' -e '[^ -~	]' "$ROOT"/graph/*.css
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	xmllint --noout picture.svg
}

@test "script and style sheet of a plain picture take 45,056 bytes at most" {
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	sed -n -e '/^<style>$/,/^<\/style>$/p' -e '/^(() => {$/,/^})();$/p' \
	    picture.svg > viewer
	[ "$(wc -c < viewer)" -gt 10000 ]
	[ "$(wc -c < viewer)" -le 45056 ]
}
