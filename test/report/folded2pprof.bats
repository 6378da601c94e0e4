load ../helper

# What a profile holds is what stackcollapse-pprof reads, and what pprof prints
# of it, where Go is installed.

# pprof OPTION... FILE: what Go's pprof prints.
pprof() {
	go tool pprof "$@" 2> /dev/null
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[[ $BATS_TEST_DESCRIPTION != pprof* ]] ||
		command -v go > /dev/null || skip 'install golang-go'
}

@test "an exported profile folds to the same stacks" {
	for profile in "$DATA"/{py-spy,austin,async-profiler,bpftrace}.folded; do
		grep -v -e '^# ' -e '^$' "$profile" | sort > in
		folded2pprof in | stackcollapse-pprof | diff in -
	done
	stackcollapse-perf --all "$DATA/demo.perf" > in
	folded2pprof in | stackcollapse-pprof | diff in -
	folded2pprof --threads in | stackcollapse-pprof --label thread |
		diff in -
}

@test "pprof finds the functions, samples and locations of the stacks" {
	stackcollapse-perf "$DATA/demo.perf" > in
	folded2pprof in > out.pb
	total=$(awk '{ n += $NF } END { print n }' in)
	pprof -top -nodefraction=0 -nodecount=9999 -unit=count out.pb > listed
	sed -n 1p listed | is_line 'Type: samples'
	has ", 100% of ${total}count total\|, 100% of $total total" < listed
	# its own counts are those of foldedtop
	awk '/%/ && $2 ~ /%$/ && $1 + 0 > 0 { print $1 + 0 }' listed | sort -n > its
	foldedtop --tsv in | awk 'NR > 1 && $1 + 0 > 0 { print $1 }' | sort -n |
		diff its -
	folded2pprof > out <<-'END'
	main;parse;read_[k] 12
	main;parse;square_[i] 30
	main;parse;square_[i];deep_[i] 5
	main;parse;read_[k] 1
	lone_[i];x 2
	END
	pprof -raw out | sed -e '/^Period/d' -e 's/  *$//' | is 4<<-'END'
	Samples:
	samples/count
	         13: 1 2 3
	         30: 4 3
	          5: 5 3
	          2: 6 7
	Locations
	     1: 0x0 M=1 read_[k] :0 s=0()
	     2: 0x0 M=1 parse :0 s=0()
	     3: 0x0 M=1 main :0 s=0()
	     4: 0x0 M=1 square :0 s=0()
	             parse :0 s=0()
	     5: 0x0 M=1 deep :0 s=0()
	             square :0 s=0()
	             parse :0 s=0()
	     6: 0x0 M=1 x :0 s=0()
	     7: 0x0 M=1 lone_[i] :0 s=0()
	Mappings
	1: 0x0/0x0/0x0   [FN]
	END
}

@test "two counts are two types of values, of which the last is shown" {
	printf '%s\n' 'a;b 10 20' 'a 5 1' 'c 7' |
		folded2pprof --countname=ns > out
	stackcollapse-pprof --type before out | are_lines 'a 5' 'a;b 10' 'c 7'
	stackcollapse-pprof --type after out | are_lines 'a 1' 'a;b 20' 'c 7'
	command -v go > /dev/null || skip 'install golang-go'
	pprof -raw out | has '^ *before/nanoseconds after/nanoseconds'
	pprof -top out | sed -n 1p | is_line 'Type: after'
}

# The fields 1 of a profile are its types of values, each of two strings'
# numbers; strings are fields 6.
@test "--countname sets the type and the unit" {
	while read -r name type unit; do
		echo 'a 1' | folded2pprof --countname="$name" |
			tr -d '\0' > out
		printf '\62%b%s' "\\0$(printf %o ${#type})" "$type" > words
		[ "$unit" = "$type" ] ||
			printf '\62%b%s' "\\0$(printf %o ${#unit})" "$unit" >> words
		grep -q -a -F "$(cat words)" out
	done <<-'END'
	samples samples count
	ns time nanoseconds
	us time microseconds
	milliseconds time milliseconds
	s time seconds
	bytes space bytes
	cycles cycles count
	END
}

@test "--factor multiplies, and fractions are rounded with a warning" {
	printf '%s\n' 'a 1.5' 'b 2' 'c 0.2' 'c 0.2' > in
	folded2pprof in 2> err | stackcollapse-pprof | are_lines 'a 2' 'b 2'
	is_line 'folded2pprof: fractional values, rounded: 2' < err
	folded2pprof --factor=10 in 2> err | stackcollapse-pprof |
		are_lines 'a 15' 'b 20' 'c 4'
	[ ! -s err ]
}

