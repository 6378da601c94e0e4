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

@test "functions of a program, position-independent or not, static, moved" {
	agrees "$PIE"
	agrees "$FIXED"
	gcc -O1 -static -o static "$PROGRAM"
	agrees static
	gcc -O1 -no-pie -Wl,-Ttext-segment=0x7600000 -o moved "$PROGRAM"
	agrees moved
}

# stubs FILE [SECTION]: "OFFSET NAME" of its stubs.
stubs() {
	objdump -d -j "${2-.plt}" "$1" |
	    sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:/\1 \2/p' |
	    while read -r address name; do
		echo "$(offset "$1" "$address") $name"
	done
}

# Of a whole program perf may find _init, which has no size and goes on as far as
# the next symbol, in the stubs.
@test "stubs are named after the functions they call" {
	set -- gcc -O1 -fcf-protection=none -Wl,-z,lazy "$PROGRAM"
	"$@" -shared -fPIC -s -o lib.so
	"$@" -o program
	nm -S program | has ' _init$'
	for file in lib.so program; do
		stubs $file > own
		has -w 'puts@plt' own
		has -w 'getenv@plt' own
		awk '{ print $2, $1 }' own > expected
		while read -r start _; do
			printf '%x\n' $((0x$start + 6))
		done < own | find_functions file $file | diff expected -
	done
	# Ubuntu's default
	gcc -O1 -fcf-protection -Wl,-z,ibtplt -o program "$PROGRAM"
	{ stubs program .plt.sec && stubs program .plt.got; } > own
	has -w 'puts@plt' own
	has -w '__cxa_finalize@plt' own
	cut -d ' ' -f 1 own | find_functions file program |
		diff <(awk '{ print $2, $1 }' own) -
}

@test "programs of 32 bits have functions, stubs and debug files, too" {
	makes_i386 || skip 'install gcc-multilib'
	gcc -m32 -O1 -no-pie -o whole "$PROGRAM"
	agrees whole
	stubs whole > own
	has -w 'puts@plt' own
	cut -d ' ' -f 1 own | find_functions file whole |
		diff <(awk '{ print $2, $1 }' own) -
	objcopy --only-keep-debug whole bare.debug
	strip -o bare whole
	objcopy --add-gnu-debuglink=bare.debug bare
	agrees whole bare
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
	mkdir -p root/bin
	cp "$PIE" whole
	objcopy --only-keep-debug whole whole.debug
	strip -o root/bin/whole whole
	objcopy --add-gnu-debuglink=whole.debug root/bin/whole
	mv whole.debug kept
	id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
	for place in bin/whole.debug bin/.debug/whole.debug \
	    "usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" \
	    usr/lib/debug/bin/whole.debug usr/lib/debug/bin/whole; do
		mkdir -p "root/${place%/*}"
		cp kept "root/$place"
		agrees whole -s root /bin/whole
		rm "root/$place"
	done
	functions whole | sed -n 's/ main .*//p' |
		find_functions file -s root /bin/whole |
		diff <(printf '%s\n' - 'no symbols') -
}

# Of ids of a file, perf wrote 20 bytes before it told their size.
@test "a file with another build id is not used, perf's own copy is" {
	id=0123456789abcdef
	gcc -O1 -Wl,--build-id=0x$id -o own "$PROGRAM"
	gcc -O1 -Wl,--build-id=none -o none "$PROGRAM"
	main=$(functions own | sed -n 's/ main .*//p')
	mkdir -p "home/.debug/.build-id/${id:0:2}/${id:2}"
	cp own "home/.debug/.build-id/${id:0:2}/${id:2}/elf"
	for asked in "$id own" "${id}000000000000000000000000 own" \
	    "$id -h home $PIE" "$id -h home /gone"; do
		echo "$main" | find_functions file -b $asked |
			is_line "main $main"
	done
	for asked in "$id $PIE" "$id none" "${id%f}e own" "${id%??} own" \
	    "${id}000000000000000000000001 own" "${id}00 own"; do
		echo "$main" | find_functions file -b $asked |
			diff <(printf -- '-\nother build id\n') -
	done
}

