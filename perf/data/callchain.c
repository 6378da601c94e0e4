#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callchain.h"
#include "lib/message.h"

/* Fuzzing has fewer, so that they are forgotten often. */
#ifndef CHAINS
#define CHAINS		((size_t)1 << 17)	/* in the cache: 4 MB */
#endif

#define NO_SYMBOLS	"which has no symbols, or not all; a debug package " \
	"may have them"
#define BOTH_WAYS	"--symfs tells where it is, or --buildid-dir where " \
	"perf archive was unpacked"

#define WORST		3	/* modules that are named */

#define COPY_MOST	65528	/* bytes of a stack that perf record copies */

struct cached_chain {
	uint64_t digest;	/* odd; 0: no chain */
	uint32_t stack;		/* its number, or one of these: */
#define STACK_NEW	UINT32_MAX
#define STACK_PENDING	(UINT32_MAX - 1)	/* it will have one soon */
	uint32_t addresses;	/* how many it has */
	uint32_t samples;	/* that had it; at most UINT32_MAX */
	uint64_t count;		/* the sum of theirs; at most UINT64_MAX */
};

/* Places are known by module and line, in 4 MB. */
#define LINE_BITS	6	/* of the bytes in a line */
#define PLACE_BITS	17

#define COUNT_MOST	(UINT32_MAX >> 6)	/* calls at a place */
#define RANGE_MOST	(UINT32_MAX / 4)	/* bytes to each side */

#define SPANS_BITS	10
#define SPAN_BITS	20	/* of addresses with the same hash */

/* How a place is looked up: flags. */
enum { PLACE_JAVA = 1, PLACE_INLINED = 2 };

/* The calls at a range of places in a module, mostly a function's. */
struct place {
	struct module *module;	/* NULL: none, and one address */
	uint64_t start;
	uint32_t len;
	unsigned how : 2;
	unsigned is_unknown : 1;	/* there is no function */
	unsigned art : 3;		/* an art_frame */
	unsigned count : 26;
	const uint32_t *frames;	/* outermost first */
};

/*
 * Addresses that are in one map, or in none.  Masked, and with `code` added,
 * they are codes that are the same wherever the module is mapped, so that its
 * processes share chains.  No other module has them: the secret is large.
 *
 *	7f2a00401010, in a map of module 4	5 * secret + 1010
 *	12ab, in no map				0, or 12ab if it is printed
 */
struct span {
	uint64_t version;	/* the generation of maps; 0: not found yet */
	uint64_t start, len;
	struct module *module;	/* NULL: none */
	uint64_t shift;		/* added to one, its offset in the module */
	uint64_t mask, code;
};

/* What an address of a stack is to Android's runtime. */
struct call_art {
	size_t start;		/* of its frames in the stack */
	enum art_frame art;
	bool is_hidden;
};

/* Addresses of a chain that have no function in a module. */
struct cached_unknown {
	const struct cached_chain *chain;
	struct module *module;
	unsigned long long count;
};

/* Adds a word to a digest.  The first is not 0: that would not change it. */
static inline void
digest(const struct callchain *chains, uint64_t *to, uint64_t word)
{
	*to = table_fold(*to ^ word, chains->cache.secret);
}

void
callchain_init(struct callchain *chains, struct profile *profile,
    const struct process *process, const struct chain_options *options)
{
	chains->profile = profile;
	chains->process = process;
	chains->options = *options;
	chains->stacks = profile->options->waits != NULL ?
	    &profile->waits.sampled : &profile->fold->stacks;
	chains->most = options->fetches ? CHAINS_FETCHED : PATHS_BATCH;
	chains->spans = mem_array((size_t)1 << SPANS_BITS,
	    sizeof(*chains->spans));
	chains->places = mem_table((size_t)1 << PLACE_BITS,
	    sizeof(*chains->places), &chains->places_memory);
	chains->backtrace.stitches = options->stitch;
	table_seed();
	chains->cache.secret = table_multiplier();
	chains->cache.chains = mem_table(CHAINS,
	    sizeof(*chains->cache.chains), &chains->cache.memory);
}

void
callchain_free(struct callchain *chains)
{
	free(chains->spans);
	free(chains->places_memory);
	free(chains->functions.list);
	backtrace_free(&chains->backtrace);
	free(chains->cache.memory);
	free(chains->cache.unknown);
	free(chains->art);
	free(chains->stack.frames);
}

