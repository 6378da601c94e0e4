load ../helper

# The forms in which perf script prints samples: recorded with perf 6.1 in
# data/perf, one profile a file name's first part, printed with many options;
# and by hand what other versions and machines print.

stack='work;__libc_start_call_main;main;deep;deep;deep;deep;deep;deep;spin'
interrupt=';asm_sysvec_apic_timer_interrupt;sysvec_apic_timer_interrupt'
softirq="$stack$interrupt;__irq_exit_rcu;handle_softirqs"

# folds_to EXPECTED-LINE... < INPUT: without any message
folds_to() {
	# shellcheck disable=SC2086,SC2154 # words, of the tests that set some
	stackcollapse-perf ${options-} 2> err > out
	diff err /dev/null
	diff out <(printf '%s\n' "$@")
}

@test "fields that say nothing of the stack change nothing" {
	for form in plain header no-module misc callindent ns inlined insn; do
		folds_to "$stack 6036216" "$softirq 2012072" \
			< "$DATA/perf/$form.txt"
	done
}

@test "without periods samples count one each" {
	for form in no-period symoff no-module-no-time; do
		folds_to "$stack 3" "$softirq 1" < "$DATA/perf/$form.txt"
	done
}

@test "without times samples count their periods all the same" {
	folds_to "$stack 6036216" "$softirq 2012072" \
		< "$DATA/perf/no-time.txt"
}

@test "times may be relative, and stacks short" {
	folds_to "$stack 4024144" "$softirq 2012072" \
		< "$DATA/perf/reltime.txt"
	stackcollapse-perf "$DATA/perf/max-stack.txt" |
		awk '{ print split($1, frames, ";"), $2 }' |
		diff - <(printf '%s\n' '3 2012072' '3 6036216')
}

@test "source lines are added where they are asked for" {
	stackcollapse-perf --srcline "$DATA/perf/srcline.txt" > out
	grep -q '^work;__libc_start_call_main:libc-start.c:74;main:w.c:7;deep:w.c:6;.*;spin:w.c:4 6036216$' out
	[ "$(wc -l < out)" -eq 2 ]
	stackcollapse-perf "$DATA/perf/srcline.txt" 2> err |
		diff - <(printf '%s\n' "$stack 6036216" "$softirq 2012072")
	grep -q '40 lines were not recognized, the first is line 3' err
}

@test "samples without a call graph, and records between, are counted" {
	periods=$(awk '/cpu-clock:/ { for (i = 1; i < NF; i++)
		if ($(i + 1) == "cpu-clock:") n += $i } END { print n }' \
		"$DATA/perf/flat.txt")
	folds_to "work;spin $periods" < "$DATA/perf/flat.txt"
	folds_to "work;spin $periods" < "$DATA/perf/flat-records.txt"
	folds_to 'work;handle_softirqs 2012072' 'work;spin 6036216' \
		< "$DATA/perf/hidden-graph.txt"
}

@test "records of tasks, maps, switches and rounds are no samples" {
	for form in records switches; do
		grep -q PERF_RECORD "$DATA/perf/$form.txt"
		grep -v PERF_RECORD "$DATA/perf/$form.txt" |
			stackcollapse-perf > expected 2> expected.err
		stackcollapse-perf "$DATA/perf/$form.txt" 2> err | diff expected -
		diff err expected.err
		stackcollapse-perf --jobs 3 "$DATA/perf/$form.txt" |
			diff expected -
	done
}

@test "records of several lines, and tracepoints with arguments" {
	stackcollapse-perf "$DATA/perf/tracepoint.txt" > expected
	grep -q '^sleep;.*;hrtimer_nanosleep;do_nanosleep;schedule;__schedule 1$' \
		expected
	folds_to "$(cat expected)" < "$DATA/perf/namespaces.txt"
}

