load ../helper
load ../unit

# Recordings, as perf record writes them, are made from lines by
# unit/perfdata.c, which tells how.  Files that do not exist have no functions,
# so that a frame is the file's name.

setup_file() {
	needs_drivers
}

# record: makes a recording of the lines that it reads.
record() {
	"$UNIT" perfdata
}

# The usual event, with samples that have a chain.
event='event cycles 0 0 ip,tid,time,id,period,chain,all 1,2'

# Two processes; "$1" may be a line to begin with.
shell() {
	record <<-END
	${1-}
	$event
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	map 10 10 0x8000 0x1000 0 /x/lib/libc.so
	sample 1 10 10 100 7 u u: 0x8010 0x1020
	sample 2 10 10 110 3 u u: 0x8020 0x1030
	fork 11 11 10 10 120
	sample 1 11 11 130 5 u u: 0x1040
	comm 11 11 ls 140
	map 11 11 0x1000 0x1000 0 /x/bin/ls 140
	sample 1 11 11 150 2 u u: 0x8020 0x1040
	round
	END
}

shell_folded='ls;[ls];[libc.so] 2
sh;[sh] 5
sh;[sh];[libc.so] 10'

@test "a recording is folded by its periods" {
	shell > perf.data
	stackcollapse-perf perf.data | diff <(echo "$shell_folded") -
}

@test "a recording comes through a pipe, or as standard input" {
	shell pipe > piped
	shell > perf.data
	# shellcheck disable=SC2002 # a pipe is what is tested
	{
		stackcollapse-perf < perf.data
		cat perf.data | stackcollapse-perf
		cat piped | stackcollapse-perf -
		stackcollapse-perf piped
		stackcollapse-perf < piped
	} | diff <(for _ in 1 2 3 4 5; do echo "$shell_folded"; done) -
}

@test "recordings and perf script's text are folded together" {
	shell > perf.data
	printf 'sh 10 1.5: 4 cycles:\n\t 1 x (/bin/sh)\n\n' > text
	stackcollapse-perf perf.data text perf.data | diff - <(cat <<-'END'
	ls;[ls];[libc.so] 4
	sh;[sh] 10
	sh;[sh];[libc.so] 20
	sh;x 4
	END
	)
}

@test "threads fold recordings and text as one does" {
	shell > perf.data
	seq 1 60000 | sed 's/.*/sh 10 &.5: 4 cycles:\n\t & x (\/bin\/sh)\n/' \
		> text
	{ echo "$shell_folded"; echo 'sh;x 480000'; } > expected
	for jobs in 1 3; do
		stackcollapse-perf --jobs=$jobs text perf.data text |
			diff expected -
	done
}

@test "processes have numbers in their names where they are asked for" {
	shell > perf.data
	stackcollapse-perf --pid perf.data | diff - <(cat <<-'END'
	ls-11;[ls];[libc.so] 2
	sh-10;[sh];[libc.so] 10
	sh-11;[sh] 5
	END
	)
	stackcollapse-perf --tid perf.data | diff - <(cat <<-'END'
	ls-11/11;[ls];[libc.so] 2
	sh-10/10;[sh];[libc.so] 10
	sh-11/11;[sh] 5
	END
	)
}

@test "records are ordered by their times within rounds" {
	record > perf.data <<-END
	$event
	comm 1 1 early
	comm 1 1 late 300
	sample 1 1 1 400 1 u u: 0x10
	sample 1 1 1 200 1 u u: 0x10
	round
	sample 1 1 1 299 1 u u: 0x10
	round
	sample 1 1 1 401 1 u u: 0x10
	END
	stackcollapse-perf perf.data | diff - <(printf '%s\n' \
		'early;[unknown] 2' 'late;[unknown] 2')
}

@test "a thread without a name is called by its number" {
	record > perf.data <<-END
	$event
	sample 1 5 6 10 1 u u: 0x10
	sample 1 -1 -1 11 1 u u: 0x10
	sample 1 0 0 12 1 k k: 0xffffffff81000000
	comm 5 7 '' 13
	sample 1 5 7 14 1 u u: 0x10
	END
	stackcollapse-perf perf.data | diff - <(printf '%s;[unknown] 1\n' \
		:-1 :6 :7 swapper)
}

@test "samples that do not tell their thread are of one that is called -1" {
	record > perf.data <<-END
	event cycles 0 0 ip,time,period,chain,all
	sample 1 5 5 1 2 u u: 0x10
	sample 1 6 6 2 3 u u: 0x20
	END
	stackcollapse-perf perf.data 2> err | diff - <(echo ':-1;[unknown] 5')
	[ "$(grep -c 'make no sense' err)" = 0 ]
}

@test "a sample may end after the number of its thread" {
	printf '%s\n' 'event cycles 0 0 ip,tid' 'sample 1 5 5 0 0 u 0x10' |
		record | stackcollapse-perf 2> err |
		diff - <(echo ':5;[unknown] 1000')
	[ "$(grep -c 'make no sense' err)" = 0 ]
}

@test "threads that have ended are told apart by their processes" {
	record > perf.data <<-END
	$event
	sample 1 5 -1 10 1 u u: 0x10
	sample 1 7 -1 11 2 u u: 0x10
	sample 1 5 -1 12 4 u u: 0x10
	sample 1 -1 -1 13 8 u u: 0x10
	END
	stackcollapse-perf --tid perf.data 2> /dev/null | diff - <(printf '%s\n' \
		':-1--1/-1;[unknown] 8' ':-1-5/-1;[unknown] 5' \
		':-1-7/-1;[unknown] 2')
	stackcollapse-perf perf.data 2> /dev/null |
		diff - <(echo ':-1;[unknown] 15')
}

@test "threads share the maps of their process" {
	record > perf.data <<-END
	$event
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	fork 5 6 5 5 10
	map 5 6 0x2000 0x1000 0 /x/lib/b 20
	sample 1 5 5 30 1 u u: 0x2000 0x1000
	sample 1 5 6 40 1 u u: 0x2000 0x1000
	END
	stackcollapse-perf perf.data | diff - <(echo 'a;[a];[b] 2')
}

@test "a thread that has ended is known until its number is used again" {
	record > perf.data <<-END
	$event
	comm 5 5 a
	fork 6 6 5 5 10
	comm 6 6 b 20
	exit 6 6 5 5 30
	sample 1 6 6 40 1 u u: 0x10
	fork 6 6 5 5 50
	sample 1 6 6 60 1 u u: 0x10
	END
	stackcollapse-perf perf.data | diff - <(printf '%s;[unknown] 1\n' a b)
}

@test "contexts say whose the addresses of a chain are" {
	record > perf.data <<-END
	$event
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	kernel 0xffffffffa0000000 0x1000 0 [ext4]
	sample 1 5 5 1 1 k k: 0xffffffffa0000010 u: 0x1000
	sample 1 5 5 2 1 u 0x1000 h: 0x1000 u: 0x1000
	sample 1 5 5 3 1 u u: 0x1000 x: 0x1000
	sample 1 5 5 4 1 u
	END
	stackcollapse-perf perf.data | diff - <(cat <<-'END'
	a 2
	a;[a];[[ext4]] 1
	a;[a];[unknown];[a] 1
	END
	)
	stackcollapse-perf --kernel perf.data | has -xF 'a;[a];[[ext4]]_[k] 1'
}

@test "a BPF program has its name while it is loaded" {
	record > perf.data <<-END
	$event
	ksymbol 0xffffffffc0001000 0x100 bpf_prog_1_f 10
	sample 1 0 0 20 1 k k: 0xffffffffc0001080
	unksymbol 0xffffffffc0001000 0x100 bpf_prog_1_f 30
	sample 1 0 0 40 1 k k: 0xffffffffc0001080
	END
	stackcollapse-perf perf.data | diff - <(printf '%s\n' \
		'swapper;[unknown] 1' 'swapper;bpf_prog_1_f 1')
}

