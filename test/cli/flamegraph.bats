load ../helper

# frames OPTION... : draws standard input and prints a line a frame:
# x y width height fill|title|label
frames() {
	flamegraph "$@" 2> err > out.svg
	sed -n 's/^<[gav][^>]*><title>\(.*\)<\/title><rect x="\([^"]*\)" y="\([^"]*\)" width="\([^"]*\)" height="\([^"]*\)" fill="\([^"]*\)"\/>\(<text[^>]*>\([^<]*\)<\/text>\)\{0,1\}<\/[gav][a-z]*>$/\2 \3 \4 \5 \6|\1|\8/p' out.svg
}

# names OPTION... : the tooltips of the frames, in the order of the file
names() {
	frames "$@" | cut -d'|' -f2
}

well_formed() {
	command -v xmllint > /dev/null || skip 'install libxml2-utils'
	xmllint --noout "$@"
}

@test "example: wide frames, and a link to the source" {
	printf 'main;a 990\nmain;b 10\nmain;c 9\n' > out.folded
	printf 'main\thref=https://example.com/main.c\n' > links
	flamegraph --minwidth=1% --nameattr=links out.folded > out.svg
	grep -q '<a xlink:href="https://example.com/main.c" target="_top"' out.svg
	grep -q '<title>a ' out.svg
	[ "$(grep -c '<title>.*<rect' out.svg)" -eq 3 ]
}

@test "a frame is as wide as its share and right above its caller" {
	printf 'a;b 30\na;c 60\na 10\n' | frames | is 4<<-'END'
	10 69 1180 15 #d52709|all (100 samples, 100%)|
	10 53 1180 15 #ec9223|a (100 samples, 100.00%)|a
	128 37 354 15 #e6751c|b (30 samples, 30.00%)|b
	482 37 708 15 #e05714|c (60 samples, 60.00%)|c
	END
}

@test "stacks are drawn downwards, from their leaves, or in their order" {
	# --inverted draws downwards, below the subtitle too
	printf 'a;b 100\n' | frames --inverted | cut -d' ' -f2 |
		are_lines 36 52 68
	printf 'a;b 100\n' | frames --inverted --subtitle=x | cut -d' ' -f2 |
		are_lines 60 76 92
	grep -q '>Icicle Graph<' out.svg
	# --reverse merges stacks from their leaves
	printf 'a;b;x 60\nc;x 40\n' | names --reverse | is 4<<-'END'
	all (100 samples, 100%)
	x (100 samples, 100.00%)
	b (60 samples, 60.00%)
	a (60 samples, 60.00%)
	c (40 samples, 40.00%)
	END
	# --flamechart keeps the order of the input and merges neighbours only
	printf 'a;z 50\nb 20\na;y 10\na;y 20\n' | names --flamechart |
		is 4<<-'END'
	all (100 samples, 100%)
	a (50 samples, 50.00%)
	z (50 samples, 50.00%)
	b (20 samples, 20.00%)
	a (30 samples, 30.00%)
	y (30 samples, 30.00%)
	END
}

@test "a frame is drawn once, and siblings are in byte order" {
	# a frame is drawn once though others are between its lines
	printf 'a;f 10\na;f.isra.0;y 20\na;f;x 30\na;f(int) 40\n' | frames |
		cut -d' ' -f1-3 | tail -n +3 | are_lines \
		'10 53 472' '128 37 354' '482 53 472' '954 53 236' '954 37 236'
	# f: 10 + 30, its own 10 first; then f(int) and f.isra.0
	names < <(printf 'a;f 10\na;f.isra.0;y 20\na;f;x 30\na;f(int) 40\n') |
		tail -n +3 | cut -d' ' -f1 | are_lines \
		f x 'f(int)' f.isra.0 y
	# a frame is drawn once though its name ends like a count
	printf 'w;s  3\ns 85\ns  12\n' | names --reverse | cut -d'(' -f1,2 |
		are_lines 'all (100 samples, 100%)' \
		's  (15 samples, 15.00%)' 'w (3 samples, 3.00%)' \
		's (85 samples, 85.00%)'
	# siblings are in the order of their first lines, as bytes
	printf 'a+b;q 7\na;q 9\na 1\nB;q 83\n' | names | cut -d' ' -f1 |
		are_lines all B q a q a+b q
}

@test "labels are cut to what fits, and annotations are not shown" {
	printf 'main;get_name_from_table_[j] 10\nmain;xx 990\n' | frames |
		cut -d'|' -f2- | grep get |
		is_line 'get_name_from_table (10 samples, 1.00%)|'
	printf 'main;get_name_from_table_[j] 50\nmain;xx 950\n' | frames |
		grep get | is 4<<-'END'
	10 37 59 15 #f8c930|get_name_from_table (50 samples, 5.00%)|get_na..
	END
	# a label has as many characters as the frame has room for
	local letter name
	# 1180 pixels, 12 * 0.59 a character: 166
	for letter in x $'\xc3\xa9' $'\xf0\x9f\x98\x80'; do
		name=$(printf '%0166d' 0 | sed "s/0/$letter/g")
		echo "$name 100" | frames | tail -n 1 | cut -d'|' -f3 |
			is_line "$name"
		echo "$name$letter 100" | frames | tail -n 1 | cut -d'|' -f3 |
			diff - <(printf '%0164d..\n' 0 | sed "s/0/$letter/g")
	done
	# 22.42 pixels are 3 characters; 20.06 are 2, which is no label
	printf 'a;abcd 19\na;b;defg 17\nc 964\n' | frames | cut -d'|' -f3 |
		are_lines '' a a.. '' '' c
}

@test "two counts make a differential: red for more, blue for less" {
	printf 'a;b 10 60\na;c 50 30\na;d 10 10\n' | frames |
		cut -d' ' -f5- | is 4<<-'END'
	#fff|all (100 samples, 100%)|
	#fff|a (100 samples, 100.00%; 0.00%)|a
	#f00|b (60 samples, 60.00%; +50.00%)|b
	#7e7eff|c (30 samples, 30.00%; -20.00%)|c
	#fff|d (10 samples, 10.00%; 0.00%)|d
	END
	printf 'a;b 10 60\n' | frames --negate | has '#00f|b (.*; -83.33%)'
	# a difference is that of all lines of a stack, one count or two
	printf 'a;b 5 60\na;b 7 40\n' | names |
		grep -xF 'b (100 samples, 100.00%; +88.00%)'
	printf 'a;b 1\na;b 5 7\n' | names |
		grep -xF 'b (8 samples, 100.00%; +25.00%)'
	# more frames than lines
	awk 'BEGIN { print "a;b 1 2"; for (; i < 98; i++)
		printf "c;d%d;e%d;f%d;g%d;h%d 1\n", i, i, i, i, i }' |
		names --minwidth 0 > many
	grep -xF 'b (2 samples, 2.00%; +1.00%)' many
	grep -xF 'c (98 samples, 98.00%)' many
	grep -c '^[d-h][0-9]* (1 samples, 1.00%)$' many | is_line 490
	# lines with one count and with two are drawn in one picture
	printf 'b 3 4\na 5\nb;c 1\nd;e 7\nd;f 0 2\n' | frames |
		cut -d' ' -f5- | cut -d'|' -f1,2 | is 4<<-'END'
	#d52709|all (19 samples, 100%)
	#ec9223|a (5 samples, 26.32%)
	#ff6969|b (5 samples, 26.32%; +5.26%)
	#e05714|c (1 samples, 5.26%)
	#d9390d|d (9 samples, 47.37%)
	#d31c06|e (7 samples, 36.84%)
	#f00|f (2 samples, 10.53%; +10.53%)
	END
}

