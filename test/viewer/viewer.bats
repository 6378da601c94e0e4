# The viewer in a real browser: what a reader sees after clicks and keys.
load ../helper
load browser

setup_file() {
	[ -n "$chromium" ] ||
	    echo '# no browser, viewer tests skipped: install chromium' >&3
}

setup() {
	[ -n "$chromium" ] || skip
	cd "$BATS_TEST_TMPDIR" || return
}

# Each line of show() is NAME LEFT WIDTH 'LABEL' and what is special.
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

@test "a click zooms, with the ancestors faded and the others gone" {
	draw
	in_browser picture.svg > said <<-'JS'
	show();
	say(isShown("unzoom"));
	click("a");
	show();
	say(isShown("unzoom"));
	JS
	diff - said <<-'END'
	all 10 1180 ''
	main 10 1062 'main'
	other 1072 118 'other'
	a 10 708 'a'
	b 718 354 'b'
	x 10 472 'x'
	y 482 236 'y'
	false
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x'
	y 797 393 'y'
	true
	END
}

@test "a zoom goes on from frame to frame, and back by a faded ancestor" {
	draw
	in_browser picture.svg > said <<-'JS'
	click("a");
	click("y");
	show();
	click("main");
	show();
	click("b");
	show();
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a' faded
	y 10 1180 'y'
	all 10 1180 'all' faded
	main 10 1180 'main'
	a 10 787 'a'
	b 797 393 'b'
	x 10 524 'x'
	y 534 262 'y'
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	b 10 1180 'b'
	END
}

@test "a frame beside an empty one of its name holds those above it" {
	printf '%s\n' 'main;a;q 40' 'main;a 10' 'main;b;c 50' 'x;b 0' |
	    flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	hover("a");
	say(text("details").textContent);
	click("c");
	show();
	JS
	diff - said <<-'END'
	50 samples, 50.00%, self 10, 10.00%; Function: a
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	b 10 1180 'b' faded
	c 10 1180 'c'
	END
}

@test "Reset Zoom and a click on the root show the picture as it was" {
	draw
	in_browser picture.svg > said <<-'JS'
	const markup = () => svg.querySelector("#frames").innerHTML;
	const before = markup();
	const same = () => say((markup() === before) + " " + seen().length +
	    " " + isShown("unzoom"));
	click("a");
	same();
	press("unzoom");
	same();
	click("b");
	click("all");
	same();
	JS
	diff - said <<-'END'
	false 5 true
	true 7 false
	true 7 false
	END
}

@test "an inverted picture zooms downwards" {
	draw --inverted
	in_browser picture.svg > said <<-'JS'
	show();
	click("a");
	show();
	JS
	diff - said <<-'END'
	x 10 472 'x'
	y 482 236 'y'
	a 10 708 'a'
	b 718 354 'b'
	main 10 1062 'main'
	other 1072 118 'other'
	all 10 1180 ''
	x 10 787 'x'
	y 797 393 'y'
	a 10 1180 'a'
	main 10 1180 'main' faded
	all 10 1180 'all' faded
	END
}

@test "in a flame chart each of two frames of one name zooms to itself" {
	printf '%s\n' 'run;step;early 30' 'wait 40' 'run;step;late 30' |
	    flamegraph --flamechart > picture.svg
	in_browser picture.svg > said <<-'JS'
	mouse("click", at(seen().filter(({ title }) =>
	    title.startsWith("step"))[1].box));
	show();
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	run 10 1180 'run' faded
	step 10 1180 'step'
	late 10 1180 'late'
	END
}

@test "the detail line tells the frame under the mouse, zoomed or not" {
	draw --nametype=Routine: --countname=ticks
	in_browser picture.svg > said <<-'JS'
	const line = () => say("[" + text("details").textContent + "]");
	hover("x");
	line();
	leave("x");
	line();
	click("b");
	hover("main");
	line();
	JS
	diff - said <<-'END'
	[40 ticks, 40.00%, self 40, 40.00%; Routine: x]
	[ ]
	[90 ticks, 90.00%, self 0, 0.00%; Routine: main]
	END
}

@test "a narrow frame gets its label when a zoom makes room for it" {
	printf '%s\n' 'main;wide 990' 'main;thin;leaf 10' |
	    flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	show();
	click("thin");
	show();
	JS
	diff - said <<-'END'
	all 10 1180 ''
	main 10 1180 'main'
	thin 10 12 ''
	wide 22 1168 'wide'
	leaf 10 12 ''
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	thin 10 1180 'thin'
	leaf 10 1180 'leaf'
	END
}

@test "labels are cut where the frame ends, not before" {
	{
		printf 'main;%0500d 50\n' 7
		echo 'main;several_words_in_a_name 6'
		echo 'main;rest 944'
	} | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	const label = name => {
		const { group, box } = frame(name);
		const text = group.querySelector("text");
		return [text.textContent, box.right -
		    text.getBoundingClientRect().right];
	};
	const long = "0".repeat(499) + "7";
	click("main");
	const [many, left] = label(long);
	say(/^0+\.\.$/.test(many) && left >= 0 && left < 12);
	click(long);
	const [more, rest] = label(long);
	say(more.length > many.length && rest >= 0 && rest < 12);
	press("unzoom");
	click("several_words_in_a_name");
	say(label("several_words_in_a_name")[0]);
	JS
	diff - said <<-'END'
	true
	true
	several_words_in_a_name
	END
}

@test "frames too thin to be seen are left out of a zoom" {
	{
		echo 'main;wide 1000000'
		echo 'main;thin 100000'
		echo 'main;dust;speck 1'
	} | flamegraph --minwidth=0 > picture.svg
	in_browser picture.svg > said <<-'JS'
	click("main");
	show();
	say(svg.querySelectorAll("#frames > *").length);
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	main 10 1180 'main'
	thin 10 107 'thin'
	wide 117 1073 'wide'
	4
	END
}

@test "a search highlights matches and counts nested ones once" {
	draw
	in_browser picture.svg > said <<-'JS'
	press("search");
	type("^(a|x|other)$");
	show();
	say(text("matched").textContent);
	say(text("search").textContent);
	press("search");
	say(seen().length);
	say(svg.querySelectorAll(".match").length);
	say("[" + text("matched").textContent + "]");
	say(text("search").textContent);
	say(box() === null);
	JS
	diff - said <<-'END'
	all 10 1180 ''
	main 10 1062 'main'
	other 1072 118 'other' match
	a 10 708 'a' match
	b 718 354 'b'
	x 10 472 'x' match
	y 482 236 'y'
	Matched: 70.0% (70 samples, 3 found)
	Reset Search
	7
	0
	[ ]
	Search
	true
	END
}

