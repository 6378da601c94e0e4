load ../helper

# Modules that are pure functions are tested by drivers, programs of a few lines
# in unit/, built with CC and the CFLAGS of make.

load ../unit

setup_file() {
	needs_drivers
}

# gives DRIVER [ARGUMENT ...]: reads "INPUT => OUTPUT" lines, and compares what
# comes out.
gives() {
	cat > table
	sed 's/ => .*//' table | unit "$@" > out
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

@test "names: an unpaired bracket does not count, a closing one ends those in it" {
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
	    '() const' '() const &::' '(anonymous namespace)' '[(<{' '}>)]' \
	    'long ' 'long (*' '(A::*' 'f<int>()::' 'f[abi:' 'decltype (' ')()'; do
		awk -v sign="$sign" 'BEGIN { for (; i < 100000; i++)
			printf "%s", sign; print "" }'
	done > names
	echo x | unit names
	sed 's/^/x/' names > others
	sed 's/^/int (*f<int>/' names >> others
	cat names others > all
	timeout 20 "$UNIT" names < all > out
	[ "$(wc -l < out)" -eq "$(wc -l < all)" ]
	timeout 20 "$UNIT" names c++ < all > out
	[ "$(wc -l < out)" -eq "$(wc -l < all)" ]
}

@test "names: what must hold for any name holds for the fuzzer's seeds" {
	replay names
}

@test "maps: a new map cuts off what it covers, from its time on" {
	gives maps <<-'END'
	p add 100 200 40 A 1 => - changed
	p add 200 300 0 B 2 => - changed
	p at 2 => - 100-200:A+40 200-300:B+0
	p add 180 220 0 C 3 => - changed
	p add 120 140 0 D 4 => - changed
	p add 110 240 0 E 5 => - changed
	p at 0 => -
	p at 1 => - 100-200:A+40
	p at 3 => - 100-180:A+40 180-220:C+0 220-300:B+20
	p at 4 => - 100-120:A+40 120-140:D+0 140-180:A+80 180-220:C+0 220-300:B+20
	p at 5 => - 100-110:A+40 110-240:E+0 240-300:B+40
	p find 10f 5 => - 100-110:A+40
	p find 110 5 => - 110-240:E+0
	p find ff 5 => - 0-100:none
	p find 300 5 => - 300-ffffffffffffffff:none
	p find 190 1 => - 100-200:A+40
	p add 108 250 0 - 6 => - changed
	p at 6 => - 100-108:A+40 250-300:B+50
	p add 500 500 0 A 6 => -
	p add 500 400 0 A 6 => -
	p add 0 1000 0 F 7 => - changed
	p at 7 => - 0-1000:F+0
	p at 2 => - 100-200:A+40 200-300:B+0
	END
}

@test "maps: a process that forked has its parent's maps until it changes them" {
	gives maps <<-'END'
	p add 100 200 0 A 1 => - changed
	p add 300 400 0 B 2 => - changed
	c fork 2 => - as its parent
	c at 2 => - 100-200:A+0 300-400:B+0
	c add 180 200 0 C 3 => - changed
	c at 3 => - 100-180:A+0 180-200:C+0 300-400:B+0
	p at 3 => - 100-200:A+0 300-400:B+0
	p add 0 1000 0 - 4 => - changed
	p at 4 => -
	c at 4 => - 100-180:A+0 180-200:C+0 300-400:B+0
	c fork 1 => - changed
	c at 4 => - 100-200:A+0
	END
}

@test "maps: thousands, at any time, are those that were added last by then" {
	for count in 8 100 130 5000 20000; do
		echo "p many $count" | unit maps | diff <(echo '- equal changed') -
	done
}

@test "maps: forks of forks have the maps of all before" {
	for count in 1 31 33 100 1000; do
		echo "p deep $count" | unit maps | diff <(echo '- equal changed') -
	done
}

@test "recordings: what is whole counts, cut off or changed at any byte" {
	build whole "$TOP/test/unit/whole.c"
	for how in '' pipe unfinished; do
		"$UNIT" perfdata > recording <<-END
		$how
		event cycles 0 0 ip,tid,time,id,period,chain,all 1,2
		comm 10 10 sh
		map 10 10 0x1000 0x1000 0 /x/bin/sh
		sample 1 10 10 100 7 u u: 0x8010 0x1020
		fork 11 11 10 10 120
		sample 1 11 11 130 5 u u: 0x1040
		round
		sample 1 11 11 150 2 u u: 0x8020 0x1040
		round
		sample 1 11 11 160 2 u u: 0x8020 0x1040
		END
		"$BATS_FILE_TMPDIR/whole" recording |
			diff <(echo 'samples: 4 of 4') -
	done
}

@test "bytes: numbers are little-endian, with and without a sign" {
	gives bytes <<-'END'
	01 02 03 04 05 06 07 08 : u64 left failed => 578437695752307201 0 well
	ff fe fd fc fb fa f9 f8 : i64 => -506097522914230529
	ff fe fd fc fb fa f9 f8 : u8 u16 u32 offset left => 255 65022 4193975292 7 1
	ff fe fd fc fb fa f9 f8 : i8 i16 i32 => -1 -514 -100992004
	00 80 : i16 => -32768
	01 02 03 04 05 06 07 08 : uint=3 uint=0 uint=5 => 197121 0 34477573380
	01 02 03 04 05 06 07 08 09 : uint=9 failed => 0 failed
	END
}

@test "bytes: LEB128 has as many bits as it needs, but not more than 64" {
	gives bytes <<-'END'
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
	END
}

