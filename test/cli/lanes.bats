load ../helper

# Flame charts with a lane for each thread.

# frames OPTION...: NAME X Y WIDTH of each frame, in pixels that are counts, of
# a picture whose axis is 100 long, and the counts of what is not drawn
frames() {
	flamegraph --lanes --width=120 --minwidth=0 "$@" 2> /dev/null > frames
	sed -n 's/^<g[^>]*><title>\(.*\) (\([0-9]*\) .*<rect x="\([^"]*\)" y="\([^"]*\)" width="\([^"]*\)".*/\1 \3 \4 \5/p' \
		frames
	undrawn < frames | sed 's/\(.*\) \(.*\) .*\t\(.*\)/\3 \2 hidden/'
}

# Three threads: the second begins at 10, and the third has lines at two places.
threads() {
	printf '%s\n' 'a;f;g 30' 'a;f 5' 'a 15' 'a;f 50' \
		'c 20' 'c;f 10' 'b 10' 'b;h 20' 'b 40' 'b;h;i 30' 'c;f 10'
}

@test "each thread has a lane, on one axis of its own time" {
	threads | frames | is 4<<-'END'
	all 10 209 100
	a 10 95 100
	f 10 79 35
	g 10 63 30
	f 60 79 50
	b 20 149 90
	h 20 133 20
	h 80 133 30
	i 80 117 30
	c 30 187 20
	f 30 171 20
	END
	# lines of one thread are neighbours, wherever they are in the input
	threads | sed '$!d; s/.*/c;x 1/' | cat <(threads) - | frames |
		grep -A9 '^c ' | cut -d' ' -f1,2,4 |
		are_lines 'c 30 21' 'f 30 20' 'x 50 1'
}

@test "inverted lanes hang from their names" {
	threads | frames --inverted | is 4<<-'END'
	all 10 62 100
	a 10 85 100
	f 10 101 35
	g 10 117 30
	f 60 101 50
	b 20 139 90
	h 20 155 20
	h 80 155 30
	i 80 171 30
	c 30 193 20
	f 30 209 20
	END
}

@test "a thread's name alone is a gap, and counts nothing" {
	threads | flamegraph --lanes | grep -o '<title>[^<]*' |
		grep -e all -e '>[abc] ' | is 4<<-'END'
	<title>all (155 samples, 100%)
	<title>a (85 samples, 54.84%)
	<title>b (50 samples, 32.26%)
	<title>c (20 samples, 12.90%)
	END
	# all that a thread does not do is not drawn
	printf 'idle 50\na;f 10\n' | flamegraph --lanes 2> /dev/null > out.svg
	! grep idle out.svg || false
	# a stack without a count is in its lane, and a thread of these is none
	printf '%s\n' 'a;f 30' 'a 70' 'a;g 0' 'b 200' 'b;h 0' 'a;f 0' | frames |
		is 4<<-'END'
	all 10 101 100
	a 10 79 100
	f 10 63 30
	g 0 hidden
	f 0 hidden
	END
	printf 'a 10\n;; 5\n' | fails 1 flamegraph --lanes 2>&1 > out.svg |
		has 'no thread has a stack; a line with only'
}

@test "the axis of lanes is as long as the longest one, or as --total says" {
	ticks() {
		flamegraph --lanes --axis=s --width=300 "$@" 2> /dev/null |
			sed -n 's/.*<text.*>\(.* s\)<.*/\1/p' | tail -n 1
	}
	[ "$(threads | ticks)" = '100 s' ]
	[ "$(threads | ticks --total=300)" = '300 s' ]
	# which is no part of the sums
	threads | flamegraph --lanes --total=250 |
		has '<title>all (155 samples, 100%)'
	threads | ticks --total=50 2>&1 | has '^100 s'
}

@test "rows are for wide frames, and narrow ones appear in a zoom" {
	# 1200 counts are as wide as 1180 pixels: one of 1 is narrower
	printf '%s\n' 'a;f 1000' 'a;f;g;h 1' 'a;f 199' 'b;f 1' |
		flamegraph --lanes --minwidth=0 2> /dev/null > out.svg
	grep -o ' data-rows="[^"]*"' out.svg | is_line ' data-rows="2 1"'
	grep -c '^<g' out.svg | is_line 5
	undrawn < out.svg | cut -f 2 | are_lines g h f
	# in the curve all are: g and h are in f, and the second f has no other
	grep -o '<path d="[^"]*' out.svg | is 4<<-'END'
	<path d="M10 94V79H1190V94
	<path d="M10 116V101.2H11V116
	END
}

@test "of more than 50 lanes 49 are shown, and a row for the others" {
	many() {
		awk -v n="$1" 'BEGIN {
			for (i = 1; i <= n; i++)
				print "t" i ";f", 1000 - i
		}'
	}
	many 50 | flamegraph --lanes > out.svg
	grep -c '^<g data-lane' out.svg | is_line 50
	! grep 'id="others"' out.svg || false
	many 60 | flamegraph --lanes > out.svg
	color=$(grep -o -m 1 'fill="[^"]*"/><text[^>]*>f<' out.svg |
		cut -d '"' -f 2)
	# 60 numbers from 940 to 999, of which 11 are 940 to 950
	grep -o 'id="others".*' out.svg | sed 's/.*>\(.*\)<.*/\1/' |
		is_line '▸ others: 11 lanes, 17.87%'
	grep -o '^<[a-z]* data-lane="[^"]*"><title>t[0-9]*' out.svg |
		sed 's/ .*>/ /' > lanes
	head -n 49 lanes | diff - <(seq -f '<g t%.0f' 49)
	[ "$(wc -l < lanes)" -eq 49 ]
	# each with the frame on it
	undrawn < out.svg | cut -d ' ' -f 2- | tr '\t' ' ' |
		diff - <(for i in $(seq 50 60); do
			echo "$((1000 - i)) #808080 t$i"
			echo "$((1000 - i)) $color f"
		done)
	# with attributes, too
	seq -f 't%.0f	class=x' 60 > attributes
	many 60 | flamegraph --lanes --nameattr attributes |
		grep -c 'class="x" display="none"' | is_line 11
}

@test "lanes are what a flame chart is, and need threads" {
	threads | flamegraph --lanes | has '>Flame Chart<'
	# with a sign, if they can be folded
	threads | flamegraph --lanes | has '>▾ a</text>'
	threads | flamegraph --lanes --encoding=latin1 | has '>&#x25BE; a</text>'
	threads | flamegraph --lanes --no-javascript | has '>a</text>'
	threads | flamegraph --lanes --flamechart | cmp - \
		<(threads | flamegraph --lanes)
	fails 2 flamegraph --lanes --reverse /dev/null
	# other pictures have nothing of it
	threads | flamegraph --flamechart > out.svg
	! grep -e data-lane -e 'folded: ' out.svg || false
}

@test "a picture of lanes folds to the stacks in it" {
	threads | grep ';' | stackcollapse-perf > expected
	for option in --inverted --no-javascript --width=auto --height=20; do
		threads | flamegraph --lanes --minwidth=0 $option |
			stackcollapse-svg | diff - expected
	done
	# rows that are not shown, and lanes
	awk 'BEGIN {
		for (i = 1; i <= 60; i++)
			print "t" i ";f;g", 2000 - i "\nt" i ";f;g;h;i;j", 1
	}' > in
	flamegraph --lanes --minwidth=0 in | stackcollapse-svg |
		diff - <(LC_ALL=C sort in)
}
