#include "demangle_cxx.h"
#include "demangle_parse.h"
#include "demangle_print.h"

/* True for _GLOBAL__I_main, _GLOBAL_.D__ZN1a1bE: run before main and after. */
static bool
is_global(struct str mangled)
{
	return mangled.len > 11 && str_starts(mangled, STR("_GLOBAL_")) &&
	    strchr("._$", mangled.data[8]) != NULL &&
	    (mangled.data[9] == 'D' || mangled.data[9] == 'I') &&
	    mangled.data[10] == '_';
}

static struct node *
parse_global(struct parser *p, struct str mangled)
{
	struct node *node;

	p->next += 11;
	if (eat_two(p, '_', 'Z'))
		node = parse_encoding(p, WITH_PARAMETERS);
	else
		node = node_text(p, NAME, str_skip(mangled, 11));
	node = node_new(p, SPECIAL, node, NULL);
	node->text = mangled.data[9] == 'I' ?
	    STR("global constructors keyed to ") :
	    STR("global destructors keyed to ");
	return node;
}

/* Reads 5.1.2 <mangled-name>, _Z <encoding>, up to the parameters. */
static struct node *
parse(struct parser *p, struct str mangled, struct arena *arena, bool read_old,
    enum encoding how)
{
	p->next = mangled.data;
	p->end = mangled.data + mangled.len;
	p->arena = arena;
	p->known_count = 0;
	p->last_name = NULL;
	p->failed = p->in_expression = p->in_conversion = false;
	p->depth = p->work = 0;
	p->was_ambiguous = false;
	p->read_old = read_old;
	if (is_global(mangled))
		return parse_global(p, mangled);
	if (!eat_two(p, '_', 'Z'))
		return parser_fail(p);
	return parse_encoding(p, how);
}

static bool
demangle_encoding(struct str mangled, enum encoding how, struct text *out)
{
	struct arena arena = { 0 };
	struct parser parser;
	struct node *tree;
	bool done;

	if (mangled.len > DEMANGLE_LONGEST || !(is_global(mangled) ||
	    str_starts(mangled, STR("_Z"))))
		return false;
	tree = parse(&parser, mangled, &arena, false, how);
	if (parser.failed && parser.was_ambiguous)
		tree = parse(&parser, mangled, &arena, true, how);
	done = !parser.failed && print_tree(tree, &arena, out);
	arena_free(&arena);
	return done;
}

bool
demangle_cxx(struct str mangled, struct text *out)
{
	return demangle_encoding(mangled, WITHOUT_PARAMETERS, out);
}

bool
demangle_cxx_whole(struct str mangled, struct text *out)
{
	return demangle_encoding(mangled, WITH_PARAMETERS, out);
}
