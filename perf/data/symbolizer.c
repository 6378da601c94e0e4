#include <stdlib.h>

#include "lib/prefetch.h"
#include "symbolizer.h"

/*
 * Functions are known by a line of places in their module: 4 MB of them, and
 * 320 KB for what the functions are called.
 */
#define LINE_BITS	6	/* of the bytes in a line */
#define PLACE_BITS	17
#define NAME_BITS	15

/* A code is the number of a module, plus one, above so many bits of a place. */
#define CODE_BITS	47
#define CODE_MODULES	UINT16_MAX

#define RANGE_MOST	(UINT32_MAX / 4)	/* bytes to each side */

void
symbolizer_init(struct symbolizer *symbolizer, struct frames *frames,
    enum frame_lines lines)
{
	*symbolizer = (struct symbolizer){ .frames = frames, .lines = lines };
	symbolizer->recent = mem_array((size_t)1 << SYMBOLIZER_RECENT_BITS,
	    sizeof(*symbolizer->recent));
	symbolizer->known = mem_table((size_t)1 << PLACE_BITS,
	    sizeof(*symbolizer->known), &symbolizer->known_memory);
	symbolizer->by_name = mem_array((size_t)1 << NAME_BITS,
	    sizeof(*symbolizer->by_name));
}

void
symbolizer_free(struct symbolizer *symbolizer)
{
	free(symbolizer->recent);
	free(symbolizer->known_memory);
	free(symbolizer->by_name);
	debug_functions_free(&symbolizer->functions);
}

/* Notes a range around an address, or what 32 bits hold of it. */
static void
set_range(struct place *known, uint64_t address,
    const struct dso_function *function)
{
	uint64_t before = address - function->first;
	uint64_t behind = function->last - address;

	if (before > RANGE_MOST)
		before = RANGE_MOST;
	if (behind > RANGE_MOST)
		behind = RANGE_MOST;
	known->start = address - before;
	known->len = (uint32_t)(before + behind + 1);
}

/*
 * Finds the function that perf prints for an address, and the range of
 * addresses for which that is so; returns its name, or an empty one.
 */
static struct str
find_function(struct symbolizer *symbolizer, struct module *module, uint64_t address,
    struct place *known)
{
	struct dso_function function = { .name = module->symbol,
	    .last = UINT64_MAX };
	bool found = function.name.len > 0 || (module->dso != NULL &&
	    dso_function(module->dso, address, &function));

	if (found || !symbolizer->frames->addresses)
		set_range(known, address, &function);
	if (!found)
		known->is_unknown = true;
	return found ? function.name : STR("");
}

/* Returns the calls of a function, whose address is not among them. */
static struct calls
name_function(struct symbolizer *symbolizer, const struct module *module,
    struct str name, bool java)
{
	struct frame frame = { .function = name, .module = module->name };

	return frames_calls(symbolizer->frames, &frame, java);
}

/* Returns the same, which it was asked for before, mostly. */
static struct calls
function_calls(struct symbolizer *symbolizer, const struct module *module,
    struct str name, bool java)
{
	uint64_t hash = (uintptr_t)name.data * UINT64_C(0x9E3779B97F4A7C15);
	struct place_function *known =
	    &symbolizer->by_name[hash >> (64 - NAME_BITS)];

	if (known->name != name.data || known->module != module ||
	    known->java != java)
		*known = (struct place_function){ name.data, module, java,
		    name_function(symbolizer, module, name, java) };
	return known->calls;
}

/* Returns the calls of an address without a function; module may be NULL. */
static struct calls
unknown_calls(struct symbolizer *symbolizer, const struct module *module,
    uint64_t address, bool java)
{
	struct frame frame = { .function = STR(""),
	    .module = module != NULL ? module->name : STR(""),
	    .address = address };

	return frames_calls(symbolizer->frames, &frame, java);
}

/*
 * Adds the functions that are inlined at an address, if they are wanted, and
 * source lines, which are those of the address alone.
 */
static void
add_debug(struct symbolizer *symbolizer, struct module *module, uint64_t address,
    bool inlined, struct calls *calls, struct place *known)
{
	struct debug_functions *functions = &symbolizer->functions;
	enum frame_lines lines = inlined || symbolizer->lines == LINES_PERF ?
	    symbolizer->lines : LINES_NONE;

	if (module->in_kernel || known->is_unknown ||
	    (!inlined && lines == LINES_NONE))
		return;
	known->start = address;
	known->len = 1;
	if (module->dso != NULL && dso_inlined(module->dso, address,
	    lines == LINES_NONE ? 0 : DEBUG_LINES, functions))
		*calls = frames_add_debug(symbolizer->frames, *calls, functions,
		    inlined, lines);
}

