#include <stdlib.h>

#include "chain.h"

/* Contexts, as negative numbers; the first is the lowest there may be. */
#define CONTEXT_FIRST		(UINT64_MAX - 4094)
#define CONTEXT_HYPERVISOR	(UINT64_MAX - 31)
#define CONTEXT_KERNEL		(UINT64_MAX - 127)

#define WORD		sizeof(uint64_t)

/*
 * Known chains are forgotten, all at once, when their keys have so many bytes:
 * chains of programs that have ended are of no use.
 */
#define KNOWN_BYTES	((size_t)4 * 1024 * 1024)

/* A chain is known by these, which its meaning depends on, and its words. */
#define KEY_HEAD	(2 * WORD)

/*
 * Frames are known by their address and maps, which is fast, and by the place
 * in their module, which is the same in all processes; these take 256 KB and
 * 2 MB.
 */
#define RECENT_BITS	13
#define PLACE_BITS	16

struct known_chain {
	uint32_t root;
	uint32_t stack;		/* by its number; TABLE_NONE: not known yet */
};

/* The calls at an address, in the maps or the module of a number; 0: empty. */
struct known_frame {
	uint64_t address, of;
	const uint32_t *frames;
	size_t count;
};

void
chains_init(struct chains *chains, struct frames *frames,
    struct stacks *stacks, const struct maps *kernel,
    struct module *const *kernel_module)
{
	*chains = (struct chains){ .frames = frames, .stacks = stacks,
	    .kernel = kernel, .kernel_module = kernel_module };
	table_init(&chains->known);
	chains->recent = mem_array((size_t)1 << RECENT_BITS,
	    sizeof(*chains->recent));
	chains->places = mem_array((size_t)1 << PLACE_BITS,
	    sizeof(*chains->places));
}

void
chains_free(struct chains *chains)
{
	table_free(&chains->known);
	free(chains->list);
	free(chains->keys.data);
	free(chains->recent);
	free(chains->places);
	free(chains->stack.frames);
	free(chains->address.data);
	free(chains->symbol.data);
	free(chains->module.data);
	debug_functions_free(&chains->functions);
}

/* Puts s, without line ends, which no name in folded stacks may hold. */
static struct str
put_line(struct text *text, struct str s)
{
	size_t i;

	text->len = 0;
	text_add(text, s);
	for (i = 0; i < text->len; i++)
		if (text->data[i] == '\n')
			text->data[i] = '_';
	return text_str(text);
}

/* Finds the function that perf prints for an address. */
static struct str
find_symbol(struct chains *chains, struct module *module, uint64_t address)
{
	struct dso_function function = { .name = module->symbol };

	if (function.name.len == 0 && (module->dso == NULL ||
	    !dso_function(module->dso, address, &function))) {
		module->unknown++;
		chains->unknown++;
		return STR("[unknown]");
	}
	put_line(&chains->symbol, function.name);
	/* so a name that ends like an offset is not cut */
	text_add(&chains->symbol, STR("+0x0"));
	return text_str(&chains->symbol);
}

/* How an address is looked up, beside its maps: flags. */
enum { IN_JAVA = 1, WITH_INLINED = 2 };

/* Finds the calls of an address that is in no module, or not known. */
static struct calls
find_calls(struct chains *chains, struct module *module, uint64_t address,
    unsigned how)
{
	struct frame_line line = { .symbol = STR("[unknown]"),
	    .module = STR("[unknown]") };
	struct calls calls;

	chains->address.len = 0;
	if (chains->frames->addresses || chains->frames->inliner != NULL)
		text_add_format(&chains->address, "%llx",
		    (unsigned long long)address);
	line.address = text_str(&chains->address);
	if (module != NULL) {
		line.symbol = find_symbol(chains, module, address);
		line.module = put_line(&chains->module, module->name);
	}
	chains->resolved++;
	calls = frames_calls(chains->frames, &line, (how & IN_JAVA) != 0);
	if ((how & WITH_INLINED) != 0 && module != NULL &&
	    module->dso != NULL && !str_equal(line.symbol, STR("[unknown]")) &&
	    dso_inlined(module->dso, address, false, &chains->functions))
		calls = frames_add_inlined(chains->frames, calls,
		    &chains->functions);
	return calls;
}

