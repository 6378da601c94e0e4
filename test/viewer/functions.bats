# The viewer's numbers for functions, wherever they are called, in a browser.
load ../helper
load browser

setup() {
	[ -n "$chromium" ] || skip
	cd "$BATS_TEST_TMPDIR" || return
	cat > folded <<-'END'
	main;a;x 40
	main;a;y 20
	main;b;a;x 10
	main;b 20
	other 10
	END
	flamegraph folded > picture.svg
}

# rows: what is seen, from the table of functions.
table='const table = () => [...svg.querySelectorAll("#top tr")].slice(1)
    .forEach(row => {
	const [name, ...sums] = [...row.children].map(cell => cell.textContent);
	say([...sums, name].join(" "));
    });'

@test "a function's other frames are outlined, and its sums told" {
	in_browser picture.svg > said <<-'JS'
	const outlined = () => ["a", "b", "x", "y"].filter(name =>
	    seen().filter(({ title }) => title.startsWith(name + " "))
	    .some(({ rect }) => {
		const { x, y, width, height } = rect.getBBox();
		return text("kin").isPointInFill(
		    new DOMPoint(x + width / 2, y + height / 2));
	    })).join();
	for (const name of ["a", "x", "b"]) {
		hover(name);
		say(outlined() + "|" + text("details").textContent);
	}
	leave("b");
	say(outlined());
	JS
	diff - said <<-'END'
	a|60 samples, 60.00%, self 0, 0.00%, in all 2 places 70, 70.00%, self 0, 0.00%; Function: a
	x|40 samples, 40.00%, self 40, 40.00%, in all 2 places 50, 50.00%, self 50, 50.00%; Function: x
	|30 samples, 30.00%, self 20, 20.00%; Function: b

	END
}

# 60 frames, each 6 pixels wide: what is drawn around them is less than a third.
@test "the outlines of narrow frames leave their colors to be seen" {
	{
		awk 'BEGIN {
			for (i = 0; i < 60; i++)
				stack = stack ";f"
			print "main" stack, 6
		}'
		echo 'main 1174'
	} > in.folded
	flamegraph in.folded > picture.svg
	in_browser picture.svg > said <<-'JS'
	mouse("mouseover", frame("f").rect);
	const { strokeWidth } = getComputedStyle(text("kin"));
	say(frame("f").box.width);
	say(parseFloat(strokeWidth) <= frame("f").box.width / 6);
	JS
	printf '%s\n' 6 true | diff - said
}

@test "recursion counts once in a function's total" {
	printf '%s\n' 'f;g;f;f 30' 'f;f 20' 'g 50' | flamegraph > picture.svg
	in_browser picture.svg > said <<-JS
	$table
	key("t");
	table();
	JS
	diff - said <<-'END'
	50.00% 50 80.00% 80 2 g
	50.00% 50 50.00% 50 4 f
	END
}

@test "t opens a table of functions: sorted, filtered, and searched from" {
	in_browser picture.svg > said <<-JS
	$table
	const heads = () => [...svg.querySelectorAll("#top th button")];
	key("t");
	say(heads().map(({ textContent }) => textContent).join(" "));
	table();
	heads()[1].click();
	say("by total");
	table();
	say(svg.querySelectorAll("#top th[aria-sort=descending]").length);
	key("/", {}, svg.querySelector("#top div"));
	type("^[xy]");
	table();
	[...svg.querySelectorAll("#top td button")][1].click();
	say(svg.querySelector("#top") + " " + box().value + " " +
	    text("matched").textContent + " " + query());
	JS
	diff - said <<-'END'
	self total places
	50.00% 50 50.00% 50 2 x
	20.00% 20 30.00% 30 1 b
	20.00% 20 20.00% 20 1 y
	10.00% 10 10.00% 10 1 other
	0.00% 0 90.00% 90 1 main
	0.00% 0 70.00% 70 2 a
	by total
	0.00% 0 90.00% 90 1 main
	0.00% 0 70.00% 70 2 a
	50.00% 50 50.00% 50 2 x
	20.00% 20 30.00% 30 1 b
	20.00% 20 20.00% 20 1 y
	10.00% 10 10.00% 10 1 other
	1
	50.00% 50 50.00% 50 2 x
	20.00% 20 20.00% 20 1 y
	null ^y$ Matched: 20.0% (20 samples, 1 found) ?s=%5Ey%24
	END
}

