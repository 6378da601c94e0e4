/*
 * Version 5 has the id in the unit's header; before, it is an attribute of the
 * first entry.  In a package only the index has the id, and where the parts of
 * a unit begin in the other sections.  There, version 5 begins with headers;
 * numbers of texts and of ranges count after them:
 *
 *	.debug_str_offsets.dwo	length version=5 0 0
 *	.debug_rnglists.dwo	length version=5 address=8 0  count of offsets
 */
#include <limits.h>
#include <stdlib.h>

#include "lib/mapping.h"
#include "split.h"
#include "symbols/elf/mapfile.h"
#include "symbols/elf/sections.h"

static void
add_id(struct split *split, uint64_t id, size_t number)
{
	uint32_t before = split->ids.count;

	if (table_add(&split->ids, (struct str){ (const char *)&id,
	    sizeof(id) }) != before)
		return;
	split->numbers = mem_grow(split->numbers, &split->room,
	    before + (size_t)1, sizeof(*split->numbers));
	split->numbers[before] = number;
}

/* Steps after the headers of a unit's own lists. */
static void
skip_headers(struct unit *unit)
{
	uint64_t length = unit->sizes.offset == 8 ? 12 : 4;

	if (unit->sizes.version < 5)
		return;
	unit->str_offsets += length + 4;
	unit->rnglists += length + 8;
}

/* Reads the id that the first entry of a unit has. */
static void
read_id(struct units *units, struct unit *unit)
{
	struct form_value value;
	struct abbrevs own;
	struct entry root;
	uint16_t name;

	if (entry_begin_root(&root, units, unit, &own)) {
		while (entry_next(&root, &name, &value)) {
			if (name != AT_GNU_DWO_ID)
				continue;
			unit->id = value.number;
			unit->has_id = true;
		}
	}
	abbrevs_free(&own);
}

static void
read_ids(struct split *split)
{
	struct unit *unit;
	size_t i;

	for (i = 0; i < split->units.count; i++) {
		unit = &split->units.list[i];
		if (unit->sizes.version < 5)
			read_id(&split->units, unit);
		if (unit->has_id)
			add_id(split, unit->id, i);
		skip_headers(unit);
	}
}

/*
 * The index of a package, .debug_cu_index, is a hash table and two tables of
 * numbers, each of 4 bytes, and has a column for each section that units have
 * parts of (DWARF 5, 7.3.5):
 *
 *	version  columns=3  rows=2  slots=4
 *	ids of slots, 8 bytes each	0  e1a00c902628b511  0  c7af36289eb38ba6
 *	numbers of their rows		0  1		     0  2
 *	the columns' sections		info	abbrev	str_offsets
 *	offsets, row 1			0	0	0
 *		 row 2			143d8	eb1	1900
 *	and sizes in the same order.
 *
 * As all rows are wanted, the slots are read one after another.  Versions 2, of
 * GNU, and 5 have different sections only where it does not matter here.
 */

enum {			/* columns, 7.3.5.3 */
	COLUMN_INFO = 1, COLUMN_ABBREV = 3, COLUMN_STR_OFFSETS = 6,
	COLUMN_RNGLISTS = 8, COLUMNS
};

#define COLUMNS_MAX	16	/* 8 are known */

/* Each part of a unit begins here, in its section of the package. */
struct package_row {
	uint64_t id;
	uint32_t offsets[COLUMNS];
};

struct package {
	struct bytes ids, numbers;	/* of the rows, still to be read */
	struct bytes columns;		/* what they are of */
	struct bytes rows;		/* of offsets */
	uint32_t column_count, row_count;
};

/* Reads the head of an index; one that makes no sense has no rows. */
static struct package
open_package(struct bytes index)
{
	struct package package = { 0 };
	/* it has 4 bytes, or 2 and 2 that are 0 */
	uint32_t version = bytes_u32(&index), slots;

	package.column_count = bytes_u32(&index);
	package.row_count = bytes_u32(&index);
	slots = bytes_u32(&index);
	if ((version != 2 && version != 5) ||
	    package.column_count > COLUMNS_MAX)
		bytes_fail(&index);
	package.ids = bytes_take(&index, (uint64_t)slots * 8);
	package.numbers = bytes_take(&index, (uint64_t)slots * 4);
	package.columns = bytes_take(&index,
	    (uint64_t)package.column_count * 4);
	package.rows = bytes_take(&index,
	    (uint64_t)package.row_count * package.column_count * 4);
	if (index.failed)
		bytes_fail(&package.ids);
	return package;
}

/* Reads the next row; false after the last one. */
static bool
next_row(struct package *package, struct package_row *row)
{
	struct bytes columns = package->columns, offsets = package->rows;
	uint32_t number = 0, column, offset, i;

	while (bytes_left(&package->ids) > 0 &&
	    (number == 0 || number > package->row_count)) {
		*row = (struct package_row){ .id = bytes_u64(&package->ids) };
		number = bytes_u32(&package->numbers);
	}
	if (number == 0 || number > package->row_count)
		return false;
	bytes_seek(&offsets, (uint64_t)(number - 1) *
	    package->column_count * 4);
	for (i = 0; i < package->column_count; i++) {
		column = bytes_u32(&columns);
		offset = bytes_u32(&offsets);
		if (column < COLUMNS)
			row->offsets[column] = offset;
	}
	return true;
}