@test "a search follows the typing, and outlives zooms" {
	draw
	in_browser picture.svg > said <<-'JS'
	const matches = () => say(seen().filter(({ rect }) =>
	    getComputedStyle(rect).fill === "rgb(230, 0, 230)")
	    .map(({ title }) => title.replace(/ .*/, "")).join() + " " +
	    text("matched").textContent);
	press("search");
	type("^.(t|$)");
	matches();
	type("^y");
	matches();
	click("a");
	matches();
	type("^x");
	matches();
	click("y");
	matches();
	type("^a$");
	matches();
	press("unzoom");
	matches();
	type("nothing");
	matches();
	type("all");
	matches();
	JS
	diff - said <<-'END'
	other,a,b,x,y Matched: 100% (100 samples, 5 found)
	y Matched: 20.0% (20 samples, 1 found)
	y Matched: 33.3% (20 samples, 1 found)
	x Matched: 66.7% (40 samples, 1 found)
	 Matched: 0.0% (0 samples, 0 found)
	a Matched: 100% (20 samples, 1 found)
	a Matched: 60.0% (60 samples, 1 found)
	 Matched: 0.0% (0 samples, 0 found)
	all Matched: 100% (100 samples, 1 found)
	END
}

@test "a pattern that ends in \$ means the name, a broken one itself" {
	printf '%s\n' 'f(x;foo 10' 'f(x;foobar 20' 'g[0 30' 'h 40' |
	    flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	press("search");
	for (const term of ["foo$", "f(x", "[0", "^h$", "40 samples"]) {
		type(term);
		say(text("matched").textContent);
	}
	JS
	diff - said <<-'END'
	Matched: 10.0% (10 samples, 1 found)
	Matched: 30.0% (30 samples, 1 found)
	Matched: 30.0% (30 samples, 1 found)
	Matched: 40.0% (40 samples, 1 found)
	Matched: 0.0% (0 samples, 0 found)
	END
}

@test "the ic button and Ctrl-I switch letter case" {
	printf '%s\n' 'Read 40' 'read 60' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	const matched = () => say(text("matched").textContent + " " +
	    getComputedStyle(text("ignorecase")).fontWeight);
	press("search");
	type("READ|re");
	matched();
	press("ignorecase");
	matched();
	say(query());
	say(key("i", { ctrlKey: true }));
	matched();
	say(query());
	JS
	diff - said <<-'END'
	Matched: 60.0% (60 samples, 1 found) 400
	Matched: 100% (100 samples, 2 found) 700
	?s=READ%7Cre&i=1
	true
	Matched: 60.0% (60 samples, 1 found) 400
	?s=READ%7Cre
	END
}

@test "Ctrl-F and F3 open the search, Escape closes it" {
	draw
	in_browser "$(embed)" > said <<-'JS'
	const focused = () => say(box() !== null &&
	    svg.ownerDocument.activeElement === box());
	say(key("f", {}));
	say(box());
	say(key("f", { ctrlKey: true }));
	focused();
	type("x");
	say(svg.querySelectorAll(".match").length);
	say(key("Escape", {}, box()));
	say(box());
	say(svg.querySelectorAll(".match").length);
	say(key("F3", {}));
	focused();
	say(box().value === "");
	say(key("I", { ctrlKey: true, shiftKey: true }));
	JS
	diff - said <<-'END'
	false
	null
	true
	true
	1
	true
	null
	0
	true
	true
	true
	false
	END
}

@test "the URL keeps zoom and search, and nothing of the page's is lost" {
	draw
	QUERY='?page=3&q=a+b#part' in_browser picture.svg > said <<-'JS'
	say(query());
	click("y");
	say(query());
	press("search");
	type("a+ b&c");
	say(query());
	press("unzoom");
	say(query());
	press("search");
	say(query());
	say(location.hash);
	JS
	diff - said <<-'END'
	?page=3&q=a+b
	?page=3&q=a+b&x=482&y=37
	?page=3&q=a+b&x=482&y=37&s=a%2B%20b%26c
	?page=3&q=a+b&s=a%2B%20b%26c
	?page=3&q=a+b
	#part
	END
}

@test "a URL opens the picture zoomed and searched" {
	draw
	in_browser "$(embed '?x=10.0&y=53.0&s=%5EX$&i=1')" \
	    "$(embed '?x=11&y=53&s=')" > said <<-'JS'
	show();
	say(text("matched").textContent);
	say(box().value);
	say(isShown("unzoom"));
	look(1);
	say(seen().length + " " + isShown("unzoom") + " " + box());
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x' match
	y 797 393 'y'
	Matched: 66.7% (40 samples, 1 found)
	^X$
	true
	7 false null
	END
}

@test "the file itself opens from a URL with a zoom" {
	draw
	dump picture.svg '?x=10&y=53&s=other' > dumped
	[ "$(grep -o 'class="parent"' dumped | wc -l)" -eq 2 ]
	grep -F '>Matched: 0.0% (0 samples, 0 found)<' dumped
}

@test "a link is followed on click and zoomed on Ctrl-click" {
	printf 'a\thref=https://example.org/a\ttitle=about a\n' > attributes
	draw --nameattr=attributes
	in_browser picture.svg > said <<-'JS'
	const link = () => at(seen().find(({ title }) =>
	    title === "about a").box);
	mouse("click", link());
	say(followed);
	say(seen().length);
	followed = "";
	mouse("click", link(), { ctrlKey: true });
	say(followed);
	show();
	mouse("click", link());
	say(followed);
	JS
	diff - said <<-'END'
	https://example.org/a
	7

	all 10 1180 'all' faded
	main 10 1180 'main' faded
	about a 10 1180 'a'
	x 10 787 'x'
	y 797 393 'y'
	https://example.org/a
	END
}

@test "odd names are shown, searched and zoomed like any other" {
	printf '%s\n' 'a<b> & "c";]]>;</script> 50' \
	    "it's;\$&lt;(anonymous) 30" 'é😀日本 20' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	press("search");
	type("é😀");
	say(text("matched").textContent);
	type('& "c"');
	say(text("matched").textContent);
	press("search");
	click('a<b> & "c"');
	hover("]]>");
	say(text("details").textContent);
	for (const { group } of seen())
		say(group.querySelector("text").textContent);
	press("unzoom");
	mouse("click", at(seen().find(({ title }) =>
	    title.startsWith("(anonymous)")).box));
	for (const { group } of seen())
		say(group.querySelector("text").textContent);
	JS
	diff - said <<-'END'
	Matched: 20.0% (20 samples, 1 found)
	Matched: 50.0% (50 samples, 1 found)
	50 samples, 50.00%, self 0, 0.00%, 100.00% of view; Function: ]]>
	all
	a<b> & "c"
	]]>
	</script>
	all
	it's
	$&lt
	(anonymous)
	END
}

