load ../helper
load ../unit

# Functions found in files that are compiled here are compared with those that
# binutils find.

setup_file() {
	for tool in nm readelf objcopy objdump strip; do
		command -v "$tool" > /dev/null || { lacks 'install binutils'; return; }
	done
	makes_x86_64 || { lacks 'not written for this machine'; return; }
	needs_drivers
	cat > "$BATS_FILE_TMPDIR/program.c" <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#define APART __attribute__((noinline, noclone))
	APART static int inner(int n) { return n * 7 % 13; }
	APART int outer(int n) { return inner(n) + inner(n + 1); }
	APART int other(int n) { return outer(n) * getenv("X")[0]; }
	int table[100];
	int main(int argc, char **argv)
	{
		puts(argv[0]);
		return (int)(argc > 9 ? other(argc) : outer(argc)) + table[argc];
	}
	END
	cd "$BATS_FILE_TMPDIR" || return
	gcc -O1 -Wl,--build-id=sha1 -o pie program.c
	gcc -O1 -no-pie -o fixed program.c
}

PROGRAM=$BATS_FILE_TMPDIR/program.c
PIE=$BATS_FILE_TMPDIR/pie
FIXED=$BATS_FILE_TMPDIR/fixed

# find_functions ARG...: what the functions at the addresses on standard input
# are called, and where they start.
find_functions() {
	"$UNIT" dso "$@"
}

# offset FILE ADDRESS: where in the file that address is.
offset() {
	readelf -lW "$1" | while read -r type offset address _ size _; do
		[ "$type" = LOAD ] || continue
		[ $((0x$2)) -ge $((address)) ] || continue
		[ $((0x$2)) -lt $((address + size)) ] || continue
		printf '%x\n' $((0x$2 - address + offset))
	done
}

# functions FILE: "OFFSET NAME SIZE" of the program's own functions.
functions() {
	nm -S --defined-only "$1" | grep -E ' (main|inner|outer|other)$' |
	    while read -r address size _ name; do
		echo "$(offset "$1" "$address") $name $((0x$size))"
	done
}

