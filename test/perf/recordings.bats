load ../helper
load recording

# Two processes; "$1" may be a line to begin with.
shell() {
	cat <<-END
	${1-}
	$EVENT
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

@test "a recording is folded by its periods, with numbers where asked for" {
	folds <<-END
	$(shell)
	$
	$shell_folded
	$ --pid
	ls-11;[ls];[libc.so] 2
	sh-10;[sh];[libc.so] 10
	sh-11;[sh] 5
	$ --tid
	ls-11/11;[ls];[libc.so] 2
	sh-10/10;[sh];[libc.so] 10
	sh-11/11;[sh] 5
	$ --addrs
	ls;[ls <40>];[libc.so <20>] 2
	sh;[sh <20>];[libc.so <10>] 7
	sh;[sh <30>];[libc.so <20>] 3
	sh;[sh <40>] 5
	$ --in-order
	sh-10/10;[sh];[libc.so] 10
	sh-11/11;[sh] 5
	ls-11/11;[ls];[libc.so] 2
	END
}

@test "a recording comes through a pipe, or as standard input" {
	shell pipe | record > piped
	shell | record > perf.data
	{
		stackcollapse-perf < perf.data
		cat perf.data | stackcollapse-perf
		cat piped | stackcollapse-perf -
		stackcollapse-perf piped
		stackcollapse-perf < piped
	} | diff <(for _ in 1 2 3 4 5; do echo "$shell_folded"; done) -
}

@test "recordings and perf script's text are folded together" {
	shell | record > perf.data
	printf 'sh 10 1.5: 4 cycles:\n\t 1 x (/bin/sh)\n\n' > text
	stackcollapse-perf perf.data text perf.data | is 4<<-'END'
	ls;[ls];[libc.so] 4
	sh;[sh] 10
	sh;[sh];[libc.so] 20
	sh;x 4
	END
}

@test "a sample has the name and the maps of its thread" {
	folds <<-END
	# records are ordered by their times within rounds
	comm 1 1 early
	comm 1 1 late 300
	sample 1 1 1 400 1 u u: 0x10
	sample 1 1 1 200 1 u u: 0x10
	round
	sample 1 1 1 299 1 u u: 0x10
	round
	sample 1 1 1 401 1 u u: 0x10
	$
	early;[unknown] 2
	late;[unknown] 2

	# a thread without a name is called by its number
	sample 1 5 6 10 1 u u: 0x10
	sample 1 -1 -1 11 1 u u: 0x10
	sample 1 0 0 12 1 k k: 0xffffffff81000000
	comm 5 7 '' 13
	sample 1 5 7 14 1 u u: 0x10
	$
	:-1;[unknown] 1
	:6;[unknown] 1
	:7;[unknown] 1
	swapper;[unknown] 1

	# threads that have ended are told apart by their processes
	sample 1 5 -1 10 1 u u: 0x10
	sample 1 7 -1 11 2 u u: 0x10
	sample 1 5 -1 12 4 u u: 0x10
	sample 1 -1 -1 13 8 u u: 0x10
	$ --tid
	:-1--1/-1;[unknown] 8
	:-1-5/-1;[unknown] 5
	:-1-7/-1;[unknown] 2
	$
	:-1;[unknown] 15

	# no thread is recorded
	event cycles 0 0 ip,time,period,chain,all
	sample 1 5 5 1 2 u u: 0x10
	sample 1 6 6 2 3 u u: 0x20
	$
	:-1;[unknown] 5

	# nothing follows the thread
	event cycles 0 0 ip,tid
	sample 1 5 5 0 0 u 0x10
	$
	:5;[unknown] 1000

	# threads share the maps of their process
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	fork 5 6 5 5 10
	map 5 6 0x2000 0x1000 0 /x/lib/b 20
	sample 1 5 5 30 1 u u: 0x2000 0x1000
	sample 1 5 6 40 1 u u: 0x2000 0x1000
	$
	a;[a];[b] 2

	# a thread that has ended is known until its number is used again
	comm 5 5 a
	fork 6 6 5 5 10
	comm 6 6 b 20
	exit 6 6 5 5 30
	sample 1 6 6 40 1 u u: 0x10
	fork 6 6 5 5 50
	sample 1 6 6 60 1 u u: 0x10
	$
	a;[unknown] 1
	b;[unknown] 1

	# blanks, semicolons and line ends in names do not part frames
	comm 5 5 a;b
	sample 1 5 5 1 1 u u: 0x10
	record 3 0 060000000600000061200a620000000000000000000000000000000000000000
	sample 1 6 6 1 1 u u: 0x10
	map 5 5 0x10 0x10 0 /x;y/b;c
	$
	a:b;[b:c] 1
	a__b;[unknown] 1
	END
}

@test "the addresses of a chain are of the kernel, or of the process" {
	folds <<-END
	# contexts say whose they are
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	kernel 0xffffffffa0000000 0x1000 0 [ext4]
	sample 1 5 5 1 1 k k: 0xffffffffa0000010 u: 0x1000
	sample 1 5 5 2 1 u 0x1000 h: 0x1000 u: 0x1000
	sample 1 5 5 3 1 u u: 0x1000 x: 0x1000
	sample 1 5 5 4 1 u
	$
	a 2
	a;[a];[[ext4]] 1
	a;[a];[unknown];[a] 1
	$ --kernel
	a 2
	a;[a];[[ext4]]_[k] 1
	a;[a];[unknown];[a] 1

	# a BPF program has its name while it is loaded
	ksymbol 0xffffffffc0001000 0x100 bpf_prog_1_f 10
	sample 1 0 0 20 1 k k: 0xffffffffc0001080
	unksymbol 0xffffffffc0001000 0x100 bpf_prog_1_f 30
	sample 1 0 0 40 1 k k: 0xffffffffc0001080
	$
	swapper;[unknown] 1
	swapper;bpf_prog_1_f 1
	$ --kernel
	swapper;[unknown] 1
	swapper;bpf_prog_1_f_[k] 1

	# no chain is recorded; its address is one in the file with --addrs, too
	event cycles 0 0 identifier,ip,tid,time,address,stream,cpu,all 1
	comm 5 5 a
	map 5 5 0x1000 0x1000 0 /x/bin/a
	comm 6 6 a
	map 6 6 0x7000 0x1000 0 /x/bin/a
	sample 1 5 5 10 0 u 0x1010
	sample 1 5 5 20 0 h 0x1010
	sample 1 6 6 20 1 u 0x7010
	$
	a;[a] 2000
	a;[unknown] 1000
	$ --addrs
	a;[a <10>] 2000
	a;[unknown <1010>] 1000

	# a chain without addresses is its root alone
	sample 1 5 5 10 3 u
	sample 1 5 5 11 4 u u:
	$
	:5 7

	# the same addresses are others in another process
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
	$
	a;[b];[unknown];[b] 5
	a;[perf-6.map];[unknown];[c] 26
	$ --addrs
	a;[b <10>];[unknown <9010>];[b <10>] 1
	a;[b <10>];[unknown <9020>];[b <10>] 4
	a;[perf-6.map <900000001010>];[unknown <9010>];[c <1010>] 2
	a;[perf-6.map <900000001010>];[unknown <9020>];[c <1010>] 8
	a;[perf-6.map <900000001010>];[unknown <9020>];[c <1020>] 16

	# a file with a name like that of a JIT compiler's names is called so
	map 5 5 0x1000 0x1000 0 /tmp/perf-none.map
	sample 1 5 5 10 1 u u: 0x1010
	$
	:5;[perf-none.map] 1

	# at most so many frames count; perf does not read a context behind them
	map 5 5 0x1000 0x1000 0 /x/bin/a
	sample 1 5 5 10 1 u u: 0x1000 0x1010 x:
	$
	:5 1
	$ --max-stack=2
	:5;[a];[a] 1

	# 127 where nothing else is asked for
	map 5 5 0x1000 0x1000 0 /x/bin/a
	sample 1 5 5 10 1 u u: $(printf '0x1000 %.0s' {1..200})
	$
	:5$(printf ';[a]%.0s' {1..127}) 1

	# perf calls the [vdso] of a process of 32 bits so
	map 5 5 0xf7f00000 0x2000 0 [vdso]
	map 6 6 0x7ffc2f2ca000 0x2000 0 [vdso]
	map 7 7 0xffffe000 0x2000 0 [vdso]
	sample 1 5 5 10 1 u u: 0xf7f00001
	sample 1 6 6 10 1 u u: 0x7ffc2f2ca001
	map 8 8 0x100000000 0x2000 0 [vdso]
	sample 1 7 7 10 1 u u: 0xffffe001
	sample 1 8 8 10 1 u u: 0x100000001
	$ --symfs=nowhere
	:5;[[vdso32]] 1
	:6;[[vdso]] 1
	:7;[[vdso32]] 1
	:8;[[vdso]] 1
	END
}

@test "the first event counts, or the one that is asked for" {
	folds <<-END
	event cycles 0 0 ip,tid,time,id,period,chain,all 1,2
	event page-faults 1 2 ip,tid,time,id,period,chain,all 3,4
	sample 3 0 0 20 9 u u: 0x10
	sample 1 0 0 10 1 u u: 0x10
	sample 4 0 0 30 9 u u: 0x10
	sample 9 0 0 30 9 u u: 0x10
	$
	swapper;[unknown] 1
	! perf.data: invalid records, left out: 1, the first at byte 640
	$ --event-filter=page-faults
	swapper;[unknown] 18
	! perf.data: invalid records, left out: 1, the first at byte 640

	# names of their own where none was recorded
	unfinished
	event - 1 2 ip,tid,time,id,period,chain,all 3,4
	event - 0 0 ip,tid,time,id,period,chain,all 1,2
	sample 1 0 0 10 1 u u: 0x10
	sample 3 0 0 20 3 u u: 0x10
	$ --event-filter=page-faults
	swapper;[unknown] 3
	! perf.data: perf record was killed; bytes at the end that are not a complete record: 0
	$ --event-filter=cycles
	swapper;[unknown] 1
	! perf.data: perf record was killed; bytes at the end that are not a complete record: 0

	# an event may come late in a pipe, and before a sample of none
	pipe
	event cycles 0 0 identifier,ip,tid,time,period,chain,all 1
	event page-faults 1 2 identifier,ip,tid,time,period,chain,all 2
	comm 10 10 a
	sample 1 10 10 10 5 u u: 0x10
	sample 1 10 10 20 5 u u: 0x10
	round
	round
	event page-faults 1 3 identifier,ip,tid,time,period,chain,all 3
	sample 9 10 10 30 5 u u: 0x10
	sample 1 10 10 40 2 u u: 0x10
	round
	$
	a;[unknown] 12
	! perf.data: invalid records, left out: 1, the first at byte 768
	END
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

@test "samples of a recording's only event are reported where another event counts" {
	of_event cycles.data cycles
	of_event faults.data faults
	stackcollapse-perf --event-filter=no cycles.data 2> err |
		diff - /dev/null
	is_line 'stackcollapse-perf: no sample is of the event' \
		'no; of other events there are 3: cycles' < err
	fails 1 stackcollapse-perf cycles.data faults.data 2> err |
		is_line 'swapper;[unknown] 7'
	diff err - <<-'END'
	Filtering for events of type: cycles (samples of others, which are left out: 3)
	stackcollapse-perf: faults.data: all samples belong to other events, left out: 3
	END
}

# named FIELDS ID WORD...: the lines of a recording of two events whose samples
# have these fields, where thread 10 is called "a", at time 5, by a record of the
# event with that id, which has these words after the time.
named() {
	cat <<-END
	event cycles 0 0 $1 1,2
	event page-faults 1 2 $1 3,4
	sample 1 10 10 3 2 u u: 0x10
	record 3 0 $(little $((10 << 32 | 10)) 97 $((10 << 32 | 10)) 5 "${@:2}")
	sample 1 10 10 9 7 u u: 0x10
	$
	:10;[unknown] 2
	a;[unknown] 7

	END
}

@test "a record's id says which event it belongs to, wherever the id is" {
	fields=ip,tid,time,period,chain,all
	{
		named $fields,id 0
		named $fields,id 4
		# the stream and the processor are after it
		named $fields,id,stream,cpu 1 91 92
		# an identifier is after all of them
		named $fields,id,stream,cpu,identifier 93 91 92 4
		# all records are a single event's
		named $fields,id,cpu 93 92 | sed /page/d
	} > cases
	sed '$d' cases | folds
}

@test "counter reads count the gain since the previous read" {
	group=ip,tid,time,read,group,times,id,period,chain,all
	folds <<-END
	event cycles 0 0 $group 1
	event faults 1 2 $group 2
	sample 1 0 0 10 999 u 1=100 2=5 u: 0x10
	sample 1 0 0 20 999 u 1=130 2=5 u: 0x10
	sample 1 0 0 30 999 u 1=131 2=9 u: 0x10
	$
	swapper;[unknown] 131
	$ --event-filter=faults
	swapper;[unknown] 9

	# a read of a counter that no event has
	event cycles 0 0 $group 1
	event faults 1 2 $group 2
	comm 10 10 a 1
	sample 1 10 10 10 999 u 1=100 2=5 u: 0x10
	sample 1 10 10 20 999 u 1=130 9=5 u: 0x10
	$
	a;[unknown] 130
	! perf.data: invalid records, left out: 1, the first at byte 584

	# a counter that is alone
	event cycles 0 0 ip,tid,time,read,times,id,period,chain,all 1
	sample 1 0 0 10 999 u 1=100 u: 0x10
	sample 1 0 0 20 999 u 1=130 u: 0x10
	$
	swapper;[unknown] 130

	# what threads inherit has a value for each of them, as in perf 7.3
	event cycles 0 0 ip,tid,time,read,group,id,period,chain,all,inherit 1
	event faults 1 2 ip,tid,time,read,group,id,period,chain,all,inherit 2
	sample 1 5 5 10 999 u 1=100 2=5 u: 0x10
	sample 1 5 6 20 999 u 1=30 2=5 u: 0x10
	sample 1 5 5 30 999 u 1=131 2=5 u: 0x10
	sample 1 5 6 40 999 u 1=32 2=9 u: 0x10
	$ --tid
	:5-5/5;[unknown] 131
	:6-5/6;[unknown] 32
	$ --event-filter=faults
	:5;[unknown] 5
	:6;[unknown] 9
	END
}

@test "tracepoints count 1, and only with chains" {
	folds <<-'END'
	pipe
	event sched:switch 2 300 ip,tid,time,id,period,chain,all 1
	map 5 5 0x1000 0x1000 0 /x/bin/a
	sample 1 5 5 10 999 u u: 0x1010
	sample 1 5 5 20 999 u u: 0x1010
	$
	:5;[a] 2
	END
	record > perf.data <<-'END'
	event sched:switch 2 300 ip,tid,time,id,period,all 1
	sample 1 0 0 10 999 u
	END
	stackcollapse-perf perf.data 2> err | diff /dev/null -
	has 'no sample was found.* recorded without -g .* left out: 1$' err
}

# stacks N FRAMES: N samples of functions f and g.
stacks() {
	seq "$1" | awk -v frames="$2" '{
		printf "sh 1 1.%06d: 1 cycles:\n%s\n\n", $1, frames }'
}

@test "why stacks have one or two frames is explained once" {
	f=$'\t1020 f (/x/sh)' g=$'\t1030 g (/x/sh)'
	stacks 1000 "$f" | stackcollapse-perf 2>&1 > out |
		has 'stacks have one frame each: no call graph'
	{ stacks 990 "$f" && stacks 90 "$f"$'\n'"$g"; } |
		stackcollapse-perf 2>&1 > out | has 'use -fno-omit-frame-pointer'
	{ stacks 900 "$f" && stacks 100 "$f"$'\n'"$g"$'\n'"$g"; } |
		stackcollapse-perf 2>&1 > out | diff /dev/null -
	printf '%16s  1 [000] 1.000001: %s\n' sh 'k:m: x=1' sh 'k:f: x=2' |
		stackcollapse-perf 2>&1 > out |
		has ' recorded without -g .* left out: 2$'
}

@test "a compressed recording is read by zstd" {
	command -v zstd > /dev/null || skip 'install zstd'
	for how in '' pipe; do
		{
			printf '%s\n' "$how" "$EVENT" compressed 'comm 5 5 a'
			seq 1 20000 | sed 's/.*/sample 1 5 5 & 1 u u: 0x10/'
		} | record > perf.data
		stackcollapse-perf perf.data | is_line 'a;[unknown] 20000'
	done
}

# A whole sample, and one that lacks its last 8 bytes; a block of a kind that
# does not exist.
@test "damaged or truncated compressed records are reported in each file" {
	command -v zstd > /dev/null || skip 'install zstd'
	sample=0900000002003000$(little 16 5)
	for block in c00100 070000; do
		printf '%s\n' "$EVENT" 'sample 1 5 5 10 1 u u: 0x10' \
			"record 81 0 28b52ffd0058$block$sample" | record > perf.data
		for _ in 1 2 3 4 5; do
			fails 1 stackcollapse-perf perf.data 2> err |
				is_line ':5;[unknown] 1'
			has 'perf.data: zstd cannot decompress all of it' err
		done
	done
}

@test "a missing zstd is reported" {
	printf '%s\n' "$EVENT" 'record 81 0 28b52ffd' | record > perf.data
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent fails 1 "$program" perf.data > out 2> err
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
			skip 'install clang lld'
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
			words "$1" > "link.$2"
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
	stackcollapse-perf perf.data | is 4<<-'END'
	a;_start;leaf 2
	a;_start;middle 1
	a;_start;middle;leaf 1
	a;leaf 1
	b;_start;middle 1
	b;_start;middle;leaf 1
	END
}

# part FILE [LINE]: makes a file of a folder of the lines that it reads.
part() {
	{
		printf '%s\n' part "$EVENT" "${2-}"
		cat
	} | record > "$1"
}

# folder: makes of perf record --threads what it writes in folder/.
folder() {
	mkdir -p folder
	record > folder/data <<-END
	$EVENT
	comm 5 5 early
	map 5 5 0x1000 0x1000 0 /x/bin/a
	END
	part folder/data.0 "${1-}" <<-END
	comm 5 5 late 300
	sample 1 5 5 400 1 u u: 0x1010
	END
	part folder/data.1 "${1-}" <<-END
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

# More than 48 MB of samples are in one file; others name their thread.
@test "the files of a folder are read side by side" {
	mkdir folder
	printf '%s\n' "$EVENT" 'comm 1 1 a' | record > folder/data
	seq 0 4 1800 | sed 's/.*/comm 5 5 even &/' | part folder/data.0
	seq 2 4 1800 | sed 's/.*/comm 5 5 odd &/' | part folder/data.2
	raw=$(printf %0120000d 0)
	seq 1 2 1800 |
		sed "s/.*/sample 1 5 5 & 1 u u: 0x10\nrecord 79 0 $raw/" |
		part folder/data.1
	[ "$(wc -c < folder/data.1)" -gt $((50 << 20)) ]
	stackcollapse-perf folder |
		diff - <(printf '%s;[unknown] 450\n' even odd)
	rm -r folder
}

@test "a folder's files must be regular, and missing ones are reported" {
	folder
	mkfifo folder/data.2
	mkdir folder/data.3
	truncate -s -3 folder/data.1
	fails 1 stackcollapse-perf folder 2> err |
		are_lines 'early;[a] 2' 'late;[a] 1'
	has 'folder/data.1 is cut off' err
	rm folder/data
	fails 1 stackcollapse-perf folder 2>&1 | is_line 'stackcollapse-perf: folder: Is a directory'
	mkfifo folder/data
	fails 1 stackcollapse-perf folder 2>&1 | is_line 'stackcollapse-perf: folder: Is a directory'
}

# A folder tells the names of its files in an order of its own.
@test "records of equal time in a folder's files are ordered by file" {
	mkdir folder
	printf '%s\n' "$EVENT" 'comm 5 5 first' | record > folder/data
	for i in 12 1 3 10 4 11 2; do
		if [ $((i % 2)) -eq 1 ]; then
			echo "comm 5 5 odd$i 300"
		else
			echo 'sample 1 5 5 300 1 u u: 0x10'
		fi | part folder/data.$i
	done
	stackcollapse-perf folder | diff - <(printf 'odd%s\n' \
		'11;[unknown] 1' '1;[unknown] 1' '3;[unknown] 2')
}

@test "a folder of too many files is refused, and no file stays open" {
	folder
	stackcollapse-perf folder > expected
	mkdir many
	tee many/data{,.{1..60}} < folder/data > /dev/null
	for i in {1..40}; do
		set -- "$@" many
	done
	ulimit -n 40
	fails 1 stackcollapse-perf "$@" folder 2> err | diff expected -
	has 'many: not all of its files can be opened' err
}

@test "with perf record --kcore, kernel symbols come from beside the recording" {
	mkdir -p folder/kcore_dir
	record > folder/data <<-END
	$EVENT
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text
	sample 1 0 0 20 1 k k: 0xffffffff81000010
	END
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000010 T here' \
		> folder/kcore_dir/kallsyms
	stackcollapse-perf folder | is_line 'swapper;here 1'
	echo 'ffffffff81000010 T there' > other
	stackcollapse-perf --kallsyms other folder | is_line 'swapper;there 1'
	fails 1 stackcollapse-perf --kallsyms missing folder 2>&1 > out |
		is_line 'stackcollapse-perf: missing: No such file or' \
		directory
	fails 1 stackcollapse-perf --kallsyms . folder 2>&1 > out |
		is_line 'stackcollapse-perf: .: not a regular file'
	[ ! -s out ]
}

@test "the kernel's file must match the recorded release" {
	command -v strace > /dev/null || skip 'install strace'
	strace -o trace true || skip 'strace cannot trace here'
	record > perf.data <<-END
	pipe
	record 80 0 04000000000000000c000000$(printf 9.9-abc | od -An -tx1 | \
		tr -d ' \n')0000000000
	$EVENT
	id [kernel.kallsyms] 0123456789
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text
	sample 1 0 0 20 1 k k: 0xffffffff81000010
	END
	strace -f -o trace -e trace=file stackcollapse-perf perf.data \
		2> /dev/null
	has '"/boot/vmlinux-9.9-abc"' trace
}

# sampled LETTER FILE: samples a function of the program "a", mapped as FILE.
sampled() {
	record > perf.data <<-END
	$EVENT
	map 5 5 0x500000000000 0x100000 0 $2
	sample 1 5 5 10 1 u u: 0x50000000$(nm a | sed -n "s/^0*\(.*\) $1 here\$/\1/p")
	END
}

# compiles LINKAGE: makes the program "a", with a function "here".
compiles() {
	echo "$1 int here(void) { return 1; } int (*p)(void) = here;
		int main(void) { return p(); }" > a.c
	"${CC:-cc}" -Wl,--build-id -o a a.c
}

@test "the files of another machine are below --symfs, and / is no other" {
	needs_64_bits
	mkdir -p root/x/bin
	compiles ''
	cp a root/x/bin
	for folder in '' "$PWD/root"; do
		sampled T "$folder/x/bin/a"
		[ -z "$folder" ] && set -- root || set -- / /. /../ //
		for symfs; do
			stackcollapse-perf --symfs="$symfs" perf.data |
				is_line ':5;here 1'
		done
	done
	stackcollapse-perf --symfs=root perf.data 2> /dev/null |
		is_line ':5;[a] 1'
}

@test "the files of a container are below its /proc/PID/root" {
	compiles ''
	mkdir x
	sampled T "$PWD/x/a"
	unshare -m sh -c 'mount -t tmpfs x x && cp a x && : > ready &&
		exec sleep 100' 2> err 3>&- &
	until [ -e ready ]; do
		kill -0 $! 2> /dev/null || skip 'no containers'
		sleep 0.05
	done
	stackcollapse-perf --symfs=/proc/$!/root perf.data > out
	kill $!
	is_line ':5;here 1' < out
}

@test "in a truncated recording complete samples are counted" {
	shell | record > perf.data
	head -c $(($(wc -c < perf.data) - 600)) perf.data > short
	fails 1 stackcollapse-perf short 2> err > out
	has 'short is cut off; bytes that are missing at its end: ' err
	fails 1 is_line "$shell_folded" < out
	shell unfinished | record > killed
	stackcollapse-perf killed 2> err | is_line "$shell_folded"
	has 'perf record was killed' err
	shell pipe | record | head -c -3 | fails 1 stackcollapse-perf 2> err |
		is_line "$shell_folded"
	has 'is cut off' err
	# in the header, at its end, and in records
	size=$(wc -c < killed)
	before=0
	for len in 8 104 $((size / 2)) $((size - 90)) $((size - 17)); do
		head -c "$len" killed > short
		stackcollapse-perf short > out 2> err || [ $? -eq 1 ]
		[ -s err ]
		sum=$(awk '{ sum += $NF } END { print sum + 0 }' out)
		[ "$sum" -ge "$before" ]
		before=$sum
	done
	[ "$before" -eq 15 ]
}

@test "perf's last words in a recording that it wrote to a pipe are no loss" {
	{
		shell pipe | record
		echo '[ perf record: Woken up 2 times to write data ]'
		echo '[ perf record: Captured and wrote 0.020 MB - ]'
	} > perf.data
	stackcollapse-perf perf.data 2> err | is_line "$shell_folded"
	fails 1 has 'cut off' err
	shell pipe | record > perf.data
	echo 'hello' >> perf.data
	fails 1 stackcollapse-perf perf.data 2>&1 > out | has 'cut off.*: 6$'
}

# The places of the sections of a header are after the records, which bytes 40
# to 55 tell: an offset and a size.
@test "missing and impossibly large parts of a header are reported" {
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
		fails 1 stackcollapse-perf $file 2> err |
			awk -v sum="$sum" '{ sum -= $NF } END { exit sum }'
		has "$file: parts of its header are cut off or impossibly" err
		fails 1 has "$file is cut off" err
	done
}

# Names are those that perf script 6.1 and 7.2 print, except that 7.2 prints an
# unknown function above the kernel's, and 6.1 one for an empty list.
@test "a branch stack (LBR) replaces the frame pointer chain" {
	for fields in branches branches,index branches,raw; do
		folds <<-END
		${EVENT/chain/chain,callstack,$fields}
		comm 5 5 prog
		map 5 5 0x1000 0x1000 0x1000 /x/prog
		map 5 5 0x8000 0x1000 0 /x/lib.so
		sample 1 5 5 10 7 u u: 0x1234 0x1300 branches:0x1500/0x1230,0x8010/0x1400
		sample 1 5 5 20 3 k k: 0xfff1 0xfff2 u: 0x1234 0x1300 branches:0x1500/0x1230
		sample 1 5 5 30 2 k k: 0xfff1 branches:0x1500/0x1230
		sample 1 5 5 40 1 u u: 0x1234 0x1300 branches:
		sample 1 5 5 50 5 u u: branches:0x1500/0x1230
		sample 1 5 5 60 9 k x: 0x1234 u: 0x1300 branches:0x1500/0x1230
		sample 1 5 5 70 4 u u: 0x1234 branches:0/0x1230,0xffffffffffffff80/0
		round
		$ --addrs
		prog 9
		prog;[lib.so <10>];[prog <1500>];[prog <1234>] 7
		prog;[prog <1234>] 1
		prog;[prog <1500>];[prog <1230>] 5
		prog;[prog <1500>];[prog <1234>];[unknown <fff2>];[unknown <fff1>] 3
		prog;[unknown <fff1>] 2
		prog;[unknown <ffffffffffffff80>];[unknown <0>];[prog <1234>] 4
		$ --addrs --max-stack=2
		prog 9
		prog;[lib.so <10>];[prog <1500>];[prog <1234>] 7
		prog;[prog <1234>] 1
		prog;[prog <1500>];[prog <1230>] 5
		prog;[unknown <fff1>] 2
		prog;[unknown <fff2>];[unknown <fff1>] 3
		prog;[unknown <ffffffffffffff80>];[unknown <0>];[prog <1234>] 4
		END
	done
}

# narrow MACHINE COMPILER...: a recording of that machine, whose samples are in
# functions of a program of 32 bits, and what is expected.
narrow() {
	local segment leaf middle start
	"${@:2}" -nostdlib -no-pie -O1 -g -fno-optimize-sibling-calls \
		-o prog prog.c || skip "cannot make programs for $1"
	segment=$(readelf -lW prog |
		awk '$1 == "LOAD" && / E / { print "0x1000", $2, $3 }')
	read -r page offset address <<< "$segment"
	at() {
		printf '0x%x' $((0x$(nm prog | sed -n "s/ [Tt] $1\$//p") + $2))
	}
	leaf=$(at leaf 2) middle=$(at middle 8) start=$(at _start 8)
	folds <<-END
	machine $1
	release 4.9
	$EVENT
	kernel 0xc0008000 0x8f8000 0xc0008000 [kernel.kallsyms]_text
	comm 5 5 prog
	map 5 5 $((address / page * page)) $page $((offset / page * page)) $PWD/prog
	sample 1 5 5 10 7 u u: $leaf $middle $start
	sample 1 5 5 20 3 k k: 0xc0100010 0xc0200020 u: $leaf $start
	sample 1 5 5 30 1 u u: 0xb6f00010 $start
	round
	$ --no-inline --kallsyms kernel
	prog;_start;[unknown] 1
	prog;_start;leaf;slow;quick 3
	prog;_start;middle;leaf 7
	$ --kallsyms kernel
	prog;_start;[unknown] 1
	prog;_start;leaf;inner;slow;quick 3
	prog;_start;middle;leaf;inner 7
	END
}

@test "recordings of 32-bit machines have functions, also inlined ones" {
	cat > prog.c <<-'END'
	volatile int n;
	static inline __attribute__((always_inline)) void inner(void) { n++; }
	__attribute__((noinline)) void leaf(void) { inner(); n += 2; }
	static __attribute__((noinline)) void middle(void) { leaf(); n += 3; }
	void _start(void) { middle(); n += 4; for (;;); }
	END
	printf '%s\n' 'c0008000 T _text' 'c0100000 T quick' 'c0200000 t slow' \
		'c0900000 T _etext' > kernel
	needs_64_bits
	narrow i686 gcc -m32 -static -fno-pie
	narrow armv6l clang --target=armv6-linux-gnueabihf -fuse-ld=lld
	narrow armv7l clang --target=armv7a-linux-gnueabihf -fuse-ld=lld -mthumb
}

# refused MESSAGE: the recording of these lines is refused, in one line.
refused() {
	record > perf.data
	fails 1 stackcollapse-perf perf.data 2> err | diff /dev/null -
	has -F "$1" err
	has -F 'perf script --no-inline -i perf.data | stackcollapse-perf' err
	wc -l < err | diff -b - <(echo 1)
}

@test "a recording that perf script alone reads is refused, with its command" {
	sample='sample 1 5 5 1 1 u u: 0x10'
	printf '%s\n' 'machine riscv64' "${EVENT/chain/chain,registers,stack}" \
		"$sample" | refused 'recorded with --call-graph dwarf'
	printf '%s\n' "${EVENT/chain/chain,read,unknown}" \
		"${sample/u:/1=7 u:}" | refused 'reads of counters'
	printf '%s\n' "$EVENT" 'record 70 0 0000' | refused AUX
	has -F -e '--itrace=i10usg' err
	printf '2ELIFREPxxxxxxxxxxxxxxxxxxxxxx' > perf.data
	fails 1 stackcollapse-perf perf.data 2>&1 | has 'big-endian'
	fails 1 stackcollapse-perf < perf.data 2>&1 |
		has -F ': perf script --no-inline -i - | stackcollapse-perf'
	while read -r start reason; do
		{ printf "$start"; head -c 88 /dev/zero; } > perf.data
		fails 1 stackcollapse-perf perf.data 2>&1 | has "$reason"
	done <<-'END'
	PERFFILE\150\0\0\0\0\0\0\0 recorded by perf of 2012 or before
	PERFILE2\120\0\0\0\0\0\0\0 header of an unknown size
	PERFILE2\150\0\0\0\0\0\0\0 header lacks the size of events
	END
	# what matters not, and what precedes a reason, counts
	printf '%s\n' "${EVENT/chain/chain,unknown}" "$sample" |
		record > perf.data
	stackcollapse-perf perf.data 2>&1 | has ':5;'
	printf '%s\n' "$EVENT" "$sample" 'record 70 0 0000' "$sample" |
		record > perf.data
	fails 1 stackcollapse-perf perf.data 2> err | is_line ':5;[unknown] 1'
	has 'AUX' err
}

@test "lost records, guest samples and invalid records are reported" {
	folds <<-END
	sample 1 0 0 10 1 u u: 0x10
	sample 1 0 0 20 1 g u: 0x10
	record 9 0 00
	record 10 0 0000
	record 60 0 0000000000000000
	record 99 0 0000000000000000
	lost 17
	$
	swapper;[unknown] 1
	! perf.data: records that were lost while it was recorded: 17
	! perf.data: samples of virtual machines, left out: 1
	! perf.data: invalid records, left out: 2, the first at byte 408
	END
	# everything after a damaged record is left out
	record > perf.data <<-END
	$EVENT
	sample 1 0 0 10 1 u u: 0x10
	bytes 0900000002000700
	sample 1 0 0 20 1 u u: 0x10
	END
	fails 1 stackcollapse-perf perf.data 2> err |
		is_line 'swapper;[unknown] 1'
	has 'damaged at byte' err
}

@test "perf script's stacks match its recordings" {
	perf record -q -e cpu-clock -F 2999 -g -o perf.data sh -c 'ls / | sort
		awk "BEGIN { while (i < 200000) i++ }"' > /dev/null 2>&1 ||
		skip 'install linux-perf, or perf records nothing here'
	perf script --no-inline -i perf.data 2> /dev/null |
		stackcollapse-perf 2> /dev/null > out
	grep -q '^awk;' out
	stackcollapse-perf --no-unit --no-inline perf.data 2> /dev/null |
		diff out -
	# with both numbers, which --help says how to print
	stackcollapse-perf --help |
		sed -n 's/^\[1\] perf script prints both with //p' > fields
	perf script $(cat fields) --ns --no-inline -i perf.data 2> /dev/null \
		> text
	for option in --tid --in-order '--in-order --gaps=0.2'; do
		stackcollapse-perf $option text 2> /dev/null > out
		stackcollapse-perf $option --no-unit --no-inline perf.data \
			2> /dev/null | diff out -
	done
}

# The cache of chains is emptied when it has some 196,608.
@test "chains that occur once count like repeated ones" {
	{
		printf '%s\n' "$EVENT" 'comm 10 10 a' \
		    'map 10 10 0x1000 0x1000 0 /x/a' \
		    'map 10 10 0x100000 0x10000000 0 /x/b'
		awk 'BEGIN {
			for (i = 0; i < 210000; i++)
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
	stackcollapse-perf perf.data 2> err | diff expected -
	has 'a function.s name: 420000 of 420000, most .* /x/b' err
}

@test "a message says whose functions have no names, and gives a remedy" {
	shell | record > perf.data
	stackcollapse-perf perf.data 2>&1 > /dev/null | is 4<<-'END'
	stackcollapse-perf: perf.data: addresses without a function's name: 7 of 7, most of them in /x/bin/sh, which is not there; --symfs tells where it is, or --buildid-dir where perf archive was unpacked; next: /x/lib/libc.so: 3, /x/bin/ls: 1
	END
	# each address is counted as often as its stack comes
	record > perf.data <<-END
	$EVENT
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

# traced PIPE SIZE LEN: a recording with what a tracepoint's format takes, of so
# many bytes, of which LEN are there.
traced() {
	local size
	size=$(little "$2")
	record <<-END
	$1
	$EVENT
	comm 10 10 a
	sample 1 10 10 1 3 u u: 0x10
	record 66 0 ${size:0:8}
	$(yes "bytes 0000000000000005" | head -n $(($3 / 8)))
	sample 1 10 10 2 5 u u: 0x10
	END
}

@test "formats of tracepoints are stepped over, as long as they are" {
	# they end at a word
	for size in 5 199993; do
		traced '' $size $(((size + 7) / 8 * 8)) > perf.data
		stackcollapse-perf perf.data | is_line 'a;[unknown] 8'
		traced pipe $size $(((size + 7) / 8 * 8)) > piped
		stackcollapse-perf < piped | is_line 'a;[unknown] 8'
	done
	traced pipe 4000000000 64 > perf.data
	fails 1 stackcollapse-perf perf.data 2> err | is_line 'a;[unknown] 3'
	has 'cut off or impossibly large' err
}

@test "a module of the kernel is called by its name, of whatever file it is" {
	echo 'ffffffff81000000 T _text' > names
	folds <<-END
	comm 10 10 a
	kernel 0xffffffffc0000000 0x1000 0 /x/modules/btrfs-x.ko.xz
	kernel 0xffffffffc0001000 0x1000 0 /x/modules/btrfs-y.ko
	kernel 0xffffffffc0002000 0x1000 0 /x/modules/lib/btrfs-z.ko.zst
	kernel 0xffffffffc0003000 0x1000 0 /x/modules/btrfs_a.ko.gz
	kernel 0xffffffffc0004000 0x1000 0 /x/modules/other
	kernel 0xffffffffc0005000 0x1000 0 odd
	sample 1 10 10 1 1 k k: 0xffffffffc0000010
	sample 1 10 10 1 2 k k: 0xffffffffc0001010
	sample 1 10 10 1 4 k k: 0xffffffffc0002010
	sample 1 10 10 1 8 k k: 0xffffffffc0003010
	sample 1 10 10 1 16 k k: 0xffffffffc0004010
	sample 1 10 10 2 32 k k: 0xffffffffc0005010
	$ --kallsyms names
	a;[[btrfs_a]] 8
	a;[[btrfs_x]] 1
	a;[[btrfs_y]] 2
	a;[[btrfs_z]] 4
	a;[other] 16
	a;[unknown] 32

	# perf prints the path of one whose build id is in the header
	id /x/modules/btrfs-x.ko.xz 0102
	comm 10 10 a
	kernel 0xffffffffc0000000 0x1000 0 /x/modules/btrfs-x.ko.xz
	sample 1 10 10 1 1 k k: 0xffffffffc0000010
	$ --kallsyms names
	a;[btrfs-x.ko.xz] 1
	END
}

# in_kernel NAME [ID]: a recording of a function of the kernel, or of a module.
in_kernel() {
	record > perf.data <<-END
	$EVENT
	${2:+id ${1%_text} $2}
	comm 10 10 a
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 $1
	sample 1 10 10 1 3 k k: 0xffffffff81000010
	END
}

# tells WHY ARG...: what is told of its function, which has no name.
tells() {
	stackcollapse-perf "${@:2}" perf.data 2> err > out
	has -F "addresses without a function's name: 1 of 1, most of them in $1" err
}

@test "a line says why the kernel's functions have no names" {
	printf '0000000000000000 T _text\n0000000000000000 T f\n' > hidden
	in_kernel '[kernel.kallsyms]_text'
	tells '[kernel.kallsyms], whose names are hidden; sysctl kernel.kptr_restrict=0 or root shows them' \
	    --kallsyms hidden
	in_kernel '[kernel.kallsyms]_text' 0123456789
	tells '[kernel.kallsyms], which does not run here; --kallsyms tells its names'
}

@test "a line says why a packed module's functions have no names" {
	command -v xz > /dev/null || skip 'install xz-utils'
	echo 'int f(int n) { return n; }' | "${CC:-cc}" -c -x c -o mod.ko -
	xz mod.ko
	in_kernel "$PWD/mod.ko.xz"
	echo 'ffffffff81000000 T _text' > names
	tells '[mod], which has no symbols, or not all; a debug package may have them' \
	    --kallsyms names
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" --kallsyms names perf.data 2> err > out
	has 'in \[mod\], which is compressed, and xz or zstd is missing' err
}

# kept NAME: folds a recording that is kept, with its program's and kernel's
# names.
kept() {
	stackcollapse-perf --no-unit --kernel --symfs=root \
		--kallsyms="$DATA/recording/spin.kallsyms" "$1"
}

# Expected is what perf script printed: see data/recording/spin.c.
@test "recordings of perf 6.1 fold like its text" {
	mkdir -p root/opt/spin
	cp "$DATA/recording/spin" root/opt/spin
	for name in spin.data spin.pipe spin-zstd.data spin-group.data \
		spin-faults.data; do
		[ "$name" = spin-zstd.data ] && ! command -v zstd > /dev/null &&
			continue
		kept "$DATA/recording/$name" 2> err |
			diff "$DATA/recording/$name.folded" -
	done
	cat "$DATA/recording/spin.data" | kept - 2> err |
		diff "$DATA/recording/spin.data.folded" -
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
	bash -c 'set -m
		eval "$1" &
		until [ -e ready ]; do sleep 0.05; done
		sleep 0.2
		kill -INT -- "-$(jobs -p)"
		wait' bash "$1"
	rm ready
}

# recorder REST: makes a program that writes 400000 bytes of perf.data and waits,
# and on Ctrl-C does the rest.  A pipe has room for less, so that its reader has
# read some of it then.
recorder() {
	seq 1 20000 | sed 's/.*/sample 1 0 0 & 1 u u: 0x10/' > samples
	cat > recorder <<-END
	#!/bin/sh
	trap '$1' INT
	head -c 400000 perf.data
	: > ready
	while :; do sleep 0.05; done
	END
	chmod +x recorder
}

@test "Ctrl-C ends a recording, and the picture still comes" {
	needs_ctrl_c
	recorder 'tail -c +400001 perf.data; exit'
	awk '{ printf "%s 0x%x 0x%x 0x%x\n", $0, rand() * 2^32, rand() * 2^32,
		rand() * 2^32 }' samples > varied
	for how in '' compressed; do
		[ -z "$how" ] || command -v zstd > /dev/null || continue
		printf '%s\n' pipe "$EVENT" "$how" | cat - varied |
			record > perf.data
		pressing_ctrl_c './recorder | stackcollapse-perf --max-stack=1 |
			(trap "" INT; tee out) | flamegraph > out.svg' 2> err
		is_line 'swapper;[unknown] 20000' < out
		diff out.svg <(flamegraph out)
	done
}

@test "a second Ctrl-C ends the program that reads the recording" {
	needs_ctrl_c
	recorder ': > first'
	printf '%s\n' pipe "$EVENT" | cat - samples | record > perf.data
	cat > twice <<-'END'
	set -m
	sh -c './recorder | (trap : INT; stackcollapse-perf; echo $? > status)' \
		> out &
	for file in ready first; do
		until [ -e $file ]; do sleep 0.05; done
		sleep 0.2
		[ -e status ] && exit 1
		kill -INT -- "-$(jobs -p)"
	done
	until [ -s status ]; do sleep 0.05; done
	kill -KILL -- "-$(jobs -p)"
	END
	timeout 60 bash twice 2> err
	is_line 130 < status
}

@test "Ctrl-C ends programs that have no recording to wait for" {
	needs_ctrl_c
	cat > recorder <<-'END'
	#!/bin/sh
	printf 'a 1 1.2: 1 cycles:\n\t1 x (y)\n\n%400000s' ''
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

@test "--in-order puts late records into their order first" {
	folds <<-'END'
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	map 10 10 0x8000 0x1000 0 /x/lib/libc.so
	sample 1 10 10 130 1 u u: 0x8010
	sample 1 10 12 125 16 u u: 0x8010
	sample 1 10 10 110 2 u u: 0x1010
	sample 1 10 10 100 4 u u: 0x8010
	sample 1 10 10 120 8 u u: 0x1010
	round
	$ --in-order
	sh-10/10;[libc.so] 4
	sh-10/10;[sh] 10
	sh-10/10;[libc.so] 1
	:12-10/12;[libc.so] 16
	END
}

@test "--gaps shows time without samples in a recording of a clock" {
	cat > lines <<-'END'
	event cpu-clock 0 0 ip,tid,time,id,period,chain,all 1,2
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	sample 1 10 10 1000000 100000 u u: 0x1010
	sample 1 10 10 5000000 100000 u u: 0x1010
	sample 1 10 10 6000000 100000 u u: 0x1010
	round
	END
	# 5 - 1 - 0.1 ms, and 6 - 5 - 0.1
	folds <<-END
	$(cat lines)
	$ --in-order --gaps=0.5
	sh-10/10;[sh] 100000
	sh-10/10 3900000
	sh-10/10;[sh] 100000
	sh-10/10 900000
	sh-10/10;[sh] 100000
	END
	sed 's/cpu-clock/cycles/' lines | record > perf.data
	fails 1 stackcollapse-perf --in-order --gaps=2 perf.data 2>&1 |
		has 'periods of cycles are not times'
}
