/*
 * The keys.  The table has keys, their help, and a function, which returns
 * false if it does not take the key.  The help is made of the table; a function
 * that needs no event is a button there, too.
 */
const subject = () => asked || told || here || zoom;

// Changes the picture for the function in a row of "Top", or of a frame.
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

const fillKeys = el => {
	const f = subject(), name = f.n ? names[f.n] : "the function";
	for (const [keys, s, act] of ACTIONS) {
		const words = s.replace("the function", () => name);
		el.append(html("kbd", {}, keys), act.length ? words :
		    button(words, () => {
			    dismiss();
			    asked = f;
			    act();
			    asked = null;
		    }));
	}
};

// In a page with other things, keys are for the picture that has the focus.
// Keys that type nothing are also for the picture under the mouse.
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
