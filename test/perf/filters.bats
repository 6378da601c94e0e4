load ../helper
load ../unit

# --time, --comms, --pids, --tids and --cpus, as perf script takes them.
# Recordings are made from lines by unit/perfdata.c, which tells how; what is
# expected of them is counted by hand, or, of those that are kept, what perf
# script 6.1 and 7.2 printed with the same option.

# Six samples, whose periods tell them apart, from the second 1 to the second 2.
# A thread is called sh, and then ls.  "$1" may be a line to begin with, and $2
# the fields of samples.
six() {
	cat <<-END
	${1-}
	event cycles 0 0 ${2-ip,tid,time,id,cpu,period,chain,all} 1,2
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	sample 1 10 10 1000000000 1 u u: 0x1010 #0
	sample 2 10 10 1100000000 2 u u: 0x1020 #1
	fork 10 11 10 10 1150000000
	sample 1 10 11 1200000000 4 u u: 0x1030 #0
	comm 10 11 ls 1300000000
	sample 2 10 11 1400000000 8 u u: 0x1040 #2
	fork 12 12 10 10 1500000000
	sample 1 12 12 1600000000 16 u u: 0x1050 #8
	round
	sample 2 12 12 2000000000 32 u u: 0x1060 #1
	round
	END
}

# The same as text.
six_text() {
	sed 's/^|/\t            /' <<-END
	sh      10/10    [000]     1.000000:          1 cycles: 
	|1010 a (/x/bin/sh)

	sh      10/10    [001]     1.100000:          2 cycles: 
	|1020 b (/x/bin/sh)
	|1028 main (/x/bin/sh)

	sh      10/11    [000]     1.200000:          4 cycles: 
	|1030 c (/x/bin/sh)

	ls      10/11    [002]     1.400000:          8 cycles: 
	|1040 d (/x/bin/sh)
	|1028 main (/x/bin/sh)

	sh      12/12    [008]     1.600000:         16 cycles: 
	|1050 e (/x/bin/sh)

	sh      12/12    [001]     2.000000:         32 cycles: 
	|1060 f (/x/bin/sh)

	END
}

# sum COMMAND...: the sum of the counts that it prints.
sum() {
	"$@" | awk '{ sum += $NF } END { print sum + 0 }'
}

# selects FILE < TABLE: whether options select samples with these sums.
selects() {
	local words expected options
	while IFS='|' read -r words expected; do
		eval "options=($words)"	# quoted as in a command
		stackcollapse-perf "${options[@]}" "$1"
		echo "=$words|$expected"
	done | awk -F '|' '
		!/^=/ { sub(/.* /, ""); sum += $0; next }
		sum != $2 { print $0 ": " sum; wrong = 1 }
		{ sum = 0; rows++ }
		END { exit wrong || rows == 0 }'
}

@test "samples of a recording are selected as perf script does" {
	echo ls > list
	six 'times 1000000000 2000000000' | record > perf.data
	selects perf.data <<-'END'
	--time=1.1,1.4|14
	--time=1.100000001,1.4|12
	--time=1.1,1.399999999|6
	--time=,1.2|7
	--time=.5,1.1|3
	--time=0,0|63
	"--time=,1 1.2,1.4 1.6,"|61
	"--time=1.0,1.0 1.2, 1.4"|13
	--time=50%|15
	--time=0%-10%,60%-100%|49
	--time=40%-100%,30%-50%|56
	--time=100%|63
	--comms=ls|8
	--comms=file://list|8
	--pids=12,99|48
	--tids=10,12|51
	--cpus=0,2-8|29
	--pids=10 --tids=11 --cpus=0|4
	--comms=sh --time=1.2,|52
	END
	# whose header lacks the times, which comes from a pipe, or is compressed
	six | record > perf.data
	selects perf.data <<< '--time=0%-10%,60%-100%|49'
	six pipe | record > piped
	selects piped <<< '--time=1.1,1.4 --comms=sh|6'
	command -v zstd > /dev/null || skip 'install zstd'
	six | awk '/^comm 10 10/ { print "compressed" } 1' | record > packed
	selects packed <<< '--time=1.1,1.4 --cpus=1|2'
}

@test "samples of text are selected like samples of a recording" {
	echo ls > list
	six_text > text
	# fields that perf may print in between
	six_text | sed 's/]  /] U/' > flags
	for file in text flags; do
		selects $file <<-'END'
		--time=1.1,1.4|14
		--time=,1.2|7
		--time=1.6,|48
		--time=0%-10%,60%-100%|49
		--comms=file://list|8
		--pids=10 --tids=11 --cpus=0|4
		END
	done
}

