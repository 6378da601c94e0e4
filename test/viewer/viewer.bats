# The viewer in a real browser: what a reader sees after clicks and keys.
load ../helper
load browser

setup_file() {
	needs_browser
}

draw() {
	flamegraph "$@" > picture.svg <<-'END'
	main;a;x 40
	main;a;y 20
	main;b 30
	other 10
	END
}

# The picture as a document of its own, with a query.
embed() {
	echo "<object class='picture' data='picture.svg${1-}'></object>"
}

@test "a click zooms; a faded ancestor, Reset Zoom and the root lead back" {
	draw
	holds picture.svg <<-'JS'
	const markup = () => svg.querySelector("#frames").innerHTML +
	    isShown("unzoom");
	const before = markup();
	check(isShown("unzoom"), false);
	check(shown(), `
	all 10 1180 ''
	main 10 1062 'main'
	other 1072 118 'other'
	a 10 708 'a'
	b 718 354 'b'
	x 10 472 'x'
	y 482 236 'y'`);
	click("a");
	check(isShown("unzoom"), true);
	check(shown(), `
	all 10 1180 'all · 100 samples' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x'
	y 797 393 'y'`);
	click("y");
	check(names(), "all main a y");
	click("main");
	check(shown(), `
	all 10 1180 'all · 100 samples' faded
	main 10 1180 'main'
	a 10 787 'a'
	b 797 393 'b'
	x 10 524 'x'
	y 534 262 'y'`);
	press("unzoom");
	check(markup(), before);
	click("b");
	check(names(), "all main b");
	click("all");
	check(markup(), before);
	JS
}

@test "an inverted picture zooms downwards, a flame chart to one of two frames" {
	draw --inverted
	printf '%s\n' 'run;step;early 30' 'wait 40' 'run;step;late 30' |
	    flamegraph --flamechart > chart.svg
	holds picture.svg chart.svg <<-'JS'
	check(names(), "x y a b main other all");
	click("a");
	check(shown(), `
	x 10 787 'x'
	y 797 393 'y'
	a 10 1180 'a'
	main 10 1180 'main' faded
	all 10 1180 'all · 100 samples' faded`);
	look(1);
	mouse("click", at(seen().filter(({ title }) =>
	    title.startsWith("step"))[1].box));
	check(names(), "all run step late");
	JS
}

@test "names in any script are shown in full where they fit, found, and cut" {
	local long
	long=$(printf 'wort%.0s' $(seq 1250))
	printf '%s\n' 'main;שלום_עולם 300' 'main;مرحبا 200' \
	    'main;👩‍👩‍👧‍👦👍🏽 100' "main;$long 200" 'main;日本語の関数名 200' |
	    flamegraph > picture.svg
	holds picture.svg <<-'JS'
	const label = name => frame(name).group.querySelector("text").textContent;
	const gap = name => frame(name).box.right -
	    frame(name).text.getBoundingClientRect().right;
	const [long, whole] = ["wort".repeat(1250),
	    ["שלום_עולם", "مرحبا", "👩‍👩‍👧‍👦👍🏽", "日本語の関数名"]];
	const isCut = () => check(/^(wort)+[wor]*\.\.$/.test(label(long)) &&
	    gap(long) >= 0 && gap(long) < 12, true);
	click("main");
	press("search");
	for (const name of whole) {
		check(label(name), name);
		check(gap(name) >= 0, true);
		type(name);
		check(/, 1 found/.test(matched()), true);
	}
	press("search");
	isCut();
	const { length } = label(long);
	click(long);
	isCut();
	check(label(long).length > length, true);
	JS
}

@test "a search follows the typing, counts nested matches once, outlives zooms" {
	draw
	holds picture.svg <<-'JS'
	const found = () => shown().split("\n").filter(line => / match/
	    .test(line)).map(line => line.split(" ")[0]) + " " + matched();
	press("search");
	type("^(a|x|other)$");
	check(text("search").textContent, "Reset Search");
	check(found(), "other,a,x Matched: 70.0% (70 samples, 3 found)");
	type("^y");
	check(found(), "y Matched: 20.0% (20 samples, 1 found)");
	click("a");
	check(found(), "y Matched: 33.3% (20 samples, 1 found)");
	type("^x");
	check(found(), "x Matched: 66.7% (40 samples, 1 found)");
	click("y");
	check(found(), " Matched: 0.0% (0 samples, 0 found)");
	type("^a$");
	check(found(), "a Matched: 100% (20 samples, 1 found)");
	press("unzoom");
	check(found(), "a Matched: 60.0% (60 samples, 1 found)");
	type("all");
	check(found(), "all Matched: 100% (100 samples, 1 found)");
	press("search");
	check(found(), "");
	check(text("search").textContent, "Search");
	check(box(), null);
	JS
}

