#include <stdlib.h>

#include "kind.h"
#include "lib/mem.h"
#include "lib/options.h"
#include "lib/packed.h"
#include "lib/protobuf.h"
#include "lib/text.h"

static const struct file_kind
	folded = FILE_KIND("perf", "folded text"),
	cprofile = FILE_KIND("cprofile", "a profile of cProfile"),
	cpuprofile = FILE_KIND("cpuprofile", "a profile of Node.js or Chrome"),
	firefox = FILE_KIND("firefox", "a profile for Firefox"),
	otlp = FILE_KIND("otlp", "a profile of OpenTelemetry"),
	pprof = FILE_KIND("pprof", "a profile of pprof"),
	speedscope = FILE_KIND("speedscope", "a file of speedscope"),
	trace = FILE_KIND("trace", "a trace in Chrome's format");

/* True for a dict of cProfile, whose keys are tuples of three. */
static bool
is_marshal(struct str bytes)
{
	return bytes.len > 3 && (bytes.data[0] & 0x7f) == '{' &&
	    (str_starts(str_skip(bytes, 1), STR("(\3")) ||
	    str_starts(str_skip(bytes, 1), STR("\xa8\3")) ||
	    str_starts(str_skip(bytes, 1), STR(")\3")) ||
	    str_starts(str_skip(bytes, 1), STR("\xa9\3")));
}

/* Returns the kind of a file that is JSON, or NULL. */
static const struct file_kind *
kind_of_json(struct str bytes)
{
	struct str text = str_trim_start(bytes);

	if (str_starts(text, STR("[")))
		return str_starts(str_trim_start(str_skip(text, 1)),
		    STR("{")) && str_contains(text, STR("\"ph\"")) ? &trace :
		    NULL;
	if (!str_starts(text, STR("{")))
		return NULL;
	if (str_contains(text, STR("\"traceEvents\"")))
		return &trace;
	if (str_contains(text, STR("speedscope.app/file-format-schema")))
		return &speedscope;
	if (str_contains(text, STR("\"cost_centres\"")))
		return &sniff_ghcprof;
	if (str_contains(text, STR("\"meta\"")) ||
	    str_contains(text, STR("\"libs\"")))
		return &firefox;
	return str_contains(text, STR("\"functionName\"")) ? &cpuprofile :
	    NULL;
}

/* True if some bytes are not text. */
static bool
is_binary(struct str bytes)
{
	size_t i;

	for (i = 0; i < bytes.len; i++)
		if (is_control(bytes.data[i]) && !is_blank(bytes.data[i]))
			return true;
	return false;
}

/*
 * True for a message that has only fields of a profile; it may end inside the
 * last one.
 */
static bool
is_pprof(struct str bytes)
{
	struct protobuf message = protobuf_from(bytes);
	struct protobuf_field field;
	size_t count = 0;

	if (!is_binary(bytes))
		return false;
	while (protobuf_next(&message, &field)) {
		if (field.number < 1 || field.number > 15)
			return false;
		count++;
	}
	return count >= 2;
}

/*
 * True for a profile of gperftools of CPU time: the words 0, 3, 0, the period
 * and 0, of 8 or 4 bytes; it may have symbols before them, which sniff knows.
 */
static bool
is_cpu(struct str bytes)
{
	static const char words[][24] = {
		{ [8] = 3 }, { [15] = 3 }, { [4] = 3 }, { [7] = 3 }
	};
	size_t i, len;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		len = i < 2 ? 24 : 12;
		if (str_starts(bytes, (struct str){ words[i], len }))
			return true;
	}
	return false;
}

/* Steps over the length of a field, which is 2 bytes or more; false if not. */
static bool
skip_length(struct str *bytes)
{
	size_t i = 0;

	while (i < 5 && i < bytes->len && (bytes->data[i] & 0x80) != 0)
		i++;
	if (i >= bytes->len || (i == 0 && bytes->data[0] < 2))
		return false;
	*bytes = str_skip(*bytes, i + 1);
	return true;
}

/*
 * True for a message that begins with a field 1 which has messages in it, 1 or
 * 2.  That of pprof has numbers.  The field may be longer than these bytes.
 */
