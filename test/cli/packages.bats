load ../helper

# What is written for the packages of Debian and RPM, without those who build
# them.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -e "$TOP/.ci/package" ] || skip 'no packages'
	unset LICENSE SPDX MAINTAINER RPMBUILD
	echo 'Do as you please.' > licence
}

# package WORD...: what make would call
package() {
	BIN=$(make_list PROGRAMS REPORTS && collapsers) VERSION=1.2 \
		PAGES="$(cd "$TOP/man" && ls)" "$TOP/.ci/package" "$@"
}

@test "Debian's and RPM's packages have the same files" {
	export LICENSE=licence SPDX=MIT MAINTAINER='A B <a@example.com>'
	package files | sed -e 's,site-functions,*,' -e 's, , usr/,' |
		sort > expected
	cut -d ' ' -f 1 expected | sort -u | diff - <(printf 'flamegraph%s\n' \
		'' -stackcollapse -stackcollapse-perf)
	grep -c '^flamegraph-stackcollapse-perf ' expected | is_line 5
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
	command -v dpkg-parsechangelog || skip 'install dpkg-dev'
	[ "$(dpkg-parsechangelog -l tree/debian/changelog -S Version 2>&1)" = \
		1.2-0.1 ]
	command -v rpmspec || skip 'install rpm'
	cp licence LICENSE
	rpmspec -q --define "_sourcedir $PWD" \
		--qf '%{name} %{version} %{license}\n' flamegraph.spec |
		sort | diff - <(printf 'flamegraph%s 1.2 MIT\n' '' \
		-stackcollapse -stackcollapse-perf)
}

@test "packages ask for the licence and who maintains them" {
	: > nothing
	while IFS='|' read -r kind settings message; do
		eval "$settings fails 2 package $kind x.tar.gz" 2> err
		is_line "package: $message" < err
		[ ! -e packages ]
	done <<-'END'
	deb||please say a file that has the licence of the packages: make ... LICENSE=
	deb|LICENSE=licence|please say who maintains the packages, 'Name <address>': make ... MAINTAINER=
	rpm|LICENSE=licence MAINTAINER='A <a@b>'|please say the short name of the licence: make ... SPDX=
	deb|LICENSE=nothing MAINTAINER='A <a@b>'|nothing: there is no licence in it
	deb|LICENSE=missing MAINTAINER='A <a@b>'|missing: there is no licence in it
	END
}