# agrees FILE [ARG ...]: whether the first, second and last address of all these
# functions of a file have their names, in the file that is given, or in it.
agrees() {
	functions "$1" > own
	[ "$(wc -l < own)" -eq 4 ]
	[ $# -gt 1 ] || set -- "$1" "$1"
	while read -r start name size; do
		for i in 0 1 $((size - 1)); do
			printf '%x\n' $((0x$start + i)) >> addresses
			echo "$name $start" >> expected
		done
	done < own
	find_functions file "${@:2}" < addresses | diff expected -
	rm addresses expected
}

@test "functions of a program, position-independent or not, or static" {
	agrees "$PIE"
	agrees "$FIXED"
	gcc -O1 -static -o static "$PROGRAM"
	agrees static
}

@test "functions where segments lie elsewhere in the file than in memory" {
	command -v clang > /dev/null && command -v ld.lld > /dev/null ||
		skip 'install clang lld'
	clang -O1 -fuse-ld=lld -o lld "$PROGRAM"
	[ "$(offset lld "$(nm lld | awk '/ main$/ { print $1 }')")" != \
	    "$(nm lld | awk '/ main$/ { sub(/^0*/, ""); print $1 }')" ]
	agrees lld
	gcc -O1 -no-pie -Wl,-Ttext-segment=0x7600000 -o moved "$PROGRAM"
	agrees moved
}

@test "stubs are named after the functions they call" {
	gcc -O1 -shared -fPIC -fcf-protection=none -Wl,-z,lazy -s -o lazy.so \
	    "$PROGRAM"
	objdump -d -j .plt lazy.so |
	    sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:/\1 \2/p' > stubs
	has -w 'puts@plt' stubs
	has -w 'getenv@plt' stubs
	while read -r address name; do
		start=$(offset lazy.so "$address")
		echo "$name $start" >> expected
		printf '%x\n' $((0x$start + 6)) >> addresses
	done < stubs
	find_functions file lazy.so < addresses | diff expected -
}

@test "programs of 32 bits have functions, stubs and debug files, too" {
	makes_i386 || skip 'install gcc-multilib'
	gcc -m32 -O1 -no-pie -o fixed "$PROGRAM"
	agrees fixed
	gcc -m32 -O1 -Wl,--build-id=sha1 -o narrow "$PROGRAM"
	agrees narrow
	gcc -m32 -O1 -shared -fPIC -o whole.so "$PROGRAM"
	strip -o lib.so whole.so
	address=$(offset whole.so "$(nm whole.so | sed -n 's/ T outer//p')")
	echo "$address" | find_functions file lib.so | diff <(echo "outer $address") -
	objdump -d -j .plt whole.so |
	    sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:/\1 \2/p' > stubs
	has -w 'puts@plt' stubs
	while read -r address name; do
		echo "$name $(offset lib.so "$address")" >> expected
		offset lib.so "$address" >> addresses
	done < stubs
	find_functions file lib.so < addresses | diff expected -
	# a stripped program has a file beside it
	rm expected addresses
	mkdir bin
	objcopy --only-keep-debug narrow bin/narrow.debug
	(cd bin && strip -o narrow --strip-all ../narrow &&
	    objcopy --add-gnu-debuglink=narrow.debug narrow)
	id=$(readelf -n narrow | sed -n 's/.*Build ID: //p')
	agrees narrow -b "$id" "$PWD/bin/narrow"
	mkdir -p .debug/.build-id/"${id:0:2}"/"${id:2}"
	mv bin/narrow.debug .debug/.build-id/"${id:0:2}"/"${id:2}"/debug
	agrees narrow -h "$PWD" -b "$id" "$PWD/bin/narrow"
}

# perf may find _init, which goes on as far as the next symbol, there.
@test "a stub is named after its function where _init, which has no size, ends" {
	gcc -O1 -fcf-protection=none -Wl,-z,lazy -o lazy "$PROGRAM"
	nm -S lazy | has ' _init$'
	address=$(objdump -d -j .plt lazy | sed -n 's/ <puts@plt>:$//p')
	offset lazy "$address" | find_functions file lazy > out
	echo "puts@plt $(offset lazy "$address")" | diff - out
}

@test "a stripped library has the functions that others call" {
	gcc -O1 -shared -fPIC -o whole.so "$PROGRAM"
	strip -o lib.so whole.so
	functions whole.so | while read -r start name _; do
		echo "$start" >> addresses
		if [ "$name" = inner ]; then echo -; else echo "$name $start"; fi
	done > expected
	find_functions file lib.so < addresses | diff expected -
}

@test "a stripped program's debug file, in each place where it may be" {
	cp "$PIE" whole
	mkdir -p bin/.debug
	objcopy --only-keep-debug whole bin/whole.debug
	(cd bin && strip -o whole --strip-all ../whole &&
	    objcopy --add-gnu-debuglink=whole.debug whole)
	agrees whole "$PWD/bin/whole"
	mv bin/whole.debug bin/.debug
	agrees whole "$PWD/bin/whole"
	id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
	folder=root/usr/lib/debug/.build-id/${id:0:2}
	mkdir -p "$folder" root/bin
	cp bin/whole root/bin
	mv bin/.debug/whole.debug "$folder/${id:2}.debug"
	agrees whole -s root /bin/whole
	mkdir -p root/usr/lib/debug/bin
	mv "$folder/${id:2}.debug" root/usr/lib/debug/bin/whole.debug
	agrees whole -s root /bin/whole
	mv root/usr/lib/debug/bin/whole.debug root/usr/lib/debug/bin/whole
	agrees whole -s root /bin/whole
	rm root/usr/lib/debug/bin/whole
	functions whole | sed 's/ .*//' > addresses
	{ sed 's/.*/-/' addresses; echo 'no symbols'; } > expected
	find_functions file -s root /bin/whole < addresses | diff expected -
}

@test "a file with another build id is not used, perf's own copy is" {
	cp "$PIE" first
	gcc -O2 -DX -Wl,--build-id=sha1 -o second "$PROGRAM"
	id=$(readelf -n first | sed -n 's/.*Build ID: //p')
	main=$(functions first | sed -n 's/ main .*//p')
	echo "$main" | find_functions file -b "$id" first > out
	echo "main $main" | diff - out
	echo "$main" | find_functions file -b "$id" second > out
	printf -- '-\nother build id\n' | diff - out
	mkdir -p "home/.debug/.build-id/${id:0:2}/${id:2}"
	cp first "home/.debug/.build-id/${id:0:2}/${id:2}/elf"
	echo "$main" | find_functions file -h home -b "$id" second > out
	echo "main $main" | diff - out
	echo "$main" | find_functions file -h home -b "$id" 'gone (deleted)' > out
	echo "main $main" | diff - out
	gcc -O1 -Wl,--build-id=none -o without "$PROGRAM"
	echo "$main" | find_functions file -b "$id" without > out
	printf -- '-\nother build id\n' | diff - out
}

# Of ids of a file, perf wrote 20 bytes before it told their size.
@test "a build id may be short, and recorded with zeros after it" {
	gcc -O1 -Wl,--build-id=0x0123456789abcdef -o short "$PROGRAM"
	main=$(functions short | sed -n 's/ main .*//p')
	for zeros in '' 000000000000000000000000; do
		echo "$main" | find_functions file -b "0123456789abcdef$zeros" \
			short | diff <(echo "main $main") -
	done
	for other in 0123456789abcdee 0123456789abcd \
	    0123456789abcdef000000000000000000000001 0123456789abcdef00; do
		echo "$main" | find_functions file -b "$other" short |
			diff <(printf -- '-\nother build id\n') -
	done
}

@test "only regular files are opened, and what is no ELF file has no symbols" {
	mkfifo fifo
	mkdir folder
	ln -s loop loop
	echo 'no ELF' > text
	: > empty
	for name in fifo folder missing loop /dev/zero; do
		for kind in file map; do
			echo 10 | timeout 20 "$UNIT" dso $kind \
			    "$name" | diff <(printf -- '-\nno file\n') -
		done
		echo 10 | timeout 20 "$UNIT" dso kernel -k "$name" \
		    '[kernel.kallsyms]_text' | diff <(printf -- '-\nno file\n') -
	done
	for name in text empty; do
		echo 10 | find_functions file "$name" |
		    diff <(printf -- '-\nno symbols\n') -
	done
}

@test "a file that is cut off while it is read has no more names, and is told" {
	cp "$FIXED" whole
	functions whole | awk '{ print $1, $2 }' > own
	[ "$(wc -l < own)" -eq 4 ]
	{ sed -n 's/ .*//p' own | sed '2a truncate whole 0'; } > asked
	{ head -2 own | awk '{ print $2, $1 }'; printf -- '-\n-\ncut: whole\n'; } \
		> expected
	find_functions file whole < asked | diff expected -
	cp "$FIXED" whole
	{ head -1 asked; echo 'truncate whole 40000'; } > again
	find_functions file whole < again > out
	head -1 expected | diff - out
}

@test "of several names at one address, the strong, global and plain one" {
	cat > names.s <<-'END'
	.text
	.macro names list:vararg
	.irp name, \list
	.type \name, @function
	\name:
	.endr
	.skip 16
	.irp name, \list
	.size \name, 16
	.endr
	.endm
	.weak weak
	.globl strong, global, _one, __two, short, long_one, medium_one
	.globl _Z9long_namev, _Z8_privatev, __two_more
	.globl _Z1fvv, _Z2fvv, _ZN1AC1Ev, _ZN1AC2Ev
	names weak, strong
	names local, global
	names __two, _one
	names short, long_one
	names medium_one, _Z9long_namev
	names __two_more, _Z8_privatev
	names _Z1fvv, _Z2fvv
	names _ZN1AC2Ev, _ZN1AC1Ev
	.globl has_size, has_none
	.type has_size, @function
	.type has_none, @function
	has_none:
	has_size: .skip 16
	.size has_size, 16
	END
	gcc -nostdlib -shared -Wl,--build-id=none -o names.so names.s
	start=$((0x$(offset names.so "$(nm names.so |
	    awk '$3 == "weak" { print $1 }')")))
	for i in {0..8}; do
		printf '%x\n' $((start + 16 * i + 5))
	done | find_functions file names.so | cut -d ' ' -f 1 > out
	printf '%s\n' strong global _one long_one medium_one _private fv \
	    A::A has_size |
	    diff - out
}

@test "labels count in text and data, objects too, absolute names do not" {
	cat > kinds.s <<-'END'
	.text
	.globl label, hidden, absolute, object
	label: .skip 16
	.hidden hidden
	hidden: .skip 16
	.type function, @function
	function: .skip 16
	.size function, 8
	absolute = 0x28
	.section .note.mine, "a"
	noted: .skip 16
	.data
	.type object, @object
	object: .skip 16
	.size object, 16
	END
	gcc -nostdlib -static -o kinds -Wl,-e,label kinds.s
	at() {
		printf '%x\n' $((0x$(offset kinds "$(nm kinds |
		    awk -v name="$1" '$3 == name { print $1 }')") + $2))
	}
	{ at label 20; at function 7; at function 8; at object 9; at noted 0; } |
	    find_functions file kinds | cut -d ' ' -f 1 |
	    diff <(printf '%s\n' label function - object -) -
}

@test "a table ends at a symbol whose section the file does not have" {
	cp "$FIXED" whole
	functions whole > own
	last=$(readelf -sW whole | awk '$8 == "outer" { sub(":", "", $1); print $1 }')
	table=$(readelf -SW whole | sed -n 's/.* SYMTAB *[0-9a-f]* \([0-9a-f]*\).*/\1/p')
	printf '\1\376' | dd of=whole bs=1 conv=notrunc status=none \
	    seek=$((0x$table + 24 * last + 6))
	readelf -sW whole 2> /dev/null | awk -v last="$last:" '
	$1 == last { behind = 1 }
	$8 ~ /^(main|inner|outer|other)$/ { print (behind ? "-" : $8), $8 }' |
	    while read -r found name; do
		start=$(sed -n "s/ $name .*//p" own)
		echo "$start" >> addresses
		if [ "$found" = - ]; then echo -; else echo "$name $start"; fi
	done > expected
	has -x -- - expected
	has '^inner ' expected
	find_functions file whole < addresses | diff expected -
}

@test "the kernel's names: where it was, of several names the last" {
	cat > kallsyms <<-'END'
	0000000000000000 A percpu
	ffffffff81000000 T _stext
	ffffffff81000000 T _text
	ffffffff81000080 t first
	ffffffff81000080 W last
	ffffffff81000100 R constant
	ffffffff81000200 d data
	ffffffff81000300 T end
	ffffffffc0000000 t iget	[ext4]
	ffffffffc0000040 t put	[ext4]
	ffffffffc0000050 t [other]	[snd_hda]
	END
	for address in ffffffff810000ff ffffffff81000180 ffffffff8100027f \
	    ffffffff81001fff ffffffff81002000 ffffffff80ffffff ffffffffc0000001; do
		echo "$address"
	done > addresses
	cat > expected <<-'END'
	last ffffffff81000080
	last ffffffff81000080
	data ffffffff81000200
	end ffffffff81000300
	-
	-
	-
	END
	find_functions kernel -k kallsyms '[kernel.kallsyms]_text' < addresses |
	    diff expected -
	sed 's/ffffffff8/ffffffff9/' addresses |
	    find_functions kernel -k kallsyms -a ffffffff91000000 \
	    '[kernel.kallsyms]_text' | diff <(sed 's/ffffffff8/ffffffff9/' expected) -
	for address in ffffffffc000003f ffffffffc000004f ffffffffc0000050; do
		echo "$address"
	done | find_functions module -k kallsyms /lib/modules/6.1/ext4.ko.xz |
	    diff <(printf 'iget ffffffffc0000000\nput ffffffffc0000040\n-\n') -
	echo ffffffffc0000051 | find_functions module -k kallsyms \
	    /lib/snd-hda.ko | diff <(echo '[other] ffffffffc0000050') -
}

@test "the kernel's names that are hidden or of another kernel" {
	printf '0000000000000000 T _text\n0000000000000000 T start\n' > hidden
	echo ffffffff81000000 | find_functions kernel -k hidden \
	    '[kernel.kallsyms]_text' | diff <(printf -- '-\nhidden\n') -
	echo ffffffff81000000 | find_functions kernel -h home -b 0123456789 \
	    '[kernel.kallsyms]_text' | diff <(printf -- '-\nno kernel\n') -
	mkdir -p 'home/.debug/[kernel.kallsyms]/0123456789'
	echo 'ffffffff81000000 T start' \
	    > 'home/.debug/[kernel.kallsyms]/0123456789/kallsyms'
	echo ffffffff81000000 | find_functions kernel -h home -b 0123456789 \
	    '[kernel.kallsyms]_text' | diff <(echo 'start ffffffff81000000') -
}

@test "a vmlinux with the recorded build id, wherever the kernel was" {
	cat > kernel.s <<-'END'
	.globl _text, start, _Z3oddv
	.section .text, "ax"
	_text:
	.type start, @function
	start: .skip 32
	.size start, 32
	.type _Z3oddv, @function
	_Z3oddv: .skip 16
	.section .init.text, "ax"
	.type init, @function
	init: .skip 16
	.size init, 16
	END
	gcc -nostdlib -static -Wl,-e,start,--build-id=sha1 -o vmlinux kernel.s \
	    -Wl,-Ttext=0xffffffff81000000 \
	    -Wl,--section-start=.init.text=0xffffffff81002000
	id=$(readelf -n vmlinux | sed -n 's/.*Build ID: //p')
	printf '%s\n' ffffffff8700001f ffffffff87000020 ffffffff8700200f \
	    ffffffff81000000 > addresses
	find_functions kernel -b "$id" -a ffffffff87000000 \
	    '[kernel.kallsyms]_text' < addresses > out
	diff - out <<-'END'
	start ffffffff87000000
	_Z3oddv ffffffff87000020
	init ffffffff87002000
	-
	END
	find_functions kernel -b "${id%??}ff" -a ffffffff87000000 \
	    '[kernel.kallsyms]_text' < addresses > out
	printf '%s\n' - - - - 'no kernel' | diff - out
}

@test "a module's own file, also a compressed one" {
	echo 'int init(int n) { return n; } int stop(int n) { return n * n; }' |
	    gcc -O1 -c -x c -o mod.ko -
	readelf -sW mod.ko | awk '$8 == "stop" { print $2 }' > start
	stop=$((0x$(cat start)))
	printf 'ffffffff81000000 T _text\n' > kallsyms
	printf '%x\n' $((0xc0000000 + stop + 1)) > address
	printf 'stop %x\n' $((0xc0000000 + stop)) > expected
	find_functions module -a c0000000 -k kallsyms "$PWD/mod.ko" < address |
	    diff expected -
	if command -v xz > /dev/null; then
		xz -k mod.ko
		find_functions module -a c0000000 -k kallsyms \
		    "$PWD/mod.ko.xz" < address | diff expected -
	fi
	if command -v zstd > /dev/null; then
		zstd -q mod.ko
		find_functions module -a c0000000 -k kallsyms \
		    "$PWD/mod.ko.zst" < address | diff expected -
		PATH='' find_functions module -a c0000000 -k kallsyms \
		    "$PWD/mod.ko.zst" < address |
		    diff <(printf -- '-\nno program\n') -
	fi
	echo damaged > bad.ko.xz
	find_functions module -a c0000000 -k kallsyms "$PWD/bad.ko.xz" \
	    < address | diff <(printf -- '-\nno file\n') -
}

@test "a compressed module that unpacks to more than 256 MB is not read" {
	command -v xz > /dev/null || skip 'install xz-utils'
	printf 'ffffffff81000000 T _text\n' > kallsyms
	head -c 270000000 /dev/zero | xz -1 > bomb.ko.xz
	echo c0000001 | find_functions module -a c0000000 -k kallsyms \
	    "$PWD/bomb.ko.xz" | diff <(printf -- '-\nno file\n') -
}

@test "JIT code: names as they are written, short ones not" {
	cat > jit.map <<-'END'
	2000 100 function two
	1000 100 LazyCompile:*run /srv/app.js:12:1
	4000 10 ab
	0x5000 0x10 _ZN1a1bEv
	6000 0 no size
	7000 10
	END
	for address in 1000 10ff 1100 2050 4001 5001 6000 6001 7000; do
		echo "$address"
	done | find_functions map jit.map > out
	diff - out <<-'END'
	LazyCompile:*run /srv/app.js:12:1 1000
	LazyCompile:*run /srv/app.js:12:1 1000
	-
	function two 2000
	-
	_ZN1a1bEv 5000
	no size 6000
	-
	-
	END
}

@test "JIT code that overlaps: the innermost, in whatever order it is written" {
	cat > inner.map <<-'END'
	1000 200 around
	1100 40 inside
	1110 8 farther in
	1130 40 begins in it and ends after it
	1150 0 no size
	1180 0 one start, no size
	1180 10 one start
	1180 20 one start, longer
	1180 10 its alias
	1210 0 no size, alone
	END
	cat > expected <<-'END'
	0fff -
	1000 around 1000
	10ff around 1000
	1100 inside 1100
	110f inside 1100
	1110 farther in 1110
	1117 farther in 1110
	1118 inside 1100
	112f inside 1100
	1130 begins in it and ends after it 1130
	114f begins in it and ends after it 1130
	1150 begins in it and ends after it 1130
	116f begins in it and ends after it 1130
	1170 around 1000
	117f around 1000
	1180 one start 1180
	118f one start 1180
	1190 one start, longer 1180
	119f one start, longer 1180
	11a0 around 1000
	11ff around 1000
	1200 -
	1210 no size, alone 1210
	1211 -
	END
	cut -d ' ' -f 1 expected > addresses
	for order in 'sort' 'sort -r' 'sort -k 2'; do
		# the first of two aliases stays
		grep -v alias inner.map | $order > any.map
		grep alias inner.map >> any.map
		for addresses in sort 'sort -r' 'sort -k 1.4,1.4'; do
			$addresses addresses > asked
			find_functions map any.map < asked > found
			paste -d ' ' asked found | sort | diff expected -
		done
	done
}

# Of one start: the shortest, where it ends the next longer one.  Aliases are of
# one size, too: perf prefers those that are not weak, that are global, with fewer
# underscores, with a longer name.  One without a size goes on to the next symbol,
# but has what no other one holds.
@test "functions of one start: the shortest, of aliases the one perf prefers" {
	cat > starts.s <<-'END'
		.text
		.skip 4096
	.macro function name, size, bind=local
		.ifnc \bind,local
		.\bind \name
		.endif
		.type \name, @function
		.size \name, \size
	\name:
	.endm
		function long, 48, global
		function short, 16
		function middle, 32, weak
		.skip 64
		function weak_one, 16, weak
		function local_one, 16
		.skip 64
		function __global_one, 16, global
		function local_two, 16
		.skip 64
		function _under, 16, global
		function plain, 16, global
		function longer_name, 16, global
		.skip 64
		function sized, 16
		function without, 0
		.skip 32
		function next, 16
		.skip 16
		function label_after, 0
		.skip 16
		function whole, 32
		.skip 16
	label:	.skip 32
		function end, 16
		.skip 16
	END
	gcc -shared -nostdlib -Wl,-z,norelro -o starts.so starts.s
	at=$(offset starts.so "$(nm starts.so | sed -n 's/ T long$//p')")
	while read -r step name from; do
		printf '%x\n' $((0x$at + step)) >> addresses
		[ "$name" = - ] || printf -v name '%s %x' "$name" \
		    $((0x$at + from))
		echo "$name" >> expected
	done <<-'END'
	0 short 0
	15 short 0
	16 middle 0
	31 middle 0
	32 long 0
	47 long 0
	48 -
	64 local_one 64
	79 local_one 64
	80 -
	128 __global_one 128
	192 longer_name 192
	207 longer_name 192
	208 -
	256 sized 256
	271 sized 256
	272 without 256
	287 without 256
	288 next 288
	304 label_after 304
	320 whole 320
	336 whole 320
	351 whole 320
	352 label 336
	367 label 336
	368 end 368
	384 -
	END
	find_functions file starts.so < addresses | diff expected -
}

# The one that is not weak.
@test "thousands of functions, many of which have two names, in any order" {
	awk -v step=7919 'BEGIN {
		for (i = 0; i < 3000; i++) {
			n = i * step % 3000
			if (i % 3 > 0 || n < 400)
				print ".weak weak" n "; .size weak" n \
				    ", 16; .type weak" n ", @function"
			print ".globl f" n "; .size f" n ", 16" \
			    "; .type f" n ", @function"
		}
		print ".globl around; .type around, @function"
		print ".size around, 100; .text; .skip 4096"
		for (n = 0; n < 3000; n++) {
			print "f" n ": weak" n ": .skip 32"
			if (n == 1500)
				print "around:"
		}
	}' | gcc -shared -nostdlib -x assembler -o many.so -
	address=$(nm many.so | sed -n 's/ T f0$//p')
	at=$(offset many.so "$address")
	awk -v at=$((0x$at)) 'BEGIN {
		for (n = 0; n < 3000; n++)
			if (n < 1500 || n > 1506)
				printf "%x f%d\n%x f%d\n%x -\n",
				    at + n * 32, n, at + n * 32 + 15, n,
				    at + n * 32 + 16
	}' > expected
	# the first one is where names overlap
	{
		printf '%x\n' $((0x$at + 1502 * 32))
		cut -d ' ' -f 1 expected
	} | find_functions file many.so | cut -d ' ' -f 1 | sed 1d > found
	cut -d ' ' -f 1 expected | paste -d ' ' - found | diff expected -
}

@test "[vdso] of this machine has the functions that libraries call" {
	has 'r-xp.*\[vdso\]' /proc/self/maps || skip 'no [vdso]'
	for i in $(seq 0 16 8000); do
		printf '%x\n' "$i"
	done | find_functions vdso '[vdso]' | cut -d ' ' -f 1 > names
	has -x -e __vdso_clock_gettime -e clock_gettime names
	echo 800 | find_functions vdso -b 0123 '[vdso]' |
	    diff <(printf -- '-\nother build id\n') -
}

@test "[vdso32] is one that perf has kept, or among the kernel's modules" {
	makes_i386 || skip 'install gcc-multilib'
	mkdir -p sys/lib/modules/6.1/vdso
	gcc -m32 -O1 -shared -Wl,--build-id=sha1 \
	    -o sys/lib/modules/6.1/vdso/vdso32.so "$PROGRAM"
	cd sys/lib/modules/6.1/vdso
	functions vdso32.so | grep outer > "$OLDPWD/own"
	id=$(readelf -n vdso32.so | sed -n 's/.*Build ID: //p')
	cd "$OLDPWD"
	read -r start _ < own
	echo "$start" | find_functions vdso -s sys -r 6.1 -b "$id" '[vdso32]' |
		diff <(echo "outer $start") -
	echo "$start" | find_functions vdso -s sys -r 6.1 -b 00 '[vdso32]' |
		diff <(printf '%s\n' - 'other build id') -
	echo "$start" | find_functions vdso -s sys -r 6.2 -b "$id" '[vdso32]' |
		diff <(printf '%s\n' - 'no file') -
	mkdir -p ".debug/.build-id/${id:0:2}/${id:2}"
	mv sys/lib/modules/6.1/vdso/vdso32.so \
	    ".debug/.build-id/${id:0:2}/${id:2}/vdso"
	echo "$start" | find_functions vdso -h "$PWD" -b "$id" '[vdso32]' |
		diff <(echo "outer $start") -
	# this process has one of 64 bits
	echo "$start" | find_functions vdso '[vdso32]' |
		diff <(printf '%s\n' - 'no file') -
}

@test "functions are those that perf script names, where perf records" {
	cat > busy.c <<-'END'
	#include <unistd.h>
	volatile int sum;
	__attribute__((noinline)) void spin(int n) { while (n--) sum += n; }
	int main(void)
	{
		for (int i = 0; i < 2000; i++) {
			spin(20000);
			lseek(0, 0, SEEK_CUR);
		}
		return 0;
	}
	END
	# -fno-plt: perf prints _init, which has no size, of lseek@plt
	gcc -O1 -no-pie -fno-plt -o busy busy.c
	perf record -q -e cpu-clock -F 2000 -o busy.data ./busy 2> /dev/null ||
	    skip 'perf does not record here'
	perf script -i busy.data -F ip,sym,symoff --show-mmap-events > printed
	text=$(sed -n 's/.*\[0x\([0-9a-f]*\)(.*\[kernel.kallsyms\]_text$/\1/p' \
	    printed)
	awk 'NF == 2 && $2 ~ /\+0x/ { sub(/\+0x/, " "); print }' printed |
	    sort -u > named
	while read -r address name offset; do
		case $address in
		4?????)
			offset busy "$address" >> addresses
			address=$(offset busy "$address") ;;
		ffffffff????????)
			echo "$address" >> in-kernel ;;
		*)	continue ;;
		esac
		printf '%s %x\n' "$name" $((0x$address - 0x$offset)) \
		    >> "in-${#address}"
	done < named
	find_functions file busy < addresses | diff in-4 -
	has '^spin ' in-4
	[ ! -e in-kernel ] || find_functions kernel -a "$text" \
	    '[kernel.kallsyms]_text' < in-kernel | diff in-16 -
}

