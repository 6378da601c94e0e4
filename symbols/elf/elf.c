#include <stdlib.h>

#include "elf.h"
#include "lib/mem.h"

/* Bytes of entries in the tables, as files of 32 and of 64 bits have them. */
#define SECTION_SIZE(elf)	((elf)->word == 8 ? 64 : 40)
#define SEGMENT_SIZE(elf)	((elf)->word == 8 ? 56 : 32)

#define LOADED		1	/* the type of segments that are mapped */
#define BUILD_ID_NOTE	3
/* Many sections may share one long name, so only its start is read. */
#define NAME_MAX_SIZE	256

/*
 * Sparse files may claim any number, so there are bounds far above what any
 * has: a kernel module with a section for each function has thousands of
 * sections, a browser with debug information 3 million symbols.
 */
#define SECTIONS_MAX	((uint64_t)1 << 20)
#define SYMBOLS_MAX	((uint64_t)1 << 24)
#define NOTES_MAX	((uint64_t)1 << 20)	/* bytes */

/* A number of 16 bits that says: the real one is in section 0. */
#define MANY	0xffff

/* Programs map 4 or 5 segments; each symbol is looked for in them. */
#define SEGMENTS_MAX	256

static struct elf_section
read_section(const struct elf *elf, struct bytes *table)
{
	struct elf_section section = { .name = STR("") };

	section.name_offset = bytes_u32(table);
	section.type = bytes_u32(table);
	section.flags = elf_word(elf, table);
	section.address = elf_word(elf, table);
	section.offset = elf_word(elf, table);
	section.size = elf_word(elf, table);
	section.link = bytes_u32(table);
	section.info = bytes_u32(table);
	bytes_skip(table, elf->word);
	section.entry_size = elf_word(elf, table);
	return section;
}

/* Reads a table of sections, and their names from the section `names`. */
static void
read_sections(struct elf *elf, struct bytes table, uint64_t count,
    uint64_t names_number)
{
	struct bytes names;
	size_t i, room = 0;

	while (elf->section_count < count &&
	    elf->section_count < SECTIONS_MAX &&
	    bytes_left(&table) >= SECTION_SIZE(elf))
		*LIST_ADD(elf->sections, elf->section_count, room) =
		    read_section(elf, &table);
	names = elf_contents(elf, elf_section(elf, names_number));
	for (i = 0; i < elf->section_count; i++)
		elf->sections[i].name = bytes_text_at(&names,
		    elf->sections[i].name_offset, NAME_MAX_SIZE);
}

static void
read_segments(struct elf *elf, struct bytes table, uint64_t count)
{
	struct elf_segment segment;
	uint64_t in_file, in_memory;
	uint32_t type;
	size_t room = 0;

	for (; count > 0 && elf->segment_count < SEGMENTS_MAX &&
	    bytes_left(&table) >= SEGMENT_SIZE(elf); count--) {
		type = bytes_u32(&table);
		if (elf->word == 8)
			bytes_skip(&table, 4);	/* flags */
		segment.offset = elf_word(elf, &table);
		segment.address = elf_word(elf, &table);
		bytes_skip(&table, elf->word);
		in_file = elf_word(elf, &table);
		in_memory = elf_word(elf, &table);
		bytes_skip(&table, 8);
		segment.size = in_file > in_memory ? in_file : in_memory;
		if (type == LOADED)
			*LIST_ADD(elf->segments, elf->segment_count, room) =
			    segment;
	}
}

bool
elf_open(struct elf *elf, struct str file)
{
	struct bytes bytes = bytes_from(file), sections, segments, table;
	struct str magic = bytes_text(&bytes, 6);
	uint64_t sections_at, section_count, segment_count, names;
	uint16_t section_size, segment_size;
	struct elf_section first;

	*elf = (struct elf){ .file = bytes_from(file) };
	if (str_equal(magic, STR("\177ELF\2\1")))
		elf->word = 8;
	else if (str_equal(magic, STR("\177ELF\1\1")))
		elf->word = 4;
	else
		return false;
	bytes_skip(&bytes, 12);
	elf->machine = bytes_u16(&bytes);
	bytes_skip(&bytes, 4 + elf->word);	/* version, entry */
	segments = bytes_from_offset(&elf->file, elf_word(elf, &bytes));
	sections_at = elf_word(elf, &bytes);
	sections = bytes_from_offset(&elf->file, sections_at);
	bytes_skip(&bytes, 6);
	segment_size = bytes_u16(&bytes);
	segment_count = bytes_u16(&bytes);
	section_size = bytes_u16(&bytes);
	section_count = bytes_u16(&bytes);
	names = bytes_u16(&bytes);
	if (bytes.failed)
		return false;
	/* section 0 has counts that do not fit into the header */
	table = sections;
	first = read_section(elf, &table);
	if (sections_at != 0 && !table.failed) {
		if (section_count == 0)
			section_count = first.size;
		if (segment_count == MANY)
			segment_count = first.info;
		if (names == MANY)
			names = first.link;
	}
	if (sections_at != 0 && section_size == SECTION_SIZE(elf))
		read_sections(elf, sections, section_count, names);
	if (segment_size == SEGMENT_SIZE(elf))
		read_segments(elf, segments, segment_count);
	return true;
}

void
elf_close(struct elf *elf)
{
	free(elf->sections);
	free(elf->segments);
	*elf = (struct elf){ .file = bytes_from(STR("")) };
}

const struct elf_section *
elf_section(const struct elf *elf, uint64_t number)
{
	return number < elf->section_count ? &elf->sections[number] : NULL;
}

