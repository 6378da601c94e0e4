load ../helper

# program_of PROFILE: the program that folds a profile of the test data.
program_of() {
	local name=${1##*/}
	case $1 in
	"$DATA"/collapse/recursive)
		echo stackcollapse-perf ;;	# it is folded
	"$DATA"/collapse/*)
		echo "stackcollapse-${name%%.*}" ;;
	*.dtrace)
		echo stackcollapse-dtrace ;;
	*)
		echo stackcollapse-perf ;;
	esac
}

@test "each profile is folded by its program, from files and pipes" {
	for profile in "$DATA"/collapse/* "$DATA"/*.perf "$DATA"/*.dtrace \
	    "$DATA"/*.folded "$DATA"/recording/spin.{data,pipe}; do
		"$(program_of "$profile")" "$profile" > expected 2> err
		[ -s expected ] || echo "$profile: nothing"
		stackcollapse "$profile" 2> err | cmp - expected ||
			echo "$profile"
		cat "$profile" | stackcollapse 2> err | cmp - expected ||
			echo "$profile, a pipe"
	done > failed 2>&1
	diff /dev/null failed
}

@test "operands and options are the program's" {
	cp "$DATA/collapse/gdb" ./--quiet
	stackcollapse-gdb -- --quiet > expected
	while read -r line; do
		sh -c "$line" < ./--quiet | cmp - expected || echo "$line"
	done <<-'END' > failed 2>&1
	stackcollapse
	stackcollapse -
	stackcollapse --quiet -
	stackcollapse -- --quiet
	mkfifo pipe; cat ./--quiet > pipe & stackcollapse pipe
	END
	diff /dev/null failed
	stackcollapse --no-offsets "$DATA/collapse/bpftrace" |
		cmp - <(stackcollapse-bpftrace --no-offsets \
			"$DATA/collapse/bpftrace")
	stackcollapse --help ./--quiet 2> err |
		has -x 'usage: stackcollapse .*'
	stackcollapse --version 2>> err | has '^stackcollapse [0-9]'
	[ ! -s err ]
}

@test "kinds of JSON and of messages that look alike are told apart" {
	for name in firefox pprof; do
		gzip -dc "$DATA/collapse/$name" > plain
		stackcollapse < plain |
			cmp - <(stackcollapse-$name "$DATA/collapse/$name")
	done
	echo '[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a"}]' > array
	stackcollapse array | cmp - <(stackcollapse-trace array)
	# of libraries alone, it is the Firefox profiler's to reject
	echo '{"libs":[],"threads":[]}' > libs
	fails 1 stackcollapse libs 2>&1 |
		is_line 'stackcollapse-firefox: libs: it is not a profile' \
			'of the Firefox profiler, but other JSON'
	# fields of a message, of which a profile has fewer
	printf '\200\001\000\200\001\000' > fields
	fails 1 stackcollapse fields 2>&1 |
		is_line 'stackcollapse: fields is of an unknown' \
			'kind; it looks like binary data'
}

@test "the rest of a pipe arrives byte for byte" {
	for _ in 1 2 3 4; do
		cat "$DATA/demo.perf"
	done > many
	# the first lines one by one, as a slow program writes them
	{
		while IFS= read -r line; do
			echo "$line"
			[ -n "$line" ] || break
		done
		cat
	} < many | stackcollapse > out
	stackcollapse-perf many | cmp - out
}

@test "files of one kind are folded together, folded text among perf's" {
	stackcollapse "$DATA/collapse/gdb" "$DATA/collapse/gdb" > out
	[ -s out ]
	stackcollapse-gdb "$DATA/collapse/gdb" "$DATA/collapse/gdb" | cmp - out
	stackcollapse "$DATA/py-spy.folded" "$DATA/demo.perf" > out
	[ -s out ]
	stackcollapse-perf "$DATA/py-spy.folded" "$DATA/demo.perf" | cmp - out
}

@test "files of several kinds are refused" {
	fails 1 stackcollapse "$DATA/demo.perf" - "$DATA/collapse/stap" \
		< "$DATA/collapse/gdb" 2> err | diff /dev/null -
	diff err - <<-END
	stackcollapse: $DATA/demo.perf is a profile of perf, and standard input is backtraces of gdb; fold each kind by itself
	stackcollapse: $DATA/demo.perf is a profile of perf, and $DATA/collapse/stap is stacks of SystemTap; fold each kind by itself
	END
}

@test "an unknown kind of input is reported" {
	printf 'some\nlog\n' > log
	printf '<svg>\n' > picture
	echo log | gzip -c > packed
	head -c 4096 "$BIN/stackcollapse" > program
	printf '{"events": [{"name": 1}]}\n' > json
	fails 1 stackcollapse log picture packed program json > out 2> err
	[ ! -s out ]
	diff err - <<-'END'
	stackcollapse: log is of an unknown kind; it looks like some other text
	stackcollapse: picture is of an unknown kind; it looks like a picture
	stackcollapse: packed: compressed; gzip -dc decompresses it
	stackcollapse: program: an ELF program or library, not text
	stackcollapse: json is of an unknown kind; it looks like some other text
	END
}

# As gzip -dc does, which tells of garbage, too.
@test "bytes after a compressed profile are reported, unless they are zeros" {
	for name in firefox pprof; do
		stackcollapse "$DATA/collapse/$name" > expected
		{
			cat "$DATA/collapse/$name"
			printf '\0\0'
		} > padded
		stackcollapse padded 2>&1 | diff expected -
		{
			cat padded
			echo more
		} > longer
		fails 1 stackcollapse longer 2> err | diff expected -
		is_line "stackcollapse-$name: longer: what follows" \
			'its compressed data is left out' < err
	done
}

# The fields are 2, with 32 bytes, and 4 or 15; only the first byte is no text.
@test "two fields are a profile of pprof, and four bytes one of cProfile" {
	printf '\022 %32s" %32s' a b > four
	printf '\022 %32sx!' a > fifteen
	for name in four fifteen; do
		fails 1 stackcollapse $name 2> err
		has "^stackcollapse-pprof: $name: it is not a profile" err
	done
	printf '\022 %32s' a > one
	printf '{(\003' > short
	fails 1 stackcollapse one short 2>&1 | diff - <(printf \
		'stackcollapse: %s is of an unknown kind; %s\n' \
		one 'it looks like binary data' short 'it looks like binary data')
	printf '{(\003a' > long
	fails 1 stackcollapse long 2>&1 | is_line \
		'stackcollapse-cprofile: long: it ends inside a profile'
}

@test "text that only quotes a profile is of no kind" {
	while IFS= read -r line; do
		printf '%s\n' "$line" > text
		fails 1 stackcollapse text > out 2>&1
		has 'is of an unknown kind' out || echo "$line"
	done <<-'END' > failed
	see `main` and `exit`
	 the `case` of a shell
	#include <stdio.h> (or not)
	# 1 is a heading (of markdown)
	mail someone@example.com
	@property
	Attaching a file
	0x7f is a byte : really
	END
	diff /dev/null failed
}

@test "part of a line identifies nothing, however long the line is" {
	# 4096 bytes that would be folded text, and what makes them none
	{
		printf 'main;'
		head -c 4089 /dev/zero | tr '\0' a
		printf ' 12 and more\n'
	} > long
	[ "$(head -c 4096 long | tail -c 2)" = ' 1' ]
	fails 1 stackcollapse long 2> err
	has '^stackcollapse: long is of an unknown kind' err
}

@test "a program that does not read its input ends as it does" {
	for _ in 1 2 3 4 5 6 7 8 9; do
		cat "$DATA/demo.perf"
	done > many
	[ "$(wc -c < many)" -gt 200000 ]
	mkfifo pipe
	cat many > pipe &
	fails 2 stackcollapse --nope pipe > out 2> err
	wait || true
	diff err - <<-'END'
	stackcollapse-perf: unknown option: --nope
	Try 'stackcollapse-perf --help'.
	END
}

# advised COMMAND...: the line that the command's only message says to type
advised() {
	local message
	if message=$("$@" 2>&1 > refused); then
		echo 'not refused'
	fi
	[ "$(echo "$message" | wc -l)" -eq 1 ] || echo "several: $message"
	echo "${message#*; type: }"
}

@test "a pipe that cannot be read to its end is reported, and fails" {
	awk 'BEGIN {
		for (; i < 2000; i++)
			print " 0xffffffff8103ce3b : idle+0xb/0x10 [kernel]\n\t1"
	}' | tail -c 40000 > in
	# a pipe that has no more for now, to one that does not wait
	fails 1 perl -MFcntl -e '$^F = 9; pipe(R, W); open(IN, "in");
		sysread(IN, $text, 40000); syswrite(W, $text);
		fcntl(R, F_SETFL, O_NONBLOCK); open(STDIN, "<&R");
		exec("stackcollapse")' > out 2> err
	is_line 'stackcollapse: standard input: Resource temporarily unavailable' < err
	stackcollapse-stap in 2>&1 | diff - out
}

@test "status and messages come from the program that folds" {
	fails 1 stackcollapse missing "$DATA/collapse/gdb" 2> err > out
	cmp out <(stackcollapse-gdb "$DATA/collapse/gdb")
	is_line 'stackcollapse-gdb: missing: No such file or directory' < err
	stackcollapse < /dev/null 2> err
	is_line 'stackcollapse-perf: the input is empty' < err
	fails 1 stackcollapse < . > out 2> err
	fails 1 stackcollapse . >> out 2>> err
	diff /dev/null out
	diff err <(echo 'stackcollapse: standard input: Is a directory'
		echo 'stackcollapse-perf: .: Is a directory')
	fails 1 stackcollapse - - < "$DATA/collapse/gdb" > out 2> err
	stackcollapse-gdb "$DATA/collapse/gdb" | diff - out
	is_line 'stackcollapse-gdb: standard input: it is empty' < err
}

@test "the program is beside the one that is called, and has its prefix" {
	mkdir fg there alone
	ln -s "$BIN/stackcollapse" there/guess
	for name in stackcollapse stackcollapse-gdb; do
		cp "$BIN/$name" fg/fg-$name
	done
	ln -s ../fg/fg-stackcollapse there/prefixed
	cp "$BIN/stackcollapse" alone
	stackcollapse-gdb "$DATA/collapse/gdb" > expected
	PATH=fg:/usr/bin:/bin
	for program in there/guess there/prefixed fg/fg-stackcollapse \
	    fg-stackcollapse; do
		$program "$DATA/collapse/gdb" | cmp - expected
	done
	fails 1 alone/stackcollapse "$DATA/collapse/gdb" 2> err
	fails 2 fg-stackcollapse --nope "$DATA/collapse/gdb" 2>> err
	diff err - <<-'END'
	stackcollapse: stackcollapse-gdb: No such file or directory
	fg-stackcollapse-gdb: unknown option: --nope
	Try 'fg-stackcollapse-gdb --help'.
	END
}

@test "programs that read folded text print the command for each kind of profile" {
	for profile in "$DATA"/collapse/* "$DATA"/*.perf "$DATA"/*.dtrace \
	    "$DATA"/recording/spin.data; do
		[ "${profile##*/}" != recursive ] || continue	# it is folded
		line=$(advised flamegraph "$profile")
		[ "${line%%|*}" = "stackcollapse $profile " ] ||
			echo "$profile: $line"
	done > failed 2>&1
	diff /dev/null failed
	stackcollapse "$DATA/collapse/gdb" > folded
	for program in flamegraph folded2firefox foldedtop; do
		$program folded > expected 2> err
		line=$(advised $program "$DATA/collapse/gdb")
		rm -f out.*
		sh -c "$line" > out.top 2> err
		cat out.* | cmp - expected
		line=$(advised $program < "$DATA/collapse/gdb")
		[ "${line%%"$program"*}" = '... | stackcollapse | ' ]
		rm -f out.*
		sh -c "${line#... | }" < "$DATA/collapse/gdb" > out.top 2> err
		cat out.* | cmp - expected
	done
}