@test "bytes: a read beyond the end fails, and all after it" {
	gives bytes <<-'END'
	01 02 03 : u32 u8 left failed => 0 0 0 failed
	01 02 03 : u8 u8 u8 failed u8 failed => 1 2 3 well 0 failed
	01 02 03 : skip=2 skip=2 u8 seek=0 u8 failed =>   0  0 failed
	01 02 03 : skip=18446744073709551615 failed =>  failed
	61 62 63 : text=2 text=2 failed text=0 => 'ab' '' failed ''
	61 00 62 : string offset string failed string => 'a' 2 '' failed ''
	00 61 00 : string string string failed => '' 'a' '' failed
	: u8 failed => 0 failed
	: left failed => 0 well
	END
}

@test "bytes: readers of a part have bounds and failures of their own" {
	gives bytes <<-'END'
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
	seq 300000 | sed 's/$/ 0123456789/' > in
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
	unit child ask true | diff - <(printf 'not written\n(well)\n')
	unit child ask cat > out &
	sleep 2	# its input stays open, and so does it
	kill $!
	diff out /dev/null
	unit child seconds sleep 1000 |
		diff - <(printf 'said nothing\n(not well)\n')
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

@test "mapping: zeros take the place of what a file loses, and of what follows" {
	page=$(getconf PAGESIZE)
	same() {
		head -c "$1" /dev/zero | tr '\0' x > file
		unit mapping file "$2" "${3-1}"
	}
	same 100000 100000 | diff <(echo 100000) -
	same $((page * 4)) $((page * 4)) | diff <(echo $((page * 4))) -
	same $((page * 4)) $((page * 9)) | diff <(echo $((page * 4))) -
	# what is left of a page is zeros, too
	for left in 0 1 $((page - 1)) "$page" $((page + 1)) $((page * 3)); do
		same $((page * 4)) "$left" |
			diff <(printf '%s\ncut: file\n' "$left") -
	done
	same 1000000 "$page" 8 |
		diff <(for _ in 1 2 3 4 5 6 7 8; do echo "$page"; done
			echo 'cut: file') -
}

@test "mapping: a signal that is not about a mapping ends the program" {
	head -c 100000 /dev/zero > file
	ASAN_OPTIONS=handle_sigbus=0:$ASAN_OPTIONS \
		fails $((128 + $(kill -l BUS))) unit mapping other file
}

@test "input: what a file begins with may refuse it, and the others are read" {
	printf '\177ELF\n' > program
	printf 'a\nb' > lines
	: > empty
	for jobs in 1 3; do
		fails 1 unit input $jobs lines program empty missing lines \
			> out 2> err
		[ $jobs -gt 1 ] || diff out <(printf 'lines: %s\n' a b a b)
		sort out | diff - <(printf 'lines: %s\n' a a b b)
		sort err | diff - <(printf 'driver: %s\n' \
			'missing: No such file or directory' \
			'program: a program')
		fails 1 unit input $jobs < program 2>&1 |
			diff - <(echo 'driver: standard input: a program')
		{ printf '\177'; sleep 1; printf 'ELF\n'; } |
			fails 1 unit input $jobs - lines 2>&1 | sort |
			diff - <(echo 'driver: standard input: a program'
				printf 'lines: %s\n' a b)
		fails 1 unit input $jobs . lines 2>&1 | sort |
			diff - <(echo 'driver: .: Is a directory'
				printf 'lines: %s\n' a b)
	done
}

@test "input: a file may be taken over, with what was read of it" {
	awk 'BEGIN { printf "RECORDING"
		for (; i < 100000; i++) printf "0123456789\n"; print "" }' > even
	{ cat even; printf x; } > odd
	printf 'RECORDING' > short
	echo a > lines
	for jobs in 1 3; do
		fails 1 unit input $jobs lines even odd short lines 2>&1 |
			sort | diff - <(sort <<-'END'
			lines: a
			even: 1100010 bytes
			odd: 1100011 bytes
			driver: odd: it ends inside a record
			short: 9 bytes
			driver: short: it ends inside a record
			lines: a
			END
			)
		unit input $jobs lines - < even | sort |
			diff - <(printf '%s\n' 'lines: a' \
				'standard input: 1100010 bytes')
	done
}

@test "input: threads read every line of large files once" {
	seq 200000 | sed 's/$/ 0123456789/' > large
	printf '%s' 'no line end' > small
	{ sed 's/^/large: /' large large; echo 'small: no line end'; } |
		sort > expected
	for jobs in 1 2 5; do
		unit input $jobs large small large | sort | diff - expected
	done
}

@test "utf8: what is not UTF-8, or not for XML, becomes U+FFFD" {
	gives utf8 <<-'END'
	61 c3 a9 e2 82 ac f0 9f 94 a5 => 1: 61 E9 20AC 1F525
	c3 a9 => 2: E9
	ef bf bd => 3: FFFD
	f4 8f bf bf => 4: 10FFFF
	f4 90 80 80 => 0: FFFD FFFD FFFD FFFD
	ed 9f bf => 3: D7FF
	ed a0 80 => 0: FFFD FFFD FFFD
	c0 80 61 => 0: FFFD FFFD 61
	e0 80 af => 0: FFFD FFFD FFFD
	e2 82 => 0: FFFD FFFD
	e2 82 61 => 0: FFFD FFFD 61
	80 ff => 0: FFFD FFFD
	00 09 1b 7f => 1: FFFD 9 FFFD 7F
	ef bf be ef bf bf => 3: FFFD FFFD
	61 62 63 64 65 66 67 68 69 6a 6b 80 6c => 1: 61 62 63 64 65 66 67 68 69 6A 6B FFFD 6C
	END
}

