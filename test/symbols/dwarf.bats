load ../helper
load ../unit
load dwarf

# Debug information that is written by hand: sections of units and entries.

# in_each_other FORM ENTRIES COUNT: functions inlined into each other, all of the
# first of these entries; an entry of type 4 has a name of this form, one of type
# 5 a number and a reference to another entry.
in_each_other() {
	echo '.section .debug_abbrev,"",@progbits'
	abbreviation 1 0x11 1 0x11 1 0x12 7
	abbreviation 2 0x2e 1 0x11 1 0x12 7 0x31 0x13
	abbreviation 3 0x1d 1 0x11 1 0x12 7 0x31 0x13
	abbreviation 4 0x2e 0 0x03 "$1"
	abbreviation 5 0x2e 0 0x3b 15 0x31 0x13
	echo '.byte 0; .section .debug_info,"",@progbits'
	unit <<-END
	.uleb128 1; .quad 0x1000, 0x1000
	.uleb128 2; .quad 0x1000, 0x1000; .long 4f - 1b + 4
	.rept $3
	.uleb128 3; .quad 0x1000, 0x1000; .long 4f - 1b + 4
	.endr
	.fill $3 + 1, 1, 0
	4: $2
	.byte 0
	END
	echo '.section .debug_str,"",@progbits; .fill 4000000, 1, 120; .byte 0'
}

@test "a name that many functions have is cut, or left out" {
	in_each_other 0x0e '.uleb128 4; .long 0' 90 | assembled 4096 > out
	[ "$(tr -cd '<' < out | wc -c)" -eq 90 ]
	[ "$(tr -cd x < out | wc -c)" -eq $((91 * 32768)) ]
	in_each_other 0x08 '.uleb128 4; .fill 4000000, 1, 120; .byte 0' 90 |
		assembled 4096 > out
	[ "$(tr -cd '<x' < out | wc -c)" -eq 90 ]
}

# All functions have a name that 14 entries of 65,000 bytes lead to.
@test "names that take long to read are read once, within a limit" {
	in_each_other 0x08 "$(for i in {10..23}; do
		echo "$i: .uleb128 5; .fill 65000, 1, 128; .byte 0"
		echo ".long $((i + 1))f - 1b + 4"
	done)
	24: .uleb128 4; .asciz \"x\"" 980 | assembled {4096..4195} > out
	[ "$(wc -l < out)" -eq 100 ]
	[ "$(cut -d : -f 2 out | uniq | wc -l)" -eq 1 ]
	[ "$(head -1 out | tr -cd '<' | wc -c)" -eq 980 ]
	# 910,000 bytes each, of 512 MB and 64 times the file's 5 MB
	names=$(head -1 out | tr -cd x | wc -c)
	[ "$names" -gt 550 ]
	[ "$names" -lt 960 ]
}

# functions: a table of abbreviations of all that follows: 1 is a unit, 2 and 3
# are functions with and without functions in them, 4 an inlined one.
functions() {
	echo '.section .debug_abbrev,"",@progbits'
	abbreviation 1 0x11 1 0x11 1 0x12 6
	abbreviation 2 0x2e 1 0x03 8 0x11 1 0x12 6
	abbreviation 3 0x2e 0 0x03 8 0x11 1 0x12 6
	abbreviation 4 0x1d 0 0x31 0x13 0x11 1 0x12 6 0x59 11
	echo '.byte 0; .section .debug_info,"",@progbits'
}

# header WORD VERSION KIND ADDRESS: the header of a unit that ends at 2:, whose
# offsets are a .long or a .quad, and whose addresses have this many bytes.
header() {
	[ "$1" = .long ] || echo '.long 0xffffffff'
	echo "$1 2f - 1f; 1: .short $2"
	if [ "$2" -lt 5 ]; then
		echo "$1 0; .byte $4"
	else
		echo ".byte $3, $4; $1 0"
	fi
	case $3 in
	4 | 5)	echo '.quad 0x1234' ;;
	2 | 6)	echo ".quad 0x1234; $1 0" ;;
	esac
}

# one NAME START WORD: a unit's entries: itself and a function of 16 bytes.
one() {
	echo ".uleb128 1; $3 $2; .long 16"
	echo ".uleb128 3; .asciz \"$1\"; $3 $2; .long 16; .byte 0; 2:"
}

