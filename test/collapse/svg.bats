load ../helper

# What flamegraph.pl and inferno draw is written here by hand, after pictures of
# theirs; where the programs are, they draw the same profiles themselves:
# FLAMEGRAPH_PL is the folder of the first, and inferno-flamegraph in PATH.

# The stacks of the test data, each once, without marks, which no title has.
profile() {
	stackcollapse-perf "$DATA/demo.perf" | sed 's/_\[[kwij]\]//g'
}

# frames FRAME...: a picture of frames, each "NAME|X|WIDTH|ROW", from row 0 up.
frames() {
	local name x width row
	echo '<svg xmlns="http://www.w3.org/2000/svg"><g id="frames">'
	for frame; do
		IFS='|' read -r name x width row <<< "$frame"
		echo "<g><title>$name</title><rect x=\"$x\"" \
			"y=\"$((100 - 16 * row))\" width=\"$width\"/></g>"
	done
	echo '</g></svg>'
}

@test "frames of flamegraph.pl, in no order, fold to their stacks" {
	stackcollapse-svg "$DATA/collapse/svg" | is 4<<-'END'
	main 8
	main;parse<int> 30
	main;parse<int>;read 12
	END
}

@test "counts come from frames, also of several pictures, and within a page" {
	# a frame that ends a stack is not taken for a count
	frames 'all (9 samples, 100%)|10|900|0' 'Frame 12 (9 samples, 9%)|10|900|1' |
		stackcollapse-svg | is_line 'Frame_12 9'
	stackcollapse-recursive <<< 'a;x 1 2 3' | is_line 'a;x_1 2 3'
	# titles of another form have no count: a has half of the width
	frames 'all (8 samples, 100%)|0|800|0' 'a (x samples, 9%)|0|400|1' \
		'b (2 samples, x%)|400|400|1' 'c (2 samples, 2%, 3)|0|200|2' |
		stackcollapse-svg 2> err | are_lines 'a (x samples, 9%) 2' \
		'a (x samples, 9%);c (2 samples, 2%, 3) 2' 'b (2 samples, x%) 4'
	has 'estimated from the widths of frames: 3' err
	# a picture of all counts has those that no frame shows
	printf 'main 5\n' | flamegraph --total=12 | stackcollapse-svg |
		are_lines '[unknown] 7' 'main 5'
	# frames that were too narrow count in what they were on
	printf '%s\n' 'a;b 100000' 'a;c 1' 'd 2' | flamegraph > out.svg
	stackcollapse-svg out.svg | are_lines '[unknown] 2' 'a 1' \
		'a;b 100000'
	# --reverse turns the stacks of a picture over
	printf '%s\n' 'a;b;c 3' 'a;c 2' > expected
	flamegraph --reverse expected > out.svg
	stackcollapse-svg out.svg | are_lines 'c;a 2' 'c;b;a 3'
	stackcollapse-svg --reverse out.svg | diff expected -
	# pictures are added up, and may be compressed
	gzip -c "$DATA/collapse/svg" > out.svgz
	stackcollapse-svg out.svgz - < "$DATA/collapse/svg" |
		are_lines 'main 16' 'main;parse<int> 60' \
			'main;parse<int>;read 24'
	stackcollapse out.svgz | diff - <(stackcollapse-svg out.svgz)
	# a picture within a page is found
	{
		echo '<!DOCTYPE html><title>x (1 samples, 100%)</title><p>a < b'
		flamegraph --countname='a>b' <<< 'a;b 3' | sed 1d
	} > out.html
	stackcollapse-svg out.html | is_line 'a;b 3'
}

@test "frames of flamegraph.pl before 2013 have no title, but a handler" {
	cat > out.svg <<-'END'
	<svg xmlns="http://www.w3.org/2000/svg">
	<rect x="10.0" y="33" width="400.0" height="15.0" rx="2" ry="2" onmouseover="s('operator&lt; (4 samples, 33.33%)')" onmouseout="c()" />
	<text x="13" y="43.5" onmouseover="s('operator&lt; (4 samples, 33.33%)')" onmouseout="c()" >op..</text>
	<rect x="10.0" y="49" width="1200.0" height="15.0" rx="2" ry="2" onmouseover="s('all samples (12 samples, 100%)')" onmouseout="c()" />
	</svg>
	END
	stackcollapse-svg out.svg | are_lines '[unknown] 8' 'operator< 4'
}

