load ../helper
load ../unit

# Functions that compilers have inlined, which debug information tells.

setup_file() {
	command -v gcc > /dev/null || { lacks 'install gcc'; return; }
	command -v readelf > /dev/null || { lacks 'install binutils'; return; }
	makes_x86_64 || { lacks 'not written for this machine'; return; }
	needs_drivers
	cd "$BATS_FILE_TMPDIR" || return
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
	nested prog gcc -O2 -g
}

# nested FILE COMPILER FLAG...: builds a program with a label, "here", in a
# function that is inlined into two others, and in main as many as it is called.
nested() {
	[ -e nested.c ] || cp "$BATS_FILE_TMPDIR"/*.c .
	"${@:2}" -o "$1" nested.c
}

# plain: puts a program here that gcc -O2 -g made.
plain() {
	cp "$BATS_FILE_TMPDIR/prog" .
}

# in_parts COMPILER FLAG...: the same program with a unit in front, which was
# split, too, and has other texts, addresses and ranges.
in_parts() {
	rm -f ./*.dwo prog.dwp
	nested prog "$@" -gsplit-dwarf "$BATS_FILE_TMPDIR/front.c"
}

# address FILE SYMBOL
address() {
	nm "$1" | sed -n "s/^0*\([0-9a-f]*\) . $2\$/\1/p"
}

# functions FILE SYMBOL...: prints the functions at these places.
functions() {
	local name
	for name in "${@:2}"; do
		address "$1" "$name"
	done | "$UNIT" inlines "$1" | sed 's/^[0-9a-f]*: *//'
}

# tells FILE: whether the functions at its labels are known.
tells() {
	functions "$1" here apart | is 4<<-'END'
	inner nested.c:6 < middle nested.c:12 < outer nested.c:18
	apart nested.c:21
	END
}

# recorded FILE [SYMBOL...]: a recording of chains of addresses in the file, at
# these symbols, or its labels.
recorded() {
	local name file=$1
	shift
	[ $# -gt 0 ] || set -- here apart
	{
		echo 'event cycles 0 0 ip,tid,period,chain 1'
		echo 'comm 1 1 prog'
		echo "map 1 1 0x10000000 0x1000000 0 $PWD/$file"
		for name; do
			echo "sample 1 1 1 0 7 u u:" \
			    $((0x10000000 + 0x$(address "$file" "$name")))
		done
	} | record > perf.data
}

# finds STACKS OPTION...: whether the recording has these stacks.
finds() {
	case $1 in
	inlined) printf 'prog;%s 7\n' apart 'outer;middle;inner' ;;
	symbols) printf 'prog;%s 7\n' apart outer ;;
	esac > expected
	stackcollapse-perf "${@:2}" perf.data 2> err | diff expected -
}

# tells_why WHY: the recording's functions are those of symbols, with this line.
tells_why() {
	finds symbols --inline
	is_line "stackcollapse-perf: $PWD/prog: $1; inlined functions may be missing" < err
}

# overwrite FILE SECTION OFFSET BYTES: changes the last section of that name.
overwrite() {
	local at
	at=$(readelf -SW "$1" |
		sed -n "s/.* \\$2  *[A-Z]* *[0-9a-f]* //p" | tail -n 1)
	printf '%b' "$4" | dd of="$1" bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + $3))
}

section() {
	"$UNIT" section "$@"
}

# unpacks FORM: whether sections that objcopy has packed are as they were.
unpacks() {
	objcopy --compress-debug-sections="$1" prog packed
	objcopy --dump-section .debug_info=info --dump-section .debug_str=str \
	    --dump-section .debug_abbrev=abbrev prog /dev/null
	for name in info abbrev str; do
		section packed .debug_$name | cmp $name -
	done
}

@test "sections are read as they are, and as zlib has packed them" {
	plain
	for form in none zlib zlib-gnu; do
		unpacks $form
	done
	readelf -SW packed | has zdebug_info
	section packed .debug_none | is_line missing
	section packed .bss | is_line missing
	# the old name, but not packed
	objcopy --rename-section .debug_str=.zdebug_str prog packed
	section packed .debug_str | cmp str -
}

# objcopy can pack by zstd since binutils 2.40.
@test "sections that zstd has packed are unpacked by it" {
	command -v zstd > /dev/null || skip 'install zstd'
	plain
	objcopy --compress-debug-sections=zstd prog 2> /dev/null ||
		skip 'no binutils with zstd'
	readelf -t prog | has ZSTD || skip 'no binutils with zstd'
	cp prog zstd
	plain
	unpacks zstd
	overwrite packed .debug_info 24 damaged
	section packed .debug_info | is_line damaged
	cp zstd prog
	recorded prog
	finds inlined
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" --inline perf.data > out 2> err
	diff expected out && return 1
	has -F "$PWD/prog: debug information that needs zstd to be unpacked;" err
}

# damage OFFSET BYTES WHY: what is packed is not unpacked with this change, which
# a recording's stacks report.
damage() {
	cp packed prog
	overwrite prog .debug_info "$1" "$2"
	tells_why "$3"
}

