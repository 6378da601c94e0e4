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

@test "counts add up to the input's" {
	stackcollapse-dtrace "$DATA/kernel.dtrace" |
		awk '{ n += $NF } END { print n }' | diff - <(
		grep -x ' *[0-9][0-9]*' "$DATA/kernel.dtrace" |
		awk '{ n += $1 } END { print n }')
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
	for lines in 3 4 5 6 7 8 9 10 11 16 17; do
		rm -f part.*
		split -l $lines "$DATA/kernel.dtrace" part.
		stackcollapse-dtrace part.* | diff - whole
	done
}

@test "a header that a file ends in goes on in the next one" {
	local lines jobs
	printf '%s\n' 'CPU ID FUNCTION:NAME' ' 0 1 :END' '' ' a' ' b' 3 > whole
	for lines in 1 2 3 4 5; do
		head -n $lines whole > one
		tail -n +$((lines + 1)) whole > two
		for jobs in 1 2; do
			stackcollapse-dtrace --jobs $jobs one two |
				diff - <(echo 'b;a 3')
			# after a stack, another header begins anew
			fails $((lines > 3)) stackcollapse-dtrace --jobs $jobs \
				one whole two 2> err > out
			fails $((lines > 3)) stackcollapse-dtrace \
				one whole two 2> err | diff - out
		done
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

@test "a long line and a deep stack are whole" {
	long=$(head -c 300000 /dev/zero | tr '\0' x)
	name_of "m\`$long" | diff - <(echo "m\`$long")
	{ printf '\n\n\n'; seq -f 'm`f%g' 100000; echo 1; } |
		stackcollapse-dtrace | tr ';' '\n' |
		diff - <(seq -f 'm`f%g' 100000 -1 2; echo 'm`f1 1')
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

@test "a full disk is an error" {
	[ -e /dev/full ] || skip 'no /dev/full'
	fails 1 stackcollapse-dtrace "$DATA/kernel.dtrace" \
		> /dev/full 2> err
	grep -q '^stackcollapse-dtrace: .*: No space left on device' err
}

@test "--version prints the version that the Makefile has" {
	stackcollapse-dtrace --version 2> err | diff - <(
		sed -n 's/^VERSION = /stackcollapse-dtrace /p' "$TOP/Makefile")
	[ ! -s err ]
}

@test "--help prints the usage" {
	stackcollapse-dtrace --help 2> err | has -xF \
		'usage: stackcollapse-dtrace [--jobs N] [file ...] > out.folded'
	[ ! -s err ]
}

@test "an unknown option is an error" {
	fails 2 stackcollapse-dtrace --frames > out 2> err
	[ ! -s out ]
	diff err - <<-END
	stackcollapse-dtrace: unknown option: --frames
	Try 'stackcollapse-dtrace --help'.
	END
}

# random_stacks SEED STACKS: DTrace output with a bit of everything.
random_stacks() {
	awk -v seed="$1" -v stacks="$2" '
		function pick(list,	n, parts) {
			n = split(list, parts, "|")
			return parts[int(rand() * n) + 1]
		}
		BEGIN {
			srand(seed)
			cr = rand() < .2 ? "\r" : ""
			if (rand() < .7)
				printf "CPU     ID                    FUNCTION:NAME%s\n  0  64091                        :tick-60s%s\n%s\n", cr, cr, cr
			for (i = 0; i < stacks; i++) {
				for (n = rand() * rand() * 30; n > 0; n--) {
					printf "              %s+0x%x%s\n", pick("genunix`open|unix`trap|a->b`c|x::y(int)|x;y`z|foo"), rand() * rand() * 99, cr
					if (rand() < .01)
						print cr
				}
				if (rand() < .99)
					printf "%16s%s\n%s\n", pick("15|276|1|18446744073709551615|-3"), cr, cr
			}
			if (rand() < .5)
				printf "     unix`trap"
		}'
}

# same_in_threads OPERAND...: all that is said and done is what one thread does.
same_in_threads() {
	local jobs status=0
	stackcollapse-dtrace --jobs 1 "$@" > one.out 2> one.err || status=$?
	[ -s one.out ] || [ -s one.err ]
	for jobs in 2 3 7; do
		fails $status stackcollapse-dtrace --jobs $jobs "$@" > out 2> err
		diff one.out out
		diff one.err err
	done
	fails $status stackcollapse-dtrace "$@" > out 2> err
	diff one.out out
	diff one.err err
}

@test "results and messages are the same for any number of threads" {
	local i
	for i in 1 2 3 4 5 6; do
		random_stacks $i 3000 > p
		same_in_threads p
		dd if=p bs=3000 2> dd.err |
			stackcollapse-dtrace --jobs 3 2> err | diff one.out -
	done
	random_stacks 7 3000 > q
	same_in_threads missing p q missing q p
	same_in_threads "$DATA"/*
	awk 'BEGIN { for (; i < 60000; i++) print "some other text" }' > other
	same_in_threads other
	same_in_threads "$DATA"
}

@test "a title is one where a file begins, not where a thread does" {
	awk 'BEGIN {
		for (; i < 30000; i++) {
			print "CPU     ID     FUNCTION:NAME\n  0  1   :END\n"
			print "   unix`idle+0x" i % 7 "\n    1"
		}
	}' > in
	same_in_threads in
	diff out - <<-'END'
	unix`idle 1
	unix`idle;0  1   :END;CPU     ID     FUNCTION:NAME 29999
	END
}

@test "a number of threads out of range is refused" {
	fails 2 stackcollapse-dtrace --jobs 0 < /dev/null 2>&1 |
		has -e 'option --jobs: 0 is not from 1 to 64'
	fails 2 stackcollapse-dtrace --jobs 65 < /dev/null
	stackcollapse-dtrace --jobs 64 "$DATA/kernel.dtrace" |
		diff - <(stackcollapse-dtrace "$DATA/kernel.dtrace")
}

@test "a line that begins like the one that was there last is parsed" {
	printf '  module`leaf\n  module`f+%s\n 1\n' 0x1 'one two' 0x2 > in
	stackcollapse-dtrace in | diff - <(echo 'module`f;module`leaf 3')
	printf '  module`leaf\n  module`f' > one
	printf '  module`leaf\n  module`fg\n 1\n' > two
	stackcollapse-dtrace one two | diff - <(
		echo 'module`fg;module`leaf;module`f;module`leaf 1')
}

@test "threads see the header, too, when it comes line by line" {
	{
		for line in 7 7 7 a; do
			echo $line
			sleep .2
		done
		printf 'b\n3\n'
	} | stackcollapse-dtrace --jobs 2 | diff - <(echo 'b;a 3')
}

@test "a frame is the same whatever offset it has, and no other line is one" {
	# everything after the last '+' goes; each frame is looked up twice
	for i in 1 2; do
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
	stackcollapse-dtrace --jobs=1 in | diff expected -
	stackcollapse-dtrace --jobs=2 in | diff expected -
}
