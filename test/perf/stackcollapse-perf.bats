load ../helper
load lines

@test "example: a sample and its folded stack" {
	cat > in.perf <<-'END'
	java 24636/25607 [000] 4794564.109216:     235 cpu-clock:
	        7f722d142778 Ljava/io/PrintStream;::print (/tmp/perf-24636.map)
	        7f722d0bb0a1 main+0x1f (/usr/bin/java)

	END
	stackcollapse-perf --pid --jit in.perf | is_line 'java-24636;main;java/io/PrintStream:::print_[j] 235'
}

@test "the counts of a recorded profile add up to its periods" {
	stackcollapse-perf --kernel "$DATA/demo.perf" > out
	awk '{ n += $NF } END { printf "%.0f\n", n }' out |
		diff - <(awk '/cpu-clock: *$/ { n += $(NF - 1) }
			END { printf "%.0f\n", n }' "$DATA/demo.perf")
	grep -q ';vfs_read_\[k\]' out
}

@test "equal stacks are added, and lines are in byte order" {
	stackcollapse-perf <<-'END' | are_lines \
		'a;b 5' 'a;b.c;d 1' 'a;b;e 7' 'a_b;z 1' 'b 1'
	b 1 1.0: 1 cycles:

	a 1 1.0: 2 cycles:
	 1 b (/x)

	a 1 1.2: 3 cycles:
	 1 b+0x9 (/x)

	a 1 1.3: 7 cycles:
	 1 e (/x)
	 1 b (/x)

	a b 1 1.4: 1 cycles:
	 1 z (/x)

	a 1 1.5: 1 cycles:
	 1 d (/x)
	 2 b.c (/x)

	END
}

# heads < TABLE: folds each line left of a | as the head of two samples in a file
# of its own, of which the second one's is known, and compares the event, root
# and count of each with what is right of it.
heads() {
	awk '{
		match($0, /[|][^|]*$/)
		text = substr($0, 1, RSTART - 1) "\\n\\t1 f@ (/x)\\n\\n"
		root = substr($0, RSTART + 1)
		sub(/ [0-9]*$/, "", root)
		printf "%s%s|%s;f@ %.0f\n", text, text, root, 2 * $NF
	}' | rows --tid --each-event
}

@test "the command is left of the numbers before the time, the period right" {
	# without a time stamp, the first number ends the command
	heads <<-'END'
	R 5 [000] 1.0: 1 cycles:|cycles;R-?/5 1
	Worker 12 x  1/2 [000] 1.0: 1 cycles:|cycles;Worker_12_x-1/2 1
	foo [001] bar 6 1.0: 1 cycles:|cycles;foo_[001]_bar-?/6 1
	a/1:2     7 [003]  1.000000000: 1 cycles:|cycles;a/1:2-?/7 1
	a:1.5:b 1 1.5: 7 cycles:|cycles;a:1.5:b-?/1 7
	prog 1/ 1.5: 7 cycles:|cycles;prog-?/1 7
	1/2 1.5: 7 cycles:|cycles;:1-1/2 7
	w 9 x 1 [000] 1.5: 7 cycles:|cycles;w_9_x-?/1 7
	prog 1 1.5: cycles:|cycles;prog-?/1 1
	prog 1 1.5: 0 cycles:|cycles;prog-?/1 1
	prog 1 1.5: 7 :|unknown;prog-?/1 1
	prog 1 1.5: 7 cycles: x|cycles;prog-?/1 1
	prog 1 1.5:|unknown;prog-?/1 1
	prog 1 1.5:          7 |unknown;prog-?/1 7
	prog 1 1.5: 12345678901|unknown;prog-?/1 12345678901
	prog 1 1.5:     550012345678|unknown;prog-?/1 1
	prog 1 1.5: 7 raw 0x1a8: |raw 0x1a8;prog-?/1 7
	a b 1/2 [011] 1.000000001: 7 cpu_core/cycles/: |cpu_core/cycles/;a_b-1/2 7
	a b 1/2 [011] 1.000000001: 7 cpu/event=0x3c,umask=0x1/upp: |cpu/event=0x3c,umask=0x1/upp;a_b-1/2 7
	a b 1/2 [011] 1.000000001: 7 r1a8:u: |r1a8:u;a_b-1/2 7
	V 9 cycles:|unknown;V-?/9 1
	node-v011 31912 cpu-clock:|unknown;node-v011-?/31912 1
	two words 3/4 cpu-clock:|unknown;two_words-3/4 1
	prog x 12 cycles:|unknown;prog_x-?/12 1
	prog 1 7 cycles:|unknown;prog-?/1 1
	prog 1 |unknown;prog-?/1 1
	prog 1 1: 7 cycles:|cycles;prog-?/1 7
	END
	printf '%s\n\n' 'a 1 1.5: c:' prog 'prog 1' 'prog x' '- 1x c:' |
		stackcollapse-perf 2> err | is_line 'a 1'
	grep -q ' 4 lines were not recognized' err
}