# asked KIND COUNT: finds functions in what hugeelf writes.
asked() {
	./hugeelf "$@" > huge
	printf '%s\n' 1000 1020 100f |
		(ulimit -t 20 && "$UNIT" dso file huge) > out
}

@test "files that are made to be slow or large to read cost a bounded time" {
	compile -o hugeelf "$TOP/test/unit/hugeelf.c"
	asked plain 50000
	printf '%s\n' 'f1 1000' 'f3 1020' 'f1 1000' | diff - out
	asked reversed 50000
	printf '%s\n' 'f1 1000' 'f49999 1020' 'f1 1000' | diff - out
	for kind in sections notes; do
		asked $kind 50000
		printf '%s\n' 'f1 1000' - 'f1 1000' | diff - out
	done
	asked stubs 50000
	printf '%s\n' 'f1 1000' 'f1@plt 1020' 'f1 1000' | diff - out
	# names of 40,000 bytes, compared 50,000 times
	asked same 50000
	[ "$(cut -d ' ' -f 1 out | head -1 | wc -c)" -eq 32769 ]
	asked nested 50000
	has '^f' out
}

@test "files with holes of a million million bytes cost little" {
	compile -o hugeelf "$TOP/test/unit/hugeelf.c"
	./hugeelf holes 1000000000000 > huge || skip 'no files with holes here'
	asked holes 1000000000000
	printf '%s\n' 'f1 1000' '@plt 1020' 'f1 1000' | diff - out
}