@test "sort: keys are sorted as bytes, and equal ones keep their order" {
	awk 'BEGIN {
		srand(1)
		for (; i < 20000; i++) {
			key = substr("aaaaaaaaaaaaaaaaaaaaaaaa", 1, rand() * 24)
			for (n = int(rand() * 4); n > 0; n--)
				key = key sprintf("%c", 98 + int(rand() * 3))
			print key
		}
	}' > random
	{ sort random; sort -r random; seq 999; sort random; } > runs
	seq 5000 | tr 0-9 '\200-\211' > high
	seq 9000 | sed 's/.*/same/' > same
	for file in random runs high same /dev/null; do
		awk '{ print $0 "\t" NR }' "$file" |
			sort -s -t "$(printf '\t')" -k 1,1 > sorted
		unit sort < "$file" | diff - sorted
	done
}

@test "sort: elements come in the order of their numbers, equal ones in their own" {
	awk 'BEGIN {
		srand(2)
		for (; i < 5000; i++)
			printf "%x%08x\n", rand() * 4096, rand() * 4
	}' | sed 's/^0*\(.\)/\1/' > few
	awk 'BEGIN {
		srand(3)
		for (; i < 5000; i++)
			printf "%x%07x\n", 2 ^ 28 + rand() * 2 ^ 31, rand() * 2 ^ 28
	}' > many
	sort many > sorted
	{ echo ffffffffffffffff; echo 0; cat many; echo 8000000000000000; } > all
	for file in few many sorted all /dev/null; do
		awk '{ printf "%16s\t%d\n", $0, NR }' "$file" | tr ' ' 0 |
			LC_ALL=C sort -s -k 1,1 | sed 's/^0*\([0-9a-f]\)/\1/' > expected
		unit sort numbers < "$file" | diff - expected
	done
}

# 3 bytes a thousand times; 8 bytes, and room for 128; all of the others.
@test "mem: each thread knows what it has taken, and what it gave back" {
	line='array 3000 grown 1024 freed 0'
	unit taken | diff - <(printf '%s\n' "$line" "$line" "$line" "$line")
}

@test "intmap: each pair has a number, in the order in which they came first" {
	gives intmap <<-'END'
	7 1 => 0
	1 7 => 1
	7 1 => 0
	1 7 => 1
	0 0 => 2
	7 7 => 3
	4294967295 1 => 4
	1 4294967295 => 5
	7 7 => 3
	0 0 => 2
	1 4294967295 => 5
	0 1 => 6
	END
}

@test "intmap: thousands are found again, in their order and in any other" {
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 20000; i++)
			print pair[i] = int(rand() * 200) " " int(rand() * 200)
		for (i = 0; i < 20000; i++)
			print pair[i]
		for (i = 20000; i > 0; i--)
			print pair[i - 1]
	}' > many
	awk '!($0 in number) { number[$0] = count++ }
		{ print number[$0] }' many > expected
	[ "$(sort -n expected | tail -n 1)" -gt 10000 ]
	unit intmap < many | cmp - expected
}

@test "bound: the first number that is not less than the key" {
	gives bound <<-'END'
	9 => 0
	9 9 => 0
	9 8 => 1
	9 10 => 0
	5 1 5 5 9 => 1
	6 1 5 5 9 => 3
	0 1 5 5 9 => 0
	10 1 5 5 9 => 4
	9 1 5 5 9 10 11 12 => 3
	END
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

@test "expr: the numbers, registers and memory that expressions take" {
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
	END
}

@test "expr: what expressions calculate" {
	# each of 3 and -3 with 5, mostly
	gives expr <<-'END'
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
	END
}

@test "ehpointer: none is no bytes or 0, an aligned one is at a word's address" {
	gives ehpointer <<-'END'
	ff 01 02 => 0 2
	1b 00 00 00 00 ff => 0 1
	61 00 ff => 0 1
	50 1 2 3 4 5 88 77 66 55 44 33 22 11 ff => 1122334455667788 1
	50 1 2 3 4 5 0 0 0 0 0 0 0 0 ff => 0 1
	50 1 2 3 4 5 88 77 66 55 44 33 22 => none
	50 1 2 3 => none
	END
}

@test "deflate: a stream of pieces of any size, and what is after it" {
	# lines that repeat, numbers that hardly do, and bytes that never do
	for file in repeats numbers noise empty; do
		# shellcheck disable=SC2094 # only its name is looked at
		case $file in
		repeats) awk 'BEGIN { while (n++ < 9000)
			print "a line, which is there again" }' ;;
		numbers) awk 'BEGIN { srand(1)
			while (n++ < 40000) print int(rand() * 1e9) }' ;;
		noise) LC_ALL=C awk 'BEGIN { srand(2)
			while (n++ < 70000) printf "%c", 1 + rand() * 254 }' ;;
		esac > $file
		for level in 1 9; do
			# a head of 10 bytes, and 8 of sums (RFC 1952, 2.3)
			gzip -nc -$level $file | tail -c +11 > packed
			tail -c 8 packed > sums
			for size in 1 7 4096 1000000; do
				unit deflate $size < packed 2> behind |
					cmp - $file
				cmp behind sums
			done
		done
	done
}

