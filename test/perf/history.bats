load ../helper
load recording

# Each sample finds the names and maps of its own time.  The model that says
# what is right knows time alone.  The program delivers records in order after
# each 4 MB; that in $SMALL after each 32 KB, so that a short recording has many
# deliveries.

program=$SMALL/stackcollapse-perf

# happen COUNT: prints what happens in processes that rename themselves, map
# files, fork, and are sampled, as processors' buffers have it in rounds; and
# into the file "expected" the stacks.
happen() {
	awk -v count="$1" '
	function add(line) {
		cpu = int(rand() * 4)
		events[cpu, ends[cpu]++] = line
		times[cpu, ends[cpu] - 1] = time
	}
	function called(tid) {
		return tid in name ? name[tid] : ":" tid
	}
	function fork(parent,	child, i) {
		child = next_pid++
		if (parent in name)
			name[child] = name[parent]
		for (i = 0; i < 3; i++)
			map[child, i] = map[parent, i]
		add("fork " child " " child " " parent " " parent " " time)
	}
	function sample(pid, tid, i,	frame) {
		frame = map[pid, i] == "" ? "unknown" : map[pid, i]
		folded[called(tid) ";[" frame "]"]++
		add("sample 7 " pid " " tid " " time " 1 u 0x" i + 1 "0010")
	}
	function print_until(cpu, most,	i) {
		i = printed[cpu] + 0
		while (i < ends[cpu] && times[cpu, i] <= most)
			print events[cpu, i++]
		printed[cpu] = i
	}
	function happen(pid, tid, what) {
		if (what < 0.2) {
			name[tid] = "n" int(rand() * 6)
			add("comm " pid " " tid " " name[tid] " " time)
		} else if (what < 0.35) {
			i = int(rand() * 3)
			map[pid, i] = "m" int(rand() * 5)
			add("map " pid " " tid " 0x" i + 1 \
			    "0000 0x10000 0 /" map[pid, i] " " time)
		} else if (what < 0.4)
			fork(pid)
		else
			sample(pid, tid, int(rand() * 3))
	}
	BEGIN {
		print "event cycles 0 0 ip,tid,time,id,period,chain,all 7"
		next_pid = 140
		for (time = 1; time <= count; time++) {
			few = rand() < 0.8 ? 40 : next_pid - 100
			pid = 100 + int(rand() * few)
			tid = pid < 140 && rand() < 0.3 ? pid + 2000000 : pid
			happen(pid, tid, rand())
		}
		for (end = 500; end < count + 1000; end += 500) {
			for (cpu = 0; cpu < 4; cpu++)
				print_until(cpu, end + 60 * cpu)
			print "round"
		}
		for (stack in folded)
			print stack, folded[stack] > "expected"
	}'
	LC_ALL=C sort -o expected expected
}

# gives ARG...: the program folds perf.data to what is in the file "expected".
gives() {
	"$program" "$@" perf.data > out 2> err
	diff expected out
	told err | diff /dev/null -
}

@test "each sample finds the name and the maps of its time, in many deliveries" {
	happen 30000 > lines
	record < lines > perf.data
	gives
	"$program" - < perf.data 2> err | diff expected -
	program=stackcollapse-perf gives
	# where no round ends, or some do not
	sed /^round/d lines | record > perf.data
	gives
	awk '!/^round/ || ++rounds == 20 || rounds >= 40' lines |
		record > perf.data
	gives
}

@test "records without a time, or of one time, have the order of the file" {
	for fields in period,chain time,period,chain time,period,chain,all; do
		awk -v fields=$fields 'BEGIN {
			print "event cycles 0 0 ip,tid," fields " 7"
			for (i = 0; i < 6000; i++) {
				print "comm 10 10 n" i * i % 7, 5
				print "sample 7 10 10 5 " i % 3 + 1 " u 0x1010"
				count["n" i * i % 7] += i % 3 + 1
			}
			for (name in count)
				print name ";[unknown]", count[name] > "expected"
		}' | record > perf.data
		LC_ALL=C sort -o expected expected
		gives
	done
}

