# The viewer's numbers for functions, wherever they are called, in a browser.
load ../helper
load browser

setup_file() {
	needs_browser
	cd "$BATS_FILE_TMPDIR" || return
	cat > folded <<-'END'
	main;a;x 40
	main;a;y 20
	main;b;a;x 10
	main;b 20
	other 10
	END
	flamegraph folded > picture.svg
	# what changes of the picture are like, drawn by flamegraph
	flamegraph --reverse folded > reversed.svg
	flamegraph --inverted folded > inverted.svg
	sed 's/;b//' folded | flamegraph > hidden.svg
	grep -v b folded | flamegraph > dropped.svg
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR" || return
}

# Steps that list the rows of the table of functions.
STEPS='const table = () => [...svg.querySelectorAll("#top tr")].slice(1)
    .map(row => {
	const [name, ...sums] = [...row.children].map(cell => cell.textContent);
	return [...sums.slice(0, -1), name].join(" ");
    }).join("\n");'

@test "a function's other frames are outlined, and its sums shown" {
	holds picture.svg <<-'JS'
	const outlined = () => ["a", "b", "x", "y"].filter(name =>
	    seen(name).some(({ rect }) => {
		const { x, y, width, height } = rect.getBBox();
		return text("kin").isPointInFill(
		    new DOMPoint(x + width / 2, y + height / 2));
	    })).join();
	check(hover("a"), "a · self 0 · total 60 samples · 60.00% · in 2 places: self 0, total 70, 70.00%");
	check(outlined(), "a");
	check(hover("x"), "x · self 40 · total 40 samples · 40.00% · in 2 places: self 50, total 50, 50.00%");
	check(outlined(), "x");
	check(hover("b"), "b · self 20 · total 30 samples · 30.00%");
	check(outlined(), "");
	hover("a");
	leave("a");
	check(outlined(), "");
	JS
}

@test "t opens a table of functions: sorted, filtered, and searched from" {
	printf '%s\n' 'f;g;f;f 30' 'f;f 20' 'g 50' | flamegraph > recursive.svg
	holds picture.svg recursive.svg <<-'JS'
	const heads = () => [...svg.querySelectorAll("#top th button")];
	key("t");
	check(heads().map(({ textContent }) => textContent),
	    "self,total,places");
	const x = "50.00% 50 50.00% 50 2 x\n", y = "20.00% 20 20.00% 20 1 y\n";
	const b = "20.00% 20 30.00% 30 1 b\n", rest = y +
	    "10.00% 10 10.00% 10 1 other\n";
	const main = "0.00% 0 90.00% 90 1 main\n0.00% 0 70.00% 70 2 a\n";
	check(table(), x + b + rest + main);
	heads()[1].click();
	check(table(), main + x + b + rest);
	check(svg.querySelectorAll("#top th[aria-sort=descending]").length, 1);
	key("/", {}, svg.querySelector("#top div"));
	type("^[xy]");
	check(table(), x + y);
	[...svg.querySelectorAll("#top td:first-child button")][1].click();
	check([svg.querySelector("#top"), box().value, matched(), query()],
	    ",^y$,Matched: 20.0% (20 samples, 1 found),?s=%5Ey%24");
	// recursion counts once in a function's total
	look(1);
	key("t");
	check(table(), "50.00% 50 80.00% 80 2 g\n50.00% 50 50.00% 50 4 f");
	JS
}

@test "Top describes the view, says which, and offers callers and callees" {
	holds picture.svg <<-'JS'
	const heading = () => svg.querySelector("#top caption").textContent;
	const open = () => {
		key("t");
		return heading() + "\n" + table();
	};
	check(open().split("\n")[0], "Top of all: 100 samples");
	key("Escape");
	// main;b;a;x 10 and main;b 20; b's callers have all of it
	click("b");
	check(open(), `Top of b: 30 samples
	66.67% 20 100.00% 30 1 b
	33.33% 10 33.33% 10 1 x
	0.00% 0 100.00% 30 1 main
	0.00% 0 33.33% 10 1 a`.replace(/\t/g, ""));
	key("/");
	type("^[bx]");
	check(heading(), "Top of b, matches: 30 samples");
	press("search");
	// from x the stacks that end in it: main;a;x 40 and main;b;a;x 10
	svg.querySelectorAll("#top td:last-child button")[1].click();
	check(chips(), "× callers and callees of x");
	check(open(), `Top of all, callers and callees of x: 50 samples
	100.00% 50 100.00% 50 2 x
	0.00% 0 100.00% 50 2 a
	0.00% 0 100.00% 50 1 main
	0.00% 0 20.00% 10 1 b`.replace(/\t/g, ""));
	JS
}