@test "the first event counts, or the one that is asked for" {
	record > perf.data <<-END
	$event
	event page-faults 1 2 ip,tid,time,id,period,chain,all 3,4
	sample 3 0 0 20 9 u u: 0x10
	sample 1 0 0 10 1 u u: 0x10
	sample 4 0 0 30 9 u u: 0x10
	sample 9 0 0 30 9 u u: 0x10
	END
	stackcollapse-perf perf.data 2> err |
		diff - <(echo 'swapper;[unknown] 1')
	diff err - <<-'END'
	Filtering for events of type: cycles
	stackcollapse-perf: perf.data: records that make no sense and are left out: 1, the first at byte 640
	END
	stackcollapse-perf --event-filter=page-faults perf.data 2> /dev/null |
		diff - <(echo 'swapper;[unknown] 18')
}

# of_event FILE EVENT: a recording of that event alone, with three samples.
of_event() {
	record > "$1" <<-END
	event $2 1 2 ip,tid,time,id,period,chain,all 3
	sample 3 0 0 10 1 u u: 0x10
	sample 3 0 0 20 2 u u: 0x10
	sample 3 0 0 30 4 u u: 0x10
	END
}

@test "samples of a recording's only event are told where another one counts" {
	of_event cycles.data cycles
	of_event faults.data faults
	for jobs in 1 2; do
		stackcollapse-perf --jobs=$jobs --event-filter=no cycles.data \
			2> err | diff - /dev/null
		diff err <(echo 'stackcollapse-perf: no sample is of the event' \
			'no; of other events there are 3: cycles')
		fails 1 stackcollapse-perf --jobs=$jobs cycles.data \
			faults.data 2> err | diff - <(echo 'swapper;[unknown] 7')
		diff err - <<-'END'
		Filtering for events of type: cycles
		stackcollapse-perf: faults.data: its samples are of other events, and do not count: 3
		END
	done
}

@test "an event may come late in a pipe, and before a sample of none" {
	fields=identifier,ip,tid,time,period,chain,all
	record > piped <<-END
	pipe
	event cycles 0 0 $fields 1
	event page-faults 1 2 $fields 2
	comm 10 10 a
	sample 1 10 10 10 5 u u: 0x10
	sample 1 10 10 20 5 u u: 0x10
	round
	round
	event page-faults 1 3 $fields 3
	sample 9 10 10 30 5 u u: 0x10
	sample 1 10 10 40 2 u u: 0x10
	round
	END
	stackcollapse-perf piped 2> err | diff - <(echo 'a;[unknown] 12')
	grep 'make no sense and are left out: 1, the first' err
}

@test "events have names of their own where none was recorded" {
	record > perf.data <<-'END'
	unfinished
	event - 1 2 ip,tid,time,id,period,chain,all 3,4
	event - 0 0 ip,tid,time,id,period,chain,all 1,2
	sample 1 0 0 10 1 u u: 0x10
	sample 3 0 0 20 3 u u: 0x10
	END
	stackcollapse-perf --event-filter=page-faults perf.data 2> /dev/null |
		diff - <(echo 'swapper;[unknown] 3')
	stackcollapse-perf --event-filter=cycles perf.data 2> /dev/null |
		diff - <(echo 'swapper;[unknown] 1')
}

# little NUMBER: it, as 8 bytes.
little() {
	printf '%016x' "$1" |
		sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\8\7\6\5\4\3\2\1/'
}

# named ID WORD...: thread 10 is called "a", at time 5, by a record of the event
# with that id, which has these words after it; the events are standard input.
named() {
	local words
	words=$(for word in $((10 << 32 | 10)) 97 $((10 << 32 | 10)) 5 "$@"; do
		little "$word"
	done)
	{
		cat
		echo 'sample 1 10 10 3 2 u u: 0x10'
		echo "record 3 0 $words"
		echo 'sample 1 10 10 9 7 u u: 0x10'
	} | record > perf.data
	stackcollapse-perf perf.data 2> /dev/null
}

@test "whose a record is says its id, wherever the events have that" {
	printf '%s\n' ':10;[unknown] 2' 'a;[unknown] 7' > expected
	# the stream and the processor are after it; some have neither
	for fields in id id,stream id,cpu id,stream,cpu; do
		fields=ip,tid,time,$fields,period,chain,all
		set --
		case $fields in *stream*) set -- 91 ;; esac
		case $fields in *cpu*) set -- "$@" 92 ;; esac
		for id in 0 1 4; do
			named $id "$@" <<-END | diff expected -
			event cycles 0 0 $fields 1,2
			event page-faults 1 2 $fields 3,4
			END
		done
		# a single event's are all records
		named 93 "$@" <<-END | diff expected -
		event cycles 0 0 $fields 1,2
		END
	done
	# an identifier is after all of them
	fields=ip,tid,time,id,stream,cpu,period,chain,identifier,all
	for id in 0 1 4; do
		named 93 91 92 $id <<-END | diff expected -
		event cycles 0 0 $fields 1,2
		event page-faults 1 2 $fields 3,4
		END
	done
}

@test "a group's sample counts for each event what that has gained" {
	record > perf.data <<-'END'
	event cycles 0 0 ip,tid,time,read,group,times,id,period,chain,all 1
	event faults 1 2 ip,tid,time,read,group,times,id,period,chain,all 2
	sample 1 0 0 10 999 u 1=100 2=5 u: 0x10
	sample 1 0 0 20 999 u 1=130 2=5 u: 0x10
	sample 1 0 0 30 999 u 1=131 2=9 u: 0x10
	END
	stackcollapse-perf perf.data 2> /dev/null |
		diff - <(echo 'swapper;[unknown] 131')
	stackcollapse-perf --event-filter=faults perf.data 2> /dev/null |
		diff - <(echo 'swapper;[unknown] 9')
}

@test "a read of a counter that no event has makes no sense, and where it is" {
	record > perf.data <<-'END'
	event cycles 0 0 ip,tid,time,read,group,times,id,period,chain,all 1
	event faults 1 2 ip,tid,time,read,group,times,id,period,chain,all 2
	comm 10 10 a 1
	sample 1 10 10 10 999 u 1=100 2=5 u: 0x10
	sample 1 10 10 20 999 u 1=130 9=5 u: 0x10
	END
	stackcollapse-perf perf.data 2> err | diff - <(echo 'a;[unknown] 130')
	grep 'left out: 1, the first at byte 584$' err
}

@test "a counter's read is its period, too, where it is alone" {
	record > perf.data <<-'END'
	event cycles 0 0 ip,tid,time,read,times,id,period,chain,all 1
	sample 1 0 0 10 999 u 1=100 u: 0x10
	sample 1 0 0 20 999 u 1=130 u: 0x10
	END
	stackcollapse-perf perf.data | diff - <(echo 'swapper;[unknown] 130')
}

# Expected is what perf 7.3 prints.
@test "a counter that threads inherit has a value for each of them" {
	record > perf.data <<-'END'
	event cycles 0 0 ip,tid,time,read,group,id,period,chain,all,inherit 1
	event faults 1 2 ip,tid,time,read,group,id,period,chain,all,inherit 2
	sample 1 5 5 10 999 u 1=100 2=5 u: 0x10
	sample 1 5 6 20 999 u 1=30 2=5 u: 0x10
	sample 1 5 5 30 999 u 1=131 2=5 u: 0x10
	sample 1 5 6 40 999 u 1=32 2=9 u: 0x10
	END
	stackcollapse-perf --tid perf.data 2> /dev/null | diff - <(printf '%s\n' \
		':5-5/5;[unknown] 131' ':6-5/6;[unknown] 32')
	stackcollapse-perf --event-filter=faults perf.data 2> /dev/null |
		diff - <(printf '%s;[unknown] %s\n' :5 5 :6 9)
}

