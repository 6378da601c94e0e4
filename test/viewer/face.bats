# How the viewer looks, and where its parts are, in a real browser.
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

draw() {
	flamegraph "$@" > picture.svg <<-'END'
	main;a;x 40
	main;a;y 20
	main;b 30
	other 10
	END
}

# embed ATTRIBUTES: the picture as a document of its own.
embed() {
	echo "<object class='picture' data='picture.svg' $1></object>"
}

# Steps that find the contrast of text, as WCAG 2.1 counts it.
contrast='
const rgb = color => color.match(/[\d.]+/g).slice(0, 3).map(Number);
const light = part => part / 255 <= 0.04045 ? part / 255 / 12.92 :
    ((part / 255 + 0.055) / 1.055) ** 2.4;
const luminance = ([red, green, blue]) => 0.2126 * light(red) +
    0.7152 * light(green) + 0.0722 * light(blue);
const ratio = (a, b) => {
	const [least, most] = [a, b].map(luminance).sort((x, y) => x - y);
	return (most + 0.05) / (least + 0.05);
};
const style = element =>
    element.ownerDocument.defaultView.getComputedStyle(element);
const grounds = () => [...svg.querySelectorAll("stop")]
    .map(stop => rgb(style(stop).stopColor));
const mix = (a, b, part) => a.map((x, i) => part * x + (1 - part) * b[i]);
// text on the background, and on frames that let it shine through
const onGround = text => Math.min(...grounds().map(ground =>
    ratio(rgb(style(text).fill), ground)));
const onFrame = ({ rect, text }) => Math.min(...grounds().map(ground =>
    ratio(rgb(style(text).fill), mix(rgb(style(rect).fill), ground,
	Number(style(rect).opacity)))));
'

# Sixteen names of each kind, each under a name of another kind.
kinds() {
	awk 'BEGIN {
		split("_[k] _[j] _[i] ::x .py", kind, " ")
		for (i = 0; i < 80; i++)
			print "p" i * i kind[i % 5 + 1] ";q" i kind[i % 3 + 1], 1
	}'
}

