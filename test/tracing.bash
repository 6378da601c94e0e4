# Loaded by tests of tracepoints: makes tracing data, as perf.data hold them, and
# raw data of samples.

# number SIZE VALUE: the bytes of a number, the highest first if $big is set.
number() {
	local i at byte bytes=
	for ((i = 0; i < $1; i++)); do
		at=$((${big:-0} ? $1 - 1 - i : i))
		printf -v byte '\\x%02x' $(($2 >> 8 * at & 255))
		bytes+=$byte
	done
	printf '%b' "$bytes"
}

# tracing FILE...: tracing data with the formats of sched's events in files.
tracing() {
	local file
	printf '\x17\x08\x44tracing0.6\0'
	number 1 "${big:-0}"
	printf '\x08'
	number 4 4096
	printf 'header_page\0'
	number 8 5
	printf '\tpage'
	printf 'header_event\0'
	number 8 0
	number 4 1
	number 8 6
	printf 'ftrace'
	number 4 1
	printf 'sched\0'
	number 4 $#
	for file; do
		number 8 "$(wc -c < "$file")"
		cat "$file"
	done
	printf '\0\0\0\0'
}

# hex: the bytes of the input in hexadecimal.
hex() {
	od -An -v -tx1 | tr -d ' \n'
}

# switch_format, waking_format: formats as Linux 6.1 has them, in files.
switch_format() {
	cat > sched_switch <<-'END'
	name: sched_switch
	ID: 372
	format:
		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
		field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
		field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
		field:int common_pid;	offset:4;	size:4;	signed:1;

		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
		field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
		field:int prev_prio;	offset:28;	size:4;	signed:1;
		field:long prev_state;	offset:32;	size:8;	signed:1;
		field:char next_comm[16];	offset:40;	size:16;	signed:0;
		field:pid_t next_pid;	offset:56;	size:4;	signed:1;
		field:int next_prio;	offset:60;	size:4;	signed:1;

	print fmt: "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & ((((0x00000000 | 0x00000001) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & ((((0x00000000 | 0x00000001) + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000004, "T" }, { 0x00000008, "t" }, { 0x00000010, "X" }, { 0x00000020, "Z" }, { 0x00000040, "P" }, { 0x00000080, "I" }) : "R", REC->prev_state & (0x00000080 << 1) ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio
	END
}

waking_format() {
	cat > sched_waking <<-'END'
	name: sched_waking
	ID: 375
	format:
		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
		field:int common_pid;	offset:4;	size:4;	signed:1;

		field:char comm[16];	offset:8;	size:16;	signed:0;
		field:pid_t pid;	offset:24;	size:4;	signed:1;
		field:int prio;	offset:28;	size:4;	signed:1;

	print fmt: "comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio
	END
}
