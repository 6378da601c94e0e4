load ../helper

# events EVENT...: a trace of events in pid 1, "PHASE TID TS DUR NAME"; a dash
# is left out.
events() {
	printf '%s\n' "$@" | awk '
	function put(key, value) {
		if (value != "-")
			printf ",\"%s\":%s", key, value
	}
	BEGIN { printf "{\"traceEvents\":[" }
	{
		printf "%s{\"pid\":1", (NR > 1 ? "," : "")
		put("ph", "\"" $1 "\"")
		put("tid", $2)
		put("ts", $3)
		put("dur", $4)
		sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "")
		if ($0 != "-")
			put("name", "\"" $0 "\"")
		print "}"
	}
	END { print "]}" }'
}

@test "events count their own microseconds, exactly, in any order" {
	# events count their own microseconds, in any order
	events 'X 7 0 10 inner' 'X 7 0 100 outer' 'X 7 20 30 inner' \
		'X 7 25 5 leaf' 'X 7 100 1 outer' > in
	stackcollapse-trace in | are_lines \
		'pid 1;tid 7;outer 61' 'pid 1;tid 7;outer;inner 35' \
		'pid 1;tid 7;outer;inner;leaf 5'
	# fractions of microseconds are added up before they are rounded
	events 'X 7 0.2 0.4 a' 'X 7 1.2 0.4 a' 'X 7 2 0.4 a' 'X 7 3 0.4 b' |
		stackcollapse-trace | is_line 'pid 1;tid 7;a 1'
	# times are exact in nanoseconds since 1970, and may be texts
	events 'X 7 1700000000000000.250 0.600 b' \
		'X 7 "1700000000000000.85" "9.15" c' \
		'X 7 1700000000000000.25 9.750 a' 'X 7 1.7e15 1e1 main' |
		stackcollapse-trace 2> err | are_lines \
		'pid 1;tid 7;main;a;b 1' 'pid 1;tid 7;main;a;c 9'
	diff err /dev/null
	# of events with the same times, the later one is the outer one
	events 'X 7 0 10 leaf' 'X 7 0 10 parse' 'X 7 0 10 main' 'B 8 0 - a' \
		'B 8 0 - b' 'E 8 5 - b' 'E 8 5 - a' | stackcollapse-trace |
		are_lines 'pid 1;tid 7;main;parse;leaf 10' \
		'pid 1;tid 8;a;b 5'
}

@test "beginnings and ends are pairs, within each other, of one thread" {
	events 'B 7 0 - a' 'B 8 1 - z' 'B 7 10 - b' 'X 7 12 3 x' 'E 7 30 - b' \
		'E 8 5 - z' 'E 7 50 - -' |
		stackcollapse-trace | are_lines \
		'pid 1;tid 7;a 30' 'pid 1;tid 7;a;b 17' 'pid 1;tid 7;a;b;x 3' \
		'pid 1;tid 8;z 4'
	# beginnings and ends without the other are told
	events 'E 7 5 - early' 'B 7 10 - a' 'B 7 20 - lost' 'E 7 40 - a' \
		'E 7 41 - a' 'B 7 50 - open' 'X 7 60 10 x' |
		fails 1 stackcollapse-trace 2> err | are_lines \
		'pid 1;tid 7;a 10' 'pid 1;tid 7;a;lost 20' \
		'pid 1;tid 7;open 10' 'pid 1;tid 7;open;x 10'
	diff err - <<-'END'
	stackcollapse-trace: begin events without an end, ended with their parent or thread: 2
	stackcollapse-trace: end events without a beginning, left out: 2
	END
}

@test "events that outlast their parent are cut, and reported" {
	events 'X 7 0 40 Task' 'X 7 10 20 Parse' 'X 7 20 30 Style' |
		stackcollapse-trace 2> err | are_lines \
		'pid 1;tid 7;Task 20' 'pid 1;tid 7;Task;Parse 10' \
		'pid 1;tid 7;Task;Parse;Style 10'
	is_line 'stackcollapse-trace: events that outlast their' \
		'parent, cut at its end: 1' < err
	# as times are rounded
	events 'X 7 0 40 Task' 'X 7 10 31 Parse' |
		stackcollapse-trace 2>&1 | are_lines \
		'pid 1;tid 7;Task 10' 'pid 1;tid 7;Task;Parse 30'
}

@test "other events, and events without a time, are left out" {
	events 'b 7 0 10 async' 'C 7 0 - counter' 'i 7 3 - instant' \
		'X 7 - 10 timeless' 'X 7 5 - endless' 'X 7 1e300 5 late' \
		'X 7 5 -3 negative' 'X 7 5 0 nothing' 'X 7 7 1 a' |
		fails 1 stackcollapse-trace 2> err | is_line 'pid 1;tid 7;a 1'
	is_line 'stackcollapse-trace: events or samples without a' \
		'time, left out: 4' < err
}