@test "comments, lines without a count and empty last frames do not count" {
	# comments, CR LF and lines without a count are read over
	printf '# mode: cpu 5\r\nmain;a 60\r\n#b;x 40\r\nbad\n' | names |
		are_lines 'all (100 samples, 100%)' \
		'#b (40 samples, 40.00%)' 'x (40 samples, 40.00%)' \
		'main (60 samples, 60.00%)' 'a (60 samples, 60.00%)'
	is_line 'Ignored 1 lines with invalid format' < err
	# empty frames at the end of a stack do not count, others do
	printf 'a;;b 50\na;;b;; 50\n' | names | cut -d'(' -f1 |
		are_lines 'all ' 'a ' ' ' 'b '
	printf ';!x 3\n;; 4\n;b 2\n' | names | are_lines \
		'all (9 samples, 100%)' ' (5 samples, 55.56%)' \
		'!x (3 samples, 33.33%)' 'b (2 samples, 22.22%)'
	# in the order of time, too
	printf 'a;;b 50\na;; 50\n;;x 4\n;; 14\n' |
		names --flamechart --minwidth=0 | are_lines \
		'all (118 samples, 100%)' 'a (100 samples, 84.75%)' \
		' (50 samples, 42.37%)' 'b (50 samples, 42.37%)' \
		' (4 samples, 3.39%)' ' (4 samples, 3.39%)' 'x (4 samples, 3.39%)'
}

@test "counts may have fractions: percentages are exact, three digits are shown" {
	# 14.46, 84.94 and 100.6 of 200.  The original has 14, 84 and 100.
	printf 'a 14.46\nb 84.94\nc 100.6\n' | names | are_lines \
		'all (200 samples, 100%)' 'a (14.5 samples, 7.23%)' \
		'b (84.9 samples, 42.47%)' 'c (101 samples, 50.30%)'
	printf 'a 30\na;b 70\n' | names --factor=0.001 |
		are_lines 'all (0.1 samples, 100%)' \
		'a (0.1 samples, 100.00%)' 'b (0.07 samples, 70.00%)'
	# 0.75 of 2.5
	printf 'a;b 0.5 1.25\na;c 2 1.25\n' | names | tail -n 2 |
		are_lines 'b (1.25 samples, 50.00%; +30.00%)' \
		'c (1.25 samples, 50.00%; -30.00%)'
	# fractions of counts are placed and compared exactly
	printf '%s\n' 'a;b 0.1 0.3' 'a;c 0.2 0.1' 'a;d 0.7 0.4' 'b 0.3 0' \
		'c;d;e 1.15 3.35' | frames --minwidth=0 | cut -d' ' -f1-3,5- |
		cut -d'|' -f1,2 | is 4<<-'END'
	10 85 1180 #fff|all (4.15 samples, 100%)
	10 69 227.5 #fff|a (0.8 samples, 19.28%; 0.00%)
	10 53 85.3 #ffbebe|b (0.3 samples, 7.23%; +4.82%)
	95.3 53 28.4 #c8c8ff|c (0.1 samples, 2.41%; -2.41%)
	123.7 53 113.8 #b5b5ff|d (0.4 samples, 9.64%; -7.23%)
	237.5 69 952.5 #fff|c (3.35 samples, 80.72%; 0.00%)
	237.5 53 952.5 #fff|d (3.35 samples, 80.72%; 0.00%)
	237.5 37 952.5 #f00|e (3.35 samples, 80.72%; +53.01%)
	END
	undrawn < out.svg | diff - <(printf '5 0 #b5b5ff;\tb\n')
}

@test "odd bytes become U+FFFD, characters outside the encoding become references" {
	# odd bytes and characters become U+FFFD, and the picture is well-formed
	printf 'a\001;b\377;c\355\240\200;d\357\277\276;<&>"\047]]> 100\n' |
		flamegraph --title='<&"]]>' --subtitle="$(printf '\001')" \
		--countname='<c>' --nametype='"n"' --fonttype='a"b<' \
		--notes='a -- b ---' > out.svg
	well_formed out.svg
	grep -q '<title>a� (100 &lt;c&gt;, ' out.svg
	grep -q '<title>b� (' out.svg
	grep -q '<title>c��� (' out.svg
	grep -q '<title>d� (' out.svg
	grep -q '<title>&lt;&amp;&gt;"'"'"']]&gt; (' out.svg
	# in another encoding, what is not ASCII is written as references
	printf 'na\303\257ve 100\n' | flamegraph --encoding=ISO-8859-1 > out.svg
	grep -q 'encoding="ISO-8859-1"' out.svg
	grep -q '<title>na&#xEF;ve ' out.svg
	well_formed out.svg
	echo 'a 100' | flamegraph --encoding=us-ascii --notes $'\303\251 1' \
		--title=$'\342\202\254' > out.svg
	grep -q '>&#x20AC;</text>' out.svg
	# a comment has no references
	grep -qx '<!-- NOTES: ?? 1 -->' out.svg
	fails 2 flamegraph --encoding=UTF-16 <<< 'a 100'
}

# colours PALETTE NAME...: the colours of frames of that name
colours() {
	local palette=$1
	shift
	printf '%s 100\n' "$@" | frames --colors="$palette" --minwidth=0 |
		sed '1d; s/^[^#]*\(#[^|]*\).*/\1/'
}

# painted FIELD: the number and colour of each row, drawn in the palette which
# that field has.
painted() {
	local palette
	cut -d'|' -f"$1" rows | sort -u | while read -r palette; do
		awk -F'|' -v field="$1" -v palette="$palette" \
		    '$field == palette { print $3 " 100" }' rows |
			flamegraph --colors="$palette" --minwidth=0 --flamechart |
			grep -o '" fill="#[^"]*"/>' | tail -n +2 | paste -d' ' \
			<(cut -d'|' -f"$1" rows | grep -n -x "$palette") -
	done | sed 's/:.*"#/ /' | sort -n
}

@test "the palettes tell kinds of functions apart" {
	# each NAME has the colour that it has in palette USED
	while read -r palette used names; do
		eval "printf '$palette|$used|%s\n' $names"
	done > rows <<-'END'
	java green a_[j] java/a javax/a jdk/a net/a Lorg/a com/a io/a sun/a a:::b
	java red a L java ajava/ a_[j]b
	java yellow a::b a::b_[k]
	java orange a_[k]
	java aqua a_[i]
	js green /a.js /x/a.js:3 /x/a_[j] ' ' a:/b.js
	js aqua a_[j] a:1 a.js:/x /:x
	js yellow a::b v8::/x.js
	js orange x_[k] x_[k]y
	js red main /a a.js/x a.js '  '
	perl green Perl_sv x.pl a.pl_[k]
	perl yellow a::b Perl::a
	perl orange x_[k]
	perl red x_[k]y main perl
	wakeup aqua a
	rust aqua core::fmt::write std::io::Write::write_all '<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop' 'hashbrown::map::HashMap<K,V>::insert' __rust_alloc 'core::ptr::drop_in_place<app::Tree>'
	rust green app::main '<app::Tree as core::fmt::Debug>::fmt' serde_json::de::from_str
	rust orange do_syscall_64_[k] core::x_[k]
	rust red main __libc_start_main '[libc.so.6]'
	python green py::parse:/app/main.py 'parse (app/main.py:12)' /app/main.py:parse:12 '<module> (app.py)'
	python aqua py::run:/usr/lib/python3.11/threading.py '_find (<frozen importlib._bootstrap>:1024)' 'run (/usr/lib64/python3.12/runpy.py:86)'
	python yellow 'get (/v/lib/python3/site-packages/requests/api.py:5)' py::f:/usr/lib/python3/dist-packages/apt/cache.py
	python orange vfs_read_[k]
	python red _PyEval_EvalFrameDefault 'read (libc.so.6)'
	END
	painted 1 > out
	[ "$(wc -l < out)" -eq "$(wc -l < rows)" ]
	painted 2 | diff out -
}