@test "sections that cannot be unpacked are reported, with why" {
	plain
	objcopy --compress-debug-sections prog packed
	recorded prog
	cp packed prog
	overwrite prog .debug_info 8 '\0\0\0\0\1'
	(fails 1 finds symbols --inline)
	is_line "stackcollapse-perf: $PWD/prog: more memory or time is" \
	    'needed than the files of a recording may take; inlined' \
	    'functions may be missing' < err
	damage 8 '\1\0\0' 'damaged debug information'
	damage 0 '\7' 'damaged debug information'
	damage 30 '\7' 'damaged debug information'
}

@test "functions that gcc and clang inline, in versions of DWARF" {
	while read -r flags; do
		command -v "${flags%% *}" > /dev/null || continue
		nested prog $flags
		tells prog
	done <<-'END'
	gcc -g -O0
	gcc -O2 -gdwarf-2
	gcc -O2 -gdwarf-4 -fdebug-types-section
	gcc -O2 -g -flto
	clang -O2 -gdwarf-5 -ffunction-sections
	END
	in_parts gcc -O2 -gdwarf-5 -gdwarf64 -gz
	tells prog
}

# dwp ends badly, or never, with what clang makes of DWARF 5.  A file of debug
# information has the package that the program has.
@test "functions that were split off, in a package beside the program" {
	command -v dwp > /dev/null || skip 'install binutils'
	while read -r compiler version maker; do
		command -v "$compiler" > /dev/null || continue
		command -v "$maker" > /dev/null || continue
		in_parts "$compiler" -O2 "-gdwarf-$version"
		tells prog
		timeout 60 "$maker" -e prog -o prog.dwp
		rm ./*.dwo
		tells prog
		objcopy --only-keep-debug prog prog.debug
		strip -o bare prog
		objcopy --add-gnu-debuglink=prog.debug bare
		mv prog.dwp bare.dwp
		address prog front > places
		"$UNIT" inlines bare < places | has ': .*front front.c:'
	done <<-'END'
	gcc 4 dwp
	clang 5 llvm-dwp
	END
}

# Each unit has lists of ranges of its own, which a column of the index finds;
# the second has one more, so that those of the first are others.
@test "functions in several ranges, in a package of several units" {
	command -v clang > /dev/null || skip 'install clang'
	command -v llvm-dwp > /dev/null || skip 'install llvm'
	cat > part.c <<-'END'
	static volatile int sink;
	static inline __attribute__((always_inline)) int inner(int n)
	{
		if (__builtin_expect(n > 1000, 0)) {
			__asm__ volatile(".globl in_" NAME "\nin_" NAME ": nop");
			__builtin_trap();
		}
		while (n-- > 0)
			sink++;
		return sink;
	}
	#ifdef in_second
	static inline __attribute__((always_inline)) int other(int n)
	{
		if (__builtin_expect(n > 2000, 0))
			__builtin_trap();
		while (n-- > 0)
			sink -= n;
		return sink;
	}
	int more(int n) { return other(n); }
	#endif
	int outer(int n) { return inner(n) + sink; }
	END
	for name in first second; do
		clang -O2 -gdwarf-5 -gsplit-dwarf -fPIC "-Douter=$name" \
		    "-Din_$name=in_$name" "-DNAME=\"$name\"" -c -o $name.o part.c
	done
	clang -shared -o prog first.o second.o
	timeout 60 llvm-dwp -e prog -o prog.dwp
	rm ./*.dwo
	functions prog in_first in_second | diff - \
	    <(printf 'inner part.c:5 < %s part.c:23\n' first second)
}

@test "functions that are inlined in programs of 32 bits" {
	makes_i386 || skip 'install gcc-multilib'
	nested prog gcc -m32 -O2 -g -gz
	tells prog
}

@test "stacks of a recording have the functions that were inlined" {
	plain
	recorded prog
	finds inlined
	finds symbols --no-inline
	finds symbols --inline --no-inline
	objcopy --only-keep-debug prog prog.debug
	strip prog
	objcopy --add-gnu-debuglink=prog.debug prog
	finds inlined
}

# As perf 7 prints it, which shows what was inlined in call graphs alone.
@test "a sample without a call graph is the function that has its code" {
	plain
	record <<-END > perf.data
	event cycles 0 0 ip,tid,period 1
	comm 1 1 prog
	map 1 1 0x10000000 0x1000000 0 $PWD/prog
	sample 1 1 1 0 7 u $((0x10000000 + 0x$(address prog here)))
	END
	stackcollapse-perf perf.data | is_line 'prog;outer 7'
}

@test "every address of a function has its inlined functions, and no others" {
	plain
	start=$((0x$(address prog outer)))
	size=$(readelf -sW prog | awk '$8 == "outer" { print $3 }')
	[ "$size" -gt 10 ]
	{
		echo 'event cycles 0 0 ip,tid,period,chain 1'
		echo 'comm 1 1 prog'
		echo "map 1 1 0x10000000 0x1000000 0 $PWD/prog"
		for ((i = start; i < start + size; i++)); do
			printf '%x\n' $i >> addresses
			echo "sample 1 1 1 0 1 u u: $((0x10000000 + i))"
		done
	} | record > perf.data
	# addr2line tells the address, then functions and their lines, from the
	# innermost outwards
	addr2line -afie prog < addresses | awk '
	function put() { if (stack != "") print "prog" stack }
	/^0x/ { put(); stack = ""; n = 0; next }
	n++ % 2 == 0 { stack = ";" $0 stack }
	END { put() }' | sort | uniq -c | awk '{ print $2, $1 }' > told
	[ "$(wc -l < told)" -gt 1 ]
	stackcollapse-perf perf.data | sort | diff told -
}

# Where it is linked, and 96 MB beyond, where the kernel put it.
@test "functions that were inlined in the kernel, in a vmlinux" {
	nested vmlinux gcc -O2 -g -nostdlib -static -mcmodel=kernel -fno-pie \
	    -no-pie -Wl,-e,main,--build-id=sha1,-Ttext=0xffffffff81000000 \
	    -Wl,--defsym=_text=0xffffffff81000000
	id=$(readelf -n vmlinux | sed -n 's/.*Build ID: //p')
	here=$(printf '0x%x' $((0x$(address vmlinux here) + 0x6000000)))
	record <<-END > perf.data
	event cycles 0 0 ip,tid,period,chain 1
	id [kernel.kallsyms] $id
	kernel 0xffffffff87000000 0x1000000 0xffffffff87000000 [kernel.kallsyms]_text
	comm 1 1 prog
	sample 1 1 1 0 7 k k: $here
	END
	stackcollapse-perf --symfs=. --kernel perf.data |
		is_line 'prog;outer_[k];middle;inner 7'
	stackcollapse-perf --symfs=. --no-inline perf.data |
		is_line 'prog;outer 7'
	strip --strip-debug vmlinux
	stackcollapse-perf --symfs=. perf.data | is_line 'prog;outer 7'
}

@test "--context and --srcline add source lines to a recording's functions" {
	plain
	recorded prog
	stackcollapse-perf --context perf.data | is 4<<-'END'
	prog;apart:nested.c:21 7
	prog;outer:nested.c:18;middle:nested.c:12;inner:nested.c:6 7
	END
	stackcollapse-perf --no-inline --srcline perf.data | is 4<<-'END'
	prog;apart:nested.c:21 7
	prog;outer:nested.c:6 7
	END
	stackcollapse-perf --srcline perf.data | is 4<<-'END'
	prog;apart:nested.c:21 7
	prog;outer:nested.c:18;middle:nested.c:12 (inlined);inner:nested.c:6 (inlined) 7
	END
	# where there is no inlined function to be found, nothing is added
	stackcollapse-perf --no-inline --context perf.data |
		diff <(printf 'prog;%s 7\n' apart outer) -
}

@test "functions that were split off, in several sections of a name" {
	command -v g++ > /dev/null || skip 'install g++'
	cat > types.h <<-'END'
	struct first { int n; } first_used __attribute__((used));
	struct second { first of; } second_used __attribute__((used));
	END
	nested prog g++ -O2 -gdwarf-5 -gsplit-dwarf -fdebug-types-section -gz \
	    -include types.h
	readelf -SW prog-nested.dwo > sections
	[ "$(grep -c 'debug_info.dwo' sections)" -eq 3 ]
	functions prog here |
		is_line 'inner nested.c:6 < middle nested.c:12 < outer nested.c:18'
}

@test "a file that debug information was split off to is sought beside the program" {
	mkdir made there
	cd made || return
	in_parts gcc -O2 -g
	mv prog ./*.dwo ../there
	tells ../there/prog
	cp ../there/*.dwo .
	mkdir -p "../root$PWD"
	mv ./*.dwo ../there/prog "../root$PWD"
	cp "../root$PWD/prog" .
	recorded prog
	finds inlined --inline --symfs ../root
}

# tells_missing WHY: the recording's functions are those of symbols, and WHY is
# told of the file.
tells_missing() {
	tells_why "debug information was split off to $PWD/prog-nested.dwo, $1"
}

# The build's number is in an attribute in version 4, and then in the header.
@test "a file that debug information was split off to is named if it is not there" {
	for version in 4 5; do
		nested prog gcc -O2 -gdwarf-$version -gsplit-dwarf
		recorded prog
		rm prog-nested.dwo
		tells_missing 'which is not found'
		mkfifo prog-nested.dwo
		tells_missing 'which is not found'
		rm prog-nested.dwo
		nested other gcc -O1 -gdwarf-$version -gsplit-dwarf -DAPART=
		mv other-nested.dwo prog-nested.dwo
		tells_missing 'which is that of another build'
	done
}

@test "a file that dwz has made of others is read, too" {
	command -v dwz > /dev/null || skip 'install dwz'
	while read -r version section option; do
		for name in prog other; do
			nested $name gcc -O2 -g -gdwarf-"$version"
		done
		dwz $option -m common prog other
		readelf -SW prog | has "$section"
		tells prog
		mv common gone
		recorded prog
		finds symbols --inline
		has 'the file that dwz made of it is not found' err
		mv gone common
	done <<-END
	4 gnu_debugaltlink
	5 debug_sup -5
	END
}
