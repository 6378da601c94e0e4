load ../helper
load ../unit

# Modules that are pure functions are tested by drivers, programs of a few lines
# in unit/, built with CC and the CFLAGS of make.

@test "names: arguments are left out, other brackets stay" {
	gives names <<-'END'
	# arguments are left out, at the end and before ::
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
	# brackets that are no arguments stay
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
	# an unpaired bracket does not count, a closing one ends those in it
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
	# a process is a pair of brackets and no more
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

@test "names: the result of a template's function is left out where it is asked" {
	gives names c++ <<-'END'
	void f<int>(int) => f<int>
	void (*f<int>(int))(char)::{lambda()#1}::g() => f<int> / ::{lambda()#1}::g
	void (*(*f<int>())())()::g() const::h() => f<int> / ::g / ::h
	int (&f<int>()) [3]::g => f<int> / ::g
	int (&f<int>()) [3 => f<int>
	int (&f<int>())::g => f<int>
	void (* const f<int>())() => f<int>
	void (f<int>())() => void (f<int>())
	void (*f())() => void (*f())
	void (*f<int>)() => void (*f<int>)
	void (A<int>::*f<int>())() => f<int>
	unsigned f<int>() => f<int>
	unsigned long int long f<int>() => unsigned long int long f<int>
	int unsigned f<int>() => int unsigned f<int>
	T const f<int>() => f<int>
	T constant f<int>() => T constant f<int>
	T*& const* f<int>() => f<int>
	T [3] f<int>() => T [3] f<int>
	auto:1 f<int>() => auto:1 f<int>
	int  f<int>() => int  f<int>
	 int f<int>() =>  int f<int>
	int ::f<int>() => int ::f<int>
	int f::<int>() => int f::<int>
	int f<int>::() => int f<int>::
	int f<int>::g() => int f<int>::g
	int f<int>()::g() => f<int> / ::g
	int f()::g<int>() => f / ::g<int>
	int f<int>::~f<int>() => f<int>::~f<int>
	int {lambda()#1}::operator()<int>() => {lambda()#1}::operator()<int>
	int decltype (x)::f<int>() => decltype (x)::f<int>
	int decltype f<int>() => int decltype f<int>
	int f<(a)>b>() => int f<(a)>b>
	std::enable_if<(a)>b, int>::type f<int> => std::enable_if<(a)>b, int>::type f<int>
	int $_0<int>() => $_0<int>
	int 日<int>() => 日<int>
	int f<<int>() => int f<<int>
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

@test "bytes: numbers, texts and parts, up to the end" {
	gives bytes <<-'END'
	# numbers are little-endian, with and without a sign
	01 02 03 04 05 06 07 08 : u64 left failed => 578437695752307201 0 well
	ff fe fd fc fb fa f9 f8 : i64 => -506097522914230529
	ff fe fd fc fb fa f9 f8 : u8 u16 u32 offset left => 255 65022 4193975292 7 1
	ff fe fd fc fb fa f9 f8 : i8 i16 i32 => -1 -514 -100992004
	00 80 : i16 => -32768
	01 02 03 04 05 06 07 08 : uint=3 uint=0 uint=5 => 197121 0 34477573380
	01 02 03 04 05 06 07 08 09 : uint=9 failed => 0 failed
	# LEB128 has as many bits as it needs, but not more than 64
	e5 8e 26 : uleb left => 624485 0
	02 7f 80 01 ff 00 80 7f : sleb sleb sleb sleb sleb => 2 -1 128 127 -128
	3f 40 c0 00 bf 7f : sleb sleb sleb sleb => 63 -64 64 -65
	80 80 00 81 80 80 00 : uleb uleb failed => 0 1 well
	ff ff ff ff ff ff ff ff ff 01 : uleb failed => 18446744073709551615 well
	ff ff ff ff ff ff ff ff ff 02 : uleb failed => 0 failed
	ff ff ff ff ff ff ff ff ff 81 80 00 05 : uleb u8 => 18446744073709551615 5
	80 80 80 80 80 80 80 80 80 80 01 : uleb failed => 0 failed
	ff ff ff ff ff ff ff ff ff 00 : sleb failed => 9223372036854775807 well
	80 80 80 80 80 80 80 80 80 7f : sleb failed => -9223372036854775808 well
	80 80 80 80 80 80 80 80 80 01 : sleb failed => 0 failed
	ff ff ff ff ff ff ff ff ff 7f ff : sleb sleb failed => -1 0 failed
	ff ff ff ff ff ff ff ff ff ff ff 7f : sleb failed => -1 well
	ff ff ff ff ff ff ff ff ff ff 7e : sleb failed => 0 failed
	ff ff : uleb failed left => 0 failed 0
	# a read beyond the end fails, and all after it
	01 02 03 : u32 u8 left failed => 0 0 0 failed
	01 02 03 : u8 u8 u8 failed u8 failed => 1 2 3 well 0 failed
	01 02 03 : skip=2 skip=2 u8 seek=0 u8 failed =>   0  0 failed
	01 02 03 : skip=18446744073709551615 failed =>  failed
	61 62 63 : text=2 text=2 failed text=0 => 'ab' '' failed ''
	61 00 62 : string offset string failed string => 'a' 2 '' failed ''
	00 61 00 : string string string failed => '' 'a' '' failed
	: u8 failed => 0 failed
	: left failed => 0 well
	# readers of a part have bounds and failures of their own
	01 02 03 04 : u8 take=2 offset u16 failed u8 failed => 1  0 770 well 0 failed
	01 02 03 04 : u8 take=4 failed left => 1  failed 0
	01 02 03 04 : u8 take=3 failed left => 1  well 3
	01 02 03 04 : at=2 at=3 at=5 at=18446744073709551615 u8 failed => 1027 failed failed failed 1 well
	01 02 03 04 : u8 from=2 offset u8 offset => 1  0 3 1
	01 02 03 04 : from=4 left failed =>  0 well
	01 02 03 04 : from=5 failed =>  failed
	01 02 03 04 : u16 u16 seek=1 u8 seek=4 failed => 513 1027  2  well
	01 02 03 04 : seek=5 seek=0 u8 failed =>   0 failed
	01 02 03 04 05 : u8 align=4 offset align=4 offset u8 align=4 failed => 1  4  4 5  failed
	01 02 03 04 : u8 from=1 u8 align=2 u8 => 1  2  4
	END
}

@test "child: a program reads a file, nothing or a pipe, and is read" {
	printf 'a\nb\n' > in
	unit child file cat < in | diff - <(printf 'a\nb\n(well)\n')
	unit child nothing cat < in | diff - <(echo '(well)')
	unit child exchange cat < in | diff - <(printf 'a\nb\n(well)\n')
	unit child exchange sh -c 'cat; exit 3' < in |
		diff - <(printf 'a\nb\n(not well)\n')
	unit child nothing printf %s '$(touch x); `touch x`' |
		diff - <(echo '$(touch x); `touch x`(well)')
	fails 1 unit child nothing ./no-such-program |
		diff - <(echo 'No such file or directory')
	unit child nothing sh -c 'echo complains >&2; kill -9 $$' 2>&1 |
		diff - <(echo '(not well)')
}

@test "child: more than pipes hold goes in while it comes out" {
	seq 20000 | sed 's/$/ 0123456789/' > in
	cp in same
	{ cat in; echo '(well)'; } > expected
	unit child exchange cat < in | diff - expected
	# it reads all before it says anything, or says much and reads nothing
	unit child exchange sort -s -n < in | diff - expected
	unit child exchange cat same < in | diff - expected
	unit child exchange sed 2q < in |
		diff - <(printf '%s\n' '1 0123456789' '2 0123456789' '(well)')
}

@test "child: one that is gone or silent ends nobody else" {
	unit child gone sh -c 'exec <&-; echo gone' |
		diff - <(printf '%s\n' gone '(well)')
	# its input stays open, and so does it
	unit child ask cat |
		diff - <(printf 'line\nsaid nothing\n(not well)\n')
}

@test "child: it gets no more of a file that was cut off" {
	head -c 300000 /dev/zero | tr '\0' x > in
	unit child cut cat <> in > out
	{ head -c "$(getconf PAGESIZE)" in; echo '(well)'; } | diff - out
}

@test "child: no end of its pipes but its own is open in it" {
	[ -d /proc/self/fd ] || skip 'no /proc'
	sh -c 'ls /proc/self/fd | wc -l' > expected
	echo '(well)' >> expected
	unit child exchange sh -c 'ls /proc/self/fd | wc -l' < /dev/null > out
	diff out expected
}

@test "mapping: zeros replace the truncated part of a file, and follow it" {
	page=$(getconf PAGESIZE)
	head -c $((page * 4)) /dev/zero | tr '\0' x > whole
	# what is left of a page is zeros, too
	for left in 0 "$page" $((page + 1)); do
		cp whole file
		unit mapping file "$left" |
			diff <(printf '%s\n' "$left" 'cut: file') -
	done
	for left in $((page * 4)) $((page * 9)); do
		cp whole file
		unit mapping file "$left" | diff <(echo $((page * 4))) -
	done
	head -c 10000 whole > file
	unit mapping file 10000 | diff <(echo 10000) -
}

@test "mapping: a signal that is not about a mapping ends the program" {
	head -c 100000 /dev/zero > file
	ASAN_OPTIONS=handle_sigbus=0:$ASAN_OPTIONS \
		fails $((128 + $(kill -l BUS))) unit mapping other file
}

@test "sort: keys are sorted as bytes, and equal ones keep their order" {
	awk 'BEGIN {
		srand(1)
		for (; i < 5000; i++) {
			key = substr("aaaaaaaaaaaaaaaaaaaaaaaa", 1, rand() * 24)
			for (n = int(rand() * 4); n > 0; n--)
				key = key sprintf("%c", 98 + int(rand() * 3))
			print key
		}
	}' > random
	{ sort random; sort -r random; seq 999; sort random; } > runs
	seq 2000 | tr 0-9 '\200-\211' > high
	seq 2000 | sed 's/.*/same/' > same
	cat runs high >> same
	for file in same /dev/null; do
		awk '{ print $0 "\t" NR }' "$file" |
			sort -s -t "$(printf '\t')" -k 1,1 > sorted
		unit sort < "$file" | diff - sorted
	done
}

@test "sort: elements come in the order of their numbers, equal ones in their own" {
	awk 'BEGIN {
		srand(2)
		for (; i < 2000; i++)
			printf "%x%08x\n", rand() * 4096, rand() * 4
	}' | sed 's/^0*\(.\)/\1/' > few
	awk 'BEGIN {
		srand(3)
		for (; i < 2000; i++)
			printf "%x%07x\n", 2 ^ 28 + rand() * 2 ^ 31, rand() * 2 ^ 28
	}' > many
	{ echo ffffffffffffffff; echo 0; cat many; sort many; echo 8000000000000000; } > all
	for file in few all /dev/null; do
		awk '{ printf "%16s\t%d\n", $0, NR }' "$file" | tr ' ' 0 |
			LC_ALL=C sort -s -k 1,1 | sed 's/^0*\([0-9a-f]\)/\1/' > expected
		unit sort numbers < "$file" | diff - expected
	done
}

@test "rows: one is remembered until another one takes its place" {
	gives rows <<-'END'
	4096 1 => new
	4096 1 => 1
	4096 2 => new
	4097 1 => new
	4096 2 => 3
	0 1 => new
	0 1 => 6
	END
	# more than there are places for
	awk 'BEGIN {
		for (i = 0; i < 60000; i++) {
			pair = i * 16 % 300000 " " 1 + i % 3
			print pair
			print pair
		}
	}' > asked
	unit rows < asked > known
	paste asked known | awk '
	$3 == "new" { made[NR] = $1 " " $2; again += NR % 2 == 0; next }
	{ known++; other += made[$3] != $1 " " $2 }
	END { exit known < 60000 || again > 0 || other > 0 }'
}

@test "expr: operands and results of expressions" {
	gives expr <<-'END'
	 => 100
	30 => 0
	4f => 31
	03 88 77 66 55 44 33 22 11 => 1234605616436508552
	08 ff => 255
	09 ff => -1
	0a fe ff => 65534
	0b fe ff => -2
	0c fd ff ff ff => 4294967293
	0d fd ff ff ff => -3
	0e ff ff ff ff ff ff ff 7f => 9223372036854775807
	0f fc ff ff ff ff ff ff ff => -4
	10 80 01 => 128
	11 80 7f => -128
	70 00 => 0
	77 7f => 6999
	80 08 => 16008
	81 00 => none
	8f 00 => none
	92 0f 04 => 15004
	92 01 b0 70 => -1000
	92 11 04 => none
	06 => 3110343745084990756
	08 c8 06 => -8102383044816893560
	08 c9 06 => none
	08 40 06 => 506097522914230528
	08 3f 06 => none
	94 01 => 36
	94 02 => 9508
	94 04 => 656811300
	94 07 => 11867201454089508
	94 08 => 3110343745084990756
	94 00 => none
	94 09 => none
	96 => 100
	0a fe => none
	ff => none
	00 => none
	50 => none
	9c => none
	# what expressions calculate: each of 3 and -3 with 5, mostly
	33 35 1a => 1
	38 08 fd 1a => 8
	33 35 1b => 0
	09 f1 35 1b => -3
	3f 09 fd 1b => -5
	3f 30 1b => none
	0e 00 00 00 00 00 00 00 80 09 ff 1b => none
	0e 00 00 00 00 00 00 00 80 31 1b => -9223372036854775808
	3f 09 ff 1b => -15
	33 35 1c => -2
	3f 34 1d => 3
	09 ff 3a 1d => 5
	3f 30 1d => none
	33 35 1e => 15
	09 fd 35 1e => -15
	33 1f => -3
	09 fd 1f => 3
	33 19 => 3
	09 fd 19 => 3
	30 19 => 0
	33 20 => -4
	33 35 21 => 7
	33 35 22 => 8
	33 23 80 01 => 131
	33 35 24 => 96
	33 30 24 => 3
	31 08 3f 24 => -9223372036854775808
	31 08 40 24 => 0
	08 60 35 25 => 3
	09 ff 08 3f 25 => 1
	09 ff 08 40 25 => 0
	09 fd 30 25 => -3
	08 60 35 26 => 3
	09 81 34 26 => -8
	09 fd 30 26 => -3
	09 81 08 3f 26 => -1
	09 81 08 40 26 => -1
	08 60 08 40 26 => 0
	33 35 27 => 6
	33 35 29 => 0
	35 35 29 => 1
	33 35 2e => 1
	35 35 2e => 0
	33 35 2a => 0
	35 33 2a => 1
	33 33 2a => 1
	09 fd 33 2a => 0
	33 33 2b => 0
	35 33 2b => 1
	33 09 fd 2b => 1
	33 33 2c => 1
	33 35 2c => 1
	35 33 2c => 0
	33 33 2d => 0
	33 35 2d => 1
	09 fd 33 2d => 1
	1a => none
	33 35 9c => none
	33 35 28 => none
	33 35 ff => none
	END
}

@test "expr: numbers that change places, and jumps" {
	gives expr <<-'END'
	31 32 12 1e 22 => 5
	12 22 => 200
	31 32 13 => 1
	31 13 => 100
	13 => none
	13 31 => 1
	13 13 31 => none
	35 33 14 1c 1c => 7
	14 => none
	35 33 31 15 00 => 1
	35 33 31 15 01 => 3
	35 33 31 15 02 => 5
	35 33 31 15 03 => 100
	35 33 31 15 04 => none
	35 33 16 => 5
	35 33 16 1c => -2
	13 35 16 => none
	31 32 33 17 => 2
	31 32 33 17 13 => 1
	31 32 33 17 13 13 => 3
	32 33 17 => 2
	33 17 => none
	31 32 33 1e 22 22 => 107
	2f 01 00 35 => 100
	2f 00 00 35 => 5
	2f 02 00 35 => none
	31 28 01 00 35 => 100
	30 28 01 00 35 => 5
	13 28 01 00 35 => none
	2f fd ff => none
	2f fc ff => none
	35 31 1c 12 28 fa ff => 0
	END
	# 64 numbers fit, as first one 100; a thousand operations are run
	{
		printf '31 %.0s' {1..63}; echo
		printf '31 %.0s' {1..64}; echo
		printf '96 %.0s' {1..1000}; echo
		printf '96 %.0s' {1..1001}; echo
	} | unit expr | diff <(printf '%s\n' 1 none 100 none) -
}

@test "ehpointer: pointers of all encodings" {
	# pcrel ones count from 1003, or from where they are
	gives ehpointer <<-'END'
	00 88 77 66 55 44 33 22 11 ff => 1122334455667788 1
	01 80 01 ff => 80 1
	02 fe ff ff => fffe 1
	03 fd ff ff ff ff => fffffffd 1
	04 88 77 66 55 44 33 22 11 ff => 1122334455667788 1
	05 01 02 03 04 05 06 07 08 => none
	06 01 02 03 04 05 06 07 08 => none
	07 01 02 03 04 05 06 07 08 => none
	08 fe ff ff ff ff ff ff ff ff => fffffffffffffffe 1
	09 80 7f ff => ffffffffffffff80 1
	0a fe ff ff => fffffffffffffffe 1
	0b fd ff ff ff ff => fffffffffffffffd 1
	0c fc ff ff ff ff ff ff ff ff => fffffffffffffffc 1
	0d 01 02 03 04 05 06 07 08 => none
	0f 01 02 03 04 05 06 07 08 => none
	1b f0 ff ff ff ff => ff3 1
	12 10 00 ff => 1013 1
	2b f0 ff ff ff ff => 1fff0 1
	3b 10 00 00 00 ff => 300010 1
	41 10 ff => 4000010 1
	9b f0 ff ff ff ff => ff3 1
	61 10 => none
	71 10 => none
	1b 01 02 03 => none
	# none is no bytes or 0, an aligned one is at a word's address
	ff 01 02 => 0 2
	1b 00 00 00 00 ff => 0 1
	61 00 ff => 0 1
	50 1 2 3 4 5 88 77 66 55 44 33 22 11 ff => 1122334455667788 1
	50 1 2 3 4 5 0 0 0 0 0 0 0 0 ff => 0 1
	50 1 2 3 4 5 88 77 66 55 44 33 22 => none
	50 1 2 3 => none
	END
}

@test "inflate: blocks of all kinds, and invalid ones" {
	gives inflate <<-'END'
	# blocks that are stored, in fixed codes and in their own
	0: 78 da 03 00 00 00 00 01 => 
	9: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 73 => abcabcabc
	6: 78 01 01 06 00 f9 ff 73 74 6f 72 65 64 09 3c 02 92 => stored
	6: 78 01 00 02 00 fd ff 73 74 01 04 00 fb ff 6f 72 65 64 09 3c 02 92 => stored
	120: 78 da 35 8c 81 11 00 40 04 c3 66 6d b3 ff 0e 2f dc e3 28 42 68 42 09 e9 78 aa c5 3a 89 a8 98 89 94 da b0 75 ba 5b 04 f8 68 8f 59 81 d0 3d 5d 70 6f b9 26 7d d2 c1 2d c2 => acbaacbcacababaabbbbbaaabbaaacaaaabcbbbcbaaaaabaababbbcabcbcaaaacaabccaacaaaabbaaabaaabbaaccabcababaaaaaacbaabacaaaaaaab
	# what is damaged, cut off or of another size is refused
	0:  => damaged
	0: 78 => damaged
	9: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 73 00 => abcabcabc
	8: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 73 => damaged
	10: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 73 => damaged
	9: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 => damaged
	9: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 74 => damaged
	9: 79 da 4b 4c 4a 4e 04 23 00 11 3d 03 73 => damaged
	9: 78 db 4b 4c 4a 4e 04 23 00 11 3d 03 73 => damaged
	9: 78 bb 4b 4c 4a 4e 04 23 00 11 3d 03 73 => damaged
	9: 78 da 4f 4c 4a 4e 04 23 00 11 3d 03 73 => damaged
	6: 78 01 01 06 00 f8 ff 73 74 6f 72 65 64 09 3c 02 92 => damaged
	6: 78 01 01 07 00 f8 ff 73 74 6f 72 65 64 => damaged
	END
}

# zlib says of each stream if it is right.
@test "inflate: blocks of all kinds in a row, and codes that no stream may have" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 - <<-'END' > lines
	import zlib

	class Bits:
	    def __init__(self):
	        self.number = self.count = 0
	    def add(self, *pairs):
	        for value, bits in pairs:
	            self.number |= value << self.count
	            self.count += bits

	def block(text, strategy):
	    packer = zlib.compressobj(0 if strategy is None else 9, zlib.DEFLATED,
	                              -15, 9, strategy or 0)
	    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)

	def stream(body, text):
	    return (b"\x78\xda" + body + zlib.adler32(text).to_bytes(4, "big"))

	def show(packed, size):
	    try:
	        unpacker = zlib.decompressobj()
	        found = unpacker.decompress(packed).decode()
	        found = found if unpacker.eof else "damaged"
	    except zlib.error:
	        found = "damaged"
	    print(size, ":", packed.hex(" "), "=>", found)

	def show_own(codes, *lengths, kinds={1: 1, 16: 2, 18: 2}):
	    """Shows aa in a block of its own codes, of which lengths tell: symbol 1
	    is 0 there, 16 is 01 and 18 is 11, with bits after it."""
	    bits = Bits()
	    bits.add((1, 1), (2, 2), (codes - 257, 5), (0, 5), (14, 4))
	    bits.add(*((kinds.get(symbol, 0), 3) for symbol in (16, 17, 18, 0, 8,
	        7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1)))
	    bits.add(*lengths, (0, 1), (0, 1), (1, 1))
	    packed = bits.number.to_bytes((bits.count + 7) // 8, "little")
	    show(stream(packed, b"aa"), 2)

	def show_fixed(*codes):
	    """Shows a block of codes that begin with the highest bit."""
	    bits = Bits()
	    bits.add((1, 1), (1, 2), *((int(bit), 1) for bit in "".join(codes)))
	    packed = bits.number.to_bytes((bits.count + 7) // 8, "little")
	    show(stream(packed, b"aaaa"), 4)

	def zeros(count):
	    return (3, 2), (count - 11, 7)

	# fixed codes again, after themselves, own ones and stored bytes
	texts = [bytes(97 + i * j % 7 * (i % 5) % 26 for i in range(300))
	         for j in range(1, 7)]
	own, fixed = zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED
	body = b"".join(map(block, texts, (fixed, fixed, own, fixed, None, own)))
	body += b"\3\0"
	show(stream(body, b"".join(texts)), 1800)
	show(stream(body, b"".join(texts)) + bytes(50), 1800)
	# codes of one bit for a and 256, and none for a distance
	both = *zeros(97), (0, 1), *zeros(138), *zeros(20), (0, 1)
	for codes in 286, 287:
	    show_own(codes, *both, *zeros(codes - 256))
	# more lengths than codes, and a length again in front of the first
	show_own(286, *both, *zeros(31))
	show_own(286, (1, 2), (0, 2), *both, *zeros(30))
	# more codes than can be told apart
	show_own(286, *both, *zeros(30), kinds={1: 1, 16: 1, 18: 2})
	# a, three bytes from one before; the distance 30 and the length 286, which
	# have codes and no meaning; a distance to before the first byte
	a, end = "10010001", "0000000"
	show_fixed(a, "0000001", "00000", end)
	show_fixed(a, "0000001", "11110", end)
	show_fixed(a, "11000110", "00000", end)
	show_fixed(a, "0000001", "00001", end)
	# codes of up to 15 bits
	text, counts = b"", [1, 1]
	for letter in b"abcdefghijklmnopqrs":
	    text += bytes([letter]) * counts[-2]
	    counts.append(counts[-1] + counts[-2])
	text = bytes(text[i * 4093 % len(text)] for i in range(len(text)))
	show(stream(block(text, zlib.Z_HUFFMAN_ONLY) + b"\3\0", text), len(text))
	# sums of more bytes than may be added up at once (5552), the largest ones
	text = b"z" * 12000
	show(zlib.compress(text), len(text))
	show(zlib.compress(text)[:-1] + b"?", len(text))
	for text in b"\xff" * 12000, bytes(12000), b"\xff" * 63:
	    packed = zlib.compress(text)
	    print(len(text), ":", packed.hex(" "), "=>", "?" * len(text))
	    print(len(text), ":", packed[:-1].hex(" "), packed[-1] ^ 1, "=> damaged")
	END
	[ "$(sed 's/.*=> *//' lines | grep -c -v damaged)" -eq 9 ]
	gives inflate < lines
}

@test "gzip: members, trailing bytes, and damage" {
	local abc='4b 4c 4a 06 00 c2 41 24 35 03 00 00 00'
	local head='1f 8b 08 00 00 00 00 00 00 03'
	local sum='(it is damaged: its checksum does not match)'
	local short='(its compressed data is cut short)' whole="$head $abc"
	for size in 1 4096; do
		gives gzip <<-END
		# members with and without the parts that a header may have
		$size: $head $abc => abc
		$size: 1f 8b 08 1e 00 00 00 00 00 03 02 00 78 79 61 62 00 63 00 3e 7e $abc => abc
		$size: 1f 8b 08 04 00 00 00 00 00 03 02 00 78 79 $abc => abc
		$size: 1f 8b 08 04 00 00 00 00 00 03 00 00 $abc => abc
		$size: 1f 8b 08 08 00 00 00 00 00 03 00 $abc => abc
		$size: $head $abc $head 4b 49 05 00 8b 29 90 7d 02 00 00 00 => abcde
		$size: $head 03 00 00 00 00 00 00 00 00 00 => 
		# bytes after the members are reported, unless they are zeros
		$size: $whole 00 00 00 => abc
		$size: $whole 78 0a => abc (garbage)
		$size: $whole 1f 78 => abc (garbage)
		$size: $whole 00 00 78 => abc (garbage)
		$size: $whole 00 $whole => abc (garbage)
		# what is damaged or cut off says so
		$size:  =>  $short
		$size: 1f =>  $short
		$size: 1f 8c =>  (it is not compressed by gzip)
		$size: 1f 8b 07 =>  (it is compressed by an unknown method)
		$size: 1f 8b 08 20 =>  (its header has unknown flags)
		$size: 1f 8b 08 02 00 00 00 00 00 03 01 00 =>  (its header is damaged)
		$size: $head 4b 4c 4a 06 00 01 00 00 00 03 00 00 00 => abc $sum
		$size: $head 4b 4c 4a 06 00 c2 41 24 35 04 00 00 00 => abc $sum
		$size: $head 4b 4c 4a 06 00 c2 41 24 35 03 00 00 => abc $short
		$size: $head 06 00 =>  (its compressed data is damaged)
		END
	done
}

@test "gzip: the output of gzip is unpacked, in pieces of any size" {
	# lines that repeat, numbers that hardly do, and bytes that never do
	awk 'BEGIN { while (n++ < 9000)
		print "a line, which is there again" }' > repeats
	awk 'BEGIN { srand(1)
		while (n++ < 20000) print int(rand() * 1e9) }' > numbers
	awk 'BEGIN { srand(2)
		while (n++ < 70000) printf "%c", 1 + rand() * 254 }' > noise
	cat repeats numbers noise > in
	gzip -9c in | unit gzip 1 | cmp - in
	gzip -1c in | unit gzip 1000000 | cmp - in
	gzip -c numbers > packed
	cat packed packed | unit gzip 1000 | cmp - <(cat numbers numbers)
	for len in 11 $(($(wc -c < packed) - 9)); do
		head -c "$len" packed | unit gzip 1 > out
		[[ "$(tail -c 40 out)" == *'(its compressed data is cut short)' ]]
	done
}

