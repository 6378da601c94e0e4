load ../helper
load lines

# The lines with which samples begin, in the layouts that perf script has for
# the fields that -F chooses: each sample counts once, under its command, for
# its period where one is printed.  Also with the blanks squeezed, by tr -s ' '
# or by tools that print so: no number is in its columns any more, and one
# before the time is the thread's, as in the original, unless other lines of the
# input show that none is printed.

# forms < TABLE: each block of rows "COMMAND|FIELDS|ROOT COUNT" becomes two
# files, in which perf prints two samples of each row: in graph/ with a call
# graph, and in lone/ without one.  Both count so much.
forms() {
	rm -rf graph lone
	mkdir graph lone
	awk -F '|' '
	NF < 3 {
		close(graph)
		close(lone)
		block++
		next
	}
	{
		name = "spin" block + 0
		graph = "graph/" name
		lone = "lone/" name
		for (i = 0; i < 2; i++) {
			printf "%s%s \n\t%16s %s+0x6 (/w)\n\t%16s main+0x1a (/w)\n\n",
			    $1, $2, "401136", name, "40112a" > graph
			printf $1 == "" ? "%s" : "%16s", $1 > lone
			printf "%s  %16s %s+0x6 (/w)\n", $2, "401136", name > lone
		}
		split($3, want, " ")
		sums[want[1] ";main;" name] += 2 * want[2]
	}
	END {
		for (stack in sums)
			printf "%s %.0f\n", stack, sums[stack]
	}' | sort > expected
	[ -s expected ]
	stackcollapse-perf graph/* 2>&1 | diff expected -
	stackcollapse-perf lone/* 2>&1 | diff <(sed 's/;main//' expected) -
}

# squeezed: so do these files with squeezed blanks.
squeezed() {
	stackcollapse-perf --tid graph/* > numbered
	sed -i 's/  */ /g' graph/*
	stackcollapse-perf graph/* 2>&1 | diff expected -
	stackcollapse-perf --tid graph/* | diff numbered -
}

# choices COUNT LETTERS... < COMMANDS: rows for forms, with the fields that the
# letters choose: command, tid or pid/tid, CPU, time, period and event.  The
# commands of a line, divided by commas, are in one block.
choices() {
	awk -F , -v count="$1" -v choices="${*:2}" '
	function fields(letters, tid, time,	s) {
		s = (letters ~ "p" ? sprintf(" %5d/%-5d", tid, tid) : "") \
		    (letters ~ "t" ? sprintf(" %5d", tid) : "") \
		    (letters ~ "C" ? " [001]" : "") \
		    (letters ~ "T" ? sprintf(" %12s:", time) : "") \
		    (letters ~ "P" ? sprintf(" %10d", count) : "") \
		    (letters ~ "E" ? " cpu-clock:" : "")
		return letters ~ "c" ? s : substr(s, 2)
	}
	function block(letters, tid, time,	i, root) {
		i = 1
		do {
			root = letters ~ "c" ? $i : ":" tid
			gsub(" ", "_", root)
			print $i "|" fields(letters, tid, time) "|" root, count
		} while (++i <= NF)
		print ""
	}
	{
		for (n = split(choices, choice, " "); n > 0; n--)
			for (tid = 1; tid < 1e7; tid *= 1299) {
				block(choice[n], tid, "776.348070")
				if (choice[n] ~ "T")
					block(choice[n], tid, "4794564.109216")
			}
	}'
}

COMMANDS='work
R'

@test "a thread and a time, in columns and squeezed" {
	choices 1 ctT cpT ctCT cpCT ctTE cpTE ctCTE cpCTE <<< "$COMMANDS" | forms
	squeezed
	choices 250000 ctTP cpTP ctCTP ctTPE cpTPE ctCTPE cpCTPE \
		<<< "$COMMANDS" | forms
	squeezed
}

@test "without a time the first number is the thread's" {
	choices 1 ct cp ctC cpC ctE cpE ctCE cpCE <<< "$COMMANDS" | forms
	squeezed
	# a number after both of a thread, or a processor, is a period; or before
	# the event, if all lines have one
	choices 250000 cpP cpPE ctCP ctPE ctCPE cpCPE <<< "$COMMANDS" | forms
	squeezed
	# else it may be the thread's, of a command that ends in a number
	printf '%s \n\t 401136 f (/w)\n\n' 'work 801 250000'{,,} |
		folds_to 'work;f 3'
	printf '%s \n\t401136 f (/w)\n\n' 'work 12 801 cycles:' \
		'main 801 cycles:' | folds_to 'main;f 1' 'work;f 1'
}

@test "commands may be alone, or with a processor, a time, a period and an event" {
	choices 1 c cC cE cCE cT cCT cTE cCTE <<< "$COMMANDS" | forms
	squeezed
	choices 250000 cTP cCTP cTPE cCTPE <<< "$COMMANDS" | forms
	squeezed
	choices 250000 ctP cP cPE <<< "work,cc1plus" | forms
}

@test "without commands, samples are called by the number that is printed" {
	choices 1 t p tC tE pE tCE tT pT tCT tTE pTE tCTE <<< '' | forms
	squeezed
	choices 250000 tTP pTP tTPE pTPE tCTPE pCTPE <<< '' | forms
	squeezed
	# one that is gone is :-1, and no number needs more than a digit
	forms <<-'END'
	|   -1|:-1 1

	|   -1   778.982808:          7 cpu-clock:|:-1 7

	|   -1/-1   778.982808:|:-1 1

	|    7   778.982808:          9 cpu-clock:|:7 9

	|   36|:36 1
	|20878|:20878 1

	|   36/36   |:36 1
	|20878/20879|:20878 1
	END
}

@test "without commands and numbers, samples count under -1" {
	forms <<-'END'
	|      1000|:-1 1000

	|      1000 cpu-clock:|:-1 1000

	|   778.982808:       1000 cpu-clock:|:-1 1000
	END
	for form in '' 'cpu-clock: ' '   778.982808: '; do
		# where nothing is printed of it, a sample begins with an
		# empty line
		printf '%s\n\t%16s f (/w)\n\n' "$form" 401136 "$form" 401136 |
			folds_to ':-1;f 2'
	done
}

@test "a number outside its columns identifies no command, whatever came before" {
	# a line is known by the start of one before it
	odd='  776.34807: cpu-clock:'
	printf 'work [001] %s \n\t%16s f (/w)\n\n' \
		'  776.348070: cpu-clock:' 401136 "$odd" 401136 \
		'  776.348072: cpu-clock:' 401136 |
		stackcollapse-perf 2> err | is_line 'work;f 2'
	is_line "Unrecognized line: work [001] $odd " < err
	forms <<-'END'
	work| [001]   776.348070:       1000 cpu-clock:|work 1000
	work| [001] 12777.348070: 1000000000000 cpu-clock:|work 1000000000000
	work| [001] 777.348070123:         12 cpu-clock:|work 12
	work| [001]   777.348071: 12 cpu-clock:|work 12
	END
	# nor a command's number, which is a thread's in its columns alone
	printf '%s \n\t%16s f (/w)\n\n' \
		'x 1234   776.348070:       1000 cpu-clock:' 401136 \
		'x  1234   776.348070:          1 cpu-clock:' 401136 |
		folds_to 'x;f 1' 'x_1234;f 1000'
}

@test "modes, flags and processors as -L and simpleperf print them" {
	# modes and flags may be printed without the time
	forms <<-'END'
	work| 20878 K          1000 cpu-clock:|work 1000

	work| K          1000 cpu-clock:|work 1000

	work| 20878 [001] U          1000 cpu-clock:|work 1000

	|20878 [001] K       778.982808:       1000 cpu-clock:|:20878 1000
	END
	printf '%16s 20878       1000 cpu-clock:%25s  401136 f (/w)\n' work '' |
		folds_to 'work;f 1000'
	# -L: the processor has no brackets, and digits alone are a command
	for fields in '    work   801   0' '  801  12'; do
		printf '%s   778.982808:          7 cpu-clock:\n\t%16s f (/w)\n\n' \
			"$fields" 401136
	done | folds_to ':801;f 7' 'work;f 7'
	# numbers in no columns, as of simpleperf, are a thread's all the same
	printf '%s 123456.123456: 250000 cpu-cycles:\n\t  401136 f (/w)\n\n' \
		$'init\t1/1 [000]' 'work 801 [000]' |
		folds_to 'init;f 250000' 'work;f 250000'
}

@test "a tracepoint without frames is not the event that counts" {
	head='20878   778.982809:       1000              cpu-clock:'
	tracepoint='20878 [000]   778.982808: raw_syscalls:sys_enter: NR 12 (0, 7f)'
	frame=$(printf '%16s f (/w)' 401136)
	printf '%s\n' "$tracepoint" "$head " "	$frame" '' |
		folds_to ':20878;f 1000'
	printf '%s\n' "$tracepoint" "$head  $frame" | folds_to ':20878;f 1000'
	printf '%s\n' "            work ${tracepoint% NR*} " "work $head " \
		"	$frame" '' | folds_to 'work;f 1000'
}

@test "addresses, sources of data and weights leave the period as it is" {
	source='1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A'
	for data in '               0' '    7f0012345678'; do
		printf 'work   801   778.982808:          7 cpu-clock: %s\n' "$data"
		printf '\t%16s f+0x6 (/w)\n' 401136
		printf '\t%16s main+0x1a\n\n' 40112a
		for end in '' "      $source"; do
			printf '%16s   801   778.982808:          7 cpu-clock: %s%s %16s f+0x6 (/w)\n' \
				work "$data" "$end" 401136
		done
	done | folds_to 'work;f 28' 'work;main;f 14'
	# in its columns, a weight, too
	{
		for i in 1 2 3; do
			printf 'mem  100 [002]  12.%s: 7 cpu/mem-loads,ldlat=30/P:' $i
			printf ' %16s %16s %16s\n' 7f1234567890 "$source" 35
			printf '\t%16s load+0x6 (/mem)\n' 401136
			printf '\t%16s main+0x10 (/mem)\n\n' 401180
		done
		printf '%16s 100 [002]  12.4: 7 cpu/mem-loads,ldlat=30/P:' mem
		printf ' %16s %16s %16s %16s load+0x6 (/mem)\n' \
			7f1234567890 "$source" 35 401136
	} | folds_to 'mem;load 7' 'mem;main;load 21'
}

@test "events count one kind at a time, also where no time is printed" {
	printf 'work   801 %s: \n\t401136 f (/w)\n\n' '         5 page-faults' \
		'   2000000   cpu-clock' '         2 page-faults' > in
	stackcollapse-perf in 2> err | is_line 'work;f 7'
	has '^Filtering for events of type: page-faults .*: 1)$' err
	stackcollapse-perf --event-filter cpu-clock in |
		is_line 'work;f 2000000'
}

@test "threads may be called like everything else on their line" {
	while IFS= read -r name; do
		echo "$name|   801   778.982808:          7 cpu-clock:|${name// /_} 7"
		echo
	done > table <<-'END'
	foo 12 1.2:
	1.5: 3 cycles:
	cpu-clock:
	#hash
	x [001] y
	12
	:77
	fifteenletters1
	PERF_RECORD_X:
	END
	forms < table
	squeezed
	printf 'a;b   801   778.982808:          7 cpu-clock:\n\t5 f (/x)\n\n' |
		folds_to 'a:b;f 7'
}

@test "a number before the time is a squeezed line's thread, whatever follows" {
	for head in 'swapper 0 54000.605248: cycles:' \
	    'swapper 0 54000.605248:' 'swapper 0/0 54000.605248: cycles:'; do
		printf '%s\n\t    401136 spin (/w)\n\n' "$head" "$head " |
			stackcollapse-perf | sed 's/ .*//' |
			is_line 'swapper;spin'
	done
	# a command of which one line alone has no columns
	printf '%s\n\t401136 f (/w)\n\n' 'R 4587 54490.849014:  cycles:' \
		'a.out 38829 54490.849111:  cycles:' |
		folds_to 'R;f 1' 'a.out;f 1'
	# lines of one frame
	for name in R 'Worker 12' fifteenletters1; do
		for tid in 1 1234567; do
			for cpu in '' '[001] '; do
				echo " $name $tid ${cpu}776.348070: 7 cycles: 401136 f+0x6 (/w)"
			done | folds_to "${name// /_};f 14"
		done
	done
	echo '12 54000.605248: cycles: 401136 f+0x6 (/w)' | folds_to ':12;f 1'
}

