#include <stdlib.h>

#include "elf.h"
#include "jitdump.h"
#include "lib/sort.h"

#define MAGIC		UINT32_C(0x4a695444)
#define SWAPPED		UINT32_C(0x4454694a)
#define VERSION_MOST	1
#define HEADER		40	/* bytes */
#define PREFIX		16	/* of a record */
#define TICKS		1	/* the flag that is known */

enum { LOADED, MOVED, LINES, FRAMES = 4 };	/* kinds of records */

static uint32_t
take_u32(const struct jitdump *dump, struct bytes *bytes)
{
	uint32_t n = bytes_u32(bytes);

	return !dump->is_swapped ? n : n >> 24 | (n >> 8 & 0xff00) |
	    (n & 0xff00) << 8 | n << 24;
}

static uint64_t
take_u64(const struct jitdump *dump, struct bytes *bytes)
{
	uint64_t first = take_u32(dump, bytes), second = take_u32(dump, bytes);

	return dump->is_swapped ? first << 32 | second : second << 32 | first;
}

static void
add_load(struct jitdump *dump, struct jitdump_load load)
{
	*LIST_ADD(dump->loads, dump->loads_count, dump->loads_room) = load;
}

/*
 * A function without a size does not count; the place of any other follows all
 * before it.
 */
static bool
take_load(struct jitdump *dump, struct bytes *bytes, uint64_t time)
{
	struct jitdump_load load = { .time = time,
	    .pid = (int32_t)take_u32(dump, bytes) };
	struct jitdump_function function = { .lines = dump->lines,
	    .frames = dump->frames };
	const struct jitdump_function *last;
	struct str name;
	uint64_t number;

	dump->lines = dump->frames = 0;
	bytes_skip(bytes, 12);
	load.address = function.address = take_u64(dump, bytes);
	load.size = function.size = take_u64(dump, bytes);
	number = take_u64(dump, bytes);
	name = bytes_string(bytes);
	if (bytes->failed || load.size > bytes_left(bytes) ||
	    load.address > UINT64_MAX - load.size ||
	    !symtab_has_room(&dump->symtab))
		return false;
	if (load.size == 0)
		return true;
	load.function = (uint32_t)dump->functions_count;
	if (load.function > 0) {
		last = &dump->functions[load.function - 1];
		function.place = last->place + last->size;
	}
	load.place = function.place;
	*LIST_ADD(dump->functions, dump->functions_count,
	    dump->functions_room) = function;
	*intmap_at(&dump->by_number, number) = load.function + 1;
	symtab_add(&dump->symtab, function.place, function.size, name.data);
	add_load(dump, load);
	return true;
}

/* The old address keeps its function until it gets another one. */
static bool
take_move(struct jitdump *dump, struct bytes *bytes, uint64_t time)
{
	struct jitdump_load load = { .time = time,
	    .pid = (int32_t)take_u32(dump, bytes) };
	const struct jitdump_function *function;
	uint32_t number;

	bytes_skip(bytes, 20);
	load.address = take_u64(dump, bytes);
	load.size = take_u64(dump, bytes);
	number = intmap_find(&dump->by_number, take_u64(dump, bytes));
	if (bytes->failed || number == 0)
		return false;
	load.function = number - 1;
	function = &dump->functions[load.function];
	load.place = function->place;
	if (load.size > function->size)
		load.size = function->size;
	if (load.address > UINT64_MAX - load.size)
		return false;
	if (load.size > 0)
		add_load(dump, load);
	return true;
}

/* Returns NULL, or what is wrong. */
static const char *
read_header(struct jitdump *dump)
{
	struct bytes bytes = dump->file;
	uint32_t magic = bytes_u32(&bytes), version, size;
	uint64_t flags;

	dump->is_swapped = magic == SWAPPED;
	version = take_u32(dump, &bytes);
	size = take_u32(dump, &bytes);
	bytes_skip(&bytes, 20);
	flags = take_u64(dump, &bytes);
	if (!bytes.failed && magic != MAGIC && magic != SWAPPED)
		return "is no dump of a compiler";
	bytes_seek(&bytes, size);
	if (bytes.failed || size < HEADER)
		return "ends inside its header";
	if (version > VERSION_MOST || (flags & ~(uint64_t)TICKS) != 0)
		return "has a form that is not known";
	dump->counts_ticks = (flags & TICKS) != 0;
	dump->end = size;
	return NULL;
}