@test "c shows a function's callers below it, and its callees on it" {
	in_browser picture.svg > said <<-'JS'
	hover("a");
	say(key("c"));
	show();
	hover("main");
	say(text("details").textContent);
	mouse("click", seen().find(({ title }) => title.startsWith("b ")).rect);
	show();
	key("Escape");
	say(seen().length + " " + query());
	key("Escape");
	say(seen().length + " " + query());
	JS
	# 50 and 20 of 70 above, 60 and 10 of 70 below
	diff - said <<-'END'
	true
	main 10 169 'main'
	b 10 169 'b'
	main 179 1011 'main'
	a 10 1180 'a'
	x 10 843 'x'
	y 853 337 'y'
	10 samples, 14.29%, self 10, 14.29%; Function: main
	main 10 1180 'main'
	b 10 1180 'b'
	a 10 1180 'a' faded
	6 ?t=ca
	9 
	END
}

@test "a picture grows for callers and callees that need more rows" {
	printf '%s\n' 'f;a;b;c 50' 'd;e;g;f 50' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	const size = () => say(svg.getBoundingClientRect().height);
	size();
	hover("f");
	key("c");
	size();
	say(seen().map(({ title }) => title[0]).join(""));
	key("Escape");
	size();
	JS
	# 5 rows; 3 above f, 3 below
	diff - said <<-'END'
	150
	182
	degfabc
	150
	END
}

# The layout of the picture, as flamegraph itself draws it.
drawn() {
	grep -o '<title>.*<rect [^>]*>' "$1" | sed -e 's/<title>//' \
	    -e 's/ (.*x="\([0-9.]*\)".*width="\([0-9.]*\)".*/ \1 \2/' |
		awk '{ printf "%s %.0f %.0f\n", $1, $2, $3 }' | LC_ALL=C sort
}

@test "r merges the stacks from their leaves, as --reverse does" {
	flamegraph --reverse folded > reversed.svg
	in_browser picture.svg > said <<-'JS'
	key("r");
	show();
	JS
	sed "s/ '.*//" said | LC_ALL=C sort | diff <(drawn reversed.svg) -
}

@test "i turns the picture upside down, as --inverted does, and back" {
	flamegraph --inverted folded > inverted.svg
	in_browser picture.svg inverted.svg > said <<-'JS'
	const rows = () => seen().map(({ title }) => title.split(" ")[0]).join();
	look(1);
	const inverted = rows();
	look(0);
	const before = rows();
	key("i");
	say(rows() === inverted && before !== inverted);
	click("b");
	say(query());
	key("i");
	say(rows() + " " + query());
	JS
	diff - said <<-'END'
	true
	?x=60&y=2&t=i
	all,main,b,a,x ?x=718&y=69
	END
}

@test "h hides a function's frames, d drops all on them: shares are of the rest" {
	grep -v 'b' folded > dropped
	sed 's/;b//' folded > hidden
	flamegraph hidden > hidden.svg
	flamegraph dropped > dropped.svg
	in_browser picture.svg > said <<-'JS'
	hover("b");
	key("h");
	show();
	key("Escape");
	say("dropped");
	hover("b");
	key("d");
	show();
	hover("a");
	say(text("details").textContent);
	JS
	sed "s/ '.*//" said | sed '/dropped/,$d' | LC_ALL=C sort |
		diff <(drawn hidden.svg) -
	sed "s/ '.*//" said | sed -e '1,/dropped/d' -e '$d' | LC_ALL=C sort |
		diff <(drawn dropped.svg) -
	tail -n 1 said |
		diff - <(echo '60 samples, 85.71%, self 0, 0.00%; Function: a')
}

@test "m merges a function's recursion, with what is between" {
	printf '%s\n' 'f;g;f;h 30' 'f;g 20' 'f;h 10' 'k 40' |
	    flamegraph > picture.svg
	printf '%s\n' 'f;h 40' 'f;g 20' 'k 40' | flamegraph > merged.svg
	in_browser picture.svg > said <<-'JS'
	hover("f");
	key("m");
	show();
	JS
	sed "s/ '.*//" said | LC_ALL=C sort | diff <(drawn merged.svg) -
}

