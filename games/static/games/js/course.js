// A rating's history, read by keyboard or pointer: a mark moves from game to game, and a caption describes each.

import { local } from "./moments.js";

const SVG = "http://www.w3.org/2000/svg";

for (const figure of document.querySelectorAll("[data-course]")) {
  const drawing = figure.querySelector("svg");
  const said = figure.querySelector("[data-said]");
  const points = JSON.parse(figure.querySelector("script").textContent);
  const mark = drawing.appendChild(document.createElementNS(SVG, "circle"));
  const line = drawing.insertBefore(document.createElementNS(SVG, "line"), drawing.querySelector("polyline"));
  let at = points.length - 1;

  mark.setAttribute("class", "chart-mark");
  mark.setAttribute("r", "6");
  line.setAttribute("class", "chart-here");
  line.setAttribute("y1", "0");
  line.setAttribute("y2", String(drawing.viewBox.baseVal.height - 30));
  drawing.setAttribute("tabindex", "0");
  drawing.setAttribute("role", "application");
  drawing.setAttribute("aria-label", `${drawing.querySelector("title").textContent}. ${said.dataset.hint}`);

  function show(number) {
    at = Math.max(0, Math.min(points.length - 1, number));
    const { x, y, said: words, at: moment } = points[at];
    mark.setAttribute("cx", x);
    mark.setAttribute("cy", y);
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
    said.textContent = local(words, moment);
    figure.classList.add("reading");
  }

  function nearest(clientX) {
    const box = drawing.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * drawing.viewBox.baseVal.width;
    return points.reduce((best, point, number) => (Math.abs(point.x - x) < Math.abs(points[best].x - x) ? number : best), 0);
  }

  const keys = {
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    PageUp: () => show(at - 10),
    PageDown: () => show(at + 10),
    Home: () => show(0),
    End: () => show(points.length - 1),
    Enter: () => location.assign(points[at].why),
  };

  drawing.addEventListener("keydown", (event) => {
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  drawing.addEventListener("focus", () => show(at));
  drawing.addEventListener("pointermove", (event) => show(nearest(event.clientX)));
  // Touch screens have no hover: the first tap on a game describes it, the second one opens it.
  let shown = -1;
  drawing.addEventListener("click", (event) => {
    const tapped = nearest(event.clientX);
    show(tapped);
    if (event.pointerType !== "touch" || shown === tapped) location.assign(points[tapped].why);
    shown = tapped;
  });
}
