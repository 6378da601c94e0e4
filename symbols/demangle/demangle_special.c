#include "demangle_parse.h"

/* The rest of a special name, behind its two letters. */
enum rest {
	A_TYPE, A_NAME, AN_ENCODING, AN_ARGUMENT, A_MODULE,
	AN_OFFSET,		/* an encoding behind its offset */
	TWO_OFFSETS		/* behind two, each with its letter */
};

static const struct special {
	char code[3];
	enum rest rest;
	const char *text;
} specials[] = {
	{ "TV", A_TYPE, "vtable for " },
	{ "TT", A_TYPE, "VTT for " },
	{ "TI", A_TYPE, "typeinfo for " },
	{ "TS", A_TYPE, "typeinfo name for " },
	{ "TF", A_TYPE, "typeinfo fn for " },
	{ "TJ", A_TYPE, "java Class for " },
	{ "TH", A_NAME, "TLS init function for " },
	{ "TW", A_NAME, "TLS wrapper function for " },
	{ "TA", AN_ARGUMENT, "template parameter object for " },
	{ "Th", AN_OFFSET, "non-virtual thunk to " },
	{ "Tv", AN_OFFSET, "virtual thunk to " },
	{ "Tc", TWO_OFFSETS, "covariant return thunk to " },
	{ "GV", A_NAME, "guard variable for " },
	{ "GA", AN_ENCODING, "hidden alias for " },
	{ "GI", A_MODULE, "initializer for module " },
};

/* Skips 5.1.4.2 <call-offset> behind its h or v: 16_ or 0_n24_. */
static void
skip_offset(struct parser *p, char letter)
{
	parse_number(p);
	expect(p, '_');
	if (letter == 'v') {
		parse_number(p);
		expect(p, '_');
	} else if (letter != 'h')
		parser_fail(p);
}

static void
skip_lettered_offset(struct parser *p)
{
	char letter = peek(p);

	if (letter != '\0')
		p->next++;
	skip_offset(p, letter);
}

static struct node *
parse_rest(struct parser *p, const struct special *special)
{
	struct node *module;

	switch (special->rest) {
	case A_TYPE:
		return parse_type(p);
	case A_NAME:
		return parse_name(p, false);
	case AN_ARGUMENT:
		return parse_template_argument(p);
	case A_MODULE:
		module = parse_module(p, NULL);
		return module != NULL ? module : parser_fail(p);
	case AN_OFFSET:
		skip_offset(p, special->code[1]);
		break;
	case TWO_OFFSETS:
		skip_lettered_offset(p);
		skip_lettered_offset(p);
		break;
	case AN_ENCODING:
		break;
	}
	return parse_encoding(p, WITH_PARAMETERS);
}

/* Reads TC <derived type> <offset> _ <base type>, behind TC. */
static struct node *
parse_construction_vtable(struct parser *p)
{
	struct node *derived = parse_type(p);

	if (parse_number(p) < 0)
		return parser_fail(p);
	expect(p, '_');
	return node_new(p, CONSTRUCTION_VTABLE, parse_type(p), derived);
}

/* Reads 5.1.4.5 GR <name> [<number>], an object for a reference, behind GR. */
static struct node *
parse_reference_temporary(struct parser *p)
{
	struct node *name = parse_name(p, false);

	return node_new(p, REFERENCE_TEMPORARY, name,
	    node_number(p, NUMBER, parse_number(p), NULL));
}

/* Reads 5.1.4.6 GTt, GTn <encoding>, behind GT. */
static struct node *
parse_transaction_clone(struct parser *p)
{
	struct node *node;
	bool within = !eat(p, 'n');

	if (within && peek(p) != '\0')
		p->next++;
	node = node_new(p, SPECIAL, parse_encoding(p, WITH_PARAMETERS), NULL);
	node->text = within ? STR("transaction clone for ") :
	    STR("non-transaction clone for ");
	return node;
}

struct node *
parse_special_name(struct parser *p)
{
	const struct special *special = specials;
	const struct special *end = special +
	    sizeof(specials) / sizeof(*special);
	struct node *node;

	if (eat_two(p, 'T', 'C'))
		return parse_construction_vtable(p);
	if (eat_two(p, 'G', 'R'))
		return parse_reference_temporary(p);
	if (eat_two(p, 'G', 'T'))
		return parse_transaction_clone(p);
	for (; special < end; special++)
		if (eat_two(p, special->code[0], special->code[1])) {
			node = node_new(p, SPECIAL, parse_rest(p, special),
			    NULL);
			node->text = str_from(special->text);
			return node;
		}
	return parser_fail(p);
}
