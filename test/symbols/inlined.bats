load ../helper
load ../unit

# Functions that compilers have inlined, which debug information tells.

setup_file() {
	for tool in readelf objcopy addr2line; do
		command -v "$tool" > /dev/null || { lacks 'no binutils'; return; }
	done
	makes_x86_64 || { lacks 'not written for this'; return; }
	needs_drivers
}

section() {
	"$UNIT" section "$@"
}

# A program with a few KB of debug information.
program() {
	cat > many.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/socket.h>
	int main(int argc, char **argv) { return puts(argv[argc - 1]); }
	END
	gcc -g -O1 "$@" -o packed many.c
}

# unpacks NAME...: whether these sections of `packed` are what objcopy unpacks.
unpacks() {
	objcopy --decompress-debug-sections packed plain
	for name; do
		section packed "$name" > ours
		objcopy -O binary --only-section="$name" \
		    --set-section-flags "$name=alloc" plain theirs
		[ -s theirs ]
		cmp ours theirs
	done
}

@test "sections are read as they are, and as zlib has packed them" {
	for form in none zlib zlib-gnu; do
		program -gz=$form
		unpacks .debug_info .debug_abbrev .debug_str .debug_line
	done
	section packed .debug_none | diff <(echo missing) -
	section packed .bss | diff <(echo missing) -
}

# objcopy can pack by zstd since binutils 2.40.
@test "sections that zstd has packed are unpacked by it" {
	command -v zstd > /dev/null || skip 'no zstd'
	program -gz=none
	objcopy --compress-debug-sections=zstd packed 2> /dev/null ||
		skip 'no binutils with zstd'
	readelf -t packed | has ZSTD || skip 'no binutils with zstd'
	unpacks .debug_info .debug_str
	program=$UNIT section
	PATH=/nonexistent "$program" packed .debug_info |
		diff <(echo 'no zstd') -
	header 24 'damaged'
	section packed .debug_str | diff <(echo damaged) -
}

@test "sections of the old name that are not packed are read as they are" {
	program -gz=none
	section packed .debug_str > expected
	[ -s expected ]
	objcopy --rename-section .debug_str=.zdebug_str packed
	section packed .debug_str | cmp expected -
}

# header OFFSET BYTES: writes over the header of .debug_str.
header() {
	local at
	at=$(readelf -SW packed | sed -n 's/.* \.debug_str  *[A-Z]* *[0-9a-f]* //p')
	printf '%b' "$2" | dd of=packed bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + $1))
}

@test "sections that say they are larger than they can be are not unpacked" {
	program -gz=zlib
	header 8 '\0\0\0\0\1'
	section packed .debug_str | diff <(echo 'too large') -
	# 4 GB in 1 GB, of which the disk holds nothing
	program -gz=zlib
	table=$(od -An -td8 -j40 -N8 packed)
	number=$(readelf -SW packed | sed -n 's/^ *\[ *\([0-9]*\)\] \.debug_str .*/\1/p')
	truncate -s 1200M packed
	printf '\0\0\0\100' | dd of=packed bs=1 conv=notrunc status=none \
	    seek=$((table + 64 * number + 32))
	header 8 '\0\0\0\0\1'
	section packed .debug_str | diff <(echo 'too large') -
	program -gz=zlib
	header 8 '\1\0\0'
	section packed .debug_str | diff <(echo damaged) -
	program -gz=zlib
	header 0 '\7'
	section packed .debug_str | diff <(echo damaged) -
}

# nested FILE COMPILER FLAG...: builds a program with a label, "here", in a
# function that is inlined into two others, and in main as many as it is called.
nested() {
	cat > nested.c <<-'END'
	#define INLINED static inline __attribute__((always_inline))
	#define APART __attribute__((noinline))
	volatile int sink;
	INLINED void inner(void)
	{
		__asm__ volatile(".globl here\nhere: nop");
		sink++;
	}
	INLINED void middle(int n)
	{
		while (n-- > 0)
			inner();
	}
	APART void outer(int n)
	{
		if (n > 1) {
			sink--;
			middle(n);
		}
	}
	APART int apart(int n) { return n + sink; }
	int main(int argc, char **argv)
	{
		(void)argv;
		outer(argc);
		return apart(argc);
	}
	END
	"${@:2}" -o "$1" nested.c
}

