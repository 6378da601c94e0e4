load helper

# Stacks that are unwound, from programs that take a snapshot of themselves
# (unit/snapshot.c) and name their callers by backtrace(3).

load unit

setup_file() {
	command -v "${CC:-cc}" > /dev/null || skip 'no compiler'
	case $("${CC:-cc}" -dumpmachine) in
	x86_64*-linux-gnu | aarch64*-linux-gnu) ;;
	*) skip 'another machine' ;;
	esac
	export BATS_NO_PARALLELIZE_WITHIN_FILE=true
	"${CC:-cc}" -std=c99 -D_XOPEN_SOURCE=700 \
	    -o "$BATS_FILE_TMPDIR/perfdata" "$TOP"/test/unit/perfdata.c \
	    "$TOP"/test/unit/perflayout.c
}

# snapshot NAME FLAG...: builds the program as the flags say.
snapshot() {
	local name=$1
	shift
	"${CC:-cc}" -std=gnu11 "$@" -o "$name" "$TOP/test/unit/snapshot.c" 2> err
}

# same NAME SCENE...: compares what is unwound with what was recorded.
same() {
	local name=$1
	shift
	for scene; do
		rm -f registers stack unwound chained
		"./$name" "$scene" .
		for what in unwound chained; do
			"$BATS_FILE_TMPDIR/perfdata" < $what > $what.data
			stackcollapse-perf --no-inline $what.data \
			    > $what.folded
		done
		diff chained.folded unwound.folded
		has 'main;' unwound.folded
	done
}

@test "a stack is unwound to the functions that backtrace(3) finds" {
	snapshot program -O2 -g
	same program plain deep variable aligned library signal
	"./program" coroutine .
	"$BATS_FILE_TMPDIR/perfdata" < unwound > perf.data
	stackcollapse-perf perf.data | has 'run_coroutine;deep;deep;deep;middle;'
}

@test "a stack is unwound however the program was compiled" {
	for flags in -O0 -O1 -O3 '-O2 -fomit-frame-pointer' \
	    '-O2 -fno-omit-frame-pointer' '-O2 -flto' \
	    '-O2 -ffunction-sections -Wl,--gc-sections' '-O2 -no-pie' \
	    '-O2 -static' '-O2 -static-pie' '-O2 -fcf-protection=none' \
	    '-Os -fno-stack-protector' '-O2 -fuse-ld=lld' '-O2 -fuse-ld=gold'; do
		# shellcheck disable=SC2086 # flags are several
		snapshot program $flags || continue
		same program plain deep variable aligned library signal
	done
}
