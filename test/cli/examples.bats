load ../helper

# The EXAMPLES of the manual pages of stackcollapse-*(1) are run here: what they
# fold is the profile of the test data, or what the page itself shows.

MAN=$TOP/man

# commands PAGE: prints the commands of its examples, each on a line.
commands() {
	awk '/^\.Sh/ { on = /EXAMPLES/ }
	on && (/^\$ / || more) {
		sub(/^\$ /, more ? "" : "&")
		sub(/^ +/, "")
		more = /(\||\\e)$/
		sub(/\\e$/, "")
		printf "%s%s", $0, more ? " " : "\n"
	}' "$1" | sed 's/^\$ //'
}

# shown PAGE FOLDER: writes what a page shows after `cat FILE` as that file, and
# what it shows after the program on that file as FILE.folded.
shown() {
	awk -v folder="$2" '/^\.Sh/ { on = /EXAMPLES/ }
	/^\.(Ed|Bd)/ { out = "" }
	!on { next }
	/^\$ / {
		out = ""
		if ($2 == "cat")
			out = last = folder "/" $3
		else if (last != "" && NF == 3 && folder "/" $3 == last)
			out = last ".folded"
		next
	}
	out != "" {
		gsub(/\\e/, "\\")
		gsub(/\\&/, "")
		print > out
	}' "$1"
}

# prepare NAME FILE: makes a profile, which an example names.
prepare() {
	case $2 in
	callgrind.out.\*)
		printf 'events: Ir Bcm\nfn=main\n1 5 2\n' > callgrind.out.1 ;;
	jeprof.\*.heap)
		cp "$DATA/collapse/$1" jeprof.1.heap ;;
	heap.pprof)
		# a type, a sample, its location and function, and strings
		{
			printf '\12\4\10\1\20\2\22\6\12\1\1\22\1\5'
			printf '\42\6\10\1\42\2\10\1\52\4\10\1\20\3'
			printf '\62\0\62\13inuse_space\62\5bytes\62\4main'
		} > "$2" ;;
	*)
		cp "$(echo "$DATA/collapse/$1"*)" "$2" ;;
	esac
}

# runs NAME COMMAND: runs a pipeline of a page; false if it fails, or if a
# picture that it makes has no frame.
runs() {
	local word
	rm -f ./*.svg
	for word in $2; do
		case $word in
		old.svg)
			prepare "$1" "$word" ;;
		*.svg | stackcollapse-*) ;;
		*profile* | out.* | callgrind.out* | *.prof | *.pprof | \
		    *.json | *.heap)
			prepare "$1" "$word" ;;
		esac
	done
	bash -o pipefail -c "$2" > out 2> err || return
	for word in *.svg; do
		[ ! -e "$word" ] || grep -q '<title>' "$word" || return
	done
	! grep -v 'Stack count is low' err
}

@test "each example pipeline runs, except recording ones" {
	for page in "$MAN"/stackcollapse-*.1; do
		name=${page##*stackcollapse-}
		name=${name%.1}
		[ -n "$(echo "$DATA/collapse/$name"*)" ] &&
			collapsers | grep -q -x "stackcollapse-$name" || continue
		commands "$page" | while IFS= read -r command; do
			case $command in
			# it records, needs a system of its own, or shows a file
			bpftrace* | valgrind* | samply* | MOZ_* | for* | \
			    go* | ghc* | ./shop* | perf* | curl* | sample* | stap* | vtune* | xctrace* | \
			    python3* | node* | clang* | py-spy* | LD_PRELOAD* | \
			    cat*)
				continue ;;
			# its request labels are those of another program
			*'shop;worker'*)
				command="${command%%|*} > all" ;;
			esac
			runs "$name" "$command" || {
				echo "stackcollapse-$name(1): $command"
				cat err
			}
			echo "$name" >> run
		done
	done > failed
	diff /dev/null failed
	# every page had one
	sort -u run | diff - <(collapsers | sed -n 's/.*-//p' | sort)
}

@test "profiles that pages show fold to what they show" {
	for page in "$MAN"/stackcollapse-*.1; do
		name=${page##*/}
		mkdir shown
		shown "$page" shown
		for file in shown/*.folded; do
			[ -e "$file" ] || continue
			"${name%.1}" "${file%.folded}" 2>&1 | diff "$file" - ||
				echo "$name, $file"
			echo "$name" >> seen
		done
		rm -r shown
	done > failed
	diff /dev/null failed
	[ "$(wc -l < seen)" -ge 8 ]
}

# recorded COMMAND: the command on recordings of the test data, with their events
# and fields in the place of those of the page.
recorded() {
	local name=spin
	case $1 in
	*--off-cpu*) name=naps ;;
	*--weight*) name=writes ;;
	*--event-filter*) name=spin-group ;;
	esac
	cp "$DATA/recording/$name.data" perf.data
	stackcollapse-perf perf.data > host1.folded 2> err
	sed -e 's/^perf record .* -o - |/cat perf.data |/' \
	    -e 's/cycles,instructions/cpu-clock,page-faults/g' \
	    -e 's/ --wakers//' -e 's/=bytes_alloc/=ret/' \
	    -e 's/=program/=spin/; s/parse/\\[spin]/' <<< "$1"
}

@test "pipelines of stackcollapse-perf(1) draw recordings" {
	sed 's/^# /$ /' "$MAN/stackcollapse-perf.1" > page
	mkdir files
	commands page | grep -v -e '^cat' -e '^mkdir' -e '^stackcollapse.* in.perf' \
	    -e '^perf [^|]*$' -e '^ls' -e '^perf script' |
	while IFS= read -r command; do
		command=$(recorded "$command")
		rm -f ./*.svg
		bash -o pipefail -c "$command" > out 2> err &&
			grep -q -E '<title>(spin|naps|writes)' ./*.svg ||
			{ echo "$command" && cat err; }
		echo "$command" >> run
	done > failed
	diff /dev/null failed
	[ "$(wc -l < run)" -ge 10 ]
}
