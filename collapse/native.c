#include <stdlib.h>

#include "fold/folded.h"
#include "lib/message.h"
#include "native.h"

/* Returns the build id of these digits; { 0 } if they are not a build id. */
static struct build_id
read_build_id(struct str digits)
{
	char bytes[BUILD_ID_MAX];
	size_t i;

	if (digits.len % 2 != 0 || digits.len > 2 * sizeof(bytes))
		return (struct build_id){ 0 };
	for (i = 0; i < digits.len; i += 2) {
		if (!is_hex(digits.data[i]) || !is_hex(digits.data[i + 1]))
			return (struct build_id){ 0 };
		bytes[i / 2] = (char)(hex_value(digits.data[i]) << 4 |
		    hex_value(digits.data[i + 1]));
	}
	return build_id_from((struct str){ bytes, i / 2 });
}

uint32_t
native_file(struct native *native, struct str path, struct str build_id)
{
	bool is_vdso = str_equal(path, STR("[vdso]")) ||
	    str_equal(path, STR("linux-vdso.so.1"));
	struct build_id id = read_build_id(build_id);
	uint32_t known = native->keys.count, number;
	struct native_file *file;

	native->key.len = 0;
	text_add(&native->key, build_id);
	text_add_char(&native->key, ' ');
	text_add(&native->key, path);
	number = table_add(&native->keys, text_str(&native->key));
	if (number < known)
		return number;
	file = LIST_AT(native->files, number, native->room);
	*file = (struct native_file){
		.path = str_skip(native->keys.keys[number], build_id.len + 1)
	};
	if (native->symbols == NULL)
		native->symbols = symbols_open(&(struct symbol_sources){
		    .symfs = native->symfs, .home = getenv("HOME") });
	if (is_vdso || str_starts(path, STR("/")))
		file->dso = dso_open(native->symbols,
		    is_vdso ? DSO_VDSO : DSO_ELF,
		    is_vdso ? STR("[vdso]") : path, &id, 0);
	return number;
}

void
native_add_name(struct text *names, struct str name)
{
	size_t i = names->len;

	folded_add_name(names, name.len > 0 ? name : STR("[unknown]"));
	for (; i < names->len; i++)
		if (names->data[i] == '\r')
			names->data[i] = '_';
}

void
native_add_unknown(const struct native *native, struct str path,
    uint64_t address, struct text *names)
{
	struct str name = str_base(path);

	if (str_starts(name, STR("[")) && str_ends(name, STR("]")))
		name = str_between(name, 1, name.len - 1);
	text_add_char(names, '[');
	native_add_name(names, name.len > 0 ? name : STR("unknown"));
	if (native->addresses)
		text_add_format(names, " <%llx>", (unsigned long long)address);
	text_add_char(names, ']');
}

void
native_names(struct native *native, uint32_t number, enum native_place place,
    uint64_t address, struct text *names)
{
	struct native_file *file = &native->files[number];
	unsigned wanted = (native->not_inlined ? 0 : DEBUG_INLINED) |
	    (native->lines ? DEBUG_LINES : 0);
	const struct debug_functions *functions = &native->functions;
	const struct debug_function *function;
	uint64_t offset = address;
	size_t i;

	if (file->dso == NULL || (place == NATIVE_RELATIVE &&
	    !dso_offset(file->dso, DSO_LOADED, address, &offset)) ||
	    !dso_functions(file->dso, offset, wanted, &native->functions)) {
		file->unknown++;
		native->unknown++;
		native_add_unknown(native, file->path, address, names);
		return;
	}
	native->known++;
	for (i = functions->count; i > 0; i--) {
		function = &functions->list[i - 1];
		if (function->inlined && native->not_inlined)
			continue;
		if (i < functions->count)
			text_add_char(names, ';');
		native_add_name(names, function->name);
		if (native->lines)
			folded_add_line(names, str_base(function->file),
			    function->line);
		if (function->inlined)
			text_add(names, STR("_[i]"));
	}
}

void
native_report(const struct native *native)
{
	const struct native_file *worst = native->files;
	enum dso_trouble trouble;
	uint32_t i;

	if (native->unknown <= native->known / 2)
		return;
	for (i = 1; i < native->keys.count; i++)
		if (native->files[i].unknown > worst->unknown)
			worst = &native->files[i];
	trouble = worst->dso == NULL ? DSO_NO_FILE : dso_trouble(worst->dso);
	message_warn("addresses without a function's name: %llu of %llu, "
	    "most of them in %s, %s", native->unknown,
	    native->known + native->unknown, message_shown(worst->path),
	    trouble == DSO_NO_FILE ?
	    "which is not there; --symfs tells where it is" :
	    trouble == DSO_OTHER_BUILD_ID ? "which is another build now" :
	    "which has no symbols, or not all; a debug package may have them");
}
