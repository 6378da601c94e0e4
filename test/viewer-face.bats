# How the viewer looks and where it stands, in a real browser.
load helper
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

@test "text has a contrast of 4.5, zoomed or not, in all themes and palettes" {
	local palette theme pictures=
	kinds > in.folded
	for palette in hot mem io chain java js perl rust python colorblind; do
		for theme in light dark; do
			flamegraph --width=9000 --colors=$palette \
			    --theme=$theme in.folded > $palette-$theme.svg
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
	say(checked > 20 * 80);
	JS
	echo true | diff - said
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

# What @media says, as if the page were printed.
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

@test "what did not change is not the brightest of a dark picture" {
	printf '%s\n' 'same 5 5' 'more 5 9' |
	    flamegraph --theme=dark > picture.svg
	in_browser "$(embed "")" > said <<-JS
	$contrast
	say(style(frame("same").rect).fill);
	say(onFrame(frame("same")) >= 4.5);
	say(style(frame("more").rect).fill);
	say(style([...text("legend").children][2]).fill);
	JS
	diff - said <<-'END'
	rgb(180, 180, 180)
	true
	rgb(255, 0, 0)
	rgb(180, 180, 180)
	END
}
