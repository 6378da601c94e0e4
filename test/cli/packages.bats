load ../helper

# The packages of Debian and RPM, without those who build them.

setup_file() {
	[ -e "$BIN/Makefile" ] || { lacks 'no sources'; return; }
	[ -e "$TOP/.ci/package" ] || { lacks 'no packages'; return; }
	unset MAKEFLAGS MAKELEVEL
	copy_tree "$BATS_FILE_TMPDIR"
	cp -R "$TOP/.ci" "$BATS_FILE_TMPDIR"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -z "${LACKING-}" ] || skip "$LACKING"
	copy=$BATS_FILE_TMPDIR
	unset MAKEFLAGS MAKELEVEL LICENSE SPDX MAINTAINER RPMBUILD
	echo 'Do as you please.' > licence
}

# decide: says what only the owner can.
decide() {
	export LICENSE=licence SPDX=MIT MAINTAINER='A B <a@example.com>'
}

# package WORD...: what make would call
package() {
	BIN=$(make_list PROGRAMS REPORTS && collapsers) VERSION=1.2 \
		PAGES="$(cd "$TOP/man" && ls)" "$copy/.ci/package" "$@"
}

@test "each file that is installed is in one package" {
	package files | sort > listed
	make -s -C "$copy" install PREFIX=/usr DESTDIR="$PWD"
	(cd usr && find . ! -type d) | sed 's,^./,,' | sort |
		diff - <(sed 's/.* //' listed | sort)
	[ "$(cut -d ' ' -f 1 listed | sort -u | paste -s -d ' ')" = \
		'flamegraph flamegraph-stackcollapse flamegraph-stackcollapse-perf' ]
	grep '^flamegraph-stackcollapse-perf ' listed | diff - <(
		printf 'flamegraph-stackcollapse-perf %s\n' \
			bin/stackcollapse-perf \
			share/bash-completion/completions/stackcollapse-perf \
			share/fish/vendor_completions.d/stackcollapse-perf.fish \
			share/man/man1/stackcollapse-perf.1 \
			share/zsh/site-functions/_flamegraph-stackcollapse-perf)
}

@test "Debian's and RPM's packages have the same files" {
	decide
	package files | sed -e 's,site-functions,*,' -e 's, , usr/,' |
		sort > expected
	package debian "$PWD/tree"
	for list in tree/debian/*.install; do
		sed "s,^,$(basename "$list" .install) ," "$list"
	done | sed 's,vendor-completions,*,' | sort | diff expected -
	package spec flamegraph.spec
	awk '/^%files/ { package = $3 == "" ? "flamegraph" : $3 }
		/^%changelog/ { exit }
		sub(/^%{_prefix}/, "usr") { sub(/\*$/, "")
			print package, $0 }' flamegraph.spec |
		sed 's,site-functions,*,' | sort | diff expected -
	cmp licence tree/debian/copyright
}

@test "tools of Debian and RPM read what is written for them" {
	decide
	command -v dpkg-parsechangelog || command -v rpmspec || skip 'neither'
	package debian "$PWD/tree"
	package spec flamegraph.spec
	if command -v dpkg-parsechangelog; then
		[ "$(dpkg-parsechangelog -l tree/debian/changelog -S Version \
			2>&1)" = 1.2-0.1 ]
	fi
	if command -v rpmspec; then
		cp licence LICENSE
		rpmspec -q --define "_sourcedir $PWD" \
			--qf '%{name} %{version} %{license}\n' flamegraph.spec |
			sort | diff - <(printf 'flamegraph%s 1.2 MIT\n' '' \
			-stackcollapse -stackcollapse-perf)
	fi
}

@test "packages ask for the licence and who maintains them" {
	command -v git > /dev/null || skip 'no git'
	cp -R "$copy" tree
	(cd tree && git init -q && git add Makefile &&
		git -c user.name=a -c user.email=a@b commit -qm tree)
	asks() {
		fails 2 make -s -C tree "${@:2}" 2> err > out
		[ "$(head -n 1 err)" = "package: $1" ]
		[ ! -e tree/packages ]
	}
	asks 'please say a file that has the licence of the packages: make ... LICENSE=' deb
	asks "please say who maintains the packages, 'Name <address>': make ... MAINTAINER=" \
		deb LICENSE="$PWD/licence"
	asks 'please say the short name of the licence: make ... SPDX=' \
		rpm LICENSE="$PWD/licence" MAINTAINER='A <a@b>'
	: > nothing
	asks "$PWD/nothing: there is no licence in it" \
		deb LICENSE="$PWD/nothing" MAINTAINER='A <a@b>'
	asks "$PWD/missing: there is no licence in it" \
		deb LICENSE="$PWD/missing" MAINTAINER='A <a@b>'
}
