/* The labels of frames: names, cut to what fits. */
const INDENT = 3;

// Firefox has no style before it has a window.
const fontOf = () => {
	const { fontSize: high, fontFamily } = getComputedStyle(details);
	return [parseFloat(high) || em,
	    fontFamily || get(svg, "font-family")];
};

let ruler;

const widthOf = s => {
	if (!ruler) {
		ruler = html("canvas").getContext("2d");
		ruler.font = fontOf().join("px ");
	}
	return s && ruler.measureText(s).width;
};

// Keeps some characters of a text, without its "end", "front" or "middle".
const cut = (s, kept, what) => {
	const tail = { end: 0, middle: kept >> 1, front: kept }[what];
	// half a surrogate pair is not a character
	const head = s.slice(0, kept - tail).replace(/[\uD800-\uDBFF]$/, "");
	const rest = s.slice(s.length - tail).replace(/^[\uDC00-\uDFFF]/, "");
	return kept > 0 && head + rest ? head + ".." + rest : "";
};

const fitText = (s, room, what = "middle") => {
	let most = max(0, min(s.length, Math.ceil(room)));
	if (most === s.length && widthOf(s) <= room)
		return s;
	let least = 0;
	while (least < most) {
		const mid = (least + most + 1) >> 1;
		if (widthOf(cut(s, mid, what)) <= room)
			least = mid;
		else
			most = mid - 1;
	}
	return cut(s, least, what);
};

// True if white text is read better on the color (see graph/colour.h).
const isDark = color => {
	widthOf("");
	// this makes it #rrggbb
	ruler.fillStyle = color;
	const light = at =>
		(("0x" + ruler.fillStyle.substr(at, 2)) / 255) ** 2.2;
	return .2126 * light(1) + .7152 * light(3) + .0722 * light(5) < .18;
};

const setLabel = (el, f) => {
	if (added.nameLane(el, f))
		return;
	const { x, w, y } = f;
	const room = w * scale - INDENT;
	// nothing is legible in less, and most frames have less
	if (room < fontSize && el.childElementCount < 3)
		return;
	const [, rect, label = make("text")] = el.children;
	el.append(set(label, { x: x + unit, dx: INDENT, y: y + height / 2 + 3,
	    fill: isDark(get(rect, "fill")) ? "#fff" : "#000" }));
	// the root's label has the counts of the whole
	const whole = f.n ? "" : " \u00b7 " + amount(f.total);
	label.textContent = room < fontSize ? "" : fitText(names[f.n] + whole,
	    room, given.truncate || "end");
};
