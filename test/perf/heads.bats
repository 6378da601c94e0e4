load ../helper

# The lines with which samples begin, in the layouts that perf script has for
# the fields that -F chooses: each sample counts once, under its command, for
# its period where one is printed.

# folds_to EXPECTED-LINE... < INPUT: without any message
folds_to() {
	stackcollapse-perf 2> err > out
	diff err /dev/null
	diff out <(printf '%s\n' "$@")
}

# graph and lone print two samples of "work" and one of "cc1plus", for each of
# which a line of HEADS has the fields, as perf does with a call graph and
# without one.
graph() {
	while IFS= read -r head; do
		printf '%s \n\t%16s %s (%s)\n\t%16s %s (%s)\n\n' "$head" \
		    401136 spin+0x6 /w 40112a main+0x1a /w
	done
}

lone() {
	while IFS= read -r head; do
		printf '%s  %16s %s (%s)\n' "$head" 401136 spin+0x6 /w
	done
}

@test "the time is no part of the command where no number is printed" {
	graph > in <<-'END'
	work   776.348070:       1000 cpu-clock:
	work   777.348070:       1000 cpu-clock:
	cc1plus 12776.348070:         10 cpu-clock:
	END
	folds_to 'cc1plus;main;spin 10' 'work;main;spin 2000' < in
	lone > in <<-'END'
	            work   776.348070:       1000 cpu-clock:
	            work   777.348070:       1000 cpu-clock:
	         cc1plus 12776.348070:         10 cpu-clock:
	END
	folds_to 'cc1plus;spin 10' 'work;spin 2000' < in
	graph > in <<-'END'
	work [001]   776.348070: cpu-clock:
	work [000]   777.348070: cpu-clock:
	END
	folds_to 'work;main;spin 2' < in
	graph > in <<-'END'
	work   776.348070:
	work   777.348070:
	END
	folds_to 'work;main;spin 2' < in
	lone > in <<-'END'
	            work   776.348070:
	            work   777.348070:
	END
	folds_to 'work;spin 2' < in
}

@test "a number out of its columns tells no command, whatever came before" {
	for odd in '  776.3: cpu-clock:' '  776.34807: cpu-clock:' \
	    '  776.3480700: cpu-clock:'; do
		# a line is known by the start of one before it
		graph > in <<-END
		work [001]   776.348070: cpu-clock:
		work [001]   776.348071: cpu-clock:
		work [001] $odd
		work [001]   776.348072: cpu-clock:
		END
		stackcollapse-perf in > out 2> err
		diff out <(echo 'work;main;spin 3')
		diff err <(echo "Unrecognized line: work [001] $odd ")
	done
	graph > in <<-'END'
	work [001]   776.348070:       1000 cpu-clock:
	work [001]   777.348070:       1000 cpu-clock:
	work [001] 12777.348070: 1000000000000 cpu-clock:
	work [001] 777.348070123:         12 cpu-clock:
	work [001]   777.348071: 12 cpu-clock:
	END
	folds_to 'work;main;spin 1000000002024' < in
}

@test "a command alone, or with an event, a period or a processor, is enough" {
	printf 'work\nwork\ncc1plus\n' | graph > in
	folds_to 'cc1plus;main;spin 1' 'work;main;spin 2' < in
	printf '%16s\n' work work cc1plus | lone > in
	folds_to 'cc1plus;spin 1' 'work;spin 2' < in
	for form in ' cpu-clock:' ' [003]' ' [003] cpu-clock:'; do
		printf '%s\n' "work$form" "work$form" "cc1plus$form" |
			graph > in
		folds_to 'cc1plus;main;spin 1' 'work;main;spin 2' < in
		printf '%16s%s\n' work "$form" work "$form" cc1plus "$form" |
			lone > in
		folds_to 'cc1plus;spin 1' 'work;spin 2' < in
	done
	for form in '' ' cpu-clock:'; do
		graph > in <<-END
		work       1000$form
		work       1000$form
		cc1plus         10$form
		END
		folds_to 'cc1plus;main;spin 10' 'work;main;spin 2000' < in
		lone > in <<-END
		            work       1000$form
		            work       1000$form
		         cc1plus         10$form
		END
		folds_to 'cc1plus;spin 10' 'work;spin 2000' < in
	done
}

