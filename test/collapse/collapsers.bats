load ../helper

# All programs of collapse/ do this, except stackcollapse.  Each
# has a profile in data/collapse, which begins with its name and holds some
# stacks.

# each FUNCTION: calls it for each program, with its profile.
each() {
	local program profile
	for program in $(collapsers | grep -e -); do
		profile=$(echo "$DATA/collapse/${program#*-}"*)
		[ -e "$profile" ] || echo "no profile of $program"
		"$1" "$program" "$profile" || echo "$program failed"
	done > failed
	diff /dev/null failed
}

folds() {
	"$1" "$2" > out 2> err && grep -q ' [1-9][0-9]*$' out &&
		[ ! -s err ] && sort -c out
}

@test "a profile folds without a word, in byte order" {
	each folds
}

reads_input() {
	"$1" "$2" > out && [ -s out ] && "$1" < "$2" | cmp - out &&
		"$1" - < "$2" | cmp - out
}

@test "standard input is read without operands and for -" {
	each reads_input
}

adds_up() {
	"$1" "$2" "$2" | awk '{ n += $NF } END { print n; exit n == 0 }' |
		diff - <("$1" "$2" | awk '{ n += 2 * $NF } END { print n }')
}

@test "operands are added up" {
	each adds_up
}

is_whole_with_cr() {
	! grep -qI '' "$2" || sed 's/$/\r/' "$2" | "$1" | cmp - <("$1" "$2")
}

@test "the lines of text may end in CR LF" {
	each is_whole_with_cr
}

tells_empty() {
	"$1" < /dev/null > out 2> err && [ ! -s out ] &&
		diff err <(echo "$1: the input is empty")
}

@test "empty input gives a warning and nothing else" {
	each tells_empty
}

rejects_other() {
	printf 'some\nlog\nof\nsomething\n' |
		fails 1 "$1" > out 2> err && [ ! -s out ] &&
		[ "$(wc -l < err)" -eq 1 ] && grep -q "^$1: standard input" err
}

@test "other text is an error of one line" {
	each rejects_other
}

refuses_binary() {
	head -c 4096 "$BIN/$1" > binary
	fails 1 "$1" binary > out 2> err && [ ! -s out ] &&
		grep -q "^$1: binary: " err
}

@test "binary data is an error that names the file" {
	each refuses_binary
}

reads_others() {
	"$1" "$2" > all
	fails 1 "$1" missing "$2" > out 2> err && cmp out all &&
		diff err <(echo "$1: missing: No such file or directory")
}

@test "a file that cannot be read is reported, and the others are read" {
	each reads_others
}

tells_other() {
	"$1" "$2" > all
	printf 'some\nlog\n' > other
	fails 1 "$1" "$2" other > out 2> err && cmp out all &&
		grep -q "^$1: other: " err &&
		fails 1 "$1" other "$2" 2>&1 > out | has "^$1: other: " &&
		[ -s out ]
}

@test "of several operands one that is no profile is told, and the rest is read" {
	each tells_other
}

needs_room() {
	fails 1 "$1" "$2" > /dev/full 2> err &&
		grep -q "^$1: .*: No space left on device" err
}

@test "a full disk is an error" {
	[ -e /dev/full ] || skip 'no /dev/full'
	each needs_room
}

tells_version() {
	"$1" --version 2> err | diff - <(sed -n "s/^VERSION = /$1 /p" \
		"$TOP/Makefile") && [ ! -s err ]
}

@test "--version prints the version that the Makefile has" {
	each tells_version
}

tells_usage() {
	"$1" --help 2> err > out && [ ! -s err ] &&
		head -n 1 out | grep -q "^usage: $1 .*\[file \.\.\.\] > out.folded"
}

@test "--help prints the usage" {
	each tells_usage
}

rejects_option() {
	fails 2 "$1" --frames > out 2> err && [ ! -s out ] &&
		diff err - <<-END
		$1: unknown option: --frames
		Try '$1 --help'.
		END
}

@test "an unknown option is an error" {
	each rejects_option
}

is_quiet() {
	"$1" --quiet "$2" > out && [ -s out ] && "$1" "$2" | cmp - out
}

@test "--quiet changes nothing that is printed" {
	each is_quiet
}

survives_damage() {
	local size step=1 at
	size=$(wc -c < "$2")
	[ "$size" -lt 40 ] || step=$((size / 40))
	for ((at = 1; at < size; at += step)); do
		head -c "$at" "$2" > part1
		tail -c "+$at" "$2" > part2
		for file in part1 part2; do
			timeout 20 "$1" $file > out 2> err ||
				[ $? -eq 1 ] || return 1
		done
	done
}

@test "a profile that is cut anywhere is survived" {
	each survives_damage
}

# looks FILE: what programs say that a file looks like, each line once.
looks() {
	for program in $(collapsers | grep -e -) flamegraph difffolded; do
		case $program in
		stackcollapse-"$(basename "$1")") continue ;;
		difffolded) set -- "$1" "$1" ;;
		esac
		"$program" "$@" 2>&1 > out || true
	done | sed -n 's/.*looks like \(.*\)/\1/p' | sort -u
}

@test "text of another profiler is told, and the program that folds it" {
	while IFS=: read -r name is; do
		looks "$DATA/collapse/$name" |
			diff - <(echo "$is, which stackcollapse-$name folds") ||
			echo "$name"
	done <<-'END' > failed
	bpftrace:maps of bpftrace
	callgrind:a profile of callgrind
	gdb:backtraces of gdb
	ghcprof:a profile of GHC
	heap:a profile of jemalloc or gperftools
	jstack:dumps of jstack
	sample:a call graph of sample
	sched:text of perf sched timehist
	stap:stacks of SystemTap
	vtune:a call tree of VTune
	xctrace:samples of xctrace
	END
	diff /dev/null failed
}