@test "a pattern that ends in \$ means the name, a broken one itself, in any case" {
	printf '%s\n' 'f(x;foo 10' 'f(x;foobar 20' 'g[0 30' 'h 40' |
	    flamegraph > picture.svg
	holds picture.svg <<-'JS'
	press("search");
	for (const [term, share] of [["foo$", "10.0"], ["f(x", "30.0"],
	    ["[0", "30.0"], ["^h$", "40.0"], ["40 samples", "0.0"]]) {
		type(term);
		check(matched().match(/: (.*)%/)[1], share);
	}
	type("FOO|foobar");
	const state = () => matched() + query() +
	    getComputedStyle(text("ignorecase")).fontWeight;
	check(state(),
	    "Matched: 20.0% (20 samples, 1 found)?s=FOO%7Cfoobar400");
	press("ignorecase");
	check(state(),
	    "Matched: 30.0% (30 samples, 2 found)?s=FOO%7Cfoobar&i=1700");
	check(key("i", { ctrlKey: true }), true);
	check(state(),
	    "Matched: 20.0% (20 samples, 1 found)?s=FOO%7Cfoobar400");
	JS
}

@test "a pattern that takes twice as long with each character is given up" {
	printf '%050d! 10\nmain 30\n' 0 | flamegraph > picture.svg
	# the clock of a test stands still
	holds picture.svg <<-'JS'
	let clock = 0;
	performance.now = () => clock += 200;
	press("search");
	type("(0+)+$");
	check(matched(), "The pattern is too slow");
	type("main");
	check(matched(), "Matched: 75.0% (30 samples, 1 found)");
	JS
}

@test "Ctrl-F, F3 and / search, ? shows the keys, and Escape leaves both" {
	draw
	holds "$(embed)" <<-'JS'
	const panel = () => svg.querySelector("#keys div");
	const isFocused = () => box() !== null &&
	    svg.ownerDocument.activeElement === box();
	check(key("f"), false);
	check(box(), null);
	for (const [name, init] of [["f", { ctrlKey: true }], ["F3"], ["/"]]) {
		check(key(name, init), true);
		check(isFocused(), true);
		check(box().value, "");
		type("x");
		check(svg.querySelectorAll(".match").length, 1);
		check(key("?", {}, box()), false);
		check(key("Escape", {}, box()), true);
		check(box(), null);
		check(svg.querySelectorAll(".match").length, 0);
	}
	check(key("I", { ctrlKey: true, shiftKey: true }), false);
	for (const leave of ["?", "Escape"]) {
		check(key("?"), true);
		check(panel().contains(at(panel().getBoundingClientRect())),
		    true);
		check(panel().textContent.includes("search"), true);
		key(leave, {}, panel());
		check(panel(), null);
	}
	JS
}

@test "Enter, Shift-Enter, n and N step through the matches, and to them" {
	draw
	holds '<p style="height: 3000px"></p>' picture.svg <<-'JS'
	const at = () => ringed() + matched().replace(/.*,/, ",");
	press("search");
	type("^(a|x|other)$");
	check(at(), ", 3 found)");
	scrollTo(0, 0);
	for (const [name, expected, shiftKey] of [
	    ["Enter", "a, 1 of 3)"], ["Enter", "x, 2 of 3)"],
	    ["Enter", "other, 3 of 3)"], ["Enter", "a, 1 of 3)"],
	    ["Enter", "other, 3 of 3)", true], ["n", "a, 1 of 3)"],
	    ["N", "other, 3 of 3)", true]]) {
		key(name, { shiftKey }, name === "Enter" ? box() : svg);
		check(at(), expected);
		check(scrollY > 1000, true);
	}
	check(key("n", {}, box()), false);
	click("a");
	check(at(), "a, 1 of 2)");
	key("n");
	check(at(), "x, 2 of 2)");
	key("n");
	check(at(), "a, 1 of 2)");
	JS
}

@test "arrows move the ring up, down and sideways, Enter zooms to it" {
	draw --inverted
	mv picture.svg inverted.svg
	draw
	holds picture.svg inverted.svg <<-'JS'
	const go = (keys, name) => {
		for (const arrow of keys.split(" "))
			key("Arrow" + arrow);
		check(ringed(), name);
		check(details().startsWith(name + " · "), true);
	};
	go("Up", "all");
	go("Up", "main");
	go("Right", "other");
	go("Right", "other");
	go("Left Up", "a");
	go("Up", "x");
	go("Right", "y");
	go("Down", "a");
	key("Enter");
	check(names(), "all main a x y");
	check(ringed(), "a");
	go("Right", "a");
	go("Up", "x");
	go("Down Down", "main");
	look(1);
	go("Up", "all");
	go("Down", "main");
	JS
}

