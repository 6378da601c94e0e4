load ../helper

# data/collapse/pprof was written by a program of Go 1.19 that sums and sorts,
# under labels; what it must fold to is what `go tool pprof -raw` prints of it.
# Other profiles are made by the script pprof, beside this file.

# make_profile [OPTION]: makes one of JSON.
make_profile() {
	command -v python3 > /dev/null || skip 'no Python'
	"$TOP/test/collapse/pprof" "$@"
}

# A function that was inlined into main, and two types of values.
small='"sample_type": [{"type": "samples", "unit": "count"},
	{"type": "cpu", "unit": "nanoseconds"}],
"location": [{"id": 1, "line": [{"function_id": 7, "line": 3},
	{"function_id": 8, "line": 12}]}, {"id": 2,
	"line": [{"function_id": 8, "line": 14}]}],
"function": [{"id": 7, "name": "square", "filename": "src/math.c"},
	{"id": 8, "name": "main", "filename": "src/main.c"}]'

@test "example: a picture of where a program of Go spends its time" {
	cp "$DATA/collapse/pprof" cpu.pprof
	stackcollapse-pprof cpu.pprof | flamegraph --countname=ns > cpu.svg
	grep -q '<title>main.sum (150,000,000 ns, 78.95%)' cpu.svg
}

@test "example: the stacks of a program of Go, by labels" {
	stackcollapse-pprof --type samples --label request \
		"$DATA/collapse/pprof" | sed 's/;.*;/;...;/' |
		diff - <(cat <<-'END'
		order;...;sort.partition 1
		order;...;sort.partition 1
		order;...;sort.partition 1
		order;...;sort.IntSlice.Swap 1
		sum;...;main.sum 1
		sum;...;main.square_[i] 12
		sum;...;runtime.asyncPreempt 2
		END
		)
}

# The stacks that pprof prints, without marks of inlined functions.
do='runtime.main;main.main;main.do;runtime/pprof.Do;main.do.func1;main.main'
sort='sort.Ints;sort.Sort;sort.pdqsort;sort.pdqsort'
s=sort.pdqsort

@test "stacks are those that pprof prints, with their nanoseconds" {
	stackcollapse-pprof "$DATA/collapse/pprof" | sed 's/_\[i\]//g' |
		diff - <(cat <<-END
		$do.func1;main.sum 10000000
		$do.func1;main.sum;main.square 120000000
		$do.func1;main.sum;main.square;runtime.asyncPreempt 20000000
		$do.func2;main.order;$sort;sort.partition 10000000
		$do.func2;main.order;$sort;$s;sort.partition 10000000
		$do.func2;main.order;$sort;$s;$s;$s;sort.partition 10000000
		$do.func2;main.order;$sort;$s;$s;$s;$s;$s;$s;sort.insertionSort;sort.IntSlice.Swap 10000000
		END
		)
}

# as_pprof FILE: folds what `go tool pprof -raw` prints: samples, "1 10: 3 5",
# and the functions of locations, " 3: 0x47438a M=1 sort.Ints sort.go:157 s=0",
# the innermost first.
as_pprof() {
	go tool pprof -raw "$1" 2> /dev/null | awk '
	/^Samples:/ { part = "head"; next }
	/^Locations/ { part = "locations"; next }
	/^Mappings/ { part = "" }
	part == "head" { part = "samples"; next }
	part == "samples" && /^[ 0-9]+:/ {
		line = $0
		sub(/^[^:]*: /, "", line)
		sub(/:.*/, "")
		stacks[++count] = line
		values[count] = $NF
	}
	part == "locations" {
		if ($1 ~ /:$/) {
			id = $1 + 0
			$1 = $2 = ""
			if ($3 ~ /^M=/)
				$3 = ""
			sub(/^ +/, "")
		}
		of[id] = $1 (of[id] == "" ? "" : ";") of[id]
	}
	END {
		for (i = 1; i <= count; i++) {
			stack = ""
			for (n = split(stacks[i], ids, " "); n > 0; n--)
				stack = stack (stack == "" ? "" : ";") of[ids[n]]
			sums[stack] += values[i]
		}
		for (stack in sums)
			printf "%s %d\n", stack, sums[stack]
	}' | sort
}

