load helper

# Modules that are pure functions are tested by drivers, programs of a few lines
# in unit/, built with CC and the CFLAGS of make.

TOP=$BATS_TEST_DIRNAME/..

# shellcheck disable=SC2086 # the flags are several
compile() {
	# shellcheck disable=SC2086 # they are several
	"${CC:-cc}" -std=c99 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 \
	    -DVERSION='"unit"' -pthread ${CFLAGS-} "$@"
}

# What a driver or a target needs is taken from an archive of all modules.
setup_file() {
	command -v "${CC:-cc}" > /dev/null || skip 'no compiler'
	cd "$BATS_FILE_TMPDIR" || return
	for source in "$TOP"/{lib,fold,symbols,perf}/*.c \
	    "$TOP"/test/unit/unit.c "$TOP"/test/fuzz/require.c; do
		compile -c "$source"
	done
	ar rc modules.a ./*.o
}

# build NAME SOURCE...: builds $BATS_FILE_TMPDIR/NAME, unless it is there.
build() {
	local program=$BATS_FILE_TMPDIR/$1
	shift
	[ -x "$program" ] || compile -o "$program" "$@" \
		"$BATS_FILE_TMPDIR/modules.a" -lm
}

# unit DRIVER: runs a driver.
unit() {
	build "$1" "$TOP/test/unit/$1.c"
	"$BATS_FILE_TMPDIR/$1"
}

# gives DRIVER: reads "INPUT => OUTPUT" lines, and compares what comes out.
gives() {
	cat > table
	sed 's/ => .*//' table | unit "$1" > out
	sed 's/.* => //' table | diff - out
}

