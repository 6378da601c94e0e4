load ../helper
load recording

# Recordings of Android's simpleperf, with the functions that it stores in them.
# AOSP's own perf_display_bitmaps.data has the stacks of its perf_display_bitmaps
# .perf-script; what hides a frame is in simpleperf's report_utils.cpp.

# phone FILE...: maps of an app, with those files' functions; it has samples of a
# thread, 7 of an ELF file's function, at 0x150 of 0x100, and so on.
phone() {
	printf 'file%s\n' "$@"
	cat <<-END
	machine aarch64
	release 4.14-android
	meta event_type_info=cpu-clock:u,1,0/sched:sched_switch,2,45
	event cpu-cycles 1 0 ip,tid,time,id,period,chain,all 1
	kernel 0 0xffffffffffffffff 0 [kernel.kallsyms]
	comm 5 5 app
	map 5 5 0x10000 0x4000 0x1000 /system/lib64/libc.so
	map 5 5 0x20000 0x4000 0x1000 /apex/lib64/libart.so
	map 5 5 0x30000 0x4000 0x0 /data/app/base.vdex
	jit 5 5 0x40000 0x100 0x40000 /data/app/x_jit_app_cache:0-256
	jit 5 5 0x40100 0x100 0x40100 /data/app/x_jit_app_cache:256-512
	map 5 5 0x50000 0x4000 0x3000 /system/lib64/libold.so
	END
}

@test "functions come from the recording, by their kinds of files" {
	local names=' 0x4140 0x20 _ZN3foo3barEi 0x4160 0x10 read'
	for two in '' 2; do
		folds <<-END
		$(phone "$two 2 0x4100 0x1100 /system/lib64/libc.so$names" \
		    "$two 3 0 - /data/app/base.vdex 0x200 0x40 java.util.Map.get" \
		    "$two 2 0x0 0x0 /data/app/x_jit_app_cache:0-256 0x40000 0x80 a.B.run" \
		    "$two 0 0 - [kernel.kallsyms] 0xffffff8008080000 0x100 do_work" \
		    "$two 2 0x700 - /system/lib64/libold.so 0x700 0x20 old")
		kernel 0xffffff9000000000 0x10000 0 /vendor/wlan.ko
		sample 1 5 5 10 1 u u: 0x10150
		sample 1 5 5 11 2 u u: 0x10160 0x10170
		sample 1 5 5 12 4 u u: 0x30210
		sample 1 5 5 13 8 u u: 0x40010
		sample 1 5 5 14 16 u u: 0x40110
		sample 1 5 5 15 32 k k: 0xffffff8008080010 0xffffff8008090010 0xffffff9000000110
		sample 1 5 5 16 64 u u: 0x50010
		round
		$ --jit --kernel
		app;[[JIT app cache]] 16
		app;[[wlan]]_[k];[[kernel.kallsyms]]_[k];do_work_[k] 32
		app;[libc.so];read 2
		app;a.B.run_[j] 8
		app;foo::bar 1
		app;java.util.Map.get 4
		app;old 64
		! perf.data: recorded on another machine (4.14-android aarch64), so names of this one are used for files with a recorded build id only; --kallsyms and --symfs tell where others are
		END
	done
}

@test "frames of Android's runtime around Java methods are hidden" {
	local start=0x10000 call=0x10010
	local invoke=0x20000 execute=0x20010 wait=0x20020 bridge=0x20030
	local run=0x30000 method=0x30010 compiled=0x40000
	local runtime='0 0x10 Invoke 0x10 0x10 Execute 0x20 0x10 Wait'
	# each function is 16 bytes long
	folds <<-END
	$(phone " 2 0 0x1000 /apex/lib64/libart.so $runtime 0x30 0x10 art_jni_trampoline" \
	    " 3 0 - /data/app/base.vdex 0 0x10 a.B.run 0x10 0x10 a.B.call" \
	    " 2 0 0 /data/app/x_jit_app_cache:0-256 0x40000 0x10 a.B.call" \
	    " 2 0 0x1000 /system/lib64/libc.so 0 0x10 start 0x10 0x10 syscall")
	# on both sides of a method, up to native code
	sample 1 5 5 10 1 u u: $execute $invoke $run $execute $invoke $start
	# the runtime alone stays, and what is called through native code
	sample 1 5 5 11 2 u u: $execute $invoke $start
	sample 1 5 5 12 4 u u: $wait $call $execute $run $start
	# what a trampoline calls stays
	sample 1 5 5 13 8 u u: $call $wait $wait $bridge $run $invoke $start
	# a method's compiled code is the method, unless another one called it
	sample 1 5 5 14 16 u u: $compiled $invoke $method $start
	sample 1 5 5 15 32 u u: $compiled $run $start
	sample 1 5 5 16 64 u u: $compiled $invoke $compiled $start
	sample 1 5 5 17 128 u u: $method $invoke $method $start
	round
	$ --quiet
	app;start;Invoke;Execute 2
	app;start;a.B.call 16
	app;start;a.B.call;a.B.call 192
	app;start;a.B.run 1
	app;start;a.B.run;Wait;syscall 8
	app;start;a.B.run;a.B.call 32
	app;start;a.B.run;syscall;Wait 4
	END
}

