/*
 * The table has keys, their help, and a function, which returns false if it
 * does not take the key.  One that needs no event is a button in the help, too.
 */
const subject = () => asked || told || here || zoom;

// The function may be that of a row of "Top".
const isGeneral = a => /[rib]/.test(a);
const changeBy = a => () => {
	const n = chosen || subject().n;
	if (isGeneral(a))
		return toggle(a);
	if (!n)
		return false;
	if (panel)
		dismiss();
	toggle(a + names[n]);
};

const openKeys = () => openPanel("keys", fillKeys);

const ACTIONS = [
	["Arrows", "parent, widest child, neighbors", move],
	["Enter Ctrl-Enter", "zoom or follow a link (Ctrl: zoom)", enter],
	["Escape Backspace", "back", goBack],
	["/ Ctrl-f F3", "search (Escape: close)", ask],
	["n N", "next, previous match", step],
	["Ctrl-i", "ignore letter case", flipCase],
	["t", "top functions", openTop],
	["K", "keep only stacks that match the search", changeByTerm("k")],
	["H", "hide frames that match the search", changeByTerm("v")],
	...[..."cribhdm"].map(a => [a,
	    WORDS[a] + (isGeneral(a) ? "" : "the function"), changeBy(a)]),
	["Ctrl-c", "copy the name", copyName],
	["y", "copy the stack", copyStack],
	["e", "save as folded text", saveStacks],
	["?", "help", openKeys]
];

const addRow = (el, f, keys, words, act) =>
	el.append(html("kbd", {}, keys), act ? button(words, () => {
		dismiss();
		asked = f;
		act(f);
		asked = null;
	}) : words);

const fillKeys = el => {
	const f = subject(), name = f.n ? names[f.n] : "the function";
	for (const [keys, s, act] of ACTIONS)
		addRow(el, f, keys, s.replace("the function", () => name),
		    !act.length && act);
};

const MENU = [
	["Enter", "zoom", f => zoomTo(f)],
	["c", "callers and callees", changeBy("c")],
	["h", "hide it, keep its callees", changeBy("h")],
	["d", "drop it with its callees", changeBy("d")],
	["m", "merge recursion", changeBy("m")],
	["Ctrl-c", "copy the name", f => copy(names[f.n])],
	["y", "copy the stack", copyStack],
	["", "search for it", f => seekName(f.n)]
];

// Opens the menu of a frame at the pointer.
const openMenu = (f, e) => {
	tell(f);
	openPanel("menu", el => MENU.forEach(row => addRow(el, f, ...row)));
	if (!panel)
		return;
	const { firstChild: frame } = panel, { width: w, height: h } =
	    boxOf(frame);
	const [x, y] = pointOf(e);
	const [px, py, wide, high] = ["x", "y", "width", "height"]
	    .map(k => num(panel, k));
	frame.style.margin = `${max(0, min(y - py, high - h))}px 0 0 ${
		max(0, min(x - px, wide - w))}px`;
};

// In a page with other things, keys are for the picture that has the focus;
// those that type nothing also for the picture under the mouse.
const isInside = e => svg === page || e.composedPath().includes(svg);
const isMeant = e => isInside(e) || svg.matches(":hover");

const actionOf = e => {
	const { key: k, target, shiftKey } = e;
	const isCtrl = withCtrl(e);
	const name = isCtrl ? "Ctrl-" + (shiftKey ? "Shift-" : "") +
	    (k.length > 1 ? k : k.toLowerCase()) :
	    k.replace(/^Arrow.*/, "Arrows");
	if (k === "Escape" && (panel || box))
		return panel ? dismiss : closeBox;
	const isSilent = /^(F3|Ctrl-[fi])$/.test(name);
	// Cmd-F is for the browser
	if (e.altKey || !(isInside(e) || isSilent) ||
	    e.metaKey && k !== "Enter")
		return;
	if (target === input && !isSilent)
		return k === "Enter" && step;
	if (/^(Enter| )$/.test(k) && target.matches("button, [role=button]"))
		return !target.matches("button") && (() => click(target));
	const row = ACTIONS.find(([keys]) => keys.split(" ").includes(name));
	return row && row[2];
};
