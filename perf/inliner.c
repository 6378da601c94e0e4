#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fold/folded.h"
#include "inliner.h"
#include "lib/message.h"
#include "lib/table.h"
#include "symbols/dso.h"

#define ADDRESS_DIGITS	16

/* A file that addresses are of. */
struct inliner_file {
	struct dso *dso;	/* NULL: it cannot be read, as was said */
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

struct inliner *
inliner_new(bool context)
{
	struct inliner *inliner = mem_array(1, sizeof(*inliner));

	inliner->context = context;
	inliner->symbols = symbols_open(&(struct symbol_sources){
	    .symfs = "" });
	table_init(&inliner->paths);
	return inliner;
}

static void
tell(struct str path, const char *reason)
{
	message_warn("--inline: %.*s: %s", (int)str_find(path, '\0'),
	    path.data, reason);
}

/* Returns why the file at a path cannot be read, or NULL. */
static const char *
find_reason(struct str path)
{
	struct text name = { 0 };
	const char *reason = NULL;
	struct stat status;

	text_add(&name, path);
	text_add_char(&name, '\0');
	if (str_find(path, '\0') < path.len)
		reason = "what follows is no part of a file's name";
	else if (stat(name.data, &status) != 0)
		reason = strerror(errno);
	else if (!S_ISREG(status.st_mode))
		reason = "not a regular file";
	free(name.data);
	return reason;
}

static struct inliner_file *
get_file(struct inliner *inliner, struct str path)
{
	uint32_t before = inliner->paths.count, number;
	struct inliner_file *file;
	const char *reason;

	number = table_add(&inliner->paths, path);
	inliner->files = mem_grow(inliner->files, &inliner->room,
	    number + (size_t)1, sizeof(*inliner->files));
	file = &inliner->files[number];
	if (number < before)
		return file;
	*file = (struct inliner_file){ .dso = NULL };
	reason = find_reason(path);
	if (reason != NULL)
		tell(path, reason);
	else
		file->dso = dso_open(inliner->symbols, DSO_ELF, path, NULL, 0);
	return file;
}

/* Finds the offset of "function+0x1f" by the symbols of its file. */
static bool
find_offset(struct dso *dso, struct str symbol, uint64_t *offset)
{
	const struct str sign = STR("+0x");
	size_t plus = str_find_last(symbol, '+');

	if (!str_starts(str_skip(symbol, plus), sign) ||
	    !dso_start(dso, str_take(symbol, plus), offset))
		return false;
	symbol = str_skip(symbol, plus + sign.len);
	*offset += str_hex(&symbol);
	return true;
}

/* Adds the calls at an offset of a file; false if it has none there. */
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

bool
inliner_calls(struct inliner *inliner, struct str path, struct str address,
    struct str symbol, struct text *calls)
{
	struct inliner_file *file;
	uint64_t offset;
	size_t i;

	for (i = 0; i < address.len; i++)
		if (!is_hex(address.data[i]) || i == ADDRESS_DIGITS)
			return false;
	file = get_file(inliner, path);
	if (file->dso == NULL)
		return false;
	return (dso_offset(file->dso, DSO_LINKED, str_hex(&address),
	    &offset) && add_calls(inliner, file, offset, calls)) ||
	    (find_offset(file->dso, symbol, &offset) &&
	    add_calls(inliner, file, offset, calls));
}

/* Says which files have no debug information, or what is wrong with it. */
static void
report(const struct inliner *inliner)
{
	const struct table *paths = &inliner->paths;
	struct inliner_file *file;
	uint32_t i, silent = 0, first = 0;
	const char *damage, *path;

	for (i = 0; i < paths->count; i++) {
		file = &inliner->files[i];
		damage = file->dso == NULL ? NULL : dso_damage(file->dso,
		    &path);
		if (damage != NULL)
			tell(str_from(path), damage);
		else if (file->dso == NULL || file->answered)
			continue;
		else if (silent++ == 0)
			first = i;
	}
	if (silent > 1)
		message_warn("--inline: %.*s: no debug information; other "
		    "files without: %lu", (int)paths->keys[first].len,
		    paths->keys[first].data, (unsigned long)silent - 1);
	else if (silent == 1)
		tell(paths->keys[first], "no debug information");
}

void
inliner_end(struct inliner *inliner)
{
	report(inliner);
	symbols_close(inliner->symbols);
	table_free(&inliner->paths);
	free(inliner->files);
	free(inliner->functions.list);
	free(inliner);
}