# check_text PALETTE...: the contrast of all text, in both themes, zoomed or not.
check_text() {
	local palette theme pictures=
	kinds > in.folded
	for palette; do
		for theme in light dark; do
			flamegraph --width=9000 --colors="$palette" \
			    --theme=$theme in.folded > "$palette-$theme.svg"
			pictures="$pictures <object class='picture' \
			    width='9000' data='$palette-$theme.svg'></object>"
		done
	done
	in_browser "$pictures" > said <<-JS
	$contrast
	let checked = 0;
	const check = (what, contrast) => {
		checked++;
		if (contrast < 4.5)
			say(what + " " + contrast);
	};
	document.querySelectorAll(".picture").forEach((picture, i) => {
		look(i);
		for (const frame of seen().filter(({ text }) => text))
			check(picture.data + frame.title, onFrame(frame));
		for (const id of ["title", "search", "ignorecase"])
			check(picture.data + id, onGround(text(id)));
		const [, ...tops] = seen().reverse().filter(({ title }) =>
		    title.startsWith("q"));
		for (const { group } of tops.slice(0, 12)) {
			mouse("click", group);
			for (const frame of seen().filter(({ text }) => text))
				check(picture.data + frame.title + " zoomed",
				    onFrame(frame));
			press("search");
			type(".");
			for (const frame of seen().filter(({ text }) => text))
				check(picture.data + frame.title + " found",
				    onFrame(frame));
			press("search");
			press("unzoom");
		}
	});
	say(checked > 2 * $# * 80);
	JS
	echo true | diff - said
}

@test "text has a contrast of 4.5 in palettes of one hue" {
	check_text hot mem io
}

@test "text has a contrast of 4.5 in palettes of kinds of functions" {
	check_text chain java js
}

@test "text has a contrast of 4.5 in palettes of languages" {
	check_text perl rust python
}

@test "text has a contrast of 4.5 in palettes for the colour-blind" {
	check_text colorblind
}

@test "text on a background of one's own is black or white" {
	local color
	for color in '#000000' '#103050' '#707070' '#ff8000' '#ffffff'; do
		draw --bgcolors="$color"
		in_browser "$(embed "")" > said <<-JS
		$contrast
		for (const id of ["title", "search", "ignorecase"])
			say(onGround(text(id)) >= 4.5);
		JS
		printf '%s\n' true true true | diff - said
	done
}

# Steps that find the contrast of HTML over the picture: of its text, where a bar
# lies behind it, too; and of what surrounds a control.
over='
const alpha = color => (color.match(/[\d.]+/g) || [])[3];
const isClear = color => color === "transparent" || alpha(color) === "0";
const behind = element => {
	for (; element.localName !== "foreignObject"; element =
	    element.parentNode) {
		const color = style(element).backgroundColor;
		if (!isClear(color))
			return [rgb(color)];
	}
	const bar = ["upper", "lower"].map(id => style(text(id)).fill).map(rgb);
	return [...grounds(), ...bar];
};
const onBar = element => {
	const [color] = style(element.closest("td") || element).backgroundImage
	    .match(/rgba\(.*?\)/) || [];
	return behind(element).flatMap(ground => color ?
	    [ground, mix(rgb(color), ground, Number(alpha(color)))] : [ground]);
};
const ofText = (element, part) => {
	const { color, opacity } = element.ownerDocument.defaultView
	    .getComputedStyle(element, part);
	const ink = rgb(color), share = Number(alpha(color) || 1) *
	    (part ? opacity : 1);
	return Math.min(...onBar(element).map(ground =>
	    ratio(mix(ink, ground, share), ground)));
};
const ofEdge = element => {
	const { borderTopColor, borderTopWidth, backgroundColor } =
	    style(element);
	const edges = [backgroundColor, ...parseFloat(borderTopWidth) ?
	    [borderTopColor] : []].filter(color => !isClear(color)).map(rgb);
	return Math.min(...behind(element.parentNode).map(ground =>
	    Math.max(...edges.map(edge => ratio(edge, ground)))));
};
'

# The grounds of palettes are yellow, green, blue and gray.
@test "panels, chips, path, legend, box and bars have a contrast of 4.5, their edges 3" {
	local options scheme pictures made=0
	only_chromium 'it is told the theme'
	printf '%s\n' 'a;x_[j];b_[k] 60 70' 'a;y::z;b_[k] 40 50' 'c;b_[k] 9 4' \
	    > two.folded
	sed 's/ [^ ]*$//' two.folded > one.folded
	for scheme in 0 1; do
		# shellcheck disable=SC2034 # in_browser reads it
		CHROMIUM_FLAGS=--blink-settings=preferredColorScheme=$scheme
		pictures=
		while read -r options; do
			: $((++made))
			# shellcheck disable=SC2086 # the options are several
			flamegraph $options > $made.svg
			pictures="$pictures <object class='picture' \
			    data='$made.svg'></object>"
		done <<-END
		$(for theme in light dark auto; do
			for palette in hot java mem io wakeup red; do
				echo "--theme=$theme --colors=$palette one.folded"
			done
			for palette in hot colorblind; do
				echo "--theme=$theme --colors=$palette two.folded"
			done
			echo "--theme=$theme --flamechart --countname=ms one.folded"
		done)
		--colors=java one.folded
		--colors=mem one.folded
		two.folded
		--bgcolors=#103050 two.folded
		--bgcolors=#ffffff one.folded
		END
		in_browser "$pictures" > said <<-JS
		$contrast
		$over
		let checked = 0;
		const check = (least, what, found) => {
			checked++;
			if (!(found >= least))
				say(i + " " + what + " " + found);
		};
		let i = 0;
		for (const picture of document.querySelectorAll(".picture")) {
			look(i);
			const html = () => [...svg.querySelectorAll("kbd, button, th, td")]
			    .forEach(element => check(4.5, element.localName +
				element.textContent, ofText(element)));
			key("/");
			check(4.5, "placeholder", ofText(box(), "::placeholder"));
			type("b");
			check(4.5, "input", ofText(box()));
			check(3, "box", ofEdge(box()));
			mouse("mouseover", svg.querySelector("#frames > g > rect"));
			key("t");
			html();
			check(3, "panel", ofEdge(svg.querySelector("#top div")));
			key("?");
			html();
			key("?");
			mouse("click", [...svg.querySelectorAll("#frames > g > rect")]
			    .pop());
			key("h");
			html();
			for (const chip of svg.querySelectorAll("#bar button"))
				check(3, "chip", ofEdge(chip));
			for (const element of svg.querySelectorAll("svg > text, g text"))
				if (!element.closest("[data-nametype]"))
					check(4.5, element.id, Math.min(onGround(element),
					    ...["upper", "lower"].map(id => ratio(
					    rgb(style(element).fill),
					    rgb(style(text(id)).fill)))));
			for (const line of svg.querySelectorAll("#legend tspan, line"))
				check(3, "line", Math.min(...grounds().map(ground =>
				    ratio(rgb(style(line).stroke), ground))));
			i++;
		}
		say(checked > 20 * i);
		JS
		diff - said <<< true
	done
}

@test "where no script runs, or none is there, nothing offers itself to be pressed" {
	draw
	{
		echo "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
		sed 1d picture.svg
	} > inner.html
	draw --no-javascript
	cat > page.html <<-'HTML'
	<pre id="said"></pre>
	<iframe src="inner.html" width="1250" height="300"></iframe>
	<script>
	onload = () => {
		const inner = frames[0];
		document.getElementById("said").append([...inner.document
		    .querySelectorAll("text[id]")].filter(element =>
			element.textContent.trim() &&
			inner.getComputedStyle(element).display !== "none")
		    .map(({ id }) => id).join() + "\n");
	};
	</script>
	HTML
	dump page.html > dumped
	grep '>title$' dumped
	[ "$(grep -c '<text id=' picture.svg)" -eq 1 ]
}

# Applies the rules of @media print on the screen.
print_it='
for (const sheet of svg.ownerDocument.styleSheets)
	for (let i = sheet.cssRules.length - 1; i >= 0; i--) {
		const rule = sheet.cssRules[i];
		if (!rule.conditionText)
			continue;
		sheet.deleteRule(i);
		if (rule.conditionText === "print")
			for (const { cssText } of [...rule.cssRules].reverse())
				sheet.insertRule(cssText, i);
	}'

@test "on paper a dark picture is light" {
	local options
	only_chromium 'it is told the theme'
	# shellcheck disable=SC2034 # in_browser reads it
	CHROMIUM_FLAGS=--blink-settings=preferredColorScheme=0
	for options in --theme=dark --theme=auto '--bgcolors=#103050'; do
		draw "$options"
		in_browser "$(embed "")" > said <<-JS
		$contrast
		const shades = () => say([style(text("title")).fill,
		    ...grounds().map(luminance).map(x => x > 0.5)].join(" "));
		shades();
		$print_it
		shades();
		JS
		sed 1d said | diff - <(echo 'rgb(0, 0, 0) true true')
		sed -n 1p said | grep ' false false$'
	done
}

@test "on paper what did not change is seen on a picture that was dark" {
	printf '%s\n' 'same 4000 4000' 'more 4000 4900' |
	    flamegraph --theme=dark > picture.svg
	in_browser "$(embed "")" > said <<-JS
	$contrast
	$print_it
	const same = rgb(style(frame("same").rect).fill);
	say(grounds().every(ground => ratio(same, ground) > 1.1));
	JS
	diff - said <<< true
}

@test "what did not change, or hardly, is not the brightest of a dark picture" {
	printf '%s\n' 'same 4000 4000' 'more 4000 4900' 'most 4000 13000' |
	    flamegraph --theme=dark > picture.svg
	in_browser "$(embed "")" > said <<-JS
	$contrast
	say(style(frame("same").rect).fill);
	say(onFrame(frame("same")) >= 4.5);
	say(style(frame("most").rect).fill);
	say(style([...text("legend").children][2]).fill);
	const fill = () => style(frame("more").rect).fill;
	const before = fill();
	say(luminance(rgb(before)) < luminance([180, 180, 180]));
	hover("more");
	key("c");
	say(fill() === before);
	press("unzoom");
	hover("same");
	key("c");
	say(style(frame("same").rect).fill);
	JS
	diff - said <<-'END'
	rgb(180, 180, 180)
	true
	rgb(255, 0, 0)
	rgb(180, 180, 180)
	true
	true
	rgb(180, 180, 180)
	END
}

@test "on a dark background of one's own what did not change is white" {
	printf '%s\n' 'same 4000 4000' 'more 4000 4900' 'most 4000 13000' |
	    flamegraph --bgcolors='#102030' > picture.svg
	in_browser "$(embed "")" > said <<-JS
	$contrast
	const fills = () => ["same", "more"].map(name =>
	    style(frame(name).rect).fill).join(" ");
	const before = fills();
	say(before);
	hover("more");
	key("c");
	key("r");
	say(fills() === before);
	JS
	diff - said <<-'END'
	rgb(255, 255, 255) rgb(255, 189, 189)
	true
	END
}

# dark and auto in a dark browser, light and auto in a light one; base, a view
# of merged frames, and frames that share a path
@test "a differential that may be dark has the colors of one that is" {
	local palette scheme theme
	only_chromium 'it is told the theme'
	awk 'BEGIN { for (i = 0; i <= 40; i++) print "a;f" i, 500, 25 * i
		for (i = 0; i < 9; i++) print "b;c;n" i, 2, i }' > in.folded
	for palette in hot colorblind; do
		for scheme in 0 1; do
			[ $scheme = 0 ] && theme=dark || theme=light
			flamegraph --theme="$theme" --colors="$palette" \
			    in.folded > told.svg
			flamegraph --theme=auto --colors=$palette in.folded \
			    > auto.svg
			# shellcheck disable=SC2034 # in_browser reads it
			CHROMIUM_FLAGS=--blink-settings=preferredColorScheme=$scheme
			in_browser "<object class='picture' data='told.svg'></object>" \
			    "<object class='picture' data='auto.svg'></object>" \
			    > said <<-JS
			$contrast
			const fills = () => [...svg.querySelectorAll(
			    "#frames rect, #frames path, #legend tspan")]
			    .map(element => style(element).fill);
			const all = [0, 1].map(i => {
				look(i);
				const found = fills();
				for (const frame of seen())
					if (frame.text && onFrame(frame) < 4.5)
						say(frame.title);
				key("i");
				found.push(...fills());
				key("r");
				found.push(...fills());
				for (const frame of seen())
					if (frame.text && onFrame(frame) < 4.5)
						say(frame.title);
				return found;
			});
			say(all[0].length > 150);
			say(all[0].filter((fill, j) => fill !== all[1][j]));
			const gray = luminance([$((scheme * 75 + 180)),
			    $((scheme * 75 + 180)), $((scheme * 75 + 180))]);
			say(Math.max(...all[1].map(rgb).map(luminance)) <
			    1.02 * gray);
			JS
			printf '%s\n' true '' true | diff - said
		done
	done
}