# address FILE SYMBOL
address() {
	nm "$1" | sed -n "s/^0*\([0-9a-f]*\) . $2\$/\1/p"
}

# tells FILE: whether the functions at its labels are known.
tells() {
	"$UNIT" inlines "$1" <<-END > told
	$(address "$1" here)
	$(address "$1" apart)
	1
	END
	sed 's/^[0-9a-f]*: *//' told | diff <(cat <<-'END'
	inner nested.c:6 < middle nested.c:12 < outer nested.c:18
	apart nested.c:21

	END
	) -
}

@test "functions that gcc and clang inline, in all versions of DWARF" {
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		for flags in -gdwarf-{2,3,4,5} '-gdwarf-5 -gdwarf64' '-g -gz' -g3 \
		    '-g -no-pie' '-g -static' '-g -ffunction-sections' \
		    '-g -flto' '-gdwarf-4 -fdebug-types-section'; do
			for level in -O0 -O2; do
				# shellcheck disable=SC2086 # flags are several
				nested prog $compiler $level $flags
				tells prog
			done
		done
		# Of other functions, clang tells nothing then.
		nested prog $compiler -O2 -g1
		tells prog || has \
		    ': inner nested.c:6 < middle nested.c:12 < outer nested.c:18$' told
	done
}

@test "functions that are inlined in programs of 32 bits" {
	makes_i386 || skip 'no programs of 32 bits'
	for flags in -gdwarf-{2,3,4,5} '-g -gz' '-g -no-pie' '-g -flto'; do
		for level in -O0 -O2; do
			# shellcheck disable=SC2086 # flags are several
			nested prog gcc -m32 $level $flags
			tells prog
		done
	done
}

# recorded FILE: a recording of a chain of addresses in the file, of its labels.
recorded() {
	"$UNIT" perfdata <<-END > perf.data
	event cycles 0 0 ip,tid,period,chain 1
	comm 1 1 prog
	map 1 1 0x10000000 0x1000000 0 $PWD/$1
	sample 1 1 1 0 7 u u: $((0x10000000 + 0x$(address "$1" here)))
	sample 1 1 1 0 7 u u: $((0x10000000 + 0x$(address "$1" apart)))
	END
}

@test "stacks of a recording have the functions that were inlined" {
	nested prog gcc -O2 -g
	recorded prog
	stackcollapse-perf perf.data |
		diff <(printf 'prog;%s 7\n' apart 'outer;middle;inner') -
	for options in --no-inline '--inline --no-inline'; do
		# shellcheck disable=SC2086 # options are several
		stackcollapse-perf $options perf.data |
			diff <(printf 'prog;%s 7\n' apart outer) -
	done
	objcopy --only-keep-debug prog prog.debug
	strip prog
	objcopy --add-gnu-debuglink=prog.debug prog
	stackcollapse-perf perf.data |
		diff <(printf 'prog;%s 7\n' apart 'outer;middle;inner') -
}

# As perf 7 prints it, which shows what was inlined in call graphs alone.
@test "a sample without a call graph is the function that has its code" {
	nested prog gcc -O2 -g
	"$UNIT" perfdata <<-END > perf.data
	event cycles 0 0 ip,tid,period 1
	comm 1 1 prog
	map 1 1 0x10000000 0x1000000 0 $PWD/prog
	sample 1 1 1 0 7 u $((0x10000000 + 0x$(address prog here)))
	END
	stackcollapse-perf perf.data | diff <(echo 'prog;outer 7') -
}

@test "every address of a function has what is inlined there, and no other" {
	nested prog gcc -O2 -g
	start=$((0x$(address prog outer)))
	size=$(readelf -sW prog | awk '$8 == "outer" { print $3 }')
	[ "$size" -gt 10 ]
	for ((i = 0; i < size; i++)); do
		printf '%x\n' $((start + i))
	done > addresses
	"$UNIT" perfdata <<-END > perf.data
	event cycles 0 0 ip,tid,period,chain 1
	comm 1 1 prog
	map 1 1 0x10000000 0x1000000 0 $PWD/prog
	$(sed 's/.*/sample 1 1 1 0 1 u u: 0x&/' addresses |
		while read -r line; do
			echo "${line% *} $((0x10000000 + ${line##* }))"
		done)
	END
	# addr2line tells a function and its line, from the innermost outwards
	while read -r address; do
		addr2line -fie prog "$address" | sed -n 1~2p | tac |
			paste -s -d ';'
	done < addresses | sed 's/^/prog;/' | LC_ALL=C sort | uniq -c |
		awk '{ print $2, $1 }' > told
	[ "$(wc -l < told)" -gt 1 ]
	stackcollapse-perf perf.data | LC_ALL=C sort | diff told -
}

