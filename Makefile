# POSIX make.  Flags of your own: make CFLAGS='-g -fsanitize=address,undefined'
.POSIX:
.SUFFIXES:
.SUFFIXES: .c .o

PREFIX = /usr/local
BINDIR = $(DESTDIR)$(PREFIX)/bin
MANDIR = $(DESTDIR)$(PREFIX)/share/man
CC = cc
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
	-D_FILE_OFFSET_BITS=64 -pthread $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(CFLAGS) -pthread $(LDFLAGS)

PROGRAMS = stackcollapse-perf stackcollapse-dtrace difffolded files flamegraph
COLLAPSERS = \
	stackcollapse \
	stackcollapse-bpftrace \
	stackcollapse-callgrind \
	stackcollapse-cprofile \
	stackcollapse-firefox \
	stackcollapse-gdb \
	stackcollapse-jstack \
	stackcollapse-pprof \
	stackcollapse-sample \
	stackcollapse-stap \
	stackcollapse-vtune \
	stackcollapse-xctrace
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

LIB = lib/bytes.o lib/child.o lib/content.o lib/deflate.o lib/gzip.o \
	lib/huffman.o lib/inflate.o lib/input.o lib/interrupt.o lib/json.o \
	lib/mapping.o lib/mem.o lib/message.o lib/options.o lib/output.o \
	lib/pairs.o lib/progress.o lib/protobuf.o lib/shared.o lib/sort.o \
	lib/sorted.o lib/source.o lib/str.o lib/table.o lib/text.o \
	lib/threads.o lib/utf8.o lib/walk.o lib/workqueue.o
FOLD = fold/adder.o fold/calls.o fold/collapse.o fold/folded.o \
	fold/linecache.o fold/listing.o fold/paths.o fold/perfile.o \
	fold/sniff.o fold/stacks.o fold/timeline.o
SYMBOLS = symbols/function.o
DEMANGLE = symbols/demangle.o symbols/demangle_cxx.o symbols/demangle_java.o \
	symbols/demangle_ocaml.o symbols/demangle_operators.o \
	symbols/demangle_print.o symbols/demangle_punycode.o \
	symbols/demangle_rust.o symbols/demangle_rust_v0.o \
	symbols/demangle_tree.o symbols/rustname.o
# The parts of a grammar, whose header is that of the whole.
PARTS = symbols/demangle_builtin.o symbols/demangle_expr.o \
	symbols/demangle_local.o symbols/demangle_names.o \
	symbols/demangle_print_expr.o symbols/demangle_print_lambda.o \
	symbols/demangle_print_types.o symbols/demangle_rust_constant.o \
	symbols/demangle_rust_reader.o symbols/demangle_rust_type.o \
	symbols/demangle_special.o symbols/demangle_substitution.o \
	symbols/demangle_types.o
DSO = symbols/buildid.o symbols/cfi.o symbols/dso.o symbols/ehindex.o \
	symbols/ehpointer.o symbols/elf.o symbols/elfsyms.o symbols/expr.o \
	symbols/find.o symbols/frametables.o symbols/kallsyms.o \
	symbols/kernel.o symbols/mapfile.o symbols/perfmap.o symbols/plt.o \
	symbols/radix.o symbols/rows.o symbols/search.o symbols/sections.o \
	symbols/sources.o symbols/symtab.o symbols/symtree.o symbols/unwind.o
DWARF = symbols/abbrevs.o symbols/debug.o symbols/forms.o symbols/inlines.o \
	symbols/lines.o symbols/package.o symbols/ranges.o \
	symbols/roots.o symbols/spans.o symbols/split.o \
	symbols/splitfiles.o symbols/units.o
PERF = perf/attr.o perf/backtrace.o perf/chain.o perf/crew.o perf/datafile.o \
	perf/effects.o perf/event.o perf/extras.o perf/filter.o \
	perf/folder.o perf/frameline.o perf/frames.o perf/gaps.o \
	perf/header.o perf/inliner.o perf/keys.o perf/known.o perf/line.o \
	perf/loneframe.o perf/maps.o perf/modules.o perf/order.o \
	perf/phase.o perf/places.o perf/reader.o perf/record.o \
	perf/recording.o perf/root.o perf/samples.o perf/script.o \
	perf/seen.o perf/slices.o perf/srcline.o perf/taskroots.o \
	perf/tasks.o perf/threadid.o perf/turns.o perf/unknowns.o \
	perf/untimed.o perf/waiting.o
