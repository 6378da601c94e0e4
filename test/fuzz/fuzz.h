/*
 * fuzz: runs the targets.  A target is a function that makes a program's input
 * of any bytes, runs the program in this process, and requires of its output
 * all that must hold whatever the input was.  It is called fuzz_NAME, after its
 * folder of seeds; memory that mem.h gave is freed when it returns.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>

#include "lib/mem.h"
#include "lib/str.h"
#include "lib/text.h"

/* Sums up to this are exact. */
#define EXACT	((double)(1ull << 52))

/* These are the mains of the programs. */
int stackcollapse_perf_main(int argc, char **argv);
int stackcollapse_dtrace_main(int argc, char **argv);
int difffolded_main(int argc, char **argv);
int flamegraph_main(int argc, char **argv);
int collapse_firefox_main(int argc, char **argv);
int collapse_pprof_main(int argc, char **argv);
int collapse_callgrind_main(int argc, char **argv);
int collapse_cprofile_main(int argc, char **argv);
int report_foldedtop_main(int argc, char **argv);

/* The result of a program; it lives until the target returns. */
struct result {
	int status;
	struct str out, err;
};

/* The highest status that the target's programs may have; at first 2. */
extern int fuzz_most_status;

/* The most that a read gives, or 0. */
extern size_t fuzz_short_reads;

/* The bytes that the reorder queue of a recording holds; 0: as usual. */
extern size_t fuzz_queue_bytes;

/* Words of a command line, a list that ends with NULL; it begins as { 0 }. */
struct words {
	char **list;
	size_t count, room;
};

/* Runs a program with these words after its name. */
struct result fuzz_run(int (*program)(int, char **),
    const struct words *words);

/* Runs it with up to two operands after words that may be options. */
struct result fuzz_run_on(int (*program)(int, char **),
    const struct words *words, const char *first, const char *second);

/* Returns whether status, output and messages are the same. */
bool fuzz_same(const struct result *a, const struct result *b);

/* Calls any function that may exit. */
struct result fuzz_call(int (*function)(void *), void *argument);

void words_add(struct words *words, const char *word);

/* Adds "NAMETEXT", with the text up to its first NUL. */
void words_add_value(struct words *words, const char *name, struct str text);

/*
 * Cuts a line of letters off the input; each asks for a word of the table: 'a'
 * for the first one.
 */
void words_add_chosen(struct words *words, struct str *input,
    const char *const *table);

bool words_have(const struct words *words, const char *word);

/* Cuts off all before mark, which goes, or all if mark is missing. */
struct str fuzz_cut(struct str *input, struct str mark);

/* Cuts off a line. */
static inline struct str
fuzz_line(struct str *input)
{
	return fuzz_cut(input, STR("\n"));
}

/* Returns lines from the last to the first. */
struct str fuzz_backwards(struct str lines);

/* Writes or reads a file in the current folder. */
void fuzz_write(const char *path, struct str content);
struct str fuzz_read(const char *path);

/* Ends the process as a crash does, unless it is so. */
void require(bool is_so, const char *what);

/* Returns the sum of the counts in folded stacks, which must each have one. */
double fuzz_folded_sum(struct str folded);

/* Requires that text is JSON. */
void fuzz_json(struct str text);

/* Requires that each line is a stack and one count. */
void fuzz_one_count(struct str folded);

/*
 * Sums up lines that are a stack of printable characters, whose last name is
 * not empty, and one count of few digits; false if there are others.
 */
bool fuzz_plain_sum(struct str folded, double *sum);

#endif