@test "samples without a call graph are stacks of one frame" {
	stackcollapse-perf 2>err <<-'END' | are_lines \
		'Web_Content;js::Run 20' 'kworker/0:1-eve;f 7' 'swapper;halt 30'
	         swapper     0 [000] 1.0:  10 cycles:  ffffffff81000130 halt+0xb ([kernel.kallsyms])
	     Web Content  9001 [001] 1.1:  20 cycles:       401b97 js::Run(int)+0x9 (/x.so (deleted))
	         swapper     0 [000] 1.2:  20 cycles:  ffffffff81000130 halt+0xc ([kernel.kallsyms])
	kworker/0:1-eve  9 [0] 1.0: 7 cycles:  ffffffff81000131 f ([k])
	END
	diff err /dev/null
}

@test "a frame on the event line is separated from the event's arguments" {
	rows <<-'END'
	   a@ 1 1.0: 7 c:  1 f (/x)\n|a@;f 7
	a@ 1 1.0: 7 c:  12345 f (/x)\n\n|a@ 1
	aaaaaaaaaaaa@ 1 1.0: 7 c:  12345 f (/x)\n\n|aaaaaaaaaaaa@ 1
	aaaaaaaaaaaaaa@ 1 1.0: 7 c:  12345 f (/x)\n|aaaaaaaaaaaaaa@;f 7
	aaaaaaaaaaaaaa@ 1 1.0: 7 c:  1234 f (/x)\n\n|aaaaaaaaaaaaaa@ 1
	   a@ 1 1.0: 7 c:  x 1234 f (/x)\n|
	   a@ 1 1.0: 7 c:  x 12345 f (/x)\n|a@;f 1
	   a@ 1 1.0: 7 c:  12345 y 123456 f (/x) 1234567\n|a@;f 1
	   a@ 1 1.0: 7 c:  12345 x 12345x f (/x)\n|a@;x 12345x f 7
	   a@ 1 1.0: 7 c:  12345x f (/x)\n|
	END
}

@test "arguments of a tracepoint are no frame, but one may follow them" {
	stackcollapse-perf --event-filter=sys:enter <<-'END' | diff - <(printf \
		'%s\n' 'sshd;f 1' 'sshd;read 2')
	sshd 7 [000] 9.0: 1 sys:enter: NR 0 (3, 7ffd0, 1000, 0)
	 1 read (/x)

	sshd 7 [000] 9.0: 1 sys:enter: add foo+0x1 (bar)
	 1 read (/x)

	   sshd 7 [000] 9.0: 5 sys:enter: NR 0 (3, 7ffd0, 0) ffffffff81 f (/x)
	END
}