GRAPH = graph/attributes.o graph/axis.o graph/background.o graph/colour.o \
	graph/counts.o graph/difference.o graph/encoding.o graph/frames.o \
	graph/label.o graph/layout.o graph/legend.o graph/measure.o \
	graph/palette.o graph/palettemap.o graph/parts.o graph/picture.o \
	graph/scheme.o graph/svg.o graph/tree.o graph/wakers.o
# The modules of collapse/, and its programs, which are one file each.
COLLAPSE = collapse/kind.o collapse/xml.o $(CALLS) $(CALLGRIND) $(CPROFILE) \
	$(ADDRESSES) $(PPROF) $(FIREFOX)
ADDRESSES = collapse/ids.o collapse/native.o
PPROF = collapse/labels.o collapse/locations.o collapse/profile.o \
	collapse/profilesample.o collapse/recent.o collapse/valuetype.o
FIREFOX = collapse/column.o collapse/jsontable.o collapse/libs.o \
	collapse/geckothreads.o collapse/threadstacks.o
CALLS = collapse/callcycle.o collapse/callflow.o collapse/callgraph.o \
	collapse/callnodes.o collapse/callorder.o collapse/callpaths.o \
	collapse/callshares.o collapse/share.o
CALLGRIND = collapse/cgcosts.o collapse/cgnames.o collapse/events.o
CPROFILE = collapse/marshal.o collapse/pyname.o collapse/pystats.o
COLLAPSING = \
	collapse/bpftrace.o \
	collapse/callgrind.o \
	collapse/cprofile.o \
	collapse/firefox.o \
	collapse/gdb.o \
	collapse/guess.o \
	collapse/jstack.o \
	collapse/pprof.o \
	collapse/sample.o \
	collapse/stap.o \
	collapse/vtune.o \
	collapse/xctrace.o
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
OBJECTS = $(LIB) $(FOLD) $(SYMBOLS) $(DSO) $(DWARF) $(DEMANGLE) $(PERF) \
	$(GRAPH) $(COLLAPSE)
HEADERS = $(OBJECTS:.o=.h) lib/bits.h lib/digest.h lib/prefetch.h \
	lib/product.h perf/context.h perf/moment.h symbols/demangle_parse.h \
	symbols/dwarf.h

all: $(BIN)

stackcollapse-perf: stackcollapse-perf.o $(PERF) $(SYMBOLS) $(DSO) $(DWARF) \
    $(DEMANGLE) $(PARTS) $(FOLD) $(LIB)
	$(LINK) -o $@ $@.o $(PERF) $(SYMBOLS) $(DSO) $(DWARF) $(DEMANGLE) \
	    $(PARTS) $(FOLD) $(LIB) -lm
stackcollapse-dtrace: stackcollapse-dtrace.o $(SYMBOLS) $(FOLD) $(LIB)
	$(LINK) -o $@ $@.o $(SYMBOLS) $(FOLD) $(LIB) -lm
difffolded: difffolded.o $(FOLD) $(LIB)
	$(LINK) -o $@ $@.o $(FOLD) $(LIB) -lm
files: files.o $(LIB)
	$(LINK) -o $@ $@.o $(LIB) -lm
flamegraph: flamegraph.o $(GRAPH) $(FOLD) $(LIB)
	$(LINK) -o $@ $@.o $(GRAPH) $(FOLD) $(LIB) -lm

stackcollapse: collapse/guess.o collapse/kind.o $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/guess.o collapse/kind.o $(FOLD) $(LIB) -lm
stackcollapse-bpftrace: collapse/bpftrace.o $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/bpftrace.o $(FOLD) $(LIB) -lm
stackcollapse-gdb: collapse/gdb.o $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/gdb.o $(FOLD) $(LIB) -lm
stackcollapse-jstack: collapse/jstack.o $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/jstack.o $(FOLD) $(LIB) -lm
stackcollapse-sample: collapse/sample.o symbols/rustname.o $(SYMBOLS) \
    $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/sample.o symbols/rustname.o $(SYMBOLS) \
	    $(FOLD) $(LIB) -lm
