load helper
load unit

# Functions that compilers have inlined, which debug information tells.

setup_file() {
	for tool in readelf objcopy addr2line; do
		command -v "$tool" > /dev/null || skip 'no binutils'
	done
	[ "$(uname -sm)" = 'Linux x86_64' ] || skip 'not written for this'
	build_modules
	build section "$TOP/test/unit/section.c"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

section() {
	"$BATS_FILE_TMPDIR/section" "$@"
}

# A program with a few KB of debug information.
program() {
	cat > many.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/socket.h>
	int main(int argc, char **argv) { return puts(argv[argc - 1]); }
	END
	gcc -g -O1 "$@" -o packed many.c
}

# unpacks NAME...: whether these sections of `packed` are what objcopy unpacks.
unpacks() {
	objcopy --decompress-debug-sections packed plain
	for name; do
		section packed "$name" > ours
		objcopy -O binary --only-section="$name" \
		    --set-section-flags "$name=alloc" plain theirs
		[ -s theirs ]
		cmp ours theirs
	done
}

@test "sections are read as they are, and as zlib has packed them" {
	for form in none zlib zlib-gnu; do
		program -gz=$form
		unpacks .debug_info .debug_abbrev .debug_str .debug_line
	done
	section packed .debug_none | diff <(echo missing) -
	section packed .bss | diff <(echo missing) -
}

# objcopy can pack by zstd since binutils 2.40.
@test "sections that zstd has packed are unpacked by it" {
	command -v zstd > /dev/null || skip 'no zstd'
	program -gz=none
	objcopy --compress-debug-sections=zstd packed 2> /dev/null ||
		skip 'no binutils with zstd'
	readelf -t packed | has ZSTD || skip 'no binutils with zstd'
	unpacks .debug_info .debug_str
	program=$BATS_FILE_TMPDIR/section
	PATH=/nonexistent "$program" packed .debug_info |
		diff <(echo 'no zstd') -
}

# header OFFSET BYTES: writes over the header of .debug_str.
header() {
	local at
	at=$(readelf -SW packed | sed -n 's/.* \.debug_str  *[A-Z]* *[0-9a-f]* //p')
	printf '%b' "$2" | dd of=packed bs=1 conv=notrunc status=none \
	    seek=$((0x${at%% *} + $1))
}

@test "sections that say they are larger than they can be are not unpacked" {
	program -gz=zlib
	header 8 '\0\0\0\0\1'
	section packed .debug_str | diff <(echo 'too large') -
	program -gz=zlib
	header 8 '\1\0\0'
	section packed .debug_str | diff <(echo damaged) -
	program -gz=zlib
	header 0 '\7'
	section packed .debug_str | diff <(echo damaged) -
}
