# POSIX make.  Flags of your own: make CFLAGS='-g -fsanitize=address,undefined'
.POSIX:
.SUFFIXES:
.SUFFIXES: .c .o

VERSION = 0.1
PREFIX = /usr/local
# All names that are installed begin with it, as fg-flamegraph.
PREFIX_NAMES =
BINDIR = $(DESTDIR)$(PREFIX)/bin
SHAREDIR = $(DESTDIR)$(PREFIX)/share
MANDIR = $(SHAREDIR)/man
ZSHDIR = $(SHAREDIR)/zsh/site-functions
CC = cc
AR = ar
BATS = bats
CFLAGS = -O2 $(HARDENED)
# Up to 4 % more instructions, and no more time than can be measured.  Linkers
# other than these may not know -z.
HARDENED = -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
LDFLAGS = $$(case "$$(uname) $$(echo $(CFLAGS))" in \
	(Linux*-fPIE* | *BSD*-fPIE*) echo -pie -Wl,-z,relro,-z,now;; esac)
# Some systems hide parts of POSIX from programs that ask for POSIX alone: macOS
# O_NOFOLLOW, NetBSD dirfd, illumos openat.
COMPILE = $(CC) -std=c99 -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE \
	-D_NETBSD_SOURCE -D_ATFILE_SOURCE -D_FILE_OFFSET_BITS=64 -I. \
	-pthread $(CPPFLAGS) $(CFLAGS)
BUILD = $(COMPILE) -c -o $@

PROGRAMS = stackcollapse-perf stackcollapse-dtrace difffolded files flamegraph
# The programs of collapse/, whose files have the last word of their names.
COLLAPSERS = stackcollapse $(FORMATS:%=stackcollapse-%)
FORMATS = bpftrace callgrind cprofile cpuprofile firefox gdb ghcprof heap \
	jstack otlp pprof recursive sample speedscope stap svg trace \
	vtune xctrace
# The programs of report/, whose files have their whole names.
REPORTS = foldedtop folded2firefox folded2pprof folded2speedscope
BIN = $(PROGRAMS) $(COLLAPSERS) $(REPORTS)
PAGES = $(BIN:%=%.1) folded.5 flamegraph-ci.7 flamegraph-fleet.7
# The originals in whose place a program is; it has the name before the dot.
ORIGINALS = difffolded.pl files.pl flamegraph.pl stackcollapse-bpftrace.pl \
	stackcollapse-gdb.pl stackcollapse-jstack.pl stackcollapse-perf.pl \
	stackcollapse-recursive.pl stackcollapse-sample.awk \
	stackcollapse-stap.pl stackcollapse-vtune.pl

# The sources of each folder and of its rooms, except programs.
LIB = bytes child content deflate gzip input intmap json mapping mem message \
	options output packed progress protobuf sort str table text utf8 walk
FOLD = calls chance collapse folded foldedlines function kind listing main \
	perfile stacks timeline trail
SYMBOLS = dso $(ELF:%=elf/%) $(DWARF:%=dwarf/%) $(UNWIND:%=unwind/%) \
	$(DEMANGLE:%=demangle/%)
ELF = elf elfsyms fetch find jitdump kernel limits sections spans symtab
DWARF = debug forms inlines lines units
UNWIND = cfi expr frametables unwind
DEMANGLE = cxx cxxtree demangle rust
PERF = filter frames profile select waits $(TEXT:%=text/%) $(DATA:%=data/%)
TEXT = args head linecache script scriptline
DATA = attr backtrace callchain datafile formats jitcode maps modules process \
	queue reader record recording samples simpleperf
GRAPH = attributes colour colourfile counts difference frames layout measure \
	palette picture svg tree
COLLAPSE = jsonfile locations native symbol v8 weights xml \
	callgraph/callgraph cprofile/marshal
REPORT = tracks $(FOLDEDTOP:%=foldedtop/%)
FOLDEDTOP = functions ranking show treeview
# The viewer, in this order: what all pictures have, and what some have.
VIEWER = picture model functions layout labels bars view status ring search \
	state panels top folded keys
