load ../helper

# data/collapse/cpuprofile: samples at 5500, 6500, 7700, 8500, 9500 and 10000,
# and the end at 12000.

@test "example: a picture of what Node.js did" {
	cp "$DATA/collapse/cpuprofile" shop.cpuprofile
	stackcollapse-cpuprofile shop.cpuprofile |
		flamegraph --countname=us > out.svg
	grep -q '<title>total (3,000 us, 46.15%)' out.svg
}

@test "example: without the time in which it waited" {
	cp "$DATA/collapse/cpuprofile" shop.cpuprofile
	stackcollapse-cpuprofile shop.cpuprofile | grep -v '^(idle)' |
		diff - <(printf '%s\n' '(anonymous) 1000' \
			'(anonymous);total 2200' \
			'(anonymous);total;price 800' '(program) 500')
}

@test "a sample counts the time until the next one, the last until the end" {
	stackcollapse-cpuprofile "$DATA/collapse/cpuprofile" |
		diff - <(printf '%s\n' '(anonymous) 1000' \
			'(anonymous);total 2200' \
			'(anonymous);total;price 800' '(idle) 2000' \
			'(program) 500')
}

@test "--samples counts samples, --lines adds where functions begin" {
	stackcollapse-cpuprofile --samples --lines "$DATA/collapse/cpuprofile" |
		diff - <(printf '%s\n' '(anonymous):shop.js:1 1' \
			'(anonymous):shop.js:1;total:shop.js:12 2' \
			'(anonymous):shop.js:1;total:shop.js:12;price:shop.js:3 1' \
			'(idle) 1' '(program) 1')
}

# profile MEMBERS: a profile of the functions a, which calls b, and b.
profile() {
	echo '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},' \
		'"children":[7]},{"id":7,"callFrame":{"functionName":"a"},' \
		'"children":[9]},{"id":9,"callFrame":{"functionName":"b"}}],' \
		"$1}"
}

@test "samples count in the order of their times, which deltas may turn" {
	profile '"startTime":0,"endTime":100,"samples":[7,9,7,9],
		"timeDeltas":[10,50,-20,30]' > in
	# at 10, 40, 60, 70
	stackcollapse-cpuprofile in | diff - <(printf '%s\n' 'a 50' 'a;b 40')
}

@test "without an end the last sample takes as long as the others" {
	profile '"startTime":0,"samples":[7,9,9],"timeDeltas":[1,10,20]' |
		stackcollapse-cpuprofile |
		diff - <(printf '%s\n' 'a 10' 'a;b 35')
}

@test "without times samples share that of the profile, or are counted" {
	profile '"startTime":1000,"endTime":2000,"samples":[7,9,9,9]' |
		stackcollapse-cpuprofile |
		diff - <(printf '%s\n' 'a 250' 'a;b 750')
	profile '"samples":[7,9,9,9]' | stackcollapse-cpuprofile |
		diff - <(printf '%s\n' 'a 1' 'a;b 3')
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
	stackcollapse-cpuprofile hits |
		diff - <(printf '%s\n' 'a 1000' 'a;b 3000')
	stackcollapse-cpuprofile --samples --lines hits |
		diff - <(printf '%s\n' 'a:y.js:5 1' 'a:y.js:5;b:y.js:8 3')
	{ cat old; echo ',"samples":[2,3,2],"timestamps":[100,300,700]}'; } > in
	stackcollapse-cpuprofile in |
		diff - <(printf '%s\n' 'a 500' 'a;b 400')
}

@test "nodes may name their callers, and come in any order" {
	echo '{"nodes":[{"id":3,"parent":2,"callFrame":{"functionName":"b"}},
		{"id":2,"parent":1,"callFrame":{"functionName":"a"}},
		{"id":1,"callFrame":{"functionName":"(root)"}}],
		"samples":[3,1,2,3]}' | stackcollapse-cpuprofile |
		diff - <(printf '%s\n' '(root) 1' 'a 1' 'a;b 2')
}

@test "a profile of memory counts bytes, and is not added to time" {
	cat > heap <<-'END'
	{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,
	"children":[{"callFrame":{"functionName":"a"},"selfSize":16,"id":2,
	"children":[{"callFrame":{"functionName":"b"},"selfSize":1024,"id":3,
	"children":[]}]}]},"samples":[{"size":16,"nodeId":2,"ordinal":1}]}
	END
	stackcollapse-cpuprofile heap |
		diff - <(printf '%s\n' 'a 16' 'a;b 1024')
	fails 1 stackcollapse-cpuprofile "$DATA/collapse/cpuprofile" heap \
		2>&1 > out | diff - <(echo 'stackcollapse-cpuprofile: heap: it' \
			'counts bytes, not time as those before')
	[ "$(wc -l < out)" -eq 5 ]
}

@test "names keep to their frame" {
	profile '"samples":[9]' |
		sed 's/"b"/"b;c\\nd \\u00e9"/; s/"a"/""/' |
		stackcollapse-cpuprofile |
		diff - <(echo '(anonymous);b:c_d é 1')
}

# refused REASON: the reason with which standard input is refused.
refused() {
	fails 1 stackcollapse-cpuprofile 2>&1 |
		diff - <(echo "stackcollapse-cpuprofile: standard input: $1")
}

