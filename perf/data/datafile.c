#include <sys/utsname.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "datafile.h"
#include "lib/message.h"
#include "symbols/elf/elf.h"

#define SECTIONS_MOST	((uint64_t)64 * 1024 * 1024)	/* in all */
#define TURN		256	/* records read of a file, if others wait */

/* Reads what there is of `len` bytes at an offset. */
static struct str
read_at(struct datafile *file, struct header_section place, struct text *text)
{
	uint64_t done = 0;
	ssize_t got = 1;
	char *data;

	text->len = 0;
	if (place.size == 0)
		return STR("");
	if (place.size > file->section_bytes ||
	    place.offset > INT64_MAX - place.size) {
		file->lacks_sections = true;
		return STR("");
	}
	file->section_bytes -= place.size;
	data = text_extend(text, (size_t)place.size);
	while (done < place.size && (got > 0 || (got < 0 && errno == EINTR))) {
		got = pread(file->parts->reader.fd, data + done,
		    (size_t)(place.size - done),
		    (off_t)(place.offset + done));
		done += got > 0 ? (uint64_t)got : 0;
	}
	file->lacks_sections |= done < place.size;
	return (struct str){ data, (size_t)done };
}

static void
read_events(struct datafile *file)
{
	const struct header *header = &file->header;
	struct text list_text = { 0 }, ids_text = { 0 };
	struct str list = read_at(file, header->events, &list_text);
	struct header_section ids;
	struct attr attr;

	while (header->event_size <= list.len) {
		ids = header_read_event(str_take(list,
		    (size_t)header->event_size), &attr);
		attrs_add(&file->attrs, attr);
		header_add_counters(&file->attrs,
		    read_at(file, ids, &ids_text));
		list = str_skip(list, (size_t)header->event_size);
	}
	free(list_text.data);
	free(ids_text.data);
}

/* Adds formats of tracepoints. */
static void
add_formats(struct datafile *file, struct str data)
{
	const char *trouble = formats_add(&file->formats, data);

	if (trouble != NULL)
		file->formats_trouble = trouble;
}

void
datafile_take_feature(struct datafile *file, uint64_t feature,
    struct str section, struct modules *modules)
{
	struct bytes bytes = bytes_from(section);

	switch (feature) {
	case FEATURE_TRACING_DATA:
		add_formats(file, section);
		break;
	case FEATURE_BUILD_IDS:
		header_note_ids(modules, section);
		break;
	case FEATURE_RELEASE:
		file->release = arena_copy(&file->arena, header_text(section));
		break;
	case FEATURE_MACHINE:
		file->machine = arena_copy(&file->arena, header_text(section));
		break;
	case FEATURE_EVENTS:
		header_name_events(&file->attrs, section);
		break;
	case FEATURE_TIMES:
		file->first = bytes_u64(&bytes);
		file->last = bytes_u64(&bytes);
		break;
	case FEATURE_SIMPLEPERF_META:
		header_name_simpleperf_events(&file->attrs, section);
		break;
	case FEATURE_SIMPLEPERF_FILE:
	case FEATURE_SIMPLEPERF_FILE_2:
		file->lacks_sections |= !simpleperf_add(&modules->simpleperf,
		    section, feature == FEATURE_SIMPLEPERF_FILE_2);
		break;
	default:
		break;
	}
}

/* The places of the sections follow the records, in the order of bits. */
static void
read_features(struct datafile *file, struct modules *modules)
{
	static const bool wanted[HEADER_FEATURES] = {
		[FEATURE_TRACING_DATA] = true, [FEATURE_BUILD_IDS] = true,
		[FEATURE_RELEASE] = true, [FEATURE_MACHINE] = true,
		[FEATURE_EVENTS] = true, [FEATURE_TIMES] = true,
		[FEATURE_SIMPLEPERF_FILE] = true,
		[FEATURE_SIMPLEPERF_FILE_2] = true,
		[FEATURE_SIMPLEPERF_META] = true,
	};
	unsigned feature;
	struct header_section place = { file->parts->reader.end, 0 };
	struct text places = { 0 }, section = { 0 };
	struct bytes bytes;

	for (feature = 0; feature < HEADER_FEATURES; feature++)
		if (header_has(&file->header, feature))
			place.size += sizeof(place);
	bytes = bytes_from(read_at(file, place, &places));
	for (feature = 0; feature < HEADER_FEATURES; feature++) {
		if (!header_has(&file->header, feature))
			continue;
		place.offset = bytes_u64(&bytes);
		place.size = bytes_u64(&bytes);
		if (!bytes.failed && wanted[feature])
			datafile_take_feature(file, feature,
			    read_at(file, place, &section), modules);
	}
	free(places.data);
	free(section.data);
}

