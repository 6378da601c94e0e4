load ../helper

# The job of flamegraph-ci(7), with a perf that knows two programs: it prints
# what perf script would.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -r "$TOP/man/flamegraph-ci.7" ] || skip 'no manual'
	sed -n '/^#!\/bin\/sh$/,/^\.Ed$/p' "$TOP/man/flamegraph-ci.7" |
		sed -e '$d' -e 's/\\e/\\/g' > compare.sh
	mkdir bin before after
	cat > bin/perf <<-'END'
	#!/bin/sh
	# record ... -o FILE -- ./FOLDER/bench
	while [ "$1" != -o ]; do
		shift
	done
	# what is seen once tells what a sample counts
	[ -e "$2" ] && rare= || rare=1
	awk -v counts="$(cat "${4%/bench}/counts") $rare" 'BEGIN {
		n = split(counts, list)
		for (i = 1; i <= n; i++)
			for (j = 0; j < list[i]; j++)
				printf "bench 7 1.0: 1 cpu-clock:u:\n" \
				    "\t1 f%d (bench)\n\t2 main (bench)\n" \
				    "\t3 _start (bench)\n\n", i
	}' > "$2"
	END
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH
	echo 800 400 > before/counts
}

@test "the job passes where nothing has changed" {
	grep -q foldedtop compare.sh
	echo 810 390 > after/counts
	sh compare.sh > out 2> err
	diff /dev/null err
	grep -q '^total, changed beyond chance (3 sigma): 0$' diff.txt
	grep -q '</svg>' diff.svg
}

@test "the job fails where a function became slower, and keeps its files" {
	echo 800 480 > after/counts
	fails 3 sh compare.sh > out 2> err
	is_line 'foldedtop: f2: total before 2,133, after 2,400, +267,' \
		'+4.17 points, +12.50%, 4.8 sigma; self the same' < err
	grep -q ' f2$' diff.txt
	grep -q '</svg>' diff.svg
}

@test "the job fails where nothing was recorded" {
	echo > after/counts
	fails 1 sh compare.sh > out 2> err
	echo 800 480 > after/counts
	sed -i 's/> "$2"/| head -c 55 > "$2"/' bin/perf
	fails 1 sh compare.sh > out 2> err
}
