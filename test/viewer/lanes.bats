# Lanes in a real browser: zoom in time, folding, order and the others.
load ../helper
load browser

setup() {
	[ -n "$chromium" ] || skip
	cd "$BATS_TEST_TMPDIR" || return
}

# Three threads: the second begins at 10, the third at 20; one count is 11.8
# pixels.
draw() {
	printf '%s\n' 'a;f;g 30' 'a;f 5' 'a 15' 'a;f 50' \
		'b 10' 'b;h 20' 'b 40' 'b;h;i 30' 'c 20' 'c;f 20' |
		flamegraph --lanes --axis=s "$@" > picture.svg 2> /dev/null
}

# What steps ask for besides show(): the names of lanes from top to bottom.
helpers='
const names = () => [...svg.querySelectorAll("#frames > g[data-lane] > text")]
    .map(el => [el.getBoundingClientRect().y, el.textContent])
    .sort(([a], [b]) => a - b).map(([, s]) => s);
const lanes = () => say(names().join(", "));
const nameOf = name => [...svg.querySelectorAll("#frames > [data-lane] > text")]
    .find(el => el.textContent.slice(2) === name);
const fold = name => mouse("click", nameOf(name));
const ticks = () => say([...svg.querySelectorAll("#axis text")]
    .map(({ textContent }) => textContent).join(", "));
'

@test "a click on a frame shows its time in all lanes that are there then" {
	draw
	in_browser picture.svg > said <<-JS
	$helpers
	show();
	mouse("click", at(seen().filter(({ title }) =>
	    title.startsWith("h ("))[0].box));
	show();
	ticks();
	press("unzoom");
	lanes();
	JS
	# from 10 to 30: a count is 59 pixels
	diff - said <<-'END'
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
	g 10 354 'g'
	all 10 1180 'all' faded
	c 600 590 '▾ c'
	f 600 590 'f'
	b 10 1180 '▾ b' faded
	h 10 1180 'h'
	a 10 1180 '▾ a'
	f 10 1180 'f'
	g 10 1180 'g'
	10 s, 12 s, 14 s, 16 s, 18 s, 20 s, 22 s, 24 s, 26 s, 28 s, 30 s
	▾ a, ▾ b, ▾ c
	END
}

@test "the line tells the exact times of a frame, and what a lane counts" {
	printf '%s\n' 'a;f 123456789' 'b 900000001' 'b;g 123400001' 'b 1' \
		'b;h 5' 'c 1;d 7' 'c;d 1200000000' |
		flamegraph --lanes --minwidth=0 --countname=ns > picture.svg
	in_browser picture.svg > said <<-'JS'
	for (const name of ["f", "g", "b", "all"]) {
		hover(name);
		say(text("details").textContent);
	}
	JS
	diff - said <<-'END'
	123,456,789 ns, 8.53%, self 123,456,789, 8.53%, from 0 s to 0.123457 s; Function: f
	123,400,001 ns, 8.53%, self 123,400,001, 8.53%, from 0.9 s to 1.0234 s; Function: g
	123,400,006 ns, 8.53%, self 0, 0.00%, from 0.9 s to 1.0234 s; Function: b
	1,446,856,802 ns, 100.00%, self 0, 0.00%, from 0 s to 1.2 s; Function: all
	END
}

@test "a click on a lane's name folds it, and another one opens it" {
	draw
	in_browser picture.svg > said <<-JS
	$helpers
	const high = () => say(svg.getAttribute("height"));
	high();
	fold("a");
	lanes();
	say(seen().some(({ title }) => title.startsWith("g ")));
	high();
	fold("a");
	lanes();
	high();
	fold("b");
	press("unzoom");
	lanes();
	say(query());
	JS
	diff - said <<-'END'
	274
	▸ a, ▾ b, ▾ c
	false
	242
	▾ a, ▾ b, ▾ c
	274
	▾ a, ▾ b, ▾ c

	END
}

