load ../helper

@test "equal stacks are added; empty lines do not part stacks" {
	# equal stacks are added
	stackcollapse-stap "$DATA/collapse/stap" | are_lines \
		'cpu_idle;default_idle;native_safe_halt 2404' \
		'main;operator+(Big const&, Big const&);[/lib64/libc-2.12.so] 15'
	# empty lines do not part stacks, and a count needs no stack
	printf '%s\n' '' 3 ' a+0x1' '' ' b+0x1' '' ' 2' | stackcollapse-stap |
		are_lines ' 3' 'b;a 2'
}

@test "addresses, offsets and modules are left out, names are complete" {
	while IFS='|' read -r frame name; do
		printf ' %s\n1\n' "$frame"
		echo "$name 1" >> expected
	done > in <<-'END'
	0x1 : f+0xb/0x10 [kernel]|f
	0x1 : f [kernel]|f [kernel]
	g+0xb|g
	Returning from:  0x1 : sys_open+0x0/0x20 [kernel]|sys_open
	0x1 : operator++(A)+0x1/0x2 [a]|operator++(A)
	0x1 : operator+|operator+
	0x1 : a : b+0x1/0x2 [a]|b
	0x1 : +0x1/0x2 [a]|-
	0x7fffaa|0x7fffaa
	0x7f [/lib/a b.so+0x1/0x2]|[/lib/a b.so]
	0x1 : a;b+0x1/0x2 [a]|a:b
	0x7f [foo]|0x7f [foo]
	0x7f [foo+0x1/0x2]|[foo]
	5 |5 
	END
	stackcollapse-stap in | diff - <(sort expected)
}

@test "frames without an address or an offset tell nothing of SystemTap" {
	printf '%s\n' main read > out.stap
	fails 1 stackcollapse-stap out.stap 2>&1 |
		is_line 'stackcollapse-stap: out.stap is not what' \
			'SystemTap prints; it looks like some other text'
}
