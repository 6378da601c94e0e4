load ../helper
load ../unit

# Recordings that are made to need much: memory and time have limits, each with
# a message, and what came before counts.  Recordings are made from lines by
# unit/perfdata.c, which tells how.

setup_file() {
	needs_drivers
	build whole "$TOP/test/unit/whole.c"
}

# record: makes a recording of the lines that it reads.
record() {
	"$UNIT" perfdata
}

event='event cycles 0 0 ip,tid,time,id,period,chain,all 1,2'

# in_memory KB COMMAND...: runs it in so much memory.
in_memory() {
	(
		ulimit -v "$1" || exit
		shift
		stackcollapse-perf "$DATA/demo.perf" > /dev/null 2>&1 ||
			exit 77	# a sanitizer needs more
		"$@"
	)
}

# bounded KB ARG...: what stackcollapse-perf prints in so much memory; its
# messages are in err.
bounded() {
	local limit=$1 status=0
	shift
	in_memory "$limit" stackcollapse-perf "$@" 2> err || status=$?
	[ $status -ne 77 ] || skip 'no such limit, or a sanitizer'
	return $status
}

@test "numbers that no process has make no sense" {
	before="$event
	comm 4194304 4194304 last
	sample 1 4194304 4194304 10 1 u u: 0x10"
	printf '%s\n' unfinished "$before" | record | wc -c > offset
	record > perf.data <<-END
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
	END
	stackcollapse-perf perf.data 2> err | diff - <(cat <<-'END'
	:-1;[unknown] 1
	last;[unknown] 1
	END
	)
	echo "stackcollapse-perf: perf.data: records that make no sense and" \
	    "are left out: 8, the first at byte $(cat offset)" | diff - err
}

# processes COUNT: processes that have maps of their own and a sample each.
processes() {
	echo "$event"
	awk -v count="$1" 'BEGIN { for (i = 1; i <= count; i++) {
		print "comm", i, i, "name" i, i * 10
		for (j = 1; j < 4; j++)
			print "map", i, i, j * 65536, "0x1000 0", "/x/" j,
			    i * 10
		print "sample 1", i, i, i * 10 + 5, "1 u u: 0x10010"
	} }'
}

@test "what tells of processes, files and names has a limit, before which all counts" {
	needs_64_bits
	processes 8000 | record > perf.data
	stackcollapse-perf perf.data 2> /dev/null | awk '{ sum += $NF }
		END { print "samples:", sum }' | diff - <(echo 'samples: 8000')
	"$BATS_FILE_TMPDIR/whole" 10000000 perf.data 2> err |
		diff - <(echo 'samples: 8000')
	grep 'of memory' err && return 1
	for limit in 1200000 2300000; do
		"$BATS_FILE_TMPDIR/whole" $limit perf.data > out 2> err
		grep "left out from byte [0-9]* on, as .* than $((limit >> 20)) MB" err
		sed 's/samples: //' out >> counts
		sed -n 's/.* byte \([0-9]*\) on.*/\1/p' err >> offsets
	done
	# more memory, more samples
	[ "$(head -1 counts)" -gt 800 ]
	[ "$(tail -1 counts)" -gt "$(head -1 counts)" ]
	[ "$(tail -1 counts)" -lt 8000 ]
	# each process has about the same number of bytes in the recording
	paste counts offsets | awk -v size="$(wc -c < perf.data)" '
		{ all = 8000 * $2 / size
		  if ($1 < all - 400 || $1 > all + 400) exit 1 }'
}

@test "what forks have in common takes memory once, and is given back" {
	{
		echo "$event"
		for i in $(seq 500); do
			echo "map 5 5 $((i * 4096)) 0x1000 0 /x/a 1"
		done
		for i in $(seq 6 6000); do
			echo "fork $i $i 5 5 $((i * 10))"
			echo "sample 1 $i $i $((i * 10 + 1)) 1 u u: 0x1010"
			echo "exit $i $i 5 5 $((i * 10 + 2))"
		done
	} | record > perf.data
	"$BATS_FILE_TMPDIR/whole" 3500000 perf.data 2> err |
		diff - <(echo 'samples: 5995')
	grep 'of memory' err && return 1
	return 0
}

# hex NUMBER SIZE: its bytes, the lowest first.
hex() {
	local number=$1 i
	for ((i = 0; i < $2; i++)); do
		printf '%02x' $((number >> 8 * i & 255))
	done
}

