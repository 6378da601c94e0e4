# How a picture looks, without its viewer: legend, labels, fonts and themes.
load ../helper

# Prints the least contrast, as WCAG 2.1 counts it, of the labels on the frames
# of a picture.
contrast() {
	sed -n 's/.*<rect[^>]* fill="\([^"]*\)".*<text\([^>]*\)>.*/\1 \2/p' |
	awk '
	function number(hex) {
		return 16 * index("123456789abcdef", substr(hex, 1, 1)) + \
		    index("123456789abcdef", substr(hex, 2, 1))
	}
	function light(part) {
		part /= 255
		return part <= 0.04045 ? part / 12.92 : \
		    ((part + 0.055) / 1.055) ^ 2.4
	}
	function luminance(colour,	rgb) {
		if (split(colour = tolower(colour), rgb, /[(,)]/) < 4) {
			if (length(colour) == 4)
				gsub(/[0-9a-f]/, "&&", colour)
			rgb[2] = number(substr(colour, 2))
			rgb[3] = number(substr(colour, 4))
			rgb[4] = number(substr(colour, 6))
		}
		return 0.2126 * light(rgb[2]) + 0.7152 * light(rgb[3]) + \
		    0.0722 * light(rgb[4])
	}
	{
		text = /fill="#fff"/ ? 1.05 : 0.05
		frame = luminance($1) + 0.05
		ratio = text > frame ? text / frame : frame / text
		if (NR == 1 || ratio < least)
			least = ratio
	}
	END { printf "%d %.2f\n", NR, least }'
}

# Stacks of one function each, wide enough for their labels.
names() {
	awk 'BEGIN {
		for (i = 0; i < 500; i++) {
			name = sprintf("f%c%d", 97 + i % 26, i * i)
			print name (i % 7 == 1 ? "_[k]" : i % 7 == 2 ? "_[j]" : \
			    i % 7 == 3 ? "_[i]" : i % 7 == 4 ? "::x" : "") " 1"
		}
	}'
}

@test "labels have a contrast of 4.5 in all palettes, however they mix" {
	local palette count least
	names > in.folded
	for palette in {hot,java}\ {--hash,--random} hot mem io wakeup chain \
	    java js perl rust python red green blue aqua yellow purple orange \
	    colorblind; do
		flamegraph --width=50000 --colors=$palette in.folded |
		    contrast > said
		read -r count least < said
		[ "$count" -ge 500 ]
		awk "BEGIN { exit !($least >= 4.5) }" || {
			echo "$palette $least"
			false
		}
	done
}

