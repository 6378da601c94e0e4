#include <stdlib.h>

#include "modules.h"

#define KERNEL	STR("[kernel.kallsyms]")

void
modules_init(struct modules *modules, struct symbols *symbols)
{
	*modules = (struct modules){ .symbols = symbols };
	table_init(&modules->keys);
	table_init(&modules->names);
	table_init(&modules->paths);
	simpleperf_init(&modules->simpleperf);
}

void
modules_free(struct modules *modules)
{
	table_free(&modules->keys);
	table_free(&modules->names);
	table_free(&modules->paths);
	simpleperf_free(&modules->simpleperf);
	free(modules->list);
	free(modules->ids);
	free(modules->key.data);
	arena_free(&modules->arena);
}

void
modules_note_id(struct modules *modules, struct str name, struct str id,
    bool in_kernel)
{
	uint32_t number = table_add(&modules->names, name);

	if (in_kernel)
		table_add(&modules->paths, name);
	modules->ids = mem_grow(modules->ids, &modules->ids_room,
	    number + (size_t)1, sizeof(*modules->ids));
	modules->ids[number] = build_id_from(id);
}

static struct build_id
find_id(const struct modules *modules, struct str name, struct str told)
{
	uint32_t number;

	if (told.len > 0)
		return build_id_from(told);
	number = table_find(&modules->names, name);
	return number == TABLE_NONE ? (struct build_id){ 0 } :
	    modules->ids[number];
}

/*
 * Returns the module with this name and build ID, perhaps a new one: then *made
 * is set, and it only has its name.
 */
static struct module *
find(struct modules *modules, char kind, struct str name,
    const struct build_id *id, bool *made)
{
	struct text *key = &modules->key;
	struct module *module;
	uint32_t number, before = modules->keys.count;

	key->len = 0;
	text_add_char(key, kind);
	text_add(key, (struct str){ (const char *)id->bytes, id->len });
	text_add_char(key, '\0');
	text_add(key, name);
	number = table_add(&modules->keys, text_str(key));
	*made = number == before;
	if (!*made)
		return modules->list[number];
	modules->list = mem_grow(modules->list, &modules->room,
	    number + (size_t)1, sizeof(*modules->list));
	module = arena_take(&modules->arena, sizeof(*module));
	*module = (struct module){ .number = number,
	    .name = arena_copy(&modules->arena, name) };
	return modules->list[number] = module;
}

/* Adds the functions that the recording itself has of a file. */
static void
add_functions(struct modules *modules, struct module *module, struct str path,
    bool are_addresses)
{
	const struct simpleperf_file *file = simpleperf_find(
	    &modules->simpleperf, path);

	if (file == NULL)
		return;
	module->art = simpleperf_art(file, path);
	simpleperf_add_functions(&modules->simpleperf, file, are_addresses,
	    dso_symtab(module->dso));
}

static struct module *
find_file(struct modules *modules, enum dso_kind kind, struct str name,
    struct str told)
{
	struct build_id id = find_id(modules, name, told);
	struct module *module;
	bool made;

	module = find(modules, (char)('0' + kind), name, &id, &made);
	if (!made)
		return module;
	module->dso = dso_open(modules->symbols, kind, name, &id, 0);
	module->absolute = kind == DSO_PERF_MAP;
	add_functions(modules, module, name, false);
	return module;
}

/*
 * Finds code of Android's runtime.  simpleperf maps a part of the cache for
 * each function, "/data/x/app_jit_app_cache:4096-8192", and calls all the same.
 */
static struct module *
find_jitted(struct modules *modules, struct str path)
{
	struct build_id none = { 0 };
	struct module *module;
	bool made;

	module = find(modules, 'a', path, &none, &made);
	if (!made)
		return module;
	module->dso = dso_open(modules->symbols, DSO_ELF, path, &none, 0);
	module->absolute = true;
	module->map = STR("/tmp/perf-0.map");	/* --jit marks it */
	if (str_contains(path, STR("_jit_app_cache:")))
		module->name = STR("[JIT app cache]");
	else if (str_contains(path, STR("_jit_zygote_cache:")))
		module->name = STR("[JIT zygote cache]");
	add_functions(modules, module, path, true);
	return module;
}

