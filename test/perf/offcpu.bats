load ../helper
load ../unit
load ../tracing

# --off-cpu, --wakers and --wall.  Recordings are made from lines by
# unit/perfdata.c, which tells how, and what is expected is added up by hand;
# some programs are recorded here, which measure their waits themselves.

setup_file() {
	needs_drivers
	cd "$BATS_FILE_TMPDIR" || return
	switch_format
	waking_format
	tracing sched_switch sched_waking > data.formats
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_TEST_TMPDIR" || return
	cp "$BATS_FILE_TMPDIR"/{sched_switch,data.formats} .
}

# The unit of all that follows is the nanosecond.
stackcollapse-perf() {
	command stackcollapse-perf --no-unit "$@"
}

# leave TIME CPU PREV STATE NEXT ADDRESS...: a switch, with PREV's stack
leave() {
	printf 'sample 1 %s %s %s 1 k k: %s raw:%048d' \
		"$3" "$3" "$1" "${*:6}" 0
	printf '%02x00000078000000%s000000000000%032d%02x00000078000000 #%s\n' \
		"$3" "$4" 0 "$5" "$2"
}

# wake TIME CPU WAKER THREAD ADDRESS...: THREAD is woken
wake() {
	printf 'sample 2 %s %s %s 1 k k: %s raw:%048d%02x00000078000000 #%s\n' \
		"$3" "$3" "$1" "${*:5}" 0 "$4" "$2"
}

fields=ip,tid,time,cpu,period,chain,raw,identifier,all

# begin [EVENT]...: the events, two threads, and the functions of the kernel
begin() {
	echo "event sched:sched_switch 2 372 $fields 1"
	printf '%s\n' "$@"
	cat <<-'END'
	formats data.formats
	comm 10 10 a 1
	comm 20 20 b 1
	ksymbol 0xffff1000 0x100 read 1
	ksymbol 0xffff2000 0x100 write 1
	ksymbol 0xffff3000 0x100 spin 1
	END
}

read=0xffff1010 write=0xffff2010 spin=0xffff3010
# states, as the first two bytes of 8
S=0100 D=0200 X=1000 R=0001

# two: the threads 10 and 20 take turns on a processor.
two() {
	leave 100 0 10 $S 20 $read
	leave 250 0 20 $R 10 $spin
	leave 400 0 10 $D 20 $write
	leave 700 0 20 $X 10 $spin
	leave 900 0 10 $S 0 $read
	echo 'comm 10 10 a 1000'
}

@test "waits are times from leaving a processor to coming back" {
	{ begin; two; } | record > perf.data
	stackcollapse-perf --off-cpu perf.data 2> err |
		are_lines 'a;read 250' 'a;write 300'
	diff err /dev/null
	stackcollapse-perf --off-cpu=preempted perf.data | is_line 'b;spin 150'
	{ echo pipe; begin; two; } | record |
		stackcollapse-perf --off-cpu=all - perf.data |
		are_lines 'a;read 500' 'a;write 600' 'b;spin 300'
}

@test "switches count in the order of time, whatever the file's" {
	{
		begin
		leave 500 1 10 $S 0 $write	# CPU 1, of later
		leave 300 0 10 $S 20 $read
		leave 450 0 20 $S 0 $spin
		leave 950 0 0 $R 20
		echo round
		leave 480 1 0 $R 10
		leave 900 1 0 $R 10
		echo round
	} | record > perf.data
	# 10: 300 to 480, and 500 to 900; 20: 450 to 950
	stackcollapse-perf --off-cpu perf.data 2> err |
		are_lines 'a;read 180' 'a;write 400' 'b;spin 500'
	diff err /dev/null
}

