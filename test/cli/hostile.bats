# Texts that try to leave their place: nothing in them runs or loads, and the
# reader sees them as they are.  In a browser, whatever runs sets the document's
# title, and whatever loads violates the page's policy or is listed as loaded.
load ../helper
load ../viewer/browser

# A policy for pages into which pictures are pasted.
policy="<meta http-equiv='Content-Security-Policy' content=\"default-src 'none';
script-src 'unsafe-inline'; style-src 'unsafe-inline'\">
<script>addEventListener('securitypolicyviolation', event =>
	say(event.violatedDirective + ' ' + event.blockedURI));</script>"

# Says what has run and what was loaded, which should be nothing.
silence='
const page = svg.ownerDocument.defaultView;
const ran = page.document.title === "ran" ? "a script" : "";
const loaded = page.performance.getEntriesByType("resource")
    .map(({ name }) => name).filter(name => !name.endsWith("/picture.svg"));
say("ran: [" + ran + "] loaded: [" + loaded + "]");'

# A reader may do this to frames, and their names then go to other places.
handling='
const groups = [...svg.querySelectorAll("#frames > *")].slice(1);
const titles = groups.map(group => group.firstElementChild.textContent);
const describe = (what, is, should) =>
    is === should || say(what + ": " + is + " is not " + should);
for (const group of groups)
	for (const type of ["mouseover", "pointerdown", "focus", "mouseout"])
		mouse(type, group.querySelector("rect"));
