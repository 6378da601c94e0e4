#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>

#include "fold/folded.h"
#include "fold/function.h"
#include "frames.h"
#include "lib/message.h"
#include "symbols/demangle/demangle.h"
#include "symbols/dso.h"

#define ADDRESS_DIGITS	16

struct inliner_file {
	struct dso *dso;	/* NULL: it cannot be read */
	bool answered;
};

struct inliner {
	bool context;
	struct symbols *symbols;
	struct table paths;
	struct inliner_file *files;	/* by a path's number */
	size_t room;
	struct debug_functions functions;
};

/* True if s begins with a pattern, in which '#' stands for digits. */
static bool
begins_like(struct str s, const char *pattern)
{
	size_t len;

	for (; *pattern != '\0'; pattern++) {
		len = *pattern == '#' ? str_digits(s) :
		    s.len > 0 && s.data[0] == *pattern;
		if (len == 0)
			return false;
		s = str_skip(s, len);
	}
	return true;
}

static bool
contains_like(struct str s, const char *pattern)
{
	while (s.len > 0 && !begins_like(s, pattern))
		s = str_skip(s, 1 + str_find(str_skip(s, 1), *pattern));
	return s.len > 0;
}

/*
 * Addresses tell more than names, such as "bpf_prog_6deef7357e7b4530".  In
 * brackets are modules of the kernel, "[ext4]", but also memory of programs:
 * "[heap]", Android's "[JIT app cache]" and "[anon:scudo]".
 */
static bool
is_kernel(const struct frame *frame)
{
	struct str module = frame->module;

	if (str_contains(module, STR("unknown")))
		return false;
	if (frame->in_kernel || str_ends(module, STR("vmlinux")))
		return true;
	return str_starts(module, STR("[")) && !str_starts(module,
	    STR("[heap]")) && !str_starts(module, STR("[stack")) &&
	    !str_contains(module, STR(" ")) && !str_contains(module, STR(":"));
}

/*
 * True for a module that may have debug information: a file other than
 * "[vdso]", the kernel, or "inlined", perf's module of inlined calls.
 */
static bool
is_file(struct str module)
{
	size_t open = str_find(module, '[');
	size_t close = str_find(str_skip(module, open), ']');

	return !(open + close < module.len && close > 1) &&
	    !str_equal(module, STR("inlined")) &&
	    !str_contains(module, STR("kernel.")) &&
	    !contains_like(module, "perf-#.map");
}

/*
 * Adds part of a name.  ';' would part frames, and a line end lines.  The
 * original leaves out quotes.
 */
static void
add_tidy(struct text *name, struct str part)
{
	size_t i;

	for (i = 0; i < part.len; i++)
		if (part.data[i] == ';')
			text_add_char(name, ':');
		else if (part.data[i] == '\n')
			text_add_char(name, '_');
		else if (part.data[i] != '"' && part.data[i] != '\'')
			text_add_char(name, part.data[i]);
}

/* Adds the name of a frame without a symbol: its module's, in brackets. */
static void
add_unknown(const struct frames *frames, const struct frame *frame,
    struct text *name)
{
	text_add_char(name, '[');
	if (frame->module.len == 0 ||
	    str_equal(frame->module, STR("[unknown]")))
		text_add(name, STR("unknown"));
	else
		add_tidy(name, str_base(frame->module));
	if (frames->addresses) {
		text_add(name, STR(" <"));
		text_add(name, frame->address);
		text_add_char(name, '>');
	}
	text_add_char(name, ']');
}

/*
 * Adds the name of a function without its arguments and what it returns, and of
 * a Java method without the L of its class:
 *
 *	Lorg/mozilla/javascript/MemberBox;.<init>(Ljava/lang/reflect/Method;)V
 *	org/mozilla/javascript/MemberBox:.<init>
 */
static void
add_function(struct str symbol, bool native, bool java, struct text *name)
{
	struct function_parts parts = function_parts(symbol);
	struct str part;

	if (native)
		function_skip_result(&parts);
	if (!function_next_part(&parts, &part))
		return;
	if (java && str_starts(part, STR("L")) &&
	    str_find(part, '/') < part.len)
		part = str_skip(part, 1);
	do
		add_tidy(name, part);
	while (function_next_part(&parts, &part));
}

