load ../helper
load lines

# The forms in which perf script prints samples: recorded with perf 6.1 in
# data/perf, one profile a file name's first part, printed with many options;
# and by hand what other versions and machines print.

stack='work;__libc_start_call_main;main;deep;deep;deep;deep;deep;deep;spin'
interrupt=';asm_sysvec_apic_timer_interrupt;sysvec_apic_timer_interrupt'
softirq="$stack$interrupt;__irq_exit_rcu;handle_softirqs"

@test "fields that say nothing of the stack change nothing" {
	for form in plain header no-module misc callindent ns inlined insn \
	    no-time; do
		folds_to "$stack 6036216" "$softirq 2012072" \
			< "$DATA/perf/$form.txt"
	done
	# times may be relative, and stacks short
	folds_to "$stack 4024144" "$softirq 2012072" \
		< "$DATA/perf/reltime.txt"
	stackcollapse-perf "$DATA/perf/max-stack.txt" |
		awk '{ print split($1, frames, ";"), $2 }' |
		are_lines '3 2012072' '3 6036216'
	# without periods samples count one each
	for form in no-period symoff no-module-no-time; do
		folds_to "$stack 3" "$softirq 1" < "$DATA/perf/$form.txt"
	done
}

@test "source lines are added where they are asked for" {
	stackcollapse-perf --srcline "$DATA/perf/srcline.txt" > out
	grep -q '^work;__libc_start_call_main:libc-start.c:74;main:w.c:7;deep:w.c:6;.*;spin:w.c:4 6036216$' out
	[ "$(wc -l < out)" -eq 2 ]
	stackcollapse-perf "$DATA/perf/srcline.txt" 2> err |
		are_lines "$stack 6036216" "$softirq 2012072"
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
	done
	# those of several lines, and tracepoints with arguments
	stackcollapse-perf "$DATA/perf/tracepoint.txt" > expected
	grep -q '^sleep;.*;hrtimer_nanosleep;do_nanosleep;schedule;__schedule 1$' \
		expected
	folds_to "$(cat expected)" < "$DATA/perf/namespaces.txt"
}

@test "records of every kind, with every head, are skipped silently" {
	while IFS= read -r record; do
		for head in 'a     1 ' 'a  1/1  ' 'a 1 [000] 9.1: ' '' \
		    '     a b   1 [000]     0.000000: ' '17.1: ' ' 4/4 17.1: '; do
			printf '%s\n' "${head}PERF_RECORD_$record"
			printf '\t\t. 0000: 0f 1f\n'
			printf 'a 1 1.0: 5 c:\n\t%16x f (/x)\n\n' 1
		done
	done > in <<-'END'
	MMAP -1/0: [0x0(0x10) @ 0]: x [k]
	COMM exec: a:1/1
	SWITCH_CPU_WIDE OUT  next pid/tid:     0/0    
	KSYMBOL addr ff len 1 type 1 flags 0x0 name bpf_prog_6
	TEXT_POKE addr 0xff old len 5 new len 5
	END
	folds_to "a;f $((5 * 5 * 7))" < in
	# a process or a function may be called like one
	folds_to 'PERF_RECORD_X;PERF_RECORD_f 2' <<-'END'
	PERF_RECORD_X 1 1.0: 2 cycles:
	 1 PERF_RECORD_f (/x)

	END
	# call chains that come late, and errors of traces, are none either
	folds_to 'a;f 5' <<-'END'
	a 1 [000] 18.0: 5 cycles:
	 1 f (/w)

	a 1 [000] 18.0: DEFERRED CALLCHAIN [cookie: b00000006]
	 2 g (/w)

	 instruction trace error type 1 time 1.8 cpu 0 pid 12 tid 12 ip 0 code 8: Lost trace data
	END
}