@test "a number is part of the command where other lines have none" {
	choices 1 cT cCT cTE cCTE cE cCE <<-'END' | forms
	Worker 12,main,Pool 12345
	main,Worker 12,Pool 12345
	END
	squeezed
	# or where it would be in columns, and is not
	choices 250000 cTPE <<< 'Worker 12' | forms
	choices 1 cT cTE <<< 'Worker 12' | sed 's/^.* 4794564/#&/; /^#/d' | forms
}

@test "each file is judged by itself, to its end" {
	awk 'BEGIN { while (n++ < 20000) printf "%s %d.000001: c: \n\t 1 f (/w)\n\n",
		n == 1 ? "main" : "Worker 12", 54000 + n }' > numberless
	sed 's/^main/Worker 12/' numberless > numbers
	stackcollapse-perf numberless numbers numberless | diff - <(printf \
		'%s\n' 'Worker;f 20000' 'Worker_12;f 39998' 'main;f 2')
	# a pipe is read in pieces of any size
	cat numberless | stackcollapse-perf | are_lines \
		'Worker_12;f 19999' 'main;f 1'
}

@test "source lines and source code after frames are no frames, nor samples" {
	tr '~' '\t' > in <<-'END'
	work   801   778.982808:          7 cpu-clock: 
	~          401136 fall+0x6
	  fall.c:3 (inlined)
	~          401136 caller+0x6
	  caller.c:36 (inlined)
	~          40112a main+0x1a (/w)
	  main.c:12

	END
	stackcollapse-perf in 2> err | is_line 'work;main;caller;fall 7'
	stackcollapse-perf --srcline in 2> err | diff - \
		<(echo 'work;main:main.c:12;caller:caller.c:36 (inlined);fall:fall.c:3 (inlined) 7')
	stackcollapse-perf 2> err <<-'END' | is_line 'work;spin 21'
	            work   801   778.982808:          7 cpu-clock:            401136 spin+0x6 (/w)
	|36       		for (int i = 0; i < 3000; i++) v.push_back({"item" + text(i * 79 % 31), i * 0.5});
	            work   801   778.982809:          7 cpu-clock:            401136 spin+0x6 (/w)
	|8        { spin 7 1.5: 3 cycles: }
	            work   801   778.982810:          7 cpu-clock:            401136 spin+0x6 (/w)
	END
}

