# A range of time that is selected in a flame chart, and its flame graph.
load ../helper
load browser

setup_file() {
	needs_browser
}

# 11.8 pixels are a microsecond; the second thread begins at 50.
chart() {
	flamegraph --flamechart --countname=us "$@" > picture.svg <<-'END'
	t1;main;a 10
	t1;main;b 20
	t1 10
	t1;main;a 10
	t2;main;c 30
	t2;main;a;x 20
	END
}

# Ten pixels are a microsecond, of 70.
lanes() {
	flamegraph --lanes --countname=us --width=720 "$@" > picture.svg <<-'END'
	t1;main;a 10
	t1;main;b 20
	t1 10
	t1;main;a 10
	t2 20
	t2;main;c 30
	t2;main;a;x 20
	t3 5
	t3;[blocked] 15
	t3;main;read;[blocked] 10
	t3;main;d 30
	END
}

# What steps can do: drag from time to time, where the whole picture has
# `length`, and ask what is not shaded.
STEPS='let length = 100, across = 1180;
	const go = (type, x, y, init) => (document.elementFromPoint(x, y) ||
	    document.body).dispatchEvent(new PointerEvent(type, {
		clientX: x, clientY: y, pointerType: "mouse",
		bubbles: true, cancelable: true, ...init }));
	const placeOf = time => svg.getBoundingClientRect().x + 10 +
	    across * time / length;
	const yOf = name => frame(name).box.y + 5;
	const move = (from, to, y, init) => {
		go("pointerdown", placeOf(from), y, init);
		go("pointermove", placeOf((from + to) / 2), y, init);
		go("pointermove", placeOf(to), y, init);
	};
	const drag = (from, to, y = yOf("main"), init) => {
		move(from, to, y, init);
		go("pointerup", placeOf(to), y, init);
	};
	const lit = () => {
		const [, from, to] = text("veil").getAttribute("d")
		    .match(/H([\d.]+)V.*M([\d.]+)/);
		return Math.round(from) + " to " + Math.round(to);
	};
	// without the unit
	const titles = () => seen().map(({ title }) =>
	    title.replace(" us,", "")).join("\n");'

@test "a drag selects a time, f draws its flame graph, Escape leads back" {
	chart
	holds picture.svg <<-'JS'
	const line = "30 us selected · from 5 us to 35 us · on a processor 25 us · 83.33%";
	const y = yOf("all");
	move(5, 35, yOf("t1"));
	check(details(), line);
	go("pointerup", placeOf(35), y);
	check(details(), line);
	check(chips() + query(), "× 30 us from 5 us to 35 us?t=s5%2035");
	check(lit(), "69 to 423");
	key("f");
	check(chips() + query(),
	    "× 30 us from 5 us to 35 us; × flame graph?t=s5%2035%0Af");
	check(titles(), `
	all (30 100.00%)
	t1 (30 100.00%)
	main (25 83.33%)
	a (5 16.67%)
	b (20 66.67%)`);
	click("b");
	check(query(), "?x=10&y=3&t=s5%2035%0Af");
	key("Escape");
	key("Escape");
	check(query() + lit(), "?t=s5%203569 to 423");
	key("Escape");
	check(query() + lit(), "10 to 1190");
	JS
}

@test "keys select from a frame's begin to a frame's end, in a zoom, too" {
	chart
	holds picture.svg <<-'JS'
	const select = (by, name, range) => {
		hover(name);
		key(by);
		check(chips(), "× " + range);
	};
	select("[", "b", "90 us from 10 us to 100 us");
	select("]", "b", "20 us from 10 us to 30 us");
	select(",", "c", "50 us from 50 us to 100 us");
	select(".", "c", "30 us from 50 us to 80 us");
	// the end is before the begin
	select(".", "b", "30 us from 0 us to 30 us");
	press("unzoom");
	click("main");
	drag(0, 50, yOf("main"));
	check(chips() + lit(),
	    "all; t1; main; × 15 us from 0 us to 15 us10 to 600");
	key("ArrowUp");
	key("ArrowUp");
	key("[");
	key("]");
	check(ringed() + chips(), "ball; t1; main; × 20 us from 10 us to 30 us");
	key("f");
	check(chips(), "× 20 us from 10 us to 30 us; × flame graph");
	check(names(), "all t1 main b");
	JS
}