# window ATTRIBUTES: the picture in a window of that size; an <object> would
# shrink it.
window() {
	echo "<iframe class='picture' src='picture.svg' frameborder='0' $1></iframe>"
}

# Steps for a window of its own: the parts of the picture in it, and where.
windows='
const view = svg.ownerDocument.defaultView;
const scroll = (x, y) => {
	view.scrollTo(x, y);
	view.dispatchEvent(new view.Event("scroll"));
};
const told = () => text("details").textContent;
// the frame that can be seen in the middle of the window
const inSight = () => svg.ownerDocument
    .elementFromPoint(view.innerWidth / 2, view.innerHeight / 2);
// in WebKit the box of a line is that of all lines
const boxOf = element => {
	const own = element.getBoundingClientRect();
	if (element.localName !== "tspan")
		return own;
	const { x, y, height } = element.getExtentOfChar(0);
	const box = svg.getBoundingClientRect();
	const [left, top] = [box.left + x, box.top + y];
	const width = element.getComputedTextLength();
	return { left, top, width, right: left + width, bottom: top + height };
};
const isInside = element => {
	const { left, top, right, bottom, width } = boxOf(element);
	return width > 0 && left >= 0 && top >= 0 &&
	    right <= view.innerWidth && bottom <= view.innerHeight;
};
// what is written and what is pressed, with each line of what is told
const parts = () => [...svg.querySelectorAll(
    ":scope > text, :scope > text#details > tspan, #searchbox, #bar")]
    .filter(part => boxOf(part).width > 0 && !part.querySelector("tspan") &&
	part.id !== "legend");