# Where it is linked, and 96 MB beyond, where the kernel put it.
@test "functions that were inlined in the kernel, in a vmlinux" {
	nested vmlinux gcc -O2 -g -nostdlib -static -mcmodel=kernel -fno-pie \
	    -no-pie -Wl,-e,main,--build-id=sha1,-Ttext=0xffffffff81000000 \
	    -Wl,--defsym=_text=0xffffffff81000000
	id=$(readelf -n vmlinux | sed -n 's/.*Build ID: //p')
	here=$(printf '0x%x' $((0x$(address vmlinux here) + 0x6000000)))
	"$UNIT" perfdata <<-END > perf.data
	event cycles 0 0 ip,tid,period,chain 1
	id [kernel.kallsyms] $id
	kernel 0xffffffff87000000 0x1000000 0xffffffff87000000 [kernel.kallsyms]_text
	comm 1 1 prog
	sample 1 1 1 0 7 k k: $here
	END
	stackcollapse-perf --symfs=. --kernel perf.data |
		diff <(echo 'prog;outer_[k];middle;inner 7') -
	stackcollapse-perf --symfs=. --no-inline perf.data |
		diff <(echo 'prog;outer 7') -
	strip --strip-debug vmlinux
	stackcollapse-perf --symfs=. perf.data |
		diff <(echo 'prog;outer 7') -
}

@test "--context and --srcline add source lines to a recording's functions" {
	nested prog gcc -O2 -g
	recorded prog
	stackcollapse-perf --context perf.data | diff <(cat <<-'END'
	prog;apart:nested.c:21 7
	prog;outer:nested.c:18;middle:nested.c:12;inner:nested.c:6 7
	END
	) -
	stackcollapse-perf --no-inline --srcline perf.data | diff <(cat <<-'END'
	prog;apart:nested.c:21 7
	prog;outer:nested.c:6 7
	END
	) -
	stackcollapse-perf --srcline perf.data | diff <(cat <<-'END'
	prog;apart:nested.c:21 7
	prog;outer:nested.c:18;middle:nested.c:12 (inlined);inner:nested.c:6 (inlined) 7
	END
	) -
	# where there is no inlined function to be found, nothing is added
	stackcollapse-perf --no-inline --context perf.data |
		diff <(printf 'prog;%s 7\n' apart outer) -
}

@test "a file whose debug information is damaged is told, once" {
	nested prog gcc -O2 -g -gz
	recorded prog
	at=$(readelf -SW prog | sed -n 's/.* \.debug_info  *[A-Z]* *[0-9a-f]* //p')
	printf '\7' | dd of=prog bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + 30))
	stackcollapse-perf --inline perf.data 2> err |
		diff <(printf 'prog;%s 7\n' apart outer) -
	diff <(echo "stackcollapse-perf: $PWD/prog: damaged debug information; inlined functions may be missing") err
}

# overwrite OFFSET BYTES: changes .debug_info of a program that was recorded.
overwrite() {
	local at
	at=$(readelf -SW prog |
		sed -n 's/.* \.debug_info  *[A-Z]* *[0-9a-f]* //p')
	printf '%b' "$2" | dd of=prog bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + $1))
}

# tells_why WHY: the recording's functions are those of symbols, with this line.
tells_why() {
	stackcollapse-perf --inline perf.data 2> err |
		diff <(printf 'prog;%s 7\n' apart outer) -
	diff <(echo "stackcollapse-perf: $PWD/prog: $1; inlined functions may be missing") err
}