@test "z zooms to the selection, and Ctrl with the wheel at the pointer" {
	local query
	chart
	for query in '' '?t=z5%2035'; do
		echo "<object class='picture' data='picture.svg$query'></object>"
	done > objects
	holds picture.svg "$(tail -n 1 objects)" <<-'JS'
	// from 5 to 35 a microsecond has 1180 / 30 pixels
	const zoomed = `
	all 10 1180 'all · 100 us'
	t1 10 1180 't1'
	main 10 983 'main'
	a 10 197 'a'
	b 207 787 'b'`;
	check(key("z"), false);
	drag(5, 35);
	key("z");
	check(shown(), zoomed);
	check(chips() + query(), "× zoom to 30 us from 5 us to 35 us?t=z5%2035");
	// what Top and a click describe is in it
	key("t");
	check(svg.querySelector("#top caption").textContent,
	    "Top of all, zoom to 30 us from 5 us to 35 us: 30 us");
	key("Escape");
	click("b");
	check(names(), "all t1 main b");
	key("Escape");
	press("unzoom");
	check(query(), "");
	// around 20, by steps of 1.25, which are one in the history
	const turn = deltaY => svg.dispatchEvent(new WheelEvent("wheel", {
	    bubbles: true, cancelable: true, ctrlKey: true, deltaY,
	    clientX: placeOf(20), clientY: yOf("main") }));
	check(turn(-1), false);
	check(query(), "?t=z4%2084");
	turn(-1);
	turn(-1);
	check(chips(), "× zoom to 51.2 us from 9.76 us to 60.96 us");
	for (let i = 0; i < 5; i++)
		turn(1);
	check(query(), "");
	look(1);
	check(shown(), zoomed);
	JS
}

@test "without a selection f merges the view, and F one thread" {
	chart
	holds picture.svg <<-'JS'
	key("f");
	check(query(), "?t=f");
	check(titles(), `
	all (100 100.00%)
	t1 (50 50.00%)
	t2 (50 50.00%)
	main (40 40.00%)
	main (50 50.00%)
	a (20 20.00%)
	b (20 20.00%)
	a (20 20.00%)
	c (30 30.00%)
	x (20 20.00%)`);
	key("Escape");
	click("t2");
	key("f");
	check(query(), "?t=s50%20100%0Af");
	check(titles(), `
	all (50 100.00%)
	t2 (50 100.00%)
	main (50 100.00%)
	a (20 40.00%)
	c (30 60.00%)
	x (20 40.00%)`);
	press("reset");
	drag(40, 60);
	hover("c");
	key("F");
	check(chips(), "× 20 us from 40 us to 60 us; × flame graph of t2");
	check(titles().replace(/ \(10 100.00%\)/g, ""), "all\nt2\nmain\nc");
	// taken back in the order of the labels
	svg.querySelectorAll("#bar button")[1].click();
	check(chips(), "× 20 us from 40 us to 60 us");
	svg.querySelector("#bar button").click();
	check(query(), "");
	JS
}

