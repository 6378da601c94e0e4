CC = cc
CFLAGS = -O2
BUILD = -std=c99 -Wall -Wextra -D_POSIX_C_SOURCE=200809L
LIB = lib/addr2line.o lib/frames.o lib/input.o lib/mem.o lib/options.o \
	lib/output.o lib/sort.o lib/stacks.o lib/str.o lib/symbol.o \
	lib/table.o lib/text.o
all: stackcollapse-perf
stackcollapse-perf: stackcollapse-perf.o $(LIB)
	$(CC) $(LDFLAGS) -o $@ stackcollapse-perf.o $(LIB)
.c.o:
	$(CC) $(BUILD) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
