load ../helper

# A profile is what marshal makes of a dictionary; Python's own pstats says what
# is expected of those that cProfile records.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v python3 > /dev/null || skip 'no python3'
}

# marshalled [VERSION]: reads a value as Python has it, and prints its bytes.
marshalled() {
	python3 -c 'import marshal, sys
sys.stdout.buffer.write(marshal.dumps(eval(sys.stdin.read()), int(sys.argv[1])))
' "${1:-4}"
}

example="{
	('/home/me/words.py', 1, '<module>'): (1, 1, 0.000020, 0.000820, {}),
	('/home/me/words.py', 9, 'parse'): (1, 1, 0.000100, 0.000400,
	    {('/home/me/words.py', 1, '<module>'):
	        (1, 1, 0.000100, 0.000400)}),
	('~', 0, \"<method 'read' of 'file' objects>\"):
	    (5, 5, 0.000700, 0.000700, {
	        ('/home/me/words.py', 1, '<module>'):
	            (3, 3, 0.000400, 0.000400),
	        ('/home/me/words.py', 9, 'parse'):
	            (2, 2, 0.000300, 0.000300)}),
}"

@test "example: what is counted, and how" {
	echo "$example" | marshalled > words.prof
	stackcollapse-cprofile words.prof | diff - <(cat <<-'END'
	words.py:1(<module>) 20
	words.py:1(<module>);<method 'read' of 'file' objects> 400
	words.py:1(<module>);words.py:9(parse) 100
	words.py:1(<module>);words.py:9(parse);<method 'read' of 'file' objects> 300
	END
	)
}

@test "example: calls are counted, and files named with their paths" {
	echo "$example" | marshalled > words.prof
	stackcollapse-cprofile --calls --paths words.prof |
		sed 's,/home/me/,,g' | diff - <(cat <<-'END'
	words.py:1(<module>) 1
	words.py:1(<module>);words.py:9(parse) 1
	words.py:1(<module>);words.py:9(parse);<method 'read' of 'file' objects> 2
	words.py:1(<module>);<method 'read' of 'file' objects> 3
	END
	)
	stackcollapse-cprofile --calls --paths words.prof |
		has '^/home/me/words.py:1(<module>) 1$'
}

@test "all versions of marshal are read" {
	echo "$example" | marshalled | stackcollapse-cprofile > expected
	for version in 0 1 2 3 4; do
		echo "$example" | marshalled $version | stackcollapse-cprofile |
			diff - expected
	done
}

@test "functions, calls and sums are pstats's, whatever was recorded" {
	python3 "$TOP/test/unit/profiles.py" record .
	for name in json recursion generators all thread; do
		stackcollapse-cprofile --paths $name.prof > folded
		[ -s folded ]
		python3 "$TOP/test/unit/profiles.py" check $name.prof \
			folded | diff /dev/null -
		stackcollapse-cprofile --paths --calls $name.prof > folded
		python3 "$TOP/test/unit/profiles.py" calls $name.prof \
			folded | diff /dev/null -
	done
}

@test "a profile of python3 -m cProfile, and of profile" {
	printf '%s\n' 'def f(n):' '    return sorted(range(n))' \
		'def g(n):' '    return f(n)' 'for n in 5, 50000: f(n); g(n)' > a.py
	python3 -m cProfile -o a.prof a.py
	stackcollapse-cprofile --calls a.prof > out
	grep -x 'a.py:3(g);a.py:1(f);<built-in method builtins.sorted> 2' <(
		sed 's/.*(<module>);//' out)
	# profile knows calls, and no time of a call
	python3 -c 'import a, profile
p = profile.Profile()
p.runcall(a.g, 10)
p.dump_stats("b.prof")'
	stackcollapse-cprofile --calls b.prof > out
	grep -x '.*a.py:3(g);a.py:1(f) 1' out
	grep -x '.*a.py:3(g);a.py:1(f);:0(sorted) 1' out
	python3 -m profile -o c.prof a.py
	fails 1 stackcollapse-cprofile c.prof 2> err
	grep -q ': c.prof: byte [0-9]* is code, which profile saves of a script' \
		err
}

