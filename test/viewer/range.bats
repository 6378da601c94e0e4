# A range of time that is selected in a flame chart, and its flame graph.
load ../helper
load browser

setup() {
	[ -n "$chromium" ] || skip
	cd "$BATS_TEST_TMPDIR" || return
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

# What the steps of these tests can do: drag from time to time, where the whole
# picture has `length`, and tell the line, the labels, and what is not shaded.
with_steps() {
	cat <<-'JS'
	const { body } = document;
	let length = 100, across = 1180;
	const go = (type, x, y, init) => (document.elementFromPoint(x, y) ||
	    body).dispatchEvent(new PointerEvent(type, { clientX: x,
		clientY: y, pointerType: "mouse", bubbles: true,
		cancelable: true, ...init }));
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
	const line = () => say(text("details").textContent);
	const labels = () => say([...svg.querySelectorAll("#bar button")]
	    .map(({ textContent }) => textContent).join("; "));
	const lit = () => {
		const [, from, to] = text("veil").getAttribute("d")
		    .match(/H([\d.]+)V.*M([\d.]+)/);
		say(Math.round(from) + " to " + Math.round(to));
	};
	const told = () => seen().forEach(({ title }) => say(title));
	const saved = [];
	window.Blob = function (parts) {
		saved.push(parts.join(""));
	};
	URL.createObjectURL = () => "data:,";
	JS
	cat
}

@test "a drag selects a time, f draws its flame graph, Escape leads back" {
	chart
	with_steps <<-'JS' | in_browser picture.svg > said
	const y = yOf("all");
	move(5, 35, yOf("t1"));
	line();
	go("pointerup", placeOf(35), y);
	labels();
	line();
	say(query());
	lit();
	key("f");
	labels();
	say(query());
	told();
	click("b");
	say(query());
	key("Escape");
	key("Escape");
	say(query());
	lit();
	key("Escape");
	say("[" + query() + "]");
	lit();
	JS
	diff - said <<-'END'
	30 us selected, from 5 us to 35 us, on a processor 25 us, 83.33%
	× 30 us from 5 us to 35 us
	30 us selected, from 5 us to 35 us, on a processor 25 us, 83.33%
	?t=s5%2035
	69 to 423
	× 30 us from 5 us to 35 us; × flame graph
	?t=s5%2035%0Af
	all (30 us, 100.00%)
	t1 (30 us, 100.00%)
	main (25 us, 83.33%)
	a (5 us, 16.67%)
	b (20 us, 66.67%)
	?x=10&y=3&t=s5%2035%0Af
	?t=s5%2035
	69 to 423
	[]
	10 to 1190
	END
}

@test "keys select from a frame's begin to a frame's end, in a zoom, too" {
	chart
	with_steps <<-'JS' | in_browser picture.svg > said
	hover("b");
	key("[");
	labels();
	key("]");
	labels();
	hover("c");
	key(",");
	labels();
	key(".");
	labels();
	// the end is before the begin
	hover("b");
	key(".");
	labels();
	press("unzoom");
	click("main");
	drag(0, 50, yOf("main"));
	labels();
	lit();
	key("ArrowUp");
	key("ArrowUp");
	key("[");
	key("]");
	say(ringed());
	labels();
	key("f");
	labels();
	told();
	say(key("["));
	say(key("F"));
	key("f");
	labels();
	key("Escape");
	key("Escape");
	key("?");
	say(/\[ ,select from .*\] \.select to .*fflame/
	    .test(text("keys").textContent));
	JS
	diff - said <<-'END'
	× 90 us from 10 us to 100 us
	× 20 us from 10 us to 30 us
	× 50 us from 50 us to 100 us
	× 30 us from 50 us to 80 us
	× 30 us from 0 us to 30 us
	all; t1; main; × 15 us from 0 us to 15 us
	10 to 600
	b
	all; t1; main; × 20 us from 10 us to 30 us
	× 20 us from 10 us to 30 us; × flame graph
	all (20 us, 100.00%)
	t1 (20 us, 100.00%)
	main (20 us, 100.00%)
	b (20 us, 100.00%)
	false
	false
	× 20 us from 10 us to 30 us
	true
	END
}

@test "without a selection f merges what is in view, and F one thread" {
	chart
	with_steps <<-'JS' | in_browser picture.svg > said
	key("f");
	say(query());
	told();
	key("Escape");
	click("t2");
	key("f");
	say(query());
	told();
	press("unzoom");
	drag(40, 60);
	hover("c");
	key("F");
	labels();
	told();
	// taken back in the order of the labels
	svg.querySelectorAll("#bar button")[1].click();
	labels();
	svg.querySelector("#bar button").click();
	say("[" + query() + "]");
	JS
	diff - said <<-'END'
	?t=f
	all (100 us, 100.00%)
	t1 (50 us, 50.00%)
	t2 (50 us, 50.00%)
	main (40 us, 40.00%)
	main (50 us, 50.00%)
	a (20 us, 20.00%)
	b (20 us, 20.00%)
	a (20 us, 20.00%)
	c (30 us, 30.00%)
	x (20 us, 20.00%)
	?t=s50%20100%0Af
	all (50 us, 100.00%)
	t2 (50 us, 100.00%)
	main (50 us, 100.00%)
	a (20 us, 40.00%)
	c (30 us, 60.00%)
	x (20 us, 40.00%)
	× 20 us from 40 us to 60 us; × flame graph of t2
	all (10 us, 100.00%)
	t2 (10 us, 100.00%)
	main (10 us, 100.00%)
	c (10 us, 100.00%)
	× 20 us from 40 us to 60 us
	[]
	END
}

@test "a click, a finger, other buttons, Shift and Escape select nothing" {
	chart
	with_steps <<-'JS' | in_browser picture.svg > said
	const y = yOf("main");
	const quiet = what => say(what + " [" + query() + "]");
	const prevents = (type, el) => say(type + " " + !el.dispatchEvent(
	    new Event(type, { bubbles: true, cancelable: true })));
	go("pointerdown", placeOf(10), y);
	prevents("selectstart", svg);
	go("pointermove", placeOf(10) + 3, y);
	go("pointerup", placeOf(10) + 3, y);
	quiet("short");
	prevents("selectstart", svg);
	prevents("dragstart", svg);
	drag(10, 40, y, { pointerType: "touch" });
	quiet("finger");
	drag(10, 40, y, { button: 2 });
	quiet("button");
	drag(10, 40, y, { shiftKey: true });
	quiet("Shift");
	// the title, and the line below
	drag(10, 90, text("title").getBoundingClientRect().y + 5);
	quiet("title");
	move(10, 40, y);
	lit();
	say(key("Escape", {}, document));
	lit();
	go("pointerup", placeOf(40), y);
	quiet("Escape");
	move(10, 40, y);
	go("pointercancel", placeOf(40), y);
	go("pointerup", placeOf(40), y);
	quiet("cancelled");
	click("b");
	quiet("click");
	JS
	diff - said <<-'END'
	selectstart true
	short []
	selectstart false
	dragstart false
	finger []
	button []
	Shift []
	title []
	128 to 482
	false
	10 to 1190
	Escape []
	cancelled []
	click [?x=128&y=53]
	END
}

@test "a link opens a selection, back and forward walk, and odd ones are ignored" {
	chart
	embed() {
		echo "<object class='picture' data='picture.svg?$1'></object>"
	}
	with_steps <<-'JS' | in_browser picture.svg \
	    "$(embed 't=s10%2030%0Aft1&s=b')" "$(embed 't=s30%2010')" \
	    "$(embed 't=s0%20100.5')" "$(embed 't=s-1%201')" \
	    "$(embed 't=sx%201%0As%0Aq')" "$(embed 't=s40%2060')" > said
	const opened = () => {
		const bar = svg.querySelector("#bar");
		say("[" + query() + "] " + (bar ? bar.textContent : ""));
	};
	look(1);
	told();
	say(text("matched").textContent);
	for (const picture of [1, 2, 3, 4, 5, 6]) {
		look(picture);
		opened();
	}
	key("Escape");
	// Firefox cannot take the query of a file in a page away
	say(svg.querySelector("#bar"));
	look(1);
	for (let i = 0; i < 3; i++) {
		key("Escape");
		opened();
	}
	look(0);
	drag(5, 35);
	query();
	key("f");
	query();
	const walk = by => new Promise(done => {
		addEventListener("popstate", () => done(opened()),
		    { once: true });
		history.go(by);
	});
	walk(-1).then(() => walk(-1)).then(() => walk(2)).then(told);
	JS
	diff - said <<-'END'
	all (20 us, 100.00%)
	t1 (20 us, 100.00%)
	main (20 us, 100.00%)
	b (20 us, 100.00%)
	Matched: 100% (20 us, 1 found)
	[?t=s10%2030%0Aft1&s=b] × 20 us from 10 us to 30 us× flame graph of t1
	[?t=s30%2010] 
	[?t=s0%20100.5] 
	[?t=s-1%201] 
	[?t=sx%201%0As%0Aq] 
	[?t=s40%2060] × 20 us from 40 us to 60 us
	null
	[?t=s10%2030%0Aft1] × 20 us from 10 us to 30 us× flame graph of t1
	[?t=s10%2030] × 20 us from 10 us to 30 us
	[] 
	[?t=s5%2035] × 30 us from 5 us to 35 us
	[] 
	[?t=s5%2035%0Af] × 30 us from 5 us to 35 us× flame graph
	all (30 us, 100.00%)
	t1 (30 us, 100.00%)
	main (25 us, 83.33%)
	a (5 us, 16.67%)
	b (20 us, 66.67%)
	END
}

@test "in lanes a selection is of all threads; F merges one" {
	lanes
	with_steps <<-'JS' | in_browser picture.svg > said
	[length, across] = [70, 700];
	drag(10, 40);
	line();
	key("f");
	told();
	key("Escape");
	click("read");
	lit();
	key("Escape");
	hover("c");
	key("F");
	say(query());
	told();
	key("r");
	told();
	JS
	diff - said <<-'END'
	30 us selected, from 10 us to 40 us, on a processor 50 us, 166.67%
	all (70 us, 100.00%)
	t1 (20 us, 28.57%)
	t2 (20 us, 28.57%)
	t3 (30 us, 42.86%)
	main (20 us, 28.57%)
	main (20 us, 28.57%)
	[blocked] (10 us, 14.29%)
	main (20 us, 28.57%)
	b (20 us, 28.57%)
	c (20 us, 28.57%)
	d (10 us, 14.29%)
	read (10 us, 14.29%)
	[blocked] (10 us, 14.29%)
	10 to 710
	?t=s10%2040%0Aft2
	all (20 us, 100.00%)
	t2 (20 us, 100.00%)
	main (20 us, 100.00%)
	c (20 us, 100.00%)
	all (20 us, 100.00%)
	c (20 us, 100.00%)
	main (20 us, 100.00%)
	t2 (20 us, 100.00%)
	END
}

# t1 runs until 30, and from 40 to 50, t2 from 20 on, t3 waits until 30 and runs
# until 60.
@test "the strip above lanes has the threads that are on a processor" {
	lanes
	with_steps <<-'JS' | in_browser picture.svg > said
	[length, across] = [70, 700];
	const point = time => {
		const { y } = text("strip").getBoundingClientRect();
		const x = placeOf(time);
		document.elementFromPoint(x, y + 12).dispatchEvent(
		    new PointerEvent("mousemove", { clientX: x, clientY: y + 12,
			bubbles: true }));
		line();
	};
	const steps = () => {
		if (!text("strip"))
			return setTimeout(steps, 20);
		for (const time of [7, 25, 35, 45, 55, 65])
			point(time);
		say(text("strip").textContent);
		drag(10, 40, text("strip").getBoundingClientRect().y + 12);
		line();
		click("c");
		length = 30;
		point(15);
		say(text("strip").textContent);
		hover("c");
		line();
		key("Escape");
		key("f");
		say(isShown("strip"));
	};
	steps();
	JS
	diff - said <<-'END'
	at 7 us, 1 thread on a processor
	at 25 us, 2 threads on a processor
	at 35 us, 2 threads on a processor
	at 45 us, 3 threads on a processor
	at 55 us, 2 threads on a processor
	at 65 us, 1 thread on a processor
	on a processor: at most 3 threads
	30 us selected, from 10 us to 40 us, on a processor 50 us, 166.67%
	at 35 us, 2 threads on a processor
	on a processor: at most 3 threads
	30 us, 20.69%, self 30, 20.69%, from 20 us to 50 us, 100.00% of view; Function: c
	false
	END
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
	for range in '0 1' '100 350' '123.25 456.5' '444 445'; do
		for lanes in '' lanes; do
			# shellcheck disable=SC2086 # two numbers
			cut_lines $range $lanes >> expected
			set -- "$@" "<object class='picture' data='${lanes:-chart}.svg?t=s${range/ /%20}%0Af'></object>"
		done
	done
	with_steps <<-'JS' | in_browser "$@" > said
	const { length: pictures } = document.querySelectorAll(".picture");
	for (let at = 0; at < pictures; at++) {
		look(at);
		const view = svg.ownerDocument.defaultView;
		const lines = [];
		view.Blob = function (parts) {
			lines.push(...parts.join("").trim().split("\n"));
		};
		view.URL.createObjectURL = () => "data:,";
		key("e");
		lines.sort().forEach(say);
	}
	JS
	[ "$(wc -l < expected)" -gt 150 ]
	diff expected said
}

# Of 100 x has 10 and b 40; x is too narrow.  Until 30 main has 10 that are x or
# its own.
@test "what is too narrow to be printed stays in the total of its caller" {
	printf '%s\n' 't;main;x 10' 't;main;b 40' 't;main 50' |
	    flamegraph --flamechart --minwidth=20% > picture.svg
	export QUERY='?t=s0%2030%0Af'
	with_steps <<-'JS' | in_browser picture.svg > said
	told();
	line();
	hover("main");
	line();
	JS
	diff - said <<-'END'
	all (30 samples, 100.00%)
	t (30 samples, 100.00%)
	main (30 samples, 100.00%)
	b (20 samples, 66.67%)
	30 samples selected, from 0 to 30, on a processor 30 samples, 100.00%
	30 samples, 100.00%, self 8, 27.78%; Function: main
	END
}

@test "a fluid picture selects as another one, whatever its width" {
	chart --width=auto
	with_steps <<-'JS' | in_browser picture.svg > said
	const { width } = svg.getBoundingClientRect();
	const box = frame("t2").box;
	const y = yOf("main");
	go("pointerdown", box.x, y);
	go("pointermove", box.x + box.width / 5, y);
	go("pointerup", box.x + box.width / 5, y);
	labels();
	const [, from, to] = text("veil").getAttribute("d")
	    .match(/H([\d.]+)V.*M([\d.]+)/);
	say(Math.abs(from - box.x) < 1 &&
	    Math.abs(to - from - box.width / 5) < 1);
	say(width > 1210);
	JS
	diff - said <<-'END'
	× 10 us from 50 us to 60 us
	true
	true
	END
}

@test "other pictures do without a selection" {
	local selects='id: "veil"' strip='id: "strip"'
	printf '%s\n' 'main;a 1 2' > two
	chart
	has -F "$selects" picture.svg
	fails 1 grep -F "$strip" picture.svg
	lanes
	has -F "$selects" picture.svg
	has -F "$strip" picture.svg
	flamegraph --flamechart two > picture.svg
	fails 1 grep -F -e "$selects" -e veil picture.svg
	echo 'main;a 1' | flamegraph > picture.svg 2> errors
	fails 1 grep -F -e "$selects" -e veil picture.svg
	lanes --no-javascript
	fails 1 grep -F -e veil -e "$strip" picture.svg
}
