load ../helper

# The profile in data/collapse is callgrind's, of a program that reads words in
# nested brackets; callgrind_annotate says what is expected of it.

# fold OPTION... < FILE: the stacks, without those that call main.
fold() {
	stackcollapse-callgrind "$@" | sed 's/.*;main/main/'
}

# selves and totals: each function, once, and the sum of the stacks that end
# with it, or in which it is.
selves() {
	awk '{ n = $NF; sub(/ [0-9]*$/, ""); sub(/.*;/, ""); sum[$0] += n }
		END { for (name in sum) print sum[name], name }' | sort
}
totals() {
	awk '{ n = $NF; sub(/ [0-9]*$/, ""); m = split($0, frame, ";")
		split("", seen)
		for (i = 1; i <= m; i++)
			if (!seen[frame[i]]++)
				sum[frame[i]] += n }
		END { for (name in sum) print sum[name], name }' | sort
}

# counted: a file with an event, and what comes from standard input.
counted() {
	echo 'events: Ir'
	cat
}

@test "functions cost what callgrind_annotate prints" {
	fold < "$DATA/collapse/callgrind" > out
	selves < out | diff - <(sort <<-'END'
	141 list
	216 list'2
	23 main
	55 item
	581 word
	68 item'2
	682 skip
	696 is_letter
	END
	)
	# what recursion has counted twice is in no table
	totals < out | grep -v "'2" | diff - <(sort <<-'END'
	1121 word
	1673 item
	2080 list
	2462 main
	696 is_letter
	838 skip
	END
	)
}

@test "--event takes any of several events, also of cachegrind's one frame" {
	# callgrind's own lines: --event takes any of several events
	fold --event Bc < "$DATA/collapse/callgrind" | selves > out
	awk '{ n += $1 } END { print n }' out | is_line 264
	fold --event=Bcm < "$DATA/collapse/callgrind" |
		awk '{ n += $NF } END { print n }' | is_line 49
	fails 1 stackcollapse-callgrind --event Dr "$DATA/collapse/callgrind" \
		2> err > out
	diff /dev/null out
	grep -q ': it has no event Dr, but Ir, Bc, Bcm, Bi, Bim$' err
	# files of cachegrind have stacks of one frame
	printf '%s\n' 'desc: I1 cache: 32768 B' 'cmd: ./a' 'events: Ir I1mr' \
		fl=a.c fn=main '1 5 1' fl=b.c fn=f '2 7 0' 'summary: 12 1' |
		stackcollapse-callgrind | are_lines 'f 7' 'main 5'
}

# annotated NAME EVENT: the cost of each function by callgrind_annotate.
annotated() {
	callgrind_annotate --threshold=100 --show="$2" --sort="$2" \
		--auto=no "$1" |
		sed -n -e '/PROGRAM TOTALS/d' -e 's/ \[[^]]*\]$//' \
			-e 's/^ *\([0-9,]*\) *([^)]*)  *[^ :]*:\(.*\)/\1 \2/p' |
		awk '{ n = $1; gsub(/,/, "", n); sub(/^[^ ]* /, "")
			sum[$0] += n }
		END { for (name in sum) if (sum[name]) print sum[name], name }' |
		sort
}

@test "functions cost what callgrind_annotate prints, however callgrind is run" {
	command -v callgrind_annotate > /dev/null || skip 'install valgrind'
	seq 300 > words
	while read -r event options; do
		valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out \
			$options tac words > /dev/null 2> /dev/null
		stackcollapse-callgrind --event "$event" callgrind.out |
			selves > out
		[ "$(wc -l < out)" -gt 100 ]
		annotated callgrind.out "$event" | diff - out
	done <<-'END'
	Ir --separate-recs=4 --separate-callers=2 --dump-instr=yes --collect-jumps=yes
	Bc --compress-strings=no --compress-pos=no --branch-sim=yes
	END
}