@test "Escape and Backspace go back from zoom to zoom" {
	draw
	echo 'main 1000' | flamegraph > one.svg
	holds picture.svg one.svg <<-'JS'
	check(key("Backspace"), false);
	click("main");
	click("a");
	click("y");
	for (const [name, left] of [["Escape", "all main a x y"],
	    ["Backspace", "all main a b x y"],
	    ["Escape", "all main other a b x y"]]) {
		key(name);
		check(names(), left);
	}
	check(isShown("unzoom"), false);
	check(key("Escape"), false);
	look(1);
	click("main");
	check(shown(), "all 10 1180 'all · 1,000 samples' faded\nmain 10 1180 'main'");
	key("ArrowDown");
	key("ArrowDown");
	check(ringed(), "all");
	key("Enter");
	check(isShown("unzoom"), false);
	JS
}

@test "the URL keeps zoom and search, and nothing of the page's is lost" {
	draw
	QUERY='?page=3&q=a+b#part' holds picture.svg <<-'JS'
	check(query(), "?page=3&q=a+b");
	click("y");
	check(query(), "?page=3&q=a+b&x=482&y=37");
	press("search");
	type("a+ b&c");
	check(query(), "?page=3&q=a+b&x=482&y=37&s=a%2B%20b%26c");
	press("unzoom");
	check(query(), "?page=3&q=a+b&s=a%2B%20b%26c");
	press("search");
	check(query() + location.hash, "?page=3&q=a+b#part");
	JS
}

@test "a URL opens the picture zoomed and searched, in a page or not" {
	draw
	holds "$(embed '?x=10.0&y=53.0&s=%5EX$&i=1')" \
	    "$(embed '?x=11&y=53&s=')" <<-'JS'
	check(shown(), `
	all 10 1180 'all · 100 samples' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x' match
	y 797 393 'y'`);
	check(matched(), "Matched: 66.7% (40 samples, 1 found)");
	check(box().value + isShown("unzoom"), "^X$true");
	look(1);
	check(seen().length + " " + isShown("unzoom") + " " + box(),
	    "7 false null");
	JS
}

@test "the browser's back and forward walk from zoom to zoom" {
	draw
	holds picture.svg <<-'JS'
	const state = () => query() + " " + seen().length;
	click("a");
	check(state(), "?x=10&y=53 5");
	// a step is in the URL soon after it is seen, too
	click("y");
	press("search");
	type("y");
	await wait(400);
	check(location.search, "?x=482&y=37&s=y");
	await walk(-1);
	check(state(), "?x=10&y=53&s=y 5");
	await walk(-1);
	check(state(), "?s=y 7");
	await walk(2);
	check(state() + matched(),
	    "?x=482&y=37&s=y 4Matched: 100% (20 samples, 1 found)");
	// a search that was cleared does not come back
	press("search");
	await walk(-1);
	check(state() + box(), "?x=10&y=53 5null");
	JS
}

@test "--search opens the picture with a search, unless the URL has one" {
	draw --search='^[ab]&'
	mv picture.svg odd.svg
	draw --search='^[ab]$'
	holds picture.svg odd.svg "$(embed)" "$(embed '?s=other')" \
	    "$(embed '?s=')" <<-'JS'
	look(1);
	check(box().value + matched(),
	    "^[ab]&Matched: 0.0% (0 samples, 0 found)");
	look(2);
	check(shown().match(/.*match/g), "a 10 708 'a' match,b 718 354 'b' match");
	check(matched() + query(), "Matched: 90.0% (90 samples, 2 found)");
	press("search");
	check(box(), null);
	look(3);
	check(matched(), "Matched: 10.0% (10 samples, 1 found)");
	// one that was cleared stays so
	look(4);
	check(box(), null);
	look(0);
	press("search");
	check(query(), "?s=");
	JS
}

@test "a link is followed by click and Enter, and zoomed to with Ctrl" {
	printf 'a\thref=https://example.org/a\ttitle=about a\n' > attributes
	draw --nameattr=attributes
	holds picture.svg <<-'JS'
	// the picture is one tab stop, its buttons are others
	check([...svg.querySelectorAll("*"), svg].filter(({ tabIndex }) =>
	    tabIndex === 0).map(({ id }) => id),
	    "unzoom,reset,help,functions,search,ignorecase,");
	const go = (act, goal, frames) => {
		followed = "";
		act();
		check(followed, goal);
		check(seen().length, frames);
	};
	const link = init => mouse("click", at(seen().find(({ title }) =>
	    title === "about a").box), init);
	go(() => link(), "https://example.org/a", 7);
	go(() => link({ ctrlKey: true }), "", 5);
	go(() => link(), "https://example.org/a", 5);
	press("unzoom");
	for (let i = 0; i < 3; i++)
		key("ArrowUp");
	go(() => key("Enter"), "https://example.org/a", 7);
	go(() => key("Enter", { ctrlKey: true }), "", 5);
	key("Enter", {}, text("unzoom"));
	check(seen().length, 7);
	for (const isOpen of [true, false]) {
		key("Enter", {}, text("search"));
		check(box() !== null, isOpen);
	}
	JS
}

