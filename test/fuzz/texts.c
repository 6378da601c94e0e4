/*
 * The first line of the input names a program of collapse/ that reads text, by
 * a letter, and the rest is what it reads.  Its result is folded stacks, and
 * the same when it is read in small pieces and from a pipe's end; and what the
 * text looks like can be told.
 */
#include "fold/kind.h"
#include "fuzz.h"

int collapse_bpftrace_main(int argc, char **argv);
int collapse_gdb_main(int argc, char **argv);
int collapse_jstack_main(int argc, char **argv);
int collapse_sample_main(int argc, char **argv);
int collapse_sched_main(int argc, char **argv);
int collapse_stap_main(int argc, char **argv);
int collapse_vtune_main(int argc, char **argv);
int collapse_xctrace_main(int argc, char **argv);

typedef int program(int argc, char **argv);

static program *const programs[] = {
	collapse_bpftrace_main, collapse_gdb_main, collapse_jstack_main,
	collapse_sample_main, collapse_sched_main, collapse_stap_main,
	collapse_vtune_main, collapse_xctrace_main
};

/* Options of the programs, which a second letter adds. */
static const char *const options[] = {
	"--no-offsets", "--quiet", "--shorten-pkgs", "--no-modules",
	"--column=run", "--quiet", "--size", "--quiet"
};

static struct result
fold(size_t number, bool with_option)
{
	struct words words = { 0 };

	if (with_option)
		words_add(&words, options[number]);
	words_add(&words, "in");
	return fuzz_run(programs[number], &words);
}

void
fuzz_input(struct str input)
{
	struct str choice = fuzz_line(&input);
	size_t number = choice.len == 0 ? 0 : (size_t)(unsigned char)
	    choice.data[0] % (sizeof(programs) / sizeof(*programs));
	bool with_option = choice.len > 1;
	struct result whole, pieces;

	fuzz_write("in", input);
	whole = fold(number, with_option);
	require(whole.status == 0 || whole.status == 1, "it ends well");
	fuzz_folded_sum(whole.out);
	fuzz_one_count(whole.out);
	fuzz_short_reads = 1 + input.len / 9;
	pieces = fold(number, with_option);
	fuzz_short_reads = 0;
	require(pieces.status == whole.status &&
	    str_equal(pieces.out, whole.out) &&
	    str_equal(pieces.err, whole.err), "pieces are the whole");
	kind_find(input, true);
	kind_find(input, false);
}