@test "units of all versions, with numbers of all sizes, one after another" {
	local at=4096

	# next NAME BYTES VERSION KIND: adds a unit of 16 bytes of code
	next() {
		header $word "$3" "$4" "$2"
		one "$1" $at "$([ "$2" = 8 ] && echo .quad || echo .long)"
		printf '%x: %s\n' $at "$1" >> units
		at=$((at + 16))
	}
	functions > units.s
	for word in .long .quad; do
		for version in 2 3 4 5; do
			next "v$version$word" 8 $version 1
			next "v$version$word-narrow" 4 $version 1
		done
		for kind in 2 3 4 5 6; do
			next "kind$kind$word" 8 5 $kind
		done
	done >> units.s
	printf '%x: %s\n' $((at - 1)) kind6.quad >> units
	printf '%x:\n' $at >> units
	holds units.s < units
}

@test "a unit of no known form is stepped over, one that is cut off ends all" {
	{
		functions
		header .long 6 1 8
		one new 4112 .quad
		header .long 4 0 3
		one odd 4128 .quad
		header .long 4 0 8
		one known 4160 .quad
		header .long 4 0 8 | sed 's/2f - 1f/2f - 1f + 1/'
		one long 4176 .quad
	} > source
	holds source <<< $'1010:\n1020:\n1040: known\n1050:'
}

@test "a function's name is an entry's of any unit, by any kind of reference" {
	{
		echo '.section .debug_abbrev,"",@progbits'
		abbreviation 1 0x11 1 0x11 1 0x12 6
		abbreviation 2 0x2e 0 0x03 8
		n=16
		for form in 0x10 0x11 0x12 0x13 0x14 0x15 0x1c; do
			abbreviation $n 0x2e 0 0x31 $form 0x11 1 0x12 6
			n=$((n + 1))
		done
		echo '.byte 0; .section .debug_info,"",@progbits; .set all, .'
		# the first unit's entry is at 0xb + 1 + 8 + 4 = 0x18
		unit <<-'END'
		.uleb128 1; .quad 0x9000; .long 16
		.uleb128 2; .asciz "before"
		.byte 0
		END
		unit <<-'END'
		.set unit, 1b - 4
		.uleb128 1; .quad 0x1000; .long 0x1000
		here: .uleb128 2; .asciz "here"
		.uleb128 16; .long 0x18; .quad 0x1000; .long 16
		.uleb128 16; .long there - all; .quad 0x1010; .long 16
		.uleb128 16; .long here - all; .quad 0x1020; .long 16
		.uleb128 17; .byte here - unit; .quad 0x1030; .long 16
		.uleb128 18; .short here - unit; .quad 0x1040; .long 16
		.uleb128 19; .long here - unit; .quad 0x1050; .long 16
		.uleb128 20; .quad here - unit; .quad 0x1060; .long 16
		.uleb128 21; .uleb128 here - unit; .quad 0x1070; .long 16
		# in a header, after all, and in a file that is not there
		.uleb128 17; .byte 10; .quad 0x1080; .long 16
		.uleb128 16; .long end - all; .quad 0x1090; .long 16
		.uleb128 22; .long here - all; .quad 0x10a0; .long 16
		.byte 0
		END
		unit <<-'END'
		.uleb128 1; .quad 0xa000; .long 16
		there: .uleb128 2; .asciz "behind"
		.byte 0
		END
		echo 'end:'
	} > source
	holds source <<-'END'
	1000: before
	1010: behind
	1020: here
	1030: here
	1040: here
	1050: here
	1060: here
	1070: here
	1080:
	1090:
	10a0:
	END
}

# named UNIT FORM VALUE...: functions of 16 bytes whose names are these; UNIT is
# the header and first entry of their unit.
named() {
	local unit=$1 form=$2 at=4096
	shift 2
	echo '.section .debug_abbrev,"",@progbits'
	abbreviation 1 0x11 1 0x11 1 0x12 6
	abbreviation 2 0x11 1 0x11 1 0x12 6 0x72 0x17
	abbreviation 3 0x2e 0 0x03 "$form" 0x11 1 0x12 6
	echo '.byte 0; .section .debug_info,"",@progbits'
	echo "$unit"
	for value; do
		echo ".uleb128 3; $value; .quad $at; .long 16"
		at=$((at + 16))
	done
	echo '.byte 0; 2:'
}

