#include "lib/message.h"
#include "stacktable.h"

#define MOST	(UINT32_MAX - 1)	/* rows */

void
stack_table_init(struct stack_table *stacks)
{
	*stacks = (struct stack_table){ .count = 1 };
	stacks->rows = mem_grow(NULL, &stacks->room, 1,
	    sizeof(*stacks->rows));
	stacks->rows[0] = (struct stack_row){ 0, 0, 0 };
	table_init(&stacks->names);
	intmap_init(&stacks->known);
}

static uint32_t
add_row(struct stack_table *stacks, uint32_t caller, uint32_t name)
{
	if (stacks->count == MOST)
		message_fail("more than %lu different stacks",
		    (unsigned long)MOST);
	stacks->rows = mem_grow(stacks->rows, &stacks->room,
	    (size_t)stacks->count + 1, sizeof(*stacks->rows));
	stacks->rows[stacks->count] = (struct stack_row){ caller, name, 0 };
	return stacks->count++;
}

static uint32_t
find_row(struct stack_table *stacks, uint32_t caller, uint32_t name)
{
	uint32_t first = stacks->rows[caller].callee, *number;

	if (first == 0) {
		first = add_row(stacks, caller, name);
		stacks->rows[caller].callee = first;
	}
	if (stacks->rows[first].name == name)
		return first;
	number = intmap_at(&stacks->known, intmap_pair(caller, name));
	if (*number == 0)
		*number = add_row(stacks, caller, name);
	return *number;
}

uint32_t
stack_table_add(struct stack_table *stacks, struct str stack)
{
	struct trail *trail = &stacks->trail;
	struct str names, name;
	uint32_t row;

	while (str_ends(stack, STR(";")))
		stack.len--;
	names = trail_follow(trail, stack);
	row = trail->depth == 0 ? 0 : trail->steps[trail->depth - 1].number;
	while (names.len > 0) {
		name = trail_cut(&names);
		row = find_row(stacks, row, table_add(&stacks->names, name));
		trail_push(trail, row, name);
	}
	return row;
}