@test "fields are found where the recording's format has them" {
	cat > moved <<-'END'
	name: sched_switch
	ID: 372
	format:
		field:short next_pid;	offset:2;	size:2;	signed:1;
		field:char prev_state;	offset:5;	size:1;	signed:0;
		field:s64 prev_pid;	offset:8;	size:8;	signed:1;

	print fmt: "%s", __print_flags(REC->prev_state & 15, "|", { 1, "D" }, { 2, "S" }, { 4, "X" })
	END
	moved() {
		printf "sample 1 $2 $2 $1 1 k k: $5 raw:0000$format\n" \
			"$4" "$3" "$2"
	}
	export big
	for big in 0 1; do
		format='%02x0000%02x0000%02x00000000000000'
		[ $big = 0 ] || format='%04x00%02x0000%016x'
		tracing moved > data.formats
		{
			begin
			moved 100 10 2 20 $read		# asleep
			moved 300 20 8 10 $spin		# can run
			moved 450 10 1 20 $write	# uninterruptible
			moved 500 20 4 10 $spin		# ended
		} | record > perf.data
		stackcollapse-perf --off-cpu=all perf.data |
			are_lines 'a;read 200' 'a;write 50' \
				'b;spin 150'
	done
	fails 1 stackcollapse-perf --wall perf.data 2> err
	has 'without samples of a clock; use perf record -e cpu-clock' err
}

@test "fields that cannot be read are refused by their names" {
	for change in s/prev_pid/pid_of_prev/ s/offset:24/offset:30/ \
	    's/next_pid;	offset:56/next_pid;	offset:4000000000/' \
	    's/long prev_state/long prev_state[1]/'; do
		sed "$change" "$BATS_FILE_TMPDIR/sched_switch" > sched_switch
		tracing sched_switch > data.formats
		{ begin; two; } | record > perf.data
		fails 1 stackcollapse-perf --off-cpu perf.data 2>> err
	done
	diff err - <<-'END'
	stackcollapse-perf: perf.data: the field prev_pid of the tracepoint sched:sched_switch is not in the event's format
	stackcollapse-perf: perf.data: the field prev_pid of the tracepoint sched:sched_switch overlaps another one
	stackcollapse-perf: perf.data: the field next_pid of the tracepoint sched:sched_switch lies outside the samples
	stackcollapse-perf: perf.data: the field prev_state of the tracepoint sched:sched_switch is no number
	END
	: > data.formats
	{ begin; two; } | record > perf.data
	fails 1 stackcollapse-perf --off-cpu perf.data 2> err
	has 'without the format of a tracepoint, which locates prev_pid' err
}

@test "raw data that are too short or belong to no thread are reported" {
	{
		begin
		two
		leave 910 0 255 $S 10 $read | sed s/ff000000/404b4c00/
		echo 'sample 1 10 10 920 1 k k: 0xffff1010 raw:0011 #0'
		echo 'sample 1 10 10 930 1 k k: 0xffff1010 raw: #0'
	} | record > perf.data
	fails 1 stackcollapse-perf --off-cpu perf.data 2> err |
		are_lines 'a;read 250' 'a;write 300'
	has 'invalid records, left out: 3' err
}

@test "lost records end waits, and the unknown time is reported" {
	{
		begin
		leave 100 0 10 $S 20 $read
		leave 300 0 20 $S 0 $spin	# the last before the loss
		echo 'lost 5 500'
		leave 600 0 0 $R 10
		leave 700 0 10 $S 20 $write
		leave 800 0 20 $S 10 $spin
	} | record > perf.data
	# 10: 100 to 300, unknown to 600, 700 to 800; 20: 300, unknown to 700
	stackcollapse-perf --off-cpu perf.data 2> err |
		are_lines 'a;read 200' 'a;write 100'
	has ': 0.000001 seconds of threads are unknown and left out' err
	has 'records that were lost while it was recorded: 5' err
}

