load ../helper

@test "equal stacks are added, and lines are in byte order" {
	printf '%s\n' ' 10' 'unix`0xfffffffffb800c91;genunix`post_syscall 1' \
		'unix`sys_syscall;genunix`read;genunix`fop_read;zfs`zfs_read 35' \
		'unix`thread_start;unix`idle;unix`cpu_idle_mwait;unix`i86_mwait 19' \
		> expected
	stackcollapse-dtrace "$DATA/kernel.dtrace" | diff - expected
	sed 's/$/\r/' "$DATA/kernel.dtrace" | stackcollapse-dtrace - |
		diff - expected
	# any bytes, and no line end
	printf '\n\n\nm`\xff\x00\xc3\xa9\n5' | stackcollapse-dtrace |
		cmp - <(printf 'm`\xff\x00\xc3\xa9 5\n')
}

@test "a count ends a stack of one key, text beside a number makes a frame" {
	# the stacks of one key make one
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' \
		'  sh     ' '   genunix`read+0x1' '' \
		'   libc.so.1`_read+0x7' '   sh`main+0x1' '    2' |
		stackcollapse-dtrace |
		is_line 'sh`main;libc.so.1`_read;genunix`read;sh      2'
	# a negative count ends its stack, which is left out
	printf '%s\n' '' '' '' a b -64 c 5 d -1 | stackcollapse-dtrace 2> err |
		is_line 'c 5'
	is_line 'stackcollapse-dtrace: stacks with a negative count,' \
		'left out: 2' < err
	# a number with anything beside it is a frame
	printf '%s\n' '' '' '' '5 ' -5x '- 5' 0x5 007 |
		stackcollapse-dtrace | is_line '0x5;- 5;-5x;5  7'
}

# Each is looked up twice, and told from the others by the frame that it is on.
@test "frames and what is removed from them" {
	while IFS='|' read -r frame name; do
		printf '\n  %b\n  x%02d+0x1\n 1\n' "$frame" "$((++row))" >> in
		printf 'x%02d;%s 2\n' "$row" "$name"
	done > expected <<-'END'
	unix`idle+0x114|unix`idle
	a+b+c|a+b
	+0x1|-
	f+|f
	f+0x1f|f
	f+0x1+2|f+0x1
	f+0x1 \t|f
	f+0x1\r|f
	f+one two|f
	f+0+|f+0
	12+0x1|12
	L|
	a.out`std::vector<int>::push_back(int const&)+0x2a|a.out`std::vector<int>::push_back
	a.out`less<int>(int)|a.out`less<int>
	a.out`A::operator()(int)|a.out`A::operator()
	a::b<c>|a::b<c>
	x<y>::z|x<y>::z
	a::(b|a::
	<a::b|<a::b
	a(b::c)|a
	::<|::<
	a::b(c)::d|a::b::d
	a:b(c)|a:b
	a::b->c(d)|a::b;c_[i]
	a->b::c<d>->e|a;b::c<d>_[i];e_[i]
	xL->yL|xL;yL_[i]
	Ljava/io/PrintStream;.print->LA;.b->c|java/io/PrintStream:.print;A:.b_[i];c_[i]
	a->->b->|a;_[i];b_[i]
	app`ns::run(std::function<void (int)>)+0x30|app`ns::run
	rg`_$LT$a..B$u20$as$u20$c$GT$::r::h0123456789abcdef +0x3|rg`<a::B as c>::r
	a.out`Box::operator->+0x1|a.out`Box::operator->
	a.out`<fn() -> T as X>::call|a.out`<fn() -> T as X>::call
	a.out`Box::operator->->b|a.out`Box::operator->;b_[i]
	END
	printf '%s\n' '' '' | cat - in in | stackcollapse-dtrace | diff expected -
}

@test "three lines of header are skipped, and a frame in them ends it" {
	printf '%s\n' 'Tracing...' '^C' '' a b 3 | stackcollapse-dtrace |
		is_line 'b;a 3'
	printf '%s\n' '' '' 7 a b 3 | stackcollapse-dtrace | is_line 'b;a 3'
	printf '%s\n' '  genunix`b+0x59' '  unix`a' '    2' '' \
		'  libc.so.1`_read+0x7' '  bash`main+0x1' '   15' |
		stackcollapse-dtrace | are_lines \
		'bash`main;libc.so.1`_read 15' 'unix`a;genunix`b 2'
	printf '%s\n' '' ' 0x1f2e' main 3 | stackcollapse-dtrace |
		is_line 'main;0x1f2e 3'
	# of each file
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' 'm`a' 1 > one
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' 'm`b' 2 > two
	stackcollapse-dtrace one two | are_lines 'm`a 1' 'm`b 2'
}

@test "the parts of a split file fold like the file" {
	stackcollapse-dtrace "$DATA/kernel.dtrace" > whole
	[ -s whole ]
	for lines in 3 4 5 8; do
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
		stackcollapse-dtrace one two | is_line 'b;a 3'
		# after a stack, another header begins anew
		fails $((lines > 3)) stackcollapse-dtrace one whole two \
			2> err > out
	done
	head -n 2 whole > one
	stackcollapse-dtrace one whole | is_line 'b;a 3'
}

@test "missing input and missing stacks are reported" {
	printf '%s\n' '' '' '' 'm`a' 1 'm`b' | fails 1 stackcollapse-dtrace 2> err |
		is_line 'm`a 1'
	grep -q 'the input ends inside a stack' err
	stackcollapse-dtrace < /dev/null 2>&1 |
		is_line 'stackcollapse-dtrace: the input is empty'
	printf 'CPU     ID                    FUNCTION:NAME\n\n\n' |
		fails 1 stackcollapse-dtrace 2>&1 |
		is_line 'stackcollapse-dtrace: no stack was found'
}

# rejects GUESS: the input is told to look like GUESS, and nothing is printed.
rejects() {
	fails 1 stackcollapse-dtrace 2> err | diff /dev/null -
	is_line "stackcollapse-dtrace: standard input is not what" \
		"DTrace prints; it looks like $1" < err
}

@test "input that is not DTrace's is an error that says what it is" {
	printf 'a;b 1\n' | rejects 'folded text, which flamegraph draws'
	rejects 'the output of perf script, which stackcollapse-perf folds' \
		< "$DATA/demo.perf"
	printf '\x00\x02\x01\n\x00\x00' | rejects 'binary data'
	printf 'PERFILE2\x00\x00' | fails 1 stackcollapse-dtrace 2>&1 |
		is_line 'stackcollapse-dtrace: standard input: a perf.data file,' \
		'which stackcollapse-perf folds'
	printf 'some\nlog\nof\nsomething\n' | rejects 'some other text'
}

@test "a line that begins like the one that was there last is parsed" {
	printf '  module`leaf\n  module`f+%s\n 1\n' 0x1 'one two' 0x2 > in
	stackcollapse-dtrace in | is_line 'module`f;module`leaf 3'
	printf '  module`leaf\n  module`f' > one
	printf '  module`leaf\n  module`fg\n 1\n' > two
	stackcollapse-dtrace one two |
		is_line 'module`fg;module`leaf;module`f;module`leaf 1'
}