@test "shades are flamegraph.pl's, of names of any length" {
	colours hot - -- 0 '`x' a 'a`' ab abc abcdefgh abcdefghi 'libc`m' \
		'libc`malloc' main_function_with_a_long_name 'x`yz`w' '~z' |
		diff - <(printf '#%s\n' c8c8c8 a0a0a0 fdde35 da3c0e ec9223 \
		d8360c fde035 d62a0a db4410 f1a728 f0a427 d42107 e26117 \
		d11505 d31d07)
	while read -r palette shade; do
		colours "$palette" a | is_line "$shade"
	done <<-'END'
	mem #00dd86
	io #7676e1
	red #eb6565
	orange #e78300
	END
	printf '%s 100\n' 0 '`x' a 'a`' ab abc abcdefgh abcdefghi 'libc`m' \
		'libc`malloc' main_function_with_a_long_name 'x`yz`w' '~z' |
		frames --hash --minwidth=0 | sed '1d; s/^[^#]*\(#[^|]*\).*/\1/' |
		diff - <(printf '#%s\n' e87f1e ff7137 eb8c21 e6e61c e26818 \
		e37118 ef7125 eb7122 de7312 de7012 f15328 fbd833 f4a72b)
	# é is one character: 0xE9, the same as a sum of 0x75 and 0x74
	colours hot 'é' 'abcdefghé12345678' > these
	colours hot ut 'abcdefghut12345678' | diff these -
}

@test "the palette for the colour-blind has orange for more and blue for less" {
	# full, half, none; more and less
	printf '%s\n' 'a 0 100' 'b 100 0' 'c 50 100' 'd 10 10' 'e 100 1' |
		frames --colors=colorblind --minwidth=0 | sed 1d |
		awk '{ print $5 }' | cut -d'|' -f1 |
		are_lines '#eb7d19' '#f5be8c' '#fff' '#4893e2'
	undrawn < out.svg | diff - <(printf '2 0 #4691e1;\tb\n')
}

# chain: what frames of standard input have in a chain, without the first two
chain() {
	frames --colors=chain | cut -d' ' -f1-3,5- | cut -d'|' -f1,2 | sed 1,2d
}

# As the original draws them: a waker has the shade of its name with _[w] in
# palette aqua, and a border is grey.
@test "in a chain, the frames after ;--; are wakers" {
	printf 'a;--;w;x;--;y 60\na;--;w 20\na;--;w;x;;z 20\n' | chain > out
	sed 's/ (.*//; s/.*#/#/' out | sort -t'|' -k2 > shades
	sed '/|--/d; s/|.*//' shades |
		diff - <(colours aqua '_[w]' 'w_[w]' 'x_[w]' 'y_[w]' 'z_[w]')
	grep -c -x -e '#a0a0a0|--' shades | diff - <(echo 2)
	grep -q '|w (100 samples' out
	grep -q '|x (80 samples' out
	# above the border all is blue
	echo 'a;--;w 100' | frames --colors=chain |
		sed -n 's/ (.*//; 2s/.* //p' > above
	echo 'a 100' | frames --colors=blue |
		sed -n 's/ (.*//; 2s/.* //p' | diff above -
	# a stack without wakers has a border, and a last border does not count
	printf 'a;b 20\na;b;(c) 10\na;b;--;w 10\n' | chain |
		sed '1d; s/#[0-9a-f]*|//' | is 4<<-'END'
	10 53 885 -- (30 samples, 75.00%)
	600 37 295 w (10 samples, 25.00%)
	895 53 295 (c) (10 samples, 25.00%)
	895 37 295 -- (10 samples, 25.00%)
	END
	# a last waker may have no name
	printf 'a;--;w; 60\na;--;b;--; 40\n' | chain | sed 1d |
		is 4<<-'END'
	10 53 472 #37a9a9|b (40 samples, 40.00%)
	482 53 708 #48b9b9|w (60 samples, 60.00%)
	482 37 708 #5fcece| (60 samples, 60.00%)
	END
}

@test "--hash gives names with the same beginning the same shade; --random is repeatable" {
	printf 'abcx%sxcba 50\n' 1 2 > in
	frames --hash in | tail -2 | cut -d' ' -f5 | cut -d'|' -f1 | uniq |
		wc -l | has -x ' *1'
	flamegraph --random in > one.svg
	has '<title>abcx1' one.svg
	flamegraph --random in | cmp - one.svg
}

@test "--cp takes colors from palette.map and adds new ones" {
	printf 'main->rgb(1,2,3)\noperator->->rgb(4,5,6)\nz->red\n' > palette.map
	printf 'main;a 50\nmain;operator-> 50\n' | frames --cp | cut -d' ' -f5- |
		cut -d'|' -f1,2 | grep -v all | are_lines \
		'rgb(1,2,3)|main (100 samples, 100.00%)' \
		'rgb(236,146,35)|a (50 samples, 50.00%)' \
		'rgb(4,5,6)|operator-&gt; (50 samples, 50.00%)'
	are_lines '->rgb(213,39,9)' 'a->rgb(236,146,35)' \
		'main->rgb(1,2,3)' 'operator->->rgb(4,5,6)' 'z->red' < palette.map
}

@test "palette.map may be a link, also to a missing file, not to itself" {
	mkdir maps
	printf 'a->rgb(1,2,3)\n' > maps/shared
	chmod 640 maps/shared
	ln -s maps/shared palette.map
	echo 'b 100' | flamegraph --cp > out.svg
	[ -L palette.map ]
	[ "$(wc -l < maps/shared)" -eq 3 ]
	[ "$(ls maps)" = shared ]
	[ "$(find maps/shared -perm 640)" ]
	rm maps/shared
	ln -s "$PWD/palette.map" maps/palette.map
	(cd maps && echo 'b 100' | flamegraph --cp > ../out.svg)
	[ -L palette.map ]
	[ -L maps/palette.map ]
	[ "$(wc -l < maps/shared)" -eq 2 ]
	ln -sf nowhere/map palette.map
	fails 1 flamegraph --cp <<< 'a 100' 2>&1 > out.svg |
		is_line 'flamegraph: palette.map: No such file or directory'
	ln -sf palette.map palette.map
	fails 1 flamegraph --cp <<< 'a 100' > out.svg 2> err
	grep -q '^flamegraph: palette.map: .*[Ss]ymbolic link' err
	diff out.svg /dev/null
}

