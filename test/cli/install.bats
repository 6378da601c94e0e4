load ../helper

# Files that make installs, packs and leaves behind, also in a tree that another
# user has built.

setup_file() {
	[ -e "$BIN/Makefile" ] || { lacks 'no sources'; return; }
	copy_tree "$BATS_FILE_TMPDIR"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -z "${LACKING-}" ] || skip "$LACKING"
	copy=$BATS_FILE_TMPDIR
	unset MAKEFLAGS MAKELEVEL
}

teardown() {
	[ -z "${public-}" ] || rm -rf "$public"
}

# listed FOLDER: the modes, kinds and names of what is in it.
listed() {
	(cd "$1" && find . ! -name . -exec stat -c '%a %F %n' {} + |
		sed -e 's/regular file/file/' -e 's/^777 symbolic //' | sort -k 3)
}

# programs: the names of all programs.
programs() {
	make_list PROGRAMS REPORTS
	collapsers
}

# installed [PREFIX]: what is installed, with that prefix to the names.
installed() {
	printf '755 directory ./opt%s\n' '' /bin /share/man /share/man/man{1,5,7} \
		/share{,/bash-completion{,/completions}} \
		/share/zsh{,/site-functions} /share/fish{,/vendor_completions.d}
	for program in $(programs); do
		printf "%s$1$program%s\n" '755 file ./opt/bin/' '' \
			'644 file ./opt/share/man/man1/' .1 \
			'644 file ./opt/share/bash-completion/completions/' '' \
			'644 file ./opt/share/zsh/site-functions/_flamegraph-' '' \
			'644 file ./opt/share/fish/vendor_completions.d/' .fish
	done
	printf "644 file ./opt/share/man/man%s\n" "5/$1folded.5" \
		"7/$1flamegraph-ci.7" "7/$1flamegraph-fleet.7"
}

@test "everybody may use what is installed, whatever the umask" {
	for mask in 022 027 077; do
		mkdir "$mask 1"
		(umask $mask && make -s -C "$copy" install PREFIX=/opt \
			DESTDIR="$PWD/$mask 1")
		listed "$mask 1" | diff <(installed | sort -k 3) -
	done
}

@test "a program that runs, and files of other modes, are replaced" {
	make -s -C "$copy" install PREFIX=/opt DESTDIR="$PWD"
	mkfifo input
	opt/bin/flamegraph input > out.svg 2> err &
	chmod 0 opt/bin/files opt/share/man/man1/files.1
	make -s -C "$copy" install PREFIX=/opt DESTDIR="$PWD"
	echo 'a;b 100' > input
	wait $!
	grep -q '</svg>' out.svg
	diff err /dev/null
	listed opt | sed 's,\./,./opt/,' |
		diff <(installed | sort -k 3 | sed 1d) -
}

@test "links in the originals' place lead to the programs that are beside" {
	make -s -C "$copy" install-pl PREFIX=/opt DESTDIR="$PWD/a"
	mv a b
	for link in flamegraph stackcollapse-perf stackcollapse-bpftrace \
	    difffolded files; do
		cmp b/opt/bin/$link.pl "$BIN/$link"
	done
	cmp b/opt/bin/stackcollapse.pl "$BIN/stackcollapse-dtrace"
}

@test "all names have the prefix that is asked for, and work" {
	make -s -C "$copy" install-pl PREFIX=/opt DESTDIR="$PWD" PREFIX_NAMES=fg-
	listed . | grep -v '^link ' | diff <(installed fg- | sort -k 3) -
	cmp opt/bin/flamegraph.pl "$BIN/flamegraph"
	cmp opt/bin/stackcollapse.pl "$BIN/stackcollapse-dtrace"
	PATH=/usr/bin:/bin
	opt/bin/fg-stackcollapse "$DATA/collapse/gdb" |
		cmp - <("$BIN/stackcollapse-gdb" "$DATA/collapse/gdb")
	opt/bin/fg-files --help | has -x 'usage: fg-files .*'
	fails 2 opt/bin/fg-files 2> err
	has "^fg-files: " err
	has "^Try 'fg-files --help'" err
	make -s -C "$copy" uninstall PREFIX=/opt DESTDIR="$PWD" PREFIX_NAMES=fg-
	find opt ! -type d | diff /dev/null -
}

