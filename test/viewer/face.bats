# How the viewer looks, and where its parts are, in a real browser.
load ../helper
load browser

setup_file() {
	needs_browser
}

draw() {
	flamegraph "$@" <<-'END'
	main;a;x 40
	main;a;y 20
	main;b 30
	other 10
	END
}

# embed NAME...: pictures as documents of their own.
embed() {
	printf "<object class='picture' data='%s.svg'></object>" "$@"
}

# window WIDTH HEIGHT NAME...: pictures in windows of that size; an <object>
# would shrink them.
window() {
	printf "<iframe class='picture' src='%s.svg' frameborder='0' width='$1' height='$2'></iframe>" \
	    "${@:3}"
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

# Steps for a window of its own: the parts of the picture in it, and where.
windows='
// a picture scrolls before it is first drawn, but a busy machine is late
const until = async holds => {
	for (let i = 0; i < 100 && !holds(); i++)
		await wait(20);
};
const view = () => svg.ownerDocument.defaultView;
const scroll = (x, y) => {
	view().scrollTo(x, y);
	view().dispatchEvent(new Event("scroll"));
};
// the frame that can be seen in the middle of the window
const inSight = () => svg.ownerDocument
    .elementFromPoint(view().innerWidth / 2, view().innerHeight / 2);
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
	    right <= view().innerWidth && bottom <= view().innerHeight;
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

STEPS="$contrast $over $windows"

@test "text has a contrast of 4.5 in palettes, zoomed, found or not" {
	local palette theme
	# four names of each kind, each under a name of another kind
	awk 'BEGIN {
		split("_[k] _[j] _[i] ::x .py", kind, " ")
		for (i = 0; i < 20; i++)
			print "p" i * i kind[i % 5 + 1] ";q" i kind[i % 3 + 1], 1
	}' > in.folded
	for palette in hot mem chain java python colorblind; do
		for theme in light dark; do
			flamegraph --width=2400 --colors=$palette \
			    --theme=$theme in.folded > $theme.svg 2> /dev/null
		done
		echo "$palette"
		in_browser {light,dark}.svg <<-'JS'
		for (const i of [0, 1]) {
			look(i);
			let judged = 0;
			const judge = (what, contrast) => {
				judged++;
				if (contrast < 4.5)
					say([i, what, contrast]);
			};
			const judgeFrames = what => seen().filter(({ text }) => text)
			    .forEach(frame => judge(frame.title + what,
				onFrame(frame)));
			for (const id of ["title", "search", "ignorecase"])
				judge(id, onGround(text(id)));
			judgeFrames("");
			const [, ...tops] = seen().reverse().filter(({ title }) =>
			    title.startsWith("q"));
			for (const { group } of tops.slice(0, 3)) {
				mouse("click", group);
				judgeFrames(" zoomed");
				press("search");
				type(".");
				judgeFrames(" found");
				press("search");
				press("unzoom");
			}
			check(judged >= 40, true);
		}
		JS
	done > said
	printf '%s\n' hot mem chain java python colorblind | diff - said
}

