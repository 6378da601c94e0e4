/*
 * sections: the sections of an ELF file that debuggers read, by name, as the
 * compiler made them: packed ones are unpacked.
 *
 *	struct section frames = section_read(&elf, STR(".debug_frame"));
 *
 *	if (frames.state == SECTION_READ)
 *		(read frames.bytes)
 *	section_free(&frames);
 *
 * Pure functions of the file's bytes, except that zstd(1) or xz(1) is started
 * where it packed a section.
 */
#ifndef SECTIONS_H
#define SECTIONS_H

#include "elf.h"

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
 * Reads the section of a name; for ".debug_info" it also finds ".zdebug_info".
 * ".gnu_debugdata" is unpacked to the ELF file in it.
 * The bytes live as long as the file's, and until section_free.
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
