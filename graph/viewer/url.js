/*
 * The URL keeps x and y, the zoomed frame's coordinates in the base, s, the
 * search term, and i=1, which ignores letter case.  A zoom is a step in the
 * browser's history, a search is not.
 */
function saveState(method = "replaceState") {
	const state = { x: zoomed && left[zoomed], y: zoomed && top[zoomed],
	    s: term(), i: Number(ignoreCase) };
	const own = Object.keys(state).map(key => key + suffix);
	// the page's own parameters stay as they are
	const pairs = location.search.slice(1).split("&").filter(pair =>
		pair !== "" && !own.includes(pair.split("=")[0]));
	for (const key in state)
		if (state[key])
			pairs.push(key + suffix + "=" +
			    encodeURIComponent(state[key]));
	const url = new URL(location.href);
	url.search = pairs.join("&");
	try {
		history[method](history.state, "", url);
	} catch {
		// some sandboxes and data: URLs have no history
	}
}

function restoreState() {
	// "+" is common in regular expressions, and no blank
	const query = new URLSearchParams(
	    location.search.replaceAll("+", "%2B"));
	const [x, y, s, i] = ["x", "y", "s", "i"].map(key =>
		query.get(key + suffix) ??
		(key === "s" && !isRead && base.dataset.search || ""));
	if (x + s + i === "" && !isRead)
		return;
	read();
	const target = Math.max(0, groups.findIndex((_, frame) => width[frame] > 0 &&
		left[frame] === Number(x) && top[frame] === Number(y)));
	if (target !== zoomed)
		zoom(target);
	if (s !== "") {
		openBox();
		input.value = s;
		search();
	} else if (term() !== "")
		closeBox();
	if (ignoreCase !== (i === "1"))
		toggleCase();
}
