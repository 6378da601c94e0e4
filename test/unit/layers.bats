load ../helper

# The tree, each folder of which includes itself and those after its arrow:
#
#	program -> perf, graph, collapse, report -> symbols, fold -> lib -> libc
#
#	perf/      text/ reads perf script's lines, data/ records of perf.data
#	collapse/  other profilers' formats: a program a file, some a folder
#	report/    folded text -> tables and other formats: a program a file
#	graph/     the picture: frames, palettes, SVG; viewer/ has its scripts
#	symbols/   from addresses to functions: dso.h over elf/, dwarf/ (debug
#	           information), unwind/ (stacks) and demangle/ (names)
#	fold/      folded stacks, shared by all programs
#	lib/       knows nothing of profiles: text, memory, input, options
#
# Folders inside a layer may include the layer's files, but not each other's:
# what two of them share moves up.  No module leads back to itself.  Tests may
# include anything.

# includes TREE: prints "FOLDER/MODULE FOLDER/MODULE" for every include.
includes() {
	(cd "$1" && find . -name '*.[ch]' | sed 's,^\./,,' |
		grep -v -e '^test/' -e '^graph/assets.h$' |
		sort | xargs awk '
	/^#[ \t]*include[ \t]*"/ {
		split($0, quoted, "\"")
		from = to = FILENAME
		sub("[^/]*$", "", to)
		to = quoted[2] ~ "/" ? quoted[2] : to quoted[2]
		sub(/\.[ch]$/, "", from)
		sub(/\.h$/, "", to)
		print from, to
	}')
}

# upwards TREE: prints the includes that no layer allows.
upwards() {
	includes "$1" | awk '
	BEGIN {
		below["lib"] = "lib"
		below["fold"] = "fold lib"
		below["symbols"] = "symbols lib"
		below["perf"] = "perf symbols fold lib"
		below["graph"] = "graph symbols fold lib"
		below["collapse"] = "collapse symbols fold lib"
		below["report"] = "report fold lib"
		below[""] = "perf graph collapse symbols fold lib"
		# rooms that others of their layer know
		shared["symbols/elf"] = "symbols/dwarf symbols/unwind"
		shared["symbols/demangle"] = "symbols/elf symbols/dwarf"
	}
	function folder(module) {
		return match(module, "/[^/]*$") ? substr(module, 1, RSTART - 1) : ""
	}
	function layer(module) {
		sub("/.*", "", module)
		return module
	}
	function holds(list, word) {
		return index(" " list " ", " " word " ")
	}
	{
		from = folder($1)
		to = folder($2)
		if (!holds(below[layer(from)], layer(to)) ||
		    from ~ "/" && to ~ "/" && from != to &&
		    layer(from) == layer(to) && !holds(shared[to], from))
			print
	}'
}

# calls TREE: prints "MODULE MODULE" where one uses what the other one defines, as
# the linker sees it, whichever header declares it.
calls() {
	(cd "$1" && find lib fold symbols perf graph collapse report -name '*.c' |
		sed 's/c$/o/' | xargs nm -A -P) | awk '
	{ sub(/\.o:$/, "", $1) }
	$3 ~ /^[BCDRT]$/ { home[$2] = $1 }
	$3 == "U" { uses[$1 " " $2] }
	END {
		for (use in uses) {
			split(use, word, " ")
			if (word[2] in home)
				print word[1], home[word[2]]
		}
	}'
}

# circles: prints the modules of pairs that lead to themselves by way of others.
circles() {
	awk '$1 != $2' | tsort 2>&1 > /dev/null |
		sed -n 's/^tsort: \(.*[^:]\)$/\1/p' | sort -u
}

