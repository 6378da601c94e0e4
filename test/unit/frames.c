/*
 * Prints what an ELF file tells of the frames at addresses, as readelf -wF
 * does: the CFA, and rules of registers that are not as they were, by the short
 * row where there is one.
 *
 *	frames FILE < addresses
 *	frames FILE kinds < offsets
 *
 * With kinds, it prints the kind of the cached row at each file offset.
 */
#include <stdio.h>
#include <stdlib.h>

#include "symbols/unwind/unwind.h"
#include "unit.h"

static const char *const names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
	"rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	"ra" };

static void
print_rule(unsigned column, const struct cfi_rule *rule)
{
	if (rule->how == CFI_SAME_VALUE)
		return;
	printf(" %s=", names[column]);
	switch (rule->how) {
	case CFI_UNDEFINED:
		printf("u");
		break;
	case CFI_OFFSET:
		printf("c%+lld", (long long)rule->value);
		break;
	case CFI_VAL_OFFSET:
		printf("v%+lld", (long long)rule->value);
		break;
	case CFI_REGISTER:
		printf("%s", names[rule->value % 17]);
		break;
	default:
		printf(rule->how == CFI_EXPRESSION ? "exp" : "vexp");
	}
}

/* Makes a row of what is remembered of it. */
static void
unpack(const struct row *row, struct cfi_row *full)
{
	uint8_t i;

	memset(full->rules, 0, sizeof(full->rules));
	for (i = 0; i < CFI_COLUMNS; i++)
		full->rules[i].how = CFI_SAME_VALUE;
	full->cfa_is_expression = false;
	full->cfa_register = row->cfa_register;
	full->cfa_value = row->cfa_offset;
	for (i = 0; i < row->count; i++) {
		full->rules[row->of.saved[i].column].how = CFI_OFFSET;
		full->rules[row->of.saved[i].column].value =
		    row->of.saved[i].words * 8;
	}
}

static void
print_row(const struct cfi_row *row)
{
	unsigned i;

	if (row->cfa_is_expression)
		printf(" exp");
	else
		printf(" %s%+lld", names[row->cfa_register % 17],
		    (long long)row->cfa_value);
	for (i = 0; i < 17; i++)
		print_rule(i, &row->rules[i]);
	putchar('\n');
}

static void
answer(const struct elf *elf)
{
	struct frametables tables;
	struct row remembered;
	struct cfi_row row;
	struct str line;
	uint64_t address, offset;

	frametables_open(&tables, elf, elf);
	while (unit_line(&line)) {
		address = unit_hex(line);
		printf("%llx", (unsigned long long)address);
		if (elf_offset(elf, address, &offset) &&
		    frametables_row(&tables, offset, &row) == ROW_LONG) {
			remembered = row_of(&tables, offset);
			if (remembered.kind == ROW_SHORT)
				unpack(&remembered, &row);
			print_row(&row);
		} else
			puts(" nothing");
	}
	frametables_close(&tables);
}

static void
print_kinds(const struct elf *elf)
{
	static const char *const kinds[] = { "end", "guess", "short", "long" };
	struct frametables tables;
	struct str line;

	frametables_open(&tables, elf, elf);
	while (unit_line(&line))
		puts(kinds[row_of(&tables, unit_hex(line)).kind]);
	frametables_close(&tables);
}

int
frames_main(int argc, char **argv)
{
	FILE *in = argc > 1 ? fopen(argv[1], "rb") : NULL;
	struct elf elf;

	if (in == NULL || !elf_open(&elf, unit_all(in)))
		return 1;
	if (argc > 2)
		print_kinds(&elf);
	else
		answer(&elf);
	return 0;
}
