/*
 * Starts the viewer: listens, names what assistive technology should know, and
 * opens the picture as the URL says.
 */
let press;

const listen = (target, type, listener) =>
	target.addEventListener(type, event => {
		read();
		listener(event);
	});

listen(svg, "click", event => {
	const group = groupAt(event);
	const ctrl = event.ctrlKey || event.metaKey;
	if (group && (group.localName !== "a" || ctrl || wasPressed)) {
		event.preventDefault();
		zoomAndSave(wasPressed ? zoomed : frameAt(event));
	} else if (event.target === unzoomButton) {
		svg.focus({ preventScroll: true });
		zoomAndSave(0);
	} else if (event.target === searchButton)
		box ? closeBox() : askForTerm();
	else if (event.target === caseButton)
		toggleCase();
	wasPressed = false;
});

listen(svg, "mouseover", event => groupAt(event) && tell(frameAt(event)));
// from frame to frame within a path
listen(svg, "mousemove", event => {
	if (groupAt(event)?.localName !== "path")
		return;
	tell(frameAt(event));
	event.target.firstChild.textContent = titleOf(told);
});
listen(svg, "mouseout", event => groupAt(event) && tell(focused));

listen(svg, "pointerdown", event => {
	wasPressed = false;
	if (event.pointerType !== "touch" || !groupAt(event))
		return;
	tell(frameAt(event));
	press = setTimeout(copyName, 500);
});

for (const type of ["pointerup", "pointercancel"])
	svg.addEventListener(type, () => clearTimeout(press));

listen(document, "copy", event => {
	if (told >= 0 && isMeant(event) && getSelection().isCollapsed &&
	    !event.target.closest?.("input, textarea"))
		putName(event);
});

listen(window, "keydown", event => {
	const action = event.key && isMeant(event) && actionOf(event);
	if (action) {
		action();
		event.preventDefault();
	}
});

window.addEventListener("popstate", restoreState);

set(svg, { tabindex: 0, role: "application",
    "aria-roledescription": "flame graph",
    "aria-label": byId("title").textContent });
set(details, { "aria-live": "polite" });
set(caseButton, { "aria-label": "Ignore letter case" });
for (const button of [unzoomButton, searchButton, caseButton])
	set(button, { tabindex: 0, role: "button" });
// links are followed from the ring, those under a cover never
for (const link of base.querySelectorAll(":scope > a"))
	set(link, { tabindex: -1 });
if (fluid) {
	new ResizeObserver(refit).observe(svg);
	// on paper it is what it was on the screen, at another size
	listen(window, "beforeprint", () => set(svg, { viewBox:
	    `0 0 ${100 * scale} ${svg.getAttribute("height")}` }));
	listen(window, "afterprint", () => svg.removeAttribute("viewBox"));
}
restoreState();
(window.requestIdleCallback ?? setTimeout)(read);
