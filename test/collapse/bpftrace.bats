load ../helper

# The maps are as bpftrace 0.17 prints them, and before it indented frames.

@test "stacks of one key become one, with the other keys outside" {
	stackcollapse-bpftrace --no-offsets "$DATA/collapse/bpftrace" |
		are_lines \
		'bash;main;__GI___libc_read;entry_SYSCALL_64_after_hwframe;ksys_read;vfs_read 4' \
		'sort;main;_int_malloc 2' 'swapper/0 5'
}

@test "offsets stay by default, addresses and modules of ustack(perf) are removed" {
	# offsets stay unless told, and only offsets go
	printf '@[\n    a+1\n    b+\n    c+0x1\n    12\n    +3\n]: 1\n' > in
	stackcollapse-bpftrace in | is_line '+3;12;c+0x1;b+;a+1 1'
	stackcollapse-bpftrace --no-offsets in | is_line '+3;12;c+0x1;b+;a 1'
	# frames of ustack(perf) have names without address and module
	printf '@[\n    55e79dd4264a %s\n    401136 main (/a (b)/c)\n]: 3\n' \
		'f(int)+10 (/usr/bin/app)' > in
	stackcollapse-bpftrace in | is_line 'main;f(int)+10 3'
	stackcollapse-bpftrace --no-offsets in | is_line 'main;f(int) 3'
}

@test "the first map counts, or the one that is named" {
	printf '@h[\n    z\n]: \n[1]  1 |@@@@|\n\n@a[\n    f\n]: 1\n@b[\n    g\n]: 2\n@a[]: 4\n' > in
	fails 1 stackcollapse-bpftrace in 2> err | are_lines ' 4' 'f 1'
	diff err - <<-'END'
	stackcollapse-bpftrace: stacks whose value is not a count, left out: 1
	stackcollapse-bpftrace: stacks of other maps, left out: 1; --map @b counts those of one
	END
	for name in b @b; do
		fails 1 stackcollapse-bpftrace --map $name in 2> err |
			is_line 'g 2'
	done
	fails 1 stackcollapse-bpftrace --map c in 2>&1 | has 'no stack was found'
	# stacks of other maps alone are no loss
	printf '@a[\n    f\n]: 1\n' | stackcollapse-bpftrace --map c 2>&1 |
		has 'stacks of other maps, left out: 1'
}

@test "a picture, whose style sheet has lines that begin with @, is refused" {
	echo 'a;b 300' | flamegraph |
		sed 's/^<svg .*/&\n<style>\n@media [x] { }\n<\/style>/' > in.svg
	grep -q '^@.*\[' in.svg
	fails 1 stackcollapse-bpftrace in.svg 2> err
	is_line "stackcollapse-bpftrace: in.svg is not what bpftrace\
 prints; it looks like a picture in SVG, which stackcollapse-svg folds" < err
}

@test "keys may be on any side of a stack, and its value is a count" {
	# keys may be on any side of a stack, which may be empty
	while IFS='|' read -r entries folded; do
		printf '%b' "$entries" | stackcollapse-bpftrace |
			diff - <(printf '%b\n' "$folded")
	done <<-'END'
	@[\na+0\nb+1\n]: 3\n@[, bash]: 4\n|b+1;a+0 3\nbash 4
	@[7, ls, \n    a\n, x, \n    b\n, y, 9]: 3\n@[8, ]: 4\n|7, ls;x;y, 9;b;a 3\n8 4
	@[]: 5\n@[\n]: 2\n@[, , ]: 1\n@[1, ls]: 100\n@: 200\n@n[1]: 300\n| 8
	@[\n    a;b\n, c;d]: 1\n|c:d;a:b 1
	END
	# a value that is not a count leaves its stack out
	{
		printf '@[\n    a\n]: %s\n' '' -3 'count 3, average 3, total 9' \
			0x3 3.5
		printf '@[\n    a\n@[\n    b\n]: 2\n'
	} | fails 1 stackcollapse-bpftrace 2> err | is_line 'b 2'
	is_line 'stackcollapse-bpftrace: stacks whose value is not a' \
		'count, left out: 6' < err
}
