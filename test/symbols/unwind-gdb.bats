load ../helper
load ../unit

# Stacks of programs of many kinds that gdb stops, as gdb unwinds them
# (unit/stopped.py); where gdb guesses, as the program is made.

setup_file() {
	command -v gdb > /dev/null || { lacks 'install gdb'; return; }
	command -v gcc > /dev/null || { lacks 'install gcc'; return; }
	makes_x86_64 || { lacks 'not written for this machine'; return; }
	needs_drivers
	cat > "$BATS_FILE_TMPDIR/work.c" <<-'END'
	#include <signal.h>
	#include <stdlib.h>
	#include <string.h>
	#define APART __attribute__((noinline, noclone))
	static volatile int one = 1;
	APART void stop_here(int n) { one += n; }
	static inline __attribute__((always_inline)) int inlined(int n)
	{ stop_here(n); return n * one; }
	APART int middle(int n) { return inlined(n) + one; }
	APART int deep(int n)
	{ return n == 0 ? middle(n) + one : deep(n - 1) * one + n; }
	APART int variable(int n)
	{
		char text[n];
		memset(text, one, (size_t)n);
		return deep(text[0]) + text[n / 2];
	}
	APART static int compare(const void *a, const void *b)
	{ return variable(900) + *(const int *)a - *(const int *)b; }
	APART static void sort(int n)
	{
		int list[] = { 3, 1, 2 };
		qsort(list, 3, sizeof(*list), compare);
		one += n + list[0];
	}
	APART static void handle(int n) { one += variable(n * 9) + one; }
	int main(int argc, char **argv)
	{
		(void)argv;
		signal(SIGUSR1, argc > 2 ? sort : handle);
		if (argc > 1)
			raise(SIGUSR1);
		return variable(99) + one;
	}
	END
	cd "$BATS_FILE_TMPDIR" || return
	gcc -g -o try work.c
	stop <<< 'tried try stop_here'
	[ -s tried/callers ] || lacks 'gdb cannot stop a program here'
}

WORK=$BATS_FILE_TMPDIR/work.c

# stop: takes snapshots of programs; reads lines "FOLDER PROGRAM FUNCTION
# [ARGUMENT...]".
stop() {
	cat > stops
	gdb -batch -nx -x "$TOP/test/unit/stopped.py" > gdb.out 2>&1 < /dev/null
}

# unwound FOLDER OPTION...: the stack, without the process and the count.
unwound() (
	cd "$1" || return
	record < recording | stackcollapse-perf "${@:2}" 2> err |
		sed -e 's/^:9;//' -e 's/ 1$//'
)

# agrees FOLDER FUNCTION: whether all that this function calls is what gdb finds,
# with inlined functions and without.
agrees() {
	sed "s/.*;$2;/$2;/" "$1/callers" > expected
	has "^$2;.*stop" expected
	{ unwound "$1"; unwound "$1" --no-inline; } | sed "s/.*;$2;/$2;/" |
		diff expected -
}

@test "programs of 32 bits, from main through a library's function" {
	makes_i386 || skip 'install gcc-multilib'
	"$BATS_TEST_TMPDIR/narrow" || skip 'no programs of 32 bits run here'
	gcc -m32 -g -O0 -o 1 "$WORK"
	gcc -m32 -g -O2 -fno-asynchronous-unwind-tables -o 2 "$WORK"
	# in main, a handler and a library's call
	for program in 1 2; do
		echo "main.$program $program stop_here"
		echo "signal.$program $program stop_here signal"
		echo "library.$program $program stop_here signal library"
	done | stop
	for program in 1 2; do
		agrees main.$program main
		unwound main.$program | has ';main;variable;deep;'
		agrees library.$program compare
	done
}