@test "deflate: a stream that is cut off or damaged is told from a whole one" {
	seq 2000 | gzip -nc | tail -c +11 > packed
	for size in 1 4096; do
		for len in 0 1 2 10 $(($(wc -c < packed) - 9)); do
			run unit deflate $size < <(head -c $len packed)
			[ "$status" -eq 1 ]
			[[ $output == *'cut off' ]]
		done
		run unit deflate $size < <(printf '\7')
		[ "$status,$output" = 1,damaged ]
	done
}

@test "inflate: blocks that are stored, in fixed codes and in their own" {
	gives inflate <<-'END'
	0: 78 da 03 00 00 00 00 01 => 
	9: 78 da 4b 4c 4a 4e 04 23 00 11 3d 03 73 => abcabcabc
	6: 78 01 01 06 00 f9 ff 73 74 6f 72 65 64 09 3c 02 92 => stored
	6: 78 01 00 02 00 fd ff 73 74 01 04 00 fb ff 6f 72 65 64 09 3c 02 92 => stored
	120: 78 da 35 8c 81 11 00 40 04 c3 66 6d b3 ff 0e 2f dc e3 28 42 68 42 09 e9 78 aa c5 3a 89 a8 98 89 94 da b0 75 ba 5b 04 f8 68 8f 59 81 d0 3d 5d 70 6f b9 26 7d d2 c1 2d c2 => acbaacbcacababaabbbbbaaabbaaacaaaabcbbbcbaaaaabaababbbcabcbcaaaacaabccaacaaaabbaaabaaabbaaccabcababaaaaaacbaabacaaaaaaab
	END
}

# zlib says of each stream if it is right.
@test "inflate: blocks of all kinds in a row, and codes that no stream may have" {
	command -v python3 > /dev/null || skip 'no python3'
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
	END
	[ "$(sed 's/.*=> *//' lines | grep -c -v damaged)" -eq 5 ]
	gives inflate < lines
}

@test "inflate: sums of many bytes, of which all or none may be the largest" {
	command -v python3 > /dev/null || skip 'no python3'
	for text in "b'\\xff' * 100000" "bytes(100000)" \
	    "bytes(i * i % 251 for i in range(5600))" "b'\\xff' * 63"; do
		python3 - "$text" <<-'END' > lines
		import sys, zlib
		text = eval(sys.argv[1])
		packed = bytearray(zlib.compress(text))
		print(len(text), ':', packed.hex(' '))
		packed[-1] ^= 1
		print(len(text), ':', packed.hex(' '))
		END
		unit inflate < lines > out
		[ "$(grep -n damaged out)" = 2:damaged ]
	done
}