const overlaps = () => parts().flatMap((a, i) => parts().slice(i + 1)
    .filter(b => {
	const [one, two] = [boxOf(a), boxOf(b)];
	return one.left < two.right - 1 && two.left < one.right - 1 &&
	    one.top < two.bottom - 3 && two.top < one.bottom - 3;
    }).map(b => a.id + a.textContent + " on " + b.id + b.textContent));
const outside = () => parts().filter(part => !isInside(part))
    .map(part => part.id + part.textContent);
'

# A stack that is higher than any window.
tall() {
	awk 'BEGIN {
		for (i = 0; i < 120; i++)
			stack = stack "level" i ";"
		print stack "a::very<long, template<name> >::of(a, function, with, so, many, parameters) 60"
		print stack "other 40"
	}' > in.folded
	flamegraph "$@" in.folded > picture.svg
}

@test "controls and status stay in the window, wherever the picture is scrolled" {
	local width
	for width in --width=1200 --width=auto; do
		tall $width
		in_browser "$(window 'width=700 height=400')" > said <<-JS
		$windows
		for (const [x, y] of [[0, 0], [0, 700], [300, 1000], [500, 1600]]) {
			scroll(x, y);
			mouse("mouseover", inSight());
			for (const id of ["help", "functions", "search",
			    "ignorecase", "details"])
				if (!isInside(text(id)))
					say([id, x, y]);
			key("?");
			const panel = svg.querySelector("#keys > div");
			if (!isInside(panel))
				say(["keys", x, y]);
			key("Escape");
			key("/");
			type("l");
			for (const part of [box(), text("matched")])
				if (!isInside(part))
					say(["found", x, y]);
			key("Escape");
		}
		say(told());
		JS
		diff - said <<< "100 samples, 100.00%, self 0, 0.00%; Function: $(
			tail -n 1 said | sed 's/.* //')"
	done
}