@test "options that choose nothing are refused, with the reason" {
	while IFS='|' read -r option reason; do
		fails 2 stackcollapse-perf "$option" /dev/null 2> err
		case $reason in
		overlap)
			reason='has ranges that overlap or are not in order' ;;
		'no range')
			reason='is neither a range of seconds, such as 12.5,13,'
			reason+=' nor one of per cent, such as 10%/2 or 10%-20%' ;;
		esac
		read -r said < err
		[ "$said" = "stackcollapse-perf: option ${option%%=*}: \"${option#*=}\" $reason" ]
	done <<-'END'
	--time=5,3|has a range that ends before it begins
	--time=1,2 2,3|overlap
	--time=1.1234567891,2|no range
	--time=99999999999999999999,|no range
	--time=10%,20%|no range
	--time=10%/0|no range
	--time=5|no range
	--time=1x,2|no range
	--time=1,2x|no range
	--time=%|no range
	--time=10%-|no range
	--time=10%-20|no range
	--time=10%-20%x|no range
	--time=30%/4|has parts beyond 100 %
	--time=90%-110%|has parts beyond 100 %
	--cpus=3-1|is not a list of processors, such as 0-3,7
	--cpus=x|is not a list of processors, such as 0-3,7
	--cpus=3-x|is not a list of processors, such as 0-3,7
	--cpus=3,|is not a list of processors, such as 0-3,7
	--cpus=99999|is not a list of processors, such as 0-3,7
	--pids=1,x|is not a list of numbers, such as 41,42
	--comms=file://missing|No such file or directory
	END
}

@test "a recording without the selected field is refused" {
	six '' ip,tid,time,id,period,chain,all | record > perf.data
	fails 1 stackcollapse-perf --cpus=0 perf.data 2> err | diff /dev/null -
	echo 'stackcollapse-perf: perf.data: recorded without processor' \
		'numbers, which --cpus needs; use perf record --sample-cpu' |
		diff - err
	six '' ip,tid,id,period,chain | record > perf.data
	fails 1 stackcollapse-perf --time=10% perf.data 2> err
	has 'recorded without times, which --time needs' err
	six '' ip,time,id,period,chain,all | record > perf.data
	fails 1 stackcollapse-perf --comms=sh perf.data 2> err
	has 'recorded without process and thread IDs' err
	six pipe | record > piped
	fails 1 stackcollapse-perf --time=10% piped 2> err
	has 'with percentages needs a file' err
}

# lacks_field PATTERN OPTION FIELD: of text whose PATTERN is gone.
lacks_field() {
	six_text | sed -E "s@$1@@" > text
	fails 1 stackcollapse-perf "$2" text 2> err | diff /dev/null -
	has -- "^stackcollapse-perf: ${2%%=*}: .* -F $3: 6\$" err
	fails 1 has 'no sample was found' err
}

@test "text without the selected field is left out, and reported" {
	lacks_field '\[...\] ' --cpus=0 +cpu
	lacks_field '[0-9]+[.][0-9]+:' --time=1,2 +time
	lacks_field '/1[0-2]' --pids=10 +pid
	six_text | sed -E "s@/1[0-2]@@" > text
	[ "$(sum stackcollapse-perf --tids=10 text)" = 15 ]
	# perf script -F ip,sym
	six_text | sed 's/^[a-z].*//' > text
	fails 1 stackcollapse-perf --comms=sh text 2> err
	has '^stackcollapse-perf: --comms: .* -F +comm: [0-9]*$' err
	six_text > text
	cat text | fails 1 stackcollapse-perf --time=10% 2> err
	has 'with percentages needs a file, not a pipe' err
}

@test "if nothing is selected, a message says what there is" {
	six | record > perf.data
	six_text > text
	for file in perf.data text; do
		stackcollapse-perf --time=5,6 --cpus=0 $file 2> err |
			diff /dev/null -
		echo 'stackcollapse-perf: --time and --cpus left no sample;' \
			'there are 6 from 1.000000000 to 2.000000000, of sh' \
			'(5), ls (1)' | diff - err
	done
	printf 'c%d 1 1.0: 1 a:\n\t1 f (x)\n\n' {0..11} > text
	stackcollapse-perf --comms=sh text 2> err | diff /dev/null -
	has ', of c0 (1), c1 (1), c10 (1), .*, c7 (1), [.][.][.]$' err
	# nothing is said of samples that are left out, if some are not
	stackcollapse-perf --comms=c1 text 2>&1 | is_line 'c1;f 1'
}

@test "the first event of the selected samples counts" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,period,chain,all 1'
		echo 'event faults 1 2 ip,tid,time,id,period,chain,all 2'
		echo 'map 10 10 0x1000 0x1000 0 /x/bin/sh'
		echo 'sample 1 10 10 1000000000 1 u u: 0x1010'
		echo 'sample 2 10 10 2000000000 2 u u: 0x1010'
		echo 'sample 1 10 10 3000000000 4 u u: 0x1010'
		echo 'sample 2 10 10 4000000000 8 u u: 0x1010'
	} | record > perf.data
	stackcollapse-perf --time=1.5,9 perf.data 2> err | is_line ':10;[sh] 10'
	has '^Filtering for events of type: faults .*: 1)$' err
	[ "$(sum stackcollapse-perf --time=1.5,9 --event-filter=cycles \
		perf.data)" = 4 ]
	printf 'a 1 %d.000000: %d %s:\n\t1 f (x)\n\n' 1 1 a 2 2 b 3 4 a 4 8 b \
		> text
	stackcollapse-perf --time=1.5,9 text 2> err | is_line 'a;f 10'
	has '^Filtering for events of type: b .*: 1)$' err
}