@test "a picture of differences keeps its colours when zoomed" {
	printf '%s\n' 'main;up 10 40' 'main;down 60 20' 'main;same 40 40' |
	    flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	const fill = name => getComputedStyle(frame(name).rect).fill;
	const names = ["up", "down", "same"];
	const before = names.map(fill);
	click("main");
	say(String(names.map(fill)) === String(before));
	say(new Set(before).size);
	click("up");
	hover("up");
	say(text("details").textContent);
	JS
	diff - said <<-'END'
	true
	3
	40 samples, 40.00%, self 40, 40.00%, before 10, after 40, +30, +30.91 points, +300.00%; self the same, 100.00% of view; Function: up
	END
}

@test "two pictures in one page do not disturb each other" {
	printf '%s\n' 'p;q 60' 'p;r 40' | flamegraph > other.svg
	draw
	in_browser picture.svg other.svg > said <<-'JS'
	look(1);
	click("r");
	press("search");
	type("^p$");
	show();
	say(text("matched").textContent);
	look(0);
	say(seen().length + " " + isShown("unzoom") + " " + box());
	click("b");
	hover("b");
	show();
	look(1);
	say("[" + text("details").textContent + "]");
	press("unzoom");
	show();
	look(0);
	say(seen().length);
	say(query());
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	p 10 1180 'p' faded match
	r 10 1180 'r'
	Matched: 100% (40 samples, 1 found)
	7 false null
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	b 10 1180 'b'
	[ ]
	all 10 1180 ''
	p 10 1180 'p' match
	q 10 708 'q'
	r 718 472 'r'
	3
	?x=718&y=53&s2=%5Ep%24
	END
}

@test "keys in a page are the page's, unless meant for a picture" {
	draw
	in_browser '<p>text</p>' picture.svg > said <<-'JS'
	say(key("f", { ctrlKey: true }, document.body));
	say(key("i", { ctrlKey: true }, window));
	say(box());
	say(key("f", { ctrlKey: true }, svg));
	say(box() !== null);
	JS
	diff - said <<-'END'
	false
	false
	null
	true
	true
	END
}

@test "a picture in a page leaves the page's names and styles alone" {
	draw
	in_browser '<p id="search" class="hide match parent">text</p>' \
	    "$(embed)" picture.svg \
	    '<iframe></iframe>' > said <<-'JS'
	const style = getComputedStyle(document.querySelector("p"));
	say(style.display + " " + style.opacity);
	const usual = document.querySelector("iframe").contentWindow;
	const names = Object.keys(svg.ownerDocument.defaultView);
	say("more names: " + names.filter(name => !(name in usual) &&
	    name !== "onerror" && name !== "onclick"));
	JS
	diff - said <<-'END'
	block 1
	more names: 
	END
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
		show();
		say(text("matched").textContent);
		say(query());
		JS
	} > inner.html
	in_browser "<iframe sandbox='allow-scripts' width='1250' height='300'
	    srcdoc='$(sed -e 's/&/\&amp;/g' -e "s/'/\&#39;/g" inner.html)'></iframe>" \
	    picture.svg < /dev/null > said
	diff - said <<-'END'
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x' match
	y 797 393 'y'
	Matched: 66.7% (40 samples, 1 found)

	END
}

@test "the detail line adds self counts and the share of the view" {
	printf '%s\n' 'main 100' 'main;a 1300' 'main;a;b 2600' \
	    'main;c 4000' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	const tell = name => {
		hover(name);
		say(text("details").textContent);
	};
	tell("main");
	tell("a");
	click("a");
	tell("main");
	tell("b");
	JS
	diff - said <<-'END'
	8,000 samples, 100.00%, self 100, 1.25%; Function: main
	3,900 samples, 48.75%, self 1,300, 16.25%; Function: a
	8,000 samples, 100.00%, self 100, 1.25%; Function: main
	2,600 samples, 32.50%, self 2,600, 32.50%, 66.67% of view; Function: b
	END
}

@test "titles of --nameattr hide neither names nor counts" {
	printf 'b\ttitle=bee (7 samples, 7%%)\na\ttitle=a (1)\tid=ring\n' \
	    > attributes
	draw --nameattr=attributes
	in_browser picture.svg > said <<-'JS'
	const hoverTitle = wanted => mouse("mouseover",
	    seen().find(({ title }) => title === wanted).rect);
	hoverTitle("bee (7 samples, 7%)");
	say(text("details").textContent);
	hoverTitle("a (1)");
	say(text("details").textContent);
	press("search");
	type("e");
	say(text("matched").textContent);
	type("^[ab]$");
	say(text("matched").textContent);
	mouse("click", seen().find(({ title }) => title === "a (1)").rect);
	show();
	say(svg.querySelectorAll("[id=ring]").length);
	key("ArrowUp");
	say(svg.querySelectorAll("[id=ring]").length);
	JS
	diff - said <<-'END'
	30 samples, 30.00%, self 30, 30.00%; Function: b
	60 samples, 60.00%, self 0, 0.00%; Function: a
	Matched: 10.0% (10 samples, 1 found)
	Matched: 90.0% (90 samples, 2 found)
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a' match
	x 10 787 'x'
	y 797 393 'y'
	1
	2
	END
}

@test "titles of --nameattr hide no names, whatever the counts are" {
	printf '%s\n' 'main;a 0.5' 'main;b 256' > folded
	printf '%s\ttitle=other (7 samples, 7%%)\n' a b > attributes
	flamegraph --minwidth=0 --nameattr=attributes folded > picture.svg
	in_browser picture.svg > said <<-'JS'
	press("search");
	for (const name of ["^a$", "^b$", "other"]) {
		type(name);
		say(text("matched").textContent.replace(/.*, /, ""));
	}
	JS
	diff - said <<-'END'
	1 found)
	1 found)
	0 found)
	END
}

