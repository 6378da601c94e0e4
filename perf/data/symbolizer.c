#include <stdlib.h>

#include "lib/mem.h"
#include "symbolizer.h"

/* Functions are known by a line of places in their module, in 4 MB. */
#define LINE_BITS	6	/* of the bytes in a line */
#define PLACE_BITS	17

/* A code is a module's number, plus one, above these bits of a place. */
#define CODE_BITS	47
#define CODE_MODULES	UINT16_MAX

#define COUNT_MOST	(UINT32_MAX >> 6)	/* calls at a place */

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
}

void
symbolizer_free(struct symbolizer *symbolizer)
{
	free(symbolizer->recent);
	free(symbolizer->known_memory);
	free(symbolizer->functions.list);
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

/*
 * Finds the function that perf prints for an address, and the range of
 * addresses for which that is so; returns its name, or an empty one.
 */
static struct str
find_function(struct symbolizer *symbolizer, struct module *module,
    uint64_t address, struct place *known)
{
	struct dso_function function = { .name = module->symbol,
	    .last = UINT64_MAX };
	bool found = function.name.len > 0 || (module->dso != NULL &&
	    dso_function(module->dso, address, &function));

	if (!found && symbolizer->frames->addresses)
		function.first = function.last = address;
	narrow(known, address, function.first, function.last);
	known->is_unknown = !found;
	return found ? function.name : STR("");
}

/* Adds the functions that are inlined at an address, and lines, if wanted. */
static void
add_debug(struct symbolizer *symbolizer, struct module *module,
    uint64_t address, bool inlined, struct calls *calls, struct place *known)
{
	struct debug_functions *functions = &symbolizer->functions;
	enum frame_lines lines = inlined || symbolizer->lines == LINES_PERF ?
	    symbolizer->lines : LINES_NONE;

	if (module->dso == NULL || known->is_unknown ||
	    (!inlined && lines == LINES_NONE))
		return;
	if (dso_inlined(module->dso, address,
	    lines == LINES_NONE ? 0 : DEBUG_LINES, functions))
		*calls = frames_add_debug(symbolizer->frames, *calls, functions,
		    inlined, lines);
	narrow(known, address, functions->first, functions->last);
}

/* Finds the calls of an address that is in no module, or not known. */
static struct place
find_calls(struct symbolizer *symbolizer, struct module *module,
    uint64_t address, unsigned how)
{
	struct place known = { .module = module, .start = address, .len = 1,
	    .how = how & (PLACE_JAVA | PLACE_INLINED) };
	struct frame frame = { .address = address };
	struct calls calls;

	if (module != NULL) {
		known.start = address < RANGE_MOST ? 0 : address - RANGE_MOST;
		known.len = 2 * RANGE_MOST;
		frame.function = find_function(symbolizer, module, address,
		    &known);
		frame.module = frame.function.len > 0 && module->map.len > 0 ?
		    module->map : module->name;
		frame.in_kernel = module->in_kernel;
		known.art = module->art & 7;
		if (module->art <= ART_RUNTIME &&
		    str_ends(frame.function, STR("jni_trampoline")))
			known.art = ART_TRAMPOLINE;
	}
	calls = frames_calls(symbolizer->frames, &frame,
	    (how & PLACE_JAVA) != 0);
	if (module != NULL)
		add_debug(symbolizer, module, address,
		    (how & PLACE_INLINED) != 0, &calls, &known);
	known.frames = calls.frames;
	known.count = calls.count & COUNT_MOST;
	return known;
}

static inline struct place *
known_at(const struct symbolizer *symbolizer, const struct module *module,
    uint64_t address, unsigned how)
{
	uint64_t of = (uintptr_t)module ^ how;
	uint64_t hash = (address >> LINE_BITS ^ of << 32 ^ of >> 32) *
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
	struct module *module = map->module;
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
symbolizer_find_span(struct place_recent *recent,
    const struct maps *maps, uint64_t address)
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
	struct place_sought sought = { NULL, address + span->shift,
	    span->module, how };

	if (span->module != NULL)
		sought.known = known_at(symbolizer, span->module,
		    sought.address, how);
	prefetch(sought.known);
	return sought;
}

void
symbolizer_seek(struct symbolizer *symbolizer, struct place_context context,
    struct str words, struct place_sought *sought)
{
	struct place_span nowhere = { .len = 0 }, kernel;
	const struct place_span *span = &nowhere;
	uint64_t version = maps_generation(context.maps), address;

	for (; words.len > 0; words = str_skip(words, ATTR_WORD), sought++) {
		address = attr_word(words.data);
		if (context.maps != NULL &&
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
symbolizer_learn(struct symbolizer *symbolizer,
    const struct place_sought *sought)
{
	struct place *place = sought->known != NULL ? sought->known :
	    &symbolizer->nowhere;

	*place = find_calls(symbolizer, sought->module, sought->address,
	    sought->how);
	return place;
}
