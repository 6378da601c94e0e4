load ../helper
load recording

# Samples that wait for the call chain of their program (perf record
# --call-graph fp,defer), which the kernel writes when it returns to it.
# Recordings are made from lines by unit/perfdata.c, which tells how.  The
# expected stacks are those of the text that perf script 7.2 prints of the same
# recordings, except those of samples whose chain never came.

EVENT='event cycles 0 0 ip,tid,time,id,period,chain,all,defer 1,2'
kernel=0xffffffff81000000

# waiting: two processes; a chain is joined to two samples, and one to a sample
# after which the program is another one.
waiting() {
	cat <<-END
	${1-}
	$EVENT
	comm 10 10 sh 1
	map 10 10 0x1000 0x1000 0 /x/bin/sh 2
	map 10 10 0x8000 0x1000 0 /x/lib/libc.so 3
	comm 11 11 ls 4
	map 11 11 0x1000 0x1000 0 /x/bin/ls 4
	${2-}
	sample 1 10 10 100 7 k k: $kernel d: 0x77
	sample 1 10 10 105 2 k k: $kernel $kernel d: 0x77
	deferred 0x77 10 10 110 u: 0x8010 0x1020
	sample 1 11 11 120 4 k k: $kernel d: 0x79
	comm 11 11 ll 121
	map 11 11 0x1000 0x1000 0 /x/bin/ll 122
	deferred 0x79 11 11 125 u: 0x1040
	sample 1 10 10 131 6 u d: 0x81
	sample 1 10 10 131 8 u u: 0x1050
	deferred 0x81 10 10 132 u: 0x1060 0x1070
	round
	END
}

waiting_folded='ll;[ll];[unknown] 4
sh;[sh] 8
sh;[sh];[libc.so];[unknown] 7
sh;[sh];[libc.so];[unknown];[unknown] 2
sh;[sh];[sh] 6'

@test "a program's chain is joined to all samples that wait for it" {
	{ waiting | sed '/^$/d'; echo \$; echo "$waiting_folded"; } > case
	folds < case
	waiting pipe | record | stackcollapse-perf - 2> err |
		is_line "$waiting_folded"
	told err | diff /dev/null -
}

@test "so it is in compressed records" {
	command -v zstd > /dev/null || skip 'install zstd'
	waiting '' compressed | record > perf.data
	stackcollapse-perf perf.data 2> err | is_line "$waiting_folded"
	told err | diff /dev/null -
}

@test "samples wait for their chains wherever the chains are in the file" {
	folds <<-END
	# a chain may come before its samples in the file, in time before it
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	deferred 7 10 10 110 u: 0x1020
	deferred 8 10 10 130 u: 0x1020 0x5000
	sample 1 10 10 100 3 k k: $kernel d: 7
	sample 1 10 10 120 4 k k: $kernel d: 8
	sample 1 10 10 100 5 k k: $kernel d: 7
	round
	round
	$
	sh;[sh];[unknown] 8
	sh;[unknown];[sh];[unknown] 4

	# samples of a stay in the kernel are in order, whatever the file's is
	comm 10 10 sh
	sample 1 10 10 30 3 k k: $kernel d: 7
	sample 1 10 10 20 2 k k: $kernel $kernel d: 7
	deferred 7 10 10 90 u: 0x1020
	sample 1 10 10 10 1 k k: $kernel d: 7
	round
	$ --in-order
	sh-10/10;[unknown];[unknown] 1
	sh-10/10;[unknown];[unknown];[unknown] 2
	sh-10/10;[unknown];[unknown] 3

	# flame charts have them at their own times: 40 - 10 - 10, 100 - 40 - 10
	${EVENT/cycles 0 0/cpu-clock 1 0}
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	sample 1 10 10 10 10 k k: $kernel d: 7
	sample 1 10 10 40 10 k k: $kernel d: 7
	deferred 7 10 10 90 u: 0x1020
	sample 1 10 10 100 10 u u: 0x1030
	round
	$ --in-order --gaps=0.00001
	sh-10/10;[sh];[unknown] 10
	sh-10/10 20
	sh-10/10;[sh];[unknown] 10
	sh-10/10 50
	sh-10/10;[sh] 10

	# what is in front of a sample's chain, and behind it, stays as it was
	event a 0 0 ip,tid,time,id,read,chain,raw,branches,all,defer,group 1
	event b 0 0 ip,tid,time,id,read,chain,raw,branches,all,defer,group 2
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	sample 1 10 10 100 0 k 1=10 2=7 k: $kernel d: 7
	deferred 7 10 10 110 u: 0x1020
	sample 1 10 10 120 0 k 1=15 2=9 k: $kernel d: 8
	deferred 8 10 10 130 u: 0x1020
	$
	sh;[sh];[unknown] 15
	$ --event-filter=b
	sh;[sh];[unknown] 9
	END
}

