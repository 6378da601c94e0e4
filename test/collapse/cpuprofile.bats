load ../helper

# data/collapse/cpuprofile: samples at 5500, 6500, 7700, 8500, 9500 and 10000,
# and the end at 12000.

@test "a sample counts the time until the next one, or 1 with --samples" {
	# a sample counts the time until the next one, the last until the end
	stackcollapse-cpuprofile "$DATA/collapse/cpuprofile" |
		are_lines '(anonymous) 1000' \
			'(anonymous);total 2200' \
			'(anonymous);total;price 800' '(idle) 2000' \
			'(program) 500'
	# --samples counts samples, --lines adds where functions begin
	stackcollapse-cpuprofile --samples --lines "$DATA/collapse/cpuprofile" |
		are_lines '(anonymous):shop.js:1 1' \
			'(anonymous):shop.js:1;total:shop.js:12 2' \
			'(anonymous):shop.js:1;total:shop.js:12;price:shop.js:3 1' \
			'(idle) 1' '(program) 1'
}

# profile MEMBERS: a profile of the functions a, which calls b, and b.
profile() {
	echo '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},' \
		'"children":[7]},{"id":7,"callFrame":{"functionName":"a"},' \
		'"children":[9]},{"id":9,"callFrame":{"functionName":"b"}}],' \
		"$1}"
}

@test "a sample takes until the next one, in the order of times" {
	while IFS='|' read -r members folded; do
		profile "$members" | stackcollapse-cpuprofile |
			diff - <(printf '%b\n' "$folded")
	done <<-'END'
	"startTime":0,"endTime":100,"samples":[7,9,7,9],"timeDeltas":[10,50,-20,30]|a 50\na;b 40
	"startTime":0,"samples":[7,9,9],"timeDeltas":[1,10,20]|a 10\na;b 35
	"startTime":1000,"endTime":2000,"samples":[7,9,9,9]|a 250\na;b 750
	"samples":[7,9,9,9]|a 1\na;b 3
	END
}

@test "the older form, a tree with seconds, has the same result" {
	cat > old <<-'END'
	{"typeId":"CPU","title":"x","head":{"functionName":"(root)","url":"",
	"lineNumber":0,"hitCount":0,"id":1,"children":[{"functionName":"a",
	"url":"http://x/y.js","lineNumber":5,"hitCount":1,"id":2,"children":[
	{"functionName":"b","url":"http://x/y.js","lineNumber":8,"hitCount":3,
	"id":3,"children":[]}]}]},"startTime":10,"endTime":10.004
	END
	{ cat old; echo '}'; } > hits
	stackcollapse-cpuprofile hits | are_lines 'a 1000' 'a;b 3000'
	stackcollapse-cpuprofile --samples --lines hits |
		are_lines 'a:y.js:5 1' 'a:y.js:5;b:y.js:8 3'
	{ cat old; echo ',"samples":[2,3,2],"timestamps":[100,300,700]}'; } > in
	stackcollapse-cpuprofile in | are_lines 'a 500' 'a;b 400'
}

@test "nodes may name their callers, and come in any order" {
	echo '{"nodes":[{"id":3,"parent":2,"callFrame":{"functionName":"b"}},
		{"id":2,"parent":1,"callFrame":{"functionName":"a"}},
		{"id":1,"callFrame":{"functionName":"(root)"}}],
		"samples":[3,1,2,3]}' | stackcollapse-cpuprofile |
		are_lines '(root) 1' 'a 1' 'a;b 2'
}

@test "a profile of memory counts bytes, and is not added to time" {
	cat > heap <<-'END'
	{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,
	"children":[{"callFrame":{"functionName":"a"},"selfSize":16,"id":2,
	"children":[{"callFrame":{"functionName":"b"},"selfSize":1024,"id":3,
	"children":[]}]}]},"samples":[{"size":16,"nodeId":2,"ordinal":1}]}
	END
	stackcollapse-cpuprofile heap | are_lines 'a 16' 'a;b 1024'
	fails 1 stackcollapse-cpuprofile "$DATA/collapse/cpuprofile" heap \
		2>&1 > out | is_line 'stackcollapse-cpuprofile: heap: it' \
			'counts bytes, but the files before it count time'
	[ "$(wc -l < out)" -eq 5 ]
}

@test "names keep to their frame" {
	profile '"samples":[9]' |
		sed 's/"b"/"b;c\\nd \\u00e9"/; s/"a"/""/' |
		stackcollapse-cpuprofile | is_line '(anonymous);b:c_d é 1'
}

