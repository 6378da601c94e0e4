# Loaded by tests of modules: drivers, programs of a few lines in unit/, are built
# with CC and the CFLAGS of make.

TOP=$BATS_TEST_DIRNAME/..

# Drivers, as the programs, leave memory to the system when they end.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}

# shellcheck disable=SC2086 # the flags are several
compile() {
	"${CC:-cc}" -std=c99 -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE \
	    -D_FILE_OFFSET_BITS=64 -DVERSION='"unit"' -pthread ${CFLAGS-} "$@"
}

# build_modules: what a driver or a target needs is taken from an archive of all
# modules; for setup_file.
build_modules() {
	# A test may use what another one has built.
	export BATS_NO_PARALLELIZE_WITHIN_FILE=true
	cd "$BATS_FILE_TMPDIR" || return
	for source in "$TOP"/{lib,fold,symbols,perf,collapse}/*.c \
	    "$TOP"/test/unit/unit.c "$TOP"/test/fuzz/require.c; do
		compile -c "$source"
	done
	ar rc modules.a ./*.o
}

# build NAME SOURCE...: builds $BATS_FILE_TMPDIR/NAME, unless it is there.
build() {
	local program=$BATS_FILE_TMPDIR/$1
	shift
	[ -x "$program" ] || compile -o "$program" "$@" \
		"$BATS_FILE_TMPDIR/modules.a" -lm
}
