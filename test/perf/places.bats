load ../helper

# Functions are found wherever their names are on the disk: packed in the
# program, in the cache of debuginfod, where perf archive was unpacked, in the
# root of a container.

setup_file() {
	for tool in "${CC:-cc}" nm objcopy readelf strip; do
		command -v "$tool" > /dev/null ||
			{ lacks "no $tool"; return; }
	done
	makes_x86_64 || { lacks 'not written for this'; return; }
	"${CC:-cc}" -std=c99 -D_XOPEN_SOURCE=700 -o "$BATS_FILE_TMPDIR/perfdata" \
	    "$TOP/test/unit/perfdata.c" \
	    "$TOP/test/unit/perflayout.c"
	cat > "$BATS_FILE_TMPDIR/program.c" <<-'END'
	#define APART __attribute__((noinline, noclone))
	APART static int inner(int n) { return n * 7 % 13; }
	APART int outer(int n) { return inner(n) + inner(n + 1); }
	int other(int n) __attribute__((alias("outer")));
	static int more(int n) __attribute__((alias("outer"), used));
	int main(int argc, char **argv) { return outer(argc + argv[0][0]); }
	END
	gcc -O1 -g -rdynamic -Wl,--build-id=sha1 -o "$BATS_FILE_TMPDIR/whole" \
	    "$BATS_FILE_TMPDIR/program.c"
}

WHOLE=$BATS_FILE_TMPDIR/whole

# at NAME: the address of a function in the program, which is its offset, too.
at() {
	nm "$WHOLE" | sed -n "s/^0*\(.*\) [Tt] $1\$/0x5000\1/p"
}

build_id() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# recorded PROGRAM [BUILD-ID]: makes perf.data of samples in its functions.
recorded() {
	"$BATS_FILE_TMPDIR/perfdata" > perf.data <<-END
	event cycles 0 0 ip,tid,time,id,period,chain,all 1,2
	${2:+id $1 $2}
	comm 5 5 prog
	map 5 5 0x50000000 0x100000 0 $1
	sample 1 5 5 10 7 u u: $(at inner) $(at outer) $(at main)
	END
}

# strip_into FILE: makes a copy of the program without .symtab.
strip_into() {
	strip -o "$1" "$WHOLE"
}

# pack FILE: adds a file's contents, packed, to a program as .gnu_debugdata.
pack() {
	xz -c "$1" > packed
	objcopy --add-section .gnu_debugdata=packed "$2"
}

# symbols FILE: makes a file of the symbols that .dynsym lacks, as GDB's manual
# tells (MiniDebugInfo).
symbols() {
	nm -D "$WHOLE" --format=posix --defined-only | cut -d ' ' -f 1 |
		sort > dynamic
	nm "$WHOLE" --format=posix --defined-only |
		awk '$2 ~ /[TtD]/ { print $1 }' | sort | comm -13 dynamic - > kept
	objcopy --only-keep-debug "$WHOLE" "$1.debug"
	objcopy -S --remove-section .comment --keep-symbols=kept "$1.debug" "$1"
	rm "$1.debug"
}

# folds_to STACK [OPTION ...]: the recording is one stack, without messages.
folds_to() {
	stackcollapse-perf "${@:2}" perf.data > out 2> err
	echo "prog;$1 7" | diff - out
	diff /dev/null err
}

# "outer" and "other" are global names of one function, "more" is a local one.
@test "functions that .dynsym lacks are in .gnu_debugdata, which xz unpacks" {
	command -v xz > /dev/null || skip 'no xz'
	strip_into prog
	recorded "$PWD/prog"
	folds_to 'main;outer;[prog]'
	symbols mini
	pack mini prog
	folds_to 'main;outer;inner'
	recorded "$PWD/prog" "$(build_id "$WHOLE")"
	folds_to 'main;outer;inner'
}

