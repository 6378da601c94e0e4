load ../helper

# The profile of the test data is of two threads of a program that works and
# sleeps, by perf 7.2; one of them has gaps, where lines are missing.
PROFILE=$DATA/collapse/sched

# sums COLUMN: the sum of a column of the profile, by thread.
sums() {
	awk -v column="$1" '/^ *[0-9]/ {
		split($3, id, /[][\/]/)
		thread = id[1] "-29349/" id[2]
		sub(/\./, "", $column)
		sum[thread] += $column
	} END {
		for (thread in sum)
			print thread, sum[thread]
	}' "$PROFILE" | sort
}

@test "the sum of each thread's times is that of its lines" {
	while read -r column name; do
		sums "$column" > expected
		[ "$(wc -l < expected)" -eq 2 ]
		stackcollapse-sched --tid --column="$name" "$PROFILE" |
			awk '{ sub(/;.*/, "", $1); sum[$1] += $NF } END {
			for (thread in sum) print thread, sum[thread] }' |
			sort | diff expected -
	done <<-'END'
	4 wait
	5 delay
	6 run
	END
}

# table TITLES: a table of tasks from the lines of standard input.
table() {
	printf '           time    cpu  %s\n' "$1"
	printf '%24s[tid/pid]  (msec)\n' ''
	echo '--------------- ------  ------------------------------'
	cat
}
titles='task name                       wait time  sch delay   run time'

@test "waits are those of the stack before, of each thread" {
	table "$titles" <<-'END' | stackcollapse-sched --tid |
	       1.000001 [0000]  a b[2/1]      0.000  0.000  1.000    x <- y
	       1.000002 [0000]  c[3]          7.000  0.000  1.000    z
	       1.000003 [0001]  a b[2/1]      1.500  0.000  1.000  
	       1.000004 [0001]  :-1[-1/9]     0.250  0.000  1.000    dead
	       1.000005 [0001]  :-1[-1/8]     0.500  0.000  1.000    dead
	       1.000006 [0001]  <idle>        2.000  0.000  1.000 
	       1.000007 [0000]  d[2/1]        0.003  0.000  1.000    y
	       1.000008 [0000]  d[2/1]        0.004  0.000  1.000    y
	       1.000009 [0000]  c[3]          8.000  0.000  1.000    z
	END
		sed 's/  *$//' | sort | diff - <(sort <<-'END'
		:-1-8/-1 500
		:-1-9/-1 250
		<idle>-0/0 2000
		a_b-1/2;y;x 1500
		c-3/3 7000
		c-3/3;z 8000
		d-1/2 3
		d-1/2;y 4
		END
		)
}

@test "columns are known by their titles, and other lines passed over" {
	{
		echo 'Samples of sched_switch event do not have callchains.'
		table "s    $titles  pre-mig time  state" <<-'END'
		       1.000001 [0000]       a[2/1]                 awakened: b[3]
		       1.000001 [0000]  s    a[2/1]      0.000  0.000  1.000  9.000    S  next: b c[3]             f(int) (inlined) <- y
		       1.000002 [0000]  m    a[2/1]                 migrated: b[3] cpu 0 => 1
		       1.000003 [0000]   s   a[2/1]      2.000  0.000  4.000  9.000    R  next: b c[3]          
		
		Runtime summary
		                          comm  parent   sched-in     run-time
		-----------------------------------------------------------
		                       a[2/1]        1      2        5.000
		END
		table "${titles/    wait/prio  wait}" <<-'END'
		       2.000001 [0000]  a[2/1]   120  1.000  0.000  7.000    f
		END
	} > in
	stackcollapse-sched --column=run in 2> err | diff - <(printf '%s\n' \
		'a 4000' 'a;f 7000' 'a;y;f 1000')
	stackcollapse-sched in 2>> err | diff - <(printf '%s\n' \
		'a 1000' 'a;y;f 2000')
	diff /dev/null err
}

@test "brackets and blanks may be in a command's name" {
	table "$titles" <<-'END' | stackcollapse-sched --column=run |
	       1.000001 [0000]  x[1] 0.1 [y][22/1]   0.000  0.000  1.000    f
	       1.000001 [0000]  [2]  [3/]  [4/5]      0.000  0.000  2.000    f
	       1.000001 [0000]  a;b[7]                0.000  0.000  3.000    g;h
	END
		diff - <(printf '%s\n' '[2]__[3/]__;f 2000' 'a:b;g:h 3000' \
		'x[1]_0.1_[y];f 1000')
}

@test "lines that are damaged are left out, and told" {
	table "$titles" > in <<-'END'
	       1.000001 [0000]  a[2/1]      0.000  0.000  1.000    f
	       1.000001 [0000]  a[2/1]      0.000  0.000  
	       1.000001 [0000]  a           0.000  0.000  1.000    f
	       1.000001 [0000]  a[2/1]      0.000  0.000  1.00     f
	       1.0
	       1.000001 [0000]  a[2/1]      0.000  0.000  99999999999999999999.000
	some other words
	END
	fails 1 stackcollapse-sched --column=run in 2>&1 > out | diff - <(
		echo 'stackcollapse-sched: lines that are damaged and left' \
			'out: 6, the first is line 5 of in')
	diff out <(echo 'a;f 1000')
}

@test "only the table is asked for" {
	/bin/echo 'a[1] 0.000 0.000 1.000' | fails 1 stackcollapse-sched 2>&1 |
		has 'is not what perf sched timehist prints'
	fails 2 stackcollapse-sched --column=runs 2>&1 |
		has '"runs" is not wait, delay or run'
	table "$titles" < /dev/null | fails 1 stackcollapse-sched 2>&1 |
		diff - <(echo 'stackcollapse-sched: no line with a time was found')
}
