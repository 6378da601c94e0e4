load ../helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cat > in.folded <<-'END'
	main;a;x 40
	main;a;y 20
	main;b;a;x 10
	main;b 20
	other 10
	END
	cat > diff.folded <<-'END'
	main;parse;read 600 100
	main;scan;read 100 590
	main;work 1000 1300
	main;parse 100 105
	main;scan 90 102
	main;gone 50 0
	main;new 0 60
	END
}

# columns NUMBER...: these of tab-separated values, without the first line.
columns() {
	sed 1d | cut -f "$(IFS=,; echo "$*")" | tr '\t' ' '
}

# in_terminal COLUMNS COMMAND: what the command prints on a terminal.
in_terminal() {
	script -qec true /dev/null > /dev/null 2>&1 ||
		skip 'no script, or no pseudo terminals here'
	script -qec "stty cols $1; $2" /dev/null < /dev/null | tr -d '\r'
}

@test "a byte order mark is skipped, and Austin's binary form is named" {
	# Austin's binary form is told, and what converts it
	printf 'MOJ\003m\000' | fails 1 foldedtop 2>&1 | has mojo2austin
	# a byte order mark before folded text is skipped, and before perf's
	printf '\357\273\277main;read 3\n' > marked
	stackcollapse-perf marked | is_line 'main;read 3'
	difffolded marked marked | is_line 'main;read 3 3'
	foldedtop marked | has ' read$'
	{ printf '\357\273\277' && cat "$DATA/demo.perf"; } > marked
	stackcollapse-perf marked |
		cmp - <(stackcollapse-perf "$DATA/demo.perf")
}

@test "functions are listed with self and total, in per cent and counts" {
	foldedtop in.folded | is 4<<-'END'
	100 in 5 stacks, 6 functions
	 self%  self  total%  total  stacks  function
	50.00%    50  50.00%     50       2  x
	20.00%    20  30.00%     30       2  b
	20.00%    20  20.00%     20       1  y
	10.00%    10  10.00%     10       1  other
	 0.00%     0  90.00%     90       4  main
	 0.00%     0  70.00%     70       3  a
	END
	# a function that calls itself counts once in a stack
	printf '%s\n' 'f;g;f;f 30' 'f;f 20' 'g 50' | foldedtop --tsv |
		columns 1 3 5 6 | are_lines '50 80 2 g' '50 50 2 f'
}

# What each line says, added up in awk.
added_up() {
	awk '{
		count = $NF
		sub(/ [0-9.]*$/, "")
		depth = split($0, names, ";")
		self[names[depth]] += count
		split("", seen)
		for (i = 1; i <= depth; i++)
			if (!(names[i] in seen)) {
				seen[names[i]]
				total[names[i]] += count
				stacks[names[i]]++
			}
	}
	END {
		for (name in total)
			printf "%.0f %.0f %d %s\n", self[name], total[name],
			    stacks[name], name
	}' "$1" | sort
}

@test "sums cover all lines, in any order and from several files" {
	stackcollapse-perf "$DATA/demo.perf" > demo.folded
	added_up demo.folded > expected
	[ "$(wc -l < expected)" -gt 400 ]
	foldedtop --tsv demo.folded > first
	columns 1 3 5 6 < first | sort | diff expected -
	sort -r demo.folded | foldedtop --tsv | diff first -
	split -l 40 demo.folded part.
	foldedtop --tsv part.* | diff first -
	foldedtop --tsv - < demo.folded | diff first -
}

@test "--sort orders by self, total, stacks or name" {
	names() {
		foldedtop --tsv "$@" in.folded | columns 6 | paste -s -d ' '
	}
	diff - <(names && names --sort=self && names --sort total &&
	    names -sort=stacks && names --sort=name) <<-'END'
	x b y other main a
	x b y other main a
	main a x b y other
	main a x b y other
	a b main other x y
	END
	fails 2 foldedtop --sort=count in.folded 2> err
	grep -q 'foldedtop: option --sort: "count" is not self, total, ' err
}

