load ../helper
load ../unit

# Modules that are pure functions are tested by drivers, programs of a few lines
# in unit/, built with CC and the CFLAGS of make.

# NAME.rows, or NAME-ARGUMENT.rows, has lines "INPUT => OUTPUT" of a driver.
@test "modules return what the rows of their drivers say" {
	for rows in "$TOP"/test/unit/*.rows; do
		driver=$(basename "$rows" .rows)
		echo "$rows"
		gives ${driver/-/ } < "$rows"
	done
}

@test "what fuzzers require holds of their seeds" {
	for target in dwarf elf jitdump split unwind; do
		unit seeds $target "$TOP/test/fuzz/seeds/$target"/*
	done
}

@test "child: a program reads a file, nothing or a pipe, and is read" {
	printf 'a\nb\n' > in
	unit child file cat < in | diff - <(printf 'a\nb\n(well)\n')
	unit child nothing cat < in | is_line '(well)'
	unit child exchange cat < in | diff - <(printf 'a\nb\n(well)\n')
	unit child exchange sh -c 'cat; exit 3' < in |
		diff - <(printf 'a\nb\n(not well)\n')
	unit child nothing printf %s '$(touch x); `touch x`' |
		is_line '$(touch x); `touch x`(well)'
	fails 1 unit child nothing ./no-such-program |
		is_line 'No such file or directory'
	unit child nothing sh -c 'echo complains >&2; kill -9 $$' 2>&1 |
		is_line '(not well)'
}

@test "child: more than pipes hold goes in while it comes out, whoever ends first" {
	seq 20000 | sed 's/$/ 0123456789/' > in
	cp in same
	{ cat in; echo '(well)'; } > expected
	unit child exchange cat < in | diff - expected
	# it reads all before it says anything, or says much and reads nothing
	unit child exchange sort -s -n < in | diff - expected
	unit child exchange cat same < in | diff - expected
	unit child exchange sed 2q < in |
		are_lines '1 0123456789' '2 0123456789' '(well)'
	# one that is gone or silent ends nobody else
	unit child gone sh -c 'exec <&-; echo gone' | are_lines gone '(well)'
	# its input stays open, and so does it
	unit child ask cat |
		diff - <(printf 'line\nsaid nothing\n(not well)\n')
	# it gets no more of a file that was cut off
	head -c 300000 /dev/zero | tr '\0' x > in
	unit child cut cat <> in > out
	{ head -c "$(getconf PAGESIZE)" in; echo '(well)'; } | diff - out
}

@test "child: no end of its pipes but its own is open in it" {
	[ -d /proc/self/fd ] || skip 'no /proc'
	sh -c 'ls /proc/self/fd | wc -l' > expected
	echo '(well)' >> expected
	unit child exchange sh -c 'ls /proc/self/fd | wc -l' < /dev/null > out
	diff out expected
}

@test "mapping: zeros replace the truncated part of a file, other faults end the program" {
	page=$(getconf PAGESIZE)
	head -c $((page * 4)) /dev/zero | tr '\0' x > whole
	# what is left of a page is zeros, too
	for left in 0 "$page" $((page + 1)); do
		cp whole file
		unit mapping file "$left" | are_lines "$left" 'cut: file'
	done
	for left in $((page * 4)) $((page * 9)); do
		cp whole file
		unit mapping file "$left" | is_line $((page * 4))
	done
	head -c 10000 whole > file
	unit mapping file 10000 | is_line 10000
	# a signal that is not about a mapping ends the program
	head -c 100000 /dev/zero > file
	ASAN_OPTIONS=handle_sigbus=0:$ASAN_OPTIONS \
		fails $((128 + $(kill -l BUS))) unit mapping other file
}

@test "sort: keys are sorted as bytes, numbers by size, and equal ones keep their order" {
	awk 'BEGIN {
		srand(1)
		for (; i < 5000; i++) {
			key = substr("aaaaaaaaaaaaaaaaaaaaaaaa", 1, rand() * 24)
			for (n = int(rand() * 4); n > 0; n--)
				key = key sprintf("%c", 98 + int(rand() * 3))
			print key
		}
	}' > random
	{ sort random; sort -r random; seq 999; sort random; } > runs
	seq 2000 | tr 0-9 '\200-\211' > high
	seq 2000 | sed 's/.*/same/' > same
	cat runs high >> same
	for file in same /dev/null; do
		awk '{ print $0 "\t" NR }' "$file" |
			sort -s -t "$(printf '\t')" -k 1,1 > sorted
		unit sort < "$file" | diff - sorted
	done
	# elements come in the order of their numbers, equal ones in their own
	awk 'BEGIN {
		srand(2)
		for (; i < 2000; i++)
			printf "%x%08x\n", rand() * 4096, rand() * 4
	}' | sed 's/^0*\(.\)/\1/' > few
	awk 'BEGIN {
		srand(3)
		for (; i < 2000; i++)
			printf "%x%07x\n", 2 ^ 28 + rand() * 2 ^ 31, rand() * 2 ^ 28
	}' > many
	{ echo ffffffffffffffff; echo 0; cat many; sort many; echo 8000000000000000; } > all
	for file in few all /dev/null; do
		awk '{ printf "%16s\t%d\n", $0, NR }' "$file" | tr ' ' 0 |
			LC_ALL=C sort -s -k 1,1 | sed 's/^0*\([0-9a-f]\)/\1/' > expected
		unit sort numbers < "$file" | diff - expected
	done
}

