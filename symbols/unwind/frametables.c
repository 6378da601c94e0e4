/*
 * .eh_frame_hdr begins with how its parts are encoded, and has a table, in
 * order, of where functions start and where their entries are, both relative
 * to the section's start:
 *
 *	version: 1  encodings (3): 1b 03 3b
 *	address of .eh_frame (4)  count (4)
 *	start of a function (4)  its FDE (4)
 *	...
 *
 * Where there is no such table, as for .debug_frame, it is made.  See the Linux
 * Standard Base, Core 5.0, chapter 10.6.2.
 */
#include <stdlib.h>

#include "frametables.h"
#include "lib/sort.h"

#define HEADER_VERSION		1
#define TABLE_ENCODING	0x3b	/* 4 bytes with a sign, from the section on */
#define PAIR		8	/* bytes of a function in the table */

struct indexed_function {
	uint64_t start;		/* of a function */
	uint64_t offset;	/* of its entry in the section */
};

/* Takes the table of .eh_frame_hdr; false if it has none of that form. */
static bool
take_table(struct frame_index *index, const struct cfi_section *section,
    struct bytes header, uint64_t header_address)
{
	struct ehpointer_bases bases = { .start = header_address,
	    .data = header_address, .word = section->bases.word };
	uint8_t version = bytes_u8(&header), start_encoding, count_encoding;
	uint64_t count;

	start_encoding = bytes_u8(&header);
	count_encoding = bytes_u8(&header);
	if (version != HEADER_VERSION || bytes_u8(&header) != TABLE_ENCODING)
		return false;
	ehpointer_read(&header, start_encoding, &bases);
	count = ehpointer_read(&header, count_encoding, &bases);
	*index = (struct frame_index){ .section = section,
	    .table = header, .table_base = header_address };
	index->table.start = header.next;
	index->count = bytes_left(&header) / PAIR;
	if (count < index->count)
		index->count = (size_t)count;
	return !header.failed && index->count > 0;
}

/* Makes an index of all entries of a section. */
static void
make_index(struct frame_index *index, const struct cfi_section *section)
{
	struct bytes at = section->bytes;
	struct cfi_entry entry;
	uint64_t offset;
	size_t room = 0;

	*index = (struct frame_index){ .section = section };
	while (cfi_next(&at, &offset) &&
	    account_work(section->account, 64, "callers")) {
		if (!cfi_read(section, offset, &entry) ||
		    entry.start == entry.end)
			continue;
		if (!account_grow(section->account, index->count, room,
		    sizeof(*index->list), "callers"))
			break;
		index->list = mem_grow(index->list, &room, index->count + 1,
		    sizeof(*index->list));
		index->list[index->count++] = (struct indexed_function){
		    entry.start, offset };
	}
	sort_by_number(index->list, index->count, sizeof(*index->list));
}

static struct indexed_function
function_at(const struct frame_index *index, size_t at)
{
	struct bytes table = index->table;
	struct indexed_function function;

	if (index->list != NULL)
		return index->list[at];
	bytes_seek(&table, at * PAIR);
	function.start = index->table_base + (uint64_t)bytes_i32(&table);
	function.offset = index->table_base + (uint64_t)bytes_i32(&table) -
	    index->section->bases.start;
	return function;
}

