load ../helper

# thread NAME STATE METHOD...: a thread of a dump.
thread() {
	printf '"%s" #12 prio=5 nid=0xe3c\n   java.lang.Thread.State: %s\n' \
		"$1" "$2"
	shift 2
	[ $# -eq 0 ] || printf '\tat %s(java.base@17/A.java:7)\n' "$@"
	echo
}

@test "running threads count, waiting ones and Java's own do not" {
	stackcollapse-jstack "$DATA/collapse/jstack" |
		sed 's/;.*;/;/' | are_lines \
		'pool-1-thread;Main.fib 2' \
		'sort "er": x;java.util.ComparableTimSort.mergeLo 1' \
		'stdin;java.io.FileInputStream.readBytes 1'
}

@test "a thread counts in the state RUNNABLE alone, and with a method" {
	{
		thread a RUNNABLE f g
		thread b BLOCKED f
		thread c 'WAITING (on object monitor)' f
		thread d 'TIMED_WAITING (sleeping)' f
		thread e RUNNABLE
		printf '"f" os_prio=0 tid=0x1 nid=0x2 runnable\n\tat f(A:1)\n\n'
		thread g RUNNABLE f g
	} | stackcollapse-jstack | are_lines 'a;g;f 1' 'g;g;f 1'
}

@test "of a thread that carries a virtual one, the stack of that one counts" {
	carrier() {
		printf '"ForkJoinPool-1-worker-%s" #33 daemon nid=0x1 [0x2]\n' "$1"
		printf '   Carrying virtual thread #32\n'
		printf '\tat java.lang.VirtualThread.run(VirtualThread.java:9)\n'
	}
	{
		carrier 1
		printf '   Mounted virtual thread #32\n\tat App.work(A:1)\n'
		printf '\tat App.main(A:1)\n\n'
		carrier 2
		printf '   Mounted virtual thread #34\n'
		printf '\tat jdk.internal.misc.Unsafe.park(U:1)\n\n'
		carrier 3
		echo
		thread ForkJoinPool-1-worker-4 RUNNABLE \
			java.util.concurrent.ForkJoinPool.awaitWork run
		thread VirtualThread-unblocker RUNNABLE run
	} | stackcollapse-jstack |
		is_line 'ForkJoinPool-1-worker;App.main;App.work 1'
}

@test "methods in which threads wait, and names of Java's own threads" {
	while read -r method; do
		thread a RUNNABLE "$method" run
		thread b RUNNABLE "$method.no" run
	done > in <<-'END'
	java.net.PlainSocketImpl.socketAccept
	java.net.SocketInputStream.socketRead0
	java.net.Socket$Impl.accept0
	sun.nio.ch.KQueue.poll
	sun.nio.ch.Net.poll
	sun.nio.ch.Net.accept
	sun.nio.ch.SocketDispatcher.read0
	sun.nio.ch.DatagramDispatcher.read0
	sun.nio.ch.DatagramChannelImpl.receive0
	java.lang.ProcessHandleImpl.waitForProcessExit0
	java.lang.ref.Reference.waitForReferencePendingList
	END
	{
		for method in sun.nio.ch.EPollArrayWrapper.epollWait \
		    sun.nio.ch.EPoll.wait sun.nio.ch.WEPoll.wait; do
			thread a RUNNABLE "$method" run
		done
		for name in 'C2 CompilerThread0' 'C1 CompilerThread9' \
		    'Signal Dispatcher' 'Service Thread' 'Attach Listener'; do
			thread "$name" RUNNABLE run
		done
		thread b RUNNABLE My.accept0 run
		thread 'My CompilerThread' RUNNABLE run
	} >> in
	stackcollapse-jstack in | sed 's/;.* / /' | uniq |
		are_lines 'My CompilerThread 1' 'b 1'
	stackcollapse-jstack --no-include-tname in | wc -l | is_line 13
}

@test "threads lose their number or names, packages all but first letters" {
	# names of threads lose their number, or stay, or are left out
	for name in pool-1-thread-7 'a "b" -x' '-3;4' -7; do
		thread "$name" RUNNABLE f
	done > in
	stackcollapse-jstack in | are_lines '-3:4;f 1' \
		';f 1' 'a "b" -x;f 1' 'pool-1-thread;f 1'
	stackcollapse-jstack --include-tid in | are_lines \
		'-3:4;f 1' '-7;f 1' 'a "b" -x;f 1' 'pool-1-thread-7;f 1'
	stackcollapse-jstack --no-include-tname in | is_line 'f 4'
	# packages are shortened to their first letters
	thread t RUNNABLE f Main.main a.Main.main java.util.Arrays.sort \
		'a_b.$Proxy7.x.C$D.<init>' |
		stackcollapse-jstack --shorten-pkgs |
		is_line 't;a.$P.x.C$D.<init>;j.u.Arrays.sort;a.Main.main;Main.main;f 1'
}

@test "a thread ends where the next one begins" {
	thread a RUNNABLE f | sed '$d' > one
	thread b RUNNABLE f > two
	cat one two | stackcollapse-jstack | are_lines 'a;f 1' 'b;f 1'
}

@test "a dump without threads is a dump, other text is not" {
	echo 'Full thread dump OpenJDK 64-Bit Server VM:' > out.jstack
	fails 1 stackcollapse-jstack out.jstack 2>&1 |
		is_line 'stackcollapse-jstack: no thread was found'
	echo 'Full of threads' > out.jstack
	fails 1 stackcollapse-jstack out.jstack 2>&1 |
		is_line 'stackcollapse-jstack: out.jstack is not what' \
			'jstack prints; it looks like some other text'
}
