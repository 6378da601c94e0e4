/*
 * json: reads JSON (RFC 8259) as it comes, in pieces, in the memory of its
 * longest text.
 *
 *	json_begin(&json, next_piece, file);
 *	if (json_value(&json) == JSON_OBJECT)
 *		while (json_member(&json, &key))
 *			if (!str_equal(key, STR("counts")))
 *				json_skip(&json);
 *			else if (json_enters(&json, JSON_ARRAY))
 *				while (json_element(&json))
 *					add(json_number(&json));
 *	json_end(&json);
 *	if (json.trouble != NULL)
 *		(what is wrong, at json_offset(&json))
 *
 * Only the first mistake is found: from then on arrays and objects have nothing
 * more in them, and values are JSON_NONE, so that loops end.
 */
#ifndef JSON_H
#define JSON_H

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
	unsigned long long before;	/* bytes of it and those before */
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
	char ends[JSON_DEPTH];		/* of those that were entered */
	struct text scratch;
};

void json_begin(struct json *json, json_source *source, void *context);

/*
 * Reads the next value, and enters an array or object: it is then to be read to
 * its end.
 */
enum json_type json_value(struct json *json);

/* True if the array that was entered has another value, which is next. */
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

/* Copies the next value if it is a text; else text is empty then. */
static inline void
json_copy_text(struct json *json, struct text *text)
{
	struct str value = STR("");

	json_text(json, &value);
	text->len = 0;
	text_add(text, value);
}

/* Checks that nothing follows, and frees what is needed to read. */
void json_end(struct json *json);

/* Returns how many bytes were read. */
unsigned long long json_offset(const struct json *json);

#endif