@test "--nameattr sets links, titles and attributes, in either quotes" {
	# --nameattr sets links, titles and attributes
	printf '%s\n' 'a	href=/a?x=1&amp;y=2	target=_blank	title=A & B' \
		'b	id=bb	class=hot	g_extra=data-x="<1>" role='"'img'" > attr
	printf 'a;b 100\n' | flamegraph --nameattr attr > out.svg
	grep -qF '<a xlink:href="/a?x=1&amp;y=2" target="_blank" data-name="a"><title>A &amp; B</title>' out.svg
	grep -qF '<g id="bb" class="hot" data-x="&lt;1&gt;" role="img"><title>b (' out.svg
	well_formed out.svg
	# --nameattr takes attributes in either quotes, and blanks in values
	cat > attr <<-'END'
	a	g_extra= on = "1" _a.b-c='"2"'  xlink:role="'"o="4"   no='a&#9;b&#10;c&#13;d'	color=red	class=c
	b	target=_blank	title=T
	c	href=/c	g_extra=data-x='1'	a_extra=rel="y" download='z
	END
	printf 'a;b;c 100\n' | flamegraph --nameattr attr 2> err > out.svg
	is_line 'flamegraph: attr: line 1: left out, an unknown' \
		'attribute: color' < err
	grep -o '<[ag][^>]*><title>[aTc]' out.svg | sed 1d | is 4<<-'END'
	<g on="1" _a.b-c="&quot;2&quot;" xlink:role="'" o="4" no="a&#9;b&#10;c&#13;d" class="c"><title>a
	<g data-name="b"><title>T
	<a xlink:href="/c" target="_top" rel="y" download="z" data-x="1"><title>c
	END
	well_formed out.svg
}

# lists: the attributes of the viewer's script, except the frames' depths.
lists() {
	sed -n 's/^<script\(.*\)><!.CDATA.*/\1/p' |
		sed 's/ data-falls="[^"]*"//'
}

@test "the viewer gets depths, and counts that tooltips do not show" {
	# counts that tooltips do not tell are data for the viewer
	printf 'a 10\na;b 90\n' | flamegraph > out.svg
	lists < out.svg | diff - <(echo)
	# the 1 of g, which is too narrow, is not e's, but where h begins
	printf 'e;f 59999\ne;g 1\ne;h 40000\n' | flamegraph | lists |
		is_line ' data-self="2:0" data-gap="4:1"'
	printf 'a 5 10\na;b 3 90\na;b;c 7 7\n' | flamegraph | lists |
		is_line ' data-change="92 92 87"'
	printf 'a;b 2 99998\na;c 8 1\n' | flamegraph --minwidth=1 | lists |
		is_line ' data-self="2:0" data-change="99989 99989 99996"' \
		    'data-change-self="2:0"'
	printf 'a 0.25\na;b 99.5\n' | flamegraph | lists |
		is_line ' data-total="99.75 99.75"'
	printf 'a 30000\na;b 71234\n' | flamegraph --factor=0.001 | lists |
		is_line ' data-total="101234 101234 71234"'
	printf 'a;b 60\nc 40\n' | flamegraph --total=200 | lists |
		is_line ' data-self="0"'
	# b begins with a, whose own counts come last
	printf 'a;b 60\na 40\n' | flamegraph --flamechart | lists |
		is_line ' data-gap="3:-40"'
	printf 'a;b 100\n' > in
	printf 'a\ttitle=x (7 samples, 7%%)\n' > attr
	flamegraph --nameattr attr in > out.svg
	lists < out.svg | is_line ' data-total="2:100"'
	grep -o '<g [^>]*><title>x' out.svg |
		is_line '<g data-name="a"><title>x'
	printf 'a\ttitle=x\tg_extra=data-name="7"\n' > attr
	flamegraph --nameattr attr in | grep -o '<g [^>]*><title>x' |
		is_line '<g data-name="7"><title>x'
	# the viewer is told each frame's depth
	# a child, a sibling, one up, four up; 36 up
	{
		printf '%s\n' 'a;b;c 10' 'a;b;d;e;f 10' 'a;g 10' 'h 10'
		printf 'i'
		printf ';i%.0s' $(seq 36)
		printf ' 10\nj 10\n'
	} | flamegraph | grep -o 'data-falls="[^"]*"' |
		is_line "data-falls=\"0000100421$(printf '0%.0s' $(seq 36))z2\""
}

@test "entities in --nameattr's file are characters, other text stays" {
	printf 'a\ttitle=%s\n' \
		'&lt;&gt;&amp;&quot;&apos;&#9;&#65;&#x42;&#x7f;&#x80;&#xe9;' \
		'&#x7ff;&#2048;&#x20ac;&#xFFFD;&#65536;&#x1F600;&#x10FFFF;' \
		'&nbsp; &#; &#x; &#12a; &#xg; &; &#1234567890; &#0; & &amp' \
		'&#1;|&#xD800;|&#xFFFF;|&#x110000;|&#x2010041;|&#99999999;' |
		sed '2,$s/^a\ttitle=//' | tr '\n' ' ' > attr
	echo 'a 100' | flamegraph --nameattr attr > out.svg
	sed -n 's/.*data-name="a"><title>\(.*\) <\/title>.*/\1/p' out.svg |
		diff - <(printf '%b %b %s %b\n' \
		'&lt;&gt;&amp;"\047\tAB\0177\0302\0200\0303\0251' \
		'\0337\0277\0340\0240\0200\0342\0202\0254\0357\0277\0275\0360\0220\0200\0200\0360\0237\0230\0200\0364\0217\0277\0277' \
		'&amp;nbsp; &amp;#; &amp;#x; &amp;#12a; &amp;#xg; &amp;; &amp;#1234567890; &amp;#0; &amp; &amp;amp' \
		'�|���|�|�|�|�')
	well_formed out.svg
	# none without ;
	printf '%s\ttitle=%s\n' a xlt b xgt c '&lt' d 'x#65' e '&#65' f '&' > attr
	printf '%s 100\n' a b c d e f | flamegraph --nameattr attr |
		sed -n 's/.*data-name.*<title>\(.*\)<\/title>.*/\1/p' |
		are_lines xlt xgt '&amp;lt' 'x#65' '&amp;#65' '&amp;'
}

# given ATTRIBUTE...: draws a frame a, b, c... with each of them.
given() {
	printf '%s\n' "$@" | awk '{ print substr("abcdefghijkl", NR, 1) "\t" $0 }' > attr
	printf '%s 100\n' a b c d e f g h i j k l | flamegraph --nameattr attr > out.svg
}

@test "--nameattr takes attributes that run and load nothing" {
	local links=(java javascript view/x vbscript data docs.html
	    xjavascript:x /javascript:x) name
	given "${links[@]/#/href=}"
	grep -o 'xlink:href="[^"]*" target=' out.svg |
		diff - <(printf 'xlink:href="%s" target=\n' "${links[@]}")
	given 'g_extra=fill="url(#p)"' "g_extra=fill=\"url( '#p')\"" \
	    'g_extra=style="fill: urls(x) src image-set"' \
	    "g_extra=fill='url(\"#p\")'"
	grep -o '<g [^>]*><title>[abcd]' out.svg | is 4<<-'END'
	<g fill="url(#p)"><title>a
	<g fill="url( '#p')"><title>b
	<g style="fill: urls(x) src image-set"><title>c
	<g fill="url(&quot;#p&quot;)"><title>d
	END
	# text to browsers
	for name in id class title href xlink:href xlink:title target rel \
	    role data-x aria-x; do
		echo "g_extra=$name=\"@x url(y) \\\""
	done > texts
	mapfile -t texts < texts
	given "${texts[@]}"
	grep -o '<g [^>]*><title>[a-k] ' out.svg |
		sed 's/<g \(.*\)><title>. /g_extra=\1/' | diff - texts
}