@test "a record takes effect at its time, and stays in effect" {
	folds <<-'END'
	# one without a time is older than all that have one
	map 10 10 0x1000 0x1000 0 /m 1
	comm 10 10 a 1
	sample 1 10 10 2 1 u 0x1010
	round
	sample 1 10 10 3 1 u 0x1010
	round
	comm 10 10 b
	sample 1 10 10 4 1 u 0x1010
	$
	a;[m] 3

	# one that comes late
	map 10 10 0x1000 0x1000 0 /m 1
	comm 10 10 a 1
	sample 1 10 10 10 1 u 0x1010
	round
	sample 1 10 10 11 1 u 0x1010
	round
	comm 10 10 b 5
	sample 1 10 10 20 1 u 0x1010
	$
	b;[m] 3

	# the last samples come late, too
	map 10 10 0x1000 0x1000 0 /m 1
	comm 10 10 a 1
	sample 1 10 10 100 1 u 0x1010
	round
	round
	sample 1 20 20 50 1 u 0x1010
	round
	sample 1 20 20 40 1 u 0x1010
	round
	comm 10 10 b 80
	sample 1 10 10 90 1 u 0x1010
	$
	:20;[unknown] 2
	b;[m] 2

	# the process of a thread is known only when it has a sample
	comm -1 7 a 1
	map 20 20 0x1000 0x1000 0 /m 2
	sample 1 20 7 3 1 u 0x1010
	comm 20 7 b 4
	sample 1 20 7 5 1 u 0x1010
	$
	a;[m] 1
	b;[m] 1

	# a fork says that a thread is of another process
	comm 10 10 a 1
	map 10 10 0x1000 0x1000 0 /m 1
	sample 1 10 10 2 1 u 0x1010
	sample 1 10 10 3 1 u 0x1010
	fork 30 30 20 10 5
	sample 1 20 10 6 1 u 0x1010
	$
	:10;[unknown] 1
	a;[m] 2

	# a fork uses a number again
	comm 20 20 p 1
	map 20 20 0x1000 0x1000 0 /q 1
	comm 30 30 old 1
	map 30 30 0x1000 0x1000 0 /m 1
	sample 1 30 30 2 1 u 0x1010
	fork 30 30 20 20 5
	sample 1 30 30 6 1 u 0x1010
	$
	old;[m] 1
	p;[q] 1

	# the fork of a thread gives maps to a process without any
	comm 20 20 p 1
	map 20 20 0x1000 0x1000 0 /q 1
	comm 30 30 c 1
	sample 1 30 30 2 1 u 0x1010
	fork 30 31 20 20 5
	sample 1 30 30 6 1 u 0x1010
	$
	c;[q] 1
	c;[unknown] 1
	END
}

# others COUNT [TIME]: COUNT records of another process; 700 have 32 KB.
others() {
	awk -v count="$1" -v time="$2" 'BEGIN {
		while (count-- > 0)
			print "comm 9 9 c", time
	}'
}

@test "a process does not exist before the fork that makes it" {
	{
		printf '%s\n' "$EVENT" 'comm 10 10 p 1' \
			'map 10 10 0x1000 0x1000 0 /m 1'
		others 2000 3
		printf '%s\n' 'sample 1 10 10 2 1 u 0x1010' \
			'fork 20 20 10 10 4' 'sample 1 20 7 5 1 u 0x1010'
	} | record > perf.data
	printf '%s\n' ':7;[m] 1' 'p;[m] 1' > expected
	gives
}

# late EXPECTED: folds the lines, whose late records come less than 4 MB late:
# the usual program finds the state of their time; any program counts each once.
late() {
	{ echo "${EVENT/1,2/7}"; cat; } | record > perf.data
	stackcollapse-perf perf.data 2> err | is_line "$1"
	told err | diff /dev/null -
	"$program" perf.data 2> err | awk '{ sum += $NF } END { print sum }' |
		is_line "${1##* }"
}

@test "samples less than 4 MB late count once, in the process state of their time" {
	{
		echo 'comm 10 10 a 1'
		others 2000 2
		printf '%s\n' 'sample 7 10 10 10 1 u 0x10' round \
			'sample 7 10 10 10 1 u 0x10' \
			'sample 7 10 10 11 1 u 0x10' round \
			'comm 10 10 b 5' 'sample 7 10 10 20 1 u 0x10'
	} | late 'b;[unknown] 4'
	{
		printf '%s\n' 'comm 10 10 a 1' 'sample 7 10 10 10 1 u 0x10' \
			round 'sample 7 10 10 11 1 u 0x10' round \
			'sample 7 10 10 5 1 u 0x10'
		others 2000
		echo 'comm 10 10 b 4'
	} | late 'b;[unknown] 3'
	# a sample waits longer than all that is beside it in the file
	{
		others 2000 2
		printf '%s\n' 'sample 7 10 10 10 1 u 0x10' round \
			'sample 7 10 10 10 1 u 0x10' \
			'sample 7 10 10 1000 1 u 0x10' round
		others 20000
	} | late ':10;[unknown] 3'
}

