#include <limits.h>

#include "demangle_tree.h"

/* The node is nobody's: a tree that failed is not printed. */
struct node *
parser_fail(struct parser *p)
{
	struct node *nothing = arena_take(p->arena, sizeof(*nothing));

	*nothing = (struct node){ .kind = NAME };
	p->failed = true;
	p->end = p->next;
	return nothing;
}

struct node *
node_new(struct parser *p, enum kind kind, struct node *left,
    struct node *right)
{
	struct node *node = arena_take(p->arena, sizeof(*node));

	if (p->work++ == DEMANGLE_NODES)
		parser_fail(p);
	*node = (struct node){ .kind = (unsigned char)kind, .left = left,
	    .right = right };
	return node;
}

struct node *
node_text(struct parser *p, enum kind kind, struct str text)
{
	struct node *node = node_new(p, kind, NULL, NULL);

	node->text = text;
	return node;
}

struct node *
node_number(struct parser *p, enum kind kind, int number, struct node *left)
{
	struct node *node = node_new(p, kind, left, NULL);

	node->number = number;
	return node;
}

void
parser_remember(struct parser *p, struct node *node)
{
	if (p->known_count < DEMANGLE_LONGEST)
		p->known[p->known_count++] = node;
	else
		parser_fail(p);
}

bool
parser_enter(struct parser *p)
{
	if (p->depth++ >= DEMANGLE_DEEPEST)
		parser_fail(p);
	return !p->failed;
}

void
parser_leave(struct parser *p)
{
	p->depth--;
}

int
parse_number(struct parser *p)
{
	bool negative = eat(p, 'n');
	int number = 0;

	for (; is_digit(peek(p)); p->next++) {
		if (number > (INT_MAX - (*p->next - '0')) / 10)
			return -1;
		number = number * 10 + (*p->next - '0');
	}
	return negative ? -number : number;
}

int
parse_index(struct parser *p)
{
	int number = 0;

	if (peek(p) != '_')
		number = peek(p) == 'n' ? -1 : parse_number(p);
	else if (eat(p, '_'))
		return 0;
	if (number < 0 || number == INT_MAX || !eat(p, '_')) {
		parser_fail(p);
		return -1;
	}
	return number + 1;
}
