load ../helper

@test "times are milliseconds, rounded, of functions that have some" {
	root='[Unknown]`Total;ntdll.dll`RtlUserThreadStart;app.exe`main'
	stackcollapse-vtune "$DATA/collapse/vtune" | is 4<<-END
	$root 15
	$root;app.exe\`sort<int, char> 121
	$root;app.exe\`sort<int, char>;app.exe\`less<int, char> 30
	$root;ucrtbase.dll\`fread 1500
	END
	stackcollapse-vtune --no-modules "$DATA/collapse/vtune" |
		grep -x 'Total;RtlUserThreadStart;main;fread 1500'
}

@test "columns are known by their titles, whatever parts them" {
	for tab in ',' ';' '	'; do
		tr '|' "$tab" <<-'END' | stackcollapse-vtune |
		"Function Stack"|Module|CPU Time:Total|CPU Time:Effective Time:Self|CPU Time:Spin Time:Self
		Total||1.0|0|7
		 main|app|1.0|.5|7
		  "f<a b>"|app|1.0|1.|7
		END
			are_lines 'Total;app`main 500' \
			'Total;app`main;app`f<a b> 1000'
	done
}

@test "of memory, allocations count, or bytes" {
	cat > mc.csv <<-'END'
	war: Column filter is ON.
	Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module
	Total,0,0,0,
	 main,100,,2,app.exe
	  "f<int, char>",2048,10,3,app.exe
	  h,,5,,lib.so
	   k,7,5,1,lib.so
	END
	stackcollapse-vtune mc.csv | are_lines \
		'Total();main(app.exe) 2' \
		'Total();main(app.exe);f<int, char>(app.exe) 3' \
		'Total();main(app.exe);h(lib.so);k(lib.so) 1'
	stackcollapse-vtune --size mc.csv | are_lines \
		'Total();main(app.exe) 100' \
		'Total();main(app.exe);f<int, char>(app.exe) 2048' \
		'Total();main(app.exe);h(lib.so);k(lib.so) 7'
	stackcollapse-vtune --size --no-modules mc.csv |
		grep -x 'Total;main;h;k 7'
}

@test "a row that is damaged is left out, with a warning" {
	printf '%s\n' 'Function Stack,CPU Time:Self,Module' 'a,1.0,m' \
		'  skipped,1.0,m' ' b,x,m' ' b,1e,m' ' b,.,m' ' b,-1,m' ',1,m' \
		' b,1x,m' ' b,1.x,m' ' b,1.2.3,m' \
		' c,99999999999999999999,m' ' d,2' |
		fails 1 stackcollapse-vtune 2> err |
		are_lines 'm`a 1000' 'm`a;d 2000'
	diff err - <<-'END'
	stackcollapse-vtune: damaged lines, left out: 10; the first is line 3 of standard input
	END
	printf '%s\n' 'Function Stack,Allocations:Self' a,x b,1 |
		fails 1 stackcollapse-vtune 2> err | is_line b 1
	has 'left out: 1; the first is line 2' err
	printf '%s\n' 'Function Stack,CPU Time:Self' a,.0005 b,5. \
		c,1.00049 d,9223372036854775 e,00.9996 '"a"b;c",1' |
		stackcollapse-vtune | are_lines 'a 1' \
		'a"b:c 1000' 'b 5000' 'c 1000' 'd 9223372036854775000' 'e 1000'
}

@test "a report without the counted column is recognized, and refused" {
	echo 'Function Stack,Module' > in.csv
	fails 1 stackcollapse-vtune in.csv 2>&1 |
		is_line 'stackcollapse-vtune: in.csv: it has no stack with a' \
		'count as the man page shows it; it looks like a call tree of VTune'
}

@test "blanks in front of a name tell its level in its report" {
	# blanks in front of a name tell its level in quotation marks, too
	stackcollapse-vtune <<-'END' | are_lines \
		'a;b 2000' 'a;b;c 3000' 'a;d 4000'
	Function Stack,CPU Time:Self
	a,0
	" b",2
	"  c",3
	 "d",4
	END
	# the first row of a report is of no row before
	printf '%s\n' 'Function Stack,CPU Time:Self' a,1 ' b,2' \
		'Function Stack,CPU Time:Self' ' c,4' d,8 |
		fails 1 stackcollapse-vtune 2> err |
		are_lines 'a 1000' 'a;b 2000' 'd 8000'
	has 'left out: 1; the first is line 5' err
}
