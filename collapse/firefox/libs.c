#include <stdlib.h>

#include "libs.h"

/* Reads a text, the next value, into the arena. */
static struct str
read_text(struct json *json, struct libs *libs)
{
	struct str text = STR("");

	json_text(json, &text);
	return arena_copy(&libs->arena, text);
}

static uint64_t
read_address(struct json *json)
{
	const double most = 1.8e19;
	double number = 0;

	json_number(json, &number);
	return number > 0 && number < most ? (uint64_t)number : 0;
}

static void
read_member(struct json *json, struct libs *libs, struct str key,
    struct lib *lib)
{
	if (str_equal(key, STR("path")))
		lib->path = read_text(json, libs);
	else if (str_equal(key, STR("name")))
		lib->name = read_text(json, libs);
	else if (str_equal(key, STR("codeId")))
		lib->build_id = read_text(json, libs);
	else if (str_equal(key, STR("breakpadId")))
		lib->breakpad_id = read_text(json, libs);
	else if (str_equal(key, STR("start")))
		lib->start = read_address(json);
	else if (str_equal(key, STR("end")))
		lib->end = read_address(json);
	else if (str_equal(key, STR("offset")))
		lib->offset = read_address(json);
	else
		json_skip(json);
}

void
libs_read(struct json *json, struct libs *libs)
{
	struct str key;
	struct lib *lib;

	if (!json_enters(json, JSON_ARRAY))
		return;
	while (json_element(json)) {
		libs->list = mem_grow(libs->list, &libs->room,
		    libs->count + 1, sizeof(*libs->list));
		lib = &libs->list[libs->count++];
		*lib = (struct lib){ .start = 0 };
		json->made += sizeof(*lib);
		if (json_enters(json, JSON_OBJECT))
			while (json_member(json, &key))
				read_member(json, libs, key, lib);
	}
}

void
libs_free(struct libs *libs)
{
	free(libs->list);
	free(libs->order);
	arena_free(&libs->arena);
}

static int
compare(const void *a, const void *b)
{
	const struct lib *one = *(const struct lib *const *)a;
	const struct lib *other = *(const struct lib *const *)b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static void
sort(struct libs *libs)
{
	size_t i;

	libs->order = mem_array(libs->count, sizeof(*libs->order));
	for (i = 0; i < libs->count; i++)
		libs->order[i] = &libs->list[i];
	qsort(libs->order, libs->count, sizeof(*libs->order), compare);
}

const struct lib *
libs_find(struct libs *libs, uint64_t address)
{
	size_t from = 0, to = libs->count, middle;

	if (libs->order == NULL)
		sort(libs);
	while (from < to) {
		middle = from + (to - from) / 2;
		if (libs->order[middle]->start <= address)
			from = middle + 1;
		else
			to = middle;
	}
	return from > 0 && address < libs->order[from - 1]->end ?
	    libs->order[from - 1] : NULL;
}