@test "Go's programs, by tables that are debug information alone" {
	command -v go > /dev/null || skip 'install golang-go'
	export HOME=$PWD GOCACHE=$PWD/cache GO111MODULE=off GOFLAGS=
	cat > work.go <<-'END'
	package main

	var sink int

	//go:noinline
	func stop(n int) int { sink += n; return sink }

	func inlined(n int) int { return stop(n) + 1 }

	//go:noinline
	func deep(n int) int {
		if n == 0 {
			return inlined(n)
		}
		return deep(n-1) + n
	}

	func main() {
		done := make(chan bool)
		go func() { deep(2); done <- true }()
		<-done
	}
	END
	go build -o program work.go
	stop <<< 'go program main.stop'
	agrees go main.main.func1
	# nothing is above goexit, whose return address is 0
	unwound go | has '^runtime\.goexit[.a-z0-9]*;main\.main\.func1;'
}

# Those by expressions in memory are in stacks of `aligned` in unwind.bats.
@test "functions of assembler, with rules that compilers do not make" {
	gcc -g -o program "$TOP/test/symbols/rules.s"
	stop <<< 'rules program *stop'
	head -1 rules/callers | sed "s/.*;main;/main;/" |
		is_line 'main;in_register;by_value;by_value_expression;stop'
	agrees rules main
}

# Where nothing is known of a function, the frame pointer is tried, so that the
# caller of one that has none is left out.  A stub has a caller, though nothing is
# known of it.
@test "functions without rules are unwound by their frame pointers" {
	cat > stub.c <<-'END'
	#include <stdio.h>
	__attribute__((noinline)) int caller(int n) { return puts("x") + n; }
	int main(int argc, char **argv) { (void)argv; return caller(argc) + 1; }
	END
	gcc -o bare "$TOP/test/symbols/bare.s"
	gcc -O2 -fcf-protection=none -fomit-frame-pointer -o stub stub.c \
	    -Wl,-z,lazy,--no-ld-generated-unwind-info
	stop <<-'END'
	at_stop bare *stop
	in_third bare *third+4
	in_stub stub *'puts@plt'
	END
	unwound at_stop | sed 's/.*;main;/main;/' |
		is_line 'main;first;third;fourth;stop'
	unwound in_third | sed 's/.*;main;/main;/' | is_line 'main;first;third'
	# the stub may be called _init, as perf calls it
	unwound in_stub | has ';main;caller;[^;]*$'
}

# A function that leaves no frame pointer is the last one, as in libunwind.  After
# the frame of a signal, victim is interrupted before it runs: a byte before is
# another function.  Code that a program has made, sub $8, %rsp; call *%rdi;
# add $8, %rsp; ret, ends a stack, as it does for perf.
@test "a stack goes on at a signal, and ends without a frame pointer or at code that was made" {
	cat > jit.c <<-'END'
	#include <string.h>
	#include <sys/mman.h>
	__attribute__((noinline)) void stop_here(void) { __asm__(""); }
	__attribute__((noinline)) void back(void) { stop_here(); __asm__(""); }
	__attribute__((noinline)) void last(void)
	{ __asm__(".cfi_undefined %rbp"); stop_here(); __asm__(""); }
	int main(int argc, char **argv)
	{
		static const char code[] =
		    "\x48\x83\xec\x08\xff\xd7\x48\x83\xc4\x08\xc3";
		char *made = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(made, code, sizeof(code));
		if (argc > 1)
			last();
		((void (*)(void (*)(void)))made)(back);
		return 0;
	}
	END
	gcc -o signal "$TOP/test/symbols/signal.s"
	gcc -w -D_GNU_SOURCE -O2 -fomit-frame-pointer -o jit jit.c
	stop <<-'END'
	in_signal signal *stop
	in_jit jit stop_here
	in_last jit stop_here last
	END
	unwound in_signal | sed 's/.*;main;/main;/' |
		is_line 'main;victim;restorer;stop'
	unwound in_last | is_line 'last;stop_here'
	unwound in_jit | is_line '[perf-9.map];back;stop_here'
}
