load ../helper

# data/collapse/otlp is what protoc makes of OpenTelemetry's schema and of what
# the first test says.

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

encode() {
	python3 -S "$TOP/test/collapse/pprof" "$@"
}

# The stacks main;total;price and main.
tables='1: [{}, {1: 4096, 3: 0, 4: 7}],
2: [{}, {3: {1: 1, 2: 3}}, {3: [{1: 3, 2: 9}, {1: 2, 2: 12}]}, {1: 1, 2: 5000}],
3: [{}, {1: 3, 3: 6}, {1: 4, 3: 6}, {1: 5, 3: 6}],
5: [b"", b"samples", b"count", b"main", b"total", b"price", b"src/shop.c",
	b"missing.so", b"off_cpu"],
7: [{}, {1: [2, 1]}, {1: [3, 1]}]'

# file [TYPE SAMPLE,...]...: a file of profiles, in each of whose samples 1 is a
# stack, and 4 its values.
file() {
	printf '{1: {2: {2: ['
	printf '{1: {1: %s, 2: 2}, 2: [%s]},' "$@"
	printf ']}}, 2: {%s}}\n' "$tables"
}

@test "a sample counts its values, or its times if it has none" {
	# two times, of 8 bytes each
	file 1 '{1: 1, 4: [20, 5]}, {1: 1, 5: bytes(16)}, {1: 1, 4: -5}' |
		encode > in
	gzip -c in | fails 1 stackcollapse 2> err |
		is_line 'main;total;price_[i] 27'
	is_line 'stackcollapse-otlp: samples with a negative value,' \
		'left out: 1' < err
	fails 1 stackcollapse-otlp --no-inline in 2> err |
		is_line 'main;total 27'
	fails 1 stackcollapse-otlp --lines in 2> err | is_line \
		'main:shop.c:3;total:shop.c:12;price:shop.c:9_[i] 27'
}

@test "profiles of other types than the first are left out, unless wanted" {
	file 1 '{1: 1, 4: 1}' 8 '{1: 1, 4: 100}, {1: 1, 4: 10}' 1 '{1: 1, 4: 2}' |
		encode > in
	stackcollapse-otlp in 2> err | is_line 'main;total;price_[i] 3'
	is_line "stackcollapse-otlp: samples of other types than the" \
		"first profile's, left out: 2" < err
	stackcollapse-otlp --type off_cpu in 2> err |
		is_line 'main;total;price_[i] 110'
	is_line 'stackcollapse-otlp: samples of other types than' \
		'off_cpu, left out: 2' < err
}

@test "addresses without a line have the name of their file" {
	file 1 '{1: 2, 4: 1}, {4: 3}' | encode > in
	stackcollapse-otlp in 2> err |
		are_lines '[unknown] 3' 'main;[missing.so] 1'
	stackcollapse-otlp --addrs in 2> err |
		grep -qx 'main;\[missing.so <388>\] 1'
}

@test "damage is reported" {
	for stack in 3 -1 99999999999; do
		file 1 "{1: $stack, 4: 1}"
		echo
	done | encode 0 1 2
	for name in 0 1 2; do
		fails 1 stackcollapse-otlp $name 2>&1 | is_line \
			"stackcollapse-otlp: $name: it is damaged: a message is" \
			'cut short, or refers to a missing one'
	done
	fails 1 stackcollapse-otlp "$DATA/collapse/pprof" 2>&1 |
		has 'it is not a profile of OpenTelemetry; it looks like'
}

@test "names that the linker made are demangled, others stay" {
	tables='2: [{}, {3: [{1: 2}, {1: 1}]}],
		3: [{}, {1: 1}, {2: 3}],
		5: [b"", b"serve", b"count", b"_ZN3foo3barEi"], 7: [{}, {1: 1}]'
	file 1 '{1: 1, 4: 1}' | encode > in
	stackcollapse-otlp in | is_line 'serve;foo::bar_[i] 1'
}

# A location of 8,000 lines, and one with a long name, in a stack 8,000 times.
@test "a small file cannot make stacks without end" {
	tables='2: [{}, {3: [{1: 1}] * 8000}],
		3: [{}, {1: 1}], 5: [b"", b"a long name", b"count"],
		7: [{}, {1: [1] * 8000}]'
	file 1 '{1: 1, 4: 1}' | encode > frames
	tables='2: [{}, {3: {1: 1}}], 3: [{}, {1: 1}],
		5: [b"", b"n" * 30000, b"count"], 7: [{}, {1: [1] * 12000}]'
	file 1 '{1: 1, 4: 1}' | encode > names
	for name in frames names; do
		fails 1 timeout 60 "$BIN/stackcollapse-otlp" $name 2>&1 |
			has 'its stacks add up to far more than its size$'
	done
}
