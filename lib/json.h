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
 * After the first mistake arrays and objects have nothing more in them, and
 * values are JSON_NONE, so that loops end.
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
	struct str text;		/* the last one, or the last number's
					   digits, until the next call */
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

/* Steps over the next value. */
void json_skip(struct json *json);

/* Steps over the rest of a value that was read. */
void json_leave(struct json *json, enum json_type type);

/* True if the next value is of this type; steps over one that is not. */
bool json_enters(struct json *json, enum json_type type);

/*
 * Stores the next value as str_fixed does, if it is a number or, as some write
 * large ones, a text that is one; false if it is neither, or does not fit.
 */
bool json_fixed(struct json *json, int places, int64_t *fixed);

/* Reads the next value into what is `at` the offset of its row. */
typedef void json_reader(struct json *json, void *at);

/*
 * A member of an object that is read into a struct.  Members without a row, and
 * values of a wrong type, are stepped over.
 */
struct json_row {
	const char *name;	/* NULL: the end of the rows */
	json_reader *reader;	/* NULL: an object, with these `rows` */
	size_t offset;		/* in the struct */
	const struct json_row *rows;	/* or JSON_EACH: each value of an array
					   is read */
};

extern const struct json_row json_each_value[];
#define JSON_EACH	json_each_value

/* Returns the row of a name, or NULL. */
const struct json_row *json_find_row(const struct json_row *rows,
    struct str name);

/*
 * Read an object, the next value, or an array, whose values are each read into
 * `at`; false if the value is of another type.
 */
bool json_object(struct json *json, const struct json_row *rows, void *at);
bool json_each(struct json *json, json_reader *reader, void *at);

/* Reads the rest of an object that was entered. */
void json_members(struct json *json, const struct json_row *rows, void *at);

/*
 * Store a text, or the digits of a number as well, in a struct str that lives
 * as long as json->texts.
 */
json_reader json_to_str, json_to_name;

/* Store a number, if it is one, or, in a bool, that the member is there. */
json_reader json_to_double, json_to_flag;

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