@test "records of every kind, with every head, are skipped silently" {
	for record in 'MMAP -1/0: [0x0(0x10) @ 0]: x [k]' 'COMM: a:1/1' \
	    'COMM exec: a:1/1' 'FORK(1:1):(2:2)' 'EXIT(1:1):(2:2)' \
	    'LOST lost 12' 'THROTTLE' UNTHROTTLE 'AUX offset: 0 size: 1' \
	    'ITRACE_START pid: 1 tid: 1' 'LOST_SAMPLES lost 3' 'SWITCH IN ' \
	    'SWITCH_CPU_WIDE OUT  next pid/tid:     0/0    ' \
	    'KSYMBOL addr ff len 1 type 1 flags 0x0 name bpf_prog_6' \
	    'BPF_EVENT type 1, flags 0, id 1' 'CGROUP cgroup: 1 /' \
	    'TEXT_POKE addr 0xff old len 5 new len 5' 'ID_INDEX nr: 1'; do
		for head in 'a     1 ' 'a  1/1  ' 'a 1 [000] 9.1: ' '' \
		    '     a b   1 [000]     0.000000: ' '17.1: ' ' 4/4 17.1: '; do
			printf '%s\n' "${head}PERF_RECORD_$record"
			printf '\t\t. 0000: 0f 1f\n'
			printf 'a 1 1.0: 5 c:\n\t%16x f (/x)\n\n' 1
		done
	done > in
	folds_to "a;f $((5 * 18 * 7))" < in
}

@test "a process or a function may be called like a record" {
	folds_to 'PERF_RECORD_X;PERF_RECORD_f 2' <<-'END'
	PERF_RECORD_X 1 1.0: 2 cycles:
	 1 PERF_RECORD_f (/x)

	END
}

@test "a line of fields in the place of an empty line ends a sample" {
	{
		while IFS= read -r trailer; do
			printf 'a 1 1.0: 1 c: \n\t%16x f+0x1 (/x)\n' 5
			printf '%s\n' "$trailer"
		done <<-'END'
		 insn: 48 89 e5
		 ilen: 3
		 ABI:2    AX:0x0    BX:0x7ffd
		 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
		 main+0x12/spin+0x0/P/-/-/0/CALL/-
		 /user.slice/session-1.scope
		         1f2a3b4c
		 0
		         1f2a3b4c 4K 2M
		     7f1234567890 N/A /user.slice/a b.scope
		 4K unknown
		 N/A
		 unknown
		 0x12(/a b)/0x13(/b)/PN/-/-/0//-  0x12(/a)/0x13(/b)/M/-/-/1//-
		 main+0x2(/a)/f+0x0(/a)/P/-/-/0/CALL/-  f(/a)/main(/a)/P/-/-/0//-
		 0x12 (/a)/0x13 (/b)/P/-/-/0/CALL/-  0x12 (/a)/0x13 (/b)/M/-/-/1//-
		 0x12(/a (deleted))/0x13(/b)/P/-/-/0//-
		main+0x2 (/a)/f+0x0 (/a)/P/-/-/0/CALL/-  f (/a)/main (/a)/-/-/-/0//-
		main+0x2(/a)/f+0x0(/a)/MN/X/A/12/CALL
		main+0x2/f+0x0/P/-/-/0
		 main+0x2/f+0x0/P/-/-
		 => 401020 main+0x0 (/a)
		      BPF string: "a (b)"
		      BPF output: 0000: 61 (b)
		 insn: 48 8b 04 24~~mov (%rsp), %rax
		~~mov (%rsp), %rax
		~~push %rbp
		~tracing data:
		~~comm : Binder (x)
		 	 IPC: 0.31 (5/16) 
		END
	} | tr '~' '\t' > in
	folds_to 'a;f 30' < in
	# and so does a line of blanks
	printf 'a 1 1.0: 1 c: \n\t%16x f+0x1 (/x)\n%b\n' 1 ' ' 2 '\t' 3 ' \r' |
		folds_to 'a;f 3'
}

@test "so it does where a sample has no frames, or does not count" {
	folds_to 'a 1' 'b 2' 'b;f 4' <<-'END'
	a 1 1.0: 1 c:
	 insn: 01 ca
	b 1 1.0: 2 c:
	 f (/x)/g (/x)/P/-/-/0/CALL/-
	b 1 1.0: 4 c:
	               5 f (/x)

	END
	stackcollapse-perf --event-filter=c > out 2> err <<-'END'
	a 1 1.0: 1 d:
	               5 f (/x)
	 insn: 01 ca
	a 1 1.0: 1 d:
	               5 f (/x)
	         1f2a3b4c 4K
	a 1 1.0: 2 c:
	               5 g (/x)

	END
	diff err /dev/null
	diff out <(echo 'a;g 2')
}