@test "keys fold lanes and sort them" {
	draw
	in_browser picture.svg > said <<-JS
	$helpers
	hover("h");
	key("l");
	lanes();
	key("L");
	lanes();
	fold("c");
	lanes();
	key("L");
	lanes();
	for (const order of ["name", "count", "first"]) {
		key("o");
		lanes();
		say(query());
	}
	JS
	diff - said <<-'END'
	▾ a, ▸ b, ▾ c
	▸ a, ▸ b, ▸ c
	▸ a, ▸ b, ▾ c
	▾ a, ▾ b, ▾ c
	▾ a, ▾ b, ▾ c
	?t=oname
	▾ a, ▾ b, ▾ c
	?t=ocount
	▾ a, ▾ b, ▾ c

	END
	printf '%s\n' 'z;f 10' 'm 1' 'm;f 30' 'k 2' 'k;f 20' |
		flamegraph --lanes 2> /dev/null > picture.svg
	in_browser picture.svg > said <<-JS
	$helpers
	for (const order of ["first", "name", "count"]) {
		lanes();
		key("o");
	}
	JS
	diff - said <<-'END'
	▾ z, ▾ m, ▾ k
	▾ k, ▾ m, ▾ z
	▾ m, ▾ k, ▾ z
	END
}

@test "the address has the zoom and what lanes are folded, in any order" {
	only_chromium 'files have no history there'
	draw
	{
		in_browser picture.svg <<-JS
		$helpers
		fold("c");
		mouse("click", at(seen().filter(({ title }) =>
		    title.startsWith("h ("))[1].box));
		say(query());
		JS
	} > said
	QUERY=$(cat said)
	[ "$QUERY" = '?x=70&y=7&t=lc' ]
	QUERY='' in_browser "<object class='picture' \
		data='picture.svg?x=70&y=7&t=lc'></object>" > said <<-JS
	setTimeout(() => {
		look(0);
		$helpers
		show();
		lanes();
		press("unzoom");
		lanes();
	}, 200);
	JS
	# from 70 to 100: c was there until 40
	diff - said <<-'END'
	all 10 1180 'all' faded
	b 10 1180 '▾ b' faded
	h 10 1180 'h'
	i 10 1180 'i'
	a 10 1180 '▾ a'
	f 10 1180 'f'
	▾ a, ▾ b
	▾ a, ▾ b, ▾ c
	END
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
	in_browser picture.svg > said <<-JS
	$helpers
	const find = name => [...svg.querySelectorAll("#frames > g")]
	    .find(el => el.textContent.startsWith(name + " ("));
	const tell = name => {
		const el = find(name), box = el && el.getBoundingClientRect();
		say(name + (el ? " " + el.lastChild.textContent + " " +
		    (box.top >= 0 && box.bottom <= innerHeight) : " later"));
	};
	tell("half20");
	mouse("click", find("half20").querySelector("rect"));
	["t20", "f20_1", "f20_20", "t1", "f1_20"].forEach(tell);
	JS
	diff - said <<-'END'
	half20 half20 false
	t20 ▾ t20 true
	f20_1 f20_1 true
	f20_20 f20_20 true
	t1 later
	f1_20 later
	END
}

@test "the others are shown by a click, and hidden by the next" {
	awk 'BEGIN {
		for (i = 1; i <= 60; i++)
			print "t" i ";f", 1000 - i
	}' | flamegraph --lanes > picture.svg
	in_browser picture.svg > said <<-JS
	$helpers
	const tell = () => say(names().length + " " + names().pop() + ", " +
	    text("others").textContent + ", " + svg.getAttribute("height"));
	tell();
	press("others");
	tell();
	key("L");
	tell();
	key("x");
	tell();
	JS
	# 49 lanes of 38 pixels, and 11 more; folded, 16 less
	diff - said <<-'END'
	49 ▾ t49, ▸ others: 11 lanes, 17.87%, 1996
	60 ▾ t60, ▾ others: 11 lanes, 17.87%, 2414
	60 ▸ t60, ▾ others: 11 lanes, 17.87%, 1454
	49 ▸ t49, ▸ others: 11 lanes, 17.87%, 1212
	END
}