@test "stacks are those of the pprof that is installed" {
	command -v go > /dev/null || skip 'no Go'
	go tool pprof -h 2>&1 | has -e -raw || skip 'no pprof'
	stackcollapse-pprof "$DATA/collapse/pprof" | sed 's/_\[i\]//g' |
		sort | diff - <(as_pprof "$DATA/collapse/pprof")
}

@test "a profile that is not compressed folds to the same" {
	gzip -dc "$DATA/collapse/pprof" > plain
	stackcollapse-pprof "$DATA/collapse/pprof" > expected
	[ -s expected ]
	stackcollapse-pprof plain | diff expected -
	stackcollapse-pprof < plain | diff expected -
}

@test "--type chooses the values, and unless told they are the last ones" {
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [1], "value": [3, 30]},
		{"location_id": [2], "value": [0, 7]}]}
	END
	stackcollapse-pprof profile |
		diff - <(printf '%s\n' 'main 7' 'main;square_[i] 30')
	stackcollapse-pprof --type cpu profile |
		diff - <(stackcollapse-pprof profile)
	stackcollapse-pprof --type samples profile |
		diff - <(echo 'main;square_[i] 3')
	fails 1 stackcollapse-pprof --type bytes profile 2>&1 |
		diff - <(echo 'stackcollapse-pprof: profile: its samples have' \
			'no bytes, but samples, cpu')
}

@test "a profile may say which values count unless told" {
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [2], "value": [3, 30]}],
		"default_sample_type": "samples"}
	END
	stackcollapse-pprof profile | diff - <(echo 'main 3')
	stackcollapse-pprof --type cpu profile | diff - <(echo 'main 30')
}

@test "profiles of other values are not added up" {
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [2], "value": [3, 30]}]}
	END
	make_profile > heap <<-'END'
	{"sample_type": [{"type": "space", "unit": "bytes"}]}
	END
	fails 1 stackcollapse-pprof profile heap profile > out 2> err
	diff out <(echo 'main 60')
	diff err <(echo 'stackcollapse-pprof: heap: its samples are of' \
		'space/bytes, not of cpu/nanoseconds as those before')
}

@test "numbers may come packed or one by one" {
	json="{$small, \"sample\": [{\"location_id\": [1, 2, 2],
		\"value\": [3, 300]}]}"
	make_profile <<< "$json" > packed
	make_profile --unpacked <<< "$json" > single
	fails 1 cmp -s packed single
	stackcollapse-pprof single |
		diff - <(echo 'main;main;main;square_[i] 300')
	stackcollapse-pprof packed | diff - <(stackcollapse-pprof single)
}

@test "stacks that come again are added up, in profiles with the same ids" {
	local samples='{"location_id": [1, 2], "value": [0, 1]},
		{"location_id": [2, 1], "value": [0, 10]},
		{"location_id": [1, 2], "value": [0, 100]},
		{"location_id": [1, 2, 1], "value": [0, 0]},
		{"location_id": [2, 1], "value": [0, -1]},
		{"location_id": [], "value": [0, 7]},
		{"location_id": [1, 2], "value": [0, 1000]}'
	make_profile <<< "{$small, \"sample\": [$samples]}" > one
	make_profile <<< "{${small/square/cube}, \"sample\": [$samples]}" \
		> other
	stackcollapse-pprof one other 2> err | diff - <(cat <<-'END'
	[unknown] 14
	main;cube_[i];main 10
	main;main;cube_[i] 1101
	main;main;square_[i] 1101
	main;square_[i];main 10
	END
	)
	diff err <(echo 'stackcollapse-pprof: samples with a negative value,' \
		'left out: 2')
}