@test "details may follow what ends a sample, until the next one begins" {
	tr '~' '\t' > in <<-'END'
	a 1 1.0: 1 c:
	~               5 f (/x)
	~tracing data:
	~~comm : Binder (x)
	~~next : y
	a 1 1.0: 2 c:
	~               5 f (/x)
	      BPF output: 0000: 61 (b)
	                  0010: 62 (b)
	     a     1 1.0: 4 c:                  5 f (/x)
	END
	folds_to 'a;f 7' < in
}

# perf pads the command of a sample without a call graph on the left, to 16.
@test "one frame on the event line is told from what follows it" {
	{
		while IFS= read -r fields; do
			printf '            work  100 [002]  12.1:  7 c: '
			printf '%16s f+0x6 (/w)%b\n' 401136 "$fields"
		done <<-'END'

		 0x401126/0x401130/P/-/-/0
		 0x401126 (/w)/0x401130 (/w)/P/-/-/0/CALL/-  0x1 (/w)/0x2 (/w)/M/-/-/0/CALL/-
		 g+0x1(/w)/h+0x2(/w)/P/-/-/0
		        1f2a3b4c 4K
		 4
		 insn: 48 8b 04 24\t\tmov (%rsp), %rax
		\t\tmov (%rsp), %rax
		 ilen: 3 (x)
		 =>           401020 g+0x0 (/w)
		END
	} > in
	folds_to 'work;f 70' < in
	printf '%16s 1 1.0: 1 b: call %16s A+0x5 (/x) => %16s B+0x0 (/x)\n' \
		w 564aa58813d4 564aa584fa00 | folds_to 'w;A 1'
	printf '%16s 1 1.0: 1 b: 5 f (/x)/P/-/-/0\n' w |
		stackcollapse-perf 2> err | diff - /dev/null
	# nor is the text before it a frame, nor a module's name in brackets
	printf '%16s 1 1.0: 1 b:  %16s %16s g ([k]) 0x1 ([k])/0x1 ([k])/P/-/-/2/-/-\n' \
		w ffffc0fad9ef3da4 ffffc0fad9ef3d70 | folds_to 'w;g 1'
	printf '%16s 1 1.0: 2 b: %16s [unknown] (/a (b)/x.so) 0x1(/y)/0x2(/z)/P/-/-/0\n' \
		w 7f01 | folds_to 'w;[x.so] 2'
}

@test "one frame is read without the event, the time or the module, too" {
	printf '%16s 7 [000] 12.1: %16s halt+0xb ([k])\n' w ffffffff81000130 \
		w 401136 | folds_to 'w;halt 2'
	printf '%16s  1234     250000 cycles:  %16s f+0x6 (/w)\n' work 401136 |
		folds_to 'work;f 250000'
	printf '%16s  1234  cycles:  %16s f+0x6 (/w)\n' work 401136 |
		folds_to 'work;f 1'
	printf '%16s  1234 [003]  cycles:  %16s f+0x6 (/w)\n' work 401136 |
		folds_to 'work;f 1'
	printf '%16s     1/2     [003]          9 cycles:u:  %16s f+0x6 (/w)\n' 'a b' 401136 |
		folds_to 'a_b;f 9'
	printf '%16s  1 [003] 1.0: 9 cycles:u:  %16s A<void (int)>::f\n' w 401136 \
		w ffffffff81000130 | folds_to 'w;A<void (int)>::f 18'
	# in its columns, unlike the arguments of a tracepoint
	printf '%16s  1 [003] 1.0: 9 sys:write: %s words\n' w 401136 w '   401136' |
		stackcollapse-perf 2> err | diff - /dev/null
	grep -q 'no stack was found' err
}

