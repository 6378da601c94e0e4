/*
 * stackcollapse-heap: folds profiles of memory, of jemalloc and of gperftools,
 * and gperftools' profiles of CPU time.
 *
 * gperftools has numbers and bytes that are in use, and in brackets those that
 * were allocated, then addresses, the innermost first:
 *
 *	heap profile:  12:  3456 [ 20:  5678] @ heapprofile
 *	 10:  3000 [ 15:  4000] @ 0x561747001182 0x56174700121a 0x5617470012ab
 *
 * jemalloc has them in two lines, with a line for all threads and for each:
 *
 *	heap_v2/524288
 *	@ 0x561747001182 0x56174700121a 0x5617470012ab
 *	  t*: 10: 3000 [15: 4000]
 *	  t0: 10: 3000 [15: 4000]
 *
 * A number after the type is how many bytes were allocated, on average, for
 * each that was looked at.  A profile of CPU time is words, of 4 or 8 bytes, in
 * the order of its machine:
 *
 *	0 3 0 PERIOD 0			the period in microseconds
 *	COUNT DEPTH ADDRESS ...		a stack, the innermost address first
 *	0 1 0				the end
 *
 * All end with a map of the memory, and may begin with symbols: addresses.h has
 * their form.
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/heap/addresses.h"
#include "collapse/native.h"
#include "collapse/weights.h"
#include "fold/collapse.h"
#include "lib/content.h"
#include "lib/options.h"

/* A profile may not be larger. */
#define MOST	((size_t)INT32_MAX)

#define OLD_RATE	131072.0	/* where the profile tells none */

static bool alloc, allocators, objects;
static struct native native = { .symfs = "" };

enum unit { NO_UNIT, BYTES, OBJECTS, SAMPLES };

/* The values of a stack that are counted, of each type. */
struct values {
	double objects, bytes;
};

/* The content of a file. */
struct profile {
	struct fold *fold;
	struct addresses addresses;
	struct weights weights;
	double rate;		/* bytes for each that was sampled; 0: all */
	bool is_old;		/* it is told as gperftools did at first */
	uint64_t *stack;	/* addresses, the innermost first */
	size_t depth, room;
	unsigned long long samples, odd;
};

struct heap {
	struct fold fold;
	enum unit unit;		/* of the counts; NO_UNIT: none so far */
	unsigned long long odd;	/* lines, which are left out */
};

/*
 * Stacks.
 */

static void
push_address(struct profile *profile, uint64_t address)
{
	profile->stack = mem_grow(profile->stack, &profile->room,
	    profile->depth + 1, sizeof(*profile->stack));
	profile->stack[profile->depth++] = address;
}

/* Adds a weight to the stack, without `skipped` of its innermost frames. */
static void
weigh_stack(struct profile *profile, size_t skipped, double weight)
{
	const struct address_calls *found;
	uint32_t call = 0;
	size_t i, j;

	for (i = profile->depth; i > skipped; i--) {
		found = addresses_find(&profile->addresses,
		    profile->stack[i - 1]);
		for (j = 0; j < found->calls.count; j++)
			call = weights_call(&profile->weights, call,
			    found->calls.frames[j]);
	}
	if (call == 0)
		call = weights_call(&profile->weights, 0,
		    fold_name(profile->fold, STR("[unknown]")));
	weights_add(&profile->weights, call, weight);
	profile->samples++;
}

/*
 * Profiles of memory.
 */

/* Cuts a number and what follows it off; false if the text is other. */
static bool
cut_number(struct str *text, const char *after, double *number)
{
	struct str rest = str_trim_start(*text);
	unsigned long long value;

	if (!str_number(rest, &value))
		return false;
	rest = str_skip(rest, str_digits(rest));
	if (!str_starts(rest, str_from(after)))
		return false;
	*text = str_skip(rest, strlen(after));
	*number = (double)value;
	return true;
}

/* Cuts "10: 3000 [15: 4000]" off, and stores the values that are wanted. */
static bool
cut_values(struct str *text, struct values *values)
{
	struct values used, all;
	struct str rest = *text;

	if (!cut_number(&rest, ":", &used.objects) ||
	    !cut_number(&rest, "", &used.bytes))
		return false;
	rest = str_trim_start(rest);
	if (!str_starts(rest, STR("[")))
		return false;
	rest = str_skip(rest, 1);
	if (!cut_number(&rest, ":", &all.objects) ||
	    !cut_number(&rest, "]", &all.bytes))
		return false;
	*values = alloc ? all : used;
	*text = rest;
	return true;
}

/*
 * Returns by what to multiply values, since only some allocations were looked
 * at: one of SIZE bytes is with a probability of 1 - exp(-SIZE / RATE).
 */
