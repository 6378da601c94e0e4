/* A fluid picture is laid out again for another width of the window. */
const refit = () => {
	read();
	scale = boxOf(svg).width / 100;
	fitLabels();
	findSpare();
	follow();
	draw();
};

new ResizeObserver(refit).observe(svg);
// on paper the picture is that of the screen, at another size
on(window, "beforeprint", () => set(svg, { viewBox:
    `0 0 ${100 * scale} ${svg.getAttribute("height")}` }));
on(window, "afterprint", () => svg.removeAttribute("viewBox"));
