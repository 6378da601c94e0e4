load ../helper
load ../unit
load ../tracing

# perf/data/formats, by the driver unit/formats.c, which answers questions about
# tracing data.  What is expected is counted by hand.

# answers: reads "QUESTION => ANSWER" lines about the file `data`.
answers() {
	cat > table
	# with blanks between the bytes of raw data, which end a line
	sed -E 's/ => .*//
		:more
		s/^(number .* )([0-9a-f]{2})([0-9a-f]{2,})/\1\2 \3/
		t more' table | "$UNIT" formats data |
		diff - <(sed 's/.* => //' table)
}

@test "a tracepoint's fields are where its format says" {
	switch_format
	waking_format
	tracing sched_switch sched_waking > data
	echo 'what follows' >> data
	answers <<-'END'
	name 372 => sched:sched_switch
	name 375 => sched:sched_waking
	name 1 => :
	field 372 prev_pid => number of 4 at 24, signed
	field 372 common_flags => number of 1 at 2
	field 372 prev_state => number of 8 at 32, signed
	field 372 prev_comm => other of 16 at 8
	field 375 pid => number of 4 at 24, signed
	field 375 next_pid => is not in the event's format
	field 9 pid => is not in the event's format
	flags 372 prev_state D => 2
	flags 372 prev_state XxZ => 30
	flags 372 prev_state SDTtXZPI => ff
	flags 372 next_state D => 0
	flags 375 prev_state D => 0
	END
	# sizes may begin with the highest byte
	big=1 tracing sched_switch sched_waking > data
	answers <<-'END'
	name 372 => sched:sched_switch
	field 372 prev_pid => number of 4 at 24, signed, big
	number 375 pid 00000000000000000000000000000000000000000000000000000102 => 258
	END
}

@test "numbers of all sizes are read, with their signs" {
	cat > any <<-'END'
	name: any
	ID: 7
	format:
		field:u8 a;	offset:0;	size:1;	signed:0;
		field:s8 b;	offset:1;	size:1;	signed:1;
		field:s16 c;	offset:2;	size:2;	signed:1;
		field:unsigned long d;	offset:4;	size:8;	signed:0;
		field:s64 e;	offset:12;	size:8;	signed:1;
		field:int f[2];	offset:20;	size:8;	signed:1;
		field:odd g;	offset:28;	size:3;	signed:0;
		field:int h;	offset:31;	size:4;
	END
	tracing any > data
	raw=ff80feff0100000000000080ffffffffffffffff010000000200000003000004000080
	answers <<-END
	number 7 a $raw => 255
	number 7 b $raw => -128
	number 7 c $raw => -2
	number 7 d $raw => -9223372036854775807
	number 7 e $raw => -1
	number 7 f $raw => no number
	number 7 g $raw => no number
	number 7 h $raw => 2147483652
	number 7 h ff80 => no number
	END
}

@test "texts are not numbers, even where a number locates them" {
	cat > texts <<-'END'
	name: texts
	ID: 8
	format:
		field:char fixed[4];	offset:0;	size:4;	signed:0;
		field:__data_loc char[] placed;	offset:4;	size:4;	signed:0;
		field:__rel_loc char[] after;	offset:8;	size:4;	signed:0;
		field:__data_loc int[] numbers;	offset:12;	size:4;	signed:0;
	END
	tracing texts > data
	raw=6100616110000300070004001000030061620063646566
	answers <<-END
	field 8 fixed => other of 4 at 0
	field 8 placed => other of 4 at 4
	field 8 after => other of 4 at 8
	field 8 numbers => other of 4 at 12
	number 8 fixed $raw => no number
	number 8 placed $raw => no number
	number 8 after $raw => no number
	END
}

@test "fields that cannot be are refused" {
	cat > odd <<-'END'
	name: odd
	ID: 9
	format:
		field:int a;	offset:0;	size:4;	signed:1;
		field:int b;	offset:2;	size:4;	signed:1;
		field:int far;	offset:2147483648;	size:4;	signed:1;
		field:int large;	offset:8;	size:2147483648;	signed:1;
		field:int huge;	offset:99999999999999999999999;	size:4;	signed:1;
		field:int wrapped;	offset:4294967295;	size:4294967295;	signed:1;
		field:int lacking;
		field:int nowhere;	offset:;	size:4;	signed:1;
		field:;	offset:20;	size:4;	signed:1;
		field:int last;	offset:24;	size:4;	signed:1;
	END
	tracing odd > data
	answers <<-'END'
	field 9 a => overlaps another one
	field 9 b => overlaps another one
	field 9 far => lies outside the samples
	field 9 large => lies outside the samples
	field 9 huge => lies outside the samples
	field 9 wrapped => lies outside the samples
	field 9 lacking => lies outside the samples
	field 9 nowhere => lies outside the samples
	field 9 last => overlaps another one
	END
	sed -i '/large/d' odd
	tracing odd > data
	answers <<<'field 9 last => number of 4 at 24, signed'
}

@test "truncated tracing data keep their complete events" {
	switch_format
	waking_format
	tracing sched_switch sched_waking > whole
	head -c -40 whole > data
	printf '%s\n' 'name 372' 'name 375' |
		"$UNIT" formats data |
		are_lines sched:sched_switch :
	for len in 0 20 70 100; do
		head -c "$len" whole > data
		echo 'name 372' | "$UNIT" formats data | are_lines :
	done
	sed 's/header_page/header_cage/' whole > data
	echo 'name 372' | "$UNIT" formats data |
		are_lines :
}
