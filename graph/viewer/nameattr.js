/* Frames that --nameattr gave attributes: links, classes, data. */
added.isWide = ({ parts: [i] }) => {
	const g = elOf(i);
	return g && (g.localName === "a" ||
	    g.attributes.length > Object.keys(g.dataset).length);
};

added.names = all => all.forEach((name, at) =>
	all[at] = gs[at].dataset.name || name);

// links are followed from the ring; links under a cover never are
for (const el of base.querySelectorAll(":scope > a"))
	set(el, { tabindex: -1 });
