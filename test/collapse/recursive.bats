load ../helper

# This is what the original prints of it.
@test "frames that repeat become one, and equal stacks are added up" {
	stackcollapse-recursive <<-'END' |
	main;walk;walk;walk;read 12
	main;walk;read 1
	main;walk;walk 4
	b;b 1
	a;b;a;b;b;b 2
	b 2
	b;b;b 3
	a;aa;aa;a;ab 1
	a;aa;aa;a;abc 2
	aa;a 4
	END
		are_lines 'a;aa;a;ab 1' 'a;aa;a;abc 2' \
			'a;b;a;b 2' 'aa;a 4' 'b 6' 'main;walk 4' \
			'main;walk;read 13'
	printf 'a\377;a\377;b\303 1\n' | stackcollapse-recursive |
		cmp - <(printf 'a\377;b\303 1\n')
}

@test "--all leaves no function in a stack twice, and keeps the innermost" {
	stackcollapse-recursive --all <<-'END' |
	a;b;c;a 1
	a;b;c;b;d 2
	a;b;b;d 4
	a;b;c;b;c;b;a;c 8
	x;a;b;y;x;b;y 16
	END
		are_lines 'a 1' 'a;b;d 6' 'a;c 8' 'x;b;y 16'
}

@test "two counts are both added up, fractions, too" {
	# two counts are both added up, and a line of one has it twice
	stackcollapse-recursive <<-'END' |
	a;a 1 2
	a 10 20
	b;b;c 0 5
	END
		are_lines 'a 11 22' 'b;c 0 5'
	printf '%s\n' 'a;a 3' 'a;b;b 4 5' | stackcollapse-recursive |
		are_lines 'a 3 3' 'a;b 4 5'
	# counts may have fractions, and are whole where their sum is
	printf '%s\n' 'a;a 0.1' 'a 0.2' 'b 1.5' 'b;b 1.5' 'c 7.' |
		stackcollapse-recursive | are_lines 'a 0.3' 'b 3' 'c 7'
}

@test "comments are skipped, lines without a count or a newline are reported" {
	# comments are left out, lines without a count are told
	printf '%s\n' '# of today' 'a;a 1' 'a;b' '' 'c' |
		fails 1 stackcollapse-recursive 2> err | is_line 'a 1'
	is_line 'stackcollapse-recursive: damaged lines, left out:' \
		'2; the first is line 3 of standard input' < err
	# a line that a file ends in counts, and is told if there are others
	printf 'a;a 1' > one
	stackcollapse-recursive one | is_line 'a 1'
	stackcollapse-recursive one one 2> err | is_line 'a 2'
	has 'one: line 1 has no end' < err
}

# A stack of 300,000 frames, of which none can be left out, then one that can.
@test "deep stacks take no more time than their length" {
	awk 'BEGIN {
		for (i = 0; i < 300000; i++)
			printf "%s", "f" i ";"
		print "f0 1"
	}' > deep
	timeout 20 "$BIN"/stackcollapse-recursive --all deep | is_line 'f0 1'
	timeout 20 "$BIN"/stackcollapse-recursive deep | cmp - deep
}
