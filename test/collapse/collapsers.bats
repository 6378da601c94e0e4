load ../helper

# What all programs of collapse/ have in common, except stackcollapse.  Each has
# a profile in data/collapse, which begins with its name and holds some stacks.
# $ONCE is a folder with what each makes of it.

setup_file() {
	export PROGRAMS ONCE=$BATS_FILE_TMPDIR/once
	PROGRAMS=$(collapsers | grep -e -)
	mkdir "$ONCE"
	each folds 2> "$BATS_FILE_TMPDIR/err"
}

folds() {
	"$1" "$2" > "$ONCE/$1"
}

# each FUNCTION: calls it for each program, with its profile.
each() {
	local program profile
	for program in $PROGRAMS; do
		profile=("$DATA/collapse/${program#*-}"*)
		"$1" "$program" "${profile[0]}" || return
	done
}

# of_all LINE...: the lines, in which @ is a program, for each program.
of_all() {
	local program
	for program in $PROGRAMS; do
		printf '%s\n' "${@//@/$program}"
	done
}

@test "a profile folds without a message, in byte order" {
	diff "$BATS_FILE_TMPDIR/err" /dev/null
	[ "$(find "$ONCE" -size +0 | wc -l)" -eq 20 ]
	awk '!/ [1-9][0-9]*$/ || FNR > 1 && $0 < line { print FILENAME, $0 }
	{ line = $0 }' "$ONCE"/* | diff - /dev/null
}

folds_twice() {
	"$1" --quiet < "$2" > "quiet/$1" && "$1" - "$2" < "$2" > "twice/$1"
}

