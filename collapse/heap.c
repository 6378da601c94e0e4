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
 * All end with a map of the memory, and may begin with symbols:
 *
 *	--- symbol
 *	binary=/usr/bin/shop
 *	0x0000561747001182 cart
 *	---
 *	...
 *	MAPPED_LIBRARIES:
 *	561747001000-561747002000 r-xp 00001000 fe:00 1101   /usr/bin/shop
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/native.h"
#include "collapse/weights.h"
#include "fold/collapse.h"
#include "lib/bytes.h"
#include "lib/intmap.h"
#include "lib/sort.h"

#define MOST	((size_t)INT32_MAX)	/* bytes of a profile */
#define OLD_RATE	131072.0	/* where the profile tells none */

static bool alloc, allocators, objects;
static struct native native = { .symfs = "" };

enum unit { NO_UNIT, MEMORY, SAMPLES };

/* The numbers of a stack, "10: 3000 [15: 4000]". */
enum { OBJECTS, BYTES, ALL_OBJECTS, ALL_BYTES, VALUES };

/* A part of the memory that a file was in. */
struct mapped {
	uint64_t start;		/* first, for sort_by_number */
	uint64_t end, offset;
	struct str path;
	uint32_t file;		/* of native, from 1; 0: not opened so far */
};

/* The functions at an address. */
struct address_calls {
	struct calls calls;
	bool is_allocator;	/* they allocate memory for others */
};

struct profile {
	struct fold *fold;
	struct mapped *maps;
	size_t map_count, map_room;
	struct intmap symbols;	/* names by address, from 1 */
	struct str *names;
	size_t name_count, name_room;
	struct intmap known;	/* calls by address, from 1 */
	struct address_calls *calls;
	size_t call_count, call_room;
	struct arena arena;
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
	unsigned long long odd;	/* lines left out */
};

/* Cuts "0x7f5c", or "7f5c", off; false if it is no address. */
static bool
cut_address(struct str *text, uint64_t *address)
{
	struct str all = str_skip(*text, str_starts(*text, STR("0x")) ? 2 : 0);
	size_t digits;

	*text = all;
	while (str_starts(*text, STR("0")))
		*text = str_skip(*text, 1);
	digits = text->len;
	*address = str_hex(text);
	return text->len < all.len && digits - text->len <= 16;
}

/*
 * Reads a line of /proc/PID/maps, "40000-50000 r-xp 00000000 03:01 12 /a.so",
 * or "40000-50000: /a.so"; false if it is neither.
 */
static bool
read_mapped(struct str line, struct mapped *mapped)
{
	struct str offset;

	*mapped = (struct mapped){ .start = 0 };
	if (!cut_address(&line, &mapped->start) ||
	    !str_starts(line, STR("-")))
		return false;
	line = str_skip(line, 1);
	if (!cut_address(&line, &mapped->end))
		return false;
	if (str_starts(line, STR(":"))) {
		mapped->path = str_trim(str_skip(line, 1));
		return true;
	}
	str_cut_word(&line);
	offset = str_cut_word(&line);
	if (!cut_address(&offset, &mapped->offset))
		return false;
	str_cut_word(&line);
	str_cut_word(&line);
	mapped->path = str_trim(line);
	if (str_ends(mapped->path, STR(" (deleted)")))
		mapped->path.len -= STR(" (deleted)").len;
	return true;
}

static void
read_map(struct profile *profile, struct str lines)
{
	struct mapped mapped;

	while (lines.len > 0)
		if (read_mapped(str_trim(str_cut(&lines, '\n')), &mapped))
			*LIST_ADD(profile->maps, profile->map_count,
			    profile->map_room) = mapped;
	sort_by_number(profile->maps, profile->map_count,
	    sizeof(*profile->maps));
}

/* Cuts off what pprof adds to names that several functions have. */
static struct str
without_number(struct str name)
{
	size_t open = str_find_last(name, '<');
	struct str digits;

	if (open == name.len || open == 0 || name.len - open != 18 ||
	    !str_ends(name, STR(">")))
		return name;
	digits = str_between(name, open + 1, name.len - 1);
	str_hex(&digits);
	return digits.len == 0 ? str_take(name, open) : name;
}