@test "--lines prints the first functions, 0 all" {
	foldedtop --lines=2 in.folded | is 4<<-'END'
	100 in 5 stacks, 6 functions, the first 2
	 self%  self  total%  total  stacks  function
	50.00%    50  50.00%     50       2  x
	20.00%    20  30.00%     30       2  b
	END
	for i in {100..150}; do
		echo "f$i 1"
	done > many.folded
	[ "$(foldedtop many.folded | wc -l)" -eq 32 ]
	[ "$(foldedtop --lines=0 many.folded | wc -l)" -eq 53 ]
	[ "$(foldedtop --tsv many.folded | wc -l)" -eq 52 ]
	[ "$(foldedtop --tsv --lines=3 many.folded | wc -l)" -eq 4 ]
}

@test "--match hides functions, but the total stays" {
	foldedtop --tsv --match='^[ax]$|the' in.folded | columns 1 2 3 4 6 |
		are_lines '50 50 50 50 x' '10 10 10 10 other' \
			'0 0 70 70 a'
	fails 1 foldedtop --match=q in.folded 2> err
	is_line 'foldedtop: --match: no function matches "q"' < err
	fails 2 foldedtop --match='a(' in.folded 2> err
	grep -q '^foldedtop: option --match: "a(": ' err
}

@test "--under counts functions and their callees" {
	foldedtop --tsv --under='^a$' in.folded | columns 1 2 3 5 6 | diff - \
		<(printf '%s\n' '50 71.4286 50 2 x' '20 28.5714 20 1 y' \
			'0 0 70 3 a')
	# what is called again by what was called is in it
	printf '%s\n' 'p;f;q;f 1' 'q;p 2' | foldedtop --tsv --under=f |
		columns 1 3 6 | are_lines '1 1 f' '0 1 q'
	fails 1 foldedtop --under=z in.folded 2> err
	is_line 'foldedtop: --under: no function matches "z"' < err
}

@test "--callers and --callees are trees, whose chains need numbers once" {
	foldedtop --callers='^a$' --callees='^(a|b)$' in.folded |
	    is 4<<-'END'
	callers of ^a$: 70 of 100, 70.00%
	 total%  total  function
	100.00%     70  a
	 85.71%     60    main
	 14.29%     10    b
	                  main

	callees of ^(a|b)$: 90 of 100, 90.00%
	total%  total   self%  self  function
	66.67%     60                a
	44.44%     40  44.44%    40    x
	22.22%     20  22.22%    20    y
	33.33%     30  22.22%    20  b
	11.11%     10                  a
	               11.11%    10    x
	END
	# --min-share cuts trees
	foldedtop --tsv --callees=main in.folded --min-share=23 |
		columns 2 3 7 | are_lines '0 90 main' '1 60 a' \
			'2 40 x' '1 30 b'
	fails 2 foldedtop --min-share=101 in.folded 2> err
	grep -q 'option --min-share: 101 is not from 0 to 100' err
}

@test "--paths are the hottest stacks, joined where they begin alike" {
	foldedtop --paths --lines=3 in.folded | is 4<<-'END'
	paths: 100 of 100, 100.00%
	total%  total   self%  self  function
	90.00%     90                main
	60.00%     60                  a
	40.00%     40  40.00%    40      x
	20.00%     20  20.00%    20      y
	30.00%     30  20.00%    20    b
	END
	# the same stack on two lines is one
	printf '%s\n' 'a;b 2' 'a;c 3' 'a;b 2' 'd 1' |
		foldedtop --paths --tsv --lines=1 | columns 2 3 5 7 |
		are_lines '0 7 0 a' '1 4 4 b'
}

@test "stacks without a count, or with 0, and comments change nothing" {
	printf '%s\n' 'a;b 0' 'c;; 4' ' 2' ';;; 3' 'x;;y 1' | foldedtop --tsv |
		columns 1 2 3 5 6 | are_lines '4 40 4 1 c' \
			'1 10 1 1 y' '0 0 1 1 ' '0 0 1 1 x'
	printf 'a 1.25\r\nodd\n# c 7\r\nb 2\r\n' | foldedtop --tsv 2> err |
		columns 1 2 6 | are_lines '2 61.5385 b' \
		'1.25 38.4615 a'
	is_line 'Ignored 1 lines with invalid format' < err
}

