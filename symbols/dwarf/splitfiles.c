#include <limits.h>
#include <stdlib.h>

#include "lib/mapping.h"
#include "split.h"
#include "splitfiles.h"
#include "symbols/elf/elf.h"
#include "symbols/elf/mapfile.h"
#include "symbols/elf/sections.h"

enum { INFO, ABBREV, STR, STR_OFFSETS, RNGLISTS, CU_INDEX, OWN_SECTIONS };

/* A file that was opened, or could not be: it has no units then. */
struct splitfile {
	struct elf elf;
	struct section sections[OWN_SECTIONS];
	struct split split;
	bool is_open;
};

/* The place of a unit. */
struct split_place {
	bool sought;
	struct splitfile *file;
	struct unit *unit;		/* NULL: not found, or not yet */
};

struct splitfiles {
	const struct symbol_sources *sources;
	const char *program, *path;
	struct units *skeletons;
	struct split_place *places;	/* of units, by a skeleton's number */
	struct table paths;
	struct splitfile **files;	/* by a path's number */
	size_t room;
	struct text trouble;
};

struct splitfiles *
splitfiles_new(const struct symbol_sources *sources, const char *program,
    const char *path, struct units *skeletons)
{
	struct splitfiles *files = mem_array(1, sizeof(*files));

	files->sources = sources;
	files->program = program;
	files->path = path;
	files->skeletons = skeletons;
	files->places = mem_array(skeletons->count, sizeof(*files->places));
	table_init(&files->paths);
	return files;
}

static void
close_file(struct splitfile *file)
{
	int i;

	if (file->is_open) {
		split_close(&file->split);
		for (i = 0; i < OWN_SECTIONS; i++)
			section_free(&file->sections[i]);
		mapping_remove(file->elf.file.start);
		elf_close(&file->elf);
	}
	free(file);
}

void
splitfiles_free(struct splitfiles *files)
{
	uint32_t i;

	if (files == NULL)
		return;
	for (i = 0; i < files->paths.count; i++)
		close_file(files->files[i]);
	table_free(&files->paths);
	free(files->files);
	free(files->places);
	free(files->trouble.data);
	free(files);
}

/* Takes note of what is wrong, if nothing was before. */
static void
note(struct splitfiles *files, const char *format, const char *path)
{
	if (files->trouble.len > 0)
		return;
	text_add_format(&files->trouble, format, path);
	text_add_char(&files->trouble, '\0');
}

/* Reads the sections of a file, and its units. */
static void
read_file(struct splitfiles *files, struct splitfile *file)
{
	static const struct str names[OWN_SECTIONS] = {
		[INFO] = { ".debug_info.dwo", 15 },
		[ABBREV] = { ".debug_abbrev.dwo", 17 },
		[STR] = { ".debug_str.dwo", 14 },
		[STR_OFFSETS] = { ".debug_str_offsets.dwo", 22 },
		[RNGLISTS] = { ".debug_rnglists.dwo", 19 },
		[CU_INDEX] = { ".debug_cu_index", 15 },
	};
	static const enum dwarf_section places[CU_INDEX] = {
		DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_STR_OFFSETS,
		DWARF_RNGLISTS
	};
	struct bytes sections[DWARF_SECTIONS];
	const char *trouble;
	int i;

	memcpy(sections, files->skeletons->sections, sizeof(sections));
	for (i = 0; i < OWN_SECTIONS; i++) {
		file->sections[i] = section_read_all(&file->elf, names[i]);
		trouble = section_trouble(&file->sections[i]);
		if (trouble != NULL)
			note(files, "%s", trouble);
		if (i < CU_INDEX)
			sections[places[i]] = file->sections[i].bytes;
	}
	split_open(&file->split, sections, file->sections[CU_INDEX].bytes,
	    files->sources->account);
}

