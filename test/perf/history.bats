load ../helper
load ../unit
PATH=$SMALL:$PATH

# Recordings are folded in windows, and their samples in slices.  The model that
# tells what is right knows neither, but time alone.  The program here has small
# ones, so that a short recording has many.

setup_file() {
	needs_drivers
}

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

@test "each sample finds the name and the maps of its time" {
	happen 3000 | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs perf.data 2> err |
			diff - expected
		[ "$(grep -c 'make no sense' err)" = 0 ]
	done
}

@test "so it does in any of many windows" {
	happen 80000 | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
			diff - expected
	done
	stackcollapse-perf - < perf.data 2> /dev/null | diff - expected
}

@test "so it does in windows of the usual size" {
	happen 200000 | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3; do
		"$BIN/stackcollapse-perf" --jobs=$jobs perf.data 2> err |
			diff - expected
	done
	"$BIN/stackcollapse-perf" - < perf.data 2> /dev/null | diff - expected
}

@test "so it does where no round ends" {
	happen 80000 | grep -v '^round' | "$UNIT" perfdata \
		> perf.data
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
			diff - expected
	done
}

@test "so it does where some rounds do not end" {
	happen 130000 | awk '!/^round/ || ++rounds == 100 || rounds >= 200' |
		"$UNIT" perfdata > perf.data
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
			diff - expected
	done
}

# happens: folds what the lines say that happened.
happens() {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 7'
		cat
	} | "$UNIT" perfdata > perf.data
	stackcollapse-perf perf.data 2> err
	[ "$(grep -c 'make no sense' err)" = 0 ]
}

@test "a record without a time is older than all that have one" {
	happens <<-END | diff - <(printf '%s\n' 'a;[m] 3')
	map 10 10 0x1000 0x1000 0 /m 1
	comm 10 10 a 1
	sample 7 10 10 2 1 u 0x1010
	round
	sample 7 10 10 3 1 u 0x1010
	round
	comm 10 10 b
	sample 7 10 10 4 1 u 0x1010
	END
}

@test "a record that comes late has had its effect at its time" {
	happens <<-END | diff - <(printf '%s\n' 'b;[m] 3')
	map 10 10 0x1000 0x1000 0 /m 1
	comm 10 10 a 1
	sample 7 10 10 10 1 u 0x1010
	round
	sample 7 10 10 11 1 u 0x1010
	round
	comm 10 10 b 5
	sample 7 10 10 20 1 u 0x1010
	END
}

@test "so it has where the last samples come late, too" {
	happens <<-END | diff - <(printf '%s\n' ':20;[unknown] 2' 'b;[m] 2')
	map 10 10 0x1000 0x1000 0 /m 1
	comm 10 10 a 1
	sample 7 10 10 100 1 u 0x1010
	round
	round
	sample 7 20 20 50 1 u 0x1010
	round
	sample 7 20 20 40 1 u 0x1010
	round
	comm 10 10 b 80
	sample 7 10 10 90 1 u 0x1010
	END
}

@test "a thread whose process is told late has the maps of that" {
	happens <<-END | diff - <(printf '%s\n' 'a;[m] 1' 'b;[m] 1')
	comm -1 7 a 1
	map 20 20 0x1000 0x1000 0 /m 2
	sample 7 20 7 3 1 u 0x1010
	comm 20 7 b 4
	sample 7 20 7 5 1 u 0x1010
	END
}

@test "where no record has a time, the order of the file is that of time" {
	for event in ip,tid,period,chain ip,tid,time,period,chain; do
		awk -v event=$event 'BEGIN {
			print "event cycles 0 0 " event " 7"
			print "map 10 10 0x1000 0x1000 0 /m"
			for (i = 0; i < 30000; i++) {
				print "comm 10 10 n" i * i % 7
				print "sample 7 10 10 5 " i % 3 + 1 " u 0x1010"
				count["n" i * i % 7] += i % 3 + 1
			}
			for (name in count)
				print name ";[m]", count[name] > "expected"
		}' | "$UNIT" perfdata > perf.data
		LC_ALL=C sort -o expected expected
		for jobs in 1 2; do
			stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
				diff - expected
		done
	done
}