@test "a record that comes too late takes effect when it comes, and is reported" {
	{
		printf '%s\n' "$EVENT" 'comm 10 10 a 1' \
			'sample 1 10 10 10 1 u 0x10' round round
		others 700 20
		printf '%s\n' round 'comm 10 10 b 5' \
			'sample 1 10 10 9 2 u 0x10' 'sample 1 10 10 30 4 u 0x10'
	} | record > perf.data
	"$program" perf.data 2> err | are_lines 'a;[unknown] 1' 'b;[unknown] 6'
	told err | is 4<<-'END'
	! perf.data: records that came too late for their time: 2
	END
	stackcollapse-perf perf.data 2> err | is_line 'b;[unknown] 7'
	told err | diff /dev/null -
}

# The kernel reuses numbers after a while.
@test "processes that have ended are forgotten, and no others" {
	awk 'BEGIN {
		print "pipe"
		print "event cycles 0 0 ip,tid,time,id,period,chain,all 7"
		print "comm 5 5 stays 1\nmap 5 5 0x1000 0x1000 0 /s 1"
		for (i = 1; i <= 10000; i++) {
			pid = 100 + i % 4999
			print "fork", pid, pid, "5 5", 10 * i
			print "sample 7", pid, pid, 10 * i + 1, "1 u 0x1010"
			print "comm", pid, pid, "n" i % 100, 10 * i + 2
			print "map", pid, pid, "0x2000 0x1000 0 /m", 10 * i + 2
			print "sample 7", pid, pid, 10 * i + 3, "1 u 0x2010"
			print "exit", pid, pid, "5 5", 10 * i + 4
			print "sample 7", pid, pid, 10 * i + 5, "1 u 0x2010"
			print "sample 7 5 5", 10 * i + 6, "1 u 0x1010"
			if (i % 100 == 0)
				print "round"
		}
		print "stays;[s] 20000" > "expected"
		for (i = 0; i < 100; i++)
			print "n" i ";[m] 200" > "expected"
	}' | record > perf.data
	LC_ALL=C sort -o expected expected
	gives
	# its last 4,096 are kept
	{
		printf '%s\n' "$EVENT" 'comm 7 7 old 1' 'exit 7 7 1 1 3'
		seq 1001 5095 | sed 's/.*/exit & & 1 1 4/'
		echo 'sample 1 7 7 5 1 u 0x1010'
	} | record > perf.data
	echo 'old;[unknown] 1' > expected
	gives
}

# The counter has counted the time, from 0 on; a sample comes at each from 4 on.
@test "counter gains count in the order of time" {
	awk 'BEGIN {
		print "event cycles 0 0 ip,tid,time,read,id,period,chain,all 7"
		for (; time < 6000; time += 100) {
			for (cpu = 3; cpu >= 0; cpu--)
				for (i = 4; i <= 100; i += 4)
					print "sample 7 5", 5 + cpu, \
					    time + i + cpu, "1 u 7=" \
					    time + i + cpu, "0x1010"
			print "round"
		}
	}' | record > perf.data
	printf ':%s\n' '5;[unknown] 1503' {6..8}';[unknown] 1500' > expected
	gives
}

@test "samples before the kernel's map have no kernel symbols, in any thread" {
	printf 'ffffffff8100%s\n' '0000 T _text' '0100 T f' '1000 T _etext' \
		> kallsyms
	for len in 0x1000 0; do
		awk -v len=$len 'BEGIN {
			print "event cycles 0 0 ip,tid,time,period,chain,all 7"
			for (i = 1; i <= 2500; i++) {
				print "sample 7", i % 25, i % 25, i, \
				    "1 k k: 0xffffffff81000110"
				if (i == 1500)
					print "kernel 0xffffffff81000000", len,
					    "0xffffffff81000000 " \
					    "[kernel.kallsyms]_text 1500"
			}
			for (i = 0; i < 25; i++) {
				name = i == 0 ? "swapper" : ":" i
				print name ";[unknown] 60" > "expected"
				print name ";f 40" > "expected"
			}
		}' | record > perf.data
		LC_ALL=C sort -o expected expected
		gives --kallsyms=kallsyms
	done
}