@test "a file whose debug information cannot be unpacked is told, with why" {
	nested prog gcc -O2 -g -gz=zlib
	recorded prog
	overwrite 8 '\0\0\0\0\1'
	tells_why 'debug information that is too large when unpacked'
	nested prog gcc -O2 -g -gz=none
	command -v zstd > /dev/null || skip 'no zstd'
	objcopy --compress-debug-sections=zstd prog 2> /dev/null ||
		skip 'no binutils with zstd'
	readelf -t prog | has ZSTD || skip 'no binutils with zstd'
	stackcollapse-perf --inline perf.data |
		diff <(printf 'prog;%s 7\n' apart 'outer;middle;inner') -
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" --inline perf.data > out 2> err
	printf 'prog;%s 7\n' apart outer | diff - out
	has -F "$PWD/prog: debug information that needs zstd to be unpacked;" err
}

# in_parts COMPILER FLAG...: the same program with a unit in front, which was
# split, too, and has other texts, addresses and ranges.
in_parts() {
	cat > front.c <<-'END'
	volatile int other;
	static inline __attribute__((always_inline)) void first(int n)
	{
		while (n-- > 0)
			other++;
	}
	__attribute__((noinline)) void front(int n) { first(n); }
	__attribute__((cold)) void side(int n) { first(n); first(n + 1); }
	END
	rm -f ./*.dwo prog.dwp
	nested prog "$@" -gsplit-dwarf front.c
}

@test "functions that were split off, in a file for each object" {
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		for flags in -gdwarf-{4,5} '-gdwarf-4 -fdebug-types-section' \
		    '-gdwarf-5 -fdebug-types-section' '-gdwarf-5 -gz' \
		    '-gdwarf-5 -ffunction-sections' '-gdwarf-5 -gdwarf64'; do
			for level in -O0 -O2; do
				# shellcheck disable=SC2086 # flags are several
				in_parts $compiler $level $flags
				tells prog
			done
		done
	done
}

@test "functions that were split off, in several sections of a name" {
	command -v g++ > /dev/null || skip 'no g++'
	cat > types.h <<-'END'
	struct first { int n; } first_used __attribute__((used));
	struct second { first of; } second_used __attribute__((used));
	END
	for flags in '' -gz; do
		# shellcheck disable=SC2086 # it may be none
		nested prog g++ -O2 -gdwarf-5 -gsplit-dwarf \
		    -fdebug-types-section $flags -include types.h
		readelf -SW prog-nested.dwo > sections
		[ "$(grep -c 'debug_info.dwo' sections)" -eq 3 ]
		address prog here > places
		"$UNIT" inlines prog < places |
			has ': inner nested.c:6 < middle nested.c:12 < outer nested.c:18$'
	done
	# the last build packed them; the header of one of them is damaged
	at=$(readelf -SW prog-nested.dwo | sed -n \
		's/.* \.debug_info\.dwo  *[A-Z]* *[0-9a-f]* //p' | tail -n 1)
	printf '\7' | dd of=prog-nested.dwo bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *}))
	"$UNIT" inlines prog < places |
		fails 1 grep inner
}

@test "functions that were split off, in a package beside the program" {
	# Both have forms that they do not know, and end badly, or never.
	for made in 'gcc 4 dwp' 'gcc 4 llvm-dwp' 'clang 5 llvm-dwp'; do
		read -r compiler version maker <<< "$made"
		command -v "$compiler" > /dev/null || continue
		command -v "$maker" > /dev/null || continue
		in_parts "$compiler" -O2 "-gdwarf-$version"
		timeout 60 "$maker" -e prog -o prog.dwp || continue
		rm ./*.dwo
		tells prog
		# the other unit is there, too, and a file of debug information
		# has the package that the program has
		objcopy --only-keep-debug prog prog.debug
		strip -o bare prog
		objcopy --add-gnu-debuglink=prog.debug bare
		mv prog.dwp bare.dwp
		address prog front > places
		"$UNIT" inlines bare < places |
			has ': .*front front.c:'
	done
}

# Each unit has lists of ranges of its own, which a column of the index finds.
@test "functions in several ranges, in a package of several units" {
	command -v clang > /dev/null || skip 'no clang'
	command -v llvm-dwp > /dev/null || skip 'no llvm-dwp'
	cat > part.c <<-'END'
	#define TEXT(name) #name
	#define LABEL(name) TEXT(.globl name) "\n" TEXT(name) ": nop"
	#define INLINED static inline __attribute__((always_inline))
	static volatile int sink;
	INLINED int inner(int n)
	{
		if (__builtin_expect(n > 1000, 0)) {
			__asm__ volatile(LABEL(PLACE));
			__builtin_trap();
		}
		while (n-- > 0)
			sink++;
		return sink;
	}
	#ifdef MAIN
	int first(int n);
	INLINED int middle(int n) { return n > 7 ? inner(n) + sink : 0; }
	int main(int argc, char **argv)
	{
		(void)argv;
		return middle(argc) + first(argc);
	}
	#else
	int first(int n) { return inner(n) + sink; }
	#endif
	END
	set -- clang -O2 -gdwarf-5 -gsplit-dwarf
	"$@" -DPLACE=here -c -o first.o part.c
	"$@" -DPLACE=there -DMAIN -c -o main.o part.c
	clang -o prog first.o main.o
	timeout 60 llvm-dwp -e prog -o prog.dwp || skip 'llvm-dwp fails'
	rm ./*.dwo
	readelf -SW prog.dwp | has rnglists || skip 'no lists of ranges'
	{
		address prog here
		address prog there
	} | "$UNIT" inlines prog |
		sed 's/^[0-9a-f]*: *//' | diff <(cat <<-'END'
	inner part.c:8 < first part.c:24
	inner part.c:8 < middle part.c:17 < main part.c:21
	END
	) -
}

