# Loaded by tests of recordings.  unit/perfdata.c makes these of lines, and says
# how.  Files that do not exist have no functions, so that a frame is the file's
# name.

# The usual event, whose samples have a chain.
EVENT='event cycles 0 0 ip,tid,time,id,period,chain,all 1,2'

load ../unit

# told FILE: the messages in it, except that functions lack names, which event
# counts, and what a build that measures coverage says.
told() {
	local line
	while IFS= read -r line; do
		case $line in
		'LLVM Profile'* | *'without a function'* | 'Filtering for'*) ;;
		*) echo "${line/#stackcollapse-perf:/!}" ;;
		esac
	done < "$1"
}

# folds: reads cases, which empty lines separate.  A case is the lines of a
# recording, with the usual event where they have none, and one or more runs:
# a line "$" with options, the expected stacks, and the messages after "!".  Units
# are left out.
folds() {
	local line lines='' expected='' runs=()
	while IFS= read -r line; do
		case $line in
		'')	folds_as_expected
			lines='' expected='' runs=() ;;
		\$*)	runs+=("${line#?}")
			expected+=$line$'\n' ;;
		*)	if [ ${#runs[@]} -gt 0 ]; then
				expected+=$line$'\n'
			else
				lines+=$line$'\n'
			fi ;;
		esac
	done
	folds_as_expected
}

folds_as_expected() {
	local run got
	[ -n "$lines" ] || return 0
	[ ${#runs[@]} -gt 0 ] || return
	[[ $'\n'$lines == *$'\n'event\ * ]] || lines=$EVENT$'\n'$lines
	record <<< "$lines" > perf.data
	for run in "${runs[@]}"; do
		echo "\$$run"
		"${program-stackcollapse-perf}" --no-unit $run perf.data \
			2> err || [ $? -eq 1 ] || return
		told err
	done > got
	# a process only where they differ
	IFS= read -r -d '' got < got || :
	[ "$got" = "$expected" ] || diff got <(printf %s "$expected")
}

# little NUMBER...: each as 8 bytes in hexadecimal, the lowest first.
little() {
	local n x
	for n; do
		printf -v x %016x "$n"
		printf %s "${x:14}" "${x:12:2}" "${x:10:2}" "${x:8:2}" \
		    "${x:6:2}" "${x:4:2}" "${x:2:2}" "${x:0:2}"
	done
}

# words NUMBER...: their bytes.
words() {
	printf %b "$(little "$@" | sed 's/../\\x&/g')"
}
