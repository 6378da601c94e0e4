/*
 * A packed section begins with a header, in one of two forms.  The flag
 * SHF_COMPRESSED says that there is a header of the standard's (System V ABI,
 * Sections, Elf64_Chdr), with words of 8 bytes, or of 4 and no gap:
 *
 *	0	4	8		16		24
 *	method	0	size unpacked	alignment	packed bytes ...
 *
 * where method is 1 for zlib and 2 for zstd.  Before that was in use, GNU
 * binutils named such a section .zdebug_info instead of .debug_info:
 *
 *	0	4			12
 *	"ZLIB"	size, highest first	packed bytes ...
 *
 * .gnu_debugdata has no header.  It holds a whole ELF file, packed by xz, with
 * the symbols that .dynsym lacks (GDB's manual, MiniDebugInfo).
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/child.h"
#include "lib/gzip.h"
#include "lib/mem.h"
#include "lib/text.h"
#include "sections.h"

#define COMPRESSED	0x800		/* a section's flag */
enum { BY_ZLIB = 1, BY_ZSTD = 2 };

#define PLAIN_MAX	((uint64_t)16 << 20)	/* unpacked, of whatever size */
#define UNPACKED_MAX	((uint64_t)UINT32_MAX)	/* offsets have 32 bits */
#define INNER_FILE_MAX	((uint64_t)256 << 20)
#define PATIENCE	60			/* seconds */

static struct section
failed(enum section_state state)
{
	return (struct section){ bytes_from(STR("")), state, NULL };
}

/* Reads all that a program makes of packed bytes; false if that is too much. */
static bool
read_child(struct child *child, struct str packed, struct text *text,
    uint64_t most)
{
	ssize_t got;

	do {
		got = child_exchange(child, &packed, text, PATIENCE);
		if (packed.len == 0)
			child_end_input(child);
	} while (got > 0 && text->len <= most);
	return got == 0 && text->len <= most;
}

/* Unpacks bytes by zstd or xz, to at most this many. */
static struct section
unpack_by(const char *name, struct str packed, uint64_t most)
{
	char program[8], options[] = "-dcq";
	char *const argv[] = { program, options, NULL };
	struct text text = { 0 };
	struct child child;
	bool read;

	snprintf(program, sizeof(program), "%s", name);
	if (!child_start(&child, argv, CHILD_PIPE))
		return failed(strcmp(name, "xz") == 0 ? SECTION_NO_XZ :
		    SECTION_NO_ZSTD);
	read = read_child(&child, packed, &text, most);
	if (!read)
		child_stop(&child);
	else
		read = child_finish(&child);
	if (!read) {
		free(text.data);
		return failed(SECTION_DAMAGED);
	}
	return (struct section){ bytes_from(text_str(&text)), SECTION_READ,
	    (unsigned char *)text.data };
}

static struct section
unpack_zstd(struct str packed, uint64_t size)
{
	struct section section = unpack_by("zstd", packed, size);

	if (bytes_left(&section.bytes) == size ||
	    section.state != SECTION_READ)
		return section;
	section_free(&section);
	return failed(SECTION_DAMAGED);
}

static struct section
unpack_zlib(struct str packed, uint64_t size)
{
	unsigned char *out = mem_array((size_t)size, 1);

	if (!zlib_unpack(packed, out, (size_t)size)) {
		free(out);
		return failed(SECTION_DAMAGED);
	}
	return (struct section){ bytes_from((struct str){
	    (char *)out, (size_t)size }), SECTION_READ, out };
}

/* Unpacks bytes that are to be of this size. */
static struct section
unpack(struct bytes packed, uint32_t method, uint64_t size)
{
	uint64_t len = bytes_left(&packed);
	struct str rest;

	if (packed.failed || (method != BY_ZLIB && method != BY_ZSTD))
		return failed(SECTION_DAMAGED);
	if (size > UNPACKED_MAX ||
	    (size > PLAIN_MAX && size / SECTION_RATIO > len))
		return failed(SECTION_TOO_LARGE);
	rest = bytes_text(&packed, len);
	return method == BY_ZLIB ? unpack_zlib(rest, size) :
	    unpack_zstd(rest, size);
}

static struct section
read_standard(const struct elf *elf, struct bytes contents)
{
	uint32_t method = bytes_u32(&contents);
	uint64_t size;

	bytes_skip(&contents, elf->word - 4);
	size = elf_word(elf, &contents);
	bytes_skip(&contents, elf->word);
	return unpack(contents, method, size);
}

