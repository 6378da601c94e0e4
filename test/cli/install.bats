load ../helper

# Files that make installs, packs and leaves behind, also in a tree that another
# user has built.  All is installed once, beside links in the originals' place.

setup_file() {
	[ -e "$BIN/Makefile" ] || { lacks 'no sources'; return; }
	# A test moves what the others use.
	export BATS_NO_PARALLELIZE_WITHIN_FILE=true
	mkdir "$BATS_FILE_TMPDIR/tree"
	copy_tree "$BATS_FILE_TMPDIR/tree"
	unset MAKEFLAGS MAKELEVEL
	umask 077
	make -s -C "$BATS_FILE_TMPDIR/tree" install-pl PREFIX=/opt \
		DESTDIR="$BATS_FILE_TMPDIR/to"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -z "${LACKING-}" ] || skip "$LACKING"
	copy=$BATS_FILE_TMPDIR/tree to=$BATS_FILE_TMPDIR/to
	PATH=$to/opt/bin:$PATH
	unset MAKEFLAGS MAKELEVEL
}

teardown() {
	[ -z "${public-}" ] || rm -rf "$public"
}

# listed FOLDER: the modes, kinds and names of what is in it, without links.
listed() {
	(cd "$1" && find . ! -name . ! -type l -exec stat -c '%a %F %n' {} + |
		sed -e 's/regular file/file/' | sort -k 3)
}

# installed: what is installed, as `listed` has it.
installed() {
	{
		printf '755 directory ./opt%s\n' '' /bin /share/man \
			/share/man/man{1,5,7} /share/zsh{,/site-functions} \
			/share{,/bash-completion{,/completions}} \
			/share/fish{,/vendor_completions.d}
		for program in $(make_list PROGRAMS REPORTS) $(collapsers); do
			printf "%s$program%s\n" '755 file ./opt/bin/' '' \
				'644 file ./opt/share/man/man1/' .1 \
				'644 file ./opt/share/bash-completion/completions/' '' \
				'644 file ./opt/share/zsh/site-functions/_flamegraph-' '' \
				'644 file ./opt/share/fish/vendor_completions.d/' .fish
		done
		printf "644 file ./opt/share/man/man%s\n" 5/folded.5 \
			7/flamegraph-ci.7 7/flamegraph-fleet.7
	} | sort -k 3
}

# make_some TREE TARGET ARGUMENT...: make, with a part of what is installed.
make_some() {
	make -s -C "$@" BIN='files flamegraph stackcollapse stackcollapse-gdb'
}

@test "everybody may use the installed files, whatever the umask" {
	listed "$to" | diff <(installed) -
}

@test "each file that is installed is in one package" {
	[ -e "$TOP/.ci/package" ] || skip 'no packages'
	BIN=$(make_list PROGRAMS REPORTS && collapsers) VERSION=1.2 \
		PAGES="$(cd "$TOP/man" && ls)" "$TOP/.ci/package" files > list
	(cd "$to/opt" && find . -type f) | sed 's,^./,,' | sort |
		diff - <(sed 's/.* //' list | sort)
}

@test "a program that runs, and files of other modes, are replaced" {
	mkfifo input
	"$to/opt/bin/flamegraph" input > out.svg 2> err &
	chmod 0 "$to/opt/bin/files" "$to/opt/share/man/man1/files.1"
	make_some "$copy" install PREFIX=/opt DESTDIR="$to"
	echo 'a;b 100' > input
	wait $!
	grep -q '</svg>' out.svg
	diff err /dev/null
	listed "$to" | diff <(installed) -
}

@test "links in the originals' place lead to the programs that are beside" {
	mv "$to" "$to.moved"
	for link in flamegraph stackcollapse-perf stackcollapse-bpftrace \
	    difffolded files; do
		cmp "$to.moved/opt/bin/$link.pl" "$BIN/$link"
	done
	cmp "$to.moved/opt/bin/stackcollapse.pl" "$BIN/stackcollapse-dtrace"
	mv "$to.moved" "$to"
}

