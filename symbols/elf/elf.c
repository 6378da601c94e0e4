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
 * Files may have holes that cost nothing to make, so there are bounds far above
 * what any has: a kernel module with a section for each function has thousands
 * of sections, a browser with debug information 3 million symbols.
 */
#define SECTIONS_MAX	((uint64_t)1 << 20)
#define SYMBOLS_MAX	((uint64_t)1 << 24)
#define NOTES_MAX	((uint64_t)1 << 20)	/* bytes */

/* A count of 16 bits that says: the real one is in section 0. */
#define MANY_SEGMENTS	0xffff

/*
 * More segments are not looked at: programs have 4 or 5 that are mapped, and
 * each symbol is looked for in them.
 */
#define SEGMENTS_MAX	256

struct elf_header {
	uint64_t segments, sections;		/* offsets of the tables */
	uint16_t segment_size, section_size;	/* of an entry */
	uint64_t segment_count, section_count;
	uint64_t names;				/* the section with the names */
};

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

static size_t
whole_entries(struct bytes table, uint64_t count, size_t size)
{
	size_t whole = bytes_left(&table) / size;

	return count < whole ? (size_t)count : whole;
}

static void
read_sections(struct elf *elf, const struct elf_header *header)
{
	struct bytes table = bytes_from_offset(&elf->file, header->sections);
	struct bytes names;
	size_t i, count;

	if (header->sections == 0 || header->section_size != SECTION_SIZE(elf))
		return;
	count = whole_entries(table, header->section_count < SECTIONS_MAX ?
	    header->section_count : SECTIONS_MAX, SECTION_SIZE(elf));
	elf->sections = mem_array(count, sizeof(*elf->sections));
	elf->section_count = count;
	for (i = 0; i < count; i++)
		elf->sections[i] = read_section(elf, &table);
	if (header->names >= count)
		return;
	names = elf_contents(elf, &elf->sections[header->names]);
	for (i = 0; i < count; i++)
		elf->sections[i].name = bytes_text_at(&names,
		    elf->sections[i].name_offset, NAME_MAX_SIZE);
}

static void
read_segments(struct elf *elf, const struct elf_header *header)
{
	struct bytes table = bytes_from_offset(&elf->file, header->segments);
	struct elf_segment segment;
	uint64_t in_file, in_memory;
	uint32_t type;
	size_t count;

	elf->segments = mem_array(SEGMENTS_MAX, sizeof(*elf->segments));
	if (header->segment_size != SEGMENT_SIZE(elf))
		return;
	count = whole_entries(table, header->segment_count, SEGMENT_SIZE(elf));
	for (; count > 0 && elf->segment_count < SEGMENTS_MAX; count--) {
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
			elf->segments[elf->segment_count++] = segment;
	}
}

bool
elf_open(struct elf *elf, struct str file)
{
	struct bytes bytes = bytes_from(file), table;
	struct str magic = bytes_text(&bytes, 6);
	struct elf_header header;
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
	header.segments = elf_word(elf, &bytes);
	header.sections = elf_word(elf, &bytes);
	bytes_skip(&bytes, 6);
	header.segment_size = bytes_u16(&bytes);
	header.segment_count = bytes_u16(&bytes);
	header.section_size = bytes_u16(&bytes);
	header.section_count = bytes_u16(&bytes);
	header.names = bytes_u16(&bytes);
	if (bytes.failed)
		return false;
	/* section 0 has counts that do not fit into the header */
	table = bytes_from_offset(&elf->file, header.sections);
	first = read_section(elf, &table);
	if (header.sections != 0 && !table.failed) {
		if (header.section_count == 0)
			header.section_count = first.size;
		if (header.segment_count == MANY_SEGMENTS)
			header.segment_count = first.info;
		if (header.names == 0xffff)
			header.names = first.link;
	}
	read_sections(elf, &header);
	read_segments(elf, &header);
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

struct str
elf_strings(const struct elf *elf, const struct elf_section *symbols)
{
	struct bytes contents = elf_contents(elf,
	    elf_section(elf, symbols->link));
	struct str strings = bytes_text(&contents, bytes_left(&contents));
	size_t last = str_find_last(strings, '\0');

	return last < strings.len ? str_take(strings, last + 1) : STR("");
}

struct bytes
elf_symbols(const struct elf *elf, const struct elf_section *section)
{
	struct bytes contents = elf_contents(elf, section);
	uint64_t len = bytes_left(&contents);
	uint64_t most = SYMBOLS_MAX * elf_symbol_size(elf);

	return bytes_take(&contents, len < most ? len : most);
}

bool
elf_symbol(const struct elf *elf, struct bytes *symbols, struct str strings,
    struct elf_symbol *symbol)
{
	uint64_t first, second;
	uint32_t name, kind;	/* info (1)  other (1)  section (2) */

	if (bytes_left(symbols) < elf_symbol_size(elf))
		return false;
	first = bytes_u64(symbols);
	second = bytes_u64(symbols);
	name = (uint32_t)first;
	if (elf->word == 8) {
		kind = (uint32_t)(first >> 32);
		symbol->value = second;
		symbol->size = bytes_u64(symbols);
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
	return true;
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

bool
elf_address(const struct elf *elf, uint64_t offset, uint64_t *address)
{
	const struct elf_segment *segment = elf->segments + elf->segment_count;

	while (segment-- > elf->segments) {
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
	size_t i;

	if (recorded->len < of_file->len || (recorded->len > of_file->len &&
	    recorded->len != BUILD_ID_MAX))
		return false;
	for (i = of_file->len; i < recorded->len; i++)
		if (recorded->bytes[i] != 0)
			return false;
	return memcmp(recorded->bytes, of_file->bytes, of_file->len) == 0;
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

struct str
elf_debug_link(const struct elf *elf)
{
	struct bytes contents = elf_contents(elf,
	    elf_section_named(elf, STR(".gnu_debuglink")));

	return bytes_string(&contents);
}
