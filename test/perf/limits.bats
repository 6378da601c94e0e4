load ../helper
load recording

# Recordings that would need much: memory and time have limits, each with a
# message, and what came before counts.

# bounded KB ARG...: puts into "out" what the program prints in so much memory.
bounded() {
	(
		ulimit -v "$1" || exit
		"${program-stackcollapse-perf}" "$DATA/demo.perf" \
			> /dev/null 2>&1 || exit 77	# a sanitizer needs more
		"${program-stackcollapse-perf}" "${@:2}" 2> err
	) > out || [ $? -ne 77 ] || skip 'a sanitizer needs more memory'
}

# soon EXPECTED ARG...: the recording folds to this in 4 seconds of CPU time.
soon() {
	(ulimit -t 4; stackcollapse-perf "${@:2}" - < perf.data \
		2> err || [ $? -eq 1 ]) | is_line "$1"
}

@test "numbers that no process has make no sense" {
	before="$EVENT
	comm 4194304 4194304 last
	sample 1 4194304 4194304 10 1 u u: 0x10"
	printf '%s\n' unfinished "$before" | record | wc -c > offset
	folds <<-END
	$before
	comm 4194305 4194305 a 20
	comm 5 4194305 a 20
	map 4194305 5 0x1000 0x1000 0 /x/a 20
	fork 4194305 5 5 5 20
	exit 5 4194305 5 5 20
	fork 5 5 -2 5 20
	sample 1 4194305 5 30 1 u u: 0x10
	sample 1 5 0x7fffffff 30 1 u u: 0x10
	sample 1 -1 -1 40 1 u u: 0x10
	$
	:-1;[unknown] 1
	last;[unknown] 1
	! perf.data: invalid records, left out: 8, the first at byte $(cat offset)
	END
}

# whole KB: how many of a recording's samples count where processes, maps and
# names may need so much memory; messages are in err.
whole() {
	unit whole "${1}000" perf.data 2> err
}

@test "processes, files and names have a limit, before which all counts" {
	needs_64_bits
	awk -v event="$EVENT" 'BEGIN {
		print event
		for (i = 1; i <= 8000; i++) {
			print "comm", i, i, "name" i, i * 10
			for (j = 1; j < 4; j++)
				print "map", i, i, j * 65536, "0x1000 0", \
				    "/x/" j, i * 10
			print "sample 1", i, i, i * 10 + 5, "1 u u: 0x10010"
		}
	}' > lines
	record < lines > perf.data
	whole 10000 | is_line 'samples: 8000'
	told err | diff /dev/null -
	whole 1200 > counted
	offset=$(sed -n 's/.*all from byte \([0-9]*\) on is left out: .* than 1 MB.*/\1/p' err)
	# each process has about the same number of bytes in the recording
	awk -v at="$offset" -v size="$(wc -c < perf.data)" '{
		all = 8000 * at / size
		exit $2 < 800 || $2 > 7000 || $2 < all - 400 || $2 > all + 400
	}' counted
	# what waits for the end of a round does not count either
	awk '{ print } /^sample/ && ++count % 2000 == 0 { print "round" }' \
		lines | record > perf.data
	whole 1200 | diff - counted
}

@test "maps shared by forked processes take memory once, and are freed" {
	awk -v event="$EVENT" 'BEGIN {
		print event
		for (i = 1; i <= 500; i++)
			print "map 5 5", i * 4096, "0x1000 0 /x/a 1"
		for (i = 6; i <= 6000; i++) {
			print "fork", i, i, "5 5", i * 10
			print "sample 1", i, i, i * 10 + 1, "1 u u: 0x1010"
			print "exit", i, i, "5 5", i * 10 + 2
		}
	}' | record > perf.data
	whole 3500 | is_line 'samples: 5995'
	told err | diff /dev/null -
}

# bomb COUNT: blocks of zstd (RFC 8878, 3.1.1.2) that are a byte, 0x40, 131,072
# times: so each 16,448 bytes are a record of a kind that nobody knows.
bomb() {
	echo "record 81 0 28b52ffd0058$(yes 02001040 | head -n "$1" | tr -d '\n')"
}

