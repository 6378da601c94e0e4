# POSIX make.  Flags of your own: make CFLAGS='-g -fsanitize=address,undefined'
.POSIX:
.SUFFIXES:
.SUFFIXES: .c .o

PREFIX = /usr/local
BINDIR = $(DESTDIR)$(PREFIX)/bin
MANDIR = $(DESTDIR)$(PREFIX)/share/man
CC = cc
AR = ar
CFLAGS = -O2 $(HARDENED)
BATS = bats
VERSION = 0.1

# Hardened unless CFLAGS say otherwise: -D_FORTIFY_SOURCE wants -O, and linkers
# other than these may not know -z.  In all they are up to 4 % more
# instructions, and no more time than can be measured.
HARDENED = -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
LDFLAGS = `case "\`uname\` $(CFLAGS)" in Linux*-fPIE* | *BSD*-fPIE*) \
	echo -pie -Wl,-z,relro,-z,now;; esac`

# macOS hides what is POSIX, O_NOFOLLOW, from programs that ask for POSIX alone.
BUILD = -std=c99 -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE \
	-D_FILE_OFFSET_BITS=64 -I. -pthread $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(CFLAGS) -pthread $(LDFLAGS)

PROGRAMS = stackcollapse-perf stackcollapse-dtrace difffolded files flamegraph
COLLAPSERS = stackcollapse stackcollapse-bpftrace stackcollapse-callgrind \
	stackcollapse-cprofile stackcollapse-firefox stackcollapse-gdb \
	stackcollapse-jstack stackcollapse-pprof stackcollapse-sample \
	stackcollapse-stap stackcollapse-vtune stackcollapse-xctrace
BIN = $(PROGRAMS) $(COLLAPSERS)
# The originals in whose place a program is; it has the name before the dot.
ORIGINALS = \
	difffolded.pl \
	files.pl \
	flamegraph.pl \
	stackcollapse-bpftrace.pl \
	stackcollapse-gdb.pl \
	stackcollapse-jstack.pl \
	stackcollapse-perf.pl \
	stackcollapse-sample.awk \
	stackcollapse-stap.pl \
	stackcollapse-vtune.pl

# The modules, of which each has a header; and headers that are all of theirs.
LIB = lib/bytes lib/child lib/content lib/deflate lib/gzip lib/input \
	lib/interrupt lib/intmap lib/json lib/mapping lib/mem lib/message \
	lib/options lib/output lib/progress lib/protobuf lib/sort \
	lib/source lib/str lib/table lib/text lib/threads lib/utf8 lib/walk
FOLD = fold/calls fold/collapse fold/folded fold/function fold/listing \
	fold/perfile fold/sniff fold/stacks fold/timeline
SYMBOLS = symbols/dso symbols/elf/buildid symbols/elf/elf symbols/elf/elfsyms \
	symbols/elf/find symbols/elf/kallsyms symbols/elf/kernel \
	symbols/elf/mapfile symbols/elf/perfmap symbols/elf/plt \
	symbols/elf/radix symbols/elf/search symbols/elf/sections \
	symbols/elf/sources symbols/elf/symtab \
	symbols/dwarf/abbrevs symbols/dwarf/debug symbols/dwarf/forms \
	symbols/dwarf/inlines symbols/dwarf/lines symbols/dwarf/package \
	symbols/dwarf/ranges symbols/dwarf/roots symbols/dwarf/spans \
	symbols/dwarf/split symbols/dwarf/splitfiles symbols/dwarf/units \
	symbols/unwind/cfi symbols/unwind/ehindex symbols/unwind/ehpointer \
	symbols/unwind/expr symbols/unwind/frametables symbols/unwind/rows \
	symbols/unwind/unwind symbols/demangle/cxx symbols/demangle/cxxtree \
	symbols/demangle/demangle symbols/demangle/punycode \
	symbols/demangle/rust
PERF = perf/filter perf/frameline perf/frames perf/inliner perf/root \
	perf/threadid perf/text/event perf/text/extras perf/text/known \
	perf/text/line perf/text/loneframe perf/text/script perf/text/srcline \
	perf/text/untimed perf/data/attr perf/data/backtrace perf/data/chain \
	perf/data/crew perf/data/datafile perf/data/effects perf/data/folder \
	perf/data/gaps perf/data/header perf/data/keys perf/data/maps \
	perf/data/modules perf/data/order perf/data/phase perf/data/places \
	perf/data/reader perf/data/record perf/data/recording \
	perf/data/samples perf/data/seen perf/data/slices perf/data/taskroots \
	perf/data/tasks perf/data/turns perf/data/unknowns perf/data/waiting
