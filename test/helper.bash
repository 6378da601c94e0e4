# Loaded by every test file: the programs are found first in PATH, and a test
# runs in an empty folder of its own.

TOP=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
BIN=$(cd "${BIN:-$TOP}" && pwd)
DATA=$TOP/test/data
PATH=$BIN:$PATH
export LC_ALL=C
# Programs leave memory to the system when they end.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}

# A pipe fails as soon as one of its commands does.  A command that may end
# before it has read everything, as grep -q does, must not read from a program,
# whose status would then depend on which of them is faster.
set -o pipefail

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_TEST_TMPDIR" || return
}

# lacks REASON: skips all tests of a file, for its setup_file, which returns
# then; where it says skip, bats 1.8 takes that for a failure.
lacks() {
	export LACKING=$1
}

# has ...: as grep -q, but reads everything, as -c does where it prints to a file.
has() {
	grep -c "$@" > "$BATS_FILE_TMPDIR/has"
}

# equals TEXT: whether the input is that, to its end; if not, prints what
# differs.  It starts no process, as most of the tests' time is that of starting
# processes.
equals() {
	local got
	if ! IFS= read -r -d '' got && [ "$got" = "$1" ]; then
		return 0
	fi
	diff <(printf %s "$got") <(printf %s "$1")
	return 1
}

# is: whether the input is the here-document that descriptor 4 is.
is() {
	local text
	IFS= read -r -d '' text <&4 || :
	equals "$text"
}

# is_line WORD...: whether the input is a line of these words.
is_line() {
	equals "$*"$'\n'
}

# are_lines LINE...: whether the input is these lines.
are_lines() {
	local text
	printf -v text '%s\n' "$@"
	equals "$text"
}

# undrawn: what a picture's table has of the frames that are not drawn, a line
# each: how many are drawn before it, its count, its color and its name.
undrawn() {
	sed -n '/^<metadata/,/<\/metadata>$/{
		s/<!-- -->//g; s/^<metadata[^>]*>//; s/<\/metadata>$//; p
	}' | awk '
	!counts && NF == 0 { counts = 1; next }
	!counts { looks[n++] = $0; next }
	{
		drawn += $1
		for (i = 2; i <= NF; i++) {
			split($i, part, ":")
			if (part[2] != "")
				print drawn, part[2], looks[part[1]]
			else
				print drawn, $i, looks[used++]
		}
	}'
}

# fails STATUS COMMAND...: whether the command ends with that status.
fails() {
	local expected=$1 status=0
	shift
	"$@" || status=$?
	[ "$status" -eq "$expected" ]
}

# needs_64_bits: skips a test where programs are of 32 bits, which tell no
# functions, and have smaller tables.
needs_64_bits() {
	[ "$(getconf LONG_BIT)" -eq 64 ] || skip 'programs are of 32 bits here'
}

# makes_x86_64: whether programs that are made here are of x86-64 Linux; those of
# a 32-bit system on its kernel are not.
makes_x86_64() {
	[ "$(uname -sm)" = 'Linux x86_64' ] && [ "$(getconf LONG_BIT)" -eq 64 ]
}

# makes_i386: whether programs of 32 bits can be made here, too.
makes_i386() {
	makes_x86_64 && echo 'int main(void) { return 0; }' |
		gcc -m32 -x c -o "$BATS_TEST_TMPDIR/narrow" - 2> /dev/null
}

# make_list NAME...: the words of lists in the Makefile, a line each.
make_list() {
	local name
	for name; do
		sed -n -e ':line' -e '/\\$/{ N; s/\\\n//; b line' -e '}' \
		    -e "s/^$name = //p" "$TOP/Makefile" | tr -s '\t ' '\n'
	done
}

# collapsers: the names of the programs of collapse/.
collapsers() {
	echo stackcollapse
	make_list FORMATS | sed 's/^/stackcollapse-/'
}

# reports: the names of the programs of report/.
reports() {
	make_list REPORTS
}

# copy_tree FOLDER: copies the sources there, with what has been built.  What is
# made there disturbs no test that runs beside.
copy_tree() {
	(cd "$BIN" && cp -Rp .gitignore Makefile README ./*.[co] \
		stackcollapse-perf stackcollapse-dtrace difffolded files \
		flamegraph $(collapsers) $(reports) man perf symbols graph \
		collapse report fold lib "$1")
	mkdir "$1/test"
	cp -R "$DATA" "$1/test"
}
