/*
 * What opens over the picture: the list of keys.
 */
const KEYS = `Arrows\tparent, widest child, neighbors
	Enter\tzoom, or follow a link (with Ctrl: zoom)
	Esc, Backspace\tback to the previous zoom
	/, Ctrl-F, F3\tsearch (Esc: close)
	n, N\tnext, previous match
	Ctrl-I\tignore letter case
	Ctrl-C\tcopy the name
	?\tthese keys`;

let keys;

function toggleKeys() {
	if (keys) {
		keys.remove();
		keys = null;
		svg.focus({ preventScroll: true });
		return;
	}
	const panel = create("div", { tabindex: -1, role: "note" }, XHTML);
	panel.textContent = KEYS;
	keys = create("foreignObject",
	    { id: "keys", width: "100%", height: "100%" });
	keys.append(panel);
	svg.append(keys);
	panel.focus({ preventScroll: true });
}
