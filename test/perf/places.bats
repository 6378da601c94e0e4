load ../helper
load recording

# Functions are found wherever their names are on the disk: packed in the
# program, in the cache of debuginfod, where perf archive was unpacked, in the
# root of a container.

setup_file() {
	for tool in gcc nm objcopy readelf strip; do
		command -v "$tool" > /dev/null ||
			{ lacks 'install gcc binutils'; return; }
	done
	makes_x86_64 || { lacks 'not written for this'; return; }
	needs_drivers
	cd "$BATS_FILE_TMPDIR" || return
	cat > program.c <<-'END'
	#define APART __attribute__((noinline, noclone))
	APART static int inner(int n) { return n * 7 % 13; }
	APART int outer(int n) { return inner(n) + inner(n + 1); }
	int other(int n) __attribute__((alias("outer")));
	static int more(int n) __attribute__((alias("outer"), used));
	int main(int argc, char **argv) { return outer(argc + argv[0][0]); }
	END
	gcc -O1 -g -rdynamic -Wl,--build-id=sha1 -o whole program.c
	gcc -O1 -g -rdynamic -Wl,--build-id=0x1234 -o another program.c
	strip -o stripped whole
	objcopy --only-keep-debug whole debug
	# the addresses of its functions, which are their offsets, too
	for name in inner outer main; do
		export "${name^^}=$(nm whole |
			sed -n "s/^0*\(.*\) [Tt] $name\$/0x5000\1/p")"
	done
	build_id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
	export build_id
	gcc -O1 -static -x c -o wait - <<-'END' || rm -f wait
	#include <fcntl.h>
	#include <unistd.h>
	int main(void) { creat("/ready", 0600); return pause(); }
	END
}

WHOLE=$BATS_FILE_TMPDIR/whole
ANOTHER=$BATS_FILE_TMPDIR/another	# of another build ID
STRIPPED=$BATS_FILE_TMPDIR/stripped	# without .symtab
DEBUG=$BATS_FILE_TMPDIR/debug

# Nothing is found in the caches of who runs the tests.
unset DEBUGINFOD_CACHE_PATH DEBUGINFOD_URLS DEBUGINFOD_TIMEOUT XDG_CACHE_HOME
export HOME=$BATS_FILE_TMPDIR

# recorded PROGRAM [BUILD-ID]: makes perf.data of samples in its functions, of
# the process $pid.
pid=5
recorded() {
	record > perf.data <<-END
	$EVENT
	${2:+id $1 $2}
	comm $pid $pid prog
	map $pid $pid 0x50000000 0x100000 0 $1
	sample 1 $pid $pid 10 7 u u: $INNER $OUTER $MAIN
	END
}

# pack FILE: adds a file's contents, packed, to a program as .gnu_debugdata.
pack() {
	xz -c "$1" > packed
	objcopy --add-section .gnu_debugdata=packed "$2"
}

# symbols FILE: makes a file of the symbols that .dynsym lacks, as GDB's manual
# tells (MiniDebugInfo).
symbols() {
	nm -D "$WHOLE" --format=posix --defined-only | cut -d ' ' -f 1 |
		sort > dynamic
	nm "$WHOLE" --format=posix --defined-only |
		awk '$2 ~ /[TtD]/ { print $1 }' | sort | comm -13 dynamic - > kept
	objcopy -S --remove-section .comment --keep-symbols=kept "$DEBUG" "$1"
}

# folds_to STACK [OPTION ...]: the recording is one stack, without messages.
folds_to() {
	stackcollapse-perf "${@:2}" perf.data 2> err | is_line "prog;$1 7"
	diff /dev/null err
}

