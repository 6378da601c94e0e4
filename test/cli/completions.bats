load ../helper

# What shells complete, with the files that make install puts where they look.

setup_file() {
	[ -e "$BIN/Makefile" ] || { lacks 'no sources'; return; }
	unset MAKEFLAGS MAKELEVEL
	copy_tree "$BATS_FILE_TMPDIR"
	make -s -C "$BATS_FILE_TMPDIR" install PREFIX=/opt \
		DESTDIR="$BATS_FILE_TMPDIR/root"
	make -s -C "$BATS_FILE_TMPDIR" install PREFIX=/opt \
		DESTDIR="$BATS_FILE_TMPDIR/root" PREFIX_NAMES=fg-
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -z "${LACKING-}" ] || skip "$LACKING"
	share=$BATS_FILE_TMPDIR/root/opt/share
	PATH=$BATS_FILE_TMPDIR/root/opt/bin:$PATH
	mkdir -p work/folder
	cd work || return
	touch a.folded 'b c.folded'
}

# programs: the names of all programs.
programs() {
	make_list PROGRAMS REPORTS
	collapsers
}

# options PROGRAM: the options in its help
options() {
	"$1" --help | sed -n 's/^    \(-.\{1,19\}\).*/\1/p' |
		grep -o -E -e '^-[a-z]|--[a-z0-9-]+' | sort
}

# in_bash WORD...: what bash has for the last word, one a line.
in_bash() {
	bash --norc -c '
	compopt() { echo "$@" >> ../compopt; }
	. "$0/bash-completion/completions/$1" || exit
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	function=$(complete -p "$1" | sed "s/.* -F \([^ ]*\) .*/\1/")
	"$function" "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
	[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\n" "${COMPREPLY[@]}"
	' "$share" "$@" | sort
}

# in_fish WORD...: what fish has, without descriptions
in_fish() {
	HOME=$PWD XDG_DATA_DIRS=$share fish --no-config -c '
	set -p fish_complete_path $argv[1]
	complete -C (string join " " -- $argv[2..-1])
	' "$share/fish/vendor_completions.d" "$@" | cut -f 1 | sort -u
}

# in_zsh WORD...: what zsh has, in a terminal, where alone it completes
in_zsh() {
	cat > ../setup.zsh <<-'END'
	PS1= PS2= fpath=($share/zsh/site-functions $fpath)
	autoload -Uz compinit
	compinit -u -D
	compadd() {
		local -a hits
		if [[ ${@[1,(i)(-|--)]} != *-[ADO]* ]]; then
			builtin compadd -O hits "$@"
			print -rl -- $hits >> ../hits
		fi
		builtin compadd "$@"
	}
	finish() { zle .kill-buffer; print end of hits >> ../hits }
	zle -N finish
	bindkey '^X' finish
	LISTMAX=10000
	END
	rm -f ../hits
	share=$share zsh -f -c '
	zmodload zsh/zpty
	zpty shell "zsh -f -i"
	zpty -w shell ". ../setup.zsh"
	zpty -n -w shell "$*"$'"'\t\x18'"'
	for ((i = 0; i < 100; i++)); do
		sleep 0.05
		[[ -e ../hits && $(tail -n 1 ../hits) = "end of hits" ]] && break
	done
	zpty -d shell
	' zsh "$@"
	sed '/^end of hits$/d; /^$/d' ../hits | sort -u
}

@test "bash completes the options of every program" {
	for program in $(programs); do
		for name in "$program" "fg-$program"; do
			diff <(in_bash "$name" -) <(options "$name") || echo "$name"
		done
	done > ../failed 2>&1
	diff /dev/null ../failed
}

@test "fish completes the options of every program" {
	command -v fish > /dev/null || skip 'no fish'
	for program in $(programs); do
		diff <(in_fish "$program" -- | sed "s/=$//" | sort -u) \
			<(options "$program" | grep -e --) ||
			echo "$program"
	done > ../failed 2>&1
	diff /dev/null ../failed
}

@test "zsh completes the options of every program" {
	command -v zsh > /dev/null || skip 'no zsh'
	for program in $(programs); do
		diff <(in_zsh "$program" -) <(options "$program") ||
			echo "$program"
	done > ../failed 2>&1
	diff /dev/null ../failed
}

# each_shell FUNCTION: calls it with in_bash, in_fish and in_zsh, or with those
# whose shells are there.
each_shell() {
	for shell in bash fish zsh; do
		! command -v $shell > /dev/null || "$1" in_$shell || echo $shell
	done > ../failed 2>&1
	diff /dev/null ../failed
}

values() { # IN_SHELL
	while read -r program option values; do
		"$1" "$program" "$option" '' | diff - <(echo "$values" |
			tr ' ' '\n' | sed '/^$/d' | sort) ||
			echo "$program $option"
	done <<-'END'
	foldedtop --sort self total stacks name
	flamegraph --axis ns us ms s
	flamegraph --bgcolors yellow blue green grey
	flamegraph --delta self total
	flamegraph --theme light dark auto
	flamegraph --truncate end front middle
	flamegraph --widths after before sum change
	flamegraph --title
	END
	"$1" flamegraph --colors re | diff - <(echo red)
	"$1" flamegraph --no | diff - <(printf -- '--no%s\n' -javascript \
		-legend ise tes)
}

@test "values are completed where they are few" {
	each_shell values
}

@test "each palette that shells know is one" {
	in_bash flamegraph --colors '' > ../palettes
	[ "$(wc -l < ../palettes)" -eq 18 ]
	while read -r palette; do
		echo 'a 100' | flamegraph --colors="$palette"
	done < ../palettes 2>&1 > ../out.svg | diff /dev/null -
	in_bash flamegraph --colors = re | diff - <(echo red)
	in_bash flamegraph --colors = | has -x red
}

# Bash is asked for names of files, the others name them.
names() { # IN_SHELL
	rm -f ../compopt
	"$1" flamegraph --nameattr '' > ../out
	"$1" flamegraph '' > ../operands
	"$1" stackcollapse-firefox --symfs '' > ../folders
	"$1" files '' > ../roots
	if [ "$1" = in_bash ]; then
		diff ../compopt <(printf -- '-o %s\n' default default dirnames \
			dirnames)
	else
		sed 's,\\,,;s,/$,,' ../out | diff - <(printf '%s\n' a.folded 'b c.folded' folder)
		cat ../folders ../roots | sed 's,/$,,' |
			diff - <(printf '%s\n' folder folder)
		cmp ../out ../operands
	fi
}

@test "names of files and folders are completed where they are wanted" {
	each_shell names
}