@test "where coming back was not recorded, the recording is refused" {
	own() {
		begin
		leave 100 0 10 $S 0 $read
		leave 400 0 10 $S 0 $write
		leave 900 0 10 $X 0 $write
	}
	own | record > perf.data
	fails 1 stackcollapse-perf --off-cpu perf.data > out 2> err
	diff out /dev/null
	diff err - <<-'END'
	stackcollapse-perf: perf.data: recorded without the times at which threads resume; use perf record --switch-events -e sched:sched_switch -g PROGRAM
	END
	{
		own | sed -n 1,9p
		printf '%s\n' 'switch out 10 10 110' 'switch in 10 10 350'
		own | tail -2
		printf '%s\n' 'switch in 10 10 600'
	} > lines
	record < lines > perf.data
	stackcollapse-perf --off-cpu perf.data 2> err |
		are_lines 'a;read 250' 'a;write 200'
	diff err /dev/null
	# a switch that no sample tells
	printf '%s\n' 'switch out 10 10 700' 'switch in 10 10 800' >> lines
	record < lines > perf.data
	stackcollapse-perf --off-cpu perf.data 2> err |
		are_lines 'a;read 250' 'a;write 200'
	has 'waits without a stack, left out: 1 of 3' err
}

@test "a message says what a recording lacks, and which command records it" {
	printf '%s\n' 'event cycles 0 0 ip,tid,time,cpu,period,chain,all 1' \
		'sample 1 10 10 100 1 k k: 0xffff1000' | record > perf.data
	fails 1 stackcollapse-perf --off-cpu perf.data 2> err
	echo "stackcollapse-perf: perf.data: recorded without thread" \
		"switches; use perf record -e sched:sched_switch -a -g" |
		diff - err
	{ begin; two; } | record > perf.data
	fails 1 stackcollapse-perf --off-cpu --wakers perf.data 2> err
	has 'without wakers; use .* -e sched:sched_waking -a -g$' err
	{ fields=$fields,defer begin; two; } | record > deferred.data
	fails 1 stackcollapse-perf --off-cpu deferred.data 2> err
	has 'recorded with deferred stacks, .*; use perf record' err
	{ fields=$fields,frequency begin; two; } | record > part.data
	fails 1 stackcollapse-perf --off-cpu part.data 2> err
	has 'recorded with -F or -c, which leave switches out; perf record' err
	for options in --wakers --off-cpu=long '--off-cpu --wall' \
	    '--wall --each-event'; do
		fails 2 stackcollapse-perf $options perf.data
	done 2> err
	grep -v Try err > told
	diff told - <<-'END'
	stackcollapse-perf: --wakers needs --off-cpu or --wall
	stackcollapse-perf: option --off-cpu: "long" is not blocked, preempted or all
	stackcollapse-perf: --off-cpu and --wall are mutually exclusive
	stackcollapse-perf: --event-filter, --each-event and --weight cannot be combined with --off-cpu or --wall
	END
}

waking="event sched:sched_waking 2 375 $fields 2"

@test "--wakers adds the stack of who woke a thread first" {
	{
		begin "$waking"
		leave 100 0 10 $S 20 $read $spin
		wake 150 0 20 10 $write $spin
		wake 160 0 20 10 $read
		leave 250 0 20 $R 10 $spin
		wake 260 1 30 20 $write		# it could run before
		leave 400 0 10 $S 20 $read $spin
		leave 600 0 20 $S 10 $spin	# nobody woke 10
	} | record > perf.data
	stackcollapse-perf --off-cpu=all --wakers perf.data | is 4<<-'END'
	a;spin;read 200
	a;spin;read;--;write;spin;b 150
	b;spin 150
	END
}

clock='event cpu-clock 1 0 ip,tid,time,cpu,period,chain,identifier,all 3'

@test "--wall adds on-CPU and off-CPU time" {
	{
		begin "$clock"
		echo "sample 3 10 10 50 100 k k: $spin #0"
		two
		echo "sample 3 20 20 150 100 k k: $write #0"
		echo "sample 3 0 0 950 100 k k: $write #0"
		echo round
	} | record > perf.data
	stackcollapse-perf --wall perf.data > folded
	diff folded - <<-'END'
	a;read;[blocked] 250
	a;spin 100
	a;write;[uninterruptible] 300
	b;spin;[preempted] 150
	b;write 100
	END
}

@test "counter reads with samples left out are not time" {
	{
		begin "${clock/period/period,read}"
		echo "sample 3 10 10 50 100 k k: $spin 3=1000 #0"
		two
		echo "sample 3 20 20 150 100 k k: $write 3=5000 #0"
		echo round
	} | record > perf.data
	stackcollapse-perf --wall --tids=10 perf.data | are_lines \
		'a;read;[blocked] 250' 'a;spin 100' \
		'a;write;[uninterruptible] 300'
}

