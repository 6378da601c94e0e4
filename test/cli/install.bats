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

# installed BEFORE [AFTER]: a line for each program of collapse/ and report/.
installed() {
	(collapsers && reports) | sed "s|.*|$1&${2-}|"
}

installed="755 directory ./opt
755 directory ./opt/bin
755 file ./opt/bin/difffolded
755 file ./opt/bin/files
755 file ./opt/bin/flamegraph
$(installed '755 file ./opt/bin/')
755 file ./opt/bin/stackcollapse-dtrace
755 file ./opt/bin/stackcollapse-perf
755 directory ./opt/share
755 directory ./opt/share/man
755 directory ./opt/share/man/man1
644 file ./opt/share/man/man1/difffolded.1
644 file ./opt/share/man/man1/files.1
644 file ./opt/share/man/man1/flamegraph.1
$(installed '644 file ./opt/share/man/man1/' .1)
644 file ./opt/share/man/man1/stackcollapse-dtrace.1
644 file ./opt/share/man/man1/stackcollapse-perf.1
755 directory ./opt/share/man/man5
644 file ./opt/share/man/man5/folded.5
755 directory ./opt/share/man/man7
644 file ./opt/share/man/man7/flamegraph-ci.7
644 file ./opt/share/man/man7/flamegraph-fleet.7"

@test "everybody may use what is installed, whatever the umask" {
	for mask in 022 027 077; do
		mkdir "$mask 1"
		(umask $mask && make -s -C "$copy" install PREFIX=/opt \
			DESTDIR="$PWD/$mask 1")
		listed "$mask 1" | diff <(echo "$installed" | sort -k 3) -
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
		diff <(echo "$installed" | sed 1d | sort -k 3) -
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
	listed to | diff <(echo "$installed" | sort -k 3) -
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