@test "Enter, Shift-Enter, n and N step through the matches of the view" {
	draw
	in_browser picture.svg > said <<-'JS'
	const at = () => say(ringed() + text("matched").textContent
	    .replace(/.*,/, ","));
	press("search");
	type("^(a|x|other)$");
	at();
	for (const init of [{}, {}, {}, {}, { shiftKey: true }]) {
		key("Enter", init, box());
		at();
	}
	key("n");
	at();
	key("N", { shiftKey: true });
	at();
	say(key("n", {}, box()));
	click("a");
	at();
	key("n");
	at();
	key("n");
	at();
	JS
	diff - said <<-'END'
	, 3 found)
	a, 1 of 3)
	x, 2 of 3)
	other, 3 of 3)
	a, 1 of 3)
	other, 3 of 3)
	a, 1 of 3)
	other, 3 of 3)
	false
	a, 1 of 2)
	x, 2 of 2)
	a, 1 of 2)
	END
}

@test "a step brings its match into sight" {
	draw
	in_browser '<p style="height: 3000px"></p>' picture.svg > said <<-'JS'
	press("search");
	type("^main");
	scrollTo(0, 0);
	key("n");
	say(scrollY > 1000);
	JS
	echo true | diff - said
}

@test "arrows move the ring up, down and sideways, Enter zooms to it" {
	draw --inverted
	mv picture.svg inverted.svg
	draw
	in_browser picture.svg inverted.svg > said <<-'JS'
	const go = keys => {
		for (const arrow of keys.split(" "))
			key("Arrow" + arrow);
		say(ringed() + " | " + text("details").textContent);
	};
	go("Up");
	go("Up");
	go("Right");
	go("Right");
	go("Left Up");
	go("Up");
	go("Right");
	go("Down");
	key("Enter");
	say(ringed());
	go("Right");
	go("Up");
	go("Down Down");
	look(1);
	hover("b");
	go("Up");
	go("Up Up Down Down Down");
	go("Up");
	JS
	diff - said <<-'END'
	all | 100 samples, 100.00%, self 0, 0.00%; Function: all
	main | 90 samples, 90.00%, self 0, 0.00%; Function: main
	other | 10 samples, 10.00%, self 10, 10.00%; Function: other
	other | 10 samples, 10.00%, self 10, 10.00%; Function: other
	a | 60 samples, 60.00%, self 0, 0.00%; Function: a
	x | 40 samples, 40.00%, self 40, 40.00%; Function: x
	y | 20 samples, 20.00%, self 20, 20.00%; Function: y
	a | 60 samples, 60.00%, self 0, 0.00%; Function: a
	a
	a | 60 samples, 60.00%, self 0, 0.00%, 100.00% of view; Function: a
	x | 40 samples, 40.00%, self 40, 40.00%, 66.67% of view; Function: x
	main | 90 samples, 90.00%, self 0, 0.00%; Function: main
	b | 30 samples, 30.00%, self 30, 30.00%; Function: b
	x | 40 samples, 40.00%, self 40, 40.00%; Function: x
	a | 60 samples, 60.00%, self 0, 0.00%; Function: a
	END
}

@test "Escape and Backspace go back from zoom to zoom" {
	draw
	in_browser picture.svg > said <<-'JS'
	const zoomed = () => say(seen().filter(({ rect, box }) =>
	    box.width === 1180 && getComputedStyle(rect).opacity === "1")
	    .map(({ title }) => title.replace(/ .*/, "")).join());
	say(key("Backspace"));
	click("main");
	click("a");
	click("y");
	zoomed();
	key("Escape");
	zoomed();
	key("Backspace");
	zoomed();
	key("Escape");
	zoomed();
	say(isShown("unzoom"));
	say(key("Escape"));
	JS
	diff - said <<-'END'
	false
	y
	a
	main
	all
	false
	false
	END
}

@test "/ searches, ? shows the keys, and both leave by Escape" {
	draw
	in_browser picture.svg > said <<-'JS'
	const panel = () => svg.querySelector("#keys div");
	say(key("/"));
	say(document.activeElement === box());
	say(key("?", {}, box()));
	key("Escape", {}, box());
	say(box());
	say(key("?"));
	say(panel().contains(at(panel().getBoundingClientRect())));
	say(panel().textContent.includes("search"));
	key("?", {}, panel());
	say(panel());
	key("?");
	key("Escape", {}, panel());
	say(panel());
	JS
	diff - said <<-'END'
	true
	true
	false
	null
	true
	true
	true
	null
	null
	END
}

@test "the picture is one tab stop, its buttons are others" {
	printf 'a\thref=https://example.org/a\n' > attributes
	draw --nameattr=attributes --title='Where it <went>'
	in_browser picture.svg > said <<-'JS'
	say([...svg.querySelectorAll("*"), svg].filter(element =>
	    element.tabIndex === 0).map(({ id }) => id).join());
	for (const name of ["role", "aria-label"])
		say(svg.getAttribute(name));
	for (const id of ["unzoom", "search", "ignorecase"])
		say(text(id).getAttribute("role"));
	say(text("details").getAttribute("aria-live"));
	click("b");
	key("Enter", {}, text("unzoom"));
	say(seen().length);
	key(" ", {}, text("ignorecase"));
	say(text("ignorecase").getAttribute("aria-pressed"));
	key("Enter", {}, text("search"));
	say(box() !== null);
	key("Enter", {}, text("search"));
	say(box());
	for (let i = 0; i < 3; i++)
		key("ArrowUp");
	key("Enter");
	say(followed);
	key("Enter", { ctrlKey: true });
	show();
	JS
	diff - said <<-'END'
	unzoom,help,functions,search,ignorecase,
	application
	Where it <went>
	button
	button
	button
	polite
	7
	true
	true
	null
	https://example.org/a
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x'
	y 797 393 'y'
	END
}

@test "letters typed in a page are the page's" {
	draw
	in_browser '<textarea></textarea>' picture.svg > said <<-'JS'
	for (const name of ["/", "?", "n", "ArrowUp", "Enter", "Backspace"])
		say(key(name, {}, document.querySelector("textarea")));
	JS
	printf '%s\n' false false false false false false | diff - said
}

@test "the browser's back and forward walk from zoom to zoom" {
	draw
	in_browser picture.svg > said <<-'JS'
	const zoomed = () => say(query() + " " + seen().length);
	const walk = by => new Promise(done => {
		addEventListener("popstate", () => done(zoomed()), { once: true });
		history.go(by);
	});
	click("a");
	zoomed();
	click("y");
	zoomed();
	press("search");
	type("y");
	zoomed();
	(async () => {
		await walk(-1);
		await walk(-1);
		await walk(2);
		say(text("matched").textContent);
	})();
	JS
	diff - said <<-'END'
	?x=10&y=53 5
	?x=482&y=37 4
	?x=482&y=37&s=y 4
	?x=10&y=53&s=y 5
	?s=y 7
	?x=482&y=37&s=y 4
	Matched: 100% (20 samples, 1 found)
	END
}