@test "--nameattr refuses scripts, and text that is not an attribute" {
	: > taken
	while IFS='|' read -r line message; do
		printf 'a\t%b\n' "$line" > attr
		fails 1 flamegraph --nameattr attr 2> err > out.svg <<< 'a 100'
		[[ $(< err) =~ ^'flamegraph: attr: line 1: '.*$message ]] ||
			echo "$line" >> taken
		[ ! -s out.svg ]
	done <<-'END'
	href=javascript:alert(1)|a link to a script
	href=  java script:x|a link to a script
	href=jAvAsCrIpT :x|a link to a script
	href=java&#x9;script&#10;:x|a link to a script
	href=&#32;&#106;avascript&#x3a;x|a link to a script
	href=&#000106;avascript:x|a link to a script
	href=vb&#10;Script:x|a link to a script
	href=&#10;DATA&#58;,x|a link to a script
	g_extra=fill="url(//127.0.0.1:9/p.svg#p)"|would load what it names
	g_extra=stroke=' URL( //127.0.0.1:9/#p )'|would load what it names
	g_extra=mask="url(&#10;&quot;p.svg#p&quot;)"|would load what it names
	g_extra=clip-path="url(#p) url(p.svg#p)"|would load what it names
	g_extra=marker-start="url()"|would load what it names
	g_extra=cursor="image-set('p.png' 1x), auto"|would load what it names
	g_extra=mask="\\75rl(p.svg#p)"|would load what it names
	g_extra=mask="ur&#92;l(p.svg#p)"|would load what it names
	g_extra=style="mask-image: Image-Set('p.png' 1x)"|would load what it names
	g_extra=style="mask-image: image('p.png')"|would load what it names
	g_extra=style="mask-image: src('p.png')"|would load what it names
	g_extra=style="--x: url(p.png); mask-image: var(--x)"|would load what it names
	g_extra=style="@import 'p.css'"|would load what it names
	g_extra=STYLE="content: url(p.png)"|would load
	g_extra=attributionsrc="/"|not an attribute
	g_extra=xml:base="/"|not an attribute
	g_extra=ev:event="load"|not an attribute
	a_extra=href="data:text/html,x"|a link to a script
	g_extra=ping="/x"|not an attribute for a frame: ping$
	g_extra=x|not NAME="VALUE"
	g_extra=x="y" z|not NAME="VALUE"
	g_extra=x=y|not NAME="VALUE"
	id|not NAME=VALUE
	id=x\ty|not NAME=VALUE: y$
	a\tb=c|not NAME=VALUE: a$
	id=x\tg_extra=id="y"|given twice
	a_extra=x="y" x="z"|given twice: x
	href=/x\thref=/y|given twice: xlink:href
	g_extra=xlink:onx="y"|not an attribute.*: xlink:onx$
	g_extra=XMLx="y"|not an attribute.*: XMLx$
	g_extra=1x="y"|not an attribute.*: 1x$
	g_extra=a:b="y"|not an attribute.*: a:b$
	g_extra=onclick="x"|not an attribute
	g_extra=a/b="y"|not an attribute.*: a/b$
	END
	diff /dev/null taken
	echo 'a' > attr
	fails 1 flamegraph --nameattr attr <<< 'a 100' 2>&1 > out.svg |
		has 'no tab after the name: a$'
}

@test "sizes: width, height, font, minwidth, total and factor" {
	printf 'a;b 50\na;c 50\n' > in
	frames --width 620 --height 20 --fontsize 10 in | cut -d' ' -f1-4 |
		are_lines '10 71 600 19' '10 51 600 19' \
		'10 31 300 19' '310 31 300 19'
	frames --total 200 in | cut -d' ' -f1-4 | are_lines \
		'10 69 1180 15' '10 53 590 15' '10 37 295 15' '305 37 295 15'
	names --factor 2.5 in | are_lines \
		'all (250 samples, 100%)' 'a (250 samples, 100.00%)' \
		'b (125 samples, 50.00%)' 'c (125 samples, 50.00%)'
	[ "$(names --minwidth 591 in | wc -l)" -eq 2 ]
	[ "$(names --minwidth 50% in | wc -l)" -eq 4 ]
	flamegraph --total 60 in 2>&1 > out.svg |
		has 'total 60 is ignored, since the counts add up to 100'
	# edges halfway between two tenths of a pixel go where printf has them
	printf '%s\n' 'a 1' 'b 1' 'c 3' 'd 10' 'e 2' 'f 8' 'g 7' 'h 16' \
		'i 23552' | frames --minwidth=0 | cut -d' ' -f1,3 |
		are_lines '10 1180' '10 0.1' '10.1 0.1' \
		'10.2 0.6' '10.8 0.4' '11.2 0.4' '11.6 0.8' '12.4 1177.6'
	undrawn < out.svg | sed 's/#.*\t//' | are_lines '2 1 b' '4 2 e'
}

@test "counts beyond a double's range are refused, large ones are drawn" {
	printf '%s\n' 'a;b 100000000000000000000' 'a;c 4000000000000000000000' |
		names | are_lines \
		'all (4,100,000,000,000,000,000,000 samples, 100%)' \
		'a (4,100,000,000,000,000,000,000 samples, 100.00%)' \
		'b (100,000,000,000,000,000,000 samples, 2.44%)' \
		'c (4,000,000,000,000,000,000,000 samples, 97.56%)'
	printf 'a;b %s\na;c 1\n' "$(printf '%0300d' 0 | tr 0 9)" > in
	flamegraph in > out.svg
	well_formed out.svg
	fails 1 flamegraph --factor 1e300 in > out.svg 2> err
	diff out.svg /dev/null
	grep -q 'more than a double holds' err
}

@test "no stack with a count is an error, and the picture says so" {
	refused() { # MESSAGE [ARGUMENTS]
		fails 1 flamegraph "${@:2}" > out.svg 2> err
		grep -q 'ERROR: No valid input provided' out.svg
		# which is not shown
		grep -q 'display="none">ERROR' out.svg
		grep -q 'No stack with a count was found.*Fold a profile' out.svg
		grep -q '<title>flamegraph: no stack with a count' out.svg
		grep -q "^flamegraph: .*$1" err
		[ "$(wc -l < err)" -eq 1 ]
		well_formed out.svg
	}
	refused 'the input is empty' < /dev/null
	refused 'the input is empty' <<< '# comment 5'
	refused 'all counts are 0' <<< 'a 0'
	refused 'looks like some other text' <<< 'no count'
	refused 'standard input: a profile of perf; type: ' < "$DATA/demo.perf"
	printf '\000\001\n' | refused 'looks like binary data'
	refused 'missing: No such file' missing
}

@test "of several operands, one without a stack or cut off is reported" {
	echo 'a;b 100' > a.folded
	flamegraph a.folded > whole.svg
	: > empty
	printf 'no\nstack\n' > text
	while IFS='|' read -r operands message; do
		fails 1 flamegraph $operands > out.svg 2> err < a.folded
		grep -v '^Ignored' err | is_line "flamegraph: $message"
		cmp out.svg whole.svg
	done <<-'END'
	text a.folded|text: no line is a stack and a count; it looks like some other text
	a.folded empty|empty: it is empty
	missing a.folded|missing: No such file or directory
	empty -|empty: it is empty
	a.folded /dev/null|/dev/null: it is empty
	END
	fails 1 flamegraph text a.folded 2>&1 > out.svg |
		has '^Ignored 2 lines with invalid format$'
	# one that ends inside a line is reported, too
	printf 'a;b 50\na;b' > part
	echo 'a;b 50' > rest
	message='flamegraph: part: line 2 is cut off at the end of the file,'
	message+=' and is left out'
	fails 1 flamegraph part rest > out.svg 2> err
	are_lines "$message" \
		'Ignored 1 lines with invalid format' < err
	cmp out.svg whole.svg
	# as the original does, alone
	flamegraph part 2> err > out.svg
	grep -qxF "$message" err
	# no one knows what is missing
	printf 'a;b 50' > part
	flamegraph part rest 2> err > out.svg
	is_line 'flamegraph: part: line 1 has no end; if it is cut off,' \
		'its count is wrong' < err
	cmp out.svg whole.svg
	printf 'a;b 100' | flamegraph 2>&1 > out.svg | diff - /dev/null
}

