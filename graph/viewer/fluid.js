/*
 * A fluid picture, which is as wide as the window.  Others leave this out.
 */

// Runs when the picture is drawn, and when its width has changed.
const refit = () => {
	read();
	scale = boxOf(svg).width / 100;
	fitLabels();
	follow();
	draw();
};

new ResizeObserver(refit).observe(svg);
// without this, phones lay out a page for a wider screen
if (svg === page && svg.firstElementChild.localName !== "meta")
	svg.prepend(html("meta", { name: "viewport",
	    content: "width=device-width" }));
// on paper the picture is that of the screen, at another size
on(window, "beforeprint", () => set(svg, { viewBox:
    `0 0 ${100 * scale} ${svg.getAttribute("height")}` }));
on(window, "afterprint", () => svg.removeAttribute("viewBox"));
