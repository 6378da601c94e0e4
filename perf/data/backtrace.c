#include <stdlib.h>

#include "backtrace.h"
#include "modules.h"
#include "reader.h"
#include "symbols/unwind/frametables.h"

#define LINK	30	/* the register of aarch64 */

/* Of the registers: a program of that many bits. */
enum { ABI_32 = 1, ABI_64 = 2 };

/* DWARF's numbers of registers, plus one, by the kernel's bits; 0: no use. */
static const uint8_t x86_numbers[][64] = {
	/* ax bx cx dx si di bp sp ip, r8 to r15; in 32 bits without these */
	{ 1, 4, 3, 2, 5, 6, 7, 8, 17, [16] = 9, 10, 11, 12, 13, 14, 15, 16 },
	{ 1, 4, 2, 3, 7, 8, 6, 5, 9 }
};

/* No frame is larger, as far as copies are too short for frames. */
#define FRAME_MOST	((uint64_t)1 << 26)

/* All stacks are dropped before they exceed this many frames: 64 MB. */
#define FRAMES_MOST	((size_t)1 << 22)

/* A stack with more frames is not made. */
#define DEPTH_MOST	((size_t)1 << 18)

static void
forget_all(struct backtrace *backtrace)
{
	size_t i;

	for (i = 0; i < STITCH_THREADS; i++)
		free(backtrace->kept[i].stack.frames);
	memset(backtrace->kept, 0, sizeof(backtrace->kept));
	backtrace->kept_room = 0;
}

/* Pushes the frames of the last stack onto one that is kept. */
static void
push(struct backtrace *backtrace, struct stitch_stack *kept)
{
	const struct stitch_stack *inner = &backtrace->frames;
	size_t i;

	backtrace->kept_room -= kept->room;
	kept->frames = mem_grow_small(kept->frames, &kept->room,
	    kept->count + inner->count, sizeof(*kept->frames));
	backtrace->kept_room += kept->room;
	for (i = inner->count; i > 0; i--)
		kept->frames[kept->count++] = inner->frames[i - 1];
}

static void
pop_below(struct stitch_stack *stack, uint64_t address)
{
	while (stack->count > 0 && stack->frames[stack->count - 1].sp < address)
		stack->count--;
}

/* Finds the tables for an address, and where in their file it is. */
static const struct frametables *
find_tables(const struct maps *maps, uint64_t address, uint64_t *offset)
{
	struct dso *dso = modules_file(maps, address, offset);

	return dso == NULL ? NULL : dso_frametables(dso, offset);
}

/* Finds where in its file a function begins, by its tables. */
static bool
find_start(const struct maps *maps, uint64_t address, uint64_t *start)
{
	uint64_t offset;
	const struct frametables *tables = find_tables(maps, address, &offset);

	return tables != NULL && frametables_start(tables, offset, start);
}

/* True if the top of a stack is the outermost frame of a truncated one. */
static bool
meets(const struct stitch_stack *stack, const struct maps *maps,
    const struct stitch_frame *cut, uint64_t caller_sp)
{
	const struct stitch_frame *top;
	uint64_t start, cut_start;

	if (stack->count < 2)
		return false;
	top = &stack->frames[stack->count - 1];
	if (top->sp != cut->sp || top[-1].sp != caller_sp)
		return false;
	return top->address == cut->address ||
	    (maps_find(maps, top->address, NULL) ==
	    maps_find(maps, cut->address, NULL) &&
	    find_start(maps, top->address, &start) &&
	    find_start(maps, cut->address, &cut_start) && start == cut_start);
}

static const struct row *
find_row(void *data, uint64_t address)
{
	struct backtrace *backtrace = data;
	const struct maps *maps = backtrace->maps;
	bool known;
	struct row *row = rows_at(&backtrace->rows, address,
	    maps_generation(maps), &known);
	const struct frametables *tables;
	uint64_t offset = 0;

	if (!known) {
		tables = find_tables(maps, address, &offset);
		*row = row_of(tables, offset);
	}
	return row;
}

