load ../helper

# Folded text is added to what is folded, and to itself.

# samples EVENT NAME PERIOD...: samples of that event in that function
samples() {
	local event=$1 name=$2 period
	shift 2
	for period; do
		printf 'cc 7 [000] 1.5: %s %s:\n\t401136 %s (/bin/cc)\n\n' \
			"$period" "$event" "$name"
	done
}

@test "folded parts add up to all samples" {
	awk -v RS= -v ORS='\n\n' '{ print > ("part" NR % 3) }' "$DATA/demo.perf"
	stackcollapse-perf --all "$DATA/demo.perf" > whole
	[ -s whole ]
	stackcollapse-perf --all part1 > part1.folded
	stackcollapse-perf --all part2 > part2.folded
	stackcollapse-perf --all part1.folded part0 part2.folded | diff - whole
	stackcollapse-perf part1.folded part2.folded <(
		stackcollapse-perf --all part0) | diff - whole
	cat part1.folded part2.folded <(stackcollapse-perf --all part0) |
		stackcollapse-perf | diff - whole
	stackcollapse-perf whole | diff - whole
}

@test "stacks are the same where neighbours share frames in any way" {
	printf '%s\n' 'a 1' 'a;b 2' 'a;bc 4' 'a;b;c 8' 'a;b;cd 16' 'ab 32' \
		'a;b;c;d;e 64' 'a;b 128' 'ab;c 256' 'a 512' 'a;;b 1024' \
		'a; 2048' ';a 8192' > in
	for order in cat tac 'sort -r' 'sort -n -k2'; do
		$order in | stackcollapse-perf | are_lines \
			';a 8192' 'a 513' 'a; 2048' 'a;;b 1024' \
			'a;b 130' 'a;b;c 8' 'a;b;c;d;e 64' 'a;b;cd 16' \
			'a;bc 4' 'ab 32' 'ab;c 256' || return
	done
}

@test "a line that cannot be added is reported once a file, and the rest is added" {
	printf 'a;b 1\na;b 2 3\na;c 1 1\nx\n' > two
	printf 'a;b 1\na;b 2.5\n' > fraction
	printf 'a;b 1\nx y\n' > odd
	# what is cut off may have lost digits
	printf 'a;b 1\na;b 23' > short
	fails 1 stackcollapse-perf two fraction odd short 2> err |
		is_line 'a;b 4'
	diff err - <<-'END'
	stackcollapse-perf: two: line 2 has two counts, and is left out
	stackcollapse-perf: fraction: line 2 has a count that is not whole, and is left out
	stackcollapse-perf: odd: line 2 is not a stack and a count, and is left out
	stackcollapse-perf: short: line 2 is cut off at the end of the file, and is left out
	stackcollapse-perf: lines of folded text, left out: 6
	END
}

@test "a sample ends before a file of folded text, and does not go on after it" {
	samples cycles main 1 > whole
	head -n 2 whole > short
	printf 'cc;main 8\n' > folded
	printf '\t401136 start (/bin/cc)\n\n' > rest
	fails 1 stackcollapse-perf short folded rest 2> err |
		diff - folded
	is_line 'stackcollapse-perf: short ends inside a sample,' \
		'which is left out' < err
}

# lost NAME MESSAGE: checks what is said of that file beside one of each kind,
# and that all their stacks are there.
lost() {
	fails 1 stackcollapse-perf "$names" whole.folded whole.perf "$1" \
		whole.data "$1" 2> err > out
	awk '{ $NF = ""; print }' out | diff stacks -
	grep -q -x 'cc;main 200' out
	grep -v -e '^Unrecognized' -e '^Filtering' -e 'data: addresses' \
		-e 'not recognized' -e 'folded text, left out: 2' err |
		sed 's/end: [0-9]*/end: N/' | sort -u |
		is_line "stackcollapse-perf: $2"
}

@test "a part of any kind that is lost or cut off is named, and the rest is added" {
	printf 'cc;main 100\n' > whole.folded
	samples cpu-clock main 100 > whole.perf
	cp "$DATA/recording/spin.data" whole.data
	names=--kallsyms=$DATA/recording/spin.kallsyms
	stackcollapse-perf "$names" whole.folded whole.perf whole.data |
		awk '{ $NF = ""; print }' > stacks
	lost missing 'missing: No such file or directory'
	: > empty
	lost empty 'empty: it is empty'
	mkdir folder
	lost folder 'folder: Is a directory'
	echo hello > text
	lost text 'text: it has no sample'
	printf 'cc;main 1' > cut.folded
	lost cut.folded 'cut.folded: line 1 is cut off at the end of the file, and is left out'
	head -n 2 whole.perf > cut.perf
	lost cut.perf 'cut.perf ends inside a sample, which is left out'
	head -c "$(($(wc -c < whole.data) / 2))" whole.data > cut.data
	lost cut.data 'cut.data is cut off; bytes that are missing at its end: N'
	samples faults main 1 > other.perf
	lost other.perf 'other.perf: all samples belong to other events, left out: 2'
}

@test "a file begins no sample of the one before, unless it goes on with it" {
	samples cycles main 1 > whole
	head -n 1 whole > line1
	head -n 2 whole > line2
	sed 1d whole > rest1
	sed 1,2d whole > rest2
	for i in 1 2; do
		stackcollapse-perf line$i rest$i | is_line 'cc;main 1'
		{
			echo '# ========'
			cat whole
		} | fails 1 stackcollapse-perf line$i - 2> err |
			is_line 'cc;main 1'
		is_line "stackcollapse-perf: line$i ends inside" \
			'a sample, which is left out' < err
	done
	# The original's stack is told to be none.
	samples cycles start 1 | stackcollapse-perf line2 - 2> err |
		is_line 'cc;start;main 1'
	is_line 'stackcollapse-perf: line2 ends inside a sample,' \
		"which becomes one with the next file's first" < err
	# of DTrace's stacks, with a header or without
	printf '  a`leaf+0x1\n  a`main+0x2\n' > stack
	printf '    3\n' > count
	stackcollapse-dtrace stack count | is_line 'a`main;a`leaf 3'
	printf 'CPU     ID                    FUNCTION:NAME\n%s\n\n' \
		'  0  64091                        :tick-60s' |
		cat - stack count > whole
	fails 1 stackcollapse-dtrace stack whole 2> err |
		is_line 'a`main;a`leaf 3'
	is_line 'stackcollapse-dtrace: stack ends inside a stack,' \
		'which is left out' < err
}

@test "folded text is known by its beginning" {
	printf '# a comment\n\r\nall 5\r\na;b 1\r\n' | stackcollapse-perf |
		diff - <(printf 'a;b 1\nall 5\n')
	# A line that is longer than what is read at once.
	awk 'BEGIN { printf "a"; for (i = 0; i < 9000; i++) printf ";f%d", i
		print " 3" }' > long
	stackcollapse-perf long | diff - long
	sed '' long | stackcollapse-perf | diff - long
	# These are not.
	for text in 'main 2' ' a;b 2' 'x\na;b 2' 'a;b 1\ncc 7 1.5: cycles:'; do
		printf '%b\n' "$text" > in
		stackcollapse-perf in 2> err > out || true
		diff out /dev/null
		[ -s err ]
	done
}