@test "input without counts is an error, and programs get an empty table" {
	fails 1 foldedtop /dev/null 2> err
	is_line 'foldedtop: /dev/null: it is empty' < err
	echo 'a 0' > zero
	fails 1 foldedtop zero > out 2> err
	is_line 'foldedtop: all counts are 0' < err
	diff /dev/null out
	fails 1 foldedtop --json zero 2> err |
		is_line '{"total":0,"stacks":0,"functions":[]}'
	fails 1 foldedtop --tsv zero 2> err | diff - <(printf '%s\t' self \
		self_percent total total_percent stacks && echo function)
	printf 'some\nlog\n' | fails 1 foldedtop 2> err
	grep -q '^foldedtop: no line is a stack and a count; the input looks' err
	fails 1 foldedtop missing in.folded 2> err | grep -q ' x$'
	is_line 'foldedtop: missing: No such file or directory' < err
}

# Escapes, NUL, a CR and a tab inside of a line, DEL, C1, a turned direction,
# what is no UTF-8, a backslash and a quote.
odd_names() {
	printf '\033]0;\0;\007;\r1;\t2;\1773;\302\2334;\342\200\2565;\3776;\\;" 1\n'
}

@test "names cannot send controls to a terminal" {
	odd_names > odd
	sed 's/$/ 9/' odd > odd.diff
	foldedtop --fail-if='total > 1' odd.diff > out 2>&1 || [ $? -eq 3 ]
	for options in '' --paths --callers=. --tsv --json; do
		foldedtop $options odd >> out
	done
	tr -d '\n\t' < out | LC_ALL=C has '[[:cntrl:]]' && return 1
	has $'\302[\200-\237]\|\342\200\256' < out && return 1
	foldedtop odd | has '	' && return 1
	true
}

@test "TSV and JSON keep such names apart" {
	odd_names > odd
	foldedtop --tsv odd | columns 6 | sort | diff - <(sort <<-'END'
	"
	\\
	\r1
	\t2
	\u007f3
	\u009b4
	\u202e5
	�
	�6
	�]0
	END
	)
	foldedtop --json odd | sed -n 's/.*"name":\(.*\),"self":.*/\1/p' | sort |
	    diff - <(sort <<-'END'
	"\""
	"\\"
	"\u000d1"
	"\u00092"
	"\u007f3"
	"\u009b4"
	"\u202e5"
	"�"
	"�6"
	"�]0"
	END
	)
}

@test "JSON is read by others, with the same numbers" {
	command -v python3 > /dev/null || skip 'install python3'
	odd_names | cat in.folded - > one
	for file in one diff.folded; do
		foldedtop --json --callers=. --callees=. $file |
			python3 -m json.tool
	done > all
	printf 'a 0.1\nb 12345678901234567\nc 0.30000000000000004\n' |
		foldedtop --json | python3 -c 'if True:
		import json, sys
		for f in json.load(sys.stdin)["functions"]:
			print(repr(f["self"]))' | are_lines \
			12345678901234568 0.30000000000000004 0.1
}

@test "on a terminal long names are shortened in their middle" {
	long=ns::very_long_name$(head -c 60 /dev/zero | tr '\0' o)::method
	wide=$(printf '日本%.0s' {1..30})
	echo "main;$long;$wide 5" > long.folded
	in_terminal 70 "'$BIN/foldedtop' long.folded" > out
	diff out - <<-'END'
	5 in 1 stack, 3 functions
	  self%  self   total%  total  stacks  function
	100.00%     5  100.00%      5       1  日本日本日本日..本日本日本日本
	  0.00%     0  100.00%      5       1  main
	  0.00%     0  100.00%      5       1  ns::very_long_n..oooooo::method
	END
	foldedtop long.folded | grep -q -F "  $long"
	in_terminal 20 "'$BIN/foldedtop' --paths long.folded" > out
	grep -q 'ns::ver..:method$' out
}