# comes_back: whether pictures drawn with each line's options fold to what they
# were drawn from, which is in the file expected.
comes_back() {
	while read -r options; do
		flamegraph --minwidth=0 $options expected > out.svg
		stackcollapse-svg out.svg 2>&1 | diff expected - ||
			{ echo "$options"; false; }
	done
}

@test "a picture folds to the stacks it was drawn from, whatever its look" {
	profile > expected
	[ "$(wc -l < expected)" -gt 100 ]
	comes_back <<-'END'

	--inverted --width=auto --theme=dark --colors=java --hash --search=a
	--no-javascript --width=300
	--no-javascript --inverted --height=9 --truncate=front
	--width=21
	--no-javascript --width=21 --factor=7
	--countname=x(y,z)--(1 --title=100%) --encoding=iso-8859-1
	END
}

@test "counts have fractions and all digits, where the viewer needs them" {
	while read -r counts; do
		printf 'a %s\na;b %s\nc %s\n' $counts > expected
		flamegraph --minwidth=0 --factor=3 expected | stackcollapse-svg |
			diff expected -
	done <<-'END'
	0.5 1.25 900719925.125
	1 2 900719925474099
	0.1 0.2 0.7
	END
}

@test "two counts come back from pictures of flamegraph, whatever is wide" {
	cat > expected <<-'END'
	a 5 1
	a;b 10 20
	c;d 0 700000
	e 30000 0
	END
	comes_back <<-'END'

	--no-javascript
	--widths=before --noise=2 --factor=2
	--widths=sum --delta=total
	--widths=sum --no-javascript
	--widths=before --no-javascript --width=30
	--widths=sum --width=30
	--widths=change --no-javascript --factor=3 --width=30
	--widths=change --negate
	END
}

@test "two counts of other pictures are derived from their percentages" {
	frames 'all (40 samples, 100%)|10|1180|0' \
		'a (21 samples, 52.50%; -10.00%)|10|619.5|1' \
		'c (19 samples, 47.50%; +47.50%)|629.5|560.5|1' \
		'b (20 samples, 50.00%; 0.00%)|39.5|590|2' > out.svg
	stackcollapse-svg out.svg | are_lines 'a 5 1' \
		'a;b 20 20' 'c 0 19'
	frames 'all (400,000 samples, 100%)|10|1180|0' \
		'a (400,000 samples, 100.00%; +33.33%)|10|1180|1' > out.svg
	stackcollapse-svg out.svg 2> err | is_line 'a 266680 400000'
	is_line 'stackcollapse-svg: counts of before, known only to' \
		'0.01 % of the total: 1' < err
}