@test "another machine's files and kernel are not taken for this one's" {
	local here=$EVENT line
	for line in 'machine sparc64' 'release 4.14.0'; do
		EVENT=$line$'\n'$here
		recorded "$WHOLE"
		stackcollapse-perf perf.data 2> err |
			is_line 'prog;[whole];[whole];[whole] 7'
		has "recorded on another machine (.*${line#* }.*--symfs" err
		stackcollapse-perf --symfs=// perf.data 2> err | has '\[whole\]'
		recorded "$WHOLE" "$build_id"
		folds_to 'main;outer;inner'
		recorded /whole
		folds_to 'main;outer;inner' --symfs="${WHOLE%/*}"
		record > perf.data <<-END
		$EVENT
		kernel 0xffff1000 0x1000 0xffff1000 [kernel.kallsyms]_text
		sample 1 0 0 10 7 k k: 0xffff1010
		END
		stackcollapse-perf perf.data 2>&1 > out |
			has ' another machine .*--kallsyms'
	done
	EVENT=release$'\t'$(uname -r)$'\n'$here
	recorded "$WHOLE"
	folds_to 'main;outer;inner'
}

@test ".NET's code has the names of perf-PID.map, by address" {
	local map=/tmp/perf-$$.map
	record > perf.data <<-END
	$EVENT
	comm $$ $$ app
	map $$ $$ 0x7000000 0x1000 0x3000 /memfd:doublemapper (deleted)
	sample 1 $$ $$ 10 7 u u: 0x7000010
	END
	stackcollapse-perf perf.data 2> err |
		is_line 'app;[memfd:doublemapper] 7'
	has 'DOTNET_PerfMapEnabled=1' err
	echo '7000000 100 Program::Main' > "$map"
	stackcollapse-perf --jit perf.data > out
	rm "$map"
	is_line 'app;Program::Main_[j] 7' < out
}

@test "a file that cannot be opened now is reported, and the status is 1" {
	local files told=0
	recorded "$WHOLE"
	for files in 4 5 6 7 8 9 10 11 12; do
		if (ulimit -n $files; exec stackcollapse-perf perf.data) \
			> out 2> err; then
			is_line 'prog;main;outer;inner 7' < out
		else
			told=$((told + $(grep -c 'whole: .*; names' err || :)))
		fi
	done
	[ "$told" -gt 0 ]
}

# "outer" and "other" are global names of one function, "more" is a local one.
@test "functions missing in .dynsym come from .gnu_debugdata, unpacked by xz" {
	command -v xz > /dev/null || skip 'install xz-utils'
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	folds_to 'main;outer;[prog]'
	symbols mini
	pack mini prog
	folds_to 'main;outer;inner'
	recorded "$PWD/prog" "$build_id"
	folds_to 'main;outer;inner'
}

@test "a program without any table has its functions in .gnu_debugdata" {
	command -v xz > /dev/null || skip 'install xz-utils'
	gcc -O1 -static -Wl,--build-id=sha1 -o whole \
	    "$BATS_FILE_TMPDIR/program.c" || skip 'no static libc'
	nm whole | sed -n 's/ t inner$//p' > address
	segment=$(readelf -lW whole | awk '$1 == "LOAD" && / E / {
		print $2, $3 }')
	strip -o prog whole
	objcopy --only-keep-debug whole mini
	pack mini prog
	read -r offset start <<< "$segment"
	record > perf.data <<-END
	$EVENT
	comm 5 5 prog
	map 5 5 $start 0x100000 $offset $PWD/prog
	sample 1 5 5 10 7 u u: 0x$(cat address)
	END
	folds_to inner
}

@test "a table of a program's own, or of its debug file, is used alone" {
	command -v xz > /dev/null || skip 'install xz-utils'
	symbols mini
	objcopy --redefine-sym inner=packed mini
	cp "$WHOLE" prog
	pack mini prog
	recorded "$PWD/prog"
	folds_to 'main;outer;inner'
	cp "$STRIPPED" prog
	pack mini prog
	folds_to 'main;outer;packed'
	cp "$DEBUG" prog.debug
	objcopy --add-gnu-debuglink=prog.debug prog
	folds_to 'main;outer;inner'
}

@test "without xz, functions lack their names, and a message says so" {
	command -v xz > /dev/null || skip 'install xz-utils'
	symbols mini
	cp "$STRIPPED" prog
	pack mini prog
	cp prog second
	record > perf.data <<-END
	$EVENT
	comm 5 5 prog
	map 5 5 0x50000000 0x100000 0 $PWD/prog
	map 5 5 0x60000000 0x100000 0 $PWD/second
	sample 1 5 5 10 3 u u: ${INNER/5/6}
	sample 1 5 5 10 7 u u: $INNER $OUTER $MAIN
	END
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" perf.data > out 2> err
	printf 'prog;%s\n' '[second] 3' 'main;outer;[prog] 7' | diff - out
	[ "$(grep -c 'needs xz to be unpacked; names of functions may be missing$' \
	    err)" -eq 1 ]
}