@test "labels have a contrast of 4.5 in differentials, and on kept colors" {
	local palette least
	awk 'BEGIN { for (i = 0; i <= 1000; i++) print "f" i, 500, i }' > in.folded
	for palette in hot colorblind; do
		flamegraph --width=900000 --colors=$palette in.folded |
		    contrast > said
		read -r _ least < said
		awk "BEGIN { exit !($least >= 4.5) }"
	done
	printf '%s\n' 'dark->rgb(0,0,139)' 'short->#00f' 'long->#102030' \
	    'pale->#FFFFDD' 'blue->rgb(0,0,255)' 'red->#f00' \
	    'brown->#800' 'two->#00' 'letter->#00000g' 'name->black' \
	    'large->rgb(0,0,256)' 'percent->rgb(0,0,0%)' > palette.map
	printf '%s 1\n' two letter name large percent | flamegraph --cp |
	    fails 1 grep '<text[^>]* fill="#fff"'
	printf '%s 1\n' dark short long pale blue red brown |
		flamegraph --cp > out.svg
	contrast < out.svg > said
	read -r _ least < said
	awk "BEGIN { exit !($least >= 4.5) }"
	[ "$(grep -c '<text[^>]* fill="#fff"' out.svg)" -eq 5 ]
}

# legend OPTION...: the line below the frames, a meaning and its color a line.
legend() {
	flamegraph "$@" 2> /dev/null | sed -n '/<text id="legend"/,/<\/text>/p' |
	    sed -n 's/.*fill="\(.*\)">.*<\/tspan> \(.*\)/\2 \1/p'
}

@test "the legend lists only the kinds of functions in the picture" {
	printf '%s\n' 'java;LFoo:::run_[j];bar_[i] 1' 'java;Foo::bar 1' > in.folded
	legend --colors=java in.folded | are_lines 'Java #50e350' \
	    'inlined Java #50c0c0' 'C++ #caca3c' 'other #e35a5a'
	printf 'java;read_[k] 1\n' | legend --colors=java |
	    are_lines 'kernel #de7a00' 'other #e35a5a'
	printf 'node;f:/x.js;Object::g 1\n' | legend --colors=js |
	    are_lines 'JavaScript #50e350' 'C++ #caca3c' \
		'other #e35a5a'
	printf 'x;app::main;core::fmt::write;f_[k] 1\n' | legend --colors=rust |
	    are_lines "one's own crates #50e350" \
		'library #50c0c0' 'kernel #de7a00' 'other #e35a5a'
	printf 'x;py::f:/app/a.py;py::g:/x/site-packages/b.py 1\n' |
	    legend --colors=python | are_lines \
		"one's own code #50e350" 'packages #caca3c' 'other #e35a5a'
	printf 'x;Perl_f;a::b 1\n' | legend --colors=perl |
		are_lines 'Perl #50e350' 'C++ #caca3c' 'other #e35a5a'
	printf 'a;b;--;c;d 1\n' | legend --colors=chain |
	    are_lines 'off-CPU #6e6ee6' 'waker #50c0c0'
	printf 'a 1\n' | legend --colors=wakeup | is_line 'waker #50c0c0'
	printf 'a 1\n' | legend --colors=mem | is_line 'memory #00d769'
	printf 'a 1\n' | legend --colors=io | is_line 'I/O #6e6ed9'
	for palette in hot colorblind; do
		printf 'a 1\n' | legend --colors=$palette | diff /dev/null -
	done
}

@test "the legend of a differential has the scale of its colors" {
	# 30 of 100 are new in b, 20 are gone from c.
	printf '%s\n' 'a 50 50' 'b 0 30' 'c 40 20' > in.folded
	legend in.folded | are_lines '-30.00% #00f' \
	    'less #6969ff' 'same #fff' 'more #ff6969' '+30.00% #f00'
	# as the tooltips have it
	legend --negate in.folded | diff - <(legend in.folded)
	legend --colors=colorblind in.folded | are_lines \
	    '-30.00% #4691e1' 'less #a3c8f0' 'same #fff' 'more #f5be8c' \
	    '+30.00% #eb7d19'
	# a legend can be left out, and says nothing of colors that were kept
	printf 'a_[j] 1\n' > in.folded
	legend --no-legend --colors=java in.folded | diff /dev/null -
	legend --cp --colors=java in.folded | diff /dev/null -
	printf 'a 1 2\n' | legend --no-legend | diff /dev/null -
	printf 'a_[j] 1\n' | flamegraph --colors=java --encoding=ascii |
	    grep -c '&#x25A0;</tspan> Java'
}

@test "--truncate leaves out the end, the front or the middle of a name" {
	local cut
	for cut in '' --truncate=end --truncate=front --truncate=middle; do
		printf '%s\n' 'org/apache/spark/Task.run 12' '日本語の長い関数名前 4' \
		    'whole 4' | flamegraph $cut --width=200 --fontwidth=0.6 |
		    sed -n 's/.*<text x="[0-9.]*" y="[0-9.]*".*>\(.*\)<\/text><.*/\1/p'
	done > said
	# 12 and 4 of 20 of 180 pixels, 7.2 each
	diff - said <<-'END'
	org/apache/sp..
	whole
	日本語..
	org/apache/sp..
	whole
	日本語..
	..park/Task.run
	whole
	..数名前
	org/apa..sk.run
	whole
	日本..前
	END
	printf 'a 1\n' > in.folded
	fails 2 flamegraph --truncate=left in.folded 2> said
	grep -q -e '--truncate: "left" is not end, front or middle' said
}

@test "the font has another one without serifs, the title names the picture" {
	# a reader without the font has another one without serifs
	printf 'a 1\n' > in.folded
	flamegraph in.folded | has 'font-family="Verdana, sans-serif"'
	flamegraph --fonttype='Source Code Pro' in.folded |
	    has 'font-family="Source Code Pro, sans-serif"'
	flamegraph --fonttype='Arial,sans-serif' in.folded |
	    has 'font-family="Arial,sans-serif"'
	# the picture is named by its title
	printf 'a 1\n' > in.folded
	flamegraph --title='a < b' in.folded | sed -n 3p |
	    is_line '<title>a &lt; b</title>'
	flamegraph --inverted --no-javascript in.folded | sed -n 3p |
	    is_line '<title>Icicle Graph</title>'
}