@test "a click, a finger, other buttons, Shift and Escape select nothing" {
	chart
	holds picture.svg <<-'JS'
	const y = yOf("main");
	const prevents = type => !svg.dispatchEvent(
	    new Event(type, { bubbles: true, cancelable: true }));
	go("pointerdown", placeOf(10), y);
	check(prevents("selectstart"), true);
	go("pointermove", placeOf(10) + 3, y);
	go("pointerup", placeOf(10) + 3, y);
	check(query(), "");
	check(prevents("selectstart"), false);
	check(prevents("dragstart"), false);
	for (const init of [{ pointerType: "touch" }, { button: 2 },
	    { shiftKey: true }]) {
		drag(10, 40, y, init);
		check(query(), "");
	}
	// the title, and the line below
	drag(10, 90, text("title").getBoundingClientRect().y + 5);
	check(query(), "");
	move(10, 40, y);
	check(lit(), "128 to 482");
	check(key("Escape", {}, document), false);
	check(lit(), "10 to 1190");
	go("pointerup", placeOf(40), y);
	check(query(), "");
	click("b");
	check(query(), "?x=128&y=53");
	JS
}

@test "a link opens a selection, back and forward walk, and odd ones are ignored" {
	chart
	embed() {
		echo "<object class='picture' data='picture.svg?t=$1'></object>"
	}
	holds picture.svg "$(embed 's10%2030%0Aft1&s=b')" \
	    "$(embed s30%2010)" "$(embed 's0%20100.5%0Asx%201%0Aq')" <<-'JS'
	const state = () => query() + " " + chips();
	look(1);
	const four = "all t1 main b", some = "× 20 us from 10 us to 30 us";
	check(names() + matched(), four + "Matched: 100% (20 us, 1 found)");
	check(state(),
	    `?t=s10%2030%0Aft1&s=b ${some}; × flame graph of t1`);
	for (const left of [`?t=s10%2030%0Aft1 ${some}; × flame graph of t1`,
	    `?t=s10%2030 ${some}`, ""]) {
		key("Escape");
		check(state(), left);
	}
	for (const picture of [2, 3]) {
		look(picture);
		check(chips(), "");
	}
	look(0);
	drag(5, 35);
	query();
	key("f");
	query();
	await walk(-1);
	check(state(), "?t=s5%2035 × 30 us from 5 us to 35 us");
	await walk(-1);
	check(state(), "");
	await walk(2);
	check(state(),
	    "?t=s5%2035%0Af × 30 us from 5 us to 35 us; × flame graph");
	check(names(), "all t1 main a b");
	JS
}

@test "in lanes a selection is of all threads; F merges one" {
	lanes
	holds picture.svg <<-'JS'
	[length, across] = [70, 700];
	drag(10, 40);
	check(details(), "30 us selected · from 10 us to 40 us · on a processor 50 us · 166.67%");
	key("f");
	check(titles(), `
	all (70 100.00%)
	t1 (20 28.57%)
	t2 (20 28.57%)
	t3 (30 42.86%)
	main (20 28.57%)
	main (20 28.57%)
	[blocked] (10 14.29%)
	main (20 28.57%)
	b (20 28.57%)
	c (20 28.57%)
	d (10 14.29%)
	read (10 14.29%)
	[blocked] (10 14.29%)`);
	key("Escape");
	hover("c");
	key("F");
	check(query() + titles().replace(/ \(20 100.00%\)/g, ""),
	    "?t=s10%2040%0Aft2all\nt2\nmain\nc");
	key("r");
	check(names(), "all c main t2");
	JS
}

# t1 runs until 30, and from 40 to 50, t2 from 20 on, t3 waits until 30 and runs
# until 60.
@test "the strip above lanes has the threads that are on a processor" {
	lanes
	holds picture.svg <<-'JS'
	[length, across] = [70, 700];
	const point = (time, threads, told = time) => {
		const { y } = text("strip").getBoundingClientRect();
		const at = { clientX: placeOf(time), clientY: y + 12 };
		mouse("mousemove", document.elementFromPoint(at.clientX,
		    at.clientY), at);
		check(details(), `at ${told} us · ${threads} on a processor`);
	};
	while (!text("strip"))
		await wait(20);
	point(7, "1 thread");
	point(25, "2 threads");
	point(45, "3 threads");
	point(65, "1 thread");
	check(text("strip").textContent,
	    "on a processor: at most 3 threads");
	drag(10, 40, text("strip").getBoundingClientRect().y + 12);
	check(details(), "30 us selected · from 10 us to 40 us · on a processor 50 us · 166.67%");
	// the zoom has 30 of the picture's 70
	click("c");
	[length, across] = [30, 700];
	point(15, "2 threads", 35);
	check(hover("c"), "c · self 30 us · total 30 us · 20.69% · from 20 us to 50 us · 100.00% of view");
	key("Escape");
	key("f");
	check(isShown("strip"), false);
	JS
}