@test "a stack of simpleperf may be deeper than perf's" {
	{
		phone ' 2 0 0x1000 /system/lib64/libc.so 0 0x10 start'
		echo "sample 1 5 5 10 1 u u: $(seq -s ' ' 65536 65735)"
	} | record > perf.data
	stackcollapse-perf perf.data 2> /dev/null | tr ';' '\n' | grep -c start |
		is_line 16
	stackcollapse-perf perf.data 2> /dev/null | tr -cd ';' | wc -c |
		diff -b <(echo 200) -
	stackcollapse-perf --max-stack 20 perf.data 2> /dev/null |
		tr -cd ';' | wc -c | diff -b <(echo 20) -
}

@test "events have simpleperf's names" {
	folds <<-END
	meta event_type_info=cpu-clock:u,1,0/sched:sched_switch,2,45
	event x 1 0 ip,tid,time,id,period,chain,all 1
	event y 2 45 ip,tid,time,id,period,chain,all 2
	event z 0 3 ip,tid,time,id,period,chain,all 3
	sample 1 5 5 10 7 u u: 0x10
	sample 2 5 5 11 7 u u: 0x10
	sample 3 5 5 12 7 u u: 0x10
	$ --each-event
	cache-misses;:5;[unknown] 7
	cpu-clock:u;:5;[unknown] 7
	sched:sched_switch;:5;[unknown] 1
	END
}

@test "a record of simpleperf may be larger than others" {
	# 0x10008 bytes, of which its misc has the upper half; five exceed a block
	{
		phone ' 2 0 0x1000 /system/lib64/libc.so 0x100 0x80 read'
		echo 'sample 1 5 5 10 1 u u: 0x10150'
		for i in 1 2 3 4 5; do
			echo 'bytes 0980000001000800'
			printf 'bytes %016x\n' $(seq $((0x10000 / 8)))
		done
		echo 'sample 1 5 5 11 2 u u: 0x10150'
	} | record > perf.data
	stackcollapse-perf --no-unit perf.data 2> err | is_line 'app;read 3'
	fails 1 grep -E 'damaged|cut off' err
	head -c 20000 perf.data > short
	fails 1 stackcollapse-perf --no-unit short 2> err |
		is_line 'app;[libc.so] 1'
	has 'short is cut off; bytes' err
	# in a pipe, or where a damaged size reaches beyond the end
	for options in pipe ''; do
		{
			echo $options
			phone ' 2 0 0x1000 /system/lib64/libc.so 0x100 0x80 read'
			echo 'sample 1 5 5 10 1 u u: 0x10150'
			echo 'bytes 0980000001001000'
			echo 'sample 1 5 5 11 2 u u: 0x10150'
		} | record > perf.data
		fails 1 stackcollapse-perf --no-unit perf.data 2> err |
			has ';.* 1$'
		has 'perf.data is cut off; bytes' err
	done
	# other types that are not known are as long as their headers say
	folds <<-'END'
	comm 5 5 app
	bytes 0980000a02001000
	bytes 0000000000000000
	sample 1 5 5 10 7 u u: 0x10
	$
	app;[unknown] 7
	END
}

@test "formats of tracepoints may be in their record" {
	for size in 04 08 0c; do
		folds <<-END
		comm 5 5 app
		record 66 0 ${size}000000ffffffffffffffffffffffff
		sample 1 5 5 10 1 u u: 0x10
		$
		app;[unknown] 1
		END
	done
}

@test "functions that are cut off, or make no sense, are left out" {
	{
		phone '2 2 0x100 0x1100 /system/lib64/libc.so 0x150 0x10 read'
		echo 'sample 1 5 5 10 1 u u: 0x10150'
	} | record > perf.data
	stackcollapse-perf --no-unit perf.data 2> err | is_line 'app;read 1'
	fails 1 has 'its header' err
	# the section is the last one; its first four bytes are a size
	size=$(wc -c < perf.data)
	start=$(grep -abo '/system/lib64/libc.so' perf.data | tail -n 1 |
		sed 's/:.*//')
	for i in $(seq 1 7 $((size - start))); do
		head -c $((size - i)) perf.data > short
		fails 1 stackcollapse-perf --no-unit short 2> err |
			is_line 'app;[libc.so] 1'
		has 'short: parts of its header are cut off' err
	done
	for byte in '\200' '\377'; do
		cp perf.data odd
		printf "$byte" |
			dd of=odd bs=1 seek=$((start - 1)) conv=notrunc status=none
		fails 1 stackcollapse-perf --no-unit odd 2> err |
			is_line 'app;[libc.so] 1'
		has 'odd: parts of its header are cut off' err
	done
}
