/*
 * Frames that --nameattr gave attributes: links, classes, events.  Pictures
 * without leave this out.
 */
added.isWide = ({ parts: [i] }) => {
	const { localName, attributes: attrs, dataset } = gs[i];
	return localName === "a" || attrs.length > Object.keys(dataset).length;
};

added.names = all => {
	for (let i = 0; i < size; i++)
		all[i] = gs[i].dataset.name || all[i];
};

// links are followed from the ring; links under a cover never are
for (const el of base.querySelectorAll(":scope > a"))
	set(el, { tabindex: -1 });