@test "protobuf: numbers, texts, packed numbers, and damage" {
	gives protobuf <<-'END'
	# numbers, texts and packed numbers
	08 96 01 => 1=150
	12 07 74 65 73 74 69 6e 67 => 2=testing
	32 06 03 8e 02 9e a7 05 => 6=3,270,86942
	08 ff ff ff ff ff ff ff ff ff 01 => 1=18446744073709551615
	0d 01 02 03 04 => 1=67305985
	11 01 00 00 00 00 00 00 80 => 2=9223372036854775809
	0a 00 10 00 => 1= 2=0
	82 7d 01 61 => 2000=a
	08 01 08 02 => 1=1 1=2
	 => 
	# what is cut short or makes no sense is damage
	08 => damaged
	08 96 => damaged
	08 01 12 03 61 62 => 1=1 damaged
	12 ff ff ff ff ff ff ff ff ff 01 61 => damaged
	08 ff ff ff ff ff ff ff ff ff 02 => damaged
	0b => damaged
	0c => damaged
	0e => damaged
	00 01 => damaged
	0d 01 02 03 => damaged
	11 01 02 03 04 05 06 07 => damaged
	32 02 03 80 => 6=3,damaged
	END
}

@test "call graphs: a function's cost is shared among its callers" {
	gives callgraph <<-'END'
	# a function's cost is shared among its callers
	main=20 parse=100 main>parse=100 => main 20 / main;parse 100
	top=0 a=2 b=2 c=6 d=10 top>a=8 top>b=12 a>c=6 b>c=10 c>d=10 => top;a 2 / top;a;c 2 / top;a;c;d 4 / top;b 2 / top;b;c 4 / top;b;c;d 6
	main=1 a=10 b=20 leaf=31 main>a=20 main>b=42 a>leaf=10 b>leaf=21 b>a=1 => main 1 / main;a 9 / main;a;leaf 10 / main;b 20 / main;b;a 1 / main;b;leaf 21
	a=1 b=1 c=10 a>c=10 b>c=30 => a 1 / a;c 3 / b 1 / b;c 7
	c=3 a>c=3 b>c=3 => a;c 2 / b;c 1
	a=0 b=0 c=0 x=100 y=100 a>c=100 b>c=100 c>x=100 c>y=100 => a;c;x 50 / a;c;y 50 / b;c;x 50 / b;c;y 50
	# what no caller accounts for is a stack of its own
	a=3 c=7 a>c=5 => a 3 / a;c 5 / c 2
	a=3 c=7 a>c=0 => a 3 / c 7
	c=7 => c 7
	a=0 c=0 a>c=7 => 
	# a function is in a stack once, and cycles keep what enters them
	f=10 main=1 f>f=90 main>f=10 => main 1 / main;f 10
	f=10 f>f=90 => f 10
	main=1 even=10 odd=20 main>even=30 even>odd=25 odd>even=20 => main 1 / main;even 10 / main;even;odd 20
	main=1 alt=2 even=10 odd=20 main>even=20 alt>odd=10 even>odd=25 odd>even=20 => alt 2 / alt;odd 7 / alt;odd;even 3 / main 1 / main;even 7 / main;even;odd 13
	even=10 odd=20 even>odd=25 odd>even=20 => odd 20 / odd;even 10
	b=1 a=1 a>b=7 b>a=3 => a 1 / a;b 1
	main=5 a=1 b=2 c=3 d=4 main>a=10 a>b=5 b>a=2 b>c=7 c>d=4 d>c=3 => main 5 / main;a 1 / main;a;b 2 / main;a;b;c 3 / main;a;b;c;d 4
	main=0 a=4 b=4 c=4 x=4 main>a=16 a>b=9 a>c=8 b>c=1 c>b=2 c>x=4 b>a=1 => main;a 4 / main;a;b 4 / main;a;c 4 / main;a;c;x 4
	main=0 alt=0 even=1000 odd=1001 main>even=2000 alt>odd=1 even>odd=1 odd>even=1 => alt;odd 1 / main;even 1000 / main;even;odd 1000
	main=5 run=10 eval=30 call=20 read=40 main>eval=60 main>run=40 run>call=30 eval>call=90 call>eval=70 eval>read=25 call>read=15 => main 5 / main;eval 20 / main;eval;call 13 / main;eval;call;read 10 / main;eval;read 17 / main;run 10 / main;run;call 7 / main;run;call;eval 10 / main;run;call;eval;read 8 / main;run;call;read 5
	# calls that tell their callee's part keep it
	a=1 b=10 x=3 c=20 a>b=12,9 c>b=21,1 b>x=3,3 => a 1 / a;b 9 / c 20 / c;b 1 / c;b;x 3
	a=1 b=10 ?b=5,5 a>b=5,5 => a 1 / a;b 5 / b 5
	a=1 b=10 a>b=0,0 ?b=0,0 => a 1 / a;b 10
	a=1 c=1 b=10 a>b=0,0 c>b=0,0 => a 1 / a;b 5 / c 1 / c;b 5
	# sums are exact up to 2^64 - 1
	a=9223372036854775807 b=9223372036854775808 a>b=9223372036854775808 => a 9223372036854775807 / a;b 9223372036854775808
	a=9223372036854775808 b=9223372036854775808 a>b=1 => too much: a 9223372036854775808
	b=18446744073709551615 a>b=6148914691236517205 c>b=12297829382473034410 => a;b 6148914691236517205 / c;b 12297829382473034410
	b=10 a>b=18446744073709551615 c>b=18446744073709551615 => a;b 10
	END
}

