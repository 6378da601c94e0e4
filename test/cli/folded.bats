load ../helper

# drawn FILE [OPTION...]: the tooltips, without complaints
drawn() {
	flamegraph --countname=x "${@:2}" "$DATA/$1.folded" 2> err > out.svg
	diff err /dev/null >&2
	sed -n 's/^<g><title>\(.*\)<\/title>.*/\1/p' out.svg
}

@test "formats of py-spy, Austin, async-profiler and tracing-flame are drawn" {
	# py-spy's raw format is drawn
	drawn py-spy | is 4<<-'END'
	all (100 x, 100%)
	process 7:"python app.py" (100 x, 100.00%)
	&lt;module&gt; (app.py:12) (72 x, 72.00%)
	work (app.py:5) (42 x, 42.00%)
	work (app.py:6) (30 x, 30.00%)
	&lt;listcomp&gt; (app.py:6) (30 x, 30.00%)
	thread (0x7F21A8C1E6C0) (28 x, 28.00%)
	run (threading.py:975) (28 x, 28.00%)
	poll (app.py:20) (28 x, 28.00%)
	END
	# Austin's format is drawn, and its comments are read over
	flamegraph --countname=us "$DATA/austin.folded" > out.svg 2> err
	is_line 'Ignored 2 lines with invalid format' < err
	grep -q '<title>P7 (300,636 us, 100.00%)' out.svg
	grep -q '<title>app.py:work:5 (100,217 us, 33.33%)' out.svg
	! grep -q 'duration' out.svg || false
	# async-profiler's collapsed format is drawn, kinds in their colors
	drawn async-profiler --colors=java > titles
	grep -qx 'App.hash (60 x, 60.00%)' titles
	grep -qx 'vfs_write (21 x, 21.00%)' titles
	grep -qx 'VMThread::run (19 x, 19.00%)' titles
	# tracing-flame's format is drawn in the order of time
	drawn tracing-flame --flamechart | is 4<<-'END'
	all (100,000 x, 100%)
	ThreadId(1)-main (100,000 x, 100.00%)
	 app::load (54,211 x, 54.21%)
	 app::parse (48,211 x, 48.21%)
	 app::load (44,289 x, 44.29%)
	 app::parse (289 x, 0.29%)
	END
}

# is_one_count STACK COUNT: whether a line of folded text comes that those who
# read it take for this stack and one count.
is_one_count() {
	cat > folded
	is_line "$1 $2" < folded &&
		flamegraph folded |
			has "<title>${1##*;} ($2 samples, 100.00%)</title>" &&
		foldedtop --tsv --match="^${1##*;}\$" folded |
			diff - <(printf '%s\t' self self_percent total \
				total_percent stacks && echo function
			printf '%s\t' "$2" 100 "$2" 100 1 &&
				echo "${1##*;}")
}

@test "a name that ends in a number is no count where a stack ends with it" {
	printf 'app 7 1.5: 5 cycles:\n\t12 RegExp:a 12 (/tmp/perf-7.map)\n\n' |
		stackcollapse-perf | is_one_count 'app;RegExp:a_12' 5
	printf '\n              x`a 12+0x4\n              x`main+0x5\n    5\n\n' |
		stackcollapse-dtrace | is_one_count 'x`main;x`a_12' 5
	printf ' 0x1 : a 12+0xb/0x10 [x]\n 0x2 : main+0x1/0x10 [x]\n\t5\n' |
		stackcollapse-stap | is_one_count 'main;a_12' 5
	printf '@[\n    a 12+3\n    main+33\n]: 5\n' |
		stackcollapse-bpftrace --no-offsets | is_one_count 'main;a_12' 5
	printf '@[, bash, 12]: 5\n@[\n    a\n, bash, 13]: 5\n' |
		stackcollapse-bpftrace | are_lines \
		'bash, 13;a 5' 'bash,_12 5'
	printf '%s\n' 'Function Stack,CPU Time:Self' main,0 ' a 12,0.005' |
		stackcollapse-vtune | is_one_count 'main;a_12' 5
	printf '%s\n' 'Call graph:' '    5 main  (in x) + 1' \
		'    + 5 a 12  (in x) + 2' 'Total number' |
		stackcollapse-sample --no-modules | is_one_count 'main;a_12' 5
	printf '%s\n' 'events: Ir' 'fn=main' '1 0' 'cfn=a 12' 'calls=1 1' '1 5' \
		'fn=a 12' '1 5' | stackcollapse-callgrind |
		is_one_count 'main;a_12' 5
	printf '%s\n' '<?xml version="1.0"?><trace-query-result><row><backtrace>' \
		'<frame name="a 12"/></backtrace></row></trace-query-result>' |
		stackcollapse-xctrace | is_one_count a_12 1
	printf '%s\n' '--- symbol' binary=x '0x1ff a 12' '0x2ff main' --- \
		'--- heap' 'heap profile: 1: 5 [0: 0] @ heapprofile' \
		'1: 5 [0: 0] @ 0x200 0x300' |
		stackcollapse-heap | is_one_count 'main;a_12' 5
	echo '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},
	"children":[2]},{"id":2,"callFrame":{"functionName":"a 12"}}],
	"startTime":0,"endTime":5,"samples":[2],"timeDeltas":[0]}' |
		stackcollapse-cpuprofile | is_one_count a_12 5
	echo '[{"ph":"X","pid":1,"tid":2,"ts":0,"dur":5,"name":"a 12 3."}]' |
		stackcollapse-trace | is_one_count 'pid 1;tid 2;a_12_3.' 5
}