stackcollapse-stap: collapse/stap.o $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/stap.o $(FOLD) $(LIB) -lm
stackcollapse-vtune: collapse/vtune.o $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/vtune.o $(FOLD) $(LIB) -lm
stackcollapse-xctrace: collapse/xctrace.o collapse/xml.o symbols/rustname.o \
    $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/xctrace.o collapse/xml.o symbols/rustname.o \
	    $(FOLD) $(LIB) -lm

stackcollapse-firefox: collapse/firefox.o $(FIREFOX) $(ADDRESSES) \
    $(SYMBOLS) $(DSO) $(DWARF) $(DEMANGLE) $(PARTS) $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/firefox.o $(FIREFOX) $(ADDRESSES) \
	    $(SYMBOLS) $(DSO) $(DWARF) $(DEMANGLE) $(PARTS) $(FOLD) $(LIB) -lm
stackcollapse-pprof: collapse/pprof.o $(PPROF) $(ADDRESSES) $(SYMBOLS) $(DSO) \
    $(DWARF) $(DEMANGLE) $(PARTS) $(FOLD) $(LIB)
	$(LINK) -o $@ collapse/pprof.o $(PPROF) $(ADDRESSES) $(SYMBOLS) \
	    $(DSO) $(DWARF) $(DEMANGLE) $(PARTS) $(FOLD) $(LIB) -lm
stackcollapse-callgrind: collapse/callgrind.o $(CALLGRIND) $(CALLS) $(FOLD) \
    $(LIB)
	$(LINK) -o $@ collapse/callgrind.o $(CALLGRIND) $(CALLS) $(FOLD) \
	    $(LIB) -lm
stackcollapse-cprofile: collapse/cprofile.o $(CPROFILE) $(CALLS) $(FOLD) \
    $(LIB)
	$(LINK) -o $@ collapse/cprofile.o $(CPROFILE) $(CALLS) $(FOLD) \
	    $(LIB) -lm

$(OBJECTS) $(PARTS) $(PROGRAMS:=.o) $(COLLAPSING): $(HEADERS)
graph/picture.o: graph/assets.h

.c.o:
	$(CC) $(BUILD) -c -o $@ $<

# The one module that knows the version, which --version prints.
lib/options.o: lib/options.c Makefile
	$(CC) $(BUILD) -DVERSION='"$(VERSION)"' -c -o $@ lib/options.c

# Text as C strings, a line each.
STRINGS = sed -e 's/[\\"?]/\\&/g' -e 's/.*/	"&\\n",/'
graph/viewer.js: $(VIEWER) Makefile
	{ echo '(() => {'; echo '"use strict";'; cat $(VIEWER); } > $@.new
	mv $@.new $@
graph/assets.h: graph/viewer.js $(ASSETS) graph/squeeze.awk Makefile
	for file in graph/viewer.js $(ASSETS); do \
	    awk -f graph/squeeze.awk $$file > $@.text || exit; \
	    echo "static const char *const `basename $$file | tr . _`[] = {"; \
	    $(STRINGS) $@.text || exit; echo '	0'; echo '};'; \
	done > $@.new
	rm $@.text
	mv $@.new $@

# All in one, for those who check it.
graph/whole.js: graph/viewer.js $(EXTRAS)
	{ cat graph/viewer.js $(EXTRAS); echo '})();'; } > $@.new
	mv $@.new $@

check: all
	@command -v $(BATS) > /dev/null || { \
	    echo 'make check needs bats-core: apt-get install bats' >&2; \
	    exit 1; }
	$(BATS) test

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
	rm -f $(BIN) *.o */*.o graph/assets.h graph/assets.h.new \
	    graph/assets.h.text graph/viewer.js graph/viewer.js.new \
	    graph/whole.js graph/whole.js.new demo.folded demo.svg \
	    flamegraph-$(VERSION).tar.gz

# Git reads a tree of another user only when told to.
dist:
	git -c safe.directory='*' archive --prefix=flamegraph-$(VERSION)/ \
	    -o flamegraph-$(VERSION).tar.gz HEAD

.PHONY: all check demo bench fuzz install install-pl uninstall clean dist