@test "text that only looks like fields is a frame, or an argument" {
	tr '~' '\t' > in <<-'END'
	a 1 1.0: 7 cycles:
	~ffffffff81000130 k ([k])
	~~  401136 f+0x6 (/w)
	~~  401120 main+0x2 (/w)

	a 1 1.0: 1 ftrace:print: x
	~~y
	~~  401120 main+0x2 (/w)

	a 1 1.0: 7 cycles:
	~          401136 g+0x6 (/w)x
	~          401136 h+0x6 (/w), y

	END
	stackcollapse-perf in 2> err | diff - <(echo 'a;h;g 7'; echo 'a;main;f;k 7')
	stackcollapse-perf --event-filter=ftrace:print in 2> err |
		diff - <(echo 'a;main 1')
	grep -q '^Unrecognized line: 		y$' err
	# a => is a tracepoint's before its frame, and if it has no frame
	for text in 'a => b' 'a insn: b' 'buf: "a\t\tb (c)"' 'a ==> b'; do
		printf "%16s 1 1.0: ftrace:print: $text %16s f (/w)\n" w 401136
	done | folds_to 'w;f 4'
	printf '%16s 1 1.0: drv:ev: ffff888012345678 words and more\n' w |
		stackcollapse-perf 2> err | diff - /dev/null
	# a sample of one line, before a record
	{
		printf 'kworker/u16:3-e 8 [0] 1.0: 7 c:  7f1234567890 g (/x)\n'
		echo 'PERF_RECORD_FINISHED_ROUND'
	} | folds_to 'kworker/u16:3-e;g 7'
	# a number is a process's but in the columns of -L
	folds_to 'Worker_12 7' < <(printf 'Worker 12 345 1.5: 7 cycles:\n\n')
}

@test "fields after one frame of any module, or of none, are not a part of it" {
	for module in bpf_prog_6dee_x inlined vmlinux '/x (a) b/c'; do
		printf '%16s 1 1.0: 1 c:  %16s x(int) const+0x6 (%s) 0x1/0x2/P/-/-/0\n' \
			w ffffffffc0123456 "$module"
	done | folds_to 'w;x 4'
	while IFS= read -r fields; do
		printf '%16s 1 1.0: 1 c:  %16s A<void (int)>::f+0x6%b\n' \
			w 401136 "$fields"
	done > in <<-'END'

		 0x401126/0x401130/P/-/-/0
		 =>           401020 g+0x0
		 insn: 48 8b
		\t\tmov %rsp, %rax
	END
	folds_to 'w;A<void (int)>::f 5' < in
	# of two addresses the first is one of data
	printf '%16s 1 1.0: 2 c: %16s %16s f+0x1\n' w 7f00 401136 |
		folds_to 'w;f 2'
	printf '%16s 1 1.0:     250000  %16s f (/w)\n' w 1136 w 401136 |
		folds_to 'w;f 500000'
}

@test "tracepoints may have frames where commands are left out" {
	folds_to ':18;f 2' <<-'END'
	   18/18   [002] 12.1: sched:sched_switch: prev_comm=a
	          401136 f+0x6 (/w)

	   18/18   [002] 12.2: sched:sched_switch: prev_comm=a
	   18/18   [002] 12.3: sched:sched_switch: prev_comm=a
	          401136 f+0x6 (/w)

	END
	# a frame is no event, though its name may read like one; its number
	# would be a count
	tr '~' '\t' > in <<-'END'
	   ab 1 1.0: 7 cycles:
	~        55123456 Stub: add 5 (/tmp/perf-1.map)

	END
	folds_to 'ab;Stub: add_5 7' < in
}

@test "a padded event line may have frames, an unpadded one too" {
	folds_to 'bar;f 7' 'foo;f 7' <<-'END'
	foo 801 [000] 18.1: 7 cycles:
	 1 f (/w)

	 bar 801 [000] 18.1: 7 cycles:
	 1 f (/w)

	  bar 801 [000] 18.1: 9 cycles:
	  bar 801 [000] 18.2: 9 cycles:

	END
	folds_to 'kworker/u16:3-e;[x.so] 8' 'kworker/u16:3-e;f 1' <<-'END'
	kworker/u16:3-e 801 [000] 18.1: 7 page-faults:  7f1234567890 [unknown] (/x.so)
	kworker/u16:3-e 801 [000] 18.1: 5 page-faults:  7f1234567890 [unknown] (/x.so)
	 1 f (/w)

	kworker/u16:3-e 801 [000] 18.1: 1 page-faults:  7f1234567890 [unknown] (/x.so)
	END
}