@test "a step is in the URL soon after it is seen" {
	draw
	in_browser picture.svg > said <<-'JS'
	const { location } = svg.ownerDocument.defaultView;
	const steps = history.length;
	const tell = () =>
	    say(location.search + " " + (history.length - steps));
	click("a");
	setTimeout(() => {
		tell();
		click("y");
		press("search");
		type("y");
		setTimeout(tell, 400);
	}, 400);
	JS
	printf '%s\n' '?x=10&y=53 1' '?x=482&y=37&s=y 2' | diff - said
}

@test "a step that is made early leaves the next one its time" {
	draw
	in_browser picture.svg > said <<-'JS'
	const timers = new Map(), steps = history.length;
	setTimeout = act => timers.set(timers.size + 1, act).size;
	clearTimeout = id => timers.set(id, () => {});
	const tell = () => say(history.length - steps);
	click("a");
	tell();
	click("y");
	tell();
	timers.get(1)();
	tell();
	timers.get(2)();
	tell();
	JS
	printf '%s\n' 0 1 1 2 | diff - said
}

@test "Back brings no search back that was cleared" {
	draw
	in_browser picture.svg > said <<-'JS'
	press("search");
	type("y");
	click("a");
	say(query());
	press("search");
	addEventListener("popstate", () => say("[" + query() + "] " + box()));
	history.back();
	JS
	printf '%s\n' '?x=10&y=53&s=y' '[] null' | diff - said
}

@test "Ctrl-C copies the name under the mouse or in the ring" {
	printf '%s\n' 'main;a_rather_long_name(int, char) 5' 'main;b 995' |
	    flamegraph > picture.svg
	in_browser picture.svg '<textarea></textarea>' > said <<-'JS'
	const copy = (target = svg) => {
		const event = copyEvent();
		target.dispatchEvent(event);
		say("[" + event.clipboardData.getData("text/plain") + "] " +
		    text("details").textContent);
	};
	copy();
	hover("a_rather_long_name(int, char)");
	copy();
	leave("a_rather_long_name(int, char)");
	key("ArrowUp");
	key("ArrowUp");
	copy();
	copy(document.querySelector("textarea"));
	getSelection().selectAllChildren(text("title"));
	copy();
	JS
	diff - said <<-'END'
	[]  
	[a_rather_long_name(int, char)] Copied: a_rather_long_name(int, char)
	[main] Copied: main
	[] Copied: main
	[] Copied: main
	END
}

@test "a long press copies, a tap zooms" {
	draw
	in_browser picture.svg > said <<-'JS'
	Object.defineProperty(navigator, "clipboard", { configurable: true,
	    value: { writeText: async name => say("clipboard: " + name) } });
	const touch = (type, name) => at(frame(name).box).dispatchEvent(
	    new PointerEvent(type, { pointerType: "touch", bubbles: true }));
	const hold = (name, time) => new Promise(done => {
		touch("pointerdown", name);
		setTimeout(() => {
			touch("pointerup", name);
			click(name);
			say(text("details").textContent + " " + seen().length);
			done();
		}, time);
	});
	(async () => {
		await hold("b", 600);
		Object.defineProperty(navigator, "clipboard", { value: undefined });
		document.execCommand = name => {
			const event = copyEvent();
			svg.dispatchEvent(event);
			say(name + ": " +
			    event.clipboardData.getData("text/plain"));
		};
		await hold("x", 600);
		await hold("a", 100);
	})();
	JS
	diff - said <<-'END'
	clipboard: b
	Copied: b 7
	copy: x
	Copied: x 7
	60 samples, 60.00%, self 0, 0.00%, 100.00% of view; Function: a 5
	END
}

@test "printed is what is zoomed to, without what is for the hand" {
	draw
	in_browser picture.svg > said <<-'JS'
	click("a");
	press("search");
	type("^x");
	key("n");
	key("?");
	const printed = document.createElement("style");
	for (const sheet of svg.ownerDocument.styleSheets)
		for (const rule of sheet.cssRules)
			if (rule.conditionText === "print")
				printed.textContent += [...rule.cssRules]
				    .map(({ cssText }) => cssText).join("\n");
	document.head.append(printed);
	show();
	for (const id of ["unzoom", "search", "ignorecase", "searchbox", "keys",
	    "ring", "title", "matched"])
		say(id + " " + isShown(id));
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	a 10 1180 'a'
	x 10 787 'x' match
	y 797 393 'y'
	unzoom false
	search false
	ignorecase false
	searchbox false
	keys false
	ring false
	title true
	matched true
	END
}

@test "a fluid picture is printed as it was seen, labels fitting" {
	draw --width=auto
	in_browser picture.svg > said <<-'JS'
	const before = frame("a").box.width;
	dispatchEvent(new Event("beforeprint"));
	// the paper is half as wide
	svg.parentNode.style.width = "50%";
	const { box, text } = frame("a");
	const label = text.getBoundingClientRect();
	say((box.width / before).toFixed(2));
	say((label.height / parseFloat(getComputedStyle(text).fontSize)) < 1);
	dispatchEvent(new Event("afterprint"));
	say((frame("a").box.width / before).toFixed(2));
	say(frame("a").text.getBoundingClientRect().height > 1.5 * label.height);
	JS
	printf '%s\n' 0.50 true 0.50 true | diff - said
}

