load ../helper

# Stacks whose copies are too short: how many there are, and what --stitch joins.
# Samples are those of unit/snapshot.c, or of perf record, if it works here.

load ../unit

setup_file() {
	command -v "${CC:-cc}" > /dev/null || { lacks 'no compiler'; return; }
	case $("${CC:-cc}" -dumpmachine) in
	x86_64*linux-gnu | aarch64*linux-gnu) ;;
	*) lacks 'another machine'; return ;;
	esac
	needs_drivers
	"${CC:-cc}" -std=gnu11 -O2 -g -fno-optimize-sibling-calls \
	    -o "$BATS_FILE_TMPDIR/snapshot" "$TOP/test/unit/snapshot.c"
}

# record: makes a recording of the lines that it reads.
record() {
	"$UNIT" perfdata
}

# walk: takes samples of a recursion, and makes the recordings long, and short,
# with the first 4096 bytes of each copy, and their folded stacks.
walk() {
	"$BATS_FILE_TMPDIR/snapshot" walk .
	record < unwound > long.data
	for copy in stack.*; do
		head -c 4096 "$copy" > part
		mv part "$copy"
	done
	record < unwound > short.data
	for name in long short; do
		stackcollapse-perf --no-inline $name.data > $name 2> $name.err
	done
}

# count PATTERN: adds up the counts of folded stacks that have it.
count() {
	awk -v pattern="$1" '$0 ~ pattern { sum += $NF } END { print sum + 0 }'
}

@test "--stitch makes the stacks that longer copies have" {
	walk
	fails 1 diff long short > /dev/null
	stackcollapse-perf --no-inline --stitch short.data 2> err | diff long -
	stackcollapse-perf --no-inline --stitch long.data | diff long -
	stackcollapse-perf --no-inline long.data | has '\(;walk\)\{80\}'
}

@test "--stitch takes samples in the order of time, in any number of threads" {
	walk
	{ grep -v ^sample unwound; grep ^sample unwound | tac; } |
		record > backwards.data
	for jobs in 1 2 4; do
		for name in short backwards; do
			stackcollapse-perf --jobs=$jobs --no-inline --stitch \
			    $name.data 2> err | diff long -
		done
	done
	stackcollapse-perf --in-order --no-inline --stitch short.data 2> err |
		sed 's/:9-9\/9/:9/' | LC_ALL=C sort | awk '{ count = $NF
			sub(/ [0-9]*$/, ""); sum[$0] += count }
			END { for (stack in sum) print stack, sum[stack] }' |
		LC_ALL=C sort | diff <(LC_ALL=C sort long) -
}

@test "a frame limit holds for joined stacks, whose outer frames are kept" {
	walk
	for most in 1 10 50; do
		stackcollapse-perf --no-inline --max-stack=$most long.data \
		    > expected
		stackcollapse-perf --no-inline --stitch --max-stack=$most \
		    short.data 2> err | diff expected -
	done
}

@test "stacks of other threads and of other names are not joined" {
	walk
	# each sample is of another thread
	samples=$(grep -c ^sample unwound)
	awk '/^sample/ { $4 = n++ } { print }' unwound > other
	record < other > other.data
	stackcollapse-perf --no-inline --stitch other.data 2> err > out
	has "function: .* of $samples;.*joined by --stitch: 0;" err
	awk '/^sample/ { print "comm 9 9 name", $5 } { print }' unwound > named
	record < named > named.data
	stackcollapse-perf --no-inline --stitch named.data 2> err > out
	has "function: .* of $samples;.*joined by --stitch: 0;" err
}

@test "stacks that end early are told, with the reason and what helps" {
	walk
	[ ! -s long.err ]
	total=$(count . < short)
	early=$((total - $(count '^[^;]*;_start;' < short)))
	[ "$early" -gt 10 ]
	sed 's/: [0-9]* of/: N of/; s/short: [0-9]*/short: N/' short.err |
		diff - <(echo "stackcollapse-perf: short.data: stacks that end" \
		    "before their thread's first function: N of $total; copy" \
		    "of the stack too short: N; perf record --call-graph" \
		    "dwarf,16384 copies more, and --stitch joins some")
	grep -q "function: $early of" short.err
}