@test "of several events the first counts, or the one that --event-filter names" {
	cat > in <<-'END'
	a 1 1.0: 1 cycles:u:

	a 1 1.0: 7 instructions:

	a 1 1.0: 9 kmem:kfree: call_site=ffff ptr=(nil)
	 1 kfree+0x1b ([kernel.kallsyms])

	a 1 1.0: 9 faults:u:

	a 1 1.0: 2 cycles:u:

	END
	stackcollapse-perf in 2>err | is_line 'a 3'
	has '^Filtering for events of type: cycles:u .*: 3)$' err
	stackcollapse-perf --event-filter=kmem:kfree in 2>err |
		is_line 'a;kfree 1'
	diff err /dev/null
	# where there is none, the others are named
	sed 's/cycles/b/' in > second
	stackcollapse-perf --event-filter=no in second 2> err | diff - /dev/null
	diff err - <<-'END'
	stackcollapse-perf: no sample is of the event no; of other events there are 10: cycles:u, instructions, kmem:kfree, faults:u, b:u
	END
	printf 'a 1 1.5: 7 %s:\n\t5 f (/x)\n\n' {a..i} |
		stackcollapse-perf --event-filter=no 2>&1 |
		has 'there are 9: a, b, c, d, e, f, g, h, ...$'
	head -2 in | stackcollapse-perf --event-filter=no 2>&1 |
		has 'of other events there is 1: cycles:u$'
}

# What perf 6.12 and 7 print of threads that have ended.
@test "a thread that has ended has the command that it had before, in its file" {
	cat > a <<-'END'
	sh 7 [000] 1.0: 1 cycles:
	 1 f (/x)

	cc1 7 [000] 2.0: 1 cycles:
	 1 f (/x)

	cc1 7 [000] 2.5: 1 cycles:
	 1 f (/x)

	:7       7 [000] 3.0: 2 cycles:
	 1 exit ([kernel.kallsyms])

	ld 7 [000] 4.0: 1 cycles:
	 1 f (/x)

	:8       8 [000] 5.0: 4 cycles:
	 1 exit ([kernel.kallsyms])

	as 8 [000] 6.0: 1 cycles:
	 1 f (/x)

	:7       7 [000] 7.0: 8 cycles:
	 1 exit ([kernel.kallsyms])

	END
	stackcollapse-perf a | are_lines ':8;exit 4' 'as;f 1' \
		'cc1;exit 10' 'cc1;f 2' 'ld;f 1' 'sh;f 1'
	stackcollapse-perf --tid a | grep exit | are_lines \
		':8-?/8;exit 4' 'cc1-?/7;exit 10'
	sed 's,^\([^ ]* *\)\([78]\) ,\19/\2 ,' a | stackcollapse-perf --pid |
		grep exit | are_lines ':8-9;exit 4' 'cc1-9;exit 10'
	sed 's/cc1/cc2/; s/^as 8/:7 7/' a > b
	echo ':7;exit 3' > c
	stackcollapse-perf a b c | grep exit | are_lines \
		':7;exit 3' ':8;exit 8' 'cc1;exit 10' 'cc2;exit 10'
}

@test "--srcline takes a line after a frame, and says where one is missing" {
	# a frame that ends with the input, or a source line, may have --srcline
	stackcollapse-perf --srcline <<-'END' | is_line \
		'a;[unknown];main:libc-2.33.so;copy:memmove.S:371 1'
	a 1 1.0: 1 cycles:
	 408ebb copy+0x8b (/a)
	  memmove.S:371
	 4069f5 main+0x9 (/a)
	  libc-2.33.so[27b25]
	 7ffc71 [unknown] ([unknown])

	END
	printf 'a 1 1.0: 1 c: \n\t            a1b2 f (/x)' |
		stackcollapse-perf --srcline 2>&1 | has 'inside a sample'
	{
		echo 'a 1 1.0: 1 c: '
		seq -f "	            a1b2 f (/x)
	  x.c:%.0f" 5000
		echo
	} | stackcollapse-perf --srcline | tr ';' '\n' | grep -c '^f:x.c:' |
		is_line 5000
	# one after the one frame of a sample, or a known module
	{
		printf '%16s 1 1.0: 2 c: %16x f (/x)\n  f.c:1\n' w 5 w 5
		printf 'kworker/u16:3-e 1 1.0: 2 c: %16x f (/x)\n  f.c:1\n' 74565
		printf '%16s 1 1.0: 1 c: %16x f ([unknown])\n' w 5
	} > in
	stackcollapse-perf --srcline in | are_lines \
		'kworker/u16:3-e;f:f.c:1 2' 'w;f 1' 'w;f:f.c:1 4'
	printf 'a 1 1.0: 1 c: \n 1 f->[unknown] ([unknown])\n  f.c:1\n\n' |
		stackcollapse-perf --srcline |
		is_line 'a;f:f.c:1;[unknown]_[i] 1'
	# --srcline says how many samples ended where a source line should be
	{
		for end in '' $'\r' ' x.c:1'; do
			printf 'a 1 1.0: 1 c: \n 1 f (/x)\n%s\n' "$end"
			printf 'b 1 1.0: 1 c: \n 1 [unknown] ([unknown])\n\n'
		done
	} | stackcollapse-perf --srcline 2> err |
		are_lines 'b;[unknown];f 2' 'b;[unknown];f:x.c:1 1'
	is_line 'stackcollapse-perf: --srcline: samples merged with the' \
		'next one, since their last frames have no source line: 2' < err
}