@test "call graphs: the stacks of programs that ran add up to what they spent" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 -S "$TOP/test/unit/callgraph.py" "$UNIT" | diff /dev/null -
}

@test "marshal: values read as Python wrote them, integers with 63 bits" {
	gives marshal <<-'END'
	# values are what Python wrote, and may be named again
	a9 02 e9 05 00 00 00 4e => (5, -)
	a9 02 e9 05 00 00 00 4e 72 00 00 00 00 72 01 00 00 00 => (5, -) (5, -) 5
	7b 29 01 69 01 00 00 00 67 00 00 00 00 00 00 f8 3f 30 => {(1): 1.5}
	7b 30 => {}
	74 01 00 00 00 61 52 00 00 00 00 5b 02 00 00 00 52 00 00 00 00 4e => 'a' 'a' ['a', -]
	66 01 37 66 00 => 7 0
	49 ff ff ff ff ff ff ff ff 66 03 31 2e 35 78 01 31 01 32 79 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 => -1 1.5 - -
	7a 02 68 69 da 01 78 e1 01 00 00 00 79 75 02 00 00 00 c3 a9 73 01 00 00 00 0a => 'hi' 'x' 'y' 'é' '\x0a'
	3c 01 00 00 00 54 3e 00 00 00 00 3a 4e 4e 4e 46 => <-> <> - -
	28 00 00 00 00 29 00 41 01 00 00 00 62 5a 01 63 53 2e => () () 'b' 'c' - -
	# an integer has any number of bits, of which 63 are read
	69 fe ff ff ff => -2
	6c 01 00 00 00 05 00 6c ff ff ff ff 05 00 6c 02 00 00 00 00 00 01 00 => 5 -5 32768
	6c 05 00 00 00 ff 7f ff 7f ff 7f ff 7f 07 00 6c 05 00 00 00 00 00 00 00 00 00 00 00 08 00 => 9223372036854775807 9223372036854775807
	6c 06 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 6c fa ff ff ff 00 00 00 00 00 00 00 00 00 00 01 00 => 9223372036854775807 -9223372036854775807
	6c 06 00 00 00 07 00 00 00 00 00 00 00 00 00 00 00 => 7
	END
}