# A frame pointer of 0 would say that it is the first function.
@test "code without tables is told with its module" {
	"${CC:-cc}" -std=gnu11 -O2 -fno-omit-frame-pointer -o snapshot \
	    "$TOP/test/unit/snapshot.c"
	./snapshot plain .
	sed 's@ /[^ ]*/snapshot$@ /nowhere/program@' unwound | record > perf.data
	stackcollapse-perf perf.data 2>&1 > out | has -F "stacks that end before\
 their thread's first function: 1 of 1; code without unwinding tables: 1, most\
 of them in /nowhere/program"
	sed '/ \/[^ ]*\/snapshot$/d' unwound | record > perf.data
	stackcollapse-perf perf.data 2>&1 > out |
		has '1 of 1; code that is not mapped: 1$'
}

@test "stacks that reach a first function are not told" {
	for scene in plain deep variable library signal coroutine; do
		"$BATS_FILE_TMPDIR/snapshot" $scene .
		record < unwound > perf.data
		stackcollapse-perf --no-inline perf.data 2>&1 > out |
			diff /dev/null -
		record < chained | stackcollapse-perf 2>&1 > out |
			diff /dev/null -
	done
}

can_record() {
	command -v perf > /dev/null &&
		perf record -q -e cpu-clock -F 99 --call-graph dwarf,4096 \
		    -o try.data true 2> /dev/null > /dev/null
}

# shape: puts one for frames, or pairs and threes of them, that come again.
shape() {
	sed -E -e 's/ [0-9]+$//' -e 's/$/;/' -e ':a' \
	    -e 's/(;[^;]*)(\1)+;/\1;/' -e 't a' -e ':b' \
	    -e 's/(;[^;]*;[^;]*)(\1)+;/\1;/' -e 't b' -e ':c' \
	    -e 's/(;[^;]*;[^;]*;[^;]*)(\1)+;/\1;/' -e 't c'
}

# live COMMAND...: records it with short and long copies; 95 % of the stitched
# weight must be in stacks that long copies have too, frames that repeat aside;
# they are in the file stitched.
live() {
	for size in 4096 65528; do
		perf record -q -e cpu-clock -F 1999 --call-graph dwarf,$size \
		    -o $size.data "$@" > /dev/null 2> err
	done
	fold() {
		stackcollapse-perf --no-inline --max-stack=5000 --kernel \
		    "$@" 2> err | sed 's/;[^;]*_\[k\].* / /'
	}
	fold 65528.data | shape | sort -u > shapes
	fold --stitch 4096.data > stitched
	paste -d ' ' <(shape < stitched | tr ' ' '_') \
	    <(sed 's/.* //' stitched) | awk 'NR == FNR { gsub(/ /, "_")
		is[$0] = 1; next } { all += $2; if ($1 in is) good += $2 }
		END { print good, all; exit good < 0.95 * all }' shapes -
}

# burn.h: work that takes a time.
burn() {
	cat > burn.h <<-'END'
	static volatile double sink;
	__attribute__((noinline)) void burn(int n)
	{ double s = 0; for (int i = 1; i < n; i++) s += 1.0 / i; sink = sink + s; }
	END
}

# none_but PATTERN [FRAME MOST]: all joined stacks below main or a thread's
# function are so, where a frame that repeats is told once, and does not do so
# more often than that.  To tell a hundred of them is slow in a pattern.
none_but() {
	sed -n -E 's/ [0-9]+$//; s/.*;(main|run_alpha|run_beta);/\1;/p' stitched |
	    awk -v frame="^(${2-})$" -v most="${3-}" '{
		count = split($0, frames, ";")
		stack = frames[1]
		repeated = 1
		for (i = 2; i <= count; i++) {
			repeated = frames[i] == frames[i - 1] ? repeated + 1 : 1
			if (frames[i] !~ frame || repeated == 1)
				stack = stack ";" frames[i]
			else if (repeated > most)
				stack = "more than " most ": " $0
		}
		print stack
	    }' | { ! grep -vE "^($1)$"; }
}

