load ../helper

@test "the stacks of all threads count, with complete names" {
	stackcollapse-gdb "$DATA/collapse/gdb" | tr ';' '\n' |
		is 4<<-'END'
	clone3
	start_thread
	??
	std::thread::_State_impl<std::thread::_Invoker<std::tuple<main()::<lambda()> > > >::_M_run(void)
	caller(std::function<int (int)>)
	std::function<int (int)>::operator()(int) const
	std::_Function_handler<int(int), (anonymous namespace)::Box>::_M_invoke(const std::_Any_data &, int &&)
	(anonymous namespace)::Box::operator() 1
	main
	std::thread::join()
	__pthread_clockjoin_ex
	__futex_abstimed_wait_common
	<signal handler called>
	onalarm
	burn 1
	END
}

@test "a name ends where the values of its arguments begin" {
	while IFS='|' read -r frame name; do
		printf '#0  %s\n#1  0x0000dead in %s\n\n' "$frame" "$frame"
		echo "$name;$name 1" >> expected
	done > in <<-'END'
	main () at a.c:3|main
	f (s=0x1 "a (b") at a.c:3|f
	?? ()|??
	operator new (sz=4) at new.cc:1|operator new
	A::operator< (this=0x1) at a.cc:1|A::operator<
	A::operator<< <char> (this=0x1) at a.cc:1|A::operator<< <char>
	A::operator-> (this=0x1) at a.cc:1|A::operator->
	A::operator-- (this=0x1) at a.cc:1|A::operator--
	A::operator[] (this=0x1, i=1) at a.cc:1|A::operator[]
	A::operator() <int (int)> (this=0x1) at a.cc:1|A::operator() <int (int)>
	f<int (*)(char)>(int, char) () from /lib/a.so|f<int (*)(char)>(int, char)
	<fn() -> u8 as a::T>::g (self=0x1) at a.rs:1|<fn() -> u8 as a::T>::g
	my_operator<int (int)> (x=1) at a.cc:1|my_operator<int (int)>
	a::b{closure#0} (x=1) at a.rs:1|a::b{closure#0}
	main.(*T).Do (t=0x1) at a.go:1|main.(*T).Do
	operator<< <f (int)> (n=1)|operator<< <f (int)>
	a::operator<< <f (int)> (n=1)|a::operator<< <f (int)>
	cooperator<f (int)> (n=1)|cooperator<f (int)>
	{lambda (int)#1}::operator() (n=1)|{lambda (int)#1}::operator()
	<f (int)>::g (n=1)|<f (int)>::g
	f<a->b (int)> (n=1)|f<a->b (int)>
	unpaired<int (x=1) at a.cc:1|unpaired<int
	a;b (x=1)|a:b
	END
	stackcollapse-gdb in | diff - <(sort expected)
}

@test "a stack goes on in indented lines, and ends at any line but a frame" {
	# a frame may go on in lines that are indented, and have variables
	stackcollapse-gdb <<-'END' | is_line 'main;f 1'
	#0  f (first=0x55d2,
	    last=0x55f0)
	    at sort.c:18
	        i = 3
	No locals.
	#1  0x00005643b5720bdd in main () at a.c:1
	No symbol table info available.
	Backtrace stopped: previous frame inner to this frame (corrupt stack?)
	END
	# frame 0 begins a stack, any line but a frame ends one
	printf '%s\n' '#0  a () at a.c:1' '#1  b () at a.c:1' \
		'#0  c () at a.c:1' 'Thread 1 (LWP 7):' '#0  a () at a.c:1' \
		'#1  b () at a.c:1' '(More stack frames follow...)' \
		'#10 0x1 in c ()' | stackcollapse-gdb | are_lines 'b;a 2' 'c 2'
	# a line that is cut off ends it, too, unless it may belong to a frame
	printf '#0  a () at a.c:1\nThread' | stackcollapse-gdb | diff - <(echo 'a 1')
	printf '#0  a () at a.c:1\n   at' | fails 1 stackcollapse-gdb 2> err |
		diff /dev/null -
}
