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

// Gives the frame's group, the printed one or a copy, the label that fits.
function setLabel(group, frame, x, wide) {
	const rect = rectOf(group);
	const room = wide * scale - LABEL_INDENT;
	let text = rect.nextElementSibling;
	// nothing is legible in less, and most frames have less
	if (room < fontSize && !text)
		return;
	const name = nameOf(frame);
	if (!text) {
		text = create("text", { y: top[frame] + height / 2 + 3 });
		group.append(text);
	}
	set(text, fluid ? { x: x + unit, dx: LABEL_INDENT } :
	    { x: x + LABEL_INDENT });
	text.textContent = room < fontSize ? "" : fitLabel(name, room);
}
