# Loaded by tests of perf script's text: tables of lines, which one run of the
# program folds.

# rows [OPTION...] < TABLE: folds what is left of the last | of each row as a
# file of its own, and compares what is folded with what is right of it, nothing
# if that is empty.  \n, \t and \r stand for these characters, and @ for the
# number of the row, by which a row's stack is told from others.  Messages are
# in the file err.
rows() {
	rm -rf rows
	mkdir rows
	awk '{
		gsub(/@/, NR)
		match($0, /[|][^|]*$/)
		text = substr($0, 1, RSTART - 1)
		gsub(/\\n/, "\n", text)
		gsub(/\\t/, "\t", text)
		gsub(/\\r/, "\r", text)
		file = sprintf("rows/%03d", NR)
		printf "%s", text > file
		close(file)
		if (RLENGTH > 1)
			print substr($0, RSTART + 1)
	}' | sort > expected
	stackcollapse-perf "$@" rows/* 2> err | diff expected -
}

# frames [OPTION...] < TABLE: folds each frame line left of a => in a process of
# its own, and compares its name with what is right of it; nothing is no frame.
frames() {
	cat > table
	awk -F ' => ' '{
		printf "c%03d 1 1.0: 1 c: \n\t%s\n\n", NR, $1
	}' table | stackcollapse-perf "$@" 2> err | diff <(awk -F ' => ' '{
		printf "c%03d%s%s 1\n", NR, $2 == "" ? "" : ";", $2
	}' table) -
}

# functions MODULE < TABLE: as frames does, of functions in the module.
functions() {
	sed "s,^,1 ,; s, => ,+0x1 ($1)&," | frames
}

# folds_to EXPECTED-LINE... < INPUT: without any message
folds_to() {
	stackcollapse-perf 2> err > out
	diff err /dev/null
	are_lines "$@" < out
}