static double
find_scale(const struct profile *profile, const struct values *values)
{
	double ratio;

	if (profile->rate == 0 || values->objects == 0 || values->bytes == 0)
		return 1;
	ratio = values->bytes / values->objects / profile->rate;
	if (profile->is_old)
		return ratio < 1 ? 1 / ratio : 1;
	return -1 / expm1(-ratio);
}

static void
read_addresses(struct profile *profile, struct str text)
{
	uint64_t address;

	profile->depth = 0;
	for (text = str_trim_start(text); addresses_cut(&text, &address);
	    text = str_trim_start(text))
		push_address(profile, address == 0 ? 0 : address - 1);
}

/* Adds values to the stack, without the allocator's frames. */
static void
add_values(struct profile *profile, const struct values *values)
{
	size_t skipped = 0, i;

	for (i = 0; i < profile->depth && !allocators; i++)
		if (addresses_find(&profile->addresses,
		    profile->stack[i])->is_allocator)
			skipped = i + 1;
	if (skipped == profile->depth)
		skipped = 0;
	weigh_stack(profile, skipped, find_scale(profile, values) *
	    (objects ? values->objects : values->bytes));
}

/* Reads a line of a profile; false if it is something else. */
static bool
read_line(struct profile *profile, struct str line)
{
	struct values values;

	if (str_starts(line, STR("@"))) {
		read_addresses(profile, str_skip(line, 1));
		return true;
	}
	if (str_starts(line, STR("t"))) {
		/* a line of one thread is part of the one of all */
		if (!str_starts(line, STR("t*:")))
			return true;
		line = str_skip(line, 3);
		if (!cut_values(&line, &values))
			return false;
		if (profile->depth > 0)
			add_values(profile, &values);
		return true;
	}
	if (!cut_values(&line, &values))
		return false;
	line = str_trim_start(line);
	if (!str_starts(line, STR("@")))
		return false;
	read_addresses(profile, str_skip(line, 1));
	add_values(profile, &values);
	return true;
}

/* Reads "heap_v2/524288" or "heapprofile", the kind of sampling. */
static void
read_type(struct profile *profile, struct str type)
{
	size_t slash = str_find(type, '/');
	unsigned long long rate = 0;
	struct str name = str_trim(str_take(type, slash));

	if (slash < type.len)
		str_number(str_skip(type, slash + 1), &rate);
	if (str_equal(name, STR("heapprofile")) ||
	    !str_contains(name, STR("heap")))
		return;
	profile->is_old = !str_contains(name, STR("_v2"));
	profile->rate = rate == 0 ? OLD_RATE :
	    profile->is_old ? (double)rate / 2 : (double)rate;
}

/* Reads the first line; false if it is no profile's. */
static bool
read_header(struct profile *profile, struct str line)
{
	size_t at;

	if (str_starts(line, STR("heap_v2/"))) {
		read_type(profile, line);
		return profile->rate > 0;
	}
	if (!str_starts(line, STR("heap profile:")))
		return false;
	at = str_find(line, '@');
	if (at < line.len)
		read_type(profile, str_trim(str_skip(line, at + 1)));
	return true;
}

/* Reads a memory profile; false if it is something else. */
static bool
read_heap(struct profile *profile, struct str text)
{
	struct str rest = text, line = str_trim(str_cut(&rest, '\n'));
	size_t map = str_search(rest, STR("\nMAPPED_LIBRARIES:"));
	bool is_cut;

	if (!read_header(profile, line))
		return false;
	if (map == rest.len)
		map = str_search(rest, STR("\n--- Memory map:"));
	addresses_read_map(&profile->addresses, str_skip(rest, map));
	is_cut = map == rest.len && !str_ends(rest, STR("\n"));
	rest = str_take(rest, map);
	while (rest.len > 0) {
		line = str_trim(str_cut(&rest, '\n'));
		if (line.len > 0 && ((is_cut && rest.len == 0) ||
		    !read_line(profile, line)))
			profile->odd++;
	}
	return true;
}

/*
 * Profiles of CPU time.
 */

/* The words of a profile. */
struct words {
	struct str left;
	size_t size;		/* 4 or 8 */
	bool swapped;		/* the first byte is the highest */
};

static bool
next_word(struct words *words, uint64_t *word)
{
	size_t i;

	*word = 0;
	if (words->left.len < words->size)
		return false;
	for (i = 0; i < words->size; i++)
		*word = *word << 8 | (unsigned char)words->left.data[
		    words->swapped ? i : words->size - 1 - i];
	words->left = str_skip(words->left, words->size);
	return true;
}

