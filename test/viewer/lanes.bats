# Lanes in a real browser: zoom in time, folding, order and the others.
load ../helper
load browser

setup_file() {
	needs_browser
}

# Three threads: the second begins at 10, the third at 20; one count is 11.8
# pixels.
draw() {
	printf '%s\n' 'a;f;g 30' 'a;f 5' 'a 15' 'a;f 50' \
		'b 10' 'b;h 20' 'b 40' 'b;h;i 30' 'c 20' 'c;f 20' |
		flamegraph --lanes --axis=s "$@" > picture.svg 2> /dev/null
}

# What steps ask for: the names of lanes from top to bottom.
STEPS='
const laneNames = () => [...svg.querySelectorAll(
    "#frames > g[data-lane] > text")]
    .map(el => [el.getBoundingClientRect().y, el.textContent])
    .sort(([a], [b]) => a - b).map(([, s]) => s);
const lanes = () => laneNames().join(", ");
const nameOf = name => [...svg.querySelectorAll("#frames > [data-lane] > text")]
    .find(el => el.textContent.slice(2) === name);
const fold = name => mouse("click", nameOf(name));
const ticks = () => [...svg.querySelectorAll("#axis text")]
    .map(({ textContent }) => textContent).join(", ");
const clickOne = (name, i) => mouse("click", at(seen(name)[i].box));
'

@test "a click on a frame shows its time in all lanes that are there then" {
	draw
	holds picture.svg <<-'JS'
	const curves = () => [...svg.querySelectorAll(
	    "#frames > [data-lane] > path")].map(el => el.getAttribute("d"))
	    .join("\n");
	check(shown(), `
	all 10 1180 ''
	c 246 236 '▾ c'
	f 246 236 'f'
	b 128 1062 '▾ b'
	h 128 236 'h'
	h 836 354 'h'
	i 836 354 'i'
	a 10 1180 '▾ a'
	f 10 413 'f'
	f 600 590 'f'
	g 10 354 'g'`);
	// the part of the time in which a lane has stacks: a is at 37 + 2 * 16
	check(curves(), `
	M10 110V95H423V110M600 110V95H1190V110
	M128 164V149H364V164M836 164V149H1190V164
	M246 202V187H482V202`);
	clickOne("h", 0);
	// from 10 to 30: a count is 59 pixels
	check(shown(), `
	all 10 1180 'all · 155 samples' faded
	c 600 590 '▾ c'
	f 600 590 'f'
	b 10 1180 '▾ b' faded
	h 10 1180 'h'
	a 10 1180 '▾ a'
	f 10 1180 'f'
	g 10 1180 'g'`);
	check(curves(), `
	M10 110V95H1190V110
	M10 148V133H1190V148
	M600 186V171H1190V186`);
	check(ticks(), "10 s, 12 s, 14 s, 16 s, 18 s, 20 s, 22 s, 24 s, 26 s, 28 s, 30 s");
	press("unzoom");
	check(lanes(), "▾ a, ▾ b, ▾ c");
	JS
}

@test "the details line shows a frame's exact times, and what a lane counts" {
	printf '%s\n' 'a;f 123456789' 'b 900000001' 'b;g 123400001' 'b 1' \
		'b;h 5' 'c 1;d 7' 'c;d 1200000000' |
		flamegraph --lanes --minwidth=0 --countname=ns > picture.svg
	holds picture.svg <<-'JS'
	check(hover("f"), "f · self 123 ms · total 123 ms · 8.53% · from 0 s to 0.123457 s");
	check(hover("g"), "g · self 123 ms · total 123 ms · 8.53% · from 0.9 s to 1.0234 s");
	check(hover("b"), "b · self 0 · total 123 ms · 8.53% · from 0.9 s to 1.0234 s");
	check(hover("all"), "all · self 0 · total 1.45 s · 100.00% · from 0 s to 1.2 s");
	JS
}

@test "a click on a lane's name and keys fold lanes, and sort them" {
	draw
	printf '%s\n' 'z;f 10' 'm 1' 'm;f 30' 'k 2' 'k;f 20' |
		flamegraph --lanes 2> /dev/null > orders.svg
	holds picture.svg orders.svg <<-'JS'
	const high = () => svg.getAttribute("height") + ": " + lanes();
	check(high(), "274: ▾ a, ▾ b, ▾ c");
	fold("a");
	check(high(), "242: ▸ a, ▾ b, ▾ c");
	check(seen("g").length, 0);
	fold("a");
	check(high(), "274: ▾ a, ▾ b, ▾ c");
	fold("b");
	press("reset");
	check(lanes() + query(), "▾ a, ▾ b, ▾ c");
	hover("h");
	key("l");
	check(lanes(), "▾ a, ▸ b, ▾ c");
	key("L");
	check(lanes(), "▸ a, ▸ b, ▸ c");
	fold("c");
	check(lanes(), "▸ a, ▸ b, ▾ c");
	key("L");
	check(lanes(), "▾ a, ▾ b, ▾ c");
	for (const order of ["?t=oname", "?t=ocount", ""]) {
		key("o");
		check(query(), order);
	}
	look(1);
	for (const sorted of ["▾ z, ▾ m, ▾ k", "▾ k, ▾ m, ▾ z",
	    "▾ m, ▾ k, ▾ z"]) {
		check(lanes(), sorted);
		key("o");
	}
	JS
}

