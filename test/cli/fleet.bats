load ../helper

# The recipes of flamegraph-fleet(7), as the page has them.  In place of ssh,
# parallel, srun, perf and hdfs there are scripts that take the options which
# the page uses, and run the commands on this machine.

PAGE=$TOP/man/flamegraph-fleet.7

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	awk -v RS= -v ORS='\n\n' '{ print > ("host" NR % 3 ".perf") }' \
		"$DATA/demo.perf"
	printf 'host%d\n' 0 1 2 > hosts
	stackcollapse-perf "$DATA/demo.perf" > whole
	mkdir bin
	PATH=$PWD/bin:$PATH
}

# stub NAME: makes the script, which is standard input, a command.
stub() {
	cat > "bin/$1"
	chmod +x "bin/$1"
}

# Each host has a perf.data where ssh leads.
make_ssh() {
	local host
	for host in host0 host1 host2; do
		mkdir -p home/$host
		mv $host.perf home/$host/perf.data
	done
	stub ssh <<-END
	#!/bin/sh
	[ "\$1" = -n ] && cd "$PWD/home/\$2" && shift 2 && eval "\$*"
	END
}

# parallel [-j N] [-a FILE] [-n LINES] COMMAND
make_parallel() {
	stub parallel <<-'END'
	#!/bin/bash
	lines=1
	while [[ $1 = -* ]]; do
		case $1 in
		-n)	lines=$2 ;;
		-a)	exec < "$2" ;;
		-j)	;;
		*)	exit 2 ;;
		esac
		shift 2
	done
	while mapfile -t -n "$lines" group && [ ${#group[@]} -gt 0 ]; do
		words=${1//'{#}'/$((++number))}
		bash -c "${words//'{}'/${group[*]}}" || failed=1
	done
	exit ${failed-0}
	END
}

# recipe TEXT: prints the commands of the page's section whose title begins so.
recipe() {
	awk -v title=".Ss $1" '
	/^\.S[hs]/ { on = index($0, title) == 1 }
	/^\.Bd/ { shown = on; next }
	/^\.Ed/ { shown = 0 }
	shown {
		sub(/^\$ /, "")
		gsub(/\\e/, "\\")
		print
		found = 1
	}
	END { exit !found }' "$PAGE"
}

# follow TEXT [EDIT]: runs these commands, after an edit by sed.
follow() {
	recipe "$1" | sed -e "${2-}" > recipe.bash
	# shellcheck source=/dev/null # the page has it
	. ./recipe.bash
}

# is_whole PICTURE: true if it is that of the whole profile.
is_whole() {
	flamegraph whole | cmp - "$1"
}

@test "files on the cores of one machine" {
	follow 'Files on the cores'
	is_whole all.svg
}

@test "hosts over ssh, by GNU parallel; one that cannot be reached is named" {
	make_ssh
	make_parallel
	follow 'Hosts over ssh'
	is_whole fleet.svg
	follow 'Each host as a frame'
	grep -c '<title>host[012] (' hosts.svg | is_line 3
	echo host9 >> hosts
	fails 1 follow 'Hosts over ssh' 2> err
	is_whole fleet.svg
	grep -x 'stackcollapse-perf: host9.folded: it is empty' err
}

@test "many parts are added in a tree" {
	local i
	make_parallel
	for ((i = 0; i < 40; i++)); do
		stackcollapse-perf "host$((i % 3)).perf" > "part$i.folded"
	done
	follow 'Many hosts'
	[ "$(find . -name '*.sum' | wc -l)" -eq 2 ]
	cat part*.folded | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' |
		flamegraph | cmp - fleet.svg
}

@test "Slurm's tasks fold what they record" {
	stub srun <<-'END'
	#!/bin/sh
	out=${1#--output=} err=${2#--error=} SLURM_JOB_ID=7
	shift 2
	for SLURM_PROCID in 0 1 2; do
		export SLURM_JOB_ID SLURM_PROCID
		"$@" > "$(echo "$out" | sed "s/%t/$SLURM_PROCID/")" \
			2> "$(echo "$err" | sed "s/%t/$SLURM_PROCID/")" || exit
	done
	END
	stub perf <<-'END'
	#!/bin/sh
	[ "$1" = record ] || exit
	while [ "$1" != -o ]; do
		shift
	done
	cp "host$SLURM_PROCID.perf" "$2"
	END
	follow Slurm "s,/tmp/,$PWD/,"
	is_whole job.svg
}

# lines_in COUNT COMMAND: gives parts of the lines to as many, in any order.
lines_in() {
	local count=$1 part parts
	shift
	parts=$(mktemp -d "$PWD/parts.XXXXXX")
	awk -v n="$count" -v parts="$parts" '{ print > (parts "/" NR % n) }'
	for part in "$parts"/*; do
		"$@" < "$part"
	done
}

@test "Hadoop's and Spark's contract: lines in any part and order, any steps" {
	# the mapper reads lines of a place in the list, a tab and a path
	stub hdfs <<-'END'
	#!/bin/sh
	[ "$1 $2" = "dfs -cat" ] && cat "$3"
	END
	recipe 'Hadoop' | sed '/^done/q' > fold.sh
	sed 's/.*/0\t&.perf/' hosts | sh fold.sh > all
	# what Hadoop Streaming gives a reducer: sorted lines, each with a tab
	hadoop() {
		sort | sed 's/$/\t/'
	}
	# with a combiner
	lines_in 5 stackcollapse-perf < all | hadoop |
		lines_in 3 stackcollapse-perf | hadoop |
		stackcollapse-perf | diff - whole
	# Spark's pipes, one after another
	tac all | lines_in 7 stackcollapse-perf |
		lines_in 2 stackcollapse-perf | stackcollapse-perf | diff - whole
	# no state: what was added is added again to the same
	stackcollapse-perf whole | diff - whole
}