# The grounds of palettes are yellow, green and blue, that of the blank of
# differentials is gray; light and dark themes do not ask the reader's.
@test "panels, chips, path, legend, box and bars have a contrast of 4.5, their edges 3" {
	local options theme scheme made=0 names
	only_chromium 'it is told the theme'
	printf '%s\n' 'a;x_[j];b_[k] 60 70' 'a;y::z;b_[k] 40 50' 'c;b_[k] 9 4' \
	    > two.folded
	sed 's/ [^ ]*$//' two.folded > one.folded
	for scheme in light dark; do
		MEDIA=prefers-color-scheme=$scheme
		names=
		while read -r options; do
			: $((++made))
			flamegraph $options > $made.svg
			names="$names $made"
		done <<-END
		$(for theme in auto $([ $scheme = dark ] || echo light); do
			echo "--theme=$theme --colors=java one.folded"
			echo "--theme=$theme --colors=mem --flamechart one.folded"
			echo "--theme=$theme --colors=io one.folded"
			echo "--theme=$theme two.folded"
			echo "--theme=$theme --colors=colorblind two.folded"
		done)
		--bgcolors=#103050 two.folded
		--bgcolors=#ffffff one.folded
		END
		holds "$(embed $names)" <<-'JS'
		let i = 0, checked = 0;
		const judge = (least, what, found) => {
			checked++;
			if (!(found >= least))
				say(i + " " + what + " " + found);
		};
		for (const picture of document.querySelectorAll(".picture")) {
			look(i);
			const html = () => [...svg.querySelectorAll("kbd, button, th, td")]
			    .forEach(element => judge(4.5, element.localName +
				element.textContent, ofText(element)));
			key("/");
			judge(4.5, "placeholder", ofText(box(), "::placeholder"));
			type("b");
			judge(4.5, "input", ofText(box()));
			judge(3, "box", ofEdge(box()));
			mouse("mouseover", svg.querySelector("#frames > g > rect"));
			key("t");
			html();
			judge(3, "panel", ofEdge(svg.querySelector("#top div")));
			key("?");
			html();
			key("?");
			mouse("click", [...svg.querySelectorAll("#frames > g > rect")]
			    .pop());
			key("h");
			html();
			for (const chip of svg.querySelectorAll("#bar button"))
				judge(3, "chip", ofEdge(chip));
			for (const element of svg.querySelectorAll("svg > text, g text"))
				if (!element.closest("[data-nametype]"))
					judge(4.5, element.id, Math.min(onGround(element),
					    ...["upper", "lower"].map(id => ratio(
					    rgb(style(element).fill),
					    rgb(style(text(id)).fill)))));
			for (const line of svg.querySelectorAll("#legend tspan, line"))
				judge(3, "line", Math.min(...grounds().map(ground =>
				    ratio(rgb(style(line).stroke), ground))));
			i++;
		}
		check(checked > 20 * i, true);
		JS
	done
}

@test "on paper a dark picture is light, and unchanged frames are visible" {
	only_chromium 'it is told the theme'
	draw --theme=dark > dark.svg
	draw --theme=auto > auto.svg
	draw --bgcolors='#103050' > own.svg
	draw --bgcolors='#707070' > gray.svg
	printf '%s\n' 'same 4000 4000' 'more 4000 4900' |
	    flamegraph --theme=dark > two.svg
	MEDIA=prefers-color-scheme=dark \
	    holds "$(embed dark auto own gray two)" <<-'JS'
	for (let i = 0; i < 5; i++) {
		look(i);
		check(onGround(text("title")) >= 4.5, true);
		const areLight = () => grounds().map(luminance).map(x => x > 0.5);
		check(areLight(), "false,false");
		putOnPaper();
		check(style(text("title")).fill, "rgb(0, 0, 0)");
		check(areLight(), "true,true");
	}
	const same = rgb(style(frame("same").rect).fill);
	check(grounds().every(ground => ratio(same, ground) > 1.1), true);
	JS
}

# dark and auto in a dark browser, light and auto in a light one; base, a view
# of merged frames, and frames that share a path
@test "a differential that may be dark has the colors of one that is" {
	local palette scheme
	only_chromium 'it is told the theme'
	awk 'BEGIN { for (i = 0; i <= 40; i++) print "a;f" i, 500, 25 * i
		for (i = 0; i < 9; i++) print "b;c;n" i, 2, i }' > in.folded
	for palette in hot colorblind; do
		for scheme in light dark auto; do
			flamegraph --theme=$scheme --colors=$palette in.folded \
			    > $palette-$scheme.svg
		done
	done
	for scheme in light dark; do
		MEDIA=prefers-color-scheme=$scheme holds \
		    "$(embed {hot,colorblind}-{$scheme,auto})" <<-JS
		const fills = () => [...svg.querySelectorAll(
		    "#frames rect, #frames path, #legend tspan")]
		    .map(element => style(element).fill);
		const all = [0, 1, 2, 3].map(i => {
			look(i);
			const found = fills();
			const judge = () => seen().filter(frame => frame.text &&
			    onFrame(frame) < 4.5).forEach(({ title }) => say(title));
			judge();
			key("i");
			found.push(...fills());
			key("r");
			found.push(...fills());
			judge();
			return found;
		});
		const gray = "$scheme" === "dark" ? [180, 180, 180] :
		    [255, 255, 255];
		for (const i of [0, 2]) {
			check(all[i].length > 150, true);
			check(all[i + 1], all[i]);
			check(Math.max(...all[i].map(rgb).map(luminance)) <
			    1.02 * luminance(gray), true);
		}
		JS
	done
}