@test "a thread that a fork tells to be another one was itself before" {
	happens <<-END | diff - <(printf '%s\n' ':10;[unknown] 1' 'a;[m] 2')
	comm 10 10 a 1
	map 10 10 0x1000 0x1000 0 /m 1
	sample 7 10 10 2 1 u 0x1010
	sample 7 10 10 3 1 u 0x1010
	fork 30 30 20 10 5
	sample 7 20 10 6 1 u 0x1010
	END
}

@test "a thread whose number a fork uses again was itself before" {
	happens <<-END | diff - <(printf '%s\n' 'old;[m] 1' 'p;[q] 1')
	comm 20 20 p 1
	map 20 20 0x1000 0x1000 0 /q 1
	comm 30 30 old 1
	map 30 30 0x1000 0x1000 0 /m 1
	sample 7 30 30 2 1 u 0x1010
	fork 30 30 20 20 5
	sample 7 30 30 6 1 u 0x1010
	END
}

@test "threads of one process are told apart, however many" {
	awk 'BEGIN { for (i = 101; i <= 220; i++) {
		tid = i * i * i % 1000003
		print "comm 10", tid, "n" i, 1
		print "sample 7 10", tid, "2 1 u 0x1010"
		print "comm 10", tid, "late", 3
	} }' | happens | diff - <(printf 'n%d;[unknown] 1\n' {101..220})
}

@test "a process without maps has its parent's from the fork of a thread on" {
	happens <<-END | diff - <(printf '%s\n' 'c;[q] 1' 'c;[unknown] 1')
	comm 20 20 p 1
	map 20 20 0x1000 0x1000 0 /q 1
	comm 30 30 c 1
	sample 7 30 30 2 1 u 0x1010
	fork 30 31 20 20 5
	sample 7 30 30 6 1 u 0x1010
	END
}

@test "a process does not exist before the fork that makes it" {
	{
		printf '%s\n' 'comm 10 10 p 1' 'map 10 10 0x1000 0x1000 0 /m 1'
		awk 'BEGIN { while (i++ < 17000) print "comm 9 9 c 3" }'
		printf '%s\n' 'sample 7 10 10 2 1 u 0x1010' \
			'fork 20 20 10 10 4' 'sample 7 20 7 5 1 u 0x1010'
	} | happens | diff - <(printf '%s\n' ':7;[m] 1' 'p;[m] 1')
}

@test "records of one time have the order of the file" {
	awk 'BEGIN {
		print "event cycles 0 0 ip,tid,time,period,chain,all 7"
		for (i = 0; i < 40000; i++) {
			print "comm 10 10 n" i * i % 7, 3
			print "sample 7 10 10 3 " i % 3 + 1 " u 0x1010"
			count["n" i * i % 7] += i % 3 + 1
		}
		for (name in count)
			print name ";[unknown]", count[name] > "expected"
	}' | "$UNIT" perfdata > perf.data
	LC_ALL=C sort -o expected expected
	for jobs in 1 2; do
		stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
			diff - expected
	done
}

@test "a thread that has ended is known by samples that come after that" {
	{
		echo 'comm 7 7 old 1'
		echo 'sample 7 7 7 2 1 u 0x1010'
		echo 'exit 7 7 1 1 3'
		awk 'BEGIN {
			for (i = 1001; i < 5096; i++)
				print "exit", i, i, "1 1 4"
		}'
		echo 'sample 7 7 7 5 1 u 0x1010'
	} | happens | diff - <(printf '%s\n' 'old;[unknown] 2')
}