@test "a cookie belongs to one thread, and samples whose chain never came are reported" {
	record > perf.data <<-END
	$EVENT
	comm 10 10 sh
	sample 1 10 10 100 3 k k: $kernel d: 7
	deferred 7 10 11 110 u: 0x1020
	sample 1 10 10 120 4 k k: $kernel $kernel d: 8
	sample 2 10 10 130 5 k k: $kernel d: 9
	deferred 9 10 10 140 u: 0x1020
	END
	stackcollapse-perf perf.data 2> err | is 4<<-'END'
	sh;[unknown] 3
	sh;[unknown];[unknown] 9
	END
	grep "chain never came .*: 2\$" err
}

@test "an invalid chain, or one of an event without chains, is reported" {
	for body in 00 "$(little 7 255)" "$(little 7 -1 0)"; do
		printf '%s\n' "$EVENT" 'comm 10 10 sh' \
			"sample 1 10 10 100 3 k k: $kernel d: 7" \
			"record 22 2 $body" | record > perf.data
		stackcollapse-perf perf.data 2> err |
			is_line 'sh;[unknown] 3' || [ $? -eq 1 ]
		grep 'chain never came .*: 1$' err
	done
	grep 'invalid records, left out: 1,' err
	waiting | sed 's/,defer//; /sample.* d:/d' | record > perf.data
	fails 1 stackcollapse-perf perf.data 2> err | is_line 'sh;[sh] 8'
	grep 'invalid records, left out: 3,' err
}

@test "samples of threads that wander find their chains in any delivery" {
	# each thread waits for its chain while 15 others are sampled, on four
	# processors, each with a buffer
	awk -v event="$EVENT" -v kernel=$kernel '
	function add(time, line) {
		cpu = int(rand() * 4)
		times[cpu, ends[cpu] + 0] = time
		lines[cpu, ends[cpu]++] = line
	}
	BEGIN {
		print event
		for (tid = 100; tid < 120; tid++) {
			print "comm", tid, tid, "t"
			print "map", tid, tid, "0x10000 0x10000 0 /a"
			print "map", tid, tid, "0x20000 0x10000 0 /b"
		}
		for (i = 15; i < 4000; i++) {
			tid = " " 100 + i % 20 " " 100 + i % 20 " "
			add(i, "sample 1" tid i " 1 k k: " kernel " d: " i)
			tid = " " 100 + (i - 15) % 20 " " 100 + (i - 15) % 20 " "
			add(i, "deferred " i - 15 tid i " u: 0x" \
			    (i % 3 ? 1 : 2) "0010")
		}
		for (i = 3985; i < 4000; i++) {
			tid = " " 100 + i % 20 " " 100 + i % 20 " "
			add(i + 15, "deferred " i tid i + 15 " u: 0x" \
			    (i % 3 ? 1 : 2) "0010")
		}
		for (time = 100; time < 4500; time += 100) {
			for (cpu = 0; cpu < 4; cpu++)
				while (at[cpu] < ends[cpu] && \
				    times[cpu, at[cpu] + 0] <= time + 12 * cpu)
					print lines[cpu, at[cpu]++ + 0]
			print "round"
		}
	}' | record > perf.data
	# every third sample of 15 to 3999 is of b
	printf 't;[a];[unknown] 2656\nt;[b];[unknown] 1329\n' > expected
	for program in stackcollapse-perf "$SMALL/stackcollapse-perf"; do
		"$program" perf.data 2> err | diff expected -
		told err | diff /dev/null -
		"$program" - < perf.data 2> err | diff expected -
	done
}

@test "of too much that waits, the oldest waits no longer" {
	{
		echo "$EVENT"
		echo "comm 10 10 sh"
		# a wait that never ends is no hindrance to what comes later
		echo "sample 1 10 10 1 1 k k: $kernel $kernel d: 1"
		seq 2 4000 | awk -v "kernel=$kernel" '{
			print "sample 1 10 10 " $1 " 1 k k: " kernel " d: " $1
			if ($1 % 2 == 0)
				print "deferred " $1 " 10 10 " $1 " u: 0x10 0x20"
		}'
		echo 'deferred 1 10 10 5000 u: 0x10 0x20'
	} | record > perf.data
	"$SMALL/stackcollapse-perf" perf.data 2> err |
		is 4<<-'END'
	sh;[unknown] 1999
	sh;[unknown];[unknown] 1
	sh;[unknown];[unknown];[unknown] 2000
	END
	grep 'never came .*: 2000$' err
	# where there is room for all, it came
	stackcollapse-perf perf.data 2> err | is 4<<-'END'
	sh;[unknown] 1999
	sh;[unknown];[unknown];[unknown] 2000
	sh;[unknown];[unknown];[unknown];[unknown] 1
	END
	grep 'never came .*: 1999$' err
}
