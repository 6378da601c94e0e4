load ../helper

# data/collapse/firefox, and the other profiles, are made by the script fxprof,
# beside this file, of stacks that are known.

# make_profile VERSION [WORD ...]: makes one of lines of stacks.
make_profile() {
	command -v python3 > /dev/null || skip 'no Python'
	"$TOP/test/collapse/fxprof" "$@"
}

@test "example: a picture of what samply recorded" {
	cp "$DATA/collapse/firefox" profile.json.gz
	stackcollapse-firefox profile.json.gz | flamegraph > out.svg
	grep -q '<title>total (5 samples, 55.56%)' out.svg
}

@test "example: the time of one thread" {
	cp "$DATA/collapse/firefox" profile.json.gz
	stackcollapse-firefox profile.json.gz | grep '^shop;worker;' |
		diff - <(echo 'shop;worker;start;wait' \
			'(http://shop.example/app.js:12:5) 4')
}

stacks='shop/12 main/12;main;total;price| 2
shop/12 main/12;main;total 3
shop/12 main/12;main;total 4
shop/12 worker/13;start;wait;a:b 1
shop/12 worker/13;- 5
Web/14 GeckoMain/14;(root);run{http://a.b/c.js:1:2};run{http://a.b/c.js:9:2} 4
Web/15 GeckoMain/15;(root);run{http://a.b/c.js:1:2} 7'

# Of what Firefox writes, each sample counts 1, and none is known to be inlined.
@test "profiles of all versions fold to their stacks, in any order" {
	cat > want <<-'END'
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2) 7
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2);run (http://a.b/c.js:9:2) 4
	shop;main;main;total 7
	shop;main;main;total;price_[i] 2
	shop;worker;start;wait;a:b 1
	END
	for version in 24 29 41 47 48 56 58 60 66 70; do
		for order in '' reverse; do
			make_profile $version $order <<< "$stacks" > profile
			stackcollapse-firefox profile | diff want -
		done
	done
}

@test "a profile as Firefox writes it, with its processes, folds, too" {
	cat > want <<-'END'
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2) 1
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2);run (http://a.b/c.js:9:2) 1
	shop;main;main;total 2
	shop;main;main;total;price 1
	shop;worker;start;wait;a:b 1
	END
	for order in '' reverse; do
		make_profile gecko $order <<< "$stacks" > profile
		stackcollapse-firefox profile | diff want -
	done
}

@test "--pid and --tid add numbers, and part what has one name" {
	make_profile 60 <<< "$stacks" > profile
	stackcollapse-firefox --pid profile | grep ^Web |
		diff - <(printf '%s\n' \
		'Web-14;GeckoMain;(root);run (http://a.b/c.js:1:2);run (http://a.b/c.js:9:2) 4' \
		'Web-15;GeckoMain;(root);run (http://a.b/c.js:1:2) 7')
	stackcollapse-firefox --tid profile | sed -n 's/;start.*//p' |
		diff - <(echo 'shop;worker-13')
}

@test "--no-inline leaves inlined functions out, --lines adds lines" {
	make_profile 60 <<< 'p t;main;f| 3' > profile
	stackcollapse-firefox --no-inline profile | diff - <(echo 'p;t;main 3')
	make_profile 60 <<< 'p t;run{http://a.b/c.js:1:2} 3' > profile
	stackcollapse-firefox --lines profile |
		diff - <(echo 'p;t;run (http://a.b/c.js:1:2):c.js:7 3')
}

@test "weights are samples, bytes, or milliseconds, counted as microseconds" {
	for type in samples bytes; do
		make_profile 60 weightType=$type <<< 'p t;main 1500' > profile
		stackcollapse-firefox profile | diff - <(echo 'p;t;main 1500')
	done
	printf '%s\n' 'p t;main 1.25' 'p t;main;f 0.0004' 'p t;main 0.5' |
		make_profile 60 weightType=tracing-ms > profile
	stackcollapse-firefox profile | diff - <(echo 'p;t;main 1750')
	make_profile 60 weightType=bytes <<< 'p t;main 7' > bytes
	stackcollapse-firefox profile bytes 2> err |
		diff - <(echo 'p;t;main 1750')
	diff err <(echo 'stackcollapse-firefox: samples that weigh other' \
		'things than the first one, left out: 1')
}

@test "negative weights are left out and counted, zeros left out" {
	make_profile 60 > profile <<-'END'
	p t;main -2
	p t;f 0
	p t;g 3
	END
	stackcollapse-firefox profile 2> err | diff - <(echo 'p;t;g 3')
	diff err <(echo 'stackcollapse-firefox: samples with a negative' \
		'weight, left out: 1')
}