@test "changes are chips to remove, steps of the browser's, and in the URL" {
	in_browser picture.svg > said <<-'JS'
	const chips = () => say([...svg.querySelectorAll("#bar button")]
	    .map(({ textContent }) => textContent).join("|") + " " + query());
	const walk = by => new Promise(done => {
		addEventListener("popstate", () => done(chips()), { once: true });
		history.go(by);
	});
	hover("b");
	key("h");
	chips();
	key("r");
	chips();
	svg.querySelector("#bar button").click();
	chips();
	(async () => {
		await walk(-1);
		await walk(-2);
		say(seen().length);
		await walk(1);
	})();
	JS
	diff - said <<-'END'
	× without b ?t=hb
	× without b|× from the leaves ?t=hb%0Ar
	× from the leaves ?t=r
	× without b|× from the leaves ?t=hb%0Ar
	 
	9
	× without b ?t=hb
	END
}

@test "a URL opens the picture changed and zoomed" {
	in_browser "<object class='picture' data='picture.svg?t=hb%0Ai&x=30&y=2'></object>" \
	    "<object class='picture' data='picture.svg?t=qx%0Acnothing%0Ah'></object>" \
	    "<object class='picture' data='picture.svg?y=1&t=ca'></object>" \
	    > said <<-'JS'
	show();
	look(1);
	say(seen().length);
	click("b");
	say(seen().length);
	look(2);
	show();
	JS
	# main has 20 itself before a's 70; x begins at 0
	diff - said <<-'END'
	x 10 843 'x'
	y 853 337 'y'
	a 10 1180 'a'
	main 10 1180 'main' faded
	all 10 1180 'all' faded
	9
	5
	a 10 1180 'a' faded
	x 10 1180 'x'
	END
}

@test "a path leads back from a zoom, step by step" {
	in_browser picture.svg > said <<-'JS'
	const steps = () => [...svg.querySelectorAll("#bar button")];
	const path = () => say(steps().map(({ textContent }) => textContent)
	    .join(" > "));
	click("y");
	path();
	steps()[1].click();
	path();
	say(seen().length);
	steps()[0].click();
	say(steps().length);
	JS
	diff - said <<-'END'
	all > main > a > y
	all > main
	8
	0
	END
}

@test "a path leads back to the function whose callers are shown" {
	in_browser picture.svg > said <<-'JS'
	hover("a");
	key("c");
	click("y");
	say(query());
	svg.querySelector("#bar button").click();
	say(seen().length + " " + query());
	key("Escape");
	say(seen().length + " " + query());
	JS
	printf '%s\n' '?x=50&y=1&t=ca' '6 ?t=ca' '9 ' | diff - said
}

@test "y copies the stack, e saves what is shown as folded text" {
	in_browser picture.svg > said <<-'JS'
	Object.defineProperty(navigator, "clipboard", { configurable: true,
	    value: { writeText: async text => say("clipboard: " + text) } });
	const saved = [];
	window.Blob = function (parts) {
		saved.push(parts.join(""));
	};
	URL.createObjectURL = () => "data:,";
	hover("y");
	key("y");
	key("e");
	click("main");
	hover("b");
	key("h");
	key("e");
	key("Escape");
	click("b");
	key("e");
	key("r");
	key("e");
	hover("y");
	key("y");
	saved.forEach(say);
	JS
	# all; main without b; b; all from their leaves
	diff - <(sed '/^$/d' said | LC_ALL=C sort) <<-'END'
	b;main 20
	clipboard: main;a;y 20
	clipboard: y 20
	main 20
	main;a;x 40
	main;a;x 50
	main;a;y 20
	main;a;y 20
	main;b 20
	main;b 20
	main;b;a;x 10
	main;b;a;x 10
	other 10
	other 10
	other 10
	x;a;b;main 10
	x;a;main 40
	y;a;main 20
	END
}

