#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "utf8.h"

#define NOTHING	(-1)	/* after the last byte */

#define EXACT_DIGITS	15	/* that every double holds */

void
json_begin(struct json *json, json_source *source, void *context)
{
	*json = (struct json){
		.source = source, .context = context, .next = "", .end = ""
	};
	json->end = json->next;
}

unsigned long long
json_offset(const struct json *json)
{
	return json->trouble != NULL ? json->failed :
	    json->before - (unsigned long long)(json->end - json->next);
}

/* Notes the first thing that is wrong, after which nothing more is read. */
static enum json_type
fail(struct json *json, const char *trouble)
{
	if (json->trouble == NULL) {
		json->failed = json_offset(json);
		json->trouble = trouble;
	}
	json->next = json->end;
	return JSON_NONE;
}

static bool
refill(struct json *json)
{
	struct str piece;

	if (json->trouble != NULL || !json->source(json->context, &piece))
		return false;
	json->next = piece.data;
	json->end = piece.data + piece.len;
	json->before += piece.len;
	return true;
}

/* Returns the next byte without taking it, or NOTHING. */
static inline int
peek(struct json *json)
{
	if (json->next == json->end && !refill(json))
		return NOTHING;
	return (unsigned char)*json->next;
}

static inline int
peek_after_space(struct json *json)
{
	int c = peek(json);

	while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
		json->next++;
		c = peek(json);
	}
	return c;
}

static enum json_type
fail_at(struct json *json, int c)
{
	json->ends_early |= c == NOTHING && json->trouble == NULL;
	return fail(json, c == NOTHING ? "it ends too early" :
	    "it is not JSON");
}

/* Steps over the rest of a word like "true". */
static enum json_type
take_word(struct json *json, const char *word, enum json_type type)
{
	int c = 0;

	for (; *word != '\0'; word++) {
		c = peek(json);
		if (c != *word)
			return fail_at(json, c);
		json->next++;
	}
	return type;
}

/* Takes a byte of a number. */
static void
keep(struct json *json, int c)
{
	json->next++;
	if (!json->skipping)
		text_add_char(&json->scratch, (char)c);
}

/* Takes one digit or more. */
static void
take_digits(struct json *json)
{
	int c = peek(json);

	if (c < '0' || c > '9')
		fail_at(json, c);
	for (; c >= '0' && c <= '9'; c = peek(json))
		keep(json, c);
}

/* Reads a number of any form: -0.5e+3.  No digit follows a 0 at its start. */
static enum json_type
take_long_number(struct json *json)
{
	int c;

	json->scratch.len = 0;
	if (peek(json) == '-')
		keep(json, '-');
	if (peek(json) == '0')
		keep(json, '0');
	else
		take_digits(json);
	if (peek(json) == '.') {
		keep(json, '.');
		take_digits(json);
	}
	c = peek(json);
	if (c == 'e' || c == 'E') {
		keep(json, c);
		c = peek(json);
		if (c == '+' || c == '-')
			keep(json, c);
		take_digits(json);
	}
	if (json->trouble != NULL)
		return JSON_NONE;
	if (json->skipping)
		return JSON_NUMBER;
	text_add_char(&json->scratch, '\0');
	json->text = str_take(text_str(&json->scratch), json->scratch.len - 1);
	json->number = strtod(json->scratch.data, NULL);
	return JSON_NUMBER;
}

/* Adds digits to a number, up to `end`; returns where they end. */
static inline const char *
add_digits(const char *at, const char *end, int64_t *number)
{
	for (; at < end && is_digit(*at); at++)
		*number = *number * 10 + (*at - '0');
	return at;
}

/*
 * Reads a number of few digits that ends in this piece, as most do, by itself:
 * strtod(3) takes 20 times as long.  Both factors of the last quotient are
 * exact, and so it is what strtod would return.
 */
static enum json_type
take_number(struct json *json)
{
	static const double scales[EXACT_DIGITS + 1] = { 1, 1e1, 1e2, 1e3,
	    1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	const char *start = json->next, *at = start, *end, *point;
	int64_t number = 0;

	at += *at == '-';
	if (json->end - at <= EXACT_DIGITS + 1)
		return take_long_number(json);
	end = at + EXACT_DIGITS;
	point = add_digits(at, end, &number);
	if (point == at || (*at == '0' && point > at + 1))
		return take_long_number(json);
	at = *point == '.' ? add_digits(point + 1, end + 1, &number) : point;
	if (at == point + 1 || is_digit(*at) || *at == '.' ||
	    (*at | 0x20) == 'e')
		return take_long_number(json);
	json->next = at;
	json->text = (struct str){ start, (size_t)(at - start) };
	json->number = at > point ?
	    (double)number / scales[at - point - 1] : (double)number;
	if (*start == '-')
		json->number = -json->number;
	return JSON_NUMBER;
}

/* Reads the four digits of \u00e9; the number is more than 16 bits if bad. */
static uint32_t
take_hex(struct json *json)
{
	uint32_t number = 0;
	int c, i;

	for (i = 0; i < 4; i++) {
		c = peek(json);
		if (c == NOTHING || !is_hex((char)c)) {
			fail_at(json, c);
			return UINT32_MAX;
		}
		number = number << 4 | hex_value((char)c);
		json->next++;
	}
	return number;
}

/* Adds the character that a backslash and this byte mean. */
static void
take_simple_escape(struct json *json, int c)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	const char *found = c <= 0 ? NULL : strchr(escapes, c);

	if (found == NULL) {
		fail_at(json, c);
		return;
	}
	json->next++;
	text_add_char(&json->scratch, meant[found - escapes]);
}