static struct calls
name_calls(struct frames *frames, const struct frame *frame, bool had_offset,
    bool java)
{
	bool in_kernel = is_kernel(frame);
	/* a JIT compiler's map, or what perf inject --jit makes */
	bool jitted = contains_like(frame->module, "/tmp/perf-#.map") ||
	    begins_like(str_base(frame->module), "jitted-#-#.so");
	/* as in the original, only these lose what functions return */
	bool native = had_offset && !in_kernel && !jitted;
	bool marks_kernel = frames->kernel && in_kernel;
	struct str mark = marks_kernel ? STR("_[k]") :
	    frames->jit && jitted ? STR("_[j]") : STR("");
	struct text *name = &frames->name;
	struct str symbol = frame->symbol, call;
	struct function_chain chain;
	size_t start;

	frames->symbol.len = name->len = 0;
	if (native && demangle_printed(symbol, &frames->symbol))
		symbol = text_str(&frames->symbol);
	chain = function_chain(symbol);
	if (function_is_process(frame->symbol) ||
	    !function_next_call(&chain, &call))
		return (struct calls){ NULL, 0, false };
	for (;;) {
		start = name->len;
		if (str_equal(call, STR("[unknown]")))
			add_unknown(frames, frame, name);
		else
			add_function(call, native, java, name);
		/* only "_[k]" is added to a name that has it already */
		if (marks_kernel ||
		    !str_contains(str_skip(text_str(name), start), mark))
			text_add(name, mark);
		if (!function_next_call(&chain, &call))
			return namer_calls(frames->namer, text_str(name));
		text_add_char(name, ';');
		mark = STR("_[i]");
		marks_kernel = false;
	}
}

void
frames_begin_inlining(struct frames *frames, bool context)
{
	struct inliner *inliner = mem_array(1, sizeof(*inliner));

	inliner->context = context;
	inliner->symbols = symbols_open(&(struct symbol_sources){
	    .symfs = "" });
	frames->inliner = inliner;
}

static void
tell(struct str path, const char *reason)
{
	message_warn("--inline: %.*s: %s", (int)path.len, path.data, reason);
}

