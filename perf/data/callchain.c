#include <stdlib.h>
#include <string.h>

#include "callchain.h"

#define WORD		ATTR_WORD

/* Chains that are looked up together, as many as paths are. */
#define BATCH		PATHS_BATCH

/* Fuzzing has fewer, so that they are forgotten often. */
#ifndef CHAINS
#define CHAINS		((size_t)1 << 17)	/* in the cache: 4 MB */
#endif
#define CHAINS_MOST	(CHAINS * 3 / 4)

struct cached_chain {
	uint64_t digest;	/* odd; 0: no chain */
	uint32_t stack;		/* its number, or one of these: */
#define STACK_NEW	UINT32_MAX
#define STACK_PENDING	(UINT32_MAX - 1)	/* it will have one soon */
	uint32_t addresses;	/* how many it has */
	uint32_t samples;	/* that had it; at most UINT32_MAX */
	uint64_t count;		/* the sum of theirs; at most UINT64_MAX */
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

static inline struct str
chain_words(const struct chain *chain)
{
	return (struct str){ chain->words, chain->len };
}

/* Adds a word to a digest.  The first is not 0: that would not change it. */
static inline void
digest(const struct callchain *chains, uint64_t *to, uint64_t word)
{
	*to = table_fold(*to ^ word, chains->cache.secret);
}

void
callchain_set_kernel(struct callchain *chains, struct maps *kernel,
    struct module *module)
{
	chains->kernel = kernel;
	chains->symbolizer.kernel_module = module;
	chains->cache.kernel = 0;
	digest(chains, &chains->cache.kernel, maps_generation(kernel) << 1 |
	    (module != NULL));
}

void
callchain_init(struct callchain *chains, struct profile *profile,
    const struct chain_options *options)
{
	bool has_waits = profile->options->waits != NULL;

	chains->profile = profile;
	chains->options = *options;
	chains->stacks = has_waits ? &profile->waits.sampled :
	    &profile->fold->stacks;
	chains->most = options->fetches ? CHAINS_FETCHED : BATCH;
	symbolizer_init(&chains->symbolizer, &profile->frames, options->lines);
	chains->backtrace.stats = &chains->stats;
	chains->backtrace.stitches = options->stitch;
	chains->in_order = profile->fold->timeline != NULL || has_waits;
	table_seed();
	chains->cache.secret = table_multiplier();
	chains->cache.encodes = !profile->options->addresses;
	chains->cache.chains = mem_table(CHAINS,
	    sizeof(*chains->cache.chains), &chains->cache.memory);
	callchain_set_kernel(chains, NULL, NULL);
}

void
callchain_free(struct callchain *chains)
{
	symbolizer_free(&chains->symbolizer);
	backtrace_free(&chains->backtrace);
	free(chains->cache.memory);
	free(chains->cache.unknown);
	free(chains->sought);
	free(chains->art);
	free(chains->stack.frames);
}

/* Adds the words, with codes for user addresses; false if one has none. */
static bool
digest_codes(struct callchain *chains, const struct chain *chain, uint64_t *to)
{
	const struct place_span nowhere = { .len = 0 }, *span = &nowhere;
	const char *at = chain->words, *end = at + chain->len;
	enum record_mode mode = chain->is_lone ? chain->mode : MODE_USER, next;
	uint64_t version = maps_generation(chain->maps), word;

	for (; at < end; at += WORD) {
		word = attr_word(at);
		if (word >= CONTEXT_FIRST) {
			next = context_mode(word);
			mode = next != MODE_UNKNOWN ? next : mode;
		} else if (mode == MODE_USER) {
			if (word - span->start >= span->len)
				span = symbolizer_span(&chains->symbolizer,
				    chain->maps, version, word);
			if (!span->has_codes)
				return false;
			word = span->module != NULL ? word + span->code : 0;
		}
		digest(chains, to, word);
	}
	return true;
}

/* A digest is of codes, or of a chain's words and maps. */
enum digest_of { OF_CODES, OF_WORDS };

/* Begins the digest of a chain with what its words do not tell. */
static uint64_t
begin_digest(const struct callchain *chains, const struct chain *chain,
    enum digest_of what)
{
	unsigned lone = chain->is_lone ? chain->mode + 1u : 0;
	uint64_t made = chains->cache.kernel;