@test "samples are counted whatever their order, and how often they come" {
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			print "p t;main;f" int(i * 7919 % 131 / (i % 7 + 1)), \
				i % 3 + 1
	}' > stacks
	make_profile 66 < stacks > profile
	stackcollapse-firefox profile | diff - <(
		awk '{ sub(/^p t/, "p;t"); n[$1] += $2 }
		END { for (stack in n) print stack, n[stack] }' stacks | sort)
}

# A program whose main calls total, into which price was inlined, in root/opt:
# $total is an address in price there, $main one in main after its call, counted
# from where the program is loaded.
make_program() {
	command -v "${CC:-cc}" > /dev/null || skip 'no compiler'
	command -v addr2line > /dev/null || skip 'no addr2line'
	needs_64_bits
	cat > shop.c <<-'END'
	int prices[4];
	static inline __attribute__((always_inline)) int price(int i) {
		return prices[i & 3] / (i | 1);
	}
	__attribute__((noinline)) int total(int n) {
		return price(n) * 3;
	}
	int main(int argc, char **argv) {
		(void)argv;
		return total(argc) != 0;
	}
	END
	mkdir -p root/opt
	"${CC:-cc}" -g -O1 -fno-pie -no-pie -Wl,--build-id=sha1 \
		-o root/opt/shop shop.c
	base=$(readelf -lW root/opt/shop | awk '$1 == "LOAD" { print $3; exit }')
	total=
	for name in total main; do
		symbol=$(nm root/opt/shop | sed -n "s/ T $name\$//p")
		for ((at = 0x$symbol; at < 0x$symbol + 40; at++)); do
			[ $name = main ] || [ "$(addr2line -f -i \
				-e root/opt/shop "$(printf '%x' $at)" |
				sed -n 1p)" = price ] && break
		done
		printf -v "$name" '%x' $((at - base + (name == main)))
	done
	main=$(printf '%x' $((0x$main + 4)))
	id=$(readelf -n root/opt/shop | sed -n 's/.*Build ID: //p')
}

@test "addresses without names are named by the file, inlined functions too" {
	make_program
	for version in 29 41 60 66 70 gecko; do
		make_profile $version lib:shop=/opt/shop,"$id" \
			<<< "p t;start;@shop+$main;@shop+$total 1" > profile
		stackcollapse-firefox --symfs root profile |
			diff - <(echo 'p;t;start;main;total;price_[i] 1')
		stackcollapse-firefox --symfs root --no-inline profile |
			diff - <(echo 'p;t;start;main;total 1')
	done
	stackcollapse-firefox --symfs root --lines profile |
		diff - <(echo 'p;t;start;main:shop.c:10;total:shop.c:6;price:shop.c:3_[i] 1')
}

@test "a file of another build does not count" {
	make_program
	make_profile 60 "lib:shop=/opt/shop,${id/??/00}" \
		<<< "p t;start;@shop+$total 1" > profile
	stackcollapse-firefox --symfs root --addrs profile 2> err |
		diff - <(echo "p;t;start;[shop <$total>] 1")
	diff err <(echo 'stackcollapse-firefox: addresses without a' \
		"function's name: 1 of 1, most of them in /opt/shop, which" \
		'is another build now')
}

@test "JSON that is not a profile, and other text, are refused" {
	echo '{ "a": [1, 2] }' > other
	fails 1 stackcollapse-firefox other 2>&1 |
		diff - <(echo 'stackcollapse-firefox: other: it is not a profile' \
			'of the Firefox profiler, but other JSON')
	echo 'Some log' | gzip > other
	fails 1 stackcollapse-firefox other 2>&1 |
		diff - <(echo 'stackcollapse-firefox: other: it is not a profile' \
			'of the Firefox profiler; it looks like some other text')
}

# is_damaged REASON: a profile that is on standard input.
is_damaged() {
	cat > profile
	fails 1 stackcollapse-firefox profile 2>&1 |
		diff - <(echo "stackcollapse-firefox: profile: it is damaged$1")
}

# With a stack table of these prefixes, offsets or frames.
tables() {
	echo '{"meta":{"version":24},"shared":{"stringArray":["f"],' \
		'"funcTable":{"name":[0]},"frameTable":{"func":[0]},' \
		"\"stackTable\":{\"frame\":[0,0,${3:-0}],\"$1\":$2}}," \
		'"threads":[{"name":"t","samples":{"stack":[2]}}]}'
}

