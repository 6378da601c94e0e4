load ../helper

# Scripts as they are found in the wild, which call the original programs.

setup_file() {
	# The last test removes what the others use.
	export BATS_NO_PARALLELIZE_WITHIN_FILE=true
	[ -e "$BIN/Makefile" ] || { lacks 'no sources'; return; }
	mkdir "$BATS_FILE_TMPDIR/tree"
	copy_tree "$BATS_FILE_TMPDIR/tree"
	make -s -C "$BATS_FILE_TMPDIR/tree" install-pl \
		DESTDIR="$BATS_FILE_TMPDIR/to" PREFIX=/usr > /dev/null
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -z "${LACKING-}" ] || skip "$LACKING"
	PATH=$BATS_FILE_TMPDIR/to/usr/bin:$PATH
}

@test "a perf one-liner runs unchanged" {
	cat > script <<-'END'
	#!/bin/sh
	# usage: script PROFILE TITLE
	set -e
	cat "$1" | stackcollapse-perf.pl --all | grep -v -e cpu_idle |
		flamegraph.pl --color=java --hash --title="$2" --width 1800 > flame.svg
	END
	sh script "$DATA/demo.perf" 'CPU, 30 s'
	grep -q '>CPU, 30 s</text>' flame.svg
	grep -q 'width="1800"' flame.svg
	grep -q '<title>do_syscall_64 (' flame.svg
}

@test "a comparison of before and after runs unchanged" {
	cat > script <<-'END'
	#!/bin/bash
	set -euo pipefail
	for run in before after; do
		stackcollapse-perf.pl --kernel < $run.perf > $run.folded
	done
	difffolded.pl -n before.folded after.folded | flamegraph.pl > more.svg
	difffolded.pl -n -s after.folded before.folded |
		flamegraph.pl --negate --subtitle 'after, red is slower' > less.svg
	END
	cp "$DATA/demo.perf" before.perf
	{ cat before.perf; grep -A30 '^cc1 ' before.perf; echo; } > after.perf
	bash script
	grep -q '<title>cc1 (.*; 0.00%)</title>' more.svg
	grep -q '%; +' more.svg
	grep -q '>after, red is slower</text>' less.svg
}

@test "a DTrace script's output is drawn unchanged" {
	cat > script <<-'END'
	#!/bin/sh
	if [ "$#" -ne 1 ]; then echo "usage: $0 stacks" >&2; exit 1; fi
	stackcollapse.pl "$1" > out.folded &&
	grep -v genunix out.folded | flamegraph.pl --colors io --countname=reads > out.svg
	END
	cat > out.stacks <<-'END'
	CPU     ID                    FUNCTION:NAME
	  1  64091                        :tick-60s


	              libc.so.1`read+0xa
	              bash`readline+0x12
	              bash`main+0x1
	              150
	END
	sh script out.stacks
	diff out.folded <(echo 'bash`main;bash`readline;libc.so.1`read 150')
	grep -q '<title>libc.so.1`read (150 reads, 100.00%)</title>' out.svg
}

@test "messages carry the name that a program was called by" {
	fails 2 flamegraph.pl missing 2>&1 > out.svg |
		has '^flamegraph.pl: missing: No such file'
	fails 2 stackcollapse-perf.pl --nope 2>&1 |
		has "^Try 'stackcollapse-perf.pl --help'"
	fails 2 difffolded.pl one 2>&1 | has "^Try 'difffolded.pl --help'"
	fails 2 files.pl 2>&1 | has "^Try 'files.pl --help'"
	fails 1 stackcollapse.pl missing 2>&1 | has '^stackcollapse.pl: missing'
}

@test "uninstall leaves nothing" {
	make -s -C "$BATS_FILE_TMPDIR/tree" uninstall \
		DESTDIR="$BATS_FILE_TMPDIR/to" PREFIX=/usr
	find "$BATS_FILE_TMPDIR/to" ! -type d | diff - /dev/null
}
