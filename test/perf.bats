load helper

# The forms in which perf script prints samples: recorded with perf 6.1 in
# data/perf, one profile a file name's first part, printed with many options;
# and by hand what other versions and machines print.

stack='work;__libc_start_call_main;main;deep;deep;deep;deep;deep;deep;spin'
interrupt=';asm_sysvec_apic_timer_interrupt;sysvec_apic_timer_interrupt'
softirq="$stack$interrupt;__irq_exit_rcu;handle_softirqs"

# folds_to EXPECTED-LINE... < INPUT: without any message
folds_to() {
	stackcollapse-perf $options 2> err > out
	diff err /dev/null
	diff out <(printf '%s\n' "$@")
}

@test "fields that say nothing of the stack change nothing" {
	for form in plain header no-module misc callindent ns inlined insn; do
		folds_to "$stack 6036216" "$softirq 2012072" \
			< "$DATA/perf/$form.txt"
	done
}

@test "without periods samples count one each, without times they are found" {
	for form in no-period symoff no-time no-module-no-time; do
		folds_to "$stack 3" "$softirq 1" < "$DATA/perf/$form.txt"
	done
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

@test "what follows the frames in the place of an empty line ends a sample" {
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
		END
		printf 'a 1 1.0: 1 c: \n\t%16x f+0x1 (/x)\n' 5
		printf ' \t IPC: 0.31 (5/16) \n'
	} > in
	folds_to 'a;f 16' < in
}

@test "what only looks like memory behind the frames is not" {
	for line in '  w.c:7' ' 4KB' ' K' ' 12 words' ' n/a' ' x /y'; do
		printf 'a 1 1.0: 1 c: \n\t%16x f+0x1 (/x)\n%s\n' 5 "$line"
		printf '\t%16x g+0x1 (/x)\n\n' 6
	done | stackcollapse-perf 2> err | diff - <(echo 'a;g;f 6')
	grep -q '^stackcollapse-perf: 6 lines were not recognized' err
}

# Behind the event's name: an address, what was done with it, and how long it
# took.  The period then counts as little as with a tracepoint's arguments.
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
	folds_to 'mem;load 1' 'mem;main;load 3' < in
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
		'Foo.Bar`1[T_REF]:.ctor _[j]' 'Foo/<Go>d__1:MoveNext _[j]' \
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