@test "stacks that call each other, and frames that are not there, are damage" {
	local why=': a stack has a frame, or a caller, that is not there'
	tables prefix '[null,0,1]' | stackcollapse-firefox |
		diff - <(echo '[unknown];t;f;f;f 1')
	tables prefix '[1,0,1]' | is_damaged "$why"
	tables prefix '[null,0,2]' | is_damaged "$why"
	tables prefix '[null,0,1e300]' | stackcollapse-firefox |
		diff - <(echo '[unknown];t;f 1')
	tables prefixOffset '[0,1,1]' | stackcollapse-firefox |
		diff - <(echo '[unknown];t;f;f;f 1')
	tables prefixOffset '[0,1,3]' | is_damaged "$why"
	tables prefixOffset '[0,1,-1]' | is_damaged "$why"
	tables prefixOffset '[0,1]' | is_damaged "$why"
	tables prefix '[null,0,1]' 1 | is_damaged "$why"
	tables prefix '[null,0,1]' null | is_damaged "$why"
	tables prefix '[null,0,1]' 1e18 | is_damaged "$why"
}

# rows SCHEMA DATA: a profile with these rows of stacks, of which [0] is sampled.
rows() {
	echo '{"meta":{"version":4},"threads":[{"name":"t","stringTable":["f"],' \
		'"frameTable":{"schema":{"location":0},"data":[[0]]},' \
		"\"stackTable\":{\"schema\":$1,\"data\":$2}," \
		'"samples":{"schema":{"stack":0},"data":[[0],[0]]}}]}'
}

@test "tables are rows or columns, and without the right places damage" {
	local why=': a stack has a frame, or a caller, that is not there'
	local places='{"prefix":0,"frame":1}' bad
	rows "$places" '[[null,0]]' | stackcollapse-firefox |
		diff - <(echo '[unknown];t;f 2')
	rows "$places" '[[null,0],7,"x"]' | stackcollapse-firefox |
		diff - <(echo '[unknown];t;f 2')
	for bad in 7 '{"prefix":0,"frame":"1"}' '{"prefix":0,"frame":-1}' \
	    '{"prefix":0,"frame":99}' '[0,1]'; do
		rows "$bad" '[[null,0]]' | is_damaged "$why"
	done
	for bad in 7 '[7]' '[[null]]' '{}' '[["0","0"]]'; do
		rows "$places" "$bad" | is_damaged "$why"
	done
	for bad in stringArray funcTable frameTable; do
		tables prefix '[null,0,1]' |
			sed "s/\"$bad\":\([[][^]]*[]]\|{[^}]*}\)/\"$bad\":7/" |
			is_damaged "$why"
	done
}

@test "folded text among the operands is added" {
	printf 'main;x 2\nshop;main;main;total 4\n' > folded
	{
		echo 'main;x 2'
		stackcollapse-firefox "$DATA/collapse/firefox" |
			sed 's/total 3$/total 7/'
	} > expected
	grep -q 'total 7' expected
	stackcollapse-firefox "$DATA/collapse/firefox" folded |
		diff expected -
}

@test "a profile that is cut short is refused, and says where" {
	gzip -dc "$DATA/collapse/firefox" > plain
	head -c 1000 plain | is_damaged ' at byte 1000: it ends too early'
	printf '%s]' "$(cat plain)" |
		is_damaged " at byte $(wc -c < plain): something follows its end"
	head -c 100 "$DATA/collapse/firefox" > short
	fails 1 stackcollapse-firefox short 2>&1 |
		diff - <(echo 'stackcollapse-firefox: short: its compressed' \
			'data is cut short')
}

@test "JSON that is too deep is refused" {
	printf '{"meta":{"version":1},"processes":%s' \
		"$(printf '[{"processes":%.0s' {1..3000})" > profile
	fails 1 stackcollapse-firefox profile 2>&1 |
		has 'damaged at byte .*: its arrays and objects are too deep$'
}

@test "deep stacks keep their innermost frames" {
	awk 'BEGIN {
		printf "p t"
		for (i = 0; i < 5000; i++)
			printf ";f" i
		print " 1"
	}' > stacks
	make_profile 60 < stacks > profile
	stackcollapse-firefox profile 2> err > out
	diff err <(echo 'stackcollapse-firefox: stacks of more than 4,096' \
		'frames, cut off at their root: 1')
	cut -d ';' -f 3 out | diff - <(echo f904)
}

@test "a profile without samples gives a warning and nothing else" {
	make_profile 60 <<< 'p t;- 1' > profile
	stackcollapse-firefox profile > out 2> err
	[ ! -s out ]
	diff err <(echo 'stackcollapse-firefox: no sample has a stack')
}

