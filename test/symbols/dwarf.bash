# Loaded by tests of debug information that is written by hand, which compilers
# make seldom or never.

setup_file() {
	command -v as > /dev/null || { lacks 'install binutils'; return; }
	makes_x86_64 || { lacks 'not written for this machine'; return; }
	needs_drivers
}

# assembled ADDRESSES: assembles standard input, and prints the functions that
# its debug information has at these addresses.  Memory and CPU time are limited,
# so that a test fails where they depend on a size that a file claims.
assembled() (
	as -o hostile.o
	case ${CFLAGS-} in
	*sanitize*)	;;
	*)	ulimit -v 4000000 -t 10 ;;
	esac
	printf '%x\n' "$@" | "$UNIT" inlines hostile.o | sed 's/ $//'
)

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

# holds FILE: reads lines "ADDRESS: FUNCTIONS", and compares what a file that is
# assembled has at these addresses.
holds() {
	cat > expected
	assembled $(sed 's/:.*//; s/^/0x/' expected) < "$1" | diff expected -
}
