/*
 * The HTML over the picture: a panel, which is the help, a menu or the table of
 * functions, and the bar with the path to the zoomed frame and the changes.
 */
const WORDS = { c: "callers and callees of ", r: "from the leaves",
	i: "upside down", b: "siblings by " + (given.sort ? "name" : "size"),
	h: "without ", d: "without calls to ", m: "recursion merged: ",
	k: "only ", K: "only (any case) ",
	v: "without /", V: "without (any case) /" };

let panel, bar;
// the frame that the panel is for, since the mouse leaves it on its way there
let asked = null;

const button = (s, act, attrs) => {
	const el = html("button", { title: s, ...attrs }, s);
	el.onclick = act;
	return el;
};

const dismiss = () => {
	panel.remove();
	panel = asked = null;
	chosen = 0;
	focusOn(svg);
};

const openPanel = (id, fill) => {
	const open = panel && panel.id;
	if (open)
		dismiss();
	if (open === id)
		return;
	asked = told || here || pointed;
	const el = html("div", {});
	const frame = html("div", { tabindex: -1, role: "note",
	    class: "panel" }, button("\u00d7", dismiss,
		{ class: "close", title: "close (Escape)" }), el);
	panel = addHtml(id, frame);
	fitBars();
	fill(el);
	focusOn(frame);
};

// A click beside the panel closes it, and does nothing else.
on(window, "click", e => {
	if (!panel || held || e.target.closest("foreignObject, [role=button]"))
		return;
	dismiss();
	if (isInside(e)) {
		e.preventDefault();
		e.stopPropagation();
	}
}, true);

const showBar = () => {
	if (bar)
		bar.remove();
	bar = null;
	const path = zoom.up ? pathTo(zoom) : [];
	if (isBase())
		return;
	bar = addHtml("bar", html("div", {},
	    ...path.map(f => button(names[f.n], () => zoomTo(f))),
	    ...changes.map(c => button("\u00d7 " + added.label(c),
		() => toggle(c), { class: "change" }))));
	// of a long path the end is shown
	requestAnimationFrame(() => bar &&
	    (bar.firstChild.scrollLeft = 1e6));
};
