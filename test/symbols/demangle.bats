load ../helper
load ../unit

# Mangled names.

demangle() {
	"$UNIT" demangle
}

# pairs: reads lines "MANGLED DEMANGLED", and compares what comes out.
pairs() {
	cat > table
	cut -d ' ' -f 1 table | demangle > out
	cut -d ' ' -f 2- table | diff - out
}

# stay: whether the names on standard input are left as they are.
stay() {
	cat > names
	demangle < names > out
	diff names out
}

# As binutils' c++filt -p -i prints them; then Rust's constants of more than 64
# bits, which lose their first digit in c++filt; suffixes of clones, and hashes;
# OCaml and Java, in perf's words; and what the library of older perfs does not
# read.
@test "names are demangled as c++filt and perf do, or better" {
	{
		cat "$DATA/demangle.txt"
		cat <<-'END'
		_ZN3foo3bar17h05af221e174051ezE foo::bar::h05af221e174051ez
		_ZN3foo3bar17h05af221e174051e9Ex foo::bar::h05af221e174051e9
		_ZN3foo017h05af221e174051e9E foo::h05af221e174051e9
		_ZN3foo3bar17h05af221e174051e9 _ZN3foo3bar17h05af221e174051e9
		_RINvC1a1fKc061_E a::f::<'a'>
		_RINvC1a1fKc0_E a::f::<'\u{0}'>
		_RINvC1a1fKc123456789_E _RINvC1a1fKc123456789_E
		_RINvC1a1fKj7_KB8_E a::f::<7, 7>
		_RINvC1a1fKj7_KBz_E _RINvC1a1fKj7_KBz_E
		_ZZN1A1fEiEd_NKUlvE_clEv A::f(int)::{default arg#1}::{lambda()#1}::operator() const
		_ZZN1A1fEiEd0_NK1B1gEv A::f(int)::{default arg#2}::B::g const
		_ZZ1fvEd_NKUlT_E_clIiEEDaS_ f()::{default arg#1}::{lambda(auto:1)#1}::operator()<int> const
		_ZTIDtcl1fLi1Eu3fooELi2EEE typeinfo for decltype (f(1, foo(), 2))
		_ZTIDtu3fooLi1ELi2EEE typeinfo for decltype (foo(1, 2))
		_ZTIDtsPDp1AiEE typeinfo for decltype (1)
		_ZN1AcvT_I1BIiEEIiEEv A::operator int<B<int> ><int>
		_ZN1AcvT_I1BiEIiEEv A::operator int<B, int><int>
		_ZN1AlsILb1EEEvv A::operator<< <true>
		_ZZ1fIKiEvRKT_E1x f<int const>(int const&)::x
		_ZZ1fIJicEET0_DTfrplT_EDpT_E1x f<int, char>(decltype (((int, char)+...)), int, char)::x
		_ZZ1fIJicEEDTsZfp_EDpDpT_T_E1x f<int, char>((int, char)..., char)::x
		_ZZ1fI1AIRiEEvOT_OT_veE1x f<A<int&> >(A<int&>&&, A<int&>&&, void, long double)::x
		_ZTIMV1AA3_i typeinfo for int (A volatile::*) [3]
		_ZTIMVA3_i1a typeinfo for a int volatile (int volatile [3]::*) [3]::*
		_ZTIKA3_KA2_i typeinfo for int const [3][2]
		_ZTIrVKA3_rVKi typeinfo for int restrict volatile const [3]
		_ZTIDvn4_i typeinfo for int __vector(-4)
		_ZTIDv4_A3_i typeinfo for int ( __vector(4)) [3]
		_ZTIDv4_FvvE typeinfo for void  __vector(4)()
		_ZTIPDv4_FvvE typeinfo for void ( __vector(4)*)()
		_ZGIW3fooW1f initializer for module foo.f
		_ZNK1aMUlTyTnT_TtTyTyETpTnT0_T_E_clEv a::{lambda<typename $T0, $T0 $N1, template<typename, typename> class $TT2, $N1... $N3>($T0)#1}::operator()
		_ZNK1aMUlTpTyTnT_TtTyETpTpTnT0_cvT_E_clEv a::{lambda<typename... $T0>(char, void, $T0)#1}::operator()
		_ZNK1aMUlTyTnT_T1_E_clEv a::{lambda<typename $T0, $T0 $N1>(auto:3)#1}::operator()
		_ZZNVKO1A1fEvEd_NVKKO1B1gEv A::f() const volatile &&::{default arg#1}::B::g const const volatile &&
		_RINvC1a1fKo123456789abcdef0123456789abcdef_E a::f::<0x123456789abcdef0123456789abcdef>
		_RINvC1a1fKnn123456789abcdef0123456789abcdef_E a::f::<-0x123456789abcdef0123456789abcdef>
		_RINvC1a1fKoffffffffffffffff_E a::f::<18446744073709551615>
		_ZN3foo3barEv.cold foo::bar
		_ZN3foo3barEv.isra.0.part.1 foo::bar
		_ZN3foo3barEPKc.constprop.0.lto_priv.0 foo::bar
		_RNvC3foo3bar.llvm.1234 foo::bar
		_ZN3foo3bar17h05af221e174051e9E foo::bar
		_ZN3foo3bar17h05af221e174051e9E.llvm.1234 foo::bar
		_ZN3foo3bar17h0000000000000000E foo::bar::h0000000000000000
		camlStdlib__List__map_123 Stdlib.List.map_123
		camlA__$2b$2b_1$ A.++_1$
		camlA$0a A$0a
		caml_alloc caml_alloc
		camlstdlib camlstdlib
		Ljava/lang/Object;wait(J)V java.lang.Object.wait(long)
		La/B;f(ILa/C;Z)V a.B.f(int, a.C, boolean)
		La/B;f([I[[DS)V a.B.f(int[], double[][], short)
		La/B;<init>()V a.B<init>()
		f(I)V f(I)V
		_RMC1aINtC1b1cKnn10000000000000000_E <b::c<-0x10000000000000000>>
		_ZNH1S3fooERKS_i S::foo
		_ZZNH1S3fooERKS_iE1x S::foo(this S const&, int)::x
		_ZN1SF3fooEv S::foo[friend]
		_ZZ1fIiQ1CIT_EEvS0_E1x f<int>(int) requires C<int>::x
		_ZTIDtnxLi1EE typeinfo for decltype (noexcept(1))
		END
	} | pairs
}

# The second part is damaged; c++filt leaves those, too.
@test "names that are not mangled, or damaged, stay" {
	stay <<-'END'
	main
	_start
	_
	_Z
	_R
	_ZN
	_ZN3foo
	_Z4foo
	_Z3fooI
	_ZNS_3fooE
	_Zq
	_RC
	_RNvC3foo
	_RNvB9_3foo
	_GLOBAL__sub_I_main.cpp
	_D3foo3barFZv
	$s4main3fooyyF
	foo(int)
	Foo
	operator)
	_RINvC1a1fDINtC1a1TpEL_E
	_RINvC1a1fFKC5a_bcEhE
	_RINvC1a1fKj_E
	_RNvC1au2_9
	_RNvC1au7gdel_5qa
	_RNvMC1a3foo1f
	_ZGA1fv0
	_ZN1AIiEcvT_Ev
	_ZTIPYFvvE
	_ZTIk
	_ZZ1fvENKUlvE99999999999_clEv
	_ZZ1fIiEvOT0_E1x
	_ZTIMVMA3_i1a1DpT_fQhRL_h
	_ZNK1aMUlTyTnT_TtTyETpTpTnT0_cvT_E_clEv
	_ZNK1aMUlTyTnT_TtTyTyETpTnT0_N1AcvT_IiEEvT_E_clEv
	_ZZNVKKO1A1fEvE1x
	_ZN1r2go28_$u7b$$u7b$clos$u7d$$u7d$17habdabe1cf1749ccdE
	_ZN1r4shop21/ObjFlag$LT$_$C$_$C$_$GT$4show17h997a5c719b7bf34dE
	_RNvC1au8_99999zzz99
	END
}

@test "names that would cost too much stay" {
	ulimit -t 10
	awk '
	function times(s, n, all) { while (n-- > 0) all = all s; return all }
	BEGIN {
		digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		for (i = 1; i <= 30; i++)
			double = double "S" substr(digits, i, 1) "_E"
		print "_ZTI1AI" times("S_I", 30) "iiE" double
		print "_ZN1Acv" times("T_I", 300) "i" times("E", 302)
		print "_ZTI" times("P", 900) "i"
		print "_Z" times("1", 2000) "f"
		print "_Z3foo" times("i", 2000)
		print "_RMC1a" times("T", 3000) "u" times("E", 3000)
		print "_RMC1aFG" times("z", 10) "_Eu"
		rust = "_RMC1a" times("T", 40) "u"
		for (i = 44; i >= 4; i--)
			rust = rust "B" substr(digits, 1, 1) "_E"
		print rust
	}' | stay
}

# compare THEIRS OURS: whether fewer than one in 10,000 names differ.
compare() {
	paste "$@" | awk -F '\t' '$1 != $2 { print; different++ }
	END { exit NR < 1000 || different * 10000 >= NR }'
}

# Then without arguments and results, which c++filt cannot leave out itself.
@test "the names in this machine's libstdc++ match c++filt" {
	command -v c++filt > /dev/null || skip 'install binutils'
	library=$(gcc -print-file-name=libstdc++.so.6)
	[ -e "$library" ] || skip 'install libstdc++6'
	nm -D "$library" | sed -n 's/.* \(_[ZR][^ @]*\).*/\1/p' |
		sort -u > mangled
	c++filt -p -i < mangled > theirs
	demangle < mangled > ours
	compare theirs ours
	c++filt -i < mangled | "$UNIT" names c++ | sed 's, / ,,g' > theirs.cut
	"$UNIT" names c++ < ours | sed 's, / ,,g' > ours.cut
	compare theirs.cut ours.cut
}
