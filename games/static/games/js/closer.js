/* Search closer at the position that a replay shows: what the server says of it, and arrows and rings on the board. It
   knows ways and the ids of pieces, and no game.

   closer = new Closer(replay)
   .toggle()       opens or closes it
   .find()         opens it at what other games have of the position
   .follow()       shows what there is at the ply that is shown now */

import { svgElement } from "./scene.js";

const TIP = 13;
const PAUSE = 120;
/* Of the window's height: on a narrow page, how far down it begins when it is opened, so that the board's foot stays in view. */
const BEGIN = 0.55;

export class Closer {
  constructor(replay) {
    this.replay = replay;
    this.root = replay.part("[data-closer]");
    this.button = replay.part("[data-look-closer]");
    this.kept = new Map();
    this.root.addEventListener("click", (event) => this.click(event));
    this.root.addEventListener("toggle", () => this.draw(), true);
    if (!this.root.hidden) {
      this.draw();
    }
  }

  get isOpen() {
    return !this.root.hidden;
  }

  /* A legal action is acted as the first of a branch. */
  click(event) {
    const link = event.target.closest("a[data-act]");
    if (link && !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      this.replay.openWhatIf("begin", link.dataset.act);
      this.replay.part(".stage").scrollIntoView({ block: "nearest" });
    }
  }

  toggle() {
    this.root.hidden = this.isOpen;
    this.replay.root.classList.toggle("is-closer", this.isOpen);
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    this.replay.keepAddress();
    if (this.isOpen) {
      this.comeIntoView();
      return this.follow();
    }
    return this.clear();
  }

  /* Shows how often the position was reached, and what was played then. */
  async find() {
    await (this.isOpen ? this.follow() : this.toggle());
    const found = this.root.querySelector("[data-look=elsewhere]");
    if (found) {
      found.open = true;
      found.scrollIntoView({ block: "nearest" });
    }
  }

  comeIntoView() {
    const further = this.root.getBoundingClientRect().top - BEGIN * innerHeight;
    if (further > 0) {
      scrollBy({ top: further, behavior: "instant" });
    }
  }

  async follow() {
    this.clear();
    const { ply } = this.replay;
    await new Promise((settled) => setTimeout(settled, this.kept.has(ply) ? 0 : PAUSE));
    if (ply !== this.replay.ply) {
      return;
    }
    const found = this.isOpen && (await this.ask(ply));
    if (found && this.isOpen && ply === this.replay.ply) {
      const open = new Map([...this.root.querySelectorAll("[data-look]")].map((look) => [look.dataset.look, look.open]));
      this.root.innerHTML = found;
      this.root.querySelectorAll("[data-look]").forEach((look) => (look.open = open.get(look.dataset.look) ?? look.open));
      this.draw();
    }
  }

  /* The answers are kept, so that stepping back and forth asks once. */
  async ask(ply) {
    if (!this.kept.has(ply)) {
      const url = new URL(this.replay.address(ply));
      url.searchParams.set("part", "closer");
      const answer = await fetch(url, { credentials: "same-origin" }).catch(() => null);
      if (!answer?.ok) {
        return null;
      }
      this.kept.set(ply, await answer.text());
    }
    return this.kept.get(ply);
  }

  clear() {
    this.replay.svg.querySelector(".closer-marks")?.remove();
  }

  draw() {
    this.clear();
    const open = new Set([...this.root.querySelectorAll("[data-look][open]")].map((look) => look.dataset.look));
    const marks = JSON.parse(this.root.querySelector("#closer-marks")?.textContent ?? "[]");
    const group = svgElement("g", { class: "closer-marks", "aria-hidden": "true" });
    for (const { pieces, arrows } of marks.filter(({ key }) => open.has(key))) {
      group.append(...pieces.flatMap((id) => ring(this.replay.table.elements.get(id))), ...arrows.flatMap(arrow));
    }
    this.replay.svg.append(group);
  }
}

function ring(piece) {
  if (!piece) {
    return [];
  }
  const drawing = piece.querySelector("use");
  const { x, y, width, height } = drawing.getBBox();
  const transform = `${piece.getAttribute("transform")} ${drawing.getAttribute("transform")}`;
  return [svgElement("rect", { class: "closer-ring", x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 9, transform })];
}

/* A way with a casing, and a head at its end. */
function arrow(points) {
  const [[x, y], [u, v]] = points.slice(-2);
  const turn = (Math.atan2(v - y, u - x) * 180) / Math.PI;
  const length = Math.hypot(u - x, v - y) || 1;
  const foot = [u - ((u - x) / length) * TIP, v - ((v - y) / length) * TIP];
  const way = [...points.slice(0, -1), foot].join(" ");
  return [
    svgElement("polyline", { class: "closer-casing", points: way }),
    svgElement("polyline", { class: "closer-way", points: way }),
    svgElement("path", { class: "closer-head-mark", d: "M0 0L-16-9V9Z", transform: `translate(${u} ${v}) rotate(${turn})` }),
  ];
}