@test "--label adds frames of labels, numbers with their unit" {
	make_profile > profile <<-END
	{$small, "sample": [
	{"location_id": [2], "value": [1, 1], "label": [
		{"key": "user", "str": "ada;b"}, {"key": "page", "str": "/"}]},
	{"location_id": [2], "value": [1, 2], "label": [
		{"key": "page", "str": "/"}, {"key": "page", "str": "/a"},
		{"key": "user", "num": 12}]},
	{"location_id": [2], "value": [1, 4], "label": [
		{"key": "user", "num": -1, "num_unit": "bytes"}]},
	{"location_id": [1], "value": [1, 8], "label": [
		{"key": "user", "num": 3, "num_unit": "s"}]}]}
	END
	stackcollapse-pprof --label user profile | diff - <(printf '%s\n' \
		'-1 bytes;main 4' '12;main 2' '3 s;main;square_[i] 8' \
		'ada:b;main 1')
	stackcollapse-pprof --label page --label user profile |
		diff - <(printf '%s\n' '/,/a;12;main 2' '/;ada:b;main 1' \
			'[no page];-1 bytes;main 4' \
			'[no page];3 s;main;square_[i] 8')
}

@test "--no-inline leaves inlined functions out, --lines adds lines" {
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [1], "value": [3, 30]}]}
	END
	stackcollapse-pprof --no-inline profile | diff - <(echo 'main 30')
	stackcollapse-pprof --lines profile |
		diff - <(echo 'main:main.c:12;square:math.c:3_[i] 30')
	make_profile > profile <<-END
	{${small/, \"line\": 12/}, "sample": [{"location_id": [1], "value": [3, 30]}]}
	END
	stackcollapse-pprof --lines profile |
		diff - <(echo 'main:main.c:?;square:math.c:3_[i] 30')
}

@test "names that the linker made are demangled, others stay" {
	make_profile > profile <<-'END'
	{"sample_type": [{"type": "a", "unit": "b"}],
	"sample": [{"location_id": [3, 2, 1], "value": [1]}],
	"location": [{"id": 1, "line": [{"function_id": 1}]},
		{"id": 2, "line": [{"function_id": 2}]},
		{"id": 3, "line": [{"function_id": 3}]}],
	"function": [{"id": 1, "system_name": "_ZN3foo3barEi"},
		{"id": 2, "name": "a;b\nc"},
		{"id": 3, "name": "net/http.(*conn).serve"}]}
	END
	stackcollapse-pprof profile |
		diff - <(echo 'foo::bar;a:b_c;net/http.(*conn).serve 1')
}

@test "addresses without names are named by the file that was mapped" {
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
	"${CC:-cc}" -g -O1 -fno-pie -no-pie -o root/opt/shop shop.c
	# the address of the division, of which addr2line tells both functions
	total=$(nm root/opt/shop | sed -n 's/ T total$//p')
	for ((at = 0x$total; at < 0x$total + 40; at++)); do
		address=$(printf '%x' $at)
		[ "$(addr2line -f -i -e root/opt/shop "$address" | sed -n 1p)" \
			= price ] && break
	done
	page=$((0x$total & ~4095))
	offset=$(readelf -lW root/opt/shop | awk -v page=$page '
		$1 == "LOAD" && / E / { print $2 }')
	cat > json <<-END
	{"sample_type": [{"type": "a", "unit": "b"}],
	"sample": [{"location_id": [1, 2, 3], "value": [1]}],
	"mapping": [{"id": 1, "memory_start": $page, "file_offset": $((offset)),
		"memory_limit": $((page + 4096)), "filename": "/opt/shop"}],
	"location": [{"id": 1, "mapping_id": 1, "address": $((0x$address))},
		{"id": 2, "mapping_id": 1, "address": $((page + 0x800000))},
		{"id": 3, "address": 255}]}
	END
	make_profile < json > profile
	stackcollapse-pprof --symfs root profile 2> err |
		diff - <(echo '[unknown];[shop];total;price_[i] 1')
	stackcollapse-pprof --symfs root --no-inline --addrs profile 2> err |
		diff - <(printf '[unknown <ff>];[shop <%x>];total 1\n' \
			$((offset + 0x800000)))
	stackcollapse-pprof --symfs root --lines profile 2> err |
		diff - <(echo '[unknown];[shop];total:shop.c:6;price:shop.c:3_[i] 1')
	stackcollapse-pprof --symfs elsewhere profile 2>&1 |
		diff - <(echo 'stackcollapse-pprof: addresses without a' \
			"function's name: 2 of 2, most of them in /opt/shop," \
			'which is not there; --symfs tells where it is'
		echo '[unknown];[shop];[shop] 1')
	# what is no build id tells no files apart, and another one does
	for id in 123 0g "$(printf '%042d' 1)"; do
		sed "s/\"filename\"/\"build_id\": \"$id\", &/" json |
			make_profile | stackcollapse-pprof --symfs root 2> err |
			diff - <(echo '[unknown];[shop];total;price_[i] 1')
	done
	sed 's/"filename"/"build_id": "1234AbcD", &/' json | make_profile |
		stackcollapse-pprof --symfs root 2>&1 |
		diff - <(echo 'stackcollapse-pprof: addresses without a' \
			"function's name: 2 of 2, most of them in /opt/shop," \
			'which is another build now'
		echo '[unknown];[shop];[shop] 1')
}

@test "negative values are left out and counted, zeros left out" {
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [1], "value": [3, 0]},
		{"location_id": [1], "value": [3, -4]},
		{"location_id": [2], "value": [-3, 5]}]}
	END
	stackcollapse-pprof profile 2> err | diff - <(echo 'main 5')
	diff err <(echo 'stackcollapse-pprof: samples with a negative value,' \
		'left out: 1')
}