/* Reads on until `need` bytes of the stack's copy are there; false if fewer. */
static bool
read_stack(struct backtrace *backtrace, size_t need)
{
	struct sample_user *user = &backtrace->user;
	struct text *stack = &backtrace->stack;
	size_t wanted = 2 * user->there;
	ssize_t got;

	if (wanted < need)
		wanted = need;
	if (wanted > user->stack.len)
		wanted = user->stack.len;
	if (user->stack.data != stack->data) {
		stack->len = 0;
		text_add(stack, str_take(user->stack, user->there));
	}
	stack->len = user->there;
	text_extend(stack, wanted - user->there);
	user->stack.data = stack->data;
	got = reader_pread(user->fd, stack->data + user->there,
	    wanted - user->there, user->at);
	if (got > 0) {
		user->there += (size_t)got;
		user->at += (uint64_t)got;
	}
	if (user->there < need)
		user->stack.len = user->there;
	return user->there >= need;
}

/*
 * Reads memory from the copy, as perf except for its last word, or from files:
 * processes have not written to most.  Other memory is 0, as for perf, and all
 * of it if there is no copy.
 */
static bool
read_word(void *data, uint64_t address, uint64_t *word)
{
	struct backtrace *backtrace = data;
	struct sample_user *user = &backtrace->user;
	uint64_t offset = address - backtrace->stack_start;
	struct dso *dso;

	if (offset < user->stack.len && user->stack.len - offset > ATTR_WORD &&
	    (offset + ATTR_WORD <= user->there ||
	    read_stack(backtrace, (size_t)offset + ATTR_WORD))) {
		*word = attr_word(user->stack.data + offset);
		return true;
	}
	*word = 0;
	if (backtrace->copied == 0)
		return true;
	dso = modules_file(backtrace->maps, address, &offset);
	if (dso != NULL) {
		dso_word(dso, offset, word);
		return true;
	}
	if (address - backtrace->stack_start < FRAME_MOST)
		backtrace->has_missed = true;
	return maps_find(backtrace->maps, address, NULL) != NULL;
}

/* Puts the registers that were recorded into DWARF's order. */
static uint64_t
order_registers(const struct unwind_machine *machine,
    const struct sample_user *user, uint64_t *registers)
{
	const char *at = user->registers.data;
	uint64_t known = 0, mask = user->mask;
	unsigned bit, number;

	memset(registers, 0, machine->columns * sizeof(*registers));
	for (bit = 0; mask != 0; bit++, mask >>= 1) {
		if ((mask & 1) == 0)
			continue;
		number = machine == &unwind_aarch64 ? bit + 1 :
		    x86_numbers[machine == &unwind_i386][bit];
		if (number > 0 && number <= machine->columns) {
			registers[number - 1] = attr_word(at);
			known |= (uint64_t)1 << (number - 1);
		}
		at += ATTR_WORD;
	}
	return known;
}

static void
add_word(struct backtrace *backtrace, uint64_t word)
{
	attr_put_word(text_extend(&backtrace->words, ATTR_WORD), word);
}

static bool
is_named(const struct backtrace *backtrace, uint64_t address,
    const char *const *names)
{
	struct dso_function function;
	uint64_t offset;
	struct dso *dso = modules_file(backtrace->maps, address, &offset);

	return dso != NULL && dso_function(dso, offset, &function) &&
	    str_any(str_equal, function.name, names);
}

/*
 * Returns why a stack ends too early that ends in code without tables, if it is
 * not the first function of a thread or coroutine, or one that this calls: musl
 * has no tables for these, and shows but few of their names.
 */
static enum stack_end
end_in_unknown(const struct backtrace *backtrace, uint64_t address)
{
	static const char *const first[] = { "_start", "_start_c",
		"__libc_start_main", "libc_start_main_stage2", "clone",
		"__clone", "start", "__start_context", NULL };
	static const char *const main[] = { "main", NULL };
	const struct map *map = maps_find(backtrace->maps, address, NULL);
	const struct stitch_stack *stack = &backtrace->frames;
	uint64_t called = stack->count < 2 ? 0 :
	    stack->frames[stack->count - 2].address;

	if (map == NULL)
		return END_NO_MAP;
	/* a coroutine returns to the first instruction of __start_context */
	if (is_named(backtrace, address, first) ||
	    is_named(backtrace, address + 1, first) ||
	    is_named(backtrace, called, main))
		return END_REASONS;
	map->module->counts[MODULE_UNTABLED]++;
	return END_TABLES;
}