@test "the address keeps the zoom and the folded lanes, in any order" {
	only_chromium 'files have no history there'
	draw
	holds picture.svg <<-'JS'
	fold("c");
	clickOne("h", 1);
	check(query(), "?x=70&y=7&t=lc");
	JS
	holds "<object class='picture' data='picture.svg?x=70&y=7&t=lc'></object>" \
	    <<-'JS'
	await wait(200);
	look(0);
	// from 70 to 100: c was there until 40
	check(names() + lanes(), "all b h i a f▾ a, ▾ b");
	press("reset");
	check(lanes(), "▾ a, ▾ b, ▾ c");
	JS
}

@test "a zoom to a lane below the window scrolls to it, and draws it first" {
	# a lane has 23 frames, and a zoom 22 of them; it is 54 pixels high
	awk 'BEGIN {
		for (i = 1; i <= 40; i++) {
			for (j = 1; j <= 20; j++)
				print "t" i ";half" i ";f" i "_" j, 1
			print "t" i ";rest", 20
		}
	}' | flamegraph --lanes > picture.svg
	holds picture.svg <<-'JS'
	const find = name => [...svg.querySelectorAll("#frames > g")]
	    .find(el => el.textContent.startsWith(name + " ("));
	const where = name => {
		const el = find(name), box = el && el.getBoundingClientRect();
		return el ? el.lastChild.textContent + " " +
		    (box.top >= 0 && box.bottom <= innerHeight) : "later";
	};
	check(where("half20"), "half20 false");
	mouse("click", find("half20").querySelector("rect"));
	check(["t20", "f20_1", "f20_20", "t1", "f1_20"].map(where),
	    "▾ t20 true,f20_1 true,f20_20 true,later,later");
	JS
}

@test "the last 11 of 60 lanes are shown by a click, and hidden by the next" {
	awk 'BEGIN {
		for (i = 1; i <= 60; i++)
			print "t" i ";f", 1000 - i
	}' | flamegraph --lanes > picture.svg
	holds picture.svg <<-'JS'
	const state = () => [laneNames().length, laneNames().pop(),
	    text("others").textContent, svg.getAttribute("height")];
	// 49 lanes of 38 pixels, and 11 more; folded, 16 less
	check(state(), "49,▾ t49,▸ others: 11 lanes, 17.87%,1996");
	press("others");
	check(state(), "60,▾ t60,▾ others: 11 lanes, 17.87%,2414");
	key("L");
	check(state(), "60,▸ t60,▾ others: 11 lanes, 17.87%,1454");
	key("x");
	check(state(), "49,▸ t49,▸ others: 11 lanes, 17.87%,1212");
	JS
}

@test "a zoom shows the lanes that count most in it, and the rest as others" {
	# 55 lanes; in a's time, from 0 to 100, t60 counts most, t1 least
	awk 'BEGIN {
		print "a;f", 100
		print "a;rest", 9900
		for (i = 1; i <= 60; i++) {
			print "t" i ";f", i
			print "t" i, 200 - i
			print "t" i ";g", 10000 - 100 * i
		}
	}' | flamegraph --lanes > picture.svg
	holds picture.svg <<-'JS'
	check(text("others").textContent.replace(/,.*/, ""),
	    "▸ others: 12 lanes");
	mouse("click", [...svg.querySelectorAll("#frames > g")].find(
	    ({ textContent }) => textContent.startsWith("f (100 ")));
	const all = laneNames().map(name => name.replace("▾ ", ""));
	check(all.slice(0, 4), "a,t60,t59,t58");
	check([all.length, all.pop()], "49,t13");
	// 78 of 100 and 1830
	check(text("others").textContent, "▸ others: 12 lanes, 4.04%");
	key("x");
	check(laneNames().length, 61);
	JS
}