@test "commands in the other field sets without a call graph" {
	for form in ' 20878' ' 20878/20879' ' 20878 [001]' ' 20878 cpu-clock:' \
	    ' 20878   778.982808:' ' 20878/20879   778.982808:'; do
		printf '%16s%s\n' work "$form" work "$form" cc1plus "$form" |
			lone > in
		folds_to 'cc1plus;spin 1' 'work;spin 2' < in
		# without a module, too
		sed 's/ (.*//' in > bare
		folds_to 'cc1plus;spin 1' 'work;spin 2' < bare
	done
	lone > in <<-'END'
	            work 20878       1000
	            work 20878       1000
	         cc1plus 20878         10
	END
	folds_to 'cc1plus;spin 10' 'work;spin 2000' < in
}

@test "without commands, samples are called by the number that is printed" {
	for form in '' ' cpu-clock:' '   778.982808:' ' [001]   778.982808:' \
	    ' [001]' '       1000 cpu-clock:' '   778.982808:       1000'; do
		weight=1
		case $form in
		*1000*) weight=1000
		esac
		for number in 20878 20878/20879; do
			echo "$number$form" | graph > in
			folds_to ":20878;main;spin $weight" < in
			echo "$number$form" | lone > in
			folds_to ":20878;spin $weight" < in
		done
	done
}

@test "without commands and numbers, samples count under -1" {
	for form in '      1000' '      1000 cpu-clock:' \
	    '   778.982808:       1000 cpu-clock:'; do
		printf '%s\n' "$form" "$form" | graph > in
		folds_to ':-1;main;spin 2000' < in
		printf '%s\n' "$form" "$form" | lone > in
		folds_to ':-1;spin 2000' < in
	done
	for form in '' 'cpu-clock:' '   778.982808:'; do
		# where nothing is printed of it, a sample begins with an
		# empty line
		printf '%s\n' "$form" "$form" | graph | sed 's/^ $//' > in
		folds_to ':-1;main;spin 2' < in
	done
}

@test "modes and flags may be printed without the time" {
	for form in ' 20878 K    ' ' K    ' ' 20878 [001] U    '; do
		printf '%s\n' "work$form       1000 cpu-clock:" \
		    "work$form       1000 cpu-clock:" | graph > in
		folds_to 'work;main;spin 2000' < in
		printf '%16s%s\n' work "$form       1000 cpu-clock:" \
		    work "$form       1000 cpu-clock:" | lone > in
		folds_to 'work;spin 2000' < in
	done
	printf '%s\n' '20878 [001] K       778.982808:       1000 cpu-clock:' |
		graph > in
	folds_to ':20878;main;spin 1000' < in
	printf '%16s 20878       1000 cpu-clock:%25s\n' work '' | lone > in
	folds_to 'work;spin 1000' < in
}

@test "short numbers of threads are padded, before a / and after it" {
	lone > in <<-'END'
	      kcompactd0    36/36   
	            work 20878/20879
	END
	folds_to 'kcompactd0;spin 1' 'work;spin 1' < in
	lone > in <<-'END'
	   36/36   
	20878/20879
	END
	folds_to ':20878;spin 1' ':36;spin 1' < in
	graph > in <<-'END'
	   36
	20878
	END
	folds_to ':20878;main;spin 1' ':36;main;spin 1' < in
}

@test "a tracepoint without frames is not the event that counts" {
	head='20878   778.982809:       1000              cpu-clock:'
	tracepoint='20878 [000]   778.982808: raw_syscalls:sys_enter: NR 12 (0, 7f)'
	{ echo "$tracepoint"; echo "$head" | graph; } > in
	folds_to ':20878;main;spin 1000' < in
	{ echo "$tracepoint"; echo "$head" | lone; } > in
	folds_to ':20878;spin 1000' < in
	{
		printf '%16s %s\n' work "${tracepoint% NR*} "
		echo "work $head" | graph
	} > in
	folds_to 'work;main;spin 1000' < in
}

@test "a frame without a module and a symbol is unknown" {
	tr '~' '\t' > in <<-'END'
	work   801   778.982808:          7 cpu-clock: 
	~              6f [unknown]
	~          40112a main+0x1a

	END
	folds_to 'work;main;[unknown] 7' < in
}