static void
learn_span(const struct callchain *chains, const struct maps *maps,
    uint64_t address, struct span *span)
{
	struct maps_range around;
	const struct map *map = maps_find(maps, address, &around);

	*span = (struct span){ .version = maps_generation(maps),
	    .start = around.start, .len = around.end - around.start };
	if (map != NULL) {
		span->module = map->module;
		if (!map->module->absolute)
			span->shift = map->offset - map->start;
		span->code = span->shift +
		    (map->module->number + 1) * chains->cache.secret;
	}
	if (map != NULL || chains->profile->frames.addresses)
		span->mask = UINT64_MAX;
}

/* Returns the span around an address, valid until the next call. */
static inline const struct span *
find_span(const struct callchain *chains, const struct maps *maps,
    uint64_t address)
{
	uint64_t version = maps_generation(maps);
	uint64_t hash = (address >> SPAN_BITS ^ version ^ version << 32) *
	    UINT64_C(0x9E3779B97F4A7C15);
	struct span *span = &chains->spans[hash >> (64 - SPANS_BITS)];

	if (span->version != version || address - span->start >= span->len)
		learn_span(chains, maps, address, span);
	return span;
}

/* Returns the digest of all that a stack depends on; `made` is the kernel's. */
static uint64_t
digest_chain(struct callchain *chains, const struct chain *chain, uint64_t made)
{
	const struct span nowhere = { .len = 0 }, *span = &nowhere;
	const char *at = chain->words.data, *end = at + chain->words.len;
	enum record_mode mode = chain->is_lone ? chain->mode : MODE_USER;
	bool has_contexts = !chain->is_lone;
	uint64_t word;

	digest(chains, &made, (uint64_t)chain->root << 8 |
	    (chain->is_lone ? chain->mode + 1u : 0));
	if (chain->cgroup > 0 || chain->event > 0)	/* all, or none */
		digest(chains, &made, intmap_pair(chain->cgroup, chain->event));
	for (; at < end; at += ATTR_WORD) {
		word = attr_word(at);
		if (word >= CONTEXT_FIRST && has_contexts) {
			mode = context_mode(word);
			has_contexts = word != CONTEXT_UNWOUND;
		} else if (mode == MODE_USER) {
			if (word - span->start >= span->len)
				span = find_span(chains, chain->maps, word);
			word = (word & span->mask) + span->code;
		}
		digest(chains, &made, word);
	}
	return made;
}

void
callchain_end(struct callchain *chains)
{
	struct chain_cache *cache = &chains->cache;
	const struct cached_chain *cached = cache->chains;
	const struct cached_unknown *unknown;
	unsigned long long count;
	size_t i;

	for (i = 0; i < cache->unknown_count; i++) {
		unknown = &cache->unknown[i];
		count = unknown->chain->samples * unknown->count;
		chains->unknown += count;
		unknown->module->counts[MODULE_UNKNOWN] += count;
	}
	for (; cached < cache->chains + CHAINS; cached++) {
		if (cached->digest == 0)
			continue;
		stacks_count(chains->stacks, cached->stack, cached->count);
		chains->addresses += (unsigned long long)
		    cached->samples * cached->addresses;
	}
}

/* Finds chains in the cache, or adds them.  Prefetching hides the misses. */
static void
find_all(struct callchain *chains, const struct chain *list, size_t count,
    struct cached_chain **found)
{
	struct chain_cache *cache = &chains->cache;
	struct cached_chain *cached;
	uint64_t digests[PATHS_BATCH], kernel = 0;
	size_t i, at;

	/* exited programs leave useless ones */
	if (cache->count + PATHS_BATCH >= CHAINS * 3 / 4) {
		callchain_end(chains);
		memset(cache->chains, 0, CHAINS * sizeof(*cache->chains));
		cache->count = cache->unknown_count = 0;
	}
	digest(chains, &kernel, maps_generation(chains->process->kernel) << 1 |
	    (chains->process->modules.kernel != NULL));
	for (i = 0; i < count; i++) {
		digests[i] = digest_chain(chains, &list[i], kernel);
		prefetch(&cache->chains[digests[i] % CHAINS]);
	}
	for (i = 0; i < count; i++) {
		at = digests[i] % CHAINS;
		while ((cached = &cache->chains[at])->digest != 0 &&
		    cached->digest != (digests[i] | 1))
			at = (at + 1) % CHAINS;
		if (cached->digest == 0) {
			cache->count++;
			*cached = (struct cached_chain){ digests[i] | 1,
			    STACK_NEW, 0, 0, 0 };
		}
		found[i] = cached;
	}
}

