load ../helper

# folded NAME LINE...: makes the file NAME.
folded() {
	printf '%s\n' "${@:2}" > "$1"
}

@test "equal stacks are added, of any bytes, and lines are in byte order" {
	# equal stacks of a file are added, and lines are in byte order
	folded 1 'b 1' 'a;b 2' 'a_b 3' 'a;b 40' 'a.b 5'
	folded 2 'b 1' 'b 1'
	difffolded 1 2 | are_lines \
		'a.b 5 0' 'a;b 42 0' 'a_b 3 0' 'b 1 2'
	# a stack may hold blanks, numbers, any byte, or nothing
	printf 'a b 1 2\n\t\xff\x00 3\n 4\n a  5\n' > ./1
	: > ./2
	difffolded 1 2 | cmp - <(
		printf ' 4 0\n\t\xff\x00 3 0\n a  5 0\na b 1 2 0\n')
	# -s makes addresses equal
	folded 1 'a;0x1f;b 3' 'a;0xFFee12;b 4' 'x0x10x2y 1'
	folded 2 'a;0x77;b 9' 'c;0xzz 1' '0x 2'
	difffolded -s 1 2 | are_lines '0x 0 2' 'a;0x...;b 7 9' \
		'c;0xzz 0 1' 'x0x...x2y 1 0'
}

@test "the order of the lines of either file changes nothing" {
	for i in 1 2; do
		awk -v n=$i 'BEGIN { for (; i < 900; i++) print "a;" i % (9 - 2 * n) \
			";f" i % (210 - 20 * n) (i % 3 ? ";leaf" : ""), i }' > $i
		LC_ALL=C sort -k1,1 $i > sorted$i
		# one in ten is elsewhere
		awk 'NR % 10 { print; next } { last = last $0 "\n" }
			END { printf "%s", last }' sorted$i > mostly$i
	done
	awk 'FNR == NR { first[$1] += $2; stacks[$1] }
		FNR < NR { second[$1] += $2; stacks[$1] }
		END { for (stack in stacks)
			print stack, first[stack] + 0, second[stack] + 0 }' 1 2 |
		LC_ALL=C sort -k1,1 > expected
	for files in '1 2' 'sorted1 sorted2' 'mostly1 sorted2' 'sorted1 mostly2'; do
		difffolded $files | cmp - expected
	done
}

@test "-n scales the first file to the total of the second" {
	folded 1 'a 1' 'b 2' 'c 4'
	folded 2 'a 10' 'd 4.5'
	# 14.5 / 7 times the count, without its fraction
	difffolded -n 1 2 | are_lines \
		'a 2 10' 'b 4 0' 'c 8 0' 'd 0 4.5'
	folded 1 'a 3' 'b 6'
	folded 2 'a 81064793292668937'
	# a third of it has 55 bits, the last of which is set
	difffolded -n 1 2 | are_lines \
		'a 27021597764222979 81064793292668937' \
		'b 54043195528445958 0'
	# -n leaves counts as they are where the totals are equal
	folded 1 'a 1.5' 'b 2.5'
	folded 2 'a 4'
	difffolded -n 1 2 | are_lines 'a 1.5 4' 'b 2.5 0'
	difffolded -n /dev/null /dev/null > out
	[ ! -s out ]
	# -n with a first file that has no counts is an error
	: > empty
	folded 2 'a 1'
	fails 1 difffolded -n empty 2 2> err | diff /dev/null -
	is_line 'difffolded: empty: there are no counts to scale' < err
	difffolded -n 2 empty 2> err | is_line 'a 0 0'
	is_line 'difffolded: empty: it is empty' < err
	# -n scales from totals that are no whole numbers, and to them
	folded 1 'a 1.5' 'b 1'
	folded 2 'a 5'
	folded 3 'a 0'
	difffolded -n 1 2 | are_lines 'a 3 5' 'b 2 0'
	difffolded -n 2 1 | are_lines 'a 2 1.5' 'b 0 1'
	difffolded -n 1 3 | are_lines 'a 0 0' 'b 0 0'
}

@test "options may be bundled, and end at --; - is standard input" {
	# options may be bundled, and end at --
	folded -s 'a;0x1 1' 'b 1'
	folded 2 'a;0x2 4'
	difffolded -ns -- -s 2 > out
	are_lines 'a;0x... 2 4' 'b 2 0' < out
	difffolded -s -n ./-s 2 | diff - out
	# - is standard input, for one of the files
	folded 1 'a 1'
	folded 2 'a 2'
	difffolded - 2 < ./1 | is_line 'a 1 2'
	difffolded 1 - < ./2 | is_line 'a 1 2'
	fails 2 difffolded - - < ./1 2> err | diff /dev/null -
	grep -q 'only one of the files can be standard input' err
}

