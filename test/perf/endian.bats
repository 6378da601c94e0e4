load ../helper

# Programs for s390x, whose numbers begin with their highest byte, read what was
# written where they begin with the lowest; qemu-user runs them.  To build them
# takes longer than all other tests of recordings, so it has to be asked for.

setup_file() {
	[ -n "${BIG_ENDIAN-}" ] || { lacks 'set BIG_ENDIAN=1'; return; }
	for tool in qemu-s390x s390x-linux-gnu-gcc; do
		command -v $tool > /dev/null || {
			lacks 'install gcc-s390x-linux-gnu qemu-user'
			return
		}
	done
	copy_tree "$BATS_FILE_TMPDIR"
	unset MAKEFLAGS MAKELEVEL
	make -s -C "$BATS_FILE_TMPDIR" clean
	make -s -C "$BATS_FILE_TMPDIR" CC=s390x-linux-gnu-gcc \
		AR=s390x-linux-gnu-ar CFLAGS='-O1 -static' \
		stackcollapse-{perf,callgrind,cprofile,firefox,pprof}
}

# swapped NAME ARGUMENT...: runs stackcollapse-NAME for s390x.
swapped() {
	qemu-s390x -0 "stackcollapse-$1" "$BATS_FILE_TMPDIR/stackcollapse-$1" "${@:2}"
}

@test "a recording is read where numbers begin with the other byte" {
	mkdir -p root/opt/spin
	cp "$DATA/recording/spin" root/opt/spin
	for name in spin.data spin-faults.data spin-group.data spin.pipe; do
		swapped perf --kernel --symfs=root \
			--kallsyms="$DATA/recording/spin.kallsyms" \
			"$DATA/recording/$name" |
			diff "$DATA/recording/$name.folded" -
	done
}

@test "a recording of a big-endian machine is refused there, too" {
	printf '2ELIFREP%096d' 0 > perf.data
	fails 1 swapped perf perf.data 2> err | diff /dev/null -
	has 'recorded on a big-endian machine' err
	has -F 'perf script --no-inline -i perf.data | stackcollapse-perf' err
}

@test "other profiles fold to the same there" {
	for file in "$DATA"/collapse/{callgrind,cprofile.prof,firefox,pprof}; do
		name=${file##*/}
		name=${name%.*}
		"stackcollapse-$name" "$file" > expected
		[ -s expected ]
		swapped "$name" "$file" | diff expected -
	done
}
