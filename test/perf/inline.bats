load ../helper

# --inline of perf script's text, of a program with a function that is inlined.

setup_file() {
	command -v "${CC:-cc}" > /dev/null || { lacks 'no compiler'; return; }
	command -v addr2line > /dev/null || {
		lacks 'no addr2line to compare with: install binutils'
		return
	}
	[ "$(getconf LONG_BIT)" -eq 64 ] || {
		lacks 'programs are of 32 bits here'
		return
	}
	cd "$BATS_FILE_TMPDIR" || return
	cat > prog.c <<-'END'
	volatile unsigned sink;
	static inline __attribute__((always_inline)) unsigned square(unsigned x)
	{
		sink += x;
		return x * x + sink;
	}
	__attribute__((noinline)) unsigned spin(unsigned n)
	{
		return square(n + sink);
	}
	int main(void)
	{
		return (int)spin(3);
	}
	END
	"${CC:-cc}" -O2 -g -o prog prog.c
	local start lines
	start=$(nm prog | sed -n 's/^\([0-9a-f]*\) T spin$/\1/p')
	# the first address whose line is in square
	lines=$(for ((i = 0; i < 23; i++)); do
		printf '%x\n' $((0x$start + i))
	done | addr2line -a -i -f -e prog | awk '/^0x/ { at = $1 }
		$1 == "square" { print at; exit }')
	[ -n "$lines" ] || return
	printf -v address '%x' $((lines))
	printf -v offset '%x' $((lines - 0x$start))
	export address offset
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_TEST_TMPDIR" || return
	cp "$BATS_FILE_TMPDIR/prog" .
}

# sample FRAME: a profile of one sample
sample() {
	printf 'prog 1 1.0: 1 c: \n\t%s\n\n' "$1"
}

# spin FILE: one in the inlined function of this program
spin() {
	sample "$address spin+0x$offset ($1)"
}

@test "--inline finds inlined functions, and --context their lines" {
	spin "$PWD/prog" > in
	stackcollapse-perf --inline in | is_line 'prog;spin;square 1'
	stackcollapse-perf --inline --context in > out
	grep -q '^prog;spin:prog.c:9;square:prog.c:[45] 1$' out
	# by the offset where addresses differ
	sample "7fff00000000 spin+0x$offset ($PWD/prog)" |
		stackcollapse-perf --inline | is_line 'prog;spin;square 1'
	# where the program has no such name, or there is no offset, not at all
	{
		sample "7fff00000000 gone+0x1 ($PWD/prog)"
		sample "7fff00000000 spin ($PWD/prog)"
	} | stackcollapse-perf --inline |
		diff - <(printf 'prog;%s 1\n' gone spin)
}

@test "--inline and --srcline take a ; in names and lines for no frame's end" {
	sed 's/square/sq;are/g; s/prog\.c/a;bb.c/g' prog > odd
	spin "$PWD/odd" > in
	stackcollapse-perf --inline in | is_line 'prog;spin;sq:are 1'
	stackcollapse-perf --inline --context in |
		has '^prog;spin:a:bb\.c:9;sq:are:a:bb\.c:[45] 1$'
	printf 'a 1 1.0: 1 c: \n\t5 f (/x)\n  a;b.c:3\n\n' |
		stackcollapse-perf --srcline | is_line 'a;f:a:b.c:3 1'
}

# Of a recording, perf takes all files with a name like this for a compiler's.
@test "--inline reads a program in a folder /tmp/perf-..." {
	folder=$(mktemp -d /tmp/perf-XXXXXX)
	mv prog "$folder"
	spin "$folder/prog" | stackcollapse-perf --inline > out
	rm -r "$folder"
	is_line 'prog;spin;square 1' < out
}

@test "--inline falls back on perf's names, and says why once a module" {
	strip prog
	{
		sample "7fff00000000 f+0x1 ($PWD/prog)"
		sample "7fff00000000 g+0x1 ($PWD/prog)"
		sample "1 h(int)+0x2 (/gone/x.so)"
		sample "1 i+0x2 (/gone/x.so)"
	} | stackcollapse-perf --inline 2> err |
		diff - <(printf 'prog;%s 1\n' f g h i)
	diff err - <<-END
	stackcollapse-perf: --inline: /gone/x.so: No such file or directory
	stackcollapse-perf: --inline: $PWD/prog: no debug information
	END
	cp prog other
	cp prog third
	for file in prog other third; do
		spin "$PWD/$file"
	done | stackcollapse-perf --inline 2> err | is_line 'prog;spin 3'
	is_line "stackcollapse-perf: --inline: $PWD/prog: no debug information; other files without: 2" < err
}

@test "--inline asks about files, not about the kernel or JIT code" {
	local module
	for module in '[vdso]' '/gone/a[b]c' /gone/kernel.x inlined \
	    /gone/perf-1.map '/gone/a[b' '/gone/a[]' '/gone/a]b[' \
	    /gone/perf-.map; do
		sample "1 f+0x2 ($module)"
	done > in
	stackcollapse-perf --inline in 2> err | is_line 'prog;f 9'
	diff err <(printf \
		'stackcollapse-perf: --inline: %s: No such file or directory\n' \
		'/gone/a[b' '/gone/a[]' '/gone/a]b[' /gone/perf-.map)
}

@test "--inline does not read source lines it does not need" {
	{
		printf 'prog 1 1.0: 1 c: \n\t%s\n  prog.c:5\n' \
			"$address spin+0x$offset ($PWD/prog)"
		printf '\t1 main+0x1 ([vdso])\n  prog.c:14\n\n'
	} | stackcollapse-perf --inline --srcline 2> err |
		is_line 'prog;main:prog.c:14;spin;square 1'
	is_line 'Unrecognized line:   prog.c:5' < err
}

@test "--inline runs nothing that a module's name says" {
	mkdir -p '$(touch ran)' '`touch ran`'
	{
		sample '1 f+0x1 (/tmp/x;touch ran;)'
		sample '1 f+0x1 ($(touch ran))'
		sample '1 f+0x1 (-x|touch ran)'
	} | stackcollapse-perf --inline > out 2> err
	is_line 'prog;f 3' < out
	[ ! -e ran ]
}

@test "--inline works with many modules, and few files that may be open" {
	for i in $(seq 20) 1 2; do
		[ -e "prog$i" ] || cp prog "prog$i"
		spin "$PWD/prog$i"
	done > in
	(
		ulimit -n 16
		exec stackcollapse-perf --inline in
	) | is_line 'prog;spin;square 22'
}

@test "--inline reports damaged debug information once" {
	objcopy --compress-debug-sections prog
	readelf -SW prog | has '\.debug_info .* C ' || skip 'nothing is packed'
	at=$(readelf -SW prog | sed -n 's/.* \.debug_info  *[A-Z]* *[0-9a-f]* //p')
	printf '\7' | dd of=prog bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + 30))
	{
		spin "$PWD/prog"
		spin "$PWD/prog"
	} | stackcollapse-perf --inline 2> err | is_line 'prog;spin 2'
	is_line "stackcollapse-perf: --inline: $PWD/prog: damaged" \
		'debug information' < err
}

@test "--inline keeps the arguments of functions of C++, as addr2line -C does" {
	command -v g++ > /dev/null || skip 'install g++'
	cat > prog.cc <<-'END'
	volatile unsigned sink;
	namespace a {
		template <typename T> struct b {
			[[gnu::always_inline]] unsigned c(T x) const
			{
				asm volatile(".globl here\nhere: nop");
				return x + sink;
			}
		};
	}
	[[gnu::noinline]] int spin(int n, char *)
	{
		return a::b<unsigned>().c(n);
	}
	int main(int, char **argv) { return spin(3, *argv); }
	END
	g++ -g -O2 -o prog prog.cc
	sample "$(nm prog | sed -n 's/ . here$//p') x+0x0 ($PWD/prog)" |
		stackcollapse-perf --inline |
		is_line 'prog;spin(int, char*);a::b<unsigned int>::c(unsigned int) const 1'
}
