load ../helper
load ../unit

# Stacks whose copies are too short: how many there are, and what --stitch joins.
# Samples are those of unit/snapshot.c.

# Makes the recordings long and short, with at most 4096 bytes of each copy, of a
# recursion, and their folded stacks.
setup_file() {
	command -v "${CC:-cc}" > /dev/null || { lacks 'install gcc'; return; }
	case $("${CC:-cc}" -dumpmachine) in
	x86_64*linux-gnu | aarch64*linux-gnu) ;;
	*) lacks 'another machine'; return ;;
	esac
	needs_drivers
	cd "$BATS_FILE_TMPDIR" || return
	"${CC:-cc}" -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
	    -o snapshot "$TOP/test/unit/snapshot.c"
	mkdir walk
	cd walk || return
	../snapshot walk
	record < unwound > long.data
	truncate -s '<4096' stack.*
	record < unwound > short.data
	find stack.* -size 4096c -exec truncate -s 1800 {} +
	record < unwound > shorter.data
	for name in long short; do
		stackcollapse-perf --no-inline $name.data > $name 2> $name.err
	done
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR/walk" || return
}

# stitch OPTION...: folds with --stitch the recording on standard input.
stitch() {
	cat > this.data
	stackcollapse-perf --no-inline --stitch "$@" this.data 2> err
}

@test "--stitch makes the stacks that longer copies have" {
	has '\(;walk\)\{50\}' long
	fails 1 diff long short > /dev/null
	stitch < short.data | diff long -
	stitch < long.data | diff long -
	# where they meet, the kept frame is at another call of its function
	stitch < shorter.data | diff long -
	# samples are taken in the order of time
	{ grep -v ^sample unwound; grep ^sample unwound | tac; } |
		record | stitch | diff long -
	stitch --in-order < short.data | sed 's/:9-9\/9/:9/' | sort |
		awk '{ count = $NF; sub(/ [0-9]*$/, ""); sum[$0] += count }
			END { for (stack in sum) print stack, sum[stack] }' |
		sort | diff <(sort long) -
}

@test "a frame limit holds for joined stacks, whose outer frames are kept" {
	for most in 1 50; do
		stackcollapse-perf --no-inline --max-stack=$most long.data \
		    > expected
		stitch --max-stack=$most < short.data | diff expected -
	done
}

@test "stacks of other threads and of other names are not joined" {
	samples=$(grep -c ^sample unwound)
	for change in '{ $4 = n++ }' '{ print "comm 9 9 name", $5 }'; do
		awk "/^sample/ $change { print }" unwound |
			record | stitch > out
		has "function: .* of $samples;.*joined by --stitch: 0;" err
	done
}

@test "stacks that end early are reported, with the reason and a remedy" {
	[ ! -s long.err ]
	early=$(awk '!/^[^;]*;_start;/ { sum += $NF } END { print sum }' short)
	[ "$early" -gt 0 ]
	sed 's/: [0-9]* of/: N of/; s/short: [0-9]*/short: N/' short.err |
		is_line "stackcollapse-perf: short.data: stacks that end" \
		    "before their thread's first function: N of" \
		    "$(grep -c ^sample unwound); copy of the stack too short:" \
		    "N; perf record --call-graph dwarf,16384 copies more, and" \
		    "--stitch joins some"
	has "function: $early of" short.err
}

# A frame pointer of 0 would say that it is the first function.
@test "code without tables is reported with its module" {
	cd "$BATS_TEST_TMPDIR"
	"${CC:-cc}" -std=gnu11 -O2 -fno-omit-frame-pointer -o snapshot \
	    "$TOP/test/unit/snapshot.c"
	./snapshot plain
	sed 's@ /[^ ]*/snapshot$@ /nowhere/program@' unwound |
		record > perf.data
	stackcollapse-perf perf.data 2>&1 > out | has -F "stacks that end before\
 their thread's first function: 1 of 1; code without unwinding tables: 1, most\
 of them in /nowhere/program"
	sed '/ \/[^ ]*\/snapshot$/d' unwound | record > perf.data
	stackcollapse-perf perf.data 2>&1 > out |
		has '1 of 1; code that is not mapped: 1$'
}

# are_whole SCENE...: no stack ends before its first function.
are_whole() {
	cd "$BATS_TEST_TMPDIR" || return
	"$BATS_FILE_TMPDIR/snapshot" "$@"
	for recording in unwound chained; do
		record < $recording > perf.data
		stackcollapse-perf --no-inline perf.data 2> err > out
		diff /dev/null err
	done
}

@test "stacks that reach a first function are not reported" {
	are_whole plain deep variable library signal
}

# Only the C library's debug information has tables for a coroutine's start.
@test "a coroutine's stack that reaches its first function is not reported" {
	[ -d /usr/lib/debug/.build-id ] || skip 'install libc6-dbg'
	are_whole coroutine
}