# Blocks of zstd (RFC 8878, 3.1.1.2) that are a byte, 0x40, 131,072 times: so
# each 16,448 bytes are a record of a kind that nobody knows.
bomb() {
	local blocks=$1 i size
	size=$((8 + 6 + 4 * blocks))
	echo "bytes $(hex 81 4)$(hex 0 2)$(hex "$size" 2)"
	echo 'bytes 28b52ffd0058'
	for ((i = 0; i < blocks; i++)); do
		echo 'bytes 02001040'
	done
}

@test "compressed records that become too large end, and what is around counts" {
	command -v zstd > /dev/null || skip 'no zstd'
	{
		echo "$event"
		echo 'sample 1 5 5 10 1 u u: 0x10'
		bomb 1000
		echo 'sample 1 5 5 20 1 u u: 0x10'
	} | record > perf.data
	bounded 300000 perf.data > out
	diff out <(echo ':5;[unknown] 2')
	grep -q 'perf.data: compressed data in front of byte [0-9]* become 10000 times larger' err
	# 4 MB from 128 bytes are fine
	{
		echo "$event"
		echo 'sample 1 5 5 10 1 u u: 0x10'
		bomb 32
	} | record > perf.data
	stackcollapse-perf perf.data 2> err | diff - <(echo ':5;[unknown] 1')
	grep 'larger' err && return 1
	return 0
}

@test "times in reverse, rounds that never end, and times beyond all end" {
	awk -v event="$event" 'BEGIN { print event
	for (i = 20000; i > 0; i--)
		print "sample 1 5 5", i, "1 u u: 0x10" }' | record > reverse
	{
		echo "$event"
		echo 'sample 1 5 5 0xfffffffffffffffe 1 u u: 0x10'
		for i in $(seq 3000); do
			echo "sample 1 5 5 $i 1 u u: 0x10"
			echo 'round'
		done
	} | record > far
	bounded 200000 reverse > out
	diff out <(echo ':5;[unknown] 20000')
	bounded 200000 far > out
	diff out <(echo ':5;[unknown] 3001')
}

# As many maps wait as may, none of which is after the one before it; then come
# samples that are older than all of them, each of which is one too many.
@test "a file of any number of names is read once" {
	command -v gcc > /dev/null || skip 'no gcc'
	needs_64_bits
	awk 'BEGIN { for (i = 0; i < 40000; i++)
		print ".globl f" i "\nf" i ": ret\nret" }' > many.s
	mkdir root
	gcc -shared -nostdlib -Wl,--build-id=none -o root/many.so -x assembler \
		many.s
	at=$(objdump -h root/many.so | awk '$2 == ".text" { print "0x" $6 }')
	slashes=
	{
		echo "$event"
		for i in $(seq 300); do
			slashes=$slashes/
			echo "map 5 5 $((i << 24)) 0xf00000 0 $slashes/many.so"
			echo "sample 1 5 5 $i 1 u u: $(((i << 24) + at + 3))"
		done
	} | record > perf.data
	bounded 100000 --symfs=root perf.data > out
	diff out <(echo ':5;f1 300')
}

# truncating PROGRAM: a zstd that cuts off perf.data before it reads.
truncating() {
	mkdir bin
	cat > bin/zstd <<-END
	#!/bin/sh
	truncate -s 5000 perf.data
	exec $(command -v zstd) "\$@"
	END
	chmod +x bin/zstd
}

@test "a recording that is cut off while it is read ends there, with a message" {
	command -v zstd > /dev/null || skip 'no zstd'
	{
		echo "$event"
		echo 'sample 1 5 5 10 1 u u: 0x10'
		# more than a pipe has room for: zstd has begun to read
		for _ in 1 2 3 4; do
			bomb 12000
		done
		for i in $(seq 12000); do
			echo "sample 1 5 5 $i 1 u u: 0x10"
		done
	} | record > perf.data
	truncating
	PATH=$PWD/bin:$PATH stackcollapse-perf perf.data 2> err > out
	awk '{ exit $NF < 1 || $NF > 6000 }' out
	grep -q 'perf.data is cut off; bytes that are missing at its end: ' err
}