# An index of their own tells where type units are, which hold no functions.
@test "functions that were split off, in a package with units of types" {
	command -v g++ > /dev/null || skip 'no g++'
	cat > types.cc <<-'END'
	#define INLINED inline __attribute__((always_inline))
	struct Shape {
		int side;
		INLINED int area(int n)
		{
			__asm__ volatile(".globl here\nhere: nop");
			return side += n;
		}
	};
	template <typename T> struct Box {
		T of;
		INLINED int open(int n) { return of.area(n) + n; }
		__attribute__((noinline)) int shut(int n);
	};
	template <typename T> int Box<T>::shut(int n) { return open(n) + n; }
	Box<Shape> box;
	int main(int argc, char **) { return box.shut(argc); }
	END
	for made in 'g++ 4 dwp' 'g++ 4 llvm-dwp' 'g++ 5 llvm-dwp' \
	    'clang++ 5 llvm-dwp'; do
		read -r compiler version maker <<< "$made"
		command -v "$compiler" > /dev/null || continue
		command -v "$maker" > /dev/null || continue
		rm -f ./*.dwo prog.dwp
		"$compiler" -O2 "-gdwarf-$version" -gsplit-dwarf \
		    -fdebug-types-section -o prog types.cc
		timeout 60 "$maker" -e prog -o prog.dwp || continue
		rm ./*.dwo
		readelf -SW prog.dwp > sections
		has tu_index sections
		address prog here | "$UNIT" inlines prog |
			sed 's/^[0-9a-f]*: *//' |
			diff <(echo 'Shape::area types.cc:6 < Box<Shape>::open types.cc:12 < Box<Shape>::shut types.cc:15') -
	done
}

