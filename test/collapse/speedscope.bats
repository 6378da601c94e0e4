load ../helper

# file FRAMES PROFILE...: a file of these.
file() {
	local frames=$1 profiles=$2
	shift 2
	while [ $# -gt 0 ]; do
		profiles=$profiles,$1
		shift
	done
	echo "{\"shared\":{\"frames\":[$frames]},\"profiles\":[$profiles]}"
}

abc='{"name":"a"},{"name":"b"},{"name":"c"}'

@test "samples have their weights, and events the time until the next one" {
	file "$abc" '{"type":"sampled","unit":"bytes","samples":[[0],[0,1],[0]],
		"weights":[1,20,300]}' |
		stackcollapse-speedscope | are_lines 'a 301' 'a;b 20'
	file "$abc" '{"type":"evented","unit":"none","events":[
		{"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":12},
		{"type":"O","frame":1,"at":17},{"type":"C","frame":1,"at":18},
		{"type":"C","frame":1,"at":30},{"type":"C","frame":0,"at":31},
		{"type":"O","frame":2,"at":90},{"type":"C","frame":2,"at":99}]}' |
		stackcollapse-speedscope | are_lines \
		'a 3' 'a;b 17' 'a;b;b 1' 'c 9'
}

@test "profiles may come in any order, and names keep to their frame" {
	# profiles may come before the frames, and weights before the samples
	cat > in <<-'END'
	{"profiles":[{"weights":[2,5],"samples":[[1,0],[1]],"unit":"none"}],
	"shared":{"frames":[{"name":"a"},{"name":"b"}]}}
	END
	stackcollapse-speedscope in | are_lines 'b 5' 'b;a 2'
	# each of several profiles has its name as a root
	file "$abc" '{"name":"x;y","samples":[[0]],"weights":[2]}' \
		'{"name":"z","samples":[[0],[1]],"weights":[3,4]}' |
		stackcollapse-speedscope | are_lines 'x:y;a 2' 'z;a 3' 'z;b 4'
	# --lines adds file and line
	stackcollapse-speedscope --lines "$DATA/collapse/speedscope" |
		grep -q '^Thread 1;main:shop.py:30;total:shop.py:12;price 20000'
	# names keep to their frame, and are not taken for counts
	file '{"name":"a;b\nc"},{"name":"Task 12"},{"name":"Worker 3"},{}' \
		'{"samples":[[0],[2,1],[3]],"weights":[1,2,3]}' |
		stackcollapse-speedscope | are_lines \
		'(unnamed) 3' 'Worker 3;Task_12 2' 'a:b_c 1'
}

@test "times are in one unit, and other counts are not added to them" {
	sample() {
		echo "{\"name\":\"p\",\"unit\":\"$1\",\"samples\":[[0]],\"weights\":[$2]}"
	}
	file "$abc" "$(sample seconds 2)" "$(sample milliseconds 0.5)" \
		"$(sample microseconds 3)" "$(sample nanoseconds 4000)" |
		stackcollapse-speedscope | is_line 'p;a 2000507'
	file "$abc" "$(sample nanoseconds 7)" "$(sample microseconds 1)" \
		"$(sample bytes 3)" "$(sample none 3)" |
		fails 1 stackcollapse-speedscope 2> err | is_line 'p;a 1007'
	is_line 'stackcollapse-speedscope: samples or events with' \
		'another unit than the first, left out: 2' < err
}

@test "the output of folded2speedscope folds to the same stacks" {
	stackcollapse-perf --all "$DATA/demo.perf" > all
	for option in --countname=ns --countname=bytes --flamechart; do
		folded2speedscope $option all |
			stackcollapse-speedscope | cmp - all || echo "$option"
	done > failed 2>&1
	diff /dev/null failed
	printf '%s\n' 'a-1/1;x;y 10' 'a-1/1;x 5' 'a-1/1 7' 'a-1/1;x;y 3' \
		'b-1/2;z 4' > chart
	folded2speedscope --flamechart --threads chart |
		stackcollapse-speedscope --in-order | diff chart -
}