@test "threads with tables of their own are among those that share some" {
	local own='"stringArray":["b"],"funcTable":{"name":[0]},
		"frameTable":{"func":[0]},
		"stackTable":{"frame":[0],"prefix":[null]},'
	local samples='"name":"t","samples":{"stack":[0]}'
	echo '{"meta":{"version":24},"shared":{"stringArray":["a","c"],' \
		'"funcTable":{"name":[0,1]},"frameTable":{"func":[0,1]},' \
		'"stackTable":{"frame":[0,1],"prefix":[null,0]}},' \
		"\"threads\":[{$samples},{$own$samples},{$samples}," \
		'{"name":"t","samples":{"stack":[1]}}]}' |
		stackcollapse-firefox | diff - <(cat <<-'END'
	[unknown];t;a 2
	[unknown];t;a;c 1
	[unknown];t;b 1
	END
	)
}

@test "threads that share tables have libraries of their own" {
	local libs='"libs":[{"name":"own","start":0,"end":4096}],'
	local samples='"name":"t","samples":{"stack":[0]}'
	echo '{"meta":{"version":24},"shared":{"stringArray":["0x10"],' \
		'"funcTable":{"name":[0]},"resourceTable":{"lib":[0]},' \
		'"frameTable":{"func":[0],"address":[16],"lib":[0]},' \
		'"stackTable":{"frame":[0],"prefix":[null]}},' \
		"\"threads\":[{$libs$samples},{$samples}]}" |
		stackcollapse-firefox 2> err | diff - <(cat <<-'END'
	[unknown];t;0x10 1
	[unknown];t;[own] 1
	END
	)
}

@test "a small file that unpacks to very much is refused" {
	{
		printf '{"threads":[{"stringArray":["'
		head -c 300000000 /dev/zero | tr '\0' a
	} | gzip > bomb
	fails 1 stackcollapse-firefox bomb 2>&1 |
		diff - <(echo 'stackcollapse-firefox: bomb: it unpacks to more' \
			'than 400 times its size')
}

@test "the path of a library is that which a process knows first" {
	local tables='"stringTable":["0x10"],"funcTable":{"name":[0]},
		"resourceTable":{"lib":[0]},"frameTable":{"func":[0],
		"address":[16],"lib":[0]},"stackTable":{"frame":[0],
		"prefix":[null]},'
	echo '{"meta":{"version":24},"libs":[{"name":"a","breakpadId":"A1"}],' \
		"\"threads\":[{$tables\"name\":\"t\",\"samples\":{\"stack\":[0]}}]," \
		'"processes":[{"libs":[{"path":"/no/b","breakpadId":"B1"},' \
		'{"path":"/no/c.so","breakpadId":"A1"}]},' \
		'{"libs":[{"path":"/no/d","breakpadId":"A1"}]}]}' > profile
	stackcollapse-firefox profile 2> err |
		diff - <(echo '[unknown];t;[c.so] 1')
}

