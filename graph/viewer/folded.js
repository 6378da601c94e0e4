/*
 * Stacks as folded text: that of a frame, and all in view.
 */

// Turned over they are shown from their leaves.
const stackOf = frame => {
	const path = pathTo(frame).filter(({ name }) => name > 0)
	    .map(({ name }) => names[name]);
	return (isCaller(frame) ? path.reverse() : path).join(";");
};

const copyStack = () => copy(`${stackOf(subject())} ${subject().total}`);

// Returns a line for each stack in view.  Frames that were too narrow to be
// printed count for those that they are on.
function foldStacks() {
	const { parent, self, rest, changeSelf, changeRest } = tree;
	const isIn = new Uint8Array(count);
	const from = added.tint && !("widths" in given) ? 0 : 1;
	const stacks = [""], lines = new Map();
	for (const i of zoomed.stems || zoomed.members)
		isIn[i] = 1;
	for (let i = 0; i < count; i++) {
		if (i > 0)
			stacks[i] = stacks[parent[i]] + ";" + names[nameOf[i]];
		if (!isTurned && isIn[parent[i]])
			isIn[i] = 1;
		const now = self[i] + rest[i];
		const counts = [now - changeSelf[i] - changeRest[i], now]
		    .slice(from);
		if (!isIn[i] || i === 0 || !counts.some(n => n))
			continue;
		const sums = lines.get(stacks[i]) || [0, 0];
		lines.set(stacks[i], counts.map((n, at) => sums[at] + n));
	}
	return Array.from(lines, ([stack, counts]) => {
		const path = stack.slice(1).split(";");
		return (isTurned ? path.reverse() : path).join(";") + " " +
		    // sums of fractions are not exact
		    counts.map(n => Number(n.toPrecision(15))).join(" ") + "\n";
	}).join("");
}

function saveStacks() {
	const text = foldStacks();
	html("a", { download: "stacks.folded",
	    href: URL.createObjectURL(new Blob([text])) }).click();
	showFacts([], `Saved: ${withCommas(text.split("\n").length - 1)} stacks`);
}
