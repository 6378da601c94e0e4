/*
 * A root that is not the last one begins with a line end, which no name has:
 *
 *	\nperf.txt\n23158\n:23158
 *
 * It is the table's key after that.  So the threads' roots are the same ones.
 */
#include <stdlib.h>

#include "ended.h"

void
ended_init(struct ended *ended)
{
	*ended = (struct ended){ .file = NULL };
	intmap_init(&ended->known);
	table_init(&ended->roots);
}

/* Notes a root by its key, if no place before this one was noted. */
static void
note_place(struct ended *ended, struct str key, uint64_t place)
{
	uint32_t count = ended->roots.count;
	uint32_t number = table_add(&ended->roots, key);

	ended->places = mem_grow(ended->places, &ended->room, number + 1,
	    sizeof(*ended->places));
	if (number == count || place < ended->places[number])
		ended->places[number] = place;
}

/* Returns the number of the root's last name, or of another one until then. */
static uint32_t
note_root(struct ended *ended, struct namer *namer, struct root root,
    struct str number, bool is_number, uint64_t place)
{
	struct text *key = &ended->key;
	struct str noted;

	key->len = 0;
	text_add_char(key, '\n');
	text_add(key, str_from(ended->file));
	text_add_char(key, '\n');
	text_add(key, number);
	text_add_char(key, '\n');
	text_add(key, root.name);
	noted = str_skip(text_str(key), 1);
	note_place(ended, noted, place);
	return is_number ? table_add(&namer->names, text_str(key)) :
	    root.frame;
}

struct root
ended_note(struct ended *ended, struct namer *namer, struct root root,
    const struct thread_id *thread, const char *file, uint64_t place)
{
	struct str number = thread->tid.len > 0 ? thread->tid : thread->pid;
	unsigned long long value;
	uint32_t *known;
	bool is_number;

	if (!str_number(number, &value) || value > UINT32_MAX)
		return root;
	if (file != ended->file) {
		intmap_free(&ended->known);
		intmap_init(&ended->known);
		ended->file = file;
	}
	is_number = str_starts(thread->comm, STR(":")) &&
	    str_equal(str_skip(thread->comm, 1), number);
	known = intmap_at(&ended->known,
	    intmap_pair((uint32_t)value, root.frame));
	if (*known == 0)
		*known = 1 + note_root(ended, namer, root, number, is_number,
		    place);
	root.frame = *known - 1;
	root.name = namer->names.keys[root.frame];
	return root;
}

void
ended_merge(struct ended *ended, const struct ended *other)
{
	uint32_t i;

	for (i = 0; i < other->roots.count; i++)
		note_place(ended, other->roots.keys[i], other->places[i]);
}

/* The roots of one thread in one file, in the order of their keys. */
struct thread_roots {
	const uint32_t *list;
	size_t count;
};

/* Returns "FILE\nNUMBER\n" of a key. */
static struct str
thread_of(struct str key)
{
	return str_take(key, str_find_last(key, '\n') + 1);
}

static struct thread_roots
next_thread(const struct ended *ended, const uint32_t *list, size_t count)
{
	const struct str *keys = ended->roots.keys;
	struct str thread = thread_of(keys[list[0]]);
	size_t i = 1;

	while (i < count && str_equal(thread_of(keys[list[i]]), thread))
		i++;
	return (struct thread_roots){ list, i };
}

/* Returns the frame of a root that is not the last one, or TABLE_NONE. */
static uint32_t
frame_of(struct str key, const struct table *names, struct text *name)
{
	name->len = 0;
	text_add_char(name, '\n');
	text_add(name, key);
	return table_find(names, text_str(name));
}

/*
 * Gives the thread's roots that have a number the name of the last one before
 * them, or else their own.
 */
static void
name_thread(const struct ended *ended, struct thread_roots roots,
    const struct table *names, struct str *renamed)
{
	const struct str *keys = ended->roots.keys;
	uint64_t first = UINT64_MAX, last = 0, place;
	struct text text = { 0 };
	struct str found = STR("");
	uint32_t frame;
	size_t i;

	for (i = 0; i < roots.count; i++)
		if (frame_of(keys[roots.list[i]], names, &text) != TABLE_NONE &&
		    ended->places[roots.list[i]] < first)
			first = ended->places[roots.list[i]];
	for (i = 0; first != UINT64_MAX && i < roots.count; i++) {
		place = ended->places[roots.list[i]];
		if (place >= first || (found.len > 0 && place < last))
			continue;
		found = keys[roots.list[i]];
		last = place;
	}
	for (i = 0; first != UINT64_MAX && i < roots.count; i++) {
		frame = frame_of(keys[roots.list[i]], names, &text);
		if (frame != TABLE_NONE)
			renamed[frame] = found.len > 0 ? found :
			    keys[roots.list[i]];
	}
	free(text.data);
}

static bool
is_last(struct str name)
{
	return !str_starts(name, STR("\n"));
}

static bool
all_are_last(const struct table *names)
{
	uint32_t i;

	for (i = 0; i < names->count; i++)
		if (!is_last(names->keys[i]))
			return false;
	return true;
}

struct str *
ended_names(const struct ended *ended, const struct table *names)
{
	uint32_t *order, i;
	struct thread_roots roots;
	struct str *renamed;

	if (all_are_last(names))
		return NULL;
	renamed = mem_array(names->count, sizeof(*renamed));
	for (i = 0; i < names->count; i++)
		renamed[i] = names->keys[i];
	order = table_order(&ended->roots);
	for (i = 0; i < ended->roots.count; i += (uint32_t)roots.count) {
		roots = next_thread(ended, order + i, ended->roots.count - i);
		name_thread(ended, roots, names, renamed);
	}
	free(order);
	for (i = 0; i < names->count; i++)
		if (!is_last(names->keys[i]))
			renamed[i] = str_skip(renamed[i],
			    thread_of(renamed[i]).len);
	return renamed;
}
