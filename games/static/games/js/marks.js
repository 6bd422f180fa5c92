/* Marks on a board what can be touched, what was touched, and what will result: frames, dots, paths, ghosts. It
   knows where pieces and places are, but no game. The style of each mark is in css/acting.css.

   new Marks(svg, table)        the marks of a board whose pieces a Table draws
     .places = {...}            targets that are not pieces: {x, y, w, h} by name
     .clear()
     .put(target, kind, {dots, badge, hatching})   kinds: can, must, picked, reach, lay, chosen, refused
     .ticks(target)             where what is laid at a place meets what lies
     .way(points), .ghost(piece, isLaid)   what will result
     .preview(draw)             draws these faintly
     .boundsOf(target)          {x, y, w, h}, in the board's units
     .place(target)             an element that covers a target, for the focus */

import { fillPiece, svgElement } from "./scene.js";

const ROUND = 7;
const INSET = 2.5;
const OUTSET = 4;
const NARROW = 30;
const CLOSE = 1.5;
const DOT = 6.5;
const ROOM = 30;
const TICK = 9;
const BESIDE = 12;
const SOLID = "rect, ellipse, circle, path, polygon";

export class Marks {
  constructor(svg, table) {
    this.svg = svg;
    this.table = table;
    this.places = {};
    this.drawings = new Map();
    this.under = layer("marks-under", svg.querySelector(".traces"));
    this.ways = layer("marks ways", svg.lastElementChild);
    this.over = layer("marks", this.ways);
    this.coming = layer("marks coming", this.over);
  }

  clear() {
    [this.under, this.ways, this.over, this.coming].forEach((group) => group.replaceChildren());
  }

  /* Draws paths and ghosts faintly, replacing the previous preview. */
  preview(draw) {
    const { over, under, ways } = this;
    this.coming.replaceChildren();
    this.over = this.under = this.ways = this.coming;
    draw();
    Object.assign(this, { over, under, ways });
  }

  put(target, kind, { dots = 0, badge = "", hatching = "" } = {}) {
    const bounds = this.boundsOf(target);
    if (!bounds) {
      return;
    }
    if (["reach", "chosen", "lay"].includes(kind)) {
      this.under.append(this.outline(target, `wash ${kind}`));
    }
    if (hatching) {
      const wash = this.outline(target, "hatching");
      wash.setAttribute("fill", hatching);
      this.over.append(wash);
    }
    const mark = svgElement("g", { class: `mark ${kind}${isNarrow(bounds) ? " narrow" : ""}` });
    mark.dataset.target = target;
    mark.append(this.outline(target, "casing"), this.outline(target, "line"));
    mark.append(...dotsAt(bounds, dots, kind === "lay"));
    if (badge) {
      mark.append(...badgeAt(bounds, badge));
    }
    this.over.append(mark);
  }

  /* The outline of a target: inside the edge of a place or flat piece, outside that of a standing one. */
  outline(target, name) {
    const shape = this.shapeOf(target);
    shape.setAttribute("class", name);
    return shape;
  }

  shapeOf(target) {
    const place = this.places[target];
    if (place) {
      return rect(place.x, place.y, place.w, place.h, -INSET);
    }
    const piece = this.table.shown.get(target);
    const solid = this.solidOf(piece);
    const lies = (piece.layer ?? 0) === 0;
    const { x, y, size = 1, turn = 0 } = piece;
    if (solid?.localName === "rect") {
      const { x: left, y: top, w, h } = this.boundsOf(target);
      return rect(left, top, w, h, lies ? -INSET : isNarrow({ w, h }) ? CLOSE : OUTSET);
    }
    if (solid && lies) {
      const shape = solid.cloneNode();
      [...shape.attributes].forEach(({ name }) => NAMED.includes(name) || shape.removeAttribute(name));
      const box = solid.getBBox();
      const share = (size * (Math.max(box.width, box.height) - 2 * INSET)) / Math.max(box.width, box.height);
      shape.setAttribute("transform", `translate(${x} ${y}) rotate(${turn}) scale(${share})`);
      return shape;
    }
    return this.ring(target, solid);
  }

  ring(target, solid) {
    const { x, y, w, h } = this.boundsOf(target);
    const { symbol, size = 1 } = this.table.shown.get(target);
    const { width, height } = this.drawingOf(symbol).box;
    const r = (size * Math.max(width, height)) / 2 + (solid ? OUTSET : 0);
    return svgElement("circle", { cx: x + w / 2, cy: y + h / 2, r });
  }

  solidOf({ symbol }) {
    return this.drawingOf(symbol).solid;
  }

  /* What is known of a drawing, measured once it is seen (before it takes no room): the room that it takes, and its first
     shape, if it is one with an inside, such as the card or the cell. */
  drawingOf(symbol) {
    if (!this.drawings.get(symbol)?.box.width) {
      const name = this.table.prefix + symbol;
      const use = svgElement("use", { href: `#${name}` });
      this.under.append(use);
      const drawing = this.svg.querySelector(`#${CSS.escape(name)}`);
      const first = drawing?.matches(SOLID) ? drawing : drawing?.querySelector(SOLID);
      const solid = first && getComputedStyle(first).fill !== "none" ? first : null;
      this.drawings.set(symbol, { box: use.getBBox(), solid });
      use.remove();
    }
    return this.drawings.get(symbol);
  }