@test "a file that functions were split off to is opened once" {
	command -v strace > /dev/null || skip 'no strace'
	strace -o trace true || skip 'strace cannot trace here'
	export ASAN_OPTIONS=detect_leaks=0
	# opened FILE...: whether each was opened once, of all that are there
	opened() {
		rm -f trace.*
		strace -ff -o trace -e trace=open,openat \
		    stackcollapse-perf --inline perf.data > out
		has '^prog;outer;middle;inner ' out
		has '^prog;front;first ' out
		for file; do
			[ "$(cat trace.* | grep -c "/$file\".* = [0-9]")" -eq 1 ]
		done
	}
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		in_parts $compiler -O2 -gdwarf-4
		"$UNIT" perfdata <<-END > perf.data
		event cycles 0 0 ip,tid,period,chain 1
		comm 1 1 prog
		map 1 1 0x10000000 0x1000000 0 $PWD/prog
		$(for name in here apart front main here front; do
			at=$((0x10000000 + 0x$(address prog $name)))
			echo "sample 1 1 1 0 7 u u: $at"
			echo "sample 1 1 1 0 7 u u: $((at + 1)) $at"
		done)
		END
		set -- *.dwo
		[ $# -eq 2 ]
		opened "$@"
		command -v dwp > /dev/null || continue
		timeout 60 dwp -e prog -o prog.dwp || continue
		rm ./*.dwo
		opened prog.dwp
	done
}

@test "a file that debug information was split off to is sought beside the program" {
	mkdir made there
	cd made || return
	in_parts gcc -O2 -g
	mv prog ./*.dwo ../there
	tells ../there/prog
	cd ..
	in_parts gcc -O2 -g
	mkdir -p "root$PWD"
	mv ./*.dwo "root$PWD"
	recorded prog
	cp prog "root$PWD"
	stackcollapse-perf --inline --symfs root perf.data |
		diff <(printf 'prog;%s 7\n' apart 'outer;middle;inner') -
}

# tells_missing WHY: the recording's functions are those of symbols, and WHY is
# told of the file.
tells_missing() {
	stackcollapse-perf --inline perf.data 2> err |
		diff <(printf 'prog;%s 7\n' apart outer) -
	diff <(echo "stackcollapse-perf: $PWD/prog: debug information was split off to $PWD/prog-nested.dwo, $1; inlined functions may be missing") err
}

@test "a file that debug information was split off to is named if it is not there" {
	for version in 4 5; do
		nested prog gcc -O2 -gdwarf-$version -gsplit-dwarf
		recorded prog
		rm prog-nested.dwo
		tells_missing 'which is not found'
		mkdir prog-nested.dwo
		tells_missing 'which is not found'
		rmdir prog-nested.dwo
		mkfifo prog-nested.dwo
		tells_missing 'which is not found'
		rm prog-nested.dwo
		nested other gcc -O1 -gdwarf-$version -gsplit-dwarf -DAPART=
		mv other-nested.dwo prog-nested.dwo
		tells_missing 'which is that of another build'
		rm prog-nested.dwo
	done
}

@test "a file that dwz has made of others is read, too" {
	command -v dwz > /dev/null || skip 'no dwz'
	while read -r version section option; do
		for name in prog other; do
			nested $name gcc -O2 -g -gdwarf-"$version"
		done
		# shellcheck disable=SC2086 # there may be no option
		dwz $option -m common prog other 2> err ||
			skip 'dwz found nothing'
		readelf -SW prog | has "$section"
		tells prog
		mv common gone
		recorded prog
		stackcollapse-perf --inline perf.data 2>&1 > out |
			has 'the file that dwz made of it is not found'
		mv gone common
	done <<-END
	4 gnu_debugaltlink
	5 gnu_debugaltlink
	5 debug_sup -5
	END
}

@test "the fuzzers' seeds, cut off anywhere and with any byte changed" {
	for target in dwarf inflate split; do
		build damage-$target "$TOP/test/unit/damage.c" \
		    "$TOP/test/fuzz/$target.c"
		"$BATS_FILE_TMPDIR/damage-$target" \
		    "$TOP/test/fuzz/seeds/$target"/*
	done
}

# spoiled FILE...: whether functions may be asked for with any byte changed.
spoiled() {
	for symbol in here apart outer; do
		address prog $symbol
	done > places
	count=$("$BATS_FILE_TMPDIR/spoil" "$@" < places)
	[ "$count" -gt 500 ]
}

@test "debug information of any program, with any byte changed" {
	build spoil "$TOP/test/unit/spoil.c"
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		for flags in -gdwarf-{2,4,5} '-gdwarf-5 -gz' '-gdwarf-5 -gdwarf64'; do
			# shellcheck disable=SC2086 # flags are several
			nested prog $compiler -O2 $flags
			spoiled prog
		done
		for version in 4 5; do
			rm -f ./*.dwo
			nested prog $compiler -O2 -gdwarf-$version -gsplit-dwarf
			spoiled prog ./*.dwo
		done
	done
}

@test "packages of debug information, with any byte changed" {
	build spoil "$TOP/test/unit/spoil.c"
	command -v dwp > /dev/null || skip 'no dwp'
	in_parts gcc -O2 -gdwarf-4
	timeout 60 dwp -e prog -o prog.dwp || skip 'dwp fails'
	spoiled prog prog.dwp
}
