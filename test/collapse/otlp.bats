load ../helper

# data/collapse/otlp is what protoc makes of OpenTelemetry's schema and of what
# the first test says.

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

# encode: makes a message of lines "FIELD VALUE" with a number, a text in quotes
# or, in the lines up to its "}", a message: "FIELD {".
encode() {
	python3 -S -c '
import sys
lines = iter(sys.stdin.read().split("\n"))
def number(n):
    out = b""
    n &= (1 << 64) - 1
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])
def message():
    out = b""
    for line in lines:
        word = line.split(None, 1)
        if word == ["}"]:
            break
        if not word:
            continue
        field, value = int(word[0]), word[1]
        if value == "{":
            value = message()
        elif value[0] == "\"":
            value = value[1:-1].encode()
        else:
            out += number(field << 3) + number(int(value))
            continue
        out += number(field << 3 | 2) + number(len(value)) + value
    return out
sys.stdout.buffer.write(message())'
}

# tables: the dictionary of most tests: the stacks main;total;price and main.
tables() {
	tr ' ' '\n' <<-'END' | tr '=' ' '
	2={ 1={ } 1={ 1=4096 3=0 4=7 }
	2={ } 2={ 3={ 1=1 2=3 } } 2={ 3={ 1=3 2=9 } 3={ 1=2 2=12 } } 2={ 1=1 2=5000 }
	3={ } 3={ 1=3 3=6 } 3={ 1=4 3=6 } 3={ 1=5 3=6 }
	5="" 5="samples" 5="count" 5="main" 5="total" 5="price" 5="src/shop.c"
	5="missing.so" 5="off_cpu"
	7={ } 7={ 1=2 1=1 } 7={ 1=3 1=1 } }
	END
}

# profile TYPE SAMPLE...: a profile, each sample a list "FIELD VALUE ...".
profile() {
	printf '1 {\n2 {\n2 {\n1 {\n1 %s\n2 2\n}\n' "$1"
	shift
	for sample; do
		echo '2 {'
		# shellcheck disable=SC2086 # they are several
		printf '%s %s\n' $sample
		echo '}'
	done
	printf '}\n}\n}\n'
}

@test "a sample counts its values, or its times if it has none" {
	{
		profile 1 '1 1 4 20 4 5' '1 1 5 1700 5 1800' '1 1 4 -5'
		tables
	} | encode > in
	gzip -c in | stackcollapse 2> err |
		diff - <(echo 'main;total;price_[i] 27')
	diff err <(echo 'stackcollapse-otlp: samples with a negative value,' \
		'left out: 1')
	stackcollapse-otlp --no-inline in 2> err |
		diff - <(echo 'main;total 27')
	stackcollapse-otlp --lines in 2> err | diff - <(echo \
		'main:shop.c:3;total:shop.c:12;price:shop.c:9_[i] 27')
}

@test "profiles of other types than the first are left out, unless wanted" {
	{
		profile 1 '1 1 4 1'
		profile 8 '1 1 4 100' '1 1 4 10'
		profile 1 '1 1 4 2'
		tables
	} | encode > in
	stackcollapse-otlp in 2> err |
		diff - <(echo 'main;total;price_[i] 3')
	diff err <(echo "stackcollapse-otlp: samples of other types than the" \
		"first profile's, left out: 2")
	stackcollapse-otlp --type off_cpu in 2> err |
		diff - <(echo 'main;total;price_[i] 110')
	diff err <(echo 'stackcollapse-otlp: samples of other types than' \
		'off_cpu, left out: 2')
}

@test "addresses without a line have the name of their file" {
	{
		profile 1 '1 2 4 1' '4 3'
		tables
	} | encode > in
	stackcollapse-otlp in 2> err |
		diff - <(printf '%s\n' '[unknown] 3' 'main;[missing.so] 1')
	stackcollapse-otlp --addrs in 2> err |
		grep -qx 'main;\[missing.so <388>\] 1'
}

@test "damage is told" {
	for sample in '1 3 4 1' '1 -1 4 1' '1 99999999999 4 1'; do
		{
			profile 1 "$sample"
			tables
		} | encode > in
		fails 1 stackcollapse-otlp in 2>&1 | diff - <(echo \
			'stackcollapse-otlp: in: it is damaged: a message is' \
			'cut short, or refers to one that is not there')
	done
	fails 1 stackcollapse-otlp "$DATA/collapse/pprof" 2>&1 |
		has 'it is not a profile of OpenTelemetry; it looks like'
}

# A location of 8,000 lines, in a stack 8,000 times.
@test "a small file cannot make stacks without end" {
	{
		profile 1 '1 1 4 1'
		echo '2 {'
		printf '2 {\n}\n2 {\n'
		printf '3 {\n1 1\n}\n%.0s' {1..8000}
		printf '}\n3 {\n}\n3 {\n1 1\n}\n5 ""\n5 "a long name"\n5 "count"\n'
		printf '7 {\n}\n7 {\n'
		printf '1 1\n%.0s' {1..8000}
		printf '}\n}\n'
	} | encode > in
	fails 1 timeout 60 "$BIN/stackcollapse-otlp" in 2>&1 |
		has 'its stacks add up to far more than its size$'
}