/* Finds the form of the words; false if it is no profile of CPU time. */
static bool
find_words(struct words *words, struct str bytes)
{
	uint64_t header[5] = { 0 };
	int form;
	size_t i;

	for (form = 0; form < 4; form++) {
		*words = (struct words){ bytes, form & 1 ? 4 : 8, form > 1 };
		for (i = 0; i < 5 && next_word(words, &header[i]);)
			i++;
		if (i == 5 && header[0] == 0 && header[1] == 3 &&
		    header[2] == 0 && header[4] == 0)
			return true;
	}
	return false;
}

/* Reads a stack, and stores its count; false at the end, or where it is cut. */
static bool
read_stack(struct profile *profile, struct words *words, uint64_t *count)
{
	uint64_t depth, address, i;

	profile->depth = 0;
	if (!next_word(words, count) || !next_word(words, &depth) ||
	    depth > words->left.len / words->size)
		return false;
	for (i = 0; i < depth; i++) {
		if (!next_word(words, &address))
			return false;
		push_address(profile, i > 0 && address > 0 ? address - 1 :
		    address);
	}
	return true;
}

/* True if the words 0 1 0 were read. */
static bool
is_end(const struct profile *profile, uint64_t count)
{
	return count == 0 && profile->depth == 1 && profile->stack[0] == 0;
}

/* Reads the stacks; returns NULL, or what is wrong with them. */
static const char *
read_cpu(struct profile *profile, struct words words)
{
	struct words at = words;
	uint64_t count;

	/* the map comes last */
	while (read_stack(profile, &at, &count) && !is_end(profile, count))
		;
	addresses_read_map(&profile->addresses, at.left);
	/* what pprof --raw writes has no end */
	while (words.left.len > 0) {
		if (!read_stack(profile, &words, &count))
			return "it is damaged: it ends inside its stacks";
		if (is_end(profile, count))
			break;
		weigh_stack(profile, 0, (double)count);
	}
	return NULL;
}

/*
 * Files.
 */

/* Returns NULL, or a reason: the profiles before counted other things. */
static const char *
check_unit(struct heap *heap, enum unit unit)
{
	if (heap->unit == NO_UNIT || heap->unit == unit)
		return NULL;
	return unit == SAMPLES ? "it counts samples, but the files before it "
	    "count memory"
	    : "it counts memory, not samples as those before";
}

/* Reads a profile; returns NULL, or the reason why it cannot. */
static const char *
read_profile(struct heap *heap, struct profile *profile, struct str bytes,
    enum unit *unit)
{
	struct str text = addresses_read_symbols(&profile->addresses, bytes);
	struct words words;
	const char *reason;

	if (find_words(&words, text)) {
		*unit = SAMPLES;
		reason = check_unit(heap, *unit);
		return reason != NULL ? reason : read_cpu(profile, words);
	}
	*unit = objects ? OBJECTS : BYTES;
	reason = check_unit(heap, *unit);
	if (!read_heap(profile, text))
		return fold_reason(&heap->fold, "it is not a profile of "
		    "jemalloc or gperftools; it looks like %s",
		    kind_looks(bytes));
	return reason;
}

static const char *
fold_bytes(struct heap *heap, struct str bytes)
{
	struct profile profile = { .fold = &heap->fold, .addresses = {
		.native = &native, .namer = &heap->fold.namer
	} };
	const char *reason;
	enum unit unit;

	reason = read_profile(heap, &profile, bytes, &unit);
	if (reason == NULL) {
		weights_count(&profile.weights, &heap->fold, 1, NULL);
		heap->fold.counts.samples += (size_t)profile.samples;
		heap->unit = unit;
		heap->odd += profile.odd;
	}
	addresses_free(&profile.addresses);
	weights_free(&profile.weights);
	free(profile.stack);
	return reason;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct str bytes;

	return content_all(content, &bytes, MOST) ?
	    fold_bytes((struct heap *)fold, bytes) : content->trouble;
}

static void
report(struct fold *fold)
{
	const struct heap *heap = (const struct heap *)fold;

	fold_report_lost(fold, "damaged lines, left out",
	    heap->odd);
	native_report(&native);
}

static const struct option options[] = {
	{ "alloc", OPTION_FLAG, &alloc, NULL,
	    "count all memory that was allocated, not what is in use" },
	{ "objects", OPTION_FLAG, &objects, NULL,
	    "count allocations, not bytes" },
	{ "allocators", OPTION_FLAG, &allocators, NULL,
	    "show the frames of the allocator, too" },
	NATIVE_OPTIONS(native),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_HEAP], .size = sizeof(struct heap),
	.file = fold_file, .report = report,
	.nothing = "the profile has no stacks",
	.options = options, .adds_folded = true,
};