/* True if the kernel has a function at an address. */
static bool
is_in_kernel(const struct chains *chains, uint64_t address)
{
	const struct module *kernel = *chains->kernel_module;
	struct dso_function function;

	return kernel != NULL && dso_function(kernel->dso, address, &function);
}

static struct known_frame *
known_at(struct known_frame *list, unsigned bits, uint64_t address, uint64_t of)
{
	uint64_t hash = (address ^ of << 32 ^ of >> 32) *
	    UINT64_C(0x9E3779B97F4A7C15);

	return &list[hash >> (64 - bits)];
}

/*
 * The calls of an address in maps, or in none.  The kernel's map does not cover
 * what it runs only at its start, whose names are known nevertheless.
 */
static struct calls
find_place(struct chains *chains, const struct maps *maps, uint64_t ip,
    unsigned how)
{
	const struct map *map = maps == NULL ? NULL : maps_find(maps, ip);
	uint64_t address = ip, of;
	struct known_frame *known;
	struct calls calls;

	if (map == NULL)
		return find_calls(chains, maps == chains->kernel &&
		    is_in_kernel(chains, ip) ? *chains->kernel_module : NULL,
		    ip, how);
	if (!map->module->absolute)
		address = ip - map->start + map->offset;
	of = (uint64_t)(uintptr_t)map->module | how;
	known = known_at(chains->places, PLACE_BITS, address, of);
	if (known->address != address || known->of != of) {
		calls = find_calls(chains, map->module, address, how);
		*known = (struct known_frame){ address, of, calls.frames,
		    calls.count };
	}
	return (struct calls){ known->frames, known->count, false };
}

/* The same number for the same maps, and for no others. */
static uint64_t
version_of(const struct maps *maps, unsigned how)
{
	return (maps == NULL ? UINT64_MAX / 4 : maps->version) << 2 | how;
}

/* Pushes the calls of an address. */
static void
push_address(struct chains *chains, const struct chain *chain,
    enum record_mode mode, uint64_t ip, bool unwound)
{
	const struct maps *maps = mode == MODE_USER ? chain->maps :
	    mode == MODE_KERNEL ? chains->kernel : NULL;
	bool inlined = mode == MODE_USER && (chains->inlined == INLINED_ALL ||
	    (chains->inlined == INLINED_UNWOUND && unwound));
	unsigned how = (chain->root.java ? IN_JAVA : 0u) |
	    (inlined ? WITH_INLINED : 0u);
	uint64_t of = version_of(maps, how);
	struct known_frame *known = known_at(chains->recent, RECENT_BITS, ip,
	    of);
	struct calls calls;
	size_t i;

	if (known->address != ip || known->of != of) {
		calls = find_place(chains, maps, ip, how);
		*known = (struct known_frame){ ip, of, calls.frames,
		    calls.count };
	}
	for (i = known->count; i > 0; i--)
		stack_push(&chains->stack, known->frames[i - 1]);
}

/* Pushes those of a chain; false if it has a context that is not known. */
static bool
push_words(struct chains *chains, const struct chain *chain, struct str words)
{
	enum record_mode mode = MODE_USER;
	size_t count = 0;
	bool unwound = false;
	uint64_t word;

	for (; words.len >= WORD; words = str_skip(words, WORD)) {
		word = attr_word(words.data);
		if (word < CONTEXT_FIRST || unwound) {
			if (count++ < chains->max_stack)
				push_address(chains, chain, mode, word,
				    unwound);
		} else if (word == CONTEXT_UNWOUND) {
			unwound = true;
			mode = MODE_USER;
			count = 0;
		} else if (word == CONTEXT_USER)
			mode = MODE_USER;
		else if (word == CONTEXT_KERNEL)
			mode = MODE_KERNEL;
		else if (word == CONTEXT_HYPERVISOR)
			mode = MODE_HYPERVISOR;
		else if (count < chains->max_stack)
			return false;	/* not if perf would not read it */
	}
	return true;
}

/* Pushes the stack of a chain, which was not known. */
static void
push_stack(struct chains *chains, const struct chain *chain, struct str words)
{
	size_t start = chains->stack.depth;

	if (chain->is_lone)
		push_address(chains, chain, chain->mode, chain->ip, false);
	else if (!push_words(chains, chain, words))
		chains->stack.depth = start;	/* as perf does */
	stack_push(&chains->stack, chain->root.frame);
}