@test "the details line shows counts, self, the share of the view, and a copy" {
	printf '%s\n' 'main 100' 'main;a 1300' 'main;a;b 2600' 'main;c 4000' |
	    flamegraph --nametype=Routine: --countname=ticks > picture.svg
	holds picture.svg <<-'JS'
	check(hover("main"), "Routine: main · self 100 · total 8,000 ticks · 100.00%");
	leave("main");
	check(details(), "");
	check(hover("a"), "Routine: a · self 1,300 · total 3,900 ticks · 48.75%");
	click("a");
	check(hover("main"), "Routine: main · self 100 · total 8,000 ticks · 100.00%");
	check(hover("b"), "Routine: b · self 2,600 · total 2,600 ticks · 32.50% · 66.67% of view");
	JS
}

@test "titles of --nameattr hide neither names nor counts" {
	printf 'b\ttitle=bee (7 samples, 7%%)\na\ttitle=a (1)\n' > attributes
	draw --nameattr=attributes
	holds picture.svg <<-'JS'
	const { rect: bee } = seen().find(({ title }) =>
	    title === "bee (7 samples, 7%)");
	const { rect: a } = seen().find(({ title }) => title === "a (1)");
	mouse("mouseover", bee);
	check(details(), "b · self 30 · total 30 samples · 30.00%");
	mouse("mouseover", a);
	check(details(), "a · self 0 · total 60 samples · 60.00%");
	press("search");
	type("e");
	check(matched(), "Matched: 10.0% (10 samples, 1 found)");
	type("^[ab]$");
	check(matched(), "Matched: 90.0% (90 samples, 2 found)");
	mouse("click", a);
	check(names(), "all main a x y");
	JS
}

@test "a differential keeps its colors when zoomed, and shows both counts" {
	printf '%s\n' 'main;up 10 40' 'main;down 60 20' 'main;same 40 40' |
	    flamegraph > picture.svg
	holds picture.svg <<-'JS'
	const fills = () => ["up", "down", "same"].map(name =>
	    getComputedStyle(frame(name).rect).fill);
	const before = String(fills());
	const both = "before 10, after 40, +30, +30.91 points, +300.00%";
	check(new Set(fills()).size, 3);
	check(frame("up").title, "up (40 samples, 40.00%; +30.00%)");
	check(hover("up"),
	    `up · self 40 · total 40 samples · 40.00% · ${both}; self the same`);
	click("main");
	check(fills(), before);
	check(frame("up").title.split("\n"),
	    `up (40 samples, 40.00%; +30.00%),${both},self the same`);
	click("up");
	check(hover("up"),
	    `up · self 40 · total 40 samples · 40.00% · ${both}; self the same · 100.00% of view`);
	JS
}

