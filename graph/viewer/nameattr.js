/*
 * Frames that --nameattr gave attributes: links, classes, events.  Pictures
 * without leave this out.
 */
added.isSpecial = ({ parts: [i] }) => {
	const { localName, attributes: attrs, dataset } = groups[i];
	return localName === "a" || attrs.length > Object.keys(dataset).length;
};

// links are followed from the ring, those under a cover never
for (const link of base.querySelectorAll(":scope > a"))
	set(link, { tabindex: -1 });