/*
 * Hides frames beside Java methods, as simpleperf does.  The runtime's frames
 * are hidden, except native code that a trampoline calls.  A method's compiled
 * code is hidden if the interpreter calls it for that method.  `calls` has the
 * last addresses that were pushed, the innermost first.
 */
static void
hide_runtime(struct stack *stack, struct call_art *calls, size_t count)
{
	size_t i, j, to = calls->start;
	bool near;

	for (i = 0; i < count; i = j + 1) {
		near = false;
		for (j = i; j < count && calls[j].art != ART_NONE; j++)
			near |= calls[j].art >= ART_INTERPRETED;
		for (; near && i < j; i++)
			calls[i].is_hidden = calls[i].art < ART_INTERPRETED;
	}
	for (i = 1; i < count; i++)
		if (calls[i].is_hidden && calls[i].art == ART_TRAMPOLINE)
			calls[i - 1].is_hidden = false;
	for (i = 0; i < count; i++) {
		if (calls[i].is_hidden)
			continue;
		for (j = i + 1; j < count && calls[j].is_hidden; j++)
			continue;
		if (calls[i].art == ART_COMPILED && j < count &&
		    calls[j].art == ART_INTERPRETED &&
		    stack->frames[calls[i].start] ==
		    stack->frames[calls[j].start])
			continue;
		for (j = calls[i].start; j < calls[i + 1].start; j++)
			stack->frames[to++] = stack->frames[j];
	}
	stack->depth = to;
}

/* Leaves of a range the part around an address that is in another one. */
static void
narrow(struct place *known, uint64_t address, uint64_t first, uint64_t last)
{
	uint64_t before = address - known->start;
	uint64_t after = known->len - 1 - before;

	if (before > address - first)
		before = address - first;
	if (after > last - address)
		after = last - address;
	known->start = address - before;
	known->len = (uint32_t)(before + after + 1);
}

/* Adds the functions that are inlined at an address, and lines, if wanted. */
static void
add_debug(struct callchain *chains, struct module *module,
    uint64_t address, bool inlined, struct calls *calls, struct place *known)
{
	struct debug_functions *functions = &chains->functions;
	enum frame_lines lines = inlined ||
	    chains->options.lines == LINES_PERF ?
	    chains->options.lines : LINES_NONE;

	if (module == NULL || module->dso == NULL || known->is_unknown ||
	    (!inlined && lines == LINES_NONE))
		return;
	if (dso_inlined(module->dso, address,
	    lines == LINES_NONE ? 0 : DEBUG_LINES, functions))
		*calls = frames_add_debug(&chains->profile->frames, *calls,
		    functions, inlined, lines);
	narrow(known, address, functions->first, functions->last);
}

/* Finds the calls at a place of a module, or in none. */
static void
learn_place(struct callchain *chains, struct module *module, uint64_t address,
    unsigned how, struct place *place)
{
	const bool addresses = chains->profile->frames.addresses;
	struct frame frame = { .in_kernel = false };
	struct dso_function function = { .last = UINT64_MAX };
	char digits[sizeof("ffffffffffffffff")];
	struct calls calls;

	*place = (struct place){ .module = module, .start = address, .len = 1,
	    .how = how & 3 };
	if (module != NULL) {
		place->start = address < RANGE_MOST ? 0 : address - RANGE_MOST;
		place->len = 2 * RANGE_MOST;
		function.name = module->symbol;
		place->is_unknown = function.name.len == 0 &&
		    (module->dso == NULL ||
		    !dso_function(module->dso, address, &function));
		if (!place->is_unknown)
			frame.symbol = function.name;
		else if (addresses)
			function.first = function.last = address;
		narrow(place, address, function.first, function.last);
		frame.module = frame.symbol.len > 0 && module->map.len > 0 ?
		    module->map : module->name;
		frame.in_kernel = module->in_kernel;
		place->art = module->art & 7;
		if (module->art <= ART_RUNTIME &&
		    str_ends(frame.symbol, STR("jni_trampoline")))
			place->art = ART_TRAMPOLINE;
	}
	if (frame.symbol.len == 0 && addresses) {
		snprintf(digits, sizeof(digits), "%llx",
		    (unsigned long long)address);
		frame.address = str_from(digits);
	}
	calls = frames_calls(&chains->profile->frames, &frame, false,
	    (how & PLACE_JAVA) != 0);
	add_debug(chains, module, address, (how & PLACE_INLINED) != 0, &calls,
	    place);
	place->frames = calls.frames;
	place->count = calls.count & COUNT_MOST;
}

