/*
 * What keys do.  The help is made of this table: keys, what it says of them,
 * and what they do, which tells by false that it was not for them.  What needs
 * no event is a button of the help.
 */
const subject = () => told || focused || zoomed;

// Changes the picture by the function of a row in the table, or of a frame.
const changeBy = letter => () => {
	const name = chosen || subject().name;
	if (name === 0)
		return false;
	if (panel)
		closePanel();
	toggleChange(letter, names[name]);
};

const openKeys = () => openPanel("keys", fillKeys);

const ACTIONS = [
	["Arrows", "parent, widest child, neighbors", move],
	["Enter Ctrl-Enter", "zoom, or follow a link (with Ctrl: zoom)", enter],
	["Escape Backspace", "back to what was shown before", goBack],
	["/ Ctrl-f F3", "search (Escape: close)", askForTerm],
	["n N", "next, previous match", step],
	["Ctrl-i", "ignore letter case", toggleCase],
	["t", "table of the top functions", openTop],
	["c", "callers and callees of the function", changeBy("c")],
	["r", "merge stacks from their leaves", () => toggleChange("r")],
	["i", "turn the picture upside down", () => toggleChange("i")],
	["h", "hide the function's frames", changeBy("h")],
	["d", "drop them and all on them", changeBy("d")],
	["m", "merge the function's recursion", changeBy("m")],
	["Ctrl-c", "copy the name", copyName],
	["y", "copy the stack", copyStack],
	["e", "save the stacks as folded text", saveStacks],
	["?", "these keys", openKeys],
];

function fillKeys(content) {
	for (const [keys, text, action] of ACTIONS)
		content.append(html("kbd", {}, keys), action && !action.length ?
		    button(text, () => { closePanel(); action(); }) : text);
}

// In a page of other things, keys are for the picture with the focus,
// those that type nothing also for the picture under the mouse.
const isInside = event => svg === page ||
    event.composedPath().includes(svg);
const isMeant = event => isInside(event) || svg.matches(":hover");

// Returns what a key does, or undefined.
function actionOf(event) {
	const { key, target, shiftKey } = event;
	const isCtrl = withCtrl(event);
	const name = isCtrl ? "Ctrl-" + (shiftKey ? "Shift-" : "") +
	    (key.length > 1 ? key : key.toLowerCase()) :
	    key.replace(/^Arrow.*/, "Arrows");
	if (key === "Escape" && (panel || box))
		return panel ? closePanel : closeBox;
	const typesNothing = /^(F3|Ctrl-[fi])$/.test(name);
	// Cmd-F is the browser's
	if (event.altKey || !(isInside(event) || typesNothing) ||
	    event.metaKey && key !== "Enter")
		return;
	if (target === input && !typesNothing)
		return key === "Enter" ? step : undefined;
	if (/^(Enter| )$/.test(key) && target.matches("button, [role=button]"))
		return target.matches("button") ? undefined : () => click(target);
	const row = ACTIONS.find(([keys]) => keys.split(" ").includes(name));
	return row && row[2];
}
