/*
 * The labels of frames: names, cut to what fits.
 */
const LABEL_INDENT = 3;
const CUT = given.truncate || "end";

// Returns the size and the family; Firefox tells none before there is a window.
function fontOf() {
	const { fontSize: high, fontFamily } = getComputedStyle(details);
	return [parseFloat(high) || em,
	    fontFamily || svg.getAttribute("font-family")];
}

let ruler;

function textWidth(text) {
	if (!ruler) {
		ruler = html("canvas").getContext("2d");
		ruler.font = fontOf().join("px ");
	}
	return text && ruler.measureText(text).width;
}

// Keeps so many characters of a text, of its "end", "front" or "middle" none.
function cut(text, kept, what) {
	const tail = { end: 0, middle: kept >> 1, front: kept }[what];
	// half a surrogate pair is no character
	const head = text.slice(0, kept - tail).replace(/[\uD800-\uDBFF]$/, "");
	const rest = text.slice(text.length - tail)
	    .replace(/^[\uDC00-\uDFFF]/, "");
	return kept > 0 && head + rest ? head + ".." + rest : "";
}

// Returns the text, or as much of it as there is room for.
function fitText(text, room, what) {
	let most = Math.max(0, Math.min(text.length, Math.ceil(room)));
	if (most === text.length && textWidth(text) <= room)
		return text;
	let least = 0;
	while (least < most) {
		const middle = (least + most + 1) >> 1;
		if (textWidth(cut(text, middle, what)) <= room)
			least = middle;
		else
			most = middle - 1;
	}
	return cut(text, least, what);
}

// True if white text is read better on the color (see graph/colour.h).
function isDark(color) {
	textWidth("");
	// which is then told as #rrggbb
	ruler.fillStyle = color;
	const light = at => (parseInt(ruler.fillStyle.substr(at, 2), 16) / 255) **
	    2.2;
	return 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5) < 0.18;
}

// Gives the element of a frame the label that fits.
function setLabel(element, { name, x, wide, y }) {
	let text = rectOf(element).nextElementSibling;
	const room = wide * scale - LABEL_INDENT;
	// nothing is legible in less, and most frames have less
	if (room < fontSize && !text)
		return;
	if (!text) {
		text = create("text");
		element.append(text);
	}
	set(text, fluid ? { x: x + unit, dx: LABEL_INDENT } :
	    { x: x + LABEL_INDENT });
	set(text, { y: y + height / 2 + 3,
	    fill: isDark(rectOf(element).getAttribute("fill")) ? "#fff" : "#000" });
	text.textContent = room < fontSize ? "" : fitText(names[name], room, CUT);
}