@test "a line that cannot end a sample is unrecognized, and does not" {
	sed 's/.*/a@ 1 1.0: 7 c:\\n\\t1 f (\/x)\\n&\\n\\t1 g (\/x)\\n\\n|a@;g;f 7/' \
	    <<-'END' | rows
	\tinsn:
	 ABI
	x/P/-/-/
	x/P/Y/-/0
	x/Q/-/-/0
	 1g2
	  w.c:7
	 4KB
	 12 words
	 x /y
	END
	grep -q ' 10 lines were not recognized' err
	# before the frames, it is no end either
	printf 'a 1 1.0: 7 c:\n 12\n\t1 g (/x)\n\n' |
		stackcollapse-perf 2> err | is_line 'a;g 7'
	is_line 'Unrecognized line:  12' < err
	# a damaged event may look like a frame; one without an event is silent
	printf '\t2 h (/x)\n\na 1 1.0: 7 c:\n\t1 g (/x)\n\n wo 1;0: 7 c: f (/x)\n' |
		stackcollapse-perf 2> err | is_line 'a;g 7'
	is_line 'Unrecognized line:  wo 1;0: 7 c: f (/x)' < err
}

@test "an event inside of a sample takes over its frames" {
	printf 'a 1 1.0: 1 c:\n\t5 f (/x)\nb 1 1.1: 7 c:\n%s' ' 4K unknown' |
		stackcollapse-perf 2>&1 | is_line 'b;f 7'
	# but one of another event names no thread after it
	stackcollapse-perf > out 2> err <<-'END'
	a     1 1.0: 7 c:
	kworker/u16:3 29007 1.1: 1 d:
	               5 f (/x)

	kworker/u16:3 29007 1.2: 7 c:
	               5 f (/x)

	END
	are_lines 'a;f 7' 'kworker/u16:3;f 7' < out
	printf '%-10s %s: 1 %s:\n\t%16s %s (/x)\n%s' a '1 1.0' c 5 f '' \
		bbbbbbbb '29007 1.1' d 5 g $'\n' bbbbbbbb '29007 1.2' d 5 h $'\n' |
		stackcollapse-perf 2> err | is_line 'a;g;f 1'
}

@test "comments, CR LF and a comment in a sample are read over" {
	printf '# captured on x\r\na 1 1.0: 1 cycles: \r\n# no\r\n 1 f (/x)\r\n\r\n' |
		stackcollapse-perf | is_line 'a;f 1'
	# after a header, a sample without a name counts as the others do
	{
		printf '# ========\n#\n'
		printf '\n\t%16s f\n\n' 401136 401136
	} | stackcollapse-perf | is_line ':-1;f 2'
}

