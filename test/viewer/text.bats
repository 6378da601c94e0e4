# The viewer's text in a picture: what make leaves out is for the reader of the
# source alone.
load ../helper

ROOT=$TOP

squeeze() {
	awk -f "$ROOT/graph/squeeze.awk" "$@"
}

# modules: the viewer's scripts, in the order in which make joins them.
modules() {
	sed -n '/^VIEWER = /,/[^\\]$/p; /^EXTRAS = /,/[^\\]$/p' \
	    "$ROOT/Makefile" | grep -o 'graph/viewer/[a-z]*\.js'
}

# Node has a parser of JavaScript; it is asked for the syntax of two files, with
# a declaration for each name.
same_syntax() {
	node --expose-internals - "$@" <<-'JS'
	"use strict";
	const { readFileSync } = require("fs");
	const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
	const lone = statement => statement.type === "VariableDeclaration" ?
	    statement.declarations.map(declaration => ({ ...statement,
		declarations: [declaration] })) : [statement];
	const syntaxOf = file => JSON.stringify(parse(readFileSync(file, "utf8"),
	    { ecmaVersion: 2020 }), (key, value) =>
		key === "start" || key === "end" ? undefined :
		key === "kind" && value === "const" ? "let" :
		key === "body" && Array.isArray(value) ? value.map(lone).flat() :
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
	    skip 'node is not there, or has no parser to ask'
}

@test "a picture has the viewer's modules, in their order" {
	needs_parser
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	sed -n '/^(()=>{"use strict"$/,/^})();$/p' picture.svg > printed.js
	(
		cd "$ROOT"
		# shellcheck disable=SC2046 # names without blanks
		cat /dev/null $(modules | grep -v -e axis -e differential -e fluid \
		    -e nameattr)
	) | { echo '(() => { "use strict";'; cat; echo '})();'; } > source.js
	same_syntax source.js printed.js
}

@test "modules that only some pictures have keep their syntax, too" {
	needs_parser
	local name
	for name in axis differential fluid nameattr; do
		squeeze "$ROOT/graph/viewer/$name.js" > printed.js
		same_syntax "$ROOT/graph/viewer/$name.js" printed.js
	done
}

@test "blanks and line ends are left out where they part nothing" {
	squeeze > said <<-'END'
	/* A comment of
	 * two lines.
	 */
	const a = b + +c - -d, e = f / g / h; // and one

	if (a) {
		// of a line
		return typeof a [0] ;
	}
	else
		go(a,
		    () => ({ e }));
	END
	diff - said <<-'END'
	let a=b+ +c- -d,e=f/g/h
	if(a){return typeof a[0]}
	else go(a,()=>({e}));
	END
}

@test "a line end is a semicolon where the next line does not go on" {
	squeeze > said <<-'END'
	a = b;
	[c] = d;
	e();
	(f || g)();
	`h`;
	-i;
	/j/.test(k);
	"l";
	for (m = 0;
	    m;
	    m--)
		if (n)
			o();
		else
			p();
	return;
	END
	diff - said <<-'END'
	a=b;
	[c]=d
	e();
	(f||g)();
	`h`;
	-i;
	/j/.test(k)
	"l"
	for(m=0;
	m;
	m--)if(n)o()
	else p()
	return;
	END
}

@test "declarations in a row are one, others are not" {
	squeeze > said <<-'END'
	const a = () => {
		let b = 1;
		let { c } = d;
		const e = `${ b } ${ [c] }`;
		return e;
	};
	const [f] = g;
	for (let h = 0; h < 9; h++)
		i();
	const j = 1;
	k();
	const l = 2;
	if (m) {
		const n = 3;
	}
	const o = 4;
	END
	diff - said <<-'END'
	let a=()=>{let b=1,{c}=d,e=`${b} ${[c]}`
	return e},[f]=g
	for(let h=0;h<9;h++)i()
	let j=1
	k()
	let l=2
	if(m){let n=3}
	let o=4;
	END
}

@test "strings, templates and regular expressions stay as they are" {
	squeeze > said <<-'END'
	say( "a  \" // b" , 'c  \' /* d' );
	say( ` e  ${ f( { g : ` $h ${ i } j$` } ) + 1 }  k \` ` );
	say( `n {
	  o ${
	    p } q
	` );
	say( / l  [/"] \/ m /g , n [ 1 ] / 2 / o );
	return  / p  q/ . test( r );
	END
	diff - said <<-'END'
	say("a  \" // b",'c  \' /* d')
	say(` e  ${f({g:` $h ${i} j$`})+1}  k \` `)
	say(`n {
	  o ${p} q
	`)
	say(/ l  [/"] \/ m /g,n[1]/2/o)
	return/ p  q/.test(r);
	END
}

@test "nothing becomes a comment of HTML or the end of a section of XML" {
	squeeze > said <<-'END'
	a = b < !c || d[e[0]] > f;
	END
	diff - said <<-'END'
	a=b< !c||d[e[0]] >f;
	END
}

@test "a style sheet keeps the blanks that its selectors and values need" {
	squeeze <(true) > said
	diff /dev/null said
	cat > a.css <<-'END'
	/* A comment. */
	@media screen and (color: 1) {
	a > b, a + b , a :hover { margin: 0 1px; color: red }
	}
	END
	squeeze a.css > said
	diff - said <<-'END'
	@media screen and (color:1){a>b,a + b,a :hover{margin:0 1px;color:red}}
	END
}

@test "script and style sheet of a plain picture take 30,720 bytes at most" {
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	sed -n -e '/^<style>$/,/^<\/style>$/p' -e '/^(()=>{"use strict"$/,/^})();$/p' \
	    picture.svg > viewer
	[ "$(wc -c < viewer)" -gt 10000 ]
	[ "$(wc -c < viewer)" -le 30720 ]
}