# Their numbers come again after a while, as the kernel gives them.
@test "processes that have ended are forgotten, and no others" {
	awk 'BEGIN {
		print "pipe"
		print "event cycles 0 0 ip,tid,time,id,period,chain,all 7"
		print "comm 5 5 stays 1\nmap 5 5 0x1000 0x1000 0 /s 1"
		for (i = 1; i <= 40000; i++) {
			pid = 100 + i % 9973
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
		print "stays;[s] 80000" > "expected"
		for (i = 0; i < 100; i++)
			print "n" i ";[m] 800" > "expected"
	}' | "$UNIT" perfdata > perf.data
	LC_ALL=C sort -o expected expected
	for jobs in 1 2; do
		stackcollapse-perf --jobs=$jobs - < perf.data 2> /dev/null |
			diff - expected
	done
}

# The counter has counted the time, from 0 on; a sample comes at each from 4 on.
@test "what counters have gained counts, in the order of time" {
	awk 'BEGIN {
		print "event cycles 0 0 ip,tid,time,read,id,period,chain,all 7"
		for (; time < 30000; time += 100) {
			for (cpu = 3; cpu >= 0; cpu--)
				for (i = 4; i <= 100; i += 4)
					print "sample 7 5", 5 + cpu, \
					    time + i + cpu, "1 u 7=" \
					    time + i + cpu, "0x1010"
			print "round"
		}
	}' | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs perf.data |
			diff - <(printf ':%s\n' '5;[unknown] 7503' \
			    {6..8}';[unknown] 7500')
	done
}

@test "samples before the kernel is told have no names of it, in any thread" {
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
		}' | "$UNIT" perfdata > perf.data
		LC_ALL=C sort -o expected expected
		for jobs in 1 3; do
			stackcollapse-perf --jobs=$jobs --kallsyms=kallsyms \
			    perf.data 2> /dev/null | diff - expected
		done
	done
}

@test "a sample counts once where an event is told between compressed ones" {
	command -v zstd > /dev/null || skip 'no zstd'
	first='event cycles 0 0 ip,tid,time,id,period,all 7'
	awk -v first="$first" 'BEGIN {
		print "pipe"
		print first
		print "compressed"
		for (i = 1; i < 200000; i++)
			printf "sample 7 10 10 %d 1 u 0x%06x%06x\n", i,
			    rand() * 2^24, rand() * 2^24
	}' | "$UNIT" perfdata > all
	printf '%s\n' pipe "$first" | "$UNIT" perfdata > begin
	printf '%s\n' pipe 'event faults 1 2 ip,tid,time,read,id,period,all 8' |
		"$UNIT" perfdata | tail -c +17 > event
	records=$(($(wc -c < all) / 100016))
	half=$(($(wc -c < begin) + records * 50008))
	{
		head -c $half all
		cat event
		tail -c +$((half + 1)) all
	} > perf.data
	stackcollapse-perf - < perf.data |
		diff - <(echo ':10;[unknown] 199999')
}

# many COUNT SAMPLE ...: samples that take turns, as "1 10 10 TIME 1 u u:
# 0x1010", each of which may be folded by another thread.
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

@test "what any thread leaves out is counted, and the first of it is told" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 7'
		many 5 '7 5 5 TIME 1 u u: 0x10'
		many 24000 '7 4194305 5 TIME 1 u u: 0x10' \
			'7 5 5 TIME 1 u u: 0x10' '7 5 5 TIME 1 g u: 0x10'
	} > lines
	"$UNIT" perfdata < lines > perf.data
	{ echo unfinished; head -6 lines; } | "$UNIT" perfdata |
		wc -c > offset
	# which thread has the first one is chance
	for run in {1..30}; do
		jobs=$((run <= 4 ? run : 16))
		stackcollapse-perf --jobs=$jobs perf.data 2> err |
			diff - <(echo ':5;[unknown] 8005')
		diff err - <<-END
		stackcollapse-perf: perf.data: samples of virtual machines, which are left out: 8000
		stackcollapse-perf: perf.data: records that make no sense and are left out: 8000, the first at byte $(cat offset)
		END
	done
}

