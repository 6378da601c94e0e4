load ../helper
load recording

# The dumps of compilers at run time are made of lines by unit/jitdump.c, which
# says how.

# dump PID: makes the dump of a process of the lines that it reads.
dump() {
	"$UNIT" jitdump > "jit-$1.dump"
}

# process FIELDS: the lines of a recording in which process 7 maps its dump and
# memory for its code.
process() {
	cat <<-END
	event cycles 0 0 ip,tid,time,period,chain,all${1-,mono} 1
	comm 7 7 node 1
	map 7 7 0x1000 0x1000 0 $PWD/jit-7.dump 2
	map 7 7 0x10000 0x10000 0x10000 //anon 3
	END
}

# record_process [FIELDS]: makes perf.data of these and of what is read.
record_process() {
	{ process "$@"; cat; } | record > perf.data
}

fold() {
	stackcollapse-perf "$@" perf.data 2> err
}

# process_folds [FIELDS]: a case of these and of what is read, as of folds.
process_folds() {
	{ process "$@"; cat; } > case
	folds < case
}

@test "a sample finds the function that was at its address then" {
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 JS:~foo
	load 10 7 0x10040 0x40 2 JS:~bar
	load 30 7 0x10020 0x40 3 JS:*baz
	END
	process_folds <<-'END'
	sample 1 7 7 9 1 u u: 0x10000
	sample 1 7 7 10 2 u u: 0x10000 0x10040
	sample 1 7 7 29 4 u u: 0x10020 0x10041
	sample 1 7 7 30 8 u u: 0x10020 0x10041
	sample 1 7 7 31 16 u u: 0x1001f 0x10060
	sample 1 7 7 32 32 u u: 0x10080
	$
	node;JS:*baz;JS:*baz 8
	node;JS:~bar;JS:~foo 22
	node;[unknown] 33
	END
	# of many functions, also in a pipe
	awk 'BEGIN {
		for (i = 1; i <= 3000; i++) {
			print "load", i * 10, 7, 65536 + i % 50 * 64, 64, i,
			    "f" i > "loads"
			print "sample 1 7 7", i * 10 + 5, "1 u u:",
			    65536 + i % 50 * 64 + 63
			print "node;f" i, 1 > "unsorted"
		}
	}' > lines
	dump 7 < loads
	sort unsorted > expected
	record_process < lines
	fold | diff - expected
	stackcollapse-perf < perf.data | diff - expected
}

# A small queue delivers before the dump has got its second half.
@test "a dump that grows while perf record runs is read on" {
	awk 'BEGIN {
		print "pipe"
		print "event cycles 0 0 ip,tid,time,period,chain,all,mono 1"
		print "comm 7 7 node 1"
		print "map 7 7 0x1000 0x1000 0 '"$PWD"'/jit-7.dump 2"
		for (i = 1; i <= 4000; i++) {
			print "sample 1 7 7", i * 10 + 5, "1 u u:", 65536
			if (i % 50 == 0)
				print "round"
		}
	}' | record > piped
	awk 'BEGIN {
		for (i = 1; i <= 4000; i++)
			print "load", i * 10, 7, 65536, 64, i,
			    i <= 2000 ? "early" : "late"
	}' | dump 7
	mv jit-7.dump whole
	rest=$(($(wc -c < whole) / 2 - 10))
	head -c $rest whole > jit-7.dump
	half=$(($(wc -c < piped) / 2))
	{
		head -c $half piped
		sleep 0.3
		tail -c +$((rest + 1)) whole >> jit-7.dump
		tail -c +$((half + 1)) piped
	} | "$SMALL/stackcollapse-perf" 2> err | are_lines 'node;early 2000' \
		'node;late 2000'
	sed '/stacks have one frame each/d' err | diff /dev/null -
}

@test "code that is moved, or mapped later, is another function's from then on" {
	# moved code has its function at the new address, from then on
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 5 foo
	move 20 7 0x10000 0x10100 0x40 5
	load 20 7 0x10000 0x40 6 bar
	move 30 7 0x10100 0x10200 0x20 5
	END
	process_folds <<-'END'
	sample 1 7 7 19 1 u u: 0x1003f
	sample 1 7 7 20 2 u u: 0x1003f 0x1013f
	sample 1 7 7 30 4 u u: 0x1021f
	sample 1 7 7 31 8 u u: 0x10220
	$
	node;[unknown] 8
	node;foo 5
	node;foo;bar 2
	END
	# code that is mapped later, but not memory, takes the place of code
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 foo
	END
	process_folds <<-'END'
	map 7 7 0x10000 0x10000 0 //anon 20
	map 7 7 0x10000 0x10000 0 [anon:v8] 21
	map 7 7 0x10000 0x10000 0 /memfd:doublemapper 22
	sample 1 7 7 29 1 u u: 0x10000
	map 7 7 0x10000 0x10000 0 /x/lib.so 30
	sample 1 7 7 31 2 u u: 0x10000
	$
	node;[lib.so] 2
	node;foo 1
	END
}