/* Reads a section of the old form; one without its header is not packed. */
static struct section
read_old(struct bytes contents)
{
	struct bytes packed = contents;
	uint64_t size = 0;
	int i;

	if (!str_equal(bytes_text(&packed, 4), STR("ZLIB")))
		return (struct section){ contents, SECTION_READ, NULL };
	for (i = 0; i < 8; i++)
		size = size << 8 | bytes_u8(&packed);
	return unpack(packed, BY_ZLIB, size);
}

/* Finds ".zdebug_info" for ".debug_info". */
static const struct elf_section *
find_old(const struct elf *elf, struct str name)
{
	char old[64] = ".z";

	if (!str_starts(name, STR(".debug_")) || name.len >= sizeof(old) - 1)
		return NULL;
	memcpy(old + 2, name.data + 1, name.len - 1);
	return elf_section_named(elf, (struct str){ old, name.len + 1 });
}

/* Returns how many sections have the name. */
static size_t
count_named(const struct elf *elf, struct str name)
{
	size_t i, count = 0;

	for (i = 0; i < elf->section_count; i++)
		count += str_equal(elf->sections[i].name, name);
	return count;
}

static struct section
read_contents(const struct elf *elf, const struct elf_section *section)
{
	struct bytes contents = elf_contents(elf, section);

	if (contents.failed)
		return failed(SECTION_DAMAGED);
	if ((section->flags & COMPRESSED) != 0)
		return read_standard(elf, contents);
	return str_starts(section->name, STR(".z")) ? read_old(contents) :
	    (struct section){ contents, SECTION_READ, NULL };
}

struct section
section_read(const struct elf *elf, struct str name)
{
	const struct elf_section *section = elf_section_named(elf, name);

	if (section == NULL)
		section = find_old(elf, name);
	if (section == NULL || section->type == ELF_NOBITS)
		return failed(SECTION_MISSING);
	return read_contents(elf, section);
}

/* Adds a section's bytes to others; false if they are damaged, or too many. */
static bool
add_contents(const struct elf *elf, const struct elf_section *section,
    struct text *all, struct section *one)
{
	uint64_t most = (uint64_t)bytes_left(&elf->file) * SECTION_RATIO;

	*one = read_contents(elf, section);
	if (one->state == SECTION_READ) {
		text_add(all, (struct str){ (const char *)one->bytes.start,
		    bytes_left(&one->bytes) });
		free(one->unpacked);
		if (all->len > most)
			one->state = SECTION_TOO_LARGE;
	}
	return one->state == SECTION_READ;
}

/*
 * Joins sections.  They may lie in each other, but those that are not packed
 * are not larger than the file together, unless somebody wants to take all
 * memory.
 */
struct section
section_read_all(const struct elf *elf, struct str name)
{
	const struct elf_section *section;
	uint64_t sum = 0;
	struct text all = { 0 };
	struct section one;
	size_t i;

	if (count_named(elf, name) < 2)
		return section_read(elf, name);
	for (i = 0; i < elf->section_count; i++) {
		section = &elf->sections[i];
		if (!str_equal(section->name, name) ||
		    section->type == ELF_NOBITS)
			continue;
		sum += section->size;
		if (sum > bytes_left(&elf->file) ||
		    !add_contents(elf, section, &all, &one)) {
			free(all.data);
			return failed(sum > bytes_left(&elf->file) ?
			    SECTION_DAMAGED : one.state);
		}
	}
	return (struct section){ bytes_from(text_str(&all)), SECTION_READ,
	    (unsigned char *)all.data };
}

struct section
section_read_inner_file(const struct elf *elf)
{
	const struct elf_section *section = elf_section_named(elf,
	    STR(".gnu_debugdata"));
	struct bytes packed;

	if (section == NULL || section->type == ELF_NOBITS)
		return failed(SECTION_MISSING);
	packed = elf_contents(elf, section);
	return packed.failed ? failed(SECTION_DAMAGED) : unpack_by("xz",
	    bytes_text(&packed, bytes_left(&packed)), INNER_FILE_MAX);
}

const char *
section_trouble(const struct section *section)
{
	switch (section->state) {
	case SECTION_DAMAGED:
		return "damaged debug information";
	case SECTION_TOO_LARGE:
		return "debug information that is too large when unpacked";
	case SECTION_NO_ZSTD:
		return "debug information that needs zstd to be unpacked";
	case SECTION_NO_XZ:
		return "debug information that needs xz to be unpacked";
	default:
		return NULL;
	}
}

void
section_free(struct section *section)
{
	free(section->unpacked);
	*section = failed(SECTION_MISSING);
}
