load ../helper

# Flame charts of samples: the order of time, gaps, and an axis.

# sample COMM TID MICROSECONDS NAME...: one of 10 ms, from the innermost frame
sample() {
	local comm=$1 tid=$2 us=$3 name
	shift 3
	printf '%s %s/%s [000] %d.%06d: 10000000 cpu-clock:\n' "$comm" 40 \
		"$tid" $((us / 1000000)) $((us % 1000000))
	for name; do
		printf '\t401136 %s+0x1 (/bin/x)\n' "$name"
	done
	echo
}

# Two threads that take turns; the first one rests for 3.2 s.
threads() {
	sample make 41 1000000 read main
	sample cc 42 1005000 parse main
	sample make 41 1010000 read main
	sample make 41 1020000 main
	sample cc 42 1015000 parse main
	sample make 41 4230000 main
	sample make 41 4240000 read main
	sample cc 42 4250000 emit main
}

@test "--in-order keeps the order of time, thread by thread" {
	threads | stackcollapse-perf --in-order | is 4<<-'END'
	make-40/41;main;read 20000000
	make-40/41;main 20000000
	make-40/41;main;read 10000000
	cc-40/42;main;parse 20000000
	cc-40/42;main;emit 10000000
	END
}

@test "--gaps shows time without samples as the root alone" {
	# make: 4.23 - 1.02 - 0.01; cc: 4.25 - 1.015 - 0.01
	threads | stackcollapse-perf --in-order --gaps=100 | is 4<<-'END'
	make-40/41;main;read 20000000
	make-40/41;main 10000000
	make-40/41 3200000000
	make-40/41;main 10000000
	make-40/41;main;read 10000000
	cc-40/42 5000000
	cc-40/42;main;parse 20000000
	cc-40/42 3225000000
	cc-40/42;main;emit 10000000
	END
	# longer than that, not as long; the first one of a thread is exact
	threads | stackcollapse-perf --in-order --gaps=3200 |
		grep -v ';' | diff - <(printf 'cc-40/42 %s\n' 5000000 3225000000)
}

@test "with --gaps all threads share the clock of the first sample" {
	# b begins at 1.5 - 0.99 s; its second gap of 3 ms is shown with the
	# first, 6 ms in all, so that c is at its time, 1.536 - 0.01 s
	{
		sample a 1 1000000 f
		sample b 2 1510000 f
		sample b 2 1523000 f
		sample b 2 1536000 g
		sample a 1 1010000 f
	} > in
	stackcollapse-perf --in-order --gaps=5 in | is 4<<-'END'
	a-40/1;f 20000000
	b-40/2 510000000
	b-40/2;f 20000000
	b-40/2 6000000
	b-40/2;g 10000000
	END
	# a thread that is found first may begin later
	{
		sample late 3 2000000 f
		sample early 4 1000000 f
	} | stackcollapse-perf --in-order --gaps=5 | grep -v ';' |
		is_line 'late-40/3 1000000000'
	# samples that overlap all count
	{
		sample a 1 1000000 f
		sample a 1 1004000 g
		sample a 1 1040000 f
	} | stackcollapse-perf --in-order --gaps=5 | diff - <(printf \
		'a-40/1%s\n' ';f 10000000' ';g 10000000' ' 20000000' \
		';f 10000000')
	# the range of --time is the clock's, with its begin: b is there from
	# 1.5 s on, and again from 1.516 on, when the second sample is left out
	stackcollapse-perf --in-order --gaps=0 --time=1.2,1.515 in |
		diff - <(printf 'b-40/2%s\n' ' 300000000' ';f 10000000')
}

