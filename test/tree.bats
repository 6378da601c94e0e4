load helper

# The source and its Makefile, layer by layer.

setup() {
	cd "$BIN" || return
	[ -e Makefile ] || skip 'no sources'
	unset MAKEFLAGS MAKELEVEL
}

sources() {
	printf '%s\n' *.c {perf,graph,collapse,symbols,fold,lib}/*.[ch] |
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

@test "a program is linked with the folders that it includes, and those below" {
	make -v 2> /dev/null | has GNU || skip 'not GNU make'
	for program in stackcollapse-perf stackcollapse-dtrace difffolded \
	    files flamegraph; do
		make -n -W $program.c $program | tr ' ' '\n' |
			sed -n 's,^\([a-z]*\)/.*\.o$,\1,p' | sort -u |
			tr '\n' ' '
		echo
	done | diff - <(printf '%s \n' 'fold lib perf symbols' \
		'fold lib symbols' 'fold lib' 'lib' 'fold graph lib')
}

@test "no file of C has more than 500 lines" {
	sources | xargs wc -l | awk '$1 > 500 && $2 != "total"' |
		diff /dev/null -
}