	digest(chains, &made, (uint64_t)chain->root << 8 | lone << 1 | what);
	if (chain->cgroup > 0)		/* all have one, or none */
		digest(chains, &made, chain->cgroup);
	if (chain->event > 0)
		digest(chains, &made, chain->event);
	return made;
}

/* Returns the chain with a digest, perhaps a new one. */
static struct cached_chain *
find_cached(struct chain_cache *cache, uint64_t digest)
{
	size_t at = digest % CHAINS;
	struct cached_chain *cached;

	digest |= 1;
	for (; (cached = &cache->chains[at])->digest != 0;
	    at = (at + 1) % CHAINS)
		if (cached->digest == digest)
			return cached;
	cache->count++;
	*cached = (struct cached_chain){ .digest = digest,
	    .stack = STACK_NEW };
	return cached;
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
		chains->stats.unknown += count;
		unknown->module->counts[MODULE_UNKNOWN] += count;
	}
	for (; cached < cache->chains + CHAINS; cached++) {
		if (cached->digest == 0)
			continue;
		stacks_count(chains->stacks, cached->stack, cached->count);
		chains->stats.addresses += (unsigned long long)
		    cached->samples * cached->addresses;
	}
}

/* Finds chains in the cache, or adds them.  Prefetching hides the misses. */
static void
find_all(struct callchain *chains, const struct chain *list, size_t count,
    struct cached_chain **found)
{
	struct chain_cache *cache = &chains->cache;
	uint64_t digests[BATCH], *made;
	const struct chain *chain;
	const char *at;
	size_t i;

	/* exited programs leave useless ones */
	if (cache->count + BATCH >= CHAINS_MOST) {
		callchain_end(chains);
		memset(cache->chains, 0, CHAINS * sizeof(*cache->chains));
		cache->count = cache->unknown_count = 0;
	}
	for (i = 0; i < count; i++) {
		chain = &list[i];
		made = &digests[i];
		*made = begin_digest(chains, chain, OF_CODES);
		if (cache->encodes && !chain->is_unwound &&
		    digest_codes(chains, chain, made))
			continue;
		*made = begin_digest(chains, chain, OF_WORDS);
		digest(chains, made, maps_generation(chain->maps));
		for (at = chain->words; at < chain->words + chain->len;
		    at += WORD)
			digest(chains, made, attr_word(at));
	}
	for (i = 0; i < count; i++)
		prefetch(&cache->chains[digests[i] % CHAINS]);
	for (i = 0; i < count; i++)
		found[i] = find_cached(cache, digests[i]);
}

/* Begins to look for the first addresses of words of a chain. */
static void
seek_addresses(struct callchain *chains, const struct chain *chain,
    enum record_mode mode, struct str words, size_t count)
{
	unsigned how = (chain->java ? PLACE_JAVA : 0) |
	    (mode == MODE_KERNEL ? PLACE_KERNEL : 0);

	if (!chains->options.not_inlined && !chain->is_lone)
		how |= PLACE_INLINED;
	symbolizer_seek(&chains->symbolizer, mode == MODE_USER ? chain->maps :
	    mode == MODE_KERNEL ? chains->kernel : NULL, how,
	    str_take(words, count * WORD),
	    chains->sought + chains->sought_count);
	chains->sought_count += count;
}

