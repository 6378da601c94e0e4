#include <stdlib.h>

#include "chain.h"
#include "context.h"
#include "lib/prefetch.h"

#define WORD		ATTR_WORD

/* So many chains are not looked for, where that did not help. */
#define UNSEEN		((size_t)1 << 20)

/* The stack of a chain that is in the list of new ones. */
#define PENDING		(SEEN_WAITING - 1)

void
chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct chain_options *options)
{
	*chains = (struct chains){ .names = &frames->namer->names,
	    .stacks = stacks, .options = *options };
	places_init(&chains->places, frames, options->lines);
	seen_init(&chains->seen);
	keys_init(&chains->keys, frames->addresses);
}

void
chains_free(struct chains *chains)
{
	places_free(&chains->places);
	seen_free(&chains->seen);
	free(chains->stack.frames);
	waiting_free(&chains->waiting);
	free(chains->sought);
	free(chains->roots);
	unknowns_free(&chains->unknowns);
	backtrace_free(&chains->backtrace);
}

static struct place_context
context_of(const struct chains *chains, const struct chain *chain,
    enum record_mode mode, bool unwound)
{
	enum chain_inlined inlined = chains->options.inlined;
	struct place_context context = {
		.maps = mode == MODE_USER ? chain->maps :
		    mode == MODE_KERNEL ? chains->kernel : NULL,
		.how = chain->root->java ? PLACE_JAVA : 0,
	};

	if (mode == MODE_USER && (inlined == INLINED_ALL ||
	    (inlined == INLINED_UNWOUND && unwound)))
		context.how |= PLACE_INLINED;
	return context;
}

/* Begins to look for the first addresses of words of a chain. */
static void
seek_addresses(struct chains *chains, struct place_context context,
    struct str words, size_t count)
{
	places_seek(&chains->places, context, str_take(words, count * WORD),
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
		seek_addresses(chains, context_of(chains, chain, mode,
		    unwound), words, count < left ? count : left);
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
		seek_addresses(chains, context_of(chains, chain, chain->mode,
		    false), chain_words(chain), 1);
	else if (!seek_words(chains, chain))
		chains->sought_count = start;	/* as perf does */
}

/* Returns the number that a root has in this thread. */
static uint32_t
own_root(struct chains *chains, const struct root *root)
{
	uint32_t *number;

	if (root->frame < chains->roots_count &&
	    chains->roots[root->frame] != TABLE_NONE)
		return chains->roots[root->frame];
	chains->roots = mem_grow(chains->roots, &chains->roots_room,
	    root->frame + (size_t)1, sizeof(*chains->roots));
	while (chains->roots_count <= root->frame)
		chains->roots[chains->roots_count++] = TABLE_NONE;
	number = &chains->roots[root->frame];
	*number = table_add(chains->names, root->name);
	return *number;
}

/* Chains that were seen first, whose addresses are sought. */
struct new_chains {
	const struct chain *list[PATHS_BATCH];
	struct seen_chain *seen[PATHS_BATCH];
	size_t ends[PATHS_BATCH];	/* of their addresses */
	size_t count;
};

/* Pushes the stack of a chain, whose addresses are those from start to end. */
static void
push_stack(struct chains *chains, const struct root *root,
    struct seen_chain *seen, size_t start, size_t end)
{
	const struct place_sought *sought = chains->sought + start;
	const struct place *place;
	size_t i;

