#include <stdlib.h>

#include "lib/sort.h"
#include "slices.h"

/* Less is due to times that are rounded to microseconds. */
#define ROUNDING	1000	/* nanoseconds */

static void
note_time(struct slices *slices, uint64_t time)
{
	if (!slices->has_time || time < slices->first)
		slices->first = time;
	if (time > slices->last)
		slices->last = time;
	slices->has_time = true;
}

void
slices_add(struct slices *slices, uint64_t start, uint64_t end, uint32_t name)
{
	slices->list = mem_grow_small(slices->list, &slices->room,
	    slices->count + 1, sizeof(*slices->list));
	slices->list[slices->count++] = (struct slice){
		.start = start, .end = end, .name = name
	};
	note_time(slices, start);
	note_time(slices, end);
}

void
slices_mark(struct slices *slices, uint64_t time, uint32_t name, bool begins)
{
	slices->marks = mem_grow_small(slices->marks, &slices->mark_room,
	    slices->mark_count + 1, sizeof(*slices->marks));
	slices->marks[slices->mark_count++] =
	    (struct slice_mark){ time, name, begins };
	note_time(slices, time);
}

void
slices_free(struct slices *slices)
{
	free(slices->list);
	free(slices->marks);
	*slices = (struct slices){ .count = 0 };
}

/*
 * Pairs of marks.
 */

/* Slices that have begun, the innermost last. */
struct begun {
	size_t *list;		/* numbers of slices */
	size_t count, room;
	struct intmap names;	/* how many there are of each name, and 1 */
};

/* Ends the innermost slice that has begun. */
static void
end_innermost(struct slices *slices, struct begun *begun, uint64_t time)
{
	struct slice *slice = &slices->list[begun->list[--begun->count]];

	slice->end = time;
	--*intmap_at(&begun->names, slice->name);
}

/*
 * Ends the innermost slice with a name, and the slices inside, which have lost
 * their own ends.
 */
static void
end(struct slices *slices, struct begun *begun, const struct slice_mark *mark,
    struct slice_oddities *odd)
{
	bool known = mark->name == SLICE_NO_NAME ? begun->count > 0 :
	    intmap_find(&begun->names, mark->name) > 1;

	if (!known) {
		odd->unbegun++;
		return;
	}
	while (mark->name != SLICE_NO_NAME && mark->name !=
	    slices->list[begun->list[begun->count - 1]].name) {
		end_innermost(slices, begun, mark->time);
		odd->unended++;
	}
	end_innermost(slices, begun, mark->time);
}

/* Makes slices of the marks, in the order of their times. */
static void
pair_marks(struct slices *slices, struct slice_oddities *odd)
{
	struct begun begun = { .count = 0 };
	const struct slice_mark *mark;
	uint32_t *of_name;
	size_t i;

	sort_by_number(slices->marks, slices->mark_count,
	    sizeof(*slices->marks));
	for (i = 0; i < slices->mark_count; i++) {
		mark = &slices->marks[i];
		if (!mark->begins) {
			end(slices, &begun, mark, odd);
			continue;
		}
		begun.list = mem_grow(begun.list, &begun.room,
		    begun.count + 1, sizeof(*begun.list));
		begun.list[begun.count++] = slices->count;
		of_name = intmap_at(&begun.names, mark->name);
		*of_name = *of_name == 0 ? 2 : *of_name + 1;
		slices_add(slices, mark->time, mark->time, mark->name);
	}
	odd->unended += begun.count;
	while (begun.count > 0)
		end_innermost(slices, &begun, slices->last);
	free(begun.list);
	intmap_free(&begun.names);
}

/*
 * Nesting.
 */

/*
 * Sorts slices by their starts, those with the same one by their ends, the
 * last first, and keeps the order of equal ones.
 */
static void
sort_slices(struct slices *slices)
{
	size_t i;

	for (i = 0; i < slices->count; i++)
		slices->list[i].key = UINT64_MAX - slices->list[i].end;
	sort_by_number(slices->list, slices->count, sizeof(*slices->list));
	for (i = 0; i < slices->count; i++)
		slices->list[i].key = slices->list[i].start;
	sort_by_number(slices->list, slices->count, sizeof(*slices->list));
}

/*
 * Reverses complete slices.  Programs write them as they end: of two with equal
 * times, the later one is the outer one.
 */
static void
reverse(struct slices *slices)
{
	size_t count = slices->count, i;
	struct slice slice;

	for (i = 0; i < count / 2; i++) {
		slice = slices->list[i];
		slices->list[i] = slices->list[count - 1 - i];
		slices->list[count - 1 - i] = slice;
	}
}

/* Slices that the next one may be within, the innermost last. */
struct open_slice {
	uint32_t call;
	uint64_t end;
};

struct open_slices {
	struct open_slice *list;
	size_t depth, room;
	uint64_t at;		/* until then, all was told of */
	slice_visitor *visit;
	void *context;
};

/* Tells of the innermost slice until a time. */
static void
tell(struct open_slices *open, uint64_t end)
{
	if (open->depth > 0 && end > open->at)
		open->visit(open->context, open->list[open->depth - 1].call,
		    open->at, end);
	open->at = end;
}

/* Leaves the slices that end by this time, and reports the time passed. */
static void
pass(struct open_slices *open, uint64_t time)
{
	while (open->depth > 0 && open->list[open->depth - 1].end <= time) {
		tell(open, open->list[open->depth - 1].end);
		open->depth--;
	}
	tell(open, time);
}

void
slices_visit(struct slices *slices, struct weights *weights, uint32_t root,
    struct slice_oddities *odd, slice_visitor *visit, void *context)
{
	struct open_slices open = { .visit = visit, .context = context };
	struct open_slice *outer;
	struct slice *slice;
	uint32_t caller;
	size_t i;

	reverse(slices);
	pair_marks(slices, odd);
	sort_slices(slices);
	for (i = 0; i < slices->count; i++) {
		slice = &slices->list[i];
		pass(&open, slice->start);
		caller = root;
		if (open.depth > 0) {
			outer = &open.list[open.depth - 1];
			caller = outer->call;
			if (slice->end > outer->end) {
				odd->cut += slice->end - outer->end > ROUNDING;
				slice->end = outer->end;
			}
		}
		open.list = mem_grow(open.list, &open.room, open.depth + 1,
		    sizeof(*open.list));
		open.list[open.depth++] = (struct open_slice){ weights_call(
		    weights, caller, slice->name), slice->end };
	}
	pass(&open, UINT64_MAX);
	free(open.list);
}
