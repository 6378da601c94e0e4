load ../helper

# Sizes beyond the usual: each gives a right result or a clear refusal, in time
# that grows as the input does.

# repeat COUNT BYTE
repeat() {
	head -c "$1" /dev/zero | tr '\0' "$2"
}

@test "lines of 8 MB pass through every program" {
	repeat 8000000 x > name
	{ printf 'a 1 1.0: 1 c:\n 1 '; cat name; printf ' (/x)\n\n'; } |
		stackcollapse-perf | cmp - <(printf 'a;'; cat name; echo ' 1')
	{ cat name; printf ' 1 1.0: 1 c:\n\n'; } |
		stackcollapse-perf | cmp - <(cat name; echo ' 1')
	{ printf '\n\n\n '; cat name; printf '\n 5\n'; } |
		stackcollapse-dtrace | cmp - <(cat name; echo ' 5')
	{ cat name; echo ' 200'; } > folded
	difffolded folded folded | cmp - <(cat name; echo ' 200 200')
	[ "$(flamegraph folded 2>&1 | tr -cd x | wc -c)" -gt 8000000 ]
}

@test "lines of nothing but odd signs take no longer" {
	for sign in : '(' ')' '<' '{' '>' '[' ' (' ') ' '->' ' 1.1: ' '1 ' \
	    '1/' '[1] ' 'operator<' '0x' '`' \' ';' 'f()::' '.().' ' const' \
	    'decltype (' '[(<{' '}>)]' 'f<int>()::' 'long (*' '() const &::'; do
		awk -v sign="$sign" 'BEGIN { for (; i < 50000; i++)
			printf "%s", sign }' > signs
		{ printf 'a 1 1.0: 1 c: '; cat signs; printf '\n '; cat signs
			printf '\n 1 '; cat signs; printf ' (/x)\n\n'
			cat signs; printf ' 1 1.0: 1 c:\n\n   a 1 1.0: 1 c: '
			cat signs; printf ' 1abc f (/x)\n\n'; } >> perf
		{ printf '\n\n\n '; cat signs; printf '\n 5\n'; } >> dtrace
		{ printf 'a;'; cat signs; printf ' 5\n'; cat signs
			printf ' 3 4\n'; } >> folded
	done
	timeout 60 stackcollapse-perf --all perf > out 2> err
	timeout 60 stackcollapse-dtrace dtrace > out 2> err
	timeout 60 difffolded -s folded folded > out
	timeout 60 flamegraph --reverse --colors java folded > out 2> err
	has '</svg>' out
}

@test "blanks before an almost valid timestamp take no longer" {
	{ repeat 1000000 '\t'; awk 'BEGIN { for (; i < 150000; i++)
		printf "x1 1.1:" }'; echo; } > in
	fails 1 timeout 60 stackcollapse-perf in 2> err > out
	head -n 1 err | has 'not what perf script prints'
}

@test "a frame may have 100,000 attributes, and a million ampersands" {
	awk 'BEGIN { printf "a\tg_extra="
		for (; i < 100000; i++) printf "x%d=\"\" ", i
		print "x0=\"\"" }' > attributes
	echo 'a 200' > folded
	fails 1 timeout 60 flamegraph --nameattr attributes folded 2>&1 > out |
		is_line 'flamegraph: attributes: line 1: given twice: x0'
	{ printf 'a\tid='; repeat 1000000 '&'; echo 'amp;#38;'; } > attributes
	timeout 60 flamegraph --nameattr attributes folded |
		grep -o 'id="&amp[^"]*' | tr -cd '&' | wc -c | is_line 1000000
}

@test "a stack of 300,000 frames is folded, compared and drawn" {
	awk 'BEGIN { print "a 1 1.0: 900 c:"
		for (; i < 300000; i++) print " 1 f" i % 10 " (/x)"
		print "" }' | stackcollapse-perf > folded
	[ "$(wc -c < folded)" -eq $((1 + 3 * 300000 + 5)) ]
	awk 'BEGIN { printf "\n\n\n"
		for (; i < 300000; i++) print " f" i % 10
		print " 900\n" }' | stackcollapse-dtrace | cmp - <(cut -c3- folded)
	difffolded folded folded | cmp - <(sed 's/$/ 900/' folded)
	flamegraph --reverse folded | grep -c '<title>f[0-9] ' | is_line 300000
}

