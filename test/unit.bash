# Loaded by tests of modules: drivers, programs of a few lines in unit/, are built
# with CC and the CFLAGS of make.

# Drivers, as the programs, leave memory to the system when they end.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}

# shellcheck disable=SC2086 # the flags are several
compile() {
	"${CC:-cc}" -std=c99 -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE \
	    -D_FILE_OFFSET_BITS=64 -I"$TOP" -pthread ${CFLAGS-} "$@"
}

# build_modules: what all drivers and targets share is compiled once; for
# setup_file.
build_modules() {
	# A test may use what another one has built.
	export BATS_NO_PARALLELIZE_WITHIN_FILE=true
	[ -e "$TOP/perf/perf.a" ] || { lacks 'not built by make'; return; }
	cd "$BATS_FILE_TMPDIR" || return
	compile -c "$TOP/test/unit/unit.c"
	compile -c "$TOP/test/fuzz/require.c"
	ar rc shared.a unit.o require.o
}

# build NAME SOURCE...: builds $BATS_FILE_TMPDIR/NAME, unless it is there, with
# the modules that it needs, as make has built them.
build() {
	local program=$BATS_FILE_TMPDIR/$1
	shift
	[ -x "$program" ] || compile -o "$program" "$@" \
		"$BATS_FILE_TMPDIR/shared.a" \
		"$TOP"/{perf/perf,collapse/collapse,graph/graph}.a \
		"$TOP"/{symbols/symbols,fold/fold,lib/lib}.a -lm
}