@test "a thread without a recorded switch-in is back when it wakes another or runs" {
	{
		begin "$waking" "$clock"
		leave 1000 0 10 $S 0 $read	# idle leaves at 1500: not told
		wake 1450 1 20 10 $spin
		leave 2000 0 10 $S 0 $write	# at 2400: not told
		echo "sample 3 10 10 2600 100 k k: $spin #0"
		leave 2700 0 10 $S 0 $read	# at 2900: told
		leave 2900 0 0 $R 10
		echo "sample 3 10 10 2950 100 k k: $spin #0"
		leave 3000 0 10 $X 0 $spin
	} | record > perf.data
	stackcollapse-perf --wall perf.data 2> err | are_lines \
		'a;read;[blocked] 650' 'a;spin 200' 'a;write;[blocked] 500'
	has 'without a recorded end, perhaps too short: 2 of 3; use perf' err
	# on one clock, a sample counts no more than has passed
	stackcollapse-perf --wall --in-order --gaps=0.000001 perf.data \
		2> err | are_lines 'a-10/10;read;[blocked] 450' \
		'a-10/10 550' 'a-10/10;write;[blocked] 500' 'a-10/10;spin 100' \
		'a-10/10 100' 'a-10/10;read;[blocked] 200' 'a-10/10;spin 50'
}

# off_cpu FIELDS: the event of perf record --off-cpu
off_cpu() {
	echo "event offcpu-time 1 10 $1 5"
}

@test "both forms of perf record --off-cpu count" {
	# at the end of the file, until perf 6.15
	{
		echo
		off_cpu ip,tid,time,cpu,period,chain,identifier,cgroup,all
		cat <<-'END'
		comm 10 10 a 1
		map 10 10 0x1000 0x1000 0 /x/work 1
		sample 5 10 10 900 700 u u: 0x1010 #0 %1
		sample 5 10 10 901 200 u u: 0x1020 #0 %1
		END
	} | record > old.data
	# as raw data: pid and tid, the period, a chain, the cgroup
	chain() {
		printf 'raw:0a0000000a000000%s0000000000000200000000000000' "$1"
		printf '00feffffffffffff10100000000000000100000000000000'
	}
	{
		off_cpu ip,tid,time,cpu,period,chain,raw,identifier,all
		cat <<-END
		comm 10 10 a 1
		comm 20 20 b 1
		map 10 10 0x1000 0x1000 0 /x/work 1
		sample 5 20 20 900 1 k k: 0xffff1010 $(chain bc02) #0
		sample 5 20 20 901 1 k k: 0xffff1010 $(chain c800) #0
		END
	} | record > new.data
	for file in old.data new.data; do
		for options in --off-cpu ''; do
			stackcollapse-perf $options $file 2> err |
				is_line 'a;[work] 900'
		done
		fails 1 stackcollapse-perf --off-cpu=all $file 2> err
		has 'recorded without preempted threads' err
	done
	# beside switches, which tell all, and end before
	{
		begin
		off_cpu ip,tid,time,cpu,period,chain,raw,identifier,all
		two
		echo "sample 5 20 20 0xffffffff00000000 1 k k: 1 $(chain 0900) #0"
	} | record > both.data
	stackcollapse-perf --off-cpu both.data |
		are_lines 'a;read 250' 'a;write 300'
}