@test "two counts: changes beyond chance come first" {
	foldedtop diff.folded | is 4<<-'END'
	before 1,940, after 2,257 in 7 stacks, 7 functions
	before  after  points    change  sigma  function

	self, changed beyond chance (3 sigma): 3
	 1,000  1,300   +6.05   +30.00%    6.3  work
	     0     60   +2.66       new    7.7  new
	    50      0   -2.58      gone    7.1  gone

	self, within chance: 4
	    90    102   -0.12   +13.33%    0.9  scan
	   700    690   -5.51    -1.43%    0.3  read
	   100    105   -0.50    +5.00%    0.3  parse
	     0      0   +0.00      none    0.0  main

	moved: other callers, the same total: 1
	   700    690   -5.51    -1.43%    0.3  read
	   100    590  +20.99  +490.00%   18.7    from scan
	   600    100  -26.50   -83.33%   18.9    from parse
	END
	foldedtop --sort=total --noise=10 diff.folded |
		sed -n '/beyond/,/^$/p' | is 4<<-'END'
	total, changed beyond chance (10 sigma): 2
	   190    692  +20.87  +264.21%   16.9  scan
	   700    205  -27.00   -70.71%   16.5  parse

	END
}

# sigmas TEST: reads lines of two counts, and adds the standard error by the
# test of counts, or of shares, of which the sums of self counts are the wholes.
sigmas() {
	awk -v test="$1" '{ before[NR] = $1; after[NR] = $2; wholes += $1 + $2 }
	END {
		for (i = 1; i <= NR; i++) {
			sum = before[i] + after[i]
			variance = test == "counts" ? sum : sum * (1 - sum / wholes)
			size = after[i] - before[i]
			if (variance > 0)
				size = (size < 0 ? -size : size) / sqrt(variance)
			printf "%d %d %.3f\n", before[i], after[i], size
		}
	}'
}

@test "sigma is computed from two counts, or from shares of equal totals" {
	foldedtop --tsv diff.folded | columns 1 2 5 |
		awk '{ printf "%s %s %.3f\n", $1, $2, $3 }' > told
	sigmas counts < told > expected
	diff expected told
	echo 'main;rest 317 0' | cat - diff.folded | foldedtop --tsv |
		columns 1 2 5 | awk '{ printf "%s %s %.3f\n", $1, $2, $3 }' > told
	sigmas shares < told > expected
	diff expected told
}

@test "TSV and JSON have changes, and the callers of functions that moved" {
	foldedtop --tsv diff.folded | head -n 1 | tr '\t' ' ' | is_line \
		self_before self_after self_points self_percent self_sigma \
		total_before total_after total_points total_percent \
		total_sigma stacks fate function
	foldedtop --tsv diff.folded | sed 1d | cut -f 6,7,9,12,13 |
		is 4<<-'END'
	1000	1300	30	changed	work
	0	60		new	new
	50	0	-100	gone	gone
	190	692	264.2105	changed	scan
	700	690	-1.4286	moved	read
	700	205	-70.7143	changed	parse
	1940	2257	16.3402	changed	main
	END
	foldedtop --json --match=read diff.folded | is 4<<-'END'
	{"before":1940,"after":2257,"noise":3,"sigma_unknown":null,"stacks":7,"functions":[
	{"name":"read","self":{"before":700,"after":690,"points":-5.5109,"percent":-1.4286,"sigma":0.2682},"total":{"before":700,"after":690,"points":-5.5109,"percent":-1.4286,"sigma":0.2682},"fate":"moved","stacks":2,"callers":[{"name":"scan","before":100,"after":590,"points":20.9863,"percent":490,"sigma":18.654},{"name":"parse","before":600,"after":100,"points":-26.4972,"percent":-83.3333,"sigma":18.8982}]}
	]}
	END
	printf 'a 7 7\nnew 0 0.5\n' | foldedtop --tsv | columns 4 12 13 |
		diff - <(printf ' new new\n0 same a\n')
	foldedtop --json --match=^new diff.folded |
		grep -q '"after":60,"points":2.6584,"percent":null,"sigma":7.746'
}

