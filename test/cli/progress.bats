load ../helper

# On a terminal, programs say how far they are.  These tests run them on a
# pseudo terminal, and slowly.

setup_file() {
	command -v python3 > /dev/null || { lacks 'install python3'; return; }
	python3 -c 'import os; os.openpty()' 2> /dev/null ||
		{ lacks 'no pseudo terminals here'; return; }
	cat > "$BATS_FILE_TMPDIR/terminal.py" <<-'END'
	# terminal.py COLUMNS SCRIPT: runs the script for sh, which has a
	# terminal as standard input and error, and as standard output unless
	# it sends that elsewhere.  Prints each line that was shown in place,
	# and the lines that are left at the end, after "left: ".
	import fcntl, os, pty, struct, sys, termios
	pid, terminal = pty.fork()
	if pid == 0:
	    fcntl.ioctl(2, termios.TIOCSWINSZ,
	        struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))
	    os.execvp('sh', ['sh', '-c', sys.argv[2]])
	got = b''
	while True:
	    try:
	        part = os.read(terminal, 65536)
	    except OSError:
	        break
	    if not part:
	        break
	    got += part
	os.waitpid(pid, 0)
	rows = []
	for line in got.decode('latin-1').replace('\r\n', '\n').split('\n'):
	    row = ''
	    for part in line.split('\r'):
	        if part.strip(' ') and part != line.split('\r')[-1]:
	            print(part)
	        row = part + row[len(part):]
	    rows.append(row.rstrip(' '))
	print('left:', '|'.join(rows).rstrip('|'))
	END
	cat > "$BATS_FILE_TMPDIR/slow.c" <<-'END'
	#define _GNU_SOURCE
	#include <dirent.h>
	#include <dlfcn.h>
	#include <stdlib.h>
	#include <sys/types.h>
	#include <time.h>
	#include <unistd.h>
	__attribute__((constructor)) static void tell(void)
	{
		if (getenv("IS_SLOW"))
			_exit(42);
	}
	static void nap(long ms)
	{
		struct timespec t = { 0, ms * 1000000 };
		nanosleep(&t, 0);
	}
	ssize_t read(int fd, void *to, size_t size)
	{
		nap(60);
		return ((ssize_t (*)(int, void *, size_t))
		    dlsym(RTLD_NEXT, "read"))(fd, to,
		    size < 131072 ? size : 131072);
	}
	struct dirent *readdir(DIR *folder)
	{
		nap(10);
		return ((struct dirent *(*)(DIR *))
		    dlsym(RTLD_NEXT, "readdir"))(folder);
	}
	struct dirent64 *readdir64(DIR *folder)
	{
		nap(10);
		return ((struct dirent64 *(*)(DIR *))
		    dlsym(RTLD_NEXT, "readdir64"))(folder);
	}
	END
	cd "$BATS_FILE_TMPDIR" || return
	"${CC:-cc}" -shared -fPIC -o slow.so slow.c -ldl 2> /dev/null ||
		rm -f slow.so
}

# on_terminal COLUMNS SCRIPT
on_terminal() {
	python3 "$BATS_FILE_TMPDIR/terminal.py" "$@"
}

# Puts a command before others that has them read slowly, if that works here.
slowly() {
	slow="env LD_PRELOAD=$BATS_FILE_TMPDIR/slow.so"
	fails 42 $slow IS_SLOW=1 files --help > out 2> err ||
		skip 'cannot slow programs down'
}

# Makes files with two samples each, as many different ones; `feed` is a
# command that prints them in 1.8 seconds.
make_samples() {
	for i in 1 2 3 4 5 6; do
		printf 'a  1 %s.0: 1 cycles:\n\t1 f%s (/bin/a)\n\n' 1 "$i" 2 "$i"
	done > perf.txt
	for i in 1 2 3 4 5 6; do
		printf 'x`f%s\n  1\n\n' "$i"
	done > dtrace.txt
	for i in 1 2 3 4 5 6; do
		printf 'a;f%s 100\n' "$i"
	done > folded.txt
	cat > feed <<-'END'
	awk -v every="$2" 'NR % every == 1 % every && NR > 1 {
		fflush(); system("sleep 0.3") } { print }' "$1"
	END
}

@test "a line appears after a second, and is cleared at the end" {
	make_samples
	on_terminal 80 'sh feed perf.txt 6 |
		stackcollapse-perf > out' > perf.shown &
	on_terminal 80 'sh feed dtrace.txt 3 |
		stackcollapse-dtrace > out2' > dtrace.shown &
	on_terminal 80 'sh feed folded.txt 1 |
		difffolded folded.txt - > out3' > diff.shown &
	on_terminal 80 'sh feed folded.txt 1 |
		flamegraph > out4' > flame.shown &
	wait
	grep -c . perf.shown dtrace.shown diff.shown flame.shown
	grep -x 'stackcollapse-perf: [0-9]* B, [0-9]* samples.*' perf.shown
	grep -x 'stackcollapse-dtrace: [0-9]* B, [0-9]* samples.*' dtrace.shown
	grep -x 'difffolded: [0-9]* B, [0-9]* lines, 6 stacks' diff.shown
	grep -x 'flamegraph: [0-9]* B, [0-9]* lines' flame.shown
	for shown in perf.shown dtrace.shown diff.shown flame.shown; do
		tail -n 1 $shown | is_line 'left: '
	done
	stackcollapse-perf perf.txt | diff - out
	stackcollapse-dtrace dtrace.txt | diff - out2
	difffolded folded.txt folded.txt | diff - out3
	flamegraph folded.txt | diff - out4
}

