/*
 * What opens over the picture, in HTML: a panel at a time, the help or the
 * table of functions; and the bar, which has the path to the zoomed frame, each
 * step a button, and the changes that are applied, each a button that takes it
 * back.
 */
const WORDS = { h: "without ", d: "without all on ", m: "once in a stack: ",
	r: "from the leaves", i: "upside down", c: "callers and callees of " };

let panel, bar;

function button(text, action, attributes) {
	const element = html("button", { title: text, ...attributes }, text);
	element.onclick = action;
	return element;
}

function closePanel() {
	panels.delete(panel);
	panel.remove();
	panel = null;
	chosen = 0;
	focusOn(svg);
}

// Opens the panel, or closes it if it is open.
function openPanel(id, fill) {
	const isOpen = panel && panel.id === id;
	if (panel)
		closePanel();
	if (isOpen)
		return;
	const content = html("div", { tabindex: -1, role: "note" });
	panel = addHtml(id, content);
	panels.add(panel);
	placeBars();
	fill(content);
	focusOn(content);
}

function showBar() {
	if (bar)
		bar.remove();
	bar = null;
	const path = zoomed.parent ? pathTo(zoomed) : [];
	if (path.length + changes.length === 0)
		return placeBars();
	bar = addHtml("bar", html("div", {}, ...path.map(frame =>
		button(names[frame.name], () => zoomTo(frame))),
	    ...changes.map(([letter, ...name]) => button("\u00d7 " +
		WORDS[letter] + name.join(""), () => toggleChange(letter,
		    name.join("")), { class: "change" }))));
	placeBars();
	// the end of a long path is what is shown
	requestAnimationFrame(() => bar &&
	    (bar.firstElementChild.scrollLeft = 1e6));
}
