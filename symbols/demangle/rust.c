/*
 * v0 names are printed while they are read.  Productions have their names in
 * RFC 2603, "Symbol name mangling v0"; each may hold any other.
 *
 * The older names look like C++'s.  Their parts have escapes, and the last one
 * is a hash:
 *
 *	_ZN4core3ptr16_$LT$impl$GT$::f17h05af221e174051e9E
 */
#include <stdint.h>

#include "demangle.h"
#include "lib/utf8.h"

/*
 * A back reference may print what holds others, so a short name could print
 * without end, or for ever without a byte.  These bound productions within
 * productions, productions, and bytes of the result; of 300,000 names none took
 * more than 91, 2,400 and 10,200.
 */
#define DEEPEST		256
#define MOST_WORK	65536
#define LONGEST		((size_t)64 * 1024)

struct rust_reader {
	struct str name;
	size_t at;		/* of the next character in name */
	struct text *out;
	size_t start;		/* of the printed name in out */
	bool silent;		/* nothing that is read is printed */
	bool failed;
	int depth;
	int work;
	uint64_t lifetimes;	/* bound by the binders around */
};

/* <identifier>; in punycode the code follows the last '_'. */
struct rust_identifier {
	struct str text;
	bool is_punycode;
};

/* Where a path is: in a value, its arguments come after "::". */
enum rust_place { IN_TYPE, IN_VALUE, IN_TRAIT };

/*
 * Reads <path>.  True if it is a trait of dyn and has arguments: their '>' is
 * then not printed, since more may follow.
 */
static bool read_path(struct rust_reader *r, enum rust_place place);

static void read_type(struct rust_reader *r);

/* Letters that are not ASCII: RFC 3492 with '_' in place of its '-'. */

/* Its section 5. */
#define BASE		36
#define LEAST		1
#define MOST		26
#define SKEW		38
#define DAMP		700
#define FIRST_BIAS	72
#define FIRST_CODE	0x80

#define LETTERS_MOST	256	/* of a name; longer ones are refused */
#define FIRST_LETTER	0xa0		/* before it are control characters */
#define LAST_CODE	0x10ffff

/* Cuts a number off the code; false if it is missing or too large. */
static bool
cut_delta(struct str *code, uint32_t bias, uint32_t *delta)
{
	uint64_t weight = 1, sum = 0;
	uint32_t k, digit, end;
	char c;

	for (k = BASE;; k += BASE) {
		if (code->len == 0)
			return false;
		c = code->data[0];
		*code = str_skip(*code, 1);
		if (!is_lower(c) && !is_digit(c))
			return false;
		digit = (uint32_t)(is_lower(c) ? c - 'a' : c - '0' + 26);
		sum += digit * weight;
		/* the digit below which a number ends */
		end = k <= bias + LEAST ? LEAST :
		    k - bias > MOST ? MOST : k - bias;
		if (digit < end)
			break;
		weight *= BASE - end;
		if (sum > UINT32_MAX || weight > UINT32_MAX)
			return false;
	}
	*delta = (uint32_t)sum;
	return sum <= UINT32_MAX;
}

/*
 * Adds a name as UTF-8: after its ASCII letters and '_' comes the code that
 * puts the others among them.  False, and nothing added, if the code breaks the
 * rules.
 */
static bool
add_punycode(struct text *out, struct str name)
{
	uint32_t letters[LETTERS_MOST], count = 0, letter = FIRST_CODE;
	uint32_t bias = FIRST_BIAS, damp = DAMP, delta;
	size_t split = str_find_last(name, '_');
	struct str code = split == name.len ? name : str_skip(name, split + 1);
	uint64_t at = 0, i;

	if (name.len > LETTERS_MOST)
		return false;
	for (; split < name.len && count < split; count++)
		letters[count] = (unsigned char)name.data[count];
	for (; code.len > 0; at++) {
		if (!cut_delta(&code, bias, &delta))
			return false;
		at += delta;
		/* section 6.1 */
		delta /= damp;
		delta += delta / (count + 1);
		damp = 2;
		for (bias = 0; delta > (BASE - LEAST) * MOST / 2; bias += BASE)
			delta /= BASE - LEAST;
		bias += (BASE - LEAST + 1) * delta / (delta + SKEW);
		if (at / (count + 1) > LAST_CODE - letter)
			return false;
		letter += (uint32_t)(at / (count + 1));
		if (letter < FIRST_LETTER ||
		    (letter >= 0xd800 && letter < 0xe000))
			return false;
		at %= count + 1;
		memmove(&letters[at + 1], &letters[at],
		    (size_t)(count - at) * sizeof(*letters));
		letters[at] = letter;
		count++;
	}
	for (i = 0; i < count; i++)
		utf8_add(out, letters[i]);
	return true;
}