/* Reads symbols at the start of a profile; returns the rest of the text. */
static struct str
read_symbols(struct profile *profile, struct str bytes)
{
	struct str rest = bytes, line = str_trim(str_cut(&rest, '\n'));
	uint64_t address;
	uint32_t *number;

	if (!str_equal(line, STR("--- symbol")))
		return bytes;
	while (rest.len > 0) {
		line = str_trim(str_cut(&rest, '\n'));
		if (str_equal(line, STR("---")))
			break;
		/* "0x561747001182 cart"; of inlined ones, "inner--outer" */
		if (!cut_address(&line, &address))
			continue;
		number = intmap_at(&profile->symbols, address);
		if (*number != 0)
			continue;
		*LIST_ADD(profile->names, profile->name_count,
		    profile->name_room) = without_number(str_trim(line));
		*number = (uint32_t)profile->name_count;
	}
	str_cut(&rest, '\n');	/* "--- heap", "--- profile" */
	return rest;
}

/* True for the name of a function that gives memory to others. */
static bool
is_allocator(struct str name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "reallocarray", "memalign",
		"posix_memalign", "aligned_alloc", "valloc", "pvalloc",
		"free", "cfree", "do_malloc", "DoSampledAllocation", NULL
	};
	static const char *const starts[] = {
		"operator new", "je_", "tc_", "tcmalloc::", "TCMalloc",
		"prof_backtrace", "prof_tctx_create", "prof_alloc_prep",
		"imalloc", "mallocx", "rallocx",
		"(anonymous namespace)::do_malloc", NULL
	};

	return str_any(str_equal, name, names) ||
	    str_any(str_starts, name, starts);
}

/* Makes the names of the functions at an address; true for an allocator's. */
static bool
make_names(struct profile *profile, uint64_t address)
{
	struct text *names = &profile->fold->name;
	uint32_t symbol = intmap_find(&profile->symbols, address);
	struct mapped *mapped;
	struct str library, outermost;
	size_t next, colon;

	names->len = 0;
	/* of the innermost frame pprof knows the address after the call */
	if (symbol == 0)
		symbol = intmap_find(&profile->symbols, address + 1);
	if (symbol != 0) {
		native_add_name(names, profile->names[symbol - 1]);
		return is_allocator(text_str(names));
	}
	next = sort_up_to(address, profile->maps, profile->map_count,
	    sizeof(*profile->maps));
	if (next == 0 || address >= profile->maps[next - 1].end) {
		native_add_unknown(&native, STR(""), address, names);
		return false;
	}
	mapped = &profile->maps[next - 1];
	if (mapped->file == 0)
		mapped->file = native_file(&native, mapped->path, STR("")) + 1;
	native_names(&native, mapped->file - 1, NATIVE_OFFSET,
	    address - mapped->start + mapped->offset, names);
	outermost = text_str(names);
	outermost.len = str_find(outermost, ';');
	/* without the line that --lines adds */
	colon = str_find(outermost, ':');
	if (colon + 1 < outermost.len && outermost.data[colon + 1] != ':')
		outermost.len = colon;
	library = str_base(mapped->path);
	return str_starts(library, STR("libjemalloc")) ||
	    str_starts(library, STR("libtcmalloc")) ||
	    is_allocator(outermost);
}

/* Returns the functions at an address, until another one is asked for. */
static const struct address_calls *
find_calls(struct profile *profile, uint64_t address)
{
	uint32_t number = intmap_find(&profile->known, address);
	struct address_calls *found;

	if (number != 0)
		return &profile->calls[number - 1];
	found = LIST_ADD(profile->calls, profile->call_count,
	    profile->call_room);
	found->is_allocator = make_names(profile, address);
	found->calls = calls_keep(namer_calls(&profile->fold->namer,
	    text_str(&profile->fold->name)), &profile->arena);
	*intmap_at(&profile->known, address) = (uint32_t)profile->call_count;
	return found;
}