@test "a right click opens a frame's menu, with what keys do to it" {
	holds picture.svg <<-'JS'
	let copied = "";
	Object.defineProperty(navigator, "clipboard", { value:
	    { writeText: async text => copied = text } });
	const items = () => [...svg.querySelectorAll("#menu div div button")];
	const open = (name, init) => {
		const { x, y } = frame(name).box;
		const event = new MouseEvent("contextmenu", { bubbles: true,
		    cancelable: true, clientX: x + 5, clientY: y + 5, ...init });
		at(frame(name).box).dispatchEvent(event);
		return event.defaultPrevented;
	};
	const choose = (name, item) => {
		check(open(name), true);
		items().find(({ textContent }) => textContent === item).click();
		const found = [chips(), query(), copied].join("|");
		check(svg.querySelector("#menu"), null);
		press("reset");
		press("unzoom");
		return found;
	};
	check(open("b", { shiftKey: true }), false);
	check(open("b"), true);
	check([...svg.querySelectorAll("#menu kbd")].map(({ textContent }) =>
	    textContent).join(" "), "Enter c h d m Ctrl-c y ");
	const { left, right, bottom } = svg.querySelector("#menu > div")
	    .getBoundingClientRect();
	check(left > 100 && right <= 1200 && bottom <= innerHeight, true);
	click("other");
	check(query(), "");
	check(choose("a", "zoom"), "all; main; a|?x=10&y=69|");
	check(choose("b", "callers and callees"),
	    "× callers and callees of b|?t=cb|");
	check(choose("b", "hide it, keep its callees"), "× without b|?t=hb|");
	check(choose("b", "drop it with its callees"),
	    "× without calls to b|?t=db|");
	check(choose("b", "merge recursion"), "× recursion merged: b|?t=mb|");
	check(choose("b", "search for it"), "|?s=%5Eb%24|");
	check(choose("b", "copy the stack"), "||main;b 30");
	check(choose("b", "copy the name"), "||b");
	JS
}

@test "the help's buttons act on the frame that was pointed at last" {
	holds picture.svg <<-'JS'
	const choose = words => [...svg.querySelectorAll("#keys button")]
	    .find(({ textContent }) => textContent === words).click();
	hover("b");
	leave("b");
	press("help");
	choose("callers and callees of b");
	check(chips(), "× callers and callees of b");
	press("reset");
	hover("y");
	const { group } = frame("y");
	key("?");
	mouse("mouseout", group);
	choose("without y");
	check(chips(), "× without y");
	JS
}

@test "a panel has a button to close it; a click beside it does, and no more" {
	holds picture.svg <<-'JS'
	const panels = () => svg.querySelectorAll("#keys, #top").length;
	for (const name of ["?", "t"]) {
		key(name);
		svg.querySelector(".close").click();
		check(panels(), 0);
		key(name);
		click("other");
		check(panels(), 0);
		check(query(), "");
	}
	// what is in it, and controls, act as they do
	key("t");
	mouse("click", svg.querySelector("#top td"));
	check(panels(), 1);
	press("help");
	check(svg.querySelector("#keys") !== null, true);
	press("help");
	check(panels(), 0);
	JS
}

@test "Reset Zoom leaves changes and search, Reset nothing; both say what is active" {
	holds picture.svg <<-'JS'
	const both = () => ["unzoom", "reset"].filter(isShown).join();
	check(both(), "");
	click("main");
	check(both(), "unzoom");
	hover("b");
	key("h");
	click("main");
	press("search");
	type("a");
	check(both(), "unzoom,reset");
	mouse("mouseover", text("reset"));
	check(details(), "Reset · zoom to main · without b · search for a");
	mouse("mouseout", text("reset"));
	check(details(), "");
	press("unzoom");
	check(both() + query(), "reset?t=hb&s=a");
	press("reset");
	check(both() + query() + box(), "null");
	JS
}

@test "c shows a function's callers below it, and its callees on it" {
	printf '%s\n' 'f;a;b;c 50' 'd;e;g;f 50' | flamegraph > high.svg
	holds picture.svg high.svg <<-'JS'
	hover("a");
	check(key("c"), true);
	// 50 and 20 of 70 above, 60 and 10 of 70 below
	check(shown(), `
	main 10 169 'main'
	b 10 169 'b'
	main 179 1011 'main'
	a 10 1180 'a'
	x 10 843 'x'
	y 853 337 'y'`);
	check(hover("main"), "main · self 10 · total 10 samples · 14.29%");
	mouse("click", frame("b").rect);
	check(shown(), `
	main 10 1180 'main'
	b 10 1180 'b'
	a 10 1180 'a' faded`);
	check(chips(), "a; b; × callers and callees of a");
	svg.querySelector("#bar button").click();
	check(names() + query(), "main b main a x y?t=ca");
	click("y");
	check(query(), "?x=50&y=1&t=ca");
	key("Escape");
	check(names() + query(), "main b main a x y?t=ca");
	key("Escape");
	check(seen().length + query(), "9");
	// the picture grows: it has 5 rows, and then 3 above f, and 3 below
	look(1);
	const size = () => svg.getBoundingClientRect().height;
	check(size(), 150);
	hover("f");
	key("c");
	check(size() + names(), "182d e g f a b c");
	key("Escape");
	check(size(), 150);
	JS
}