GRAPH = graph/attributes graph/colour graph/counts graph/difference \
	graph/frames graph/layout graph/measure graph/palette \
	graph/palettemap graph/picture graph/svg graph/tree
COLLAPSE = collapse/kind collapse/native \
	collapse/callgraph/callflow collapse/callgraph/callgraph \
	collapse/callgraph/callpaths collapse/callgraph/share \
	collapse/callgrind/costs collapse/cprofile/marshal \
	collapse/firefox/gecko collapse/firefox/jsontable \
	collapse/pprof/locations collapse/pprof/profile
COLLAPSING = collapse/bpftrace collapse/callgrind collapse/cprofile \
	collapse/firefox collapse/gdb collapse/jstack collapse/pprof \
	collapse/sample collapse/stackcollapse collapse/stap \
	collapse/vtune collapse/xctrace
# One function, in this order: what all pictures have, and what some have.
VIEWER = graph/viewer/picture.js graph/viewer/model.js \
	graph/viewer/functions.js graph/viewer/layout.js \
	graph/viewer/labels.js graph/viewer/bars.js \
	graph/viewer/view.js graph/viewer/status.js graph/viewer/ring.js \
	graph/viewer/search.js graph/viewer/state.js graph/viewer/panels.js \
	graph/viewer/top.js graph/viewer/folded.js graph/viewer/keys.js
EXTRAS = graph/viewer/axis.js graph/viewer/differential.js \
	graph/viewer/nameattr.js graph/viewer/start.js graph/viewer/fluid.js
ASSETS = graph/picture.css graph/legend.css graph/axis.css graph/theme.css \
	graph/viewer.css graph/colorblind.css $(EXTRAS)
LIB_H = $(LIB:=.h) lib/bound.h lib/digest.h lib/prefetch.h lib/product.h
FOLD_H = $(FOLD:=.h) $(LIB_H)
SYMBOLS_H = $(SYMBOLS:=.h) symbols/dwarf/dwarf.h $(LIB_H)
PERF_H = $(PERF:=.h) perf/data/context.h perf/data/moment.h \
	$(SYMBOLS_H) $(FOLD:=.h)
GRAPH_H = $(GRAPH:=.h) $(FOLD_H)
COLLAPSE_H = $(COLLAPSE:=.h) $(SYMBOLS_H) $(FOLD:=.h)

all: $(BIN)

# The linker takes of an archive what a program uses.
COLLAPSES = fold/fold.a lib/lib.a
NAMES = symbols/symbols.a $(COLLAPSES)
stackcollapse-perf: stackcollapse-perf.o perf/perf.a $(NAMES)
	$(LINK) -o $@ $@.o perf/perf.a $(NAMES) -lm
flamegraph: flamegraph.o graph/graph.a $(COLLAPSES)
	$(LINK) -o $@ $@.o graph/graph.a $(COLLAPSES) -lm
stackcollapse-dtrace difffolded files: $(PROGRAMS:=.o) $(COLLAPSES)
	$(LINK) -o $@ $@.o $(COLLAPSES) -lm