@test "compressed records that expand too much end there, and the others count" {
	command -v zstd > /dev/null || skip 'install zstd'
	{
		printf '%s\n' "$EVENT" 'sample 1 5 5 10 1 u u: 0x10'
		bomb 1000
		echo 'sample 1 5 5 20 1 u u: 0x10'
	} | record > perf.data
	bounded 300000 perf.data
	is_line ':5;[unknown] 2' < out
	grep -q 'perf.data: the compressed data before byte [0-9]* expands more than 10000 times' err
	# 4 MB from 128 bytes are fine
	{
		printf '%s\n' "$EVENT" 'sample 1 5 5 10 1 u u: 0x10'
		bomb 32
	} | record > perf.data
	stackcollapse-perf perf.data 2> err | is_line ':5;[unknown] 1'
	told err | diff /dev/null -
}

# The zstd here reads when the file is cut off, and nothing fits into its pipe.
@test "a recording that is cut off while it is read ends there, with a message" {
	mkdir bin
	printf '%s\n' '#!/bin/sh' 'truncate -s 5000 perf.data' \
		'cat > /dev/null' > bin/zstd
	chmod +x bin/zstd
	{
		printf '%s\n' "$EVENT" 'sample 1 5 5 10 1 u u: 0x10'
		for _ in 1 2 3 4; do
			printf 'record 81 0 %0120000d\n' 0
		done
		seq 12000 | sed 's/.*/sample 1 5 5 & 1 u u: 0x10/'
	} | record > perf.data
	PATH=$PWD/bin:$PATH fails 1 stackcollapse-perf perf.data 2> err > out
	awk '{ exit $NF < 1 || $NF > 6000 }' out
	grep -q 'perf.data is cut off; bytes that are missing at its end: ' err
}

@test "times in reverse, rounds that never end, and times beyond all end" {
	awk -v event="$EVENT" 'BEGIN { print event
	for (i = 5000; i > 0; i--)
		print "sample 1 5 5", i, "1 u u: 0x10"
	print "sample 1 5 5 0xfffffffffffffffe 1 u u: 0x10"
	for (i = 1; i <= 3000; i++)
		print "sample 1 5 5", i, "1 u u: 0x10\nround"
	}' | record > perf.data
	stackcollapse-perf perf.data | is_line ':5;[unknown] 8001'
}

# Without that, each path of the file would need the memory of its names.
@test "a file of any number of names is read once" {
	needs_64_bits
	awk 'BEGIN { for (i = 0; i < 10000; i++)
		print ".globl f" i "\nf" i ": ret\nret" }' > many.s
	mkdir root
	gcc -shared -nostdlib -Wl,--build-id=none -o root/many.so -x assembler \
		many.s
	at=$(objdump -h root/many.so | awk '$2 == ".text" { print "0x" $6 }')
	{
		echo "$EVENT"
		for i in {1..300}; do
			slashes+=/
			echo "map 5 5 $((i << 24)) 0xf00000 0 $slashes/many.so"
			echo "sample 1 5 5 $i 1 u u: $(((i << 24) + at + 3))"
		done
	} | record > perf.data
	bounded 100000 --symfs=root perf.data
	is_line ':5;f1 300' < out
}

@test "records and fields of newer versions are skipped" {
	for kind in 23 30 63 84 99 200 4294967295; do
		echo "record $kind 0 ffffffffffffffff"
		echo "sample 1 5 5 $((kind % 100 + 1)) 1 u u: 0x10"
	done > lines
	# the usual event, and one with fields after those of a sample
	for newer in "$EVENT" "${EVENT/all/all,newer}"; do
		echo "$newer"
		cat lines
		printf '%s\n' '$' ':5;[unknown] 7' ''
	done > cases
	sed '$d' cases | folds
}

