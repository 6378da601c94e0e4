# Loaded by tests of debug information that is written by hand, as compilers
# seldom do, or never.

setup_file() {
	command -v as > /dev/null || { lacks 'no binutils'; return; }
	makes_x86_64 || { lacks 'not written for this'; return; }
	needs_drivers
}

# assembled ADDRESSES: prints the functions there that debug information of what
# is assembled tells, in little time and memory.
assembled() {
	as -o hostile.o
	case ${CFLAGS-} in
	*sanitize*)
		;;
	*)
		ulimit -v 4000000
		;;
	esac
	printf '%x\n' "$@" | timeout 60 "$UNIT" inlines hostile.o |
		sed 's/ $//'
}

# abbreviation CODE TAG CHILDREN ATTRIBUTE FORM ...
abbreviation() {
	printf '.uleb128 %s, %s\n.byte %s\n' "$1" "$2" "$3"
	shift 3
	printf '.uleb128 %s, %s\n' "$@" 0 0
}

# unit: a unit of version 4, with its entries on standard input.
unit() {
	echo '.long 2f - 1f; 1: .short 4; .long 0; .byte 8'
	cat
	echo '2:'
}

# lines PROGRAM: a table of lines of version 5; the rest of its header is on
# standard input.
lines() {
	echo '.section .debug_line,"",@progbits'
	echo '.long 4f - 3f; 3: .short 5; .byte 8, 0; .long 6f - 5f; 5:'
	cat
	echo "6: $1"
	echo '4:'
}

# rows ADDRESS...: the lines at these places.
rows() {
	assembled "$@" | sed 's/: f /:/; s/: f$/:/'
}