@test "the printed command has the options, and quotes names for a shell" {
	stackcollapse-gdb "$DATA/collapse/gdb" | flamegraph --title "a 'b'" \
		--hash --width=auto > expected 2> err
	for name in "it's" '$(echo no)' 'a  b' '~' '=ls' '#' -q 'ä'; do
		cp "$DATA/collapse/gdb" "./$name"
		line=$(advised flamegraph --title "a 'b'" +hash --width=auto \
			-- "$name")
		sh -c "$line" 2> err
		cmp out.svg expected || echo "$name: $line"
	done > failed 2>&1
	diff /dev/null failed
	echo 'a;b 100' > folded
	[ "$(advised flamegraph folded "it's")" = \
		"stackcollapse 'it'\\''s' > 'it'\\''s.folded'" ]
	[ "$(advised difffolded -n folded - < "it's")" = \
		'... | stackcollapse | difffolded -n folded -' ]
	[ "$(advised "$BIN/flamegraph" "it's")" = "$BIN/stackcollapse \
'it'\\''s' | $BIN/flamegraph > out.svg" ]
	mkdir -p 'a b'
	ln -s "$BIN/flamegraph" 'a b/fg-flamegraph'
	[ "$('a b/fg-flamegraph' < '~' 2>&1 > refused)" = \
		"fg-flamegraph: standard input: backtraces of gdb; type: ... | \
'a b/fg-stackcollapse' | 'a b/fg-flamegraph' > out.svg" ]
	# many lines, as gdb prints before its first stack
	{ seq -f '[New Thread 0x%f]' 1000; cat "./~"; } > gdb
	[ "$(advised flamegraph gdb)" = \
		'stackcollapse gdb | flamegraph > out.svg' ]
	[ "$(advised flamegraph < gdb)" = \
		'... | stackcollapse | flamegraph > out.svg' ]
	{ cat gdb folded; } | flamegraph > out.svg 2> err
	grep -q '<title>b (100 samples, 100.00%)' out.svg
	# the command must not empty the file that it reads
	[ "$(advised flamegraph ./out.svg)" = \
		'stackcollapse ./out.svg | flamegraph > new-out.svg' ]
}

@test "compressed text and recordings are read" {
	command -v xz > /dev/null && command -v zstd > /dev/null ||
		skip 'install xz-utils zstd'
	for file in "$DATA/demo.perf" "$DATA/py-spy.folded" \
	    "$DATA/recording/spin.data"; do
		stackcollapse-perf "$file" > expected 2> err
		[ -s expected ]
		for program in gzip xz zstd; do
			$program -c < "$file" > packed
			stackcollapse-perf packed 2> err | cmp - expected
			stackcollapse packed 2> err | cmp - expected
			cat packed | stackcollapse-perf 2> err | cmp - expected
			head -c 100 packed > part
			fails 1 stackcollapse-perf part 2>&1 > out |
				has '^stackcollapse-perf: part: its compressed'
		done
	done
	gzip -c < "$DATA/py-spy.folded" | flamegraph |
		cmp - <(flamegraph "$DATA/py-spy.folded")
	PATH=$BIN fails 1 stackcollapse-perf packed > out 2> err
	is_line 'stackcollapse-perf: packed: it is compressed, and' \
		'zstd cannot be started: No such file or directory' < err
}

# odd.rows has a command, its input and what it prints, a line each.
@test "what is odd in a profile is left out, the rest is folded" {
	while IFS='|' read -r command input expected; do
		printf '%b' "$input" | $command > out 2> err || [ -s err ]
		printf '%b' "$expected" | diff - out
	done < "$TOP/test/collapse/odd.rows"
}