# A stack that is higher than any window.
tall() {
	awk 'BEGIN {
		for (i = 0; i < 120; i++)
			stack = stack "level" i ";"
		print stack "a::very<long, template<name> >::of(a, function, with, so, many, parameters) 60"
		print stack "other 40"
	}' > in.folded
	flamegraph "$@" in.folded
}

@test "controls and status stay in the window, wherever the picture is scrolled" {
	tall --width=1200 > fixed.svg
	tall --width=auto > fluid.svg
	holds "$(window 700 400 fixed fluid)" <<-'JS'
	for (const i of [0, 1]) {
		look(i);
		for (const [x, y] of [[0, 0], [0, 700], [300, 1000], [500, 1600]]) {
			scroll(x, y);
			mouse("mouseover", inSight());
			for (const id of ["help", "functions", "search",
			    "ignorecase", "details"])
				check(isInside(text(id)), true);
			check(/^level\d+ · self 0 · total 100 samples · 100.00%$/
			    .test(details()), true);
			key("?");
			check(isInside(svg.querySelector("#keys > div")), true);
			key("Escape");
			key("/");
			type("l");
			for (const part of [box(), text("matched")])
				check(isInside(part), true);
			key("Escape");
		}
	}
	JS
}

# The counts are those of tall(); in 1300 pixels there is room for all.
@test "the status line has all facts, and shortens the name in its middle" {
	tall > picture.svg
	holds "$(for width in 320 600 1300; do window $width 500 picture; done)" <<-'JS'
	for (const i of [0, 1, 2]) {
		look(i);
		const find = name => [...svg.querySelectorAll("#frames > *")].find(
		    ({ textContent }) => textContent.startsWith(name));
		mouse("click", find("level119"));
		mouse("mouseover", find("a::"));
		const line = details();
		check(line.endsWith(" · self 60 · total 60 samples · 60.00% · 60.00% of view"), true);
		check(/^a::\S*.*(\.\..*)?parameters\) · /.test(line), true);
		check(line.includes(".."), view().innerWidth < 1300);
		check([...outside(), ...overlaps()], "");
	}
	JS
}

# A frame of tall() is 16 pixels high; the picture is much higher than a window.
@test "a picture opens on its root, its zoomed frame or its first match" {
	local query y
	tall > picture.svg
	tall --inverted > inverted.svg
	y=$(sed -n 's/.*<title>level60 .* y="\([0-9]*\)".*/\1/p' picture.svg)
	set --
	for query in picture.svg inverted.svg "picture.svg?x=10&amp;y=$y" \
	    'picture.svg?s=level60' 'inverted.svg?s=level60'; do
		set -- "$@" "<iframe class='picture' src='$query' frameborder='0' width='700' height='400'></iframe>"
	done
	holds "$@" "<p style='height: 3000px'>" picture.svg <<-'JS'
	const isSeen = name => seen(name).length > 0;
	for (const [i, name] of ["all", "all", "level60", "level60",
	    "level60"].entries()) {
		look(i);
		await until(() => isSeen(name));
		check(isSeen(name), true);
		check(isSeen(i < 2 ? "level60" : "all"), false);
		check(isInside(text("search")), true);
	}
	// a page keeps its place
	check(scrollY, 0);
	look(2);
	// what a frame calls is above it
	check(isSeen("level62"), true);
	JS
}

@test "the root is labelled with the counts of all, in units that people read" {
	local unit expected
	set --
	while read -r count unit; do
		echo "f $count" | flamegraph --countname="$unit" > $#.svg
		set -- "$@" $#.svg
	done <<-'END'
	9999 samples
	1240000 samples
	5570000000 ns
	12400000 bytes
	999 bytes
	20 us
	END
	holds '<script>requestIdleCallback = action =>
	    setTimeout(action)</script>' "$@" <<-'JS'
	await until(() => svg.querySelector("#frames > :first-child > text"));
	await wait(100);
	for (const [i, label] of ["9,999 samples", "1.24 M samples", "5.57 s",
	    "12.4 MB", "999 bytes", "20 us"].entries()) {
		look(i);
		check(frame("all").text.textContent, "all · " + label);
	}
	JS
}