EXTRAS = axis differential nameattr lanes range strip start fluid

# A folder's files include its own headers, and those of the folders below.  No
# finer dependencies are kept: a header that changes rebuilds its folder and the
# folders above it.
FOLD_H = fold/*.h lib/*.h
SYMBOLS_H = symbols/*.h symbols/*/*.h lib/*.h
PERF_H = perf/*.h perf/*/*.h $(SYMBOLS_H) $(FOLD_H)

all: $(BIN)

# The linker takes of an archive what a program uses.
LINK = $(CC) $(CFLAGS) -pthread $(LDFLAGS) -o $@
ARCHIVES = collapse/collapse.a report/report.a perf/perf.a graph/graph.a \
	symbols/symbols.a fold/fold.a lib/lib.a
$(PROGRAMS): $(PROGRAMS:%=%.o) $(ARCHIVES)
	$(LINK) $@.o $(ARCHIVES) -lm
$(COLLAPSERS): collapse/stackcollapse.o $(FORMATS:%=collapse/%.o) $(ARCHIVES)
	name=$@; $(LINK) collapse/$${name#stackcollapse-}.o $(ARCHIVES) -lm
$(REPORTS): $(REPORTS:%=report/%.o) $(ARCHIVES)
	$(LINK) report/$@.o $(ARCHIVES) -lm

# An archive has the objects of its folder and of the rooms in it.
OBJECTS = $(LIB:%=lib/%.o) $(FOLD:%=fold/%.o) $(SYMBOLS:%=symbols/%.o) \
	$(PERF:%=perf/%.o) $(GRAPH:%=graph/%.o) $(COLLAPSE:%=collapse/%.o) \
	$(REPORT:%=report/%.o)
$(ARCHIVES): $(OBJECTS)
	rm -f $@ && $(AR) rc $@ `printf '%s\n' $(OBJECTS) | grep ^$(@D)/`

.c.o:
	$(BUILD) $<
$(LIB:%=lib/%.o): lib/*.h
$(FOLD:%=fold/%.o) difffolded.o files.o stackcollapse-dtrace.o: $(FOLD_H)
stackcollapse-dtrace.o: collapse/symbol.h
$(SYMBOLS:%=symbols/%.o): $(SYMBOLS_H)
$(PERF:%=perf/%.o) stackcollapse-perf.o: $(PERF_H)
$(GRAPH:%=graph/%.o) flamegraph.o: graph/assets.h graph/*.h $(FOLD_H)
$(COLLAPSE:%=collapse/%.o) $(FORMATS:%=collapse/%.o) \
    collapse/stackcollapse.o: collapse/*.h collapse/*/*.h $(SYMBOLS_H) $(FOLD_H)
$(REPORT:%=report/%.o) $(REPORTS:%=report/%.o): report/*.h report/*/*.h \
    $(FOLD_H)
lib/options.o: lib/options.c Makefile
	$(BUILD) -DVERSION='"$(VERSION)"' lib/options.c

# Scripts and style sheets as C strings, a line each.
SCRIPTS = $(VIEWER:%=graph/viewer/%.js)
ASSETS = graph/picture.css graph/legend.css graph/difference.css \
	graph/axis.css graph/theme.css \
	graph/viewer.css graph/range.css graph/colorblind.css graph/lanes.css \
	$(EXTRAS:%=graph/viewer/%.js)
graph/assets.h: $(SCRIPTS) $(ASSETS) graph/strip.awk Makefile
	strings() { echo "static const char *const $$1[] = {"; shift; \
	    awk -f graph/strip.awk "$$@" | sed -e 's/[\\"?]/\\&/g' \
	    -e 's/.*/	"&\\n",/' && echo '	0 };'; }; \
	{ strings viewer_js $(SCRIPTS) && for file in $(ASSETS); do \
	    strings `basename $$file | tr . _` $$file || exit; \
	done; } > $@.new && mv $@.new $@
# All in one, for those who check it.
graph/whole.js: $(SCRIPTS) $(ASSETS)
	{ echo '(() => { "use strict";' && \
	    cat $(SCRIPTS) $(EXTRAS:%=graph/viewer/%.js) && echo '})();'; } > $@

# The drivers of modules that tests use, as one program; see test/unit/driver.c.
DRIVERS = bytes callgraph child demangle dso ehpointer expr formats forms frames \
	gzip inflate inlines jitdump json mapping marshal names perfdata \
	protobuf rows section seeds sort whole
DRIVER_OBJECTS = $(DRIVERS:%=test/unit/%.o) test/unit/unit.o \
	test/unit/perflayout.o test/fuzz/require.o test/fuzz/dwarf.o \
	test/fuzz/elf.o test/fuzz/jitdump.o test/fuzz/unwind.o
$(DRIVER_OBJECTS): test/unit/unit.h test/unit/perfdata.h test/fuzz/fuzz.h \
	$(ARCHIVES)
test/unit/driver.o: test/unit/driver.c Makefile
	$(BUILD) '-DDRIVERS(X)='"`printf 'X(%s) ' $(DRIVERS)`" \
	    test/unit/driver.c
test/unit/driver: test/unit/driver.o $(DRIVER_OBJECTS) $(ARCHIVES)
	$(LINK) test/unit/driver.o $(DRIVER_OBJECTS) $(ARCHIVES) -lm
# With a small queue, so that a short recording has many deliveries.
test/unit/small/stackcollapse-perf: perf/data/queue.c perf/data/recording.c \
    stackcollapse-perf.o $(ARCHIVES)
	mkdir -p $(@D)
	$(COMPILE) $(LDFLAGS) -DQUEUE_BYTES=32768 -DDEFERRED_BYTES=65536 \
	    -o $@ stackcollapse-perf.o perf/data/queue.c \
	    perf/data/recording.c $(ARCHIVES) -lm

check: all test/unit/driver test/unit/small/stackcollapse-perf
	@BATS='$(BATS)' sh test/run $(SUITES)
demo: all
	./stackcollapse-perf --all test/data/demo.perf | ./flamegraph \
	    --width=auto --colors=java \
	    --title='compressing a source tree' > demo.svg
	@echo 'Open demo.svg in a browser.'
bench: all
	sh test/bench/run
fuzz: graph/assets.h
	sh test/fuzz/run

INSTALL = BIN='$(BIN)' PAGES='$(PAGES)' ORIGINALS='$(ORIGINALS)' \
	PREFIX='$(PREFIX)' PREFIX_NAMES='$(PREFIX_NAMES)' BINDIR='$(BINDIR)' \
	MANDIR='$(MANDIR)' SHAREDIR='$(SHAREDIR)' ZSHDIR='$(ZSHDIR)' \
	DESTDIR='$(DESTDIR)' sh lib/install
install: all
	$(INSTALL) install
install-pl: install
	$(INSTALL) links
uninstall:
	$(INSTALL) uninstall
clean:
	rm -f $(BIN) *.o */*.o */*/*.o */*.a graph/assets.h* graph/whole.js \
	    demo.svg $(TARBALL).tar.gz
	rm -rf packages test/unit/driver test/unit/small
# What git has, or else, as in a released tarball, what is here; and packages of
# that for Debian and RPM.  .ci/package tells what has to be said for them.
TARBALL = flamegraph-$(VERSION)
PACKAGE = BIN='$(BIN)' PAGES='$(PAGES)' VERSION='$(VERSION)' \
	LICENSE='$(LICENSE)' SPDX='$(SPDX)' MAINTAINER='$(MAINTAINER)' \
	sh .ci/package
dist:
	@MAKE='$(MAKE)' $(PACKAGE) dist $(TARBALL)
deb rpm: dist
	@$(PACKAGE) $@ $(TARBALL).tar.gz

.PHONY: all check demo bench fuzz install install-pl uninstall clean dist deb \
	rpm
