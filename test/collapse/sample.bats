load ../helper

# graph LINE...: a call graph of these lines, folded.
graph() {
	{
		echo 'Call graph:'
		printf '    %s\n' "$@"
		echo 'Total number in stack (recursive counted multiple):'
	} | stackcollapse-sample
}

@test "names are complete, samples add up, and waiting ones are left out" {
	root='Thread_15758523   DispatchQueue_1: com.apple.main-thread'
	main="$root;libdyld\`start;app\`main"
	view='-[View(Drawing) draw:]'
	call='std::function<void (int)>::operator()'
	drop='<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop'
	stackcollapse-sample "$DATA/collapse/sample" | is 4<<-END
	$main;app\`$view;app\`$call 300
	$main;app\`$view;app\`$call;app\`$drop 300
	$main;libsystem_kernel\`thread 100
	Thread_15758535;libc++.1\`??? 10
	END
	stackcollapse-sample --no-modules "$DATA/collapse/sample" |
		is 4<<-END
	$root;start;main;$view;$call 300
	$root;start;main;$view;$call;$drop 300
	$root;start;main;thread 100
	Thread_15758535;??? 10
	END
}

@test "a function's own samples count, lines of no call graph are left out" {
	# a function's own samples count, and are never less than none
	graph '10 a' '+ 3 b' '+ 2 c' '7 d' '+ 5 e' '+ 5 f' |
		are_lines 'a 5' 'a;b 3' 'a;c 2' 'd;e 5' 'd;f 5'
	# lines that are none of the call graph are left out, with a warning
	fails 1 graph '4 a' '  3 b' '      2 c' '   3 d' ' 1 e' '+ x f' '+ 9g' \
		2> err | are_lines 'a 1' 'a;b 3'
	diff err - <<-'END'
	stackcollapse-sample: damaged lines, left out: 5; the first is line 4 of standard input
	END
}

@test "waiting calls are recognized in the kernel's library only" {
	for call in __psynch_cvwait __select __semwait_signal __ulock_wait \
	    __wait4 __workq_kernreturn kevent mach_msg2_trap mach_msg_trap \
	    read semaphore_wait_trap; do
		graph '3 a' "  2 $call  (in libsystem_kernel.dylib) + 8" |
			is_line 'a 1'
		graph '3 a' "  3 $call  (in app) + 8" | is_line "a;app\`$call 3"
		graph '3 a' "  3 x$call  (in libsystem_kernel.dylib) + 8" |
			is_line "a;libsystem_kernel\`x$call 3"
	done
}

@test "a Rust name loses its hash and escapes" {
	hash=h0123456789abcdef
	while IFS='|' read -r name is; do
		graph "1 $name" | is_line "$is 1"
	done <<-END
	a::b::$hash|a::b
	_\$LT\$\$RF\$a..B\$u20\$as\$u20\$c\$GT\$::r::$hash|<&a::B as c>::r
	a::_\$u7b\$\$u7b\$closure\$u7d\$\$u7d\$::$hash|a::{{closure}}
	a::b\$zz\$c::$hash|a::b\$zz\$c
	a::b::h0123456789abcdeF|a::b::h0123456789abcdeF
	a::h0123|a::h0123
	_\$LT\$x|_\$LT\$x
	END
}