@test "rows: one is remembered until another one takes its place" {
	gives rows <<-'END'
	4096 1 => new
	4096 1 => 1
	4096 2 => new
	4097 1 => new
	4096 2 => 3
	0 1 => new
	0 1 => 6
	END
	# more than there are places for
	awk 'BEGIN {
		for (i = 0; i < 60000; i++) {
			pair = i * 16 % 300000 " " 1 + i % 3
			print pair
			print pair
		}
	}' > asked
	unit rows < asked > known
	paste asked known | awk '
	$3 == "new" { made[NR] = $1 " " $2; again += NR % 2 == 0; next }
	{ known++; other += made[$3] != $1 " " $2 }
	END { exit known < 60000 || again > 0 || other > 0 }'
}

@test "expr: 64 numbers fit on the stack, and a thousand operations are run" {
	# 64 numbers fit, as first one 100; a thousand operations are run
	{
		printf '31 %.0s' {1..63}; echo
		printf '31 %.0s' {1..64}; echo
		printf '96 %.0s' {1..1000}; echo
		printf '96 %.0s' {1..1001}; echo
	} | unit expr | are_lines 1 none 100 none
}

# zlib says of each stream if it is right.
@test "inflate: blocks of all kinds in a row, and codes that no stream may have" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 "$TOP/test/unit/inflate.py" > lines
	[ "$(sed 's/.*=> *//' lines | grep -c -v damaged)" -eq 9 ]
	gives inflate < lines
}

@test "gzip: members, trailing bytes, and damage" {
	local abc='4b 4c 4a 06 00 c2 41 24 35 03 00 00 00'
	local head='1f 8b 08 00 00 00 00 00 00 03'
	local sum='(it is damaged: its checksum does not match)'
	local short='(its compressed data is cut short)' whole="$head $abc"
	for size in 1 4096; do
		gives gzip <<-END
		# members with and without the parts that a header may have
		$size: $head $abc => abc
		$size: 1f 8b 08 1e 00 00 00 00 00 03 02 00 78 79 61 62 00 63 00 3e 7e $abc => abc
		$size: 1f 8b 08 04 00 00 00 00 00 03 02 00 78 79 $abc => abc
		$size: 1f 8b 08 04 00 00 00 00 00 03 00 00 $abc => abc
		$size: 1f 8b 08 08 00 00 00 00 00 03 00 $abc => abc
		$size: $head $abc $head 4b 49 05 00 8b 29 90 7d 02 00 00 00 => abcde
		$size: $head 03 00 00 00 00 00 00 00 00 00 => 
		# bytes after the members are reported, unless they are zeros
		$size: $whole 00 00 00 => abc
		$size: $whole 78 0a => abc (garbage)
		$size: $whole 1f 78 => abc (garbage)
		$size: $whole 00 00 78 => abc (garbage)
		$size: $whole 00 $whole => abc (garbage)
		# what is damaged or cut off says so
		$size:  =>  $short
		$size: 1f =>  $short
		$size: 1f 8c =>  (it is not compressed by gzip)
		$size: 1f 8b 07 =>  (it is compressed by an unknown method)
		$size: 1f 8b 08 20 =>  (its header has unknown flags)
		$size: 1f 8b 08 02 00 00 00 00 00 03 01 00 =>  (its header is damaged)
		$size: $head 4b 4c 4a 06 00 01 00 00 00 03 00 00 00 => abc $sum
		$size: $head 4b 4c 4a 06 00 c2 41 24 35 04 00 00 00 => abc $sum
		$size: $head 4b 4c 4a 06 00 c2 41 24 35 03 00 00 => abc $short
		$size: $head 06 00 =>  (its compressed data is damaged)
		END
	done
}

