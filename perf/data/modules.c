#include <stdlib.h>

#include "modules.h"
#include "symbols/elf/kernel.h"

/* JIT compilers write the names of their functions into this file. */
static const char perf_map[] = "/tmp/perf-%ld.map";

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
	free(modules->shown.data);
	arena_free(&modules->arena);
}

void
modules_note_id(struct modules *modules, struct str name, struct str id,
    bool in_kernel)
{
	uint32_t number = table_add(&modules->names, name);

	if (in_kernel)
		table_add(&modules->paths, name);
	*LIST_AT(modules->ids, number, modules->ids_room) = build_id_from(id);
}

static struct build_id
find_id(const struct modules *modules, struct str name, struct str recorded)
{
	uint32_t number;

	if (recorded.len > 0)
		return build_id_from(recorded);
	number = table_find(&modules->names, name);
	return number == TABLE_NONE ? (struct build_id){ 0 } :
	    modules->ids[number];
}

struct dso *
modules_file(const struct maps *maps, uint64_t address, uint64_t *offset)
{
	const struct map *map = maps_find(maps, address, NULL);

	if (map == NULL || map->module->absolute)
		return NULL;
	*offset = address - map->start + map->offset;
	return map->module->dso;
}

/* What a module is known by, and made of when it is met. */
struct source {
	char kind;		/* several have the same names */
	enum dso_kind dso;
	bool absolute, in_kernel;
	int32_t pid;		/* of the only process that has it, or 0 */
	struct str name;
	struct str shown;	/* the name that perf prints, if another one */
	struct build_id id;
	struct str path;	/* of its file; empty: it has no functions */
	struct str map;		/* as a module's */
	uint64_t address;	/* for dso_open */
};

/* Returns a module, perhaps a new one. */
static struct module *
find(struct modules *modules, const struct source *source)
{
	struct text *key = &modules->key;
	const struct simpleperf_file *file;
	struct module *module;
	uint32_t number, before = modules->keys.count;

	key->len = 0;
	text_add_char(key, source->kind);
	text_add(key, (struct str){ (const char *)&source->pid,
	    sizeof(source->pid) });
	text_add(key, (struct str){ (const char *)source->id.bytes,
	    source->id.len });
	text_add_char(key, '\0');
	text_add(key, source->name);
	number = table_add(&modules->keys, text_str(key));
	if (number < before)
		return modules->list[number];
	module = arena_take(&modules->arena, sizeof(*module));
	*LIST_AT(modules->list, number, modules->room) = module;
	*module = (struct module){ .number = number,
	    .name = arena_copy(&modules->arena, source->shown.len > 0 ?
	    source->shown : source->name),
	    .map = arena_copy(&modules->arena, source->map),
	    .absolute = source->absolute, .in_kernel = source->in_kernel };
	if (source->path.len == 0)
		return module;
	/* the recording itself may have functions of the file */
	file = simpleperf_find(&modules->simpleperf, source->name);
	module->dso = (file != NULL ? dso_open_alone : dso_open)(
	    modules->symbols, source->dso, source->path, &source->id,
	    source->address);
	if (file != NULL) {
		module->art = file->art;
		simpleperf_add_functions(&modules->simpleperf, file,
		    source->kind == 'a', dso_symtab(module->dso));
	}
	return module;
}

/* Memory that may hold code that a process has made. */
static bool
is_memory(const struct record_fields *map)
{
	static const char *const starts[] = { "/dev/zero", "/anon_hugepage",
	    "[stack", "/SYSV", NULL };

	return map->huge || str_equal(map->name, STR("//anon")) ||
	    str_equal(map->name, STR("[heap]")) ||
	    str_any(str_starts, map->name, starts);
}

static struct str
add_pid(struct modules *modules, const char *format, int32_t pid)
{
	modules->shown.len = 0;
	text_add_format(&modules->shown, format, (long)pid);
	return text_str(&modules->shown);
}

