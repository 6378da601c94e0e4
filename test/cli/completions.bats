load ../helper

# What shells complete.  Each shell is started once, and asked all queries: the
# beginnings of command lines, of which the last word is to be completed.

setup_file() {
	local program folder=$BATS_FILE_TMPDIR
	[ -e "$TOP/lib/completions.awk" ] || { lacks 'no sources'; return; }
	cd "$folder" || return
	mkdir bash fish zsh work work/folder
	touch work/a.folded 'work/b c.folded'
	for program in $(make_list PROGRAMS REPORTS) $(collapsers); do
		"$program" --help > help
		complete_by help "$program"
		sed -n 's/^    \(-.\{1,19\}\).*/\1/p' help |
			grep -o -E -e '^-[a-zA-Z]|--[a-z0-9-]+' |
			sed "s/^/$program -|/"
	done > expected
	flamegraph --help > help
	complete_by help fg-flamegraph
	sed -n 's/^flamegraph -|/fg-&/p' expected > bash.expected
	printf '%s|red\n' 'flamegraph --colors = re' >> bash.expected
	# few values are completed, and names of files
	while IFS='|' read -r query hits; do
		for hit in $hits; do
			echo "$query|$hit"
		done
	done >> expected <<-'END'
	foldedtop --sort |self total stacks name
	flamegraph --axis |ns us ms s
	flamegraph --bgcolors |yellow blue green grey
	flamegraph --delta |self total
	flamegraph --theme |light dark auto
	flamegraph --truncate |end front middle
	flamegraph --widths |after before sum change
	flamegraph --colors re|red
	flamegraph --no|--no-javascript --no-legend --noise --notes
	END
	for query in 'flamegraph --nameattr ' 'flamegraph '; do
		printf "$query|%s\n" a.folded 'b c.folded' folder
		printf "$query|-o %s\n" default >> bash.expected
	done > names
	for query in 'stackcollapse-firefox --symfs ' 'files '; do
		echo "$query|folder" >> names
		echo "$query|-o dirnames" >> bash.expected
	done
	echo 'flamegraph --title |' > nothing
	cut -d '|' -f 1 expected bash.expected names nothing | sort -u > queries
}

# complete_by HELP NAME: writes what shells complete the program by.
complete_by() {
	local file
	for file in "bash/$2" "fish/$2.fish" "zsh/_flamegraph-$2"; do
		awk -v name="$2" -v file="$file" \
			-f "$TOP/lib/completions.awk" "$1" > "$file"
	done
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR/work" || return
}

@test "bash completes options, values and names" {
	cat > "$BATS_TEST_TMPDIR/ask" <<-'END'
	for file in ../bash/*; do
		. "$file"
	done
	compopt() { echo "$line|$*"; }
	while IFS= read -r line; do
		read -ra COMP_WORDS <<< "$line"
		[[ $line != *' ' ]] || COMP_WORDS+=('')
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
		function=$(complete -p "${COMP_WORDS[0]}")
		function=${function#* -F }
		"${function%% *}" "${COMP_WORDS[0]}" "${COMP_WORDS[-1]}" \
			"${COMP_WORDS[-2]}"
		for hit in "${COMPREPLY[@]}"; do
			echo "$line|$hit"
		done
	done
	END
	bash --norc "$BATS_TEST_TMPDIR/ask" < ../queries | sort |
		diff - <(sort ../expected ../bash.expected)
}

@test "fish completes options, values and names" {
	command -v fish > /dev/null || skip 'install fish'
	# of options, those that are long
	sed 's/ -$/ --/' ../queries | HOME=$PWD XDG_DATA_DIRS=$PWD fish --no-config -c '
	set -p fish_complete_path $PWD/../fish
	while read line
		for hit in (complete -C $line)
			echo $line\|(string split -f 1 \t -- $hit)
		end
	end' | grep -v -e '^fg-' -e ' = ' |
		sed 's,\\,,; s,[/=]$,,; s/ --|/ -|/' | sort -u |
		diff - <(grep -v '|-[a-zA-Z]$' ../expected | cat - ../names | sort)
}

@test "zsh completes options, values and names" {
	command -v zsh > /dev/null || skip 'install zsh'
	grep -v -e '^fg-' -e ' = ' ../queries > "$BATS_TEST_TMPDIR/queries"
	# in a terminal, where alone it completes
	cat > "$BATS_TEST_TMPDIR/setup" <<-'END'
	PS1= PS2= fpath=($PWD/../zsh $fpath) number=1
	# Lists are not shown, which takes most of the time.
	setopt no_auto_list
	queries=("${(@f)$(< $folder/queries)}")
	autoload -Uz compinit
	compinit -u -D
	compadd() {
		local -a hits
		if [[ ${@[1,(i)(-|--)]} != *-[ADO]* ]]; then
			builtin compadd -O hits "$@"
			print -rl -- "$queries[number]|"$^hits >> $folder/hits
		fi
		builtin compadd "$@"
	}
	next() {
		zle .kill-buffer
		((++number <= $#queries)) || print done.
	}
	zle -N next
	bindkey '^G' next
	print ready.
	END
	folder=$BATS_TEST_TMPDIR timeout 120 zsh -f -c '
	zmodload zsh/zpty
	zpty shell "zsh -f -i"
	zpty -w shell ". $folder/setup"
	zpty -r -m shell answer "*ready.*"
	while IFS= read -r query; do
		zpty -n -w shell $query$'"'\t\a'"'
	done < $folder/queries
	zpty -r -m shell answer "*done.*"
	zpty -d shell'
	sed -e '/|./!d' -e 's,\\,,' "$BATS_TEST_TMPDIR/hits" | sort -u |
		diff - <(sort ../expected ../names)
}
