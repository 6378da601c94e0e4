# foldedtop tells what the viewer of a picture does, frame for frame.
load ../helper
load ../viewer/browser

setup_file() {
	needs_browser
	cd "$BATS_FILE_TMPDIR" || return
	stackcollapse-perf "$DATA/demo.perf" > demo.folded
	# calls of itself, by way of others and at once
	cat > small.folded <<-'END'
	main;a;x 40
	main;a;y;a;y 20
	main;b;a;a;x 1000
	main;b 20
	other;y;b;a 7
	x 3
	END
	flamegraph --minwidth=0 small.folded > small.svg 2> err
	flamegraph --minwidth=0 demo.folded > demo.svg 2> err
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR" || return
}

# table FILE [OPTION...]: rows of foldedtop's, as "SELF% SELF ... NAME", without
# the number of stacks, as pictures have no lines.
table() {
	foldedtop --lines=0 "${@:2}" "$1" |
		sed -e 1,2d -e 's/^ *//' -e 's/  */ /g' |
		sed 's/^\(\([^ ]* \)\{4\}\)[^ ]* /\1/'
}

# The same of the viewer's table, which has a button for more rows.
viewed='const table = () => {
	const last = () => [...svg.querySelectorAll("#top button")].pop();
	while (/^[0-9]+ more$/.test(last().textContent))
		last().click();
	[...svg.querySelectorAll("#top tr")].slice(1).forEach(row => {
		const [name, ...sums] =
		    [...row.children].map(cell => cell.textContent);
		say([...sums.slice(0, 4), name].join(" "));
	});
    };'

@test "the table is the viewer's, by self and by total" {
	in_browser small.svg demo.svg > said <<-JS
	$viewed
	for (const i of [0, 1]) {
		look(i);
		key("t");
		table();
		say("by total");
		svg.querySelectorAll("#top th button")[1].click();
		table();
		key("Escape");
	}
	JS
	for file in small demo; do
		table $file.folded
		echo 'by total'
		table $file.folded --sort=total
	done | sed 's/  */ /g' > expected
	[ "$(wc -l < expected)" -gt 30 ]
	sed -e '/^$/d' -e 's/  */ /g' said | diff - expected
}