@test "two pictures in one page do not disturb each other, nor the page's keys" {
	printf '%s\n' 'p;q 60' 'p;r 40' |
	    flamegraph --bgcolors=blue > other.svg
	draw
	holds '<textarea></textarea>' picture.svg other.svg <<-'JS'
	const backs = () => {
		const [, id] = getComputedStyle(svg.querySelector("#canvas"))
		    .fill.match(/#([^")]*)/);
		return [...document.getElementById(id).querySelectorAll("stop")]
		    .map(stop => getComputedStyle(stop).stopColor).join();
	};
	check(backs(), "rgb(238, 238, 238),rgb(238, 238, 176)");
	look(1);
	check(backs(), "rgb(238, 238, 238),rgb(224, 224, 255)");
	click("r");
	press("search");
	type("^p$");
	check(shown(), `
	all 10 1180 'all · 100 samples' faded
	p 10 1180 'p' faded match
	r 10 1180 'r'`);
	check(matched(), "Matched: 100% (40 samples, 1 found)");
	look(0);
	check(seen().length + " " + isShown("unzoom") + " " + box(),
	    "7 false null");
	click("b");
	hover("b");
	check(names(), "all main b");
	look(1);
	check(details(), "");
	press("unzoom");
	check(shown().split("\n")[1], "p 10 1180 'p' match");
	check(query(), "?x=718&y=53&s2=%5Ep%24");
	press("search");
	look(0);
	check(seen().length + query(), "3?x=718&y=53");
	// keys are the page's, unless meant for a picture
	for (const name of ["/", "?", "n", "ArrowUp", "Enter", "Backspace"])
		check(key(name, {}, document.querySelector("textarea")), false);
	check(key("f", { ctrlKey: true }, document.body), false);
	check(key("i", { ctrlKey: true }, window), false);
	check(box(), null);
	check(key("f", { ctrlKey: true }), true);
	check(box() !== null, true);
	JS
}

@test "a picture in a page leaves the page's names and styles alone" {
	draw
	holds '<p id="search" class="hide match parent">text</p>' "$(embed)" \
	    picture.svg '<iframe></iframe>' <<-'JS'
	const style = getComputedStyle(document.querySelector("p"));
	check(style.display + style.opacity, "block1");
	const usual = document.querySelector("iframe").contentWindow;
	check(Object.keys(svg.ownerDocument.defaultView).filter(name =>
	    !(name in usual) && name !== "onerror" && name !== "onclick"), "");
	JS
}

@test "a picture in a sandbox, without a history, zooms and searches" {
	draw
	{
		cat <<-'HTML'
		<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
		<script>
		addEventListener("securitypolicyviolation", event =>
		    say(event.violatedDirective));
		history.pushState = history.replaceState = () => {
			throw new DOMException("not here", "SecurityError");
		};
		</script>
		HTML
		write_page picture.svg <<-'JS'
		click("a");
		press("search");
		type("x");
		check(names() + matched() + query(), "all main a x yMatched: 66.7% (40 samples, 1 found)");
		say("in the sandbox");
		JS
	} > inner.html
	in_browser "<iframe sandbox='allow-scripts' width='1250' height='300'
	    srcdoc='$(sed -e 's/&/\&amp;/g' -e "s/'/\&#39;/g" inner.html)'></iframe>" \
	    picture.svg < /dev/null | is_line 'in the sandbox'
}

@test "where no script may run the picture is there, and offers no buttons" {
	local styles
	draw
	# a page may also forbid the picture's style sheet
	for styles in unsafe-inline self; do
		echo "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src '$styles'\">"
		sed 1d picture.svg
	done > inner.html
	holds '<iframe src="inner.html" width="1250" height="300"></iframe>' \
	    picture.svg <<-'JS'
	const view = frames[0], inner = view.document;
	for (const picture of inner.querySelectorAll("svg")) {
		check(picture.querySelectorAll("rect").length, 8);
		check(picture.querySelector("#frames title").textContent,
		    "all (100 samples, 100%)");
		check([...picture.querySelectorAll("text[id]")]
		    .filter(element => element.textContent.trim() &&
			view.getComputedStyle(element).display !== "none")
		    .map(({ id }) => id), "title");
	}
	JS
}

@test "a picture whose root is too narrow to be drawn opens without an error" {
	draw --total=1000000000
	{
		echo '<script>var errors = []; onerror = e => errors.push(e);</script>'
		sed 1d picture.svg
	} > inner.html
	holds '<iframe src="inner.html" width="1250" height="300"></iframe>' \
	    picture.svg <<-'JS'
	check(frames[0].document.querySelectorAll("rect").length > 0, true);
	check(frames[0].errors, "");
	JS
}

@test "a drag across frames selects no text, unless Shift is held" {
	draw
	holds picture.svg <<-'JS'
	const prevents = () => !svg.dispatchEvent(
	    new Event("selectstart", { bubbles: true, cancelable: true }));
	const go = (type, init) => at(frame("a").box).dispatchEvent(
	    new PointerEvent(type, { bubbles: true, ...init }));
	for (const shiftKey of [false, true]) {
		go("pointerdown", { shiftKey });
		check(prevents(), !shiftKey);
		go("pointerup");
		check(prevents(), false);
	}
	JS
}

@test "a field with an invalid pattern is marked, and the line says why" {
	echo 'v8::Run 3' | flamegraph > picture.svg
	holds picture.svg <<-'JS'
	press("search");
	const state = term => {
		type(term);
		return box().getAttribute("aria-invalid") + " " + matched();
	};
	check(/^true Not a regular expression: \S/.test(state("v8::(")), true);
	check(state("x"), "false Matched: 0.0% (0 samples, 0 found)");
	check(state("v8::R"), "false Matched: 100% (3 samples, 1 found)");
	const { borderTopColor } = getComputedStyle(box());
	state("v8::R(");
	check(getComputedStyle(box()).borderTopColor !== borderTopColor, true);
	JS
}

@test "Ctrl-C copies the name under the mouse or in the ring" {
	printf '%s\n' 'main;a_rather_long_name(int, char) 5' 'main;b 995' |
	    flamegraph > picture.svg
	holds picture.svg '<textarea></textarea>' "$(embed)" <<-'JS'
	const copy = (target = svg) => {
		const event = copyEvent();
		target.dispatchEvent(event);
		return `[${event.clipboardData.getData("text/plain")}] ` +
		    details();
	};
	const name = "a_rather_long_name(int, char)";
	check(copy(), "[]");
	hover(name);
	check(copy(), `[${name}] Copied: ${name}`);
	leave(name);
	key("ArrowUp");
	key("ArrowUp");
	check(copy(), "[main] Copied: main");
	check(copy(document.querySelector("textarea")), "[] Copied: main");
	getSelection().selectAllChildren(text("title"));
	check(copy(), "[] Copied: main");
	// a page has a copy event; a file that was just opened has none
	hover(name);
	check(key("c", { ctrlKey: true }), false);
	look(1);
	let copied = "";
	Object.defineProperty(svg.ownerDocument.defaultView.navigator,
	    "clipboard", { value: { writeText: async text => copied = text } });
	check(key("c", { ctrlKey: true }), false);
	hover(name);
	check(key("c", { ctrlKey: true }), true);
	check(copied, name);
	JS
}

@test "a long press opens the menu, a tap zooms, and its details stay" {
	draw
	holds picture.svg <<-'JS'
	let copied;
	Object.defineProperty(navigator, "clipboard", { configurable: true,
	    value: { writeText: async name => copied = "clipboard " + name } });
	const touch = (type, name, pointerType = "touch") =>
	    at(frame(name).box).dispatchEvent(new PointerEvent(type,
		{ pointerType, bubbles: true }));
	const hold = async (name, time) => {
		const target = at(frame(name).box);
		copied = "";
		touch("pointerdown", name);
		await wait(time);
		target.dispatchEvent(new PointerEvent("pointerup",
		    { pointerType: "touch", bubbles: true }));
		mouse("click", target);
		const item = [...svg.querySelectorAll("#menu button")].find(
		    ({ textContent }) => textContent === "copy the name");
		if (item)
			item.click();
		await wait(1);
		return [copied, details(), seen().length].join("; ");
	};
	check(await hold("b", 600), "clipboard b; Copied: b; 7");
	Object.defineProperty(navigator, "clipboard", { value: undefined });
	document.execCommand = name => {
		const event = copyEvent();
		svg.dispatchEvent(event);
		copied = name + " " + event.clipboardData.getData("text/plain");
	};
	check(await hold("x", 600), "copy x; Copied: x; 7");
	check(await hold("a", 100), "; a · self 0 · total 60 samples · 60.00% · 100.00% of view; 5");
	const tap = (name, pointerType) => {
		touch("pointerdown", name, pointerType);
		touch("pointerup", name, pointerType);
		hover(name);
		leave(name);
		return details().replace(/ · .*/, "");
	};
	check(tap("x", "touch"), "x");
	check(tap("y", "touch"), "y");
	check(tap("y", "mouse"), "");
	JS
}

@test "a zoomed picture prints the zoomed part, without controls" {
	draw
	holds picture.svg <<-'JS'
	click("a");
	press("search");
	type("^x");
	key("n");
	key("?");
	putOnPaper();
	check(shown(), `
	all 10 1180 'all · 100 samples' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x' match
	y 797 393 'y'`);
	check(["unzoom", "search", "ignorecase", "searchbox", "keys", "ring",
	    "title", "matched"].filter(isShown), "title,matched");
	JS
}

@test "printed is one wide page, with the legend, however high the picture is" {
	only_chromium 'others do not print here'
	local deep
	deep=$(printf ';f%s' {1..200})
	echo "java;_[j]$deep 1" > folded
	for width in 1200 auto; do
		flamegraph --colors=java --width=$width < folded > picture.svg
		evaluate picture.svg print | base64 -d > pages.pdf
		# A4 or letter, in points
		grep -a -o -e '/Count [0-9]*' -e '/MediaBox \[[^]]*' pages.pdf \
		    > said
		grep -x '/Count 1' said
		awk '/MediaBox/ { exit !($4 > $5 && $4 < 900) }' said
	done
	holds picture.svg <<-'JS'
	putOnPaper();
	const { bottom } = svg.getBoundingClientRect();
	check(isShown("legend"), true);
	check(text("legend").getBoundingClientRect().bottom <= bottom, true);
	JS
}

# A browser without a window seldom draws, and then tells of sizes; here it is
# the steps that tell.
resizing='<script>ResizeObserver = class {
	constructor(refit) {
		addEventListener("resize", refit);
		this.observe = refit;
	}
};</script>'