@test "the axis, a lane's name and the pointer's time stay in the window" {
	# each lane is higher than the window
	awk 'BEGIN {
		for (i = 1; i <= 4; i++) {
			stack = "t" i
			for (j = 0; j < 30; j++)
				stack = stack ";f" j
			print stack, 100
		}
	}' | flamegraph --lanes --countname=ms > picture.svg
	holds "<iframe class='picture' src='picture.svg' width='1210' height='300'></iframe>" <<-'JS'
	const view = svg.ownerDocument.defaultView;
	await wait(50);
	const isIn = (element, from, to) => {
		const { top, bottom, height } = element.getBoundingClientRect();
		return height > 0 && top >= from && bottom <= to;
	};
	for (const y of [0, 700, 1300]) {
		view.scrollTo(0, y);
		view.dispatchEvent(new Event("scroll"));
		check(isIn(text("axis").querySelector("text"), 230, 300), true);
		const frame = at({ x: 600, y: 100, width: 0, height: 0 });
		mouse("mousemove", frame, { clientX: 600, clientY: 100 });
		const time = svg.querySelector("#axis .halo:last-child");
		check(time.textContent, "50 ms");
		check(isIn(time, 230, 300), true);
		const name = [...svg.querySelectorAll("text")].filter(element =>
		    /^(▾ )?t[1-4]$/.test(element.textContent) &&
		    isIn(element, 60, 270)).map(element =>
		    element.textContent.replace("▾ ", ""));
		check(name.length > 0, true);
	}
	// at the end it is where it was printed
	view.scrollTo(0, 9999);
	view.dispatchEvent(new Event("scroll"));
	check(text("axis").getAttribute("transform"), "translate(0 0)");
	JS
}

@test "a lane without content has no marker to fold it" {
	printf '%s\n' 'a;f 100000' 'b 5' 'b;g 1' 'b 99900' 'b;h 1' |
	    flamegraph --lanes --minwidth=0 > picture.svg 2> /dev/null
	holds picture.svg <<-'JS'
	check(lanes(), "▾ a, b");
	click("f");
	check(lanes(), "▾ a, b");
	JS
}

@test "a flame graph of lanes has no blank space above or below" {
	awk 'BEGIN { for (i = 1; i <= 40; i++) print "t" i ";f;g;h", 10 }' |
	    flamegraph --lanes > picture.svg
	holds "<iframe class='picture' src='picture.svg' width='1210' height='190'></iframe>" <<-'JS'
	const view = svg.ownerDocument.defaultView;
	view.scrollTo(0, 2000);
	// five rows of 16, and 40 lanes of 70 with a root
	for (const [height, frames] of [[176, 10], [2912, 4]]) {
		key("f");
		check(svg.getAttribute("height"), height);
		check(seen().length >= frames, true);
		check(svg.getBoundingClientRect().bottom >= 170, true);
	}
	JS
}

@test "a search in a zoom shows the share of its time" {
	draw
	holds picture.svg <<-'JS'
	key("/");
	// all: 85 + 20 of 155
	type("^f$");
	check(matched(), "Matched: 67.7% (105 samples, 3 found)");
	// from 10 to 30: 20 + 10 of 50
	clickOne("h", 0);
	check(matched(), "Matched: 60.0% (30 samples, 2 found)");
	type("b|c");
	check(matched(), "Matched: 60.0% (30 samples, 2 found)");
	type("g");
	check(matched(), "Matched: 40.0% (20 samples, 1 found)");
	JS
}

@test "merged, lanes are a flame graph, and lanes again" {
	draw
	holds picture.svg <<-'JS'
	hover("h");
	key("h");
	// b without h: its 20 are its own, the 30 are i's
	check(shown(), `
	all 10 1180 'all · 155 samples'
	a 10 647 'a'
	b 657 381 'b'
	c 1038 152 'c'
	f 10 647 'f'
	i 809 228 'i'
	f 1038 152 'f'
	g 429 228 'g'`);
	key("Escape");
	check(lanes(), "▾ a, ▾ b, ▾ c");
	key("r");
	check(names(), "all f g h i a c f b h a b");
	key("r");
	key("i");
	check(lanes(), "▾ a, ▾ b, ▾ c");
	check(names(), "f c i h h b g f f a all");
	JS
}

@test "lanes that hang, or fill the window, zoom as others do" {
	draw --inverted
	mv picture.svg hanging.svg
	draw --width=auto
	holds picture.svg hanging.svg <<-'JS'
	await wait(200);
	for (const picture of [0, 1]) {
		look(picture);
		clickOne("h", 0);
		const all = frame("all").box;
		check(seen().map(({ title, box }) =>
		    title.replace(/ .*/, "") + " " +
		    Math.round((box.x - all.x) / all.width * 20) + " " +
		    Math.round(box.width / all.width * 20)).sort(),
		    "a 0 20,all 0 20,b 0 20,c 10 10,f 0 20,f 10 10,g 0 20,h 0 20");
		check(lanes(), "▾ a, ▾ b, ▾ c");
	}
	JS
}