@test "tracepoints count 1, and only with chains" {
	record > perf.data <<-'END'
	event sched:switch 2 300 ip,tid,time,id,period,chain,all 1
	sample 1 0 0 10 999 u u: 0x10
	sample 1 0 0 20 999 u u: 0x10
	END
	stackcollapse-perf perf.data | diff - <(echo 'swapper;[unknown] 2')
	sed 's/,chain//; s/u:.*//' > lines <<-'END'
	event sched:switch 2 300 ip,tid,time,id,period,chain,all 1
	sample 1 0 0 10 999 u u: 0x10
	END
	record < lines > perf.data
	stackcollapse-perf perf.data 2> err | diff /dev/null -
	has 'no sample was found' err
}

@test "samples without a chain are stacks of one frame" {
	record > perf.data <<-'END'
	event cycles 0 0 identifier,ip,tid,time,address,stream,cpu,all 1
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	sample 1 5 5 10 0 u 0x1010
	sample 1 5 5 20 0 h 0x1010
	END
	stackcollapse-perf perf.data | diff - <(printf 'a;%s 1000\n' \
		'[a]' '[unknown]')
}

@test "a chain without addresses is its root alone" {
	record > perf.data <<-END
	$event
	sample 1 5 5 10 3 u
	sample 1 5 5 11 4 u u:
	END
	stackcollapse-perf perf.data | diff - <(echo ':5 7')
}

@test "at most 127 frames of a stack count, or as many as are asked for" {
	{
		echo "$event"
		echo 'map 5 5 0x1000 0x1000 0 /x/bin/a'
		# shellcheck disable=SC2046 # as many words
		echo sample 1 5 5 10 1 u u: $(yes 0x1000 | head -200)
	} | record > perf.data
	stackcollapse-perf perf.data > out
	tr -cd ';' < out | wc -c | diff -b - <(echo 127)
	stackcollapse-perf --max-stack=3 perf.data |
		diff - <(echo ':5;[a];[a];[a] 1')
}

# perf does not read so far.
@test "a context that is not known matters only among the frames that count" {
	record > perf.data <<-END
	$event
	map 5 5 0x1000 0x1000 0 /x/bin/a
	sample 1 5 5 10 1 u u: 0x1000 0x1010 x:
	END
	stackcollapse-perf perf.data | diff - <(echo ':5 1')
	stackcollapse-perf --max-stack=2 perf.data | diff - <(echo ':5;[a];[a] 1')
}

@test "the same place is one frame, wherever a file is mapped" {
	shell > perf.data
	stackcollapse-perf --addrs perf.data | diff - <(cat <<-'END'
	ls;[ls <40>];[libc.so <20>] 2
	sh;[sh <20>];[libc.so <10>] 7
	sh;[sh <30>];[libc.so <20>] 3
	sh;[sh <40>] 5
	END
	)
}

@test "the same addresses are others in another process" {
	record > perf.data <<-END
	$event
	comm 5 5 a
	comm 6 6 a
	map 5 5 0x1000 0x1000 0 /x/b
	map 6 6 0x1000 0x1000 0x1000 /x/c
	map 5 5 0x900000001000 0x1000 0 /x/b
	map 6 6 0x900000001000 0x1000 0 //anon
	sample 1 5 5 10 1 u u: 0x1010 0x9010 0x900000001010
	sample 1 6 6 20 2 u u: 0x1010 0x9010 0x900000001010
	sample 1 5 5 30 4 u u: 0x1010 0x9020 0x900000001010
	sample 1 6 6 40 8 u u: 0x1010 0x9020 0x900000001010
	sample 1 6 6 50 16 u u: 0x1020 0x9020 0x900000001010
	END
	stackcollapse-perf perf.data | diff - <(cat <<-'END'
	a;[b];[unknown];[b] 5
	a;[perf-6.map];[unknown];[c] 26
	END
	)
	stackcollapse-perf --addrs perf.data | diff - <(cat <<-'END'
	a;[b <10>];[unknown <9010>];[b <10>] 1
	a;[b <10>];[unknown <9020>];[b <10>] 4
	a;[perf-6.map <900000001010>];[unknown <9010>];[c <1010>] 2
	a;[perf-6.map <900000001010>];[unknown <9020>];[c <1010>] 8
	a;[perf-6.map <900000001010>];[unknown <9020>];[c <1020>] 16
	END
	)
}

@test "a command's blanks, semicolons and line ends do not part frames" {
	printf '%s\n' "$event" 'comm 5 5 a;b' 'sample 1 5 5 1 1 u u: 0x10' \
		'record 3 0 060000000600000061200a620000000000000000000000000000000000000000' \
		'sample 1 6 6 1 1 u u: 0x10' \
		'map 5 5 0x10 0x10 0 /x;y/b;c' | record > perf.data
	stackcollapse-perf perf.data | diff - <(printf '%s\n' \
		'a:b;[b:c] 1' 'a__b;[unknown] 1')
}

@test "a compressed recording is read by zstd" {
	command -v zstd > /dev/null || skip 'no zstd'
	for how in '' pipe; do
		{
			echo "$how"
			printf '%s\n' "$event" compressed 'comm 5 5 a'
			seq 1 20000 | sed 's/.*/sample 1 5 5 & 1 u u: 0x10/'
		} | record > perf.data
		stackcollapse-perf perf.data | diff - <(echo 'a;[unknown] 20000')
	done
	mkdir empty
	program=$(command -v stackcollapse-perf)
	PATH=empty fails 1 "$program" perf.data > out 2> err
	has 'zstd cannot be run: No such file or directory' err
}

# Of the frames on the stack, middle's is the first; leaf has none.
@test "on aarch64 a function without a frame has its caller" {
	cat > leaf.c <<-'END'
	static volatile long n;
	void __attribute__((noinline)) leaf(long k) { n += k; n ^= k; }
	void __attribute__((noinline)) middle(long k) { leaf(k); leaf(k / 2); }
	void _start(void) { middle(3); for (;;) n++; }
	END
	for kind in no-omit omit; do
		clang --target=aarch64-linux-gnu -fuse-ld=lld -nostdlib \
			-static -O1 -f$kind-frame-pointer \
			-fasynchronous-unwind-tables -Wl,--eh-frame-hdr \
			-Wl,-z,separate-loadable-segments \
			-o $kind leaf.c 2> /dev/null ||
			skip 'no clang for aarch64'
	done
	at() { nm "${2-no-omit}" | sed -n "s/^\(.*\) T $1\$/0x\1/p"; }
	text=$(readelf -lW no-omit | awk '/LOAD.*R E/ { print $3, $2 }')
	{
		printf '%s\n' 'machine aarch64' \
			'event cycles 0 0 ip,tid,time,id,period,chain,link,all 1' \
			'comm 5 5 a' 'comm 6 6 b' \
			"map 5 5 ${text% *} 0x10000 ${text#* } $PWD/no-omit" \
			"map 6 6 ${text% *} 0x10000 ${text#* } $PWD/omit"
		sample() {
			printf '%b' "$(printf '%016x\n' "$1" | fold -w 2 | tac |
				sed 's/^/\\x/' | tr -d '\n')" > "link.$2"
			echo "sample 1 ${4-5} ${4-5} $2 1 u $3 registers:link.$2"
		}
		leaf=$(at leaf) middle=$(at middle) start=$(at _start)
		sample $((middle + 16)) 1 "u: $((leaf + 4)) $((start + 12))"
		# middle has a frame, and the link register is of no use there
		sample $((middle + 16)) 2 "u: $((middle + 16)) $((start + 12))"
		# not where the chain has that address, or no caller at all
		sample $((start + 13)) 3 "u: $((leaf + 4)) $((start + 12))"
		sample $((middle + 16)) 4 "u: $((leaf + 4))"
		sample 0 5 "u: $((leaf + 4)) $((start + 12))"
		# what is on the stack is not known
		leaf=$(at leaf omit) middle=$(at middle omit)
		start=$(at _start omit)
		sample $((middle + 16)) 6 "u: $((leaf + 4)) $((start + 12))" 6
		sample $((middle + 16)) 7 "u: $((middle + 4)) $((start + 12))" 6
	} | record > perf.data
	stackcollapse-perf perf.data | diff - <(cat <<-'END'
	a;_start;leaf 2
	a;_start;middle 1
	a;_start;middle;leaf 1
	a;leaf 1
	b;_start;middle 1
	b;_start;middle;leaf 1
	END
	)
}

