load helper

# The README's recipes for many machines, on the engines themselves: sshd and
# Slurm with three nodes, all on this machine, in folders and on ports of their
# own.  Where an engine is not installed its tests are skipped.

sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || true

setup_file() {
	export FLEET=$BATS_FILE_TMPDIR
	export PORT=$((20000 + $$ % 20000))
	cd "$FLEET" || return
	awk -v RS= -v ORS='\n\n' '{ print > ("host" NR % 3 ".perf") }' \
		"$DATA/demo.perf"
	printf 'host%d\n' 0 1 2 > hosts
	stackcollapse-perf "$DATA/demo.perf" > whole.folded
}

teardown_file() {
	local file
	for file in "$BATS_FILE_TMPDIR"/*.started; do
		[ -e "$file" ] || continue
		kill "$(cat "$file")" 2> /dev/null || continue
		until_true has_ended "$(cat "$file")" ||
			kill -9 "$(cat "$file")"
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$FLEET"/host?.perf "$FLEET/hosts" "$FLEET/whole.folded" .
}

# start NAME COMMAND...: runs it until the tests of this file have ended.
start() {
	local name=$1
	shift
	"$@" > "$FLEET/$name.out" 2>&1 3>&- &
	echo $! > "$FLEET/$name.started"
}

# until_true COMMAND...: waits until it is true; false after 20 seconds.
until_true() {
	local i
	for ((i = 0; i < 200; i++)); do
		"$@" > /dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

has_ended() {
	! kill -0 "$1"
}

# The hosts are this machine, where the programs are found as they are here.
start_sshd() {
	[ -n "$sshd" ] || skip 'no sshd'
	command -v parallel ssh ssh-keygen > /dev/null ||
		skip 'no ssh, or no GNU parallel'
	[ ! -e "$FLEET/sshd.started" ] || return 0
	[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
	ssh-keygen -q -t ed25519 -N '' -f "$FLEET/server"
	ssh-keygen -q -t ed25519 -N '' -f "$FLEET/client"
	cat > "$FLEET/sshd_config" <<-END
	Port $PORT
	ListenAddress 127.0.0.1
	HostKey $FLEET/server
	AuthorizedKeysFile $FLEET/client.pub
	PidFile none
	StrictModes no
	UsePAM no
	PermitRootLogin yes
	SetEnv PATH=$PATH
	END
	cat > "$FLEET/ssh_config" <<-END
	Host host*
		HostName 127.0.0.1
		Port $PORT
		IdentityFile $FLEET/client
		IdentitiesOnly yes
		StrictHostKeyChecking no
		UserKnownHostsFile /dev/null
		LogLevel ERROR
		BatchMode yes
	END
	start sshd "$sshd" -D -e -f "$FLEET/sshd_config"
	until_true ssh -n -F "$FLEET/ssh_config" host0 true ||
		skip 'sshd does not let us in'
}

start_slurm() {
	local node name
	PATH=$PATH:/usr/sbin
	command -v slurmctld slurmd srun munged > /dev/null || skip 'no Slurm'
	[ "$(id -u)" -eq 0 ] || skip 'Slurm runs as root'
	export SLURM_CONF=$FLEET/slurm.conf
	[ ! -e "$FLEET/munged.started" ] || return 0
	mkdir "$FLEET/munge" "$FLEET/state"
	head -c 1024 /dev/urandom > "$FLEET/munge/key"
	chmod 400 "$FLEET/munge/key"
	start munged munged --foreground --force \
		--key-file="$FLEET/munge/key" --socket="$FLEET/munge/socket" \
		--pid-file="$FLEET/munge/pid" --log-file="$FLEET/munge/log" \
		--seed-file="$FLEET/munge/seed"
	name=$(hostname -s)
	cat > "$SLURM_CONF" <<-END
	ClusterName=fleet
	SlurmctldHost=$name(127.0.0.1)
	SlurmctldPort=$((PORT + 1))
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	AuthInfo=socket=$FLEET/munge/socket
	CredType=cred/munge
	StateSaveLocation=$FLEET/state
	SlurmdSpoolDir=$FLEET/%n
	SlurmctldPidFile=$FLEET/slurmctld.pid
	SlurmdPidFile=$FLEET/%n.pid
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	MpiDefault=none
	ReturnToService=2
	PartitionName=all Nodes=ALL Default=YES State=UP
	END
	for node in 1 2 3; do
		mkdir "$FLEET/node$node"
		echo "NodeName=node$node NodeHostname=$name" \
			"NodeAddr=127.0.0.1 Port=$((PORT + 1 + node)) CPUs=1"
	done >> "$SLURM_CONF"
	until_true test -S "$FLEET/munge/socket"
	start slurmctld slurmctld -D -f "$SLURM_CONF"
	for node in 1 2 3; do
		start "node$node" slurmd -D -N "node$node" -f "$SLURM_CONF"
	done
	until_true srun -N3 --immediate=5 true || skip 'Slurm does not start'
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
	start_sshd
	# The hosts share this folder: each has a file of its own name.
	parallel --will-cite -j 32 -a hosts "ssh -n -F $FLEET/ssh_config {}" \
		"stackcollapse-perf $PWD/{}.perf > {}.folded"
	drawn ./host?.folded | cmp - <(flamegraph whole.folded)
	# shellcheck disable=SC2013 # a word is a line
	for host in $(cat hosts); do sed "s/^/$host;/" "$host.folded"; done |
		flamegraph > hosts.svg
	grep -c '<title>host[012] (' hosts.svg | diff - <(echo 3)
}

@test "a host that cannot be reached is named, and the rest is added" {
	start_sshd
	echo host9 >> hosts
	{
		printf 'Host host9\n\tPort 1\n'
		cat "$FLEET/ssh_config"
	} > ssh_config
	fails 1 parallel --will-cite -a hosts "ssh -n -F $PWD/ssh_config {}" \
		"stackcollapse-perf $PWD/{}.perf > {}.folded" 2> err
	fails 1 stackcollapse-perf ./host?.folded 2> err |
		diff - whole.folded
	diff err <(echo 'stackcollapse-perf: ./host9.folded: it is empty')
}

@test "GNU parallel adds many parts in a tree" {
	local i
	command -v parallel > /dev/null || skip 'no GNU parallel'
	for ((i = 0; i < 100; i++)); do
		stackcollapse-perf "host$((i % 3)).perf" > "part$i.folded"
	done
	find . -name 'part*.folded' |
		parallel --will-cite -n 32 'stackcollapse-perf {} > {#}.sum'
	[ "$(find . -name '*.sum' | wc -l)" -eq 4 ]
	stackcollapse-perf ./*.sum | diff - <(cat part*.folded |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' | sort)
}

@test "Slurm's nodes fold their parts, and one adds them up" {
	start_slurm
	# shellcheck disable=SC2016 # the nodes expand it
	srun -N3 -n3 --output=part.%t.folded --error=part.%t.err sh -c \
		'stackcollapse-perf host$SLURM_PROCID.perf'
	srun -N1 -n1 --output=sum.folded --error=sum.err \
		stackcollapse-perf part.*.folded
	diff sum.folded whole.folded
	drawn part.?.folded | cmp - <(flamegraph whole.folded)
}

@test "Slurm's nodes record themselves" {
	start_slurm
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
	start_slurm
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
