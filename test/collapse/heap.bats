load ../helper

@test "used and allocated memory is counted, in bytes and objects" {
	stackcollapse-heap "$DATA/collapse/heap" | are_lines \
		'main;fill;cart 3735000' 'main;fill;image 3022350'
	stackcollapse-heap --objects "$DATA/collapse/heap" |
		are_lines 'main;fill;cart 100' 'main;fill;image 50'
	stackcollapse-heap --alloc "$DATA/collapse/heap" | diff - <(printf \
		'%s\n' 'main;fill;cart 3735000' 'main;fill;image 6044700')
	stackcollapse-heap --allocators "$DATA/collapse/heap" |
		grep -qx 'main;fill;cart;malloc 3735000'
}

# with_symbols LINE...: a profile of these, with names for 0x100 and so on.
with_symbols() {
	printf '%s\n' '--- symbol' 'binary=a' 'main' '0x0ff a' '0x1ff b' \
		'0x2ff c' '---' '--- heap' "$@"
}

# scaled OBJECTS BYTES RATE: bytes that so many samples mean.
scaled() {
	awk -v n="$1" -v s="$2" -v rate="$3" \
		'BEGIN { printf "%.0f\n", s / (1 - exp(-s / n / rate)) }'
}

@test "samples of jemalloc and gperftools are scaled by their rate" {
	with_symbols 'heap_v2/524288' '  t*: 5: 900 [0: 0]' \
		'  t0: 5: 900 [0: 0]' '@ 0x100 0x200' '  t*: 2: 400 [0: 0]' \
		'  t0: 1: 100 [0: 0]' '  t1: 1: 300 [0: 0]' \
		'@ 0x200' '  t*: 3: 9000000 [0: 0]' > je
	stackcollapse-heap je | diff - <(echo "b $(scaled 3 9000000 524288)"
		echo "b;a $(scaled 2 400 524288)")
	with_symbols 'heap profile: 2: 400 [ 2: 400] @ heap_v2/8192' \
		' 2: 400 [ 2: 400] @ 0x100 0x200' |
		stackcollapse-heap | is_line "b;a $(scaled 2 400 8192)"
	# each has 200 bytes, of 4096
	with_symbols 'heap profile: 2: 400 [ 2: 400] @ heap/8192' \
		' 2: 400 [ 2: 400] @ 0x100 0x200' |
		stackcollapse-heap | is_line 'b;a 8192'
	for type in 'heapprofile' 'growth' 'http://h/growthz/8'; do
		with_symbols "heap profile: 2: 400 [ 2: 400] @ $type" \
			' 2: 400 [ 2: 400] @ 0x100 0x200' |
			stackcollapse-heap | is_line 'b;a 400'
	done
}

@test "stacks without a symbol have the name of the file; damage is reported" {
	# stacks without a symbol have the name of the file, or of none
	stackcollapse-heap --quiet 2> err <<-'END' |
	heap profile: 2: 400 [ 2: 400] @ heapprofile
	 2: 400 [ 2: 400] @ 0x5100 0x9100
	 1: 10 [ 2: 400] @ 0x8100
	MAPPED_LIBRARIES:
	8000
	8000-x: /missing/libx.so
	8000-9000 r-xp x
	8000-9000: /missing/libb.so
	5000-6000 r-xp 00001000 fe:00 12 /missing/a file (deleted)
	END
		are_lines '[libb.so] 10' '[unknown];[a file] 400'
	has "which is not there; --symfs tells where it is" < err
	# damaged lines are told
	with_symbols 'heap profile: 2: 400 [ 2: 400] @ heapprofile' \
		' 2: 400 [ 2: 400] @ 0x100' ' 2: 400 @ 0x100' 'x' \
		' 2: -400 [ 2: 400] @ 0x100' ' 2: 400 [ 2: x] @ 0x100' \
		' 2: 400 [ 2: 400 @ 0x100' ' 2: 400 [ 2: 400] 0x100' \
		' 2: 70 [ 2: 400] @' 't*: x' | fails 1 stackcollapse-heap 2> err |
		are_lines '[unknown] 70' 'a 400'
	is_line 'stackcollapse-heap: damaged lines, left out: 7' < err
}

