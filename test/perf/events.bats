load ../helper
load ../unit

# Several events: two counts a line, all of them in frames, and weights that are
# fields of tracepoints.  Recordings are made from lines by unit/perfdata.c, or
# are those of perf 6.1 which data/recording/spin.c and writes.c tell of; the
# text of writes.txt is what perf script printed of one of them.

# two [LINE [NAME]]: samples of cycles, of another event, and of a third one.
two() {
	local fields=ip,tid,time,id,period,chain,all
	cat <<-END
	${1-}
	event cycles 0 0 $fields 1,2
	event ${2-instructions} 0 1 $fields 3,4
	event faults 1 2 $fields 5
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/sh
	map 10 10 0x3000 0x1000 0 /x/lib
	sample 1 10 10 100 700 u u: 0x1020 0x3010
	sample 3 10 10 110 50 u u: 0x1020 0x3010
	sample 4 10 10 120 9 u u: 0x3010
	sample 2 10 10 130 300 u u: 0x1020 0x3010
	sample 5 10 10 140 1 u u: 0x1020
	sample 1 10 10 150 40 u u: 0x1020
	round
	END
}

# in_text: the same samples as perf script would print them.
in_text() {
	two "$@" | awk '
	$1 == "event" { n = split($6, ids, ","); while (n > 0) name[ids[n--]] = $2 }
	$1 == "sample" {
		printf "sh 10 0.%09d: %d %s: \n", $5, $6, name[$2]
		for (i = 9; i <= NF; i++)
			printf "\t%16s [unknown] (/x/%s)\n", substr($i, 3),
			    $i ~ /0x1/ ? "sh" : "lib"
		print ""
	}'
}

two_folded='sh;[lib] 0 9
sh;[lib];[sh] 1000 50
sh;[sh] 40 0'

@test "two events give two counts, 0 where a stack has none of one" {
	two | record > perf.data
	in_text > text
	for file in perf.data text; do
		stackcollapse-perf --event-filter=cycles,instructions $file \
			2> err | is_line "$two_folded"
		fails 1 grep event err
	done
	# the order is that of the names
	stackcollapse-perf --event-filter=instructions,cycles text | diff - <(
		awk '{ print $1, $3, $2 }' <<< "$two_folded")
}

@test "two events may come from several files, some of which lack one" {
	two | record > perf.data
	in_text > text
	record > other.data <<-'END'
	event faults 1 2 ip,tid,time,id,period,chain,all 1
	sample 1 10 10 100 7 u u: 0x20
	END
	stackcollapse-perf --event-filter=cycles,faults perf.data text \
		other.data 2> err | are_lines \
		':10;[unknown] 0 7' 'sh;[lib];[sh] 2000 0' 'sh;[sh] 80 2'
	# one that is recorded and has no sample counts 0
	two | grep -v '^sample 5' | record > perf.data
	stackcollapse-perf --event-filter=cycles,faults perf.data |
		are_lines 'sh;[lib];[sh] 1000 0' 'sh;[sh] 40 0'
}

@test "a pair of unknown events is refused, with the list of events" {
	two | record > perf.data
	in_text > text
	for name in cycles,nope nope,cycles cycles,instructions,faults; do
		for file in perf.data text; do
			fails 1 stackcollapse-perf --event-filter="$name" $file
		done
	done 2> err | diff /dev/null -
	sed -n 's/^stackcollapse-perf: --event-filter: //p' err | uniq |
		sed 's/ is neither .*; there are:/:/' | are_lines \
		'cycles,nope: cycles, instructions, faults' \
		'nope,cycles: cycles, instructions, faults' \
		'cycles,instructions,faults: cycles, faults, instructions'
	: | stackcollapse-perf --event-filter=a,b 2>&1 |
		is_line 'stackcollapse-perf: the input is empty'
}

@test "a name with commas is one event if it exists, or part of a pair" {
	local name='cpu/event=0x3c,umask=0x0/'
	two '' "$name" | record > perf.data
	in_text '' "$name" > text
	for file in perf.data text; do
		stackcollapse-perf --event-filter="$name" $file |
			are_lines 'sh;[lib] 9' 'sh;[lib];[sh] 50'
		stackcollapse-perf --event-filter="cycles,$name" $file |
			is_line "$two_folded"
	done
	# "a,b" is the event a,b although there are an a and a b
	sed -e 's/cycles:/a:/' -e 's/faults:/b:/' -e 's/cpu.*:/a,b:/' text |
		stackcollapse-perf --event-filter=a,b |
		are_lines 'sh;[lib] 9' 'sh;[lib];[sh] 50'
}