# folder: makes of perf record --threads what it writes in folder/.
folder() {
	mkdir -p folder
	record > folder/data <<-END
	$event
	comm 5 5 early
	map 5 5 0x1000 0x1000 0 /x/bin/a
	END
	record > folder/data.0 <<-END
	part
	$event
	${1-}
	comm 5 5 late 300
	sample 1 5 5 400 1 u u: 0x1010
	END
	record > folder/data.1 <<-END
	part
	$event
	${1-}
	sample 1 5 5 200 1 u u: 0x1010
	sample 1 5 5 299 1 u u: 0x1010
	sample 1 5 5 301 1 u u: 0x1010
	END
}

@test "a folder of perf record --threads is one recording" {
	folder
	printf '%s\n' 'early;[a] 2' 'late;[a] 2' > expected
	stackcollapse-perf folder 2> err | diff expected -
	stackcollapse-perf folder/ folder/data | diff expected -
	if command -v zstd > /dev/null; then
		folder compressed
		stackcollapse-perf folder | diff expected -
	fi
}

# One file names a thread, another one has its samples: 80 MB.
@test "the files of a folder are read side by side" {
	mkdir folder
	printf '%s\n' "$event" 'comm 1 1 a' | record > folder/data
	for name in even:0 odd:2; do
		{
			printf '%s\n' part "$event"
			seq "${name#*:}" 4 160000 |
				sed "s/.*/comm 5 5 ${name%:*} &/"
		} | record > "folder/data.${name#*:}"
	done
	chain=$(seq -s ' ' 16 265)
	{
		printf '%s\n' part "$event"
		seq 1 2 160000 | sed "s/.*/sample 1 5 5 & 1 u u: $chain/"
	} | record > folder/data.1
	stackcollapse-perf --max-stack=1 folder |
		diff - <(printf '%s;[unknown] 40000\n' even odd)
}

@test "a folder's files are regular ones, and what is missing of them is told" {
	folder
	mkfifo folder/data.2
	mkdir folder/data.3
	head -c -3 folder/data.1 > short
	mv short folder/data.1
	stackcollapse-perf folder 2> err |
		diff - <(printf '%s\n' 'early;[a] 2' 'late;[a] 1')
	has 'folder/data.1 is cut off' err
	rm folder/data
	fails 1 stackcollapse-perf folder 2>&1 | diff - <(
		echo 'stackcollapse-perf: folder: Is a directory')
	mkfifo folder/data
	fails 1 stackcollapse-perf folder 2>&1 | diff - <(
		echo 'stackcollapse-perf: folder: Is a directory')
}

# A folder tells the names of its files in an order of its own.
@test "what a folder's files have of one time is taken by their numbers" {
	mkdir folder
	printf '%s\n' "$event" 'comm 5 5 first' | record > folder/data
	for i in 12 1 3 10 5 8 7 6 9 4 11 2; do
		if [ $((i % 2)) -eq 1 ]; then
			echo "comm 5 5 odd$i 300"
		else
			echo 'sample 1 5 5 300 1 u u: 0x10'
		fi > line
		{
			printf '%s\n' part "$event"
			cat line
		} | record > folder/data.$i
	done
	stackcollapse-perf folder |
		diff - <(printf 'odd%s;[unknown] 1\n' 11 1 3 5 7 9)
}

@test "the files of a folder are in order, as many as processors" {
	mkdir folder
	printf '%s\n' "$event" 'comm 1 1 a' | record > folder/data
	# of two records that follow each other, the second one is a sample
	awk 'BEGIN { for (i = 0; i < 6000; i++) {
		file = "part." i * 7 % 150 + 1
		if (i % 2 == 0)
			print "comm 5 5 n" i % 5, i + 10 > file
		else
			print "sample 1 5 5", i + 10, "1 u u: 0x10" > file
	} }'
	for i in {1..150}; do
		{
			printf '%s\n' part "$event"
			cat "part.$i"
		} | record > "folder/data.$i"
	done
	stackcollapse-perf folder |
		diff - <(printf 'n%s;[unknown] 600\n' {0..4})
}

@test "a folder of too many files keeps none of them open" {
	folder
	stackcollapse-perf folder > expected
	mkdir many
	for i in {1..60}; do
		cp folder/data "many/data.$i"
	done
	cp folder/data many
	for i in {1..40}; do
		set -- "$@" many
	done
	ulimit -n 40
	fails 1 stackcollapse-perf "$@" folder 2> err | diff expected -
	has 'many: not all of its files can be opened' err
}

@test "the kernel's names are those beside the recording: perf record --kcore" {
	mkdir -p folder/kcore_dir
	record > folder/data <<-END
	$event
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text
	sample 1 0 0 20 1 k k: 0xffffffff81000010
	END
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000010 T here' \
		> folder/kcore_dir/kallsyms
	stackcollapse-perf folder | diff - <(echo 'swapper;here 1')
	echo 'ffffffff81000010 T there' > other
	stackcollapse-perf --kallsyms other folder |
		diff - <(echo 'swapper;there 1')
	fails 1 stackcollapse-perf --kallsyms missing folder 2>&1 > out |
		diff - <(echo 'stackcollapse-perf: missing: No such file or' \
		directory)
	fails 1 stackcollapse-perf --kallsyms . folder 2>&1 > out |
		diff - <(echo 'stackcollapse-perf: .: not a regular file')
	[ ! -s out ]
}

@test "the kernel's file is one of its release, as a recording tells that" {
	command -v strace > /dev/null || skip 'no strace'
	strace -o trace true || skip 'strace cannot trace here'
	export ASAN_OPTIONS=detect_leaks=0
	record > perf.data <<-END
	pipe
	record 80 0 04000000000000000c000000$(printf 9.9-abc | od -An -tx1 | \
		tr -d ' \n')0000000000
	$event
	id [kernel.kallsyms] 0123456789
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text
	sample 1 0 0 20 1 k k: 0xffffffff81000010
	END
	strace -f -o trace -e trace=file stackcollapse-perf perf.data \
		2> /dev/null
	has '"/boot/vmlinux-9.9-abc"' trace
}