/* Finds the calls of an address that is in no module, or not known. */
static struct place
find_calls(struct symbolizer *symbolizer, struct module *module, uint64_t address,
    unsigned how)
{
	struct place known = { .start = address, .len = 1 };
	bool java = (how & PLACE_JAVA) != 0;
	struct str name = module == NULL ? STR("") :
	    find_function(symbolizer, module, address, &known);
	struct calls calls = name.len > 0 ?
	    function_calls(symbolizer, module, name, java) :
	    unknown_calls(symbolizer, module, address, java);

	if (module != NULL)
		add_debug(symbolizer, module, address, (how & PLACE_INLINED) != 0,
		    &calls, &known);
	known.frames = calls.frames;
	known.count = calls.count & INT32_MAX;
	return known;
}

/* The calls of an address that is in no map, as many are. */
static const struct place *
find_nowhere(struct symbolizer *symbolizer, uint64_t address, unsigned how)
{
	struct place *known = &symbolizer->nowhere[how & PLACE_JAVA];

	if (known->frames == NULL || symbolizer->frames->addresses)
		*known = find_calls(symbolizer, NULL, address, how);
	return known;
}

/* With inlined functions an address is known by itself. */
static inline struct place *
known_at(const struct symbolizer *symbolizer, uint64_t address, uint64_t of)
{
	uint64_t line = (of & PLACE_INLINED) != 0 ? address :
	    address >> LINE_BITS;
	uint64_t hash = (line ^ of << 32 ^ of >> 32) *
	    UINT64_C(0x9E3779B97F4A7C15);

	return &symbolizer->known[hash >> (64 - PLACE_BITS)];
}

/*
 * Returns the span of an address that is in no map of the kernel, whose own
 * does not cover what runs only at its start; the names of that are known, too.
 */
static struct place_span
kernel_span(const struct symbolizer *symbolizer, uint64_t address)
{
	struct module *kernel = symbolizer->kernel_module;
	struct place_span span = { .start = address, .len = 1 };
	struct dso_function function;

	if (kernel != NULL && dso_function(kernel->dso, address, &function))
		span.module = kernel;
	return span;
}

static struct place_span
span_of(const struct map *map, const struct maps_range *around)
{
	const struct module *module = map->module;
	struct place_span span = { around->start, around->end - around->start,
	    module, module->absolute ? 0 : map->offset - map->start, 0, true };
	uint64_t first = span.start + span.shift;

	span.code = span.shift +
	    ((module->number + UINT64_C(1)) << CODE_BITS);
	span.has_codes = module->number < CODE_MODULES &&
	    first >> CODE_BITS == 0 && (first + span.len) >> CODE_BITS == 0;
	return span;
}

void
symbolizer_find_span(struct place_recent *recent, struct maps_view maps,
    uint64_t address)
{
	struct maps_range around;
	const struct map *map = maps_find(maps, address, &around);

	recent->span = map != NULL ? span_of(map, &around) :
	    (struct place_span){ .start = around.start,
	    .len = around.end - around.start, .has_codes = true };
}

/* Seeks an address in a span. */
static struct place_sought
seek(const struct symbolizer *symbolizer, const struct place_span *span,
    uint64_t address, unsigned how)
{
	uint64_t of = (uintptr_t)span->module | how;
	struct place_sought sought = { NULL, address + span->shift, of };

	if (span->module != NULL)
		sought.known = known_at(symbolizer, sought.address, of);
	prefetch(sought.known);
	return sought;
}

void
symbolizer_seek(struct symbolizer *symbolizer, struct place_context context,
    struct str words, struct place_sought *sought)
{
	struct place_span nowhere = { .len = 0 }, kernel;
	const struct place_span *span = &nowhere;
	uint64_t version = maps_version(context.maps), address;

	for (; words.len > 0; words = str_skip(words, ATTR_WORD), sought++) {
		address = attr_word(words.data);
		if (context.maps.maps != NULL &&
		    address - span->start >= span->len)
			span = symbolizer_span(symbolizer, context.maps,
			    version, address);
		if (span->module == NULL && context.in_kernel) {
			kernel = kernel_span(symbolizer, address);
			span = &kernel;
		}
		*sought = seek(symbolizer, span, address, context.how);
	}
}

const struct place *
symbolizer_learn(struct symbolizer *symbolizer, const struct place_sought *sought)
{
	unsigned how = sought->of & PLACE_HOW;
	struct module *module;

	if (sought->known == NULL)
		return find_nowhere(symbolizer, sought->address, how);
	module = (struct module *)(uintptr_t)(sought->of - how);
	*sought->known = find_calls(symbolizer, module, sought->address, how);
	sought->known->of = sought->of;
	return sought->known;
}