# make_lines SEED: lines of three threads, one thread after the other.
make_lines() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		for (t = 1; t <= 3; t++)
			for (i = 0; i < 80; i++) {
				stack = "t" t
				for (n = int(rand() * 6); n > 0; n--)
					stack = stack ";f" int(rand() * 4)
				print stack, 1 + int(rand() * 20)
			}
	}'
}

# cut_lines BEGIN END LANES: what of the lines is in the time, by the clock of
# the thread in lanes, where a thread alone is a gap, else by one clock.
cut_lines() {
	awk -v begin="$1" -v end="$2" -v lanes="$3" '{
		name = lanes ? substr($1, 1, 2) : ""
		from = clock[name]
		to = clock[name] += $2
		from = from < begin ? begin : from
		to = to > end ? end : to
		if (to > from && !(lanes && $1 !~ /;/))
			sums[$1] += to - from
	} END {
		for (stack in sums)
			print stack, sums[stack]
	}' lines | LC_ALL=C sort
}

@test "frames are cut exactly at the ends of any time" {
	local range lanes
	: > expected
	make_lines 7 > lines
	flamegraph --flamechart --minwidth=0 < lines > chart.svg
	flamegraph --lanes --minwidth=0 < lines > lanes.svg
	set --
	for range in '123.25 456.5' '444 445'; do
		for lanes in '' lanes; do
			cut_lines $range $lanes >> expected
			set -- "$@" "<object class='picture' data='${lanes:-chart}.svg?t=s${range/ /%20}%0Af'></object>"
		done
	done
	in_browser "$@" > said <<-'JS'
	for (let i = 0; i < document.querySelectorAll(".picture").length; i++) {
		look(i);
		say(saved());
	}
	JS
	[ "$(wc -l < expected)" -gt 75 ]
	diff expected said
}

# Of 100 x has 10 and b 40; x is too narrow.  Until 30 main has 10 that are x or
# its own.
@test "functions too narrow to be printed stay in their caller's total" {
	printf '%s\n' 't;main;x 10' 't;main;b 40' 't;main 50' |
	    flamegraph --flamechart --minwidth=20% > picture.svg
	export QUERY='?t=s0%2030%0Af'
	holds picture.svg <<-'JS'
	check(names(), "all t main b");
	check(frame("b").title, "b (20 samples, 66.67%)");
	check(details(), "30 samples selected · from 0 to 30 · on a processor 30 samples · 100.00%");
	check(hover("main"), "main · self 8.33 · total 30 samples · 100.00%");
	JS
}

@test "a fluid picture selects as another one, whatever its width" {
	chart --width=auto
	holds picture.svg <<-'JS'
	const { width } = svg.getBoundingClientRect();
	const box = frame("t2").box;
	const y = yOf("main");
	go("pointerdown", box.x, y);
	go("pointermove", box.x + box.width / 5, y);
	go("pointerup", box.x + box.width / 5, y);
	check(chips(), "× 10 us from 50 us to 60 us");
	const [, from, to] = text("veil").getAttribute("d")
	    .match(/H([\d.]+)V.*M([\d.]+)/);
	check(Math.abs(from - box.x) < 1 &&
	    Math.abs(to - from - box.width / 5) < 1, true);
	check(width > 1210, true);
	JS
}

@test "differentials and pictures without scripts have no selection" {
	echo 'main;a 1 2' | flamegraph --flamechart | fails 1 grep -F veil
	lanes --no-javascript
	fails 1 grep -F -e veil -e '"strip"' picture.svg
}
