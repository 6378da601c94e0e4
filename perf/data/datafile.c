#include <sys/stat.h>
#include <sys/utsname.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "datafile.h"
#include "lib/message.h"
#include "lib/packed.h"
#include "symbols/elf/elf.h"

#define HEADER_PIPE	16	/* bytes of a pipe's header... */
#define HEADER_OLD	72	/* ...of a file's without features... */
#define HEADER_MOST	104	/* ...and of a file's */

#define UPDATE_NAME	2	/* a kind of RECORD_EVENT_UPDATE */

#define SECTIONS_MOST	((uint64_t)64 * 1024 * 1024)	/* in all */
#define TURN		256	/* records read of a file, if others wait */

#define FOLDER_HEADER	"data"
#define KALLSYMS	"kcore_dir/kallsyms"

static struct header_section
read_section(struct bytes *bytes)
{
	uint64_t offset = bytes_u64(bytes);

	return (struct header_section){ offset, bytes_u64(bytes) };
}

/* Reads a header from a file's first HEADER_MOST bytes; NULL, or why not. */
static const char *
read_header(struct str text, struct header *header)
{
	struct bytes bytes = bytes_from(text);
	uint64_t size;
	size_t i;

	if (str_starts(text, STR("2ELIFREP")))
		return "recorded on a big-endian machine" ONLY_PERF;
	if (str_starts(text, STR("PERFFILE")))
		return "recorded by perf of 2012 or before" ONLY_PERF;
	if (!str_starts(text, STR("PERFILE2")))
		return "not a recording of perf";
	bytes_skip(&bytes, 8);
	size = bytes_u64(&bytes);
	header->is_pipe = size == HEADER_PIPE;
	if (header->is_pipe && !bytes.failed)
		return NULL;
	header->event_size = bytes_u64(&bytes);
	header->events = read_section(&bytes);
	header->data = read_section(&bytes);
	read_section(&bytes);
	if (bytes.failed)
		return "the recording ends inside its header";
	if (size == HEADER_MOST)
		for (i = 0; i < HEADER_FEATURES / 64; i++)
			header->features[i] = bytes_u64(&bytes);
	else if (size != HEADER_OLD)
		return "the recording has a header of an unknown size";
	if (header->event_size <= sizeof(header->events))
		return "the recording's header lacks the size of events; was "
		    "perf record killed?";
	return NULL;
}

/* A length, and as many bytes; a NUL may end the text earlier. */
static struct str
read_text(struct bytes *bytes)
{
	uint32_t len = bytes_u32(bytes);
	struct str text = bytes_text(bytes, len);

	return str_take(text, str_find(text, '\0'));
}

static void
name_events(struct attrs *attrs, struct bytes bytes)
{
	uint32_t count = bytes_u32(&bytes), size = bytes_u32(&bytes), i, ids;
	struct str name;

	for (i = 0; i < count && !bytes.failed; i++) {
		bytes_skip(&bytes, size);
		ids = bytes_u32(&bytes);
		name = read_text(&bytes);
		bytes_skip(&bytes, ids * (uint64_t)sizeof(uint64_t));
		if (!bytes.failed)
			attrs_name(attrs, i, name);
	}
}

/* Names events from simpleperf's keys and values, each ended by a NUL. */
static void
name_simpleperf_events(struct attrs *attrs, struct bytes bytes)
{
	struct table events = { .count = 0 };	/* by type and config: ",0,0" */
	struct str *names = NULL, key, value, line;
	char event[48];
	size_t room = 0, type, config, i;
	uint32_t number;

	while (bytes_left(&bytes) > 0) {
		key = bytes_string(&bytes);
		value = bytes_string(&bytes);
		while (str_equal(key, STR("event_type_info")) &&
		    value.len > 0) {
			/* "cpu-cycles:u,0,0" */
			line = str_cut(&value, '\n');
			config = str_find_last(line, ',');
			type = str_find_last(str_take(line, config), ',');
			if (type == config)
				continue;
			number = table_add(&events, str_skip(line, type));
			*LIST_AT(names, number, room) = str_take(line, type);
		}
	}
	for (i = 0; i < attrs->count; i++) {
		snprintf(event, sizeof(event), ",%lu,%llu",
		    (unsigned long)attrs->list[i].type,
		    (unsigned long long)attrs->list[i].config);
		number = table_find(&events, str_from(event));
		if (number != TABLE_NONE)
			attrs_name(attrs, i, names[number]);
	}
	free(names);
	table_free(&events);
}