@test "addresses, sources of data and weights leave the period as it is" {
	tr '~' '\t' > in <<-'END'
	work   801   778.982808:          7 cpu-clock:                0
	~          401136 f+0x6 (/w)
	~          40112a main+0x1a (/w)

	work   801   778.982809:          7 cpu-clock:     7f0012345678
	~          401136 f+0x6 (/w)
	~          40112a main+0x1a (/w)

	END
	folds_to 'work;main;f 14' < in
	folds_to 'work;f 14' <<-'END'
	            work   801   778.982808:          7 cpu-clock:                0           401136 f+0x6 (/w)
	            work   801   778.982808:          7 cpu-clock:     7f0012345678           401136 f+0x6 (/w)
	END
	source='1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A'
	folds_to 'work;f 14' <<-END
	            work   801   778.982808:          7 cpu-clock:       $source           401136 f+0x6 (/w)
	            work   801   778.982808:          7 cpu-clock:                0       $source           401136 f+0x6 (/w)
	END
}

@test "source lines of inlined functions are no frames" {
	tr '~' '\t' > in <<-'END'
	work   801   778.982808:          7 cpu-clock: 
	~          401136 fall+0x6
	  fall.c:3 (inlined)
	~          401136 caller+0x6
	  caller.c:36 (inlined)
	~          40112a main+0x1a (/w)
	  main.c:12

	END
	stackcollapse-perf in 2> /dev/null |
		diff - <(echo 'work;main;caller;fall 7')
	stackcollapse-perf --srcline in 2> /dev/null | diff - \
		<(echo 'work;main:main.c:12;caller:caller.c:36 (inlined);fall:fall.c:3 (inlined) 7')
}

@test "source code after a frame is not a sample" {
	cat > in <<-'END'
	            work   801   778.982808:          7 cpu-clock:            401136 spin+0x6 (/w)
	|36       		for (int i = 0; i < 3000; i++) v.push_back({"item" + text(i * 79 % 31), i * 0.5});
	            work   801   778.982809:          7 cpu-clock:            401136 spin+0x6 (/w)
	|8        { spin 7 1.5: 3 cycles: }
	            work   801   778.982810:          7 cpu-clock:            401136 spin+0x6 (/w)
	END
	stackcollapse-perf in 2> /dev/null | diff - <(echo 'work;spin 21')
}

@test "events count one kind at a time, also where no time is printed" {
	graph > in <<-'END'
	work   801          5 page-faults:
	work   801    2000000   cpu-clock:
	work   801          2 page-faults:
	END
	stackcollapse-perf in 2> err | diff - <(echo 'work;main;spin 7')
	echo 'Filtering for events of type: page-faults' | diff - err
	stackcollapse-perf --event-filter cpu-clock in |
		diff - <(echo 'work;main;spin 2000000')
}

@test "threads may be called like everything else on their line" {
	cat > names <<-'END'
	foo 12 1.2:
	foo 12/34 [000]
	1.5: 3 cycles:
	cpu-clock:
	cycles:
	#hash
	[001]
	x [001] y
	(kworker)
	x (y)
	12
	-1
	12/34
	1.5:
	:77
	a  b
	7f00 main (a)
	fifteenletters1
	PERF_RECORD_X:
	R
	END
	while IFS= read -r name; do
		printf '%s   801   778.982808:          7 cpu-clock:\n' "$name"
	done < names | graph > in
	sed 's/ /_/g; s/$/;main;spin 7/' names | sort > expected
	mapfile -t lines < expected
	folds_to "${lines[@]}" < in
	while IFS= read -r name; do
		printf '%16s   801   778.982808:          7 cpu-clock:\n' "$name"
	done < names | lone > in
	sed 's/ /_/g; s/$/;spin 7/' names | sort > expected
	mapfile -t lines < expected
	folds_to "${lines[@]}" < in
}

@test "a ; in the name of a command becomes :" {
	printf 'a;b   801   778.982808:          7 cpu-clock:\n' | graph > in
	folds_to 'a:b;main;spin 7' < in
}

@test "without a call graph the columns of the command are its name" {
	cat > names <<-'END'
	foo 12 1.2:
	1.5: 3 cycles:
	cpu-clock:
	#hash
	[001]
	12
	fifteenletters1
	END
	sed 's/ /_/g; s/$/;spin 1/' names | sort > expected
	mapfile -t lines < expected
	for form in '' '   801' '   801 cpu-clock:' '   778.982808:' ' cpu-clock:'; do
		while IFS= read -r name; do
			printf '%16s%s\n' "$name" "$form"
		done < names | lone > in
		folds_to "${lines[@]}" < in
	done
}