	seen->addresses = (uint32_t)(end - start);
	for (; sought < chains->sought + end; sought++) {
		place = places_find(&chains->places, sought);
		for (i = place->count; i > 0; i--)
			stack_push(&chains->stack, place->frames[i - 1]);
		if (place->is_unknown)
			unknowns_note(&chains->unknowns, seen,
			    place_unknown(place));
	}
	stack_push(&chains->stack, own_root(chains, root));
}

/* Looks up the stacks of new chains. */
static void
number_stacks(struct chains *chains, struct new_chains *new)
{
	uint32_t numbers[PATHS_BATCH];
	size_t ends[PATHS_BATCH], start, i;

	for (i = start = 0; i < new->count; start = new->ends[i++]) {
		push_stack(chains, new->list[i]->root, new->seen[i], start,
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
    const struct chain *chain, struct seen_chain *seen)
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
    struct seen_chain **seen)
{
	struct new_chains new;
	size_t i;

	new.count = 0;
	for (i = 0; i < count; i++)
		if (seen[i]->stack == SEEN_NEW)
			add_new(chains, &new, &list[i], seen[i]);
	number_stacks(chains, &new);
}

/* Begins chains that need a kernel's maps, and its module. */
static void
begin(struct chains *chains, const struct maps *kernel,
    struct module *kernel_module)
{
	chains->kernel = kernel;
	keys_begin(&chains->keys, kernel->version << 1 |
	    (kernel_module != NULL));
	chains->places.kernel = kernel;
	chains->places.kernel_module = kernel_module;
}

/* Makes the stacks of chains that wait, and goes on where it was. */
static void
make_waiting(struct chains *chains)
{
	const struct maps *kernel = chains->kernel;
	struct module *kernel_module = chains->places.kernel_module;
	const struct waiting_chain *waiting;
	struct new_chains new;
	size_t i;

	if (chains->waiting.count == 0)
		return;
	new.count = 0;
	for (i = 0; i < chains->waiting.count; i++) {
		waiting = &chains->waiting.list[i];
		if (waiting->kernel != chains->kernel) {
			number_stacks(chains, &new);
			begin(chains, waiting->kernel,
			    waiting->kernel_module);
		}
		add_new(chains, &new, &waiting->chain, waiting->seen);
	}
	number_stacks(chains, &new);
	waiting_end(&chains->waiting);
	chains->lacks_names = false;
	if (kernel != NULL)
		begin(chains, kernel, kernel_module);
}

/* Counts a sample, here if the sum has room. */
static void
count(struct chains *chains, struct seen_chain *seen, uint64_t count)
{
	if (count > UINT64_MAX - seen->count) {
		make_waiting(chains);
		stacks_count(chains->stacks, seen->stack, seen->count);
		seen->count = 0;
	}
	seen->count += count;
	seen->samples += seen->samples < UINT32_MAX;
}

/* Counts the samples that had a chain. */
static void
settle(struct chains *chains, const struct seen_chain *seen)
{
	stacks_count(chains->stacks, seen->stack, seen->count);
	chains->unknowns.addresses +=
	    (unsigned long long)seen->samples * seen->addresses;
}

void
chains_settle(struct chains *chains)
{
	struct seen_chain *seen = NULL;

	make_waiting(chains);
	unknowns_settle(&chains->unknowns);
	while ((seen = seen_next(&chains->seen, seen)) != NULL)
		settle(chains, seen);
}

/* Finds chains among those seen, or adds them there. */
static void
find_seen(struct chains *chains, const struct chain *list, size_t number,
    struct seen_chain **seen)
{
	struct seen_key keys[SEEN_BATCH];

	keys_make(&chains->keys, &chains->places, list, number, keys);
	if (!seen_has_room(&chains->seen)) {
		if (!seen_helps(&chains->seen))
			chains->unseen = UNSEEN;
		chains_settle(chains);
		seen_forget(&chains->seen);
	}
	seen_find(&chains->seen, keys, number, seen);
}

/* Counts some chains whose stacks are known. */
static void
count_all(struct chains *chains, const struct chain *list, size_t number,
    struct seen_chain **seen)
{
	struct timeline *timeline = chains->options.timeline;
	size_t i;

	for (i = 0; i < number; i++) {
		if (timeline != NULL)
			timeline_add(timeline, seen[i]->stack, list[i].count,
			    list[i].time);
		count(chains, seen[i], timeline != NULL ? 0 : list[i].count);
	}
}

/* Folds chains of a kind that hardly comes again, and forgets them. */
static void
fold_unseen(struct chains *chains, const struct chain *list, size_t number)
{
	struct seen_chain once[SEEN_BATCH], *seen[SEEN_BATCH];
	size_t i;

	for (i = 0; i < number; i++) {
		once[i].stack = SEEN_NEW;
		once[i].addresses = once[i].samples = 0;
		once[i].count = 0;
		seen[i] = &once[i];
	}
	make_stacks(chains, list, number, seen);
	count_all(chains, list, number, seen);
	unknowns_settle(&chains->unknowns);
	for (i = 0; i < number; i++)
		settle(chains, seen[i]);
	chains->unseen -= chains->unseen < number ? chains->unseen : number;
}

/* Has a chain wait for the kernel's names, which are read from now on. */
static void
wait_for_names(struct chains *chains, const struct chain *chain,
    struct seen_chain *seen)
{
	struct module *kernel_module = chains->places.kernel_module;

	if (chains->waiting.count == 0)
		dso_read_ahead(kernel_module->dso);
	waiting_add(&chains->waiting, (struct waiting_chain){ *chain,
	    chains->kernel, kernel_module, seen });
	seen->stack = SEEN_WAITING;
}

/* True if the first frames are the kernel's. */
static bool
is_in_kernel(const struct chain *chain)
{
	if (chain->is_lone || chain->len < WORD)
		return chain->mode == MODE_KERNEL;
	return attr_word(chain->words) == CONTEXT_KERNEL;
}

/* Has new chains wait that need the kernel's names. */
static void
delay(struct chains *chains, const struct chain *list, size_t number,
    struct seen_chain **seen)
{
	size_t i;

	for (i = 0; i < number; i++)
		if (seen[i]->stack == SEEN_NEW && is_in_kernel(&list[i]))
			wait_for_names(chains, &list[i], seen[i]);
}

/* Folds up to SEEN_BATCH chains. */
static void
fold(struct chains *chains, const struct chain *list, size_t number)
{
	struct seen_chain *seen[SEEN_BATCH];

	if (chains->unseen > 0) {
		fold_unseen(chains, list, number);
		return;
	}
	find_seen(chains, list, number, seen);
	if (chains->lacks_names)
		delay(chains, list, number, seen);
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
		    rest->machine, chain->maps, words, &rest->user,
		    chains->options.max_stack, &words);
	else
		backtrace_add_leaf_caller(&chains->backtrace, chain->maps,
		    &rest->user, &words);
	if (unwound.is_lone)
		words = (struct str){ rest->ip, WORD };
	unwound.words = words.data;
	unwound.len = (uint32_t)words.len;
	fold(chains, &unwound, 1);
}

/* Returns how many chains, up to SEEN_BATCH, come before one with a rest. */
static size_t
count_whole(const struct chain *list, size_t count)
{
	size_t whole = 0;

	if (count > SEEN_BATCH)
		count = SEEN_BATCH;
	while (whole < count && list[whole].rest == 0)
		whole++;
	return whole;
}

/* Has the words of the next chains brought near, which another thread read. */
static void
prefetch_words(const struct chain *chain, const struct chain *end)
{
	if (end - chain > SEEN_BATCH)
		end = chain + SEEN_BATCH;
	for (; chain < end; chain++) {
		prefetch(chain->words);
		prefetch(chain->words + PREFETCH_LINE);
	}
}

/* True if another thread reads the names of the kernel, or would. */
static bool
lacks_names(struct chains *chains, struct module *kernel)
{
	if (chains->has_names || !chains->options.reads_ahead ||
	    kernel == NULL)
		return false;
	chains->has_names = dso_is_read(kernel->dso);
	return !chains->has_names;
}

void
chains_fold(struct chains *chains, struct batch *batch)
{
	const struct chain *chain = batch->chains, *end = chain + batch->count;
	size_t count;

	prefetch_words(chain, end);
	chains->lacks_names = lacks_names(chains, batch->kernel_module);
	if (!chains->lacks_names)
		make_waiting(chains);
	begin(chains, batch->kernel, batch->kernel_module);
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
	chains->kernel = NULL;
}