@test "a profile without samples gives a warning and nothing else" {
	make_profile > profile <<< "{$small}"
	stackcollapse-pprof profile > out 2> err
	[ ! -s out ]
	diff err <(echo 'stackcollapse-pprof: no sample has a value')
}

@test "a sample with fewer values than there are types lacks the last ones" {
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [1], "value": [3, 5]},
		{"location_id": [2], "value": [7]},
		{"location_id": [2], "value": []}]}
	END
	stackcollapse-pprof profile | diff - <(echo 'main;square_[i] 5')
	stackcollapse-pprof --type samples profile |
		diff - <(printf '%s\n' 'main 7' 'main;square_[i] 3')
}

@test "a stack may come in several lists, and a list may be cut short" {
	command -v python3 > /dev/null || skip 'no Python'
	cat > write.py <<-'END'
	import sys
	def put(field, data):
	    return bytes([field << 3 | 2, len(data)]) + data
	def number(field, n):
	    return bytes([field << 3, n])
	value = put(2, b"\1")
	profile = put(1, number(1, 1) + number(2, 2))
	profile += put(2, put(1, b"\1") + put(1, b"\2") + value)
	profile += put(2, put(1, b"\2") + put(1, b"\2") + value)
	profile += put(2, put(1, b"\2") + value)
	profile += put(2, put(1, b"\2") + put(1, b"\1") + value)
	for i in 1, 2:
	    profile += put(4, number(1, i) + put(4, number(1, i)))
	    profile += put(5, number(1, i) + number(2, i + 2))
	for text in b"", b"cpu", b"ns", b"leaf", b"root":
	    profile += put(6, text)
	if len(sys.argv) > 1:
	    profile += put(2, b"\x12\5\1")
	sys.stdout.buffer.write(profile)
	END
	python3 write.py > profile
	stackcollapse-pprof profile | diff - <(printf '%s\n' 'leaf;root 1' \
		'root 1' 'root;leaf 1' 'root;root 1')
	python3 write.py cut > profile
	fails 1 stackcollapse-pprof profile 2>&1 > out |
		has 'it is damaged: a sample has a location that is not there, or is cut short$'
}