static bool
is_otlp(struct str bytes)
{
	int i;

	if (!is_binary(bytes) || !str_starts(bytes, STR("\n")))
		return false;
	for (i = 0; i < 2; i++) {
		bytes = str_skip(bytes, 1);
		if (!skip_length(&bytes) || (!str_starts(bytes, STR("\n")) &&
		    !str_starts(bytes, STR("\x12"))))
			return false;
	}
	return true;
}

/* Finds the kind of what the first bytes of a file are compressed of. */
static const struct file_kind *
kind_of_packed(struct str bytes)
{
	struct text text = { 0 };
	const struct file_kind *kind = NULL;

	packed_peek(bytes, &text, KIND_ENOUGH);
	if (packed_by(text_str(&text)) == NULL)
		kind = kind_find(text_str(&text), true);
	free(text.data);
	return kind;
}

const struct file_kind *
kind_find(struct str bytes, bool is_all)
{
	const struct file_kind *kind;
	struct str text;
	size_t whole;

	bytes = str_without_mark(bytes);
	if (str_starts(bytes, STR("PERFILE2")) ||
	    str_starts(bytes, STR("2ELIFREP")))
		return &sniff_perf;
	if (packed_by(bytes) != NULL)
		return is_all ? kind_of_packed(bytes) : NULL;
	if (is_marshal(bytes))
		return &cprofile;
	if (is_cpu(bytes))
		return &sniff_heap;
	kind = kind_of_json(bytes);
	if (kind != NULL)
		return kind;
	whole = str_find_last(bytes, '\n');
	text = is_all ? bytes : str_take(bytes,
	    whole < bytes.len ? whole + 1 : 0);
	kind = sniff_is_folded(text) ? &folded : sniff_lines(text);
	if (kind == NULL && is_all && is_otlp(bytes))
		kind = &otlp;
	else if (kind == NULL && is_all && is_pprof(bytes))
		kind = &pprof;
	return kind;
}

void
kind_add_program(struct text *text, const char *self, const char *program)
{
	static const char *const names[] = { "stackcollapse", "flamegraph",
	    "difffolded", "folded" };
	const char *slash = strrchr(self, '/'), *own = NULL;
	size_t i;

	for (i = 0; own == NULL && i < sizeof(names) / sizeof(*names); i++)
		own = strstr(slash != NULL ? slash : self, names[i]);
	if (own == NULL)	/* a link's name */
		own = slash != NULL ? slash + 1 : self;
	text_add(text, str_take(str_from(self), (size_t)(own - self)));
	text_add(text, str_from(program));
}

/* Adds a file's name and what ends it, not to be taken for an option. */
static void
add_name(struct text *text, const char *name, const char *end)
{
	struct text path = { 0 };

	text_add_format(&path, "%s%s%s", name[0] == '-' ? "./" : "", name, end);
	text_add_word(text, text_str(&path));
	free(path.data);
}

/* Adds the command that folds the file. */
static void
add_collapser(struct text *text, const char *name)
{
	struct text program = { 0 };

	kind_add_program(&program, options_self(), "stackcollapse");
	if (name == NULL)
		text_add(text, STR("... | "));
	text_add_word(text, text_str(&program));
	if (name != NULL) {
		text_add_char(text, ' ');
		add_name(text, name, "");
	}
	free(program.data);
}

const char *
kind_advise(struct str bytes, const char *name, const char *const *operands)
{
	static const char *const none[] = { NULL };
	const struct file_kind *kind = kind_find(bytes, true);
	bool is_alone = operands[0] == NULL || operands[1] == NULL;
	struct text advice = { 0 };

	if (kind == NULL || kind == &folded)
		return NULL;
	text_add_format(&advice, "%s; type: ", kind->files);
	add_collapser(&advice, name);
	if (name == NULL || is_alone) {
		text_add(&advice, STR(" | "));
		options_add_command(&advice, name == NULL ? operands : none,
		    name);
	} else {
		text_add(&advice, STR(" > "));
		add_name(&advice, name, ".folded");
	}
	text_add_char(&advice, '\0');
	return advice.data;
}