@test "profile's numbers of calls are the weights of its callers" {
	marshalled > a.prof <<-'END'
	{('a.py', 1, 'f'): (4, 4, 0.000400, 0.000800,
	    {('a.py', 2, 'g'): 3, ('a.py', 3, 'h'): 1}),
	 ('a.py', 4, 'x'): (1, 1, 0.000400, 0.000400, {('a.py', 1, 'f'): 1})}
	END
	stackcollapse-cprofile a.prof | diff - <(cat <<-'END'
	a.py:2(g);a.py:1(f) 300
	a.py:2(g);a.py:1(f);a.py:4(x) 300
	a.py:3(h);a.py:1(f) 100
	a.py:3(h);a.py:1(f);a.py:4(x) 100
	END
	)
}

@test "a function's own time is each caller's, as far as it says" {
	marshalled > a.prof <<-'END'
	{('a.py', 1, 'f'): (2, 2, 0.000100, 0.000900,
	    {('a.py', 2, 'g'): (1, 1, 0.000090, 0.000090),
	     ('a.py', 3, 'h'): (1, 1, 0.000010, 0.000810)}),
	 ('a.py', 4, 'x'): (1, 1, 0.000800, 0.000800,
	    {('a.py', 1, 'f'): (1, 1, 0.000800, 0.000800)})}
	END
	stackcollapse-cprofile a.prof | diff - <(cat <<-'END'
	a.py:2(g);a.py:1(f) 90
	a.py:3(h);a.py:1(f) 10
	a.py:3(h);a.py:1(f);a.py:4(x) 800
	END
	)
}

@test "calls without a caller are stacks of their own" {
	marshalled > a.prof <<-'END'
	{('a.py', 1, 'f'): (3, 3, 0.000300, 0.000300,
	    {('a.py', 2, 'g'): (2, 2, 0.000100, 0.000100)})}
	END
	stackcollapse-cprofile a.prof | diff - <(printf '%s\n' \
		'a.py:1(f) 200' 'a.py:2(g);a.py:1(f) 100')
	stackcollapse-cprofile --calls a.prof | diff - <(printf '%s\n' \
		'a.py:1(f) 1' 'a.py:2(g);a.py:1(f) 2')
}

@test "recursion is in a stack once" {
	marshalled > a.prof <<-'END'
	{('a.py', 1, 'f'): (1, 9, 0.000900, 0.001200,
	    {('a.py', 0, 'main'): (1, 1, 0.000100, 0.001200),
	     ('a.py', 1, 'f'): (8, 1, 0.000800, 0.001100)}),
	 ('a.py', 2, 'g'): (4, 4, 0.000300, 0.000300,
	    {('a.py', 1, 'f'): (4, 4, 0.000300, 0.000300)})}
	END
	stackcollapse-cprofile a.prof | diff - <(printf '%s\n' \
		'a.py:0(main);a.py:1(f) 900' 'a.py:0(main);a.py:1(f);a.py:2(g) 300')
}

# name_of PATH LINE NAME: its frame.
name_of() {
	echo "{(\"$1\", $2, \"$3\"): (1, 1, 1, 1, {})}" | marshalled |
		stackcollapse-cprofile | sed 's/ 1000000$//'
}

@test "names are as pstats has them, and paths short" {
	name_of /usr/lib/json/decoder.py 343 raw_decode |
		diff - <(echo 'decoder.py:343(raw_decode)')
	name_of /usr/lib/json/__init__.py 299 loads |
		diff - <(echo 'json/__init__.py:299(loads)')
	name_of __main__.py 1 f | diff - <(echo '__main__.py:1(f)')
	name_of /__init__.py 1 f | diff - <(echo '__init__.py:1(f)')
	name_of 'C:\\a\\b\\c.py' 1 f | diff - <(echo 'c.py:1(f)')
	name_of '<frozen importlib/x>' 1 f | diff - <(
		echo '<frozen importlib/x>:1(f)')
	name_of '~' 0 '<built-in method builtins.len>' | diff - <(
		echo '<built-in method builtins.len>')
	name_of '~' 3 x | diff - <(echo '~:3(x)')
	name_of 'a;b.py' -1 'f\ng' | diff - <(echo 'a:b.py:-1(f?g)')
	name_of 'é.py' 1 '<módulo>' | diff - <(echo 'é.py:1(<módulo>)')
}

