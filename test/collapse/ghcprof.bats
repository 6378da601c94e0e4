load ../helper

# The profile of the test data is by GHC 9.0 and +RTS -P.
PROFILE=$DATA/collapse/ghcprof

# table TICKS BYTES COLUMNS: a profile with the rows of standard input.
table() {
	printf '\tWed Nov 25 18:33 2026 %s  (Final)\n\n\t   shop +RTS -P\n\n' \
		'Time and Allocation Profiling Report'
	printf '\ttotal time  =   0.1 secs   (%s ticks @ 1000 us, 1 processor)\n' \
		"$1"
	printf '\ttotal alloc = %s bytes  (excludes profiling overheads)\n\n' \
		"$2"
	printf '%s\n\n' 'COST CENTRE MODULE SRC %time %alloc  ticks  bytes'
	printf '%s\n\n' 'price Main Shop.hs:1:1-3 90.0 80.0  90 80' '' \
		"COST CENTRE  MODULE $3"
	cat
}
counts='SRC no. entries  %time %alloc   %time %alloc  ticks  bytes'
shares='SRC no. entries  %time %alloc   %time %alloc'

@test "ticks and bytes match the table, and add up to the total" {
	# ticks are those of the table, and their sum is the total
	awk 'on && $10 > 0 { print $2 "." $1, $10 } / no\. /{ on = 1 }' \
		"$PROFILE" | sort > expected
	stackcollapse-ghcprof "$PROFILE" > out
	sed 's/.*;//' out | sort | diff expected -
	awk '{ n += $NF } END { print n }' out |
		diff - <(sed -n 's/.*(\([0-9]*\) ticks.*/\1/p' "$PROFILE")
	# bytes are those of the table, and their sum is the total
	stackcollapse-ghcprof --alloc "$PROFILE" |
		awk '{ n += $NF } END { printf "%.0f\n", n }' |
		diff - <(sed -n 's/.*alloc = \(.*\) bytes.*/\1/p' "$PROFILE" |
			tr -d ,)
}

@test "GHC's inherited costs are foldedtop's totals" {
	awk 'on && $8 > 0.1 { print $2 "." $1, $8 } / no\. /{ on = 1 }' \
		"$PROFILE" | sort > expected
	[ "$(wc -l < expected)" -gt 8 ]
	stackcollapse-ghcprof "$PROFILE" | foldedtop --tsv |
		awk -F '\t' '$4 > 0.1 && NR > 1 { printf "%s %.1f\n", $6, $4 }' |
		sed 's,\\\\,\\,' | sort | diff expected -
}

@test "shares are taken of the total, and rounded" {
	table 1747 2000 "$shares" > in <<-'END'
	MAIN     MAIN  <built-in>    150  0   0.0    0.1   100.0  100.0
	 main    Main  Shop.hs:1:1-3 151  1  72.2   99.9   100.0   99.9
	  price  Main  Shop.hs:2:1-3 152  1  27.8    0.0    27.8    0.0
	END
	stackcollapse-ghcprof in | are_lines \
		'MAIN.MAIN;Main.main 1261' 'MAIN.MAIN;Main.main;Main.price 486'
	stackcollapse-ghcprof --alloc in | are_lines \
		'MAIN.MAIN 2' 'MAIN.MAIN;Main.main 1998'
}

@test "a table without sources is read, and sources with blanks" {
	table 9 9 'no. entries  %time %alloc   %time %alloc  ticks  bytes' \
		> in <<-'END'
	MAIN     MAIN   150   0   0.0  0.0   100.0  100.0  0 0
	 main    Main   1511234567890123   1.0  0.0   100.0  100.0  9 0
	END
	stackcollapse-ghcprof in | is_line 'MAIN.MAIN;Main.main 9'
	table 9 9 "$counts" > in <<-'END'
	MAIN     MAIN  <no location info> 150  0  0.0  0.0  100.0  100.0  2 0
	 main    Main  my files/a b.hs:(12,1)-(14,2) 151  1  9.0  0.0  1.0  1.0  7 0
	END
	stackcollapse-ghcprof --lines in | are_lines \
		'MAIN.MAIN 2' 'MAIN.MAIN;Main.main:a b.hs:12 7'
}

@test "--lines separates cost centres of the same name" {
	stackcollapse-ghcprof --lines "$PROFILE" | sed -n 's/.*;//p' |
		grep -x -c -e 'Pricing.rebate:Pricing.hs:7 116' \
		    -e 'Pricing.half:Pricing.hs:9 31' | is_line 2
}