@test "the files of another machine are below --symfs, and / is no other" {
	needs_64_bits
	mkdir -p root/x/bin
	cat > a.c <<-'END'
	int here(void) { return 1; }
	int main(void) { return here(); }
	END
	"${CC:-cc}" -o root/x/bin/a a.c
	at=$(nm root/x/bin/a | sed -n 's/^0*\(.*\) T here$/\1/p')
	for folder in '' "$PWD/root"; do
		record > perf.data <<-END
		$event
		map 5 5 0x500000000000 0x100000 0 $folder/x/bin/a
		sample 1 5 5 10 1 u u: 0x50000000$(printf %04x "0x$at")
		END
		[ -z "$folder" ] && set -- root || set -- / /. /../ //
		for symfs; do
			stackcollapse-perf --symfs="$symfs" perf.data |
				diff - <(echo ':5;here 1')
		done
	done
	stackcollapse-perf --symfs=root perf.data 2> /dev/null |
		diff - <(echo ':5;[a] 1')
}

@test "below --symfs, debug files are found without a recorded build id, too" {
	needs_64_bits
	mkdir -p root/x/bin
	echo 'static int here(void) { return 1; } int (*p)(void) = here;
		int main(void) { return p(); }' > a.c
	"${CC:-cc}" -Wl,--build-id -o a a.c
	at=$(nm a | sed -n 's/^0*\(.*\) t here$/\1/p')
	id=$(readelf -n a | sed -n 's/.*Build ID: //p')
	[ -n "$id" ] || skip 'no build ids'
	record > perf.data <<-END
	$event
	map 5 5 0x500000000000 0x100000 0 /x/bin/a
	sample 1 5 5 10 1 u u: 0x50000000$(printf %04x "0x$at")
	END
	strip -o root/x/bin/a a
	debug=root/usr/lib/debug/.build-id/${id:0:2}
	mkdir -p "$debug"
	cp a "$debug/${id:2}.debug"
	stackcollapse-perf --symfs=root perf.data | diff - <(echo ':5;here 1')
}

@test "the files of a container are below its /proc/PID/root" {
	echo 'int here(void) { return 1; } int main(void) { return here(); }' > a.c
	"${CC:-cc}" -o a a.c
	mkdir x
	at=$(nm a | sed -n 's/^0*\(.*\) T here$/\1/p')
	record > perf.data <<-END
	$event
	map 5 5 0x500000000000 0x100000 0 $PWD/x/a
	sample 1 5 5 10 1 u u: 0x50000000$(printf %04x "0x$at")
	END
	unshare -m sh -c 'mount -t tmpfs x x && cp a x && : > ready &&
		exec sleep 100' 2> err 3>&- &
	for _ in $(seq 50); do
		[ -e ready ] && break
		sleep 0.1
	done
	[ -e ready ] || skip 'no containers'
	stackcollapse-perf --symfs=/proc/$!/root perf.data |
		diff - <(echo ':5;here 1')
	kill $!
}

@test "of a recording that is cut off, all that is whole counts" {
	shell > perf.data
	size=$(wc -c < perf.data)
	head -c $((size - 600)) perf.data > short
	stackcollapse-perf short 2> err > out
	has 'short is cut off; bytes that are missing at its end: ' err
	fails 1 diff out <(echo "$shell_folded")
	shell unfinished > killed
	stackcollapse-perf killed 2> err | diff - <(echo "$shell_folded")
	has 'perf record was ended before' err
	shell pipe | head -c -3 | stackcollapse-perf 2> err |
		diff - <(echo "$shell_folded")
	has 'is cut off' err
}

# The places of the sections of a header are after the records, which bytes 40
# to 55 tell: an offset and a size.
@test "what a header lacks, or tells to be too large, is said" {
	cp "$DATA/recording/spin.data" large
	stackcollapse-perf large 2> err > whole
	fails 1 has header err
	sum=$(awk '{ sum += $NF } END { print sum }' whole)
	[ "$sum" -gt 0 ]
	end=$(od -An -td8 -j40 -N16 large | awk '{ print $1 + $2 }')
	head -c $((end + 8)) large > short
	printf '\0\0\0\0\5' |
		dd of=large bs=1 seek=$((end + 8)) conv=notrunc status=none
	for file in short large; do
		stackcollapse-perf $file 2> err |
			awk -v sum="$sum" '{ sum -= $NF } END { exit sum }'
		has "$file: parts of its header are cut off, or larger" err
		fails 1 has "$file is cut off" err
	done
}

@test "a recording that perf script alone reads is refused, with its command" {
	{ echo machine riscv64; echo "${event/chain/chain,registers,stack}"; } > dwarf
	echo "${event/chain/chain,branches,callstack}" > lbr
	echo 'sample 1 5 5 1 1 u u: 0x10' > sample
	for what in dwarf lbr; do
		cat $what sample | record > perf.data
		fails 1 stackcollapse-perf perf.data 2> err | diff /dev/null -
		has "recorded with --call-graph $what" err
		has -F 'perf script --no-inline -i perf.data | stackcollapse-perf' err
	done
	{ echo "${event/chain/chain,read,unknown}"; sed 's/u:/1=7 u:/' sample; } |
		record > perf.data
	fails 1 stackcollapse-perf perf.data 2>&1 | has 'reads of counters'
	{ echo "${event/chain/chain,unknown}"; cat sample; } | record > perf.data
	stackcollapse-perf perf.data 2>&1 | has ':5;'
	{ printf '%s\n' 'machine i686' "$event"; cat sample; } |
		record > perf.data
	fails 1 stackcollapse-perf perf.data 2>&1 | has '32-bit'
	printf '2ELIFREPxxxxxxxxxxxxxxxxxxxxxx' > perf.data
	fails 1 stackcollapse-perf perf.data 2>&1 | has 'big-endian'
	fails 1 stackcollapse-perf < perf.data 2>&1 |
		has -F ': perf script --no-inline -i - | stackcollapse-perf'
	{ echo "$event"; echo 'record 70 0 0000'; } | record > perf.data
	fails 1 stackcollapse-perf perf.data 2> err
	has 'AUX' err
	wc -l < err | diff -b - <(echo 1)	# one cause, one message
	{ echo "$event"; cat sample; echo 'record 70 0 0000'; cat sample; } |
		record > perf.data
	for jobs in 1 3; do
		fails 1 stackcollapse-perf --jobs=$jobs perf.data 2> err |
			diff <(echo ':5;[unknown] 1') -	# what precedes it counts
		has 'AUX' err
	done
}

@test "a recording of many megabytes is read in parts" {
	{
		echo "$event"
		printf '%s\n' 'comm 5 5 a' 'map 5 5 0x1000 0x1000 0 /x/a'
		for i in $(seq 3000); do
			echo "sample 1 5 5 $i 1 u u: 0x1010 0x1020"
			echo "record 60 0 $(printf '%02000d' "$i")"
		done
	} > lines
	record < lines > perf.data
	[ "$(wc -c < perf.data)" -gt 3000000 ]
	stackcollapse-perf perf.data 2> err | diff <(echo 'a;[a];[a] 3000') -
	head -c 2500000 perf.data > short
	stackcollapse-perf short 2> err > out
	has 'short is cut off' err
	has '^a;\[a\];\[a\] 2[0-9][0-9][0-9]$' out
}

@test "samples of virtual machines are left out, and records that make no sense" {
	record > perf.data <<-END
	$event
	sample 1 0 0 10 1 u u: 0x10
	sample 1 0 0 20 1 g u: 0x10
	record 9 0 00
	record 10 0 0000
	record 60 0 0000000000000000
	record 99 0 0000000000000000
	lost 17
	END
	stackcollapse-perf perf.data 2> err | diff - <(echo 'swapper;[unknown] 1')
	diff err - <<-'END'
	stackcollapse-perf: perf.data: records that were lost while it was recorded: 17
	stackcollapse-perf: perf.data: samples of virtual machines, which are left out: 1
	stackcollapse-perf: perf.data: records that make no sense and are left out: 2, the first at byte 408
	END
}

