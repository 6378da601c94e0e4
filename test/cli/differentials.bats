load ../helper
load ../viewer/browser

# Two counts a line: what flamegraph tells of a change, and when it is chance.

# frames [OPTION...]: name, width, colour and what is told of each frame of `in`
frames() {
	flamegraph --minwidth=0 "$@" in 2> err > out.svg || return
	sed -n 's/^<g data-change="\([^"]*\)"><title>\(.*\) (.*)<\/title><rect x="[^"]*" y="[^"]*" width="\([^"]*\)".* fill="\([^"]*\)"\/>.*/\2|\3|\4|\1/p' \
		out.svg
}

# 30 before and 30 after; b has doubled, c is gone and d is new.
four() {
	printf '%s\n' 'a 10 10' 'a;b 5 10' 'a;c 15 0' 'a;d 0 10' > in
}

@test "two counts are shown before and after, and as change in points and per cent" {
	four
	frames | cut -d'|' -f4 | is 4<<-'END'
	before 30, after 30, +0, +0.00 points, +0.00%
	before 30, after 30, +0, +0.00 points, +0.00%; self before 10, after 10, +0, +0.00 points, +0.00%
	before 5, after 10, +5, +16.67 points, +100.00%; self the same
	before 0, after 10, +10, +33.33 points, new; self the same
	END
}

@test "points compare shares of different totals; --factor scales the counts shown" {
	printf 'a;b 10 20\na;c 30 20\n' > in
	frames --factor=100 | cut -d'|' -f1,4 | is 4<<-'END'
	all|before 4,000, after 4,000, +0, +0.00 points, +0.00%
	a|before 4,000, after 4,000, +0, +0.00 points, +0.00%
	b|before 1,000, after 2,000, +1,000, +25.00 points, +100.00%; self the same
	c|before 3,000, after 2,000, -1,000, -25.00 points, -33.33%; self the same
	END
	printf 'a;b 10 20\na;c 30 60\n' > in
	frames | sed -n 's/^b.*|//p' |
		is_line 'before 10, after 20, +10, +0.00 points, +100.00%; self the same'
}

@test "--widths makes frames as wide as the count that it names" {
	four
	widths() {
		frames --widths="$1" | awk -F'|' '{ printf "%s %s ", $1, $2 }
			END { print "" }'
	}
	widths after | is_line 'all 1180 a 1180 b 393.4 d 393.3 '
	widths before | is_line 'all 1180 a 1180 b 196.7 c 590 '
	# of 60
	widths sum | is_line 'all 1180 a 1180 b 295 c 295 d 196.7 '
	# of 5 + 15 + 10
	widths change | is_line 'all 1180 a 1180 b 196.7 c 590 d 393.3 '
	frames --widths=change > /dev/null
	grep -q '<title>c (15 samples, 50.00%; -50.00%)</title>' out.svg
}

@test "changes of fractional counts are exact" {
	printf 'a;b 0.5 1.25\na;c 2 1.25\n' > in
	frames | sed -n 's/^b.*|//p' | is_line 'before 0.5, after 1.25,' \
		'+0.75, +30.00 points, +150.00%; self the same'
}

@test "lines of one count are the same before and after, whatever frames are as wide as" {
	printf 'a 6\na;b 5 1\n' > in
	while read -r widths count; do
		flamegraph --widths="$widths" in 2> err |
			has -F "<title>a ($count samples, 100.00%" || return
	done <<-'END'
	before 11
	after 7
	sum 18
	change 4
	END
	flamegraph --widths=sum in 2> err | has -F 'before 11, after 7, -4'
}

@test "frames in one profile only have their own colors, listed in the legend" {
	four
	frames --widths=sum | grep -v '^[ab]' | cut -d'|' -f1,3 |
		are_lines 'c|#8c50d2' 'd|#f5a000'
	tr '\n' ' ' < out.svg | has -F 'fill="#f5a000">■</tspan> new'
	tr '\n' ' ' < out.svg | has -F 'fill="#8c50d2">■</tspan> gone'
	frames --widths=sum --negate | grep '^[cd]' | cut -d'|' -f1,3 |
		are_lines 'c|#f5a000' 'd|#8c50d2'
	# only those that there are
	flamegraph --widths=before in > out.svg 2> err
	! tr '\n' ' ' < out.svg | has -F '</tspan> new' || false
	# where frames that are gone cannot be seen, nothing is new, but more
	frames | grep '^d' | cut -d'|' -f3 | is_line '#ff4646'
}