@test "a name is a text at an offset, or by its number in the unit's list" {
	texts='.section .debug_str,"",@progbits; .asciz "first"; .asciz "second"
	.ascii "third"
	.section .debug_line_str,"",@progbits; .asciz "line"; .asciz "lines"'
	unit="$(header .long 5 1 8); .uleb128 1; .quad 4096; .long 256"
	named "$unit" 0x0e '.long 0' '.long 6' '.long 9' '.long 13' \
	    '.long 18' '.long 19' '.long -1' > source
	echo "$texts" >> source
	holds source <<-'END'
	1000: first
	1010: second
	1020: ond
	1030: third
	1040:
	1050:
	1060:
	END
	named "$unit" 0x1f '.long 0' '.long 5' '.long 11' > source
	echo "$texts" >> source
	holds source <<< $'1000: line\n1010: lines\n1020:'
	unit="$(header .quad 5 1 8)
	    .uleb128 2; .quad 4096; .long 256; .quad 8"
	named "$unit" 0x1a '.uleb128 0' '.uleb128 1' '.uleb128 2' \
	    '.uleb128 0xfffffffff' > source
	echo "$texts
	.section .debug_str_offsets,\"\",@progbits
	.quad 0, 6, 0" >> source
	holds source <<< $'1000: second\n1010: first\n1020:\n1030:'
}

@test "units have a table of their own or one in common, in any order" {
	{
		echo '.section .debug_abbrev,"",@progbits; begin:'
		abbreviation 7 0x2e 0 0x03 8 0x11 1 0x12 6
		abbreviation 3 0x11 1 0x11 1 0x12 6
		echo '.byte 0; own:'
		abbreviation 300 0x11 1 0x11 1 0x12 6
		abbreviation 3 0x2e 0 0x03 8 0x11 1 0x12 6
		abbreviation 0xffffffffff 0x2e 0 0x03 8 0x11 1 0x12 6
		echo '.byte 0; .section .debug_info,"",@progbits'
		for at in 0x1000 0x1020; do
			unit <<-END
			.uleb128 3; .quad $at; .long 32
			.uleb128 7; .asciz "common"; .quad $at; .long 16
			.uleb128 7; .asciz "again"; .quad $at + 16; .long 16
			.byte 0
			END
		done
		unit <<-'END' | sed 's/\.long 0;/.long own - begin;/'
		.uleb128 300; .quad 0x1040; .long 64
		.uleb128 3; .asciz "own"; .quad 0x1040; .long 16
		.uleb128 0xffffffffff; .asciz "far"; .quad 0x1050; .long 16
		# a code that the table lacks, after which nothing is known
		.uleb128 7; .asciz "lost"; .quad 0x1060; .long 16
		.uleb128 3; .asciz "behind"; .quad 0x1070; .long 16
		.byte 0
		END
	} > source
	holds source <<-'END'
	1000: common
	1010: again
	1020: common
	1030: again
	1040: own
	1050: far
	1060:
	1070:
	END
}

# entries: a table of abbreviations, and a unit of 0x1000 to 0x1fff with the
# entries on standard input.
entries() {
	echo '.section .debug_abbrev,"",@progbits'
	abbreviation 1 0x11 1 0x11 1 0x12 6 0x10 0x17
	abbreviation 2 0x2e 1 0x03 8 0x11 1 0x12 6
	abbreviation 3 0x1d 1 0x31 0x13 0x11 1 0x12 6 0x58 0x0b 0x59 7
	abbreviation 4 0x1d 1 0x31 0x13 0x58 0x0b 0x59 0x0b	# without code
	abbreviation 5 0x0b 1 0x03 8				# a block
	abbreviation 6 0x2e 1 0x03 8				# without code
	abbreviation 7 0x2e 0 0x03 8 0x6e 8
	abbreviation 8 0x2e 0 0x2007 8 0x03 8
	abbreviation 9 0x2e 0 0x47 0x13 0x03 8
	abbreviation 10 0x34 0 0x03 8				# a variable
	# the line that calls it, 33, is the same for all
	echo '.uleb128 11, 0x1d; .byte 0'
	echo '.uleb128 0x31, 0x13, 0x11, 1, 0x12, 6, 0x58, 7, 0x59, 0x21, 33'
	echo '.byte 0, 0'
	echo '.byte 0; .section .debug_info,"",@progbits'
	unit <<-END
	.set unit, 1b - 4
	.uleb128 1; .quad 0x1000; .long 0x1000, 16
	$(cat)
	.byte 0
	END
}