@test "counts are exact, and printed so that they can be read again" {
	# fractions are summed and printed without zeros at the end
	folded 1 'a 1.50' 'a 0.25' 'b 2.' 'c 0.1' 'c 0.2' 'd 007'
	folded 2 'a 1.0' 'b 1.25' 'b 0.75' 'e 123456.789'
	difffolded 1 2 | are_lines \
		'a 1.75 1' 'b 2 2' 'c 0.3 0' 'd 7 0' 'e 0 123456.789'
	# whole numbers are exact up to 2^64 - 1
	folded 1 'a 9007199254740993' 'b 18446744073709551614' 'b 1'
	folded 2 'a 9007199254740992' 'a 1' 'b 18446744073709551615' 'b 1'
	difffolded 1 2 | are_lines \
		'a 9007199254740993 9007199254740993' \
		'b 18446744073709551615 18446744073709551616'
	# As Perl adds them: what has 2^53 or more of ones is a double.
	# numbers with a point are whole as long as a double has their ones
	folded 1 'a 9007199254740991.0' 'a 1' 'b 9007199254740992.0' 'b 1' \
		'c 9007199254740992' 'c 1'
	folded 2 'd 1'
	difffolded 1 2 | are_lines 'a 9007199254740992 0' \
		'b 9007199254740992 0' 'c 9007199254740993 0' 'd 0 1'
	# counts are printed so that they can be read again
	folded 1 'a 0.00001' 'b 18446744073709551615' 'b 18446744073709551615'
	difffolded 1 1 > out
	diff out - <<-'END'
	a 0.00001 0.00001
	b 36893488147419103232 36893488147419103232
	END
	flamegraph < out > out.svg 2> err
	! grep Ignored err || false
}

@test "a line without a count or a newline is reported" {
	# a line without a count is reported and left out
	printf '%s\n' '# recorded on 5' 'a 1' 'nothing' '' 'b 2' 'c1' '3' 'd 1e3' \
		'e -1' 'f .5' '#b 2' | sed 's/$/\r/' > ./1
	folded 2 'a 2'
	difffolded 1 2 2> err | are_lines '#b 2 0' 'a 1 2' 'b 2 0'
	is_line 'difffolded: 1: lines without a count, left out: 7,' \
		'the first is line 3' < err
	# what is cut off is told, and makes no line end
	folded 1 'a 1' 'b 2'
	printf 'a 3\nb;c' > short
	fails 1 difffolded 1 short > out 2> err
	diff out <(printf 'a 1 3\nb 2 0')
	diff err - <<-'END'
	difffolded: short: line 2 is cut off at the end of the file, and is left out
	difffolded: short: lines without a count, left out: 1, the first is line 2
	END
	printf 'a 3\nb 4' > ./2
	difffolded 1 2 2> err | diff - <(printf 'a 1 3\nb 2 4')
	is_line 'difffolded: 2: line 2 has no end; if it is cut off,' \
		'its count is wrong' < err
}

@test "a file that cannot be read is reported, and nothing is printed" {
	folded 1 'a 1'
	fails 1 difffolded 1 missing 2> err | diff /dev/null -
	is_line 'difffolded: missing: No such file or directory' < err
}

@test "a file that is not folded is an error that says what it is" {
	folded 1 'a 1'
	fails 1 difffolded "$DATA/demo.perf" 1 > out 2> err
	[ ! -s out ]
	is_line "difffolded: $DATA/demo.perf: a profile of perf; type:" \
		"stackcollapse $DATA/demo.perf > $DATA/demo.perf.folded" < err
	flamegraph 1 > 1.svg
	fails 1 difffolded 1 1.svg 2> err | diff /dev/null -
	is_line 'difffolded: 1.svg: a picture in SVG; type:' \
		'stackcollapse 1.svg > 1.svg.folded' < err
}

@test "a wrong command line is an error" {
	folded 1 'a 1'
	for line in '' '1' '1 1 1' '1 1 -n' '1 - --help'; do
		fails 2 difffolded $line 2> err | diff /dev/null -
		tail -n 1 err | is_line "Try 'difffolded --help'."
	done
	difffolded -h | cmp - <(difffolded --help)
	fails 2 difffolded -nx --foo -y 1 1 2>&1 | is 4<<-END
	difffolded: unknown option: -x
	difffolded: unknown option: --foo
	difffolded: unknown option: -y
	Try 'difffolded --help'.
	END
}

@test "sums beyond any number are refused, a lone odd line is reported" {
	folded 1 "a $(printf '%0308d' 0 | tr 0 9)" "a $(printf '%0309d' 0 | tr 0 9)"
	folded 2 'a 1' odd 'b 2'
	fails 1 difffolded 1 2 > out 2> err
	[ ! -s out ]
	is_line 'difffolded: the counts add up to more than a double holds' < err
	difffolded --quiet 2 2 2> err | are_lines 'a 1 1' 'b 2 2'
	sort -u err | is_line 'difffolded: 2: lines without a count,' \
		'left out: 1, the first is line 2'
}

# Each line is looked for beside a stack of 4 MB: "b", which is found before
# it, and those after it, as "d1", which are not found at first.
@test "a long stack is not read again for each line that is out of order" {
	{
		printf 'a 1\nb 1\n'
		head -c 4000000 /dev/zero | tr '\0' c
		printf ' 1\n'
	} > before
	awk 'BEGIN {
		print "z 1"
		for (i = 0; i < 200000; i++)
			print i % 2 ? "d" i % 100 " 1" : "b 1"
	}' > after
	timeout 60 difffolded before after > out
	grep -v '^c' out | diff - <(
		printf 'a 1 0\nb 1 100000\n'
		for ((i = 1; i < 100; i += 2)); do
			echo "d$i 0 2000"
		done | sort
		echo 'z 0 1'
	)
}