# located LIBRARIES ADDRESS...: a profile of these libraries, with a sample at
# each address.
located() {
	local number=0 texts='' frames='' stacks='' samples='' libraries=$1
	shift
	for address; do
		texts+=,\"$address\" frames+=,[$number] stacks+=,[null,$number]
		samples+=,[$number,$number]
		number=$((number + 1))
	done
	cat > profile <<-END
	{"meta": {"version": 3}, "libs": [$libraries], "threads": [{
	"name": "t", "stringTable": [${texts#,}],
	"frameTable": {"schema": {"location": 0}, "data": [${frames#,}]},
	"stackTable": {"schema": {"prefix": 0, "frame": 1},
	    "data": [${stacks#,}]},
	"samples": {"schema": {"stack": 0, "time": 1}, "data": [${samples#,}]}
	}]}
	END
	stackcollapse-firefox profile
}

@test "an address is in the library around it, in whatever order they are" {
	located '{"name": "b", "start": 8192, "end": 12288},
	    {"name": "a", "start": 4096, "end": 8192},
	    {"name": "[c]", "start": 16384, "end": 16385}' \
	    0xfff 0x1000 0x1fff 0x2000 0x2fff 0x3000 0x4000 0x4001 2> err |
		diff - <(cat <<-'END'
	[unknown];t;[a] 2
	[unknown];t;[b] 2
	[unknown];t;[c] 1
	[unknown];t;[unknown] 3
	END
	)
}

@test "a line says which library has no names for most addresses, and why" {
	printf '\177ELF\2\1\1%100s' '' > empty
	libraries="{\"name\": \"a\", \"path\": \"/no/a\", \"start\": 4096,
	    \"end\": 8192}, {\"name\": \"empty\", \"path\": \"$PWD/empty\",
	    \"start\": 8192, \"end\": 12288}"
	located "$libraries" 0x1000 0x1001 0x2000 0x2001 0x2002 2>&1 > out |
		diff - <(cat <<-END
	stackcollapse-firefox: addresses without a function's name: 5 of 5, most of them in $PWD/empty, which has no symbols, or not all; a debug package may have them
	END
	)
	located "$libraries" 0x1000 0x1001 0x2000 2>&1 > out | diff - <(cat <<-'END'
	stackcollapse-firefox: addresses without a function's name: 3 of 3, most of them in /no/a, which is not there; --symfs tells where it is
	END
	)
}

@test "a small file whose tables become very much is refused" {
	command -v python3 > /dev/null || skip 'no Python'
	for begin in '{"threads":[{"frameTable":{"line":[' '{"libs":['; do
		python3 -c 'import gzip, sys
sys.stdout.buffer.write(gzip.compress(sys.argv[1].encode() + b"0," * 9000000))
' "$begin" > bomb
		fails 1 stackcollapse-firefox bomb 2>&1 |
			diff - <(echo 'stackcollapse-firefox: bomb: it unpacks' \
				'to more than 400 times its size')
	done
}

@test "a million threads without a sample need no memory" {
	(ulimit -v 1000000 && stackcollapse-firefox --version) > out 2>&1 ||
		skip 'it needs more memory to start'
	{
		printf '{"meta":{"version":1},"threads":[0'
		head -c 1000000 /dev/zero | sed 's/\x00/,0/g'
		printf ']}'
	} > threads
	(ulimit -v 1000000 && stackcollapse-firefox threads 2>&1) |
		diff - <(echo 'stackcollapse-firefox: no sample has a stack')
}

@test "a long text in the names of many frames is refused" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 - > profile <<-'END'
	import json
	count = 500
	all = list(range(count))
	print(json.dumps({"meta": {"version": 27}, "threads": [{
	    "name": "t", "stringArray": ["n" * 200000],
	    "samples": {"stack": all},
	    "stackTable": {"prefix": [None] * count, "frame": all},
	    "frameTable": {"func": all},
	    "funcTable": {"name": [0] * count, "isJS": [True] * count,
	        "fileName": [0] * count, "lineNumber": all}}]}))
	END
	fails 1 stackcollapse-firefox profile 2>&1 > out |
		diff - <(echo 'stackcollapse-firefox: profile: the names of its' \
			'frames add up to more than 400 times its size')
}

@test "what is of another type than it should be is stepped over" {
	odd='{"threads": [1], "a": [[2], {"b": 3}]}'
	cat > profile <<-END
	{"meta": $odd, "meta": {"version": 27, "product": $odd}, "libs": $odd,
	"processes": [$odd], "threads": $odd,
	"threads": [$odd, [$odd], {"name": "t", "pid": $odd, "libs": [$odd],
	"samples": {"stack": [0, $odd, 0], "weightType": [$odd]},
	"stackTable": {"prefix": [null], "frame": [0], "x": $odd},
	"frameTable": {"func": [0], "line": $odd, "inlineDepth": [$odd]},
	"funcTable": {"name": [1], "isJS": [$odd]},
	"stringArray": [$odd, "main"]}]}
	END
	stackcollapse-firefox profile 2> err |
		diff - <(echo '[unknown];t;main 2')
	diff /dev/null err
}

@test "a long name of a thread is read once, however many stacks it has" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 -c 'import json
count = 400000
print(json.dumps({"meta": {"version": 30}, "threads": [{
    "name": "n" * 4000000, "stringArray": ["f"],
    "samples": {"stack": list(range(count))},
    "stackTable": {"prefix": [None] * count, "frame": [0] * count},
    "frameTable": {"func": [0]}, "funcTable": {"name": [0]}}]}))' > profile
	timeout 60 stackcollapse-firefox profile | tr -s n |
		diff - <(echo '[unknown];n;f 400000')
}

@test "text, packed or not, is told from a profile" {
	seq 1000 > text
	gzip -k text
	for file in text text.gz; do
		fails 1 stackcollapse-firefox $file 2>&1 |
			diff - <(echo "stackcollapse-firefox: $file: it is not" \
				'a profile of the Firefox profiler; it looks' \
				'like some other text')
	done
}
