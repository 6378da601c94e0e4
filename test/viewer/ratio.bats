# flamegraph --delta=ratio: two events' counts, and their ratio against that of
# the whole, in the file and in a browser.
load ../helper
load browser

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# of all it is 1; f has 4,000 and 5,500 in both places
	cat > folded <<-'END'
	x;f 1000 4000
	x;g 2000 500
	y;f 3000 1500
	END
}

# draw OPTION...: a picture of these counts.
draw() {
	flamegraph --delta=ratio --countname=cycles,instructions "$@" folded
}

# frames: name and color of each frame, as they are printed.
frames() {
	sed -n 's/.*<title>\([^ ]*\).*<rect [^>]* fill="\([^"]*\)".*/\1 \2/p'
}

@test "the color is the logarithm of a ratio to the total's, full at half and twice" {
	draw | frames | are_lines 'all #fff' 'x #5757ff' \
		'f #00f' 'g #f00' 'y #f00' 'f #f00'
	# log2(3000 / 4500) is -0.585, and 210 * (1 - 0.585) is 87.2
	draw --negate | frames | are_lines 'all #fff' \
		'x #ff5757' 'f #f00' 'g #00f' 'y #00f' 'f #00f'
	# of 300 and 100, whose ratio is 3: that of b is 3 * 2 ** 0.5
	printf '%s\n' 'a 150 64.64' 'b 150 35.36' > folded
	draw | frames | has '^b #ff6969$'
}

@test "frames are as wide as the first count, and titles tell both and the ratio" {
	draw > picture.svg
	grep -o '<title>.*</title>' picture.svg | sed 1d | is 4<<-'END'
	<title>all (6,000 cycles, 100%; 6,000 instructions; ratio 1)</title>
	<title>x (3,000 cycles, 50.00%; 4,500 instructions; ratio 0.667)</title>
	<title>f (1,000 cycles, 16.67%; 4,000 instructions; ratio 0.25)</title>
	<title>g (2,000 cycles, 33.33%; 500 instructions; ratio 4)</title>
	<title>y (3,000 cycles, 50.00%; 1,500 instructions; ratio 2)</title>
	<title>f (3,000 cycles, 50.00%; 1,500 instructions; ratio 2)</title>
	END
	draw --widths=after --factor=2 |
		has '<title>g (1,000 instructions, 8.33%; 4,000 cycles; ratio 4)<'
	draw --no-javascript | has -F "ratio 0.667)&#10;cycles 3,000, instructions \
4,500, ratio 0.667, 0.667 times the whole's</title>"
	xmllint --noout picture.svg
}

@test "a frame with one of the counts, or none, says so" {
	printf '%s\n' 'a 5 0' 'b 0 7' 'c 0 0' 'd 7 7' > folded
	draw --widths=after --minwidth=0 > picture.svg
	grep -o '>[b-d] (.*)<' picture.svg | are_lines \
		'>b (7 instructions, 50.00%; 0 cycles; ratio 0)<' \
		'>d (7 instructions, 50.00%; 7 cycles; ratio 1)<'
	draw --minwidth=0 | has '>a (5 cycles, 41.67%; 0 instructions; ratio infinite)<'
	frames < picture.svg | grep '^b' | is_line 'b #00f'
	undrawn < picture.svg | diff - <(printf '%b\n' '1 0 #f00;\ta' \
		'2 0 #fff;\tc')
	# one event alone has no ratio
	printf '%s\n' 'a 5 0' > folded
	draw | has '>a (5 cycles, 100.00%; 0 instructions; ratio infinite)<'
}

@test "the legend has the total's ratio, half and twice" {
	draw > picture.svg
	sed -n '/id="legend"/,/<.text>/s/.*<.tspan> //p' picture.svg |
		are_lines '0.5 or less' 0.707 \
		'1, cycles/instructions of all' 1.41 '2 or more'
	flamegraph --delta=ratio folded | has '</tspan> 1, samples/samples of all'
	flamegraph --delta=ratio --countname='<,&"' folded > odd.svg
	xmllint --noout odd.svg
	has '(1,000 &lt;, 16.67%; 4,000 &amp;"; ratio 0.25)' odd.svg
}

@test "options that need no ratio are refused" {
	fails 2 draw --noise=2 > out 2> err
	has '^flamegraph: --noise cannot be combined with --delta=ratio' err
	for widths in sum change; do
		fails 2 draw --widths=$widths > out 2> err
		has '^flamegraph: option --widths: with --delta=ratio, only ' err
	done
	fails 2 draw --countname=a,b,c > out 2> err
	has '^flamegraph: option --countname: "a,b,c" is more than two ' err
	echo 'a 5' | fails 1 flamegraph --delta=ratio > out 2> err
	has ': --delta, --widths and --noise need lines with two counts' err
}

@test "stackcollapse-svg reads both counts of ratios" {
	local widths script
	for widths in before after; do
		for script in '' --no-javascript; do
			draw --widths=$widths $script | stackcollapse-svg |
				diff - folded
		done
	done
}

@test "merged frames add both counts up, and have the color of their ratio" {
	[ -n "$chromium" ] || skip 'install chromium and python3'
	draw > picture.svg
	holds picture.svg <<-'JS'
	const frames = () => seen().map(({ rect, title }) => title.split("\n")[0]
	    .replace(/\(([\d,]*) cycles.*; ([\d,]*) instr.*/, "$1 $2 ") +
	    getComputedStyle(rect).fill).join("\n");
	check(hover("x"), "x · self 0 · total 3,000 cycles · 50.00% · cycles 3,000, instructions 4,500, ratio 0.667, 0.667 times the whole's");
	click("x");
	check(frames(), `
	all 6,000 6,000 rgb(255, 255, 255)
	x 3,000 4,500 rgb(87, 87, 255)
	f 1,000 4,000 rgb(0, 0, 255)
	g 2,000 500 rgb(255, 0, 0)`);
	key("Escape");
	key("r");
	check(frames(), `
	all 6,000 6,000 rgb(255, 255, 255)
	f 4,000 5,500 rgb(113, 113, 255)
	g 2,000 500 rgb(255, 0, 0)
	x 1,000 4,000 rgb(0, 0, 255)
	y 3,000 1,500 rgb(255, 0, 0)
	x 2,000 500 rgb(255, 0, 0)`);
	check(frame("f").title.split("\n")[0],
	    "f (4,000 cycles, 66.67%; 5,500 instructions; ratio 0.727)");
	check(hover("f"), "f · self 0 · total 4,000 cycles · 66.67% · cycles 4,000, instructions 5,500, ratio 0.727, 0.727 times the whole's · in 2 places: self 4,000, total 4,000, 66.67%");
	key("r");
	hover("f");
	key("c");
	check(frames(), `
	x 1,000 4,000 rgb(0, 0, 255)
	y 3,000 1,500 rgb(255, 0, 0)
	f 4,000 5,500 rgb(113, 113, 255)`);
	check(saved(), "x;f 1000 4000\ny;f 3000 1500");
	JS
}
