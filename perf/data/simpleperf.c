#include <stdlib.h>
#include <string.h>

#include "simpleperf.h"
#include "lib/protobuf.h"
#include "symbols/elf/elf.h"

/* Kinds of files whose functions have addresses in them. */
enum { KIND_MODULE = 1, KIND_ELF = 2, KIND_DEX = 3 };

#define NO_OFFSET	UINT64_MAX	/* simpleperf of 2021 and before */

/* The fields of messages. */
enum { FILE_PATH = 1, FILE_KIND, FILE_ADDRESS, FILE_FUNCTION, FILE_ELF = 6,
	FILE_MODULE };
enum { FUNCTION_ADDRESS = 1, FUNCTION_SIZE, FUNCTION_NAME };

void
simpleperf_free(struct simpleperf_files *files)
{
	table_free(&files->paths);
	free(files->list);
	arena_free(&files->arena);
}

/* Reads the next function; false at the end. */
static bool
next_function(struct simpleperf_files *files, struct simpleperf_file *file,
    uint64_t *values, const char **name)
{
	struct bytes *bytes = &file->functions;
	struct bytes function;
	struct protobuf_field field = { .number = 0 };
	struct str found = STR("");
	char *copy;

	if (!file->is_message) {
		values[FUNCTION_ADDRESS] = bytes_u64(bytes);
		values[FUNCTION_SIZE] = bytes_u32(bytes);
		*name = bytes_string(bytes).data;	/* ends with a NUL */
		return !bytes->failed;
	}
	do
		if (!protobuf_next(bytes, &field))
			return false;
	while (field.number != FILE_FUNCTION);
	protobuf_values(protobuf_text(&field), values, FUNCTION_NAME);
	function = bytes_from(protobuf_text(&field));
	while (protobuf_next(&function, &field))
		if (field.number == FUNCTION_NAME)
			found = protobuf_text(&field);
	copy = arena_take(&files->arena, found.len + 1);
	memcpy(copy, found.data, found.len);
	copy[found.len] = '\0';
	*name = copy;
	return true;
}

/* Reads a file of the section FILE; returns its path. */
static struct str
read_file(struct bytes bytes, struct simpleperf_file *file)
{
	struct str path = bytes_string(&bytes);
	uint32_t count;

	file->kind = bytes_u32(&bytes);
	file->address = bytes_u64(&bytes);
	count = bytes_u32(&bytes);
	file->functions = bytes;
	for (; count > 0 && !bytes.failed; count--) {
		bytes_skip(&bytes, 12);
		bytes_string(&bytes);
	}
	file->functions.end = bytes.next;
	if ((file->kind == KIND_ELF || file->kind == KIND_MODULE) &&
	    bytes_left(&bytes) >= sizeof(uint64_t))
		file->offset = bytes_u64(&bytes);
	return bytes.failed ? STR("") : path;
}

static struct str
read_message(struct bytes bytes, struct simpleperf_file *file)
{
	struct protobuf_field field;
	struct str path = STR("");
	uint64_t values[2];

	file->functions = bytes;
	file->is_message = true;
	while (protobuf_next(&bytes, &field))
		if (field.number == FILE_PATH)
			path = protobuf_text(&field);
		else if (field.number == FILE_KIND)
			file->kind = field.value;
		else if (field.number == FILE_ADDRESS)
			file->address = field.value;
		else if (field.number == FILE_ELF ||
		    field.number == FILE_MODULE) {
			protobuf_values(protobuf_text(&field), values, 2);
			file->offset = values[1];
		}
	return bytes.failed ? STR("") : path;
}

static enum art_frame
find_art(uint64_t kind, struct str path)
{
	struct str base = str_skip(path, str_find_last(path, '/'));

	if (kind == KIND_DEX)
		return ART_INTERPRETED;
	if (str_contains(path, STR("_jit_app_cache:")) ||
	    str_contains(path, STR("_jit_zygote_cache:")) ||
	    str_starts(base, STR("/TemporaryFile")))
		return ART_COMPILED;
	return str_equal(base, STR("/libart.so")) ||
	    str_equal(base, STR("/libartd.so")) ? ART_RUNTIME : ART_NONE;
}

bool
simpleperf_add(struct simpleperf_files *files, struct str section, bool is_2)
{
	struct bytes bytes = bytes_from(arena_copy(&files->arena, section));
	struct simpleperf_file file;
	struct bytes one;
	struct str path;
	bool is_fine = true;
	uint32_t number;

	while (bytes_left(&bytes) > 0) {
		one = bytes_take(&bytes, bytes_u32(&bytes));
		file = (struct simpleperf_file){ .offset = NO_OFFSET };
		path = is_2 ? read_message(one, &file) : read_file(one, &file);
		is_fine &= path.len > 0;
		if (path.len == 0)
			continue;
		file.lacks_offset = file.kind == KIND_ELF &&
		    file.offset == NO_OFFSET;
		file.art = find_art(file.kind, path);
		number = table_add(&files->paths, path);
		*LIST_AT(files->list, number, files->room) = file;
	}
	return is_fine && !bytes.failed;
}

const struct simpleperf_file *
simpleperf_find(const struct simpleperf_files *files, struct str path)
{
	uint32_t number = table_find(&files->paths, path);

	return number == TABLE_NONE ? NULL : &files->list[number];
}

void
simpleperf_add_functions(struct simpleperf_files *files,
    const struct simpleperf_file *from, bool are_addresses,
    struct symtab *symtab)
{
	struct simpleperf_file file = *from;
	uint64_t values[FUNCTION_NAME], shift = 0;
	const char *name;

	if (!are_addresses && (file.kind == KIND_ELF ||
	    file.kind == KIND_MODULE))
		shift = (file.offset == NO_OFFSET ? 0 : file.offset) -
		    file.address;
	while (symtab_has_room(symtab) &&
	    next_function(files, &file, values, &name))
		symtab_add(symtab, values[FUNCTION_ADDRESS] + shift,
		    values[FUNCTION_SIZE], name)->binding = ELF_GLOBAL;
	symtab_end_table(symtab, false);
}
