#include <stdlib.h>

#include "fieldcount.h"
#include "lib/message.h"
#include "lib/text.h"

bool
fieldcount_take(struct fieldcount *fields, bool is_found, int64_t value,
    uint64_t *count)
{
	fields->missing += !is_found;
	fields->negative += is_found && value < 0;
	*count = (uint64_t)value;
	return is_found && value >= 0;
}

void
fieldcount_report(const struct fieldcount *fields)
{
	struct text shown = { 0 };

	message_add_shown(&shown, fields->field);
	if (fields->missing > 0)
		message_warn("--weight: samples without the field %.*s, left "
		    "out: %lu", (int)shown.len, shown.data,
		    (unsigned long)fields->missing);
	if (fields->negative > 0)
		message_warn("--weight: samples in which %.*s is negative, "
		    "left out: %lu", (int)shown.len, shown.data,
		    (unsigned long)fields->negative);
	free(shown.data);
}