@test "a name that ends in a number is no count in what y and e give" {
	printf '%s\n' 'main;a 12;b 5' 'main;a 12;c 3' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	Object.defineProperty(navigator, "clipboard", { configurable: true,
	    value: { writeText: async text => say("clipboard: " + text) } });
	window.Blob = function (parts) {
		say("saved: " + parts.join("").trim());
	};
	URL.createObjectURL = () => "data:,";
	hover("a 12");
	key("y");
	hover("b");
	key("h");
	key("e");
	JS
	diff <(LC_ALL=C sort said) - <<-'END'
	clipboard: main;a_12 8
	main;a 12;c 3
	saved: main;a_12 5
	END
}

@test "a differential's changes add up over callers" {
	printf '%s\n' 'p;f 10 40' 'q;f 30 20' 'r 60 60' |
	    flamegraph > picture.svg
	in_browser picture.svg > said <<-JS
	$table
	key("t");
	table();
	key("Escape");
	hover("f");
	key("c");
	say(seen().map(({ title }) => title).join("\n"));
	const [r, g, b] = getComputedStyle(frame("p").rect).fill
	    .match(/\d+/g).map(Number);
	say(r === 255 && g === b && g < 255);
	JS
	# of 120, and of f's 60
	diff - said <<-'END'
	50.00% 60 50.00% 60 16.67% 20 2 f
	50.00% 60 50.00% 60 0.00% 0 1 r
	0.00% 0 33.33% 40 25.00% 30 1 p
	0.00% 0 16.67% 20 -8.33% -10 1 q
	p (40 samples, 66.67%; +50.00%)
	q (20 samples, 33.33%; -16.67%)
	f (60 samples, 100.00%; +33.33%)
	true
	END
}

@test "a function's change is its own, also below a zoom to a caller" {
	printf '%s\n' 'p;f 10 40' 'p;f;g 5 25' 'q;f 30 20' |
	    flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	hover("f");
	key("c");
	say(frame("f").title);
	click("p");
	say(frame("f").title);
	JS
	# 60 less 40, of 85
	printf '%s\n' 'f (85 samples, 100.00%; +23.53%)'{,} | diff - said
}

@test "e saves both counts of a differential, whatever its widths are" {
	printf '%s\n' 'main;a 10 40' 'main;b 30 20' 'main 7 7' > changes
	local widths
	for widths in before after sum change; do
		flamegraph --widths=$widths changes > picture.svg
		in_browser picture.svg > said <<-'JS'
		const saved = [];
		window.Blob = function (parts) {
			saved.push(parts.join(""));
		};
		URL.createObjectURL = () => "data:,";
		key("e");
		saved.forEach(say);
		JS
		sed '/^$/d' said | LC_ALL=C sort |
			diff - <(LC_ALL=C sort changes)
	done
}

# Of 80 characters 40 em hold more than half, and 14 em do not.
@test "a chip has room for a long name, and tells it whole" {
	local name
	name=$(printf 'a_name_of_20_letters%.0s' 1 2 3 4)
	printf '%s\n' "main;$name 40" 'main;b 60' | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	mouse("click", seen().find(({ title }) => title.startsWith("a_n")).rect);
	key("c");
	const chip = svg.querySelector("#bar button");
	say(chip.title);
	say(chip.clientWidth > chip.scrollWidth / 2);
	JS
	printf '%s\n' "× callers and callees of $name" true | diff - said
}

# Of n1 to n9 the first ones are left out; they had 1 count before and have 2.
@test "changes of frames that are too narrow to be printed are not lost" {
	{
		printf '%s\n' 'a;b 99000 98000' 'a 500 400'
		printf 'a;c;n%s 1 2\n' 1 2 3 4 5 6 7 8 9
	} > folded
	flamegraph --minwidth=1 folded > picture.svg
	in_browser picture.svg > said <<-JS
	$table
	window.Blob = function (parts) {
		say(parts.join(""));
	};
	URL.createObjectURL = () => "data:,";
	key("e");
	hover("b");
	key("d");
	key("t");
	table();
	JS
	# 500 + 9 and 400 + 18; of 418 that are left
	diff - <(sed '/^$/d' said) <<-'END'
	a 509 418
	a;b 99000 98000
	95.69% 400 100.00% 418 -21.77% -91 1 a
	END
}