/*
 * Copies a recording that was not made for a pipe but comes through one to a
 * temporary file, because its header has offsets.
 */
static bool
spool(struct datafile *file)
{
	struct reader *reader = &file->parts->reader;
	char data[16 * 1024];
	FILE *copy = tmpfile();
	ssize_t got;

	if (copy == NULL)
		return false;
	while ((got = reader_read_pipe(reader, data, sizeof(data))) > 0)
		if (fwrite(data, 1, (size_t)got, copy) != (size_t)got)
			break;
	if (got != 0 || fflush(copy) != 0) {
		fclose(copy);
		return false;
	}
	file->copy = copy;
	reader->fd = fileno(copy);
	return true;
}

/* Adds a file of records from its start to its end. */
static struct reader *
add_part(struct datafile *file, struct folder_file from)
{
	struct part *part = &file->parts[file->count++];

	part->reader = (struct reader){
		.blocks = &file->blocks, .attrs = &file->attrs,
		.name = from.name, .fd = from.fd, .end = READER_NO_END
	};
	return &part->reader;
}

/* Opens the files of a folder, and reads what the first one begins with. */
static const char *
open_folder(struct datafile *file, const char *name, int fd, char *begins,
    struct str *ahead)
{
	struct folder *folder = &file->folder;
	const char *trouble = folder_open(folder, name, fd);
	ssize_t got;
	size_t i;

	if (trouble != NULL)
		return trouble;
	file->parts = mem_array(folder->count, sizeof(*file->parts));
	for (i = 0; i < folder->count; i++)
		add_part(file, folder->files[i]);
	got = pread(folder->files->fd, begins, HEADER_MOST, 0);
	*ahead = (struct str){ begins, got > 0 ? (size_t)got : 0 };
	return NULL;
}

static const char *
open_parts(struct datafile *file, const char *name, int fd, char *begins,
    struct str *ahead)
{
	if (folder_is_recording(fd))
		return open_folder(file, name, fd, begins, ahead);
	file->parts = mem_array(1, sizeof(*file->parts));
	add_part(file, (struct folder_file){ name, fd })->ahead = *ahead;
	return NULL;
}

/* Finds the records from the header. */
static const char *
open_header(struct datafile *file, struct modules *modules)
{
	const struct header *header = &file->header;
	struct reader *reader = &file->parts->reader;

	reader->is_pipe = header->is_pipe;
	if (header->is_pipe) {
		reader->ahead = str_skip(reader->ahead, HEADER_PIPE);
		reader->given = HEADER_PIPE;
		return NULL;
	}
	if (lseek(reader->fd, 0, SEEK_CUR) < 0 && !spool(file))
		return "the recording cannot be copied to a temporary file";
	if (header->data.offset > INT64_MAX ||
	    header->data.size > INT64_MAX - header->data.offset)
		return "the recording has a header with impossible sizes";
	reader->at = reader->given = header->data.offset;
	if (header->data.size > 0)
		reader->end = header->data.offset + header->data.size;
	read_events(file);
	if (header->data.size > 0)
		read_features(file, modules);
	return NULL;
}

const char *
datafile_open(struct datafile *file, const char *name, int fd,
    struct str ahead, struct modules *modules)
{
	char begins[HEADER_MOST];
	const char *trouble;

	*file = (struct datafile){ .section_bytes = SECTIONS_MOST };
	attrs_init(&file->attrs);
	formats_init(&file->formats);
	trouble = open_parts(file, name, fd, begins, &ahead);
	if (trouble == NULL)
		trouble = header_read(ahead, &file->header);
	if (trouble == NULL && file->count > 1 && file->header.is_pipe)
		trouble = "the recording is a folder with a pipe's header";
	if (trouble == NULL)
		trouble = open_header(file, modules);
	file->part = file->parts;
	return trouble;
}

/* Goes on with the part that has come least far; false if all are read. */
static bool
choose_part(struct datafile *file)
{
	struct part *part, *first = NULL;

	for (part = file->parts; part < file->parts + file->count; part++)
		if (!part->is_done &&
		    (first == NULL || part->time < first->time))
			first = part;
	file->part = first;
	file->turn = 0;
	return first != NULL;
}

/* Notes how far a part of several has come. */
static void
note_time(struct datafile *file, const struct record *record)
{
	const struct attr *attr;
	uint64_t time;

	if (record->type >= RECORD_OWN)
		return;
	attr = attrs_find(&file->attrs, record->bytes,
	    record->type == RECORD_SAMPLE);
	time = attr == NULL ? RECORD_NO_TIME : record_time(record, attr);
	if (time != RECORD_NO_TIME)
		file->part->time = time;
	file->turn++;
}

