/*
 * marshal: reads the format of Python's marshal.dump(), of versions 0 to 5:
 * numbers, texts, and tuples, lists, sets and dictionaries of these.
 *
 * A value is the letter of its type and its bytes.  If the top bit is set, the
 * value gets a number, by which it can be named later:
 *
 *	0xa9 2 'i' 5 0 0 0 'N'		the tuple (5, None), number 0
 *	'r' 0 0 0 0			it again
 *
 * Texts are not copied: they are the input's.
 */
#ifndef MARSHAL_H
#define MARSHAL_H

#include "lib/bytes.h"
#include "lib/mem.h"
#include "lib/text.h"

enum value_type {
	VALUE_OTHER,		/* None, True, a complex number... */
	VALUE_INTEGER, VALUE_FLOAT,
	VALUE_TEXT,		/* or bytes */
	VALUE_TUPLE, VALUE_LIST, VALUE_SET,
	VALUE_DICTIONARY	/* its items are keys and values by turns */
};

struct value {
	enum value_type type;
	uint32_t mark;		/* for the caller; 0 at first */
	union {
		int64_t integer;	/* the nearest, if it is too large */
		double number;		/* of a float */
		struct str text;
		struct {
			struct value **list;
			size_t count;
		} items;
	} as;
};

/* It begins with its first member set. */
struct marshal {
	struct bytes bytes;
	struct arena values;
	struct value **numbered;	/* NULL while it is being read */
	size_t count, room;
	struct value **strings;	/* texts that Python 2 numbered, type 't' */
	size_t string_count, string_room;
	struct value **items;	/* items of all open values, so far */
	size_t open, item_room;
	size_t depth;		/* of values in values */
	struct value other;	/* the one of type VALUE_OTHER */
	const char *trouble;	/* what is wrong, or NULL */
	size_t at;		/* the byte where it is wrong */
};

void marshal_free(struct marshal *marshal);

/* Returns the next value; NULL, with `trouble`, if damaged or unsupported. */
struct value *marshal_read(struct marshal *marshal);

/* Frees the values that were read; those to come cannot name them. */
void marshal_forget(struct marshal *marshal);

#endif