static void
note_ids(struct modules *modules, struct str section)
{
	struct record_fields fields;
	struct record record;

	while (section.len >= RECORD_HEADER) {
		record = record_at(section.data);
		if (record.bytes.len < RECORD_HEADER ||
		    record.bytes.len > section.len)
			return;
		record.type = RECORD_BUILD_ID;	/* perf leaves it 0 in files */
		if (record_fields(&record, &fields))
			modules_note_id(modules, fields.name, fields.build_id,
			    record_mode(&record) == MODE_KERNEL);
		section = str_skip(section, record.bytes.len);
	}
}

/* Reads what there is of a section; it stays as long as the file. */
static struct bytes
read_at(struct datafile *file, struct header_section place)
{
	struct str section = STR("");
	char *data;
	ssize_t got;

	if (place.size > 0 && place.size <= file->section_bytes &&
	    place.offset <= INT64_MAX - place.size) {
		file->section_bytes -= place.size;
		data = arena_take(&file->arena, (size_t)place.size);
		got = reader_pread(file->parts->fd, data, (size_t)place.size,
		    place.offset);
		section = (struct str){ data, got > 0 ? (size_t)got : 0 };
	}
	file->lacks_sections |= section.len < place.size;
	return bytes_from(section);
}

static void
read_events(struct datafile *file)
{
	const struct header *header = &file->header;
	struct bytes list = read_at(file, header->events);
	struct bytes event, ids;

	while (header->event_size <= bytes_left(&list)) {
		event = bytes_take(&list, header->event_size);
		ids = bytes_from_offset(&event, header->event_size -
		    sizeof(header->events));
		attrs_add(&file->attrs, attr_read(&event),
		    read_at(file, read_section(&ids)));
	}
}

/* Takes the contents of a header section, or of its record in a pipe. */
static void
take_feature(struct datafile *file, uint64_t feature, struct bytes bytes)
{
	struct str section = { (const char *)bytes.next, bytes_left(&bytes) };

	switch (feature) {
	case FEATURE_TRACING_DATA:
		formats_add(&file->formats, section);
		break;
	case FEATURE_BUILD_IDS:
		note_ids(file->modules, section);
		break;
	case FEATURE_RELEASE:
		file->release = arena_copy(&file->arena, read_text(&bytes));
		break;
	case FEATURE_MACHINE:
		file->machine = arena_copy(&file->arena, read_text(&bytes));
		break;
	case FEATURE_EVENTS:
		name_events(&file->attrs, bytes);
		break;
	case FEATURE_TIMES:
		file->first = bytes_u64(&bytes);
		file->last = bytes_u64(&bytes);
		break;
	case FEATURE_SIMPLEPERF_META:
		name_simpleperf_events(&file->attrs, bytes);
		break;
	case FEATURE_SIMPLEPERF_FILE:
	case FEATURE_SIMPLEPERF_FILE_2:
		file->lacks_sections |= !simpleperf_add(
		    &file->modules->simpleperf, section,
		    feature == FEATURE_SIMPLEPERF_FILE_2);
		break;
	}
}

/* The places of the sections follow the records, in the order of bits. */
static void
read_features(struct datafile *file)
{
	static const unsigned char wanted[] = { FEATURE_TRACING_DATA,
		FEATURE_BUILD_IDS, FEATURE_RELEASE, FEATURE_MACHINE,
		FEATURE_EVENTS, FEATURE_TIMES, FEATURE_SIMPLEPERF_FILE,
		FEATURE_SIMPLEPERF_FILE_2, FEATURE_SIMPLEPERF_META };
	unsigned feature;
	struct header_section place = { file->parts->end, 0 };
	struct bytes bytes;

	for (feature = 0; feature < HEADER_FEATURES; feature++)
		if (header_has(&file->header, feature))
			place.size += sizeof(place);
	bytes = read_at(file, place);
	for (feature = 0; feature < HEADER_FEATURES; feature++) {
		if (!header_has(&file->header, feature))
			continue;
		place = read_section(&bytes);
		if (!bytes.failed &&
		    memchr(wanted, (int)feature, sizeof(wanted)) != NULL)
			take_feature(file, feature, read_at(file, place));
	}
}