@test "gzip: the output of gzip is unpacked, in pieces of any size" {
	# lines that repeat, numbers that hardly do, and bytes that never do
	awk 'BEGIN { while (n++ < 9000)
		print "a line, which is there again" }' > repeats
	awk 'BEGIN { srand(1)
		while (n++ < 20000) print int(rand() * 1e9) }' > numbers
	awk 'BEGIN { srand(2)
		while (n++ < 70000) printf "%c", 1 + rand() * 254 }' > noise
	cat repeats numbers noise > in
	gzip -9c in | unit gzip 1 | cmp - in
	gzip -1c in | unit gzip 1000000 | cmp - in
	gzip -c numbers > packed
	cat packed packed | unit gzip 1000 | cmp - <(cat numbers numbers)
	for len in 11 $(($(wc -c < packed) - 9)); do
		head -c "$len" packed | unit gzip 1 > out
		[[ "$(tail -c 40 out)" == *'(its compressed data is cut short)' ]]
	done
}

@test "call graphs: the stacks of programs that ran add up to what they spent" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 -S "$TOP/test/unit/callgraph.py" "$UNIT" | diff /dev/null -
}

@test "marshal: values are nested 199 deep at most" {
	for depth in 199 200; do
		printf '29 01 %.0s' $(seq $depth)
		echo 4e
	done | unit marshal | sed 's/^(*-)*$/read/' | diff - <(
		echo read
		echo 'byte 400 is in too many values')
}

@test "marshal: every version of Python's format is read" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 "$TOP/test/unit/marshal.py" > values
	gives marshal < values
}

@test "recordings: events without a name get perf's name" {
	while read -r type config name; do
		user=
		[[ $name != cycles* ]] || user=,user
		record > perf.data <<-END
		unfinished
		event - $type $config ip,tid,time,id,period,chain,all$user 1
		event other 1 0 ip,tid,time,id,period,chain,all 2
		sample 1 0 0 10 1 u u: 0x10
		sample 2 0 0 10 5 u u: 0x10
		END
		stackcollapse-perf --event-filter="$name" perf.data 2> err |
			is_line 'swapper;[unknown] 1'
	done <<-'END'
	0 0 cycles:uhH
	2 0x141 unknown tracepoint
	3 0 L1-dcache-loads
	3 0x10103 dTLB-store-misses
	4 0x1a8 raw 0x1a8
	5 0 mem:0x0:
	9 5 unknown attr type: 9
	END
}

@test "json: arrays within 4,096 others are too deep" {
	deep=$(printf '[%.0s' {1..4096})
	echo "$deep${deep//[/]}" | unit json 100 | is_line "$deep${deep//[/]}"
	echo "[$deep${deep//[/]}]" | unit json 100 |
		has 'its arrays and objects are too deep, at 4096)$'
	head -c 1000000 /dev/zero | tr '\0' '[' > in
	unit json 100 skip < in | has 'its arrays and objects are too deep, at 4096)$'
}

@test "json: it is read as Python reads it, with exact numbers, and skipped without an error" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 -S "$TOP/test/unit/randomjson.py"
	for size in 1 7 65536; do
		unit json $size < in | cmp - want
		unit json $size skip < in | diff - <(echo)
	done
}