/* Seeks all addresses of a chain that was seen first. */
static void
seek(struct callchain *chains, const struct chain *chain)
{
	size_t left = chains->options.max_stack, count;
	size_t start = chains->sought_count;
	enum record_mode mode = MODE_USER, next;
	struct str words = chain_words(chain);
	bool unwound = false;
	uint64_t context;

	chains->sought = mem_grow(chains->sought, &chains->sought_room,
	    start + chain->len / WORD + 1, sizeof(*chains->sought));
	if (chain->is_lone) {
		seek_addresses(chains, chain, chain->mode, words, 1);
		return;
	}
	for (;;) {
		for (count = 0; count < words.len / WORD && (unwound ||
		    attr_word(words.data + count * WORD) < CONTEXT_FIRST); )
			count++;
		seek_addresses(chains, chain, mode, words,
		    count < left ? count : left);
		left -= count < left ? count : left;
		words = str_skip(words, count * WORD);
		if (words.len < WORD)
			return;
		context = attr_word(words.data);
		words = str_skip(words, WORD);
		next = context_mode(context);
		if (next != MODE_UNKNOWN)
			mode = next;
		else if (left > 0) {	/* else perf would not read it */
			chains->sought_count = start;
			return;
		}
		if (context == CONTEXT_UNWOUND) {
			unwound = true;
			left = SIZE_MAX;	/* those were counted */
		}
	}
}

static void
note_unknown(struct chain_cache *cache, const struct cached_chain *chain,
    struct module *module)
{
	struct cached_unknown *next;

	next = LIST_AT(cache->unknown, cache->unknown_count,
	    cache->unknown_room);
	if (cache->unknown_count > 0 && next[-1].chain == chain &&
	    next[-1].module == module) {
		next[-1].count++;
		return;
	}
	*next = (struct cached_unknown){ chain, module, 1 };
	cache->unknown_count++;
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
	bool near = false;

