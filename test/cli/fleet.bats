load ../helper
load fleet

# The recipes of flamegraph-fleet(7), as the page has them, on the engines
# themselves: sshd and Slurm with three nodes, all on this machine, in folders
# and on ports of their own.  Where an engine is not installed its tests are
# skipped.

PAGE=$TOP/man/flamegraph-fleet.7

setup_file() {
	# The tests share the servers.
	export BATS_NO_PARALLELIZE_WITHIN_FILE=true
	export FLEET=$BATS_FILE_TMPDIR
	cd "$FLEET" || return
	awk -v RS= -v ORS='\n\n' '{ print > ("host" NR % 3 ".perf") }' \
		"$DATA/demo.perf"
	printf 'host%d\n' 0 1 2 > hosts
	stackcollapse-perf "$DATA/demo.perf" > whole.folded
}

teardown_file() {
	stop_all
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$FLEET"/host?.perf "$FLEET/hosts" .
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
	flamegraph "$FLEET/whole.folded" | cmp - "$1"
}

# give_homes CONFIG: each host has a perf.data where ssh leads.
give_homes() {
	local host ssh
	ssh=$(type -P ssh)
	for host in host0 host1 host2; do
		mkdir -p home/$host
		mv $host.perf home/$host/perf.data
	done
	mkdir bin
	cat > bin/ssh <<-END
	#!/bin/sh
	host=\$2
	shift 2
	exec "$ssh" -n -F "$1" "\$host" "cd '$PWD/home/\$host' && \$*"
	END
	chmod +x bin/ssh
	PATH=$PWD/bin:$PATH
}

@test "parts that are added in a tree draw the picture of the whole" {
	local i
	for i in 0 1 2; do
		stackcollapse-perf host$i.perf > host$i.folded
	done
	stackcollapse-perf host0.folded host2.folded > 1.sum
	stackcollapse-perf 1.sum host1.folded | diff - "$FLEET/whole.folded"
	stackcollapse-perf 1.sum host1.folded | flamegraph > all.svg
	is_whole all.svg
}

@test "files on the cores of one machine" {
	follow 'Files on the cores'
	is_whole all.svg
}

@test "hosts over ssh, by GNU parallel" {
	need_sshd
	give_homes "$FLEET/ssh_config"
	follow 'Hosts over ssh'
	is_whole fleet.svg
	follow 'Each host as a frame'
	grep -c '<title>host[012] (' hosts.svg | diff - <(echo 3)
}

@test "a host that cannot be reached is named, and the rest is added" {
	need_sshd
	echo host9 >> hosts
	{
		printf 'Host host9\n\tPort 1\n'
		cat "$FLEET/ssh_config"
	} > ssh_config
	give_homes "$PWD/ssh_config"
	fails 1 follow 'Hosts over ssh' 2> err
	is_whole fleet.svg
	grep -x 'stackcollapse-perf: host9.folded: it is empty' err
}

@test "GNU parallel adds many parts in a tree" {
	local i
	[ -n "$(type -P parallel)" ] || skip 'no parallel'
	for ((i = 0; i < 100; i++)); do
		stackcollapse-perf "host$((i % 3)).perf" > "part$i.folded"
	done
	follow 'Many hosts'
	[ "$(find . -name '*.sum' | wc -l)" -eq 4 ]
	cat part*.folded | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' |
		flamegraph | cmp - fleet.svg
}

@test "Slurm's nodes fold their parts, and one adds them up" {
	need_slurm
	# shellcheck disable=SC2016 # the nodes expand it
	srun -N3 -n3 --output=part.%t.folded --error=part.%t.err sh -c \
		'stackcollapse-perf host$SLURM_PROCID.perf'
	srun -N1 -n1 --output=sum.folded --error=sum.err \
		stackcollapse-perf part.*.folded
	diff sum.folded "$FLEET/whole.folded"
}

@test "Slurm's nodes record themselves" {
	local busy='awk "BEGIN { for (i = 0; i < 3000000; i++) n += i }"'
	need_slurm
	perf record -q -o perf.data -e cpu-clock -a -g -- true \
		> /dev/null 2>&1 || skip 'perf does not record here'
	export SLURM_NNODES=3 SLURM_NTASKS=3
	follow Slurm "s,/tmp/,$PWD/,
		s/-F 99/-F 999 -e cpu-clock/
		s/sleep 10/$busy/"
	stackcollapse-perf part.?.folded > job.folded
	grep -q '^awk;' job.folded
	awk '{ sum += $NF } END { print sum }' job.folded |
		diff - <(cat part.?.folded | awk '{ sum += $NF }
		END { print sum }')
	flamegraph job.folded | cmp - job.svg
	has '<title>awk (' < job.svg
}

@test "files of Slurm's tasks keep long lines, which joined output cuts" {
	need_slurm
	awk 'BEGIN { for (i = 0; i < 300; i++) {
		printf "a;%d", i
		for (j = 0; j < 400; j++) printf ";frame%d", j
		print " 1" } }' > long
	srun -N3 -n3 --output=part.%t.folded cat long
	stackcollapse-perf part.?.folded |
		diff - <(sed 's/ 1$/ 3/' long | sort)
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
	mkdir bin
	printf '#!/bin/sh\n[ "$1 $2" = "dfs -cat" ] && cat "$3"\n' > bin/hdfs
	chmod +x bin/hdfs
	recipe 'Hadoop' | sed '/^done/q' > fold.sh
	sed 's/.*/0\t&.perf/' hosts | PATH=$PWD/bin:$PATH sh fold.sh > all
	# what Hadoop Streaming gives a reducer: sorted lines, each with a tab
	hadoop() {
		sort | sed 's/$/\t/'
	}
	hadoop < all | lines_in 4 stackcollapse-perf | hadoop |
		stackcollapse-perf | diff - "$FLEET/whole.folded"
	# with a combiner
	lines_in 5 stackcollapse-perf < all | hadoop |
		lines_in 3 stackcollapse-perf | hadoop |
		stackcollapse-perf | diff - "$FLEET/whole.folded"
	# Spark's pipes, one after another
	tac all | lines_in 7 stackcollapse-perf |
		lines_in 2 stackcollapse-perf |
		stackcollapse-perf | diff - "$FLEET/whole.folded"
	# no state: what was added is added again to the same
	stackcollapse-perf "$FLEET/whole.folded" | diff - "$FLEET/whole.folded"
}