@test "a line of fields in the place of an empty line ends a sample" {
	while IFS= read -r trailer; do
		printf 'a 1 1.0: 1 c: \n\t%16x f+0x1 (/x)\n' 5
		printf '%b\n' "$trailer"
	done > in <<-'END'
	 insn: 48 89 e5
	 ABI:2    AX:0x0    BX:0x7ffd
	 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
	 /user.slice/session-1.scope
	 0
	         1f2a3b4c 4K 2M
	     7f1234567890 N/A /user.slice/a b.scope
	 4K unknown
	 0x12(/a b)/0x13(/b)/PN/-/-/0//-  0x12(/a)/0x13(/b)/M/-/-/1//-
	 main+0x2(/a)/f+0x0(/a)/P/-/-/0/CALL/-  f(/a)/main(/a)/P/-/-/0//-
	 0x12 (/a)/0x13 (/b)/P/-/-/0/CALL/-  0x12 (/a)/0x13 (/b)/M/-/-/1//-
	main+0x2 (/a)/f+0x0 (/a)/P/-/-/0/CALL/-  f (/a)/main (/a)/-/-/-/0//-
	main+0x2/f+0x0/P/-/-/0
	 main+0x2/f+0x0/P/-/-
	 => 401020 main+0x0 (/a)
	      BPF string: "a (b)"
	      BPF output: 0000: 61 (b)\n                  0010: 62 (b)
	 insn: 48 8b 04 24\t\tmov (%rsp), %rax
	\t\tpush %rbp
	\ttracing data:\n\t\tcomm : Binder (x)\n\t\tnext : y
	 	 IPC: 0.31 (5/16) 
	 
	\t
	 \r
	END
	folds_to 'a;f 24' < in
	# so it does where a sample has no frames, or does not count
	folds_to 'a 1' 'b 2' 'b;f 4' <<-'END'
	a 1 1.0: 1 c:
	 insn: 01 ca
	b 1 1.0: 2 c:
	 f (/x)/g (/x)/P/-/-/0/CALL/-
	b 1 1.0: 4 c:
	               5 f (/x)

	END
	stackcollapse-perf --event-filter=c 2> err > out <<-'END'
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
	is_line 'a;g 2' < out
}

# perf pads the command of a sample without a call graph on the left, to 16.
@test "one frame on the event line is separated from what follows it" {
	while IFS= read -r fields; do
		printf '%16s  100 [002]  12.1:  7 c:  %16s f+0x6%b\n' \
			work 401136 "$fields"
	done > in <<-'END'
	 (/w)
	 (/w) 0x401126/0x401130/P/-/-/0
	 (/w) 0x401126 (/w)/0x401130 (/w)/P/-/-/0/CALL/-  0x1 (/w)/0x2 (/w)/M/-/-/0/CALL/-
	 (/w)         1f2a3b4c 4K
	 (/w) insn: 48 8b 04 24\t\tmov (%rsp), %rax
	 (/w) =>           401020 g+0x0 (/w)
	 (bpf_prog_6dee_x) 0x1/0x2/P/-/-/0
	 (/x (a) b/c) 0x1/0x2/P/-/-/0

	 0x401126/0x401130/P/-/-/0
	 =>           401020 g+0x0
	 insn: 48 8b
	\t\tmov %rsp, %rax
	END
	folds_to 'work;f 91' < in
	sed 's/f+0x6/A<void (int)>::f(int) const+0x6/' in > named
	folds_to 'work;A<void (int)>::f 91' < named
	# nor is the text before it a frame, nor a module's name in brackets
	printf '%16s 1 1.0: 1 b: %s\n' \
		w 'call     564aa58813d4 A+0x5 (/x) =>     564aa584fa00 B+0x0 (/x)' \
		w '    7f01 5 f (/x)/P/-/-/0' \
		w ' ffffc0fad9ef3da4 ffffc0fad9ef3d70 g ([k]) 0x1 ([k])/0x1 ([k])/P/-/-/2/-/-' \
		w '            7f01 [unknown] (/a (b)/x.so) 0x1(/y)/0x2(/z)/P/-/-/0' |
		folds_to 'w;A 1' 'w;[x.so] 1' 'w;g 1'
	# of two addresses the first is one of data
	printf '%16s 1 1.0: 2 c: %16s %16s f+0x1\n' w 7f00 401136 |
		folds_to 'w;f 2'
	printf '%16s 1 1.0:     250000  %16s f (/w)\n' w 1136 w 401136 |
		folds_to 'w;f 500000'
}