for (const title of titles) {
	const name = title.replace(/ \([^(]*\)$/, "");
	const here = () => seen().find(frame => frame.title === title);
	say(name);
	press("search");
	type("^" + name.replace(/[!-/:-@[-`{-~]/g, "\\$&") + "$");
	const matched = text("matched").textContent;
	describe("found", /, [^,]*$/.exec(matched)[0], ", 1 found)");
	press("search");
	mouse("click", at(here().box));
	describe("label", here().text.textContent, name);
	mouse("mouseover", at(here().box));
	describe("told", text("details").textContent.startsWith(
	    name + " \u00b7 "), true);
	const clipboardData = new DataTransfer();
	svg.dispatchEvent(new ClipboardEvent("copy",
	    { clipboardData, bubbles: true, cancelable: true }));
	describe("copied", clipboardData.getData("text/plain"), name);
	mouse("mouseout", at(here().box));
	key("ArrowUp");
	press("unzoom");
}'

need_browser() {
	[ -n "$chromium" ] || skip 'no browser: install chromium'
}

# stays_text STEPS < EXPECTED: the steps say what is expected, in a picture that
# is pasted into a page, which is HTML, and in one in <object>, which is XML.
stays_text() {
	cat > expected
	echo 'ran: [] loaded: []' >> expected
	in_browser "$policy" picture.svg <<< "$1 $silence" > said
	diff said expected
	# as a document of its own
	in_browser "<object class='picture' data='picture.svg'></object>" \
	    <<< "$1 $silence" > said
	diff said expected
}

# Markup, quotes, and characters that editors, terminals or browsers act upon.
texts() {
	local run="document.title=\`ran\`"
	cat <<-END
	</title></g></g><script>$run</script>
	</script><script>$run</script>
	]]><g onload="$run"/>
	"><g onload="$run"><title>
	' onmouseover='$run' x='
	--><script>$run</script><!--
	<img src=x onerror=$run>
	&lt;script&gt;$run&lt;/script&gt;&#60;b>
	<![CDATA[<?xml version="1.0"?><!DOCTYPE x>
	\\"+$run+"\\u0022\\x3c\`\${$run}\`\\
	javascript:$run//
	\$& \$1 \$\` %s %n %00 <\!--
	END
	printf 'line\342\200\250\342\200\251separators\302\205\n'
	printf 'bidi \342\200\256gpj.exe\342\200\254 \342\201\246x\342\201\251\n'
	printf 'marks Z\314\221\314\226\314\220\315\247\342\203\235\n'
	printf 'tags \363\240\201\201\363\240\201\277 \357\270\217\342\200\213\n'
	printf 'csi \302\233\0631m \302\235x\302\234\n'
}

# No text may hold these: each byte or character becomes U+FFFD.
broken() {
	printf 'cesu \355\240\275\355\270\200\n'
	printf 'overlong \300\274script\340\200\276\360\200\200\274\n'
	printf 'nul <\0script>\n'
	printf 'control \033[31m\007\010\177\n'
	printf 'byte order \357\273\277 \357\277\276\357\277\277\n'
	printf 'beyond \364\220\200\200 \370\210\200\200\200\n'
	printf 'cut \342\202\n'
}

mended() {
	local bad=$'\357\277\275'
	cat <<-END
	cesu $bad$bad$bad$bad$bad$bad
	overlong $bad${bad}script$bad$bad$bad$bad$bad$bad$bad
	nul <${bad}script>
	control ${bad}[31m$bad$bad$(printf '\177')
	byte order $(printf '\357\273\277') $bad$bad
	beyond $bad$bad$bad$bad $bad$bad$bad$bad$bad
	cut $bad$bad
	END
}

# An argument cannot hold a NUL.
broken_argument() {
	broken | grep -av '^nul'
}

mended_argument() {
	mended | grep -av '^nul'
}

@test "names of frames stay text: seen, searched, zoomed and copied" {
	need_browser
	{ texts; broken; } | tr ';' ':' | sed 's/$/ 100/' |
	    flamegraph --minwidth=0 > picture.svg
	{ texts; mended; } | tr ';' ':' | sort | stays_text "$handling"
}

@test "texts of options stay text around the frames" {
	local text option
	need_browser
	text=$({ texts; broken_argument; } | tr '\n' ' ')
	local options=()
	for option in title subtitle nametype countname fonttype search; do
		options+=("--$option=$text")
	done
	printf 'main 60\nother 40\n' |
	    flamegraph "${options[@]}" --notes="$(tr -d '<>' <<< "$text")" \
		> picture.svg
	text=$({ texts; mended_argument; } | tr '\n' ' ')
	{
		printf '%s\n' "$text" "$text" "$text"
		echo true
		echo "[$text] all (100 $text, 100%)"
		tr -d '<>' <<< " NOTES: $text " | sed -e ':a' -e 's/--/- -/' -e ta
		echo true
	} | stays_text '
	say(svg.querySelector("title").textContent);
	say(text("subtitle").textContent);
	say(svg.getAttribute("font-family").replace(/, sans-serif$/, ""));
	hover("main");
	// cut to two lines, of text alone
	const line = text("details");
	say(line.textContent.startsWith("</tit") &&
	    line.querySelector(":not(tspan)") === null);
	say("[" + box().value + "] " + seen()[0].title);
	say([...svg.childNodes].find(node => node.nodeType === 8).data);
	say(text("matched").textContent.startsWith(
	    "Not a regular expression: "));'
}

@test "attributes of --nameattr stay values, and load nothing" {
	local text name value link url=http://127.0.0.1:9/p.svg count=0
	need_browser
	# as --nameattr's file holds it in quotes
	text=$({ texts; broken_argument; } | tr '\n' ' ' |
		sed -e 's/&/\&amp;/g' -e 's/"/\&quot;/g' -e "s/'/\&apos;/g" \
		    -e 's/</\&lt;/g')
	{
		printf 'link\thref=https://example.org/%s\ttarget=%s\t' \
		    "$text" "$text"
		printf 'title=%s\ta_extra=rel="%s"\n' "$text" "$text"
		printf "group\tid=%s\tclass=%s\tg_extra=data-x='%s'\n" \
		    "$text" "$text" "$text"
	} > attributes
	printf '%s 100\n' group link > in
	while read -r name value; do
		printf "v%02d\tg_extra=%s='%s'\n" "$((++count))" "$name" "$value"
		echo "$name $value" >> kept
	done >> attributes <<-END
	fill url(#p)
	mask URL( "#p" )
	style filter: url(#p); image-rendering: auto
	data-y \\url($url) @import "$url"
	aria-label image-set("$url")
	class url($url)
	href $url
	src $url
	srcset $url
	background $url
	poster $url
	formaction $url
	style behavior: $url
	cursor $url
	mask $url
	END
	seq -f 'v%02.0f 100' "$count" >> in
	count=0
	# no scripts to browsers
	while IFS= read -r link; do
		printf 'z%02d\thref=%b\n' "$((++count))" "$link"
	done >> attributes <<-'END'
	java&#1;script:x
	&#160;javascript:x
	\0342\0200\0213javascript:x
	java\0302\0255script:x
	java&amp;#10;script:x
	&amp;#106;avascript:x
	%6aavascript:x
	./javascript:x
	?javascript:x
	//javascript:x
	javascript%3ax
	javascript\0357\0274\0232x
	jav\0303\0241script:x
	\0304\0261avascript:x
	"onclick=javascript:x
	END
	seq -f 'z%02.0f 100' "$count" >> in
	flamegraph --nameattr=attributes in > picture.svg
	text=$({ texts; mended_argument; } | tr '\n' ' ')
	{
		for name in id class data-x; do
			echo "$name $text"
		done
		echo "xlink:href https://example.org/$text"
		for name in target rel title; do
			echo "$name $text"
		done
		cat kept
		echo "$((count + 1)) false"
	} | stays_text '
	const [group, link, ...others] =
	    [...svg.querySelectorAll("#frames > *")].slice(1);
	for (const name of ["id", "class", "data-x"])
		say(name + " " + group.getAttribute(name));
	for (const name of ["xlink:href", "target", "rel"])
		say(name + " " + link.getAttribute(name));
	say("title " + link.firstElementChild.textContent);
	for (const { localName, attributes } of others) {
		const { name, value } = [...attributes].find(
		    ({ name }) => !/^data-name/.test(name));
		if (localName !== "a")
			say(name + " " + value);
	}
	const links = [...svg.querySelectorAll("#frames > a")];
	const isScript = ({ href: { baseVal } }) => URL.canParse(baseVal, "x:y") &&
	    /script|data/.test(new URL(baseVal, "http://x/").protocol);
	say(links.length + " " + links.some(isScript));
	for (const frame of [group, link, ...others]) {
		for (const type of ["mouseover", "mouseout"])
			mouse(type, frame.querySelector("rect"));
		if (frame.localName === "a")
			mouse("click", frame.querySelector("rect"),
			    { ctrlKey: true });
	}'
}

# sample MODULE: a sample with one frame in it.
sample() {
	printf 'prog 1 1.5: 1 cycles:\n\t1149 f+0x1 (%s)\n\n' "$1"
}

# Replaces programs that tell of other programs, and notes when it is called.
watch() {
	mkdir bin
	printf '#!/bin/sh\ntouch %s\n' "$PWD/called" > bin/addr2line
	chmod +x bin/addr2line
	for name in nm readelf objdump sh; do
		cp bin/addr2line "bin/$name"
	done
	PATH=$PWD/bin:$PATH
}

@test "--inline runs nothing, and opens nothing but the module" {
	local bad module
	watch
	mkdir folder
	mkfifo fifo
	touch ./-o ./evil ./args plain 'a b' '*' '$(touch x)' '`touch x`' \
	    '; touch x' '@args'
	for module in '-o evil' '-o' '; touch x' '$(touch x)' '`touch x`' \
	    '|touch x' '*' 'a b' '@args' plain /dev/stdin /dev/zero /dev/null \
	    /proc/self/fd/0 "$PWD/fifo" fifo folder . .. / 'no/such'; do
		sample "$module"
	done > in
	timeout 10 stackcollapse-perf --inline in > out 2> err
	is_line 'prog;f 21' < out
	[ ! -e x ]
	[ ! -e called ]
	for bad in /dev/zero /dev/null "$PWD/fifo" fifo folder . .. /; do
		grep -qxF "stackcollapse-perf: --inline: $bad: not a regular file" err
	done
}

@test "--inline does not cut a module's name at a NUL" {
	watch
	touch plain
	sample 'plain#evil' | tr '#' '\0' | stackcollapse-perf --inline 2> err |
	    is_line 'prog;f 1'
	grep -q "plain: what follows is no part of a file's name" err
	[ ! -e called ]
}

@test "messages hold no control characters of the input" {
	local escape=$'\e]0;title\a\xc2\x9b31m'
	{
		printf 'a 1 1.0: 1 first%s:\n\t1 f (m)\n\n' "$escape"
		printf 'a 1 1.0: 1 other:\n\t1 f (m)\n\n'
		printf 'no frame %s\n' "$escape"
	} > in
	stackcollapse-perf in > out 2> err
	grep -q '^Filtering for events of type: first?]0;title??31m (samples' err
	grep -q '^Unrecognized line: no frame ?]0;title??31m$' err
	printf 'a\thref=javascript:%s\n' "$escape" > attributes
	fails 1 flamegraph --nameattr=attributes > out 2>> err <<< 'a 100'
	printf 'a 1 1.0: 1 cycles:\n\t1 f (/x%s)\n\n' "$escape" > in
	stackcollapse-perf --inline in > out 2>> err
	stackcollapse-perf --event-filter="$escape" in > out 2>> err
	fails 1 files "tree/$escape" > out 2>> err
	printf 'a 1 1.0: 1 c:\n\nx \2331m \303\251 \351\n' |
		stackcollapse-perf > out 2>> err
	grep -qx 'Unrecognized line: x ?1m é ?' err
	! LC_ALL=C grep -n $'[\x01-\x08\x0b-\x1f\x7f]\|\xc2[\x80-\x9f]' err || false
}
