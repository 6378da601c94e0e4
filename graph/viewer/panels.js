/*
 * The HTML over the picture: a panel, which is the help or the table of
 * functions, and the bar.  The bar has buttons: a step of the path to the
 * zoomed frame leads there, a change that was applied is taken back.
 */
const WORDS = { c: "callers and callees of ", r: "from the leaves",
	i: "upside down", h: "without ", d: "without all on ",
	m: "once in a stack: " };

let panel, bar;

const button = (s, act, attrs) => {
	const el = html("button", { title: s, ...attrs }, s);
	el.onclick = act;
	return el;
};

const dismiss = () => {
	panel.remove();
	panel = null;
	chosen = 0;
	focusOn(svg);
};

// Opens the panel, or closes it if it is open.
const openPanel = (id, fill) => {
	const last = panel && panel.id;
	if (last)
		dismiss();
	if (last === id)
		return;
	const el = html("div", { tabindex: -1, role: "note",
	    class: "panel" });
	panel = addHtml(id, el);
	fitBars();
	fill(el);
	focusOn(el);
};

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