# The counts are those of tall(); in 1300 pixels there is room for all.
@test "the status line has all facts, and shortens the name in its middle" {
	local width
	for width in 320 600 1300; do
		tall
		in_browser "$(window "width=$width height=500")" > said <<-JS
		$windows
		mouse("click", [...svg.querySelectorAll("#frames > *")].find(
		    ({ textContent }) => textContent.startsWith("level119")));
		mouse("mouseover", [...svg.querySelectorAll("#frames > *")].find(
		    ({ textContent }) => textContent.startsWith("a::")));
		say(view.innerWidth + " " + told());
		say(told().includes("60 samples, 60.00%, self 60, 60.00%, 60.00% of view"));
		say(/; Function: a::\S*.*(\.\..*)?parameters\)$/.test(told()));
		say(told().includes("..") === (view.innerWidth < 1300));
		say(outside().join());
		say(overlaps().join());
		JS
		sed 1d said | diff - <(printf '%s\n' true true true '' '') ||
		    { cat said; false; }
	done
}

@test "nothing overlaps in a window of 320 pixels" {
	local options
	for options in --width=auto --width=1200 '--width=auto --inverted'; do
		# shellcheck disable=SC2086 # the options are several
		tall $options --title='a title that is longer than the window is wide'
		in_browser "$(window 'width=320 height=480')" > said <<-JS
		$windows
		const check = what => {
			for (const found of [...outside(), ...overlaps()])
				say(what + ": " + found);
		};
		scroll(0, 1);
		scroll(0, 0);
		check("title");
		mouse("mouseover", inSight());
		check("told");
		mouse("click", inSight());
		check("zoomed");
		key("/");
		check("box");
		type("level|a::");
		check("found");
		scroll(0, 900);
		mouse("mouseover", inSight());
		check("scrolled");
		press("search");
		check("reset");
		say(parts().length);
		JS
		diff - said <<< "$(tail -n 1 said | grep '^[5-9]$')"
	done
}

