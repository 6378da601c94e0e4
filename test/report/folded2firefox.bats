load ../helper

setup_file() {
	command -v python3 > /dev/null || lacks 'install python3'
}

# read_profile: reads a profile as version 60 tells, checks its tables, and
# prints its threads: their names and ids, and the stacks of samples with their
# times and weights, in order.
read_profile() {
	cat > read.py <<-'END'
	import json
	import sys
	profile = json.load(sys.stdin)
	meta = profile["meta"]
	assert meta["preprocessedProfileVersion"] == 60
	colours = [c["color"] for c in meta["categories"]]
	assert "grey" in colours and meta["interval"] > 0
	print("##", meta["product"])
	shared = profile["shared"]
	for name, table in shared.items():
	    if name != "stringArray":
	        for key, column in table.items():
	            assert key == "length" or len(column) == table["length"], key
	stacks = shared["stackTable"]
	frames = shared["frameTable"]
	functions = shared["funcTable"]
	strings = shared["stringArray"]
	def name_of(frame):
	    name = strings[functions["name"][frames["func"][frame]]]
	    depth = frames["inlineDepth"][frame]
	    category = meta["categories"][frames["category"][frame]]["name"]
	    return name + ("_[i]" if depth else "") + (
	        "" if category == "User" else "{" + category + "}")
	def stack_of(number):
	    names = []
	    while number is not None:
	        names.insert(0, name_of(stacks["frame"][number]))
	        prefix = stacks["prefix"][number]
	        assert prefix is None or prefix < number
	        number = prefix
	    return ";".join(names)
	for t in profile["threads"]:
	    print("#", t["name"], t.get("processName", "-"), t["pid"], t["tid"],
	        t["isMainThread"], t["samples"]["weightType"])
	    s = t["samples"]
	    assert s["time"] == sorted(s["time"])
	    for key in ["stack", "time", "weight"]:
	        assert len(s[key]) == s["length"]
	    assert s["stack"][-1] is None and s["weight"][-1] == 0
	    for i in range(s["length"]):
	        print(s["time"][i], s["weight"][i], stack_of(s["stack"][i]))
	END
	python3 read.py
}

# stacks: prints the stacks that read_profile has, with their weights.
stacks() {
	sed -e '/^#/d' -e 's/{[A-Za-z]*}//g' |
		awk '$3 != "" { w = $2; $1 = $2 = ""; print substr($0, 3), w }'
}

@test "example: and back, without the process and the thread" {
	stackcollapse-perf --all "$DATA/demo.perf" > out.folded
	folded2firefox out.folded | stackcollapse-firefox | cut -d ';' -f 3- |
		diff out.folded -
}

@test "samples are side by side, and marks tell kinds of functions" {
	# samples are side by side, as long as their weights
	printf '%s\n' 'main;read 12' 'main 4' 'main;read 3' |
		folded2firefox | read_profile | is 4<<-'END'
	## folded stacks
	# all - 0 0 True samples
	0 15 main;read
	15 4 main
	19 0 
	END
	# marks tell inlined functions, the kernel and what was compiled
	# a mark alone is a name
	echo '_[i];read 12' | folded2firefox | stackcollapse-firefox |
		is_line 'folded stacks;all;_[i];read 12'
	printf '%s\n' 'a;b_[i];c_[k] 1' 'd_[j];-;e 1' | folded2firefox |
		read_profile | sed -n '3,4p' | is 4<<-'END'
	0 1 a;b_[i];c_[k]{Kernel}
	1 1 d_[j]{JIT};-{Other};e
	END
}

@test "--flamechart keeps the order of the input, in milliseconds" {
	printf '%s\n' 'a;b 2000' 'a 500' 'a;b 1' 'a;b 1' |
		folded2firefox --flamechart --countname=us --title=x |
		read_profile | is 4<<-'END'
	## x
	# all - 0 0 True tracing-ms
	0 2 a;b
	2 0.5 a
	2.5 0.002 a;b
	2.502 0 
	END
}

@test "--threads are threads of their processes, with gaps in time" {
	printf '%s\n' 'make-41/41;main 20' 'make-41/41 7' 'make-41/42;main 4' \
		'a-b-7;x 5' 'make-41/41;main 1' 'x-y;z 1' 'x/2-3/;z 1' > in
	folded2firefox --threads --flamechart in | read_profile |
		is 4<<-'END'
	## folded stacks
	# make-41/41 make 41 0 True samples
	0 20 main
	20 7 
	27 1 main
	28 0 
	# make-41/42 make 41 1 False samples
	0 4 main
	4 0 
	# a-b-7 a-b 7 2 True samples
	0 5 x
	5 0 
	# x-y - 0 3 False samples
	0 1 z
	1 0 
	# x/2-3/ - 0 4 False samples
	0 1 z
	1 0 
	END
	folded2firefox --threads in | stackcollapse-firefox |
		cut -d ';' -f 2- | sort | are_lines 'a-b-7;x 5' \
			'make-41/41;[unknown] 7' 'make-41/41;main 21' \
			'make-41/42;main 4' 'x-y;z 1' 'x/2-3/;z 1'
}

@test "two counts are two threads" {
	printf '%s\n' 'a;b 10 20' 'a 5 0' | folded2firefox --countname=bytes |
		read_profile | is 4<<-'END'
	## folded stacks
	# all (before) - 0 0 True bytes
	0 10 a;b
	10 5 a
	15 0 
	# all (after) - 0 1 False bytes
	0 20 a;b
	20 0 a
	20 0 
	END
}
