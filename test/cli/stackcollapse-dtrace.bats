load ../helper

# name_of FRAME: what a frame becomes in a folded stack.
name_of() {
	printf '%s\n' '' '' '' "$1" 1 | stackcollapse-dtrace | sed 's/ 1$//'
}

@test "example: what is counted, and how" {
	cat > out.stacks <<-'END'
	CPU     ID                    FUNCTION:NAME
	  0  64091                        :tick-60s

	              libc.so.1`_read+0x7
	              bash`main+0x1
	               15

	END
	stackcollapse-dtrace out.stacks | diff - <(
		echo 'bash`main;libc.so.1`_read 15')
}

@test "example: stacks become a picture" {
	cp "$DATA/kernel.dtrace" out.stacks
	stackcollapse-dtrace out.stacks | flamegraph > out.svg
	grep -q '<title>genunix`fop_read (35 samples, 53.85%)' out.svg
}

@test "example: where the kernel reads files" {
	cp "$DATA/kernel.dtrace" out.stacks
	stackcollapse-dtrace out.stacks | grep 'fop_read;' | diff - <(
		echo 'unix`sys_syscall;genunix`read;genunix`fop_read;zfs`zfs_read 35')
}

@test "equal stacks are added, and lines are in byte order" {
	stackcollapse-dtrace "$DATA/kernel.dtrace" | diff - <(printf '%s\n' \
		' 10' 'unix`0xfffffffffb800c91;genunix`post_syscall 1' \
		'unix`sys_syscall;genunix`read;genunix`fop_read;zfs`zfs_read 35' \
		'unix`thread_start;unix`idle;unix`cpu_idle_mwait;unix`i86_mwait 19')
}

@test "standard input is read without operands and for -" {
	stackcollapse-dtrace < "$DATA/kernel.dtrace" > all
	[ -s all ]
	stackcollapse-dtrace - < "$DATA/kernel.dtrace" | diff - all
	stackcollapse-dtrace "$DATA/kernel.dtrace" | diff - all
}

@test "the stacks of one key make one" {
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' \
		'  sh     ' '   genunix`read+0x1' '' \
		'   libc.so.1`_read+0x7' '   sh`main+0x1' '    2' |
		stackcollapse-dtrace | diff - <(
		echo 'sh`main;libc.so.1`_read;genunix`read;sh      2')
}

@test "the offset is everything after the last +" {
	name_of 'unix`idle+0x114' | diff - <(echo 'unix`idle')
	name_of 'a+b+c' | diff - <(echo 'a+b')
	name_of '+0x1' | diff - <(echo '-')
	name_of 'L' | diff - <(echo)
}

@test "arguments are cut from names with ::" {
	name_of 'a.out`std::vector<int>::push_back(int const&)+0x2a' | diff - <(
		echo 'a.out`std::vector<int>::push_back')
	name_of 'a.out`less<int>(int)' | diff - <(echo 'a.out`less<int>(int)')
	name_of 'a.out`A::operator()(int)' | diff - <(echo 'a.out`A::operator()')
}