# lost FILE: packs this file into the program, which then is told damaged.
lost() {
	cp "$STRIPPED" prog
	pack "$1" prog
	told_damaged
}

told_damaged() {
	recorded "$PWD/prog"
	stackcollapse-perf perf.data > out 2> err
	echo 'prog;main;outer;[prog] 7' | diff - out
	grep -v 'addresses without' err | is_line "stackcollapse-perf: \
$PWD/prog: damaged debug information; names of functions may be missing"
}

@test ".gnu_debugdata that is not packed, not ELF, or of another file is reported" {
	command -v xz > /dev/null || skip 'install xz-utils'
	echo 'no ELF' > text
	lost text
	: > empty
	lost empty
	lost "$ANOTHER"
	head -c 100 "$WHOLE" > part
	lost part
	strip "$WHOLE" -o bare
	lost bare
	# what is no packed file, or a part of one
	for file in text packed; do
		cp "$STRIPPED" prog
		head -c 50 $file > section
		objcopy --add-section .gnu_debugdata=section prog
		told_damaged
	done
}

@test ".gnu_debugdata that unpacks to more than the limit is not read" {
	command -v xz > /dev/null || skip 'install xz-utils'
	cp "$STRIPPED" prog
	head -c 30000000 /dev/zero | xz -0 > zeros.xz
	xz -0 < "$WHOLE" | cat - zeros.xz{,,,,,,,,,} > packed
	objcopy --add-section .gnu_debugdata=packed prog
	recorded "$PWD/prog"
	fails 1 stackcollapse-perf perf.data > out 2> err
	echo 'prog;main;outer;[prog] 7' | diff - out
	has 'prog: more memory or time is needed .* names of functions may be' err
}

# collect FOLDER: puts the program into perf's own collection, as perf does, and
# the names of a kernel.
collect() {
	local kernel=00112233445566778899aabbccddeeff00112233
	mkdir -p "$1/.build-id/${build_id:0:2}" "$1/.build-id/${kernel:0:2}" \
	    "$1/gone/prog/$build_id" "$1/[kernel.kallsyms]/$kernel"
	cp "$WHOLE" "$1/gone/prog/$build_id/elf"
	ln -s "../../gone/prog/$build_id" "$1/.build-id/${build_id:0:2}/${build_id:2}"
	ln -s "../../[kernel.kallsyms]/$kernel" \
	    "$1/.build-id/${kernel:0:2}/${kernel:2}"
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000100 T do_work' \
	    'ffffffff81000200 T do_more' \
	    > "$1/[kernel.kallsyms]/$kernel/kallsyms"
	record > perf.data <<-END
	$EVENT
	id /gone/prog $build_id
	id [kernel.kallsyms] $kernel
	kernel 0xffffffff81000000 0x1000000 0xffffffff81000000 [kernel.kallsyms]_text
	comm 5 5 prog
	map 5 5 0x50000000 0x100000 0 /gone/prog
	sample 1 5 5 10 7 k k: 0xffffffff81000110 u: $INNER $OUTER
	END
}

@test "--buildid-dir reads an unpacked perf archive instead of ~/.debug" {
	collect files
	folds_to 'outer;inner;do_work' --buildid-dir=files
	folds_to 'outer;inner;do_work' --buildid-dir=files --symfs=/nonexistent
	export HOME=$PWD/home
	collect home/.debug
	folds_to 'outer;inner;do_work'
	mkdir empty
	stackcollapse-perf --buildid-dir=empty perf.data 2> /dev/null |
		is_line 'prog;[prog];[prog];[[kernel.kallsyms]] 7'
	mkdir root
	mv home/.debug root
	stackcollapse-perf --symfs=root perf.data 2> /dev/null |
		is_line 'prog;outer;inner;[[kernel.kallsyms]] 7'
}

