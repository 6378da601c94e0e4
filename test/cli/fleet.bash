# Loaded by the tests of many machines, which need servers: sshd, and Slurm with
# three nodes.  Each is started by the first test that needs it, in the folder
# $FLEET and on ports that nobody else listens on, and runs until the tests of
# the file have ended.  Where one cannot be had, the tests that need it are
# skipped.  Every wait has an end, whatever else the machine does.

# As root, the folders of servers are not in PATH.
PATH=$PATH:/usr/sbin

# srun and parallel, which end.
srun() {
	timeout 300 srun "$@"
}

parallel() {
	timeout 300 parallel --will-cite "$@"
}

# wait_until SECONDS COMMAND...: tries until it is true; false after so long.
wait_until() {
	local end=$((SECONDS + $1))
	shift
	until "$@" > /dev/null 2>&1 3>&-; do
		[ $SECONDS -lt $end ] || return
		sleep 0.1
	done
}

# start NAME COMMAND...: runs it until stop_all.
start() {
	local name=$1
	shift
	"$@" > "$FLEET/$name.out" 2>&1 3>&- &
	echo $! > "$FLEET/$name.pid"
}

# has_ended NAME...: true if one of them has.
has_ended() {
	local name
	for name; do
		kill -0 "$(cat "$FLEET/$name.pid")" || return 0
	done
	return 1
}

# have_ended NAME...: true if all have.
have_ended() {
	local name
	for name; do
		has_ended "$name" || return
	done
}

# stop NAME...: ends them, and waits until they have.
stop() {
	local name
	for name; do
		kill "$(cat "$FLEET/$name.pid")" 2> /dev/null || true
	done
	wait_until 10 have_ended "$@" || for name; do
		kill -9 "$(cat "$FLEET/$name.pid")" 2> /dev/null || true
	done
}

stop_all() {
	local file names=
	for file in "$FLEET"/*.pid; do
		[ ! -e "$file" ] || names="$names $(basename "$file" .pid)"
	done
	# shellcheck disable=SC2086 # the names are several
	[ -z "$names" ] || stop $names
}

is_listened_on() {
	(: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

# find_ports COUNT: stores the first of as many that are free, one after
# another, below those that the system gives to connections.
find_ports() {
	local try i
	for ((try = 0; try < 100; try++)); do
		port=$((10000 + RANDOM % 20000))
		for ((i = 0; i < $1; i++)); do
			! is_listened_on $((port + i)) || continue 2
		done
		return 0
	done
	return 1
}

# once NAME COMMAND...: a server that the command starts on ports of its own,
# unless it runs; others where it fails.  Skips the test if none will do.
once() {
	local name=$1 try
	shift
	[ ! -e "$FLEET/$name.runs" ] || return 0
	[ ! -e "$FLEET/$name.fails" ] || skip "$name does not start"
	for try in 1 2 3; do
		! "$@" || {
			touch "$FLEET/$name.runs"
			return 0
		}
		echo "# $name did not start, try $try of 3" >&3
	done
	touch "$FLEET/$name.fails"
	skip "$name does not start"
}

make_keys() {
	ssh-keygen -q -t ed25519 -N '' -f "$FLEET/server"
	ssh-keygen -q -t ed25519 -N '' -f "$FLEET/client"
}

# The hosts are this machine, where the programs are found as they are here.
write_ssh_configs() {
	cat > "$FLEET/sshd_config" <<-END
	Port $port
	ListenAddress 127.0.0.1
	HostKey $FLEET/server
	AuthorizedKeysFile $FLEET/client.pub
	PidFile none
	StrictModes no
	UsePAM no
	PermitRootLogin yes
	LoginGraceTime 300
	SetEnv PATH=$PATH
	END
	cat > "$FLEET/ssh_config" <<-END
	Host host*
		HostName 127.0.0.1
		Port $port
		IdentityFile $FLEET/client
		IdentitiesOnly yes
		StrictHostKeyChecking no
		UserKnownHostsFile /dev/null
		LogLevel ERROR
		BatchMode yes
		ConnectTimeout 120
	END
}

lets_us_in() {
	timeout 30 ssh -n -F "$FLEET/ssh_config" host0 true
}

is_settled() {
	has_ended sshd || lets_us_in
}

run_sshd() {
	find_ports 1
	write_ssh_configs
	# sshd wants to be called by its whole path
	start sshd "$(command -v sshd)" -D -e -f "$FLEET/sshd_config"
	wait_until 60 is_settled && lets_us_in && return
	stop sshd
	return 1
}

need_sshd() {
	local program
	for program in sshd ssh ssh-keygen parallel; do
		[ -n "$(type -P $program)" ] || skip "no $program"
	done
	[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
	[ -e "$FLEET/client" ] || make_keys
	once sshd run_sshd
}

run_munged() {
	mkdir -p "$FLEET/munge"
	[ -e "$FLEET/munge/key" ] ||
		head -c 1024 /dev/urandom > "$FLEET/munge/key"
	chmod 400 "$FLEET/munge/key"
	start munged munged --foreground --force \
		--key-file="$FLEET/munge/key" --socket="$FLEET/munge/socket" \
		--pid-file="$FLEET/munge/pid" --log-file="$FLEET/munge/log" \
		--seed-file="$FLEET/munge/seed"
	wait_until 60 test -S "$FLEET/munge/socket" && return
	stop munged
	return 1
}

write_slurm_conf() {
	local node name
	name=$(hostname -s)
	cat <<-END
	ClusterName=fleet
	SlurmctldHost=$name(127.0.0.1)
	SlurmctldPort=$port
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	AuthInfo=socket=$FLEET/munge/socket
	CredType=cred/munge
	StateSaveLocation=$FLEET/slurm
	SlurmdSpoolDir=$FLEET/slurm/%n
	SlurmctldPidFile=$FLEET/slurm/ctld
	SlurmdPidFile=$FLEET/slurm/%n.d
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	MpiDefault=none
	ReturnToService=2
	MessageTimeout=60
	PartitionName=all Nodes=ALL Default=YES State=UP
	END
	for node in 1 2 3; do
		echo "NodeName=node$node NodeHostname=$name" \
			"NodeAddr=127.0.0.1 Port=$((port + node)) CPUs=1"
	done
}

# The nodes, and what gives them their tasks.
slurm='slurmctld node1 node2 node3'

# shellcheck disable=SC2086 # they are several
runs_tasks() {
	has_ended $slurm || timeout 30 srun -N3 --immediate=20 true
}

# shellcheck disable=SC2086 # they are several
run_slurm() {
	local node
	find_ports 4
	rm -rf "$FLEET/slurm"
	mkdir -p "$FLEET"/slurm/node{1,2,3}
	write_slurm_conf > "$SLURM_CONF"
	start slurmctld slurmctld -D -f "$SLURM_CONF"
	for node in 1 2 3; do
		start "node$node" slurmd -D -N "node$node" -f "$SLURM_CONF"
	done
	wait_until 90 runs_tasks && ! has_ended $slurm 2> /dev/null && return
	stop $slurm
	return 1
}

need_slurm() {
	local program
	for program in slurmctld slurmd srun munged; do
		[ -n "$(type -P $program)" ] || skip "no $program"
	done
	[ "$(id -u)" -eq 0 ] || skip 'Slurm runs as root'
	export SLURM_CONF=$FLEET/slurm.conf
	once munged run_munged
	once Slurm run_slurm
}