@test "a fluid picture is as wide as its window, and refits its labels" {
	printf '%s\n' 'main;a_function_of_a_long_name 30' 'main;b 20' \
	    'other 50' | flamegraph --width=auto > picture.svg
	holds "$resizing" picture.svg <<-'JS'
	const resize = width => {
		svg.parentNode.style.width = width + "px";
		dispatchEvent(new Event("resize"));
		return shown().replace(/'a_f[a-z_]*\.\.'/, "cut");
	};
	check(resize(600), `
	all 6 588 'all · 100 samples'
	main 6 294 'main'
	other 300 294 'other'
	a_function_of_a_long_name 6 176 'a_function_of_a_long_name'
	b 182 118 'b'`);
	const narrow = `
	all 3 314 'all · 100 samples'
	main 3 157 'main'
	other 160 157 'other'
	a_function_of_a_long_name 3 94 cut
	b 97 63 'b'`;
	check(resize(320), narrow);
	click("main");
	check(resize(1200), `
	all 12 1176 'all · 100 samples' faded
	main 12 1176 'main'
	a_function_of_a_long_name 12 706 'a_function_of_a_long_name'
	b 718 470 'b'`);
	check(query(), "?x=1&y=53");
	press("search");
	type("b");
	check(matched(), "Matched: 40.0% (20 samples, 1 found)");
	press("search");
	press("unzoom");
	check(resize(320), narrow);
	JS
}