@test "names with brackets, quotes and other letters are complete" {
	cat > expected <<-'END'
	(a) (1 samples, 2%) 4
	<b>&amp;"x" 'y' 5
	f (9 9 9;(( 3
	λ;😀 2
	END
	printf '%s\n' --hash --no-javascript | comes_back
	# frames of inferno tell samples, in groups and links
	cat > out.svg <<-'END'
	<?xml version="1.0" standalone="no"?><svg version="1.1" width="1200" xmlns:fg="http://github.com/jonhoo/inferno"><title>none</title><script type="text/ecmascript"><![CDATA[ "<g>" ]]></script><rect x="0" y="0" width="100%" height="118"/><svg id="frames" x="10" width="1180" total_samples="1500000"><g><title>all (1,500,000 samples, 100%)</title><rect x="0.0000%" y="69" width="100.0000%" height="15" fill="rgb(227,0,7)" fg:x="0" fg:w="1500000"/><text x="0.2500%" y="79.50"></text></g><g><title>c (1 samples, 0.00%)</title><rect x="99.9999%" y="53" width="0.0001%" height="15" fg:x="1499998" fg:w="1"/></g><g><title>d (1 samples, 0.00%)</title><rect x="99.9999%" y="53" width="0.0001%" height="15" fg:x="1499999" fg:w="1"/></g><a xlink:href="x"><title>a (1,499,998 samples, 100.00%)</title><rect x="0.0000%" y="53" width="99.9999%" height="15" fg:x="0" fg:w="1499998"/></a><g><title>e (1 samples, 0.00%)</title><rect x="99.9999%" y="37" width="0.0001%" height="15" fg:x="1499999" fg:w="1"/></g></svg></svg>
	END
	stackcollapse-svg out.svg 2> err | are_lines 'a 1499998' \
		'c 1' 'd;e 1'
	[ ! -s err ]
}

@test "frames of flamegraph.pl before 2018 are in no group of their own" {
	cat > out.svg <<-'END'
	<svg version="1.1" onload="init(evt)"><rect x="0.0" y="0" width="1200.0" height="86.0" fill="url(#background)"  />
	<text text-anchor="middle" x="600.00" y="24" id="title" >Flame Graph</text>
	<g class="func_g" onmouseover="s(this)" onmouseout="c()" onclick="zoom(this)">
	<title>a (5 samples, 100.00%)</title><rect x="10.0" y="33" width="1180.0" height="15.0" fill="rgb(236,146,35)" rx="2" ry="2" />
	<text text-anchor="" x="13.00" y="43.5" >a</text>
	</g>
	<g class="func_g" onmouseover="s(this)" onmouseout="c()" onclick="zoom(this)">
	<title>all (5 samples, 100%)</title><rect x="10.0" y="49" width="1180.0" height="15.0" fill="rgb(236,146,35)" rx="2" ry="2" />
	</g>
	</svg>
	END
	stackcollapse-svg out.svg | is_line 'a 5'
}

@test "titles and links of --nameattr leave frames their names" {
	printf 'main\ttitle=all of it\thref=x\nread\ttitle=r\n' > attributes
	printf '%s\n' 'main 7' 'main;read;x 5' > expected
	flamegraph --nameattr=attributes expected | stackcollapse-svg |
		diff expected -
	frames 'all (40 samples, 100%)|10|1180|0' 'of it|10|590|1' > out.svg
	stackcollapse-svg out.svg 2> err | are_lines \
		'[unknown] 20' 'of it 20'
	is_line 'stackcollapse-svg: counts without a title,' \
		'estimated from the widths of frames: 1' < err
}

@test "a picture that is not a flame graph is refused" {
	echo '<svg width="1"><title>x</title><rect x="1"/></svg>' > out.svg
	fails 1 stackcollapse-svg out.svg 2>&1 |
		is_line 'stackcollapse-svg: out.svg: no frame of a flame' \
			'graph is in it'
	frames 'a (3 samples, 50.00%)|1|2|0' > out.svg
	fails 1 stackcollapse-svg out.svg 2>&1 |
		is_line 'stackcollapse-svg: out.svg: it has no root' \
			'frame of 100 %'
	fails 1 stackcollapse-svg "$DATA/collapse/gdb" 2>&1 |
		has 'no frame of a flame graph is in it'
	flamegraph <<< 'a;b 300' > out.svg
	fails 1 flamegraph out.svg 2>&1 > drawn |
		has 'a picture in SVG; type: .*stackcollapse out.svg | .*flamegraph'
}

@test "frames on none, at the same place, and the deepest ones" {
	# frames on none, and those with more than the one below, are told
	frames 'all (40 samples, 100%)|10|1180|0' 'a (4 samples, 9%)|10|118|1' \
		'b (9 samples, 9%)|10|118|2' 'c (1 samples, 1%)|10|9|-1' > out.svg
	fails 1 stackcollapse-svg out.svg 2> err | are_lines \
		'[unknown] 36' 'a;b 9'
	is_line 'stackcollapse-svg: frames without a parent, or' \
		'wider than it: 2; their counts are wrong or left out' < err
	# frames that begin at the same place are on the one with their counts
	frames 'all (40 samples, 100%)|10|1180|0' 'a (1 samples, 0%)|10|0.0|1' \
		'b (39 samples, 9%)|10|1179|1' 'c (30 samples, 9%)|10|1000|2' \
		'd (1 samples, 0%)|10|0.0|2' > out.svg
	stackcollapse-svg out.svg 2> err | are_lines 'a 1' 'b 8' \
		'b;c 30' 'b;d 1'
	is_line 'stackcollapse-svg: frames too narrow to find their' \
		'parent: 2; they may be in other stacks' < err
	# the deepest frames are left out, and their counts are not
	awk 'BEGIN {
		for (; i < 5000; i++)
			line = line (i == 0 ? "" : ";") "f"
		print line, 3
	}' | flamegraph | fails 1 stackcollapse-svg 2> err |
		awk '{ print gsub(/f/, ""), $2 }' | is_line 4096 3
}

@test "a table that does not fit the frames is refused" {
	printf '%s\n' 'a 1000000' 'a;b 1' 'a;c 2' 'a;b;c 1' |
		flamegraph --minwidth=0 > good.svg
	undrawn < good.svg | sed 's/ #.*\t/ /' |
		are_lines '2 2 b' '2 1 c' '2 2 c'
	while read -r change; do
		sed "$change" good.svg > bad.svg
		fails 1 stackcollapse-svg bad.svg > out 2> err
		[ ! -s out ]
		grep -q 'table of narrow frames is damaged' err
	done <<-'END'
	s/^2 2 1 1:2/3 2 1 1:2/
	s/^2 2 1 1:2/2 2 1 2:2/
	s/^2 2 1 1:2/2 2 1/
	s/^2 2 1 1:2/2 2 1 1:2 1:2/
	s/^2 2 1 1:2/2 2 1 1:2 3/
	s/^2 2 1 1:2/2 2 x 1:2/
	s/^2 2 1 1:2/99999999999999999999 2 1 1:2/
	s/data-falls="[^"]*"//
	s/data-falls="/data-falls="1/
	s/data-falls="/data-falls="-/
	END
}

@test "hostile pictures take no time" {
	{
		echo '<svg><g id="frames"><title>'
		head -c 1000000 /dev/zero | tr '\0' '('
		echo ' (1 (2 (3 x, 1%)</title><rect x="1" width="1" y="1"/>'
		awk 'BEGIN { while (i++ < 10000) {
			print "<title>a (1 x, 100%)</title><rect x=\"1\"",
			    "y=\"1\" width=\"0\"/>"
			print "<!-- <g id=\"frames\"<!-- <g id=\"frames\""
		} }'
		echo '<rect x="'
	} > hostile
	timeout 60 stackcollapse-svg hostile > out 2> err || [ -s err ]
	awk 'BEGIN {
		print "<svg><g id=\"frames\">"
		print "<title>all (9 x, 100%)</title><rect y=\"0\" width=\"1\"/>"
		for (; i < 50000; i++)
			printf "<title>n (1 x, 0%%)</title><rect x=\"0\" y=\"%d\"/>\n", i % 5000
	}' > hostile
	timeout 60 stackcollapse-svg hostile > out 2> err || [ -s err ]
}

# same COMMAND...: whether a picture of the test's profile folds to it.
same() {
	profile > expected
	"$@" expected > out.svg 2> err
	stackcollapse-svg out.svg | diff expected -
}

@test "pictures of flamegraph.pl and inferno, where they are, fold to their profile" {
	[ -n "${FLAMEGRAPH_PL-}" ] || command -v inferno-flamegraph > /dev/null ||
		skip 'install inferno, or name the folder of flamegraph.pl in FLAMEGRAPH_PL'
	if [ -n "${FLAMEGRAPH_PL-}" ]; then
		same perl "$FLAMEGRAPH_PL/flamegraph.pl" --minwidth=0
		same perl "$FLAMEGRAPH_PL/flamegraph.pl" --minwidth=0 \
			--inverted --width=5000 --countname='x (y)'
	fi
	if command -v inferno-flamegraph > /dev/null; then
		same inferno-flamegraph --minwidth=0
		same inferno-flamegraph --minwidth=0 --inverted --width=600
	fi
}