@test "--delta=total colors the change of all that is in a frame" {
	printf '%s\n' 'a 9 9' 'a;b;c 0 20' 'a;e 20 10' > in
	frames | cut -d'|' -f1,3 | are_lines 'all|#fff' 'a|#fff' \
		'b|#fff' 'c|#f00' 'e|#6969ff'
	# a: 10 of 20, the largest except the root's
	frames --delta=total | cut -d'|' -f1,3 | are_lines \
		'all|#ff6969' 'a|#ff6969' 'b|#f00' 'c|#f00' 'e|#6969ff'
	grep -q '<title>a (39 samples, 100.00%; +25.64%)' out.svg
	# the root's may be many times the largest of the others
	for line in 'a 0 20' ' 0 1000000000000000'; do
		printf '%s\n' "$line" 'b 0 20' 'c 0 20' > in
		frames --delta=total | grep '^all' | cut -d'|' -f3 |
			is_line '#f00'
		frames --delta=total --negate | grep '^all' |
			cut -d'|' -f3 | is_line '#00f'
		frames --delta=total --colors=colorblind | grep '^all' |
			cut -d'|' -f3 | is_line '#eb7d19'
	done
}

@test "--noise makes changes gray that are chance" {
	# 100 of 200 to 120 of 220, as counts: 20 of sqrt(220), or 1.35
	printf '%s\n' 'a;b 100 120' 'a;c 99 70' 'a;d 1 30' > in
	frames --noise=2 | grep '^[bcd]' | sed 's/; self.*//; s/|.*, /|/' |
		are_lines 'b|1.3 sigma' 'c|2.2 sigma' 'd|5.2 sigma'
	frames --noise=2 | grep '^[bcd]' | grep -c '#cdcdcd|' | diff - <(echo 1)
	frames --noise=3 | grep '^[bcd]' | grep -c '#cdcdcd|' | diff - <(echo 2)
	tr '\n' ' ' < out.svg | has -F 'fill="#cdcdcd">■</tspan> less than 3 sigma'
	# what has not changed at all is the same
	printf '%s\n' 'a;b 100 100' 'a;c 100 90' > in
	frames --noise=2 |
		grep '^[bc]' | cut -d'|' -f3 | are_lines '#fff' '#cdcdcd'
}

@test "with equal totals, chance is computed from shares" {
	# 60 and 80 of 100 each: 20 / sqrt(140 * 0.3)
	printf '%s\n' 'a;b 60 80' 'a;c 39 19' 'a;d 1 1' > in
	frames --noise=1 | grep '^b' | has '3.1 sigma; self'
	# one sample more, and counts are counts: 20 / sqrt(140)
	printf 'a;e 0 1\n' >> in
	frames --noise=1 | grep '^b' | has '1.7 sigma; self'
}

@test "the count per sample is found for periods and for scaled counts" {
	printf '%s\n' 'a;b 100 120' 'a;c 99 70' 'a;d 1 30' > one
	awk '{ print $1, $2 * 10101010, $3 * 10101010 }' one > in
	frames --noise=2 | grep '^[bcd]' | sed 's/; self.*//; s/|.*, /|/' |
		are_lines 'b|1.3 sigma' 'c|2.2 sigma' 'd|5.2 sigma'
	# each profile its own, where there are stacks enough to tell it
	awk 'BEGIN { for (i = 1; i < 40; i++) print "a;f" i, 3 * i, 7 * i }' > in
	frames --noise=2 | grep '^f39' | has -F '156, +0.00'
	# (273 - 117) / sqrt(7 * 117 + 3 * 273)
	frames --noise=2 | grep '^f39' | has -F '3.9 sigma'
	# 30 of 100 samples, scaled by 10.5, and 280 of 1050: (315 - 280) /
	# sqrt((315 + 10.5 * 280) * (1 - 595 / 2100)) = 0.72
	printf 'a;b 30\na;c 69\na;d 1\n' > before
	printf 'a;b 280\na;c 769\na;d 1\n' > after
	difffolded -nf before after > in
	frames --noise=2 | grep '^b' |
		has -F -e '-35, -3.33 points, -11.11%, 0.7 sigma'
}

@test "--noise needs a number of samples, or a factor" {
	printf '%s\n' 'a;b 1234567 1334561' 'a;c 998877 887766' > in
	fails 1 flamegraph --noise=2 in 2> err > out
	diff out /dev/null
	grep -q -e '--noise: the counts are periods' err
	# of about 100,000 each: 1.1 million in 11 samples
	frames --noise=2 --factor=1e-5 | grep '^b' | has ' 0.2 sigma'
	printf 'a;b 12\n' | fails 1 flamegraph --noise=2 2>&1 |
		has 'need lines with two counts'
	printf 'a;b 12\n' | fails 1 flamegraph --widths=sum 2>&1 |
		has 'need lines with two counts'
	fails 2 flamegraph --noise=-1 in
	fails 2 flamegraph --widths=both in
	printf 'a;b 12 12\n' | fails 1 flamegraph --widths=change 2> err > out
	is_line 'flamegraph: no stack has changed' < err
	fails 2 flamegraph --delta=none in
}