@test "a function may move from another one to where nothing calls it" {
	printf '%s\n' 'p;f 600 100' 'f 100 590' 'rest 1 1' > in
	foldedtop in | sed -n '/^moved/,$p' | is 4<<-'END'
	moved: other callers, the same total: 1
	   700    690   -0.00    -1.43%    0.3  f
	   100    590  +71.12  +490.00%   18.7    from nothing
	   600    100  -71.12   -83.33%   18.9    from p
	END
	foldedtop --json in |
		grep -q '"callers":\[{"name":null,"before":100,"after":590,'
}

@test "trees of two counts tell changes" {
	foldedtop --callers='^read$' diff.folded | is 4<<-'END'
	callers of ^read$: before 700 of 1,940, 36.08%, after 690 of 2,257, 30.57%
	before  after  points    change  sigma  function
	   700    690   +0.00    -1.43%    0.3  read
	   600    100  -71.22   -83.33%   18.9    parse
	                                          main
	   100    590  +71.22  +490.00%   18.7    scan
	                                          main
	END
	foldedtop --tsv --callees=main --min-share=20 diff.folded | head -n 2 |
		diff - <(printf '%s\t' tree depth before after points percent \
			sigma && echo function && printf '%s\t' callees 0 1940 \
			2257 0 16.3402 4.8932 && echo main)
	foldedtop --paths --lines=1 diff.folded |
		grep -q '^   600    100 .* read$'
}

@test "where counts are periods that vary, chance is unknown but by --factor" {
	printf '%s\n' 'a 1013 3511.5' 'b 4771.25 2099' 'c 7919 6361' > in
	foldedtop in > out 2> err
	grep -q '^foldedtop: chance is unknown: the counts are periods' err
	sed -n '/self/p; / b$/p' out | is 4<<-'END'
	self, chance is unknown: 3
	 4,771  2,099  -17.29   -56.01%      -  b
	END
	foldedtop --json in | grep -q '"sigma_unknown":"the counts are'
	foldedtop --tsv in | columns 5 | diff - <(printf '\n\n\n')
	foldedtop --factor=0.01 in | grep -q '%    3.2  b$'
	fails 2 foldedtop --factor=0 in 2> err
	fails 2 foldedtop --noise=-1 in 2> err
	fails 2 foldedtop --tsv --json in 2> err
}

@test "--fail-if exits with 3, and prints each function that met the condition" {
	fails 3 foldedtop --fail-if='self > 5% & sigma > 3' diff.folded \
		2> err | grep -q ' work$'
	diff err - <<-'END'
	foldedtop: work: total before 1,000, after 1,300, +300, +6.05 points, +30.00%, 6.3 sigma; self the same
	foldedtop: new: total before 0, after 60, +60, +2.66 points, new, 7.7 sigma; self the same
	END
	foldedtop --fail-if='self > 40% & sigma > 3' --match='^[^n]' \
		diff.folded > out 2> err
	diff /dev/null err
	fails 3 foldedtop --json --fail-if='total > 250%' --match='s|w' \
		diff.folded 2> err > out
	grep -q '"name":"scan".*"fails":true' out
	grep -q '"name":"work".*"fails":false' out
	# however many are printed
	fails 3 foldedtop --lines=1 --fail-if='total < -99%' diff.folded 2>&1 |
		has '^foldedtop: gone: .* gone, 7.1 sigma; self the same$'
	fails 3 foldedtop --under=scan --fail-if='total > 0' diff.folded 2>&1 |
		has '^foldedtop: read: total before 100, after 590, '
}

@test "a condition compares fields, and joins them by & and |" {
	while IFS='=' read -r condition expected; do
		foldedtop --fail-if="$condition" diff.folded 2>&1 > /dev/null |
			awk -F'[ :]' '{ print $3 }' | sort |
			paste -s -d ' ' > told || true
		is_line "${expected# }" < told || echo "$condition" >> wrong
	done <<-'END'
	total > 300 = main scan
	total > 299.5= main scan work
	total<-490= parse
	total > 5 points = scan work
	self > 5points & self > 6.0% = work
	total < -20 points | total-sigma > 18 = parse
	self-sigma > 6 & self < 0 = gone
	sigma > 7 & after > 2% = new parse scan
	before > 50% | after < 1 = gone main work
	before > 699 & after < 691 = parse read
	self > 1000% | self < -50% & sigma > 7.5 = new
	(self > 1000% | self < -50%) & sigma > 7.5 = new
	(((total > 400))) = scan
	sigma > 100 =
	END
	[ ! -e wrong ]
}

