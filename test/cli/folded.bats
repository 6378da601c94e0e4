load ../helper

# drawn FILE [OPTION...]: the tooltips, without complaints
drawn() {
	flamegraph --countname=x "${@:2}" "$DATA/$1.folded" 2> err > out.svg
	diff err /dev/null >&2
	sed -n 's/^<g><title>\(.*\)<\/title>.*/\1/p' out.svg
}

@test "py-spy's raw format is drawn" {
	drawn py-spy | diff - <(cat <<-'END'
	all (100 x, 100%)
	process 7:"python app.py" (100 x, 100.00%)
	&lt;module&gt; (app.py:12) (72 x, 72.00%)
	work (app.py:5) (42 x, 42.00%)
	work (app.py:6) (30 x, 30.00%)
	&lt;listcomp&gt; (app.py:6) (30 x, 30.00%)
	thread (0x7F21A8C1E6C0) (28 x, 28.00%)
	run (threading.py:975) (28 x, 28.00%)
	poll (app.py:20) (28 x, 28.00%)
	END
	)
}

@test "Austin's format is drawn, and its comments are read over" {
	flamegraph --countname=us "$DATA/austin.folded" > out.svg 2> err
	diff err <(echo 'Ignored 2 lines with invalid format')
	grep -q '<title>P7 (300,636 us, 100.00%)' out.svg
	grep -q '<title>app.py:work:5 (100,217 us, 33.33%)' out.svg
	! grep -q 'duration' out.svg || false
}

@test "async-profiler's collapsed format is drawn, kinds in their colors" {
	drawn async-profiler --colors=java > titles
	grep -qx 'App.hash (60 x, 60.00%)' titles
	grep -qx 'vfs_write (21 x, 21.00%)' titles
	grep -qx 'VMThread::run (19 x, 19.00%)' titles
}

@test "bpftrace's collapsed stacks are drawn" {
	drawn bpftrace | has -x 'vfs_read (5 x, 5.00%)'
}

@test "tracing-flame's format is drawn in the order of time" {
	drawn tracing-flame --flamechart | diff - <(cat <<-'END'
	all (100,000 x, 100%)
	ThreadId(1)-main (100,000 x, 100.00%)
	 app::load (54,211 x, 54.21%)
	 app::parse (48,211 x, 48.21%)
	 app::load (44,289 x, 44.29%)
	 app::parse (289 x, 0.29%)
	END
	)
}

@test "folding parts and concatenating them draws the same picture" {
	awk -v RS= -v ORS='\n\n' '{ print > ("part" NR % 3) }' "$DATA/demo.perf"
	stackcollapse-perf "$DATA/demo.perf" | flamegraph > whole.svg
	[ -s whole.svg ]
	for part in part0 part1 part2; do
		stackcollapse-perf $part > $part.folded
	done
	cat part?.folded | flamegraph | cmp - whole.svg
	# as workers that read their share from standard input
	printf '%s\n' part? | xargs -P 2 -I{} sh -c 'stackcollapse-perf < {} > {}.out'
	cat part?.out | flamegraph | cmp - whole.svg
}
