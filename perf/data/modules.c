#include <stdlib.h>

#include "modules.h"
#include "symbols/elf/kernel.h"

#define KERNEL	STR("[kernel.kallsyms]")

/* Compilers leave the names of what they make there. */
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
	modules->list = mem_grow(modules->list, &modules->room,
	    number + (size_t)1, sizeof(*modules->list));
	module = arena_take(&modules->arena, sizeof(*module));
	*module = (struct module){ .number = number,
	    .name = arena_copy(&modules->arena, source->shown.len > 0 ?
	    source->shown : source->name),
	    .map = arena_copy(&modules->arena, source->map),
	    .absolute = source->absolute, .in_kernel = source->in_kernel };
	if (source->path.len > 0) {
		/* the recording itself may have functions of the file */
		file = simpleperf_find(&modules->simpleperf, source->name);
		module->dso = (file != NULL ? dso_open_alone : dso_open)(
		    modules->symbols, source->dso, source->path, &source->id,
		    source->address);
		if (file != NULL) {
			module->art = simpleperf_art(file, source->name);
			simpleperf_add_functions(&modules->simpleperf, file,
			    source->kind == 'a', dso_symtab(module->dso));
		}
	}
	return modules->list[number] = module;
}

/* simpleperf maps each function, "/data/x/app_jit_app_cache:4096-8192". */
static struct module *
find_jitted(struct modules *modules, struct str path)
{
	struct str shown = path;

	if (str_contains(path, STR("_jit_app_cache:")))
		shown = STR("[JIT app cache]");
	else if (str_contains(path, STR("_jit_zygote_cache:")))
		shown = STR("[JIT zygote cache]");
	/* --jit marks what has a perf map */
	return find(modules, &(struct source){ .kind = 'a', .dso = DSO_ELF,
	    .absolute = true, .name = path, .shown = shown, .path = path,
	    .map = STR("/tmp/perf-0.map") });
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

/* Returns a name with a process's number. */
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
	enum dso_kind kind = DSO_FILE;
	struct str name = map->name, names;

	if (map->is_android_jit)
		made.module = find_jitted(modules, name);
	else if (file != NULL) {
		if (simpleperf_lacks_offset(file))
			made.offset = 0;
	} else if (is_memory(map) && map->executable && map->pid != 0) {
		kind = DSO_PERF_MAP;
		name = add_pid(modules, perf_map, map->pid);
	} else if (is_memory(map))
		made.module = find(modules, &(struct source){ .kind = 'm',
		    .absolute = true, .name = name });
	else if (map->executable && (str_starts(name, STR("/memfd:")) ||
	    str_starts(name, STR("/dev/")) ||
	    str_ends(name, STR(" (deleted)"))) &&
	    find_id(modules, name, map->build_id).len == 0) {
		/* .NET maps its code as "/memfd:doublemapper (deleted)" */
		names = add_pid(modules, perf_map, map->pid);
		made.module = find(modules, &(struct source){ .kind = 'p',
		    .pid = map->pid, .dso = DSO_PERF_MAP, .absolute = true,
		    .name = name, .path = names, .map = names });
	} else if (str_equal(name, STR("[vdso]"))) {
		kind = DSO_VDSO;
		made.offset = 0;
		/* perf calls it so in processes of 32 bits */
		if (made.start <= UINT32_MAX)
			name = STR("[vdso32]");
	}
	if (made.module == NULL)
		made.module = find(modules, &(struct source){
		    .kind = (char)('0' + kind), .dso = kind,
		    .absolute = kind == DSO_PERF_MAP, .name = name,
		    .id = find_id(modules, name, kind == DSO_PERF_MAP ?
		    STR("") : map->build_id), .path = name });
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

/* "/lib/modules/6.1/kernel/fs/btrfs-x.ko.xz" is printed as "[btrfs_x]". */
static struct str
module_name(struct modules *modules, struct str path)
{
	return str_starts(path, STR("[")) ||
	    !str_contains(str_base(path), STR(".ko")) ? path :
	    kernel_module_name(&modules->shown, path);
}

static struct module *
find_kernel(struct modules *modules, const struct record_fields *map,
    struct str name, enum dso_kind kind, uint64_t address)
{
	/* perf keeps the path if a build ID came with it */
	bool keeps_path = kind != DSO_MODULE ||
	    table_find(&modules->paths, name) != TABLE_NONE;

	return find(modules, &(struct source){ .kind = 'k',
	    .dso = kind, .absolute = true, .in_kernel = true, .name = name,
	    .shown = keeps_path ? name : module_name(modules, name),
	    .id = find_id(modules, name, map->build_id), .path = map->name,
	    .address = address });
}

bool
modules_kernel_map(struct modules *modules, const struct record_fields *map,
    struct map *made)
{
	*made = (struct map){ .start = map->start,
	    .end = map->start + map->len };
	/* "[kernel.kallsyms]_text": perf leaves out the bracket */
	if (str_starts(map->name, STR("[kernel.kallsyms"))) {
		/* the map's offset is where the symbol _text was */
		if (modules->kernel == NULL)
			modules->kernel = find_kernel(modules, map, KERNEL,
			    DSO_KERNEL, map->offset);
		if (map->start == 0 && map->len == 0)
			made->end = UINT64_MAX;
		made->module = modules->kernel;
		return true;
	}
	if (map->name.len == 0 || (map->name.data[0] != '/' &&
	    map->name.data[0] != '['))
		return false;
	made->module = find_kernel(modules, map, map->name, DSO_MODULE,
	    map->start);
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
