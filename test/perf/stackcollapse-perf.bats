load ../helper

# name_of FRAME [OPTION...]: the name that a frame line gets in the process app.
name_of() {
	local frame=$1
	shift
	printf 'app 1 1.0: 1 cycles: \n\t%s\n\n' "$frame" |
		stackcollapse-perf "$@" | sed 's/^app;\(.*\) 1$/\1/'
}

@test "example: what is counted, and how" {
	cat > in.perf <<-'END'
	java 24636/25607 [000] 4794564.109216:     235 cpu-clock:
	        7f722d142778 Ljava/io/PrintStream;::print (/tmp/perf-24636.map)
	        7f722d0bb0a1 main+0x1f (/usr/bin/java)

	END
	stackcollapse-perf --pid --jit in.perf | diff - <(
		echo 'java-24636;main;java/io/PrintStream:::print_[j] 235')
}

@test "example: a profile becomes a picture" {
	stackcollapse-perf "$DATA/demo.perf" | flamegraph > out.svg
	grep -q '<title>cc1 (' out.svg
}

@test "example: the kernel's part of a profile" {
	stackcollapse-perf --kernel "$DATA/demo.perf" | grep '_\[k\]' > out
	grep -q ';vfs_read_\[k\]' out
}

@test "the counts add up to the periods of a recorded profile" {
	stackcollapse-perf "$DATA/demo.perf" |
		awk '{ n += $NF } END { printf "%.0f\n", n }' |
		diff - <(awk '/cpu-clock: *$/ { n += $(NF - 1) }
			END { printf "%.0f\n", n }' "$DATA/demo.perf")
}

@test "equal stacks are added, and lines are in byte order" {
	stackcollapse-perf <<-'END' | diff - <(printf '%s\n' \
		'a 2' 'a;b 5' 'a;b.c;d 1' 'a;b;e 7' 'a_b;z 1' 'b 1')
	b 1 1.0: 1 cycles:

	a 1 1.0: 2 cycles:

	a 1 1.1: 2 cycles:
	 1 b (/x)

	a 1 1.2: 3 cycles:
	 1 b+0x9 (/x)

	a 1 1.3: 7 cycles:
	 1 e (/x)
	 1 b (/x)

	a b 1 1.4: 1 cycles:
	 1 z (/x)

	a 1 1.5: 1 cycles:
	 1 d (/x)
	 2 b.c (/x)

	END
}

@test "everything left of the numbers before the time is the command" {
	stackcollapse-perf --tid <<-'END' | diff - <(printf '%s\n' \
		'R-?/5 1' 'Worker_12_x-1/2 1' 'a/1:2-?/7 1' 'foo_[001]_bar-?/6 1')
	R 5 [000] 1.0: 1 cycles:

	Worker 12 x  1/2 [000] 1.0: 1 cycles:

	foo [001] bar 6 1.0: 1 cycles:

	a/1:2     7 [003]  1.000000000: 1 cycles:

	END
}

@test "the number -1 of a thread that has exited is no process of its own" {
	stackcollapse-perf <<-'END' | diff - <(echo ':-1;f 5')
	:-1    -1 [001]   1.0:  2 cycles:
	 1 f (/x)

	:-1    -1/-1 [001]   1.0:  3 cycles:
	 1 f (/x)

	END
}

# A line, its command, process, thread and count, and "any" unless it names an
# event, by which --event-filter may leave it out.
@test "event lines of odd forms say what they say to stackcollapse-perf.pl" {
	local line folded event
	while IFS='|' read -r line folded event; do
		printf '%s\n\t1 f (/x)\n\n' "$line" > in
		stackcollapse-perf --tid in | diff - <(echo "$folded")
		[ "$event" = any ] || folded=
		stackcollapse-perf --tid --event-filter=other in 2> err |
			diff - <(printf '%s' "$folded${folded:+$'\n'}")
	done <<-'END'
	prog 1 [000] 1.5: 7 cycles:|prog-?/1;f 7|named
	prog 1 [] 1.5: 7 cycles:|prog-?/1;f 7|named
	prog 1 [x] 1.5: 7 cycles:|prog-?/1;f 7|named
	prog 1 [0 1.5: 7 cycles:|prog-?/1;f 7|named
	prog 1 0] 1.5: 7 cycles:|prog-?/1;f 7|named
	prog 1 [000]1.5: 7 cycles:|prog-?/1;f 7|named
	prog1 [000] 1.5: 7 cycles:|prog1_[000]_1.5:-?/7;f 7|named
	prog 1 .5: 7 cycles:|prog-?/1;f 7|named
	prog 1 5.: 7 cycles:|prog-?/1;f 7|named
	prog 1 1.5 : 7 cycles:|prog-?/1;f 7|named
	prog 1/ 1.5: 7 cycles:|prog-?/1;f 7|named
	prog /1 1.5: 7 cycles:|prog_/1_1.5:-?/7;f 7|named
	prog 1/2 1.5: 7 cycles:|prog-1/2;f 7|named
	prog 1/0 1.5: 7 cycles:|prog-?/1;f 7|named
	prog x/2 1.5: 7 cycles:|prog_x/2_1.5:-?/7;f 7|named
	prog - 1.5: 7 cycles:|prog_-_1.5:-?/7;f 7|named
	1 1.5: 7 cycles:|:1-?/1;f 7|named
	1/2 1.5: 7 cycles:|:1-1/2;f 7|named
	 1 [000] 1.5: 7 cycles:|:1-?/1;f 7|named
	p1 1.5: 7 cycles:|p1_1.5:-?/7;f 7|named
	prog 1 1.5: 07 cycles:|prog-?/1;f 7|named
	prog 1 1.5: 7x cycles:|prog-?/1;f 1|any
	prog 1 1.5: 7cycles:|prog-?/1;f 1|named
	prog 1 1.5: 7 :|prog-?/1;f 1|any
	prog 1 1.5: 7 cycles|prog-?/1;f 1|any
	prog 1 1.5: 7 cycles: x|prog-?/1;f 1|named
	prog 1 1.5:|prog-?/1;f 1|any
	prog 1 1.5: :|prog-?/1;f 1|any
	prog 1 1.5: 7|prog-?/1;f 1|any
	prog 1 1.5:          7|prog-?/1;f 7|any
	prog 1 1.5:          7 |prog-?/1;f 7|any
	prog 1 1.5:         7|prog-?/1;f 1|any
	prog 1 1.5: 12345678901|prog-?/1;f 12345678901|any
	prog 1 1.5:     550012345678|prog-?/1;f 1|any
	prog 1 1.5: x 7|prog-?/1;f 1|any
	prog 1 1.5: 7 raw 0x1a8: |prog-?/1;f 7|named
	prog 1 1.5: 7 raw x:|prog-?/1;f 1|any
	prog 1 x: 1.5: 7 cycles:|prog-?/1;f 7|named
	a:1.5:b 1 1.5: 7 cycles:|a:1.5:b-?/1;f 7|named
	prog 1 cycles:|prog-?/1;f 1|any
	prog 1 7 cycles:|prog-?/1;f 1|any
	prog 1 1: 7 cycles:|prog-?/1;f 7|named
	prog 1/2 7 cycles:|prog-1/2;f 1|any
	prog 1/ 7 cycles:|prog-?/1;f 1|any
	prog 1//2 7 cycles:|prog-1/2;f 1|any
	prog 1: 7 cycles:|prog_1:-?/7;f 7|named
	prog 1 : 7 cycles:|prog-?/1;f 7|named
	prog 1 : 7 :|prog-?/1;f 1|any
	prog 1 x: cycles:|prog-?/1;f 1|named
	prog 1 x: 7x cycles:|prog-?/1;f 1|any
	prog  12   cycles:|prog-?/12;f 1|any
	prog x 12 cycles:|prog_x-?/12;f 1|any
	prog 1 |prog-?/1;f 1|any
	END
	# PID TIME: ends the command, else the first number does
	for line in '1 [000] 1.5:' '1 [5]  1.5:' '1[000] 1.5:' '1 [000]1.5:' \
	    '1 1.5: x' '1  1.5:  7 c: 1 2.5:'; do
		printf 'w 9 x %s 7 cycles:\n\n' "$line" |
			stackcollapse-perf --tid --event-filter=cycles 2> err |
			sed 's/ .*//' >> out
		printf 'w 9 x %s\n\n' "$line" | stackcollapse-perf --tid |
			sed 's/ .*//' | diff - <(echo 'w_9_x-?/1')
	done
	diff out <(for i in 1 2 3 4 5; do echo 'w_9_x-?/1'; done)
	for line in '1 [] 1.5:' '1 [x] 1.5:' '1 [0 1.5:' '1 0] 1.5:' \
	    '1 .5:' '1 5.:' '1 1.5 :' '1 15:' '1 1.5' '1/ 1.5:' '/1 1.5:' \
	    'x/1 1.5:' '--1 1.5:' '- 1.5:' '-/1 1.5:' 'x1 1.5:' '1.5:' \
	    '11.5:' '1.5.5:'; do
		printf 'ww 9 %s 7 cycles:\n\t1 f (/x)\n\n' "$line" |
			stackcollapse-perf --tid | sed 's/[ ;].*//' |
			diff - <(echo 'ww-?/9')
	done
	for line in prog 'prog 1' 'prog x' '- 1x c:'; do
		printf 'a 1 1.5: c:\n\n%s\n' "$line" | stackcollapse-perf 2>&1 |
			diff - <(echo "Unrecognized line: $line"; echo 'a 1')
	done
}

@test "without a time stamp the first number ends the command" {
	stackcollapse-perf --pid <<-'END' | diff - <(printf '%s\n' \
		'V-?;f 1' 'node-v011-?;g 1' 'two_words-3;g 1')
	V 9 cycles:
	 1 f (/x)

	node-v011 31912 cpu-clock:
	 1 g (/x)

	two words 3/4 cpu-clock:
	 1 g (/x)

	END
}

@test "a period of none or of 0 counts 1" {
	stackcollapse-perf <<-'END' | diff - <(echo 'a 2')
	a 1 1.0: cycles:

	a 1 1.0: 0 cycles:

	END
}

@test "samples without a call graph are stacks of one frame" {
	stackcollapse-perf 2>err <<-'END' | diff - <(printf '%s\n' \
		'Web_Content;js::Run 20' 'swapper;halt 30')
	         swapper     0 [000] 1.0:  10 cycles:  ffffffff81000130 halt+0xb ([kernel.kallsyms])
	     Web Content  9001 [001] 1.1:  20 cycles:       401b97 js::Run(int)+0x9 (/x.so (deleted))
	         swapper     0 [000] 1.2:  20 cycles:  ffffffff81000130 halt+0xc ([kernel.kallsyms])
	END
	diff err /dev/null
}

@test "a command too long to be padded may have no call graph either" {
	printf 'kworker/0:1-eve  9 [0] 1.0: 7 cycles:  ffffffff81000131 f ([k])\n' |
		stackcollapse-perf | diff - <(echo 'kworker/0:1-eve;f 7')
}

@test "arguments of a tracepoint are no frame, but one may follow them" {
	stackcollapse-perf --event-filter=sys:enter <<-'END' | diff - <(printf \
		'%s\n' 'sshd;f 1' 'sshd;read 2')
	sshd 7 [000] 9.0: 1 sys:enter: NR 0 (3, 7ffd0, 1000, 0)
	 1 read (/x)

	sshd 7 [000] 9.0: 1 sys:enter: add foo+0x1 (bar)
	 1 read (/x)

	   sshd 7 [000] 9.0: 5 sys:enter: NR 0 (3, 7ffd0, 0) ffffffff81 f (/x)
	END
}

@test "of several events the first counts, and a note says so" {
	stackcollapse-perf 2>err <<-'END' | diff - <(echo 'a 3')
	a 1 1.0: 1 cycles:u:

	a 1 1.0: 7 instructions:

	a 1 1.0: 9 faults:

	a 1 1.0: 2 cycles:u:

	END
	diff err <(echo 'Filtering for events of type: cycles:u')
}

@test "--event-filter chooses the event, tracepoints with arguments too" {
	cat > in <<-'END'
	a 1 1.0: 5 cycles:

	a 1 1.0: 1 kmem:kfree: call_site=ffff ptr=(nil)
	 1 kfree+0x1b ([kernel.kallsyms])

	END
	stackcollapse-perf --event-filter=kmem:kfree in 2>err |
		diff - <(echo 'a;kfree 1')
	stackcollapse-perf in | diff - <(echo 'a 5')
	diff err /dev/null
}

# ended: prints what perf 6.12 and 7 do of threads that have ended.
ended() {
	cat <<-'END'
	sh 7 [000] 1.0: 1 cycles:
	 1 f (/x)

	cc1 7 [000] 2.0: 1 cycles:
	 1 f (/x)

	cc1 7 [000] 2.5: 1 cycles:
	 1 f (/x)

	:7       7 [000] 3.0: 2 cycles:
	 1 exit ([kernel.kallsyms])

	ld 7 [000] 4.0: 1 cycles:
	 1 f (/x)

	:8       8 [000] 5.0: 4 cycles:
	 1 exit ([kernel.kallsyms])

	as 8 [000] 6.0: 1 cycles:
	 1 f (/x)

	:7       7 [000] 7.0: 8 cycles:
	 1 exit ([kernel.kallsyms])

	END
}

@test "a thread that has ended has the command that it had before" {
	ended | stackcollapse-perf | diff - <(cat <<-'END'
	:8;exit 4
	as;f 1
	cc1;exit 10
	cc1;f 2
	ld;f 1
	sh;f 1
	END
	)
	ended | stackcollapse-perf --tid | grep exit | diff - <(cat <<-'END'
	:8-?/8;exit 4
	cc1-?/7;exit 10
	END
	)
	ended | sed 's,^\([^ ]* *\)\([78]\) ,\19/\2 ,' | stackcollapse-perf --pid |
		grep exit | diff - <(printf '%s\n' ':8-9;exit 4' 'cc1-9;exit 10')
}

@test "a thread that has ended is looked for in its own file" {
	ended > a
	ended | sed 's/cc1/cc2/; s/^as 8/:7 7/' > b
	echo ':7;exit 3' > c
	stackcollapse-perf a b c | grep exit | diff - <(cat <<-'END'
	:7;exit 3
	:8;exit 8
	cc1;exit 10
	cc2;exit 10
	END
	)
}

@test "a thread that has ended has the same command by any number of threads" {
	for n in $(seq 3000); do
		ended | sed "s/^:\\([78]\\) *[78]/:\\1$n   \\1$n/
		    s/^\\([a-z1]*\\) \\([78]\\)/\\1 \\2$n/; s/^cc1/cc$((n % 7))/"
	done > in
	stackcollapse-perf --jobs=1 in > one
	for jobs in 2 3 5; do
		stackcollapse-perf --jobs=$jobs in | diff -q one -
	done
	[ "$(grep -c '^:8.*exit' one)" -eq 3000 ]
	[ "$(grep -c '^cc.*exit' one)" -eq 7 ]
}

@test "arguments are cut from names, whatever brackets these hold" {
	[ "$(name_of '1 plain(int, char**)+0xf (/x)')" = plain ]
	[ "$(name_of '1 (anonymous) (/x)')" = 'app 1' ]
	[ "$(name_of '1 a::(anonymous namespace)::f(int) (/x)')" = \
		'a::(anonymous namespace)::f' ]
	[ "$(name_of '1 std::function<void (int)>::operator()(int) const (/x)')" = \
		'std::function<void (int)>::operator()' ]
	[ "$(name_of '1 main::{lambda(int)#1}::operator()(int) const (/x)')" = \
		'main::{lambda(int)#1}::operator()' ]
	[ "$(name_of '1 bool operator< <int>(int, int) (/x)')" = \
		'bool operator< <int>' ]
	[ "$(name_of '1 Box<int>::operator<<(int) (/x)')" = 'Box<int>::operator<<' ]
	[ "$(name_of '1 T::operator bool() const (/x)')" = 'T::operator bool' ]
	[ "$(name_of '1 foo(int) [clone .isra.0]+0xd (/x)')" = foo ]
	[ "$(name_of '1 net/http.(*Client).Do+0xe (/x)')" = 'net/http.(*Client).Do' ]
}

@test "arguments that :: follows are left out of the middle of a name" {
	[ "$(name_of '1 foo(int)::{lambda()#1}::operator()() const (/x)')" = \
		'foo::{lambda()#1}::operator()' ]
	[ "$(name_of '1 f(B&) const::{lambda(int)#2}::operator()(int)+0x2 (/x)')" = \
		'f::{lambda(int)#2}::operator()' ]
	for qualifiers in ' const' '&' ' &&' ' const &' ' volatile' \
	    ' const volatile &&'; do
		[ "$(name_of "1 f(int (*)(char))$qualifiers::g(int)::h(int) (/x)")" = \
			f::g::h ]
	done
	[ "$(name_of '1 f(int) constant::g(int) (/x)')" = f ]
	[ "$(name_of '1 f(int) [clone .cold] (/x)')" = f ]
	[ "$(name_of '1 f(int)->g(int)::h (/x)')" = 'f;g::h_[i]' ]
}

@test "brackets that are no arguments stay in a name" {
	[ "$(name_of '1 main.Map[go.shape.func(int) bool]+0x3 (/x)')" = \
		'main.Map[go.shape.func(int) bool]' ]
	[ "$(name_of '1 std::array<int, 4ul>::operator[](unsigned long) (/x)')" = \
		'std::array<int, 4ul>::operator[]' ]
	[ "$(name_of '1 <[fn(u8); 4] as T>::f (/x)')" = '<[fn(u8): 4] as T>::f' ]
	[ "$(name_of '1 decltype(auto) f(int) (/x)')" = 'decltype(auto) f' ]
	[ "$(name_of '1 void (*f(int))(char) (/x)')" = 'void (*f(int))' ]
	[ "$(name_of '1 int (&f(int)) [3] (/x)')" = 'int (&f(int)) [3]' ]
	[ "$(name_of '1 if_<((sizeof...(T))>(0)), void>::type f(int) (/x)')" = \
		'if_<((sizeof...(T))>(0)), void>::type f' ]
	[ "$(name_of '1 LA;::f([B)V->LB;::g<x(I)>([[I)V (/x)')" = \
		'LA:::f;LB:::g<x(I)>_[i]' ]
}

# names: reads lines "SYMBOL => NAME", of functions in the module, and compares
# the names that they get.
names() {
	local module=$1
	cat > table
	sed 's/ => .*//' table | while read -r symbol; do
		printf 'app 1 1.0: 1 cycles: \n\t 1 %s+0x1 (%s)\n\n' "$symbol" \
			"$module"
	done > in
	stackcollapse-perf in | sort > out
	sed 's/.* => \(.*\)/app;\1 1/' table | sort | diff - out
}

@test "where no offsets are printed, what functions return is a part of names" {
	[ "$(name_of '1 void a::f<int>(int) (/x)')" = 'void a::f<int>' ]
	[ "$(name_of '1 void a::f<int>(int)+0x1 (/x)')" = 'a::f<int>' ]
}

# Symbols are as c++filt prints them, and names as c++filt -p does, without the
# arguments of a function around a lambda.
@test "what a template's function returns is no part of its name" {
	names /x <<-'END'
	void a::f<int>(int) => a::f<int>
	unsigned long long f1<int>() => f1<int>
	std::vector<int, std::allocator<int> > const& f2<int>() => f2<int>
	std::enable_if<((a)>(b)), int>::type h<int>(char) => h<int>
	char const* const* f3<int>() => f3<int>
	decltype (g(int)) f4<int>(decltype (g(int))) => f4<int>
	decltype(auto) f5<int>() => f5<int>
	auto A<int>::f6<char>() const::{lambda(auto:1)#1}::operator()<int>(int) const => A<int>::f6<char>::{lambda(auto:1)#1}::operator()<int>
	g(int)::{lambda()#1}&& std::forward<g(int)::{lambda()#1}>(x) => std::forward<g(int)::{lambda()#1}>
	A::g(int) const::{lambda()#1}& f7<int>() => f7<int>
	(anonymous namespace)::A (anonymous namespace)::f8<int>(int) => (anonymous namespace)::f8<int>
	A::{unnamed type#1} f9<int>() => f9<int>
	std::string f10[abi:cxx11]<int>() => f10[abi:cxx11]<int>
	float __vector(4)* f11<int>() => f11<int>
	std::ostream& operator<< <int>(int) => operator<< <int>
	bool operator>><int>(int, int) => operator>><int>
	bool operator-><int>(int, int) => operator-><int>
	void* operator new<int>(unsigned long) => operator new<int>
	void (*f12<int>(int))(char) => f12<int>
	void (A::*f13<int>())(char) => f13<int>
	int (&f14<int>()) [3] => f14<int>
	void (*(*f15<int>(long))(int))(char) => f15<int>
	void f16<int>(int) [clone .cold] => f16<int>
	bool f17<int> => f17<int>
	END
}

@test "blanks in a name that follow no type, or precede no template, stay" {
	names /x <<-'END'
	unsigned long ns::f(int) => unsigned long ns::f
	operator new(unsigned long) => operator new
	A::operator unsigned long() const => A::operator unsigned long
	A::operator std::vector<int> const*<int>() => A::operator std::vector<int> const*<int>
	A::operator void (*)(int)<int>() => A::operator void (*)
	vtable for A<int> => vtable for A<int>
	guard variable for f<int>()::x => guard variable for f<int>::x
	non-virtual thunk to A<int>::f<int>() => non-virtual thunk to A<int>::f<int>
	virtual thunk to A<int>::g(int) => virtual thunk to A<int>::g
	transaction clone for void f<int>() => transaction clone for void f<int>
	main.Map[go.shape.func(int) bool] => main.Map[go.shape.func(int) bool]
	<T as Trait>::f => <T as Trait>::f
	a::<impl A for B<T>>::c => a::<impl A for B<T>>::c
	core::ptr::drop_in_place<dyn a::B + c::D> => core::ptr::drop_in_place<dyn a::B + c::D>
	(wrapper managed-to-native) A:f<int> (int) => (wrapper managed-to-native) A:f<int> 
	py::f<lambda>:/path with blank/x.py => py::f<lambda>:/path with blank/x.py
	Function:~f<x> file.js:12 => Function:~f<x> file.js:12
	-[A<int> f<int>] => -[A<int> f<int>]
	one two three<int>(int) => one two three<int>
	int a<b => int a<b
	int <b> => int <b>
	int f<a> b => int f<a> b
	END
	for module in /tmp/perf-12.map /x/jitted-1-2.so '[kernel.kallsyms]' \
		'[vdso]' /boot/vmlinux; do
		names "$module" <<-'END'
		void f<int>(int) => void f<int>
		foo::bar.cold => foo::bar.cold
		_RNvC1a1f => _RNvC1a1f
		END
	done
}

# perf 5, 6.1, 6.12 and 7 print these.
@test "Rust's functions have one name, demangled or not, with a suffix or none" {
	names /x <<-'END'
	_RNvNtCs1234_3foo3bar3baz => foo::bar::baz
	_RNvC3foo2f1.llvm.5540057329546874339 => foo::f1
	_RNvC3foo2f2.cold => foo::f2
	foo::f3.cold => foo::f3
	foo::f4.llvm.5540057329546874339.cold => foo::f4
	foo::f5::<a::B>.warm => foo::f5::<a::B>
	foo.cold => foo.cold
	foo::cold => foo::cold
	foo::f6.hot => foo::f6.hot
	_RFoo => _RFoo
	_ZN3foo3barEv => _ZN3foo3barEv
	END
}

@test "@plt stays in a name whose arguments are left out" {
	names /x <<-'END'
	free@plt => free@plt
	operator delete(void*)@plt => operator delete@plt
	void A::f<int>(int) const@plt => A::f<int>@plt
	f(int)@x => f
	__libc_start_main@@GLIBC_2.34 => __libc_start_main@@GLIBC_2.34
	END
}

@test "the sign of an operator is no bracket and no arrow" {
	local sign name
	for sign in '()' '[]' '->*' '->' '<=>' '<<=' '<<' '<=' '<' '>>=' '>>' '>=' \
		'>' ' new' '""_x' ''; do
		name=A::operator${sign//\"}
		[ "$(name_of "1 A::operator$sign(A<int>, void (*)(int)) (/x)")" = \
			"$name" ]
		[ "$(name_of "1 A::operator$sign->b(int)->c (/x)")" = \
			"$name;b_[i];c_[i]" ] || [ -z "$sign" ]
	done
	[ "$(name_of '1 operator<(A<int>) (/x)')" = 'operator<' ]
	[ "$(name_of '1 operator->(A) (/x)')" = 'operator->' ]
	[ "$(name_of '1 operator->+0x1 (/x)')" = 'operator->' ]
	[ "$(name_of '1 myoperator->b (/x)')" = 'myoperator;b_[i]' ]
	[ "$(name_of '1 operator_->b (/x)')" = 'operator_;b_[i]' ]
	[ "$(name_of '1 x operator<->b (/x)')" = 'x operator<;b_[i]' ]
	[ "$(name_of '1 operator (/x)')" = operator ]
}

@test "brackets hold arguments and arrows together where they come in pairs" {
	[ "$(name_of '1 f(A->B)->c (/x)')" = 'f;c_[i]' ]
	[ "$(name_of '1 f)->g (/x)')" = 'f);g_[i]' ]
	[ "$(name_of '1 f{a->b}->c (/x)')" = 'f{a->b};c_[i]' ]
	[ "$(name_of '1 f<a<b->c>>->d (/x)')" = 'f<a<b->c>>;d_[i]' ]
	[ "$(name_of '1 a>b<c->d>(int) (/x)')" = 'a>b<c->d>' ]
	[ "$(name_of '1 a{b(int) (/x)')" = 'a{b' ]
	[ "$(name_of '1 a(b).c(int) (/x)')" = a ]
	[ "$(name_of '1 a.(b) (/x)')" = a. ]
	[ "$(name_of '1 a.().c(int) (/x)')" = 'a.().c(int)' ]
	[ "$(name_of '1 a).b.(c) (/x)')" = 'a).b.' ]
	[ "$(name_of '1 a.(b.c).d.(e).f (/x)')" = 'a.(b.c).d.(e).f' ]
	[ "$(name_of '1 f- (/x)')" = f- ]
	[ "$(name_of '1 f-x>->g (/x)')" = 'f-x>;g_[i]' ]
	[ "$(name_of '1 ->f (/x)')" = ';f_[i]' ]
	[ "$(name_of '1 -> (/x)')" = 'app 1' ]
}

@test "an offset is + and a number of lower case hexadecimal digits" {
	[ "$(name_of '1 f+0x12ab (/x)')" = f ]
	for offset in +0x1F +0x +0xg 0x1 x1 +x1; do
		[ "$(name_of "1 f$offset (/x)")" = "f$offset" ]
	done
	[ "$(name_of '1 abc (/x)')" = abc ]
	[ "$(name_of '1 x1 (/x)')" = x1 ]
	[ "$(name_of '1 +0x1 (/x)')" = 'app 1' ]
}

@test "an angle bracket that is never closed is no bracket" {
	[ "$(name_of '1 less<more(int) (/x)')" = 'less<more' ]
	[ "$(name_of '1 a<b->c (/x)')" = 'a<b;c_[i]' ]
	[ "$(name_of '1 a<b->c-> (/x)')" = 'a<b;c_[i]' ]
}

@test "-> joins inlined methods outside brackets, and not in an operator" {
	[ "$(name_of '1 La/B;::f->La/C;::g->h (/x)')" = 'La/B:::f;La/C:::g_[i];h_[i]' ]
	[ "$(name_of '1 Box::operator->() const (/x)')" = 'Box::operator->' ]
	[ "$(name_of '1 Box::operator-> (/x)')" = 'Box::operator->' ]
	[ "$(name_of '1 <fn() -> T as X>::call (/x)')" = '<fn() -> T as X>::call' ]
	[ "$(name_of '1 f->-> (/x)')" = f ]
	[ "$(name_of '1 f->->g (/x)')" = 'f;_[i];g_[i]' ]
}

@test "quotes are dropped, and ; in a name becomes :" {
	[ "$(name_of "1 RegExp:[&<>\\\"\\'] (/x)")" = 'RegExp:[&<>\\]' ]
	[ "$(name_of '1 a;b (/x)')" = 'a:b' ]
}

@test "the L of a class is cut in processes called java only" {
	printf 'java 1 1.0: 1 c: \n 1 Lorg/A;::f (/x)\n 1 Low (/x)\n\n' |
		stackcollapse-perf | diff - <(echo 'java;Low;org/A:::f 1')
	[ "$(name_of '1 Lorg/A;::f (/x)')" = 'Lorg/A:::f' ]
}

@test "a frame without a symbol is named after its module" {
	[ "$(name_of '1f [unknown] (/usr/lib/a.so)')" = '[a.so]' ]
	[ "$(name_of '1f [unknown] (/usr/lib/a.so)' --addrs)" = '[a.so <1f>]' ]
	[ "$(name_of '1f [unknown] (/usr/lib/a(b).so)')" = '[a(b).so]' ]
	[ "$(name_of '1f [unknown] (/usr/a.so (deleted))')" = '[a.so]' ]
	[ "$(name_of '1f [unknown] ([unknown])')" = '[unknown]' ]
	[ "$(name_of '1f [unknown] ([unknown])' --addrs)" = '[unknown <1f>]' ]
	[ "$(name_of '1f (/usr/lib/a.so)')" = '[a.so]' ]
	[ "$(name_of '1f  (/tmp/perf-1.map)')" = ' ' ]
}

@test "a line is a frame if it holds a word and a module in brackets" {
	[ "$(name_of 'foo (/x)')" = foo ]
	[ "$(name_of '1fg (/x)')" = 1fg ]
	[ "$(name_of 'xab (/x)')" = xab ]
	[ "$(name_of 'foo bar (/x)')" = bar ]
	[ "$(name_of '1f   (/x)')" = ' ' ]
	[ "$(name_of '1 f (/x) y')" = f ]
	[ "$(name_of '1 g)f (/x) (b')" = 'g)f' ]
	for line in '(x)' '1 f (x' '1 f x)' '1 f(x) (/y' '1 f(/x)' '1' '1 f'; do
		name_of "$line" 2> err | diff - <(echo 'app 1')
		diff err <(printf 'Unrecognized line: \t%s\n' "$line")
	done
}

@test "without modules the address takes its columns" {
	{
		printf '\t%16s f\n' 1 0123456789abcdef ABCDEF
		printf '\t%16s g h\n' 1
		printf '\t%16s %s\n' 1 'f(' 2 'A<void (int)>::operator()' \
		    3 'A<void (int)>::g' 4 'net/http.(*Client).Do' \
		    5 'a::(anonymous namespace)::g' 6 'main::{lambda(int)#1}' \
		    7 'f<void (int)>g'
	} > frames
	{
		printf 'a 1 1.0: 7 cycles:\n'
		cat frames
		echo
	} | stackcollapse-perf | diff - <(printf '%s;' a 'f<void (int)>g' 'main::{lambda(int)#1}' \
		'a::(anonymous namespace)::g' 'net/http.(*Client).Do' \
		'A<void (int)>::g' 'A<void (int)>::operator()' f 'g h' f f
		echo 'f 7')
	{
		printf '\t%15s f\n' 1
		printf '\t%17s f\n' 1
		printf '\t%16s_f\n' 1
		printf '\t%16s f\n' '1 1' 1g g1 ''
		printf ' %16s f\n' 1
		printf '\t%15s\n' 1
	} > others
	while IFS= read -r line; do
		printf 'a 1 1.0: 7 cycles:\n%s\n\n' "$line" |
			stackcollapse-perf 2> err | diff - <(echo 'a 7')
		diff err <(echo "Unrecognized line: $line")
	done < others
	fails 1 stackcollapse-perf frames 2>&1 |
		has 'frames is not what perf script prints'
}

@test "frames alone are of perf script if they cannot be anything else" {
	for line in '1 f (/x)' '1 f ([k])' '12345 f (x)' '	1 f (x)'; do
		stackcollapse-perf 2>&1 <<< "$line" |
			has 'no stack was found'
	done
	for line in '1 f (x)' '1234 f (x)' 'x1 f (/x)' '	x f ([k])' '12345x f (x)'
	do
		fails 1 stackcollapse-perf 2>&1 <<< "$line" |
			has 'not what perf script prints'
	done
}

@test "a module is the whole of the last pair of brackets" {
	[ "$(name_of '1 f+0x2 (/opt/my app (x86)/run)')" = f ]
	[ "$(name_of '1 f+0x2 (/opt/a) b/run)')" = f ]
	[ "$(name_of '1 f) (/opt/run)')" = 'f)' ]
	[ "$(name_of '1 f (/opt/a)b)')" = f ]
	[ "$(name_of '1 f (/opt/a(b/x)')" = f ]
	[ "$(name_of '1 f+0x2 ([kernel.kallsyms].init.text)' --kernel)" = 'f_[k]' ]
	[ "$(name_of '1 f (/boot/vmlinux (deleted))' --kernel)" = 'f_[k]' ]
}

@test "--kernel, --jit and --all mark frames by their modules" {
	[ "$(name_of '1 f ([nf_conntrack])' --kernel)" = 'f_[k]' ]
	[ "$(name_of '1 f ([unknown])' --kernel)" = f ]
	[ "$(name_of '1 f (/lib/modules/4/vmlinux)' --all)" = 'f_[k]' ]
	[ "$(name_of '1 f (/tmp/perf-12.map)' --jit)" = 'f_[j]' ]
	[ "$(name_of '1 f_[j] (/tmp/perf-12.map)' --all)" = 'f_[j]' ]
	[ "$(name_of '1 f->g (/tmp/perf-12.map)' --all)" = 'f_[j];g_[i]' ]
	[ "$(name_of '1 f (/tmp/perf-x.map)' --all)" = f ]
	[ "$(name_of '1 f (/tmp/perf-.map)' --all)" = f ]
	[ "$(name_of '1 f (/tmp/perf-1.ma)' --all)" = f ]
	[ "$(name_of '1 f (perf-1.map)' --all)" = f ]
	[ "$(name_of '1 f (/home/abcdefghij/12.map)' --all)" = f ]
	[ "$(name_of '1 f (/tmp/perf-1.map)')" = f ]
	[ "$(name_of '1 f ([k])')" = f ]
	[ "$(name_of '1 f (/x/tmp/perf-y/tmp/perf-2.mapz)' --all)" = 'f_[j]' ]
	[ "$(name_of '1 f (vmlinuxx)' --all)" = f ]
	[ "$(name_of '1 f (xvmlinux)' --all)" = 'f_[k]' ]
	[ "$(name_of '1 f ([unknown].x)' --all)" = f ]
	[ "$(name_of '1 f_[j]x (/tmp/perf-12.map)' --all)" = 'f_[j]x' ]
	[ "$(name_of '1 f->g_[i]x->h_[j]->h (/tmp/perf-12.map)' --all)" = \
		'f_[j];g_[i]x;h_[j]_[i];h_[i]' ]
}

@test "names of processes, in brackets where a symbol would be, are no frames" {
	printf 'a 1 1.0: 1 c: \n 1 f (/x)\n 1 (a) (/x)\n\n' |
		stackcollapse-perf | diff - <(echo 'a;f 1')
}

@test "a name that only begins with brackets is a function's, and keeps them" {
	for name in '(anonymous namespace)::hot' '(a)b' '(a' '()b' '(a))'
	do
		[ "$(name_of "1 $name (/x)")" = "$name" ]
	done
	[ "$(name_of '1 (anonymous namespace)::hot(int) const (/x)')" = \
		'(anonymous namespace)::hot' ]
	[ "$(name_of '1 (a)::(anonymous namespace)::f()::g(int) (/x)')" = \
		'(a)::(anonymous namespace)::f::g' ]
	[ "$(name_of '1 (wrapper managed-to-native) A:f (int,string)+0x1 (/x)')" = \
		'(wrapper managed-to-native) A:f ' ]
	for name in '(a)' '((sd-pam))' '()' '(a b::c)' '(a<b)'; do
		[ "$(name_of "1 $name (/x)")" = 'app 1' ]
	done
}

@test "--srcline adds the line that follows a frame" {
	stackcollapse-perf --srcline <<-'END' | diff - <(echo \
		'a;[unknown];main:libc-2.33.so;copy:memmove.S:371 1')
	a 1 1.0: 1 cycles:
	 408ebb copy+0x8b (/a)
	  memmove.S:371
	 4069f5 main+0x9 (/a)
	  libc-2.33.so[27b25]
	 7ffc71 [unknown] ([unknown])

	END
}

@test "--srcline reads on where the input ends or moves on" {
	printf 'a 1 1.0: 1 c: \n\t            a1b2 f (/x)' |
		stackcollapse-perf --srcline 2>&1 | has 'inside a sample'
	{
		printf 'a 1 1.0: 1 c: \n'
		for i in $(seq 5000); do
			printf '\t            a1b2 f (/x)\n  x.c:%d\n' "$i"
		done
		echo
	} | stackcollapse-perf --srcline | tr ';' '\n' | grep -c '^f:x.c:' |
		diff - <(echo 5000)
}

@test "--srcline takes a line after the one frame of a sample, too" {
	{
		printf '%16s 1 1.0: 2 c: %16x f (/x)\n  f.c:1\n' w 5 w 5
		printf 'kworker/u16:3-e 1 1.0: 2 c: %16x f (/x)\n  f.c:1\n' 74565
		printf '%16s 1 1.0: 1 c: %16x f ([unknown])\n' w 5
	} > in
	stackcollapse-perf --srcline in | diff - <(printf '%s\n' \
		'kworker/u16:3-e;f:f.c:1 2' 'w;f 1' 'w;f:f.c:1 4')
}

@test "--srcline takes no line after an unknown module" {
	printf 'a 1 1.0: 1 c: \n 1 f->[unknown] ([unknown])\n  f.c:1\n\n' |
		stackcollapse-perf --srcline |
		diff - <(echo 'a;f:f.c:1;[unknown]_[i] 1')
}

@test "--srcline says how many samples ended where a source line should be" {
	{
		for end in '' $'\r' ' x.c:1'; do
			printf 'a 1 1.0: 1 c: \n 1 f (/x)\n%s\n' "$end"
			printf 'b 1 1.0: 1 c: \n 1 [unknown] ([unknown])\n\n'
		done
	} | stackcollapse-perf --srcline 2> err |
		diff - <(printf '%s\n' 'b;[unknown];f 2' 'b;[unknown];f:x.c:1 1')
	diff err <(echo 'stackcollapse-perf: --srcline: samples that became one' \
		'with the next, as their last frames have no source lines: 2')
}

@test "a line that cannot end a sample is unrecognized, and does not" {
	while IFS= read -r line; do
		printf 'a 1 1.0: 7 c:\n\t1 f (/x)\n%b\n\t1 g (/x)\n\n' "$line" |
			stackcollapse-perf 2> err | diff - <(echo 'a;g;f 7')
		diff err <(printf 'Unrecognized line: %b\n' "$line")
	done <<-'END'
	\0040insn
	\0011insn:
	\0040ABI
	\00400y
	x/-/x
	/-/
	x/P/-/-/
	x/P/-/-
	x/P/-/-/y
	x/P/-/B/0
	x/P/Y/-/0
	x/PM/-/-/0
	x/Q/-/-/0
	x/P/-/-0
	x/P/--/0
	\004012 g
	\00401g2
	12
	END
	# before the frames, it is no end either
	printf 'a 1 1.0: 7 c:\n 12\n\t1 g (/x)\n\n' |
		stackcollapse-perf 2> err | diff - <(echo 'a;g 7')
	diff err <(echo 'Unrecognized line:  12')
}

@test "a frame on the event line is told from its arguments" {
	while IFS='|' read -r folded line; do
		printf '%b\n' "$line" | stackcollapse-perf 2> err |
			diff - <(printf '%s' "$folded${folded:+$'\n'}")
	done <<-'END'
	a;f 7|   a 1 1.0: 7 c:  1 f (/x)
	a 1|a 1 1.0: 7 c:  12345 f (/x)\n
	aaaaaaaaaaaaaa 1|aaaaaaaaaaaaaa 1 1.0: 7 c:  12345 f (/x)\n
	aaaaaaaaaaaaaaa;f 7|aaaaaaaaaaaaaaa 1 1.0: 7 c:  12345 f (/x)
	aaaaaaaaaaaaaaa 1|aaaaaaaaaaaaaaa 1 1.0: 7 c:  1234 f (/x)\n
	|   a 1 1.0: 7 c:  x 1 f (/x)
	|   a 1 1.0: 7 c:  x 1234 f (/x)
	a;f 1|   a 1 1.0: 7 c:  x 12345 f (/x)
	a;f 1|   a 1 1.0: 7 c:  12345 y 123456 f (/x)
	a;f 1|   a 1 1.0: 7 c:  12345 y 123456 f (/x) 1234567
	a;x 12345x f 7|   a 1 1.0: 7 c:  12345 x 12345x f (/x)
	|   a 1 1.0: 7 c:  12345x f (/x)
	|   a 1 1.0: 7 c:  12345 f
	END
}

@test "comments, CR LF and a comment in a sample are read over" {
	printf '# captured on x\r\na 1 1.0: 1 cycles: \r\n# no\r\n 1 f (/x)\r\n\r\n' |
		stackcollapse-perf | diff - <(echo 'a;f 1')
}

@test "files and standard input are read one after the other" {
	printf 'a 1 1.0: 1 c: \n\n' > one
	printf 'b 1 1.0: 1 c: \n\n' | stackcollapse-perf one - one |
		diff - <(printf 'a 2\nb 1\n')
}

@test "a line of a million bytes and a stack of 100,000 frames are read" {
	{
		echo 'a 1 1.0: 1 c: '
		awk 'BEGIN { printf " 1 "; for (i = 0; i < 100000; i++)
			printf "0123456789"; print " (/x)" }'
		awk 'BEGIN { for (i = 0; i < 100000; i++) print " 1 f (/x)" }'
		echo
	} | stackcollapse-perf > out
	[ "$(wc -c < out)" -eq $((1 + 100000 * 2 + 1 + 1000000 + 3)) ]
}

@test "a count stops at 2^64 - 1, and that is said" {
	cat > in <<-'END'
	a 1 1.0: 18446744073709551615 c:

	a 1 1.0: 1 c:

	END
	stackcollapse-perf in 2> err | diff - <(echo 'a 18446744073709551615')
	grep -q 'larger than 2^64' err
}

@test "input that ends in the blanks before a frame ends inside a sample" {
	head='a 1 1.5: 1 cycles:\n\t  7f01 one+0x1 (/bin/a)\n'
	for blanks in '\t' '\t    ' ' '; do
		printf '%b' "$head$blanks" | stackcollapse-perf 2> err |
			diff - /dev/null
		diff err <(echo 'stackcollapse-perf: the input ends inside a' \
			'sample, which is left out')
	done
	# a line of them is an empty one
	printf '%b' "$head\t\n" | stackcollapse-perf 2>&1 |
		diff - <(echo 'a;one 1')
	printf '%b' "$head\n" | stackcollapse-perf 2>&1 |
		diff - <(echo 'a;one 1')
}

@test "a sample that the input ends in is left out, with a warning" {
	printf 'a 1 1.0: 1 c: \n 1 f (/x)\n\nb 1 1.0: 1 c: \n 1 g (/x)\n' > in
	cut_short() { # LINES that are read, and what is printed of them
		head -n "$1" in | stackcollapse-perf 2> err |
			diff - <(printf '%b' "$2")
		diff err <(echo 'stackcollapse-perf: the input ends inside a' \
			'sample, which is left out')
	}
	cut_short 5 'a;f 1\n'
	cut_short 4 'a;f 1\n'
	cut_short 2 ''
	cut_short 1 ''
}

@test "lines that are not recognized are reported, once and with a count" {
	printf 'a 1 1.0: 1 c: \n 1 f (/x)\n\nodd\n\nodd\nodd\n' > in
	stackcollapse-perf in 2> err | diff - <(echo 'a;f 1')
	diff err <(echo 'Unrecognized line: odd'
		echo 'stackcollapse-perf: 3 lines were not recognized,' \
			'the first is line 4 of in')
}

@test "an operand that is no text is refused by name, and the others are read" {
	printf 'a 1 1.0: 7 cycles:\n\t1f f (/x)\n\n' > good
	refused() {
		# shellcheck disable=SC2059 # its bytes are escaped
		printf "$1" > bad
		fails 1 stackcollapse-perf good bad good 2> err |
			diff - <(echo 'a;f 14')
		diff err <(echo "stackcollapse-perf: bad: $2")
		fails 1 stackcollapse-perf < bad 2>&1 |
			diff - <(echo "stackcollapse-perf: standard input: $2")
	}
	refused '\177ELF\2\1\1' 'an ELF program or library, not text'
	refused '!<arch>\n/  0' 'an archive, not text'
	refused 'PK\3\4\n' 'a zip archive, not text'
	refused '\37\213\10' 'compressed; gzip -dc decompresses it'
	refused 'BZh91AY&SY' 'compressed; bzip2 -dc decompresses it'
	refused '\3757zXZ\0\0' 'compressed; xz -dc decompresses it'
	refused '\50\265/\375' 'compressed; zstd -dc decompresses it'
	refused '\377\376a\0' 'UTF-16; iconv -f UTF-16 converts it'
	refused "$(printf '%s' 'ab\0\0'{,,,,,,,,,,,,,,,})" 'binary data'
	refused '\n0x108@perf.data [0x50]: event: 69\n.\n. ... raw event: size 80 bytes\n.  0000:  45 00\n' \
		'a raw dump; run perf script without -D'
}

@test "input that is not of perf script is refused, saying what it looks like" {
	is_not() { # KIND, of the file `in`
		fails 1 stackcollapse-perf in > out 2> err
		diff out /dev/null
		diff err <(echo 'stackcollapse-perf: in is not what perf' \
			"script prints; it looks like $1")
	}
	printf 'main 2\n' > in
	is_not 'some other text'
	printf '%s\n' 'CPU     ID                    FUNCTION:NAME' \
		'  0  64091                        :tick-60s' '' '' \
		'              libc.so.1`_read+0x7' \
		'              bash`main+0x1' '               15' '' > in
	is_not 'the output of DTrace, which stackcollapse-dtrace folds'
	sed 5,6\!d in > stack
	mv stack in
	is_not 'the output of DTrace, which stackcollapse-dtrace folds'
	printf 'Nov 21 08:44:41 host sshd: hello\n\n' > in
	is_not 'some other text'
	printf 'PERFILE2h\001\002\n' | fails 1 stackcollapse-perf 2>&1 |
		has 'ends inside its header'
	printf '\000\001\002\n' | fails 1 stackcollapse-perf 2>&1 |
		has 'binary data'
}

@test "no input, and no sample of the event, are warnings" {
	stackcollapse-perf < /dev/null 2>&1 | has 'input is empty'
	printf 'a 1 1.0: 1 c: \n\n' > in
	stackcollapse-perf --event-filter=d in > out 2> err
	diff out /dev/null
	grep -q 'no sample is of the event d' err
	printf '%s\n' 'a 1 1.0: 1 c: ' 'a 1 2.0: 1 c: ' > in
	stackcollapse-perf in 2>&1 | diff - <(echo 'stackcollapse-perf: no' \
		'stack was found; was it recorded without -g, or printed' \
		'without comm or ip?')
}

@test "an unreadable file is reported, the others are read, the status is 1" {
	printf 'a 1 1.0: 1 c: \n\n' > in
	fails 1 stackcollapse-perf missing in . > out 2> err
	diff out <(echo 'a 1')
	grep -q '^stackcollapse-perf: missing: No such file' err
	grep -q '^stackcollapse-perf: \.: Is a directory' err
}

@test "a full disk is reported" {
	[ -e /dev/full ] || skip 'no /dev/full'
	fails 1 stackcollapse-perf "$DATA/demo.perf" 2> err > /dev/full
	grep -q 'output: No space left' err
}

@test "--version prints the version that the Makefile has" {
	stackcollapse-perf --version 2> err | diff - <(
		sed -n 's/^VERSION = /stackcollapse-perf /p' "$TOP/Makefile")
	[ ! -s err ]
}

@test "all mistakes of a command line are reported, then where help is" {
	fails 2 stackcollapse-perf --nope --pid=1 --event-filter 2> err
	sed 's/stackcollapse-perf: //' err | diff - <(cat <<-END
	unknown option: --nope
	option --pid takes no value
	option --event-filter needs a value
	Try 'stackcollapse-perf --help'.
	END
	)
	stackcollapse-perf --help | has -e '--event-filter EVENT'
}

@test "options are abbreviated, in any case, with one dash, after operands" {
	printf 'a 1/2 1.0: 1 c: \n 1 f ([k])\n\n' > in
	stackcollapse-perf in -K --PID | diff - <(echo 'a-1;f_[k] 1')
	printf 'a 1/2 1.0: 1 --x:\n\n' > --x
	stackcollapse-perf --event --x -- --x | diff - <(echo 'a 1')
	fails 2 stackcollapse-perf -a in
	printf 'a 1/2 1.0: 1 c: \n 1 f (/tmp/perf-1.map)\n\n' |
		stackcollapse-perf --j | diff - <(echo 'a;f_[j] 1')
}

# A program with a function that is inlined, and its addresses.
build() {
	command -v "${CC:-cc}" > /dev/null || skip 'no compiler'
	command -v addr2line > /dev/null || skip 'no addr2line to compare with'
	needs_64_bits
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
	"${CC:-cc}" -O2 "$@" -o prog prog.c
	start=$(nm prog | sed -n 's/^\([0-9a-f]*\) T spin$/\1/p')
	# an address whose line is in square
	for offset in 0 1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16; do
		address=$(printf %x $((0x$start + 0x$offset)))
		addr2line -i -f -e prog "$address" | has square && return
	done
	true
}

# sample FRAME: a profile of one sample
sample() {
	printf 'prog 1 1.0: 1 c: \n\t%s\n\n' "$1"
}

@test "--inline finds inlined functions, and --context their lines" {
	build -g
	sample "$address spin+0x$offset ($PWD/prog)" > in
	stackcollapse-perf --inline in | diff - <(echo 'prog;spin;square 1')
	stackcollapse-perf --inline --context in > out
	grep -q '^prog;spin:prog.c:9;square:prog.c:[45] 1$' out
}

@test "--inline finds a function by its offset where addresses differ" {
	build -g
	sample "7fff00000000 spin+0x$offset ($PWD/prog)" |
		stackcollapse-perf --inline | diff - <(echo 'prog;spin;square 1')
}

@test "--inline and --srcline take a ; in names and lines for no frame's end" {
	build -g
	mv prog.c 'a;b.c'
	"${CC:-cc}" -g -O2 -o prog 'a;b.c'
	sed 's/square/sq;are/g' prog > odd
	sample "$address spin+0x$offset ($PWD/odd)" > in
	stackcollapse-perf --inline in | diff - <(echo 'prog;spin;sq:are 1')
	stackcollapse-perf --inline --context in |
		has '^prog;spin:a:b\.c:9;sq:are:a:b\.c:[45] 1$'
	printf 'a 1 1.0: 1 c: \n\t5 f (/x)\n  a;b.c:3\n\n' |
		stackcollapse-perf --srcline | diff - <(echo 'a;f:a:b.c:3 1')
	# nor a line end in a name for a line's
	sed 's/square/sq\nare/g' prog > odd
	stackcollapse-perf --inline in | diff - <(echo 'prog;spin;sq_are 1')
}

# Of a recording, perf takes all files with a name like this for a compiler's.
@test "--inline reads a program in a folder /tmp/perf-..." {
	build -g
	folder=$(mktemp -d /tmp/perf-XXXXXX)
	mv prog "$folder"
	sample "$address spin+0x$offset ($folder/prog)" |
		stackcollapse-perf --inline > out
	rm -r "$folder"
	diff out <(echo 'prog;spin;square 1')
}

@test "--inline falls back on perf's names, and says why once a module" {
	build
	strip prog
	{
		sample "7fff00000000 f+0x1 ($PWD/prog)"
		sample "7fff00000000 g+0x1 ($PWD/prog)"
		sample "1 h(int)+0x2 (/gone/x.so)"
		sample "1 i+0x2 (/gone/x.so)"
		sample "1 j ([vdso])"
	} > in
	stackcollapse-perf --inline in 2> err | diff - <(printf '%s\n' \
		'prog;f 1' 'prog;g 1' 'prog;h 1' 'prog;i 1' 'prog;j 1')
	diff err <(
		echo 'stackcollapse-perf: --inline: /gone/x.so: No such file or directory'
		echo "stackcollapse-perf: --inline: $PWD/prog: no debug information")
}

@test "--inline asks about files, not about the kernel or what is jitted" {
	local module odd
	for module in '[vdso]' '/gone/a[b]c' /gone/kernel.x inlined \
	    /gone/perf-1.map '/gone/a[b' '/gone/a[]' '/gone/a]b[' \
	    /gone/perf-.map; do
		sample "1 f+0x2 ($module)"
	done > in
	for odd in x1 1x 12345678901234567; do
		sample "$odd f+0x2 (/gone/$odd)"
	done >> in
	stackcollapse-perf --inline in 2> err | diff - <(echo 'prog;f 12')
	diff err <(printf \
		'stackcollapse-perf: --inline: %s: No such file or directory\n' \
		'/gone/a[b' '/gone/a[]' '/gone/a]b[' /gone/perf-.map)
}

@test "--inline leaves the source lines of what it knows unread" {
	build -g
	{
		printf 'prog 1 1.0: 1 c: \n\t%s\n  prog.c:5\n' \
			"$address spin+0x$offset ($PWD/prog)"
		printf '\t1 main+0x1 ([vdso])\n  prog.c:14\n\n'
	} | stackcollapse-perf --inline --srcline 2> err |
		diff - <(echo 'prog;main:prog.c:14;spin;square 1')
	diff err <(echo 'Unrecognized line:   prog.c:5')
}

@test "--inline runs nothing that a module's name says" {
	mkdir -p '$(touch ran)' '`touch ran`'
	{
		sample '1 f+0x1 (/tmp/x;touch ran;)'
		sample '1 f+0x1 ($(touch ran))'
		sample '1 f+0x1 (-x|touch ran)'
	} | stackcollapse-perf --inline > out 2> err
	diff out <(echo 'prog;f 3')
	[ ! -e ran ]
}

@test "--inline works with many modules, and few files that may be open" {
	build -g
	for i in $(seq 20) 1 2; do
		[ -e "prog$i" ] || cp prog "prog$i"
		sample "$address spin+0x$offset ($PWD/prog$i)"
	done > in
	(
		ulimit -n 16
		exec stackcollapse-perf --inline in
	) | diff - <(echo 'prog;spin;square 22')
}

@test "--inline tells of files without debug information in one line" {
	build -g0
	cp prog other
	cp prog third
	for file in prog other third; do
		sample "$address spin+0x$offset ($PWD/$file)"
	done | stackcollapse-perf --inline 2> err |
		diff - <(echo 'prog;spin 3')
	diff err <(echo "stackcollapse-perf: --inline: $PWD/prog: no debug information, nor in other files: 2")
}

@test "--inline keeps perf's names where the program has none of them" {
	build -g
	{
		sample "7fff00000000 gone+0x1 ($PWD/prog)"
		sample "7fff00000000 spin ($PWD/prog)"
		sample "$address spin+0x$offset ($PWD/prog)"
	} | stackcollapse-perf --inline |
		diff - <(printf 'prog;%s 1\n' gone spin 'spin;square')
}

@test "--inline tells of debug information that is damaged, once" {
	build -g -gz
	readelf -SW prog | has '\.debug_info .* C ' || skip 'nothing is packed'
	at=$(readelf -SW prog | sed -n 's/.* \.debug_info  *[A-Z]* *[0-9a-f]* //p')
	printf '\7' | dd of=prog bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + 30))
	for _ in 1 2; do
		sample "$address spin+0x$offset ($PWD/prog)"
	done | stackcollapse-perf --inline 2> err | diff - <(echo 'prog;spin 2')
	diff err <(echo "stackcollapse-perf: --inline: $PWD/prog: damaged" \
		'debug information')
}

@test "--inline keeps the arguments of functions of C++, as addr2line -C does" {
	command -v g++ > /dev/null || skip 'no C++ compiler'
	needs_64_bits
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
		diff - <(echo 'prog;spin(int, char*);a::b<unsigned int>::c(unsigned int) const 1')
}

@test "a line that came before counts anew, for each kind of process" {
	for comm in java java other java; do
		printf '%s 1 1.0: 1 c: \n\t            a1b2 Lorg/A;::f (/tmp/p)\n\n' \
			"$comm"
	done | stackcollapse-perf | diff - <(printf '%s\n' \
		'java;org/A:::f 3' 'other;Lorg/A:::f 1')
}

@test "an event line that came before counts like one that is new" {
	local n=0 odd line
	# 16 bytes or more tell a head, whatever follows it
	{
		for odd in '[000] 1.5: 5 cycles:' '[000] 1.5: cycles:' \
		    '1.5: 5 cycles:' '[000]  1.5:   5   cycles:  ' \
		    '[000] 1.5: 0 cycles:' '[] 1.5: 5 cycles:' \
		    '[0x0] 1.5: 5 cycles:' '[000 1.5: 5 cycles:' \
		    '[000]1.5: 5 cycles:' '[000] .5: 5 cycles:' \
		    '[000] 15: 5 cycles:' '[000] 1.: 5 cycles:' \
		    '[000] 1.5 5 cycles:' '[000] 1.5:5 cycles:' \
		    '[000] 1.5: 5cycles:' '[000] 1.5: 5 cyclesx:' \
		    '[000] 1.5: 5 cycle:' '[000] 1.5: 5 cycles' \
		    '[000] 1.5: 5 cycles:u:' '[000] 1.5: 5 cycles: x' \
		    '[000] 1.5: 9999999999999999999 cycles:' \
		    '[000] 1.5: 10000000000000000000 cycles:' \
		    '[000] 1.5: 99999999999999999999 cycles:' \
		    '[000] 1.5: 000000000000000000000005 cycles:' \
		    '[000] 1.5: 5 instructions:' '[000] 1.5: 5 x cycles:'; do
			n=$((n + 1))
			for line in '[000] 1.5: 7 cycles:' "$odd" \
			    '[000] 1.5: 7 cycles:' "x$odd"; do
				printf 'long_program 12/34 %s\n\t1 f%d (/x)\n\n' \
					"$line" $n
			done
			printf 'long_program 12/34%s\n\t1 f%d (/x)\n\n' "$odd" $n
		done
		# heads of up to 40 bytes are kept, longer ones are not
		for len in 1 2 14 15 28 29 30 31 32 33 34 35 36 37 60; do
			comm=$(printf "%0${len}d" 0 | tr 0 c)
			printf '%s 12/34 [000] 1.5: %s cycles:\n\t1 f (/x)\n\n' \
				"$comm" 1 "${comm}c" 2 "$comm" 4 "${comm}c" 8 "$comm" 16
		done
		for i in 1 2 3; do
			random_profile $i 300
		done
	} > in
	# a comment between the lines has them parsed
	sed 's/^[^\t ]/# comment\n&/' in > parsed
	stackcollapse-perf --tid in > out 2> /dev/null
	stackcollapse-perf --tid parsed 2> err | diff - out
	grep -q '^long_program-12/34;f1 29$' out
	grep -q '^long_program-12/34;f23 18446744073709551615$' out
	grep -q larger err
}

@test "an event whose name is as long as that of the one that counts" {
	for event in cycles cycles faults cycles faults; do
		printf 'a  1 [000] 1.5: 1 %s: \n\t1 f (/x)\n\n' $event
	done | stackcollapse-perf 2> err | diff - <(echo 'a;f 3')
	diff err <(echo 'Filtering for events of type: cycles')
}

@test "an address is no name, and there may be any number of addresses" {
	awk 'BEGIN { for (; i < 40000; i++)
		printf "a 1 1.0: 1 c: \n\t%16x f%d+0x1f (/x)\n\t%16x main (/x)\n\n", i % 20011, i % 7, i % 3 }' > in
	awk 'BEGIN { for (; i < 40000; i++) n[i % 7]++
		for (f in n) print "a;main;f" f, n[f] }' | sort > expected
	stackcollapse-perf in | diff - expected
	stackcollapse-perf --jobs 2 in | diff - expected
}

# random_profile SEED SAMPLES: perf script text with a bit of everything.
random_profile() {
	awk -v seed="$1" -v samples="$2" '
		function pick(list,	n, parts) {
			n = split(list, parts, "|")
			return parts[int(rand() * n) + 1]
		}
		function frame() {
			printf "\t%16x %s (%s)%s\n", int(rand() * rand() * 400), pick(symbols), pick(modules), cr
		}
		BEGIN {
			srand(seed)
			symbols = "main+0x1f|[unknown]|f(int)+0x3|A::g->B::h|x;y|(sh)|halt+0xb"
			modules = "/usr/bin/java|[kernel.kallsyms]|/tmp/perf-1.map|[unknown]|/x y (z)"
			commands = "java|cc1|Web Content|R|a;b|kworker/0:1|:-1|foo [001] bar"
			cr = rand() < .2 ? "\r" : ""
			event = pick("cycles|cpu-clock:u|9x")
			odd = pick("0|.0001|.01")
			for (i = 0; i < samples; i++) {
				if (rand() < .98)
					printf "%s %5d%s %s %d.%06d: %s %s: %s\n", pick(commands), rand() * 3 - 1, pick("|/7"), pick("[000]|[001]|"), i, rand() * 1e6, pick("250000|18446744073709551615|1||0"), rand() < 1 - odd ? event : "other", cr
				for (n = rand() * rand() * 40; n > 0; n--)
					frame()
				if (rand() < odd)
					print pick("# comment|what|\t\033[31m x|12|" )
				if (rand() < .99)
					print cr
			}
			if (rand() < .5)
				printf "cc1 1 1.0: %s: \n\t 1 f (/x)", event
		}'
}

# same_in_threads OPERAND...: all that is said and done is what one thread does.
same_in_threads() {
	local jobs status=0
	stackcollapse-perf --jobs 1 "$@" > one.out 2> one.err || status=$?
	[ -s one.out ] || [ -s one.err ]
	for jobs in 2 3 7; do
		fails $status stackcollapse-perf --jobs $jobs "$@" > out 2> err
		diff one.out out
		diff one.err err
	done
	fails $status stackcollapse-perf "$@" > out 2> err
	diff one.out out
	diff one.err err
}

@test "results and messages are the same for any number of threads" {
	local i options=('' --all --tid --event-filter=9x --addrs --srcline)
	for ((i = 0; i < 12; i++)); do
		random_profile $i 4000 > p
		# shellcheck disable=SC2086 # words
		same_in_threads p ${options[i % ${#options[@]}]}
	done
	random_profile 20 4000 > q
	same_in_threads missing p q missing q p
	same_in_threads --event-filter nothing p q
}

@test "threads make no difference to what is no profile, or to real ones" {
	local i
	for i in 1 2 3 4 5 6 7 8 9; do
		cat "$DATA/demo.perf"
	done > nine
	same_in_threads nine "$DATA"/*
	awk 'BEGIN { for (; i < 60000; i++) print "some other text" }' > other
	same_in_threads other
	awk 'BEGIN { print "a 1 1.0: c:"; for (; i < 60000; i++) print " 1 f (/x)" }
		END { print ""; print "b 1 1.0: c:\n" }' < /dev/null > deep
	same_in_threads deep nine deep
	same_in_threads "$DATA"
	same_in_threads /dev/null
}

@test "the first odd line is the input's, whichever thread is ahead" {
	local i
	awk 'BEGIN {
		for (; i < 40000; i++) {
			printf "a 1 1.0: 1 c:\n\t%16x f%d (/x)\n\n", i, i
			if (i >= 8000)
				print "odd " i "\n"
		}
	}' > in
	for ((i = 0; i < 20; i++)); do
		stackcollapse-perf --jobs 3 in 2>&1 > out | diff - <(
			echo 'Unrecognized line: odd 8000'
			echo 'stackcollapse-perf: 32000 lines were not' \
				'recognized, the first is line 24004 of in')
	done
}

@test "threads fold what comes through a pipe, in pieces" {
	local i
	for i in 5 6 7 8; do
		random_profile $i 4000 > p
		stackcollapse-perf --jobs 1 < p > one 2> one.err
		dd if=p bs=3000 2> dd.err |
			stackcollapse-perf --jobs 3 2> err | diff one -
		diff one.err err
	done
}

# The end of a block of the input does not change the meaning of the next one.
@test "samples without a name are the same for one thread and for several" {
	frame=$(printf '\t%16s f\n' 401136)
	for before in '' '#\n' '# a comment\n#\n' 'odd\n' '\n# a comment\n' \
	    '\n insn: 01\n' "$frame\n\n" 'a 1 1.0: 7 c:\n\t5 f (/x)\n\n' \
	    'a 1 1.0: 7 c:\n\t5 f (/x)\n' "\n$frame\n"; do
		input() {
			printf '%b\n' "$before"
			sleep "$1"
			printf '%s\n' "$frame"
			sleep "$1"
			printf '\n\n%s\n\n' "$frame"
		}
		input 0 | stackcollapse-perf --jobs 1 > one 2> one.err
		input 0.02 | stackcollapse-perf --jobs 3 2> err | diff one -
		diff one.err err
	done
	# after a header, the first sample counts as the others do
	{
		printf '# ========\n#\n'
		printf '\n%s\n\n' "$frame" "$frame"
	} | stackcollapse-perf | diff - <(echo ':-1;f 2')
}

# Which thread reads the end is up to chance.
@test "what the input ends with is told the same by any number of threads" {
	printf 'a 1 1.0: 7 c:\na 1 1.1: 7 c:\n\t5 f (/x)\n\n# x\n' > in
	printf '\na 1 1.2: 7 c:\n' >> in
	stackcollapse-perf --jobs 1 in > one 2> one.err
	has -x 'a;f 7' one
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		stackcollapse-perf --jobs 3 in 2> err | diff one -
		diff one.err err
	done
}

@test "--srcline: lines of one character, and a bracket without its other" {
	printf 'a 1 1.0: 7 c:\n\t5 %s (/x)\n%s\n\t6 %s (/x)\n%s\n\n' \
		f 7 g '  x[y' | stackcollapse-perf --srcline |
		diff - <(echo 'a;g:x[y;f:7 7')
}

@test "samples of other events are counted where none is of the one asked for" {
	for n in 1 2; do
		for i in $(seq $n); do
			printf 'a 1 1.%s: 7 d:\n\t5 f (/x)\n\n' "$i"
		done | stackcollapse-perf --event-filter c 2> err |
			diff - /dev/null
		grep -q "no sample is of the event c; .* $n: d\$" err
	done
}

@test "where no sample is of the event asked for, those that there are are named" {
	for event in b a 'sched:x' a c d e f; do
		printf 'a 1 1.5: 7 %s:\n\t5 f (/x)\n\n' "$event"
	done > in
	printf 'a 1 1.5: 7 %s:\n\t5 f (/x)\n\n' g h i > rest
	asked() {
		stackcollapse-perf --event-filter=no "$@" 2>&1
	}
	said='stackcollapse-perf: no sample is of the event no; of other events'
	asked in | diff - \
		<(echo "$said there are 8: b, a, sched:x, c, d, e, f")
	for jobs in 1 3; do
		asked --jobs=$jobs in rest | diff - <(echo "$said there are" \
		    "11: b, a, sched:x, c, d, e, f, g, ...")
	done
	# in the order of the input, each first met in a block of its own
	echo z x y w | awk '{
		for (i = 1; i <= NF; i++)
			for (n = 0; n < 19000; n++)
				printf "a 1 1.5: 7 %s:\n\t5 f (/x)\n\n", $i
	}' > in
	for jobs in 1 2 3 4; do
		asked --jobs=$jobs in |
			diff - <(echo "$said there are 76000: z, x, y, w")
	done
}

@test "an event inside of a sample takes over its frames" {
	printf 'a 1 1.0: 1 c:\n\t5 f (/x)\nb 1 1.1: 7 c:\n%s' ' 4K unknown' |
		stackcollapse-perf 2>&1 | diff - <(echo 'b;f 7')
}

@test "a period larger than any number is the largest, and said to be" {
	printf 'a 1 1.0: 99999999999999999999 c:\n\t5 f (/x)\n\n' |
		stackcollapse-perf 2> err |
		diff - <(echo 'a;f 18446744073709551615')
	grep -q 'a count is larger than' err
	# of a thread that is known, too
	for i in 1 2 3; do
		printf 'kworker/u16:3 29007 1.%s: %s c:\n\t%16s f (/x)\n\n' \
			$i 55555555555555555555 5
	done | stackcollapse-perf 2> err |
		diff - <(echo 'kworker/u16:3;f 18446744073709551615')
	grep -q 'a count is larger than' err
}

@test "a thread that is known counts periods before addresses of data" {
	for address in ffff888012345678 '    7f0012345678' \
	    '   7f00123456789' '               0'; do
		for i in 1 2 3; do
			printf 'kworker/u16:3 29007 1.%s: 7 c: %s\n' $i \
				"$address"
			printf '\t%16s f (/x)\n\n' 401136
		done
	done | stackcollapse-perf | diff - <(echo 'kworker/u16:3;f 84')
}

@test "a period counts where only some lines end in CR" {
	for i in 1 2 3; do
		printf 'kworker/u16:3 29007 1.%s: 7 c: \r\n\t%16s f (/x)\n\n' \
			$i 401136
	done | stackcollapse-perf | diff - <(echo 'kworker/u16:3;f 21')
}

@test "a sample of another event inside of one names no thread after it" {
	stackcollapse-perf > out 2> err <<-'END'
	a     1 1.0: 7 c:
	kworker/u16:3 29007 1.1: 1 d:
	               5 f (/x)

	kworker/u16:3 29007 1.2: 7 c:
	               5 f (/x)

	kworker/u16:3 29007 1.3: 7 c:
	               5 f (/x)

	END
	diff out <(echo 'a;f 7'; echo 'kworker/u16:3;f 14')
}

@test "a number of threads out of range is refused" {
	fails 2 stackcollapse-perf --jobs 0 < /dev/null 2>&1 |
		has -e 'option --jobs: 0 is not from 1 to 64'
	fails 2 stackcollapse-perf --jobs -1 < /dev/null
	fails 2 stackcollapse-perf --jobs 65 < /dev/null
	fails 2 stackcollapse-perf --jobs x < /dev/null
	stackcollapse-perf --jobs 64 "$DATA/demo.perf" |
		diff - <(stackcollapse-perf "$DATA/demo.perf")
}