@test "the table of functions has room in a window of 375 pixels" {
	local name
	name=$(printf 'a_name_%.0s' 1 2 3 4 5 6 7 8 9 10)
	printf '%s\n' "main;$name 1612141245 1780141077" \
	    'main;b 600000 660000' | flamegraph --width=auto > picture.svg
	in_browser "$(window 'width=375 height=480')" > said <<-JS
	$windows
	key("t");
	const panel = svg.querySelector("#top > div");
	say(isInside(panel));
	say(panel.scrollWidth <= panel.clientWidth);
	const cells = [...svg.querySelectorAll("#top td")];
	say(cells.length);
	say(cells.filter(cell => !isInside(cell)).length);
	const bottoms = [...svg.querySelectorAll("#top th")].slice(1)
	    .map(head => Math.round(boxOf(head).bottom));
	say(new Set(bottoms).size);
	JS
	# three functions; all heads but the first in one line
	diff - <(sed '/^$/d' said) <<-'END'
	true
	true
	24
	0
	1
	END
}

@test "the ring is brought between the bars, and begins where one looks" {
	tall
	in_browser "$(window 'width=700 height=400')" > said <<-JS
	$windows
	const ring = () => boxOf(svg.querySelector("#ring"));
	const isBetween = () => ring().top >= boxOf(text("search")).bottom &&
	    ring().bottom <= boxOf(text("details")).top;
	scroll(0, 800);
	key("ArrowUp");
	// a browser may count the ring's stroke
	say(Math.abs(view.scrollY - 800) < 4);
	say(isBetween());
	let lost = 0;
	for (const name of ["ArrowUp", "ArrowDown"])
		for (let i = 0; i < 45; i++) {
			key(name);
			view.dispatchEvent(new view.Event("scroll"));
			lost += isBetween() ? 0 : 1;
		}
	say(lost);
	JS
	printf '%s\n' true true 0 | diff - said
}

# Of two colors one has a contrast of 3 to whatever the ring lies on.
@test "the ring is seen on frames of any color" {
	draw
	in_browser "$(embed '')" > said <<-JS
	$contrast
	key("ArrowUp");
	const { stroke, outlineColor, outlineStyle } = style(text("ring"));
	say(outlineStyle);
	let least = 21;
	for (let i = 0; i < 4096; i++) {
		const color = [i >> 8, i >> 4 & 15, i & 15].map(x => 17 * x);
		least = Math.min(least, Math.max(ratio(color, rgb(stroke)),
		    ratio(color, rgb(outlineColor))));
	}
	say(least >= 3);
	JS
	printf '%s\n' solid true | diff - said
}

# As browsers focus what was clicked, and what was reached by a key.
@test "the picture has an outline when a key brings the focus, not after a click" {
	[ "$TEST_BROWSER" != firefox ] || skip 'its window has no focus'
	draw
	in_browser picture.svg > said <<-'JS'
	for (const element of [svg, text("search")])
		for (const focusVisible of [false, true]) {
			element.focus({ focusVisible });
			say(getComputedStyle(element).outlineStyle !== "none");
			element.blur();
		}
	JS
	printf '%s\n' false true false true | diff - said
}

@test "Ctrl-C copies in a file that was just opened" {
	draw
	in_browser "$(embed '')" picture.svg > said <<-'JS'
	const { navigator } = svg.ownerDocument.defaultView;
	Object.defineProperty(navigator, "clipboard", { value: {
		writeText: copied => (say(copied), Promise.resolve()),
	} });
	say(key("c", { ctrlKey: true }));
	hover("x");
	say(key("c", { ctrlKey: true }));
	// a page has a copy event
	look(1);
	hover("x");
	say(key("c", { ctrlKey: true }));
	JS
	printf '%s\n' false x true false | diff - said
}

@test "what a tap tells stays, until another one" {
	draw
	in_browser picture.svg > said <<-'JS'
	const tap = (name, pointerType) => {
		const target = at(frame(name).box);
		for (const type of ["pointerdown", "pointerup"])
			target.dispatchEvent(new PointerEvent(type,
			    { bubbles: true, pointerType }));
		mouse("mouseover", target);
		mouse("mouseout", target);
		say(text("details").textContent);
	};
	tap("x", "touch");
	mouse("click", at(frame("a").box));
	say(text("details").textContent);
	tap("y", "touch");
	tap("y", "mouse");
	JS
	diff - said <<-'END'
	40 samples, 40.00%, self 40, 40.00%; Function: x
	40 samples, 40.00%, self 40, 40.00%, 66.67% of view; Function: x
	20 samples, 20.00%, self 20, 20.00%, 33.33% of view; Function: y
	 
	END
}