@test "names come once, then as numbers of their own for files and objects" {
	counted <<-'END' | stackcollapse-callgrind | are_lines \
		'main 1' 'main;(read) 8' 'main;parse(int) 2'
	ob=(1) a.out
	fl=(1) a.c
	fn=(1) main
	1 1
	cfn=(2) parse(int)
	calls=1 1
	1 2
	cfi=(2) b.c
	cob=(2) b.so
	cfn=(7000000000000000000000) (read)
	calls=1 1
	1 8
	fn=(2)
	1 2
	ob=(2)
	fl=(2)
	fn=(7000000000000000000000)
	1 8
	END
}

@test "inlined code counts for its function, and calls from it are its calls" {
	counted <<-'END' | stackcollapse-callgrind | are_lines \
		'main 6' 'main;inner 8' 'main;outer 16'
	fl=a.c
	fn=main
	1 2
	fi=a.h
	7 4
	cfn=inner
	calls=1 9
	8 8
	fe=a.c
	cfl=a.c
	cfn=outer
	calls=1 9
	8 16
	fl=a.h
	fn=inner
	9 8
	fl=a.c
	fn=outer
	9 16
	END
}

@test "positions may be several, relative and in hexadecimal, after any blanks" {
	printf '%s\n' 'positions: instr line' 'events: Ir Dr' fn=main \
		'0x401000 12 1 100' '+4 * 2 100' '+0x10 -3 0x10' '* * 32 1' \
		'0 0' 'calls=1 0x400000 9' |
		fails 1 stackcollapse-callgrind | is_line 'main 51'
	printf '%s\n' 'positions: instr line' 'events: Ir' fn=f '1 1 2' \
		'*  40' '*  1 5' '+1 *  100' '* 1000 ' |
		stackcollapse-callgrind | is_line 'f 107'
	printf '%s\n' 'positions: instr' 'events: Ir Dr' fn=main '0x401000 1' \
		'+4 2' | stackcollapse-callgrind | is_line 'main 3'
}

@test "missing costs are 0, negative ones are left out, too large ones reported" {
	# missing costs are 0, and jumps cost nothing
	printf '%s\n' 'events: Ir Dr' fn=main '1 5 7' '2 1' 3 'jump=3 +1' '* ' \
		'jcnd=1/2 -3' '* ' 'jfi=(1) x' 'jfn=(2) y' 'jump=1 2' '4 1 1' \
		'fn=(2)' '5 1 1' > file
	stackcollapse-callgrind file | are_lines 'main 7' 'y 1'
	stackcollapse-callgrind --event Dr file | are_lines 'main 8' 'y 1'
	# costs below 0 are left out, and too large ones are reported
	printf '%s\n' 'events: Time Memory' fn=main '1 5 -3' '2 -1 10' |
		fails 1 stackcollapse-callgrind --event Memory 2> err |
		is_line 'main 10'
	is_line 'stackcollapse-callgrind: standard input: costs below' \
		'0 are left out' < err
	printf '%s\n' fn=main '1 18446744073709551615' | counted > file
	stackcollapse-callgrind file | is_line 'main 18446744073709551615'
	echo '1 1' >> file
	fails 1 stackcollapse-callgrind file 2> err |
		is_line 'main 18446744073709551615'
	grep -q 'the costs add up to more than 2^64 - 1' err
}

@test "an event may be made of others" {
	cat > file <<-'END'
	event: Sum = Ir + 2 Dr + 3*Dw : all
	event: Ir : instructions
	event: Both = Sum + Sum
	event: Odd = Odd + Ir
	event: Lost = Ir + Nothing
	events: Ir Dr Dw
	fn=main
	1 100 10 1
	2 1000
	END
	for event in Ir:1100 Dr:10 Dw:1 Sum:1123 Both:2246; do
		stackcollapse-callgrind --event ${event%:*} file |
			is_line "main ${event#*:}"
	done
	for event in Odd Lost Nothing; do
		fails 1 stackcollapse-callgrind --event $event file 2> err
		grep -q "no event $event, but Ir, Dr, Dw, Sum, Both, Odd" err
	done
}

@test "parts of a file are added up, and each is as much as it says" {
	for part in 1 2; do
		printf '%s\n' "part: $part" 'positions: line' 'events: Ir' \
			'fn=(1) main' '1 2' 'cfn=(2) f' 'calls=1 1' '1 3' 'fn=(2)' \
			'1 3' 'totals: 5'
	done > file
	stackcollapse-callgrind file | are_lines 'main 4' 'main;f 6'
	sed '10s/3/4/' file > other
	fails 1 stackcollapse-callgrind other 2> err > out
	are_lines 'f 1' 'main 4' 'main;f 6' < out
	is_line 'stackcollapse-callgrind: other: the costs before line' \
		'11 add up to 6, but its totals say 5' < err
}