/* Reads where the units of a package are; each has one row. */
static void
read_index(struct split *split, struct bytes index)
{
	struct package package = open_package(index);
	struct package_row row;
	struct unit *unit;
	uint32_t before;

	while (next_row(&package, &row)) {
		unit = units_at(&split->units, row.offsets[COLUMN_INFO]);
		before = split->ids.count;
		/* a damaged index may have several rows of one unit */
		if (unit == NULL || (unit->has_id && unit->id != row.id))
			continue;
		add_id(split, row.id, (size_t)(unit - split->units.list));
		if (split->ids.count == before)
			continue;
		unit->id = row.id;
		unit->has_id = true;
		unit->abbrev_offset += row.offsets[COLUMN_ABBREV];
		unit->str_offsets = row.offsets[COLUMN_STR_OFFSETS];
		unit->rnglists = row.offsets[COLUMN_RNGLISTS];
		skip_headers(unit);
	}
}

void
split_open(struct split *split, const struct bytes sections[DWARF_SECTIONS],
    struct bytes index, struct account *account)
{
	*split = (struct split){ 0 };
	units_open(&split->units, sections, NULL, account);
	if (bytes_left(&index) > 0)
		read_index(split, index);
	else
		read_ids(split);
}

void
split_close(struct split *split)
{
	inlines_forget(&split->units);
	units_close(&split->units);
	table_free(&split->ids);
	free(split->numbers);
}

struct unit *
split_find(struct split *split, const struct unit *skeleton)
{
	struct unit *unit;
	uint32_t number;

	if (!skeleton->has_id)
		return NULL;
	number = table_find(&split->ids, (struct str){
	    (const char *)&skeleton->id, sizeof(skeleton->id) });
	if (number == TABLE_NONE)
		return NULL;
	unit = &split->units.list[split->numbers[number]];
	if (unit->functions == NULL) {
		unit->low_pc = skeleton->low_pc;
		unit->addresses = skeleton->addresses;
		unit->ranges = skeleton->skeleton.ranges;
	}
	return unit;
}

/* The files. */

enum { CU_INDEX = DWARF_SECTIONS, SPLIT_SECTIONS };

/* A file that was opened, or could not be: it has no units then. */
struct splitfile {
	struct elf elf;
	struct section sections[SPLIT_SECTIONS];
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
	return files;
}

static void
close_file(struct splitfile *file)
{
	int i;

	if (file->is_open) {
		split_close(&file->split);
		for (i = 0; i < SPLIT_SECTIONS; i++)
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
	static const struct str names[SPLIT_SECTIONS] = {
		[DWARF_INFO] = { ".debug_info.dwo", 15 },
		[DWARF_ABBREV] = { ".debug_abbrev.dwo", 17 },
		[DWARF_STR] = { ".debug_str.dwo", 14 },
		[DWARF_STR_OFFSETS] = { ".debug_str_offsets.dwo", 22 },
		[DWARF_RNGLISTS] = { ".debug_rnglists.dwo", 19 },
		[CU_INDEX] = { ".debug_cu_index", 15 },
	};
	struct bytes sections[DWARF_SECTIONS];
	const char *trouble;
	int i;

	memcpy(sections, files->skeletons->sections, sizeof(sections));
	for (i = 0; i < SPLIT_SECTIONS; i++) {
		if (names[i].len == 0)	/* it is the program's */
			continue;
		file->sections[i] = section_read_all(&file->elf, names[i]);
		trouble = section_trouble(&file->sections[i]);
		if (trouble != NULL)
			note(files, "%s", trouble);
		if (i < CU_INDEX)
			sections[i] = file->sections[i].bytes;
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
	if (!mapfile_open(&bytes, files->sources->account, "%s", path))
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
	struct text path = { 0 };
	struct str named;

	if (!str_starts(skeleton->dwo, STR("/")) && skeleton->folder.len > 0) {
		text_add(&path, skeleton->folder);
		text_add_char(&path, '/');
	}
	text_add(&path, skeleton->dwo);
	text_add_char(&path, '\0');
	named = str_from(path.data);
	try(seeking, "", str_from(files->path), STR(".dwp"));
	try(seeking, symfs, str_from(files->program), STR(".dwp"));
	seeking->has_file = false;
	try(seeking, symfs, named, STR(""));
	try_beside(seeking, files->path, skeleton->dwo);
	if (seeking->place.unit == NULL)
		note(files, seeking->has_file ?
		    "debug information was split off to %s, which is that of "
		    "another build" :
		    "debug information was split off to %s, which is not "
		    "found", named.data);
	free(path.data);
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