@test "profiles of CPU time count samples, whatever the words are like" {
	command -v python3 > /dev/null || skip 'install python3'
	with_symbols | sed '$s/heap/profile/' > symbols
	python3 -S - <<-'END'
	words = [0, 3, 0, 10000, 0, 5, 2, 0xff, 0x200, 2, 1, 0x1ff,
	         1, 2, 0xff, 0x200, 0, 1, 0]
	symbols = open("symbols", "rb").read()
	for size in 4, 8:
	    for order in "little", "big":
	        data = b"".join(word.to_bytes(size, order) for word in words)
	        with open(f"cpu.{size}.{order}", "wb") as file:
	            file.write(symbols + data + b"5000-6000: /missing/a.so\n")
	    with open("short", "wb") as file:
	        file.write(data[:-11 * size])
	END
	for cpu in cpu.*; do
		stackcollapse "$cpu" | are_lines 'b 2' 'b;a 6'
	done
	fails 1 stackcollapse short 2>&1 | is_line 'stackcollapse-heap:' \
		'short: it is damaged: it ends inside its stacks'
	fails 1 stackcollapse-heap "$cpu" "$DATA/collapse/heap" 2>&1 > out |
		has 'it counts memory, not samples as those before$'
}

# compile LIBRARY PACKAGE: makes shop, which calls malloc in known places.
compile() {
	command -v "${CC:-cc}" > /dev/null || skip 'install gcc'
	needs_64_bits
	cat > shop.c <<-'END'
	#include <stdlib.h>
	#include <string.h>
	void *kept[100000];
	__attribute__((noinline)) void *cart(int i) {
		return memset(malloc(100 + i % 50), 1, 100);
	}
	__attribute__((noinline)) void *image(int i) {
		return memset(malloc(20000 + i), 1, 100);
	}
	__attribute__((noinline)) int fill(int m) {
		for (int i = 0; i < m; i++) {
			kept[i] = cart(i);
			if (i % 100 == 0)
				kept[m + i] = image(i);
			if (i % 200 == 0)
				free(kept[m + i]);
		}
		return m;
	}
	int main(int argc, char **argv) {
		return fill(50000 * argc) == 0 || argv[0] == kept[3];
	}
	END
	"${CC:-cc}" -g -O1 -fno-omit-frame-pointer -o shop shop.c \
		-Wl,--no-as-needed "$1" 2> /dev/null || skip "install $2"
}

# sums: adds up stacks by their function called by fill, in any form.
sums() {
	sed 's/<[0-9a-f]*>//g' | awk '
	match($0, /;fill;[a-z]*/) {
		n[substr($0, RSTART + 6, RLENGTH - 6)] += $NF
	}
	END { for (name in n) print name, n[name] }' | sort
}

@test "profiles of gperftools fold to what google-pprof prints" {
	command -v google-pprof > /dev/null || skip 'install google-perftools'
	compile -ltcmalloc_and_profiler libgoogle-perftools-dev
	HEAPPROFILE=$PWD/shop ./shop 2> err
	set -- shop.*.heap
	[ -e "$1" ] || skip 'a tcmalloc without profiles'
	profile=${!#}
	stackcollapse "$profile" | sums > ours
	[ "$(wc -l < ours)" -eq 2 ]
	google-pprof --collapsed --inuse_space ./shop "$profile" 2> err |
		sums | diff ours -
	google-pprof --collapsed --alloc_objects ./shop "$profile" 2> err |
		sums | diff - <(stackcollapse-heap --alloc --objects "$profile" |
			sums)
}

@test "profiles of jemalloc fold to what jeprof prints" {
	command -v jeprof > /dev/null || skip 'install libjemalloc-dev'
	compile -ljemalloc libjemalloc-dev
	MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:12,prof_prefix:shop \
		./shop 2> err
	set -- shop.*.heap
	[ -e "$1" ] || skip 'a jemalloc without profiles'
	stackcollapse-heap "$1" | sums > ours
	# which cuts fractions off each of its four numbers
	jeprof --collapsed --inuse_space ./shop "$1" 2> err | sums |
		paste -d ' ' ours - | awk '
		{ d = $2 - $4; if ($1 != $3 || d < -3 || d > 3) print }
		END { if (NR != 2) print NR }' | diff /dev/null -
}