/* Returns the calls at an address, valid until the next call. */
static const struct place *
find_place(struct callchain *chains, const struct chain *chain,
    enum record_mode mode, uint64_t address)
{
	unsigned how = (chain->java ? PLACE_JAVA : 0) |
	    (chains->options.not_inlined || chain->is_lone ? 0 : PLACE_INLINED);
	const struct maps *maps = mode == MODE_USER ? chain->maps :
	    mode == MODE_KERNEL ? chains->process->kernel : NULL;
	struct module *kernel = chains->process->modules.kernel;
	const struct span *span = find_span(chains, maps, address);
	struct module *module = span->module;
	struct dso_function function;
	struct place *place;
	uint64_t of, hash;

	address += span->shift;
	/* the kernel's map lacks its code for the boot */
	if (module == NULL && mode == MODE_KERNEL && kernel != NULL &&
	    dso_function(kernel->dso, address, &function))
		module = kernel;
	of = (uintptr_t)module ^ how;
	hash = (address >> LINE_BITS ^ of << 32 ^ of >> 32) *
	    UINT64_C(0x9E3779B97F4A7C15);
	place = &chains->places[hash >> (64 - PLACE_BITS)];
	if (place->module != module || place->how != how ||
	    address - place->start >= place->len)
		learn_place(chains, module, address, how, place);
	return place;
}

/* Pushes the calls at an address, and returns their art. */
static enum art_frame
push_calls(struct callchain *chains, const struct chain *chain,
    struct cached_chain *cached, enum record_mode mode, uint64_t address)
{
	const struct place *place = find_place(chains, chain, mode, address);
	struct chain_cache *cache = &chains->cache;
	struct cached_unknown *next;
	size_t i;

	chains->art[cached->addresses++] = (struct call_art){
	    chains->stack.depth, (enum art_frame)place->art, false };
	for (i = place->count; i > 0; i--)
		stack_push(&chains->stack, place->frames[i - 1]);
	if (place->is_unknown) {
		next = LIST_AT(cache->unknown, cache->unknown_count,
		    cache->unknown_room);
		if (cache->unknown_count > 0 && next[-1].chain == cached &&
		    next[-1].module == place->module)
			next[-1].count++;
		else {
			*next = (struct cached_unknown){ cached, place->module,
			    1 };
			cache->unknown_count++;
		}
	}
	return (enum art_frame)place->art;
}

/* Pushes the stack of a chain that was seen first. */
static void
push_stack(struct callchain *chains, const struct chain *chain,
    struct cached_chain *cached)
{
	struct stack *stack = &chains->stack;
	struct str words = chain->words, rest = words;
	enum record_mode mode = chain->is_lone ? chain->mode : MODE_USER;
	size_t left = chain->is_lone ? 1 : chains->backtrace.most, most = left;
	bool has_contexts = !chain->is_lone;
	unsigned art = 0;
	uint64_t word;

	chains->art = mem_grow(chains->art, &chains->art_room,
	    words.len / ATTR_WORD + 1, sizeof(*chains->art));
	/* perf drops all addresses if it meets an unknown context */
	while (has_contexts && rest.len > 0 && most > 0) {
		word = attr_word(rest.data);
		if (word == CONTEXT_UNWOUND)
			break;
		if (word < CONTEXT_FIRST)
			most--;
		else if (context_mode(word) == MODE_UNKNOWN)
			words.len = 0;
		rest = str_skip(rest, ATTR_WORD);
	}
	for (; words.len > 0; words = str_skip(words, ATTR_WORD)) {
		word = attr_word(words.data);
		if (word < CONTEXT_FIRST || !has_contexts) {
			if (left > 0)
				art |= push_calls(chains, chain, cached, mode,
				    word);
			left -= left > 0;
			continue;
		}
		mode = context_mode(word);
		if (word == CONTEXT_UNWOUND) {
			has_contexts = false;
			left = SIZE_MAX;	/* those were counted */
		}
	}
	chains->art[cached->addresses].start = stack->depth;
	if (art >= ART_INTERPRETED)	/* mostly nothing is */
		hide_runtime(stack, chains->art, cached->addresses);
	stack_push(stack, chain->root);
	if (chain->cgroup > 0)
		stack_push(stack, chain->cgroup - 1);
	if (chain->event > 0)
		stack_push(stack, chain->event - 1);
}

