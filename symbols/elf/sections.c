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
 * .gnu_debugdata has no header.  It holds an ELF file, packed by xz, with the
 * symbols that .dynsym lacks (GDB's manual, MiniDebugInfo).
 */
#include <stdlib.h>

#include "elf.h"
#include "lib/gzip.h"
#include "lib/mem.h"
#include "lib/packed.h"

#define LOST	"inlined functions"	/* with most sections */
#define COMPRESSED	0x800		/* a section's flag */
enum { BY_ZLIB = 1, BY_ZSTD = 2 };

static struct section
failed(enum section_state state)
{
	return (struct section){ .bytes = bytes_from(STR("")),
	    .state = state };
}

/* Returns a section that an account has taken. */
static struct section
unpacked(char *data, size_t len, struct account *account)
{
	return (struct section){ bytes_from((struct str){ data, len }),
	    SECTION_READ, (unsigned char *)data, account };
}

/* Takes what a section is unpacked to; false if that is too much. */
static bool
take(struct account *account, uint64_t size, const char *lost)
{
	return account_work(account, size, lost) &&
	    account_take(account, LIMIT_MEMORY, size, lost);
}

struct section
section_unpack(const char *program, struct str packed,
    struct account *account, const char *lost)
{
	const enum section_state states[] = {
		[PACKED_READ] = SECTION_READ,
		[PACKED_DAMAGED] = SECTION_DAMAGED,
		[PACKED_TOO_LARGE] = SECTION_TOO_LARGE,
		[PACKED_NO_PROGRAM] = strcmp(program, "xz") == 0 ?
		    SECTION_NO_XZ : SECTION_NO_ZSTD
	};
	uint64_t most = account_left(account);
	struct text text = { 0 };
	enum section_state state = states[packed_unpack(program, packed,
	    &text, most < SIZE_MAX ? (size_t)most : SIZE_MAX)];

	if (state == SECTION_TOO_LARGE)		/* which is noted so */
		account_take(account, LIMIT_MEMORY, UINT64_MAX, lost);
	else if (!take(account, text.len, lost))
		state = SECTION_TOO_LARGE;
	else if (state == SECTION_READ)
		return unpacked(text.data, text.len, account);
	else
		account_give_back(account, text.len);
	free(text.data);
	return failed(state);
}

/* Reads a section, and unpacks it if it is packed. */
static struct section
read_contents(const struct elf *elf, const struct elf_section *section)
{
	struct bytes contents = elf_contents(elf, section), packed = contents;
	uint32_t method = BY_ZLIB;
	uint64_t size = 0;
	struct section unzipped;
	struct str rest;
	char *out;
	int i;

	if (contents.failed)
		return failed(SECTION_DAMAGED);
	if (str_equal(section->name, STR(".gnu_debugdata")))
		return section_unpack("xz", bytes_text(&packed,
		    bytes_left(&packed)), elf->account, "names of functions");
	if ((section->flags & COMPRESSED) != 0) {
		method = bytes_u32(&packed);
		bytes_skip(&packed, elf->word - 4);
		size = elf_word(elf, &packed);
		bytes_skip(&packed, elf->word);
	} else if (str_starts(section->name, STR(".z")) &&
	    str_equal(bytes_text(&packed, 4), STR("ZLIB"))) {
		for (i = 0; i < 8; i++)
			size = size << 8 | bytes_u8(&packed);
	} else
		return (struct section){ contents, SECTION_READ, NULL, NULL };
	rest = bytes_text(&packed, bytes_left(&packed));
	if (packed.failed || (method != BY_ZLIB && method != BY_ZSTD))
		return failed(SECTION_DAMAGED);
	if (method == BY_ZSTD) {
		unzipped = section_unpack("zstd", rest, elf->account, LOST);
		if (unzipped.state == SECTION_READ &&
		    bytes_left(&unzipped.bytes) != size) {
			section_free(&unzipped);
			unzipped.state = SECTION_DAMAGED;
		}
		return unzipped;
	}
	if (size > SIZE_MAX / 2 || !take(elf->account, size, LOST))
		return failed(SECTION_TOO_LARGE);
	out = mem_array((size_t)size, 1);
	if (zlib_unpack(rest, (unsigned char *)out, (size_t)size))
		return unpacked(out, (size_t)size, elf->account);
	account_give_back(elf->account, size);
	free(out);
	return failed(SECTION_DAMAGED);
}

struct section
section_read(const struct elf *elf, struct str name)
{
	const struct elf_section *section = elf_section_named(elf, name);
	char old[64] = ".z";	/* ".zdebug_info" for ".debug_info" */

	if (section == NULL && str_starts(name, STR(".debug_")) &&
	    name.len < sizeof(old) - 1) {
		memcpy(old + 2, name.data + 1, name.len - 1);
		section = elf_section_named(elf,
		    (struct str){ old, name.len + 1 });
	}
	return section == NULL || section->type == ELF_NOBITS ?
	    failed(SECTION_MISSING) : read_contents(elf, section);
}

/* Sections whose sizes add up to more than the file are made to take memory. */
struct section
section_read_all(const struct elf *elf, struct str name)
{
	const struct elf_section *section;
	enum section_state state = SECTION_READ;
	uint64_t sum = 0;
	struct section one;
	struct str bytes;
	struct text all = { 0 };
	size_t i, count = 0;

	for (i = 0; i < elf->section_count; i++)
		count += str_equal(elf->sections[i].name, name);
	if (count < 2)
		return section_read(elf, name);
	for (i = 0; i < elf->section_count && state == SECTION_READ; i++) {
		section = &elf->sections[i];
		if (!str_equal(section->name, name) ||
		    section->type == ELF_NOBITS)
			continue;
		sum += section->size;
		one = sum > bytes_left(&elf->file) ? failed(SECTION_DAMAGED) :
		    read_contents(elf, section);
		bytes = bytes_text(&one.bytes, bytes_left(&one.bytes));
		state = one.state;
		if (state == SECTION_READ &&
		    !take(elf->account, bytes.len, LOST))
			state = SECTION_TOO_LARGE;
		if (state == SECTION_READ)
			text_add(&all, bytes);
		section_free(&one);
	}
	if (state == SECTION_READ)
		return unpacked(all.data, all.len, elf->account);
	account_give_back(elf->account, all.len);
	free(all.data);
	return failed(state);
}

const char *
section_trouble(const struct section *section)
{
	static const char *const troubles[] = {
		[SECTION_DAMAGED] = "damaged debug information",
		[SECTION_NO_ZSTD] = "debug information that needs zstd to be "
		    "unpacked",
		[SECTION_NO_XZ] = "debug information that needs xz to be "
		    "unpacked"
	};

	return troubles[section->state];
}

void
section_free(struct section *section)
{
	if (section->unpacked != NULL)
		account_give_back(section->account, (uint64_t)
		    (section->bytes.end - section->bytes.start));
	free(section->unpacked);
	*section = failed(SECTION_MISSING);
}
