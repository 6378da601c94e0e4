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
