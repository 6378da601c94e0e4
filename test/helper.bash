# Loaded by every test file: the programs are found first in PATH, and a test
# runs in an empty folder of its own.

BIN=$(cd "${BIN:-$BATS_TEST_DIRNAME/..}" && pwd)
DATA=$BATS_TEST_DIRNAME/data
PATH=$BIN:$PATH
export LC_ALL=C

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# fails STATUS COMMAND...: whether the command ends with that status.
fails() {
	local expected=$1 status=0
	shift
	"$@" || status=$?
	[ "$status" -eq "$expected" ]
}
