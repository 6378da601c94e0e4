load ../helper
load ../unit
load dwarf

# Tables of source lines that are written by hand.

# line_table VERSION WORD: a unit of 0x1000 to 0x1fff without functions but one,
# and its lines: the header of their table is that of this version, and their
# program is on standard input.  The files are number 1 and 2, one.c and two.c;
# the machine has `step` bytes an instruction and `at_once` of them a row.
line_table() {
	echo '.section .debug_abbrev,"",@progbits'
	abbreviation 1 0x11 1 0x11 1 0x12 6 0x10 0x17
	abbreviation 2 0x2e 0 0x03 8 0x11 1 0x12 6
	echo '.byte 0; .section .debug_info,"",@progbits'
	unit <<-'END'
	.uleb128 1; .quad 0x1000; .long 0x1000, 16
	.uleb128 2; .asciz "f"; .quad 0x1000; .long 0x1000
	.byte 0
	END
	echo '.section .debug_line,"",@progbits; .quad -1, -1'
	[ "$2" = .long ] || echo '.long 0xffffffff'
	echo "$2 4f - 3f; 3: .short $1"
	[ "$1" -lt 5 ] || echo '.byte 8, 0'
	echo "$2 6f - 5f; 5: .byte ${step-1}"
	[ "$1" -lt 4 ] || echo ".byte ${at_once-1}"
	# lines from -3 to 8; what 10, 11 and 12 take is told here
	echo '.byte 1, -3, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 2, 1'
	if [ "$1" -lt 5 ]; then
		echo '.asciz "/work", "include"; .byte 0'
		echo '.asciz "one.c"; .uleb128 1, 300, 400'
		echo '.asciz "/src/two.c"; .uleb128 0, 0, 0; .byte 0'
	else
		# folders: texts; files: folders, sums, texts
		echo '.byte 1; .uleb128 1, 8, 1; .asciz "/work"'
		echo '.byte 3; .uleb128 2, 0x0b, 5, 0x1e, 1, 8; .uleb128 3'
		for file in zero.c one.c /src/two.c; do
			echo ".byte 0; .quad 1, 1; .asciz \"$file\""
		done
	fi
	echo '6: .byte 0, 9, 2; .quad 0x1000'
	cat
	echo '4:'
}

@test "lines come from a program of all operations, in all versions" {
	cat > operations <<-'END'
	.byte 1				# copy: 1000 is line 1
	.byte 2, 0x90, 1, 3, 9, 1	# 1090 is line 10
	.byte 3, 0x7c, 13		# 1090 is line 3, not 6
	.byte 4, 2, 8, 1		# const_add_pc, 20: 10a4 is in two.c
	.byte 9; .short 0x11c; .byte 1	# 11c0
	.byte 13 + 12 * 7 + 5		# 11c7 is line 5
	.byte 255			# 11db is line 4
	.byte 5, 7, 6, 7, 4, 1, 13	# 11db is line 1 of one.c, after all
	.byte 10			# takes nothing
	.byte 11, 0x80, 1, 2		# two, as its header says
	.byte 12, 0xff, 1		# one
	.byte 0, 3, 0x80, 1, 1		# what makers add
	.byte 0, 2, 4, 1		# discriminator
	.byte 13 + 12 + 6		# 11dc is line 4
	.byte 0, 3, 2; .short 0x1300	# an address of two bytes
	.byte 3, 30, 4, 2, 1
	.byte 2, 16, 0, 1, 1		# the end, at 1310
	.byte 0, 9, 2; .quad 0x1400	# the file and line are as at first
	.byte 1, 2, 16, 0, 1, 1
	END
	cat > rows <<-'END'
	1000: f one.c:1
	108f: f one.c:1
	1090: f one.c:3
	10a3: f one.c:3
	10a4: f two.c:3
	11c6: f two.c:3
	11c7: f two.c:5
	11da: f two.c:5
	11db: f one.c:1
	11dc: f one.c:4
	12ff: f one.c:4
	1300: f two.c:34
	130f: f two.c:34
	1310: f
	13ff: f
	1400: f one.c:1
	140f: f one.c:1
	1410: f
	END
	for version in '2 .long' '3 .quad' '4 .long' '5 .quad'; do
		line_table $version < operations > source
		holds source < rows
	done
}

