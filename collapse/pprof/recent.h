/*
 * recent: the numbers of texts that came lately, such as lists of numbers as a
 * file has them, so that those that come again need not be read again.
 *
 * A text has a slot by its bytes; the next one with the same slot takes it
 * over.
 */
#ifndef RECENT_H
#define RECENT_H

#include "lib/table.h"

struct recent_text {
	struct str text;	/* "": none so far */
	uint32_t number;	/* that the caller gave it */
};

struct recent {
	struct recent_text *slots;
};

#define RECENT_SLOTS	((size_t)1 << 16)

/* Makes empty slots; a table of other texts must have been made before. */
void recent_init(struct recent *recent);

void recent_free(struct recent *recent);

/*
 * Returns the slot of a text, which may have another one.  The caller may give
 * it this one, which must outlive `recent`.
 */
static inline struct recent_text *
recent_slot(const struct recent *recent, struct str text)
{
	return &recent->slots[table_hash(text) % RECENT_SLOTS];
}

/* True if a slot has this text, which is not "". */
static inline bool
recent_has(const struct recent_text *slot, struct str text)
{
	return text.len > 0 && str_equal(slot->text, text);
}

#endif
