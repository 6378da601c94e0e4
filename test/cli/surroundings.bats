load ../helper

# A program's surroundings may harm it: full disks, limits, closed streams,
# readers and helpers that go away.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	stackcollapse-perf "$DATA/demo.perf" > a.folded
	mkdir tree
	touch tree/{100..400}
}

# each COMMAND [ARGUMENT...]: calls it with each program's command line.
each() {
	"$@" stackcollapse-perf "$DATA/demo.perf"
	"$@" stackcollapse-dtrace "$DATA/kernel.dtrace"
	"$@" flamegraph a.folded
	"$@" foldedtop a.folded
	"$@" folded2pprof a.folded
	"$@" folded2speedscope a.folded
	"$@" folded2firefox a.folded
	"$@" difffolded a.folded a.folded
	"$@" files tree
}

# said PROGRAM MESSAGE: whether err holds nothing but the program's message.
said() {
	is_line "$1: $2" < err
}

# limited FLAG LIMIT COMMAND...: runs it under one of the shell's limits.
limited() {
	(
		ulimit "$1" "$2" || exit
		shift 2
		"$@"
	)
}

full_disk() {
	fails 1 "$@" > /dev/full 2> err
	said "$1" 'output: No space left on device'
}

@test "a full disk is an error" {
	[ -e /dev/full ] || skip 'no /dev/full'
	each full_disk
}

size_limit() {
	cp "$BATS_TEST_FILENAME" large
	fails 1 limited -f 1 bash -c '"$@" >> large' - "$@" 2> err
	said "$1" 'output: File too large'
}

@test "output beyond the limit of a file's size is an error" {
	[ "$(bash -c 'ulimit -f 1; echo $?')" -eq 0 ] || skip 'no such limit'
	each size_limit
}

no_input() {
	"$@" > expected
	"$@" <&- 2> err | diff expected -
	diff err /dev/null
}

no_output() {
	fails 1 "$@" >&- 2> err
	said "$1" 'output: Bad file descriptor'
}

no_errors() {
	"$@" > expected
	"$@" 2>&- | diff expected -
	fails 1 "$@" <&- >&- 2>&-
}

@test "standard streams may be closed, but output must go somewhere" {
	each no_input
	each no_output
	each no_errors
	for program in stackcollapse-perf stackcollapse-dtrace; do
		fails 1 $program <&- 2> err
		grep -q "^$program: standard input: Bad file descriptor" err
	done
	fails 1 flamegraph <&- 2>&1 > out |
		has '^flamegraph: standard input: Bad file descriptor'
	fails 1 difffolded - a.folded <&- 2>&1 |
		has '^difffolded: standard input: Bad file descriptor'
}

@test "a closed stream does not become a file that is opened" {
	flamegraph --cp a.folded > expected
	cp palette.map expected.map
	flamegraph --cp missing a.folded <&- 2>&- > out || true
	diff expected out
	fails 1 flamegraph --cp missing a.folded <&- >&- 2>&-
	diff expected.map palette.map
}

# Its reader takes one line of what is more than a pipe holds.
quits_early() {
	local status=0
	{ "$@" 2> err || echo $? > status; } | head -n 1 > out
	[ "$(wc -l < out)" -eq 1 ]
	diff err /dev/null
	[ ! -e status ] || is_line 141 < status
	rm -f status
}

@test "a reader that goes away ends a program quietly" {
	awk 'BEGIN { for (; i < 30000; i++)
		printf "%s_with_a_long_name_to_fill_the_pipe %d\n", i, i }' > long
	quits_early flamegraph --minwidth 0 --width 100000 long
	quits_early difffolded long long
	quits_early foldedtop --lines=0 long
	quits_early folded2speedscope long
	awk 'BEGIN { for (; i < 30000; i++)
		printf "%s_with_a_long_name 1 1.0: 1 c:\n\n", i }' > long.perf
	quits_early stackcollapse-perf long.perf
	awk 'BEGIN { for (; i < 30000; i++)
		printf "\n a`%s_with_a_long_name\n 1\n", i }' > long.dtrace
	quits_early stackcollapse-dtrace long.dtrace
	quits_early files /usr/share /usr/lib
}

# drip FILE: prints it a byte at a time.
drip() {
	dd if="$1" bs=1 2> dd.err
}