@test "files that are no files, and links in a circle, have no functions" {
	mkdir -p root/x/folder
	mkfifo root/x/fifo
	ln -s loop root/x/loop
	ln -s /dev/zero root/x/zero
	ln -s /dev/stdin root/x/stdin
	{
		echo "$event"
		i=0
		for name in folder fifo loop zero stdin missing; do
			i=$((i + 1))
			echo "map 5 5 $((i << 24)) 0x1000 0 /x/$name"
			echo "sample 1 5 5 $i 1 u u: $(((i << 24) + 16))"
		done
	} | record > perf.data
	timeout 60 stackcollapse-perf --inline --symfs=root perf.data \
		2> /dev/null | diff - <(cat <<-'END'
	:5;[fifo] 1
	:5;[folder] 1
	:5;[loop] 1
	:5;[missing] 1
	:5;[stdin] 1
	:5;[zero] 1
	END
	)
}

@test "records and fields of newer versions are skipped" {
	for kind in 23 30 63 84 99 200 4294967295; do
		echo "record $kind 0 $(hex 0xffffffffffffffff 8)"
		echo "sample 1 5 5 $((kind % 100 + 1)) 1 u u: 0x10"
	done > newer
	{ echo "$event"; cat newer; } | record > perf.data
	stackcollapse-perf perf.data 2> err | diff - <(echo ':5;[unknown] 7')
	grep -v 'without a function' err && return 1
	# fields after those of a sample
	{ echo "${event/all/all,newer}"; cat newer; } | record > perf.data
	stackcollapse-perf perf.data 2> err | diff - <(echo ':5;[unknown] 7')
	fails 1 grep -v 'without a function' err
}

@test "pauses of the kernel, and what it says of itself, are no losses" {
	{
		echo "$event"
		echo 'sample 1 5 5 10 1 u u: 0x10'
		# throttled, and no longer; a switch; a trace, of nothing
		for kind in 5 6 11 12 14 15 16 18 19 20 21; do
			echo "record $kind 0 $(hex 1 24)$(hex 5 8)$(hex 11 8)$(hex 1 8)"
		done
		echo 'sample 1 5 5 20 1 u u: 0x10'
	} | record > perf.data
	stackcollapse-perf perf.data 2> err | diff - <(echo ':5;[unknown] 2')
	grep -v 'without a function' err && return 1
	# what it lost, of records and of samples, is one number
	{
		cat <<-END
		$event
		lost 17
		record 13 0 $(hex 3 8)$(hex 5 8)$(hex 11 8)$(hex 1 8)
		sample 1 5 5 10 1 u u: 0x10
		END
	} | record > perf.data
	stackcollapse-perf perf.data 2> err | diff - <(echo ':5;[unknown] 1')
	grep -x 'stackcollapse-perf: perf.data: records that were lost while it was recorded: 20' err
}

@test "a record that grows while it waits has no bytes after its file" {
	{
		echo unfinished
		echo 'event cycles 0 0 ip,tid,time,read,id,period,chain,all 7'
		for i in 1 2 3; do
			echo "sample 7 10 10 $i 1 u 7=$i 0x1010"
		done
		# its chain of 8000 addresses is not in the file
		printf %s 'record 9 2 ' 0000000000000000 0a0000000a000000 \
		    0900000000000000 0700000000000000 0100000000000000 \
		    0400000000000000 0700000000000000 401f000000000000
	} | record > perf.data
	"$BATS_FILE_TMPDIR/whole" 1000000 $(($(wc -c < perf.data) - 66)) \
	    perf.data 2> err | diff - <(echo 'samples: 3')
	has 'make no sense and are left out: 1,' err
}

@test "where memory gets short nothing counts from there on, nor what waits" {
	needs_64_bits
	processes 8000 | record > perf.data
	"$BATS_FILE_TMPDIR/whole" 1200000 perf.data > expected 2> /dev/null
	processes 8000 | awk '{ print } /^sample/ && ++count % 2000 == 0 {
		print "round"
	}' | record > perf.data
	"$BATS_FILE_TMPDIR/whole" 1200000 perf.data 2> /dev/null |
		diff - expected
}

# short COUNT LINE: COUNT samples, and a line after each.
short() {
	awk -v count="$1" -v line="$2" 'BEGIN {
		print "event cycles 0 0 tid,time,all 7"
		for (i = 1; i <= count; i++)
			printf "sample 7 10 10 %d 1 u\n%s\n", i, line
	}'
}

@test "samples between which rounds end, or others are, need little memory" {
	for line in round 'record 79 0 '; do
		short 250000 "$line" | record > perf.data
		bounded 200000 --jobs=1 perf.data > out
		diff out <(echo ':10;[unknown] 250000000')
	done
}