# To read a copy takes less time than to ask the kernel.
@test "the running kernel's symbols come from perf's copy if it was loaded at the same address" {
	local id text home=$PWD/home kept
	id=$(od -A n -v -t x1 /sys/kernel/notes | tr -d ' \n' |
		grep -o -E '0400000014000000030000004?474e5500.{40}' |
		tail -c 41) || skip 'the kernel does not tell its build id'
	text=$(sed -n 's/ T _text$//p' /proc/kallsyms)
	case $text in
	*[1-9a-f]*) ;;
	*) skip 'the kernel hides its addresses' ;;
	esac
	kept="$home/.debug/[kernel.kallsyms]/$id"
	mkdir -p "$kept"
	record > perf.data <<-END
	$EVENT
	id [kernel.kallsyms] $id
	kernel 0x$text 0x1000000 0x$text [kernel.kallsyms]_text
	kernel 0xffffffffff800000 0x1000 0 [gone]
	comm 5 5 prog
	sample 1 5 5 10 7 k k: $((0x$text + 0x100))
	sample 1 5 5 10 1 k k: 0xffffffffff800010
	END
	HOME=$home stackcollapse-perf perf.data 2> /dev/null > asked
	fails 1 has do_work asked
	# modules are where they are now, if they are there
	printf '%s\n' "$text T _text" \
	    "$(printf '%x' $((0x$text + 0x80))) T do_work" \
	    $'ffffffffff800000 t do_gone\t[gone]' > "$kept/kallsyms"
	HOME=$home stackcollapse-perf perf.data 2> /dev/null |
		are_lines 'prog;[[gone]] 1' 'prog;do_work 7'
	# another boot put it elsewhere
	sed -i "s/^$text/ffffffff80000000/" "$kept/kallsyms"
	HOME=$home stackcollapse-perf perf.data 2> /dev/null | diff - asked
	# no copy counts where names are to be from elsewhere
	echo "$text t do_else" > names
	HOME=$home stackcollapse-perf --kallsyms=names perf.data 2> /dev/null |
		are_lines 'prog;[[gone]] 1' 'prog;do_else 7'
}

@test "--buildid-dir is a folder that is there" {
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	fails 1 stackcollapse-perf --buildid-dir=gone perf.data 2> err
	echo 'stackcollapse-perf: gone: No such file or directory' | diff - err
	fails 1 stackcollapse-perf --buildid-dir=prog perf.data 2> err
	echo 'stackcollapse-perf: prog: Not a directory' | diff - err
}

# cached FOLDER FILE: puts a file into a cache, as the program's debug file.
cached() {
	mkdir -p "$1/$build_id"
	cp "$2" "$1/$build_id/debuginfo"
}

@test "debuginfod's cache has a program's debug file, wherever the cache is" {
	cp "$STRIPPED" prog
	recorded "$PWD/prog" "$build_id"
	export HOME=$PWD/home
	folds_to 'main;outer;[prog]'
	cached home/.cache/debuginfod_client "$DEBUG"
	folds_to 'main;outer;inner'
	mkdir xdg
	XDG_CACHE_HOME=$PWD/xdg folds_to 'main;outer;[prog]'
	XDG_CACHE_HOME='' folds_to 'main;outer;inner'
	mv home/.cache/debuginfod_client xdg
	folds_to 'main;outer;[prog]'
	XDG_CACHE_HOME=$PWD/xdg folds_to 'main;outer;inner'
	mkdir home/.debuginfod_client_cache
	XDG_CACHE_HOME=$PWD/xdg folds_to 'main;outer;[prog]'
	DEBUGINFOD_CACHE_PATH=$PWD/xdg/debuginfod_client \
		folds_to 'main;outer;inner'
	cached home/.debuginfod_client_cache "$DEBUG"
	folds_to 'main;outer;inner'
	DEBUGINFOD_CACHE_PATH=$PWD/none folds_to 'main;outer;[prog]'
}