@test "waits are read from all forms of text that perf prints" {
	cat > script <<-'END'
	a    10 [000]     1.000000100: sched:sched_switch: prev_comm=a prev_pid=7 prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=b next_pid=20 next_prio=120
	            ffff1010 read+0x10 ([kernel.kallsyms])

	b    20 [000]     1.000000250: sched:sched_switch: prev_comm=b prev_pid=20 prev_prio=120 prev_state=R+ ==> next_comm=a next_pid=10 next_prio=120
	            ffff3010 spin+0x10 ([kernel.kallsyms])

	a    10 [000]     1.000000400: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=D|K ==> next_comm=b next_pid=20 next_prio=120
	            ffff2010 write+0x10 ([kernel.kallsyms])

	b    20 [000]     1.000000700: sched:sched_switch: prev_comm=b prev_pid=20 prev_prio=120 prev_state=X ==> next_comm=a next_pid=10 next_prio=120
	            ffff3010 spin+0x10 ([kernel.kallsyms])

	a    10 [000]     1.000000900: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
	            ffff1010 read+0x10 ([kernel.kallsyms])

	c    30 [001]     1.000001000: sched:sched_waking: comm=a pid=10 prio=120 target_cpu=000
	            ffff3010 spin+0x10 ([kernel.kallsyms])

	END
	# the plugin of libtraceevent, and Linux 2.6
	sed -E 's/prev_comm=(.*) prev_pid=([0-9]+) prev_prio=([0-9]+) prev_state=(\S+) ==> next_comm=(.*) next_pid=([0-9]+) next_prio=/\1:\2 [\3] \4 ==> \5:\6 [/
		s/comm=a pid=10 prio=120 target_cpu=000/a:10 [120] success=1 CPU:000/
		s/ \[120$/ [120]/' script > plugin
	sed -E 's/: (b?a?:?)([a-z ]+):([0-9]+) \[120\] (\S+) ==>/: task \2:\3 [120] (\4) ==>/
		s/sched_waking: a:10/sched_wakeup: task a:10/
		s/success=1 CPU:/success=1 [/; s/\[000$/[000]/' plugin > old
	grep -q 'a prev_pid=7:10 \[120\] S ==> b:20 \[120\]' plugin
	grep -q 'task b:20 \[120\] (R+) ==> a:10' old
	for form in script plugin old; do
		stackcollapse-perf --off-cpu=all $form 2> err | diff - <(printf \
			'%s\n' 'a;read 250' 'a;write 300' 'b;spin 150')
		stackcollapse-perf --off-cpu --wakers $form | diff - <(printf \
			'%s\n' 'a;read 150' 'a;read;--;spin;c 100' 'a;write 300')
		diff err /dev/null
	done
	stackcollapse-perf --off-cpu=all --time=1.00000015,1.0000005 script |
		are_lines 'a;read 100' 'a;write 100' 'b;spin 150'
	# a recording follows where time goes back, in a file or in the next
	cat script script > twice
	stackcollapse-perf --off-cpu=all script twice | diff - <(printf \
		'%s\n' 'a;read 750' 'a;write 900' 'b;spin 450')
	# without frames, a line each, which perf pads
	grep sched: script | sed 's/^[^ ]*/             &/' > flat
	stackcollapse-perf --off-cpu=all flat 2> err | are_lines 'a 550' 'b 150'
	# with a frame beside; a command of 15 characters needs no padding
	sed -e 's/^ *a /fifteen_letters /' \
		-e 's/$/ ffff1010 read+0x10 ([kernel.kallsyms])/' flat > beside
	stackcollapse-perf --off-cpu=all beside | are_lines \
		'b;read 150' 'fifteen_letters;read 550'
}

@test "text with samples of a clock gives the times on a processor, too" {
	cat > script <<-'END'
	a    10 [000]     1.000000050:     100 cpu-clock:u:
	            ffff3010 spin+0x10 ([kernel.kallsyms])

	a    10 [000]     1.000000100: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
	            ffff1010 read+0x10 ([kernel.kallsyms])

	swapper    0 [000]     1.000000150:     100 cpu-clock:u:
	            ffff2010 write+0x10 ([kernel.kallsyms])

	swapper    0 [000]     1.000000350: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=10 next_prio=120
	            ffff2010 write+0x10 ([kernel.kallsyms])

	END
	stackcollapse-perf --wall script |
		are_lines 'a;read;[blocked] 250' 'a;spin 100'
	stackcollapse-perf --off-cpu script | is_line 'a;read 250'
	grep -A2 clock script > clocked
	fails 1 stackcollapse-perf --off-cpu clocked 2> err
	has 'no thread switch was found; use perf record -e' err
	grep -A2 switch script > switches
	fails 1 stackcollapse-perf --wall switches 2> err
	has 'no sample of a clock was found' err
	fails 1 stackcollapse-perf --off-cpu --wakers switches 2> err
	has 'no waker was found' err
}

@test "text that does not tell when threads come back is refused" {
	cat > script <<-'END'
	a    10 [000]     1.000000100: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=c next_pid=30 next_prio=120
	            ffff1010 read+0x10 ([kernel.kallsyms])

	a    10 [000]     1.000000350: PERF_RECORD_SWITCH IN 
	a    10 [000]     1.000000400: sched:sched_switch: prev_comm=a prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=c next_pid=30 next_prio=120
	            ffff1010 read+0x10 ([kernel.kallsyms])

	a    10 [000]     1.000000500: PERF_RECORD_SWITCH IN 
	END
	stackcollapse-perf --off-cpu script | is_line 'a;read 350'
	# switches whose arguments lack a thread or its state are reported
	{
		cat script
		while read -r arguments; do
			printf 'a 10 [000] 1.000000600: sched:sched_switch: %s\n\n' \
				"$arguments"
		done <<-'END'
		prev_comm=a prev_pid=10 next_comm=b next_pid=20
		a ==> c
		prev_comm=a prev_pid=10 prev_prio=120 ==> next_comm=c next_pid=30 next_prio=120
		prev_comm=a prev_pid=99999999999 prev_prio=120 prev_state=S ==> next_comm=c next_pid=30 next_prio=120
		a:x [120] S ==> c:30 [120]
		END
	} | stackcollapse-perf --off-cpu 2> err | is_line 'a;read 350'
	has 'sched:sched_switch: prev_comm=a prev_pid=10 next_comm=b' err
	has ' 5 lines were not recognized' err
	# a loss ends a wait
	sed '4s/.*/a 10 [000] 1.000000200: PERF_RECORD_LOST lost 3\n&/' script |
		stackcollapse-perf --off-cpu 2> err | is_line 'a;read 100'
	has 'unknown and left out, since records were lost' err
	# bpf-output of perf record --off-cpu has the time as its period
	sed -n 's/sched:.*/250 offcpu-time: /; 1,3p' script |
		stackcollapse-perf --off-cpu | is_line 'a;read 250'
	grep -v PERF script > without
	fails 1 stackcollapse-perf --off-cpu without 2> err | diff - /dev/null
	has 'without: it lacks the times at which threads resume' err
}

@test "waits of a recording match perf script, and last as long as the program measured" {
	local naps=$DATA/recording/naps
	mkdir -p root/opt/naps
	cp "$naps" root/opt/naps
	stackcollapse-perf --off-cpu --symfs=root "$naps.data" > folded
	diff folded "$naps.data.folded"
	sed 's/.*;//' folded | paste -d ' ' "$naps.measured" - | awk '
		$1 != $3 || ($2 - $4) ^ 2 > (0.02 * $2) ^ 2 { print; wrong = 1 }
		END { exit wrong || NR == 0 }'
}

@test "filters choose threads, and the part of a wait in a range of time" {
	{
		begin "$clock"
		two
		echo "sample 3 20 20 600 200 k k: $spin #1"
	} | record > perf.data
	stackcollapse-perf --off-cpu --time='0.0000002,0.00000021 0.00000065,' \
		perf.data | are_lines 'a;read 110' 'a;write 50'
	stackcollapse-perf --wall --time=0.0000005,0.0000007 perf.data | diff - \
		<(printf '%s\n' 'a;write;[uninterruptible] 200' 'b;spin 100')
	stackcollapse-perf --wall --cpus=1 perf.data | is_line 'b;spin 200'
	stackcollapse-perf --off-cpu --in-order --time=0.00000015,0.0000005 \
		perf.data | are_lines 'a-10/10;read 100' \
		'a-10/10;write 100'
	stackcollapse-perf --off-cpu --tids=99 perf.data 2> err | diff - /dev/null
	has -e '--tids' err
}