@test "no line with --quiet, on no terminal, and beside the output" {
	make_samples
	on_terminal 80 'sh feed perf.txt 6 |
		stackcollapse-perf --quiet > out' > perf.shown &
	on_terminal 80 'sh feed folded.txt 1 |
		difffolded -q folded.txt - > out3' > q.shown &
	on_terminal 80 'sh feed perf.txt 6 |
		stackcollapse-perf > out 2> err; cat err' > file.shown &
	on_terminal 80 'sh feed perf.txt 6 |
		stackcollapse-perf' > beside.shown &
	wait
	for shown in perf q file; do
		diff $shown.shown <(echo 'left: ')
	done
	diff beside.shown - <<-'END'
	left: a;f1 2|a;f2 2|a;f3 2|a;f4 2|a;f5 2|a;f6 2
	END
}

@test "pictures are not written to a terminal, and waiting for input from one is announced" {
	echo 'a 1' > in
	on_terminal 80 'flamegraph in' > shown
	on_terminal 80 'timeout --foreground 1 stackcollapse-perf > out' >> shown
	diff shown - <<-'END'
	left: flamegraph: standard output is a terminal; type: flamegraph in > out.svg
	left: stackcollapse-perf: reading from the terminal; Ctrl-D ends the input
	END
}

@test "the line is cleared before a message" {
	make_samples
	sed 's/^a  1 2.0: .*f6/what\n&/; $i what' perf.txt > odd.txt
	on_terminal 80 'sh feed odd.txt 6 | stackcollapse-perf - no > out' > shown
	grep -q '^stackcollapse-perf: .* samples' shown
	tail -n 1 shown | diff - <(printf '%s|%s\n' \
		'left: stackcollapse-perf: no: No such file or directory' \
		'Unrecognized line: what')
}

@test "for files, the share read and the time left are shown" {
	slowly
	awk 'BEGIN { for (i = 0; i < 400000; i++)
		printf "main;f%d 1\n", i % 10 }' > folded
	cp folded minutes
	cp folded hours
	dd if=/dev/null of=minutes bs=1024 seek=1000000 2> dd.err
	dd if=/dev/null of=hours bs=1024 seek=200000000 2> dd.err ||
		skip 'no large files'
	on_terminal 80 "(read -r line; $slow flamegraph) < folded > out2" \
		> stdin.shown &
	# of both, the text is read in the first seconds
	for size in minutes hours; do
		on_terminal 0 "$slow flamegraph $size > out.$size &
			sleep 2.5; kill \$!" > $size.shown &
	done
	wait
	grep 'flamegraph: [0-9]* % of 4.00 MB, [0-9]* s left, [0-9]* k lines' \
		stdin.shown
	awk '/ % of/ { if ($2 + 0 < last + 0) exit 1; last = $2 }
		END { exit last < 30 || last > 100 }' stdin.shown
	grep -x 'flamegraph: [01] % of 1.02 GB, [0-9]* min left, .*' \
		minutes.shown
	grep -x 'flamegraph: 0 % of 205 GB, [0-9]* h left, .*' hours.shown
}

@test "files shows entries and folders, within the terminal's width" {
	slowly
	folder=$'long\r\e[31m\x9bn\xc3\xa4me' end=$(printf '%070d' 0)/ends
	mkdir -p "t/$folder" "$end"
	(cd "t/$folder" && touch {1..150})
	(cd "$end" && touch {1..150})
	on_terminal 40 "$slow files --jobs 1 t > out" > narrow.shown &
	on_terminal 80 "$slow files --jobs 2 t > out2" > wide.shown &
	on_terminal 8 "$slow files t > out3" > tiny.shown &
	on_terminal 60 "$slow files --jobs 1 000* > out4" > end.shown &
	wait
	grep -x 'files: [0-9]* entries, t/long??\[31m?n?me/' wide.shown
	grep -x 'files: [0-9]* entries, t/long??\[3.*' narrow.shown
	grep -x 'files: [0-9]' tiny.shown || grep -x 'files: ' tiny.shown
	# of a long path, the end
	grep -x 'files: [0-9]* entries, \.\.\.0*/ends/' end.shown
	awk '/ entries/ && length > 59 { exit 1 }' end.shown
	awk 'length > 39 { exit 1 }' narrow.shown
	awk 'length > 7' tiny.shown | diff - /dev/null
	tail -qn 1 narrow.shown wide.shown tiny.shown end.shown | uniq |
		is_line 'left: '
	files t | diff - out
}