@test "input that comes a byte at a time is the same" {
	head -n 300 "$DATA/demo.perf" > in.perf
	drip in.perf | stackcollapse-perf | diff <(stackcollapse-perf in.perf) -
	head -c 5000 a.folded > b.folded
	drip b.folded | flamegraph | diff <(flamegraph b.folded) -
	drip b.folded | fails 1 difffolded - a.folded |
		diff <(difffolded b.folded a.folded) -
	drip "$DATA/kernel.dtrace" | stackcollapse-dtrace |
		diff <(stackcollapse-dtrace "$DATA/kernel.dtrace") -
}

# in_memory LIMIT COMMAND...: does all of its work, or says once why not.
in_memory() {
	local limit=$1 status=0
	shift
	limited -v "$limit" "$@" > out 2> err || status=$?
	case $status in
	0)	diff expected out ;;
	1)	said "$1" 'out of memory' ;;
	*)	grep -q 'shared librar' err ;;	# not even started
	esac
	[ $status -ne 1 ] || starved=yes
}

# starves COMMAND...: it does at some limit, and works without.
starves() {
	local limit starved=
	"$@" > expected
	for limit in 4000 9000 16000; do
		in_memory $limit "$@"
	done
	[ "$starved" ]
}

@test "out of memory is one message" {
	limited -v 500000 stackcollapse-perf "$DATA/demo.perf" > out ||
		skip 'no such limit, or a sanitizer'
	diff out a.folded
	awk 'BEGIN { for (; i < 60000; i++)
		printf "%s_with_a_long_name;b;c %d\n", i, i }' > long
	starves stackcollapse-perf long
	starves flamegraph long
	starves difffolded long long
}

# with_files COMMAND...: standard streams and two files are enough.
with_files() {
	"$@" > expected
	limited -n 5 "$@" > out 3>&- 4>&- 5>&- 6>&- 7>&-
	diff expected out
}

@test "few files that may be open are enough" {
	each with_files
	mkdir -p deep/{1,2,3}/{a,b}/c/d/e/f/g/h/i/j/k/l/m/n/o
	files deep > expected
	limited -n 20 files --jobs 8 deep > out 3>&- 4>&- 5>&- 6>&- 7>&-
	diff expected out
	status=0
	limited -n 8 files deep > out 2> err 3>&- 4>&- || status=$?
	[ $status -eq 1 ]
	grep -q '^files: deep/.*: .*open\|: No file desc' err
}

folder() {
	fails "$1" "${@:3}" tree > out 2> err
	grep -q "^$2: tree: Is a directory" err
}

@test "a folder is refused as a file" {
	folder 1 stackcollapse-perf stackcollapse-perf
	folder 1 stackcollapse-dtrace stackcollapse-dtrace missing \
	    "$DATA/kernel.dtrace"
	diff out <(stackcollapse-dtrace "$DATA/kernel.dtrace")
	grep -qx 'stackcollapse-dtrace: missing: No such file or directory' err
	folder 1 flamegraph flamegraph
	folder 1 flamegraph flamegraph a.folded
	folder 1 difffolded difffolded a.folded
	fails 1 flamegraph --nameattr tree a.folded > out 2> err
	grep -q '^flamegraph: tree: Is a directory' err
}

# Goes where other users may look, with the programs, or skips.
go_public() {
	public=$(mktemp -d /tmp/flamegraph.XXXXXX)
	mkdir "$public/bin"
	cp "$BIN"/{stackcollapse-perf,stackcollapse-dtrace,flamegraph} \
		"$BIN"/{difffolded,files} "$public/bin"
	cp a.folded "$public"
	chmod -R a+rX "$public"
	cd "$public" || return
	as_nobody "cd '$PWD' && flamegraph --help" > /dev/null ||
		skip 'no other user may look in here'
}

teardown() {
	[ -z "${public-}" ] || {
		chmod -R u+rwX "$public"
		rm -rf "$public"
	}
}

# as_nobody COMMAND: runs it as one who may not read everything.
as_nobody() {
	if [ "$(id -u)" -ne 0 ]; then
		sh -c "$1"
	else
		su nobody -s /bin/sh -c "PATH=$public/bin:\$PATH; $1"
	fi
}

# hidden STATUS PROGRAM ARGUMENTS
hidden() {
	fails "$1" as_nobody "$2 $3 $PWD/hidden" > /dev/null 2> err
	grep -q "^$2: $PWD/hidden: Permission denied" err
}

