# The viewer's text in a picture: what make leaves out is for the reader of the
# source alone.
load ../helper

ROOT=$TOP

strip() {
	awk -f "$ROOT/graph/strip.awk" "$@"
}

@test "a picture has the viewer's modules, in their order" {
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	make_list EXTRAS | grep -vx start > extras
	{
		printf '%s\n' '(() => {' '"use strict";'
		(cd "$ROOT" && cat $(make_list VIEWER EXTRAS |
		    grep -vxFf "$OLDPWD/extras" | sed 's,.*,graph/viewer/&.js,')) |
			strip
		echo '})();'
	} > source.js
	# lines are joined within a part of them
	for file in picture.svg source.js; do
		sed -n '/^(() => {$/,/^})();$/p' $file | tr -d '\n' > $file.line
	done
	diff picture.svg.line source.js.line
}

@test "comments, indentation, ends of lines and blanks beside signs are left out" {
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
	const b = c - -d + +e / f / g, h = i => /[/] \/ "/.test(i);
	return `a  b ${
		f(1, 2)} c  "d`;
	END
	diff - said <<-'END'
	const a="// b"+'/* c */';if(a)go(`// d ${ a } /* e`,/[/*] \/\/ f */);g();const b=c- -d+ +e/f/g,h=i=>/[/] \/ "/.test(i);return `a  b ${
	f(1, 2)} c  "d`;
	END
}

# strip.awk asks this of them.
@test "comments of the sources are on lines of their own" {
	{
		sed -n '/^[ 	]*\/\*.*\*\/./p' "$ROOT"/graph/viewer/*.js \
		    "$ROOT"/graph/*.css
		strip "$ROOT"/graph/viewer/*.js "$ROOT"/graph/*.css
	} > said
	fails 1 grep -e '[ 	;{}]//' -e '[ 	;{}]/\*' -e '^/\*' -e '^\*' -e '\*/$' said
}

@test "script and style can be in XML and in HTML" {
	fails 1 grep -n -e '<!--' -e '-->' -e ']]>' -e '</script' -e '[^ -~	]' \
	    "$ROOT"/graph/viewer/*.js
	fails 1 grep -n -e '-->' -e '[<&]' -e '[^ -~	]' "$ROOT"/graph/*.css
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	xmllint --noout picture.svg
}

@test "script and style sheet of a plain picture take 49,152 bytes at most" {
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	sed -n -e '/^<style>$/,/^<\/style>$/p' -e '/^(() => {$/,/^})();$/p' \
	    picture.svg > viewer
	[ "$(wc -c < viewer)" -gt 10000 ]
	[ "$(wc -c < viewer)" -le 49152 ]
}