@test "in an object of other proportions the controls are on the picture" {
	draw --width=1200 > picture.svg
	holds "<object class='picture' data='picture.svg' width='900' height='80'></object>" \
	    <<-'JS'
	const isOn = id => {
		const { left, right } = boxOf(text("canvas"));
		const box = boxOf(text(id));
		return box.width && box.left > left && box.right <= right;
	};
	const ids = ["help", "functions", "search", "ignorecase"];
	// the object has its size after its page is there
	await until(() => ids.every(isOn));
	const { left, right } = boxOf(text("canvas"));
	check(right - left < 800, true);
	for (const id of ids)
		check(isOn(id), true);
	JS
}

@test "nothing overlaps in a window of 320 pixels" {
	set -- --title='a title that is longer than the window is wide'
	tall "$@" --width=auto > fluid.svg
	tall "$@" --width=1200 > fixed.svg
	tall "$@" --width=auto --inverted > inverted.svg
	holds "$(window 320 480 fluid fixed inverted)" <<-'JS'
	for (const i of [0, 1, 2]) {
		look(i);
		const judge = what => {
			for (const found of [...outside(), ...overlaps()])
				say(i + " " + what + ": " + found);
		};
		scroll(0, 1);
		scroll(0, 0);
		judge("title");
		mouse("mouseover", inSight());
		judge("told");
		mouse("click", inSight());
		judge("zoomed");
		key("/");
		judge("box");
		type("level|a::");
		judge("found");
		scroll(0, 900);
		mouse("mouseover", inSight());
		judge("scrolled");
		press("search");
		judge("reset");
		check(parts().length >= 5, true);
	}
	JS
}

@test "for fingers, buttons are 24 pixels high and wide" {
	draw > picture.svg
	holds '<script>matchMedia = () => ({ matches: true })</script>' \
	    picture.svg <<-'JS'
	click("a");
	hover("x");
	key("h");
	const small = () => [...svg.querySelectorAll("text[role], button")]
	    .filter(button => {
		const { width, height } = boxOf(button);
		return isShown(button.id || "canvas") && width &&
		    (width < 24 || height < 24);
	    }).map(({ textContent }) => textContent);
	check(parts().length > 6, true);
	for (const name of ["?", "t"]) {
		key(name);
		check(svg.querySelectorAll("button").length > 5, true);
		check(small(), "");
	}
	check(overlaps(), "");
	JS
}

@test "at most two lines are below, and they leave the root free" {
	tall --width=auto > picture.svg
	printf 'main;a 4000 5000\nmain;b 70 60\n' |
	    flamegraph --noise=2 > two.svg
	holds "$(window 390 600 picture)$(window 700 200 two)" <<-'JS'
	for (const i of [0, 1]) {
		look(i);
		await until(() => seen("all").length);
		for (const term of ["", "level|main"]) {
			key("/");
			type(term);
			mouse("mouseover", frame("all").rect);
			hover(i ? "a" : "level3");
			const lines = [text("matched"),
			    ...text("details").children]
			    .filter(line => boxOf(line).width > 3)
			    .map(line => Math.round(boxOf(line).top));
			check(new Set(lines).size, i || term ? 2 : 1);
			check(boxOf(text("lower")).top >=
			    frame("all").box.bottom - 0.5, true);
			check([...outside(), ...overlaps()], "");
		}
	}
	JS
}

@test "the table of functions has room in a window of 375 pixels" {
	local name
	name=$(printf 'a_name_%.0s' 1 2 3 4 5 6 7 8 9 10)
	printf '%s\n' "main;$name 1612141245 1780141077" \
	    'main;b 600000 660000' | flamegraph --width=auto > picture.svg
	holds "$(window 375 480 picture)" <<-'JS'
	key("t");
	const panel = svg.querySelector("#top > div");
	check(isInside(panel), true);
	check(panel.scrollWidth <= panel.clientWidth, true);
	// three functions; all heads but the first in one line
	const cells = [...svg.querySelectorAll("#top td")];
	check(cells.length, 27);
	check(cells.every(isInside), true);
	const bottoms = [...svg.querySelectorAll("#top th")].slice(1)
	    .map(head => Math.round(boxOf(head).bottom));
	check(new Set(bottoms).size, 1);
	JS
}