/* Memory that may hold code that a process has made. */
static bool
is_memory(const struct record_fields *map)
{
	return map->huge || str_equal(map->name, STR("//anon")) ||
	    str_starts(map->name, STR("/dev/zero")) ||
	    str_starts(map->name, STR("/anon_hugepage")) ||
	    str_starts(map->name, STR("[stack")) ||
	    str_starts(map->name, STR("/SYSV")) ||
	    str_equal(map->name, STR("[heap]"));
}

/* Compilers leave the names of what they make in /tmp/perf-PID.map. */
static struct module *
find_memory(struct modules *modules, const struct record_fields *map,
    int32_t pid)
{
	struct build_id none = { 0 };
	struct module *module;
	struct text name = { 0 };
	bool made;

	if (map->executable && pid != 0) {
		text_add_format(&name, "/tmp/perf-%ld.map", (long)pid);
		module = find_file(modules, DSO_PERF_MAP, text_str(&name),
		    STR(""));
		free(name.data);
		return module;
	}
	module = find(modules, 'm', map->name, &none, &made);
	if (made)
		module->absolute = true;
	return module;
}

/*
 * True for executable memory with the name of a file that nobody can open: .NET
 * maps its code as "/memfd:doublemapper (deleted)".
 */
static bool
has_no_file(const struct modules *modules, const struct record_fields *map)
{
	return map->executable && (str_starts(map->name, STR("/memfd:")) ||
	    str_starts(map->name, STR("/dev/")) ||
	    str_ends(map->name, STR(" (deleted)"))) &&
	    find_id(modules, map->name, map->build_id).len == 0;
}

/* Names the functions of such memory by /tmp/perf-PID.map. */
static struct module *
find_nameless(struct modules *modules, const struct record_fields *map,
    int32_t pid)
{
	struct build_id none = { 0 };
	struct text name = { 0 };
	struct module *module;
	bool made;

	text_add_format(&name, "%ld ", (long)pid);
	text_add(&name, map->name);
	module = find(modules, 'p', text_str(&name), &none, &made);
	if (made) {
		name.len = 0;
		text_add_format(&name, "/tmp/perf-%ld.map", (long)pid);
		module->map = arena_copy(&modules->arena, text_str(&name));
		module->name = arena_copy(&modules->arena, map->name);
		module->dso = dso_open(modules->symbols, DSO_PERF_MAP,
		    module->map, &none, 0);
		module->absolute = true;
	}
	free(name.data);
	return module;
}

struct map
modules_map(struct modules *modules, const struct record_fields *map,
    int32_t pid)
{
	struct map made = { .start = map->start,
	    .end = map->start + map->len, .offset = map->offset };
	const struct simpleperf_file *file = simpleperf_find(
	    &modules->simpleperf, map->name);

	if (map->is_android_jit)
		made.module = find_jitted(modules, map->name);
	else if (file != NULL) {
		if (simpleperf_lacks_offset(file))
			made.offset = 0;
		made.module = find_file(modules, DSO_FILE, map->name,
		    map->build_id);
	} else if (is_memory(map))
		made.module = find_memory(modules, map, pid);
	else if (has_no_file(modules, map))
		made.module = find_nameless(modules, map, pid);
	else if (str_equal(map->name, STR("[vdso]"))) {
		/* perf calls it so in processes of 32 bits */
		made.offset = 0;
		made.module = find_file(modules, DSO_VDSO,
		    made.start <= UINT32_MAX ? STR("[vdso32]") : map->name,
		    map->build_id);
	} else
		made.module = find_file(modules, DSO_FILE, map->name,
		    map->build_id);
	return made;
}

