#include <stdio.h>
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
	symbolizer->frames = frames;
	symbolizer->lines = lines;
	symbolizer->known = mem_table((size_t)1 << PLACE_BITS,
	    sizeof(*symbolizer->known), &symbolizer->known_memory);
}

void
symbolizer_free(struct symbolizer *symbolizer)
{
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

const struct place *
symbolizer_learn(struct symbolizer *symbolizer,
    const struct place_sought *sought)
{
	struct place *place = sought->known != NULL ? sought->known :
	    &symbolizer->nowhere;
	struct module *module = sought->module;
	uint64_t address = sought->address;
	struct frame frame = { .had_offset = false };
	char digits[sizeof("ffffffffffffffff")];
	struct calls calls;

	*place = (struct place){ .module = module, .start = address, .len = 1,
	    .how = sought->how & (PLACE_JAVA | PLACE_INLINED) };
	if (module != NULL) {
		place->start = address < RANGE_MOST ? 0 : address - RANGE_MOST;
		place->len = 2 * RANGE_MOST;
		frame.symbol = find_function(symbolizer, module, address,
		    place);
		frame.module = frame.symbol.len > 0 && module->map.len > 0 ?
		    module->map : module->name;
		frame.in_kernel = module->in_kernel;
		place->art = module->art & 7;
		if (module->art <= ART_RUNTIME &&
		    str_ends(frame.symbol, STR("jni_trampoline")))
			place->art = ART_TRAMPOLINE;
	}
	if (frame.symbol.len == 0 && symbolizer->frames->addresses) {
		snprintf(digits, sizeof(digits), "%llx",
		    (unsigned long long)address);
		frame.address = str_from(digits);
	}
	calls = frames_calls(symbolizer->frames, &frame,
	    (sought->how & PLACE_JAVA) != 0);
	if (module != NULL)
		add_debug(symbolizer, module, address,
		    (sought->how & PLACE_INLINED) != 0, &calls, place);
	place->frames = calls.frames;
	place->count = calls.count & COUNT_MOST;
	return place;
}

void
symbolizer_find_span(struct place_span *span, const struct maps *maps,
    uint64_t address)
{
	struct maps_range around;
	const struct map *map = maps_find(maps, address, &around);
	struct module *module;
	uint64_t first;

	*span = (struct place_span){ .version = maps_generation(maps),
	    .start = around.start, .len = around.end - around.start,
	    .has_codes = true };
	if (map == NULL)
		return;
	module = span->module = map->module;
	if (!module->absolute)
		span->shift = map->offset - map->start;
	first = span->start + span->shift;
	span->code = span->shift +
	    ((module->number + UINT64_C(1)) << CODE_BITS);
	span->has_codes = module->number < CODE_MODULES &&
	    first >> CODE_BITS == 0 && (first + span->len) >> CODE_BITS == 0;
}

void
symbolizer_seek(struct symbolizer *symbolizer, const struct maps *maps,
    unsigned how, struct str words, struct place_sought *sought)
{
	struct place_span nowhere = { .len = 0 }, lone;
	struct module *kernel = symbolizer->kernel_module;
	struct dso_function function;
	const struct place_span *span = &nowhere;
	uint64_t version = maps_generation(maps), address, of, hash;

	for (; words.len > 0; words = str_skip(words, ATTR_WORD), sought++) {
		address = attr_word(words.data);
		if (maps != NULL && address - span->start >= span->len)
			span = symbolizer_span(symbolizer, maps, version,
			    address);
		if (span->module == NULL && (how & PLACE_KERNEL) != 0) {
			/* the kernel's map lacks its code for the boot */
			lone = (struct place_span){ .start = address,
			    .len = 1 };
			if (kernel != NULL &&
			    dso_function(kernel->dso, address, &function))
				lone.module = kernel;
			span = &lone;
		}
		*sought = (struct place_sought){ NULL, address + span->shift,
		    span->module, how & (PLACE_JAVA | PLACE_INLINED) };
		if (span->module != NULL) {
			of = (uintptr_t)span->module ^ sought->how;
			hash = (sought->address >> LINE_BITS ^ of << 32 ^
			    of >> 32) * UINT64_C(0x9E3779B97F4A7C15);
			sought->known =
			    &symbolizer->known[hash >> (64 - PLACE_BITS)];
		}
		prefetch(sought->known);
	}
}