@test "difffolded -nf keeps the stacks that -n loses" {
	printf 'a;b 1\na;c 999\n' > before
	printf 'a;b 1\na;c 99\n' > after
	difffolded -n before after | diff - <(printf 'a;b 0 1\na;c 99 99\n')
	difffolded -n -f before after |
		diff - <(printf 'a;b 0.1 1\na;c 99.9 99\n')
	difffolded -nf after before |
		diff - <(printf 'a;b 10 1\na;c 990 999\n')
	fails 2 difffolded -f before after 2> err
	grep -q 'difffolded: -f needs -n' err
}

@test "a picture without a viewer has all details in its tooltips" {
	four
	printf 'b\tg_extra=data-change="x"\n' > attributes
	flamegraph --nameattr=attributes in 2> err > out.svg
	# which is not set twice
	grep -c '^<g .*data-change' out.svg | is_line 4
	flamegraph --no-javascript in 2> err | has -F \
		'<title>b (10 samples, 33.33%; +16.67%)&#10;before 5, after 10, +5, +16.67 points, +100.00%; self the same</title>'
}

@test "merged frames know which changes are chance" {
	[ -n "$chromium" ] || skip 'install chromium'
	# b: 100 to 120 of unlike totals, 1.3 sigma; d: 1 to 30, 5.2
	printf '%s\n' 'a;x;b 60 70' 'a;y;b 40 50' 'a;x;c 99 70' 'a;y;d 1 30' > in
	for option in --noise=2 --widths=change; do
		flamegraph --noise=2 $option in > picture.svg
		in_browser picture.svg <<-'JS'
		const fills = (...names) => say(names.map(name =>
		    getComputedStyle(frame(name).rect).fill ===
		    "rgb(205, 205, 205)" ? "gray" : "colored").join(" "));
		key("r");
		fills("b", "c", "d");
		key("r");
		hover("b");
		key("c");
		fills("b");
		JS
	done > said
	# of shares: 60 and 80 of 100 each are 3.1 sigma, as counts 1.7
	printf '%s\n' 'a;x;b 60 80' 'a;x;c 39 19' 'a;y;d 1 1' > in
	flamegraph --noise=2.5 in > picture.svg
	in_browser picture.svg >> said <<-'JS'
	key("r");
	say(getComputedStyle(frame("b").rect).fill);
	JS
	diff - said <<-'END'
	gray colored colored
	gray
	gray colored colored
	gray
	rgb(255, 0, 0)
	END
}

# Of b itself nothing has changed, of all on it 10 of 12.
@test "views that merge frames color the change that --delta says" {
	[ -n "$chromium" ] || skip 'install chromium'
	printf '%s\n' 'a;x 9 9' 'a;x;b;b 1 1' 'a;x;b;c 1 11' 'a;e 20 8' > in
	for delta in self total; do
		flamegraph --delta=$delta in > picture.svg
		in_browser picture.svg <<-'JS'
		hover("x");
		key("h");
		say(getComputedStyle(frame("b").rect).fill + " " +
		    frame("b").title);
		JS
	done > said
	diff - said <<-'END'
	rgb(255, 255, 255) b (12 samples, 41.38%; 0.00%)
	rgb(255, 35, 35) b (12 samples, 41.38%; +34.48%)
	END
}

# Of 15.4 counts e has changed by 15: floor(210 * 0.4 / 15.4).  A sample counts
# 0.1 before and 1 after: c's change is sqrt(15.4) sigma, d's 10 / sqrt(0.1 * 10),
# e's 15 / sqrt(5 + 0.1 * 20).
@test "merged frames of one profile only have its color" {
	[ -n "$chromium" ] || skip 'install chromium'
	printf '%s\n' 'a 9 9' 'a;x;c 0.1 0' 'a;y;c 15.3 0' 'a;x;d 0 10' \
	    'a;y;e 5 20' > in
	while read -r options; do
		flamegraph --minwidth=0 $options in > picture.svg
		in_browser picture.svg <<-'JS'
		key("r");
		say(["c", "d", "e"].map(name => frame(name) ?
		    getComputedStyle(frame(name).rect).fill : "none")
		    .join(" "));
		JS
	done > said <<-'END'
	--widths=sum
	--widths=change --negate
	--widths=change --noise=4 --factor=1
	--widths=before
	--widths=sum --colors=colorblind
	END
	diff - said <<-'END'
	rgb(140, 80, 210) rgb(245, 160, 0) rgb(255, 5, 5)
	rgb(245, 160, 0) rgb(140, 80, 210) rgb(5, 5, 255)
	rgb(205, 205, 205) rgb(245, 160, 0) rgb(255, 5, 5)
	rgb(140, 80, 210) none rgb(255, 5, 5)
	rgb(30, 70, 140) rgb(250, 220, 50) rgb(235, 128, 30)
	END
}