# sums FOLDER: the sum of each file's counts.
sums() {
	(cd "$1" && awk '{ sum[FILENAME] += $NF }
	END { for (file in sum) print file, sum[file] }' ./*) | sort
}

@test "standard input is read without operands and for -; operands add up" {
	mkdir quiet twice
	each folds_twice
	diff -r quiet "$ONCE"
	sums twice > expected
	sums "$ONCE" | awk '{ print $1, 2 * $2 }' | diff - expected
}

folds_cr() {
	! grep -qI '' "$2" || {
		{ printf '\357\273\277' && sed 's/$/\r/' "$2"; } > text
		"$1" text | cmp - "$ONCE/$1"
	}
}

@test "text may begin with a byte order mark, and its lines end in CR LF" {
	each folds_cr
}

folds_among_others() {
	fails 1 "$1" missing "$2" text binary > "out/$1" 2>> err
}

@test "a file that is missing or no profile is reported, and the rest is read" {
	mkdir out
	printf 'some\nlog\n' > text
	head -c 4096 "$BIN/stackcollapse" > binary
	each folds_among_others
	diff -r out "$ONCE"
	sed -n -e 's/\(: missing: No such file or directory\)$/\1/p' \
		-e 's/\(: text:\) .*/\1/p' -e 's/\(: binary:\) .*/\1/p' err |
		sort | diff - <(of_all '@: binary:' \
			'@: missing: No such file or directory' '@: text:')
}

rejects() {
	"$1" < /dev/null >> out 2>> warnings && fails 1 "$1" < text >> out 2>> err
}

@test "other text is an error of one line, empty input a warning" {
	printf 'some\nlog\nof\nsomething\n' > text
	: > out
	each rejects
	diff out /dev/null
	sed 's/\(: standard input\).*/\1/' err |
		diff - <(of_all '@: standard input')
	diff warnings <(of_all '@: the input is empty')
}

needs_room() {
	fails 1 "$1" "$2" > /dev/full 2>> err
}

@test "a full disk is an error" {
	[ -e /dev/full ] || skip 'no /dev/full'
	each needs_room
	sed 's/: .*:/:/' err | diff - <(of_all '@: No space left on device')
}

takes_options() {
	local usage
	"$1" --help > help 2>> err &&
		read -r usage < help &&
		[[ $usage == "usage: $1 "*'[file ...] > out.folded' ]] &&
		fails 2 "$1" --frames >> out 2>> errors
}

@test "--help prints what it should, unknown options are errors" {
	each takes_options
	diff err /dev/null
	diff out /dev/null
	diff errors <(of_all '@: unknown option: --frames' "Try '@ --help'.")
}

# A profile that lost its last quarter, where SIZE and LINE are its end.  What the
# others say follows from where each cut is: in a stack, a row, or the table of
# callgrind without totals.  GHC's rows with ticks are all before it.
@test "a profile that is cut off is reported" {
	while IFS='|' read -r name size message; do
		profile=("$DATA/collapse/$name"*)
		head -c "$size" "${profile[0]}" > part
		message=${message/LINE/$(($(wc -l < part) + 1))}
		echo "stackcollapse-$name: ${message/SIZE/$size}" >> expected
		fails 1 "stackcollapse-$name" part > out 2>> err ||
			echo "$name"
	done <<-'END' > failed
	bpftrace|256|the input ends inside a stack, which is left out
	callgrind|1000|part: it ends without its totals; it may be cut off
	cprofile|209|part: it ends inside a profile
	cpuprofile|749|part: it is damaged at byte SIZE: it ends too early
	firefox|384|part: its compressed data is cut short
	gdb|1500|the input ends inside a stack, which is left out
	ghcprof|2556|damaged lines, left out: 1; the first is line LINE of part
	heap|412|damaged lines, left out: 1
	jstack|5523|the input ends inside a thread, which is left out
	otlp|129|part: it is damaged: a message is cut short, or refers to a missing one
	pprof|720|part: its compressed data is cut short
	recursive|94|damaged lines, left out: 1; the first is line LINE of part
	sample|937|the input ends inside a call graph, which is left out
	speedscope|490|part: it is damaged at byte SIZE: it ends too early
	stap|393|the input ends inside a stack, which is left out
	svg|993|part: it is cut off: it has no </svg>
	trace|585|part: it is damaged at byte SIZE: it ends too early
	vtune|190|damaged lines, left out: 1; the first is line LINE of part
	xctrace|771|the input ends inside a row, which is left out
	END
	diff failed /dev/null
	diff err expected
}

@test "a file that ends inside a stack does not go on in the next one" {
	printf ' a+0x1\n' > part
	printf ' b+0x1\n2\n' > whole
	fails 1 stackcollapse-stap part whole 2> err | is_line 'b 2'
	is_line 'stackcollapse-stap: part ends inside a stack, which' \
		'is left out' < err
	printf 'a 1 1.5: cycles:\n\t1 main (/bin/a)\n' > part
	fails 1 stackcollapse-perf part part 2>&1 | has -x \
		'stackcollapse-perf: part ends inside a sample, which is left out'
}

@test "a profile without any sample is an error" {
	echo '[{"ph":"X","pid":1,"tid":1,"ts":{},"dur":5,"name":"a"}]' |
		fails 1 stackcollapse-trace 2> err | diff - /dev/null
	has 'without a time, left out: 1' < err
	echo '{"nodes":[{"id":1}]}' | fails 1 stackcollapse-cpuprofile 2>&1 |
		is_line 'stackcollapse-cpuprofile: the profile has no' \
		'samples'
}

# Each is given to the program of the profile before it.
@test "text of another profiler is named, and the program that folds it" {
	before=cprofile
	while IFS=: read -r name is; do
		fails 1 "stackcollapse-$before" "$DATA/collapse/$name" \
			> out 2>> err
		echo "$is, which stackcollapse-$name folds" >> expected
		before=$name
	done <<-'END'
	bpftrace:maps of bpftrace
	callgrind:a profile of callgrind
	gdb:backtraces of gdb
	ghcprof:a profile of GHC
	heap:a profile of jemalloc or gperftools
	jstack:dumps of jstack
	sample:a call graph of sample
	stap:stacks of SystemTap
	vtune:a call tree of VTune
	xctrace:samples of xctrace
	END
	sed -n 's/.*looks like //p' err | diff - expected
}

@test "JSON within JSON without end is refused" {
	head -c 100000 /dev/zero | tr '\0' '[' > deep
	while read -r name begin; do
		echo "$begin" | cat - deep | fails 1 "stackcollapse-$name" \
			> out 2>> err
		echo "stackcollapse-$name: standard input: its arrays and" \
			"objects are too deep" >> expected
	done <<-'END'
	cpuprofile {"nodes":
	firefox {"meta":{"version":1},"x":
	ghcprof {"cost_centres":[],"x":
	speedscope {"shared":{"frames":[]},"x":
	trace {"traceEvents":
	END
	sed 's/it is damaged at byte 4[0-9]*: //' err | diff - expected
}