@test "a function's lines come from the record before it, in either byte order" {
	# a dump of the other byte order is read
	dump 7 <<-'END'
	big
	lines 0x10000 0x10000:12:/srv/a.js
	load 10 7 0x10000 0x40 1 foo
	move 20 7 0x10000 0x10100 0x40 1
	END
	process_folds <<-'END'
	sample 1 7 7 11 1 u u: 0x10000
	sample 1 7 7 21 2 u u: 0x10100
	$
	node;foo 3
	$ --srcline
	node;foo:a.js:12 3
	END
	# a function's lines are those told before it
	dump 7 <<-'END'
	lines 0x10000 0x10000:3:/srv/lib/a.js 0x10010:5:same 0x10020:1:node:fs
	load 10 7 0x10000 0x40 1 foo
	load 11 7 0x10040 0x40 2 bar
	lines 0x10000 0x10000:99:other.js
	load 12 7 0x10080 0x40 3 baz
	END
	process_folds <<-'END'
	sample 1 7 7 20 1 u u: 0x1000f
	sample 1 7 7 20 2 u u: 0x10010
	sample 1 7 7 20 4 u u: 0x1003f
	sample 1 7 7 20 8 u u: 0x10040
	sample 1 7 7 20 16 u u: 0x10080
	$ --srcline
	node;bar 8
	node;baz 16
	node;foo:a.js:3 1
	node;foo:a.js:5 2
	node;foo:node:fs:1 4
	END
}

@test "names are demangled, tidied and marked as by perf inject --jit" {
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 _ZN3foo3barEi
	load 10 7 0x10040 0x40 2 a%0ab;c
	load 10 7 0x10080 0x40 3 x%01%7f
	load 10 7 0x100c0 0x40 4
	END
	record_process <<-'END'
	sample 1 7 7 20 1 u u: 0x10000
	sample 1 7 7 20 2 u u: 0x10040
	sample 1 7 7 20 4 u u: 0x10080
	sample 1 7 7 20 8 u u: 0x100c0
	END
	fold --jit | diff - <(printf '%b\n' 'node;[jitted-7-0.so]_[j] 8' \
		'node;a_b:c_[j] 2' 'node;foo::bar_[j] 1' 'node;x\001\177_[j] 4')
}

@test "each process has its own dump, and a child its parent's as it was" {
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 foo
	load 30 7 0x10040 0x40 2 bar
	END
	dump 8 <<-'END'
	load 10 8 0x10000 0x40 1 other
	load 31 9 0x10080 0x40 2 childs
	END
	process_folds <<-END
	comm 8 8 java 4
	map 8 8 0x1000 0x1000 0 $PWD/jit-8.dump 5
	fork 9 9 7 7 20
	fork 7 70 7 7 21
	sample 1 8 8 40 1 u u: 0x10000
	sample 1 9 9 40 2 u u: 0x10000
	sample 1 9 9 40 4 u u: 0x10040
	sample 1 7 70 40 8 u u: 0x10040
	sample 1 9 9 40 16 u u: 0x10080
	$
	java;other 1
	node;[unknown] 4
	node;bar 8
	node;childs 16
	node;foo 2
	END
}

@test "a file of another name, or another process, is no dump of a process" {
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 foo
	END
	cp jit-7.dump jit-6.dump
	cp jit-7.dump jit-7.dumps
	{
		echo 'event cycles 0 0 ip,tid,time,period,chain,all,mono 1'
		for name in jit-6.dump jit-7.dumps xjit-7.dump; do
			echo "map 7 7 0x1000 0x1000 0 $PWD/$name 2"
		done
		echo 'sample 1 7 7 40 1 u u: 0x10000'
	} | record > perf.data
	fold | is_line ':7;[unknown] 1'
	[ ! -s err ]
}

@test "--symfs finds dumps" {
	mkdir -p "root$PWD"
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 foo
	END
	mv jit-7.dump "root$PWD"
	process_folds <<-'END'
	sample 1 7 7 20 1 u u: 0x10000
	$ --symfs=root
	node;foo 1
	END
	fold | is_line 'node;[perf-7.map] 1'
	has "perf.data: $PWD/jit-7.dump, which .* cannot be opened; --symfs" err
}