# A tree of two modules in each folder, with as many includes as are allowed.
tree() {
	mkdir -p lib fold symbols/{elf,dwarf} perf/{text,data} graph collapse \
	    report
	for module in lib/a lib/b fold/a symbols/a symbols/elf/b \
	    symbols/dwarf/b perf/a perf/text/b perf/data/b graph/a \
	    collapse/a report/a; do
		echo "#include \"${module##*/}.h\"" > $module.c
		: > $module.h
	done
	echo '#include "a.h"' >> lib/b.h
	echo '#include "lib/b.h"' | tee fold/a.h > symbols/a.h
	echo '#include "symbols/elf/b.h"' >> symbols/dwarf/b.h
	echo '#include "perf/a.h"' | tee perf/text/b.h > perf/data/b.h
	printf '#include "%s/a.h"\n' symbols fold |
		tee perf/a.h collapse/a.h > graph/a.h
	echo '#include "fold/a.h"' > report/a.h
	printf '#include "%s/a.h"\n' perf graph lib > program.c
}

@test "no file includes a file of a layer above it or beside it" {
	upwards "$TOP" | diff /dev/null -
}

@test "an include of a layer above, or beside, is found" {
	tree
	upwards . | diff /dev/null -
	cat > wrong <<-'END'
	lib/a fold/a
	lib/a symbols/a
	symbols/a fold/a
	fold/a symbols/a
	fold/a perf/a
	perf/a graph/a
	graph/a perf/a
	collapse/a perf/a
	fold/a collapse/a
	report/a symbols/a
	report/a graph/a
	report/a collapse/a
	graph/a report/a
	program report/a
	program test/a
	perf/text/b perf/data/b
	perf/data/b perf/text/b
	symbols/elf/b symbols/dwarf/b
	END
	while read -r from to; do
		echo "#include \"$to.h\"" >> "$from.c"
	done < wrong
	upwards . | sort | diff - <(sort wrong)
}

@test "no module includes itself by way of others" {
	includes "$TOP" | circles | diff /dev/null -
}

@test "no module calls itself by way of others" {
	[ -n "$(type -P nm)" ] || skip 'install binutils'
	unset MAKEFLAGS MAKELEVEL
	make -q -C "$BIN" all || skip 'not built'
	calls "$BIN" > pairs
	grep -q -x 'fold/folded lib/mem' pairs
	circles < pairs | diff /dev/null -
}

@test "only files starts threads" {
	(cd "$TOP" && grep -l -r pthread_create --include='*.[ch]' .) |
		is_line ./files.c
}

# Headers' guards and the objects of test/unit are named by them.
@test "a module of the folders that collapsers share has a name of its own" {
	(cd "$TOP" && find lib fold symbols perf collapse -name '*.h') |
		sed 's,.*/,,' | sort | uniq -d | diff /dev/null -
}

@test "modules that include each other are found" {
	tree
	includes . | circles | diff /dev/null -
	echo '#include "b.h"' >> lib/a.c
	echo '#include "perf/a.h"' >> fold/a.h
	includes . > pairs
	{ circles < pairs || true; } | are_lines fold/a lib/a lib/b perf/a
}

# Make's own list of what each object is made of.
@test "make knows every source, and every header that it includes" {
	make -v 2> /dev/null | has GNU || skip 'not GNU make'
	cd "$TOP" || return
	unset MAKEFLAGS MAKELEVEL
	make -np all > "$BATS_TEST_TMPDIR/database" 2> /dev/null || true
	{
		printf '%s\n' ./*.c */*.c */*/*.c | sed 's,^\./,,' |
			grep -v '^test/' | sed 's/\(.*\)\.c/\1 \1.c/'
		includes . | awk '{ print $0 ".h" }'
	} | awk 'NR == FNR {
		sub(":", "")
		for (i = 2; /^[a-z0-9\/-]*\.o / && i <= NF; i++)
			made[substr($1, 1, length($1) - 2), $i]
		next
	}
	# of a header itself nothing is made
	{ needs[$1, $2] = $0; if ($2 ~ /\.c$/) source[$1] }
	END {
		for (pair in needs) {
			split(needs[pair], word, " ")
			if (word[1] in source && !(pair in made))
				print "make does not know", needs[pair]
		}
	}' "$BATS_TEST_TMPDIR/database" - | diff /dev/null -
}
