#include <stdlib.h>

#include "chain.h"
#include "context.h"
#include "lib/prefetch.h"

#define WORD		ATTR_WORD

/* So many chains are not looked for, where that did not help. */
#define UNCACHED		((size_t)1 << 20)

/* The stack of a chain that is in the list of new ones. */
#define PENDING		(CHAIN_NEW - 1)

void
chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct chain_options *options)
{
	*chains = (struct chains){ .stacks = stacks, .options = *options };
	symbolizer_init(&chains->symbolizer, frames, options->lines);
	chaincache_init(&chains->cache, frames->addresses);
	chains->backtrace.stitches = options->stitch;
}

void
chains_free(struct chains *chains)
{
	symbolizer_free(&chains->symbolizer);
	chaincache_free(&chains->cache);
	free(chains->stack.frames);
	free(chains->sought);
	free(chains->kept);
	unresolved_free(&chains->unresolved);
	backtrace_free(&chains->backtrace);
}

static struct place_context
context_of(const struct chains *chains, const struct chain *chain,
    enum record_mode mode)
{
	struct place_context context = {
		.in_kernel = mode == MODE_KERNEL,
		.how = chain->java ? PLACE_JAVA : 0,
	};

	if (mode == MODE_USER)
		context.maps = chain->maps;
	else if (mode == MODE_KERNEL)
		context.maps = chains->kernel;
	if (chains->options.inlined && !chain->is_lone)
		context.how |= PLACE_INLINED;
	return context;
}

/* Begins to look for the first addresses of words of a chain. */
static void
seek_addresses(struct chains *chains, struct place_context context,
    struct str words, size_t count)
{
	symbolizer_seek(&chains->symbolizer, context,
	    str_take(words, count * WORD),
	    chains->sought + chains->sought_count);
	chains->sought_count += count;
}

/* Returns how many addresses words begin with, before a context. */
static size_t
count_addresses(struct str words)
{
	size_t count = 0;

	while (count < words.len / WORD &&
	    attr_word(words.data + count * WORD) < CONTEXT_FIRST)
		count++;
	return count;
}

/* Seeks those of a chain; false if it has a context that is not known. */
static bool
seek_words(struct chains *chains, const struct chain *chain)
{
	size_t most = chains->options.max_stack, left = most, count;
	enum record_mode mode = MODE_USER, next;
	struct str words = chain_words(chain);
	bool unwound = false;
	uint64_t context;

	for (;;) {
		count = unwound ? words.len / WORD : count_addresses(words);
		seek_addresses(chains, context_of(chains, chain, mode), words,
		    count < left ? count : left);
		left -= count < left ? count : left;
		words = str_skip(words, count * WORD);
		if (words.len < WORD)
			return true;
		context = attr_word(words.data);
		words = str_skip(words, WORD);
		next = context_mode(context);
		if (next != MODE_UNKNOWN)
			mode = next;
		else if (left > 0)	/* else perf would not read it */
			return false;
		if (context == CONTEXT_UNWOUND) {
			unwound = true;
			left = most;
		}
	}
}

/* Seeks all addresses of a chain that was seen first. */
static void
seek(struct chains *chains, const struct chain *chain)
{
	size_t start = chains->sought_count;

	chains->sought = mem_grow(chains->sought, &chains->sought_room,
	    start + chain->len / WORD + 1, sizeof(*chains->sought));
	if (chain->is_lone)
		seek_addresses(chains, context_of(chains, chain, chain->mode),
		    chain_words(chain), 1);
	else if (!seek_words(chains, chain))
		chains->sought_count = start;	/* as perf does */
}

/* Chains that were seen first, whose addresses are sought. */
struct new_chains {
	const struct chain *list[PATHS_BATCH];
	struct cached_chain *seen[PATHS_BATCH];
	size_t ends[PATHS_BATCH];	/* of their addresses */
	size_t count;
};