@test "what is joined of recursions in live recordings can be" {
	can_record || skip 'perf does not record here'
	burn
	cat > direct.c <<-'END'
	#include "burn.h"
	__attribute__((noinline)) int down(int n) {
		if (n == 0) return 0;
		burn(8000);
		int r = down(n - 1) + 1;
		burn(8000);
		return r;
	}
	int main(void) { for (int k = 0; k < 60; k++) down(500); }
	END
	cat > mutual.c <<-'END'
	#include "burn.h"
	int odd(int);
	__attribute__((noinline)) int even(int n) {
		volatile char pad[40];
		pad[0] = 1;
		if (n == 0) return 0;
		burn(15000);
		int r = odd(n - 1) + pad[0];
		burn(15000);
		return r;
	}
	__attribute__((noinline)) int odd(int n) {
		volatile char pad[100];
		pad[0] = 1;
		if (n == 0) return 1;
		burn(15000);
		return even(n - 1) + pad[0];
	}
	int main(void) { for (int k = 0; k < 60; k++) even(300); }
	END
	for name in direct mutual; do
		"${CC:-cc}" -O2 -g -fno-optimize-sibling-calls -o $name $name.c
	done
	live ./direct
	none_but 'main(;down)?(;burn)?' down 501
	live ./mutual
	none_but 'main((;even;odd){0,151}(;even)?(;burn)?)'
}

@test "what is joined of trees, callbacks and threads in live recordings can be" {
	can_record || skip 'perf does not record here'
	burn
	cat > tree.c <<-'END'
	#include <stdlib.h>
	#include "burn.h"
	struct node { struct node *left, *right; };
	struct node *build(int depth) {
		if (depth == 0) return NULL;
		struct node *n = calloc(1, sizeof *n), *t;
		n->left = build(depth - 1);
		n->right = rand() % 40 == 0 ? build(depth - 1) : NULL;
		if (rand() & 1) t = n->left, n->left = n->right, n->right = t;
		return n;
	}
	__attribute__((noinline)) void visit(void) { burn(30000); }
	__attribute__((noinline)) void walk(struct node *n) {
		volatile char pad[50];
		pad[0] = 0;
		if (n == NULL) return;
		walk(n->left);
		visit();
		walk(n->right);
		pad[1] = pad[0];
	}
	int main(void) {
		struct node *tree = build(180);
		for (int k = 0; k < 10; k++) walk(tree);
	}
	END
	cat > call.c <<-'END'
	#include <stdlib.h>
	#include "burn.h"
	int compare(const void *a, const void *b)
	{ burn(3000); return *(const int *)a - *(const int *)b; }
	__attribute__((noinline)) int nest(int n) {
		int list[64];
		for (int i = 0; i < 64; i++) list[i] = rand();
		if (n == 0) return 0;
		qsort(list, 64, sizeof *list, compare);
		int r = nest(n - 1) + list[3];
		qsort(list, 64, sizeof *list, compare);
		return r + list[0];
	}
	int main(void) { for (int k = 0; k < 12; k++) nest(60); }
	END
	cat > threads.c <<-'END'
	#include <pthread.h>
	#include "burn.h"
	#define RECURSION(name, pads) \
	__attribute__((noinline)) int name(int n) { \
		volatile char pad[pads]; \
		pad[0] = 1; \
		if (n == 0) return 0; \
		burn(12000); \
		int r = name(n - 1) + pad[0]; \
		burn(9000); \
		return r; \
	} \
	void *run_##name(void *a) \
	{ for (int k = 0; k < 8; k++) name(300 + k * 37); return a; }
	RECURSION(alpha, 8)
	RECURSION(beta, 64)
	int main(void) {
		pthread_t t[4];
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], 0, i & 1 ? run_beta : run_alpha, 0);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], 0);
	}
	END
	for name in tree call threads; do
		"${CC:-cc}" -O2 -g -fno-optimize-sibling-calls -pthread \
		    -o $name $name.c
	done
	live ./tree
	none_but 'main(;build)+(;.*)?|main(;walk){0,181}(;visit(;burn)?)?'
	live ./call
	none_but 'main(;nest){0,61}(;.*)?'
	live ./threads
	none_but 'main.*|run_alpha(;alpha)?(;burn)?|run_beta(;beta)?(;burn)?' \
	    'alpha|beta' 560
}