/* Adds a weight to the stack, without `skipped` of its innermost frames. */
static void
weigh_stack(struct profile *profile, size_t skipped, double weight)
{
	const struct address_calls *found;
	uint32_t call = 0;
	size_t i, j;

	for (i = profile->depth; i > skipped; i--) {
		found = find_calls(profile, profile->stack[i - 1]);
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

/* Cuts the numbers of a stack off; false if the text is other. */
static bool
cut_values(struct str *text, double values[VALUES])
{
	static const char *const after[] = { ":", "", ":", "]" };
	struct str rest = *text;
	unsigned long long value;
	int i;

	for (i = 0; i < VALUES; i++) {
		rest = str_trim_start(rest);
		if (i == ALL_OBJECTS) {
			if (!str_starts(rest, STR("[")))
				return false;
			rest = str_trim_start(str_skip(rest, 1));
		}
		if (!str_number(rest, &value))
			return false;
		rest = str_skip(rest, str_digits(rest));
		if (!str_starts(rest, str_from(after[i])))
			return false;
		rest = str_skip(rest, strlen(after[i]));
		values[i] = (double)value;
	}
	*text = rest;
	return true;
}

/* Reads the addresses of a stack; one to return to becomes one in the call. */
static void
read_addresses(struct profile *profile, struct str text)
{
	uint64_t address;

	profile->depth = 0;
	for (text = str_trim_start(text); cut_address(&text, &address);
	    text = str_trim_start(text))
		*LIST_ADD(profile->stack, profile->depth, profile->room) =
		    address - (address > 0);
}

/*
 * Adds values to the stack, without the allocator's frames.  They are scaled,
 * since only some allocations were looked at: one of SIZE bytes is with a
 * probability of 1 - exp(-SIZE / RATE).
 */
static void
add_values(struct profile *profile, const double values[VALUES])
{
	double count = values[alloc ? ALL_OBJECTS : OBJECTS];
	double bytes = values[alloc ? ALL_BYTES : BYTES], ratio, scale = 1;
	size_t skipped = 0, i;

	if (profile->rate > 0 && count > 0 && bytes > 0) {
		ratio = bytes / count / profile->rate;
		scale = !profile->is_old ? -1 / expm1(-ratio) :
		    ratio < 1 ? 1 / ratio : 1;
	}
	for (i = 0; i < profile->depth && !allocators; i++)
		if (find_calls(profile, profile->stack[i])->is_allocator)
			skipped = i + 1;
	if (skipped == profile->depth)
		skipped = 0;
	weigh_stack(profile, skipped, scale * (objects ? count : bytes));
}

/* Reads a line of a profile; false if it is something else. */
static bool
read_line(struct profile *profile, struct str line)
{
	bool is_sum = str_starts(line, STR("t*:"));
	double values[VALUES];

	if (str_starts(line, STR("@"))) {
		read_addresses(profile, str_skip(line, 1));
		return true;
	}
	/* a line of one thread is part of the one of all */
	if (str_starts(line, STR("t")) && !is_sum)
		return true;
	line = str_skip(line, is_sum ? 3 : 0);
	if (!cut_values(&line, values))
		return false;
	line = str_trim_start(line);
	if (!is_sum && !str_starts(line, STR("@")))
		return false;
	if (!is_sum)
		read_addresses(profile, str_skip(line, 1));
	if (!is_sum || profile->depth > 0)
		add_values(profile, values);
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

/* Reads a memory profile; false if it is something else. */
static bool
read_heap(struct profile *profile, struct str text)
{
	struct str rest = text, line = str_trim(str_cut(&rest, '\n'));
	size_t map = str_search(rest, STR("\nMAPPED_LIBRARIES:"));
	size_t at = str_find(line, '@');
	bool is_cut;

	if (str_starts(line, STR("heap profile:"))) {
		if (at < line.len)
			read_type(profile, str_trim(str_skip(line, at + 1)));
	} else if (str_starts(line, STR("heap_v2/")))
		read_type(profile, line);
	else
		return false;
	if (map == rest.len)
		map = str_search(rest, STR("\n--- Memory map:"));
	read_map(profile, str_skip(rest, map));
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

/* The words of a profile, of 4 or 8 bytes. */
struct words {
	struct bytes bytes;
	size_t size;
	bool swapped;		/* the first byte is the highest */
};

static uint64_t
next_word(struct words *words)
{
	uint64_t word = bytes_uint(&words->bytes, words->size), swapped = 0;
	size_t i;

	for (i = 0; i < words->size; i++)
		swapped = swapped << 8 | (word >> 8 * i & 0xff);
	return words->swapped ? swapped : word;
}

/* Finds the form of the words; false if it is no profile of CPU time. */
static bool
find_words(struct words *words, struct str bytes)
{
	uint64_t header[5];
	int form, i;

	for (form = 0; form < 4; form++) {
		*words = (struct words){ bytes_from(bytes), form & 1 ? 4 : 8,
		    form > 1 };
		for (i = 0; i < 5; i++)
			header[i] = next_word(words);
		if (!words->bytes.failed && header[0] == 0 &&
		    header[1] == 3 && header[2] == 0 && header[4] == 0)
			return true;
	}
	return false;
}

/* Reads a stack, and stores its count; false at the end, or where it is cut. */
static bool
read_stack(struct profile *profile, struct words *words, uint64_t *count)
{
	uint64_t depth, address, i;

	*count = next_word(words);
	depth = next_word(words);
	profile->depth = 0;
	if (words->bytes.failed ||
	    depth > bytes_left(&words->bytes) / words->size)
		return false;
	for (i = 0; i < depth; i++) {
		address = next_word(words);
		*LIST_ADD(profile->stack, profile->depth, profile->room) =
		    address - (i > 0 && address > 0);
	}
	return true;
}

/* True if the words 0 1 0 were read. */
static bool
is_end(const struct profile *profile, uint64_t count)
{
	return count == 0 && profile->depth == 1 && profile->stack[0] == 0;
}

static const char *
read_cpu(struct profile *profile, struct words words)
{
	struct words at = words;
	uint64_t count;

	/* the map comes last */
	while (read_stack(profile, &at, &count) && !is_end(profile, count))
		;
	read_map(profile, bytes_text(&at.bytes, bytes_left(&at.bytes)));
	/* what pprof --raw writes has no end */
	while (bytes_left(&words.bytes) > 0) {
		if (!read_stack(profile, &words, &count))
			return "it is damaged: it ends inside its stacks";
		if (is_end(profile, count))
			break;
		weigh_stack(profile, 0, (double)count);
	}
	return NULL;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct heap *heap = (struct heap *)fold;
	struct profile profile = { .fold = fold };
	const char *reason = NULL;
	struct str bytes, text;
	struct words words;
	enum unit unit;

	if (!content_all(content, &bytes, MOST))
		return content->trouble;
	text = read_symbols(&profile, bytes);
	unit = find_words(&words, text) ? SAMPLES : MEMORY;
	if (unit == MEMORY && !read_heap(&profile, text))
		reason = fold_reason(fold, "it is not a profile of jemalloc or "
		    "gperftools; it looks like %s", kind_looks(bytes));
	else if (heap->unit != NO_UNIT && heap->unit != unit)
		reason = unit == SAMPLES ? "it counts samples, but the files "
		    "before it count memory" : "it counts memory, not samples "
		    "as those before";
	else if (unit == SAMPLES)
		reason = read_cpu(&profile, words);
	if (reason == NULL) {
		weights_count(&profile.weights, fold, 1, NULL);
		fold->counts.samples += (size_t)profile.samples;
		heap->unit = unit;
		heap->odd += profile.odd;
	}
	free(profile.maps);
	free(profile.names);
	free(profile.calls);
	intmap_free(&profile.symbols);
	intmap_free(&profile.known);
	arena_free(&profile.arena);
	weights_free(&profile.weights);
	free(profile.stack);
	return reason;
}

static void
report(struct fold *fold)
{
	const struct heap *heap = (const struct heap *)fold;

	fold_report_lost(fold, "damaged lines, left out", heap->odd);
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