$(COLLAPSERS): $(COLLAPSING:=.o) collapse/collapse.a $(NAMES)
	name=$@ && $(LINK) -o $@ collapse/$${name#stackcollapse-}.o \
	    collapse/collapse.a $(NAMES) -lm

ARCHIVE = rm -f $@ && $(AR) rc $@
lib/lib.a: $(LIB:=.o)
	$(ARCHIVE) $(LIB:=.o)
fold/fold.a: $(FOLD:=.o)
	$(ARCHIVE) $(FOLD:=.o)
symbols/symbols.a: $(SYMBOLS:=.o)
	$(ARCHIVE) $(SYMBOLS:=.o)
perf/perf.a: $(PERF:=.o)
	$(ARCHIVE) $(PERF:=.o)
graph/graph.a: $(GRAPH:=.o)
	$(ARCHIVE) $(GRAPH:=.o)
collapse/collapse.a: $(COLLAPSE:=.o)
	$(ARCHIVE) $(COLLAPSE:=.o)

# An object depends on all headers that its folder may include.
$(LIB:=.o): $(LIB_H)
$(FOLD:=.o) difffolded.o files.o stackcollapse-dtrace.o: $(FOLD_H)
$(SYMBOLS:=.o): $(SYMBOLS_H)
$(PERF:=.o) stackcollapse-perf.o: $(PERF_H)
$(GRAPH:=.o) flamegraph.o: $(GRAPH_H)
$(COLLAPSE:=.o) $(COLLAPSING:=.o): $(COLLAPSE_H)
graph/picture.o: graph/assets.h

.c.o:
	$(CC) $(BUILD) -c -o $@ $<

# The one module that knows the version, which --version prints.
lib/options.o: lib/options.c Makefile
	$(CC) $(BUILD) -DVERSION='"$(VERSION)"' -c -o $@ lib/options.c

# Text as C strings, a line each.
STRINGS = sed -f graph/strip.sed -e 's/[\\"?]/\\&/g' -e 's/.*/	"&\\n",/'
graph/viewer.js: $(VIEWER) Makefile
	{ echo '(() => {'; echo '"use strict";'; cat $(VIEWER); } > $@.new
	mv $@.new $@
graph/assets.h: graph/viewer.js $(ASSETS) graph/strip.sed Makefile
	for file in graph/viewer.js $(ASSETS); do \
	    echo "static const char *const `basename $$file | tr . _`[] = {"; \
	    $(STRINGS) $$file || exit; echo '	0'; echo '};'; \
	done > $@.new
	mv $@.new $@

# All in one, for those who check it.
graph/whole.js: graph/viewer.js $(EXTRAS)
	{ cat graph/viewer.js $(EXTRAS); echo '})();'; } > $@.new
	mv $@.new $@

check: all
	@command -v $(BATS) > /dev/null || { \
	    echo 'make check needs bats-core: apt-get install bats' >&2; \
	    exit 1; }
	$(BATS) -r test

demo: all
	./stackcollapse-perf --all test/data/demo.perf > demo.folded
	./flamegraph --colors=java --title='compressing a source tree' \
	    demo.folded > demo.svg
	@echo 'Open demo.svg in a browser.'

bench: all
	sh test/bench/run

# With clang; FUZZ_SECONDS=60 for each target.
fuzz: graph/assets.h
	sh test/fuzz/run

# Everybody may use what is installed, whatever the umask.  A file that is there
# is replaced, not written to: it may be another user's, or be running.
COPY = copy() { cp -f "$$2" "$$3.new" && chmod "$$1" "$$3.new" && \
	mv -f "$$3.new" "$$3"; }
install: all
	umask 022 && \
	    mkdir -p "$(BINDIR)" "$(MANDIR)/man1" "$(MANDIR)/man5"
	$(COPY); for program in $(BIN); do \
	    copy 755 $$program "$(BINDIR)/$$program" && \
	    copy 644 man/$$program.1 "$(MANDIR)/man1/$$program.1" || \
	    exit; done
	$(COPY); copy 644 man/folded.5 "$(MANDIR)/man5/folded.5"

# Scripts that call the originals find these in their place.
install-pl: install
	cd "$(BINDIR)" && ln -sf stackcollapse-dtrace stackcollapse.pl && \
	    ln -sf stackcollapse-vtune stackcollapse-vtune-mc.pl && \
	    for name in $(ORIGINALS); do \
	    ln -sf $${name%.*} $$name || exit; done

uninstall:
	for program in $(BIN); do rm -f "$(BINDIR)/$$program" \
	    "$(MANDIR)/man1/$$program.1" || exit; done
	for name in $(ORIGINALS) stackcollapse.pl \
	    stackcollapse-vtune-mc.pl; do \
	    rm -f "$(BINDIR)/$$name" || exit; done
	rm -f "$(MANDIR)/man5/folded.5"

clean:
	rm -f $(BIN) *.o */*.o */*/*.o */*.a graph/assets.h graph/assets.h.new \
	    graph/viewer.js graph/viewer.js.new \
	    graph/whole.js graph/whole.js.new demo.folded demo.svg \
	    flamegraph-$(VERSION).tar.gz

# Git reads a tree of another user only when told to.
dist:
	git -c safe.directory='*' archive --prefix=flamegraph-$(VERSION)/ \
	    -o flamegraph-$(VERSION).tar.gz HEAD

.PHONY: all check demo bench fuzz install install-pl uninstall clean dist
