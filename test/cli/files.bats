load ../helper

# sizes FIND-OPERAND...: what find says, in the form that files prints, sorted.
sizes() {
	find "$@" -printf '%p %s\n' | tr / ';' | sort
}

@test "example: the output" {
	mkdir -p src/lib && echo 'int x;' > src/lib/x.c && touch src/a=b
	files src | sort | are_lines \
		"src $(stat -c %s src)" 'src;a_b 0' \
		"src;lib $(stat -c %s src/lib)" 'src;lib;x.c 7'
}

@test "example: disk space, without caches" {
	mkdir -p t/.cache/x
	head -c 60000 /dev/zero > t/large
	ln t/large t/.cache/y
	ln t/large t/link
	files --xdev --blocks --once --exclude .cache t > out
	flamegraph --hash --countname=KiB --factor=0.5 out > disk.svg
	grep -q "KiB, 100%" disk.svg
	sed 's/ .*//' out | grep -c 'cache\|large\|link' | is_line 1
}

@test "the same entries and sizes as find's, the root an empty stack" {
	# the same entries and sizes as find's
	files /usr/bin /usr/include | sort | diff - <(
		find /usr/bin /usr/include -printf '%p %s\n' |
		sed 's,^/,,; s,[^/a-zA-Z0-9.-],_,g; s,_\([0-9]*\)$, \1,' |
		tr / ';' | sort)
	# the root is an empty stack
	files --xdev --exclude '*' / | is_line " $(stat -c %s /)"
}

@test "paths begin with the operands" {
	mkdir -p t/a
	echo 12345 > t/a/f
	files ./t/a | grep -x '.;t;a;f 6'
	files t/ | grep -x 't;a;f 6'
	files "$PWD/t" | has "^${PWD#/}" && return 1
	files "$PWD/t" | grep -x "$(echo "${PWD#/}" |
		sed 's,[^/a-zA-Z0-9.-],_,g' | tr / ';');t;a;f 6"
	(cd t && files .) | grep -x '.;a;f 6'
	(cd t/a && files f) | grep -x '.;f 6'
	files t/a/f | grep -x 't;a;f 6'
}

@test "symbolic links are not followed, unless a / is after them" {
	mkdir -p t/d
	touch t/d/f
	ln -s d t/link
	ln -s nowhere t/dangling
	files t | grep -c link | is_line 1
	files t | grep -x 't;dangling 7'
	files t/link | is_line 't;link 1'
	files t/link/ | are_lines \
		"t;link $(stat -c %s t/d)" 't;link;f 0'
}

@test "in a name all but letters, digits, '.', '-' and UTF-8 becomes _" {
	mkdir t
	touch 't/a b;c' $'t/new\nline' 't/ü-x_y~z' $'t/\xff\xc3\xa9\xc3' \
		$'t/\xed\xa0\x80\xc0\xaf' 't/日本' $'t/\t\x7f"' \
		$'t/U+FFFF\xef\xbf\xbf'
	files t | tail -n +2 | sort | diff - <(printf '%s\n' \
		't;U_FFFF___ 0' 't;_____ 0' 't;___ 0' 't;_é_ 0' 't;a_b_c 0' \
		't;new_line 0' 't;ü-x_y_z 0' 't;日本 0' | sort)
}

@test "fifos, sockets and devices are not opened" {
	mkdir t
	mkfifo t/fifo
	timeout 10 files t/fifo t | sed 's/t [0-9]*/t/' | are_lines \
		't;fifo 0' 't' 't;fifo 0'
	timeout 10 files /dev/null /dev/zero | are_lines \
		'dev;null 0' 'dev;zero 0'
}

@test "--blocks counts blocks of 512 bytes" {
	mkdir t
	head -c 100000 /dev/zero > t/full
	truncate -s 100000 t/hole
	files --blocks t | sort | diff - <(
		find t -printf '%p %b\n' | tr / ';' | sort)
}

@test "--once counts a file with several names once, in all operands" {
	mkdir t u
	echo 12345 > t/a
	ln t/a t/b
	ln t/a u/c
	echo 123 > u/single
	files t u | grep -c ' 6$' | is_line 3
	files --once t u > out
	grep -c ' 6$' out | is_line 1
	files --once t/a t/b | is_line 't;a 6'
	grep -x 'u;single 4' out
	files --once --count u u | sort | uniq -c | tr -s ' ' |
		are_lines ' 2 u 1' ' 1 u;c 1' ' 2 u;single 1'
}

@test "--exclude leaves out names or paths, and everything below" {
	mkdir -p t/.git/x t/a/.git t/keep/x
	touch t/a/x.o t/a/x.c t/keep/x.o
	files --exclude .git --count --exclude='*.o' t | sort |
		are_lines 't 1' 't;a 1' 't;a;x.c 1' 't;keep 1' \
			't;keep;x 1'
	files --exclude 't/*/x*' --count t | sort | are_lines \
		't 1' 't;.git 1' 't;a 1' 't;a;.git 1' 't;keep 1'
	files --exclude t --exclude ./t --count t/a/x.o | is_line 't;a;x.o 1'
}