@test "marshal: damage and code are reported with their byte" {
	gives marshal <<-'END'
	63 00 => byte 0 is code, which profile saves of a script, and cProfile does not
	4e 3f => - byte 1 is not a type that a profile has
	72 00 00 00 00 => byte 0 refers to a value that does not exist
	52 00 00 00 00 => byte 0 refers to a value that does not exist
	db 01 00 00 00 72 00 00 00 00 => byte 5 refers to the value that contains it
	7b 4e 30 => byte 2 is not a type that a profile has
	END
	sed 's/$/ => byte 0 is where the file ends inside a value/' <<-'END' |
	a9 02 4e
	28 ff ff ff 7f 4e
	6c ff ff ff 7f 00
	6c 00 00 00 80 00
	7a 05 61
	75 ff ff ff ff 61
	66 09 31
	67 00
	7b 4e
	5b 01
	END
		gives marshal
	for depth in 199 200; do
		printf '29 01 %.0s' $(seq $depth)
		echo 4e
	done | unit marshal | sed 's/^(*-)*$/read/' | diff - <(
		echo read
		echo 'byte 400 is in too many values')
}

@test "marshal: every version of Python's format is read" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 - > values <<-'END'
	import marshal
	text = "a longer text"
	values = [(1, -1, 2**31, -2**40, 2**62, 0.1, -2.5e300),
	    {"a": ["b", "a", (text, text)], (1, "\u00e9"): {}},
	    [b"bytes", "x" * 300, [[[[]]]], tuple(range(300))]]
	def shown(value):
	    if isinstance(value, (int, str)):
	        return repr(value)
	    if isinstance(value, bytes):
	        return repr(value)[1:]
	    if isinstance(value, float):
	        return "%.9g" % value
	    if isinstance(value, dict):
	        return "{" + ", ".join(shown(key) + ": " + shown(value[key])
	            for key in value) + "}"
	    marks = "()" if isinstance(value, tuple) else "[]"
	    return marks[0] + ", ".join(map(shown, value)) + marks[1]
	for version in range(5):
	    for value in values:
	        print(marshal.dumps(value, version).hex(), "=>", shown(value))
	END
	gives marshal < values
}

@test "recordings: events without a name get perf's name" {
	while read -r type config name; do
		record > perf.data <<-END
		unfinished
		event - $type $config ip,tid,time,id,period,chain,all 1
		event other 1 0 ip,tid,time,id,period,chain,all 2
		sample 1 0 0 10 1 u u: 0x10
		sample 2 0 0 10 5 u u: 0x10
		END
		stackcollapse-perf --event-filter="$name" perf.data 2> err |
			diff - <(echo 'swapper;[unknown] 1')
	done <<-'END'
	2 0x141 unknown tracepoint
	3 0 L1-dcache-loads
	3 0x10103 dTLB-store-misses
	4 0x1a8 raw 0x1a8
	5 0 mem:0x0:
	END
}