/* Returns why a stack ends too early.  A copy of full size is truncated. */
static enum stack_end
find_end(struct backtrace *backtrace, const struct unwind *unwind)
{
	size_t copied = backtrace->user.stack.len;
	const struct map *map;

	if (unwind->end == UNWIND_NO_ROW)
		return end_in_unknown(backtrace, unwind_address(unwind));
	if (backtrace->has_missed &&
	    backtrace->user.stack_size == backtrace->copied) {
		/* how much longer would the copy have to be? */
		map = maps_find(backtrace->maps,
		    backtrace->stack_start + copied, NULL);
		if (map != NULL &&
		    str_equal(map->module->name, STR("[stack]")) &&
		    map->end - backtrace->stack_start < 2 * (uint64_t)copied)
			backtrace->doubled++;
		if (copied > backtrace->short_most)
			backtrace->short_most = copied;
		return END_COPY;
	}
	return unwind->end == UNWIND_COMPLETE && !backtrace->has_missed ?
	    END_REASONS : END_LOST;
}

/* Joins a truncated stack to the thread's kept one; keeps complete ones. */
static void
stitch(struct backtrace *backtrace, int32_t tid, uint64_t since,
    const struct unwind *unwind, enum stack_end reason)
{
	struct stitch_stack *frames = &backtrace->frames;
	const struct stitch_frame *outermost =
	    &frames->frames[frames->count - 1];
	struct stitch_kept *slot =
	    &backtrace->kept[(uint32_t)tid % STITCH_THREADS];
	struct stitch_stack *kept = &slot->stack;
	uint64_t gone = backtrace->stack_start;
	size_t outer;

	if (tid <= 0)
		return;
	if (backtrace->kept_room > FRAMES_MOST)
		forget_all(backtrace);
	if (slot->tid != tid || slot->since != since)
		kept->count = 0;
	slot->tid = tid;
	slot->since = since;
	if (reason == END_REASONS) {
		kept->count = 0;
		push(backtrace, kept);
		return;
	}
	if (reason == END_COPY) {
		pop_below(kept, outermost->sp);
		if (meets(kept, backtrace->maps, outermost,
		    unwind->caller_cfa) &&
		    kept->count + frames->count <= DEPTH_MOST) {
			outer = --kept->count;
			push(backtrace, kept);
			while (outer > 0 && frames->count < backtrace->most)
				*LIST_ADD(frames->frames, frames->count,
				    frames->room) = kept->frames[--outer];
			backtrace->joined++;
			return;
		}
		gone += backtrace->user.stack.len;
	}
	pop_below(kept, gone);
}

/*
 * Replaces the user's part of a chain by what its copy of the stack shows.
 * False if there are no registers or maps to start from; perf shows the ip
 * alone then.
 */
static bool
unwind_copy(struct backtrace *backtrace, const struct record_sample *sample,
    uint64_t since, struct str words)
{
	const struct sample_user *user = &sample->user;
	struct unwind_process process = { NULL, find_row, read_word,
	    backtrace };
	struct stitch_stack *frames = &backtrace->frames;
	size_t i, most = backtrace->most, limit = backtrace->stitches ?
	    user->stack.len / ATTR_WORD + 3 : most;
	enum stack_end reason = END_LOST;
	uint64_t registers[CFI_COLUMNS], known;
	struct unwind unwind;

	if (user->registers.len == 0)
		return true;
	if (user->abi == ABI_64)
		process.machine = backtrace->machine;
	else if (user->abi == ABI_32 && backtrace->machine == &unwind_x86_64)
		process.machine = &unwind_i386;
	if (process.machine == NULL || backtrace->maps == NULL)
		return false;
	known = order_registers(process.machine, user, registers);
	if (!unwind_begin(&unwind, &process, registers, known))
		return false;
	backtrace->user = *user;
	backtrace->copied = user->stack.len;
	backtrace->stack_start = registers[process.machine->sp];
	backtrace->has_missed = false;
	backtrace->stacks++;
	frames->count = 0;
	do
		*LIST_ADD(frames->frames, frames->count, frames->room) =
		    (struct stitch_frame){ unwind_address(&unwind),
		    unwind.cfa };
	while (frames->count < limit && unwind_step(&unwind));
	if (frames->count < limit) {
		reason = find_end(backtrace, &unwind);
		backtrace->ends[reason]++;
	}
	if (backtrace->stitches)
		stitch(backtrace, sample->tid, since, &unwind, reason);
	text_add(&backtrace->words, words);
	add_word(backtrace, CONTEXT_UNWOUND);
	for (i = 0; i < frames->count && i < most; i++)
		if (frames->frames[i].address != 0)
			add_word(backtrace, frames->frames[i].address);
	return true;
}