/*
 * Adds a character by its number.  Large numbers come in two halves,
 * "\ud83d\udd25".  A half by itself is no character, and becomes U+FFFD.
 */
static void
take_unicode(struct json *json)
{
	struct text *text = &json->scratch;
	uint32_t code = take_hex(json), second;

	while (code >> 10 == 0xd800 >> 10 && peek(json) == '\\') {
		json->next++;
		if (peek(json) != 'u') {
			utf8_add(text, 0xfffd);
			take_simple_escape(json, peek(json));
			return;
		}
		json->next++;
		second = take_hex(json);
		if (second >> 10 == 0xdc00 >> 10) {
			utf8_add(text, 0x10000 + ((code - 0xd800) << 10) +
			    (second - 0xdc00));
			return;
		}
		utf8_add(text, 0xfffd);
		code = second;
	}
	if (code <= UINT16_MAX)
		utf8_add(text, code >> 11 == 0xd800 >> 11 ? 0xfffd : code);
}

/* Returns the first byte from `at` that cannot just be copied. */
static inline const char *
plain_end(const char *at, const char *end)
{
	while (at < end && *at != '"' && *at != '\\' &&
	    (unsigned char)*at >= ' ')
		at++;
	return at;
}

/* Reads the rest of a text that ends in a later piece or has escapes. */
static bool
take_long_text(struct json *json)
{
	struct text *text = &json->scratch;
	const char *end;
	int c;

	text->len = 0;
	while (json->trouble == NULL) {
		c = peek(json);
		if (c == '"') {
			json->next++;
			json->text = text_str(text);
			return true;
		}
		if (c == '\\') {
			json->next++;
			c = peek(json);
			if (c == 'u') {
				json->next++;
				take_unicode(json);
			} else
				take_simple_escape(json, c);
			continue;
		}
		if (c < ' ')
			fail_at(json, c);
		end = plain_end(json->next, json->end);
		if (!json->skipping)
			text_add(text, (struct str){ json->next,
			    (size_t)(end - json->next) });
		json->next = end;
	}
	return false;
}

/* Reads a text after its first quote. */
static bool
take_text(struct json *json)
{
	const char *end = plain_end(json->next, json->end);

	if (end == json->end || *end != '"')
		return take_long_text(json);
	json->text = (struct str){ json->next, (size_t)(end - json->next) };
	json->next = end + 1;
	return true;
}

static enum json_type
enter(struct json *json, char end, enum json_type type)
{
	if (json->depth == JSON_DEPTH)
		return fail(json, "its arrays and objects are too deep");
	json->next++;
	json->ends[json->depth++] = end;
	json->first = true;
	return type;
}

enum json_type
json_value(struct json *json)
{
	int c = peek_after_space(json);

	switch (c) {
	case '{':
		return enter(json, '}', JSON_OBJECT);
	case '[':
		return enter(json, ']', JSON_ARRAY);
	case '"':
		json->next++;
		return take_text(json) ? JSON_TEXT : JSON_NONE;
	case 't':
		return take_word(json, "true", JSON_TRUE);
	case 'f':
		return take_word(json, "false", JSON_FALSE);
	case 'n':
		return take_word(json, "null", JSON_NULL);
	default:
		if (c == '-' || (c >= '0' && c <= '9'))
			return take_number(json);
		return fail_at(json, c);
	}
}

/* Steps over the next byte, c; false if that is not the one to come. */
static inline bool
take(struct json *json, int c, char byte)
{
	if (c == byte)
		json->next++;
	else
		fail_at(json, c);
	return c == byte;
}

bool
json_element(struct json *json)
{
	int c = peek_after_space(json);

	if (json->trouble != NULL)
		return false;
	if (c == json->ends[json->depth - 1]) {
		json->next++;
		json->depth--;
		json->first = false;
		return false;
	}
	if (!json->first && !take(json, c, ','))
		return false;
	json->first = false;
	return true;
}

bool
json_member(struct json *json, struct str *key)
{
	if (!json_element(json) ||
	    !take(json, peek_after_space(json), '"') || !take_text(json))
		return false;
	/* what follows may be in the next piece */
	if (!json->skipping && json->text.data != json->scratch.data) {
		json->scratch.len = 0;
		text_add(&json->scratch, json->text);
	}
	*key = text_str(&json->scratch);
	return take(json, peek_after_space(json), ':');
}

