#include <pthread.h>

#include "dso.h"
#include "elfsyms.h"
#include "find.h"

struct symbols {
	struct symbol_sources sources;
	struct arena arena;
};

struct dso {
	pthread_mutex_t lock;
	struct symbols *symbols;
	enum dso_kind kind;
	struct str name;
	struct build_id id;
	uint64_t address;
	bool loaded;
	enum dso_trouble trouble;
	struct symtab symtab;
};

static const char *
copied(struct symbols *symbols, const char *s)
{
	if (s == NULL)
		return NULL;
	return arena_copy(&symbols->arena,
	    (struct str){ s, strlen(s) + 1 }).data;
}

struct symbols *
symbols_open(const struct symbol_sources *sources)
{
	struct symbols *symbols = mem_array(1, sizeof(*symbols));

	symbols->sources = (struct symbol_sources){
		.symfs = copied(symbols, sources->symfs),
		.kallsyms = copied(symbols, sources->kallsyms),
		.home = copied(symbols, sources->home),
		.release = copied(symbols, sources->release)
	};
	return symbols;
}

struct dso *
dso_open(struct symbols *symbols, enum dso_kind kind, struct str name,
    const struct build_id *id, uint64_t address)
{
	struct dso *dso = mem_array(1, sizeof(*dso));

	pthread_mutex_init(&dso->lock, NULL);
	dso->symbols = symbols;
	dso->kind = kind;
	dso->name = arena_copy(&symbols->arena, name);
	if (id != NULL)
		dso->id = *id;
	dso->address = address;
	return dso;
}

static void
load_program(struct dso *dso)
{
	struct found found;

	dso->trouble = find_program(&dso->symbols->sources, dso->name,
	    dso->id, &found);
	if (dso->trouble == DSO_FINE)
		elfsyms_add(&dso->symtab, &found.symbols, &found.runtime,
		    BY_OFFSET);
}

static void
load(struct dso *dso)
{
	switch (dso->kind) {
	case DSO_FILE:
		load_program(dso);
		break;
	default:
		dso->trouble = DSO_NO_FILE;
		break;
	}
	if (dso->trouble == DSO_FINE && dso->symtab.count == 0)
		dso->trouble = DSO_NO_SYMBOLS;
	dso->loaded = true;
}

bool
dso_function(struct dso *dso, uint64_t address, struct dso_function *function)
{
	struct symbol *symbol;

	pthread_mutex_lock(&dso->lock);
	if (!dso->loaded)
		load(dso);
	symbol = symtab_find(&dso->symtab, address);
	if (symbol != NULL) {
		function->name = symtab_name(&dso->symtab, symbol);
		function->start = symbol->start;
	}
	pthread_mutex_unlock(&dso->lock);
	return symbol != NULL;
}

enum dso_trouble
dso_trouble(struct dso *dso)
{
	enum dso_trouble trouble;

	pthread_mutex_lock(&dso->lock);
	trouble = dso->trouble;
	pthread_mutex_unlock(&dso->lock);
	return trouble;
}