@test "input other than folded text is refused, even if lines end in numbers" {
	printf 'BZh;b 50\nBZh;b 50\n' | flamegraph 2>&1 > out.svg |
		diff - /dev/null
	grep -q '<title>BZh (100 samples, 100.00%)' out.svg
	# with what looks like a stack and a count among its bytes
	{ head -c 4096 "$BIN/flamegraph"; printf '\na;b 100\n'; } > elf
	fails 1 flamegraph elf 2>&1 > out.svg | is_line \
		'flamegraph: elf: an ELF program or library, not text'
	fails 1 difffolded elf /dev/null 2>&1 > out | has -x \
		'difffolded: elf: an ELF program or library, not text'
	{ printf PERFILE2; cat elf; } > perf.data
	fails 1 flamegraph perf.data 2>&1 > out.svg | is_line \
		'flamegraph: perf.data: a profile of perf; type:' \
		'stackcollapse perf.data | flamegraph > out.svg'
	for kind in gdb jstack vtune bpftrace callgrind sample; do
		fails 1 flamegraph "$DATA/collapse/$kind" 2>&1 > out.svg |
			has "; type: stackcollapse $DATA/collapse/$kind |"
	done
	# but not what a collapser prints after its messages
	printf '%s\n' 'Attaching 1 probe...' 'a;b 100' |
		flamegraph 2> err > out.svg
	grep -q '<title>b (100 samples, 100.00%)' out.svg
	is_line 'Ignored 1 lines with invalid format' < err
}

@test "a low count of samples is remarked" {
	echo 'a 99' | flamegraph 2>&1 > out.svg |
		is_line 'Stack count is low (99). Did something go wrong?'
	echo 'a 99' | flamegraph --countname=ms 2>&1 > out.svg | diff - /dev/null
}

