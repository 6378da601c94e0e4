/*
 * The search: its box, the frames that match and what they add up to.
 */
const matches = new Array(count).fill(false);
let ignoreCase = false;
let box, input, marks;

const term = () => input?.value ?? "";

function compile(source) {
	const flags = ignoreCase ? "i" : "";
	try {
		return new RegExp(source, flags);
	} catch {
		return new RegExp(source.replace(/[^\w\s]/g, "\\$&"), flags);
	}
}

function search() {
	const source = term();
	const pattern = compile(source);
	// "foo$" means the name, though counts follow it
	const isMatch = title => pattern.test(title) ||
	    source.endsWith("$") && pattern.test(withoutCounts(title));
	for (let i = 0; i < count; i++) {
		const match = source !== "" && isMatch(titleOf(i));
		if (match !== matches[i] && width[i] * scale >= fontSize)
			groups[i].classList.toggle("match", match);
		matches[i] = match;
	}
	for (const [frame, { copy }] of shown)
		copy?.classList.toggle("match", matches[frame]);
	markNarrow();
	showMatched();
}

// Matches without labels are covered by one shape: to restyle ten thousand
// rectangles takes twice as long as all the rest of a search.
function markNarrow() {
	marks ??= create("path", { id: "marks" });
	marks.setAttribute("d", outline(visibleMatches().filter(
	    frame => placeOf(frame).wide * scale < fontSize)));
	(view ?? base).after(marks);
}

const visibleMatches = () => visibleFrames().filter(i => matches[i]);

// "Matched: 12.3% (1,234 samples, 3 of 17)", of what is shown
function describeMatches() {
	const inside = visibleFrames().some(i => i < zoomed && matches[i]);
	let sum = 0, wide = 0;
	for (let i = zoomed; i < end[zoomed];) {
		// frames above a match are not counted again
		const counts = inside || matches[i];
		if (counts) {
			sum += countOf(i);
			wide += width[i];
		}
		i = counts ? end[i] : i + 1;
	}
	// widths are rounded, but titles from --nameattr need not tell counts
	const part = sum >= 0 ? sum / countOf(zoomed) : wide / width[zoomed];
	const share = Math.min(100 * part || 0, 100);
	const found = visibleMatches();
	// the root's title tells what is counted: "all (99 samples, 100%)"
	const what = /\([\d,]+( .*), 100%\)$/.exec(titleOf(0))?.[1] ?? "";
	const samples = sum >= 0 ? withCommas(sum) + what + ", " : "";
	return `Matched: ${share.toFixed(1).replace("100.0", "100")}% ` +
	    `(${samples}${found.indexOf(focused) + 1} of ${found.length})`;
}

function showMatched() {
	const searching = term() !== "";
	searchButton.classList.toggle("show", searching);
	searchButton.textContent = searching ? "Reset Search" : "Search";
	matchedText.textContent = searching ? describeMatches() : " ";
}

function step(back) {
	const found = visibleMatches();
	if (found.length > 0)
		focus(back ?
		    found.findLast(i => i < focused) ?? found.at(-1) :
		    found.find(i => i > focused) ?? found[0]);
}

function openBox() {
	if (box)
		return;
	const y = Number(searchButton.getAttribute("y"));
	box = create("foreignObject", { id: "searchbox",
	    y: y - 1.3 * fontSize, height: 1.8 * fontSize });
	input = create("input", { placeholder: "regular expression",
	    spellcheck: false, autocomplete: "off",
	    "aria-label": "Search" }, XHTML);
	input.addEventListener("input", () => {
		search();
		saveState();
	});
	box.append(input);
	svg.append(box);
}

function closeBox() {
	if (input.matches(":focus"))
		svg.focus({ preventScroll: true });
	box.remove();
	box = input = null;
	search();
	saveState();
}

function askForTerm() {
	openBox();
	input.focus();
	input.select();
}

function toggleCase() {
	ignoreCase = !ignoreCase;
	caseButton.classList.toggle("show", ignoreCase);
	caseButton.setAttribute("aria-pressed", ignoreCase);
	search();
	saveState();
}
