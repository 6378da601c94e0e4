/*
 * The keys.  The help is made of this table: keys, their help, and their
 * function, which returns false if they are not for it.  A function that needs
 * no event is also a button of the help.
 */
const subject = () => told || here || zoom;

// Changes the picture, by the function of a row in the table, or of a frame.
const isGeneral = a => /[ri]/.test(a);
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
	...Object.keys(WORDS).map(a => [a,
	    WORDS[a] + (isGeneral(a) ? "" : "the function"), changeBy(a)]),
	["Ctrl-c", "copy the name", copyName],
	["y", "copy the stack", copyStack],
	["e", "save as folded text", saveStacks],
	["?", "help", openKeys]
];

const fillKeys = el => {
	for (const [keys, s, act] of ACTIONS)
		el.append(html("kbd", {}, keys), act.length ? s :
		    button(s, () => { dismiss(); act(); }));
};

// In a page of other things, keys are for the picture with the focus,
// those that type nothing also for the picture under the mouse.
const isInside = e => svg === page || e.composedPath().includes(svg);
const isMeant = e => isInside(e) || svg.matches(":hover");

// Returns what a key does, or undefined.
const actionOf = e => {
	const { key: k, target, shiftKey } = e;
	const isCtrl = withCtrl(e);
	const name = isCtrl ? "Ctrl-" + (shiftKey ? "Shift-" : "") +
	    (k.length > 1 ? k : k.toLowerCase()) :
	    k.replace(/^Arrow.*/, "Arrows");
	if (k === "Escape" && (panel || box))
		return panel ? dismiss : closeBox;
	const isSilent = /^(F3|Ctrl-[fi])$/.test(name);
	// Cmd-F is the browser's
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
