load ../helper

# Lines of perf script whose blanks were squeezed, by tr -s ' ' or by tools that
# print as it does: no number is in its columns any more.  A number before the
# time is the thread's then, as in the original, unless other lines of the input
# show that none is printed.

# samples FIELDS COMMAND TID COUNT [TIME]: prints samples of these, each with
# the fields that the letters choose: command, tid or pid/tid, CPU, time, period
# and event.
samples() {
	awk -v fields="$1" -v comm="$2" -v tid="$3" -v count="$4" \
	    -v time="${5-54000.605248}" "$FUNCTIONS"'
	BEGIN {
		while (count-- > 0)
			printf "%s", sample(fields, comm, tid, time)
	}'
}

FUNCTIONS='
	function head(fields, comm, tid, time) {
		return (fields ~ "c" ? comm " " : "") \
		    (fields ~ "p" ? sprintf("%5d/%-5d ", tid, tid) : "") \
		    (fields ~ "t" ? sprintf("%5d ", tid) : "") \
		    (fields ~ "C" ? "[001] " : "") \
		    (fields ~ "T" ? sprintf("%12s: ", time) : "") \
		    (fields ~ "P" ? sprintf("%10d ", 250000) : "") \
		    (fields ~ "E" ? "cycles: " : "")
	}
	function frame(address, rest) {
		return sprintf("\t%16s %s (/w)\n", address, rest)
	}
	function sample(fields, comm, tid, time) {
		return head(fields, comm, tid, time) "\n" \
		    frame("401136", "spin+0x6") frame("40112a", "main+0x1a") \
		    "\n"
	}'

# count WEIGHT FIELDS... < COMMANDS: all samples with these fields count so much,
# under their commands or else their numbers, printed by perf or squeezed.  There
# is a file for each command, number of one to seven digits, and time of any
# width, with one to five samples.
count() {
	rm -rf plain squeezed
	mkdir plain squeezed
	awk -v weight="$1" -v heads="${*:2}" "$FUNCTIONS"'
	function put(fields, comm, tid, time) {
		count = files++ % 5 + 1
		name = fields ~ "c" ? comm : ":" tid
		gsub(" ", "_", name)
		sums[name ";main;spin "] += count * weight
		text = ""
		for (i = 0; i < count; i++)
			text = text sample(fields, comm, tid, time)
		printf "%s", text > ("plain/" files)
		close("plain/" files)
		gsub(/ +/, " ", text)
		printf "%s", text > ("squeezed/" files)
		close("squeezed/" files)
	}
	{
		for (h = split(heads, head_of); h > 0; h--)
			for (tid = 1; tid < 1e7; tid = tid * 10 + 3)
				for (t = head_of[h] ~ "T" ? split( \
				    "0.605248 776.348070 54000.605248 " \
				    "4794564.109216", time_of) : 1; t > 0; t--)
					put(head_of[h], $0, tid, time_of[t])
	}
	END {
		for (stack in sums)
			print stack sums[stack]
	}' | sort > expected
	stackcollapse-perf plain/* 2>&1 | diff - expected
	for jobs in 1 3; do
		stackcollapse-perf --jobs=$jobs squeezed/* 2>&1 |
			diff - expected
	done
	stackcollapse-perf --tid plain/* > out
	stackcollapse-perf --tid squeezed/* | diff - out
}

COMMANDS='work
R
java'

@test "a thread and a time are what they are in columns" {
	count 1 ctT cpT ctCT cpCT ctTE cpTE ctCTE cpCTE <<< "$COMMANDS"
	count 250000 ctTP cpTP ctCTP ctTPE cpTPE ctCTPE cpCTPE <<< "$COMMANDS"
}

@test "where there is no time the first number is the thread's" {
	count 1 ct cp ctC cpC ctE cpE ctCE cpCE <<< "$COMMANDS"
	# a number after both of a thread, or a processor, is a period; or before
	# the event, if all lines have one
	count 250000 cpP cpPE ctCP ctPE ctCPE cpCPE <<< "$COMMANDS"
	# else it may be the thread's, of a command that ends in a number
	samples ctP work 801 3 | tr -s ' ' | stackcollapse-perf |
		diff - <(echo 'work;main;spin 3')
	{
		samples ctE 'work 12' 801 3
		samples ctE main 801 1
	} | tr -s ' ' | stackcollapse-perf |
		diff - <(printf '%s\n' 'main;main;spin 1' 'work;main;spin 3')
}

@test "commands may be alone, or with a processor, a time and an event" {
	count 1 c cC cE cCE cT cCT cTE cCTE <<< "$COMMANDS"
	count 250000 cTP cCTP cTPE cCTPE <<< "$COMMANDS"
}

@test "threads may have no command" {
	count 1 t p tC tE pE tCE tT pT tCT tTE pTE tCTE <<< ''
	count 250000 tTP pTP tTPE pTPE tCTPE pCTPE <<< ''
}

@test "commands of all kinds keep their names before a thread's number" {
	cat > names <<-'END'
	a.out
	[x]
	#h
	:77
	a b
	Worker 12
	12
	1.2: c:
	x [001] y
	kworker/0:1
	fifteenletters1
	END
	count 1 ctTE cpTE ctCTE < names
	count 250000 cpCTPE < names
}

@test "lines of one frame, with a time" {
	local name tid head
	for name in R work 'Worker 12' fifteenletters1; do
		for tid in 1 12 123 1234 12345 123456 1234567; do
			for head in '' '[001]'; do
				printf '%16s %5d %s %12s: %10d %s: %16s %s\n' \
				    "$name" $tid "$head" 776.348070 250000 \
				    cycles 401136 'spin+0x6 (/w)'
			done | tr -s ' ' | stackcollapse-perf 2>&1 |
				diff - <(echo "${name// /_};spin 500000")
			printf '%5d %12s: %s: %16s %s\n' $tid 54000.605248 \
			    cycles 401136 'spin+0x6 (/w)' | tr -s ' ' |
				stackcollapse-perf 2>&1 |
				diff - <(echo ":$tid;spin 1")
		done
	done
}

@test "a number before the time is the thread's, whatever follows" {
	for head in 'swapper 0 54000.605248: cycles:' \
	    'swapper 0 54000.605248:  cycles:' 'swapper 0 54000.605248:' \
	    'swapper 0 [001] 54000.605248: cycles:' \
	    'swapper 0/0 54000.605248: cycles:' \
	    'swapper 99 54002.108694:  cycles:' \
	    'swapper 4587 776.348070: 7 cycles:'; do
		for end in '' ' '; do
			printf '%s\n\t    401136 spin (/w)\n\n' "$head$end" \
			    "$head$end" | stackcollapse-perf |
				sed 's/ .*//' | diff - <(echo 'swapper;spin')
		done
	done
	# a command of which one line alone has no columns
	printf '%s\n\t401136 f (/w)\n\n' 'R 4587 54490.849014:  cycles:' \
		'a.out 38829 54490.849111:  cycles:' | stackcollapse-perf |
		diff - <(printf '%s\n' 'R;f 1' 'a.out;f 1')
}