/* Pushes the stack of a chain, whose addresses are those from start to end. */
static void
push_stack(struct chains *chains, const struct chain *chain,
    struct cached_chain *seen, size_t start, size_t end)
{
	const struct place_sought *sought = chains->sought + start;
	const struct place *place;
	size_t i;

	seen->addresses = (uint32_t)(end - start);
	for (; sought < chains->sought + end; sought++) {
		place = symbolizer_find(&chains->symbolizer, sought);
		for (i = place->count; i > 0; i--)
			stack_push(&chains->stack, place->frames[i - 1]);
		if (place->is_unknown)
			unresolved_note(&chains->unresolved, seen,
			    place_unknown(place));
	}
	stack_push(&chains->stack, chain->root);
	if (chain->cgroup > 0)
		stack_push(&chains->stack, chain->cgroup - 1);
	if (chain->event > 0)
		stack_push(&chains->stack, chain->event - 1);
}

/* Looks up the stacks of new chains. */
static void
number_stacks(struct chains *chains, struct new_chains *new)
{
	uint32_t numbers[PATHS_BATCH];
	size_t ends[PATHS_BATCH], start, i;

	for (i = start = 0; i < new->count; start = new->ends[i++]) {
		push_stack(chains, new->list[i], new->seen[i], start,
		    new->ends[i]);
		ends[i] = chains->stack.depth;
	}
	stacks_number(chains->stacks, chains->stack.frames, ends, new->count,
	    numbers);
	for (i = 0; i < new->count; i++)
		new->seen[i]->stack = numbers[i];
	new->count = chains->sought_count = chains->stack.depth = 0;
}

/* Adds a chain to the new ones, whose stacks may be looked up then. */
static void
add_new(struct chains *chains, struct new_chains *new,
    const struct chain *chain, struct cached_chain *seen)
{
	seen->stack = PENDING;	/* it may come again */
	seek(chains, chain);
	new->list[new->count] = chain;
	new->seen[new->count] = seen;
	new->ends[new->count++] = chains->sought_count;
	if (new->count == PATHS_BATCH)
		number_stacks(chains, new);
}

static void
make_stacks(struct chains *chains, const struct chain *list, size_t count,
    struct cached_chain **seen)
{
	struct new_chains new;
	size_t i;

	new.count = 0;
	for (i = 0; i < count; i++)
		if (seen[i]->stack == CHAIN_NEW)
			add_new(chains, &new, &list[i], seen[i]);
	number_stacks(chains, &new);
}

/* Begins a batch, whose chains need a kernel's maps, and its module. */
static void
begin(struct chains *chains, const struct batch *batch)
{
	chains->kernel = batch->kernel;
	chains->symbolizer.kernel_module = batch->kernel_module;
	chaincache_begin(&chains->cache, maps_version(batch->kernel) << 1 |
	    (batch->kernel_module != NULL));
}

/* Counts a sample, here if the sum has room. */
static void
count(struct chains *chains, struct cached_chain *seen, uint64_t count)
{
	if (count > UINT64_MAX - seen->count) {
		stacks_count(chains->stacks, seen->stack, seen->count);
		seen->count = 0;
	}
	seen->count += count;
	seen->samples += seen->samples < UINT32_MAX;
}

/* Counts the samples that had a chain. */
static void
settle(struct chains *chains, const struct cached_chain *seen)
{
	stacks_count(chains->stacks, seen->stack, seen->count);
	chains->unresolved.addresses +=
	    (unsigned long long)seen->samples * seen->addresses;
}

void
chains_settle(struct chains *chains)
{
	struct cached_chain *seen = NULL;

	unresolved_settle(&chains->unresolved);
	while ((seen = chaincache_next(&chains->cache, seen)) != NULL)
		settle(chains, seen);
}

/* Finds chains in the cache, or adds them there. */
static void
find_seen(struct chains *chains, const struct chain *list, size_t number,
    struct cached_chain **seen)
{
	struct chaincache *cache = &chains->cache;