const char *
jitdump_read(struct jitdump *dump, struct str file, size_t taken)
{
	const char *trouble;
	struct bytes bytes, record;
	uint32_t kind, size;
	uint64_t time;

	dump->file = bytes_from(file);
	if (dump->end == 0) {
		trouble = read_header(dump);
		if (trouble != NULL)
			return trouble;
	}
	bytes = bytes_from_offset(&dump->file, dump->end);
	dump->is_cut = false;
	while (bytes_left(&bytes) > 0) {
		kind = take_u32(dump, &bytes);
		size = take_u32(dump, &bytes);
		time = take_u64(dump, &bytes);
		if (size < PREFIX)
			bytes_fail(&bytes);
		record = bytes_take(&bytes, size - PREFIX);
		dump->is_cut = record.failed;
		if (record.failed)
			break;
		dump->end += size;
		if (kind == LINES)
			dump->lines = dump->end - (size - PREFIX);
		else if (kind == FRAMES)
			dump->frames = dump->end - (size - PREFIX);
		else if ((kind == LOADED &&
		    !take_load(dump, &record, time)) ||
		    (kind == MOVED && !take_move(dump, &record, time)))
			dump->odd++;
	}
	if (taken < dump->loads_count)
		sort_by_number(dump->loads + taken,
		    dump->loads_count - taken, sizeof(*dump->loads));
	return NULL;
}

/* Leaves out loads that have the same code, by its name, as one before. */
static void
drop_repeated(struct jitdump *dump)
{
	const struct jitdump_load *load = dump->loads;
	struct text key = { 0 };
	struct table codes = { 0 };
	size_t i, kept = 0;

	for (i = 0; i < dump->loads_count; i++, load++) {
		key.len = 0;
		text_add_format(&key, "%ld %llx %llx %s", (long)load->pid,
		    (unsigned long long)load->address,
		    (unsigned long long)load->size,
		    dump->symtab.symbols[load->function].name);
		if (table_add(&codes, text_str(&key)) == kept)
			dump->loads[kept++] = *load;
	}
	dump->loads_count = kept;
	table_free(&codes);
	free(key.data);
}

/* Where the code of a load begins, or ends. */
struct edge {
	uint64_t address;
	int32_t pid;
	bool ends;
	size_t load;
};

/* Ends are before starts, so that code may follow other code. */
static int
compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return b->ends - a->ends;
}

/*
 * Between two edges there is one function alone if one load has begun and not
 * ended; then the sum of the open loads' numbers is its number.
 */
void
jitdump_keep_certain(struct jitdump *dump)
{
	struct jitdump_load *all, load;
	size_t count, depth = 0, sum = 0, i;
	struct edge *edges;

	drop_repeated(dump);
	all = dump->loads;
	count = 2 * dump->loads_count;
	edges = mem_array(count + 1, sizeof(*edges));
	for (i = 0; i < count; i++) {
		load = all[i / 2];
		edges[i] = (struct edge){ load.address +
		    (i % 2 == 0 ? 0 : load.size), load.pid, i % 2 != 0, i / 2 };
	}
	qsort(edges, count, sizeof(*edges), compare_edges);
	dump->loads = NULL;
	dump->loads_count = dump->loads_room = 0;
	for (i = 0; i < count; i++) {
		depth = edges[i].ends ? depth - 1 : depth + 1;
		sum = edges[i].ends ? sum - edges[i].load :
		    sum + edges[i].load;
		if (depth != 1 || edges[i].address == edges[i + 1].address)
			continue;
		load = all[sum];
		load.place += edges[i].address - load.address;
		load.address = edges[i].address;
		load.size = edges[i + 1].address - edges[i].address;
		load.time = 0;
		add_load(dump, load);
	}
	free(all);
	free(edges);
}

/* Returns the fields of a record, at their offset. */
static struct bytes
fields_at(const struct jitdump *dump, uint64_t offset)
{
	struct bytes size = bytes_from_offset(&dump->file,
	    offset - PREFIX + sizeof(uint32_t));

	return bytes_at(&dump->file, offset,
	    take_u32(dump, &size) - (uint64_t)PREFIX);
}