/* Returns the file at a path; opens it the first time. */
static struct splitfile *
get_file(struct splitfiles *files, const char *path)
{
	uint32_t before = files->paths.count, number;
	struct splitfile *file;
	struct str bytes;

	number = table_add(&files->paths, str_from(path));
	if (number < before)
		return files->files[number];
	files->files = mem_grow(files->files, &files->room,
	    number + (size_t)1, sizeof(*files->files));
	file = files->files[number] = mem_array(1, sizeof(*file));
	if (!mapfile_open(path, &bytes, files->sources->account))
		return file;
	file->is_open = elf_open(&file->elf, bytes);
	file->elf.account = files->sources->account;
	if (file->is_open)
		read_file(files, file);
	else
		mapping_remove(bytes.data);
	return file;
}

/* The unit that is sought, and how far that is. */
struct seeking {
	struct splitfiles *files;
	const struct unit *skeleton;
	struct split_place place;
	bool has_file;			/* there was one, without the unit */
};

/* Seeks in the file at a path of three parts, whatever links lead there. */
static void
try(struct seeking *seeking, const char *symfs, struct str folder,
    struct str name)
{
	struct split_place *place = &seeking->place;
	struct text path = { 0 };
	char *real;

	if (place->unit != NULL)
		return;
	text_add(&path, str_from(symfs));
	text_add(&path, folder);
	text_add(&path, name);
	text_add_char(&path, '\0');
	real = realpath(path.data, NULL);
	free(path.data);
	if (real == NULL)
		return;
	place->file = get_file(seeking->files, real);
	free(real);
	if (!place->file->is_open)
		return;
	place->unit = split_find(&place->file->split, seeking->skeleton);
	seeking->has_file = true;
}

/* Returns the path that a skeleton names. */
static char *
named_path(const struct skeleton *skeleton)
{
	struct text path = { 0 };

	if (!str_starts(skeleton->dwo, STR("/")) && skeleton->folder.len > 0) {
		text_add(&path, skeleton->folder);
		text_add_char(&path, '/');
	}
	text_add(&path, skeleton->dwo);
	text_add_char(&path, '\0');
	return path.data;
}

/* Seeks beside the file with the skeletons, with folders and without. */
static void
try_beside(struct seeking *seeking, const char *path, struct str dwo)
{
	size_t slash = str_find_last(str_from(path), '/');
	struct str folder = STR("");

	if (slash < strlen(path))
		folder = str_take(str_from(path), slash + 1);
	if (!str_starts(dwo, STR("/")))
		try(seeking, "", folder, dwo);
	slash = str_find_last(dwo, '/');
	if (slash < dwo.len)
		try(seeking, "", folder, str_skip(dwo, slash + 1));
}

/* Seeks a unit in a package, else where the skeleton says that it is. */
static void
seek(struct seeking *seeking)
{
	struct splitfiles *files = seeking->files;
	const struct skeleton *skeleton = &seeking->skeleton->skeleton;
	const char *symfs = files->sources->symfs;
	char *named = named_path(skeleton);

	try(seeking, "", str_from(files->path), STR(".dwp"));
	try(seeking, symfs, str_from(files->program), STR(".dwp"));
	seeking->has_file = false;
	try(seeking, symfs, str_from(named), STR(""));
	try_beside(seeking, files->path, skeleton->dwo);
	if (seeking->place.unit == NULL)
		note(files, seeking->has_file ?
		    "debug information was split off to %s, which is that of "
		    "another build" :
		    "debug information was split off to %s, which is not "
		    "found", named);
	free(named);
}

struct unit *
splitfiles_find(struct splitfiles *files, struct unit *skeleton,
    struct units **units)
{
	struct split_place *place = &files->places[skeleton -
	    files->skeletons->list];
	struct seeking seeking = { .files = files, .skeleton = skeleton };

	if (!place->sought) {
		seek(&seeking);
		*place = seeking.place;
		place->sought = true;
	}
	if (place->unit != NULL)
		*units = &place->file->split.units;
	return place->unit;
}

const char *
splitfiles_trouble(const struct splitfiles *files)
{
	return files->trouble.len > 0 ? files->trouble.data : NULL;
}