/* Pushes a known stack with another root: commands may have the same maps. */
static void
push_other(struct chains *chains, uint32_t number, uint32_t root)
{
	struct str sequence = chains->stacks->sequences.keys[number];
	uint32_t frame;

	for (; sequence.len > sizeof(frame);
	    sequence = str_skip(sequence, sizeof(frame))) {
		memcpy(&frame, sequence.data, sizeof(frame));
		stack_push(&chains->stack, frame);
	}
	stack_push(&chains->stack, root);
}

/*
 * Finds the stacks of the batch's chains, by these numbers.  Chains without a
 * stack so far, or with another root, are pushed end to end and looked up at
 * once.
 */
static void
find_stacks(struct chains *chains, const struct str *words,
    const uint32_t *numbers, uint32_t *found)
{
	size_t which[TABLE_BATCH], ends[TABLE_BATCH], count = 0, i;
	uint32_t new_numbers[TABLE_BATCH], root;
	const struct known_chain *known;

	chains->stack.depth = 0;
	for (i = 0; i < chains->batched; i++) {
		known = &chains->list[numbers[i]];
		root = chains->batch[i].root.frame;
		found[i] = known->stack;
		if (known->stack != TABLE_NONE && known->root == root)
			continue;
		if (known->stack != TABLE_NONE)
			push_other(chains, known->stack, root);
		else
			push_stack(chains, &chains->batch[i], words[i]);
		which[count] = i;
		ends[count++] = chains->stack.depth;
	}
	stacks_number(chains->stacks, chains->stack.frames, ends, count,
	    new_numbers);
	for (i = 0; i < count; i++) {
		found[which[i]] = new_numbers[i];
		chains->list[numbers[which[i]]] = (struct known_chain){
		    chains->batch[which[i]].root.frame, new_numbers[i] };
	}
}

/* Makes room for chains that were not known. */
static void
list_known(struct chains *chains)
{
	chains->list = mem_grow(chains->list, &chains->room,
	    chains->known.count, sizeof(*chains->list));
	while (chains->listed < chains->known.count)
		chains->list[chains->listed++].stack = TABLE_NONE;
}

static void
forget(struct chains *chains)
{
	table_free(&chains->known);
	table_init(&chains->known);
	chains->listed = 0;
	chains->bytes = 0;
}

void
chains_settle(struct chains *chains)
{
	struct str keys[TABLE_BATCH];
	uint32_t numbers[TABLE_BATCH], found[TABLE_BATCH];
	size_t i, start = 0, before = chains->known.count;

	for (i = 0; i < chains->batched; i++) {
		keys[i] = str_between(text_str(&chains->keys), start,
		    chains->key_ends[i]);
		start = chains->key_ends[i];
	}
	table_add_batch(&chains->known, keys, chains->batched, numbers);
	list_known(chains);
	for (i = 0; i < chains->batched; i++) {
		if (numbers[i] >= before)
			chains->bytes += keys[i].len;
		keys[i] = str_skip(keys[i], KEY_HEAD);
	}
	find_stacks(chains, keys, numbers, found);
	for (i = 0; i < chains->batched; i++)
		stacks_count(chains->stacks, found[i],
		    chains->batch[i].count);
	chains->batched = chains->keys.len = 0;
	if (chains->bytes > KNOWN_BYTES)
		forget(chains);
}

void
chains_add(struct chains *chains, const struct chain *chain)
{
	uint64_t head[KEY_HEAD / sizeof(uint64_t)] = {
		version_of(chain->maps, chain->root.java),
		chains->kernel->version << 8 |
		    (chain->is_lone ? (uint64_t)chain->mode + 1 : 0)
	};
	struct str key = { (const char *)head, KEY_HEAD };

	text_add(&chains->keys, key);
	if (chain->is_lone)
		text_add(&chains->keys, (struct str){
		    (const char *)&chain->ip, sizeof(chain->ip) });
	else
		text_add(&chains->keys, chain->words);
	chains->key_ends[chains->batched] = chains->keys.len;
	chains->batch[chains->batched++] = *chain;
	if (chains->batched == TABLE_BATCH)
		chains_settle(chains);
}