/* Folds up to PATHS_BATCH chains, whose stacks are looked up together. */
static void
fold(struct callchain *chains, const struct chain *list, size_t number)
{
	struct profile *profile = chains->profile;
	struct timeline *timeline = profile->fold->timeline;
	struct cached_chain *all[PATHS_BATCH], *new[PATHS_BATCH], *seen;
	size_t ends[PATHS_BATCH], count = 0, i;
	uint32_t stacks[PATHS_BATCH];

	find_all(chains, list, number, all);
	for (i = 0; i < number; i++) {
		if (all[i]->stack != STACK_NEW)
			continue;
		all[i]->stack = STACK_PENDING;	/* it may come again */
		push_stack(chains, &list[i], all[i]);
		ends[count] = chains->stack.depth;
		new[count++] = all[i];
	}
	if (count > 0)
		stacks_number(chains->stacks, chains->stack.frames, ends,
		    count, stacks);
	for (i = 0; i < count; i++)
		new[i]->stack = stacks[i];
	chains->stack.depth = 0;
	for (i = 0; i < number; i++, list++) {
		seen = all[i];
		seen->samples += seen->samples < UINT32_MAX;
		if (profile->options->waits != NULL)
			waits_take(&profile->waits, &list->change, list->time,
			    list->is_nothing ? WAITS_STACK_NONE : seen->stack);
		else if (timeline != NULL)
			timeline_add(timeline, seen->stack, list->count,
			    list->time);
		else if (list->count > UINT64_MAX - seen->count)
			stacks_count(chains->stacks, seen->stack, list->count);
		else
			seen->count += list->count;
	}
}

/* Reads the files in which addresses of the batch are, several at once. */
static void
fetch_files(struct callchain *chains)
{
	const struct chain *chain = chains->batch;
	const struct module *module;
	struct str words;

	for (; chain < chains->batch + chains->count; chain++)
		for (words = chain->words; words.len >= ATTR_WORD;
		    words = str_skip(words, ATTR_WORD)) {
			module = find_span(chains, chain->maps,
			    attr_word(words.data))->module;
			if (module != NULL && module->dso != NULL)
				dso_want(module->dso);
		}
	symbols_fetch_wanted(chains->process->modules.symbols,
	    !chains->options.not_inlined ||
	    chains->options.lines != LINES_NONE);
}

void
callchain_flush(struct callchain *chains)
{
	size_t from, number;

	if (chains->options.fetches && chains->count > 0)
		fetch_files(chains);
	for (from = 0; from < chains->count; from += number) {
		number = chains->count - from;
		if (number > PATHS_BATCH)
			number = PATHS_BATCH;
		fold(chains, &chains->batch[from], number);
	}
	while (chains->count > 0)
		maps_drop(chains->batch[--chains->count].maps);
}

/* Returns the module with the largest count, of at least one. */
static struct module *
find_worst(const struct callchain *chains, enum module_count count)
{
	const struct modules *modules = &chains->process->modules;
	struct module **list = modules->list, *worst = list[0];
	uint32_t i;

	for (i = 1; i < modules->keys.count; i++)
		if (list[i]->counts[count] > worst->counts[count])
			worst = list[i];
	return worst;
}