@test "the ring is brought between the bars, and begins where one looks" {
	tall > picture.svg
	holds "$(window 700 400 picture)" <<-'JS'
	const ring = () => boxOf(svg.querySelector("#ring"));
	const isBetween = () => ring().top >= boxOf(text("search")).bottom &&
	    ring().bottom <= boxOf(text("details")).top;
	scroll(0, 800);
	key("ArrowUp");
	// a browser may count the ring's stroke
	check(Math.abs(view().scrollY - 800) < 4 && isBetween(), true);
	let lost = 0;
	for (const name of ["ArrowUp", "ArrowDown"])
		for (let i = 0; i < 45; i++) {
			key(name);
			view().dispatchEvent(new Event("scroll"));
			lost += isBetween() ? 0 : 1;
		}
	check(lost, 0);
	JS
}

# Of two colors one has a contrast of 3 to whatever the ring lies on.
@test "the ring is seen on frames of any color" {
	draw > picture.svg
	holds picture.svg <<-'JS'
	key("ArrowUp");
	const { stroke, outlineColor, outlineStyle } = style(text("ring"));
	check(outlineStyle, "solid");
	let least = 21;
	for (let i = 0; i < 4096; i++) {
		const color = [i >> 8, i >> 4 & 15, i & 15].map(x => 17 * x);
		least = Math.min(least, Math.max(ratio(color, rgb(stroke)),
		    ratio(color, rgb(outlineColor))));
	}
	check(least >= 3, true);
	JS
}

# As browsers focus what was clicked, and what was reached by a key.
@test "the picture has an outline when a key brings the focus, not after a click" {
	[ "$TEST_BROWSER" != firefox ] || skip 'its window has no focus'
	draw > picture.svg
	holds picture.svg <<-'JS'
	const isOutlined = element =>
	    getComputedStyle(element).outlineStyle !== "none";
	for (const element of [svg, text("search")])
		for (const focusVisible of [false, true]) {
			element.focus({ focusVisible });
			check(isOutlined(element), focusVisible);
			element.blur();
		}
	// the ring is where the keys act
	svg.focus({ focusVisible: true });
	key("ArrowUp");
	check(isOutlined(svg), false);
	key("Tab");
	check(isOutlined(svg), true);
	JS
}

@test "a page's styles of buttons, cells and inputs stay out of the picture" {
	draw > picture.svg
	cat > style <<-'END'
	<style>
	button, td, th, input, kbd, .picture td, div.picture button {
		color: red; background: lime; float: left; font-size: 40px;
		padding: 30px; text-transform: uppercase
	}
	table { display: inline; width: 10px }
	</style>
	END
	# the two pictures of a page share their styles, so they are frames
	for name in plain styled; do
		{
			echo '<!DOCTYPE html>'
			[ $name = plain ] || cat style
			echo '<div class="picture">'
			sed 1d picture.svg
			echo '</div>'
		} > $name.html
	done
	holds "<iframe class='picture' src='plain.html' width='1250' height='300'></iframe>" \
	    "<iframe class='picture' src='styled.html' width='1250' height='300'></iframe>" <<-'JS'
	const measure = i => {
		const inner = document.querySelectorAll("iframe")[i]
		    .contentDocument;
		svg = inner.querySelector("svg");
		mouse("click", svg.querySelector("#frames > g:nth-child(3)"));
		key("/");
		key("t");
		return [...svg.querySelectorAll("button, td, th, input, table")]
		    .map(element => {
			const { color, backgroundColor, fontSize, cssFloat,
			    paddingTop, textTransform } =
			    inner.defaultView.getComputedStyle(element);
			return [element.localName, color, backgroundColor,
			    fontSize, cssFloat, paddingTop, textTransform];
		}).join("\n");
	};
	const plain = measure(0);
	check(plain.split("\n").length > 30, true);
	check(measure(1), plain);
	JS
}