@test "profiles that are joined in a file are added up" {
	echo "$example" | marshalled > a
	cat a a | stackcollapse-cprofile | diff - <(stackcollapse-cprofile a a)
	echo '{}' | marshalled > empty
	stackcollapse-cprofile empty 2> err | diff /dev/null -
	diff err <(echo 'stackcollapse-cprofile: no function was found')
}

# refused MESSAGE: reads a value that is not a profile.
refused() {
	marshalled > other
	fails 1 stackcollapse-cprofile other 2> err > out
	diff /dev/null out
	diff err <(echo "stackcollapse-cprofile: other: $1")
}

@test "a file that is not a profile is refused" {
	no='it is not a profile of functions'
	refused "$no" <<< "{('a.py', 1): (1, 1, 0.1, 0.1, {})}"
	refused "$no" <<< "{('a.py', 'x', 1): (1, 1, 0.1, 0.1, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, 0.1, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, -1, 0.1, 0.1, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, 'x', 0.1, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, float('nan'), 1, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, float('inf'), 1, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, 0.1, -2e10, {})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, 0.1, 0.1, [])}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, 0.1, 0.1, {1: 2})}"
	refused "$no" <<< "{('a.py', 1, 'f'): (1, 1, 0.1, 0.1,
	    {('a.py', 2, 'g'): (1, 1, 0.1)})}"
	refused "$no" <<< "(lambda callers: {
	    ('a.py', 1, 'f'): (1, 1, 0.1, 0.1, callers),
	    ('a.py', 2, 'g'): (1, 1, 0.1, 0.1, callers)})(
	    {('a.py', 3, 'h'): (1, 1, 0.1, 0.1)})"
	printf '{)\001?' > other
	fails 1 stackcollapse-cprofile other 2> err
	diff err <(echo 'stackcollapse-cprofile: other: byte 4 is not a type' \
		'that a profile has')
}

@test "a profile that is cut off is refused, and others are read" {
	echo "$example" | marshalled > words.prof
	head -c 200 words.prof > part
	fails 1 stackcollapse-cprofile part words.prof 2> err > out
	diff err <(echo 'stackcollapse-cprofile: part: it ends inside a profile')
	stackcollapse-cprofile words.prof | diff - out
}

@test "a time below 0 is left out, and too much is refused" {
	marshalled > a.prof <<-'END'
	{('a.py', 1, 'f'): (1, 1, -0.5, 0.1, {}),
	 ('a.py', 2, 'g'): (1, 1, 0.5, 0.1, {})}
	END
	stackcollapse-cprofile a.prof 2> err | diff - <(echo 'a.py:2(g) 500000')
	diff err <(echo 'stackcollapse-cprofile: a.prof: times below 0 are left' \
		'out')
	echo "{('a.py', n, 'f'): (1, 2**63, 0, 0, {}) for n in (1, 2, 3)}" |
		marshalled > a.prof
	fails 1 stackcollapse-cprofile --calls a.prof 2> err
	diff err <(echo 'stackcollapse-cprofile: a.prof: it adds up to more' \
		'than 2^64 - 1')
}

@test "a long name of the file of many functions is refused" {
	echo "(lambda n: {(n, i, 'f%d' % i): (1, 1, 1.0, 1.0, {})
	    for i in range(500)})('n' * 200000)" | marshalled > profile
	[ "$(wc -c < profile)" -lt 300000 ]
	fails 1 stackcollapse-cprofile profile 2>&1 > out |
		diff - <(echo 'stackcollapse-cprofile: profile: the names of its' \
			'functions add up to more than 400 times its size')
}

@test "what has a number in a profile has none in one joined after it" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 - <<-'END'
	import marshal
	def save(name, functions):
	    key = {f: ("%s.py" % f, 1, f) for f in functions}
	    stats = {key[f]: (1, 1, 1e-5, 1e-5, {}) for f in functions}
	    for caller, f in zip(functions, functions[1:]):
	        stats[key[f]][4][key[caller]] = (1, 1, 1e-5, 1e-5)
	    with open(name, "wb") as file:
	        file.write(marshal.dumps(stats, 4))
	save("a", ["main", "one", "two", "three"])
	save("b", ["other", "first"])
	END
	for order in 'a b' 'b a'; do
		# shellcheck disable=SC2086 # two files
		cat $order | stackcollapse-cprofile |
			diff - <(stackcollapse-cprofile a b)
	done
	stackcollapse-cprofile b | has 'other.py:1(other);first.py:1(first) 10'
}
