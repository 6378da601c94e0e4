#include <stdlib.h>

#include "addresses.h"
#include "lib/sort.h"

void
addresses_free(struct addresses *addresses)
{
	free(addresses->maps);
	free(addresses->names);
	free(addresses->calls);
	free(addresses->name.data);
	intmap_free(&addresses->symbols);
	intmap_free(&addresses->known);
	arena_free(&addresses->arena);
}

bool
addresses_cut(struct str *text, uint64_t *address)
{
	struct str rest = *text;
	size_t digits = 0;
	uint64_t value = 0;

	if (str_starts(rest, STR("0x")))
		rest = str_skip(rest, 2);
	for (; digits < rest.len && is_hex(rest.data[digits]); digits++) {
		if (value >> 60 != 0)
			return false;
		value = value << 4 | hex_value(rest.data[digits]);
	}
	if (digits == 0)
		return false;
	*text = str_skip(rest, digits);
	*address = value;
	return true;
}

/*
 * The map.
 */

/*
 * Reads a line of /proc/PID/maps, "40000-50000 r-xp 00000000 03:01 12 /a.so",
 * or "40000-50000: /a.so"; false if it is neither.
 */
static bool
read_mapped(struct str line, struct mapped *mapped)
{
	struct str offset;

	*mapped = (struct mapped){ .start = 0 };
	if (!addresses_cut(&line, &mapped->start) ||
	    !str_starts(line, STR("-")))
		return false;
	line = str_skip(line, 1);
	if (!addresses_cut(&line, &mapped->end))
		return false;
	if (str_starts(line, STR(":"))) {
		mapped->path = str_trim(str_skip(line, 1));
		return true;
	}
	str_cut_word(&line);
	offset = str_cut_word(&line);
	if (!addresses_cut(&offset, &mapped->offset))
		return false;
	str_cut_word(&line);
	str_cut_word(&line);
	mapped->path = str_trim(line);
	if (str_ends(mapped->path, STR(" (deleted)")))
		mapped->path.len -= STR(" (deleted)").len;
	return true;
}

void
addresses_read_map(struct addresses *addresses, struct str lines)
{
	struct mapped mapped;

	while (lines.len > 0) {
		if (!read_mapped(str_trim(str_cut(&lines, '\n')), &mapped))
			continue;
		addresses->maps = mem_grow(addresses->maps,
		    &addresses->map_room, addresses->map_count + 1,
		    sizeof(*addresses->maps));
		addresses->maps[addresses->map_count++] = mapped;
	}
	sort_by_number(addresses->maps, addresses->map_count,
	    sizeof(*addresses->maps));
}

/*
 * Symbols.
 */

/* Cuts off what pprof adds to names that several functions have. */
static struct str
without_number(struct str name)
{
	size_t open = str_find_last(name, '<'), i;

	if (open == name.len || open == 0 || name.len - open != 18 ||
	    !str_ends(name, STR(">")))
		return name;
	for (i = open + 1; i + 1 < name.len; i++)
		if (!is_hex(name.data[i]))
			return name;
	return str_take(name, open);
}

/* Reads "0x0000561747001182 cart"; of inlined functions, "inner--outer". */
static void
add_symbol(struct addresses *addresses, struct str line)
{
	uint64_t address;
	uint32_t *number;

	if (!addresses_cut(&line, &address))
		return;
	number = intmap_at(&addresses->symbols, address);
	if (*number != 0)
		return;
	addresses->names = mem_grow(addresses->names, &addresses->name_room,
	    addresses->name_count + 1, sizeof(*addresses->names));
	addresses->names[addresses->name_count++] =
	    without_number(str_trim(line));
	*number = (uint32_t)addresses->name_count;
}

struct str
addresses_read_symbols(struct addresses *addresses, struct str profile)
{
	struct str rest = profile, line = str_trim(str_cut(&rest, '\n'));

	if (!str_equal(line, STR("--- symbol")))
		return profile;
	while (rest.len > 0) {
		line = str_trim(str_cut(&rest, '\n'));
		if (str_equal(line, STR("---")))
			break;
		add_symbol(addresses, line);
	}
	/* "--- heap", "--- profile" */
	line = str_trim(str_cut(&rest, '\n'));
	return rest;
}

/*
 * Allocators.
 */

/* True for the name of a function that gives memory to others. */
static bool
is_allocator(struct str name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "reallocarray", "memalign",
		"posix_memalign", "aligned_alloc", "valloc", "pvalloc",
		"free", "cfree", "do_malloc", "DoSampledAllocation", NULL
	};
	static const char *const starts[] = {
		"operator new", "je_", "tc_", "tcmalloc::", "TCMalloc",
		"prof_backtrace", "prof_tctx_create", "prof_alloc_prep",
		"imalloc", "mallocx", "rallocx",
		"(anonymous namespace)::do_malloc", NULL
	};
	size_t i;

	for (i = 0; starts[i] != NULL; i++)
		if (str_starts(name, str_from(starts[i])))
			return true;
	for (i = 0; names[i] != NULL; i++)
		if (str_equal(name, str_from(names[i])))
			return true;
	return false;
}

/* Returns the outermost of the names, without what an option added. */
static struct str
outermost(struct str names)
{
	struct str name = str_take(names, str_find(names, ';'));

	return str_take(name, str_find(name, ':') + 1 < name.len &&
	    name.data[str_find(name, ':') + 1] != ':' ? str_find(name, ':') :
	    name.len);
}

/*
 * Names.
 */

/* Makes the names of the functions at an address; true for an allocator's. */
static bool
make_names(struct addresses *addresses, uint64_t address)
{
	struct native *native = addresses->native;
	struct text *names = &addresses->name;
	uint32_t symbol = intmap_find(&addresses->symbols, address);
	struct mapped *mapped;
	struct str library;
	size_t next;

	names->len = 0;
	/* of the innermost frame pprof knows the address after the call */
	if (symbol == 0)
		symbol = intmap_find(&addresses->symbols, address + 1);
	if (symbol != 0) {
		native_add_name(names, addresses->names[symbol - 1]);
		return is_allocator(text_str(names));
	}
	next = sort_up_to(address, addresses->maps, addresses->map_count,
	    sizeof(*addresses->maps));
	if (next == 0 || address >= addresses->maps[next - 1].end) {
		native_add_unknown(native, STR(""), address, names);
		return false;
	}
	mapped = &addresses->maps[next - 1];
	if (mapped->file == 0)
		mapped->file = native_file(native, mapped->path, STR("")) + 1;
	native_names(native, mapped->file - 1, NATIVE_OFFSET,
	    address - mapped->start + mapped->offset, names);
	library = str_base(mapped->path);
	return str_starts(library, STR("libjemalloc")) ||
	    str_starts(library, STR("libtcmalloc")) ||
	    is_allocator(outermost(text_str(names)));
}

const struct address_calls *
addresses_find(struct addresses *addresses, uint64_t address)
{
	uint32_t number = intmap_find(&addresses->known, address);
	struct address_calls *found;

	if (number != 0)
		return &addresses->calls[number - 1];
	addresses->calls = mem_grow(addresses->calls, &addresses->room,
	    addresses->count + 1, sizeof(*addresses->calls));
	found = &addresses->calls[addresses->count++];
	found->is_allocator = make_names(addresses, address);
	found->calls = calls_keep(namer_calls(addresses->namer,
	    text_str(&addresses->name)), &addresses->arena);
	*intmap_at(&addresses->known, address) = (uint32_t)addresses->count;
	return found;
}
