#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "mem.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "progress.h"

#ifndef VERSION
#define VERSION	"(of an unknown version)"
#endif

/* The first word of the command line, and the name in it, for the usage. */
static const char *self = "", *program;

/* The command line's options, each after a blank, and the output's name. */
static struct text given;
static const char *output = "";

/* True if flags have letters; see options_parse_flags. */
static bool has_letters;

/* The options that every program has without listing them. */
static bool quiet, version, help;
static const struct option common_options[] = {
	{ "quiet", OPTION_FLAG, &quiet, NULL,
	    "show no progress on the terminal" },
	{ "version", OPTION_FLAG, &version, NULL,
	    "print the program's version" },
	{ "help", OPTION_FLAG, &help, NULL, "print this text" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};
static const struct option *const last_option = &common_options[3];

/*
 * Returns what follows `name`, in any letter case, in the option's name; NULL
 * if that begins otherwise.  A "colour" is a "color".
 */
static const char *
rest_of(const struct option *option, struct str name)
{
	const char *rest = option->name;
	size_t i;

	for (i = 0; i < name.len; i++)
		if (lower(name.data[i]) == *rest)
			rest++;
		else if (lower(name.data[i]) != 'u' || *rest != 'r')
			return NULL;
	return name.len > 0 ? rest : NULL;
}

/* Returns the option; after the program's own, the common ones, then NULL. */
static const struct option *
listed(const struct option *option)
{
	if (option->type != OPTION_END)
		return option;
	return option == last_option ? NULL : common_options;
}

/* Returns the option's letter, -h, or NUL. */
static char
letter_of(const struct option *option)
{
	if (option->value == &version)
		return 'V';
	if (option->value == &help || (has_letters && option->value == &quiet))
		return option->name[0];
	return option->name[1] == '\0' ? option->name[0] : '\0';
}

/*
 * Returns how many letters of `word` have to be changed, removed or added to
 * make it an option's name; SIZE_MAX if it is too long for one.
 */
static size_t
count_changes(const char *name, struct str word)
{
	size_t row[32], i, before, changes;

	if (word.len >= sizeof(row) / sizeof(*row))
		return SIZE_MAX;
	for (i = 0; i <= word.len; i++)
		row[i] = i;
	for (; *name != '\0'; name++) {
		before = row[0]++;
		for (i = 0; i < word.len; i++) {
			changes = before + (*name != lower(word.data[i]));
			before = row[i + 1];
			if (changes > before + 1)
				changes = before + 1;
			if (changes > row[i] + 1)
				changes = row[i] + 1;
			row[i + 1] = changes;
		}
	}
	return row[word.len];
}

/* Reports an unknown option, and the one whose name is most like it. */
static void
warn_unknown(const struct usage *usage, struct str typed, struct str name)
{
	const struct option *option = usage->options, *nearest = NULL;
	size_t least = name.len > 4 ? 3 : 2, changes;

	for (; (option = listed(option)) != NULL; option++) {
		if (option->type >= OPTION_REMOVED || option->name[1] == '\0')
			continue;
		changes = count_changes(option->name, name);
		if (changes < least) {
			least = changes;
			nearest = option;
		}
	}
	if (nearest != NULL)
		message_warn("unknown option: %.*s; did you mean --%s?",
		    (int)typed.len, typed.data, nearest->name);
	else
		message_warn("unknown option: %.*s", (int)typed.len,
		    typed.data);
}

/* Returns the option that `name` means; NULL, after a message, if none does. */
static const struct option *
find_option(const struct usage *usage, struct str typed, struct str name)
{
	const struct option *option = usage->options;
	const struct option *found = NULL, *other = NULL, *original = NULL;
	const char *rest;

	for (; (option = listed(option)) != NULL; option++) {
		if (option->type == OPTION_ADDED) {
			original = found;
			continue;
		}
		rest = rest_of(option, name);
		if ((rest != NULL && *rest == '\0') || (name.len == 1 &&
		    name.data[0] == letter_of(option)))
			return option;
		if (rest == NULL || original != NULL ||
		    option->type == OPTION_REMOVED)
			continue;
		if (found == NULL)
			found = option;
		else if (other == NULL)
			other = option;
	}
	if (found == NULL)
		warn_unknown(usage, typed, name);
	if (other == NULL)
		return found;
	message_warn("option %.*s is ambiguous: --%s or --%s", (int)typed.len,
	    typed.data, found->name, other->name);
	return NULL;
}

/* True for [+-]digits. */
static bool
is_integer(struct str s)
{
	bool has_sign = s.len > 0 && (s.data[0] == '-' || s.data[0] == '+');

	return str_is_number(str_skip(s, has_sign));
}

/* True for [+-]digits[.digits][e[+-]digits]; one digit before the e will do. */
static bool
is_decimal(struct str s)
{
	bool has_sign = s.len > 0 && (s.data[0] == '-' || s.data[0] == '+');
	size_t digits = str_digits(str_skip(s, has_sign)), more;

	s = str_skip(s, has_sign + digits);
	if (str_starts(s, STR("."))) {
		more = str_digits(str_skip(s, 1));
		s = str_skip(s, 1 + more);
		digits += more;
	}
	if (digits > 0 && s.len > 0 && lower(s.data[0]) == 'e')
		return is_integer(str_skip(s, 1));
	return digits > 0 && s.len == 0;
}

bool
options_integer(const char *value, long *integer)
{
	errno = 0;
	if (is_integer(str_from(value)))
		*integer = strtol(value, NULL, 10);
	else
		errno = EINVAL;
	return errno == 0;
}

/* Stores a number within its range; false after a message. */
static bool
store_in_range(const struct option *option, const char *value)
{
	struct option_range *range = option->value;
	long number;

	if (!is_integer(str_from(value))) {
		message_warn("option --%s: \"%s\" is not a whole number",
		    option->name, value);
		return false;
	}
	if (!options_integer(value, &number) || number < range->least ||
	    number > range->most) {
		message_warn("option --%s: %s is not from %ld to %ld",
		    option->name, value, range->least, range->most);
		return false;
	}
	range->value = number;
	return true;
}

/* Stores the value of an option; false after a message. */
static bool
store(const struct option *option, const char *value)
{
	struct option_list *list = option->value;
	bool valid = true;

	errno = 0;
	switch (option->type) {
	case OPTION_TEXT:
	case OPTION_OPTIONAL:
		*(const char **)option->value = value;
		break;
	case OPTION_INTEGER:
		valid = options_integer(value, option->value);
		break;
	case OPTION_RANGE:
		return store_in_range(option, value);
	case OPTION_DECIMAL:
		valid = is_decimal(str_from(value));
		if (valid)
			*(double *)option->value = strtod(value, NULL);
		break;
	case OPTION_LIST:
		*LIST_ADD(list->values, list->count, list->room) = value;
		break;
	case OPTION_FLAG:
	case OPTION_REMOVED:
	case OPTION_ADDED:
	case OPTION_END:
		break;
	}
	if (valid && errno != ERANGE)
		return true;
	message_warn("option --%s: \"%s\" is %s", option->name, value,
	    errno == ERANGE ? "too large or too small" :
	    option->type == OPTION_INTEGER ? "not a whole number" :
	    "not a number");
	return false;
}

/*
 * Handles the option in **argument; `word` is the part after its dashes.
 * Leaves *argument at the last word it took.  False after a message.
 */
static bool
take_option(const struct usage *usage, struct str word, char ***argument)
{
	size_t name_len = str_find(word, '=');
	const char *value = name_len < word.len ?
	    word.data + name_len + 1 : NULL;
	struct str typed = str_from(**argument);
	const struct option *option = find_option(usage,
	    str_take(typed, str_find(typed, '=')),
	    str_take(word, name_len));

	if (option == NULL)
		return false;
	if (option->type == OPTION_REMOVED) {
		message_warn("option --%s %s", option->name, option->help);
		return false;
	}
	if (option->type == OPTION_FLAG) {
		if (value != NULL)
			message_warn("option --%s takes no value",
			    option->name);
		else
			*(bool *)option->value = true;
		return value == NULL;
	}
	if (option->type == OPTION_OPTIONAL)
		return store(option, value == NULL ? "" : value);
	if (value == NULL && (*argument)[1] != NULL)
		value = *++*argument;
	else if (value == NULL || *value == '\0') {
		message_warn("option --%s needs a value", option->name);
		return false;
	}
	return store(option, value);
}

static void
print_option(const struct option *option)
{
	const char *help_end = option->help;
	char letter = letter_of(option);
	int width = letter == '\0' ? printf("    ") : printf("    -%c", letter);

	if (strlen(option->name) > 1)
		width += printf("%s--%s", letter == '\0' ? "" : ", ",
		    option->name);
	if (option->argument != NULL)
		width += printf(option->type == OPTION_OPTIONAL ?
		    "[=%s]" : " %s", option->argument);

	for (; *help_end != '\0'; help_end++) {
		if (help_end == option->help)
			printf("%*s", width < 24 ? 24 - width : 1, "");
		putchar(*help_end);
		if (*help_end == '\n')
			printf("%24s", "");
	}
	putchar('\n');
}

const char *
options_program(char **argv)
{
	const char *slash = strrchr(argv[0], '/');

	return slash != NULL ? slash + 1 : argv[0];
}

const char *
options_self(void)
{
	return self;
}

void
options_add_command(struct text *text, const char *const *operands,
    const char *input)
{
	text_add_word(text, str_from(self));
	text_add(text, text_str(&given));
	for (; *operands != NULL; operands++) {
		text_add_char(text, ' ');
		text_add_word(text, str_from(*operands));
	}
	if (output[0] == '\0')
		return;
	text_add_format(text, " > %s%s", input != NULL &&
	    str_equal(str_base(str_from(input)), str_from(output)) ?
	    "new-" : "", output);
}

void
options_refuse_terminal(const char *const *operands)
{
	struct text command = { 0 };

	if (!isatty(STDOUT_FILENO))
		return;
	options_add_command(&command, operands, NULL);
	message_warn("standard output is a terminal; type: %.*s",
	    (int)command.len, command.data);
	exit(2);
}

/* Notes a word of the command line that is no operand. */
static void
note_given(const char *word)
{
	text_add_char(&given, ' ');
	text_add_word(&given, str_from(word));
}

/* Begins with the name of the program and what its usage has for the output. */
static void
begin_parsing(const struct usage *usage, char **argv)
{
	const char *end = strpbrk(usage->synopsis, "|>");

	output_begin();
	self = argv[0];
	program = options_program(argv);
	given.len = 0;
	output = end != NULL && *end == '>' ? end + 2 : "";
}

/* Says where help is, after the mistakes, and ends the program. */
static void
end_as_wrong(void)
{
	message_plain("Try '%s --help'.", program);
	exit(2);
}

/* Does the work of the options that every program has. */
static void
end_parsing(const struct usage *usage, bool valid)
{
	const struct option *option = usage->options;

	if (help) {
		printf("usage: %s %s\n\n", program, usage->synopsis);
		for (; (option = listed(option)) != NULL; option++)
			if (option->type == OPTION_ADDED)
				putchar('\n');
			else if (option->type != OPTION_REMOVED)
				print_option(option);
		if (usage->example != NULL)
			printf("\n%s\n", usage->example);
	} else if (!valid)
		end_as_wrong();
	else if (version)
		printf("%s %s\n", program, VERSION);
	if (help || version)
		exit(output_close(0));
	if (quiet)
		progress_silence();
}

const char *const *
options_parse(const struct usage *usage, char **argv)
{
	char **argument = argv + 1, **operand = argument, **first, *word;
	bool valid = true;

	begin_parsing(usage, argv);
	for (; *argument != NULL; argument++) {
		word = *argument;
		if (strcmp(word, "--") == 0) {
			while (*++argument != NULL)
				*operand++ = *argument;
			break;
		}
		if ((word[0] == '-' || word[0] == '+') && word[1] != '\0') {
			first = argument;
			word += word[0] == '-' && word[1] == '-' ? 2 : 1;
			if (!take_option(usage, str_from(word), &argument))
				valid = false;
			while (first <= argument)
				note_given(*first++);
		} else
			*operand++ = word;
	}
	*operand = NULL;
	end_parsing(usage, valid);
	return (const char *const *)(argv + 1);
}

/* Sets the flag in the table that `name`, a letter or a word, means. */
static bool
set_flag(const struct usage *usage, struct str name)
{
	const struct option *option = usage->options;

	for (; (option = listed(option)) != NULL; option++)
		if (str_equal(name, str_from(option->name)) ||
		    (name.len == 1 && name.data[0] == letter_of(option)))
			break;
	if (option != NULL)
		*(bool *)option->value = true;
	return option != NULL;
}

/* Sets the flags of "-ns" or "--quiet"; false after a message. */
static bool
take_flags(const struct usage *usage, struct str word)
{
	bool valid = true;
	size_t i;

	if (str_starts(word, STR("--"))) {
		valid = word.len > 3 && set_flag(usage, str_skip(word, 2));
		if (!valid)
			warn_unknown(usage, word, str_skip(word, 2));
		return valid;
	}
	for (i = 1; i < word.len; i++)
		if (!set_flag(usage, str_between(word, i, i + 1))) {
			message_warn("unknown option: -%c", word.data[i]);
			valid = false;
		}
	return valid;
}

const char *const *
options_parse_flags(const struct usage *usage, char **argv)
{
	bool valid = true;

	begin_parsing(usage, argv);
	has_letters = true;
	while (*++argv != NULL && **argv == '-' && strcmp(*argv, "-") != 0) {
		if (strcmp(*argv, "--") == 0) {
			argv++;
			break;
		}
		valid &= take_flags(usage, str_from(*argv));
		note_given(*argv);
	}
	end_parsing(usage, valid);
	return (const char *const *)argv;
}

void
options_reject(const char *format, ...)
{
	struct text message = { 0 };
	va_list args;

	va_start(args, format);
	text_add_list(&message, format, args);
	va_end(args);
	message_warn("%.*s", (int)message.len, message.data);
	end_as_wrong();
}