@test "fields between the command and the time are no part of either" {
	{
		while IFS= read -r head; do
			printf '%s 12.1: 2 c:\n\t%16x f (/x)\n\n' "$head" 1
			printf '%16s%s 12.1: 1 c: %16x f (/x)\n' 'a b' \
			    "${head#*a b}" 1
		done <<-'END'
		a b 12 [002] U
		a b 12 [002] U    
		a b 12/13 [002] KGS   
		a b 12 U
		a b 12 [-01]
		a b 12 [002] 2022-03-01 12:34:56.123456  
		a b 12 [002] H      2022-03-01 12:34:56.123456789  
		     a b    12   3
		     a b    12  23
		VM:  123 VCPU:001 a b 12/12 [001]
		VM: 1 a b 12
		END
	} > in
	folds_to 'a_b;f 33' < in
	# text that only looks like them belongs to the command
	stackcollapse-perf --pid <<-'END' | diff - <(printf '%s\n' '12_13-? 1' \
		'VM:1-? 1' 'VM:_x_a-? 1' 'a_12-? 1' 'a_U-? 1' 'a_[-x]-? 1')
	a 12     3 1.0: c:

	a U 3 1.0: c:

	a [-x] 3 1.0: c:

	12 13  3 1.0: c:

	VM: x a 3 1.0: c:

	VM:1 3 1.0: c:

	END
}

@test "without commands, a process is called by its number" {
	folds_to ':1810767;f 9' ':18;f 4' <<-'END'
	1810767 2023391.719579: 9 cycles:P:
	            560e f+0x4 (/p)

	   18 [002] 2023391.8: 3 cycles:P:
	            560e f+0x4 (/p)

	   18/19 [002] 2023391.8:  1 cycles:P:      560e f+0x4 (/p)
	END
}

@test "call chains that come late, and errors of traces, are no samples" {
	folds_to 'a;f 5' <<-'END'
	a 1 [000] 18.0: 5 cycles:
	 1 f (/w)

	a 1 [000] 18.0: DEFERRED CALLCHAIN [cookie: b00000006]
	 2 g (/w)

	 instruction trace error type 1 time 1.8 cpu 0 pid 12 tid 12 ip 0 code 8: Lost trace data
	END
}

@test "an offset in a module is no part of its name" {
	folds_to 'a;[x.so];[x.so] 1' <<-'END'
	a 1 1.0: 1 c:
	 1 [unknown] (/usr/lib/x.so+0x1234)
	 2 [unknown] (/usr/lib/x.so (deleted)+0x12)

	END
}

@test "a line that only looks like memory after the frames is not" {
	for line in '  w.c:7' ' 4KB' ' K' ' 12 words' ' n/a' ' x /y'; do
		printf 'a 1 1.0: 1 c: \n\t%16x f+0x1 (/x)\n%s\n' 5 "$line"
		printf '\t%16x g+0x1 (/x)\n\n' 6
	done | stackcollapse-perf 2> err | diff - <(echo 'a;g;f 6')
	grep -q '^stackcollapse-perf: 6 lines were not recognized' err
}

# After the event's name: an address, what was done with it, and how long it
# took.  The period counts all the same.
@test "samples of memory with weights, data sources and addresses" {
	source='68100842 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No'
	{
		for i in 1 2 3; do
			printf 'mem  100 [002]  12.%s: 7 cpu/mem-loads,ldlat=30/P:' $i
			printf ' %16s %16s|BLK  N/A %16s\n' 7f1234567890 "$source" 35
			printf '\t%16s load+0x6 (/mem)\n' 401136
			printf '\t%16s main+0x10 (/mem)\n\n' 401180
		done
		printf '%16s 100 [002]  12.4: 7 cpu/mem-loads,ldlat=30/P:' mem
		printf ' %16s %16s|BLK  N/A %16s %16s load+0x6 (/mem)\n' \
			7f1234567890 "$source" 35 401136
	} > in
	folds_to 'mem;load 7' 'mem;main;load 21' < in
}