/* Reads the entry that covers an address; false without one. */
static bool
find_entry(const struct frame_index *index, uint64_t address,
    struct cfi_entry *entry)
{
	size_t low = 0, high = index->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (function_at(index, middle).start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low > 0 && cfi_read(index->section,
	    function_at(index, low - 1).offset, entry) &&
	    address - entry->start < entry->end - entry->start &&
	    address >= entry->start;
}

static uint64_t
address_of(const struct elf *file, struct str name)
{
	const struct elf_section *section = elf_section_named(file, name);

	return section == NULL ? 0 : section->address;
}

/* Finds .eh_frame; false if the file lacks it. */
static bool
find_eh(struct frametables *tables)
{
	const struct elf *file = tables->file;
	const struct elf_section *section =
	    elf_section_named(file, STR(".eh_frame"));

	if (section == NULL)
		return false;
	tables->eh = (struct cfi_section){
		.bytes = elf_contents(file, section),
		.bases = {
			.start = section->address,
			.text = address_of(file, STR(".text")),
			.data = address_of(file, STR(".got")),
			.word = file->word,
		},
		.account = file->account,
	};
	return bytes_left(&tables->eh.bytes) > 0;
}

/* Finds .debug_frame, perhaps packed; false if the file lacks it. */
static bool
find_debug(struct frametables *tables, const struct elf *file)
{
	section_free(&tables->unpacked);
	tables->unpacked = section_read(file, STR(".debug_frame"));
	tables->debug = (struct cfi_section){
	    .bytes = tables->unpacked.bytes, .bases.word = file->word,
	    .is_debug = true, .account = file->account };
	return bytes_left(&tables->debug.bytes) > 0;
}

void
frametables_open(struct frametables *tables, const struct elf *file,
    const struct elf *debug)
{
	const struct elf_section *header =
	    elf_section_named(file, STR(".eh_frame_hdr"));

	*tables = (struct frametables){ .file = file,
	    .has_header = header != NULL };
	tables->has_eh = find_eh(tables);
	if (!(header != NULL && take_table(&tables->eh_index, &tables->eh,
	    elf_contents(file, header), header->address)) && tables->has_eh)
		make_index(&tables->eh_index, &tables->eh);
	tables->has_debug = find_debug(tables, file) ||
	    find_debug(tables, debug);
	if (tables->has_debug)
		make_index(&tables->debug_index, &tables->debug);
}

void
frametables_open_code(struct frametables *tables, struct bytes eh_frame,
    uint64_t eh_frame_address, struct bytes header, uint64_t header_address,
    struct account *account)
{
	*tables = (struct frametables){ .has_header = bytes_left(&header) > 0,
	    .has_eh = bytes_left(&eh_frame) > 0 };
	tables->eh = (struct cfi_section){ .bytes = eh_frame,
	    .bases = { .start = eh_frame_address, .word = 8 },
	    .account = account };
	if (tables->has_eh && !(tables->has_header &&
	    take_table(&tables->eh_index, &tables->eh, header,
	    header_address)))
		make_index(&tables->eh_index, &tables->eh);
}

void
frametables_close(struct frametables *tables)
{
	free(tables->eh_index.list);
	free(tables->debug_index.list);
	section_free(&tables->unpacked);
}

/* Finds where an offset was linked; code in no file has its offset. */
static bool
find_address(const struct frametables *tables, uint64_t offset,
    uint64_t *address)
{
	*address = offset;
	return tables->file == NULL ||
	    elf_address(tables->file, offset, address);
}

bool
frametables_entry(const struct frametables *tables, uint64_t address,
    struct cfi_entry *entry, const struct cfi_section **section)
{
	*section = &tables->eh;
	if (tables->has_eh && find_entry(&tables->eh_index, address, entry))
		return true;
	*section = &tables->debug;
	return tables->has_debug &&
	    find_entry(&tables->debug_index, address, entry);
}

bool
frametables_start(const struct frametables *tables, uint64_t offset,
    uint64_t *start)
{
	const struct cfi_section *section;
	struct cfi_entry entry;
	uint64_t address;

	if (!find_address(tables, offset, &address) ||
	    !frametables_entry(tables, address, &entry, &section))
		return false;
	*start = entry.start;
	return true;
}

enum frametables_answer
frametables_row(const struct frametables *tables, uint64_t offset,
    struct cfi_row *row, const struct cfi_section **section)
{
	struct cfi_entry entry;
	uint64_t address;

	if (!find_address(tables, offset, &address))
		return FRAMETABLES_NONE;
	if (!frametables_entry(tables, address, &entry, section))
		return tables->has_header ? FRAMETABLES_NO_ENTRY :
		    FRAMETABLES_NONE;
	return cfi_row(*section, &entry, address, row) ? FRAMETABLES_FOUND :
	    FRAMETABLES_DAMAGED;
}