@test "functions are in others, in blocks, and in inlined ones that have no code" {
	entries > source <<-'END'
	a: .uleb128 6; .asciz "a"; .byte 0
	b: .uleb128 6; .asciz "b"; .byte 0
	.uleb128 10; .asciz "variable"
	.uleb128 2; .asciz "f"; .quad 0x1000; .long 0x100
		.uleb128 10; .asciz "variable"
		.uleb128 5; .asciz "block"
			.uleb128 5; .asciz "block"
				.uleb128 3; .long a - unit
				.quad 0x1010; .long 0x20; .byte 1; .quad 7
					.uleb128 3; .long b - unit
					.quad 0x1020; .long 8; .byte 2; .quad 8
					.byte 0
				.byte 0
			.byte 0
		.byte 0
		.uleb128 4; .long a - unit; .byte 1, 6
			.uleb128 3; .long b - unit
			.quad 0x1040; .long 8; .byte 0; .quad 0xfffffffe
			.byte 0
		.byte 0
		.uleb128 11; .long a - unit
		.quad 0x1050; .long 8; .quad 1
		.uleb128 2; .asciz "g"; .quad 0x1060; .long 8
			.uleb128 3; .long a - unit
			.quad 0x1064; .long 2; .byte 1; .quad 0x100000009
			.byte 0
		.byte 0
	.byte 0
	.uleb128 2; .asciz "last"; .quad 0x1200; .long 8; .byte 0
	END
	{
		echo '.section .debug_line,"",@progbits; .quad -1, -1'
		lines '.byte 0, 9, 2; .quad 0x1000; .byte 1, 9, 0, 16, 0, 1, 1' <<-'END'
		.byte 1, 1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1
		.byte 0, 0, 1, 1, 8, 3
		.asciz "zero.c", "one.c", "two.c"
		END
	} >> source
	holds source <<-'END'
	1000: f one.c:1
	1010: a one.c:1 < f one.c:7
	1020: b one.c:1 < a two.c:8 < f one.c:7
	1027: b one.c:1 < a two.c:8 < f one.c:7
	1028: a one.c:1 < f one.c:7
	1030: f one.c:1
	1040: b one.c:1 < a zero.c:4294967294 < f one.c:6
	1050: a one.c:1 < f one.c:33
	1060: g one.c:1
	1064: a one.c:1 < g one.c:0
	1066: g one.c:1
	1068: f one.c:1
	1200: last one.c:1
	1208:  one.c:1
	END
}

@test "functions inlined into a discarded function have no code" {
	entries > source <<-'END'
	a: .uleb128 6; .asciz "a"; .byte 0
	.uleb128 2; .asciz "live"; .quad 0x1000; .long 0x40
		.uleb128 3; .long a - unit
		.quad 0x1020; .long 0x10; .byte 1; .quad 7
		.byte 0
	.byte 0
	.uleb128 2; .asciz "dead"; .quad 0; .long 0x2000
		.uleb128 5; .asciz "block"
			.uleb128 3; .long a - unit
			.quad 0x1008; .long 8; .byte 1; .quad 8
				.uleb128 3; .long a - unit
				.quad 0x1030; .long 8; .byte 1; .quad 9
				.byte 0
			.byte 0
		.byte 0
		.uleb128 2; .asciz "in_dead"; .quad 0x1100; .long 8; .byte 0
	.byte 0
	.uleb128 2; .asciz "last"; .quad 0x1200; .long 8; .byte 0
	END
	holds source <<-'END'
	1000: live
	1008: live
	1020: a < live
	1030: live
	1100: in_dead
	1200: last
	END
}

@test "a function has its linkage name, wherever that is stored" {
	entries > source <<-'END'
	a: .uleb128 7; .asciz "a"; .asciz "linked_a"
	b: .uleb128 8; .asciz "linked_b"; .asciz "b"
	c: .uleb128 9; .long a - unit; .asciz "c"
	d: .uleb128 9; .long e - unit; .asciz "d"
	e: .uleb128 9; .long d - unit; .asciz "e"
	.uleb128 2; .asciz "f"; .quad 0x1000; .long 0x100
		.uleb128 3; .long a - unit
		.quad 0x1000; .long 16; .byte 1; .quad 1; .byte 0
		.uleb128 3; .long b - unit
		.quad 0x1010; .long 16; .byte 1; .quad 1; .byte 0
		.uleb128 3; .long c - unit
		.quad 0x1020; .long 16; .byte 1; .quad 1; .byte 0
		.uleb128 3; .long d - unit
		.quad 0x1030; .long 16; .byte 1; .quad 1; .byte 0
	.byte 0
	END
	holds source <<-'END'
	1000: linked_a < f
	1010: linked_b < f
	1020: linked_a < f
	1030: d < f
	END
}