@test "names of processes and threads may come last, and ids be texts" {
	cat > in <<-'END'
	[{"ph":"X","pid":"p","tid":"t","ts":0,"dur":5,"name":"a"},
	{"ph":"X","pid":"p","tid":9,"ts":0,"dur":5,"name":"a"},
	{"ph":"X","pid":"q","tid":9,"ts":0,"dur":5,"name":"a"},
	{"ph":"M","pid":"p","tid":9,"name":"thread_name","args":{"name":"nine"}},
	{"ph":"M","pid":"p","name":"process_name","args":{"name":"shop"}}]
	END
	stackcollapse-trace in | are_lines 'pid q;tid 9;a 5' \
		'shop;nine;a 5' 'shop;tid t;a 5'
	stackcollapse-trace --pid --tid in | are_lines \
		'pid q;tid 9;a 5' 'shop-p;nine-9;a 5' 'shop-p;tid t;a 5'
}

@test "an array need not end, as programs write it while they run" {
	printf '[{"ph":"X","pid":1,"tid":7,"ts":0,"dur":5,"name":"a"}' > one
	echo 'pid 1;tid 7;a 5' > want
	for end in '' ',' ',
	' ']'; do
		printf '%s%s' "$(cat one)" "$end" | stackcollapse-trace 2>&1 |
			diff - want
	done
	printf '%s,{"ph":"X","pid":1,"ti' "$(cat one)" |
		fails 1 stackcollapse-trace 2> err | diff - want
	is_line 'stackcollapse-trace: the input ends inside a trace' \
		'event, which is left out' < err
}

@test "names keep to their frame" {
	events 'X 7 0 5 a;b\nc' 'X 7 10 5 -' | stackcollapse-trace |
		are_lines 'pid 1;tid 7;(unnamed) 5' \
			'pid 1;tid 7;a:b_c 5'
	printf '%s\n' '[{"ph":"M","pid":1,"name":"process_name","args":{"name":"a\nb"}},
	{"ph":"X","pid":1,"tid":7,"ts":0,"dur":5,"name":"c"}]' |
		stackcollapse-trace | is_line 'a_b;tid 7;c 5'
}

@test "clang's details are added, and its summaries left out" {
	cat > in <<-'END'
	{"traceEvents":[
	{"pid":1,"tid":1,"ph":"X","ts":0,"dur":9,"name":"Source",
	"args":{"detail":"/usr/include/a.h"}},
	{"pid":1,"tid":2,"ph":"X","ts":0,"dur":9,"name":"Total Source",
	"args":{"count":1,"avg ms":0}}]}
	END
	stackcollapse-trace in | is_line 'pid 1;tid 1;Source 9'
	stackcollapse-trace --detail in |
		is_line 'pid 1;tid 1;Source /usr/include/a.h 9'
}

@test "each frame of a trace of clang has the total that clang writes" {
	command -v clang > /dev/null || skip 'install clang'
	echo 'int main(int argc, char **argv) { return argv[argc] != 0; }' > a.c
	clang -O1 -ftime-trace -ftime-trace-granularity=0 -c a.c ||
		skip 'this clang has no -ftime-trace'
	stackcollapse-trace a.json | foldedtop --tsv > ours
	# an event may be 1 us off, as clang rounds both of its ends
	tr '{' '\n' < a.json | awk -F '[\t"]' '
	FILENAME == "ours" { total[$6] = $3; next }
	sub(/^Total /, "", $16) { time = substr($13, 2); name = $16; next }
	name != "" { off = total[name] - time; most = substr($3, 2) + 0
		if (off < -most || off > most) print name, off
		name = ""; n++ }
	END { if (n < 20) print n }' ours - | diff /dev/null -
}

# A profile of V8 in pieces, the first of which the events have in any order.
v8_trace() {
	cat <<-'END'
	{"traceEvents":[
	{"args":{"data":{"cpuProfile":{"nodes":[
	{"callFrame":{"functionName":"(root)","scriptId":0},"id":1},
	{"callFrame":{"functionName":"a","url":"http://x/y.js","lineNumber":4},
	"id":2,"parent":1}],"samples":[2,1]},"timeDeltas":[10,20]}},
	"id":"0x1","name":"ProfileChunk","ph":"P","pid":5,"tid":9,"ts":3},
	{"args":{"data":{"startTime":100}},"id":"0x1","name":"Profile",
	"ph":"P","pid":5,"tid":5,"ts":2},
	{"args":{"data":{"cpuProfile":{"nodes":[
	{"callFrame":{"functionName":"b"},"id":3,"parent":2}],
	"samples":[3,2]},"timeDeltas":[30,40],"endTime":205}},
	"id":"0x1","name":"ProfileChunk","ph":"P","pid":5,"tid":9,"ts":4},
	{"ph":"X","pid":5,"tid":5,"ts":0,"dur":5,"name":"RunTask"},
	{"ph":"M","pid":5,"tid":5,"name":"thread_name","args":{"name":"JS"}}
	]}
	END
}

