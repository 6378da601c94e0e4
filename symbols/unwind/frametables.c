#include "frametables.h"

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
		},
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
	    .bytes = tables->unpacked.bytes, .is_debug = true };
	return bytes_left(&tables->debug.bytes) > 0;
}

/* Takes the table of .eh_frame_hdr; false if it cannot be used. */
static bool
take_header(struct frametables *tables)
{
	const struct elf_section *header =
	    elf_section_named(tables->file, STR(".eh_frame_hdr"));

	tables->has_header = header != NULL;
	return header != NULL && ehindex_take(&tables->eh_index, &tables->eh,
	    elf_contents(tables->file, header), header->address);
}

void
frametables_open(struct frametables *tables, const struct elf *file,
    const struct elf *debug)
{
	*tables = (struct frametables){ .file = file };
	tables->has_eh = find_eh(tables);
	if (tables->has_eh && !take_header(tables))
		ehindex_make(&tables->eh_index, &tables->eh);
	tables->has_debug = find_debug(tables, file) ||
	    find_debug(tables, debug);
	if (tables->has_debug)
		ehindex_make(&tables->debug_index, &tables->debug);
}

void
frametables_close(struct frametables *tables)
{
	ehindex_free(&tables->eh_index);
	ehindex_free(&tables->debug_index);
	section_free(&tables->unpacked);
}

/*
 * Finds where an offset of the file was linked.  The last segment that holds it
 * counts: zeroed memory at the end of another one is not in the file.
 */
static bool
find_address(const struct elf *file, uint64_t offset, uint64_t *address)
{
	const struct elf_segment *segment = file->segments;
	bool found = false;
	size_t i;

	for (i = 0; i < file->segment_count; i++, segment++) {
		if (offset < segment->offset ||
		    offset - segment->offset >= segment->size)
			continue;
		*address = offset - segment->offset + segment->address;
		found = true;
	}
	return found;
}

enum frametables_answer
frametables_row(const struct frametables *tables, uint64_t offset,
    struct cfi_row *row, const struct cfi_section **section)
{
	struct cfi_entry entry;
	uint64_t address;

	if (!find_address(tables->file, offset, &address))
		return FRAMETABLES_NONE;
	if (tables->has_eh && ehindex_find(&tables->eh_index, address,
	    &entry))
		*section = &tables->eh;
	else if (tables->has_debug && ehindex_find(&tables->debug_index,
	    address, &entry))
		*section = &tables->debug;
	else
		return tables->has_header ? FRAMETABLES_NO_ENTRY :
		    FRAMETABLES_NONE;
	return cfi_row(*section, &entry, address, row) ? FRAMETABLES_FOUND :
	    FRAMETABLES_DAMAGED;
}
