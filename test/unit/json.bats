load ../helper

# lib/json is tested by the driver unit/json.c, which prints what it reads.

load ../unit

setup_file() {
	needs_drivers
}

# json SIZE [skip]: reads standard input in pieces of SIZE bytes.
json() {
	"$UNIT" json "$@"
}

# gives: reads "INPUT => OUTPUT" lines, and reads each as JSON, in pieces
# of several sizes.
gives() {
	cat > table
	while IFS= read -r line; do
		for size in 1 2 3 4096; do
			printf '%s' "${line%% => *}" | json $size |
				diff - <(echo "${line#* => }")
		done
	done < table
}

@test "values of all kinds" {
	gives <<-'END'
	null => null
	[true,false , null] => [true,false,null]
	{ "a" : [ ] , "b" : { } } => {"a":[],"b":{}}
	[0,-0,1,-12,123456789012345,1234567890123456] => [0,-0,1,-12,123456789012345,1234567890123456]
	[0.5,-1.25e2,1E+3,2e-2] => [0.5,-125,1000,0.02]
	["","a","\"\\\/","é"] => ["","a","\"\\/","é"]
	"\b\f\n\r\t" => "\u0008\u000c\u000a\u000d\u0009"
	"\u0041\u00e9\u20AC\ud83d\udd25" => "Aé€🔥"
	{"a":{"b":[{"c":1}]},"a":2} => {"a":{"b":[{"c":1}]},"a":2}
	END
}

@test "half a character by itself is not a character" {
	gives <<-'END'
	"\ud83d" => "�"
	"\udd25x" => "�x"
	"\ud83d\ud83d\udd25" => "�🔥"
	"\ud83d\u0041" => "�A"
	"\ud83d\n\ud83dx" => "�\u000a�x"
	END
}

@test "what is damaged says where" {
	gives <<-'END'
	 =>  (it ends too early, at 0)
	[1,2 => [1,2] (it ends too early, at 4)
	[1,] => [1,] (it is not JSON, at 3)
	[1 2] => [1] (it is not JSON, at 3)
	{"a" 1} => {} (it is not JSON, at 5)
	{a:1} => {} (it is not JSON, at 1)
	[1}  => [1] (it is not JSON, at 2)
	nul =>  (it ends too early, at 3)
	nulx =>  (it is not JSON, at 3)
	[01] => [0] (it is not JSON, at 2)
	[1.] => [] (it is not JSON, at 3)
	[.5] => [] (it is not JSON, at 1)
	[-] => [] (it is not JSON, at 2)
	["a => [] (it ends too early, at 3)
	"\x" =>  (it is not JSON, at 2)
	"\u12g4" =>  (it is not JSON, at 5)
	1 2 => 1 (something follows its end, at 2)
	END
}

@test "numbers of few digits are what Python reads, to the last bit" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 - > in <<-'END'
	import random
	random.seed(3)
	numbers = ["0", "-0", "0.5", "-0.1", "1.005", "0.000001", "1e5",
	    "-2.5E-3", "99999999999999.9", "999999999999999",
	    "9999999999999999", "0.123456789012345", "0.12345678901234567"]
	for _ in range(5000):
	    digits = str(random.randrange(10**random.randrange(1, 18)))
	    at = random.randrange(1, len(digits) + 1)
	    whole = str(int(digits[:at]))
	    numbers.append(random.choice(["", "-"]) + whole +
	        ("." + digits[at:] if digits[at:] else ""))
	print("[%s]" % ",".join(numbers))
	END
	python3 -c 'import json
print("[%s]" % ",".join("%.17g" % float(n) for n in json.load(open("in"), parse_int=float)))
' > want
	for size in 1 7 65536; do
		json $size < in | cmp want -
	done
}

@test "text that is not a number is damage in a large piece, too" {
	while read -r number at; do
		printf '[%s                    ,1]' "$number" | json 4096 |
			diff - <(echo "[] (it is not JSON, at $at)") ||
			echo "$number"
	done <<-'END' > failed
	1. 3
	-. 2
	-1.x 4
	.5 1
	- 2
	1.e5 3
	1.5e 5
	END
	diff /dev/null failed
	printf '[01                    ,1]' | json 4096 |
		diff - <(echo '[0] (it is not JSON, at 2)')
}

@test "arrays within 4,096 others are too deep" {
	deep=$(printf '[%.0s' {1..4096})
	echo "$deep${deep//[/]}" | json 100 | diff - <(echo "$deep${deep//[/]}")
	echo "[$deep${deep//[/]}]" | json 100 |
		has 'its arrays and objects are too deep, at 4096)$'
	head -c 1000000 /dev/zero | tr '\0' '[' > in
	json 100 skip < in | has 'its arrays and objects are too deep, at 4096)$'
}

@test "what Python reads, and skipping it finds no fault" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 - > in <<-'END'
	import json, random
	random.seed(7)
	def value(depth):
	    kind = random.randrange(8 if depth < 6 else 6)
	    if kind < 2:
	        return random.choice([None, True, False, 0, -1])
	    if kind == 2:
	        return random.randrange(-10**random.randrange(1, 20), 10**17)
	    if kind == 3:
	        return random.uniform(-1, 1) * 10**random.randrange(-30, 30)
	    if kind < 6:
	        return ''.join(chr(random.choice([34, 92, 10, 47, 65, 233, 8364,
	            128293])) for _ in range(random.randrange(20)))
	    if kind == 6:
	        return [value(depth + 1) for _ in range(random.randrange(8))]
	    return {str(i): value(depth + 1) for i in range(random.randrange(8))}
	print(json.dumps([value(0) for _ in range(3000)],
	    ensure_ascii=bool(random.randrange(2)), indent=1))
	END
	python3 - > want <<-'END'
	import json, sys
	def show(v):
	    if isinstance(v, bool) or v is None:
	        return json.dumps(v)
	    if isinstance(v, (int, float)):
	        return '%.17g' % float(v)
	    if isinstance(v, str):
	        return '"%s"' % ''.join('\\u%04x' % ord(c) if c < ' ' else
	            '\\' + c if c in '"\\' else c for c in v)
	    if isinstance(v, list):
	        return '[%s]' % ','.join(map(show, v))
	    return '{%s}' % ','.join('%s:%s' % (show(k), show(w))
	        for k, w in v.items())
	sys.stdout.reconfigure(encoding='utf-8')
	print(show(json.load(open('in', encoding='utf-8'))))
	END
	for size in 1 7 65536; do
		json $size < in | cmp - want
		json $size skip < in | diff - <(echo)
	done
}
