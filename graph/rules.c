#include "lib/input.h"
#include "lib/message.h"
#include "lib/utf8.h"
#include "rules.h"

/* Returns a text as regcomp and regexec take it, until the next one. */
static const char *
terminate(struct rules *rules, struct str s)
{
	rules->text.len = 0;
	text_add(&rules->text, s);
	text_add_char(&rules->text, '\0');
	return rules->text.data;
}

/* Reads PATTERN COLOR, and returns what is wrong with it, or NULL. */
static const char *
read_rule(struct rules *rules, struct str line)
{
	static char reason[200];
	size_t at = str_find_last(line, ' ');
	struct rule rule = { .used = false };
	int error;

	if (at == line.len)
		return "no color after a pattern";
	if (!colour_parse(str_skip(line, at + 1), &rule.colour))
		return "the color is not #rrggbb, #rgb or rgb(r,g,b)";
	rule.pattern = str_take(line, at);
	while (str_ends(rule.pattern, STR(" ")))
		rule.pattern.len--;
	error = regcomp(&rule.regex, terminate(rules, rule.pattern),
	    REG_EXTENDED | REG_NOSUB);
	if (error != 0) {
		regerror(error, &rule.regex, reason, sizeof(reason));
		return reason;
	}
	*LIST_ADD(rules->list, rules->count, rules->room) = rule;
	return NULL;
}

bool
rules_read(struct rules *rules, const char *path)
{
	const char *operands[] = { path, NULL }, *reason = NULL;
	struct input input;
	struct str line;

	input_init(&input, operands);
	while (reason == NULL && input_line(&input, &line)) {
		line = utf8_clean(line, &rules->arena);
		if (line.len > 0 && !str_starts(line, STR("# ")))
			reason = read_rule(rules,
			    arena_copy(&rules->arena, line));
	}
	if (reason != NULL)
		message_warn("%s: line %zu: %s", path, input.line, reason);
	return reason == NULL && !input.failed;
}

/* Names are matched once, since a function has many frames. */
struct rule *
rules_find(struct rules *rules, struct str name)
{
	uint32_t known = rules->names.count;
	uint32_t number = table_add(&rules->names, name), i = 0;
	const char *text;

	if (number == known) {
		text = terminate(rules, name);
		while (i < rules->count &&
		    regexec(&rules->list[i].regex, text, 0, NULL, 0) != 0)
			i++;
		*LIST_AT(rules->found, number, rules->found_room) = i;
	}
	i = rules->found[number];
	return i < rules->count ? &rules->list[i] : NULL;
}