/* perf inject --jit makes a file for each function, jitted-PID-NUMBER.so. */
struct module *
modules_dump(struct modules *modules, struct str path, int32_t pid)
{
	struct build_id none = { 0 };
	struct module *module;
	struct text name = { 0 };
	bool made;

	module = find(modules, 'j', path, &none, &made);
	if (!made)
		return module;
	module->dso = dso_open(modules->symbols, DSO_JITDUMP, path, &none, 0);
	text_add_format(&name, "jitted-%ld-0.so", (long)pid);
	module->name = arena_copy(&modules->arena, text_str(&name));
	free(name.data);
	return module;
}

/* "/lib/modules/6.1/kernel/fs/btrfs-x.ko.xz" is printed as "[btrfs_x]". */
static struct str
module_name(struct modules *modules, struct str path)
{
	struct text name = { 0 };
	size_t slash = str_find_last(path, '/'), end, i;
	struct str base, kept;

	if (path.len > 0 && path.data[0] == '[')
		return path;
	base = slash == path.len ? path : str_skip(path, slash + 1);
	end = str_search(base, STR(".ko"));
	if (end == base.len)
		return path;
	text_add_char(&name, '[');
	for (i = 0; i < end; i++)
		text_add_char(&name, base.data[i] == '-' ? '_' : base.data[i]);
	text_add_char(&name, ']');
	kept = arena_copy(&modules->arena, text_str(&name));
	free(name.data);
	return kept;
}

/* Meets the kernel; the offset of its map is where the symbol _text was. */
static void
meet_kernel(struct modules *modules, const struct record_fields *map)
{
	struct build_id id = find_id(modules, KERNEL, map->build_id);
	bool is_new;

	modules->kernel = find(modules, 'k', KERNEL, &id, &is_new);
	modules->kernel->absolute = true;
	modules->kernel->in_kernel = true;
	modules->kernel->dso = dso_open(modules->symbols, DSO_KERNEL,
	    map->name, &id, map->offset);
	add_functions(modules, modules->kernel, KERNEL, false);
}

static struct module *
find_kernel_module(struct modules *modules, const struct record_fields *map)
{
	struct build_id id = find_id(modules, map->name, map->build_id);
	struct module *module;
	bool is_new;

	module = find(modules, 'k', map->name, &id, &is_new);
	if (is_new) {
		module->dso = dso_open(modules->symbols, DSO_MODULE,
		    map->name, &id, map->start);
		module->absolute = true;
		module->in_kernel = true;
		add_functions(modules, module, map->name, false);
		/* perf keeps the path if a build ID came with it */
		if (table_find(&modules->paths, map->name) == TABLE_NONE)
			module->name = module_name(modules, module->name);
	}
	return module;
}

bool
modules_kernel_map(struct modules *modules, const struct record_fields *map,
    struct map *made)
{
	*made = (struct map){ .start = map->start,
	    .end = map->start + map->len };
	/* "[kernel.kallsyms]_text": perf leaves out the bracket */
	if (str_starts(map->name, STR("[kernel.kallsyms"))) {
		if (modules->kernel == NULL)
			meet_kernel(modules, map);
		if (map->start == 0 && map->len == 0)
			made->end = UINT64_MAX;
		made->module = modules->kernel;
		return true;
	}
	if (map->name.len == 0 || (map->name.data[0] != '/' &&
	    map->name.data[0] != '['))
		return false;
	made->module = find_kernel_module(modules, map);
	return true;
}

struct module *
modules_ksymbol(struct modules *modules, struct str name)
{
	struct build_id none = { 0 };
	struct module *module;
	bool is_new;

	module = find(modules, 'b', name, &none, &is_new);
	if (is_new) {
		module->symbol = module->name;
		module->absolute = true;
		module->in_kernel = true;
	}
	return module;
}