json='{"program":"shop","total_ticks":100,"total_alloc":1200,"cost_centres":[
{"id":150,"label":"MAIN","module":"MAIN","src_loc":"<built-in>","is_caf":false},
{"id":7,"label":"a;b","module":"Main","src_loc":"x/A.hs:3:1-9","is_caf":false}],
"profile":{"id":150,"entries":0,"alloc":200,"ticks":0,"children":[
{"id":7,"entries":1,"alloc":900,"ticks":12,"children":[
{"id":7,"entries":40,"alloc":100,"ticks":80,"children":[]}]},
{"id":7,"entries":40,"alloc":0,"ticks":8,"children":[]}]}}'

@test "JSON is read, packed or not, in any order" {
	expected=('MAIN.MAIN;Main.a:b 20' 'MAIN.MAIN;Main.a:b;Main.a:b 80')
	echo "$json" | stackcollapse-ghcprof | are_lines "${expected[@]}"
	echo "$json" | gzip | stackcollapse | are_lines "${expected[@]}"
	echo "$json" | stackcollapse-ghcprof --alloc --lines |
		are_lines 'MAIN.MAIN 200' \
			'MAIN.MAIN;Main.a:b:A.hs:3 900' \
			'MAIN.MAIN;Main.a:b:A.hs:3;Main.a:b:A.hs:3 100'
	echo '{"profile":{"children":[{"ticks":3,"id":2}],"ticks":4,"id":1},
		"cost_centres":[{"module":"M","id":2,"label":"f"},
		{"label":"g","module":"M","id":1}]}' | stackcollapse-ghcprof |
		are_lines 'M.g 4' 'M.g;M.f 3'
}

@test "for a truncated profile, a message says how much is there" {
	sed -e '$d' -e '/<+>/d' "$PROFILE" > part
	fails 1 stackcollapse-ghcprof part "$PROFILE" 2>&1 > out |
		is_line 'stackcollapse-ghcprof: part: the stacks have' \
			'only 1697 of 1723 ticks; part of the profile is missing'
	[ "$(awk '{ n += $NF } END { print n }' out)" -eq $((1723 + 1697)) ]
	head -n 18 "$PROFILE" > part
	fails 1 stackcollapse-ghcprof part 2>&1 |
		is_line 'stackcollapse-ghcprof: part: it ends before the' \
			'table of stacks'
	printf '%s\n' ' main Main A.hs:1:1-2 9 9 70.0 0.0 90.0 90.0' \
		'MAIN MAIN A.hs:1:1-2 9 9 29.9 0.0 90.0 90.0' > rows
	sed 1d rows | table 1000 9 "$shares" | fails 1 stackcollapse-ghcprof \
		2>&1 > out | has 'only 299 of 1000 ticks'
	tac rows | table 1000 9 "$shares" | stackcollapse-ghcprof 2>&1 > out |
		diff /dev/null -
	echo "$json" | sed 's/:80,/:79,/' | fails 1 stackcollapse-ghcprof 2>&1 \
		> out | has 'only 99 of 100 ticks'
}

@test "rows that are damaged are left out and reported, a profile without ticks, too" {
	table 9 9 "$counts" > in <<-'END'
	MAIN     MAIN  <built-in>   150  0  0.0  0.0  100.0  100.0  9 0
	   far   Main  A.hs:1:1-2   151  0  0.0  0.0  100.0  100.0  3 0
	 few     Main  1.0 2.0 3.0 4.0
	 minus   Main  A.hs:1:1-2   151  0  0.0  0.0  100.0  100.0  -3 0
	END
	fails 1 stackcollapse-ghcprof in 2>&1 > out |
		is_line 'stackcollapse-ghcprof: damaged lines, left out:' \
			'3; the first is line 17 of in'
	is_line 'MAIN.MAIN 9' < out
	table 0 0 "$counts" <<< 'MAIN MAIN <b> 1 0 0.0  0.0  0.0  0.0  0 0' |
		stackcollapse-ghcprof 2>&1 |
		is_line 'stackcollapse-ghcprof: no cost centre has ticks'
	table 9 9 "$shares" <<< 'MAIN MAIN <b> 1 0 100.1  0.0  100.0  100.0' |
		fails 1 stackcollapse-ghcprof 2>&1 | has 'left out: 1'
}

@test "JSON that is damaged, or no profile, is refused" {
	refuses() {
		fails 1 stackcollapse-ghcprof 2>&1 |
			is_line "stackcollapse-ghcprof: standard input: $1"
	}
	echo '{"cost_centres":[]}' |
		refuses 'it is not a profile of GHC, but other JSON'
	echo "${json/\{\"id\":7,\"entries\":1/\{\"id\":8,\"entries\":1}" |
		refuses 'it is damaged: a stack refers to a missing cost centre'
	echo "${json%????}" | refuses \
		'it is damaged at byte 474: it ends too early'
}