@test "a line of a million bytes and a stack of 100,000 frames are read" {
	{
		echo 'a 1 1.0: 1 c: '
		awk 'BEGIN { printf " 1 "; for (i = 0; i < 100000; i++)
			printf "0123456789"; print " (/x)" }'
		awk 'BEGIN { for (i = 0; i < 100000; i++) print " 1 f (/x)" }'
		echo
	} | stackcollapse-perf > out
	[ "$(wc -c < out)" -eq $((1 + 100000 * 2 + 1 + 1000000 + 3)) ]
}

@test "an address is neither a name nor a period" {
	# an address is no name, and there may be any number of addresses
	awk 'BEGIN { for (; i < 40000; i++)
		printf "a 1 1.0: 1 c: \n\t%16x f%d+0x1f (/x)\n\t%16x main (/x)\n\n", i % 20011, i % 7, i % 3 }' |
		stackcollapse-perf | diff - <(awk 'BEGIN {
			for (; i < 40000; i++)
				n[i % 7]++
			for (i = 0; i < 7; i++)
				print "a;main;f" i, n[i]
		}')
	# a thread that is known counts periods before addresses of data
	for address in ffff888012345678 '    7f0012345678' \
	    '   7f00123456789' '               0'; do
		for i in 1 2 3; do
			printf 'kworker/u16:3 29007 1.%s: 7 c: %s\n' $i \
				"$address"
			printf '\t%16s f (/x)\n\n' 401136
		done
	done | stackcollapse-perf | is_line 'kworker/u16:3;f 84'
}

@test "a sample that the input ends in is left out, with a warning" {
	head='a 1 1.5: 1 cycles:\n\t  7f01 one+0x1 (/bin/a)\n'
	for end in "\n$head" '\na 1 1.6: 1 cycles:\n'; do
		printf '%b' "$head$end" | stackcollapse-perf 2> err |
			is_line 'a;one 1'
		is_line 'stackcollapse-perf: the input ends inside a' \
			'sample, which is left out' < err
	done
	# in the blanks before a frame, too
	for blanks in '\t' ' '; do
		printf '%b' "$head$blanks" | stackcollapse-perf 2> err |
			diff - /dev/null
		has 'ends inside a sample, which is left out' err
	done
}

@test "an operand that is not text is refused by name, and the others are read" {
	printf 'a 1 1.0: 7 cycles:\n\t1f f (/x)\n\n' > good
	files=(good)
	while IFS='|' read -r bytes reason; do
		files+=("bad${#files[@]}")
		printf '%b' "$bytes" > "${files[-1]}"
		echo "stackcollapse-perf: ${files[-1]}: $reason" >> expected
	done <<-'END'
	\0177ELF\02\01\01|an ELF program or library, not text
	!<arch>\n/  0|an archive, not text
	PK\03\04\n|a zip archive, not text
	\037\0213\010|its compressed data is damaged or cut off
	BZh91AY&SY|compressed; bzip2 -dc decompresses it
	\0377\0376a\00|UTF-16; iconv -f UTF-16 converts it
	\0376\0377\00a|UTF-16; iconv -f UTF-16 converts it
	# Samples: 283  of event 'cycles'\n# Event count (approx.): 70750000\n|sums that perf report has printed; perf script prints samples: perf script | stackcollapse-perf
	ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00ab\00\00|binary data
	  time    cpu  task name      wait time  sch delay   run time\n|a table of perf sched timehist; stackcollapse-perf --off-cpu folds the recording
	\n0x108@perf.data [0x50]: event: 69\n.\n. ... raw event: size 80 bytes\n.  0000:  45 00\n|a raw dump; run perf script without -D
	END
	fails 1 stackcollapse-perf "${files[@]}" good 2> err | is_line 'a;f 14'
	diff expected err
	fails 1 stackcollapse-perf < "${files[-1]}" 2>&1 |
		has '^stackcollapse-perf: standard input: a raw dump'
	printf 'PERFILE2h\001\002\n' | fails 1 stackcollapse-perf 2>&1 |
		has 'ends inside its header'
}