static struct inliner_file *
get_file(struct inliner *inliner, struct str path)
{
	uint32_t before = inliner->paths.count, number;
	struct inliner_file *file;
	struct text name = { 0 };
	struct stat status;

	number = table_add(&inliner->paths, path);
	file = LIST_AT(inliner->files, number, inliner->room);
	if (number < before)
		return file;
	*file = (struct inliner_file){ .dso = NULL };
	text_add(&name, path);
	text_add_char(&name, '\0');
	if (str_find(path, '\0') < path.len)
		tell(path, "what follows is no part of a file's name");
	else if (stat(name.data, &status) != 0)
		tell(path, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		tell(path, "not a regular file");
	else
		file->dso = dso_open(inliner->symbols, DSO_ELF, path, NULL, 0);
	free(name.data);
	return file;
}

static bool
add_calls(struct inliner *inliner, struct inliner_file *file, uint64_t offset,
    struct text *calls)
{
	struct debug_functions *functions = &inliner->functions;
	const struct debug_function *function;
	size_t i;

	if (!dso_inlined(file->dso, offset, DEBUG_PARAMETERS |
	    (inliner->context ? DEBUG_LINES : 0), functions) ||
	    functions->list[0].name.len == 0)
		return false;
	for (i = functions->count; i > 0; i--) {
		function = &functions->list[i - 1];
		folded_add_name(calls, function->name.len > 0 ?
		    function->name : STR("??"));
		folded_add_line(calls, function->file, function->line);
		if (i > 1)
			text_add_char(calls, ';');
	}
	file->answered = true;
	return true;
}

/*
 * Adds the calls at an address of a module, outermost first, with ';' between
 * them.  Where the module is loaded at other addresses than its file has, the
 * offset in `symbol`, "main+0x1f", finds the place.  Returns false and adds
 * nothing if there is no debug information.
 */
static bool
find_inlined(struct inliner *inliner, struct str path, struct str address,
    struct str symbol, struct text *calls)
{
	const struct str sign = STR("+0x");
	size_t plus = str_find_last(symbol, '+'), digits = address.len;
	uint64_t number = str_hex(&address), offset;
	struct inliner_file *file;

	if (address.len > 0 || digits > ADDRESS_DIGITS)
		return false;
	file = get_file(inliner, path);
	if (file->dso == NULL)
		return false;
	if (dso_offset(file->dso, DSO_LINKED, number, &offset) &&
	    add_calls(inliner, file, offset, calls))
		return true;
	if (!str_starts(str_skip(symbol, plus), sign) ||
	    !dso_start(file->dso, str_take(symbol, plus), &offset))
		return false;
	symbol = str_skip(symbol, plus + sign.len);
	return add_calls(inliner, file, offset + str_hex(&symbol), calls);
}

/*
 * The key has the address only if that counts: there are ten times as many
 * addresses as symbols.
 */
struct calls
frames_calls(struct frames *frames, const struct frame *from, bool is_line,
    bool java)
{
	const struct str deleted = STR(" (deleted)");
	struct inliner *inliner = is_line ? frames->inliner : NULL;
	struct text *key = &frames->key, *name = &frames->name;
	struct str offset = STR("");
	struct frame frame = *from;
	const struct calls *known;
	struct calls calls;
	size_t lens[2];

	if (is_line) {
		/* "main+0x1f", and modules by -F +dsoff */
		frame.symbol = function_without_offset(from->symbol);
		frame.module = function_without_offset(from->module);
		offset = str_skip(from->symbol, frame.symbol.len);
		/* the kernel is in the upper half of 64 bits */
		frame.in_kernel = frame.address.len == ADDRESS_DIGITS &&
		    frame.address.data[0] >= '8' &&
		    is_hex(frame.address.data[0]);
	} else if (frame.symbol.len == 0)
		frame.symbol = STR("[unknown]");
	if (str_ends(frame.module, deleted))
		frame.module.len -= deleted.len;
	lens[0] = frame.symbol.len;
	lens[1] = frame.module.len;
	key->len = name->len = 0;
	text_add_char(key, (char)('0' + 4 * frame.in_kernel +
	    2 * (offset.len > 0) + java));
	text_add(key, (struct str){ (const char *)lens, sizeof(lens) });
	text_add(key, frame.symbol);
	text_add(key, frame.module);
	if (frames->addresses || inliner != NULL)
		text_add(key, frame.address);
	if (inliner != NULL)
		text_add(key, offset);
	known = memo_find(&frames->known, text_str(key));
	if (known != NULL)
		return *known;
	if (inliner != NULL && is_file(frame.module) &&
	    find_inlined(inliner, frame.module, frame.address, from->symbol,
	    name)) {
		calls = namer_calls(frames->namer, text_str(name));
		calls.inlined = true;
	} else
		calls = name_calls(frames, &frame, offset.len > 0, java);
	return memo_note(&frames->known, calls);
}

static void
add_frames(struct text *list, struct calls calls)
{
	text_add(list, (struct str){ (const char *)calls.frames,
	    calls.count * sizeof(*calls.frames) });
}

/* Adds the source line to the name of the last frame in the list. */
static void
name_line(struct frames *frames, const struct debug_function *function,
    enum frame_lines lines, bool inlined)
{
	struct table *names = &frames->namer->names;
	struct text *list = &frames->list, *name = &frames->name;
	char *last = list->data + list->len - sizeof(uint32_t);
	uint32_t number;

	if (lines == LINES_NONE || last == list->data)
		return;
	memcpy(&number, last, sizeof(number));
	name->len = 0;
	text_add(name, names->keys[number]);
	folded_add_line(name, function->file, function->line);
	/* perf prints line 0, not '?' */
	if (lines == LINES_PERF && function->line == 0 &&
	    function->file.len > 0)
		name->data[name->len - 1] = '0';
	if (inlined && lines == LINES_PERF)
		text_add(name, STR(" (inlined)"));
	number = table_add(names, text_str(name));
	memcpy(last, &number, sizeof(number));
}

struct calls
frames_add_debug(struct frames *frames, struct calls calls,
    const struct debug_functions *functions, bool inlined,
    enum frame_lines lines)
{
	struct text *list = &frames->list;
	const struct debug_function *function;
	size_t count = functions->count, i;
	struct frame frame = { .module = STR("inlined") };
	const struct calls *known;

	list->len = 0;
	text_add(list, STR("\0\0\0i"));
	add_frames(list, calls);
	name_line(frames, &functions->list[inlined ? count - 1 : 0], lines,
	    false);
	for (i = inlined ? count : 0; i > 0; i--) {
		function = &functions->list[i - 1];
		if (!function->inlined || function->name.len == 0)
			continue;
		frame.symbol = function->name;
		add_frames(list, frames_calls(frames, &frame, false,
		    false));
		name_line(frames, function, lines, true);
	}
	known = memo_find(&frames->known, text_str(list));
	return known != NULL ? *known : memo_note(&frames->known,
	    (struct calls){ (const uint32_t *)(const void *)list->data + 1,
	    list->len / sizeof(*calls.frames) - 1, false });
}

void
frames_report(const struct frames *frames)
{
	const struct inliner *inliner = frames->inliner;
	const struct str *paths;
	struct inliner_file *file;
	uint32_t i, silent = 0, first = 0;
	const char *damage, *path;

	if (inliner == NULL)
		return;
	paths = inliner->paths.keys;
	for (i = 0; i < inliner->paths.count; i++) {
		file = &inliner->files[i];
		damage = file->dso == NULL ? NULL : dso_damage(file->dso,
		    &path);
		if (damage != NULL)
			tell(str_from(path), damage);
		else if (file->dso != NULL && !file->answered &&
		    silent++ == 0)
			first = i;
	}
	if (silent > 1)
		message_warn("--inline: %.*s: no debug information; other "
		    "files without: %lu", (int)paths[first].len,
		    paths[first].data, (unsigned long)silent - 1);
	else if (silent == 1)
		tell(paths[first], "no debug information");
}
