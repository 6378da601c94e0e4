load ../helper

# A profile is what marshal makes of a dictionary; Python's own pstats says what
# is expected of those that cProfile records.

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

# marshalled [FILE...]: reads values as Python has them, with empty lines between
# them, and writes each to a file, or the only one to standard output.
marshalled() {
	python3 -S -c 'import marshal, sys
values = sys.stdin.read().split("\n\n")
for value, path in zip(values, sys.argv[1:] or ["/dev/stdout"]):
    with open(path, "wb") as file:
        file.write(marshal.dumps(eval(value)))' "$@"
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

@test "the time of functions is counted, or their calls" {
	echo "$example" | marshalled > words.prof
	stackcollapse-cprofile words.prof | is 4<<-'END'
	words.py:1(<module>) 20
	words.py:1(<module>);<method 'read' of 'file' objects> 400
	words.py:1(<module>);words.py:9(parse) 100
	words.py:1(<module>);words.py:9(parse);<method 'read' of 'file' objects> 300
	END
	stackcollapse-cprofile --calls --paths words.prof | is 4<<-'END'
	/home/me/words.py:1(<module>) 1
	/home/me/words.py:1(<module>);/home/me/words.py:9(parse) 1
	/home/me/words.py:1(<module>);/home/me/words.py:9(parse);<method 'read' of 'file' objects> 2
	/home/me/words.py:1(<module>);<method 'read' of 'file' objects> 3
	END
}

@test "profiles of sampling profilers, with -1 calls, have times" {
	echo "$example" | marshalled > words.prof
	echo "$example" | sed 's/([0-9], [0-9], 0/(-1, -1, 0/' |
		marshalled > in
	stackcollapse-cprofile in | diff - <(stackcollapse-cprofile words.prof)
	fails 1 stackcollapse-cprofile --calls in 2>&1 | is_line \
		'stackcollapse-cprofile: in: it has no numbers of calls, which' \
		'--calls needs'
}

@test "functions have the time and the calls that pstats has" {
	python3 -S - > expected <<-'END'
	import cProfile, json, math, pstats, re
	profile = cProfile.Profile()
	profile.enable()
	re.compile("(a|b)*[c-x]{2,7}(?P<n>\\d+)$").search("ab" * 50)
	json.loads(json.dumps([{"a": [1, 2.5, None]} for _ in range(50)]))
	profile.disable()
	profile.dump_stats("a.prof")
	for function, value in pstats.Stats("a.prof").stats.items():
	    name = "%s:%d(%s)" % function if function[1] else function[2]
	    print("time", name, math.floor(value[2] * 1e6 + 0.5))
	    print("calls", name, value[1])
	END
	{
		stackcollapse-cprofile --paths a.prof | sed 's/.*;//; s/^/time /'
		stackcollapse-cprofile --paths --calls a.prof |
			sed 's/.*;//; s/^/calls /'
	} > out
	# what differs, after the name
	awk '{ n = FILENAME == "out" ? -$NF : $NF; sub(/ [0-9]*$/, "")
		off[$0] += n }
	END { for (name in off) if (off[name]) print name, off[name] }' \
		expected out | diff /dev/null -
	[ "$(wc -l < out)" -gt 50 ]
}

@test "profile knows calls and no time of a call, and saves a script's code" {
	printf '%s\n' 'def f(n):' '    return sorted(range(n))' \
		'def g(n):' '    return f(n)' 'for n in 5, 50000: f(n); g(n)' > a.py
	python3 - <<-'END'
	import a, profile
	p = profile.Profile()
	p.runcall(a.g, 10)
	p.dump_stats("b.prof")
	p = profile.Profile()
	p.run(compile("1 + 1", "a.py", "exec"))
	p.dump_stats("c.prof")
	END
	stackcollapse-cprofile --calls b.prof > out
	grep -x '.*a.py:3(g);a.py:1(f) 1' out
	grep -x '.*a.py:3(g);a.py:1(f);:0(sorted) 1' out
	fails 1 stackcollapse-cprofile c.prof 2> err
	grep -q ': c.prof: byte [0-9]* is code, which profile saves of a script' \
		err
}

# refused MESSAGE: reads a value that is not a profile.
refused() {
	marshalled > other
	fails 1 stackcollapse-cprofile other 2> err > out
	diff /dev/null out
	is_line "stackcollapse-cprofile: other: $1" < err
}

@test "a long name of the file of many functions is refused" {
	echo "(lambda n: {(n, i, 'f%d' % i): (1, 1, 1.0, 1.0, {})
	    for i in range(500)})('n' * 200000)" | marshalled > profile
	[ "$(wc -c < profile)" -lt 300000 ]
	fails 1 stackcollapse-cprofile profile 2>&1 > out |
		is_line 'stackcollapse-cprofile: profile: the names of its' \
			'functions add up to more than 400 times its size'
}

@test "names match pstats, and paths are short" {
	while IFS='|' read -r path line name frame; do
		echo "(r'$path', $line, '$name'): (1, 1, 1, 1, {}),"
		echo "$frame 1000000" >> expected
	done <<-'END' > functions
	/usr/lib/json/__init__.py|299|loads|json/__init__.py:299(loads)
	/usr/lib/json/decoder.py|343|raw_decode|decoder.py:343(raw_decode)
	__main__.py|1|f|__main__.py:1(f)
	/__init__.py|1|f|__init__.py:1(f)
	C:\a\b\c.py|1|f|c.py:1(f)
	<frozen importlib/x>|1|f|<frozen importlib/x>:1(f)
	~|0|<built-in method builtins.len>|<built-in method builtins.len>
	~|3|x|~:3(x)
	a;b.py|-1|f\ng|a:b.py:-1(f?g)
	é.py|1|<módulo>|é.py:1(<módulo>)
	END
	{ echo '{'; cat functions; echo '}'; } | marshalled |
		stackcollapse-cprofile | diff - <(sort expected)
}