@test "script and style can be in XML and in HTML" {
	local graph=$TOP/graph
	draw
	if command -v xmllint > /dev/null; then
		xmllint --noout picture.svg
	fi
	! grep -nE ']]>|</script|[^ -~	]' "$graph"/viewer/*.js || false
	! grep -nE '[<&]|[^ -~	]' "$graph/viewer.css" || false
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
	in_browser "$resizing" picture.svg > said <<-'JS'
	const resize = width => {
		svg.parentNode.style.width = width + "px";
		dispatchEvent(new Event("resize"));
		say(width);
		show();
	};
	resize(600);
	resize(200);
	click("main");
	resize(1200);
	press("search");
	say(box().getBoundingClientRect().right <
	    text("search").getBoundingClientRect().left);
	resize(320);
	say(box().getBoundingClientRect().left >= 0);
	press("unzoom");
	show();
	JS
	sed "s/'a_f[a-z_]*\.\.'/cut/" said | diff - <(cat <<-'END'
	600
	all 6 588 'all'
	main 6 294 'main'
	other 300 294 'other'
	a_function_of_a_long_name 6 176 'a_function_of_a_long_name'
	b 182 118 'b'
	200
	all 2 196 'all'
	main 2 98 'main'
	other 100 98 'other'
	a_function_of_a_long_name 2 59 cut
	b 61 39 'b'
	1200
	all 12 1176 'all' faded
	main 12 1176 'main'
	a_function_of_a_long_name 12 706 'a_function_of_a_long_name'
	b 718 470 'b'
	true
	320
	all 3 314 'all' faded
	main 3 314 'main'
	a_function_of_a_long_name 3 188 'a_function_of_a_long_name'
	b 191 125 'b'
	true
	all 3 314 'all'
	main 3 157 'main'
	other 160 157 'other'
	a_function_of_a_long_name 3 94 cut
	b 97 63 'b'
	END
	)
}

@test "a fluid picture does all that a fixed one does" {
	draw --width=auto
	in_browser "$resizing<style>.picture { width: 1000px }</style>" \
	    picture.svg > said <<-'JS'
	press("search");
	type("^(a|x|other)$");
	say(text("matched").textContent);
	key("n");
	say(ringed());
	key("Enter");
	show();
	say(query());
	hover("x");
	say(text("details").textContent);
	JS
	diff - said <<-'END'
	Matched: 70.0% (70 samples, 3 found)
	a
	all 10 980 'all' faded
	main 10 980 'main' faded
	a 10 980 'a' match
	x 10 653 'x' match
	y 663 327 'y'
	?x=1&y=53&s=%5E(a%7Cx%7Cother)%24
	40 samples, 40.00%, self 40, 40.00%, 66.67% of view; Function: x
	END
}

# shades PICTURE: the colours of its title, its background and a label.
shades() {
	in_browser "<object class='picture' data='$1'></object>" <<-'JS'
	const style = element => getComputedStyle(element);
	say(style(text("title")).fill);
	for (const stop of svg.querySelectorAll("stop"))
		say(style(stop).stopColor);
	say(style(frame("main").group.querySelector("text")).fill);
	JS
}

@test "the theme is the reader's, or as told" {
	local light='rgb(0, 0, 0)
rgb(238, 238, 238)
rgb(238, 238, 176)
rgb(0, 0, 0)' dark='rgb(216, 216, 216)
rgb(30, 30, 30)
rgb(42, 42, 26)
rgb(0, 0, 0)'
	draw
	[ "$(shades picture.svg)" = "$light" ]
	draw --theme=dark
	[ "$(shades picture.svg)" = "$dark" ]
	draw --theme=auto
	[ "$(shades picture.svg)" = "$light" ]
	only_chromium 'it is told the theme'
	# shellcheck disable=SC2034 # in_browser reads it
	CHROMIUM_FLAGS=--blink-settings=preferredColorScheme=0
	[ "$(shades picture.svg)" = "$dark" ]
	draw --theme=light
	[ "$(shades picture.svg)" = "$light" ]
}

@test "--search opens the picture with a search, unless the URL has one" {
	draw --search='^[ab]&'
	in_browser "$(embed)" > said <<-'JS'
	say(box().value);
	say(text("matched").textContent);
	JS
	printf '%s\n' '^[ab]&' 'Matched: 0.0% (0 samples, 0 found)' | diff - said
	draw --search='^[ab]$'
	in_browser "$(embed)" "$(embed '?s=other')" > said <<-'JS'
	show();
	say(text("matched").textContent);
	say("[" + query() + "]");
	press("search");
	say(box());
	look(1);
	say(text("matched").textContent);
	JS
	diff - said <<-'END'
	all 10 1180 ''
	main 10 1062 'main'
	other 1072 118 'other'
	a 10 708 'a' match
	b 718 354 'b' match
	x 10 472 'x'
	y 482 236 'y'
	Matched: 90.0% (90 samples, 2 found)
	[]
	null
	Matched: 10.0% (10 samples, 1 found)
	END
}

@test "matches too narrow for a label are highlighted, in place and zoomed" {
	{
		echo 'main;wide 1000'
		seq 100 199 | sed 's/.*/main;few;n& 1/'
	} | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	// whether the highlight covers the middle of a frame
	const isMarked = name => {
		const { rect, text } = frame(name);
		const [x, y, width, height] = ["x", "y", "width", "height"].map(
		    key => Number(rect.getAttribute(key)));
		const marks = svg.querySelector("path");
		const point = new DOMPoint(x + width / 2, y + height / 2);
		return getComputedStyle(marks).fill === "rgb(230, 0, 230)" &&
		    marks.isPointInFill(point);
	};
	const marked = () => say(["main", "few", "n100", "n101", "n199"]
	    .filter(isMarked));
	press("search");
	type("^n1.[19]");
	marked();
	say(text("matched").textContent);
	type("^n");
	marked();
	type("^n1.0");
	marked();
	click("few");
	say(seen().filter(({ rect }) => getComputedStyle(rect).fill ===
	    "rgb(230, 0, 230)").map(({ title }) => title.slice(0, 4)).join());
	type("^n15");
	press("unzoom");
	marked();
	say(isMarked("n155"));
	press("search");
	say(isMarked("n155"));
	JS
	diff - said <<-'END'
	n101,n199
	Matched: 1.8% (20 samples, 20 found)
	n100,n101,n199
	n100
	n100,n110,n120,n130,n140,n150,n160,n170,n180,n190

	true
	false
	END
}

@test "frames narrower than a pixel can still be pointed at" {
	# 0.1 pixels a sample; zoomed to few, 0.4
	{
		echo 'main;wide 8850'
		seq 1000 3949 | sed 's/.*/main;few;n& 1/'
	} | flamegraph --colors=aqua > picture.svg
	in_browser picture.svg > said <<-'JS'
	const at = x => {
		const few = frame("few").box;
		const point = { clientX: few.x + x,
		    clientY: few.y - few.height / 2 };
		return [svg.ownerDocument.elementFromPoint(point.clientX,
		    point.clientY), point];
	};
	click("few");
	const shades = svg.querySelectorAll("#frames > path");
	say(shades.length > 1 && shades.length < 100);
	say(seen().length);
	for (const x of [0, 500, 1179]) {
		mouse("mousemove", ...at(x));
		say(text("details").textContent);
		say(at(x)[0].querySelector("title").textContent);
	}
	const marks = () => {
		const { y, height } = frame("few").rect.getBBox();
		return [0, 1000, 1001, 2949].filter(k => text("marks")
		    .isPointInFill(new DOMPoint(10.2 + .4 * k, y - height / 2)));
	};
	press("search");
	type("[90]$");
	say(marks().join());
	say(text("matched").textContent);
	press("search");
	say(marks().join());
	key("ArrowUp");
	const ring = text("ring");
	say(text("details").textContent);
	say(["x", "width"].map(key =>
	    Number(ring.getAttribute(key)).toFixed(2)).join());
	mouse("click", ...at(500));
	show();
	key("Escape");
	key("ArrowRight");
	key("Enter");
	show();
	press("unzoom");
	say(text("marks").getAttribute("d") + "|");
	JS
	diff - said <<-'END'
	true
	3
	1 samples, 0.01%, self 1, 0.01%, 0.03% of view; Function: n1001
	n1001 (1 samples, 0.01%)
	1 samples, 0.01%, self 1, 0.01%, 0.03% of view; Function: n2251
	n2251 (1 samples, 0.01%)
	1 samples, 0.01%, self 1, 0.01%, 0.03% of view; Function: n3948
	n3948 (1 samples, 0.01%)
	0,1000,2949
	Matched: 20.0% (590 samples, 590 found)

	1 samples, 0.01%, self 1, 0.01%, 0.03% of view; Function: n3948
	1189.20,0.40
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	few 10 1180 'few' faded
	n2251 10 1180 'n2251'
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	few 10 1180 'few' faded
	n2252 10 1180 'n2252'
	|
	END
}

