load ../helper
load recording

# --cgroup: the cgroups of samples, of recordings and of text.  Recordings are
# made from lines by unit/perfdata.c, which tells how; what is expected is the
# text of perf script 7.2 -F +cgroup, with the cgroups moved to the roots.

# grouped [FIELDS [LINE]]: samples of three cgroups, and of one that is not told.
grouped() {
	cat <<-END
	${2-}
	event cycles 0 0 ip,tid,time,id,period,chain,cgroup,all${1-} 1,2
	cgroup 1 /
	cgroup 77 /user.slice/a 50
	comm 10 10 sh
	map 10 10 0x1000 0x1000 0 /x/bin/sh
	sample 1 10 10 100 7 u u: 0x1020 %1
	sample 1 10 10 110 3 u u: 0x1020 %77
	sample 1 10 10 120 2 u u: 0x1020 %1
	cgroup 0x500000007 /system.slice/b;c 125
	sample 1 10 10 130 5 u u: 0x1020 0x1030 %0x500000007
	sample 1 10 10 140 4 u u: 0x1020 %99
	round
	END
}

grouped_folded='/;sh;[sh] 9
/system.slice/b:c;sh;[sh];[sh] 5
/user.slice/a;sh;[sh] 3
unknown;sh;[sh] 4'

@test "--cgroup adds the cgroup around the command, or that it is not known" {
	grouped | record > perf.data
	stackcollapse-perf --cgroup perf.data 2> err | is_line "$grouped_folded"
	grouped '' pipe | record | stackcollapse-perf --cgroup - 2> err |
		is_line "$grouped_folded"
	stackcollapse-perf perf.data 2> err | are_lines \
		'sh;[sh] 16' 'sh;[sh];[sh] 5'
	stackcollapse-perf --cgroup --pid perf.data 2> err |
		has '^/user.slice/a;sh-10;\[sh\] 3$'
}

@test "periods count in text with cgroups, also without --cgroup" {
	for group in ' /user.slice/a b' ' unknown' ' /' ''; do
		printf 'sh 10 [000] 1.00000%d: 250 cycles: %s\n\t1020 f (/x/sh)\n\n' \
			1 "$group" 2 "$group" 3 "$group"
		printf '%16s %s%s     %16s g (/x/sh)\n\n' sh \
			'10 [000] 1.000009: 10 cycles: ' "$group" 7f722d142778
	done > text
	stackcollapse-perf text | diff - <(printf 'sh;f 3000\nsh;g 40\n')
	sed 's/cycles: /k:m: x=1/' text | stackcollapse-perf |
		diff - <(printf 'sh;f 12\nsh;g 4\n')
}

@test "a sample's cgroup is in front of its pages, whatever is before it" {
	for fields in ,data-page,code-page,branches,raw ,stack,registers; do
		grouped "$fields" | record > perf.data
		stackcollapse-perf --cgroup perf.data 2> err |
			is_line "$grouped_folded"
	done
}

@test "samples that wait for their call chain keep their cgroups" {
	grouped ,defer | sed 's/u u: 0x1020 %/u d: 7 %/' > lines
	echo 'deferred 7 10 10 150 u: 0x1020' >> lines
	record < lines > perf.data
	stackcollapse-perf --cgroup perf.data 2> err | is_line "$grouped_folded"
}

@test "a recording without cgroups is refused, with the command that records them" {
	grouped | sed 's/,cgroup,/,/' | record > perf.data
	fails 1 stackcollapse-perf --cgroup perf.data > out 2> err
	diff /dev/null out
	echo 'stackcollapse-perf: perf.data: recorded without cgroups;' \
		'use perf record --all-cgroups' | diff - err
	# what perf may add one day could be after them
	grouped ,newer | record > perf.data
	fails 1 stackcollapse-perf --cgroup perf.data > out 2> err
	stackcollapse-perf perf.data 2> err | has '^sh;\[sh\] 16$'
}

@test "a cgroup without a path makes no sense" {
	{ grouped; echo 'record 19 0 0100000000000000'; } | record > perf.data
	fails 1 stackcollapse-perf --cgroup perf.data 2> err |
		is_line "$grouped_folded"
	grep 'invalid records, left out: 1,' err
}

@test "--cgroup takes the cgroups that perf script prints, and reports samples without one" {
	local frame='\t            1020 f (/x/bin/sh)\n\n'
	local begin='sh    10     0.000000:         '
	for rest in ' 7 cycles:  /' ' 3 cycles:  /user.slice/a b' \
	    ' 4 cycles:  unknown' ' 8 cycles:     7ffc00001000  /'; do
		printf "$begin$rest\n$frame"
	done > in
	stackcollapse-perf --cgroup in 2> err | is 4<<-'END'
	/;sh;f 15
	/user.slice/a_b;sh;f 3
	unknown;sh;f 4
	END
	diff /dev/null err
	# without chains, a sample is a line
	for rest in ' 5 cycles:  /     ' ' 6 cycles:  /c d     '; do
		echo "              $begin${rest}7f5ec227215c g+0x2 (/x/bin/sh)"
	done > in
	stackcollapse-perf --cgroup in 2> err | are_lines \
		'/;sh;g 5' '/c_d;sh;g 6'
	diff /dev/null err
	printf 'sh 10 1.5: 4 cycles:\n\t 1 x (/bin/sh)\n\n' |
		stackcollapse-perf --cgroup 2> err | is_line 'unknown;sh;x 4'
	is_line 'stackcollapse-perf: --cgroup: samples without a' \
		'cgroup, which perf script prints with -F +cgroup: 1' < err
}

@test "--cgroup is not for flame charts" {
	fails 2 stackcollapse-perf --cgroup --in-order /dev/null 2> err
	grep -q -e '--cgroup cannot be combined with --in-order' err
}