# mixed FIELDS [TIME]: two commands that end in a number, and one that does not.
mixed() {
	samples "$1" "$2" 7 1 "${5-54000.605248}"
	samples "$1" "$3" 77777 1 "${5-54000.605248}"
	samples "$1" "$4" 1234567 1 "${5-54000.605248}"
}

@test "it is a part of the command where other lines have no number" {
	local fields time text jobs
	for fields in cT cCT cTE cCTE cE cCE; do
		for time in 776.348070 54000.605248; do
			mixed $fields 'Worker 12' main 'Pool 12345' $time > first
			mixed $fields main 'Worker 12' 'Pool 12345' $time > later
			for text in first later; do
				tr -s ' ' < $text > squeezed
				for jobs in 1 3; do
					cat <(stackcollapse-perf $text) \
					    <(stackcollapse-perf \
						--jobs=$jobs squeezed)
				done > out
				printf '%s;main;spin 1\n' \
				    {Pool_12345,Worker_12,main}{,,,} |
					sort > all
				sort out | diff - all
			done
		done
	done
	# or where it would be in columns, and is not
	for fields in cT cTE; do
		samples $fields 'Worker 12' 1 1 776.348070 |
			stackcollapse-perf | diff - <(echo 'Worker_12;main;spin 1')
	done
	samples cTPE 'Worker 12' 1 1 | stackcollapse-perf |
		diff - <(echo 'Worker_12;main;spin 250000')
}

@test "each file tells for itself, and for all threads that read it" {
	{
		samples cTE main 1 1
		samples cTE 'Worker 12' 1 20000
	} > numberless
	samples ctTE 'Worker' 12 20000 | tr -s ' ' > numbers
	for jobs in 1 2 3; do
		stackcollapse-perf --jobs=$jobs numberless numbers numberless |
			diff - <(printf '%s\n' 'Worker;main;spin 20000' \
			    'Worker_12;main;spin 40000' 'main;main;spin 2')
		# a pipe is read in pieces of any size
		# shellcheck disable=SC2002
		cat numberless | stackcollapse-perf --jobs=$jobs |
			diff - <(printf '%s\n' 'Worker_12;main;spin 20000' \
			    'main;main;spin 1')
	done
}