@test "in the palette for the colour-blind matches are dark, labels white" {
	draw --colors=colorblind
	in_browser picture.svg > said <<-'JS'
	press("search");
	type("^a$");
	for (const name of ["a", "b"]) {
		const { rect, text } = frame(name);
		say(getComputedStyle(rect).fill === "rgb(32, 32, 32)");
		say(getComputedStyle(text).fill);
	}
	JS
	printf '%s\n' true 'rgb(255, 255, 255)' false 'rgb(0, 0, 0)' | diff - said
}

@test "two pictures in one page have their own backgrounds" {
	draw --bgcolors=blue
	mv picture.svg other.svg
	draw --bgcolors='#123456'
	in_browser picture.svg other.svg > said <<-'JS'
	const stops = () => {
		const id = /#([^")]*)/.exec(
		    getComputedStyle(svg.querySelector("#canvas")).fill)[1];
		say([...document.getElementById(id).querySelectorAll("stop")]
		    .map(stop => getComputedStyle(stop).stopColor).join());
	};
	stops();
	look(1);
	stops();
	JS
	diff - said <<-'END'
	rgb(18, 52, 86),rgb(18, 52, 86)
	rgb(238, 238, 238),rgb(224, 224, 255)
	END
}

@test "as an image the picture is drawn, without its script" {
	draw --colors=red
	{
		echo '<canvas width="1200" height="134"></canvas>'
		printf '<img src="data:image/svg+xml;base64,'
		base64 -w 0 picture.svg
		echo '">'
	} > image
	in_browser "$(cat image)" picture.svg > said <<-'JS'
	const image = document.querySelector("img");
	const context = document.querySelector("canvas").getContext("2d");
	context.drawImage(image, 0, 0);
	const pixel = (x, y) =>
	    say(context.getImageData(x, y, 1, 1).data.slice(0, 3).join());
	say(image.naturalWidth + " " + image.naturalHeight);
	pixel(1185, 92);	// the root
	pixel(1185, 45);	// nothing is on "other"
	JS
	grep -o 'width="1180" height="15" fill="#[0-9a-f]*"' picture.svg
	diff - said <<-'END'
	1200 134
	209,63,63
	243,243,243
	END
}

@test "the picture and its tooltips are there where no script may run" {
	draw
	{
		echo "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
		sed 1d picture.svg
	} > inner.html
	cat > page.html <<-'HTML'
	<pre id="said"></pre>
	<iframe src="inner.html" width="1250" height="300"></iframe>
	<script>
	onload = () => {
		const { document: inner } = frames[0];
		document.getElementById("said").append(
		    inner.querySelectorAll("rect").length + " " +
		    inner.querySelector("svg").hasAttribute("role") + " " +
		    inner.querySelector("#frames title").textContent + "\n");
	};
	</script>
	HTML
	dump page.html > dumped
	grep '>8 false all (100 samples, 100%)' dumped
}

@test "names in any script are shown whole where they fit, found and cut" {
	local long
	long=$(printf 'wort%.0s' $(seq 1250))
	printf '%s\n' 'main;שלום_עולם 300' 'main;مرحبا 200' \
	    'main;👩‍👩‍👧‍👦👍🏽 100' "main;$long 200" 'main;é́́x 100' \
	    'main;日本語の関数名 100' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	click("main");
	const whole = ["שלום_עולם", "مرحبا", "👩‍👩‍👧‍👦👍🏽", "é́́x", "日本語の関数名"];
	for (const name of whole) {
		const { text, box } = frame(name);
		const end = text.getBoundingClientRect().right;
		say((text.textContent === name) + " " + (end <= box.right));
	}
	const cut = frame("wort".repeat(1250));
	say(/^(wort)+[wor]*\.\.$/.test(cut.text.textContent));
	const gap = cut.box.right - cut.text.getBoundingClientRect().right;
	say(gap >= 0 && gap < 12);
	press("search");
	for (const name of [...whole, "(wort){1250}$"]) {
		type(name);
		say(text("matched").textContent);
	}
	press("search");
	click(whole[2]);
	key("ArrowUp");
	say(ringed() === whole[2]);
	JS
	diff - said <<-'END'
	true true
	true true
	true true
	true true
	true true
	true
	true
	Matched: 30.0% (300 samples, 1 found)
	Matched: 20.0% (200 samples, 1 found)
	Matched: 10.0% (100 samples, 1 found)
	Matched: 10.0% (100 samples, 1 found)
	Matched: 10.0% (100 samples, 1 found)
	Matched: 20.0% (200 samples, 1 found)
	true
	END
}

@test "a picture of one frame, and one of none" {
	echo 'main 1000' | flamegraph > picture.svg
	echo 'main 1000' | flamegraph --minwidth=2000 > none.svg
	in_browser picture.svg none.svg > said <<-'JS'
	click("main");
	show();
	key("ArrowDown");
	key("ArrowDown");
	say(ringed());
	key("Enter");
	say(isShown("unzoom"));
	look(1);
	press("search");
	key("/");
	say(seen().length);
	JS
	diff - said <<-'END'
	all 10 1180 'all' faded
	main 10 1180 'main'
	all
	false
	0
	END
}