@test "an invalid condition is a usage error" {
	for condition in '' total 'total 5' 'total >' 'total > x' 'total > 5% &' \
	    '& total > 5' 'totals > 5' 'total > 5 %%' '(total > 5' 'total > 5)' \
	    'sigma > 3%' 'before > 3 points' 'total > 5% sigma > 3' \
	    'total => 5' 'total > 1e3' "$(printf '(%.0s' {1..200})total > 1"; do
		fails 2 foldedtop --fail-if="$condition" diff.folded > out 2> err
		[[ $(< err) = 'foldedtop: option --fail-if'* ]]
		[ ! -s out ]
	done
	fails 2 foldedtop --fail-if='self > 1 | total > 1 & sigma > 3' \
		diff.folded 2> err
	grep -q 'sigma is ambiguous beside self and total' err
	fails 3 foldedtop --fail-if='self > 1 | total > 1 & self-sigma > 3' \
		diff.folded > out 2> err
}

@test "a gate never passes because input is missing" {
	while IFS='|' read -r lines message options; do
		printf '%b' "$lines" > doubtful
		fails 1 foldedtop --fail-if='total > 1000000' $options \
			doubtful 2> err > out
		[[ $(< err) = *"$message"* ]] || echo "$lines" >> passed
	done <<-'END'
	a 1 2\nb 3 4|a file ends inside a line
	a 1 2\nb 3|a file ends inside a line
	a 1 2\nb|a file ends inside a line
	a 1 2\nb\n|some lines are not stacks and counts
	a 1 2\nb 4\n|some lines have only one count
	a 1\n|no line has two
	|it is empty
	# a 1 2\n|it is empty
	a 0 0\n|all counts are 0
	a 0 2\n|there are no counts before
	a 2 0\n|there are no counts after
	a 2 2\n|no function matches|--match=b
	a 2 2\n|no function matches|--under=b
	a 2 2\n|--callers: no function matches "b"|--callers=b
	;;; 1 2\n|no stack has a frame
	a 1013 3511.5\nb 4771.25 2099\n|number of samples is unknown|--fail-if=sigma>9
	a 1 2\nb 40 200\n|fewer than 100 samples|--fail-if=sigma>1000
	END
	[ ! -e passed ]
	fails 1 foldedtop --fail-if='total > 9' missing diff.folded > out 2> err
	fails 1 foldedtop --fail-if='total > 9' diff.folded /dev/null > out 2> err
	head -c 200 "$BIN/foldedtop" |
		fails 1 foldedtop --fail-if='total > 9' diff.folded - > out 2> err
	gzip -c diff.folded | head -c 30 |
		fails 1 foldedtop --fail-if='total > 9' > out 2> err
	# by way of difffolded
	printf 'a 100\nb 2' > before
	printf 'a 100\nb 200\n' > after
	for files in 'before after' 'after before' 'before missing'; do
		{ difffolded $files 2> err || true; } |
			fails 1 foldedtop --fail-if='total > 1000' > out 2> err
	done
	# the same passes when nothing is missing
	printf 'a 1013 3511.5\nb 4771.25 2099\n' |
		foldedtop --fail-if='total > 1000000' > out
}

@test "deep stacks and many functions take time in proportion" {
	awk 'BEGIN {
		for (i = 0; i < 50000; i++)
			printf "f%d;", i % 5 ? i : 0
		print "f 1"
	}' > deep
	for options in '--callers=^f0 --callees=^f' '--json --paths'; do
		timeout 60 foldedtop --min-share=0 $options deep > out
		[ -s out ]
	done
	awk 'BEGIN { for (i = 0; i < 50000; i++) print "f" i " 1 2" }' |
		timeout 60 foldedtop --lines=0 --fail-if='total > 1' > out 2> err
	diff /dev/null err
}
