#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "slices.h"

/* Adds a slice, of which the caller sets all. */
static struct slice *
add(struct slices *slices)
{
	slices->list = mem_grow(slices->list, &slices->room,
	    slices->count + 1, sizeof(*slices->list));
	return &slices->list[slices->count++];
}

void
slices_copy(struct slices *slices, const struct slice *slice)
{
	*add(slices) = *slice;
	slice->block->held++;
}

void
slices_open(struct slices *slices, const struct record *record,
    struct block *block, uint64_t number, uint64_t flush)
{
	struct slice *slice = add(slices);

	block->held++;
	slice->block = block;
	slice->records = record->bytes;
	slice->number = number;
	slice->flush = flush;
	slice->oldest = UINT64_MAX;
	slice->newest = 0;
	slice->ascends = true;
	slice->from = 0;
	slice->to = UINT64_MAX;
	slice->count = 0;
	slices->is_open = true;
	memset(slices->known, 0, sizeof(slices->known));
}

void
slices_note_thread(struct slices *slices, uint64_t time, int32_t pid,
    int32_t tid)
{
	struct slice *slice = &slices->list[slices->count - 1];
	size_t i = 0;

	while (i < slice->count && (slice->threads[i].tid != tid ||
	    slice->threads[i].pid != pid))
		i++;
	if (i == slice->count)
		slice->threads[slice->count++] =
		    (struct slice_thread){ pid, tid, time };
	slices->known[(uint32_t)tid % SLICES_KNOWN] = (uint32_t)i + 1;
}

/*
 * Returns, for each flush that has a limit, the newest time that it or one
 * behind it has delivered; and 0 for the next.
 */
static uint64_t *
find_newest(const struct limits *limits)
{
	size_t i = limits->count;
	uint64_t *newest = mem_array(i + 1, sizeof(*newest));

	for (; i > 0; i--)
		newest[i - 1] = limits->list[i - 1] > newest[i] ?
		    limits->list[i - 1] : newest[i];
	return newest;
}

/* Moves a slice as far as it was delivered; false if some is left. */
static bool
move(struct slice *slice, uint64_t delivered, struct slices *others)
{
	struct slice *part;

	if (slice->oldest <= delivered) {
		part = add(others);
		*part = *slice;
		if (slice->newest <= delivered)
			return true;
		part->to = delivered;
		part->block->held++;
		slice->from = delivered + 1;
	}
	return false;
}

void
slices_move(struct slices *slices, const struct limits *limits,
    struct slices *others)
{
	uint64_t *newest = find_newest(limits);
	struct slice *slice;
	size_t i, kept = 0;

	slices_close(slices);
	for (i = 0; i < slices->count; i++) {
		slice = &slices->list[i];
		if (move(slice, newest[slice->flush - limits->first], others))
			continue;
		slice->flush = limits_next(limits);
		slices->list[kept++] = *slice;
	}
	slices->count = kept;
	free(newest);
}

void
slices_free(struct slices *slices)
{
	free(slices->list);
}
