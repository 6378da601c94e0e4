load ../helper
load ../unit

# Stacks that are unwound, from programs that take snapshots of themselves
# (unit/snapshot.c) and name their callers by backtrace(3).

setup_file() {
	command -v "${CC:-cc}" > /dev/null || { lacks 'install gcc'; return; }
	case $("${CC:-cc}" -dumpmachine) in
	x86_64*linux-gnu | aarch64*linux-gnu) ;;
	*) lacks 'another machine'; return ;;
	esac
	needs_drivers
	cd "$BATS_FILE_TMPDIR" || return
	snapshot program -O2 -g
	# without an environment, which is copied with the stack
	mkdir plain deep
	(cd plain && env -i ../program plain)
	(cd deep && env -i ../program deep)
}

PROGRAM=$BATS_FILE_TMPDIR/program

# snapshot NAME FLAG...: builds the program with these flags.
snapshot() {
	"${CC:-cc}" -std=gnu11 -o "$1" "${@:2}" "$TOP/test/unit/snapshot.c"
}

# taken SCENE: puts that snapshot of setup_file in this folder.
taken() {
	cp "$BATS_FILE_TMPDIR/$1"/* .
}

# folded: the folded stacks of the lines of a recording.
folded() {
	record | stackcollapse-perf --no-inline "$@"
}

# same COMMAND SCENE...: compares what is unwound with what was recorded.
same() {
	"$@"
	folded < chained > expected
	[ "$(grep -c ';middle.*;innermost' expected)" -eq $(($# - 1)) ]
	folded < unwound | diff expected -
}

# The first function of a coroutine is the last of its stack.
@test "a stack is unwound to the functions that backtrace(3) finds" {
	same "$PROGRAM" plain deep variable aligned library signal coroutine
	has ';run_coroutine;deep;deep;deep;.*middle;' expected
	has ';main;play;deep;.*;deep;middle;' expected
}

@test "a stack is unwound however the program was compiled" {
	for flags in -O0 '-O2 -static' '-O3 -no-pie -fno-omit-frame-pointer'; do
		snapshot program $flags
		same ./program plain deep variable aligned library signal
	done
}

@test "a stack of a stripped program is unwound by the tables beside it" {
	command -v objcopy > /dev/null || skip 'install binutils'
	snapshot whole -O2 -g -fno-asynchronous-unwind-tables \
	    -fno-unwind-tables
	objcopy --only-keep-debug --compress-debug-sections whole program.debug
	objcopy --strip-all --add-gnu-debuglink=program.debug whole program
	./program plain deep variable
	folded < unwound > out
	reaches_main
}

# reaches_main: whether the scenes plain, deep and variable are whole in `out`.
reaches_main() {
	for what in middle deep variable; do
		has ";main;.*$what.*;innermost[.a-z]* 1$" out
	done
}

# arm FLAG...: builds the program for aarch64, where it can be run.
arm() {
	command -v aarch64-linux-gnu-gcc > /dev/null ||
		skip 'install gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
	command -v qemu-aarch64 > /dev/null || skip 'install qemu-user'
	CC=aarch64-linux-gnu-gcc snapshot program "$@"
}

run_arm() {
	qemu-aarch64 -L /usr/aarch64-linux-gnu ./program "$@"
}

@test "a stack of aarch64 is unwound, whose return addresses may be signed" {
	for flags in -O0 '-O2 -mbranch-protection=standard'; do
		arm $flags
		same run_arm plain deep variable aligned library signal \
		    coroutine
	done
}

# returns SCENE COMMAND...: whether a stack goes on behind a signal that returns
# in the scene's way as it does by glibc's return, which has a row.
returns() {
	"${@:2}" signal "$1"
	folded < unwound | sed 's/;[^;]*;handle;/;RETURN;handle;/' > out
	[ "$(wc -l < out)" -eq 2 ]
	[ "$(sort -u out | wc -l)" -eq 1 ]
	has ';main;.*;RETURN;handle;middle;innermost[.a-z]* 1$' out
}

@test "a stack goes on after a signal without a row of its return" {
	returns bare "$PROGRAM"
}

# backtrace(3) takes the row.  What is after the return has the name of what is
# before it.
@test "a stack of aarch64 goes on after a signal, whatever row is beside its return" {
	arm -O2 -static
	returns behind-row run_arm
}

@test "without tables, a stack of aarch64 is unwound by its frame pointers" {
	arm -O1 -fno-unwind-tables -fno-asynchronous-unwind-tables
	run_arm plain deep variable
	folded < unwound > out 2> err
	reaches_main
}

# expected FILE: what readelf says of the rows, without what is undefined.
expected() {
	readelf -wF "$1" 2> err | awk '
	/^ +LOC/ { for (i = 3; i <= NF; i++) name[i] = $i; next }
	/FDE/ { on = 1 }
	/ CIE / { on = 0 }
	on && /^[0-9a-f]+ / && length($1) == 16 && !($2 ~ /^[0-9a-f]+$/) {
		gsub(/ \([^)]*\)/, "")
		gsub(/r1 /, "rdx ")
		gsub(/r2 /, "rcx ")
		line = $1
		sub(/^0+/, "", line)
		line = line " " $2
		for (i = 3; i <= NF; i++)
			if ($i != "u" && $i != "s")
				line = line " " name[i] "=" $i
		print line
	}'
}

@test "rows of unwind tables match readelf" {
	command -v readelf > /dev/null || skip 'install binutils'
	[ "$(uname -m)" = x86_64 ] || skip 'names of registers of x86-64'
	snapshot program -O2 -static
	snapshot debug -O2 -g -fno-asynchronous-unwind-tables \
	    -fno-unwind-tables -gz
	for file in program debug; do
		expected $file > rows
		[ "$(wc -l < rows)" -gt 20 ]
		cut -d ' ' -f 1 rows | "$UNIT" frames $file |
			sed 's/ [a-z0-9]*=u//g' | diff rows -
	done
}

# Each row ends where the next one begins; so the last address of each but the
# last row of a function has that row, too.
@test "rows of all CFA operations, to their last addresses" {
	command -v readelf > /dev/null || skip 'install binutils'
	[ "$(uname -m)" = x86_64 ] || skip 'names of registers of x86-64'
	cp "$TOP/test/symbols/rows.s" eh.s
	{ echo '.cfi_sections .debug_frame'; cat eh.s; } > debug.s
	for file in eh debug; do
		gcc -shared -nostdlib -Wl,-z,max-page-size=4096 -o $file $file.s
		# readelf has 32 bits for the last one
		expected $file | sed 's/rsp-2147483648/rsp+2147483648/' > rows
		[ "$(wc -l < rows)" -ge 20 ]
		before=
		while read -r at own; do
			[ -z "$before" ] ||
				printf '%x %s\n' $((0x$at - 1)) "$before"
			echo "$at $own"
			before=$own
		done < rows > asked
		cut -d ' ' -f 1 asked | "$UNIT" frames $file |
			sed 's/ [a-z0-9]*=u//g' | diff asked -
	done
}

@test "a function without an entry is guessed, an address in no segment ends the stack" {
	command -v ld > /dev/null || skip 'install binutils'
	[ "$(uname -m)" = x86_64 ] || skip 'names of registers of x86-64'
	cat > kinds.s <<-'END'
	.globl _start
	_start:	.cfi_startproc		# 16 bytes each
		.skip 16
		.cfi_endproc
	untold:	.skip 16
	long:	.cfi_startproc
		.cfi_def_cfa_offset 0x80000000
		.skip 16
		.cfi_endproc
	damaged:
		.cfi_startproc
		.cfi_escape 0x2e, 0x5a, 0x2e, 0x5a
		.skip 16
		.cfi_endproc
	END
	as -o kinds.o kinds.s
	ld -N --eh-frame-hdr -o kinds kinds.o 2> err	# in one segment
	readelf -lW kinds | awk '$1 == "LOAD" { print $2, $5, $6 }' > segment
	read -r start size mapped < segment
	[ "$(wc -l < segment)" -eq 1 ]
	[ "$size" = "$mapped" ]
	text=$(readelf -SW kinds | sed -n \
	    's/.* \.text *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/0x\1/p')
	# an operation that does not exist
	LC_ALL=C sed 's/\.Z\.Z/?Z.Z/' kinds > file
	printf '%x\n' $((text)) $((text + 15)) $((text + 16)) $((text + 31)) \
		$((text + 32)) $((text + 47)) $((text + 48)) $((text + 63)) \
		$((text + 64)) $((start - 1)) $((start + size - 1)) \
		$((start + size)) > offsets
	"$UNIT" frames file kinds < offsets | paste -s -d ' ' |
		is_line short short guess guess long long end end \
		    guess end guess end
	# without tables nothing is guessed
	objcopy -R .eh_frame -R .eh_frame_hdr kinds none 2> err
	"$UNIT" frames none kinds < offsets | sort -u | is_line end
}

# common BYTES: the row at 1000 of a function, one of 20,000 that have a CIE in
# common, whose program has this many bytes that do nothing.
common() {
	cat > common.s <<-END
	.text
	.skip 4096
	.section .debug_frame,"",@progbits
		.long 2f - 1f
	1:	.long 0xffffffff
		.byte 1, 0, 1, 0x78, 16
		.byte 0x0c, 7, 8, 0x90, 1
		.fill $1, 1, 0
	2:	.rept 20000
		.long 20, 0
		.quad 0x1000, 0x1000
		.endr
	END
	as -o common.o common.s
	ld -shared -z max-page-size=4096 -Ttext=0x1000 -o common common.o
	echo 1000 | (ulimit -t 10 && "$UNIT" frames common)
}

@test "an entry that all functions have in common costs a bounded time" {
	command -v ld > /dev/null || skip 'install binutils'
	[ "$(uname -m)" = x86_64 ] || skip 'names of registers of x86-64'
	common 900 | is_line '1000 rsp+8 ra=c-8'
	common 4000000 | is_line '1000 nothing'
}

@test "a stack ends where its copy does, or at --max-stack" {
	# a stack ends where its copy does
	taken deep
	folded < unwound > whole
	cp stack.1 copy
	for size in 9 400; do
		head -c $size copy > stack.1
		folded < unwound > part 2> err
		has ';innermost\|;deep' part
		fails 1 grep main part
	done
	# an unwound stack is cut off at --max-stack
	taken deep
	for most in 1 50; do
		folded --max-stack=$most < unwound | tr ';' '\n' |
			tail -n +2 | wc -l | is_line $most
	done
}

# large COUNT: makes a recording of this many samples of `deep`, whose copies have
# SIZE bytes.
large() {
	[ "$(wc -c < stack.1)" -lt 16384 ]
	folded < unwound > whole
	[ "$(tr ';' '\n' < whole | grep -c deep)" -gt 90 ]
	truncate -s "$2" stack.1
	sed '/^sample/!d' unwound > sample
	sed '/^sample/d' unwound
	for ((i = 0; i < $1; i++)); do
		cat sample
	done
}

@test "large copies of stacks are unwound as far as small ones" {
	for size in 16385 65000; do
		taken deep
		# the last record has a header of 8 bytes, and makes no sample
		{ large 100 $size; echo 'record 9 0 00'; } | record > perf.data
		fails 1 stackcollapse-perf --no-inline perf.data 2> err |
			diff <(sed 's/ 1$/ 100/' whole) -
		# where its records end
		read -r start len < <(od -A n -j 40 -N 16 -t u8 perf.data)
		end=$((start + len))
		grep "left out: 1, the first at byte $((end - 9))\$" err
		# a part of the last sample is missing
		truncate -s $((end - 18)) perf.data
		fails 1 stackcollapse-perf --no-inline perf.data 2> err |
			diff <(sed 's/ 1$/ 99/' whole) -
		grep -q 'is cut off; bytes that are missing at its end: ' err
	done
}

@test "the kernel's part of a stack is joined to the program's, or alone" {
	# the kernel's part of a stack is joined to the program's
	taken plain
	echo 'kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text' > kernel
	sed -e 's/ u @/ k k: 0xffffffff81000010 @/' -e '/^event/r kernel' unwound |
		record > perf.data
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000010 T do_it' > names
	stackcollapse-perf --no-inline --kallsyms=names perf.data > out
	folded < unwound | sed 's/ 1$/;do_it 1/' | diff - out
	# without registers or a stack there is the kernel's part alone
	for file in registers.1 stack.1; do
		taken plain
		: > $file
		sed 's/ u @\(0x[0-9a-f]*\)/ u u: 0x10/' unwound |
			folded 2> err | is_line ':9;[unknown] 1'
	done
}

# perf is the witness; it must be able to record here.
@test "stacks match perf script" {
	command -v perf > /dev/null || skip 'install linux-perf'
	cat > work.c <<-'END'
	#include <stdlib.h>
	static volatile double sink;
	static int compare(const void *a, const void *b)
	{ return *(const int *)a - *(const int *)b; }
	__attribute__((noinline)) static double inner(int n)
	{ double s = 0; for (int i = 1; i < n; i++) s += 1.0 / i; return s; }
	__attribute__((noinline)) static double deeper(int n)
	{ return n == 0 ? inner(20000) : deeper(n - 1) + n; }
	int main(void) {
		static int list[20000];
		for (int k = 0; k < 20; k++) {
			for (int i = 0; i < 20000; i++) list[i] = rand();
			qsort(list, 20000, sizeof(*list), compare);
			sink += deeper(k % 20);
		}
	}
	END
	# -fno-plt: perf prints _init, which has no size, of rand@plt
	"${CC:-cc}" -O2 -fno-plt -o work work.c
	perf record -q -e cpu-clock -F 2000 --call-graph dwarf,8192 \
	    -o perf.data ./work 2> err > /dev/null ||
		skip 'perf does not record here'
	perf script --no-inline -i perf.data 2> err |
		stackcollapse-perf > expected
	stackcollapse-perf --no-unit --no-inline perf.data |
		diff expected -
	has 'main;' expected
}