@test "branches printed with their instructions, guests, days and flags" {
	tr '~' '\t' > in <<-'END'
	a  1 1.0: 2 cycles:
	            401136 g+0x6 (/a)

	~f:
	~0000000000401126~insn: 55
	~0000000000401130~f+0x10 (/a) insn: 48 89 e5 # PRED 1 cycles [1]

	a  1/2 VM:  123 VCPU:001 [002] 1.0: 1 cycles:
	            401136 f+0x6 (/a)

	a  1 [002] 2022-03-01 12:34:56.123456   1.0: 1 cycles:
	            401136 f+0x6 (/a)

	a  1 [002] 1.0: 9 cycles:   int
	            401136 f+0x6 (/a)

	END
	stackcollapse-perf in 2> err | diff - <(printf '%s\n' 'a;f 3' 'a;g 2')
	grep -q '2 lines were not recognized, the first is line 4 ' err
}

@test "events of hybrid processors, modifiers, groups and raw codes" {
	for event in cpu_core/cycles/ cpu_atom/instructions/P cycles:ppp \
	    'cpu/event=0x3c,umask=0x1/upp' r1a8:u sched:sched_switch \
	    dummy:HG kvm:kvm_exit; do
		printf 'a b 1/2 [011] 1.000000001:          7 %s: \n\t%16x f+0x1 (/x)\n\n' \
			"$event" 1 | folds_to 'a_b;f 7'
	done
}

@test "methods that Mono and WebAssembly compile, as their maps call them" {
	options=--jit folds_to "$(printf '%s;' mono main mono_main \
		'System.Threading.Thread:Run _[j]' \
		'Foo.Bar`1[T_REF]:.ctor _[j]' \
		'(wrapper managed-to-native) Foo.Bar:f _[j]' \
		'Foo/<Go>d__1:MoveNext _[j]' \
		'[perf-9.map]_[j]' 'js-to-wasm:i:i_[j]' \
		wasm::main:14_[j])Function:__original_main_[j] 5" <<-'END'
	mono  9 [000]  1.000000:          5 cycles:P:
	            7f09 Function:__original_main+0x2 (/tmp/perf-9.map)
	            7f08 wasm::main:14 (/tmp/perf-9.map)
	            7f07 js-to-wasm:i:i+0x3f (/tmp/perf-9.map)
	            7f06 [unknown] (/tmp/perf-9.map)
	            7f05 Foo/<Go>d__1:MoveNext ()+0x1f (/tmp/perf-9.map)
	            7f04 (wrapper managed-to-native) Foo.Bar:f (intptr)+0x8 (/tmp/perf-9.map)
	            7f03 Foo.Bar`1[T_REF]:.ctor (T_REF,int)+0x8 (/tmp/perf-9.map)
	            7f02 System.Threading.Thread:Run (object)+0x8 (/tmp/perf-9.map)
	            7f01 mono_main+0x10 (/usr/bin/mono)
	            7f00 main+0x10 (/usr/bin/mono)

	END
}

@test "frames of guests, BPF, and languages that are compiled as they run" {
	options=--all folds_to "$(printf '%s;' node Interpreter_[j] \
		bpf_prog_6deef7357e7b4530 'LazyCompile:~f /a/b.js:3_[j]' \
		'py::main:/a b/c.py_[j]' 'wasm-function[12]_[j]' '[unknown]' \
		'x64_sys_call_[k]' outer)inner 9" <<-'END'
	node  7 [000]  1.000000:          9 cycles:P:
	            7f02 inner+0x8 (inlined)
	            7f02 outer+0x18 (/usr/lib/libx.so)
	ffffffff81000001 x64_sys_call+0x1 ([guest.kernel.kallsyms])
	               0 [unknown] ([unknown])
	            7f03 wasm-function[12]+0x3 (/tmp/perf-7.map)
	            7f04 py::main:/a b/c.py+0x9 (/tmp/perf-7.map)
	            7f05 LazyCompile:~f /a/b.js:3+0x77 (/tmp/perf-7.map)
	ffffffffc0000001 bpf_prog_6deef7357e7b4530+0x1 (bpf_prog_6deef7357e7b4530)
	            7f06 Interpreter+0x10 (/tmp/perf-7.map)

	END
}