# refused REASON: the reason with which standard input is refused.
refused() {
	fails 1 stackcollapse-cpuprofile 2>&1 |
		is_line "stackcollapse-cpuprofile: standard input: $1"
}

@test "damage is reported" {
	while IFS='|' read -r change message; do
		profile '"samples":[9]' | sed "$change" |
			refused "it is damaged: $message"
	done <<-'END'
	s/"id":9/"id":7/|two nodes have the same number
	s/\[7\]/[7,9]/|two nodes call the same one
	s/{"functionName":"b"}/&,"children":[7]/; s/\[7\]/[]/|a node is its own caller
	END
	echo '{"a":1}' |
		refused 'it is not a profile of Node.js or Chrome, but other JSON'
	profile '"samples":[9,8,1e300,null,-1,9.0]' |
		fails 1 stackcollapse-cpuprofile 2> err | is_line 'a;b 2'
	is_line 'stackcollapse-cpuprofile: samples that refer to a' \
		'missing node, left out: 4' < err
	profile '"samples":[9,7],"timeDeltas":[4],"startTime":0,"endTime":5' |
		fails 1 stackcollapse-cpuprofile 2> err | is_line 'a;b 1'
	is_line 'stackcollapse-cpuprofile: samples without a time,' \
		'left out: 1' < err
}

@test "stacks of more than 4,096 frames lose their roots, and time is linear" {
	awk 'BEGIN {
		printf "{\"nodes\":["
		for (i = 1; i <= 100000; i++)
			printf "%s{\"id\":%d,\"parent\":%d,\"callFrame\":" \
				"{\"functionName\":\"f\"}}", (i > 1 ? "," : ""), \
				i, i - 1
		print "],\"samples\":[100000]}"
	}' > deep
	timeout 60 "$BIN"/stackcollapse-cpuprofile deep > out 2> err
	is_line 'stackcollapse-cpuprofile: stacks of more than 4,096' \
		'frames, cut off at their root: 1' < err
	[ "$(tr -dc f < out | wc -c)" -eq 4096 ]
}

@test "profiles of Node.js fold to the sums that Python finds" {
	command -v node > /dev/null || skip 'install nodejs'
	command -v python3 > /dev/null || skip 'install python3'
	echo 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	fib(30);' > app.js
	node --cpu-prof --cpu-prof-name=a.cpuprofile app.js ||
		skip 'a Node.js without --cpu-prof'
	python3 -S - > expected <<-'END'
	import collections, itertools, json
	profile = json.load(open("a.cpuprofile"))
	roots, stacks, sums = {}, {}, collections.Counter()
	for node in profile["nodes"]:
	    stack = stacks[node["id"]] = roots.get(node["id"], "") + (
	        node["callFrame"]["functionName"] or "(anonymous)")
	    for child in node.get("children", ()):
	        roots[child] = stack + ";" if stack != "(root)" else ""
	times = itertools.accumulate([profile["startTime"]] + profile["timeDeltas"])
	taken = sorted(zip(list(times)[1:], profile["samples"]), key=lambda s: s[0])
	for (time, id), (end, _) in zip(taken, taken[1:] + [(profile["endTime"], 0)]):
	    sums[stacks[id]] += end - time
	print("\n".join(f"{stack} {time}" for stack, time in sums.items() if time))
	END
	gzip a.cpuprofile
	stackcollapse a.cpuprofile.gz | diff - <(sort expected)
	grep -q ';fib [0-9]' expected
}

@test "--in-order keeps the order of time, until the end of the profile" {
	stackcollapse-cpuprofile --in-order "$DATA/collapse/cpuprofile" |
		is 4<<-'END'
		(root) 500
		(root);(anonymous) 1000
		(root);(anonymous);total 1200
		(root);(anonymous);total;price 800
		(root);(anonymous);total 1000
		(root);(program) 500
		(root);(idle) 2000
		END
}

@test "--in-order needs samples with times" {
	node='{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}]'
	for rest in ',"samples":[1,1]}' '}'; do
		echo "$node$rest" | fails 1 stackcollapse-cpuprofile --in-order \
			2>&1 | has 'no times, which --in-order needs'
	done
	fails 2 stackcollapse-cpuprofile --in-order --samples 2>&1 |
		has -e '--samples cannot be combined with --in-order'
}
