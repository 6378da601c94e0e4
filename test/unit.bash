# Loaded by tests that use drivers, small programs in unit/ that hand what they
# read to a module and print what it returns; all are one program, which make
# check builds.

UNIT=$TOP/test/unit/driver
# The folder of stackcollapse-perf with small windows.
# shellcheck disable=SC2034 # the tests read it
SMALL=$TOP/test/unit/small

# needs_drivers: skips all tests of a file that has no drivers; for setup_file.
needs_drivers() {
	[ -x "$UNIT" ] || lacks 'no drivers: make test/unit/driver'
}

# unit DRIVER [ARGUMENT ...]: runs a driver.
unit() {
	"$UNIT" "$@"
}

# compile ARGUMENT ...: compiles with CC and the CFLAGS of make.
# shellcheck disable=SC2086 # the flags are several
compile() {
	"${CC:-cc}" -std=c99 -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE \
	    -D_FILE_OFFSET_BITS=64 -I"$TOP" -pthread ${CFLAGS-} "$@"
}

# build NAME SOURCE...: builds $BATS_FILE_TMPDIR/NAME, unless it is there, with
# the modules that it needs, as make has built them.
build() {
	local program=$BATS_FILE_TMPDIR/$1
	shift
	[ -x "$program" ] || compile -o "$program" "$@" \
		"$TOP"/test/{unit/unit,fuzz/require}.o \
		"$TOP"/{perf/perf,collapse/collapse,graph/graph}.a \
		"$TOP"/{symbols/symbols,fold/fold,lib/lib}.a -lm
}