@test "a search in a zoom tells the share of its time" {
	draw
	in_browser picture.svg > said <<-JS
	const found = () => say(text("matched").textContent);
	key("/");
	type("^f\$");
	found();
	mouse("click", at(seen().filter(({ title }) =>
	    title.startsWith("h ("))[0].box));
	found();
	type("b|c");
	found();
	type("g");
	found();
	JS
	# all: 85 + 20 of 155; from 10 to 30: 20 + 10 of 50
	diff - said <<-'END'
	Matched: 67.7% (105 samples, 3 found)
	Matched: 60.0% (30 samples, 2 found)
	Matched: 60.0% (30 samples, 2 found)
	Matched: 40.0% (20 samples, 1 found)
	END
}

@test "merged, lanes are a flame graph, and lanes again" {
	draw
	in_browser picture.svg > said <<-JS
	$helpers
	hover("h");
	key("h");
	show();
	key("Escape");
	lanes();
	key("r");
	say(seen().map(({ title }) => title.replace(/ .*/, "")).join(" "));
	key("r");
	key("i");
	lanes();
	say(seen().map(({ title }) => title.replace(/ .*/, "")).join(" "));
	JS
	# b without h: its 20 are its own, the 30 are i's
	diff - said <<-'END'
	all 10 1180 'all'
	a 10 647 'a'
	b 657 381 'b'
	c 1038 152 'c'
	f 10 647 'f'
	i 809 228 'i'
	f 1038 152 'f'
	g 429 228 'g'
	▾ a, ▾ b, ▾ c
	all f g h i a c f b h a b
	▾ a, ▾ b, ▾ c
	f c i h h b g f f a all
	END
}

@test "lanes that hang, or fill the window, zoom as others do" {
	local option
	for option in --inverted --width=auto; do
		draw $option
		in_browser picture.svg > said <<-JS
		$helpers
		setTimeout(() => {
			mouse("click", at(seen().filter(({ title }) =>
			    title.startsWith("h ("))[0].box));
			const all = frame("all").box;
			say(seen().map(({ title, box }) =>
			    title.replace(/ .*/, "") + " " +
			    Math.round((box.x - all.x) / all.width * 20) + " " +
			    Math.round(box.width / all.width * 20)).sort()
			    .join("\n"));
			lanes();
		}, 200);
		JS
		diff - said <<-'END'
		a 0 20
		all 0 20
		b 0 20
		c 10 10
		f 0 20
		f 10 10
		g 0 20
		h 0 20
		▾ a, ▾ b, ▾ c
		END
	done
}

@test "the curve of a lane is the part of the time in which it has stacks" {
	draw
	in_browser picture.svg > said <<-JS
	const curves = () => svg.querySelectorAll("#frames > [data-lane] > path")
	    .forEach(el => say(el.getAttribute("d")));
	curves();
	mouse("click", at(seen().filter(({ title }) =>
	    title.startsWith("h ("))[0].box));
	curves();
	JS
	# a is at 37 + 2 * 16; until 30 a and b have stacks, and c from 20 on
	diff - said <<-'END'
	M10 110V95H423V110M600 110V95H1190V110
	M128 164V149H364V164M836 164V149H1190V164
	M246 202V187H482V202
	M10 110V95H1190V110
	M10 148V133H1190V148
	M600 186V171H1190V186
	END
}

@test "a page of folded lanes that was saved opens with all of them" {
	awk 'BEGIN {
		for (i = 1; i <= 60; i++)
			print "t" i ";f", 1000 - i
	}' | flamegraph --lanes --axis=s > picture.svg
	dump picture.svg '?t=L%0Ax' > saved.svg
	{
		echo '<?xml version="1.0"?>'
		cat saved.svg
	} > again.svg
	for picture in picture again; do
		in_browser $picture.svg <<-JS > $picture
		$helpers
		setTimeout(() => {
			lanes();
			ticks();
			for (const el of [svg, text("canvas"), text("others")])
				say(el.getAttribute("height") + " " +
				    el.getBoundingClientRect().bottom);
			say(text("axis").getBoundingClientRect().bottom +
			    text("others").textContent);
		}, 200);
		JS
	done
	[ "$(wc -l < picture)" -eq 6 ]
	diff picture again
}