@test "without its clock, code that only one function was at has a name" {
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 foo
	load 20 7 0x10020 0x40 2 bar
	load 30 7 0x10080 0x40 3 baz
	load 40 7 0x10080 0x40 4 baz
	load 50 7 0x100c0 0x40 5 last
	load 60 8 0x10000 0x40 6 childs
	END
	process_folds '' <<-END
	sample 1 7 7 1000 1 u u: 0x1001f
	sample 1 7 7 1000 2 u u: 0x10020
	sample 1 7 7 1000 4 u u: 0x10040
	sample 1 7 7 1000 8 u u: 0x10080
	sample 1 7 7 1000 16 u u: 0x100c0
	sample 1 7 7 5 32 u u: 0x100ff
	$
	node;[unknown] 2
	node;bar 4
	node;baz 8
	node;foo 1
	node;last 48
	! perf.data: its clock is not that of $PWD/jit-7.dump, so functions at reused addresses have no name; record with perf record -k mono
	END
}

@test "the processor's ticks become the time of the recording" {
	dump 7 <<-'END'
	header 1 40 1
	load 4000 7 0x10000 0x40 1 foo
	load 8002 7 0x10000 0x40 2 bar
	END
	# 100 + ticks * 3 / 2^4: 850 and 1600
	process_folds '' <<-END
	record 79 0 $(little 4 3 100)
	sample 1 7 7 849 1 u u: 0x10000
	sample 1 7 7 850 2 u u: 0x10000
	sample 1 7 7 1599 4 u u: 0x10000
	sample 1 7 7 1600 8 u u: 0x10000
	$
	node;[unknown] 1
	node;bar 8
	node;foo 6
	END
	record_process '' <<-'END'
	sample 1 7 7 1599 4 u u: 0x10000
	END
	fold | is_line 'node;[unknown] 4'
	has 'its clock is not that of' err
}

@test "in a dump that is truncated, newer or invalid, complete records count" {
	# of a dump that is cut off, what is whole counts
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 foo
	load 20 7 0x10040 0x40 2 bar
	END
	mv jit-7.dump whole
	record_process <<-'END'
	sample 1 7 7 30 1 u u: 0x10000 0x10040
	END
	# 40 bytes are the header's, 124 those of each function
	[ "$(($(wc -c < whole)))" = 288 ]
	for size in 100 163 164 287; do
		head -c $size whole > jit-7.dump
		names='[unknown];[unknown]'
		[ $size -lt 164 ] || names='[unknown];foo'
		fold | is_line "node;$names 1"
		[ $size = 164 ] ||
			has "jit-7.dump ends inside a record, at byte" err
	done
	head -c 39 whole > jit-7.dump
	fold | is_line 'node;[perf-7.map];[perf-7.map] 1'
	has 'jit-7.dump, which .* ends inside its header;' err
	# what is no dump, or a newer one, is told of
	record_process <<-'END'
	sample 1 7 7 30 1 u u: 0x10000
	END
	seq 100 > jit-7.dump
	fold > /dev/null
	has 'jit-7.dump, which .* is no dump of a compiler; ' err
	for header in '2 40 0' '1 40 2'; do
		dump 7 <<< "header $header"
		fold > /dev/null
		has 'jit-7.dump, which .* has a form that is not known; ' err
	done
}

@test "records that make no sense are left out, and counted" {
	ones=ffffffffffffffff
	name=$(printf 'x%.0s' $(seq 16) | sed 's/x/78/g')
	address=0000010000000000
	zeros=0000000000000000
	dump 7 <<-END
	header 1 48 0
	bytes $zeros
	load 10 7 0x10000 0x40 1 foo
	record 0 20 0700000007000000${zeros}$address${ones}${zeros}6100
	record 0 20 0700000007000000${zeros}${ones}0100000000000000${zeros}610090
	record 0 20 0700000007000000${zeros}$address${zeros}${zeros}$name
	record 0 20 07
	record 1 20 0700000007000000
	move 21 7 0x10000 0x10100 0x40 77
	move 21 7 0x10000 $((-1)) 0x40 1
	load 22 7 0x10040 0 2 empty
	record 3 23
	record 99 23 616263
	record 4 23
	record 2 23 6162
	load 9 7 0x10080 0x40 1 again
	move 30 7 0x10080 0x10100 $((-1)) 1
	load 31 -5 0x10080 0x40 3 nobodys
	END
	process_folds <<-END
	sample 1 7 7 40 1 u u: 0x10000
	sample 1 7 7 40 2 u u: 0x10040
	sample 1 7 7 40 4 u u: 0x10080
	sample 1 7 7 40 8 u u: 0x1013f
	sample 1 7 7 40 16 u u: 0x10140
	$ --srcline
	node;[unknown] 18
	node;again 12
	node;foo 1
	! perf.data: $PWD/jit-7.dump: invalid records, left out: 7
	END
}