# replay TARGET: runs a target of the fuzzer on its seeds.
replay() {
	build "replay-$1" "$TOP/test/fuzz/$1.c" "$TOP/test/unit/replay.c"
	"$BATS_FILE_TMPDIR/replay-$1" "$TOP/test/fuzz/seeds/$1"/*
}

@test "names: arguments are left out, at the end and before ::" {
	gives names <<-'END'
	main => main
	f(int) => f
	f(int) const => f
	f(int) [clone .isra.0]+0x1f => f
	f(void (*)(int), char) => f
	f(int => f
	f(int)::{lambda()#1}::operator()() const => f / ::{lambda()#1}::operator()
	A::f(B&) const::g(int) volatile::h => A::f / ::g / ::h
	f(int)&::g() const &&::h() => f / ::g / ::h
	f(int):g(int)::h => f
	f(int) const g::h(int) => f
	f(int)'lambda'::h => f
	A::f() const::{lambda()#1}& std::move<A>(A) => A::f / ::{lambda()#1}& std::move<A>
	guard variable for f(int)::x => guard variable for f / ::x
	System.Object:foo (int,string) => System.Object:foo 
	void [System.Core] A::f(class B)[Tier0] => void [System.Core] A::f
	END
}

@test "names: brackets that are no arguments stay" {
	gives names <<-'END'
	f<void (int)>::g(int) => f<void (int)>::g
	f<((a)>(b))>(int) => f<((a)>(b))>
	f<((a)<(b))>(int) => f<((a)<(b))>
	{lambda(int)#1}::g(int) => {lambda(int)#1}::g
	main.Map[go.shape.func(int) bool] => main.Map[go.shape.func(int) bool]
	<[fn(u8); 4] as T>::f => <[fn(u8); 4] as T>::f
	Function.[Symbol(x)](int) => Function.[Symbol(x)]
	-[NSString(Paths) join:] => -[NSString(Paths) join:]
	(anonymous namespace)::f(int) => (anonymous namespace)::f
	int (anonymous namespace)::f<int>(int) => int (anonymous namespace)::f<int>
	(wrapper delegate) A:f (int)+0x1 => (wrapper delegate) A:f 
	(a)(b) => (a)
	(a => (a
	decltype(auto) f<int>(int) => decltype(auto) f<int>
	decltype ((a)+(b)) f<int>(int) => decltype ((a)+(b)) f<int>
	mydecltype(auto) => mydecltype
	void (*f<int>(int))(char) => void (*f<int>(int))
	int (&f<int>(int)) [3] => int (&f<int>(int)) [3]
	A::operator void (*)(int)() const => A::operator void (*)
	net/http.(*Client).Do => net/http.(*Client).Do
	main.(*T[go.shape.int]).f.func1 => main.(*T[go.shape.int]).f.func1
	a.(b) => a.
	a.(b)c.(d) => a.
	f<sizeof...(T).x>(int). => f<sizeof...(T).x>
	END
}

@test "names: the sign of an operator is no bracket and no arrow" {
	for sign in '()' '[]' '->*' '->' '<=>' '<<=' '<<' '<=' '<' '>>=' '>>' \
	    '>=' '>' '--' ' new[]' ' delete' '""_x' ' co_await' ' bool'; do
		echo "A::operator$sign(B<int>)->f => A::operator$sign, f"
		echo "A::operator$sign <int>(B) => A::operator$sign <int>"
		echo "f(int)::operator$sign(B) => f / ::operator$sign"
	done > signs
	gives names < signs
	gives names <<-'END'
	operator<<int>(A, int) => operator<<int>
	operator<<<int>(A, int) => operator<<<int>
	operator()()() => operator()
	operator(int) => operator
	myoperator<(int)->f => myoperator<, f
	operators->f => operators, f
	END
}

@test "names: an unpaired bracket is none, and what closes ends what is in it" {
	gives names <<-'END'
	less<more(int) => less<more
	a<b->c => a<b, c
	a{b(c) => a{b
	a[b(c) => a[b
	f)->g => f), g
	f(a->b => f
	LA;::f([B)V->LB;::g([[I<x)->h<y(I)>(J) => LA;::f, LB;::g, h<y(I)>
	a>b<c->d>(int) => a>b<c->d>
	[a<b](c) => [a<b]
	[{]}(a) => [{]}
	END
}

@test "names: -> joins calls, and counts for nothing at the end" {
	gives names <<-'END'
	a->b->c => a, b, c
	a->->b->-> => a, , b
	->a => , a
	operator->-> => operator->
	f(int)->g(int)::h => f, g / ::h
	<fn() -> T as X>::f->g => <fn() -> T as X>::f, g
	END
	printf '%s\n' '->' '' | unit names | diff - <(printf '\n\n')
}

@test "names: a process is a pair of brackets and no more" {
	gives names <<-'END'
	(sd-pam) => process
	((sd-pam)) => process
	(a (b) c)+0x1f => process
	() => process
	(a<b) => process
	(operator()) => process
	(a)b => (a)b
	(a)) => (a))
	(a)->(b) => (a), (b)
	a(b) => a
	( => (
	END
}

@test "names: the time to read one grows as its length" {
	for sign in '(' ')' '<' '>' '[' ']' '{' '}' '([' ')>' '<(' 'f(' ' (' \
	    operator 'operator(' 'operator()' 'operator<' '->' '-' '()::' 'f()::' \
	    '()(' ' ()(' '.(' ').' '.().' 'decltype()' 'decltype(' ' const' \
	    '() const' '() const &::' '(anonymous namespace)' '[(<{' '}>)]'; do
		awk -v sign="$sign" 'BEGIN { for (; i < 100000; i++)
			printf "%s", sign; print "" }'
	done > names
	echo x | unit names
	sed 's/^/x/' names | cat names - |
		timeout 20 "$BATS_FILE_TMPDIR/names" > out
	[ "$(wc -l < out)" -eq $(($(wc -l < names) * 2)) ]
}

@test "names: what must hold for any name holds for the fuzzer's seeds" {
	replay names
}

@test "maps: a new map cuts off what it covers" {
	gives maps <<-'END'
	p add 100 200 40 A => - changed
	p add 200 300 0 B => - changed
	p => - 100-200:A+40 200-300:B+0
	p add 180 220 0 C => - changed
	p => - 100-180:A+40 180-220:C+0 220-300:B+20
	p add 120 140 0 D => - changed
	p => - 100-120:A+40 120-140:D+0 140-180:A+80 180-220:C+0 220-300:B+20
	p add 110 240 0 E => - changed
	p => - 100-110:A+40 110-240:E+0 240-300:B+40
	p find 10f => - 100-110:A+40
	p find 110 => - 110-240:E+0
	p find ff => - none
	p find 300 => - none
	p clear 108 250 => - changed
	p => - 100-108:A+40 250-300:B+50
	p add 500 500 0 A => -
	p add 500 400 0 A => -
	p add 0 1000 0 F => - changed
	p => - 0-1000:F+0
	END
}

@test "maps: a process that forked has its parent's maps until it changes them" {
	gives maps <<-'END'
	p add 100 200 0 A => - changed
	p add 300 400 0 B => - changed
	c fork => - as its parent
	c => - 100-200:A+0 300-400:B+0
	c add 180 200 0 C => - changed
	c => - 100-180:A+0 180-200:C+0 300-400:B+0
	p => - 100-200:A+0 300-400:B+0
	p clear 0 1000 => - changed
	p => -
	c => - 100-180:A+0 180-200:C+0 300-400:B+0
	END
}

@test "maps: thousands, in any order, are those that were added last" {
	gives maps <<-'END'
	p many 10 => - equal changed
	END
	echo 'p many 20000' | unit maps | diff <(echo '- equal changed') -
}

@test "order: a round's end delivers what the round before it saw" {
	gives order <<-'END'
	1 2 2 3 4 | 3 4 5 5 6 7 | 6 7 9 8 9 10 | => - | 1a 2b 2c 3d 3f 4e 4g | 5h 5i 6j 6l 7k 7m | 8o 9n 9p 10q
	| 5 | => - | | 5a
	9 1 | => - | 1b 9a
	5 4 3 2 1 => - 1e 2d 3c 4b 5a
	1 1 1 | 1 1 => - | 1a 1b 1c 1d 1e
	END
}

@test "order: a time that is far ahead ends a round's wait, and no more" {
	gives order <<-'END'
	1 99 2 | 3 4 | 5 6 | 7 | => - | 1a 2c 3d 4e 99b | 5f 6g | | 7h
	END
}

@test "order: where too much waits, the older half is delivered" {
	gives order <<-'END'
	4 3 2 1 / 5 => - 1d 2c 3b 4a 5e
	5 / 6 => - 5a 6b
	END
}