@test "a file that may not be read is reported" {
	go_public
	cp a.folded hidden
	chmod 0 hidden
	hidden 1 stackcollapse-perf ''
	hidden 1 flamegraph ''
	hidden 1 difffolded "$PWD/a.folded"
	mkdir dark
	touch dark/x
	chmod 0 dark
	fails 1 as_nobody "files $PWD" > /dev/null 2> err
	said files "$PWD/dark: Permission denied"
}

@test "a palette.map that cannot be replaced stays as it is" {
	printf 'main->rgb(1,2,3)\n' > palette.map
	cp palette.map before
	fails 1 limited -f 1 flamegraph --cp a.folded > /dev/null 2> err
	said flamegraph 'palette.map: File too large'
	diff before palette.map
	[ -z "$(compgen -G 'palette.map.*')" ]
	# what an earlier process of that number left is in nobody's way
	sh -c 'echo kept > palette.map.$$~
		exec flamegraph --cp a.folded' > /dev/null
	has '^main->rgb(1,2,3)$' palette.map
	cat palette.map.*~ | is_line kept
}

@test "--cp does not follow a link that another user made" {
	[ "$(id -u)" -eq 0 ] || skip 'only root can make such a link'
	ln -s mine palette.map
	chown -h 65534 palette.map
	fails 1 flamegraph --cp a.folded > /dev/null 2> err
	said flamegraph \
	    'palette.map: not followed, since another user made this link'
	[ ! -e mine ]
}

# everything: what all programs print of some inputs
everything() {
	stackcollapse-perf --all "$DATA/demo.perf"
	stackcollapse-dtrace "$DATA/kernel.dtrace"
	flamegraph --colors java --hash --factor 0.5 --title T "$1/a.folded"
	difffolded -n "$1/a.folded" "$1/b.folded"
	flamegraph --fontsize 11.5 "$1/c.folded"
}

@test "locale, time zone, folder and environment change nothing" {
	sed 's/\([0-9]\)$/\1.5/; 3d' a.folded > b.folded
	difffolded a.folded b.folded > c.folded
	printf 'I\xc4\xb1\xc5\x9f;\xff;i 3.25 4\n' >> c.folded
	everything . > expected
	[ -s expected ]
	for locale in $(locale -a | grep -e '^C[.]' -e '^de' -e '^tr' |
		head -n 3) tr_TR.UTF-8; do
		LC_ALL=$locale LANG=$locale LANGUAGE=$locale everything . |
			cmp - expected
	done
	folder=$PWD
	(cd / && TZ=Asia/Kathmandu everything "$folder") | cmp - expected
	POSIXLY_CORRECT=1 COLUMNS=5 TERM=dumb everything . | cmp - expected
	env -i "$BIN/flamegraph" --help | cmp - <(flamegraph --help)
}

@test "each program prints its version and its help" {
	version=$(make_list VERSION)
	for program in $(make_list PROGRAMS REPORTS) $(collapsers); do
		"$program" --version | is_line "$program $version"
		"$program" --help > help
		head -n 1 help | has "^usage: $program "
		expand help | awk -v program="$program" 'length > 80 {
			print program ": " $0
		}'
	done > wide
	diff /dev/null wide
	for program in flamegraph difffolded stackcollapse; do
		$program -V | is_line "$program $version"
		$program -h | cmp - <($program --help)
	done
}

# The words are Perl's, but for the suggestions.
@test "an option that is misspelled, ambiguous or British" {
	for line in 'flamegraph --titel x' 'difffolded --versoin' \
	    'flamegraph -o x' 'stackcollapse-dtrace --frames' 'flamegraph -c x' \
	    'stackcollapse-perf --pid 123 perf.data' \
	    'stackcollapse-perf --in-order --tid 7,8'; do
		fails 2 $line 2>&1 > out | sed -n 1p
		[ ! -s out ]
	done | is 4<<-'END'
	flamegraph: unknown option: --titel; did you mean --title?
	difffolded: unknown option: --versoin; did you mean --version?
	flamegraph: unknown option: -o
	stackcollapse-dtrace: unknown option: --frames
	flamegraph: option -c is ambiguous: --countname or --colors
	stackcollapse-perf: option --pid takes no value; to count only 123, type --pids=123
	stackcollapse-perf: option --tid takes no value; to count only 7,8, type --tids=7,8
	END
	echo 'a 1' > in
	flamegraph --colours=mem --bgcolours=grey in |
		cmp - <(flamegraph --colors=mem --bgcolors=grey in)
	foldedtop -n 1 "$DATA/py-spy.folded" |
		cmp - <(foldedtop --lines=1 "$DATA/py-spy.folded")
}