@test "counts have all their digits, up to 2^63 - 1" {
	printf '%s\n' 'a 9007199254740993' 'b 9223372036854775807' |
		folded2pprof | stackcollapse-pprof |
		are_lines 'a 9007199254740993' \
			'b 9223372036854775807'
	echo 'b 9223372036854775808' | folded2pprof 2> err |
		stackcollapse-pprof | is_line 'b 9223372036854775807'
	is_line 'folded2pprof: a value is larger than 2^63 - 1, and is written as that' < err
	printf '%s\n' 'b 18446744073709551615' 'b 1' |
		folded2pprof 2> err > out
	sed -n 1p err |
		is_line 'folded2pprof: a count is larger than 2^64 - 1, and is written as that'
}

@test "--threads makes labels of the outermost frames, empty names are unknown" {
	# --threads makes labels of the outermost frames
	printf '%s\n' 'make-41/41;main;read 20' 'make-41/41 7' 'cc-2/3;main 4' |
		folded2pprof --threads > out
	stackcollapse-pprof --label thread out | are_lines \
		'cc-2/3;main 4' 'make-41/41;[unknown] 7' \
		'make-41/41;main;read 20'
	# an empty name is a function that pprof does not know
	printf '%s\n' 'a;;b 3' ' 4' ';; 5' | folded2pprof |
		stackcollapse-pprof | are_lines '[unknown] 9' \
			'a;[unknown];b 3'
}

@test "the message has the fields of pprof's schema" {
	command -v protoc > /dev/null || skip 'install protobuf-compiler'
	printf '%s\n' 'a;b_[i] 300' | folded2pprof --threads |
		protoc --decode_raw | is 4<<-'END'
	1 {
	  1: 1
	  2: 2
	}
	2 {
	  1: "\001"
	  2: "\254\002"
	  3 {
	    1: 3
	    2: 4
	  }
	}
	3 {
	  1: 1
	  7: 1
	}
	4 {
	  1: 1
	  2: 1
	  4 {
	    1: 2
	  }
	}
	5 {
	  1: 1
	  2: 5
	}
	5 {
	  1: 2
	  2: 6
	}
	6: ""
	6: "samples"
	6: "count"
	6: "thread"
	6: "a"
	6: "b"
	6: "b_[i]"
	END
}

@test "without a stack nothing is written, and the status is 1" {
	for program in folded2pprof folded2speedscope folded2firefox; do
		fails 1 $program < /dev/null 2>&1 |
			is_line "$program: the input is empty"
		fails 1 $program <<< 'no count' > out 2> err
		[ ! -s out ]
		has 'no line is a stack and a count' < err
		fails 1 $program missing 2> err | diff /dev/null -
		has 'missing: No such file' < err
	done
	fails 2 folded2pprof --flamechart 2>&1 < /dev/null | has flamechart
	printf 'a\377b;\303\251\033 3\nnone\n' | folded2pprof 2> err | stackcollapse-pprof |
		diff - <(printf 'a\357\277\275b;\303\251\357\277\275 3\n')
	is_line 'Ignored 1 lines with invalid format' < err
}

@test "a last line without a newline counts, and is reported" {
	for program in folded2pprof folded2speedscope folded2firefox; do
		printf 'a;b 3\nc 1' > in
		$program in 2> err > out
		is_line "$program: in: line 2 has no end; if it is cut" \
			'off, its count is wrong' < err
		cmp out <(printf 'a;b 3\nc 1\n' | $program)
		printf 'a;b 3\nc' > in
		$program in 2>&1 > out | has 'line 2 is cut off'
		printf 'a;b 3' > in
		fails 0 $program in in 2>&1 > out | grep -c 'line 1 has no end' |
			is_line 2
	done
}

@test "a stack of thousands of functions that are inlined stays small" {
	seq -f 'f%.0f_[i]' 3000 | paste -s -d ';' - | sed 's/$/ 1/' > in
	folded2pprof in > out
	# a location has up to 256 functions, each of 5 bytes
	[ "$(gzip -dc out | wc -c)" -lt 2000000 ]
	stackcollapse-pprof out | cmp - in
}

@test "one line of many frames, and many lines of one, take no time" {
	awk 'BEGIN {
		for (; i < 50000; i++)
			printf "%s%d", i ? ";" : "", i % 7
		print " 1"
		for (i = 0; i < 50000; i++)
			print i % 10 ";" i, 1
	}' > in
	for program in folded2pprof folded2speedscope folded2firefox; do
		timeout 60 $program --threads in > out
		[ -s out ]
	done
}
