load ../helper
load native

# data/collapse/pprof was written by a program of Go 1.19 that sums and sorts,
# under labels; what it must fold to is what `go tool pprof -raw` prints of it.
# Other profiles are made by the script pprof, beside this file.

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

# make_profile [FILE...]: makes profiles of what Python calls dictionaries.
make_profile() {
	python3 -S "$TOP/test/collapse/pprof" "$@"
}

# A function that was inlined into main, and two types of values.
small='"sample_type": [{"type": "samples", "unit": "count"},
	{"type": "cpu", "unit": "nanoseconds"}],
"location": [{"id": 1, "line": [{"function_id": 7, "line": 3},
	{"function_id": 8, "line": 12}]}, {"id": 2,
	"line": [{"function_id": 8, "line": 14}]}],
"function": [{"id": 7, "name": "square", "filename": "src/math.c"},
	{"id": 8, "name": "main", "filename": "src/main.c"}]'

# The stacks that pprof prints, without marks of inlined functions.
do='runtime.main;main.main;main.do;runtime/pprof.Do;main.do.func1;main.main'
sort='sort.Ints;sort.Sort;sort.pdqsort;sort.pdqsort'
s=sort.pdqsort

@test "stacks match pprof, with their nanoseconds or labels" {
	stackcollapse-pprof "$DATA/collapse/pprof" | sed 's/_\[i\]//g' |
		is 4<<-END
		$do.func1;main.sum 10000000
		$do.func1;main.sum;main.square 120000000
		$do.func1;main.sum;main.square;runtime.asyncPreempt 20000000
		$do.func2;main.order;$sort;sort.partition 10000000
		$do.func2;main.order;$sort;$s;sort.partition 10000000
		$do.func2;main.order;$sort;$s;$s;$s;sort.partition 10000000
		$do.func2;main.order;$sort;$s;$s;$s;$s;$s;$s;sort.insertionSort;sort.IntSlice.Swap 10000000
		END
	stackcollapse-pprof --type samples --label request \
		"$DATA/collapse/pprof" | sed 's/;.*;/;...;/' |
		is 4<<-'END'
		order;...;sort.partition 1
		order;...;sort.partition 1
		order;...;sort.partition 1
		order;...;sort.IntSlice.Swap 1
		sum;...;main.sum 1
		sum;...;main.square_[i] 12
		sum;...;runtime.asyncPreempt 2
		END
}