@test "the file of names of a process that has a dump, too, is left alone" {
	pid=4194304
	map=/tmp/perf-$pid.map
	[ ! -e $map ] || skip "there is $map"
	printf '10000 40 mapped\n' > $map
	dump $pid <<< "load 10 $pid 0x10000 0x40 1 dumped"
	for clock in ',mono' ''; do
		record > perf.data <<-END
		event cycles 0 0 ip,tid,time,period,chain,all$clock 1
		map $pid $pid 0x1000 0x1000 0 $PWD/jit-$pid.dump 2
		map $pid $pid 0x10000 0x10000 0x10000 //anon 3
		sample 1 $pid $pid 20 1 u u: 0x10000
		END
		fold
	done > out
	rm $map
	are_lines ":$pid;dumped 1" ":$pid;mapped 1" < out
}

# Names of functions are in a file that anybody may write.
@test "a file of names counts if its user may be right, as far as there is room" {
	pid=4194303
	map=/tmp/perf-$pid.map
	[ ! -e $map ] || skip "there is $map"
	printf '10000 40 mapped\n' > $map
	record > perf.data <<-END
	event cycles 0 0 ip,tid,time,period,chain,all 1
	map $pid $pid 0x10000 0x10000 0x10000 //anon 3
	sample 1 $pid $pid 20 1 u u: 0x10000
	END
	fold > out
	# most of it is not on the disk
	dd if=/dev/null of=$map bs=1 seek=200000000 2> /dev/null
	limit='ulimit -v 500000'
	[[ ${CFLAGS-} != *sanitize* ]] || limit=:
	($limit && fails 1 stackcollapse-perf perf.data >> out 2> err)
	if [ "$(id -u)" -eq 0 ]; then
		chown 65534 $map
		stackcollapse-perf perf.data >> out 2>> err
	fi
	rm $map
	head -n 2 out | are_lines ":$pid;mapped 1"{,}
	has -F "$map: more memory or time is needed than the files of a recording may take; names of functions may be missing" err
	[ "$(id -u)" -eq 0 ] || return 0
	sed -n '3p' out | is_line ":$pid;[perf-$pid.map] 1"
	has "$map, which belongs to neither root, you, nor the process's user" err
}

@test "copied stacks are unwound by the tables of functions" {
	# CIE: the CFA is rsp + 8, the return address is below it; FDE: of
	# 40 bytes from the code on, where the CFA is rsp + 24
	cie=1400000000000000017a5200017810011b0c070890010000
	fde=140000001c000000a0ffffff40000000000e180000000000
	header=011b033bccffffff0100000090ffffffe8ffffff
	# as node writes it, without a function: the frame pointer is tried
	empty=011b033b00000000000000000000000000000000
	dump 7 <<-END
	frames $cie$fde $header
	load 10 7 0x10000 0x40 1 foo
	frames - $empty
	load 10 7 0x11000 0x40 2 bar
	load 10 7 0x12000 0x40 3 baz
	END
	# rbp, rsp and rip are the 7th, 8th and 9th of 20
	words 0 0 0 0 0 0 0x7020 0x7000 0x10010 0 0 0 0 0 0 0 0 0 0 0 > registers
	words 0 0 0x11010 0 0 0x12020 0 0 0 > stack
	{
		echo 'event cycles 0 0 ip,tid,time,period,chain,registers,stack,all,mono 1'
		echo 'comm 7 7 node 1'
		echo "map 7 7 0x1000 0x1000 0 $PWD/jit-7.dump 2"
		echo 'map 7 7 0x10000 0x10000 0x10000 //anon 3'
		echo 'sample 1 7 7 20 1 u @0x10010 registers:registers stack:stack'
	} | record > perf.data
	fold | is_line 'node;baz;bar;foo 1'
}

@test "output matches perf inject --jit and perf script" {
	command -v perf > /dev/null || skip 'install linux-perf'
	dump 7 <<-'END'
	load 10 7 0x10000 0x40 1 _ZN3foo3barEi
	load 10 7 0x10080 0x40 2 JS:~run /srv/a.js:1:12
	load 20 7 0x10100 0x40 3 foo
	move 30 7 0x10100 0x10200 0x40 3
	load 35 7 0x10020 0x40 4 half
	load 36 7 0x11000 0x40 5 void [mscorlib] A::B(int)[Tier0]
	END
	record_process <<-'END'
	fork 9 9 7 7 36
	map 7 7 0x11000 0x1000 0 //anon 37
	sample 1 7 7 9 1 u u: 0x10000
	sample 1 7 7 10 1 u u: 0x10000 0x10090 0x10111
	sample 1 7 7 34 1 u u: 0x1002f 0x10211 0x10111
	sample 1 7 7 40 1 u u: 0x1002f 0x10060 0x10090 0x11001
	sample 1 9 9 40 1 u u: 0x1002f 0x10060 0x10090 0x11001
	END
	perf inject --jit -i perf.data -o injected 2> /dev/null ||
		skip 'perf inject --jit fails'
	perf script -i injected 2> /dev/null > text || skip 'perf script fails'
	has 'half' text || skip 'perf inject adds no functions'
	fold --all | diff - <(stackcollapse-perf --all text)
}
