load ../helper
load ../unit

# lib/json is tested by the driver unit/json.c, which prints what it reads.

# json SIZE [skip]: reads standard input in pieces of SIZE bytes.
json() {
	"$UNIT" json "$@"
}

# gives: reads "INPUT => OUTPUT" lines, and reads each as JSON, in pieces
# of several sizes.
gives() {
	sed '/^# /d' > table
	while IFS= read -r line; do
		for size in 1 2 3 4096; do
			printf '%s' "${line%% => *}" | json $size |
				diff - <(echo "${line#* => }")
		done
	done < table
}

@test "values of all kinds, and damage with its place" {
	gives <<-'END'
	# values of all kinds
	null => null
	[true,false , null] => [true,false,null]
	{ "a" : [ ] , "b" : { } } => {"a":[],"b":{}}
	[0,-0,1,-12,123456789012345,1234567890123456] => [0,-0,1,-12,123456789012345,1234567890123456]
	[0.5,-1.25e2,1E+3,2e-2] => [0.5,-125,1000,0.02]
	["","a","\"\\\/","é"] => ["","a","\"\\/","é"]
	"\b\f\n\r\t" => "\u0008\u000c\u000a\u000d\u0009"
	"\u0041\u00e9\u20AC\ud83d\udd25" => "Aé€🔥"
	{"a":{"b":[{"c":1}]},"a":2} => {"a":{"b":[{"c":1}]},"a":2}
	# half a character by itself is not a character
	"\ud83d" => "�"
	"\udd25x" => "�x"
	"\ud83d\ud83d\udd25" => "�🔥"
	"\ud83d\u0041" => "�A"
	"\ud83d\n\ud83dx" => "�\u000a�x"
	# what is damaged says where
	 =>  (it ends too early, at 0)
	[1,2 => [1,2] (it ends too early, at 4)
	[1,] => [1,] (it is not JSON, at 3)
	[1 2] => [1] (it is not JSON, at 3)
	{"a" 1} => {} (it is not JSON, at 5)
	{a:1} => {} (it is not JSON, at 1)
	[1}  => [1] (it is not JSON, at 2)
	nul =>  (it ends too early, at 3)
	nulx =>  (it is not JSON, at 3)
	[01                    ,1] => [0] (it is not JSON, at 2)
	[1.                    ,1] => [] (it is not JSON, at 3)
	[-.                    ,1] => [] (it is not JSON, at 2)
	[-1.x                  ,1] => [] (it is not JSON, at 4)
	[.5                    ,1] => [] (it is not JSON, at 1)
	[-                     ,1] => [] (it is not JSON, at 2)
	[1.e5                  ,1] => [] (it is not JSON, at 3)
	[1.5e                  ,1] => [] (it is not JSON, at 5)
	["a => [] (it ends too early, at 3)
	"\x" =>  (it is not JSON, at 2)
	"\u12g4" =>  (it is not JSON, at 5)
	1 2 => 1 (something follows its end, at 2)
	END
}

@test "arrays within 4,096 others are too deep" {
	deep=$(printf '[%.0s' {1..4096})
	echo "$deep${deep//[/]}" | json 100 | diff - <(echo "$deep${deep//[/]}")
	echo "[$deep${deep//[/]}]" | json 100 |
		has 'its arrays and objects are too deep, at 4096)$'
	head -c 1000000 /dev/zero | tr '\0' '[' > in
	json 100 skip < in | has 'its arrays and objects are too deep, at 4096)$'
}

@test "JSON is read as Python reads it, with exact numbers, and skipped without an error" {
	command -v python3 > /dev/null || skip 'install python3'
	python3 -S - <<-'END'
	import json, random
	random.seed(7)
	def number():
	    digits = str(random.randrange(10**random.randrange(1, 18)))
	    at = random.randrange(1, len(digits) + 1)
	    return float(digits[:at] + "." + digits[at:] +
	        random.choice(["", "", "e%d" % random.randrange(-30, 30)]))
	def value(depth):
	    kind = random.randrange(8 if depth < 6 else 6)
	    if kind < 2:
	        return random.choice([None, True, False, 0, -0.0])
	    if kind == 2:
	        return random.randrange(-10**random.randrange(1, 20), 10**17)
	    if kind == 3:
	        return random.choice([1, -1]) * number()
	    if kind < 6:
	        return "".join(random.choices('"\\\n/Aé€🔥', k=random.randrange(9)))
	    if kind == 6:
	        return [value(depth + 1) for _ in range(random.randrange(8))]
	    return {str(i): value(depth + 1) for i in range(random.randrange(8))}
	def show(v):
	    if isinstance(v, bool) or v is None:
	        return json.dumps(v)
	    if isinstance(v, (int, float)):
	        return "%.17g" % v
	    if isinstance(v, str):
	        return json.dumps(v, ensure_ascii=False).replace("\\n", "\\u000a")
	    if isinstance(v, list):
	        return "[%s]" % ",".join(map(show, v))
	    return "{%s}" % ",".join(show(k) + ":" + show(v[k]) for k in v)
	values = [value(0) for _ in range(3000)]
	for name, text in ("in", json.dumps(values)), ("want", show(values) + "\n"):
	    open(name, "w", encoding="utf-8").write(text)
	END
	for size in 1 7 65536; do
		json $size < in | cmp - want
		json $size skip < in | diff - <(echo)
	done
}