const struct jitdump_function *
jitdump_function(const struct jitdump *dump, uint64_t place)
{
	const struct jitdump_function *function = dump->functions;
	size_t count = sort_up_to(place, function, dump->functions_count,
	    sizeof(*function));

	if (count == 0)
		return NULL;
	function += count - 1;
	return place - function->place < function->size ? function : NULL;
}

bool
jitdump_find(struct jitdump *dump, uint64_t place,
    struct dso_function *function)
{
	const struct jitdump_function *found = jitdump_function(dump, place);

	if (found == NULL)
		return false;
	function->first = function->start = found->place;
	function->last = found->place + (found->size - 1);
	function->name = symtab_name(&dump->symtab,
	    &dump->symtab.symbols[found - dump->functions]);
	return function->name.len > 0;
}

/* The last line that begins at or before the place counts. */
bool
jitdump_line(const struct jitdump *dump,
    const struct jitdump_function *function, uint64_t place,
    struct account *account, struct str *file, uint32_t *line)
{
	uint64_t address = place - function->place + function->address;
	struct bytes bytes = fields_at(dump, function->lines);
	uint64_t at, best = 0, count, i;
	struct str name, last = STR("");
	uint32_t number;

	*file = STR("");
	*line = 0;
	if (function->lines == 0 ||
	    take_u64(dump, &bytes) != function->address)
		return false;
	count = take_u64(dump, &bytes);
	for (i = 0; i < count && account_work(account, 8, "source lines");
	    i++) {
		at = take_u64(dump, &bytes);
		number = take_u32(dump, &bytes);
		bytes_skip(&bytes, 4);
		name = bytes_string(&bytes);
		if (bytes.failed)
			break;
		if (!str_equal(name, STR("\377")))
			last = name;
		if (at > address || at < best)
			continue;
		best = at;
		*file = str_base(last);
		*line = number;
	}
	return file->len > 0;
}

bool
jitdump_frames(const struct jitdump *dump,
    const struct jitdump_function *function, struct jitdump_frames *frames)
{
	struct bytes bytes = fields_at(dump, function->frames);
	uint64_t both, header;

	if (function->frames == 0)
		return false;
	both = take_u64(dump, &bytes);
	header = take_u64(dump, &bytes);
	bytes_skip(&bytes, 8);
	if (header > both)
		return false;
	frames->eh_frame = bytes_take(&bytes, both - header);
	frames->header = bytes_take(&bytes, header);
	frames->eh_frame_address = (function->size + 7) / 8 * 8;
	frames->header_address = frames->eh_frame_address + both - header;
	return !frames->header.failed;
}

void
jitdump_free(struct jitdump *dump)
{
	free(dump->loads);
	free(dump->functions);
	symtab_free(&dump->symtab);
	intmap_free(&dump->by_number);
	*dump = (struct jitdump){ 0 };
}

/* perf takes no names of one or two characters. */
#define SHORT_NAME	2

/*
 * Steps over a number in hexadecimal, as strtoull(3) reads it except signs,
 * and over the character after it; false if that is the line's end.
 */
static bool
take_number(struct str *line, uint64_t *number)
{
	*line = str_trim_start(*line);
	if (line->len > 2 && line->data[0] == '0' &&
	    lower(line->data[1]) == 'x' && is_hex(line->data[2]))
		*line = str_skip(*line, 2);
	*number = str_hex(line);
	if (line->len == 0)
		return false;
	*line = str_skip(*line, 1);
	return line->len > SHORT_NAME;
}

void
perfmap_add(struct symtab *symtab, struct text *text)
{
	struct str rest, line;
	uint64_t start, size;

	symtab->raw = true;
	text_add_char(text, '\n');
	rest = text_str(text);
	while (rest.len > 0 && symtab_has_room(symtab)) {
		line = str_cut(&rest, '\n');
		text->data[text->len - rest.len - 1] = '\0';
		if (take_number(&line, &start) && take_number(&line, &size))
			symtab_add(symtab, start, size, line.data)->binding =
			    ELF_GLOBAL;
	}
	symtab_end_table(symtab, false);
}
