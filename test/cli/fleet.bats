load ../helper
load fleet

# The README's recipes for many machines, on the engines themselves: sshd and
# Slurm with three nodes, all on this machine, in folders and on ports of their
# own.  Where an engine is not installed its tests are skipped.

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
	cp "$FLEET"/host?.perf "$FLEET/hosts" "$FLEET/whole.folded" .
}

# drawn FILE...: the picture of what they add up to
drawn() {
	stackcollapse-perf "$@" | flamegraph
}

@test "parts that are added in a tree draw the picture of the whole" {
	local i
	for i in 0 1 2; do
		stackcollapse-perf host$i.perf > host$i.folded
	done
	stackcollapse-perf host0.folded host2.folded > 1.sum
	stackcollapse-perf 1.sum host1.folded | diff - whole.folded
	drawn 1.sum host1.folded | cmp - <(flamegraph whole.folded)
}

@test "files on the cores of one machine" {
	# shellcheck disable=SC2011 # as in the README
	ls ./*.perf | xargs -P 8 -I{} sh -c 'stackcollapse-perf {} > {}.folded'
	drawn ./*.perf.folded | cmp - <(flamegraph whole.folded)
}

@test "hosts over ssh, by GNU parallel" {
	need_sshd
	# The hosts share this folder: each has a file of its own name.
	parallel -j 32 -a hosts "ssh -n -F $FLEET/ssh_config {}" \
		"stackcollapse-perf $PWD/{}.perf > {}.folded"
	drawn ./host?.folded | cmp - <(flamegraph whole.folded)
	# shellcheck disable=SC2013 # a word is a line
	for host in $(cat hosts); do sed "s/^/$host;/" "$host.folded"; done |
		flamegraph > hosts.svg
	grep -c '<title>host[012] (' hosts.svg | diff - <(echo 3)
}

@test "a host that cannot be reached is named, and the rest is added" {
	need_sshd
	echo host9 >> hosts
	{
		printf 'Host host9\n\tPort 1\n'
		cat "$FLEET/ssh_config"
	} > ssh_config
	fails 1 parallel -a hosts "ssh -n -F $PWD/ssh_config {}" \
		"stackcollapse-perf $PWD/{}.perf > {}.folded" 2> err
	fails 1 stackcollapse-perf ./host?.folded 2> err |
		diff - whole.folded
	diff err <(echo 'stackcollapse-perf: ./host9.folded: it is empty')
}

@test "GNU parallel adds many parts in a tree" {
	local i
	[ -n "$(type -P parallel)" ] || skip 'no parallel'
	for ((i = 0; i < 100; i++)); do
		stackcollapse-perf "host$((i % 3)).perf" > "part$i.folded"
	done
	find . -name 'part*.folded' |
		parallel -n 32 'stackcollapse-perf {} > {#}.sum'
	[ "$(find . -name '*.sum' | wc -l)" -eq 4 ]
	stackcollapse-perf ./*.sum | diff - <(cat part*.folded |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort)
}

@test "Slurm's nodes fold their parts, and one adds them up" {
	need_slurm
	# shellcheck disable=SC2016 # the nodes expand it
	srun -N3 -n3 --output=part.%t.folded --error=part.%t.err sh -c \
		'stackcollapse-perf host$SLURM_PROCID.perf'
	srun -N1 -n1 --output=sum.folded --error=sum.err \
		stackcollapse-perf part.*.folded
	diff sum.folded whole.folded
	drawn part.?.folded | cmp - <(flamegraph whole.folded)
}

@test "Slurm's nodes record themselves" {
	need_slurm
	perf record -q -o perf.data -e cpu-clock -a -g -- true \
		> /dev/null 2>&1 || skip 'perf does not record here'
	# shellcheck disable=SC2016 # the nodes expand it
	srun -N3 -n3 --output=part.%t.folded --error=part.%t.err sh -c '
	    data=$SLURM_JOB_ID.$SLURM_PROCID.data
	    perf record -q -F 999 -e cpu-clock -a -g -o $data -- \
	        awk "BEGIN { for (i = 0; i < 3000000; i++) n += i }" &&
	    stackcollapse-perf $data'
	stackcollapse-perf part.?.folded > job.folded
	grep -q '^awk;' job.folded
	awk '{ sum += $NF } END { print sum }' job.folded |
		diff - <(cat part.?.folded | awk '{ sum += $NF }
		END { print sum }')
	flamegraph job.folded | has '<title>awk ('
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
	while read -r host; do stackcollapse-perf "$host.perf"; done < hosts > all
	# what Hadoop Streaming gives a reducer: sorted lines, each with a tab
	hadoop() {
		sort | sed 's/$/\t/'
	}
	hadoop < all | lines_in 4 stackcollapse-perf | hadoop |
		stackcollapse-perf | diff - whole.folded
	# with a combiner
	lines_in 5 stackcollapse-perf < all | hadoop |
		lines_in 3 stackcollapse-perf | hadoop |
		stackcollapse-perf | diff - whole.folded
	# Spark's pipes, one after another
	tac all | lines_in 7 stackcollapse-perf |
		lines_in 2 stackcollapse-perf |
		stackcollapse-perf | diff - whole.folded
	# no state: what was added is added again to the same
	stackcollapse-perf whole.folded | diff - whole.folded
}