# drawn OPTION VALUE...: whether each is a picture without odd numbers.
drawn() {
	local value
	for value in "${@:2}"; do
		flamegraph --no-javascript "--$1" "$value" in
	done | sed 's/<title>[^<]*//g' > numbers
	[ "$(grep -c '</svg>' numbers)" -eq $(($# - 1)) ]
	! grep -iqE '[" ,.](-?nan|-?inf)|="-' numbers
}

# refused OPTION VALUE...: whether each is a wrong command line.
refused() {
	local value
	for value in "${@:2}"; do
		fails 2 flamegraph "--$1" "$value" in 2> err | diff /dev/null -
		[[ $(< err) == *"option --$1:"*$'\n'"Try 'flamegraph --help'." ]]
	done
}

@test "options take the least and the most, and refuse the rest" {
	printf 'a;b 150\na;c 50\nd 10 20\n' > in
	drawn width 21 1000000 auto
	refused width 20 1000001 99999999999999999999 1.5 0x50 ' 30' nan
	grep -q '^flamegraph: option --width: "nan" is neither' err
	refused width 0
	grep -q '^flamegraph: option --width: 0 is not from 21 to 1000000$' err
	drawn height 1 1000000
	refused height 0 1000001 1.5
	drawn fontsize 1e-300 .5 1000000
	refused fontsize 0 -0 1e7 1e-400 nan 12px
	drawn fontwidth 1e-300 1e300
	refused fontwidth 0 -1 1e400
	drawn minwidth 0 .5 100% 1000000
	refused minwidth -1 1e3 1.2.3 % 5%%
	drawn factor 1e-300 1e300
	refused factor 0 -1 inf
	fails 1 flamegraph --factor 1e308 in > out 2> err
	drawn total 0 1e300
	refused total -1 0x10
	refused colors pink red\' '"><script>'
	refused bgcolors pink '#12345g' '#12' '#1234567' '#fff"' 'url(#canvas)'
	refused theme black "x' y='z"
	refused encoding 'utf-8"?><x' 'latin1 "' '<'
	refused notes 'a<b' '--><script>' '<!--' '--!>'
	grep -q '^flamegraph: option --notes: a comment cannot hold < or >$' err
	for option in --hash=1 --title= --theme= --nosuch --c \
	    '--no-javascript --search=x'; do
		fails 2 flamegraph $option in 2> err | diff /dev/null -
		tail -n 1 err | is_line "Try 'flamegraph --help'."
	done
}

@test "--width=auto draws in per cent of the window" {
	printf 'a;b 30\na;c 60\na 10\n' | frames --width=auto | cut -d'|' -f1 |
		cut -d' ' -f1,2,3 | is 4<<-'END'
	1% 69 98%
	1% 53 98%
	10.8% 37 29.4%
	40.2% 37 58.8%
	END
	grep -q '^<svg .* width="100%" height="118"' out.svg
	! grep -q viewBox= out.svg || false
	grep -q '<text id="title" x="50%"' out.svg
	grep -q '<text x="10.8%" dx="3" y="47.5">b</text>' out.svg
	grep -q '<text id="unzoom" x="10" ' out.svg
	grep -q '<text id="search" x="100%" dx="-110" ' out.svg
	grep -q '<text id="matched" x="100%" dx="-10" ' out.svg
	well_formed out.svg
}

@test "colors are written as short as they can be" {
	awk 'BEGIN { for (; i < 400; i++) print "f" i " 10" }' > in
	flamegraph --colors=orange --cp in > cp.svg
	[ "$(grep -c '^f' palette.map)" -eq 400 ]
	frames --colors=orange in | cut -d' ' -f5- | cut -d'|' -f1,2 |
		sed -n 's/^#\(.\)\(.\)\(.\)|/#\1\1\2\2\3\3|/
		s/^#\(..\)\(..\)\(..\)|\(f[0-9]*\) .*/\4 0x\1 0x\2 0x\3/p' |
		while read -r name red green blue; do
			echo "$name->rgb($((red)),$((green)),$((blue)))"
		done | sort | diff - <(grep '^f' palette.map)
	[ "$(frames --colors=red in | grep -c ' #...|')" -lt 100 ]
}

@test "--theme and --bgcolors change the background, not the frames" {
	# --theme changes the background, not the frames
	echo 'a 100' > in
	frames in > usual
	grep -q 'stop-color="#eeeeee"' out.svg
	grep -q '<linearGradient id="from-eeeeee-to-eeeeb0"' out.svg
	grep -q '<rect id="canvas".* fill="url(#from-eeeeee-to-eeeeb0)"/>' out.svg
	while read -r theme colors sign; do
		frames --theme="$theme" --bgcolors="$colors" in | diff usual -
		grep -q "^<svg .* data-theme=\"$theme\"" out.svg
		grep -q "$sign" out.svg
		well_formed out.svg
	done <<-'END'
	light yellow stop-color="#eeeeb0"
	dark yellow stop-color="#2a2a1a"
	dark #102030 stop-color="#102030" offset="5%"
	auto blue style="--top: #1e1e1e; --bottom: #1e1e30"
	auto blue stop-color="#e0e0ff"
	auto #102030 style="--top: #1a1a1a; --bottom: #282828"
	auto #102030 stop-color="#102030"
	END
	# a dark background of one's own leaves the colors of frames as they are
	printf '%s\n' 'same 4000 4000' 'more 4000 4100' 'most 4000 4900' > in
	frames in > usual
	for color in '#000000' '#ffffff'; do
		frames --bgcolors="$color" in | diff usual -
	done
	frames --bgcolors='#ffffff' --theme=dark in | diff usual -
	frames --bgcolors='#000000' --theme=dark in > dark
	fails 1 cmp -s usual dark
}

@test "--no-javascript leaves tooltips, and nothing that would do nothing" {
	printf 'a;b 30 10\na 10 20\n' > in
	flamegraph in > with.svg
	flamegraph --no-javascript in > out.svg
	diff <(grep -o '<title>.*' with.svg) \
		<(sed 's/&#10;[^<]*//' out.svg | grep -o '<title>.*')
	grep -q 'data-change' with.svg
	grep -q 'id="search"' with.svg
	! grep -E 'script|Search|Reset|data-[^nt]|cursor' out.svg || false
	well_formed out.svg
}

@test "options are abbreviated, in any case, after operands; the last wins" {
	echo 'a 100' > in
	flamegraph in -Ti one +TITLE=two --subt -x > out.svg
	grep -q 'id="title".*>two<' out.svg
	grep -q 'id="subtitle".*>-x<' out.svg
	# those that flamegraph.pl lacks take no abbreviation from it
	flamegraph --s=below --no=remark in > out.svg
	grep -q 'id="subtitle".*>below<' out.svg
	grep -q 'NOTES: remark' out.svg
	flamegraph --no-j --the=dark in > out.svg
	grep -q 'data-theme="dark"' out.svg
	! grep -q '<script' out.svg || false
}

@test "--cp refuses a palette.map that is not a regular file, before it reads the input" {
	mkfifo palette.map
	# which has no end as standard input, too
	fails 1 timeout 10 flamegraph --cp <> palette.map > out.svg 2> err
	is_line 'flamegraph: palette.map: not a regular file, which --cp keeps' < err
	[ ! -s out.svg ]
	ln -sf /dev/null palette.map
	fails 1 flamegraph --cp > out.svg 2> err <<< 'a 100'
	grep -q 'palette.map: not a regular file' err
	rm palette.map
	mkdir palette.map
	fails 1 flamegraph --cp > out.svg 2> err <<< 'a 100'
	grep -q 'palette.map: Is a directory' err
}

@test "the usage and the man page name every palette" {
	local palette page="$TOP/man/flamegraph.1"
	flamegraph --help | sed -n '/--colors/,/--bgcolors/s/^ *\(--colors PALETTE *\)\{0,1\}\([a-z]*\).*/\2/p' |
		grep . > palettes
	[ "$(wc -l < palettes)" -eq 18 ]
	while read -r palette; do
		echo 'a 100' | flamegraph --colors="$palette" > out.svg
		grep -q "^\.Cm $palette\( ,\)\{0,1\}$" "$page"
	done < palettes
}

@test "a line without a color in palette.map is left out, and counted" {
	cat > palette.map <<-'END'
	a->red

	->
	b->URL(#x)
	c->red url(#x)
	d->\75rl(p.svg#p)
	e->red"
	f->
	g->rgb(1
	h->rgb(1,2,3)
	i red
	j->red" onload="x
	k->red;background:red
	l-><script>
	m->hsl(120 50% 50%)
	END
	echo 'a;b;c 100' | flamegraph --cp 2> err > out.svg
	is_line 'flamegraph: palette.map: lines without a name and a' \
		'color, left out: 11, the first is line 3' < err
	sed 's/->rgb.*/->rgb/' palette.map | are_lines '->rgb' \
		'a->red' 'b->rgb' 'c->rgb' 'h->rgb' 'm->hsl(120 50% 50%)'
}

@test "the order of the lines does not matter, however they share frames" {
	cat > sorted <<-'END'
	a 1
	a b;c 2
	a(int);x 4
	a;b 3
	a;b c;d 1
	a;b.isra.0;e 2
	a;b;c 5
	a;b;c;; 2
	a;b;c;;d 2
	b 7
	END
	flamegraph --minwidth=0 sorted > sorted.svg
	LC_ALL=C sort -r sorted | flamegraph --minwidth=0 | diff sorted.svg -
	sed -n 'p;n' sorted > odd
	sed -n 'n;p' sorted > even
	flamegraph --minwidth=0 even odd | diff sorted.svg -
	[ "$(grep -c '<title>.*<rect' sorted.svg)" -eq 15 ]
}

@test "bytes that are no characters do not harm the frames before and after them" {
	printf 'a;\377;b 1\na;\377;c 2\na;\357\277\275;d 4\n' |
		names | are_lines \
		'all (7 samples, 100%)' 'a (7 samples, 100.00%)' \
		$'\xef\xbf\xbd (7 samples, 100.00%)' 'b (1 samples, 14.29%)' \
		'c (2 samples, 28.57%)' 'd (4 samples, 57.14%)'
	# what is cut off begins no frame with the whole character
	printf 'a\303\251;x 1\na\303(;y 2\na\303\277\275(;z 4\n' |
		names | are_lines \
		'all (7 samples, 100%)' $'a\xc3\xa9 (1 samples, 14.29%)' \
		'x (1 samples, 14.29%)' \
		$'a\xc3\xbf\xef\xbf\xbd( (4 samples, 57.14%)' \
		'z (4 samples, 57.14%)' $'a\xef\xbf\xbd( (2 samples, 28.57%)' \
		'y (2 samples, 28.57%)'
}

@test "long names are distinct wherever they differ" {
	awk 'BEGIN {
		for (; i < 70; i++)
			name = name "a"
		for (i = 1; i <= 70; i++) {
			print name
			print substr(name, 1, i - 1) "b" substr(name, i + 1)
		}
	}' > in
	sed 's/$/;x 1/' in | names | grep aa | sort | diff - <(
		sed -n '1s/$/ (70 samples, 50.00%)/p
			/b/s/$/ (1 samples, 0.71%)/p' in | sort)
	# eight bytes a step take these for the end of the text
	printf 'aaaaaaaa;x 1\n\0\0\0\0\0\0\0\0;y 1\n' | names |
		grep -c '^a* (1 samples' | is_line 1
	# one begins with the other, a hundred times
	awk 'BEGIN { for (; i < 100; i++) {
		name = name "!"
		print "p;foo" name " 1"
		print "p;foo" name ";x 1"
	} }' | names --minwidth=0 | grep -c '^foo!* (2 samples' | is_line 100
}

@test "a first frame keeps the number that it ends in when stacks are turned over" {
	printf '%s\n' 'Worker 12;main;read 5' 'Worker 12;main 3 4' |
		names --reverse | cut -d')' -f1 |
		diff - <(printf '%s)\n' 'all (9 samples, 100%' \
		'main (4 samples, 44.44%; 0.00%' \
		'Worker 12 (4 samples, 44.44%; +11.11%' \
		'read (5 samples, 55.56%' 'main (5 samples, 55.56%' \
		'Worker 12 (5 samples, 55.56%' | sed 's/)$//')
}

# Five of these end where one without counts ends, of the same name and depth.
@test "a frame is drawn beside one of its name and depth that is empty" {
	printf '%s\n' 'a;x 5 10' 'b;x 5 0' 'c;x 1 0' 'c;y 1 10' 'd;y;y 0 0' \
		'd;y 3 0' 'd;x;y 3 0' | frames --minwidth=0 |
		cut -d' ' -f1-3,5- | is 4<<-'END'
	10 85 1180 #fff|all (20 samples, 100%)|
	10 69 590 #fff|a (10 samples, 50.00%; 0.00%)|a
	10 53 590 #ff5d5d|x (10 samples, 50.00%; +25.00%)|x
	600 69 590 #fff|c (10 samples, 50.00%; 0.00%)|c
	600 53 590 #f00|y (10 samples, 50.00%; +45.00%)|y
	END
	undrawn < out.svg | is 4<<-'END'
	3 0 #fff;	b
	3 0 #5d5dff;	x
	4 0 #babaff;	x
	5 0 #fff;	d
	5 0 #fff;	x
	5 0 #8c8cff;	y
	5 0 #8c8cff;	y
	5 0 #fff;	y
	END
}

@test "UTF-8 that is a character of XML is kept, all else is not" {
	local bytes number pad
	{
		for bytes in '\0177' '\0302\0200' '\0337\0277' \
		    '\0340\0240\0200' '\0355\0237\0277' '\0356\0200\0200' \
		    '\0357\0277\0275' '\0360\0220\0200\0200' \
		    '\0364\0217\0277\0277' '\0011'; do
			printf "%b|%b\\n" "$bytes" "$bytes"
			printf "a%bbcdefgh%bijk|a%bbcdefgh%bijk\\n" \
				"$bytes" "$bytes" "$bytes" "$bytes"
		done
		while read -r number bytes; do
			printf '%b|' "x$bytes"
			printf 'x'
			printf '\357\277\275%.0s' $(seq "$number")
			echo
		done <<-'END'
		1 \01
		1 \0037
		1 \013
		1 \0200
		1 \0277
		2 \0300\0200
		2 \0301\0277
		3 \0340\0237\0277
		3 \0355\0240\0200
		3 \0355\0277\0277
		1 \0357\0277\0276
		1 \0357\0277\0277
		4 \0360\0217\0277\0277
		4 \0364\0220\0200\0200
		5 \0370\0210\0200\0200\0200
		1 \0377
		1 \0303
		2 \0342\0202
		3 \0360\0237\0230
		END
		printf 'y\303(z|y\357\277\275(z\n'
		printf 'y\342\202\303\251|y\357\277\275\357\277\275\303\251\n'
		# at each place in a word of eight bytes
		for i in $(seq 0 17); do
			pad=$(printf "%${i}s" '')
			printf '%b\n' "$pad\01x|$pad\0357\0277\0275x" \
				"$pad\0303(|$pad\0357\0277\0275(" \
				"$pad\0303\0251|$pad\0303\0251"
		done | tr ' ' x
	} > pairs
	cut -d'|' -f1 pairs | awk '{ print NR ":" $0 " 100" }' |
		flamegraph --flamechart --minwidth=0 > out.svg
	sed -n 's/.*<title>[0-9]*:\(.*\) (100 samples, .*/\1/p' out.svg |
		diff - <(cut -d'|' -f2 pairs)
	well_formed out.svg
}

@test "input without counts is described by what it looks like" {
	local rows=0
	while IFS='|' read -r line looks; do
		echo "$looks"
		rows=$((rows + 1))
		printf '%b\n' "$line" > "$rows"
	done > expected <<-'END'
	PERFILE|some other text
	a\tb|some other text
	abc\177|binary data
	\177abc|binary data
	a 1 1.5: c:|a profile of perf
	1.5:|a profile of perf
	12.34:  x|a profile of perf
	x 0.000000: c|a profile of perf
	.5:|some other text
	15:|some other text
	1.:|some other text
	1.5|some other text
	1.5.6:|some other text
	1x.5:|some other text
	x1.5:|some other text
	1.5x:|some other text
	1.5:x|some other text
	x<svg>|some other text
	a<?xml|some other text
	  CPU   ID    FUNCTION:NAME|stacks of DTrace
	m`f|the output of DTrace
	<svg x="1">|a picture in SVG
	<svg>|a picture
	<?xml version="1.0"?>|a picture
	END
	fails 1 flamegraph $(seq "$rows") 2> err > out.svg
	# those that a collapser folds are told first
	sed -n -E -e 's/; type: .*//; s/, which stack.*//' \
	    -e 's/^flamegraph: ([0-9]+): (.*looks like )?/\1 /p' err |
		sort -n | sed 's/^[0-9]* //' | diff - expected
	fails 1 stackcollapse-perf 2>&1 <<< 'a;b 1.5 2' | has 'two counts'
	for line in 'a;b' 'a;b x' 'a;b1' 'a 1'; do
		fails 1 stackcollapse-perf 2>&1 <<< "$line" |
			has 'some other text'
	done
}

@test "--sort=size puts the largest siblings first, and equal ones by name" {
	printf '%s\n' 'a;c 1' 'a;b 5' 'a;d 5' 'b;x 30' 'c 9' > in.folded
	flamegraph --sort=size in.folded 2> /dev/null > out.svg
	sed -n 's/.*<title>\(.*\) (.*<rect x="\([0-9.]*\)".*/\1 \2/p' out.svg |
		sort -k 2n -k 1 | tr '\n' ' ' > said
	# 50 counts on 1180 pixels
	[ "$(cat said)" = 'all 10 b 10 x 10 a 718 b 718 d 836 c 954 c 977.6 ' ]
	flamegraph --sort=name in.folded 2> /dev/null |
		diff - <(flamegraph in.folded 2> /dev/null)
	fails 2 flamegraph --sort=time in.folded 2> err
	grep -q -e '--sort: "time" is not name or size' err
	fails 2 flamegraph --sort=size --lanes in.folded 2> err
	grep -q -e '--sort=size cannot be combined' err
}

@test "--color-rules colors names that match, and lists the rules in use" {
	printf '%s\n' '# ours' '' '^(my|our)_ #102030' 'lloc$  rgb(1,2,3)' \
	    'my_alloc #fff' 'never & < #f00' > rules
	printf '%s\n' 'my_alloc 10' 'our_b;malloc_[k] 20' 'c_alloc_x 30' \
	    '-;malloc 40' > in.folded
	flamegraph --colors=aqua --color-rules=rules in.folded > out.svg
	sed -n 's/.*<title>\(.*\) (.*<rect[^>]* fill="\([^"]*\)".*/\1 \2/p' out.svg |
		grep -v -e '^all' -e '^-' | sort | diff - <(
		flamegraph --colors=aqua in.folded |
			sed -n 's/.*<title>\(c_alloc_x\) (.*<rect[^>]* fill="\([^"]*\)".*/\1 \2/p'
		printf '%s\n' 'malloc #010203' 'malloc #010203' \
		    'my_alloc #102030' 'our_b #102030')
	sed -n '/<text id="legend"/,/<\/text>/p' out.svg |
		sed -n 's/.*fill="\(.*\)">.*<\/tspan> \(.*\)/\2 \1/p' |
		are_lines '^(my|our)_ #102030' 'lloc$ #010203'
	xmllint --noout out.svg
	for rule in 'a' 'a nocolor' '( #fff'; do
		printf 'x #fff\n%s\n' "$rule" > rules
		fails 1 flamegraph --color-rules=rules in.folded 2> err > out.svg
		grep -q 'rules: line 2: ' err
		[ ! -s out.svg ]
	done
	fails 1 flamegraph --color-rules=missing in.folded 2> err
}