@test "the theme is the reader's, or the one asked for" {
	local theme file media
	local light='rgb(0, 0, 0),rgb(238, 238, 238),rgb(238, 238, 176),rgb(0, 0, 0)'
	local dark='rgb(216, 216, 216),rgb(30, 30, 30),rgb(42, 42, 26),rgb(0, 0, 0)'
	only_chromium 'it is told the theme'
	draw
	mv picture.svg default.svg
	for theme in light dark auto; do
		draw --theme=$theme
		mv picture.svg $theme.svg
	done
	for media in light dark; do
		MEDIA=prefers-color-scheme=$media
		for file in default light dark auto; do
			echo "<object class='picture' data='$file.svg'></object>"
		done > objects
		in_browser "$(cat objects)" <<-'JS'
		for (let i = 0; i < 4; i++) {
			look(i);
			// of the title, the background and a label
			say([[text("title"), "fill"],
			    ...[...svg.querySelectorAll("stop")]
				.map(stop => [stop, "stopColor"]),
			    [frame("main").text, "fill"]].map(([element, name]) =>
				getComputedStyle(element)[name]));
		}
		JS
	done > said
	printf '%s\n' "$light" "$light" "$dark" "$light" \
	    "$light" "$light" "$dark" "$dark" | diff - said
}

# Steps that find what the path of a highlight covers.
marking='const isIn = (path, x, y) =>
	    text(path).isPointInFill(new DOMPoint(x, y));
	const middle = name => {
		const { x, y, width, height } = frame(name).rect.getBBox();
		return [x + width / 2, y + height / 2];
	};'

@test "matches too narrow for a label are highlighted, in place and zoomed" {
	{
		echo 'main;wide 1000'
		seq 100 199 | sed 's/.*/main;few;n& 1/'
	} | flamegraph > picture.svg
	holds picture.svg <<-JS
	$marking
	const marked = () => ["main", "few", "n100", "n101", "n155", "n199"]
	    .filter(name => isIn("marks", ...middle(name)));
	press("search");
	type("^n1.[19]");
	check(getComputedStyle(text("marks")).fill, "rgb(230, 0, 230)");
	check(marked(), "n101,n199");
	check(matched(), "Matched: 1.8% (20 samples, 20 found)");
	type("^n1.0");
	check(marked(), "n100");
	click("few");
	check(shown().match(/.*match/g).length, 10);
	type("^n15");
	press("unzoom");
	check(marked(), "n155");
	press("search");
	check(marked(), "");
	JS
}

@test "frames narrower than a pixel can still be pointed at" {
	# 0.1 pixels a sample; zoomed to few, 0.4
	{
		echo 'main;wide 8850'
		seq 1000 3949 | sed 's/.*/main;few;n& 1/'
	} | flamegraph --colors=aqua > picture.svg
	holds picture.svg <<-'JS'
	const at = x => {
		const few = frame("few").box;
		const point = { clientX: few.x + x,
		    clientY: few.y - few.height / 2 };
		return [svg.ownerDocument.elementFromPoint(point.clientX,
		    point.clientY), point];
	};
	click("few");
	const shades = svg.querySelectorAll("#frames > path");
	check(shades.length > 1 && shades.length < 100, true);
	check(seen().length, 3);
	for (const [x, name] of [[0, "n1001"], [500, "n2251"],
	    [1179, "n3948"]]) {
		mouse("mousemove", ...at(x));
		check(details(), name + " · self 1 · total 1 samples · 0.01% · 0.03% of view");
		check(at(x)[0].querySelector("title").textContent,
		    name + " (1 samples, 0.01%)");
	}
	const marks = () => {
		const { y, height } = frame("few").rect.getBBox();
		return [0, 1000, 1001, 2949].filter(k => text("marks")
		    .isPointInFill(new DOMPoint(10.2 + .4 * k, y - height / 2)));
	};
	press("search");
	type("[90]$");
	check(marks(), "0,1000,2949");
	check(matched(), "Matched: 20.0% (590 samples, 590 found)");
	press("search");
	check(marks(), "");
	mouse("click", ...at(500));
	check(names(), "all main few n2251");
	press("unzoom");
	check(text("marks").getAttribute("d"), "");
	JS
}

