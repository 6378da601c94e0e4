/*
 * json: reads JSON (RFC 8259) as it comes, in pieces, in the memory of its
 * longest text, and writes the parts that need care.
 *
 *	static const struct json_row rows[] = {
 *		{ "name", json_to_str, offsetof(struct file, name), NULL },
 *		{ "counts", read_counts, 0, NULL },
 *		{ NULL, NULL, 0, NULL }
 *	};
 *
 *	json_begin(&json, next_piece, context);
 *	json_object(&json, rows, &file);
 *	json_end(&json);
 *	if (json.trouble != NULL)
 *		(what is wrong, at json_offset(&json))
 *
 * Only the first mistake is found: from then on arrays and objects have nothing
 * more in them, and values are JSON_NONE, so that loops end.
 */
#ifndef JSON_H
#define JSON_H

#include "mem.h"
#include "text.h"

enum json_type {
	JSON_NONE,		/* something is wrong */
	JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT,
	JSON_ARRAY, JSON_OBJECT
};

#define JSON_DEPTH	4096	/* arrays and objects within each other */

/* Gives the next bytes, one at least; false at the end. */
typedef bool json_source(void *context, struct str *piece);

struct json {
	json_source *source;
	void *context;
	const char *next, *end;		/* of the piece */
	unsigned long long before;	/* up to the end of the piece */
	const char *trouble;		/* NULL: none */
	unsigned long long failed;	/* the offset of the trouble */
	bool ends_early;		/* that is the trouble */
	double number;			/* the last one */
	struct str text;		/* the last one, or the digits of the
					   last number; it lives until the
					   next call */
	bool skipping;			/* values are not wanted */
	bool first;			/* the next value is the first of the
					   innermost array or object */
	unsigned depth;
	char ends[JSON_DEPTH];		/* of what was entered */
	struct text scratch;
	struct arena texts;		/* that json_to_str has stored */
};

void json_begin(struct json *json, json_source *source, void *context);

/* Reads the next value; an array or object is then to be read to its end. */
enum json_type json_value(struct json *json);

/* True if the array that was entered has another value. */
bool json_element(struct json *json);

/* Does the same with an object, and stores the name of the value. */
bool json_member(struct json *json, struct str *key);

/* Reads the next value, and leaves it again. */
void json_skip(struct json *json);

/* Steps over the rest of a value that was read, if it is to be left. */
void json_leave(struct json *json, enum json_type type);

/* True if the next value is of this type; steps over one that is not. */
bool json_enters(struct json *json, enum json_type type);

/* Store the next value if it is a text, or a number; else step over it. */
static inline bool
json_text(struct json *json, struct str *text)
{
	if (!json_enters(json, JSON_TEXT))
		return false;
	*text = json->text;
	return true;
}

static inline bool
json_number(struct json *json, double *number)
{
	if (!json_enters(json, JSON_NUMBER))
		return false;
	*number = json->number;
	return true;
}

/*
 * Stores the next value as str_fixed does, if it is a number or, as some write
 * large ones, a text that is one; false if it is neither, or does not fit.
 */
bool json_fixed(struct json *json, int places, int64_t *fixed);

/* Reads the next value into what is `at` the offset of its row. */
typedef void json_reader(struct json *json, void *at);

/*
 * A member of an object that is read into a struct.  Rows are in the order in
 * which members mostly come.  Others, and values of wrong types, are skipped.
 */
struct json_row {
	const char *name;	/* NULL: the end of the rows */
	json_reader *reader;	/* NULL: an object, with these `rows` */
	size_t offset;		/* in the struct; 0 for an object */
	const struct json_row *rows;	/* JSON_EACH: it is an array, whose
					   values are each read */
};

extern const struct json_row json_each_value[];
#define JSON_EACH	json_each_value

/* Returns the row of a name, or NULL. */
const struct json_row *json_find_row(const struct json_row *rows,
    struct str name);

/* Reads an object, the next value; false if it is of another type. */
bool json_object(struct json *json, const struct json_row *rows, void *at);

/* Reads the rest of an object that was entered. */
void json_members(struct json *json, const struct json_row *rows, void *at);

/* Reads an array, the next value: each of its values is read into `at`. */
void json_each(struct json *json, json_reader *reader, void *at);

/*
 * Store a text, or the digits of a number as well, in a struct str: it lives
 * until json_forget(), or until the caller frees json->texts.
 */
json_reader json_to_str, json_to_name;

/* Store a number as a double, or, in a bool, that the member is there. */
json_reader json_to_double, json_to_flag;

/* Frees the texts that were stored since `before` was a copy of json->texts. */
static inline void
json_forget(struct json *json, struct arena before)
{
	arena_free_since(&json->texts, before);
}

/* Checks that nothing follows, and frees all but the texts. */
void json_end(struct json *json);

/* Returns how many bytes were read. */
unsigned long long json_offset(const struct json *json);

/*
 * Adds s as a string, with its quotes.  U+FFFD replaces each byte that is not
 * UTF-8.  Characters that move a terminal's cursor, end lines or turn their
 * direction are escaped, as "\u001b" is.
 */
void json_add_string(struct text *json, struct str s);

/*
 * Adds a number with the digits that it takes to read the same one again, and
 * without a point if it has no fraction; null if it is not finite.
 */
void json_add_number(struct text *json, double number);

#endif