@test "inflate: what is damaged, cut off or of another size is refused" {
	gives inflate <<-'END'
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

@test "gzip: members with and without the parts that a header may have" {
	local abc='4b 4c 4a 06 00 c2 41 24 35 03 00 00 00'
	local head='1f 8b 08 00 00 00 00 00 00 03'
	for size in 1 2 7 4096; do
		gives gzip <<-END
		$size: $head $abc => abc
		$size: 1f 8b 08 1e 00 00 00 00 00 03 02 00 78 79 61 62 00 63 00 3e 7e $abc => abc
		$size: 1f 8b 08 04 00 00 00 00 00 03 02 00 78 79 $abc => abc
		$size: 1f 8b 08 04 00 00 00 00 00 03 00 00 $abc => abc
		$size: 1f 8b 08 08 00 00 00 00 00 03 00 $abc => abc
		$size: $head $abc $head 4b 49 05 00 8b 29 90 7d 02 00 00 00 => abcde
		$size: $head 03 00 00 00 00 00 00 00 00 00 => 
		END
	done
}

@test "gzip: bytes after the members are reported, unless they are zeros" {
	local abc='1f 8b 08 00 00 00 00 00 00 03 4b 4c 4a 06 00 c2 41 24 35 03 00 00 00'
	for size in 1 4096; do
		gives gzip <<-END
		$size: $abc 00 00 00 => abc
		$size: $abc 78 0a => abc (garbage)
		$size: $abc 1f 78 => abc (garbage)
		$size: $abc 00 00 78 => abc (garbage)
		$size: $abc 00 $abc => abc (garbage)
		END
	done
}

@test "gzip: what is damaged or cut off says so" {
	local head='1f 8b 08 00 00 00 00 00 00 03'
	local sum='(it is damaged: its checksum is of something else)'
	local short='(its compressed data is cut short)'
	for size in 1 4096; do
		gives gzip <<-END
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

@test "gzip: what gzip packs is unpacked, in pieces of any size" {
	cat "$TOP"/test/data/*.folded "$BIN/flamegraph" > in
	for level in 1 6 9; do
		gzip -$level < in > packed
		for size in 1 13 65536; do
			unit gzip $size < packed | cmp - in
		done
	done
	cat packed packed | unit gzip 1000 | cmp - <(cat in in)
}

@test "protobuf: numbers, texts and packed numbers" {
	gives protobuf <<-'END'
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
	END
}

@test "protobuf: what is cut short or makes no sense is damage" {
	gives protobuf <<-'END'
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
	main=20 parse=100 main>parse=100 => main 20 / main;parse 100
	top=0 a=2 b=2 c=6 d=10 top>a=8 top>b=12 a>c=6 b>c=10 c>d=10 => top;a 2 / top;a;c 2 / top;a;c;d 4 / top;b 2 / top;b;c 4 / top;b;c;d 6
	main=1 a=10 b=20 leaf=31 main>a=20 main>b=42 a>leaf=10 b>leaf=21 b>a=1 => main 1 / main;a 10 / main;a;leaf 9 / main;b 20 / main;b;a;leaf 1 / main;b;leaf 21
	a=1 b=1 c=10 a>c=10 b>c=30 => a 1 / a;c 3 / b 1 / b;c 7
	c=3 a>c=3 b>c=3 => a;c 2 / b;c 1
	a=0 b=0 c=0 x=100 y=100 a>c=100 b>c=100 c>x=100 c>y=100 => a;c;x 50 / a;c;y 50 / b;c;x 50 / b;c;y 50
	END
}

@test "call graphs: what no caller accounts for is a stack of its own" {
	gives callgraph <<-'END'
	a=3 c=7 a>c=5 => a 3 / a;c 5 / c 2
	a=3 c=7 a>c=0 => a 3 / c 7
	c=7 => c 7
	a=0 c=0 a>c=7 => 
	END
}

@test "call graphs: a function is in a stack once, and cycles keep what enters them" {
	gives callgraph <<-'END'
	f=10 main=1 f>f=90 main>f=10 => main 1 / main;f 10
	f=10 f>f=90 => f 10
	main=1 even=10 odd=20 main>even=30 even>odd=25 odd>even=20 => main 1 / main;even 10 / main;even;odd 20
	main=1 alt=2 even=10 odd=20 main>even=20 alt>odd=10 even>odd=25 odd>even=20 => alt 2 / alt;odd 7 / alt;odd;even 3 / main 1 / main;even 7 / main;even;odd 13
	even=10 odd=20 even>odd=25 odd>even=20 => odd 20 / odd;even 10
	b=1 a=1 a>b=7 b>a=3 => a 1 / a;b 1
	main=5 a=1 b=2 c=3 d=4 main>a=10 a>b=5 b>a=2 b>c=7 c>d=4 d>c=3 => main 5 / main;a 1 / main;a;b 2 / main;a;b;c 3 / main;a;b;c;d 4
	main=0 a=4 b=4 c=4 x=4 main>a=16 a>b=9 a>c=8 b>c=1 c>b=2 c>x=4 b>a=1 => main;a 4 / main;a;b 4 / main;a;b;c;x 1 / main;a;c 4 / main;a;c;x 3
	END
}

@test "call graphs: where little enters a cycle, another function stands in" {
	gives callgraph <<-'END'
	main=0 alt=0 even=1000 odd=1001 main>even=2000 alt>odd=1 even>odd=1 odd>even=1 => alt;even;odd 1 / main;even 1000 / main;even;odd 1000
	END
}

@test "call graphs: calls that tell their callee's part keep it" {
	gives callgraph <<-'END'
	a=1 b=10 x=3 c=20 a>b=12,9 c>b=21,1 b>x=3,3 => a 1 / a;b 9 / c 20 / c;b 1 / c;b;x 3
	a=1 b=10 ?b=5,5 a>b=5,5 => a 1 / a;b 5 / b 5
	a=1 b=10 a>b=0,0 ?b=0,0 => a 1 / a;b 10
	a=1 c=1 b=10 a>b=0,0 c>b=0,0 => a 1 / a;b 5 / c 1 / c;b 5
	END
}

@test "call graphs: sums are exact up to 2^64 - 1" {
	gives callgraph <<-'END'
	a=9223372036854775807 b=9223372036854775808 a>b=9223372036854775808 => a 9223372036854775807 / a;b 9223372036854775808
	a=9223372036854775808 b=9223372036854775808 a>b=1 => too much: a 9223372036854775808
	b=18446744073709551615 a>b=6148914691236517205 c>b=12297829382473034410 => a;b 6148914691236517205 / c;b 12297829382473034410
	b=10 a>b=18446744073709551615 c>b=18446744073709551615 => a;b 5 / c;b 5
	END
}

# many SHAPE: prints what is wrong with the stacks of a thousand graphs.
many() {
	python3 "$TOP/test/unit/callgraph.py" "$UNIT" "$@"
}

@test "call graphs: the stacks of programs that ran add up to what they spent" {
	command -v python3 > /dev/null || skip 'no python3'
	for most in 1 20 1000000000000; do
		many 1 300 $most | diff /dev/null -
	done
}

@test "samples: events are called as perf calls them" {
	gives sample <<-'END'
	name 0 0 100000 => cycles
	name 0 1 60 => instructions:u
	name 0 9 100010 => ref-cycles:khH
	name 0 a 100000 => unknown
	name 1 0 0 => cpu-clock:HG
	name 1 9 80000 => dummy:G
	name 1 2 100070 => page-faults:H
	name 0 0 118020 => cycles:uhpppH
	name 0 0 18000 => cycles:ppp
	name 2 141 0 => unknown tracepoint
	name 3 0 100000 => L1-dcache-loads
	name 3 10103 100000 => dTLB-store-misses
	name 3 6 100000 => node-loads
	name 4 1a8 100000 => raw 0x1a8
	name 1d 3 0 => unknown attr type: 29
	breakpoint 3 4010 => mem:0x4010:rw
	breakpoint 4 1 => mem:0x1:x
	END
}

@test "samples: fields are where their event says, or the sample is short" {
	local a='01 00 00 00 00 00 00 00' b='02 01 00 00 00 00 00 00'
	local tids='05 00 00 00 06 00 00 00' ends='ff ff ff ff fe ff ff ff'
	local none='ff ff ff ff ff ff ff ff'
	gives sample <<-END
	1 0 7: $b => ip 102 of -1/-1 id ffffffffffffffff period 7
	3 0 7: $b $tids => ip 102 of 5/6 id ffffffffffffffff period 7
	3 0 7: $b 05 00 00 00 06 00 00 => short
	2 0 7: $none => ip 0 of -1/-1 id ffffffffffffffff period 7
	2 0 7: $ends => short
	2 0 7: 00 00 40 00 01 00 40 00 => short
	2 0 7: 00 00 40 00 00 00 40 00 => ip 0 of 4194304/4194304 id ffffffffffffffff period 7
	10007 0 7: $a $b $tids $b => ip 102 of 5/6 id 1 period 7 at 102
	1cf 0 7: $b $tids $b $a $a $a $b => ip 102 of 5/6 id 1 period 102 at 102
	21 0 7: $b $a $b => ip 102 of -1/-1 id ffffffffffffffff period 7 - 102
	21 0 7: $b $b $b => short
	21 0 7: $b => short
	21 0 7: $b $ends $b => short
	21 0 7: $b 00 00 00 00 00 00 00 00 => ip 102 of -1/-1 id ffffffffffffffff period 7
	END
}

@test "samples: reads of counters, registers and copies of the stack" {
	local a='01 00 00 00 00 00 00 00' b='02 00 00 00 00 00 00 00'
	local none='00 00 00 00 00 00 00 00'
	local start='ip 2 of -1/-1 id ffffffffffffffff period 7'
	gives sample <<-END
	11 4 7: $b $a $b => $start reads id 2 value 1
	11 0 7: $b $a => $start
	11 17 7: $b $b $b $a $b => short
	11 17 7: $b $a $b $a $b $a => $start reads id 2 value 1
	11 1f 7: $b $a $b $a $b $a $b => $start reads id 1 value 2
	11 8 7: $b $a $b => $start
	11 c 7: $b $b $a $b $b $a => $start reads id 2 value 1 id 1 value 2
	11 c 7: $b $b $a $b $b => short
	11 c 7: $b $none => $start reads
	11 2c 7: $b $none => unknown
	1 2c 7: $b => $start
	1001 0 7: $b $none => $start abi 0 registers 0 stack 0
	1001 0 7: $b $b $a $a $a => $start abi 2 registers 3 stack 0
	1001 0 7: $b $b $a $a => short
	3001 0 7: $b $b $a $a $a $none => $start abi 2 registers 3 stack 0
	3001 0 7: $b $none 08 00 00 00 00 00 00 00 $a $b => $start abi 0 registers 0 stack 2
	3001 0 7: $b $none 08 00 00 00 00 00 00 00 $a => short
	3001 0 7: $b $none 08 00 00 00 00 00 00 00 $a 09 00 00 00 00 00 00 00 => short
	1401 0 7: $b 30 00 00 00 aa bb cc dd $none => short
	1401 0 7: $b 04 00 00 00 aa bb cc dd $none => $start abi 0 registers 0 stack 0
	1801 0 7: $b $none $none => $start abi 0 registers 0 stack 0
	1801 0 7: $b $a $a $a $a $none => $start abi 0 registers 0 stack 0
	1801 0 7: $b $b $a $a $a $none => short
	1801 0 7 80000: $b $a $a $a $a $b $b $a $a $a => $start abi 2 registers 3 stack 0
	1801 0 7 a0000: $b $a $none $a $a $a $b $b $a $a $a => $start abi 2 registers 3 stack 0
	1801 0 7 80000: $b $a $a $a $a => short
	END
}

@test "samples: what counts, how much, and whose it is" {
	local of5=500000005 event='event 0 127 0 c 1'
	gives samples <<-END
	$event; comm 5 5 a; sample 2 10 $of5 1 7 2 fffffffffffffe00 10 => a-5/5 7 fffffffffffffe00 10, -, 0, 0
	$event; sample 1 10 $of5 1 0 1 9 => :5-5/5 1 9 mode 1, -, 0, 0
	event 2 127 0 t 1; sample 2 10 $of5 1 9 1 10 => :5-5/5 1 10, -, 0, 0
	event 0 107 0 c 1; sample 2 ff $of5 1 7 => :5-5/5 7 at ff, -, 0, 0
	event 2 107 0 t 1; sample 2 ff $of5 1 7 => -, 0, 0
	event 2 167 0 t 1; event 2 147 0 u 2; sample 2 ff $of5 1 2 7 => :5-5/5 1 at ff, -, 0, 0
	$event; sample 4 10 $of5 1 7 0; sample 5 10 $of5 1 7 0; sample 2 10 $of5 1 8 0 => :5-5/5 8, -, 2, 0
	$event; sample 2 10 $of5 1; sample 2 10 $of5 1 8 2 10; sample 2 10 $of5 1 8 0 => :5-5/5 8, -, 0, 2
	$event; sample 2 10 ffffffff00000005 1 1 0; sample 2 10 ffffffff00000007 1 2 0 => :-1-5/-1 1, :-1-7/-1 2, -, 0, 0
	$event; sample 2 10 $of5 1 1 0; comm 5 5 b; sample 2 10 $of5 1 2 0 => :5-5/5 1, b-5/5 2, -, 0, 0
	END
}

@test "samples: the first event counts, or that which is asked for" {
	local of5=500000005 events='event 0 167 0 c 1; event 1 167 0 f 2'
	gives samples <<-END
	$events; sample 2 10 $of5 1 2 7 0; sample 2 10 $of5 1 1 8 0; sample 2 10 $of5 1 2 9 0 => :5-5/5 7, :5-5/5 9, -, 0, 0
	$events; ask c; sample 2 10 $of5 1 2 7 0; sample 2 10 $of5 1 1 8 0 => :5-5/5 8, -, 0, 0
	$events; ask c; sample 2 10 $of5 1 0 7 0; sample 2 10 $of5 1 9 8 0 => :5-5/5 7, -, 0, 1
	event 0 2127 0 c 1; sample 2 10 $of5 1 7 0 0 => recorded with --call-graph dwarf, and on a machine that is neither x86_64 nor aarch64, which only perf script reads, 0, 0
	event 0 137 20 c 1; sample 2 10 $of5 1 7 0 0 => recorded with reads of counters that are of another kind, which only perf script reads, 0, 0
	END
}

@test "samples: reads count what a counter has gained, or its thread has" {
	local of5=500000005 of6=600000005 event='event 0 137 c c 1'
	gives samples <<-END
	$event; sample 2 10 $of5 1 9 1 64 1 0; sample 2 10 $of5 1 9 1 64 1 0; sample 2 10 $of5 1 9 1 80 1 0 => :5-5/5 100, :5-5/5 28, -, 0, 0
	$event; sample 2 10 $of5 1 9 2 64 7 3 1 0 => :5-5/5 3, -, 0, 1
	$event; threads; sample 2 10 $of5 1 9 1 64 1 0; sample 2 10 $of6 1 9 1 20 1 0; sample 2 10 $of5 1 9 1 65 1 0; sample 2 10 $of6 1 9 1 22 1 0 => :5-5/5 100, :6-5/6 32, :5-5/5 1, :6-5/6 2, -, 0, 0
	event 0 137 4 c 1; sample 2 10 $of5 1 9 64 1 0; sample 2 10 $of6 1 9 65 1 0 => :5-5/5 100, :6-5/6 1, -, 0, 0
	event 0 135 4 c 1; threads; sample 2 10 1 9 64 1 0; sample 2 10 1 9 65 1 0 => :-1--1/-1 100, :-1--1/-1 1, -, 0, 0
	event 0 137 4 c 1; threads; sample 2 10 $of5 1 9 64 1 0; sample 2 10 $of6 1 9 65 1 0 => :5-5/5 100, :6-5/6 101, -, 0, 0
	END
}

@test "tasks: names and maps are those of a thread's process" {
	local of2=200000002 event='event 0 127 0 c 1'
	gives samples <<-END
	$event; comm 1 1 p; map 1 1 4096; fork 2 2 1 1; counts 2 2; sample 2 10 $of2 1 7 0 => 1 maps, p-2/2 7, -, 0, 0
	$event; comm 1 1 p; map 1 1 4096; exec 3 3 1 1; counts 3 3 => 0 maps, -, 0, 0
	$event; map 1 1 4096; map 2 2 4096; map 2 2 8192; fork 2 9 2 2; fork 3 3 1 1; counts 2 9; counts 3 3 => 2 maps, 1 maps, -, 0, 0
	$event; map 1 1 4096; fork 1 9 1 1; map 1 9 8192; counts 1 1 => 2 maps, -, 0, 0
	$event; counts -1 7; map 5 5 4096; counts 5 7; map 5 7 8192; counts 5 5; counts -1 7 => 0 maps, 1 maps, 2 maps, 0 maps, -, 0, 0
	$event; comm 1 1 p; fork 2 2 8 1; sample 2 10 100000008 1 7 0; sample 2 10 $of2 1 7 0 => :1-8/1 7, :2-2/2 7, -, 0, 0
	$event; comm 5 5 a; fork 5 5 8 5; sample 2 10 500000005 1 7 0 => :5-5/5 7, -, 0, 0
	$event; comm -1 7 n; counts 5 7; fork 9 9 5 7; sample 2 10 700000005 1 7 0 => 0 maps, n-5/7 7, -, 0, 0
	$event; comm 1 1 p; comm 3 3 q; fork 3 3 1 1; sample 2 10 300000003 1 7 0 => p-3/3 7, -, 0, 0
	END
}

@test "tasks: thousands are known, and the last thousands that have ended" {
	local of5=500000005 event='event 0 127 0 c 1'
	gives samples <<-END
	$event; many 5000; sample 2 10 176f0000176f 1 7 0; sample 2 10 3e8000003e8 1 8 0 => 5999-5999/5999 7, 1000-1000/1000 8, -, 0, 0
	$event; comm 5 5 a; end 5; ends 4095; sample 2 10 $of5 1 7 0 => a-5/5 7, -, 0, 0
	$event; comm 5 5 a; end 5; ends 4096; sample 2 10 $of5 1 7 0 => :5-5/5 7, -, 0, 0
	$event; comm 5 5 a; end 5; fork 5 5 1 1; comm 5 5 b; ends 4096; sample 2 10 $of5 1 7 0 => b-5/5 7, -, 0, 0
	$event; comm 5 5 a; ends 9000; sample 2 10 $of5 1 7 0 => a-5/5 7, -, 0, 0
	END
}

@test "events: lines of perf script that begin a sample" {
	gives event <<-'END'
	sh 7 1.5: cycles: => sh|7||1.5||cycles| counts
	sh 7/8 [001] 1.5: 3 cycles:u: => sh|7|8|1.5|3|cycles:u| counts
	a b 9 [x] 7/8 [001] 1.5: 3 cycles: => a b 9 [x]|7|8|1.5|3|cycles| counts
	sh 7 1.5: 3 sched:sched_switch: prev=a => sh|7||1.5|3|sched:sched_switch|prev=a
	sh 7 1.5: 3 cycles:             7f00 f+0x1 (/x) => sh|7||1.5|3|cycles|7f00 f+0x1 (/x) counts
	sh 7 1.5: 3 cycles: 7f00 f+0x1 (/x) => sh|7||1.5|3|cycles|7f00 f+0x1 (/x)
	sh 7 1.5 3 cycles: => none
	 7f00 f (/x) => none
	sh 7 1.5: PERF_RECORD_COMM exec: sh:7/7 => record
	columns               sh     7 1.500000:          3 cycles:             7f00 f (/x) => sh|7||1.500000|3|cycles|7f00 f (/x) counts
	END
}

@test "marshal: values are what Python wrote, and may be named again" {
	gives marshal <<-'END'
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
	END
}

@test "marshal: an integer has any number of bits, of which 63 are read" {
	gives marshal <<-'END'
	69 fe ff ff ff => -2
	6c 01 00 00 00 05 00 6c ff ff ff ff 05 00 6c 02 00 00 00 00 00 01 00 => 5 -5 32768
	6c 05 00 00 00 ff 7f ff 7f ff 7f ff 7f 07 00 6c 05 00 00 00 00 00 00 00 00 00 00 00 08 00 => 9223372036854775807 9223372036854775807
	6c 06 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 6c fa ff ff ff 00 00 00 00 00 00 00 00 00 00 01 00 => 9223372036854775807 -9223372036854775807
	6c 06 00 00 00 07 00 00 00 00 00 00 00 00 00 00 00 => 7
	END
}

@test "marshal: what is damaged, or is code, is told with its byte" {
	gives marshal <<-'END'
	63 00 => byte 0 is code, which profile saves of a script, and cProfile does not
	4e 3f => - byte 1 is not a type that a profile has
	72 00 00 00 00 => byte 0 names a value that there is not
	52 00 00 00 00 => byte 0 names a value that there is not
	db 01 00 00 00 72 00 00 00 00 => byte 5 names the value that it is in
	7b 4e 30 => byte 2 is not a type that a profile has
	END
	while read -r bytes; do
		echo "$bytes" | unit marshal | diff - <(
			echo 'byte 0 is where the file ends inside a value')
	done <<-'END'
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
	for depth in 199 200; do
		printf '29 01 %.0s' $(seq $depth)
		echo 4e
	done | unit marshal | sed 's/^(*-)*$/read/' | diff - <(
		echo read
		echo 'byte 400 is in too many values')
}

@test "marshal: what Python writes in any version is read as it was" {
	command -v python3 > /dev/null || skip 'no python3'
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

# packs FILE: packs a file in pieces of many sizes, to the same bytes, which gzip
# unpacks.
packs() {
	unit pack 100000 < "$1" > packed
	gzip -dc packed | cmp - "$1"
	for size in 1 4097 65536; do
		unit pack $size < "$1" | cmp - packed
	done
}

@test "pack: what is packed gzip unpacks, and what does not shrink" {
	: > none
	printf a > one
	printf aaaaaaaaa > run
	head -c 300000 /dev/zero > zeros
	head -c 200000 /dev/urandom > random
	seq 40000 > numbers
	# matches of each length, at distances up to the largest and above
	awk 'BEGIN {
		srand(1)
		for (; i < 70000; i++)
			text = text sprintf("%c", 33 + int(rand() * 90))
		print text
		for (len = 1; len < 400; len++)
			printf "%s\n", substr(text, 30000 + 97 * len, len)
		print substr(text, 1, 40000)
	}' > far
	for file in none one run zeros random numbers far; do
		packs $file
	done
}

@test "prefixcode: the more often a symbol comes, the shorter is its code" {
	gives prefixcode <<-'END'
	15: 1 0 2 1 => 10 - 0 11
	15: 1 1 2 3 5 8 => 11110 11111 1110 110 10 0
	15: 5 5 5 5 => 00 01 10 11
	15: 7 => 0
	15: 7 0 0 => 0 1 -
	15: 0 0 0 => 0 1 -
	END
}

@test "prefixcode: no code is longer than it may be, and no bits are left" {
	# of six codes of at most three bits, none can be of one bit
	gives prefixcode <<-'END'
	3: 1 1 2 3 5 8 => 100 101 110 111 00 01
	2: 1 10 100 1000 => 00 01 10 11
	END
	# counts as Fibonacci's, whose codes would be as many bits as symbols
	for longest in 5 7 15; do
		for symbols in 17 19 30; do
			awk -v longest=$longest -v symbols=$symbols 'BEGIN {
				printf "%d:", longest
				for (a = b = 1; i < symbols; i++) {
					printf " %d", a
					b += a
					a = b - a
				}
				print ""
			}' | unit prefixcode | awk -v longest=$longest '{
				for (i = 1; i <= NF; i++) {
					sum += 2 ^ -length($i)
					if (length($i) > longest)
						exit 1
					for (j = 1; j <= NF; j++)
						if (i != j && index($j, $i) == 1)
							exit 1
				}
				exit sum != 1
			}'
		done
	done
}

@test "pack: a profile is not much larger than from gzip -6" {
	for file in "$TOP"/lib/*.c "$TOP"/graph/*.c; do
		cat "$file"
	done > in
	packs in
	[ "$(wc -c < packed)" -lt "$(($(gzip -6c in | wc -c) * 110 / 100))" ]
}
