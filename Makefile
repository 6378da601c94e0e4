CC = cc
CFLAGS = -O2
BUILD = -std=c99 -Wall -Wextra -D_XOPEN_SOURCE=700
LIB = lib/addr2line.o lib/folded.o lib/frames.o lib/input.o lib/mem.o lib/options.o \
	lib/output.o lib/sort.o lib/stacks.o lib/str.o lib/symbol.o \
	lib/table.o lib/text.o lib/utf8.o
GRAPH = graph/attributes.o graph/palette.o graph/svg.o graph/tree.o
all: stackcollapse-perf flamegraph
stackcollapse-perf: stackcollapse-perf.o $(LIB)
	$(CC) $(LDFLAGS) -o $@ stackcollapse-perf.o $(LIB)
flamegraph: flamegraph.o $(GRAPH) $(LIB)
	$(CC) $(LDFLAGS) -o $@ flamegraph.o $(GRAPH) $(LIB) -lm
flamegraph.o: graph/viewer_js.h graph/viewer_css.h
STRINGS = sed -e 's/^[	 ]*//' -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n",/'
graph/viewer_js.h: graph/viewer.js
	{ echo 'static const char *const viewer_js[] = {'; \
	    $(STRINGS) graph/viewer.js; echo '0 };'; } > $@
graph/viewer_css.h: graph/viewer.css
	{ echo 'static const char *const viewer_css[] = {'; \
	    $(STRINGS) graph/viewer.css; echo '0 };'; } > $@
.c.o:
	$(CC) $(BUILD) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