	for (i = 0; i < count; i++) {
		near = calls[i].art >= ART_INTERPRETED ||
		    (near && calls[i].art != ART_NONE);
		calls[i].is_hidden = near && calls[i].art < ART_INTERPRETED;
		for (j = i; near && j > 0 && !calls[j - 1].is_hidden &&
		    calls[j - 1].art != ART_NONE &&
		    calls[j - 1].art < ART_INTERPRETED; j--)
			calls[j - 1].is_hidden = true;
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

/* Pushes the stack of a chain, whose addresses are those from start to end. */
static void
push_stack(struct callchain *chains, const struct chain *chain,
    struct cached_chain *cached, size_t start, size_t end)
{
	struct stack *stack = &chains->stack;
	const struct place *place;
	size_t i, j, count = end - start;
	unsigned art = 0;

	cached->addresses = (uint32_t)count;
	chains->art = mem_grow(chains->art, &chains->art_room, count + 1,
	    sizeof(*chains->art));
	for (i = 0; i < count; i++) {
		place = symbolizer_find(&chains->symbolizer,
		    &chains->sought[start + i]);
		chains->art[i] = (struct call_art){ stack->depth,
		    (enum art_frame)place->art, false };
		art |= place->art;	/* cheaper than to look for methods */
		for (j = place->count; j > 0; j--)
			stack_push(stack, place->frames[j - 1]);
		if (place->is_unknown && place->module != NULL)
			note_unknown(&chains->cache, cached, place->module);
	}
	chains->art[count] = (struct call_art){ .start = stack->depth };
	if (art >= ART_INTERPRETED)
		hide_runtime(stack, chains->art, count);
	stack_push(stack, chain->root);
	if (chain->cgroup > 0)
		stack_push(stack, chain->cgroup - 1);
	if (chain->event > 0)
		stack_push(stack, chain->event - 1);
}

static void
make_stacks(struct callchain *chains, const struct chain *list, size_t number,
    struct cached_chain **seen)
{
	size_t new[BATCH], ends[BATCH], count = 0, start = 0, i;
	uint32_t stacks[BATCH];

	for (i = 0; i < number; i++) {
		if (seen[i]->stack != STACK_NEW)
			continue;
		seen[i]->stack = STACK_PENDING;	/* it may come again */
		seek(chains, &list[i]);
		ends[count] = chains->sought_count;
		new[count++] = i;
	}
	for (i = 0; i < count; i++) {
		push_stack(chains, &list[new[i]], seen[new[i]], start,
		    ends[i]);
		start = ends[i];
		ends[i] = chains->stack.depth;
	}
	if (count == 0)
		return;
	stacks_number(chains->stacks, chains->stack.frames, ends, count,
	    stacks);
	for (i = 0; i < count; i++)
		seen[new[i]]->stack = stacks[i];
	chains->sought_count = chains->stack.depth = 0;
}

/* Folds up to BATCH chains of the batch, from one on. */
static void
fold(struct callchain *chains, size_t from, size_t number)
{
	struct profile *profile = chains->profile;
	const struct chain *chain = &chains->batch[from];
	struct cached_chain *all[BATCH], *seen;
	size_t i;

	find_all(chains, chain, number, all);
	make_stacks(chains, chain, number, all);
	for (i = 0; i < number; i++, chain++) {
		seen = all[i];
		seen->samples += seen->samples < UINT32_MAX;
		if (!chains->in_order &&
		    chain->count > UINT64_MAX - seen->count)
			stacks_count(chains->stacks, seen->stack,
			    chain->count);
		else if (!chains->in_order)
			seen->count += chain->count;
		else if (profile->options->waits != NULL)
			waits_take(&profile->waits, &chain->change,
			    chain->time, chain->is_nothing ?
			    WAITS_STACK_NONE : seen->stack);
		else
			timeline_add(profile->fold->timeline, seen->stack,
			    chain->count, chain->time);
	}
}

/* Reads the files in which addresses of the batch are, several at once. */
static void
fetch_files(struct callchain *chains)
{
	const struct chain *chain = chains->batch;
	struct maps_range around;
	const struct map *map;
	struct str words;

	for (; chain < chains->batch + chains->count; chain++) {
		around = (struct maps_range){ 0, 0 };
		for (words = chain_words(chain); words.len >= WORD;
		    words = str_skip(words, WORD)) {
			if (attr_word(words.data) - around.start <
			    around.end - around.start)
				continue;
			map = maps_find(chain->maps, attr_word(words.data),
			    &around);
			if (map != NULL && map->module->dso != NULL)
				dso_want(map->module->dso);
		}
	}
	symbols_fetch_wanted(chains->symbols, !chains->options.not_inlined ||
	    chains->options.lines != LINES_NONE);
}

void
callchain_flush(struct callchain *chains)
{
	size_t from, number;

	if (chains->options.fetches && chains->symbols != NULL &&
	    chains->count > 0)
		fetch_files(chains);
	for (from = 0; from < chains->count; from += number) {
		number = chains->count - from;
		if (number > BATCH)
			number = BATCH;
		fold(chains, from, number);
	}
	while (chains->count > 0)
		maps_drop(chains->batch[--chains->count].maps);
	chains->has_unwound = false;
}

void
callchain_unwind(struct callchain *chains, const struct record_sample *sample,
    uint64_t since)
{
	struct chain *chain = callchain_next(chains), added = *chain;
	struct str words = chain_words(&added);

	if (chains->has_unwound) {
		callchain_flush(chains);
		chain = callchain_next(chains);
	}
	added.is_unwound = true;
	if (sample->branches.data != NULL)
		backtrace_add_branches(&chains->backtrace, sample->branches,
		    chains->options.max_stack, &words);
	else if (sample->user.stack.len > 0)
		added.is_lone = !backtrace_make(&chains->backtrace,
		    chains->machine, added.maps,
		    (struct stitch_thread){ sample->tid, since }, words,
		    &sample->user, chains->options.max_stack, &words);
	else
		backtrace_add_leaf_caller(&chains->backtrace, added.maps,
		    &sample->user, &words);
	if (added.is_lone)
		words = (struct str){ sample->ip, WORD };
	chains->has_unwound = words.data == chains->backtrace.words.data;
	added.words = words.data;
	added.len = (uint32_t)words.len;
	*chain = added;
}