@test "a zoom is as exact as the counts, down to frames too narrow for the file" {
	# thin has 0.8 pixels, its children counts of 1 to 30
	{
		echo 'main;wide 684000'
		seq 1 30 | awk '{ print "main;thin;n" 100 + $1 " " $1 }'
	} > folded
	flamegraph --minwidth=0 folded > picture.svg
	undrawn < picture.svg | has '^3 4 .*n104$'
	# each child begins after the others, of 465 on 1180 pixels
	holds picture.svg <<-'JS'
	mouse("click", [...svg.querySelectorAll("#frames > *")].find(
	    ({ textContent }) => textContent.startsWith("thin "))
	    .querySelector("rect"));
	const children = seen().filter(({ title }) => title.startsWith("n1"));
	check(children.length, 30);
	for (const { rect, title } of children) {
		const n = title.slice(2, 4);
		const { x, width } = rect.getBBox();
		check(Math.abs(x - 10 - 1180 * n * (n - 1) / 2 / 465) < .01 &&
		    Math.abs(width - 1180 * n / 465) < .01, true);
	}
	// too thin to be seen
	click("main");
	check(svg.querySelectorAll("#frames > *").length, 4);
	JS
}

@test "frames of the table have their names, in a file and in a page of HTML" {
	local picture
	# a pixel is 1,000 counts: frames on thin are from 10.96 to 11.03
	printf 'wide 1178970\nthin 960\n' > folded
	printf 'thin;%b 10\n' 'a]]>b' '</script><b>' '</metadata>' 'c:1' \
		'\0001d\0033e' 'tab\tulator' '<!-- -->' >> folded
	flamegraph --minwidth=0 folded > picture.svg
	[ "$(undrawn < picture.svg | wc -l)" -eq 7 ]
	! command -v xmllint > /dev/null || xmllint --noout picture.svg
	for picture in picture.svg \
	    '<iframe class="picture" src="picture.svg" width="1300" height="300"></iframe>'; do
		holds "$picture" <<-'JS'
		mouse("click", [...svg.querySelectorAll("#frames > *")].find(
		    ({ textContent }) => textContent.startsWith("thin "))
		    .querySelector("rect"));
		const end = " (10 samples, 0.00%)";
		check(seen().map(({ title }) => title)
		    .filter(title => title.endsWith(end))
		    .map(title => title.replace(end, "")).sort().join("|"),
		    "<\u0021-- -->|</metadata>|<\/script><b>|a]]>b|c:1|" +
		    "tab\tulator|\ufffdd\ufffde");
		check(hover("c:1"), "c:1 · self 10 · total 10 samples · " +
		    "0.00% · 0.97% of view");
		JS
	done
}

# 400 frames of main are 2.95 pixels wide, and have no labels.
@test "of many frames all are drawn at once, and become elements soon" {
	seq 1000 1399 | sed 's/.*/main;n& 1/' | flamegraph > picture.svg
	holds picture.svg <<-'JS'
	const all = () => [...svg.querySelectorAll("#frames > * > rect")]
	    .map(rect => rect.parentNode.textContent.replace(/ \(.*/, ""));
	const printed = all().join();
	const point = k => {
		const { x, y, height } = frame("main").box;
		const [clientX, clientY] = [x + 2.95 * k + 1, y - height / 2];
		const target = svg.ownerDocument
		    .elementFromPoint(clientX, clientY);
		for (const type of ["mouseover", "mousemove"])
			mouse(type, target, { clientX, clientY });
		return target.localName + " " +
		    details().replace(/ · .*/, "");
	};
	click("main");
	check(all().length < 250, true);
	check(point(0), "path n1000");
	check(point(398), "rect n1398");
	press("search");
	type("n100");
	check(matched(), "Matched: 2.5% (10 samples, 10 found)");
	press("search");
	while (svg.querySelector("#frames path"))
		await wait(20);
	check(all(), printed);
	check(point(0), "rect n1000");
	check(point(398), "rect n1398");
	key("Escape");
	check([svg.querySelector("#frames path"), all().length], ",402");
	click("main");
	press("unzoom");
	await wait(400);
	check(all().length, 402);
	JS
}

@test "a picture that was saved from the browser opens as it was printed" {
	draw --width=auto
	for _ in 1 2; do
		dump picture.svg > saved.svg
		{
			echo '<?xml version="1.0"?>'
			cat saved.svg
		} > picture.svg
	done
	[ "$(grep -o 'name="viewport"' saved.svg | wc -l)" -eq 1 ]
	draw
	{
		echo '<?xml version="1.0"?>'
		dump picture.svg '?x=10&y=53&s=x'
	} > again.svg
	grep -q 'class="parent"' again.svg
	holds picture.svg again.svg <<-'JS'
	const printed = shown();
	look(1);
	check(shown(), printed);
	check(svg.querySelectorAll("#frames").length, 1);
	click("b");
	check(names(), "all main b");
	JS
}
