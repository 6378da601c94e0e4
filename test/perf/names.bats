load ../helper
load lines

# The names that frames get from what perf prints of them: a symbol, and the
# module in which it is.

# unit/unit.bats has other names and brackets.
@test "arguments are cut from names, and other brackets stay" {
	frames <<-'END'
	1 plain(int, char**)+0xf (/x) => plain
	1 std::function<void (int)>::operator()(int) const (/x) => std::function<void (int)>::operator()
	1 main::{lambda(int)#1}::operator()(int) const (/x) => main::{lambda(int)#1}::operator()
	1 T::operator bool() const (/x) => T::operator bool
	1 f(B&) const::{lambda(int)#2}::operator()(int)+0x2 (/x) => f::{lambda(int)#2}::operator()
	1 f(int (*)(char)) const volatile &&::g(int)::h(int) (/x) => f::g::h
	1 f(int)->g(int)::h (/x) => f;g::h_[i]
	1 parse(_: Swift.String) throws -> Swift.Int (/x) => parse
	1 array_list.Aligned(Move,null).append (/x) => array_list.Aligned(Move,null).append
	1 array_list.Aligned(Move,null).resize(int) (/x) => array_list.Aligned(Move,null).resize
	1 *Shape(Float64)@Shape(T)#area (/x) => *Shape(Float64)@Shape(T)#area
	1 py::main:/srv/a->b (copy)/app.py (/x) => py::main:/srv/a->b (copy)/app.py
	1 RegExp:(a|b)->c (/x) => RegExp:(a|b)->c
	1 f(int).cold (/x) => f
	1 f(int).isra.0.cold (/x) => f
	1 f(int).coldest (/x) => f(int).coldest
	1 f(int).part.1 (/x) => f
	1 f(int)@@GLIBC_2.34 (/x) => f
	1 Lio/netty/X;.flush()Lio/netty/Channel; (/x) => Lio/netty/X:.flush
	1 f(int, ...) (/x) => f
	1 (anonymous namespace)::hot(int) const (/x) => (anonymous namespace)::hot
	1 (a (/x) => (a
	1 (anonymous) (/x) => 
	1 ((sd-pam)) (/x) => 
	1 (a b::c) (/x) => 
	END
}

# Symbols are as c++filt prints them, and names as c++filt -p does, without the
# arguments of a function around a lambda.
@test "a template function's return type is not part of its name" {
	functions /x <<-'END'
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
	std::string f10[abi:cxx11]<int>() => f10[abi:cxx11]<int>
	float __vector(4)* f11<int>() => f11<int>
	std::ostream& operator<< <int>(int) => operator<< <int>
	bool operator>><int>(int, int) => operator>><int>
	bool operator-><int>(int, int) => operator-><int>
	void* operator new<int>(unsigned long) => operator new<int>
	void (*f12<int>(int))(char) => f12<int>
	void (*(*f15<int>(long))(int))(char) => f15<int>
	void f16<int>(int) [clone .cold] => f16<int>
	bool f17<int> => f17<int>
	END
	# where no offset is printed, as by old perf, it is
	frames <<< '1 void a::f<int>(int) (/x) => void a::f<int>'
}

@test "blanks in a name that follow no type, or precede no template, stay" {
	functions /x <<-'END'
	unsigned long ns::f(int) => unsigned long ns::f
	operator new(unsigned long) => operator new
	A::operator unsigned long() const => A::operator unsigned long
	A::operator std::vector<int> const*<int>() => A::operator std::vector<int> const*<int>
	A::operator void (*)(int)<int>() => A::operator void (*)
	vtable for A<int> => vtable for A<int>
	guard variable for f<int>()::x => guard variable for f<int>::x
	non-virtual thunk to A<int>::f<int>() => non-virtual thunk to A<int>::f<int>
	transaction clone for void f<int>() => transaction clone for void f<int>
	<T as Trait>::f => <T as Trait>::f
	a::<impl A for B<T>>::c => a::<impl A for B<T>>::c
	core::ptr::drop_in_place<dyn a::B + c::D> => core::ptr::drop_in_place<dyn a::B + c::D>
	(wrapper managed-to-native) A:f<int> (int) => (wrapper managed-to-native) A:f<int> 
	py::f<lambda>:/path with blank/x.py => py::f<lambda>:/path with blank/x.py
	Function:~f<x> file.js:12 => Function:~f<x> file.js:12
	-[A<int> f<int>] => -[A<int> f<int>]
	int a<b => int a<b
	END
	for module in /tmp/perf-12.map /x/jitted-1-2.so '[kernel.kallsyms]'; do
		functions "$module" <<-'END'
		void f<int>(int) => void f<int>
		foo::bar.cold => foo::bar.cold
		_RNvC1a1f => _RNvC1a1f
		END
	done
}

# perf 5, 6.1, 6.12 and 7 print these.
@test "Rust's functions have one name, and @plt stays" {
	functions /x <<-'END'
	_RNvNtCs1234_3foo3bar3baz => foo::bar::baz
	_RNvC3foo2f1.llvm.5540057329546874339 => foo::f1
	_RNvC3foo2f2.cold => foo::f2
	foo::f3.cold => foo::f3
	foo::f4.llvm.5540057329546874339.cold => foo::f4
	foo::f5::<a::B>.warm => foo::f5::<a::B>
	foo.cold => foo.cold
	foo::cold => foo::cold
	_RFoo => _RFoo
	_ZN3foo3barEv => _ZN3foo3barEv
	free@plt => free@plt
	operator delete(void*)@plt => operator delete@plt
	void A::f<int>(int) const@plt => A::f<int>@plt
	__libc_start_main@@GLIBC_2.34 => __libc_start_main@@GLIBC_2.34
	END
}

@test "-> joins inlined methods, + and hexadecimal digits are an offset" {
	frames <<-'END'
	1 La/B;::f->La/C;::g->h (/x) => La/B:::f;La/C:::g_[i];h_[i]
	1 <fn() -> T as X>::call (/x) => <fn() -> T as X>::call
	1 A::operator->->b(int)->c (/x) => A::operator->;b_[i];c_[i]
	1 A::operator""_x(int) (/x) => A::operator_x
	1 f->->g (/x) => f;_[i];g_[i]
	1 -> (/x) => 
	1 f+0x12ab (/x) => f
	1 f+0x1F (/x) => f+0x1F
	1 f+0x (/x) => f+0x
	1 +0x1 (/x) => 
	1 RegExp:[&<>\"\'] (/x) => RegExp:[&<>\\]
	1 a;b (/x) => a:b
	END
}

@test "the L of a class is cut in processes called java only" {
	for comm in java java other java; do
		printf '%s 1 1.0: 1 c: \n' $comm
		printf '\t%16s %s (/tmp/p)\n' a1b2 'Lorg/A;::f' a1b3 Low
		echo
	done | stackcollapse-perf | are_lines \
		'java;Low;org/A:::f 3' 'other;Low;Lorg/A:::f 1'
}

@test "a frame without a symbol is named after its module" {
	frames <<-'END'
	1f [unknown] (/usr/lib/a.so) => [a.so]
	1f [unknown] (/usr/lib/a(b).so) => [a(b).so]
	1f [unknown] (/usr/a.so (deleted)) => [a.so]
	1f [unknown] (/usr/lib/a.so+0x1234) => [a.so]
	1f [unknown] (/usr/lib/a.so (deleted)+0x12) => [a.so]
	1f [unknown] ([unknown]) => [unknown]
	1f (/usr/lib/a.so) => [a.so]
	1f  (/tmp/perf-1.map) =>  
	END
	frames --addrs <<-'END'
	1f [unknown] (/usr/lib/a.so) => [a.so <1f>]
	1f [unknown] ([unknown]) => [unknown <1f>]
	END
}

@test "a line is a frame if it holds a word and a module in brackets" {
	frames <<-'END'
	foo (/x) => foo
	foo bar (/x) => bar
	1 f (/x) y => f
	1 g)f (/x) (b => g)f
	END
	diff err /dev/null
	frames <<-'END'
	(x) => 
	1 f (x => 
	1 f(x) (/y => 
	1 => 
	1 f => 
	END
	diff err - <<-'END'
	Unrecognized line: 	(x)
	stackcollapse-perf: 5 lines were not recognized, the first is line 2 of standard input
	END
}

@test "a module is all of the last pair of brackets" {
	frames --kernel <<-'END'
	1 f+0x2 (/opt/my app (x86)/run) => f
	1 f+0x2 (/opt/a) b/run) => f
	1 f) (/opt/run) => f)
	1 f (/opt/a)b) => f
	1 f (/opt/a(b/x) => f
	1 f+0x2 ([kernel.kallsyms].init.text) => f_[k]
	1 f (/boot/vmlinux (deleted)) => f_[k]
	END
}

@test "--kernel, --jit and --all mark frames by their modules" {
	frames --kernel <<-'END'
	1 f ([nf_conntrack]) => f_[k]
	1 f ([unknown]) => f
	1 f (/tmp/perf-12.map) => f
	1 f ([vdso]) => f_[k]
	7f0012345678 f ([JIT app cache]) => f
	7f0012345678 f ([anon:scudo]) => f
	ffffffffc0a01234 f (/lib/modules/5.4/mlx5_core.ko.xz) => f_[k]
	ffffffffc0a01234 [unknown] (/lib/modules/5.4/mlx5_core.ko.xz) => [mlx5_core.ko.xz]_[k]
	ffffffff81001234 f (/boot/vmlinux-5.4.14) => f_[k]
	401234 f (/boot/vmlinux-5.4.14) => f
	ffffffff81001234 f (/proc/kcore) => f_[k]
	ffffffffc0301234 bpf_prog_6deef7357e7b4530 (bpf_prog_6deef7357e7b4530) => bpf_prog_6deef7357e7b4530_[k]
	END
	frames --jit <<-'END'
	1 f ([nf_conntrack]) => f
	1 f (/tmp/perf-12.map) => f_[j]
	END
	frames --all <<-'END'
	1 f (/lib/modules/4/vmlinux) => f_[k]
	1 f->g (/tmp/perf-12.map) => f_[j];g_[i]
	1 f (/tmp/perf-x.map) => f
	1 f (/x/tmp/perf-y/tmp/perf-2.mapz) => f_[j]
	1 f (xvmlinux) => f_[k]
	1 f->g_[i]x->h_[j]->h (/tmp/perf-12.map) => f_[j];g_[i]x;h_[j]_[i];h_[i]
	END
}

@test "methods that Mono, WebAssembly, node and Python compile, BPF, and guests" {
	frames --all <<-'END'
	7f09 Function:__original_main+0x2 (/tmp/perf-9.map) => Function:__original_main_[j]
	7f08 wasm::main:14 (/tmp/perf-9.map) => wasm::main:14_[j]
	7f07 js-to-wasm:i:i+0x3f (/tmp/perf-9.map) => js-to-wasm:i:i_[j]
	7f06 [unknown] (/tmp/perf-9.map) => [perf-9.map]_[j]
	7f04 (wrapper managed-to-native) Foo.Bar:f (intptr)+0x8 (/tmp/perf-9.map) => (wrapper managed-to-native) Foo.Bar:f _[j]
	7f03 Foo.Bar`1[T_REF]:.ctor (T_REF,int)+0x8 (/tmp/perf-9.map) => Foo.Bar`1[T_REF]:.ctor _[j]
	7f02 inner+0x8 (inlined) => inner
	ffffffff81000001 x64_sys_call+0x1 ([guest.kernel.kallsyms]) => x64_sys_call_[k]
	7f04 py::main:/a b/c.py+0x9 (/tmp/perf-7.map) => py::main:/a b/c.py_[j]
	7f05 LazyCompile:~f /a/b.js:3+0x77 (/tmp/perf-7.map) => LazyCompile:~f /a/b.js:3_[j]
	ffffffffc0000001 bpf_prog_6deef7357e7b4530+0x1 (bpf_prog_6deef7357e7b4530) => bpf_prog_6deef7357e7b4530_[k]
	END
}

@test "without modules the address takes its columns" {
	{
		echo 'a 1 1.0: 7 cycles:'
		printf '\t%16s %s\n' 1 f 0123456789abcdef f ABCDEF f 1 'g h' \
		    1 'f(' 2 'A<void (int)>::operator()' 3 'A<void (int)>::g' \
		    4 'net/http.(*Client).Do' 5 'a::(anonymous namespace)::g' \
		    6 'main::{lambda(int)#1}' 7 'f<void (int)>g'
		echo
	} > in
	stackcollapse-perf in | diff - <(printf '%s;' a 'f<void (int)>g' \
		'main::{lambda(int)#1}' 'a::(anonymous namespace)::g' \
		'net/http.(*Client).Do' 'A<void (int)>::g' \
		'A<void (int)>::operator()' f 'g h' f f
		echo 'f 7')
	rows <<-'END'
	a@ 1 1.0: 7 cycles:\n\t              1 f\n\n|a@ 7
	a@ 1 1.0: 7 cycles:\n\t               1_f\n\n|a@ 7
	a@ 1 1.0: 7 cycles:\n\t              1g f\n\n|a@ 7
	a@ 1 1.0: 7 cycles:\n\t              1\n\n|a@ 7
	END
	grep -q ' 4 lines were not recognized' err
}