@test "a perf one-liner as it is found in the wild runs unchanged" {
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

@test "messages carry the name that a program was called by" {
	fails 1 flamegraph.pl missing 2>&1 > out.svg |
		has '^flamegraph.pl: missing: No such file'
	for program in stackcollapse-perf.pl difffolded.pl files.pl; do
		fails 2 $program --nope 2>&1 | has "^Try '$program --help'"
	done
	fails 1 stackcollapse.pl missing 2>&1 | has '^stackcollapse.pl: missing'
}

@test "all names have the prefix that is asked for, and work" {
	local b=$BATS_FILE_TMPDIR/b
	make_some "$copy" install-pl PREFIX=/opt DESTDIR="$b" \
		PREFIX_NAMES=b- PAGES="$(cd "$TOP/man" && echo *)"
	find "$b" -type f ! -name 'b-*' ! -name '_flamegraph-b-*' | diff /dev/null -
	cmp "$b/opt/bin/flamegraph.pl" "$BIN/flamegraph"
	env PATH=/usr/bin:/bin "$b/opt/bin/b-stackcollapse" "$DATA/collapse/gdb" |
		cmp - <("$BIN/stackcollapse-gdb" "$DATA/collapse/gdb")
	"$b/opt/bin/b-files" --help | has -x 'usage: b-files .*'
	fails 2 "$b/opt/bin/b-files" 2> err
	has "^b-files: " err
	has "^Try 'b-files --help'" err
	# man pages name themselves and each other so, but nobody else
	for page in "$TOP"/man/*; do
		name=${page##*/}
		diff "$page" "$b/opt/share/man/man${name##*.}/b-$name" > changes ||
			sed -n 's/^> //p' changes
	done > changed
	[ -s changed ]
	fails 1 grep -v -E '^\.(Nm|Xr) b-[a-z0-9-]+( [157]( [,.);]+)?)?$' changed
	grep -h -o -E '^\.Xr [^ ]+ [157]' "$b"/opt/share/man/*/* | sort -u > links
	grep -q -x '.Xr b-files 1' links
	while read -r _ name section; do
		[ ! -e "$b/opt/share/man/man$section/b-$name.$section" ] ||
			echo "$name has no prefix"
		[ "$name" = "${name#b-}" ] ||
			ls "$b/opt/share/man/man$section/$name.$section"
	done < links 2>&1 | sed "\\,^$b/,d" | diff /dev/null -
	make -s -C "$copy" uninstall PREFIX=/opt DESTDIR="$b" PREFIX_NAMES=b-
	find "$b" ! -type d | diff /dev/null -
}

@test "uninstall removes the installed files only, and may be repeated" {
	cp -R "$to/opt" .
	touch opt/bin/other opt/share/man/man1/other.1
	make -s -C "$copy" uninstall PREFIX=/opt DESTDIR="$PWD"
	find opt ! -type d | sort |
		diff - <(printf 'opt/%s\n' bin/other share/man/man1/other.1)
	make -s -C "$copy" uninstall PREFIX=/opt DESTDIR="$PWD/missing"
	[ ! -e missing ]
}

@test "uninstall leaves nothing in a user's home" {
	mkdir -p home/.local/share/mine
	find home | sort > before
	make_some "$copy" install PREFIX="$PWD/home/.local"
	[ -x home/.local/bin/flamegraph ]
	make_some "$copy" uninstall PREFIX="$PWD/home/.local"
	find home | sort | diff before -
}

# as_other COMMAND: runs it as another user than root.
as_other() {
	su nobody -s /bin/sh -c "umask 077; $1"
}

@test "a tree that one user built is installed by another" {
	[ "$(id -u)" -eq 0 ] || skip 'not root, who could be another user'
	public=$(mktemp -d /tmp/flamegraph.XXXXXX)
	chmod 755 "$public"
	mkdir "$public/tree" "$public/to"
	cp -Rp "$copy/." "$public/tree"
	as_other "ls '$public/tree'" > out || skip 'no other user'
	cd "$public" || return
	# root, of one that another user built for himself
	chown -R nobody tree
	chmod -R go= tree
	touch mark
	(umask 027 && make_some tree install PREFIX=/opt DESTDIR="$PWD/to")
	[ -z "$(find tree -newer mark)" ]
	[ -z "$(find tree ! -user nobody)" ]
	listed to > by_root
	# another user, of one that root built
	chown -R root tree
	chmod -R a+rX tree
	mkdir to2
	chown nobody to2
	as_other "$(declare -f make_some)
		make_some tree install PREFIX=/opt DESTDIR='$PWD/to2'"
	[ -z "$(find tree -newer mark)" ]
	[ -z "$(find to2 ! -user nobody)" ]
	listed to2 | diff by_root -
	grep -c '^755 file' by_root | is_line 4
}

@test "git ignores built files, clean removes them, and dist packs the others" {
	command -v git > /dev/null || skip 'install git'
	[ -e "$TOP/.ci/package" ] || skip 'no packages'
	export HOME=$PWD
	cp -Rp "$copy" tree
	cp -R "$TOP/.ci" tree
	(cd tree && touch demo.svg flamegraph-0.1.tar.gz fuzz-perf-crash-1 \
		graph/assets.h.new && mkdir packages && touch packages/x.deb &&
		git init -q && git add -A && git -c user.name=a \
		-c user.email=a@b commit -qm tree)
	[ "$(id -u)" -ne 0 ] || chown -R nobody tree
	echo later > tree/later
	make -s -C tree dist VERSION=1.2
	tar -tzf tree/flamegraph-1.2.tar.gz | grep -v '/$' | sort > packed
	make -s -C tree clean VERSION=1.2
	rm tree/flamegraph-0.1.tar.gz
	(cd tree && find . -name .git -prune -o -type f -print) |
		sed 's,^\.,flamegraph-1.2,' | sort |
		diff - <(printf 'flamegraph-1.2/%s\n' fuzz-perf-crash-1 later |
		cat packed - | sort)
	fails 2 make -s -C tree deb 2> err > out
	grep -x 'package: please say a file that has the licence of the packages: make ... LICENSE=' err
	rm -rf tree/.git/refs
	fails 2 make -s -C tree dist 2> err
}
