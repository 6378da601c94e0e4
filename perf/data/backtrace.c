#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "backtrace.h"
#include "modules.h"

#define WORD	ATTR_WORD

#define LINK	30	/* the register of aarch64 */

/* Of the registers: a program of that many bits. */
enum { ABI_32 = 1, ABI_64 = 2 };

/* The kernel's numbers, by bit, of the DWARF registers. */
static const uint8_t x86_64_bits[] = {
	0, 3, 2, 1, 4, 5, 6, 7,			/* ax dx cx bx si di bp sp */
	16, 17, 18, 19, 20, 21, 22, 23, 8	/* r8 to r15, ip */
};
static const uint8_t i386_bits[] = {
	0, 2, 3, 1, 7, 6, 4, 5, 8		/* ax cx dx bx sp bp si di ip */
};

/* No frame is larger, as far as copies are too short for frames. */
#define FRAME_MOST	((uint64_t)1 << 26)

static const struct row *
find_row(void *data, uint64_t address)
{
	struct backtrace *backtrace = data;
	bool known;
	struct row *row = rows_at(&backtrace->rows, address,
	    maps_generation(backtrace->maps), &known);
	const struct frametables *tables = NULL;
	struct maps_range around;
	const struct map *map;
	uint64_t offset = 0;

	if (known)
		return row;
	map = maps_find(backtrace->maps, address, &around);
	if (map != NULL && map->module->dso != NULL &&
	    !map->module->absolute) {
		offset = address - map->start + map->offset;
		tables = dso_frametables(map->module->dso, &offset);
	}
	*row = row_of(tables, offset);
	return row;
}

/*
 * Reads what is not in the copy of the stack: files have it where processes
 * have not written to it.  What else is mapped is 0, as for perf.
 */
static bool
read_mapped(struct backtrace *backtrace, uint64_t address, uint64_t *word)
{
	struct maps_range around;
	const struct map *map = maps_find(backtrace->maps, address, &around);

	*word = 0;
	if (map != NULL && map->module->dso != NULL && !map->module->absolute)
		dso_word(map->module->dso, address - map->start + map->offset,
		    word);
	else if (address - backtrace->stack_start < FRAME_MOST)
		backtrace->has_missed = true;
	return map != NULL;
}

/*
 * Reads more of the copy of the stack: at least up to its first `need` bytes,
 * or all that the file has.
 */
static void
read_stack(struct backtrace *backtrace, size_t need)
{
	struct sample_user *user = &backtrace->user;
	struct text *stack = &backtrace->stack;
	size_t more = 2 * user->there;
	ssize_t got;

	more = (need > more ? need : more) - user->there;
	if (more > user->stack.len - user->there)
		more = user->stack.len - user->there;
	if (user->stack.data != stack->data) {
		stack->len = 0;
		text_add(stack, str_take(user->stack, user->there));
	}
	stack->len = user->there;
	text_extend(stack, more);
	user->stack.data = stack->data;
	while (user->there < need) {
		got = pread(user->fd, stack->data + user->there, more,
		    (off_t)user->at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			user->stack.len = user->there;
			return;
		}
		user->there += (size_t)got;
		user->at += (uint64_t)got;
		more -= (size_t)got;
	}
}

/* Reads memory.  The last word of the copy is not taken, as in perf. */
static bool
read_word(void *data, uint64_t address, uint64_t *word)
{
	struct backtrace *backtrace = data;
	struct sample_user *user = &backtrace->user;
	uint64_t offset = address - backtrace->stack_start;

	if (offset < user->stack.len && user->stack.len - offset > WORD &&
	    offset + WORD > user->there)
		read_stack(backtrace, (size_t)offset + WORD);
	if (offset >= user->stack.len || user->stack.len - offset <= WORD)
		return read_mapped(backtrace, address, word);
	*word = attr_word(user->stack.data + offset);
	return true;
}