static void
add_part(struct datafile *file, const char *name, int fd)
{
	*LIST_ADD(file->parts, file->count, file->room) = (struct reader){
	    .blocks = &file->blocks, .attrs = &file->attrs, .name = name,
	    .fd = fd, .end = READER_NO_END };
}

static bool
is_regular(int folder, const char *name)
{
	struct stat status;

	return fstatat(folder, name, &status, 0) == 0 &&
	    S_ISREG(status.st_mode);
}

bool
datafile_is_folder(int fd)
{
	return is_regular(fd, FOLDER_HEADER);
}

static const char *
path_of(struct datafile *file, const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = arena_take(&file->arena, size);

	snprintf(path, size, "%s/%s", folder, name);
	return path;
}

/* By number: data.2 before data.10. */
static int
compare_parts(const void *left, const void *right)
{
	const char *a = ((const struct reader *)left)->name;
	const char *b = ((const struct reader *)right)->name;
	size_t len = strlen(a), other = strlen(b);

	return len != other ? (len < other ? -1 : 1) : strcmp(a, b);
}

/* Opens the header's file and the files of threads; false if one fails. */
static bool
open_folder(struct datafile *file, const char *name, int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_CLOEXEC), opened = -1;
	DIR *names = fdopendir(copy);
	const char *part = FOLDER_HEADER;
	const struct dirent *entry;

	if (names == NULL) {
		close(copy);
		return false;
	}
	while (part != NULL) {
		opened = openat(fd, part, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (opened < 0)
			break;
		add_part(file, path_of(file, name, part), opened);
		do
			entry = readdir(names);
		while (entry != NULL && (strncmp(entry->d_name,
		    FOLDER_HEADER ".", 5) != 0 ||
		    !is_regular(fd, entry->d_name)));
		part = entry == NULL ? NULL : entry->d_name;
	}
	closedir(names);
	if (opened < 0)
		return false;
	qsort(file->parts, file->count, sizeof(*file->parts), compare_parts);
	if (is_regular(fd, KALLSYMS))
		file->kallsyms = path_of(file, name, KALLSYMS);
	return true;
}

const char *
datafile_open(struct datafile *file, const char *name, int fd,
    struct str ahead, struct modules *modules)
{
	struct header *header = &file->header;
	struct reader *reader;
	char begins[HEADER_MOST];
	const char *trouble;
	ssize_t got;

	*file = (struct datafile){ .modules = modules,
	    .section_bytes = SECTIONS_MOST };
	file->is_folder = datafile_is_folder(fd);
	if (!file->is_folder)
		add_part(file, name, fd);
	else if (open_folder(file, name, fd)) {
		got = reader_pread(file->parts->fd, begins, HEADER_MOST, 0);
		ahead = (struct str){ begins, got > 0 ? (size_t)got : 0 };
	} else
		return "not all of its files can be opened";
	reader = file->part = file->parts;
	trouble = read_header(ahead, header);
	if (trouble != NULL)
		return trouble;
	if (file->count > 1 && header->is_pipe)
		return "the recording is a folder with a pipe's header";
	reader->is_pipe = header->is_pipe;
	if (header->is_pipe) {
		reader->stored.ahead = str_skip(ahead, HEADER_PIPE);
		reader->at = HEADER_PIPE;
		return NULL;
	}
	/* offsets need a file */
	if (lseek(reader->fd, 0, SEEK_CUR) < 0) {
		file->copy = packed_copy(reader->fd, ahead);
		if (file->copy == NULL)
			return "the recording cannot be copied to a temporary "
			    "file";
		reader->fd = fileno(file->copy);
	}
	if (header->data.offset > INT64_MAX ||
	    header->data.size > INT64_MAX - header->data.offset)
		return "the recording has a header with impossible sizes";
	reader->at = header->data.offset;
	if (header->data.size > 0)
		reader->end = header->data.offset + header->data.size;
	read_events(file);
	if (header->data.size > 0)
		read_features(file);
	return NULL;
}

/* Goes on with the part that has come least far; false if all are read. */
static bool
choose_part(struct datafile *file)
{
	struct reader *part;

	file->part = file->parts;
	for (part = file->parts; part < file->parts + file->count; part++)
		if (part->time < file->part->time)
			file->part = part;
	file->turn = 0;
	return file->part->time < READER_DONE;
}