@test "r, i, h, d and m change a picture as flamegraph draws it changed" {
	printf '%s\n' 'f;g;f;h 30' 'f;g 20' 'f;h 10' 'k 40' |
	    flamegraph > recursive.svg
	printf '%s\n' 'f;h 40' 'f;g 20' 'k 40' | flamegraph > merged.svg
	holds {picture,reversed,inverted,hidden,dropped,recursive,merged}.svg \
	    <<-'JS'
	// the root has a label once a picture is changed
	const places = () => shown().replace(/ '.*'$/gm, "");
	const expected = number => {
		look(number);
		return places();
	};
	const changed = (name, by, from = 0) => {
		look(from);
		hover(name);
		key(by);
		const found = places();
		key("Escape");
		return found;
	};
	check(changed("b", "r"), expected(1));
	check(changed("b", "i"), expected(2));
	check(changed("b", "h"), expected(3));
	check(changed("b", "d"), expected(4));
	check(changed("f", "m", 5), expected(6));
	look(0);
	hover("b");
	key("d");
	check(hover("a"), "a · self 0 · total 60 samples · 85.71%");
	key("Escape");
	key("i");
	click("b");
	check(query(), "?x=60&y=2&t=i");
	key("i");
	check(names() + query(), "all main b a x?x=718&y=69");
	JS
}

@test "b sorts siblings by size as --sort=size does, and back" {
	printf '%s\n' 'a;c 1' 'a;b 5' 'a;d 5' 'b;x 30' 'c 9' > sizes
	flamegraph sizes > names.svg
	flamegraph --sort=size sizes > sizes.svg
	holds names.svg sizes.svg <<-'JS'
	const places = () => shown().replace(/ '.*'$/gm, "");
	const byName = places();
	key("b");
	check(chips(), "× siblings by size");
	const bySize = places();
	key("r");
	check(names(), "all x c b d b a a a");
	look(1);
	check(places(), bySize);
	key("b");
	check(chips(), "× siblings by name");
	check(places(), byName);
	JS
}

@test "a search keeps the stacks that match, or hides the frames" {
	grep y folded | flamegraph > kept.svg
	sed -e 's/;[ab]//g' folded | flamegraph > without.svg
	holds picture.svg kept.svg without.svg \
	    "<object class='picture' data='picture.svg?t=KY'></object>" <<-'JS'
	const places = () => shown().replace(/ '.*'$/gm, "");
	const search = (term, choose) => {
		key("/");
		type(term);
		// what does not match is dim
		check(getComputedStyle(frame("other").rect).opacity, "0.55");
		choose();
		check([box(), matched()], ",");
		check(getComputedStyle(seen()[0].rect).opacity, "1");
	};
	const click = name => [...svg.querySelectorAll("#searchbox button")]
	    .find(({ textContent }) => textContent === name).click();
	key("K");
	check(query(), "");
	search("y", () => click("keep"));
	const kept = places();
	check(chips() + query(), "× only y?t=ky");
	key("Escape");
	search("^[ab]$", () => {
		svg.focus();
		key("H");
	});
	const hidden = places();
	check(chips(), "× without /^[ab]$");
	look(1);
	check(kept, places());
	look(2);
	check(hidden, places());
	look(3);
	check(kept, places());
	check(chips(), "× only (any case) Y");
	JS
}

@test "changes are chips to remove, steps of the browser's, and in the URL" {
	holds picture.svg <<-'JS'
	const state = () => chips() + query();
	// so are the steps of a zoom, which lead back
	click("y");
	check(chips(), "all; main; a; y");
	svg.querySelectorAll("#bar button")[1].click();
	check(chips() + seen().length, "all; main8");
	svg.querySelector("#bar button").click();
	check(chips(), "");
	hover("b");
	key("h");
	check(state(), "× without b?t=hb");
	key("r");
	check(state(), "× without b; × from the leaves?t=hb%0Ar");
	svg.querySelector("#bar button").click();
	check(state(), "× from the leaves?t=r");
	await walk(-1);
	check(state(), "× without b; × from the leaves?t=hb%0Ar");
	await walk(-2);
	check(state() + seen().length, "9");
	await walk(1);
	check(state(), "× without b?t=hb");
	JS
}