@test "one frame is read without the event, the time or the module, too" {
	while IFS='|' read -r head frame folded; do
		printf '%s  %16s %s\n' "$head" 401136 "$frame" |
			folds_to "$folded"
	done <<-'END'
	               w 7 [000] 12.1:|halt+0xb ([k])|w;halt 1
	            work  1234     250000 cycles:|f+0x6 (/w)|work;f 250000
	            work  1234 [003]  cycles:|f+0x6 (/w)|work;f 1
	             a b     1/2     [003]          9 cycles:u:|f+0x6 (/w)|a_b;f 9
	               w  1 [003] 1.0: 9 cycles:u:|A<void (int)>::f|w;A<void (int)>::f 9
	END
	# in its columns, unlike the arguments of a tracepoint
	printf '%16s  1 [003] 1.0: 9 sys:write: %s words\n' w 401136 w \
	    '   401136' w 'ffff888012345678 words and' |
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

	a 1 1.0: 7 cycles:
	~        55123456 Stub: add 5 (/tmp/perf-1.map)

	END
	stackcollapse-perf in 2> err | diff - <(printf '%s 7\n' 'a;Stub: add_5' \
		'a;h;g' 'a;main;f;k')
	stackcollapse-perf --event-filter=ftrace:print in 2> err |
		is_line 'a;main 1'
	grep -q '^Unrecognized line: 		y$' err
	# a => is a tracepoint's before its frame
	for text in 'a => b' 'a insn: b' 'buf: "a\t\tb (c)"'; do
		printf "%16s 1 1.0: ftrace:print: $text %16s f (/w)\n" w 401136
	done | folds_to 'w;f 3'
	# a sample of one line, before a record
	{
		printf 'kworker/u16:3-e 8 [0] 1.0: 7 c:  7f1234567890 g (/x)\n'
		echo 'PERF_RECORD_FINISHED_ROUND'
	} | folds_to 'kworker/u16:3-e;g 7'
}

@test "an event line may have frames, padded or not, with a command or without" {
	folds_to ':18;f 2' 'bar;f 7' 'foo;f 7' <<-'END'
	foo 801 [000] 18.1: 7 sched:sched_switch:
	 1 f (/w)

	 bar 801 [000] 18.1: 7 sched:sched_switch:
	 1 f (/w)

	  bar 801 [000] 18.1: 9 sched:sched_switch:
	  bar 801 [000] 18.2: 9 sched:sched_switch:

	   18/18   [002] 12.1: sched:sched_switch: prev_comm=a
	          401136 f+0x6 (/w)

	   18/18   [002] 12.2: sched:sched_switch: prev_comm=a
	   18/18   [002] 12.3: sched:sched_switch: prev_comm=a
	          401136 f+0x6 (/w)

	END
	folds_to 'kworker/u16:3-e;[x.so] 8' 'kworker/u16:3-e;f 1' <<-'END'
	kworker/u16:3-e 801 [000] 18.1: 7 page-faults:  7f1234567890 [unknown] (/x.so)
	kworker/u16:3-e 801 [000] 18.1: 5 page-faults:  7f1234567890 [unknown] (/x.so)
	 1 f (/w)

	kworker/u16:3-e 801 [000] 18.1: 1 page-faults:  7f1234567890 [unknown] (/x.so)
	END
}

@test "fields between the command and the time are no part of either" {
	while IFS= read -r head; do
		printf '%s 12.1: 2 c:\n\t%16x f (/x)\n\n' "$head" 1
		printf '%16s%s 12.1: 1 c: %16x f (/x)\n' 'a b' \
		    "${head#*a b}" 1
	done > in <<-'END'
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
	folds_to 'a_b;f 33' < in
	# text that only looks like them belongs to the command
	rows --pid <<-'END'
	a 12     3 1.0: c:\n\n|a_12-? 1
	a U 3 1.0: c:\n\n|a_U-? 1
	Worker 12 345 1.5: 7 c:\n\n|Worker_12-? 7
	END
}

@test "branches printed with their instructions, and a word after the event" {
	tr '~' '\t' > in <<-'END'
	a  1 1.0: 2 cycles:
	            401136 g+0x6 (/a)

	~f:
	~0000000000401126~insn: 55
	~0000000000401130~f+0x10 (/a) insn: 48 89 e5 # PRED 1 cycles [1]

	a  1 [002] 1.0: 9 cycles:   int
	            401136 f+0x6 (/a)

	END
	stackcollapse-perf in 2> err | are_lines 'a;f 1' 'a;g 2'
	grep -q '2 lines were not recognized, the first is line 4 ' err
}
