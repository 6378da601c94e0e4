load ../helper

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

# read_file: reads a file as its schema tells, and prints its profiles: their
# names, units and ends, and stacks with weights, or those of events, in order.
read_file() {
	cat > read.py <<-'END'
	import json
	import sys
	file = json.load(sys.stdin)
	assert file["$schema"].endswith("/file-format-schema.json")
	frames = [f["name"] for f in file["shared"]["frames"]]
	assert file.get("activeProfileIndex", 0) < len(file["profiles"])
	def show(stack, weight):
	    print(";".join(frames[i] for i in stack), str(weight).removesuffix(".0"))
	for p in file["profiles"]:
	    print("#", p["name"], p["unit"], p["startValue"], p["endValue"])
	    if p["type"] == "sampled":
	        assert len(p["samples"]) == len(p["weights"])
	        assert p["endValue"] == sum(p["weights"])
	        for stack, weight in zip(p["samples"], p["weights"]):
	            show(stack, weight)
	        continue
	    assert p["type"] == "evented"
	    stack = []
	    last = 0
	    for event in p["events"]:
	        assert event["at"] >= last
	        if event["at"] > last:
	            show(stack, event["at"] - last)
	        last = event["at"]
	        if event["type"] == "O":
	            stack.append(event["frame"])
	        else:
	            assert event["type"] == "C"
	            assert stack.pop() == event["frame"]
	    assert stack == [] and last <= p["endValue"]
	END
	python3 read.py
}

@test "example: two stacks and their profile" {
	printf '%s\n' 'main;read 12' 'main 4' > out.folded
	man=$TOP/man/folded2speedscope.1
	sed -n '/^\$ folded2speedscope out.folded$/,/^\.Ed/p' "$man" |
		sed -e 1d -e '$d' > shown
	[ -s shown ]
	folded2speedscope out.folded | diff shown -
}

@test "samples are the stacks that were folded" {
	stackcollapse-perf --all "$DATA/demo.perf" > in
	folded2speedscope in | read_file | sed 1d | sort | diff in -
	printf '%s\n' 'a;b 1' 'a 2' 'a;b 3' | folded2speedscope | read_file |
		are_lines '# all none 0 6' 'a;b 4' 'a 2'
}

@test "--flamechart opens and closes frames in the order of the input" {
	printf '%s\n' 'main;read 20' 'main;read 5' 'main;read;x 3' 'main 7' \
		'io;read 8.5' 'main;read 1' > in
	folded2speedscope --flamechart --countname=us in > out
	read_file < out | is 4<<-'END'
	# all microseconds 0 44.5
	main;read 25
	main;read;x 3
	main 7
	io;read 8.5
	main;read 1
	END
	# a frame that goes on is not closed
	grep -c '"type":"O"' out | is_line 7
}

@test "--threads makes a profile of each, and time without frames is a gap" {
	printf '%s\n' 'make-41/41;main 20' 'make-41/41 7' 'cc-2/3;main;parse 4' \
		'make-41/41;main 1' > in
	folded2speedscope --threads in | read_file | is 4<<-'END'
	# make-41/41 none 0 28
	main 21
	[unknown] 7
	# cc-2/3 none 0 4
	main;parse 4
	END
	folded2speedscope --threads --flamechart in | read_file |
		is 4<<-'END'
	# make-41/41 none 0 28
	main 20
	 7
	main 1
	# cc-2/3 none 0 4
	main;parse 4
	END
}

@test "two counts are two profiles, of which the second is shown first" {
	printf '%s\n' 'a;b 10 20' 'a 5 0' > in
	folded2speedscope in > out
	read_file < out | is 4<<-'END'
	# before none 0 15
	a;b 10
	a 5
	# after none 0 20
	a;b 20
	a 0
	END
	has '^"activeProfileIndex":1,$' < out
	folded2speedscope --threads in | read_file | grep '^#' |
		are_lines '# a (before) none 0 15' \
			'# a (after) none 0 20'
}

@test "--title, --countname and --factor" {
	folded2speedscope --title='a "b"' --countname=ns --factor=0.5 \
		<<< 'a 3' > out
	has '^"name":"a \\"b\\"",$' < out
	read_file < out | are_lines '# a "b" nanoseconds 0 1.5' \
		'a 1.5'
	fails 2 folded2speedscope --factor=0 <<< 'a 3' 2>&1 |
		has 'option --factor: 0 is not above 0'
}

@test "names of any bytes are JSON, and counts have all their digits" {
	# names of any bytes are JSON, with U+FFFD for what is not UTF-8
	printf 'a"\\\377;\303\251\033<x> 3\n' | folded2speedscope | read_file |
		diff - <(printf '%s\n' '# all none 0 3'
			printf 'a"\\\357\277\275;\303\251\357\277\275<x> 3\n')
	# counts have all their digits
	folded2speedscope <<< 'a 18446744073709551615' | read_file |
		diff - <(echo '# all none 0 18446744073709551615'
			echo 'a 18446744073709551615')
	folded2speedscope <<< 'a 0.1' | has '^"weights":\[0.1\]}$'
}

@test "stacks share what they have in common: the file grows with frames" {
	awk 'BEGIN {
		for (; i < 3000; i++)
			line = line "a_function_with_a_long_name_" i ";"
		for (i = 0; i < 100; i++)
			print line i, 1
	}' > in
	folded2speedscope in > out
	[ "$(wc -c < out)" -lt "$(($(wc -c < in) / 5))" ]
}

# node and speedscope, with SPEEDSCOPE the folder of its package from npm
@test "speedscope's own page shows the profile" {
	[ -n "${SPEEDSCOPE-}" ] || skip 'SPEEDSCOPE is not set'
	command -v chromium > /dev/null || skip 'install chromium'
	stackcollapse-perf "$DATA/demo.perf" |
		folded2speedscope --title=compressing > out.json
	printf 'speedscope.loadFileFromBase64("out.json", "%s")' \
		"$(base64 -w 0 out.json)" > load.js
	chromium --headless --no-sandbox --disable-gpu \
	    --allow-file-access-from-files --virtual-time-budget=8000 \
	    --dump-dom \
	    "file://$SPEEDSCOPE/dist/release/index.html#localProfilePath=$PWD/load.js" \
	    > page 2> err
	has '>compressing<' < page
}