@test "profiles that are joined in a file are added up, and share no numbers" {
	python3 -S - <<-'END'
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
	stackcollapse-cprofile a b > expected
	grep -x 'other.py:1(other);first.py:1(first) 10' expected
	cat a b | stackcollapse-cprofile | diff - expected
	cat b a | stackcollapse-cprofile | diff - expected
	echo '{}' | marshalled > empty
	fails 1 stackcollapse-cprofile empty 2>&1 |
		is_line 'stackcollapse-cprofile: no function was found'
}

@test "a file that is not a profile is refused" {
	python3 -S - <<-'END'
	import marshal
	f = ("a.py", 1, "f")
	shared = {("a.py", 3, "h"): (1, 1, 0.1, 0.1)}
	for number, value in enumerate([
	    {f[:2]: (1, 1, 0.1, 0.1, {})},
	    {("a.py", "x", 1): (1, 1, 0.1, 0.1, {})},
	    {f: (1, 1, 0.1, {})},
	    {f: (1, 1.5, 0.1, 0.1, {})},
	    {f: (1, 1, "x", 0.1, {})},
	    {f: (1, 1, float("nan"), 1, {})},
	    {f: (1, 1, float("inf"), 1, {})},
	    {f: (1, 1, 0.1, -2e10, {})},
	    {f: (1, 1, 0.1, 0.1, [])},
	    {f: (1, 1, 0.1, 0.1, {1: 2})},
	    {f: (1, 1, 0.1, 0.1, {("a.py", 2, "g"): (1, 1, 0.1)})},
	    {f: (1, 1, 0.1, 0.1, shared),
	     ("a.py", 2, "g"): (1, 1, 0.1, 0.1, shared)}]):
	    with open("value%02d" % number, "wb") as file:
	        file.write(marshal.dumps(value, 4))
	END
	set -- value*
	[ $# -eq 12 ]
	fails 1 stackcollapse-cprofile "$@" 2> err | diff /dev/null -
	diff err <(printf 'stackcollapse-cprofile: %s: it is not a profile of functions\n' "$@")
	printf '{)\001?' > other
	fails 1 stackcollapse-cprofile other 2> err
	is_line 'stackcollapse-cprofile: other: byte 4 is not a type' \
		'that a profile has' < err
}

# a: the numbers of calls that profile saves are the weights of callers.
# b: a function's own time is each caller's, as far as it says.
# c: calls without a caller.  d: recursion.  e, f: time below 0, and too much.
@test "a function's time and calls are shared among its callers" {
	marshalled a b c d e f <<-'END'
	{('a.py', 1, 'f'): (4, 4, 0.000400, 0.000800,
	    {('a.py', 2, 'g'): 3, ('a.py', 3, 'h'): 1}),
	 ('a.py', 4, 'x'): (1, 1, 0.000400, 0.000400, {('a.py', 1, 'f'): 1})}

	{('a.py', 1, 'f'): (2, 2, 0.000100, 0.000900,
	    {('a.py', 2, 'g'): (1, 1, 0.000090, 0.000090),
	     ('a.py', 3, 'h'): (1, 1, 0.000010, 0.000810)}),
	 ('a.py', 4, 'x'): (1, 1, 0.000800, 0.000800,
	    {('a.py', 1, 'f'): (1, 1, 0.000800, 0.000800)})}

	{('a.py', 1, 'f'): (3, 3, 0.000300, 0.000300,
	    {('a.py', 2, 'g'): (2, 2, 0.000100, 0.000100)})}

	{('a.py', 1, 'f'): (1, 9, 0.000900, 0.001200,
	    {('a.py', 0, 'main'): (1, 1, 0.000100, 0.001200),
	     ('a.py', 1, 'f'): (8, 1, 0.000800, 0.001100)}),
	 ('a.py', 2, 'g'): (4, 4, 0.000300, 0.000300,
	    {('a.py', 1, 'f'): (4, 4, 0.000300, 0.000300)})}

	{('a.py', 1, 'f'): (1, 1, -0.5, 0.1, {}),
	 ('a.py', 2, 'g'): (1, 1, 0.5, 0.1, {})}

	{('a.py', n, 'f'): (1, 2**63, 0, 0, {}) for n in (1, 2, 3)}
	END
	stackcollapse-cprofile a | are_lines \
		'a.py:2(g);a.py:1(f) 300' 'a.py:2(g);a.py:1(f);a.py:4(x) 300' \
		'a.py:3(h);a.py:1(f) 100' 'a.py:3(h);a.py:1(f);a.py:4(x) 100'
	stackcollapse-cprofile b | are_lines \
		'a.py:2(g);a.py:1(f) 90' 'a.py:3(h);a.py:1(f) 10' \
		'a.py:3(h);a.py:1(f);a.py:4(x) 800'
	stackcollapse-cprofile c | are_lines \
		'a.py:1(f) 200' 'a.py:2(g);a.py:1(f) 100'
	stackcollapse-cprofile --calls c | are_lines \
		'a.py:1(f) 1' 'a.py:2(g);a.py:1(f) 2'
	stackcollapse-cprofile d | are_lines \
		'a.py:0(main);a.py:1(f) 900' 'a.py:0(main);a.py:1(f);a.py:2(g) 300'
	fails 1 stackcollapse-cprofile e 2> err | is_line 'a.py:2(g) 500000'
	is_line 'stackcollapse-cprofile: e: times below 0 are left out' < err
	fails 1 stackcollapse-cprofile --calls f 2>&1 > out |
		is_line 'stackcollapse-cprofile: f: it adds up to more than 2^64 - 1'
}