@test "-L: the processor has no brackets, with any other fields" {
	graph > in <<-'END'
	    work   801   0   778.982808:          7 cpu-clock:
	 cc1plus   801  12   778.982808:          7 cpu-clock:
	END
	folds_to 'cc1plus;main;spin 7' 'work;main;spin 7' < in
	graph > in <<-'END'
	  801   0   778.982808:          7 cpu-clock:
	  802  12   778.982808:          7 cpu-clock:
	END
	folds_to ':801;main;spin 7' ':802;main;spin 7' < in
}

@test "-L: a command of digits is no thread, however long it is" {
	name=99999999999999999999999999
	printf '%s   2  \n\t5 f (/x)\n\n' $name > in
	folds_to "$name;f 1" < in
}

@test "a raw dump is no output that can be folded" {
	cat > in <<-'END'

	0x4a8 [0x28]: event: 9
	.
	. ... raw event: size 40 bytes
	.  0000:  09 00 00 00 02 00 28 00 60 11 5a 81 ff ff ff ff  ......(.`.Z.....
	.  0010:  8e 51 00 00 8e 51 00 00 c6 38 6f 5e b5 00 00 00  .Q...Q...8o^....

	778982808310 0x4a8 [0x28]: PERF_RECORD_SAMPLE(IP, 0x2): 801/801: 0x401136 period: 7 addr: 0
	 ... thread: work:801
	 ...... dso: /w
	            work   801   778.982808:          7 cpu-clock:            401136 spin+0x6 (/w)

	END
	fails 1 stackcollapse-perf in > out 2> err
	diff out /dev/null
	[ "$(wc -l < err)" -eq 1 ]
	has -i 'dump' err
}

@test "numbers in no columns, as of simpleperf, are a thread's all the same" {
	tr '~' '\t' > in <<-'END'
	init~1/1 [000] 123456.123456: 250000 cpu-cycles:
	~          401136 main (/w)

	work 801 [000] 123456.123456: 250000 cpu-cycles:
	~          401136 main (/w)

	END
	folds_to 'init;main 250000' 'work;main 250000' < in
}

@test "an address that no symbol follows begins no sample" {
	tr '~' '\t' > in <<-'END'
	~          401136 

	work   801   778.982808:          7 cpu-clock: 
	~          40112a main (/w)

	END
	stackcollapse-perf in 2> err | diff - <(echo 'work;main 7')
	grep -q '^Unrecognized line: 	          401136 $' err
}

@test "a comment that ends like an event is a comment" {
	{
		printf '# captured on: \n# hostname : \n# nr 12: \n# x \n'
		echo 'work   801   778.982808:          7 cpu-clock:' | graph
	} > in
	folds_to 'work;main;spin 7' < in
}

@test "an inlined function is one, whatever it is indented by" {
	tr '~' '\t' > in <<-'END'
	work   801   778.982808:          7 cpu-clock:
	  401136 f:8 (inlined)
	  401136 main (/w)

	END
	sed 's/f:8/g/' in > without
	folds_to 'work;main;g 7' < without
	stackcollapse-perf in 2> err | diff - <(echo 'work;main 7')
}

@test "a thread that is gone is :-1 where no commands are printed" {
	for form in '' '   778.982808:          7 cpu-clock:' '/-1   778.982808:'; do
		echo "   -1$form" | graph | stackcollapse-perf | sed 's/ .*//' |
			diff - <(echo ':-1;main;spin')
		echo "   -1$form" | lone | stackcollapse-perf --tid |
			sed 's/ .*//' > out
		grep -q '^:-1-' out
	done
	# nor does a number need more than a digit
	echo '    7   778.982808:          9 cpu-clock:' > line
	lone < line | folds_to ':7;spin 9'
	graph < line | folds_to ':7;main;spin 9'
}

@test "a number that does not fill its columns is the command's" {
	graph > in <<-'END'
	x 1234   776.348070:       1000 cpu-clock:
	x  1234   776.348070:          1 cpu-clock:
	END
	folds_to 'x;main;spin 1' 'x_1234;main;spin 1000' < in
}

@test "an address alone is a frame without a name, on an event's line too" {
	printf '%16s  %16s\n' work ffffffff815a1160 work 7f2d273113e0 |
		folds_to 'work;[unknown] 2'
}