# is_damaged REASON: of the JSON that it reads.
is_damaged() {
	make_profile > profile
	fails 1 stackcollapse-pprof profile 2>&1 |
		diff - <(echo "stackcollapse-pprof: profile: it is damaged: $1")
}

@test "a sample without its location, and others, are damage" {
	local reason='a sample has a location that is not there, or is cut short'
	is_damaged "$reason" <<-END
	{$small, "sample": [{"location_id": [9], "value": [3, 0]}]}
	END
	is_damaged "$reason" <<-'END'
	{"sample_type": [{"type": "a", "unit": "b"}],
	"sample": [{"location_id": [1], "value": [1]}],
	"location": [{"id": 1, "line": [{"function_id": 9}]}]}
	END
	is_damaged "$reason" <<-'END'
	{"sample_type": [{"type": "a", "unit": "b"}],
	"sample": [{"location_id": [1], "value": [1]}],
	"location": [{"id": 1, "mapping_id": 5}]}
	END
}

@test "a profile that is cut short is refused, and says so" {
	gzip -dc "$DATA/collapse/pprof" > plain
	head -c -3 plain > short
	fails 1 stackcollapse-pprof short 2>&1 | diff - <(
		echo 'stackcollapse-pprof: short: it is damaged or cut short')
	head -c -3 "$DATA/collapse/pprof" > short
	fails 1 stackcollapse-pprof short 2>&1 |
		diff - <(echo 'stackcollapse-pprof: short: its compressed' \
			'data is cut short')
}

@test "folded text among the operands is added" {
	echo 'main;x 2' > folded
	make_profile > profile <<-END
	{$small, "sample": [{"location_id": [2], "value": [3, 30]}]}
	END
	stackcollapse-pprof profile folded |
		diff - <(printf '%s\n' 'main 30' 'main;x 2')
}

@test "a small file that unpacks to very much is refused" {
	# a table's string, of 300 MB
	{ printf '\62\200\306\206\217\1'; head -c 300000000 /dev/zero; } |
		gzip > bomb
	fails 1 stackcollapse-pprof bomb 2>&1 |
		diff - <(echo 'stackcollapse-pprof: bomb: it unpacks to more' \
			'than 400 times its size')
}

@test "a small file whose tables become very much is refused" {
	command -v python3 > /dev/null || skip 'no Python'
	# a type of samples, and strings
	python3 -c 'import gzip, sys
sys.stdout.buffer.write(gzip.compress(b"\12\4\10\1\20\1" + b"\62\0" * 9000000))
' > bomb
	fails 1 stackcollapse-pprof bomb 2>&1 |
		diff - <(echo 'stackcollapse-pprof: bomb: it unpacks to more' \
			'than 400 times its size')
}

# refuses OPTION...: the profile is refused, before its names take much memory.
refuses() {
	case ${CFLAGS-} in
	*sanitize*)
		;;
	*)
		ulimit -v 4000000
		;;
	esac
	fails 1 stackcollapse-pprof "$@" profile 2>&1 > out |
		diff - <(echo 'stackcollapse-pprof: profile: the names of its' \
			'frames add up to far more than its size')
}