/* Returns the index at which a chain's user part begins, or its count. */
static size_t
find_user(struct str words)
{
	size_t i;

	for (i = 0; words.len > 0 && attr_word(words.data) != CONTEXT_USER; i++)
		words = str_skip(words, ATTR_WORD);
	return i;
}

/*
 * Replaces the user's part of a chain by the calls that the processor recorded.
 * As in perf, it stays if it begins after `most` words.
 *
 * The innermost function is at the chain's first user address.  perf 6.1 has
 * where the first branch leads to instead, mostly the same function; perf 7.2
 * has the sample's ip, so that it shows an unknown function above the kernel's.
 */
static void
add_branches(struct backtrace *backtrace, struct str branches, struct str words)
{
	size_t user = find_user(words);
	struct str addresses = str_skip(words, user * ATTR_WORD);

	if (user >= backtrace->most || addresses.len == 0)
		return;
	text_add(&backtrace->words, str_take(words, user * ATTR_WORD));
	add_word(backtrace, CONTEXT_UNWOUND);
	if (addresses.len > ATTR_WORD)
		add_word(backtrace, attr_word(addresses.data + ATTR_WORD));
	else if (branches.len > 0)
		add_word(backtrace, attr_word(branches.data + ATTR_WORD));
	for (; branches.len > 0; branches = str_skip(branches, RECORD_BRANCH))
		add_word(backtrace, attr_word(branches.data));
}

/*
 * Adds the caller of a leaf function on aarch64.  A leaf may have no frame, so
 * the chain of frame pointers lacks its caller, but perf record -g has the link
 * register.
 */
static void
add_leaf_caller(struct backtrace *backtrace, const struct sample_user *user,
    struct str words)
{
	const struct unwind_machine *machine = &unwind_aarch64;
	struct unwind_process process = { machine, find_row, read_word,
	    backtrace };
	uint64_t registers[CFI_COLUMNS], known;
	size_t second = (find_user(words) + 2) * ATTR_WORD;
	struct unwind unwind;

	if (second >= words.len || user->registers.len == 0 ||
	    backtrace->maps == NULL)
		return;
	known = order_registers(machine, user, registers);
	if ((known >> LINK & 1) == 0)
		return;
	if ((known >> machine->ip & 1) == 0)
		registers[machine->ip] = attr_word(words.data + second -
		    ATTR_WORD);
	known |= (uint64_t)1 << machine->ip | (uint64_t)1 << machine->sp;
	backtrace->user = *user;
	backtrace->copied = 0;
	if (!unwind_begin(&unwind, &process, registers, known) ||
	    !unwind_step(&unwind) || unwind_address(&unwind) == 0 ||
	    unwind_address(&unwind) == attr_word(words.data + second))
		return;
	text_add(&backtrace->words, str_take(words, second));
	add_word(backtrace, unwind_address(&unwind));
	text_add(&backtrace->words, str_skip(words, second));
}

bool
backtrace_make(struct backtrace *backtrace, const struct record_sample *sample,
    const struct maps *maps, uint64_t since, struct str *words)
{
	bool is_made = true;

	backtrace->maps = maps;
	backtrace->words.len = 0;
	if (sample->branches.data != NULL)
		add_branches(backtrace, sample->branches, *words);
	else if (sample->user.stack.len > 0 && backtrace->machine != NULL)
		is_made = unwind_copy(backtrace, sample, since, *words);
	else if (backtrace->machine == &unwind_aarch64)
		add_leaf_caller(backtrace, &sample->user, *words);
	if (backtrace->words.len > 0)
		*words = text_str(&backtrace->words);
	return is_made;
}

void
backtrace_free(struct backtrace *backtrace)
{
	free(backtrace->rows.list);
	forget_all(backtrace);
	free(backtrace->frames.frames);
	free(backtrace->stack.data);
	free(backtrace->words.data);
}