bool
datafile_find_next(struct datafile *file, struct record *record,
    struct block **block)
{
	do {
		if (file->turn == TURN)
			choose_part(file);
		if (reader_next(&file->part->reader, record, block)) {
			if (file->count > 1)
				note_time(file, record);
			return true;
		}
		file->part->is_done = true;
	} while (choose_part(file));
	file->part = file->parts;
	return false;
}

bool
datafile_has_rounds(const struct datafile *file)
{
	/* zstd may have older records that it has not printed yet */
	return file->count == 1 && !file->parts->reader.is_compressed;
}

void
datafile_take_formats(struct datafile *file, const struct record *record)
{
	struct text data = { 0 };

	if (reader_take_data(&file->part->reader, record, file->section_bytes,
	    &data))
		add_formats(file, text_str(&data));
	else
		file->formats_trouble = "they are cut off or impossibly large";
	file->section_bytes -= data.len;
	free(data.data);
}

bool
datafile_is_foreign(const struct datafile *file, uint16_t *machine)
{
	/* what their names begin with: "armv7l" has other versions */
	static const struct {
		struct str name;
		uint16_t number;
	} machines[] = {
		{ { "x86_64", 6 }, ELF_X86_64 },
		{ { "aarch64", 7 }, ELF_AARCH64 },
		{ { "armv", 4 }, ELF_ARM }, { { "i386", 4 }, ELF_386 },
		{ { "i486", 4 }, ELF_386 }, { { "i586", 4 }, ELF_386 },
		{ { "i686", 4 }, ELF_386 },
	};
	struct str release = file->release, name = file->machine;
	struct utsname here;
	size_t i;

	*machine = 0;
	if (uname(&here) < 0)
		return false;
	if (name.len == 0 || str_equal(name, str_from(here.machine)))
		return release.len > 0 &&
		    !str_equal(release, str_from(here.release));
	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (str_starts(name, machines[i].name))
			*machine = machines[i].number;
	return true;
}

uint64_t
datafile_given(const struct datafile *file)
{
	uint64_t given = 0;
	size_t i;

	for (i = 0; i < file->count; i++)
		given += file->parts[i].reader.given;
	return given;
}

/*
 * Reports how much of a file is missing, and why.  False if nothing is, for
 * example if perf record was killed after a complete record.
 */
static bool
report_end(const struct reader *reader, bool was_killed)
{
	unsigned long long missing = reader_missing(reader);
	const char *name = reader->name;
	bool unread = reader->failed != 0 || reader->no_zstd != 0 ||
	    reader_lacks_unpacked(reader);

	if (reader->failed != 0)
		message_warn("%s: %s", name, strerror(reader->failed));
	if (reader->no_zstd != 0)
		message_warn("%s: it is compressed, and zstd cannot be run: %s",
		    name, strerror(reader->no_zstd));
	else if (reader->is_bomb)
		message_warn("%s: the compressed data before byte %llu "
		    "expands more than %d times, as no recording's does; the "
		    "rest is left out", name,
		    (unsigned long long)reader->given, READER_RATIO);
	else if (!reader->damaged && reader_lacks_unpacked(reader))
		message_warn("%s: zstd cannot decompress all of it", name);
	if (reader->damaged)
		message_warn("%s is damaged at byte %llu; bytes that follow "
		    "and are left out: %llu", name,
		    (unsigned long long)reader->given, missing);
	else if (was_killed)
		message_warn("%s: perf record was ended before it had written "
		    "all; bytes at the end that are no whole record: %llu",
		    name, missing);
	else if (missing > 0 && reader->end == READER_NO_END)
		message_warn("%s is cut off; bytes at its end that are no "
		    "whole record: %llu", name, missing);
	else if (missing > 0)
		message_warn("%s is cut off; bytes that are missing at its "
		    "end: %llu", name, missing);
	return unread || reader->damaged || missing > 0;
}

bool
datafile_report_gaps(const struct datafile *file)
{
	bool was_killed = !file->header.is_pipe && file->header.data.size == 0;
	bool found = false;
	size_t i;

	for (i = 0; i < file->count; i++)
		found |= report_end(&file->parts[i].reader,
		    was_killed && i == 0);
	if (file->lacks_sections && !found)
		message_warn("%s: parts of its header are cut off or "
		    "impossibly large, and are left out",
		    file->parts->reader.name);
	return found || file->lacks_sections;
}

void
datafile_close(struct datafile *file)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		reader_close(&file->parts[i].reader);
	free(file->parts);
	blocks_free(&file->blocks);
	folder_close(&file->folder);
	if (file->copy != NULL)
		fclose(file->copy);
	attrs_free(&file->attrs);
	formats_free(&file->formats);
	arena_free(&file->arena);
}
