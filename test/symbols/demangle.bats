load ../helper
load ../unit

# Mangled names.

demangle() {
	"$UNIT" demangle
}

# A line has a name as compilers mangle it, and as binutils' c++filt -p -i prints
# it.  At the end are Rust's constants of more than 64 bits, which lose their
# first digit in c++filt; suffixes of clones, and hashes; OCaml and Java, in
# perf's words; what the library of older perfs does not read; and what stays,
# since it is not mangled or is damaged.
@test "names are demangled as c++filt and perf do, or better, or stay" {
	cut -d ' ' -f 1 "$DATA/demangle.txt" | demangle > out
	cut -d ' ' -f 2- "$DATA/demangle.txt" | diff - out
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
	}' > names
	demangle < names | diff names -
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