@test "a sample counts once where an event is described between compressed records" {
	command -v zstd > /dev/null || skip 'install zstd'
	first='event cycles 0 0 ip,tid,time,id,period,all 7'
	awk -v first="$first" 'BEGIN {
		print "pipe"
		print first
		print "compressed"
		for (i = 1; i < 20000; i++)
			printf "sample 7 10 10 %d 1 u 0x%06x%06x\n", i,
			    rand() * 2^24, rand() * 2^24
	}' | record > all
	printf '%s\n' pipe "$first" | record > begin
	printf '%s\n' pipe 'event faults 1 2 ip,tid,time,read,id,period,all 8' |
		record | tail -c +17 > event
	records=$(($(wc -c < all) / 100016))
	half=$(($(wc -c < begin) + records * 50008))
	{
		head -c $half all
		cat event
		tail -c +$((half + 1)) all
	} | "$program" - | is_line ':10;[unknown] 19999'
}

# many COUNT SAMPLE ...: samples that take turns, as "1 10 10 TIME 1 u u:
# 0x1010".
many() {
	awk 'BEGIN {
		count = ARGV[1]
		for (i = 0; i < count; i++) {
			line = "sample " ARGV[i % (ARGC - 2) + 2]
			sub(/TIME/, i + 10, line)
			print line
		}
	}' "$@"
}

@test "records left out of any delivery are counted, and the first is reported" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 1,2'
		echo 'event page-faults 1 2 ip,tid,time,id,period,chain,all 3'
		many 5 '1 5 5 TIME 1 u u: 0x10'
		echo 'sample 1 4194305 5 15 1 u u: 0x10'
		many 3000 '1 5 5 TIME 1 g u: 0x10' '2 5 5 TIME 1 u u: 0x10' \
			'3 5 5 TIME 1 u u: 0x10' '1 4194305 5 TIME 1 u u: 0x10'
	} > lines
	record < lines > perf.data
	{ echo unfinished; head -7 lines; } | record | wc -c > offset
	fails 1 "$program" --event-filter=cycles perf.data 2> err |
		is_line ':5;[unknown] 755'
	told err | is 4<<-END
	! perf.data: samples of virtual machines, left out: 750
	! perf.data: invalid records, left out: 751, the first at byte $(cat offset)
	END
	fails 1 "$program" --event-filter=no perf.data 2> err |
		diff /dev/null -
	has 'of other events there are 1505: cycles, page-faults$' err
}

# The times of each part begin anew, so e3 is older than e2.  The order of the
# events is that of their first samples, as far as a delivery reaches.
@test "an event described late recounts the samples of other events" {
	{
		echo pipe
		for i in 1 2; do
			echo "event e$i 1 $i identifier,ip,tid,time,period,chain,all $i"
		done
		for i in 3 4; do
			many 100 '1 5 5 TIME 1 u u: 0x10' '2 5 5 TIME 1 u u: 0x10'
			others 2000 1
			printf '%s\n' round round round
			echo "event e$i 1 $i identifier,ip,tid,time,period,chain,all $i"
		done
		many 100 '3 5 5 TIME 1 u u: 0x10' '4 5 5 TIME 1 u u: 0x10'
	} | record > perf.data
	none='stackcollapse-perf: no sample is of the event no; of other events there are 300:'
	stackcollapse-perf --event-filter=no perf.data 2>&1 |
		is_line "$none e1, e3, e2, e4"
	"$program" --event-filter=no perf.data 2>&1 |
		sed '/too late/d; s/\(.*: \).*/\1/' | is_line "$none "
	has 'e1, e[234], e[234], e[234]$' <("$program" --event-filter=no \
		perf.data 2>&1)
}

# The older half of what waits is folded when 192 blocks of 256 KB wait.
@test "a full reorder queue folds its oldest samples and goes on" {
	head -c 60000 /dev/zero > stack
	awk 'function sample() {
		print "sample 7 10 10", ++count, "1 u 0x10 stack:stack"
	}
	BEGIN {
		print "pipe\nevent cycles 0 0 ip,tid,time,id,period,stack,all 7"
		print "comm 10 10 a 1"
		while (count < 200)
			sample()
		print "round\nround\nround"
		while (count < 900)
			sample()
		print "comm 10 10 b 300"
	}' | record | "$program" - 2> /dev/null | are_lines \
		'a;[unknown] 300' 'b;[unknown] 600'
}