void
json_leave(struct json *json, enum json_type type)
{
	struct str key;

	while (type == JSON_ARRAY ? json_element(json) :
	    type == JSON_OBJECT && json_member(json, &key))
		json_skip(json);
}

void
json_skip(struct json *json)
{
	bool skipping = json->skipping;

	json->skipping = true;
	json_leave(json, json_value(json));
	json->skipping = skipping;
}

bool
json_enters(struct json *json, enum json_type type)
{
	enum json_type found = json_value(json);

	if (found == type)
		return true;
	json_leave(json, found);
	return false;
}

bool
json_fixed(struct json *json, int places, int64_t *fixed)
{
	enum json_type type = json_value(json);

	json_leave(json, type);
	return (type == JSON_NUMBER || type == JSON_TEXT) &&
	    str_fixed(json->text, places, fixed);
}

/* Objects by rows. */

const struct json_row json_each_value[] = { { NULL, NULL, 0, NULL } };

const struct json_row *
json_find_row(const struct json_row *rows, struct str name)
{
	size_t i;

	for (; rows->name != NULL; rows++) {
		for (i = 0; i < name.len && rows->name[i] == name.data[i] &&
		    rows->name[i] != '\0'; i++)
			;
		if (i == name.len && rows->name[i] == '\0')
			return rows;
	}
	return NULL;
}

void
json_members(struct json *json, const struct json_row *rows, void *at)
{
	const struct json_row *row;
	struct str name;

	while (json_member(json, &name)) {
		row = json_find_row(rows, name);
		if (row == NULL)
			json_skip(json);
		else if (row->reader == NULL)
			json_object(json, row->rows, (char *)at + row->offset);
		else if (row->rows == JSON_EACH)
			json_each(json, row->reader, (char *)at + row->offset);
		else
			row->reader(json, (char *)at + row->offset);
	}
}

bool
json_object(struct json *json, const struct json_row *rows, void *at)
{
	if (!json_enters(json, JSON_OBJECT))
		return false;
	json_members(json, rows, at);
	return true;
}

bool
json_each(struct json *json, json_reader *reader, void *at)
{
	if (!json_enters(json, JSON_ARRAY))
		return false;
	while (json_element(json))
		reader(json, at);
	return true;
}

void
json_to_str(struct json *json, void *at)
{
	*(struct str *)at = json_enters(json, JSON_TEXT) ?
	    arena_copy(&json->texts, json->text) : STR("");
}

void
json_to_name(struct json *json, void *at)
{
	enum json_type type = json_value(json);
	struct str *name = at;
	char digits[24];
	int64_t number;

	*name = STR("");
	json_leave(json, type);
	if (type == JSON_NUMBER && !str_is_number(json->text) &&
	    str_fixed(json->text, 0, &number)) {
		/* 12.0 and 12 have one name */
		snprintf(digits, sizeof(digits), "%lld", (long long)number);
		*name = arena_copy(&json->texts, str_from(digits));
	} else if (type == JSON_NUMBER || type == JSON_TEXT)
		*name = arena_copy(&json->texts, json->text);
}

void
json_to_double(struct json *json, void *at)
{
	if (json_enters(json, JSON_NUMBER))
		*(double *)at = json->number;
}

void
json_to_flag(struct json *json, void *at)
{
	*(bool *)at = true;
	json_skip(json);
}

void
json_end(struct json *json)
{
	if (peek_after_space(json) != NOTHING)
		fail(json, "something follows its end");
	free(json->scratch.data);
	json->scratch = (struct text){ 0 };
	json->text = STR("");
}

void
json_add_string(struct text *json, struct str s)
{
	uint32_t code;
	size_t plain;
	char c;

	text_add_char(json, '"');
	while (s.len > 0) {
		for (plain = 0; plain < s.len; plain++) {
			c = s.data[plain];
			if (c < ' ' || c > '~' || c == '"' || c == '\\')
				break;
		}
		text_add(json, str_take(s, plain));
		s = str_skip(s, plain);
		if (s.len == 0)
			break;
		code = utf8_next(&s);
		if (code == '"' || code == '\\') {
			text_add_char(json, '\\');
			text_add_char(json, (char)code);
		} else if (utf8_is_shown(code))
			utf8_add(json, code);
		else
			text_add_format(json, "\\u%04x", (unsigned)code);
	}
	text_add_char(json, '"');
}

void
json_add_number(struct text *json, double number)
{
	size_t start = json->len;

	if (!isfinite(number))
		text_add(json, STR("null"));
	else if (number >= 0 && number < 0x1p53 && floor(number) == number)
		text_add_number(json, (unsigned long long)number);
	else {
		text_add_format(json, "%.15g", number);
		text_add_char(json, '\0');
		json->len--;
		if (strtod(json->data + start, NULL) == number)
			return;
		json->len = start;
		text_add_format(json, "%.17g", number);
	}
}