@test "only regular files are opened, and only ELF files have symbols" {
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

@test "a file truncated while it is read loses the rest of its names, and is reported" {
	cp "$FIXED" whole
	functions whole > own
	sed -n -e 's/ .*//p' -e '2a truncate whole 0' own |
	    find_functions file whole > out
	{ awk 'NR <= 2 { print $2, $1 }' own; printf -- '-\n-\ncut: whole\n'; } |
	    diff - out
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
	    are_lines label function - object -
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
	    /lib/snd-hda.ko | is_line '[other] ffffffffc0000050'
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
	start=$((0xc0000000 + 0x$(readelf -sW mod.ko |
	    awk '$8 == "stop" { print $2 }')))
	printf 'ffffffff81000000 T _text\n' > kallsyms
	# module NAME: what that file has in stop.
	module() {
		printf '%x\n' $((start + 1)) | find_functions module \
		    -a c0000000 -k kallsyms "$PWD/$1"
	}
	printf 'stop %x\n' $start > expected
	module mod.ko | diff expected -
	if command -v xz > /dev/null; then
		xz -k mod.ko
		module mod.ko.xz | diff expected -
	fi
	if command -v zstd > /dev/null; then
		zstd -q mod.ko
		module mod.ko.zst | diff expected -
		PATH='' module mod.ko.zst | diff <(printf -- '-\nno program\n') -
	fi
	echo damaged > bad.ko.xz
	module bad.ko.xz | diff <(printf -- '-\nno file\n') -
}

# The names are as they are written, if they have three letters.  Of code that
# overlaps it is the innermost; the first of two aliases stays.
@test "JIT code: names as they are written, of overlapping code the innermost" {
	cat > jit.map <<-'END'
	2000 100 LazyCompile:*run /srv/app.js:12:1
	1130 40 begins in it and ends after it
	1180 20 one start, longer
	1180 10 one start
	1180 10 its alias
	1180 0 one start, no size
	1000 200 around
	1110 8 farther in
	1100 40 inside
	1150 0 no size
	1210 0 no size, alone
	4000 10 ab
	0x5000 0x10 _ZN1a1bEv
	7000 10
	END
	cat > expected <<-'END'
	2000 LazyCompile:*run /srv/app.js:12:1 2000
	20ff LazyCompile:*run /srv/app.js:12:1 2000
	2100 -
	0fff -
	1000 around 1000
	10ff around 1000
	1100 inside 1100
	1110 farther in 1110
	1117 farther in 1110
	1118 inside 1100
	112f inside 1100
	1130 begins in it and ends after it 1130
	1150 begins in it and ends after it 1130
	116f begins in it and ends after it 1130
	1170 around 1000
	1180 one start 1180
	118f one start 1180
	1190 one start, longer 1180
	11a0 around 1000
	1200 -
	1210 no size, alone 1210
	1211 -
	4001 -
	5001 _ZN1a1bEv 5000
	7000 -
	END
	for order in cat tac; do
		cut -d ' ' -f 1 expected | $order > addresses
		find_functions map jit.map < addresses > found
		paste -d ' ' addresses found | $order | diff expected -
	done
}

# One without a size goes on to the next symbol, but has what no other one holds.
@test "of functions with the same start the shortest counts, and the next longer one after its end" {
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
	64 sized 64
	79 sized 64
	80 without 64
	95 without 64
	96 next 96
	112 label_after 112
	128 whole 128
	144 whole 128
	159 whole 128
	160 label 144
	175 label 144
	176 end 176
	192 -
	END
	find_functions file starts.so < addresses | diff expected -
}

@test "[vdso] of this machine has the functions that libraries call" {
	has 'r-xp.*\[vdso\]' /proc/self/maps || skip 'no [vdso]'
	seq 0 16 8000 | xargs printf '%x\n' |
	    find_functions vdso '[vdso]' | cut -d ' ' -f 1 > names
	has -x -e __vdso_clock_gettime -e clock_gettime names
	echo 800 | find_functions vdso -b 0123 '[vdso]' |
	    diff <(printf -- '-\nother build id\n') -
}

@test "[vdso32] is one that perf has kept, or among the kernel's modules" {
	id=$(readelf -n "$PIE" | sed -n 's/.*Build ID: //p')
	kept=.debug/.build-id/${id:0:2}/${id:2}
	mkdir -p sys/lib/modules/6.1/vdso "$kept"
	cp "$PIE" sys/lib/modules/6.1/vdso/vdso32.so
	cp "$PIE" "$kept/vdso"
	start=$(functions "$PIE" | sed -n 's/ outer .*//p')
	while read -r expected arguments; do
		echo "$start" | find_functions vdso $arguments '[vdso32]' |
			paste -s -d , | is_line "${expected//_/ }"
	done <<-END
	outer_$start -s sys -r 6.1 -b $id
	-,other_build_id -s sys -r 6.1 -b 00
	-,no_file -s sys -r 6.2 -b $id
	outer_$start -h $PWD -b $id
	-,no_file
	END
}

# Of `same`, names of 40,000 bytes are compared 50,000 times, and cut.
@test "files that are made to be slow or large to read cost a bounded time" {
	command -v python3 > /dev/null || skip 'install python3'
	while read -r kind names; do
		python3 "$TOP/test/unit/hugeelf.py" "$kind" 50000 huge
		printf '%s\n' 1000 1020 |
			(ulimit -t 20 && "$UNIT" dso file huge) |
			awk '{ n = length($1); print n < 9 ? $1 : n }' |
			paste -s -d ' ' | is_line "$names"
	done <<-'END'
	reversed f1 f49999
	sections f1 -
	notes f1 -
	stubs f1 f1@plt
	nested f1 f33
	same 32768 -
	END
}