@test "a program without any table has its functions in .gnu_debugdata" {
	command -v xz > /dev/null || skip 'no xz'
	gcc -O1 -static -Wl,--build-id=sha1 -o whole \
	    "$BATS_FILE_TMPDIR/program.c" || skip 'no static libc'
	WHOLE=$PWD/whole
	nm whole | sed -n 's/ t inner$//p' > address
	segment=$(readelf -lW whole | awk '$1 == "LOAD" && / E / {
		print $2, $3 }')
	strip_into prog
	objcopy --only-keep-debug whole mini
	pack mini prog
	read -r offset start <<< "$segment"
	"$BATS_FILE_TMPDIR/perfdata" > perf.data <<-END
	event cycles 0 0 ip,tid,time,id,period,chain,all 1,2
	comm 5 5 prog
	map 5 5 $start 0x100000 $offset $PWD/prog
	sample 1 5 5 10 7 u u: 0x$(cat address)
	END
	folds_to inner
}

@test "a table of a program's own, or of its debug file, is used alone" {
	command -v xz > /dev/null || skip 'no xz'
	symbols mini
	objcopy --redefine-sym inner=packed mini
	cp "$WHOLE" prog
	pack mini prog
	recorded "$PWD/prog"
	folds_to 'main;outer;inner'
	strip_into prog
	pack mini prog
	folds_to 'main;outer;packed'
	objcopy --only-keep-debug "$WHOLE" prog.debug
	objcopy --add-gnu-debuglink=prog.debug prog
	folds_to 'main;outer;inner'
}

@test "without xz, functions lack their names, which a line says" {
	command -v xz > /dev/null || skip 'no xz'
	symbols mini
	strip_into prog
	pack mini prog
	cp prog second
	"$BATS_FILE_TMPDIR/perfdata" > perf.data <<-END
	event cycles 0 0 ip,tid,time,id,period,chain,all 1,2
	comm 5 5 prog
	map 5 5 0x50000000 0x100000 0 $PWD/prog
	map 5 5 0x60000000 0x100000 0 $PWD/second
	sample 1 5 5 10 3 u u: $(at inner | sed s/5/6/)
	sample 1 5 5 10 7 u u: $(at inner) $(at outer) $(at main)
	END
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" perf.data > out 2> err
	printf 'prog;%s\n' '[second] 3' 'main;outer;[prog] 7' | diff - out
	[ "$(grep -c 'needs xz to be unpacked; names of functions may be missing$' \
	    err)" -eq 1 ]
}

# lost FILE: packs this file into the program, which then is told damaged.
lost() {
	strip_into prog
	pack "$1" prog
	told_damaged
}

told_damaged() {
	recorded "$PWD/prog"
	stackcollapse-perf perf.data > out 2> err
	echo 'prog;main;outer;[prog] 7' | diff - out
	grep -v 'addresses without' err | diff <(echo "stackcollapse-perf: \
$PWD/prog: damaged debug information; names of functions may be missing") -
}

@test ".gnu_debugdata that is no packed file, no ELF, or another's, is told" {
	command -v xz > /dev/null || skip 'no xz'
	echo 'no ELF' > text
	lost text
	: > empty
	lost empty
	gcc -O1 -g -rdynamic -Wl,--build-id=0x1234 -o another \
	    "$BATS_FILE_TMPDIR/program.c"
	lost another
	head -c 100 "$WHOLE" > cut
	lost cut
	strip "$WHOLE" -o bare
	lost bare
	for bytes in text packed; do
		strip_into prog
		head -c 50 $bytes > section
		objcopy --add-section .gnu_debugdata=section prog
		told_damaged
	done
}

@test ".gnu_debugdata that unpacks to more than 256 MB is not read" {
	command -v xz > /dev/null || skip 'no xz'
	strip_into prog
	{ cat "$WHOLE"; head -c 300000000 /dev/zero; } | xz -0 > packed
	objcopy --add-section .gnu_debugdata=packed prog
	told_damaged
}

@test "any byte of .gnu_debugdata, and of what is in it, may be wrong" {
	command -v xz > /dev/null || skip 'no xz'
	symbols mini
	size=$(wc -c < mini)
	for ((i = 0; i < 40; i++)); do
		cp mini wrong
		printf '\377\277' | dd of=wrong bs=1 conv=notrunc \
		    seek=$((i * size / 40)) 2> /dev/null
		strip_into prog
		pack wrong prog
		recorded "$PWD/prog"
		stackcollapse-perf perf.data > out 2> err
		has '^prog;.* 7$' out
	done
}