@test "frames not opened or not closed are reported" {
	file "$abc" '{"type":"evented","endValue":50,"events":[
		{"type":"C","frame":0,"at":1},{"type":"O","frame":0,"at":10},
		{"type":"O","frame":1,"at":20},{"type":"C","frame":0,"at":30},
		{"type":"O","frame":2,"at":40},{"type":"O","frame":1,"at":35}]}' |
		stackcollapse-speedscope 2> err |
		are_lines 'a 10' 'a;b 10' 'c;b 10'
	diff err - <<-'END'
	stackcollapse-speedscope: close events without an open one, ignored: 1
	stackcollapse-speedscope: open events that are never closed, ended with their parent: 3
	stackcollapse-speedscope: events without a time, or earlier than the one before, given its time: 1
	END
}

@test "negative, missing, extra and too large weights are reported" {
	while IFS='|' read -r samples weights message; do
		file "$abc" "{\"samples\":$samples,\"weights\":$weights}" |
			fails 1 stackcollapse-speedscope 2> err | is_line 'a 1'
		printf 'stackcollapse-speedscope: %b\n' "$message" | diff err -
	done <<-'END'
	[[0],[1],[2],[0]]|[1,-1,0]|samples with a negative weight, left out: 1\nstackcollapse-speedscope: samples without a weight, left out: 1
	[[0]]|[1,2,3]|weights without a sample, left out: 2
	END
	file "$abc" '{"samples":[[0]],"weights":[2e19]}' |
		stackcollapse-speedscope 2> err |
		is_line 'a 18446744073709551615'
	has 'a count is larger than 2^64 - 1' < err
}

# refused REASON: the reason with which standard input is refused.
refused() {
	fails 1 stackcollapse-speedscope 2>&1 |
		is_line "stackcollapse-speedscope: standard input: $1"
}

@test "damage is reported" {
	for frame in 3 -1 1e300 null '"a"'; do
		file "$abc" "{\"samples\":[[0,$frame]],\"weights\":[1]}" |
			refused 'it is damaged: a stack refers to a missing frame'
	done
	echo '{"shared":{}}' |
		refused 'it is not a file of speedscope, but other JSON'
	file "$abc" '{"samples":[[0]]' > in
	refused "it is damaged at byte $(($(wc -c < in) - 3)): it is not JSON" \
		< in
}

@test "--in-order keeps the order of time, of each profile" {
	file "$abc" '{"type":"evented","name":"x","unit":"milliseconds",
		"startValue":1,"endValue":9,"events":[
		{"type":"O","frame":0,"at":3},{"type":"O","frame":1,"at":4},
		{"type":"C","frame":1,"at":5},{"type":"C","frame":0,"at":6},
		{"type":"O","frame":0,"at":8},{"type":"C","frame":0,"at":9}]}' \
		'{"type":"sampled","name":"y","unit":"microseconds",
		"startValue":2000,"samples":[[0],[],[0,1],[0,1],[2],[0]],
		"weights":[20,30,40,5,-1,6]}' |
		fails 1 stackcollapse-speedscope --in-order 2> err |
		is 4<<-'END'
		x 2000
		x;a 1000
		x;a;b 1000
		x;a 1000
		x 2000
		x;a 1000
		y 1000
		y;a 20
		y 30
		y;a;b 45
		y;a 6
		END
	has 'negative weight, left out: 1' < err
}

@test "times since 1970 are exact to the nanosecond" {
	at=1700000000000000
	file "$abc" "{\"type\":\"evented\",\"name\":\"x\",\"unit\":\"nanoseconds\",
		\"startValue\":${at}001,\"endValue\":${at}099,\"events\":[
		{\"type\":\"O\",\"frame\":0,\"at\":${at}001},
		{\"type\":\"O\",\"frame\":1,\"at\":\"${at}004\"},
		{\"type\":\"C\",\"frame\":1,\"at\":${at}009},
		{\"type\":\"C\",\"frame\":0,\"at\":${at}010}]}" \
		"{\"name\":\"y\",\"unit\":\"microseconds\",
		\"startValue\":$at.02,\"samples\":[[2]],\"weights\":[0.002]}" > in
	stackcollapse-speedscope in | are_lines 'x;a 4' 'x;a;b 5' 'y;c 2'
	stackcollapse-speedscope --in-order in | are_lines \
		'x;a 3' 'x;a;b 5' 'x;a 1' 'y 19' 'y;c 2'
}