@test "in debuginfod's cache another build's file, or none, is not used" {
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	export DEBUGINFOD_CACHE_PATH=$PWD/cache
	cached cache "$ANOTHER"
	folds_to 'main;outer;[prog]'
	cached cache /dev/null
	folds_to 'main;outer;[prog]'
	cached cache "$WHOLE"
	folds_to 'main;outer;inner'
	objcopy --redefine-sym inner=other_inner "$WHOLE" prog.debug
	objcopy --add-gnu-debuglink=prog.debug prog
	folds_to 'main;outer;other_inner'
}

@test "a program that is gone is in debuginfod's cache, with its debug file" {
	recorded /nonexistent/prog "$build_id"
	export DEBUGINFOD_CACHE_PATH=$PWD/cache
	cached cache "$DEBUG"
	cp "$STRIPPED" "cache/$build_id/executable"
	folds_to 'main;outer;inner'
	rm "cache/$build_id/debuginfo"
	folds_to 'main;outer;[prog]'
}

# serve FOLDER: starts debuginfod, and sets DEBUGINFOD_URLS.
serve() {
	local port
	for tool in debuginfod{,-find} curl; do
		command -v "$tool" > /dev/null ||
			skip 'install debuginfod curl'
	done
	for _ in 1 2 3 4 5; do
		port=$((20000 + RANDOM % 20000))
		debuginfod -d :memory: -t 0 -p $port -F "$1" \
			> server 2>&1 3>&- &
		echo $! > server.pid
		export DEBUGINFOD_URLS=http://127.0.0.1:$port
		export DEBUGINFOD_CACHE_PATH=$PWD/cache
		for _ in $(seq 100); do
			kill -0 "$(cat server.pid)" 2> /dev/null || break
			! curl -s -f -o /dev/null "$DEBUGINFOD_URLS/buildid/$build_id/debuginfo" ||
				return 0
			sleep 0.1
		done
		teardown
	done
	skip 'debuginfod does not serve'
}

# lives PID: whether the process runs, and is not only remembered.
lives() {
	grep '^State:' "/proc/$1/status" 2> /dev/null | has -v '(zombie)'
}

teardown() {
	local ended
	[ -e server.pid ] || return 0
	ended=$(cat server.pid)
	rm server.pid
	kill -9 "$ended" 2> /dev/null || return 0
	for _ in $(seq 100); do
		lives "$ended" || return 0
		sleep 0.1
	done
}

@test "--debuginfod fetches a missing file from a server, once" {
	mkdir served
	cp "$WHOLE" served
	serve served
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	folds_to 'main;outer;[prog]'
	stackcollapse-perf --debuginfod perf.data > out 2> err
	echo 'prog;main;outer;inner 7' | diff - out
	echo 'stackcollapse-perf: perf.data: --debuginfod: files found: 1 of 1' |
		diff - err
	folds_to 'main;outer;inner' --debuginfod
	rm -r cache prog
	recorded "$PWD/prog" "$build_id"
	stackcollapse-perf --debuginfod perf.data > out 2> err
	echo 'prog;main;outer;inner 7' | diff - out
	has 'found: 2 of 2$' err || has 'found: 1 of 1$' err
	teardown
	rm -r cache
	stackcollapse-perf --debuginfod perf.data > out 2> err
	echo 'prog;[prog];[prog];[prog] 7' | diff - out
	has ': --debuginfod: files found: 0 of 2$' err
}

@test "without --debuginfod nothing is asked of the network" {
	command -v strace > /dev/null || skip 'install strace'
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	export DEBUGINFOD_URLS=http://127.0.0.1:1
	strace -f -e trace=network,execve -o trace stackcollapse-perf perf.data \
		> out 2> err || skip 'no ptrace'
	is_line 'prog;main;outer;[prog] 7' < out
	[ "$(grep -c -e socket -e connect -e execve trace)" -eq 1 ]
}

@test "--debuginfod needs servers and debuginfod-find, or says so" {
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	for urls in '' ' '; do
		DEBUGINFOD_URLS=$urls fails 1 stackcollapse-perf --debuginfod \
			perf.data > out 2> err
		has ': --debuginfod: DEBUGINFOD_URLS names no server$' err
	done
	export DEBUGINFOD_URLS=http://127.0.0.1:1
	program=$(command -v stackcollapse-perf)
	PATH=/nonexistent "$program" --debuginfod perf.data > out 2> err
	echo 'prog;main;outer;[prog] 7' | diff - out
	echo 'stackcollapse-perf: perf.data: --debuginfod: debuginfod-find' \
	    'cannot be run: No such file or directory' | diff - err
}