/* Puts the registers that were recorded into DWARF's order. */
static uint64_t
order_registers(const struct unwind_machine *machine,
    const struct sample_user *user, uint64_t *registers)
{
	uint64_t known = 0, mask = user->mask, below;
	unsigned i, bit, at;

	for (i = 0; i < machine->columns; i++) {
		registers[i] = 0;
		bit = machine == &unwind_x86_64 ? x86_64_bits[i] :
		    machine == &unwind_i386 ? i386_bits[i] : i;
		if ((mask >> bit & 1) == 0)
			continue;
		below = mask & (((uint64_t)1 << bit) - 1);
		for (at = 0; below != 0; at++)
			below &= below - 1;
		registers[i] = attr_word(user->registers.data + at * WORD);
		known |= (uint64_t)1 << i;
	}
	return known;
}

static void
add_word(struct backtrace *backtrace, uint64_t word)
{
	char *bytes = text_extend(&backtrace->words, WORD);
	unsigned i;

	for (i = 0; i < WORD; i++)
		bytes[i] = (char)(word >> 8 * i);
}

/*
 * Returns what a program is unwound for, of 64 bits as its machine is, or of
 * 32; NULL if that is not known.
 */
static const struct unwind_machine *
find_machine(const struct unwind_machine *machine, uint64_t abi)
{
	if (abi == ABI_64)
		return machine;
	return abi == ABI_32 && machine == &unwind_x86_64 ? &unwind_i386 : NULL;
}

/* Counts a stack whose copy is too short. */
static enum stack_end
count_short(struct backtrace *backtrace)
{
	struct stats *stats = backtrace->stats;
	size_t copied = backtrace->user.stack.len;
	struct maps_range around;
	const struct map *map = maps_find(backtrace->maps,
	    backtrace->stack_start + copied, &around);

	if (map != NULL && str_equal(map->module->name, STR("[stack]")) &&
	    map->end - backtrace->stack_start < 2 * (uint64_t)copied)
		stats->doubled++;
	if (copied > stats->copied)
		stats->copied = copied;
	stats->ends[END_COPY]++;
	return END_COPY;
}

/* True if the function at an address has one of these names. */
static bool
is_named(const struct backtrace *backtrace, uint64_t address,
    const char *const *names)
{
	struct dso_function function;
	struct maps_range around;
	const struct map *map = maps_find(backtrace->maps, address, &around);

	if (map == NULL || map->module->dso == NULL || map->module->absolute ||
	    !dso_function(map->module->dso, address - map->start + map->offset,
	    &function))
		return false;
	while (*names != NULL && !str_equal(function.name, str_from(*names)))
		names++;
	return *names != NULL;
}

/*
 * True if a function without tables is the first of a thread or coroutine, or
 * one that this calls: musl has none for these, and shows but few of their
 * names.
 */
static bool
is_first(const struct backtrace *backtrace, uint64_t address, uint64_t called)
{
	static const char *const first[] = { "_start", "_start_c",
		"__libc_start_main", "libc_start_main_stage2", "clone",
		"__clone", "start", "__start_context", NULL };
	static const char *const main[] = { "main", NULL };

	/* a coroutine returns to the first instruction of __start_context */
	return is_named(backtrace, address, first) ||
	    is_named(backtrace, address + 1, first) ||
	    is_named(backtrace, called, main);
}

/* Counts a stack that ends in unknown code. */
static enum stack_end
count_unknown(struct backtrace *backtrace, uint64_t address, uint64_t called)
{
	struct stats *stats = backtrace->stats;
	struct maps_range around;
	const struct map *map = maps_find(backtrace->maps, address, &around);

	if (map == NULL) {
		stats->ends[END_NO_MAP]++;
		return END_NO_MAP;
	}
	if (is_first(backtrace, address, called))
		return END_REASONS;
	stats_add_untabled(stats, map->module);
	return END_TABLES;
}

/*
 * Counts a stack by how it ends, in a function that has called the one at an
 * address; returns why that is too early, if it is.
 */
