#include <stdlib.h>
#include <unistd.h>

#include "lib/message.h"
#include "lib/packed.h"
#include "kind.h"
#include "perfile.h"

struct file_notes {
	struct file_counts counts;
	const char *looks;	/* a description of it, if folded */
};

/* Returns the sums, or the differences if the sign is -1. */
static struct file_counts
add_counts(struct file_counts a, int sign, struct file_counts b)
{
	size_t times = (size_t)sign;	/* modulo the size of a size_t */

	a.samples += times * b.samples;
	a.others += times * b.others;
	a.cut += times * b.cut;
	a.joined += times * b.joined;
	a.odd += times * b.odd;
	a.reported += times * b.reported;
	return a;
}

void
per_file_begin(struct per_file *files, const char *name)
{
	uint32_t known = files->names.count, number;
	struct file_notes *notes;

	if (files->name != NULL) {
		/* the last file has ended: a name may come twice */
		number = table_add(&files->names, str_from(files->name));
		notes = LIST_AT(files->notes, number, files->room);
		if (number == known)
			*notes = (struct file_notes){ { 0 }, files->looks };
		notes->counts = add_counts(notes->counts, 1,
		    add_counts(*files->all, -1, files->before));
	}
	files->before = *files->all;
	files->name = name;
	if (name != NULL)
		files->looks = NULL;
}

bool
per_file_examine(void *context, struct beginning *file)
{
	struct per_file *files = context;
	const char *name = file->fd != STDIN_FILENO ? file->name : NULL;
	struct str start = file->bytes;

	if (start.len > KIND_FOLDED_START)
		start.len = KIND_FOLDED_START;
	if (file->is_folder)
		return true;
	file->unpack = !file->is_unpacked && packed_by(start) != NULL;
	if (file->unpack)
		return false;
	if (!kind_has_folded(start)) {
		file->trouble = kind_advise(start, name, files->operands);
		if (file->trouble == NULL)
			file->trouble = kind_refusal(file->bytes);
	}
	if (file->trouble != NULL)
		return false;
	per_file_begin(files, file->name);
	files->looks = kind_advise(file->bytes, name, files->operands);
	if (files->looks == NULL)
		files->looks = kind_looks(file->bytes);
	return true;
}

/* Reports what is lost of a file; false if nothing is. */
static bool
tell(struct str name, const struct file_notes *notes, const char *sample)
{
	const struct file_counts *counts = &notes->counts;
	bool is_other = counts->samples == 0 && counts->others > 0;
	bool is_odd = counts->samples + counts->others + counts->cut == 0 &&
	    counts->odd > 0;
	int len = (int)name.len;

	if (notes->looks != NULL) {	/* it is folded text */
		if (counts->samples > 0)
			return false;
		if (counts->odd == 0)
			message_warn("%.*s: it is empty", len, name.data);
		else
			message_warn("%.*s: no line is a stack and a count; it "
			    "looks like %s", len, name.data, notes->looks);
		return true;
	}
	if (counts->cut > 0)
		message_warn("%.*s ends inside a %s, which is left out", len,
		    name.data, sample);
	if (counts->joined > 0)
		message_warn("%.*s ends inside a %s, which becomes one with "
		    "the next file's first", len, name.data, sample);
	if (is_other)
		message_warn("%.*s: all samples belong to other events, left "
		    "out: %zu", len, name.data, counts->others);
	if (is_odd)
		message_warn("%.*s: it has no %s", len, name.data, sample);
	return counts->cut + counts->reported > 0 || is_other || is_odd;
}

bool
per_file_report(const struct per_file *files, const char *sample)
{
	uint32_t *order = table_order(&files->names), i;
	bool found = false;

	for (i = 0; i < files->names.count; i++)
		found |= tell(files->names.keys[order[i]],
		    &files->notes[order[i]], sample);
	free(order);
	return found;
}