@test "everything after a damaged record is left out" {
	record > perf.data <<-END
	$event
	sample 1 0 0 10 1 u u: 0x10
	bytes 0900000002000700
	sample 1 0 0 20 1 u u: 0x10
	END
	stackcollapse-perf perf.data 2> err | diff - <(echo 'swapper;[unknown] 1')
	has 'damaged at byte' err
}

@test "perf's own lines are those of its recordings" {
	command -v perf > /dev/null || skip 'no perf'
	cat > work <<-'END'
	for i in 1 2 3 4 5 6 7 8; do ls / | sort; done
	END
	perf record -q -e cpu-clock -o perf.data true > /dev/null 2>&1 ||
		skip 'perf records nothing here'
	while read -r options; do
		rm -rf perf.data
		# shellcheck disable=SC2086 # options are several
		perf record -q -o perf.data $options sh work > /dev/null 2>&1 ||
			continue
		perf script --no-inline -i perf.data 2> /dev/null |
			stackcollapse-perf 2> /dev/null > out
		stackcollapse-perf --no-inline perf.data 2> /dev/null |
			diff out -
		cat out >> all
	done <<-'END'
	-e cpu-clock -F 999 -g
	-e cpu-clock -F 999
	-e cpu-clock:u -c 200000 -g
	-e cpu-clock,page-faults -F 999 -g
	-e {cpu-clock,page-faults}:S -F 999 -g
	-e page-faults -c 1 -g --buildid-mmap -d
	-e sched:sched_switch -g
	-e cpu-clock -F 999 -g -z
	-e cpu-clock -F 999 -g --threads -a
	END
	perf record -q -e cpu-clock -F 999 -g -o - sh work \
		2> /dev/null > pipe
	perf script --no-inline -i pipe 2> /dev/null | stackcollapse-perf > out
	stackcollapse-perf --no-inline < pipe | diff out -
	has '^sh;' all
}

# many_maps: a process that maps between its samples, and another one's samples.
many_maps() {
	echo "$event"
	printf '%s\n' 'comm 10 10 a' 'comm 20 20 b' \
	    'map 20 20 0x1000 0x1000 0 /x/b'
	for i in $(seq 1000 3999); do
		echo "map 10 10 0x${i}000 0x1000 0 /x/$((i % 7)) $((i * 10))"
		echo "sample 1 10 10 $((i * 10 + 1)) 1 u u: 0x${i}001 0x${i}002"
		echo "sample 1 20 20 $((i * 10 + 2)) 1 u u: 0x1001 0x${i}002"
	done
	echo 'exit 10 10 1 1 90000'
}

@test "any number of threads fold a recording to the same" {
	many_maps | record > perf.data
	for i in 0 1 2 3 4 5 6; do
		echo "a;[$i];[$i] $(seq 1000 3999 | awk -v i="$i" \
			'$1 % 7 == i' | wc -l)"
	done > expected
	echo 'b;[unknown];[b] 3000' >> expected
	for jobs in 1 2 5; do
		stackcollapse-perf --jobs $jobs perf.data 2> /dev/null |
			diff expected -
	done
}

# Of 512 samples in a row, some batch has all, some has none.  The names are so
# many that samples have to wait.
@test "samples count whether or not they wait for the kernel's names" {
	{
		printf '%s\n' 'ffffffff81000000 T _text' \
		    'ffffffff81000100 T read' 'ffffffff81000200 T write'
		seq -f 'ffffffff%.0f t later' 82000000 82300000
	} > names
	{
		echo "$event"
		printf '%s\n' 'comm 10 10 a' 'map 10 10 0x1000 0x1000 0 /x/a' \
		    'kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text'
		awk 'BEGIN {
			k[0] = "k k: 0xffffffff81000110 u: "
			k[1] = "k k: 0xffffffff81000210 u: "
			for (i = 0; i < 6000; i++)
				printf "sample 1 10 10 %d 1 %s%d\n", i + 1,
				    i % 3000 < 1000 || i % 3 == 0 && \
				    i % 3000 < 2000 ? "u u: " : k[i % 2],
				    4096 + i % 7
		}'
	} > lines
	awk '$1 == "sample" {
		++n[$7 == "u" ? "a;[a]" : "a;[a];" ($9 ~ /210$/ ? "write" : "read")]
	}
	END { for (i in n) print i, n[i] }' lines | sort > expected
	record < lines > perf.data
	for jobs in '' --jobs=1 --jobs=2 --jobs=3; do
		# shellcheck disable=SC2086 # it may be none
		stackcollapse-perf $jobs --kallsyms names perf.data \
			2> /dev/null | diff expected -
	done
}

@test "chains that never come again count as those that do" {
	{
		echo "$event"
		printf '%s\n' 'comm 10 10 a' 'map 10 10 0x1000 0x1000 0 /x/a' \
		    'map 10 10 0x100000 0x10000000 0 /x/b'
		awk 'BEGIN {
			for (i = 0; i < 450000; i++)
				printf "sample 1 10 10 %d %d u u: %d %d\n",
				    i + 1, i % 5 + 1, 1048576 + i * 16,
				    i % 3 ? 4096 + i % 50 : 2097152 + i
		}'
	} > lines
	awk '$1 == "sample" {
		sum[$10 < 8192 ? "[a]" : "[b]"] += $6
	}
	END { for (i in sum) print "a;" i ";[b] " sum[i] }' lines |
		sort > expected
	record < lines > perf.data
	for jobs in 1 2; do
		stackcollapse-perf --jobs $jobs perf.data 2> err |
			diff expected -
		has 'a function.s name: 900000 of 900000, most .* /x/b' err
	done
}

@test "a line says whose functions have no names, and what helps" {
	shell > perf.data
	stackcollapse-perf perf.data 2>&1 > /dev/null | diff - <(cat <<-'END'
	stackcollapse-perf: perf.data: addresses without a function's name: 7 of 7, most of them in /x/bin/sh, which is not there; --symfs tells where it is
	END
	)
}

@test "each address without a function is counted as often as its stack comes" {
	record > perf.data <<-END
	$event
	map 5 5 0x1000 0x1000 0 /x/a
	map 5 5 0x2000 0x1000 0 /x/b
	sample 1 5 5 10 1 u u: 0x1010 0x1020 0x1030
	sample 1 5 5 11 1 u u: 0x1010 0x1020 0x1030
	sample 1 5 5 12 1 u u: 0x1010 0x1020 0x1030
	sample 1 5 5 13 1 u u: 0x1040 0x2010
	sample 1 5 5 14 1 u u: 0x2010 0x1040
	END
	stackcollapse-perf perf.data 2>&1 > out |
		has "without a function's name: 13 of 13, most of them in /x/a,"
}

# perf calls it so where processes are of 32 bits, whose addresses are.
@test "the [vdso] of a process of 32 bits is another one than the [vdso]" {
	record > perf.data <<-END
	$event
	map 5 5 0xf7f00000 0x2000 0 [vdso]
	map 6 6 0x7ffc2f2ca000 0x2000 0 [vdso]
	map 7 7 0xffffe000 0x2000 0 [vdso]
	sample 1 5 5 10 1 u u: 0xf7f00001
	sample 1 6 6 10 1 u u: 0x7ffc2f2ca001
	map 8 8 0x100000000 0x2000 0 [vdso]
	sample 1 7 7 10 1 u u: 0xffffe001
	sample 1 8 8 10 1 u u: 0x100000001
	END
	stackcollapse-perf --symfs=nowhere perf.data 2> err | diff - <(printf '%s\n' ':5;[[vdso32]] 1' \
		':6;[[vdso]] 1' ':7;[[vdso32]] 1' ':8;[[vdso]] 1')
}

