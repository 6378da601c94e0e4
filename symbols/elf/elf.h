/*
 * elf: the parts of an ELF file, little-endian.  A part whose offset or count
 * leads out of the file is taken as missing.
 *
 * Files of 32 and of 64 bits differ in the size of a word, w, and in the order
 * of a symbol's fields:
 *
 *	section	name (4)  type (4)  flags (w)  address (w)  offset (w)  size (w)
 *		link (4)  info (4)  alignment (w)  size of an entry (w)
 *	symbol	64: name (4)  info (1)  other (1)  section (2)  value (8)
 *		    size (8)
 *		32: name (4)  value (4)  size (4)  info (1)  other (1)
 *		    section (2)
 */
#ifndef ELF_H
#define ELF_H

#include "lib/bytes.h"
#include "limits.h"

#define BUILD_ID_MAX	20

/* The number with which a linker marks one build of a file; { 0 }: none. */
struct build_id {
	size_t len;
	unsigned char bytes[BUILD_ID_MAX];	/* 0 from len on */
};

enum {			/* of sections */
	ELF_SYMTAB = 2, ELF_RELA = 4, ELF_NOBITS = 8, ELF_REL = 9,
	ELF_DYNSYM = 11
};
enum { ELF_ALLOC = 2 };	/* a flag of sections: mapped into processes */
enum {			/* of symbols */
	ELF_NOTYPE = 0, ELF_OBJECT = 1, ELF_FUNC = 2, ELF_IFUNC = 10
};
enum { ELF_LOCAL = 0, ELF_GLOBAL = 1, ELF_WEAK = 2 };
enum { ELF_INTERNAL = 1, ELF_HIDDEN = 2 };	/* visibility */
enum { ELF_UNDEF = 0, ELF_ABS = 0xfff1 };
enum { ELF_386 = 3, ELF_X86_64 = 62, ELF_ARM = 40, ELF_AARCH64 = 183 };

struct elf_section {
	struct str name;
	uint32_t name_offset, type, link, info;
	uint64_t flags, address, offset, size, entry_size;
};

/* A part of the file that is mapped into processes. */
struct elf_segment {
	uint64_t offset, address, size;
};

/* A name in a section of strings; the string ends with a NUL. */
struct elf_symbol {
	const char *name;
	uint8_t binding, type, visibility;
	uint16_t section;
	uint64_t value, size;
};

struct elf {
	struct bytes file;
	uint8_t word;		/* bytes of an address: 4 or 8 */
	uint16_t machine;
	struct elf_section *sections;
	size_t section_count;
	struct elf_segment *segments;	/* in the file's order */
	size_t segment_count;
	struct account *account;	/* of what reading takes, or NULL */
};

/*
 * Reads the headers of a file, whose bytes must outlive elf.  False, and there
 * is nothing to close, if it is not ELF.
 */
bool elf_open(struct elf *elf, struct str file);

void elf_close(struct elf *elf);

/* Returns the section of that number, or NULL. */
const struct elf_section *elf_section(const struct elf *elf, uint64_t number);

/* Returns the first section with that name, or NULL. */
const struct elf_section *elf_section_named(const struct elf *elf,
    struct str name);

/* Returns the same section if it is of a type, or NULL. */
const struct elf_section *elf_table(const struct elf *elf, struct str name,
    uint32_t type);

/* Returns the bytes of a section; no bytes of NULL, or if they are missing. */
struct bytes elf_contents(const struct elf *elf,
    const struct elf_section *section);

/* Reads an address, or another number of a word. */
static inline uint64_t
elf_word(const struct elf *elf, struct bytes *bytes)
{
	return elf->word == 8 ? bytes_u64(bytes) : bytes_u32(bytes);
}

/* Symbols of a section that are still to be read. */
struct elf_symbols {
	const struct elf *elf;
	struct bytes entries;
	unsigned size;		/* bytes of an entry */
	struct str strings;	/* ends with a NUL, unless it is "" */
};

/* Returns the symbols of a section; none of NULL. */
struct elf_symbols elf_symbols(const struct elf *elf,
    const struct elf_section *section);

/* Reads the next symbol; false at the end. */
bool elf_symbol(struct elf_symbols *symbols, struct elf_symbol *symbol);

/* Stores where in the file an address lies; false if no segment holds it. */
bool elf_offset(const struct elf *elf, uint64_t address, uint64_t *offset);

/* Does the opposite. */
bool elf_address(const struct elf *elf, uint64_t offset, uint64_t *address);

/* Returns the build id of up to BUILD_ID_MAX bytes; of more, the first. */
struct build_id build_id_from(struct str bytes);

/*
 * True if a file's build id is the recorded one.  Older recordings fill that up
 * with zeros to 20 bytes.
 */
bool build_id_matches(const struct build_id *recorded,
    const struct build_id *of_file);

/* Writes a build id in hexadecimal digits, and returns them. */
const char *build_id_hex(const struct build_id *id,
    char hex[2 * BUILD_ID_MAX + 1]);

/* Returns the file's build id, or { 0 }. */
struct build_id elf_build_id(const struct elf *elf);

/* Returns the build id among notes alone, as in /sys/kernel/notes, or { 0 }. */
struct build_id elf_notes_build_id(struct bytes notes);

/* Sections that may be packed; zstd(1) or xz(1) unpacks what it packed. */

enum section_state {
	SECTION_MISSING,	/* the file does not have it */
	SECTION_READ,
	SECTION_DAMAGED,	/* it is cut off, or cannot be unpacked */
	SECTION_TOO_LARGE,	/* to be unpacked: the file's account says no */
	SECTION_NO_ZSTD,	/* zstd is needed, and not installed... */
	SECTION_NO_XZ		/* ...or xz */
};

struct section {
	struct bytes bytes;	/* no bytes unless it was read */
	enum section_state state;
	unsigned char *unpacked;	/* NULL: the bytes are the file's */
	struct account *account;	/* that has taken what is unpacked */
};

/*
 * Reads the section of a name; ".debug_info" may also be ".zdebug_info", and
 * ".gnu_debugdata" is unpacked to the ELF file in it.  The bytes live as long
 * as the file's, and until section_free.
 */
struct section section_read(const struct elf *elf, struct str name);

/* Joins all sections of a name; damaged if one is. */
struct section section_read_all(const struct elf *elf, struct str name);

/* Unpacks bytes with zstd or xz. */
struct section section_unpack(const char *program, struct str packed,
    struct account *account, const char *lost);

/* Returns what is wrong with a section, or NULL. */
const char *section_trouble(const struct section *section);

void section_free(struct section *section);

#endif