@test "counter reads before a range do not count in it" {
	{
		echo 'event cycles 0 0 ip,tid,time,id,read,chain,all 1'
		echo 'map 10 10 0x1000 0x1000 0 /x/bin/sh'
		echo 'sample 1 10 10 1000000000 0 u 1=100 u: 0x1010'
		echo 'sample 1 10 10 2000000000 0 u 1=103 u: 0x1010'
		echo 'sample 1 10 10 3000000000 0 u 1=110 u: 0x1010'
		echo 'sample 1 10 10 4000000000 0 u 1=150 u: 0x1010'
	} | record > perf.data
	[ "$(sum stackcollapse-perf --time=2,3 perf.data)" = 10 ]
	[ "$(sum stackcollapse-perf --time=3,3 --in-order perf.data)" = 7 ]
	[ "$(sum stackcollapse-perf perf.data)" = 150 ]
}

@test "a sample that is left out does not change its neighbors" {
	# records, source lines, fields after frames, no periods, lone frames
	for form in '/cycles/i a 1 1.300000: PERF_RECORD_COMM: a:1/1' \
	    's/^\t.*/&\n  work.c:7/' 's/^$/ insn: 01 ca\n/' \
	    's/ [0-9]* cycles/ cycles/' '/cycles/{N;s/\n\t */ /;}' \
	    '/cycles/{N;s/^/            /;s/\n\t */ /;}' \
	    's/ cycles: / cycles: arg=7 /' 's/^sh/a b 7/' \
	    's/^/     /;s/^ *\t/\t/;s/^ *$//'; do
		echo "$form"
		six_text | sed "$form" > text
		awk 'BEGIN { RS = ""; ORS = "\n\n" }
			match($0, /[0-9]+[.][0-9]*: [^\n]*cycles/) {
				time = substr($0, RSTART) + 0
			}
			time >= 1.1 && time <= 1.4' text |
			stackcollapse-perf > expected 2> err
		[ -s expected ]
		stackcollapse-perf --time=1.1,1.4 text 2> err | diff expected -
	done
	# a sample that nothing ends but the empty line of one that is left out
	printf 'a 1 1.0: 3 c:\nb 2 9.0: 4 c:\n\t1 f (x)\n\n' > text
	cat text text | stackcollapse-perf --time=,2 | is_line 'a 6'
	# a sample that is cut off, and one that goes on in the next file
	six_text > text
	head -c -1 text | stackcollapse-perf --time=,1.7 |
		diff <(stackcollapse-perf --time=,1.7 text) -
	head -4 text > a
	tail -n +5 text > b
	stackcollapse-perf --time=1.1, a b |
		diff <(stackcollapse-perf --time=1.1, text) -
}

# Frames behind a blank, not a tab, as in text that was pasted.
@test "frames of a sample that is left out are not another sample's" {
	while read -r time comm tid address name; do
		printf '%s    %d [000]     1.%06d:          5 cycles: \n' \
			"$comm" "$tid" "$time"
		printf ' %16s %s+0x10 (/bin/x)\n\n' "$address" "$name"
	done > in <<-'END'
	1 a 10 1010 read
	2 b 20 3010 spin
	3 a 10 2010 write
	7 b 20 3010 spin
	8 a 10 1010 read
	9 a 10 1010 read
	END
	stackcollapse-perf --time=1.000001,1.000005 in |
		are_lines 'a;read 5' 'a;write 5' 'b;spin 5'
}

# Expected is the sum of the stacks of what perf script printed.
@test "recordings of perf 6.1 are selected as perf script does" {
	mkdir -p root/opt/spin
	cp "$DATA/recording/spin" root/opt/spin
	while IFS='|' read -r name option expected; do
		[ "$name" = spin-zstd.data ] && ! command -v zstd > /dev/null &&
			continue
		stackcollapse-perf --no-unit --symfs=root \
			--kallsyms="$DATA/recording/spin.kallsyms" "$option" \
			"$DATA/recording/$name" 2> /dev/null |
			cksum | is_line "$expected" ||
			{ echo "$name $option"; false; }
	done <<-'END'
	spin.data|--time=5439.15,5439.2 5439.3,|4199687266 624
	spin.data|--comms=spin|2834523795 1052
	spin-group.data|--time=33.3%/2|387002446 59
	spin-zstd.data|--time=5445.9,5446|1348429990 311
	END
}