static enum stack_end
count_end(struct backtrace *backtrace, const struct unwind *unwind,
    uint64_t called, bool is_cut)
{
	if (unwind->end == UNWIND_NO_ROW)
		return count_unknown(backtrace, unwind_address(unwind),
		    called);
	if (backtrace->has_missed && is_cut)
		return count_short(backtrace);
	if (unwind->end == UNWIND_WHOLE && !backtrace->has_missed)
		return END_REASONS;
	backtrace->stats->ends[END_LOST]++;
	return END_LOST;
}

/* Unwinds a stack to words, and joins it to an earlier one. */
static void
unwind_words(struct backtrace *backtrace, struct unwind *unwind, bool is_cut,
    size_t most)
{
	const struct text *words = &backtrace->words;
	size_t count = 0;
	bool goes_on = true;

	do
		if (unwind_address(unwind) != 0)
			add_word(backtrace, unwind_address(unwind));
	while (++count < most && (goes_on = unwind_step(unwind)));
	if (!goes_on)
		count_end(backtrace, unwind, count < 2 ? 0 :
		    attr_word(words->data + words->len - 2 * WORD), is_cut);
}

/* Unwinds a stack to frames; false if they have no end. */
static bool
unwind_frames(struct backtrace *backtrace, struct unwind *unwind)
{
	struct stitch_stack *frames = &backtrace->frames;
	size_t most = backtrace->user.stack.len / WORD + 2;

	frames->count = 0;
	do {
		frames->frames = mem_grow(frames->frames, &frames->room,
		    frames->count + 1, sizeof(*frames->frames));
		frames->frames[frames->count++] = (struct stitch_frame){
		    unwind_address(unwind), unwind->cfa };
		if (!unwind_step(unwind))
			return true;
	} while (frames->count < most);
	return false;
}

/* Returns the address before the last one; 0 if there is one alone. */
static uint64_t
called(const struct backtrace *backtrace)
{
	size_t count = backtrace->frames.count;

	return count < 2 ? 0 : backtrace->frames.frames[count - 2].address;
}

/*
 * Returns the stack, joined to an earlier one if possible; NULL if it is as
 * unwound.
 */
static const struct stitch_stack *
stitch(struct backtrace *backtrace, struct stitch_thread thread,
    struct unwind *unwind, bool is_cut)
{
	const struct stitch_stack *joined = NULL;
	enum stack_end reason = END_LOST;
	uint64_t gone = backtrace->stack_start;

	if (unwind_frames(backtrace, unwind))
		reason = count_end(backtrace, unwind, called(backtrace),
		    is_cut);
	if (thread.tid <= 0)
		return NULL;
	if (reason == END_REASONS)
		return stitch_keep(&backtrace->stitch, thread,
		    &backtrace->frames);
	if (reason == END_COPY) {
		gone += backtrace->user.stack.len;
		joined = stitch_join(&backtrace->stitch, thread,
		    backtrace->maps, &backtrace->frames, unwind->caller_cfa);
	}
	if (joined == NULL)
		stitch_forget(&backtrace->stitch, thread, gone);
	else
		backtrace->stats->joined++;
	return joined;
}

/* Unwinds a stack to words, and adds those that it is joined to. */
static void
unwind_stitched(struct backtrace *backtrace, struct stitch_thread thread,
    struct unwind *unwind, bool is_cut, size_t most)
{
	const struct stitch_stack *stack = stitch(backtrace, thread, unwind,
	    is_cut);
	const struct stitch_stack *frames = &backtrace->frames;
	size_t i, count = stack == NULL ? frames->count : stack->count;
	uint64_t address;

	for (i = 0; i < count && i < most; i++) {
		address = stack == NULL ? frames->frames[i].address :
		    stack->frames[count - 1 - i].address;
		if (address != 0)
			add_word(backtrace, address);
	}
}

