#include "demangle_parse.h"

struct builtin {
	char letter;
	unsigned char literal;	/* enum literal */
	const char *name;
};

static const struct builtin letters[] = {
	{ 'a', AS_CAST, "signed char" },
	{ 'b', AS_BOOL, "bool" },
	{ 'c', AS_CAST, "char" },
	{ 'd', AS_FLOAT, "double" },
	{ 'e', AS_FLOAT, "long double" },
	{ 'f', AS_FLOAT, "float" },
	{ 'g', AS_FLOAT, "__float128" },
	{ 'h', AS_CAST, "unsigned char" },
	{ 'i', AS_INT, "int" },
	{ 'j', AS_UNSIGNED, "unsigned int" },
	{ 'k', AS_CAST, NULL },
	{ 'l', AS_LONG, "long" },
	{ 'm', AS_UNSIGNED_LONG, "unsigned long" },
	{ 'n', AS_CAST, "__int128" },
	{ 'o', AS_CAST, "unsigned __int128" },
	{ 'p', AS_CAST, NULL },
	{ 'q', AS_CAST, NULL },
	{ 'r', AS_CAST, NULL },
	{ 's', AS_CAST, "short" },
	{ 't', AS_CAST, "unsigned short" },
	{ 'u', AS_CAST, NULL },
	{ 'v', AS_VOID, "void" },
	{ 'w', AS_CAST, "wchar_t" },
	{ 'x', AS_LONG_LONG, "long long" },
	{ 'y', AS_UNSIGNED_LONG_LONG, "unsigned long long" },
	{ 'z', AS_CAST, "..." },
};

static const struct builtin behind_d[] = {
	{ 'f', AS_CAST, "decimal32" },
	{ 'd', AS_CAST, "decimal64" },
	{ 'e', AS_CAST, "decimal128" },
	{ 'h', AS_FLOAT, "half" },
	{ 'u', AS_CAST, "char8_t" },
	{ 's', AS_CAST, "char16_t" },
	{ 'i', AS_CAST, "char32_t" },
	{ 'n', AS_NULLPTR, "decltype(nullptr)" },
};

static struct node *
new_builtin(struct parser *p, const char *name, int literal)
{
	struct node *node = node_text(p, BUILTIN, str_from(name));

	node->number = literal;
	return node;
}

struct node *
parse_letter_builtin(struct parser *p)
{
	const struct builtin *type;

	if (!is_lower(peek(p)))
		return parser_fail(p);
	type = &letters[peek(p) - 'a'];
	if (type->name == NULL)
		return parser_fail(p);
	p->next++;
	return new_builtin(p, type->name, type->literal);
}

/* DF16_: _Float16, DF32x: _Float32x, DF16b: std::bfloat16_t. */
static struct node *
parse_float(struct parser *p)
{
	int bits = parse_number(p);
	struct node *node;

	if (bits == 16 && eat(p, 'b'))
		return new_builtin(p, "std::bfloat16_t", AS_FLOAT);
	node = node_number(p, BUILTIN_FLOAT, bits, NULL);
	if (eat(p, 'x'))
		node->text = STR("x");
	else
		expect(p, '_');
	return node;
}

struct node *
parse_d_builtin(struct parser *p)
{
	const struct builtin *type = behind_d;
	const struct builtin *end = type + sizeof(behind_d) / sizeof(*type);
	char c;

	if (eat_two(p, 'D', 'F'))
		return parse_float(p);
	if (eat_two(p, 'D', 'a'))
		return node_text(p, NAME, STR("auto"));
	if (eat_two(p, 'D', 'c'))
		return node_text(p, NAME, STR("decltype(auto)"));
	expect(p, 'D');
	for (c = peek(p); type < end; type++)
		if (type->letter == c) {
			p->next++;
			return new_builtin(p, type->name, type->literal);
		}
	return parser_fail(p);
}