static const char *
explain(const struct module *module)
{
	static const char *const reasons[] = {
		[DSO_FINE] = NO_SYMBOLS,
		[DSO_NO_SYMBOLS] = NO_SYMBOLS,
		[DSO_NO_FILE] = "which is not there; " BOTH_WAYS,
		[DSO_OTHER_USER] = "which belongs to neither root, you, nor "
		    "the process's user",
		[DSO_OTHER_BUILD_ID] = "which is another build now; " BOTH_WAYS,
		[DSO_HIDDEN] = "whose names are hidden; sysctl "
		    "kernel.kptr_restrict=0 or root shows them",
		[DSO_NO_KERNEL] = "which does not run here; --kallsyms tells "
		    "its names",
		[DSO_OTHER_MACHINE] = "of another machine, without a build "
		    "id; " BOTH_WAYS,
		[DSO_NO_PROGRAM] = "which is compressed, and xz or zstd is "
		    "missing",
	};
	enum dso_trouble trouble = module->dso == NULL ? DSO_NO_SYMBOLS :
	    dso_trouble(module->dso);

	/* what a compiler made while its process ran */
	if (trouble == DSO_NO_FILE && module->absolute &&
	    (str_starts(module->name, STR("/tmp/perf-")) ||
	    str_starts(module->name, STR("/memfd:"))))
		return "which compilers at run time write if asked: "
		    "node --perf-basic-prof, or --perf-prof and perf "
		    "record -k mono; python3 -X perf; "
		    "DOTNET_PerfMapEnabled=1; java -XX:+DumpPerfMapAtExit";
	return reasons[trouble];
}

static void
report_unknown(const struct callchain *chains, const char *name)
{
	struct module *module;
	unsigned long long count;
	struct text text = { 0 };
	int i;

	if (chains->unknown <= chains->addresses / 3)
		return;
	for (i = 0; i < WORST; i++) {
		module = find_worst(chains, MODULE_UNKNOWN);
		count = module->counts[MODULE_UNKNOWN];
		module->counts[MODULE_UNKNOWN] = 0;
		if (i == 0)
			text_add_format(&text, "%.*s, %s",
			    (int)module->name.len, module->name.data,
			    explain(module));
		else if (count > 0)
			text_add_format(&text, "%s %.*s: %llu",
			    i == 1 ? "; next:" : ",", (int)module->name.len,
			    module->name.data, count);
	}
	message_warn("%s: addresses without a function's name: %llu of %llu, "
	    "most of them in %.*s", name, chains->unknown, chains->addresses,
	    (int)text.len, text.data);
	free(text.data);
}

void
callchain_report(struct callchain *chains, const char *name)
{
	static const char *const reasons[END_REASONS] = {
		"copy of the stack too short", "code without unwinding tables",
		"code that is not mapped", "tables that lead nowhere"
	};
	struct backtrace *stacks = &chains->backtrace;
	unsigned long long early = 0, *ends = stacks->ends;
	unsigned long long cut = ends[END_COPY];
	size_t i, next, copied = stacks->short_most;
	size_t longer = copied * (stacks->doubled > cut / 2 ? 2 : 4);
	/* a record must hold its copy, so that is shorter than asked for */
	bool may_be_longer = copied < COPY_MOST - 4096;
	const struct module *worst;
	struct text text = { 0 };

	report_unknown(chains, name);
	for (i = 0; i < END_REASONS; i++)
		early += ends[i];
	if (early <= stacks->stacks / 100)
		return;
	for (;;) {
		next = 0;
		for (i = 1; i < END_REASONS; i++)
			if (ends[i] > ends[next])
				next = i;
		if (ends[next] == 0)
			break;
		text_add_format(&text, "; %s: %llu", reasons[next], ends[next]);
		ends[next] = 0;
		if (next != END_TABLES)
			continue;
		worst = find_worst(chains, MODULE_UNTABLED);
		text_add_format(&text, ", most of them in %.*s",
		    (int)worst->name.len, worst->name.data);
	}
	if (stacks->stitches)
		text_add_format(&text, "; joined by --stitch: %llu",
		    stacks->joined);
	if (cut > 0 && may_be_longer)
		text_add_format(&text, "; perf record --call-graph dwarf,%zu "
		    "copies more", longer < COPY_MOST ? longer : COPY_MOST);
	if (cut > 0 && !stacks->stitches)
		text_add_format(&text, may_be_longer ?
		    ", and --stitch joins some" : "; --stitch joins some");
	message_warn("%s: stacks that end before their thread's first "
	    "function: %llu of %llu%.*s", name, early, stacks->stacks,
	    (int)text.len, text.data);
	free(text.data);
}