@test "damage is told" {
	profile '"samples":[9]' | sed 's/"id":9/"id":7/' |
		refused 'it is damaged: two nodes have the same number'
	profile '"samples":[9]' | sed 's/\[7\]/[7,9]/' |
		refused 'it is damaged: two nodes call the same one'
	profile '"samples":[9]' | sed 's/{"functionName":"b"}/&,"children":[7]/;
		s/\[7\]/[]/' | refused 'it is damaged: a node is its own caller'
	profile '"samples":[9],' | head -c 100 |
		refused 'it is damaged at byte 100: it ends too early'
	echo '{"a":1}' |
		refused 'it is not a profile of Node.js or Chrome, but other JSON'
	profile '"samples":[9,8,1e300,null,-1,9.0]' |
		stackcollapse-cpuprofile 2> err | diff - <(echo 'a;b 2')
	diff err <(echo 'stackcollapse-cpuprofile: samples of a node that is' \
		'not there, left out: 4')
	profile '"samples":[9,7],"timeDeltas":[4],"startTime":0,"endTime":5' |
		stackcollapse-cpuprofile 2> err | diff - <(echo 'a;b 1')
	diff err <(echo 'stackcollapse-cpuprofile: samples without a time,' \
		'left out: 1')
}

@test "stacks of more than 4,096 frames lose their roots, and time is linear" {
	awk 'BEGIN {
		printf "{\"nodes\":["
		for (i = 1; i <= 300000; i++)
			printf "%s{\"id\":%d,\"parent\":%d,\"callFrame\":" \
				"{\"functionName\":\"f\"}}", (i > 1 ? "," : ""), \
				i, i - 1
		print "],\"samples\":[300000]}"
	}' > deep
	timeout 20 "$BIN"/stackcollapse-cpuprofile deep > out 2> err
	diff err <(echo 'stackcollapse-cpuprofile: stacks of more than 4,096' \
		'frames, cut off at their root: 1')
	[ "$(tr -dc f < out | wc -c)" -eq 4096 ]
}

# sums FILE [samples]: what another program makes of a profile, by its times.
sums() {
	python3 - "$@" <<-'END'
	import json, sys
	profile = json.load(open(sys.argv[1]))
	nodes = {node['id']: node for node in profile['nodes']}
	parent = {child: node['id'] for node in profile['nodes']
	          for child in node.get('children', [])}
	at = [profile['startTime']]
	for delta in profile['timeDeltas']:
	    at.append(at[-1] + delta)
	taken = sorted(zip(at[1:], range(len(at))))
	ends = [time for time, i in taken[1:]] + [profile['endTime']]
	own = {}
	for (time, i), end in zip(taken, ends):
	    id = profile['samples'][i]
	    own[id] = own.get(id, 0) + (1 if sys.argv[2:] else end - time)
	stacks = {}
	for id, time in own.items():
	    names = []
	    while id in parent:
	        names.append(nodes[id]['callFrame']['functionName'] or
	                     '(anonymous)')
	        id = parent[id]
	    stack = ';'.join(reversed(names)) or '(root)'
	    stacks[stack] = stacks.get(stack, 0) + time
	for stack, time in stacks.items():
	    if time:
	        print(stack, time)
	END
}

@test "what Node.js writes folds to the sums that Python finds" {
	command -v node > /dev/null || skip 'no Node.js'
	command -v python3 > /dev/null || skip 'no Python'
	cat > app.js <<-'END'
	function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	const sort = () => Array.from({ length: 100000 },
	    (_, i) => i * 7919 % 10007).sort((a, b) => a - b);
	class Shop {
		price(i) { return Math.sqrt(i) * JSON.stringify({ i }).length; }
		total(n) { return n ? this.price(n) + this.total(n - 1) : 0; }
	}
	fib(30);
	sort();
	for (let i = 0; i < 50; i++)
		new Shop().total(2000);
	setTimeout(() => fib(23), 20);
	END
	node --cpu-prof --cpu-prof-name=a.cpuprofile app.js ||
		skip 'a Node.js without --cpu-prof'
	stackcollapse-cpuprofile a.cpuprofile > out
	diff out <(sums a.cpuprofile | LC_ALL=C sort)
	grep -q ';fib [0-9]' out
	stackcollapse-cpuprofile --samples a.cpuprofile |
		diff - <(sums a.cpuprofile samples | LC_ALL=C sort)
	stackcollapse a.cpuprofile | cmp - out
	gzip a.cpuprofile
	stackcollapse a.cpuprofile.gz | cmp - out
}

@test "--in-order keeps the order of time, until the end of the profile" {
	stackcollapse-cpuprofile --in-order "$DATA/collapse/cpuprofile" |
		diff - <(cat <<-'END'
		(root) 500
		(root);(anonymous) 1000
		(root);(anonymous);total 1200
		(root);(anonymous);total;price 800
		(root);(anonymous);total 1000
		(root);(program) 500
		(root);(idle) 2000
		END
		)
}

@test "--in-order needs samples with times" {
	node='{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}]'
	for rest in ',"samples":[1,1]}' '}'; do
		echo "$node$rest" | fails 1 stackcollapse-cpuprofile --in-order \
			2>&1 | has 'no times, which --in-order needs'
	done
	fails 2 stackcollapse-cpuprofile --in-order --samples 2>&1 |
		has -e '--samples: --in-order counts microseconds'
}
