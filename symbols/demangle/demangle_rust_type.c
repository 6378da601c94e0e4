#include "demangle_rust_v0.h"

/* Reads <binder>: G_ is for<'a>, G0_ is for<'a, 'b>. */
static void
binder(struct rust_reader *r)
{
	uint64_t count = rust_optional_number(r, 'G'), i;

	if (count == 0)
		return;
	rust_print(r, STR("for<"));
	for (i = 0; i < count && !r->failed; i++) {
		if (++r->work > RUST_MOST_WORK)
			r->failed = true;
		if (i > 0)
			rust_print(r, STR(", "));
		r->lifetimes++;
		rust_print_lifetime(r, 1);
	}
	rust_print(r, STR("> "));
}

/* Reads types up to E; returns their number. */
static int
types(struct rust_reader *r)
{
	int count = 0;

	for (; !r->failed && !rust_eat(r, 'E'); count++) {
		if (count > 0)
			rust_print(r, STR(", "));
		rust_type(r);
	}
	return count;
}

/* Returns the name of a <basic-type>, empty for other letters. */
static struct str
basic_type(char tag)
{
	static const char *const names[] = {
		['a' - 'a'] = "i8", ['b' - 'a'] = "bool", ['c' - 'a'] = "char",
		['d' - 'a'] = "f64", ['e' - 'a'] = "str", ['f' - 'a'] = "f32",
		['h' - 'a'] = "u8", ['i' - 'a'] = "isize",
		['j' - 'a'] = "usize", ['l' - 'a'] = "i32",
		['m' - 'a'] = "u32", ['n' - 'a'] = "i128", ['o' - 'a'] = "u128",
		['p' - 'a'] = "_", ['s' - 'a'] = "i16", ['t' - 'a'] = "u16",
		['u' - 'a'] = "()", ['v' - 'a'] = "...", ['x' - 'a'] = "i64",
		['y' - 'a'] = "u64", ['z' - 'a'] = "!"
	};

	if (tag < 'a' || tag > 'z' || names[tag - 'a'] == NULL)
		return STR("");
	return str_from(names[tag - 'a']);
}

/* Prints extern "C"; '_' in the name of another ABI means '-'. */
static void
extern_abi(struct rust_reader *r)
{
	struct rust_identifier abi = { STR("C"), STR("") };
	size_t i;

	if (!rust_eat(r, 'C'))
		abi = rust_identifier(r);
	if (abi.ascii.len == 0 || abi.punycode.len > 0)
		r->failed = true;
	rust_print(r, STR("extern \""));
	for (i = 0; i < abi.ascii.len; i++)
		rust_print_char(r, abi.ascii.data[i] == '_' ? '-' :
		    abi.ascii.data[i]);
	rust_print(r, STR("\" "));
}

/* Reads <fn-sig>: [<binder>] [U] [K <abi>] <type>* E <type>. */
static void
fn_type(struct rust_reader *r)
{
	uint64_t lifetimes = r->lifetimes;

	binder(r);
	if (rust_eat(r, 'U'))
		rust_print(r, STR("unsafe "));
	if (rust_eat(r, 'K'))
		extern_abi(r);
	rust_print(r, STR("fn("));
	types(r);
	rust_print_char(r, ')');
	if (!rust_eat(r, 'u')) {
		rust_print(r, STR(" -> "));
		rust_type(r);
	}
	r->lifetimes = lifetimes;
}

/* Reads a path, and leaves its arguments open; true if there are any. */
static bool
open_path(struct rust_reader *r)
{
	bool open = false;
	size_t back;

	if (!rust_enter(r))
		r->failed = true;
	else if (rust_eat(r, 'B')) {
		if (rust_go_back(r, &back))
			open = open_path(r);
		r->at = back;
	} else if (rust_eat(r, 'I')) {
		rust_path(r, false);
		rust_print_char(r, '<');
		rust_arguments(r);
		open = true;
	} else
		rust_path(r, false);
	rust_leave(r);
	return open;
}

/* Reads <dyn-trait>: Trait<T, Item = U>. */
static void
dyn_trait(struct rust_reader *r)
{
	bool open = open_path(r);

	while (rust_eat(r, 'p')) {
		rust_print(r, open ? STR(", ") : STR("<"));
		open = true;
		rust_print_identifier(r, rust_identifier(r));
		rust_print(r, STR(" = "));
		rust_type(r);
	}
	if (open)
		rust_print_char(r, '>');
}

/* Reads <dyn-bounds> <lifetime>: dyn for<'a> A + B + 'b. */
static void
dyn_type(struct rust_reader *r)
{
	uint64_t lifetimes = r->lifetimes, lifetime;
	bool first = true;

	rust_print(r, STR("dyn "));
	binder(r);
	for (; !r->failed && !rust_eat(r, 'E'); first = false) {
		if (!first)
			rust_print(r, STR(" + "));
		dyn_trait(r);
	}
	r->lifetimes = lifetimes;
	if (!rust_eat(r, 'L'))
		r->failed = true;
	lifetime = rust_number(r);
	if (lifetime > 0) {
		rust_print(r, STR(" + "));
		rust_print_lifetime(r, lifetime);
	}
}

/* Reads [L <lifetime>] <type>: &'a mut T. */
static void
reference(struct rust_reader *r, bool mutable)
{
	uint64_t lifetime = 0;

	rust_print_char(r, '&');
	if (rust_eat(r, 'L'))
		lifetime = rust_number(r);
	if (lifetime > 0) {
		rust_print_lifetime(r, lifetime);
		rust_print_char(r, ' ');
	}
	if (mutable)
		rust_print(r, STR("mut "));
	rust_type(r);
}

/* Reads <type> <const> or <type>: [T; 3], [T]. */
static void
array(struct rust_reader *r, bool has_length)
{
	rust_print_char(r, '[');
	rust_type(r);
	if (has_length) {
		rust_print(r, STR("; "));
		rust_constant(r);
	}
	rust_print_char(r, ']');
}

static void
type_behind(struct rust_reader *r, char tag)
{
	size_t back;

	switch (tag) {
	case 'R':
	case 'Q':
		reference(r, tag == 'Q');
		break;
	case 'P':
	case 'O':
		rust_print(r, tag == 'P' ? STR("*const ") : STR("*mut "));
		rust_type(r);
		break;
	case 'A':
	case 'S':
		array(r, tag == 'A');
		break;
	case 'T':
		rust_print_char(r, '(');
		rust_print(r, types(r) == 1 ? STR(",)") : STR(")"));
		break;
	case 'F':
		fn_type(r);
		break;
	case 'D':
		dyn_type(r);
		break;
	case 'B':
		if (rust_go_back(r, &back))
			rust_type(r);
		r->at = back;
		break;
	default:
		r->at--;
		rust_path(r, false);
		break;
	}
}

void
rust_type(struct rust_reader *r)
{
	char tag = rust_next(r);
	struct str basic = basic_type(tag);

	if (basic.len > 0) {
		rust_print(r, basic);
		return;
	}
	if (rust_enter(r))
		type_behind(r, tag);
	rust_leave(r);
}