@test "parts in order stay in order, and too large sums are reported" {
	# neighbours that add up to more than 2^64 - 1 are told
	printf 'a;b 18446744073709551615\nc 1\na;b 1\n' |
		stackcollapse-perf --in-order 2> err |
		diff - <(printf 'a;b 18446744073709551615\nc 1\n')
	grep -q 'a count is larger than 2^64 - 1' err
	printf 'a;b 18446744073709551614\na;b 1\n' |
		stackcollapse-perf --in-order 2> err |
		is_line 'a;b 18446744073709551615'
	diff /dev/null err
	# parts that are in order stay so when they are put together
	threads | stackcollapse-perf --in-order > all
	sed -n '1,2p;4p' all > first
	sed -n '3p;5p' all > second
	stackcollapse-perf --in-order first second | diff - all
	# neighbours of a thread are merged, whatever is between them
	printf 'a;b 1\nc;d 2\na;b 4\n' | stackcollapse-perf --in-order |
		diff - <(printf 'a;b 5\nc;d 2\n')
}

@test "--gaps needs clocks, times and --in-order" {
	threads | sed 's/cpu-clock/cycles/' > cycles
	stackcollapse-perf --in-order cycles | grep -c . | is_line 5
	fails 1 stackcollapse-perf --in-order --gaps=10 cycles 2> err
	grep -q 'periods of cycles are not times' err
	printf 'cc 42 cpu-clock: \n\t401136 main+0x1 (/bin/x)\n\n' |
		fails 1 stackcollapse-perf --in-order --gaps=10 2>&1 |
		has 'samples without a time'
	fails 2 stackcollapse-perf --gaps=10 cycles
	fails 2 stackcollapse-perf --in-order --gaps=-1 cycles
	# a time stamp's nanoseconds count
	{
		sample a 1 1000000 f
		sample a 1 2000000 g
	} | sed 's/ 1.000000:/ 1.000000999:/; s/ 2.000000:/ 2.000000001:/' |
		stackcollapse-perf --in-order --gaps=1 | sed -n 2p |
		is_line 'a-40/1 989999002'
}

# chart OPTION...: a flame chart of 3.2 s
chart() {
	printf '%s\n' 'a;b 250000000' 'a;c;d 1000000000' 'a 700000000' \
		'a;b 1250000000' | flamegraph --flamechart "$@"
}

# ticks: the labels of the axis
ticks() {
	sed -n '/<g id="axis"/,/<\/g>/s/.*<text.*>\(.*\)<\/text>/\1/p'
}

@test "a flame chart of time has an axis, and no other picture" {
	for unit in --countname=ns --axis=ns '--countname=us --factor=0.001'; do
		chart $unit --width=300 | ticks | are_lines 0 '1 s' '2 s' '3 s'
	done
	chart --countname=ns | ticks | sed -n '2p;$p' |
		are_lines '0.2 s' '3.2 s'
	printf 'a 45\n' | flamegraph --flamechart --axis=ms --width=300 2> err |
		ticks | are_lines 0 '20 ms' '40 ms'
	# "10 s" is 23.6 pixels wide, of which 10 are beside the frames
	printf 'a 10000\n' | flamegraph --flamechart --countname=ms |
		sed -n 's/.*<text x="\([0-9.]*\)".* class="end">/\1 /p' |
		is_line '1190 10 s</text>'
	# where ticks are: 10 pixels, and 1 of 3.2 seconds of 280
	chart --axis=ns --width=300 |
		sed -n 's/^<line x1="\([0-9.]*\)".*/\1/p' |
		are_lines 10 97.5 185 272.5
	# half a second of 3.2 in 98 % of the width, after 1 %
	chart --axis=ns --width=auto |
		sed -n 's/^<line x1="\([0-9.]*%\)".*/\1/p' |
		diff - <(printf '%s%%\n' 1 16.31 31.62 46.94 62.25 77.56 92.88)
	# no more than 1,000: 3.2 s in steps of 5 ms
	for size in 0.0001 1e-300; do
		chart --axis=ns --fontsize=$size | ticks | sed -n '$=;$p' |
			are_lines 641 '3.200 s'
	done
	{
		chart
		chart --countname=samples
		printf 'a 700\n' | flamegraph --countname=ns
	} | ticks | diff /dev/null -
	fails 2 flamegraph --axis=ns /dev/null
	fails 2 flamegraph --flamechart --axis=hours /dev/null
}