@test "--xdev leaves out other file systems, for each operand" {
	[ "$(stat -c %d /dev)" != "$(stat -c %d /)" ] || skip 'one file system'
	files --xdev --exclude '[!d]*' / | sed 's/ .*//' > out
	grep -qx 'dev' out && return 1
	files --exclude '[!d]*' --exclude '/d*/*' / | sed 's/ .*//' | has -x dev
	files /dev --xdev | has '^dev;null 0'
	mkdir t
	files --xdev t /dev | has '^dev;null 0'
}

# chain DEPTH: makes a chain of folders in t.  Beside each folder that leads on
# there are others with a file in them, which the system lists later; the
# innermost one has more names than a pipe holds.  path[N] is that of the Nth.
chain() {
	command -v python3 > /dev/null || skip 'install python3'
	mapfile -t path < <(python3 - "$1" <<-'END'
	import os
	import sys
	here = "t"
	os.mkdir(here)
	print(here)
	for i in range(int(sys.argv[1])):
	    for name in "xyz":
	        os.mkdir(here + "/" + name)
	        open(here + "/" + name + "/f", "w")
	    # in the order of the folder
	    here += "/" + [e for e in os.listdir(here) if e in "xyz"][0]
	    print(here)
	for i in range(3000):
	    open("%s/%06d-%0100d" % (here, i, 0), "w")
	END
	)
	[ "${#path[@]}" -eq $(($1 + 1)) ]
}

@test "a deep tree is read like a flat one, with few open files" {
	chain 40
	sizes t > expected
	(ulimit -n 20 && files t) | sort | diff - expected
}

@test "a tree deeper than a path may be long is read to its end" {
	local folder
	folder=$(printf '/%0200d' $(seq 15))
	mkdir t
	(
		cd t
		for i in 1 2 3 4 5 6; do
			mkdir -p "./$folder/beside"
			echo x > "./$folder/beside/f"
			cd "./$folder" 2> /dev/null
		done
	)
	files t | sort > out
	awk -F';' 'NF > n { n = NF } END { print n }' out | is_line 93
	sizes t | diff - out
}

@test "folders that are moved meanwhile are still read" {
	chain 60
	sizes t > expected
	files t 2> err | {
		IFS= read -r line
		mv "${path[40]}" moved
		mv "${path[20]}" moved2
		mv moved2 "${path[20]}"
		echo "$line"
		cat
	} > out
	sort out | diff - expected
	[ ! -s err ]
}

@test "folders that are gone meanwhile are reported, the rest is read" {
	chain 60
	sizes t > expected
	{ files t 2> err || echo $? > status; } | {
		IFS= read -r line
		mv "${path[40]}" moved
		mv "${path[20]}" moved2
		echo "$line"
		cat
	} > out
	is_line 1 < status
	# the files beside the chain in levels 20 to 39
	for i in $(seq 39 -1 20); do
		echo "files: ${path[i]}: No such file or directory"
	done | diff - err
	sort out | comm -13 - expected | wc -l | is_line 40
	sort out | comm -23 - expected | diff - /dev/null
}

# as_nobody COMMAND...: without the rights of root.
as_nobody() {
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
	else
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	fi
}

@test "an entry that cannot be read is reported once, the rest is printed" {
	cp "$(command -v files)" program
	chmod 755 .
	as_nobody ./program --help > out || skip 'cannot leave the rights of root'
	mkdir -p t/closed/x t/blind/y t/open
	touch t/closed/f t/blind/f t/open/f
	chmod 0 t/closed
	chmod 444 t/blind
	fails 1 as_nobody ./program --count t > out 2> err
	chmod 755 t/closed t/blind
	sort out | are_lines 't 1' 't;blind 1' 't;closed 1' \
		't;open 1' 't;open;f 1'
	sort err | diff - <(printf '%s: Permission denied\n' \
		'program: t/blind/f' 'program: t/blind/y' 'program: t/closed')
}

@test "a missing operand is reported, and the others are read" {
	touch a
	fails 1 files --count missing a '' > out 2> err
	is_line '.;a 1' < out
	diff err - <<-'END'
	files: missing: No such file or directory
	files: : No such file or directory
	END
}

@test "several threads print and report the same as one, with few open files" {
	mkdir -p t/{a,b,c}/{a,b,c}/{a,b,c} $(seq -f 't/many/%g/x' 300)
	touch t/{a,b,c}/{f,g,h} t/{a,b,c}/{a,b,c}/{f,g,h}
	# more than a thread keeps back, first and last
	for big in t/a t/c; do
		(cd $big && seq -f "%06g-$(printf '%0200d' 0)" 2000 | xargs touch)
	done
	sizes t > expected
	files --jobs 1 t | sort | diff - expected
	fails 1 files --jobs 1 missing t ./t > out 2> err
	(ulimit -n 256 && fails 1 files --jobs 8 missing t ./t 2> ./more) |
		cmp - out
	cmp more err
}

@test "a wrong command line is an error" {
	for line in '' '--xdev' '--exclude' '--blocks --count .' '--jobs 0 .' \
		'--jobs x .'; do
		fails 2 files $line 2> err | diff /dev/null -
		tail -n 1 err | is_line "Try 'files --help'."
		[ "$(wc -l < err)" -eq 2 ]
	done
	fails 2 files --jobs 9 --once=1 --foo . 2>&1 | is 4<<-END
	files: option --jobs: 9 is not from 1 to 8
	files: option --once takes no value
	files: unknown option: --foo
	Try 'files --help'.
	END
}