/* Characters, numbers and identifiers. */

/* True for a digit of a hash or of a constant. */
static bool
is_hex_digit(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Returns the next character, 0 at the end and after a failure. */
static char
peek(const struct rust_reader *r)
{
	return r->at < r->name.len && !r->failed ? r->name.data[r->at] : '\0';
}

/* Passes c; false if the next character is another one. */
static bool
eat(struct rust_reader *r, char c)
{
	if (peek(r) != c || c == '\0')
		return false;
	r->at++;
	return true;
}

/* Passes the next character, and returns it; fails at the end. */
static char
next(struct rust_reader *r)
{
	char c = peek(r);

	if (c == '\0')
		r->failed = true;
	else
		r->at++;
	return c;
}

/* Begins a production that may hold itself, one deeper; false if too deep. */
static bool
enter(struct rust_reader *r)
{
	if (r->depth++ >= DEEPEST || ++r->work > MOST_WORK)
		r->failed = true;
	return !r->failed;
}

static void
print(struct rust_reader *r, struct str s)
{
	if (r->silent || r->failed)
		return;
	if (r->out->len - r->start + s.len > LONGEST)
		r->failed = true;
	else
		text_add(r->out, s);
}

static void
print_char(struct rust_reader *r, char c)
{
	print(r, (struct str){ &c, 1 });
}

static void
print_number(struct rust_reader *r, uint64_t number)
{
	if (!r->silent && !r->failed)
		text_add_number(r->out, number);
}

/* Reads <base-62-number>: _ is 0, 0_ is 1, Z_ is 62. */
static uint64_t
read_number(struct rust_reader *r)
{
	uint64_t number = 0, digit;
	char c;

	if (eat(r, '_'))
		return 0;
	while (!r->failed && !eat(r, '_')) {
		c = next(r);
		if (is_digit(c))
			digit = (uint64_t)(c - '0');
		else if (is_lower(c))
			digit = (uint64_t)(c - 'a') + 10;
		else
			digit = (uint64_t)(c - 'A') + 36;
		number = number * 62 + digit;
	}
	return number + 1;	/* of 64 bits, as a hash is */
}

/* Reads the same after a letter, and adds 1; 0 if the letter is not there. */
static uint64_t
read_optional_number(struct rust_reader *r, char letter)
{
	return eat(r, letter) ? read_number(r) + 1 : 0;
}

/* Reads <undisambiguated-identifier>: 3foo, 4_1foo, u8gdel_5qa. */
static struct rust_identifier
read_identifier(struct rust_reader *r)
{
	struct rust_identifier name = { STR(""), eat(r, 'u') };
	size_t len = 0;
	char c;

	if (!is_digit(peek(r)))
		r->failed = true;
	do {
		c = next(r);
		len = len * 10 + (size_t)(c - '0');
		if (len > r->name.len)
			r->failed = true;
	} while (len > 0 && is_digit(peek(r)));
	eat(r, '_');
	if (r->failed || len > r->name.len - r->at) {
		r->failed = true;
		return name;
	}
	name.text = str_between(r->name, r->at, r->at + len);
	r->at += len;
	if (name.is_punycode && (len == 0 || str_ends(name.text, STR("_"))))
		r->failed = true;
	return name;
}

static void
print_identifier(struct rust_reader *r, struct rust_identifier name)
{
	if (!name.is_punycode)
		print(r, name.text);
	else if (!r->silent && !r->failed)
		r->failed = !add_punycode(r->out, name.text);
}

/* Prints '_ or a lifetime of a binder, 'a, 'b, ... from the outermost. */
static void
print_lifetime(struct rust_reader *r, uint64_t lifetime)
{
	uint64_t depth = r->lifetimes - lifetime;

	print_char(r, '\'');
	if (lifetime > r->lifetimes)
		r->failed = true;
	else if (lifetime == 0)
		print_char(r, '_');
	else if (depth < 26)
		print_char(r, (char)('a' + depth));
	else {
		print_char(r, '_');
		print_number(r, depth);
	}
}

/*
 * Reads <backref> after its B, sets the reader to where that points, and *back
 * to where the caller goes on.  False if there is nothing to print.
 */
static bool
go_back(struct rust_reader *r, size_t *back)
{
	size_t here = r->at;
	uint64_t to = read_number(r);

	*back = r->at;
	if (r->silent || r->failed)
		return false;
	if (to >= here)
		r->failed = true;
	else
		r->at = (size_t)to;
	return !r->failed;
}

/* Constants. */

/* Reads <const-data>, hexadecimal digits and _; sets *value to their value. */
static struct str
read_hex(struct rust_reader *r, uint64_t *value)
{
	size_t start = r->at;
	char c;

	for (*value = 0; !r->failed && !eat(r, '_');) {
		c = next(r);
		if (is_hex_digit(c))
			*value = *value << 4 | hex_value(c);
		else
			r->failed = true;
	}
	if (r->failed || r->at - start < 2) {
		r->failed = true;
		return STR("");
	}
	return str_between(r->name, start, r->at - 1);
}

/* Prints 'a', '\n', '\u{e9}'. */
static void
read_char(struct rust_reader *r)
{
	uint64_t value;
	struct str digits = read_hex(r, &value);

	if (digits.len > 8)
		r->failed = true;
	while (digits.len > 1 && digits.data[0] == '0')
		digits = str_skip(digits, 1);
	print_char(r, '\'');
	if (value == '\t')
		print(r, STR("\\t"));
	else if (value == '\r')
		print(r, STR("\\r"));
	else if (value == '\n')
		print(r, STR("\\n"));
	else if (value > ' ' && value < '~')
		print_char(r, (char)value);
	else {
		print(r, STR("\\u{"));
		print(r, digits);
		print_char(r, '}');
	}
	print_char(r, '\'');
}

/* Reads <const>. */
static void
read_constant(struct rust_reader *r)
{
	char tag = enter(r) ? next(r) : '\0';
	struct str digits;
	uint64_t value;
	size_t back;

	if (tag == 'B') {
		if (go_back(r, &back))
			read_constant(r);
		r->at = back;
	} else if (tag == 'p')
		print_char(r, '_');
	else if (tag == 'b') {
		if (read_hex(r, &value).len != 1 || value > 1)
			r->failed = true;
		print(r, value == 1 ? STR("true") : STR("false"));
	} else if (tag == 'c')
		read_char(r);
	else if (tag != '\0' && strchr("htmyojaslxni", tag) != NULL) {
		if (strchr("aslxni", tag) != NULL && eat(r, 'n'))
			print_char(r, '-');
		digits = read_hex(r, &value);
		if (digits.len > 16) {
			print(r, STR("0x"));
			print(r, digits);
		} else
			print_number(r, value);
	} else
		r->failed = true;
	r->depth--;
}

/* Types. */

/* Reads productions up to E, with a text between them; returns their number. */
static int
read_list(struct rust_reader *r, void (*production)(struct rust_reader *),
    struct str between)
{
	int count = 0;

	for (; !r->failed && !eat(r, 'E'); count++) {
		if (count > 0)
			print(r, between);
		production(r);
	}
	return count;
}

/* Reads <generic-arg>. */
static void
read_argument(struct rust_reader *r)
{
	if (eat(r, 'L'))
		print_lifetime(r, read_number(r));
	else if (eat(r, 'K'))
		read_constant(r);
	else
		read_type(r);
}

/* Reads <binder>: G_ is for<'a>, G0_ is for<'a, 'b>. */
static void
read_binder(struct rust_reader *r)
{
	uint64_t count = read_optional_number(r, 'G'), i;

	if (count == 0)
		return;
	print(r, STR("for<"));
	for (i = 0; i < count && !r->failed; i++) {
		if (++r->work > MOST_WORK)
			r->failed = true;
		if (i > 0)
			print(r, STR(", "));
		r->lifetimes++;
		print_lifetime(r, 1);
	}
	print(r, STR("> "));
}

/* Reads <fn-sig>: [<binder>] [U] [K <abi>] <type>* E <type>. */
static void
read_function_type(struct rust_reader *r)
{
	struct rust_identifier abi = { STR("C"), false };
	uint64_t lifetimes = r->lifetimes;
	size_t i;

	read_binder(r);
	if (eat(r, 'U'))
		print(r, STR("unsafe "));
	if (eat(r, 'K')) {	/* extern "C"; in others '_' means '-' */
		if (!eat(r, 'C'))
			abi = read_identifier(r);
		if (abi.text.len == 0 || abi.is_punycode)
			r->failed = true;
		print(r, STR("extern \""));
		for (i = 0; i < abi.text.len; i++)
			print_char(r, abi.text.data[i] == '_' ? '-' :
			    abi.text.data[i]);
		print(r, STR("\" "));
	}
	print(r, STR("fn("));
	read_list(r, read_type, STR(", "));
	print_char(r, ')');
	if (!eat(r, 'u')) {
		print(r, STR(" -> "));
		read_type(r);
	}
	r->lifetimes = lifetimes;
}

/* Reads <dyn-trait>: Trait<T, Item = U>. */
static void
read_dyn_trait(struct rust_reader *r)
{
	bool open = read_path(r, IN_TRAIT);

	while (eat(r, 'p')) {
		print(r, open ? STR(", ") : STR("<"));
		open = true;
		print_identifier(r, read_identifier(r));
		print(r, STR(" = "));
		read_type(r);
	}
	if (open)
		print_char(r, '>');
}

/* Reads <dyn-bounds> <lifetime>: dyn for<'a> A + B + 'b. */
static void
read_dyn_type(struct rust_reader *r)
{
	uint64_t lifetimes = r->lifetimes, lifetime;

	print(r, STR("dyn "));
	read_binder(r);
	read_list(r, read_dyn_trait, STR(" + "));
	r->lifetimes = lifetimes;
	if (!eat(r, 'L'))
		r->failed = true;
	lifetime = read_number(r);
	if (lifetime > 0) {
		print(r, STR(" + "));
		print_lifetime(r, lifetime);
	}
}

/* Reads [L <lifetime>] <type>: &'a mut T. */
static void
read_reference(struct rust_reader *r, bool mutable)
{
	uint64_t lifetime = 0;

	print_char(r, '&');
	if (eat(r, 'L'))
		lifetime = read_number(r);
	if (lifetime > 0) {
		print_lifetime(r, lifetime);
		print_char(r, ' ');
	}
	if (mutable)
		print(r, STR("mut "));
	read_type(r);
}

static void
read_type(struct rust_reader *r)
{
	/* <basic-type> */
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
	char tag = next(r);
	size_t back;

	if (is_lower(tag) && names[tag - 'a'] != NULL) {
		print(r, str_from(names[tag - 'a']));
		return;
	}
	switch (enter(r) ? tag : '\0') {
	case '\0':
		break;
	case 'R':
	case 'Q':
		read_reference(r, tag == 'Q');
		break;
	case 'P':
	case 'O':
		print(r, tag == 'P' ? STR("*const ") : STR("*mut "));
		read_type(r);
		break;
	case 'A':			/* [T; 3] */
	case 'S':			/* [T] */
		print_char(r, '[');
		read_type(r);
		if (tag == 'A') {
			print(r, STR("; "));
			read_constant(r);
		}
		print_char(r, ']');
		break;
	case 'T':
		print_char(r, '(');
		print(r, read_list(r, read_type, STR(", ")) == 1 ?
		    STR(",)") : STR(")"));
		break;
	case 'F':
		read_function_type(r);
		break;
	case 'D':
		read_dyn_type(r);
		break;
	case 'B':
		if (go_back(r, &back))
			read_type(r);
		r->at = back;
		break;
	default:
		r->at--;
		read_path(r, IN_TYPE);
		break;
	}
	r->depth--;
}

/* Paths. */

/* Reads <namespace> <path> <identifier>: path::name, path::{closure#0}. */
static void
read_nested_path(struct rust_reader *r, enum rust_place place)
{
	char namespace = next(r);
	struct rust_identifier name;
	uint64_t number;

	read_path(r, place);
	number = read_optional_number(r, 's');
	name = read_identifier(r);
	if (is_lower(namespace)) {
		if (name.text.len > 0)
			print(r, STR("::"));
		print_identifier(r, name);
		return;
	}
	if (namespace < 'A' || namespace > 'Z')
		r->failed = true;
	print(r, STR("::{"));
	if (namespace == 'C')
		print(r, STR("closure"));
	else if (namespace == 'S')
		print(r, STR("shim"));
	else
		print_char(r, namespace);
	if (name.text.len > 0)
		print_char(r, ':');
	print_identifier(r, name);
	print_char(r, '#');
	print_number(r, number);
	print_char(r, '}');
}

/* Reads <type> [<path>]: <T as Trait>. */
static void
read_qualified_type(struct rust_reader *r, bool as)
{
	print_char(r, '<');
	read_type(r);
	if (as) {
		print(r, STR(" as "));
		read_path(r, IN_TYPE);
	}
	print_char(r, '>');
}

static bool
read_path(struct rust_reader *r, enum rust_place place)
{
	enum rust_place inner = place == IN_TRAIT ? IN_TYPE : place;
	char tag = enter(r) ? next(r) : '\0';
	bool silent = r->silent, open = false;
	size_t back;

	switch (tag) {
	case 'C':			/* a crate */
		read_optional_number(r, 's');
		print_identifier(r, read_identifier(r));
		break;
	case 'N':
		read_nested_path(r, inner);
		break;
	case 'M':			/* <T>::name */
	case 'X':			/* <T as Trait>::name, of an impl */
		read_optional_number(r, 's');
		r->silent = true;	/* the path of the impl */
		read_path(r, inner);
		r->silent = silent;
		read_qualified_type(r, tag == 'X');
		break;
	case 'Y':			/* the same, of the trait */
		read_qualified_type(r, true);
		break;
	case 'I':			/* path<T> */
		read_path(r, inner);
		print(r, place == IN_VALUE ? STR("::<") : STR("<"));
		read_list(r, read_argument, STR(", "));
		open = place == IN_TRAIT;
		if (!open)
			print_char(r, '>');
		break;
	case 'B':
		if (go_back(r, &back))
			open = read_path(r, place);
		r->at = back;
		break;
	default:
		r->failed = true;
		break;
	}
	r->depth--;
	return open;
}

/* The mangling before v0. */

/* "17h", or "::h" if C++ demangled it, and 16 hexadecimal digits end a name. */
#define HASH	((size_t)19)

/* Returns the character of an escape at the start of s, $LT$, $u20$; or 0. */
static char
unescape(struct str s, size_t *len)
{
	static const struct { struct str escape; char is; } escapes[] = {
		{ { "$C$", 3 }, ',' }, { { "$SP$", 4 }, '@' },
		{ { "$BP$", 4 }, '*' }, { { "$RF$", 4 }, '&' },
		{ { "$LT$", 4 }, '<' }, { { "$GT$", 4 }, '>' },
		{ { "$LP$", 4 }, '(' }, { { "$RP$", 4 }, ')' },
	};
	size_t i;
	int code;

	for (i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
		if (str_starts(s, escapes[i].escape)) {
			*len = escapes[i].escape.len;
			return escapes[i].is;
		}
	/* $u7e$; the first digit is 2 to 7. */
	if (s.len < 5 || s.data[1] != 'u' || s.data[4] != '$' ||
	    s.data[2] < '2' || s.data[2] > '7' || !is_hex_digit(s.data[3]))
		return '\0';
	*len = 5;
	code = (s.data[2] - '0') * 16 + (int)hex_value(s.data[3]);
	return code == 0x7f ? '\0' : (char)code;
}

/* Adds a part of a path with its escapes undone: "..", "$LT$". */
static void
add_unescaped(struct text *out, struct str name)
{
	size_t len;
	char c;

	if (str_starts(name, STR("_$")))
		name = str_skip(name, 1);
	for (; name.len > 0; name = str_skip(name, len)) {
		len = 1;
		c = name.data[0];
		if (str_starts(name, STR(".."))) {
			text_add(out, STR("::"));
			len = 2;
		} else if (c == '$' && (c = unescape(name, &len)) == '\0') {
			text_add(out, name);
			return;
		} else
			text_add_char(out, c);
	}
}

/* True if 16 hexadecimal digits after a text, of 3 characters, end a name. */
static bool
ends_with_hash(struct str name, struct str before)
{
	size_t i;

	if (name.len <= HASH)
		return false;
	name = str_skip(name, name.len - HASH);
	for (i = before.len; i < HASH; i++)
		if (!is_hex_digit(name.data[i]))
			return false;
	return str_starts(name, before);
}

/* _ZN4core3fmt5Write9write_fmt17h05af221e174051e9E */
static bool
demangle_legacy(struct str mangled, struct text *out)
{
	size_t start = out->len;
	struct str names = mangled, name;
	unsigned seen = 0, different = 0;
	unsigned long long len;
	size_t at, i;

	while (!str_ends(names, STR("E"))) {	/* E.llvm.123 */
		at = str_find_last(names, '.');
		if (at == names.len)
			return false;
		names.len = at;
	}
	names.len--;
	if (!ends_with_hash(names, STR("17h")))
		return false;
	for (i = names.len - 16; i < names.len; i++)
		seen |= 1u << hex_value(names.data[i]);
	for (; seen > 0; seen >>= 1)
		different += seen & 1;
	if (different < 5)	/* a hash has more different digits */
		return false;
	for (i = 0; i < mangled.len; i++)
		if (!is_word(mangled.data[i]) &&
		    strchr("$.:@", mangled.data[i]) == NULL)
			return false;
	names.len -= HASH;
	while (!str_starts(names, STR("0")) && str_number(names, &len)) {
		name = str_skip(names, str_digits(names));	/* 3foo */
		if (len > name.len)
			break;
		names = str_skip(name, (size_t)len);
		name.len = (size_t)len;
		if (out->len > start)
			text_add(out, STR("::"));
		add_unescaped(out, name);
	}
	if (names.len > 0)
		out->len = start;
	return names.len == 0;
}

bool
rust_demangle(struct str mangled, struct text *out)
{
	struct rust_reader r = { .out = out, .start = out->len };
	struct str name;
	size_t len = 0;

	if (str_starts(mangled, STR("_ZN")))
		return demangle_legacy(str_skip(mangled, 3), out);
	if (!str_starts(mangled, STR("_R")))
		return false;
	/* v0, up to a suffix, ".llvm.123" */
	name = str_skip(mangled, 2);
	while (len < name.len && is_word(name.data[len]))
		len++;
	if (len == 0 || name.data[0] < 'A' || name.data[0] > 'Z' ||
	    (len < name.len && name.data[len] != '.'))
		return false;
	r.name = str_take(name, len);
	read_path(&r, IN_VALUE);
	r.silent = true;
	if (r.at < len)			/* the crate that instantiated it */
		read_path(&r, IN_TYPE);
	r.failed |= r.at < len;
	if (r.failed)
		out->len = r.start;
	return !r.failed;
}

bool
rust_add_path(struct text *out, struct str path)
{
	size_t len;

	if (!ends_with_hash(path, STR("::h")))
		return false;
	path.len -= HASH;
	for (;; path = str_skip(path, len + 2)) {
		len = str_search(path, STR("::"));
		add_unescaped(out, str_take(path, len));
		if (len == path.len)
			return true;
		text_add(out, STR("::"));
	}
}