# The address of a sample without a chain is one in the file, too.
@test "processes of a program count together with --addrs, also without -g" {
	record > perf.data <<-END
	event cycles 0 0 ip,tid,time,id,period,all 1
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	comm 6 6 a
	map 6 6 0x7000 0x1000 0 /x/bin/a
	sample 1 5 5 10 1 u 0x1010
	sample 1 6 6 20 1 u 0x7010
	END
	stackcollapse-perf --addrs perf.data | diff - <(echo 'a;[a <10>] 2')
}

@test "tracepoints in a pipe name the module of an unknown frame" {
	record > perf.data <<-END
	pipe
	event sched:switch 2 300 ip,tid,time,id,period,chain,all 1
	map 5 5 0x1000 0x1000 0 /x/bin/a
	sample 1 5 5 10 1 u u: 0x1010
	END
	stackcollapse-perf perf.data | diff - <(echo ':5;[a] 1')
}

# An unfinished recording counts as far as it goes, and each sample once.
# traced PIPE SIZE LEN: a recording with what a tracepoint's format takes, of so
# many bytes, of which LEN are there.
traced() {
	record <<-END
	$1
	$event
	comm 10 10 a
	sample 1 10 10 1 3 u u: 0x10
	record 66 0 $(printf '%08x' "$2" | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/')
	$(yes "bytes $(printf '%016x' 5)" | head -n $(($3 / 8)))
	sample 1 10 10 2 5 u u: 0x10
	END
}

@test "formats of tracepoints are stepped over, as long as they are" {
	for pipe in '' pipe; do
		# they end at a word
		for size in 0 1 5 8 63 199993 200000; do
			traced "$pipe" $size $(((size + 7) / 8 * 8)) |
				stackcollapse-perf 2> /dev/null |
				diff <(echo 'a;[unknown] 8') -
		done
	done
	traced '' 199993 200000 > perf.data
	stackcollapse-perf perf.data 2> /dev/null |
		diff <(echo 'a;[unknown] 8') -
	traced pipe 4000000000 64 > perf.data
	stackcollapse-perf perf.data 2> /dev/null |
		diff <(echo 'a;[unknown] 3') -
}

@test "a module of the kernel is called by its name, of whatever file it is" {
	for file in btrfs-x.ko.xz btrfs-x.ko lib/btrfs-x.ko.zst btrfs_x.ko.gz; do
		record > perf.data <<-END
		$event
		comm 10 10 a
		kernel 0xffffffffc0000000 0x1000 0 /x/modules/$file
		sample 1 10 10 1 3 k k: 0xffffffffc0000010
		END
		echo 'ffffffff81000000 T _text' > names
		stackcollapse-perf --kallsyms names perf.data 2> /dev/null |
			diff <(stackcollapse-perf <<-'END'
			a 10 1.0: 3 cycles:
			    ffffffffc0000010 [unknown] ([btrfs_x])

			END
			) -
	done
	# no module's file
	record > perf.data <<-END
	$event
	comm 10 10 a
	kernel 0xffffffffc0000000 0x1000 0 /x/modules/other
	kernel 0xffffffffc0001000 0x1000 0 odd
	sample 1 10 10 1 3 k k: 0xffffffffc0000010
	sample 1 10 10 2 4 k k: 0xffffffffc0001010
	END
	stackcollapse-perf --kallsyms names perf.data 2> /dev/null |
		diff <(printf '%s\n' 'a;[other] 3' 'a;[unknown] 4') -
}

# in_kernel NAME [ID]: a recording of a function of the kernel, or of a module.
in_kernel() {
	record > perf.data <<-END
	$event
	${2:+id ${1%_text} $2}
	comm 10 10 a
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 $1
	sample 1 10 10 1 3 k k: 0xffffffff81000010
	END
}

# tells WHY ARG...: what is told of its function, which has no name.
tells() {
	stackcollapse-perf "${@:2}" perf.data 2> err > out
	has -F "addresses without a function's name: 1 of 1, $1" err
}

@test "a line says why the kernel's functions have no names" {
	printf '0000000000000000 T _text\n0000000000000000 T f\n' > hidden
	in_kernel '[kernel.kallsyms]_text'
	tells 'most of them in [kernel.kallsyms], whose names are hidden; sysctl kernel.kptr_restrict=0 or root shows them' \
	    --kallsyms hidden
	in_kernel '[kernel.kallsyms]_text' 0123456789
	tells 'most of them in [kernel.kallsyms], which does not run here; --kallsyms tells its names'
	command -v xz > /dev/null || skip 'no xz'
	echo 'int f(int n) { return n; }' | "${CC:-cc}" -c -x c -o mod.ko -
	xz mod.ko
	in_kernel "$PWD/mod.ko.xz"
	echo 'ffffffff81000000 T _text' > names
	tells 'most of them in [mod], which has no symbols, or not all; a debug package may have them' \
	    --kallsyms names
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" --kallsyms names perf.data 2> err > out
	has 'in \[mod\], which is compressed, and xz or zstd is missing' err
}

@test "cut off at any byte, a recording counts what is whole" {
	shell unfinished > perf.data
	size=$(wc -c < perf.data)
	before=0
	for ((len = 8; len <= size; len += 9)); do
		head -c "$len" perf.data > short
		status=0
		stackcollapse-perf short > out 2> err || status=$?
		[ "$status" -le 1 ]
		[ -s err ]
		sum=$(awk '{ sum += $NF } END { print sum + 0 }' out)
		[ "$sum" -ge "$before" ]
		before=$sum
	done
	stackcollapse-perf perf.data 2> /dev/null | diff - <(echo "$shell_folded")
}

@test "any byte may be wrong" {
	shell > perf.data
	size=$(wc -c < perf.data)
	for ((at = 0; at < size; at += 11)); do
		{
			head -c "$at" perf.data
			printf '\377'
			tail -c +$((at + 2)) perf.data
		} > wrong
		status=0
		stackcollapse-perf wrong > out 2> err || status=$?
		[ "$status" -le 1 ]
		fails 1 grep -qv ' [0-9][0-9]*$' out
		cat out >> all
	done
	has -xF 'sh;[sh];[libc.so] 10' all
}

# kept NAME: folds a recording that is kept, with its program's and kernel's
# names.
kept() {
	stackcollapse-perf --kernel --symfs=root \
		--kallsyms="$DATA/recording/spin.kallsyms" "$1"
}

# Expected is what perf script printed: see data/recording/spin.c.
@test "recordings of perf 6.1 become what its text becomes" {
	mkdir -p root/opt/spin
	cp "$DATA/recording/spin" root/opt/spin
	for name in spin.data spin.pipe spin-zstd.data spin-group.data \
		spin-faults.data; do
		[ "$name" = spin-zstd.data ] && ! command -v zstd > /dev/null &&
			continue
		kept "$DATA/recording/$name" 2> err |
			diff "$DATA/recording/$name.folded" -
		# shellcheck disable=SC2002 # a pipe is what is tested
		cat "$DATA/recording/$name" | kept - 2>&1 > out | diff err -
		diff "$DATA/recording/$name.folded" out
	done
	# names are those of the file there, unless its build id is another
	sed 's/_start/_begin/' "$DATA/recording/spin" > root/opt/spin/spin
	kept "$DATA/recording/spin.data" | has -F '_begin;'
	sed 's/GNU/GNX/' "$DATA/recording/spin" > root/opt/spin/spin
	kept "$DATA/recording/spin.data" 2> err | has -F '[unknown];[spin];'
}

# Programs of a script's background ignore SIGINT, and nothing can change that.
needs_ctrl_c() {
	[ -z "$(bash -c 'trap -p INT')" ] || skip 'SIGINT is ignored here'
}

# pressing_ctrl_c PIPELINE: runs it, and sends SIGINT to all of its processes,
# as a terminal does, when the file ready is there.
pressing_ctrl_c() {
	needs_ctrl_c
	rm -f ready
	bash -c 'set -m
		eval "$1" &
		until [ -e ready ]; do sleep 0.1; done
		sleep 0.2
		kill -INT -- "-$(jobs -p)"
		wait' bash "$1"
}

# recorder REST: makes a program that writes 6000 bytes of perf.data and waits,
# and on Ctrl-C does the rest.
recorder() {
	cat > recorder <<-END
	#!/bin/sh
	trap '$1' INT
	head -c 6000 perf.data
	: > ready
	while :; do sleep 0.1; done
	END
	chmod +x recorder
}

@test "Ctrl-C ends a recording, and the picture still comes" {
	echo 'swapper;[unknown] 20000' > expected
	recorder 'tail -c +6001 perf.data; exit'
	for how in '' compressed; do
		[ -n "$how" ] && ! command -v zstd > /dev/null && continue
		{
			printf '%s\n' pipe "$event" $how
			seq 1 20000 | sed 's/.*/sample 1 0 0 & 1 u u: 0x10/'
		} | record > perf.data
		pressing_ctrl_c './recorder | stackcollapse-perf > out' 2> err
		diff expected out
		pressing_ctrl_c './recorder | stackcollapse-perf |
			flamegraph > out.svg' 2> err
		diff out.svg <(flamegraph expected)
	done
}

@test "a second Ctrl-C ends what reads a recording" {
	needs_ctrl_c
	{
		printf '%s\n' pipe "$event"
		seq 1 20000 | sed 's/.*/sample 1 0 0 & 1 u u: 0x10/'
	} | record > perf.data
	recorder ': > first'
	cat > twice <<-'END'
	set -m
	sh -c './recorder | (trap : INT; stackcollapse-perf; echo $? > status)' \
		> out &
	for file in ready first; do
		until [ -e $file ]; do sleep 0.1; done
		sleep 0.3
		[ -e status ] && exit 1
		kill -INT -- "-$(jobs -p)"
	done
	for _ in $(seq 50); do
		[ -e status ] && break
		sleep 0.1
	done
	kill -KILL -- "-$(jobs -p)"
	END
	bash twice 2> err
	diff status <(echo 130)
}

@test "Ctrl-C ends programs that have no recording to wait for" {
	cat > recorder <<-'END'
	#!/bin/sh
	printf 'a 1 1.2: 1 cycles:\n\t1 x (y)\n\n%9000s' ''
	: > ready
	exec sleep 100
	END
	chmod +x recorder
	pressing_ctrl_c './recorder |
		(trap : INT; stackcollapse-perf; echo $? > one) |
		(trap : INT; flamegraph > out.svg; echo $? > two)' 2> err
	diff <(cat one two) <(printf '130\n130\n')
	[ ! -s out.svg ]
}

@test "Ctrl-C ends perf record, and the picture still comes" {
	command -v perf > /dev/null || skip 'no perf'
	perf record -q -e cpu-clock -o /dev/null true > /dev/null 2>&1 ||
		skip 'perf records nothing here'
	for how in '' -z; do
		rm -f begun
		# perf record is ready for it when it has written something
		(timeout 60 sh -c 'until [ -s begun ]; do sleep 0.1; done'
		sleep 2; : > ready) &
		pressing_ctrl_c "perf record -q $how -e cpu-clock -a -F 99 -g \
			-o - | (trap '' INT; tee begun) | stackcollapse-perf |
			flamegraph > out.svg" 2> err
		tail -n 1 out.svg | has '</svg>'
		has -F '<title>all (' out.svg
	done
}

@test "--in-order keeps the order of a recording's samples, thread by thread" {
	shell | stackcollapse-perf --in-order | diff - <(cat <<-'END'
	sh-10/10;[sh];[libc.so] 10
	sh-11/11;[sh] 5
	ls-11/11;[ls];[libc.so] 2
	END
	)
	# late records are put into their order first
	record <<-END | stackcollapse-perf --in-order --jobs=3 |
	$event
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	map 10 10 0x8000 0x1000 0 /x/lib/libc.so
	sample 1 10 10 130 1 u u: 0x8010
	sample 1 10 12 125 16 u u: 0x8010
	sample 1 10 10 110 2 u u: 0x1010
	sample 1 10 10 100 4 u u: 0x8010
	sample 1 10 10 120 8 u u: 0x1010
	round
	END
		diff - <(printf '%s\n' 'sh-10/10;[libc.so] 4' \
			'sh-10/10;[sh] 10' 'sh-10/10;[libc.so] 1' \
			':12-10/12;[libc.so] 16')
}

@test "--gaps shows time without samples in a recording of a clock" {
	gaps() { # EVENT
		record <<-END
		event $1 0 0 ip,tid,time,id,period,chain,all 1,2
		comm 10 10 sh
		map 10 10 0x1000 0x1000 0 /x/bin/sh
		sample 1 10 10 1000000 100000 u u: 0x1010
		sample 1 10 10 5000000 100000 u u: 0x1010
		sample 1 10 10 6000000 100000 u u: 0x1010
		round
		END
	}
	# 5 - 1 - 0.1 ms, and 6 - 5 - 0.1
	gaps cpu-clock | stackcollapse-perf --in-order --gaps=2 |
		diff - <(printf '%s\n' 'sh-10/10;[sh] 100000' \
			'sh-10/10 3900000' 'sh-10/10;[sh] 200000')
	gaps cpu-clock | stackcollapse-perf --in-order --gaps=0.5 |
		grep -v ';' | diff - <(printf 'sh-10/10 %s\n' 3900000 900000)
	gaps cycles | fails 1 stackcollapse-perf --in-order --gaps=2 2>&1 |
		has 'periods of cycles are not times'
}

@test "--in-order keeps the order with any number of threads" {
	many_maps | record > perf.data
	stackcollapse-perf --in-order --jobs=1 perf.data > one 2> /dev/null
	[ "$(wc -l < one)" -gt 3000 ]
	for jobs in 2 5; do
		stackcollapse-perf --in-order --jobs=$jobs perf.data \
			2> /dev/null | cmp one -
	done
}

@test "perf script prints both numbers with what --help says, of one program" {
	perf record -q -e cpu-clock -F 999 -g -o perf.data sh -c \
		'awk "BEGIN { for (i = 0; i < 500000; i++) n += i }"; :' \
		> /dev/null 2>&1 || skip 'perf records nothing here'
	stackcollapse-perf --tid --no-inline perf.data > data 2> /dev/null
	grep -q '^awk-[0-9]*/[0-9]*;' data
	stackcollapse-perf --help |
		sed -n 's/^\[1\] perf script prints both with //p' > fields
	# shellcheck disable=SC2046 # they are several words
	perf script $(cat fields) --no-inline -i perf.data 2> /dev/null |
		stackcollapse-perf --tid 2> /dev/null | diff - data
}

@test "--in-order of a recording is that of perf script's text" {
	perf record -q -e cpu-clock -F 999 -g -o perf.data sh -c \
		'awk "BEGIN { for (i = 0; i < 500000; i++) n += i }"; :' \
		> /dev/null 2>&1 || skip 'perf records nothing here'
	perf script -F +pid --ns --no-inline -i perf.data > perf.text 2> /dev/null
	for option in '' --gaps=0.2; do
		stackcollapse-perf --in-order --no-inline $option perf.data \
		    > data 2> /dev/null
		stackcollapse-perf --in-order $option perf.text | diff - data
	done
}