# with the names that they have now, but nobody else's
@test "man pages with a prefix name themselves and each other so" {
	make -s -C "$copy" install PREFIX= DESTDIR="$PWD/b" PREFIX_NAMES=b-
	for page in "$TOP"/man/*; do
		name=${page##*/}
		diff "$page" "b/share/man/man${name##*.}/b-$name" > changes ||
			sed -n 's/^> //p' changes
	done > changed
	[ -s changed ]
	fails 1 grep -v -E '^\.(Nm|Xr) b-[a-z0-9-]+( [157]( [,.);]+)?)?$' changed
	grep -h -o -E '^\.Xr [^ ]+ [157]' b/share/man/*/* | sort -u > links
	grep -q -x '.Xr b-files 1' links
	while read -r _ name section; do
		[ ! -e "b/share/man/man$section/b-$name.$section" ] ||
			echo "$name has no prefix"
		[ "$name" = "${name#b-}" ] ||
			ls "b/share/man/man$section/$name.$section"
	done < links 2>&1 > found | diff /dev/null -
	fails 1 grep -v '^b/' found
}

@test "uninstall takes what was installed, and no more, and may be repeated" {
	make -s -C "$copy" install-pl PREFIX=/opt DESTDIR="$PWD"
	touch opt/bin/other opt/share/man/man1/other.1
	make -s -C "$copy" uninstall PREFIX=/opt DESTDIR="$PWD"
	find opt ! -type d | sort |
		diff - <(printf 'opt/%s\n' bin/other share/man/man1/other.1)
	make -s -C "$copy" uninstall PREFIX=/opt DESTDIR="$PWD/missing"
	[ ! -e missing ]
}

# as_other COMMAND: runs it as another user than root.
as_other() {
	su nobody -s /bin/sh -c "umask 077; $1"
}

# Makes a folder where two users may work, or skips.
share() {
	[ "$(id -u)" -eq 0 ] || skip 'not root, who could be another user'
	public=$(mktemp -d /tmp/flamegraph.XXXXXX)
	chmod 755 "$public"
	mkdir "$public/tree" "$public/to"
	copy_tree "$public/tree"
	as_other "ls '$public/tree'" > out || skip 'no other user'
	cd "$public" || return
}

# Nothing was built, nor changed, since the file mark.
untouched() {
	fails 1 grep -e ' -c -o ' log
	[ -z "$(find tree -newer mark)" ]
	listed to | diff <(installed | sort -k 3) -
}

@test "a tree that another user built for himself is installed by root" {
	share
	chown -R nobody tree
	chmod -R go= tree
	touch mark
	(umask 027 && make -C tree install PREFIX=/opt DESTDIR="$PWD/to") > log
	untouched
	[ -z "$(find tree ! -user nobody)" ]
}

@test "a tree that root built is installed by another user" {
	share
	chmod -R a+rX tree
	chown nobody to
	touch mark
	as_other "make -C tree install PREFIX=/opt DESTDIR='$PWD/to'" > log
	untouched
	[ -z "$(find to ! -user nobody)" ]
}

# make_repository: a tree in git, as one would get it
make_repository() {
	command -v git > /dev/null || skip 'no git'
	export HOME=$PWD
	mkdir tree
	copy_tree "$PWD/tree"
	find tree -name "*.[oa]" -exec rm {} +
	rm -f tree/graph/assets.h
	# shellcheck disable=SC2046 # they are several
	(cd tree &&
		rm stackcollapse-perf stackcollapse-dtrace difffolded files \
			flamegraph $(collapsers) $(reports) &&
		git init -q && git add -A && git -c user.name=a \
			-c user.email=a@b commit -qm tree)
}

@test "git ignores what is built, packed or found, and clean removes it" {
	make_repository
	cd tree
	make -s CFLAGS=-O0 demo dist > ../log
	touch fuzz-perf-crash-1 graph/assets.h.new
	git status --porcelain | diff /dev/null -
	[ -e demo.svg ]
	make -s clean
	git status --porcelain --ignored | diff - <(echo '!! fuzz-perf-crash-1')
}

@test "dist packs what is in git, also in a tree of another user" {
	make_repository
	[ "$(id -u)" -ne 0 ] || chown -R nobody tree
	echo later > tree/later
	make -s -C tree dist VERSION=1.2
	(cd tree && git -c safe.directory='*' ls-files) |
		sed 's,^,flamegraph-1.2/,' > expected
	tar -tzf tree/flamegraph-1.2.tar.gz | grep -v '/$' | sort |
		diff <(sort expected) -
	rm -rf tree/.git/refs
	fails 2 make -s -C tree dist 2> err
}