@test "a long name that a stack has very often is refused" {
	command -v python3 > /dev/null || skip 'no Python'
	cat > write.py <<-'END'
	import sys
	lines, labels, other = map(int, sys.argv[1:4])
	def varint(n):
	    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)
	def number(field, n):
	    return varint(field << 3) + varint(n)
	def put(field, data):
	    return varint(field << 3 | 2) + varint(len(data)) + data
	label = put(3, number(1, 4) + number(2, 3))
	last = put(3, number(1, 4) + number(2, 5))
	profile = put(1, number(1, 1) + number(2, 2))
	profile += put(2, number(1, 1) + number(2, 1) + label * labels +
	    last * (other > 0) + last * (len(sys.argv) > 4))
	profile += put(4, number(1, 1) + put(4, number(1, 1)) * lines +
	    put(4, number(1, 2)) * (other > 0))
	profile += put(5, number(1, 1) + number(2, 3))
	profile += put(5, number(1, 2) + number(2, 5))
	for text in b"", b"cpu", b"ns", b"n" * 1000000, b"k", b"n" * other:
	    profile += put(6, text)
	sys.stdout.buffer.write(profile)
	END
	python3 write.py 20000 0 0 > profile
	refuses
	python3 write.py 1 20000 0 > profile
	refuses --label=k
	python3 write.py 20 20 0 > profile
	stackcollapse-pprof --label=k profile | tr -cd n | wc -c |
		diff <(echo 40000000) -
	# to the byte: 64 MB, with ; and _[i] after each but the last
	other=$((64 * 1024 * 1024 - 67 * 1000005))
	python3 write.py 67 0 $other > profile
	stackcollapse-pprof profile | tr -cd n | wc -c |
		diff <(echo $((67000000 + other))) -
	python3 write.py 67 0 $((other + 1)) > profile
	refuses
	# labels with commas between them, of which no more is one too many
	other=$(((64 * 1024 * 1024 - 66 * 1000001) / 2))
	python3 write.py 0 66 $other > profile
	stackcollapse-pprof --label=k profile | tr -cd n | wc -c |
		diff <(echo $((66000000 + 2 * other))) -
	python3 write.py 0 66 $other more > profile
	refuses --label=k
}

@test "a long text in the labels of many samples is refused" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 -c 'import json
sample = {"location_id": [1], "value": [1],
    "label": [{"key": "k", "str": "n" * 200000}]}
print(json.dumps({"sample_type": [{"type": "cpu", "unit": "ns"}],
    "sample": [sample] * 500,
    "location": [{"id": 1, "line": [{"function_id": 1}]}],
    "function": [{"id": 1, "name": "main"}]}))' | make_profile > profile
	fails 1 stackcollapse-pprof --label=k profile 2>&1 > out |
		diff - <(echo 'stackcollapse-pprof: profile: the names of its' \
			'frames add up to far more than its size')
	stackcollapse-pprof profile | diff - <(echo main 500)
}

@test "labels that make other long names for all samples are refused" {
	command -v python3 > /dev/null || skip 'no Python'
	python3 -c 'import json
def sample(i):
    return {"location_id": [1], "value": [1], "label": [
        {"key": "k", "str": "%d " % n + "n" * 5000}
        for n in (i // 200, 200 + i % 200)]}
print(json.dumps({"sample_type": [{"type": "cpu", "unit": "ns"}],
    "sample": [sample(i) for i in range(16000)],
    "location": [{"id": 1, "line": [{"function_id": 1}]}],
    "function": [{"id": 1, "name": "main"}]}))' | make_profile > profile
	refuses --label=k
	[ "$(wc -c < out)" -lt 80000000 ]
	stackcollapse-pprof profile | diff - <(echo main 16000)
}

# 2 GB, of which the disk holds nothing, nor memory, where that much is mapped.
@test "a profile that is larger than messages may be is refused" {
	needs_64_bits
	gzip -dc "$DATA/collapse/pprof" > large
	truncate -s 2147483648 large || skip 'no file may be so large'
	fails 1 stackcollapse-pprof large 2>&1 |
		diff - <(echo 'stackcollapse-pprof: large: it is too large')
}

@test "text, packed or not, is told from a profile" {
	seq 1000 > text
	gzip -k text
	for file in text text.gz; do
		fails 1 stackcollapse-pprof $file 2>&1 |
			diff - <(echo "stackcollapse-pprof: $file: it is not" \
				"a profile in pprof's format; it looks like" \
				'some other text')
	done
}
