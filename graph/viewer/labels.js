/*
 * The labels of frames: names, cut to what fits.
 */
const LABEL_INDENT = 3;

const fits = (text, room) => ruler.measureText(text).width <= room;

function fitLabel(name, room) {
	let most = Math.min(name.length, Math.ceil(room));
	if (most === name.length && fits(name, room))
		return name;
	let least = 0;
	while (least < most) {
		const middle = (least + most + 1) >> 1;
		if (fits(name.slice(0, middle) + "..", room))
			least = middle;
		else
			most = middle - 1;
	}
	// half a surrogate pair is no character
	const start = name.slice(0, least).replace(/[\uD800-\uDBFF]$/, "");
	return start && start + "..";
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
	set(text, { y: y + height / 2 + 3 });
	text.textContent = room < fontSize ? "" : fitLabel(names[name], room);
}
