/* Starts the viewer: listens to events, and opens what the URL says. */
let press, touched, isPressed;
const groupAt = e => e.target.closest("g[data-unit] > *");

const frameAt = e => {
	const g = groupAt(e);
	const found = seen.find(({ el }) => el === g);
	if (found)
		return found;
	if (!view)
		return frameFor(drawn[[].indexOf.call(gs, g)]);
	// the middle of the pixel under the mouse
	const [across, down] = inPicture(e.clientX + .5, e.clientY + .5);
	return seen.find(({ el, x, y, w }) => !el &&
	    down >= y && down <= y + height && across <= (x + w) * scale) ||
	    zoom;
};

on(svg, "click", e => {
	const g = groupAt(e);
	if (g && (g.localName !== "a" || withCtrl(e) || held)) {
		e.preventDefault();
		if (!held)
			zoomTo(frameAt(e));
	}
	held = false;
});

on(svg, "mouseover", e => groupAt(e) && tell(frameAt(e)));
// from frame to frame within a path
on(svg, "mousemove", e => {
	if (e.target.localName === "path") {
		tell(frameAt(e));
		write(e.target.firstChild, titleOf(told));
	}
});
// a lifted finger is not a mouse that went away
on(svg, "mouseout", e => groupAt(e) && !touched && tell(here));

on(svg, "blur", () => isKeyed(false));

// A drag across frames selects no text and drags no link, unless with Shift.
on(window, "pointerup pointercancel", () => {
	isPressed = false;
	clearTimeout(press);
});
on(document, "selectstart dragstart", e => isPressed && e.preventDefault());

on(svg, "pointerdown", e => {
	isPressed = !e.shiftKey && e.target.closest("g, rect, path");
	held = false;
	touched = e.pointerType === "touch";
	if (!touched || !groupAt(e))
		return;
	const f = frameAt(e);
	tell(f);
	press = setTimeout(() => {
		held = true;
		openMenu(f, e);
	}, 500);
});

// Phones ask for the menu of a long press, too.
on(svg, "contextmenu", e => {
	if (!groupAt(e) || e.shiftKey)
		return;
	clearTimeout(press);
	e.preventDefault();
	if (!held)
		openMenu(frameAt(e), e);
	held = touched;
});

on(document, "copy", e => {
	const s = copied || told && isMeant(e) && getSelection().isCollapsed &&
	    !("select" in e.target) && names[told.n];
	if (s) {
		e.clipboardData.setData("text/plain", s);
		e.preventDefault();
		sayCopy(s);
	}
});

on(window, "keydown", e => {
	isKeyed(e.key !== "Tab");
	const act = e.key && isMeant(e) && actionOf(e);
	if (act && act(e) !== false)
		e.preventDefault();
});

on(window, "popstate", restore);
on(window, "pagehide", saveStep);

// a page that was saved in a view opens without it
if (svg.hasAttribute("tabindex"))
	setTimeout(() => {
		read();
		draw();
	});
set(svg, { tabindex: 0, role: "application",
    "aria-roledescription": "flame graph",
    "aria-label": heading.textContent });
set(details, { "aria-live": "polite" });
details.before(lower);
unzoom.before(upper);
// texts are buttons; those with a label are not printed
for (const [id, act, name, label] of [
	["ignorecase", flipCase, "Ignore letter case"],
	["search", () => box ? closeBox() : ask()],
	["functions", openTop, "Top functions", "Top"],
	["help", openKeys, "Keys", "?"],
	["unzoom", () => {
		focusOn(svg);
		visit([changesBut("z")]);
	}],
	["reset", () => {
		if (box)
			closeBox();
		focusOn(svg);
		visit([[]]);
	}, "Reset all", "Reset"]
]) {
	if (!byId(id))
		unzoom.after(make("text", { id }, label));
	show(on(set(byId(id), { tabindex: 0, role: "button",
	    ...name && { "aria-label": name } }), "click", act), true);
}
write(byId("ignorecase"), "Aa");
// Without the first, phones lay out a page for a wider screen.  On paper the
// picture is a wide page.
if (svg === page && !byId("page"))
	svg.prepend(make("foreignObject", { id: "page" },
	    html("meta", { name: "viewport", content: "width=device-width," +
		"initial-scale=1,minimum-scale=1" }),
	    html("style", {}, "@page { size: landscape; margin: 8mm }")));
// the line says what they will reset
for (const el of [unzoom, byId("reset")]) {
	show(el, false);
	on(el, "mouseout blur", () => tell(here));
	on(el, "mouseover focus", () => say(el.textContent, [
		isZoomed() && "zoom to " + names[zoom.n],
		...el === unzoom ? [] : changes.map(added.label),
		el !== unzoom && term() && "search for " + term()
	].filter(s => s)));
}
findSpare();
restore();
// A window of its own opens on the root, or on what the address asks for.
requestAnimationFrame(() => {
	const y = num(rectOf(gs[0]), "y"), isOpening = svg === page && !scrollY;
	if (isOpening && !given.lanes)
		reveal({ x: 0, y }, 1);
	if (isOpening && zoom && zoom.up)
		reveal(zoom, inverted !== flipped ? 0 : 1);
	if (isOpening && term())
		reveal(seen.find(isMatch) || { x: 0, y }, .5);
	follow();
});
(window.requestIdleCallback || setTimeout)(() => {
	read();
	fitLabels();
	added.start();
}, { timeout: 500 });