@test "input of other programs is refused, with a guess what it is" {
	while IFS='|' read -r text reason; do
		printf '%b' "$text" > in
		fails 1 stackcollapse-perf in > out 2> err
		diff out /dev/null
		is_line 'stackcollapse-perf: in is not what perf' \
			"script prints; it looks like $reason" < err
	done <<-'END'
	CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s\n\n\n              libc.so.1`_read+0x7\n              bash`main+0x1\n               15\n\n|the output of DTrace, which stackcollapse-dtrace folds
	Nov 21 08:44:41 host sshd: hello\n\n|some other text
	1 f (x)\n|some other text
	\tx f ([k])\n|some other text
	END
	# frames alone are of perf script if they cannot be anything else
	for line in '1 f (/x)' '12345 f (x)' '	1 f (x)'; do
		stackcollapse-perf 2>&1 <<< "$line" | has 'no stack was found'
	done
	printf '\t%16s f\n' 1 2 | fails 1 stackcollapse-perf 2>&1 |
		has 'not what perf script prints'
}

@test "unreadable and empty files, and files without a stack, are reported" {
	# no input, and none with a stack, are warnings
	stackcollapse-perf < /dev/null 2>&1 |
		is_line 'stackcollapse-perf: the input is empty'
	printf '%s\n' 'a 1 1.0: 1 c: ' 'a 1 2.0: 1 c: ' |
		stackcollapse-perf 2>&1 | is_line 'stackcollapse-perf: no' \
		'stack was found; was it recorded without -g, or printed' \
		'without comm or ip?'
	# files and standard input are read, and what cannot be read is reported
	printf 'a 1 1.0: 1 c: \n\n' > one
	printf 'b 1 1.0: 1 c: \n\n' |
		fails 1 stackcollapse-perf one - missing one . 2> err |
		diff - <(printf 'a 2\nb 1\n')
	grep -q '^stackcollapse-perf: missing: No such file' err
	grep -q '^stackcollapse-perf: \.: Is a directory' err
}

@test "all mistakes of a command line are reported, then where help is" {
	fails 2 stackcollapse-perf --nope --pid=1 --max-stack=-1 --jobs=4 \
		--event-filter 2> err
	sed 's/stackcollapse-perf: //' err | is 4<<-END
	unknown option: --nope
	option --pid takes no value
	option --max-stack: -1 is not from 0 to 65535
	option --jobs is gone: one thread folds; to use more processors, fold parts in several processes and add them up, as stackcollapse-perf(1) shows
	option --event-filter needs a value
	Try 'stackcollapse-perf --help'.
	END
	fails 2 stackcollapse-perf --max-stack=x < /dev/null 2>&1 |
		has '"x" is not a whole number'
	stackcollapse-perf --help | has -e '--event-filter EVENT'
}

@test "options are abbreviated, in any case, with one dash, after operands" {
	printf 'a 1/2 1.0: 1 c: \n 1 f ([k])\n\n' > in
	stackcollapse-perf in -K --PID | is_line 'a-1;f_[k] 1'
	printf 'a 1/2 1.0: 1 --x:\n\n' > --x
	stackcollapse-perf --event --x -- --x | is_line 'a 1'
	fails 2 stackcollapse-perf -a in
	printf 'a 1/2 1.0: 1 c: \n 1 f (/tmp/perf-1.map)\n\n' |
		stackcollapse-perf --j | is_line 'a;f_[j] 1'
}

# The end of a block of the input does not change the meaning of the next one.
@test "a large profile folds the same from a file and from a pipe" {
	{
		for _ in 1 2 3 4 5 6; do
			cat "$DATA/demo.perf"
		done
		echo odd
		echo 'cc1 1 1.0: 1 cpu-clock:'
	} > in
	stackcollapse-perf in > one 2> one.err
	stackcollapse-perf "$DATA/demo.perf" | awk '{ $NF *= 6 } 1' |
		diff - one
	diff one.err - <<-'END'
	Unrecognized line: odd
	stackcollapse-perf: the input ends inside a sample, which is left out
	END
	dd if=in bs=3000 2> dd.err | stackcollapse-perf 2> err |
		diff one -
	diff one.err err
}