struct map
modules_map(struct modules *modules, const struct record_fields *map)
{
	struct map made = { .start = map->start,
	    .end = map->start + map->len, .offset = map->offset };
	const struct simpleperf_file *file = simpleperf_find(
	    &modules->simpleperf, map->name);
	struct str name = map->name;
	struct source source = { .dso = DSO_FILE, .name = name, .path = name };

	if (map->is_android_jit) {
		/* each function, "/data/x/app_jit_app_cache:4096-8192" */
		source.kind = 'a';
		source.dso = DSO_ELF;
		if (str_contains(name, STR("_jit_app_cache:")))
			source.shown = STR("[JIT app cache]");
		else if (str_contains(name, STR("_jit_zygote_cache:")))
			source.shown = STR("[JIT zygote cache]");
		/* --jit marks what has a perf map */
		source.map = STR("/tmp/perf-0.map");
	} else if (file != NULL) {
		if (file->lacks_offset)
			made.offset = 0;
	} else if (is_memory(map) && map->executable && map->pid != 0) {
		source.dso = DSO_PERF_MAP;
		source.name = add_pid(modules, perf_map, map->pid);
	} else if (is_memory(map)) {
		source.kind = 'm';
		source.path = STR("");
	} else if (map->executable && (str_starts(name, STR("/memfd:")) ||
	    str_starts(name, STR("/dev/")) ||
	    str_ends(name, STR(" (deleted)"))) &&
	    find_id(modules, name, map->build_id).len == 0) {
		/* .NET maps its code as "/memfd:doublemapper (deleted)" */
		source.kind = 'p';
		source.dso = DSO_PERF_MAP;
		source.pid = map->pid;
		source.path = add_pid(modules, perf_map, map->pid);
		source.map = source.path;
	} else if (str_equal(name, STR("[vdso]"))) {
		source.dso = DSO_VDSO;
		made.offset = 0;
		/* perf calls it so in processes of 32 bits */
		if (made.start <= UINT32_MAX)
			source.name = STR("[vdso32]");
	}
	source.absolute = source.kind != 0 || source.dso == DSO_PERF_MAP;
	if (source.kind == 0) {
		source.kind = (char)('0' + source.dso);
		source.path = source.name;
		source.id = find_id(modules, source.name,
		    source.absolute ? STR("") : map->build_id);
	}
	made.module = find(modules, &source);
	return made;
}

/* perf inject --jit makes a file for each function, jitted-PID-NUMBER.so. */
struct module *
modules_dump(struct modules *modules, struct str path, int32_t pid)
{
	return find(modules, &(struct source){ .kind = 'j',
	    .dso = DSO_JITDUMP, .name = path, .path = path,
	    .shown = add_pid(modules, "jitted-%ld-0.so", pid) });
}

bool
modules_kernel_map(struct modules *modules, const struct record_fields *map,
    struct map *made)
{
	/* "[kernel.kallsyms]_text": perf leaves out the bracket */
	bool is_kernel = str_starts(map->name, STR("[kernel.kallsyms"));
	struct source source = { .kind = 'k',
	    .dso = is_kernel ? DSO_KERNEL : DSO_MODULE, .absolute = true,
	    .in_kernel = true, .path = map->name,
	    .name = is_kernel ? STR("[kernel.kallsyms]") : map->name,
	    /* the map's offset is where the symbol _text was */
	    .address = is_kernel ? map->offset : map->start };

	*made = (struct map){ .start = map->start,
	    .end = map->start + map->len, .module = modules->kernel };
	if (!is_kernel && !str_starts(map->name, STR("/")) &&
	    !str_starts(map->name, STR("[")))
		return false;
	if (is_kernel && map->start == 0 && map->len == 0)
		made->end = UINT64_MAX;
	if (is_kernel && modules->kernel != NULL)
		return true;
	source.id = find_id(modules, source.name, map->build_id);
	/*
	 * "/lib/modules/6.1/kernel/fs/btrfs-x.ko.xz" is printed as "[btrfs_x]".
	 * perf keeps the path if a build ID came with it.
	 */
	if (!str_starts(source.name, STR("[")) &&
	    str_contains(str_base(source.name), STR(".ko")) &&
	    table_find(&modules->paths, source.name) == TABLE_NONE)
		source.shown = kernel_module_name(&modules->shown,
		    source.name);
	made->module = find(modules, &source);
	if (is_kernel)
		modules->kernel = made->module;
	return true;
}

struct module *
modules_ksymbol(struct modules *modules, struct str name)
{
	struct module *module = find(modules, &(struct source){ .kind = 'b',
	    .absolute = true, .in_kernel = true, .name = name });

	module->symbol = module->name;
	return module;
}
