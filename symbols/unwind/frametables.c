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
 * Where there is no such table, as for .debug_frame, all entries are read.  See
 * the Linux Standard Base, Core 5.0, chapter 10.6.2.
 */
#include <stdlib.h>

#include "frametables.h"
#include "lib/sort.h"
#include "symbols/elf/jitdump.h"

#define HEADER_VERSION		1
#define TABLE_ENCODING	0x3b	/* 4 bytes with a sign, from the section on */
#define PAIR		8	/* bytes of a function in the table */

struct indexed_function {
	uint64_t start;		/* of a function */
	uint64_t offset;	/* of its entry in the section */
};

/* Adds a function; false if the account does not allow it. */
static bool
add_function(struct cfi_section *section, uint64_t start, uint64_t offset)
{
	if (!account_grow(section->account, section->count, section->room,
	    sizeof(*section->list), "callers"))
		return false;
	*LIST_ADD(section->list, section->count, section->room) =
	    (struct indexed_function){ start, offset };
	return true;
}

/* Reads all entries of a section. */
static void
read_entries(struct cfi_section *section)
{
	struct bytes at = section->bytes;
	struct cfi_entry entry;
	uint64_t offset;

	while (cfi_next(&at, &offset) &&
	    account_work(section->account, 64, "callers"))
		if (cfi_read(section, offset, &entry) &&
		    entry.start != entry.end &&
		    !add_function(section, entry.start, offset))
			break;
	sort_by_number(section->list, section->count, sizeof(*section->list));
}

/* Reads the entry that covers an address; false without one. */
static bool
find_entry(const struct cfi_section *section, uint64_t address,
    struct cfi_entry *entry)
{
	size_t count = sort_up_to(address, section->list, section->count,
	    sizeof(*section->list));

	return count > 0 && cfi_read(section,
	    section->list[count - 1].offset, entry) &&
	    address - entry->start < entry->end - entry->start &&
	    address >= entry->start;
}

static uint64_t
address_of(const struct elf *file, struct str name)
{
	const struct elf_section *section = elf_section_named(file, name);

	return section == NULL ? 0 : section->address;
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

/* Reads where functions are in .eh_frame, by the table of its header if any. */
static void
read_eh(struct cfi_section *section, struct bytes header, uint64_t address)
{
	struct ehpointer_bases bases = { .start = address, .data = address,
	    .word = section->bases.word };
	uint8_t version = bytes_u8(&header);
	uint8_t start_encoding = bytes_u8(&header);
	uint8_t count_encoding = bytes_u8(&header);
	uint64_t count, start, entry;

	if (bytes_left(&section->bytes) == 0)
		return;
	if (version == HEADER_VERSION && bytes_u8(&header) == TABLE_ENCODING) {
		ehpointer_read(&header, start_encoding, &bases);
		count = ehpointer_read(&header, count_encoding, &bases);
		for (; count > 0 && bytes_left(&header) >= PAIR; count--) {
			start = address + (uint64_t)bytes_i32(&header);
			entry = address + (uint64_t)bytes_i32(&header);
			if (!add_function(section, start,
			    entry - section->bases.start))
				break;
		}
	}
	if (section->count == 0)
		read_entries(section);
}

void
frametables_open(struct frametables *tables, const struct elf *file,
    const struct elf *debug)
{
	const struct elf_section *header =
	    elf_section_named(file, STR(".eh_frame_hdr"));

	*tables = (struct frametables){
		.file = file, .has_header = header != NULL,
		.eh = { .bytes = elf_contents(file,
		    elf_section_named(file, STR(".eh_frame"))),
		    .bases = { .start = address_of(file, STR(".eh_frame")),
		    .text = address_of(file, STR(".text")),
		    .data = address_of(file, STR(".got")),
		    .word = file->word }, .account = file->account }
	};
	read_eh(&tables->eh, elf_contents(file, header),
	    address_of(file, STR(".eh_frame_hdr")));
	if (find_debug(tables, file) || find_debug(tables, debug))
		read_entries(&tables->debug);
}

void
frametables_open_code(struct frametables *tables,
    const struct jitdump_frames *frames, struct account *account)
{
	*tables = (struct frametables){
		.has_header = bytes_left(&frames->header) > 0,
		.eh = { .bytes = frames->eh_frame,
		    .bases = { .start = frames->eh_frame_address, .word = 8 },
		    .account = account }
	};
	read_eh(&tables->eh, frames->header, frames->header_address);
}

void
frametables_close(struct frametables *tables)
{
	free(tables->eh.list);
	free(tables->debug.list);
	section_free(&tables->unpacked);
}

/* Finds the entry that covers an offset, and the linked address of that. */
static enum row_kind
find(const struct frametables *tables, uint64_t offset, uint64_t *address,
    struct cfi_entry *entry)
{
	*address = offset;	/* of code that is in no file */
	if (tables->file != NULL &&
	    !elf_address(tables->file, offset, address))
		return ROW_END;
	if (find_entry(&tables->eh, *address, entry) ||
	    find_entry(&tables->debug, *address, entry))
		return ROW_LONG;
	return tables->has_header ? ROW_GUESS : ROW_END;
}

bool
frametables_start(const struct frametables *tables, uint64_t offset,
    uint64_t *start)
{
	struct cfi_entry entry;
	uint64_t address;

	if (find(tables, offset, &address, &entry) != ROW_LONG)
		return false;
	*start = entry.start;
	return true;
}

enum row_kind
frametables_row(const struct frametables *tables, uint64_t offset,
    struct cfi_row *row)
{
	struct cfi_entry entry;
	uint64_t address;
	enum row_kind kind = find(tables, offset, &address, &entry);

	return kind == ROW_LONG && !cfi_row(&entry, address, row) ? ROW_END :
	    kind;
}
