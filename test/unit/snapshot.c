/*
 * Takes snapshots of itself, as perf record does of programs, and tells which
 * functions were running then:
 *
 *	snapshot SCENE...
 *
 * writes for each scene N registers.N and stack.N, for a sample; unwound, a
 * recording for perfdata.c with these samples; and chained, the same with the
 * chains of addresses that backtrace(3) finds in their place.  The scene
 * `walk`, which is alone, takes many samples on the way into a recursion and
 * out of it.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/wait.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define MOST		1000		/* frames */
#define STACK_MOST	60000		/* bytes */

static FILE *unwound, *chained;
static int number;			/* of the sample */
static char stack[64 * 1024];		/* of coroutines */

static FILE *
create(const char *name)
{
	FILE *file = fopen(name, "w");

	if (file == NULL)
		abort();
	return file;
}

/* Registers in the order of perf record; returns the ip. */
static uint64_t
put_registers(const ucontext_t *context, const char *name, uint64_t *sp)
{
	const mcontext_t *machine = &context->uc_mcontext;
	FILE *file = create(name);
	uint64_t ip;
#ifdef __x86_64__
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX,
		REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP, REG_EFL, REG_CR2,
		REG_CR2, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
		REG_R14, REG_R15 };
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(*order); i++)
		fwrite(&machine->gregs[order[i]], 8, 1, file);
	ip = (uint64_t)machine->gregs[REG_RIP];
	*sp = (uint64_t)machine->gregs[REG_RSP];
#else
	fwrite(&machine->regs, 8, 31, file);
	fwrite(&machine->sp, 8, 1, file);
	fwrite(&machine->pc, 8, 1, file);
	ip = machine->pc;
	*sp = machine->sp;
#endif
	fclose(file);
	return ip;
}

/* Writes the maps to both recordings; returns where the one with sp ends. */
static uint64_t
read_maps(FILE *first, FILE *second, uint64_t sp)
{
	unsigned long start, end, offset, found = 0;
	char line[4096], name[4096];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (fgets(line, sizeof(line), maps) != NULL) {
		strcpy(name, "//anon");
		sscanf(line, "%lx-%lx %*s %lx %*s %*s %4000s", &start, &end,
		    &offset, name);
		if (sp >= start && sp < end)
			found = end;
		sprintf(line, "map 9 9 0x%lx 0x%lx 0x%lx %s\n", start,
		    end - start, offset, name);
		if (first == NULL)
			continue;
		fputs(line, first);
		fputs(line, second);
	}
	fclose(maps);
	return found;
}

/* Functions that run while the snapshot is taken. */
static void
put_chain(FILE *file, uint64_t ip)
{
	static void *addresses[MOST];
	int count = backtrace(addresses, MOST), i, first = 0;

	while (first < count && (uint64_t)(uintptr_t)addresses[first] != ip)
		first++;
	fprintf(file, "sample 1 9 9 %d 1 u u: 0x%lx", number,
	    (unsigned long)ip);
	for (i = first + 1; i < count; i++)
		fprintf(file, " 0x%lx",
		    (unsigned long)(uintptr_t)addresses[i] - 1);
	fputc('\n', file);
}

/* Writes the registers and stack of a sample; returns its ip. */
static uint64_t
add_sample(const ucontext_t *context)
{
	char registers[40], copied[40];
	uint64_t sp, ip, end;
	FILE *copy;

	snprintf(registers, sizeof(registers), "registers.%d", number);
	snprintf(copied, sizeof(copied), "stack.%d", number);
	ip = put_registers(context, registers, &sp);
	end = read_maps(NULL, NULL, sp);
	copy = create(copied);
	fwrite((const void *)(uintptr_t)sp, 1, end - sp < STACK_MOST ?
	    end - sp : STACK_MOST, copy);
	fclose(copy);
	fprintf(unwound, "sample 1 9 9 %d 1 u @0x%lx registers:%s stack:%s\n",
	    number, (unsigned long)ip, registers, copied);
	fflush(unwound);
	return ip;
}

static void
take(int signal_number, siginfo_t *info, void *context)
{
	(void)signal_number;
	(void)info;
	put_chain(chained, add_sample(context));
	fflush(chained);
	_exit(0);
}

static volatile int one = 1;

/* Functions that are no tail calls, and have much to save. */
__attribute__((noinline)) static int
innermost(int a, int b, int c, int d)
{
	if (one)
		__builtin_trap();
	return a + b + c + d;
}

__attribute__((noinline)) static int
middle(int count, int x)
{
	int sum = x, i;

	for (i = 0; i < count; i++)
		sum += innermost(i, sum, count, x) * sum;
	return sum;
}