bool
backtrace_make(struct backtrace *backtrace,
    const struct unwind_machine *machine, const struct maps *maps,
    struct stitch_thread thread, struct str chain,
    const struct sample_user *user, size_t most, struct str *words)
{
	struct unwind_process process = { find_machine(machine, user->abi),
	    find_row, read_word, backtrace };
	uint64_t registers[CFI_COLUMNS], known;
	struct unwind unwind;
	bool is_cut;

	backtrace->words.len = 0;
	text_add(&backtrace->words, chain);
	*words = chain;
	if (user->registers.len == 0 || user->stack.len == 0)
		return true;
	if (process.machine == NULL || maps == NULL)
		return false;
	known = order_registers(process.machine, user, registers);
	if (!unwind_begin(&unwind, &process, registers, known))
		return false;
	backtrace->maps = maps;
	backtrace->user = *user;
	backtrace->stack_start = registers[process.machine->sp];
	backtrace->has_missed = false;
	backtrace->stats->stacks++;
	is_cut = user->stack.len == user->stack_size;
	add_word(backtrace, CONTEXT_UNWOUND);
	if (backtrace->stitches)
		unwind_stitched(backtrace, thread, &unwind, is_cut, most);
	else
		unwind_words(backtrace, &unwind, is_cut, most);
	*words = text_str(&backtrace->words);
	return true;
}

/* Without a copy, the stack reads as 0, as in perf. */
static bool
read_nothing(void *data, uint64_t address, uint64_t *word)
{
	(void)data;
	(void)address;
	*word = 0;
	return true;
}

/* Returns the index at which a chain's user part begins, or its count. */
static size_t
find_user(struct str words)
{
	size_t i, count = words.len / WORD;

	for (i = 0; i < count; i++)
		if (attr_word(words.data + i * WORD) == CONTEXT_USER)
			break;
	return i;
}

/*
 * The innermost function is at the chain's first user address.  perf 6.1 has
 * where the first branch leads to instead, mostly the same function; perf 7.2
 * has the sample's ip, so that it shows an unknown function above the kernel's.
 */
void
backtrace_add_branches(struct backtrace *backtrace, struct str branches,
    size_t most, struct str *words)
{
	size_t user = find_user(*words);
	struct str addresses = str_skip(*words, user * WORD);

	if (user >= most || addresses.len == 0)
		return;
	backtrace->words.len = 0;
	text_add(&backtrace->words, str_take(*words, user * WORD));
	add_word(backtrace, CONTEXT_UNWOUND);
	if (addresses.len > WORD)
		add_word(backtrace, attr_word(addresses.data + WORD));
	else if (branches.len > 0)
		add_word(backtrace, attr_word(branches.data + WORD));
	for (; branches.len > 0; branches = str_skip(branches, RECORD_BRANCH))
		add_word(backtrace, attr_word(branches.data));
	*words = text_str(&backtrace->words);
}

void
backtrace_add_leaf_caller(struct backtrace *backtrace, const struct maps *maps,
    const struct sample_user *user, struct str *words)
{
	const struct unwind_machine *machine = &unwind_aarch64;
	struct unwind_process process = { machine, find_row, read_nothing,
	    backtrace };
	uint64_t registers[CFI_COLUMNS], known;
	size_t second = (find_user(*words) + 2) * WORD;
	struct unwind unwind;

	if (second >= words->len || user->registers.len == 0 || maps == NULL)
		return;
	known = order_registers(machine, user, registers);
	if ((known >> LINK & 1) == 0)
		return;
	if ((known >> machine->ip & 1) == 0)
		registers[machine->ip] = attr_word(words->data + second - WORD);
	known |= (uint64_t)1 << machine->ip | (uint64_t)1 << machine->sp;
	backtrace->maps = maps;
	if (!unwind_begin(&unwind, &process, registers, known) ||
	    !unwind_step(&unwind) || unwind_address(&unwind) == 0 ||
	    unwind_address(&unwind) == attr_word(words->data + second))
		return;
	backtrace->words.len = 0;
	text_add(&backtrace->words, str_take(*words, second));
	add_word(backtrace, unwind_address(&unwind));
	text_add(&backtrace->words, str_skip(*words, second));
	*words = text_str(&backtrace->words);
}

void
backtrace_free(struct backtrace *backtrace)
{
	rows_free(&backtrace->rows);
	stitch_free(&backtrace->stitch);
	free(backtrace->frames.frames);
	free(backtrace->stack.data);
	free(backtrace->words.data);
}