@test "events that do not count are counted in all threads, in their order" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 1,2'
		echo 'event page-faults 1 2 ip,tid,time,id,period,chain,all 3'
		echo 'sample 3 5 5 5 1 u u: 0x10'
		many 24000 '1 5 5 TIME 1 u u: 0x10' '3 5 5 TIME 1 u u: 0x10' \
			'2 5 5 TIME 1 u u: 0x10'
	} | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3 4; do
		stackcollapse-perf --jobs=$jobs --event-filter=no perf.data \
			2>&1 | diff - <(echo 'stackcollapse-perf: no sample is of the event' \
			'no; of other events there are 24001: page-faults, cycles')
		stackcollapse-perf --jobs=$jobs --event-filter=cycles perf.data |
			diff - <(echo ':5;[unknown] 16000')
	done
}

# The times of each part begin anew, so e3 is older than e2.
@test "an event that comes late counts anew what others there are" {
	{
		echo pipe
		for i in 1 2; do
			echo "event e$i 1 $i identifier,ip,tid,time,period,chain,all $i"
		done
		for i in 3 4; do
			many 100 '1 5 5 TIME 1 u u: 0x10' '2 5 5 TIME 1 u u: 0x10'
			awk 'BEGIN { while (++i < 9000) print "comm 5 5 a", i }'
			printf '%s\n' round round round
			echo "event e$i 1 $i identifier,ip,tid,time,period,chain,all $i"
		done
		many 100 '3 5 5 TIME 1 u u: 0x10' '4 5 5 TIME 1 u u: 0x10'
	} | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs --event-filter=no perf.data \
			2>&1 | diff - <(echo 'stackcollapse-perf: no sample is of the event' \
			'no; of other events there are 300: e1, e3, e2, e4')
	done
}

@test "all threads fold as the options say" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 1'
		echo 'kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text'
		echo 'map 5 5 0x1000 0x1000 0 /x/a 1'
		many 24000 '1 5 5 TIME 1 u u: 0x1010' \
			'1 5 5 TIME 1 k k: 0xffffffff81000110'
	} | "$UNIT" perfdata > perf.data
	echo 'ffffffff81000100 T read' > names
	for jobs in 1 2 3 4; do
		stackcollapse-perf --jobs=$jobs --kernel --addrs \
			--kallsyms=names perf.data 2> err | diff - <(cat <<-'END'
		:5;[a <10>] 12000
		:5;read_[k] 12000
		END
		)
	done
}

# pause TIME: so much happens in another process that a window ends; what was
# sampled before may be folded, by another thread, while the next one is read.
pause() {
	awk -v time="$1" 'BEGIN {
		for (i = 0; i < 9000; i++)
			print "comm 9 9 b", time
		print "round\nround\nround"
	}'
}

@test "what a thread has met in a window counts once, however little it is" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 1'
		echo 'event page-faults 1 2 ip,tid,time,id,period,chain,all 2'
		echo 'sample 1 5 5 1 1 u u: 0x10'
		printf '%s\n' round round round
		echo 'sample 1 5 5 10 1 u u: 0x10'
		echo 'sample 1 5 5 11 1 g u: 0x10'
		echo 'sample 1 4194305 5 12 1 u u: 0x10'
	} > lines
	{
		cat lines
		pause 20
		pause 30
		pause 40
	} | "$UNIT" perfdata > perf.data
	{ echo unfinished; sed '$d' lines; } | "$UNIT" perfdata |
		wc -c > offset
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs perf.data 2> err |
			diff - <(echo ':5;[unknown] 2')
		diff err - <<-END
		stackcollapse-perf: perf.data: samples of virtual machines, which are left out: 1
		stackcollapse-perf: perf.data: records that make no sense and are left out: 1, the first at byte $(cat offset)
		END
	done
}