@test "an address advances by instructions, not bytes" {
	step=4 line_table 4 .long > source <<-'END'
	.byte 1, 2, 3, 3, 1, 1			# 100c
	.byte 13 + 12 * 2 + 4			# 1014
	.byte 8, 3, 1, 1			# 20 on: 1064
	.byte 9; .short 4; .byte 3, 1, 1	# 1068
	.byte 0, 1, 1
	END
	holds source <<-'END'
	100b: f one.c:1
	100c: f one.c:2
	1013: f one.c:2
	1014: f one.c:3
	1063: f one.c:3
	1064: f one.c:4
	1067: f one.c:4
	1068: f
	END
}

@test "rows at no address and rows that go back do not count" {
	line_table 4 .long > source <<-'END'
	.byte 3, 9, 1, 2, 16
	.byte 0, 9, 2; .quad 0x1000	# back, which ends no row
	.byte 3, 9, 1, 2, 32, 0, 1, 1
	.byte 0, 9, 2; .quad 0; .byte 1	# what the linker left out
	.byte 0, 9, 2; .quad 0x1040; .byte 1, 2, 16, 0, 1, 1
	.byte 0, 9, 2; .quad -1; .byte 1
	.byte 0, 9, 2; .quad 0x1060; .byte 1, 2, 16, 0, 1, 1
	.byte 0, 9, 2; .quad -2; .byte 1
	.byte 0, 9, 2; .quad 0x1080; .byte 1, 2, 16, 0, 1, 1
	.byte 0, 9, 2; .quad 0x10a0; .byte 4, 3, 1, 2, 16, 0, 1, 1
	.byte 0, 9, 2; .quad 0x10b0; .byte 4, 0, 1, 2, 16, 0, 1, 1
	.byte 0, 9, 2; .quad 0x10c0; .byte 3, 0x7f, 1, 2, 16, 0, 1, 1
	.byte 0, 9, 2; .quad 0x10d0; .byte 3, 4, 1, 2, 16, 3, 0, 1
	.byte 2, 16, 0, 1, 1
	.byte 1, 0, 1, 1, 2, 16, 0, 1, 1
	END
	holds source <<-'END'
	1000: f one.c:19
	100f: f one.c:19
	101f: f one.c:19
	1020: f
	1040: f
	1060: f
	1080: f
	10a0: f
	10b0: f
	10c0: f one.c:0
	10d0: f one.c:5
	10ef: f one.c:5
	END
}

# refused WHAT BY: with this change of the table `source` there are no lines.
refused() {
	sed "s/$1/$2/" source > changed
	fails 1 cmp -s source changed
	holds changed <<< '1000: f'
}

@test "a table of lines of no known form is not used" {
	line_table 4 .long <<< '.byte 1, 2, 16, 0, 1, 1' > source
	holds source <<< '1000: f one.c:1'
	refused '3: .short 4' '3: .short 1'
	refused '3: .short 4' '3: .short 6'
	refused '-3, 12, 13' '-3, 0, 13'
	refused '\.long 4f - 3f' '.long 5'
	refused '\.quad -1, -1' ''
	at_once=0 line_table 4 .long <<< '.byte 1, 2, 16, 0, 1, 1' > source
	holds source <<< '1000: f'
	line_table 5 .long <<< '.byte 1, 2, 16, 0, 1, 1' > source
	# as many formats as there may be, one of which is of a name
	sed 's/\.byte 3; /.byte 32; .fill 29, 2, 0x1901; /' source > most
	holds most <<< '1000: f one.c:1'
	refused '3: .short 5' '3: .short 6'
	refused '\.byte 3; \.uleb128 2' '.byte 33; .uleb128 2'
}

@test "a table of lines that is made to be large costs a bounded time" {
	{
		echo '.section .debug_abbrev,"",@progbits'
		abbreviation 1 0x11 0 0x11 1 0x12 7 0x10 0x17
		echo '.byte 0; .section .debug_info,"",@progbits'
	} > abbreviations
	# files, of which each has a path of 8 MB
	{
		cat abbreviations
		unit <<< '.uleb128 1; .quad 0x1000, 0x1000; .long 0'
		lines '.byte 0, 9, 2; .quad 0x1000; .byte 1, 0, 1, 1' <<-'END'
		.byte 1, 1, 1, 0xfb, 14, 1, 0
		.uleb128 0
		.byte 1
		.uleb128 1, 0x1f, 200000
		.fill 200000, 4, 0
		END
		echo '.section .debug_line_str,"",@progbits'
		echo '.fill 8000000, 1, 120; .byte 0'
	} > source
	holds source <<< 1000:
}