@test "everything after the last bracket that follows :: is left out" {
	while IFS='|' read -r frame name; do
		name_of "$frame" | diff - <(echo "$name")
	done <<-'END'
	a::b<c>|a::b
	x<y>::z|x<y>::z
	a::(b|a::
	<a::b|<a::b
	a(b::c)|a(b::c)
	::<|::
	a::b(c)::d|a::b
	a:b(c)|a:b(c)
	a::b->c(d)|a::b;c_[i]
	a->b::c<d>->e|a;b::c_[i]
	f+0x1+2|f+0x1
	f+|f
	L|
	xL->yL|xL;yL_[i]
	END
}

@test "a chain of Java methods is inlined, without L and ;" {
	name_of 'Ljava/io/PrintStream;.print->LA;.b->c' | diff - <(
		echo 'java/io/PrintStream:.print;A:.b_[i];c_[i]')
	name_of 'a->->b->' | diff - <(echo 'a;_[i];b_[i]')
}

@test "-> joins methods only outside brackets, and is no operator's" {
	name_of 'a.out`Box::operator->+0x1' | diff - <(
		echo 'a.out`Box::operator->')
	name_of 'a.out`<fn() -> T as X>::call' | diff - <(
		echo 'a.out`<fn() -> T as X>::call')
	name_of 'a.out`Box::operator->->b' | diff - <(
		echo 'a.out`Box::operator->;b_[i]')
}

@test "a frame in the header ends it" {
	stackcollapse-dtrace <<-'END' | diff - <(printf '%s\n' \
		'bash`main;libc.so.1`_read 15' 'unix`a;genunix`b 2')
	              genunix`b+0x59
	              unix`a
	                2

	              libc.so.1`_read+0x7
	              bash`main+0x1
	               15
	END
	printf '%s\n' '' ' 0x1f2e' main 3 | stackcollapse-dtrace | diff - <(
		echo 'main;0x1f2e 3')
	printf '%s\n' '' '' ' read+0x3' main 3 | stackcollapse-dtrace |
		diff - <(echo 'main;read 3')
}

@test "three lines of header are skipped, whatever they are" {
	printf '%s\n' 'Tracing...' '^C' '' a b 3 | stackcollapse-dtrace |
		diff - <(echo 'b;a 3')
	printf '%s\n' '' '' 7 a b 3 | stackcollapse-dtrace |
		diff - <(echo 'b;a 3')
}

@test "each file has its header" {
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' 'm`a' 1 > one
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' 'm`b' 2 > two
	stackcollapse-dtrace one two | diff - <(printf '%s\n' 'm`a 1' 'm`b 2')
}

@test "the parts of a file that was split fold like the whole" {
	stackcollapse-dtrace "$DATA/kernel.dtrace" > whole
	[ -s whole ]
	for lines in 3 4 5 6 8 11 17; do
		rm -f part.*
		split -l $lines "$DATA/kernel.dtrace" part.
		stackcollapse-dtrace part.* | diff - whole
	done
}

@test "a header that a file ends in goes on in the next one" {
	local lines
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' ' a' ' b' 3 > whole
	for lines in 1 2 3 4 5; do
		head -n $lines whole > one
		tail -n +$((lines + 1)) whole > two
		stackcollapse-dtrace one two | diff - <(echo 'b;a 3')
		# after a stack, another header begins anew
		fails $((lines > 3)) stackcollapse-dtrace one whole two \
			2> err > out
	done
	head -n 2 whole > one
	stackcollapse-dtrace one whole | diff - <(echo 'b;a 3')
}

@test "a negative count ends its stack, which is left out" {
	printf '%s\n' '' '' '' a b -64 c 5 d -1 | stackcollapse-dtrace 2> err |
		diff - <(echo 'c 5')
	diff err <(echo 'stackcollapse-dtrace: stacks with a negative count,' \
		'left out: 2')
}

@test "a number with anything beside it is a frame" {
	printf '%s\n' '' '' '' '5 ' -5x '- 5' 0x5 007 |
		stackcollapse-dtrace | diff - <(echo '0x5;- 5;-5x;5  7')
}

@test "lines may end in CR LF" {
	sed 's/$/\r/' "$DATA/kernel.dtrace" | stackcollapse-dtrace > out
	[ -s out ]
	stackcollapse-dtrace "$DATA/kernel.dtrace" | diff out -
}

@test "the last line needs no line end" {
	printf '\n\n\nm`a\n 5' | stackcollapse-dtrace | diff - <(echo 'm`a 5')
}

@test "names may hold any byte" {
	printf '\n\n\nm`\xff\x00\xc3\xa9\n5\n' | stackcollapse-dtrace |
		cmp - <(printf 'm`\xff\x00\xc3\xa9 5\n')
}

@test "counts are exact up to 2^64 - 1, and a larger one is said to be" {
	printf '%s\n' '' '' '' a 18446744073709551614 a 1 |
		stackcollapse-dtrace 2>&1 |
		diff - <(echo 'a 18446744073709551615')
	printf '%s\n' '' '' '' a 18446744073709551615 a 1 |
		stackcollapse-dtrace 2> err |
		diff - <(echo 'a 18446744073709551615')
	grep -q 'a count is larger than 2^64 - 1' err
	printf '%s\n' '' '' '' a 18446744073709551616 |
		stackcollapse-dtrace 2> err |
		diff - <(echo 'a 18446744073709551615')
	grep -q 'a count is larger than 2^64 - 1' err
}

@test "a stack that the input ends in is left out, with a warning" {
	printf '%s\n' '' '' '' 'm`a' 1 'm`b' | stackcollapse-dtrace 2> err |
		diff - <(echo 'm`a 1')
	grep -q 'the input ends inside a stack' err
}

@test "empty input gives a warning and nothing else" {
	stackcollapse-dtrace < /dev/null > out 2> err
	[ ! -s out ]
	diff err <(echo 'stackcollapse-dtrace: the input is empty')
}

@test "a header without stacks gives a warning" {
	printf 'CPU     ID                    FUNCTION:NAME\n\n\n' |
		stackcollapse-dtrace > out 2> err
	[ ! -s out ]
	diff err <(echo 'stackcollapse-dtrace: no stack was found')
}

# rejects GUESS: the input is told to look like GUESS, and nothing is printed.
rejects() {
	fails 1 stackcollapse-dtrace > out 2> err
	[ ! -s out ]
	diff err <(echo "stackcollapse-dtrace: standard input is not what" \
		"DTrace prints; it looks like $1")
}

@test "input that is not DTrace's is an error that says what it is" {
	printf 'a;b 1\n' | rejects 'folded text, which flamegraph draws'
	rejects 'the output of perf script, which stackcollapse-perf folds' \
		< "$DATA/demo.perf"
	printf '\x00\x02\x01\n\x00\x00' | rejects 'binary data'
	printf 'PERFILE2\x00\x00' | fails 1 stackcollapse-dtrace 2>&1 | diff - <(
		echo 'stackcollapse-dtrace: standard input: a perf.data file,' \
		'which stackcollapse-perf folds')
	printf 'some\nlog\nof\nsomething\n' | rejects 'some other text'
}

@test "a file that cannot be read is reported, and the others are read" {
	mkdir folder
	fails 1 stackcollapse-dtrace missing folder "$DATA/kernel.dtrace" \
		> out 2> err
	diff out <(stackcollapse-dtrace "$DATA/kernel.dtrace")
	diff err - <<-'END'
	stackcollapse-dtrace: missing: No such file or directory
	stackcollapse-dtrace: folder: Is a directory
	END
}

@test "a line that begins like the one that was there last is parsed" {
	printf '  module`leaf\n  module`f+%s\n 1\n' 0x1 'one two' 0x2 > in
	stackcollapse-dtrace in | diff - <(echo 'module`f;module`leaf 3')
	printf '  module`leaf\n  module`f' > one
	printf '  module`leaf\n  module`fg\n 1\n' > two
	stackcollapse-dtrace one two | diff - <(
		echo 'module`fg;module`leaf;module`f;module`leaf 1')
}

@test "a frame is the same whatever offset it has, and no other line is one" {
	# everything after the last '+' goes; each frame is looked up twice
	for _ in 1 2; do
		while read -r line; do
			printf '  %b\n  x+0x1\n 1\n\n' "$line"
		done <<-'END'
		f+0x1
		f+0x1f
		f+
		f
		f+0x1 \t
		f+0x1\r
		f+one two
		f+1+2
		f+1+0x2
		12+0x1
		f+0+
		END
	done > in
	printf '%s\n' 'x;12 2' 'x;f 14' 'x;f+0 2' 'x;f+1 4' > expected
	stackcollapse-dtrace in | diff expected -
}
