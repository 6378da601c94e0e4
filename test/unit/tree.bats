load ../helper

# The source and its Makefile, layer by layer.

setup() {
	cd "$BIN" || return
	[ -e Makefile ] || skip 'no sources'
	unset MAKEFLAGS MAKELEVEL
}

sources() {
	printf '%s\n' *.c {perf,collapse,symbols}/*/*.[ch] \
	    {perf,graph,collapse,symbols,fold,lib}/*.[ch] |
		grep -v -x graph/assets.h
}

# Make's own word on what it would do if the file were changed.
@test "make knows every source and every header" {
	make -v 2> /dev/null | has GNU || skip 'not GNU make'
	make -q all || skip 'not built'
	for file in $(sources); do
		make -n -W "$file" all > "$BATS_TEST_TMPDIR/commands"
		case $file in
		*.h)	object='[a-z/]*\.o' ;;
		*)	object=${file%.c}.o ;;
		esac
		grep -q -e "-c -o $object " "$BATS_TEST_TMPDIR/commands" ||
			echo "make does not know $file"
	done | diff /dev/null -
}