@test "the same holds for binary profiles" {
	command -v python3 > /dev/null || skip 'install python3'
	echo 'x/1 y/2;main;a 12 5' | "$TOP/test/collapse/fxprof" 58 |
		stackcollapse-firefox | is_one_count 'x;y;main;a_12' 5
	echo '{"sample_type": [{"type": "n", "unit": "count"}],
	"sample": [{"location_id": [1], "value": [5]}],
	"location": [{"id": 1, "line": [{"function_id": 1}]}],
	"function": [{"id": 1, "name": "a 12"}]}' |
		"$TOP/test/collapse/pprof" | stackcollapse-pprof |
		is_one_count a_12 5
	python3 -c 'import marshal, sys
sys.stdout.buffer.write(marshal.dumps(
    {("~", 0, "a 12"): (1, 1, 0.000005, 0.000005, {})}))' |
		stackcollapse-cprofile | is_one_count a_12 5
}

@test "the same holds for the name of a thread without a stack" {
	# the name of a thread is one, too, where it has no stack
	echo '{"shared":{"frames":[{"name":"a"}]},"profiles":[
	{"type":"sampled","name":"Worker 12","unit":"microseconds",
	"startValue":1,"samples":[[0],[],[0]],"weights":[5,6,7]}]}' > in
	stackcollapse-speedscope in | is_line 'a 12'
	stackcollapse-speedscope --in-order in | are_lines \
		'Worker_12;a 5' 'Worker_12 6' 'Worker_12;a 7'
	# As the originals, whose lines are read right there.
	# elsewhere in a stack a name that ends in a number stays
	printf '%s\n' '"Worker 12" #9 prio=5' \
		'   java.lang.Thread.State: RUNNABLE' '	at a(A.java:1)' '' |
		stackcollapse-jstack | is_line 'Worker 12;a 1'
	printf '%s\n\t%s\n\t%s\n\n' 'app 7 1.5: 5 cycles:' '12 read (/x/libc.so)' \
		'13 RegExp:a 12 (/tmp/perf-7.map)' |
		stackcollapse-perf | is_line 'app;RegExp:a 12;read 5'
}

@test "the unit of a clock's periods and of waits reaches all tools" {
	stackcollapse-perf "$DATA/recording/spin.data" 2> err > folded
	[ "$(sed -n 1p folded)" = '# unit: ns' ]
	stackcollapse-perf --no-unit "$DATA/recording/spin.data" 2> err |
		diff <(sed 1d folded) -
	count=$(awk '{ sum += $NF } END { print sum }' folded)
	# two have it, and what adds up and compares passes it on
	stackcollapse-perf folded folded | stackcollapse-recursive > twice
	difffolded twice folded > differences
	for file in twice differences; do
		[ "$(sed -n 1p $file)" = '# unit: ns' ]
	done
	flamegraph differences > picture
	grep -q '<title>all (.* ns, 100%' picture
	flamegraph --countname=ticks folded > picture
	grep -q '<title>all (.* ticks, 100%' picture
	foldedtop --json folded | has -F "\"total\":$count,\"unit\":\"ns\""
	foldedtop folded | has ' ns in '
	folded2speedscope folded | has '"unit":"nanoseconds"'
	# units that differ are none
	printf '# unit: ns\na 1000\n# unit: bytes\na 1000\n' |
		flamegraph > picture
	grep -q '<title>all (2,000 samples, 100%' picture
	# the original prints none of text, but has no waits
	stackcollapse-perf "$DATA/demo.perf" | sed -n 1p | has -v '^#'
}