@test "maps of one flush need little memory, however often they change" {
	awk -v event="$event" 'BEGIN {
		print event
		print "comm 5 5 a"
		for (i = 1; i <= 120000; i++) {
			at = 4096 * (1 + i * 7919 % 1048573)
			printf "map 5 5 %d 4096 0 /x %d\n", at, 2 * i
			printf "sample 1 5 5 %d 1 u u: %d\n", 2 * i + 1, at + 8
		}
	}' | record > perf.data
	bounded 200000 --jobs=1 perf.data > out
	diff out <(echo 'a;[x] 120000')
}

@test "names that change in every round need little memory" {
	awk -v event="$event" 'BEGIN {
		print "pipe"
		print event
		for (i = 1; i <= 3e6; i++) {
			print "comm 5 5 a", i
			if (i % 4000 == 0)
				print "round"
		}
		print "sample 1 5 5", i, "1 u u: 0x10"
	}' | record > perf.data
	bounded 80000 --jobs=1 - < perf.data > out
	diff out <(echo 'a;[unknown] 1')
}

@test "processes that have ended need little memory" {
	awk -v event="$event" 'BEGIN {
		print "pipe"
		print event
		for (i = 1; i <= 400000; i++) {
			print "fork", i + 9, i + 9, 5, 5, i
			print "map", i + 9, i + 9, "0x1000 0x1000 0 /x", i
			print "exit", i + 9, i + 9, 5, 5, i
			if (i % 4000 == 0)
				print "round"
		}
		print "sample 1 5 5", i, "1 u u: 0x10"
	}' | record > perf.data
	bounded 120000 --jobs=1 - < perf.data > out
	diff out <(echo ':5;[unknown] 1')
}

@test "where much waits, samples after it take no longer than others" {
	awk 'BEGIN {
		print "pipe"
		print "event cycles 0 0 tid,time,all 7"
		for (i = 0; i < 1271200; i++)
			printf "comm 10 10 a %d\n", 2^30 * 2 - 1 - i
		for (i = 1; i <= 4000; i++)
			print "sample 7 10 10", i, "1 u"
	}' | record > perf.data
	timeout 20 stackcollapse-perf --jobs=1 - < perf.data |
		diff - <(echo ':10;[unknown] 4000000')
}

# events TYPE LINE: many events of that type, none of which has a name but the
# first, and many times the line, with a %d for the number of one of them.
events() {
	awk -v type="$1" -v line="$2" '
	function hex(number, size,  text) {
		for (; size > 0; size--) {
			text = text sprintf("%02x", number % 256)
			number = int(number / 256)
		}
		return text
	}
	BEGIN {
		many = 20000
		print "pipe"
		print "event cycles 0 0 tid,time,id,all 1"
		for (i = 2; i <= many; i++)
			print "record 64 0", hex(type, 4) hex(64, 4) \
			    hex(0, 8) hex(1, 8) hex(i < many ? 70 : 102, 8) \
			    hex(0, 8) hex(2^18, 8) hex(0, 16) hex(i, 8)
		for (i = 0; i < 10 * many; i++)
			printf line "\n", 2 + i % (many - 2)
		print "sample 1 10 10 2 1 u"
	}' | record > perf.data
}

# folded ARG...: what stackcollapse-perf prints of those, soon.
folded() {
	(ulimit -t 4; stackcollapse-perf --jobs=1 "$@" - < perf.data 2> err)
}

@test "samples of one of many events take no longer than of one of few" {
	# of a virtual machine, of no event that is known, without a time
	events 0 'sample 2 10 10 1 1 g'
	folded | diff - <(echo ':10;[unknown] 1000')
	grep 'virtual machines, which are left out: 200000' err
	for time in 0 1; do
		events 0 "sample 20001 10 10 $time 1 u"
		folded | diff - <(echo ':10;[unknown] 1000')
		grep 'make no sense and are left out: 200000,' err
	done
	# of all tracepoints in turn, of which the last one has chains
	events 2 'sample %d 10 10 1 1 u'
	folded --event-filter='unknown tracepoint' |
		diff - <(echo ':10;[unknown] 200000')
}

@test "samples of events with long names take no longer than of others" {
	awk 'BEGIN {
		for (name = "."; length(name) < 4e6; name = name name)
			continue
		fields = "0 0 tid,time,id,all"
		print "event a" name, fields, 1
		print "event a" name, fields, 2
		print "event b" name, fields, 3
		for (i = 1; i <= 90000; i++)
			print "sample", 1 + i % 3, 10, 10, i, "1 u"
	}' | record > perf.data
	folded | diff - <(echo ':10;[unknown] 60000000')
}