# The weights are 2 and 80 of cycles, 7 of instructions, and 3 of raw numbers.
@test "hybrid processors: an event that several PMUs count is one" {
	local name names='cpu_atom/cycles/P cpu_core/cycles/ cpu_core/instructions/
	    cpu_atom/event=0x3c/'
	local -a weights=(2 80 7 3)
	for name in $names; do
		echo "event $name 0 0 ip,tid,time,id,period,chain,all $((++id))"
		printf 'sample %d 1 1 %d %d u u: 0x1020\n' "$id" "$id" \
			"${weights[id - 1]}" >> samples
		printf 'a 1 1.%06d: %d %s:\n\t1 [x] (x)\n\n' "$id" \
			"${weights[id - 1]}" "$name" >> text
	done > events
	{ cat events && echo 'comm 1 1 a' && echo 'map 1 1 0x1000 0x1000 0 /b/x' &&
		cat samples; } | record > perf.data
	for file in text perf.data; do
		stackcollapse-perf $file 2> err | is_line 'a;[x] 82'
		has '^Filtering for .*: cpu_atom/cycles/P .*out: 2' err
		stackcollapse-perf --event-filter=cycles $file |
			is_line 'a;[x] 82'
		stackcollapse-perf --event-filter=cpu_core/cycles/ $file |
			is_line 'a;[x] 80'
		stackcollapse-perf --event-filter=cycles,instructions $file |
			is_line 'a;[x] 82 7'
	done
}

@test "--each-event puts the event around the command, with its own periods" {
	two | record > perf.data
	in_text > text
	for file in perf.data text; do
		stackcollapse-perf --each-event $file > out
		diff out - <<-'END'
		cycles;sh;[lib];[sh] 1000
		cycles;sh;[sh] 40
		faults;sh;[sh] 1
		instructions;sh;[lib] 9
		instructions;sh;[lib];[sh] 50
		END
	done
}

@test "samples without an event name are reported" {
	printf '%s\n' 'sh 10 1.000001: ' '	1020 f (/x/sh)' '' > text
	stackcollapse-perf --each-event text 2> err | is_line 'unknown;sh;f 1'
	has '^stackcollapse-perf: --each-event: samples without their event.*: 1$' err
	fails 1 stackcollapse-perf --event-filter=a,b text 2> err
	has ' --event-filter: samples without their event, .*: 1$' err
	has 'is neither .*; there is none$' err
}

@test "each counter of a group counts its own gain" {
	two_reads() {
		cat <<-END
		event cycles 0 0 ip,tid,time,id,period,chain,read,group,all 1
		event faults 1 2 ip,tid,time,id,period,chain,read,group,all 2
		comm 10 10 sh
		map 10 10 0x1000 0x1000 0 /x/sh
		sample 1 10 10 100 9 u u: 0x1020 1=100 2=7
		sample 1 10 10 110 9 u u: 0x1020 0x1030 1=150 2=7
		sample 1 10 10 120 9 u u: 0x1020 1=150 2=10
		round
		END
	}
	two_reads | record > perf.data
	stackcollapse-perf --event-filter=cycles,faults perf.data |
		are_lines 'sh;[sh] 100 10' 'sh;[sh];[sh] 50 0'
	stackcollapse-perf --each-event perf.data | are_lines \
		'cycles;sh;[sh] 100' 'cycles;sh;[sh];[sh] 50' 'faults;sh;[sh] 10'
}

@test "the group of a recording of perf has the sums of its events" {
	mkdir -p root/opt/spin
	cp "$DATA/recording/spin" root/opt/spin
	# the first is what perf script printed, of the leader alone
	stackcollapse-perf --kernel --symfs=root \
		--kallsyms="$DATA/recording/spin.kallsyms" \
		--event-filter=cpu-clock,page-faults \
		"$DATA/recording/spin-group.data" 2> err > both
	awk '$NF > 0 || $(NF - 1) > 0 { sub(/ [0-9]*$/, ""); print }' both |
		grep -v ' 0$' | diff "$DATA/recording/spin-group.data.folded" -
}

@test "options that exclude --each-event and two events are refused by name" {
	fails 2 stackcollapse-perf --each-event --event-filter=a < /dev/null 2> err
	has -e '--each-event and --event-filter are mutually exclusive' err
	fails 2 stackcollapse-perf --each-event --in-order < /dev/null 2> err
	has -e '--each-event cannot be combined with --in-order' err
	fails 2 stackcollapse-perf --event-filter=a,b --in-order < /dev/null 2> err
	has -e '--event-filter with two events cannot be combined' err
	echo 'a;b 5' > folded
	fails 1 stackcollapse-perf --event-filter=a,b folded 2> err
	has '^stackcollapse-perf: folded: it is folded text, to which' err
	stackcollapse-perf --each-event folded | diff - folded
}