@test "a phone lays out a fluid picture at its own width" {
	local width
	for width in auto 1200; do
		draw --width=$width
		in_browser "$(embed '')" picture.svg <<-'JS'
		for (const i of [0, 1]) {
			look(i);
			const meta = svg.querySelector("meta[name=viewport]");
			say(meta && meta.content);
		}
		JS
	done > said
	printf '%s\n' width=device-width null null null | diff - said
}

# Twenty narrow letters have room where twenty mean ones have not.
@test "labels of a fixed picture are cut by their measured width" {
	printf '%s\n' 'iiiiiiiiiiiiiiiiiiii 10' 'WWWWWWWWWWWWWWWWWWWW 10' \
	    'x 100' | flamegraph --width=1200 > picture.svg
	grep -c 'iiii\.\.</text>' picture.svg
	# the clock of the tests leaves no time to be idle in
	in_browser '<script>requestIdleCallback = action =>
	    setTimeout(action)</script>' picture.svg > said <<-'JS'
	setTimeout(() => {
		const [w, i] = seen().filter(({ title }) => /^[iW]/.test(title));
		say(i.text.textContent.length);
		say(/^W{3,7}\.\.$/.test(w.text.textContent));
		say(w.text.getBoundingClientRect().right <= w.box.right);
	}, 100);
	JS
	printf '%s\n' 20 true true | diff - said
}

@test "a zoom cuts names where --truncate says" {
	local cut
	printf 'main;%s 1\nmain;b 99\n' "$(printf 'long%.0s' $(seq 99))end" > in.folded
	for cut in end front middle; do
		flamegraph --truncate=$cut in.folded > picture.svg
		in_browser picture.svg <<-'JS'
		mouse("click", [...svg.querySelectorAll("#frames > *")].find(
		    ({ textContent }) => textContent.startsWith("long")));
		const { text: label, box } = seen().find(({ title }) =>
		    title.startsWith("long"));
		say(label.textContent.replace(/(long)+/g, "*")
		    .replace(/[long]*\.\.[long]*/, ".."));
		say(box.right - label.getBoundingClientRect().right < 12);
		JS
	done > said
	printf '%s\n' '*..' true '..*end' true '*..*end' true | diff - said
}

@test "narrow matches have the round corners of wide ones" {
	{
		echo 'main;wide 1000'
		echo 'main;few;narrow 8'
	} | flamegraph > picture.svg
	in_browser picture.svg > said <<-'JS'
	press("search");
	type("narrow");
	const marks = text("marks");
	const { x, y, width } = frame("narrow").rect.getBBox();
	const isIn = (right, down) => {
		const point = svg.createSVGPoint();
		[point.x, point.y] = [right, down];
		return marks.isPointInFill(point);
	};
	say(width > 8 && width < 12);
	say(isIn(x + width / 2, y + 8));
	say(isIn(x + 1, y + 8));
	say(isIn(x + 0.2, y + 0.2));
	JS
	printf '%s\n' true true true false | diff - said
}

@test "on paper the bars are around the whole picture" {
	tall
	in_browser "$(window 'width=700 height=400')" > said <<-JS
	$windows
	scroll(0, 706);
	mouse("mouseover", inSight());
	const place = () => say([text("title"), text("details")]
	    .map(element => Math.round(element.getBBox().y)));
	const full = svg.viewBox.baseVal.height;
	view.dispatchEvent(new view.Event("beforeprint"));
	say(Number(text("details").getAttribute("y")) === full - 17);
	say(Number(text("title").getAttribute("x")) === 600);
	view.dispatchEvent(new view.Event("afterprint"));
	say(isInside(text("details")));
	JS
	printf '%s\n' true true true | diff - said
}

@test "a picture that is wider than the paper is printed whole, in its proportions" {
	local width
	for width in 1200 auto; do
		tall --width=$width
		in_browser "$(window 'width=600 height=400')" <<-JS
		$windows
		const { width, height } = boxOf(svg);
		view.dispatchEvent(new view.Event("beforeprint"));
		$print_it
		view.frameElement.width = 300;
		const printed = boxOf(svg);
		say(printed.width <= 300);
		say((printed.width / printed.height * height / width).toFixed(2));
		JS
	done > said
	printf '%s\n' true 1.00 true 1.00 | diff - said
}
