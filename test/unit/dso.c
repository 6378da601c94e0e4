/*
 * dso: reads addresses in hexadecimal, as "4f0", and prints the function at
 * each and its start, "main 4e0", or "-".  Then it says why a file has no
 * functions, if it has none.  "truncate FILE SIZE" instead of an address sets
 * the size of a file.
 *
 *	dso file|vdso|map|kernel|module [-s SYMFS] [-k KALLSYMS] [-h HOME]
 *	    [-b BUILD-ID] [-a ADDRESS] [-r RELEASE] NAME
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/mapping.h"
#include "symbols/dso.h"
#include "unit.h"

static struct build_id
build_id(const char *hex)
{
	struct build_id id = { 0 };
	unsigned byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		id.bytes[id.len++] = (unsigned char)byte;
	return id;
}

static enum dso_kind
kind_of(const char *name)
{
	static const char *const kinds[] = {
		[DSO_FILE] = "file", [DSO_VDSO] = "vdso",
		[DSO_PERF_MAP] = "map", [DSO_JITDUMP] = "dump",
		[DSO_KERNEL] = "kernel", [DSO_MODULE] = "module"
	};
	unsigned i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(name, kinds[i]) == 0)
			return (enum dso_kind)i;
	errx(2, "%s: no kind", name);
}

static const char *
trouble_of(struct dso *dso)
{
	static const char *const troubles[] = {
		"fine", "no file", "other build id", "no symbols", "hidden",
		"no kernel", "no program",
		"other machine"
	};

	return troubles[dso_trouble(dso)];
}

static void
print_function(struct dso *dso, uint64_t address)
{
	struct dso_function function;

	if (!dso_function(dso, address, &function)) {
		puts("-");
		return;
	}
	unit_print(function.name, "");
	printf(" %llx\n", (unsigned long long)function.start);
}

static void
tell_cut(const char *path)
{
	printf("cut: %s\n", path);
}

int
dso_main(int argc, char **argv)
{
	struct symbol_sources sources = { .symfs = "" };
	struct symbols *symbols;
	struct build_id id = { 0 };
	enum dso_kind kind;
	struct dso *dso;
	struct str line;
	char words[256], path[256];
	uint64_t address = 0;
	long size;
	int option;

	kind = kind_of(argc > 1 ? argv[1] : "");
	for (optind = 2; (option = getopt(argc, argv, "s:k:h:b:a:r:")) != -1;) {
		switch (option) {
		case 's': sources.symfs = optarg; break;
		case 'k': sources.kallsyms = optarg; break;
		case 'h': sources.home = optarg; break;
		case 'r': sources.release = optarg; break;
		case 'b': id = build_id(optarg); break;
		case 'a': address = strtoull(optarg, NULL, 16); break;
		default: return 2;
		}
	}
	symbols = symbols_open(&sources);
	dso = dso_open(symbols, kind,
	    str_from(argv[optind] != NULL ? argv[optind] : ""), &id, address);
	while (unit_line(&line)) {
		snprintf(words, sizeof(words), "%.*s", (int)line.len,
		    line.data);
		if (sscanf(words, "truncate %255s %ld", path, &size) != 2)
			print_function(dso, strtoull(words, NULL, 16));
		else if (truncate(path, size) != 0)
			err(1, "%s", path);
	}
	if (dso_trouble(dso) != DSO_FINE)
		puts(trouble_of(dso));
	symbols_close(symbols);
	mapping_tell_cut(tell_cut);
	return 0;
}