@test "throttling and notices of the kernel are not losses" {
	zeros=00000000000000
	numbers="05$zeros 0b$zeros"
	for kind in 5 6 11 12 14 15 16 18 19 20 21; do
		# throttled, and no longer; a switch; a trace, of nothing
		echo "record $kind 0 01$zeros${zeros}00${zeros}00${numbers/ /}01$zeros"
	done > lines
	# what it lost, of records and of samples, is one number
	folds <<-END
	sample 1 5 5 10 1 u u: 0x10
	$(cat lines)
	sample 1 5 5 20 1 u u: 0x10
	$
	:5;[unknown] 2

	lost 17
	record 13 0 03$zeros${numbers/ /}
	sample 1 5 5 10 1 u u: 0x10
	$
	:5;[unknown] 1
	! perf.data: records that were lost while it was recorded: 20
	END
}

@test "maps of one flush need little memory, however often they change" {
	awk -v event="$EVENT" 'BEGIN {
		print event
		print "comm 5 5 a"
		for (i = 1; i <= 20000; i++) {
			at = 4096 * (1 + i * 7919 % 1048573)
			printf "map 5 5 %d 4096 0 /x %d\n", at, 2 * i
			printf "sample 1 5 5 %d 1 u u: %d\n", 2 * i + 1, at + 8
		}
	}' | record > perf.data
	bounded 60000 perf.data
	is_line 'a;[x] 20000' < out
}

@test "names that change, and processes that end, need little memory" {
	program=$SMALL/stackcollapse-perf
	awk 'BEGIN {
		print "pipe\nevent cycles 0 0 ip,tid,time,id,period,chain,all 1,2"
		for (i = 1; i <= 300000; i++) {
			print "comm 5 5 a", i
			if (i % 5 == 0) {
				pid = i / 5 + 9
				print "fork", pid, pid, 5, 5, i
				print "map", pid, pid, "0x1000 0x1000 0 /x", i
				print "exit", pid, pid, 5, 5, i
			}
			if (i % 400 == 0)
				print "round"
		}
		print "sample 1 5 5", i, "1 u u: 0x10"
	}' | record > perf.data
	bounded 36000 perf.data
	is_line 'a;[unknown] 1' < out
}

@test "where much waits, samples after it take no longer than others" {
	awk 'BEGIN {
		print "pipe\nevent cycles 0 0 tid,time,all 7"
		for (i = 0; i < 570000; i++)
			printf "comm 10 10 a %d\n", 2^30 * 2 - 1 - i
		for (i = 1; i <= 4000; i++)
			print "sample 7 10 10", i, "1 u"
	}' | record > perf.data
	soon ':10;[unknown] 4000000'
}

# The samples are of a virtual machine, of no event that is known, with a time or
# none, and of all tracepoints in turn, of which the last one has chains.
@test "samples of one of many events take no longer than of one of few" {
	awk 'function little(number, size,  text) {
		for (; size > 0; size--) {
			text = text sprintf("%02x", number % 256)
			number = int(number / 256)
		}
		return text
	}
	BEGIN {
		print "pipe\nevent cycles 0 0 tid,time,id,all 1"
		for (i = 2; i <= 20000; i++)
			print "record 64 0", little(2, 4) little(64, 4) \
			    little(0, 8) little(1, 8) \
			    little(i < 20000 ? 70 : 102, 8) little(0, 8) \
			    little(2^18, 8) little(0, 16) little(i, 8)
		for (i = 0; i < 100000; i++) {
			id = 2 + i % 19998
			print "sample", id, "10 10 1 1", i % 2 ? "u" : "g"
			print "sample 20001 10 10", i % 2, "1 u"
		}
		print "sample 1 10 10 2 1 u"
	}' | record > perf.data
	soon ':10;[unknown] 50000' --event-filter='unknown tracepoint'
	told err | sed 's/, the first.*//' | is 4<<-'END'
	! standard input: samples of virtual machines, left out: 50000
	! standard input: invalid records, left out: 100000
	END
}

@test "samples of events with long names take no longer than of others" {
	awk 'BEGIN {
		for (name = "."; length(name) < 4e6; name = name name)
			continue
		fields = "0 0 tid,time,id,all"
		print "event a" name, fields, 1
		print "event a" name, fields, 2
		print "event b" name, fields, 3
		for (i = 1; i <= 30000; i++)
			print "sample", 1 + i % 3, 10, 10, i, "1 u"
	}' | record > perf.data
	soon ':10;[unknown] 20000000'
}