@test "160,000 frames are zoomed, searched and reset" {
	awk 'BEGIN {
		for (folder = 100; folder < 500; folder++)
			for (file = 0; file < 399; file++)
				print "usr;d" folder ";f" folder "-" file, \
				    file + (folder == 100 ? 100000 : 100)
	}' | flamegraph --minwidth=0 > picture.svg
	[ "$(grep -c '<title>.*<rect' picture.svg)" -eq 160002 ]
	in_browser picture.svg > said <<-'JS'
	const group = title => [...svg.querySelectorAll("#frames > *")]
	    .find(({ textContent }) => textContent.startsWith(title));
	const folder = group("d100 ");
	mouse("mouseover", folder.querySelector("rect"));
	mouse("click", folder.querySelector("rect"));
	const tell = () => {
		if (svg.querySelector("#frames path"))
			return setTimeout(tell, 20);
		say(svg.querySelectorAll("#frames > *").length);
		press("search");
		type("^f100-");
		say(text("matched").textContent);
		press("unzoom");
		say(text("matched").textContent);
	};
	tell();
	JS
	diff - said <<-'END'
	402
	Matched: 100% (39,979,401 samples, 399 found)
	Matched: 45.6% (39,979,401 samples, 399 found)
	END
}

@test "the tooltip of a differential tells both counts once it is pointed at" {
	printf '%s\n' 'main 10 10' 'main;a 5 10' 'main;b 15 0' > in
	flamegraph in > picture.svg 2> err
	in_browser picture.svg > said <<-'JS'
	const tooltip = () => document.querySelector("#frames").children[2]
	    .querySelector("title").textContent.replaceAll("\n", " / ");
	say(tooltip());
	hover("a");
	hover("main");
	hover("a");
	say(tooltip());
	say(text("details").textContent);
	JS
	diff - said <<-'END'
	a (10 samples, 50.00%; +25.00%)
	a (10 samples, 50.00%; +25.00%) / before 5, after 10, +5, +33.33 points, +100.00% / self the same
	10 samples, 50.00%, self 10, 50.00%, before 5, after 10, +5, +33.33 points, +100.00%; self the same; Function: a
	END
}

@test "the tooltip of a differential tells both counts in a zoom, too" {
	printf '%s\n' 'main 10 10' 'main;a 5 10' 'main;b 15 0' > in
	flamegraph in > picture.svg 2> err
	in_browser picture.svg > said <<-'JS'
	click("main");
	hover("a");
	say(frame("a").title.replaceAll("\n", " / "));
	JS
	diff - said <<-'END'
	a (10 samples, 50.00%; +25.00%) / before 5, after 10, +5, +33.33 points, +100.00% / self the same
	END
}

@test "a zoom is as exact as the counts, down to frames too narrow for the file" {
	# thin has 0.8 pixels, its children counts of 1 to 30
	{
		echo 'main;wide 684000'
		seq 1 30 | awk '{ print "main;thin;n" 100 + $1 " " $1 }'
	} > folded
	flamegraph --minwidth=0 folded > picture.svg
	grep -q '<view.*n104 ' picture.svg
	# each child begins after the others, of 465 on 1180 pixels
	in_browser picture.svg > said <<-'JS'
	const thin = [...svg.querySelectorAll("#frames > *")].find(
	    ({ textContent }) => textContent.startsWith("thin "));
	mouse("click", thin.querySelector("rect"));
	let wrong = 0, count = 0;
	for (const { rect, title } of seen()) {
		const [, n] = /^n1(\d\d) /.exec(title) || [];
		if (n === undefined)
			continue;
		count++;
		const { x, width } = rect.getBBox();
		if (Math.abs(x - 10 - 1180 * n * (n - 1) / 2 / 465) > .01 ||
		    Math.abs(width - 1180 * n / 465) > .01)
			wrong++;
	}
	say(count + " " + wrong);
	JS
	echo '30 0' | diff - said
}

# 400 frames of main are 2.95 pixels wide, and have no labels.
@test "of many frames all are drawn at once, and become elements soon" {
	seq 1000 1399 | sed 's/.*/main;n& 1/' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
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
		say(target.localName + " " + text("details").textContent);
	};
	const tell = () => {
		if (svg.querySelector("#frames path"))
			return setTimeout(tell, 20);
		say(all().join() === printed);
		point(0);
		point(398);
		key("Escape");
		say(svg.querySelector("#frames path") + " " + all().length);
		click("main");
		press("unzoom");
		setTimeout(() => say(all().length), 400);
	};
	click("main");
	say(all().length < 250);
	point(0);
	point(398);
	press("search");
	type("n100");
	say(text("matched").textContent);
	press("search");
	tell();
	JS
	diff - said <<-'END'
	true
	path 1 samples, 0.25%, self 1, 0.25%, 0.25% of view; Function: n1000
	rect 1 samples, 0.25%, self 1, 0.25%, 0.25% of view; Function: n1398
	Matched: 2.5% (10 samples, 10 found)
	true
	rect 1 samples, 0.25%, self 1, 0.25%, 0.25% of view; Function: n1000
	rect 1 samples, 0.25%, self 1, 0.25%, 0.25% of view; Function: n1398
	null 402
	402
	END
}

@test "a fluid picture has one width for phones, however often it is saved" {
	draw --width=auto
	for _ in 1 2; do
		dump picture.svg > saved.svg
		{
			echo '<?xml version="1.0"?>'
			cat saved.svg
		} > picture.svg
	done
	[ "$(grep -o 'name="viewport"' saved.svg | wc -l)" -eq 1 ]
}

@test "a page that was saved while it was zoomed opens as it was printed" {
	draw
	dump picture.svg '?x=10&y=53&s=x' > saved.svg
	grep -q 'class="parent"' saved.svg
	{
		echo '<?xml version="1.0"?>'
		cat saved.svg
	} > again.svg
	in_browser picture.svg again.svg > said <<-'JS'
	show();
	look(1);
	show();
	say(svg.querySelectorAll("#frames").length);
	click("b");
	show();
	JS
	head -n 7 said | diff - <(sed -n 8,14p said)
	sed 1,14d said | diff - <(cat <<-'END'
	1
	all 10 1180 'all' faded
	main 10 1180 'main' faded
	b 10 1180 'b'
	END
	)
}

@test "a cleared --search stays cleared" {
	draw --search='^x'
	in_browser picture.svg > said <<-'JS'
	say(text("matched").textContent);
	press("search");
	say(query());
	JS
	printf '%s\n' 'Matched: 40.0% (40 samples, 1 found)' '?s=' |
		diff - <(head -n 2 said)
	in_browser "$(embed '?s=')" > said <<-'JS'
	say(box());
	JS
	echo null | diff - said
}
