load ../helper
load native

# data/collapse/firefox, and the other profiles, are made by the script fxprof,
# beside this file, of stacks that are known.

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

make_profile() {
	python3 -S "$TOP/test/collapse/fxprof" "$@"
}

stacks='shop/12 main/12;main;total;price| 2
shop/12 main/12;main;total 3
shop/12 main/12;main;total 4
shop/12 worker/13;start;wait;a:b 1
shop/12 worker/13;- 5
Web/14 GeckoMain/14;(root);run{http://a.b/c.js:1:2};run{http://a.b/c.js:9:2} 4
Web/15 GeckoMain/15;(root);run{http://a.b/c.js:1:2} 7'

@test "profiles of all versions fold to their stacks, in any order" {
	cat > processed <<-'END'
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2) 7
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2);run (http://a.b/c.js:9:2) 4
	shop;main;main;total 7
	shop;main;main;total;price_[i] 2
	shop;worker;start;wait;a:b 1
	END
	# where each sample counts 1, and none is known to be inlined
	cat > written <<-'END'
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2) 1
	Web;GeckoMain;(root);run (http://a.b/c.js:1:2);run (http://a.b/c.js:9:2) 1
	shop;main;main;total 2
	shop;main;main;total;price 1
	shop;worker;start;wait;a:b 1
	END
	make_profile 24,40r,41,47r,56,58r,60,60r,66,70,70r,gecko,geckor \
		<<< "$stacks"
	for version in [0-9]*; do
		stackcollapse-firefox "$version" | diff processed -
	done
	for version in gecko*; do
		stackcollapse-firefox "$version" | diff written -
	done
}

@test "--pid and --tid add numbers, and separate threads of one name" {
	make_profile 60 <<< "$stacks" > profile
	stackcollapse-firefox --pid profile | grep ^Web | are_lines \
		'Web-14;GeckoMain;(root);run (http://a.b/c.js:1:2);run (http://a.b/c.js:9:2) 4' \
		'Web-15;GeckoMain;(root);run (http://a.b/c.js:1:2) 7'
	stackcollapse-firefox --tid profile | sed -n 's/;start.*//p' |
		is_line 'shop;worker-13'
}

@test "--no-inline leaves inlined functions out, --lines adds lines" {
	printf '%s\n' 'p t;main;f| 3' 'p t;run{http://a.b/c.js:1:2} 3' |
		make_profile 60 > profile
	stackcollapse-firefox --no-inline profile | are_lines \
		'p;t;main 3' 'p;t;run (http://a.b/c.js:1:2) 3'
	stackcollapse-firefox --lines profile | has -x \
		'p;t;run (http://a.b/c.js:1:2):c.js:7 3'
}

@test "weights are samples, bytes, or milliseconds, counted as microseconds" {
	printf '%s\n' 'p t;main 1.25' 'p t;main;f 0.0004' 'p t;main 0.5' |
		make_profile 60 weightType=tracing-ms > profile
	stackcollapse-firefox profile | is_line 'p;t;main 1750'
	make_profile 60 weightType=bytes <<< 'p t;main 7' > bytes
	stackcollapse-firefox bytes | is_line 'p;t;main 7'
	fails 1 stackcollapse-firefox profile bytes 2> err |
		is_line 'p;t;main 1750'
	is_line 'stackcollapse-firefox: samples whose weights have' \
		'another unit than the first, left out: 1' < err
}

@test "samples are counted whatever their order, and how often they come" {
	awk 'BEGIN {
		for (i = 0; i < 5000; i++)
			print "p t;main;f" int(i * 7919 % 131 / (i % 7 + 1)), \
				i % 3 + 1
	}' > stacks
	make_profile 66 < stacks > profile
	stackcollapse-firefox profile | diff - <(
		awk '{ sub(/^p t/, "p;t"); n[$1] += $2 }
		END { for (stack in n) print stack, n[stack] }' stacks | sort)
}

@test "weights are exact up to 2^63 - 1, and negative ones are left out" {
	# weights are exact up to 2^63 - 1, and larger ones are told
	printf '%s\n' 'a;b 9007199254740993' 'c;d 1' > in
	folded2firefox in | stackcollapse-firefox |
		diff - <(sed 's/^/folded stacks;all;/' in)
	printf 'a;b 9223372036854775808\n' | folded2firefox |
		fails 1 stackcollapse-firefox 2> err |
		is_line 'folded stacks;all;a;b 9223372036854775807'
	has 'weights that are too large, counted as less: 1' < err
	# negative weights are left out and counted, zeros left out
	printf '%s\n' 'p t;main -2' 'p t;f 0' 'p t;g 3' |
		make_profile 60 > profile
	fails 1 stackcollapse-firefox profile 2> err | is_line 'p;t;g 3'
	is_line 'stackcollapse-firefox: samples with a negative' \
		'weight, left out: 1' < err
	echo '{"meta":{"version":1},"threads":[]}' |
		fails 1 stackcollapse-firefox 2>&1 |
		is_line 'stackcollapse-firefox: no sample has a stack'
}

@test "addresses without names are named by the file, inlined functions too" {
	make_shop
	at="shop+$(printf '%x' $((total - start)))"
	call="shop+$(printf '%x' $((main - start)))"
	make_profile 29,41,60,66,70,gecko lib:shop=/opt/shop,"$id" \
		<<< "p t;start;@$call;@$at 1"
	for version in [0-9]* gecko; do
		stackcollapse-firefox --symfs root "$version" |
			is_line 'p;t;start;main;total;price_[i] 1'
	done
	stackcollapse-firefox --symfs root --no-inline 60 |
		is_line 'p;t;start;main;total 1'
	stackcollapse-firefox --symfs root --lines 60 |
		is_line 'p;t;start;main:shop.c:10;total:shop.c:6;price:shop.c:3_[i] 1'
	# a file of another build
	make_profile 60 "lib:shop=/opt/shop,${id/??/00}" \
		<<< "p t;start;@$at 1" > profile
	stackcollapse-firefox --symfs root --addrs profile 2> err |
		is_line "p;t;start;[${at/+/ <}>] 1"
	is_line 'stackcollapse-firefox: addresses without a' \
		"function's name: 1 of 1, most of them in /opt/shop, which" \
		'is another build now' < err
}

@test "JSON that is not a profile, and other text, are refused" {
	echo '{ "a": [1, 2] }' > other
	echo 'Some log' | gzip > packed
	fails 1 stackcollapse-firefox other packed 2>&1 | diff - <(
		why='it is not a profile of the Firefox profiler'
		echo "stackcollapse-firefox: other: $why, but other JSON"
		echo "stackcollapse-firefox: packed: $why; it looks like some other text")
}

# is_damaged REASON: a profile that is on standard input.
is_damaged() {
	cat > profile
	fails 1 stackcollapse-firefox profile 2>&1 |
		is_line "stackcollapse-firefox: profile: it is damaged$1"
}

# With a stack table of these prefixes, offsets or frames.
tables() {
	echo '{"meta":{"version":24},"shared":{"stringArray":["f"],' \
		'"funcTable":{"name":[0]},"frameTable":{"func":[0]},' \
		"\"stackTable\":{\"frame\":[0,0,${3:-0}],\"$1\":$2}}," \
		'"threads":[{"name":"t","samples":{"stack":[2]}}]}'
}

@test "stacks that call each other, and frames that are not there, are damage" {
	local why=': a stack refers to a missing frame or caller'
	tables prefix '[null,0,1]' | stackcollapse-firefox |
		is_line '[unknown];t;f;f;f 1'
	tables prefix '[1,0,1]' | is_damaged "$why"
	tables prefix '[null,0,2]' | is_damaged "$why"
	tables prefix '[null,0,1e300]' | stackcollapse-firefox |
		is_line '[unknown];t;f 1'
	tables prefixOffset '[0,1,1]' | stackcollapse-firefox |
		is_line '[unknown];t;f;f;f 1'
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
	local why=': a stack refers to a missing frame or caller'
	local places='{"prefix":0,"frame":1}' bad
	rows "$places" '[[null,0]]' | stackcollapse-firefox |
		is_line '[unknown];t;f 2'
	rows "$places" '[[null,0],7,"x"]' | stackcollapse-firefox |
		is_line '[unknown];t;f 2'
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

# Its samples are price within total within main, 2, total within main, 3, and wait
# of app.js within start, 4.
@test "the profile of the test data, and folded text among the operands" {
	printf 'main;x 2\nshop;main;main;total 4\n' > folded
	stackcollapse-firefox "$DATA/collapse/firefox" folded |
		is 4<<-'END'
	main;x 2
	shop;main;main;total 7
	shop;main;main;total;price_[i] 2
	shop;worker;start;wait (http://shop.example/app.js:12:5) 4
	END
}

@test "bytes after the end of a profile are damage" {
	gzip -dc "$DATA/collapse/firefox" > plain
	printf '%s]' "$(cat plain)" |
		is_damaged " at byte $(wc -c < plain): something follows its end"
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
	is_line 'stackcollapse-firefox: stacks of more than 4,096' \
		'frames, cut off at their root: 1' < err
	cut -d ';' -f 3 out | is_line f904
}

@test "threads with their own tables may stand among threads that share theirs" {
	local own='"stringArray":["b"],"funcTable":{"name":[0]},
		"frameTable":{"func":[0]},
		"stackTable":{"frame":[0],"prefix":[null]},'
	local samples='"name":"t","samples":{"stack":[0]}'
	echo '{"meta":{"version":24},"shared":{"stringArray":["a","c"],' \
		'"funcTable":{"name":[0,1]},"frameTable":{"func":[0,1]},' \
		'"stackTable":{"frame":[0,1],"prefix":[null,0]}},' \
		"\"threads\":[{$samples},{$own$samples},{$samples}," \
		'{"name":"t","samples":{"stack":[1]}}]}' |
		stackcollapse-firefox | is 4<<-'END'
	[unknown];t;a 2
	[unknown];t;a;c 1
	[unknown];t;b 1
	END
}

@test "threads that share tables have libraries of their own" {
	local libs='"libs":[{"name":"own","start":0,"end":4096}],'
	local samples='"name":"t","samples":{"stack":[0]}'
	echo '{"meta":{"version":24},"shared":{"stringArray":["0x10"],' \
		'"funcTable":{"name":[0]},"resourceTable":{"lib":[0]},' \
		'"frameTable":{"func":[0],"address":[16],"lib":[0]},' \
		'"stackTable":{"frame":[0],"prefix":[null]}},' \
		"\"threads\":[{$libs$samples},{$samples}]}" |
		stackcollapse-firefox 2> err | is 4<<-'END'
	[unknown];t;0x10 1
	[unknown];t;[own] 1
	END
}

@test "a small file that unpacks to very much, or whose tables do, is refused" {
	while read -r begin text size; do
		{
			printf '%s' "$begin"
			set +o pipefail
			yes "$text" | tr -d '\n' | head -c "$size"
		} | gzip > bomb
		fails 1 stackcollapse-firefox bomb 2>&1 |
			is_line 'stackcollapse-firefox: bomb: it unpacks' \
				'to more than 400 times its size'
	done <<-'END'
	{"threads":[{"stringArray":[" aaaaaaaa 70000000
	{"threads":[{"frameTable":{"line":[ 0, 18000000
	{"libs":[ 0, 18000000
	END
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
	stackcollapse-firefox profile 2> err | is_line '[unknown];t;[c.so] 1'
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
		is 4<<-'END'
	[unknown];t;[a] 2
	[unknown];t;[b] 2
	[unknown];t;[c] 1
	[unknown];t;[unknown] 3
	END
}

@test "a line says which library has no names for most addresses, and why" {
	printf '\177ELF\2\1\1%100s' '' > empty
	libraries="{\"name\": \"a\", \"path\": \"/no/a\", \"start\": 4096,
	    \"end\": 8192}, {\"name\": \"empty\", \"path\": \"$PWD/empty\",
	    \"start\": 8192, \"end\": 12288}"
	located "$libraries" 0x1000 0x1001 0x2000 0x2001 0x2002 2>&1 > out |
		is 4<<-END
	stackcollapse-firefox: addresses without a function's name: 5 of 5, most of them in $PWD/empty, which has no symbols, or not all; a debug package may have them
	END
	located "$libraries" 0x1000 0x1001 0x2000 2>&1 > out | is 4<<-'END'
	stackcollapse-firefox: addresses without a function's name: 3 of 3, most of them in /no/a, which is not there; --symfs tells where it is
	END
}

# list COUNT [VALUE]: so many numbers from 0 on, or values.
list() {
	seq -s , 0 $(($1 - 1)) | sed "s/[0-9][0-9]*/${2:-&}/g"
}

@test "a long text in the names of many frames is refused" {
	local all
	all=$(list 500)
	cat > profile <<-END
	{"meta":{"version":27},"threads":[{"name":"t","stringArray":["$(
		printf '%200000s' '' | tr ' ' n)"],"samples":{"stack":[$all]},
	"stackTable":{"prefix":[$(list 500 null)],"frame":[$all]},
	"frameTable":{"func":[$all]},"funcTable":{"name":[$(list 500 0)],
	"isJS":[$(list 500 true)],"fileName":[$(list 500 0)],
	"lineNumber":[$all]}}]}
	END
	fails 1 stackcollapse-firefox profile 2>&1 > out |
		is_line 'stackcollapse-firefox: profile: the names of its' \
			'frames add up to more than 400 times its size'
}

@test "a long name of a thread is read once, however many stacks it has" {
	cat > profile <<-END
	{"meta":{"version":30},"threads":[{"name":"$(
		printf '%1000000s' '' | tr ' ' n)","stringArray":["f"],
	"samples":{"stack":[$(list 200000)]},
	"stackTable":{"prefix":[$(list 200000 null)],
	"frame":[$(list 200000 0)]},"frameTable":{"func":[0]},
	"funcTable":{"name":[0]}}]}
	END
	timeout 60 stackcollapse-firefox profile | tr -s n |
		is_line '[unknown];n;f 200000'
}