const struct elf_section *
elf_section_named(const struct elf *elf, struct str name)
{
	size_t i;

	/* Section 0 is the one that undefined symbols are said to be in. */
	for (i = 1; i < elf->section_count; i++)
		if (str_equal(elf->sections[i].name, name))
			return &elf->sections[i];
	return NULL;
}

const struct elf_section *
elf_table(const struct elf *elf, struct str name, uint32_t type)
{
	const struct elf_section *section = elf_section_named(elf, name);

	return section != NULL && section->type == type ? section : NULL;
}

struct bytes
elf_contents(const struct elf *elf, const struct elf_section *section)
{
	return section == NULL || section->type == ELF_NOBITS ?
	    bytes_from(STR("")) :
	    bytes_at(&elf->file, section->offset, section->size);
}

struct elf_symbols
elf_symbols(const struct elf *elf, const struct elf_section *section)
{
	struct bytes names = elf_contents(elf, section == NULL ? NULL :
	    elf_section(elf, section->link));
	struct str strings = bytes_text(&names, bytes_left(&names));
	size_t last = str_find_last(strings, '\0');
	struct bytes entries = elf_contents(elf, section);

	unsigned size = elf->word == 8 ? 24 : 16;

	if (bytes_left(&entries) > SYMBOLS_MAX * size)
		entries = bytes_take(&entries, SYMBOLS_MAX * size);
	return (struct elf_symbols){ elf, entries, size,
	    last < strings.len ? str_take(strings, last + 1) : STR("") };
}

bool
elf_symbol(struct elf_symbols *symbols, struct elf_symbol *symbol)
{
	struct bytes *entries = &symbols->entries;
	struct str strings = symbols->strings;
	const struct elf *elf = symbols->elf;
	uint64_t first = bytes_u64(entries), second = bytes_u64(entries);
	uint32_t name = (uint32_t)first;
	uint32_t kind;		/* info (1)  other (1)  section (2) */

	if (elf->word == 8) {
		kind = (uint32_t)(first >> 32);
		symbol->value = second;
		symbol->size = bytes_u64(entries);
	} else {
		kind = (uint32_t)(second >> 32);
		symbol->value = first >> 32;
		symbol->size = (uint32_t)second;
	}
	symbol->binding = kind >> 4 & 15;
	symbol->type = kind & 15;
	symbol->visibility = kind >> 8 & 3;
	symbol->section = (uint16_t)(kind >> 16);
	if (elf->machine == ELF_ARM && symbol->type == ELF_FUNC)
		symbol->value &= ~(uint64_t)1;	/* marks Thumb code */
	/* No name, or one that is not in the file, is offset 0 of none. */
	symbol->name = name > 0 && name < strings.len ? strings.data + name :
	    NULL;
	return !entries->failed;
}

bool
elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset)
{
	const struct elf_segment *segment = elf->segments;
	size_t i;

	for (i = 0; i < elf->segment_count; i++, segment++) {
		if (address - segment->address < segment->size &&
		    address >= segment->address) {
			*offset = address - segment->address + segment->offset;
			return true;
		}
	}
	return false;
}

/*
 * The last segment with the offset counts: zeroed memory at the end of another
 * one is not in the file.
 */
bool
elf_address(const struct elf *elf, uint64_t offset, uint64_t *address)
{
	const struct elf_segment *segment;
	size_t i;

	for (i = elf->segment_count; i-- > 0;) {
		segment = &elf->segments[i];
		if (offset - segment->offset < segment->size &&
		    offset >= segment->offset) {
			*address = offset - segment->offset + segment->address;
			return true;
		}
	}
	return false;
}

struct build_id
build_id_from(struct str bytes)
{
	struct build_id id = { 0 };

	id.len = bytes.len < BUILD_ID_MAX ? bytes.len : BUILD_ID_MAX;
	if (id.len > 0)
		memcpy(id.bytes, bytes.data, id.len);
	return id;
}

bool
build_id_matches(const struct build_id *recorded,
    const struct build_id *of_file)
{
	return (recorded->len == of_file->len ||
	    recorded->len == BUILD_ID_MAX) &&
	    memcmp(recorded->bytes, of_file->bytes, BUILD_ID_MAX) == 0;
}

const char *
build_id_hex(const struct build_id *id, char hex[2 * BUILD_ID_MAX + 1])
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < id->len; i++) {
		hex[2 * i] = digits[id->bytes[i] >> 4];
		hex[2 * i + 1] = digits[id->bytes[i] & 15];
	}
	hex[2 * i] = '\0';
	return hex;
}

struct build_id
elf_notes_build_id(struct bytes notes)
{
	uint32_t name_len, len, type;
	struct str name, contents;

	if (bytes_left(&notes) > NOTES_MAX)
		notes = bytes_take(&notes, NOTES_MAX);
	while (bytes_left(&notes) > 0) {
		name_len = bytes_u32(&notes);
		len = bytes_u32(&notes);
		type = bytes_u32(&notes);
		name = bytes_text(&notes, name_len);
		bytes_align(&notes, 4);
		contents = bytes_text(&notes, len);
		if (notes.failed)
			break;
		if (type == BUILD_ID_NOTE && str_equal(name, STR("GNU\0")))
			return build_id_from(contents);
		if (bytes_left(&notes) > 0)
			bytes_align(&notes, 4);
	}
	return (struct build_id){ 0 };
}

/* perf looks at the first of these sections that the file has. */
struct build_id
elf_build_id(const struct elf *elf)
{
	static const struct str names[] = {
		{ ".note.gnu.build-id", 18 }, { ".notes", 6 }, { ".note", 5 },
	};
	const struct elf_section *section;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		section = elf_section_named(elf, names[i]);
		if (section != NULL)
			return elf_notes_build_id(elf_contents(elf, section));
	}
	return (struct build_id){ 0 };
}