  boundsOf(target) {
    if (this.places[target]) {
      return this.places[target];
    }
    const piece = this.table.shown.get(target);
    return piece ? turnedBox(piece, this.drawingOf(piece.symbol).box) : null;
  }

  middleOf(target) {
    const bounds = this.boundsOf(target);
    return bounds && [bounds.x + bounds.w / 2, bounds.y + bounds.h / 2];
  }

  way(whole) {
    const points = shortened(whole);
    const [[x, y], [u, v]] = points.slice(-2);
    const turn = (Math.atan2(v - y, u - x) * 180) / Math.PI;
    const course = points.map((point) => point.join(",")).join(" ");
    const lines = ["casing", "line"].map((name) => svgElement("polyline", { class: name, points: course }));
    const head = svgElement("path", { class: "head", d: "M-15-12 L7 0 L-15 12Z" });
    head.setAttribute("transform", `translate(${u} ${v}) rotate(${turn})`);
    const way = svgElement("g", { class: "way" });
    way.append(...lines, head);
    this.ways.append(way);
  }

  ghost(piece, isLaid) {
    const ghost = svgElement("g");
    fillPiece(ghost, piece, this.table.prefix);
    ghost.classList.add("ghost");
    (isLaid ? this.under : this.over).append(ghost);
  }

  /* A tick on every side of a place at which what is laid there meets what lies already. */
  ticks(target) {
    const grounds = [...this.table.shown.values()].filter(({ layer = 0 }) => !layer).map(({ id }) => this.boundsOf(id));
    for (const [x, y, across, along] of sidesOf(this.boundsOf(target))) {
      const [u, v] = [x + BESIDE * across, y + BESIDE * along];
      if (grounds.some((one) => u > one.x && u < one.x + one.w && v > one.y && v < one.y + one.h)) {
        const tick = svgElement("g", { class: "tick", transform: `translate(${x} ${y})` });
        tick.append(svgElement("circle", { r: TICK }), svgElement("path", { d: "M-4.5 0L-1.5 3.5L4.5-3.5" }));
        this.over.append(tick);
      }
    }
  }

  place(target) {
    const bounds = this.boundsOf(target);
    return bounds && rect(bounds.x, bounds.y, bounds.w, bounds.h, 0);
  }
}

const NAMED = ["d", "cx", "cy", "rx", "ry", "r", "points"];

/* A path without its end, where the ghost is. */
function shortened(points) {
  const kept = points.slice(0, -1);
  const [[x, y], [u, v]] = points.slice(-2);
  const length = Math.hypot(u - x, v - y);
  const share = (length - Math.min(ROOM, length / 2)) / length;
  return [...kept, [x + (u - x) * share, y + (v - y) * share]];
}

function layer(name, before) {
  const group = svgElement("g", { class: name, "aria-hidden": "true" });
  before.after(group);
  return group;
}

/* The bounding box of a piece, computed from that of its drawing. */
function turnedBox({ x, y, size = 1, turn = 0 }, box) {
  const [sin, cos] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
  const corners = [box.x, box.x + box.width].flatMap((u) =>
    [box.y, box.y + box.height].map((v) => [size * (u * cos - v * sin), size * (u * sin + v * cos)]),
  );
  const [across, along] = [corners.map(([u]) => u), corners.map(([, v]) => v)];
  const [left, top] = [Math.min(...across), Math.min(...along)];
  return { x: x + left, y: y + top, w: Math.max(...across) - left, h: Math.max(...along) - top };
}

function rect(x, y, width, height, by) {
  const sizes = { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
  return svgElement("rect", { ...sizes, rx: Math.max(ROUND + by, 3) });
}

/* The middle of each side, and which way is out there. */
function sidesOf({ x, y, w, h }) {
  const [across, along] = [x + w / 2, y + h / 2];
  return [[across, y, 0, -1], [x + w, along, 1, 0], [across, y + h, 0, 1], [x, along, -1, 0]];
}

/* Whether neighbours are so close that the mark of one would cover the other. */
function isNarrow({ w, h }) {
  return Math.min(w, h) < NARROW;
}

/* The given number of dots: in the middle of a place, or else on the lower edge. */
function dotsAt({ x, y, w, h }, count, inside) {
  const step = inside ? 2.4 * DOT : 3.4 * DOT;
  return Array.from({ length: count }, (_, at) => {
    const cx = x + w / 2 + (at - (count - 1) / 2) * step;
    return svgElement("circle", { class: "dot", cx, cy: inside ? y + h / 2 : y + h - 4, r: inside ? DOT - 1.5 : DOT });
  });
}

function badgeAt({ x, y }, text) {
  const badge = svgElement("text", { class: "badge", x: x + 7, y: y + 10 });
  badge.textContent = text;
  return [svgElement("circle", { class: "badge-ground", cx: x + 7, cy: y + 4, r: 15 }), badge];
}
