# Loaded by tests that use drivers, small programs in unit/ that hand what they
# read to a module and print what it returns; all are one program, which make
# check builds.

UNIT=$TOP/test/unit/driver
# The folder of stackcollapse-perf with small windows.
SMALL=$TOP/test/unit/small

# needs_drivers: skips all tests of a file that has no drivers; for the
# setup_file of a file that has its own.
needs_drivers() {
	[ -x "$UNIT" ] || lacks 'no drivers: make test/unit/driver'
}

setup_file() {
	needs_drivers
}

# unit DRIVER [ARGUMENT ...]: runs a driver.
unit() {
	"$UNIT" "$@"
}

# gives DRIVER [ARGUMENT ...]: reads "INPUT => OUTPUT" lines, and compares what
# comes out.  Lines that begin with "# " are comments.
gives() {
	sed '/^# /d' > table
	sed 's/ => .*//' table | "$UNIT" "$@" > out
	sed 's/.* => //' table | diff - out
}

# record: makes a recording of the lines that it reads.
record() {
	"$UNIT" perfdata
}