@test "--cgroup has its frame inside the event's" {
	record > perf.data <<-'END'
	event cycles 0 0 ip,tid,time,id,period,chain,cgroup,all 1
	event faults 1 2 ip,tid,time,id,period,chain,cgroup,all 2
	cgroup 7 /a
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/sh
	sample 1 10 10 100 9 u u: 0x1020 %7
	sample 2 10 10 110 5 u u: 0x1020 %7
	round
	END
	stackcollapse-perf --each-event --cgroup perf.data | diff - <(printf \
		'%s\n' 'cycles;/a;sh;[sh] 9' 'faults;/a;sh;[sh] 5')
	stackcollapse-perf --event-filter=faults,cycles --cgroup perf.data |
		is_line '/a;sh;[sh] 5 9'
}

exit=syscalls:sys_exit_write
left_out='stackcollapse-perf: --weight: samples in which ret is negative,
left out: 2'

# few and many wrote 4 times 3 bytes, and 3 times 10.
@test "--weight counts a field, and reports negative values" {
	mkdir -p root/opt/writes
	cp "$DATA/recording/writes" root/opt/writes
	for file in writes.data writes.pipe writes.txt; do
		stackcollapse-perf --event-filter=$exit --weight=ret \
			--symfs=root "$DATA/recording/$file" 2> err |
			are_lines \
			'writes;[unknown];_start;few 12' \
			'writes;[unknown];_start;many 30'
		tr '\n' ' ' <<< "$left_out" | sed 's/ $//' | diff - <(
			tr '\n' ' ' < err | sed 's/ $//')
	done
	# what was asked for, and what was written
	for file in writes.pipe writes.txt; do
		stackcollapse-perf --symfs=root --weight=count \
			--event-filter=syscalls:sys_enter_write \
			"$DATA/recording/$file" | are_lines \
			'writes;[unknown];_start;few 12' \
			'writes;[unknown];_start;many 30' \
			'writes;[unknown];_start;work 2'
	done
}

@test "a missing field is reported, with no other message" {
	for file in writes.data writes.txt; do
		stackcollapse-perf --event-filter=$exit --weight=nope \
			"$DATA/recording/$file" 2> err | diff - /dev/null
		is_line 'stackcollapse-perf: --weight: samples without' \
			'the field nope, left out: 10' < err
	done
	two | record > perf.data
	stackcollapse-perf --each-event --weight=ret perf.data 2> err |
		diff - /dev/null
	has ' without the field ret, left out: 6$' err
	two | sed 's/chain,/chain,read,/; /^sample/s/$/ 1=5/' | record > perf.data
	fails 1 stackcollapse-perf --weight=ret perf.data > out 2> err
	has 'counter reads (:S), which cannot be combined with --weight$' err
}

# text LINE...: samples of the tracepoint k:m with these fields.
text() {
	local line
	for line; do
		printf 'sh 10 [000] 1.000001: k:m: %s\n\t1020 f (/x/sh)\n\n' "$line"
	done
}

@test "a field of text is a decimal or hexadecimal number after its name" {
	text 'bytes_alloc=64 x=9' 'a=1 bytes_alloc=0x10' 'bytes_alloc: 3, b: 4' \
	    'n=1,bytes_alloc=2)' 'bytes_alloc=0' |
		stackcollapse-perf --weight=bytes_alloc 2>&1 | is_line 'sh;f 85'
	text 'xbytes=1 bytes=5' 'bytesx=1 bytes=5' 'bytes bytes=5' |
		stackcollapse-perf --weight=bytes | is_line 'sh;f 15'
	text 'bytes=64KB' 'bytes=' 'bytes=x' 'bytes' 'bytes=18446744073709551616' \
	    'bytes=0x' 'bytes=-' 'bytes 5' '' |
		stackcollapse-perf --weight=bytes 2> err | diff - /dev/null
	has ' without the field bytes, left out: 9$' err
	text 'n=-1' 'n=0xffffffffffffffff' 'n=9223372036854775808' \
	    'n=9223372036854775807' |
		stackcollapse-perf --weight=n 2> err |
		is_line 'sh;f 9223372036854775807'
	has ' in which n is negative, left out: 3$' err
	text 'NR 1 = 7' 'NR 1 = -7' | sed 's/k:m/raw_syscalls:sys_exit/' |
		stackcollapse-perf --weight=ret 2> err | is_line 'sh;f 7'
}

@test "weights in two events, in their order, and of one frame on the event's line" {
	text 'n=5' 'n=7' > in
	text 'n=100' | sed 's/k:m/k:o/' >> in
	stackcollapse-perf --event-filter=k:m,k:o --weight=n in |
		is_line 'sh;f 12 100'
	stackcollapse-perf --in-order --weight=n in 2> err |
		is_line 'sh-?/10;f 12'
	printf '%16s %s\n' sh \
	    '10 [000]  1.000001:          1 k:m: n=12               1020 f (/x/sh)' |
		stackcollapse-perf --weight=n | is_line 'sh;f 12'
}