@test "all threads know what machine stacks are to be unwound for" {
	# twenty, of which the ninth is the ip
	{
		head -c 64 /dev/zero
		printf '\020\020\0\0\0\0\0\0'
		head -c 88 /dev/zero
	} > registers
	head -c 64 /dev/zero > stack
	user='u: @0x1010 registers:registers stack:stack'
	{
		echo 'event c 0 0 ip,tid,time,period,chain,registers,stack,all'
		echo 'map 5 5 0x1000 0x1000 0 /x/a 1'
		echo "sample 1 5 5 2 1 u $user"
		pause 20
		many 2000 "1 5 5 TIME 1 u $user"
	} | "$UNIT" perfdata > perf.data
	for jobs in 1 2 3 4; do
		stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
			diff - <(echo ':5;[a] 2001')
	done
}

# others COUNT [TIME]: COUNT records of another process; 700 fill a window.
others() {
	awk -v count="$1" -v time="$2" 'BEGIN {
		while (count-- > 0)
			print "comm 9 9 c", time
	}'
}

@test "samples of the time up to which a round is complete count once" {
	{
		echo 'comm 10 10 a 1'
		others 9000 2
		printf '%s\n' 'sample 7 10 10 10 1 u 0x10' round \
			'sample 7 10 10 10 1 u 0x10' \
			'sample 7 10 10 11 1 u 0x10' round \
			'comm 10 10 b 5' 'sample 7 10 10 20 1 u 0x10'
	} | happens | diff - <(printf '%s\n' 'b;[unknown] 4')
}

@test "a sample that comes late waits for what comes later still" {
	{
		printf '%s\n' 'comm 10 10 a 1' 'sample 7 10 10 10 1 u 0x10' \
			round 'sample 7 10 10 11 1 u 0x10' round \
			'sample 7 10 10 5 1 u 0x10'
		others 9000
		echo 'comm 10 10 b 4'
	} | happens | diff - <(printf '%s\n' 'b;[unknown] 3')
}

@test "a sample may wait longer than all that is beside it in the file" {
	{
		others 9000 2
		printf '%s\n' 'sample 7 10 10 10 1 u 0x10' round \
			'sample 7 10 10 10 1 u 0x10' \
			'sample 7 10 10 1000 1 u 0x10' round
		others 120000
	} | happens | diff - <(echo ':10;[unknown] 3')
}

# The older half waits no longer where 192 blocks of 256 KB wait, and some more,
# or as many slices as need that memory.
@test "of too much that waits, what may be folded is, and the rest goes on" {
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
	}' | "$UNIT" perfdata > perf.data
	for jobs in 1 2; do
		stackcollapse-perf --jobs=$jobs - < perf.data 2> /dev/null |
			diff - <(printf '%s\n' 'a;[unknown] 300' \
				'b;[unknown] 600')
	done
}

@test "of too many slices that wait, the newer half still finds its order" {
	awk 'BEGIN {
		print "event cycles 0 0 tid,time,period,all"
		print "comm 10 10 a 1"
		for (i = 0; i < 110000; i++)
			printf "sample 7 10 10 %d 1 u\nrecord 79 0 \n",
			    i < 60000 ? i + 50000 : i - 59990
		print "comm 10 10 b 80000"
	}' | "$UNIT" perfdata > perf.data
	timeout 20 stackcollapse-perf --jobs=2 perf.data |
		diff - <(printf '%s\n' 'a;[unknown] 80001' 'b;[unknown] 29999')
}

@test "threads are known in any window" {
	awk 'BEGIN {
		print "event cycles 0 0 ip,tid,time,id,period,chain,all 7"
		for (i = 0; i < 3; i++) {
			print "sample 7 10 10", ++time, "1 u 0x10"
			print "sample 7 74 74", ++time, "1 u 0x10"
			for (j = 0; j < 9000; j++)
				print "comm 5 5 a", ++time
			print "round"
		}
	}' | "$UNIT" perfdata > perf.data
	for jobs in 1 3; do
		stackcollapse-perf --jobs=$jobs perf.data 2> /dev/null |
			diff - <(printf '%s\n' ':10;[unknown] 3' ':74;[unknown] 3')
	done
}