@test "frames without a symbol or a module, and inlined ones" {
	tr '~' '\t' > in <<-'END'
	# captured on: 
	# nr 12: 
	~          401136 

	work   801   778.982808:          7 cpu-clock: 
	~              6f [unknown]
	~          40112a main+0x1a
	  401136 g (inlined)
	  401136 f:8 (inlined)

	END
	stackcollapse-perf in 2> err | is_line 'work;g;main;[unknown] 7'
	diff err - <<-'END'
	Unrecognized line: 	          401136 
	stackcollapse-perf: 2 lines were not recognized, the first is line 3 of in
	END
	printf '%16s  %16s\n' work ffffffff815a1160 work 7f2d273113e0 |
		folds_to 'work;[unknown] 2'
}

@test "perf's messages are no samples where samples have a time" {
	{
		printf 'Processed 283 events and lost 1 chunks!\n\n'
		printf 'sh 1 1.000001: 7 cycles:\nWARNING: kernel 12 moved\n'
		printf '\t401136 f (/w)\n\nProcessed 9 events and lost 2 chunks!'
		printf '\n\nsh 1 1.000002: 8 cycles:\n\t401136 f (/w)\n\n'
	} > in
	stackcollapse-perf in 2> err | is_line 'sh;f 15'
	has '^Unrecognized line: Processed 283 ' err
	has ': 3 lines were not recognized, the first is line 1 of in$' err
}
