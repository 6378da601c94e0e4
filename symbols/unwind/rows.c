#include <stdlib.h>

#include "frametables.h"
#include "lib/mem.h"
#include "rows.h"

#define WORD	8
#define BITS	14	/* 655 KB; a large program needs some thousand rows */

struct known_row {
	uint64_t address, maps;	/* 0: empty */
	struct row row;
};

/* Stores a row in few bytes; false if that cannot be. */
static bool
pack(const struct cfi_row *from, struct row *row)
{
	const struct cfi_rule *rule;
	uint8_t column;

	if (from->cfa_is_expression || from->is_signal ||
	    from->cfa_value != (int32_t)from->cfa_value)
		return false;
	*row = (struct row){ .kind = ROW_SHORT,
	    .cfa_register = from->cfa_register,
	    .return_column = from->return_column,
	    .cfa_offset = (int32_t)from->cfa_value };
	for (column = 0; column < CFI_COLUMNS; column++) {
		rule = &from->rules[column];
		if (rule->how == CFI_SAME)
			continue;
		if (rule->how != CFI_AT || rule->value % WORD != 0 ||
		    rule->value / WORD != (int8_t)(rule->value / WORD) ||
		    row->count == ROW_SAVED)
			return false;
		row->of.saved[row->count].column = column;
		row->of.saved[row->count++].words =
		    (int8_t)(rule->value / WORD);
	}
	return true;
}

static bool
is_sigreturn(const struct elf *file, uint64_t offset)
{
	struct bytes code = bytes_at(&file->file, offset, WORD);

	return bytes_u64(&code) == ROW_SIGRETURN && !code.failed;
}

/*
 * True if a handler of a signal may return here.  The row of a caller is asked
 * for one byte before, where another function may end.
 */
static bool
may_be_sigreturn(const struct elf *file, uint64_t offset)
{
	return file->machine == ELF_AARCH64 && (is_sigreturn(file, offset) ||
	    is_sigreturn(file, offset + 1));
}

struct row
row_of(const struct frametables *tables, uint64_t offset)
{
	const struct cfi_section *section;
	struct row row = { .kind = ROW_END };
	struct cfi_row full;

	if (tables == NULL)
		return row;
	switch (frametables_row(tables, offset, &full, &section)) {
	case FRAMETABLES_NONE:
	case FRAMETABLES_DAMAGED:
		break;
	case FRAMETABLES_NO_ENTRY:
		row.kind = ROW_GUESS;
		break;
	case FRAMETABLES_FOUND:
		if (!may_be_sigreturn(tables->file, offset) &&
		    pack(&full, &row))
			break;
		row = (struct row){ .kind = ROW_LONG };
		row.of.place.tables = tables;
		row.of.place.offset = offset;
		break;
	}
	return row;
}

void
rows_free(struct rows *rows)
{
	free(rows->list);
	rows->list = NULL;
}

struct row *
rows_at(struct rows *rows, uint64_t address, uint64_t maps, bool *known)
{
	uint64_t hash = (address ^ maps << 40 ^ maps >> 24) *
	    UINT64_C(0x9E3779B97F4A7C15);
	struct known_row *at;

	if (rows->list == NULL)
		rows->list = mem_array((size_t)1 << BITS, sizeof(*rows->list));
	at = &rows->list[hash >> (64 - BITS)];
	*known = at->address == address && at->maps == maps;
	at->address = address;
	at->maps = maps;
	return &at->row;
}