@test "samples of V8 are folded instead of events, unless these are wanted" {
	v8_trace > in
	stackcollapse-trace in 2> err | are_lines \
		'pid 5;JS;(root) 30' 'pid 5;JS;a 25' 'pid 5;JS;a;b 40'
	is_line 'stackcollapse-trace: events beside samples, left' \
		'out; --events folds them instead: 1' < err
	stackcollapse-trace --lines in 2> err | grep -q '^pid 5;JS;a:y.js:5;b 40'
	stackcollapse-trace --events in | is_line 'pid 5;JS;RunTask 5'
}

@test "samples of Hermes are folded, thread by thread" {
	cat > in <<-'END'
	{"traceEvents":[{"ph":"M","pid":5,"tid":"7","name":"thread_name",
	"args":{"name":"mqt_js"}}],"samples":[
	{"cpu":"-1","name":"","ts":"100","pid":5,"tid":"7","weight":"1","sf":2},
	{"ts":"130","pid":5,"tid":"7","sf":3},{"ts":"900","pid":5,"tid":8,"sf":1},
	{"ts":"150","pid":5,"tid":"7","sf":"2"},{"ts":"904","pid":5,"tid":8,"sf":1}],
	"stackFrames":{"3":{"name":"f","parent":2},"2":{"name":"g","parent":"1"},
	"1":{"name":"[root]","category":"root"}}}
	END
	stackcollapse-trace in 2>&1 | are_lines \
		'pid 5;mqt_js;[root];g 55' 'pid 5;mqt_js;[root];g;f 20' \
		'pid 5;tid 8;[root] 8'
}

@test "damage is reported" {
	echo '{"a":[1]}' > other
	v8_trace | sed 's/"id":3/"id":2/' > twice
	fails 1 stackcollapse-trace other twice 2>&1 |
		diff - <(echo 'stackcollapse-trace: other: it is not a trace' \
			"in Chrome's format, but other JSON"
		echo 'stackcollapse-trace: twice: it is damaged: two nodes' \
			'have the same number')
}

# 50,000 slices within each other, of which the innermost has the time, then as
# many ends that are not known.
@test "deep and odd traces take no more time than their length" {
	awk 'BEGIN {
		print "[{}"
		for (i = 0; i < 100000; i++)
			printf ",{\"ph\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d," \
				"\"name\":\"%s%d\"}\n", i < 50000 ? "B" : "E", \
				i < 50000 ? 0 : i, i < 50000 ? "a" : "z", i % 100
	}' > deep
	fails 1 timeout 60 "$BIN"/stackcollapse-trace deep 2> err > /dev/null
	has 'end events without a beginning, left out: 50000' < err
}

@test "--in-order keeps the order of time, from the start of the trace" {
	events 'X 7 110 20 a' 'X 7 112 5 b' 'X 7 117 5 c' 'X 7 124 6 b' \
		'X 7 140.2 3.6 a' 'X 7 150 0 a' 'B 9 100 - a' 'E 9 104.6 - -' \
		'X 9 109.4 9 a' 'X 9 119 1 a' 'X 8 300 1 a' |
		stackcollapse-trace --in-order | is 4<<-'END'
		1/9;a 5
		1/9 4
		1/9;a 9
		1/9 1
		1/9;a 1
		1/7 10
		1/7;a 2
		1/7;a;b 5
		1/7;a;c 5
		1/7;a 2
		1/7;a;b 6
		1/7 10
		1/7;a 4
		1/8 200
		1/8;a 1
		END
}

@test "--in-order of samples of V8, whose threads share a clock" {
	profile() {
		echo "{\"ph\":\"P\",\"name\":\"Profile\",\"id\":\"$1\",\"pid\":5,
		\"tid\":$1,\"ts\":1,\"args\":{\"data\":{\"startTime\":$2}}},
		{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"id\":\"$1\",\"pid\":5,
		\"tid\":9,\"ts\":2,\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[
		{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}},
		{\"id\":2,\"callFrame\":{\"functionName\":\"f\"},\"parent\":1}],
		\"samples\":[2,1,2]},\"timeDeltas\":[$3],\"endTime\":200}}}"
	}
	echo "[$(profile 6 130 '0,10,20'),$(profile 7 100 '5,10,20')]" |
		stackcollapse-trace --in-order | is 4<<-'END'
		5/6 30
		5/6;f 10
		5/6 20
		5/6;f 40
		5/7 5
		5/7;f 10
		5/7 20
		5/7;f 65
		END
}