# finder: makes a debuginfod-find that does what standard input says.
finder() {
	mkdir -p bin
	{ echo '#!/bin/sh'; cat; } > bin/debuginfod-find
	chmod +x bin/debuginfod-find
	PATH=$PWD/bin:$PATH
	export DEBUGINFOD_URLS=http://127.0.0.1:1
	export DEBUGINFOD_CACHE_PATH=$PWD/cache
}

@test "four files are fetched at a time" {
	# each goes on when a fourth one has begun
	finder <<-'END'
	: > running.$$
	set -- running.*
	echo $# >> counts
	[ $# -lt 4 ] || : > fourth
	until [ -e fourth ]; do sleep 0.05; done
	rm running.$$
	exit 1
	END
	objcopy --dump-section .note.gnu.build-id=note "$STRIPPED" prog
	{
		echo "$EVENT"
		echo 'comm 5 5 prog'
		for n in 1 2 3 4 5 6; do
			{ head -c -1 note; echo $n | head -c 1; } > note.$n
			objcopy --update-section .note.gnu.build-id=note.$n \
			    "$STRIPPED" prog$n
			echo "map 5 5 0x${n}0000000 0x100000 0 $PWD/prog$n"
			echo "sample 1 5 5 10 $n u u: 0x${n}0000100"
		done
	} | record > perf.data
	timeout 60 stackcollapse-perf --debuginfod perf.data \
		> out 2> err
	for n in 1 2 3 4 5 6; do
		echo "prog;[prog$n] $n"
	done | diff - out
	has ': --debuginfod: files found: 0 of 6$' err
	[ "$(sort -n counts | tail -n 1)" -eq 4 ]
}

@test "a program is fetched only where its debug file does not have all" {
	finder <<-END
	echo \$1 >> asked
	[ \$1 = debuginfo ] || exit 1
	mkdir -p cache/\$2
	cp "\$(cat served)" cache/\$2/debuginfo
	END
	recorded "$PWD/prog" "$build_id"
	echo "$WHOLE" > served
	stackcollapse-perf --debuginfod --no-inline perf.data > out 2> err
	echo 'prog;main;outer;inner 7' | diff - out
	has ': --debuginfod: files found: 1 of 1$' err
	echo debuginfo | diff - asked
	rm -r cache asked
	echo "$DEBUG" > served
	stackcollapse-perf --debuginfod --no-inline perf.data > out 2> err
	has ': --debuginfod: files found: 1 of 2$' err
	printf '%s\n' debuginfo executable | diff - asked
}

@test "a server that does not answer or never ends is waited for until the timeout" {
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	for command in 'sleep 100' yes; do
		finder <<< "echo \$\$ > pid; exec $command"
		DEBUGINFOD_TIMEOUT=1 timeout 50 stackcollapse-perf \
			--debuginfod perf.data > out 2> err
		echo 'prog;main;outer;[prog] 7' | diff - out
		has 'files found: 0 of 1; not in time: 1$' err
		fails 1 lives "$(cat pid)"
	done
}

@test "Ctrl-C also ends debuginfod-find" {
	command -v python3 > /dev/null || skip 'install python3'
	finder <<-'END'
	echo $$ > pid
	exec sleep 100
	END
	cp "$STRIPPED" prog
	recorded "$PWD/prog"
	# a program in the background would ignore the signal
	python3 - > out 2> err 3>&- <<-'END'
	import os, signal, subprocess, time
	def begin():
	    os.setsid()
	    signal.signal(signal.SIGINT, signal.SIG_DFL)
	program = subprocess.Popen(["stackcollapse-perf", "--debuginfod",
	    "perf.data"], preexec_fn=begin)
	while not os.path.exists("pid") or os.path.getsize("pid") == 0:
	    time.sleep(0.05)
	os.killpg(program.pid, signal.SIGINT)
	print(program.wait())
	END
	echo -2 | diff - out
	for _ in {1..100}; do
		lives "$(cat pid)" || return 0
		sleep 0.05
	done
	return 1
}

# contain: runs a process in a container, whose files are below root; sets pid.
contain() {
	mkdir -p root/opt root/tmp
	cp "$BATS_FILE_TMPDIR/wait" root || skip 'no static libc'
	unshare --user --map-root-user --mount --pid --fork --kill-child \
	    --root="$PWD/root" /wait > /dev/null 2>&1 3>&- &
	echo $! > server.pid
	until [ -e root/ready ]; do
		kill -0 $! 2> /dev/null || skip 'no containers'
		sleep 0.05
	done
	pid=$(cat "/proc/$!/task/$!/children")
	pid=$((pid))
	[ "$pid" -gt 0 ] || skip 'no list of children'
}

@test "a program of a container is found below the root of its process" {
	contain
	cp "$WHOLE" root/opt/prog
	recorded /opt/prog "$build_id"
	folds_to 'main;outer;inner'
	# by any process that mapped it
	sed '/^sample/d' > lines <<-END
	$EVENT
	id /opt/prog $build_id
	comm 5 5 prog
	$(printf 'map %s 0x50000000 0x100000 0 /opt/prog\n' '5 5' "$pid $pid")
	END
	echo "sample 1 5 5 10 7 u u: $INNER $OUTER $MAIN" >> lines
	record < lines > perf.data
	folds_to 'main;outer;inner'
	recorded /opt/prog
	stackcollapse-perf perf.data 2> /dev/null |
		is_line 'prog;[prog];[prog];[prog] 7'
	recorded /opt/prog 0123456789
	stackcollapse-perf perf.data 2> /dev/null |
		is_line 'prog;[prog];[prog];[prog] 7'
	recorded /opt/prog "$build_id"
	mkdir empty
	stackcollapse-perf --symfs=empty perf.data 2> /dev/null |
		is_line 'prog;[prog];[prog];[prog] 7'
	teardown
	stackcollapse-perf perf.data 2> /dev/null |
		is_line 'prog;[prog];[prog];[prog] 7'
}

@test "in a container is what this machine has in another build, with debug files" {
	contain
	cp "$ANOTHER" prog
	mkdir -p "root/$PWD"
	cp "$STRIPPED" "root/$PWD/prog"
	recorded "$PWD/prog" "$build_id"
	folds_to 'main;outer;[prog]'
	mkdir -p "root/usr/lib/debug/.build-id/${build_id:0:2}"
	cp "$DEBUG" "root/usr/lib/debug/.build-id/${build_id:0:2}/${build_id:2}.debug"
	folds_to 'main;outer;inner'
	# a file of this machine that has the recorded build id goes first
	objcopy --redefine-sym inner=own_inner "$WHOLE" prog
	folds_to 'main;outer;own_inner'
}

not_read() {
	timeout 20 stackcollapse-perf perf.data 2> /dev/null |
		is_line "prog;[perf-$pid.map] 7"
}

# compiled NAME: writes the name of what a compiler has made.
compiled() {
	printf '90000000 100 %s\n' "$1"
}

@test "a compiler's names in a container are in perf-PID.map by its number there" {
	contain
	record > perf.data <<-END
	$EVENT
	comm $pid $pid prog
	map $pid $pid 0x90000000 0x1000 0 //anon
	sample 1 $pid $pid 10 7 u u: 0x90000010
	END
	not_read
	compiled 'run;me<b>' > root/tmp/perf-1.map
	folds_to 'run:me<b>'
	printf '90000000 100 \033[31mred\n' > root/tmp/perf-1.map
	stackcollapse-perf perf.data | flamegraph > out.svg
	fails 1 grep "$(printf '\033')" out.svg
	# a link or no file is not read
	compiled outside > names
	rm root/tmp/perf-1.map
	ln -s "$PWD/names" root/tmp/perf-1.map
	not_read
	rm root/tmp/perf-1.map
	mkfifo root/tmp/perf-1.map
	not_read
	rm -r root/tmp
	mkdir elsewhere
	compiled outside > elsewhere/perf-1.map
	ln -s "$PWD/elsewhere" root/tmp
	not_read
}