@test "a file has events, calls and damaged lines of its own" {
	printf '%s\n' 'events: Ir Dr' fn=a '1 5 7' cfn=b 'calls=1 1' > short
	printf '%s\n' 'events: Dr Ir' fn=c '1 5 7' damage > one
	cp one two
	fails 1 stackcollapse-callgrind short one two 2> err |
		are_lines 'a 5' 'c 10'
	diff err - <<-'END'
	stackcollapse-callgrind: one: lines that are not callgrind's, left out: 1; the first is line 4
	stackcollapse-callgrind: two: lines that are not callgrind's, left out: 1; the first is line 4
	END
}

@test "a name of several files and objects has a function in each" {
	cat > callgrind.out <<-'END'
	events: Ir
	fl=(1) a.c
	fn=(1) main
	1 1
	cfi=(2) b.c
	cfn=(2) f
	calls=1 1
	1 20
	cfi=(3) c.c
	cfn=(2)
	calls=1 1
	1 300
	fl=(2)
	fn=(2)
	1 20
	fl=(3)
	fn=(2)
	1 100
	cfi=(2)
	cfn=(3) g
	calls=1 1
	1 200
	fl=(2)
	fn=(3)
	1 200
	END
	stackcollapse-callgrind callgrind.out | are_lines \
		'main 1' 'main;f 120' 'main;f;g 200'
}

@test "unknown lines are counted, and the first is reported" {
	counted > file <<-'END'
	1 5
	version: 1
	Zone: Europe
	zone: Europe
	fn=main
	1 5
	something
	1 x
	xy=1
	cxy=1
	calls=1 1
	fl=
	: no
	totals: x
	END
	fails 1 stackcollapse-callgrind file 2> err | is_line 'main 5'
	is_line 'stackcollapse-callgrind: file: lines that are not' \
		"callgrind's, left out: 8; the first is line 2" < err
	printf '%s\n' fn=early '1 3' 'events: Ir' fn=main '1 5' |
		fails 1 stackcollapse-callgrind 2> err | is_line 'main 5'
	has 'left out: 1; the first is line 2$' err
	fails 1 stackcollapse-callgrind <(echo 'version: 2'; counted < file) \
		2> err > out
	grep -q 'the version of its format is unknown$' err
}

@test "a chain of many functions, and a square of calls, take a moment" {
	awk 'BEGIN { print "events: Ir"; for (n = 1; n <= 3000; n++)
		printf "fn=(%d) f%d\n1 1\ncfn=(%d) f%d\ncalls=1 1\n1 %d\n", n, n,
		    n + 1, n + 1, 3000 - n }' > chain
	timeout 60 stackcollapse-callgrind chain > out
	[ "$(awk '{ n += $NF } END { print n }' out)" -eq 3000 ]
	# a stack has 1,000 frames, and its last one is right
	[ "$(grep -c ';f2999 1$' out)" -eq 1 ]
	awk 'BEGIN { print "events: Ir"; for (a = 1; a <= 150; a++) {
		printf "fn=(%d) f%d\n1 1000000000\n", a, a
		for (b = 1; b <= 150; b++)
			printf "cfn=(%d) f%d\ncalls=1 1\n1 7\n", b, b } }' > square
	timeout 60 stackcollapse-callgrind square > out
	[ "$(selves < out | grep -c '^1000000000 ')" -eq 150 ]
}

@test "a long name of functions in many files is looked at once" {
	{
		printf 'events: Ir\nfn=(1) '
		head -c 1000000 /dev/zero | tr '\0' n
		printf '\n1 1\n'
		awk 'BEGIN {
			for (; file < 50000; file++)
				print "fl=(" file ") f" file "\nfn=(1)\n1 1"
		}'
	} | timeout 60 stackcollapse-callgrind |
		awk '{ print length($1), $2 }' | is_line 1000000 50001
}