@test "200,000 different stacks are folded, compared and drawn" {
	awk 'BEGIN { for (; i < 200000; i++)
		printf "a 1 1.0: 1 c:\n 1 g%d (/x)\n 1 f%d (/x)\n\n", i, i % 7 }' |
		stackcollapse-perf > folded
	awk 'BEGIN { for (; i < 200000; i++)
		printf "a;f%d;g%d 1\n", i % 7, i }' | sort | cmp - folded
	difffolded folded folded | cmp - <(sed 's/$/ 1/' folded)
	flamegraph folded > out.svg
	grep -q '<title>f6 (28,571 samples, 14.29%)' out.svg
}

# In each row a program, its stack, and what is before and around each count.
@test "counts are exact up to 2^64 - 1, and larger ones are reported" {
	while IFS='|' read -r name stack begin line; do
		for counts in '18446744073709551614 1' \
		    '18446744073709551615 1' '55555555555555555555 5' \
		    18446744073709551616 36893488147419103233 \
		    "$(repeat 700 9)"; do
			{ printf "$begin" && printf "$line" $counts; } |
				"stackcollapse-$name" 2>> err |
				is_line "$stack 18446744073709551615"
		done
		printf "%.0sstackcollapse-$name: a count is larger than 2^64 - 1, and is printed as that\n" {1..5} >> expected
	done <<-'END'
	bpftrace|a||@[\n    a\n]: %s\n
	dtrace|a|\n\n\n| a\n %s\n
	perf|a||a 1 1.0: %s c:\n\n
	perf|kworker/u16:3;f||kworker/u16:3 29007 1.0: %s c:\n\t5 f (/x)\n\n
	recursive|a||a;a %s\n
	stap|a|| a+0x1\n%s\n
	END
	diff err expected
	# the names become one
	printf 'a 1 1.0: %s c:\n\t5 Frame%s12 (/x)\n\n' 18446744073709551615 ' ' 5 _ |
		stackcollapse-perf 2>&1 > out | has 'larger than 2^64 - 1'
	is_line 'a;Frame_12 18446744073709551615' < out
	printf 'a 36893488147419103232\nb 36893488147419103232\n' |
		flamegraph | has '<title>b (36,893,488,147,419,103,232 samples, 50.00%)'
}

@test "counts of hundreds of digits are right, or refused" {
	printf 'a 0.%s\nb 100.%s\nc %s199.%s\n' "$(repeat 300 3)" \
		"$(repeat 300 0)" "$(repeat 300 0)" "$(repeat 300 6)" > folded
	flamegraph folded | has '<title>c (200 samples, 66.56%)'
	difffolded folded folded | are_lines \
		'a 0.333333333333333 0.333333333333333' 'b 100 100' "c \
199.666666666667 199.666666666667"
	printf 'a %s 5\n' "$(repeat 600 3)" > first
	printf 'a 5 %s\n' "$(repeat 600 3)" > second
	printf 'a %s\n' "$(repeat 308 9)" "$(repeat 308 9)" > sum
	# its percentages would be no numbers
	printf '%s\n' "a 0 $(repeat 307 9)" 'b 0 1' 'c 5 5' > change
	for file in first second sum change; do
		fails 1 flamegraph $file 2>&1 > out |
			has 'more than a double holds'
		diff out /dev/null
	done
	echo 'a 1' > small
	fails 1 difffolded second small 2>&1 > out |
		has 'more than a double holds'
	fails 1 difffolded small sum > out 2> err
	fails 1 difffolded -n first second > out 2> err
	printf 'a 9%s\n' "$(repeat 200 9)" > large
	printf 'a 8%s\n' "$(repeat 200 9)" > larger
	fails 1 difffolded -n large larger 2> err | diff /dev/null -
}