@test "matches, the ring and other frames of a function are seen in all themes" {
	only_chromium 'it is told the theme'
	draw --colors=colorblind > light.svg
	draw --colors=colorblind --theme=dark > dark.svg
	holds "$(embed light dark)" <<-'JS'
	for (const i of [0, 1]) {
		look(i);
		key("/");
		type("^[xy]$");
		key("ArrowUp");
		const { stroke } = style(text("marks"));
		// white lines on a light ground would hide a narrow match
		check(stroke, i ? "rgb(216, 216, 216)" : "none");
		check(grounds().every(ground => ratio(ground,
		    rgb(style(text("kin")).stroke)) > 3), true);
		const { outlineWidth, outlineOffset } = style(text("ring"));
		check(parseFloat(outlineWidth) + parseFloat(outlineOffset) <= 0,
		    true);
	}
	JS
}

# Twenty narrow letters have room where twenty mean ones have not.
@test "labels of a fixed picture are cut by their measured width" {
	printf '%s\n' 'iiiiiiiiiiiiiiiiiiii 10' 'WWWWWWWWWWWWWWWWWWWW 10' \
	    'x 100' | flamegraph --width=1200 > picture.svg
	grep -c 'iiii\.\.</text>' picture.svg
	# the clock of the tests leaves no time to be idle in
	holds '<script>requestIdleCallback = action =>
	    setTimeout(action)</script>' picture.svg <<-'JS'
	await wait(100);
	const [w, i] = seen().filter(({ title }) => /^[iW]/.test(title));
	check(i.text.textContent.length, 20);
	check(/^W{3,7}\.\.$/.test(w.text.textContent), true);
	check(w.text.getBoundingClientRect().right <= w.box.right, true);
	JS
}

@test "a zoom cuts names where --truncate says" {
	local cut
	printf 'main;%s 1\nmain;b 99\n' "$(printf 'long%.0s' $(seq 99))end" > in.folded
	for cut in end front middle; do
		flamegraph --truncate=$cut in.folded > $cut.svg
	done
	holds {end,front,middle}.svg <<-'JS'
	for (const [i, cut] of ["*..", "..*end", "*..*end"].entries()) {
		look(i);
		mouse("click", [...svg.querySelectorAll("#frames > *")].find(
		    ({ textContent }) => textContent.startsWith("long")));
		const { text: label, box } = seen().find(({ title }) =>
		    title.startsWith("long"));
		check(label.textContent.replace(/(long)+/g, "*")
		    .replace(/[long]*\.\.[long]*/, ".."), cut);
		check(box.right - label.getBoundingClientRect().right < 12, true);
	}
	JS
}

@test "a picture prints on one page in its proportions, with its bars" {
	tall --width=1200 > fixed.svg
	tall --width=auto > fluid.svg
	holds "$(window 600 400 fixed fluid)" <<-'JS'
	for (const i of [0, 1]) {
		look(i);
		const { width, height } = boxOf(svg);
		const full = svg.viewBox.baseVal.height;
		scroll(0, 706);
		mouse("mouseover", inSight());
		view().dispatchEvent(new Event("beforeprint"));
		if (i === 0) {
			check(text("details").getAttribute("y"), full - 17);
			check(text("title").getAttribute("x"), 600);
		}
		view().dispatchEvent(new Event("afterprint"));
		check(isInside(text("details")), true);
		view().dispatchEvent(new Event("beforeprint"));
		putOnPaper();
		view().frameElement.width = 300;
		const printed = boxOf(svg);
		check(printed.width <= 300, true);
		check((printed.width / printed.height * height / width)
		    .toFixed(2), "1.00");
	}
	JS
}

@test "a picture of no stacks says what to do, in a narrow window, too" {
	fails 1 flamegraph < /dev/null > picture.svg
	holds "$(window 300 200 picture)" <<-'JS'
	const said = svg.querySelector("p");
	check(said.innerText.includes("Fold a profile first"), true);
	check(said.innerText.includes("flamegraph.pl"), false);
	check(said.scrollWidth <= said.clientWidth && isInside(said), true);
	JS
}