bool
datafile_find_next(struct datafile *file, struct record *record,
    struct block **block)
{
	uint64_t time;

	if (file->turn == TURN)
		choose_part(file);
	while (!reader_next(file->part, record, block)) {
		file->part->time = READER_DONE;
		if (!choose_part(file))
			return false;
	}
	if (record->type >= RECORD_OWN)
		return true;
	time = record_turn(record, &file->attrs, true);
	if (time > 0)
		file->part->time = time;
	file->turn++;
	return true;
}

bool
datafile_take(struct datafile *file, const struct record *record)
{
	struct bytes bytes = bytes_from(str_skip(record->bytes, RECORD_HEADER));
	struct attrs *attrs = &file->attrs;
	struct text data = { 0 };
	struct str section = STR(""), name;
	struct attr attr;
	const struct attr *named;
	uint64_t kind, size;
	bool has_room;

	switch (record->type) {
	case RECORD_ATTR:
		attr = attr_read(&bytes);
		if (!bytes.failed)
			attrs_add(attrs, attr, bytes);
		return true;
	case RECORD_EVENT_UPDATE:
		kind = bytes_u64(&bytes);
		named = attrs_by_id(attrs, bytes_u64(&bytes));
		name = bytes_string(&bytes);
		if (!bytes.failed && kind == UPDATE_NAME)
			attrs_name(attrs, named == NULL ? 0 :
			    (size_t)(named - attrs->list), name);
		return true;
	case RECORD_FEATURE:
		kind = bytes_u64(&bytes);
		take_feature(file, kind, bytes);
		return true;
	case RECORD_TRACING_DATA:
		size = bytes_u32(&bytes);
		has_room = size + 7 <= file->section_bytes;
		/* simpleperf stores the data in the record */
		if (size <= bytes_left(&bytes))
			section = bytes_text(&bytes, has_room ? size : 0);
		else if (reader_take_bytes(file->part, (size + 7) / 8 * 8,
		    has_room ? &data : NULL))
			section = text_str(&data);
		formats_add(&file->formats, section);
		file->lacks_sections |= section.len < size;
		file->section_bytes -= section.len;
		free(data.data);
		return true;
	case RECORD_BUILD_ID:
		note_ids(file->modules, record->bytes);
		break;
	}
	return false;
}

bool
datafile_is_foreign(const struct datafile *file, uint16_t *machine)
{
	static const char *const x86[] = { "i386", "i486", "i586", "i686",
		NULL };
	struct str release = file->release, name = file->machine;
	struct utsname here;

	*machine = 0;
	if (uname(&here) < 0)
		return false;
	if (name.len == 0 || str_equal(name, str_from(here.machine)))
		return release.len > 0 &&
		    !str_equal(release, str_from(here.release));
	/* names may go on: "armv7l" */
	*machine = str_starts(name, STR("x86_64")) ? ELF_X86_64 :
	    str_starts(name, STR("aarch64")) ? ELF_AARCH64 :
	    str_starts(name, STR("armv")) ? ELF_ARM :
	    str_any(str_starts, name, x86) ? ELF_386 : 0;
	return true;
}

uint64_t
datafile_given(const struct datafile *file)
{
	uint64_t given = 0;
	size_t i;

	for (i = 0; i < file->count; i++)
		given += reader_given(&file->parts[i]);
	return given;
}

bool
datafile_report_gaps(const struct datafile *file)
{
	bool was_killed = !file->header.is_pipe && file->header.data.size == 0;
	bool found = false;
	size_t i;

	for (i = 0; i < file->count; i++)
		found |= reader_report(&file->parts[i], was_killed && i == 0);
	if (file->lacks_sections && !found)
		message_warn("%s: parts of its header are cut off or "
		    "impossibly large, and are left out",
		    file->parts->name);
	return found || file->lacks_sections;
}

void
datafile_close(struct datafile *file)
{
	size_t i;

	for (i = 0; i < file->count; i++) {
		child_stop(&file->parts[i].zstd);
		free(file->parts[i].printed.data);
		if (file->is_folder)
			close(file->parts[i].fd);
	}
	free(file->parts);
	while (file->blocks.count > 0)
		free(file->blocks.list[--file->blocks.count]);
	free(file->blocks.list);
	if (file->copy != NULL)
		fclose(file->copy);
	attrs_free(&file->attrs);
	formats_free(&file->formats);
	arena_free(&file->arena);
}
