#include "demangle_parse.h"

static const struct abbreviation {
	char code;
	const char *name, *whole, *constructor;
} abbreviations[] = {
	{ 't', "std", "std", NULL },
	{ 'a', "std::allocator", "std::allocator", "allocator" },
	{ 'b', "std::basic_string", "std::basic_string", "basic_string" },
	{ 's', "std::string", "std::basic_string<char, "
	    "std::char_traits<char>, std::allocator<char> >", "basic_string" },
	{ 'i', "std::istream", "std::basic_istream<char, "
	    "std::char_traits<char> >", "basic_istream" },
	{ 'o', "std::ostream", "std::basic_ostream<char, "
	    "std::char_traits<char> >", "basic_ostream" },
	{ 'd', "std::iostream", "std::basic_iostream<char, "
	    "std::char_traits<char> >", "basic_iostream" },
};

/* Reads <seq-id>: S_ is the first, then S0_ to S9_, SA_ to SZ_, S10_. */
static struct node *
parse_known(struct parser *p)
{
	size_t number = 0, first = peek(p) == '_' ? 0 : 1;
	char c;

	for (; (c = peek(p)) != '_'; p->next++) {
		if (is_digit(c))
			number = number * 36 + (size_t)(c - '0');
		else if (c >= 'A' && c <= 'Z')
			number = number * 36 + (size_t)(c - 'A') + 10;
		else
			return parser_fail(p);
		if (number >= DEMANGLE_LONGEST)
			return parser_fail(p);
	}
	p->next++;
	number += first;
	return number < p->known_count ? p->known[number] : parser_fail(p);
}

static struct node *
parse_abbreviation(struct parser *p, bool is_prefix)
{
	const struct abbreviation *a = abbreviations;
	const struct abbreviation *end = a + sizeof(abbreviations) / sizeof(*a);
	struct node *node;
	bool whole;

	while (a < end && a->code != peek(p))
		a++;
	if (a == end)
		return parser_fail(p);
	p->next++;
	whole = is_prefix && (peek(p) == 'C' || peek(p) == 'D');
	if (a->constructor != NULL)
		p->last_name = node_text(p, NAME, str_from(a->constructor));
	node = node_text(p, NAME, str_from(whole ? a->whole : a->name));
	if (peek(p) == 'B') {
		node = parse_abi_tags(p, node);
		parser_remember(p, node);
	}
	return node;
}

struct node *
parse_substitution(struct parser *p, bool is_prefix)
{
	char c;

	expect(p, 'S');
	c = peek(p);
	if (c == '_' || is_digit(c) || (c >= 'A' && c <= 'Z'))
		return parse_known(p);
	return parse_abbreviation(p, is_prefix);
}