__attribute__((noinline)) static int
deep(int depth)
{
	return depth == 0 ? middle(1, 2) : deep(depth - 1) * one + depth;
}

/* The compiler cannot know how large its frame is. */
__attribute__((noinline)) static int
variable(int size)
{
	char text[size];

	memset(text, one, (size_t)size);
	return middle(1, text[size / 2]) + text[0];
}

/* Its frame begins at an address that a larger number divides. */
__attribute__((noinline)) static int
aligned(int size)
{
	_Alignas(128) char text[256];
	char more[size];

	memset(text, one, sizeof(text));
	memset(more, one, (size_t)size);
	return middle(text[0], more[0]) + text[1];
}

static void
handle(int signal_number)
{
	one = middle(signal_number, 1);
}

/*
 * Without a row, as in libraries of C and in the [vdso], which emulators do not
 * have; and after a function that has one.
 */
#ifdef __x86_64__
#define RETURN	"	mov $15, %rax\n	syscall\n"
#else
#define RETURN	"	mov x8, #139\n	svc #0\n"
#endif
__asm__("	.text\n	nop\n"
    "	.globl return_bare\nreturn_bare:\n" RETURN
    "	.cfi_startproc\n	.cfi_def_cfa_offset 32\n	ret\n"
    "	.cfi_endproc\n"
    "	.globl return_behind_row\nreturn_behind_row:\n" RETURN);
extern void return_bare(void), return_behind_row(void);

static void
handle_signal(const char *scene)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} action = { handle, 0x04000000, return_bare, 0 };

#ifdef __x86_64__
	signal(SIGUSR1, handle);
	if (strcmp(scene, "bare") != 0)
		return;
#endif
	if (strcmp(scene, "behind-row") == 0)
		action.restorer = return_behind_row;
	syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, 8);
}

__attribute__((noinline)) static void
look(void)
{
	ucontext_t context;

	getcontext(&context);
	number++;
	add_sample(&context);
}

/* Calls itself from two places, so that a frame is met at both. */
__attribute__((noinline)) static int
walk(int depth)
{
	volatile char text[200];
	int sum;

	text[0] = (char)depth;
	if (depth % 3 == 0)
		look();
	if (depth == 0)
		return text[0];
	sum = walk(depth - 1) + text[0];
	if (depth % 4 == 0)
		look();
	if (depth % 20 == 0)
		sum += walk(depth / 2) + text[0];
	return sum + text[0];
}

static int
compare(const void *a, const void *b)
{
	return middle(1, *(const int *)a - *(const int *)b);
}

static void
run_coroutine(void)
{
	one = deep(3);
}

static int
play(const char *scene, int count)
{
	static ucontext_t context, back;
	int numbers[] = { 3, 1, 2 };

	handle_signal(scene);
	if (strcmp(scene, "deep") == 0)
		return deep(100);
	if (strcmp(scene, "walk") == 0)
		return walk(60) == 0;
	if (strcmp(scene, "variable") == 0)
		return variable(count * 1000);
	if (strcmp(scene, "aligned") == 0)
		return aligned(count * 100);
	if (strcmp(scene, "signal") == 0 || strcmp(scene, "bare") == 0 ||
	    strcmp(scene, "behind-row") == 0)
		return raise(SIGUSR1) + one;
	if (strcmp(scene, "library") == 0)
		qsort(numbers, 3, sizeof(*numbers), compare);
	if (strcmp(scene, "coroutine") == 0) {
		getcontext(&context);
		context.uc_stack.ss_sp = stack;
		context.uc_stack.ss_size = sizeof(stack);
		context.uc_link = &back;
		makecontext(&context, run_coroutine, 0);
		swapcontext(&back, &context);
	}
	return middle(1, 1) + one;
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t other = { .ss_sp = malloc(1 << 18), .ss_size = 1 << 18 };
	int i;

	sigaltstack(&other, NULL);
	action.sa_sigaction = take;
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGTRAP, &action, NULL);
	unwound = create("unwound");
	chained = create("chained");
#ifdef __aarch64__
	fputs("machine aarch64\n", unwound);
#endif
	fputs("event cycles 0 0 ip,tid,time,id,period,chain,all,"
	    "registers,stack 1\n", unwound);
	fputs("event cycles 0 0 ip,tid,time,id,period,chain,all 1\n", chained);
	read_maps(unwound, chained, 0);
	for (i = 1; i < argc; i++) {
		fflush(unwound);
		fflush(chained);
		number = i;
		if (fork() == 0)
			return play(argv[i], argc);
		wait(NULL);
	}
	return 0;
}