@test "a URL opens the picture changed and zoomed" {
	holds "<object class='picture' data='picture.svg?t=hb%0Ai&x=30&y=2'></object>" \
	    "<object class='picture' data='picture.svg?t=qx%0Acnothing%0Ah'></object>" \
	    "<object class='picture' data='picture.svg?y=1&t=ca'></object>" <<-'JS'
	// main has 20 itself before a's 70; x begins at 0
	check(shown(), `
	x 10 843 'x'
	y 853 337 'y'
	a 10 1180 'a'
	main 10 1180 'main' faded
	all 10 1180 'all · 100 samples' faded`);
	look(1);
	check(seen().length, 9);
	click("b");
	check(seen().length, 5);
	look(2);
	check(names(), "a x");
	JS
}

@test "y copies the stack, e saves what is shown as folded text" {
	printf '%s\n' 'main;a 12;b 5' 'main;a 12;c 3' | flamegraph > numbers.svg
	holds picture.svg numbers.svg <<-'JS'
	let copied;
	Object.defineProperty(navigator, "clipboard", { value:
	    { writeText: async text => copied = text } });
	const stack = name => {
		hover(name);
		key("y");
		return copied;
	};
	check(stack("y"), "main;a;y 20");
	check(saved(), `
	main;a;x 40
	main;a;y 20
	main;b 20
	main;b;a;x 10
	other 10`);
	click("main");
	hover("b");
	key("h");
	check(saved(), "main 20\nmain;a;x 50\nmain;a;y 20\nother 10");
	key("Escape");
	click("b");
	check(saved(), "main;b 20\nmain;b;a;x 10");
	key("r");
	check(saved(), `
	b;main 20
	other 10
	x;a;b;main 10
	x;a;main 40
	y;a;main 20`);
	check(stack("y"), "y 20");
	// a name that ends in a number is no count
	look(1);
	check(stack("a 12"), "main;a_12 8");
	hover("b");
	key("h");
	check(saved(), "main;a 12;c 3\nmain;a_12 5");
	JS
}

@test "a differential's changes add up over callers" {
	printf '%s\n' 'p;f 10 40' 'q;f 30 20' 'r 60 60' | flamegraph > two.svg
	printf '%s\n' 'p;f 10 40' 'p;f;g 5 25' 'q;f 30 20' |
	    flamegraph > three.svg
	holds two.svg three.svg <<-'JS'
	key("t");
	// of 120, and of f's 60
	check(table(), `
	50.00% 60 50.00% 60 16.67% 20 2 f
	50.00% 60 50.00% 60 0.00% 0 1 r
	0.00% 0 33.33% 40 25.00% 30 1 p
	0.00% 0 16.67% 20 -8.33% -10 1 q`);
	key("Escape");
	hover("f");
	key("c");
	check(seen().map(({ title }) => title.split("\n")[0]).join("\n"), `
	p (40 samples, 66.67%; +50.00%)
	q (20 samples, 33.33%; -16.67%)
	f (60 samples, 100.00%; +33.33%)`);
	const [r, g, b] = getComputedStyle(frame("p").rect).fill
	    .match(/\d+/g).map(Number);
	check(r === 255 && g === b && g < 255, true);
	// a function's change is its own: 60 less 40, of 85
	look(1);
	hover("f");
	key("c");
	const change = "f (85 samples, 100.00%; +23.53%)";
	check(frame("f").title, change);
	click("p");
	check(frame("f").title, change);
	JS
}

@test "e saves both counts of a differential, whatever its widths are" {
	printf '%s\n' 'main 7 7' 'main;a 10 40' 'main;b 30 20' > changes
	local widths
	for widths in before after sum change; do
		flamegraph --widths=$widths changes > $widths.svg
	done
	in_browser {before,after,sum,change}.svg > said <<-'JS'
	for (let i = 0; i < 4; i++) {
		look(i);
		say(saved());
	}
	JS
	cat changes changes changes changes | diff - said
}

# Of n1 to n9 the first ones are left out; they had 1 count before and have 2.
@test "changes of frames that are too narrow to be printed are not lost" {
	{
		printf '%s\n' 'a;b 99000 98000' 'a 500 400'
		printf 'a;c;n%s 1 2\n' 1 2 3 4 5 6 7 8 9
	} | flamegraph --minwidth=1 > narrow.svg
	holds narrow.svg <<-'JS'
	// 500 + 9 and 400 + 18; of 418 that are left
	check(saved(), "a 509 418\na;b 99000 98000");
	hover("b");
	key("d");
	key("t");
	check(table(), "95.69% 400 100.00% 418 -21.77% -91 1 a");
	JS
}
