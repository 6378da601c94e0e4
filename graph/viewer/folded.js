/* Stacks as folded text: that of a frame, and all in view. */

// A number that the last name ends in would be a count.
const foldLine = (path, counts) =>
	path.join(";").replace(/[ \t](?=\d+\.?\d*$)/, "_") + " " + counts;

// Stacks that are turned over begin with their leaves.
const copyStack = () => {
	const f = subject();
	const path = pathTo(f).filter(({ n }) => n).map(({ n }) => names[n]);
	copy(foldLine(isCaller(f) ? path.reverse() : path, f.total));
};

// Frames too narrow to be printed count for the frames below them.
const saveStacks = () => {
	const of = viewTree(), { up } = of;
	const stacks = [""], lines = new Map();
	for (let i = 1; i < size; i++) {
		stacks[i] = stacks[up[i]] + ";" + names[nOf[i]];
		const counts = added.split(...kinds.map(([, own, rest]) =>
			of[own][i] + of[rest][i]));
		if (counts.some(n => n)) {
			const sums = lines.get(stacks[i]) || [0, 0];
			lines.set(stacks[i],
			    counts.map((n, at) => sums[at] + n));
		}
	}
	const folded = [...lines].map(([stack, counts]) => {
		const path = stack.slice(1).split(";");
		return foldLine(turned ? path.reverse() : path,
		    // sums of fractions are not exact
		    counts.map(n => +n.toPrecision(15)).join(" ")) + "\n";
	});
	html("a", { download: "stacks.folded",
	    href: URL.createObjectURL(new Blob(folded)) }).click();
	say(`Saved: ${folded.length} stacks`);
};
