/*
 * The input is a letter, 'a' for aarch64, 'i' for i386, and the lengths, two
 * bytes each, and bytes of .eh_frame_hdr, .eh_frame and .debug_frame; then come
 * registers, two bytes each, and a stack.  A row does not depend on what was
 * asked before, and stacks that are unwound by rows of few bytes are those of
 * full rows.
 */
#include "fuzz.h"
#include "symbols/unwind/unwind.h"

#define SECTIONS	3
#define MEMORY		0x10000	/* where registers and the stack are */
#define STACK		(MEMORY + 80)
#define CODE		0x4000	/* addresses below are in the file */
#define FRAMES		50

struct process {
	struct frametables tables;
	struct elf elf;
	struct elf_section sections[SECTIONS + 1];
	struct elf_segment segment;
	struct str stack;
	struct row row;
	bool by_full_rows;
};

/* The file's header table and sections, end to end from its start. */
static struct str
cut_sections(struct process *process, struct str input,
    const struct unwind_machine *machine)
{
	static const struct str names[] = { { ".eh_frame_hdr", 13 },
		{ ".eh_frame", 9 }, { ".debug_frame", 12 } };
	struct bytes bytes = bytes_from(input);
	uint64_t lengths[SECTIONS];
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		lengths[i] = bytes_u16(&bytes);
	process->elf = (struct elf){
		.file = bytes_from_offset(&bytes, bytes_offset(&bytes)),
		.machine = machine == &unwind_aarch64 ? ELF_AARCH64 : 0,
		.word = machine->word,
		.sections = process->sections, .section_count = SECTIONS + 1,
		.segments = &process->segment, .segment_count = 1,
	};
	process->segment = (struct elf_segment){ 0, 0, CODE };
	bytes = process->elf.file;
	for (i = 0; i < SECTIONS; i++) {
		process->sections[i + 1] = (struct elf_section){
		    .name = names[i], .offset = bytes_offset(&bytes),
		    .address = bytes_offset(&bytes), .size = lengths[i] };
		bytes_skip(&bytes, lengths[i]);
	}
	return bytes_text(&bytes, bytes_left(&bytes));
}

static const struct row *
find_row(void *data, uint64_t address)
{
	struct process *process = data;

	process->row = row_of(address < CODE ? &process->tables : NULL,
	    address);
	if (process->row.kind == ROW_SHORT && process->by_full_rows) {
		process->row.kind = ROW_LONG;
		process->row.of.place.tables = &process->tables;
		process->row.of.place.offset = address;
	}
	return &process->row;
}

static bool
read_word(void *data, uint64_t address, uint64_t *word)
{
	const struct process *process = data;
	struct bytes bytes = bytes_from(process->stack);

	if (address < MEMORY) {
		bytes = process->elf.file;
		bytes_seek(&bytes, address);
	} else
		bytes_seek(&bytes, address - MEMORY);
	*word = bytes_u64(&bytes);
	return !bytes.failed;
}

/* Registers that mostly point into the stack, and an ip among the code. */
static bool
begin(struct unwind *unwind, const struct unwind_process *of,
    const struct process *process)
{
	struct bytes bytes = bytes_from(process->stack);
	uint64_t registers[CFI_COLUMNS];
	uint8_t i;

	for (i = 0; i < CFI_COLUMNS; i++)
		registers[i] = MEMORY + bytes_u16(&bytes);
	registers[of->machine->sp] = STACK;
	registers[of->machine->ip] = process->stack.len > 2 ?
	    (uint64_t)(unsigned char)process->stack.data[0] << 4 : 0;
	return unwind_begin(unwind, of, registers, UINT64_MAX);
}

/* Unwinds in both ways at once. */
static void
check_stack(struct process *process, const struct unwind_machine *machine)
{
	struct process full = *process;
	struct unwind_process of = { machine, find_row, read_word, process };
	struct unwind_process of_full = { machine, find_row, read_word, &full };
	struct unwind unwind, other;
	bool goes_on, other_goes_on;
	int frames = 0;

	full.by_full_rows = true;
	if (!begin(&unwind, &of, process) || !begin(&other, &of_full, process))
		return;
	do {
		require(unwind.ip == other.ip && unwind.cfa == other.cfa,
		    "short rows lead where full ones do");
		goes_on = unwind_step(&unwind);
		other_goes_on = unwind_step(&other);
		require(goes_on == other_goes_on, "stacks end together");
	} while (goes_on && ++frames < FRAMES);
}

static bool
same_rows(const struct cfi_row *a, const struct cfi_row *b)
{
	size_t i;

	for (i = 0; i < CFI_COLUMNS; i++)
		if (a->rules[i].how != b->rules[i].how ||
		    a->rules[i].value != b->rules[i].value)
			return false;
	return a->cfa_value == b->cfa_value &&
	    a->cfa_register == b->cfa_register &&
	    a->cfa_is_expression == b->cfa_is_expression &&
	    a->return_column == b->return_column;
}

/* Rows of an address here and there. */
static void
check_rows(const struct frametables *tables)
{
	struct cfi_row row, same;
	uint64_t offset, start;

	for (offset = 0; offset < CODE; offset += offset / 16 + 1) {
		if (frametables_row(tables, offset, &row) != ROW_LONG)
			continue;
		require(frametables_start(tables, offset, &start) &&
		    start <= offset, "a function begins before its rows");
		require(frametables_row(tables, offset, &same) == ROW_LONG &&
		    row.section == same.section && same_rows(&row, &same),
		    "a row is the same again");
	}
}

void
fuzz_unwind(struct str input)
{
	struct process process = { .by_full_rows = false };
	const struct unwind_machine *machine;

	if (input.len == 0)
		return;
	machine = input.data[0] == 'a' ? &unwind_aarch64 :
	    input.data[0] == 'i' ? &unwind_i386 : &unwind_x86_64;
	process.stack = cut_sections(&process, str_skip(input, 1), machine);
	frametables_open(&process.tables, &process.elf, &process.elf);
	check_rows(&process.tables);
	check_stack(&process, machine);
	frametables_close(&process.tables);
}