@test "--type chooses the values; otherwise the profile does, or the last ones count" {
	local json="$small, \"sample\": [{\"location_id\": [1], \"value\": [3, 30]},
		{\"location_id\": [1], \"value\": [0, -4]},
		{\"location_id\": [2], \"value\": [0, 7]},
		{\"location_id\": [2], \"value\": [9]},
		{\"location_id\": [2], \"value\": []}]"
	make_profile profile other <<-END
	{$json}

	{$json, "default_sample_type": "samples"}
	END
	fails 1 stackcollapse-pprof profile 2> err |
		are_lines 'main 7' 'main;square_[i] 30'
	is_line 'stackcollapse-pprof: samples with a negative value,' \
		'left out: 1' < err
	stackcollapse-pprof --type samples profile |
		are_lines 'main 9' 'main;square_[i] 3'
	fails 1 stackcollapse-pprof --type bytes profile 2>&1 |
		is_line 'stackcollapse-pprof: profile: its samples have' \
			'no bytes, but samples, cpu'
	stackcollapse-pprof other | are_lines 'main 9' \
		'main;square_[i] 3'
	fails 1 stackcollapse-pprof --type cpu other 2> err |
		are_lines 'main 7' 'main;square_[i] 30'
	fails 1 stackcollapse-pprof profile other profile 2>&1 > out |
		has 'other: its samples are of samples/count, not of cpu/nanoseconds as those before$'
	are_lines 'main 14' 'main;square_[i] 60' < out
}

@test "stacks that come again are added up, in profiles with the same ids" {
	local samples='{"location_id": [1, 2], "value": [0, 1]},
		{"location_id": [2, 1], "value": [0, 10]},
		{"location_id": [1, 2], "value": [0, 100]},
		{"location_id": [1, 2, 1], "value": [0, 0]},
		{"location_id": [2, 1], "value": [0, -1]},
		{"location_id": [], "value": [0, 7]},
		{"location_id": [1, 2], "value": [0, 1000]}'
	make_profile one other <<-END
	{$small, "sample": [$samples]}

	{${small/square/cube}, "sample": [$samples]}
	END
	fails 1 stackcollapse-pprof one other 2> err | is 4<<-'END'
	[unknown] 14
	main;cube_[i];main 10
	main;main;cube_[i] 1101
	main;main;square_[i] 1101
	main;square_[i];main 10
	END
	is_line 'stackcollapse-pprof: samples with a negative value,' \
		'left out: 2' < err
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
	stackcollapse-pprof --label user profile | are_lines \
		'-1 bytes;main 4' '12;main 2' '3 s;main;square_[i] 8' \
		'ada:b;main 1'
	stackcollapse-pprof --label page --label user profile |
		are_lines '/,/a;12;main 2' '/;ada:b;main 1' \
			'[no page];-1 bytes;main 4' \
			'[no page];3 s;main;square_[i] 8'
}

@test "--no-inline leaves inlined functions out, --lines adds lines" {
	make_profile profile other <<-END
	{$small, "sample": [{"location_id": [1], "value": [3, 30]}]}

	{${small/, \"line\": 12/}, "sample": [{"location_id": [1], "value": [3, 30]}]}
	END
	stackcollapse-pprof --no-inline profile | is_line 'main 30'
	stackcollapse-pprof --lines profile |
		is_line 'main:main.c:12;square:math.c:3_[i] 30'
	stackcollapse-pprof --lines other |
		is_line 'main:main.c:?;square:math.c:3_[i] 30'
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
		is_line 'foo::bar;a:b_c;net/http.(*conn).serve 1'
}

@test "addresses without names are named by the file that was mapped" {
	local page offset id
	make_shop
	page=$((total & ~4095))
	offset=$(readelf -lW root/opt/shop | awk '
		$1 == "LOAD" && / E / { print $2 }')
	make_profile > profile <<-END
	{"sample_type": [{"type": "a", "unit": "b"}],
	"sample": [{"location_id": [1, 2, 3], "value": [1]}],
	"mapping": [{"id": 1, "memory_start": $page, "file_offset": $((offset)),
		"memory_limit": $((page + 4096)), "build_id": "1234AbcD",
		"filename": "/opt/shop"}],
	"location": [{"id": 1, "mapping_id": 1, "address": $total},
		{"id": 2, "mapping_id": 1, "address": $((page + 0x800000))},
		{"id": 3, "address": 255}]}
	END
	stackcollapse-pprof --symfs root profile 2>&1 |
		diff - <(echo 'stackcollapse-pprof: addresses without a' \
			"function's name: 2 of 2, most of them in /opt/shop," \
			'which is another build now'
		echo '[unknown];[shop];[shop] 1')
	# none, and what is no build id, matches any file
	for id in '\x00' '\x03123' '\x020g' "\\x2a$(printf '%042d' 1)"; do
		sed "s/\x081234AbcD/$id/" profile > other
		stackcollapse-pprof --symfs root other 2> err |
			is_line '[unknown];[shop];total;price_[i] 1'
	done
	stackcollapse-pprof --symfs root --no-inline --addrs other 2> err |
		diff - <(printf '[unknown <ff>];[shop <%x>];total 1\n' \
			$((offset + 0x800000)))
	stackcollapse-pprof --symfs root --lines other 2> err |
		is_line '[unknown];[shop];total:shop.c:6;price:shop.c:3_[i] 1'
	stackcollapse-pprof --symfs elsewhere other 2>&1 |
		has 'in /opt/shop, which is not there; --symfs tells where it is'
}

# written SAMPLE...: the bytes of a profile of the functions leaf and root, which
# the locations 1 and 2 are, with these samples or other fields.
written() {
	printf '\12\4\10\1\20\2'
	printf '%b' "$@"
	printf '\42\6\10\1\42\2\10\1\42\6\10\2\42\2\10\2'
	printf '\52\4\10\1\20\3\52\4\10\2\20\4'
	printf '\62\0\62\3cpu\62\2ns\62\4leaf\62\4root'
}

@test "a stack may come as a list, in several lists, or number by number" {
	# lists of one location, the last one of two; then single numbers
	written '\022\011\012\1\1\012\1\2\022\1\1' \
		'\022\011\012\1\2\012\1\2\022\1\1' \
		'\022\006\012\1\2\022\1\1' \
		'\022\007\012\2\2\1\022\1\1' \
		'\022\006\010\1\010\2\020\5' | stackcollapse-pprof |
		are_lines 'leaf;root 1' 'root 1' 'root;leaf 6' \
			'root;root 1'
	echo 'main;x 2' > folded
	written '\022\006\012\1\2\022\1\1' |
		stackcollapse-pprof - folded | are_lines 'main;x 2' 'root 1'
	written | fails 1 stackcollapse-pprof 2>&1 |
		is_line 'stackcollapse-pprof: no sample has a value'
}

@test "a sample without its location, and others, are damage" {
	# a list that is cut short, locations 9, function 9 and mapping 5
	for part in '\022\3\022\5\1' '\022\6\012\1\011\022\1\1' \
	    '\022\6\012\1\3\022\1\1\042\6\010\3\042\2\010\011' \
	    '\022\6\012\1\3\022\1\1\042\4\010\3\020\5'; do
		written "$part" > profile
		fails 1 stackcollapse-pprof profile 2>&1 > out |
			is_line 'stackcollapse-pprof: profile: it is' \
				'damaged: a sample refers to a missing' \
				'location, or is cut short'
	done
	gzip -dc "$DATA/collapse/pprof" > plain
	head -c -3 plain > short
	fails 1 stackcollapse-pprof short 2>&1 |
		is_line 'stackcollapse-pprof: short: it is damaged or cut short'
}

@test "a small file that unpacks to very much, or whose tables do, is refused" {
	# a string of 70 MB; a type of samples, and 9 million strings
	{
		printf '\62\200\273\260\41'
		head -c 70000000 /dev/zero
	} | gzip > string
	{
		printf '\12\4\10\1\20\1'
		set +o pipefail
		yes 2 | head -c 18000000 | tr '\n' '\0'
	} | gzip > many
	fails 1 stackcollapse-pprof string many 2>&1 | diff - <(
		printf 'stackcollapse-pprof: %s: it unpacks to more than 400 times its size\n' \
			string many)
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
		is_line 'stackcollapse-pprof: profile: the names of its' \
			'frames add up to far more than its size'
}

@test "a long name in very many frames or labels is refused" {
	# each a number of lines, a function's name, and labels of samples
	while read -r lines name labels; do
		cat <<-END
		{"sample_type": [{"type": "cpu", "unit": "ns"}],
		"location": [{"id": 1, "line": [{"function_id": 1}] * $lines}],
		"function": [{"id": 1, "name": $name}],
		"sample": [{"location_id": 1, "value": 1, "label":
		    [{"key": "k", "str": text} for text in texts]}
		    for texts in $labels]}

		END
	done <<-'END' > profiles
	20000 "n"*1000000 [[]]
	1 "main" [["n"*1000000]*20000]
	1 "main" [["n"*200000]]*500
	1 "main" (lambda n:[[n[i//200],n[80+i%200]]for i in range(16000)])([str(i)+"n"*5000 for i in range(280)])
	20 "n"*1000000 [["n"*1000000]*20]
	END
	make_profile frames labels samples pairs few < profiles
	cp frames profile
	refuses
	for name in labels samples pairs; do
		cp $name profile
		refuses --label=k
		[ "$(wc -c < out)" -lt 80000000 ]
	done
	stackcollapse-pprof pairs | is_line main 16000
	# one stack of 4 GB
	make_profile profile <<-'END'
	{"sample_type": [{"type": "cpu", "unit": "ns"}],
	"location": [{"id": 1, "line": [{"function_id": 1}]}],
	"function": [{"id": 1, "name": "n"*40000}],
	"sample": [{"location_id": [1]*100000, "value": 1}]}
	END
	# and one of 320 million frames
	make_profile frames <<-'END'
	{"sample_type": [{"type": "cpu", "unit": "ns"}],
	"location": [{"id": 1, "line": [{"function_id": 1}] * 8000}],
	"function": [{"id": 1, "name": "n"}],
	"sample": [{"location_id": [1]*40000, "value": 1}]}
	END
	for name in profile frames; do
		fails 1 stackcollapse-pprof $name 2>&1 > out |
			has 'its stacks add up to far more than its size'
	done
	stackcollapse-pprof --label=k few | tr -cd n | wc -c | is_line 40000000
}

# 2 GB, of which the disk holds nothing, nor memory, where that much is mapped.
@test "a profile that is larger than messages may be is refused" {
	needs_64_bits
	gzip -dc "$DATA/collapse/pprof" > large
	truncate -s 2147483648 large || skip 'no file may be so large'
	fails 1 stackcollapse-pprof large 2>&1 |
		is_line 'stackcollapse-pprof: large: it is too large'
}