	if (!chaincache_has_room(cache)) {
		if (!chaincache_helps(cache))
			chains->uncached = UNCACHED;
		chains_settle(chains);
		chaincache_forget(cache);
	}
	chaincache_find(cache, &chains->symbolizer, list, number, seen);
}

/* Counts some chains whose stacks are known. */
static void
count_all(struct chains *chains, const struct chain *list, size_t number,
    struct cached_chain **seen)
{
	size_t i;

	for (i = 0; i < number; i++) {
		if (list[i].kept > 0)
			chains->kept[list[i].kept] = seen[i]->stack;
		count(chains, seen[i], list[i].count);
	}
}

/* Folds chains of a kind that hardly comes again, and forgets them. */
static void
fold_uncached(struct chains *chains, const struct chain *list, size_t number)
{
	struct cached_chain once[CHAINCACHE_BATCH], *seen[CHAINCACHE_BATCH];
	size_t i;

	for (i = 0; i < number; i++) {
		once[i].stack = CHAIN_NEW;
		once[i].addresses = once[i].samples = 0;
		once[i].count = 0;
		seen[i] = &once[i];
	}
	make_stacks(chains, list, number, seen);
	count_all(chains, list, number, seen);
	unresolved_settle(&chains->unresolved);
	for (i = 0; i < number; i++)
		settle(chains, seen[i]);
	chains->uncached -= chains->uncached < number ? chains->uncached :
	    number;
}

/* Folds up to CHAINCACHE_BATCH chains. */
static void
fold(struct chains *chains, const struct chain *list, size_t number)
{
	struct cached_chain *seen[CHAINCACHE_BATCH];

	if (chains->uncached > 0) {
		fold_uncached(chains, list, number);
		return;
	}
	find_seen(chains, list, number, seen);
	make_stacks(chains, list, number, seen);
	count_all(chains, list, number, seen);
}

/* Folds a chain whose rest is to be unwound. */
static void
unwind(struct chains *chains, const struct chain_rest *rest,
    const struct chain *chain)
{
	struct str words = chain_words(chain);
	struct chain unwound = *chain;

	if (rest->user.stack.len > 0)
		unwound.is_lone = !backtrace_make(&chains->backtrace,
		    rest->machine, chain->maps, rest->thread, words,
		    &rest->user, chains->options.max_stack, &words);
	else
		backtrace_add_leaf_caller(&chains->backtrace, chain->maps,
		    &rest->user, &words);
	if (unwound.is_lone)
		words = (struct str){ rest->ip, WORD };
	unwound.words = words.data;
	unwound.len = (uint32_t)words.len;
	fold(chains, &unwound, 1);
}

/* Returns how many chains, of one batch, come before one with a rest. */
static size_t
count_whole(const struct chain *list, size_t count)
{
	size_t whole = 0;

	if (count > CHAINCACHE_BATCH)
		count = CHAINCACHE_BATCH;
	while (whole < count && list[whole].rest == 0)
		whole++;
	return whole;
}

/* Fetches the words of the next chains, which another thread read. */
static void
prefetch_words(const struct chain *chain, const struct chain *end)
{
	if (end - chain > CHAINCACHE_BATCH)
		end = chain + CHAINCACHE_BATCH;
	for (; chain < end; chain++) {
		prefetch(chain->words);
		prefetch(chain->words + PREFETCH_LINE);
	}
}

void
chains_fold(struct chains *chains, struct batch *batch)
{
	const struct chain *chain = batch->chains, *end = chain + batch->count;
	size_t count;

	prefetch_words(chain, end);
	begin(chains, batch);
	for (; chain < end; chain += count) {
		count = count_whole(chain, (size_t)(end - chain));
		prefetch_words(chain + count, end);
		if (count > 0)
			fold(chains, chain, count);
		else {
			unwind(chains, &batch->rests[chain->rest - 1], chain);
			count = 1;
		}
	}
	batch->count = batch->rests_count = 0;
}
